/* Loops that sow: what is done for each of a run of numbers is to go one on along a track and to add to a number kept of the cell there.
 *
 *     head    t := hi < i, if t go to done            becomes     head    SOW i .. hi along R, keep += x
 *             r := R of here, here := r, s := { here }                    (go to done)
 *             keep of s += x
 *             i := i + 1, go to head
 *     done
 *
 * if nobody jumps into it, and none of i t r s is wanted behind it. */
#include <stdlib.h>
#include "compile.h"
#include "flow.h"

enum { LOOP_LENGTH = 8 };

static bool wanted_number(const game *g, const flow *live, int operand)
{
    const int r = operand - g->num_consts;
    return r < 0 || r >= g->num_regs || (live->numbers[r / 64] >> (r % 64) & 1);
}

static bool wanted_set(const game *g, const flow *live, int operand)
{
    const int r = operand - g->reg_first;
    return r < 0 || r >= g->set_regs || (live->sets[r / 64] >> (r % 64) & 1);
}

static bool is_one(const game *g, int operand) { return operand < g->num_consts && g->const_num[operand] == 1; }

static bool sows(const game *g, uint32_t pc, const flow *live)
{
    const ins *i = &g->code[pc];
    const int here = g->num_base + H_HERE, count = i[0].c;
    static const int ops[LOOP_LENGTH] = { OP_LT, OP_JUMP_YES, OP_STEP_FROM, OP_HERE, OP_S_PLACE, OP_SET, OP_ADD, OP_JUMP };
    for (int k = 0; k < LOOP_LENGTH; k++) if (i[k].op != ops[k]) return false;
    const relation *r = &g->relations[i[2].d];
    const keep *k = &g->keeps[i[5].d];
    const bool steps = i[2].b == here && i[2].e < 0 && r->reg < 0 && r->times < 0 && i[3].a == i[2].a && i[4].b == here;
    const bool adds = i[5].a == i[4].a && i[5].e == 1 && k->of == KEEP_CELL && k->type == KEEP_NUMBER && i[5].b != here && i[5].b != count && i[5].b != i[2].a && i[5].b != i[0].a;
    const bool turns = i[1].a == i[0].a && i[6].a == count && i[6].b == count && is_one(g, i[6].c) && (uint32_t)i[7].d == pc && i[0].b != count && i[0].b != here && i[0].b != i[2].a;
    for (int q = 0; q < g->player_count; q++) if (__builtin_popcountll(r->mask[q]) != 1 || g->dirs[__builtin_ctzll(r->mask[q])].graph) return false;
    const flow *then = &live[i[1].d];
    return steps && adds && turns && !wanted_number(g, then, count) && !wanted_number(g, then, i[0].a) && !wanted_number(g, then, i[2].a) && !wanted_set(g, then, i[4].a);
}

void loops_that_sow(game *g, bool *gone, const bool *target)
{
    if (!flow_has(g, OP_STEP_FROM)) return;
    flow *live = flow_live(g);
    for (uint32_t pc = 0; pc + LOOP_LENGTH <= g->code_count; pc++) {
        ins *i = &g->code[pc];
        bool entered = false;
        if (!sows(g, pc, live)) continue;
        for (uint32_t k = 1; k < LOOP_LENGTH; k++) entered |= target[pc + k];
        if (entered) continue;
        i[0] = (ins){ .op = OP_SOW, .a = i[0].c, .b = i[0].b, .c = i[5].b, .d = i[2].d, .e = i[5].d };
        i[1].op = OP_JUMP;
        i[1].a = 0;
        for (uint32_t k = 2; k < LOOP_LENGTH; k++) gone[pc + k] = true;
    }
    free(live);
}
