/* Sets of one place that are made to be used once: what uses them takes the place itself.
 *
 *     { x } into r, images of r          S_NEAR: a row of the table of images
 *     { x } into r, S[b] without r       S_BUT
 *     { x } into r, a kept number of r   SET_AT
 *
 * Done last, when all that looks for such sets has found them (counted.c, apart.c, sow.c, spare.c); what made the set becomes a jump to the next
 * instruction, so that nothing needs another number. */
#include <stdlib.h>
#include "compile.h"
#include "flow.h"

static bool known_step(const game *g, const ins *i)
{
    const relation *r = &g->relations[i->d];
    return i->e < 0 && r->reg < 0 && r->times < 0 && r->images[0];
}

/* What an instruction becomes where its set r is the place in operand x; op FAIL if it stays. */
static ins with_place(const game *g, const ins *i, uint16_t r, uint16_t x)
{
    if (i->op == OP_S_IMAGE && i->b == r && known_step(g, i)) return (ins){ .op = OP_S_NEAR, .a = i->a, .b = x, .d = i->d };
    if (i->op == OP_S_ANDN && i->c == r && i->b != r) return (ins){ .op = OP_S_BUT, .a = i->a, .b = i->b, .c = x };
    if (i->op == OP_SET && i->a == r) return (ins){ .op = OP_SET_AT, .a = x, .b = i->b, .d = i->d, .e = i->e };
    return (ins){ .op = OP_FAIL };
}

static bool *targets(const game *g)
{
    bool *is = calloc(g->code_count + 1, sizeof *is);
    if (!is) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        uint32_t next[64];
        const int n = flow_successors(g, pc, next, 64);
        for (int j = 0; j < n; j++) if (next[j] != pc + 1) is[next[j]] = true;
    }
    return is;
}

static bool wanted(const game *g, const flow *f, int set)
{
    const int r = set - g->reg_first;
    return r < 0 || r >= g->set_regs || (f->sets[r / 64] >> (r % 64) & 1);
}

void single_places(game *g, const flow *live)
{
    bool *target = targets(g);
    for (uint32_t pc = 1; pc + 2 < g->code_count; pc++) {
        ins *i = &g->code[pc], *user = i + 1;
        if (i->op != OP_S_PLACE || target[pc + 1]) continue;
        const ins now = with_place(g, user, i->a, i->b);
        if (now.op == OP_FAIL || (wanted(g, &live[pc + 2], i->a) && !(now.op != OP_SET_AT && user->a == i->a))) continue;
        *user = now;
        *i = (ins){ .op = OP_JUMP, .d = (int32_t)pc + 1 };
    }
    free(target);
}
