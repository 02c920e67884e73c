/* Leaves: what the runs of a decision reached, each once; those preferred. Included once per width by vm.c. */
#ifndef JOC_LEAVES_H
#define JOC_LEAVES_H

static __attribute__((noinline)) void index_rebuild(vm *v)
{
    size_t want = v->index_size ? v->index_size : 256;
    while (want < 2 * (v->leaf_count + 1)) want *= 2;
    if (want > v->index_size) {
        v->index = realloc(v->index, want * sizeof *v->index);
        if (!v->index) abort();
        v->index_size = want;
    }
    memset(v->index, 0, v->index_size * sizeof *v->index);
    for (size_t i = 0; i < v->leaf_count; i++)
        for (size_t j = v->leaves[i].key & (v->index_size - 1);; j = (j + 1) & (v->index_size - 1))
            if (!v->index[j]) { v->index[j] = (uint32_t)i + 1; break; }
}

/* Where the index has the leaf of this key, or room for it. */
INLINE uint32_t *leaf_slot(vm *v, uint64_t key)
{
    if (__builtin_expect(2 * (v->leaf_count + 1) > v->index_size, 0)) index_rebuild(v);
    size_t j = key & (v->index_size - 1);
    while (v->index[j] && v->leaves[v->index[j] - 1].key != key) j = (j + 1) & (v->index_size - 1);
    return &v->index[j];
}

/* Keeps the first so many leaves. The last comes out of the index first: then none stands in the way of those that came before it. */
static void leaves_keep(vm *v, size_t count)
{
    if (16 * (v->leaf_count - count) > v->index_size) {
        v->leaf_count = count;
        index_rebuild(v);
        return;
    }
    while (v->leaf_count > count) {
        const uint32_t last = (uint32_t)v->leaf_count--;
        size_t j = v->leaves[last - 1].key & (v->index_size - 1);
        while (v->index[j] != last) j = (j + 1) & (v->index_size - 1);
        v->index[j] = 0;
    }
}

static void leaves_clear(vm *v)
{
    if (v->leaf_count) leaves_keep(v, 0);
    v->paths_top = v->path_top = 0;
}

static int compare_preferences(const int16_t *a, const int16_t *b, int n)
{
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The preferences of a frame around this run. */
static void preferences_of(const vm *v, int f, int16_t *now)
{
    for (int i = 0; i < v->frames[f].count; i++) {
        int64_t x = N(G(v)->prefers_first + f * PREFERS_MAX + i);
        now[i] = (int16_t)(x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x);
    }
}

/* Those of all frames, the outermost first. */
static void preferences(const vm *v, int16_t *values, uint8_t *count)
{
    for (int f = 0; f < v->frame_count; f++) {
        int16_t now[8] = { 0 };
        preferences_of(v, f, now);
        for (int i = 0; i < v->frames[f].count && *count < 8; i++) values[(*count)++] = now[i];
    }
}

/* The preferences of the frames around this run: keeps the leaves that are still best. False if this run is not among them. */
static bool preferred(vm *v, int16_t *values, uint8_t *count)
{
    *count = 0;
    for (int f = 0; f < v->frame_count; f++) {
        int n = v->frames[f].count;
        int16_t now[8] = { 0 };
        preferences_of(v, f, now);
        int c = v->frames[f].any ? compare_preferences(now, v->frames[f].best, n) : 1;
        if (c < 0) return false;
        if (c > 0) {
            if (v->frames[f].any) {
                leaves_keep(v, v->frames[f].first);
                for (int inner = f + 1; inner < v->frame_count; inner++) { v->frames[inner].any = false; v->frames[inner].first = (uint32_t)v->leaf_count; }
            }
            v->frames[f].any = true;
            v->best_told++;
            memcpy(v->frames[f].best, now, sizeof now);
        }
        for (int i = 0; i < n && *count < 8; i++) values[(*count)++] = now[i];
    }
    return true;
}

/* What a leaf leads to: where a decision ends its turn, registers mean nothing any more. */
static bool ends_turn(leaf_kind kind) { return kind == LEAF_LEGAL || kind == LEAF_OVER; }

static size_t leaf_size(const game *g, leaf_kind kind, uint32_t resume)
{
    return g->position_size + (ends_turn(kind) ? 0 : g->live[resume].sets * WORDS * sizeof(uint64_t));
}

static void store_leaf(const vm *v, leaf_kind kind, uint32_t resume, uint8_t *state)
{
    const game *g = G(v);
    if (!ends_turn(kind)) memcpy(state, STATE(v), g->live[resume].numbers * sizeof(int64_t));
    memcpy(state + g->at_position, STATE(v) + g->at_position, leaf_size(g, kind, resume));
}

static void load_leaf(vm *v, const leaf *l, const uint8_t *state)
{
    const game *g = G(v);
    if (!ends_turn(l->kind)) memcpy(STATE(v), state, g->live[l->resume].numbers * sizeof(int64_t));
    memcpy(STATE(v) + g->at_position, state + g->at_position, leaf_size(g, l->kind, l->resume));
    set_mover(v, HEAD(v)[H_MOVER]);
}

/* Keeps the state that the leaf to come leads to. */
static void leaf_state(vm *v, leaf_kind kind, uint32_t resume)
{
    const size_t size = G(v)->state_size;
    if ((v->leaf_count + 1) * size > v->states_capacity) {
        v->states_capacity = 2 * (v->leaf_count + 32) * size;
        v->states = realloc(v->states, v->states_capacity);
        if (!v->states) abort();
    }
    const int64_t resumed = H(H_RESUME);
    H(H_RESUME) = resume;
    store_leaf(v, kind, resume, v->states + v->leaf_count * size);
    H(H_RESUME) = resumed;
}

/* Keeps choices among the paths; where. */
static uint32_t paths_put(vm *v, const uint32_t *choices, size_t count)
{
    if (v->paths_top + count > v->paths_capacity) {
        v->paths_capacity = 2 * (v->paths_top + count) + 256;
        v->paths = realloc(v->paths, v->paths_capacity * sizeof *v->paths);
        if (!v->paths) abort();
    }
    for (size_t i = 0; i < count; i++) v->paths[v->paths_top + i] = choices[i];
    v->paths_top += count;
    return (uint32_t)(v->paths_top - count);
}

/* Room for one more leaf; false with a fault. */
static __attribute__((noinline)) bool leaves_grow(vm *v)
{
    const size_t by_states = STATES_MAX / G(v)->state_size + 1, most = by_states < LEAVES_MAX ? by_states : LEAVES_MAX;
    if (v->leaf_count >= most) { fault(v, "too many ways to make one decision"); return false; }
    v->leaf_capacity = !v->leaf_capacity ? 64 : 2 * v->leaf_capacity < most ? 2 * v->leaf_capacity : most;
    v->leaves = realloc(v->leaves, v->leaf_capacity * sizeof *v->leaves);
    if (!v->leaves) abort();
    return true;
}

/* A new leaf in a slot that is vacant, with nothing but its key; NULL with a fault. */
INLINE leaf *leaf_new(vm *v, uint32_t *slot, uint64_t key)
{
    if (v->leaf_count == v->leaf_capacity && !leaves_grow(v)) return NULL;
    leaf *l = &v->leaves[v->leaf_count];
    l->key = key;
    *slot = (uint32_t)++v->leaf_count;
    return l;
}

/* A leaf of this key, reached by the choices in v->path, unless there is one. */
static void leaf_add(vm *v, uint64_t key, uint64_t identity, const leaf *what)
{
    uint32_t *slot = leaf_slot(v, key);
    if (*slot) return;
    if (!v->lean) leaf_state(v, what->kind, what->resume);
    leaf *l = leaf_new(v, slot, key);
    if (!l) return;
    *l = *what;
    l->key = key, l->identity = identity;
    l->path = paths_put(v, v->path, v->path_top);
    l->path_length = (uint32_t)v->path_top;
}

/* An end that is only looked at (last.h). */
static void ending_note(vm *v, run_end *e, const leaf *l)
{
    const size_t length = v->path_top - e->path_from;
    e->leaf = *l;
    e->live = true;
    e->sum = end_sum(v, l->kind) - e->contents;
    e->open |= length > sizeof e->path / sizeof *e->path;
    e->path_length = (uint8_t)length;
    for (size_t i = 0; i < length && !e->open; i++) e->path[i] = v->path[e->path_from + i];
}

static void branch_ends(vm *v);

static void emit(vm *v, leaf_kind kind, uint32_t resume)
{
    if (v->mode == MODE_BRANCH) { branch_ends(v); return; }
    leaf l = { .resume = resume, .chosen = (uint32_t)H(H_CHOSEN), .label = (int)H(H_FAILED), .weight = 1, .kind = kind, .broken = (uint8_t)(WATCH(v) ? WATCH(v)->broken : 0) };
    if (v->ending) v->ending->ends++;
    else if (!WATCH(v) || !WATCH(v)->broken || v->mode == MODE_EXISTS) v->completed++;
    if (v->mode == MODE_EXISTS) { v->found = v->stop = true; return; }
    if (v->frame_count && WATCH(v)) preferences(v, l.preferences, &l.preference_count);
    else if (v->frame_count && !LENIENT(v) && !preferred(v, l.preferences, &l.preference_count)) return;
    if (v->ending) { ending_note(v, v->ending, &l); return; }
    const uint64_t identity = leaf_key(v, kind, resume);
    uint64_t key = identity;
    if (LENIENT(v) && H(H_FAILED)) key = mix(key + 17);
    if (v->keep_doubles) key = mix(key + v->leaf_count);
    leaf_add(v, key, identity, &l);
}

static bool is_chance(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

/* Registers that nothing reads any more are cleared: equal situations have equal bytes. */
static void clear_dead(vm *v, int32_t mask)
{
    const game *g = G(v);
    const register_mask *m = &g->masks[mask & (CHANCE_MAY_VOID - 1)];
    for (int i = 0; i < g->num_regs; i++) if (!(m->numbers[i / 64] >> (i % 64) & 1)) N(g->num_consts + i) = 0;
    for (int i = 0; i < g->set_regs; i++) if (!(m->sets[i / 64] >> (i % 64) & 1)) set_clear(S(g->reg_first + i));
}

/* The same of the loaded state, wherever in a turn it stands. */
static void clean(vm *v)
{
    const ins *i = &G(v)->code[H(H_RESUME)];
    if (!H(H_RESUME)) clear_dead(v, 0);
    else if (is_chance(i->op)) clear_dead(v, i->e);
    else if (i[-1].op == OP_COMMIT || i[-1].op == OP_SHOWN) clear_dead(v, i[-1].e);
    else if (is_chance(i[-1].op)) clear_dead(v, (i[-1].e & (CHANCE_MAY_VOID - 1)) + 1);
}
#endif
