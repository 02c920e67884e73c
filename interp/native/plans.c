/* Plans as C: where those that random play collects have few items, what is done with each item, and each of its shots and directions (machine/each.h),
 * is written out for each. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "interp/machine/machine.h"
#include "native.h"

enum { ITEMS_FEW = 16 };       /* of so many in plans that are collected each gets code of its own */

/* Is a bit of one item entered in the very same way as one of the other? */
bool native_entered_alike(const game *g, const plan_item *a, const plan_item *b)
{
    if (a->drop || b->drop) return false;
    const leg *x = &g->legs[a->leg], *y = &g->legs[b->leg];
    return a->pass == b->pass && a->origins == b->origins && a->options == b->options && a->gather == b->gather && native_landing(g, a->entry) == native_landing(g, b->entry) && !a->more_count == !b->more_count &&
           x->settle == y->settle && x->place_only == y->place_only && x->slide == y->slide && x->pattern_count == y->pattern_count && x->silent == y->silent;
}

/* ... though all that is known of one is its item. */
static bool entered_alike(const game *g, const plan_item *a, const plan_item *b) { return native_entered_alike(g, a, b) && g->legs[a->leg].silent; }

static int plan_of(const ins *i) { return i->op == OP_PICK ? i->e - 1 : i->op == OP_DROP ? i->c - 1 : -1; }

static uint32_t pick_of(const game *g, int index)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (plan_of(&g->code[pc]) == index) return pc;
    return 0;
}

bool *native_plans_known(const game *g)
{
    bool *known = calloc((size_t)g->plan_count + 1, sizeof *known), *found = native_collected(g);
    int items = 0;
    if (!known) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const int p = found[pc] ? plan_of(&g->code[pc]) : -1;
        if (p < 0 || known[p]) continue;
        known[p] = true;
        items += g->plans[p].count;
    }
    if (items > ITEMS_FEW) memset(known, 0, (size_t)g->plan_count * sizeof *known);
    free(found);
    return known;
}

/* Of what is written for each player in turn: the last needs no asking. */
static void write_for_player(FILE *f, const game *g, int p)
{
    if (p) fprintf(f, "else ");
    if (p + 1 < g->player_count) fprintf(f, "if (H(H_MOVER) == %d) ", p);
}

/* Are two items' steps by shifts the same? */
static bool shots_alike(const game *g, const plan_item *a, const plan_item *b)
{
    if (!a->shots[0] != !b->shots[0]) return false;
    for (int p = 0; p < g->player_count; p++) {
        if (a->shot_count[p] != b->shot_count[p]) return false;
        for (int j = 0; j < a->shot_count[p]; j++) {
            const shot *x = &a->shots[p][j], *y = &b->shots[p][j];
            if (x->dir != y->dir || x->shift != y->shift || memcmp(x->mask, y->mask, (size_t)g->words * sizeof *x->mask) != 0) return false;
        }
    }
    return true;
}

/* Do their legs go along the same directions? */
static bool ways_alike(const game *g, const plan_item *a, const plan_item *b)
{
    const uint64_t *x = g->relations[g->legs[a->leg].relation].mask, *y = g->relations[g->legs[b->leg].relation].mask;
    return !b->drop && !b->options && memcmp(x, y, (size_t)g->player_count * sizeof *x) == 0;
}

/* The cases of a known item and of those behind it that are alike; false where one before it has told them. */
static bool write_cases(FILE *f, const game *g, const bool *known, int item, bool (*alike)(const game *, const plan_item *, const plan_item *))
{
    for (int i = 0; i < item; i++) if (known[i] && alike(g, &g->plan_items[item], &g->plan_items[i])) return false;
    fprintf(f, "case %d:", item);
    for (int i = item + 1; i < g->plan_item_count; i++) if (known[i] && alike(g, &g->plan_items[item], &g->plan_items[i])) fprintf(f, " case %d:", i);
    fprintf(f, " \\\n");
    return true;
}

static void write_each_shot(FILE *f, const game *g, const bool *known, int item)
{
    const plan_item *x = &g->plan_items[item];
    if (!x->shots[0] || !write_cases(f, g, known, item, shots_alike)) return;
    for (int p = 0; p < g->player_count; p++) {
        write_for_player(f, g, p);
        fprintf(f, "{");
        for (int j = 0; j < x->shot_count[p]; j++) fprintf(f, " { const shot *const s = &SHOTS_%d[%d]; __VA_ARGS__; }", item * PLAYERS_MAX + p, j);
        fprintf(f, " } \\\n");
    }
    fprintf(f, "break; \\\n");
}

/* The directions of an item's leg, for each player who has others than those before him. */
static void write_each_way(FILE *f, const game *g, const bool *known, int item)
{
    const plan_item *x = &g->plan_items[item];
    if (x->drop || x->options || !write_cases(f, g, known, item, ways_alike)) return;
    const relation *r = &g->relations[g->legs[x->leg].relation];
    bool alike = true;
    for (int p = 1; p < g->player_count; p++) alike &= r->mask[p] == r->mask[0];
    for (int p = 0; p < (alike ? 1 : g->player_count); p++) {
        if (!alike) write_for_player(f, g, p);
        fprintf(f, "{");
        for (uint64_t m = r->mask[p]; m; m &= m - 1) fprintf(f, " { enum { dir = %d }; __VA_ARGS__ }", __builtin_ctzll(m));
        fprintf(f, " } \\\n");
    }
    fprintf(f, "break; \\\n");
}

/* Is an item of a plan one that is entered otherwise than those before it? */
static bool enters_anew(const game *g, int first, int item)
{
    bool anew = g->plan_items[item].entry != 0;
    for (int j = first; j < item; j++) anew &= !g->plan_items[j].entry || !entered_alike(g, &g->plan_items[j], &g->plan_items[item]);
    return anew;
}

static void write_cases_alike(FILE *f, const game *g, int item, int end)
{
    for (int j = item; j < end; j++) if (j == item || (g->plan_items[j].entry && entered_alike(g, &g->plan_items[item], &g->plan_items[j]))) fprintf(f, "case %d: ", j);
}

/* An item that was drawn; if all are entered alike, nothing is asked. */
static void write_with_drawn(FILE *f, const game *g, int p)
{
    const int first = g->plans[p].first, end = first + g->plans[p].count;
    int ways = 0;
    for (int i = first; i < end; i++) ways += enters_anew(g, first, i);
    fprintf(f, "case %d: { %s", p, ways > 1 ? "switch ((int)(item - PLAN_ITEMS)) { " : "");
    for (int i = first; i < end; i++) {
        if (!enters_anew(g, first, i)) continue;
        if (ways > 1) write_cases_alike(f, g, i, end);
        fprintf(f, "{ const plan_item *const item = &PLAN_ITEMS[%d]; __VA_ARGS__; } ", i);
    }
    fprintf(f, "%s break; } \\\n", ways > 1 ? "default: __builtin_unreachable(); }" : "");
}

/* Items that are entered alike share what is done. */
static void write_with_items(FILE *f, const game *g, int p)
{
    const int first = g->plans[p].first, end = first + g->plans[p].count;
    for (int i = first; i < end; i++) {
        if (!enters_anew(g, first, i)) continue;
        write_cases_alike(f, g, i, end);
        fprintf(f, "{ const plan_item *const item = &PLAN_ITEMS[%d]; const ins *const pick = &CODE[%u]; __VA_ARGS__; break; } \\\n", i, pick_of(g, p));
    }
}

static void write_items_out(FILE *f, const game *g, const bool *plans, const bool *known)
{
    fprintf(f, "#define EACH_ITEM(p, item, ...) switch ((int)((p) - PLANS)) { \\\n");
    for (int p = 0; p < g->plan_count; p++) {
        if (!plans[p]) continue;
        fprintf(f, "case %d:", p);
        for (int i = g->plans[p].first; i < g->plans[p].first + g->plans[p].count; i++) fprintf(f, " { const plan_item *const item = &PLAN_ITEMS[%d]; __VA_ARGS__; }", i);
        fprintf(f, " break; \\\n");
    }
    fprintf(f, "default: ITEMS_OF(p, item, __VA_ARGS__) }\n#define EACH_SHOT(item, mover, s, ...) switch ((int)((item) - PLAN_ITEMS)) { \\\n");
    for (int i = 0; i < g->plan_item_count; i++) if (known[i]) write_each_shot(f, g, known, i);
    fprintf(f, "default: SHOTS_OF(item, mover, s, __VA_ARGS__) }\n#define EACH_LEG_WAY(item, dir, ...) switch ((int)((item) - PLAN_ITEMS)) { \\\n");
    for (int i = 0; i < g->plan_item_count; i++) if (known[i]) write_each_way(f, g, known, i);
    fprintf(f, "default: LEG_WAYS_OF(item, dir, __VA_ARGS__) }\n#define WITH_ITEM(...) switch ((int)(item - PLAN_ITEMS)) { \\\n");
    for (int p = 0; p < g->plan_count; p++) if (plans[p]) write_with_items(f, g, p);
    fprintf(f, "default: __VA_ARGS__; }\n#define WITH_DRAWN(p, item, ...) switch ((int)((p) - PLANS)) { \\\n");
    for (int p = 0; g->draws && p < g->plan_count; p++) if (plans[p]) write_with_drawn(f, g, p);
    fprintf(f, "default: __builtin_unreachable(); }\n");
}

/* What is to be done with each item of a plan, each shot or way of an item, or with an item known only when it is entered, is written out for each.
 * Of plans that are never collected the items are gone through as ever. */
void native_plans(FILE *f, const game *g)
{
    bool *plans = native_plans_known(g), *known = calloc((size_t)g->plan_item_count + 1, sizeof *known), few = false;
    if (!known) abort();
    for (int p = 0; p < g->plan_count; p++) {
        few |= plans[p];
        for (int i = 0; i < g->plans[p].count; i++) known[g->plans[p].first + i] = plans[p];
    }
    fprintf(f, "#define KNOWN_PLAN %s\n", few ? "KNOWN" : "static");
    if (few) write_items_out(f, g, plans, known);
    free(plans);
    free(known);
}
