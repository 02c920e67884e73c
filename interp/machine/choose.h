/* Choosing instructions: each option is tried on a copy of the state. Included once per width by vm.c. */
#ifndef JOC_CHOOSE_H
#define JOC_CHOOSE_H

/* Begins to try options: the state is kept so that each begins with the same; one alone needs no copy, for what comes back from a choice is
 * not looked at. Where nothing but registers changes up to a further choice (game.lazy, compile/copies.c), the copy is made there, if it
 * comes to one at all; up to then this trial is v->pending. The code of an option is what a path records. */
struct trial { size_t mark, path_top; int64_t chosen; uint32_t pc; bool first, kept; };
typedef struct trial trial;

static __attribute__((noinline)) void trial_copy(vm *v, trial *t)
{
    v->pending = NULL;
    t->mark = save(v, t->pc);
    t->kept = true;
}

INLINE void trial_keep(vm *v) { if (v->pending) trial_copy(v, v->pending); }

INLINE void trial_begin(vm *v, trial *t, const ins *i, bool alone)
{
    const uint32_t pc = (uint32_t)(i - G(v)->code);
    trial_keep(v);
    *t = (trial){ .path_top = v->path_top, .chosen = H(H_CHOSEN), .pc = pc, .first = true };
    if (alone) return;
    v->pending = t;
    if (!G(v)->lazy[pc] || WATCH(v) || LENIENT(v)) trial_keep(v);
}

/* Goes back to where the trial began. */
INLINE void trial_back(vm *v, trial *t)
{
    if (t->first) return;
    t->first = true;
    if (t->kept) restore(v, t->mark, t->pc);
    H(H_CHOSEN) = t->chosen;
}

INLINE void trial_next(vm *v, trial *t, uint32_t choice, bool last)
{
    trial_back(v, t);
    t->first = false;
    if (last && v->pending == t) v->pending = NULL;
    v->path_top = t->path_top;
    if (v->mode == MODE_LIST) path_push(v, choice);
}

INLINE void trial_end(vm *v, const trial *t)
{
    if (v->pending == t) v->pending = NULL;
    if (t->kept) forget(v, t->mark);
    v->path_top = t->path_top;
}

static uint32_t path_take(vm *v)
{
    if (v->path_at >= v->path_top) { fault(v, "a recorded move does not fit these rules"); return 0; }
    return v->path[v->path_at++];
}

KNOWN void choose_place(vm *v, const ins *i, int place)
{
    N(i->a) = place;
    if (i->d & 1) {
        H(H_HERE) = H(H_START) = place;
        if (G(v)->uses_passed) set_clear(S(SET_PASSED));
    }
    H(H_CHOSEN)++;
    if (TOKENS(v)) { v->note_pc = (uint32_t)(i - G(v)->code); note(v, i->d & 1 ? TOKEN_FROM : TOKEN_PLACE, place, AT(v)[place]); }
}

/* Is there an equal piece in an earlier slot of the same zone, also in s? Then this one is no further option. */
static bool equal_before(const vm *v, const uint64_t *s, int place)
{
    const game *g = G(v);
    if (place < g->cells || !AT(v)[place]) return false;
    int first = g->zone_of[place] >= 0 ? g->zones[g->zone_of[place]].first : g->taken_first;
    for (int p = first; p < place; p++)
        if (set_has(s, p) && AT(v)[p] == AT(v)[place] && piece_key(v, p) == piece_key(v, place)) return true;
    return false;
}

/* What choosing instructions do where options are tried: a body, which code that is written for one instruction takes in (interp/native/lists.c),
 * and the same as a function for all others. */
#define OPTIONS(name) \
    INLINE void name##_here(vm *v, const ins *i, uint32_t pc, const bool known); \
    static __attribute__((noinline)) void name(vm *v, const ins *i, uint32_t pc) { name##_here(v, i, pc, false); } \
    INLINE void name##_here(vm *v, const ins *i, uint32_t pc, const bool known)
#define GO_ON(v, pc) do { if (known) LIST(v, pc); else run(v, pc); } while (0)

/* Takes out of `left` what would fail before it changes anything. */
INLINE void pick_asked(vm *v, const ins *i, uint32_t pc, uint64_t *left)
{
    uint64_t open[WORDS];
    set_copy(open, left);
    for (int x; (x = set_pop(open)) >= 0;) {
        const int64_t chosen = H(H_CHOSEN);
        choose_place(v, i, x);
        if (!ASKED(v, pc)) set_remove(left, x);
        H(H_CHOSEN) = chosen;
    }
}

INLINE bool last_legs(vm *v, const ins *i, uint32_t pc, const uint64_t *all, bool known);

OPTIONS(pick_place)
{
    uint64_t left[WORDS], all[WORDS];
    set_copy(all, S(i->b));
    if (!set_any(all) || (i->c && last_legs(v, i, pc, all, known))) return;
    set_copy(left, all);
    if (ASKS(v, pc)) { pick_asked(v, i, pc, left); if (!set_any(left)) return; }
    trial t;
    trial_begin(v, &t, i, set_count(left) == 1);
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        if (x >= G(v)->cells) trial_back(v, &t);
        if (equal_before(v, all, x) || unwanted(v, x)) continue;
        trial_next(v, &t, (uint32_t)x, !set_any(left));
        choose_place(v, i, x);
        GO_ON(v, pc + 1);
    }
    trial_end(v, &t);
}

/* Watched: places, too, that may not be picked. */
static void pick_watched(vm *v, const ins *i, uint32_t pc)
{
    uint64_t left[WORDS];
    const origin *o = watching(v) && WATCH(v)->broken < WATCH(v)->most ? origin_find(G(v), pc, false) : NULL;
    if (!o || o->kind == ORIGIN_CALL) return;
    EACH_WORD(k) left[k] = WATCH(v)->wanted[k] & ~S(i->b)[k];
    if (!set_any(left)) return;
    trial t;
    trial_begin(v, &t, i, false);
    WATCH(v)->broken++;
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        trial_next(v, &t, (uint32_t)x, false);
        choose_place(v, i, x);
        run(v, pc + 1);
    }
    WATCH(v)->broken--;
    trial_back(v, &t);
    trial_end(v, &t);
}

static void choose_bit(vm *v, const ins *i, int bit)
{
    N(i->a) = i->c ? (int64_t)(1ull << bit) : bit;
    H(H_CHOSEN)++;
    if (TOKENS(v)) note(v, (token_kind)i->d, bit, 0);
}

static void choose_number(vm *v, const ins *i, int64_t x)
{
    N(i->a) = x;
    H(H_CHOSEN)++;
    if (TOKENS(v)) note(v, TOKEN_NUMBER, x, 0);
}

static void choose_kind(vm *v, const ins *i, int k)
{
    N(i->a) = k;
    H(H_CHOSEN)++;
    if (TOKENS(v)) note(v, TOKEN_KIND, k, 0);
}

OPTIONS(pick_bit)
{
    trial t;
    trial_begin(v, &t, i, __builtin_popcountll((uint64_t)N(i->b)) == 1);
    for (uint64_t m = (uint64_t)N(i->b); m && !v->stop; m &= m - 1) {
        int bit = __builtin_ctzll(m);
        trial_next(v, &t, (uint32_t)bit, !(m & (m - 1)));
        choose_bit(v, i, bit);
        GO_ON(v, pc + 1);
    }
    trial_end(v, &t);
}

OPTIONS(pick_number)
{
    int64_t low = N(i->b), high = N(i->c);
    if (high - low > 100000) { fault(v, "a pick among more than 100000 numbers"); return; }
    if (low > high) return;
    trial t;
    trial_begin(v, &t, i, low == high);
    for (int64_t x = low; x <= high && !v->stop; x++) {
        trial_next(v, &t, (uint32_t)(int32_t)x, x == high);
        choose_number(v, i, x);
        GO_ON(v, pc + 1);
    }
    trial_end(v, &t);
}

OPTIONS(pick_kind)
{
    trial t;
    trial_begin(v, &t, i, false);
    for (int j = 0; j < i->e && !v->stop; j++) {
        trial_next(v, &t, (uint32_t)G(v)->lists[i->d + j], j + 1 == i->e);
        choose_kind(v, i, G(v)->lists[i->d + j]);
        GO_ON(v, pc + 1);
    }
    trial_end(v, &t);
}

/* One number alone, however often. */
INLINE void pick_only(vm *v, const ins *i, uint32_t pc, int64_t x, const bool known)
{
    const size_t top = v->path_top;
    trial_keep(v);
    if (v->mode == MODE_LIST) path_push(v, (uint32_t)(int32_t)x);
    choose_number(v, i, x);
    GO_ON(v, pc + 1);
    v->path_top = top;
}

OPTIONS(pick_bag)
{
    const int16_t *there = bag(v, i->b);
    if (v->ending) v->ending->open |= there[0] > 0;
    if (!there[0] || v->ending) return;
    const int16_t least = there[there[0]];
    if (there[1] == least) { pick_only(v, i, pc, least, known); return; }
    int16_t values[BAG_MAX + 1];
    memcpy(values, there, sizeof values);
    trial t;
    trial_begin(v, &t, i, false);
    for (int j = 1; j <= values[0] && !v->stop; j++) {
        if (j > 1 && values[j] == values[j - 1]) continue;
        trial_next(v, &t, (uint32_t)(int32_t)values[j], values[j] == least);
        choose_number(v, i, values[j]);
        GO_ON(v, pc + 1);
    }
    trial_end(v, &t);
}

/* One landing at most: nothing to come back to. */
INLINE void step_alone(vm *v, const ins *i, uint32_t pc, uint32_t code, const bool known)
{
    trial t;
    if (unwanted(v, (int)(code & 0xFFFF))) return;
    trial_begin(v, &t, i, true);
    trial_next(v, &t, code, true);
    leg_apply(v, &G(v)->legs[i->a], code);
    if (!v->stop) GO_ON(v, pc + 1);
    trial_end(v, &t);
}

OPTIONS(step_options)
{
    const leg *l = &G(v)->legs[i->a];
    uint32_t way = 0;
    const uint16_t *leads_to = H(H_HERE) < 0 ? NULL : leg_after(v, l, &way);
    if (leads_to) {
        const int to = leads_to[H(H_HERE)];
        if (to != 0xFFFF && (l->target < 0 || set_has(S(l->target), to))) step_alone(v, i, pc, way | (uint32_t)to, known);
        return;
    }
    uint32_t few[96], *codes = few;
    int cap = 96, n = leg_options(v, l, (int)H(H_HERE), codes, cap);
    if (n == cap) {
        codes = malloc(OPTIONS_MAX * sizeof *codes);
        if (!codes) abort();
        n = leg_options(v, l, (int)H(H_HERE), codes, OPTIONS_MAX);
    }
    if (n) {
        trial t;
        trial_begin(v, &t, i, n == 1);
        for (int j = 0; j < n && !v->stop; j++) {
            if (unwanted(v, (int)(codes[j] & 0xFFFF))) continue;
            trial_next(v, &t, codes[j], j + 1 == n);
            leg_apply(v, l, codes[j]);
            if (!v->stop) GO_ON(v, pc + 1);
        }
        trial_end(v, &t);
    }
    if (codes != few) free(codes);
}

/* Watched: landings, too, where the leg may not go. */
static void step_watched(vm *v, const ins *i, uint32_t pc)
{
    const leg *l = &G(v)->legs[i->a];
    const int from = (int)H(H_HERE);
    if (!WATCH(v) || v->mode != MODE_LIST || from < 0 || !origin_find(G(v), pc, false)) return;
    trial t;
    trial_begin(v, &t, i, false);
    bool leads = false;
    for (uint64_t m = relation_mask(v, l->relation); m && !v->stop; m &= m - 1) {
        uint64_t left[WORDS];
        EACH_WORD(k) left[k] = WATCH(v)->wanted[k];
        for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
            const uint32_t code = (uint32_t)__builtin_ctzll(m) << 16 | (uint32_t)x;
            const leg_fault f = leg_faulty(v, l, from, code);
            const int cost = f.way + f.landing;
            leads |= !f.never;
            if (f.never || !cost || WATCH(v)->broken + cost > WATCH(v)->most) continue;
            trial_next(v, &t, code, false);
            WATCH(v)->broken += cost;
            leg_apply(v, l, code);
            if (!v->stop) run(v, pc + 1);
            WATCH(v)->broken -= cost;
            trial_back(v, &t);
        }
    }
    trial_end(v, &t);
    if (!leads && !WATCH(v)->broken && set_has(WATCH(v)->wanted, from)) watch_tried(v, pc);
}

KNOWN void choose_drop(vm *v, const ins *i, int k, int place, int source)
{
    const game *g = G(v);
    piece p;
    if (i->op == OP_DROP) {
        const int owner = i->b == NO_OPERAND ? -1 : (int)N(i->b);
        if (g->piece_keeps) p = piece_new(g, owner, k); else p.code = (uint16_t)code_of(g, owner, k);
    }
    else p = piece_lift(v, source);
    if (TOKENS(v)) { v->note_pc = (uint32_t)(i - g->code); note(v, TOKEN_DROP, place, code_kind(g, p.code)); }
    if (g->places > g->cells && place >= g->cells) {
        const zone *z = &g->zones[g->zone_of[place]];
        place = free_slot(v, z->first, z->slots, "more pieces in a zone than it can hold");
        if (place < 0) return;
        if (z->owner >= 0) p.code = (uint16_t)code_of(g, z->owner, code_kind(g, p.code));
        piece_set(v, place, &p);
    } else if (!AT(v)[place] && g->simple_pieces) plane_put(v, place, p.code);
    else piece_place(v, place, &p);
    H(H_HERE) = place;
    H(H_START) = i->op == OP_DROP ? NO_PLACE : source;
    if (g->uses_passed) set_clear(S(SET_PASSED));
    H(H_CHOSEN)++;
}

static void drop_options(vm *v, const ins *i, uint32_t pc)
{
    uint64_t targets[WORDS], sources[WORDS];
    int kinds[256], from[256], n = 0;
    set_copy(targets, S(i->a));
    if (i->op == OP_DROP) {
        for (int j = 0; j < i->e && n < 256; j++) { from[n] = NO_PLACE; kinds[n++] = G(v)->lists[i->d + j]; }
    } else {
        set_copy(sources, S(i->b));
        uint64_t left[WORDS];
        set_copy(left, sources);
        for (int x; (x = set_pop(left)) >= 0 && n < 256;) if (!equal_before(v, sources, x)) { from[n] = x; kinds[n++] = x; }
    }
    if (!n) watch_empty(v, pc);
    if (!n || (!set_any(targets) && !WATCH(v))) return;
    trial t;
    trial_begin(v, &t, i, false);
    for (int j = 0; j < n && !v->stop; j++) {
        uint64_t left[WORDS];
        drop_places(v, targets, pc, left);
        for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
            const int cost = !set_has(targets, x);
            trial_next(v, &t, (uint32_t)kinds[j] << 16 | (uint32_t)x, false);
            choose_drop(v, i, kinds[j], x, from[j]);
            if (WATCH(v)) WATCH(v)->broken += cost;
            if (!v->stop) run(v, pc + 1);
            if (WATCH(v)) WATCH(v)->broken -= cost;
        }
    }
    trial_end(v, &t);
}

/* Alternatives that fail before anything but registers has changed, or begin with a preference that this run cannot have any more: there is
 * nothing to be tried, nor a copy to be kept for it. */
INLINE uint32_t hopeless(vm *v, const ins *i, const bool known)
{
    uint32_t none = 0;
    if (v->mode != MODE_LIST || v->ending || WATCH(v) || LENIENT(v)) return 0;
    trial_keep(v);
    EACH_WAY(m, i->b) {
        v->tried = 0;
        v->mode = MODE_WALK;
        const uint32_t pc = (uint32_t)G(v)->lists[i->d + __builtin_ctzll(m)];
        if (known) WALK(v, pc); else run(v, pc);
        v->mode = MODE_LIST;
        if (!v->tried) none |= (uint32_t)(m & -m);
    }
    return none;
}

/* Alternatives, one after the other: which of them to leave out, and how many are still to come. */
typedef struct { trial t; uint32_t none; int left; } alternating;

INLINE bool alternatives_begin(vm *v, const ins *i, alternating *a, const bool known)
{
    a->none = i->b ? hopeless(v, i, known) : 0;
    a->left = i->e - __builtin_popcount(a->none);
    if (!a->left) return false;
    trial_begin(v, &a->t, i, a->left == 1);
    return true;
}

INLINE bool alternative_next(vm *v, alternating *a, int j)
{
    if (v->stop || (j < 16 && a->none >> j & 1)) return false;
    trial_next(v, &a->t, (uint32_t)j, --a->left == 0);
    return true;
}

static void alternatives(vm *v, const ins *i)
{
    alternating a;
    if (!alternatives_begin(v, i, &a, false)) return;
    for (int j = 0; j < i->e; j++) if (alternative_next(v, &a, j)) run(v, (uint32_t)G(v)->lists[i->d + j]);
    trial_end(v, &a.t);
}

/* Watched: the second part, too, although the first can be done. */
static void else_watched(vm *v, const ins *i, uint32_t pc)
{
    const int cost = exists(v, pc + 1, pc);
    trial t;
    trial_begin(v, &t, i, false);
    trial_next(v, &t, 0, false);
    run(v, pc + 1);
    if (WATCH(v)->broken + cost <= WATCH(v)->most && !v->stop) {
        trial_next(v, &t, 1, true);
        WATCH(v)->broken += cost;
        run(v, (uint32_t)i->d);
        WATCH(v)->broken -= cost;
    }
    trial_end(v, &t);
}

/* Watched: the repetition ends, too, though its condition does not hold. */
static void body_end_watched(vm *v, const ins *i, uint32_t pc)
{
    trial t;
    trial_begin(v, &t, i, false);
    trial_next(v, &t, 0, false);
    run(v, pc + 1);
    if (WATCH(v)->broken < WATCH(v)->most && !v->stop) {
        trial_next(v, &t, 1, true);
        WATCH(v)->broken++;
        run(v, (uint32_t)i->d);
        WATCH(v)->broken--;
    }
    trial_end(v, &t);
}

static void else_options(vm *v, const ins *i, uint32_t pc)
{
    if (watching(v)) { else_watched(v, i, pc); return; }
    trial t;
    trial_begin(v, &t, i, false);
    uint64_t completed = v->completed;
    trial_next(v, &t, 0, false);
    run(v, pc + 1);
    if ((v->completed == completed || LENIENT(v)) && !v->stop) {
        const bool forbidden = v->completed != completed;
        trial_next(v, &t, 1, true);
        if (forbidden) H(H_FAILED) = ELSE_FORBIDS;
        run(v, (uint32_t)i->d);
    }
    trial_end(v, &t);
}

OPTIONS(prefer_block)
{
    if (v->mode != MODE_LIST || v->frame_count == G(v)->prefers_deep) { GO_ON(v, pc + 1); return; }
    for (int j = 0; j < i->e && j < PREFERS_MAX; j++) N(G(v)->prefers_first + v->frame_count * PREFERS_MAX + j) = INT16_MIN;
    v->frames[v->frame_count].first = (uint32_t)v->leaf_count;
    v->frames[v->frame_count].reg = i->a;
    v->frames[v->frame_count].count = (uint8_t)(i->e > PREFERS_MAX ? PREFERS_MAX : i->e);
    v->frames[v->frame_count].any = false;
    v->frame_count++;
    v->ending_count = v->ending_next = 0;
    GO_ON(v, pc + 1);
    v->ending_count = v->ending_next = 0;
    v->frame_count--;
}

/* Can this run still be among the preferred ones of its block, with this preference? */
static bool prefer_hopeful(vm *v, const ins *i, bool noted)
{
    for (int f = v->frame_count; f-- > 0;) {
        if (v->frames[f].reg != i->c) continue;
        int64_t *now = &N(G(v)->prefers_first + f * PREFERS_MAX);
        if (noted && i->e < PREFERS_MAX) now[i->e] = N(i->b);
        if (!v->frames[f].any || LENIENT(v)) return true;
        for (int j = 0; j <= i->e && j < v->frames[f].count; j++) {
            const int64_t x = j == i->e ? N(i->b) : now[j];
            if (x != v->frames[f].best[j]) return x > v->frames[f].best[j];
        }
        return true;
    }
    return true;
}
#endif
