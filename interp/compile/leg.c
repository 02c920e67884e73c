/* Legs: where a step or a slide leads, what it may pass, where it may land. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

static int leg_add(compiler *c, leg l)
{
    game *g = c->g;
    g->legs = grow(g->legs, &c->leg_capacity, g->leg_count + 1, sizeof *g->legs);
    g->legs[g->leg_count] = l;
    return g->leg_count++;
}

int target_operand(compiler *c, const node *n)
{
    if (!n) return -1;
    bool was = c->as_place;
    c->as_place = true;
    value v = lower(c, n);
    c->as_place = was;
    check_set(c, &v, n, NULL);
    if (v.type == T_TRUTH && n->kind == NODE_E_ROW) { diag_add(c->d, "E0350", n->at, "a set of cells is wanted here, found a yes or no"); return -2; }
    v = v.type == T_ERROR ? v : to_set(c, v, n);
    return v.type == T_ERROR ? -2 : set_operand(c, &v);
}

/* `1..3 R` before the words of a leg's way: the range, or NULL. */
static const node *leg_range(compiler *c, const node *n)
{
    const node *way = kid(n, 0), *range = way && way->kind == NODE_E_ROW ? kid(way, 0) : way;
    return range && range->kind == NODE_E_RANGE && static_type(c, kid(range, 0)) != T_PLACE ? range : NULL;
}

static node *node_like(compiler *c, const node *n, node_kind kind, const char *text, int count)
{
    node *made = arena_alloc(c->a, sizeof *made);
    *made = (node){ .kind = kind, .id = n->id, .at = n->at, .count = count, .text = text };
    made->kids = arena_alloc(c->a, (size_t)(count + 1) * sizeof *made->kids);
    return made;
}

/* `low..high R` as R alone; NULL if there is no R. */
static node *way_behind(compiler *c, const node *way)
{
    if (way->kind != NODE_E_ROW || way->count < 2) return NULL;
    if (way->count == 2) return way->kids[1];
    node *rest = node_like(c, way, NODE_E_ROW, NULL, way->count - 1);
    memcpy(rest->kids, way->kids + 1, (size_t)rest->count * sizeof *rest->kids);
    return rest;
}

/* A leg as it is lowered: `slide 2..3 R to S` is `step R over empty, empty? to S`. NULL, with a message, if the bounds are wrong. */
static const node *leg_plain(compiler *c, const node *n)
{
    enum { FAR_MOST = 20 };
    const node *range = leg_range(c, n);
    if (!range) return n;
    if (n->kind == NODE_A_STEP) { diag_add(c->d, "E0385", range->at, "a step goes so many times and no others; at most so far over empty cells is `slide %s to S`", print_short(c, kid(n, 0))); return NULL; }
    const value low = lower_number(c, kid(range, 0)), high = lower_number(c, kid(range, 1));
    if (low.type == T_ERROR || high.type == T_ERROR) return NULL;
    if (!low.constant || !high.constant) { diag_add(c->d, "E0385", range->at, "how far a slide goes must be known beforehand; else `pick n in %s`, then `step n R over empty* to S`", print_short(c, range)); return NULL; }
    if (low.k < 1 || high.k < low.k || high.k > FAR_MOST) { diag_add(c->d, "E0385", range->at, "a slide goes 1 to %d cells, not %lld to %lld", FAR_MOST, (long long)low.k, (long long)high.k); return NULL; }
    node *step = node_like(c, n, NODE_A_STEP, NULL, 3), *over = node_like(c, range, NODE_OVER, NULL, (int)high.k - 1);
    for (int i = 0; i < over->count; i++) {
        over->kids[i] = node_like(c, range, NODE_PATTERN, i + 1 < low.k ? "1" : "?", 1);
        over->kids[i]->kids[0] = node_like(c, range, NODE_E_NAME, "empty", 0);
    }
    step->kids[0] = way_behind(c, kid(n, 0));
    step->kids[1] = over->count ? over : NULL;
    step->kids[2] = n->kids[1];
    return step;
}

/* Along what a leg goes. */
static value leg_relation(compiler *c, const node *doing)
{
    const node *n = kid(doing, 0);
    if (!n) { value v = { .type = T_RELATION, .constant = true, .times = -1 }; for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = c->g->ways; return v; }
    value v = lower(c, n);
    check_directions(c, &v, n);
    if (v.type == T_RELATION && v.times >= 0 && doing->kind == NODE_A_SLIDE) {
        const node *number = n->kind == NODE_E_ROW ? kid(n, 0) : n;
        diag_add(c->d, "E0385", number->at, "a slide goes as far as the way is empty; so many steps and no others are `step %s to S`, at most two cells `slide 1..2 R to S`", print_short(c, n));
        return value_error();
    }
    if (v.type == T_ERROR || v.type == T_RELATION) return v;
    if (v.type == T_SET || v.type == T_PLACE) diag_add(c->d, "E0385", n->at, "a direction is wanted here, found %s; where the step leads stands after `to`", type_names[v.type]);
    else if (v.type == T_NUMBER) diag_add(c->d, "E0385", n->at, "a direction is wanted here, found a number; it says how often: `%s ahead`", print_short(c, n));
    else diag_add(c->d, "E0385", n->at, "a direction is wanted here, found %s", type_names[v.type]);
    return value_error();
}

static bool pattern_add(compiler *c, leg *l, const node *over)
{
    game *g = c->g;
    bool good = true;
    uint16_t sets[32];
    if (over->count > 20) { diag_add(c->d, "E0386", over->at, "more than 20 parts in what is passed over"); return false; }
    const bool widen = c->widen;
    c->widen = false;           /* what is passed over stands as it stands */
    for (int i = 0; i < over->count; i++) {
        const node *p = over->kids[i];
        int s = p ? target_operand(c, kid(p, 0)) : -2;
        if (s < 0) good = false;
        sets[i] = (uint16_t)(s < 0 ? 0 : s);
    }
    c->widen = widen;
    l->pattern = g->pattern_count;
    l->pattern_count = over->count;
    for (int i = 0; i < over->count; i++) {
        g->patterns = grow(g->patterns, &c->pattern_capacity, g->pattern_count + 1, sizeof *g->patterns);
        g->patterns[g->pattern_count++] = (pattern_item){ over->kids[i] && over->kids[i]->text ? over->kids[i]->text[0] : '1', sets[i] };
    }
    return good;
}

/* Where the leg leads and what it may pass ... */
static bool leg_over(compiler *c, const node *n, const value *r, leg *l)
{
    *l = (leg){ .target = -1, .slide = n->kind == NODE_A_SLIDE };
    bool good = r->type != T_ERROR;
    const node *over = n->kind == NODE_A_STEP ? kid(n, 1) : NULL;
    if (over && over->count && !pattern_add(c, l, over)) good = false;
    if (good) l->relation = relation_index(c, r);
    return good;
}

bool leg_way(compiler *c, const node *leg_, leg *l)
{
    const node *n = leg_plain(c, leg_);
    if (!n) return false;
    const value r = leg_relation(c, n);
    return leg_over(c, n, &r, l);
}

/* ... and where it may land. */
bool leg_target(compiler *c, const node *n, leg *l)
{
    l->target = target_operand(c, kid(n, n->kind == NODE_A_STEP ? 2 : 1));
    return l->target != -2;
}

/* Tracks may lead to and from zones. */
static bool leaves_board(const compiler *c, const value *r)
{
    for (int p = 0; p < c->g->player_count; p++) for (uint64_t m = r->mask[p]; m; m &= m - 1) if (c->g->dirs[__builtin_ctzll(m)].off_board) return true;
    return false;
}

void lower_leg(compiler *c, const node *doing)
{
    const node *n = leg_plain(c, doing);
    leg l;
    if (!n) return;
    const int outer = c->way;
    value r = leg_relation(c, n);
    value once = r;
    once.times = -1;
    const bool step = c->one_step;
    c->way = r.type == T_RELATION && r.constant && !leaves_board(c, &r) ? relation_index(c, &once) + 1 : 0;
    c->one_step = n->kind == NODE_A_STEP && !kid(n, 1) && r.times < 0;
    const bool way = leg_over(c, n, &r, &l), good = leg_target(c, n, &l) && way;
    c->way = outer;
    c->one_step = step;
    if (!good) return;
    l.settle = !c->leg_follows;
    if (!l.settle) c->pending = true;
    emit(c, OP_STEP, leg_add(c, l), 0, 0, 0, 0);
}
