/* Choices that are counted, not tried (compile/counted.c). Included once per width by vm.c.
 *
 * In mode COLLECT such a choice becomes a batch of its own sort: the choices before it, and how many options there are. Of a NEST each option
 * is looked at for the choices behind it; of a FACTOR one, for all alike. Nothing is kept or written on the way but registers that nobody
 * wants. An option drawn is made by going the whole way once, from the first choice. */
#ifndef JOC_COUNTED_H
#define JOC_COUNTED_H

enum { COUNTED_PREFIX = 8 };
typedef enum { COUNTED_ONE, COUNTED_NUMBERS, COUNTED_PLACES } counted_shape;

typedef struct {
    counted_shape shape;
    bool chosen;                        /* something is chosen on the way */
    uint8_t prefix_length, factor_words;        /* factor_words: 0 no factor */
    uint32_t prefix[COUNTED_PREFIX];
    int64_t low;                        /* of numbers; of places what a path records beside the place */
    uint32_t options, factor, count;    /* of the last choice; of that before it; both */
    uint64_t places[WORDS], factors[WORDS];     /* no further than the word of the last place */
} counted_batch;
static_assert(sizeof(counted_batch) <= COUNTED_HEAD + 2 * WORDS * sizeof(uint64_t), "vm_new makes room for counted batches");

static counted_batch *counted(const vm *v) { return v->counted; }

KNOWN void counted_add(vm *v, counted_shape shape, int64_t low, uint64_t options, const uint64_t *places, int words)
{
    const uint64_t factor = v->factor ? (uint64_t)v->factor_count : 1;
    if (!options) return;
    if (v->counted_count == COUNTED_MAX || v->path_top > COUNTED_PREFIX || options * factor > 1000000) { v->collect_failed = true; return; }
    counted_batch *b = &counted(v)[v->counted_count++];
    b->shape = shape;
    b->chosen = shape != COUNTED_ONE || H(H_CHOSEN) > 0;
    b->prefix_length = (uint8_t)v->path_top;
    for (size_t i = 0; i < v->path_top; i++) b->prefix[i] = v->path[i];
    b->low = low;
    b->options = (uint32_t)options;
    b->factor = (uint32_t)factor;
    b->count = (uint32_t)(options * factor);
    EACH_OF(k, words) b->places[k] = places[k];
    b->factor_words = (uint8_t)(v->factor ? v->factor_words : 0);
    EACH_OF(k, b->factor_words) b->factors[k] = v->factor[k];
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

KNOWN bool counted_last(vm *v, const ins *i, const counted_choice *c)
{
    if (i->op == OP_PICK) {
        if (!only_cells(v, S(i->b), W(i, b))) return false;
        counted_add(v, COUNTED_PLACES, 0, (uint64_t)words_count(S(i->b), W(i, b)), S(i->b), W(i, b));
        return true;
    }
    const int64_t low = N(i->b), high = N(i->c);
    if (high < low) return true;
    if (high - low > 100000 || !witnessed(v, c, low, high)) return false;
    counted_add(v, COUNTED_NUMBERS, low, (uint64_t)(high - low) + 1, NULL, 0);
    return true;
}

KNOWN bool counted_nest(vm *v, const ins *i, uint32_t pc)
{
    uint64_t left[WORDS];
    words_copy(left, S(i->b), W(i, b));
    if (!only_cells(v, left, W(i, b)) || v->factor) return false;
    const int64_t here = H(H_HERE), start = H(H_START), chosen = H(H_CHOSEN);
    const size_t top = v->path_top;
    for (int x; (x = words_pop(left, W(i, b))) >= 0 && !v->collect_failed && !v->stop;) {
        choose_place(v, i, x);
        path_push(v, (uint32_t)x);
        NEST(v, pc);
        v->path_top = top;
    }
    H(H_HERE) = here, H(H_START) = start, H(H_CHOSEN) = chosen;
    return true;
}

KNOWN bool counted_factor(vm *v, const ins *i, uint32_t pc)
{
    uint64_t all[WORDS];
    words_copy(all, S(i->b), W(i, b));
    if (!only_cells(v, all, W(i, b)) || v->factor) return false;
    if (!words_any(all, W(i, b))) return true;
    const int64_t here = H(H_HERE), start = H(H_START), chosen = H(H_CHOSEN);
    choose_place(v, i, words_first(all, W(i, b)));
    v->factor = all;
    v->factor_count = words_count(all, W(i, b));
    v->factor_words = W(i, b);
    NEST(v, pc);
    v->factor = NULL;
    H(H_HERE) = here, H(H_START) = start, H(H_CHOSEN) = chosen;
    return true;
}

/* A choice that is counted; false if it must be tried after all. */
KNOWN bool collect_counted(vm *v, uint32_t pc)
{
    const counted_choice *c = &G(v)->counted[G(v)->counted_at[pc]];
    const ins *i = &G(v)->code[pc];
    if (c->how == COUNTED_PLANNED) return false;
    const bool inner = v->counting;
    bool counts = inner || counted_ends(v, c->ends);
    if (!counts) { v->collect_failed = true; return true; }
    v->counting = true;
    if (c->how == COUNTED_LAST) counts = counted_last(v, i, c);
    else counts = c->how == COUNTED_NEST ? counted_nest(v, i, pc) : counted_factor(v, i, pc);
    v->counting = inner;
    if (!counts) v->collect_failed = true;
    return true;
}

/* Counts the choice, if what follows turns out to be such that it can be counted. */
KNOWN bool counted_or_not(vm *v, uint32_t pc)
{
    const int count = v->counted_count;
    const uint32_t total = v->batch_total;
    const uint64_t ends = v->ends_counted;
    if (v->collect_failed || v->counting) return collect_counted(v, pc);
    if (!collect_counted(v, pc)) return false;
    if (!v->collect_failed) return true;
    v->collect_failed = false;
    v->counted_count = count;
    v->batch_total = total;
    v->ends_counted = ends;
    return false;
}

/* Its runs become leaves. */
static void collect_leaves(vm *v, uint32_t pc)
{
    if (v->counting) { v->collect_failed = true; return; }
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
    collect_begins(v, pc);
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
    counted_add(v, COUNTED_ONE, 0, 1, NULL, 0);
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

/* Makes option k of a batch, and what follows; the state is at the first choice. */
static bool enter_counted(vm *v, const counted_batch *b, uint32_t k)
{
    v->path_top = 0;
    for (int i = 0; i < b->prefix_length; i++) path_push(v, b->prefix[i]);
    if (b->factor_words) path_push(v, (uint32_t)set_pick(b->factors, (int)(k / b->options)));
    if (b->shape == COUNTED_NUMBERS) path_push(v, (uint32_t)(int32_t)(b->low + k % b->options));
    else if (b->shape == COUNTED_PLACES) path_push(v, (uint32_t)b->low + (uint32_t)set_pick(b->places, (int)(k % b->options)));
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
