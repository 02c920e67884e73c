/* Plans: items behind which one more choice may follow, and no two options can mean the same move (machine/branch.h).
 *
 * Who comes in first, if it is a drop, is the mover's. Every way behind the leg or drop ends the decision, or comes to
 *
 *     a drop     of a neutral piece, or of a kind that those who walk are not of,
 *     a pick     of a place whose piece is then taken, or where a neutral piece is placed, before anything is asked or else is done with pieces,
 *     an `else`  of two such ways, on which only registers change up to the choice,
 *
 * and behind that nothing is chosen or forbidden. On the way there pieces may be taken (the machine looks at whose they are), and whatever is not a
 * piece may change; nothing else may happen to pieces. */
#include <stdlib.h>
#include "plan.h"

typedef struct { const game *g; const plan_item *item; uint8_t *seen; bool takes, turns; } branches;

/* Changes no piece's place, owner or kind. */
static bool leaves_pieces(int op)
{
    switch ((opcode)op) {
    case OP_RULE: case OP_SETTLE: case OP_FLAG: case OP_SET: case OP_SET_AT: case OP_SET_FIELD: case OP_TURN_COUNT: case OP_ALWAYS_NOTE: case OP_TURN_KEY: return true;
    default: return op <= OP_BAG_HOLDS;
    }
}

/* The piece at the place picked goes, or a neutral one comes there. */
static bool marks_place(const ins *i, int place)
{
    return i->a == place && i->b == 65535 && (i->op == OP_TAKE || (i->op == OP_PLACE && i->c == 65535 && i->e == 1));
}

/* The straight code behind a pick does so, and nothing else happens to pieces up to the end. */
static bool marks_picked(const game *g, uint32_t pick)
{
    int place = -1;
    bool marked = false;
    for (uint32_t pc = pick + 1; pc < pick + 40; pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (plan_is_end(i->op)) return marked;
        if (i->op == OP_S_PLACE && i->b == g->code[pick].a) { place = i->a; continue; }
        if (!marked && marks_place(i, place)) { marked = true; continue; }
        if (!leaves_pieces(i->op) || (i->op <= OP_MOVER && i->a == g->code[pick].a) || (i->op >= OP_S_AND && i->op <= OP_S_EDGE && i->a == place)) return false;
    }
    return false;
}

/* Nothing happens to pieces on any way from here to the end. */
static bool quiet_behind(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (plan_is_end(i->op)) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if (!quiet_behind(g, (uint32_t)i->d, seen)) return false; continue; }
        if (!leaves_pieces(i->op)) return false;
    }
}

static bool drops_apart(const branches *b, const ins *i, uint32_t pc)
{
    if (i->e != 1 || (i->b != 65535 && (!b->item->kinds || b->item->kinds >> b->g->lists[i->d] & 1))) return false;
    uint8_t *seen = calloc(b->g->code_count + 1, 1);
    if (!seen) abort();
    const bool quiet = quiet_behind(b->g, pc + 1, seen);
    free(seen);
    return quiet;
}

static bool last_choice(const branches *b, const ins *i, uint32_t pc)
{
    if (tail_choices(b->g, pc + 1) != PLAN_CLEAN) return false;
    if (i->op == OP_DROP) return drops_apart(b, i, pc);
    return i->op == OP_PICK && !(i->d & 1) && marks_picked(b->g, pc);
}

static bool way_branches(branches *b, uint32_t pc);

static bool else_branches(branches *b, const ins *i, uint32_t pc)
{
    uint8_t *seen = calloc(b->g->code_count + 1, 1);
    if (!seen) abort();
    const bool pure = entry_pure(b->g, pc + 1, seen) && entry_pure(b->g, (uint32_t)i->d, seen);
    free(seen);
    return pure && way_branches(b, pc + 1) && way_branches(b, (uint32_t)i->d);
}

static bool way_branches(branches *b, uint32_t pc)
{
    for (;; pc++) {
        if (b->seen[pc]) return true;
        b->seen[pc] = 1;
        const ins *i = &b->g->code[pc];
        if (i->op == OP_ELSE) return else_branches(b, i, pc);
        if (plan_is_choice(i->op)) return last_choice(b, i, pc);
        if (plan_is_end(i->op)) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) { if (!way_branches(b, (uint32_t)i->d)) return false; continue; }
        b->takes |= i->op == OP_TAKE;
        b->turns |= i->op == OP_MOVER;
        if (i->op != OP_TAKE && !leaves_pieces(i->op)) return false;
    }
}

static bool item_branches(const game *g, const plan_item *item)
{
    branches b = { .g = g, .item = item, .seen = calloc(g->code_count + 1, 1) };
    if (!b.seen) abort();
    const bool yes = way_branches(&b, item->entry) && !(b.takes && b.turns);
    free(b.seen);
    return yes;
}

/* Do the drops of a plan bring the mover's pieces? Those of nobody and of others could not be told from what comes and goes behind them. */
static bool drops_own(const game *g, int index)
{
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++)
        if (g->code[pc].op == OP_DROP && g->code[pc].c == index + 1 && g->code[pc].b != g->num_base + H_MOVER) return false;
    return true;
}

/* Where not all that is chosen first branches, decisions would be listed all the same. */
void branches_find(game *g)
{
    bool all = g->pile_max <= 1, some = false;
    for (int k = 0; k < g->plan_count && all; k++)
        for (int j = 0; j < g->plans[k].count && all; j++) {
            const plan_item *x = &g->plan_items[g->plans[k].first + j];
            if (x->tail != PLAN_TREE) continue;
            all = x->entry && !g->plans[k].pair_count && !x->twin && !x->second && !x->pass && !x->origins && !x->options && (!x->drop || drops_own(g, k)) && item_branches(g, x);
            some = true;
        }
    for (int k = 0; k < g->plan_item_count && all && some; k++) g->plan_items[k].branches = g->plan_items[k].tail == PLAN_TREE;
}
