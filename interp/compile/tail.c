/* Plans: what follows a first choice. Whether further choices come, whether a filter may forbid it, whether it changes anything that
 * `attacked` looks at, and where it first asks where the walker stands. See plan.c. */
#include <stdlib.h>
#include "plan.h"

bool plan_is_choice(int op)
{
    return op == OP_ALT || op == OP_ELSE || (op >= OP_PICK && op <= OP_DROP_FROM) || op == OP_LOOP || op == OP_FLOOD || op == OP_PREFER_FROM || op == OP_STUCK;
}

bool plan_is_end(int op) { return op == OP_LEGAL || op == OP_COMMIT || (op >= OP_ROLL && op <= OP_RANDOM_KIND) || op == OP_FAIL || op == OP_RETURN || op == OP_CAN_DONE || op == OP_FAULT || op == OP_SETUP_DONE || op == OP_TURN_DONE; }

/* What may follow, at worst. */
static int worst(const game *g, uint32_t pc, uint8_t *seen, int *steps)
{
    int result = PLAN_CLEAN;
    for (;; pc++) {
        if (++*steps > PLAN_STEPS_MAX) return PLAN_TREE;
        if (seen[pc]) return result;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (plan_is_choice(i->op)) return PLAN_TREE;
        if (i->op == OP_FAIL || i->op == OP_FAULT) return PLAN_TEST;
        if (i->op == OP_LOOP_SEEN || i->op == OP_FLOOD_SEEN || i->op == OP_BODY_END || i->op == OP_PREFER) return PLAN_TREE;
        if (i->op == OP_RESULT) return PLAN_TEST;
        if (plan_is_end(i->op)) return result;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) {
            int other = worst(g, (uint32_t)i->d, seen, steps);
            if (other > result) result = other;
            if (result == PLAN_TREE) return result;
        }
    }
}

int tail_choices(const game *g, uint32_t pc)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    int steps = 0;
    if (!seen) abort();
    int k = worst(g, pc, seen, &steps);
    free(seen);
    return k;
}

int tail_class(const game *g, uint32_t pc)
{
    const int k = tail_choices(g, pc);
    return k != PLAN_TREE && !tail_spares(g, pc) ? PLAN_TREE : k;
}

/* Does the code of `attacked` look at this plane? */
static bool attack_reads(const game *g, int plane)
{
    for (uint32_t pc = g->attack_begin; pc < g->attack_end; pc++) {
        const ins *i = &g->code[pc];
        if (i->op >= OP_S_AND && i->op <= OP_S_EDGE && (i->b == plane || i->c == plane)) return true;
        if ((i->op >= OP_COUNT && i->op <= OP_FIRST) && (i->b == plane || i->c == plane)) return true;
        if (i->op == OP_STEP && (g->legs[i->a].target == plane)) return true;
        if (i->op == OP_PICK && i->b == plane) return true;
    }
    for (int i = 0; i < g->attack_count; i++) if (g->attacks[i].target == plane || g->attacks[i].from == plane) return true;
    return false;
}

static bool attack_reads_fields(const game *g)
{
    for (uint32_t pc = g->attack_begin; pc < g->attack_end; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_GET || op == OP_SUM || op == OP_MOST || op == OP_LEAST || (op >= OP_S_FIELD && op <= OP_S_FIELDS) || op == OP_LOAD || op == OP_REPEATS || op == OP_SINCE) return true;
        if (op <= OP_CHOOSE && (g->code[pc].b >= g->num_base + H_COUNT || g->code[pc].c >= g->num_base + H_COUNT)) return true;
    }
    return false;
}

/* This instruction changes nothing that `attacked` looks at. Flags that it takes back must be empty when this is used. */
static bool quiet_op(const game *g, const ins *i)
{
    if (i->op == OP_FLAG) return !i->c || !attack_reads(g, g->keeps[i->d].where);
    return i->op <= OP_BAG_HOLDS || i->op == OP_RULE || i->op == OP_CAN || i->op == OP_SETTLE || i->op == OP_AGAIN;
}

/* The same of the straight way from a leg to the test that splits its item. */
bool tail_quiet_to_split(const game *g, uint32_t pc)
{
    for (int steps = 0; steps < 60; steps++, pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (!quiet_op(g, i)) return false;
    }
    return false;
}

/* What follows the leg changes nothing that `attacked` looks at. */
static bool quiet_tail(const game *g, uint32_t pc, uint8_t *seen, bool counted)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (i->op == OP_LEGAL) return true;
        if (i->op == OP_FAIL) return counted;       /* the filter itself; a guard of the rule is another matter */
        if (i->op == OP_TURN_COUNT) { counted = true; continue; }
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) { if (!quiet_tail(g, (uint32_t)i->d, seen, counted)) return false; continue; }
        if (!quiet_op(g, i)) return false;
    }
}

bool tail_quiet(const game *g, uint32_t tail)
{
    if (!g->shield || attack_reads_fields(g)) return false;
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    bool quiet = quiet_tail(g, tail, seen, false);
    free(seen);
    return quiet;
}

/* The first test of `here` against a constant set after a leg, if what is done up to there leaves the piece where it is: where the test leads for
 * places of the set and for others. */
bool tail_split(const game *g, uint32_t pc, int *set, uint32_t *inside, uint32_t *outside)
{
    const uint32_t from = pc;
    int reg = -1;
    for (int steps = 0; steps < 40; steps++, pc++) {
        const ins *i = &g->code[pc];
        if (plan_is_choice(i->op) || plan_is_end(i->op) || i->op == OP_LOOP_SEEN || i->op == OP_HERE) return false;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_HOLDS && i->b == g->num_base + H_HERE && i->c >= g->const_first) { reg = i->a; *set = i->c; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) {
            if (i->a != reg || !way_spares(g, from, pc)) return false;
            *inside = i->op == OP_JUMP_NO ? pc + 1 : (uint32_t)i->d;
            *outside = i->op == OP_JUMP_NO ? (uint32_t)i->d : pc + 1;
            return true;
        }
    }
    return false;
}

/* Does no piece become of another kind or owner from here on, and none come by itself? */
static bool kinds_stay(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (i->op == OP_BECOME_KIND || i->op == OP_BECOME_OWNER || i->op == OP_PLACE || i->op == OP_RANK || plan_is_choice(i->op)) return false;
        if (plan_is_end(i->op)) return true;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if ((i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) && !kinds_stay(g, (uint32_t)i->d, seen)) return false;
    }
}

/* The next instruction on a straight way, past those that do nothing. */
static uint32_t next_straight(const game *g, uint32_t pc)
{
    while (g->code[pc].op == OP_RULE || (g->code[pc].op == OP_JUMP && (uint32_t)g->code[pc].d > pc)) pc = g->code[pc].op == OP_JUMP ? (uint32_t)g->code[pc].d : pc + 1;
    return pc;
}

uint32_t tail_becomes(const game *g, uint32_t behind, uint32_t pc)
{
    int steps = 0;
    if (!tail_spares(g, behind)) return 0;
    for (pc = next_straight(g, pc); g->code[pc].op != OP_PICK_KIND; pc = next_straight(g, pc + 1)) {
        const ins *i = &g->code[pc];
        if (++steps > 40 || plan_is_choice(i->op) || plan_is_end(i->op) || i->op == OP_JUMP || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP || i->op == OP_LOOP_SEEN ||
            i->op == OP_RESULT || i->op == OP_BODY_END || i->op == OP_HERE || i->op == OP_PREFER) return 0;
    }
    const uint32_t place = next_straight(g, pc + 1), become = next_straight(g, place + 1);
    if (g->code[place].op != OP_S_PLACE || g->code[place].b != g->num_base + H_HERE) return 0;
    if (g->code[become].op != OP_BECOME_KIND || g->code[become].a != g->code[place].a || g->code[become].b != g->code[pc].a) return 0;
    if (tail_class(g, pc + 1) == PLAN_TREE) return 0;
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    const bool stays = kinds_stay(g, become + 1, seen);
    free(seen);
    return stays ? pc : 0;
}
