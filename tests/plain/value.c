/* Values: what they convert to, numbers of cells, kept values. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

val v_number(int64_t n) { return (val){ .type = V_NUMBER, .n = n }; }
val v_truth(bool b) { return (val){ .type = V_TRUTH, .n = b }; }
val v_set(set s) { return (val){ .type = V_SET, .s = s }; }
val v_player(int p) { return (val){ .type = V_PLAYER, .n = p }; }
val v_rel(const rel *r) { return (val){ .type = V_REL, .r = r }; }

val v_list(plain_game *g, vtype t, int n, const int64_t *list) {
    int64_t *copy = heap_take(&g->fast, (size_t)(n + 1) * sizeof *copy);
    if (n) memcpy(copy, list, (size_t)n * sizeof *copy);
    return (val){ .type = t, .count = n, .list = copy };
}

val v_kind(plain_game *g, int first, int count) {
    int64_t *list = heap_take(&g->fast, (size_t)(count + 1) * sizeof *list);
    for (int i = 0; i < count; i++) list[i] = first + i;
    return (val){ .type = V_KINDS, .count = count, .list = list, .single = count == 1 };
}

const char *type_name(const val *v) {
    static const char *const words[] = { "nothing", "a set", "directions", "a number", "a number of each cell", "a yes or no", "kinds", "a player", "players",
                                         "a bag of numbers", "a range", "a word that nothing declares", "so many pieces" };
    return words[v->type];
}

bool local_find(const sit *s, const char *word, val *v) {
    for (const local *l = s->locals; l; l = l->next)
        if (l->name == word) {
            *v = l->v;
            return true;
        }
    return false;
}

/* ---- conversions ---------------------------------------------------------------------------------------------------------------- */
static set of_kinds(plain_game *g, const sit *s, const val *v) {
    set r = set_new(g, universe(g, s));
    for (int p = 0; p < universe(g, s); p++) {
        const piece *x = piece_at(g, s->st, p);
        for (int i = 0; x && i < v->count; i++)
            if (x->kind == v->list[i]) set_add(&r, p);
    }
    return r;
}

set owned(plain_game *g, const sit *s, int p) {
    set r = set_new(g, universe(g, s));
    for (int c = 0; c < universe(g, s); c++) {
        const piece *x = piece_at(g, s->st, c);
        if (x && x->owner == p) set_add(&r, c);
    }
    return r;
}

static void numbered(plain_game *g, int64_t n, set *out, const node *at) {
    char word[32];
    snprintf(word, sizeof word, "%lld", (long long)n);
    int c = cell_find(g, word);
    if (c == NONE) fail(g, at, "a set is wanted, and %s is no cell", word);
    set_add(out, c);
}

set as_set(plain_game *g, const sit *s, const val *v, const node *at) {
    set r;
    switch (v->type) {
    case V_SET: return v->s;
    case V_KINDS: return of_kinds(g, s, v);
    case V_PLAYER: return v->n == NOBODY ? set_new(g, universe(g, s)) : owned(g, s, (int)v->n);
    case V_NOTHING: return set_new(g, universe(g, s));
    case V_PLAYERS:
        r = set_new(g, universe(g, s));
        for (int i = 0; i < v->count; i++) {
            set o = owned(g, s, (int)v->list[i]);
            r = set_or(g, &r, &o);
        }
        return r;
    case V_NUMBER:
        r = set_new(g, universe(g, s));
        numbered(g, v->n, &r, at);
        r.place = true;
        return r;
    case V_RANGE:
        r = set_new(g, universe(g, s));
        for (int64_t n = v->n; n <= v->high; n++) numbered(g, n, &r, at);
        return r;
    case V_BAG:
        r = set_new(g, universe(g, s));
        for (int i = 0; i < v->count; i++) numbered(g, v->list[i], &r, at);
        return r;
    case V_TRUTH: fail(g, at, "a yes or no among sets; write (S when C)");
    default: fail(g, at, "a set is wanted, found %s", type_name(v));
    }
}

int64_t as_number(plain_game *g, const val *v, const node *at) {
    if (v->type == V_NUMBER) return v->n;
    if (v->type == V_BAG && v->count <= 1) return v->count ? v->list[0] : 0;
    if (v->type == V_TRUTH) fail(g, at, "a yes or no among numbers; write (n when C)");
    fail(g, at, "a number is wanted, found %s", type_name(v));
}

set eval_set(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e);
    return as_set(g, s, &v, e);
}

int64_t eval_number(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e);
    return as_number(g, &v, e);
}

bool truth(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e);
    if (v.type != V_TRUTH) fail(g, e, "a yes or no is wanted, found %s; ask with any, no, count or in", type_name(&v));
    return v.n;
}

const rel *eval_rel(plain_game *g, const sit *s, const node *e) {
    val v = eval(g, s, e);
    if (v.type != V_REL) fail(g, e, "directions are wanted, found %s", type_name(&v));
    return v.r;
}

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */
field *field_new(plain_game *g, int places) {
    field *f = heap_take(&g->fast, sizeof *f);
    f->places = places;
    f->v = heap_take(&g->fast, (size_t)(places + 1) * sizeof *f->v);
    f->has = heap_take(&g->fast, (size_t)places + 1);
    return f;
}

void field_put(field *f, int p, int64_t v) { f->v[p] = v, f->has[p] = 1; }

bool field_get(const field *f, int p, int64_t *v) {
    bool has = p >= 0 && p < f->places && f->has[p];
    *v = has ? f->v[p] : 0;
    return has;
}

static int row_of(const plain_game *g, int me, int c) {
    int x = g->cells[c].x, y = g->cells[c].y;
    switch (me < 0 ? 0 : g->facing[me]) {
    case 1: return x;
    case 2: return g->height + 1 - y;
    case 3: return g->width + 1 - x;
    default: return y;
    }
}

/* From the west; on hexagons and stars within the row. */
static int col_of(const plain_game *g, int c) {
    if (strcmp(g->shape, "hexagon") && strcmp(g->shape, "star")) return g->cells[c].x;
    int n = 1;
    for (int d = 0; d < g->cell_count; d++) n += g->cells[d].y == g->cells[c].y && g->cells[d].x < g->cells[c].x;
    return n;
}

static const field *keep_field(plain_game *g, const sit *s, const keep *k) {
    int n = k->of == OF_CELL ? g->places : universe(g, s);
    field *f = field_new(g, n);
    for (int p = 0; p < n; p++) {
        const piece *x = k->of == OF_PIECE ? piece_at(g, s->st, p) : NULL;
        if (k->of == OF_CELL) field_put(f, p, s->st->keep[k->at + p]);
        else if (x) field_put(f, p, x->keeps[k->at]);
    }
    return f;
}

const field *standard_field(plain_game *g, const sit *s, standard w) {
    field *f = field_new(g, universe(g, s));
    for (int p = 0; p < (w == S_value ? universe(g, s) : g->cell_count); p++) {
        const piece *x = piece_at(g, s->st, p);
        if (w == S_row) field_put(f, p, row_of(g, s->me, p));
        else if (w == S_col) field_put(f, p, col_of(g, p));
        else if (w == S_height) field_put(f, p, s->st->height[p]);
        else if (x && x->kind != NO_KIND) field_put(f, p, g->kinds[x->kind].value);
    }
    return f;
}

static bool is_field_keep(const keep *k) { return k->type == K_NUMBER && (k->of == OF_CELL || k->of == OF_PIECE); }

/* The field of that name, or NULL. */
const field *eval_field(plain_game *g, const sit *s, const char *word) {
    const name *n = name_find(g, word);
    if (!n) return NULL;
    if (n->sort == N_KEEP && is_field_keep(&g->keeps[n->index])) return keep_field(g, s, &g->keeps[n->index]);
    if (n->sort == N_STANDARD && (n->index == S_row || n->index == S_col || n->index == S_value || n->index == S_height)) return standard_field(g, s, (standard)n->index);
    if (n->sort == N_NUMBER) {
        field *f = field_new(g, g->cell_count);
        for (int c = 0; c < g->cell_count; c++)
            if (g->numbers[n->index].v[c] != INT64_MIN) field_put(f, c, g->numbers[n->index].v[c]);
        return f;
    }
    return NULL;
}

/* `field of S`: of a place a number, of a set the bag of its numbers. */
val field_of(plain_game *g, const sit *s, const field *f, const set *where) {
    int64_t *list = heap_take(&g->fast, (size_t)(universe(g, s) + 1) * sizeof *list), v;
    int n = 0;
    for (int p = 0; p < universe(g, s); p++) {
        bool in = set_has(where, p) && (p < g->cell_count || where->zoned);
        if (in && p >= g->cell_count && p < g->places && !where->place && !g->on_track[p - g->cell_count]) in = false;
        if (in && field_get(f, p, &v)) list[n++] = v;
    }
    if (where->place) return v_number(n ? list[0] : 0);
    return (val){ .type = V_BAG, .count = n, .list = list };
}

/* ---- kept values ------------------------------------------------------------------------------------------------------------------- */
static const step *way_of(const plain_game *g, int64_t id) {
    for (int i = 0; i < g->ways->n; i++)
        if (g->ways->steps[i]->id == id) return g->ways->steps[i];
    return id < g->dir_count ? &g->dirs[id] : NULL;
}

val keep_load(plain_game *g, const sit *s, const keep *k, int64_t code) {
    rel *r;
    int64_t one = code - 1;
    switch (k->type) {
    case K_FLAG: return v_truth(code != 0);
    case K_NUMBER: return v_number(code);
    case K_PLACE: return v_set(set_one(g, s, (int)code - 1));
    case K_PLAYER: return v_player((int)code - 1);
    case K_KIND: return code ? (val){ .type = V_KINDS, .count = 1, .list = v_list(g, V_KINDS, 1, &one).list, .single = true } : (val){ .type = V_KINDS };
    default:
        r = (rel *)(uintptr_t)rel_new(g, 1);
        if (code && way_of(g, one)) r->steps[r->n++] = way_of(g, one);
        return v_rel(r);
    }
}

int64_t keep_code(plain_game *g, const sit *s, const keep *k, const val *v, const node *at) {
    set where;
    switch (k->type) {
    case K_FLAG:
        if (v->type != V_TRUTH) fail(g, at, "'%s' is a yes or no", k->word);
        return v->n;
    case K_NUMBER: {
        int64_t n = as_number(g, v, at);
        return n < k->low ? k->low : n > k->high ? k->high : n;
    }
    case K_PLAYER:
        if (v->type != V_PLAYER) fail(g, at, "'%s' wants a player", k->word);
        return v->n + 1;
    case K_KIND:
        if (v->type != V_KINDS) fail(g, at, "'%s' wants a kind", k->word);
        return v->count ? v->list[0] + 1 : 0;
    case K_WAY:
        if (v->type != V_REL) fail(g, at, "'%s' wants a direction", k->word);
        return v->r->n ? v->r->steps[0]->id + 1 : 0;
    default:
        where = as_set(g, s, v, at);
        for (int p = 0; p < universe(g, s); p++)
            if (set_has(&where, p) && (p < g->cell_count || where.zoned)) return 1 + (p < g->places ? p : g->cell_count + place_zone(g, s->st, p));
        return 0;
    }
}

/* Where in state.keep: of a player, place or (0) the game. */
int keep_slot(const plain_game *g, const keep *k, int of) {
    (void)g;
    return k->at + (k->of == OF_GAME ? 0 : of);
}

static set keep_flags(plain_game *g, const sit *s, const keep *k) {
    set r = set_new(g, universe(g, s));
    for (int p = 0; p < universe(g, s); p++) {
        const piece *x = k->of == OF_PIECE ? piece_at(g, s->st, p) : NULL;
        if (k->of == OF_CELL ? p < g->places && s->st->keep[k->at + p] : x && x->keeps[k->at]) set_add(&r, p);
    }
    return r;
}

val keep_value(plain_game *g, const sit *s, const keep *k) {
    if (k->of == OF_GAME) return keep_load(g, s, k, s->st->keep[k->at]);
    if (k->of == OF_PLAYER) return keep_load(g, s, k, s->st->keep[k->at + s->me]);
    if (k->type == K_FLAG) return v_set(keep_flags(g, s, k));
    if (k->type == K_NUMBER) return (val){ .type = V_FIELD, .f = keep_field(g, s, k) };
    fail(g, k->node, "'%s' wants `of` and a place", k->word);
}
