/* Amazons, 10 by 10. A move is a queen, where she goes and where her arrow lands: some thousand at first.
 *
 * None of them is listed. For every cell `reach` keeps how many cells a queen there could see. An arrow shot from a
 * new cell sees `reach` of that cell, and past the cell she left: that cell itself and what lies open behind it, which
 * is the same for all cells of one ray. So the moves along a ray are a sum over its cells, and a change of a
 * cell mends `reach` along the eight rays from it. The board has a frame of blocked cells. */
#include <stddef.h>

#include "bench.h"

enum { SIZE = 10, WIDTH = SIZE + 2, CELLS = WIDTH * WIDTH, QUEENS = 4 };

static const int WAY[8] = {1, WIDTH + 1, WIDTH, WIDTH - 1, -1, -WIDTH - 1, -WIDTH, 1 - WIDTH}; /* 4 apart: opposite */

typedef struct {
    uint8_t blocked[CELLS];
    uint8_t reach[CELLS];
    uint8_t queen[2][QUEENS];
} position;

static inline unsigned cell_towards(unsigned cell, int by) { return (unsigned)((int)cell + by); }

static inline unsigned ray_length(const position *p, unsigned from, unsigned way) {
    unsigned length = 0;
    for (unsigned c = cell_towards(from, WAY[way]); !p->blocked[c]; c = cell_towards(c, WAY[way])) length++;
    return length;
}

/* The cells that see `cell` gain or lose it, and what lies behind it as they look. */
static inline void cell_turn(position *p, unsigned cell, bool blocked) {
    unsigned length[8], total = 0;
    for (unsigned way = 0; way < 8; way++) total += length[way] = ray_length(p, cell, way);
    for (unsigned way = 0; way < 8; way++) {
        const uint8_t seen = (uint8_t)(1 + length[way ^ 4]), change = (uint8_t)(blocked ? -seen : seen);
        unsigned c = cell;
        for (unsigned i = 0; i < length[way]; i++) {
            c = cell_towards(c, WAY[way]);
            p->reach[c] = (uint8_t)(p->reach[c] + change);
        }
    }
    p->reach[cell] = (uint8_t)total;
    p->blocked[cell] = blocked;
}

static position start_position(void) {
    static const uint8_t QUEEN[2][QUEENS][2] = {{{0, 3}, {3, 0}, {6, 0}, {9, 3}}, {{0, 6}, {3, 9}, {6, 9}, {9, 6}}};
    position p;
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const unsigned row = cell / WIDTH, col = cell % WIDTH;
        p.blocked[cell] = row == 0 || col == 0 || row == WIDTH - 1 || col == WIDTH - 1;
    }
    for (unsigned cell = 0; cell < CELLS; cell++) {
        p.reach[cell] = 0;
        for (unsigned way = 0; way < 8 && !p.blocked[cell]; way++)
            p.reach[cell] = (uint8_t)(p.reach[cell] + ray_length(&p, cell, way));
    }
    for (unsigned side = 0; side < 2; side++)
        for (unsigned q = 0; q < QUEENS; q++) {
            const unsigned cell = WIDTH * (QUEEN[side][q][1] + 1u) + QUEEN[side][q][0] + 1u;
            p.queen[side][q] = (uint8_t)cell;
            cell_turn(&p, cell, true);
        }
    return p;
}

/* One ray of one queen: how many moves go along it, and what each of its cells sees beyond `reach`. */
typedef struct {
    unsigned moves, back;
} ray;

static inline unsigned rays_count(const position *p, unsigned mover, ray *rays) {
    unsigned total = 0;
    for (unsigned q = 0; q < QUEENS; q++) {
        const unsigned from = p->queen[mover][q];
        unsigned length[8], sum[8];
        for (unsigned way = 0; way < 8; way++) {
            length[way] = sum[way] = 0;
            for (unsigned c = cell_towards(from, WAY[way]); !p->blocked[c]; c = cell_towards(c, WAY[way])) {
                length[way]++;
                sum[way] += p->reach[c];
            }
        }
        for (unsigned way = 0; way < 8; way++) {
            const unsigned back = 1 + length[way ^ 4], moves = sum[way] + length[way] * back;
            rays[8 * q + way] = (ray){moves, back};
            total += moves;
        }
    }
    return total;
}

/* Plays the k-th move: the ray, the cell on it, the arrow's way and cell. */
static inline void move_make(position *p, unsigned mover, const ray *rays, unsigned k) {
    unsigned r = 0;
    for (; k >= rays[r].moves; r++) k -= rays[r].moves;
    uint8_t *queen = &p->queen[mover][r / 8];
    const unsigned from = *queen;
    unsigned to = from;
    for (;;) {
        to = cell_towards(to, WAY[r % 8]);
        const unsigned arrows = p->reach[to] + rays[r].back;
        if (k < arrows) break;
        k -= arrows;
    }
    *queen = (uint8_t)to;
    cell_turn(p, from, false);
    cell_turn(p, to, true);
    unsigned way = 0;
    for (unsigned length; k >= (length = ray_length(p, to, way)); way++) k -= length;
    cell_turn(p, cell_towards(to, (int)(k + 1) * WAY[way]), true);
}

bench_count amazons_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    const position start = start_position();
    ray rays[8 * QUEENS];
    for (uint64_t game = 0; game < games; game++) {
        position p = start;
        unsigned mover = 0;
        for (unsigned moves; (moves = rays_count(&p, mover, rays)) != 0; mover ^= 1) {
            move_make(&p, mover, rays, random_below(&random, moves));
            count.plies++;
        }
        count.wins[mover ^ 1]++;
    }
    return count;
}

static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    ray rays[8 * QUEENS];
    const unsigned moves = rays_count(p, mover, rays);
    if (depth == 1) return moves;
    uint64_t nodes = 0;
    for (unsigned k = 0; k < moves; k++) {
        position next = *p;
        move_make(&next, mover, rays, k);
        nodes += perft(&next, mover ^ 1, depth - 1);
    }
    return nodes;
}

uint64_t amazons_perft(unsigned depth, const char *position_text) {
    (void)position_text;
    const position start = start_position();
    return perft(&start, 0, depth);
}
