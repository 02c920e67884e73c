/* Games, positions, and what can happen in them. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- errors -------------------------------------------------------------------------------------------------------------------------- */
/* What is between GUARD and its end may fail; then the statement after `else` runs. */
#define GUARDED(g) jmp_buf here_, *outer_ = (g)->out; (g)->out = &here_; begin_guard(g); if (!setjmp(here_))
#define DONE(g) (g)->out = outer_

void begin_guard(plain_game *g) {
    if (g->error) free(g->error);
    g->error = NULL;
    g->stack = __builtin_frame_address(0);
    g->exists = g->halt = false;
    g->blocks = NULL;
    g->budget = 400000000;
    g->building = false;
}

const char *plain_error(const plain_game *g) { return g->error; }

static char *copy(const char *s) {
    char *p = malloc(strlen(s) + 1);
    if (!p) abort();
    return strcpy(p, s);
}

/* ---- games ----------------------------------------------------------------------------------------------------------------------------- */
static bool loaded(plain_game *g, const plain_setting *settings, size_t count, int players) {
    volatile bool ok = false;
    GUARDED(g) {
        game_load(g, settings, count, players);
        ok = true;
    }
    DONE(g);
    return ok;
}

plain_game *plain_open(const tree *t, const plain_setting *settings, size_t count, int players, char **why) {
    plain_game *const g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->tree = t;
    if (why) *why = NULL;
    if (loaded(g, settings, count, players)) return g;
    if (why) *why = copy(g->error ? g->error : "?");
    plain_close(g);
    return NULL;
}

void plain_close(plain_game *g) {
    if (!g) return;
    heap_drop(&g->fast);
    heap_drop(&g->slow);
    free(g->error);
    free(g);
}

int plain_players(const plain_game *g) { return g->player_count; }
const char *plain_player(const plain_game *g, int p) { return g->players[p]; }

/* ---- the past ---------------------------------------------------------------------------------------------------------------------------- */
static const past *past_hold(const past *p) {
    if (p) ((past *)(uintptr_t)p)->refs++;
    return p;
}

static void past_free(const past *q) {
    past *p = (past *)(uintptr_t)q;
    while (p && --p->refs == 0) {
        past *before = (past *)(uintptr_t)p->before;
        free(p->st);
        free(p->key);
        free(p);
        p = before;
    }
}

static const past *past_new(const plain_game *g, const state *st, const past *before, int made_by) {
    past *p = calloc(1, sizeof *p);
    if (!p) abort();
    text t = { 0 };
    identity(g, st, st->mover, &t);
    *p = (past){ .refs = 1, .before = past_hold(before), .st = state_keep(st), .hash = hash_text(t.s), .made_by = made_by };
    p->key = steal(&t);
    return p;
}

/* ---- copies that last ---------------------------------------------------------------------------------------------------------------------- */
static const char *word_keep(heap *h, const char *s) {
    if (!s) return NULL;
    char *p = heap_take(h, strlen(s) + 1);
    return strcpy(p, s);
}

static set set_keep(heap *h, const set *s) {
    set r = *s;
    if (s->w) {
        r.w = heap_take(h, (size_t)s->words * 8 + 8);
        memcpy(r.w, s->w, (size_t)s->words * 8);
    }
    return r;
}

static val val_keep(heap *h, const val *v) {
    val r = *v;
    r.s = set_keep(h, &v->s);
    if (v->type != V_SET) r.s.w = NULL;
    if (v->type == V_REL) {
        rel *x = heap_take(h, sizeof *x);
        *x = *v->r;
        x->steps = heap_take(h, (size_t)(v->r->n + 1) * sizeof *x->steps);
        if (v->r->n) memcpy(x->steps, v->r->steps, (size_t)v->r->n * sizeof *x->steps);
        r.r = x;
    }
    if (v->type == V_FIELD) {
        field *f = heap_take(h, sizeof *f);
        f->places = v->f->places;
        f->v = heap_take(h, (size_t)(f->places + 1) * sizeof *f->v);
        f->has = heap_take(h, (size_t)f->places + 1);
        memcpy(f->v, v->f->v, (size_t)f->places * sizeof *f->v);
        memcpy(f->has, v->f->has, (size_t)f->places);
        r.f = f;
    }
    if (v->count) {
        int64_t *list = heap_take(h, (size_t)v->count * sizeof *list);
        memcpy(list, v->list, (size_t)v->count * sizeof *list);
        r.list = list;
    }
    r.word = word_keep(h, v->word);
    return r;
}

static const local *locals_keep(heap *h, const local *l) {
    if (!l) return NULL;
    local *x = heap_take(h, sizeof *x);
    *x = (local){ l->name, val_keep(h, &l->v), locals_keep(h, l->next) };
    return x;
}

static const frame *frames_keep(heap *h, const frame *f) {
    if (!f) return NULL;
    frame *x = heap_take(h, sizeof *x);
    *x = *f;
    x->next = frames_keep(h, f->next);
    x->locals = locals_keep(h, f->locals);
    x->seen = NULL;
    x->crowd = NULL;
    int n = f->kind == F_BY ? f->count + 1 : f->list ? f->count : 0;
    if (f->list) {
        val *list = heap_take(h, (size_t)(n + 1) * sizeof *list);
        for (int i = 0; i < n; i++) list[i] = val_keep(h, &f->list[i]);
        x->list = list;
    }
    return x;
}

/* ---- positions -------------------------------------------------------------------------------------------------------------------------------- */
static plain_position *position_new(plain_game *g, const state *st, const past *hist, int phase) {
    plain_position *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->g = g;
    p->st = state_keep(st);
    p->hist = past_hold(hist);
    p->phase = phase == 0 ? AT_TURN : phase == 1 ? AT_SETUP : phase == 2 ? INSIDE : AT_CHANCE;
    p->made_by = NONE;
    return p;
}

static void position_empty(plain_position *p) {
    free(p->st);
    past_free(p->hist);
    past_free(p->now);
    heap_drop(&p->mine);
}

void plain_free(plain_position *p) {
    if (!p) return;
    position_empty(p);
    free(p);
}

/* The position at the beginning of the turn, as an entry of the history. */
static const past *now(plain_position *p) {
    if (!p->now) p->now = past_new(p->g, p->st, p->hist, p->made_by);
    return p->now;
}

static plain_position *inside(plain_game *g, const sit *s, const frame *k, bool chance, bool in_setup) {
    plain_position *p = position_new(g, s->st, s->hist, chance ? 3 : 2);
    p->in_setup = in_setup;
    p->s = *s;
    p->s.st = p->st;
    p->s.hist = p->hist;
    p->s.log = NULL;
    p->s.prefs = NULL;
    p->s.cans = NULL;
    p->s.passed = set_keep(&p->mine, &s->passed);
    p->s.locals = locals_keep(&p->mine, s->locals);
    p->k = frames_keep(&p->mine, k);
    return p;
}

static plain_position *after_turn(plain_game *g, const outcome *o) {
    plain_position *p = position_new(g, o->s.st, o->s.hist, 0);
    p->made_by = o->s.hist ? o->s.hist->st->mover : NONE;
    return p;
}

static plain_position *after_setup(plain_game *g, const outcome *o) {
    state *st = state_copy(g, o->s.st);
    state_tidy(g, st);
    st->mover = st->next == NONE ? 0 : st->next;
    st->next = NONE;
    st->rank = 0;
    st->extra = false;
    for (int i = 0; i < g->dice_count; i++) st->fixed[i] = (die){ 0 };
    return position_new(g, st, NULL, 0);
}

static plain_position *outcome_position(const plain_position *from, const outcome *o) {
    plain_game *g = from->g;
    switch (o->kind) {
    case O_TURN: return after_turn(g, o);
    case O_SETUP: return after_setup(g, o);
    case O_CHANCE: return inside(g, &o->s, o->k, true, from->in_setup);
    default: return inside(g, &o->s, o->k, false, from->in_setup);
    }
}

/* ---- same move --------------------------------------------------------------------------------------------------------------------------------- */
static void frames_key(plain_game *g, const sit *s, const frame *k, text *t) {
    const local *locals = s->locals;
    for (const frame *f = k; f; f = f->next) {
        addf(t, "\n%d,%u,%d", (int)f->kind, f->a ? f->a->id : 0u, f->i);
        if (f->kind == F_BY || f->kind == F_EACH || (f->kind == F_CHANCE && f->list))
            for (int i = f->i; i < f->count; i++) {
                char *w = NULL;
                addf(t, ",%s", show(g, s, &f->list[i]));
                free(w);
            }
        if (f->kind == F_RULE_END) {
            live_keys(g, s, locals, k, f, t);
            locals = f->locals;
            k = f->next;
        }
    }
    live_keys(g, s, locals, k, NULL, t);
}

static const char *outcome_key(plain_game *g, const outcome *o) {
    text t = { 0 };
    const sit *s = &o->s;
    addf(&t, "%d %d,%d", o->kind == O_BY ? (int)O_COMMIT : (int)o->kind, (int)s->st->over, s->st->winner);
    if (o->kind == O_TURN || o->kind == O_SETUP) {
        addf(&t, " %d%d%d ", s->st->passes > 0, s->st->extra, s->at_once);     /* a pass is a move of its own, and so is another turn */
        identity(g, s->st, o->kind == O_SETUP ? s->st->next : s->st->mover, &t);
    } else {
        inside_key(g, s, &t);
        frames_key(g, s, o->k, &t);
        where_key(g, s, o->k, &t);
    }
    char *kept = heap_take(&g->fast, t.n + 1);
    memcpy(kept, t.s, t.n + 1);
    free(t.s);
    return kept;
}

typedef struct move move;
struct move { const char *key; outcome *first; outcome *runs, **end_of; uint64_t count; uint64_t hash; move *next, *chain; };
typedef struct { plain_kind kind; move *moves; size_t count; int idle_turns; } explored;

static void merge(plain_game *g, explored *e, outcome *list) {
    move **table = heap_take(&g->fast, 4096 * sizeof *table), **end_of = &e->moves;
    outcome *next;
    for (outcome *o = list; o; o = next) {
        next = o->next;
        o->next = NULL;
        const char *key = outcome_key(g, o);
        uint64_t hash = hash_text(key);
        move *m = table[hash % 4096];
        while (m && strcmp(m->key, key) != 0) m = m->chain;
        if (!m) {
            m = heap_take(&g->fast, sizeof *m);
            *m = (move){ .key = key, .first = o, .hash = hash, .chain = table[hash % 4096] };
            m->end_of = &m->runs;
            table[hash % 4096] = m;
            *end_of = m;
            end_of = &m->next;
            e->count++;
        }
        m->count++;
        *m->end_of = o;
        m->end_of = &o->next;
    }
}

/* ---- exploring ----------------------------------------------------------------------------------------------------------------------------------- */
static void run(plain_position *p) {
    plain_game *g = p->g;
    sit s;
    g->outcomes = NULL;
    g->outcome_end = &g->outcomes;
    g->outcome_count = g->run_count = 0;
    switch (p->phase) {
    case AT_TURN:
        begin_turn(g, &s, p->st, now(p));
        act(g, s, g->turn, push(g, F_TURN_END, g->turn, 0, NULL));
        break;
    case AT_SETUP:
        s = (sit){ .st = state_copy(g, p->st), .me = p->st->mover, .here = NONE, .start = NONE, .it = NONE };
        if (g->setup) act(g, s, g->setup, push(g, F_SETUP_END, g->setup, 0, NULL));
        else collect(g, O_SETUP, s, NULL);
        break;
    case INSIDE: resume(g, p->s, p->k); break;
    default: break;
    }
}

/* Does this happen by itself? One outcome only, and nothing was chosen, or another player had to choose it. */
static bool by_itself(const plain_position *p, const explored *e) {
    if (e->count != 1) return false;
    const outcome *o = e->moves->first;
    if (p->phase == INSIDE && p->s.me != p->st->mover) return true;
    return o->empty;
}

/* A whole turn in which nothing was chosen counts in perft all the same, unless it ends the game. */
static bool is_idle_turn(const explored *e) {
    const outcome *o = e->moves->first;
    return o->kind == O_TURN && o->empty && !o->s.decided && !o->s.st->over;
}

static void become(plain_position *p, plain_position *q) {
    position_empty(p);
    *p = *q;
    if (p->phase == INSIDE || p->phase == AT_CHANCE) p->s.st = p->st;
    free(q);
}

/* The same of a move that somebody chose: what then happens by itself is no turn in which nothing was done. */
static plain_position *chosen_position(const plain_position *from, const outcome *o) {
    plain_position *p = outcome_position(from, o);
    if (p->phase == INSIDE || p->phase == AT_CHANCE) p->s.decided = true;
    return p;
}

/* Goes on as far as things happen by themselves; the moves of the decision that is then at hand lie in scratch. */
static explored explore_on(plain_position *p) {
    plain_game *g = p->g;
    int idle = 0;
    for (int i = 0;; i++) {
        explored e = { .kind = PLAIN_DECISION, .idle_turns = idle };
        heap_drop(&g->fast);
        if (i > 10000) fail(g, NULL, "turns go on by themselves without end");
        if (p->st->over && p->phase != INSIDE && p->phase != AT_CHANCE) return e.kind = PLAIN_OVER, e;
        if (p->phase == AT_CHANCE) return e.kind = PLAIN_CHANCE, e;
        run(p);
        merge(g, &e, g->outcomes);
        if (!e.count) return e.kind = PLAIN_STUCK, e;
        if (!by_itself(p, &e)) return e;
        idle += is_idle_turn(&e);
        plain_position *q = outcome_position(p, e.moves->first);
        become(p, q);
    }
}

static explored explore(plain_position *p) {
    explored e = explore_on(p);
    p->settled = true;
    p->settled_kind = e.kind;
    return e;
}

/* The same, but not beyond the end of the turn, and only through chance that has one outcome. For tests. */
void settle_inside(plain_position *p) {
    while (p->phase == INSIDE || p->phase == AT_CHANCE) {
        plain_game *g = p->g;
        plain_position *q;
        heap_drop(&g->fast);
        if (p->phase == AT_CHANCE) {
            leaf *l = chances(g, &p->s, p->k);
            if (!l || l->next) return;
            q = inside(g, &l->s, l->k, false, p->in_setup);
        } else {
            explored e = { .kind = PLAIN_DECISION };
            run(p);
            merge(g, &e, g->outcomes);
            if (!by_itself(p, &e)) return;
            q = outcome_position(p, e.moves->first);
        }
        become(p, q);
    }
}

static int decider(const plain_position *p) { return p->phase == INSIDE || p->phase == AT_CHANCE ? p->s.me : p->st->mover; }

/* ---- lists of moves -------------------------------------------------------------------------------------------------------------------------------- */
enum { PHRASES_KEPT = 256 };

/* Of the runs that are one move, the first of those with the fewest landings speaks for it. */
static size_t landings(const phrase *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) n += p->words[i].sort == T_TO;
    return n;
}

static void phrases_of(plain_outcome *x, const move *m) {
    struct plain_phrases *all = calloc(1, sizeof *all);
    if (!all) abort();
    all->all = calloc(PHRASES_KEPT + 1, sizeof *all->all);
    if (!all->all) abort();
    for (const outcome *o = m->runs; o; o = o->next) {
        phrase p = phrase_of(o->s.log);
        char *t = phrase_text(&p, false);
        const bool best = !x->text || landings(&p) < landings(&all->all[0]);
        if (best) {
            free(x->text);
            x->text = t;
            phrase worse = all->all[0];
            all->all[0] = p;
            p = worse;
        } else free(t);
        const bool room_left = all->count < PHRASES_KEPT;
        if (room_left && p.words) all->all[all->count] = p;
        else if (p.words) phrase_drop(&p);
        all->count += room_left;
    }
    x->phrases = all;
}

static int by_text(const void *a, const void *b) {
    const plain_outcome *x = a, *y = b;
    int c = strcmp(x->text, y->text);
    return c ? c : (x->found > y->found) - (x->found < y->found);
}

static size_t stops_of(const plain_outcome *x) {
    size_t n = 0;
    for (size_t i = 0; i < x->phrases->all[0].count; i++) n += x->phrases->all[0].words[i].sort == T_STOP;
    return n;
}

/* Those that stop more often than others of the group say so. */
static void tell_stops(plain_outcome *group_of, size_t count) {
    size_t least = SIZE_MAX, most = 0;
    for (size_t k = 0; k < count; k++) {
        size_t n = stops_of(&group_of[k]);
        if (n < least) least = n;
        if (n > most) most = n;
    }
    for (size_t k = 0; least < most && k < count; k++) {
        text t = { 0 };
        bool stops = stops_of(&group_of[k]) > least, nothing = !strcmp(group_of[k].text, "stop");
        if (nothing) add(&t, stops ? "stop" : "go on");
        else addf(&t, stops ? "%s stop" : "%s", group_of[k].text);
        free(group_of[k].text);
        group_of[k].text = steal(&t);
    }
}

/* What moves i .. j that read alike are to be called in this round. */
enum { BY_RULES, BY_DIRECTIONS, BY_BOTH, BY_STOPS, BY_NUMBERS, ROUNDS };

static void tell_apart(plain_outcome *group_of, size_t count, int round) {
    const phrase **all = calloc(count + 1, sizeof *all);
    for (size_t k = 0; k < count; k++) all[k] = &group_of[k].phrases->all[0];
    for (size_t k = 0; k < count && round != BY_STOPS; k++) {
        text t = { 0 };
        char *rules = phrase_rules(all[k], all, count), *plain_text = phrase_text(all[k], round != BY_RULES);
        if (round == BY_NUMBERS) addf(&t, k ? "%s#%zu" : "%s", group_of[k].text, k + 1);
        else if (round == BY_DIRECTIONS || !*rules) add(&t, plain_text);
        else addf(&t, strcmp(plain_text, "stop") ? "%s %s" : "%s", rules, plain_text);
        free(rules);
        free(plain_text);
        free(group_of[k].text);
        group_of[k].text = steal(&t);
    }
    if (round == BY_STOPS) tell_stops(group_of, count);
    free(all);
}

/* Where moves read alike, the names of rules go before; then the directions are written; then both; those that stop say so; at last they
 * are numbered, in the order in which they were found. */
static void tell_all_apart(plain_node *n, int round) {
    if (n->count) qsort(n->outcomes, n->count, sizeof *n->outcomes, by_text);
    for (size_t i = 0, j; i < n->count; i = j) {
        for (j = i + 1; j < n->count && !strcmp(n->outcomes[i].text, n->outcomes[j].text); j++) {}
        if (j - i > 1) tell_apart(&n->outcomes[i], j - i, round);
    }
    if (n->count) qsort(n->outcomes, n->count, sizeof *n->outcomes, by_text);
}

static plain_node *decision(plain_position *p, const explored *e) {
    plain_node *n = calloc(1, sizeof *n);
    if (!n) abort();
    *n = (plain_node){ PLAIN_DECISION, decider(p), e->count, calloc(e->count + 1, sizeof *n->outcomes) };
    size_t i = 0;
    for (const move *m = e->moves; m; m = m->next, i++) {
        plain_outcome *x = &n->outcomes[i];
        phrases_of(x, m);
        x->found = i;
        x->weight = 1;
        x->runs = m->count;
        x->after = chosen_position(p, m->first);
    }
    for (int round = 0; round < ROUNDS; round++) tell_all_apart(n, round);
    return n;
}

static plain_node *chance(plain_position *p) {
    plain_game *g = p->g;
    plain_node *n = calloc(1, sizeof *n);
    if (!n) abort();
    *n = (plain_node){ PLAIN_CHANCE, NONE, 0, NULL };
    leaf *all = chances(g, &p->s, p->k);
    explored e = { 0 };
    outcome *list = NULL, **end_of = &list;
    for (leaf *l = all; l; l = l->next) {
        outcome *o = heap_take(&g->fast, sizeof *o);
        *o = (outcome){ .kind = O_COMMIT, .s = l->s, .k = l->k, .text = l->text, .runs = l->num };
        *end_of = o;
        end_of = &o->next;
    }
    merge(g, &e, list);
    n->count = e.count;
    n->outcomes = calloc(e.count + 1, sizeof *n->outcomes);
    size_t i = 0;
    for (const move *m = e.moves; m; m = m->next, i++) {
        plain_outcome *x = &n->outcomes[i];
        for (const outcome *o = m->runs; o; o = o->next) x->weight += o->runs;
        x->text = copy(m->first->text);
        x->runs = 1;
        x->after = inside(g, &m->first->s, m->first->k, false, p->in_setup);
    }
    if (n->count) qsort(n->outcomes, n->count, sizeof *n->outcomes, by_text);
    return n;
}

static plain_node *expand(plain_position *p) {
    explored e = explore(p);
    plain_node *n;
    switch (e.kind) {
    case PLAIN_DECISION: n = decision(p, &e); break;
    case PLAIN_CHANCE: n = chance(p); break;
    default:
        n = calloc(1, sizeof *n);
        if (!n) abort();
        *n = (plain_node){ e.kind, e.kind == PLAIN_STUCK ? decider(p) : NONE, 0, NULL };
    }
    return n;
}

plain_node *plain_expand(plain_position *p) {
    plain_game *g = p->g;
    plain_node *n = NULL;
    GUARDED(g) {
        n = expand(p);
        DONE(g);
        return n;
    }
    DONE(g);
    return NULL;
}

void plain_node_free(plain_node *n) {
    if (!n) return;
    for (size_t i = 0; i < n->count; i++) {
        plain_outcome *x = &n->outcomes[i];
        free(x->text);
        plain_free(x->after);
        for (size_t j = 0; x->phrases && j < x->phrases->count; j++) phrase_drop(&x->phrases->all[j]);
        if (x->phrases) free(x->phrases->all);
        free(x->phrases);
    }
    free(n->outcomes);
    free(n);
}

plain_kind plain_look(plain_position *p) {
    plain_game *g = p->g;
    if (p->settled) return p->settled_kind;
    GUARDED(g) explore(p);
    DONE(g);
    return p->settled ? p->settled_kind : PLAIN_STUCK;
}

/* ---- texts ---------------------------------------------------------------------------------------------------------------------------------------------- */
char *plain_state_text(plain_position *p) {
    text t = { 0 };
    plain_game *g = p->g;
    (void)g;
    plain_look(p);
    bool in = p->phase == INSIDE || p->phase == AT_CHANCE;
    state_line(g, p->st, decider(p), in, &t);
    return steal(&t);
}

char *plain_result_text(plain_position *p) {
    text t = { 0 };
    plain_game *g = p->g;
    (void)g;
    plain_look(p);
    const state *st = p->st;
    if (!st->over) add(&t, "running");
    else if (st->over == WON) addf(&t, "win %s", g->players[st->winner]);
    else add(&t, "draw");
    for (int i = 0; st->over && st->scored && i < g->player_count; i++) addf(&t, i ? ",%lld" : " score %lld", (long long)st->score[i]);
    return steal(&t);
}

/* ---- starts ---------------------------------------------------------------------------------------------------------------------------------------------- */
plain_position *plain_origin(plain_game *g) {
    plain_position *p = NULL;
    GUARDED(g) {
        heap_drop(&g->fast);
        p = position_new(g, state_new(g), NULL, 1);
        p->in_setup = true;
    }
    DONE(g);
    return p;
}

static uint64_t random_next(uint64_t *seed) {
    uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* One of the outcomes, by their weights; the position becomes what follows. */
static void draw(plain_position *p, plain_node *n, uint64_t *seed) {
    uint64_t total = 0, at;
    size_t i = 0;
    for (size_t j = 0; j < n->count; j++) total += n->outcomes[j].weight;
    at = random_next(seed) % total;
    while (at >= n->outcomes[i].weight) at -= n->outcomes[i++].weight;
    plain_position *q = n->outcomes[i].after;
    n->outcomes[i].after = NULL;
    become(p, q);
}

static bool draw_setup(plain_position *p, uint64_t *seed) {
    for (;;) {
        plain_node *n = plain_expand(p);
        if (!n) return false;
        bool more = n->kind == PLAIN_CHANCE && n->count && p->in_setup;
        if (more) draw(p, n, seed);
        plain_node_free(n);
        if (!more) return true;
    }
}

plain_position *plain_start(plain_game *g, uint64_t seed) {
    plain_position *p = plain_origin(g);
    if (p && draw_setup(p, &seed)) return p;
    plain_free(p);
    return NULL;
}

plain_position *plain_at(plain_game *g, const char *s) {
    plain_position *start = plain_start(g, 1), *p = NULL;
    if (!start) return NULL;
    GUARDED(g) {
        explore(start);
        heap_drop(&g->fast);
        p = position_new(g, state_at(g, start->st, s), NULL, 0);
    }
    DONE(g);
    plain_free(start);
    return p;
}

plain_position *plain_read(plain_game *g, const char *s) {
    plain_position *volatile p = NULL;
    GUARDED(g) {
        heap_drop(&g->fast);
        p = position_new(g, state_read(g, s), NULL, 0);
    }
    DONE(g);
    return p;
}

/* Does C hold, as the player to move sees it? Inside a turn, with what its rule has named. */
bool position_holds(plain_position *p, const node *c) {
    sit s = { .st = p->st, .hist = p->hist, .me = p->st->mover, .here = NONE, .start = NONE, .it = NONE, .between = true };
    if (p->phase == INSIDE || p->phase == AT_CHANCE) s = p->s;
    heap_drop(&p->g->fast);
    return truth(p->g, &s, c);
}

/* A position with `player` to move, as if everybody had had a turn, made by an action. */
plain_position *position_made(plain_game *g, int player, const node *a) {
    heap_drop(&g->fast);
    sit s = { .st = state_new(g), .me = player, .here = NONE, .start = NONE, .it = NONE };
    s.st->mover = player;
    s.st->turns = g->player_count;
    g->outcomes = NULL;
    g->outcome_end = &g->outcomes;
    g->outcome_count = g->run_count = 0;
    g->building = true;
    act(g, s, a, push(g, F_TEST_END, a, 0, NULL));
    g->building = false;
    if (!g->outcomes || g->outcomes->kind != O_TEST) fail(g, a, "this makes no position");
    state *st = g->outcomes->s.st;
    state_tidy(g, st);
    if (st->next != NONE) st->mover = st->next, st->next = NONE;
    st->rank = 0;
    return position_new(g, st, NULL, 0);
}

/* ---- perft -------------------------------------------------------------------------------------------------------------------------------------------------- */
static uint64_t perft(plain_position *p, int depth, plain_how how);

/* The positions that stand when this turn is over, each once; the chance in it apart. */
typedef struct { char **keys; size_t count, room; } turn_ends;

static bool turn_end_new(turn_ends *t, char *key) {
    for (size_t i = 0; i < t->count; i++)
        if (!strcmp(t->keys[i], key)) {
            free(key);
            return false;
        }
    if (t->count == t->room) {
        t->room = 2 * t->room + 64;
        t->keys = realloc(t->keys, t->room * sizeof *t->keys);
        if (!t->keys) abort();
    }
    t->keys[t->count++] = key;
    return true;
}

static uint64_t perft_turns(plain_position *p, int depth, int turn, turn_ends *done, plain_how how) {
    plain_game *g = p->g;
    plain_node *n = expand(p);
    uint64_t sum = 0;
    if (n->kind == PLAIN_CHANCE) done = NULL;
    for (size_t i = 0; i < n->count; i++) {
        plain_position *q = n->outcomes[i].after;
        turn_ends fresh = { 0 };
        bool over_now = q->phase == AT_TURN && q->st->turns != turn;
        if (!over_now) {
            sum += perft_turns(q, depth, turn, done ? done : &fresh, how);
        } else {
            text t = { 0 };
            identity(g, q->st, q->st->mover, &t);
            if (!done || turn_end_new(done, steal(&t))) sum += depth == 1 ? 1 : perft(q, depth - 1, how);
            free(t.s);
        }
        for (size_t j = 0; j < fresh.count; j++) free(fresh.keys[j]);
        free(fresh.keys);
    }
    plain_node_free(n);
    return sum;
}

static uint64_t perft(plain_position *p, int depth, plain_how how) {
    plain_game *g = p->g;
    if (how.turns) {
        explored e = explore(p);
        if (e.kind == PLAIN_OVER || e.kind == PLAIN_STUCK) return 0;
        turn_ends done = { 0 };
        uint64_t n = perft_turns(p, depth, p->st->turns, &done, how);
        for (size_t j = 0; j < done.count; j++) free(done.keys[j]);
        free(done.keys);
        return n;
    }
    explored e = explore(p);
    depth -= e.idle_turns;
    if (depth <= 0) return 1;
    if (e.kind == PLAIN_OVER || e.kind == PLAIN_STUCK) return 0;
    if (e.kind == PLAIN_DECISION && depth == 1) {
        uint64_t n = 0;
        for (const move *m = e.moves; m; m = m->next) n += how.paths ? m->count : 1;
        return n;
    }
    size_t count = 0;
    plain_position **all = NULL;
    uint64_t *often = NULL, sum = 0;
    if (e.kind == PLAIN_CHANCE) {
        plain_node *n = chance(p);
        all = calloc(n->count + 1, sizeof *all), often = calloc(n->count + 1, sizeof *often);
        for (; count < n->count; count++) all[count] = n->outcomes[count].after, n->outcomes[count].after = NULL, often[count] = 1;
        plain_node_free(n);
    } else {
        all = calloc(e.count + 1, sizeof *all), often = calloc(e.count + 1, sizeof *often);
        for (const move *m = e.moves; m; m = m->next, count++) all[count] = chosen_position(p, m->first), often[count] = how.paths ? m->count : 1;
    }
    (void)g;
    for (size_t i = 0; i < count; i++) {
        sum += often[i] * perft(all[i], e.kind == PLAIN_CHANCE ? depth : depth - 1, how);
        plain_free(all[i]);
    }
    free(all);
    free(often);
    return sum;
}

uint64_t plain_perft(plain_position *p, int depth, plain_how how) {
    plain_game *g = p->g;
    volatile uint64_t n = 0;
    if (depth == 0) return 1;
    g->play_on = how.play_on;
    GUARDED(g) {
        g->budget = 0;
        n = perft(p, depth, how);
    }
    DONE(g);
    g->play_on = false;
    return n;
}

/* ---- reading moves --------------------------------------------------------------------------------------------------------------------------------------------- */
static bool fits_outcome(const plain_outcome *x, const char *s, size_t *left_out) {
    bool some = false;
    if (!strcmp(x->text, s)) return *left_out = 0, true;
    for (size_t j = 0; x->phrases && j < x->phrases->count; j++) {
        size_t left;
        if (!phrase_fits(&x->phrases->all[j], s, &left)) continue;
        if (!some || left < *left_out) *left_out = left;
        some = true;
    }
    return some;
}

bool plain_fits(const plain_node *n, size_t i, const char *s) {
    size_t left;
    return fits_outcome(&n->outcomes[i], s, &left);
}

int plain_find(const plain_node *n, const char *s) {
    int found = -1, many = 0;
    size_t least = 0, left;
    for (size_t i = 0; i < n->count; i++)
        if (!strcmp(n->outcomes[i].text, s)) return (int)i;
    for (size_t i = 0; i < n->count; i++) {
        if (!fits_outcome(&n->outcomes[i], s, &left)) continue;
        if (found < 0 || left < least) found = (int)i, least = left, many = 0;
        else if (left == least) many = 1;
    }
    return many ? -2 : found;
}

/* ---- random games ------------------------------------------------------------------------------------------------------------------------------------------------- */
long plain_random(plain_game *g, uint64_t seed, long cap, FILE *out) {
    plain_position *p = plain_origin(g);
    long made = p ? 0 : -1;
    while (made >= 0 && made < cap) {
        plain_node *n = plain_expand(p);
        if (!n) made = -1;
        if (!n || !n->count) {
            plain_node_free(n);
            break;
        }
        if (out) {
            char *s = plain_state_text(p);
            fprintf(out, "%s\n", s);
            free(s);
            for (size_t i = 0; i < n->count; i++)
                if (n->kind == PLAIN_DECISION) fprintf(out, "  %s\n", n->outcomes[i].text);
                else fprintf(out, "  * %s %llu\n", n->outcomes[i].text, (unsigned long long)n->outcomes[i].weight);
        }
        made += n->kind == PLAIN_DECISION;
        draw(p, n, &seed);
        plain_node_free(n);
    }
    if (out && p && made >= 0) {
        char *s = plain_state_text(p), *r = plain_result_text(p);
        fprintf(out, "%s\n%s\n", s, r);
        free(s);
        free(r);
    }
    plain_free(p);
    return made;
}
