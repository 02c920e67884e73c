/* Counting: the tree of decisions (perft). Included once per width by vm.c. */
#ifndef JOC_COUNT_H
#define JOC_COUNT_H

static uint64_t count_tree(vm *v, int depth, count_how how, const volatile bool *stop);

/* The moves of the decision collected: bits that no filter asks about are counted at once, and those that the shield lets through. */
static uint64_t count_last(vm *v)
{
    const uint32_t pc = v->first_pc;
    uint64_t legal = v->leaf_count, pinned[WORDS] = { 0 }, sure[WORDS];
    const bool shielded = v->batch_tests && G(v)->shield && shield_pins(v, pinned);
    bool dirty = false;
    const size_t mark = v->batch_tests ? save(v, pc) : v->save_top;
    for (int i = 0; i < v->batch_count && !v->fault; i++) {
        batch *b = &batches(v)[i];
        if (b->item->tail == PLAN_CLEAN) { legal += (uint64_t)b->count; continue; }
        if (shielded) {
            unshielded(v, b, pinned, sure);
            legal += (uint64_t)set_count(sure);
            set_andn(b->set, b->set, sure);
        }
        for (int x; (x = set_pop(b->set)) >= 0 && !v->fault; dirty = true) {
            if (dirty) restore(v, mark, pc);
            legal += enter(v, b, x, MODE_REPLAY);
        }
        if (dirty) restore(v, mark, pc);        /* the next batch is looked at from the first choice */
        dirty = false;
    }
    forget(v, mark);
    return legal;
}

/* Moves that are counted and not tried (counted.h). */
static uint64_t count_counted(const vm *v)
{
    uint64_t n = 0;
    for (int i = 0; i < v->counted_count; i++) n += v->counted[i].count;
    return n;
}

/* What was collected of a decision, kept while its moves are followed. */
typedef struct { batch *batches; leaf *leaves; uint8_t *states; int batch_count; size_t leaf_count; } collected;

static collected collected_take(const vm *v)
{
    const size_t size = G(v)->state_size;
    collected c = { .batch_count = v->batch_count, .leaf_count = v->leaf_count };
    c.batches = malloc((size_t)(c.batch_count + 1) * sizeof *c.batches);
    c.leaves = malloc((c.leaf_count + 1) * sizeof *c.leaves);
    c.states = malloc(c.leaf_count * size + 1);
    if (!c.batches || !c.leaves || !c.states) abort();
    memcpy(c.batches, batches(v), (size_t)c.batch_count * sizeof *c.batches);
    if (c.leaf_count) memcpy(c.leaves, v->leaves, c.leaf_count * sizeof *c.leaves);
    if (c.leaf_count) memcpy(c.states, v->states, c.leaf_count * size);
    return c;
}

/* Adds up what follows each move; *legal: how many there are. */
static uint64_t count_inner(vm *v, int depth, count_how how, const volatile bool *stop, uint64_t *legal)
{
    const uint32_t pc = v->first_pc;
    const size_t mark = save(v, pc);
    const collected c = collected_take(v);
    uint64_t n = 0;
    *legal = c.leaf_count;
    for (int i = 0; i < c.batch_count && !v->fault; i++)
        for (int x; (x = set_pop(c.batches[i].set)) >= 0 && !v->fault;) {
            restore(v, mark, pc);
            if (!enter(v, &c.batches[i], x, MODE_PLAY)) continue;
            ++*legal;
            if (H(H_RESUME)) H(H_ACTED) = 1;
            n += count_tree(v, depth - 1, how, stop);
        }
    for (size_t i = 0; i < c.leaf_count && *legal > 1 && !v->fault; i++) {
        play(v, &c.leaves[i], c.states + i * G(v)->state_size);
        n += count_tree(v, depth - 1, how, stop);
    }
    free(c.batches);
    free(c.leaves);
    free(c.states);
    restore(v, mark, pc);
    forget(v, mark);
    return n;
}

/* The same by batches. False if the decision must be listed: the state is then at its first choice. */
static bool count_batches(vm *v, int depth, count_how how, const volatile bool *stop, uint64_t *total)
{
    if (H(H_OVER) || chance_now(v) || H(H_MOVER) != H(H_ACTOR) || !collect(v) || v->collect_options || (v->counted_count && depth > 1)) return false;
    uint64_t legal, n = depth == 1 ? (legal = count_last(v) + count_counted(v)) : count_inner(v, depth, how, stop, &legal);
    history_settle(v);
    *total = n;
    return legal > 1;                           /* else perhaps no decision at all, or the `else` of one */
}

static uint64_t count_tree(vm *v, int depth, count_how how, const volatile bool *stop)
{
    const game *g = G(v);
    uint64_t fast;
    if (stop && *stop) return 0;
    if (!how.turns && !how.paths && count_batches(v, depth, how, stop, &fast)) return fast;
    state_kind kind = settle(v);
    depth -= v->idle_turns;
    if (depth <= 0) return 1;
    if (kind == STATE_OVER || kind == STATE_STUCK) return 0;
    if (kind == STATE_CHANCE) outcomes(v);
    const bool free_ply = kind == STATE_CHANCE && !how.count_chance;
    if (depth == 1 && !free_ply && !how.turns) return v->leaf_count;
    const size_t n = v->leaf_count;
    leaf *leaves = malloc(n * sizeof *leaves + 1);
    uint8_t *states = malloc(n * g->state_size + 1);
    if (!leaves || !states) abort();
    memcpy(leaves, v->leaves, n * sizeof *leaves);
    memcpy(states, v->states, n * g->state_size);
    uint64_t total = 0;
    for (size_t i = 0; i < n && !v->fault; i++) {
        const bool whole = leaves[i].kind == LEAF_LEGAL || leaves[i].kind == LEAF_OVER;
        const int left = free_ply || (how.turns && !whole) ? depth : depth - 1;
        if (left == 0) { total++; continue; }
        load_leaf(v, &leaves[i], states + i * g->state_size);
        H(H_CHOSEN) = 0;
        history_settle(v);
        if (whole) { H(H_RESUME) = 0; v->mode = MODE_STRAIGHT; budget_anew(v); run(v, leaves[i].resume); }
        else { H(H_LOOPS) = 0; if (kind == STATE_DECISION) H(H_ACTED) = 1; }
        total += count_tree(v, left, how, stop);
    }
    free(leaves);
    free(states);
    return total;
}

/* How many moves there are, if it is a decision; else 0. The state stays. */
static uint64_t choices(vm *v)
{
    const size_t mark = save(v, 0);
    uint64_t n = 0;
    if (!H(H_OVER) && !chance_comes(v) && !count_batches(v, 1, (count_how){ 0 }, NULL, &n)) n = settle(v) == STATE_DECISION ? v->leaf_count : 0;
    restore(v, mark, 0);
    forget(v, mark);
    history_settle(v);
    return n;
}

static uint64_t perft(vm *v, int depth, count_how how, const volatile bool *stop)
{
    size_t mark = save(v, 0);
    v->keep_doubles = how.paths;
    v->play_on = how.play_on;
    uint64_t n = depth <= 0 ? 1 : count_tree(v, depth, how, stop);
    v->keep_doubles = v->play_on = false;
    restore(v, mark, 0);
    forget(v, mark);
    history_settle(v);
    return n;
}
#endif
