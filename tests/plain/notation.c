/* Moves as texts, and texts as moves (docs/language.md, section 7).
 *
 * A run leaves tokens: where a walk began, where it landed, what was picked, which rules were called, and when something was taken.
 * A walk is written as one word, `c3xe5xg7`; it has `x` if a landing displaced something, or if something was taken before the
 * walk's rule was over and before anything else was picked. Picks of directions that a later leg or drop follows are left out. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static char *copy(const char *s) {
    if (!s) return NULL;
    char *p = malloc(strlen(s) + 1);
    if (!p) abort();
    return strcpy(p, s);
}

phrase phrase_of(const token *log) {
    phrase p = { 0 };
    for (const token *t = log; t; t = t->before) p.count++;
    p.words = calloc(p.count + 1, sizeof *p.words);
    if (!p.words) abort();
    size_t i = p.count;
    for (const token *t = log; t; t = t->before) p.words[--i] = (spoken){ t->sort, copy(t->text), copy(t->letter), copy(t->kind), t->named };
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

static bool begins_walk(token_sort s) { return s == T_FROM || s == T_DROP; }

/* One past the last landing of the walk that begins at i; i + 1 if it never lands. */
static size_t walk_end(const phrase *p, size_t i) {
    size_t last = i + 1;
    for (size_t j = i + 1; j < p->count && !begins_walk(p->words[j].sort); j++)
        if (p->words[j].sort == T_TO) last = j + 1;
    return last;
}

static bool walk_took(const phrase *p, size_t i) {
    bool past_it = false, landed = false;
    for (size_t j = i + 1; j < p->count && !begins_walk(p->words[j].sort); j++) {
        token_sort s = p->words[j].sort;
        if (s == T_TO) landed = true, past_it = false;
        if (s == T_LANDED_ON && landed) return true;
        if (s == T_TOOK && landed && !past_it) return true;
        if (s == T_END || (landed && (s == T_PICK || s == T_KIND))) past_it = true;
    }
    return false;
}

static bool lands_later(const phrase *p, size_t i) {
    for (size_t j = i + 1; j < p->count; j++)
        if (p->words[j].sort == T_TO || p->words[j].sort == T_DROP) return true;
    return false;
}

static void space(text *t) {
    if (t->n) add(t, " ");
}

static void walk_text(const phrase *p, size_t i, text *t) {
    const spoken *w = &p->words[i];
    size_t end_of = walk_end(p, i);
    bool took = walk_took(p, i);
    space(t);
    if (w->sort == T_DROP && w->named) addf(t, "%s@", w->kind);
    add(t, w->text);
    for (size_t j = i + 1; j < end_of; j++)
        if (p->words[j].sort == T_TO) addf(t, "%s%s", took ? "x" : "-", p->words[j].text);
}

char *phrase_text(const phrase *p, bool full) {
    text t = { 0 };
    bool stop = false;
    for (size_t i = 0; i < p->count; i++) {
        const spoken *w = &p->words[i];
        switch (w->sort) {
        case T_FROM: case T_DROP: walk_text(p, i, &t); break;
        case T_DIRECTION: if (!full && lands_later(p, i)) break; /* fall through */
        case T_PICK: case T_PASS: space(&t), add(&t, w->text); break;
        case T_KIND: if (t.n) add(&t, "="); add(&t, w->text); break;
        case T_STOP: stop = true; break;
        default: break;
        }
    }
    if (!t.n && stop) add(&t, "stop");
    return steal(&t);
}

static bool calls(const phrase *p, const char *rule_word) {
    for (size_t i = 0; i < p->count; i++)
        if (p->words[i].sort == T_RULE && !strcmp(p->words[i].text, rule_word)) return true;
    return false;
}

const char *phrase_rule(const phrase *p, const phrase *const *others, size_t count) {
    for (size_t i = 0; i < p->count; i++) {
        if (p->words[i].sort != T_RULE) continue;
        for (size_t j = 0; j < count; j++)
            if (!calls(others[j], p->words[i].text)) return p->words[i].text;
    }
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------------- */
static bool is_separator(char c) { return c && strchr("-x=@, ;", c) != NULL; }

typedef struct { const phrase *p; const char *text; size_t left_out, least; bool found; } reading;

static bool cellish(token_sort s) { return s == T_FROM || s == T_TO || s == T_DROP; }

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

static bool separator_suits(const phrase *p, size_t i, char c) {
    if (p->words[i].sort != T_TO || (c != 'x' && c != '-')) return true;
    size_t from = i;
    while (from > 0 && !begins_walk(p->words[from].sort)) from--;
    return walk_took(p, from) == (c == 'x');
}

static bool written(token_sort s) { return s <= T_PASS || s == T_RULE; }

static void read_on(reading *r, const char *s, size_t i, char sep, bool last_was_cell, size_t last) {
    const phrase *p = r->p;
    if (!*s) {
        for (size_t j = last + 1; last_was_cell && j < p->count; j++)
            if (cellish(p->words[j].sort)) return;
        size_t left = r->left_out;
        for (size_t j = i; j < p->count; j++) left += written(p->words[j].sort) && p->words[j].sort != T_RULE;
        if (!r->found || left < r->least) r->least = left;
        r->found = true;
        return;
    }
    for (; i < p->count; i++) {
        const spoken *w = &p->words[i];
        if (!written(w->sort)) continue;
        size_t n = token_spelled(s, w);
        if (n && separator_suits(p, i, sep)) {
            const char *rest = s + n;
            char c = 0;
            while (is_separator(*rest)) {
                if (!c || c == ' ') c = *rest;
                rest++;
                if (c == 'x' && *rest == 'x') break;
            }
            read_on(r, rest, i + 1, c, cellish(w->sort), i);
        }
        r->left_out += w->sort != T_RULE;
    }
}

bool phrase_fits(const phrase *p, const char *s, size_t *left_out) {
    reading r = { .p = p, .text = s };
    while (*s == ' ') s++;
    if (!strcmp(s, "stop")) {
        bool stop = false, other = false;
        for (size_t i = 0; i < p->count; i++) stop |= p->words[i].sort == T_STOP, other |= p->words[i].sort <= T_PASS;
        *left_out = 0;
        return !other && stop;
    }
    size_t before = 0;
    read_on(&r, s, 0, 0, false, before);
    *left_out = r.least;
    return r.found;
}
