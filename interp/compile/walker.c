/* What is still asked of the walker: before which instructions `here`, `start` and `passed` may be read before they are made anew. Where a
 * decision ends inside a turn, two runs that differ in nothing else are one move (game.live[].walk).
 *
 * The same analysis as flow_live, of three bits. What an instruction does to them is in its notation where they are operands, and here
 * where it goes without saying. */
#include <stdlib.h>
#include "arena.h"
#include "flow.h"

enum { ALL = WALK_HERE | WALK_START | WALK_PASSED };

static uint8_t asked_by_operands(const game *g, const ins *i)
{
    return (uint8_t)((flow_reads_number(i, g->num_base + H_HERE) ? WALK_HERE : 0) | (flow_reads_number(i, g->num_base + H_START) ? WALK_START : 0)
                     | (flow_reads_set(i, SET_PASSED) ? WALK_PASSED : 0));
}

static uint8_t asked_by_leg(const game *g, const leg *l)
{
    uint8_t asked = WALK_HERE | (l->target == SET_PASSED ? WALK_PASSED : 0);
    for (int k = 0; k < l->pattern_count; k++) if (g->patterns[l->pattern + k].set == SET_PASSED) asked |= WALK_PASSED;
    return asked;
}

static uint8_t asked(const game *g, const ins *i)
{
    const uint8_t operands = asked_by_operands(g, i);
    switch ((opcode)i->op) {
    case OP_RETURN: return ALL;
    case OP_STEP: return operands | asked_by_leg(g, &g->legs[i->a]);
    case OP_FLOOD: case OP_FLOOD_SEEN: case OP_SOW: return operands | WALK_HERE;
    default: return operands;
    }
}

static uint8_t made(const ins *i)
{
    switch ((opcode)i->op) {
    case OP_PICK: return i->d & 1 ? ALL : 0;
    case OP_DROP: case OP_DROP_FROM: case OP_HERE: return ALL;
    case OP_STEP: return WALK_HERE | WALK_PASSED;
    default: return 0;
    }
}

/* What the straight code that writes a rule's moves reads. */
static uint8_t asked_by_text(const game *g, uint32_t pc)
{
    uint8_t all = 0;
    for (; pc < g->code_count && g->code[pc].op != OP_RETURN; pc++) all |= asked(g, &g->code[pc]);
    return all;
}

void walker_find(arena *a, game *g)
{
    g->live = arena_alloc(a, (size_t)(g->code_count + 1) * sizeof *g->live);
    uint8_t *before = calloc(g->code_count + 1, 1);
    if (!before) abort();
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = g->code_count; pc-- > 0;) {
            const ins *i = &g->code[pc];
            uint32_t next[64];
            uint8_t behind = 0;
            for (int n = flow_successors(g, pc, next, 64); n-- > 0;) behind |= before[next[n]];
            const uint8_t now = (uint8_t)((behind & ~made(i)) | asked(g, i) | (i->op == OP_RULE && i->a ? asked_by_text(g, (uint32_t)i->d) : 0));
            changed |= now != before[pc];
            before[pc] = now;
        }
    }
    for (uint32_t pc = 0; pc < g->code_count; pc++) g->live[pc] = (live_registers){ .walk = pc ? before[pc] : ALL };
    free(before);
}
