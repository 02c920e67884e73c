/* Repetition, `each`, and who does it. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

/* Where a repetition may be left, its choice says which way leaves it (a: 1 + its place): a move that stops there is told from one that goes on. */
enum { FIRST_STOPS = 1, SECOND_STOPS = 2 };

static void emit_exit_or_again(compiler *c, uint32_t again)
{
    int32_t list[2] = { (int32_t)c->g->code_count + 1, (int32_t)again };
    emit(c, OP_ALT, FIRST_STOPS, 0, 0, list_add(c, list, 2), 2);
    here_label(c);
}

static void lower_optional(compiler *c, const node *n)
{
    const bool pending = c->pending;
    uint32_t alt = emit(c, OP_ALT, SECOND_STOPS, 0, 0, 0, 2);
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
    const uint32_t first = here_label(c), alt = emit(c, OP_ALT, FIRST_STOPS, 0, 0, 0, 2);
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

void lower_loop(compiler *c, const node *n)
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
value range_low(const value *v) { return v->type != T_RANGE ? *v : v->low_constant ? value_number(v->low_k) : value_reg(T_NUMBER, v->low); }

value range_high(const value *v) { return v->type != T_RANGE ? *v : v->high_constant ? value_number(v->high_k) : value_reg(T_NUMBER, v->high); }

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
    if (no_choice_of_kinds(c, &v, kid(n, 0), n->text)) { bind(c, n->text, value_error()); lower_block(c, kid(n, 1)); return; }
    if (v.type == T_KINDS && random) { diag_add(c->d, "E0381", n->at, "`each random` goes over a set of cells"); bind(c, n->text, value_error()); return; }
    if (v.type == T_KINDS) { each_kind(c, n, &v); return; }
    const int x = num_reg(c);
    if (v.type == T_RANGE || v.type == T_NUMBER) { each_number(c, n, &v, x); return; }
    if (v.type == T_PLAYERS || v.type == T_RELATION) { each_bit(c, n, &v, x); return; }
    v = to_set(c, v, kid(n, 0));
    if (v.type == T_ERROR) { bind(c, n->text, v); lower_block(c, kid(n, 1)); return; }
    each_place(c, n, &v, x);
}

void lower_each(compiler *c, const node *n)
{
    scope s = scope_open(c);
    each_of(c, n);
    scope_close(c, s);
}

void emit_commit(compiler *c)
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

/* Is something chosen or thrown in the code from pc on? Options may have closed all of it. */
static bool chooses(const game *g, uint32_t pc)
{
    for (; pc < g->code_count; pc++) {
        const int op = g->code[pc].op;
        if ((op >= OP_ALT && op <= OP_PASS) || op == OP_CAN || (op >= OP_ROLL && op <= OP_RANDOM_KIND)) return true;
    }
    return false;
}

/* What stands between was made in vain. */
static void skip_code(compiler *c, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to; pc++) c->g->code[pc] = (ins){ .op = OP_JUMP, .d = (int32_t)pc + 1 };
}

void lower_by(compiler *c, const node *n)
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
    const uint32_t begin = c->g->code_count;
    if (border) emit_commit(c);
    const uint32_t body = c->g->code_count;
    c->in_piece = false;
    lower_block(c, kid(n, 1));
    settle_now(c);
    c->in_piece = piece;
    emit(c, OP_MOVER, saved, 0, 0, 0, 0);
    if (border && chooses(c->g, body)) emit_commit(c);
    else if (border) skip_code(c, begin, body);
    if (test) patch(c, out, here_label(c));
    scope_close(c, s);
}
