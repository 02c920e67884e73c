/* What is decided: picks, throws, conditions, preferences, results. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

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
    value r = reused(c, n->text, T_KINDS);
    r.among = v->kinds;
    r.among_count = v->kind_count;
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

/* One kind is no choice: one that stands under its own name, or is known only in play. True if that was told. */
bool no_choice_of_kinds(compiler *c, const value *v, const node *from, const char *name)
{
    const symbol *s = from->kind == NODE_E_NAME ? symbol_find(c, from->text) : NULL;
    if (v->type == T_SET && static_type(c, from) == T_KINDS) {
        if (from->kind == NODE_E_WHEN) diag_add(c->d, "E0387", from->at, "kinds that hang on a condition cannot be picked; write `if %s { pick %s in %s ... } else { ... }`", print_short(c, kid(from, 1)), name, print_short(c, kid(from, 0)));
        else diag_add(c->d, "E0373", from->at, "which kinds there are to choose from must be known beforehand");
        return true;
    }
    if (v->type != T_KINDS || (v->constant && !(s && s->kind == SYMBOL_KIND))) return false;
    if (v->constant) diag_add(c->d, "E0373", from->at, "'%s' is one kind, and there is nothing to choose; pieces of it are `own %s`, `enemy %s` or `occupied %s`", s->name, s->name, s->name, s->name);
    else diag_add(c->d, "E0373", from->at, "`%s` is one kind, and there is nothing to choose; write `let %s = %s`", print_short(c, from), name, print_short(c, from));
    return true;
}

/* A number that is a cell's name. */
static bool number_is_cell(compiler *c, const value *v) { return v->type == T_NUMBER && v->constant && cell_named(c->g, arena_format(c->a, "%lld", (long long)v->k)) >= 0; }

void lower_pick(compiler *c, const node *n)
{
    const node *from = kid(n, 0);
    const bool walker = strcmp(n->text, "here") == 0;
    settle_now(c);
    if (!walker) pick_name_clash(c, n);
    value v = lower(c, from);
    if (v.type == T_ERROR) { if (!walker) bind(c, n->text, v); return; }
    if (walker && v.type != T_SET && v.type != T_PLACE) v = to_set(c, v, from);
    if (v.type == T_ERROR) return;
    if (!walker && no_choice_of_kinds(c, &v, from, n->text)) { bind(c, n->text, value_error()); return; }
    if (v.type == T_RELATION) { pick_direction(c, n, &v); return; }
    if (v.type == T_PLAYERS || v.type == T_PLAYER) { pick_player(c, n, &v); return; }
    if (v.type == T_KINDS) { pick_kind(c, n, &v); return; }
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

void lower_roll(compiler *c, const node *n)
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

void lower_filter(compiler *c, const node *n)
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

void lower_prefer(compiler *c, const node *n)
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

void lower_result(compiler *c, const node *n)
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
