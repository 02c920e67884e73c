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
#include "plan.h"

enum { ITEMS_MAX = PLAN_ITEMS_MAX, FEW = 8 };

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
    const uint32_t becomes = class_ == PLAN_TREE && !base->drop ? tail_becomes(g, base->entry, tail) : 0;
    if (becomes) {
        class_ = tail_class(g, becomes + 1);
        x->more = g->code[becomes].d;
        x->more_count = g->code[becomes].e;
    }
    x->tail = (uint8_t)class_;
    x->quiet = class_ == PLAN_TEST && tail_quiet(g, tail);
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

/* The item, split where the tail soon tests where the walker stands, or where a repetition may end at once. */
static void split_item(planner *p, const way *w, const plan_item *base, uint32_t tail)
{
    int set = -1, whole = tail_class(p->g, tail);
    uint32_t inside, outside;
    if (whole == PLAN_TREE && tail_split(p->g, tail, &set, &inside, &outside)) {
        int in = tail_class(p->g, inside), out = tail_class(p->g, outside);
        if (in != PLAN_TREE || out != PLAN_TREE) {
            add_item(p, w, base, set, true, in, inside);
            add_item(p, w, base, set, false, out, outside);
            if (!p->failed) p->items[p->item_count - 2].twin = p->items[p->item_count - 1].second = true;
            for (int k = 1; k <= 2 && !tail_quiet_to_split(p->g, tail); k++) if (p->item_count >= k) p->items[p->item_count - k].quiet = false;
            return;
        }
    }
    plan_item stop;
    const bool stops = whole == PLAN_TREE && stops_find(p->c, base, w->froms, w->from_count, &stop);
    if (stops) add_item(p, w, &stop, -1, false, stop.tail, stop.entry);
    add_item(p, w, base, -1, false, whole, tail);
    if (stops && !p->failed) p->items[p->item_count - 2].twin = p->items[p->item_count - 1].second = true;
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

/* A leg along one direction, which leads from each place to one landing at most, though perhaps from several places to the same. */
static bool track_leg(const planner *p, const leg *l)
{
    const game *g = p->g;
    const relation *r = &g->relations[l->relation];
    if (r->reg >= 0 || l->pattern_count || l->slide || l->place_only || reads_walker(p, r->times)) return false;
    for (int q = 0; q < g->player_count; q++)
        if (__builtin_popcountll(r->mask[q]) != 1 || g->dirs[__builtin_ctzll(r->mask[q])].graph) return false;
    return true;
}

static void plan_leg(planner *p, int index, uint32_t tail, const way *w)
{
    plan_item base = { .leg = index, .entry = tail };
    const leg *l = &p->g->legs[index];
    apart proof;
    if (plannable_leg(p, l) && gather_ways(p->g, l, &base.gather)) { split_item(p, w, &base, tail); return; }
    if (!track_leg(p, l) || !apart_walk(p->c, l, tail, &proof)) { p->failed = true; return; }
    base.origins = true;
    base.vacant = proof.vacant;
    add_item(p, w, &base, -1, false, proof.tail, tail);
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
        if (++p->steps > PLAN_STEPS_MAX) { p->failed = true; return; }
        switch ((opcode)i->op) {
        case OP_RULE: case OP_LOOP: case OP_FLOOD: case OP_BODY_END: continue;
        case OP_JUMP: pc = (uint32_t)i->d - 1; continue;
        case OP_FAIL: return;
        case OP_ALT: look_at_alternatives(p, i, &w); return;
        case OP_JUMP_NO: case OP_JUMP_YES: look_both_ways(p, i, pc, &w); return;
        case OP_STEP: plan_leg(p, i->a, pc + 1, &w); return;
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
    if (a->drop != b->drop || a->origins) return false;
    if (a->drop) return true;
    const leg *x = &g->legs[a->leg], *y = &g->legs[b->leg];
    if (b->twin && a == b + 1) return false;
    for (int i = 0; i < a->from_count; i++)
        for (int j = 0; j < b->from_count; j++) if (g->lists[a->froms + i] == (g->lists[b->froms + j] ^ NEGATED)) return false;
    if (!x->slide && !y->slide && x->pattern_count != y->pattern_count) return false;
    bool common = false;
    for (int p = 0; p < g->player_count; p++) common |= (g->relations[x->relation].mask[p] & g->relations[y->relation].mask[p]) != 0;
    if (!common) return false;
    if ((x->target == SET_EMPTY && y->target == SET_ENEMY) || (x->target == SET_ENEMY && y->target == SET_EMPTY)) return false;
    return true;
}

int32_t keep_plan(game *g, plan made, const plan_item *items, int count)
{
    g->plans = realloc(g->plans, (size_t)(g->plan_count + 1) * sizeof *g->plans);
    g->plan_items = realloc(g->plan_items, (size_t)(g->plan_item_count + count + 1) * sizeof *g->plan_items);
    if (!g->plans || !g->plan_items) abort();
    if (count) memcpy(g->plan_items + g->plan_item_count, items, (size_t)count * sizeof *items);
    made.first = g->plan_item_count;
    made.count = count;
    g->plans[g->plan_count] = made;
    g->plan_item_count += count;
    return ++g->plan_count;
}

static void add_plan(compiler *c, planner *p, uint32_t pc)
{
    game *g = c->g;
    int32_t pairs[ITEMS_MAX * 2];
    int pair_count = 0;
    for (int i = 1; i < p->item_count; i++) if (p->items[i].origins != p->items[0].origins) return;
    for (int i = 0; i < p->item_count; i++)
        for (int j = 0; j < i; j++)
            if (may_agree(g, &p->items[i], &p->items[j])) {
                if (pair_count > ITEMS_MAX - 2) return;
                pairs[2 * pair_count] = j;
                pairs[2 * pair_count++ + 1] = i;
            }
    g->code[pc].e = keep_plan(g, (plan){ .pairs = list_add(c, pairs, 2 * pair_count), .pair_count = pair_count, .origins = p->items[0].origins }, p->items, p->item_count);
}

/* A pick of a cell whose options are drawn as such. */
static void plan_options(compiler *c, uint32_t pc)
{
    game *g = c->g;
    apart proof;
    if (!apart_fields(c, pc, &proof)) return;
    const plan_item item = { .options = true, .tail = proof.tail, .split = -1, .entry = pc + 1, .keep = proof.keep, .limit = proof.limit };
    g->code[pc].e = keep_plan(g, (plan){ 0 }, &item, 1);
}

/* May the ways of a choice be collected one after another? */
static bool ways_pure(const game *g, uint32_t pc)
{
    const ins *i = &g->code[pc];
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    bool pure = true;
    if (i->op == OP_ALT) for (int j = 0; j < i->e && pure; j++) pure = entry_pure(g, (uint32_t)g->lists[i->d + j], seen);
    else pure = entry_pure(g, pc + 1, seen) && entry_pure(g, (uint32_t)i->d, seen);
    free(seen);
    return pure;
}

static void plan_drop(compiler *c, const flow *live, uint32_t pc)
{
    planner p = { .g = c->g, .c = c };
    plan_item base = { .drop = true, .entry = pc + 1 };
    const way w = { 0 };
    entry_skip_guard(c->g, live, &base);
    split_item(&p, &w, &base, base.entry);
    c->g->code[pc].c = (uint16_t)keep_plan(c->g, (plan){ 0 }, p.items, p.item_count);
}

/* A pick of who walks; where there is no plan for the walk, of a cell as any other. */
static void plan_walk(compiler *c, uint32_t pc)
{
    game *g = c->g;
    planner *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->g = g;
    p->c = c;
    if (g->code[pc].c) p->kinds = (uint64_t)(uint32_t)g->lists[g->code[pc].c] | (uint64_t)(uint32_t)g->lists[g->code[pc].c + 1] << 32;
    look(p, pc + 1, (way){ 0 });
    if (!p->failed && p->item_count) add_plan(c, p, pc);
    if (!g->code[pc].e) plan_options(c, pc);
    if (!g->code[pc].e) plan_guard(c, pc);
    free(p);
}

static void plan_instruction(compiler *c, const flow *live, uint32_t pc)
{
    ins *i = &c->g->code[pc];
    switch ((opcode)i->op) {
    case OP_ALT: case OP_ELSE: i->c = ways_pure(c->g, pc); break;
    case OP_DROP: if (i->e == 1) plan_drop(c, live, pc); break;
    case OP_PICK:
        i->e = 0;
        if (i->d & 1) plan_walk(c, pc); else plan_options(c, pc);
        break;
    default: break;
    }
}

void plans_build(compiler *c)
{
    game *g = c->g;
    flow *live = flow_live(g);
    const uint32_t end = g->code_count;         /* what plans add themselves is not looked at */
    g->code[0].e = 0;
    for (uint32_t pc = g->turn_pc; pc < end; pc++) plan_instruction(c, live, pc);
    free(live);
    branches_find(g);
    live = flow_live(g);
    entries_find(g, live);
    entry_shots(c);
    gather_finish(c);
    lanes_finish(c);
    passed_finish(g);
    past_finish(g);
    wakes_finish(c);
    drawn_finish(g);
    walker_find(c->a, g);
    counted_build(c->a, g, live);
    repetitions_finish(g, live);
    last_legs_find(g);
    single_places(g, live);
    widths_find(c->a, g);
    copies_finish(c->a, g, live);
    tested_find(c->a, g, live);
    onward_finish(c->a, g);
    flow_finish(c->a, g, live);
    free(live);
}
