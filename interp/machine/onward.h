/* Moves drawn where they are come to. Included once per width by vm.c.
 *
 * In random play a decision need not be collected from its beginning and then entered in a second run, if nothing of it has to be listed, struck
 * out or tried again (game.onward, compile/onward.c). In mode DRAW the code runs from where the decision begins; the first choice takes its batches
 * as mode COLLECT would, one of their bits is drawn, and the code goes on behind it, in mode PLAY. Of an `else` the second part is gone to in the
 * same run if the first had no options. The numbers drawn are those that a collected decision would have drawn.
 *
 * What can only be seen here - pieces of a zone that differ, another player who decides - may still forbid it. Then nothing but registers has
 * changed since the first choice, and the decision is collected from there. */
#ifndef JOC_ONWARD_H
#define JOC_ONWARD_H
#include "random.h"

enum { ONWARD_OPEN, ONWARD_MADE, ONWARD_NOT };

/* Chooses what chance does at an instruction; how many choices that are, or -1: there is nothing to choose from. */
INLINE int chance_choose(vm *v, const ins *i, uint64_t random[4], uint32_t *choices)
{
    const game *g = G(v);
    if (i->op == OP_ROLL) {
        const dice_info *d = &g->dice[i->a];
        const int64_t n = i->b == NO_OPERAND ? 1 : N(i->b);
        if (n > BAG_MAX) { fault(v, "too many dice in one throw"); return -1; }
        for (int64_t j = 0; j < n; j++) choices[j] = (uint32_t)d->faces[random_below(random, (uint64_t)d->count)];
        return n > 0 ? (int)n : 0;
    }
    if (i->op == OP_RANDOM) {
        const int n = set_count(S(i->b));
        if (n) choices[0] = (uint32_t)set_pick(S(i->b), (int)random_below(random, (uint64_t)n));
        return n ? 1 : -1;
    }
    if (i->op == OP_RANDOM_BIT) {
        uint64_t m = (uint64_t)N(i->b);
        if (!m) return -1;
        for (uint64_t k = random_below(random, (uint64_t)__builtin_popcountll(m)); k; k--) m &= m - 1;
        choices[0] = (uint32_t)__builtin_ctzll(m);
        return 1;
    }
    if (i->op == OP_RANDOM_NUMBER) {
        if (N(i->c) < N(i->b)) return -1;
        choices[0] = (uint32_t)(int32_t)(N(i->b) + (int64_t)random_below(random, (uint64_t)(N(i->c) - N(i->b) + 1)));
        return 1;
    }
    choices[0] = (uint32_t)g->lists[i->d + (int)random_below(random, i->b)];
    return 1;
}

/* Makes the outcome whose choices stand in `choices`. */
INLINE void chance_apply(vm *v, const ins *i, const uint32_t *choices, size_t count)
{
    switch ((opcode)i->op) {
    case OP_ROLL: {
        int faces[BAG_MAX];
        for (size_t j = 0; j < count && j < BAG_MAX; j++) faces[j] = (int32_t)choices[j];
        throw_dice(v, i, faces, (int)count);
        break;
    }
    case OP_RANDOM: choose_place(v, i, (int)choices[0]); break;
    case OP_RANDOM_BIT: choose_bit(v, i, (int)choices[0]); break;
    case OP_RANDOM_NUMBER: choose_number(v, i, (int32_t)choices[0]); break;
    default: N(i->a) = choices[0]; H(H_CHOSEN)++; if (TOKENS(v)) note(v, TOKEN_KIND, choices[0], 0); break;
    }
}

/* Makes the leg of a bit of such a batch, and goes on behind it. */
KNOWN_PLAN void enter_item(vm *v, uint32_t pick_pc, int dir, int start, const plan_item *item, const ins *pick, int target, int more)
{
    const game *g = G(v);
    const batch one = { .item = item, .pick_pc = pick_pc, .dir = (uint16_t)dir, .origin = (int16_t)(item->gather == GATHER_ALONG ? -1 : start) };
    v->guide = v->path_at = 0;
    if (item->pass) { run(v, pick_pc); return; }
    if (item->options) choose_place(v, pick, target);
    else if (item->drop) choose_drop(v, pick, g->lists[pick->d], target, g->lists[pick->d]);
    else {
        const leg *l = &g->legs[item->leg];
        const uint32_t step = l->silent && !item->origins ? (uint32_t)target : leg_of(v, &one, target);     /* nobody asks along which direction */
        choose_place(v, pick, walker_of(v, &one, target));
        leg_make(v, l, step);
    }
    if (item->more_count) {
        v->path_top = 0;
        path_push(v, (uint32_t)more);
        v->guide = 1;
    }
    if (!v->stop) RUN(v, item->entry);
    v->guide = 0;
}

/* Makes the move of a bit from the state at the first choice: in mode REPLAY up to where its decision ends, in mode PLAY beyond it.
 * False if a filter forbids it. */
static bool enter(vm *v, const batch *b, int target, int mode)
{
    const plan_item *item = b->item;
    const ins *pick = &G(v)->code[b->pick_pc];
    v->ended = -1;
    v->mode = mode;
    if (item->entry) { WITH_ITEM(enter_item(v, b->pick_pc, b->dir, b->origin, item, pick, target, b->more)); }
    else {
        v->path_top = 0;
        for (int i = 0; i < b->prefix_length; i++) path_push(v, b->prefix[i]);
        push_choices(v, b, target);
        v->path_at = 0;
        v->guide = v->path_top;
        run(v, (uint32_t)H(H_RESUME));
        v->guide = 0;
    }
    v->mode = MODE_STRAIGHT;
    return v->ended >= 0;
}

/* May this decision be drawn, as far as its first choice shows? */
INLINE bool onward_begins(vm *v, uint32_t pc)
{
    collect_begins(v, pc);
    if (v->others) v->went = ONWARD_NOT;
    return !v->others;
}

INLINE bool onward_not(vm *v) { v->went = ONWARD_NOT; return true; }

/* One of the batches there are is drawn and made. Here and below: false if there is nothing to be drawn. */
KNOWN bool onward_batches(vm *v)
{
    v->mode = MODE_ONWARD;
    if (v->collect_failed || v->fault || v->leaf_count || v->collect_walks + (v->collect_kinds || v->collect_drops) > 1) return onward_not(v);
    if (!v->batch_total) return false;
    uint64_t k = random_below(v->onward_random, v->batch_total);
    const batch *b = batches(v);
    while (k >= (uint64_t)b->count) k -= (uint64_t)b++->count;
    v->went = ONWARD_MADE;
    (void)enter(v, b, set_pick(b->set, (int)k), MODE_PLAY);
    return true;
}

/* Walkers with one landing each, of one item: no batch is written. */
KNOWN bool onward_origin(vm *v, const ins *i, uint32_t pc, const plan_item *item)
{
    uint64_t walkers[WORDS], origins[WORDS];
    set_copy(walkers, S(i->b));             /* what the item asks may be worked out in the same register */
    if (!set_any(walkers) || !item_applies(v, item)) return false;
    if (!origins_of(v, item, walkers, origins)) return onward_not(v);
    const int n = set_count(origins);
    if (!n) return false;
    const int x = set_pick(origins, (int)random_below(v->onward_random, (uint64_t)n));
    v->went = ONWARD_MADE;
    v->ended = -1;
    v->mode = MODE_PLAY;
    enter_item(v, pc, __builtin_ctzll(G(v)->relations[G(v)->legs[item->leg].relation].mask[H(H_MOVER)]), -1, item, i, x, 0);
    return true;
}

KNOWN bool onward_walker(vm *v, const ins *i, uint32_t pc)
{
    const plan *p = &G(v)->plans[i->e - 1];
    if (!onward_begins(v, pc)) return true;
    if (p->count == 1 && p->origins) return onward_origin(v, i, pc, &G(v)->plan_items[p->first]);
    v->mode = MODE_COLLECT;
    collect_walkers(v, i, pc);
    return onward_batches(v);
}

KNOWN bool onward_drop(vm *v, const ins *i, uint32_t pc)
{
    if (!onward_begins(v, pc)) return true;
    v->mode = MODE_COLLECT;
    collect_drop(v, i, pc);
    return onward_batches(v);
}

static bool onward_alternative(vm *v, const ins *i, uint32_t pc)
{
    if (!onward_begins(v, pc)) return true;
    v->mode = MODE_COLLECT;
    collect_alternatives(v, i);
    return onward_batches(v);
}

/* What gave nothing is like nothing. */
INLINE void onward_nothing(vm *v)
{
    v->mode = MODE_ONWARD;
    v->collect_kinds = 0;
    v->collect_drops = 0;
    v->collect_off_board = false;
}

/* True if the second part is to be gone to. */
static bool onward_else(vm *v, uint32_t pc)
{
    if (!onward_begins(v, pc)) return false;
    RUN(v, pc + 1);
    if (v->went != ONWARD_OPEN) return false;
    onward_nothing(v);
    return true;
}

/* A pass is the only move. */
INLINE bool onward_pass(vm *v, uint32_t pc)
{
    if (!onward_begins(v, pc)) return false;
    (void)random_below(v->onward_random, 1);
    v->went = ONWARD_MADE;
    v->mode = MODE_PLAY;
    return true;
}

APART void onward_apart(vm *v, const ins *i, uint32_t pc)
{
    if (i->op == OP_PICK) (void)onward_walker(v, i, pc);
    else if (i->op == OP_ALT) (void)onward_alternative(v, i, pc);
    else (void)onward_drop(v, i, pc);
}

/* Chance happens in the midst of a run, the code going on behind it. False: there is nothing to choose from, and it stops the run. */
INLINE bool chance_passed(vm *v, const ins *i, uint32_t pc, uint64_t random[4])
{
    uint32_t choices[BAG_MAX];
    const int count = chance_choose(v, i, random, choices);
    if (count < 0) { come_to_border(v, pc); return false; }
    chance_apply(v, i, choices, (size_t)count);
    H(H_CHOSEN) = H(H_LOOPS) = 0;
    H(H_RESUME) = pc + 1;
    v->thrown++;
    return true;
}

/* Chance on the way to a decision that is drawn happens there, if it is asked for and needs no looking ahead. False: it stops the run. */
INLINE bool onward_chance(vm *v, const ins *i, uint32_t pc)
{
    if (v->first_pc || !v->onward_throws || !G(v)->onward[pc + 1] || (i->e & (CHANCE_MAY_VOID | CHANCE_SHOWS))) { come_to_border(v, pc); return false; }
    return chance_passed(v, i, pc, v->onward_random);
}

/* The same on the way to a decision that is collected; a decision that is drawn is not collected: there the run ends behind chance. */
KNOWN bool collect_chance(vm *v, const ins *i, uint32_t pc)
{
    if (!v->throws || (i->e & CHANCE_MAY_VOID)) { come_to_border(v, pc); return false; }
    if (!chance_passed(v, i, pc, v->throws)) return false;
    v->border = G(v)->onward[pc + 1];
    return !v->border;
}

APART bool onward_chance_apart(vm *v, const ins *i, uint32_t pc) { return onward_chance(v, i, pc); }

#ifdef JOC_NATIVE
static void onward_known(vm *v, uint32_t pc);

/* ---- lots: where plans are known, their targets are drawn of without becoming batches (interp/native/onward.c) --------------------------- */
INLINE void lots_begin(lots *l)
{
    l->total = 0;
    l->count = 0;
    l->lead_on = false;
}

/* Does a repetition go on behind one of these legs? */
INLINE bool lots_lead_on(const vm *v, const plan_item *item, const direction *d, const uint64_t *to)
{
    uint64_t left[WORDS];
    set_copy(left, to);
    for (int x; (x = set_pop(left)) >= 0;) if (body_goes_on(v, item, d, stepped_from(&G(v)->legs[item->leg], d, x), x)) return true;
    return false;
}

INLINE void lots_item(vm *v, lots *l, const plan_item *item, const uint64_t *walkers)
{
    if (item->second) return;
    const leg *leg = &G(v)->legs[item->leg];
    uint64_t from[WORDS];
    item_walkers(v, item, walkers, from);
    const uint64_t *target = S(leg->target);
    EACH_LEG_WAY(item, dir, {
        leg_targets(v, leg, &G(v)->dirs[dir], from, l->sets[l->count]);
        set_and(l->sets[l->count], l->sets[l->count], target);
        if (item->body_count && set_any(l->sets[l->count])) l->lead_on |= lots_lead_on(v, item, &G(v)->dirs[dir], l->sets[l->count]);
        l->items[l->count] = item;
        l->dirs[l->count++] = dir;
    })
}

INLINE void lots_walkers(vm *v, lots *l, const ins *i) { EACH_ITEM(&G(v)->plans[i->e - 1], item, lots_item(v, l, item, S(i->b))) }

INLINE bool lots_any(const lots *l)
{
    uint64_t any[WORDS];
    set_clear(any);
    for (int j = 0; j < l->count; j++) set_or(any, any, l->sets[j]);
    return set_any(any);
}

INLINE int lots_choose(vm *v, lots *l, int *target)
{
    for (int j = 0; j < l->count; j++) l->upto[j] = l->total += (uint32_t)set_count(l->sets[j]);
    v->went = ONWARD_MADE;
    v->ended = -1;
    v->mode = MODE_PLAY;
    v->guide = v->path_at = 0;
    return lots_draw(l, v->onward_random, target);
}

INLINE void lots_enter(vm *v, const lots *l, int set, int target, const plan_item *item, const ins *pick)
{
    const leg *leg = &G(v)->legs[item->leg];
    choose_place(v, pick, stepped_from(leg, &G(v)->dirs[l->dirs[set]], target));
    leg_make(v, leg, (uint32_t)l->dirs[set] << 16 | (uint32_t)target);
    if (!v->stop) RUN(v, item->entry);
}
#else
static void onward_known(vm *v, uint32_t pc) { run(v, pc); }
#endif

/* Draws a move of the decision that begins at pc; if v->went says no, the state is at its first choice, or (v->border) at the chance before it. */
static void onward(vm *v, uint64_t random[4], uint32_t pc)
{
    collect_anew(v, MODE_ONWARD);
    v->onward_now = true;
    v->onward_random = random;
    v->went = ONWARD_OPEN;
    onward_known(v, pc);
    v->mode = MODE_STRAIGHT;
    v->stop = false;
    if (v->went != ONWARD_MADE && v->first_pc) H(H_RESUME) = v->first_pc;
}
#endif
