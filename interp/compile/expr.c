/* Expressions: from words side by side to values. docs/language.md, section 3, says what each form means. Names are in name.c, rows in row.c, images in
 * of.c, relations and fields in relation.c, comparisons in compare.c. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"
#include "interp/whole.h"

bool speaks_of(const node *n, const char *name)
{
    if (!n) return false;
    if (n->kind == NODE_E_NAME && strcmp(n->text, name) == 0) return true;
    for (int i = 0; i < n->count; i++) if (speaks_of(n->kids[i], name)) return true;
    return false;
}

const char *print_short(compiler *c, const node *n)
{
    char *t = n ? node_print(n) : NULL;
    if (!t) return "...";
    char *copy = arena_copy(c->a, t, strlen(t));
    free(t);
    return copy;
}

static value lower_range(compiler *c, const node *n)
{
    const node *a = kid(n, 0), *b = kid(n, 1);
    if (!a || !b) return value_error();
    int x = a->kind == NODE_E_NAME && !env_find(c, a->text) ? cell_named(c->g, a->text) : -1, y = b->kind == NODE_E_NAME && !env_find(c, b->text) ? cell_named(c->g, b->text) : -1;
    if (x >= 0 && y >= 0) {
        value s = value_const_set(c);
        s.named = true;
        int counted[PLACES_MAX];
        const int many = cells_counted(c->g, a->text, b->text, counted, PLACES_MAX);
        for (int i = 0; i < many; i++) for (int w = 0; w < PLAYERS_MAX; w++) const_words(&s, w)[counted[i] / 64] |= 1ull << (counted[i] % 64);
        if (many) return s;
        const cell_info *p = &c->g->cell[x], *q = &c->g->cell[y];
        int left = p->x < q->x ? p->x : q->x, right = p->x < q->x ? q->x : p->x, low = p->y < q->y ? p->y : q->y, high = p->y < q->y ? q->y : p->y;
        for (int i = 0; i < c->g->cells; i++) {
            const cell_info *z = &c->g->cell[i];
            if (z->x >= left && z->x <= right && z->y >= low && z->y <= high) for (int w = 0; w < PLAYERS_MAX; w++) const_words(&s, w)[i / 64] |= 1ull << (i % 64);
        }
        return s;
    }
    if (x >= 0 || y >= 0) {
        value other = lower(c, x >= 0 ? b : a);
        if (other.type != T_ERROR) diag_add(c->d, "E0377", (x >= 0 ? b : a)->at, "from a cell to a cell: another cell is wanted here, found %s", type_names[other.type]);
        return value_error();
    }
    value lo = lower_number(c, a), hi = lower_number(c, b);
    if (lo.type == T_ERROR || hi.type == T_ERROR) return value_error();
    value v = { .type = T_RANGE, .times = -1, .low_constant = lo.constant, .high_constant = hi.constant, .low_k = lo.k, .high_k = hi.k };
    v.constant = lo.constant && hi.constant;
    v.low = num_operand(c, &lo);
    v.high = num_operand(c, &hi);
    return v;
}

/* Known kinds of one or the other, each once. */
static value kinds_join(compiler *c, value v, value x)
{
    int32_t list[KINDS_MAX * 2];
    int k = 0;
    for (int j = 0; j < v.kind_count; j++) list[k++] = c->g->lists[v.kinds + j];
    for (int j = 0; j < x.kind_count; j++) {
        bool there = false;
        for (int q = 0; q < k; q++) there |= list[q] == c->g->lists[x.kinds + j];
        if (!there && k < KINDS_MAX) list[k++] = c->g->lists[x.kinds + j];
    }
    v.kinds = list_add(c, list, k);
    v.kind_count = k;
    return v;
}

static value lower_logic(compiler *c, const node *n)
{
    const bool is_or = n->kind == NODE_E_OR;
    value first = value_error();
    int result = -1;
    uint32_t jumps[64];
    int jump_count = 0;
    bool decided = false, error = false;
    value v = value_error();
    type t = T_ERROR;
    for (int i = 0; i < n->count; i++) {
        uint32_t mark = c->g->code_count;
        value x = lower(c, n->kids[i]);
        if (x.type == T_ERROR) { error = true; continue; }
        if (x.type == T_BAG || x.type == T_FIELD || x.type == T_WORD || (x.type == T_NUMBER && !(x.constant && numbered(c->g)))) {
            diag_add(c->d, "E0359", n->kids[i]->at, "`%s` joins questions, sets or directions, found %s", is_or ? "or" : "and", type_names[x.type]);
            error = true;
            continue;
        }
        if (t == T_ERROR) t = x.type;
        if (decided) { c->g->code_count = mark; continue; }
        if (t == T_TRUTH || x.type == T_TRUTH) {
            if (x.type != t) { diag_add(c->d, "E0359", n->kids[i]->at, "`%s` joins %s and %s; ask of a set with any, no, count or in", is_or ? "or" : "and", type_names[t], type_names[x.type]); error = true; continue; }
            if (x.constant) {
                if ((x.k != 0) == is_or) { decided = true; if (result < 0) first = value_truth(is_or); else { emit(c, OP_MOVE, result, num_const(c, is_or), 0, 0, 0); } }
                continue;
            }
            if (result < 0) result = num_reg(c);
            origin_part(c, emit(c, OP_MOVE, result, x.reg, 0, 0, 0), n->kids[i]);
            if (i + 1 < n->count && jump_count < 64) jumps[jump_count++] = emit(c, is_or ? OP_JUMP_YES : OP_JUMP_NO, result, 0, 0, 0, 0);
            continue;
        }
        if (t == T_RELATION && x.type == T_RELATION) { v = v.type == T_ERROR ? x : is_or ? relation_join(c, OP_BITS_OR, v, x) : relation_meet(c, v, x); continue; }
        if (t == T_KINDS && x.type == T_KINDS && is_or && (v.type == T_ERROR || (v.constant && x.constant))) {
            v = v.type == T_ERROR ? x : kinds_join(c, v, x);
            continue;
        }
        if (x.type == T_RELATION && along_too_short(c, n, i)) return value_error();
        x = to_set(c, x, n->kids[i]);
        if (x.type == T_ERROR) { error = true; continue; }
        if (v.type != T_ERROR && v.type != T_SET) v = to_set(c, v, n->kids[0]);
        if (v.type == T_ERROR && i > 0 && error) continue;
        if (v.type == T_ERROR) { v = x; if (v.type == T_PLACE) { int s = set_operand(c, &v); v = value_reg(T_SET, s); } v.zone = 0; continue; }
        bool named = v.named && x.named;
        v = is_or ? set_or(c, v, x) : set_and(c, v, x);
        v.named = named && v.constant;
    }
    for (int i = 0; i < jump_count; i++) patch(c, jumps[i], c->g->code_count);
    if (jump_count) here_label(c);
    if (error) return value_error();
    if (t == T_TRUTH) return result >= 0 ? value_reg(T_TRUTH, result) : decided ? first : value_truth(!is_or);
    return v;
}

static value lower_arith(compiler *c, const node *n)
{
    const char *op = n->text;
    value a = lower(c, kid(n, 0)), b = lower(c, kid(n, 1));
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (a.type == T_BAG && op[0] == '+' && (b.type == T_BAG || b.type == T_NUMBER)) return row_numbers(c, a, b, n);
    for (int i = 0; i < 2; i++) {
        const value *v = i ? &b : &a;
        const node *k = kid(n, i);
        if (v->type == T_NUMBER || v->type == T_FIELD) continue;
        if (v->type == T_TRUTH) diag_add(c->d, "E0364", k->at, "a yes or no among numbers; write `(1 when %s else 0)`", print_short(c, k));
        else if (v->type == T_BAG) diag_add(c->d, "E0364", k->at, "several numbers; write `sum(%s)`", print_short(c, k));
        else if (v->type == T_SET || v->type == T_PLACE) diag_add(c->d, "E0364", k->at, "a set among numbers; write `count %s`, or put brackets round the number it goes with", print_short(c, k));
        else diag_add(c->d, "E0364", k->at, "a number is wanted beside `%s`, found %s", op, type_names[v->type]);
        return value_error();
    }
    if ((op[0] == '/' || op[0] == '%') && b.type == T_NUMBER && b.constant && b.k == 0) { diag_add(c->d, "E0365", n->at, "division by zero"); return value_error(); }
    if (a.type == T_FIELD || b.type == T_FIELD) return field_arith(c, op[0], a, b);
    if (a.constant && b.constant) return value_number(whole(op[0], a.k, b.k));
    int x = num_operand(c, &a), y = num_operand(c, &b);
    value v = value_reg(T_NUMBER, num_reg(c));
    emit(c, op[0] == '+' ? OP_ADD : op[0] == '-' ? OP_SUB : op[0] == '*' ? OP_MUL : op[0] == '/' ? OP_DIV : OP_MOD, v.reg, x, y, 0, 0);
    return v;
}

static value lower_question(compiler *c, const node *n)
{
    const node *k = kid(n, 0);
    if (!k) return value_error();
    const opcode op = n->kind == NODE_E_COUNT ? OP_COUNT : n->kind == NODE_E_ANY ? OP_ANY : OP_NO;
    if (is_name(k, "taken") && !env_find(c, "taken")) {
        if (op == OP_COUNT) return value_reg(T_NUMBER, HEAD(H_TAKEN));
        return compare_numbers(c, op == OP_ANY ? ">" : "=", value_reg(T_NUMBER, HEAD(H_TAKEN)), value_number(0));
    }
    value v = lower(c, k);
    const type out = op == OP_COUNT ? T_NUMBER : T_TRUTH;
    if (v.type == T_ERROR) return v;
    if (v.type == T_BAG || v.type == T_PLAYERS) {
        value r = value_reg(T_NUMBER, num_reg(c));
        if (v.type == T_BAG) { int b = bag_operand(c, &v); emit(c, OP_BAG_COUNT, r.reg, b, 0, 0, 0); }
        else emit(c, OP_BITS_COUNT, r.reg, num_operand(c, &v), 0, 0, 0);
        return op == OP_COUNT ? r : compare_numbers(c, op == OP_ANY ? ">" : "=", r, value_number(0));
    }
    if (v.type == T_RELATION) {
        int m = relation_operand(c, &v);
        value r = value_reg(T_NUMBER, num_reg(c));
        emit(c, OP_BITS_COUNT, r.reg, m, 0, 0, 0);
        return op == OP_COUNT ? r : compare_numbers(c, op == OP_ANY ? ">" : "=", r, value_number(0));
    }
    check_set(c, &v, k, NULL);
    const char *word = op == OP_COUNT ? "count" : op == OP_ANY ? "any" : "no";
    if (v.type == T_TRUTH) { diag_add(c->d, "E0366", k->at, "`%s` asks about a set, found a yes or no", word); return value_error(); }
    if (v.type == T_NUMBER && !(v.constant && (numbered(c->g) || c->board_broken))) {
        diag_add(c->d, "E0366", k->at, op == OP_COUNT ? "`%s` asks about a set, found a number" : "`%s` asks about a set, found a number; compare it, as in `%s %s 0`", word, print_short(c, k), op == OP_ANY ? ">" : "=");
        return value_error();
    }
    if (op != OP_COUNT) check_cell_asked(c, &v, k, word);
    if (v.type == T_PLAYER && v.none) return op == OP_COUNT ? value_number(0) : value_truth(op == OP_NO);
    if (v.type == T_PLACE) {
        value r = compare_numbers(c, ">=", (value){ .type = T_NUMBER, .constant = v.constant, .k = v.k, .reg = v.reg, .times = -1 }, value_number(0));
        if (op == OP_NO) return truth_not(c, r);
        if (op == OP_COUNT) r.type = T_NUMBER;
        return r;
    }
    v = to_set(c, v, k);
    if (v.type == T_ERROR) return v;
    if (v.constant) {
        bool same = true;
        int count = -1;
        for (int p = 0; p < c->g->player_count; p++) {
            int m = 0;
            for (int w = 0; w < WORDS_MAX; w++) m += __builtin_popcountll(const_words(&v, p)[w]);
            if (count >= 0 && m != count) same = false;
            count = m;
        }
        if (same) return op == OP_COUNT ? value_number(count) : value_truth((count > 0) == (op == OP_ANY));
    }
    int x = set_operand(c, &v);
    value r = value_reg(out, num_reg(c));
    ins *prev = c->g->code_count ? &c->g->code[c->g->code_count - 1] : NULL;
    if (op == OP_ANY && prev && prev->op == OP_S_AND && prev->a == x && c->label != c->g->code_count) { prev->op = OP_MEETS; prev->a = (uint16_t)r.reg; return r; }
    emit(c, op, r.reg, x, 0, 0, 0);
    return r;
}

/* A question about more than the cells on the way of a leg. */
static value lower_anywhere(compiler *c, const node *n)
{
    const int way = c->way;
    c->way = 0;
    const value v = lower_truth(c, n);
    c->way = way;
    return v;
}

/* A branch, and whether it is an answer to what is asked of kinds (compile.h). */
static value lower_branch(compiler *c, const node *n, bool *answered)
{
    c->answered = false;
    const value v = n ? lower(c, n) : value_error();
    *answered = c->answered;
    c->answered = false;
    return v;
}

static value lower_when(compiler *c, const node *n)
{
    const value *asked = c->asked;
    bool first, second;
    c->asked = NULL;
    value cond = lower_anywhere(c, kid(n, 1));
    c->asked = asked;
    uint32_t mark = c->g->code_count;
    value a = lower_branch(c, kid(n, 0), &first);
    const bool closed = cond.constant && cond.type != T_ERROR && !cond.k;
    if (closed) c->g->code_count = mark;            /* what the closed branch made is not needed */
    uint32_t middle = c->g->code_count;
    value b = lower_branch(c, kid(n, 2), &second);
    if (cond.type == T_ERROR || a.type == T_ERROR || (kid(n, 2) && b.type == T_ERROR)) return value_error();
    if (!kid(n, 2)) {
        b = a.type == T_NUMBER ? value_number(0) : a.type == T_TRUTH ? value_truth(false) : a.type == T_RELATION ? relation_const(0) : value_const_set(c);
        if (a.type == T_KINDS) { b = a; b.constant = true; b.kind_count = 0; }
        if (a.type == T_FIELD || a.type == T_BAG) { diag_add(c->d, "E0367", n->at, "`(%s when ...)` needs an `else`", print_short(c, kid(n, 0))); return value_error(); }
    }
    if (cond.constant) {
        if (!closed && kid(n, 2)) c->g->code_count = middle;
        c->answered = closed ? second : first;
        return closed ? b : a;
    }
    if (asked && (first || second || a.type == T_KINDS || b.type == T_KINDS)) {
        if (!first) a = is_among(c, *asked, a, n, kid(n, 0));
        if (!second) b = kid(n, 2) ? is_among(c, *asked, b, n, kid(n, 2)) : value_truth(false);
        if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
        c->answered = true;
    }
    if (a.type != b.type && (a.type == T_WORD || b.type == T_WORD || a.type == T_NUMBER || b.type == T_NUMBER || a.type == T_TRUTH || b.type == T_TRUTH || a.type == T_RELATION || b.type == T_RELATION)) {
        diag_add(c->d, "E0368", n->at, "`when ... else` gives %s or %s; both must be of one kind", type_names[a.type], type_names[b.type]);
        return value_error();
    }
    if (a.type == b.type && (a.type == T_NUMBER || a.type == T_TRUTH || a.type == T_PLAYER || a.type == T_PLACE || (a.type == T_KINDS && (!a.constant || a.kind_count < 2) && (!b.constant || b.kind_count < 2)))) {
        int x = num_operand(c, &a), y = num_operand(c, &b);
        value v = value_reg(a.type, num_reg(c));
        emit(c, OP_CHOOSE, v.reg, x, y, cond.reg, 0);
        return v;
    }
    if (a.type == T_RELATION) {
        int x = relation_operand(c, &a), y = relation_operand(c, &b);
        value v = value_reg(T_RELATION, num_reg(c));
        v.times = a.times;
        emit(c, OP_CHOOSE, v.reg, x, y, cond.reg, 0);
        return v;
    }
    a = to_set(c, a, kid(n, 0));
    b = to_set(c, b, kid(n, 2) ? kid(n, 2) : n);
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    int x = set_operand(c, &a), y = set_operand(c, &b);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_CHOOSE, v.reg, x, y, cond.reg, 0);
    return v;
}

static value lower_reach(compiler *c, const node *n)
{
    value s = lower_set(c, kid(n, 0)), t = lower_set(c, kid(n, 1)), r = kid(n, 2) ? lower_relation(c, kid(n, 2)) : relation_const(c->g->ways);
    if (s.type == T_ERROR || t.type == T_ERROR || r.type == T_ERROR) return value_error();
    int x = set_operand(c, &s), y = set_operand(c, &t);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_REACH, v.reg, x, y, relation_index(c, &r), 0);
    return v;
}

static value lower_line(compiler *c, const node *n)
{
    value length = kid(n, 0) ? lower(c, kid(n, 0)) : value_error(), s = lower_set(c, kid(n, 1));
    value a = kid(n, 2) ? lower_set(c, kid(n, 2)) : value_error(), b = kid(n, 3) ? lower_set(c, kid(n, 3)) : (value){ .type = T_SET };
    value r = kid(n, 4) ? lower_relation(c, kid(n, 4)) : relation_const(c->g->ways);
    if (s.type == T_ERROR || r.type == T_ERROR || (kid(n, 0) && length.type == T_ERROR) || (kid(n, 2) && (a.type == T_ERROR || b.type == T_ERROR))) return value_error();
    if (kid(n, 0) && length.type != T_NUMBER && length.type != T_RANGE) { diag_add(c->d, "E0369", kid(n, 0)->at, "the length of a line is a number or a range, found %s", type_names[length.type]); return value_error(); }
    int x = set_operand(c, &s);
    if (kid(n, 2)) {
        int y = set_operand(c, &a), z = kid(n, 3) ? set_operand(c, &b) : 65535;
        value v = value_reg(T_SET, set_reg(c));
        int64_t least = 1, most = 255;
        if (kid(n, 0)) {
            if (length.type == T_RANGE) { least = length.low_k; most = length.high_k; }
            else least = most = length.k;
            if (length.constant && (least < 1 || most > 254)) { diag_add(c->d, "E0369", kid(n, 0)->at, "a line between two ends is 1 to 254 cells long"); return value_error(); }
            if (!length.constant) { diag_add(c->d, "E0369", kid(n, 0)->at, "the length of a line between two ends must be known beforehand"); return value_error(); }
        }
        z = (int)((uint32_t)z | (uint32_t)least << 16 | (uint32_t)most << 24);
        emit(c, OP_S_BETWEEN, v.reg, x, y, relation_index(c, &r), z);
        return v;
    }
    value low = length, high = length;
    if (length.type == T_RANGE) {
        low = length.low_constant ? value_number(length.low_k) : value_reg(T_NUMBER, length.low);
        high = length.high_constant ? value_number(length.high_k) : value_reg(T_NUMBER, length.high);
    }
    int lo = kid(n, 0) ? num_operand(c, &low) : 65535, hi = kid(n, 0) ? num_operand(c, &high) : 65535;
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_LINE, v.reg, x, lo, relation_index(c, &r), hi);
    return v;
}

static value lower_where(compiler *c, const node *n)
{
    value s = lower(c, kid(n, 0));
    if (s.type == T_TRUTH || s.type == T_PLAYERS || s.type == T_RELATION || s.type == T_BAG || (s.type == T_RANGE && !numbered(c->g))) return set_before_where(c, s, n);
    s = s.type == T_ERROR ? s : to_set(c, s, kid(n, 0));
    int it = num_reg(c), left = set_reg(c), out = set_reg(c), one = set_reg(c);
    value none = value_const_set(c);
    if (s.type != T_ERROR) emit(c, OP_S_COPY, left, within_way(c, set_operand(c, &s)), 0, 0, 0);
    emit(c, OP_S_COPY, out, set_operand(c, &none), 0, 0, 0);
    uint32_t again = here_label(c);
    uint32_t pop = emit(c, OP_S_POP, it, left, 0, 0, 0);
    int was = c->it;
    c->it = it;
    value cond = lower_anywhere(c, kid(n, 1));
    c->it = was;
    if (cond.type == T_ERROR || s.type == T_ERROR) return value_error();
    if (!cond.constant || !cond.k) emit(c, OP_JUMP_NO, num_operand(c, &cond), 0, 0, (int32_t)again, 0);
    emit(c, OP_S_PLACE, one, it, 0, 0, 0);
    emit(c, OP_S_OR, out, out, one, 0, 0);
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)again, 0);
    patch(c, pop, here_label(c));
    return value_reg(T_SET, out);
}

static value lower_always(compiler *c, const node *n)
{
    const node *what = kid(n, 0);
    value who = value_reg(T_PLAYER, HEAD(H_MOVER));
    const node *who_node = NULL;
    if (what && what->kind == NODE_E_OF && names_player(c, kid(what, 1))) { who_node = kid(what, 1); what = kid(what, 0); }
    int index = -1;
    for (int i = 0; i < c->always_count; i++) if (c->always[i] == what || strcmp(print_short(c, c->always[i]), print_short(c, what)) == 0) index = i;
    if (index < 0) {
        if (c->always_count == 32) { diag_add(c->d, "E0371", n->at, "more than 32 questions with `always`"); return value_error(); }
        c->always = realloc(c->always, (size_t)(c->always_count + 1) * sizeof *c->always);
        if (!c->always) abort();
        c->always[index = c->always_count++] = what;
    }
    c->g->uses_history = true;
    value v = value_reg(T_TRUTH, num_reg(c));
    if (who_node) {
        who = lower_player(c, who_node);
        if (who.type == T_ERROR) return who;
        int saved = push_mover(c, &who);
        emit(c, OP_ALWAYS, v.reg, 0, 0, index, 0);
        pop_mover(c, saved);
        return v;
    }
    emit(c, OP_ALWAYS, v.reg, 0, 0, index, 0);
    return v;
}

static value fold_bags(compiler *c, const node *n)
{
    const bool sum = strcmp(n->text, "sum") == 0, most = strcmp(n->text, "max") == 0;
    if (n->count == 0) { diag_add(c->d, "E0372", n->at, "%s() of nothing", n->text); return value_error(); }
    value v = value_error();
    for (int i = 0; i < n->count; i++) {
        value x = lower(c, n->kids[i]);
        if (x.type == T_ERROR) return x;
        if (x.type == T_BAG) {
            value r = value_reg(T_NUMBER, num_reg(c));
            if (x.over_field) emit(c, sum ? OP_SUM : most ? OP_MOST : OP_LEAST, r.reg, x.over_set, 0, x.over_field - 1, 0);
            else emit(c, sum ? OP_BAG_SUM : most ? OP_BAG_MOST : OP_BAG_LEAST, r.reg, bag_operand(c, &x), 0, 0, 0);
            x = r;
        } else if (x.type == T_TRUTH) { diag_add(c->d, "E0364", n->kids[i]->at, "a yes or no among numbers; write `(1 when %s else 0)`", print_short(c, n->kids[i])); return value_error(); }
        else if (x.type != T_NUMBER) { diag_add(c->d, "E0372", n->kids[i]->at, "%s() takes numbers, found %s", n->text, type_names[x.type]); return value_error(); }
        if (i == 0) { v = x; continue; }
        if (v.constant && x.constant) { v = value_number(sum ? whole_add(v.k, x.k) : most == (v.k > x.k) ? v.k : x.k); continue; }
        int a = num_operand(c, &v), b = num_operand(c, &x);
        value r = value_reg(T_NUMBER, num_reg(c));
        emit(c, sum ? OP_ADD : most ? OP_MAX : OP_MIN, r.reg, a, b, 0, 0);
        v = r;
    }
    return v;
}

static value call_kinds(compiler *c, const node *n)
{
    int32_t list[KINDS_MAX];
    int k = 0;
    for (int i = 0; i < n->count; i++) {
        value v = lower(c, n->kids[i]);
        if (v.type == T_ERROR) return v;
        if (v.type != T_KINDS || !v.constant) { diag_add(c->d, "E0372", n->kids[i]->at, "kinds() takes kinds of pieces, found %s", type_names[v.type]); return value_error(); }
        for (int j = 0; j < v.kind_count && k < KINDS_MAX; j++) list[k++] = c->g->lists[v.kinds + j];
    }
    return (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, list, k), .kind_count = k, .times = -1 };
}

static value call_first(compiler *c, const node *n)
{
    value s = lower_set(c, n->kids[0]);
    if (s.type == T_ERROR || s.type == T_PLACE) return s;
    int x = set_operand(c, &s);
    value v = place_value(num_reg(c));
    emit(c, OP_FIRST, v.reg, x, 0, 0, 0);
    return v;
}

static value call_leap(compiler *c, const node *n)
{
    value a = lower_number(c, n->kids[0]), b = lower_number(c, n->kids[1]);
    uint64_t m;
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (!a.constant || !b.constant || a.k < 0 || b.k < 0 || a.k > 200 || b.k > 200) { diag_add(c->d, "E0372", n->at, "a leap's numbers must be known beforehand"); return value_error(); }
    return board_leap(c, (int)a.k, (int)b.k, &m) ? relation_const(m) : value_error();
}

static value call_edge(compiler *c, const node *n)
{
    value r = lower_relation(c, n->kids[0]);
    if (r.type == T_ERROR) return r;
    check_directions(c, &r, n->kids[0]);
    if (!r.constant) { int m = relation_operand(c, &r); value v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_EDGE, v.reg, m, 0, 0, 0); return v; }
    value v = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++)
        for (uint64_t m = r.mask[p]; m; m &= m - 1) {
            const direction *d = &c->g->dirs[__builtin_ctzll(m)];
            for (int i = 0; i < c->g->cells; i++) if (!d->graph && d->next[i] == 0xFFFF) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
        }
    check_edge(c, &v, n);
    return v;
}

static value call_player(compiler *c, const node *n)
{
    value k = lower_number(c, n->kids[0]);
    if (k.type == T_ERROR) return k;
    if (k.constant) {
        if (k.k < 1 || k.k > c->g->player_count) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .none = true, .times = -1 };
        return (value){ .type = T_PLAYER, .constant = true, .k = k.k - 1, .times = -1 };
    }
    value v = value_reg(T_PLAYER, num_reg(c));
    emit(c, OP_SUB, v.reg, k.reg, num_const(c, 1), 0, 0);
    return v;
}

/* The functions of the language; what is said where they get another number of things than they take (takes < 0: any). */
static const struct { const char *name; value (*lower)(compiler *, const node *); int takes; const char *otherwise; } functions[] = {
    { "kinds", call_kinds, -1, NULL }, { "max", fold_bags, -1, NULL }, { "min", fold_bags, -1, NULL }, { "sum", fold_bags, -1, NULL },
    { "first", call_first, 1, "first() takes one set" },
    { "leap", call_leap, 2, "leap() takes two numbers, as in leap(1, 2)" },
    { "edge", call_edge, 1, "edge() takes directions, as in edge(north)" },
    { "player", call_player, 1, "player() takes one number" },
};

static value lower_call_expression(compiler *c, const node *n)
{
    const char *f = n->text;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(f, functions[i].name) != 0) continue;
        if (functions[i].takes < 0 || n->count == functions[i].takes) return functions[i].lower(c, n);
        diag_add(c->d, "E0372", n->at, "%s", functions[i].otherwise);
        return value_error();
    }
    symbol *s = symbol_find(c, f);
    if (s && s->kind == SYMBOL_NONE) { for (int i = 0; i < n->count; i++) lower(c, n->kids[i]); return value_error(); }
    if (s && s->kind == SYMBOL_LET) { s->used++; return let_value(c, s, n, n); }
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, f) == 0) { diag_add(c->d, "E0334", n->at, "'%s' is a rule, which is done, not asked; write `can %s`", f, f); return value_error(); }
    if (s || is_standard_name(f) || env_find(c, f)) diag_add(c->d, "E0336", n->at, "'%s' is not a function; put a space: `%s (...)`", f, f);
    else unknown_name(c, n, f, "no function is called");
    return value_error();
}

static value lower_not(compiler *c, const node *n)
{
    value v = lower(c, kid(n, 0));
    if (v.type == T_ERROR) return v;
    if (v.type == T_TRUTH) return truth_not(c, v);
    if (v.type == T_RELATION) return relation_join(c, OP_BITS_ANDN, relation_const(c->g->ways), v);
    if (v.type == T_NUMBER && !(v.constant && (numbered(c->g) || c->board_broken))) { diag_add(c->d, "E0366", kid(n, 0)->at, "`not` is said of a yes or no or of a set, found a number; compare it, as in `%s = 0`", print_short(c, kid(n, 0))); return value_error(); }
    v = to_set(c, v, kid(n, 0));
    return v.type == T_ERROR ? v : set_not(c, v);
}

static value lower_minus(compiler *c, const node *n)
{
    const node *k = kid(n, 0);
    if (k && k->kind == NODE_E_OF && !(k->flags & FLAG_BRACKETS) && static_type(c, kid(k, 0)) == T_RELATION) {
        value r = lower_relation(c, kid(k, 0));
        if (r.type == T_ERROR) return r;
        r = relation_opposite(c, r);
        return lower_of_with(c, k, &r);
    }
    value v = lower(c, k);
    if (v.type == T_ERROR) return v;
    if (v.type == T_RELATION) return relation_opposite(c, v);
    if (v.type == T_FIELD) return field_arith(c, '-', value_number(0), v);
    if (v.type != T_NUMBER) { diag_add(c->d, "E0364", n->at, "a number or directions are wanted after `-`, found %s", type_names[v.type]); return value_error(); }
    if (v.constant) return value_number(whole_sub(0, v.k));
    value r = value_reg(T_NUMBER, num_reg(c));
    emit(c, OP_SUB, r.reg, num_const(c, 0), v.reg, 0, 0);
    return r;
}

/* Of a leg's target only the cells on its way matter. That goes for what the target is put together of, cell by cell; in all else a cell may stand for others. */
static bool of_same_cells(const node *n)
{
    return n->kind == NODE_E_NAME || n->kind == NODE_E_ROW || n->kind == NODE_E_NOT || n->kind == NODE_E_OR || n->kind == NODE_E_AND || n->kind == NODE_E_WHEN || n->kind == NODE_E_WHERE;
}

/* `top height of x - 1 of S`: how many must stand in brackets. */
bool open_count(compiler *c, const node *n)
{
    const node *many = kid(n, 0);
    if (many->flags & FLAG_BRACKETS || static_type(c, many) != T_FIELD) return false;
    diag_add(c->d, "E0374", n->at, "how many stands in brackets: `%s (%s of ...) of S`", n->text, print_short(c, many));
    return true;
}

static value stray_top(compiler *c, const node *n)
{
    if (!open_count(c, n)) diag_add(c->d, "E0374", n->at, "`%s` says how many pieces of a stack; it stands after `send` and `take`", n->text);
    return value_error();
}

static value lower_form(compiler *c, const node *n)
{
    switch (n->kind) {
    case NODE_E_NAME: return lower_name(c, n);
    case NODE_E_NUMBER: return value_number(n->value);
    case NODE_E_RANGE: return lower_range(c, n);
    case NODE_E_ROW: return lower_row(c, n);
    case NODE_E_NOT: return lower_not(c, n);
    case NODE_E_OF: return lower_of_with(c, n, NULL);
    case NODE_E_FROM: {
        value r = lower(c, kid(n, 0));
        if (r.type != T_RELATION && r.type != T_ERROR) { diag_add(c->d, "E0378", kid(n, 0)->at, "`from` says where directions begin, as in `diagonal from dark`; found %s before it", type_names[r.type]); r = value_error(); }
        value s = lower_set(c, kid(n, 1));
        return relation_from(c, r, s, n);
    }
    case NODE_E_OR: case NODE_E_AND: return lower_logic(c, n);
    case NODE_E_WHERE: return lower_where(c, n);
    case NODE_E_COMPARE: return lower_compare(c, n);
    case NODE_E_IN: return lower_in(c, n);
    case NODE_E_ARITH: return lower_arith(c, n);
    case NODE_E_MINUS: return lower_minus(c, n);
    case NODE_E_COUNT: case NODE_E_ANY: case NODE_E_NO: return lower_question(c, n);
    case NODE_E_WHEN: return lower_when(c, n);
    case NODE_E_CAN: { int r = lower_can(c, n->text, n); return r < 0 ? value_error() : value_reg(T_TRUTH, r); }
    case NODE_E_ALWAYS: return lower_always(c, n);
    case NODE_E_REACH: return lower_reach(c, n);
    case NODE_E_LINE: return lower_line(c, n);
    case NODE_E_TOP: return stray_top(c, n);
    case NODE_E_CALL: return lower_call_expression(c, n);
    default: diag_add(c->d, "E0102", n->at, "an expression is wanted here"); return value_error();
    }
}

value lower(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_BROKEN || spent(c, n)) return value_error();
    c->at = n;
    for (int i = 0; i < c->hoisted_count; i++) if (c->hoisted[i].n == n) return value_reg(T_SET, c->hoisted[i].set);
    const int way = c->way;
    const value *asked = c->asked;
    if (!of_same_cells(n)) c->way = 0;
    if (n->kind != NODE_E_NAME && n->kind != NODE_E_CALL && n->kind != NODE_E_WHEN) c->asked = NULL;
    const value v = lower_form(c, n);
    c->way = way;
    c->asked = asked;
    return v;
}

value lower_set(compiler *c, const node *n)
{
    value v = lower(c, n);
    return v.type == T_ERROR ? v : to_set(c, v, n);
}
