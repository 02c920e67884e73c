/* Tidying code: what an expression leaves behind that costs the machine an instruction each time.
 *
 *     X into r, MOVE t := r    with r not wanted any more: X into t
 *     a jump to a jump         goes where that one goes; also to a conditional jump on the same number, whose outcome is then known
 *     a jump to the next       goes
 *     any line                 without the cells of the line, where every longer one counts too
 *     LOOP, LOOP_SEEN          go where every turn of the repetition makes a decision (repeat.c)
 *     TURN_KEY                 goes where no rule asks for earlier positions
 *     a loop that sows         becomes one instruction (sow.c)
 *
 * A copy that is a part of the author's condition on the way to LEGAL stays: `why` looks for it there (origin.c).
 *
 * What goes is marked, then all that is left moves up and every place that speaks of an instruction is renumbered. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"

typedef struct { game *g; bool *gone, *target; uint32_t *now; /* by instruction: what it will be */ } tidy;

static bool makes_number(int op) { return op <= OP_RELATION && op != OP_CLAMP && op != OP_STORE; }

static bool has_jump(int op)
{
    return op == OP_JUMP || op == OP_JUMP_NO || op == OP_JUMP_YES || op == OP_ELSE || op == OP_S_POP || op == OP_LOOP_SEEN || op == OP_FLOOD_SEEN || op == OP_STUCK || op == OP_CAN || op == OP_BODY_END;
}

/* Every place that names an instruction; origins go with theirs (move_up). */
static void each_pc(game *g, void (*f)(tidy *, uint32_t *), tidy *t)
{
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        uint32_t x = (uint32_t)(i->op == OP_RESULT || (i->op == OP_RULE && !i->a) ? i->e : i->d);
        if (has_jump(i->op) || (i->op == OP_RULE && i->a)) { f(t, &x); i->d = (int32_t)x; }
        else if (i->op == OP_RESULT || (i->op == OP_RULE && i->e)) { f(t, &x); i->e = (int32_t)x; }
        else if (i->op == OP_ALT)
            for (int j = 0; j < i->e; j++) { x = (uint32_t)g->lists[i->d + j]; f(t, &x); g->lists[i->d + j] = (int32_t)x; }
    }
    uint32_t *single[] = { &g->setup_pc, &g->turn_pc, &g->finish_pc, &g->score_pc, &g->attack_begin, &g->attack_end, &g->attack_probe };
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) f(t, single[i]);
    for (int i = 0; i < g->attack_count; i++) { f(t, &g->attacks[i].guard_pc); f(t, &g->attacks[i].from_pc); f(t, &g->attacks[i].target_pc); }
    for (int i = 0; i < g->check_count; i++) f(t, &g->checks[i].pc);
    for (int i = 0; i < g->entry_count; i++) f(t, &g->entries[i].pc);
    for (int i = 0; i < g->round_count; i++) { f(t, &g->rounds[i].begin); f(t, &g->rounds[i].end); }
}

static void note_target(tidy *t, uint32_t *pc) { t->target[*pc] = true; }

static void renumber(tidy *t, uint32_t *pc) { *pc = t->now[*pc]; }

/* Where the turn is complete: what follows are the ends. */
static uint32_t legal_pc(const game *g)
{
    uint32_t pc = g->turn_pc;
    while (pc < g->code_count && g->code[pc].op != OP_LEGAL) pc++;
    return pc;
}

static bool origin_part_at(const game *g, uint32_t pc)
{
    for (int i = 0; i < g->origin_count; i++) if (g->origins[i].pc == pc && g->origins[i].kind == ORIGIN_PART) return true;
    return false;
}

static void drop_copies(tidy *t)
{
    game *g = t->g;
    if (!flow_has(g, OP_MOVE)) return;
    flow *live = flow_live(g);
    const uint32_t ends = legal_pc(g);
    for (uint32_t pc = 0; pc + 2 < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (t->gone[pc] || !makes_number(i->op)) continue;
        for (uint32_t next = pc + 1; next + 1 < g->code_count; next++) {
            const ins *copy = &g->code[next];
            const int r = i->a - g->num_consts;
            if (copy->op != OP_MOVE || i->a != copy->b || t->target[next] || (next < ends && origin_part_at(g, next))) break;
            if (r < 0 || r >= g->num_regs || (live[next + 1].numbers[r / 64] >> (r % 64) & 1)) break;
            i->a = copy->a;
            t->gone[next] = true;
        }
    }
    free(live);
}

/* Whether there is a long line is known without its cells, if no line can be too long. */
static void ask_lines(tidy *t)
{
    game *g = t->g;
    if (!flow_has(g, OP_S_LINE)) return;
    flow *live = flow_live(g);
    for (uint32_t pc = 0; pc + 1 < g->code_count; pc++) {
        ins *i = &g->code[pc], *any = i + 1;
        const int r = i->a - g->reg_first;
        if (i->op != OP_S_LINE || any->op != OP_ANY || any->b != i->a || t->target[pc + 1] || i->c >= g->num_consts || g->const_num[i->c] < 2) continue;
        const int most = longest_line(g, i->d);
        if (most > g->cells || (i->e != 65535 && (i->e >= g->num_consts || g->const_num[i->e] < most))) continue;
        if (r < 0 || r >= g->set_regs || (live[pc + 2].sets[r / 64] >> (r % 64) & 1)) continue;
        *any = (ins){ .op = OP_ANY_LINE, .a = any->a, .b = i->b, .c = i->c, .d = i->d };
        t->gone[pc] = true;
    }
    free(live);
}

/* Where a jump that happens with N[reg] known to be `yes` (reg -1: nothing known) ends up. */
static uint32_t final_target(const tidy *t, uint32_t pc, int reg, bool yes)
{
    for (int steps = 0; steps < 50; steps++) {
        while (t->gone[pc]) pc++;
        const ins *i = &t->g->code[pc];
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) pc = (uint32_t)i->d;
        else if (reg >= 0 && (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) && i->a == reg && (uint32_t)i->d > pc) pc = (i->op == OP_JUMP_YES) == yes ? (uint32_t)i->d : pc + 1;
        else break;
    }
    return pc;
}

static void shorten_jumps(tidy *t)
{
    game *g = t->g;
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        ins *i = &g->code[pc];
        if (t->gone[pc] || (i->op != OP_JUMP && i->op != OP_JUMP_NO && i->op != OP_JUMP_YES) || (uint32_t)i->d <= pc) continue;
        i->d = (int32_t)final_target(t, (uint32_t)i->d, i->op == OP_JUMP ? -1 : i->a, i->op == OP_JUMP_YES);
    }
    for (uint32_t pc = g->code_count; pc-- > 0;) {
        const ins *i = &g->code[pc];
        uint32_t next = pc + 1;
        while (next < g->code_count && t->gone[next]) next++;
        if (i->op == OP_JUMP && (uint32_t)i->d == next) t->gone[pc] = true;
    }
}

static void move_up(tidy *t)
{
    game *g = t->g;
    uint32_t left = 0;
    for (uint32_t pc = 0; pc <= g->code_count; pc++) { t->now[pc] = left; left += !t->gone[pc]; }
    each_pc(g, renumber, t);
    int origins = 0;
    for (int i = 0; i < g->origin_count; i++)           /* those beyond the code stand in what was thrown away */
        if (g->origins[i].pc < g->code_count && !t->gone[g->origins[i].pc]) { g->origins[origins] = g->origins[i]; g->origins[origins++].pc = t->now[g->origins[i].pc]; }
    g->origin_count = origins;
    left = 0;
    for (uint32_t pc = 0; pc < g->code_count; pc++) if (!t->gone[pc]) g->code[left++] = g->code[pc];
    g->code_count = left;
}

static void drop_loops(tidy *t)
{
    for (uint32_t pc = 0; pc < t->g->code_count; pc++)
        if (t->g->code[pc].op == OP_LOOP || t->g->code[pc].op == OP_LOOP_SEEN) t->gone[pc] = repetition_idle(t->g, pc);
}

static tidy tidy_begin(game *g)
{
    tidy t = { .g = g, .gone = calloc(g->code_count + 2, sizeof(bool)), .target = calloc(g->code_count + 2, sizeof(bool)), .now = calloc(g->code_count + 2, sizeof(uint32_t)) };
    if (!t.gone || !t.target || !t.now) abort();
    each_pc(g, note_target, &t);
    return t;
}

static void tidy_end(tidy *t)
{
    shorten_jumps(t);
    move_up(t);
    free(t->gone);
    free(t->target);
    free(t->now);
}

void tidy_code(compiler *c)
{
    game *g = c->g;
    tidy t = tidy_begin(g);
    ask_lines(&t);
    drop_copies(&t);
    drop_loops(&t);
    for (uint32_t pc = 0; pc < g->code_count && !g->uses_history; pc++) t.gone[pc] |= g->code[pc].op == OP_TURN_KEY;
    tidy_end(&t);
    t = tidy_begin(g);
    loops_that_sow(g, t.gone, t.target);
    tidy_end(&t);
}
