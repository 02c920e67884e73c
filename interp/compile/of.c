/* `of`: images, fields of places and sets, what is a player's. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"

value lower_player(compiler *c, const node *n)
{
    if (n->kind == NODE_E_NAME && !env_find(c, n->text) && !symbol_find(c, n->text)) {
        if (strcmp(n->text, "own") == 0) return value_reg(T_PLAYER, HEAD(H_MOVER));
        if (strcmp(n->text, "enemy") == 0) { value v = value_reg(T_PLAYER, num_reg(c)); emit(c, OP_NEXT, v.reg, HEAD(H_MOVER), 0, 0, 0); return v; }
        if (strcmp(n->text, "neutral") == 0) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .times = -1 };
    }
    value v = lower(c, n);
    if (v.type == T_PLAYER || v.type == T_ERROR) return v;
    diag_add(c->d, "E0354", n->at, "a player is wanted here, found %s", type_names[v.type]);
    return value_error();
}

bool names_player(compiler *c, const node *n)
{
    if (!n) return false;
    if (is_name(n, "own") || is_name(n, "enemy")) return !env_find(c, n->text);
    return static_type(c, n) == T_PLAYER;
}

static value typed_number(compiler *c, int keep_index, value v)
{
    if (!keep_index) return v;
    switch (c->g->keeps[keep_index - 1].type) {
    case KEEP_IN_CELLS: v.type = T_PLACE; return v;
    case KEEP_IN_KINDS: v.type = T_KINDS; return v;
    case KEEP_IN_PLAYERS: v.type = T_PLAYER; return v;
    case KEEP_IN_WAYS: { int r = num_reg(c); emit(c, OP_BIT_OF, r, v.reg, 0, 0, 0); v.reg = r; v.type = T_RELATION; v.single = true; return v; }
    default: return v;
    }
}

/* Is it one kind, as picked, kept, asked or given to a rule? A word for a kind means its pieces. */
static bool one_kind(compiler *c, const value *v, const node *n)
{
    return v->type == T_KINDS && (!v->constant || (v->kind_count == 1 && n->kind == NODE_E_NAME && env_find(c, n->text)));
}

/* `value of k`: kinds in a row whose numbers go up with them are told together. */
static value kind_value(compiler *c, const value *k)
{
    const game *g = c->g;
    if (k->constant) return value_number(g->kinds[g->lists[k->kinds]].value);
    int out = num_const(c, 0);
    for (int i = 0; i < g->kind_count;) {
        const int64_t more = g->kinds[i].value - i;
        int first = i;
        while (i < g->kind_count && g->kinds[i].value - i == more) i++;
        const int sum = num_reg(c), from = num_reg(c), next = num_reg(c);
        emit(c, OP_ADD, sum, k->reg, num_const(c, more), 0, 0);
        emit(c, OP_LE, from, num_const(c, first), k->reg, 0, 0);
        emit(c, OP_CHOOSE, next, sum, out, from, 0);
        out = next;
    }
    return value_reg(T_NUMBER, out);
}

static value field_of(compiler *c, value f, const node *of_what)
{
    bool was = c->as_place;
    c->as_place = true;
    value s = lower(c, of_what);
    c->as_place = was;
    if (s.type == T_ERROR) return s;
    if (c->g->fields[f.reg].kind == FIELD_VALUE && one_kind(c, &s, of_what)) return kind_value(c, &s);
    if (s.type == T_NUMBER) s = to_set(c, s, of_what);
    if (s.zone && f.keep && c->g->keeps[f.keep - 1].of == KEEP_CELL) s = zone_place(c, s);
    if (s.type == T_SET && s.constant && s.named) {
        int many = 0, only = -1;
        for (int i = 0; i < c->g->places; i++) if (s.sets[i / 64] >> (i % 64) & 1) { many++; only = i; }
        if (many == 1) s = (value){ .type = T_PLACE, .constant = true, .k = only, .times = -1 };
    }
    if (s.type == T_PLACE) {
        value v = value_reg(T_NUMBER, num_reg(c));
        emit(c, OP_GET, v.reg, num_operand(c, &s), 0, f.reg, 0);
        return typed_number(c, f.keep, v);
    }
    s = to_set(c, s, of_what);
    if (s.type == T_ERROR) return s;
    value v = value_reg(T_BAG, -1);
    v.over_field = f.reg + 1;
    v.over_set = set_operand(c, &s);
    return v;
}

int bag_operand(compiler *c, const value *v)
{
    if (!v->over_field) {
        if (v->constant) {
            int b = bag_reg(c);
            if (v->kind_count > BAG_MAX && c->at) diag_add(c->d, "E0351", c->at->at, "a bag of %d numbers: it holds %d at most", v->kind_count, BAG_MAX);
            emit(c, OP_BAG_CLEAR, b, 0, 0, 0, 0);
            for (int i = 0; i < v->kind_count; i++) emit(c, OP_BAG_ADD, b, num_const(c, c->g->lists[v->kinds + i]), 0, 0, 0);
            return b;
        }
        return v->reg;
    }
    int b = bag_reg(c);
    emit(c, OP_BAG_FIELD, b, v->over_set, 0, v->over_field - 1, 0);
    return b;
}

static bool one_direction(const compiler *c, const value *r)
{
    if (!r->constant) return r->single;
    for (int p = 0; p < c->g->player_count; p++) {
        if (__builtin_popcountll(r->mask[p]) > 1) return false;
        if (r->mask[p] && c->g->dirs[__builtin_ctzll(r->mask[p])].graph) return false;
    }
    return true;
}

static value image_of(compiler *c, value r, const node *of_what)
{
    bool was = c->as_place;
    c->as_place = true;
    value s = lower(c, of_what);
    c->as_place = was;
    if (r.type == T_ERROR || s.type == T_ERROR) return value_error();
    s = to_set(c, s, of_what);
    if (s.type == T_ERROR) return s;
    game *g = c->g;
    if (s.type == T_PLACE && one_direction(c, &r)) {
        value plain = r;
        plain.times = -1;
        value v = place_value(num_reg(c));
        emit(c, OP_STEP_FROM, v.reg, num_operand(c, &s), 0, relation_index(c, &plain), r.times);
        return v;
    }
    if (r.constant && r.times < 0 && s.type == T_SET && s.constant) {
        value v = value_const_set(c);
        for (int p = 0; p < PLAYERS_MAX; p++)
            for (uint64_t m = r.mask[p]; m; m &= m - 1) {
                const direction *d = &g->dirs[__builtin_ctzll(m)];
                for (int i = 0; i < g->places; i++) {
                    if (!(const_words(&s, p)[i / 64] >> (i % 64) & 1)) continue;
                    if (d->graph) for (int k = 0; k < WORDS_MAX; k++) const_words(&v, p)[k] |= d->image[i * WORDS_MAX + k];
                    else if (d->next[i] != 0xFFFF) const_words(&v, p)[d->next[i] / 64] |= 1ull << (d->next[i] % 64);
                }
            }
        return v;
    }
    value plain = r;
    plain.times = -1;
    int x = set_operand(c, &s);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_IMAGE, v.reg, x, 0, relation_index(c, &plain), r.times);
    return v;
}

/* After a place or a player the phrase is complete. */
static bool complete_phrase(compiler *c, const node *left, const node *right)
{
    if (right->kind != NODE_E_ROW || (right->flags & FLAG_BRACKETS)) return true;
    const node *first = right->kids[0];
    type t = first->kind == NODE_E_NUMBER ? T_NUMBER : static_type(c, first);
    if (names_player(c, first) && first->kind == NODE_E_NAME && strcmp(first->text, "own") != 0 && strcmp(first->text, "enemy") != 0) t = T_PLAYER;
    else if (t == T_PLAYER) t = T_SET;
    if (first->flags & FLAG_BRACKETS) return true;
    if (t == T_PLAYER && static_type(c, left) == T_RELATION) return true;     /* neighbours of White King */
    if (t == T_PLAYER && static_type(c, left) == T_FIELD) return true;
    if (t != T_PLACE && t != T_PLAYER && t != T_PLAYERS) return true;
    bool cells = true;
    for (int i = 0; i < right->count; i++) {
        const node *k = right->kids[i];
        if (!(k->kind == NODE_E_NAME && !env_find(c, k->text) && cell_named(c->g, k->text) >= 0) && k->kind != NODE_E_RANGE && k->kind != NODE_E_NUMBER) cells = false;
    }
    if (cells) return true;
    const char *l = print_short(c, left), *f = print_short(c, first), *all = print_short(c, right);
    diag_add(c->d, "E0355", right->at, "after `of`, `%s` is complete; write `(%s of %s) %s` or `%s of (%s)`", f, l, f, all + strlen(f) + (all[strlen(f)] == ' '), l, all);
    return false;
}

/* `repeats of S`, `since of S`. */
static value history_of(compiler *c, const node *right, opcode op)
{
    game *g = c->g;
    const value s = lower_set(c, right);
    if (s.type == T_ERROR) return s;
    if (!s.constant) { diag_add(c->d, "E0356", right->at, "the cells whose contents count must be known beforehand"); return value_error(); }
    g->uses_history = true;
    if (g->key_set && memcmp(g->key_set, s.sets, WORDS_MAX * sizeof(uint64_t)) != 0) { diag_add(c->d, "E0356", right->at, "`repeats of` and `since of` can be asked of one set of cells only"); return value_error(); }
    g->key_set = s.sets;
    const value v = value_reg(T_NUMBER, num_reg(c));
    emit(c, op, v.reg, 0, 0, 1, 0);
    return v;
}

/* `owner of S`, `kind of S`: of the first piece. */
static value piece_of(compiler *c, const node *right, opcode op)
{
    value s = lower(c, right);
    if (s.type == T_ERROR) return s;
    if (s.type != T_PLACE) {
        s = to_set(c, s, right);
        if (s.type == T_ERROR) return s;
        const int r = num_reg(c), x = set_operand(c, &s);
        emit(c, OP_FIRST, r, x, 0, 0, 0);
        s = place_value(r);
    }
    const value v = value_reg(op == OP_OWNER ? T_PLAYER : T_KINDS, num_reg(c));
    emit(c, op, v.reg, num_operand(c, &s), 0, 0, 0);
    return v;
}

/* `next of P`, `seat of P`. */
static value player_of(compiler *c, const node *right, opcode op)
{
    const value p = lower_player(c, right);
    if (p.type == T_ERROR) return p;
    const value v = value_reg(op == OP_NEXT ? T_PLAYER : T_NUMBER, num_reg(c));
    if (op == OP_NEXT) emit(c, op, v.reg, num_operand(c, &p), 0, 0, 0);
    else emit(c, op, v.reg, num_operand(c, &p), num_const(c, 1), 0, 0);
    return v;
}

/* Words of the language before `of`. False if it is none. */
static bool word_of(compiler *c, const node *left, const node *right, value *out)
{
    static const struct { const char *word; value (*lower)(compiler *, const node *, opcode); opcode op; } words[] = {
        { "repeats", history_of, OP_REPEATS }, { "since", history_of, OP_SINCE }, { "owner", piece_of, OP_OWNER }, { "kind", piece_of, OP_KIND }, { "next", player_of, OP_NEXT }, { "seat", player_of, OP_ADD },
    };
    if (left->kind != NODE_E_NAME || env_find(c, left->text)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(left->text, words[i].word) == 0) { *out = words[i].lower(c, right, words[i].op); return true; }
    return false;
}

/* A number that is written, or an option: it is the same for all players. */
static bool same_for_all(compiler *c, const node *n)
{
    if (n->kind == NODE_E_NUMBER) return true;
    const symbol *s = n->kind == NODE_E_NAME && !env_find(c, n->text) ? symbol_find(c, n->text) : NULL;
    return s && s->kind == SYMBOL_OPTION && c->options[s->index].number;
}

/* `points of everyone`: the number of each player who is still in, a bag; `hand of everyone`: all their sets in one. */
static value of_everyone(compiler *c, const node *left, const node *right, const value *all, type t)
{
    const value none = value_const_set(c);
    const int b = t == T_SET ? set_reg(c) : bag_reg(c), mask = num_operand(c, all);
    if (t == T_SET) emit(c, OP_S_COPY, b, set_operand(c, &none), 0, 0, 0);
    else emit(c, OP_BAG_CLEAR, b, 0, 0, 0, 0);
    for (int p = 0; p < c->g->player_count; p++) {
        const int in = num_reg(c);
        emit(c, OP_BITS_AND, in, mask, num_const(c, 1ll << p), 0, 0);
        const uint32_t out = c->g->code_count;
        emit(c, OP_JUMP_NO, in, 0, 0, 0, 0);
        const value x = with_mover(c, left, right, (value){ .type = T_PLAYER, .constant = true, .k = p, .times = -1 });
        if (x.type != t) {
            if (x.type != T_ERROR) diag_add(c->d, "E0357", left->at, "`of everyone` wants a number or a set of each player before it, found %s", type_names[x.type]);
            return value_error();
        }
        if (t == T_SET) emit(c, OP_S_OR, b, b, set_operand(c, &x), 0, 0);
        else emit(c, OP_BAG_ADD, b, num_operand(c, &x), 0, 0, 0);
        patch(c, out, here_label(c));
    }
    return value_reg(t == T_SET ? T_SET : T_BAG, b);
}

/* Nothing that `of` can stand behind: with what is meant instead. */
static void no_of(compiler *c, const value *v, const node *left, const node *right)
{
    const char *instead = "";
    const node *first = right->kind == NODE_E_ROW ? kid(right, 0) : NULL;
    if (first && names_player(c, first)) {
        const char *rest = print_short(c, right) + strlen(first->text);
        instead = arena_format(c->a, "; write `(%s of %s)%s`", print_short(c, left), first->text, rest);
    } else if (v->type == T_SET && (right->kind == NODE_E_NAME) && static_type(c, right) != T_NUMBER)
        instead = arena_format(c->a, "; whether it is among them is asked with `%s in %s`", right->text, print_short(c, left));
    diag_add(c->d, "E0357", left->at, "`of` wants directions, a number of each cell or something of a player before it, found %s%s", type_names[v->type], instead);
}

value lower_of_with(compiler *c, const node *n, const value *by)
{
    const node *left = kid(n, 0), *right = kid(n, 1);
    value word;
    if (!left || !right) return value_error();
    if (!complete_phrase(c, left, right)) return value_error();
    if (by) return image_of(c, *by, right);
    if (word_of(c, left, right, &word)) return word;
    if (same_for_all(c, left) && names_player(c, right)) {
        diag_add(c->d, "E0357", left->at, "a number is the same for all players; of a player's row write `(row %s) of ...`", left->text);
        return value_error();
    }
    type t = static_type(c, left);
    if (names_player(c, right) && t != T_FIELD && (t != T_RELATION || static_type(c, right) == T_PLAYER)) {
        value who = lower_player(c, right);
        if (who.type == T_ERROR) return who;
        return with_mover(c, left, right, who);
    }
    if (t == T_FIELD && static_type(c, right) == T_PLAYER && !is_name(right, "own") && !is_name(right, "enemy")) {
        symbol *s = left->kind == NODE_E_NAME ? symbol_find(c, left->text) : NULL;
        if (!s || s->kind != SYMBOL_KEEP) return with_mover(c, left, right, lower_player(c, right));
    }
    if ((t == T_NUMBER || t == T_SET) && static_type(c, right) == T_PLAYERS) {
        const value all = lower(c, right);
        return all.type == T_ERROR ? all : of_everyone(c, left, right, &all, t);
    }
    value v = lower(c, left);
    if (v.type == T_ERROR) { lower(c, right); return v; }
    if (v.type == T_FIELD) return field_of(c, v, right);
    check_directions(c, &v, left);
    if (v.type == T_RELATION) return image_of(c, v, right);
    value r = lower(c, right);
    if (r.type == T_PLAYER) return with_mover(c, left, right, r);
    if (r.type != T_ERROR) no_of(c, &v, left, right);
    return value_error();
}
