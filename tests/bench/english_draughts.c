/* English draughts. Sets of the 64 squares, bit 8 * row + column with row 0 in the south; only the dark ones are
 * used, and a step that would run round the edge ends on a light one, so that masking with the dark squares is
 * all the care a step needs. Black sits in the north and begins.
 *
 * Without a capture the moves are four sets of targets, counted and selected as sets. Captures are listed, since
 * they branch: a capture is known by where it begins, where it ends and what it takes, and two ways of making
 * one are one move.
 * Drawn: 80 plies without a capture or a move of a man; the third time the same position stands. Between two such
 * plies only kings move, so the kings' squares identify a position there. */
#include <stddef.h>
#include <string.h>

#include "bench.h"

static const uint64_t DARK = 0xAA55AA55AA55AA55u;
static const int STEP[4] = {7, 9, -7, -9}; /* the first two lead north */

enum { BLACK, WHITE, IDLE_LIMIT = 80, CAPTURES = 64 };

typedef struct {
    uint64_t men[2], kings[2];
} position;

static const position START = {{0xAA55AA0000000000u, 0x000000000055AA55u}, {0, 0}};

static const uint64_t CROWN[2] = {0x00000000000000FFu, 0xFF00000000000000u};

typedef struct {
    uint64_t taken;
    uint8_t from, to;
} capture;

static inline uint64_t shift(uint64_t set, int by) { return (by > 0 ? set << by : set >> -by) & DARK; }

/* Who of the mover may go in this direction. */
static inline uint64_t walkers(const position *p, unsigned mover, unsigned way) {
    const bool forward = (way < 2) == (mover == WHITE);
    return p->kings[mover] | (forward ? p->men[mover] : 0);
}

static inline bool can_jump(const position *p, unsigned mover, uint64_t theirs, uint64_t empty) {
    uint64_t any = 0;
    for (unsigned way = 0; way < 4; way++)
        any |= shift(shift(walkers(p, mover, way), STEP[way]) & theirs, STEP[way]) & empty;
    return any != 0;
}

/* The captures of one piece, found depth first. `ways` is a mask of directions it may jump in. */
typedef struct {
    capture *list;
    unsigned count, ways;
    uint64_t crown; /* where a man stops */
    uint8_t from;
} search;

static void jumps_from(search *s, unsigned at, uint64_t taken, uint64_t theirs, uint64_t empty) {
    bool stuck = true;
    for (unsigned way = 0; way < 4; way++) {
        if (!(s->ways >> way & 1)) continue;
        const uint64_t over = shift(bit_at(at), STEP[way]) & theirs, to = shift(over, STEP[way]) & empty;
        if (!to) continue;
        stuck = false;
        if (to & s->crown) {
            s->list[s->count++] = (capture){taken | over, s->from, (uint8_t)bit_first(to)};
        } else {
            jumps_from(s, bit_first(to), taken | over, theirs & ~over, empty | over);
        }
    }
    if (!stuck || !taken) return;
    for (unsigned i = s->count; i > 0 && s->list[i - 1].from == s->from; i--)
        if (s->list[i - 1].to == at && s->list[i - 1].taken == taken) return;
    s->list[s->count++] = (capture){taken, s->from, (uint8_t)at};
}

static unsigned captures_of(const position *p, unsigned mover, uint64_t theirs, uint64_t empty, capture *list) {
    search s = {list, 0, 0, 0, 0};
    uint64_t jumpers = 0;
    for (unsigned way = 0; way < 4; way++) {
        const uint64_t landing = shift(shift(walkers(p, mover, way), STEP[way]) & theirs, STEP[way]) & empty;
        jumpers |= shift(shift(landing, -STEP[way]), -STEP[way]);
    }
    for (; jumpers; jumpers &= jumpers - 1) {
        const uint64_t piece = jumpers & (0 - jumpers);
        const bool man = (piece & p->men[mover]) != 0;
        s.from = (uint8_t)bit_first(piece);
        s.ways = !man ? 15 : mover == WHITE ? 3 : 12;
        s.crown = man ? CROWN[mover] : 0;
        jumps_from(&s, s.from, 0, theirs, empty | piece);
    }
    return s.count;
}

/* Moves what stands on `from`; true if a man moved or something was taken. */
static inline bool move_make(position *p, unsigned mover, uint64_t from, uint64_t to, uint64_t taken) {
    const bool man = (p->men[mover] & from) != 0;
    if (man) {
        p->men[mover] ^= from;
        *(to & CROWN[mover] ? &p->kings[mover] : &p->men[mover]) |= to;
    } else {
        p->kings[mover] ^= from | to;
    }
    p->men[mover ^ 1] &= ~taken;
    p->kings[mover ^ 1] &= ~taken;
    return man || taken;
}

/* The moves of one ply: captures if there are any, else sets of targets. */
typedef struct {
    capture captures[CAPTURES];
    uint64_t to[4];
    unsigned count, captures_count;
} choices;

static inline void choices_find(choices *c, const position *p, unsigned mover) {
    const uint64_t mine = p->men[mover] | p->kings[mover], theirs = p->men[mover ^ 1] | p->kings[mover ^ 1];
    const uint64_t empty = DARK & ~(mine | theirs);
    c->captures_count = 0;
    if (can_jump(p, mover, theirs, empty)) {
        c->count = c->captures_count = captures_of(p, mover, theirs, empty, c->captures);
        return;
    }
    c->count = 0;
    for (unsigned way = 0; way < 4; way++) {
        c->to[way] = shift(walkers(p, mover, way), STEP[way]) & empty;
        c->count += bit_count(c->to[way]);
    }
}

static inline bool choice_make(const choices *c, unsigned k, position *p, unsigned mover) {
    if (c->captures_count) {
        const capture *m = &c->captures[k];
        return move_make(p, mover, bit_at(m->from), bit_at(m->to), m->taken);
    }
    unsigned way = 0;
    for (unsigned n; k >= (n = bit_count(c->to[way])); way++) k -= n;
    const uint64_t to = bit_at(bit_select(c->to[way], k));
    return move_make(p, mover, shift(to, -STEP[way]), to, 0);
}

/* Has this position of the kings stood twice before with the same player to move? */
static inline bool stood_twice(const uint64_t (*past)[2], unsigned count, const position *p) {
    unsigned same = 0;
    for (unsigned i = 0; i < count; i++) same += ((past[i][0] ^ p->kings[0]) | (past[i][1] ^ p->kings[1])) == 0;
    return same >= 2;
}

static int play(bench_random *random, uint64_t *plies) {
    position p = START;
    uint64_t past[2][IDLE_LIMIT][2]; /* kings since the last capture or man's move, by the player to move */
    unsigned known[2] = {0, 0}, idle = 0;
    choices c;
    for (unsigned mover = BLACK;; mover ^= 1) {
        choices_find(&c, &p, mover);
        if (c.count == 0) return (int)(mover ^ 1);
        past[mover][known[mover]][0] = p.kings[0];
        past[mover][known[mover]++][1] = p.kings[1];
        ++*plies;
        if (choice_make(&c, random_below(random, c.count), &p, mover)) {
            idle = known[0] = known[1] = 0;
            continue;
        }
        if (++idle == IDLE_LIMIT) return -1;
        if (idle >= 8 && stood_twice((const uint64_t(*)[2])past[mover ^ 1], known[mover ^ 1], &p)) return -1;
    }
}

bench_count english_draughts_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    for (uint64_t game = 0; game < games; game++) {
        const int winner = play(&random, &count.plies);
        if (winner >= 0) count.wins[winner]++;
    }
    return count;
}

/* Draws are not looked at: published counts ignore them. */
static uint64_t perft(const position *p, unsigned mover, unsigned depth) {
    if (depth == 0) return 1;
    choices c;
    choices_find(&c, p, mover);
    if (depth == 1) return c.count;
    uint64_t nodes = 0;
    for (unsigned k = 0; k < c.count; k++) {
        position next = *p;
        choice_make(&c, k, &next, mover);
        nodes += perft(&next, mover ^ 1, depth - 1);
    }
    return nodes;
}

/* Reads "W:WK5,10:B21": the player to move, then the men (K: kings) of each, squares from 1 in the north-west. */
static bool position_read(const char *text, position *p, unsigned *mover) {
    *p = (position){{0, 0}, {0, 0}};
    *mover = *text == 'W' ? WHITE : BLACK;
    unsigned side = 0, square = 0;
    bool king = false;
    for (text++;; text++) {
        if (*text >= '0' && *text <= '9') {
            square = 10 * square + (unsigned)(*text - '0');
            continue;
        }
        if (square > 32) return false;
        if (square) {
            const unsigned row = 7 - (square - 1) / 4, col = (square - 1) % 4 * 2 + (row & 1);
            *(king ? &p->kings[side] : &p->men[side]) |= bit_at(8 * row + col);
        }
        square = 0;
        if (*text == 'K') {
            king = true;
            continue;
        }
        king = false;
        if (*text == '\0') return true;
        if (*text == 'W' || *text == 'B') side = *text == 'W' ? WHITE : BLACK;
    }
}

uint64_t english_draughts_perft(unsigned depth, const char *position_text) {
    position p = START;
    unsigned mover = BLACK;
    if (position_text && !position_read(position_text, &p, &mover)) return 0;
    return perft(&p, mover, depth);
}
