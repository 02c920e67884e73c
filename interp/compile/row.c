/* Words side by side: sets meet, cells and numbers unite, directions and numbers go with what follows. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"

typedef struct { bool attacked, less_attacked; value set; bool some; value less; bool some_less; value cells; bool some_cells; value last; bool some_last; const node *last_node; bool broken; int field, field_count; int64_t field_low, field_high; } row;

static void row_meet(compiler *c, row *r, value v)
{
    if (v.attacked) { r->attacked = true; return; }
    if (v.named) {
        r->cells = r->some_cells ? set_or(c, r->cells, v) : v;
        r->cells.named = true;
        r->some_cells = true;
        return;
    }
    r->set = r->some ? set_and(c, r->set, v) : v;
    r->some = true;
}

static void row_flush(compiler *c, row *r)
{
    if (!r->some_last) return;
    r->some_last = false;
    value v = to_set(c, r->last, r->last_node);
    if (v.type == T_ERROR) { r->broken = true; return; }
    row_meet(c, r, v);
}

static value bag_const(compiler *c, const value *a, const value *b, const node *at)
{
    int32_t items[PLACES_MAX];
    int n = 0;
    const value *both[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        const value *v = both[i];
        if (v->type == T_RANGE) {
            if (v->high_k - v->low_k >= PLACES_MAX - n) { diag_add(c->d, "E0351", at->at, "more than %d numbers in a row", PLACES_MAX); return value_error(); }
            for (int64_t k = v->low_k; k <= v->high_k; k++) items[n++] = (int32_t)k;
            continue;
        }
        const int more = v->type == T_NUMBER ? 1 : v->kind_count;
        if (n + more > PLACES_MAX) { diag_add(c->d, "E0351", at->at, "more than %d numbers in a row", PLACES_MAX); return value_error(); }
        for (int j = 0; j < more; j++) items[n++] = v->type == T_NUMBER ? (int32_t)v->k : c->g->lists[v->kinds + j];
    }
    return (value){ .type = T_BAG, .constant = true, .kinds = list_add(c, items, n), .kind_count = n, .times = -1 };
}

value row_numbers(compiler *c, value a, value b, const node *at)
{
    const bool constant = a.constant && (b.constant || (b.type == T_RANGE && b.low_constant && b.high_constant));
    if (constant && (a.type == T_NUMBER || a.type == T_BAG || a.type == T_RANGE)) return bag_const(c, &a, &b, at);
    int bag_ = bag_reg(c);
    emit(c, OP_BAG_CLEAR, bag_, 0, 0, 0, 0);
    if (a.type == T_BAG) emit(c, OP_BAG_JOIN, bag_, bag_operand(c, &a), 0, 0, 0);
    else emit(c, OP_BAG_ADD, bag_, num_operand(c, &a), 0, 0, 0);
    emit(c, OP_BAG_ADD, bag_, num_operand(c, &b), 0, 0, 0);
    return value_reg(T_BAG, bag_);
}

/* `row 1 row 2`: no cell can have both. */
static bool second_value(compiler *c, row *r, const value *of, int64_t low, int64_t high, const node *n)
{
    if (r->field_count && r->field == of->reg && (low > r->field_high || high < r->field_low)) {
        diag_add(c->d, "E0379", n->at, "no cell has two values of one field; write `%s %lld..%lld`, or `or` between them", print_short(c, r->last_node), (long long)(low < r->field_low ? low : r->field_low), (long long)(high > r->field_high ? high : r->field_high));
        r->set = value_error();
        return true;
    }
    r->field = of->reg;
    r->field_low = low;
    r->field_high = high;
    r->field_count++;
    return false;
}

/* `-1 east`, or a die that shows it: nobody steps so far. */
static void steps_below_none(compiler *c, const node *n, const value *times)
{
    const symbol *s = n && n->kind == NODE_E_NAME && !env_find(c, n->text) ? symbol_find(c, n->text) : NULL;
    const dice_info *d = s && s->kind == SYMBOL_DICE ? &c->g->dice[s->index] : NULL;
    int64_t least = times->constant ? times->k : 0;
    for (int i = 0; d && i < d->count; i++) if (d->faces[i] < least) least = d->faces[i];
    if (least < 0) diag_add(c->d, "W0429", n->at, "nobody steps %lld times, which %s; to go backwards write `-` before the way", (long long)least, d ? "this die can show" : "is what stands here");
}

/* One more word of the row. False: what was before and this make no pair. */
static bool row_pair(compiler *c, row *r, value v, const node *n)
{
    if (!r->some_last) return false;
    value p = r->last;
    if (p.type == T_FIELD && (v.type == T_NUMBER || v.type == T_RANGE)) {
        value low = v, high = v;
        if (v.type == T_RANGE) {
            low = v.low_constant ? value_number(v.low_k) : value_reg(T_NUMBER, v.low);
            high = v.high_constant ? value_number(v.high_k) : value_reg(T_NUMBER, v.high);
        }
        r->some_last = false;
        if (low.constant && high.constant && second_value(c, r, &p, low.k, high.k, n)) { r->broken = true; return true; }
        value s = field_between(c, p, &low, &high, false);
        row_meet(c, r, s);
        return true;
    }
    if (p.type == T_FIELD && v.type == T_BAG) {
        value s = value_reg(T_SET, 0);
        int b = bag_operand(c, &v);
        s.reg = set_reg(c);
        emit(c, OP_S_FIELD_BAG, s.reg, b, 0, p.reg, 0);
        r->some_last = false;
        row_meet(c, r, s);
        return true;
    }
    if ((p.type == T_NUMBER || (p.type == T_BAG && p.constant) || p.type == T_RANGE || p.type == T_BAG) && (v.type == T_NUMBER || (v.type == T_RANGE && p.type != T_RELATION))) { r->last = row_numbers(c, p, v, n); r->broken |= r->last.type == T_ERROR; r->last_node = n; return true; }
    if (p.type == T_NUMBER && v.type == T_RELATION) { steps_below_none(c, r->last_node, &p); v.times = num_operand(c, &p); r->last = v; r->last_node = n; return true; }
    if (p.type == T_NUMBER && v.type == T_KINDS) { v.type = T_MANY; v.low = num_operand(c, &p); r->last = v; r->last_node = n; return true; }
    if (p.type == T_RELATION && v.type == T_RELATION) { r->last = relation_meet(c, p, v); r->last_node = n; return true; }
    return false;
}

/* Do words of a row other than kinds and flags of pieces say where the pieces are? */
static bool says_where(compiler *c, const node *n)
{
    for (int i = 0; i < n->count; i++) {
        const node *k = n->kids[i] && n->kids[i]->kind == NODE_E_NOT ? kid(n->kids[i], 0) : n->kids[i];
        if (n->kids[i] && n->kids[i]->kind == NODE_E_NOT) continue;
        type t = static_type(c, k);
        if (t == T_KINDS || t == T_NUMBER || t == T_FIELD || t == T_RANGE) continue;
        symbol *s = k && k->kind == NODE_E_NAME && !env_find(c, k->text) ? symbol_find(c, k->text) : NULL;
        if (s && s->kind == SYMBOL_KEEP && c->g->keeps[s->index].of == KEEP_PIECE) continue;
        return true;
    }
    return false;
}

/* `own King armed`, armed a yes or no: told with the other words as they should stand. */
static void truth_in_row(compiler *c, const node *n, int which, int end)
{
    char words[160];
    size_t length = 0;
    for (int i = 0; i < n->count; i++) {
        if (i == which || (i >= end && end < n->count && i != n->count - 1)) continue;
        const char *t = print_short(c, n->kids[i]);
        if (length + strlen(t) + 2 >= sizeof words) { length = 0; break; }
        if (length) words[length++] = ' ';
        memcpy(words + length, t, strlen(t));
        length += strlen(t);
    }
    words[length] = '\0';
    diag_add(c->d, "E0358", n->kids[which]->at, "a yes or no among sets; write `(%s when %s)`", length ? words : "S", print_short(c, n->kids[which]));
}

static value lower_row_words(compiler *c, const node *n);

value lower_row(compiler *c, const node *n)
{
    const bool was = c->off_board;
    c->off_board = was || says_where(c, n);
    value v = lower_row_words(c, n);
    c->off_board = was;
    return v;
}

/* Where the words end that stand for themselves: directions and a number just before `R of S` belong to R (from `absorbed` on), and that image is the
 * last word (at `end`). */
static void row_parts(compiler *c, const node *n, int *absorbed, int *end)
{
    const node *last = n->kids[n->count - 1];
    *absorbed = *end = n->count;
    if (!last || last->kind != NODE_E_OF || (last->flags & FLAG_BRACKETS) || static_type(c, kid(last, 0)) != T_RELATION || static_type(c, kid(last, 1)) == T_PLAYER) return;
    *absorbed = --*end;
    while (*absorbed > 0) {
        const node *k = n->kids[*absorbed - 1];
        const type t = static_type(c, k && k->kind == NODE_E_NOT ? kid(k, 0) : k);
        if (t == T_NUMBER && *absorbed >= 2 && static_type(c, n->kids[*absorbed - 2]) == T_FIELD) break;
        if (t != T_RELATION && t != T_NUMBER) break;
        --*absorbed;
        if (t == T_NUMBER) break;
    }
}

static void row_last(row *r, value v, const node *k)
{
    r->last = v;
    r->last_node = k;
    r->some_last = true;
}

/* `not W` in a row. False if there was a fault. */
static bool row_without(compiler *c, row *r, const node *n, int i, int end)
{
    const node *k = n->kids[i];
    value v = lower(c, kid(k, 0));
    if (v.type == T_ERROR) return false;
    if (v.type == T_TRUTH) { truth_in_row(c, n, i, end); return false; }
    if (v.type == T_RELATION) {
        const value all = relation_const(c->g->ways);
        if (r->some_last && r->last.type == T_RELATION) r->last = relation_join(c, OP_BITS_ANDN, r->last, v);
        else { row_flush(c, r); row_last(r, relation_join(c, OP_BITS_ANDN, all, v), k); }
        return true;
    }
    if (v.type == T_FIELD && i + 1 < n->count && n->kids[i + 1]) {
        diag_add(c->d, "E0350", ((span){ k->at.source, k->at.from, n->kids[i + 1]->at.to }), "`not` takes the next word alone; write `not (%s %s)`", print_short(c, kid(k, 0)), print_short(c, n->kids[i + 1]));
        return false;
    }
    const value s = to_set(c, v, kid(k, 0));
    if (s.type == T_ERROR) return false;
    row_flush(c, r);
    if (s.attacked) { r->less_attacked = true; return true; }
    r->less = r->some_less ? set_or(c, r->less, s) : s;
    r->some_less = true;
    return true;
}

/* A word of a row. False if there was a fault. */
static bool row_word(compiler *c, row *r, const node *n, int i, int end)
{
    const node *k = n->kids[i];
    value v = lower(c, k);
    if (v.type == T_ERROR) { r->some_last = false; return false; }   /* what was before may have gone with it: `row (row of x) own`, x not known yet */
    if (v.type == T_TRUTH) { truth_in_row(c, n, i, end); return false; }
    if (v.type == T_WORD) { diag_add(c->d, "E0358", k->at, "'%s' is an option of several words among sets; write `(S when %s = %s)`", print_short(c, k), print_short(c, k), v.word); return false; }
    if (row_pair(c, r, v, k)) return true;
    row_flush(c, r);
    row_last(r, v, k);
    return true;
}

/* The words that an image's relation is made of, as a row of their own: for what is said of them. */
static const node *relation_words(compiler *c, const node *n, int absorbed, int end)
{
    const node *left = kid(n->kids[n->count - 1], 0);
    node *words = arena_alloc(c->a, sizeof *words);
    *words = (node){ .kind = NODE_E_ROW, .at = n->kids[absorbed]->at, .count = end - absorbed + 1 };
    words->at.to = left->at.to;
    words->kids = arena_alloc(c->a, (size_t)words->count * sizeof *words->kids);
    for (int i = absorbed; i <= end; i++) words->kids[i - absorbed] = i < end ? n->kids[i] : n->kids[n->count - 1]->kids[0];
    return words;
}

/* The image that ends a row, its relation made of the words from `absorbed` on. */
static value row_image(compiler *c, const node *n, int absorbed, int end)
{
    const node *last = n->kids[n->count - 1];
    if (absorbed == end) return lower(c, last);
    row q = { 0 };
    for (int i = absorbed; i < end; i++) {
        const node *k = n->kids[i];
        const value v = k->kind == NODE_E_NOT ? relation_join(c, OP_BITS_ANDN, relation_const(c->g->ways), lower(c, kid(k, 0))) : lower(c, k);
        if (v.type == T_ERROR) return v;
        if (!row_pair(c, &q, v, k)) row_last(&q, v, k);
    }
    const value joined = lower(c, kid(last, 0));
    if (joined.type == T_ERROR) return joined;
    if (!row_pair(c, &q, joined, last)) return value_error();
    check_directions(c, &q.last, relation_words(c, n, absorbed, end));
    return lower_of_with(c, last, &q.last);
}

/* All words met. */
static value row_set(compiler *c, row *r)
{
    value s = r->some && r->some_cells ? set_and(c, r->cells, r->set) : r->some ? r->set : r->cells;
    if (!r->some && !r->some_cells) s = cells_set(c);
    if (r->some_less && s.type != T_ERROR) s = set_minus(c, s, r->less);
    /* asked only of the cells that the other words leave */
    value attacked = value_reg(T_SET, 0);
    attacked.attacked = true;
    if (r->attacked && s.type != T_ERROR) s = set_and(c, s, attacked);
    if (r->less_attacked && s.type != T_ERROR) s = set_minus(c, s, attacked);
    return s;
}

static value lower_row_words(compiler *c, const node *n)
{
    row r = { 0 };
    bool error = false;
    int absorbed, end;
    row_parts(c, n, &absorbed, &end);
    for (int i = 0; i < absorbed; i++)
        if (n->kids[i] && !(n->kids[i]->kind == NODE_E_NOT ? row_without : row_word)(c, &r, n, i, end)) error = true;
    if (error || r.broken) { for (int i = absorbed; i < n->count; i++) if (n->kids[i]) lower(c, n->kids[i]); return value_error(); }
    if (end < n->count) {
        row_flush(c, &r);
        if (r.broken) return value_error();
        value image = row_image(c, n, absorbed, end);
        image = image.type == T_ERROR ? image : to_set(c, image, n->kids[n->count - 1]);
        if (image.type == T_ERROR) return image;
        row_meet(c, &r, image);
    }
    if (r.some_last && !r.some && !r.some_cells && !r.some_less && !r.attacked && !r.less_attacked && end == n->count) return r.last;
    row_flush(c, &r);
    return r.broken ? value_error() : row_set(c, &r);
}
