/* The Royal Game of Ur after Finkel: seven pieces, four two-sided dice, a path of fourteen squares of which the fifth to
 * the twelfth are shared; the fourth, eighth and fourteenth are rosettes, which give another throw, and on the eighth
 * nothing is taken; pieces leave by the exact throw. A turn without a move is a ply.
 *
 * A side is a set of bits, bit k for a piece on the k-th square; bit 0 stands for the pieces not yet on the board, of
 * which there is a count. Moves are that set, shifted. */
#include <stddef.h>

#include "bench.h"

enum { PIECES = 7, HOME = 15 };

static const uint32_t SHARED = 0x1FE0, ROSETTES = 1u << 4 | 1u << 8 | 1u << 14, SAFE = 1u << 8;

typedef struct {
    uint32_t on[2]; /* with bit 0 while some wait */
    uint8_t waiting[2], home[2];
} position;

/* One throw in sixteenths: how many of four marked corners show. */
static inline unsigned throw_dice(bench_random *random) { return bit_count(random_next(random) >> 60); }

/* The squares that may be reached (15: home). */
static inline uint32_t targets_of(const position *p, unsigned mover, unsigned thrown) {
    const uint32_t own = p->on[mover], blocked = own | (p->on[mover ^ 1] & SAFE);
    return (own << thrown) & 0xFFFE & ~(blocked & ~1u);
}

/* Moves to the square; true if the mover throws again. */
static inline bool move_make(position *p, unsigned mover, unsigned to, unsigned thrown) {
    const unsigned from = to - thrown;
    if (from == 0) {
        if (--p->waiting[mover] == 0) p->on[mover] &= ~1u;
    } else {
        p->on[mover] ^= 1u << from;
    }
    if (to == HOME) {
        p->home[mover]++;
        return false;
    }
    const uint32_t square = 1u << to;
    p->on[mover] |= square;
    if (square & SHARED & p->on[mover ^ 1]) {
        p->on[mover ^ 1] = (p->on[mover ^ 1] ^ square) | 1;
        p->waiting[mover ^ 1]++;
    }
    return (square & ROSETTES) != 0;
}

bench_count ur_finkel_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        position p = {{1, 1}, {PIECES, PIECES}, {0, 0}};
        for (unsigned mover = 0;;) {
            const unsigned thrown = throw_dice(&random);
            const uint32_t to = thrown ? targets_of(&p, mover, thrown) : 0;
            count.plies++;
            if (to && move_make(&p, mover, bit_select(to, random_below(&random, bit_count(to))), thrown)) continue;
            if (p.home[mover] == PIECES) {
                count.wins[mover]++;
                break;
            }
            mover ^= 1;
        }
    }
    return count;
}

/* Sequences of moves through all throws that differ; a throw is no ply, a turn without a move is one. */
static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    if (p->home[mover ^ 1] == PIECES) return 0;
    uint64_t nodes = perft(p, mover ^ 1, depth - 1); /* nothing thrown */
    for (unsigned thrown = 1; thrown <= 4; thrown++) {
        uint32_t to = targets_of(p, mover, thrown);
        if (!to) nodes += perft(p, mover ^ 1, depth - 1);
        for (; to; to &= to - 1) {
            position next = *p;
            const bool again = move_make(&next, mover, bit_first(to), thrown);
            nodes += perft(&next, again ? mover : mover ^ 1, depth - 1);
        }
    }
    return nodes;
}

uint64_t ur_finkel_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    const position start = {{1, 1}, {PIECES, PIECES}, {0, 0}};
    return perft(&start, 0, depth);
}
