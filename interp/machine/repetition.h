/* Repetitions: situations that came back, and bodies that cannot go on. Included once per width by vm.c. */
#ifndef JOC_REPETITION_H
#define JOC_REPETITION_H

/* Four chains side by side. */
static uint64_t hash_words(uint64_t key, const void *from, unsigned n)
{
    const uint64_t *w = from;
    uint64_t k1 = 2, k2 = 3, k3 = 4;
    unsigned i = 0;
    for (; i + 4 <= n; i += 4) {
        key = (key ^ w[i]) * 0x9E3779B97F4A7C15ull;
        k1 = (k1 ^ w[i + 1]) * 0xBF58476D1CE4E5B9ull;
        k2 = (k2 ^ w[i + 2]) * 0x94D049BB133111EBull;
        k3 = (k3 ^ w[i + 3]) * 0xD6E8FEB86659FD93ull;
        key ^= key >> 29;
        k1 ^= k1 >> 29;
        k2 ^= k2 >> 29;
        k3 ^= k3 >> 29;
    }
    for (; i < n; i++) { key = (key ^ w[i]) * 0x9E3779B97F4A7C15ull; key ^= key >> 29; }
    return n < 4 ? key : key + k1 * 3 + k2 * 5 + k3 * 7;
}

/* The situation within a repetition: what could make going on different. */
static uint64_t loop_key(vm *v, int32_t mask)
{
    const game *g = G(v);
    const int64_t chosen = H(H_CHOSEN), loops = H(H_LOOPS);
    H(H_CHOSEN) = H(H_LOOPS) = 0;
    /* H_CONTENTS is among the numbers; preferences come last, as many as there are blocks under way */
    const int numbers = g->prefers_first ? g->prefers_first - g->num_base + v->frame_count * PREFERS_MAX : g->num_position;
    uint64_t key = hash_words(1, HEAD(v), (unsigned)numbers);
    H(H_CHOSEN) = chosen;
    H(H_LOOPS) = loops;
    for (int i = 0; i < g->flag_count; i++) key = hash_words(key, PLANE(v, g->flag_first + i), WORDS);
    if (g->array_count) key = hash_words(key, v->arrays, (unsigned)(g->at_piles - g->at_arrays) / 8);
    if (has_piles(g) && g->piece_keeps) key = hash_words(key, v->piles, (unsigned)(g->at_bags - g->at_piles) / 8);
    else if (H(H_UNDER) >= 0) {
        struct pile *u = pile_at(v, -1);
        for (int j = 0; j < u->count; j++) key = mix(key + pile_get(v, u, j).code);
    }
    if (g->bag_count) key = hash_words(key, v->bags, (unsigned)(g->at_changed - g->at_bags) / 8);
    for (int p = g->taken_first; p < g->taken_first + g->taken_slots; p++) if (v->at[p]) key = mix(key + v->at[p]);
    /* local names are part of the situation, as far as what follows reads them */
    const register_mask *m = &g->masks[mask];
    for (int k = 0; k < (g->num_regs + 63) / 64; k++)
        for (uint64_t left = m->numbers[k]; left; left &= left - 1) key = hash_words(key, &N(g->num_consts + k * 64 + __builtin_ctzll(left)), 1);
    for (int k = 0; k < (g->set_regs + 63) / 64; k++)
        for (uint64_t left = m->sets[k]; left; left &= left - 1) key = hash_words(key, S(g->reg_first + k * 64 + __builtin_ctzll(left)), WORDS);
    return mix(key);
}

static void loop_note(vm *v, loop_entry e)
{
    const size_t top = (size_t)H(H_LOOPS);
    if (top >= LOOPS_MAX) { fault(v, "a repetition goes on too long"); return; }
    if (top >= v->loop_capacity) {
        v->loop_capacity = v->loop_capacity ? v->loop_capacity * 2 : 64;
        v->loops = realloc(v->loops, v->loop_capacity * sizeof *v->loops);
        if (!v->loops) abort();
    }
    v->loops[top] = e;
    H(H_LOOPS) = (int64_t)top + 1;
}

/* Repetitions stand in one another, and all note their situations in one list: whose an entry is goes into its key. */
static int32_t loop_id(const ins *i) { return i->op == OP_LOOP_SEEN ? i->c : i->op == OP_LOOP ? i->d : -1; }

/* Pieces taken do not come back within a turn: while each turn of the body takes some, its situation is new. Such a turn is noted without
 * its key; a situation that does come back is then found one turn later. */
static bool loop_seen(vm *v, const ins *i)
{
    const size_t first = (size_t)N(i->a), top = (size_t)H(H_LOOPS);
    if (i->op == OP_LOOP_SEEN && top > first && v->loops[top - 1].taken < H(H_TAKEN)) { loop_note(v, (loop_entry){ 0, H(H_TAKEN) }); return v->fault != NULL; }
    if (i->op == OP_LOOP && i->c) { loop_note(v, (loop_entry){ 0, H(H_TAKEN) }); return v->fault != NULL; }
    const uint64_t key = mix(loop_key(v, i->e) + (uint64_t)(uint32_t)loop_id(i));
    for (size_t j = first; j < top; j++) if (v->loops[j].key == key) return true;
    const uint64_t cost = 8 + (uint64_t)(G(v)->num_position + G(v)->num_regs + G(v)->set_regs * WORDS) / 4 + (top > first ? (top - first) / 64 : 0);       /* what it takes to look at all this */
    v->budget = v->budget > cost ? v->budget - cost : 0;
    loop_note(v, (loop_entry){ key, H(H_TAKEN) });
    return v->fault != NULL;
}

/* Has the body of a repetition no run from here? */
static bool stuck(vm *v, const ins *i)
{
    if (i->c && !WATCH(v)) {
        const int mode = v->mode;
        const size_t guide = v->guide;
        v->mode = MODE_TRY;
        v->guide = 0;
        v->tried = 0;
        run(v, (uint32_t)i->d);
        v->mode = mode;
        v->guide = guide;
        if (v->tried >= 0) return !v->tried;
    }
    int was = v->probe;
    v->probe = i->e;
    bool some = exists(v, (uint32_t)i->d, (uint32_t)(i - G(v)->code));
    v->probe = was;
    return !some;
}

/* A leg that is only looked up: -1 if a run of the body may still fail behind it. */
static int try_leg(vm *v, const ins *i)
{
    uint32_t codes[4];
    if (!leg_options(v, &G(v)->legs[i->a], (int)H(H_HERE), codes, 4)) return 0;
    return i->b ? 1 : -1;
}
#endif
