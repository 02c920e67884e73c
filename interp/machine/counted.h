/* Choices that are counted, not tried (compile/counted.c). Included once per width by vm.c.
 *
 * In mode COLLECT such a choice becomes a batch of its own sort: the choices before it, and how many options there are from there to the end of the
 * decision. Of a NEST each option is looked at for the choices behind it, and how many that gives it is kept (its share); of a FACTOR one, for
 * all alike. Nothing is kept or written on the way but registers that nobody wants. An option drawn is a number: it is made by going the whole
 * way once, from the first choice, and behind the choices before the batch each choice takes what its options' shares say (`steer`). */
#ifndef JOC_COUNTED_H
#define JOC_COUNTED_H

enum { UNCOUNTED = -1, COUNTED_MOST = 10 * 1000 * 1000 /* options of a batch */ };

#ifndef JOC_NATIVE
static int64_t nest_known(vm *v, uint32_t pc);
#endif

INLINE void counted_add(vm *v, bool chosen, int64_t options, int shares)
{
    if (!options) return;
    if (v->counted_count == COUNTED_MAX || v->path_top > COUNTED_PREFIX || options > COUNTED_MOST) { v->collect_failed = true; return; }
    counted_batch *b = &v->counted[v->counted_count++];
    b->chosen = chosen;
    b->prefix_length = (uint8_t)v->path_top;
    for (size_t i = 0; i < v->path_top; i++) b->prefix[i] = v->path[i];
    b->count = (uint32_t)options;
    b->shares = shares;
    v->batch_total += b->count;
}

/* The same end must not be come to on two ways; given throws are no ends. */
static bool counted_ends(vm *v, uint64_t ends)
{
    bool apart = !(v->ends_counted & ends);
    for (int i = 0; i < G(v)->dice_count; i++) apart &= !(N(G(v)->dice[i].fixed) & DICE_FIXED);
    v->ends_counted |= ends;
    return apart;
}

static bool within(int64_t x, int64_t low, int64_t high) { return x >= low && x <= high; }

/* Is each of the numbers low .. high told by what it does to a kept number? */
KNOWN bool witnessed(const vm *v, const counted_choice *c, int64_t low, int64_t high)
{
    const game *g = G(v);
    for (int i = 0; i < c->witness_count; i++) {
        const counted_witness *w = &c->witnesses[i];
        if (w->keep >= 0 && !within(N(w->place), 0, g->cells - 1)) return false;
        for (int j = 0; j < w->apart_count; j++) if (N(w->apart[j]) == N(w->place)) return false;
        const int64_t x = w->how == 0 ? 0 : w->keep >= 0 ? ARRAYS(v)[(size_t)g->keeps[w->keep].where * (size_t)g->places + (size_t)N(w->place)] : N(w->number);
        const int64_t sign = w->how == 2 ? -1 : 1;
        if (!within(x + sign * low, w->low, w->high) || !within(x + sign * high, w->low, w->high)) return false;
    }
    return true;
}

/* Only cells: pieces of a zone can be alike. */
INLINE bool only_cells(const vm *v, const uint64_t *s, int n)
{
    uint64_t more = 0;
    EACH_OF(k, n) more |= s[k] & ~cells_word(G(v), k);
    return !more;
}

/* How many options a choice has behind which there is none, or UNCOUNTED. */
INLINE int64_t options_last(const vm *v, const ins *i, const counted_choice *c)
{
    if (i->op == OP_PICK) return only_cells(v, S(i->b), W(i, b)) ? words_count(S(i->b), W(i, b)) : UNCOUNTED;
    const int64_t low = N(i->b), high = N(i->c);
    if (high < low) return 0;
    return high - low > 100000 || !witnessed(v, c, low, high) ? UNCOUNTED : high - low + 1;
}

/* What the options of a nest have in all, and each of them if there is room for that. */
INLINE int64_t options_nest(vm *v, const ins *i, uint32_t pc, uint32_t *shares)
{
    uint64_t left[WORDS];
    words_copy(left, S(i->b), W(i, b));
    if (!only_cells(v, left, W(i, b))) return UNCOUNTED;
    int64_t all = 0;
    for (int x; (x = words_pop(left, W(i, b))) >= 0;) {
        choose_place(v, i, x);
        const int64_t n = NEST(v, pc);
        if (n < 0 || n > COUNTED_MOST) return UNCOUNTED;
        if (shares) *shares++ = (uint32_t)n;
        all += n;
    }
    return all;
}

INLINE int64_t options_factor(vm *v, const ins *i, uint32_t pc)
{
    const uint64_t *all = S(i->b);
    if (!only_cells(v, all, W(i, b))) return UNCOUNTED;
    const int64_t n = words_count(all, W(i, b));
    if (!n) return 0;
    choose_place(v, i, words_first(all, W(i, b)));
    const int64_t behind = NEST(v, pc);
    return behind < 0 ? UNCOUNTED : n * behind;
}

/* How many options there are from a choice on; those of a nest have `shares`, if that is not NULL. */
INLINE int64_t options_from(vm *v, uint32_t pc, uint32_t *shares)
{
    const counted_choice *c = &G(v)->counted[G(v)->counted_at[pc]];
    const ins *i = &G(v)->code[pc];
    if (c->how == COUNTED_LAST) return options_last(v, i, c);
    if (c->how != COUNTED_NEST && c->how != COUNTED_FACTOR) return UNCOUNTED;
    const int64_t here = H(H_HERE), start = H(H_START), chosen = H(H_CHOSEN);
    const int64_t n = c->how == COUNTED_NEST ? options_nest(v, i, pc, shares) : options_factor(v, i, pc);
    H(H_HERE) = here, H(H_START) = start, H(H_CHOSEN) = chosen;
    return n;
}

#ifndef JOC_NATIVE
static int64_t count_known(vm *v, uint32_t pc, uint32_t *shares) { return options_from(v, pc, shares); }

/* From a choice that is counted to the one behind it. */
static int64_t nest_known(vm *v, uint32_t pc)
{
    const int mode = v->mode;
    const bool counting = v->counting;
    v->mode = MODE_COLLECT;
    v->counting = true;
    v->nested = 0;
    run(v, pc + 1);
    v->counting = counting;
    v->mode = mode;
    return v->nested;
}
#endif

/* Counts the choice, if what follows turns out to be such that it can be counted. */
KNOWN bool counted_or_not(vm *v, uint32_t pc)
{
    const counted_choice *c = &G(v)->counted[G(v)->counted_at[pc]];
    const uint64_t ends = v->ends_counted;
    const int from = v->shares_used, options = c->how == COUNTED_NEST ? words_count(S(G(v)->code[pc].b), W(&G(v)->code[pc], b)) : SHARES_MAX;
    const bool shared = options <= SHARES_MAX - from;
    const int64_t n = counted_ends(v, c->ends) ? count_known(v, pc, shared ? v->shares + from : NULL) : UNCOUNTED;
    if (n < 0 || n > COUNTED_MOST) { v->ends_counted = ends; return false; }
    if (shared) v->shares_used += options;
    counted_add(v, true, n, shared ? from : -1);
    return true;
}

/* Its runs become leaves. */
static void collect_leaves(vm *v, uint32_t pc)
{
    if (G(v)->code[pc].op == OP_PICK && !set_any(S(G(v)->code[pc].b))) return;
    size_t mark = save(v, pc);
    v->mode = MODE_LIST;
    run(v, pc);
    v->mode = MODE_COLLECT;
    restore(v, mark, pc);
    forget(v, mark);
}

/* A choice without a plan. */
KNOWN void collect_others_at(vm *v, uint32_t pc)
{
    const int counted_as = G(v)->counted_at[pc];
    if (v->counting) { v->nested = count_known(v, pc, NULL); return; }
    collect_begins(v, pc);
    if (v->collect_failed) return;
    if (counted_as && G(v)->counted[counted_as].how != COUNTED_PLANNED && counted_or_not(v, pc)) return;
    collect_leaves(v, pc);
}

static void collect_others(vm *v, uint32_t pc) { collect_others_at(v, pc); }

/* An alternative that is one option. */
static void collect_sure(vm *v, uint32_t choice, uint64_t ends)
{
    const size_t top = v->path_top;
    if (!counted_ends(v, ends)) { v->collect_failed = true; return; }
    path_push(v, choice);
    counted_add(v, H(H_CHOSEN) > 0, 1, -1);
    v->path_top = top;
}

/* Leaves, too, come to ends of their own. */
static bool counted_apart(const vm *v)
{
    const game *g = G(v);
    for (size_t i = 0; i < v->leaf_count; i++) {
        const leaf *l = &v->leaves[i];
        const uint64_t end = l->kind == LEAF_OVER ? 1ull << 63 : 1ull << g->end_bits[l->kind == LEAF_CHANCE ? l->resume : l->resume - 1];
        if (v->ends_counted & end) return false;
    }
    return true;
}

/* The option of a nest that number v->steer falls to: how many each has is known, or counted once more. */
static int steer_known(vm *v, const uint64_t *options)
{
    const uint32_t *n = v->steer_shares;
    uint32_t k = v->steer;
    for (; k >= *n; n++) k -= *n;
    const int x = set_pick(options, (int)(n - v->steer_shares));
    v->steer = k;
    v->steer_all = *n;
    v->steer_shares = NULL;
    return x;
}

static int steer_counted(vm *v, const ins *i, uint32_t pc)
{
    const int64_t chosen = H(H_CHOSEN);
    uint64_t left[WORDS];
    set_copy(left, S(i->b));
    for (;;) {
        const int x = set_pop(left);
        choose_place(v, i, x);
        v->steer_all = (uint32_t)NEST(v, pc);
        H(H_CHOSEN) = chosen;
        if (v->steer < v->steer_all) return x;
        v->steer -= v->steer_all;
    }
}

/* Makes a choice: v->steer says which of the options that there are from here on, of which there are v->steer_all. */
static __attribute__((noinline)) void steer(vm *v, const ins *i, uint32_t pc)
{
    const int how = G(v)->counted[G(v)->counted_at[pc]].how;
    if (i->op == OP_PICK_NUMBER) { choose_number(v, i, N(i->b) + v->steer); return; }
    if (how == COUNTED_NEST) { choose_place(v, i, v->steer_shares ? steer_known(v, S(i->b)) : steer_counted(v, i, pc)); return; }
    const uint32_t behind = how == COUNTED_LAST ? 1 : v->steer_all / (uint32_t)set_count(S(i->b)), x = v->steer / behind;
    choose_place(v, i, set_pick(S(i->b), (int)x));
    v->steer -= x * behind;
    v->steer_all = behind;
}

/* The last choice behind a branch (branch.h). */
static __attribute__((noinline)) void steer_drop(vm *v, const ins *i) { choose_drop(v, i, G(v)->lists[i->d], set_pick(S(i->a), (int)v->steer), G(v)->lists[i->d]); }

/* Makes option k of a batch, and what follows; the state is at the first choice. */
static bool enter_counted(vm *v, const counted_batch *b, uint32_t k)
{
    v->path_top = 0;
    for (int i = 0; i < b->prefix_length; i++) path_push(v, b->prefix[i]);
    v->steer = k;
    v->steer_all = b->count;
    v->steer_shares = b->shares < 0 ? NULL : v->shares + b->shares;
    v->path_at = 0;
    v->guide = v->path_top;
    v->ended = -1;
    v->mode = MODE_PLAY;
    run(v, (uint32_t)H(H_RESUME));
    v->guide = v->path_top = v->path_at = 0;
    v->mode = MODE_STRAIGHT;
    return v->ended >= 0;
}
#endif
