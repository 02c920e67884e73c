/* Cells that the game leaves aside.
 *
 * Two things are told of the cells of a board, both from the compiled tables, and only where they are surely so.
 *
 *   cut off      No direction that the rules ask for leads to the cell or from it, though others are joined. What the rules speak of by its
 *                name stands apart on purpose.
 *   left empty   No piece can come to the cell: it is not set up or dropped there, and no leg leads there from where pieces can be. Where
 *                pieces can be is found by going from what is placed along all legs, those of all kinds and players together, until nothing
 *                new is found. A leg lands wherever its directions lead, unless its target is known beforehand. What is placed, dropped or
 *                sent to cells that only play tells counts as coming everywhere; so do options, and values kept of cells, for then cells may
 *                serve something else than pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lints.h"

static void *must(void *p) { if (!p) abort(); return p; }
static bool has(const uint64_t *set, int x) { return set[x / 64] >> (x % 64) & 1; }
static void put(uint64_t *set, int x) { set[x / 64] |= 1ull << (x % 64); }

/* ---- where it is told ---------------------------------------------------------------------------------------------------------------------- */
static const node *item_of(const tree *t, node_kind kind)
{
    for (int i = 0; i < t->root->count; i++) if (t->root->kids[i] && t->root->kids[i]->kind == kind) return t->root->kids[i];
    return NULL;
}

static bool speaks(const node *n, const char *name)
{
    if (!n) return false;
    if (n->text && strcmp(n->text, name) == 0) return true;
    for (int i = 0; i < n->count; i++) if (speaks(n->kids[i], name)) return true;
    return false;
}

static bool spoken_of(const tree *t, const char *name)
{
    for (int i = 0; i < t->root->count; i++) {
        const node *n = t->root->kids[i];
        if (n && n->kind != NODE_I_BOARD && n->kind != NODE_I_TEST && speaks(n, name)) return true;
    }
    return false;
}

static bool board_is_optional(const tree *t, const node *board)
{
    for (int i = 0; i < t->root->count; i++) {
        const node *n = t->root->kids[i];
        if (n && (n->kind == NODE_I_OPTION || n->kind == NODE_I_LET) && speaks(board, n->text)) return true;
    }
    return false;
}

/* "a1, b2 and 7 more" */
static char *cells_named(const game *g, const uint64_t *set)
{
    enum { SHOWN = 4 };
    char *text = NULL;
    size_t size = 0;
    int count = 0, n = 0;
    for (int i = 0; i < g->cells; i++) count += has(set, i);
    const int shown = count <= SHOWN + 1 ? count : SHOWN;
    FILE *f = must(open_memstream(&text, &size));
    for (int i = 0; i < g->cells && n < shown; i++) {
        if (!has(set, i)) continue;
        fprintf(f, "%s%s", n == 0 ? "" : n == count - 1 ? " and " : ", ", g->cell[i].name);
        n++;
    }
    if (count > shown) fprintf(f, " and %d more cells", count - shown);
    fclose(f);
    return text;
}

static bool any(const game *g, const uint64_t *set)
{
    for (int i = 0; i < g->cells; i++) if (has(set, i)) return true;
    return false;
}

/* ---- cut off --------------------------------------------------------------------------------------------------------------------------------- */
static uint64_t asked_directions(const game *g)
{
    uint64_t asked = 0;
    for (int i = 0; i < g->relation_count; i++) {
        if (g->relations[i].reg >= 0) return ~0ull;
        for (int p = 0; p < g->player_count; p++) asked |= g->relations[i].mask[p];
    }
    return asked;
}

/* Both ends of every step of a direction. */
static void join(const game *g, const direction *d, uint64_t *joined)
{
    for (int i = 0; i < g->places; i++) {
        if (!has(d->mask, i)) continue;
        put(joined, i);
        if (!d->graph) put(joined, d->next[i]);
        else for (int k = 0; k < g->words; k++) joined[k] |= d->image[(size_t)i * (size_t)g->words + (size_t)k];
    }
}

static bool tell_cut_off(const joc_rules *r, const game *g, const node *board, diagnostics *d)
{
    uint64_t joined[WORDS_MAX] = { 0 }, alone[WORDS_MAX] = { 0 };
    const uint64_t asked = asked_directions(g);
    if (board_is_optional(r->tree, board)) return false;
    for (int i = 0; i < g->dir_count; i++) if (asked >> i & 1) join(g, &g->dirs[i], joined);
    if (!any(g, joined)) return false;
    for (int i = 0; i < g->cells; i++) if (!has(joined, i) && !spoken_of(r->tree, g->cell[i].name)) put(alone, i);
    if (!any(g, alone)) return false;
    char *names = cells_named(g, alone);
    diag_add(d, "W0422", board->at, "no direction leads to or from %s", names);
    free(names);
    return true;
}

/* ---- left empty ------------------------------------------------------------------------------------------------------------------------------ */
/* The set is known beforehand: what it is for any player is added. */
static bool known_set(const game *g, int operand, uint64_t *out)
{
    if (operand < g->const_first) return false;
    for (int p = 0; p < g->player_count; p++)
        for (int k = 0; k < g->words; k++) out[k] |= g->const_set[p][(size_t)(operand - g->const_first) * (size_t)g->words + (size_t)k];
    return true;
}

static bool known_place(const game *g, int operand, uint64_t *out)
{
    if (operand >= g->num_consts) return false;
    const int64_t x = g->const_num[operand];
    if (x >= 0 && x < g->places) put(out, (int)x);
    return true;
}

/* Where one instruction brings pieces from off the board, or from anywhere on it. False if that is not known, or if cells serve something else. */
static bool brought(const game *g, const ins *i, const joc_position *start, uint64_t *out)
{
    switch (i->op) {
    case OP_PLACE: case OP_DROP: case OP_DROP_FROM: return known_set(g, i->a, out);
    case OP_SEND: return known_place(g, i->b, out);
    case OP_FLAG: case OP_SET: case OP_SET_AT: case OP_SET_FIELD: return g->keeps[i->d].of != KEEP_CELL;
    case OP_RANK:
        for (int c = 0; c < g->cells; c++) {
            int owner = -1, kind = -1;
            if (joc_piece(start, c, 0, &owner, &kind)) put(out, c);
        }
        return !g->has_choice_in_setup;
    default: return true;
    }
}

/* Where pieces can be as far as is found; `left`: how many more steps of a direction are looked at before it is given up. */
enum { LOOKS = 20000 };
typedef struct { const game *g; uint64_t can[WORDS_MAX]; int left; } spreading;

/* One step of a direction from a set. Gives whether it leads to anything new in `out`. */
static bool image(spreading *s, const direction *d, const uint64_t *from, uint64_t *out)
{
    const game *g = s->g;
    uint64_t to[WORDS_MAX] = { 0 };
    bool more = false;
    if (--s->left < 0) return false;
    for (int x = 0; x < g->places; x++) {
        if (!has(from, x) || !has(d->mask, x)) continue;
        if (!d->graph) put(to, d->next[x]);
        else for (int k = 0; k < g->words; k++) to[k] |= d->image[(size_t)x * (size_t)g->words + (size_t)k];
    }
    for (int k = 0; k < g->words; k++) { more |= (to[k] & ~out[k]) != 0; out[k] |= to[k]; }
    return more;
}

/* So many steps of a direction; -1: any number. */
static void go(spreading *s, const direction *d, int64_t steps, uint64_t *out)
{
    const game *g = s->g;
    uint64_t at[WORDS_MAX] = { 0 };
    if (steps < 0) {
        image(s, d, s->can, at);
        while (image(s, d, at, at)) continue;
    } else memcpy(at, s->can, sizeof at);
    for (int64_t i = 0; i < steps && i < g->places && any(g, at); i++) {
        uint64_t next[WORDS_MAX] = { 0 };
        image(s, d, at, next);
        memcpy(at, next, sizeof at);
    }
    for (int k = 0; k < g->words; k++) out[k] |= at[k];
}

static void follow(spreading *s, const relation *r, int64_t steps, uint64_t *out)
{
    const game *g = s->g;
    uint64_t dirs = r->reg >= 0 ? ~0ull : 0;
    for (int p = 0; p < g->player_count; p++) dirs |= r->mask[p];
    for (int i = 0; i < g->dir_count; i++) if (dirs >> i & 1) go(s, &g->dirs[i], steps, out);
}

/* How many steps of its direction a leg takes, -1 if that depends. */
static int64_t steps_of(const game *g, const leg *l)
{
    const int times = g->relations[l->relation].times;
    if (l->slide) return -1;
    for (int i = 0; i < l->pattern_count; i++) if (times >= 0 || g->patterns[l->pattern + i].how != '1') return -1;
    if (l->pattern_count) return l->pattern_count + 1;
    return times < 0 ? 1 : times < g->num_consts ? g->const_num[times] : -1;
}

static bool spread(spreading *s, const ins *i)
{
    const game *g = s->g;
    uint64_t to[WORDS_MAX] = { 0 }, wanted[WORDS_MAX] = { 0 };
    const leg *l = i->op == OP_STEP ? &g->legs[i->a] : NULL;
    follow(s, &g->relations[l ? l->relation : i->d], l ? steps_of(g, l) : g->relations[i->d].times < 0 ? 1 : -1, to);
    const bool known = l && l->target >= 0 && known_set(g, l->target, wanted);
    bool more = false;
    for (int k = 0; k < g->words; k++) {
        const uint64_t gained = to[k] & (known ? wanted[k] : ~0ull) & ~s->can[k];
        s->can[k] |= gained;
        more |= gained != 0;
    }
    return more;
}

/* Code of tests comes after that of the rules. */
static uint32_t rules_end(const game *g)
{
    for (int i = 0; i < g->entry_count; i++) if (strcmp(g->entries[i].name, "tests") == 0) return g->entries[i].pc;
    return g->code_count;
}

static bool where_pieces_can_be(spreading *s, const joc_position *start)
{
    const game *g = s->g;
    const uint32_t end = rules_end(g);
    for (int x = g->cells; x < g->places; x++) put(s->can, x);
    for (uint32_t pc = 0; pc < end; pc++) if (!brought(g, &g->code[pc], start, s->can)) return false;
    if (!any(g, s->can)) return false;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < end && s->left >= 0; pc++)
            if (g->code[pc].op == OP_STEP || g->code[pc].op == OP_SEND_ALONG) more |= spread(s, &g->code[pc]);
    }
    return s->left >= 0;
}

static void tell_left_empty(const game *g, const node *board, const joc_position *start, diagnostics *d)
{
    spreading s = { .g = g, .left = LOOKS };
    uint64_t never[WORDS_MAX] = { 0 };
    if (!where_pieces_can_be(&s, start)) return;
    for (int i = 0; i < g->cells; i++) if (!has(s.can, i)) put(never, i);
    if (!any(g, never)) return;
    char *names = cells_named(g, never);
    diag_add(d, "N0423", board->at, "no piece can ever come to %s", names);
    free(names);
}

void cells_lint(const joc_rules *r, const game *g, const joc_position *start, diagnostics *d)
{
    const node *board = item_of(r->tree, NODE_I_BOARD);
    if (!board || board->at.source != 0 || r->least != r->most) return;
    if (tell_cut_off(r, g, board, d) || d->warnings || item_of(r->tree, NODE_I_OPTION)) return;
    tell_left_empty(g, board, start, d);
}
