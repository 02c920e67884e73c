/* What flows through the registers: which an instruction reads and writes, and which must still be as they are when code begins.
 *
 * op.def says of each instruction what it does, in a notation that `joc tables` prints: N[x] a number operand, S[x] a set operand,
 * F[x] a field, R[x] a relation, "leg a". It is read here too: what stands before ":=" is written, all else is read. So there is one
 * description, and an instruction added there is known here.
 *
 * `flow_live` works backwards over all code until nothing changes (the usual analysis of live variables). */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "flow.h"

static const char *const notations[OP_OPCODES] = {
#define OP(name, notation) notation,
#include "interp/op.def"
#undef OP
};

static void add(uint64_t *set, int first, int count, int operand)
{
    const int r = operand - first;
    if (r >= 0 && r < count && r < FLOW_REGISTERS) set[r / 64] |= 1ull << (r % 64);
}

static void add_number(const game *g, flow *f, int operand) { add(f->numbers, g->num_consts, g->num_regs, operand); }
static void add_set(const game *g, flow *f, int operand) { add(f->sets, g->reg_first, g->set_regs, operand); }

static void add_relation(const game *g, flow *f, int r)
{
    if (g->relations[r].reg >= 0) add_number(g, f, g->relations[r].reg);
    if (g->relations[r].times >= 0) add_number(g, f, g->relations[r].times);
}

static void add_field(const game *g, flow *f, int x, int depth)
{
    const field *d = &g->fields[x];
    if (d->kind != FIELD_SUM || depth > 32) return;
    if (d->left < 0) add_number(g, f, d->index); else add_field(g, f, d->left, depth + 1);
    if (d->right_number) add_number(g, f, d->right); else add_field(g, f, d->right, depth + 1);
}

static void add_leg(const game *g, flow *f, int x)
{
    const leg *l = &g->legs[x];
    if (l->target >= 0) add_set(g, f, l->target);
    for (int i = 0; i < l->pattern_count; i++) add_set(g, f, g->patterns[l->pattern + i].set);
    add_relation(g, f, l->relation);
}

static int operand_of(const ins *i, char which)
{
    switch (which) {
    case 'a': return i->a;
    case 'b': return i->b;
    case 'c': return i->c;
    case 'd': return i->d;
    default: return i->op == OP_S_BETWEEN ? i->e & 0xFFFF : i->e;
    }
}

/* What the straight code that writes a rule's moves reads. */
static void add_written(const game *g, flow *f, uint32_t pc)
{
    flow made = { { 0 }, { 0 } };
    for (; pc < g->code_count && g->code[pc].op != OP_RETURN; pc++) {
        flow reads, writes;
        flow_of(g, &g->code[pc], &reads, &writes);
        for (int k = 0; k < FLOW_REGISTERS / 64; k++) { f->numbers[k] |= reads.numbers[k] & ~made.numbers[k]; f->sets[k] |= reads.sets[k] & ~made.sets[k]; }
        flow_join(&made, &writes);
    }
}

void flow_of(const game *g, const ins *i, flow *reads, flow *writes)
{
    const char *text = notations[i->op], *writing = strstr(text, ":=");
    memset(reads, 0, sizeof *reads);
    memset(writes, 0, sizeof *writes);
    for (const char *t = text; *t; t++) {
        if (t[1] != '[' || (t > text && ((t[-1] >= 'a' && t[-1] <= 'z') || (t[-1] >= 'A' && t[-1] <= 'Z')))) continue;
        const int x = operand_of(i, t[2]);
        flow *to = writing && t < writing && t[3] == ']' ? writes : reads;
        if (x < 0) continue;
        if (*t == 'N') add_number(g, to, x);
        else if (*t == 'S') add_set(g, to, x);
        else if (*t == 'F') add_field(g, reads, x, 0);
        else if (*t == 'R') add_relation(g, reads, x);
    }
    if (i->op == OP_RETURN) memset(reads, 0xFF, sizeof *reads);      /* who asked for the code reads what it made */
    if (i->op == OP_STEP) add_leg(g, reads, i->a);
    if (i->op == OP_S_POP) add_set(g, writes, i->b);
    if (i->op == OP_RULE && i->a) add_written(g, reads, (uint32_t)i->d);
    if (i->op == OP_ROLL && i->b == 65535) add_number(g, writes, i->c);
}

bool flow_only_registers(const ins *i)
{
    return i->op == OP_RULE || (i->op <= OP_BAG_HOLDS && i->op != OP_MOVER && i->op != OP_CLAMP && i->op != OP_STORE && i->op != OP_S_POP && i->op != OP_S_LESS && (i->op < OP_BAG_CLEAR || i->op > OP_BAG_PAIRS));
}

int flow_successors(const game *g, uint32_t pc, uint32_t *out, int cap)
{
    const ins *i = &g->code[pc];
    int n = 0;
    switch ((opcode)i->op) {
    case OP_FAIL: case OP_FAULT: case OP_RETURN: case OP_CAN_DONE: case OP_TURN_DONE: case OP_SETUP_DONE: return 0;
    case OP_JUMP: out[n++] = (uint32_t)i->d; return n;
    case OP_ALT: for (int j = 0; j < i->e && n < cap; j++) out[n++] = (uint32_t)g->lists[i->d + j]; return n;
    case OP_JUMP_NO: case OP_JUMP_YES: case OP_ELSE: case OP_S_POP: case OP_LOOP_SEEN: case OP_FLOOD_SEEN: case OP_STUCK: case OP_CAN: case OP_BODY_END: out[n++] = (uint32_t)i->d; break;
    case OP_RESULT: out[n++] = (uint32_t)i->e; break;
    default: break;
    }
    if (pc + 1 < g->code_count) out[n++] = pc + 1;
    return n;
}

static bool reads_operand(const ins *i, char sort, int operand)
{
    const char *text = notations[i->op], *writing = strstr(text, ":=");
    for (const char *t = writing ? writing : text; *t; t++)
        if (*t == sort && t[1] == '[' && (t == text || t[-1] < 'A' || t[-1] > 'z') && operand_of(i, t[2]) == operand) return true;
    return false;
}

bool flow_reads_set(const ins *i, int operand) { return reads_operand(i, 'S', operand); }

bool flow_reads_number(const ins *i, int operand) { return reads_operand(i, 'N', operand); }

bool flow_join(flow *to, const flow *from)
{
    bool changed = false;
    for (int k = 0; k < FLOW_REGISTERS / 64; k++) {
        changed |= (from->numbers[k] & ~to->numbers[k]) || (from->sets[k] & ~to->sets[k]);
        to->numbers[k] |= from->numbers[k];
        to->sets[k] |= from->sets[k];
    }
    return changed;
}

bool flow_has(const game *g, opcode op)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (g->code[pc].op == op) return true;
    return false;
}

flow *flow_live(const game *g)
{
    flow *live = calloc(g->code_count + 1, sizeof *live);
    if (!live) abort();
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = g->code_count; pc-- > 0;) {
            uint32_t next[64];
            flow reads, writes, out = { { 0 }, { 0 } };
            const int n = flow_successors(g, pc, next, 64);
            for (int j = 0; j < n; j++) flow_join(&out, &live[next[j]]);
            flow_of(g, &g->code[pc], &reads, &writes);
            for (int k = 0; k < FLOW_REGISTERS / 64; k++) { out.numbers[k] &= ~writes.numbers[k]; out.sets[k] &= ~writes.sets[k]; }
            flow_join(&out, &reads);
            changed |= flow_join(&live[pc], &out);
        }
    }
    return live;
}

bool flow_meets(const flow *a, const flow *b)
{
    uint64_t x = 0;
    for (int k = 0; k < FLOW_REGISTERS / 64; k++) x |= (a->numbers[k] & b->numbers[k]) | (a->sets[k] & b->sets[k]);
    return x != 0;
}

/* ---- what the machine is told ---------------------------------------------------------------------------------------------------------- */
static uint16_t highest(const uint64_t *set, int count)
{
    for (int k = FLOW_REGISTERS / 64; k-- > 0;) if (set[k]) { const int n = k * 64 + 64 - __builtin_clzll(set[k]); return (uint16_t)(n < count ? n : count); }
    return 0;
}

static bool draws(int op) { return op >= OP_ROLL && op <= OP_RANDOM_KIND; }

static bool keeps_situation(int op)
{
    return op == OP_COMMIT || op == OP_SHOWN || draws(op) || op == OP_LOOP || op == OP_LOOP_SEEN || op == OP_FLOOD || op == OP_FLOOD_SEEN;
}

/* Where the registers of a situation are told: a repetition asks the same of all its turns. */
static uint32_t situation_pc(const game *g, uint32_t pc)
{
    const ins *i = &g->code[pc];
    if (i->op != OP_LOOP && i->op != OP_FLOOD) return pc;
    const int end = i->op == OP_LOOP ? OP_LOOP_SEEN : OP_FLOOD_SEEN;
    for (uint32_t seen = pc + 1; seen < g->code_count; seen++) if (g->code[seen].op == end && g->code[seen].c == i->d) return seen;
    return pc;
}

void flow_finish(arena *a, game *g, const flow *live)
{
    int count = 1;
    for (uint32_t pc = 0; pc < g->code_count; pc++) count += keeps_situation(g->code[pc].op) + draws(g->code[pc].op);
    g->masks = arena_alloc(a, (size_t)count * sizeof *g->masks);
    count = 1;
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        g->live[pc].numbers = pc ? highest(live[pc].numbers, g->num_regs) : (uint16_t)g->num_regs;
        g->live[pc].sets = pc ? highest(live[pc].sets, g->set_regs) : (uint16_t)g->set_regs;
        if (!keeps_situation(g->code[pc].op)) continue;
        g->masks[count] = live[situation_pc(g, pc)];
        g->code[pc].e |= count++;
        if (draws(g->code[pc].op)) g->masks[count++] = live[pc + 1];        /* behind what was drawn */
    }
    g->mask_count = count;
}
