/* Picks whose options can be asked first.
 *
 * Often a place is picked and then looked at: `pick c in hand, when worth(a, b, c) > 0, ...`. Where straight code that changes registers alone leads from
 * a pick to where the run fails or to the first that changes more, and nobody wants what those registers held, a machine can run it for each option
 * before it keeps a copy of anything, and try those alone that do not fail (machine/choose.h). A machine compiled for the game does. */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "flow.h"
#include "plan.h"

typedef struct { const game *g; uint8_t *seen; flow written; bool fails; } looker;

/* Instructions that change registers alone; what reads others than the position and registers is none of them. */
static bool asks(const game *g, const ins *i) { return flow_only_registers(i) && i->op != OP_S_ATTACKED && !(i->op < OP_MOVER && i->a >= g->num_base); }

/* Does every way from pc on come to where a run fails, or to code that changes more and chooses nothing at once? */
static bool leads_to_answers(looker *l, uint32_t pc)
{
    const game *g = l->g;
    for (; !l->seen[pc]; pc++) {
        const ins *i = &g->code[pc];
        l->seen[pc] = 1;
        if (i->op == OP_FAIL) { l->fails = true; return true; }
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if ((uint32_t)i->d <= pc || !leads_to_answers(l, (uint32_t)i->d)) return false; continue; }
        if (!asks(g, i)) { l->seen[pc] = TESTED_YES; return i->op != OP_JUMP && !plan_is_choice(i->op) && i->op != OP_PASS; }
        flow reads, writes;
        flow_of(g, i, &reads, &writes);
        flow_join(&l->written, &writes);
    }
    return true;
}

void tested_find(arena *a, game *g, const flow *live)
{
    looker l = { .g = g, .seen = calloc(g->code_count + 1, 1) };
    if (!l.seen) abort();
    g->tested = arena_alloc(a, (g->code_count + 1) * sizeof *g->tested);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        if (i->op != OP_PICK || i->d & 1 || i->c || i->e) continue;
        memset(l.seen, 0, g->code_count);
        memset(&l.written, 0, sizeof l.written);
        l.fails = false;
        if (!leads_to_answers(&l, pc + 1) || !l.fails || flow_meets(&l.written, &live[pc + 1])) continue;
        g->tested[pc] = TESTED_PICK;
        for (uint32_t at = pc + 1; at < g->code_count; at++) if (l.seen[at] == TESTED_YES) g->tested[at] = TESTED_YES;
    }
    free(l.seen);
}
