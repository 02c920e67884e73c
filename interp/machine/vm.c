/* The machine, for sets of WORDS words (compiled once per width).
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
 * (batch.h); TRY only looks whether the body of a repetition has a leg; PLAY goes on behind a drawn move, through the end of its decision to the next turn or the next decision of this one.
 *
 * Doubles. Leaves that lead to the same position, place in the rules and live registers are one move: their keys are equal. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "interp/whole.h"
#include "machine.h"
#include "set.h"
#include "piece.h"
#include "hash.h"

enum { MODE_STRAIGHT, MODE_LIST, MODE_EXISTS, MODE_REPLAY, MODE_COLLECT, MODE_PLAY, MODE_TRY };
enum { PREFERS_MAX = 4, FRAMES_MAX = 24 };          /* preferences of one block; blocks with preferences around a run */
/* What one decision may cost. The games there are use less than a hundredth of it. */
enum { BUDGET = 4 * 1000 * 1000, DEPTH_MAX = 3000, LEAVES_MAX = 1000 * 1000, LOOPS_MAX = 20000, NO_OPERAND = 65535 };
enum { SAVES_MAX = 128 << 20, STATES_MAX = 256 << 20 };        /* in bytes */

#define H(x) (v->head[x])
#define N(x) (v->num[x])
#define S(x) (v->set[x])

static void run(vm *v, uint32_t pc);

/* ---- the state -------------------------------------------------------------------------------------------------------------------- */
static void set_mover(vm *v, int64_t player)
{
    v->head[H_MOVER] = player;
    v->set = v->tables[player];
}

static void load(vm *v, const uint8_t *state)
{
    memcpy(v->state, state, v->g->state_size);
    set_mover(v, v->num[v->g->num_base + H_MOVER]);
}

static void store(vm *v, uint8_t *state) { memcpy(state, v->state, v->g->state_size); }

/* Keeps the position and the registers that code from pc on may read (pc 0: all); `restore` is told the same pc. */
static size_t save(vm *v, uint32_t pc)
{
    const game *g = v->g;
    const live_registers live = g->live[pc];
    const size_t numbers = live.numbers * sizeof(int64_t), size = numbers + g->position_size + live.sets * WORDS * sizeof(uint64_t);
    if (v->save_top + size > v->save_capacity) {
        size_t want = v->save_capacity ? v->save_capacity * 2 : g->state_size * 64;
        if (want < v->save_top + size) want = v->save_top + size;
        if (want > SAVES_MAX) {                 /* the run ends, but what it has begun is still undone */
            fault(v, "the choices of one decision nest too deeply");
            want = v->save_top + size;
        }
        v->saves = realloc(v->saves, want);
        if (!v->saves) abort();
        v->save_capacity = want;
    }
    if (numbers) memcpy(v->saves + v->save_top, v->state, numbers);
    memcpy(v->saves + v->save_top + numbers, v->state + g->at_position, size - numbers);
    v->save_top += size;
    return v->save_top - size;
}

static void restore(vm *v, size_t mark, uint32_t pc)
{
    const game *g = v->g;
    const live_registers live = g->live[pc];
    const size_t numbers = live.numbers * sizeof(int64_t);
    if (numbers) memcpy(v->state, v->saves + mark, numbers);
    memcpy(v->state + g->at_position, v->saves + mark + numbers, g->position_size + live.sets * WORDS * sizeof(uint64_t));
    set_mover(v, v->head[H_MOVER]);
}

static void forget(vm *v, size_t mark) { v->save_top = mark; }

static void path_push(vm *v, uint32_t choice)
{
    if (v->path_top == v->path_capacity) {
        v->path_capacity = v->path_capacity ? v->path_capacity * 2 : 64;
        v->path = realloc(v->path, v->path_capacity * sizeof *v->path);
        if (!v->path) abort();
    }
    v->path[v->path_top++] = choice;
}

static void note(vm *v, token_kind kind, int64_t value, int64_t second)
{
    if (!v->tokens) return;
    if (v->token_count < v->token_cap) v->tokens[v->token_count] = (token){ kind, (int32_t)value, (int32_t)second, v->note_pc };
    v->token_count++;
}

/* ---- relations -------------------------------------------------------------------------------------------------------------------- */
static inline uint64_t relation_mask(const vm *v, int r)
{
    const relation *x = &v->g->relations[r];
    return x->reg >= 0 ? (uint64_t)v->num[x->reg] : x->mask[v->head[H_MOVER]];
}

static inline int64_t relation_times(const vm *v, int r)
{
    const relation *x = &v->g->relations[r];
    return x->times >= 0 ? v->num[x->times] : 1;
}

/* out := the places one step of d from those of s, by one shift of all. */
static inline void step_shift(const direction *d, const uint64_t *s, uint64_t *out)
{
    uint64_t from[WORDS];
    set_and(from, s, d->mask);
    set_shift(out, from, d->shift);
}

/* out |= the places one step of d from those of s. out may not be s. */
static inline void step_into(const vm *v, const direction *d, const uint64_t *s, uint64_t *out)
{
    uint64_t from[WORDS], to[WORDS];
    if (d->shift) {
        step_shift(d, s, to);
        set_or(out, out, to);
        return;
    }
    set_and(from, s, d->mask);
    for (int x; (x = set_pop(from)) >= 0;) {
        if (d->graph) set_or(out, out, d->image + (size_t)x * (size_t)v->g->words);
        else set_add(out, d->next[x]);
    }
}

static void image(const vm *v, uint64_t dirs, const uint64_t *s, int64_t times, uint64_t *out)
{
    uint64_t result[WORDS];
    set_clear(result);
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &v->g->dirs[__builtin_ctzll(dirs)];
        if (times == 1) { step_into(v, d, s, result); continue; }
        uint64_t now[WORDS], then[WORDS];
        set_copy(now, s);
        for (int64_t i = 0; i < times && set_any(now); i++) { set_clear(then); step_into(v, d, now, then); set_copy(now, then); }
        if (times >= 0) set_or(result, result, now);
    }
    set_copy(out, result);
}

static void reach(const vm *v, const uint64_t *s, const uint64_t *through, uint64_t dirs, uint64_t *out)
{
    uint64_t seen[WORDS], fresh[WORDS], next[WORDS];
    set_copy(seen, s);
    set_copy(fresh, s);
    while (set_any(fresh)) {
        set_clear(next);
        for (uint64_t m = dirs; m; m &= m - 1) step_into(v, &v->g->dirs[__builtin_ctzll(m)], fresh, next);
        EACH_WORD(k) { fresh[k] = next[k] & through[k] & ~seen[k]; seen[k] |= fresh[k]; }
    }
    set_copy(out, seen);
}

/* Is there a run of n cells of s along d? */
static bool has_run(const vm *v, const direction *d, const uint64_t *s, int64_t n)
{
    uint64_t left[WORDS], next[WORDS];
    if (d->shift) {
        /* left: the cells from which i more follow; they are not on the edge, so that from the second on no mask is needed */
        set_shift(next, s, -d->shift);
        EACH_WORD(k) left[k] = s[k] & next[k] & d->mask[k];
        for (int64_t i = 2; i < n && set_any(left); i++) { set_shift(next, left, -d->shift); set_and(left, left, next); }
        return set_any(left);
    }
    set_copy(left, s);
    for (int64_t i = 1; i < n && set_any(left); i++) { set_clear(next); step_into(v, d, left, next); set_and(left, next, s); }
    return set_any(left);
}

/* The runs of s that begin right behind one cell and end right before one of b (NULL: anywhere). */
static void lines_from(const vm *v, int from, const uint64_t *s, uint64_t dirs, int64_t low, int64_t high, const uint64_t *b, uint64_t *out)
{
    uint64_t result[WORDS];
    set_clear(result);
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &v->g->dirs[__builtin_ctzll(dirs)];
        int x = d->next[from];
        if (x == 0xFFFF || !set_has(s, x)) continue;
        uint64_t cells[WORDS];
        int64_t length = 0;
        set_clear(cells);
        while (x != 0xFFFF && set_has(s, x) && !set_has(cells, x)) { set_add(cells, x); length++; x = d->next[x]; }
        if (length < low || length > high) continue;
        if (b && (x == 0xFFFF || !set_has(b, x))) continue;
        set_or(result, result, cells);
    }
    set_copy(out, result);
}

/* Cells of whole runs of s along each direction, of length low .. high; with a and b, those just after a cell of a and just before one of b. */
static void lines(const vm *v, const uint64_t *s, uint64_t dirs, int64_t low, int64_t high, const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    if (a && set_count(a) == 1) { lines_from(v, set_first(a), s, dirs, low, high, b, out); return; }
    uint64_t result[WORDS];
    set_clear(result);
    if (!a && low > 1 && low <= 12) {
        /* thinned low - 1 times, what is left are the ends of runs that are long enough */
        bool some = false;
        for (uint64_t m = dirs; m && !some; m &= m - 1) {
            const int way = __builtin_ctzll(m), back = v->g->dirs[way].opposite;
            if (back >= 0 && back < way && (dirs >> back & 1)) continue;
            some = has_run(v, &v->g->dirs[way], s, low);
        }
        if (!some) { set_clear(out); return; }
    }
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &v->g->dirs[__builtin_ctzll(dirs)];
        if (!a && d->opposite >= 0 && (dirs >> d->opposite & 1)) continue;      /* the later one of the two finds the same runs */
        uint64_t starts[WORDS], before[WORDS];
        set_clear(before);
        step_into(v, d, a ? a : s, before);
        if (a) set_and(starts, before, s); else set_andn(starts, s, before);
        for (int x; (x = set_pop(starts)) >= 0;) {
            uint64_t cells[WORDS];
            int64_t length = 0;
            set_clear(cells);
            while (x != 0xFFFF && set_has(s, x) && !set_has(cells, x)) { set_add(cells, x); length++; x = d->next[x]; }
            if (length < low || length > high) continue;
            if (b && (x == 0xFFFF || !set_has(b, x))) continue;
            set_or(result, result, cells);
        }
    }
    set_copy(out, result);
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------ */
static bool field_at(const vm *v, int index, int place, int64_t *out)
{
    const game *g = v->g;
    const field *f = &g->fields[index];
    int64_t x = 0, y = 0;
    switch (f->kind) {
    case FIELD_CONST:
        x = f->values[v->num[g->num_base + H_MOVER]][place];
        if (x == INT16_MIN) return false;
        break;
    case FIELD_KEEP:
        if (f->of_pieces && !v->at[place]) return false;
        x = v->arrays[(size_t)f->index * (size_t)g->places + (size_t)place] - f->offset;
        break;
    case FIELD_VALUE: {
        int k = v->at[place] ? code_kind(g, v->at[place]) : g->kind_count;
        if (k == g->kind_count) return false;
        x = g->kinds[k].value;
        break;
    }
    case FIELD_HEIGHT: x = height_of(v, place); if (place >= g->cells) return false; break;
    case FIELD_SUM:
        if (f->left >= 0 && !field_at(v, f->left, place, &x)) return false;
        if (f->left < 0) x = v->num[f->index];
        if (f->right_number) y = v->num[f->right];
        else if (!field_at(v, f->right, place, &y)) y = 0;
        x = whole(f->op, x, y);
        break;
    }
    *out = x;
    return true;
}

/* The places where a kept number is within (or, negated, outside) the bounds: 64 at a time, and without a branch. */
static void kept_set(const vm *v, const field *f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    const game *g = v->g;
    const int16_t *a = v->arrays + (size_t)f->index * (size_t)g->places;
    const int64_t least = low > INT64_MIN + 1 ? low + f->offset : low, most = high < INT64_MAX - 1 ? high + f->offset : high;
    const int16_t x = (int16_t)(least < INT16_MIN ? INT16_MIN : least > INT16_MAX ? INT16_MAX : least), y = (int16_t)(most < INT16_MIN ? INT16_MIN : most > INT16_MAX ? INT16_MAX : most);
    const bool none = least > INT16_MAX || most < INT16_MIN;
    set_clear(out);
    for (int p = 0; p < g->places; p++) out[p >> 6] |= (uint64_t)((!none && a[p] >= x && a[p] <= y) != negate) << (p & 63);
    if (f->of_pieces) set_and(out, out, S(SET_OCCUPIED));
}

static void field_set(const vm *v, int f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    uint64_t result[WORDS];
    if (v->g->fields[f].kind == FIELD_KEEP) kept_set(v, &v->g->fields[f], low, high, negate, result);
    else {
        set_clear(result);
        const int places = v->g->fields[f].kind == FIELD_HEIGHT ? v->g->cells : v->g->places;
        for (int p = 0; p < places; p++) {
            int64_t x;
            if (field_at(v, f, p, &x) && (x >= low && x <= high) != negate) set_add(result, p);
        }
    }
    set_copy(out, result);
}

static int64_t field_over(const vm *v, int f, const uint64_t *s, opcode what)
{
    uint64_t left[WORDS];
    int64_t sum = 0, most = 0, least = 0, x;
    bool some = false;
    set_copy(left, s);
    for (int p; (p = set_pop(left)) >= 0;) {
        if (!field_at(v, f, p, &x)) continue;
        sum += x;
        if (!some || x > most) most = x;
        if (!some || x < least) least = x;
        some = true;
    }
    return what == OP_SUM ? sum : what == OP_MOST ? most : least;
}

static bool compares(int64_t x, int op, int64_t y)
{
    switch (op) {
    case OP_EQ: return x == y;
    case OP_NE: return x != y;
    case OP_LT: return x < y;
    case OP_LE: return x <= y;
    case OP_MIN: return x > y;      /* BAG_PAIRS only: greater */
    default: return x >= y;
    }
}

/* ---- bags: a count and the numbers, largest first ------------------------------------------------------------------------------------ */
static int16_t *bag(const vm *v, int b) { return v->bags + (size_t)b * (BAG_MAX + 1); }

static void bag_add(vm *v, int b, int64_t x)
{
    int16_t *p = bag(v, b);
    if (p[0] >= BAG_MAX) { fault(v, "a bag holds too many numbers"); return; }
    int i = ++p[0];
    for (; i > 1 && p[i - 1] < x; i--) p[i] = p[i - 1];
    p[i] = (int16_t)x;
}

static void bag_drop(vm *v, int b, int64_t x)
{
    int16_t *p = bag(v, b);
    for (int i = 1; i <= p[0]; i++)
        if (p[i] == x) { memmove(p + i, p + i + 1, (size_t)(p[0] - i) * sizeof *p); p[p[0]--] = 0; return; }
}

static int64_t bag_fold(const vm *v, int b, opcode what)
{
    const int16_t *p = bag(v, b);
    int64_t sum = 0;
    if (what == OP_BAG_COUNT) return p[0];
    if (what == OP_BAG_MOST) return p[0] ? p[1] : 0;
    if (what == OP_BAG_LEAST) return p[0] ? p[p[0]] : 0;
    for (int i = 1; i <= p[0]; i++) sum += p[i];
    return sum;
}

static void bag_pairs(vm *v, int to, int a, int b, int op)
{
    int16_t x[BAG_MAX + 1], y[BAG_MAX + 1];
    memcpy(x, bag(v, a), sizeof x);
    memcpy(y, bag(v, b), sizeof y);
    memset(bag(v, to), 0, sizeof x);
    for (int i = 1; i <= x[0] && i <= y[0]; i++) if (compares(x[i], op, y[i])) bag_add(v, to, 1);
}

/* ---- keys and history ----------------------------------------------------------------------------------------------------------------- */
static int next_player(const vm *v, int64_t from)
{
    const game *g = v->g;
    const int64_t out = v->head[H_OUT];
    int i = from + 1 >= g->player_count ? 0 : (int)from + 1;
    while ((out >> i & 1) && i != from) i = i + 1 == g->player_count ? 0 : i + 1;
    return i;
}

static uint64_t piece_key(const vm *v, int place)
{
    const game *g = v->g;
    uint64_t x = mix(v->at[place]);
    for (int i = 0; g->told_keeps && i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE || k->aside) continue;
        if (k->type == KEEP_FLAG) { if (set_has(v->set[k->where], place)) x = mix(x + 2 * (uint64_t)i + 1); }
        else x = mix(x ^ (uint64_t)(v->arrays[(size_t)k->where * (size_t)g->places + (size_t)place] + ((int64_t)i << 20)));
    }
    if (has_piles(g) && place < g->cells) {
        struct pile *u = pile_at(v, place);
        for (int i = 0; i < u->count; i++) {
            const piece p = pile_get(v, u, i);
            x = mix(x * 3 + p.code);
            if (!g->piece_keeps) continue;
            x ^= mix(p.flags + 77);
            for (int j = 0; j < PIECE_VALUES_MAX; j++) x = mix(x + (uint64_t)p.values[j] * 5);
        }
    }
    return x;
}

/* The contents of a set of places, cells and zones. Equal pieces in a zone are interchangeable: they are added up. */
static uint64_t contents_key(const vm *v, const uint64_t *among)
{
    const game *g = v->g;
    uint64_t key = 0, left[WORDS];
    set_and(left, v->set[SET_OCCUPIED], among);
    for (int p; (p = set_pop(left)) >= 0 && p < g->taken_first;) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    return key;
}

static inline uint64_t cells_word(const game *g, int k)
{
    return g->cells >= 64 * (k + 1) ? ~0ull : g->cells <= 64 * k ? 0 : (1ull << (g->cells % 64)) - 1;
}

/* What H_CONTENTS does not tell of the pieces: their flags and numbers, and what lies below them. */
static uint64_t details_key(const vm *v)
{
    const game *g = v->g;
    uint64_t key = 0, left[WORDS];
    for (int i = 0; g->told_keeps && i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE || k->aside) continue;
        if (k->type == KEEP_FLAG) {
            EACH_WORD(w) { const uint64_t x = v->set[k->where][w] & cells_word(g, w); if (x) key += mix(x ^ g->place_keys[w * 64]) * (2 * (uint64_t)i + 3); }
        } else {
            const int16_t *a = v->arrays + (size_t)k->where * (size_t)g->places;
            for (int p = 0; p < g->cells; p++) if (a[p]) key += mix(g->place_keys[p] ^ (uint64_t)(a[p] + ((int64_t)i << 20)));
        }
    }
    if (g->told_keeps) {
        EACH_WORD(w) left[w] = v->set[SET_OCCUPIED][w] & ~cells_word(g, w);
        for (int p; (p = set_pop(left)) >= 0 && p < g->taken_first;) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    }
    if (has_piles(g) && g->piece_keeps)
        for (int p = 0; p < g->cells; p++) if (pile_at(v, p)->count) key += mix(piece_key(v, p) ^ g->place_keys[p]);
    return key;
}

/* All that makes two positions the same, with `next` to move. */
static uint64_t position_key(const vm *v, int64_t next)
{
    const game *g = v->g;
    uint64_t key = (uint64_t)H(H_CONTENTS) + (g->simple_pieces ? 0 : details_key(v)) + mix((uint64_t)next + 0xABCDEF) + mix((uint64_t)H(H_OUT) * 7 + 3);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->aside || k->of == KEEP_PIECE) continue;
        if (k->of == KEEP_CELL && k->type == KEEP_FLAG) {
            EACH_WORD(w) if (v->set[k->where][w]) key += mix(v->set[k->where][w] ^ mix((uint64_t)(i * WORDS_MAX + w) + 991));
        } else if (k->of == KEEP_CELL) {
            const int16_t *a = v->arrays + (size_t)k->where * (size_t)g->places;
            uint64_t sum = 0;
            for (int p = 0; p < g->taken_first; p++) sum += (uint64_t)(int64_t)a[p] * g->place_keys[p];
            key += sum * (mix((uint64_t)i + 17) | 1);
        } else
            for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++)
                key += mix((uint64_t)v->num[k->where + p] ^ mix((uint64_t)(i * 16 + p) + 5555));
    }
    return key;
}

/* What an emitted leaf is merged by. */
static uint64_t leaf_key(const vm *v, leaf_kind kind, uint32_t pc)
{
    const game *g = v->g;
    if (kind == LEAF_LEGAL || kind == LEAF_OVER)
        return mix(position_key(v, H(H_NEXT)) + mix((uint64_t)(H(H_OVER) * 64 + H(H_WINNER) * 4 + kind)) + (uint64_t)(H(H_PASSES) > 0) + 2 * (uint64_t)(H(H_AGAIN) > 0));
    uint64_t key = position_key(v, H(H_MOVER)) + mix(pc + 31337u) + (uint64_t)H(H_DIDPASS) + 2 * (uint64_t)H(H_AGAIN) + mix((uint64_t)H(H_NEXT) + 5);
    for (int p = g->taken_first; p < g->taken_first + g->taken_slots; p++) if (v->at[p]) key += mix(piece_key(v, p) + 424242);
    key = mix(key + mix((uint64_t)H(H_HERE) * 2048 + (uint64_t)H(H_START)));
    /* of the registers that are still read most are zero: those are not mixed in, and the others independently */
    for (int i = 0; i < g->live[pc].numbers; i++) { const uint64_t x = (uint64_t)N(g->num_consts + i); if (x) key += mix(x ^ mix((uint64_t)i + 271828)); }
    for (int i = 0; i < g->live[pc].sets; i++) EACH_WORD(k) { const uint64_t x = S(g->reg_first + i)[k]; if (x) key += mix(x ^ mix((uint64_t)(i * WORDS_MAX + k) + 314159)); }
    for (int i = 0; i < g->bag_count; i++) {
        const int16_t *b = v->bags + (size_t)i * (BAG_MAX + 1);         /* how many numbers, then they */
        for (int j = 0; b[0] && j <= b[0]; j++) key += mix((uint64_t)(uint16_t)b[j] * 64 + (uint64_t)(i * (BAG_MAX + 1) + j));
    }
    for (int i = 0; i < g->dice_count; i++) key += mix((uint64_t)N(g->dice[i].fixed) * 3 + (uint64_t)N(g->dice[i].number) * 7 + (uint64_t)i);
    return key;
}

static void history_room(vm *v, size_t n)
{
    if (n > v->history.capacity) history_grow(&v->history, n);
}

/* The loaded position's own entry stands where it belongs (another line of play may have written there). */
static void history_settle(vm *v)
{
    if (!v->g->uses_history || H(H_HISTORY) == 0) return;
    const size_t n = (size_t)H(H_HISTORY);
    history_room(v, n);
    v->history.keys[n - 1] = (uint64_t)H(H_KEY);
    v->history.keys_of[n - 1] = (uint64_t)H(H_KEY_OF);
    v->history.always[n - 1] = (uint64_t)H(H_ALWAYS);
}

/* The position, with the player in H_NEXT to move, is the newest of the history. */
static void history_push(vm *v)
{
    const game *g = v->g;
    if (!g->uses_history) return;
    H(H_KEY) = (int64_t)position_key(v, H(H_NEXT));
    H(H_KEY_OF) = g->key_set ? (int64_t)contents_key(v, g->key_set) : 0;
    H(H_HISTORY)++;
    history_settle(v);
}

/* How often this position stood before, or how many turns ago it last did. Inside a turn: as it will stand with the next player to move. */
static int64_t repeats(vm *v, bool only_key_set, bool since)
{
    const game *g = v->g;
    const uint64_t key = only_key_set ? contents_key(v, g->key_set)
                                      : position_key(v, H(H_NEXT) >= 0 ? H(H_NEXT) : next_player(v, H(H_ACTOR)));
    const uint64_t *keys = only_key_set ? v->history.keys_of : v->history.keys;
    const size_t n = (size_t)H(H_HISTORY);
    int64_t times = 0;
    for (size_t i = 0; i < n; i++) times += keys[i] == key;
    if (!since || !times) return times;
    size_t i = n;
    while (keys[--i] != key) {}
    return (int64_t)(n - i);
}

/* This position stood before, and the noted truth held after every turn that player made since. */
static bool always(vm *v, int index)
{
    int64_t back = repeats(v, false, true);
    size_t n = (size_t)H(H_HISTORY);
    if (!back) return false;
    const int64_t me = H(H_MOVER);
    bool some = false;
    /* the turn just made is noted in H_ALWAYS, the earlier ones in the history; the low four bits tell who made it */
    for (size_t i = n - (size_t)back + 1; i <= n; i++) {
        uint64_t bits = i == n ? (uint64_t)H(H_ALWAYS) : v->history.always[i];
        if ((int64_t)(bits & 15) != me) continue;
        some = true;
        if (!(bits >> (4 + index) & 1)) return false;
    }
    return some;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------------------------------ */
static void index_rebuild(vm *v)
{
    size_t want = v->index_size ? v->index_size : 256;
    while (want < 2 * (v->leaf_count + 1)) want *= 2;
    if (want > v->index_size) {
        v->index = realloc(v->index, want * sizeof *v->index);
        if (!v->index) abort();
        v->index_size = want;
    }
    memset(v->index, 0, v->index_size * sizeof *v->index);
    for (size_t i = 0; i < v->leaf_count; i++)
        for (size_t j = v->leaves[i].key & (v->index_size - 1);; j = (j + 1) & (v->index_size - 1))
            if (!v->index[j]) { v->index[j] = (uint32_t)i + 1; break; }
}

static leaf *leaf_find(vm *v, uint64_t key)
{
    if (!v->index_size) return NULL;
    for (size_t j = key & (v->index_size - 1); v->index[j]; j = (j + 1) & (v->index_size - 1))
        if (v->leaves[v->index[j] - 1].key == key) return &v->leaves[v->index[j] - 1];
    return NULL;
}

static void leaves_clear(vm *v)
{
    if (v->leaf_count && v->index_size) memset(v->index, 0, v->index_size * sizeof *v->index);
    v->leaf_count = v->paths_top = v->path_top = 0;
}

static int compare_preferences(const int16_t *a, const int16_t *b, int n)
{
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The preferences of a frame around this run. */
static void preferences_of(const vm *v, int f, int16_t *now)
{
    for (int i = 0; i < v->frames[f].count; i++) {
        int64_t x = N(v->g->prefers_first + f * PREFERS_MAX + i);
        now[i] = (int16_t)(x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x);
    }
}

/* Those of all frames, the outermost first. */
static void preferences(const vm *v, int16_t *values, uint8_t *count)
{
    for (int f = 0; f < v->frame_count; f++) {
        int16_t now[8];
        preferences_of(v, f, now);
        for (int i = 0; i < v->frames[f].count && *count < 8; i++) values[(*count)++] = now[i];
    }
}

/* The preferences of the frames around this run: keeps the leaves that are still best. False if this run is not among them. */
static bool preferred(vm *v, int16_t *values, uint8_t *count)
{
    *count = 0;
    for (int f = 0; f < v->frame_count; f++) {
        int n = v->frames[f].count;
        int16_t now[8];
        preferences_of(v, f, now);
        int c = v->frames[f].any ? compare_preferences(now, v->frames[f].best, n) : 1;
        if (c < 0) return false;
        if (c > 0) {
            if (v->frames[f].any) {
                v->leaf_count = v->frames[f].first;
                index_rebuild(v);
                for (int inner = f + 1; inner < v->frame_count; inner++) { v->frames[inner].any = false; v->frames[inner].first = (uint32_t)v->leaf_count; }
            }
            v->frames[f].any = true;
            memcpy(v->frames[f].best, now, sizeof now);
        }
        for (int i = 0; i < n && *count < 8; i++) values[(*count)++] = now[i];
    }
    return true;
}

/* What a leaf leads to: where a decision ends its turn, registers mean nothing any more. */
static bool ends_turn(leaf_kind kind) { return kind == LEAF_LEGAL || kind == LEAF_OVER; }

static size_t leaf_size(const game *g, leaf_kind kind, uint32_t resume)
{
    return g->position_size + (ends_turn(kind) ? 0 : g->live[resume].sets * WORDS * sizeof(uint64_t));
}

static void store_leaf(const vm *v, leaf_kind kind, uint32_t resume, uint8_t *state)
{
    const game *g = v->g;
    if (!ends_turn(kind)) memcpy(state, v->state, g->live[resume].numbers * sizeof(int64_t));
    memcpy(state + g->at_position, v->state + g->at_position, leaf_size(g, kind, resume));
}

static void load_leaf(vm *v, const leaf *l, const uint8_t *state)
{
    const game *g = v->g;
    if (!ends_turn(l->kind)) memcpy(v->state, state, g->live[l->resume].numbers * sizeof(int64_t));
    memcpy(v->state + g->at_position, state + g->at_position, leaf_size(g, l->kind, l->resume));
    set_mover(v, v->head[H_MOVER]);
}

static void emit(vm *v, leaf_kind kind, uint32_t resume)
{
    const game *g = v->g;
    int16_t values[8];
    uint8_t count = 0;
    if (!v->watch || !v->watch->broken || v->mode == MODE_EXISTS) v->completed++;
    if (v->mode == MODE_EXISTS) { v->found = v->stop = true; return; }
    if (v->frame_count && v->watch) preferences(v, values, &count);
    else if (v->frame_count && !v->lenient && !preferred(v, values, &count)) return;
    uint64_t key = leaf_key(v, kind, resume), identity = key;
    if (v->lenient && H(H_FAILED)) key = mix(key + 17);
    if (v->keep_doubles) key = mix(key + v->leaf_count);
    else if (leaf_find(v, key)) return;
    if (v->leaf_count >= LEAVES_MAX || v->leaf_count * g->state_size > STATES_MAX) { fault(v, "too many ways to make one decision"); return; }
    if (v->leaf_count == v->leaf_capacity) {
        v->leaf_capacity = v->leaf_capacity ? v->leaf_capacity * 2 : 64;
        v->leaves = realloc(v->leaves, v->leaf_capacity * sizeof *v->leaves);
        v->states = realloc(v->states, v->leaf_capacity * g->state_size);
        if (!v->leaves || !v->states) abort();
    }
    if (v->paths_top + v->path_top > v->paths_capacity) {
        v->paths_capacity = 2 * (v->paths_top + v->path_top) + 256;
        v->paths = realloc(v->paths, v->paths_capacity * sizeof *v->paths);
        if (!v->paths) abort();
    }
    leaf *l = &v->leaves[v->leaf_count];
    *l = (leaf){ .key = key, .identity = identity, .label = (int)H(H_FAILED), .path = (uint32_t)v->paths_top, .path_length = (uint32_t)v->path_top, .resume = resume, .chosen = (uint32_t)H(H_CHOSEN), .weight = 1, .kind = kind, .preference_count = count, .broken = (uint8_t)(v->watch ? v->watch->broken : 0) };
    memcpy(l->preferences, values, sizeof l->preferences);
    if (v->path_top) memcpy(v->paths + v->paths_top, v->path, v->path_top * sizeof *v->paths);
    v->paths_top += v->path_top;
    int64_t resumed = H(H_RESUME);
    H(H_RESUME) = resume;
    store_leaf(v, kind, resume, v->states + v->leaf_count * g->state_size);
    H(H_RESUME) = resumed;
    v->leaf_count++;
    if (2 * (v->leaf_count + 1) > v->index_size) index_rebuild(v);
    else
        for (size_t j = key & (v->index_size - 1);; j = (j + 1) & (v->index_size - 1))
            if (!v->index[j]) { v->index[j] = (uint32_t)v->leaf_count; break; }
}

/* Registers that nothing reads any more are cleared: equal situations have equal bytes. */
static void clear_dead(vm *v, int32_t mask)
{
    const game *g = v->g;
    const register_mask *m = &g->masks[mask & (CHANCE_MAY_VOID - 1)];
    for (int i = 0; i < g->num_regs; i++) if (!(m->numbers[i / 64] >> (i % 64) & 1)) N(g->num_consts + i) = 0;
    for (int i = 0; i < g->set_regs; i++) if (!(m->sets[i / 64] >> (i % 64) & 1)) set_clear(S(g->reg_first + i));
}

/* ---- legs ---------------------------------------------------------------------------------------------------------------------------------- */
/* Which pattern items may still match: bit i: items before i are done. Skips items that may match nothing. */
static uint32_t pattern_open(const pattern_item *p, int n, uint32_t states)
{
    for (int i = 0; i < n; i++) if ((states >> i & 1) && (p[i].how == '*' || p[i].how == '?')) states |= 1u << (i + 1);
    return states;
}

static uint32_t pattern_step(const vm *v, const pattern_item *p, int n, uint32_t states, int place)
{
    uint32_t out = 0;
    for (int i = 0; i < n; i++) {
        if (!(states >> i & 1) || !set_has(v->set[p[i].set], place)) continue;
        if (p[i].how == '1' || p[i].how == '?') out |= 1u << (i + 1);
        else if (p[i].how == '*') out |= 1u << i;
        else out |= 1u << i | 1u << (i + 1);
    }
    /* `+` stays open after its first match as `*` would */
    return out;
}

enum { OPTIONS_MAX = 4096 };

/* The landings of a leg from one place: codes direction << 16 | place. */
static int leg_options(vm *v, const leg *l, int from, uint32_t *out, int cap)
{
    const game *g = v->g;
    int n = 0;
    if (from < 0) return 0;
    const uint64_t *target = l->target >= 0 ? S(l->target) : NULL;
    const int64_t times = relation_times(v, l->relation);
    const bool counted = g->relations[l->relation].times >= 0;
    const pattern_item *pattern = g->patterns + l->pattern;
    if (counted && times <= 0) return 0;
    for (uint64_t m = relation_mask(v, l->relation); m; m &= m - 1) {
        int dir = __builtin_ctzll(m);
        const direction *d = &g->dirs[dir];
        if (d->graph) {
            uint64_t to[WORDS];
            if (!set_has(d->mask, from)) continue;
            set_copy(to, d->image + (size_t)from * (size_t)g->words);
            if (target) set_and(to, to, target);
            for (int x; (x = set_pop(to)) >= 0;) if (n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            continue;
        }
        int x = d->next[from];
        if (!counted && !l->slide && l->pattern_count == 0) {
            if (x != 0xFFFF && (!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            continue;
        }
        if (l->slide && !counted) {
            const uint64_t *empty = S(SET_EMPTY);
            for (int i = 0; x != 0xFFFF && i < g->places; i++, x = d->next[x]) {
                if (x == from) break;
                if ((!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
                if (!set_has(empty, x)) break;
            }
            continue;
        }
        uint32_t states = l->pattern_count ? pattern_open(pattern, l->pattern_count, 1) : 1;
        const bool any = l->pattern_count == 0 && !l->slide;
        for (int i = 1; x != 0xFFFF && i <= g->places; i++, x = d->next[x]) {
            bool matched = any || (l->slide ? true : (states >> l->pattern_count & 1));
            if ((!counted || i == times) && matched && (!target || set_has(target, x)) && n < cap) out[n++] = (uint32_t)dir << 16 | (uint32_t)x;
            if (counted && i >= times) break;
            if (any) continue;
            if (l->slide) { if (!set_has(S(SET_EMPTY), x)) break; continue; }
            states = pattern_open(pattern, l->pattern_count, pattern_step(v, pattern, l->pattern_count, states, x));
            if (!states) break;
        }
    }
    return n;
}

static void note_passed(vm *v, const leg *l, const direction *d, int from, int to)
{
    uint64_t *passed = S(SET_PASSED);
    set_clear(passed);
    if (d->graph) return;
    int64_t times = v->g->relations[l->relation].times >= 0 ? relation_times(v, l->relation) : -1;
    int x = d->next[from];
    for (int i = 1; x != 0xFFFF && i <= v->g->places; i++, x = d->next[x]) {
        if (times >= 0 ? i == times : x == to) break;
        set_add(passed, x);
    }
}

/* For notation: what the leg passed. */
static void note_way(vm *v, const leg *l, const direction *d, int from, int to)
{
    const int64_t times = v->g->relations[l->relation].times >= 0 ? relation_times(v, l->relation) : -1;
    int x = d->graph ? 0xFFFF : d->next[from];
    for (int i = 1; x != 0xFFFF && i <= v->g->places; i++, x = d->next[x]) {
        if (times >= 0 ? i == times : x == to) break;
        note(v, TOKEN_PASSED, x, 0);
    }
}

/* For notation: whom an effect takes. */
static void note_taken(vm *v, const uint64_t *s, uint32_t pc)
{
    uint64_t left[WORDS];
    v->note_pc = pc;
    set_and(left, s, v->set[SET_OCCUPIED]);
    for (int x; (x = set_pop(left)) >= 0;) note(v, TOKEN_TOOK, x, 0);
}

static void leg_apply(vm *v, const leg *l, uint32_t code)
{
    const game *g = v->g;
    const int dir = (int)(code >> 16);
    int to = (int)(code & 0xFFFF);
    const int from = (int)H(H_HERE);
    bool took = false, walked = false;
    if (g->uses_passed) note_passed(v, l, &g->dirs[dir], from, to);
    if (v->at[from] && to < g->cells && from < g->cells && g->simple_pieces && H(H_UNDER) < 0 && (l->settle || !v->at[to])) {
        const int mover_code = v->at[from];
        walked = true;
        if (v->at[to]) { took = true; take_plain(v, to); if (v->stop) return; }
        plane_move(v, from, to, mover_code);
    } else if (v->at[from] && !l->place_only) {
        walked = true;
        piece p = piece_lift(v, from);
        if (H(H_UNDER) == from) {
            struct pile *u = pile_at(v, -1);
            for (int i = 0; i < u->count; i++) {
                const piece back = pile_get(v, u, i);
                if (i + 1 < u->count) pile_push(v, from, &back);
                else piece_set(v, from, &back);
            }
            memset(u, 0, g->pile_stride);
            H(H_UNDER) = -1;
        }
        if (to >= g->cells) {
            int z = g->zone_of[to];
            const zone *w = &g->zones[z];
            if (to == w->place) { to = free_slot(v, w->first, w->slots, "more pieces in a zone than it can hold"); if (to < 0) return; }
            if (w->owner >= 0) p.code = (uint16_t)code_of(g, w->owner, code_kind(g, p.code));
            if (v->at[to]) take_all(v, to);
            if (v->stop) return;
            piece_set(v, to, &p);
        } else if (!v->at[to]) {
            piece_set(v, to, &p);
        } else if (has_room(v, to, code_owner(g, p.code))) {
            const piece top = piece_unset(v, to);
            pile_push(v, to, &top);
            piece_set(v, to, &p);
        } else if (l->settle) {
            took = true;
            take_all(v, to);
            if (v->stop) return;
            piece_set(v, to, &p);
        } else {
            took = true;
            struct pile *u = pile_at(v, -1);
            memset(u, 0, g->pile_stride);
            if (has_piles(g)) {
                memcpy(u, pile_at(v, to), g->pile_stride);
                while (pile_at(v, to)->count) pile_pop(v, to);
            }
            const piece top = piece_unset(v, to);
            pile_push(v, -1, &top);
            H(H_UNDER) = to;
            piece_set(v, to, &p);
        }
    }
    H(H_HERE) = to;
    H(H_CHOSEN)++;
    if (v->tokens && walked) {
        note(v, took ? TOKEN_TAKE_TO : TOKEN_TO, to, from);
        note_way(v, l, &g->dirs[dir], from, (int)(code & 0xFFFF));
    }
}

/* ---- attacked ------------------------------------------------------------------------------------------------------------------------------ */
/* out |= all landings of the leg from the places of `from` (targets not looked at). */
static void leg_image(vm *v, const leg *l, const uint64_t *from, uint64_t *out)
{
    const game *g = v->g;
    if (l->slide) {
        const uint64_t *empty = S(SET_EMPTY);
        for (uint64_t m = relation_mask(v, l->relation); m; m &= m - 1) {
            const direction *d = &g->dirs[__builtin_ctzll(m)];
            uint64_t now[WORDS], seen[WORDS], then[WORDS];
            set_copy(now, from);
            set_clear(seen);
            do {
                set_clear(then);
                step_into(v, d, now, then);
                EACH_WORD(k) { then[k] &= ~seen[k]; seen[k] |= then[k]; now[k] = then[k] & empty[k]; }
            } while (set_any(now));
            set_or(out, out, seen);
        }
        return;
    }
    if (l->pattern_count == 0) {
        uint64_t all[WORDS];
        image(v, relation_mask(v, l->relation), from, relation_times(v, l->relation), all);
        set_or(out, out, all);
        return;
    }
    uint64_t left[WORDS];
    set_copy(left, from);
    leg open = *l;
    open.target = -1;
    uint32_t codes[256];
    for (int x; (x = set_pop(left)) >= 0;) {
        int n = leg_options(v, &open, x, codes, 256);
        for (int i = 0; i < n; i++) set_add(out, (int)(codes[i] & 0xFFFF));
    }
}

/* Can the run at pc be completed? The caller goes on at `after` (0: it may want all registers). */
static bool exists(vm *v, uint32_t pc, uint32_t after)
{
    int mode = v->mode, frames = v->frame_count;
    size_t guide = v->guide;
    v->guide = 0;
    bool stop = v->stop, found = v->found;
    token *tokens = v->tokens;
    size_t path_top = v->path_top;
    size_t mark = save(v, after);
    uint64_t completed = v->completed;
    v->mode = MODE_EXISTS;
    v->stop = v->found = false;
    v->tokens = NULL;
    v->frame_count = 0;
    if (!v->fault) run(v, pc);
    bool yes = v->found;
    v->guide = guide;
    v->mode = mode;
    v->stop = stop || v->fault;
    v->found = found;
    v->tokens = tokens;
    v->frame_count = frames;
    v->path_top = path_top;
    v->completed = completed;
    restore(v, mark, after);
    forget(v, mark);
    return yes;
}

/* Could the piece that stands (or would stand) on `place`, of player `me`, be taken by one of the rules that take otherwise than by landing? */
static bool probe(vm *v, int place, int64_t me, int64_t foe)
{
    const game *g = v->g;
    size_t mark = save(v, 0);
    int was = v->probe_place;
    if (!v->at[place] || code_owner(g, v->at[place]) != me) {
        if (v->at[place]) piece_unset(v, place);
        plane_put(v, place, code_of(g, (int)me, g->kind_count));
    }
    set_mover(v, foe);
    H(H_UNDER) = -1;
    v->probe_place = place;
    bool yes = exists(v, g->attack_probe, 0);
    v->probe_place = was;
    restore(v, mark, 0);
    forget(v, mark);
    return yes;
}

/* The attack, once its geometry fits: may it be made from a place of `from` on `cell`? */
static bool attack_holds(vm *v, const attack *a, uint64_t *from, int cell)
{
    if (a->guard_pc) { run(v, a->guard_pc); if (!N(a->guard)) return false; }
    if (a->from_pc) { run(v, a->from_pc); set_and(from, from, S(a->from)); if (!set_any(from)) return false; }
    if (a->target_pc) {
        set_clear(S(v->g->asked));
        set_add(S(v->g->asked), cell);
        run(v, a->target_pc);
        if (a->target >= 0 && !set_has(S(a->target), cell)) return false;
    }
    return true;
}

/* Could `foe`, whose eyes are set, take on this cell by landing? Looks outwards from the cell. */
static bool attacked_from(vm *v, int cell)
{
    const game *g = v->g;
    const uint64_t *own = S(SET_OWN), *empty = S(SET_EMPTY);
    const int64_t foe = H(H_MOVER);
    int16_t blocker[DIRS_MAX];
    uint64_t known = 0;
    for (int i = 0; i < g->attack_count; i++) {
        const attack *a = &g->attacks[i];
        const leg *l = &g->legs[a->leg];
        uint64_t from[WORDS], hit[WORDS];
        set_copy(from, S(g->kind_first + g->lists[a->kinds]));
        for (int j = 1; j < a->kind_count; j++) set_or(from, from, S(g->kind_first + g->lists[a->kinds + j]));
        set_and(from, from, own);
        if (!set_any(from)) continue;
        set_clear(hit);
        if (l->slide && a->reverse) {
            for (uint64_t m = a->back[foe]; m; m &= m - 1) {
                const int d = __builtin_ctzll(m);
                if (!(known >> d & 1)) {
                    const direction *x = &g->dirs[d];
                    uint64_t blocked[WORDS];
                    set_andn(blocked, x->rays + (size_t)cell * WORDS, empty);
                    blocker[d] = (int16_t)(x->rising ? set_first(blocked) : set_last(blocked));
                    known |= 1ull << d;
                }
                if (blocker[d] >= 0 && set_has(from, blocker[d])) set_add(hit, blocker[d]);
            }
        } else if (a->reverse) set_and(hit, from, a->reverse + ((size_t)foe * (size_t)g->cells + (size_t)cell) * WORDS);
        else {
            uint64_t to[WORDS];
            set_clear(to);
            if (a->from_pc) { run(v, a->from_pc); set_and(from, from, S(a->from)); }     /* and what may be passed */
            if (l->pattern_count && a->target_pc) run(v, a->target_pc);     /* what is passed over is worked out there too */
            leg_image(v, l, from, to);
            if (set_has(to, cell)) set_copy(hit, from);
        }
        if (set_any(hit) && attack_holds(v, a, hit, cell)) return true;
    }
    return false;
}

static void attacked(vm *v, const uint64_t *asked, uint64_t *out)
{
    const game *g = v->g;
    const int64_t me = H(H_MOVER);
    uint64_t result[WORDS], want[WORDS], old[WORDS];
    set_clear(result);
    EACH_WORD(k) want[k] = asked[k] & cells_word(g, k);
    const bool few = set_count(want) < 3;
    for (int64_t foe = 0; foe < g->player_count && set_any(want); foe++) {
        if (foe == me || (H(H_OUT) >> foe & 1)) continue;
        set_mover(v, foe);
        if (few) {
            uint64_t cells[WORDS];
            EACH_WORD(k) cells[k] = want[k] & ~result[k];
            for (int x; (x = set_pop(cells)) >= 0;) if (attacked_from(v, x)) set_add(result, x);
        }
        set_copy(old, S(g->asked));
        set_copy(S(g->asked), want);
        for (int i = 0; !few && i < g->attack_count; i++) {
            const attack *a = &g->attacks[i];
            uint64_t from[WORDS], to[WORDS];
            set_clear(from);
            for (int j = 0; j < a->kind_count; j++) set_or(from, from, S(g->kind_first + g->lists[a->kinds + j]));
            set_and(from, from, S(SET_OWN));
            if (!set_any(from)) continue;
            if (a->guard_pc) { run(v, a->guard_pc); if (!N(a->guard)) continue; }
            if (a->from_pc) { run(v, a->from_pc); set_and(from, from, S(a->from)); }
            set_clear(to);
            if (g->legs[a->leg].pattern_count && a->target_pc) run(v, a->target_pc);
            leg_image(v, &g->legs[a->leg], from, to);
            set_and(to, to, want);
            if (!set_any(to)) continue;
            if (a->target_pc) { run(v, a->target_pc); if (a->target >= 0) set_and(to, to, S(a->target)); }
            set_or(result, result, to);
        }
        set_copy(S(g->asked), old);
        set_mover(v, me);
        if (!g->attack_probe) continue;
        uint64_t left[WORDS];
        EACH_WORD(k) left[k] = want[k] & ~result[k];
        for (int x; (x = set_pop(left)) >= 0;) if (probe(v, x, me, foe)) set_add(result, x);
    }
    set_and(out, result, asked);
}

/* ---- effects ------------------------------------------------------------------------------------------------------------------------------ */
static void take_set(vm *v, const uint64_t *s, int64_t many)
{
    uint64_t left[WORDS];
    set_copy(left, s);
    set_and(left, left, v->set[SET_OCCUPIED]);
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;)
        for (int64_t i = 0; i < many && v->at[x] && !v->stop; i++) take_top(v, x);
}

/* `many` top pieces of each place go to a place, or (zone >= 0) to a zone. */
static void send_set(vm *v, const uint64_t *s, int64_t to, bool under, int64_t many, int64_t zone_first, bool by_owner)
{
    const game *g = v->g;
    uint64_t left[WORDS];
    set_and(left, s, v->set[SET_OCCUPIED]);
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        piece moved[64];
        int n = 0;
        for (int64_t i = 0; i < many && v->at[x] && n < 64; i++) moved[n++] = piece_lift(v, x);
        /* `moved` has the top first; they come to lie in the order in which they lay */
        if (zone_first >= 0)
            for (int i = n; i-- > 0;) into_zone(v, (int)zone_first + (by_owner ? code_owner(g, moved[i].code) : 0), moved[i]);
        else if (to < 0) { fault(v, "nowhere to send it"); return; }
        else if (under)
            for (int i = 0; i < n; i++) piece_under(v, (int)to, &moved[i]);
        else
            for (int i = n; i-- > 0;) piece_place(v, (int)to, &moved[i]);
    }
}

static void send_along(vm *v, const uint64_t *s, int rel)
{
    uint64_t mask = relation_mask(v, rel), left[WORDS];
    if (!mask) { fault(v, "no direction to send along"); return; }
    const direction *d = &v->g->dirs[__builtin_ctzll(mask)];
    int64_t times = relation_times(v, rel);
    struct { int to; piece p; } moved[PLACES_MAX];
    int n = 0;
    set_and(left, s, v->set[SET_OCCUPIED]);
    for (int x; (x = set_pop(left)) >= 0;) {
        int to = x;
        for (int64_t i = 0; i < times && to != 0xFFFF; i++) to = d->next[to];
        moved[n].p = piece_lift(v, x);
        moved[n++].to = to;
    }
    for (int i = 0; i < n && !v->stop; i++) {
        if (moved[i].to == 0xFFFF) piece_taken(v, moved[i].p);
        else if (moved[i].to >= v->g->cells) into_zone(v, v->g->zone_of[moved[i].to], moved[i].p);
        else piece_place(v, moved[i].to, &moved[i].p);
    }
}

static void place_kinds(vm *v, const ins *i, int zone_index)
{
    const game *g = v->g;
    int64_t owner = i->b == NO_OPERAND ? -1 : N(i->b), many = i->c == NO_OPERAND ? 1 : N(i->c);
    for (int32_t j = 0; j < i->e; j++) {
        piece p = piece_new(g, (int)owner, g->lists[i->d + j]);
        for (int64_t n = 0; n < many && !v->stop; n++) {
            if (zone_index >= 0) { into_zone(v, zone_index, p); continue; }
            uint64_t left[WORDS];
            set_copy(left, S(i->a));
            for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
                if (x < g->cells) piece_place(v, x, &p);
                else if (g->zone_of[x] >= 0) into_zone(v, g->zone_of[x], p);
            }
        }
    }
}

static int64_t kept(const keep *k, int64_t x) { return x < k->low ? k->low : x > k->high ? k->high : x; }

static void set_numbers(vm *v, const ins *i, bool from_field)
{
    const game *g = v->g;
    const keep *k = &g->keeps[i->d];
    int16_t *a = v->arrays + (size_t)k->where * (size_t)g->places;
    const int offset = k->type == KEEP_NUMBER ? 0 : 1;
    uint64_t left[WORDS];
    set_copy(left, S(i->a));
    for (int x; (x = set_pop(left)) >= 0;) {
        if (k->of == KEEP_PIECE && !v->at[x]) continue;
        int64_t y = 0;
        if (from_field) { if (!field_at(v, i->b, x, &y)) continue; }
        else y = N(i->b);
        if (offset) { a[x] = (int16_t)(y + 1); continue; }
        int64_t old = a[x];
        a[x] = (int16_t)kept(k, i->e == 0 ? y : i->e == 1 ? old + y : old - y);
    }
}

static void diagram_rank(vm *v, const char *text)
{
    const game *g = v->g;
    int y = g->height - (int)H(H_RANK)++, x = 0;
    for (const char *c = text; *c; c++) {
        x++;
        if (*c == '.' || *c == ' ') continue;
        int place = -1;
        for (int i = 0; i < g->cells; i++) if (g->cell[i].x == x && g->cell[i].y == y) place = i;
        for (int k = 0; place >= 0 && k < g->kind_count; k++) {
            char letter = g->kinds[k].letter[0], low = (char)(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter), up = (char)(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
            if (*c != low && *c != up) continue;
            piece p = piece_new(g, *c == up ? 0 : 1, k);
            piece_place(v, place, &p);
            break;
        }
    }
}

#include "batch.h"
#include "watch.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"      /* labels as values: the dispatch of instructions */
#include "run.h"
#pragma GCC diagnostic pop
#include "decide.h"
