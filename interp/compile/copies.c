/* Copies of the state: which choices need none at once.
 *
 * Options are tried one after the other, each from the same state. Often an option comes to nothing before it has changed any more than
 * registers: the place picked has no leg, the condition of a rule does not hold. So where each way from a choice leads through straight
 * code that changes registers alone, and none that the choice's options begin with, to a further choice or to where the run fails, the
 * machine keeps its copy of the state only at that further choice (machine/choose.h). Choices that move a piece change more than registers
 * themselves. */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "flow.h"

static bool tries_options(int op) { return op == OP_ALT || op == OP_ELSE || (op >= OP_PICK && op <= OP_DROP_FROM); }

/* What is written between a pick and a leg that may be the last is written without a copy, too (machine/last.h). */
static void written_to_leg(const game *g, uint32_t pick, flow *written)
{
    for (uint32_t pc = pick; pc < pick + g->code[pick].c; pc++) {
        flow reads, writes;
        flow_of(g, &g->code[pc], &reads, &writes);
        flow_join(written, &writes);
    }
}

/* From pc on: only registers are changed up to a choice; `written` gains those. */
static bool leads_to_choices(const game *g, uint32_t pc, uint8_t *seen, flow *written)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (i->op == OP_PICK) written_to_leg(g, pc, written);
        if (tries_options(i->op) || i->op == OP_FAIL) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if (!leads_to_choices(g, (uint32_t)i->d, seen, written)) return false; continue; }
        if (!flow_only_registers(i) || i->op == OP_S_ATTACKED || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
        flow reads, writes;
        flow_of(g, i, &reads, &writes);
        flow_join(written, &writes);
    }
}

/* The last of several ways need not leave the state as it is. */
static bool is_lazy(const game *g, uint32_t pc, const flow *live, uint8_t *seen)
{
    const ins *i = &g->code[pc];
    flow written = { { 0 }, { 0 } };
    if (i->op != OP_ALT && (i->op < OP_PICK || i->op > OP_PICK_BAG)) return false;
    memset(seen, 0, g->code_count);
    if (i->op == OP_ALT) {
        for (int j = 0; j + 1 < i->e; j++) if (!leads_to_choices(g, (uint32_t)g->lists[i->d + j], seen, &written)) return false;
        return !flow_meets(&written, &live[pc]);
    }
    return leads_to_choices(g, pc + 1, seen, &written) && !flow_meets(&written, &live[pc + 1]);
}

/* Does every way from pc on change registers alone, up to where the run fails, to a pick of a place, to a leg or to a preference? `asks`: one of them
 * comes to more than a leg. */
static bool leads_to_answers(const game *g, uint32_t pc, uint8_t *seen, flow *written, bool *asks)
{
    for (; !seen[pc]; pc++) {
        const ins *i = &g->code[pc];
        seen[pc] = 1;
        if (i->op == OP_FAIL || i->op == OP_PICK || i->op == OP_PREFER) { *asks = true; return true; }
        if (i->op == OP_STEP) return true;
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if ((uint32_t)i->d <= pc || !leads_to_answers(g, (uint32_t)i->d, seen, written, asks)) return false; continue; }
        if (!flow_only_registers(i) || i->op == OP_JUMP || i->op == OP_S_ATTACKED || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
        flow reads, writes;
        flow_of(g, i, &reads, &writes);
        flow_join(written, &writes);
    }
    return true;
}

/* Which alternatives can be asked whether they lead on, with registers that nobody else wants, before any is tried (machine/choose.h)? */
static void note_asked(game *g, const flow *live, uint8_t *seen)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (i->op != OP_ALT) continue;
        i->b = 0;
        for (int j = 0; j < i->e && j < 16; j++) {
            flow written = { { 0 }, { 0 } };
            bool asks = false;
            memset(seen, 0, g->code_count);
            if (leads_to_answers(g, (uint32_t)g->lists[i->d + j], seen, &written, &asks) && asks && !flow_meets(&written, &live[pc])) i->b |= (uint16_t)(1u << j);
        }
    }
}

void copies_finish(arena *a, game *g, const flow *live)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    note_asked(g, live, seen);
    g->lazy = arena_alloc(a, (g->code_count + 1) * sizeof *g->lazy);
    for (uint32_t pc = 0; pc < g->code_count; pc++) g->lazy[pc] = is_lazy(g, pc, live, seen);
    free(seen);
}
