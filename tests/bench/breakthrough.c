/* Breakthrough, 8 by 8. A position is two sets of pawns; bit 8 * row + column, White moves up.
 *
 * A move is known by its direction and its target, so the moves are three sets of targets: their number is a
 * population count and the k-th is a bit select; nothing is ever listed. */
#include <stddef.h>

#include "bench.h"

static const uint64_t WEST_FILE = 0x0101010101010101u, EAST_FILE = 0x8080808080808080u;

typedef struct {
    uint64_t pawns[2];
} position;

static const position START = {{0xFFFF, (uint64_t)0xFFFF << 48}};

/* Targets straight ahead, and of the two slanting steps. */
typedef struct {
    uint64_t to[3];
} targets;

static const int OFFSET[2][3] = {{8, 7, 9}, {-8, -9, -7}};

static inline targets targets_of(const position *p, unsigned mover) {
    const uint64_t me = p->pawns[mover], empty = ~(me | p->pawns[mover ^ 1]);
    const uint64_t not_west = me & ~WEST_FILE, not_east = me & ~EAST_FILE;
    return mover == 0 ? (targets){{(me << 8) & empty, (not_west << 7) & ~me, (not_east << 9) & ~me}}
                      : (targets){{(me >> 8) & empty, (not_west >> 9) & ~me, (not_east >> 7) & ~me}};
}

/* Plays one move; true if it wins. */
static inline bool move_make(position *p, unsigned mover, unsigned to, int offset) {
    const unsigned from = (unsigned)((int)to - offset);
    const uint64_t goal = mover == 0 ? (uint64_t)0xFF << 56 : 0xFF;
    p->pawns[mover] ^= bit_at(to) | bit_at(from);
    p->pawns[mover ^ 1] &= ~bit_at(to);
    return (bit_at(to) & goal) || !p->pawns[mover ^ 1];
}

bench_count breakthrough_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        position p = START;
        for (unsigned mover = 0;; mover ^= 1) {
            const targets t = targets_of(&p, mover);
            const unsigned a = bit_count(t.to[0]), b = bit_count(t.to[1]), c = bit_count(t.to[2]);
            if (a + b + c == 0) break; /* cannot happen while a pawn is left; a draw */
            unsigned k = random_below(&random, a + b + c), way = 0;
            if (k >= a) {
                k -= a, way = 1;
                if (k >= b) k -= b, way = 2;
            }
            count.plies++;
            if (move_make(&p, mover, bit_select(t.to[way], k), OFFSET[mover][way])) {
                count.wins[mover]++;
                break;
            }
        }
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    uint64_t nodes = 0;
    const targets t = targets_of(p, mover);
    for (unsigned way = 0; way < 3; way++)
        for (uint64_t rest = t.to[way]; rest; rest &= rest - 1) {
            position next = *p;
            const bool won = move_make(&next, mover, bit_first(rest), OFFSET[mover][way]);
            if (depth == 1 || !won) nodes += perft(&next, mover ^ 1, depth - 1);
        }
    return nodes;
}

uint64_t breakthrough_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    return perft(&START, 0, depth);
}
