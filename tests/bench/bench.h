/* bench.h: hand-written playouts to measure the machine against.
 *
 * Each reference is one C file that plays one game as fast as its author could make it: bit boards, no
 * tables that a rule file could have written. It plays the same game as the rule file of that name and
 * makes the same choice, uniform over the legal moves, so that only the machinery differs. That it is
 * honest is shown twice: its `perft` agrees with published counts, and its results and lengths agree with
 * those of the rule file (bench_main.c prints both).
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* What a run of playouts came to: `wins` by seat, the rest was drawn; a ply is one decision. */
typedef struct {
    uint64_t playouts, plies, wins[2];
} bench_count;

/* One reference. `game` and `options` say which rule file plays the same, `perft` counts sequences of
 * `depth` moves from `position` (NULL: the start; what a text means is each reference's own). */
typedef struct {
    const char *name, *game, *options;
    bench_count (*playouts)(uint64_t games, uint64_t seed);
    uint64_t (*perft)(unsigned depth, const char *position);
    bool decisions; /* its plies are decisions, of which a turn has several; else, in games of dice, turns */
} bench_reference;

#define BENCH_DECLARE(name)                                      \
    bench_count name##_playouts(uint64_t games, uint64_t seed); \
    uint64_t name##_perft(unsigned depth, const char *position)

BENCH_DECLARE(amazons);
BENCH_DECLARE(backgammon);
BENCH_DECLARE(breakthrough);
BENCH_DECLARE(chess);
BENCH_DECLARE(connect_four);
BENCH_DECLARE(dacii);
BENCH_DECLARE(dracones);
BENCH_DECLARE(english_draughts);
BENCH_DECLARE(go);
BENCH_DECLARE(hex);
BENCH_DECLARE(kalah);
BENCH_DECLARE(reversi);
BENCH_DECLARE(ur);
BENCH_DECLARE(ur_finkel);

/* xorshift128+ (Vigna 2014), seeded by splitmix64. */
typedef struct {
    uint64_t a, b;
} bench_random;

static inline uint64_t bench_mix(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline bench_random random_from(uint64_t seed) {
    bench_random r;
    r.a = bench_mix(&seed);
    r.b = bench_mix(&seed) | 1;
    return r;
}

static inline uint64_t random_next(bench_random *r) {
    uint64_t a = r->a;
    const uint64_t b = r->b;
    r->a = b;
    a ^= a << 23;
    r->b = a ^ b ^ (a >> 18) ^ (b >> 5);
    return r->b + b;
}

/* Uniform in 0 .. n - 1 (the bias of multiply-and-shift is below n / 2^32). */
static inline unsigned random_below(bench_random *r, unsigned n) {
    return (unsigned)(((random_next(r) >> 32) * n) >> 32);
}

static inline unsigned bit_count(uint64_t x) { return (unsigned)__builtin_popcountll(x); }
static inline unsigned bit_first(uint64_t x) { return (unsigned)__builtin_ctzll(x); }
static inline uint64_t bit_at(unsigned square) { return (uint64_t)1 << square; }

/* The index of the k-th set bit of x, from 0. */
static inline unsigned bit_select(uint64_t x, unsigned k) {
#ifdef __BMI2__
    return bit_first(_pdep_u64((uint64_t)1 << k, x));
#else
    while (k--) x &= x - 1;
    return bit_first(x);
#endif
}

#endif
