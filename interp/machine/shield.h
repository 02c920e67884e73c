/* The shield: where the filter asks whether one piece of the mover's is attacked, moves that cannot expose it need not be tried. Included once per
 * width by vm.c. */
#ifndef JOC_SHIELD_H
#define JOC_SHIELD_H

/* Pieces of ours that alone stand between the cell and one of those that attack along a line. */
static void pinned_by(const vm *v, const attack *a, int cell, uint64_t *pinned)
{
    const game *g = G(v);
    const uint64_t *empty = S(SET_EMPTY), *own = S(SET_OWN);
    for (uint64_t m = a->back[1 - H(H_MOVER)]; m; m &= m - 1) {
        const direction *d = &g->dirs[__builtin_ctzll(m)];
        uint64_t blocked[WORDS];
        set_andn(blocked, d->rays + (size_t)cell * WORDS, empty);
        const int first = d->rising ? set_first(blocked) : set_last(blocked);
        if (first < 0 || !set_has(own, first)) continue;
        set_andn(blocked, d->rays + (size_t)first * WORDS, empty);
        const int second = d->rising ? set_first(blocked) : set_last(blocked);
        if (second < 0 || set_has(own, second)) continue;
        for (int j = 0; j < a->kind_count; j++) if (set_has(S(g->kind_first + g->lists[a->kinds + j]), second)) set_add(pinned, first);
    }
}

/* Where the shielded piece is not attacked, a move that only leaves one place for another can expose it from along a line alone: these are the
 * pieces that stand in one. False if it is attacked now, or if that cannot be said. */
static bool shield_pins(vm *v, uint64_t *pinned)
{
    const game *g = G(v);
    if (!g->shield || g->player_count != 2 || !probe_asleep(v)) return false;
    uint64_t kings[WORDS], hit[WORDS];
    set_and(kings, S(SET_OWN), S(g->kind_first + __builtin_ctzll(g->shield_kinds)));
    if (set_count(kings) != 1) return false;
    for (int i = 0; i < g->keep_count; i++) if (g->keeps[i].of == KEEP_CELL && g->keeps[i].type == KEEP_FLAG && set_any(S(g->keeps[i].where))) return false;
    for (int i = 0; i < g->attack_count; i++) if (!g->attacks[i].reverse || g->attacks[i].guard_pc || g->attacks[i].from_pc) return false;
    attacked(v, kings, hit);
    if (set_any(hit)) return false;
    set_clear(pinned);
    for (int i = 0; i < g->attack_count; i++) if (g->legs[g->attacks[i].leg].slide) pinned_by(v, &g->attacks[i], set_first(kings), pinned);
    return true;
}

/* Of a batch, the bits of pieces that are not pinned: they are legal. */
static void unshielded(const vm *v, const batch *b, const uint64_t *pinned, uint64_t *sure)
{
    const game *g = G(v);
    set_clear(sure);
    if (!b->item->quiet || b->item->drop || !b->item->kinds || (b->item->kinds & g->shield_kinds)) return;
    const leg *l = &g->legs[b->item->leg];
    const direction *d = &g->dirs[b->dir];
    uint64_t from[WORDS], to[WORDS], then[WORDS];
    set_clear(to);
    set_copy(from, pinned);
    if (!set_any(pinned) || (b->origin >= 0 && !set_has(pinned, b->origin))) { set_copy(sure, b->set); return; }
    if (b->origin >= 0) return;
    if (l->slide) slide_all(v, d, from, to);
    else {
        for (int i = 0; i < l->pattern_count; i++) { set_clear(then); step_into(v, d, from, then); set_copy(from, then); }
        step_into(v, d, from, to);
    }
    set_andn(sure, b->set, to);
}
#endif
