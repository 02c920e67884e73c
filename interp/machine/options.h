/* Options: cells picked as first choices of a decision, where nothing is chosen behind. Included once per width by vm.c.
 *
 * A bit of such a batch is a place of the set picked from. What was proved when the rules were compiled (compile/apart.c) is that a certain
 * number kept of the cell picked holds its least value at the end, if it was below a limit. So a move that was made leads where no other option
 * leads, if behind it the numbers at all others are greater than that. This is looked at when the move has been made, and before its decision is
 * forgotten: `alone`. Where it is not so, other options may be the same move. Then the decision is listed with a leaf for every run; the move
 * stands with a chance of one in as many as lead to the same position, and otherwise another option is drawn. So every position is as likely as
 * every other, however many options lead there. */
#ifndef JOC_OPTIONS_H
#define JOC_OPTIONS_H

/* Is a number kept of one of these cells within the bounds? */
static inline bool kept_within(const vm *v, const plan_item *item, const uint64_t *cells, int64_t low, int64_t high)
{
    const int16_t *kept_of = ARRAYS(v) + (size_t)G(v)->keeps[item->keep].where * (size_t)G(v)->places;
    uint64_t some = 0;
    if (low > INT16_MAX || high < INT16_MIN) return false;
    for (int p = 0; p < G(v)->cells; p += 64) {
        const int n = G(v)->cells - p < 64 ? G(v)->cells - p : 64;
        some |= cells[p >> 6] & bits_within(kept_of + p, n, (int16_t)(low < INT16_MIN ? INT16_MIN : low), (int16_t)(high > INT16_MAX ? INT16_MAX : high));
    }
    return some != 0;
}

/* May these places be options: cells with less than the limit? */
static inline bool options_low(const vm *v, const plan_item *item, const uint64_t *from)
{
    return set_last(from) < G(v)->cells && !kept_within(v, item, from, item->limit, INT64_MAX);
}

static void collect_options(vm *v, const plan *p, uint32_t pc, const uint64_t *from)
{
    const plan_item *item = &G(v)->plan_items[p->first];
    collect_begins(v, pc);
    if (!set_any(from)) return;
    if (v->collect_options || !options_low(v, item, from)) { v->collect_failed = true; return; }
    v->collect_options = true;
    (void)batch_add(v, item, pc, 0, -1, from);
    set_copy(v->collect_origins, from);
}

/* Can no other option lead to the position that this one has led to? */
static bool alone(const vm *v, const plan_item *item, int option)
{
    uint64_t others[WORDS];
    set_copy(others, v->collect_origins);
    set_remove(others, option);
    return !kept_within(v, item, others, INT64_MIN, G(v)->keeps[item->keep].low);
}

/* How many options lead where this one does, from the state at the first choice; the leaf of it, with one leaf for every run. */
static uint64_t options_like(vm *v, const batch *b, int option, size_t *found)
{
    const uint32_t choice = (uint32_t)option;
    const size_t at = b->prefix_length;
    uint64_t same = 0;
    const bool doubles = v->keep_doubles;
    v->keep_doubles = true;
    const size_t n = list(v);
    v->keep_doubles = doubles;
    *found = n;
    for (size_t i = 0; i < n && *found == n; i++) {
        const leaf *l = &v->leaves[i];
        if (l->path_length > at && v->paths[l->path + at] == choice && memcmp(v->paths + l->path, b->prefix, at * sizeof *b->prefix) == 0) *found = i;
    }
    for (size_t i = 0; i < n && *found < n; i++) same += v->leaves[i].identity == v->leaves[*found].identity;
    return same;
}
#endif
