/* Plans: where the machine may go on behind a first choice that was drawn, without going the whole way again, and what it may ask of all
 * places at once before. See plan.c. */
#include <stdlib.h>
#include "plan.h"

/* Up to the next choice nothing is changed but registers. */
bool entry_pure(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (plan_is_choice(i->op) || plan_is_end(i->op)) return i->op != OP_LOOP && i->op != OP_FLOOD && i->op != OP_PREFER_FROM;
        if (i->op == OP_RESULT || i->op == OP_PASS || i->op == OP_AGAIN) return true;      /* emits, or changes what only the rest of this branch sees: see batch.h */
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if (!entry_pure(g, (uint32_t)i->d, seen)) return false; continue; }
        if (i->op == OP_RULE || i->op == OP_CAN) continue;
        const bool straight = i->op <= OP_BAG_HOLDS && i->op != OP_MOVER && i->op != OP_CLAMP && i->op != OP_STORE && i->op != OP_S_POP && i->op != OP_S_LESS && (i->op < OP_BAG_CLEAR || i->op > OP_BAG_PAIRS);
        if (!straight || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
    }
}

/* ---- entries --------------------------------------------------------------------------------------------------------------------- */
/* From a choice to the legs behind it: what is written on any way there, and the picks and drops with a plan that it leads to. A pass and
 * another turn are ways of their own (machine/batch.h). */
typedef struct { uint8_t *seen; flow written; uint32_t picks[PLAN_ITEMS_MAX], passes[PLAN_ITEMS_MAX]; int pick_count, pass_count; } region;

static void explore(const game *g, region *r, uint32_t pc)
{
    for (;; pc++) {
        if (r->seen[pc]) return;
        r->seen[pc] = 1;
        const ins *i = &g->code[pc];
        flow reads, writes;
        if ((i->op == OP_PICK && i->e) || (i->op == OP_DROP && i->c)) { if (r->pick_count < PLAN_ITEMS_MAX) r->picks[r->pick_count++] = pc; }
        if (i->op == OP_PICK && i->e && g->plans[i->e - 1].count && g->plan_items[g->plans[i->e - 1].first].options) return;
        if (i->op == OP_PASS && r->pass_count < PLAN_ITEMS_MAX) r->passes[r->pass_count++] = pc;
        if (i->op == OP_STEP || i->op == OP_DROP || plan_is_end(i->op) || i->op == OP_RESULT || i->op == OP_PASS || i->op == OP_AGAIN) return;
        flow_of(g, i, &reads, &writes);
        if (i->op != OP_PICK) flow_join(&r->written, &writes);
        if (i->op == OP_ALT) { for (int j = 0; j < i->e; j++) explore(g, r, (uint32_t)g->lists[i->d + j]); return; }
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_ELSE || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) explore(g, r, (uint32_t)i->d);
    }
}

/* The items of a decision whose first choice is at pc: which of them may be entered behind their leg? */
static void settle_entries(game *g, const flow *live, uint32_t pc)
{
    region *r = calloc(1, sizeof *r);
    if (!r || !(r->seen = calloc(g->code_count + 1, 1))) abort();
    explore(g, r, pc);
    for (int k = 0; k < r->pick_count; k++) {
        const ins *i = &g->code[r->picks[k]];
        const plan *p = &g->plans[(i->op == OP_PICK ? i->e : i->c) - 1];
        for (int j = 0; j < p->count; j++) {
            plan_item *x = &g->plan_items[p->first + j];
            if (r->pick_count == PLAN_ITEMS_MAX || flow_meets(&live[x->entry], &r->written)) x->entry = 0;
        }
    }
    for (int k = 0; k < r->pass_count; k++) {
        ins *i = &g->code[r->passes[k]];
        const bool direct = i->c != PASS_AGAIN && r->pass_count < PLAN_ITEMS_MAX && !flow_meets(&live[r->passes[k]], &r->written);
        const int tail = direct ? tail_choices(g, r->passes[k] + 1) : PLAN_TREE;
        i->c = tail == PLAN_CLEAN ? PASS_CLEAN : tail == PLAN_TEST ? PASS_TEST : PASS_AGAIN;
    }
    free(r->seen);
    free(r);
}

/* The first choices of the decision that begins at pc. */
static void first_choices(game *g, const flow *live, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (plan_is_choice(i->op)) { settle_entries(g, live, pc); return; }
        if (plan_is_end(i->op)) return;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) first_choices(g, live, (uint32_t)i->d, seen);
    }
}

/* ---- shots ----------------------------------------------------------------------------------------------------------------------- */
static bool only_shifts(const game *g, const plan_item *x)
{
    if (x->drop || x->options || x->pc || x->cond_count || x->split >= 0 || !x->entry || x->more_count || x->tail == PLAN_TREE) return false;
    const leg *l = &g->legs[x->leg];
    if (l->slide || l->pattern_count || l->target < 0) return false;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = g->relations[l->relation].mask[p]; m; m &= m - 1) if (!g->dirs[__builtin_ctzll(m)].shift) return false;
    return true;
}

void entry_shots(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < g->plan_item_count; i++) {
        plan_item *x = &g->plan_items[i];
        if (!only_shifts(g, x)) continue;
        for (int p = 0; p < g->player_count; p++) {
            const uint64_t mask = g->relations[g->legs[x->leg].relation].mask[p];
            shot *s = arena_alloc(c->a, (size_t)(__builtin_popcountll(mask) + 1) * sizeof *s);
            int n = 0;
            for (uint64_t m = mask; m; m &= m - 1) {
                const int d = __builtin_ctzll(m);
                s[n++] = (shot){ .dir = (uint16_t)d, .shift = (int16_t)g->dirs[d].shift, .mask = g->dirs[d].mask };
            }
            x->shots[p] = s;
            x->shot_count[p] = (uint8_t)n;
        }
    }
}

void entries_find(game *g, const flow *live)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    first_choices(g, live, g->turn_pc, seen);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_COMMIT || (op >= OP_ROLL && op <= OP_RANDOM_KIND)) first_choices(g, live, pc + 1, seen);
    }
    free(seen);
}

/* Is what follows a drop the guard `when any line of enemy from here to own`? Then it can be asked of all cells at once, before: the
 * piece dropped changes neither the enemies nor, on a board that does not wrap, any end of such a line but its beginning. */
void entry_skip_guard(const game *g, const flow *live, plan_item *x)
{
    const ins *i = &g->code[x->entry];
    if (i[0].op != OP_S_PLACE || i[0].b != g->num_base + H_HERE) return;
    if (i[1].op != OP_S_BETWEEN || i[1].b != SET_ENEMY || i[1].c != i[0].a || (i[1].e & 0xFFFF) != SET_OWN || (uint32_t)i[1].e >> 16 != (255u << 8 | 1)) return;
    if (i[2].op != OP_ANY || i[2].b != i[1].a || i[3].op != OP_JUMP_YES || i[3].a != i[2].a || i[4].op != OP_FAIL) return;
    const relation *r = &g->relations[i[1].d];
    if (r->reg >= 0 || r->times >= 0) return;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r->mask[p]; m; m &= m - 1) if (!g->dirs[__builtin_ctzll(m)].shift) return;
    flow made = { { 0 }, { 0 } }, reads, writes;
    for (int k = 0; k < 3; k++) { flow_of(g, &i[k], &reads, &writes); flow_join(&made, &writes); }
    if (flow_meets(&live[i[3].d], &made)) return;
    x->entry = (uint32_t)i[3].d;
    x->guard = i[1].d + 1;
}
