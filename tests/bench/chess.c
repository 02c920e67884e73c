/* Chess. Sets of squares, bit 8 * row + column with a1 = 0; sliders look their targets up by the bits of the
 * occupied squares that matter (pext).
 *
 * The moves of a ply are found as a short list of batches: one for each officer (its square, a set of targets), one
 * for each way all pawns may go together (an offset, a set of targets). How many there are is a sum of population
 * counts, and the one drawn is the only one ever written out. All batches hold legal moves only: pinned pieces
 * keep to the line of their king, and in check targets are masked. The king's own steps alone are tested when they
 * are drawn: one that turns out illegal is struck off and another drawn, which leaves the choice uniform.
 *
 * Drawn: stalemate; 100 plies without a capture or a pawn's move (unless it is mate); the third time the same
 * position stands (placement, castling, a legal en passant, player to move); a lone minor piece or none, or only
 * bishops on squares of one colour. */
#include <stddef.h>
#include <string.h>

#include "bench.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KINDS, NONE = KINDS };
enum { WHITE, BLACK, IDLE_LIMIT = 100, NOWHERE = 64 };

typedef struct {
    uint64_t of[2][KINDS], side[2];
    uint64_t key;
    uint8_t kind[64];
    uint8_t crossed; /* where a pawn may legally be taken in passing, or NOWHERE */
    uint8_t castles; /* bit 2 * side + (0: king's, 1: queen's) */
    uint8_t idle;
} position;

static const uint64_t FILE_A = 0x0101010101010101u, FILE_H = 0x8080808080808080u;
static const uint64_t ROW_1 = 0xFF;

/* ---- tables, filled once ---------------------------------------------------------------------------------- */

static uint64_t knight_steps[64], king_steps[64], pawn_strikes[2][64];
static uint64_t between[64][64], lines[64][64]; /* strictly between; the whole line through both */
static uint64_t file_of[64], slope_of[64][2];   /* lines through a square: its file, its two diagonals */
static uint64_t empty_rook[64], empty_bishop[64];
static uint64_t piece_keys[2][KINDS][64], castle_keys[16], crossed_keys[65], mover_key;

typedef struct {
    uint64_t mask;
    uint32_t base;
} slider;

static slider sliders[2][64]; /* 0: bishop, 1: rook */
static uint64_t slider_targets[0x1480 + 0x19000];

static uint64_t extract(uint64_t x, uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(x, mask);
#else
    uint64_t result = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & (0 - mask)) result |= bit;
    return result;
#endif
}

static ALWAYS_INLINE uint64_t slides(unsigned straight, unsigned square, uint64_t occupied) {
    const slider *s = &sliders[straight][square];
    return slider_targets[s->base + extract(occupied, s->mask)];
}

static ALWAYS_INLINE uint64_t bishop_slides(unsigned square, uint64_t occupied) { return slides(0, square, occupied); }
static ALWAYS_INLINE uint64_t rook_slides(unsigned square, uint64_t occupied) { return slides(1, square, occupied); }

static uint64_t square_at(int col, int row) {
    return col >= 0 && col < 8 && row >= 0 && row < 8 ? bit_at((unsigned)(8 * row + col)) : 0;
}

static const int WAYS[8][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};

static uint64_t walk(unsigned square, unsigned way, uint64_t occupied) {
    uint64_t seen = 0;
    int col = (int)square % 8, row = (int)square / 8;
    for (uint64_t next; (next = square_at(col += WAYS[way][0], row += WAYS[way][1])) != 0;) {
        seen |= next;
        if (next & occupied) break;
    }
    return seen;
}

static void lines_fill(unsigned square) {
    file_of[square] = FILE_A << square % 8;
    for (unsigned way = 0; way < 8; way++) {
        const uint64_t whole = walk(square, way, 0) | walk(square, way ^ (way < 4 ? 3 : 1), 0) | bit_at(square);
        for (uint64_t rest = walk(square, way, 0); rest; rest &= rest - 1) {
            const unsigned other = bit_first(rest);
            lines[square][other] = whole;
            between[square][other] = walk(square, way, bit_at(other)) & ~bit_at(other);
        }
        if (way < 2) slope_of[square][way] = whole;
    }
}

static uint32_t slider_fill(unsigned straight, unsigned square, uint32_t base) {
    const uint64_t edge_rows = (ROW_1 | ROW_1 << 56) & ~(ROW_1 << (square & 56)),
                   edge_files = (FILE_A | FILE_H) & ~(FILE_A << square % 8);
    uint64_t all = 0, occupied = 0;
    for (unsigned way = 4 * straight; way < 4 * straight + 4; way++) all |= walk(square, way, 0);
    const uint64_t mask = all & ~(edge_rows | edge_files);
    sliders[straight][square] = (slider){mask, base};
    do {
        uint64_t seen = 0;
        for (unsigned way = 4 * straight; way < 4 * straight + 4; way++) seen |= walk(square, way, occupied);
        slider_targets[base + extract(occupied, mask)] = seen;
        occupied = (occupied - mask) & mask;
    } while (occupied);
    return base + (1u << bit_count(mask));
}

static void steps_fill(unsigned square) {
    static const int LEAP[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    const int col = (int)square % 8, row = (int)square / 8;
    for (unsigned i = 0; i < 8; i++) {
        knight_steps[square] |= square_at(col + LEAP[i][0], row + LEAP[i][1]);
        king_steps[square] |= square_at(col + WAYS[i][0], row + WAYS[i][1]);
    }
    pawn_strikes[WHITE][square] = square_at(col - 1, row + 1) | square_at(col + 1, row + 1);
    pawn_strikes[BLACK][square] = square_at(col - 1, row - 1) | square_at(col + 1, row - 1);
}

static void tables_fill(void) {
    if (mover_key) return;
    uint64_t seed = 2024;
    uint32_t base = 0;
    for (unsigned square = 0; square < 64; square++) {
        steps_fill(square);
        lines_fill(square);
        base = slider_fill(0, square, base);
        base = slider_fill(1, square, base);
        for (unsigned kind = 0; kind < 2 * KINDS; kind++) piece_keys[kind & 1][kind / 2][square] = bench_mix(&seed);
        crossed_keys[square] = bench_mix(&seed);
        empty_bishop[square] = bishop_slides(square, 0);
        empty_rook[square] = rook_slides(square, 0);
    }
    for (unsigned i = 0; i < 16; i++) castle_keys[i] = bench_mix(&seed);
    mover_key = bench_mix(&seed);
}

/* ---- finding moves ---------------------------------------------------------------------------------------- */

/* What is done beyond going from one square to another. */
typedef enum { PLAIN, PUSH, RUSH, SNAP, CASTLE, PROMOTE } action;

/* All moves to a set of targets: from one square, or each from its target less an offset. */
typedef struct {
    uint64_t to;
    int8_t offset;
    uint8_t from; /* NOWHERE: by the offset */
    uint8_t kind, what;
} batch;

typedef struct {
    batch list[32];
    unsigned batches, count; /* batch 0 holds the king's steps; a promotion counts four times */
} choices;

typedef struct {
    uint8_t from, to, kind, what, becomes;
} move;

static ALWAYS_INLINE bool attacked(const position *p, unsigned by, unsigned square, uint64_t occupied) {
    const uint64_t *enemy = p->of[by];
    return (knight_steps[square] & enemy[KNIGHT]) || (king_steps[square] & enemy[KING]) ||
           (pawn_strikes[by ^ 1][square] & enemy[PAWN]) ||
           ((empty_bishop[square] & (enemy[BISHOP] | enemy[QUEEN])) &&
            (bishop_slides(square, occupied) & (enemy[BISHOP] | enemy[QUEEN]))) ||
           ((empty_rook[square] & (enemy[ROOK] | enemy[QUEEN])) &&
            (rook_slides(square, occupied) & (enemy[ROOK] | enemy[QUEEN])));
}

static ALWAYS_INLINE void batch_add(choices *c, uint64_t to, int offset, unsigned from, unsigned kind, unsigned what) {
    c->list[c->batches] = (batch){to, (int8_t)offset, (uint8_t)from, (uint8_t)kind, (uint8_t)what};
    c->batches += to != 0;
    c->count += bit_count(to);
}

static ALWAYS_INLINE void promotions_add(choices *c, uint64_t to, int offset) {
    if (!to) return;
    c->list[c->batches++] = (batch){to, (int8_t)offset, NOWHERE, PAWN, PROMOTE};
    c->count += 4 * bit_count(to);
}

/* The enemy's pieces that give check, and ours that stand between one of them and the king. */
typedef struct {
    uint64_t checkers, pinned;
} danger;

static ALWAYS_INLINE danger danger_of(const position *p, unsigned mover, unsigned king, uint64_t occupied) {
    const uint64_t *enemy = p->of[mover ^ 1];
    danger d = {(knight_steps[king] & enemy[KNIGHT]) | (pawn_strikes[mover][king] & enemy[PAWN]), 0};
    for (uint64_t s = (empty_bishop[king] & (enemy[BISHOP] | enemy[QUEEN])) | (empty_rook[king] & (enemy[ROOK] | enemy[QUEEN]));
         s; s &= s - 1) {
        const uint64_t screen = between[king][bit_first(s)] & occupied;
        if (!screen) {
            d.checkers |= s & (0 - s);
        } else if (!(screen & (screen - 1))) {
            d.pinned |= screen & p->side[mover];
        }
    }
    return d;
}

static ALWAYS_INLINE uint64_t up(uint64_t set, unsigned mover) { return mover == WHITE ? set << 8 : set >> 8; }

/* Is the king safe after taking in passing from this square? */
static bool snap_is_legal(const position *p, unsigned mover, unsigned king, unsigned from) {
    const uint64_t *enemy = p->of[mover ^ 1];
    const uint64_t fallen = up(bit_at(p->crossed), mover ^ 1);
    const uint64_t occupied = ((p->side[0] | p->side[1]) ^ bit_at(from) ^ fallen) | bit_at(p->crossed);
    return !(knight_steps[king] & enemy[KNIGHT]) && !(pawn_strikes[mover][king] & enemy[PAWN] & ~fallen) &&
           !(bishop_slides(king, occupied) & (enemy[BISHOP] | enemy[QUEEN])) &&
           !(rook_slides(king, occupied) & (enemy[ROOK] | enemy[QUEEN]));
}

static ALWAYS_INLINE void pawns_find(const position *p, unsigned mover, choices *c, unsigned king, uint64_t pinned,
                                     uint64_t empty, uint64_t allowed) {
    const uint64_t pawns = p->of[mover][PAWN], enemy = p->side[mover ^ 1] & allowed;
    const uint64_t last = mover == WHITE ? ROW_1 << 56 : ROW_1, third = mover == WHITE ? ROW_1 << 16 : ROW_1 << 40;
    const int ahead = mover == WHITE ? 8 : -8;
    const uint64_t pushed = up(pawns & (~pinned | file_of[king]), mover) & empty;
    const uint64_t rushed = up(pushed & third, mover) & empty & allowed;
    const uint64_t east = up((pawns & (~pinned | slope_of[king][mover]) & ~FILE_H) << 1, mover) & enemy;
    const uint64_t west = up((pawns & (~pinned | slope_of[king][mover ^ 1]) & ~FILE_A) >> 1, mover) & enemy;
    batch_add(c, pushed & allowed & ~last, ahead, NOWHERE, PAWN, PUSH);
    batch_add(c, rushed, 2 * ahead, NOWHERE, PAWN, RUSH);
    batch_add(c, east & ~last, ahead + 1, NOWHERE, PAWN, PUSH);
    batch_add(c, west & ~last, ahead - 1, NOWHERE, PAWN, PUSH);
    if (pawns & (mover == WHITE ? ROW_1 << 48 : ROW_1 << 8)) {
        promotions_add(c, pushed & allowed & last, ahead);
        promotions_add(c, east & last, ahead + 1);
        promotions_add(c, west & last, ahead - 1);
    }
    if (p->crossed == NOWHERE) return;
    for (uint64_t takers = pawn_strikes[mover ^ 1][p->crossed] & pawns; takers; takers &= takers - 1)
        if (snap_is_legal(p, mover, king, bit_first(takers)))
            batch_add(c, bit_at(p->crossed), 0, bit_first(takers), PAWN, SNAP);
}

static ALWAYS_INLINE void castling_find(const position *p, unsigned mover, choices *c, uint64_t occupied) {
    const unsigned rights = p->castles >> 2 * mover & 3, home = mover == WHITE ? 4 : 60;
    if ((rights & 1) && !(occupied & (uint64_t)0x60 << (home - 4)) && !attacked(p, mover ^ 1, home + 1, occupied) &&
        !attacked(p, mover ^ 1, home + 2, occupied))
        batch_add(c, bit_at(home + 2), 0, home, KING, CASTLE);
    if ((rights & 2) && !(occupied & (uint64_t)0x0E << (home - 4)) && !attacked(p, mover ^ 1, home - 1, occupied) &&
        !attacked(p, mover ^ 1, home - 2, occupied))
        batch_add(c, bit_at(home - 2), 0, home, KING, CASTLE);
}

static ALWAYS_INLINE void choices_find(choices *c, const position *p, unsigned mover) {
    const uint64_t *own = p->of[mover], mine = p->side[mover], occupied = mine | p->side[mover ^ 1];
    const unsigned king = bit_first(own[KING]);
    const danger d = danger_of(p, mover, king, occupied);
    c->list[0] = (batch){king_steps[king] & ~mine, 0, (uint8_t)king, KING, PLAIN};
    c->batches = 1;
    c->count = bit_count(c->list[0].to);
    uint64_t allowed = ~mine, pinned = d.pinned;
    if (d.checkers) {
        if (d.checkers & (d.checkers - 1)) return;
        allowed = d.checkers | between[king][bit_first(d.checkers)];
    }
    const uint64_t movers = d.checkers ? mine & ~pinned : mine;
    for (uint64_t s = own[KNIGHT] & ~pinned; s; s &= s - 1)
        batch_add(c, knight_steps[bit_first(s)] & allowed, 0, bit_first(s), KNIGHT, PLAIN);
    for (uint64_t s = (own[BISHOP] | own[ROOK] | own[QUEEN]) & movers; s; s &= s - 1) {
        const unsigned from = bit_first(s), kind = p->kind[from];
        uint64_t to = 0;
        if (kind != ROOK) to |= bishop_slides(from, occupied);
        if (kind != BISHOP) to |= rook_slides(from, occupied);
        if (pinned >> from & 1) to &= lines[king][from];
        batch_add(c, to & allowed, 0, from, kind, PLAIN);
    }
    /* In check a pinned pawn can do nothing: its line and the checker's meet at the king only. Capturing in
     * passing is tested by itself. */
    pawns_find(p, mover, c, king, pinned, ~occupied, allowed);
    if (!d.checkers && (p->castles >> 2 * mover & 3)) castling_find(p, mover, c, occupied);
}

/* The k-th move; the order is of no account. */
static ALWAYS_INLINE move choice_at(const choices *c, unsigned k) {
    const batch *b = c->list;
    for (;; b++) {
        const unsigned n = bit_count(b->to) << (b->what == PROMOTE ? 2 : 0);
        if (k < n) break;
        k -= n;
    }
    unsigned becomes = b->kind;
    if (b->what == PROMOTE) {
        becomes = KNIGHT + (k & 3);
        k >>= 2;
    }
    const unsigned to = bit_select(b->to, k);
    const unsigned from = b->from == NOWHERE ? (unsigned)((int)to - b->offset) : b->from;
    return (move){(uint8_t)from, (uint8_t)to, b->kind, b->what, (uint8_t)becomes};
}

static ALWAYS_INLINE bool king_step_is_legal(const position *p, unsigned mover, const move *m) {
    return !attacked(p, mover ^ 1, m->to, (p->side[0] | p->side[1]) ^ bit_at(m->from));
}

/* ---- making moves ----------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void piece_toggle(position *p, unsigned side, unsigned kind, unsigned square) {
    p->of[side][kind] ^= bit_at(square);
    p->side[side] ^= bit_at(square);
    p->key ^= piece_keys[side][kind][square];
}

static ALWAYS_INLINE uint8_t castles_lost(unsigned square) {
    switch (square) {
    case 0: return 2;
    case 4: return 3;
    case 7: return 1;
    case 56: return 8;
    case 60: return 12;
    case 63: return 4;
    default: return 0;
    }
}

static void rook_castle(position *p, unsigned mover, unsigned to) {
    const unsigned corner = to % 8 == 6 ? to + 1 : to - 2, beside = to % 8 == 6 ? to - 1 : to + 1;
    piece_toggle(p, mover, ROOK, corner);
    piece_toggle(p, mover, ROOK, beside);
    p->kind[corner] = NONE;
    p->kind[beside] = ROOK;
}

/* The square counts only if a pawn of the one to move can go there. */
static ALWAYS_INLINE void crossed_set(position *p, unsigned mover, unsigned square) {
    const unsigned king = bit_first(p->of[mover][KING]);
    p->crossed = (uint8_t)square;
    for (uint64_t s = pawn_strikes[mover ^ 1][square] & p->of[mover][PAWN]; s; s &= s - 1)
        if (snap_is_legal(p, mover, king, bit_first(s))) {
            p->key ^= crossed_keys[square];
            return;
        }
    p->crossed = NOWHERE;
}

static ALWAYS_INLINE void move_make(position *p, unsigned mover, move m) {
    const unsigned prey = p->kind[m.to];
    p->idle++;
    if (p->crossed != NOWHERE) {
        p->key ^= crossed_keys[p->crossed];
        p->crossed = NOWHERE;
    }
    if (prey != NONE) {
        piece_toggle(p, mover ^ 1, prey, m.to);
        p->idle = 0;
    }
    piece_toggle(p, mover, m.kind, m.from);
    piece_toggle(p, mover, m.becomes, m.to);
    p->kind[m.from] = NONE;
    p->kind[m.to] = m.becomes;
    if (m.kind == PAWN) {
        p->idle = 0;
        const unsigned behind = mover == WHITE ? m.to - 8u : m.to + 8u;
        if (m.what == RUSH) {
            crossed_set(p, mover ^ 1, behind);
        } else if (m.what == SNAP) {
            piece_toggle(p, mover ^ 1, PAWN, behind);
            p->kind[behind] = NONE;
        }
    } else if (m.what == CASTLE) {
        rook_castle(p, mover, m.to);
    }
    if (p->castles) {
        const uint8_t kept = p->castles & (uint8_t)~(castles_lost(m.from) | castles_lost(m.to));
        p->key ^= castle_keys[p->castles] ^ castle_keys[kept];
        p->castles = kept;
    }
    p->key ^= mover_key;
}

static bool position_read(const char *fen, position *p, unsigned *mover) {
    static const char LETTERS[] = "PNBRQKpnbrqk", CASTLES[] = "KQkq";
    memset(p, 0, sizeof *p);
    memset(p->kind, NONE, sizeof p->kind);
    unsigned row = 7, col = 0;
    for (; *fen && *fen != ' '; fen++) {
        const char *letter = strchr(LETTERS, *fen);
        if (*fen == '/') {
            row--, col = 0;
        } else if (letter) {
            const unsigned piece = (unsigned)(letter - LETTERS), square = 8 * row + col++;
            if (square > 63) return false;
            piece_toggle(p, piece / KINDS, piece % KINDS, square);
            p->kind[square] = (uint8_t)(piece % KINDS);
        } else {
            col += (unsigned)(*fen - '0');
        }
    }
    if (*fen++ != ' ') return false;
    *mover = *fen++ == 'w' ? WHITE : BLACK;
    for (fen++; *fen && *fen != ' '; fen++) {
        const char *letter = strchr(CASTLES, *fen);
        if (letter) p->castles |= (uint8_t)(1 << (letter - CASTLES));
    }
    p->key ^= castle_keys[p->castles];
    p->crossed = NOWHERE;
    if (*fen++ == ' ' && *fen >= 'a' && *fen <= 'h') {
        const unsigned square = (unsigned)(fen[0] - 'a' + 8 * (fen[1] - '1'));
        if (p->of[0][KING] && p->of[1][KING]) crossed_set(p, *mover, square);
    }
    return p->of[0][KING] && p->of[1][KING];
}

/* ---- playouts --------------------------------------------------------------------------------------------- */

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static inline bool is_dead(const position *p) {
    const uint64_t *a = p->of[0], *b = p->of[1], dark = 0xAA55AA55AA55AA55u, bishops = a[BISHOP] | b[BISHOP];
    if (a[PAWN] | b[PAWN] | a[ROOK] | b[ROOK] | a[QUEEN] | b[QUEEN]) return false;
    if (bit_count(p->side[0] | p->side[1]) <= 3) return true;
    return !(a[KNIGHT] | b[KNIGHT]) && (!(bishops & dark) || !(bishops & ~dark));
}

/* Keys since the last capture or pawn's move, by the player to move. */
typedef struct {
    uint64_t keys[2][IDLE_LIMIT];
    unsigned known[2];
} past;

static inline bool stood_twice(const past *h, unsigned mover, uint64_t key) {
    unsigned same = 0;
    for (unsigned i = 0; i < h->known[mover]; i++) same += h->keys[mover][i] == key;
    return same >= 2;
}

/* One ply; true when the game is over, with the winner or -1. */
static ALWAYS_INLINE bool ply(position *p, unsigned mover, past *h, bench_random *random, int *winner) {
    choices c;
    choices_find(&c, p, mover);
    move m;
    for (;;) {
        if (c.count == 0) {
            const unsigned king = bit_first(p->of[mover][KING]);
            *winner = attacked(p, mover ^ 1, king, p->side[0] | p->side[1]) ? (int)(mover ^ 1) : -1;
            return true;
        }
        m = choice_at(&c, random_below(random, c.count));
        if (m.kind != KING || m.what == CASTLE || king_step_is_legal(p, mover, &m)) break;
        c.list[0].to ^= bit_at(m.to);
        c.count--;
    }
    h->keys[mover][h->known[mover]++] = p->key;
    move_make(p, mover, m);
    return false;
}

static bool can_move(const position *p, unsigned mover) {
    choices c;
    choices_find(&c, p, mover);
    for (unsigned k = 0; k < c.count; k++) {
        const move m = choice_at(&c, k);
        if (m.kind != KING || m.what == CASTLE || king_step_is_legal(p, mover, &m)) return true;
    }
    return false;
}

static inline bool is_drawn(const position *p, unsigned next, past *h) {
    if (p->idle == 0) {
        h->known[0] = h->known[1] = 0;
        return is_dead(p);
    }
    if (p->idle >= 8 && stood_twice(h, next, p->key)) return true;
    return p->idle == IDLE_LIMIT && can_move(p, next);
}

static int play(const position *start, bench_random *random, uint64_t *plies) {
    position p = *start;
    past h;
    h.known[0] = h.known[1] = 0;
    int winner = -1;
    for (;; ++*plies) {
        if (ply(&p, WHITE, &h, random, &winner)) return winner;
        ++*plies;
        if (is_drawn(&p, BLACK, &h)) return -1;
        if (ply(&p, BLACK, &h, random, &winner)) return winner;
        if (is_drawn(&p, WHITE, &h)) {
            ++*plies;
            return -1;
        }
    }
}

bench_count chess_playouts(uint64_t games, uint64_t seed) {
    tables_fill();
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    position start;
    unsigned mover;
    position_read(START, &start, &mover);
    for (uint64_t game = 0; game < games; game++) {
        const int winner = play(&start, &random, &count.plies);
        if (winner >= 0) count.wins[winner]++;
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    choices c;
    if (mover == WHITE) {
        choices_find(&c, p, WHITE);
    } else {
        choices_find(&c, p, BLACK);
    }
    uint64_t nodes = 0;
    unsigned king_steps_count = bit_count(c.list[0].to);
    for (unsigned k = 0; k < king_steps_count; k++) {
        const move m = choice_at(&c, k);
        if (!king_step_is_legal(p, mover, &m)) {
            c.list[0].to ^= bit_at(m.to);
            king_steps_count--, k--, c.count--;
        }
    }
    if (depth == 1) return c.count;
    for (unsigned k = 0; k < c.count; k++) {
        position next = *p;
        move_make(&next, mover, choice_at(&c, k));
        nodes += perft(&next, mover ^ 1, depth - 1);
    }
    return nodes;
}

/* The position is a FEN. Draws are not looked at: published counts ignore them. */
uint64_t chess_perft(unsigned depth, const char *position_text) {
    tables_fill();
    position p;
    unsigned mover;
    if (!position_read(position_text ? position_text : START, &p, &mover)) return 0;
    return perft(&p, mover, depth);
}
