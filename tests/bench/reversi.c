/* Reversi, 8 by 8. Two sets of discs, bit 8 * row + column.
 *
 * Both the legal cells and the discs a move turns over come from filling along all eight directions at once:
 * four lanes hold the four axes, each shifted both ways, and a run is doubled in length at each step (the
 * parallel prefix of Kogge and Stone, as in Edax). */
#include <stddef.h>

#include "bench.h"

typedef uint64_t lanes __attribute__((vector_size(32)));

static const uint64_t INNER = 0x7E7E7E7E7E7E7E7Eu; /* a run may not go round the edge */

typedef struct {
    uint64_t discs[2];
} position;

/* Black on d5 and e4, White on d4 and e5. */
static const position START = {{(uint64_t)1 << 35 | (uint64_t)1 << 28, (uint64_t)1 << 27 | (uint64_t)1 << 36}};

static inline uint64_t lanes_or(lanes x) { return (x[0] | x[1]) | (x[2] | x[3]); }

/* The discs of `theirs` in unbroken runs beside `from`, upwards and downwards along the four axes. */
static inline void runs(uint64_t from, uint64_t theirs, lanes *up, lanes *down) {
    const lanes shift = {1, 8, 7, 9}, shift2 = {2, 16, 14, 18};
    const lanes through = (lanes){theirs & INNER, theirs, theirs & INNER, theirs & INNER};
    const lanes start = {from, from, from, from};
    lanes u = through & (start << shift), d = through & (start >> shift);
    u |= through & (u << shift);
    d |= through & (d >> shift);
    const lanes pair_up = through & (through << shift), pair_down = pair_up >> shift;
    u |= pair_up & (u << shift2);
    d |= pair_down & (d >> shift2);
    u |= pair_up & (u << shift2);
    d |= pair_down & (d >> shift2);
    *up = u, *down = d;
}

static inline uint64_t moves_of(uint64_t mine, uint64_t theirs) {
    const lanes shift = {1, 8, 7, 9};
    lanes up, down;
    runs(mine, theirs, &up, &down);
    return lanes_or((up << shift) | (down >> shift)) & ~(mine | theirs);
}

/* The discs turned over by a disc of mine on `at`: runs that end at one of mine. */
static inline uint64_t flips_of(uint64_t at, uint64_t mine, uint64_t theirs) {
    const lanes shift = {1, 8, 7, 9}, ours = {mine, mine, mine, mine};
    lanes up, down;
    runs(at, theirs, &up, &down);
    up &= (lanes)(((up << shift) & ours) != 0);
    down &= (lanes)(((down >> shift) & ours) != 0);
    return lanes_or(up | down);
}

static inline void move_make(position *p, unsigned mover, uint64_t disc) {
    const uint64_t flips = flips_of(disc, p->discs[mover], p->discs[mover ^ 1]);
    p->discs[mover] ^= flips | disc;
    p->discs[mover ^ 1] ^= flips;
}

/* A pass is a ply, as it is for the rule file: the game ends when both have passed. */
bench_count reversi_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        position p = START;
        unsigned passes = 0;
        for (unsigned mover = 0; passes < 2; mover ^= 1) {
            const uint64_t moves = moves_of(p.discs[mover], p.discs[mover ^ 1]);
            count.plies++;
            if (!moves) {
                passes++;
                continue;
            }
            passes = 0;
            move_make(&p, mover, bit_at(bit_select(moves, random_below(&random, bit_count(moves)))));
        }
        const unsigned black = bit_count(p.discs[0]), white = bit_count(p.discs[1]);
        count.wins[0] += black > white;
        count.wins[1] += white > black;
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned passes, unsigned depth) {
    if (depth == 0) return 1;
    if (passes == 2) return 0;
    uint64_t nodes = 0, moves = moves_of(p->discs[mover], p->discs[mover ^ 1]);
    if (!moves) return perft(p, mover ^ 1, passes + 1, depth - 1);
    for (; moves; moves &= moves - 1) {
        position next = *p;
        move_make(&next, mover, moves & (0 - moves));
        nodes += perft(&next, mover ^ 1, 0, depth - 1);
    }
    return nodes;
}

uint64_t reversi_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    return perft(&START, 0, 0, depth);
}
