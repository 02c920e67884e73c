/* Legs, drops and effects: what changes a state. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- legs -------------------------------------------------------------------------------------------------------------------------- */
typedef struct { char how; set where; } pattern;
typedef struct {
    plain_game *g;
    const sit *s;
    const frame *k;
    pattern *patterns; int pattern_count;       /* 0: to the next cell */
    int64_t count;                              /* exactly so many steps; 0: not said */
    bool slide, anywhere;
    const set *to;
    int x;
    int *passed;
} ride;

static bool fits(const ride *r, int i, int j, int n) {
    if (i == r->pattern_count) return j == n;
    const pattern *p = &r->patterns[i];
    bool ok = j < n && set_has(&p->where, r->passed[j]);
    switch (p->how) {
    case '?': return fits(r, i + 1, j, n) || (ok && fits(r, i + 1, j + 1, n));
    case '+': return ok && (fits(r, i + 1, j + 1, n) || fits(r, i, j + 1, n));
    case '*': return fits(r, i + 1, j, n) || (ok && fits(r, i, j + 1, n));
    default: return ok && fits(r, i + 1, j + 1, n);
    }
}

static void raise_under(plain_game *g, state *st, int c) {
    if (st->under_at != c || !st->under_count) return;
    memcpy(&st->stack[c * g->pile], st->under, (size_t)st->under_count * sizeof(piece));
    st->height[c] = (uint8_t)st->under_count;
    st->under_count = 0;
    st->under_at = NONE;
}

/* A piece (or, without one, just the place `here`) comes to y. */
static int arrive(plain_game *g, state *st, int y, const piece *p) {
    if (!p) return y;
    if (y >= g->cell_count) return slot_add(g, st, y - g->cell_count, *p);
    int n;
    put(g, st, y, *p, st->under, &n);
    st->under_count = n;
    st->under_at = n ? y : NONE;
    return y;
}

static void land(const ride *r, int y, int n) {
    plain_game *g = r->g;
    sit s = *r->s;
    s.st = state_copy(g, s.st);
    piece p, *there = piece_at(g, s.st, r->x);
    if (there) {
        p = lift(g, s.st, r->x);
        if (r->x < g->cell_count) raise_under(g, s.st, r->x);
    }
    s.here = arrive(g, s.st, y, there ? &p : NULL);
    s.passed = set_new(g, universe(g, &s));
    for (int i = 0; i < n; i++) set_add(&s.passed, r->passed[i]);
    for (int i = 0; i < n; i++) s.passed.zoned |= r->passed[i] >= g->cell_count;
    if (there) {                                            /* a leg that moves no piece is not written */
        log_token(g, &s, T_TO, place_name(g, s.st, y), NULL);
        set *cells = heap_take(&g->fast, sizeof *cells);
        *cells = s.passed;
        ((token *)(uintptr_t)s.log)->cells = cells;
    }
    go(g, s, r->k);
}

static bool may_land(const ride *r, int y) {
    if (!r->to) return true;
    return set_has(r->to, y) && (y < r->g->cell_count || r->to->zoned);
}

static void ride_on(const ride *r, const step *t, int at, int n) {
    plain_game *g = r->g;
    for (int k = 0, y; !g->halt && (y = step_next(g, t, r->s->me, at, k)) != NONE; k++) {
        bool straight = !r->pattern_count && !r->count;
        bool here = straight || ((!r->count || n + 1 == r->count) && (!r->pattern_count || fits(r, 0, 0, n)));
        if (here && may_land(r, y)) land(r, y, n);
        if (straight || t->id == ID_ANYWHERE || n >= g->places || (r->count && n + 1 >= r->count)) continue;
        if (r->slide && !set_has(&r->patterns[0].where, y)) continue;
        r->passed[n] = y;
        ride_on(r, t, y, n + 1);
    }
}

static void leg_patterns(plain_game *g, const sit *s, ride *r, const node *cells) {
    r->patterns = heap_take(&g->fast, (size_t)(cells->count + 1) * sizeof *r->patterns);
    for (int i = 0; i < cells->count; i++) {
        const node *p = cells->kids[i];
        r->patterns[r->pattern_count++] = (pattern){ p->kind == NODE_PATTERN ? *p->text : '1', eval_set(g, s, p->kind == NODE_PATTERN ? p->kids[0] : p) };
    }
}

/* `slide 2..3 R`: the cells that must, and may, be passed over. What is left of the way; NULL if nothing is. */
static const node *leg_range(plain_game *g, const sit *s, ride *r, const node *way, const set *empty, node *rest) {
    const node *range = way && way->kind == NODE_E_ROW ? way->kids[0] : way;
    if (!r->slide || !range || range->kind != NODE_E_RANGE || static_type(g, s, range) == V_SET) return way;
    const int low = (int)eval_number(g, s, range->kids[0]), high = (int)eval_number(g, s, range->kids[1]);
    r->slide = false;
    r->count = high == 1;
    r->patterns = heap_take(&g->fast, (size_t)high * sizeof *r->patterns);
    while (r->pattern_count < high - 1) {
        r->patterns[r->pattern_count] = (pattern){ r->pattern_count + 1 < low ? '1' : '?', *empty };
        r->pattern_count++;
    }
    if (way == range || way->count < 2) return NULL;
    *rest = *way;
    rest->kids++;
    rest->count--;
    return rest->count == 1 ? rest->kids[0] : rest;
}

void leg(plain_game *g, sit s, const node *a, const frame *k) {
    if (s.here == NONE) return;
    ride r = { .g = g, .s = &s, .k = k, .slide = a->kind == NODE_A_SLIDE, .x = s.here };
    const node *way = a->count ? a->kids[0] : NULL, *passing = !r.slide && a->count > 1 ? a->kids[1] : NULL, *to = r.slide ? a->kids[1] : a->count > 2 ? a->kids[2] : NULL;
    set target, empty = set_new(g, universe(g, &s));
    node rest;
    for (int c = 0; r.slide && c < g->cell_count; c++)
        if (!s.st->height[c]) set_add(&empty, c);
    way = leg_range(g, &s, &r, way, &empty, &rest);
    const rel *R = way ? eval_rel(g, &s, way) : g->ways;
    if (to) target = eval_set(g, &s, to), r.to = &target;
    if (!r.count) r.count = R->times;
    r.passed = heap_take(&g->fast, (size_t)(g->places + 2) * sizeof *r.passed);
    if (passing) leg_patterns(g, &s, &r, passing);
    if (r.slide) {
        r.patterns = heap_take(&g->fast, sizeof *r.patterns);
        r.patterns[r.pattern_count++] = (pattern){ '*', empty };
    }
    int from = s.here < g->places ? s.here : g->cell_count + place_zone(g, s.st, s.here);
    if (from >= g->places) return;
    for (int i = 0; i < R->n && !g->halt; i++)
        if (from < g->cell_count || R->steps[i]->track || R->steps[i]->id == ID_ANYWHERE) ride_on(&r, R->steps[i], from, 0);
}

/* ---- what is placed or dropped ------------------------------------------------------------------------------------------------------- */
typedef struct { int owner; int64_t many; val v; } matter;

/* `White Rook`, `neutral Wall`, `9 Man`, `hand Pawn`. */
static matter matter_of(plain_game *g, const sit *s, const node *e) {
    matter m = { s->me, 1, { 0 } };
    if (e->kind != NODE_E_ROW || (e->flags & FLAG_BRACKETS && e->kids[0]->kind == NODE_E_NOT)) {
        m.v = eval(g, s, e);
        if (m.v.type == V_MANY) m.many = m.v.n, m.v.type = V_KINDS;
        return m;
    }
    node rest = *e, *kids[64];
    rest.count = 0;
    rest.kids = kids;
    for (int i = 0; i < e->count && i < 64; i++) {
        node *x = e->kids[i];
        const name *n = x->kind == NODE_E_NAME ? name_of(g, x) : NULL;
        vtype t = static_type(g, s, x);
        if (n && n->sort == N_STANDARD && n->index == S_neutral) m.owner = NOBODY;
        else if (n && n->sort == N_STANDARD && n->index == S_own) m.owner = s->me;
        else if (n && n->sort == N_STANDARD && n->index == S_enemy) m.owner = player_after(g, s->st, s->me);
        else if (t == V_PLAYER) m.owner = (int)eval(g, s, x).n;
        else if (t == V_NUMBER) m.many = eval_number(g, s, x);
        else kids[rest.count++] = x;
    }
    if (!rest.count) fail(g, e, "a kind is wanted");
    if (rest.count == 1) m.v = eval(g, s, kids[0]);
    else m.v = v_set((set){ 0 });
    if (rest.count > 1) {                                   /* `hand Pawn`: a row of sets */
        set all = { 0 };
        for (int i = 0; i < rest.count; i++) {
            bool no = kids[i]->kind == NODE_E_NOT;
            set x = eval_set(g, s, no ? kids[i]->kids[0] : kids[i]);
            if (no) x = set_not(g, s, &x);
            all = i ? set_and(g, &all, &x) : x;
        }
        m.v = v_set(all);
    }
    return m;
}

/* The zone that a set means as a place to go to; NONE if it means cells. */
int zone_of_set(plain_game *g, const set *x) {
    int z = NONE;
    for (int c = 0; c < g->cell_count; c++)
        if (set_has(x, c)) return NONE;
    for (int i = 0; i < g->instance_count; i++)
        if (x->zoned && set_has(x, g->cell_count + i)) z = z == NONE ? i : z;
    return z;
}

static void token_drop(plain_game *g, sit *s, const piece *p, const char *place, bool named) {
    log_token(g, s, T_DROP, place, g->kinds[p->kind].letter);
    token *t = (token *)(uintptr_t)s->log;
    t->kind = g->kinds[p->kind].word;
    t->named = named && g->drops_many;
}

/* A new piece of one kind that comes into a zone leaves nothing to choose, and nothing to write. */
static void drop_one(plain_game *g, const sit *before, const piece *p, int slot_from, int y, bool named, const frame *k) {
    sit s = *before;
    s.st = state_copy(g, s.st);
    piece moved = *p;
    s.start = NONE;
    if (slot_from != NONE) {
        s.start = g->cell_count + place_zone(g, s.st, slot_from);
        moved = lift(g, s.st, slot_from);
    }
    s.here = arrive(g, s.st, y, &moved);
    s.passed = (set){ 0 };
    if (named || slot_from != NONE || y < g->cell_count) token_drop(g, &s, &moved, place_name(g, s.st, y), named);
    go(g, s, k);
}

static void drop_on_all(plain_game *g, const sit *s, const piece *p, int slot_from, const set *to, bool named, const frame *k) {
    int z = zone_of_set(g, to);
    if (z != NONE) {
        drop_one(g, s, p, slot_from, g->cell_count + z, named, k);
        return;
    }
    for (int c = 0; c < g->cell_count && !g->halt; c++)
        if (set_has(to, c)) drop_one(g, s, p, slot_from, c, named, k);
}

void drop(plain_game *g, sit s, const node *a, const frame *k) {
    settle(g, &s);
    matter m = matter_of(g, &s, a->kids[0]);
    set to = eval_set(g, &s, a->kids[1]);
    if (m.v.type == V_KINDS) {
        for (int i = 0; i < m.v.count && !g->halt; i++) {
            piece p = piece_new(g, m.owner, (int)m.v.list[i]);
            drop_on_all(g, &s, &p, NONE, &to, m.v.count > 1 || zone_of_set(g, &to) == NONE, k);
        }
        return;
    }
    val from = v_set(as_set(g, &s, &m.v, a->kids[0])), *list;
    int n = options_of(g, &s, &from, &list, a);
    for (int i = 0; i < n && !g->halt; i++)
        for (int p = g->places; p < universe(g, &s); p++)
            if (set_has(&list[i].s, p)) drop_on_all(g, &s, piece_at(g, s.st, p), p, &to, true, k);
}

/* ---- effects ---------------------------------------------------------------------------------------------------------------------------- */
bool is_effect(node_kind n) {
    return n == NODE_A_TAKE || n == NODE_A_PLACE || n == NODE_A_SEND || n == NODE_A_BECOMES || n == NODE_A_SEEN || n == NODE_A_SET || n == NODE_A_RANK;
}


static int64_t top_of(plain_game *g, const sit *s, const node *e) { return e->kind == NODE_E_TOP ? eval_number(g, s, e->kids[0]) : 1; }

typedef struct { int from; piece p; } moving;

/* Lifts the pieces of a set, in board order, those of one cell from the bottom up; `bottom n of` leaves those above. */
static moving *lift_all(plain_game *g, const sit *s, const node *e, bool taken_too, int *count) {
    int64_t n = top_of(g, s, e);
    set x = eval_set(g, s, e);
    state *st = s->st;
    moving *list = heap_take(&g->fast, (size_t)(g->cell_count * g->pile + st->slot_count + 1) * sizeof *list);
    *count = 0;
    for (int c = 0; c < g->cell_count; c++) {
        if (!set_has(&x, c)) continue;
        int h = st->height[c], m = n < 0 ? 0 : n < h ? (int)n : h, low = e->kind == NODE_E_TOP && !strcmp(e->text, "bottom") ? 0 : h - m;
        piece *pile = &st->stack[c * g->pile];
        for (int i = low; i < low + m; i++) list[(*count)++] = (moving){ c, pile[i] };
        memmove(pile + low, pile + low + m, (size_t)(h - m - low) * sizeof *pile);
        st->height[c] = (uint8_t)(h - m);
    }
    for (int i = 0; i < st->slot_count; i++) {
        if (!counts(g, st, &x, g->places + i) || (!taken_too && st->slots[i].zone == g->instance_count)) continue;
        list[(*count)++] = (moving){ g->places + i, st->slots[i].p };
        st->slots[i].gone = true;
    }
    return list;
}

static void do_take(plain_game *g, sit *s, const node *a) {
    int n;
    moving *list = lift_all(g, s, a->kids[0], false, &n);
    for (int i = 0; i < n; i++) take_piece(g, s->st, list[i].p);
    if (!n) return;
    set *cells = heap_take(&g->fast, sizeof *cells);
    *cells = set_new(g, universe(g, s));
    for (int i = 0; i < n; i++) set_add(cells, list[i].from);
    log_token(g, s, T_TOOK, NULL, NULL);
    ((token *)(uintptr_t)s->log)->cells = cells;
}

static void put_on(plain_game *g, state *st, int c, piece p) {
    piece *gone = heap_take(&g->fast, (size_t)(g->pile + 1) * sizeof *gone);
    int n;
    put(g, st, c, p, gone, &n);
    for (int i = 0; i < n; i++) take_piece(g, st, gone[i]);
}

static void do_place(plain_game *g, sit *s, const node *a) {
    matter m = matter_of(g, s, a->kids[0]);
    if (m.v.type != V_KINDS) fail(g, a, "`place` makes new pieces and wants a kind, found %s; to move pieces write `send`", type_name(&m.v));
    set on = eval_set(g, s, a->kids[1]);
    int z = zone_of_set(g, &on);
    for (int i = 0; i < m.v.count; i++)
        for (int64_t j = 0; j < m.many; j++) {
            piece p = piece_new(g, m.owner, (int)m.v.list[i]);
            if (z != NONE) slot_add(g, s->st, z, p);
            else
                for (int c = 0; c < g->cell_count; c++)
                    if (set_has(&on, c)) put_on(g, s->st, c, p);
        }
}

static bool of_owner(plain_game *g, const sit *s, const node *t, int *zone_declared) {
    val v;
    if (t->kind != NODE_E_OF || t->kids[0]->kind != NODE_E_NAME || t->kids[1]->kind != NODE_E_NAME || local_find(s, "owner", &v)) return false;
    const name *z = name_of(g, t->kids[0]), *o = name_of(g, t->kids[1]);
    if (!z || z->sort != N_ZONE || !g->zones[z->index].of_player || !o || o->sort != N_STANDARD || o->index != S_owner) return false;
    *zone_declared = z->index;
    return true;
}

static void put_under(plain_game *g, state *st, int c, const moving *list, int n) {
    int h = st->height[c];
    piece *stack = &st->stack[c * g->pile];
    if (h + n > g->room[c]) fail(g, NULL, "no room under what stands on %s", g->cells[c].word);
    memmove(stack + n, stack, (size_t)h * sizeof *stack);
    for (int i = 0; i < n; i++) stack[i] = list[i].p;
    st->height[c] = (uint8_t)(h + n);
}

static int along(plain_game *g, const sit *s, const rel *r, int from) {
    if (from >= g->places) from = g->cell_count + place_zone(g, s->st, from);
    for (int i = 0; i < r->n; i++) {
        int y = from;
        for (int64_t t = 0; t < (r->times ? r->times : 1) && y != NONE; t++) y = step_next(g, r->steps[i], s->me, y, 0);
        if (y != NONE) return y;
    }
    return NONE;
}

static void arrive_all(plain_game *g, state *st, int y, piece p) {
    if (y >= g->cell_count) slot_add(g, st, y - g->cell_count, p);
    else put_on(g, st, y, p);
}

static void send_along(plain_game *g, sit *s, const node *a) {
    const rel *r = eval_rel(g, s, a->kids[1]);
    int n;
    moving *list = lift_all(g, s, a->kids[0], true, &n);
    for (int i = 0; i < n; i++) {
        int y = along(g, s, r, list[i].from);
        if (y == NONE) take_piece(g, s->st, list[i].p);
        else arrive_all(g, s->st, y, list[i].p);
    }
}

static void do_send(plain_game *g, sit *s, const node *a) {
    int declared, n;
    if (!strcmp(a->text, "along")) {
        send_along(g, s, a);
        return;
    }
    if (of_owner(g, s, a->kids[1], &declared)) {
        moving *list = lift_all(g, s, a->kids[0], true, &n);
        for (int i = 0; i < n; i++)
            if (list[i].p.owner != NOBODY) slot_add(g, s->st, g->zones[declared].first + list[i].p.owner, list[i].p);
            else take_piece(g, s->st, list[i].p);
        return;
    }
    set to = eval_set(g, s, a->kids[1]);
    int z = zone_of_set(g, &to), y = NONE, cells = 0;
    for (int p = 0; p < universe(g, s); p++)
        if (set_has(&to, p) && (p < g->cell_count || (to.zoned && to.place))) cells++, y = y == NONE ? p : y;
    if (z != NONE) y = g->cell_count + z;
    else if (y >= g->places) y = g->cell_count + place_zone(g, s->st, y);
    else if (cells > 1) fail(g, a, "`send` wants one place to go to, found %d", cells);
    moving *list = lift_all(g, s, a->kids[0], true, &n);
    if (!n) return;
    if (y == NONE) fail(g, a, "there is no place to send these pieces to");
    if (!strcmp(a->text, "under") && y < g->cell_count) put_under(g, s->st, y, list, n);
    else
        for (int i = 0; i < n; i++) arrive_all(g, s->st, y, list[i].p);
}

/* ---- becomes ------------------------------------------------------------------------------------------------------------------------------ */
static void become_flag(plain_game *g, sit *s, const keep *k, const set *x, bool on) {
    for (int p = 0; p < universe(g, s); p++) {
        if (!set_has(x, p) || (p >= g->cell_count && !x->zoned)) continue;
        piece *q = k->of == OF_PIECE ? piece_at(g, s->st, p) : NULL;
        if (k->of == OF_CELL && p < g->places) s->st->keep[k->at + p] = on;
        else if (q) q->keeps[k->at] = on;
    }
}

static void become(plain_game *g, sit *s, const set *x, const node *d) {
    bool no = d->kind == NODE_E_NOT;
    const node *w = no ? d->kids[0] : d;
    val v;
    const name *n = w->kind == NODE_E_NAME && !local_find(s, w->text, &v) ? name_of(g, w) : NULL;
    if (n && n->sort == N_KEEP && g->keeps[n->index].type == K_FLAG && (g->keeps[n->index].of == OF_CELL || g->keeps[n->index].of == OF_PIECE)) {
        become_flag(g, s, &g->keeps[n->index], x, !no);
        return;
    }
    if (no) fail(g, d, "only a flag can be taken away");
    int owner = NOBODY, kd = NO_KIND;
    bool is = true, neutral = n && n->sort == N_STANDARD && n->index == S_neutral;
    if (!neutral) owner = eval_player(g, s, w, &is);
    if (!is) {
        v = eval(g, s, w);
        if (v.type != V_KINDS || !v.count) fail(g, d, "a kind, an owner or a flag is wanted, found %s", type_name(&v));
        kd = (int)v.list[0];
    }
    for (int p = 0; p < universe(g, s); p++) {
        piece *q = counts(g, s->st, x, p) ? piece_at(g, s->st, p) : NULL;
        if (!q) continue;
        if (is) q->owner = (int8_t)owner;
        else q->kind = (int16_t)kd;
    }
}

static void do_becomes(plain_game *g, sit *s, const node *a) {
    set x = eval_set(g, s, a->kids[0]);
    const node *d = a->kids[1];
    if (d->kind == NODE_E_ROW)
        for (int i = 0; i < d->count; i++) become(g, s, &x, d->kids[i]);
    else become(g, s, &x, d);
}

static void do_seen(plain_game *g, sit *s, const node *a) {
    set x = eval_set(g, s, a->kids[0]);
    val v = eval(g, s, a->kids[1]);
    uint32_t mask = 0;
    bool is = true;
    if (v.type == V_PLAYERS)
        for (int i = 0; i < v.count; i++) mask |= 1u << v.list[i];
    else {
        int p = eval_player(g, s, a->kids[1], &is);
        if (!is) fail(g, a, "a player is wanted after `seen by`");
        if (p != NOBODY) mask = 1u << p;
    }
    for (int p = 0; p < universe(g, s); p++)
        if (counts(g, s->st, &x, p) && piece_at(g, s->st, p)) piece_at(g, s->st, p)->seen |= mask;
}

/* ---- numbers and other kept values --------------------------------------------------------------------------------------------------------- */
static void die_set(plain_game *g, die *d, const val *v, const node *at) {
    *d = (die){ 0 };
    if (v->type == V_BAG) {
        if (v->count > DICE_MAX) fail(g, at, "too many dice");
        d->sort = 2;
        for (int i = 0; i < v->count; i++) d->v[d->n++] = (int)v->list[i];
    } else {
        d->sort = 1;
        d->n = 1;
        d->v[0] = (int)as_number(g, v, at);
    }
}

static void set_dice(plain_game *g, sit *s, int i, const node *a) {
    die *d = &s->st->dice[i];
    val v = eval(g, s, a->kids[1]);
    if (*a->text == '=') {
        die_set(g, d, &v, a);
        if (g->building) s->st->fixed[i] = *d;                  /* in a test: what the next roll shows */
        return;
    }
    if (*a->text == '+') {
        int n = v.type == V_BAG ? v.count : 1;
        for (int j = 0; j < n; j++) {
            if (d->n == DICE_MAX) fail(g, a, "too many dice");
            d->v[d->n++] = (int)(v.type == V_BAG ? v.list[j] : as_number(g, &v, a));
        }
        d->sort = 2;
        return;
    }
    int64_t x = as_number(g, &v, a);
    for (int j = 0; j < d->n; j++)
        if (d->v[j] == x) {
            memmove(&d->v[j], &d->v[j + 1], (size_t)(d->n - j - 1) * sizeof d->v[0]);
            d->n--;
            return;
        }
    fail(g, a, "no die shows %lld", (long long)x);
}

static int64_t changed(plain_game *g, const sit *s, const keep *k, const char *op, int64_t old, const val *v, const node *at) {
    if (*op == '=') return keep_code(g, s, k, v, at);
    if (k->type != K_NUMBER) fail(g, at, "'%s' is no number", k->word);
    int64_t d = as_number(g, v, at), n = *op == '+' ? old + d : old - d;
    return n < k->low ? k->low : n > k->high ? k->high : n;
}

static const keep *keep_named(plain_game *g, const sit *s, const node *e) {
    val v;
    if (e->kind != NODE_E_NAME || local_find(s, e->text, &v)) return NULL;
    const name *n = name_of(g, e);
    return n && n->sort == N_KEEP ? &g->keeps[n->index] : NULL;
}

static val at_place(plain_game *g, const sit *s, const val *v, int p) {
    (void)s;
    int64_t x;
    if (v->type != V_FIELD) return *v;
    if (!field_get(v->f, p, &x)) x = 0;
    (void)g;
    return v_number(x);
}

static void set_of(plain_game *g, sit *s, const node *a) {
    const node *lhs = a->kids[0];
    const keep *k = keep_named(g, s, lhs->kids[0]);
    if (!k) fail(g, a, "nothing is kept under this name");
    val v = eval(g, s, a->kids[1]);
    if (k->of == OF_PLAYER || k->of == OF_GAME) {
        bool is;
        int who = eval_player(g, s, lhs->kids[1], &is);
        if (!is) fail(g, a, "`%s of` wants a player", k->word);
        if (who == NOBODY) return;
        int at = keep_slot(g, k, who);
        s->st->keep[at] = (int32_t)changed(g, s, k, a->text, s->st->keep[at], &v, a);
        return;
    }
    set where = eval_set(g, s, lhs->kids[1]);
    for (int p = 0; p < universe(g, s); p++) {
        if (!set_has(&where, p) || (p >= g->cell_count && !where.zoned)) continue;
        val x = at_place(g, s, &v, p);
        piece *q = k->of == OF_PIECE ? piece_at(g, s->st, p) : NULL;
        if (k->of == OF_CELL && p < g->places) s->st->keep[k->at + p] = (int32_t)changed(g, s, k, a->text, s->st->keep[k->at + p], &x, a);
        else if (q) q->keeps[k->at] = (int32_t)changed(g, s, k, a->text, q->keeps[k->at], &x, a);
    }
}

static void set_local(plain_game *g, sit *s, const node *a, const val *old) {
    val v = eval(g, s, a->kids[1]);
    if (*a->text != '=') {
        int64_t n = as_number(g, old, a), d = as_number(g, &v, a);
        v = v_number(*a->text == '+' ? n + d : n - d);
    }
    local *l = heap_take(&g->fast, sizeof *l);
    *l = (local){ a->kids[0]->text, v, s->locals };
    s->locals = l;
}

static void set_here(plain_game *g, sit *s, const node *a) {
    set x = eval_set(g, s, a->kids[1]);
    s->here = NONE;
    for (int p = 0; p < universe(g, s) && s->here == NONE; p++)
        if (set_has(&x, p) && (p < g->cell_count || x.zoned)) s->here = p;
    s->start = s->here == NONE || s->here < g->places ? s->here : g->cell_count + place_zone(g, s->st, s->here);
    s->passed = (set){ 0 };
}

static void do_set(plain_game *g, sit *s, const node *a) {
    const node *lhs = a->kids[0];
    val v;
    if (lhs->kind == NODE_E_OF) {
        set_of(g, s, a);
        return;
    }
    if (lhs->kind != NODE_E_NAME) fail(g, a, "this cannot be changed");
    if (local_find(s, lhs->text, &v)) {
        set_local(g, s, a, &v);
        return;
    }
    const name *n = name_of(g, lhs);
    if (!n) fail(g, a, "nothing is named '%s'", lhs->text);
    if (n->sort == N_DICE) set_dice(g, s, n->index, a);
    else if (n->sort == N_STANDARD && n->index == S_here) set_here(g, s, a);
    else if (n->sort == N_STANDARD && n->index == S_next) {
        bool is;
        int p = eval_player(g, s, a->kids[1], &is);
        if (!is || p == NOBODY) fail(g, a, "`next` wants a player");
        s->st->next = p;
    } else if (n->sort == N_STANDARD && n->index == S_turns) {          /* in a test */
        s->st->turns = (int)eval_number(g, s, a->kids[1]);
    } else if (n->sort == N_KEEP && (g->keeps[n->index].of == OF_GAME || g->keeps[n->index].of == OF_PLAYER)) {
        const keep *k = &g->keeps[n->index];
        int at = keep_slot(g, k, s->me);
        val x = eval(g, s, a->kids[1]);
        s->st->keep[at] = (int32_t)changed(g, s, k, a->text, s->st->keep[at], &x, a);
    } else fail(g, a, "'%s' cannot be changed so", lhs->text);
}

/* ---- diagrams -------------------------------------------------------------------------------------------------------------------------------- */
static bool letter_is(const char *letter, const char *at, size_t n, bool lower) {
    char t[16];
    if (n >= sizeof t || strlen(letter) != n) return false;
    memcpy(t, at, n);
    t[n] = 0;
    if (!strcmp(t, letter)) return !lower || n > 1;
    if (n == 1 && lower && *letter >= 'A' && *letter <= 'Z') return *t == *letter + 32;
    if (n == 1 && !lower && *letter >= 'a' && *letter <= 'z') return *t == *letter - 32;
    return false;
}

static void do_rank(plain_game *g, sit *s, const node *a) {
    int y = g->height - s->st->rank++, x = 1;
    for (const char *c = a->text; *c; x++) {
        size_t n = 1;
        while ((c[n] & 0xC0) == 0x80) n++;
        if (*c != '.' && *c != ' ') {
            int kd = NO_KIND, owner = 0;
            for (int i = 0; i < g->kind_count && kd == NO_KIND; i++)
                for (int low = 0; low < 2 && kd == NO_KIND; low++)
                    if (letter_is(g->kinds[i].letter, c, n, low)) kd = i, owner = low;
            int at = cell_at(g, x, y);
            if (kd == NO_KIND) fail(g, a, "no kind has the letter '%.*s'", (int)n, c);
            if (at == NONE) fail(g, a, "there is no cell at column %d of this rank", x);
            put_on(g, s->st, at, piece_new(g, owner, kd));
        }
        c += n;
    }
}

void effect(plain_game *g, sit *s, const node *a) {
    s->st = state_copy(g, s->st);
    switch (a->kind) {
    case NODE_A_TAKE: do_take(g, s, a); break;
    case NODE_A_PLACE: do_place(g, s, a); break;
    case NODE_A_SEND: do_send(g, s, a); break;
    case NODE_A_BECOMES: do_becomes(g, s, a); break;
    case NODE_A_SEEN: do_seen(g, s, a); break;
    case NODE_A_SET: do_set(g, s, a); break;
    default: do_rank(g, s, a); break;
    }
}
