/* The machine for one game alone: its tables are constants here (interp/native/write.c). */
#ifndef JOC_MACHINE_NATIVE_H
#define JOC_MACHINE_NATIVE_H
#define INLINE static inline __attribute__((always_inline))
#include "tables.inc"

#define KNOWN INLINE
#define DRAWS INLINE
#define DRAWING(v) false         /* there is code of its own for it: DRAW_TURN */
/* Directions that are known: one after the other, each with its own shift. */
#define EACH_WAY(m, dirs) _Pragma("GCC unroll 8") for (uint64_t m = (dirs); m; m &= m - 1)
#define G(v) (&GAME)
/* Those who ask for these are sent to the interpreter (build.h). */
#define TOKENS(v) ((token *)NULL)
#define WATCH(v) ((watch *)NULL)
#define LENIENT(v) false
#define MARKS(v) ((uint8_t *)NULL)
#define DOUBLES(v) false

static const machine *plain;        /* the interpreter: told when this is loaded */

/* Where everything is in a machine's memory. */
#define MEMORY(v, type, at) ((type *)(void *)((uint8_t *)(v)->memory + (at)))
#define NUM(v) MEMORY(v, int64_t, 0)
#define HEAD(v) (NUM(v) + GAME.num_base)
#define AT(v) MEMORY(v, uint16_t, GAME.at_cells)
#define ARRAYS(v) MEMORY(v, int16_t, GAME.at_arrays)
#define PILES(v) MEMORY(v, struct pile, GAME.at_piles)
#define BAGS(v) MEMORY(v, int16_t, GAME.at_bags)
#define CHANGED(v) MEMORY(v, uint16_t, GAME.at_changed)
#define STATE(v) MEMORY(v, uint8_t, GAME.state_from)

INLINE int64_t *number_at(vm *v, int x)
{
    if (__builtin_constant_p(x) && x < GAME.num_consts) return (int64_t *)&CONST_NUM[x];
    return NUM(v) + x;
}

INLINE uint64_t *set_at(const vm *v, int x)
{
    if (!__builtin_constant_p(x)) return v->set[x];
    const int64_t mover = HEAD(v)[H_MOVER];
    if (x >= GAME.const_first) {
        const int k = x - GAME.const_first;
        return (uint64_t *)(SET_ALIKE[k] ? CONST_SETS[0] : CONST_SETS[mover]) + k * WORDS;
    }
    if (x >= GAME.reg_first) return MEMORY(v, uint64_t, GAME.at_registers) + (x - GAME.reg_first) * WORDS;
    uint64_t *const planes = MEMORY(v, uint64_t, GAME.at_planes);
    if (x == SET_OWN) return planes + (SET_PLAYERS + mover) * WORDS;
    if (x == SET_ENEMY) return planes + (SET_PLAYERS + (GAME.player_count == 2 ? 1 - mover : mover)) * WORDS;
    return planes + x * WORDS;
}

#define N(x) (*number_at((vm *)v, (int)(x)))
#define S(x) set_at(v, (int)(x))
#define W(i, x) (__builtin_constant_p((i) - CODE) ? INS_WORDS[(i) - CODE].x : WORDS)
#define PLANE(v, x) (MEMORY(v, uint64_t, GAME.at_planes) + (size_t)(x) * WORDS)
#include "each.h"
#endif
