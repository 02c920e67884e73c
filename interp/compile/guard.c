/* Picks of a walker for which there is no plan: what the first condition behind them asks, if it does not ask about the walker.
 *
 *     pick here in own K, when any own castles and not here in unsafe, ...
 *
 * Where no piece has the flag, nobody need be tried. The instructions up to the condition's jump are copied; the plan has no items, and
 * says where the copy is and which number decides. */
#include <stdlib.h>
#include "plan.h"

enum { GUARD_MOST = 16 };

static bool asks_walker(const game *g, const ins *i, int walker)
{
    const int here = g->num_base + H_HERE, start = g->num_base + H_START;
    const bool sets = i->op >= OP_COUNT;                /* operands b and c are sets */
    if (sets) return i->b == SET_PASSED || i->c == SET_PASSED;
    return i->b == here || i->c == here || i->b == start || i->c == start || i->b == walker || i->c == walker;
}

static bool may_stand_first(const game *g, const ins *i, int walker)
{
    switch ((opcode)i->op) {
    case OP_MOVE: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_COUNT: case OP_ANY: case OP_NO: case OP_MEETS:
        return i->a < g->num_base && !asks_walker(g, i, walker);
    case OP_S_AND: case OP_S_OR: case OP_S_ANDN: case OP_S_COPY: return !asks_walker(g, i, walker);
    default: return false;
    }
}

static bool fails(const game *g, uint32_t pc)
{
    for (int steps = 0; steps < 20 && g->code[pc].op == OP_JUMP; steps++) pc = (uint32_t)g->code[pc].d;
    return g->code[pc].op == OP_FAIL;
}

void plan_guard(compiler *c, uint32_t pick)
{
    game *g = c->g;
    const int walker = g->code[pick].a;
    uint32_t copied[GUARD_MOST], pc = pick + 1;
    int n = 0;
    for (;; pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_RULE) continue;
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) break;
        if (n == GUARD_MOST || !may_stand_first(g, i, walker)) return;
        copied[n++] = pc;
    }
    const ins jump = g->code[pc];
    const bool no = jump.op == OP_JUMP_NO;
    if (!n || jump.a == walker || !(no ? fails(g, (uint32_t)jump.d) : fails(g, pc + 1))) return;
    const plan guarded = { .guard_pc = g->code_count, .guard = jump.a };
    for (int k = 0; k < n; k++) { const ins copy = g->code[copied[k]]; g->code[emit(c, OP_RETURN, 0, 0, 0, 0, 0)] = copy; }
    emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    g->code[pick].e = keep_plan(g, guarded, NULL, 0);
}

/* The rules that take otherwise than by landing need not be tried where their legs lead to cells with a flag, and no cell has it. */
void wakes_finish(compiler *c)
{
    enum { WAKES_MOST = 32 };
    game *g = c->g;
    int32_t flags[WAKES_MOST];
    int n = 0;
    g->wake_count = 0;
    for (uint32_t pc = g->attack_probe; pc && pc < g->attack_end; pc++) {
        const ins *i = &g->code[pc];
        if (i->op != OP_PICK) continue;
        if (!(i->d & 1) || !i->e || !g->plans[i->e - 1].count || g->plan_items[g->plans[i->e - 1].first].options) return;
        for (int j = 0; j < g->plans[i->e - 1].count; j++) {
            const int target = g->legs[g->plan_items[g->plans[i->e - 1].first + j].leg].target;
            if (target < g->flag_first || target >= g->flag_first + g->flag_count || n == WAKES_MOST) return;
            flags[n++] = target;
        }
    }
    g->wakes = list_add(c, flags, n);
    g->wake_count = n;
}
