/* What a word means in a situation, and of what kind an expression is before it is asked. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

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

val let_value(plain_game *g, const sit *s, const let *l, const node *e, int argc, const val *args) {
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

val name_value(plain_game *g, const sit *s, const node *e) {
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
    stay_shallow(g, e);
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
