/* The code of the set-up, the turn, its filters, and the ends. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"


void entry_add(compiler *c, const char *name, uint32_t pc)
{
    game *g = c->g;
    g->entries = realloc(g->entries, (size_t)(g->entry_count + 1) * sizeof *g->entries);
    if (!g->entries) abort();
    g->entries[g->entry_count++] = (entry){ name, pc };
}

void fresh_code(compiler *c)
{
    c->env_count = c->env_base = 0;
    c->num_top = 0;
    c->set_top = c->set_base;
    c->bag_top = c->g->dice_count;
    c->in_piece = c->pending = c->leg_follows = c->until_chance = false;
    c->it = c->stuck_loop = -1;
    c->prefer_total = 0;
    c->reuse_count = c->hoisted_count = c->open_rule_count = 0;
    memset(c->walk_kinds, 0xFF, sizeof c->walk_kinds);
}

void lower_filters(compiler *c)
{
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") != 0) continue;
        int num = c->num_top, set = c->set_top;
        const node *doing = c->doing;
        c->doing = n;
        value v = lower_truth(c, kid(n, 1));
        if (v.type != T_ERROR && !(v.constant && !v.k)) {
            int label = n->more ? name_index(c, n->more) : -1;
            if (v.constant) emit(c, OP_FAIL, 0, 0, 0, label, 0);
            else {
                uint32_t over = emit(c, OP_JUMP_NO, v.reg, 0, 0, 0, 0);
                emit_mark(c, MARK_HELD, kid(n, 1));
                emit(c, OP_FAIL, 0, 0, 0, label, 0);
                patch(c, over, here_label(c));
                emit_mark(c, MARK_FAILED, kid(n, 1));
            }
        }
        c->doing = doing;
        c->num_top = num;
        c->set_top = set;
    }
}

static const node *through_lets(compiler *c, const node *n)
{
    for (int depth = 0; n && n->kind == NODE_E_NAME && depth < 10; depth++) {
        symbol *s = symbol_find(c, n->text);
        if (!s || s->kind != SYMBOL_LET) return n;
        const node *found = NULL;
        for (int i = 0; i < c->tree->root->count; i++) {
            const node *l = c->tree->root->kids[i];
            if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && !l->more && !kid(l, 0)) found = kid(l, 1);
        }
        if (!found) return n;
        n = found;
    }
    return n;
}

/* Is the only filter over complete turns `illegal when any own KIND attacked`? */
static void find_shield(compiler *c)
{
    const node *only = NULL;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") != 0) continue;
        if (only) return;
        only = n;
    }
    const node *q = only ? through_lets(c, kid(only, 1)) : NULL;
    const node *row = q && q->kind == NODE_E_ANY ? kid(q, 0) : NULL;
    if (!row || row->kind != NODE_E_ROW || row->count != 3) return;
    const node *a = row->kids[0], *k = row->kids[1], *x = through_lets(c, row->kids[2]);
    if (!a || a->kind != NODE_E_NAME || strcmp(a->text, "own") != 0 || !k || k->kind != NODE_E_NAME || !x || x->kind != NODE_E_NAME || strcmp(x->text, "attacked") != 0) return;
    symbol *s = symbol_find(c, k->text);
    if (!s || s->kind != SYMBOL_KIND || s->index > 62) return;
    c->g->shield = true;
    c->g->shield_kinds = 1ull << s->index;
}

void lower_setup(compiler *c)
{
    fresh_code(c);
    c->in_setup = true;
    c->ranks = 0;
    c->g->setup_pc = here_label(c);
    entry_add(c, "setup", c->g->setup_pc);
    if (c->setup) {
        lower_block(c, kid(c->setup, 0));
        settle_now(c);
    }
    emit(c, OP_SETUP_DONE, 0, 0, 0, 0, 0);
    c->in_setup = false;
}

/* The file it stands in: of a variant, perhaps its parent's. */
const char *path_of(compiler *c, const node *n)
{
    if (!c->d->sources || n->at.source >= c->d->source_count) return c->tree->path;
    const char *path = c->d->sources[n->at.source].path;
    return arena_copy(c->a, path, strlen(path));
}

static void lower_ends(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") == 0) continue;
        fresh_code(c);
        value v = lower_truth(c, kid(n, 1));
        unsigned line, column;
        diag_locate(c->d, n->at, &line, &column);
        g->ends = realloc(g->ends, (size_t)(g->end_count + 1) * sizeof *g->ends);
        if (!g->ends) abort();
        g->ends[g->end_count++] = (end_info){ n->text, n->more ? n->more : "", line, path_of(c, n) };
        if (v.type == T_ERROR || (v.constant && !v.k)) continue;
        uint32_t over = v.constant ? 0 : emit(c, OP_JUMP_NO, v.reg, 0, 0, 0, 0);
        if (!v.constant) emit_mark(c, MARK_HELD, kid(n, 1));
        int who = 65535;
        if (kid(n, 0)) { value p = lower_player(c, kid(n, 0)); if (p.type != T_ERROR) who = num_operand(c, &p); }
        const int what = strcmp(n->text, "win") == 0 ? 0 : strcmp(n->text, "lose") == 0 ? 1 : strcmp(n->text, "draw") == 0 ? 2 : 3;
        if (what == 3 && !c->score) diag_add(c->d, "W0410", n->at, "`end` without a `score`: the game ends drawn");
        emit(c, OP_RESULT, what, who, 1, g->end_count - 1, -1);
        if (!v.constant) { patch(c, over, here_label(c)); emit_mark(c, MARK_FAILED, kid(n, 1)); }
    }
}

static void lower_always_notes(compiler *c)
{
    /* asked questions may bring further ones: none does, for `always` stands in ends alone; the count is looked at anew each time */
    for (int i = 0; i < c->always_count; i++) {
        fresh_code(c);
        value v = lower_truth(c, c->always[i]);
        if (v.type != T_ERROR) emit(c, OP_ALWAYS_NOTE, num_operand(c, &v), 0, 0, i, 0);
    }
}

void lower_turn(compiler *c)
{
    game *g = c->g;
    fresh_code(c);
    g->turn_pc = here_label(c);
    entry_add(c, "turn", g->turn_pc);
    if (!c->turn) diag_add(c->d, "E0411", (span){ 0 }, "a game needs `turn { ... }`: what a player does");
    else lower_block(c, kid(c->turn, 0));
    settle_now(c);
    fresh_code(c);
    emit(c, OP_TURN_COUNT, 0, 0, 0, 0, 0);
    lower_filters(c);
    find_shield(c);
    emit(c, OP_LEGAL, 0, 0, 0, 0, 0);
    g->finish_pc = here_label(c);
    entry_add(c, "ends", g->finish_pc);
    /* the questions of `always` are known only when the ends are lowered: lower them once to find them, then for good */
    uint32_t mark = g->code_count;
    int end_count = g->end_count;
    c->in_ends = true;
    lower_ends(c);
    if (c->always_count) { g->code_count = mark; g->end_count = end_count; lower_always_notes(c); lower_ends(c); }
    uint32_t over = here_label(c);
    emit(c, OP_TURN_KEY, 0, 0, 0, 0, 0);
    emit(c, OP_TURN_DONE, 0, 0, 0, 0, 0);
    g->always_count = c->always_count;
    for (uint32_t i = 0; i < g->code_count; i++) if (g->code[i].op == OP_RESULT && g->code[i].e == -1) g->code[i].e = (int32_t)over;
    if (c->score) {
        fresh_code(c);
        g->score_pc = here_label(c);
        entry_add(c, "score", g->score_pc);
        value v = lower_number(c, kid(c->score, 0));
        g->score = v.type == T_ERROR ? num_const(c, 0) : num_operand(c, &v);
        emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    }
    c->in_ends = false;
}
