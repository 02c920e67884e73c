/* Kalah, six houses with four seeds, empty capture allowed.
 *
 * Sixteen bytes as their mover sees them: his houses 0 to 5, his store 6, the other's houses 7 to 12 (each in the
 * order it is sown), the other's store 13. Sowing n seeds out of a house adds a vector that is looked up, and the
 * players change places by turning the bytes round. */
#include <stddef.h>
#include <string.h>

#include "bench.h"

typedef uint8_t bytes __attribute__((vector_size(16)));

enum { HOUSES = 6, STORE = 6, THEIR_STORE = 13, RING = 13, SEEDS_MAX = 72 };

static const bytes START = {4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0};

static bytes sown[HOUSES][SEEDS_MAX + 1]; /* what is added; the house itself is emptied before */

static void tables_fill(void) {
    memset(sown, 0, sizeof sown);
    for (unsigned house = 0; house < HOUSES; house++)
        for (unsigned n = 1; n <= SEEDS_MAX; n++) {
            sown[house][n] = sown[house][n - 1];
            sown[house][n][(house + n) % RING]++;
        }
}

static inline bytes seen_from_the_other_side(bytes b) {
    return __builtin_shuffle(b, (bytes){7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 14, 15});
}

/* The houses that may be sown. */
static inline unsigned moves_of(bytes b) {
    uint64_t low;
    memcpy(&low, &b, sizeof low);
    unsigned moves = 0;
    for (unsigned house = 0; house < HOUSES; house++) moves |= (unsigned)((low >> 8 * house & 0xFF) != 0) << house;
    return moves;
}

static inline bool side_is_empty(bytes b) {
    uint64_t low, high;
    memcpy(&low, &b, sizeof low);
    memcpy(&high, (const char *)&b + 7, sizeof high);
    return !(low << 16) || !(high << 16);
}

/* Sows; true if the mover has another turn. */
static inline bool move_make(bytes *b, unsigned house, bool empty_capture) {
    uint8_t at[16];
    memcpy(at, b, sizeof at);
    const unsigned n = at[house], last = (house + n) % RING;
    (*b)[house] = 0;
    *b += sown[house][n];
    memcpy(at, b, sizeof at);
    if (last < HOUSES && at[last] == 1 && (empty_capture || at[12 - last])) {
        at[STORE] = (uint8_t)(at[STORE] + 1 + at[12 - last]);
        at[last] = at[12 - last] = 0;
        memcpy(b, at, sizeof at);
    }
    return last == STORE;
}

/* Seeds of the mover, store and houses, less those of the other. */
static int lead(bytes b) {
    int mine = 0, theirs = 0;
    for (unsigned i = 0; i <= STORE; i++) mine += b[i], theirs += b[i + 7];
    return mine - theirs;
}

bench_count kalah_playouts(uint64_t games, uint64_t seed) {
    tables_fill();
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        bytes b = START;
        unsigned mover = 0;
        for (;;) {
            const unsigned moves = moves_of(b);
            const bool again = move_make(&b, bit_select(moves, random_below(&random, bit_count(moves))), true);
            count.plies++;
            if (side_is_empty(b)) break;
            if (again) continue;
            b = seen_from_the_other_side(b);
            mover ^= 1;
        }
        const int won = lead(b);
        if (won) count.wins[won > 0 ? mover : mover ^ 1]++;
    }
    return count;
}

static uint64_t perft(bytes b, unsigned depth, bool empty_capture) {
    if (depth == 0) return 1;
    uint64_t nodes = 0;
    for (unsigned moves = moves_of(b); moves; moves &= moves - 1) {
        bytes next = b;
        const bool again = move_make(&next, bit_first(moves), empty_capture);
        if (depth == 1) nodes++;
        else if (!side_is_empty(next)) nodes += perft(again ? next : seen_from_the_other_side(next), depth - 1, empty_capture);
    }
    return nodes;
}

/* Any position text: the start, but nothing is captured when the house opposite is empty (as published counts). */
uint64_t kalah_perft(unsigned depth, const char *position_text) {
    tables_fill();
    return perft(START, depth, position_text == NULL);
}
