/* How many words of a set can hold a place, where an instruction makes it or reads it: where a game has zones, most sets are of cells alone, and
 * the words behind are nought.
 *
 * Registers are followed along all ways through the code (as in slots.c): the width of a set, and of a number the word in which the place lies that
 * it names. What comes in from outside (sub-expressions, what plans have added) may be anything, and so may what is made in a way not listed here.
 * A set is always written whole; a machine compiled for the game does not read what is nought (machine/native.h, W). */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "compile.h"
#include "flow.h"

enum { WORK_MAX = 8 << 20 };            /* bytes of what is known before each instruction; beyond it nothing is looked at */

typedef struct {
    const game *g;
    int registers;                      /* sets, then numbers */
    uint8_t *fixed;                     /* by set operand that is no register */
    uint8_t *before;                    /* by instruction and register */
    int16_t *written;                   /* by instruction: the number register it writes, -1 none */
    bool *reached, changed;
} widths;

static uint8_t greater(uint8_t a, uint8_t b) { return a > b ? a : b; }

static uint8_t words_of(int places) { return (uint8_t)((places + 63) / 64); }

static uint8_t constant_width(const game *g, int constant)
{
    uint8_t n = 0;
    for (int p = 0; p < g->player_count; p++)
        for (int k = 0; k < g->words; k++) if (g->const_set[p][constant * g->words + k]) n = greater(n, (uint8_t)(k + 1));
    return n;
}

/* Whoever owns a piece on the board, and empty cells, stand in planes of cells (machine/piece.h). */
static bool is_of_cells(const game *g, int plane)
{
    return plane == SET_EMPTY || plane == SET_OWN || plane == SET_ENEMY || plane == SET_NEUTRAL || (plane >= SET_PLAYERS && plane < SET_PLAYERS + g->player_count);
}

static bool is_register(const game *g, int set) { return set >= g->reg_first && set < g->const_first; }

static uint8_t set_width(const widths *w, const uint8_t *now, int set)
{
    if (!is_register(w->g, set)) return w->fixed[set];
    return set == w->g->asked ? (uint8_t)w->g->words : now[set - w->g->reg_first];
}

static uint8_t number_width(const widths *w, const uint8_t *now, int operand)
{
    const game *g = w->g;
    if (operand >= g->num_base || operand < 0) return (uint8_t)g->words;
    if (operand >= g->num_consts) return now[g->set_regs + operand - g->num_consts];
    const int64_t x = g->const_num[operand];
    return x < 0 ? 0 : x >= g->places ? (uint8_t)g->words : (uint8_t)(x / 64 + 1);
}

static uint8_t field_width(const game *g, const field *f)
{
    if (f->kind == FIELD_HEIGHT) return words_of(g->cells);
    if (f->kind == FIELD_KEEP && !f->of_pieces) return words_of(g->cells + g->zone_count);
    if (f->kind != FIELD_CONST || !f->upto[0]) return (uint8_t)g->words;
    uint8_t n = 0;
    for (int p = 0; p < g->player_count; p++)
        for (int k = 0; k < g->words; k++) if (f->upto[p][(f->most - f->least + 1) * g->words + k]) n = greater(n, (uint8_t)(k + 1));
    return n;
}

static uint8_t image_width(const game *g, const relation *r)
{
    if (r->reg >= 0) return (uint8_t)g->words;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r->mask[p]; m; m &= m - 1) if (g->dirs[__builtin_ctzll(m)].off_board) return (uint8_t)g->words;
    return words_of(g->cells);
}

static uint8_t made_width(const widths *w, const uint8_t *now, const ins *i)
{
    const game *g = w->g;
    const uint8_t all = (uint8_t)g->words;
    switch ((opcode)i->op) {
    case OP_S_AND: { const uint8_t b = set_width(w, now, i->b), c = set_width(w, now, i->c); return b < c ? b : c; }
    case OP_S_OR: case OP_S_CHOOSE: case OP_S_REACH: return greater(set_width(w, now, i->b), set_width(w, now, i->c));
    case OP_S_ANDN: case OP_S_BUT: case OP_S_COPY: case OP_S_LINE: case OP_S_BETWEEN: case OP_S_ATTACKED: return set_width(w, now, i->b);
    case OP_S_PLACE: return number_width(w, now, i->b);
    case OP_S_LESS: return set_width(w, now, i->a);
    case OP_S_OWNED: case OP_S_ENEMIES: case OP_S_CHANGED: case OP_S_EDGE: return words_of(g->cells);
    case OP_S_IMAGE: return greater(set_width(w, now, i->b), image_width(g, &g->relations[i->d]));
    case OP_S_NEAR: return image_width(g, &g->relations[i->d]);
    case OP_S_FIELD: case OP_S_FIELD_NOT: return field_width(g, &g->fields[i->d]);
    default: return all;
    }
}

static uint8_t named_width(const widths *w, const uint8_t *now, const ins *i)
{
    switch ((opcode)i->op) {
    case OP_PICK: case OP_RANDOM: case OP_FIRST: case OP_S_POP: return set_width(w, now, i->b);
    case OP_MOVE: return number_width(w, now, i->b);
    case OP_CHOOSE: return greater(number_width(w, now, i->b), number_width(w, now, i->c));
    default: return (uint8_t)w->g->words;
    }
}

static bool makes_set(const ins *i) { return i->op >= OP_S_AND && i->op <= OP_S_EDGE; }

static void join(widths *w, uint32_t pc, const uint8_t *now)
{
    uint8_t *before = w->before + (size_t)pc * (size_t)w->registers;
    if (!w->reached[pc]) w->reached[pc] = w->changed = true;
    for (int r = 0; r < w->registers; r++) if (now[r] > before[r]) { before[r] = now[r]; w->changed = true; }
}

static void follow(widths *w, uint32_t pc, uint8_t *now)
{
    const game *g = w->g;
    const ins *i = &g->code[pc];
    uint32_t next[64];
    memcpy(now, w->before + (size_t)pc * (size_t)w->registers, (size_t)w->registers);
    if (w->written[pc] >= 0) now[g->set_regs + w->written[pc]] = named_width(w, now, i);
    if (makes_set(i) && is_register(g, i->a)) now[i->a - g->reg_first] = made_width(w, now, i);
    const int n = flow_successors(g, pc, next, 64);
    for (int j = 0; j < n; j++) join(w, next[j], now);
}

static int number_written(const game *g, const ins *i)
{
    flow reads, writes;
    flow_of(g, i, &reads, &writes);
    for (int k = 0; k < FLOW_REGISTERS / 64; k++) if (writes.numbers[k]) return k * 64 + __builtin_ctzll(writes.numbers[k]);
    return -1;
}

/* Code that is run from outside, where registers may be anything. */
static void enter(widths *w, uint8_t *now)
{
    const game *g = w->g;
    memset(now, g->words, (size_t)w->registers);
    const uint32_t single[] = { g->setup_pc, g->turn_pc, g->finish_pc, g->score_pc, g->attack_begin, g->attack_probe };
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) join(w, single[i], now);
    for (int i = 0; i < g->entry_count; i++) join(w, g->entries[i].pc, now);
    for (int i = 0; i < g->check_count; i++) join(w, g->checks[i].pc, now);
    for (int i = 0; i < g->plan_count; i++) join(w, g->plans[i].guard_pc, now);
    for (int i = 0; i < g->plan_item_count; i++) join(w, g->plan_items[i].pc, now);
    for (int i = 0; i < g->attack_count; i++) { join(w, g->attacks[i].guard_pc, now); join(w, g->attacks[i].from_pc, now); join(w, g->attacks[i].target_pc, now); }
}

static void find(widths *w)
{
    const game *g = w->g;
    uint8_t *now = malloc((size_t)w->registers + 1);
    if (!now) abort();
    for (int x = 0; x < g->reg_first; x++) w->fixed[x] = is_of_cells(g, x) ? words_of(g->cells) : (uint8_t)g->words;
    for (int x = 0; x < g->set_consts; x++) w->fixed[g->const_first + x] = constant_width(g, x);
    for (uint32_t pc = 0; pc < g->code_count; pc++) w->written[pc] = (int16_t)number_written(g, &g->code[pc]);
    enter(w, now);
    for (w->changed = true; w->changed;) {
        w->changed = false;
        for (uint32_t pc = 0; pc < g->code_count; pc++) if (w->reached[pc]) follow(w, pc, now);
    }
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        const uint8_t *before = w->before + (size_t)pc * (size_t)w->registers;
        const int sets = g->const_first + g->set_consts;
        if (!w->reached[pc]) continue;
        g->ins_words[pc].a = makes_set(i) ? made_width(w, before, i) : (uint8_t)g->words;
        if (i->b < sets) g->ins_words[pc].b = set_width(w, before, i->b);
        if (i->c < sets) g->ins_words[pc].c = set_width(w, before, i->c);
    }
    free(now);
}

void widths_find(arena *a, game *g)
{
    widths w = { .g = g, .registers = g->set_regs + g->num_regs };
    g->ins_words = arena_alloc(a, (g->code_count + 1) * sizeof *g->ins_words);
    memset(g->ins_words, g->words, (g->code_count + 1) * sizeof *g->ins_words);
    if (g->words == 1 || g->code_count > FLOW_CODE_MAX || (size_t)w.registers * g->code_count > WORK_MAX) return;
    w.fixed = calloc((size_t)(g->const_first + g->set_consts) + 1, 1);
    w.before = calloc((size_t)w.registers * (g->code_count + 1) + 1, 1);
    w.written = calloc(g->code_count + 1, sizeof *w.written);
    w.reached = calloc(g->code_count + 1, sizeof *w.reached);
    if (!w.fixed || !w.before || !w.written || !w.reached) abort();
    find(&w);
    free(w.fixed);
    free(w.before);
    free(w.written);
    free(w.reached);
}
