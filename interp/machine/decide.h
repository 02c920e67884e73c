/* Decisions: what can be chosen now, chance, what a choice leads to. Included once per width by vm.c. */
#ifndef JOC_DECIDE_H
#define JOC_DECIDE_H

static uint32_t resume_pc(const vm *v) { return H(H_RESUME) ? (uint32_t)H(H_RESUME) : G(v)->turn_pc; }

/* Enumerates the runs of the decision that begins at pc, from the loaded state (which stays). */
static size_t list_from(vm *v, uint32_t pc)
{
    size_t mark = save(v, 0);
    leaves_clear(v);
    v->mode = MODE_LIST;
    v->stop = v->found = false;
    v->frame_count = v->ending_count = v->ending_next = 0;
    budget_anew(v);
    if (!v->fault) { if (v->lean) LIST_FROM(v, pc); else run(v, pc); }
    v->mode = MODE_STRAIGHT;
    v->stop = false;
    restore(v, mark, 0);
    forget(v, mark);
    return v->fault ? 0 : v->leaf_count;
}

static size_t list(vm *v) { return list_from(v, resume_pc(v)); }

/* Loads what a leaf leads to, and completes its turn. */
static void play(vm *v, const leaf *l_, const uint8_t *state)
{
    const leaf l = *l_;
    load_leaf(v, &l, state);
    H(H_CHOSEN) = 0;
    history_settle(v);
    if (l.kind == LEAF_COMMIT || l.kind == LEAF_CHANCE) { H(H_LOOPS) = 0; if (l.kind == LEAF_COMMIT || l.chosen) H(H_ACTED) = 1; return; }
    H(H_RESUME) = 0;
    if (!l.resume) return;
    v->mode = MODE_STRAIGHT;
    budget_anew(v);
    run(v, l.resume);
}

/* Makes the choices of a leaf once more, from the state of which it was listed, and completes its turn. */
static void go_again(vm *v, const leaf *one)
{
    const leaf *l = one->like ? &v->leaves[one->like - 1] : one;
    v->path_top = 0;
    for (uint32_t i = 0; i < l->path_length; i++) path_push(v, v->paths[l->path + i]);
    for (int i = 0; l->walks && i < 2; i++) path_push(v, one->walk[i]);
    for (int i = 0; i < l->behind_length; i++) path_push(v, v->paths[l->behind + (uint32_t)i]);
    v->path_at = 0;
    v->guide = v->path_top;
    v->mode = MODE_PLAY;
    budget_anew(v);
    run(v, resume_pc(v));
    v->mode = MODE_STRAIGHT;
    v->guide = 0;
    if (H(H_RESUME)) H(H_ACTED) = 1;
}

static void adopt(vm *v, size_t index)
{
    const leaf l = v->leaves[index];
    if (v->lean) go_again(v, &l);
    else play(v, &l, v->states + index * G(v)->state_size);
}

/* The same of the one leaf there is, if nobody was asked for it: then nothing was done in this turn that was not before. */
static void adopt_unasked(vm *v)
{
    const bool asked = v->leaves[0].chosen;
    const int64_t acted = H(H_ACTED);
    adopt(v, 0);
    if (!asked && H(H_RESUME)) H(H_ACTED) = acted;
}

/* ---- chance -------------------------------------------------------------------------------------------------------------------------------- */
/* After an outcome was made: goes on to the `until` around it, which says whether it is void (v->voided), or to chance before that. */
static void look_ahead(vm *v, uint32_t pc)
{
    const int mode = v->mode;
    v->voided = false;
    v->mode = MODE_STRAIGHT;
    run(v, pc + 1);
    v->mode = mode;
}

/* The same on a copy: is it void? */
static bool chance_void(vm *v, uint32_t pc)
{
    if (!(G(v)->code[pc].e & CHANCE_MAY_VOID)) return false;
    size_t mark = save(v, 0);
    look_ahead(v, pc);
    restore(v, mark, 0);
    forget(v, mark);
    return v->voided;
}

/* What the rules do right behind the outcome just made happens with it. Gives where they go on. */
static uint32_t show_effects(vm *v, uint32_t pc)
{
    if (!(G(v)->code[pc].e & CHANCE_SHOWS)) return pc + 1;
    v->mode = MODE_STRAIGHT;
    v->showing = true;
    v->shown = pc + 1;
    run(v, pc + 1);
    v->showing = false;
    return v->shown;
}

static void outcome(vm *v, uint32_t pc, const uint32_t *choices, size_t count, uint64_t weight, size_t mark)
{
    restore(v, mark, 0);
    chance_apply(v, &G(v)->code[pc], choices, count);
    if (chance_void(v, pc)) return;
    const uint32_t to = show_effects(v, pc);
    H(H_CHOSEN) = 0;
    v->path_top = 0;
    for (size_t j = 0; j < count; j++) path_push(v, choices[j]);
    bool doubles = v->keep_doubles;
    v->keep_doubles = true;
    v->mode = MODE_LIST;
    emit(v, LEAF_CHANCE, to);
    v->mode = MODE_STRAIGHT;
    v->keep_doubles = doubles;
    if (v->leaf_count) v->leaves[v->leaf_count - 1].weight = weight;
}

/* All throws of n dice as multisets, each with the number of ordered throws that give it. */
static void throws(vm *v, uint32_t pc, const int *values, const int *shares, int kinds, uint32_t *chosen, size_t count, size_t n, int from, uint64_t weight, size_t mark)
{
    if (count == n) { outcome(v, pc, chosen, n, weight, mark); return; }
    /* weight runs as n! / (k1! k2! ...) times shares: built up one die at a time */
    for (int j = from; j < kinds && !v->fault; j++) {
        size_t same = 0;
        for (size_t q = count; q-- > 0 && chosen[q] == (uint32_t)values[j];) same++;
        chosen[count] = (uint32_t)values[j];
        throws(v, pc, values, shares, kinds, chosen, count + 1, n, j, weight * (uint64_t)shares[j] * (count + 1) / (same + 1), mark);
    }
}

/* A chance event of which nothing can come. */
static void chance_fault(vm *v, uint32_t pc)
{
    fault(v, G(v)->code[pc].e & CHANCE_MAY_VOID ? "no outcome of a chance event is one that its `until` asks for" : "a chance event has nothing to draw from");
    if (!v->fault_pc) v->fault_pc = pc;
}

static size_t outcomes(vm *v)
{
    const game *g = G(v);
    const uint32_t pc = resume_pc(v);
    const ins *i = &g->code[pc];
    size_t mark = save(v, 0);
    leaves_clear(v);
    v->stop = false;
    v->frame_count = 0;
    budget_anew(v);
    uint32_t one;
    if (i->op == OP_ROLL) {
        const dice_info *d = &g->dice[i->a];
        int values[64], shares[64], kinds = 0;
        uint32_t chosen[BAG_MAX];
        for (int j = 0; j < d->count; j++) {
            int q = 0;
            while (q < kinds && values[q] != d->faces[j]) q++;
            if (q == kinds) { values[kinds] = d->faces[j]; shares[kinds++] = 0; }
            shares[q]++;
        }
        int64_t n = i->b == NO_OPERAND ? 1 : N(i->b);
        if (n > BAG_MAX) fault(v, "too many dice in one throw");
        else if (n > 0) throws(v, pc, values, shares, kinds, chosen, 0, (size_t)n, 0, 1, mark);
        else outcome(v, pc, chosen, 0, 1, mark);
    } else if (i->op == OP_RANDOM) {
        uint64_t all[WORDS], left[WORDS];
        set_copy(all, S(i->b));
        set_copy(left, all);
        for (int x; (x = set_pop(left)) >= 0;) {
            restore(v, mark, 0);
            if (equal_before(v, all, x)) continue;
            uint64_t weight = 1, rest[WORDS];
            if (x >= g->cells && AT(v)[x]) {
                uint64_t key = piece_key(v, x);
                set_copy(rest, left);
                for (int y; (y = set_pop(rest)) >= 0;) if (y >= g->cells && g->zone_of[y] == g->zone_of[x] && AT(v)[y] && piece_key(v, y) == key) weight++;
            }
            one = (uint32_t)x;
            outcome(v, pc, &one, 1, weight, mark);
        }
    } else if (i->op == OP_RANDOM_BIT) {
        for (uint64_t m = (uint64_t)N(i->b); m; m &= m - 1) { one = (uint32_t)__builtin_ctzll(m); outcome(v, pc, &one, 1, 1, mark); }
    } else if (i->op == OP_RANDOM_NUMBER) {
        int64_t low = N(i->b), high = N(i->c);
        for (int64_t x = low; x <= high && x - low < 100000; x++) { one = (uint32_t)(int32_t)x; outcome(v, pc, &one, 1, 1, mark); }
    } else
        for (int j = 0; j < i->b; j++) { one = (uint32_t)g->lists[i->d + j]; outcome(v, pc, &one, 1, 1, mark); }
    restore(v, mark, 0);
    forget(v, mark);
    if (!v->leaf_count) chance_fault(v, pc);
    return v->fault ? 0 : v->leaf_count;
}

/* Draws one outcome of the chance event at which the loaded state stands. False, with a fault, if there is none. `go_on`: what had to be looked at
 * ahead is done then, if it is all that the rules do there. */
static bool chance_draw(vm *v, uint64_t random[4], bool go_on)
{
    const uint32_t pc = resume_pc(v);
    const ins *i = &G(v)->code[pc];
    const bool may_void = (i->e & CHANCE_MAY_VOID) != 0, on = go_on && (i->e & CHANCE_PLAIN);
    size_t mark = may_void ? save(v, pc) : 0;
    budget_anew(v);
    for (int tries = 0; tries < 100000; tries++) {
        uint32_t choices[BAG_MAX];
        const int count = chance_choose(v, i, random, choices);
        if (count < 0) break;
        chance_apply(v, i, choices, (size_t)count);
        if (on) look_ahead(v, pc);
        if (on ? v->voided : may_void && chance_void(v, pc)) { restore(v, mark, pc); continue; }
        if (may_void) forget(v, mark);
        H(H_CHOSEN) = 0;
        H(H_RESUME) = on ? v->ahead : show_effects(v, pc);
        return true;
    }
    if (may_void) forget(v, mark);
    chance_fault(v, pc);
    return false;
}

/* ---- settling ------------------------------------------------------------------------------------------------------------------------------ */
static bool chance_now(const vm *v)
{
    if (!H(H_RESUME)) return false;
    const ins *i = &G(v)->code[resume_pc(v)];
    return is_chance(i->op) && !(i->op == OP_ROLL && (N(G(v)->dice[i->a].fixed) & DICE_FIXED));
}

/* The same; a turn that begins with a chance event, be it in a block with preferences, goes to it at once, as if it had been listed. */
static bool chance_comes(vm *v)
{
    const game *g = G(v);
    uint32_t first = g->turn_pc;
    while (g->code[first].op == OP_PREFER_FROM) first++;
    if (H(H_RESUME) || !is_chance(g->code[first].op)) return chance_now(v);
    H(H_RESUME) = (int64_t)first;
    if (chance_now(v)) return true;
    H(H_RESUME) = 0;
    return false;
}

/* Goes on while nothing is to be chosen. In the end v->leaves are the moves, if it is a decision. */
static state_kind settle(vm *v)
{
    uint64_t cost = 0;
    v->idle_turns = 0;
    for (int forced = 0; forced < 10000 && cost < BUDGET; forced++) {
        if (H(H_OVER)) return STATE_OVER;
        if (chance_comes(v)) { clean(v); return STATE_CHANCE; }
        const bool other = H(H_RESUME) && H(H_MOVER) != H(H_ACTOR);
        size_t n = list(v);
        cost += BUDGET - v->budget;
        if (n == 0) return STATE_STUCK;
        if (n > 1 || (v->leaves[0].chosen && !other)) return STATE_DECISION;
        const bool idle = !v->leaves[0].chosen && v->leaves[0].kind == LEAF_LEGAL && !H(H_ACTED);
        adopt_unasked(v);
        v->idle_turns += idle && !H(H_OVER);
    }
    fault(v, "turns go on in which nothing can be chosen");
    return STATE_STUCK;
}

/* The option was made, and others may lead to the same position: it stands with a chance of one in as many as do. Else all is as at the first choice. */
static bool option_stands(vm *v, const batch *b, int option, uint64_t random[4], size_t mark)
{
    size_t found;
    restore(v, mark, v->first_pc);
    const batch made = *b;
    const uint64_t same = options_like(v, &made, option, &found);
    if (!same || random_below(random, same)) return false;
    adopt(v, found);
    return true;
}

/* What came of trying to draw: it must be listed, the state being at the first choice; a move was made; the state went on, nothing being chosen. */
typedef enum { DRAWN_NOT, DRAWN, DRAWN_ON } drawn;

/* Only one way leads on: is it taken without asking? Then what the turn does has been done while looking, and must not be done again. */
static bool taken_unasked(vm *v)
{
    if (v->batch_total + v->leaf_count != 1) return false;
    if (v->leaf_count) {
        if (v->leaves[0].chosen && !v->others) return false;
        adopt_unasked(v);
        return true;
    }
    if (!v->counted_count || (v->counted[0].chosen && !v->others)) return false;
    return enter_counted(v, &v->counted[0], 0);
}

/* One random move of what was collected: uniform over the legal ones, for a candidate that a filter forbids is struck out and another drawn. */
static drawn collected_random(vm *v, uint64_t random[4])
{
    const bool collected = collect(v);
    if (v->border) return v->fault ? DRAWN_NOT : DRAWN_ON;
    if (!collected) return DRAWN_NOT;
    if (taken_unasked(v)) return DRAWN_ON;
    const bool saved = v->batch_tests || v->collect_options;
    const uint32_t pc = v->first_pc;
    size_t mark = saved ? save(v, pc) : 0;
    bool made = false, dirty = false;
    while (!made && v->batch_total + v->leaf_count) {
        uint64_t k = random_below(random, v->batch_total + v->leaf_count);
        if (dirty) restore(v, mark, pc);
        if (k >= v->batch_total) { adopt(v, (size_t)(k - v->batch_total)); made = true; break; }
        batch *b = batches(v), *const end = b + v->batch_count;
        while (b < end && k >= (uint64_t)b->count) k -= (uint64_t)b++->count;
        if (b == end) {
            const counted_batch *c = v->counted;
            while (k >= c->count) k -= c++->count;
            made = enter_counted(v, c, (uint32_t)k);
            break;
        }
        const int target = set_pick(b->set, (int)k);
        made = enter(v, b, target, MODE_PLAY);
        if (v->fault) break;
        if (made && b->item->options && !alone(v, b->item, target)) {
            made = option_stands(v, b, target, random, mark);
            if (made || v->fault || !collect(v)) break;
            dirty = false;
            continue;
        }
        if (made) break;
        dirty = true;
        set_remove(b->set, target);
        b->count--;
        v->batch_total--;
    }
    if (saved && !made && dirty) restore(v, mark, pc);
    if (saved) forget(v, mark);
    return !made ? DRAWN_NOT : v->others && v->batch_total == 1 ? DRAWN_ON : DRAWN;
}

/* Where there are no batches, nobody looks at what leaves lead to. */
static drawn batch_random(vm *v, uint64_t random[4])
{
    v->lean = !G(v)->plan_count;
    const drawn d = collected_random(v, random);
    v->lean = false;
    return d;
}

/* The option drawn may lead where others do: does it stand? If not, all is as at the first choice. */
static __attribute__((noinline)) bool drawn_stands(vm *v, uint64_t random[4])
{
    const int option = v->drawn_option;
    restore(v, v->drawn_mark, v->first_pc);
    if (!collect(v)) return false;
    const size_t mark = save(v, v->first_pc);
    const bool stands = option_stands(v, batches(v), option, random, mark);
    if (!stands) restore(v, mark, v->first_pc);
    forget(v, mark);
    return stands;
}

/* Draws the move of a turn where it is chosen; false: none was made, and the turn must be collected. */
static bool draw(vm *v, uint64_t random[4])
{
    v->draws = random;
    v->drawn_option = v->ended = -1;
    v->stop = false;
    budget_anew(v);
    v->mode = MODE_DRAW;
    DRAW_TURN(v);
    v->mode = MODE_STRAIGHT;
    if (v->drawn_option < 0) return v->ended >= 0 && !v->fault;
    const bool no_other = v->ended >= 0 && (v->fault || alone(v, &G(v)->plan_items[G(v)->plans[G(v)->code[v->first_pc].e - 1].first], v->drawn_option));
    const bool stands = no_other || drawn_stands(v, random);
    forget(v, v->drawn_mark);
    return stands && !v->fault;
}

/* Is a move of the decision that begins here drawn where its choices are come to? */
static bool onward_now(const vm *v) { return G(v)->onward[resume_pc(v)]; }

/* What came of it. */
static drawn onward_came(vm *v, uint64_t random[4])
{
    return v->went == ONWARD_MADE ? (v->fault ? DRAWN_NOT : DRAWN) : v->border ? DRAWN_ON : batch_random(v, random);
}

static bool in_setup(const vm *v) { return H(H_RESUME) && H(H_RESUME) < G(v)->turn_pc; }

/* Is chance drawn on the way to what follows it? */
static bool thrown_on_the_way(const vm *v)
{
    const uint32_t pc = resume_pc(v);
    return v->throws && !(G(v)->code[pc].e & CHANCE_MAY_VOID) && !G(v)->onward[pc];
}

static drawn random_now(vm *v, uint64_t random[4])
{
    if (!onward_now(v)) return batch_random(v, random);
    onward(v, random, resume_pc(v));
    return onward_came(v, random);
}

/* `tried`: what begins here has been gone through, but that made no move. */
static __attribute__((noinline)) bool random_collected(vm *v, uint64_t random[4], bool on, bool tried)
{
    const bool setting_up = in_setup(v);
    v->throws = on ? random : NULL;
    for (int forced = 0; forced < 10000 && !H(H_OVER); forced++, tried = false) {
        if (setting_up && !in_setup(v)) return true;
        v->onward_throws = on && !H(H_RESUME) && G(v)->onward[G(v)->turn_pc];
        if (!tried && !v->onward_throws && chance_comes(v) && !thrown_on_the_way(v)) return chance_draw(v, random, on);
        if (G(v)->code[resume_pc(v)].op == OP_PREFER_FROM) break;         /* it is always listed */
        const drawn d = tried ? onward_came(v, random) : random_now(v, random);
        if (d == DRAWN && H(H_RESUME)) H(H_ACTED) = 1;
        if (d == DRAWN) return true;
        if (d == DRAWN_NOT) break;
    }
    v->throws = NULL;
    v->lean = true;
    const state_kind kind = settle(v);
    if (kind == STATE_DECISION) adopt(v, (size_t)random_below(random, v->leaf_count));
    v->lean = false;
    return kind == STATE_DECISION || (kind == STATE_CHANCE && chance_draw(v, random, on));
}

/* One random decision or chance; `on`: where it can be done in one go, a throw and the decision behind it (v->thrown counts them). */
INLINE bool random_step(vm *v, uint64_t random[4], bool on)
{
    v->thrown = 0;
    const bool begins = !H(H_RESUME) && !H(H_OVER), onwards = begins && on && G(v)->onward[G(v)->turn_pc];
    if (G(v)->draws && begins) return draw(v, random) || random_collected(v, random, on, false);
    if (onwards) {
        v->onward_throws = true;
        onward(v, random, G(v)->turn_pc);
        if (v->went == ONWARD_MADE && !v->fault) return true;
    }
    return random_collected(v, random, on, onwards);
}

static bool play_random(vm *v, uint64_t random[4]) { return random_step(v, random, false); }

/* Was the step just made one of chance? Then the rules go on behind its instruction. */
static bool behind_chance(const vm *v)
{
    const int64_t pc = H(H_RESUME);
    return pc > 0 && G(v)->code[pc - 1].op >= OP_ROLL && G(v)->code[pc - 1].op <= OP_SHOWN;
}

/* Decisions are capped; of throws there may be many more, but not without end. */
static uint64_t play_out(vm *v, uint64_t random[4], uint64_t cap, uint64_t *throws)
{
    uint64_t n = 0;
    *throws = 0;
    while (in_setup(v) && random_step(v, random, true)) {}
    for (bool made = true; made && n - *throws < cap && n / 64 < cap;) {
        made = random_step(v, random, true);
        n += (uint64_t)v->thrown + made;
        *throws += (uint64_t)v->thrown + (made && behind_chance(v));
    }
    v->throws = NULL;
    return n;
}

static size_t trace(vm *v, const uint8_t *from, const leaf *l, const uint32_t *path, token *out, size_t cap)
{
    load(v, from);
    v->path_top = 0;
    for (uint32_t i = 0; i < l->path_length; i++) path_push(v, path[i]);
    v->path_at = 0;
    v->guide = v->path_top;
    v->tokens = out;
    v->token_count = 0;
    v->token_cap = cap;
    v->stop = false;
    budget_anew(v);
    if (chance_now(v)) chance_apply(v, &G(v)->code[resume_pc(v)], v->path, v->path_top);
    else {
        v->mode = MODE_REPLAY;
        run(v, resume_pc(v));
        v->mode = MODE_STRAIGHT;
    }
    v->tokens = NULL;
    v->guide = 0;
    load(v, from);
    return v->token_count < cap ? v->token_count : cap;
}
#endif
