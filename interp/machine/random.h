/* The random generator: xoshiro256** (Blackman, Vigna 2018), seeded through splitmix64. */
#ifndef JOC_MACHINE_RANDOM_H
#define JOC_MACHINE_RANDOM_H
#include <stdint.h>
#include "hash.h"

static inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

static inline uint64_t random_next(uint64_t s[4])
{
    const uint64_t out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return out;
}

static inline void random_seed(uint64_t s[4], uint64_t seed)
{
    for (int i = 0; i < 4; i++) { s[i] = mix(seed); seed += 0x9E3779B97F4A7C15ull; }
}

/* Uniform in [0, n), without bias (Lemire 2019). n > 0. */
static inline uint64_t random_below(uint64_t s[4], uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;
    wide m = (wide)random_next(s) * n;
    if ((uint64_t)m < n) {
        uint64_t least = -n % n;
        while ((uint64_t)m < least) m = (wide)random_next(s) * n;
    }
    return (uint64_t)(m >> 64);
}
#endif
