/* Words side by side, and `of`. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- side by side --------------------------------------------------------------------------------------------------------------------- */
typedef struct { val out[64]; int count; set minus[64]; int minus_count; const node *late[16]; int late_count; } row;

bool is_cell_word(plain_game *g, const sit *s, const node *e) {
    val v;
    if (e->kind == NODE_E_RANGE) return is_cell_word(g, s, e->kids[0]);
    if (e->kind != NODE_E_NAME || local_find(s, e->text, &v)) return false;
    const name *n = name_of(g, e);
    return n && n->sort == N_CELL;
}

/* Does this mean `attacked`, as it is or under a name? Then it is asked last, and only of the cells that are left. */
bool means_attacked(plain_game *g, const sit *s, const node *e) {
    val v;
    for (int deep = 0; e->kind == NODE_E_NAME && deep < 20; deep++) {
        const name *n = local_find(s, e->text, &v) ? NULL : name_of(g, e);
        if (n && n->sort == N_STANDARD) return n->index == S_attacked;
        if (!n || n->sort != N_LET || g->lets[n->index].params || !g->lets[n->index].any) return false;
        e = g->lets[n->index].any;
    }
    return false;
}

static bool is_attacked(plain_game *g, const sit *s, const node *e) {
    if (e->kind == NODE_E_NOT) e = e->kids[0];
    if (e->kind == NODE_E_OF) e = e->kids[0];
    return means_attacked(g, s, e);
}

bool number_like(const val *v) { return v->type == V_NUMBER || v->type == V_RANGE || v->type == V_BAG; }

static val bag_of(plain_game *g, const val *a, const val *b) {
    int64_t list[512];
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const val *v = i ? b : a;
        int64_t low = v->type == V_BAG ? 0 : v->n, high = v->type == V_BAG ? v->count - 1 : v->type == V_RANGE ? v->high : v->n;
        for (int64_t x = low; x <= high && n < 512; x++) list[n++] = v->type == V_BAG ? v->list[x] : x;
    }
    return v_list(g, V_BAG, n, list);
}

static val field_in(plain_game *g, const sit *s, const field *f, const val *v) {
    set r = set_new(g, universe(g, s));
    int64_t x;
    for (int p = 0; p < f->places; p++) {
        if (!field_get(f, p, &x)) continue;
        bool in = v->type == V_NUMBER ? x == v->n : v->type == V_RANGE && x >= v->n && x <= v->high;
        for (int i = 0; v->type == V_BAG && i < v->count; i++) in |= v->list[i] == x;
        if (in) set_add(&r, p);
    }
    return v_set(r);
}

static void row_value(plain_game *g, const sit *s, row *r, val v, const node *at) {
    val *p = r->count ? &r->out[r->count - 1] : NULL;
    if (r->count == 64) fail(g, at, "too many words side by side");
    if (p && p->type == V_FIELD && number_like(&v)) *p = field_in(g, s, p->f, &v);
    else if (p && p->type == V_NUMBER && v.type == V_REL) {
        rel *n = heap_take(&g->fast, sizeof *n);
        *n = *v.r;
        n->times = p->n;
        if (p->n < 1) n->n = 0;                             /* a leg of no steps leads nowhere; */
        n->still = p->n == 0;                               /* 0 R of S is S */
        *p = v_rel(n);
    } else if (p && p->type == V_NUMBER && v.type == V_KINDS) v.n = p->n, v.type = V_MANY, *p = v;
    else if (p && number_like(p) && number_like(&v)) *p = bag_of(g, p, &v);
    else if (p && p->type == V_REL && v.type == V_REL) *p = v_rel(rel_meet(g, p->r, v.r));
    else r->out[r->count++] = v;
}

static void row_not(plain_game *g, const sit *s, row *r, const node *e) {
    val v = eval(g, s, e->kids[0]);
    if (v.type == V_REL) {
        val *p = r->count ? &r->out[r->count - 1] : NULL;
        if (p && p->type == V_REL) *p = v_rel(rel_minus(g, p->r, v.r));
        else row_value(g, s, r, v_rel(rel_minus(g, g->ways, v.r)), e);
    } else if (v.type == V_TRUTH) fail(g, e, "a yes or no among sets; write (S when C)");
    else if (r->minus_count < 64) r->minus[r->minus_count++] = as_set(g, s, &v, e);
}

static val row_end(plain_game *g, const sit *s, row *r, const node *at) {
    if (r->count == 1 && !r->minus_count && !r->late_count) return r->out[0];
    for (int i = 0; i < r->count; i++)
        if (r->out[i].type == V_MANY) return r->out[i];
    set all = set_new(g, universe(g, s));
    if (!r->count) all = set_not(g, s, &all);
    for (int i = 0; i < r->count; i++) {
        set x = as_set(g, s, &r->out[i], at);
        all = i ? set_and(g, &all, &x) : x;
    }
    all.place = false;
    if (r->count == 1) {
        set copy = set_new(g, all.words * 64);
        memcpy(copy.w, all.w, (size_t)all.words * 8);
        copy.zoned = all.zoned;
        all = copy;
    }
    for (int i = 0; i < r->minus_count; i++)
        for (int w = 0; w < all.words && w < r->minus[i].words; w++) all.w[w] &= ~r->minus[i].w[w];
    for (int i = 0; i < r->late_count; i++) {
        const node *e = r->late[i], *b = e->kind == NODE_E_NOT ? e->kids[0] : e;
        sit t = *s;
        bool is;
        if (b->kind == NODE_E_OF) t.me = eval_player(g, s, b->kids[1], &is);
        for (int c = 0; c < g->cell_count; c++)
            if (set_has(&all, c) && attacked(g, &t, c) == (e->kind == NODE_E_NOT)) set_drop(&all, c);
    }
    return v_set(all);
}

static void row_item(plain_game *g, const sit *s, row *r, const node *e) {
    if (is_attacked(g, s, e) && !(e->flags & FLAG_BRACKETS) && r->late_count < 16) r->late[r->late_count++] = e;
    else if (e->kind == NODE_E_NOT) row_not(g, s, r, e);
    else row_value(g, s, r, eval(g, s, e), e);
}

/* Cells in a row are united. */
static bool row_cells(plain_game *g, const sit *s, row *r, const node *const *items, int n) {
    set cells = set_new(g, universe(g, s));
    int named = 0;
    for (int i = 0; i < n; i++) named += is_cell_word(g, s, items[i]);
    if (named < 2) return false;
    for (int i = 0; i < n; i++)
        if (is_cell_word(g, s, items[i])) {
            set one = eval_set(g, s, items[i]);
            cells = set_or(g, &cells, &one);
        }
    r->out[r->count++] = v_set(cells);
    return true;
}

static val row_items(plain_game *g, const sit *s, const val *before, const node *const *items, int n, const node *at) {
    row *r = heap_take(&g->fast, sizeof *r);
    if (before) r->out[r->count++] = *before;
    if (n > 60) fail(g, at, "too many words side by side");
    bool united = row_cells(g, s, r, items, n);
    for (int i = 0; i < n; i++)
        if (!united || !is_cell_word(g, s, items[i])) row_item(g, s, r, items[i]);
    return row_end(g, s, r, at);
}

/* One kind as picked, kept or asked, whose `value` is a number; a word for a kind means its pieces. */
static bool one_kind(plain_game *g, const sit *s, const node *b, val *out) {
    val v;
    const name *n = b->kind == NODE_E_NAME && !local_find(s, b->text, &v) ? name_of(g, b) : NULL;
    if (n && (n->sort == N_KIND || n->sort == N_FAMILY)) return false;
    if (n && n->sort == N_LET && !g->lets[n->index].params && g->lets[n->index].any) return one_kind(g, s, g->lets[n->index].any, out);
    if (b->kind == NODE_E_CALL && !strcmp(b->text, "kinds")) return false;
    if (static_type(g, s, b) != V_KINDS) return false;
    *out = eval(g, s, b);
    return out->type == V_KINDS && out->count <= 1;
}

val of_value(plain_game *g, const sit *s, const rel *given, const node *a, const node *b, const node *at);

/* `own backward diagonal of here`: directions and a number just before belong to the relation. */
val row_eval(plain_game *g, const sit *s, const node *e) {
    const node *const *items = (const node *const *)e->kids;
    int n = e->count;
    const node *last = items[n - 1];
    bool minus = last->kind == NODE_E_MINUS && last->kids[0]->kind == NODE_E_OF;
    const node *of = minus ? last->kids[0] : last;
    if ((last->flags & FLAG_BRACKETS) || of->kind != NODE_E_OF || !rel_word(g, s, of->kids[0])) return row_items(g, s, NULL, items, n, e);
    int from = n - 1;
    while (from > 0 && rel_word(g, s, items[from - 1])) from--;
    if (from > 0 && static_type(g, s, items[from - 1]) == V_NUMBER) from--;
    if (from == n - 1 && !minus) return row_items(g, s, NULL, items, n, e);
    row *r = heap_take(&g->fast, sizeof *r);
    for (int i = from; i < n - 1; i++) row_item(g, s, r, items[i]);
    val a = eval(g, s, of->kids[0]);
    if (minus) a = v_rel(rel_back(g, a.r));
    row_value(g, s, r, a, e);
    val direction = row_end(g, s, r, e);
    if (direction.type != V_REL) fail(g, e, "directions are wanted, found %s", type_name(&direction));
    val found = of_value(g, s, direction.r, of->kids[0], of->kids[1], of);
    return from ? row_items(g, s, &found, items, from, e) : found;
}

/* ---- of ------------------------------------------------------------------------------------------------------------------------------------ */
set image(plain_game *g, const sit *s, const rel *r, const set *from) {
    set out = set_new(g, universe(g, s));
    if (r->still) return set_or(g, from, &out);
    int64_t times = r->times ? r->times : 1;
    if (times < 0 || times > 100000) return out;
    for (int i = 0; i < r->n; i++) {
        set now = set_new(g, universe(g, s));
        for (int p = 0; p < universe(g, s); p++) {
            if (!set_has(from, p) || (p >= g->cell_count && !from->zoned)) continue;
            if (p >= g->cell_count && !r->steps[i]->track) continue;
            set_add(&now, p < g->places ? p : g->cell_count + place_zone(g, s->st, p));
        }
        for (int64_t t = 0; t < times; t++) {
            set then = set_new(g, universe(g, s));
            bool some = false;
            for (int p = 0; p < g->places; p++)
                for (int k = 0, q; set_has(&now, p) && (q = step_next(g, r->steps[i], s->me, p, k)) != NONE; k++) set_add(&then, q), some = true;
            now = then;
            if (!some) break;
        }
        out.zoned = true;
        bool zoned = false;
        for (int p = g->cell_count; p < g->places; p++) zoned |= set_has(&now, p);
        now.zoned = out.zoned = zoned || (i && out.zoned);
        for (int w = 0; w < out.words; w++) out.w[w] |= now.w[w];
    }
    out.zoned = false;
    for (int p = g->cell_count; p < g->places; p++) out.zoned |= set_has(&out, p);
    return out;
}

static bool is_place(plain_game *g, const sit *s, const node *e) {
    val v;
    if (e->kind == NODE_E_NAME) {
        if (local_find(s, e->text, &v)) return v.type == V_SET && v.s.place;
        const name *n = name_of(g, e);
        return n && ((n->sort == N_STANDARD && (n->index == S_here || n->index == S_start || n->index == S_it)) || n->sort == N_CELL);
    }
    return e->kind == NODE_E_CALL && !strcmp(e->text, "first");
}

val zero(plain_game *g, const sit *s, vtype t) {
    switch (t) {
    case V_REL: return v_rel(rel_new(g, 0));
    case V_NUMBER: return v_number(0);
    case V_TRUTH: return v_truth(false);
    case V_BAG: case V_KINDS: case V_PLAYERS: return (val){ .type = t };
    case V_PLAYER: return v_player(NOBODY);
    default: return v_set(set_new(g, universe(g, s)));
    }
}

static val asked_of(plain_game *g, const sit *s, standard w, const node *b) {
    set where = eval_set(g, s, b);
    int since, n;
    if (w == S_repeats || w == S_since) {
        n = repeats_of(g, s, &where, &since);
        return v_number(w == S_repeats ? n : since);
    }
    for (int p = 0; p < universe(g, s); p++) {
        const piece *x = set_has(&where, p) && (p < g->cell_count || where.zoned) ? piece_at(g, s->st, p) : NULL;
        if (!x) continue;
        if (w == S_owner) return v_player(x->owner);
        if (x->kind != NO_KIND) return v_kind(g, x->kind, 1);
    }
    return w == S_owner ? v_player(NOBODY) : (val){ .type = V_KINDS };
}

/* A kept value (place, direction, kind, player) of a cell or piece. */
static val kept_of(plain_game *g, const sit *s, const keep *k, const node *b) {
    set where = eval_set(g, s, b);
    for (int p = 0; p < universe(g, s); p++) {
        if (!set_has(&where, p)) continue;
        const piece *x = piece_at(g, s->st, p);
        if (k->of == OF_PIECE && x) return keep_load(g, s, k, x->keeps[k->at]);
        if (k->of == OF_CELL && p < g->places) return keep_load(g, s, k, s->st->keep[k->at + p]);
    }
    return keep_load(g, s, k, 0);
}

val of_value(plain_game *g, const sit *s, const rel *given, const node *a, const node *b, const node *at) {
    val v;
    bool is;
    if (b->kind == NODE_E_ROW && !(b->flags & FLAG_BRACKETS) && is_place(g, s, b->kids[0])) {
        bool cells = true;
        for (int i = 0; i < b->count; i++) cells &= is_cell_word(g, s, b->kids[i]);
        if (!cells) {                                       /* after a place the phrase is complete */
            v = of_value(g, s, given, a, b->kids[0], at);
            return row_items(g, s, &v, (const node *const *)b->kids + 1, b->count - 1, b);
        }
    }
    const name *n = a->kind == NODE_E_NAME && !local_find(s, a->text, &v) ? name_of(g, a) : NULL;
    if (n && n->sort == N_STANDARD && (n->index == S_repeats || n->index == S_since || n->index == S_owner || n->index == S_kind)) return asked_of(g, s, (standard)n->index, b);
    if (n && n->sort == N_STANDARD && n->index == S_next) {
        int who = eval_player(g, s, b, &is);
        if (!is || who == NOBODY) fail(g, at, "`next of` wants a player");
        return v_player(player_after(g, s->st, who));
    }
    if (n && n->sort == N_KEEP && g->keeps[n->index].type >= K_PLACE && (g->keeps[n->index].of == OF_CELL || g->keeps[n->index].of == OF_PIECE)) return kept_of(g, s, &g->keeps[n->index], b);
    vtype t = given ? V_REL : static_type(g, s, a);
    if (t == V_REL) {
        set from = eval_set(g, s, b);
        return v_set(image(g, s, given ? given : eval_rel(g, s, a), &from));
    }
    if (t == V_FIELD) {
        if (n && n->sort == N_STANDARD && n->index == S_value && one_kind(g, s, b, &v)) return v_number(v.count ? g->kinds[v.list[0]].value : 0);
        v = eval(g, s, a);
        set from = eval_set(g, s, b);
        return field_of(g, s, v.f, &from);
    }
    if (static_type(g, s, b) == V_PLAYERS) {                    /* `points of everyone`, `hand of everyone` */
        int64_t list[PLAYERS_MAX];
        set all = set_new(g, universe(g, s));
        v = eval(g, s, b);
        const int count = v.count;
        for (int i = 0; i < count; i++) {
            sit as = *s;
            as.in_piece = false;
            as.me = (int)v.list[i];
            val x = eval(g, &as, a);
            if (t == V_SET) {
                const bool zoned = all.zoned || x.s.zoned;
                all = set_or(g, &all, &x.s);
                all.zoned = zoned;
            } else list[i] = as_number(g, &x, a);
        }
        if (t == V_SET) return v_set(all);
        return v_list(g, V_BAG, count, list);
    }
    int who = eval_player(g, s, b, &is);
    if (!is) fail(g, at, "`of` wants a relation, a number of cells or a player");
    if (who == NOBODY) return zero(g, s, t);
    sit as = *s;
    if (who != s->me) as.in_piece = false;
    as.me = who;
    return eval(g, &as, a);
}
