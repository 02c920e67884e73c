/* Draws: where random play need not collect a decision before it makes a move of it.
 *
 * From where a decision begins the code is followed to its first choices. If all of these, on whatever way, give batches whose every bit may be
 * entered and is surely legal, nothing has to be listed, struck out or tried again: the machine draws at the choice itself and goes on behind it
 * (machine/onward.h). On the way to the choice there may be chance, as long as nothing was chosen before. Of chance that an `until` may take back
 * it is found out whether what is looked at ahead is all that the rules do there (CHANCE_PLAIN): then it need not be done again. */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "plan.h"

/* Options may have to be tried again. Of a first leg behind which the repetition around it may end at once, those behind which it goes on are
 * few: where there are any, the decision is collected. */
static bool plan_goes(const game *g, int index)
{
    if (index < 0) return false;
    const plan *p = &g->plans[index];
    for (int j = 0; j < p->count; j++) {
        const plan_item *x = &g->plan_items[p->first + j];
        if (x->second && x[-1].body_count) continue;
        if (x->tail != PLAN_CLEAN || !x->entry || x->options) return false;
    }
    return p->count > 0;
}

/* Does every way from here on come to choices that are drawn, or to nothing? `chosen`: behind an `else` or an alternative. */
static bool ways_go(const game *g, uint32_t pc, uint8_t *seen, bool chosen)
{
    for (;; pc++) {
        if (seen[pc] & 1 << chosen) return true;
        seen[pc] |= (uint8_t)(1 << chosen);
        const ins *i = &g->code[pc];
        switch ((opcode)i->op) {
        case OP_FAIL: return true;
        case OP_ROLL: case OP_RANDOM: case OP_RANDOM_BIT: case OP_RANDOM_NUMBER: case OP_RANDOM_KIND: return !chosen;
        case OP_PICK: return plan_goes(g, i->e - 1);
        case OP_DROP: return plan_goes(g, i->c - 1);
        case OP_PASS: return i->c == PASS_CLEAN;
        case OP_JUMP: pc = (uint32_t)i->d - 1; continue;
        case OP_JUMP_NO: case OP_JUMP_YES: case OP_S_POP: if (!ways_go(g, (uint32_t)i->d, seen, chosen)) return false; continue;
        case OP_ELSE: return i->c && ways_go(g, pc + 1, seen, true) && ways_go(g, (uint32_t)i->d, seen, true);
        case OP_ALT:
            for (int j = 0; j < i->e; j++) if (g->sure_ends[i->d + j] || !ways_go(g, (uint32_t)g->lists[i->d + j], seen, true)) return false;
            return i->c;
        case OP_RULE: case OP_CAN: continue;
        case OP_RESULT: return chosen;          /* collected from the choice before it */
        default:
            if (plan_is_choice(i->op) || plan_is_end(i->op) || i->op == OP_AGAIN) return false;
        }
    }
}

static bool shifts_alone(const game *g, const relation *r)
{
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r->mask[p]; m; m &= m - 1) if (!g->dirs[__builtin_ctzll(m)].shift && !g->dirs[__builtin_ctzll(m)].part_count) return false;
    return true;
}

/* The items of choices that are drawn are gathered along each direction, so that each has as many sets as directions, whoever may walk. */
static void gather_along(game *g, const uint8_t *seen)
{
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        if (!seen[pc] || g->code[pc].op != OP_PICK || !g->code[pc].e) continue;
        const plan *p = &g->plans[g->code[pc].e - 1];
        for (int j = p->first; j < p->first + p->count; j++) {
            plan_item *x = &g->plan_items[j];
            const leg *l = &g->legs[x->leg];
            if (x->gather == GATHER_LESS && !x->drop && !x->options && !l->slide && shifts_alone(g, &g->relations[l->relation])) x->gather = GATHER_ALONG;
        }
    }
}

static bool is_chance(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

/* Does every way from here on come to an `until` or to chance, with nothing on it that machines do otherwise when they only look? */
static bool plain_to_until(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (i->op == OP_UNTIL || is_chance(i->op)) return true;
        if (plan_is_choice(i->op) || plan_is_end(i->op) || i->op == OP_PASS || i->op == OP_RESULT || i->op == OP_AGAIN || i->op == OP_FAIL || i->op == OP_CAN || i->op == OP_PREFER || i->op == OP_BODY_END) return false;
        if (i->op == OP_JUMP) pc = (uint32_t)i->d - 1;
        else if ((i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) && !plain_to_until(g, (uint32_t)i->d, seen)) return false;
    }
}

static void chance_finish(game *g, uint8_t *seen)
{
    for (uint32_t pc = 1; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (!is_chance(i->op) || !(i->e & CHANCE_MAY_VOID)) continue;
        memset(seen, 0, g->code_count);
        if (plain_to_until(g, pc + 1, seen)) i->e |= CHANCE_PLAIN;
    }
}

void onward_finish(struct arena *a, game *g)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    g->onward = arena_alloc((arena *)a, (g->code_count + 1) * sizeof *g->onward);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const int before = g->code[pc - 1].op;
        if (pc != g->turn_pc && before != OP_COMMIT && before != OP_SHOWN && (before < OP_ROLL || before > OP_RANDOM_KIND)) continue;
        memset(seen, 0, g->code_count);
        g->onward[pc] = ways_go(g, pc, seen, false);
        if (g->onward[pc]) gather_along(g, seen);
    }
    chance_finish(g, seen);
    free(seen);
}
