/* What runs come to, and the two constructs that look at it: `else` and blocks with `prefer`.
 *
 * A run ends in `collect`: at the end of the turn, or where something is decided by then. The second half of `else` is tried only if
 * no run of the first was collected. The runs of a block with `prefer` are candidates, completed one by one, and the best remain.
 * Inside such a block a run that reaches its end is not yet known to be legal; so `else` leaves a note among the candidates, and its
 * second half is tried when all candidates of the first turned out to lead nowhere. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- outcomes ------------------------------------------------------------------------------------------------------------------ */
static bool chosen(const token *t) {
    for (; t; t = t->before)
        if (t->sort <= T_PASS) return true;
    return false;
}

/* What lies behind a commit point does not remember which situations came before it. */
static const frame *forget(plain_game *g, const frame *k) {
    if (!k) return NULL;
    const frame *rest = forget(g, k->next);
    if (rest == k->next && !k->seen && !k->crowd) return k;
    frame *f = heap_take(&g->fast, sizeof *f);
    *f = *k;
    f->next = rest;
    f->seen = NULL;
    f->crowd = NULL;
    return f;
}

/* A run has come to a commit point or to its end. */
void collect(plain_game *g, outcome_kind sort, sit s, const frame *k) {
    g->run_count++;
    outcome *o = heap_take(&g->fast, sizeof *o);
    if (sort != O_TURN && chosen(s.log)) s.decided = true;
    *o = (outcome){ .kind = sort, .s = s, .k = forget(g, k), .runs = 1, .empty = !chosen(s.log) };
    o->s.prefs = NULL;
    *g->outcome_end = o;
    g->outcome_end = &o->next;
    g->outcome_count++;
}

/* ---- blocks with `prefer`, and `else` --------------------------------------------------------------------------------------------- */
/* A candidate is a run that has come to the end of its block. A block inside another is not decided at its own end, because nobody
 * knows yet which of its runs can be completed: it is left among the candidates of the outer one, and decided when those are. */
typedef struct candidate candidate;
struct candidates { candidate *first, **end; size_t count; };
typedef struct { candidate **all; size_t n, room; } finished;
struct candidate {
    sit s;
    candidates *tried;          /* not NULL: if none of these can be completed, `other` is tried */
    const node *other; const frame *k;
    block *inner;               /* not NULL: a block that is still to be decided */
    outcome *from; size_t n;    /* what it was completed to */
    finished outer;             /* or the candidates of the outer block that it led to, if they can be completed */
    candidate *next;
};
struct block { const frame *at; candidates *list; block *up, *enclosing; const prefs *prefs; };

static block *block_at(plain_game *g, const frame *f) {
    for (block *b = g->blocks; b; b = b->up)
        if (b->at == f) return b;
    return NULL;
}

/* The innermost open block that runs with these frames will reach. */
static block *block_ahead(plain_game *g, const frame *k) {
    for (const frame *f = k; f; f = f->next)
        if (f->kind == F_BLOCK_END) return block_at(g, f);
    return NULL;
}

static candidates *candidates_new(plain_game *g) {
    candidates *c = heap_take(&g->fast, sizeof *c);
    c->end = &c->first;
    return c;
}

static candidate *candidate_add(plain_game *g, candidates *list, sit s) {
    candidate *c = heap_take(&g->fast, sizeof *c);
    c->s = s;
    *list->end = c;
    list->end = &c->next;
    list->count++;
    return c;
}

static block *block_open(plain_game *g, const frame *at, const prefs *outer) {
    block *b = heap_take(&g->fast, sizeof *b);
    *b = (block){ at, candidates_new(g), g->blocks, block_ahead(g, at->next), outer };
    g->blocks = b;
    return b;
}

static size_t happened(const plain_game *g) { return g->exists ? (size_t)g->halt : g->outcome_count; }

/* `prefs` lists the youngest first; they are compared from the oldest on, and none is less than any. */
static int prefs_length(const prefs *p) {
    int n = 0;
    for (; p; p = p->before) n++;
    return n;
}

static int prefs_compare(const prefs *a, const prefs *b) {
    if (!a || !b) return 0;
    int n = prefs_compare(a->before, b->before);
    return n ? n : (a->v > b->v) - (a->v < b->v);
}

static int prefs_order(const prefs *a, const prefs *b) {
    int n = prefs_length(a), m = prefs_length(b);
    const prefs *p = a, *q = b;
    for (int i = n; i > m; i--) p = p->before;
    for (int i = m; i > n; i--) q = q->before;
    int c = prefs_compare(p, q);
    return c ? c : n - m;
}

static void finished_add(plain_game *g, finished *f, candidate *c) {
    if (f->n == f->room) {
        candidate **grown = heap_take(&g->fast, (2 * f->room + 16) * sizeof *grown);
        if (f->n) memcpy(grown, f->all, f->n * sizeof *grown);
        f->all = grown;
        f->room = 2 * f->room + 16;
    }
    f->all[f->n++] = c;
}

static size_t complete(plain_game *g, candidates *list, block *b, finished *out);

/* One run goes on behind the end of its block. */
static bool complete_one(plain_game *g, candidate *c, block *b) {
    outcome *first = g->outcomes, **tail = g->outcome_end, *mine = NULL;
    size_t before = g->outcome_count;
    block *e = b->enclosing;
    candidates *was = e ? e->list : NULL, *fresh_list = candidates_new(g);
    g->outcomes = NULL, g->outcome_end = &mine;
    if (e) e->list = fresh_list, e->up = g->blocks, g->blocks = e;
    sit s = c->s;
    s.prefs = b->prefs;
    resume(g, s, b->at->next);
    if (e) g->blocks = e->up, e->list = was;
    c->n = g->outcome_count - before;
    c->from = mine;
    g->outcomes = first, g->outcome_end = tail, g->outcome_count = before;
    if (g->halt) return true;
    if (e) complete(g, fresh_list, e, &c->outer);
    return c->n || c->outer.n;
}

static void block_decide(plain_game *g, block *b, finished *outer);

/* How many of the candidates could be completed. */
static size_t complete(plain_game *g, candidates *list, block *b, finished *out) {
    size_t done = 0;
    for (candidate *c = list->first; c && !g->halt; c = c->next) {
        if (c->inner) {
            size_t n = out->n, direct = happened(g);
            block_decide(g, c->inner, out);
            done += out->n - n + happened(g) - direct;
        } else if (c->tried) {
            size_t some = complete(g, c->tried, b, out);
            if (some || g->halt) {
                done += some;
                continue;
            }
            candidates *was = b->list, *more = candidates_new(g);
            size_t direct = happened(g);
            b->list = more, b->up = g->blocks, g->blocks = b;
            act(g, c->s, c->other, c->k);
            g->blocks = b->up, b->list = was;
            done += happened(g) - direct;
            if (!g->halt) done += complete(g, more, b, out);
        } else if (complete_one(g, c, b)) {
            finished_add(g, out, c);
            done++;
        }
    }
    return done;
}

/* Of the runs of a block that can be completed, those of the greatest preferences remain. */
static void block_decide(plain_game *g, block *b, finished *outer) {
    finished out = { 0 };
    complete(g, b->list, b, &out);
    if (g->halt) return;
    const prefs *best = NULL;
    for (size_t i = 0; i < out.n; i++)
        if (!i || prefs_order(out.all[i]->s.prefs, best) > 0) best = out.all[i]->s.prefs;
    for (size_t i = 0; i < out.n; i++) {
        candidate *c = out.all[i];
        if (prefs_order(c->s.prefs, best) != 0) continue;
        *g->outcome_end = c->from;
        while (*g->outcome_end) g->outcome_end = &(*g->outcome_end)->next;
        g->outcome_count += c->n;
        for (size_t j = 0; j < c->outer.n; j++) finished_add(g, outer, c->outer.all[j]);
    }
}

static void block_close(plain_game *g, block *b) {
    g->blocks = b->up;
    if (g->halt || !b->list->first) return;
    if (b->enclosing) candidate_add(g, b->enclosing->list, b->list->first->s)->inner = b;
    else block_decide(g, b, NULL);
}

void act_block(plain_game *g, sit s, const node *a, const frame *k) {
    block *b = block_open(g, push(g, F_BLOCK_END, a, 0, k), s.prefs);
    s.prefs = NULL;
    go(g, s, push(g, F_REST, a, 0, b->at));
    block_close(g, b);
}

void block_end(plain_game *g, const sit *s, const frame *f) {
    block *b = block_at(g, f);
    if (!b) fail(g, f->a, "plain: a block has lost its beginning");
    candidate_add(g, b->list, *s);
}

/* Frames that come from a stored situation may lie inside blocks: those are opened again, the outermost first. */
static void resume_in(plain_game *g, sit s, const frame *k, const frame *upto) {
    const frame *outermost = NULL;
    for (const frame *f = k; f && f != upto; f = f->next)
        if (f->kind == F_BLOCK_END && !block_at(g, f)) outermost = f;
    if (!outermost) {
        go(g, s, k);
        return;
    }
    block *b = block_open(g, outermost, NULL);
    resume_in(g, s, k, outermost);
    block_close(g, b);
}

void resume(plain_game *g, sit s, const frame *k) { resume_in(g, s, k, NULL); }

/* Without a block ahead it is known at once whether a run of the first half can be completed; else a note is left. */
void act_else(plain_game *g, sit s, const node *a, const frame *k) {
    size_t before = happened(g);
    block *b = block_ahead(g, k);
    candidates *was = b ? b->list : NULL, *tried = b ? candidates_new(g) : NULL;
    if (b) b->list = tried;
    act(g, s, a->kids[0], k);
    if (b) b->list = was;
    if (g->halt) return;
    if (happened(g) != before) {                    /* one is complete: no need of the other half */
        if (tried && tried->first) *was->end = tried->first, was->end = tried->end, was->count += tried->count;
        return;
    }
    if (!tried || !tried->count) {
        act(g, s, a->kids[1], k);
        return;
    }
    candidate *c = candidate_add(g, was, s);
    c->tried = tried;
    c->other = a->kids[1];
    c->k = k;
}
