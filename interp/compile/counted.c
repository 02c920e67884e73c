/* Which choices need not be tried to be counted (machine/counted.h).
 *
 * A choice is counted if every option of it surely comes to an end of the decision, and no two options can mean the same move:
 *
 *     LAST    nothing more is chosen behind it, and nothing can fail
 *     NEST    only registers change up to choices that are counted; each option is looked at, for how many those have
 *     FACTOR  the same, and the one choice behind it does not depend on what is chosen here: numbers of options are multiplied
 *
 * Two options are told apart where the decision ends: by the register that holds what was chosen, if code behind the end still reads it
 * (then it is part of the key of what is reached), by `here`; or by a witness, a kept number that gains, loses or becomes what was
 * chosen, as long as it stays within its range: that is looked at when the machine counts.
 *
 * An alternative without a choice that surely comes to an end is one option (game.sure_ends). The ends that can be reached are a set of
 * bits (game.end_bits): what was counted on two ways of one decision must not come to the same end, for there it might be one move. */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "compile.h"
#include "plan.h"

enum { STEPS_MAX = 3000, WAYS_MAX = 6, NOTES_MAX = 8, RESULT_BIT = 63 };

/* What is known on one way through the code. */
typedef struct {
    bool lost, here_lost;               /* the register, or `here`, holds something else now */
    bool proved, spoiled;               /* there is a witness; it can be one no more */
    bool once;                          /* a choice was passed */
    counted_witness witness;
    int16_t set[NOTES_MAX], place[NOTES_MAX]; int sets;     /* set registers that are one place, and which number operand it is */
    int16_t number[NOTES_MAX]; int numbers;                 /* numbers of the position that have changed */
} way;

typedef struct {
    const game *g;
    const flow *live;
    counted_choice *choice;             /* what is found goes here */
    int pick;                           /* the number register chosen */
    bool here;                          /* ... and `here` is it too */
    bool number;                        /* it is a number: there may be a witness */
    bool nested;                        /* choices that are counted may follow */
    bool alone;                         /* there is one option: it need not be told from another */
    bool failed;
    int steps;
    flow written;                       /* on any way so far */
    way *seen; uint8_t *seen_count;     /* by instruction: the ways that came there */
} looker;

static bool is_chance(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

static bool is_choice(int op) { return op == OP_ALT || op == OP_ELSE || (op >= OP_PICK && op <= OP_PASS) || op == OP_LOOP || op == OP_LOOP_SEEN || op == OP_FLOOD || op == OP_FLOOD_SEEN || op == OP_STUCK || op == OP_PREFER_FROM || op == OP_PREFER; }

static bool is_pick(int op) { return op == OP_PICK || op == OP_PICK_NUMBER; }

static bool ends_decision(int op) { return op == OP_COMMIT || op == OP_LEGAL || is_chance(op); }

static void number_ends(arena *a, game *g)
{
    int n = 0;
    g->end_bits = arena_alloc(a, g->code_count + 1);
    for (uint32_t pc = 0; pc < g->code_count; pc++) g->end_bits[pc] = (uint8_t)(ends_decision(g->code[pc].op) ? n++ % RESULT_BIT : RESULT_BIT);
}

static bool has_number(const game *g, const flow *f, int operand)
{
    const int r = operand - g->num_consts;
    return r >= 0 && r < g->num_regs && (f->numbers[r / 64] >> (r % 64) & 1);
}

/* ---- what a way notes -------------------------------------------------------------------------------------------------------------------- */
static void forget_set(way *w, int set)
{
    for (int i = w->sets; i-- > 0;) if (w->set[i] == set) { w->sets--; w->set[i] = w->set[w->sets]; w->place[i] = w->place[w->sets]; }
}

static void forget_place(way *w, int place)
{
    for (int i = w->sets; i-- > 0;) if (w->place[i] == place) { w->sets--; w->set[i] = w->set[w->sets]; w->place[i] = w->place[w->sets]; }
}

static int place_of(const way *w, int set)
{
    for (int i = 0; i < w->sets; i++) if (w->set[i] == set) return w->place[i];
    return -1;
}

static void spoil(way *w) { w->proved = false; w->spoiled = true; }

/* A kept number of cells changes. Whatever else changes the same keep must be at another place. */
static void note_keep(const looker *l, way *w, const ins *i)
{
    const keep *k = &l->g->keeps[i->d];
    if (k->of != KEEP_CELL || k->aside || k->turn || w->spoiled) return;
    const int place = place_of(w, i->a);
    const bool ours = l->number && i->op == OP_SET && i->b == l->pick && !w->lost && k->type == KEEP_NUMBER && place >= 0;
    counted_witness *x = &w->witness;
    if (x->keep >= 0 && x->keep != i->d) return;
    if (x->keep == i->d) {
        if (place < 0 || x->apart_count == COUNTED_APART) spoil(w);
        else x->apart[x->apart_count++] = (uint16_t)place;
        return;
    }
    if (w->proved) return;
    if (!ours) {
        /* what comes before must stay apart too; without a place that cannot be said */
        if (place < 0 || x->before_count == COUNTED_APART) { w->spoiled = true; return; }
        x->before_keep[x->before_count] = (int16_t)i->d;
        x->before[x->before_count++] = (uint16_t)place;
        return;
    }
    *x = (counted_witness){ .keep = i->d, .how = (char)i->e, .place = (uint16_t)place, .low = k->low, .high = k->high, .number = -1, .before_count = x->before_count };
    for (int j = 0; j < w->witness.before_count; j++) {
        if (w->witness.before_keep[j] == i->d) x->apart[x->apart_count++] = w->witness.before[j];
    }
    w->proved = true;
}

static bool is_kept(const game *g, int number)
{
    for (int i = 0; i < g->keep_count; i++) if (g->keeps[i].of == KEEP_GAME && g->keeps[i].where == number && !g->keeps[i].aside && !g->keeps[i].turn) return true;
    return false;
}

/* n := n + x, n - x or x, where x was chosen; the range follows at once. */
static bool takes_number(const looker *l, const way *w, const ins *i, counted_witness *x)
{
    const int n = i->a;
    if (!l->number || w->lost || !is_kept(l->g, n)) return false;
    for (int j = 0; j < w->numbers; j++) if (w->number[j] == n) return false;
    const bool adds = i->op == OP_ADD && ((i->b == n && i->c == l->pick) || (i->c == n && i->b == l->pick));
    const bool subtracts = i->op == OP_SUB && i->b == n && i->c == l->pick, becomes = i->op == OP_MOVE && i->b == l->pick;
    if ((!adds && !subtracts && !becomes) || i[1].op != OP_CLAMP || i[1].a != n) return false;
    *x = (counted_witness){ .keep = -1, .number = n, .how = (char)(adds ? 1 : subtracts ? 2 : 0), .low = i[1].d, .high = i[1].e };
    return true;
}

static void note_number(const looker *l, way *w, const ins *i, const ins *before)
{
    counted_witness x;
    if (w->proved && w->witness.number == i->a && !(i->op == OP_CLAMP && before->a == i->a)) { spoil(w); return; }
    if (!w->proved && !w->spoiled && takes_number(l, w, i, &x)) { w->witness = x; w->proved = true; return; }
    if (w->numbers == NOTES_MAX) { w->spoiled = !w->proved; return; }
    w->number[w->numbers++] = (int16_t)i->a;
}

/* Is this number what it was when the choice was made? */
static bool stands(const looker *l, const way *w, int number)
{
    if (number == l->g->num_base + H_HERE) return !w->here_lost && !l->here;
    return number < l->g->num_base && number != l->pick && !has_number(l->g, &l->written, number);
}

/* What an instruction without a choice does to what is known. */
static void note_instruction(looker *l, way *w, uint32_t pc)
{
    const game *g = l->g;
    const ins *i = &g->code[pc];
    if (l->alone) return;
    flow reads, writes;
    flow_of(g, i, &reads, &writes);
    flow_join(&l->written, &writes);
    if (has_number(g, &writes, l->pick)) w->lost = true;
    if (i->op == OP_HERE) w->here_lost = true;
    if (i->op == OP_STORE && w->proved && w->witness.number >= i->a && w->witness.number < i->a + PLAYERS_MAX) spoil(w);
    if (i->op == OP_SET || i->op == OP_SET_FIELD) { note_keep(l, w, i); return; }
    if (i->op <= OP_RELATION && i->op != OP_STORE) {
        forget_place(w, i->a);
        if (i->a >= g->num_base) note_number(l, w, i, i - 1);
    }
    if (i->op == OP_S_POP) { forget_place(w, i->a); forget_set(w, i->b); }
    else if (i->op >= OP_S_AND && i->op <= OP_S_EDGE) forget_set(w, i->a);
    if (i->op == OP_S_PLACE && w->sets < NOTES_MAX && stands(l, w, i->b)) { w->set[w->sets] = (int16_t)i->a; w->place[w->sets++] = (int16_t)i->b; }
}

/* ---- looking ------------------------------------------------------------------------------------------------------------------------------- */
static void add_witness(looker *l, const counted_witness *x)
{
    counted_choice *c = l->choice;
    for (int i = 0; i < c->witness_count; i++) if (memcmp(&c->witnesses[i], x, sizeof *x) == 0) return;
    if (c->witness_count == COUNTED_WITNESSES) l->failed = true;
    else c->witnesses[c->witness_count++] = *x;
}

/* The decision ends here: what was chosen must show. */
static void note_end(looker *l, const way *w, uint32_t pc)
{
    const int op = l->g->code[pc].op;
    const bool stays = op == OP_COMMIT || is_chance(op);
    l->choice->ends |= 1ull << l->g->end_bits[pc];
    if (l->alone || (stays && ((l->here && !w->here_lost && l->g->live[pc].walk & WALK_HERE) || (!w->lost && has_number(l->g, &l->live[pc], l->pick))))) return;
    if (w->proved && !l->nested) add_witness(l, &w->witness);
    else l->failed = true;
}

/* False if a way like this one has come here before. */
static bool new_here(looker *l, uint32_t pc, const way *w)
{
    way *all = l->seen + (size_t)pc * WAYS_MAX;
    for (int i = 0; i < l->seen_count[pc]; i++) if (memcmp(&all[i], w, sizeof *w) == 0) return false;
    if (l->seen_count[pc] == WAYS_MAX) { l->failed = true; return false; }
    all[l->seen_count[pc]++] = *w;
    return true;
}

static bool joins(int op) { return op == OP_JUMP || op == OP_JUMP_NO || op == OP_JUMP_YES || op == OP_S_POP || op == OP_BODY_END || op == OP_CAN; }

/* Follows the code from pc to the ends of the decision. */
static void look(looker *l, uint32_t pc, way w)
{
    for (; !l->failed; pc++) {
        const ins *i = &l->g->code[pc];
        if (++l->steps > STEPS_MAX || pc >= l->g->code_count) { l->failed = true; return; }
        if (joins(i->op) && !new_here(l, pc, &w)) return;
        if (ends_decision(i->op)) { note_end(l, &w, pc); return; }
        if (i->op == OP_FAIL) { l->failed |= !l->nested || w.once; return; }
        if (is_choice(i->op)) {
            if (!l->nested || !is_pick(i->op) || !l->g->counted_at[pc]) { l->failed = true; return; }
            w.once = true;
            if (i->a == l->pick) w.lost = true;
            if (i->op == OP_PICK && i->d & 1) w.here_lost = true;
            forget_place(&w, i->a);
            continue;
        }
        if (i->op == OP_FAULT || i->op == OP_RETURN || i->op == OP_CAN_DONE || i->op == OP_TURN_DONE || i->op == OP_SETUP_DONE) { l->failed = true; return; }
        if (i->op == OP_RESULT) {
            l->choice->ends |= 1ull << RESULT_BIT;
            if (!l->alone && (!w.proved || l->nested)) { l->failed = true; return; }
            if (!l->alone) add_witness(l, &w.witness);
            continue;
        }
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_BODY_END) continue;
        note_instruction(l, &w, pc);
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES || i->op == OP_S_POP) look(l, (uint32_t)i->d, w);
    }
}

static bool look_from(looker *l, uint32_t pc)
{
    const size_t size = (size_t)l->g->code_count + 1;
    l->seen = calloc(size * WAYS_MAX, sizeof *l->seen);
    l->seen_count = calloc(size, 1);
    if (!l->seen || !l->seen_count) abort();
    way w;
    memset(&w, 0, sizeof w);
    w.witness.keep = w.witness.number = -1;
    look(l, pc, w);
    free(l->seen);
    free(l->seen_count);
    return !l->failed;
}

/* ---- nests --------------------------------------------------------------------------------------------------------------------------------- */
static bool only_registers(const game *g, const ins *i)
{
    if (i->op == OP_RULE) return true;
    return i->op <= OP_BAG_HOLDS && i->op != OP_MOVER && i->op != OP_CLAMP && i->op != OP_STORE && i->op != OP_S_POP && i->op != OP_S_LESS && (i->op < OP_BAG_CLEAR || i->op > OP_BAG_PAIRS)
        && !(i->op <= OP_RELATION && i->a >= g->num_base);
}

/* From pc up to choices that are counted only registers change; what is written on the way is put into `written`. */
static bool leads_to_counted(const game *g, uint32_t from, flow *written, const flow *behind)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    uint32_t *left = malloc((g->code_count + 2) * sizeof *left);
    if (!seen || !left) abort();
    bool leads = true;
    int n = 0;
    for (left[n++] = from; n && leads;) {
        const uint32_t pc = left[--n];
        const ins *i = &g->code[pc];
        flow reads, writes;
        uint32_t next[2];
        if (seen[pc] == 1 || i->op == OP_FAIL) continue;
        seen[pc] = 1;
        if (is_pick(i->op)) {
            leads = g->counted_at[pc] != 0;
            flow_join(written, &behind[pc]);
            continue;
        }
        const bool jumps = i->op == OP_JUMP || i->op == OP_JUMP_NO || i->op == OP_JUMP_YES;
        if (!jumps && !only_registers(g, i)) { leads = false; break; }
        flow_of(g, i, &reads, &writes);
        flow_join(written, &writes);
        const int more = flow_successors(g, pc, next, 2);
        for (int j = 0; j < more; j++) if (!seen[next[j]]) { seen[next[j]] = 2; left[n++] = next[j]; }
    }
    free(seen);
    free(left);
    return leads;
}

static void mark(const game *g, flow *f, int operand)
{
    const int r = operand - g->num_consts;
    if (r >= 0 && r < g->num_regs) f->numbers[r / 64] |= 1ull << (r % 64);
}

static void unmark(const game *g, flow *f, int operand)
{
    const int r = operand - g->num_consts;
    if (r >= 0 && r < g->num_regs) f->numbers[r / 64] &= ~(1ull << (r % 64));
}

/* Does an instruction read what depends on the choice? */
static bool reads_chosen(const game *g, const ins *i, const flow *reads, const flow *chosen, bool here)
{
    const int base = g->num_base;
    if (flow_meets(reads, chosen)) return true;
    return here && (i->b == base + H_HERE || i->c == base + H_HERE || i->b == base + H_START || i->c == base + H_START || i->b == SET_PASSED || i->c == SET_PASSED);
}

/* Straight from pc to one choice, whose options do not depend on what was chosen. */
static bool is_factor(const game *g, uint32_t pc, int pick, bool here)
{
    flow chosen = { { 0 }, { 0 } }, reads, writes;
    mark(g, &chosen, pick);
    for (;; pc++) {
        const ins *i = &g->code[pc];
        flow_of(g, i, &reads, &writes);
        if (is_pick(i->op)) {
            const counted_choice *next = &g->counted[g->counted_at[pc]];
            return g->counted_at[pc] && next->how == COUNTED_LAST && !next->witness_count && !reads_chosen(g, i, &reads, &chosen, here);
        }
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (!only_registers(g, i)) return false;
        if (reads_chosen(g, i, &reads, &chosen, here)) flow_join(&chosen, &writes);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------------------------- */
static int counted_add(game *g, const counted_choice *c)
{
    g->counted = realloc(g->counted, (size_t)(g->counted_count + 1) * sizeof *g->counted);
    if (!g->counted) abort();
    g->counted[g->counted_count] = *c;
    return g->counted_count++;
}

static void count_pick(game *g, const flow *live, uint32_t pc, flow *behind)
{
    const ins *i = &g->code[pc];
    const bool here = i->op == OP_PICK && (i->d & 1);
    if (here && g->uses_passed) return;
    counted_choice c = { .how = COUNTED_LAST };
    looker l = { .g = g, .live = live, .choice = &c, .pick = i->a, .here = here, .number = i->op == OP_PICK_NUMBER };
    if (look_from(&l, pc + 1)) { g->counted_at[pc] = (uint16_t)counted_add(g, &c); mark(g, &behind[pc], i->a); return; }
    if (i->op != OP_PICK) return;
    flow written = { { 0 }, { 0 } };
    if (!leads_to_counted(g, pc + 1, &written, behind)) return;
    flow wanted = live[pc + 1];
    unmark(g, &wanted, i->a);
    if (flow_meets(&written, &wanted) || (!here && has_number(g, &written, i->a))) return;
    c = (counted_choice){ .how = COUNTED_NEST };
    l = (looker){ .g = g, .live = live, .choice = &c, .pick = i->a, .here = here, .nested = true };
    if (!look_from(&l, pc + 1)) return;
    if (is_factor(g, pc + 1, i->a, here)) c.how = COUNTED_FACTOR;
    behind[pc] = written;
    mark(g, &behind[pc], i->a);
    g->counted_at[pc] = (uint16_t)counted_add(g, &c);
}

/* The ends that some way from pc can come to. */
static uint64_t ends_from(const game *g, uint32_t from)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    uint32_t *left = malloc((g->code_count + 2) * sizeof *left);
    if (!seen || !left) abort();
    uint64_t ends = 0;
    int n = 0;
    left[n++] = from;
    seen[from] = 1;
    while (n) {
        const uint32_t pc = left[--n];
        uint32_t next[64];
        if (ends_decision(g->code[pc].op)) { ends |= 1ull << g->end_bits[pc]; continue; }
        if (g->code[pc].op == OP_RESULT) ends |= 1ull << RESULT_BIT;
        const int more = flow_successors(g, pc, next, 64);
        if (more == 64) ends = ~0ull;
        for (int j = 0; j < more; j++) if (!seen[next[j]]) { seen[next[j]] = 1; left[n++] = next[j]; }
    }
    free(seen);
    free(left);
    return ends;
}

static bool pure_way(const game *g, uint32_t pc)
{
    uint8_t *seen = calloc(g->code_count + 1, 1);
    if (!seen) abort();
    const bool pure = entry_pure(g, pc, seen);
    free(seen);
    return pure;
}

static void count_alternatives(game *g, const flow *live, uint32_t pc)
{
    ins *i = &g->code[pc];
    bool all = true;
    for (int j = 0; j < i->e; j++) {
        counted_choice c = { 0 };
        looker l = { .g = g, .live = live, .choice = &c, .pick = -1, .alone = true };
        if (look_from(&l, (uint32_t)g->lists[i->d + j])) g->sure_ends[i->d + j] = c.ends;
        all &= g->sure_ends[i->d + j] || i->c || pure_way(g, (uint32_t)g->lists[i->d + j]);
    }
    i->c = all;
}

void counted_build(arena *a, game *g, const flow *live)
{
    number_ends(a, g);
    g->counted_at = arena_alloc(a, (g->code_count + 1) * sizeof *g->counted_at);
    g->sure_ends = arena_alloc(a, (size_t)(g->list_count + 1) * sizeof *g->sure_ends);
    counted_add(g, &(counted_choice){ 0 });
    if (g->code_count > FLOW_CODE_MAX) return;
    flow *behind = calloc(g->code_count + 1, sizeof *behind);
    if (!behind) abort();
    for (uint32_t pc = g->code_count; pc-- > g->turn_pc;) {
        const ins *i = &g->code[pc];
        if (i->op == OP_ALT) count_alternatives(g, live, pc);
        else if ((i->op == OP_PICK && i->e) || (i->op == OP_DROP && i->c) || i->op == OP_PASS) g->counted_at[pc] = (uint16_t)counted_add(g, &(counted_choice){ .how = COUNTED_PLANNED, .ends = ends_from(g, pc) });
        else if (is_pick(i->op)) count_pick(g, live, pc, behind);
    }
    free(behind);
}
