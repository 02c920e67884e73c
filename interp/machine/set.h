/* Sets of WORDS words of 64 bits. Included once per width by vm.c. */
#ifndef JOC_SET_H
#define JOC_SET_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EACH_WORD(k) for (int k = 0; k < WORDS; k++)
#define EACH_OF(k, n) for (int k = 0; k < (n); k++)

/* The same of sets of which no word beyond the n-th holds a place; what is made is written whole. */
INLINE bool words_any(const uint64_t *s, int n) { uint64_t x = 0; EACH_OF(k, n) x |= s[k]; return x != 0; }
INLINE int words_count(const uint64_t *s, int n) { int c = 0; EACH_OF(k, n) c += __builtin_popcountll(s[k]); return c; }
INLINE void words_copy(uint64_t *d, const uint64_t *s, int n) { EACH_WORD(k) d[k] = k < n ? s[k] : 0; }
INLINE void words_and(uint64_t *d, const uint64_t *a, const uint64_t *b, int n) { EACH_WORD(k) d[k] = k < n ? a[k] & b[k] : 0; }
INLINE void words_or(uint64_t *d, const uint64_t *a, const uint64_t *b, int n) { EACH_WORD(k) d[k] = k < n ? a[k] | b[k] : 0; }
INLINE void words_andn(uint64_t *d, const uint64_t *a, const uint64_t *b, int n) { EACH_WORD(k) d[k] = k < n ? a[k] & ~b[k] : 0; }
INLINE bool words_meet(const uint64_t *a, const uint64_t *b, int n) { uint64_t x = 0; EACH_OF(k, n) x |= a[k] & b[k]; return x != 0; }
INLINE bool words_within(const uint64_t *a, const uint64_t *b, int n) { uint64_t x = 0; EACH_OF(k, n) x |= a[k] & ~b[k]; return x == 0; }
INLINE int words_first(const uint64_t *s, int n) { EACH_OF(k, n) if (s[k]) return k * 64 + __builtin_ctzll(s[k]); return -1; }
INLINE int words_pop(uint64_t *s, int n)
{
    EACH_OF(k, n) if (s[k]) { const int x = __builtin_ctzll(s[k]); s[k] &= s[k] - 1; return k * 64 + x; }
    return -1;
}

INLINE bool set_any(const uint64_t *s) { return words_any(s, WORDS); }
INLINE int set_count(const uint64_t *s) { return words_count(s, WORDS); }
INLINE int word_of(int place) { return WORDS == 1 ? 0 : place >> 6; }
INLINE bool set_has(const uint64_t *s, int place) { return (s[word_of(place)] >> (place & 63)) & 1; }
INLINE void set_add(uint64_t *s, int place) { s[word_of(place)] |= 1ull << (place & 63); }
INLINE void set_remove(uint64_t *s, int place) { s[word_of(place)] &= ~(1ull << (place & 63)); }
INLINE void set_copy(uint64_t *d, const uint64_t *s) { words_copy(d, s, WORDS); }
INLINE void set_clear(uint64_t *d) { EACH_WORD(k) d[k] = 0; }
INLINE void set_and(uint64_t *d, const uint64_t *a, const uint64_t *b) { words_and(d, a, b, WORDS); }
INLINE void set_or(uint64_t *d, const uint64_t *a, const uint64_t *b) { words_or(d, a, b, WORDS); }
INLINE void set_andn(uint64_t *d, const uint64_t *a, const uint64_t *b) { words_andn(d, a, b, WORDS); }
INLINE bool set_meets(const uint64_t *a, const uint64_t *b) { return words_meet(a, b, WORDS); }
INLINE bool set_within(const uint64_t *a, const uint64_t *b) { return words_within(a, b, WORDS); }
INLINE bool set_same(const uint64_t *a, const uint64_t *b) { uint64_t x = 0; EACH_WORD(k) x |= a[k] ^ b[k]; return x == 0; }
INLINE int set_first(const uint64_t *s) { return words_first(s, WORDS); }

/* Word k of the places first .. first + count - 1. */
INLINE uint64_t range_word(int first, int count, int k)
{
    const int low = first - 64 * k, high = low + count;
    const uint64_t from = low <= 0 ? ~0ull : low >= 64 ? 0 : ~0ull << low, to = high <= 0 ? 0 : high >= 64 ? ~0ull : (1ull << high) - 1;
    return from & to;
}

INLINE int set_last(const uint64_t *s) { for (int k = WORDS - 1; k >= 0; k--) if (s[k]) return k * 64 + 63 - __builtin_clzll(s[k]); return -1; }

/* The places of a set, one after another: for (int x; (x = set_pop(copy)) >= 0;) */
INLINE int set_pop(uint64_t *s) { return words_pop(s, WORDS); }

/* d := the places of s up to the first one of `stop`, or from the last one of it on; all if there is none. */
INLINE void set_up_to(uint64_t *d, const uint64_t *s, const uint64_t *stop)
{
    uint64_t open = ~0ull;
    EACH_WORD(k) { d[k] = s[k] & (stop[k] ^ (stop[k] - 1)) & open; if (WORDS > 1 && stop[k]) open = 0; }
}

INLINE void set_down_to(uint64_t *d, const uint64_t *s, const uint64_t *stop)
{
    uint64_t open = ~0ull;
    for (int k = WORDS - 1; k >= 0; k--) {
        d[k] = stop[k] ? s[k] & ~0ull << (63 - __builtin_clzll(stop[k])) & open : s[k] & open;
        if (WORDS > 1 && stop[k]) open = 0;
    }
}

/* All places moved up by n (down if negative). Places that would leave the set are not among those moved, or not among those asked for after:
 * so one word can be turned round. */
INLINE void set_shift(uint64_t *d, const uint64_t *s, int n)
{
#if WORDS == 1
    d[0] = s[0] << (n & 63) | s[0] >> (-n & 63);
#else
    uint64_t out[WORDS];
    if (n >= 0) {
        int w = n >> 6, b = n & 63;
        for (int k = WORDS - 1; k >= 0; k--) {
            uint64_t x = k - w >= 0 ? s[k - w] << b : 0;
            if (b && k - w - 1 >= 0) x |= s[k - w - 1] >> (64 - b);
            out[k] = x;
        }
    } else {
        int w = -n >> 6, b = -n & 63;
        for (int k = 0; k < WORDS; k++) {
            uint64_t x = k + w < WORDS ? s[k + w] >> b : 0;
            if (b && k + w + 1 < WORDS) x |= s[k + w + 1] << (64 - b);
            out[k] = x;
        }
    }
    EACH_WORD(k) d[k] = out[k];
#endif
}
#endif
