/* What is said where another kind of value is wanted than stands there, with what to write instead: a set, a yes or no, a number, a direction. */
#include <string.h>
#include "expr.h"

/* An expression as one word: what joins words gets brackets. */
static const char *as_word(compiler *c, const node *n)
{
    const bool joins = n->kind == NODE_E_OR || n->kind == NODE_E_AND || n->kind == NODE_E_WHERE || n->kind == NODE_E_ARITH || n->kind == NODE_E_COMPARE || n->kind == NODE_E_FROM;
    return joins && !(n->flags & FLAG_BRACKETS) ? arena_format(c->a, "(%s)", print_short(c, n)) : print_short(c, n);
}

/* ---- a set ---------------------------------------------------------------------------------------------------------------------------------- */
/* The directions behind an `along` that ends an expression. */
static const node *along_at_end(const node *n)
{
    while (n && !(n->flags & FLAG_BRACKETS) && n->kind != NODE_E_REACH && n->kind != NODE_E_LINE) {
        const bool goes_on = n->kind == NODE_E_ROW || n->kind == NODE_E_OF || n->kind == NODE_E_NOT || n->kind == NODE_E_IN || n->kind == NODE_E_ANY || n->kind == NODE_E_NO || n->kind == NODE_E_COUNT;
        n = goes_on && n->count ? n->kids[n->count - 1] : NULL;
    }
    if (!n || (n->flags & FLAG_BRACKETS)) return NULL;
    return n->kind == NODE_E_REACH ? kid(n, 2) : kid(n, 4);
}

/* `reach S through T along A or B`: the slot ended before `or`. True if that was told. */
bool along_too_short(compiler *c, const node *joined, int i)
{
    const node *way = i ? along_at_end(joined->kids[i - 1]) : NULL;
    if (!way) return false;
    const char *joint = joined->kind == NODE_E_OR ? "or" : "and";
    diag_add(c->d, "E0350", (span){ way->at.source, way->at.from, joined->kids[i]->at.to }, "`along` takes the words before `%s` alone; write `along (%s %s %s)`", joint,
             print_short(c, way), joint, print_short(c, joined->kids[i]));
    return true;
}

value set_wanted(compiler *c, value v, const node *n)
{
    if (c->board_broken && (v.type == T_NUMBER || v.type == T_RANGE || v.type == T_BAG)) return value_error();
    if ((v.type == T_NUMBER || v.type == T_RANGE) && v.constant && numbered(c->g)) diag_add(c->d, "E0350", n->at, "there is no cell %s", print_short(c, n));
    else if (v.type == T_BAG && v.constant && n->kind == NODE_E_NUMBER) diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found several numbers; those of one field stand in brackets, as in `value (1 3 5)`");
    else if (v.type == T_TRUTH) diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found a yes or no; write `(S when %s)`", print_short(c, n));
    else if (v.type == T_FIELD) diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found a number of each cell; say which value, as in `%s 2`", print_short(c, n));
    else if (v.type == T_RELATION) diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found directions; write `%s of S`", as_word(c, n));
    else diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found %s", type_names[v.type]);
    return value_error();
}

/* `where` behind what is no set: what is asked of players, numbers, directions and kinds stands behind their choice. */
value set_before_where(compiler *c, value v, const node *n)
{
    const char *set = print_short(c, kid(n, 0)), *name = c->doing && (c->doing->kind == NODE_A_PICK || c->doing->kind == NODE_A_EACH) ? c->doing->text : NULL;
    if (v.type == T_TRUTH) diag_add(c->d, "E0370", n->at, "`where` picks out of a set, found a yes or no; put brackets round the set: `any (S where ...)`");
    else if (name && c->doing->kind == NODE_A_EACH) diag_add(c->d, "E0370", n->at, "`where` picks cells out of a set, found %s; write `each %s in %s { if C { ... } }`", type_names[v.type], name, set);
    else if (name) diag_add(c->d, "E0370", n->at, "`where` picks cells out of a set, found %s; ask behind the choice: `pick %s in %s, when C`", type_names[v.type], name, set);
    else diag_add(c->d, "E0370", n->at, "`where` picks cells out of a set, found %s", type_names[v.type]);
    return value_error();
}

/* ---- a yes or no ------------------------------------------------------------------------------------------------------------------------------ */
/* A set where a question is wanted: of the cell under test, of who walks, or of any. Whether a set known beforehand has cells is no question. */
static void set_for_truth(compiler *c, const value *v, const node *n)
{
    const char *found = type_names[v->type], *word = as_word(c, n);
    const bool known = v->type == T_SET && v->constant, walks = c->doing && c->doing->kind != NODE_I_END && !c->in_test;
    if (c->it >= 0 && v->type == T_SET && !speaks_of(n, "it")) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `it in %s`", found, word);
    else if (known && walks) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `here in %s`, or `any own %s`", found, word, word);
    else if (known) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `any own %s`", found, word);
    else if (v->type == T_SET && walks && !speaks_of(n, "here") && !speaks_of(n, "own")) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `any %s`, or `here in %s`", found, word, word);
    else diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `any %s`", found, word);
}

value lower_truth(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_TRUTH || v.type == T_ERROR) return v;
    if (v.type == T_SET || v.type == T_PLACE || v.type == T_KINDS || v.type == T_PLAYER) set_for_truth(c, &v, n);
    else if (v.type == T_NUMBER) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a number; compare it, as in `%s > 0`", print_short(c, n));
    else if (v.type == T_BAG) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a bag of numbers; write `any (%s)` or compare sums", print_short(c, n));
    else if (v.type == T_FIELD) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a number of each cell; say which, as in `any %s 2`", print_short(c, n));
    else if (v.type == T_WORD) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found an option of several words; write `%s = %s`", print_short(c, n), v.word);
    else if (v.type == T_RELATION) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found directions; say from where, as in `any %s of S`", print_short(c, n));
    else diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s", type_names[v.type]);
    return value_error();
}

value lower_number(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_NUMBER || v.type == T_ERROR) return v;
    if (v.type == T_TRUTH) diag_add(c->d, "E0377", n->at, "a number is wanted here, found a yes or no; write `(1 when %s else 0)`", print_short(c, n));
    else if (v.type == T_SET || v.type == T_PLACE || v.type == T_KINDS) diag_add(c->d, "E0377", n->at, "a number is wanted here, found %s; write `count %s`", type_names[v.type], print_short(c, n));
    else if (v.type == T_BAG) diag_add(c->d, "E0377", n->at, "a number is wanted here, found several; write `sum(%s)`, `max` or `min`", print_short(c, n));
    else diag_add(c->d, "E0377", n->at, "a number is wanted here, found %s", type_names[v.type]);
    return value_error();
}

value lower_relation(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_RELATION || v.type == T_ERROR) return v;
    diag_add(c->d, "E0378", n->at, "a direction is wanted here, found %s", type_names[v.type]);
    return value_error();
}

/* `no e3`: a cell is there, whatever stands on it. */
void check_cell_asked(compiler *c, const value *v, const node *n, const char *word)
{
    if (!c->lints || c->d->errors || n->at.source != 0 || n->kind != NODE_E_NAME || v->type != T_PLACE || !v->constant || cell_named(c->g, n->text) < 0) return;
    const bool no = *word == 'n';
    diag_add(c->d, "W0415", n->at, "`%s %s` is %s so: a cell is there, whatever stands on it; write `%s in %s`", word, n->text, no ? "never" : "always", n->text, no ? "empty" : "occupied");
}
