/* What changes: owners, kinds, flags, numbers, names. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

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

void lower_becomes(compiler *c, const node *n)
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

void lower_set_action(compiler *c, const node *n)
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
        if (c->in_test && strcmp(name->text, "turns") == 0 && *n->text == '=') {
            value turns = lower_number(c, kid(n, 1));
            if (turns.type != T_ERROR) emit(c, OP_MOVE, HEAD(H_TURNS), num_operand(c, &turns), 0, 0, 0);
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

void lower_let_action(compiler *c, const node *n)
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
