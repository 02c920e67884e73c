/* Can a repetition go on behind its first leg? Asked without making the leg (compile/stops.c). Included once per width by vm.c. */
#ifndef JOC_STOPS_H
#define JOC_STOPS_H

/* What stands where when a leg has been made. */
typedef struct { uint64_t empty[WORDS], occupied[WORDS], own[WORDS], enemy[WORDS]; } after;

INLINE void after_leg(const vm *v, bool takes, const direction *d, int from, int to, after *a)
{
    uint64_t gone[WORDS];
    set_clear(gone);
    set_add(gone, from);
    if (takes) for (int x = d->next[from]; x != to; x = d->next[x]) set_add(gone, x);
    set_or(a->empty, S(SET_EMPTY), gone);
    set_andn(a->occupied, S(SET_OCCUPIED), gone);
    set_andn(a->own, S(SET_OWN), gone);
    set_andn(a->enemy, S(SET_ENEMY), gone);
    set_remove(a->empty, to);
    set_add(a->occupied, to);
    set_add(a->own, to);
    set_remove(a->enemy, to);
}

INLINE bool after_has(const vm *v, const after *a, int set, int place)
{
    switch (set) {
    case SET_EMPTY: return set_has(a->empty, place);
    case SET_OCCUPIED: return set_has(a->occupied, place);
    case SET_OWN: return set_has(a->own, place);
    case SET_ENEMY: return set_has(a->enemy, place);
    default: return set_has(S(set), place);
    }
}

INLINE bool leg_possible(const vm *v, const after *a, const leg *l, int from)
{
    const pattern_item *p = G(v)->patterns + l->pattern;
    for (uint64_t m = ways_of(v, &G(v)->relations[l->relation]); m; m &= m - 1) {
        const direction *d = &G(v)->dirs[__builtin_ctzll(m)];
        int x = d->next[from];
        for (int i = 0; i < l->pattern_count && x != 0xFFFF; i++) x = after_has(v, a, p[i].set, x) ? d->next[x] : 0xFFFF;
        if (x != 0xFFFF && after_has(v, a, l->target, x)) return true;
    }
    return false;
}

KNOWN_PLAN bool body_goes_on(const vm *v, const plan_item *item, const direction *d, int from, int to)
{
    const int32_t *legs = G(v)->lists + item->body;
    after a;
    after_leg(v, item->body_takes, d, from, to, &a);
    for (int i = 0; i < item->body_count; i++, legs += 2) {
        if (legs[1] >= 0 && set_has(S(legs[1] & 0xFFFFF), to) == (legs[1] >> 20 & 1)) continue;
        if (leg_possible(v, &a, &G(v)->legs[legs[0]], to)) return true;
    }
    return false;
}
#endif
