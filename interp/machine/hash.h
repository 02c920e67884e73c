/* Mixing numbers into keys. The finaliser is that of splitmix64 (Steele, Lea, Flood 2014). */
#ifndef JOC_HASH_H
#define JOC_HASH_H
#include <stdint.h>
static inline uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}
#endif
