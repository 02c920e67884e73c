/* Building positions by hand, and what a machine of this width offers. Included once per width by vm.c. */
#ifndef JOC_BUILD_H
#define JOC_BUILD_H

static void blank(vm *v)
{
    const game *g = G(v);
    memset(STATE(v), 0, g->state_size);
    set_mover(v, 0);
    H(H_NEXT) = H(H_WINNER) = H(H_HERE) = H(H_START) = H(H_UNDER) = -1;
    for (int p = 0; p < g->cells; p++) set_add(S(SET_EMPTY), p);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of == KEEP_GAME || k->of == KEEP_PLAYER) for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++) N(k->where + p) = k->start;
        else if (k->of == KEEP_CELL && k->start) {
            if (k->type == KEEP_FLAG) for (int p = 0; p < g->cells; p++) set_add(S(k->where), p);
            else for (int p = 0; p < g->places; p++) if (p < g->cells || (g->zone_of[p] >= 0 && g->zones[g->zone_of[p]].place == p)) ARRAYS(v)[(size_t)k->where * (size_t)g->places + (size_t)p] = (int16_t)(k->type == KEEP_NUMBER ? k->start : 0);
        }
    }

}

static size_t begin(vm *v)
{
    turn_begin(v);
    H(H_HISTORY) = 0;
    if (G(v)->uses_history) {
        int64_t next = H(H_NEXT);
        H(H_NEXT) = H(H_MOVER);
        history_push(v, false);
        H(H_NEXT) = next;
    }
    return (size_t)H(H_HISTORY);
}

static bool put(vm *v, int place, int owner, int k)
{
    const game *g = G(v);
    piece p = piece_new(g, owner, k);
    if (place >= g->cells) {
        const zone *z = &g->zones[g->zone_of[place]];
        if (z->owner >= 0) p.code = (uint16_t)code_of(g, z->owner, k);
        for (int i = 0; i < z->slots; i++) if (!AT(v)[z->first + i]) { piece_set(v, z->first + i, &p); return true; }
        return false;
    }
    if (!has_room(v, place, owner)) return false;
    piece_place(v, place, &p);
    return true;
}

static void clear(vm *v, int place)
{
    const game *g = G(v);
    if (place < g->cells) { while (AT(v)[place]) piece_lift(v, place); return; }
    const zone *z = &g->zones[g->zone_of[place]];
    for (int i = 0; i < z->slots; i++) if (AT(v)[z->first + i]) piece_unset(v, z->first + i);
}

/* The level-th piece of a place, from the top: where it stands, or the record below; NULL if it stands on top (at *top). */
static piece *piece_below(vm *v, int place, int level, int *top)
{
    const game *g = G(v);
    *top = place;
    if (place >= g->cells) {
        const zone *z = &g->zones[g->zone_of[place]];
        *top = -1;
        for (int i = 0; i < z->slots; i++) if (AT(v)[z->first + i] && level-- == 0) { *top = z->first + i; break; }
        return NULL;
    }
    if (level == 0 || !has_piles(g)) return NULL;
    struct pile *u = pile_at(v, place);
    return level <= u->count && G(v)->piece_keeps ? &pile_pieces(u)[u->count - level] : NULL;
}

static bool set_value(vm *v, int place, int level, int index, int64_t value)
{
    const keep *k = &G(v)->keeps[index];
    int top;
    piece *p = piece_below(v, place, level, &top);
    if (k->type == KEEP_NUMBER && (value < k->low || value > k->high)) return false;
    if (p) {
        if (k->type == KEEP_FLAG) p->flags = value ? p->flags | 1u << k->flag_bit : p->flags & ~(1u << k->flag_bit);
        else p->values[k->value_slot] = (int16_t)(k->type == KEEP_NUMBER ? value : value + 1);
        return true;
    }
    if (top < 0 || !AT(v)[top]) return false;
    if (k->type == KEEP_FLAG) { if (value) set_add(S(k->where), top); else set_remove(S(k->where), top); }
    else ARRAYS(v)[(size_t)k->where * (size_t)G(v)->places + (size_t)top] = (int16_t)(k->type == KEEP_NUMBER ? value : value + 1);
    return true;
}

static int64_t get_value(vm *v, int place, int level, int index)
{
    const keep *k = &G(v)->keeps[index];
    int top;
    piece *p = piece_below(v, place, level, &top);
    if (p) return k->type == KEEP_FLAG ? (int64_t)(p->flags >> k->flag_bit & 1) : (int64_t)p->values[k->value_slot] - (k->type == KEEP_NUMBER ? 0 : 1);
    if (top < 0) return 0;
    if (k->type == KEEP_FLAG) return set_has(S(k->where), top);
    return ARRAYS(v)[(size_t)k->where * (size_t)G(v)->places + (size_t)top] - (k->type == KEEP_NUMBER ? 0 : 1);
}

static void exchange(vm *v, int a, int b)
{
    const game *g = G(v);
    if (a == b || !AT(v)[a] || !AT(v)[b]) return;
    piece x = piece_unset(v, a), y = piece_unset(v, b), to_a = y, to_b = x;
    to_a.code = (uint16_t)code_of(g, code_owner(g, x.code), code_kind(g, y.code));
    to_b.code = (uint16_t)code_of(g, code_owner(g, y.code), code_kind(g, x.code));
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (!k->inner) continue;
        if (k->type != KEEP_FLAG) { to_a.values[k->value_slot] = x.values[k->value_slot]; to_b.values[k->value_slot] = y.values[k->value_slot]; continue; }
        const uint32_t bit = 1u << k->flag_bit;
        to_a.flags = (to_a.flags & ~bit) | (x.flags & bit);
        to_b.flags = (to_b.flags & ~bit) | (y.flags & bit);
    }
    piece_set(v, a, &to_a);
    piece_set(v, b, &to_b);
}

static void mover(vm *v, int who) { set_mover(v, who); }

static uint64_t key(vm *v) { return position_key(v, H(H_MOVER), true); }

static uint64_t full_key(vm *v)
{
    const uint64_t at = (uint64_t)H(H_PASSES) * 64 + (uint64_t)(H(H_EXTRA) != 0) * 32 + (uint64_t)H(H_OVER) * 8;
    const uint64_t base = H(H_RESUME) ? leaf_key(v, LEAF_COMMIT, (uint32_t)H(H_RESUME)) + mix((uint64_t)H(H_ACTOR) + 11) : key(v);
    return mix(base ^ mix(at + 777) ^ mix((uint64_t)H(H_TURNS) + 5) ^ (uint64_t)(H(H_OVER) ? H(H_WINNER) + 1 : 0));
}

static void run_straight(vm *v, uint32_t pc)
{
    v->mode = MODE_STRAIGHT;
    v->stop = false;
    budget_anew(v);
    if (!v->fault) run(v, pc);
}

#define OFFERS(lists, traces, counts) { \
    .words = WORDS, .blank = blank, .load = load, .store = store, .settle = settle, .list = lists, .outcomes = outcomes, .play = play, .mover = mover, .trace = traces, \
    .random = play_random, .playout = play_out, .clean = clean, .begin = begin, .choices = choices, .perft = counts, .run = run_straight, .go = run, .put = put, .clear = clear, .set_value = set_value, .get_value = get_value, .key = key, .exchange = exchange, \
    .full_key = full_key }

#ifdef JOC_NATIVE
/* Notation and `why` are the interpreter's: compiled, nothing is noted, nobody watches, filters forbid, and of equal moves one is counted. */
static size_t list_any(vm *v) { return v->watch || v->lenient || v->keep_doubles ? plain->list(v) : list(v); }
static size_t trace_plain(vm *v, const uint8_t *from, const leaf *l, const uint32_t *path, token *out, size_t cap) { return plain->trace(v, from, l, path, out, cap); }
static uint64_t perft_any(vm *v, int depth, count_how how, const volatile bool *stop) { return how.paths ? plain->perft(v, depth, how, stop) : perft(v, depth, how, stop); }

static const machine own = OFFERS(list_any, trace_plain, perft_any);
__attribute__((visibility("default"))) const native_machine joc_native_machine = { &own, &plain, &GAME, CONST_NUM, CONST_SETS };
#else
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
extern const machine JOIN(machine_, WORDS);
const machine JOIN(machine_, WORDS) = OFFERS(list, trace, perft);
#endif
#endif
