/* How the places that many legs lead to are gathered (machine/batch.h): along each direction from all walkers at once, or from one walker
 * after another along all directions. For the second, relations that are asked for once get a table: by place, where one step leads. It
 * serves images (`neighbours of S`), too.
 *
 * Where two directions lead from one place to the same one (going round a cylinder), a move must not be counted twice: only from each
 * walker are its targets a set. If what is passed on the way matters, such a leg has no plan at all. */
#include <string.h>
#include "arena.h"
#include "compile.h"

enum { IMAGES_MOST = 1 << 17 };     /* bytes of a table */

static bool leads_once(const relation *r) { return r->reg < 0 && r->times < 0; }

/* What the relation costs along its directions, counted in places looked at one after another. */
static int cost_along(const game *g, uint64_t mask)
{
    int cost = 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        const direction *d = &g->dirs[__builtin_ctzll(m)];
        if (!d->shift && !d->part_count) return PLACES_MAX;
        cost += (d->shift ? 1 : d->part_count) * (g->words > 1 ? 2 : 1);
    }
    return cost;
}

static uint64_t *images_of(compiler *c, uint64_t mask)
{
    const game *g = c->g;
    const size_t w = (size_t)g->words;
    uint64_t *images = arena_alloc(c->a, (size_t)g->places * w * sizeof *images);
    for (uint64_t m = mask; m; m &= m - 1) {
        const direction *d = &g->dirs[__builtin_ctzll(m)];
        for (size_t p = 0; p < (size_t)g->places; p++) {
            if (d->graph) { for (size_t k = 0; k < w; k++) images[p * w + k] |= d->image[p * w + k]; continue; }
            const size_t to = d->next[p];
            if (to != 0xFFFF) images[p * w + to / 64] |= 1ull << (to % 64);
        }
    }
    return images;
}

/* One shift is quicker than any table. */
static bool few_ways(const game *g, const relation *r)
{
    for (int p = 0; p < g->player_count; p++) if (__builtin_popcountll(r->mask[p]) > 1 || cost_along(g, r->mask[p]) == PLACES_MAX) return false;
    return true;
}

static void give_images(compiler *c, int index)
{
    game *g = c->g;
    relation *r = &g->relations[index];
    if (few_ways(g, r)) return;
    if (!leads_once(r) || r->images[0] || (size_t)g->places * (size_t)g->words * sizeof(uint64_t) > IMAGES_MOST) return;
    for (int p = 0; p < g->player_count; p++) {
        for (int q = 0; q < p && !r->images[p]; q++) if (r->mask[q] == r->mask[p]) r->images[p] = r->images[q];
        if (!r->images[p]) r->images[p] = images_of(c, r->mask[p]);
        r->many[p] = cost_along(g, r->mask[p]);
    }
}

/* ---- legs ------------------------------------------------------------------------------------------------------------------------- */
/* The places a leg may land on along a direction, whatever stands on the way. */
static void may_land(const game *g, const leg *l, const direction *d, int from, uint64_t *to)
{
    int x = from, steps = 0;
    memset(to, 0, (size_t)g->words * sizeof *to);
    while ((x = d->next[x]) != 0xFFFF && x != from && steps++ < g->places)
        if (l->slide || steps == l->pattern_count + 1) to[x / 64] |= 1ull << (x % 64);
}

/* Does each place that a leg leads to from another lie along one direction alone? */
static bool ways_apart(const game *g, const leg *l)
{
    for (int p = 0; p < g->player_count; p++)
        for (int from = 0; from < g->cells; from++) {
            uint64_t seen[WORDS_MAX] = { 0 }, to[WORDS_MAX], twice = 0;
            for (uint64_t m = g->relations[l->relation].mask[p]; m; m &= m - 1) {
                may_land(g, l, &g->dirs[__builtin_ctzll(m)], from, to);
                for (int k = 0; k < g->words; k++) { twice |= seen[k] & to[k]; seen[k] |= to[k]; }
            }
            if (twice) return false;
        }
    return true;
}

bool gather_ways(const game *g, const leg *l, uint8_t *gather)
{
    const bool apart = ways_apart(g, l);
    *gather = apart ? GATHER_LESS : GATHER_FROM;
    return apart || !g->uses_passed || (!l->slide && !l->pattern_count);
}

/* Where several steps lead, for walkers that go as far as a number says. */
static void give_after(compiler *c, direction *d)
{
    const size_t places = (size_t)c->g->places;
    if (d->after || d->graph) return;
    d->after = arena_alloc(c->a, (STEPS_FAR + 1) * places * sizeof *d->after);
    for (size_t p = 0; p < places; p++) {
        size_t x = p;
        for (size_t n = 0; n <= STEPS_FAR; n++) {
            d->after[n * places + p] = (uint16_t)x;
            if (x != 0xFFFF) x = d->next[x];
        }
    }
}

static void give_afters(compiler *c, const relation *r)
{
    for (int p = 0; p < c->g->player_count; p++) for (uint64_t m = r->mask[p]; m; m &= m - 1) give_after(c, &c->g->dirs[__builtin_ctzll(m)]);
}

void gather_finish(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < g->leg_count; i++) {
        const leg *l = &g->legs[i];
        if (!l->slide && !l->pattern_count && g->relations[l->relation].times >= 0 && g->relations[l->relation].reg < 0) give_afters(c, &g->relations[l->relation]);
    }
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (g->code[pc].op == OP_S_IMAGE && g->code[pc].e < 0) give_images(c, g->code[pc].d);
    for (int i = 0; i < g->plan_item_count; i++) {
        const plan_item *x = &g->plan_items[i];
        if (x->origins) give_afters(c, &g->relations[g->legs[x->leg].relation]);
        if (x->drop || x->options || x->origins || g->legs[x->leg].slide || g->legs[x->leg].pattern_count) continue;
        give_images(c, g->legs[x->leg].relation);
    }
}
