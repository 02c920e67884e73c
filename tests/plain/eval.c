/* Expressions: what a node means in a situation. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

val v_number(int64_t n) { return (val){ .type = V_NUMBER, .n = n }; }
val v_truth(bool b) { return (val){ .type = V_TRUTH, .n = b }; }
val v_set(set s) { return (val){ .type = V_SET, .s = s }; }
val v_player(int p) { return (val){ .type = V_PLAYER, .n = p }; }
static val v_rel(const rel *r) { return (val){ .type = V_REL, .r = r }; }

static val v_list(plain_game *g, vtype t, int n, const int64_t *list) {
    int64_t *copy = heap_take(&g->fast, (size_t)(n + 1) * sizeof *copy);
    if (n) memcpy(copy, list, (size_t)n * sizeof *copy);
    return (val){ .type = t, .count = n, .list = copy };
}

static val v_kind(plain_game *g, int first, int count) {
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
static field *field_new(plain_game *g, int places) {
    field *f = heap_take(&g->fast, sizeof *f);
    f->places = places;
    f->v = heap_take(&g->fast, (size_t)(places + 1) * sizeof *f->v);
    f->has = heap_take(&g->fast, (size_t)places + 1);
    return f;
}

static void field_put(field *f, int p, int64_t v) { f->v[p] = v, f->has[p] = 1; }

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

static const field *standard_field(plain_game *g, const sit *s, standard w) {
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
static val field_of(plain_game *g, const sit *s, const field *f, const set *where) {
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

static val keep_value(plain_game *g, const sit *s, const keep *k) {
    if (k->of == OF_GAME) return keep_load(g, s, k, s->st->keep[k->at]);
    if (k->of == OF_PLAYER) return keep_load(g, s, k, s->st->keep[k->at + s->me]);
    if (k->type == K_FLAG) return v_set(keep_flags(g, s, k));
    if (k->type == K_NUMBER) return (val){ .type = V_FIELD, .f = keep_field(g, s, k) };
    fail(g, k->node, "'%s' wants `of` and a place", k->word);
}

/* ---- names ---------------------------------------------------------------------------------------------------------------------------- */
set zone_value(plain_game *g, const sit *s, int z) {
    set r = set_new(g, universe(g, s));
    set_add(&r, g->cell_count + z);
    for (int i = 0; i < s->st->slot_count; i++)
        if (!s->st->slots[i].gone && s->st->slots[i].zone == z) set_add(&r, g->places + i);
    r.zoned = true;
    return r;
}

static set taken(plain_game *g, const sit *s) {
    set r = set_new(g, universe(g, s));
    for (int i = 0; i < s->st->slot_count; i++)
        if (!s->st->slots[i].gone && s->st->slots[i].zone == g->instance_count) set_add(&r, g->places + i);
    r.zoned = true;
    return r;
}

static bool cell_changed(const plain_game *g, const sit *s, int c) {
    const state *then = s->hist ? s->hist->st : NULL;
    if (!then) return s->st->height[c] != 0;
    return then->height[c] != s->st->height[c] || memcmp(&then->stack[c * g->pile], &s->st->stack[c * g->pile], s->st->height[c] * sizeof(piece)) != 0;
}

static bool cell_is(plain_game *g, const sit *s, standard w, int c) {
    const piece *x = piece_at(g, s->st, c);
    int out = 0;
    switch ((int)w) {
    case S_empty: return !x;
    case S_occupied: return x;
    case S_cells: return true;
    case S_light: return (g->cells[c].x + g->cells[c].y) % 2 != 0;
    case S_dark: return (g->cells[c].x + g->cells[c].y) % 2 == 0;
    case S_changed: return cell_changed(g, s, c);
    case S_attacked: return attacked(g, s, c);
    default:            /* corners */
        for (int d = 0; d < g->dir_count; d++) out += g->dirs[d].next[c] == NONE;
        return g->dir_count && 2 * out >= g->dir_count;
    }
}

static set owner_set(plain_game *g, const sit *s, standard w) {
    set r = set_new(g, universe(g, s));
    for (int p = 0; p < universe(g, s); p++) {
        const piece *x = piece_at(g, s->st, p);
        if (x && (w == S_own ? x->owner == s->me : w == S_neutral ? x->owner == NOBODY : x->owner != s->me && x->owner != NOBODY)) set_add(&r, p);
    }
    return r;
}

static const rel *turned(plain_game *g, const sit *s, standard w) {
    static const struct { standard w; cone c; int n; const char *square[4]; int m; const char *hex[4]; } table[] = {
        { S_ahead, CONE_NONE, 1, { "north" }, 1, { "northeast" } },
        { S_behind, CONE_NONE, 1, { "south" }, 1, { "southwest" } },
        { S_forward, CONE_FORWARD, 3, { "northwest", "north", "northeast" }, 2, { "northwest", "northeast" } },
        { S_backward, CONE_BACKWARD, 3, { "southwest", "south", "southeast" }, 2, { "southwest", "southeast" } },
        { S_sideways, CONE_NONE, 2, { "west", "east" }, 2, { "west", "east" } },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].w != w) continue;
        rel *r = (rel *)(uintptr_t)(g->shape_sides == 8 ? rel_dirs(g, s->me, table[i].square, table[i].n) : rel_dirs(g, s->me, table[i].hex, table[i].m));
        r->cone = table[i].c;
        return r;
    }
    return NULL;
}

static const rel *standard_rel(plain_game *g, const sit *s, standard w) {
    static const char *const orthogonal[] = { "north", "east", "south", "west" }, *const diagonal[] = { "northeast", "southeast", "southwest", "northwest" };
    static const char *const words[] = { "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest" };
    rel *r;
    switch ((int)w) {
    case S_orthogonal: return rel_dirs(g, NONE, orthogonal, 4);
    case S_diagonal: return rel_dirs(g, NONE, diagonal, 4);
    case S_ways: case S_neighbours: return g->ways;
    case S_knight: return rel_leap(g, 1, 2);
    case S_anywhere: case S_transpose:
        r = (rel *)(uintptr_t)rel_new(g, 1);
        r->steps[r->n++] = w == S_anywhere ? g->anywhere : g->transpose;
        return r;
    default:
        if (w >= S_north && w <= S_northwest) return rel_dirs(g, NONE, &words[w - S_north], 1);
        return turned(g, s, w);
    }
}

static val everyone(plain_game *g, const sit *s) {
    int64_t list[PLAYERS_MAX];
    int n = 0;
    for (int p = 0; p < g->player_count; p++)
        if (!(s->st->out >> p & 1)) list[n++] = p;
    return v_list(g, V_PLAYERS, n, list);
}

static val standard_value(plain_game *g, const sit *s, standard w, const node *e) {
    set r;
    int since;
    switch ((int)w) {
    case S_own: case S_enemy: case S_neutral: return v_set(owner_set(g, s, w));
    case S_here: return v_set(set_one(g, s, s->here));
    case S_start: return v_set(set_one(g, s, s->start));
    case S_it: return v_set(set_one(g, s, s->it));
    case S_passed: return v_set(s->passed.w ? s->passed : set_new(g, universe(g, s)));
    case S_taken: return v_set(taken(g, s));
    case S_row: case S_col: case S_value: case S_height: return (val){ .type = V_FIELD, .f = standard_field(g, s, w) };
    case S_everyone: return everyone(g, s);
    case S_mover: return v_player(s->me);
    case S_next: return v_player(s->st->next != NONE ? s->st->next : player_after(g, s->st, s->me));
    case S_nobody: return v_player(NOBODY);
    case S_owner: {
        const piece *x = piece_at(g, s->st, s->here);
        return v_player(x ? x->owner : NOBODY);
    }
    case S_turns: return v_number(s->st->turns);
    case S_passes: return v_number(s->st->passes);
    case S_repeats: return v_number(repeats_of(g, s, NULL, &since));
    case S_since: repeats_of(g, s, NULL, &since); return v_number(since);
    case S_seat: return v_number(s->me + 1);
    case S_extra: return v_truth(s->st->extra);
    case S_stuck: return v_truth(s->stuck);
    case S_yes: return v_truth(true);
    case S_no: return v_truth(false);
    case S_moves:
        if (g->test_moves >= 0) return v_number(g->test_moves);
        fail(g, e, "`moves` is for tests");
    case S_winner: return v_player(s->st->over == WON ? s->st->winner : NOBODY);
    case S_drawn: return v_truth(s->st->over == DRAWN);
    case S_kind: fail(g, e, "`kind` wants `of`");
    default: break;
    }
    if (w >= S_north && w <= S_transpose) return v_rel(standard_rel(g, s, w));
    r = set_new(g, universe(g, s));
    for (int c = 0; c < g->cell_count; c++)
        if (cell_is(g, s, w, c)) set_add(&r, c);
    return v_set(r);
}

static val let_value(plain_game *g, const sit *s, const let *l, const node *e, int argc, const val *args) {
    const node *body = s->me >= 0 && l->body[s->me] ? l->body[s->me] : l->any;
    int params = l->params ? l->params->count : 0;
    if (!body) fail(g, e, "'%s' means nothing for this player", l->word);
    if (params != argc) fail(g, e, "'%s' wants %d arguments", l->word, params);
    sit in = *s;
    in.locals = NULL;
    for (int i = 0; i < params; i++) {
        local *x = heap_take(&g->fast, sizeof *x);
        *x = (local){ l->params->kids[i]->text, args[i], in.locals };
        in.locals = x;
    }
    return eval(g, &in, body);
}

static val track_value(plain_game *g, const sit *s, const track *t, const node *e) {
    if (s->me < 0 || !t->on[s->me]) fail(g, e, "track '%s' is not for this player", t->word);
    rel *r = (rel *)(uintptr_t)rel_new(g, 1);
    r->steps[r->n++] = t->on[s->me];
    return v_rel(r);
}

static val name_value(plain_game *g, const sit *s, const node *e) {
    val v;
    if (local_find(s, e->text, &v)) return v;
    const name *n = name_of(g, e);
    if (!n && option_word(g, e->text)) return (val){ .type = V_WORD, .word = e->text };
    if (!n) fail(g, e, "nothing is named '%s'", e->text);
    switch (n->sort) {
    case N_LET: return let_value(g, s, &g->lets[n->index], e, 0, NULL);
    case N_KEEP: return keep_value(g, s, &g->keeps[n->index]);
    case N_TRACK: return track_value(g, s, &g->tracks[n->index], e);
    case N_DICE: {
        const die *d = &s->st->dice[n->index];
        int64_t list[DICE_MAX];
        for (int i = 0; i < d->n; i++) list[i] = d->v[i];
        return d->sort == 2 ? v_list(g, V_BAG, d->n, list) : v_number(d->sort ? d->v[0] : 0);
    }
    case N_OPTION: return g->options[n->index].v;
    case N_ZONE: return v_set(zone_value(g, s, g->zones[n->index].first + (g->zones[n->index].of_player ? s->me : 0)));
    case N_KIND: return v_kind(g, n->index, 1);
    case N_FAMILY: v = v_kind(g, g->families[n->index].first, g->families[n->index].count); v.single = false; return v;
    case N_PLAYER: return v_player(n->index);
    case N_GROUP: return v_set(g->groups[n->index].s);
    case N_NUMBER: return (val){ .type = V_FIELD, .f = eval_field(g, s, e->text) };
    case N_CELL: return v_set(set_one(g, s, n->index));
    default: return standard_value(g, s, (standard)n->index, e);
    }
}

/* ---- kinds of expressions, before they are asked ------------------------------------------------------------------------------------------ */
static vtype keep_static(const keep *k) {
    switch (k->type) {
    case K_FLAG: return k->of == OF_CELL || k->of == OF_PIECE ? V_SET : V_TRUTH;
    case K_NUMBER: return k->of == OF_CELL || k->of == OF_PIECE ? V_FIELD : V_NUMBER;
    case K_PLACE: return V_SET;
    case K_WAY: return V_REL;
    case K_KIND: return V_KINDS;
    default: return V_PLAYER;
    }
}

static vtype standard_static(standard w) {
    if (w >= S_north && w <= S_transpose) return V_REL;
    switch ((int)w) {
    case S_row: case S_col: case S_value: case S_height: return V_FIELD;
    case S_everyone: return V_PLAYERS;
    case S_mover: case S_next: case S_nobody: case S_owner: case S_winner: return V_PLAYER;
    case S_turns: case S_passes: case S_repeats: case S_since: case S_seat: case S_moves: return V_NUMBER;
    case S_extra: case S_stuck: case S_yes: case S_no: case S_drawn: return V_TRUTH;
    case S_kind: return V_KINDS;
    default: return V_SET;
    }
}

static vtype name_static(plain_game *g, const sit *s, const node *e) {
    val v;
    if (local_find(s, e->text, &v)) return v.type;
    const name *n = name_of(g, e);
    if (!n) return V_WORD;
    const let *l;
    switch (n->sort) {
    case N_LET:
        l = &g->lets[n->index];
        for (int p = 0; p < PLAYERS_MAX && !l->any; p++)
            if (l->body[p]) return static_type(g, s, l->body[p]);
        return l->any ? static_type(g, s, l->any) : V_SET;
    case N_KEEP: return keep_static(&g->keeps[n->index]);
    case N_TRACK: return V_REL;
    case N_DICE: return s->st->dice[n->index].sort == 2 ? V_BAG : V_NUMBER;
    case N_OPTION: return g->options[n->index].v.type;
    case N_KIND: case N_FAMILY: return V_KINDS;
    case N_PLAYER: return V_PLAYER;
    case N_NUMBER: return V_FIELD;
    case N_STANDARD: return standard_static((standard)n->index);
    default: return V_SET;
    }
}

static vtype call_static(plain_game *g, const sit *s, const node *e) {
    static const struct { const char *word; vtype t; } table[] = { { "kinds", V_KINDS }, { "first", V_SET }, { "edge", V_SET }, { "leap", V_REL }, { "max", V_NUMBER },
        { "min", V_NUMBER }, { "sum", V_NUMBER }, { "player", V_PLAYER } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].word, e->text)) return table[i].t;
    const name *n = name_of(g, e);
    if (!n || n->sort != N_LET) return V_SET;
    sit in = *s;                                            /* the parameters, by what is given for them */
    const let *l = &g->lets[n->index];
    in.locals = NULL;
    for (int i = 0; l->params && i < l->params->count && i < e->count; i++) {
        local *x = heap_take(&g->fast, sizeof *x);
        *x = (local){ l->params->kids[i]->text, { .type = static_type(g, s, e->kids[i]) }, in.locals };
        in.locals = x;
    }
    for (int p = 0; p < PLAYERS_MAX && !l->any; p++)
        if (l->body[p]) return static_type(g, &in, l->body[p]);
    return l->any ? static_type(g, &in, l->any) : V_SET;
}

static vtype of_static(plain_game *g, const sit *s, const node *e) {
    const node *a = e->kids[0];
    vtype t = static_type(g, s, a);
    if (a->kind == NODE_E_NAME && !strcmp(a->text, "kind")) return V_KINDS;
    if (t == V_REL) return V_SET;
    if (t == V_FIELD) return V_NUMBER;
    return t;
}

static vtype row_static(plain_game *g, const sit *s, const node *e) {
    vtype t = static_type(g, s, e->kids[0]);
    bool all_rel = true;
    for (int i = 0; i < e->count; i++) {
        vtype u = static_type(g, s, e->kids[i]);
        if (u != V_REL && u != V_NUMBER) all_rel = false;
        if (u == V_NUMBER && i == e->count - 1) all_rel = false;
    }
    if (all_rel) return V_REL;
    if (t == V_NUMBER) return static_type(g, s, e->kids[e->count - 1]) == V_KINDS ? V_MANY : V_BAG;
    return V_SET;
}

vtype static_type(plain_game *g, const sit *s, const node *e) {
    if (!e) return V_NOTHING;
    if (++g->depth > 4000) fail(g, e, "this expression asks for itself without end");
    vtype t = V_SET, u;
    switch (e->kind) {
    case NODE_E_NAME: t = name_static(g, s, e); break;
    case NODE_E_NUMBER: case NODE_E_COUNT: t = V_NUMBER; break;
    case NODE_E_RANGE: t = static_type(g, s, e->kids[0]) == V_NUMBER ? V_RANGE : V_SET; break;
    case NODE_E_ROW: t = row_static(g, s, e); break;
    case NODE_E_NOT: case NODE_E_OR: case NODE_E_AND: case NODE_E_WHEN:
        t = static_type(g, s, e->kids[0]);
        if (e->kind == NODE_E_OR && (t == V_PLAYER || t == V_NUMBER)) t = V_SET;
        if (e->kind == NODE_E_NOT && t != V_TRUTH && t != V_REL) t = V_SET;
        break;
    case NODE_E_MINUS: t = static_type(g, s, e->kids[0]); break;
    case NODE_E_OF: t = of_static(g, s, e); break;
    case NODE_E_FROM: t = V_REL; break;
    case NODE_E_COMPARE:
        t = static_type(g, s, e->kids[0]), u = static_type(g, s, e->kids[1]);
        t = t == V_FIELD || u == V_FIELD ? V_SET : t == V_BAG && u == V_BAG ? V_BAG : V_TRUTH;
        break;
    case NODE_E_IN: case NODE_E_ANY: case NODE_E_NO: case NODE_E_CAN: case NODE_E_ALWAYS: t = V_TRUTH; break;
    case NODE_E_ARITH: t = static_type(g, s, e->kids[0]) == V_FIELD || static_type(g, s, e->kids[1]) == V_FIELD ? V_FIELD : V_NUMBER; break;
    case NODE_E_CALL: t = call_static(g, s, e); break;
    default: break;
    }
    g->depth--;
    return t;
}

bool rel_word(plain_game *g, const sit *s, const node *e) { return static_type(g, s, e) == V_REL; }

/* The player that an expression names; `own` and `enemy` do where a player is wanted. */
int eval_player(plain_game *g, const sit *s, const node *e, bool *is) {
    val v;
    *is = true;
    if (e->kind == NODE_E_NAME && !local_find(s, e->text, &v)) {
        const name *n = name_of(g, e);
        if (n && n->sort == N_STANDARD && n->index == S_own) return s->me;
        if (n && n->sort == N_STANDARD && n->index == S_enemy) return player_after(g, s->st, s->me);
    }
    if (static_type(g, s, e) == V_PLAYER) {
        v = eval(g, s, e);
        if (v.type == V_PLAYER) return (int)v.n;
    }
    *is = false;
    return NOBODY;
}

/* ---- side by side --------------------------------------------------------------------------------------------------------------------- */
typedef struct { val out[64]; int count; set minus[64]; int minus_count; const node *late[16]; int late_count; } row;

static bool is_cell_word(plain_game *g, const sit *s, const node *e) {
    val v;
    if (e->kind == NODE_E_RANGE) return is_cell_word(g, s, e->kids[0]);
    if (e->kind != NODE_E_NAME || local_find(s, e->text, &v)) return false;
    const name *n = name_of(g, e);
    return n && n->sort == N_CELL;
}

static bool is_attacked(plain_game *g, const node *e) {
    if (e->kind == NODE_E_NOT) e = e->kids[0];
    if (e->kind == NODE_E_OF) e = e->kids[0];
    const name *n = e->kind == NODE_E_NAME ? name_of(g, e) : NULL;
    return n && n->sort == N_STANDARD && n->index == S_attacked;
}

static bool number_like(const val *v) { return v->type == V_NUMBER || v->type == V_RANGE || v->type == V_BAG; }

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
        if (p->n < 1) n->n = 0;                             /* no steps lead nowhere */
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
    if (is_attacked(g, e) && !(e->flags & FLAG_BRACKETS) && r->late_count < 16) r->late[r->late_count++] = e;
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

static val of_value(plain_game *g, const sit *s, const rel *given, const node *a, const node *b, const node *at);

/* `own backward diagonal of here`: directions and a number just before belong to the relation. */
static val row_eval(plain_game *g, const sit *s, const node *e) {
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

static val zero(plain_game *g, const sit *s, vtype t) {
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

static val of_value(plain_game *g, const sit *s, const rel *given, const node *a, const node *b, const node *at) {
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
        v = eval(g, s, a);
        set from = eval_set(g, s, b);
        return field_of(g, s, v.f, &from);
    }
    int who = eval_player(g, s, b, &is);
    if (!is) fail(g, at, "`of` wants a relation, a number of cells or a player");
    if (who == NOBODY) return zero(g, s, t);
    sit as = *s;
    if (who != s->me) as.in_piece = false;
    as.me = who;
    return eval(g, &as, a);
}

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

static bool is_option(plain_game *g, const sit *s, const node *e, const char **word) {
    val v;
    if (e->kind != NODE_E_NAME || local_find(s, e->text, &v)) return false;
    const name *n = name_of(g, e);
    if (!n || n->sort != N_OPTION || g->options[n->index].v.type != V_WORD) return false;
    *word = g->options[n->index].v.word;
    return true;
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
    case NODE_E_IN: a = eval(g, s, e->kids[0]), b = eval(g, s, e->kids[1]); return eval_in(g, s, &a, &b, e->kids[0], e->kids[1]);
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
    if (++g->depth > 4000) fail(g, e, "this asks for itself without end");
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
    g->depth--;
    return v;
}
