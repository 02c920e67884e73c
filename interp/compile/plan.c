/* Plans: how the first choices of a decision are taken for all pieces at once (machine/batch.h).
 *
 * A plan belongs to an instruction that picks the walker, or drops a piece. Looking along the code from there, every way to a first leg
 * is an item: the alternatives taken on the way, what must hold of the place it starts from (`here in S`), straight code to be run before
 * (it may not depend on the walker), the leg, and what follows it:
 *
 *     CLEAN   the run is legal, and nothing more is chosen: every target is a move
 *     TEST    nothing more is chosen, but a filter may forbid it
 *     TREE    further choices follow
 *
 * A target drawn is made by going on right behind its leg (plan_item.entry), if nothing that follows wants a register that was
 * written between the first choice and the leg: such registers hold what the last way looked at left in them. Else the way is
 * gone again from the first choice.
 *
 * A test of `here` against a constant set soon after the leg (a pawn on the last rank) splits the item in two. Where the code does
 * anything else before the leg, there is no plan, and the machine tries piece by piece. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"

enum { STEPS_MAX = 4000, ITEMS_MAX = PLAN_ITEMS_MAX, FEW = 8 };

typedef struct { int32_t alts[FEW], froms[FEW], conds[FEW], ops[64]; int alt_count, from_count, cond_count, op_count; } way;

typedef struct {
    game *g;
    compiler *c;
    plan_item items[ITEMS_MAX];
    int item_count;
    bool failed;
    uint64_t kinds;
    int steps;
    int32_t truths[64][2];      /* registers that hold `here in S`: register, set operand (| NEGATED) */
    int truth_count;
} planner;

enum { NEGATED = 1 << 20 };

static bool is_choice(int op)
{
    return op == OP_ALT || op == OP_ELSE || (op >= OP_PICK && op <= OP_DROP_FROM) || op == OP_LOOP || op == OP_FLOOD || op == OP_PREFER_FROM || op == OP_STUCK;
}

static bool is_end(int op) { return op == OP_LEGAL || op == OP_COMMIT || (op >= OP_ROLL && op <= OP_RANDOM_KIND) || op == OP_FAIL || op == OP_RETURN || op == OP_CAN_DONE || op == OP_FAULT || op == OP_SETUP_DONE || op == OP_TURN_DONE; }

/* What may follow, at worst. */
static int worst(const game *g, uint32_t pc, uint8_t *seen, int *steps)
{
    int result = PLAN_CLEAN;
    for (;; pc++) {
        if (++*steps > STEPS_MAX) return PLAN_TREE;
        if (seen[pc]) return result;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (is_choice(i->op)) return PLAN_TREE;
        if (i->op == OP_FAIL || i->op == OP_FAULT) return PLAN_TEST;
        if (i->op == OP_LOOP_SEEN || i->op == OP_FLOOD_SEEN || i->op == OP_BODY_END || i->op == OP_PREFER) return PLAN_TREE;
        if (i->op == OP_RESULT) return PLAN_TEST;
        if (is_end(i->op)) return result;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) {
            int other = worst(g, (uint32_t)i->d, seen, steps);
            if (other > result) result = other;
            if (result == PLAN_TREE) return result;
        }
    }
}

static int tail_class(const game *g, uint32_t pc)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    int steps = 0;
    if (!seen) abort();
    int k = worst(g, pc, seen, &steps);
    free(seen);
    return k;
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
static bool quiet_way(const game *g, uint32_t pc)
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

static bool is_quiet(const game *g, uint32_t tail)
{
    if (!g->shield || attack_reads_fields(g)) return false;
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    bool quiet = quiet_tail(g, tail, seen, false);
    free(seen);
    return quiet;
}

/* The first test of `here` against a constant set after a leg: where it leads for places of the set and for others. */
static bool find_split(const game *g, uint32_t pc, int *set, uint32_t *inside, uint32_t *outside)
{
    int reg = -1;
    for (int steps = 0; steps < 40; steps++, pc++) {
        const ins *i = &g->code[pc];
        if (is_choice(i->op) || is_end(i->op) || i->op == OP_LOOP_SEEN || i->op == OP_HERE) return false;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_HOLDS && i->b == g->num_base + H_HERE && i->c >= g->const_first) { reg = i->a; *set = i->c; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) {
            if (i->a != reg) return false;
            *inside = i->op == OP_JUMP_NO ? pc + 1 : (uint32_t)i->d;
            *outside = i->op == OP_JUMP_NO ? (uint32_t)i->d : pc + 1;
            return true;
        }
    }
    return false;
}

static bool reads_walker(const planner *p, int operand)
{
    const int base = p->g->num_base;
    if (operand == base + H_HERE || operand == base + H_START) return true;
    for (int i = 0; i < p->truth_count; i++) if (p->truths[i][0] == operand) return true;
    return false;
}

static void add_item(planner *p, const way *w, const plan_item *base, int split, bool inside, int class_, uint32_t tail)
{
    if (p->item_count == ITEMS_MAX) { p->failed = true; return; }
    game *g = p->g;
    plan_item *x = &p->items[p->item_count++];
    *x = *base;
    x->split = split;
    x->split_inside = inside;
    x->tail = (uint8_t)class_;
    x->quiet = class_ == PLAN_TEST && is_quiet(g, tail);
    x->kinds = p->kinds;
    x->alts = list_add(p->c, w->alts, w->alt_count);
    x->alt_count = w->alt_count;
    x->froms = list_add(p->c, w->froms, w->from_count);
    x->from_count = w->from_count;
    x->conds = list_add(p->c, w->conds, w->cond_count);
    x->cond_count = w->cond_count;
    x->pc = 0;
    if (w->op_count) {
        x->pc = g->code_count;
        for (int i = 0; i < w->op_count; i++) { ins copy = g->code[w->ops[i]]; uint32_t at = emit(p->c, OP_RETURN, 0, 0, 0, 0, 0); g->code[at] = copy; }
        emit(p->c, OP_RETURN, 0, 0, 0, 0, 0);
    }
}

/* The item, split where the tail soon tests where the walker stands. */
static void split_item(planner *p, const way *w, const plan_item *base, uint32_t tail)
{
    int set = -1, whole = tail_class(p->g, tail);
    uint32_t inside, outside;
    if (whole == PLAN_TREE && find_split(p->g, tail, &set, &inside, &outside)) {
        int in = tail_class(p->g, inside), out = tail_class(p->g, outside);
        if (in != PLAN_TREE || out != PLAN_TREE) {
            add_item(p, w, base, set, true, in, inside);
            add_item(p, w, base, set, false, out, outside);
            for (int k = 1; k <= 2 && !quiet_way(p->g, tail); k++) if (p->item_count >= k) p->items[p->item_count - k].quiet = false;
            return;
        }
    }
    add_item(p, w, base, -1, false, whole, tail);
}

static bool plain_pattern(const planner *p, const leg *l)
{
    for (int i = 0; i < l->pattern_count; i++) if (p->g->patterns[l->pattern + i].how != '1') return false;
    return l->pattern_count < 6;
}

/* What an item tests is asked after all its code has run: a register tested before must not be used for something else since. */
static bool overwrites_test(const way *w, const ins *i)
{
    if (i->op <= OP_MOVER) { for (int k = 0; k < w->cond_count; k++) if (w->conds[k] >> 1 == i->a) return true; }
    else for (int k = 0; k < w->from_count; k++) if ((w->froms[k] & ~NEGATED) == i->a) return true;
    return false;
}

/* The set whose places a register says yes for, -1 if that is not known; the latest word counts. */
static int truth_of(const planner *p, int reg)
{
    for (int t = p->truth_count; t-- > 0;) if (p->truths[t][0] == reg) return p->truths[t][1];
    return -1;
}

static void add_truth(planner *p, int reg, int set)
{
    if (p->truth_count == 64) { p->failed = true; return; }
    p->truths[p->truth_count][0] = reg;
    p->truths[p->truth_count++][1] = set;
}

/* A register that held a test of the walker, or the set of one, holds something else from here. */
static void forget_truths(planner *p, const ins *i)
{
    const bool number = i->op <= OP_MOVER;
    for (int t = p->truth_count; t-- > 0 && !p->failed;) {
        const int32_t *truth = p->truths[t];
        if (number ? truth[0] == i->a : truth[1] >= 0 && (truth[1] & ~NEGATED) == i->a) add_truth(p, truth[0], -1);
    }
}

static void look(planner *p, uint32_t pc, way w);

static void look_at_alternatives(planner *p, const ins *i, const way *w)
{
    if (w->alt_count == FEW) { p->failed = true; return; }
    for (int j = 0; j < i->e && !p->failed; j++) {
        const int truths = p->truth_count;
        way next = *w;
        next.alts[next.alt_count++] = j;
        look(p, (uint32_t)p->g->lists[i->d + j], next);
        p->truth_count = truths;
    }
}

/* Both ways of a conditional jump, each with what it asks of the walker, or of a number that does not depend on him. */
static void look_both_ways(planner *p, const ins *i, uint32_t pc, const way *w)
{
    const int set = truth_of(p, i->a), truths = p->truth_count;
    way yes = *w, no = *w;
    if (set >= 0) {
        if (w->from_count == FEW) { p->failed = true; return; }
        yes.froms[yes.from_count++] = set;
        no.froms[no.from_count++] = set ^ NEGATED;
    } else {
        if (reads_walker(p, i->a) || w->cond_count == FEW) { p->failed = true; return; }
        yes.conds[yes.cond_count++] = i->a * 2 + 1;
        no.conds[no.cond_count++] = i->a * 2;
    }
    look(p, i->op == OP_JUMP_NO ? pc + 1 : (uint32_t)i->d, yes);
    p->truth_count = truths;
    look(p, i->op == OP_JUMP_NO ? (uint32_t)i->d : pc + 1, no);
    p->truth_count = truths;
}

/* Can the leg be taken from all places at once: a known relation, once, along directions of which each place has one way back? */
static bool plannable_leg(const planner *p, const leg *l)
{
    const game *g = p->g;
    const relation *r = &g->relations[l->relation];
    if (r->times >= 0 || r->reg >= 0 || !plain_pattern(p, l) || (l->slide && l->pattern_count)) return false;
    for (int q = 0; q < g->player_count; q++)
        for (uint64_t m = r->mask[q]; m; m &= m - 1) {
            const direction *d = &g->dirs[__builtin_ctzll(m)];
            if (d->graph || d->merges || d->off_board) return false;
        }
    return true;
}

/* Does the instruction only note a test of the walker in another register? */
static bool notes_truth(planner *p, const ins *i)
{
    const int base = p->g->num_base;
    if (i->op == OP_HOLDS && i->b == base + H_HERE) { add_truth(p, i->a, i->c); return true; }
    if ((i->op != OP_MOVE || i->a >= base) && i->op != OP_NOT) return false;
    const int set = truth_of(p, i->b);
    if (set < 0) return false;
    add_truth(p, i->a, i->op == OP_NOT ? set ^ NEGATED : set);
    return true;
}

/* Straight code that makes numbers and sets, not from the walker. */
static bool walker_free(const planner *p, const ins *i)
{
    const bool number = i->op <= OP_MOVER;
    if (i->op > OP_S_EDGE || i->op == OP_MOVER || i->op == OP_CLAMP || i->op == OP_STORE || i->op == OP_S_LESS || i->op == OP_S_ATTACKED || i->op == OP_ALWAYS) return false;
    if (number && i->a >= p->g->num_base) return false;
    const bool reads = reads_walker(p, i->b) || reads_walker(p, i->c) || ((i->op == OP_CHOOSE || i->op == OP_S_CHOOSE) && reads_walker(p, i->d));
    return !reads || !(number || i->op == OP_S_PLACE);
}

static void look(planner *p, uint32_t pc, way w)
{
    for (; !p->failed; pc++) {
        const ins *i = &p->g->code[pc];
        if (++p->steps > STEPS_MAX) { p->failed = true; return; }
        switch ((opcode)i->op) {
        case OP_RULE: case OP_LOOP: case OP_FLOOD: case OP_BODY_END: continue;
        case OP_JUMP: pc = (uint32_t)i->d - 1; continue;
        case OP_FAIL: return;
        case OP_ALT: look_at_alternatives(p, i, &w); return;
        case OP_JUMP_NO: case OP_JUMP_YES: look_both_ways(p, i, pc, &w); return;
        case OP_STEP:
            if (plannable_leg(p, &p->g->legs[i->a])) split_item(p, &w, &(plan_item){ .leg = i->a, .entry = pc + 1 }, pc + 1);
            else p->failed = true;
            return;
        default: break;
        }
        if (notes_truth(p, i)) continue;
        if (!walker_free(p, i) || w.op_count == 64 || overwrites_test(&w, i)) { p->failed = true; return; }
        forget_truths(p, i);
        w.ops[w.op_count++] = (int32_t)pc;
    }
}

/* The sets by which two items of one plan could mean the same move are compared when the machine runs: these pairs. */
static bool may_agree(const game *g, const plan_item *a, const plan_item *b)
{
    if (a->drop != b->drop) return false;
    if (a->drop) return true;
    const leg *x = &g->legs[a->leg], *y = &g->legs[b->leg];
    if (a->split >= 0 && a->split == b->split && a->split_inside != b->split_inside && a->leg == b->leg) return false;
    for (int i = 0; i < a->from_count; i++)
        for (int j = 0; j < b->from_count; j++) if (g->lists[a->froms + i] == (g->lists[b->froms + j] ^ NEGATED)) return false;
    if (!x->slide && !y->slide && x->pattern_count != y->pattern_count) return false;
    bool common = false;
    for (int p = 0; p < g->player_count; p++) common |= (g->relations[x->relation].mask[p] & g->relations[y->relation].mask[p]) != 0;
    if (!common) return false;
    if ((x->target == SET_EMPTY && y->target == SET_ENEMY) || (x->target == SET_ENEMY && y->target == SET_EMPTY)) return false;
    return true;
}

static void add_plan(compiler *c, planner *p, uint32_t pc)
{
    game *g = c->g;
    int32_t pairs[ITEMS_MAX * 2];
    int pair_count = 0;
    for (int i = 0; i < p->item_count; i++)
        for (int j = 0; j < i; j++)
            if (may_agree(g, &p->items[i], &p->items[j])) {
                if (pair_count > ITEMS_MAX - 2) return;
                pairs[2 * pair_count] = j;
                pairs[2 * pair_count++ + 1] = i;
            }
    g->plans = realloc(g->plans, (size_t)(g->plan_count + 1) * sizeof *g->plans);
    g->plan_items = realloc(g->plan_items, (size_t)(g->plan_item_count + p->item_count + 1) * sizeof *g->plan_items);
    if (!g->plans || !g->plan_items) abort();
    memcpy(g->plan_items + g->plan_item_count, p->items, (size_t)p->item_count * sizeof *p->items);
    g->plans[g->plan_count] = (plan){ .first = g->plan_item_count, .count = p->item_count, .pairs = list_add(c, pairs, 2 * pair_count), .pair_count = pair_count };
    g->plan_item_count += p->item_count;
    g->code[pc].e = ++g->plan_count;        /* 1 + plan */
}

/* Up to the next choice nothing is changed but registers. */
static bool pure_until_choice(const game *g, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return true;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (is_choice(i->op) || is_end(i->op)) return i->op != OP_LOOP && i->op != OP_FLOOD && i->op != OP_PREFER_FROM;
        if (i->op == OP_RESULT || i->op == OP_PASS || i->op == OP_AGAIN) return true;      /* emits, or changes what only the rest of this branch sees: see batch.h */
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) { if (!pure_until_choice(g, (uint32_t)i->d, seen)) return false; continue; }
        if (i->op == OP_RULE || i->op == OP_CAN) continue;
        const bool straight = i->op <= OP_BAG_HOLDS && i->op != OP_MOVER && i->op != OP_CLAMP && i->op != OP_STORE && i->op != OP_S_POP && i->op != OP_S_LESS && (i->op < OP_BAG_CLEAR || i->op > OP_BAG_PAIRS);
        if (!straight || (i->op < OP_MOVER && i->a >= g->num_base)) return false;
    }
}

/* ---- entries --------------------------------------------------------------------------------------------------------------------- */
/* From a choice to the legs behind it: what is written on any way there, and the picks and drops with a plan that it leads to. A pass and
 * another turn are ways of their own (machine/batch.h). */
typedef struct { uint8_t *seen; flow written; uint32_t picks[ITEMS_MAX]; int pick_count; } region;

static void explore(const game *g, region *r, uint32_t pc)
{
    for (;; pc++) {
        if (r->seen[pc]) return;
        r->seen[pc] = 1;
        const ins *i = &g->code[pc];
        flow reads, writes;
        if ((i->op == OP_PICK && i->e) || (i->op == OP_DROP && i->c)) { if (r->pick_count < ITEMS_MAX) r->picks[r->pick_count++] = pc; }
        if (i->op == OP_STEP || i->op == OP_DROP || is_end(i->op) || i->op == OP_RESULT || i->op == OP_PASS || i->op == OP_AGAIN) return;
        flow_of(g, i, &reads, &writes);
        if (i->op != OP_PICK) flow_join(&r->written, &writes);
        if (i->op == OP_ALT) { for (int j = 0; j < i->e; j++) explore(g, r, (uint32_t)g->lists[i->d + j]); return; }
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_ELSE || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) explore(g, r, (uint32_t)i->d);
    }
}

/* The items of a decision whose first choice is at pc: which of them may be entered behind their leg? */
static void settle_entries(game *g, const flow *live, uint32_t pc)
{
    region *r = calloc(1, sizeof *r);
    if (!r || !(r->seen = calloc(g->code_count + 1, 1))) abort();
    explore(g, r, pc);
    for (int k = 0; k < r->pick_count; k++) {
        const ins *i = &g->code[r->picks[k]];
        const plan *p = &g->plans[(i->op == OP_PICK ? i->e : i->c) - 1];
        for (int j = 0; j < p->count; j++) {
            plan_item *x = &g->plan_items[p->first + j];
            if (r->pick_count == ITEMS_MAX || flow_meets(&live[x->entry], &r->written)) x->entry = 0;
        }
    }
    free(r->seen);
    free(r);
}

/* The first choices of the decision that begins at pc. */
static void first_choices(game *g, const flow *live, uint32_t pc, uint8_t *seen)
{
    for (;; pc++) {
        if (seen[pc]) return;
        seen[pc] = 1;
        const ins *i = &g->code[pc];
        if (is_choice(i->op)) { settle_entries(g, live, pc); return; }
        if (is_end(i->op)) return;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) first_choices(g, live, (uint32_t)i->d, seen);
    }
}

/* ---- shots ----------------------------------------------------------------------------------------------------------------------- */
static bool only_shifts(const game *g, const plan_item *x)
{
    if (x->drop || x->pc || x->cond_count || x->split >= 0 || !x->entry || x->tail == PLAN_TREE) return false;
    const leg *l = &g->legs[x->leg];
    if (l->slide || l->pattern_count || l->target < 0) return false;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = g->relations[l->relation].mask[p]; m; m &= m - 1) if (!g->dirs[__builtin_ctzll(m)].shift) return false;
    return true;
}

static void find_shots(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < g->plan_item_count; i++) {
        plan_item *x = &g->plan_items[i];
        if (!only_shifts(g, x)) continue;
        for (int p = 0; p < g->player_count; p++) {
            const uint64_t mask = g->relations[g->legs[x->leg].relation].mask[p];
            shot *s = arena_alloc(c->a, (size_t)(__builtin_popcountll(mask) + 1) * sizeof *s);
            int n = 0;
            for (uint64_t m = mask; m; m &= m - 1) {
                const int d = __builtin_ctzll(m);
                s[n++] = (shot){ .dir = (uint16_t)d, .shift = (int16_t)g->dirs[d].shift, .mask = g->dirs[d].mask };
            }
            x->shots[p] = s;
            x->shot_count[p] = (uint8_t)n;
        }
    }
}

static void find_entries(game *g, const flow *live)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    first_choices(g, live, g->turn_pc, seen);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_COMMIT || (op >= OP_ROLL && op <= OP_RANDOM_KIND)) first_choices(g, live, pc + 1, seen);
    }
    free(seen);
}

/* Is what follows a drop the guard `when any line of enemy from here to own`? Then it can be asked of all cells at once, before: the
 * piece dropped changes neither the enemies nor, on a board that does not wrap, any end of such a line but its beginning. */
static void skip_guard(const game *g, const flow *live, plan_item *x)
{
    const ins *i = &g->code[x->entry];
    if (i[0].op != OP_S_PLACE || i[0].b != g->num_base + H_HERE) return;
    if (i[1].op != OP_S_BETWEEN || i[1].b != SET_ENEMY || i[1].c != i[0].a || (i[1].e & 0xFFFF) != SET_OWN || (uint32_t)i[1].e >> 16 != (255u << 8 | 1)) return;
    if (i[2].op != OP_ANY || i[2].b != i[1].a || i[3].op != OP_JUMP_YES || i[3].a != i[2].a || i[4].op != OP_FAIL) return;
    const relation *r = &g->relations[i[1].d];
    if (r->reg >= 0 || r->times >= 0) return;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r->mask[p]; m; m &= m - 1) if (!g->dirs[__builtin_ctzll(m)].shift) return;
    flow made = { { 0 }, { 0 } }, reads, writes;
    for (int k = 0; k < 3; k++) { flow_of(g, &i[k], &reads, &writes); flow_join(&made, &writes); }
    if (flow_meets(&live[i[3].d], &made)) return;
    x->entry = (uint32_t)i[3].d;
    x->guard = i[1].d + 1;
}

void plans_build(compiler *c)
{
    game *g = c->g;
    flow *live = flow_live(g);
    const uint32_t end = g->code_count;
    g->code[0].e = 0;
    for (uint32_t pc = g->turn_pc; pc < end; pc++) {
        const int op = g->code[pc].op;
        if (op == OP_ALT || op == OP_ELSE) {
            uint8_t *seen = calloc(g->code_count + 1, 1);
            if (!seen) abort();
            bool pure = true;
            if (op == OP_ALT) for (int j = 0; j < g->code[pc].e && pure; j++) pure = pure_until_choice(g, (uint32_t)g->lists[g->code[pc].d + j], seen);
            else pure = pure_until_choice(g, pc + 1, seen) && pure_until_choice(g, (uint32_t)g->code[pc].d, seen);
            free(seen);
            g->code[pc].c = pure;
            continue;
        }
        if (op == OP_DROP && g->code[pc].e == 1) {
            planner p = { .g = g, .c = c };
            plan_item base = { .drop = true, .entry = pc + 1 };
            way w = { 0 };
            skip_guard(g, live, &base);
            split_item(&p, &w, &base, base.entry);
            g->plans = realloc(g->plans, (size_t)(g->plan_count + 1) * sizeof *g->plans);
            g->plan_items = realloc(g->plan_items, (size_t)(g->plan_item_count + p.item_count + 1) * sizeof *g->plan_items);
            if (!g->plans || !g->plan_items) abort();
            memcpy(g->plan_items + g->plan_item_count, p.items, (size_t)p.item_count * sizeof *p.items);
            g->plans[g->plan_count] = (plan){ .first = g->plan_item_count, .count = p.item_count };
            g->plan_item_count += p.item_count;
            g->code[pc].c = (uint16_t)++g->plan_count;
            continue;
        }
        if (op != OP_PICK || !(g->code[pc].d & 1)) continue;
        g->code[pc].e = 0;
        planner *p = calloc(1, sizeof *p);
        if (!p) abort();
        p->g = g;
        p->c = c;
        if (g->code[pc].c) p->kinds = (uint64_t)(uint32_t)g->lists[g->code[pc].c] | (uint64_t)(uint32_t)g->lists[g->code[pc].c + 1] << 32;
        look(p, pc + 1, (way){ 0 });
        if (!p->failed && p->item_count) add_plan(c, p, pc);
        free(p);
    }
    free(live);
    live = flow_live(g);
    find_entries(g, live);
    find_shots(c);
    repetitions_finish(g, live);
    flow_finish(c->a, g, live);
    free(live);
}
