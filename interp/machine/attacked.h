/* What an enemy could take. Included once per width by vm.c. */
#ifndef JOC_ATTACKED_H
#define JOC_ATTACKED_H

/* out |= all landings of the leg from the places of `from` (targets not looked at). */
static void leg_image(vm *v, const leg *l, const uint64_t *from, uint64_t *out)
{
    const game *g = G(v);
    if (l->slide) {
        const uint64_t *empty = S(SET_EMPTY);
        for (uint64_t m = relation_mask(v, l->relation); m; m &= m - 1) {
            const direction *d = &g->dirs[__builtin_ctzll(m)];
            uint64_t now[WORDS], seen[WORDS], then[WORDS];
            set_copy(now, from);
            set_clear(seen);
            do {
                set_clear(then);
                step_into(v, d, now, then);
                EACH_WORD(k) { then[k] &= ~seen[k]; seen[k] |= then[k]; now[k] = then[k] & empty[k]; }
            } while (set_any(now));
            set_or(out, out, seen);
        }
        return;
    }
    if (l->pattern_count == 0) {
        uint64_t all[WORDS];
        image(v, relation_mask(v, l->relation), from, relation_times(v, l->relation), all);
        set_or(out, out, all);
        return;
    }
    uint64_t left[WORDS];
    set_copy(left, from);
    leg open = *l;
    open.target = -1;
    uint32_t codes[256];
    for (int x; (x = set_pop(left)) >= 0;) {
        int n = leg_options(v, &open, x, codes, 256);
        for (int i = 0; i < n; i++) set_add(out, (int)(codes[i] & 0xFFFF));
    }
}

/* Can the run at pc be completed? The caller goes on at `after` (0: it may want all registers). */
static bool exists(vm *v, uint32_t pc, uint32_t after)
{
    int mode = v->mode, frames = v->frame_count;
    size_t guide = v->guide;
    v->guide = 0;
    bool stop = v->stop, found = v->found;
    token *tokens = TOKENS(v);
    size_t path_top = v->path_top;
    size_t mark = save(v, after);
    uint64_t completed = v->completed;
    v->mode = MODE_EXISTS;
    v->stop = v->found = false;
    if (tokens) v->tokens = NULL;
    v->frame_count = 0;
    if (!v->fault) run(v, pc);
    bool yes = v->found;
    v->guide = guide;
    v->mode = mode;
    v->stop = stop || v->fault;
    v->found = found;
    if (tokens) v->tokens = tokens;
    v->frame_count = frames;
    v->path_top = path_top;
    v->completed = completed;
    restore(v, mark, after);
    forget(v, mark);
    return yes;
}

/* Could the piece that stands (or would stand) on `place`, of player `me`, be taken by one of the rules that take otherwise than by landing? */
static bool probe(vm *v, int place, int64_t me, int64_t foe)
{
    const game *g = G(v);
    size_t mark = save(v, 0);
    int was = v->probe_place;
    if (!AT(v)[place] || code_owner(g, AT(v)[place]) != me) {
        if (AT(v)[place]) piece_unset(v, place);
        plane_put(v, place, code_of(g, (int)me, g->kind_count));
    }
    set_mover(v, foe);
    H(H_UNDER) = -1;
    v->probe_place = place;
    bool yes = exists(v, g->attack_probe, 0);
    v->probe_place = was;
    restore(v, mark, 0);
    forget(v, mark);
    return yes;
}

/* The attack, once its geometry fits: may it be made from a place of `from` on `cell`? */
static bool attack_holds(vm *v, const attack *a, uint64_t *from, int cell)
{
    if (a->guard_pc) { RUN(v, a->guard_pc); if (!N(a->guard)) return false; }
    if (a->from_pc) { RUN(v, a->from_pc); set_and(from, from, S(a->from)); if (!set_any(from)) return false; }
    if (a->target_pc) {
        set_clear(S(G(v)->asked));
        set_add(S(G(v)->asked), cell);
        RUN(v, a->target_pc);
        if (a->target >= 0 && !set_has(S(a->target), cell)) return false;
    }
    return true;
}

/* Could `foe`, whose eyes are set, take on this cell by landing? Looks outwards from the cell. */
static bool attacked_from(vm *v, int cell)
{
    const game *g = G(v);
    const uint64_t *own = S(SET_OWN), *empty = S(SET_EMPTY);
    const int64_t foe = H(H_MOVER);
    int16_t blocker[DIRS_MAX];
    uint64_t known = 0;
    for (int i = 0; i < g->attack_count; i++) {
        const attack *a = &g->attacks[i];
        const leg *l = &g->legs[a->leg];
        uint64_t from[WORDS], hit[WORDS];
        set_copy(from, S(g->kind_first + g->lists[a->kinds]));
        for (int j = 1; j < a->kind_count; j++) set_or(from, from, S(g->kind_first + g->lists[a->kinds + j]));
        set_and(from, from, own);
        if (!set_any(from)) continue;
        set_clear(hit);
        if (a->reverse) {
            set_and(from, from, a->reverse + ((size_t)foe * (size_t)g->cells + (size_t)cell) * WORDS);
            if (!set_any(from)) continue;
        }
        if (l->slide && a->reverse) {
            for (uint64_t m = a->back[foe]; m; m &= m - 1) {
                const int d = __builtin_ctzll(m);
                if (!set_meets(from, g->dirs[d].rays + (size_t)cell * WORDS)) continue;
                if (!(known >> d & 1)) {
                    const direction *x = &g->dirs[d];
                    uint64_t blocked[WORDS];
                    set_andn(blocked, x->rays + (size_t)cell * WORDS, empty);
                    blocker[d] = (int16_t)(x->rising ? set_first(blocked) : set_last(blocked));
                    known |= 1ull << d;
                }
                if (blocker[d] >= 0 && set_has(from, blocker[d])) set_add(hit, blocker[d]);
            }
        } else if (a->reverse) set_copy(hit, from);
        else {
            uint64_t to[WORDS];
            set_clear(to);
            if (a->from_pc) { RUN(v, a->from_pc); set_and(from, from, S(a->from)); }     /* and what may be passed */
            if (l->pattern_count && a->target_pc) RUN(v, a->target_pc);     /* what is passed over is worked out there too */
            leg_image(v, l, from, to);
            if (set_has(to, cell)) set_copy(hit, from);
        }
        if (set_any(hit) && attack_holds(v, a, hit, cell)) return true;
    }
    return false;
}

/* Can none of the rules that take otherwise than by landing do anything now, nor after a quiet move? */
static bool probe_asleep(const vm *v)
{
    const game *g = G(v);
    if (!g->attack_probe) return true;
    for (int i = 0; i < g->wake_count; i++) if (set_any(S(g->lists[g->wakes + i]))) return false;
    return g->wake_count > 0;
}

static void attacked(vm *v, const uint64_t *asked, uint64_t *out)
{
    const game *g = G(v);
    const int64_t me = H(H_MOVER);
    uint64_t result[WORDS], want[WORDS], old[WORDS];
    set_clear(result);
    EACH_WORD(k) want[k] = asked[k] & cells_word(g, k);
    const bool few = set_count(want) < 3;
    for (int64_t foe = 0; foe < g->player_count && set_any(want); foe++) {
        if (foe == me || (H(H_OUT) >> foe & 1)) continue;
        set_mover(v, foe);
        if (few) {
            uint64_t cells[WORDS];
            EACH_WORD(k) cells[k] = want[k] & ~result[k];
            for (int x; (x = set_pop(cells)) >= 0;) if (attacked_from(v, x)) set_add(result, x);
        }
        set_copy(old, S(g->asked));
        set_copy(S(g->asked), want);
        for (int i = 0; !few && i < g->attack_count; i++) {
            const attack *a = &g->attacks[i];
            uint64_t from[WORDS], to[WORDS];
            set_clear(from);
            for (int j = 0; j < a->kind_count; j++) set_or(from, from, S(g->kind_first + g->lists[a->kinds + j]));
            set_and(from, from, S(SET_OWN));
            if (!set_any(from)) continue;
            if (a->guard_pc) { RUN(v, a->guard_pc); if (!N(a->guard)) continue; }
            if (a->from_pc) { RUN(v, a->from_pc); set_and(from, from, S(a->from)); }
            set_clear(to);
            if (g->legs[a->leg].pattern_count && a->target_pc) RUN(v, a->target_pc);
            leg_image(v, &g->legs[a->leg], from, to);
            set_and(to, to, want);
            if (!set_any(to)) continue;
            if (a->target_pc) { RUN(v, a->target_pc); if (a->target >= 0) set_and(to, to, S(a->target)); }
            set_or(result, result, to);
        }
        set_copy(S(g->asked), old);
        set_mover(v, me);
        if (probe_asleep(v)) continue;
        uint64_t left[WORDS];
        EACH_WORD(k) left[k] = want[k] & ~result[k];
        for (int x; (x = set_pop(left)) >= 0;) if (probe(v, x, me, foe)) set_add(result, x);
    }
    set_and(out, result, asked);
}
#endif
