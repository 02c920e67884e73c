/* The `test` blocks of a file. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

typedef struct {
    const tree *t;
    FILE *out;
    const char *title;
    size_t passed, failed;
    plain_setting settings[64]; size_t setting_count;
    plain_game *g;
    plain_position *p;
    plain_node *n;              /* what can happen in p, once it was asked */
    bool stale;                 /* options were set since the game was opened */
} bench;

static void forget_moves(bench *b) {
    plain_node_free(b->n);
    b->n = NULL;
}

static void wrong(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(bench *b, const char *format, ...) {
    va_list list;
    b->failed++;
    fprintf(b->out, "%s: \"%s\": ", b->t->path, b->title);
    va_start(list, format);
    vfprintf(b->out, format, list);
    va_end(list);
    fputc('\n', b->out);
}

static void list_moves(const bench *b) {
    fputs("    moves:", b->out);
    for (size_t i = 0; b->n && i < b->n->count && i < 60; i++) fprintf(b->out, " %s%s", b->n->outcomes[i].text, i + 1 < b->n->count ? "," : "");
    fputc('\n', b->out);
}

static bool open_game(bench *b) {
    char *why;
    forget_moves(b);
    plain_free(b->p);
    plain_close(b->g);
    b->stale = false;
    b->p = NULL;
    b->g = plain_open(b->t, b->settings, b->setting_count, 0, &why);
    if (!b->g) wrong(b, "%s", why ? why : "?");
    if (!b->g) free(why);
    return b->g != NULL;
}

static bool have_position(bench *b) {
    if (!b->p) b->p = plain_start(b->g, 1);
    if (!b->p) wrong(b, "%s", plain_error(b->g) ? plain_error(b->g) : "no start");
    return b->p != NULL;
}

/* The moves at hand; chance with one outcome happens by itself. */
static bool look(bench *b) {
    while (!b->n) {
        b->n = plain_expand(b->p);
        if (!b->n) {
            wrong(b, "%s", plain_error(b->g));
            return false;
        }
        if (b->n->kind != PLAIN_CHANCE || b->n->count != 1) break;
        plain_position *q = b->n->outcomes[0].after;
        b->n->outcomes[0].after = NULL;
        forget_moves(b);
        plain_free(b->p);
        b->p = q;
    }
    return true;
}

static bool moves_at_hand(bench *b) {
    if (!have_position(b) || !look(b)) return false;
    if (b->n->kind != PLAIN_CHANCE) return true;
    wrong(b, "the test does not say what the dice show");
    return false;
}

static void check_legal(bench *b, const node *c, bool legal) {
    if (!moves_at_hand(b)) return;
    bool some = false;
    for (size_t i = 0; i < b->n->count; i++) some |= plain_fits(b->n, i, c->text);
    if (some == legal) b->passed++;
    else {
        wrong(b, "%s \"%s\"", legal ? "legal" : "illegal", c->text);
        list_moves(b);
    }
}

static bool play_one(bench *b, const char *m) {
    if (!moves_at_hand(b)) return false;
    int i = plain_find(b->n, m);
    if (i < 0) {
        wrong(b, "after \"%s\": %s", m, i == -1 ? "no move fits" : "several moves fit");
        list_moves(b);
        return false;
    }
    plain_position *q = b->n->outcomes[i].after;
    b->n->outcomes[i].after = NULL;
    forget_moves(b);
    plain_free(b->p);
    b->p = q;
    jmp_buf here;
    b->g->out = &here;
    begin_guard(b->g);
    if (!setjmp(here)) settle_inside(b->p);
    else wrong(b, "after \"%s\": %s", m, plain_error(b->g));
    b->g->out = NULL;
    return true;
}

static void check_after(bench *b, const node *c) {
    char one[400];
    const char *s = c->text;
    while (*s) {
        const char *stop = strstr(s, "; ");
        size_t n = stop ? (size_t)(stop - s) : strlen(s);
        if (n >= sizeof one) n = sizeof one - 1;
        memcpy(one, s, n);
        one[n] = 0;
        if (!play_one(b, one)) return;
        s = stop ? stop + 2 : s + strlen(s);
    }
    b->passed++;
}

static bool mentions(const node *n, const char *w) {
    if (!n) return false;
    if (n->kind == NODE_E_NAME && !strcmp(n->text, w)) return true;
    for (int i = 0; i < n->count; i++)
        if (mentions(n->kids[i], w)) return true;
    return false;
}

/* `expect perft 3 = 8902` */
static bool check_perft(bench *b, const node *e) {
    const node *row = e->kind == NODE_E_COMPARE && !strcmp(e->text, "=") && e->kids[0]->kind == NODE_E_ROW && e->kids[0]->count == 2 ? e->kids[0] : NULL;
    if (!row || row->kids[0]->kind != NODE_E_NAME || strcmp(row->kids[0]->text, "perft") || e->kids[1]->kind != NODE_E_NUMBER) return false;
    uint64_t n = plain_perft(b->p, (int)row->kids[1]->value, (plain_how){ 0 });
    if (n == (uint64_t)e->kids[1]->value) b->passed++;
    else wrong(b, "perft %lld is %llu", (long long)row->kids[1]->value, (unsigned long long)n);
    return true;
}

/* `expect throughout(20, C)`: here a few short games, always with the first, the last or the middle move, are enough. */
static bool check_throughout(bench *b, const node *e) {
    if (e->kind != NODE_E_CALL || strcmp(e->text, "throughout") || e->count != 2) return false;
    char *from = plain_state_text(b->p);
    const size_t failed = b->failed;
    for (int game = 0; game < 3 && b->failed == failed; game++) {
        for (int i = 0; i < 8 && look(b); i++) {
            b->g->test_moves = b->n->kind == PLAIN_DECISION ? (int64_t)b->n->count : 0;
            jmp_buf here;
            volatile bool so = false;
            b->g->out = &here;
            begin_guard(b->g);
            if (!setjmp(here)) so = b->n->kind == PLAIN_CHANCE || position_holds(b->p, e->kids[1]);
            b->g->out = NULL;
            b->g->test_moves = -1;
            if (!so) { wrong(b, "throughout: not so after %d decisions", i); break; }
            if (!b->n->count) break;
            size_t k = game == 0 ? 0 : game == 1 ? b->n->count - 1 : b->n->count / 2;
            plain_position *q = b->n->outcomes[k].after;
            b->n->outcomes[k].after = NULL;
            forget_moves(b);
            plain_free(b->p);
            b->p = q;
        }
        forget_moves(b);
        plain_free(b->p);
        b->p = plain_read(b->g, from);
        if (!b->p) break;
    }
    free(from);
    if (b->failed == failed) b->passed++;
    return true;
}

static void check_expect(bench *b, const node *c) {
    if (!have_position(b)) return;
    if (check_perft(b, c->kids[0]) || check_throughout(b, c->kids[0])) return;
    bool moves = mentions(c->kids[0], "moves");
    if (moves && !moves_at_hand(b)) return;
    if ((mentions(c->kids[0], "winner") || mentions(c->kids[0], "drawn")) && !look(b)) return;
    b->g->test_moves = moves ? (int64_t)b->n->count : -1;
    jmp_buf here;
    volatile bool holds = false, failed = false;
    b->g->out = &here;
    begin_guard(b->g);
    if (!setjmp(here)) holds = position_holds(b->p, c->kids[0]);
    else failed = true;
    b->g->out = NULL;
    b->g->test_moves = -1;
    if (failed) wrong(b, "expect: %s", plain_error(b->g));
    else if (holds) b->passed++;
    else {
        char *code = node_print(c->kids[0]);
        wrong(b, "expect %s", code ? code : "?");
        free(code);
        char *s = plain_state_text(b->p);
        fprintf(b->out, "    %s\n", s);
        free(s);
        if (moves) list_moves(b);
    }
}

static void make_position(bench *b, const node *c) {
    volatile int player = NONE;
    forget_moves(b);
    plain_free(b->p);
    b->p = NULL;
    for (int p = 0; p < plain_players(b->g); p++)
        if (!strcmp(plain_player(b->g, p), c->text)) player = p;
    jmp_buf here;
    volatile bool failed = player == NONE;
    b->g->out = &here;
    begin_guard(b->g);
    if (!failed && !setjmp(here)) b->p = position_made(b->g, player, c->kids[0]);
    else failed = true;
    b->g->out = NULL;
    if (failed) wrong(b, "turn %s: %s", c->text, plain_error(b->g) ? plain_error(b->g) : "no such player");
}

static void set_option(bench *b, const node *c) {
    b->stale = true;
    static char digits[64][24];
    const node *v = c->kids[0];
    if (b->setting_count == 64) return;
    plain_setting *s = &b->settings[b->setting_count];
    s->name = c->text;
    s->value = v->text;
    if (v->kind == NODE_E_NUMBER || v->kind == NODE_E_MINUS) {
        snprintf(digits[b->setting_count], 24, "%lld", (long long)(v->kind == NODE_E_MINUS ? -v->kids[0]->value : v->value));
        s->value = digits[b->setting_count];
    }
    b->setting_count++;
}

static void set_preset(bench *b, const node *c) {
    for (int i = 0; i < b->t->root->count; i++) {
        const node *n = b->t->root->kids[i];
        if (n->kind != NODE_I_PRESET || strcmp(n->text, c->text)) continue;
        for (int j = 1; j < n->count; j++) set_option(b, n->kids[j]);
        return;
    }
    wrong(b, "no preset '%s'", c->text);
}

static void check(bench *b, const node *c) {
    bool sets = c->kind == NODE_T_OPTION || c->kind == NODE_T_PRESET;
    if (!sets && b->stale && !open_game(b)) return;
    switch (c->kind) {
    case NODE_T_AT: make_position(b, c); break;
    case NODE_T_AFTER: check_after(b, c); break;
    case NODE_T_LEGAL: check_legal(b, c, true); break;
    case NODE_T_ILLEGAL: check_legal(b, c, false); break;
    case NODE_T_OPTION: set_option(b, c); break;
    case NODE_T_PRESET: set_preset(b, c); break;
    default: check_expect(b, c); break;
    }
}

size_t plain_test(const tree *t, FILE *out, size_t *passed) {
    bench b = { .t = t, .out = out };
    for (int i = 0; i < t->root->count; i++) {
        const node *n = t->root->kids[i];
        if (n->kind != NODE_I_TEST) continue;
        b.title = n->text;
        b.setting_count = 0;
        if (!open_game(&b)) continue;
        for (int j = 0; j < n->count && b.g; j++) check(&b, n->kids[j]);
    }
    forget_moves(&b);
    plain_free(b.p);
    plain_close(b.g);
    *passed = b.passed;
    return b.failed;
}
