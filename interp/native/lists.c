/* Decisions that are always listed as C: functions of their own for what is run in mode LIST.
 *
 * Which decision is always listed can be seen: one that begins with preferences, for what they leave is known at the end alone. Where such a decision
 * is listed to draw from it (v->lean), nobody watches and nothing is given beforehand, and so each choice of it, and the code behind each, is a
 * function `list_PC`, which knows its instruction: its options go on at others that are known. Where only a leg or a preference is looked for (mode
 * WALK), `walk_PC` is the straight code that leads there. Choices that have no body of their own here are run as ever. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "native.h"

enum { LISTS_MOST = 120 };      /* of more functions the compiler would take too long */

/* `turns_back`: some of it goes back to where it was, and nobody would count how deep. */
typedef struct { const game *g; bool *lists, *walks; int count; bool turns_back; } found;

static bool is_chance(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

/* Choices with a body of their own (machine/choose.h). */
static const char *body_of(int op)
{
    switch (op) {
    case OP_PICK: return "pick_place";
    case OP_PICK_BIT: return "pick_bit";
    case OP_PICK_NUMBER: return "pick_number";
    case OP_PICK_KIND: return "pick_kind";
    case OP_PICK_BAG: return "pick_bag";
    case OP_STEP: return "step_options";
    case OP_PREFER_FROM: return "prefer_block";
    default: return NULL;
    }
}

/* What a function here does not go on behind, but by calling another. */
static bool is_choice(int op) { return (op >= OP_ALT && op <= OP_AGAIN) || op == OP_LOOP || op == OP_FLOOD || op == OP_PREFER_FROM || op == OP_CAN || op == OP_STUCK; }

/* The straight code from pc on, up to choices; if it only looks for a leg or a preference, up to these. */
static void reach(const game *g, uint32_t pc, bool walk, bool *reached)
{
    for (; pc < g->code_count && !reached[pc]; pc++) {
        const ins *i = &g->code[pc];
        reached[pc] = true;
        if (is_choice(i->op) || (walk && i->op == OP_PREFER) || i->op == OP_FAIL || i->op == OP_RETURN || i->op == OP_TURN_DONE) return;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (native_jumps(i->op)) reach(g, (uint32_t)i->d, walk, reached);
        else if (i->op == OP_RESULT) reach(g, (uint32_t)i->e, walk, reached);
    }
}

static void find_lists(found *f, uint32_t pc);

static void find_walk(found *f, uint32_t pc) { f->walks[native_landing(f->g, pc)] = true; }

/* Where the options of a choice go on. */
static void find_behind(found *f, uint32_t pc)
{
    const game *g = f->g;
    const ins *i = &g->code[pc];
    if (i->op == OP_ALT)
        for (int j = 0; j < i->e; j++) {
            find_lists(f, (uint32_t)g->lists[i->d + j]);
            if (j < 16 && i->b >> j & 1) find_walk(f, (uint32_t)g->lists[i->d + j]);
        }
    if (body_of(i->op)) find_lists(f, pc + 1);
    if (i->op == OP_PICK && i->c) find_walk(f, pc + 1);
}

static void find_lists(found *f, uint32_t from)
{
    const game *g = f->g;
    const uint32_t pc = native_landing(g, from);
    if (f->lists[pc]) return;
    f->lists[pc] = true;
    f->count++;
    bool *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    reach(g, pc, false, reached);
    for (uint32_t at = 0; at < g->code_count; at++) {
        if (reached[at] && native_jumps(g->code[at].op) && (uint32_t)g->code[at].d <= at) f->turns_back = true;
        if (!reached[at] || !is_choice(g->code[at].op)) continue;
        if (at == pc) find_behind(f, pc);
        else if (g->code[at].op == OP_ALT || body_of(g->code[at].op)) find_lists(f, at);
    }
    free(reached);
}

static found find_all(const game *g)
{
    found f = { g, calloc(g->code_count + 2, sizeof *f.lists), calloc(g->code_count + 2, sizeof *f.walks), 0, false };
    if (!f.lists || !f.walks) abort();
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const bool begins = pc == g->turn_pc || g->code[pc - 1].op == OP_COMMIT || is_chance(g->code[pc - 1].op);
        if (begins && g->code[native_landing(g, pc)].op == OP_PREFER_FROM) find_lists(&f, pc);
    }
    if (f.count > LISTS_MOST || f.turns_back) { memset(f.lists, 0, g->code_count); memset(f.walks, 0, g->code_count); }
    return f;
}

static void found_free(found *f) { free(f->lists); free(f->walks); }

static void write_known(FILE *f, const game *g, const bool *known, const char *name)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (known[pc]) fprintf(f, "static void %s_%u(vm *v);\n", name, pc);
    fprintf(f, "INLINE void %s_known(vm *v, uint32_t pc)\n{\n    switch (pc) {\n", name);
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (known[native_landing(g, pc)]) fprintf(f, "    case %u: %s_%u(v); return;\n", pc, name, native_landing(g, pc));
    fprintf(f, "    default: run(v, pc);\n    }\n}\n");
}

void native_lists_known(FILE *f, const game *g)
{
    found x = find_all(g);
    write_known(f, g, x.lists, "list");
    write_known(f, g, x.walks, "walk");
    fprintf(f, "#define LIST(v, pc) list_known(v, pc)\n#define LIST_FROM(v, pc) list_known(v, pc)\n#define WALK(v, pc) walk_known(v, pc)\n");
    found_free(&x);
}

static void write_choice(FILE *f, const game *g, uint32_t pc)
{
    const ins *i = &g->code[pc];
    if (i->op != OP_ALT) { fprintf(f, "at_%u: %s_here(v, &CODE[%u], %u, true); goto out;\n", pc, body_of(i->op), pc, pc); return; }
    fprintf(f, "at_%u: { alternating a; if (!alternatives_begin(v, &CODE[%u], &a, true)) goto out;\n", pc, pc);
    for (int j = 0; j < i->e; j++) fprintf(f, "    if (alternative_next(v, &a, %d)) LIST(v, %" PRId32 ");\n", j, g->lists[i->d + j]);
    fprintf(f, "    trial_end(v, &a.t); goto out; }\n");
}

static void write_list(FILE *f, const found *x, uint32_t from, bool *reached)
{
    const game *g = x->g;
    memset(reached, 0, g->code_count);
    reach(g, from, false, reached);
    fprintf(f, "static void list_%u(vm *v)\n{\n    __attribute__((unused)) const ins *i;\n    __attribute__((unused)) uint32_t to;\n    %s\n    goto at_%u;\n", from, is_choice(g->code[from].op) ? "run_spends(v);" : "", from);
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!reached[pc]) continue;
        const int op = g->code[pc].op;
        if (!is_choice(op)) native_instruction(f, g, pc);
        else if (pc == from && (op == OP_ALT || body_of(op))) write_choice(f, g, pc);
        else fprintf(f, x->lists[pc] ? "at_%u: list_%u(v); goto out;\n" : "at_%u: run(v, %u); goto out;\n", pc, pc);
    }
    fprintf(f, "out:\n    if (v->fault && !v->fault_pc) v->fault_pc = %u;\n}\n", from);
}

static void write_walk(FILE *f, const game *g, uint32_t from, bool *reached)
{
    memset(reached, 0, g->code_count);
    reach(g, from, true, reached);
    fprintf(f, "static void walk_%u(vm *v)\n{\n    __attribute__((unused)) const ins *i;\n    __attribute__((unused)) uint32_t to;\n    goto at_%u;\n", from, from);
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!reached[pc]) continue;
        const int op = g->code[pc].op;
        if (op == OP_PREFER) fprintf(f, "at_%u: v->tried = prefer_hopeful(v, &CODE[%u], false); goto out;\n", pc, pc);
        else if (op == OP_STEP) fprintf(f, "at_%u: v->tried = 1; goto out;\n", pc);
        else if (op == OP_PICK) fprintf(f, "at_%u: v->tried = words_any(S(CODE[%u].b), W(&CODE[%u], b)); goto out;\n", pc, pc, pc);
        else if (is_choice(op)) fprintf(f, "at_%u: run(v, %u); goto out;\n", pc, pc);
        else native_instruction(f, g, pc);
    }
    fprintf(f, "out: ;\n}\n");
}

void native_lists(FILE *f, const game *g)
{
    found x = find_all(g);
    bool *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (x.walks[pc]) write_walk(f, g, pc, reached);
        if (x.lists[pc]) write_list(f, &x, pc, reached);
    }
    free(reached);
    found_free(&x);
}
