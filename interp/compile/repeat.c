/* Repetitions: what the machine need not try or compare.
 *
 *     LOOP.c = 1      the body takes pieces: as long as each turn of it took some, no situation can come back, and none is compared
 *     STUCK.c = 1     up to the legs of the body only registers change, and none that is wanted later: whether it can go on is looked up
 *                     without a copy of the state; STEP.b = 1: behind this leg nothing can forbid the body any more
 *
 * A repetition with a decision in every turn of it is not noted at all (tidy.c): situations are compared within a decision only. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"

/* From pc on: only registers are changed before the legs; `written` gains those. */
static bool leads_to_legs(const game *g, uint32_t pc, uint8_t *seen, flow *written)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (i->op == OP_STEP || i->op == OP_FAIL) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if (!leads_to_legs(g, (uint32_t)i->d, seen, written)) return false; continue; }
        if (!flow_only_registers(i) || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
        flow reads, writes;
        flow_of(g, i, &reads, &writes);
        flow_join(written, &writes);
    }
}

/* Behind a leg: straight on to the end of the body, with nothing that could forbid it. */
static bool surely_ends(const game *g, uint32_t pc)
{
    for (int steps = 0; steps < 200; steps++, pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_BODY_END) return true;
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (!flow_only_registers(i) && i->op != OP_TAKE && i->op != OP_SETTLE) return false;
    }
    return false;
}

static bool takes(const game *g, uint32_t begin)
{
    for (uint32_t pc = begin + 1; pc < g->code_count; pc++) {
        if (g->code[pc].op == OP_TAKE) return true;
        if (g->code[pc].op == OP_LOOP_SEEN && g->code[pc].c == g->code[begin].d) return false;
    }
    return false;
}

/* Can the code behind `from` come to the end of the body of repetition id without a decision being made? */
static bool comes_round(const game *g, uint32_t from, int id, uint8_t *seen, uint32_t *left)
{
    int n = 0;
    memset(seen, 0, g->code_count + 1);
    for (left[n++] = from + 1; n;) {
        const uint32_t pc = left[--n];
        const ins *i = &g->code[pc];
        if (seen[pc] == 1 || i->op == OP_COMMIT) continue;
        seen[pc] = 1;
        if (i->op == OP_LOOP_SEEN && i->c == id) return true;
        uint32_t next[64];
        const int more = flow_successors(g, pc, next, 64);
        if (more == 64) return true;
        for (int j = 0; j < more; j++) if (!seen[next[j]]) { seen[next[j]] |= 2; left[n++] = next[j]; }
    }
    return false;
}

bool repetition_idle(const game *g, uint32_t pc)
{
    const ins *i = &g->code[pc];
    if ((i->op != OP_LOOP && i->op != OP_LOOP_SEEN) || g->code_count > FLOW_CODE_MAX) return false;
    const int id = i->op == OP_LOOP ? i->d : i->c;
    uint8_t *seen = malloc(g->code_count + 1);
    uint32_t *left = malloc((g->code_count + 2) * sizeof *left);
    if (!seen || !left) abort();
    bool round = false;
    for (uint32_t from = 0; from < g->code_count && !round; from++) {
        const ins *x = &g->code[from];
        if ((x->op == OP_LOOP && x->d == id) || (x->op == OP_LOOP_SEEN && x->c == id)) round = comes_round(g, from, id, seen, left);
    }
    free(seen);
    free(left);
    return !round;
}

void repetitions_finish(game *g, const flow *live)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (i->op == OP_LOOP) i->c = takes(g, pc);
        if (i->op == OP_STEP) i->b = surely_ends(g, pc + 1);
        if (i->op != OP_STUCK) continue;
        flow written = { { 0 }, { 0 } };
        for (uint32_t k = 0; k < g->code_count; k++) seen[k] = 0;
        i->c = leads_to_legs(g, (uint32_t)i->d, seen, &written) && !flow_meets(&written, &live[pc + 1]);
    }
    free(seen);
}
