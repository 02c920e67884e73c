/* The interpreter. Included once per width by vm.c. */
#ifndef JOC_RUN_H
#define JOC_RUN_H

/* Begins to try options: the state is kept so that each begins with the same; one alone needs no copy, for what comes back from a choice is
 * not looked at. The code of an option is what a path records. */
typedef struct { size_t mark; size_t path_top; uint32_t pc; bool first; } trial;

static trial trial_begin(vm *v, const ins *i, bool alone)
{
    const uint32_t pc = (uint32_t)(i - v->g->code);
    return (trial){ alone ? v->save_top : save(v, pc), v->path_top, pc, true };
}

static void trial_next(vm *v, trial *t, uint32_t choice)
{
    if (!t->first) restore(v, t->mark, t->pc);
    t->first = false;
    v->path_top = t->path_top;
    if (v->mode == MODE_LIST) path_push(v, choice);
}

static void trial_end(vm *v, const trial *t)
{
    forget(v, t->mark);
    v->path_top = t->path_top;
}

static uint32_t path_take(vm *v)
{
    if (v->path_at >= v->path_top) { fault(v, "a recorded move does not fit these rules"); return 0; }
    return v->path[v->path_at++];
}

static void choose_place(vm *v, const ins *i, int place)
{
    N(i->a) = place;
    if (i->d & 1) {
        H(H_HERE) = H(H_START) = place;
        if (v->g->uses_passed) set_clear(S(SET_PASSED));
    }
    H(H_CHOSEN)++;
    if (v->tokens) { v->note_pc = (uint32_t)(i - v->g->code); note(v, i->d & 1 ? TOKEN_FROM : TOKEN_PLACE, place, v->at[place]); }
}

/* Is there an equal piece in an earlier slot of the same zone, also in s? Then this one is no further option. */
static bool equal_before(const vm *v, const uint64_t *s, int place)
{
    const game *g = v->g;
    if (place < g->cells || !v->at[place]) return false;
    int first = g->zone_of[place] >= 0 ? g->zones[g->zone_of[place]].first : g->taken_first;
    for (int p = first; p < place; p++)
        if (set_has(s, p) && v->at[p] == v->at[place] && piece_key(v, p) == piece_key(v, place)) return true;
    return false;
}

static void pick_place(vm *v, const ins *i, uint32_t pc)
{
    uint64_t left[WORDS], all[WORDS];
    set_copy(all, S(i->b));
    set_copy(left, all);
    const int count = set_count(left);
    if (!count) return;
    trial t = trial_begin(v, i, count == 1);
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        if (x >= v->g->cells && !t.first) restore(v, t.mark, t.pc);
        if (equal_before(v, all, x) || unwanted(v, x)) continue;
        trial_next(v, &t, (uint32_t)x);
        choose_place(v, i, x);
        run(v, pc + 1);
    }
    trial_end(v, &t);
}

/* Watched: places, too, that may not be picked. */
static void pick_watched(vm *v, const ins *i, uint32_t pc)
{
    uint64_t left[WORDS];
    const origin *o = watching(v) && v->watch->broken < v->watch->most ? origin_find(v->g, pc, false) : NULL;
    if (!o || o->kind == ORIGIN_CALL) return;
    EACH_WORD(k) left[k] = v->watch->wanted[k] & ~S(i->b)[k];
    if (!set_any(left)) return;
    trial t = trial_begin(v, i, false);
    v->watch->broken++;
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        trial_next(v, &t, (uint32_t)x);
        choose_place(v, i, x);
        run(v, pc + 1);
    }
    v->watch->broken--;
    restore(v, t.mark, t.pc);
    trial_end(v, &t);
}

static void choose_bit(vm *v, const ins *i, int bit)
{
    N(i->a) = i->c ? (int64_t)(1ull << bit) : bit;
    H(H_CHOSEN)++;
    if (v->tokens) note(v, (token_kind)i->d, bit, 0);
}

static void choose_number(vm *v, const ins *i, int64_t x)
{
    N(i->a) = x;
    H(H_CHOSEN)++;
    if (v->tokens) note(v, TOKEN_NUMBER, x, 0);
}

static void choose_kind(vm *v, const ins *i, int k)
{
    N(i->a) = k;
    H(H_CHOSEN)++;
    if (v->tokens) note(v, TOKEN_KIND, k, 0);
}

static void pick_bit(vm *v, const ins *i, uint32_t pc)
{
    trial t = trial_begin(v, i, __builtin_popcountll((uint64_t)N(i->b)) == 1);
    for (uint64_t m = (uint64_t)N(i->b); m && !v->stop; m &= m - 1) {
        int bit = __builtin_ctzll(m);
        trial_next(v, &t, (uint32_t)bit);
        choose_bit(v, i, bit);
        run(v, pc + 1);
    }
    trial_end(v, &t);
}

static void pick_number(vm *v, const ins *i, uint32_t pc)
{
    int64_t low = N(i->b), high = N(i->c);
    if (high - low > 100000) { fault(v, "a pick among more than 100000 numbers"); return; }
    trial t = trial_begin(v, i, low == high);
    for (int64_t x = low; x <= high && !v->stop; x++) {
        trial_next(v, &t, (uint32_t)(int32_t)x);
        choose_number(v, i, x);
        run(v, pc + 1);
    }
    trial_end(v, &t);
}

static void pick_kind(vm *v, const ins *i, uint32_t pc)
{
    trial t = trial_begin(v, i, false);
    for (int j = 0; j < i->e && !v->stop; j++) {
        trial_next(v, &t, (uint32_t)v->g->lists[i->d + j]);
        choose_kind(v, i, v->g->lists[i->d + j]);
        run(v, pc + 1);
    }
    trial_end(v, &t);
}

static void pick_bag(vm *v, const ins *i, uint32_t pc)
{
    int16_t values[BAG_MAX + 1];
    memcpy(values, bag(v, i->b), sizeof values);
    trial t = trial_begin(v, i, false);
    for (int j = 1; j <= values[0] && !v->stop; j++) {
        if (j > 1 && values[j] == values[j - 1]) continue;
        trial_next(v, &t, (uint32_t)(int32_t)values[j]);
        choose_number(v, i, values[j]);
        run(v, pc + 1);
    }
    trial_end(v, &t);
}

static void step_options(vm *v, const ins *i, uint32_t pc)
{
    const leg *l = &v->g->legs[i->a];
    uint32_t few[96], *codes = few;
    int cap = 96, n = leg_options(v, l, (int)H(H_HERE), codes, cap);
    if (n == cap) {
        codes = malloc(OPTIONS_MAX * sizeof *codes);
        if (!codes) abort();
        n = leg_options(v, l, (int)H(H_HERE), codes, OPTIONS_MAX);
    }
    if (n) {
        trial t = trial_begin(v, i, n == 1);
        for (int j = 0; j < n && !v->stop; j++) {
            if (unwanted(v, (int)(codes[j] & 0xFFFF))) continue;
            trial_next(v, &t, codes[j]);
            leg_apply(v, l, codes[j]);
            if (!v->stop) run(v, pc + 1);
        }
        trial_end(v, &t);
    }
    if (codes != few) free(codes);
}

/* Watched: landings, too, where the leg may not go. */
static void step_watched(vm *v, const ins *i, uint32_t pc)
{
    const leg *l = &v->g->legs[i->a];
    const int from = (int)H(H_HERE);
    if (!v->watch || v->mode != MODE_LIST || from < 0 || !origin_find(v->g, pc, false)) return;
    trial t = trial_begin(v, i, false);
    bool leads = false;
    for (uint64_t m = relation_mask(v, l->relation); m && !v->stop; m &= m - 1) {
        uint64_t left[WORDS];
        EACH_WORD(k) left[k] = v->watch->wanted[k];
        for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
            const uint32_t code = (uint32_t)__builtin_ctzll(m) << 16 | (uint32_t)x;
            const leg_fault f = leg_faulty(v, l, from, code);
            const int cost = f.way + f.landing;
            leads |= !f.never;
            if (f.never || !cost || v->watch->broken + cost > v->watch->most) continue;
            trial_next(v, &t, code);
            v->watch->broken += cost;
            leg_apply(v, l, code);
            if (!v->stop) run(v, pc + 1);
            v->watch->broken -= cost;
            if (!t.first) restore(v, t.mark, t.pc);
        }
    }
    trial_end(v, &t);
    if (!leads && !v->watch->broken && set_has(v->watch->wanted, from)) watch_tried(v, pc);
}

static void choose_drop(vm *v, const ins *i, int k, int place, int source)
{
    const game *g = v->g;
    piece p;
    if (i->op == OP_DROP) {
        const int owner = i->b == NO_OPERAND ? -1 : (int)N(i->b);
        if (g->piece_keeps) p = piece_new(g, owner, k); else p.code = (uint16_t)code_of(g, owner, k);
    }
    else p = piece_lift(v, source);
    if (v->tokens) { v->note_pc = (uint32_t)(i - g->code); note(v, TOKEN_DROP, place, code_kind(g, p.code)); }
    if (place >= g->cells) {
        const zone *z = &g->zones[g->zone_of[place]];
        place = free_slot(v, z->first, z->slots, "more pieces in a zone than it can hold");
        if (place < 0) return;
        if (z->owner >= 0) p.code = (uint16_t)code_of(g, z->owner, code_kind(g, p.code));
        piece_set(v, place, &p);
    } else if (!v->at[place] && g->simple_pieces) plane_put(v, place, p.code);
    else piece_place(v, place, &p);
    H(H_HERE) = place;
    H(H_START) = i->op == OP_DROP ? NO_PLACE : source;
    if (g->uses_passed) set_clear(S(SET_PASSED));
    H(H_CHOSEN)++;
}

static void drop_options(vm *v, const ins *i, uint32_t pc)
{
    uint64_t targets[WORDS], sources[WORDS];
    int kinds[256], from[256], n = 0;
    set_copy(targets, S(i->a));
    if (i->op == OP_DROP) {
        for (int j = 0; j < i->e && n < 256; j++) { from[n] = NO_PLACE; kinds[n++] = v->g->lists[i->d + j]; }
    } else {
        set_copy(sources, S(i->b));
        uint64_t left[WORDS];
        set_copy(left, sources);
        for (int x; (x = set_pop(left)) >= 0 && n < 256;) if (!equal_before(v, sources, x)) { from[n] = x; kinds[n++] = x; }
    }
    if (!n) watch_empty(v, pc);
    if (!n || (!set_any(targets) && !v->watch)) return;
    trial t = trial_begin(v, i, false);
    for (int j = 0; j < n && !v->stop; j++) {
        uint64_t left[WORDS];
        drop_places(v, targets, pc, left);
        for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
            const int cost = !set_has(targets, x);
            trial_next(v, &t, (uint32_t)kinds[j] << 16 | (uint32_t)x);
            choose_drop(v, i, kinds[j], x, from[j]);
            if (v->watch) v->watch->broken += cost;
            if (!v->stop) run(v, pc + 1);
            if (v->watch) v->watch->broken -= cost;
        }
    }
    trial_end(v, &t);
}

static void alternatives(vm *v, const ins *i)
{
    trial t = trial_begin(v, i, i->e == 1);
    for (int j = 0; j < i->e && !v->stop; j++) {
        trial_next(v, &t, (uint32_t)j);
        run(v, (uint32_t)v->g->lists[i->d + j]);
    }
    trial_end(v, &t);
}

/* Watched: the second part, too, although the first can be done. */
static void else_watched(vm *v, const ins *i, uint32_t pc)
{
    const int cost = exists(v, pc + 1, pc);
    trial t = trial_begin(v, i, false);
    trial_next(v, &t, 0);
    run(v, pc + 1);
    if (v->watch->broken + cost <= v->watch->most && !v->stop) {
        trial_next(v, &t, 1);
        v->watch->broken += cost;
        run(v, (uint32_t)i->d);
        v->watch->broken -= cost;
    }
    trial_end(v, &t);
}

/* Watched: the repetition ends, too, though its condition does not hold. */
static void body_end_watched(vm *v, const ins *i, uint32_t pc)
{
    trial t = trial_begin(v, i, false);
    trial_next(v, &t, 0);
    run(v, pc + 1);
    if (v->watch->broken < v->watch->most && !v->stop) {
        trial_next(v, &t, 1);
        v->watch->broken++;
        run(v, (uint32_t)i->d);
        v->watch->broken--;
    }
    trial_end(v, &t);
}

static void else_options(vm *v, const ins *i, uint32_t pc)
{
    if (watching(v)) { else_watched(v, i, pc); return; }
    trial t = trial_begin(v, i, false);
    uint64_t completed = v->completed;
    trial_next(v, &t, 0);
    run(v, pc + 1);
    if ((v->completed == completed || v->lenient) && !v->stop) {
        const bool forbidden = v->completed != completed;
        trial_next(v, &t, 1);
        if (forbidden) H(H_FAILED) = ELSE_FORBIDS;
        run(v, (uint32_t)i->d);
    }
    trial_end(v, &t);
}

static void prefer_block(vm *v, const ins *i, uint32_t pc)
{
    if (v->mode != MODE_LIST || v->frame_count == FRAMES_MAX) { run(v, pc + 1); return; }
    for (int j = 0; j < i->e && j < PREFERS_MAX; j++) N(v->g->prefers_first + v->frame_count * PREFERS_MAX + j) = INT16_MIN;
    v->frames[v->frame_count].first = (uint32_t)v->leaf_count;
    v->frames[v->frame_count].reg = i->a;
    v->frames[v->frame_count].count = (uint8_t)(i->e > PREFERS_MAX ? PREFERS_MAX : i->e);
    v->frames[v->frame_count].any = false;
    v->frame_count++;
    run(v, pc + 1);
    v->frame_count--;
}

/* Can this run still be among the preferred ones of its block? */
static bool prefer_hopeful(const vm *v, const ins *i)
{
    if (v->mode != MODE_LIST) return true;
    for (int f = v->frame_count; f-- > 0;) {
        if (v->frames[f].reg != i->c) continue;
        int64_t *now = &N(v->g->prefers_first + f * PREFERS_MAX);
        if (i->e < PREFERS_MAX) now[i->e] = N(i->b);
        if (!v->frames[f].any || v->lenient) return true;
        for (int j = 0; j <= i->e && j < v->frames[f].count; j++) {
            int64_t x = now[j];
            if (x != v->frames[f].best[j]) return x > v->frames[f].best[j];
        }
        return true;
    }
    return true;
}

/* The situation within a repetition: what could make going on different. */
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

static uint64_t loop_key(vm *v, int32_t mask)
{
    const game *g = v->g;
    const int64_t chosen = H(H_CHOSEN), loops = H(H_LOOPS);
    H(H_CHOSEN) = H(H_LOOPS) = 0;
    /* H_CONTENTS is among the numbers; preferences come last, as many as there are blocks under way */
    const int numbers = g->prefers_first ? g->prefers_first - g->num_base + v->frame_count * PREFERS_MAX : g->num_position;
    uint64_t key = hash_words(1, v->head, (unsigned)numbers);
    H(H_CHOSEN) = chosen;
    H(H_LOOPS) = loops;
    for (int i = 0; i < g->flag_count; i++) key = hash_words(key, v->set[g->flag_first + i], WORDS);
    if (g->array_count) key = hash_words(key, v->arrays, (unsigned)(g->at_piles - g->at_arrays) / 8);
    if (has_piles(g) && g->piece_keeps) key = hash_words(key, v->piles, (unsigned)(g->at_bags - g->at_piles) / 8);
    else if (H(H_UNDER) >= 0) key = hash_words(key, v->piles, (unsigned)g->pile_stride / 8);
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

/* Pieces taken do not come back within a turn: while each turn of the body takes some, its situation is new. Such a turn is noted without
 * its key; a situation that does come back is then found one turn later. */
static bool loop_seen(vm *v, const ins *i)
{
    const size_t first = (size_t)N(i->a), top = (size_t)H(H_LOOPS);
    if (i->op == OP_LOOP_SEEN && top > first && v->loops[top - 1].taken < H(H_TAKEN)) { loop_note(v, (loop_entry){ 0, H(H_TAKEN) }); return v->fault != NULL; }
    if (i->op == OP_LOOP && i->c) { loop_note(v, (loop_entry){ 0, H(H_TAKEN) }); return v->fault != NULL; }
    const uint64_t key = loop_key(v, i->e);
    for (size_t j = first; j < top; j++) if (v->loops[j].key == key) return true;
    const uint64_t cost = 8 + (uint64_t)(v->g->num_position + v->g->num_regs + v->g->set_regs * WORDS) / 4 + (top > first ? (top - first) / 64 : 0);       /* what it takes to look at all this */
    v->budget = v->budget > cost ? v->budget - cost : 0;
    loop_note(v, (loop_entry){ key, H(H_TAKEN) });
    return v->fault != NULL;
}

/* Has the body of a repetition no run from here? */
static bool stuck(vm *v, const ins *i)
{
    if (i->c && !v->watch) {
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
    bool some = exists(v, (uint32_t)i->d, (uint32_t)(i - v->g->code));
    v->probe = was;
    return !some;
}

/* A leg that is only looked up: -1 if a run of the body may still fail behind it. */
static int try_leg(vm *v, const ins *i)
{
    uint32_t codes[4];
    if (!leg_options(v, &v->g->legs[i->a], (int)H(H_HERE), codes, 4)) return 0;
    return i->b ? 1 : -1;
}

/* Dice are thrown anew in each turn; what the next throw shall show stays. */
static void dice_forget(vm *v, int index)
{
    const dice_info *d = &v->g->dice[index];
    if (N(d->fixed) & DICE_FIXED) { N(d->fixed) = DICE_FIXED; return; }
    N(d->fixed) = N(d->number) = 0;
    memset(bag(v, d->bag), 0, sizeof(int16_t) * (BAG_MAX + 1));
}

static void turn_begin(vm *v)
{
    const game *g = v->g;
    H(H_TAKEN) = 0;
    H(H_HERE) = H(H_START) = H(H_UNDER) = NO_PLACE;
    H(H_NEXT) = -1;
    H(H_DIDPASS) = H(H_AGAIN) = H(H_ALWAYS) = 0;
    H(H_ACTOR) = H(H_MOVER);
    if (g->plain_turns) return;
    for (int i = 0; i < g->taken_slots; i++) if (v->at[g->taken_first + i]) piece_unset(v, g->taken_first + i);
    if (g->uses_passed) set_clear(S(SET_PASSED));
    for (int i = 0; i < g->dice_count; i++) dice_forget(v, i);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (!k->turn) continue;
        if (k->of == KEEP_GAME || k->of == KEEP_PLAYER) for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++) N(k->where + p) = k->start;
        else if (k->type == KEEP_FLAG) set_clear(S(k->where));
        else for (int p = 0; p < g->places; p++) v->arrays[(size_t)k->where * (size_t)g->places + (size_t)p] = (int16_t)(k->type == KEEP_NUMBER ? k->start : 0);
    }
    if (g->uses_changed) memcpy(v->changed, v->at, (size_t)g->cells * sizeof *v->at);
}

static void turn_count(vm *v)
{
    if (H(H_MOVER) != H(H_ACTOR)) set_mover(v, H(H_ACTOR));
    H(H_PASSES) = H(H_DIDPASS) ? H(H_PASSES) + 1 : 0;
    if (H(H_NEXT) < 0) H(H_NEXT) = H(H_AGAIN) && !(H(H_OUT) >> H(H_ACTOR) & 1) ? H(H_ACTOR) : next_player(v, H(H_ACTOR));
    H(H_TURNS)++;
    H(H_COUNTED) = 1;
}

static void scores(vm *v)
{
    const game *g = v->g;
    if (!g->score_pc) return;
    int64_t mover = H(H_MOVER);
    for (int p = 0; p < g->player_count; p++) {
        set_mover(v, p);
        run(v, g->score_pc);
        N(g->score_first + p) = N(g->score);
    }
    set_mover(v, mover);
}

static void win_for(vm *v, int64_t player)
{
    H(H_OVER) = player < 0 ? 2 : 1;
    H(H_WINNER) = player < 0 ? -1 : player;
}

static int64_t last_player(const vm *v)
{
    const game *g = v->g;
    int64_t last = -1, some = 0;
    for (int p = 0; p < g->player_count; p++) if (!(H(H_OUT) >> p & 1)) { last = p; some++; }
    return some == 1 ? last : -1;
}

/* A result for a player; the game may be over by it. */
static void result(vm *v, int what, int64_t player)
{
    const game *g = v->g;
    if (what == 0) win_for(v, player);
    else if (what == 2) win_for(v, -1);
    else if (what == 1) {
        if (g->player_count == 1) { H(H_OVER) = 3; H(H_WINNER) = -1; }
        else if (g->player_count == 2 && player >= 0) win_for(v, 1 - player);       /* losing is the other's win: nobody goes out */
        else {
            if (player >= 0) H(H_OUT) |= 1ll << player;
            if (last_player(v) >= 0) win_for(v, last_player(v));
        }
    } else {
        scores(v);
        int64_t best = INT64_MIN, who = -1;
        for (int p = 0; p < g->player_count; p++) {
            if (H(H_OUT) >> p & 1) continue;
            int64_t x = g->score_pc ? N(g->score_first + p) : 0;
            if (x > best) { best = x; who = p; }
            else if (x == best) who = -1;
        }
        win_for(v, who);
    }
}

static void edges(const vm *v, uint64_t dirs, uint64_t *out)
{
    uint64_t cells[WORDS], result_[WORDS];
    set_or(cells, S(SET_EMPTY), S(SET_OCCUPIED));
    set_clear(result_);
    for (; dirs; dirs &= dirs - 1) EACH_WORD(k) result_[k] |= cells[k] & ~v->g->dirs[__builtin_ctzll(dirs)].mask[k];
    for (int p = v->g->cells; p < v->g->places; p++) set_remove(result_, p);
    set_copy(out, result_);
}

static void throw_dice(vm *v, const ins *i, const int *faces, int n)
{
    const dice_info *d = &v->g->dice[i->a];
    N(d->fixed) = DICE_THROWN;
    if (i->b == NO_OPERAND) N(d->number) = faces[0];
    else {
        memset(bag(v, d->bag), 0, sizeof(int16_t) * (BAG_MAX + 1));
        for (int j = 0; j < n; j++) bag_add(v, d->bag, faces[j]);
    }
    if (v->tokens) for (int j = 0; j < n; j++) note(v, TOKEN_DICE, faces[j], i->a);
}

static bool is_chance(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

/* A given throw (a test's) needs no chance. */
static bool throw_given(vm *v, const ins *i)
{
    if (i->op != OP_ROLL || !(N(v->g->dice[i->a].fixed) & DICE_FIXED)) return false;
    N(v->g->dice[i->a].fixed) = DICE_THROWN;
    return true;
}

/* ---- bodies of instructions that are not a line or two -------------------------------------------------------------------------------- */
#define APART static __attribute__((noinline))      /* so that `run` itself stays small */

APART int64_t opposites(const vm *v, int64_t dirs)
{
    uint64_t out = 0;
    for (uint64_t m = (uint64_t)dirs; m; m &= m - 1) { const int o = v->g->dirs[__builtin_ctzll(m)].opposite; if (o >= 0) out |= 1ull << o; }
    return (int64_t)out;
}

APART int64_t step_from(const vm *v, const ins *i)
{
    int64_t x = N(i->b), times = i->e >= 0 ? N(i->e) : relation_times(v, i->d);
    const uint64_t mask = relation_mask(v, i->d);
    const direction *d = mask ? &v->g->dirs[__builtin_ctzll(mask)] : NULL;
    for (; times > 0 && x >= 0; times--) x = d && d->next[x] != 0xFFFF ? d->next[x] : -1;
    return x;
}

APART void enemies(vm *v, uint64_t *to)
{
    uint64_t out[WORDS];
    set_clear(out);
    for (int p = 0; p < v->g->player_count; p++) if (p != H(H_MOVER)) set_or(out, out, S(SET_PLAYERS + p));
    set_copy(to, out);
}

APART void line(vm *v, const ins *i)
{
    lines(v, S(i->b), relation_mask(v, i->d), i->c == NO_OPERAND ? 1 : N(i->c), i->e == NO_OPERAND ? PLACES_MAX : N(i->e), NULL, NULL, S(i->a));
}

APART void line_between(vm *v, const ins *i)
{
    const uint32_t e = (uint32_t)i->e;
    lines(v, S(i->b), relation_mask(v, i->d), e >> 16 & 255, e >> 24 == 255 ? PLACES_MAX : e >> 24, S(i->c), S(e & 0xFFFF), S(i->a));
}

APART void field_in_bag(vm *v, const ins *i)
{
    uint64_t out[WORDS];
    const int16_t *b = bag(v, i->b);
    int64_t x;
    set_clear(out);
    for (int p = 0; p < v->g->places; p++) if (field_at(v, i->d, p, &x)) for (int j = 1; j <= b[0]; j++) if (b[j] == x) { set_add(out, p); break; }
    set_copy(S(i->a), out);
}

APART void fields_compared(vm *v, const ins *i)
{
    uint64_t out[WORDS];
    int64_t x, y;
    set_clear(out);
    for (int p = 0; p < v->g->places; p++) if (field_at(v, i->d, p, &x) && field_at(v, i->e, p, &y) && compares(x, i->c, y)) set_add(out, p);
    set_copy(S(i->a), out);
}

APART void changed(vm *v, uint64_t *to)
{
    uint64_t out[WORDS];
    set_clear(out);
    for (int p = 0; p < v->g->cells; p++) if (v->changed[p] != v->at[p]) set_add(out, p);
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

static void turn_done(vm *v)
{
    const game *g = v->g;
    if (H(H_OUT) && !H(H_OVER) && g->player_count > 1 && last_player(v) >= 0) win_for(v, last_player(v));
    if (H(H_OVER) && g->score_pc) scores(v);
    const int64_t next = H(H_NEXT);
    H(H_EXTRA) = H(H_AGAIN);
    if (next >= 0) set_mover(v, next);
    turn_begin(v);
    H(H_RESUME) = 0;
    H(H_CHOSEN) = H(H_COUNTED) = H(H_LOOPS) = H(H_ACTED) = 0;
}

APART void setup_done(vm *v)
{
    const int64_t next = H(H_NEXT) >= 0 ? H(H_NEXT) : 0;
    H(H_NEXT) = next;
    history_push(v);
    set_mover(v, next);
    turn_begin(v);
    H(H_RESUME) = H(H_RANK) = H(H_CHOSEN) = H(H_LOOPS) = H(H_ACTED) = 0;
    clear_dead(v, 0);
    if (v->mode == MODE_LIST || v->mode == MODE_EXISTS) emit(v, LEAF_OVER, 0);
}

/* A change of owner or kind leaves each piece where it is: only two planes and the code know of it. */
APART void become(vm *v, const ins *i)
{
    const game *g = v->g;
    uint64_t left[WORDS];
    set_and(left, S(i->a), S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0;) {
        const code_info *was = &g->codes[v->at[x]];
        const int code = i->op == OP_BECOME_OWNER ? code_of(g, (int)N(i->b), was->kind) : code_of(g, was->owner, (int)N(i->b));
        const code_info *now = &g->codes[code];
        if (x < g->cells && was->owner_plane != now->owner_plane) { set_remove(S(was->owner_plane), x); set_add(S(now->owner_plane), x); }
        if (was->kind_plane != now->kind_plane) {
            if (was->kind_plane >= 0) set_remove(S(was->kind_plane), x);
            if (now->kind_plane >= 0) set_add(S(now->kind_plane), x);
        }
        v->at[x] = (uint16_t)code;
        H(H_CONTENTS) = (int64_t)((uint64_t)H(H_CONTENTS) + g->place_keys[x] * (now->key - was->key));
    }
}

APART void set_flag(vm *v, const ins *i)
{
    const keep *k = &v->g->keeps[i->d];
    uint64_t *flag = S(k->where), to[WORDS];
    if (k->of == KEEP_PIECE) set_and(to, S(i->a), S(SET_OCCUPIED)); else set_copy(to, S(i->a));
    if (i->c) set_or(flag, flag, to); else set_andn(flag, flag, to);
}

APART void become_seen(vm *v, const ins *i)
{
    const game *g = v->g;
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
    H(H_CHOSEN) = 0;
    H(H_RESUME) = resume;
    if (resume) { H(H_LOOPS) = 0; H(H_ACTED) = 1; }
    else v->budget = BUDGET;
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

static void run(vm *v, uint32_t pc)
{
    const game *g = v->g;
    const ins *const code = g->code;
    if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
    if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) return;
    if (++v->depth > DEPTH_MAX) { fault(v, "the choices of one decision nest too deeply"); v->fault_pc = pc; v->depth--; return; }
    static const void *const labels[OP_OPCODES] = {
#define OP(name, notation) &&L_##name,
#include "interp/op.def"
#undef OP
    };
    const ins *i = &code[pc];
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
    /* one jump for all: a jump at the end of every instruction takes sanitizers minutes to compile */
#define NEXT do { i++; goto next; } while (0)
#define GO(to) do { i = code + (uint32_t)(to); goto next; } while (0)
    goto next;
next:
    goto *labels[i->op];
#else
#define NEXT do { i++; goto *labels[i->op]; } while (0)
#define GO(to) do { i = code + (uint32_t)(to); goto *labels[i->op]; } while (0)
    goto *labels[i->op];
#endif
#define PC ((uint32_t)(i - code))
    {
        {
        L_MOVE: N(i->a) = N(i->b); NEXT;
        L_ADD: N(i->a) = whole_add(N(i->b), N(i->c)); NEXT;
        L_SUB: N(i->a) = whole_sub(N(i->b), N(i->c)); NEXT;
        L_MUL: N(i->a) = whole_mul(N(i->b), N(i->c)); NEXT;
        L_DIV: N(i->a) = whole_div(N(i->b), N(i->c)); NEXT;
        L_MOD: N(i->a) = whole_mod(N(i->b), N(i->c)); NEXT;
        L_MIN: N(i->a) = N(i->b) < N(i->c) ? N(i->b) : N(i->c); NEXT;
        L_MAX: N(i->a) = N(i->b) > N(i->c) ? N(i->b) : N(i->c); NEXT;
        L_EQ: N(i->a) = N(i->b) == N(i->c); NEXT;
        L_NE: N(i->a) = N(i->b) != N(i->c); NEXT;
        L_LT: N(i->a) = N(i->b) < N(i->c); NEXT;
        L_LE: N(i->a) = N(i->b) <= N(i->c); NEXT;
        L_NOT: N(i->a) = !N(i->b); NEXT;
        L_BITS_AND: N(i->a) = N(i->b) & N(i->c); NEXT;
        L_BITS_OR: N(i->a) = N(i->b) | N(i->c); NEXT;
        L_BITS_ANDN: N(i->a) = N(i->b) & ~N(i->c); NEXT;
        L_BITS_COUNT: N(i->a) = __builtin_popcountll((uint64_t)N(i->b)); NEXT;
        L_BIT_OF: N(i->a) = N(i->b) < 0 || N(i->b) > 62 ? 0 : 1ll << N(i->b); NEXT;
        L_LOWEST: N(i->a) = N(i->b) ? __builtin_ctzll((uint64_t)N(i->b)) : -1; NEXT;
        L_CHOOSE: N(i->a) = N(i->d) ? N(i->b) : N(i->c); NEXT;
        L_CLAMP: if (N(i->a) < i->d) N(i->a) = i->d; else if (N(i->a) > i->e) N(i->a) = i->e; NEXT;
        L_LOAD: N(i->a) = N(i->c) >= 0 ? N(i->b + N(i->c)) : 0; NEXT;
        L_STORE:
            if (N(i->b) >= 0) N(i->a + N(i->b)) = N(i->c) < i->d ? i->d : N(i->c) > i->e ? i->e : N(i->c);
            NEXT;
        L_COUNT: N(i->a) = set_count(S(i->b)); NEXT;
        L_ANY: N(i->a) = set_any(S(i->b)); NEXT;
        L_NO: N(i->a) = !set_any(S(i->b)); NEXT;
        L_MEETS: N(i->a) = set_meets(S(i->b), S(i->c)); NEXT;
        L_SUBSET: N(i->a) = set_any(S(i->b)) && set_within(S(i->b), S(i->c)); NEXT;
        L_SAME: N(i->a) = set_same(S(i->b), S(i->c)); NEXT;
        L_HOLDS: N(i->a) = N(i->b) >= 0 && set_has(S(i->c), (int)N(i->b)); NEXT;
        L_FIRST: N(i->a) = set_first(S(i->b)); NEXT;
        L_OWNER: N(i->a) = N(i->b) >= 0 && v->at[N(i->b)] ? code_owner(g, v->at[N(i->b)]) : -1; NEXT;
        L_KIND: N(i->a) = N(i->b) >= 0 && v->at[N(i->b)] ? code_kind(g, v->at[N(i->b)]) : -1; NEXT;
        L_GET: { int64_t x = 0; if (N(i->b) < 0 || !field_at(v, i->d, (int)N(i->b), &x)) x = 0; N(i->a) = x; NEXT; }
        L_SUM: L_MOST: L_LEAST: N(i->a) = field_over(v, i->d, S(i->b), (opcode)i->op); NEXT;
        L_REPEATS: N(i->a) = repeats(v, i->d != 0, false); NEXT;
        L_SINCE: N(i->a) = repeats(v, i->d != 0, true); NEXT;
        L_ALWAYS: N(i->a) = always(v, i->d); NEXT;
        L_NEXT: N(i->a) = next_player(v, N(i->b)); NEXT;
        L_EVERYONE: N(i->a) = ((1ll << g->player_count) - 1) & ~H(H_OUT); NEXT;
        L_OPPOSITE: N(i->a) = opposites(v, N(i->b)); NEXT;
        L_STEP_FROM: N(i->a) = step_from(v, i); NEXT;
        L_RELATION: N(i->a) = (int64_t)relation_mask(v, i->d); NEXT;
        L_MOVER: if (N(i->a) >= 0) set_mover(v, N(i->a)); NEXT;

        L_S_AND: set_and(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_OR: set_or(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_ANDN: set_andn(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_NOT: set_andn(S(i->a), S(g->all_places), S(i->b)); NEXT;
        L_S_COPY: set_copy(S(i->a), S(i->b)); NEXT;
        L_S_CHOOSE: set_copy(S(i->a), N(i->d) ? S(i->b) : S(i->c)); NEXT;
        L_S_PLACE: set_clear(S(i->a)); if (N(i->b) >= 0) set_add(S(i->a), (int)N(i->b)); NEXT;
        L_S_LESS: if (N(i->b) >= 0) set_remove(S(i->a), (int)N(i->b)); NEXT;
        L_S_OWNED: set_copy(S(i->a), S(N(i->b) < 0 ? SET_NEUTRAL : SET_PLAYERS + N(i->b))); NEXT;
        L_S_ENEMIES: enemies(v, S(i->a)); NEXT;
        L_S_KIND: if (N(i->b) >= 0) set_copy(S(i->a), S(g->kind_first + N(i->b))); else set_clear(S(i->a)); NEXT;
        L_S_IMAGE: image(v, relation_mask(v, i->d), S(i->b), i->e >= 0 ? N(i->e) : relation_times(v, i->d), S(i->a)); NEXT;
        L_S_REACH: reach(v, S(i->b), S(i->c), relation_mask(v, i->d), S(i->a)); NEXT;
        L_S_LINE: line(v, i); NEXT;
        L_S_BETWEEN: line_between(v, i); NEXT;
        L_S_FIELD: field_set(v, i->d, i->c == NO_OPERAND ? INT64_MIN : N(i->c), i->e == NO_OPERAND ? INT64_MAX : N(i->e), false, S(i->a)); NEXT;
        L_S_FIELD_NOT: field_set(v, i->d, N(i->c), N(i->c), true, S(i->a)); NEXT;
        L_S_FIELD_BAG: field_in_bag(v, i); NEXT;
        L_S_FIELDS: fields_compared(v, i); NEXT;
        L_S_ATTACKED: attacked(v, S(i->b), S(i->a)); NEXT;
        L_S_CHANGED: changed(v, S(i->a)); NEXT;
        L_S_EDGE: edges(v, (uint64_t)N(i->b), S(i->a)); NEXT;
        L_S_POP: {
            const int x = set_pop(S(i->b));
            N(i->a) = x;
            if (x < 0) GO(i->d);
            NEXT;
        }
        L_BAG_CLEAR: memset(bag(v, i->a), 0, sizeof(int16_t) * (BAG_MAX + 1)); NEXT;
        L_BAG_COPY: memmove(bag(v, i->a), bag(v, i->b), sizeof(int16_t) * (BAG_MAX + 1)); NEXT;
        L_BAG_ADD: bag_add(v, i->a, N(i->b)); NEXT;
        L_BAG_JOIN: bag_join(v, i->a, i->b); NEXT;
        L_BAG_DROP: bag_drop(v, i->a, N(i->b)); NEXT;
        L_BAG_FIELD: bag_field(v, i); NEXT;
        L_BAG_PAIRS: bag_pairs(v, i->a, i->b, i->c, i->d); NEXT;
        L_BAG_COUNT: L_BAG_SUM: L_BAG_MOST: L_BAG_LEAST: N(i->a) = bag_fold(v, i->b, (opcode)i->op); NEXT;
        L_BAG_HOLDS: N(i->a) = bag_holds(v, i->c, N(i->b)); NEXT;

        L_JUMP:
            if ((uint32_t)i->d <= PC) {
                if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
                if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) goto out;
            }
            GO(i->d);
        L_JUMP_NO: if (!N(i->a)) GO(i->d); NEXT;
        L_JUMP_YES: if (N(i->a)) GO(i->d); NEXT;
        L_FAIL:
            v->last_label = i->d;
            if (v->watch && breaks_condition(v, PC)) {
                if (v->mode == MODE_REPLAY) NEXT;
                v->watch->broken++;
                run(v, PC + 1);
                v->watch->broken--;
                goto out;
            }
            if (v->watch) goto out;
            if (v->lenient && i->d >= 0 && v->mode == MODE_LIST) { H(H_FAILED) = i->d + 1; NEXT; }
            goto out;
        L_RETURN: goto out;
        L_FAULT: fault(v, g->names[i->d]); goto out;
        L_RULE:
            if (v->tokens && i->a) run(v, (uint32_t)i->d);
            else if (v->tokens) { v->note_pc = (uint32_t)(i - code); note(v, TOKEN_RULE, i->d, 0); }
            NEXT;
        L_WRITE_TEXT: note(v, TOKEN_TEXT, i->d, 0); NEXT;
        L_WRITE_CELLS: note_cells(v, S(i->b), i->d); NEXT;
        L_WRITE_NUMBER: note(v, TOKEN_AMOUNT, N(i->b), 0); NEXT;

        L_ALT:
            if (v->path_at < v->guide) { uint32_t x = path_take(v); if (x < (uint32_t)i->e) GO(g->lists[i->d + (int)x]); NEXT; }
            if (v->mode == MODE_COLLECT) collect_alternatives(v, i); else alternatives(v, i);
            goto out;
        L_ELSE:
            if (v->path_at < v->guide) { if (path_take(v)) { if (v->watch) log_else(v, PC); GO(i->d); } NEXT; }
            if (v->mode == MODE_COLLECT) collect_else(v, i, PC); else else_options(v, i, PC);
            goto out;
        L_PICK:
            if (v->path_at < v->guide) { if (v->watch) log_pick(v, i, PC); choose_place(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) { if (i->d & 1 && i->e) collect_walkers(v, i, PC); else collect_others(v, PC); }
            else if (v->mode == MODE_EXISTS && i->d & 1 && i->e && !plan_possible(v, i)) goto out;
            else { if (v->watch) pick_watched(v, i, PC); pick_place(v, i, PC); }
            goto out;
        L_PICK_BIT:
            if (v->path_at < v->guide) { choose_bit(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_bit(v, i, PC);
            goto out;
        L_PICK_NUMBER:
            if (v->path_at < v->guide) { choose_number(v, i, (int32_t)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_number(v, i, PC);
            goto out;
        L_PICK_KIND:
            if (v->path_at < v->guide) { choose_kind(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_kind(v, i, PC);
            goto out;
        L_PICK_BAG:
            if (v->path_at < v->guide) { choose_number(v, i, (int32_t)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_bag(v, i, PC);
            goto out;
        L_STEP:
            if (v->path_at < v->guide) {
                if (v->watch) log_step(v, i, PC);
                v->note_pc = PC;
                leg_apply(v, &g->legs[i->a], path_take(v));
                if (v->stop) goto out;
                NEXT;
            }
            if (v->mode == MODE_TRY) { v->tried = try_leg(v, i); goto out; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else { if (v->watch) step_watched(v, i, PC); step_options(v, i, PC); }
            goto out;
        L_DROP: L_DROP_FROM:
            if (v->path_at < v->guide) { if (v->watch) log_drop(v, i, PC); uint32_t x = path_take(v); choose_drop(v, i, (int)(x >> 16), (int)(x & 0xFFFF), (int)(x >> 16)); NEXT; }
            if (v->mode == MODE_COLLECT) { if (i->op == OP_DROP && i->c) collect_drop(v, i, PC); else collect_others(v, PC); }
            else drop_options(v, i, PC);
            goto out;
        /* a way that needs no further choice is gone on a copy: what is collected is looked at from the first choice */
        L_PASS:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            H(H_DIDPASS) = 1; H(H_CHOSEN)++; if (v->tokens) note(v, TOKEN_PASS, 0, 0); NEXT;
        L_AGAIN:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            H(H_AGAIN) = 1;
            NEXT;

        L_LOOP:
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            N(i->a) = H(H_LOOPS);
            (void)loop_seen(v, i);
            NEXT;
        L_LOOP_SEEN:
            if (loop_seen(v, i)) { if (v->fault) goto out; GO(i->d); }
            NEXT;
        L_FLOOD:
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            N(i->a) = H(H_HERE);
            if (v->keep_doubles || v->mode == MODE_REPLAY) { N(i->b) = H(H_LOOPS); (void)loop_seen(v, &(ins){ .a = i->b, .e = i->e }); NEXT; }
            flood(v, i, PC);
            goto out;
        L_FLOOD_SEEN:
            if (v->keep_doubles || v->mode == MODE_REPLAY) { if (loop_seen(v, &(ins){ .a = i->b, .e = i->e })) { if (v->fault) goto out; GO(i->d); } NEXT; }
            if (!flood_goes_on(v, i)) goto out;
            if (H(H_HERE) == N(i->a)) GO(i->d);
            NEXT;
        L_STUCK: N(i->a) = stuck(v, i); NEXT;
        L_BODY_END:
            if (v->probe == i->e && v->mode == MODE_EXISTS) { v->found = v->stop = true; goto out; }
            if (watching(v)) { body_end_watched(v, i, PC); goto out; }
            if (v->watch && v->mode == MODE_REPLAY && v->path_at < v->guide && path_take(v)) { log_stop(v, PC); GO(i->d); }
            NEXT;
        L_CAN: N(i->a) = exists(v, (uint32_t)i->d, PC); NEXT;
        L_CAN_DONE: if (v->stop) goto out; if (v->mode == MODE_EXISTS) v->found = v->stop = true; goto out;
        L_PREFER_FROM:
            if (v->mode == MODE_REPLAY) NEXT;
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            prefer_block(v, i, PC);
            goto out;
        L_PREFER: if (!prefer_hopeful(v, i)) goto out; NEXT;

        L_ROLL: L_RANDOM: L_RANDOM_BIT: L_RANDOM_NUMBER: L_RANDOM_KIND:
            if (throw_given(v, i)) NEXT;
            if (v->mode == MODE_STRAIGHT) goto out;
            if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
            if (v->mode == MODE_PLAY) { decided(v, LEAF_CHANCE, PC); goto out; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_CHANCE; v->ended_at = PC; goto out; }
            emit(v, LEAF_CHANCE, PC);
            goto out;
        L_UNTIL:
            if (!N(i->a)) v->voided = true;
            if (v->mode == MODE_STRAIGHT) goto out;
            NEXT;

        L_COMMIT:
            if (v->mode == MODE_STRAIGHT) NEXT;
            if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
            if (v->mode == MODE_PLAY) { decided(v, LEAF_COMMIT, PC + 1); goto out; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_COMMIT; v->ended_at = PC + 1; goto out; }
            emit(v, LEAF_COMMIT, PC + 1);
            goto out;
        L_TURN_COUNT: turn_count(v); NEXT;
        L_LEGAL:
            if (v->stop) goto out;
            if (v->mode == MODE_PLAY) { decided(v, LEAF_LEGAL, 0); NEXT; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_LEGAL; v->ended_at = PC + 1; goto out; }
            emit(v, LEAF_LEGAL, PC + 1);
            goto out;
        L_RESULT:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            if (v->play_on && v->mode == MODE_STRAIGHT && i->a >= 2 && i->c) NEXT;
            result(v, i->a, i->b == NO_OPERAND ? H(H_MOVER) : N(i->b));
            if (!H(H_OVER)) NEXT;
            H(H_REASON) = i->c ? i->d + 1 : -i->d - 1;
            if (!H(H_COUNTED)) turn_count(v);
            if (v->mode == MODE_PLAY) decided(v, LEAF_OVER, 0);
            if (v->mode == MODE_STRAIGHT) GO(i->e);
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_OVER; v->ended_at = (uint32_t)i->e; }
            else emit(v, LEAF_OVER, (uint32_t)i->e);
            goto out;
        L_ALWAYS_NOTE: if (N(i->a)) H(H_ALWAYS) |= 1ll << (4 + i->d); H(H_ALWAYS) = (H(H_ALWAYS) & ~15ll) | H(H_ACTOR); NEXT;
        L_TURN_KEY: history_push(v); NEXT;
        L_TURN_DONE: turn_done(v); goto out;
        L_SETUP_DONE: setup_done(v); goto out;

        L_SETTLE: settle_landing(v); NEXT;
        L_TAKE: if (v->tokens) note_taken(v, S(i->a), (uint32_t)(i - code)); take_set(v, S(i->a), i->b == NO_OPERAND ? 1 : N(i->b)); NEXT;
        L_PLACE: place_kinds(v, i, -1); NEXT;
        L_PLACE_ZONE: place_kinds(v, i, (int)N(i->a)); NEXT;
        L_SEND: send_set(v, S(i->a), N(i->b), i->c & 1, i->d >= 0 ? N(i->d) : 1, -1, false); NEXT;
        L_SEND_ZONE: send_set(v, S(i->a), -1, false, i->d >= 0 ? N(i->d) : 1, N(i->b), i->c & 1); NEXT;
        L_SEND_ALONG: send_along(v, S(i->a), i->d); NEXT;
        L_BECOME_OWNER: L_BECOME_KIND: become(v, i); NEXT;
        L_FLAG: set_flag(v, i); NEXT;
        L_SET: set_numbers(v, i, false); NEXT;
        L_SET_FIELD: set_numbers(v, i, true); NEXT;
        L_HERE: H(H_HERE) = H(H_START) = N(i->a); if (g->uses_passed) set_clear(S(SET_PASSED)); NEXT;
        L_MARK: if (v->marks) v->marks[i->d] |= i->a || v->mode == MODE_REPLAY ? MARK_MADE : MARK_TRIED; NEXT;
        L_SEEN: become_seen(v, i); NEXT;
        L_RANK: diagram_rank(v, g->names[i->d]); NEXT;
        L_FIX_DICE: N(g->dice[i->a].fixed) = DICE_FIXED | DICE_THROWN; NEXT;
        }
    }
out:
    if (v->fault && !v->fault_pc) v->fault_pc = PC;
    v->depth--;
#undef PC
#undef NEXT
#undef GO
}
#endif
