/* The words of a run.
 *
 * The machine's trace gives tokens: where a walk began, where it landed and what it passed, what was picked, dropped and taken, which
 * rules were called. A landing has `x` if it displaced something, or if the walk's rule took a piece that this leg had passed, be it
 * later; what the rule takes elsewhere (en passant) counts for the last landing, unless something was picked in between. What the
 * turn takes when the rule is over gives no `x`.
 *
 * A typed text fits if its words stand among those of the run, in order. Left out may be: where a walk begins, landings that are not
 * its last, picks; with a rule's name given, anything. Separators are not strict, but `x` says that something was taken. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "phrase.h"

static void *must(void *p) { if (!p) abort(); return p; }

typedef struct { char *text; size_t length, capacity; } buffer;

static void add(buffer *b, const char *t)
{
    size_t n = strlen(t);
    if (b->length + n + 1 > b->capacity) { b->capacity = 2 * (b->length + n) + 32; b->text = must(realloc(b->text, b->capacity)); }
    memcpy(b->text + b->length, t, n + 1);
    b->length += n;
}

static void add_space(buffer *b) { if (b->length) add(b, " "); }

/* ---- names ------------------------------------------------------------------------------------------------------------------------------------ */
const char *place_text(const game *g, int place)
{
    if (place < 0) return "-";
    if (place < g->cells) return g->cell[place].name;
    return g->zone_of[place] >= 0 ? g->zones[g->zone_of[place]].name : "taken";
}

static const char *kind_text(const game *g, int k) { return k >= 0 && k < g->kind_count ? g->kinds[k].name : "?"; }

/* A text that the phrase keeps. */
static const char *stored(phrase *p, char *text)
{
    p->store = must(realloc(p->store, (p->stored + 1) * sizeof *p->store));
    return p->store[p->stored++] = text;
}

/* A piece of a zone: its kind, and what else tells it from others there. */
static const char *piece_text(phrase *p, const vm *v, int place, int code)
{
    const game *g = v->g;
    const char *name = kind_text(g, (code - 1) % (g->kind_count + 1));
    if (!g->piece_keeps || v->at[place] != code) return name;
    buffer b = { 0 };
    char number[32];
    add(&b, name);
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PIECE) continue;
        if (k->type == KEEP_FLAG) {
            if (v->set[k->where][place / 64] >> (place % 64) & 1) { add(&b, "/"); add(&b, k->name); }
            continue;
        }
        const int64_t x = v->arrays[(size_t)k->where * (size_t)g->places + (size_t)place] - (k->type == KEEP_NUMBER ? 0 : 1);
        if (x == k->start) continue;
        add(&b, "/");
        add(&b, k->name);
        add(&b, ":");
        add(&b, keep_text(g, k, x, number));
    }
    return stored(p, b.text);
}

static const char *number_text(phrase *p, int n)
{
    char number[16];
    snprintf(number, sizeof number, "%d", n);
    return stored(p, must(strdup(number)));
}

/* ---- tokens to words ------------------------------------------------------------------------------------------------------------------------------ */
void phrase_free(phrase *p)
{
    for (size_t i = 0; i < p->stored; i++) free(p->store[i]);
    free(p->store);
    free(p->words);
    free(p->written);
    *p = (phrase){ 0 };
}

static bool begins_walk(token_kind k) { return k == TOKEN_FROM || k == TOKEN_DROP; }
static bool lands(token_kind k) { return k == TOKEN_TO || k == TOKEN_TAKE_TO; }

static bool inside_rule(const game *g, const token *rule_, uint32_t pc)
{
    const int32_t end = g->code[rule_->pc].e;
    return pc >= rule_->pc && pc < (uint32_t)end;
}

/* Was a rule over between the beginning of the walk (token `from`, or -1) and what was taken at token `at`? */
static bool rule_over(const game *g, const token *t, long from, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (t[i].kind != TOKEN_RULE || !g->code[t[i].pc].e || inside_rule(g, &t[i], t[at].pc)) continue;
        if ((long)i > from || inside_rule(g, &t[i], t[from].pc)) return true;
    }
    return false;
}

/* Which landing took the piece that token `at` says was taken? Its index, or -1. */
static long taker(const game *g, const token *t, size_t at)
{
    long from = (long)at - 1, last = -1;
    bool picked = false;
    while (from >= 0 && !begins_walk(t[from].kind)) from--;
    if (rule_over(g, t, from, at)) return -1;
    for (long i = (long)at - 1; i > from; i--) {
        if (t[i].kind == TOKEN_PASSED && t[i].value == t[at].value) {
            while (i > from && !lands(t[i].kind)) i--;
            return i > from ? i : -1;
        }
        if (lands(t[i].kind) && last < 0) last = picked ? -2 : i;
        if (t[i].kind == TOKEN_PLACE || t[i].kind == TOKEN_NUMBER || t[i].kind == TOKEN_PLAYER || t[i].kind == TOKEN_KIND) picked = true;
    }
    return last;
}

static void word_add(phrase *p, word w)
{
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 8;
        p->words = must(realloc(p->words, p->capacity * sizeof *p->words));
    }
    w.is_place = w.kind == WORD_FROM || w.kind == WORD_TO || w.kind == WORD_DROP;
    p->words[p->count++] = w;
}

static word drop_word(const game *g, const token *t)
{
    word w = { .kind = WORD_DROP, .value = t->value, .text = place_text(g, t->value), .piece = kind_text(g, t->second), .named = g->drops_many };
    if (t->second >= 0 && t->second < g->kind_count) w.other = g->kinds[t->second].letter;
    return w;
}

static void word_of(phrase *p, const vm *v, const token *t, bool took)
{
    const game *g = v->g;
    switch (t->kind) {
    case TOKEN_FROM: word_add(p, (word){ .kind = WORD_FROM, .value = t->value, .text = place_text(g, t->value) }); break;
    case TOKEN_TO: case TOKEN_TAKE_TO: word_add(p, (word){ .kind = WORD_TO, .value = t->value, .text = place_text(g, t->value), .took = took }); break;
    case TOKEN_DROP: word_add(p, drop_word(g, t)); break;
    case TOKEN_PLACE:
        if (t->value < g->cells || !t->second) word_add(p, (word){ .kind = WORD_PICK, .value = t->value, .text = place_text(g, t->value) });
        else word_add(p, (word){ .kind = WORD_PICK, .value = t->value, .text = piece_text(p, v, t->value, t->second), .other = kind_text(g, (t->second - 1) % (g->kind_count + 1)), .piece = place_text(g, t->value) });
        break;
    case TOKEN_DIRECTION: word_add(p, (word){ .kind = WORD_DIRECTION, .value = t->value, .text = g->dirs[t->value].name ? g->dirs[t->value].name : "?" }); break;
    case TOKEN_NUMBER: case TOKEN_DICE: word_add(p, (word){ .kind = WORD_PICK, .value = t->value, .text = number_text(p, t->value) }); break;
    case TOKEN_PLAYER: word_add(p, (word){ .kind = WORD_PICK, .value = t->value, .text = t->value >= 0 && t->value < g->player_count ? g->players[t->value].name : "?" }); break;
    case TOKEN_KIND: word_add(p, (word){ .kind = WORD_KIND, .value = t->value, .text = kind_text(g, t->value), .other = t->value >= 0 && t->value < g->kind_count ? g->kinds[t->value].letter : NULL }); break;
    case TOKEN_PASS: word_add(p, (word){ .kind = WORD_PASS, .text = "pass" }); break;
    case TOKEN_RULE: word_add(p, (word){ .kind = WORD_RULE, .value = t->value, .text = g->names[t->value] }); break;
    case TOKEN_STOP: case TOKEN_TOOK: case TOKEN_PASSED: case TOKEN_TEXT: case TOKEN_CELL: case TOKEN_AMOUNT: break;
    }
}

/* What `written` says, in one text; NULL if nothing. */
static char *written_of(const game *g, const token *t, size_t n)
{
    buffer b = { 0 };
    char number[24];
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind == TOKEN_TEXT) add(&b, g->names[t[i].value]);
        if (t[i].kind == TOKEN_CELL && t[i].second) add(&b, "-");
        if (t[i].kind == TOKEN_CELL) add(&b, place_text(g, t[i].value));
        snprintf(number, sizeof number, "%d", t[i].value);
        if (t[i].kind == TOKEN_AMOUNT) add(&b, number);
    }
    return b.text;
}

void phrase_make(phrase *p, const vm *v, const token *t, size_t n)
{
    p->written = written_of(v->g, t, n);
    bool *took = must(calloc(n + 1, sizeof *took));
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind == TOKEN_TAKE_TO) took[i] = true;
        if (t[i].kind != TOKEN_TOOK) continue;
        long j = taker(v->g, t, i);
        if (j >= 0) took[j] = true;
    }
    for (size_t i = 0; i < n; i++) p->stops += t[i].kind == TOKEN_STOP;
    for (size_t i = 0; i < n; i++) { word_of(p, v, &t[i], took[i]); if (t[i].kind == TOKEN_PLACE) p->words[p->count - 1].is_place = true; }
    p->made = true;
    free(took);
}

int phrase_rules(const phrase *p, int name)
{
    int n = 0;
    for (size_t i = 0; i < p->count; i++) n += p->words[i].kind == WORD_RULE && p->words[i].value == name;
    return n;
}

/* ---- words to text ---------------------------------------------------------------------------------------------------------------------------------- */
static bool walk_begins(const word *w) { return w->kind == WORD_FROM || w->kind == WORD_DROP; }

/* Does a later leg or drop show the direction that was picked at i? */
static bool shown_later(const phrase *p, size_t i)
{
    for (i++; i < p->count; i++) if (p->words[i].kind == WORD_TO || p->words[i].kind == WORD_DROP) return true;
    return false;
}

static void add_landings(buffer *b, const phrase *p, size_t i)
{
    for (; i < p->count && !walk_begins(&p->words[i]); i++) {
        if (p->words[i].kind != WORD_TO) continue;
        add(b, p->words[i].took ? "x" : "-");
        add(b, p->words[i].text);
    }
}

/* Rules that were called more often than `common` says. */
static void add_rules(buffer *b, const phrase *p, const int *common)
{
    for (size_t i = 0; i < p->count; i++) {
        int before = 0;
        if (p->words[i].kind != WORD_RULE) continue;
        for (size_t j = 0; j < i; j++) before += p->words[j].kind == WORD_RULE && p->words[j].value == p->words[i].value;
        if (before < common[p->words[i].value]) continue;
        add_space(b);
        add(b, p->words[i].text);
    }
}

char *phrase_text(const phrase *p, bool directions, const int *common)
{
    buffer b = { 0 };
    add(&b, "");
    if (common) add_rules(&b, p, common);
    if (p->written) { add_space(&b); add(&b, p->written); }
    if (p->written && !directions) return b.text;
    const size_t begun = b.length;
    bool some = false;
    for (size_t i = 0; i < p->count; i++) {
        const word *w = &p->words[i];
        if (w->kind == WORD_RULE || w->kind == WORD_TO || (w->kind == WORD_DIRECTION && !directions && shown_later(p, i))) continue;
        if (w->kind == WORD_KIND && b.length > begun) add(&b, "=");
        else add_space(&b);
        if (w->kind == WORD_DROP && w->named) { add(&b, w->piece); add(&b, "@"); }
        add(&b, w->text);
        if (walk_begins(w)) add_landings(&b, p, i + 1);
        some = true;
    }
    if (!some && !b.length) add(&b, "stop");
    return b.text;
}

char *phrase_stopping(const char *text, bool stops)
{
    buffer b = { 0 };
    const bool nothing = strcmp(text, "stop") == 0;
    add(&b, nothing && !stops ? "go on" : text);
    if (!nothing && stops) add(&b, " stop");
    return b.text;
}

/* ---- what somebody typed ------------------------------------------------------------------------------------------------------------------------------ */
static bool is_separator(char c) { return c && strchr("- @=,;\t>", c) != NULL; }

static bool is_cell(const game *g, const char *w, size_t n)
{
    for (int i = 0; i < g->cells; i++) if (strlen(g->cell[i].name) == n && memcmp(g->cell[i].name, w, n) == 0) return true;
    return false;
}

static bool is_place(const game *g, const char *w, size_t n)
{
    for (int i = 0; i < g->zone_count; i++) if (strlen(g->zones[i].name) == n && memcmp(g->zones[i].name, w, n) == 0) return true;
    return is_cell(g, w, n);
}

/* Where `x` or `:` parts a word into places; 0 nowhere. An `x` at its beginning parts nothing but what was before. */
static size_t parting(const game *g, const char *w, size_t n)
{
    for (size_t i = 1; i + 1 < n; i++) if ((w[i] == 'x' || w[i] == ':') && is_place(g, w, i)) return i;
    return 0;
}

static void typed_word(typed *t, const char *w, char before)
{
    if (t->count == TYPED_MAX || !*w) return;
    t->before[t->count] = before;
    t->words[t->count++] = w;
}

enum { GLUED_MAX = 40, TEXT_MAX = 2000 /* no move is longer; more is not looked at */ };

/* Cells written without anything between, as in e2e4: where the first of them ends, if there is one way to part the word into cells; else 0. */
static size_t glued(const game *g, const char *text, size_t n)
{
    size_t ways[GLUED_MAX + 1] = { 1 }, first[GLUED_MAX + 1] = { 0 };
    if (n > GLUED_MAX || is_cell(g, text, n)) return 0;
    for (size_t end = 1; end <= n; end++)
        for (size_t begin = 0; begin < end; begin++)
            if (ways[begin] && is_cell(g, text + begin, end - begin)) { ways[end] += ways[begin]; first[end] = begin ? first[begin] : end; }
    return ways[n] == 1 ? first[n] : 0;
}

/* The text, malloc'd, with a dash between cells written as one word. */
static char *parted(const game *g, const char *text)
{
    const char *const end = text + strnlen(text, TEXT_MAX);
    char *out = must(malloc(2 * (size_t)(end - text) + 1)), *to = out;
    while (text < end) {
        size_t n = 0;
        while (text + n < end && !is_separator(text[n])) n++;
        for (size_t cut; (cut = glued(g, text, n)) > 0; text += cut, n -= cut) { memcpy(to, text, cut); to += cut; *to++ = '-'; }
        memcpy(to, text, n);
        to += n;
        text += n;
        if (text < end) *to++ = *text++;
    }
    *to = '\0';
    return out;
}

typed typed_make(const game *g, const char *text)
{
    typed t = { .copy = parted(g, text) };
    char before = ' ';
    for (char *c = t.copy; *c;) {
        before = ' ';
        while (is_separator(*c)) { if (before == ' ') before = *c == '-' ? '-' : ' '; *c++ = '\0'; }
        if (!*c) break;
        char *start = c;
        while (*c && !is_separator(*c)) c++;
        size_t n = (size_t)(c - start), cut;
        const char next = *c;
        *c = '\0';
        /* "xe5" behind a blank, as in "d4 xe5" */
        if (*start == 'x' && n > 1 && t.count && !is_cell(g, start, n) && is_cell(g, start + 1, n - 1)) { before = 'x'; start++; n--; }
        while ((cut = parting(g, start, n)) > 0) {
            start[cut] = '\0';
            typed_word(&t, start, before);
            before = 'x';
            start += cut + 1;
            n -= cut + 1;
        }
        typed_word(&t, start, before);
        if (!next) break;
        *c = next;
    }
    return t;
}

void typed_free(typed *t) { free(t->copy); }

/* ---- does it fit? ----------------------------------------------------------------------------------------------------------------------------------------- */
enum { NEVER = 1000000 };

static bool equal(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

/* How many typed words from `at` on say this word; 0: they do not. */
static size_t said(const word *w, const typed *t, size_t at)
{
    if (at >= t->count) return 0;
    const char *typed_ = t->words[at], *next = at + 1 < t->count ? t->words[at + 1] : NULL;
    switch (w->kind) {
    case WORD_DROP:
        if (next && strcmp(w->text, next) == 0 && (equal(w->piece, typed_) || equal(w->other, typed_) || strcmp(typed_, "hand") == 0)) return 2;
        return strcmp(w->text, typed_) == 0;
    case WORD_PICK: return strcmp(w->text, typed_) == 0 || equal(w->other, typed_) || equal(w->piece, typed_);
    case WORD_RULE: return 0;
    default: return strcmp(w->text, typed_) == 0 || equal(w->other, typed_);
    }
}

/* May this word be missing? Landings only if their walk goes on, or the next begins where it ended. */
static bool may_miss(const phrase *p, size_t i)
{
    const word *w = &p->words[i];
    if (w->kind == WORD_DROP) return false;
    if (w->kind != WORD_TO) return true;
    for (size_t j = i + 1; j < p->count; j++) {
        const word *next = &p->words[j];
        if (next->kind == WORD_TO) return true;
        if (next->kind == WORD_FROM) return next->value == w->value;
        if (next->kind == WORD_DROP) return false;
    }
    return false;
}

/* The least that is left out if words from i on are said by what was typed from k on. `took`: a landing left out just before took something. */
typedef struct { const phrase *p; const typed *t; bool all_may_miss; int *best; } fitting;

static int *best_at(const fitting *f, size_t i, size_t k, bool took) { return &f->best[((i * (f->t->count + 1)) + k) * 2 + took]; }

static int one_fit(const fitting *f, size_t i, size_t k, bool took)
{
    const word *w = &f->p->words[i];
    int best = NEVER;
    if (w->kind == WORD_RULE) return *best_at(f, i + 1, k, took);
    const size_t n = said(w, f->t, k);
    if (n) {
        const char before = f->t->before[k];
        const bool taken = w->kind == WORD_TO && (w->took || took), landing = w->kind == WORD_TO;
        if (!(landing && before == 'x' && !taken)) {
            best = *best_at(f, i + 1, k + n, false);
            if (best < NEVER && landing && before == '-' && taken) best++;
        }
    }
    if (f->all_may_miss || may_miss(f->p, i)) {
        int other = *best_at(f, i + 1, k, took || (w->kind == WORD_TO && w->took));
        if (other < NEVER && other + 1 < best) best = other + 1;
    }
    return best;
}

/* Typed names of rules that were called are set aside; says whether there are any. */
static bool set_rules_aside(const phrase *p, const typed *t, bool *gone)
{
    bool some = false;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; p->words[i].kind == WORD_RULE && k < t->count; k++)
            if (!gone[k] && strcmp(t->words[k], p->words[i].text) == 0) { gone[k] = some = true; break; }
    return some;
}

static bool is_stop(const phrase *p, const typed *t)
{
    if (t->count != 1 || strcmp(t->words[0], "stop") != 0) return false;
    for (size_t i = 0; i < p->count; i++) if (p->words[i].kind != WORD_RULE) return false;
    return true;
}

/* Landings stand where their walk begins, before what was picked on the way; the words are malloc'd. */
static phrase in_one_go(const phrase *p)
{
    phrase out = { .words = must(malloc((p->count + 1) * sizeof *p->words)), .count = p->count, .stops = p->stops };
    size_t at = 0;
    if (p->count) memcpy(out.words, p->words, p->count * sizeof *p->words);
    for (size_t i = 0; i < out.count; i++) {
        const word w = out.words[i];
        if (walk_begins(&w)) at = i + 1;
        if (w.kind != WORD_TO || !at) continue;
        memmove(&out.words[at + 1], &out.words[at], (i - at) * sizeof w);
        out.words[at++] = w;
    }
    return out;
}

static bool fits_in_order(const phrase *p, const typed *t, size_t *left);

/* ---- what `written` says, typed -------------------------------------------------------------------------------------------------------------------------- */
/* The next word: letters and digits, without accents, small; false at the end. */
typedef struct { char letters[64]; size_t length; bool name; /* no digit in it */ } plain_word;

static bool next_plain(const char **at, plain_word *w)
{
    utf8proc_int32_t c, parts[8];
    *w = (plain_word){ .name = true };
    for (const char *s = *at; *s;) {
        const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s, -1, &c);
        if (n <= 0) break;
        s += n;
        int bound = 0;
        const utf8proc_ssize_t k = utf8proc_decompose_char(c, parts, 8, UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK, &bound);
        const bool part = k > 0 && (parts[0] > 127 || isalnum((unsigned char)parts[0]));
        if (part && w->length + 5 < sizeof w->letters) w->length += (size_t)utf8proc_encode_char(parts[0], (utf8proc_uint8_t *)w->letters + w->length);
        if (part && parts[0] < 128 && isdigit((unsigned char)parts[0])) w->name = false;
        *at = s;
        if (!part && k > 0 && w->length) break;
    }
    return w->length > 0;
}

/* An `x` that stands for taking is no word. */
static bool next_said(const char **at, plain_word *w)
{
    bool some;
    while ((some = next_plain(at, w)) && w->length == 1 && w->letters[0] == 'x') continue;
    return some;
}

/* Names may be shortened, down to three letters. */
static bool same_word(const plain_word *w, const plain_word *typed_)
{
    const bool same = w->length == typed_->length || (w->name && typed_->name && typed_->length >= 3 && typed_->length < w->length);
    return same && !memcmp(w->letters, typed_->letters, typed_->length);
}

bool phrase_says(const phrase *p, const char *text)
{
    plain_word w, typed_;
    const char *a = p->written, *b = text;
    if (!a) return false;
    for (;;) {
        const bool more = next_said(&a, &w), other = next_said(&b, &typed_);
        if (more != other) return false;
        if (!more) return true;
        if (!same_word(&w, &typed_)) return false;
    }
}

/* In the order in which it is written, or in that in which it was chosen. */
bool phrase_fits(const phrase *p, const typed *t, size_t *left)
{
    phrase written = in_one_go(p);
    const bool fits = fits_in_order(&written, t, left) || fits_in_order(p, t, left);
    free(written.words);
    return fits;
}

static bool fits_in_order(const phrase *p, const typed *t, size_t *left)
{
    bool gone[TYPED_MAX] = { false };
    *left = 0;
    if (!t->count) return false;
    if (is_stop(p, t)) return true;
    const bool stopping = t->count > 1 && strcmp(t->words[t->count - 1], "stop") == 0;
    if (stopping && !p->stops) return false;
    const bool named = set_rules_aside(p, t, gone);
    /* what is set aside is taken out, so that the rest stands in a row */
    typed rest = *t;
    rest.count = 0;
    for (size_t k = 0; k < t->count - stopping; k++) if (!gone[k]) { rest.words[rest.count] = t->words[k]; rest.before[rest.count++] = t->before[k]; }
    fitting f = { p, &rest, named, must(malloc((p->count + 1) * (rest.count + 1) * 2 * sizeof(int))) };
    for (size_t i = p->count + 1; i-- > 0;)
        for (size_t k = rest.count + 1; k-- > 0;)
            for (int took = 0; took < 2; took++) *best_at(&f, i, k, took) = i == p->count ? (k == rest.count ? 0 : NEVER) : one_fit(&f, i, k, took);
    const int best = *best_at(&f, 0, 0, false);
    free(f.best);
    *left = (size_t)best;
    return best < NEVER;
}
