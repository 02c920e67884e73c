/* Comparisons, and `in`. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"

static bool is_order(const char *op) { return op[0] == '<' || op[0] == '>'; }

value compare_numbers(compiler *c, const char *op, value a, value b)
{
    const bool swap = op[0] == '>', strict = op[1] != '=';
    if (a.constant && b.constant) {
        int64_t x = a.k, y = b.k;
        bool k = strcmp(op, "=") == 0 ? x == y : strcmp(op, "!=") == 0 ? x != y : op[0] == '<' ? (strict ? x < y : x <= y) : (strict ? x > y : x >= y);
        return value_truth(k);
    }
    int x = num_operand(c, &a), y = num_operand(c, &b);
    value v = value_reg(T_TRUTH, num_reg(c));
    if (strcmp(op, "=") == 0) emit(c, OP_EQ, v.reg, x, y, 0, 0);
    else if (strcmp(op, "!=") == 0) emit(c, OP_NE, v.reg, x, y, 0, 0);
    else emit(c, strict ? OP_LT : OP_LE, v.reg, swap ? y : x, swap ? x : y, 0, 0);
    return v;
}

static value compare_fields(compiler *c, const char *op, value a, value b)
{
    static const struct { const char *op, *turned; } turn[] = { { "=", "=" }, { "!=", "!=" }, { "<", ">" }, { "<=", ">=" }, { ">", "<" }, { ">=", "<=" } };
    if (a.type != T_FIELD) {
        for (int i = 0; i < 6; i++) if (strcmp(op, turn[i].op) == 0) { op = turn[i].turned; break; }
        value t = a;
        a = b;
        b = t;
    }
    if (b.type == T_FIELD) {
        const bool less = op[0] == '<' || op[0] == '>';
        int x = a.reg, y = b.reg;
        if (op[0] == '>') { int t = x; x = y; y = t; }
        value s = value_reg(T_SET, set_reg(c));
        emit(c, OP_S_FIELDS, s.reg, 0, less ? (op[1] == '=' ? OP_LE : OP_LT) : op[0] == '=' ? OP_EQ : OP_NE, x, y);
        return s;
    }
    if (strcmp(op, "=") == 0) return field_between(c, a, &b, &b, false);
    if (strcmp(op, "!=") == 0) return field_between(c, a, &b, &b, true);
    if (op[0] == '<') { value high = op[1] == '=' ? b : plus(c, b, -1); return field_between(c, a, NULL, &high, false); }
    value low = op[1] == '=' ? b : plus(c, b, 1);
    return field_between(c, a, &low, NULL, false);
}

static value compare_option(compiler *c, const node *n, const option *o, const node *word, bool negate)
{
    if (is_order(n->text)) { diag_add(c->d, "E0360", n->at, "option '%s' is one of some words; ask with `=` or `!=`", o->name); return value_error(); }
    if (word->kind == NODE_E_NAME) {
        for (int i = 0; i < o->word_count; i++) if (strcmp(o->words[i], word->text) == 0) return value_truth((o->k == i) != negate);
        const char *near = nearest_word(word->text, o->words, (size_t)o->word_count);
        if (near) diag_add(c->d, "E0360", word->at, "option '%s' has no value '%s'; did you mean '%s'?", o->name, word->text, near);
        else diag_add(c->d, "E0360", word->at, "option '%s' has no value '%s'", o->name, word->text);
        return value_error();
    }
    diag_add(c->d, "E0360", word->at, "option '%s' is compared with one of its words, as in `%s = %s`", o->name, o->name, o->words[0]);
    return value_error();
}

static const option *option_named(compiler *c, const node *n, int depth)
{
    if (!n || depth > 40 || n->kind != NODE_E_NAME || env_find(c, n->text)) return NULL;
    symbol *s = symbol_find(c, n->text);
    if (!s || s->kind != SYMBOL_OPTION || c->options[s->index].number || c->options[s->index].yesno) {
        if (s && s->kind == SYMBOL_LET) {       /* let bridge of Roman = ford_roman */
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, s->name) == 0 && kid(l, 1) && kid(l, 1)->kind == NODE_E_NAME) return option_named(c, kid(l, 1), depth + 1);
            }
        }
        return NULL;
    }
    s->used++;
    return &c->options[s->index];
}

static bool is_option_itself(compiler *c, const node *n) { return n->kind == NODE_E_NAME && symbol_find(c, n->text)->kind == SYMBOL_OPTION; }

/* A let that is an option's word, perhaps another one for each player, and the word it is compared with. False if that is none of its words. */
static bool compare_worded_let(compiler *c, const node *l, const node *r, const option *o, const char *op, value *out)
{
    value v = lower(c, l);
    *out = v;
    if (v.type == T_ERROR) return true;
    for (int i = 0; i < o->word_count; i++) {
        if (strcmp(o->words[i], r->text) != 0) continue;
        if (v.constant) *out = value_truth((strcmp(v.word ? v.word : "", r->text) == 0) != (strcmp(op, "!=") == 0));
        else { v.type = T_NUMBER; *out = compare_numbers(c, op, v, value_number(i)); }
        return true;
    }
    return false;
}

static value compare_with_field(compiler *c, const node *n, value a, value b)
{
    const char *op = n->text;
    const value *other = a.type == T_FIELD ? &b : &a;
    if (other->type == T_FIELD || other->type == T_NUMBER) return compare_fields(c, op, a, b);
    const int k = (a.type == T_FIELD ? a : b).keep;
    if (!(k && c->g->keeps[k - 1].type != KEEP_NUMBER && (other->type == T_PLACE || other->type == T_PLAYER || other->type == T_KINDS))) {
        diag_add(c->d, "E0361", n->at, "a number of each cell is compared with %s", type_names[other->type]);
        return value_error();
    }
    const value x = value_reg(T_NUMBER, num_operand(c, other));
    return compare_fields(c, op, a.type == T_FIELD ? a : x, a.type == T_FIELD ? x : b);
}

static value compare_bags(compiler *c, const char *op, value a, value b, const node *r)
{
    const int x = bag_operand(c, &a);
    b = to_bag(c, b, r);
    const int y = bag_operand(c, &b), z = bag_reg(c);
    emit(c, OP_BAG_PAIRS, z, x, y, strcmp(op, "=") == 0 ? OP_EQ : strcmp(op, "!=") == 0 ? OP_NE : op[0] == '<' ? (op[1] ? OP_LE : OP_LT) : op[1] ? OP_MAX : OP_MIN, 0);
    return value_reg(T_BAG, z);
}

static value wrong_order(compiler *c, const node *n, const value *a, const value *b)
{
    const value *set = a->type == T_SET ? a : b->type == T_SET ? b : NULL;
    if (set && (a->type == T_NUMBER || b->type == T_NUMBER || a->type == b->type)) diag_add(c->d, "E0362", n->at, "`%s` compares numbers, found %s and %s; write `count %s`", n->text, type_names[a->type], type_names[b->type], print_short(c, kid(n, set == a ? 0 : 1)));
    else diag_add(c->d, "E0362", n->at, "`%s` compares numbers, found %s and %s", n->text, type_names[a->type], type_names[b->type]);
    return value_error();
}

static bool either(const value *a, const value *b, type t) { return a->type == t || b->type == t; }

static bool one_kind(const value *v) { return !v->constant || v->kind_count == 1; }

/* Things that are known by a number of their own. */
static bool compared_as_numbers(const value *a, const value *b)
{
    return a->type == b->type && (a->type == T_TRUTH || a->type == T_PLAYER || a->type == T_PLACE || (a->type == T_KINDS && one_kind(a) && one_kind(b)));
}

/* Things that are not compared, unless the number is a cell of that name. False with a message. */
static bool may_be_sets(compiler *c, const node *n, const value *a, const value *b)
{
    if ((a->type == T_KINDS && b->type == T_PLAYER) || (a->type == T_PLAYER && b->type == T_KINDS)) { diag_add(c->d, "E0362", n->at, "%s is compared with %s", type_names[a->type], type_names[b->type]); return false; }
    if (!either(a, b, T_NUMBER) && !either(a, b, T_TRUTH) && !either(a, b, T_WORD) && !either(a, b, T_BAG)) return true;
    bool by_number = (a->type == T_NUMBER && a->constant && b->type != T_TRUTH) || (b->type == T_NUMBER && b->constant && a->type != T_TRUTH);
    if (either(a, b, T_BAG)) by_number = a->constant || b->constant;
    if (either(a, b, T_NUMBER) && (either(a, b, T_SET) || either(a, b, T_PLACE)) && !numbered(c->g)) {
        diag_add(c->d, "E0362", n->at, "%s is compared with %s; write `count %s`", type_names[a->type], type_names[b->type], print_short(c, kid(n, a->type == T_NUMBER ? 1 : 0)));
        return false;
    }
    if (by_number && !either(a, b, T_WORD)) return true;
    diag_add(c->d, "E0362", n->at, "%s is compared with %s", type_names[a->type], type_names[b->type]);
    return false;
}

static value compare_sets(compiler *c, const node *n, value a, value b)
{
    a = to_set(c, a, kid(n, 0));
    b = to_set(c, b, kid(n, 1));
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    const int x = set_operand(c, &a), y = set_operand(c, &b);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_SAME, v.reg, x, y, 0, 0);
    return strcmp(n->text, "!=") == 0 ? truth_not(c, v) : v;
}

static value compare_values(compiler *c, const node *n, value a, value b)
{
    const char *op = n->text;
    if (either(&a, &b, T_FIELD)) return compare_with_field(c, n, a, b);
    if (a.type == T_NUMBER && b.type == T_NUMBER) return compare_numbers(c, op, a, b);
    if (a.type == T_BAG && (b.type == T_BAG || b.type == T_NUMBER)) return compare_bags(c, op, a, b, kid(n, 1));
    if (is_order(op)) return wrong_order(c, n, &a, &b);
    if (compared_as_numbers(&a, &b)) {
        if (a.type == T_KINDS && a.constant) a.k = c->g->lists[a.kinds];
        if (b.type == T_KINDS && b.constant) b.k = c->g->lists[b.kinds];
        return compare_numbers(c, op, a, b);
    }
    if (a.type == T_RELATION && b.type == T_RELATION) {
        const value x = value_reg(T_NUMBER, relation_operand(c, &a)), y = value_reg(T_NUMBER, relation_operand(c, &b));
        return compare_numbers(c, op, x, y);
    }
    return may_be_sets(c, n, &a, &b) ? compare_sets(c, n, a, b) : value_error();
}

value lower_compare(compiler *c, const node *n)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    const bool negate = strcmp(n->text, "!=") == 0;
    if (!l || !r) return value_error();
    const option *o = option_named(c, l, 0), *q = option_named(c, r, 0);
    value out;
    if (o && is_option_itself(c, l)) return compare_option(c, n, o, r, negate);
    if (q && is_option_itself(c, r)) return compare_option(c, n, q, l, negate);
    if (o && r->kind == NODE_E_NAME && !is_order(n->text) && compare_worded_let(c, l, r, o, n->text, &out)) return out;
    const value a = lower(c, l), b = lower(c, r);
    return a.type == T_ERROR || b.type == T_ERROR ? value_error() : compare_values(c, n, a, b);
}

static value number_in_range(compiler *c, value a, const value *b)
{
    const value low = b->low_constant ? value_number(b->low_k) : value_reg(T_NUMBER, b->low), high = b->high_constant ? value_number(b->high_k) : value_reg(T_NUMBER, b->high);
    return truth_and(c, compare_numbers(c, ">=", a, low), compare_numbers(c, "<=", a, high));
}

static value number_in_bag(compiler *c, const value *a, const value *b)
{
    const int y = bag_operand(c, b), x = num_operand(c, a);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_BAG_HOLDS, v.reg, x, y, 0, 0);
    return v;
}

static bool kind_among(const compiler *c, int32_t k, const value *kinds)
{
    for (int j = 0; j < kinds->kind_count; j++) if (c->g->lists[kinds->kinds + j] == k) return true;
    return false;
}

static value kind_in_kinds(compiler *c, const value *a, const value *b)
{
    const int x = num_operand(c, a);
    int result = -1;
    if (a->constant) {
        bool all = a->kind_count > 0;
        for (int i = 0; i < a->kind_count; i++) all &= kind_among(c, c->g->lists[a->kinds + i], b);
        return value_truth(all);
    }
    for (int j = 0; j < b->kind_count; j++) {
        const int t = num_reg(c);
        emit(c, OP_EQ, t, x, num_const(c, c->g->lists[b->kinds + j]), 0, 0);
        if (result < 0) result = t;
        else emit(c, OP_BITS_OR, result, result, t, 0, 0);
    }
    return result < 0 ? value_truth(false) : value_reg(T_TRUTH, result);
}

static value is_kind(compiler *c, const value *a, const value *b)
{
    const value same = compare_numbers(c, "=", value_reg(T_NUMBER, num_operand(c, a)), value_reg(T_NUMBER, num_operand(c, b)));
    return truth_and(c, same, compare_numbers(c, ">=", value_reg(T_NUMBER, num_operand(c, b)), value_number(0)));
}

static value player_in_players(compiler *c, const value *a, const value *b)
{
    const int t = num_reg(c), u = num_reg(c);
    emit(c, OP_BIT_OF, t, num_operand(c, a), 0, 0, 0);
    emit(c, OP_BITS_AND, u, t, num_operand(c, b), 0, 0);
    return compare_numbers(c, "!=", value_reg(T_NUMBER, u), value_number(0));
}

static value relation_in_relation(compiler *c, const value *a, const value *b)
{
    const int x = relation_operand(c, a), y = relation_operand(c, b), t = num_reg(c);
    emit(c, OP_BITS_ANDN, t, x, y, 0, 0);
    return truth_and(c, compare_numbers(c, "!=", value_reg(T_NUMBER, x), value_number(0)), compare_numbers(c, "=", value_reg(T_NUMBER, t), value_number(0)));
}

/* Both known: is the answer the same for all players? */
static bool same_for_all(const compiler *c, const value *a, const value *b, bool *answer)
{
    for (int p = 0; p < c->g->player_count; p++) {
        bool some = false, all = true;
        for (int k = 0; k < WORDS_MAX; k++) { some |= const_words(a, p)[k] != 0; all &= (const_words(a, p)[k] & ~const_words(b, p)[k]) == 0; }
        if (p == 0) *answer = some && all;
        else if ((some && all) != *answer) return false;
    }
    return true;
}

static value set_in_set(compiler *c, const value *a, const value *b)
{
    if (b->attacked) {
        const int x = set_operand(c, a), hit = set_reg(c);
        const value v = value_reg(T_TRUTH, num_reg(c));
        emit(c, OP_S_ATTACKED, hit, x, 0, 0, 0);
        emit(c, OP_SUBSET, v.reg, x, hit, 0, 0);
        return v;
    }
    const int y = set_operand(c, b);
    bool answer = false;
    if (a->type != T_PLACE && a->constant && b->constant && b->type == T_SET && same_for_all(c, a, b, &answer)) return value_truth(answer);
    const int x = a->type == T_PLACE ? num_operand(c, a) : set_operand(c, a);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, a->type == T_PLACE ? OP_HOLDS : OP_SUBSET, v.reg, x, y, 0, 0);
    return v;
}

/* Kinds are asked of pieces wherever they are: of a card in a hand, too. */
value is_among(compiler *c, value a, value b, const node *l, const node *r)
{
    if (a.type == T_KINDS && b.type == T_KINDS) return b.constant ? kind_in_kinds(c, &a, &b) : is_kind(c, &a, &b);
    a = to_set(c, a, l);
    b = b.type == T_KINDS ? set_of_kinds(c, b) : to_set(c, b, r);
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    return set_in_set(c, &a, &b);
}

static value lower_asked(compiler *c, const value *asked, const node *r)
{
    const bool was = c->as_place;
    const value *before = c->asked;
    c->as_place = true;
    c->asked = asked;
    c->answered = false;
    const value b = lower(c, r);
    c->asked = before;
    c->as_place = was;
    return b;
}

value lower_in(compiler *c, const node *n)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    const value a = lower(c, l), b = lower_asked(c, &a, r);
    const bool answered = c->answered;
    c->answered = false;
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (answered) return b;
    if (b.type == T_RANGE && a.type == T_NUMBER) return number_in_range(c, a, &b);
    if (b.type == T_BAG && a.type == T_NUMBER && !b.constant) return number_in_bag(c, &a, &b);
    if (b.type == T_PLAYERS && a.type == T_PLAYER) return player_in_players(c, &a, &b);
    if (a.type == T_RELATION && b.type == T_RELATION) return relation_in_relation(c, &a, &b);
    if (a.type == T_TRUTH || b.type == T_TRUTH) { diag_add(c->d, "E0363", n->at, "`in` asks about sets, found a yes or no"); return value_error(); }
    return is_among(c, a, b, l, r);
}
