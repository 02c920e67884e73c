/* Last legs: picks of a walker behind whose leg nothing more is chosen, and nothing asks who walked or where to. The machine need not make such
 * moves to list them (machine/last.h): what they lead to differs in the walker's piece alone.
 *
 * Between the pick and the leg only registers may change, and there must be one leg. From the leg on every way is followed to the end of the
 * decision. What may depend on the walk are `here` and `start`, the register of the pick, what stands on cells and in zones, and all that is worked
 * out from these. It does not depend on the walk what was taken and lies apart: all walks are compared that take alike. No such number may be
 * asked or kept, and no piece may be moved but those taken. A pick out of a bag is where a walk may go on: it is a last one if the bag is
 * empty. Of alternatives one alone may end the decision. */
#include <stdlib.h>
#include <string.h>
#include "plan.h"

enum { BRANCHES_MAX = 40 };

/* What a set depends on: nothing (ALIKE); nothing, and it holds nothing but what was taken; the walk, but not as to what was taken; the walk. */
typedef enum { ALIKE, TAKEN, BOARD, WALK } depends;

typedef struct { uint64_t numbers[FLOW_REGISTERS / 64]; uint8_t sets[FLOW_REGISTERS]; } known;

typedef struct { const game *g; int gate, ends, steps; } search;

static bool is_taken(const game *g, int set)
{
    bool some = false, all = true;
    if (set < g->const_first) return false;
    for (int q = 0; q < g->player_count; q++)
        for (int p = 0; p < g->places; p++) {
            const bool has = g->const_set[q][(size_t)(set - g->const_first) * (size_t)g->words + (size_t)p / 64] >> (p % 64) & 1;
            some |= has;
            all &= !has || (p >= g->taken_first && p < g->taken_first + g->taken_slots);
        }
    return some && all;
}

static depends set_depends(const game *g, const known *k, int x)
{
    if (x >= g->const_first) return is_taken(g, x) ? TAKEN : ALIKE;
    if (x >= g->reg_first) return (depends)k->sets[x - g->reg_first];
    if (x >= g->flag_first && x < g->flag_first + g->flag_count) return ALIKE;
    return x == SET_PASSED ? WALK : BOARD;
}

static bool number_depends(const game *g, const known *k, int x)
{
    const int r = x - g->num_consts;
    if (r >= 0 && r < g->num_regs) return k->numbers[r / 64] >> (r % 64) & 1;
    return x == g->num_base + H_HERE || x == g->num_base + H_START || x == g->num_base + H_CONTENTS || x == g->num_base + H_UNDER;
}

/* Register a becomes a number that does or does not depend on the walk. False if that is none, but a number of the position. */
static bool number_made(const game *g, known *k, int a, bool on_walk)
{
    const int r = a - g->num_consts;
    if (r < 0 || r >= g->num_regs) return !on_walk;
    if (on_walk) k->numbers[r / 64] |= 1ull << (r % 64); else k->numbers[r / 64] &= ~(1ull << (r % 64));
    return true;
}

static bool number_op(const game *g, known *k, const ins *i)
{
    bool on_walk = true;
    switch ((opcode)i->op) {
    case OP_MOVE: case OP_NOT: case OP_BITS_COUNT: case OP_BIT_OF: case OP_LOWEST: case OP_NEXT: on_walk = number_depends(g, k, i->b); break;
    case OP_CHOOSE: on_walk = number_depends(g, k, i->b) || number_depends(g, k, i->c) || number_depends(g, k, i->d); break;
    case OP_COUNT: case OP_ANY: case OP_NO: case OP_FIRST: on_walk = set_depends(g, k, i->b) > TAKEN; break;
    case OP_MEETS: case OP_SUBSET: case OP_SAME: on_walk = set_depends(g, k, i->b) > TAKEN || set_depends(g, k, i->c) > TAKEN; break;
    case OP_HOLDS: on_walk = set_depends(g, k, i->c) > TAKEN || number_depends(g, k, i->b); break;
    case OP_LOAD: on_walk = number_depends(g, k, i->c); break;
    case OP_STORE: return !number_depends(g, k, i->b) && !number_depends(g, k, i->c);
    case OP_EVERYONE: on_walk = false; break;
    case OP_CLAMP: return true;
    default: on_walk = i->op > OP_LE || number_depends(g, k, i->b) || number_depends(g, k, i->c); break;
    }
    return number_made(g, k, i->a, on_walk);
}

static depends joined(depends b, depends c) { return b == c ? b : b <= TAKEN && c <= TAKEN ? ALIKE : b > c ? b : c; }

static bool set_op(const game *g, known *k, const ins *i)
{
    const int r = i->a - g->reg_first;
    if (r < 0 || r >= g->set_regs) return false;
    depends to = WALK;
    if (i->op >= OP_S_AND && i->op <= OP_S_CHOOSE && i->op != OP_S_NOT) {
        const depends b = set_depends(g, k, i->b), c = i->op == OP_S_COPY ? b : set_depends(g, k, i->c);
        const bool taken = b != WALK && c != WALK && (b == TAKEN || (c == TAKEN && i->op == OP_S_AND));
        if (i->op == OP_S_AND || i->op == OP_S_ANDN) to = taken ? TAKEN : joined(b, c);
        else to = i->op == OP_S_CHOOSE && number_depends(g, k, i->d) ? WALK : joined(b, c);
    }
    k->sets[r] = (uint8_t)to;
    return true;
}

static bool follow(search *s, const known *before, uint32_t pc, int depth);

/* Of alternatives one may end the decision. */
static bool alternatives(search *s, const known *k, const ins *i, int depth)
{
    int ending = 0;
    for (int j = 0; j < i->e; j++) {
        const int ends = s->ends;
        if (!follow(s, k, (uint32_t)s->g->lists[i->d + j], depth + 1)) return false;
        ending += s->ends > ends;
    }
    return ending <= 1;
}

static bool effect(const search *s, const known *k, const ins *i)
{
    switch ((opcode)i->op) {
    case OP_RULE: case OP_WRITE_TEXT: case OP_WRITE_CELLS: case OP_WRITE_NUMBER: case OP_MARK: case OP_TURN_COUNT: case OP_SETTLE: case OP_AGAIN: return true;
    case OP_PREFER: return !number_depends(s->g, k, i->b);
    case OP_SEND_ZONE: return set_depends(s->g, k, i->a) == TAKEN && !number_depends(s->g, k, i->b) && (i->d < 0 || !number_depends(s->g, k, i->d));
    default: return false;
    }
}

/* The numbers of bags do not depend on the walk, for nothing is put in. */
static bool bag_op(const game *g, known *k, const ins *i)
{
    if (i->op < OP_BAG_COUNT) return false;
    return number_made(g, k, i->a, i->op == OP_BAG_HOLDS && number_depends(g, k, i->b));
}

static bool follow(search *s, const known *before, uint32_t pc, int depth)
{
    known now = *before, *k = &now;
    for (;; pc++) {
        const game *g = s->g;
        const ins *i = &g->code[pc];
        if (++s->steps > PLAN_STEPS_MAX || depth > BRANCHES_MAX) return false;
        if (i->op == OP_FAIL) return true;
        if (i->op == OP_LEGAL) { s->ends++; return true; }
        if (i->op == OP_ALT) return alternatives(s, k, i, depth);
        if (i->op == OP_PICK_BAG) {
            if (s->gate >= 0 && s->gate != i->b) return false;
            s->gate = i->b;
            return true;
        }
        if (i->op == OP_JUMP) { if ((uint32_t)i->d <= pc) return false; pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) {
            if (number_depends(g, k, i->a) || (uint32_t)i->d <= pc || !follow(s, k, (uint32_t)i->d, depth + 1)) return false;
            continue;
        }
        const bool good = i->op < OP_MOVER ? number_op(g, k, i) : i->op >= OP_S_AND && i->op <= OP_S_EDGE ? set_op(g, k, i)
                        : i->op >= OP_BAG_CLEAR && i->op <= OP_BAG_HOLDS ? bag_op(g, k, i) : effect(s, k, i);
        if (!good) return false;
    }
}

/* Does the instruction ask where the walker stands? */
static bool asks_walker(const game *g, const ins *i, const ins *pick)
{
    flow reads, writes, walker = { { 0 }, { 0 } };
    const int r = pick->a - g->num_consts;
    flow_of(g, i, &reads, &writes);
    if (r >= 0 && r < g->num_regs) walker.numbers[r / 64] |= 1ull << (r % 64);
    const bool fields = i->op == OP_S_FIELDS || (i->op >= OP_GET && i->op <= OP_LEAST) || (i->op == OP_S_FIELD && g->fields[i->d].kind == FIELD_SUM);
    return flow_meets(&reads, &walker) || fields || flow_reads_number(i, g->num_base + H_HERE) || flow_reads_number(i, g->num_base + H_START) || flow_reads_set(i, SET_PASSED);
}

/* The way from a pick to its leg; 0 if it does more than change registers, or if there are several legs. */
static uint32_t leg_behind(const game *g, uint32_t pick, bool *asks)
{
    uint32_t furthest = pick + 1;
    for (uint32_t pc = pick + 1; pc < g->code_count && pc < pick + 60; pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_STEP) return furthest <= pc ? pc : 0;
        if (i->op == OP_FAIL) continue;
        if (i->op == OP_JUMP || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) {
            if ((uint32_t)i->d <= pc) return 0;
            if ((uint32_t)i->d > furthest) furthest = (uint32_t)i->d;
        } else if (!flow_only_registers(i) || i->op == OP_S_ATTACKED || i->op == OP_CAN || (i->op < OP_MOVER && i->a >= g->num_base)) return 0;
        *asks |= asks_walker(g, i, &g->code[pick]);
    }
    return 0;
}

/* Behind the leg what was written from the pick on depends on the walk. */
static void walk_begins(const game *g, known *k, uint32_t pick, uint32_t step)
{
    memset(k, 0, sizeof *k);
    for (uint32_t pc = pick; pc < step; pc++) {
        flow reads, writes;
        flow_of(g, &g->code[pc], &reads, &writes);
        for (int w = 0; w < FLOW_REGISTERS / 64; w++) k->numbers[w] |= writes.numbers[w];
        for (int r = 0; r < FLOW_REGISTERS; r++) if (writes.sets[r / 64] >> (r % 64) & 1) k->sets[r] = WALK;
    }
}

static void last_leg(game *g, uint32_t pick)
{
    bool asks = false;
    const uint32_t step = leg_behind(g, pick, &asks);
    if (!step || g->legs[g->code[step].a].place_only) return;
    search s = { .g = g, .gate = -1 };
    known k;
    walk_begins(g, &k, pick, step);
    if (!follow(&s, &k, step + 1, 0) || !s.ends) return;
    g->code[pick].c = (uint16_t)(step - pick);
    g->code[pick].d |= asks ? PICK_ASKS : 0;
    g->code[step].c = (uint16_t)(s.gate + 1);
}

void last_legs_find(game *g)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (i->op != OP_PICK) continue;
        i->c = 0;                   /* whom the plan was for */
        if (pc >= g->turn_pc && i->d & PICK_WALKER && !g->piece_keeps && !g->uses_passed) last_leg(g, pc);
    }
}
