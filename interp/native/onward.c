/* Decisions that are drawn (machine/onward.h) as C: for each instruction at which one begins a function of its own.
 *
 * A way is the code from some instruction to the choices it comes to; its labels bear its number, for the same instruction may be on several ways.
 * Where a way has nothing to be drawn it goes on at a label: the second part of the `else` around, the next alternative, or `out`. What follows a
 * choice is entered as ever.
 *
 * Where all choices that a way comes to have sets of targets along known directions, and they are not many, these become no batches: one of them
 * is drawn on the spot (`lots`, machine/onward.h). */
#include <inttypes.h>
#include <stdlib.h>
#include "interp/machine/machine.h"
#include "native.h"

typedef struct { FILE *f; const game *g; int ways; } writer;

enum { DRAWS, COLLECTS, LOTS };         /* what a way does at its choices */
enum { PICKS_MOST = 16 };

/* The picks that a way comes to, and what they are for. */
typedef struct { uint32_t picks[PICKS_MOST]; int count, sets; uint64_t kinds; bool bodies, clash; } choices;

static bool leads_elsewhere(int op) { return op == OP_JUMP || op == OP_JUMP_NO || op == OP_JUMP_YES || op == OP_S_POP; }
static bool chooses(int op) { return op == OP_ALT || op == OP_ELSE || op == OP_PICK || op == OP_DROP || op == OP_PASS; }

/* The instructions of a way. */
static void follow(const game *g, uint32_t pc, bool *on)
{
    for (; pc < g->code_count && !on[pc]; pc++) {
        const ins *i = &g->code[pc];
        on[pc] = true;
        if (i->op == OP_ELSE || leads_elsewhere(i->op)) follow(g, (uint32_t)i->d, on);
        if (i->op == OP_FAIL || i->op == OP_JUMP || i->op == OP_RESULT || chooses(i->op)) return;
    }
}

/* ---- lots ------------------------------------------------------------------------------------------------------------------------------ */
static bool item_lots(const game *g, const plan_item *x, choices *c)
{
    const leg *l = &g->legs[x->leg];
    if (x->second && x[-1].body_count) { c->bodies = true; return true; }
    if (x->drop || x->options || x->origins || x->pass || x->pc || x->cond_count || x->split >= 0 || x->more_count || x->second || (x->twin && !x->body_count)) return false;
    if (x->gather != GATHER_ALONG || !x->entry || l->slide || l->target < 0) return false;
    int most = 0;
    for (int p = 0; p < g->player_count; p++) if (__builtin_popcountll(g->relations[l->relation].mask[p]) > most) most = __builtin_popcountll(g->relations[l->relation].mask[p]);
    c->sets += most;
    return c->sets <= DRAWN_SETS_MAX;
}

static bool pick_lots(const game *g, uint32_t pc, choices *c)
{
    if (!g->code[pc].e || c->count == PICKS_MOST) return false;
    const plan *p = &g->plans[g->code[pc].e - 1];
    if (!p->count || p->pair_count || p->origins) return false;
    c->picks[c->count++] = pc;
    for (int j = 0; j < p->count; j++) if (!item_lots(g, &g->plan_items[p->first + j], c)) return false;
    return true;
}

/* Can all that is chosen on this way be drawn of lots? Adds what it finds to `c`. */
static bool way_lots(const game *g, uint32_t from, choices *c)
{
    bool *on = calloc(g->code_count + 1, sizeof *on), can = true;
    if (!on) abort();
    follow(g, from, on);
    const int before = c->count;
    for (uint32_t pc = 0; pc < g->code_count && can; pc++)
        if (on[pc] && chooses(g->code[pc].op)) can = g->code[pc].op == OP_PICK && pick_lots(g, pc, c);
    free(on);
    uint64_t kinds = 0;
    for (int k = before; k < c->count; k++) { const plan *p = &g->plans[g->code[c->picks[k]].e - 1]; kinds |= g->plan_items[p->first].kinds ? g->plan_items[p->first].kinds : ~0ull; }
    can = can && !(c->kinds & kinds);
    c->kinds |= kinds;
    return can;
}

static bool enters_alike(const game *g, const ins *a, const plan_item *x, const ins *b, const plan_item *y)
{
    return a->a == b->a && (a->d & 1) == (b->d & 1) && native_entered_alike(g, x, y);
}

/* Draws, and enters each item of these picks; those entered alike together. */
static void write_entering(writer *w, const choices *c, const char *fail)
{
    const game *g = w->g;
    const ins *pick[PLAN_ITEMS_MAX];
    int items[PLAN_ITEMS_MAX], n = 0;
    for (int k = 0; k < c->count; k++) {
        const plan *p = &g->plans[g->code[c->picks[k]].e - 1];
        for (int j = p->first; j < p->first + p->count && n < PLAN_ITEMS_MAX; j++) if (!g->plan_items[j].second) { pick[n] = &g->code[c->picks[k]]; items[n++] = j; }
    }
    fprintf(w->f, "if (!lots_any(&l)) goto %s;\n", fail);
    if (c->bodies) fprintf(w->f, "if (l.lead_on) { (void)onward_not(v); goto out; }\n");
    fprintf(w->f, "set = lots_choose(v, &l, &target);\nswitch ((int)(l.items[set] - PLAN_ITEMS)) {\n");
    for (int k = 0; k < n; k++) {
        bool anew = true;
        for (int j = 0; j < k; j++) anew &= !enters_alike(g, pick[j], &g->plan_items[items[j]], pick[k], &g->plan_items[items[k]]);
        if (!anew) continue;
        for (int j = k; j < n; j++) if (enters_alike(g, pick[k], &g->plan_items[items[k]], pick[j], &g->plan_items[items[j]])) fprintf(w->f, "case %d: ", items[j]);
        fprintf(w->f, "lots_enter(v, &l, set, target, &PLAN_ITEMS[%d], &CODE[%d]); goto out;\n", items[k], (int)(pick[k] - g->code));
    }
    fprintf(w->f, "default: __builtin_unreachable();\n}\n");
}

/* ---- ways ------------------------------------------------------------------------------------------------------------------------------ */
static void write_way(writer *w, uint32_t from, const char *fail, int does);

/* The alternatives are gathered one after the other, then one of their bits is drawn. */
static void write_alternatives(writer *w, const ins *i, uint32_t pc, const char *fail)
{
    const int n = w->ways++;
    char next[32];
    choices c = { .count = 0 };
    bool lots = true;
    for (int j = 0; j < i->e && lots; j++) lots = way_lots(w->g, (uint32_t)w->g->lists[i->d + j], &c);
    fprintf(w->f, "if (!onward_begins(v, %u)) goto out; %s\n", pc, lots ? "lots_begin(&l);" : "v->mode = MODE_COLLECT;");
    for (int j = 0; j < i->e; j++) {
        snprintf(next, sizeof next, "alt%d_%d", n, j);
        write_way(w, (uint32_t)w->g->lists[i->d + j], next, lots ? LOTS : COLLECTS);
        fprintf(w->f, "%s:\n", next);
    }
    if (lots) write_entering(w, &c, fail);
    else fprintf(w->f, "if (onward_batches(v)) goto out; goto %s;\n", fail);
}

/* One pick alone. */
static bool write_pick(writer *w, const ins *i, uint32_t pc, const char *fail)
{
    choices c = { .count = 0 };
    if (i->op != OP_PICK || !pick_lots(w->g, pc, &c)) return false;
    fprintf(w->f, "if (!onward_begins(v, %u)) goto out; lots_begin(&l); lots_walkers(v, &l, &CODE[%u]);\n", pc, pc);
    write_entering(w, &c, fail);
    return true;
}

static void write_choice(writer *w, const ins *i, uint32_t pc, const char *fail, int does, int way)
{
    char first[32];
    const bool collects = does == COLLECTS;
    if (does == LOTS) fprintf(w->f, "lots_walkers(v, &l, &CODE[%u]); goto %s;\n", pc, fail);
    else if (!collects && write_pick(w, i, pc, fail)) return;
    else if (collects && (i->op == OP_PICK || i->op == OP_DROP)) fprintf(w->f, "collect_%s(v, &CODE[%u], %u); goto %s;\n", i->op == OP_PICK ? "walkers" : "drop", pc, pc, fail);
    else if (collects) fprintf(w->f, "run(v, %u); goto %s;\n", pc, fail);
    else if (i->op == OP_PICK || i->op == OP_DROP) fprintf(w->f, "if (onward_%s(v, &CODE[%u], %u)) goto out; goto %s;\n", i->op == OP_PICK ? "walker" : "drop", pc, pc, fail);
    else if (i->op == OP_PASS) fprintf(w->f, "if (do_PASS(v, &CODE[%u]) != OUT) RUN(v, %u); goto out;\n", pc, pc + 1);
    else if (i->op == OP_ALT) write_alternatives(w, i, pc, fail);
    else {
        snprintf(first, sizeof first, "else%d_%u", way, pc);
        fprintf(w->f, "if (!onward_begins(v, %u)) goto out;\n", pc);
        write_way(w, pc + 1, first, DRAWS);
        fprintf(w->f, "%s: onward_nothing(v); goto way%d_%" PRId32 ";\n", first, way, i->d);
    }
}

static void write_way(writer *w, uint32_t from, const char *fail, int does)
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
        else if (chooses(i->op)) write_choice(w, i, pc, fail, does, way);
        else if (i->op >= OP_ROLL && i->op <= OP_RANDOM_KIND) fprintf(w->f, "if (!throw_given(v, &CODE[%u]) && !onward_chance(v, &CODE[%u], %u)) goto out;\n", pc, pc, pc);
        else {
            fprintf(w->f, "to = do_%s(v, &CODE[%u]); if (to == OUT) goto out;", native_op_name(i->op), pc);
            if (leads_elsewhere(i->op)) fprintf(w->f, " if (to != ON) goto way%d_%" PRId32 ";", way, i->d);
            fprintf(w->f, i->op == OP_JUMP || i->op == OP_RESULT ? " goto out;\n" : "\n");
        }
    }
    free(on);
}

void native_onward(FILE *f, const game *g)
{
    writer w = { f, g, 0 };
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) {
        if (!g->onward[pc]) continue;
        fprintf(f, "static void onward_%u(vm *v)\n{\n    uint32_t to;\n    lots l;\n    int set, target;\n", pc);
        write_way(&w, pc, "out", DRAWS);
        fprintf(f, "out: return;\n}\n");
    }
    fprintf(f, "INLINE void onward_known(vm *v, uint32_t pc)\n{\n    switch (pc) {\n");
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) if (g->onward[pc]) fprintf(f, "    case %u: onward_%u(v); return;\n", pc, pc);
    fprintf(f, "    default: run(v, pc);\n    }\n}\n");
}
