/* Legs: where a step or slide may land, and what it does to the piece that walks. Included once per width by vm.c. */
#ifndef JOC_LEGS_H
#define JOC_LEGS_H

/* Which pattern items may still match: bit i: items before i are done. Skips items that may match nothing. */
static uint32_t pattern_open(const pattern_item *p, int n, uint32_t states)
{
    for (int i = 0; i < n; i++) if ((states >> i & 1) && (p[i].how == '*' || p[i].how == '?')) states |= 1u << (i + 1);
    return states;
}

static uint32_t pattern_step(const vm *v, const pattern_item *p, int n, uint32_t states, int place)
{
    uint32_t out = 0;
    for (int i = 0; i < n; i++) {
        if (!(states >> i & 1) || !set_has(v->set[p[i].set], place)) continue;
        if (p[i].how == '1' || p[i].how == '?') out |= 1u << (i + 1);
        else if (p[i].how == '*') out |= 1u << i;
        else out |= 1u << i | 1u << (i + 1);
    }
    /* `+` stays open after its first match as `*` would */
    return out;
}

enum { OPTIONS_MAX = 4096 };

/* The landings of a leg from one place: codes direction << 16 | place. */
static int leg_options(vm *v, const leg *l, int from, uint32_t *out, int cap)
{
    const game *g = G(v);
    int n = 0;
    if (from < 0) return 0;
    const uint64_t *target = l->target >= 0 ? S(l->target) : NULL;
    const int64_t times = relation_times(v, l->relation);
    const bool counted = g->relations[l->relation].times >= 0;
    const pattern_item *pattern = l->pattern_count ? g->patterns + l->pattern : NULL;
    if (counted && times <= 0) return 0;
    for (uint64_t m = relation_mask(v, l->relation); m; m &= m - 1) {
        int dir = __builtin_ctzll(m);
        const direction *d = &g->dirs[dir];
        if (d->graph) {
            uint64_t to[WORDS];
            if (!set_has(d->mask, from)) continue;
            set_copy(to, d->image + (size_t)from * (size_t)g->words);
            if (target) set_and(to, to, target);
            for (int x; (x = set_pop(to)) >= 0;) if (n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            continue;
        }
        if (counted && d->after && times <= STEPS_FAR && !l->slide && !pattern) {
            const int to = d->after[(size_t)times * (size_t)g->places + (size_t)from];
            if (to != 0xFFFF && (!target || set_has(target, to)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)to;
            continue;
        }
        int x = d->next[from];
        if (!counted && !l->slide && l->pattern_count == 0) {
            if (x != 0xFFFF && (!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            continue;
        }
        if (l->slide && !counted) {
            const uint64_t *empty = S(SET_EMPTY);
            for (int i = 0; x != 0xFFFF && i < g->places; i++, x = d->next[x]) {
                if (x == from) break;
                if ((!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
                if (!set_has(empty, x)) break;
            }
            continue;
        }
        uint32_t states = l->pattern_count ? pattern_open(pattern, l->pattern_count, 1) : 1;
        const bool any = l->pattern_count == 0 && !l->slide;
        for (int i = 1; x != 0xFFFF && i <= g->places; i++, x = d->next[x]) {
            bool matched = any || (l->slide ? true : (states >> l->pattern_count & 1));
            if ((!counted || i == times) && matched && (!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            if (counted && i >= times) break;
            if (any) continue;
            if (l->slide) { if (!set_has(S(SET_EMPTY), x)) break; continue; }
            states = pattern_open(pattern, l->pattern_count, pattern_step(v, pattern, l->pattern_count, states, x));
            if (!states) break;
        }
    }
    return n;
}

static void note_passed(vm *v, const leg *l, const direction *d, int from, int to)
{
    uint64_t *passed = S(SET_PASSED);
    set_clear(passed);
    if (d->graph) return;
    int64_t times = G(v)->relations[l->relation].times >= 0 ? relation_times(v, l->relation) : -1;
    int x = d->next[from];
    for (int i = 1; x != 0xFFFF && i <= G(v)->places; i++, x = d->next[x]) {
        if (times >= 0 ? i == times : x == to) break;
        set_add(passed, x);
    }
}

/* For notation: what the leg passed. */
static void note_way(vm *v, const leg *l, const direction *d, int from, int to)
{
    const int64_t times = G(v)->relations[l->relation].times >= 0 ? relation_times(v, l->relation) : -1;
    int x = d->graph ? 0xFFFF : d->next[from];
    for (int i = 1; x != 0xFFFF && i <= G(v)->places; i++, x = d->next[x]) {
        if (times >= 0 ? i == times : x == to) break;
        note(v, TOKEN_PASSED, x, 0);
    }
}

/* For notation: whom an effect takes. */
static void note_taken(vm *v, const uint64_t *s, uint32_t pc)
{
    uint64_t left[WORDS];
    v->note_pc = pc;
    set_and(left, s, S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0;) note(v, TOKEN_TOOK, x, 0);
}

/* The walk of a plain piece among plain piles: between cells, or into or out of a zone. Where it came to; -1 with a fault. */
INLINE int plain_walk(vm *v, int from, int to, bool *took)
{
    const game *g = G(v);
    const int code = plain_lift(v, from);
    if (to >= g->cells) return into_zone_plain(v, g->zone_of[to], code);
    if (!AT(v)[to]) { plane_put(v, to, code); return to; }
    if (has_room(v, to, code_owner(g, code))) { plain_add(v, to, code); return to; }
    *took = true;
    take_all(v, to);
    if (v->stop) return -1;
    plane_put(v, to, code);
    return to;
}

/* Is it such a walk? */
INLINE bool walks_plainly(const vm *v, const leg *l, int from, int to)
{
    const game *g = G(v);
    return piles_plain(g) && AT(v)[from] && !l->place_only && HEAD(v)[H_UNDER] < 0 && (to < g->cells ? l->settle : g->zone_of[to] >= 0 && g->zones[g->zone_of[to]].place == to);
}

INLINE void leg_make(vm *v, const leg *l, uint32_t code)
{
    const game *g = G(v);
    const int dir = (int)(code >> 16);
    int to = (int)(code & 0xFFFF);
    const int from = (int)H(H_HERE);
    bool took = false, walked = false;
    if (g->uses_passed && !l->silent) note_passed(v, l, &g->dirs[dir], from, to);
    if (walks_plainly(v, l, from, to)) {
        walked = true;
        to = plain_walk(v, from, to, &took);
        if (to < 0) return;
    } else if (g->simple_pieces && g->zone_count && AT(v)[from] && !l->place_only && H(H_UNDER) < 0 && (to < g->cells ? l->settle || !AT(v)[to] : g->zone_of[to] >= 0 && g->zones[g->zone_of[to]].place == to)) {
        const int mover_code = AT(v)[from];
        walked = true;
        plane_lift(v, from, mover_code);
        if (to >= g->cells) {
            to = into_zone_plain(v, g->zone_of[to], mover_code);
            if (to < 0) return;
        } else {
            if (AT(v)[to]) { took = true; take_plain(v, to); if (v->stop) return; }
            plane_put(v, to, mover_code);
        }
    } else if (AT(v)[from] && to < g->cells && from < g->cells && !has_piles(g) && H(H_UNDER) < 0 && (l->settle || !AT(v)[to])) {
        const int mover_code = AT(v)[from];
        walked = true;
        if (AT(v)[to]) { took = true; if (g->simple_pieces) take_plain(v, to); else take_all(v, to); if (v->stop) return; }
        plane_move(v, from, to, mover_code);
        if (g->piece_keeps) keeps_move(v, from, to);
    } else if (AT(v)[from] && !l->place_only) {
        walked = true;
        piece p = piece_lift(v, from);
        if (H(H_UNDER) == from) {
            struct pile *u = pile_at(v, -1);
            for (int i = 0; i < u->count; i++) {
                const piece back = pile_get(v, u, i);
                if (i + 1 < u->count) pile_push(v, from, &back);
                else piece_set(v, from, &back);
            }
            memset(u, 0, g->pile_stride);
            H(H_UNDER) = -1;
        }
        if (to >= g->cells) {
            int z = g->zone_of[to];
            const zone *w = &g->zones[z];
            if (to == w->place) { to = free_slot(v, w->first, w->slots, "more pieces in a zone than it can hold"); if (to < 0) return; }
            if (w->owner >= 0) p.code = (uint16_t)code_of(g, w->owner, code_kind(g, p.code));
            if (AT(v)[to]) take_all(v, to);
            if (v->stop) return;
            piece_set(v, to, &p);
        } else if (!AT(v)[to]) {
            piece_set(v, to, &p);
        } else if (has_room(v, to, code_owner(g, p.code))) {
            const piece top = piece_unset(v, to);
            pile_push(v, to, &top);
            piece_set(v, to, &p);
        } else if (l->settle) {
            took = true;
            take_all(v, to);
            if (v->stop) return;
            piece_set(v, to, &p);
        } else {
            took = true;
            struct pile *u = pile_at(v, -1);
            memset(u, 0, g->pile_stride);
            if (has_piles(g)) {
                memcpy(u, pile_at(v, to), g->pile_stride);
                while (pile_at(v, to)->count) pile_pop(v, to);
            }
            const piece top = piece_unset(v, to);
            pile_push(v, -1, &top);
            H(H_UNDER) = to;
            piece_set(v, to, &p);
        }
    }
    H(H_HERE) = to;
    H(H_CHOSEN)++;
    if (TOKENS(v) && walked) {
        note(v, took ? TOKEN_TAKE_TO : TOKEN_TO, to, from);
        note_way(v, l, &g->dirs[dir], from, (int)(code & 0xFFFF));
    }
}

/* Where a leg of so many steps along one direction leads, by place: 0xFFFF nowhere; NULL if it is not such a leg. `way`: its direction, as in a code. */
INLINE const uint16_t *leg_after(const vm *v, const leg *l, uint32_t *way)
{
    const relation *r = &G(v)->relations[l->relation];
    const uint64_t ways = relation_mask(v, l->relation);
    if (r->times < 0 || l->slide || l->pattern_count || !ways || ways & (ways - 1)) return NULL;
    const int dir = __builtin_ctzll(ways);
    const int64_t times = N(r->times);
    if (!G(v)->dirs[dir].after || times < 1 || times > STEPS_FAR) return NULL;
    *way = (uint32_t)dir << 16;
    return G(v)->dirs[dir].after + (size_t)times * (size_t)G(v)->places;
}

static void leg_apply(vm *v, const leg *l, uint32_t code) { leg_make(v, l, code); }
#endif
