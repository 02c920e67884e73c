/* Whole numbers as the language counts: the same when rules are compiled and when they are played, and defined for all values (what is too
 * big for 64 bits wraps; nothing divided by nothing is nothing). Division rounds down, and what is left over has the sign of the divisor. */
#ifndef JOC_WHOLE_H
#define JOC_WHOLE_H
#include <stdint.h>

static inline int64_t whole_add(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
static inline int64_t whole_sub(int64_t x, int64_t y) { return (int64_t)((uint64_t)x - (uint64_t)y); }
static inline int64_t whole_mul(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }

static inline int64_t whole_div(int64_t x, int64_t y)
{
    if (y == 0) return 0;
    if (y == -1) return whole_sub(0, x);
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static inline int64_t whole_mod(int64_t x, int64_t y) { return y == 0 ? 0 : whole_sub(x, whole_mul(whole_div(x, y), y)); }

static inline int64_t whole(char op, int64_t x, int64_t y)
{
    switch (op) {
    case '+': return whole_add(x, y);
    case '-': return whole_sub(x, y);
    case '*': return whole_mul(x, y);
    case '/': return whole_div(x, y);
    default: return whole_mod(x, y);
    }
}
#endif
