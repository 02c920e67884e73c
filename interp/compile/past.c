/* What need not be asked of earlier positions.
 *
 *     history_drains          pieces are taken and never come back: a position with fewer of them was not there before the last one fell,
 *                             so that `repeats` looks no further back than that
 *     REPEATS.b, TURN_KEY.a   what the one works out is the other's key, for nothing changes between them */
#include "compile.h"

static uint32_t find(const game *g, uint32_t pc, int op)
{
    while (pc < g->code_count && g->code[pc].op != op) pc++;
    return pc;
}

static bool drains(const game *g, uint32_t end)
{
    if (g->zone_count || g->pile_max > 1 || g->key_set) return false;
    for (uint32_t pc = g->turn_pc; pc < end; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_DROP || op == OP_DROP_FROM || op == OP_PLACE || op == OP_PLACE_ZONE || op == OP_SEND_ZONE || op == OP_RANK) return false;
        if (g->taken_slots && op == OP_SEND) return false;
    }
    return true;
}

/* Nothing but registers is written from here to the end of the turn; what `can` tries is taken back. */
static bool only_asks(const game *g, uint32_t pc, uint32_t end)
{
    for (; pc < end; pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_JUMP && (uint32_t)i->d > pc && (uint32_t)i->d < end && g->code[i->d].op == OP_CAN && (uint32_t)g->code[i->d].d == pc + 1) { pc = (uint32_t)i->d; continue; }
        if (i->op == OP_MOVER || i->op == OP_JUMP || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_RESULT || i->op == OP_CAN || i->op == OP_MARK) continue;
        if (i->op > OP_BAG_HOLDS || i->op == OP_CLAMP || i->op == OP_STORE || i->op == OP_S_LESS || (i->op >= OP_BAG_CLEAR && i->op <= OP_BAG_PAIRS)) return false;
        if (i->op < OP_MOVER && i->a >= g->num_base) return false;
        if (i->op >= OP_S_AND && i->op <= OP_S_EDGE && i->a < g->reg_first) return false;
    }
    return true;
}

void past_finish(game *g)
{
    const uint32_t legal = find(g, g->turn_pc, OP_LEGAL), end = find(g, legal, OP_TURN_KEY);
    if (end >= g->code_count) return;
    g->history_drains = drains(g, end);
    ins *first = &g->code[legal + 1];
    if (g->player_count != 2 || first->op != OP_REPEATS || first->d || !only_asks(g, legal + 1, end)) return;
    first->b = 1;
    g->code[end].a = 1;
}
