/* Go, 9 by 9, without suicide, with positional superko; passing is a move like any other; two passes end the game;
 * area scoring with 7.5 points for White.
 *
 * Stones of a chain share a head, which knows their edges to empty points (liberties, each counted as often as a stone
 * touches it) and the combined hash of their stones; so whether a stone captures, whether it would be suicide and what
 * hash the board would have are known before it is put. Points are drawn from the array of empty ones, and one that
 * turns out illegal is set aside and another drawn, which leaves the choice uniform over the legal ones and the pass. */
#include <stddef.h>
#include <string.h>

#include "bench.h"

enum { SIZE = 9, WIDTH = SIZE + 2, POINTS = WIDTH * WIDTH, EMPTY = 2, EDGE = 3, KOMI_HALVES = 15 };
enum { SEEN_SLOTS = 1 << 14, SEEN_MAX = SEEN_SLOTS / 2 };

static const int WAY[4] = {1, -1, WIDTH, -WIDTH};
static uint64_t keys[2][POINTS];

typedef struct {
    uint64_t hash;                     /* of the stones on the board */
    uint64_t chain_hash[POINTS];       /* by head */
    uint16_t edges[POINTS];            /* by head: pairs of a stone and an empty point beside it */
    uint8_t colour[POINTS], head[POINTS], next[POINTS], stones[POINTS]; /* next: a ring through the chain */
    uint8_t empty[SIZE * SIZE], place[POINTS];                          /* place: where a point stands in `empty` */
    unsigned empty_count;
} position;

/* All boards that have stood; 0 is none. */
typedef struct {
    uint64_t slot[SEEN_SLOTS];
    uint16_t used[SEEN_MAX];
    unsigned count;
} boards;

static inline unsigned beside(unsigned point, unsigned way) { return (unsigned)((int)point + WAY[way]); }

static void keys_fill(void) {
    uint64_t seed = 81;
    for (unsigned point = 0; point < POINTS; point++) keys[0][point] = bench_mix(&seed), keys[1][point] = bench_mix(&seed);
}

static bool boards_has(const boards *b, uint64_t hash) {
    unsigned i = (unsigned)hash % SEEN_SLOTS;
    for (; b->slot[i]; i = (i + 1) % SEEN_SLOTS)
        if (b->slot[i] == hash) return true;
    return false;
}

static void boards_add(boards *b, uint64_t hash) {
    unsigned i = (unsigned)hash % SEEN_SLOTS;
    for (; b->slot[i]; i = (i + 1) % SEEN_SLOTS)
        if (b->slot[i] == hash) return;
    if (b->count == SEEN_MAX) return; /* no game is that long */
    b->slot[i] = hash;
    b->used[b->count++] = (uint16_t)i;
}

static void boards_clear(boards *b) {
    for (unsigned i = 0; i < b->count; i++) b->slot[b->used[i]] = 0;
    b->count = 0;
}

static position start_position(unsigned size) {
    position p;
    memset(&p, 0, sizeof p);
    p.hash = 1; /* so that no board has hash 0 */
    for (unsigned point = 0; point < POINTS; point++) {
        const unsigned row = point / WIDTH, col = point % WIDTH;
        const bool on = row > 0 && row <= size && col > 0 && col <= size;
        p.colour[point] = on ? EMPTY : EDGE;
        if (!on) continue;
        p.place[point] = (uint8_t)p.empty_count;
        p.empty[p.empty_count++] = (uint8_t)point;
    }
    return p;
}

/* What a stone of the mover on an empty point would do. */
typedef struct {
    uint64_t hash; /* of the board then */
    bool legal;
    uint8_t captured[4], captured_count;
} effect;

static inline effect effect_of(const position *p, unsigned mover, unsigned point, const boards *seen) {
    effect e = {p->hash ^ keys[mover][point], false, {0}, 0};
    uint8_t heads[4], touches[4];
    unsigned count = 0;
    for (unsigned way = 0; way < 4; way++) {
        const unsigned near = beside(point, way);
        if (p->colour[near] == EMPTY) e.legal = true;
        if (p->colour[near] >= EMPTY) continue;
        unsigned i = 0;
        while (i < count && heads[i] != p->head[near]) i++;
        if (i == count) heads[count] = p->head[near], touches[count++] = 0;
        touches[i]++;
    }
    for (unsigned i = 0; i < count; i++) {
        const bool others = p->edges[heads[i]] > touches[i]; /* has liberties elsewhere */
        if (p->colour[heads[i]] == mover) {
            e.legal |= others;
        } else if (!others) {
            e.legal = true;
            e.captured[e.captured_count++] = heads[i];
            e.hash ^= p->chain_hash[heads[i]];
        }
    }
    e.legal = e.legal && !boards_has(seen, e.hash);
    return e;
}

static void chain_remove(position *p, unsigned head) {
    unsigned point = head;
    do {
        for (unsigned way = 0; way < 4; way++) {
            const unsigned near = beside(point, way);
            if (p->colour[near] < EMPTY) p->edges[p->head[near]]++;
        }
        p->colour[point] = EMPTY;
        p->place[point] = (uint8_t)p->empty_count;
        p->empty[p->empty_count++] = (uint8_t)point;
        point = p->next[point];
    } while (point != head);
}

/* The smaller chain takes the head of the larger. */
static unsigned chains_join(position *p, unsigned a, unsigned b) {
    if (p->stones[a] < p->stones[b]) {
        const unsigned t = a;
        a = b, b = t;
    }
    unsigned point = b;
    do p->head[point] = (uint8_t)a;
    while ((point = p->next[point]) != b);
    const uint8_t after = p->next[a];
    p->next[a] = p->next[b];
    p->next[b] = after;
    p->stones[a] = (uint8_t)(p->stones[a] + p->stones[b]);
    p->edges[a] = (uint16_t)(p->edges[a] + p->edges[b]);
    p->chain_hash[a] ^= p->chain_hash[b];
    return a;
}

static void stone_put(position *p, unsigned mover, unsigned point, const effect *e) {
    const uint8_t last = p->empty[--p->empty_count];
    p->empty[p->place[point]] = last;
    p->place[last] = p->place[point];
    p->colour[point] = (uint8_t)mover;
    p->head[point] = p->next[point] = (uint8_t)point;
    p->stones[point] = 1;
    p->edges[point] = 0;
    p->chain_hash[point] = keys[mover][point];
    unsigned head = point;
    for (unsigned way = 0; way < 4; way++) {
        const unsigned near = beside(point, way);
        if (p->colour[near] == EMPTY) p->edges[head]++;
        if (p->colour[near] >= EMPTY) continue;
        p->edges[p->head[near]]--;
        if (p->colour[near] == mover && p->head[near] != head) head = chains_join(p, head, p->head[near]);
    }
    for (unsigned i = 0; i < e->captured_count; i++) chain_remove(p, e->captured[i]);
    p->hash = e->hash;
}

/* Half points of Black less those of White: stones, and empty regions that touch one colour only. */
static int score(const position *p) {
    int total = -KOMI_HALVES;
    bool reached[POINTS] = {false};
    uint8_t stack[POINTS];
    for (unsigned start = 0; start < POINTS; start++) {
        if (p->colour[start] < EMPTY) total += p->colour[start] == 0 ? 2 : -2;
        if (p->colour[start] != EMPTY || reached[start]) continue;
        unsigned touched = 0, depth = 0;
        int region = 0;
        stack[depth++] = (uint8_t)start;
        reached[start] = true;
        while (depth) {
            const unsigned point = stack[--depth];
            region += 2;
            for (unsigned way = 0; way < 4; way++) {
                const unsigned near = beside(point, way);
                if (p->colour[near] < EMPTY) touched |= 1u << p->colour[near];
                if (p->colour[near] != EMPTY || reached[near]) continue;
                reached[near] = true;
                stack[depth++] = (uint8_t)near;
            }
        }
        if (touched == 1) total += region;
        if (touched == 2) total -= region;
    }
    return total;
}

/* One ply: a stone, or false for a pass. */
static inline bool ply(position *p, unsigned mover, boards *seen, bench_random *random) {
    for (unsigned left = p->empty_count;;) {
        const unsigned k = random_below(random, left + 1);
        if (k == left) return false;
        const uint8_t point = p->empty[k];
        const effect e = effect_of(p, mover, point, seen);
        if (e.legal) {
            stone_put(p, mover, point, &e);
            boards_add(seen, p->hash);
            return true;
        }
        const uint8_t other = p->empty[--left];
        p->empty[k] = other, p->place[other] = (uint8_t)k;
        p->empty[left] = point, p->place[point] = (uint8_t)left;
    }
}

bench_count go_playouts(uint64_t games, uint64_t seed) {
    static boards seen;
    keys_fill();
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    const position start = start_position(SIZE);
    for (uint64_t game = 0; game < games; game++) {
        position p = start;
        boards_add(&seen, p.hash);
        unsigned passes = 0;
        for (unsigned mover = 0; passes < 2; mover ^= 1) {
            passes = ply(&p, mover, &seen, &random) ? 0 : passes + 1;
            count.plies++;
        }
        boards_clear(&seen);
        count.wins[score(&p) < 0]++;
    }
    return count;
}

/* Earlier boards are kept in a list here: a perft goes back. */
static uint64_t perft(const position *p, unsigned mover, unsigned passes, const boards *seen, unsigned depth) {
    if (depth == 0) return 1;
    if (passes == 2) return 0;
    uint64_t nodes = perft(p, mover ^ 1, passes + 1, seen, depth - 1);
    for (unsigned i = 0; i < p->empty_count; i++) {
        const effect e = effect_of(p, mover, p->empty[i], seen);
        if (!e.legal) continue;
        position next = *p;
        boards then = *seen;
        stone_put(&next, mover, p->empty[i], &e);
        boards_add(&then, next.hash);
        nodes += depth == 1 ? 1 : perft(&next, mover ^ 1, 0, &then, depth - 1);
    }
    return nodes;
}

/* The position is a size: "2" is the empty board of 2 by 2. */
uint64_t go_perft(unsigned depth, const char *position_text) {
    static boards seen;
    const unsigned size = position_text ? (unsigned)(position_text[0] - '0') : SIZE;
    if (size > SIZE) return 0;
    keys_fill();
    const position start = start_position(size);
    memset(&seen, 0, sizeof seen);
    boards_add(&seen, start.hash);
    return perft(&start, 0, 0, &seen, depth);
}
