/* Actions: every run of a node, each followed by what comes after it.
 *
 * `act` tries a node and goes on with the frames; a choice is a loop. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

const frame *push(plain_game *g, frame_kind sort, const node *a, int i, const frame *next) {
    frame *f = heap_take(&g->fast, sizeof *f);
    *f = (frame){ .kind = sort, .a = a, .i = i, .next = next };
    return f;
}

static frame *push_open(plain_game *g, frame_kind sort, const node *a, int i, const frame *next) { return (frame *)(uintptr_t)push(g, sort, a, i, next); }

void log_token(plain_game *g, sit *s, token_sort sort, const char *word, const char *letter) {
    token *t = heap_take(&g->fast, sizeof *t);
    *t = (token){ .sort = sort, .text = word, .letter = letter, .before = s->log };
    s->log = t;
}

void name_bind(plain_game *g, sit *s, const char *word, val v) {
    local *l = heap_take(&g->fast, sizeof *l);
    *l = (local){ word, v, s->locals };
    s->locals = l;
}

/* A landing is settled: what it displaced is taken. */
void settle(plain_game *g, sit *s) {
    if (!s->st->under_count) return;
    s->st = state_copy(g, s->st);
    for (int i = 0; i < s->st->under_count; i++) take_piece(g, s->st, s->st->under[i]);
    s->st->under_count = 0;
    s->st->under_at = NONE;
    log_token(g, s, T_LANDED_ON, NULL, NULL);
}

/* ---- loops -------------------------------------------------------------------------------------------------------------------------- */
static bool seen_before(const seen *list, const char *key) {
    for (; list; list = list->next)
        if (!strcmp(list->key, key)) return true;
    return false;
}

static const seen *see(plain_game *g, const seen *list, const char *key) {
    seen *x = heap_take(&g->fast, sizeof *x);
    *x = (seen){ key, list };
    return x;
}

/* A repetition is tried along every path, and there may be millions. When a loop has had many rounds, situations that any of its runs
 * came to are not gone through again: what follows is the same, and so are the moves; only ways to write them are lost. */
enum { CROWD_KNOWN = 500, CROWD = 4000, CROWD_TABLE = 8192 };
typedef struct known_place known_place;
struct known_place { const char *key; known_place *next; };
struct crowd { int rounds; known_place **table; };

static bool crowded(plain_game *g, struct crowd *c, const char *key) {
    if (c->rounds < CROWD_KNOWN) return false;
    if (!c->table) c->table = heap_take(&g->fast, CROWD_TABLE * sizeof *c->table);
    known_place **at = &c->table[hash_text(key) % CROWD_TABLE];
    for (known_place *p = *at; p; p = p->next)
        if (!strcmp(p->key, key)) return c->rounds > CROWD;
    known_place *p = heap_take(&g->fast, sizeof *p);
    *p = (known_place){ key, *at };
    *at = p;
    return false;
}

static bool asks_stuck(plain_game *g, const node *n, int deep) {
    if (!n || deep > 40) return false;
    if (n->kind == NODE_E_NAME) {
        const name *w = name_of(g, n);
        if (w && w->sort == N_STANDARD) return w->index == S_stuck;
        if (w && w->sort == N_LET && g->lets[w->index].any) return asks_stuck(g, g->lets[w->index].any, deep + 1);
        return false;
    }
    for (int i = 0; i < n->count; i++)
        if (asks_stuck(g, n->kids[i], deep + 1)) return true;
    return false;
}

static bool holds_now(plain_game *g, const sit *s, const node *until, bool stuck) {
    sit t = *s;
    t.stuck = stuck;
    return truth(g, &t, until);
}

static void round_begin(plain_game *g, sit s, const node *a, const seen *list, struct crowd *crowd, const frame *k) {
    frame *f = push_open(g, F_LOOP, a, 0, k);
    if (!crowd) crowd = heap_take(&g->fast, sizeof *crowd);
    f->crowd = crowd;
    crowd->rounds++;
    f->seen = see(g, list, situation_key(g, &s));
    act(g, s, a->kids[0], f);
}

static void loop_stop(plain_game *g, sit s, const frame *k) {
    log_token(g, &s, T_STOP, NULL, NULL);
    go(g, s, k);
}

/* After a round of the loop. */
static void round_end(plain_game *g, sit s, const frame *f) {
    const node *a = f->a, *until = a->count > 1 ? a->kids[1] : NULL;
    const char *key = situation_key(g, &s);
    if (seen_before(f->seen, key) || (f->crowd && crowded(g, f->crowd, key))) return;
    if (!until) {
        loop_stop(g, s, f->next);
        if (!g->halt) round_begin(g, s, a, f->seen, f->crowd, f->next);
        return;
    }
    bool stuck = asks_stuck(g, until, 0) && !has_run(g, &s, a->kids[0]);
    if (holds_now(g, &s, until, stuck)) go(g, s, f->next);
    else if (!stuck) round_begin(g, s, a, f->seen, f->crowd, f->next);
}

static void act_loop(plain_game *g, sit s, const node *a, const frame *k) {
    const node *until = a->count > 1 ? a->kids[1] : NULL;
    if (*a->text == '?') {
        act(g, s, a->kids[0], k);
        if (!g->halt) loop_stop(g, s, k);
        return;
    }
    if (until && pure_chance(g, a->kids[0])) {
        if (*a->text == '*' && holds_now(g, &s, until, false)) go(g, s, k);
        else go(g, s, push(g, F_CHANCE, a, 0, k));
        return;
    }
    if (*a->text == '*') {
        if (!until) loop_stop(g, s, k);
        else {
            bool stuck = asks_stuck(g, until, 0) && !has_run(g, &s, a->kids[0]);
            if (holds_now(g, &s, until, stuck)) {
                go(g, s, k);
                return;
            }
        }
    }
    if (!g->halt) round_begin(g, s, a, NULL, NULL, k);
}

/* ---- each, by, pick ------------------------------------------------------------------------------------------------------------------- */
const char *show(plain_game *g, const sit *s, const val *v) {
    text t = { 0 };
    switch (v->type) {
    case V_SET:
        for (int p = 0; p < universe(g, s); p++) {
            if (!set_has(&v->s, p)) continue;
            const piece *x = p >= g->places ? piece_at(g, s->st, p) : NULL;
            if (t.n) add(&t, " ");
            if (x) piece_text(g, x, false, &t);
            else add(&t, place_name(g, s->st, p));
        }
        break;
    case V_REL: add(&t, v->r->n ? v->r->steps[0]->name : "-"); break;
    case V_PLAYER: add(&t, v->n == NOBODY ? "nobody" : g->players[v->n]); break;
    case V_KINDS: add(&t, v->count ? g->kinds[v->list[0]].word : "-"); break;
    case V_BAG:
        for (int i = 0; i < v->count; i++) addf(&t, i ? " %lld" : "%lld", (long long)v->list[i]);
        break;
    default: addf(&t, "%lld", (long long)v->n); break;
    }
    char *kept = heap_take(&g->fast, t.n + 1);
    if (t.s) strcpy(kept, t.s);
    free(t.s);
    return kept;
}

static val one_step(plain_game *g, const rel *r, int i) {
    rel *x = (rel *)(uintptr_t)rel_new(g, 1);
    x->steps[x->n++] = r->steps[i];
    x->times = r->times;
    x->facing = r->facing;
    return (val){ .type = V_REL, .r = x };
}

static val *room(plain_game *g, int64_t n, const node *at) {
    if (n < 0) n = 0;
    if (n > 100000) fail(g, at, "there is too much to choose from");
    return heap_take(&g->fast, (size_t)(n + 1) * sizeof(val));
}

static int members(plain_game *g, const sit *s, const val *v, val **out, const node *at) {
    int n = 0;
    if (v->type == V_REL) {
        *out = room(g, v->r->n, at);
        for (int i = 0; i < v->r->n; i++) (*out)[n++] = one_step(g, v->r, i);
        return n;
    }
    if (v->type == V_RANGE) {
        *out = room(g, v->high - v->n + 1, at);
        for (int64_t i = v->n; i <= v->high; i++) (*out)[n++] = v_number(i);
        return n;
    }
    if (v->type == V_BAG || v->type == V_PLAYERS || v->type == V_KINDS) {
        *out = room(g, v->count, at);
        for (int i = 0; i < v->count; i++) {
            bool old = false;                               /* equal dice are one choice */
            for (int j = 0; v->type == V_BAG && j < i; j++) old |= v->list[j] == v->list[i];
            if (old) continue;
            int64_t *one = heap_take(&g->fast, sizeof *one);
            *one = v->list[i];
            (*out)[n++] = v->type == V_BAG ? v_number(*one) : v->type == V_PLAYERS ? v_player((int)*one) : (val){ .type = V_KINDS, .count = 1, .list = one, .single = true };
        }
        return n;
    }
    if (v->type == V_PLAYER) {
        *out = room(g, 1, at);
        (*out)[n++] = *v;
        return v->n == NOBODY ? 0 : n;
    }
    if (v->type == V_NUMBER && cell_find(g, "1") == NONE) {
        *out = room(g, 1, at);
        (*out)[n++] = *v;
        return n;
    }
    set x = as_set(g, s, v, at);
    *out = room(g, set_count(g, s, &x), at);
    for (int p = 0; p < universe(g, s); p++)
        if (counts(g, s->st, &x, p)) (*out)[n++] = v_set(set_one(g, s, p));
    return n;
}

static int only_place(const plain_game *g, const val *v) {
    (void)g;
    for (int p = 0; v->type == V_SET && p < v->s.words * 64; p++)
        if (set_has(&v->s, p)) return p;
    return NONE;
}

static bool equal_pieces(plain_game *g, const sit *s, int a, int b) {
    if (a < g->places || b < g->places || place_zone(g, s->st, a) != place_zone(g, s->st, b)) return false;
    const piece *p = piece_at(g, s->st, a), *q = piece_at(g, s->st, b);
    return p && q && p->kind == q->kind && p->owner == q->owner && !memcmp(p->keeps, q->keeps, sizeof p->keeps);
}

/* What may be picked; equal pieces in a zone are one. */
int options_of(plain_game *g, const sit *s, const val *v, val **out, const node *at) {
    int n = members(g, s, v, out, at), m = 0;
    for (int i = 0; i < n; i++) {
        bool old = false;
        for (int j = 0; j < m; j++) old |= equal_pieces(g, s, only_place(g, &(*out)[i]), only_place(g, &(*out)[j]));
        if (!old) (*out)[m++] = (*out)[i];
    }
    return m;
}

static void begin_walk(plain_game *g, sit *s, int place) {
    s->here = place;
    s->start = place < g->places ? place : g->cell_count + place_zone(g, s->st, place);
    s->passed = (set){ 0 };
}

static void picked(plain_game *g, sit s, const node *a, const val *v, const frame *k) {
    if (!strcmp(a->text, "here")) {
        int p = only_place(g, v);
        if (p == NONE) fail(g, a, "`pick here` wants a place");
        begin_walk(g, &s, p);
        if (!(a->flags & FLAG_RANDOM)) log_token(g, &s, T_FROM, place_name(g, s.st, p), NULL);
    } else {
        name_bind(g, &s, a->text, *v);
        token_sort sort = v->type == V_REL ? T_DIRECTION : v->type == V_KINDS ? T_KIND : T_PICK;
        const char *letter = v->type == V_KINDS && v->count ? g->kinds[v->list[0]].letter : NULL;
        if (!(a->flags & FLAG_RANDOM)) log_token(g, &s, sort, show(g, &s, v), letter);
    }
    go(g, s, k);
}

static void act_pick(plain_game *g, sit s, const node *a, const frame *k) {
    val v = eval(g, &s, a->kids[0]), *list;
    if (!strcmp(a->text, "here") && v.type == V_KINDS) v = v_set(as_set(g, &s, &v, a->kids[0]));
    if (a->flags & FLAG_RANDOM) {
        int n = members(g, &s, &v, &list, a);
        if (!n) return;
        frame *f = push_open(g, F_CHANCE, a, 0, k);
        f->count = n, f->list = list;
        go(g, s, f);
        return;
    }
    int n = options_of(g, &s, &v, &list, a);
    for (int i = 0; i < n && !g->halt; i++) picked(g, s, a, &list[i], k);
}

static const frame *each_frame(plain_game *g, const node *a, int count, const val *list, int i, const local *locals, const frame *k) {
    frame *f = push_open(g, F_EACH, a, i, k);
    f->count = count, f->list = list, f->locals = locals;
    return f;
}

static const local *without(plain_game *g, const local *l, const char *word) {
    if (!l) return NULL;
    if (l->name == word) return l->next;
    const local *rest = without(g, l->next, word);
    if (rest == l->next) return l;
    local *x = heap_take(&g->fast, sizeof *x);
    *x = (local){ l->name, l->v, rest };
    return x;
}

static void each_go(plain_game *g, sit s, const frame *f) {
    const node *a = f->a;
    if (f->i) s.locals = without(g, s.locals, a->text);
    if (f->i == f->count) {
        go(g, s, f->next);
        return;
    }
    if ((a->flags & FLAG_RANDOM) && f->count - f->i > 1) {
        frame *c = push_open(g, F_CHANCE, a, f->i, f->next);
        c->count = f->count, c->list = f->list;
        go(g, s, c);
        return;
    }
    name_bind(g, &s, a->text, f->list[f->i]);
    act(g, s, a->kids[1], each_frame(g, a, f->count, f->list, f->i + 1, NULL, f->next));
}

static void act_each(plain_game *g, sit s, const node *a, const frame *k) {
    val v = eval(g, &s, a->kids[0]), *list;
    int n = v.type == V_BAG ? v.count : members(g, &s, &v, &list, a);
    if (v.type == V_BAG) {                                  /* here every one of equal numbers has its round */
        list = room(g, n, a);
        for (int i = 0; i < n; i++) list[i] = v_number(v.list[i]);
    }
    each_go(g, s, each_frame(g, a, n, list, 0, NULL, k));
}

/* Could a player have a choice in there? Branches that options close are left out. */
static bool option_says(plain_game *g, const node *c, bool *says) {
    if (c->kind == NODE_E_NAME || c->kind == NODE_E_COMPARE || c->kind == NODE_E_NOT) {
        const node *x = c->kind == NODE_E_NAME ? c : c->kids[0];
        if (c->kind == NODE_E_NOT) {
            bool inner;
            if (!option_says(g, x, &inner)) return false;
            *says = !inner;
            return true;
        }
        const name *n = x->kind == NODE_E_NAME ? name_of(g, x) : NULL;
        if (!n || n->sort != N_OPTION) return false;
        if (c->kind == NODE_E_NAME && g->options[n->index].v.type != V_TRUTH) return false;
        if (c->kind == NODE_E_COMPARE && c->kids[1]->kind != NODE_E_NUMBER && c->kids[1]->kind != NODE_E_NAME) return false;
        sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
        *says = truth(g, &s, c);
        return true;
    }
    return false;
}

static bool chooses(plain_game *g, const node *n, int deep) {
    if (!n || deep > 20) return false;
    bool says;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: case NODE_A_DROP: case NODE_A_CHOICE: case NODE_A_COMMIT: case NODE_A_PASS: return true;
    case NODE_A_LOOP: if (n->count < 2 || !n->kids[1]) return true; break;
    case NODE_A_PICK: return !(n->flags & FLAG_RANDOM);
    case NODE_A_IF:
        if (!option_says(g, n->kids[0], &says)) break;
        return says ? chooses(g, n->kids[1], deep) : n->count > 2 && chooses(g, n->kids[2], deep);
    case NODE_A_DO:
        for (int i = 0; i < g->rule_count; i++)
            if (!strcmp(g->rules[i].word, n->kids[0]->text ? n->kids[0]->text : "") && (g->rules[i].kind != NO_KIND || chooses(g, g->rules[i].body, deep + 1))) return true;
        return false;
    default: break;
    }
    for (int i = 0; i < n->count; i++)
        if (chooses(g, n->kids[i], deep)) return true;
    return false;
}

/* At a border of `by` what has been chosen is committed; p goes on at k. */
static void border(plain_game *g, sit s, int p, const frame *k) {
    s.me = p;
    settle(g, &s);
    if (g->exists) go(g, s, k);
    else collect(g, O_BY, s, k);
}

static void by_go(plain_game *g, sit s, const frame *f) {
    bool asks = f->in_piece;                                /* (the flag of the frame: somebody has a choice) */
    if (f->i == f->count) {
        s.me = (int)f->list[f->count].n;
        if (asks) border(g, s, s.me, f->next);
        else go(g, s, f->next);
        return;
    }
    frame *next = push_open(g, F_BY, f->a, f->i + 1, f->next);
    next->count = f->count, next->list = f->list, next->in_piece = asks;
    int p = (int)f->list[f->i].n;
    const frame *k = push(g, F_DO, f->a->kids[1], 0, next);
    if (asks) border(g, s, p, k);
    else {
        s.me = p;
        go(g, s, k);
    }
}

static void act_by(plain_game *g, sit s, const node *a, const frame *k) {
    val v = eval(g, &s, a->kids[0]), *list;
    bool is = true;
    int n;
    if (v.type != V_PLAYERS) {
        int p = eval_player(g, &s, a->kids[0], &is);
        if (!is) fail(g, a, "`by` wants a player, found %s", type_name(&v));
        if (p == NOBODY) {
            go(g, s, k);
            return;
        }
        list = room(g, 2, a);
        list[0] = v_player(p);
        n = 1;
    } else {
        list = room(g, v.count + 1, a);
        for (n = 0; n < v.count; n++) list[n] = v_player((int)v.list[n]);
    }
    list[n] = v_player(s.me);
    frame *f = push_open(g, F_BY, a, 0, k);
    f->count = n, f->list = list;
    f->in_piece = !(n == 1 && list[0].n == s.me) && chooses(g, a->kids[1], 0);
    by_go(g, s, f);
}

/* ---- rules ------------------------------------------------------------------------------------------------------------------------------- */
void run_body(plain_game *g, sit s, const rule *r, const frame *k, bool in_piece, bool walk) {
    frame *f = push_open(g, F_RULE_END, r->body, 0, k);
    f->locals = s.locals;
    f->in_piece = s.in_piece;
    f->walk = walk;
    s.locals = NULL;
    s.in_piece = in_piece;
    act(g, s, r->body, f);
}

static void with_arguments(plain_game *g, sit s, const node *at, const rule *r, int argc, const val *args, const frame *k, bool in_piece, bool walk) {
    int params = r->params ? r->params->count : 0;
    if (params != argc) fail(g, at, "rule '%s' wants %d arguments", r->word, params);
    frame *f = push_open(g, F_RULE_END, r->body, 0, k);
    f->locals = s.locals;
    f->in_piece = s.in_piece;
    f->walk = walk;
    s.locals = NULL;
    s.in_piece = in_piece;
    for (int i = 0; i < argc; i++) name_bind(g, &s, r->params->kids[i]->text, args[i]);
    act(g, s, r->body, f);
}

static bool kind_has(const plain_game *g, const char *word, int kd) {
    for (int i = 0; i < g->rule_count; i++)
        if (g->rules[i].kind == kd && !strcmp(g->rules[i].word, word)) return true;
    return false;
}

/* Inside a piece's rule: the same piece goes on, with the rule its kind has now. */
static void go_on(plain_game *g, sit s, const node *at, const char *word, int argc, const val *args, const frame *k) {
    const piece *x = piece_at(g, s.st, s.here);
    bool has = x && x->kind != NO_KIND && kind_has(g, word, x->kind);
    for (int i = 0; i < g->rule_count && !g->halt; i++) {
        const rule *r = &g->rules[i];
        if (strcmp(r->word, word)) continue;
        if (has ? r->kind == x->kind : r->kind == NO_KIND) with_arguments(g, s, at, r, argc, args, k, has, false);
    }
}

static void walk_from(plain_game *g, sit s, const node *at, const rule *r, int argc, const val *args, int c, const frame *k) {
    begin_walk(g, &s, c);
    log_token(g, &s, T_FROM, place_name(g, s.st, c), NULL);
    with_arguments(g, s, at, r, argc, args, k, true, true);
}

/* From a turn, a set-up or a rule outside `piece`: a fresh walk with any own piece that has the rule. */
static void fresh(plain_game *g, sit s, const node *at, const char *word, int argc, const val *args, const frame *k) {
    for (int i = 0; i < g->rule_count; i++) {
        const rule *r = &g->rules[i];
        if (strcmp(r->word, word)) continue;
        if (r->kind == NO_KIND || r->picks) with_arguments(g, s, at, r, argc, args, k, r->kind != NO_KIND, true);
        else
            for (int c = 0; c < g->cell_count && !g->halt; c++) {
                const piece *x = piece_at(g, s.st, c);
                if (x && x->owner == s.me && x->kind == r->kind) walk_from(g, s, at, r, argc, args, c, k);
            }
        if (g->halt) return;
    }
}

void call_rule(plain_game *g, sit s, const node *at, const char *word, int argc, const val *args, const frame *k) {
    bool known = false;
    for (int i = 0; i < g->rule_count; i++) known |= !strcmp(g->rules[i].word, word);
    if (!known) fail(g, at, "no rule named '%s'", word);
    log_token(g, &s, T_RULE, word, NULL);
    if (s.in_piece) go_on(g, s, at, word, argc, args, k);
    else fresh(g, s, at, word, argc, args, k);
}

static void act_do(plain_game *g, sit s, const node *a, const frame *k) {
    const node *e = a->kids[0];
    val args[16];
    int n = 0;
    if (e->kind != NODE_E_NAME && e->kind != NODE_E_CALL) fail(g, a, "this is no action");
    if (e->kind == NODE_E_CALL)
        for (; n < e->count && n < 16; n++) args[n] = eval(g, &s, e->kids[n]);
    call_rule(g, s, a, e->text, n, args, k);
}

static void rule_end(plain_game *g, sit s, const frame *f) {
    settle(g, &s);
    if (f->walk) log_token(g, &s, T_END, NULL, NULL);
    s.locals = f->locals;
    s.in_piece = f->in_piece;
    go(g, s, f->next);
}

/* ---- chance -------------------------------------------------------------------------------------------------------------------------------- */
static void act_roll(plain_game *g, sit s, const node *a, const frame *k) { go(g, s, push(g, F_CHANCE, a, 0, k)); }

/* ---- results --------------------------------------------------------------------------------------------------------------------------------- */
static void act_result(plain_game *g, sit s, const node *a, const frame *k) {
    if (a->count > 1 && a->kids[1] && !truth(g, &s, a->kids[1])) {
        go(g, s, k);
        return;
    }
    bool is = true;
    int who = a->count && a->kids[0] ? eval_player(g, &s, a->kids[0], &is) : s.me;
    if (!is || who == NOBODY) fail(g, a, "a player is wanted here");
    settle(g, &s);
    s.st = state_copy(g, s.st);
    finish(g, s.st, &s, a->text, who);
    if (!s.st->over && who != s.st->mover) {                /* another player is out; the turn goes on */
        go(g, s, k);
        return;
    }
    const frame *f = k;
    while (f && f->kind != F_TURN_END && f->kind != F_SETUP_END && f->kind != F_TEST_END && f->kind != F_STOP) f = f->next;
    if (g->exists && f && f->i == 2) go(g, s, f);           /* `attacked` looks at what was taken */
    else if (g->exists) g->halt = true;
    else at_once(g, s);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------------------- */
static void act_when(plain_game *g, sit s, const node *a, const frame *k) {
    bool stop = a->kind == NODE_A_ILLEGAL;
    if (stop && !a->count) return;
    if (a->count && a->kids[0] && truth(g, &s, a->kids[0]) == stop) return;
    if (stop && (!a->count || !a->kids[0])) return;
    go(g, s, k);
}

static void act_prefer(plain_game *g, sit s, const node *a, const frame *k) {
    val v = eval(g, &s, a->kids[0]);
    prefs *p = heap_take(&g->fast, sizeof *p);
    if (v.type != V_TRUTH && v.type != V_NUMBER && v.type != V_BAG) fail(g, a, "a number is wanted after `prefer`, found %s", type_name(&v));
    *p = (prefs){ v.type == V_TRUTH ? v.n : as_number(g, &v, a), s.prefs };
    s.prefs = p;
    go(g, s, k);
}

/* The places of a set, each behind the one that leads to it along r. */
static void write_cells(plain_game *g, const sit *s, const set *all, const rel *r, text *t) {
    const set none = set_new(g, g->places);
    set left = set_or(g, all, &none);           /* a copy */
    for (bool some = false;; some = true) {
        int x = NONE;
        set led = r ? image(g, s, r, &left) : set_new(g, g->places);
        for (int p = 0; p < g->places; p++)
            if (set_has(&left, p) && (x == NONE || (set_has(&led, x) && !set_has(&led, p)))) x = p;
        if (x == NONE) return;
        addf(t, "%s%s", some ? "-" : "", place_name(g, s->st, x));
        set_drop(&left, x);
    }
}

static void act_written(plain_game *g, sit s, const node *a, const frame *k) {
    text t = { 0 };
    settle(g, &s);
    for (int i = 0; i < a->count; i++) {
        const node *e = a->kids[i];
        const bool along = e->kind == NODE_ALONG;
        if (e->kind == NODE_E_TEXT) {
            add(&t, e->text);
            continue;
        }
        val v = eval(g, &s, along ? e->kids[0] : e);
        if (v.type == V_NUMBER) addf(&t, "%lld", (long long)v.n);
        else {
            const set cells = as_set(g, &s, &v, e);
            write_cells(g, &s, &cells, along ? eval_rel(g, &s, e->kids[1]) : NULL, &t);
        }
    }
    char *all = steal(&t), *kept = heap_take(&g->fast, strlen(all) + 1);
    log_token(g, &s, T_WRITTEN, strcpy(kept, all), NULL);
    free(all);
    go(g, s, k);
}

void act(plain_game *g, sit s, const node *a, const frame *k) {
    if (g->halt || !a) return;
    stay_shallow(g, a);
    if (g->budget && !--g->budget) fail(g, a, "this takes too long");
    switch (a->kind) {
    case NODE_A_SEQUENCE:
        if (owns_prefer(g, a) && !s.probing) act_block(g, s, a, k);
        else go(g, s, push(g, F_REST, a, 0, k));
        break;
    case NODE_A_NOTHING: go(g, s, k); break;
    case NODE_A_CHOICE:
        for (int i = 0; i < a->count && !g->halt; i++) act(g, s, a->kids[i], k);
        break;
    case NODE_A_ELSE: act_else(g, s, a, k); break;
    case NODE_A_IF:
        if (truth(g, &s, a->kids[0])) {
            if (a->kids[1]->kind == NODE_A_SEQUENCE) go(g, s, push(g, F_REST, a->kids[1], 0, k));
            else act(g, s, a->kids[1], k);
        } else if (a->count > 2 && a->kids[2]) act(g, s, a->kids[2], k);
        else go(g, s, k);
        break;
    case NODE_A_LOOP: act_loop(g, s, a, k); break;
    case NODE_A_EACH: act_each(g, s, a, k); break;
    case NODE_A_BY: act_by(g, s, a, k); break;
    case NODE_A_PICK: act_pick(g, s, a, k); break;
    case NODE_A_ROLL: act_roll(g, s, a, k); break;
    case NODE_A_AGAIN: s.again = true; go(g, s, k); break;
    case NODE_A_PASS:
        s.did_pass = true;
        log_token(g, &s, T_PASS, "pass", NULL);
        go(g, s, k);
        break;
    case NODE_A_COMMIT:
        settle(g, &s);
        if (g->exists) go(g, s, k);
        else collect(g, O_COMMIT, s, k);
        break;
    case NODE_A_WHEN: case NODE_A_ILLEGAL: act_when(g, s, a, k); break;
    case NODE_A_PREFER: act_prefer(g, s, a, k); break;
    case NODE_A_RESULT: act_result(g, s, a, k); break;
    case NODE_A_STEP: case NODE_A_SLIDE: leg(g, s, a, k); break;
    case NODE_A_DROP: drop(g, s, a, k); break;
    case NODE_A_DO: act_do(g, s, a, k); break;
    case NODE_A_WRITTEN: act_written(g, s, a, k); break;
    case NODE_A_LET:
        name_bind(g, &s, a->text, eval(g, &s, a->kids[0]));
        go(g, s, k);
        break;
    default:
        if (!is_effect(a->kind)) fail(g, a, "this is no action");
        settle(g, &s);
        effect(g, &s, a);
        go(g, s, k);
    }
}

/* What is still to be done, from the first frame on. */
void go(plain_game *g, sit s, const frame *f) {
    if (g->halt || !f) return;
    switch (f->kind) {
    case F_DO: act(g, s, f->a, f->next); break;
    case F_REST:
        if (f->i >= f->a->count) go(g, s, f->next);
        else if (f->i + 1 >= f->a->count) act(g, s, f->a->kids[f->i], f->next);
        else act(g, s, f->a->kids[f->i], push(g, F_REST, f->a, f->i + 1, f->next));
        break;
    case F_RULE_END: rule_end(g, s, f); break;
    case F_BLOCK_END: block_end(g, &s, f); break;
    case F_LOOP: round_end(g, s, f); break;
    case F_EACH: each_go(g, s, f); break;
    case F_BY: by_go(g, s, f); break;
    case F_CHANCE:
        settle(g, &s);
        if (!g->exists) collect(g, O_CHANCE, s, f);
        else
            for (leaf *l = chances(g, &s, f); l && !g->halt; l = l->next) go(g, l->s, l->k);
        break;
    case F_TURN_END: settle(g, &s); turn_done(g, s); break;
    case F_SETUP_END: settle(g, &s); collect(g, O_SETUP, s, NULL); break;
    case F_TEST_END: settle(g, &s); collect(g, O_TEST, s, NULL); break;
    case F_STOP: {
        settle(g, &s);
        bool hit = f->i == 0;
        if (f->i == 1) hit = !filtered(g, &s);                  /* `can` */
        if (f->i == 2)                                          /* `attacked` */
            for (int i = 0; i < s.st->slot_count; i++) hit |= !s.st->slots[i].gone && s.st->slots[i].zone == g->instance_count && s.st->slots[i].p.probe;
        if (hit) g->halt = true;
        break;
    }
    }
}
