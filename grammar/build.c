/* What the grammar makes of what it has read: nodes, and the rewritings that belong to the syntax (see ast.h). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "parse.h"

/* ---- nodes and their depth ---- */

static uint16_t depth_of(const parse *p, const node *n)
{
    return n && n->id < p->depth_capacity ? p->depths[n->id] : 0;
}

static void set_depth(parse *p, const node *n, unsigned depth)
{
    if (n->id >= p->depth_capacity) {
        size_t capacity = p->depth_capacity ? 2 * p->depth_capacity : 1024;
        while (capacity <= n->id)
            capacity *= 2;
        uint16_t *more = must_have(realloc(p->depths, capacity * sizeof *more));
        memset(more + p->depth_capacity, 0, (capacity - p->depth_capacity) * sizeof *more);
        p->depths = more;
        p->depth_capacity = capacity;
    }
    p->depths[n->id] = (uint16_t)depth;
}

/* The depth of a node after it got this child; a child that is too deep is left out, and said once. */
static node *fit(parse *p, const node *parent, node *kid, unsigned *depth)
{
    unsigned below = kid ? depth_of(p, kid) + 1u : 0;
    if (below >= MAX_DEPTH) {
        if (!p->too_deep)
            diag_add(p->d, "E0105", parent->at, "this is nested too deeply (more than %d levels)", MAX_DEPTH);
        p->too_deep = true;
        return node_alloc(p->tree, NODE_BROKEN, kid->at, NULL, 0);
    }
    if (below > *depth)
        *depth = below;
    return kid;
}

node *node_make(parse *p, node_kind kind, span at, const char *text, int count, node **kids)
{
    node *n = node_alloc(p->tree, kind, at, text, count);
    unsigned depth = 0;
    for (int i = 0; i < count; i++)
        n->kids[i] = fit(p, n, kids[i], &depth);
    set_depth(p, n, depth);
    return n;
}

/* Lists grow by doubling; the room is always the next power of two. */
node *node_add(parse *p, node *list, node *kid)
{
    unsigned depth = depth_of(p, list);
    if (list->count == INT_MAX)
        return list;
    if ((list->count & (list->count - 1)) == 0) {
        size_t room = list->count ? 2 * (size_t)list->count : 1;
        node **more = arena_alloc(p->tree->arena, room * sizeof *more);
        if (list->count)
            memcpy(more, list->kids, (size_t)list->count * sizeof *more);
        list->kids = more;
    }
    list->kids[list->count++] = fit(p, list, kid, &depth);
    set_depth(p, list, depth);
    if (kid && kid->at.to > list->at.to)
        list->at.to = kid->at.to;
    return list;
}

node *node_join(parse *p, node *parent, const node *list)
{
    for (int i = 0; list && i < list->count; i++)
        node_add(p, parent, list->kids[i]);
    return parent;
}

node *with_more(node *n, const char *more)
{
    n->more = more;
    return n;
}

node *with_flags(node *n, uint32_t flags)
{
    n->flags |= flags;
    return n;
}

node *bracketed(node *n, span at)
{
    n->at = at;
    return with_flags(n, FLAG_BRACKETS);
}

static span cover(span a, span b)
{
    if (b.from < a.from)
        a.from = b.from;
    if (b.to > a.to)
        a.to = b.to;
    return a;
}

static node *pair(parse *p, node_kind kind, const char *text, node *left, node *right)
{
    return node_make(p, kind, cover(left->at, right->at), text, 2, (node *[]){ left, right });
}

/* Is it of this kind, as it was written without brackets? */
static bool bare(const node *n, node_kind kind)
{
    return n->kind == kind && !(n->flags & (FLAG_BRACKETS | FLAG_BRACES));
}

node *make_number(parse *p, span at, const char *digits)
{
    node *n = node_make(p, NODE_E_NUMBER, at, digits, 0, NULL);
    for (const char *c = digits; *c >= '0' && *c <= '9'; c++)
        if ((n->value = 10 * n->value + (*c - '0')) > MAX_NUMBER) {
            diag_add(p->d, "E0109", at, "this number is too big; the most is %d", MAX_NUMBER);
            n->value = 0;
            break;
        }
    return n;
}

/* ---- expressions ---- */

node *make_row(parse *p, span at, node *row, node *word)
{
    if (bare(row, NODE_E_ROW)) {
        row->at = at;
        return node_add(p, row, word);
    }
    node *n = node_make(p, NODE_E_ROW, at, NULL, 0, NULL);
    return node_add(p, node_add(p, n, row), word);
}

/* `A or B`, `A and B`, `A, B`: flat, but for what stood in brackets. */
node *make_flat(parse *p, node_kind kind, span at, node *left, node *right)
{
    node *n = left;
    if (!bare(left, kind) || (left->flags & FLAG_LINES)) {
        n = node_make(p, kind, at, NULL, 0, NULL);
        node_add(p, n, left);
    }
    n->at = at;
    return node_add(p, n, right);
}

/* `1..n of S`: the image belongs to the upper end. */
node *make_of(parse *p, span at, node *what, node *whose)
{
    if (bare(what, NODE_E_RANGE))
        return pair(p, NODE_E_RANGE, NULL, what->kids[0], make_of(p, cover(what->kids[1]->at, whose->at), what->kids[1], whose));
    return node_make(p, NODE_E_OF, at, NULL, 2, (node *[]){ what, whose });
}

/* The place of the `not` that stands first in a question, if one does. */
static node **first_not(node **n)
{
    for (;;) {
        if (((*n)->flags & FLAG_BRACKETS) || (*n)->count == 0)
            return NULL;
        if ((*n)->kind == NODE_E_NOT)
            return n;
        if ((*n)->kind != NODE_E_ROW && (*n)->kind != NODE_E_ARITH)
            return NULL;
        n = &(*n)->kids[0];
    }
}

/* `not` before a question negates the question: `not x in S`. */
node *make_question(parse *p, node_kind kind, span at, const char *sign, node *left, node *right)
{
    node **first = first_not(&left);
    if (!first || kind == NODE_E_FROM)
        return node_make(p, kind, at, sign, 2, (node *[]){ left, right });
    *first = (*first)->kids[0];
    uint32_t from = (*first)->at.from;
    if (left != *first)
        left->at.from = from;
    node *question = node_make(p, kind, (span){ at.source, from, at.to }, sign, 2, (node *[]){ left, right });
    return node_make(p, NODE_E_NOT, at, NULL, 1, &question);
}

/* Puts another child in the place of child `i`; the depth follows. */
static node *put_kid(parse *p, node *n, int i, node *kid)
{
    unsigned depth = depth_of(p, n);
    n->kids[i] = fit(p, n, kid, &depth);
    n->at = cover(n->at, kid->at);
    set_depth(p, n, depth);
    return n;
}

/* Arithmetic belongs to the word before it and the word after it: `row size / 2`, `n + 1 ahead`, `1..armies of a - 1`. */
node *make_arithmetic(parse *p, span at, const char *sign, node *left, node *right)
{
    if (bare(left, NODE_E_ROW)) {
        int last = left->count - 1;
        node *sum = make_arithmetic(p, cover(left->kids[last]->at, right->at), sign, left->kids[last], right);
        left->at = at;
        if (!bare(sum, NODE_E_ROW))
            return put_kid(p, left, last, sum);
        left->count--;                                  /* words went on behind the sum: one row of all */
        return node_join(p, left, sum);
    }
    if (bare(right, NODE_E_ROW))
        return put_kid(p, right, 0, make_arithmetic(p, cover(left->at, right->kids[0]->at), sign, left, right->kids[0]));
    if (bare(right, NODE_E_RANGE)) {
        if (bare(left, NODE_E_RANGE))
            diag_add(p->d, "E0116", at, "two ranges in one sum; put brackets round the ends that are meant");
        return put_kid(p, right, 0, make_arithmetic(p, cover(left->at, right->kids[0]->at), sign, left, right->kids[0]));
    }
    if (bare(left, NODE_E_RANGE))
        return put_kid(p, left, 1, make_arithmetic(p, cover(left->kids[1]->at, right->at), sign, left->kids[1], right));
    return node_make(p, NODE_E_ARITH, at, sign, 2, (node *[]){ left, right });
}

/* `-2..2` and `-n ahead`: the sign belongs to the first word. */
node *make_minus(parse *p, span at, node *value)
{
    if (bare(value, NODE_E_ROW) || bare(value, NODE_E_RANGE))
        return put_kid(p, value, 0, make_minus(p, cover((span){ at.source, at.from, at.from }, value->kids[0]->at), value->kids[0]));
    return node_make(p, NODE_E_MINUS, at, NULL, 1, &value);
}

/* Does it ask something of the set that stands last in it? */
static bool asks(const node *n)
{
    switch (n->flags & FLAG_BRACKETS ? NODE_BROKEN : n->kind) {
    case NODE_E_ANY: case NODE_E_NO: case NODE_E_COUNT: case NODE_E_IN: case NODE_E_COMPARE: case NODE_E_ARITH: case NODE_E_MINUS:
        return true;
    default:
        return false;
    }
}

/* What stands before `where` is the set it narrows; in a question it is the question's last set: `any own where C`. */
node *make_where(parse *p, span at, node *set, node *condition)
{
    if (bare(set, NODE_E_OR) || bare(set, NODE_E_AND)) {
        diag_add(p->d, "E0117", set->at, "does 'where' belong to all of this or to its last part? put brackets round what is meant");
        return node_make(p, NODE_E_WHERE, at, NULL, 2, (node *[]){ set, condition });
    }
    bool question = set->kind == NODE_E_NOT && asks(set->kids[0]);
    if (question || (asks(set) && !(set->flags & FLAG_BRACKETS))) {
        node *last = set->kids[set->count - 1];
        return put_kid(p, set, set->count - 1, make_where(p, cover(last->at, condition->at), last, condition));
    }
    return node_make(p, NODE_E_WHERE, at, NULL, 2, (node *[]){ set, condition });
}

/* ---- actions ---- */

/* `value` of a choice is the place of the first `|` that begins a line. */
node *make_choice(parse *p, span at, node *left, node *right, bool line, span bar)
{
    bool first = !bare(left, NODE_A_CHOICE) || !(left->flags & FLAG_LINES);
    node *n = left;
    if (!bare(left, NODE_A_CHOICE)) {
        n = node_make(p, NODE_A_CHOICE, at, NULL, 0, NULL);
        node_add(p, n, left);
    }
    n->at = at;
    node_add(p, n, right);
    if (line && first) {
        n->flags |= FLAG_LINES;
        n->value = bar.from;
    }
    return n;
}

/* The first choice in a line of a block whose `|` begins a line, not counting what stands in braces of its own. */
static const node *choice_of_lines(const node *n)
{
    while (n && !(n->flags & FLAG_BRACES)) {
        if (n->kind == NODE_A_CHOICE)
            return n->flags & FLAG_LINES ? n : NULL;
        if (n->kind != NODE_A_ELSE)
            return NULL;
        const node *found = choice_of_lines(n->kids[0]);
        if (found)
            return found;
        n = n->kids[1];
    }
    return NULL;
}

node *make_block(parse *p, span at, node *lines)
{
    if (lines->count == 0)
        return node_make(p, NODE_A_NOTHING, at, NULL, 0, NULL);
    for (int i = 1; i < lines->count; i++) {
        const node *choice = choice_of_lines(lines->kids[i]);
        if (!choice)
            continue;
        uint32_t bar = (uint32_t)choice->value;
        diag_add(p->d, "E0120", (span){ at.source, bar, bar + 1 },
                 "nobody can see what this '|' joins: %d lines stand before it; put braces round what it joins", i + 1);
        diag_note(p->d, lines->kids[0]->at, "the block begins here");
    }
    if (lines->count == 1)
        return lines->kids[0];
    lines->at = at;
    return with_flags(lines, FLAG_LINES);
}

node *make_do(parse *p, span at, node *what)
{
    node *n = node_make(p, NODE_A_DO, at, NULL, 1, &what);
    if (what->kind == NODE_E_NAME || what->kind == NODE_E_CALL || what->kind == NODE_BROKEN)
        return n;
    const node *first = what->kind == NODE_E_ROW && what->kids[0]->kind == NODE_E_NAME ? what->kids[0] : NULL;
    const char *near = first ? nearest_starter(first->text, 'a') : NULL;
    if (near)
        diag_add(p->d, "E0113", first->at, "no action begins with '%s'; did you mean '%s'?", first->text, near);
    else
        diag_add(p->d, "E0118", at, "this does nothing; an action or the name of a rule is wanted here");
    return node_make(p, NODE_BROKEN, at, NULL, 0, NULL);
}

/* The word that stands last in an expression, if it stands in no brackets. */
static const node *last_word(const node *n)
{
    while (n && n->count && !(n->flags & FLAG_BRACKETS))
        n = n->kids[n->count - 1];
    return n && n->kind == NODE_E_NAME && !(n->flags & FLAG_BRACKETS) ? n : NULL;
}

node *make_if(parse *p, span at, node *condition, node *action, node *otherwise)
{
    const node *last = last_word(condition);
    if (last && strcmp(last->text, "then") == 0)
        diag_add(p->d, "E0107", last->at, "there is no 'then'; the block in { } follows the condition");
    return node_make(p, NODE_A_IF, at, NULL, 3, (node *[]){ condition, action, otherwise });
}

/* A labelled `win when C` and the like at the top level is an end, everything else under a name is a rule. */
node *make_rule(parse *p, span at, const char *name, node *params, node *action, bool top)
{
    bool plain = top && !params && !(action->flags & FLAG_BRACES);
    if (plain && action->kind == NODE_A_ILLEGAL && action->kids[0] && !action->more)
        return with_more(node_make(p, NODE_I_END, at, intern(p->tree, "illegal", 7), 2, (node *[]){ NULL, action->kids[0] }), name);
    if (plain && action->kind == NODE_A_RESULT && action->kids[1])
        return with_more(node_make(p, NODE_I_END, at, action->text, 2, action->kids), name);
    return node_make(p, NODE_I_RULE, at, name, 2, (node *[]){ params, action });
}

/* ---- items ---- */

enum { BOARD_DIM_1, BOARD_DIM_2, BOARD_WITHOUT, BOARD_JOINED, BOARD_PICTURE, BOARD_NAMED };

/* `dims`: up to two, or a picture. `clauses`: a list of I_WITHOUT, E_FROM (joined) and NAMING lists, as the grammar wraps them. */
node *make_board(parse *p, span at, const char *shape, node *dims, node *clauses)
{
    node *slots[BOARD_NAMED] = { NULL }, *named = NULL;
    if (dims->count && dims->kids[0]->kind == NODE_PICTURE)
        slots[BOARD_PICTURE] = dims->kids[0];
    else
        for (int i = 0; i < dims->count && i < 2; i++) {
            slots[i] = dims->kids[i];
            if (bare(slots[i], NODE_E_ROW))
                diag_add(p->d, "E0111", slots[i]->at, "'by' is missing: board square W by H");
        }
    for (int i = 0; i < clauses->count; i++) {
        node *clause = clauses->kids[i];
        node **slot = clause->kind == NODE_NAMING ? &named : &slots[clause->kind == NODE_I_WITHOUT ? BOARD_WITHOUT : BOARD_JOINED];
        if (*slot)
            diag_add(p->d, "E0119", clause->at, "a board has this clause once");
        *slot = clause->kind == NODE_NAMING ? clause : clause->kids[0];
    }
    return node_join(p, node_join(p, node_make(p, NODE_I_BOARD, at, shape, 0, NULL), &(node){ .count = BOARD_NAMED, .kids = slots }), named);
}

static const char *const owners[] = { "player", "cell", "piece" };

/* `owner`: a PLAYER node whose text is what follows `of` and whose flags may say `of turn`. */
node *make_keep(parse *p, span at, const char *name, node *owner, node *type, node *start, node *seen, bool aside)
{
    if (type && !(type->flags & FLAG_IN) && type->kind != NODE_E_RANGE && type->kind != NODE_BROKEN) {
        diag_add(p->d, "E0121", type->at, "a range is wanted here, such as 0..9; a flag has none, and other values need 'in'");
        type = NULL;
    }
    if (owner && owner->text) {
        bool known = false;
        for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
            known = known || strcmp(owner->text, owners[i]) == 0;
        if (!known)
            diag_add(p->d, "E0121", owner->at, "kept of what? 'player', 'cell', 'piece' or 'turn' is wanted here, found '%s'", owner->text);
    }
    node *n = node_make(p, NODE_I_KEEP, at, name, 3, (node *[]){ type, start, seen });
    n->flags |= (type ? type->flags & FLAG_IN : 0) | (owner ? owner->flags : 0) | (aside ? FLAG_ASIDE : 0);
    if (type)
        type->flags &= ~(uint32_t)FLAG_IN;
    return with_more(n, owner ? owner->text : NULL);
}

node *make_option(parse *p, span at, const char *name, node *start, node *values, node *needs, node *meaning)
{
    return node_make(p, NODE_I_OPTION, at, name, 4, (node *[]){ start, values, meaning, needs });
}
