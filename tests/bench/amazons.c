/* Amazons, 10 by 10. A move is a queen, where she goes and where her arrow lands: some thousand at first.
 *
 * None of them is listed. Every cell lies on four lines, and for each line the blocked cells are bits of a number (cells
 * beyond the edge count as blocked), so how far one sees along it is a count of zeros, and how many cells one sees in
 * both directions is looked up. An arrow shot from a new cell sees what a queen there would, and past the cell
 * she left: that cell itself and what lies open behind it, which is the same for all cells of one ray. So the number of a
 * queen's moves is a sum over the cells she can go to, and one term for each ray. */
#include <stddef.h>

#include "bench.h"

enum { SIZE = 10, CELLS = SIZE * SIZE, QUEENS = 4, LINES = SIZE + SIZE + 19 + 19, FULL = (1 << SIZE) - 1 };

/* Ways 2 f and 2 f + 1 lead up and down the lines of family f: rows, columns, both diagonals. */
static const int WAY[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

typedef struct {
    uint16_t blocked[LINES]; /* bit k: the k-th cell of the line, counted along its first way */
    uint8_t queen[2][QUEENS];
} position;

/* ---- tables, filled once ---------------------------------------------------------------------------------- */

typedef struct {
    uint64_t half[2];
} cells;

static uint8_t line_of[CELLS][4], place_on[CELLS][4];
static uint8_t seen_along[SIZE][1 << SIZE]; /* cells seen both ways, by place and blocked cells */
static cells rays[CELLS][8][SIZE];           /* the first n cells of a ray */
static uint16_t edges[LINES];                /* what is beyond the board */
static int8_t step_of[8];

static bool is_on(int col, int row) { return col >= 0 && col < SIZE && row >= 0 && row < SIZE; }

static void cell_fill(unsigned cell) {
    const unsigned col = cell % SIZE, row = cell / SIZE;
    const uint8_t line[4] = {(uint8_t)row, (uint8_t)(SIZE + col), (uint8_t)(2 * SIZE + 9 + row - col), (uint8_t)(2 * SIZE + 19 + row + col)};
    const uint8_t place[4] = {(uint8_t)col, (uint8_t)row, (uint8_t)col, (uint8_t)col};
    for (unsigned f = 0; f < 4; f++) {
        line_of[cell][f] = line[f], place_on[cell][f] = place[f];
        edges[line[f]] &= (uint16_t)~(1u << place[f]);
    }
    for (unsigned way = 0; way < 8; way++) {
        int x = (int)col, y = (int)row;
        rays[cell][way][0] = (cells){{0, 0}};
        for (unsigned n = 1; n < SIZE; n++) {
            rays[cell][way][n] = rays[cell][way][n - 1];
            x += WAY[way][0], y += WAY[way][1];
            if (is_on(x, y)) rays[cell][way][n].half[(SIZE * y + x) / 64] |= bit_at((unsigned)(SIZE * y + x) % 64);
        }
    }
}

/* How far one sees up (down) a line from a place on it. */
static inline unsigned seen_up(unsigned blocked, unsigned place) {
    return (unsigned)__builtin_ctz((blocked | 1u << SIZE) >> (place + 1));
}

static inline unsigned seen_down(unsigned blocked, unsigned place) {
    return (unsigned)__builtin_clz((blocked << 1 | 1) << (31 - place));
}

static void tables_fill(void) {
    for (unsigned line = 0; line < LINES; line++) edges[line] = FULL;
    for (unsigned cell = 0; cell < CELLS; cell++) cell_fill(cell);
    for (unsigned place = 0; place < SIZE; place++)
        for (unsigned blocked = 0; blocked <= FULL; blocked++)
            seen_along[place][blocked] = (uint8_t)(seen_up(blocked, place) + seen_down(blocked, place));
    for (unsigned way = 0; way < 8; way++) step_of[way] = (int8_t)(SIZE * WAY[way][1] + WAY[way][0]);
}

/* ---- moves ------------------------------------------------------------------------------------------------ */

static inline void cell_toggle(position *p, unsigned cell) {
    for (unsigned f = 0; f < 4; f++) p->blocked[line_of[cell][f]] ^= (uint16_t)(1u << place_on[cell][f]);
}

static position start_position(void) {
    static const uint8_t START[2][QUEENS] = {{30, 3, 6, 39}, {60, 93, 96, 69}};
    position p;
    for (unsigned line = 0; line < LINES; line++) p.blocked[line] = edges[line];
    for (unsigned side = 0; side < 2; side++)
        for (unsigned q = 0; q < QUEENS; q++) cell_toggle(&p, p.queen[side][q] = START[side][q]);
    return p;
}

static inline unsigned seen_from(const position *p, unsigned cell) {
    const uint8_t *line = line_of[cell], *place = place_on[cell];
    return 0u + seen_along[place[0]][p->blocked[line[0]]] + seen_along[place[1]][p->blocked[line[1]]] +
           seen_along[place[2]][p->blocked[line[2]]] + seen_along[place[3]][p->blocked[line[3]]];
}

static inline void lengths_of(const position *p, unsigned cell, unsigned length[8]) {
    for (unsigned f = 0; f < 4; f++) {
        const unsigned blocked = p->blocked[line_of[cell][f]], place = place_on[cell][f];
        length[2 * f] = seen_up(blocked, place);
        length[2 * f + 1] = seen_down(blocked, place);
    }
}

static inline unsigned queen_moves(const position *p, unsigned from) {
    unsigned length[8], moves = 0;
    cells to = {{0, 0}};
    lengths_of(p, from, length);
    for (unsigned way = 0; way < 8; way++) {
        to.half[0] |= rays[from][way][length[way]].half[0];
        to.half[1] |= rays[from][way][length[way]].half[1];
        moves += length[way] * (1 + length[way ^ 1]);
    }
    for (unsigned h = 0; h < 2; h++)
        for (uint64_t rest = to.half[h]; rest; rest &= rest - 1) moves += seen_from(p, 64 * h + bit_first(rest));
    return moves;
}

static inline unsigned moves_count(const position *p, unsigned mover, unsigned by_queen[QUEENS]) {
    unsigned total = 0;
    for (unsigned q = 0; q < QUEENS; q++) total += by_queen[q] = queen_moves(p, p->queen[mover][q]);
    return total;
}

static inline unsigned cell_along(unsigned cell, unsigned way, unsigned steps) {
    return (unsigned)((int)cell + (int)steps * step_of[way]);
}

/* Plays the k-th move: the queen, her ray, the cell on it, the arrow's ray and cell. */
static inline void move_make(position *p, unsigned mover, const unsigned by_queen[QUEENS], unsigned k) {
    unsigned q = 0, length[8], way = 0, steps = 1;
    for (; k >= by_queen[q]; q++) k -= by_queen[q];
    const unsigned from = p->queen[mover][q];
    lengths_of(p, from, length);
    for (;; steps++) {
        while (steps > length[way]) way++, steps = 1;
        const unsigned arrows = seen_from(p, cell_along(from, way, steps)) + 1 + length[way ^ 1];
        if (k < arrows) break;
        k -= arrows;
    }
    const unsigned to = cell_along(from, way, steps);
    p->queen[mover][q] = (uint8_t)to;
    cell_toggle(p, from);
    cell_toggle(p, to);
    lengths_of(p, to, length);
    for (way = 0; k >= length[way]; way++) k -= length[way];
    cell_toggle(p, cell_along(to, way, k + 1));
}

bench_count amazons_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    tables_fill();
    const position start = start_position();
    unsigned by_queen[QUEENS];
    for (uint64_t game = 0; game < games; game++) {
        position p = start;
        unsigned mover = 0;
        for (unsigned moves; (moves = moves_count(&p, mover, by_queen)) != 0; mover ^= 1) {
            move_make(&p, mover, by_queen, random_below(&random, moves));
            count.plies++;
        }
        count.wins[mover ^ 1]++;
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    unsigned by_queen[QUEENS];
    const unsigned moves = moves_count(p, mover, by_queen);
    if (depth == 1) return moves;
    uint64_t nodes = 0;
    for (unsigned k = 0; k < moves; k++) {
        position next = *p;
        move_make(&next, mover, by_queen, k);
        nodes += perft(&next, mover ^ 1, depth - 1);
    }
    return nodes;
}

uint64_t amazons_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    tables_fill();
    const position start = start_position();
    return perft(&start, 0, depth);
}
