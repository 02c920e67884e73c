/* The machine, for sets of WORDS words (compiled once per width).
 *
 * Parts. set, piece, hash: sets, pieces, keys of numbers. lanes, relations, fields, keys, leaves, legs, attacked, effects: what instructions are
 * about. stops, batch, tracks, options: first choices for all pieces at once; draw, onward: one drawn where it is chosen. choose, last, repetition, turn, bodies, ops, run: the instructions. decide, count:
 * decisions, chance, counting. watch: what a run breaks. build: positions made by hand.
 *
 * Running. `run` executes instructions. A choosing instruction saves the state, and for each option restores it, makes the choice
 * and runs what follows, all the way to the end of the decision; then it returns. So the C stack is the stack of choices, `else` and
 * `prefer` see every completion of what they guard, and nothing is undone piece by piece: a state is a few hundred bytes, and
 * copying it is cheaper than a journal. A run ends by failing (return), or at LEGAL, COMMIT, a chance event or RESULT, where what it
 * reached is emitted as a leaf.
 *
 * Modes. LIST emits leaves with the path of choices that led to them and the state that results. EXISTS only wants to know whether
 * a run can be completed (`can`, `stuck`, `attacked`). REPLAY takes its choices from a path; it is how notation is written. STRAIGHT
 * is for code without choices (sub-expressions, ends, tests, a chance outcome being tried). COLLECT takes first choices in batches
 * (batch.h); TRY only looks whether the body of a repetition has a leg, WALK stops before one, or at a preference (last.h, choose.h); PLAY goes on behind a drawn move, through the end of its decision to the next turn or the next decision of this one;
 * DRAW draws it where it is chosen (draw.h), ONWARD where there is more than one such choice (onward.h).
 *
 * Doubles. Leaves that lead to the same position, place in the rules and live registers are one move: their keys are equal. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include "interp/whole.h"
#include "machine.h"
#ifdef JOC_NATIVE
#include "native.h"
#else
#include "general.h"
#endif
#include "set.h"
#include "piece.h"
#include "hash.h"

enum { MODE_STRAIGHT, MODE_LIST, MODE_EXISTS, MODE_REPLAY, MODE_COLLECT, MODE_PLAY, MODE_TRY, MODE_DRAW, MODE_ONWARD, MODE_WALK, MODE_BRANCH };
/* What one decision may cost. The games there are use less than a hundredth of it. */
enum { BUDGET = 4 * 1000 * 1000, DEPTH_MAX = 3000, LEAVES_MAX = 1000 * 1000, LOOPS_MAX = 20000, NO_OPERAND = 65535 };
enum { SAVES_MAX = 128 << 20, STATES_MAX = 64 << 20 };        /* in bytes */

#define H(x) (HEAD(v)[x])

/* Another evaluation begins. */
INLINE void budget_anew(vm *v)
{
    v->used += BUDGET - v->budget;
    v->budget = BUDGET;
}

/* Where a run goes on: at the next instruction, not at all, or at an instruction. */
#define ON 0u
#define OUT UINT32_MAX

static void run(vm *v, uint32_t pc);
static size_t list(vm *v);
INLINE uint32_t pc_of(const vm *v, const ins *i) { return (uint32_t)(i - G(v)->code); }

/* ---- the state -------------------------------------------------------------------------------------------------------------------- */
static void set_mover(vm *v, int64_t player)
{
    HEAD(v)[H_MOVER] = player;
    v->set = v->tables[player];
}

static void load(vm *v, const uint8_t *state)
{
    memcpy(STATE(v), state, G(v)->state_size);
    set_mover(v, NUM(v)[G(v)->num_base + H_MOVER]);
}

static void store(vm *v, uint8_t *state) { memcpy(state, STATE(v), G(v)->state_size); }

/* Room for so many bytes; gives where. */
static size_t saves_take(vm *v, size_t size)
{
    if (v->save_top + size > v->save_capacity) {
        size_t want = v->save_capacity ? v->save_capacity * 2 : G(v)->state_size * 64;
        if (want < v->save_top + size) want = v->save_top + size;
        if (want > SAVES_MAX) {                 /* the run ends, but what it has begun is still undone */
            fault(v, "the choices of one decision nest too deeply");
            want = v->save_top + size;
        }
        v->saves = realloc(v->saves, want);
        if (!v->saves) abort();
        v->save_capacity = want;
    }
    v->save_top += size;
    return v->save_top - size;
}

/* Keeps the position and the registers that code from pc on may read (pc 0: all); `restore` is told the same pc. */
static size_t save(vm *v, uint32_t pc)
{
    const game *g = G(v);
    const live_registers live = g->live[pc];
    const size_t numbers = live.numbers * sizeof(int64_t), size = numbers + g->position_size + live.sets * WORDS * sizeof(uint64_t);
    const size_t mark = saves_take(v, size);
    if (numbers) memcpy(v->saves + mark, STATE(v), numbers);
    memcpy(v->saves + mark + numbers, STATE(v) + g->at_position, size - numbers);
    return mark;
}

KNOWN void restore(vm *v, size_t mark, uint32_t pc)
{
    const game *g = G(v);
    const live_registers live = g->live[pc];
    const size_t numbers = live.numbers * sizeof(int64_t);
    if (numbers) memcpy(STATE(v), v->saves + mark, numbers);
    memcpy(STATE(v) + g->at_position, v->saves + mark + numbers, g->position_size + live.sets * WORDS * sizeof(uint64_t));
    set_mover(v, HEAD(v)[H_MOVER]);
}

static void forget(vm *v, size_t mark) { v->save_top = mark; }

/* The same of what code changes that moves no piece and keeps nothing of places: all numbers, and the registers. */
static size_t save_numbers(vm *v)
{
    const game *g = G(v);
    const size_t numbers = (size_t)(g->num_regs + g->num_position) * sizeof(int64_t), sets = (size_t)g->set_regs * WORDS * sizeof(uint64_t);
    const size_t mark = saves_take(v, numbers + sets);
    memcpy(v->saves + mark, STATE(v), numbers);
    memcpy(v->saves + mark + numbers, STATE(v) + g->at_position + g->position_size, sets);
    return mark;
}

static void restore_numbers(vm *v, size_t mark)
{
    const game *g = G(v);
    const size_t numbers = (size_t)(g->num_regs + g->num_position) * sizeof(int64_t);
    memcpy(STATE(v), v->saves + mark, numbers);
    memcpy(STATE(v) + g->at_position + g->position_size, v->saves + mark + numbers, (size_t)g->set_regs * WORDS * sizeof(uint64_t));
    set_mover(v, HEAD(v)[H_MOVER]);
}

static __attribute__((noinline)) void path_grow(vm *v)
{
    v->path_capacity = v->path_capacity ? v->path_capacity * 2 : 64;
    v->path = realloc(v->path, v->path_capacity * sizeof *v->path);
    if (!v->path) abort();
}

INLINE void path_push(vm *v, uint32_t choice)
{
    if (v->path_top == v->path_capacity) path_grow(v);
    v->path[v->path_top++] = choice;
}

static void note(vm *v, token_kind kind, int64_t value, int64_t second)
{
    if (!TOKENS(v)) return;
    if (v->token_count < v->token_cap) v->tokens[v->token_count] = (token){ kind, (int32_t)value, (int32_t)second, v->note_pc };
    v->token_count++;
}

#include "lanes.h"
#include "relations.h"
#include "fields.h"
#include "keys.h"
#include "leaves.h"
#include "legs.h"
#include "attacked.h"
#include "effects.h"
#include "stops.h"
#include "batch.h"
#include "shield.h"
#include "tracks.h"
#include "options.h"
#include "watch.h"
#include "choose.h"
#include "last.h"
#include "counted.h"
#include "branch.h"
#include "draw.h"
#include "repetition.h"
#include "turn.h"
#include "bodies.h"
#include "onward.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"      /* labels as values: the dispatch of instructions */
#include "ops.h"
#include "run.h"
#pragma GCC diagnostic pop
#include "decide.h"
#include "count.h"
#include "build.h"
