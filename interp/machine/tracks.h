/* Origins: walkers with one landing each, as first choices of a decision. Included once per width by vm.c.
 *
 * Where a leg goes along one direction and as many steps as a number says, what is drawn is not where it lands but who walks: a bit of such a
 * batch is the place of a walker whose landing is allowed. That these are different moves is proved when the rules are compiled, up to what
 * can only be seen here (compile/apart.c):
 *
 *     off the board   all walkers are equal pieces of one zone; one of them stands for all
 *     landings        nobody lands where he stood, nor upon two own pieces without room for a third
 *     vacant          no piece stands where none may
 *     other batches   have other walkers, or are passes
 *
 * Where one of these fails, the decision is listed. */
#ifndef JOC_TRACKS_H
#define JOC_TRACKS_H

/* By place, where walkers of an item land that go along its one direction, 0xFFFF nowhere; NULL if that is not in a table. */
INLINE const uint16_t *landings(const vm *v, const plan_item *item, const direction *d)
{
    const relation *r = &G(v)->relations[G(v)->legs[item->leg].relation];
    const int64_t times = r->times >= 0 ? N(r->times) : 1;
    if (!d->after || times <= 0 || times > STEPS_FAR) return NULL;
    return d->after + (size_t)times * (size_t)G(v)->places;
}

INLINE const direction *direction_of(const vm *v, const plan_item *item)
{
    return &G(v)->dirs[__builtin_ctzll(G(v)->relations[G(v)->legs[item->leg].relation].mask[H(H_MOVER)])];
}

/* Where a walker lands, -1 nowhere. */
static inline int landing_of(const vm *v, const plan_item *item, int from)
{
    const direction *d = direction_of(v, item);
    const uint16_t *to = landings(v, item, d);
    if (to) return to[from] == 0xFFFF ? -1 : to[from];
    const relation *r = &G(v)->relations[G(v)->legs[item->leg].relation];
    int64_t times = r->times >= 0 ? N(r->times) : 1;
    if (times <= 0 || times > G(v)->places) return -1;
    int x = from;
    for (; times > 0 && x != 0xFFFF; times--) x = d->next[x];
    return x == 0xFFFF ? -1 : x;
}

/* Do the pieces of these places differ in nothing that is kept of them? */
static bool pieces_alike(const vm *v, const uint64_t *s)
{
    const game *g = G(v);
    uint64_t left[WORDS], flagged[WORDS];
    if (g->zones_alike) {
        const zone *z = &g->zones[g->zone_of[set_first(s)]];
        uint64_t more = z->owner < 0;
        EACH_WORD(k) more |= s[k] & ~range_word(z->first, z->slots, k);
        return !more;
    }
    set_copy(left, s);
    const int first = set_pop(left);
    for (int x; (x = set_pop(left)) >= 0;) if (v->at[x] != v->at[first] || g->zone_of[x] != g->zone_of[first]) return false;
    for (int i = 0; g->piece_keeps && i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE) continue;
        if (k->type == KEEP_FLAG) {
            set_and(flagged, s, S(k->where));
            if (set_any(flagged) && !set_same(flagged, s)) return false;
            continue;
        }
        const int16_t *a = v->arrays + (size_t)k->where * (size_t)g->places;
        set_copy(left, s);
        for (int x; (x = set_pop(left)) >= 0;) if (a[x] != a[first]) return false;
    }
    return true;
}

/* Of the walkers off the board one remains. False if they are not all alike, or if another batch has some. */
KNOWN bool one_off_board(vm *v, uint64_t *from)
{
    uint64_t off[WORDS];
    EACH_WORD(k) off[k] = from[k] & ~cells_word(G(v), k);
    if (!set_any(off)) return true;
    if (v->collect_off_board || G(v)->zone_of[set_first(off)] < 0 || !pieces_alike(v, off)) return false;
    v->collect_off_board = true;
    EACH_WORD(k) from[k] &= ~off[k];
    set_add(from, set_first(off));
    return true;
}

/* Could this landing undo what tells walkers apart? */
static bool lands_amiss(const vm *v, int from, int to)
{
    if (from == to) return true;
    if (!has_piles(G(v)) || to >= G(v)->cells || !v->at[to]) return false;
    const int owner = code_owner(G(v), v->at[from]);
    return code_owner(G(v), v->at[to]) == owner && height_of(v, to) == 2 && !has_room(v, to, owner);
}

/* The walkers whose landing is allowed, where no stacks are; false if one lands where he stood. What is told of one does not depend on another, and
 * nothing is jumped over: of a set of one word four are looked at before it is asked whether there are more. */
INLINE bool landings_allowed(const uint16_t *table, uint64_t *from, const uint64_t *allowed, uint64_t *origins)
{
    uint64_t amiss = 0;
#if WORDS == 1
    uint64_t left = from[0], some = 0;
    do {
        for (int n = 0; n < 4; n++) {
            const int x = left ? __builtin_ctzll(left) : 0;
            const unsigned to = table[x];
            const uint64_t bit = left & -left, lands = -(allowed[0] >> (to & 63) & (to != 0xFFFF));
            some |= bit & lands;
            amiss |= bit & lands & (1ull << (to & 63));
            left ^= bit;
        }
    } while (left);
    origins[0] = some;
#else
    for (int x; (x = set_pop(from)) >= 0;) {
        const int to = table[x];
        if (to == 0xFFFF || !set_has(allowed, to)) continue;
        amiss |= to == x;
        set_add(origins, x);
    }
#endif
    return !amiss;
}

KNOWN_PLAN bool origins_of(vm *v, const plan_item *item, const uint64_t *walkers, uint64_t *origins)
{
    const int target = G(v)->legs[item->leg].target;
    uint64_t from[WORDS];
    set_clear(origins);
    item_walkers(v, item, walkers, from);
    if (!set_any(from)) return true;
    if (item->vacant && set_meets(item->vacant, S(SET_OCCUPIED))) return false;
    EACH_WORD(k) if (from[k] & ~(cells_word(G(v), k) ? S(SET_OWN)[k] | ~cells_word(G(v), k) : ~0ull)) return false;
    if (!set_within(from, S(SET_OCCUPIED)) || !one_off_board(v, from)) return false;
    const uint16_t *const table = landings(v, item, direction_of(v, item));
    if (table && !has_piles(G(v))) {
        uint64_t allowed[WORDS];
        if (target >= 0) set_copy(allowed, S(target)); else EACH_WORD(k) allowed[k] = ~0ull;
        return landings_allowed(table, from, allowed, origins);
    }
    for (int x; (x = set_pop(from)) >= 0;) {
        const int to = landing_of(v, item, x);
        if (to < 0 || (target >= 0 && !set_has(S(target), to))) continue;
        if (lands_amiss(v, x, to)) return false;
        set_add(origins, x);
    }
    return true;
}

/* A pick of the walker whose plan is of origins. */
KNOWN_PLAN void collect_origins(vm *v, const plan *p, uint32_t pc, const uint64_t *walkers)
{
    for (int j = 0; j < p->count; j++) {
        const plan_item *item = &G(v)->plan_items[p->first + j];
        uint64_t origins[WORDS];
        if (!item_applies(v, item)) continue;
        if (!origins_of(v, item, walkers, origins) || set_meets(origins, v->collect_origins)) { v->collect_failed = true; return; }
        set_or(v->collect_origins, v->collect_origins, origins);
        if (!batch_add(v, item, pc, __builtin_ctzll(G(v)->relations[G(v)->legs[item->leg].relation].mask[H(H_MOVER)]), -1, origins)) return;
        v->collect_walks |= set_any(origins);
    }
}

/* A pass as one of the first choices. */
static void collect_pass(vm *v, const ins *i, uint32_t pc)
{
    static const plan_item clean = { .pass = true, .tail = PLAN_CLEAN, .entry = 1 }, test = { .pass = true, .tail = PLAN_TEST, .entry = 1 };
    uint64_t one[WORDS];
    if (v->collect_passes++) { collect_fails(v, pc); return; }
    if (i->c != PASS_CLEAN && i->c != PASS_TEST) { collect_others(v, pc); return; }
    collect_begins(v, pc);
    v->ends_planned |= G(v)->counted[G(v)->counted_at[pc]].ends;
    set_clear(one);
    set_add(one, 0);
    (void)batch_add(v, i->c == PASS_CLEAN ? &clean : &test, pc, 0, -1, one);
}

/* May the batch and a move that was listed be one move? */
static bool batch_meets_leaf(const vm *v, const batch *b, const int64_t *head)
{
    if (b->item->pass || head[H_DIDPASS]) return b->item->pass && head[H_DIDPASS];
    if (b->item->origins || b->item->options) return true;
    const int64_t here = head[H_HERE];
    return here >= 0 && set_has(b->set, (int)here) && (b->item->drop || origin_of(v, b, (int)here) == head[H_START]);
}
#endif
