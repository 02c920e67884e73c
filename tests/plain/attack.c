/* Questions that try rules: attacked, can, stuck; and what chance may bring. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

typedef struct { bool exists, halt; block *blocks; heap_mark mark; } asking;

static asking ask(plain_game *g) {
    asking a = { g->exists, g->halt, g->blocks, heap_here(&g->fast) };
    g->exists = true;
    g->halt = false;
    return a;
}

static bool told(plain_game *g, asking a) {
    bool yes = g->halt;
    g->exists = a.exists, g->halt = a.halt, g->blocks = a.blocks;
    heap_back(&g->fast, a.mark);
    return yes;
}

bool has_run(plain_game *g, const sit *s, const node *body) {
    asking a = ask(g);
    sit t = *s;
    t.prefs = NULL;
    act(g, t, body, push(g, F_STOP, NULL, 0, NULL));
    return told(g, a);
}

bool can(plain_game *g, const sit *s, const char *word, const node *at) {
    for (const names *n = s->cans; n; n = n->next)
        if (!strcmp(n->name, word)) return true;
    names mine = { word, s->cans };
    asking a = ask(g);
    sit t = *s;
    t.cans = &mine;
    t.prefs = NULL;
    t.locals = NULL;
    call_rule(g, t, at, word, 0, NULL, push(g, F_STOP, NULL, 1, NULL));
    return told(g, a);
}

/* ---- attacked ------------------------------------------------------------------------------------------------------------------------ */
/* Is this set of cells surely one of empty cells? */
static bool empties(plain_game *g, const node *e) {
    if (!e) return false;
    const name *n;
    switch (e->kind) {
    case NODE_E_NAME:
        n = name_of(g, e);
        return n && n->sort == N_STANDARD && n->index == S_empty;
    case NODE_E_ROW: case NODE_E_AND:
        for (int i = 0; i < e->count; i++)
            if (empties(g, e->kids[i])) return true;
        return false;
    case NODE_E_OR:
        for (int i = 0; i < e->count; i++)
            if (!empties(g, e->kids[i])) return false;
        return true;
    case NODE_E_WHERE: return empties(g, e->kids[0]);
    default: return false;
    }
}

/* Could this take a piece? */
static bool takes(plain_game *g, const node *n) {
    if (!n) return false;
    uint8_t *m = &g->marks[n->id];
    if (*m & (MARK_TAKES | MARK_TAKES_NOT)) return *m & MARK_TAKES;
    if (*m & MARK_BUSY) return false;
    *m |= MARK_BUSY;
    bool yes = false, whole = true;
    switch (n->kind) {
    case NODE_A_TAKE: case NODE_A_PLACE: case NODE_A_SEND: yes = true; break;
    case NODE_A_STEP: yes = n->count < 3 || !empties(g, n->kids[2]); break;
    case NODE_A_SLIDE: case NODE_A_DROP: yes = n->count < 2 || !empties(g, n->kids[1]); break;
    case NODE_A_DO:
        whole = false;                                      /* a rule that calls itself: do not remember half an answer */
        for (int i = 0; i < g->rule_count && !yes; i++)
            if (n->kids[0]->text && !strcmp(g->rules[i].word, n->kids[0]->text)) yes = takes(g, g->rules[i].body);
        break;
    default:
        for (int i = 0; i < n->count && !yes; i++) {
            yes = takes(g, n->kids[i]);
            whole &= yes || !n->kids[i] || (g->marks[n->kids[i]->id] & MARK_TAKES_NOT);
        }
    }
    *m = (uint8_t)(*m & ~MARK_BUSY);
    if (yes || whole) *m = (uint8_t)(*m | (yes ? MARK_TAKES : MARK_TAKES_NOT));
    return yes;
}

static void probe_body(plain_game *g, sit t, const rule *r, const frame *k) {
    if (r->body->kind != NODE_A_CHOICE) {
        if (takes(g, r->body)) run_body(g, t, r, k, r->kind != NO_KIND, true);
        return;
    }
    for (int i = 0; i < r->body->count && !g->halt; i++) {
        rule one = *r;
        one.body = r->body->kids[i];
        if (takes(g, one.body)) run_body(g, t, &one, k, r->kind != NO_KIND, true);
    }
}

static void probe_rule(plain_game *g, sit t, const rule *r, const frame *k) {
    if (r->params && r->params->count) return;
    if (r->kind == NO_KIND || r->picks) {
        probe_body(g, t, r, k);
        return;
    }
    for (int c = 0; c < g->cell_count && !g->halt; c++) {
        const piece *x = piece_at(g, t.st, c);
        if (!x || x->owner != t.me || x->kind != r->kind) continue;
        t.here = t.start = c;
        probe_body(g, t, r, k);
    }
}

/* Could some rule of an enemy take a piece of the mover's, if one stood there? Inside such a question nothing is attacked. */
bool attacked(plain_game *g, const sit *s, int c) {
    if (s->probing || c < 0 || c >= g->cell_count) return false;
    asking a = ask(g);
    sit t = { .st = state_copy(g, s->st), .hist = s->hist, .here = NONE, .start = NONE, .it = NONE, .probing = true };
    t.st->under_count = 0;
    t.st->under_at = NONE;
    piece *x = piece_at(g, t.st, c);
    if (!x || x->owner != s->me) {
        t.st->height[c] = 1;
        x = &t.st->stack[c * g->pile];
        *x = piece_new(g, s->me, NO_KIND);
    }
    x->probe = 1;
    const frame *k = push(g, F_STOP, NULL, 2, NULL);
    for (int p = 0; p < g->player_count && !g->halt; p++) {
        if (p == s->me || (t.st->out >> p & 1)) continue;
        t.me = p;
        for (int i = 0; i < g->rule_count && !g->halt; i++) probe_rule(g, t, &g->rules[i], k);
    }
    return told(g, a);
}

/* ---- chance --------------------------------------------------------------------------------------------------------------------------- */
static bool random_pick(const node *n) { return (n->kind == NODE_A_PICK || n->kind == NODE_A_EACH) && (n->flags & FLAG_RANDOM); }

static bool choice_in(const plain_game *g, const node *n, int deep) {
    if (!n) return false;
    if (deep > 20) return true;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: case NODE_A_DROP: case NODE_A_CHOICE: case NODE_A_COMMIT: case NODE_A_BY: return true;
    case NODE_A_PICK: return !(n->flags & FLAG_RANDOM);
    case NODE_A_LOOP: if (n->count < 2 || !n->kids[1]) return true; break;
    case NODE_A_DO:
        for (int i = 0; i < g->rule_count; i++)
            if (n->kids[0]->text && !strcmp(g->rules[i].word, n->kids[0]->text) && (g->rules[i].kind != NO_KIND || choice_in(g, g->rules[i].body, deep + 1))) return true;
        return false;
    default: break;
    }
    for (int i = 0; i < n->count; i++)
        if (choice_in(g, n->kids[i], deep)) return true;
    return false;
}

static bool chance_in(const plain_game *g, const node *n, int deep) {
    if (!n || deep > 20) return false;
    if (n->kind == NODE_A_ROLL || random_pick(n)) return true;
    for (int i = 0; n->kind == NODE_A_DO && i < g->rule_count; i++)
        if (n->kids[0]->text && !strcmp(g->rules[i].word, n->kids[0]->text) && chance_in(g, g->rules[i].body, deep + 1)) return true;
    for (int i = 0; i < n->count; i++)
        if (chance_in(g, n->kids[i], deep)) return true;
    return false;
}

bool pure_chance(const plain_game *g, const node *n) { return !choice_in(g, n, 0) && chance_in(g, n, 0); }

static leaf **leaf_add(plain_game *g, leaf **end_of, sit s, const frame *k, uint64_t weight, const char *word) {
    leaf *l = heap_take(&g->fast, sizeof *l);
    *l = (leaf){ .s = s, .k = k, .num = weight, .den = 1, .text = word };
    *end_of = l;
    return &l->next;
}

/* ---- throws ------------------------------------------------------------------------------------------------------------------------------ */
typedef struct { plain_game *g; const sit *s; const frame *k; int which; bool bag; int n; int face[DICE_MAX]; uint64_t often[DICE_MAX]; int faces; int shown[DICE_MAX]; leaf **end_of; } throwing;

static void thrown(throwing *t, uint64_t weight) {
    plain_game *g = t->g;
    sit s = *t->s;
    text word = { 0 };
    s.st = state_copy(g, s.st);
    die *d = &s.st->dice[t->which];
    *d = (die){ .sort = t->bag ? 2 : 1, .n = t->n };
    for (int i = 0; i < t->n; i++) d->v[i] = t->shown[i], addf(&word, i ? " %d" : "%d", t->shown[i]);
    char *kept = heap_take(&g->fast, word.n + 1);
    if (word.s) strcpy(kept, word.s);
    free(word.s);
    t->end_of = leaf_add(g, t->end_of, s, t->k, weight, kept);
}

static uint64_t binomial(int n, int k) {
    uint64_t r = 1;
    for (int i = 1; i <= k; i++) r = r * (uint64_t)(n - k + i) / (uint64_t)i;
    return r;
}

/* `left` dice show face f or a smaller one; all multisets, largest first, with the number of throws that give them. */
static void throw_from(throwing *t, int f, int left, uint64_t weight) {
    if (!left) {
        thrown(t, weight);
        return;
    }
    if (f == t->faces) return;
    uint64_t power = 1;
    for (int i = 0; i <= left; i++) {
        if (i) t->shown[t->n - left + i - 1] = t->face[f], power *= t->often[f];
        throw_from(t, f + 1, left - i, weight * binomial(left, i) * power);
    }
}

static leaf *throws(plain_game *g, const sit *s, const frame *f) {
    const node *e = f->a->kids[0], *d = e;
    leaf *first = NULL;
    throwing t = { .g = g, .s = s, .k = f->next, .n = 1, .end_of = &first };
    if (e->kind == NODE_E_ROW) {
        t.bag = true;
        int64_t n = eval_number(g, s, e->kids[0]);
        if (n < 0 || n > 30) fail(g, e, "%lld dice cannot be thrown", (long long)n);
        t.n = (int)n;
        d = e->kids[e->count - 1];
    }
    const name *n = d->kind == NODE_E_NAME ? name_of(g, d) : NULL;
    if (!n || n->sort != N_DICE) fail(g, f->a, "`roll` wants dice");
    t.which = n->index;
    if (s->st->fixed[t.which].sort) {                       /* a test has said what they show */
        sit u = *s;
        u.st = state_copy(g, u.st);
        die *x = &u.st->dice[t.which], *y = &u.st->fixed[t.which];
        *x = *y;
        x->sort = t.bag ? 2 : 1;
        *y = (die){ 0 };
        for (int i = 0; i < x->n; i++)
            for (int j = i + 1; j < x->n; j++)
                if (x->v[j] > x->v[i]) {
                    int v = x->v[i];
                    x->v[i] = x->v[j], x->v[j] = v;
                }
        leaf_add(g, &first, u, f->next, 1, "fixed");
        return first;
    }
    const dice *c = &g->dice[t.which];
    for (int i = 0; i < c->n; i++) {
        int at = 0;
        while (at < t.faces && t.face[at] > c->faces[i]) at++;
        if (at < t.faces && t.face[at] == c->faces[i]) {
            t.often[at]++;
            continue;
        }
        memmove(&t.face[at + 1], &t.face[at], (size_t)(t.faces - at) * sizeof t.face[0]);
        memmove(&t.often[at + 1], &t.often[at], (size_t)(t.faces - at) * sizeof t.often[0]);
        t.face[at] = (int)c->faces[i], t.often[at] = 1, t.faces++;
    }
    throw_from(&t, 0, t.n, 1);
    return first;
}

/* ---- random picks and orders ----------------------------------------------------------------------------------------------------------------- */
static leaf *picks(plain_game *g, const sit *s, const frame *f) {
    leaf *first = NULL, **end_of = &first;
    for (int i = 0; i < f->count; i++) {
        sit t = *s;
        if (!strcmp(f->a->text, "here")) {
            for (int p = 0; p < universe(g, s); p++)
                if (set_has(&f->list[i].s, p)) t.here = p, t.start = p < g->places ? p : g->cell_count + place_zone(g, s->st, p);
            t.passed = (set){ 0 };
        } else {
            local *l = heap_take(&g->fast, sizeof *l);
            *l = (local){ f->a->text, f->list[i], t.locals };
            t.locals = l;
        }
        end_of = leaf_add(g, end_of, t, f->next, 1, show(g, s, &f->list[i]));
    }
    return first;
}

/* `each random`: any of those that are left comes next. */
static leaf *orders(plain_game *g, const sit *s, const frame *f) {
    leaf *first = NULL, **end_of = &first;
    for (int i = f->i; i < f->count; i++) {
        val *list = heap_take(&g->fast, (size_t)(f->count + 1) * sizeof *list);
        memcpy(list, f->list, (size_t)f->count * sizeof *list);
        val x = list[i];
        memmove(&list[f->i + 1], &list[f->i], (size_t)(i - f->i) * sizeof *list);
        list[f->i] = x;
        frame *rest = (frame *)(uintptr_t)push(g, F_EACH, f->a, f->i + 1, f->next);
        rest->count = f->count, rest->list = list;
        sit t = *s;
        local *l = heap_take(&g->fast, sizeof *l);
        *l = (local){ f->a->text, x, t.locals };
        t.locals = l;
        end_of = leaf_add(g, end_of, t, push(g, F_DO, f->a->kids[1], 0, rest), 1, show(g, s, &x));
    }
    return first;
}

/* ---- a chance again and again until something holds -------------------------------------------------------------------------------------------- */
static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b, b = r;
    }
    return a ? a : 1;
}

static const char *joined(plain_game *g, const char *a, const char *b) {
    if (!*a) return b;
    if (!*b) return a;
    char *s = heap_take(&g->fast, strlen(a) + strlen(b) + 2);
    sprintf(s, "%s %s", a, b);
    return s;
}

static leaf **leaves_of(plain_game *g, outcome *list, uint64_t num, uint64_t den, const char *word, leaf **end_of, int deep);

static leaf **leaves_after(plain_game *g, const sit *s, const frame *k, uint64_t num, uint64_t den, const char *word, leaf **end_of, int deep) {
    outcome *mine = NULL, *first = g->outcomes, **tail = g->outcome_end;
    size_t count = g->outcome_count, runs = g->run_count;
    bool exists = g->exists, halt = g->halt;
    if (deep > 30) fail(g, NULL, "chance goes on without end");
    g->outcome_end = &mine, g->exists = false, g->halt = false;
    resume(g, *s, k);
    g->outcomes = first, g->outcome_end = tail, g->outcome_count = count, g->run_count = runs, g->exists = exists, g->halt = halt;
    return leaves_of(g, mine, num, den, word, end_of, deep);
}

static leaf **leaves_of(plain_game *g, outcome *list, uint64_t num, uint64_t den, const char *word, leaf **end_of, int deep) {
    for (outcome *o = list; o; o = o->next) {
        if (o->kind == O_TEST) {
            end_of = leaf_add(g, end_of, o->s, NULL, num, word);
            leaf *l = (leaf *)(void *)((char *)end_of - offsetof(leaf, next));
            l->den = den;
            continue;
        }
        if (o->kind != O_CHANCE) fail(g, NULL, "plain: chance made a decision");
        leaf *inner = chances(g, &o->s, o->k);
        uint64_t total = 0;
        for (leaf *l = inner; l; l = l->next) total += l->num;
        for (leaf *l = inner; l; l = l->next) {
            uint64_t n = num * l->num, d = den * total, c = d >> 32 ? gcd(n, d) : 1;
            end_of = leaves_after(g, &l->s, l->k, n / c, d / c, joined(g, word, l->text), end_of, deep + 1);
        }
    }
    return end_of;
}

static leaf *until(plain_game *g, const sit *s, const frame *f) {
    leaf *all = NULL, *kept = NULL, **end_of = &kept;
    const node *body = f->a->kids[0];
    leaves_after(g, s, push(g, F_DO, body, 0, push(g, F_TEST_END, NULL, 0, NULL)), 1, 1, "", &all, 0);
    uint64_t common = 1;
    for (leaf *l = all; l; l = l->next) {
        sit t = l->s;
        t.log = s->log;
        if (!truth(g, &t, f->a->kids[1])) continue;
        end_of = leaf_add(g, end_of, t, f->next, l->num, l->text);
        leaf *x = (leaf *)(void *)((char *)end_of - offsetof(leaf, next));
        x->den = l->den;
        common = common / gcd(common, l->den) * l->den;
    }
    for (leaf *l = kept; l; l = l->next) l->num *= common / l->den, l->den = 1;
    return kept;
}

/* ---- what is seen with a chance event ------------------------------------------------------------------------------------------------------ */
static bool shown(const node *n, bool outermost) {
    if (!n || n->kind == NODE_A_NOTHING) return true;
    if (n->kind == NODE_A_LET) return outermost;
    if (n->kind == NODE_A_IF) return shown(n->kids[1], false) && (n->count < 3 || shown(n->kids[2], false));
    if (n->kind != NODE_A_SEQUENCE) return is_effect(n->kind) && n->kind != NODE_A_RANK;
    for (int i = 0; i < n->count; i++)
        if (!shown(n->kids[i], false)) return false;
    return true;
}

static bool ends_with(const plain_game *g, const node *n, const node *a) {
    return n == a || (n->kind == NODE_A_SEQUENCE && n->count && !owns_prefer(g, n) && ends_with(g, n->kids[n->count - 1], a));
}

static void do_shown(plain_game *g, sit *s, const node *n) {
    if (!n || n->kind == NODE_A_NOTHING) return;
    if (n->kind == NODE_A_LET) name_bind(g, s, n->text, eval(g, s, n->kids[0]));
    else if (n->kind == NODE_A_IF) do_shown(g, s, truth(g, s, n->kids[0]) ? n->kids[1] : n->count > 2 ? n->kids[2] : NULL);
    else if (n->kind == NODE_A_SEQUENCE)
        for (int i = 0; i < n->count; i++) do_shown(g, s, n->kids[i]);
    else {
        settle(g, s);
        effect(g, s, n);
    }
}

/* The effects right behind a chance event happen with it, but for blocks that prefer something. */
static leaf *with_effects(plain_game *g, const node *a, leaf *all) {
    for (leaf *l = all; l; l = l->next) {
        const frame *k = l->k;
        bool prefers = false;
        for (const frame *f = k; f; f = f->next) prefers |= f->kind == F_BLOCK_END;
        if (prefers || !k || k->kind != F_REST || !k->i || !ends_with(g, k->a->kids[k->i - 1], a)) continue;
        int i = k->i;
        for (; i < k->a->count && shown(k->a->kids[i], true); i++) do_shown(g, &l->s, k->a->kids[i]);
        if (i > k->i) l->k = push(g, F_REST, k->a, i, k->next);
    }
    return all;
}

leaf *chances(plain_game *g, const sit *s, const frame *f) {
    switch (f->a->kind) {
    case NODE_A_ROLL: return with_effects(g, f->a, throws(g, s, f));
    case NODE_A_PICK: return with_effects(g, f->a, picks(g, s, f));
    case NODE_A_EACH: return orders(g, s, f);
    default: return until(g, s, f);
    }
}
