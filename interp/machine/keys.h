/* Keys of positions, and the history of a game. Included once per width by vm.c. */
#ifndef JOC_KEYS_H
#define JOC_KEYS_H

INLINE int64_t next_player(const vm *v, int64_t from)
{
    const game *g = G(v);
    const int64_t out = HEAD(v)[H_OUT];
    int64_t i = from + 1 >= g->player_count ? 0 : from + 1;
    if (!out) return i;
    while ((out >> i & 1) && i != from) i = i + 1 == g->player_count ? 0 : i + 1;
    return i;
}

static uint64_t piece_key(const vm *v, int place)
{
    const game *g = G(v);
    uint64_t x = mix(AT(v)[place]);
    for (int i = 0; g->told_keeps && i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE || k->aside) continue;
        if (k->type == KEEP_FLAG) { if (set_has(PLANE(v, k->where), place)) x = mix(x + 2 * (uint64_t)i + 1); }
        else x = mix(x ^ (uint64_t)(ARRAYS(v)[(size_t)k->where * (size_t)g->places + (size_t)place] + ((int64_t)i << 20)));
    }
    if (has_piles(g) && place < g->cells) {
        struct pile *u = pile_at(v, place);
        for (int i = 0; i < u->count; i++) {
            const piece p = pile_get(v, u, i);
            x = mix(x * 3 + p.code);
            if (!g->piece_keeps) continue;
            x ^= mix(p.flags + 77);
            for (int j = 0; j < PIECE_VALUES_MAX; j++) x = mix(x + (uint64_t)p.values[j] * 5);
        }
    }
    return x;
}

/* The contents of a set of places, cells and zones. Equal pieces in a zone are interchangeable: they are added up. */
static uint64_t contents_key(const vm *v, const uint64_t *among)
{
    const game *g = G(v);
    uint64_t key = 0, left[WORDS];
    set_and(left, S(SET_OCCUPIED), among);
    for (int p; (p = set_pop(left)) >= 0 && p < g->taken_first;) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    return key;
}

/* What H_CONTENTS does not tell of the pieces: their flags and numbers, and what lies below them. */
static uint64_t details_key(const vm *v)
{
    const game *g = G(v);
    uint64_t key = 0, left[WORDS];
    for (int i = 0; g->told_keeps && i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE || k->aside) continue;
        if (k->type == KEEP_FLAG) {
            EACH_WORD(w) { const uint64_t x = PLANE(v, k->where)[w] & cells_word(g, w); if (x) key += mix(x ^ g->place_keys[w * 64]) * (2 * (uint64_t)i + 3); }
        } else {
            const int16_t *a = ARRAYS(v) + (size_t)k->where * (size_t)g->places;
            for (int p = 0; p < g->cells; p++) if (a[p]) key += mix(g->place_keys[p] ^ (uint64_t)(a[p] + ((int64_t)i << 20)));
        }
    }
    if (g->told_keeps) {
        EACH_WORD(w) left[w] = S(SET_OCCUPIED)[w] & ~cells_word(g, w);
        for (int p; (p = set_pop(left)) >= 0 && p < g->taken_first;) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    }
    if (has_piles(g) && g->piece_keeps)
        for (int p = 0; p < g->cells; p++) if (pile_at(v, p)->count) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    return key;
}

/* All that makes two positions the same, with `next` to move; inside a turn what is kept of the turn, too. */
static uint64_t position_key(const vm *v, int64_t next, bool inside)
{
    const game *g = G(v);
    uint64_t key = (uint64_t)H(H_CONTENTS) + (g->simple_pieces ? 0 : details_key(v)) + mix((uint64_t)next + 0xABCDEF) + mix((uint64_t)H(H_OUT) * 7 + 3);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->aside || k->of == KEEP_PIECE || (k->turn && !inside)) continue;
        if (k->of == KEEP_CELL && k->type == KEEP_FLAG) {
            EACH_WORD(w) if (PLANE(v, k->where)[w]) key += mix(PLANE(v, k->where)[w] ^ mix((uint64_t)(i * WORDS_MAX + w) + 991));
        } else if (k->of == KEEP_CELL) {
            const int16_t *a = ARRAYS(v) + (size_t)k->where * (size_t)g->places;
            uint64_t sum = 0;
            for (int p = 0; p < g->cells + g->zone_count; p++) sum += (uint64_t)(int64_t)a[p] * g->place_keys[p];
            key += sum * (mix((uint64_t)i + 17) | 1);
        } else
            for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++)
                key += mix((uint64_t)NUM(v)[k->where + p] ^ mix((uint64_t)(i * 16 + p) + 5555));
    }
    return key;
}

/* Of a leaf that ends its turn: mixed, its key. It has H_CONTENTS as a summand. */
static uint64_t end_sum(const vm *v, leaf_kind kind)
{
    return position_key(v, H(H_NEXT), G(v)->ends_ask_turn) + mix((uint64_t)(H(H_OVER) * 64 + H(H_WINNER) * 4 + kind)) + (uint64_t)(H(H_PASSES) > 0) + 2 * (uint64_t)(H(H_AGAIN) > 0);
}

/* What an emitted leaf is merged by. */
static uint64_t leaf_key(const vm *v, leaf_kind kind, uint32_t pc)
{
    const game *g = G(v);
    if (kind == LEAF_LEGAL || kind == LEAF_OVER) return mix(end_sum(v, kind));
    uint64_t key = position_key(v, H(H_MOVER), true) + mix(pc + 31337u) + (uint64_t)H(H_DIDPASS) + 2 * (uint64_t)H(H_AGAIN) + mix((uint64_t)H(H_NEXT) + 5);
    for (int p = g->taken_first; p < g->taken_first + g->taken_slots; p++) if (AT(v)[p]) key += mix(piece_key(v, p) + 424242);
    const int walk = g->live[pc].walk;
    key = mix(key + mix((uint64_t)(walk & WALK_HERE ? H(H_HERE) : NO_PLACE) * 2048 + (uint64_t)(walk & WALK_START ? H(H_START) : NO_PLACE)));
    if (walk & WALK_PASSED) EACH_WORD(k) if (S(SET_PASSED)[k]) key += mix(S(SET_PASSED)[k] ^ mix((uint64_t)k + 161803));
    /* of the registers that are still read most are zero: those are not mixed in, and the others independently */
    for (int i = 0; i < g->live[pc].numbers; i++) { const uint64_t x = (uint64_t)N(g->num_consts + i); if (x) key += mix(x ^ mix((uint64_t)i + 271828)); }
    for (int i = 0; i < g->live[pc].sets; i++) EACH_WORD(k) { const uint64_t x = S(g->reg_first + i)[k]; if (x) key += mix(x ^ mix((uint64_t)(i * WORDS_MAX + k) + 314159)); }
    for (int i = 0; i < g->bag_count; i++) {
        const int16_t *b = BAGS(v) + (size_t)i * (BAG_MAX + 1);         /* how many numbers, then they */
        for (int j = 0; b[0] && j <= b[0]; j++) key += mix((uint64_t)(uint16_t)b[j] * 64 + (uint64_t)(i * (BAG_MAX + 1) + j));
    }
    for (int i = 0; i < g->dice_count; i++) key += mix((uint64_t)N(g->dice[i].fixed) * 3 + (uint64_t)N(g->dice[i].number) * 7 + (uint64_t)i);
    return key;
}

/* The contents of the set of `repeats of`. */
static uint64_t key_set_key(const vm *v) { return G(v)->key_whole ? (uint64_t)H(H_CONTENTS) : contents_key(v, G(v)->key_set); }

static void history_room(vm *v, size_t n)
{
    if (n > v->history.capacity) history_grow(&v->history, n);
}

/* The loaded position's own entry stands where it belongs (another line of play may have written there). */
static void history_settle(vm *v)
{
    if (!G(v)->uses_history || H(H_HISTORY) == 0) return;
    const size_t n = (size_t)H(H_HISTORY);
    history_room(v, n);
    v->history.keys[n - 1] = (uint64_t)H(H_KEY);
    if (G(v)->key_set) v->history.keys_of[n - 1] = (uint64_t)H(H_KEY_OF);
    if (G(v)->always_count) v->history.always[n - 1] = (uint64_t)H(H_ALWAYS);
}

/* Where pieces only ever go (game.history_drains): how many there are, and above them since which entry of the history. */
static int64_t pieces_now(const vm *v)
{
    int64_t n = 0;
    EACH_WORD(k) n += __builtin_popcountll(S(SET_OCCUPIED)[k] & cells_word(G(v), k));
    return n;
}

static int64_t pieces_since(const vm *v)
{
    const int64_t n = pieces_now(v), was = H(H_KEY_OF);
    if (H(H_HISTORY) && n == (was & 0xFFFF)) return was;
    return n | H(H_HISTORY) << 16;
}

/* The position, with the player in H_NEXT to move, is the newest of the history. */
static void history_push(vm *v, bool known)
{
    const game *g = G(v);
    if (!g->uses_history) return;
    H(H_KEY) = (int64_t)(known && v->turn_key_known ? v->turn_key : position_key(v, H(H_NEXT), false));
    H(H_KEY_OF) = g->key_set ? (int64_t)key_set_key(v) : g->history_drains ? pieces_since(v) : 0;
    H(H_HISTORY)++;
    history_settle(v);
}

/* How often this position stood before, or how many turns ago it last did. Inside a turn: as it will stand with the next player to move. */
static int64_t repeats(vm *v, bool only_key_set, bool since, bool noted)
{
    const game *g = G(v);
    const uint64_t key = only_key_set ? key_set_key(v)
                                      : position_key(v, H(H_NEXT) >= 0 ? H(H_NEXT) : next_player(v, H(H_ACTOR)), false);
    const uint64_t *keys = only_key_set ? v->history.keys_of : v->history.keys;
    const size_t n = (size_t)H(H_HISTORY), first = g->history_drains ? (size_t)(pieces_since(v) >> 16) : 0;
    int64_t times = 0;
    if (noted) { v->turn_key = key; v->turn_key_known = true; }
    for (size_t i = first; i < n; i++) times += keys[i] == key;
    if (!since || !times) return times;
    size_t i = n;
    while (keys[--i] != key) {}
    return (int64_t)(n - i);
}

/* This position stood before, and the noted truth held after every turn that player made since. */
static bool always(vm *v, int index)
{
    int64_t back = repeats(v, false, true, false);
    size_t n = (size_t)H(H_HISTORY);
    if (!back) return false;
    const int64_t me = H(H_MOVER);
    bool some = false;
    /* the turn just made is noted in H_ALWAYS, the earlier ones in the history; the low four bits tell who made it */
    for (size_t i = n - (size_t)back + 1; i <= n; i++) {
        uint64_t bits = i == n ? (uint64_t)H(H_ALWAYS) : v->history.always[i];
        if ((int64_t)(bits & 15) != me) continue;
        some = true;
        if (!(bits >> (4 + index) & 1)) return false;
    }
    return some;
}
#endif
