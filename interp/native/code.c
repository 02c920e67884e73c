/* The code of a game as C: what the machine does with tables that are known.
 *
 * code.inc is the body of `run` from its first jump on: a label for each instruction, and a jump table of those at which a run may begin; runs.inc
 * has functions for runs that begin at a known instruction, which RUN finds, and for what is run where first choices are collected, which COLLECT
 * finds. What is written out for each item of a plan stands in plans.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "interp/machine/machine.h"
#include "native.h"

static const char *const op_names[] = {
#define OP(name, notation) #name,
#include "interp/op.def"
#undef OP
};

const char *native_op_name(int op) { return op_names[op]; }

uint32_t native_landing(const game *g, uint32_t pc)
{
    for (int i = 0; i < 8 && g->code[pc].op == OP_JUMP && (uint32_t)g->code[pc].d > pc; i++) pc = (uint32_t)g->code[pc].d;
    return pc;
}

/* ---- `run` ---------------------------------------------------------------------------------------------------------------------------- */
bool native_jumps(int op)
{
    switch (op) {
    case OP_JUMP: case OP_JUMP_NO: case OP_JUMP_YES: case OP_S_POP: case OP_ELSE: case OP_LOOP_SEEN: case OP_FLOOD_SEEN: case OP_BODY_END: return true;
    default: return false;
    }
}

/* Choices behind which nothing is collected any more. */
static bool ends_collecting(int op) { return (op >= OP_ALT && op <= OP_AGAIN) || op == OP_LOOP || op == OP_FLOOD || op == OP_PREFER_FROM || op == OP_RESULT; }

/* Instructions at which a run may begin; the interpreter goes on for all others, so that a missing one costs only time. */
static void mark_entries(const game *g, bool *begins)
{
    const uint32_t fixed[] = { g->turn_pc, g->score_pc, g->finish_pc, g->attack_begin, g->attack_probe };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) begins[fixed[i]] = true;
    for (int i = 0; i < g->plan_item_count; i++) begins[g->plan_items[i].pc] = begins[g->plan_items[i].entry] = true;
    for (int i = 0; i < g->plan_count; i++) begins[g->plans[i].guard_pc] = true;
    for (int i = 0; i < g->attack_count; i++) begins[g->attacks[i].guard_pc] = begins[g->attacks[i].from_pc] = begins[g->attacks[i].target_pc] = true;
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        const bool chooses = i->op >= OP_ALT && i->op <= OP_AGAIN, chance = i->op >= OP_ROLL && i->op <= OP_RANDOM_KIND;
        if (chooses || chance || (i->op == OP_RESULT && !i->c)) begins[pc] = true;
        if (chooses || chance || i->op == OP_FLOOD || i->op == OP_PREFER_FROM || i->op == OP_COMMIT || i->op == OP_SHOWN || i->op == OP_UNTIL || i->op == OP_LEGAL) begins[pc + 1] = true;
        if (i->op == OP_ALT) for (int j = 0; j < i->e; j++) begins[g->lists[i->d + j]] = true;
        if (i->op == OP_ELSE || i->op == OP_STUCK || i->op == OP_CAN) begins[i->d] = true;
        if (i->op == OP_RESULT) begins[i->e] = true;
    }
    begins[0] = false;
}

/* What can be reached from where a run may begin; where first choices are collected, no further than to those. */
static void reach(const game *g, bool *reached, uint32_t from, bool collecting)
{
    uint32_t *open = malloc((2 * (size_t)g->code_count + (size_t)g->list_count + 2) * sizeof *open);
    size_t n = 0;
    if (!open) abort();
    open[n++] = from;
    while (n) {
        const uint32_t pc = open[--n];
        const ins *i = &g->code[pc];
        if (pc >= g->code_count || reached[pc]) continue;
        reached[pc] = true;
        if (collecting && ends_collecting(i->op)) continue;
        if (i->op != OP_JUMP && i->op != OP_RETURN && i->op != OP_TURN_DONE) open[n++] = pc + 1;
        if (i->op == OP_ALT) for (int j = 0; j < i->e; j++) open[n++] = (uint32_t)g->lists[i->d + j];
        else if (native_jumps(i->op)) open[n++] = (uint32_t)i->d;
        else if (i->op == OP_RESULT) open[n++] = (uint32_t)i->e;
    }
    free(open);
}

void native_instruction(FILE *f, const game *g, uint32_t pc)
{
    const ins *i = &g->code[pc];
    fprintf(f, "at_%u: i = &CODE[%u]; to = do_%s(v, &CODE[%u]); if (to == OUT) goto out;", pc, pc, op_names[i->op], pc);
    if (i->op == OP_ALT) for (int j = 0; j < i->e; j++) fprintf(f, " if (to == %" PRId32 ") goto at_%" PRId32 ";", g->lists[i->d + j], g->lists[i->d + j]);
    else if (native_jumps(i->op) || i->op == OP_RESULT) fprintf(f, " if (to != ON) goto at_%" PRId32 ";", i->op == OP_RESULT ? i->e : i->d);
    fprintf(f, "\n");
}

/* ---- runs that begin at a known instruction ------------------------------------------------------------------------------------------- */
/* Those that are asked for by RUN have a function of their own: scores, and what belongs to items if they are few. */
static bool *known_runs(const game *g)
{
    bool *known = calloc(g->code_count + 2, sizeof *known);
    if (!known) abort();
    known[native_landing(g, g->score_pc)] = true;
    bool *plans = native_plans_known(g);
    for (int p = 0; p < g->plan_count; p++) {
        if (!plans[p]) continue;
        known[native_landing(g, g->plans[p].guard_pc)] = true;
        for (int i = g->plans[p].first; i < g->plans[p].first + g->plans[p].count; i++) known[native_landing(g, g->plan_items[i].pc)] = known[native_landing(g, g->plan_items[i].entry)] = true;
    }
    free(plans);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) if (g->code[pc].op == OP_ELSE && g->code[pc].c) known[native_landing(g, pc + 1)] = true; else if (g->code[pc].op == OP_PASS) known[native_landing(g, pc + 1)] = true;
    known[0] = false;
    return known;
}

static void write_run_known(FILE *f, const game *g)
{
    bool *known = known_runs(g);
    fprintf(f, "static void run(vm *v, uint32_t pc);\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (known[pc]) fprintf(f, "static void run_%u(vm *v);\n", pc);
    fprintf(f, "INLINE void run_known(vm *v, uint32_t pc)\n{\n    if (!__builtin_constant_p(pc)) { run(v, pc); return; }\n    switch (pc) {\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (known[native_landing(g, pc)]) fprintf(f, "    case %u: run_%u(v); return;\n", pc, native_landing(g, pc));
    fprintf(f, "    default: run(v, pc);\n    }\n}\n#define RUN(v, pc) run_known(v, pc)\nstatic void draw_turn(vm *v);\n#define DRAW_TURN(v) draw_turn(v)\n");
    free(known);
}

/* ---- a turn whose move is drawn where it is chosen (machine/draw.h) -------------------------------------------------------------------- */
/* Up to the choice: its instructions, and in `behind` where the run goes on behind one. */
static void reach_choices(const game *g, bool *reached, bool *behind, uint32_t pc)
{
    for (; !reached[pc]; pc++) {
        const ins *i = &g->code[pc];
        reached[pc] = true;
        if (i->op == OP_FAIL) return;
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) reach_choices(g, reached, behind, (uint32_t)i->d);
        if (i->op != OP_PICK && i->op != OP_DROP) continue;
        const plan *p = &g->plans[(i->op == OP_PICK ? i->e : i->c) - 1];
        for (int j = 0; j < p->count; j++) behind[g->plan_items[p->first + j].entry] = true;
        return;
    }
}

static void write_draw_step(FILE *f, const game *g, uint32_t pc, const bool *behind)
{
    const ins *i = &g->code[pc];
    if (i->op == OP_ELSE) { fprintf(f, "at_%u:\n", pc); return; }
    if (i->op != OP_PICK && i->op != OP_DROP) { native_instruction(f, g, pc); return; }
    fprintf(f, "at_%u: to = %s(v, &CODE[%u]);", pc, i->op == OP_PICK ? "draw_pick" : "draw_drop", pc);
    const plan *p = &g->plans[(i->op == OP_PICK ? i->e : i->c) - 1];
    for (uint32_t at = 0; at < g->code_count; at++) {
        bool leads = false;
        for (int j = 0; behind[at] && j < p->count; j++) leads |= g->plan_items[p->first + j].entry == at;
        if (leads) fprintf(f, " if (to == %u) goto at_%u;", at, at);
    }
    fprintf(f, " goto out;\n");
}

static void native_draw(FILE *f, const game *g)
{
    bool *before = calloc(g->code_count + 2, sizeof *before), *behind = calloc(g->code_count + 2, sizeof *behind), *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!before || !behind || !reached) abort();
    fprintf(f, "static void draw_turn(vm *v)\n{\n    const ins *i;\n    uint32_t to;\n");
    if (g->draws) {
        reach_choices(g, before, behind, g->turn_pc);
        for (uint32_t pc = 0; pc < g->code_count; pc++) if (behind[pc]) reach(g, reached, pc, false);
        fprintf(f, "    goto at_%u;\n", g->turn_pc);
        for (uint32_t pc = 0; pc < g->code_count; pc++)
            if (before[pc]) write_draw_step(f, g, pc, behind); else if (reached[pc]) native_instruction(f, g, pc);
    }
    fprintf(f, "out:\n    if (v->fault && !v->fault_pc) v->fault_pc = %u;\n}\n", g->turn_pc);
    free(before);
    free(behind);
    free(reached);
}

/* ---- collecting ----------------------------------------------------------------------------------------------------------------------- */
/* Those of these have a body of their own in mode COLLECT (machine/ops.h). */
static bool collects(int op) { return op == OP_ALT || op == OP_ELSE || op == OP_PICK || op == OP_DROP || op == OP_PASS || op == OP_STEP; }

/* Where collecting may come to: the ways of the choices found, and these. */
static void find_collected(const game *g, uint32_t from, bool *found)
{
    bool *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    found[from] = true;
    reach(g, reached, from, true);
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        if (!reached[pc] || !collects(i->op) || (found[pc] && pc != from)) continue;
        found[pc] = true;
        uint32_t ways[2] = { native_landing(g, pc + 1), native_landing(g, (uint32_t)i->d) };
        if (i->op == OP_ELSE) for (int j = 0; j < 2; j++) if (!found[ways[j]]) find_collected(g, ways[j], found);
        if (i->op == OP_ALT) for (int j = 0; j < i->e; j++) { ways[0] = native_landing(g, (uint32_t)g->lists[i->d + j]); if (!found[ways[0]]) find_collected(g, ways[0], found); }
    }
    free(reached);
}

/* From the beginning of a turn, and from where its later decisions begin. */
bool *native_collected(const game *g)
{
    bool *found = calloc(g->code_count + 2, sizeof *found);
    if (!found) abort();
    find_collected(g, native_landing(g, g->turn_pc), found);
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        const int op = g->code[pc].op;
        const uint32_t next = native_landing(g, pc + 1);
        if ((op == OP_COMMIT || (op >= OP_ROLL && op <= OP_RANDOM_KIND)) && !found[next]) find_collected(g, next, found);
    }
    found[0] = false;
    return found;
}

static void write_collect_known(FILE *f, const game *g)
{
    bool *found = native_collected(g);
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (found[pc]) fprintf(f, "static void collect_%u(vm *v);\n", pc);
    fprintf(f, "INLINE bool collect_known(vm *v, uint32_t pc)\n{\n    switch (pc) {\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (found[native_landing(g, pc)]) fprintf(f, "    case %u: collect_%u(v); return true;\n", pc, native_landing(g, pc));
    fprintf(f, "    default: return false;\n    }\n}\n#define COLLECT(v, pc) if (!collect_known(v, pc)) run(v, pc)\n#define COLLECT_AT(v, name, i) do { if (!collect_known(v, pc_of(v, i))) collect_##name(v, i); } while (0)\n");
    fprintf(f, "#define EACH_WAY_ON(i, j, ...) switch (pc_of(v, i)) { \\\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!found[pc] || g->code[pc].op != OP_ALT) continue;
        fprintf(f, "case %u:", pc);
        for (int j = 0; j < g->code[pc].e; j++) fprintf(f, " { enum { j = %d }; __VA_ARGS__ }", j);
        fprintf(f, " break; \\\n");
    }
    fprintf(f, "default: for (int j = 0; j < (i)->e; j++) { __VA_ARGS__ } }\n");
    free(found);
}

static void write_collected(FILE *f, const game *g)
{
    bool *found = native_collected(g), *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!found[pc]) continue;
        fprintf(f, "static void collect_%u(vm *v)\n{\n    const ins *i;\n    uint32_t to;\n    if (v->stop) return;\n", pc);
        if (collects(g->code[pc].op)) { fprintf(f, "    collect_%s(v, &CODE[%u]);\n}\n", op_names[g->code[pc].op], pc); continue; }
        memset(reached, 0, g->code_count * sizeof *reached);
        reach(g, reached, pc, true);
        fprintf(f, "    goto at_%u;\n", pc);
        for (uint32_t at = 0; at < g->code_count; at++)
            if (reached[at] && collects(g->code[at].op)) fprintf(f, "at_%u: collect_%u(v); goto out;\n", at, at);
            else if (reached[at] && ends_collecting(g->code[at].op)) fprintf(f, "at_%u: (void)do_%s(v, &CODE[%u]); goto out;\n", at, op_names[g->code[at].op], at);
            else if (reached[at]) native_instruction(f, g, at);
        fprintf(f, "out:\n    if (v->fault && !v->fault_pc) v->fault_pc = %u;\n}\n", pc);
    }
    free(found);
    free(reached);
}

/* ---- choices that are counted ---------------------------------------------------------------------------------------------------------- */
/* A function for each, and one for the way to the choices behind it: only registers change there (compile/counted.c), and it ends at picks. */
static bool is_counted(const game *g, uint32_t pc)
{
    const int how = g->counted[g->counted_at[pc]].how;
    return how == COUNTED_NEST || how == COUNTED_FACTOR || how == COUNTED_LAST;
}

static bool is_pick(int op) { return op == OP_PICK || op == OP_PICK_NUMBER; }

static bool is_nest(const game *g, uint32_t pc) { return is_counted(g, pc) && g->counted[g->counted_at[pc]].how != COUNTED_LAST; }

/* What is asked of a choice that is known has a function of its own. */
static void write_known(FILE *f, const game *g, const char *type, const char *name, const char *more, const char *given, bool (*is)(const game *, uint32_t), const char *otherwise)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (is(g, pc)) fprintf(f, "static %s %s_%u(vm *v%s);\n", type, name, pc, more);
    fprintf(f, "INLINE %s %s_known(vm *v, uint32_t pc%s)\n{\n    switch (pc) {\n", type, name, more);
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (is(g, pc)) fprintf(f, "    case %u: return %s_%u(v%s);\n", pc, name, pc, given);
    fprintf(f, "    default: %s;\n    }\n}\n", otherwise);
}

static void write_counted_known(FILE *f, const game *g)
{
    fprintf(f, "static void collect_others(vm *v, uint32_t pc);\n");
    write_known(f, g, "int64_t", "nest", "", "", is_nest, "return -1");
    write_known(f, g, "int64_t", "count", ", uint32_t *shares", ", shares", is_counted, "return -1");
    write_known(f, g, "void", "others", "", "", is_counted, "collect_others(v, pc)");
    fprintf(f, "#define NEST(v, pc) nest_known(v, pc)\n#define OTHERS(v, pc) others_known(v, pc)\n");
}

/* From a choice to the one behind it. */
static void write_nest(FILE *f, const game *g, uint32_t from, bool *reached)
{
    memset(reached, 0, g->code_count * sizeof *reached);
    reach(g, reached, from + 1, true);
    fprintf(f, "static inline int64_t nest_%u(vm *v)\n{\n    const ins *i;\n    uint32_t to;\n    goto at_%u;\n", from, from + 1);
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!reached[pc]) continue;
        if (is_counted(g, pc)) fprintf(f, "at_%u: return count_%u(v, NULL);\n", pc, pc);
        else if (is_pick(g->code[pc].op)) fprintf(f, "at_%u: return UNCOUNTED;\n", pc);
        else native_instruction(f, g, pc);
    }
    fprintf(f, "out: return 0;\n}\n");
}

static void write_counted(FILE *f, const game *g, bool *reached)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (is_counted(g, pc)) fprintf(f, "static inline int64_t count_%u(vm *v, uint32_t *shares) { return options_from(v, %u, shares); }\n", pc, pc);
        if (is_counted(g, pc)) fprintf(f, "static __attribute__((noinline)) void others_%u(vm *v) { collect_others_at(v, %u); }\n", pc, pc);
        if (is_nest(g, pc)) write_nest(f, g, pc, reached);
    }
}

/* ---- options that are asked before they are tried (compile/tested.c) ------------------------------------------------------------------- */
static bool is_asked(const game *g, uint32_t pc) { return g->tested[pc] == TESTED_PICK; }

static void write_asked_known(FILE *f, const game *g)
{
    bool any = false;
    for (uint32_t pc = 0; pc < g->code_count; pc++) any |= is_asked(g, pc);
    if (!any) return;
    write_known(f, g, "bool", "asked", "", "", is_asked, "return true");
    fprintf(f, "#define ASKS(v, pc) (GAME.tested[pc] == TESTED_PICK)\n#define ASKED(v, pc) asked_known(v, pc)\n");
}

/* The code from behind the pick to where a run fails, or surely changes something. */
static void write_asked(FILE *f, const game *g)
{
    bool *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    for (uint32_t from = 0; from < g->code_count; from++) {
        if (!is_asked(g, from)) continue;
        memset(reached, 0, g->code_count * sizeof *reached);
        reached[from + 1] = true;
        fprintf(f, "static bool asked_%u(vm *v)\n{\n    const ins *i;\n    uint32_t to;\n", from);
        for (uint32_t pc = from + 1; pc < g->code_count; pc++) {
            const ins *i = &g->code[pc];
            if (!reached[pc]) continue;
            if (g->tested[pc] == TESTED_YES) { fprintf(f, "at_%u: return true;\n", pc); continue; }
            native_instruction(f, g, pc);
            if (native_jumps(i->op)) reached[i->d] = true;
            if (i->op != OP_JUMP && i->op != OP_FAIL) reached[pc + 1] = true;
        }
        fprintf(f, "out: return false;\n}\n");
    }
    free(reached);
}

void native_runs(FILE *f, const game *g)
{
    bool *known = known_runs(g), *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!reached) abort();
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        if (!known[pc]) continue;
        memset(reached, 0, g->code_count * sizeof *reached);
        reach(g, reached, pc, false);
        fprintf(f, "static void run_%u(vm *v)\n{\n    const ins *i;\n    uint32_t to;\n    if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) return;\n    goto at_%u;\n", pc, pc);
        for (uint32_t at = 0; at < g->code_count; at++) if (reached[at]) native_instruction(f, g, at);
        fprintf(f, "out:\n    if (v->fault && !v->fault_pc) v->fault_pc = %u;\n}\n", pc);
    }
    write_counted(f, g, reached);
    free(known);
    free(reached);
    native_draw(f, g);
    write_asked(f, g);
    write_collected(f, g);
}

void native_code(FILE *f, const game *g)
{
    bool *begins = calloc(g->code_count + 2, sizeof *begins), *reached = calloc(g->code_count + 2, sizeof *reached);
    if (!begins || !reached) abort();
    mark_entries(g, begins);
    fprintf(f, "switch (pc) {\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++)
        if (begins[pc]) { fprintf(f, "case %u: goto at_%u;\n", pc, pc); reach(g, reached, pc, false); }
    fprintf(f, "default: v->depth--; plain->go(v, pc); return;\n}\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (reached[pc]) native_instruction(f, g, pc);
    fprintf(f, "goto out;\n");
    free(begins);
    free(reached);
}

void native_each(FILE *f, const game *g)
{
    native_plans(f, g);
    write_run_known(f, g);
    write_collect_known(f, g);
    write_counted_known(f, g);
    write_asked_known(f, g);
    native_lists_known(f, g);
}
