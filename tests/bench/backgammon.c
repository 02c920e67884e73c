/* Backgammon: uniform among the distinct positions that a throw can lead to; a turn without a move is a ply.
 *
 * Each player counts rows from his own side: 1 to 24, with the bar at 0 and the men that are off at 25; row r of one
 * is row 25 - r of the other. Which men can use a die is a set of rows. With a double the men are moved in ascending
 * order of their rows, which gives every play once. Otherwise the two dice are tried both ways, and plays that end
 * alike are found by a sum of keys over what moved and what was hit. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { BAR = 0, OFF = 25, ROWS = 26, MEN = 15, PLAYS_MAX = 4096, SLOTS = 1024 };

typedef struct {
    uint8_t men[2][ROWS]; /* by player, by his row */
    uint32_t rows[2];     /* rows 0 .. 24 where he has men */
} position;

/* Up to four men, moved in this order: the row each leaves and the die it uses. */
typedef struct {
    uint8_t from[4], die[4];
} play;

typedef struct {
    play list[PLAYS_MAX];
    unsigned count, length; /* of each play */
    uint64_t slot[SLOTS];   /* keys of what has been found, for dice that differ */
    uint16_t used[SLOTS];   /* the slots that are taken */
    unsigned used_count;
} plays;

static uint64_t man_keys[ROWS], hit_keys[ROWS];

static void keys_fill(void) {
    uint64_t seed = 24;
    for (unsigned row = 0; row < ROWS; row++) man_keys[row] = bench_mix(&seed), hit_keys[row] = bench_mix(&seed);
}

static void men_put(position *p, unsigned player, unsigned row, unsigned count) {
    p->men[player][row] = (uint8_t)count;
    if (row != OFF && count) p->rows[player] |= 1u << row;
}

static position start_position(void) {
    static const uint8_t START[4][2] = {{1, 2}, {12, 5}, {17, 3}, {19, 5}};
    position p;
    memset(&p, 0, sizeof p);
    for (unsigned player = 0; player < 2; player++)
        for (unsigned i = 0; i < 4; i++) men_put(&p, player, START[i][0], START[i][1]);
    return p;
}

/* Rows (of the mover) where the other has two men or more. They do not change within a turn. */
static inline uint32_t blocked_rows(const position *p, unsigned mover) {
    uint32_t blocked = 0;
    for (uint32_t rest = p->rows[mover ^ 1] & ~1u; rest; rest &= rest - 1) {
        const unsigned row = (unsigned)__builtin_ctz(rest);
        blocked |= (uint32_t)(p->men[mover ^ 1][row] > 1) << (25 - row);
    }
    return blocked;
}

/* The rows from which a man may use this die. */
static inline uint32_t sources(const position *p, unsigned mover, uint32_t blocked, unsigned die) {
    const uint32_t own = p->rows[mover], within = (1u << (OFF - die)) - 1;
    if (own & 1) return 1u & ~(blocked >> die);
    uint32_t found = own & within & ~(blocked >> die);
    if (own < 1u << 19 || own & 0x7FFFE) return found;
    const uint32_t last = own & (0 - own); /* the man furthest from home */
    found |= own & 1u << (OFF - die);
    if (last > 1u << (OFF - die)) found |= last;
    return found;
}

/* Moves a man; gives the key of the change. */
static inline uint64_t man_move(position *p, unsigned mover, unsigned from, unsigned die) {
    const unsigned to = from + die < OFF ? from + die : OFF;
    uint64_t key = man_keys[to] - man_keys[from];
    if (--p->men[mover][from] == 0) p->rows[mover] &= ~(1u << from);
    p->men[mover][to]++;
    if (to == OFF) return key;
    p->rows[mover] |= 1u << to;
    const unsigned theirs = 25 - to;
    if (p->men[mover ^ 1][theirs]) {
        p->men[mover ^ 1][theirs] = 0;
        p->men[mover ^ 1][BAR]++;
        p->rows[mover ^ 1] = (p->rows[mover ^ 1] & ~(1u << theirs)) | 1;
        key += hit_keys[to];
    }
    return key;
}

static bool is_new(plays *found, uint64_t key) {
    unsigned i = (unsigned)(key >> 40) % SLOTS;
    for (; found->slot[i]; i = (i + 1) % SLOTS)
        if (found->slot[i] == key) return false;
    found->slot[i] = key;
    found->used[found->used_count++] = (uint16_t)i;
    return true;
}

static void play_add(plays *found, const play *line, unsigned length) {
    if (length > found->length) found->count = 0, found->length = length;
    if (length == found->length && found->count < PLAYS_MAX) found->list[found->count++] = *line;
}

static void doubles_find(plays *found, const position *p, unsigned mover, uint32_t blocked, unsigned die, play *line, unsigned depth) {
    const uint32_t all = sources(p, mover, blocked, die);
    const unsigned least = depth ? line->from[depth - 1] : 0;
    if (depth == 4 || !all) {
        play_add(found, line, depth);
        return;
    }
    for (uint32_t rest = all >> least << least; rest; rest &= rest - 1) {
        position next = *p;
        line->from[depth] = (uint8_t)__builtin_ctz(rest);
        line->die[depth] = (uint8_t)die;
        man_move(&next, mover, line->from[depth], die);
        doubles_find(found, &next, mover, blocked, die, line, depth + 1);
    }
}

static void pairs_find(plays *found, const position *p, unsigned mover, uint32_t blocked, unsigned first, unsigned second) {
    for (uint32_t rest = sources(p, mover, blocked, first); rest; rest &= rest - 1) {
        position next = *p;
        play line = {{(uint8_t)__builtin_ctz(rest)}, {(uint8_t)first, (uint8_t)second}};
        const uint64_t key = man_move(&next, mover, line.from[0], first);
        for (uint32_t then = sources(&next, mover, blocked, second); then; then &= then - 1) {
            const unsigned from = (unsigned)__builtin_ctz(then), to = from + second < OFF ? from + second : OFF;
            const bool hits = to < OFF && next.men[mover ^ 1][25 - to];
            line.from[1] = (uint8_t)from;
            if (is_new(found, 1 | (key + man_keys[to] - man_keys[from] + (hits ? hit_keys[to] : 0)))) play_add(found, &line, 2);
        }
    }
}

static void plays_find(plays *found, const position *p, unsigned mover, unsigned high, unsigned low) {
    const uint32_t blocked = blocked_rows(p, mover);
    found->count = found->length = 0;
    if (high == low) {
        play line;
        memset(&line, 0, sizeof line);
        doubles_find(found, p, mover, blocked, high, &line, 0);
        return;
    }
    for (; found->used_count; found->used_count--) found->slot[found->used[found->used_count - 1]] = 0;
    pairs_find(found, p, mover, blocked, high, low);
    pairs_find(found, p, mover, blocked, low, high);
    for (unsigned die = high; found->count == 0; die = low) {
        for (uint32_t rest = sources(p, mover, blocked, die); rest; rest &= rest - 1)
            play_add(found, &(play){{(uint8_t)__builtin_ctz(rest)}, {(uint8_t)die}}, 1);
        if (die == low) break;
    }
}

static inline void play_make(position *p, unsigned mover, const plays *found, unsigned k) {
    for (unsigned i = 0; i < found->length; i++) man_move(p, mover, found->list[k].from[i], found->list[k].die[i]);
}

bench_count backgammon_playouts(uint64_t games, uint64_t seed) {
    static plays found;
    keys_fill();
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    const position start = start_position();
    for (uint64_t game = 0; game < games; game++) {
        position p = start;
        bool opening = true;
        for (unsigned mover = 0;; mover ^= 1) {
            unsigned a, b;
            do a = 1 + random_below(&random, 6), b = 1 + random_below(&random, 6);
            while (opening && a == b);
            opening = false;
            plays_find(&found, &p, mover, a > b ? a : b, a > b ? b : a);
            if (found.count) play_make(&p, mover, &found, random_below(&random, found.count));
            count.plies++;
            if (p.men[mover][OFF] == MEN) {
                count.wins[mover]++;
                break;
            }
        }
    }
    return count;
}

/* Reads gnubg's "set board simple" numbers, then the dice: "0 -2 0 ... 0 ; dice 31" (point k is the mover's row 25 - k). */
static bool position_read(const char *text, position *p, unsigned dice[2]) {
    char *rest = NULL;
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < 26; i++, text = rest) {
        const long n = strtol(text, &rest, 10);
        if (rest == text || labs(n) > MEN) return false;
        if (i == 0) men_put(p, 0, BAR, (unsigned)labs(n));
        else if (i == 25) men_put(p, 1, BAR, (unsigned)labs(n));
        else if (n) men_put(p, n < 0, n < 0 ? i : 25 - i, (unsigned)labs(n));
    }
    for (unsigned player = 0; player < 2; player++) {
        unsigned on = 0;
        for (unsigned row = 0; row < OFF; row++) on += p->men[player][row];
        if (on > MEN) return false;
        p->men[player][OFF] = (uint8_t)(MEN - on);
    }
    const char *given = strstr(text, "dice ");
    if (!given || given[5] < '1' || given[5] > '6' || given[6] < '1' || given[6] > '6') return false;
    dice[0] = (unsigned)(given[5] - '0'), dice[1] = (unsigned)(given[6] - '0');
    return true;
}

/* Distinct positions after the dice of the position (depth 1 only). */
uint64_t backgammon_perft(unsigned depth, const char *position_text) {
    static plays found;
    position p;
    unsigned dice[2];
    keys_fill();
    if (depth != 1 || !position_text || !position_read(position_text, &p, dice)) return 0;
    plays_find(&found, &p, 0, dice[0] > dice[1] ? dice[0] : dice[1], dice[0] > dice[1] ? dice[1] : dice[0]);
    return found.count ? found.count : 1;
}
