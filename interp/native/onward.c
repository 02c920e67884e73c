/* Decisions that are drawn (machine/onward.h) as C: for each instruction at which one begins a function of its own.
 *
 * A way is the code from some instruction to the choices it comes to; its labels bear its number, for the same instruction may be on several ways.
 * Where a way has nothing to be drawn it goes on at a label: the second part of the `else` around, the next alternative, or `out`. What follows a
 * choice is entered as ever. */
#include <inttypes.h>
#include <stdlib.h>
#include "interp/machine/machine.h"
#include "native.h"

typedef struct { FILE *f; const game *g; int ways; } writer;

static bool leads_elsewhere(int op) { return op == OP_JUMP || op == OP_JUMP_NO || op == OP_JUMP_YES || op == OP_S_POP; }
static bool chooses(int op) { return op == OP_ALT || op == OP_ELSE || op == OP_PICK || op == OP_DROP || op == OP_PASS; }

/* The instructions of a way. */
static void follow(const game *g, uint32_t pc, bool *on)
{
    for (; pc < g->code_count && !on[pc]; pc++) {
        const ins *i = &g->code[pc];
        on[pc] = true;
        if (i->op == OP_ELSE || leads_elsewhere(i->op)) follow(g, (uint32_t)i->d, on);
        if (i->op == OP_FAIL || i->op == OP_JUMP || chooses(i->op)) return;
    }
}

static void write_way(writer *w, uint32_t from, const char *fail, bool collects);

/* The alternatives are gathered one after the other, then one of their bits is drawn. */
static void write_alternatives(writer *w, const ins *i, uint32_t pc, const char *fail)
{
    const int n = w->ways++;
    char next[32];
    fprintf(w->f, "if (!onward_begins(v, %u)) goto out; v->mode = MODE_COLLECT;\n", pc);
    for (int j = 0; j < i->e; j++) {
        snprintf(next, sizeof next, "alt%d_%d", n, j);
        write_way(w, (uint32_t)w->g->lists[i->d + j], next, true);
        fprintf(w->f, "%s:\n", next);
    }
    fprintf(w->f, "if (onward_batches(v)) goto out; goto %s;\n", fail);
}

static void write_choice(writer *w, const ins *i, uint32_t pc, const char *fail, bool collects, int way)
{
    char first[32];
    if (collects && (i->op == OP_PICK || i->op == OP_DROP)) fprintf(w->f, "collect_%s(v, &CODE[%u], %u); goto %s;\n", i->op == OP_PICK ? "walkers" : "drop", pc, pc, fail);
    else if (collects) fprintf(w->f, "run(v, %u); goto %s;\n", pc, fail);
    else if (i->op == OP_PICK || i->op == OP_DROP) fprintf(w->f, "if (onward_%s(v, &CODE[%u], %u)) goto out; goto %s;\n", i->op == OP_PICK ? "walker" : "drop", pc, pc, fail);
    else if (i->op == OP_PASS) fprintf(w->f, "if (do_PASS(v, &CODE[%u]) != OUT) RUN(v, %u); goto out;\n", pc, pc + 1);
    else if (i->op == OP_ALT) write_alternatives(w, i, pc, fail);
    else {
        snprintf(first, sizeof first, "else%d_%u", way, pc);
        fprintf(w->f, "if (!onward_begins(v, %u)) goto out;\n", pc);
        write_way(w, pc + 1, first, false);
        fprintf(w->f, "%s: onward_nothing(v); goto way%d_%" PRId32 ";\n", first, way, i->d);
    }
}

static void write_way(writer *w, uint32_t from, const char *fail, bool collects)
{
    const game *g = w->g;
    const int way = w->ways++;
    bool *on = calloc(g->code_count + 1, sizeof *on);
    if (!on) abort();
    follow(g, from, on);
    fprintf(w->f, "goto way%d_%u;\n", way, from);
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        if (!on[pc]) continue;
        fprintf(w->f, "way%d_%u: ", way, pc);
        if (i->op == OP_FAIL) fprintf(w->f, "goto %s;\n", fail);
        else if (chooses(i->op)) write_choice(w, i, pc, fail, collects, way);
        else if (i->op >= OP_ROLL && i->op <= OP_RANDOM_KIND) fprintf(w->f, "if (!throw_given(v, &CODE[%u]) && !onward_chance(v, &CODE[%u], %u)) goto out;\n", pc, pc, pc);
        else {
            fprintf(w->f, "to = do_%s(v, &CODE[%u]); if (to == OUT) goto out;", native_op_name(i->op), pc);
            if (leads_elsewhere(i->op)) fprintf(w->f, " if (to != ON) goto way%d_%" PRId32 ";", way, i->d);
            fprintf(w->f, i->op == OP_JUMP ? " goto out;\n" : "\n");
        }
    }
    free(on);
}

void native_onward(FILE *f, const game *g)
{
    writer w = { f, g, 0 };
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        if (!g->onward[pc]) continue;
        fprintf(f, "static void onward_%u(vm *v)\n{\n    uint32_t to;\n", pc);
        write_way(&w, pc, "out", false);
        fprintf(f, "out: return;\n}\n");
    }
    fprintf(f, "INLINE void onward_known(vm *v, uint32_t pc)\n{\n    switch (pc) {\n");
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) if (g->onward[pc]) fprintf(f, "    case %u: onward_%u(v); return;\n", pc, pc);
    fprintf(f, "    default: run(v, pc);\n    }\n}\n");
}
