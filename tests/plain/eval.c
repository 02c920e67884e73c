/* Expressions: what a node means in a situation. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- questions -------------------------------------------------------------------------------------------------------------------------- */
static int64_t count_of(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e);
    if (v.type == V_BAG || v.type == V_PLAYERS) return v.count;
    if (v.type == V_REL) return v.r->n;
    set x = as_set(g, s, &v, e);
    return set_count(g, s, &x);
}

static bool kinds_within(const val *a, const val *b) {
    for (int i = 0; i < a->count; i++) {
        bool in = false;
        for (int j = 0; j < b->count; j++) in |= a->list[i] == b->list[j];
        if (!in) return false;
    }
    return a->count > 0;
}

static bool steps_within(const rel *a, const rel *b) {
    for (int i = 0; i < a->n; i++) {
        bool in = false;
        for (int j = 0; j < b->n; j++) in |= a->steps[i]->id == b->steps[j]->id;
        if (!in) return false;
    }
    return a->n > 0;
}

val eval_in(plain_game *g, const sit *s, const val *a, const val *b, const node *x, const node *y) {
    if (number_like(a) && b->type == V_RANGE && a->type == V_NUMBER) return v_truth(a->n >= b->n && a->n <= b->high);
    if (a->type == V_NUMBER && b->type == V_BAG) {
        for (int i = 0; i < b->count; i++)
            if (b->list[i] == a->n) return v_truth(true);
        return v_truth(false);
    }
    if (a->type == V_KINDS && b->type == V_KINDS) return v_truth(kinds_within(a, b));
    if (a->type == V_REL && b->type == V_REL) return v_truth(steps_within(a->r, b->r));
    if (a->type == V_PLAYER && b->type == V_PLAYERS) {
        for (int i = 0; i < b->count; i++)
            if (b->list[i] == a->n) return v_truth(true);
        return v_truth(false);
    }
    if (a->type == V_PLAYER && b->type == V_PLAYER) return v_truth(a->n == b->n && a->n != NOBODY);
    set p = as_set(g, s, a, x), q = as_set(g, s, b, y);
    if (b->type == V_KINDS) q.zoned = true;             /* a card in a hand, too */
    return v_truth(set_within(g, s, &p, &q));
}

static bool holds(const char *op, int64_t a, int64_t b) {
    if (*op == '=') return a == b;
    if (*op == '!') return a != b;
    if (*op == '<') return op[1] ? a <= b : a < b;
    return op[1] ? a >= b : a > b;
}

static val compare_fields(plain_game *g, const sit *s, const char *op, const val *a, const val *b, const node *e) {
    set r = set_new(g, universe(g, s));
    int64_t x = 0, y = 0;
    if (a->type != V_FIELD) x = as_number(g, a, e->kids[0]);
    if (b->type != V_FIELD) y = as_number(g, b, e->kids[1]);
    for (int p = 0; p < universe(g, s); p++) {
        if (a->type == V_FIELD && !field_get(a->f, p, &x)) continue;
        if (b->type == V_FIELD && !field_get(b->f, p, &y)) continue;
        if (holds(op, x, y)) set_add(&r, p);
    }
    return v_set(r);
}

static int downwards(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Largest with largest; the bag of those of a that hold. */
static val compare_bags(plain_game *g, const char *op, const val *a, const val *b) {
    val p = v_list(g, V_BAG, a->count, a->list), q = v_list(g, V_BAG, b->count, b->list);
    qsort((void *)(uintptr_t)p.list, (size_t)p.count, sizeof *p.list, downwards);
    qsort((void *)(uintptr_t)q.list, (size_t)q.count, sizeof *q.list, downwards);
    int64_t list[512];
    int n = 0;
    for (int i = 0; i < p.count && i < q.count && n < 512; i++)
        if (holds(op, p.list[i], q.list[i])) list[n++] = p.list[i];
    return v_list(g, V_BAG, n, list);
}

/* Beside an option, or what is named after one, a word is one of its values. */
static bool is_option(plain_game *g, const sit *s, const node *e, const char **word) {
    val v;
    if (e->kind == NODE_E_NAME && !local_find(s, e->text, &v) && !name_of(g, e)) return false;
    if (static_type(g, s, e) != V_WORD) return false;
    v = eval(g, s, e);
    *word = v.word;
    return v.type == V_WORD;
}

static bool same(plain_game *g, const sit *s, const val *a, const val *b, const node *e) {
    if (a->type == V_KINDS && b->type == V_KINDS) return (!a->count && !b->count) || (kinds_within(a, b) && kinds_within(b, a));
    if (a->type == V_PLAYER && b->type == V_PLAYER) return a->n == b->n;
    if (a->type == V_REL && b->type == V_REL) return (!a->r->n && !b->r->n) || (steps_within(a->r, b->r) && steps_within(b->r, a->r));
    if (a->type == V_TRUTH && b->type == V_TRUTH) return a->n == b->n;
    if (a->type == V_WORD && b->type == V_WORD) return !strcmp(a->word, b->word);
    set x = as_set(g, s, a, e->kids[0]), y = as_set(g, s, b, e->kids[1]);
    return set_same(g, s, &x, &y);
}

static val compare(plain_game *g, const sit *s, const node *e) {
    const node *x = e->kids[0], *y = e->kids[1];
    const char *op = e->text, *word;
    if (is_option(g, s, x, &word) && y->kind == NODE_E_NAME) {
        const char *other;
        if (is_option(g, s, y, &other)) return v_truth(!strcmp(word, other) == (*op == '='));
        return v_truth(!strcmp(word, y->text) == (*op == '='));
    }
    if (is_option(g, s, y, &word) && x->kind == NODE_E_NAME) return v_truth(!strcmp(word, x->text) == (*op == '='));
    val a = eval(g, s, x), b = eval(g, s, y);
    if (a.type == V_FIELD || b.type == V_FIELD) return compare_fields(g, s, op, &a, &b, e);
    if (a.type == V_BAG && b.type == V_BAG) return compare_bags(g, op, &a, &b);
    if (a.type == V_NUMBER && b.type == V_NUMBER) return v_truth(holds(op, a.n, b.n));
    if (*op == '<' || *op == '>' || a.type == V_BAG || (b.type == V_BAG && a.type == V_NUMBER)) return v_truth(holds(op, as_number(g, &a, x), as_number(g, &b, y)));
    return v_truth(same(g, s, &a, &b, e) == (*op == '='));
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------------------------- */
static int64_t calculate(plain_game *g, const node *e, int64_t a, int64_t b) {
    const char op = *e->text;
    if (llabs(a) > (1LL << 40) || llabs(b) > (1LL << 40)) fail(g, e, "a number is too large");
    if (op == '+') return a + b;
    if (op == '-') return a - b;
    if (op == '*') {
        if (llabs(a) > (1LL << 31) || llabs(b) > (1LL << 31)) fail(g, e, "a number is too large");
        return a * b;
    }
    if (!b) fail(g, e, "division by 0");
    int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return op == '/' ? q : a - q * b;
}

static val arith(plain_game *g, const sit *s, const node *e) {
    val a = eval(g, s, e->kids[0]), b = eval(g, s, e->kids[1]);
    if (a.type != V_FIELD && b.type != V_FIELD) return v_number(calculate(g, e, as_number(g, &a, e->kids[0]), as_number(g, &b, e->kids[1])));
    field *f = field_new(g, universe(g, s));
    int64_t x = a.type == V_FIELD ? 0 : as_number(g, &a, e->kids[0]), y = b.type == V_FIELD ? 0 : as_number(g, &b, e->kids[1]);
    for (int p = 0; p < f->places; p++) {
        bool has = true;
        if (a.type == V_FIELD) has &= field_get(a.f, p, &x);
        if (b.type == V_FIELD) has &= field_get(b.f, p, &y);
        if (has) field_put(f, p, calculate(g, e, x, y));
    }
    return (val){ .type = V_FIELD, .f = f };
}

static val minus(plain_game *g, const sit *s, const node *e) {
    const node *x = e->kids[0];
    if (x->kind == NODE_E_OF && !(x->flags & FLAG_BRACKETS) && rel_word(g, s, x->kids[0]))      /* `-ring of here` */
        return of_value(g, s, rel_back(g, eval_rel(g, s, x->kids[0])), x->kids[0], x->kids[1], x);
    val v = eval(g, s, x);
    if (v.type == V_REL) return v_rel(rel_back(g, v.r));
    return v_number(-as_number(g, &v, x));
}

/* ---- reach and line ---------------------------------------------------------------------------------------------------------------------- */
static val reach(plain_game *g, const sit *s, const node *e) {
    set from = eval_set(g, s, e->kids[0]), in = eval_set(g, s, e->kids[1]);
    const rel *r = e->kids[2] ? eval_rel(g, s, e->kids[2]) : g->ways;
    set out = set_new(g, universe(g, s));
    int *queue = heap_take(&g->fast, (size_t)(g->places + 1) * sizeof *queue), n = 0;
    for (int p = 0; p < universe(g, s); p++) {
        if (!set_has(&from, p) || (p >= g->cell_count && !from.zoned)) continue;
        int q = p < g->places ? p : g->cell_count + place_zone(g, s->st, p);
        if (q >= g->places || set_has(&out, q)) continue;
        set_add(&out, q);
        queue[n++] = q;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r->n; j++)
            for (int k = 0, q; (queue[i] < g->cell_count || r->steps[j]->track) && (q = step_next(g, r->steps[j], s->me, queue[i], k)) != NONE; k++)
                if (set_has(&in, q) && (q < g->cell_count || in.zoned) && !set_has(&out, q)) {
                    set_add(&out, q);
                    queue[n++] = q;
                }
    for (int p = g->cell_count; p < g->places; p++) out.zoned |= set_has(&out, p);
    return v_set(out);
}

static bool long_enough(plain_game *g, const val *n, int length, const node *at) {
    if (n->type == V_NOTHING) return true;
    if (n->type == V_RANGE) return length >= n->n && length <= n->high;
    return length == as_number(g, n, at);
}

/* One run along step t from x: added to out if its length and ends are as wanted. */
static void run_along(plain_game *g, const sit *s, const step *t, int x, const set *in, const val *length, const set *to, set *out, const node *e) {
    int *run = heap_take(&g->fast, (size_t)(g->cell_count + 1) * sizeof *run), n = 0;
    while (x != NONE && set_has(in, x) && x < g->cell_count && n < g->cell_count) {
        run[n++] = x;
        x = step_next(g, t, s->me, x, 0);
    }
    if (!long_enough(g, length, n, e) || (to && !set_has(to, x))) return;
    for (int i = 0; i < n; i++) set_add(out, run[i]);
}

static val line(plain_game *g, const sit *s, const node *e) {
    val length = { .type = V_NOTHING };
    if (e->kids[0]) length = eval(g, s, e->kids[0]);
    set in = eval_set(g, s, e->kids[1]), from = { 0 }, to = { 0 }, out = set_new(g, universe(g, s));
    if (e->kids[2]) from = eval_set(g, s, e->kids[2]);
    if (e->kids[3]) to = eval_set(g, s, e->kids[3]);
    const rel *r = e->kids[4] ? eval_rel(g, s, e->kids[4]) : g->ways;
    for (int i = 0; i < r->n; i++) {
        const step *t = r->steps[i];
        set inner = set_new(g, universe(g, s));                 /* cells that a cell of S leads to */
        for (int c = 0; c < g->cell_count; c++) {
            int q = set_has(&in, c) ? step_next(g, t, s->me, c, 0) : NONE;
            if (q != NONE) set_add(&inner, q);
        }
        for (int c = 0; c < g->cell_count; c++) {
            if (e->kids[2]) {
                int q = set_has(&from, c) ? step_next(g, t, s->me, c, 0) : NONE;
                if (q != NONE && set_has(&in, q)) run_along(g, s, t, q, &in, &length, e->kids[3] ? &to : NULL, &out, e);
            } else if (set_has(&in, c) && !set_has(&inner, c)) run_along(g, s, t, c, &in, &length, e->kids[3] ? &to : NULL, &out, e);
        }
    }
    return v_set(out);
}

/* ---- calls ---------------------------------------------------------------------------------------------------------------------------------- */
static val kinds_call(plain_game *g, const sit *s, const node *e) {
    int64_t list[512];
    int n = 0;
    for (int i = 0; i < e->count; i++) {
        val v = eval(g, s, e->kids[i]);
        if (v.type != V_KINDS) fail(g, e->kids[i], "a kind is wanted, found %s", type_name(&v));
        for (int j = 0; j < v.count && n < 512; j++) list[n++] = v.list[j];
    }
    return v_list(g, V_KINDS, n, list);
}

static val first_call(plain_game *g, const sit *s, const node *e) {
    set x = eval_set(g, s, e->kids[0]);
    for (int p = 0; p < universe(g, s); p++)
        if (counts(g, s->st, &x, p)) return v_set(set_one(g, s, p));
    set none = set_new(g, universe(g, s));
    none.place = true;
    return v_set(none);
}

static val most_call(plain_game *g, const sit *s, const node *e) {
    int64_t best = 0, total = 0;
    bool some = false;
    for (int i = 0; i < e->count; i++) {
        val v = eval(g, s, e->kids[i]);
        int n = v.type == V_BAG ? v.count : 1;
        for (int j = 0; j < n; j++) {
            int64_t x = v.type == V_BAG ? v.list[j] : as_number(g, &v, e->kids[i]);
            total += x;
            if (!some || (e->text[1] == 'a' ? x > best : x < best)) best = x;
            some = true;
        }
    }
    return v_number(*e->text == 's' ? total : best);
}

static val edge_call(plain_game *g, const sit *s, const node *e) {
    const rel *r = eval_rel(g, s, e->kids[0]);
    set out = set_new(g, universe(g, s));
    for (int c = 0; c < g->cell_count; c++)
        for (int i = 0; i < r->n; i++)
            if (step_next(g, r->steps[i], s->me, c, 0) == NONE) set_add(&out, c);
    return v_set(out);
}

static val call(plain_game *g, const sit *s, const node *e) {
    const char *w = e->text;
    const name *n = name_of(g, e);
    if (n && n->sort == N_LET) {
        val args[16];
        if (e->count > 16) fail(g, e, "too many arguments");
        for (int i = 0; i < e->count; i++) args[i] = eval(g, s, e->kids[i]);
        return let_value(g, s, &g->lets[n->index], e, e->count, args);
    }
    if (!e->count) fail(g, e, "'%s' wants something in its brackets", w);
    if (!strcmp(w, "kinds")) return kinds_call(g, s, e);
    if (!strcmp(w, "first")) return first_call(g, s, e);
    if (!strcmp(w, "max") || !strcmp(w, "min") || !strcmp(w, "sum")) return most_call(g, s, e);
    if (!strcmp(w, "edge")) return edge_call(g, s, e);
    if (!strcmp(w, "leap") && e->count == 2) return v_rel(rel_leap(g, eval_number(g, s, e->kids[0]), eval_number(g, s, e->kids[1])));
    if (!strcmp(w, "player")) {
        int64_t p = eval_number(g, s, e->kids[0]) - 1;
        return v_player(p >= 0 && p < g->player_count ? (int)p : NOBODY);
    }
    fail(g, e, "no function named '%s'", w);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------------------------------------- */
static val either(plain_game *g, const sit *s, const node *e) {
    val a = eval(g, s, e->kids[0]);
    for (int i = 1; i < e->count; i++) {
        if (a.type == V_TRUTH && a.n) return a;
        val b = eval(g, s, e->kids[i]);
        if ((a.type == V_TRUTH) != (b.type == V_TRUTH)) fail(g, e, "`or` between %s and %s", type_name(&a), type_name(&b));
        if (a.type == V_TRUTH) a = b;
        else if (a.type == V_REL && b.type == V_REL) a = v_rel(rel_join(g, a.r, b.r));
        else if (a.type == V_KINDS && b.type == V_KINDS) {
            int64_t list[512];
            int n = 0;
            for (int j = 0; j < a.count && n < 512; j++) list[n++] = a.list[j];
            for (int j = 0; j < b.count && n < 512; j++) list[n++] = b.list[j];
            a = v_list(g, V_KINDS, n, list);
        } else {
            set x = as_set(g, s, &a, e->kids[0]), y = as_set(g, s, &b, e->kids[i]);
            a = v_set(set_or(g, &x, &y));
        }
    }
    return a;
}

static val both(plain_game *g, const sit *s, const node *e) {
    val a = eval(g, s, e->kids[0]);
    for (int i = 1; i < e->count; i++) {
        if (a.type == V_TRUTH && !a.n) return a;
        val b = eval(g, s, e->kids[i]);
        if ((a.type == V_TRUTH) != (b.type == V_TRUTH)) fail(g, e, "`and` between %s and %s", type_name(&a), type_name(&b));
        if (a.type == V_TRUTH) a = b;
        else if (a.type == V_REL && b.type == V_REL) a = v_rel(rel_meet(g, a.r, b.r));
        else {
            set x = as_set(g, s, &a, e->kids[0]), y = as_set(g, s, &b, e->kids[i]);
            a = v_set(set_and(g, &x, &y));
        }
    }
    return a;
}

static val not_value(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e->kids[0]);
    if (v.type == V_TRUTH) return v_truth(!v.n);
    if (v.type == V_REL) return v_rel(rel_minus(g, g->ways, v.r));
    set x = as_set(g, s, &v, e);
    return v_set(set_not(g, s, &x));
}

static val where(plain_game *g, const sit *s, const node *e) {
    set x = eval_set(g, s, e->kids[0]), out = set_new(g, universe(g, s));
    out.zoned = x.zoned;
    sit t = *s;
    for (int p = 0; p < universe(g, s); p++) {
        if (!counts(g, s->st, &x, p)) continue;
        t.it = p;
        if (truth(g, &t, e->kids[1])) set_add(&out, p);
    }
    return v_set(out);
}

static val when(plain_game *g, const sit *s, const node *e) {
    if (truth(g, s, e->kids[1])) return eval(g, s, e->kids[0]);
    if (e->count > 2 && e->kids[2]) return eval(g, s, e->kids[2]);
    return zero(g, s, static_type(g, s, e->kids[0]));
}

static val range(plain_game *g, const sit *s, const node *e) {
    if (is_cell_word(g, s, e->kids[0])) {
        set r = set_new(g, universe(g, s));
        cells_range(g, e->kids[0]->text, e->kids[1]->text, &r);
        return v_set(r);
    }
    return (val){ .type = V_RANGE, .n = eval_number(g, s, e->kids[0]), .high = eval_number(g, s, e->kids[1]) };
}

static bool all_attacked(plain_game *g, const sit *s, const val *v, const node *at) {
    set x = as_set(g, s, v, at);
    bool some = false;
    for (int p = 0; p < universe(g, s); p++) {
        if (!counts(g, s->st, &x, p)) continue;
        if (!attacked(g, s, p)) return false;
        some = true;
    }
    return some;
}

static val answer(plain_game *g, const sit *s, const node *e) {
    set x;
    val a, b;
    switch (e->kind) {
    case NODE_E_NAME: return name_value(g, s, e);
    case NODE_E_NUMBER: return v_number(e->value);
    case NODE_E_RANGE: return range(g, s, e);
    case NODE_E_ROW: return row_eval(g, s, e);
    case NODE_E_NOT: return not_value(g, s, e);
    case NODE_E_OF: return of_value(g, s, NULL, e->kids[0], e->kids[1], e);
    case NODE_E_FROM:
        x = eval_set(g, s, e->kids[1]);
        return v_rel(rel_from(g, eval_rel(g, s, e->kids[0]), &x));
    case NODE_E_OR: return either(g, s, e);
    case NODE_E_AND: return both(g, s, e);
    case NODE_E_WHERE: return where(g, s, e);
    case NODE_E_COMPARE: return compare(g, s, e);
    case NODE_E_IN:
        a = eval(g, s, e->kids[0]);
        if (means_attacked(g, s, e->kids[1])) return v_truth(all_attacked(g, s, &a, e->kids[0]));
        b = eval(g, s, e->kids[1]);
        return eval_in(g, s, &a, &b, e->kids[0], e->kids[1]);
    case NODE_E_ARITH: return arith(g, s, e);
    case NODE_E_MINUS: return minus(g, s, e);
    case NODE_E_COUNT: return v_number(count_of(g, s, e->kids[0]));
    case NODE_E_ANY: return v_truth(count_of(g, s, e->kids[0]) > 0);
    case NODE_E_NO: return v_truth(count_of(g, s, e->kids[0]) == 0);
    case NODE_E_WHEN: return when(g, s, e);
    case NODE_E_CAN: return v_truth(can(g, s, e->text, e));
    case NODE_E_ALWAYS: return v_truth(always(g, s, e->kids[0]));
    case NODE_E_REACH: return reach(g, s, e);
    case NODE_E_LINE: return line(g, s, e);
    case NODE_E_TOP: return v_set(eval_set(g, s, e->kids[1]));
    case NODE_E_CALL: return call(g, s, e);
    default: fail(g, e, "this cannot be asked");
    }
}

/* ---- what never changes is remembered ---------------------------------------------------------------------------------------------------------- */
static bool steady_name(plain_game *g, const node *e) {
    for (int i = 0; i < g->local_count; i++)
        if (g->local_words[i] == e->text) return false;
    const name *n = name_of(g, e);
    if (!n) return false;
    switch (n->sort) {
    case N_CELL: case N_GROUP: case N_OPTION: case N_NUMBER: return true;
    case N_STANDARD: return n->index == S_row || n->index == S_col || n->index == S_light || n->index == S_dark || n->index == S_corners || n->index == S_cells ||
                            (n->index >= S_north && n->index <= S_transpose);
    default: return false;
    }
}

static bool steady(plain_game *g, const node *e) {
    if (!e) return true;
    uint8_t *m = &g->marks[e->id];
    if (*m & (MARK_CONSTANT | MARK_VARIABLE)) return *m & MARK_CONSTANT;
    bool yes = false;
    switch (e->kind) {
    case NODE_E_NUMBER: yes = true; break;
    case NODE_E_NAME: yes = steady_name(g, e); break;
    case NODE_E_ROW: case NODE_E_RANGE: case NODE_E_OR: case NODE_E_COMPARE: case NODE_E_ARITH: case NODE_E_FROM: yes = true; break;
    case NODE_E_CALL: yes = !strcmp(e->text, "edge") || !strcmp(e->text, "leap"); break;
    default: break;
    }
    for (int i = 0; yes && e->kind != NODE_E_NAME && i < e->count; i++) yes = steady(g, e->kids[i]);
    *m = (uint8_t)(*m | (yes ? MARK_CONSTANT : MARK_VARIABLE));
    return yes;
}

static val remembered(plain_game *g, const val *v) {
    val r = *v;
    if (v->type == V_SET) {
        r.s.w = heap_take(&g->slow, (size_t)v->s.words * 8 + 8);
        memcpy(r.s.w, v->s.w, (size_t)v->s.words * 8);
    }
    if (v->type == V_REL) {
        rel *x = heap_take(&g->slow, sizeof *x);
        *x = *v->r;
        x->steps = heap_take(&g->slow, (size_t)(v->r->n + 1) * sizeof *x->steps);
        if (v->r->n) memcpy(x->steps, v->r->steps, (size_t)v->r->n * sizeof *x->steps);
        r.r = x;
    }
    if (v->type == V_FIELD) {
        field *f = heap_take(&g->slow, sizeof *f);
        f->places = v->f->places;
        f->v = heap_take(&g->slow, (size_t)(f->places + 1) * sizeof *f->v);
        f->has = heap_take(&g->slow, (size_t)f->places + 1);
        memcpy(f->v, v->f->v, (size_t)f->places * sizeof *f->v);
        memcpy(f->has, v->f->has, (size_t)f->places);
        r.f = f;
    }
    if (v->count) {
        int64_t *list = heap_take(&g->slow, (size_t)v->count * sizeof *list);
        memcpy(list, v->list, (size_t)v->count * sizeof *list);
        r.list = list;
    }
    return r;
}

val eval(plain_game *g, const sit *s, const node *e) {
    if (!e) fail(g, NULL, "something is missing here");
    stay_shallow(g, e);
    if (g->budget && !--g->budget) fail(g, e, "this takes too long");
    val v;
    if (g->ready && e->kind != NODE_E_NUMBER && s->me >= 0 && steady(g, e)) {
        val *known = g->known[e->id];
        if (!known) known = g->known[e->id] = heap_take(&g->slow, PLAYERS_MAX * sizeof *known);
        if (known[s->me].type == V_NOTHING) {
            v = answer(g, s, e);
            known[s->me] = remembered(g, &v);
        }
        v = known[s->me];
    } else v = answer(g, s, e);
    return v;
}
