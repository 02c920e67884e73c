/* Hex, 11 by 11, without the swap. Red joins the first and the last row, Blue the first and the last column.
 *
 * A frame of cells round the board belongs to the players, so that a stone on an edge finds its goal among its
 * neighbours; stones that touch are united in a forest with halved paths, and the game is over when a player's
 * two sides are one tree. The empty cells stand in an array: a random one leaves it by being swapped with the
 * last. */
#include <stdlib.h>

#include "bench.h"

enum { SIZE = 11, WIDTH = SIZE + 2, CELLS = WIDTH * WIDTH, EMPTY = 2 };

static const int NEIGHBOUR[6] = {WIDTH, 1, 1 - WIDTH, -WIDTH, -1, WIDTH - 1};

/* Cell (row, column) of the framed board is WIDTH * row + column; smaller boards leave the rest unused. After the
 * cells stand the four sides, each the root of its own tree. */
enum { SOUTH = CELLS, NORTH, WEST, EAST, NODES };

typedef struct {
    uint8_t owner[CELLS], parent[NODES];
} position;

static position start_position(unsigned size, uint8_t *empty) {
    position p;
    unsigned free_cells = 0;
    for (unsigned node = 0; node < NODES; node++) p.parent[node] = (uint8_t)node;
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const unsigned row = cell / WIDTH, col = cell % WIDTH;
        const bool in_rows = row > 0 && row <= size, in_cols = col > 0 && col <= size;
        p.owner[cell] = EMPTY;
        if (in_rows && in_cols) {
            empty[free_cells++] = (uint8_t)cell;
        } else if (in_cols) {
            p.owner[cell] = 0;
            p.parent[cell] = row == 0 ? SOUTH : NORTH;
        } else if (in_rows) {
            p.owner[cell] = 1;
            p.parent[cell] = col == 0 ? WEST : EAST;
        }
    }
    return p;
}

static inline unsigned root_of(uint8_t *parent, unsigned cell) {
    while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
    return cell;
}

/* Puts a stone; true if it joins the mover's sides. */
static inline bool stone_put(position *p, unsigned mover, unsigned cell) {
    p->owner[cell] = (uint8_t)mover;
    unsigned root = cell, joined = 0;
    for (unsigned way = 0; way < 6; way++) {
        const unsigned near = (unsigned)((int)cell + NEIGHBOUR[way]);
        if (p->owner[near] != mover) continue;
        const unsigned other = root_of(p->parent, near);
        joined += other != root;
        p->parent[root] = (uint8_t)other;
        root = other;
    }
    return joined > 1 && root_of(p->parent, SOUTH + 2 * mover) == root_of(p->parent, NORTH + 2 * mover);
}

bench_count hex_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    uint8_t cells[SIZE * SIZE];
    const position start = start_position(SIZE, cells);
    for (uint64_t game = 0; game < games; game++) {
        position p = start;
        for (unsigned mover = 0, left = SIZE * SIZE; left > 0; mover ^= 1, left--) {
            const unsigned k = random_below(&random, left), cell = cells[k];
            cells[k] = cells[left - 1];
            cells[left - 1] = (uint8_t)cell;
            count.plies++;
            if (stone_put(&p, mover, cell)) {
                count.wins[mover]++;
                break;
            }
        }
    }
    return count;
}

static uint64_t perft(const position *p, const uint8_t *cells, unsigned count, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    uint64_t nodes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (p->owner[cells[i]] != EMPTY) continue;
        position next = *p;
        const bool won = stone_put(&next, mover, cells[i]);
        if (depth == 1 || !won) nodes += perft(&next, cells, count, mover ^ 1, depth - 1);
    }
    return nodes;
}

/* The position is a size: "3" is the empty board of 3 by 3. */
uint64_t hex_perft(unsigned depth, const char *position_text) {
    uint8_t cells[SIZE * SIZE];
    unsigned size = position_text ? (unsigned)strtoul(position_text, NULL, 10) : SIZE;
    if (size > SIZE) return 0;
    const position start = start_position(size, cells);
    return perft(&start, cells, size * size, 0, depth);
}
