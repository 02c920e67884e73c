/* What instructions do that is not said in a line or two. Included once per width by vm.c. */
#ifndef JOC_BODIES_H
#define JOC_BODIES_H

#define APART static __attribute__((noinline))      /* so that `run` itself stays small */

APART int64_t opposites(const vm *v, int64_t dirs)
{
    uint64_t out = 0;
    for (uint64_t m = (uint64_t)dirs; m; m &= m - 1) { const int o = G(v)->dirs[__builtin_ctzll(m)].opposite; if (o >= 0) out |= 1ull << o; }
    return (int64_t)out;
}

KNOWN int64_t step_from(const vm *v, const ins *i)
{
    int64_t x = N(i->b), times = i->e >= 0 ? N(i->e) : relation_times(v, i->d);
    const uint64_t mask = relation_mask(v, i->d);
    const direction *d = mask ? &G(v)->dirs[__builtin_ctzll(mask)] : NULL;
    for (; times > 0 && x >= 0; times--) x = d && d->next[x] != 0xFFFF ? d->next[x] : -1;
    return x;
}

APART void enemies(vm *v, uint64_t *to)
{
    uint64_t out[WORDS];
    set_clear(out);
    for (int p = 0; p < G(v)->player_count; p++) if (p != H(H_MOVER)) set_or(out, out, S(SET_PLAYERS + p));
    set_copy(to, out);
}

APART void line(vm *v, const ins *i)
{
    lines(v, S(i->b), i->d, i->c == NO_OPERAND ? 1 : N(i->c), i->e == NO_OPERAND ? PLACES_MAX : N(i->e), NULL, NULL, S(i->a));
}

KNOWN void line_between(vm *v, const ins *i)
{
    const uint32_t e = (uint32_t)i->e;
    lines(v, S(i->b), i->d, e >> 16 & 255, e >> 24 == 255 ? PLACES_MAX : e >> 24, S(i->c), (e & 0xFFFF) == NO_OPERAND ? NULL : S(e & 0xFFFF), S(i->a));
}

APART void field_in_bag(vm *v, const ins *i)
{
    uint64_t out[WORDS];
    const int16_t *b = bag(v, i->b);
    int64_t x;
    set_clear(out);
    for (int p = 0; p < G(v)->places; p++) if (field_at(v, i->d, p, &x)) for (int j = 1; j <= b[0]; j++) if (b[j] == x) { set_add(out, p); break; }
    set_copy(S(i->a), out);
}

APART void fields_compared(vm *v, const ins *i)
{
    uint64_t out[WORDS];
    int64_t x, y;
    set_clear(out);
    for (int p = 0; p < G(v)->places; p++) if (field_at(v, i->d, p, &x) && field_at(v, i->e, p, &y) && compares(x, i->c, y)) set_add(out, p);
    set_copy(S(i->a), out);
}

APART void changed(vm *v, uint64_t *to)
{
    uint64_t out[WORDS];
    set_clear(out);
    for (int p = 0; p < G(v)->cells; p++) if (CHANGED(v)[p] != AT(v)[p]) set_add(out, p);
    set_copy(to, out);
}

APART void bag_join(vm *v, int to, int other)
{
    int16_t from[BAG_MAX + 1];
    memcpy(from, bag(v, other), sizeof from);
    for (int j = 1; j <= from[0]; j++) bag_add(v, to, from[j]);
}

APART void bag_field(vm *v, const ins *i)
{
    uint64_t left[WORDS];
    int64_t x;
    set_copy(left, S(i->b));
    memset(bag(v, i->a), 0, sizeof(int16_t) * (BAG_MAX + 1));
    for (int p; (p = set_pop(left)) >= 0;) if (field_at(v, i->d, p, &x)) bag_add(v, i->a, x);
}

APART int64_t bag_holds(const vm *v, int b, int64_t x)
{
    const int16_t *p = bag(v, b);
    for (int j = 1; j <= p[0]; j++) if (p[j] == x) return 1;
    return 0;
}

/* The same repetition may be under way further out. */
APART void flood(vm *v, const ins *i, uint32_t pc)
{
    uint64_t *f = v->floods + (size_t)i->d * WORDS, outer[WORDS];
    set_copy(outer, f);
    set_clear(f);
    run(v, pc + 1);
    set_copy(f, outer);
}

static bool flood_goes_on(vm *v, const ins *i)
{
    uint64_t *f = v->floods + (size_t)i->c * WORDS;
    if (H(H_HERE) < 0 || set_has(f, (int)H(H_HERE))) return false;
    set_add(f, (int)H(H_HERE));
    return true;
}

KNOWN void turn_done(vm *v)
{
    const game *g = G(v);
    if (H(H_OUT) && !H(H_OVER) && g->player_count > 1 && last_player(v) >= 0) win_for(v, last_player(v));
    if (H(H_OVER) && g->score_pc) scores(v);
    if (H(H_OUT) && H(H_NEXT) >= 0 && H(H_OUT) >> H(H_NEXT) & 1) H(H_NEXT) = next_player(v, H(H_NEXT));      /* an end has put him out */
    const int64_t next = H(H_NEXT);
    H(H_EXTRA) = H(H_AGAIN) && next == H(H_ACTOR);
    if (next >= 0) set_mover(v, next);
    turn_begin(v);
    H(H_RESUME) = 0;
    H(H_CHOSEN) = H(H_COUNTED) = H(H_LOOPS) = H(H_ACTED) = 0;
}

APART void setup_done(vm *v)
{
    const int64_t next = H(H_NEXT) >= 0 ? H(H_NEXT) : 0;
    H(H_NEXT) = next;
    history_push(v, false);
    set_mover(v, next);
    turn_begin(v);
    H(H_RESUME) = H(H_RANK) = H(H_CHOSEN) = H(H_LOOPS) = H(H_ACTED) = 0;
    clear_dead(v, 0);
    if (v->mode == MODE_COLLECT) v->border = true;
    if (v->mode == MODE_LIST || v->mode == MODE_EXISTS) emit(v, LEAF_OVER, 0);
}

/* The piece there has another code: what kind it is, and the key, follow. */
static inline void recode(vm *v, int place, int code)
{
    const game *g = G(v);
    const code_info *was = &g->codes[AT(v)[place]], *now = &g->codes[code];
    if (was->kind_plane != now->kind_plane) {
        if (was->kind_plane >= 0) set_remove(S(was->kind_plane), place);
        if (now->kind_plane >= 0) set_add(S(now->kind_plane), place);
    }
    AT(v)[place] = (uint16_t)code;
    H(H_CONTENTS) = (int64_t)((uint64_t)H(H_CONTENTS) + g->place_keys[place] * (now->key - was->key));
}

/* A change of owner or kind leaves each piece where it is: only two planes and the code know of it. */
KNOWN void become_owner(vm *v, const uint64_t *set, int owner)
{
    const game *g = G(v);
    uint64_t left[WORDS], cells[WORDS];
    set_and(left, set, S(SET_OCCUPIED));
    EACH_WORD(k) cells[k] = left[k] & cells_word(g, k);
    for (int p = -1; p < g->player_count; p++) {
        uint64_t *plane = S(p < 0 ? SET_NEUTRAL : SET_PLAYERS + p);
        if (p == owner) set_or(plane, plane, cells); else set_andn(plane, plane, cells);
    }
    for (int x; (x = set_pop(left)) >= 0;) recode(v, x, code_of(g, owner, code_kind(g, AT(v)[x])));
}

APART void become_kind(vm *v, const uint64_t *set, int k)
{
    uint64_t left[WORDS];
    set_and(left, set, S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0;) recode(v, x, code_of(G(v), code_owner(G(v), AT(v)[x]), k));
}

APART void set_flag(vm *v, const ins *i)
{
    const keep *k = &G(v)->keeps[i->d];
    uint64_t *flag = S(k->where), to[WORDS];
    if (k->of == KEEP_PIECE) set_and(to, S(i->a), S(SET_OCCUPIED)); else set_copy(to, S(i->a));
    if (i->c) set_or(flag, flag, to); else set_andn(flag, flag, to);
}

APART void become_seen(vm *v, const ins *i)
{
    const game *g = G(v);
    for (int p = 0; p < g->player_count; p++) {
        uint64_t *flag = S(g->keeps[g->seen_first + p].where), seen[WORDS];
        if (i->b != NO_OPERAND && N(i->b) != p) continue;
        set_and(seen, S(i->a), S(SET_OCCUPIED));
        set_or(flag, flag, seen);
    }
}

/* The decision of a run in mode PLAY is made; what follows is the rest of the turn, or its next decision at `resume`. */
static void decided(vm *v, leaf_kind kind, uint32_t resume)
{
    v->ended = kind;
    v->mode = MODE_STRAIGHT;
    if (resume) { H(H_LOOPS) = 0; if (H(H_CHOSEN)) H(H_ACTED) = 1; }
    else budget_anew(v);
    H(H_CHOSEN) = 0;
    H(H_RESUME) = resume;
}

/* Collecting came to chance, or to the end of the set-up, with nothing chosen on the way: there it stops. */
static void come_to_border(vm *v, uint32_t resume)
{
    v->border = true;
    H(H_CHOSEN) = H(H_LOOPS) = 0;
    H(H_RESUME) = resume;
}

/* The places of a set, each behind the one that leads to it. */
static void note_cells(vm *v, const uint64_t *set, int along)
{
    uint64_t left[WORDS], led[WORDS];
    set_copy(left, set);
    for (int n = 0, x; (x = set_first(left)) >= 0; n++) {
        if (along >= 0) {
            image(v, relation_mask(v, along), left, 1, led);
            set_andn(led, left, led);
            if (set_any(led)) x = set_first(led);
        }
        note(v, TOKEN_CELL, x, n);
        set_remove(left, x);
    }
}
#endif
