/* Relations: steps, images, reaches and lines of whole sets. Included once per width by vm.c. */
#ifndef JOC_RELATIONS_H
#define JOC_RELATIONS_H

/* The directions of a relation that are known. */
INLINE uint64_t ways_of(const vm *v, const relation *x)
{
    return G(v)->player_count == 2 && x->mask[0] == x->mask[1] ? x->mask[0] : x->mask[HEAD(v)[H_MOVER]];
}

INLINE uint64_t relation_mask(const vm *v, int r)
{
    const relation *x = &G(v)->relations[r];
    return x->reg >= 0 ? (uint64_t)NUM(v)[x->reg] : ways_of(v, x);
}

/* Where one step leads from each place. */
INLINE const uint64_t *images_of(const vm *v, const relation *x)
{
    return x->images[G(v)->player_count == 2 && x->images[0] == x->images[1] ? 0 : HEAD(v)[H_MOVER]];
}

static inline int64_t relation_times(const vm *v, int r)
{
    const relation *x = &G(v)->relations[r];
    return x->times >= 0 ? NUM(v)[x->times] : 1;
}

/* out := the places one step of d from those of s, by one shift of all. */
static inline void step_shift(const direction *d, const uint64_t *s, uint64_t *out)
{
    uint64_t from[WORDS];
    set_and(from, s, d->mask);
    set_shift(out, from, d->shift);
}

/* out |= the places one step of d from those of s, by a few shifts, each for a part of them. */
INLINE void step_parts(const direction *d, const uint64_t *s, uint64_t *out)
{
    uint64_t from[WORDS], to[WORDS];
    for (int i = 0; i < d->part_count; i++) {
        set_and(from, s, d->parts[i].mask);
        set_shift(to, from, d->parts[i].shift);
        set_or(out, out, to);
    }
}

/* out |= the places one step of d from those of s, where d is no shift. */
static __attribute__((noinline)) void step_otherwise(const vm *v, const direction *d, const uint64_t *s, uint64_t *out)
{
    if (d->part_count) { step_parts(d, s, out); return; }
    uint64_t from[WORDS];
    set_and(from, s, d->mask);
    for (int x; (x = set_pop(from)) >= 0;) {
        if (d->graph) set_or(out, out, d->image + (size_t)x * (size_t)G(v)->words);
        else set_add(out, d->next[x]);
    }
}

/* out |= the places one step of d from those of s. out may not be s. */
INLINE void step_into(const vm *v, const direction *d, const uint64_t *s, uint64_t *out)
{
    if (!d->shift && __builtin_constant_p(d->part_count) && d->part_count) { step_parts(d, s, out); return; }
    if (!d->shift) { step_otherwise(v, d, s, out); return; }
    uint64_t to[WORDS];
    step_shift(d, s, to);
    set_or(out, out, to);
}

static void image(const vm *v, uint64_t dirs, const uint64_t *s, int64_t times, uint64_t *out)
{
    uint64_t result[WORDS];
    set_clear(result);
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &G(v)->dirs[__builtin_ctzll(dirs)];
        if (times == 1) { step_into(v, d, s, result); continue; }
        uint64_t now[WORDS], then[WORDS];
        set_copy(now, s);
        for (int64_t i = 0; i < times && set_any(now); i++) { set_clear(then); step_into(v, d, now, then); set_copy(now, then); }
        if (times >= 0) set_or(result, result, now);
    }
    set_copy(out, result);
}

/* The same for one step along directions that are known. */
KNOWN void image_once(const vm *v, uint64_t dirs, const uint64_t *s, uint64_t *out)
{
    uint64_t result[WORDS];
    set_clear(result);
    EACH_WAY(m, dirs) step_into(v, &G(v)->dirs[__builtin_ctzll(m)], s, result);
    set_copy(out, result);
}

/* The image of a set by a relation: of few places one after another, of many along one direction after another. */
KNOWN void relation_image(const vm *v, const relation *r, const uint64_t *s, uint64_t *out)
{
    const uint64_t *images = images_of(v, r);
    const int count = set_count(s);
    if (!images || count > r->many[H(H_MOVER)]) { image_once(v, ways_of(v, r), s, out); return; }
    if (count == 1) { set_copy(out, images + (size_t)set_first(s) * WORDS); return; }
    uint64_t left[WORDS], result[WORDS];
    set_copy(left, s);
    set_clear(result);
    for (int x; (x = set_pop(left)) >= 0;) set_or(result, result, images + (size_t)x * WORDS);
    set_copy(out, result);
}

KNOWN void reach(const vm *v, const uint64_t *s, const uint64_t *through, uint64_t dirs, uint64_t *out)
{
    uint64_t seen[WORDS], fresh[WORDS], next[WORDS];
    set_copy(seen, s);
    set_copy(fresh, s);
    while (set_any(fresh)) {
        set_clear(next);
        EACH_WAY(m, dirs) step_into(v, &G(v)->dirs[__builtin_ctzll(m)], fresh, next);
        EACH_WORD(k) { fresh[k] = next[k] & through[k] & ~seen[k]; seen[k] |= fresh[k]; }
    }
    set_copy(out, seen);
}

/* Is there a run of n cells of s along d? */
INLINE bool has_run(const vm *v, const direction *d, const uint64_t *s, int64_t n)
{
    uint64_t left[WORDS], next[WORDS];
    if (d->shift) {
        /* left: the cells at which a run of k begins. The last of it is a cell, so what lies behind that may be asked without a mask. */
        set_shift(next, s, -d->shift);
        EACH_WORD(i) left[i] = s[i] & next[i] & d->mask[i];
        for (int64_t k = 2, more; k < n && set_any(left); k += more) {
            more = k - 1 < n - k ? k - 1 : n - k;
            set_shift(next, left, -d->shift * (int)more);
            set_and(left, left, next);
        }
        return set_any(left);
    }
    set_copy(left, s);
    for (int64_t i = 1; i < n && set_any(left); i++) { set_clear(next); step_into(v, d, left, next); set_and(left, next, s); }
    return set_any(left);
}

/* What runs are wanted: how long, and (if not NULL) right before which cells they must end. */
typedef struct { int64_t low, high; const uint64_t *before; } run_wanted;

/* out |= the run of s that begins at x, if it is wanted. */
static void add_run(const direction *d, int x, const uint64_t *s, run_wanted w, uint64_t *out)
{
    uint64_t cells[WORDS];
    int64_t length = 0;
    set_clear(cells);
    for (; x != 0xFFFF && set_has(s, x) && !set_has(cells, x); x = d->next[x]) { set_add(cells, x); length++; }
    if (length < w.low || length > w.high) return;
    if (w.before && (x == 0xFFFF || !set_has(w.before, x))) return;
    set_or(out, out, cells);
}

/* The same of the run right behind x, however long, where the direction has rays. */
INLINE void ray_run(const direction *d, int x, const uint64_t *s, const uint64_t *before, uint64_t *out)
{
    const uint64_t *ray = d->rays + (size_t)x * WORDS;
    uint64_t stop[WORDS], cells[WORDS];
    set_andn(stop, ray, s);
    const int end = !before ? 0 : d->rising ? set_first(stop) : set_last(stop);
    if (end < 0 || (before && !set_has(before, end))) return;
    if (d->rising) set_up_to(cells, ray, stop); else set_down_to(cells, ray, stop);
    EACH_WORD(k) out[k] |= cells[k] & s[k];
}

/* May a run be long enough? */
KNOWN bool long_run(const vm *v, const uint64_t *s, int rel, int64_t low)
{
    if (low <= 1) return set_any(s);
#if WORDS == 1
    if (lanes_for(v, rel)) return lanes_run(lanes_for(v, rel), s[0], low);
#endif
    const uint64_t dirs = relation_mask(v, rel);
    EACH_WAY(m, dirs) {
        const int way = __builtin_ctzll(m), back = G(v)->dirs[way].opposite;
        if (back >= 0 && back < way && (dirs >> back & 1)) continue;
        if (has_run(v, &G(v)->dirs[way], s, low)) return true;
    }
    return false;
}

/* Cells of whole runs of s along each direction, of length low .. high; with a and b, those just after a cell of a and just before one of b. */
KNOWN void lines(const vm *v, const uint64_t *s, int rel, int64_t low, int64_t high, const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    const run_wanted wanted = { low, high, b };
    uint64_t result[WORDS];
    set_clear(result);
    if (!a && low > 1 && low <= 12 && !long_run(v, s, rel, low)) { set_clear(out); return; }
    const int alone = a && set_count(a) == 1 ? set_first(a) : -1;
#if WORDS == 1
    if (alone >= 0 && b && low == 1 && high >= PLACES_MAX && lanes_for(v, rel)) { out[0] = lanes_between(lanes_for(v, rel), a[0], s[0], b[0] & ~s[0]); return; }
#endif
    uint64_t dirs = relation_mask(v, rel), rest = 0;
    if (alone >= 0 && low == 1 && high >= PLACES_MAX) {
        EACH_WAY(m, dirs) {
            const direction *d = &G(v)->dirs[__builtin_ctzll(m)];
            if (d->rays) ray_run(d, alone, s, b, result); else rest |= m & -m;
        }
        dirs = rest;
    }
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &G(v)->dirs[__builtin_ctzll(dirs)];
        if (!a && d->opposite >= 0 && (dirs >> d->opposite & 1)) continue;      /* the later one of the two finds the same runs */
        if (alone >= 0 && !d->graph) {
            const int x = d->next[alone];
            if (x != 0xFFFF && set_has(s, x)) add_run(d, x, s, wanted, result);
            continue;
        }
        uint64_t starts[WORDS], before[WORDS];
        set_clear(before);
        step_into(v, d, a ? a : s, before);
        if (a) set_and(starts, before, s); else set_andn(starts, s, before);
        for (int x; (x = set_pop(starts)) >= 0;) add_run(d, x, s, wanted, result);
    }
    set_copy(out, result);
}
#endif
