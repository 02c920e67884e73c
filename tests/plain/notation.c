/* Moves as texts, and texts as moves (docs/language.md, section 7).
 *
 * A run leaves tokens: where a walk began, where it landed, what was picked, which rules were called, and when something was taken.
 * A walk is written as one word, `c3xe5xg7`. A landing has `x` if it displaced something, or if the walk's rule took a piece that
 * this leg had passed, be it later; what the rule takes elsewhere counts for the last landing, if nothing was picked in between.
 * Picks of directions that a later leg or drop follows are left out. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static char *copy(const char *s) {
    if (!s) return NULL;
    char *p = malloc(strlen(s) + 1);
    if (!p) abort();
    return strcpy(p, s);
}

static bool begins_walk(token_sort s) { return s == T_FROM || s == T_DROP; }

/* Which landing took what was taken at token j? */
static void attribute(spoken *w, const token *const *tokens, size_t j) {
    const set *cells = tokens[j]->cells;
    bool other = false;
    for (int c = 0; cells && c < cells->words * 64; c++) {
        if (!set_has(cells, c)) continue;
        bool found = false;
        for (size_t i = j; !found && i-- > 0 && w[i].sort != T_END && !begins_walk(w[i].sort);)
            if (w[i].sort == T_TO && tokens[i]->cells && set_has(tokens[i]->cells, c)) w[i].took = found = true;
        other |= !found;
    }
    for (size_t i = j; (other || !cells) && i-- > 0 && w[i].sort != T_END && !begins_walk(w[i].sort);) {
        if (cells && (w[i].sort == T_PICK || w[i].sort == T_KIND)) return;
        if (w[i].sort != T_TO) continue;
        w[i].took = true;
        return;
    }
}

/* Does a later leg or drop show a direction picked at i? */
static bool shown_later(const phrase *p, size_t i) {
    for (size_t j = i + 1; j < p->count; j++)
        if (p->words[j].sort == T_TO || p->words[j].sort == T_DROP) return true;
    return false;
}

/* Landings stand where their walk begins, before what was picked on the way. */
static void in_one_go(phrase *p) {
    for (size_t i = 0; i < p->count; i++)
        if (p->words[i].sort == T_DIRECTION) p->words[i].took = shown_later(p, i);
    size_t at = 0;                              /* where the next landing of the walk at hand belongs; 0: no walk yet */
    for (size_t i = 0; i < p->count; i++) {
        spoken w = p->words[i];
        if (begins_walk(w.sort)) at = i + 1;
        if (w.sort != T_TO || !at) continue;
        memmove(&p->words[at + 1], &p->words[at], (i - at) * sizeof w);
        p->words[at++] = w;
    }
}

phrase phrase_of(const token *log) {
    phrase p = { 0 };
    for (const token *t = log; t; t = t->before) p.count++;
    p.words = calloc(p.count + 1, sizeof *p.words);
    const token **tokens = calloc(p.count + 1, sizeof *tokens);
    if (!p.words || !tokens) abort();
    size_t i = p.count;
    for (const token *t = log; t; t = t->before) {
        tokens[--i] = t;
        p.words[i] = (spoken){ t->sort, copy(t->text), copy(t->letter), copy(t->kind), t->named, false };
    }
    for (i = 0; i < p.count; i++)
        if (p.words[i].sort == T_TOOK || p.words[i].sort == T_LANDED_ON) attribute(p.words, tokens, i);
    free(tokens);
    in_one_go(&p);
    return p;
}

void phrase_drop(phrase *p) {
    for (size_t i = 0; i < p->count; i++) {
        free(p->words[i].text);
        free(p->words[i].letter);
        free(p->words[i].kind);
    }
    free(p->words);
    *p = (phrase){ 0 };
}

static void space(text *t) {
    if (t->n) add(t, " ");
}

/* The landings of the walk that begins at i. */
static void landings(const phrase *p, size_t i, text *t) {
    for (size_t j = i + 1; j < p->count && !begins_walk(p->words[j].sort); j++)
        if (p->words[j].sort == T_TO) addf(t, "%s%s", p->words[j].took ? "x" : "-", p->words[j].text);
}

/* What `written` says, in one text; "" if nothing. */
static char *written_text(const phrase *p) {
    text t = { 0 };
    add(&t, "");
    for (size_t i = 0; i < p->count; i++)
        if (p->words[i].sort == T_WRITTEN) add(&t, p->words[i].text);
    return steal(&t);
}

/* A walk is written in one go where it begins; then come the other picks, in order. */
char *phrase_text(const phrase *p, bool directions) {
    text t = { 0 };
    char *said = written_text(p);
    add(&t, said);
    bool done = *said && !directions;
    free(said);
    if (done) return steal(&t);
    for (size_t i = 0; i < p->count; i++) {
        const spoken *w = &p->words[i];
        switch (w->sort) {
        case T_FROM: space(&t), add(&t, w->text), landings(p, i, &t); break;
        case T_DROP:
            space(&t);
            if (w->named) addf(&t, "%s@", w->kind);
            add(&t, w->text), landings(p, i, &t);
            break;
        case T_DIRECTION: if (!directions && w->took) break; /* fall through */
        case T_PICK: case T_PASS: space(&t), add(&t, w->text); break;
        case T_KIND: if (t.n) add(&t, "="); add(&t, w->text); break;
        default: break;
        }
    }
    if (!t.n) add(&t, "stop");
    return steal(&t);
}

static size_t calls(const phrase *p, const char *rule_word, size_t upto) {
    size_t n = 0;
    for (size_t i = 0; i < upto; i++) n += p->words[i].sort == T_RULE && !strcmp(p->words[i].text, rule_word);
    return n;
}

/* The rules that a run called and not all of the others did (or not so often), in order. */
char *phrase_rules(const phrase *p, const phrase *const *others, size_t count) {
    text t = { 0 };
    for (size_t i = 0; i < p->count; i++) {
        if (p->words[i].sort != T_RULE) continue;
        size_t before = calls(p, p->words[i].text, i);
        bool all = true;
        for (size_t j = 0; j < count; j++) all &= calls(others[j], p->words[i].text, others[j]->count) > before;
        if (!all) space(&t), add(&t, p->words[i].text);
    }
    return steal(&t);
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------------- */
static bool is_separator(char c) { return c && strchr("-x=@, ;", c) != NULL; }

typedef struct { const phrase *p; size_t left_out, least; bool found, named; } reading;

/* The length of what the text has of this token at `s`, 0 if it is not there; a word must end where the token does. */
static size_t spelled(const char *s, const char *w) {
    size_t n = w ? strlen(w) : 0;
    if (!n || strncmp(s, w, n) != 0) return 0;
    return !s[n] || is_separator(s[n]) ? n : 0;
}

static size_t drop_spelled(const char *s, const spoken *w) {
    const char *names_of[] = { w->kind, w->letter };
    for (int i = 0; i < 2; i++) {
        size_t n = names_of[i] ? strlen(names_of[i]) : 0;
        if (n && !strncmp(s, names_of[i], n) && s[n] == '@' && spelled(s + n + 1, w->text)) return n + 1 + strlen(w->text);
    }
    return spelled(s, w->text);
}

static size_t token_spelled(const char *s, const spoken *w) {
    if (w->sort == T_DROP) return drop_spelled(s, w);
    size_t n = spelled(s, w->text);
    if (n || !w->text) return n;
    if (w->sort == T_KIND && w->letter) n = spelled(s, w->letter);
    const char *slash = w->sort == T_PICK ? strchr(w->text, '/') : NULL;
    if (slash && !strncmp(s, w->text, (size_t)(slash - w->text)) && (!s[slash - w->text] || is_separator(s[slash - w->text]))) n = (size_t)(slash - w->text);
    return n;
}

/* `x` stands before a landing that took something, itself or in the landings left out before it. */
static bool separator_suits(const phrase *p, size_t i, size_t from, char c) {
    if (p->words[i].sort != T_TO || (c != 'x' && c != '-')) return true;
    bool took = false;
    for (size_t j = from; j <= i; j++) took |= p->words[j].took;
    return took == (c == 'x');
}

static bool cellish(token_sort s) { return s == T_FROM || s == T_TO || s == T_DROP; }
static bool written(token_sort s) { return s <= T_PASS; }

static const spoken *next_cell(const phrase *p, size_t i) {
    for (size_t j = i + 1; j < p->count; j++)
        if (cellish(p->words[j].sort)) return &p->words[j];
    return NULL;
}

/* What may be left out: where a walk began, landings that are not its last (a walk that begins where one ended continues it), and
 * picks; after a rule's name, whatever can be missed. */
static bool may_be_left_out(const phrase *p, size_t i) {
    const spoken *w = &p->words[i], *other;
    switch (w->sort) {
    case T_TO: other = next_cell(p, i); return other && (other->sort == T_TO || (other->sort == T_FROM && !strcmp(other->text, w->text)));
    case T_DROP: return false;
    default: return true;
    }
}

static bool is_place(token_sort t) { return t == T_FROM || t == T_TO || t == T_DROP; }

/* The length of a place written as one word with a later one, as in e2e4; 0 if it is not there. */
static size_t glued(const phrase *p, size_t i, const char *s) {
    const spoken *w = &p->words[i];
    size_t n = w->text ? strlen(w->text) : 0;
    if (!n || !is_place(w->sort) || strncmp(s, w->text, n)) return 0;
    for (size_t j = i + 1; j < p->count; j++) {
        const char *next = is_place(p->words[j].sort) ? p->words[j].text : NULL;
        if (next && *next && !strncmp(s + n, next, strlen(next))) return n;
    }
    return 0;
}

/* The text from s on is what tokens from i on say; `from` is one past the last token that was spelled out. */
static void read_on(reading *r, const char *s, size_t i, size_t from, char sep) {
    const phrase *p = r->p;
    size_t was = r->left_out;
    for (;; i++) {
        while (i < p->count && !written(p->words[i].sort)) i++;
        if (i >= p->count) break;
        size_t n = token_spelled(s, &p->words[i]);
        if (n && separator_suits(p, i, from, sep)) {
            const char *rest = s + n;
            char c = 0;
            while (is_separator(*rest)) {
                if (!c || c == ' ') c = *rest;
                rest++;
                if (c == 'x' && *rest == 'x') break;
            }
            read_on(r, rest, i + 1, i + 1, c);
        }
        if (!n && (n = glued(p, i, s)) && separator_suits(p, i, from, sep)) read_on(r, s + n, i + 1, i + 1, '-');
        if (!r->named && !may_be_left_out(p, i)) {
            r->left_out = was;
            return;
        }
        r->left_out++;
    }
    if (!*s && (!r->found || r->left_out < r->least)) r->found = true, r->least = r->left_out;
    r->left_out = was;
}

static bool says_stop(const phrase *p) {
    bool stop = false, other = false;
    for (size_t i = 0; i < p->count; i++) stop |= p->words[i].sort == T_STOP, other |= p->words[i].sort <= T_PASS;
    return !other && stop;
}

/* The text without `stop` behind it, if the phrase stops; malloc'd. NULL if that is not so. */
static char *stopping(const phrase *p, const char *s) {
    size_t n = strlen(s);
    bool stop = false;
    for (size_t i = 0; i < p->count; i++) stop |= p->words[i].sort == T_STOP;
    if (!stop || n < 6 || strcmp(s + n - 5, " stop")) return NULL;
    char *t = copy(s);
    t[n - 5] = '\0';
    return t;
}

bool phrase_fits(const phrase *p, const char *s, size_t *left_out) {
    reading r = { .p = p };
    while (*s == ' ') s++;
    char *said = written_text(p);
    bool same = *said && !strcmp(said, s);
    free(said);
    if (same) return *left_out = 0, true;
    if (!strcmp(s, "stop") && says_stop(p)) return *left_out = 0, true;
    char *going_on = stopping(p, s);
    if (going_on) s = going_on;
    read_on(&r, s, 0, 0, 0);
    r.named = true;
    for (size_t i = 0; i < p->count; i++) {                 /* a rule's name before it */
        size_t n = p->words[i].sort == T_RULE ? spelled(s, p->words[i].text) : 0;
        if (!n) continue;
        const char *rest = s + n;
        while (*rest == ' ') rest++;
        if (!*rest) r.found = true;
        else read_on(&r, rest, 0, 0, 0);
    }
    free(going_on);
    *left_out = r.least;
    return r.found;
}
