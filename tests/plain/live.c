/* Which names are still asked for: two runs that differ only in others are the same move. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

enum { WORDS = 256 };
typedef struct { const char *w[WORDS + 1]; int n; bool everything; int deep; bool here, start, passed; } wanted;

static void want(wanted *x, const char *w) {
    for (int i = 0; i < x->n; i++)
        if (x->w[i] == w) return;
    if (x->n == WORDS) x->everything = true;
    else x->w[x->n++] = w;
}

static void forget(wanted *x, const char *w) {
    for (int i = 0; i < x->n; i++)
        if (x->w[i] == w) {
            x->w[i] = x->w[--x->n];
            return;
        }
}

static void join(wanted *a, const wanted *b) {
    for (int i = 0; i < b->n; i++) want(a, b->w[i]);
    a->everything |= b->everything;
    a->here |= b->here, a->start |= b->start, a->passed |= b->passed;
}

/* An expression asks for all its words, and for those of the definitions it uses. */
static void asks(plain_game *g, const node *e, wanted *x) {
    if (!e || x->deep > 60) return;
    if (e->kind == NODE_E_NAME || e->kind == NODE_E_CALL) {
        want(x, e->text);
        const name *n = name_of(g, e);
        if (n && n->sort == N_STANDARD) {
            x->here |= n->index == S_here || n->index == S_owner;
            x->start |= n->index == S_start;
            x->passed |= n->index == S_passed;
        }
        x->deep++;
        if (n && n->sort == N_LET) {
            const let *l = &g->lets[n->index];
            wanted inner = { .deep = x->deep };
            asks(g, l->any, &inner);
            for (int p = 0; p < PLAYERS_MAX; p++) asks(g, l->body[p], &inner);
            x->here |= inner.here, x->start |= inner.start, x->passed |= inner.passed;
        }
        x->deep--;
    }
    if (e->kind == NODE_E_CAN) x->here = true;              /* inside a piece's rule it is asked for the piece on `here` */
    for (int i = 0; i < e->count; i++) asks(g, e->kids[i], x);
}

static void before(plain_game *g, const node *a, wanted *x);

/* Whatever rule is called: it may go on with the piece on `here`. */
static void before_call(plain_game *g, const node *e, wanted *x) {
    if (x->deep > 6) {
        x->here = x->start = x->passed = true;
    } else
        for (int i = 0; i < g->rule_count; i++) {
            if (!e->text || strcmp(g->rules[i].word, e->text) != 0) continue;
            wanted inner = { .deep = x->deep + 1 };
            before(g, g->rules[i].body, &inner);
            x->here |= inner.here, x->start |= inner.start, x->passed |= inner.passed;
        }
    if (e->kind == NODE_E_CALL)
        for (int i = 0; i < e->count; i++) asks(g, e->kids[i], x);
}

/* What is asked for before action a, if x is asked for after it. */
static void before(plain_game *g, const node *a, wanted *x) {
    wanted b;
    if (!a) return;
    switch (a->kind) {
    case NODE_A_SEQUENCE:
        for (int i = a->count - 1; i >= 0; i--) before(g, a->kids[i], x);
        break;
    case NODE_A_CHOICE: case NODE_A_ELSE: {
        wanted all = { .deep = x->deep };
        for (int i = 0; i < a->count; i++) b = *x, before(g, a->kids[i], &b), join(&all, &b);
        *x = all;
        break;
    }
    case NODE_A_IF:
        b = *x;
        before(g, a->kids[1], &b);
        if (a->count > 2 && a->kids[2]) before(g, a->kids[2], x);
        join(x, &b);
        asks(g, a->kids[0], x);
        break;
    case NODE_A_LOOP:
        if (a->count > 1) asks(g, a->kids[1], x);
        for (int i = 0; i < 2; i++) b = *x, before(g, a->kids[0], &b), join(x, &b);
        break;
    case NODE_A_EACH:
        for (int i = 0; i < 2; i++) b = *x, before(g, a->kids[1], &b), forget(&b, a->text), join(x, &b);
        asks(g, a->kids[0], x);
        break;
    case NODE_A_BY:
        before(g, a->kids[1], x);
        asks(g, a->kids[0], x);
        break;
    case NODE_A_PICK:
        if (!strcmp(a->text, "here")) x->here = x->start = x->passed = false;
        else forget(x, a->text);
        asks(g, a->kids[0], x);
        break;
    case NODE_A_LET:
        forget(x, a->text);
        asks(g, a->kids[0], x);
        break;
    case NODE_A_SET:
        if (a->kids[0]->kind == NODE_E_NAME && *a->text == '=') {
            forget(x, a->kids[0]->text);
            if (!strcmp(a->kids[0]->text, "here")) x->here = x->start = x->passed = false;
        } else asks(g, a->kids[0], x);
        asks(g, a->kids[1], x);
        break;
    case NODE_A_DO: before_call(g, a->kids[0], x); break;
    case NODE_A_STEP: case NODE_A_SLIDE:
        x->here = true;
        for (int i = 0; i < a->count; i++) asks(g, a->kids[i], x);
        break;
    case NODE_A_DROP:
        x->here = x->start = x->passed = false;
        for (int i = 0; i < a->count; i++) asks(g, a->kids[i], x);
        break;
    default:
        for (int i = 0; i < a->count; i++) asks(g, a->kids[i], x);
    }
}

static void before_frame(plain_game *g, const frame *f, wanted *x) {
    wanted b;
    switch (f->kind) {
    case F_DO: before(g, f->a, x); break;
    case F_REST:
        for (int i = f->a->count - 1; i >= f->i; i--) before(g, f->a->kids[i], x);
        break;
    case F_LOOP: before(g, f->a, x); break;
    case F_EACH: case F_BY:
        if (f->i == f->count) break;
        b = *x;
        before(g, f->a->kids[1], &b);
        if (f->kind == F_EACH) forget(&b, f->a->text);
        join(x, &b);
        break;
    case F_CHANCE:
        if (f->a->kind == NODE_A_LOOP || f->a->kind == NODE_A_EACH) {
            if (f->a->kind == NODE_A_LOOP && f->a->count > 1) asks(g, f->a->kids[1], x);
            b = *x;
            before(g, f->a->kind == NODE_A_LOOP ? f->a->kids[0] : f->a->kids[1], &b);
            if (f->a->kind == NODE_A_EACH) forget(&b, f->a->text);
            join(x, &b);
        } else if (f->a->kind == NODE_A_PICK) {
            if (!strcmp(f->a->text, "here")) x->here = x->start = x->passed = false;
            else forget(x, f->a->text);
        } else asks(g, f->a->kids[0], x);
        break;
    case F_TURN_END:
        for (int i = 0; i < g->end_count; i++) asks(g, g->ends[i].c, x);
        break;
    default: break;
    }
}

static void before_frames(plain_game *g, const frame *f, const frame *upto, wanted *x) {
    if (!f || f == upto) return;
    before_frames(g, f->next, upto, x);
    before_frame(g, f, x);
}

void live_keys(plain_game *g, const sit *s, const local *locals, const frame *from, const frame *upto, text *t) {
    wanted x = { 0 };
    before_frames(g, from, upto, &x);
    x.w[x.n] = NULL;
    local_keys(g, s, locals, x.everything ? NULL : x.w, t);
}

void where_key(plain_game *g, const sit *s, const frame *k, text *t) {
    wanted x = { 0 };
    before_frames(g, k, NULL, &x);
    if (x.here || x.everything) add(t, " here="), place_key_of(g, s, s->here, t);
    if (x.start || x.everything) add(t, " start="), place_key_of(g, s, s->start, t);
    for (int p = 0; (x.passed || x.everything) && p < universe(g, s); p++)
        if (set_has(&s->passed, p)) addf(t, " passed=%d", p);
}
