/* The Royal Game of Ur after Skiryuk: seven pebbles, a path of 23 squares, throws of 1 to 4. Each player counts squares along his own path; the
 * middle row is gone over twice, face down (steps 5 to 11) and, behind the turn at step 14, face up (17 to 23). Eyes hold four pebbles of one
 * player, shelters four of both, only the top one leaves; pebbles are taken by those of the same face; rosettes, at every fourth step, give
 * another throw. A turn without a move is a ply.
 *
 * A square is a pile of pebbles, each a player and a face; who is on top where is a set of steps for each player. A pile is known by its height
 * and by its pebbles, two bits each, the lowest in the lowest bits. */
#include <stddef.h>

#include "bench.h"

enum { PIECES = 7, HOME = 24, TURN = 14, SQUARES = 21, ROOM = 4 };
enum { B1 = 1, B3 = 3, B6 = 6, B7 = 7, A8 = 9, C8 = 10, LANES = 13 };        /* B8 is 8; A7, C7 are 11, 12; then the lanes */

static const uint32_t ROSETTES = 1u << 4 | 1u << 8 | 1u << 12 | 1u << 16 | 1u << 20;
static uint8_t square_of[2][HOME], step_of[2][2][SQUARES]; /* by player and step; by player, face and square */
static bool is_shelter[SQUARES], is_eyes[SQUARES];

typedef struct {
    uint32_t tops[2]; /* steps of the pebbles that are on top; bit 0 while some wait */
    uint8_t waiting[2], home[2], height[SQUARES], pile[SQUARES];
} position;

static void tables_fill(void) {
    static const uint8_t END[2][4] = {{12, C8, A8, 11}, {11, A8, C8, 12}}; /* the corners, in the order of each player */
    for (unsigned player = 0; player < 2; player++) {
        for (unsigned step = 1; step <= 4; step++) square_of[player][step] = (uint8_t)(LANES + 4 * player + step - 1);
        for (unsigned step = 5; step <= 11; step++) square_of[player][step] = (uint8_t)(step - 4), square_of[player][28 - step] = (uint8_t)(step - 4);
        square_of[player][12] = END[player][0], square_of[player][13] = END[player][1], square_of[player][14] = 8;
        square_of[player][15] = END[player][2], square_of[player][16] = END[player][3];
        for (unsigned step = 1; step < HOME; step++) step_of[player][step >= TURN][square_of[player][step]] = (uint8_t)step;
        is_eyes[square_of[player][1]] = is_eyes[square_of[player][3]] = true;
    }
    is_shelter[B3] = is_shelter[B6] = is_eyes[B7] = true;
}

/* Player in bit 0, face in bit 1. */
static inline unsigned top_of(const position *p, unsigned square) { return p->pile[square] >> (2 * (p->height[square] - 1)) & 3; }

static inline void top_show(position *p, unsigned square) {
    if (!p->height[square]) return;
    const unsigned top = top_of(p, square);
    p->tops[top & 1] |= 1u << step_of[top & 1][top >> 1][square];
}

static inline void top_hide(position *p, unsigned square) {
    if (!p->height[square]) return;
    const unsigned top = top_of(p, square);
    p->tops[top & 1] &= ~(1u << step_of[top & 1][top >> 1][square]);
}

static inline bool may_land(const position *p, unsigned mover, unsigned step) {
    if (step >= HOME) return step == HOME;
    const unsigned square = square_of[mover][step], height = p->height[square];
    if (!height) return true;
    if (is_shelter[square]) return height < ROOM;
    const unsigned top = top_of(p, square);
    if (is_eyes[square]) return (top & 1) == mover && height < ROOM;
    return (top & 1) != mover && top >> 1 == (step >= TURN) && !(square == B1 && top >> 1);
}

/* The steps from which something may move. */
static inline uint32_t sources(const position *p, unsigned mover, unsigned thrown) {
    uint32_t found = 0;
    for (uint32_t rest = p->tops[mover]; rest; rest &= rest - 1) {
        const unsigned step = bit_first(rest);
        found |= (uint32_t)may_land(p, mover, step + thrown) << step;
    }
    return found;
}

static inline void lift(position *p, unsigned square) {
    top_hide(p, square);
    p->height[square]--;
    p->pile[square] &= (uint8_t)((1u << (2 * p->height[square])) - 1);
    top_show(p, square);
}

static inline void waits(position *p, unsigned player) {
    p->waiting[player]++;
    p->tops[player] |= 1;
}

/* True if the mover throws again. */
static bool move_make(position *p, unsigned mover, unsigned from, unsigned thrown) {
    const unsigned to = from + thrown, square = to < HOME ? square_of[mover][to] : 0;
    if (from) lift(p, square_of[mover][from]);
    else if (--p->waiting[mover] == 0) p->tops[mover] &= ~1u;
    if (to == HOME) {
        p->home[mover]++;
        return false;
    }
    if (p->height[square] && !is_shelter[square] && !is_eyes[square]) {
        lift(p, square);
        waits(p, mover ^ 1);
    }
    top_hide(p, square);
    p->pile[square] |= (uint8_t)((mover | (unsigned)(to >= TURN) << 1) << (2 * p->height[square]));
    p->height[square]++;
    top_show(p, square);
    return (ROSETTES >> to & 1) != 0;
}

static inline unsigned throw_dice(bench_random *random) {
    static const uint8_t THROWS[8] = {4, 1, 1, 2, 1, 2, 2, 3}; /* by the marks of three two-sided dice */
    return THROWS[random_next(random) >> 61];
}

static position start_position(void) {
    if (!square_of[0][1]) tables_fill();
    const position start = {.tops = {1, 1}, .waiting = {PIECES, PIECES}};
    return start;
}

bench_count ur_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        position p = start_position();
        unsigned thrown = 1; /* the throw that decided who begins is played */
        for (unsigned mover = 0;; thrown = throw_dice(&random)) {
            const uint32_t from = sources(&p, mover, thrown);
            count.plies++;
            if (from && move_make(&p, mover, bit_select(from, random_below(&random, bit_count(from))), thrown)) continue;
            if (p.home[mover] == PIECES) {
                count.wins[mover]++;
                break;
            }
            mover ^= 1;
        }
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned first, unsigned last, unsigned depth) {
    if (depth == 0) return 1;
    if (p->home[mover ^ 1] == PIECES) return 0;
    uint64_t nodes = 0;
    for (unsigned thrown = first; thrown <= last; thrown++) {
        uint32_t from = sources(p, mover, thrown);
        if (!from) nodes += perft(p, mover ^ 1, 1, 4, depth - 1);
        for (; from; from &= from - 1) {
            position next = *p;
            const bool again = move_make(&next, mover, bit_first(from), thrown);
            nodes += perft(&next, again ? mover : mover ^ 1, 1, 4, depth - 1);
        }
    }
    return nodes;
}

/* Sequences of moves through all throws that differ; a throw is no ply, a turn without a move is one. */
uint64_t ur_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    const position start = start_position();
    return perft(&start, 0, 1, 1, depth);
}
