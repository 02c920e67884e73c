/* Dacii și romanii with its usual options. A square is 16 * row + column (rows and columns from 1) on a board with a rim, so a direction is a
 * number to add; what a side may do on a square are bits of a table. Few pieces: men are kept in lists, and the neighbours of a man are
 * found by comparing squares. Moves are listed and one is drawn; two moves that lead to the same position are listed once (they can be only
 * among those where three take two). */
#include <stddef.h>
#include <string.h>

#include "bench.h"

enum { NONE = 0, FREE = 1, MAN = 2, CHIEF = 4 };                /* MAN and CHIEF: + the side */
enum { ON = 1, MARCH = 2, GOAL = 4, HOME = 8, GROUND = 16 };    /* the board; where men may go, where they stay, where they start; where chiefs may go */
enum { MEN = 5, MOVES_MAX = 256 };
typedef enum { STEP, PAIR, COHORT, SWAP, PASS } move_kind;
typedef struct { uint8_t kind, from, to, from2, to2; int8_t dir; } move;

typedef struct {
    uint8_t at[256], men[2][MEN], chief[2];
    int count[2], camp[2];
} position;

static const int WAYS[8] = {1, -1, 16, -16, 17, 15, -15, -17};
static const int MARCHES[2][5] = {{1, -1, 16, 17, 15}, {1, -1, -16, -17, -15}};
static uint8_t squares[2][256];
static bool near_by[512];

static unsigned square(unsigned column, unsigned row) { return 16 * row + column; }

static bool is_square(unsigned x, unsigned y) {
    if (y == 1) return x >= 3 && x <= 8;
    if (y == 14) return x >= 2 && x <= 7;
    if (y == 7 || y == 8) return x == 1 || x == 5 || x == 9;
    return true;
}

static uint8_t square_kind(unsigned x, unsigned y) { /* of the Romans */
    const bool home = y == 1 && x >= 3 && x <= 7, goal = y == 14 && x >= 3 && x <= 7;
    const bool fort = (y == 1 && x == 8) || (x == 9 && y >= 2 && y <= 4), other = (y == 14 && x == 2) || (x == 1 && y >= 11 && y <= 13);
    if (home) return ON | HOME;
    if (goal) return ON | MARCH | GOAL;
    if (fort) return ON | MARCH;
    if (other) return ON;
    return (y == 7 || y == 8) && x == 5 ? ON | GROUND : ON | GROUND | MARCH;
}

static void tables_make(void) {
    if (squares[0][square(5, 5)]) return;
    for (unsigned x = 1; x <= 9; x++)
        for (unsigned y = 1; y <= 14; y++)
            if (is_square(x, y)) {
                squares[0][square(x, y)] = square_kind(x, y);
                squares[1][square(x, y)] = square_kind(10 - x, 15 - y);
            }
    for (int k = 0; k < 8; k++) near_by[256 + WAYS[k]] = true;
}

static bool is_near(unsigned a, unsigned b) { return near_by[256 + (int)a - (int)b]; }

static position start(void) {
    position p = {.chief = {(uint8_t)square(5, 2), (uint8_t)square(5, 13)}, .count = {MEN, MEN}};
    tables_make();
    for (unsigned s = 0; s < 256; s++) p.at[s] = squares[0][s] ? FREE : NONE;
    for (unsigned side = 0; side < 2; side++) {
        p.at[p.chief[side]] = (uint8_t)(CHIEF + side);
        for (unsigned i = 0; i < MEN; i++) {
            p.men[side][i] = (uint8_t)square(3 + i, side ? 14 : 1);
            p.at[p.men[side][i]] = (uint8_t)(MAN + side);
        }
    }
    return p;
}

/* May a man go from one square to the next? */
static bool man_may(unsigned me, unsigned from, unsigned to) {
    const uint8_t a = squares[me][from], b = squares[me][to];
    if (a & GOAL) return b & GOAL;
    return (b & MARCH) || (a & b & HOME);
}

typedef struct { move list[MOVES_MAX]; unsigned count; } moves;

static void add(moves *m, move x) { m->list[m->count++] = x; }

static bool is_victim(const position *p, unsigned me, unsigned s) { return p->at[s] == MAN + (me ^ 1) && !(squares[me][s] & HOME); }

static bool is_alone(const position *p, unsigned me, unsigned s) {
    for (int k = 0; k < 8; k++) {
        const uint8_t c = p->at[(int)s + WAYS[k]];
        if (c == MAN + (me ^ 1) || c == CHIEF + (me ^ 1)) return false;
    }
    return true;
}

static bool man_beside(const position *p, unsigned me, unsigned s) {
    for (int k = 0; k < 8; k++)
        if (p->at[(int)s + WAYS[k]] == MAN + me) return true;
    return false;
}

static void men_step(const position *p, unsigned me, moves *m) {
    for (int i = 0; i < p->count[me]; i++)
        for (int k = 0; k < 8; k++) {
            const unsigned from = p->men[me][i], to = (unsigned)((int)from + WAYS[k]);
            if (p->at[to] == FREE && man_may(me, from, to)) add(m, (move){STEP, (uint8_t)from, (uint8_t)to, 0, 0, 0});
        }
}

static void chief_may(const position *p, unsigned me, unsigned from, unsigned to, moves *m) {
    if (!(squares[me][to] & GROUND)) return;
    const uint8_t c = p->at[to];
    const bool takes = (c == MAN + (me ^ 1) && is_alone(p, me, to)) || (c == CHIEF + (me ^ 1) && man_beside(p, me, to));
    if (c == FREE || takes) add(m, (move){STEP, (uint8_t)from, (uint8_t)to, 0, 0, 0});
    else if (c == MAN + me && squares[me][from] & MARCH) add(m, (move){SWAP, (uint8_t)from, (uint8_t)to, 0, 0, 0});
}

static void chief_moves(const position *p, unsigned me, moves *m) {
    const unsigned from = p->chief[me];
    for (int k = 0; k < 8; k++) {
        const unsigned over = (unsigned)((int)from + WAYS[k]);
        if (!p->at[over]) continue;
        chief_may(p, me, from, over, m);
        if (p->at[over] >= CHIEF) continue;
        const unsigned to = (unsigned)((int)over + WAYS[k]);
        if (p->at[to] == MAN + me && p->at[over] != FREE) continue;
        if (p->at[to]) chief_may(p, me, from, to, m);
    }
}

/* Bits of the men who stand beside a square. */
static unsigned beside(const position *p, unsigned me, unsigned s) {
    unsigned bits = 0;
    for (int i = 0; i < p->count[me]; i++) bits |= (unsigned)is_near(p->men[me][i], s) << i;
    return bits;
}

static void pair_take(const position *p, unsigned me, unsigned x, unsigned y, unsigned at_x, unsigned at_y, moves *m) {
    const unsigned all = (1u << p->count[me]) - 1;
    for (int a = 0; a < p->count[me]; a++)
        for (int b = 0; b < a; b++) {
            const unsigned one = p->men[me][a], other = p->men[me][b], two = 1u << a | 1u << b;
            const bool straight = at_x >> a & 1 && at_y >> b & 1 && man_may(me, one, x) && man_may(me, other, y);
            const bool crossed = at_y >> a & 1 && at_x >> b & 1 && man_may(me, one, y) && man_may(me, other, x);
            if (!straight && !crossed) continue;
            for (unsigned rest = all & ~two; rest; rest &= rest - 1) {
                const unsigned three = two | (rest & -rest);
                if (bit_count(at_x & three) < 2 || bit_count(at_y & three) < 2) continue;
                add(m, (move){PAIR, (uint8_t)one, (uint8_t)x, (uint8_t)other, (uint8_t)y, 0});
                break;
            }
        }
}

static void men_take(const position *p, unsigned me, moves *m) {
    const int n = p->count[me ^ 1];
    unsigned at[MEN];
    for (int v = 0; v < n; v++) {
        const unsigned x = p->men[me ^ 1][v];
        at[v] = is_victim(p, me, x) ? beside(p, me, x) : 0;
        if (bit_count(at[v]) < 2) continue;
        for (unsigned bits = at[v]; bits; bits &= bits - 1) {
            const unsigned from = p->men[me][bit_first(bits)];
            if (man_may(me, from, x)) add(m, (move){STEP, (uint8_t)from, (uint8_t)x, 0, 0, 0});
        }
        for (int w = 0; w < v && p->count[me] > 2; w++)
            if (bit_count(at[w]) > 1 && is_near(x, p->men[me ^ 1][w])) pair_take(p, me, x, p->men[me ^ 1][w], at[v], at[w], m);
    }
}

/* From each victim back along each way: a file of men, whose every length but one is a cohort. */
static void cohorts(const position *p, unsigned me, moves *m) {
    for (int v = 0; v < p->count[me ^ 1]; v++) {
        const int x = p->men[me ^ 1][v];
        if (!is_victim(p, me, (unsigned)x)) continue;
        for (int k = 0; k < 5; k++) {
            const int d = MARCHES[me][k];
            for (int n = 1; p->at[x - n * d] == MAN + me && man_may(me, (unsigned)(x - n * d), (unsigned)(x - (n - 1) * d)); n++)
                if (n > 1) add(m, (move){COHORT, (uint8_t)(x - n * d), (uint8_t)x, 0, 0, (int8_t)d});
        }
    }
}

static void moves_of(const position *p, unsigned me, moves *m) {
    m->count = 0;
    men_step(p, me, m);
    chief_moves(p, me, m);
    men_take(p, me, m);
    cohorts(p, me, m);
    if (!m->count) add(m, (move){PASS, 0, 0, 0, 0, 0});
}

static void man_goes(position *p, unsigned me, unsigned from, unsigned to) {
    for (int i = 0; i < p->count[me]; i++)
        if (p->men[me][i] == from) {
            p->men[me][i] = (uint8_t)to;
            break;
        }
    p->at[from] = FREE;
    p->at[to] = (uint8_t)(MAN + me);
}

static void man_dies(position *p, unsigned me, unsigned s) {
    const unsigned other = me ^ 1;
    int i = 0;
    while (p->men[other][i] != s) i++;
    p->men[other][i] = p->men[other][--p->count[other]];
    p->at[s] = FREE;
    p->camp[me]++;
}

static void walk(position *p, unsigned me, unsigned from, unsigned to) {
    if (p->at[to] == MAN + (me ^ 1)) man_dies(p, me, to);
    if (p->at[from] == MAN + me) {
        man_goes(p, me, from, to);
        return;
    }
    if (p->at[to] == CHIEF + (me ^ 1)) p->chief[me ^ 1] = 0;
    p->at[from] = FREE;
    p->at[to] = (uint8_t)(CHIEF + me);
    p->chief[me] = (uint8_t)to;
}

static void swap(position *p, unsigned me, unsigned chief, unsigned man) {
    man_goes(p, me, man, chief);
    p->at[man] = (uint8_t)(CHIEF + me);
    p->chief[me] = (uint8_t)man;
}

static void pair_make(position *p, unsigned me, const move *m) {
    man_dies(p, me, m->to);
    man_dies(p, me, m->to2);
    /* who goes where does not matter: both squares are filled, both others left */
    for (int i = 0; i < p->count[me]; i++) {
        if (p->men[me][i] == m->from) p->men[me][i] = m->to;
        else if (p->men[me][i] == m->from2) p->men[me][i] = m->to2;
    }
    p->at[m->from] = p->at[m->from2] = FREE;
    p->at[m->to] = p->at[m->to2] = (uint8_t)(MAN + me);
}

static bool all_in_goal(const position *p, unsigned side) {
    for (int i = 0; i < p->count[side]; i++)
        if (!(squares[side][p->men[side][i]] & GOAL)) return false;
    return true;
}

static unsigned gate_before(unsigned side) { return square(5, side ? 2 : 13); }

static void give_back(position *p, unsigned side) {
    if (!p->camp[side ^ 1] || p->chief[side] != gate_before(side) || !p->count[side] || !all_in_goal(p, side)) return;
    const unsigned s = side ? square(1, 11) : square(9, 4);
    p->camp[side ^ 1]--;
    p->men[side][p->count[side]++] = (uint8_t)s;
    p->at[s] = (uint8_t)(MAN + side);
}

/* Plays a move; true if it wins. */
static bool move_make(position *p, unsigned me, const move *m) {
    switch ((move_kind)m->kind) {
    case STEP: walk(p, me, m->from, m->to); break;
    case PAIR: pair_make(p, me, m); break;
    case COHORT:
        man_dies(p, me, m->to);
        man_goes(p, me, m->from, m->to);
        break;
    case SWAP: swap(p, me, m->from, m->to); break;
    case PASS: break;
    }
    if (!p->chief[me ^ 1] || !p->count[me ^ 1]) return true;
    if (p->count[me] == MEN && p->chief[me] == gate_before(me) && all_in_goal(p, me)) return true;
    give_back(p, 0);
    give_back(p, 1);
    return false;
}

bench_count dacii_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    moves m;
    for (uint64_t game = 0; game < games; game++) {
        position p = start();
        for (unsigned me = 0;; me ^= 1) {
            moves_of(&p, me, &m);
            count.plies++;
            if (move_make(&p, me, &m.list[random_below(&random, m.count)])) {
                count.wins[me]++;
                break;
            }
        }
    }
    return count;
}

static uint64_t perft(const position *p, unsigned me, unsigned depth) {
    moves m;
    uint64_t nodes = 0;
    if (depth == 0) return 1;
    moves_of(p, me, &m);
    for (unsigned i = 0; i < m.count; i++) {
        position next = *p;
        const bool won = move_make(&next, me, &m.list[i]);
        if (depth == 1) nodes++;
        else if (!won) nodes += perft(&next, me ^ 1, depth - 1);
    }
    return nodes;
}

uint64_t dacii_perft(unsigned depth, const char *position_text) {
    const position p = start();
    (void)position_text;
    return perft(&p, 0, depth);
}
