/* Last legs: walks that end a decision, listed without being made. Included once per width by vm.c.
 *
 * Where it was proved that what follows a leg neither chooses nor asks who walked (compile/last.c), a run can be told from another by the walker's
 * piece alone, and by what it takes. So what follows is run once for walks that take nothing, and once for each piece that is taken, on the
 * position as it is before the leg: that gives the end of the run, what it adds up to, and whether it is preferred. The key of a position is
 * a sum over its pieces (piece.h): each walk changes it by where its piece leaves and where it comes to. Nothing is moved for it. The walk that
 * is drawn is made like any other, by its choices.
 *
 * Only lists without states are made in this way, and nobody watches. Where anything is not as expected (a landing that takes a whole stack, a
 * bag that is not empty) the options are tried as ever: those that were listed are found again by their keys. */
#ifndef JOC_LAST_H
#define JOC_LAST_H

enum { LANDINGS_MAX = 96 };

typedef struct {
    const leg *leg;
    const uint16_t *after; uint32_t way;    /* by place, where the leg leads, if that is one place or none; else NULL */
    size_t path_from;
    uint32_t behind, tail;                  /* what follows the leg, and where that leads */
    run_end *ends[2];                       /* of the last walk that took nothing, and that took something */
    uint32_t told;                          /* of all ends that have the numbers as they are now, if one is known */
    uint32_t path;                          /* where leaves have the choices before the walk, if there is any */
    uint32_t like[2];                       /* of each of these ends 1 + a leaf that comes to it by a walk of this pick; 0 none yet */
} last_walks;

/* What the piece that lay at a level of a pile, or stands on top (level -1), adds to H_CONTENTS. */
INLINE uint64_t share(const vm *v, int place, int code, int level)
{
    const game *g = G(v);
    return g->place_keys[place] * g->codes[code].key * (level < 0 ? 1 : pile_factor(g, level));
}

/* What H_CONTENTS loses when the top piece goes, and what lies below comes up. */
INLINE uint64_t share_lost(const vm *v, int place)
{
    uint64_t lost = share(v, place, AT(v)[place], -1);
    if (!has_piles(G(v)) || G(v)->piles_alike || place >= G(v)->cells) return lost;
    struct pile *below = pile_at(v, place);
    if (!below->count) return lost;
    const int next = pile_get(v, below, below->count - 1).code;
    return lost + share(v, place, next, below->count - 1) - share(v, place, next, -1);
}

/* The change of H_CONTENTS by a leg of the piece at `from`, and the code of the piece taken, 0 none. False if the leg does more than that. */
INLINE bool walk_change(const vm *v, const leg *l, int from, int to, uint64_t *change, int *taken)
{
    const game *g = G(v);
    const int code = AT(v)[from];
    *taken = 0;
    if (!code || from == to) return false;
    *change = -share_lost(v, from);
    if (to >= g->cells) {
        const zone *z = g->zone_of[to] < 0 ? NULL : &g->zones[g->zone_of[to]];
        if (!z || to != z->place) return false;
        *change += share(v, z->first, z->owner >= 0 ? code_of(g, z->owner, code_kind(g, code)) : code, -1);
        for (int i = 0; i < z->slots; i++) if (!AT(v)[z->first + i]) return true;
        return false;
    }
    const int there = AT(v)[to], below = there && has_piles(g) ? pile_at(v, to)->count : 0;
    *change += share(v, to, code, -1);
    if (!there) return true;
    if (has_room(v, to, code_owner(g, code))) { *change += share(v, to, there, below) - share(v, to, there, -1); return true; }
    *change -= share(v, to, there, -1);
    *taken = there;
    return l->settle && !below && v->probe_place != to;
}

static bool taken_before(const vm *v)
{
    const game *g = G(v);
    uint64_t x = 0;
    EACH_WORD(k) x |= S(SET_OCCUPIED)[k] & (g->taken_first <= 64 * k ? ~0ull : g->taken_first >= 64 * (k + 1) ? 0 : ~0ull << (g->taken_first % 64));
    return x != 0;
}

/* ---- what is known of ends ------------------------------------------------------------------------------------------------------------------- */
/* An end is the same for all that a decision comes to with the same numbers: those of the position but for where the walk stands and what has been
 * preferred, and those in bags. They are kept beside it. */
static size_t told_numbers(const game *g) { return (size_t)(g->prefers_first ? g->prefers_first - g->num_base : g->num_position); }
static size_t told_bags(const game *g) { return (size_t)g->bag_count * (BAG_MAX + 1) * sizeof(int16_t); }
static size_t told_size(const game *g) { return (told_numbers(g) * sizeof(int64_t) + told_bags(g) + 7) / 8 * 8; }

static int64_t *ending_told(const vm *v, const run_end *e) { return (int64_t *)(void *)(v->ending_states + (size_t)(e - v->endings) * told_size(G(v))); }

static void ending_tell(vm *v, const run_end *e)
{
    const size_t numbers = told_numbers(G(v)) * sizeof(int64_t);
    if (!v->ending_states && !(v->ending_states = malloc(ENDINGS_MAX * told_size(G(v))))) abort();
    memcpy(ending_told(v, e), HEAD(v), numbers);
    memcpy((char *)ending_told(v, e) + numbers, BAGS(v), told_bags(G(v)));
}

INLINE bool words_alike(const int64_t *a, const int64_t *b, size_t n)
{
    int64_t x = 0;
    for (size_t i = 0; i < n; i++) x |= a[i] ^ b[i];
    return x == 0;
}

INLINE bool as_told(const vm *v, const run_end *e)
{
    const int64_t *was = ending_told(v, e), *now = HEAD(v);
    const size_t n = told_numbers(G(v));
    if (!words_alike(was + H_COUNT, now + H_COUNT, n - H_COUNT) || !words_alike(was, now, H_HERE)) return false;
    if (!words_alike(was + H_RESUME, now + H_RESUME, H_CONTENTS - H_RESUME)) return false;
    const int16_t *bags_were = (const int16_t *)(const void *)(was + n), *bags = BAGS(v);
    int x = 0;
    for (int i = 0; i < G(v)->bag_count * (BAG_MAX + 1); i++) x |= bags_were[i] ^ bags[i];
    return !x;
}
static_assert(H_START == H_HERE + 1 && H_UNDER == H_START + 1 && H_CHOSEN == H_UNDER + 1 && H_RESUME == H_CHOSEN + 1 && H_COUNT == H_CONTENTS + 1, "left out together");

/* Is what is asked of the position behind the leg but numbers and bags? */
static bool ends_last(const vm *v, uint32_t tail)
{
    const game *g = G(v);
    return !g->array_count && !g->flag_count && !g->live[tail].numbers && !g->live[tail].sets && !taken_before(v);
}

/* Is an end still among those preferred? */
static __attribute__((noinline)) bool still_best(const vm *v, const run_end *e)
{
    int at = 0;
    for (int f = 0; f < v->frame_count; f++)
        for (int i = 0; i < v->frames[f].count && at < e->leaf.preference_count; i++, at++)
            if (!v->frames[f].any || v->frames[f].best[i] != e->leaf.preferences[at]) return false;
    return e->live || v->frame_count <= 1;
}

/* Runs what follows the leg, as if a walk that takes this piece had been made. */
static void ending_find(vm *v, const last_walks *w, run_end *e, int taken)
{
    const bool moves = taken || taken_before(v);
    struct trial *pending = v->pending;
    *e = (run_end){ .tail = w->tail, .taken = taken, .path_from = v->path_top, .contents = (uint64_t)H(H_CONTENTS) };
    ending_tell(v, e);
    const size_t mark = moves ? save(v, 0) : save_numbers(v), top = v->path_top;
    if (taken) piece_taken(v, (piece){ .code = (uint16_t)taken });
    H(H_CHOSEN)++;
    v->pending = NULL;
    v->ending = e;
    run(v, w->behind);
    v->ending = NULL;
    v->pending = pending;
    v->path_top = top;
    if (moves) restore(v, mark, 0); else restore_numbers(v, mark);
    forget(v, mark);
}

static run_end *end_of(vm *v, last_walks *w, int taken)
{
    for (int i = 0; i < v->ending_count; i++) {
        run_end *e = &v->endings[i];
        if (e->tail != w->tail || e->taken != taken || (e->best != v->best_told && !still_best(v, e))) continue;
        e->best = v->best_told;
        if (w->told ? e->told == w->told : as_told(v, e)) { w->told = e->told; return e; }
    }
    run_end *e = &v->endings[v->ending_next];
    v->ending_next = (v->ending_next + 1) % ENDINGS_MAX;
    if (v->ending_count < ENDINGS_MAX) v->ending_count++;
    w->ends[0] = w->ends[1] = NULL;         /* others may be preferred now */
    w->like[0] = w->like[1] = 0;
    ending_find(v, w, e, taken);
    if (!w->told) w->told = ++v->ending_told;
    e->told = w->told, e->best = v->best_told;
    e->leaf.behind = e->live && !e->open ? paths_put(v, e->path, e->path_length) : 0, e->leaf.behind_length = e->path_length;
    return e;
}

/* The first leaf of this pick that comes to an end: its path is what was chosen before, which all walks of a pick have in common, its own two
 * choices, and those behind it. The others like it have but their own two, and how the decision ends. */
static __attribute__((noinline)) void walk_first(vm *v, last_walks *w, const run_end *e, uint64_t key, leaf *l)
{
    if (w->path == UINT32_MAX) w->path = paths_put(v, v->path, w->path_from);
    *l = e->leaf;
    l->key = l->identity = key;
    l->path = w->path, l->path_length = (uint32_t)w->path_from;
    w->like[e->taken != 0] = (uint32_t)v->leaf_count;
}

INLINE void walk_add(vm *v, last_walks *w, const run_end *e, uint32_t *slot, uint64_t key, int x, uint32_t code)
{
    leaf *l = leaf_new(v, slot, key);
    if (!l) return;
    l->like = w->like[e->taken != 0];
    if (!l->like) walk_first(v, w, e, key, l);
    l->kind = e->leaf.kind, l->resume = e->leaf.resume, l->chosen = e->leaf.chosen;
    l->walks = true;
    l->walk[0] = (uint32_t)x, l->walk[1] = code;
}

/* The end of a walk that takes this piece. */
INLINE run_end *end_for(vm *v, last_walks *w, int taken)
{
    run_end *e = w->ends[taken != 0];
    if (e && e->taken == taken) return e;
    e = end_of(v, w, taken);
    w->ends[taken != 0] = e;
    w->like[taken != 0] = 0;
    return e;
}

/* Is it not known what comes of it? */
INLINE bool end_open(const vm *v, const run_end *e) { return e->open || e->ends > 1 || v->stop; }

/* `sum`: what the position behind the walk adds up to, with its end. */
INLINE void walk_ends(vm *v, last_walks *w, const run_end *e, uint64_t sum, int x, uint32_t code)
{
    const uint64_t key = mix(sum);
    uint32_t *slot = leaf_slot(v, key);
    if (!*slot) walk_add(v, w, e, slot, key, x, code);
}

/* A walk of the piece at x. False if it must be tried. */
INLINE bool walk_list(vm *v, last_walks *w, int x, uint32_t code)
{
    uint64_t change;
    int taken;
    if (!walk_change(v, w->leg, x, (int)(code & 0xFFFF), &change, &taken)) return false;
    run_end *e = end_for(v, w, taken);
    if (end_open(v, e)) return false;
    v->completed += (uint64_t)e->ends;
    if (e->live) walk_ends(v, w, e, e->sum + (uint64_t)H(H_CONTENTS) + change, x, code);
    return true;
}

/* Does a plain piece come from a cell to another without taking anybody? */
INLINE bool comes_freely(const vm *v, int from, int to)
{
    const game *g = G(v);
    const int code = AT(v)[from];
    return to < g->cells && code && to != from && (!AT(v)[to] || has_room(v, to, code_owner(g, code)));
}

/* Of the walks by so many steps those of a piece alone from a cell to another, where nobody is taken and a stack is no more than how many stand there:
 * keys differ by where the piece leaves and comes to. What else may be a walk stays in `left`. */
INLINE void walks_apart(vm *v, last_walks *w, uint64_t *left)
{
    const game *g = G(v);
    const uint64_t *target = w->leg->target >= 0 ? S(w->leg->target) : NULL;
    const run_end *e = NULL;
    uint64_t made = 0, sum = 0;
    if (has_piles(g) ? !piles_plain(g) : g->piece_keeps) return;
    EACH_WORD(k) {
        uint64_t others = left[k] & ~cells_word(g, k);
        for (uint64_t m = left[k] & cells_word(g, k); m; m &= m - 1) {
            const int x = 64 * k + __builtin_ctzll(m), to = w->after[x];
            if (to == 0xFFFF || (target && !set_has(target, to))) continue;
            if (!comes_freely(v, x, to)) { others |= m & -m; continue; }
            if (!e) {
                e = end_for(v, w, 0);
                if (end_open(v, e)) return;
                sum = e->sum + (uint64_t)H(H_CONTENTS);
            }
            made++;
            if (e->live) walk_ends(v, w, e, sum + (g->place_keys[to] - g->place_keys[x]) * g->codes[AT(v)[x]].key, x, w->way | (uint32_t)to);
        }
        left[k] = others;
    }
    if (e) v->completed += made * (uint64_t)e->ends;
}

/* All walks of the piece at x, which has been chosen. */
INLINE bool walks_list(vm *v, last_walks *w, int x)
{
    if (w->after) {
        const int to = w->after[x];
        return to == 0xFFFF || (w->leg->target >= 0 && !set_has(S(w->leg->target), to)) || walk_list(v, w, x, w->way | (uint32_t)to);
    }
    uint32_t codes[LANDINGS_MAX];
    const int n = leg_options(v, w->leg, x, codes, LANDINGS_MAX);
    if (n == LANDINGS_MAX) return false;
    for (int j = 0; j < n; j++) if (!walk_list(v, w, x, codes[j])) return false;
    return true;
}

/* Does the code between the pick and the leg come to the leg? */
INLINE bool comes_to_leg(vm *v, uint32_t pc, const bool known)
{
    v->tried = 0;
    v->mode = MODE_WALK;
    if (known) WALK(v, pc + 1); else run(v, pc + 1);
    v->mode = MODE_LIST;
    return v->tried != 0;
}

INLINE uint32_t past_jumps(const game *g, uint32_t pc)
{
    while (g->code[pc].op == OP_JUMP) pc = (uint32_t)g->code[pc].d;
    return pc;
}

/* Lists the options of a pick behind whose leg a decision ends. False if they must be tried. The registers that are written on the way to the leg
 * are not wanted by any choice that keeps no copy (compile/copies.c). */
INLINE bool last_legs(vm *v, const ins *i, uint32_t pc, const uint64_t *all, const bool known)
{
    const ins *step = i + i->c;
    if (!v->lean || v->mode != MODE_LIST || v->keep_doubles || v->ending || WATCH(v) || LENIENT(v) || MARKS(v) || H(H_UNDER) >= 0) return false;
    if (step->c && bag(v, step->c - 1)[0]) return false;
    last_walks w = { .path = UINT32_MAX, .leg = &G(v)->legs[step->a], .path_from = v->path_top, .behind = pc + i->c + 1, .tail = past_jumps(G(v), pc + i->c + 1) };
    const int64_t chosen = H(H_CHOSEN), here = H(H_HERE), start = H(H_START);
    uint64_t left[WORDS];
    bool done = true, there = false;
    words_copy(left, all, W(i, b));
    if (!ends_last(v, w.tail)) v->ending_count = v->ending_next = 0;
    for (int x; done && (x = set_pop(left)) >= 0;) {
        if (x >= G(v)->cells && equal_before(v, all, x)) continue;
        if (!there || i->d & PICK_ASKS) {
            H(H_CHOSEN) = chosen;
            choose_place(v, i, x);
            there = comes_to_leg(v, pc, known);
            if (!there && !(i->d & PICK_ASKS)) break;
            w.after = there ? leg_after(v, w.leg, &w.way) : NULL;
            if (w.after && !(i->d & PICK_ASKS)) {
                set_add(left, x);
                walks_apart(v, &w, left);
                if (!set_has(left, x)) continue;
                set_remove(left, x);
            }
        }
        if (there) done = walks_list(v, &w, x);
    }
    H(H_CHOSEN) = chosen, H(H_HERE) = here, H(H_START) = start;
    return done;
}
#endif
