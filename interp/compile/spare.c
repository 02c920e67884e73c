/* Plans: may what follows a leg or a drop take the piece just moved off the board, or send it elsewhere?
 *
 * Then two targets can lead to the same position (whoever attacks and falls leaves the same board behind), and moves must be compared as
 * positions: they are listed. A set spares the piece if it lies within the enemy's pieces, the neutral ones, the empty cells, those passed,
 * or what is reached from somewhere by a step; how a register was made is looked up among the instructions before. Of sets that are
 * sent, only `here` itself is feared. */
#include <stdlib.h>
#include "plan.h"

enum { DEFINITIONS_DEEP = 8 };

typedef struct { const game *g; uint8_t *seen; uint32_t at; bool sent; } tail_code;   /* at: of what takes or sends */

static bool register_spares(const tail_code *t, int reg, int depth);

static bool made_sparing(const tail_code *t, const ins *i, int depth)
{
    switch ((opcode)i->op) {
    case OP_S_AND: return register_spares(t, i->b, depth + 1) || register_spares(t, i->c, depth + 1);
    case OP_S_ANDN: case OP_S_COPY: return register_spares(t, i->b, depth + 1);
    case OP_S_OR: case OP_S_CHOOSE: return register_spares(t, i->b, depth + 1) && register_spares(t, i->c, depth + 1);
    case OP_S_BETWEEN: return register_spares(t, i->b, depth + 1);
    case OP_S_PLACE: return i->b != t->g->num_base + H_HERE;
    case OP_S_IMAGE: return true;
    default: return t->sent;
    }
}

static bool register_spares(const tail_code *t, int reg, int depth)
{
    const game *g = t->g;
    if (reg == SET_ENEMY || reg == SET_NEUTRAL || reg == SET_EMPTY || reg == SET_PASSED) return true;
    if (reg < g->reg_first || reg >= g->const_first || depth > DEFINITIONS_DEEP) return t->sent;
    bool some = false;
    for (uint32_t pc = 0; pc < t->at; pc++) {
        const ins *i = &g->code[pc];
        if (!t->seen[pc] || i->op < OP_S_AND || i->op > OP_S_EDGE || i->a != reg) continue;
        if (!made_sparing(t, i, depth)) return false;
        some = true;
    }
    return some || t->sent;             /* made before the leg: who walks was not sent for then */
}

static void mark_tail(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (plan_is_choice(i->op) || plan_is_end(i->op)) return;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) mark_tail(g, (uint32_t)i->d, seen);
    }
}

/* Of the code marked. */
static bool marked_spares(tail_code *t)
{
    for (uint32_t k = 0; k < t->g->code_count; k++) {
        const ins *i = &t->g->code[k];
        if (!t->seen[k] || (i->op != OP_TAKE && i->op != OP_SEND && i->op != OP_SEND_ZONE && i->op != OP_SEND_ALONG)) continue;
        t->at = k;
        t->sent = i->op != OP_TAKE;
        if (!register_spares(t, i->a, 0)) return false;
    }
    return true;
}

bool tail_spares(const game *g, uint32_t pc)
{
    tail_code t = { .g = g, .seen = calloc(g->code_count + 1, 1) };
    if (!t.seen) abort();
    mark_tail(g, pc, t.seen);
    const bool spares = marked_spares(&t);
    free(t.seen);
    return spares;
}

bool way_spares(const game *g, uint32_t pc, uint32_t upto)
{
    tail_code t = { .g = g, .seen = calloc(g->code_count + 1, 1) };
    if (!t.seen) abort();
    for (int steps = 0; pc != upto && steps < PLAN_STEPS_MAX; steps++) {
        t.seen[pc] = 1;
        pc = g->code[pc].op == OP_JUMP ? (uint32_t)g->code[pc].d : pc + 1;
    }
    const bool spares = pc == upto && marked_spares(&t);
    free(t.seen);
    return spares;
}
