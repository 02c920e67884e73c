/* Actions: sequence, choice, repetition, legs, picks, effects; rules and who walks. docs/language.md, section 4. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

static const node *kid(const node *n, int i) { return n && i < n->count ? n->kids[i] : NULL; }
static bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }
#define HEAD(x) (POSITION + (x))
enum { NONE = 65535, ZONE_MOST = 100 };

void patch(compiler *c, uint32_t at, uint32_t to) { if (at < c->g->code_count) c->g->code[at].d = (int32_t)to; }
uint32_t here_label(compiler *c) { return c->label = c->g->code_count; }

void settle_now(compiler *c)
{
    if (!c->pending) return;
    emit(c, OP_SETTLE, 0, 0, 0, 0, 0);
    c->pending = false;
}

/* Registers and names of a statement, or of a block, given back at its end. */
typedef struct { int env, num, set, bag, hoisted; } scope;
static scope scope_open(const compiler *c) { return (scope){ c->env_count, c->num_top, c->set_top, c->bag_top, c->hoisted_count }; }
static void scope_close(compiler *c, scope s) { c->env_count = s.env; c->num_top = s.num; c->set_top = s.set; c->bag_top = s.bag; c->hoisted_count = s.hoisted; }

/* ---- what an action is like ------------------------------------------------------------------------------------------------------------------- */
static const node *rule_called(const node *n) { return n->kind == NODE_A_DO && n->count ? n->kids[0] : NULL; }

static bool any_rule(compiler *c, const char *name, bool (*test)(compiler *, const node *, int), int depth)
{
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, name) == 0 && test(c, kid(c->rules[i].item, 1), depth + 1)) return true;
    return false;
}

static bool starts_with_leg(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: return true;
    case NODE_A_SEQUENCE: case NODE_A_LOOP: return starts_with_leg(c, kid(n, 0), depth + 1);
    case NODE_A_CHOICE: case NODE_A_ELSE: for (int i = 0; i < n->count; i++) if (starts_with_leg(c, n->kids[i], depth + 1)) return true; return false;
    case NODE_A_IF: return starts_with_leg(c, kid(n, 1), depth + 1) || starts_with_leg(c, kid(n, 2), depth + 1);
    case NODE_A_DO: return c->in_piece && rule_called(n) && rule_called(n)->text && any_rule(c, rule_called(n)->text, starts_with_leg, depth);
    default: return false;
    }
}

bool has_choice(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: case NODE_A_DROP: case NODE_A_CHOICE: return true;
    case NODE_A_PICK: return !(n->flags & FLAG_RANDOM);
    case NODE_A_LOOP: if (!kid(n, 1)) return true; break;
    case NODE_A_DO:
        if (!rule_called(n) || !rule_called(n)->text) return false;
        for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, rule_called(n)->text) == 0 && (c->rules[i].of_piece || has_choice(c, kid(c->rules[i].item, 1), depth + 1))) return true;
        return false;
    default: break;
    }
    if (n->kind >= NODE_E_NAME && n->kind <= NODE_E_CALL) return false;
    for (int i = 0; i < n->count; i++) if (has_choice(c, n->kids[i], depth + 1)) return true;
    return false;
}

static bool draws(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ROLL || ((n->kind == NODE_A_PICK || n->kind == NODE_A_EACH) && (n->flags & FLAG_RANDOM))) return true;
    for (int i = 0; i < n->count; i++) if (draws(n->kids[i])) return true;
    return false;
}

/* `empty` is among the words: whoever lands there takes nobody. */
static bool within_empty(compiler *c, const node *n, int depth)
{
    if (!n || depth > 40 || looked(c)) return false;
    if (is_name(n, "empty")) return true;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) if (within_empty(c, n->kids[i], depth + 1)) return true; return false; }
    if (n->kind == NODE_E_NAME) {
        symbol *s = symbol_find(c, n->text);
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0) return !l->more && within_empty(c, kid(l, 1), depth + 1);
            }
    }
    return false;
}

/* Nothing changes but where the walker is. */
static bool only_walks(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: return kid(n, 2) && within_empty(c, kid(n, 2), 0);
    case NODE_A_SLIDE: return kid(n, 1) && within_empty(c, kid(n, 1), 0);
    case NODE_A_WHEN: return true;
    case NODE_A_SEQUENCE: case NODE_A_CHOICE: for (int i = 0; i < n->count; i++) if (!only_walks(c, n->kids[i], depth + 1)) return false; return n->count > 0;
    case NODE_A_DO: {
        const node *r = rule_called(n);
        if (!c->in_piece || !r || !r->text || r->kind != NODE_E_NAME) return false;
        bool some = false;
        for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, r->text) == 0) { some = true; if (!only_walks(c, kid(c->rules[i].item, 1), depth + 1)) return false; }
        return some;
    }
    default: return false;
    }
}

static int count_prefers(const node *n, bool top)
{
    if (!n) return 0;
    if (n->kind == NODE_A_PREFER) return 1;
    if (n->kind == NODE_A_SEQUENCE) {
        if (!top && (n->flags & FLAG_BRACES)) return 0;
        int k = 0;
        for (int i = 0; i < n->count; i++) k += count_prefers(n->kids[i], false);
        return k;
    }
    if (n->kind == NODE_A_IF) {
        int k = 0;
        for (int i = 1; i < n->count; i++) {
            const node *b = n->kids[i];
            if (!b) continue;
            if (b->kind == NODE_A_SEQUENCE) for (int j = 0; j < b->count; j++) k += count_prefers(b->kids[j], false);
            else k += count_prefers(b, true);
        }
        return k;
    }
    return 0;
}

/* ---- blocks ---------------------------------------------------------------------------------------------------------------------------------------- */
static void lower_plain(compiler *c, const node *n);

/* Behind a commit point the blocks with preferences around begin anew: they compare the runs since then. */
static void reopen_prefers(compiler *c)
{
    for (int i = 0; i < c->open_prefer_count; i++) emit(c, OP_PREFER_FROM, c->open_prefers[i].reg, 0, 0, 0, c->open_prefers[i].count);
}

/* A block: its names end with it; `prefer` in it compares its runs. */
void lower_block(compiler *c, const node *n)
{
    scope s = scope_open(c);
    int prefers = count_prefers(n, true), reg = c->prefer_reg, count = c->prefer_count, total = c->prefer_total;
    if (prefers) {
        c->prefer_reg = ++c->prefer_blocks;
        if (prefers > 4) diag_add(c->d, "E0384", n->at, "at most four preferences can stand in one block");
        c->prefer_count = 0;
        c->prefer_total = prefers;
        emit(c, OP_PREFER_FROM, c->prefer_reg, 0, 0, 0, prefers);
        if (c->open_prefer_count == 24) diag_add(c->d, "E0384", n->at, "preferences in more than 24 blocks around each other");
        else { c->open_prefers[c->open_prefer_count].reg = c->prefer_reg; c->open_prefers[c->open_prefer_count++].count = prefers; }
    }
    const int opened = c->open_prefer_count;
    lower_plain(c, n);
    c->open_prefer_count = prefers && opened ? opened - 1 : opened;
    c->prefer_reg = reg;
    c->prefer_count = count;
    c->prefer_total = total;
    scope_close(c, s);
}

void lower_action(compiler *c, const node *n)
{
    if (!n) return;
    if (n->flags & FLAG_BRACES) lower_block(c, n);
    else lower_plain(c, n);
}

static void lower_sequence(compiler *c, const node *n)
{
    const bool follows = c->leg_follows;
    for (int i = 0; i < n->count; i++) {
        c->leg_follows = i + 1 < n->count ? starts_with_leg(c, n->kids[i + 1], 0) : follows;
        int env = c->env_count, num = c->num_top, set = c->set_top, bag = c->bag_top;
        lower_action(c, n->kids[i]);
        /* what a guard asks of the place a walk begins at stays in its registers till the first leg: plan.c asks it of all places */
        if (c->env_count == env && n->kids[i]->kind != NODE_A_WHEN) { c->num_top = num; c->set_top = set; c->bag_top = bag; }
    }
    c->leg_follows = follows;
}

/* One of several alternatives; words joined by commas are a block of their own if they prefer something. */
static void lower_branch(compiler *c, const node *n)
{
    if (n && n->kind == NODE_A_SEQUENCE && !(n->flags & FLAG_BRACES) && count_prefers(n, true)) lower_block(c, n);
    else lower_action(c, n);
}

/* Names that each of several alternatives makes stay known after them, in the registers of the first. */
/* Does the code from here fail at once, whatever the position? So does what an option closes. */
static bool is_closed(const game *g, uint32_t pc)
{
    while (pc < g->code_count && g->code[pc].op == OP_RULE) pc++;
    return pc < g->code_count && g->code[pc].op == OP_FAIL && g->code[pc].d < 0;
}

static void lower_choices(compiler *c, const node *n)
{
    int32_t starts[64];
    uint32_t ends[64];
    int env = c->env_count, reuse = c->reuse_count;
    const bool pending = c->pending;
    bool pending_after = false;
    int count = n->count > 64 ? 64 : n->count;
    if (n->count > 64) diag_add(c->d, "E0380", n->at, "more than 64 alternatives in one choice");
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
    binding first[32];
    int first_count = 0, open = 0;
    for (int i = 0; i < count; i++) {
        const int always_count = c->always_count;
        starts[open] = (int32_t)here_label(c);
        c->pending = pending;
        c->env_count = env;
        for (int j = 0; j < first_count && c->reuse_count < 64; j++) { c->reuse[c->reuse_count].name = first[j].name; c->reuse[c->reuse_count++].v = first[j].v; }
        int num = c->num_top, set = c->set_top;
        lower_branch(c, n->kids[i]);
        c->reuse_count = reuse;
        if (c->env_count == env) { c->num_top = num; c->set_top = set; }
        if (i == 0) for (int j = env; j < c->env_count && first_count < 32; j++) first[first_count++] = c->env[j];
        else
            for (int j = 0; j < first_count; j++) {
                bool there = false;
                for (int k = env; k < c->env_count; k++) there |= strcmp(c->env[k].name, first[j].name) == 0;
                if (!there) first[j--] = first[--first_count];
            }
        if (is_closed(c->g, (uint32_t)starts[open])) { c->g->code_count = (uint32_t)starts[open]; c->always_count = always_count; continue; }
        pending_after |= c->pending;
        ends[open++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    }
    c->env_count = env;
    for (int j = 0; j < first_count; j++) bind(c, first[j].name, first[j].v);
    for (int i = 0; i < open; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    ins *choice = &c->g->code[alt];
    if (open > 1) *choice = (ins){ .op = OP_ALT, .c = choice->c, .d = list_add(c, starts, open), .e = open };
    else if (open == 1) *choice = (ins){ .op = OP_JUMP, .d = starts[0] };
    else *choice = (ins){ .op = OP_FAIL, .d = -1 };
    c->pending = pending_after;
}

static void lower_else(compiler *c, const node *n)
{
    int env = c->env_count, reuse = c->reuse_count;
    const bool pending = c->pending;
    uint32_t other = emit(c, OP_ELSE, 0, 0, 0, 0, 0);
    lower_branch(c, kid(n, 0));
    binding made[32];
    int made_count = 0;
    for (int i = env; i < c->env_count && made_count < 32; i++) made[made_count++] = c->env[i];
    uint32_t end = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    const bool pending_a = c->pending;
    patch(c, other, here_label(c));
    c->pending = pending;
    c->env_count = env;
    for (int i = 0; i < made_count && c->reuse_count < 64; i++) { c->reuse[c->reuse_count].name = made[i].name; c->reuse[c->reuse_count++].v = made[i].v; }
    lower_branch(c, kid(n, 1));
    c->reuse_count = reuse;
    patch(c, end, here_label(c));
    for (int i = 0; i < made_count; i++) {
        bool there = false;
        for (int k = env; k < c->env_count; k++) there |= strcmp(c->env[k].name, made[i].name) == 0;
        if (!there) made[i--] = made[--made_count];
    }
    c->env_count = env;
    for (int i = 0; i < made_count; i++) bind(c, made[i].name, made[i].v);
    c->pending |= pending_a;
}

static void lower_if(compiler *c, const node *n)
{
    scope s = scope_open(c);
    value cond = lower_truth(c, kid(n, 0));
    const node *yes = kid(n, 1), *no = kid(n, 2);
    const bool pending = c->pending;
    if (cond.type == T_ERROR || cond.constant) {
        const bool open = cond.type == T_ERROR || cond.k;
        for (int i = 0; i < 2; i++) {
            const node *branch = i ? no : yes;
            if (!branch) continue;
            uint32_t mark = c->g->code_count;
            int always_count = c->always_count;
            scope inner = scope_open(c);
            c->pending = pending;
            if (branch->kind == NODE_A_SEQUENCE) lower_plain(c, branch); else lower_action(c, branch);
            scope_close(c, inner);
            if ((i == 0) != open) { c->g->code_count = mark; c->pending = pending; c->always_count = always_count; }
        }
        here_label(c);
        scope_close(c, s);
        return;
    }
    uint32_t skip = emit(c, OP_JUMP_NO, cond.reg, 0, 0, 0, 0);
    emit_mark(c, MARK_HELD, kid(n, 0));
    c->num_top = s.num;
    c->set_top = s.set;
    scope inner = scope_open(c);
    if (yes && yes->kind == NODE_A_SEQUENCE) lower_plain(c, yes); else lower_action(c, yes);
    scope_close(c, inner);
    bool pending_yes = c->pending;
    if (no || c->marked) {
        uint32_t end = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
        patch(c, skip, here_label(c));
        emit_mark(c, MARK_FAILED, kid(n, 0));
        c->pending = pending;
        if (no && no->kind == NODE_A_SEQUENCE) lower_plain(c, no); else lower_action(c, no);
        scope_close(c, inner);
        patch(c, end, here_label(c));
    } else {
        patch(c, skip, here_label(c));
        c->pending = pending;
    }
    c->pending |= pending_yes;
    scope_close(c, s);
}

/* ---- repetition -------------------------------------------------------------------------------------------------------------------------------------- */
static void emit_exit_or_again(compiler *c, uint32_t again)
{
    int32_t list[2] = { (int32_t)c->g->code_count + 1, (int32_t)again };
    emit(c, OP_ALT, 0, 0, 0, list_add(c, list, 2), 2);
    here_label(c);
}

static void lower_optional(compiler *c, const node *n)
{
    const bool pending = c->pending;
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, 2);
    int32_t list[2] = { (int32_t)here_label(c), 0 };
    const int always_count = c->always_count;
    lower_block(c, kid(n, 0));
    if (is_closed(c->g, (uint32_t)list[0])) {
        c->g->code_count = alt;
        c->always_count = always_count;
        c->pending = pending;
        here_label(c);
        return;
    }
    list[1] = (int32_t)here_label(c);
    patch(c, alt, (uint32_t)list_add(c, list, 2));
    c->pending |= pending;
}

static void lower_chance_loop(compiler *c, const node *n)
{
    const bool was = c->until_chance;
    c->until_chance = true;
    scope s = scope_open(c);
    lower_plain(c, kid(n, 0));
    value cond = lower_truth(c, kid(n, 1));
    if (cond.type != T_ERROR) emit(c, OP_UNTIL, num_operand(c, &cond), 0, 0, 0, 0);
    scope_close(c, s);
    c->until_chance = was;
}

typedef struct { opcode seen; int reg, second, id; } loop;

static uint32_t emit_seen(compiler *c, const loop *l) { return emit(c, l->seen, l->reg, l->second, l->id, 0, 0); }

/* {A}*: the player may stop before it, and each time. */
static void loop_any(compiler *c, const node *body, const loop *l)
{
    const uint32_t first = here_label(c), alt = emit(c, OP_ALT, 0, 0, 0, 0, 2);
    int32_t list[2] = { 0, (int32_t)here_label(c) };
    lower_block(c, body);
    const uint32_t seen = emit_seen(c, l);
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)first, 0);
    list[0] = (int32_t)here_label(c);
    patch(c, alt, (uint32_t)list_add(c, list, 2));
    patch(c, seen, c->g->code_count);
}

/* {A}+: once, and then the player may stop each time. */
static void loop_some(compiler *c, const node *body, const loop *l)
{
    const uint32_t first = here_label(c);
    lower_block(c, body);
    const uint32_t seen = emit_seen(c, l);
    emit_exit_or_again(c, first);
    patch(c, seen, c->g->code_count);
}

/* A jump if the condition holds; 0 if it is at fault. */
static uint32_t jump_when(compiler *c, const node *until)
{
    scope inner = scope_open(c);
    const value cond = lower_truth(c, until);
    const uint32_t jump = cond.type == T_ERROR ? 0 : emit(c, OP_JUMP_YES, num_operand(c, &cond), 0, 0, 0, 0);
    scope_close(c, inner);
    return jump;
}

static void loop_until(compiler *c, const node *body, const node *until, bool star, const loop *l)
{
    const uint32_t early = star ? jump_when(c, until) : 0, first = here_label(c);
    lower_block(c, body);
    const uint32_t body_end = emit(c, OP_BODY_END, 0, 0, 0, 0, l->id), seen = emit(c, OP_LOOP_SEEN, l->reg, l->second, l->id, 0, 0);
    c->stuck_loop = l->id;
    c->stuck_pc = first;
    const uint32_t done = jump_when(c, until);
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)first, 0);
    /* a repetition that returns to a situation ends only if its condition holds: it never will */
    patch(c, seen, here_label(c));
    emit(c, OP_FAIL, 0, 0, 0, -1, 0);
    here_label(c);
    patch(c, body_end, c->g->code_count);
    if (done) patch(c, done, c->g->code_count);
    if (early) patch(c, early, c->g->code_count);
}

static void lower_loop(compiler *c, const node *n)
{
    const node *body = kid(n, 0), *until = kid(n, 1);
    if (n->text[0] == '?') { lower_optional(c, n); return; }
    if (until && draws(body) && !has_choice(c, body, 0)) { lower_chance_loop(c, n); return; }
    scope s = scope_open(c);
    const bool star = n->text[0] == '*', follows = c->leg_follows, pending = c->pending;
    const bool flood = !until && only_walks(c, body, 0) && !c->g->uses_passed;
    const int stuck = c->stuck_loop;
    const uint32_t stuck_pc = c->stuck_pc;
    loop l = { .seen = flood ? OP_FLOOD_SEEN : OP_LOOP_SEEN, .id = c->flood_most++ };
    l.reg = num_reg(c);
    l.second = num_reg(c);
    c->leg_follows = starts_with_leg(c, body, 0) || follows;
    emit(c, flood ? OP_FLOOD : OP_LOOP, l.reg, l.second, 0, l.id, 0);
    if (until) loop_until(c, body, until, star, &l);
    else if (star) loop_any(c, body, &l);
    else loop_some(c, body, &l);
    c->stuck_loop = stuck;
    c->stuck_pc = stuck_pc;
    c->leg_follows = follows;
    c->pending |= pending;
    if (!follows) settle_now(c);
    scope_close(c, s);
}

/* The ends of what numbers are taken from. */
static value range_low(const value *v) { return v->type != T_RANGE ? *v : v->low_constant ? value_number(v->low_k) : value_reg(T_NUMBER, v->low); }
static value range_high(const value *v) { return v->type != T_RANGE ? *v : v->high_constant ? value_number(v->high_k) : value_reg(T_NUMBER, v->high); }

/* The body of `each`, and again. */
static void each_body(compiler *c, const node *n, uint32_t again, uint32_t out)
{
    lower_block(c, kid(n, 1));
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)again, 0);
    patch(c, out, here_label(c));
}

static void each_kind(compiler *c, const node *n, const value *v)
{
    for (int i = 0; i < v->kind_count; i++) {
        scope inner = scope_open(c);
        value k = *v;
        k.kinds = v->kinds + i;
        k.kind_count = 1;
        bind(c, n->text, k);
        lower_block(c, kid(n, 1));
        scope_close(c, inner);
    }
}

static void each_number(compiler *c, const node *n, const value *v, int x)
{
    const value low = range_low(v), high = range_high(v);
    if (n->flags & FLAG_RANDOM) diag_add(c->d, "E0381", n->at, "`each random` goes over a set of cells");
    const int end = num_reg(c), over = num_reg(c);
    emit(c, OP_MOVE, x, num_operand(c, &low), 0, 0, 0);
    emit(c, OP_MOVE, end, num_operand(c, &high), 0, 0, 0);
    const uint32_t again = here_label(c);
    emit(c, OP_LT, over, end, x, 0, 0);
    const uint32_t out = emit(c, OP_JUMP_YES, over, 0, 0, 0, 0);
    bind(c, n->text, value_reg(T_NUMBER, x));
    lower_block(c, kid(n, 1));
    emit(c, OP_ADD, x, x, num_const(c, 1), 0, 0);
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)again, 0);
    patch(c, out, here_label(c));
}

/* Players, or directions: bits of a number. */
static void each_bit(compiler *c, const node *n, const value *v, int x)
{
    const int left = num_reg(c), low = num_reg(c), none = num_reg(c);
    if (v->type == T_PLAYERS || !v->constant) emit(c, OP_MOVE, left, num_operand(c, v), 0, 0, 0);
    else emit(c, OP_RELATION, left, 0, 0, relation_index(c, v), 0);
    if (v->type == T_RELATION && !v->constant) emit(c, OP_MOVE, left, v->reg, 0, 0, 0);
    const uint32_t again = here_label(c);
    emit(c, OP_LOWEST, x, left, 0, 0, 0);
    emit(c, OP_LT, none, x, num_const(c, 0), 0, 0);
    const uint32_t out = emit(c, OP_JUMP_YES, none, 0, 0, 0, 0);
    emit(c, OP_BIT_OF, low, x, 0, 0, 0);
    emit(c, OP_BITS_ANDN, left, left, low, 0, 0);
    bind(c, n->text, v->type == T_PLAYERS ? value_reg(T_PLAYER, x) : (value){ .type = T_RELATION, .reg = low, .times = -1, .single = true });
    each_body(c, n, again, out);
}

static void each_place(compiler *c, const node *n, const value *v, int x)
{
    const int left = set_reg(c);
    emit(c, OP_S_COPY, left, set_operand(c, v), 0, 0, 0);
    bind(c, n->text, value_reg(T_PLACE, x));
    const int any = n->flags & FLAG_RANDOM ? num_reg(c) : 0;
    const uint32_t again = here_label(c);
    if (!(n->flags & FLAG_RANDOM)) { each_body(c, n, again, emit(c, OP_S_POP, x, left, 0, 0, 0)); return; }
    emit(c, OP_ANY, any, left, 0, 0, 0);
    const uint32_t out = emit(c, OP_JUMP_NO, any, 0, 0, 0, 0);
    emit(c, OP_RANDOM, x, left, 0, 0, under_until(c));
    reopen_prefers(c);
    emit(c, OP_S_LESS, left, x, 0, 0, 0);
    each_body(c, n, again, out);
}

static void each_of(compiler *c, const node *n)
{
    value v = lower(c, kid(n, 0));
    const bool random = n->flags & FLAG_RANDOM;
    if (v.type == T_ERROR) { bind(c, n->text, v); lower_block(c, kid(n, 1)); return; }
    if (v.type == T_KINDS && v.constant && !random && kid(n, 0)->kind != NODE_E_NAME) { each_kind(c, n, &v); return; }
    const int x = num_reg(c);
    if (v.type == T_RANGE || v.type == T_NUMBER) { each_number(c, n, &v, x); return; }
    if (v.type == T_PLAYERS || v.type == T_RELATION) { each_bit(c, n, &v, x); return; }
    v = to_set(c, v, kid(n, 0));
    if (v.type == T_ERROR) { bind(c, n->text, v); lower_block(c, kid(n, 1)); return; }
    each_place(c, n, &v, x);
}

static void lower_each(compiler *c, const node *n)
{
    scope s = scope_open(c);
    each_of(c, n);
    scope_close(c, s);
}

static void emit_commit(compiler *c)
{
    settle_now(c);
    emit(c, OP_COMMIT, 0, 0, 0, 0, 0);
    reopen_prefers(c);
    here_label(c);
}

/* The code from `begin` on is a round of `by everyone` in which all choose at once. */
static void round_add(compiler *c, uint32_t begin)
{
    game *g = c->g;
    g->rounds = realloc(g->rounds, (size_t)(g->round_count + 1) * sizeof *g->rounds);
    if (!g->rounds) abort();
    g->rounds[g->round_count].begin = begin;
    g->rounds[g->round_count++].end = g->code_count;
}

static void lower_by(compiler *c, const node *n)
{
    scope s = scope_open(c);
    const bool choice = has_choice(c, kid(n, 1), 0), piece = c->in_piece;
    const int saved = num_reg(c), who = num_reg(c);
    settle_now(c);
    emit(c, OP_MOVE, saved, HEAD(H_MOVER), 0, 0, 0);
    if (is_name(kid(n, 0), "everyone") && !symbol_find(c, "everyone")) {
        int left = num_reg(c), none = num_reg(c), bit = num_reg(c);
        const uint32_t begin = emit(c, OP_EVERYONE, left, 0, 0, 0, 0);
        uint32_t again = here_label(c);
        emit(c, OP_LOWEST, who, left, 0, 0, 0);
        emit(c, OP_LT, none, who, num_const(c, 0), 0, 0);
        uint32_t out = emit(c, OP_JUMP_YES, none, 0, 0, 0, 0);
        emit(c, OP_BIT_OF, bit, who, 0, 0, 0);
        emit(c, OP_BITS_ANDN, left, left, bit, 0, 0);
        emit(c, OP_MOVER, who, 0, 0, 0, 0);
        if (choice) emit_commit(c);
        c->in_piece = false;
        lower_block(c, kid(n, 1));
        settle_now(c);
        emit(c, OP_JUMP, 0, 0, 0, (int32_t)again, 0);
        patch(c, out, here_label(c));
        emit(c, OP_MOVER, saved, 0, 0, 0, 0);
        if (choice) { emit_commit(c); round_add(c, begin); }
        c->in_piece = piece;
        scope_close(c, s);
        return;
    }
    value p = lower_player(c, kid(n, 0));
    uint32_t out = 0;
    bool test = p.type == T_PLAYER && !p.constant && p.reg != HEAD(H_MOVER);
    if (p.type == T_PLAYER) {
        emit(c, OP_MOVE, who, num_operand(c, &p), 0, 0, 0);
        if (test || (p.constant && p.k < 0)) { int none = num_reg(c); emit(c, OP_LT, none, who, num_const(c, 0), 0, 0); out = emit(c, OP_JUMP_YES, none, 0, 0, 0, 0); test = true; }
        emit(c, OP_MOVER, who, 0, 0, 0, 0);
    }
    const bool border = choice && !(p.type == T_PLAYER && p.reg == HEAD(H_MOVER) && !p.constant);
    if (border) emit_commit(c);
    c->in_piece = false;
    lower_block(c, kid(n, 1));
    settle_now(c);
    c->in_piece = piece;
    emit(c, OP_MOVER, saved, 0, 0, 0, 0);
    if (border) emit_commit(c);
    if (test) patch(c, out, here_label(c));
    scope_close(c, s);
}

/* ---- decisions ------------------------------------------------------------------------------------------------------------------------------------------ */
static value reused(compiler *c, const char *name, type t)
{
    for (int i = c->reuse_count; i-- > 0;) if (strcmp(c->reuse[i].name, name) == 0 && c->reuse[i].v.type == t && !c->reuse[i].v.constant) return c->reuse[i].v;
    return value_reg(t, num_reg(c));
}

static void pick_name_clash(compiler *c, const node *n)
{
    const symbol *s = symbol_find(c, n->text);
    if (!s && !is_standard_name(n->text)) return;
    diag_add(c->d, "E0382", word_at(c, n, n->text), s ? "'%s' is already a name of this file; choose another for what is picked" : "'%s' is a standard name of the language; choose another for what is picked", n->text);
    if (s && s->where) diag_note(c->d, word_at(c, s->where, s->name), "first here");
}

/* What was picked by this instruction has a name from here on; by chance, preferences begin anew. */
static void picked(compiler *c, const node *n, value r)
{
    if (n->flags & FLAG_RANDOM) reopen_prefers(c);
    bind(c, n->text, r);
}

static void pick_direction(compiler *c, const node *n, const value *v)
{
    const bool random = n->flags & FLAG_RANDOM;
    value r = reused(c, n->text, T_RELATION);
    int m = v->reg;
    r.single = true;
    if (v->constant) {
        value plain = *v;
        plain.times = -1;
        m = num_reg(c);
        emit(c, OP_RELATION, m, 0, 0, relation_index(c, &plain), 0);
    }
    r.times = v->times;
    emit(c, random ? OP_RANDOM_BIT : OP_PICK_BIT, r.reg, m, 1, 5, random ? under_until(c) : 0);
    picked(c, n, r);
}

static void pick_player(compiler *c, const node *n, const value *v)
{
    const bool random = n->flags & FLAG_RANDOM;
    const value r = reused(c, n->text, T_PLAYER);
    int m = num_operand(c, v);
    if (v->type == T_PLAYER) { const int b = num_reg(c); emit(c, OP_BIT_OF, b, m, 0, 0, 0); m = b; }
    emit(c, random ? OP_RANDOM_BIT : OP_PICK_BIT, r.reg, m, 0, 7, random ? under_until(c) : 0);
    picked(c, n, r);
}

static void pick_kind(compiler *c, const node *n, const value *v)
{
    const value r = reused(c, n->text, T_KINDS);
    if (n->flags & FLAG_RANDOM) emit(c, OP_RANDOM_KIND, r.reg, v->kind_count, 0, v->kinds, under_until(c));
    else emit(c, OP_PICK_KIND, r.reg, 0, 0, v->kinds, v->kind_count);
    picked(c, n, r);
}

static void pick_number(compiler *c, const node *n, const value *v)
{
    const bool random = n->flags & FLAG_RANDOM;
    const value low = range_low(v), high = range_high(v), r = reused(c, n->text, T_NUMBER);
    const int a = num_operand(c, &low), b = num_operand(c, &high);
    emit(c, random ? OP_RANDOM_NUMBER : OP_PICK_NUMBER, r.reg, a, b, 0, random ? under_until(c) : 0);
    picked(c, n, r);
}

static void pick_of_bag(compiler *c, const node *n, const value *v)
{
    const value r = reused(c, n->text, T_NUMBER);
    const int b = bag_operand(c, v);
    if (n->flags & FLAG_RANDOM) diag_add(c->d, "E0381", n->at, "chance picks a cell, a direction, a number of a range, a player or a kind");
    emit(c, OP_PICK_BAG, r.reg, b, 0, 0, 0);
    bind(c, n->text, r);
}

static void pick_place(compiler *c, const node *n, const value *v, bool walker)
{
    const bool random = n->flags & FLAG_RANDOM;
    const int x = set_operand(c, v);
    const value r = walker ? value_reg(T_PLACE, num_reg(c)) : reused(c, n->text, T_PLACE);
    emit(c, random ? OP_RANDOM : OP_PICK, r.reg, x, 0, walker, random ? under_until(c) : 0);
    if (random) reopen_prefers(c);
    if (!walker) bind(c, n->text, r);
}

/* A number that is a cell's name. */
static bool number_is_cell(compiler *c, const value *v) { return v->type == T_NUMBER && v->constant && cell_named(c->g, arena_format(c->a, "%lld", (long long)v->k)) >= 0; }

static void lower_pick(compiler *c, const node *n)
{
    const node *from = kid(n, 0);
    const bool walker = strcmp(n->text, "here") == 0;
    settle_now(c);
    if (!walker) pick_name_clash(c, n);
    value v = lower(c, from);
    if (v.type == T_ERROR) { if (!walker) bind(c, n->text, v); return; }
    if (walker && v.type != T_SET && v.type != T_PLACE) v = to_set(c, v, from);
    if (v.type == T_ERROR) return;
    const bool kinds = v.type == T_KINDS && v.constant && v.kind_count && (from->kind == NODE_E_CALL || from->kind == NODE_E_NAME || from->kind == NODE_E_OR);
    if (v.type == T_RELATION) { pick_direction(c, n, &v); return; }
    if (v.type == T_PLAYERS || v.type == T_PLAYER) { pick_player(c, n, &v); return; }
    if (kinds) { pick_kind(c, n, &v); return; }
    if ((v.type == T_NUMBER || v.type == T_RANGE) && !number_is_cell(c, &v)) { pick_number(c, n, &v); return; }
    if (v.type == T_BAG) { pick_of_bag(c, n, &v); return; }
    if (v.type != T_SET && v.type != T_PLACE) v = to_set(c, v, from);
    if (v.type == T_ERROR) bind(c, n->text, v);
    else pick_place(c, n, &v, walker);
}

/* How many dice are thrown: if it is known, some, but not too many. */
static value dice_number(compiler *c, const node *n)
{
    value many = lower_number(c, n);
    if (many.type == T_NUMBER && many.constant && (many.k < 1 || many.k > BAG_MAX)) {
        diag_add(c->d, "E0383", n->at, "a throw is of 1 to %d dice, not %lld", BAG_MAX, (long long)many.k);
        return value_number(1);
    }
    return many;
}

static void lower_roll(compiler *c, const node *n)
{
    const node *what = kid(n, 0), *dice_node = what;
    value many = value_number(1);
    bool several = false;
    if (what && what->kind == NODE_E_ROW && what->count == 2) { several = true; many = dice_number(c, what->kids[0]); dice_node = what->kids[1]; }
    symbol *s = dice_node && dice_node->kind == NODE_E_NAME ? symbol_find(c, dice_node->text) : NULL;
    if (s && s->kind == SYMBOL_NONE) return;
    if (!s && dice_node && dice_node->kind == NODE_E_NAME && !is_standard_name(dice_node->text)) { unknown_name(c, dice_node, dice_node->text, "no dice are called"); return; }
    if (!s || s->kind != SYMBOL_DICE) { diag_add(c->d, "E0383", what ? what->at : n->at, "`roll` is followed by dice, as in `roll die` or `roll 2 pair`"); return; }
    s->used++;
    const dice_info *d = &c->g->dice[s->index];
    settle_now(c);
    if (d->many && !several) emit(c, OP_ROLL, s->index, num_const(c, 1), 0, 0, under_until(c));
    else emit(c, OP_ROLL, s->index, several ? num_operand(c, &many) : NONE, 0, 0, under_until(c));
    reopen_prefers(c);
    c->g->has_chance = true;
}

static int label_index(compiler *c, const char *label) { return label ? name_index(c, label) : -1; }

static void lower_filter(compiler *c, const node *n)
{
    const bool illegal = n->kind == NODE_A_ILLEGAL;
    if (!kid(n, 0)) { emit(c, OP_FAIL, 0, 0, 0, label_index(c, n->more), 0); return; }
    value v = lower_truth(c, kid(n, 0));
    if (v.type == T_ERROR) return;
    if (v.constant) { if ((v.k != 0) == illegal) emit(c, OP_FAIL, 0, 0, 0, label_index(c, n->more), 0); return; }
    uint32_t over = emit(c, illegal ? OP_JUMP_NO : OP_JUMP_YES, v.reg, 0, 0, 0, 0);
    emit_mark(c, illegal ? MARK_HELD : MARK_FAILED, kid(n, 0));
    emit(c, OP_FAIL, 0, 0, 0, label_index(c, n->more), 0);
    patch(c, over, here_label(c));
    emit_mark(c, illegal ? MARK_FAILED : MARK_HELD, kid(n, 0));
}

static void lower_prefer(compiler *c, const node *n)
{
    value v = lower(c, kid(n, 0));
    if (v.type == T_ERROR) return;
    if (v.type == T_SET || v.type == T_PLACE || v.type == T_KINDS) { diag_add(c->d, "E0384", n->at, "a number is wanted after `prefer`, found a set; write `prefer count %s` or `prefer any %s`", print_short(c, kid(n, 0)), print_short(c, kid(n, 0))); return; }
    if (v.type != T_NUMBER && v.type != T_TRUTH) { diag_add(c->d, "E0384", n->at, "a number or a yes or no is wanted after `prefer`, found %s", type_names[v.type]); return; }
    if (c->prefer_total == 0) return;
    int index = c->prefer_count++;
    emit(c, OP_PREFER, 0, num_operand(c, &v), c->prefer_reg, 0, index);
}

static int result_code(const char *w) { return strcmp(w, "win") == 0 ? 0 : strcmp(w, "lose") == 0 ? 1 : strcmp(w, "draw") == 0 ? 2 : 3; }

static void lower_result(compiler *c, const node *n)
{
    uint32_t over = 0;
    bool test = false;
    settle_now(c);
    if (kid(n, 1)) {
        value v = lower_truth(c, kid(n, 1));
        if (v.type == T_ERROR) return;
        if (v.constant && !v.k) return;
        if (!v.constant) { over = emit(c, OP_JUMP_NO, v.reg, 0, 0, 0, 0); test = true; }
    }
    int who = NONE;
    if (kid(n, 0)) {
        value p = lower_player(c, kid(n, 0));
        if (p.type == T_ERROR) return;
        who = num_operand(c, &p);
    }
    emit_rules_done(c);
    emit(c, OP_RESULT, result_code(n->text), who, 0, name_index(c, n->text), -1);
    if (test) patch(c, over, here_label(c));
}

/* ---- legs -------------------------------------------------------------------------------------------------------------------------------------------------- */
static int leg_add(compiler *c, leg l)
{
    game *g = c->g;
    g->legs = grow(g->legs, &c->leg_capacity, g->leg_count + 1, sizeof *g->legs);
    g->legs[g->leg_count] = l;
    return g->leg_count++;
}

static int target_operand(compiler *c, const node *n)
{
    if (!n) return -1;
    bool was = c->as_place;
    c->as_place = true;
    value v = lower(c, n);
    c->as_place = was;
    check_set(c, &v, n, NULL);
    if (v.type == T_TRUTH && n->kind == NODE_E_ROW) { diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found a yes or no"); return -2; }
    v = v.type == T_ERROR ? v : to_set(c, v, n);
    return v.type == T_ERROR ? -2 : set_operand(c, &v);
}

static value leg_relation(compiler *c, const node *n)
{
    if (!n) { value v = { .type = T_RELATION, .constant = true, .times = -1 }; for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = c->g->ways; return v; }
    value v = lower(c, n);
    check_directions(c, &v, n);
    if (v.type == T_ERROR || v.type == T_RELATION) return v;
    if (v.type == T_SET || v.type == T_PLACE) diag_add(c->d, "E0385", n->at, "a direction is wanted here, found %s; where the step leads stands after `to`", type_names[v.type]);
    else if (v.type == T_NUMBER) diag_add(c->d, "E0385", n->at, "a direction is wanted here, found a number; it says how often: `%s ahead`", print_short(c, n));
    else diag_add(c->d, "E0385", n->at, "a direction is wanted here, found %s", type_names[v.type]);
    return value_error();
}

static bool pattern_add(compiler *c, leg *l, const node *over)
{
    game *g = c->g;
    bool good = true;
    uint16_t sets[32];
    if (over->count > 20) { diag_add(c->d, "E0386", over->at, "more than 20 parts in what is passed over"); return false; }
    const bool widen = c->widen;
    c->widen = false;           /* what is passed over stands as it stands */
    for (int i = 0; i < over->count; i++) {
        const node *p = over->kids[i];
        int s = p ? target_operand(c, kid(p, 0)) : -2;
        if (s < 0) good = false;
        sets[i] = (uint16_t)(s < 0 ? 0 : s);
    }
    c->widen = widen;
    l->pattern = g->pattern_count;
    l->pattern_count = over->count;
    for (int i = 0; i < over->count; i++) {
        g->patterns = grow(g->patterns, &c->pattern_capacity, g->pattern_count + 1, sizeof *g->patterns);
        g->patterns[g->pattern_count++] = (pattern_item){ over->kids[i] && over->kids[i]->text ? over->kids[i]->text[0] : '1', sets[i] };
    }
    return good;
}

/* Where the leg leads and what it may pass ... */
static bool leg_over(compiler *c, const node *n, const value *r, leg *l)
{
    *l = (leg){ .target = -1, .slide = n->kind == NODE_A_SLIDE };
    bool good = r->type != T_ERROR;
    const node *over = n->kind == NODE_A_STEP ? kid(n, 1) : NULL;
    if (over && over->count && !pattern_add(c, l, over)) good = false;
    if (good) l->relation = relation_index(c, r);
    return good;
}

bool leg_way(compiler *c, const node *n, leg *l)
{
    const value r = leg_relation(c, kid(n, 0));
    return leg_over(c, n, &r, l);
}

/* ... and where it may land. */
bool leg_target(compiler *c, const node *n, leg *l)
{
    l->target = target_operand(c, kid(n, n->kind == NODE_A_STEP ? 2 : 1));
    return l->target != -2;
}

static void lower_leg(compiler *c, const node *n)
{
    leg l;
    const int outer = c->way;
    value r = leg_relation(c, kid(n, 0));
    value once = r;
    once.times = -1;
    c->way = r.type == T_RELATION && r.constant ? relation_index(c, &once) + 1 : 0;
    const bool way = leg_over(c, n, &r, &l), good = leg_target(c, n, &l) && way;
    c->way = outer;
    if (!good) return;
    l.settle = !c->leg_follows;
    if (!l.settle) c->pending = true;
    emit(c, OP_STEP, leg_add(c, l), 0, 0, 0, 0);
}

/* ---- making pieces --------------------------------------------------------------------------------------------------------------------------------------------- */
/* What `place` and `drop` speak of: a number, an owner, kinds; or a set of pieces. */
typedef struct { int owner; bool owner_given; int many; value kinds; value pieces; bool is_pieces, good; } makings;

static makings lower_makings(compiler *c, const node *n)
{
    makings m = { .owner = HEAD(H_MOVER), .many = NONE, .good = false };
    const node *words[16];
    int count = 0;
    if (!n) return m;
    if (n->kind == NODE_E_ROW && n->count > 16) { diag_add(c->d, "E0387", n->at, "a kind of piece is wanted here, found %d words", n->count); return m; }
    if (n->kind == NODE_E_ROW) for (int i = 0; i < n->count; i++) words[count++] = n->kids[i];
    else words[count++] = n;
    value kinds = value_error(), pieces = value_error();
    for (int i = 0; i < count; i++) {
        const node *w = words[i];
        if (is_name(w, "neutral")) { m.owner = NONE; m.owner_given = true; continue; }
        if (is_name(w, "own")) { m.owner = HEAD(H_MOVER); m.owner_given = true; continue; }
        if (is_name(w, "enemy") && static_type(c, words[count - 1]) == T_KINDS && i + 1 < count) { value p = lower_player(c, w); m.owner = num_operand(c, &p); m.owner_given = true; continue; }
        value v = lower(c, w);
        if (v.type == T_ERROR) return m;
        if (v.type == T_PLAYER) { if (v.none) { m.owner = NONE; } else m.owner = num_operand(c, &v); m.owner_given = true; continue; }
        if (v.type == T_NUMBER && i + 1 < count) { m.many = num_operand(c, &v); continue; }
        if (v.type == T_MANY) { m.many = v.low; v.type = T_KINDS; }
        if (v.type == T_KINDS) {
            if (kinds.type == T_KINDS) { diag_add(c->d, "E0387", w->at, "two kinds side by side; write `or` between them"); return m; }
            kinds = v;
            continue;
        }
        if (v.type == T_SET || v.type == T_PLACE) { pieces = pieces.type == T_ERROR ? v : set_and(c, pieces, v); continue; }
        diag_add(c->d, "E0387", w->at, "a kind of piece is wanted here, found %s", type_names[v.type]);
        return m;
    }
    if (kinds.type == T_KINDS && pieces.type == T_ERROR) { m.kinds = kinds; m.good = true; return m; }
    if (pieces.type != T_ERROR) {
        m.is_pieces = true;
        m.pieces = kinds.type == T_KINDS ? set_and(c, pieces, to_set(c, kinds, n)) : pieces;
        m.good = true;
        return m;
    }
    diag_add(c->d, "E0387", n->at, "a kind of piece is wanted here");
    return m;
}

/* A zone named by a node: `hand`, `hand of P`, `yard of owner`. zone: number operand of the zone instance, or of the first if by_owner. */
typedef struct { bool is_zone, by_owner; int zone; int place; } destination;

static destination zone_named(compiler *c, const node *n)
{
    destination d = { .is_zone = false };
    const node *name = n, *whose = NULL;
    if (n && n->kind == NODE_E_OF) { name = kid(n, 0); whose = kid(n, 1); }
    if (!name || name->kind != NODE_E_NAME) return d;
    for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, name->text) == 0) return d;
    symbol *s = symbol_find(c, name->text);
    if (!s || s->kind != SYMBOL_ZONE) return d;
    s->used++;
    d.is_zone = true;
    const int first = c->zone_first[s->index];
    if (!c->zone_of_player[s->index]) {
        if (whose) diag_add(c->d, "E0388", n->at, "zone '%s' belongs to all, not to a player", s->name);
        d.zone = num_const(c, first);
        return d;
    }
    if (whose && is_name(whose, "owner")) { d.by_owner = true; d.zone = num_const(c, first); return d; }
    value p = whose ? lower_player(c, whose) : value_reg(T_PLAYER, HEAD(H_MOVER));
    if (p.type == T_ERROR) { d.zone = num_const(c, first); return d; }
    if (p.constant) { d.zone = num_const(c, first + (p.k < 0 ? 0 : p.k)); return d; }
    d.zone = num_reg(c);
    emit(c, OP_ADD, d.zone, p.reg, num_const(c, first), 0, 0);
    return d;
}

static int kind_list(const value *kinds, int *count)
{
    *count = kinds->kind_count;
    return kinds->kinds;
}

static void lower_place(compiler *c, const node *n)
{
    settle_now(c);
    makings m = lower_makings(c, kid(n, 0));
    if (m.good && m.is_pieces) {
        const char *what = print_short(c, kid(n, 0)), *where = print_short(c, kid(n, 1));
        diag_add(c->d, "E0389", n->at, "`place` makes new pieces of a kind; to move what stands there write `send %s to %s`", what, where);
        return;
    }
    destination d = zone_named(c, kid(n, 1));
    value on = d.is_zone ? value_error() : lower_set(c, kid(n, 1));
    if (!d.is_zone) check_set(c, &on, kid(n, 1), NULL);
    if (!m.good || (!d.is_zone && on.type == T_ERROR)) return;
    if (!m.kinds.constant) {
        /* a kind known only in play: one of each that it could be */
        if (d.is_zone) { diag_add(c->d, "E0387", n->at, "the kind of a new piece in a zone must be known beforehand"); return; }
        int x = set_operand(c, &on);
        int32_t one = 0;
        emit(c, OP_PLACE, x, m.owner, m.many, list_add(c, &one, 1), 1);
        emit(c, OP_BECOME_KIND, x, m.kinds.reg, 0, 0, 0);
        return;
    }
    int count, list = kind_list(&m.kinds, &count);
    if (d.is_zone && m.many < REGS && c->g->const_num[m.many] > ZONE_MOST) {
        diag_add(c->d, "E0400", kid(n, 0)->at, "a zone holds at most %d pieces", ZONE_MOST);
        return;
    }
    if (d.is_zone) emit(c, OP_PLACE_ZONE, d.zone, m.owner, m.many, list, count);
    else emit(c, OP_PLACE, set_operand(c, &on), m.owner, m.many, list, count);
}

static void lower_drop(compiler *c, const node *n)
{
    settle_now(c);
    makings m = lower_makings(c, kid(n, 0));
    destination d = zone_named(c, kid(n, 1));
    int target = -2;
    if (d.is_zone) {
        /* into a zone: it is the only place */
        value z = lower(c, kid(n, 1));
        (void)z;
        int p = num_reg(c), s = set_reg(c);
        emit(c, OP_ADD, p, d.zone, num_const(c, c->g->cells), 0, 0);
        emit(c, OP_S_PLACE, s, p, 0, 0, 0);
        target = s;
    } else target = target_operand(c, kid(n, 1));
    if (!m.good || target < 0) return;
    if (m.is_pieces) { emit(c, OP_DROP_FROM, target, set_operand(c, &m.pieces), 0, 0, 0); return; }
    if (!m.kinds.constant) { diag_add(c->d, "E0387", n->at, "the kind to drop must be known beforehand; `pick` it before and let `drop` name each"); return; }
    int count, list = kind_list(&m.kinds, &count);
    emit(c, OP_DROP, target, m.owner, 0, list, count);
}

/* `top n of S`, or S alone: the set, and how many of each (-1: the top one). */
static bool lower_pieces(compiler *c, const node *n, int *set, int *many)
{
    *many = -1;
    const node *s = n;
    if (n && n->kind == NODE_E_TOP) {
        value k = lower_number(c, kid(n, 0));
        if (k.type == T_ERROR) return false;
        *many = num_operand(c, &k);
        s = kid(n, 1);
    }
    value v = lower_set(c, s);
    if (v.type == T_ERROR) return false;
    *set = set_operand(c, &v);
    return true;
}

static void lower_take(compiler *c, const node *n)
{
    settle_now(c);
    int set, many;
    if (!lower_pieces(c, kid(n, 0), &set, &many)) return;
    emit(c, OP_TAKE, set, many < 0 ? NONE : many, 0, 0, 0);
}

static void lower_send(compiler *c, const node *n)
{
    settle_now(c);
    int set, many;
    bool good = lower_pieces(c, kid(n, 0), &set, &many);
    if (strcmp(n->text, "along") == 0) {
        value r = lower_relation(c, kid(n, 1));
        if (good && r.type != T_ERROR) emit(c, OP_SEND_ALONG, set, 0, 0, relation_index(c, &r), 0);
        return;
    }
    destination d = zone_named(c, kid(n, 1));
    if (d.is_zone) { if (good) emit(c, OP_SEND_ZONE, set, d.zone, d.by_owner, many, 0); return; }
    value to = lower(c, kid(n, 1));
    if (to.type == T_ERROR || !good) return;
    if (to.type == T_RELATION) { diag_add(c->d, "E0390", kid(n, 1)->at, "a cell or a zone is wanted after `to`, found directions; write `send ... along %s`", print_short(c, kid(n, 1))); return; }
    if (to.type != T_PLACE) {
        to = to_set(c, to, kid(n, 1));
        if (to.type == T_ERROR) return;
        int r = num_reg(c);
        emit(c, OP_FIRST, r, set_operand(c, &to), 0, 0, 0);
        to = value_reg(T_PLACE, r);
    }
    emit(c, OP_SEND, set, num_operand(c, &to), strcmp(n->text, "under") == 0, many, 0);
}

/* ---- changing ------------------------------------------------------------------------------------------------------------------------------------------------------ */
static void become_one(compiler *c, int set, const node *w)
{
    const bool negative = w->kind == NODE_E_NOT;
    const node *b = negative ? kid(w, 0) : w;
    if (b && b->kind == NODE_E_NAME) {
        symbol *s = symbol_find(c, b->text);
        bool local = false;
        for (int i = c->env_count; i-- > c->env_base;) local |= strcmp(c->env[i].name, b->text) == 0;
        if (!local && s && s->kind == SYMBOL_KEEP) {
            const keep *k = &c->g->keeps[s->index];
            s->used++;
            if (k->type != KEEP_FLAG || (k->of != KEEP_CELL && k->of != KEEP_PIECE)) { diag_add(c->d, "E0391", w->at, "'%s' is not a flag of cells or pieces; write `%s = ...`", b->text, b->text); return; }
            emit(c, OP_FLAG, set, 0, !negative, s->index, 0);
            return;
        }
        if (!negative && !local && (strcmp(b->text, "own") == 0 || strcmp(b->text, "mover") == 0)) { emit(c, OP_BECOME_OWNER, set, HEAD(H_MOVER), 0, 0, 0); return; }
        if (!negative && !local && strcmp(b->text, "enemy") == 0) { value p = lower_player(c, b); emit(c, OP_BECOME_OWNER, set, num_operand(c, &p), 0, 0, 0); return; }
        if (!negative && !local && strcmp(b->text, "neutral") == 0) { emit(c, OP_BECOME_OWNER, set, num_const(c, -1), 0, 0, 0); return; }
    }
    if (negative) { diag_add(c->d, "E0391", w->at, "only a flag can be taken back with `not`"); return; }
    if (b && b->kind == NODE_E_NAME && !symbol_find(c, b->text) && !is_standard_name(b->text)) {
        bool local = false;
        for (int i = c->env_count; i-- > c->env_base;) local |= strcmp(c->env[i].name, b->text) == 0;
        if (!local) {
            const char *near = nearest_name(c, b->text);
            if (near) diag_add(c->d, "E0391", w->at, "no kind, owner or flag '%s'; did you mean '%s'?", b->text, near);
            else diag_add(c->d, "E0391", w->at, "no kind, owner or flag '%s'", b->text);
            return;
        }
    }
    value v = lower(c, b);
    if (v.type == T_ERROR) return;
    if (v.type == T_PLAYER) { emit(c, OP_BECOME_OWNER, set, num_operand(c, &v), 0, 0, 0); return; }
    if (v.type == T_KINDS && (!v.constant || v.kind_count == 1)) { emit(c, OP_BECOME_KIND, set, num_operand(c, &v), 0, 0, 0); return; }
    diag_add(c->d, "E0391", w->at, "pieces become a kind, an owner or a flag, found %s", type_names[v.type]);
}

static void lower_becomes(compiler *c, const node *n)
{
    settle_now(c);
    value s = lower_set(c, kid(n, 0));
    if (s.type == T_ERROR || !kid(n, 1)) return;
    int set = set_operand(c, &s);
    /* the set is looked up once, although a change may alter it */
    if (n->kids[1]->kind == NODE_E_ROW && n->kids[1]->count > 1) {
        int copy = set_reg(c);
        emit(c, OP_S_COPY, copy, set, 0, 0, 0);
        for (int i = 0; i < n->kids[1]->count; i++) if (n->kids[1]->kids[i]) become_one(c, copy, n->kids[1]->kids[i]);
        return;
    }
    become_one(c, set, n->kids[1]);
}

static int set_how(const char *op) { return op[0] == '+' ? 1 : op[0] == '-' ? 2 : 0; }

/* `x = 60` where x lies within 0..50. */
static void warn_beyond(compiler *c, const keep *k, const value *v, const node *n)
{
    if (!v->constant || k->type != KEEP_NUMBER) return;
    if (v->k > k->high) diag_add(c->d, "W0394", n->at, "'%s' can never be more than %lld: it will be %lld", k->name, (long long)k->high, (long long)k->high);
    if (v->k < k->low) diag_add(c->d, "W0394", n->at, "'%s' can never be less than %lld: it will be %lld", k->name, (long long)k->low, (long long)k->low);
}

static bool kept_value(compiler *c, const keep *k, value *v, const node *n)
{
    type want = k->type == KEEP_FLAG ? T_TRUTH : k->type == KEEP_NUMBER ? T_NUMBER : k->type == KEEP_IN_CELLS ? T_PLACE : k->type == KEEP_IN_WAYS ? T_RELATION : k->type == KEEP_IN_KINDS ? T_KINDS : T_PLAYER;
    if (v->type == T_ERROR) return false;
    if (want == T_PLACE && v->type == T_NUMBER) *v = to_set(c, *v, n);
    if (want == T_PLACE && v->type == T_SET) { int r = num_reg(c); emit(c, OP_FIRST, r, set_operand(c, v), 0, 0, 0); *v = value_reg(T_PLACE, r); }
    if (v->type == T_PLAYER && v->none && want != T_TRUTH && want != T_NUMBER) { *v = value_number(-1); return true; }
    if (v->type == want) {
        if (want == T_RELATION) {
            int r = num_reg(c), m;
            if (v->constant) { m = num_reg(c); emit(c, OP_RELATION, m, 0, 0, relation_index(c, v), 0); } else m = v->reg;
            emit(c, OP_LOWEST, r, m, 0, 0, 0);
            *v = value_reg(T_NUMBER, r);
        }
        return true;
    }
    if (want == T_NUMBER && v->type == T_TRUTH) diag_add(c->d, "E0364", n->at, "a yes or no among numbers; write `(1 when %s else 0)`", print_short(c, n));
    else if (want == T_NUMBER && v->type == T_SET) diag_add(c->d, "E0392", n->at, "'%s' keeps a number, found a set of cells; write `count %s`", k->name, print_short(c, n));
    else if (want == T_NUMBER && v->type == T_BAG) diag_add(c->d, "E0364", n->at, "several numbers; write `sum(%s)`", print_short(c, n));
    else diag_add(c->d, "E0392", n->at, "'%s' keeps %s, found %s", k->name, type_names[want], type_names[v->type]);
    return false;
}

static void set_keep(compiler *c, const node *n, symbol *s, const node *target)
{
    const keep *k = &c->g->keeps[s->index];
    const int how = set_how(n->text);
    s->used++;
    if (how && k->type != KEEP_NUMBER) { diag_add(c->d, "E0392", n->at, "'%s' is no number; `%s` needs one", k->name, n->text); return; }
    if (k->of == KEEP_CELL || k->of == KEEP_PIECE) {
        if (!target) { diag_add(c->d, "E0393", n->at, "say of what: `%s of here %s ...`", k->name, n->text); return; }
        bool was = c->as_place;
        c->as_place = true;
        value to = lower_set(c, target);
        c->as_place = was;
        value v = lower(c, kid(n, 1));
        if (to.type == T_ERROR || v.type == T_ERROR) return;
        if (k->type == KEEP_FLAG) {
            if (v.type != T_TRUTH || !v.constant) { diag_add(c->d, "E0392", n->at, "a flag of cells or pieces is set with `becomes`: `%s becomes %s`", print_short(c, target), k->name); return; }
            emit(c, OP_FLAG, set_operand(c, &to), 0, v.k != 0, s->index, 0);
            return;
        }
        if (v.type == T_FIELD && k->type == KEEP_NUMBER) { emit(c, OP_SET_FIELD, set_operand(c, &to), v.reg, 0, s->index, how); return; }
        if (!kept_value(c, k, &v, kid(n, 1))) return;
        if (how == 0) warn_beyond(c, k, &v, kid(n, 1));
        emit(c, OP_SET, set_operand(c, &to), num_operand(c, &v), 0, s->index, how);
        return;
    }
    value who = value_reg(T_PLAYER, HEAD(H_MOVER));
    if (target) {
        if (k->of != KEEP_PLAYER) { diag_add(c->d, "E0393", n->at, "'%s' is of the game, not of something", k->name); return; }
        who = lower_player(c, target);
        if (who.type == T_ERROR) return;
    }
    value v = lower(c, kid(n, 1));
    if (!kept_value(c, k, &v, kid(n, 1))) return;
    if (how == 0) warn_beyond(c, k, &v, kid(n, 1));
    int x = num_operand(c, &v);
    const int32_t low = (int32_t)(k->type == KEEP_NUMBER ? k->low : k->type == KEEP_FLAG ? 0 : -1), high = (int32_t)(k->type == KEEP_FLAG ? 1 : k->high);
    if (k->of == KEEP_GAME) {
        if (how) emit(c, how == 1 ? OP_ADD : OP_SUB, k->where, k->where, x, 0, 0);
        else emit(c, OP_MOVE, k->where, x, 0, 0, 0);
        emit(c, OP_CLAMP, k->where, 0, 0, low, high);
        return;
    }
    int p = num_operand(c, &who);
    if (how) {
        int old = num_reg(c), sum = num_reg(c);
        emit(c, OP_LOAD, old, k->where, p, 0, 0);
        emit(c, how == 1 ? OP_ADD : OP_SUB, sum, old, x, 0, 0);
        x = sum;
    }
    emit(c, OP_STORE, k->where, p, x, low, high);
}

static void set_dice(compiler *c, const node *n, symbol *s)
{
    dice_info *d = &c->g->dice[s->index];
    const int how = set_how(n->text);
    s->used++;
    value v = lower(c, kid(n, 1));
    if (v.type == T_ERROR) return;
    if (!d->many) {
        if (v.type != T_NUMBER || how) { diag_add(c->d, "E0395", n->at, "'%s' shows one number", d->name); return; }
        emit(c, OP_MOVE, d->number, num_operand(c, &v), 0, 0, 0);
    } else if (how == 0) {
        v = to_bag(c, v, kid(n, 1));
        if (v.type == T_ERROR) return;
        emit(c, OP_BAG_COPY, d->bag, bag_operand(c, &v), 0, 0, 0);
    } else if (v.type == T_NUMBER) emit(c, how == 1 ? OP_BAG_ADD : OP_BAG_DROP, d->bag, num_operand(c, &v), 0, 0, 0);
    else if (v.type == T_BAG && how == 1) emit(c, OP_BAG_JOIN, d->bag, bag_operand(c, &v), 0, 0, 0);
    else { diag_add(c->d, "E0395", n->at, "numbers are added to or taken from '%s'", d->name); return; }
    if (c->in_test && how == 0) emit(c, OP_FIX_DICE, s->index, 0, 0, 0, 0);
}

static void set_local(compiler *c, const node *n, const value *old)
{
    const int how = set_how(n->text);
    value v = lower(c, kid(n, 1));
    if (v.type == T_ERROR || old->type == T_ERROR) return;
    if (old->type == T_PLACE && v.type == T_SET) { int r = num_reg(c); emit(c, OP_FIRST, r, set_operand(c, &v), 0, 0, 0); v = value_reg(T_PLACE, r); }
    if (old->type == T_SET && v.type != T_SET) v = to_set(c, v, kid(n, 1));
    if (v.type != old->type) { if (v.type != T_ERROR) diag_add(c->d, "E0396", n->at, "this name stands for %s, found %s", type_names[old->type], type_names[v.type]); return; }
    if (how) {
        if (v.type != T_NUMBER) { diag_add(c->d, "E0396", n->at, "`%s` needs numbers", n->text); return; }
        emit(c, how == 1 ? OP_ADD : OP_SUB, old->reg, old->reg, num_operand(c, &v), 0, 0);
    } else if (v.type == T_SET) emit(c, OP_S_COPY, old->reg, set_operand(c, &v), 0, 0, 0);
    else if (v.type == T_BAG) emit(c, OP_BAG_COPY, old->reg, bag_operand(c, &v), 0, 0, 0);
    else emit(c, OP_MOVE, old->reg, num_operand(c, &v), 0, 0, 0);
}

static void lower_set_action(compiler *c, const node *n)
{
    const node *place = kid(n, 0), *name = place, *target = NULL;
    settle_now(c);
    if (!place) return;
    if (place->kind == NODE_E_OF) { name = kid(place, 0); target = kid(place, 1); }
    if (!name || name->kind != NODE_E_NAME) { diag_add(c->d, "E0397", place->at, "only something kept, a local name, dice, `here` and `next` can be given a value"); lower(c, kid(n, 1)); return; }
    if (!target) {
        for (int i = c->env_count; i-- > c->env_base;)
            if (strcmp(c->env[i].name, name->text) == 0) {
                if (c->env[i].v.constant || c->env[i].v.reg >= SET_CONSTS || c->env[i].v.reg < REGS) {
                    if (c->env[i].v.type == T_ERROR) return;
                    if (c->env[i].v.type != T_BAG) { diag_add(c->d, "E0397", place->at, "'%s' was handed in and cannot be changed", name->text); return; }
                }
                value old = c->env[i].v;
                set_local(c, n, &old);
                return;
            }
        if (strcmp(name->text, "here") == 0) {
            value v = lower(c, kid(n, 1));
            if (v.type == T_ERROR) return;
            if (v.type != T_PLACE) {
                bool was = c->as_place;
                c->as_place = true;
                v = v.zone ? lower_set(c, kid(n, 1)) : to_set(c, v, kid(n, 1));
                c->as_place = was;
                if (v.type == T_ERROR) return;
                int r = num_reg(c);
                emit(c, OP_FIRST, r, set_operand(c, &v), 0, 0, 0);
                v = value_reg(T_PLACE, r);
            }
            emit(c, OP_HERE, num_operand(c, &v), 0, 0, 0, 0);
            return;
        }
        if (strcmp(name->text, "next") == 0) {
            value p = lower_player(c, kid(n, 1));
            if (p.type != T_ERROR) emit(c, OP_MOVE, HEAD(H_NEXT), num_operand(c, &p), 0, 0, 0);
            return;
        }
    }
    symbol *s = symbol_find(c, name->text);
    if (s && s->kind == SYMBOL_KEEP) { set_keep(c, n, s, target); return; }
    if (s && s->kind == SYMBOL_DICE && !target) { set_dice(c, n, s); return; }
    if (s && s->kind == SYMBOL_NONE) { lower(c, kid(n, 1)); return; }
    if (s || is_standard_name(name->text) || cell_named(c->g, name->text) >= 0) diag_add(c->d, "E0397", place->at, "'%s' cannot be given a value", name->text);
    else unknown_name(c, name, name->text, "nothing here is called");
}

static void lower_let_action(compiler *c, const node *n)
{
    if (is_standard_name(n->text) || (symbol_find(c, n->text) && symbol_find(c, n->text)->kind != SYMBOL_RULE)) {
        symbol *s = symbol_find(c, n->text);
        diag_add(c->d, "E0382", word_at(c, n, n->text), s ? "'%s' is already a name of this file; choose another" : "'%s' is a standard name of the language; choose another", n->text);
        if (s && s->where) diag_note(c->d, word_at(c, s->where, s->name), "first here");
        lower(c, kid(n, 0));
        return;
    }
    bool is_set = false;
    int reg = num_reg(c), set = set_reg(c);
    value v = lower(c, kid(n, 0));
    switch (v.type) {
    case T_ERROR: bind(c, n->text, v); return;
    case T_KINDS: if (v.constant) { bind(c, n->text, v); return; } break;
    case T_RELATION: if (v.constant) { bind(c, n->text, v); return; } break;
    case T_WORD: case T_RANGE: case T_FIELD: case T_MANY: diag_add(c->d, "E0398", kid(n, 0)->at, "`let` keeps a set, a number, a yes or no, a direction, a kind or a player, found %s", type_names[v.type]); bind(c, n->text, value_error()); return;
    case T_SET: is_set = true; break;
    case T_BAG: { int b = bag_reg(c), from = bag_operand(c, &v); emit(c, OP_BAG_COPY, b, from, 0, 0, 0); bind(c, n->text, value_reg(T_BAG, b)); return; }
    default: break;
    }
    value kept = value_reg(v.type, is_set ? set : reg);
    if (is_set) emit(c, OP_S_COPY, set, set_operand(c, &v), 0, 0, 0);
    else emit(c, OP_MOVE, reg, num_operand(c, &v), 0, 0, 0);
    kept.times = v.times;
    kept.single = v.single;
    bind(c, n->text, kept);
}

/* ---- rules ---------------------------------------------------------------------------------------------------------------------------------------------------------- */
static bool set4_any(const uint64_t *a, const uint64_t *b) { for (int i = 0; i < 4; i++) if (a[i] & b[i]) return true; return false; }
static bool set4_within(const uint64_t *a, const uint64_t *b) { for (int i = 0; i < 4; i++) if (a[i] & ~b[i]) return false; return true; }

static value kinds_set(compiler *c, const uint64_t set[4])
{
    int32_t list[KINDS_MAX];
    int n = 0;
    for (int k = 0; k < c->g->kind_count; k++) if (set[k / 64] >> (k % 64) & 1) list[n++] = k;
    return to_set(c, (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, list, n), .kind_count = n, .times = -1 }, NULL);
}

static bool speaks_of_walk(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return n != NULL;
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) {
        const char *w = n->text;
        if (n->kind == NODE_E_NAME && (strcmp(w, "here") == 0 || strcmp(w, "start") == 0 || strcmp(w, "passed") == 0 || strcmp(w, "it") == 0 || strcmp(w, "stuck") == 0)) return true;
        for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, w) == 0) return true;
        symbol *s = symbol_find(c, w);
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, w) == 0 && speaks_of_walk(c, kid(l, 1), depth + 1)) return true;
            }
    }
    if (n->kind == NODE_E_CAN) return true;
    for (int i = 0; i < n->count; i++) if (speaks_of_walk(c, n->kids[i], depth + 1)) return true;
    return false;
}

/* Targets of the first legs that do not depend on the walker are worked out once, before it is picked. */
static void hoist_targets(compiler *c, const node *n, int depth)
{
    if (!n || depth > 10) return;
    if (n->kind == NODE_A_SEQUENCE) { hoist_targets(c, kid(n, 0), depth + 1); return; }
    if (n->kind == NODE_A_CHOICE) { for (int i = 0; i < n->count; i++) hoist_targets(c, n->kids[i], depth + 1); return; }
    if (n->kind != NODE_A_STEP && n->kind != NODE_A_SLIDE) return;
    const node *to = kid(n, n->kind == NODE_A_STEP ? 2 : 1);
    if (!to || to->kind == NODE_E_NAME || speaks_of_walk(c, to, 0) || c->hoisted_count == 32) return;
    size_t errors = c->d->errors;
    int s = target_operand(c, to);
    if (s < 0 || c->d->errors != errors) return;
    c->hoisted[c->hoisted_count].n = to;
    c->hoisted[c->hoisted_count++].set = s;
}

static bool bind_params(compiler *c, const rule *r, const node *call, const value *args)
{
    const node *params = kid(r->item, 0);
    int want = params ? params->count : 0, have = call && call->kind == NODE_E_CALL ? call->count : 0;
    if (want > 16) return false;
    if (want != have) { diag_add(c->d, "E0336", call ? call->at : r->item->at, "rule '%s' takes %d argument%s, found %d", r->name, want, want == 1 ? "" : "s", have); return false; }
    for (int i = 0; i < want && i < 16; i++) if (params->kids[i]) bind(c, params->kids[i]->text, args[i]);
    return true;
}

/* The body of a rule, where its walk stands or begins. */
static void rule_body(compiler *c, const rule *r, const node *call, const value *args, bool piece)
{
    for (int i = 0; i < c->open_rule_count; i++)
        if (c->open_rules[i] == r->item) { diag_add(c->d, "E0335", call ? call->at : r->item->at, "rule '%s' goes on with itself; a repetition is written { ... }+", r->name); return; }
    if (c->open_rule_count == 32) { diag_add(c->d, "E0335", r->item->at, "rules call each other too deeply"); return; }
    int base = c->env_base, count = c->env_count, reuse = c->reuse_count;
    const bool in_piece = c->in_piece;
    scope s = scope_open(c);
    c->env_base = c->env_count;
    c->reuse_count = 0;
    c->in_piece = piece;
    c->open_rules[c->open_rule_count++] = r->item;
    if (bind_params(c, r, call, args)) lower_block(c, kid(r->item, 1));
    emit_mark(c, MARK_RULE, r->item);
    c->open_rule_count--;
    c->in_piece = in_piece;
    c->env_base = base;
    c->reuse_count = reuse;
    scope_close(c, s);
    c->env_count = count;
    if (!c->leg_follows) settle_now(c);
}

static void fresh_walk(compiler *c, const rule *r, const node *call, const value *args)
{
    scope s = scope_open(c);
    const uint32_t begun = emit(c, OP_RULE, 0, 0, 0, name_index(c, r->name), 0);
    if (r->of_piece && !r->picks_here) {
        uint64_t kinds[4];
        memcpy(kinds, c->walk_kinds, sizeof kinds);
        value own = value_reg(T_SET, SET_OWN), of = kinds_set(c, r->kinds);
        value from = set_and(c, own, of);
        if (!kid(r->item, 0)) hoist_targets(c, kid(r->item, 1), 0);
        int here = num_reg(c);
        int32_t low[2] = { (int32_t)(uint32_t)r->kinds[0], (int32_t)(uint32_t)(r->kinds[0] >> 32) };
        int walkers = r->kinds[1] | r->kinds[2] | r->kinds[3] ? 0 : list_add(c, low, 2);
        emit(c, OP_PICK, here, set_operand(c, &from), walkers < 60000 ? walkers : 0, 1, 0);
        memcpy(c->walk_kinds, r->kinds, sizeof r->kinds);
        rule_body(c, r, call, args, true);
        memcpy(c->walk_kinds, kinds, sizeof kinds);
    } else {
        uint64_t kinds[4];
        memcpy(kinds, c->walk_kinds, sizeof kinds);
        memset(c->walk_kinds, 0xFF, sizeof c->walk_kinds);
        rule_body(c, r, call, args, r->of_piece);
        memcpy(c->walk_kinds, kinds, sizeof kinds);
    }
    c->g->code[begun].e = (int32_t)c->g->code_count;
    scope_close(c, s);
}

static int rules_named(const compiler *c, const char *name, bool of_piece, const rule **out, int cap)
{
    int n = 0;
    for (int i = 0; i < c->rule_count && n < cap; i++) if (c->rules[i].of_piece == of_piece && strcmp(c->rules[i].name, name) == 0) out[n++] = &c->rules[i];
    return n;
}

/* The same piece goes on, by the rule its kind has at that moment. */
static void going_on(compiler *c, const rule *const *pieces, int count, const rule *const *others, int other_count, const node *call, const value *args)
{
    uint32_t ends[64];
    int end_count = 0;
    const bool pending = c->pending;
    bool pending_after = false, disjoint = true, covered = false;
    uint64_t all[4] = { 0 };
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) if (set4_any(pieces[i]->kinds, pieces[j]->kinds)) disjoint = false;
        for (int j = 0; j < 4; j++) all[j] |= pieces[i]->kinds[j];
    }
    if (!c->kinds_change && set4_within(c->walk_kinds, all)) covered = true;
    int32_t starts[64];
    uint32_t alt = 0;
    if (!disjoint) alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
    int branches = 0;
    for (int i = 0; i < count && branches < 60; i++) {
        if (!c->kinds_change && !set4_any(pieces[i]->kinds, c->walk_kinds)) continue;
        c->pending = pending;
        starts[branches++] = (int32_t)here_label(c);
        const bool sure = !c->kinds_change && set4_within(c->walk_kinds, pieces[i]->kinds);
        uint32_t skip = 0;
        if (!sure) {
            scope s = scope_open(c);
            value k = kinds_set(c, pieces[i]->kinds);
            int t = num_reg(c);
            emit(c, OP_HOLDS, t, HEAD(H_HERE), set_operand(c, &k), 0, 0);
            skip = emit(c, OP_JUMP_NO, t, 0, 0, 0, 0);
            scope_close(c, s);
        }
        rule_body(c, pieces[i], call, args, true);
        pending_after |= c->pending;
        ends[end_count++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
        if (!sure) { patch(c, skip, here_label(c)); if (!disjoint) emit(c, OP_FAIL, 0, 0, 0, -1, 0); }
    }
    if (disjoint && !(covered && branches == 1 && end_count == 1 && set4_within(c->walk_kinds, pieces[0]->kinds))) {
        if (other_count && count == 0) {
            c->pending = pending;
            if (other_count > 1) alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
            for (int i = 0; i < other_count && branches < 60; i++) {
                starts[branches++] = (int32_t)here_label(c);
                c->pending = pending;
                rule_body(c, others[i], call, args, false);
                pending_after |= c->pending;
                ends[end_count++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
            }
            if (other_count > 1) { patch(c, alt, (uint32_t)list_add(c, starts, branches)); c->g->code[alt].e = branches; }
        } else emit(c, OP_FAIL, 0, 0, 0, -1, 0);
    }
    if (!disjoint) { patch(c, alt, (uint32_t)list_add(c, starts, branches)); c->g->code[alt].e = branches; }
    for (int i = 0; i < end_count; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    c->pending = pending_after;
}

void lower_call(compiler *c, const node *call, bool fresh)
{
    const char *name = call->text;
    const rule *pieces[64], *others[64];
    int piece_count = rules_named(c, name, true, pieces, 60), other_count = rules_named(c, name, false, others, 60);
    if (piece_count + other_count == 0) {
        const char *words[256];
        size_t n = 0;
        for (int i = 0; i < c->rule_count && n < 256; i++) words[n++] = c->rules[i].name;
        const char *near = nearest_word(name, words, n);
        symbol *s = symbol_find(c, name);
        if (s || is_standard_name(name)) diag_add(c->d, "E0399", call->at, "'%s' is not a rule: nothing is done here", name);
        else if (declared_wrong(c, call->at, name, near)) return;
        else if (near) diag_add(c->d, "E0399", call->at, "no rule is called '%s'; did you mean '%s'?", name, near);
        else diag_add(c->d, "E0399", call->at, "no rule is called '%s'", name);
        return;
    }
    value args[16];
    for (int i = 0; call->kind == NODE_E_CALL && i < call->count && i < 16; i++) args[i] = lower(c, call->kids[i]);
    settle_now(c);
    if (!fresh) emit(c, OP_RULE, 0, 0, 0, name_index(c, name), 0);
    if (!fresh) { going_on(c, pieces, piece_count, others, other_count, call, args); return; }
    if (piece_count + other_count == 1) { fresh_walk(c, piece_count ? pieces[0] : others[0], call, args); return; }
    int32_t starts[128];
    uint32_t ends[128];
    int n = 0;
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, piece_count + other_count);
    for (int i = 0; i < piece_count + other_count; i++) {
        starts[n] = (int32_t)here_label(c);
        c->pending = false;
        fresh_walk(c, i < piece_count ? pieces[i] : others[i - piece_count], call, args);
        ends[n++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    }
    for (int i = 0; i < n; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    patch(c, alt, (uint32_t)list_add(c, starts, n));
}

int lower_can(compiler *c, const char *name, const node *at)
{
    for (int i = 0; i < c->inside_cans; i++) if (strcmp(c->inside_can[i], name) == 0) { int r = num_reg(c); emit(c, OP_MOVE, r, num_const(c, 1), 0, 0, 0); return r; }
    bool some = false;
    for (int i = 0; i < c->rule_count; i++) some |= strcmp(c->rules[i].name, name) == 0;
    if (!some && (symbol_find(c, name) || is_standard_name(name))) { diag_add(c->d, "E0399", word_at(c, at, name), "'%s' is not a rule: `can` asks whether a rule could be done", name); return -1; }
    if (c->inside_cans == 16) { diag_add(c->d, "E0335", at->at, "`can` asks too deeply"); return -1; }
    c->inside_can[c->inside_cans++] = name;
    int r = num_reg(c);
    scope s = scope_open(c);
    const bool pending = c->pending, follows = c->leg_follows;
    const node *open[32];
    int open_count = c->open_rule_count;
    memcpy(open, c->open_rules, sizeof open);
    c->open_rule_count = 0;
    uint32_t over = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    uint32_t pc = here_label(c);
    node call = { .kind = NODE_E_NAME, .text = name, .at = word_at(c, at, name) };
    c->leg_follows = false;
    c->pending = false;
    if (pending) emit(c, OP_SETTLE, 0, 0, 0, 0, 0);
    size_t errors = c->d->errors;
    lower_call(c, &call, !c->in_piece);
    if (c->d->errors == errors) lower_filters(c, false);
    emit(c, OP_CAN_DONE, 0, 0, 0, 0, 0);
    patch(c, over, here_label(c));
    memcpy(c->open_rules, open, sizeof open);
    c->open_rule_count = open_count;
    c->pending = pending;
    c->leg_follows = follows;
    scope_close(c, s);
    c->inside_cans--;
    emit(c, OP_CAN, r, 0, 0, (int32_t)pc, 0);
    return r;
}

static void lower_do(compiler *c, const node *n)
{
    const node *what = kid(n, 0);
    if (!what) return;
    if (what->kind == NODE_E_NAME || what->kind == NODE_E_CALL) { lower_call(c, what, !c->in_piece); return; }
    diag_add(c->d, "E0399", n->at, "this does nothing: an action is wanted here, found an expression");
    lower(c, what);
}

static void lower_known(compiler *c, const node *n);
static void lower_seen(compiler *c, const node *n)
{
    value s = lower_set(c, kid(n, 0));
    int who = 65535;
    if (!is_name(kid(n, 1), "everyone")) {
        value p = lower_player(c, kid(n, 1));
        if (p.type != T_PLAYER) return;
        who = num_operand(c, &p);
    }
    if (s.type == T_ERROR || c->g->seen_first < 0) return;
    emit(c, OP_SEEN, set_operand(c, &s), who, 0, 0, 0);
}

static void lower_plain(compiler *c, const node *n)
{
    if (!n || spent(c, n)) return;
    const node *doing = c->doing;
    c->doing = n;
    lower_known(c, n);
    c->doing = doing;
}

static void lower_known(compiler *c, const node *n)
{
    switch (n->kind) {
    case NODE_A_SEQUENCE: lower_sequence(c, n); break;
    case NODE_A_NOTHING: case NODE_BROKEN: break;
    case NODE_A_CHOICE: lower_choices(c, n); break;
    case NODE_A_ELSE: lower_else(c, n); break;
    case NODE_A_IF: lower_if(c, n); break;
    case NODE_A_LOOP: lower_loop(c, n); break;
    case NODE_A_EACH: lower_each(c, n); break;
    case NODE_A_BY: lower_by(c, n); break;
    case NODE_A_PICK: lower_pick(c, n); break;
    case NODE_A_ROLL: lower_roll(c, n); break;
    case NODE_A_AGAIN: emit(c, OP_AGAIN, 0, 0, 0, 0, 0); break;
    case NODE_A_PASS: settle_now(c); emit(c, OP_PASS, 0, 0, 0, 0, 0); break;
    case NODE_A_COMMIT: emit_commit(c); break;
    case NODE_A_WHEN: case NODE_A_ILLEGAL: settle_now(c); lower_filter(c, n); break;
    case NODE_A_PREFER: settle_now(c); lower_prefer(c, n); break;
    case NODE_A_RESULT: lower_result(c, n); break;
    case NODE_A_STEP: case NODE_A_SLIDE: lower_leg(c, n); break;
    case NODE_A_DROP: lower_drop(c, n); break;
    case NODE_A_TAKE: lower_take(c, n); break;
    case NODE_A_PLACE: lower_place(c, n); break;
    case NODE_A_SEND: lower_send(c, n); break;
    case NODE_A_BECOMES: lower_becomes(c, n); break;
    case NODE_A_SEEN: lower_seen(c, n); break;
    case NODE_A_SET: lower_set_action(c, n); break;
    case NODE_A_LET: lower_let_action(c, n); break;
    case NODE_A_WRITTEN: lower_written(c, n); break;
    case NODE_A_DO: lower_do(c, n); break;
    case NODE_A_RANK:
        if (c->in_setup || c->in_test) emit(c, OP_RANK, 0, 0, 0, name_index(c, n->text), 0);
        else diag_add(c->d, "E0399", n->at, "a text is a rank of a diagram in `setup`; here it does nothing");
        break;
    default: diag_add(c->d, "E0399", n->at, "an action is wanted here"); break;
    }
}
