/* Legs whose way nobody asks for: behind them `passed` is not read before it is made anew or the turn is over. The machine then need not
 * note what they pass, nor know along which direction a drawn target lies. */
#include <stdlib.h>
#include "compile.h"
#include "flow.h"

static bool leg_reads_passed(const game *g, const leg *l)
{
    for (int i = 0; i < l->pattern_count; i++) if (g->patterns[l->pattern + i].set == SET_PASSED) return true;
    return l->target == SET_PASSED;
}

static bool code_reads_passed(const game *g, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to; pc++) {
        const ins *i = &g->code[pc];
        if (flow_reads_set(i, SET_PASSED) || (i->op == OP_STEP && leg_reads_passed(g, &g->legs[i->a]))) return true;
    }
    return false;
}

static bool asked_from(const game *g, uint32_t pc, uint8_t *seen);

/* Where else the instruction may lead. */
static bool asked_aside(const game *g, const ins *i, uint8_t *seen)
{
    switch ((opcode)i->op) {
    case OP_JUMP_NO: case OP_JUMP_YES: case OP_ELSE: case OP_S_POP: case OP_LOOP_SEEN: case OP_FLOOD_SEEN: case OP_STUCK: case OP_CAN: case OP_BODY_END: return asked_from(g, (uint32_t)i->d, seen);
    case OP_RULE: return i->a && asked_from(g, (uint32_t)i->d, seen);
    case OP_RESULT: return asked_from(g, (uint32_t)i->e, seen);
    case OP_ALT: for (int j = 0; j < i->e; j++) if (asked_from(g, (uint32_t)g->lists[i->d + j], seen)) return true; return false;
    default: return false;
    }
}

/* Is `passed` read from here on before it is made anew? */
static bool asked_from(const game *g, uint32_t pc, uint8_t *seen)
{
    for (; pc < g->code_count && !seen[pc]; pc++) {
        const ins *i = &g->code[pc];
        seen[pc] = 1;
        if (flow_reads_set(i, SET_PASSED)) return true;
        if (asked_aside(g, i, seen)) return true;
        switch ((opcode)i->op) {
        case OP_STEP: return leg_reads_passed(g, &g->legs[i->a]);
        case OP_PICK: if (i->d & 1) return false; break;
        case OP_DROP: case OP_DROP_FROM: case OP_HERE: case OP_ALT: case OP_FAIL: case OP_FAULT: case OP_RETURN: case OP_CAN_DONE: case OP_TURN_DONE: case OP_SETUP_DONE: return false;
        case OP_JUMP: pc = (uint32_t)i->d - 1; break;
        default: break;
        }
    }
    return false;
}

void passed_finish(game *g)
{
    bool always = code_reads_passed(g, g->attack_begin, g->attack_end);
    for (int i = 0; i < g->check_count; i++)
        for (uint32_t pc = g->checks[i].pc; pc && pc < g->code_count && g->code[pc].op != OP_RETURN; pc++) always |= code_reads_passed(g, pc, pc + 1);
    if (!g->uses_passed) for (int k = 0; k < g->leg_count; k++) g->legs[k].silent = true;
    if (always || !g->uses_passed) return;
    uint8_t *seen = malloc(g->code_count + 1);
    if (!seen) abort();
    for (int k = 0; k < g->leg_count; k++) {
        bool asked = false, some = false;
        for (uint32_t pc = 0; pc < g->code_count && !asked; pc++) {
            if (g->code[pc].op != OP_STEP || g->code[pc].a != k) continue;
            for (uint32_t x = 0; x <= g->code_count; x++) seen[x] = 0;
            asked = asked_from(g, pc + 1, seen);
            some = true;
        }
        g->legs[k].silent = some && !asked;
    }
    free(seen);
}
