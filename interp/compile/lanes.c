/* Lanes: the directions of a relation laid out side by side, so that the machine floods along all of them at once (machine/lanes.h).
 *
 * Only where a set is one word and each direction is a shift. Those that lead to greater numbers are `up`, the others `down`; a lane that
 * is not used has no places. */
#include <limits.h>
#include "arena.h"
#include "compile.h"

static bool add_lane(lanes *l, const direction *d)
{
    uint64_t *shift = d->shift > 0 ? l->up : l->down, *mask = d->shift > 0 ? l->mask_up : l->mask_down;
    int k = 0;
    while (k < LANES && mask[k]) k++;
    if (k == LANES) return false;
    shift[k] = (uint64_t)(d->shift > 0 ? d->shift : -d->shift);
    mask[k] = d->mask[0];
    return true;
}

/* Cells on the longest way along the direction. */
static int longest(const game *g, const direction *d)
{
    int most = 1;
    for (int p = 0; p < g->cells; p++) {
        int n = 1;
        for (int x = d->next[p]; x != 0xFFFF && n <= g->cells; x = d->next[x]) n++;
        if (n > most) most = n;
    }
    return most;
}

int longest_line(const game *g, int rel)
{
    const relation *r = &g->relations[rel];
    int most = 1;
    if (r->reg >= 0) return INT_MAX;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r->mask[p]; m; m &= m - 1) {
            const direction *d = &g->dirs[__builtin_ctzll(m)];
            const int n = d->graph ? INT_MAX : longest(g, d);
            if (n > g->cells) return INT_MAX;
            if (n > most) most = n;
        }
    return most;
}

/* The machine shifts by up to so many steps at once, which must stay within a word. */
static bool within_word(const lanes *l)
{
    int steps = 1;
    while (steps < l->longest) steps *= 2;
    for (int k = 0; k < LANES; k++) if ((l->up[k] | l->down[k]) && (uint64_t)(steps / 2) * (l->up[k] > l->down[k] ? l->up[k] : l->down[k]) > 63) return false;
    return true;
}

static lanes *lanes_of(compiler *c, uint64_t mask)
{
    const game *g = c->g;
    lanes *l = arena_alloc(c->a, sizeof *l);
    l->paired = true;
    l->longest = 1;
    for (uint64_t m = mask; m; m &= m - 1) {
        const direction *d = &g->dirs[__builtin_ctzll(m)];
        const int n = d->shift && d->mask[0] ? longest(g, d) : 0;
        if (!n || n > g->cells || !add_lane(l, d)) return NULL;
        if (n > l->longest) l->longest = n;
        l->paired &= d->opposite >= 0 && (mask >> d->opposite & 1);
    }
    return within_word(l) ? l : NULL;
}

static void give_lanes(compiler *c, int index)
{
    game *g = c->g;
    relation *r = &g->relations[index];
    if (g->words != 1 || r->reg >= 0 || r->times >= 0 || r->lanes[0]) return;
    for (int p = 0; p < g->player_count; p++) {
        for (int q = 0; q < p && !r->lanes[p]; q++) if (r->mask[q] == r->mask[p]) r->lanes[p] = r->lanes[q];
        if (!r->lanes[p]) r->lanes[p] = lanes_of(c, r->mask[p]);
        if (!r->lanes[p]) { for (int q = 0; q < p; q++) r->lanes[q] = NULL; return; }
    }
}

void lanes_finish(compiler *c)
{
    const game *g = c->g;
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_S_LINE || op == OP_S_BETWEEN || op == OP_ANY_LINE) give_lanes(c, g->code[pc].d);
    }
}
