/* Turns whose move is drawn right where it is chosen (machine/draw.h): game.draws.
 *
 * From the beginning of the turn every way leads through code that changes registers alone to one pick or drop with a plan, and of each of its
 * items
 *
 *     the targets are one set, or one for each of a few shifts,
 *     nothing is chosen and nothing forbidden behind them, and they may be entered there,
 *     none can be the same move as one of another.
 *
 * So nothing need be collected first. What comes of the other part of an `else`, and of a turn in which nothing can be chosen, is left to
 * collecting. */
#include <stdlib.h>
#include "plan.h"

enum { SETS_MAX = DRAWN_SETS_MAX };

static bool item_draws(const game *g, const plan_item *x, int sets[PLAYERS_MAX])
{
    if (!x->entry || x->tail != PLAN_CLEAN || x->pass || x->origins || x->second || x->twin || x->more_count) return false;
    if (!x->drop && !x->options && (!x->shots[0] || !g->legs[x->leg].silent)) return false;
    for (int p = 0; p < PLAYERS_MAX; p++) if ((sets[p] += x->shots[0] ? x->shot_count[p] : 1) > SETS_MAX) return false;
    return true;
}

/* Drops of one plan are told apart by their splits, which the machine must look at together (machine/batch.h). */
static bool plan_draws(const game *g, const plan *p)
{
    int sets[PLAYERS_MAX] = { 0 };
    if (!p->count || p->pair_count || p->origins) return false;
    for (int j = 0; j < p->count; j++) if (!item_draws(g, &g->plan_items[p->first + j], sets)) return false;
    return true;
}

static bool choice_draws(const game *g, const ins *i)
{
    const int its = i->op == OP_PICK ? i->e : i->op == OP_DROP ? i->c : 0;
    return its && plan_draws(g, &g->plans[its - 1]);
}

static bool way_draws(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        switch ((opcode)i->op) {
        case OP_FAIL: case OP_ELSE: case OP_RULE: break;
        case OP_PICK: case OP_DROP: return choice_draws(g, i);
        case OP_JUMP: if ((uint32_t)i->d <= pc) return false; pc = (uint32_t)i->d - 1; break;
        case OP_JUMP_NO: case OP_JUMP_YES: if (!way_draws(g, (uint32_t)i->d, seen)) return false; break;
        default: if (!flow_only_registers(i) || i->op == OP_S_ATTACKED || i->op == OP_REPEATS || i->op == OP_SINCE || i->op == OP_ALWAYS || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
        }
        if (i->op == OP_FAIL) return true;
    }
}

void drawn_finish(game *g)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    g->draws = g->code[g->turn_pc].op != OP_SETUP_DONE && way_draws(g, g->turn_pc, seen);
    free(seen);
}
