/* Pieces coming, going and changing. Included once per width by vm.c.
 *
 * The top piece of a place is spread over the planes (owner, kind, flags) and the arrays (its numbers); `at` holds its code,
 * 1 + (owner + 1) * (kinds + 1) + kind. What lies below it in a stack, and what a landing has not yet displaced, lies in piles.
 *
 * H_CONTENTS is the sum over all pieces of key(place) * key(code), in piles times a factor of their level: a piece that comes or goes changes it by
 * one product. */
#ifndef JOC_PIECE_H
#define JOC_PIECE_H
#include "hash.h"

typedef struct { uint16_t code, spare; uint32_t flags; int16_t values[PIECE_VALUES_MAX]; } piece;

/* A pile: how many, then the pieces, the lowest first; where nothing is kept of pieces, their codes alone; where they are alike, one code for all. */
struct pile { uint16_t count, codes[]; };

INLINE int code_of(const game *g, int owner, int k) { return 1 + (owner + 1) * (g->kind_count + 1) + k; }
INLINE int code_owner(const game *g, int code) { return g->codes[code].owner; }
INLINE int code_kind(const game *g, int code) { return g->codes[code].kind; }

/* The pile below the top piece of a cell; place -1: what the last landing has not yet displaced. */
INLINE struct pile *pile_at(const vm *v, int place) { return (struct pile *)((char *)PILES(v) + (size_t)(place + 1) * G(v)->pile_stride); }
INLINE piece *pile_pieces(struct pile *u) { return (piece *)(void *)((char *)u + 8); }

INLINE piece pile_get(const vm *v, struct pile *u, int i)
{
    return G(v)->piece_keeps ? pile_pieces(u)[i] : (piece){ .code = u->codes[G(v)->piles_alike ? 0 : i] };
}

INLINE void pile_put(const vm *v, struct pile *u, int i, const piece *p)
{
    if (G(v)->piece_keeps) pile_pieces(u)[i] = *p; else u->codes[G(v)->piles_alike ? 0 : i] = p->code;
}

/* By what the share of a piece is multiplied at a level; where all are alike, how many they are says all. */
INLINE uint64_t pile_factor(const game *g, int level) { return g->piles_alike ? 1 : mix((uint64_t)level + 0x1E7E1) | 1; }

/* What lies in piles has its share in H_CONTENTS, if it is codes alone. */
INLINE void pile_count_in(vm *v, int place, int level, int code, bool in)
{
    const game *g = G(v);
    if (place < 0 || g->piece_keeps) return;
    const uint64_t x = g->place_keys[place] * g->codes[code].key * pile_factor(g, level);
    HEAD(v)[H_CONTENTS] = (int64_t)((uint64_t)HEAD(v)[H_CONTENTS] + (in ? x : -x));
}

/* The cells with more than one piece are the last plane of games with stacks. */
INLINE uint64_t *piled(const vm *v) { return PLANE(v, G(v)->reg_first - 1); }

INLINE void pile_push(vm *v, int place, const piece *p)
{
    struct pile *u = pile_at(v, place);
    pile_count_in(v, place, u->count, p->code, true);
    if (place >= 0) set_add(piled(v), place);
    pile_put(v, u, u->count++, p);
}

INLINE piece pile_pop(vm *v, int place)
{
    struct pile *u = pile_at(v, place);
    const piece p = pile_get(v, u, --u->count);
    if (place >= 0 && !u->count) set_remove(piled(v), place);
    pile_count_in(v, place, u->count, p.code, false);
    return p;
}

INLINE bool has_piles(const game *g) { return g->pile_max > 1; }

/* The place as a bit of its word, if it is on the board. */
INLINE uint64_t board_bit(const game *g, int place)
{
    const uint64_t bit = 1ull << (place & 63);
    if (WORDS == 1) return bit & (g->cells >= 64 ? ~0ull : (1ull << g->cells) - 1);
    return place < g->cells ? bit : 0;
}

INLINE void plane_put(vm *v, int place, int code)
{
    const game *g = G(v);
    const code_info *c = &g->codes[code];
    const uint64_t bit = board_bit(g, place);
    PLANE(v, c->owner_plane)[word_of(place)] |= bit;
    S(SET_EMPTY)[word_of(place)] &= ~bit;
    set_add(S(SET_OCCUPIED), place);
    if (c->kind_plane >= 0) set_add(PLANE(v, c->kind_plane), place);
    AT(v)[place] = (uint16_t)code;
    HEAD(v)[H_CONTENTS] = (int64_t)((uint64_t)HEAD(v)[H_CONTENTS] + g->place_keys[place] * c->key);
}

INLINE void plane_lift(vm *v, int place, int code)
{
    const game *g = G(v);
    const code_info *c = &g->codes[code];
    const uint64_t bit = board_bit(g, place);
    PLANE(v, c->owner_plane)[word_of(place)] &= ~bit;
    S(SET_EMPTY)[word_of(place)] |= bit;
    set_remove(S(SET_OCCUPIED), place);
    if (c->kind_plane >= 0) set_remove(PLANE(v, c->kind_plane), place);
    AT(v)[place] = 0;
    HEAD(v)[H_CONTENTS] = (int64_t)((uint64_t)HEAD(v)[H_CONTENTS] - g->place_keys[place] * c->key);
}

/* A piece goes from one cell to another, where no piece stands. */
INLINE void plane_move(vm *v, int from, int to, int code)
{
    const game *g = G(v);
    const code_info *c = &g->codes[code];
    uint64_t *owner = PLANE(v, c->owner_plane), *empty = S(SET_EMPTY), *occupied = S(SET_OCCUPIED);
    set_remove(owner, from);
    set_add(owner, to);
    set_add(empty, from);
    set_remove(empty, to);
    set_remove(occupied, from);
    set_add(occupied, to);
    if (c->kind_plane >= 0) { uint64_t *kind = PLANE(v, c->kind_plane); set_remove(kind, from); set_add(kind, to); }
    AT(v)[from] = 0;
    AT(v)[to] = (uint16_t)code;
    HEAD(v)[H_CONTENTS] = (int64_t)((uint64_t)HEAD(v)[H_CONTENTS] + (g->place_keys[to] - g->place_keys[from]) * c->key);
}

/* What is kept of a piece goes with it to a cell where no piece stands. */
INLINE void keeps_move(vm *v, int from, int to)
{
    const game *g = G(v);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE) continue;
        if (k->type == KEEP_FLAG) {
            uint64_t *flag = PLANE(v, k->where);
            if (set_has(flag, from)) { set_remove(flag, from); set_add(flag, to); }
        } else {
            int16_t *x = &v->arrays[(size_t)k->where * (size_t)g->places];
            x[to] = x[from];
            x[from] = 0;
        }
    }
}

/* A piece onto a place without a piece. */
static void piece_set(vm *v, int place, const piece *p)
{
    const game *g = G(v);
    plane_put(v, place, p->code);
    if (g->piece_keeps == 0) return;
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE) continue;
        if (k->type == KEEP_FLAG) { if (p->flags >> k->flag_bit & 1) set_add(PLANE(v, k->where), place); }
        else ARRAYS(v)[(size_t)k->where * (size_t)g->places + (size_t)place] = p->values[k->value_slot];
    }
}

/* The top piece of a place leaves it, alone: what lies below stays below. */
static piece piece_unset(vm *v, int place)
{
    const game *g = G(v);
    piece p = { .code = AT(v)[place] };
    plane_lift(v, place, p.code);
    if (g->piece_keeps == 0) return p;
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE) continue;
        if (k->type == KEEP_FLAG) {
            if (set_has(PLANE(v, k->where), place)) { p.flags |= 1u << k->flag_bit; set_remove(PLANE(v, k->where), place); }
        } else {
            int16_t *x = &ARRAYS(v)[(size_t)k->where * (size_t)g->places + (size_t)place];
            p.values[k->value_slot] = *x;
            *x = 0;
        }
    }
    return p;
}

/* Is a pile told by how many pieces of what code lie in it? */
INLINE bool piles_plain(const game *g) { return g->piles_alike && !g->piece_keeps; }

/* The top piece leaves a place, its code is told: of piles that are plain, or where there are none. What comes up is like it. */
INLINE int plain_lift(vm *v, int place)
{
    const game *g = G(v);
    const int code = AT(v)[place];
    struct pile *below = has_piles(g) && place < g->cells ? pile_at(v, place) : NULL;
    if (!below || !below->count) { plane_lift(v, place, code); return code; }
    if (!--below->count) set_remove(piled(v), place);
    pile_count_in(v, place, 0, code, false);
    return code;
}

/* A piece comes on top of others that are like it. */
INLINE void plain_add(vm *v, int place, int code)
{
    struct pile *below = pile_at(v, place);
    below->codes[0] = (uint16_t)code;
    below->count++;
    set_add(piled(v), place);
    pile_count_in(v, place, 0, code, true);
}

/* A new piece: its numbers at their start. */
static piece piece_new(const game *g, int owner, int k)
{
    piece p = { .code = (uint16_t)code_of(g, owner, k) };
    for (int i = 0; g->piece_keeps && i < g->keep_count; i++)
        if (g->keeps[i].of == KEEP_PIECE) {
            if (g->keeps[i].type == KEEP_FLAG) { if (g->keeps[i].start) p.flags |= 1u << g->keeps[i].flag_bit; }
            else p.values[g->keeps[i].value_slot] = (int16_t)(g->keeps[i].type == KEEP_NUMBER ? g->keeps[i].start : 0);
        }
    return p;
}

/* The top piece leaves; what is below comes up. */
static piece piece_lift(vm *v, int place)
{
    piece p = piece_unset(v, place);
    if (has_piles(G(v)) && place < G(v)->cells) {
        struct pile *below = pile_at(v, place);
        if (below->count) { const piece next = pile_pop(v, place); piece_set(v, place, &next); }
    }
    return p;
}

INLINE int height_of(const vm *v, int place)
{
    if (!AT(v)[place]) return 0;
    return has_piles(G(v)) && place < G(v)->cells ? 1 + pile_at(v, place)->count : 1;
}

/* May a piece of this owner come on top of what stands there? */
INLINE bool has_room(const vm *v, int place, int owner)
{
    const game *g = G(v);
    if (!AT(v)[place]) return true;
    if (!has_piles(g) || place >= g->cells) return false;
    return height_of(v, place) < g->stack_size[place] && (g->stack_mixed[place] || code_owner(g, AT(v)[place]) == owner);
}

static void fault(vm *v, const char *why)
{
    if (!v->fault) v->fault = why;
    v->stop = true;
}

/* A slot of the range that is free, or -1 with a fault. */
static int free_slot(vm *v, int first, int count, const char *what)
{
    EACH_WORD(k) {
        const uint64_t vacant = range_word(first, count, k) & ~S(SET_OCCUPIED)[k];
        if (vacant) return k * 64 + __builtin_ctzll(vacant);
    }
    fault(v, what);
    return -1;
}

static void into_zone(vm *v, int zone_index, piece p)
{
    const game *g = G(v);
    const zone *z = &g->zones[zone_index];
    int slot = free_slot(v, z->first, z->slots, "more pieces in a zone than it can hold");
    if (slot < 0) return;
    if (z->owner >= 0) p.code = (uint16_t)code_of(g, z->owner, code_kind(g, p.code));
    piece_set(v, slot, &p);
}

/* The piece is taken: counted, and kept where the rules can speak of it. */
static void piece_taken(vm *v, piece p)
{
    const game *g = G(v);
    int n = (int)NUM(v)[g->num_base + H_TAKEN]++;
    if (!g->taken_slots) return;
    (void)n;
    int slot = free_slot(v, g->taken_first, g->taken_slots, "more pieces taken in one turn than can be kept");
    if (slot >= 0) piece_set(v, slot, &p);
}

static void take_top(vm *v, int place)
{
    if (place == v->probe_place) { v->found = v->stop = true; return; }
    piece_taken(v, piece_lift(v, place));
}

/* All that stands there is taken, the lowest first. */
static void take_all(vm *v, int place)
{
    if (place == v->probe_place) { v->found = v->stop = true; return; }
    if (has_piles(G(v)) && place < G(v)->cells) {
        struct pile *below = pile_at(v, place);
        for (int i = 0; i < below->count; i++) piece_taken(v, pile_get(v, below, i));
        while (below->count) pile_pop(v, place);
    }
    if (AT(v)[place]) piece_taken(v, piece_unset(v, place));
}

/* The same where there are no stacks, and nothing is kept of pieces. */
INLINE void take_plain(vm *v, int place)
{
    const game *g = G(v);
    const int code = AT(v)[place];
    if (place == v->probe_place) { v->found = v->stop = true; return; }
    plane_lift(v, place, code);
    HEAD(v)[H_TAKEN]++;
    if (!g->taken_slots) return;
    const int slot = free_slot(v, g->taken_first, g->taken_slots, "more pieces taken in one turn than can be kept");
    if (slot >= 0) plane_put(v, slot, code);
}

/* A plain piece comes into a zone; the slot it gets, -1 with a fault. */
INLINE int into_zone_plain(vm *v, int zone_index, int code)
{
    const game *g = G(v);
    const zone *z = &g->zones[zone_index];
    const int slot = free_slot(v, z->first, z->slots, "more pieces in a zone than it can hold");
    if (slot >= 0) plane_put(v, slot, z->owner >= 0 ? code_of(g, z->owner, code_kind(g, code)) : code);
    return slot;
}

/* On top of what stands there. */
static void piece_upon(vm *v, int place, const piece *p)
{
    if (AT(v)[place]) {
        const piece top = piece_unset(v, place);
        pile_push(v, place, &top);
    }
    piece_set(v, place, p);
}

/* The same; without room what stands there is taken first. */
static void piece_place(vm *v, int place, const piece *p)
{
    if (!has_room(v, place, code_owner(G(v), p->code))) {
        take_all(v, place);
        if (AT(v)[place]) return;           /* the probe stopped it */
    }
    piece_upon(v, place, p);
}

/* Up to `many` pieces leave a place, the top ones or those at the bottom; the highest of them is the first. */
static int pieces_lift(vm *v, int place, int64_t many, bool low, piece *out)
{
    piece above[STACK_MOST];
    int kept = 0, n = 0;
    if (low) for (int64_t i = height_of(v, place) - (many > 0 ? many : 0); i > 0 && kept < STACK_MOST; i--) above[kept++] = piece_lift(v, place);
    while (n < many && n < STACK_MOST && AT(v)[place]) out[n++] = piece_lift(v, place);
    while (kept) piece_upon(v, place, &above[--kept]);
    return n;
}

/* Below what stands there. */
static void piece_under(vm *v, int place, const piece *p)
{
    if (!AT(v)[place]) { piece_set(v, place, p); return; }
    if (!has_piles(G(v)) || place >= G(v)->cells || height_of(v, place) >= G(v)->stack_size[place]) { fault(v, "no room in this stack"); return; }
    struct pile *below = pile_at(v, place);
    piece all[64];
    int n = 0;
    while (below->count && n < 64) all[n++] = pile_pop(v, place);
    pile_push(v, place, p);
    while (n) pile_push(v, place, &all[--n]);
}

/* What the last landing displaced is taken. */
static void settle_landing(vm *v)
{
    int64_t *h = NUM(v) + G(v)->num_base;
    if (h[H_UNDER] < 0) return;
    if (h[H_UNDER] == v->probe_place) { v->found = v->stop = true; return; }
    h[H_UNDER] = -1;
    struct pile *u = pile_at(v, -1);
    for (int i = 0; i < u->count; i++) piece_taken(v, pile_get(v, u, i));
    memset(u, 0, G(v)->pile_stride);
}
#endif
