/* Moves and their texts (docs/language.md, section 7).
 *
 * What was chosen on the way to a move comes from the machine as tokens. The text is made of as few of them as tell it from the
 * others of its list: where pieces go, what is dropped, kinds, numbers, cells; then directions; then the names of the rules. */
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

enum { TOKENS_MAX = 512 };

static void *must(void *p) { if (!p) abort(); return p; }

typedef struct { char *text; size_t length, capacity; } buffer;

static void add(buffer *b, const char *t)
{
    size_t n = strlen(t);
    if (b->length + n + 1 > b->capacity) { b->capacity = 2 * (b->length + n) + 32; b->text = must(realloc(b->text, b->capacity)); }
    memcpy(b->text + b->length, t, n + 1);
    b->length += n;
}

const char *place_text(const game *g, int place)
{
    if (place < 0) return "-";
    if (place < g->cells) return g->cell[place].name;
    return g->zone_of[place] >= 0 ? g->zones[g->zone_of[place]].name : "taken";
}

static const char *kind_text(const game *g, int k) { return k >= 0 && k < g->kind_count ? g->kinds[k].name : "?"; }

/* A picked place: a cell by its name, a piece of a zone by its kind. */
static const char *picked_text(const game *g, const token *t)
{
    if (t->value >= 0 && t->value < g->cells) return g->cell[t->value].name;
    return t->second ? kind_text(g, (t->second - 1) % (g->kind_count + 1)) : place_text(g, t->value);
}

/* What a token is called, for matching; `other` another name for it, or NULL. */
static const char *token_name(const game *g, const token *t, char number[24], const char **other)
{
    *other = NULL;
    switch (t->kind) {
    case TOKEN_FROM: case TOKEN_TO: case TOKEN_TAKE_TO: return place_text(g, t->value);
    case TOKEN_DROP: return place_text(g, t->value);
    case TOKEN_PLACE: return picked_text(g, t);
    case TOKEN_DIRECTION: return g->dirs[t->value].name ? g->dirs[t->value].name : "?";
    case TOKEN_NUMBER: case TOKEN_DICE: snprintf(number, 24, "%d", (int)t->value); return number;
    case TOKEN_PLAYER: return t->value >= 0 && t->value < g->player_count ? g->players[t->value].name : "?";
    case TOKEN_KIND: if (t->value >= 0 && t->value < g->kind_count) *other = g->kinds[t->value].letter; return kind_text(g, t->value);
    case TOKEN_PASS: return "pass";
    case TOKEN_STOP: return "stop";
    case TOKEN_RULE: return g->names[t->value];
    }
    return "?";
}

/* How often each rule's name stands among tokens that read alike, at least: those need not be written. */
static char *render(const game *g, const token *t, size_t n, bool directions, const int *common)
{
    buffer b = { 0 };
    char number[24];
    const char *other;
    bool walking = false;
    add(&b, "");
    for (size_t i = 0; common && i < n; i++) {
        if (t[i].kind != TOKEN_RULE) continue;
        int before = 0;
        for (size_t j = 0; j < i; j++) before += t[j].kind == TOKEN_RULE && t[j].value == t[i].value;
        if (before < common[t[i].value]) continue;
        if (b.length) add(&b, " ");
        add(&b, token_name(g, &t[i], number, &other));
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = token_name(g, &t[i], number, &other);
        switch (t[i].kind) {
        case TOKEN_RULE: continue;
        case TOKEN_DIRECTION: if (!directions) continue; if (b.length) add(&b, " "); add(&b, name); walking = false; continue;
        case TOKEN_FROM: if (b.length) add(&b, " "); add(&b, name); walking = true; continue;
        case TOKEN_TO: case TOKEN_TAKE_TO:
            if (!walking) { if (b.length) add(&b, " "); add(&b, place_text(g, t[i].second)); }
            add(&b, t[i].kind == TOKEN_TO ? "-" : "x");
            add(&b, name);
            walking = true;
            continue;
        case TOKEN_DROP:
            if (b.length) add(&b, " ");
            if (g->drops_many) { add(&b, kind_text(g, t[i].second)); add(&b, "@"); }
            add(&b, name);
            walking = false;
            continue;
        case TOKEN_KIND: if (b.length) add(&b, "="); add(&b, name); continue;
        default: if (b.length) add(&b, " "); add(&b, name); continue;
        }
    }
    if (!b.length) add(&b, "stop");
    return b.text;
}

/* ---- lists --------------------------------------------------------------------------------------------------------------------------------------- */
static joc_moves *list_new(const joc_position *p, const uint8_t *from, bool some)
{
    const vm *v = p->v;
    const game *g = p->game->g;
    joc_moves *m = must(calloc(1, sizeof *m));
    m->game = p->game;
    m->count = v->fault || !some ? 0 : v->leaf_count;
    m->from = must(malloc(g->state_size));
    memcpy(m->from, from, g->state_size);
    m->leaves = must(malloc((m->count + 1) * sizeof *m->leaves));
    m->paths = must(malloc((v->paths_top + 1) * sizeof *m->paths));
    m->states = must(malloc(m->count * g->state_size + 1));
    if (m->count) {
        memcpy(m->leaves, v->leaves, m->count * sizeof *m->leaves);
        if (v->paths_top) memcpy(m->paths, v->paths, v->paths_top * sizeof *m->paths);
        memcpy(m->states, v->states, m->count * g->state_size);
    }
    if (g->uses_history) {
        m->history_count = (size_t)v->head[H_HISTORY];
        m->history = must(malloc((m->history_count + 1) * 3 * sizeof *m->history));
        if (m->history_count) memcpy(m->history, v->history, m->history_count * 3 * sizeof *m->history);
    }
    m->moves = must(malloc((m->count + 1) * sizeof *m->moves));
    for (size_t i = 0; i < m->count; i++) m->moves[i] = (joc_move){ m, i };
    return m;
}

joc_moves *joc_moves_of(const joc_position *p)
{
    const machine *k = p->game->g->machine;
    position_settle(p);
    const bool some = p->kind == STATE_DECISION || p->kind == STATE_CHANCE;
    if (p->kind == STATE_DECISION) k->list(p->v);
    else if (p->kind == STATE_CHANCE) k->outcomes(p->v);
    return list_new(p, p->v->state, some);
}

void joc_moves_free(joc_moves *m)
{
    if (!m) return;
    for (size_t i = 0; m->texts && i < m->count; i++) free(m->texts[i]);
    free(m->texts);
    free(m->from);
    free(m->leaves);
    free(m->paths);
    free(m->states);
    free(m->history);
    free(m->moves);
    vm_free(m->v);
    free(m);
}

size_t joc_moves_count(const joc_moves *m) { return m->count; }
const joc_move *joc_moves_at(const joc_moves *m, size_t i) { assert(i < m->count); return &m->moves[i]; }
uint64_t joc_move_weight(const joc_move *x) { return x->list->leaves[x->index].weight; }

uint64_t joc_moves_weight(const joc_moves *m)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < m->count; i++) sum += m->leaves[i].weight;
    return sum;
}

/* A machine that stands where the list was made. */
static void want_machine(joc_moves *m)
{
    if (m->v) return;
    m->v = vm_new(m->game->g);
    if (!m->history) return;
    m->v->history_capacity = m->history_count + 8;
    m->v->history = must(calloc(m->v->history_capacity * 3, sizeof *m->v->history));
    memcpy(m->v->history, m->history, m->history_count * 3 * sizeof *m->history);
}

static size_t tokens_of(joc_moves *m, size_t i, token *out)
{
    want_machine(m);
    const leaf *l = &m->leaves[i];
    return m->game->g->machine->trace(m->v, m->from, l, m->paths + l->path, out, TOKENS_MAX);
}

static int compare_pairs(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    int c = strcmp(x[0], y[0]);
    return c ? c : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Which texts stand more than once: marks them. */
static bool find_doubles(char **texts, size_t n, bool *twice)
{
    const char **pairs = must(malloc((2 * n + 2) * sizeof *pairs));
    bool some = false;
    for (size_t i = 0; i < n; i++) { pairs[2 * i] = texts[i]; pairs[2 * i + 1] = (const char *)(uintptr_t)i; twice[i] = false; }
    qsort(pairs, n, 2 * sizeof *pairs, compare_pairs);
    for (size_t i = 1; i < n; i++)
        if (strcmp(pairs[2 * i], pairs[2 * i - 2]) == 0) { twice[(uintptr_t)pairs[2 * i + 1]] = twice[(uintptr_t)pairs[2 * i - 1]] = some = true; }
    free(pairs);
    return some;
}

static int rule_count(const token *t, size_t n, int rule_name)
{
    int k = 0;
    for (size_t i = 0; i < n; i++) k += t[i].kind == TOKEN_RULE && t[i].value == rule_name;
    return k;
}

/* Moves that read alike get the names of the rules that not all of them share. */
static void name_rules(joc_moves *m, const bool *twice, bool directions, token *t)
{
    const game *g = m->game->g;
    char **old = must(calloc(m->count + 1, sizeof *old));
    int *common = must(malloc((size_t)(g->name_count + 1) * sizeof *common));
    for (size_t i = 0; i < m->count; i++) if (twice[i]) old[i] = must(strdup(m->texts[i]));
    for (size_t i = 0; i < m->count; i++) {
        if (!twice[i]) continue;
        for (int r = 0; r < g->name_count; r++) common[r] = INT_MAX;
        for (size_t j = 0; j < m->count; j++) {
            if (!old[j] || strcmp(old[i], old[j]) != 0) continue;
            size_t n = tokens_of(m, j, t);
            for (int r = 0; r < g->name_count; r++) { int k = rule_count(t, n, r); if (k < common[r]) common[r] = k; }
        }
        size_t n = tokens_of(m, i, t);
        free(m->texts[i]);
        m->texts[i] = render(g, t, n, directions, common);
    }
    for (size_t i = 0; i < m->count; i++) free(old[i]);
    free(old);
    free(common);
}

static void number_doubles(joc_moves *m, const bool *twice)
{
    for (size_t i = 0; i < m->count; i++) {
        if (!twice[i]) continue;
        int number = 1;
        const size_t length = strlen(m->texts[i]);
        for (size_t j = 0; j < i; j++) if (twice[j] && strncmp(m->texts[j], m->texts[i], length) == 0 && (m->texts[j][length] == '\0' || m->texts[j][length] == '#')) number++;
        if (number == 1) continue;
        char *text = must(malloc(length + 16));
        sprintf(text, "%s#%d", m->texts[i], number);
        free(m->texts[i]);
        m->texts[i] = text;
    }
}

static void make_texts(joc_moves *m)
{
    if (m->texts) return;
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    bool *twice = must(malloc(m->count + 1));
    m->texts = must(calloc(m->count + 1, sizeof *m->texts));
    for (size_t i = 0; i < m->count; i++) { size_t n = tokens_of(m, i, t); m->texts[i] = render(m->game->g, t, n, false, NULL); }
    if (find_doubles(m->texts, m->count, twice)) name_rules(m, twice, false, t);
    if (find_doubles(m->texts, m->count, twice))
        for (size_t i = 0; i < m->count; i++) {
            if (!twice[i]) continue;
            size_t n = tokens_of(m, i, t);
            free(m->texts[i]);
            m->texts[i] = render(m->game->g, t, n, true, NULL);
        }
    if (find_doubles(m->texts, m->count, twice)) name_rules(m, twice, true, t);
    if (find_doubles(m->texts, m->count, twice)) number_doubles(m, twice);
    free(twice);
    free(t);
}

const char *joc_move_text(const joc_move *x)
{
    make_texts((joc_moves *)(uintptr_t)x->list);
    return x->list->texts[x->index];
}

size_t joc_move_cells(const joc_move *x, int *cells, size_t cap)
{
    const game *g = x->list->game->g;
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    size_t n = tokens_of((joc_moves *)(uintptr_t)x->list, x->index, t), out = 0;
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind > TOKEN_PLACE || t[i].value < 0) continue;
        int place = t[i].value < g->cells ? t[i].value : g->zone_of[t[i].value] >= 0 ? g->cells + g->zone_of[t[i].value] : -1;
        if (place >= 0 && out < cap) cells[out] = place;
        out += place >= 0;
    }
    free(t);
    return out;
}

void joc_play(joc_position *p, const joc_move *x)
{
    const joc_moves *m = x->list;
    assert(m->game == p->game);
    p->game->g->machine->play(p->v, &m->leaves[x->index], m->states + x->index * p->game->g->state_size);
    p->settled = false;
}

/* ---- matching what a person typed ---------------------------------------------------------------------------------------------------------------- */
enum { WORDS_TYPED = 64 };
typedef struct { char *copy; char *words[WORDS_TYPED]; size_t count; bool takes; } typed;

static bool is_separator(char c) { return c == '-' || c == ' ' || c == '@' || c == '=' || c == ',' || c == ';' || c == '\t' || c == ':' || c == '>' || c == '<'; }

static bool known_word(const game *g, const char *w, size_t n)
{
    for (int i = 0; i < g->cells; i++) if (strlen(g->cell[i].name) == n && memcmp(g->cell[i].name, w, n) == 0) return true;
    return false;
}

/* Splits at separators; `x` separates too where names of cells stand on both sides of it. */
static typed split(const game *g, const char *text)
{
    typed t = { .copy = must(strdup(text)) };
    for (char *c = t.copy; *c;) {
        while (is_separator(*c)) *c++ = '\0';
        if (!*c) break;
        char *start = c;
        while (*c && !is_separator(*c)) c++;
        size_t n = (size_t)(c - start);
        while (n && t.count < WORDS_TYPED) {
            size_t cut = 0;
            for (size_t i = 1; i + 1 < n && !cut; i++) if (start[i] == 'x' && known_word(g, start, i)) cut = i;
            t.words[t.count++] = start;
            if (!cut) break;
            t.takes = true;
            start[cut] = '\0';
            start += cut + 1;
            n -= cut + 1;
        }
        if (*c) *c++ = '\0';
    }
    return t;
}

static bool is_landing(token_kind k) { return k == TOKEN_FROM || k == TOKEN_TO || k == TOKEN_TAKE_TO; }

/* Do the words stand among the tokens, in order, the last landing being the last? `extra`: tokens left out. */
static bool fits(const game *g, const typed *typed_words, const token *t, size_t n, size_t *extra)
{
    size_t i = 0, last = n;
    bool walked = false;        /* a landing was passed over before any was named */
    typed words = *typed_words, *w = &words;
    /* names of rules may stand anywhere in the text */
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; t[j].kind == TOKEN_RULE && k < w->count && w->count > 1; k++)
            if (strcmp(w->words[k], g->names[t[j].value]) == 0) { memmove(w->words + k, w->words + k + 1, (w->count - k - 1) * sizeof *w->words); w->count--; break; }
    char number[24];
    const char *other;
    *extra = 0;
    if (w->count == 1 && strcmp(w->words[0], "stop") == 0) { for (size_t j = 0; j < n; j++) if (t[j].kind != TOKEN_RULE) return false; return true; }
    for (size_t j = 0; j < n; j++) {
        if (i == w->count) { *extra += t[j].kind != TOKEN_RULE; continue; }
        const char *name = token_name(g, &t[j], number, &other), *zone_name = NULL;
        if (t[j].kind == TOKEN_DROP && (strcmp(w->words[i], kind_text(g, t[j].second)) == 0 || strcmp(w->words[i], g->kinds[t[j].second < g->kind_count && t[j].second >= 0 ? t[j].second : 0].letter) == 0)) {
            i++;
            if (i == w->count) return false;
        }
        if (t[j].kind == TOKEN_DROP && t[j].value >= 0 && strcmp(w->words[i], "hand") == 0 && i + 1 < w->count) i++;
        if ((t[j].kind == TOKEN_PLACE || t[j].kind == TOKEN_FROM) && t[j].value >= g->cells && g->zone_of[t[j].value] >= 0) zone_name = g->zones[g->zone_of[t[j].value]].name;
        const bool place = is_landing(t[j].kind) || t[j].kind == TOKEN_DROP;
        if (place && walked && last == n) return false;
        if (place) walked = true;
        if (strcmp(w->words[i], name) == 0 || (other && strcmp(w->words[i], other) == 0) || (zone_name && strcmp(w->words[i], zone_name) == 0)) { i++; last = j; }
        else *extra += t[j].kind != TOKEN_RULE;
    }
    if (i < w->count) return false;
    if (last < n && is_landing(t[last].kind)) for (size_t j = last + 1; j < n; j++) if (is_landing(t[j].kind)) return false;
    return true;
}

size_t moves_fit(const joc_moves *list, const char *text, size_t *best)
{
    joc_moves *m = (joc_moves *)(uintptr_t)list;
    make_texts(m);
    for (size_t i = 0; i < m->count; i++) if (strcmp(m->texts[i], text) == 0) { *best = i; return 1; }
    const game *g = m->game->g;
    typed w = split(g, text);
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    size_t found = 0, least = SIZE_MAX, at_least = 0;
    for (size_t i = 0; w.count && i < m->count; i++) {
        size_t n = tokens_of(m, i, t), extra;
        if (!fits(g, &w, t, n, &extra)) continue;
        found++;
        if (extra < least) { least = extra; *best = i; at_least = 1; }
        else if (extra == least) at_least++;
    }
    if (found == 0 && w.count > 2) {
        /* another way to the same end: every path is looked at */
        want_machine(m);
        g->machine->load(m->v, m->from);
        m->v->keep_doubles = true;
        if (m->v->head[H_RESUME] == 0 || g->code[m->v->head[H_RESUME]].op < OP_ROLL || g->code[m->v->head[H_RESUME]].op > OP_RANDOM_KIND) g->machine->list(m->v);
        m->v->keep_doubles = false;
        joc_position p = { .game = m->game, .v = m->v };
        uint8_t *from = must(malloc(g->state_size));
        memcpy(from, m->from, g->state_size);
        joc_moves *all = list_new(&p, from, true);
        free(from);
        for (size_t i = 0; i < all->count && i < 20000 && !found; i++) {
            size_t n = tokens_of(all, i, t), extra;
            if (!fits(g, &w, t, n, &extra)) continue;
            for (size_t j = 0; j < m->count; j++) if (m->leaves[j].identity == all->leaves[i].identity) { *best = j; found = at_least = 1; }
        }
        joc_moves_free(all);
        vm_reset(m->v);
    }
    free(t);
    free(w.copy);
    return at_least == 1 ? 1 : found;
}

/* ---- why not ----------------------------------------------------------------------------------------------------------------------------------------- */
static char *words_of_label(const char *label)
{
    char *t = must(strdup(label));
    for (char *c = t; *c; c++) if (*c == '_') *c = ' ';
    return t;
}

static char *sentence(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *sentence(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int n = vsnprintf(NULL, 0, format, list);
    char *t = must(malloc((size_t)n + 1));
    vsnprintf(t, (size_t)n + 1, format, again);
    va_end(again);
    va_end(list);
    return t;
}

/* Is the move one that only a filter forbids? Then which. */
static char *forbidden(joc_moves *m, const char *text)
{
    const game *g = m->game->g;
    want_machine(m);
    g->machine->load(m->v, m->from);
    m->v->lenient = true;
    g->machine->list(m->v);
    m->v->lenient = false;
    joc_position p = { .game = m->game, .v = m->v };
    uint8_t *from = must(malloc(g->state_size));
    memcpy(from, m->from, g->state_size);
    joc_moves *all = list_new(&p, from, true);
    free(from);
    typed w = split(g, text);
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    char *why = NULL;
    for (size_t i = 0; i < all->count && !why; i++) {
        size_t n = tokens_of(all, i, t), extra;
        if (!fits(g, &w, t, n, &extra)) continue;
        const int label = all->leaves[i].label;
        if (label == ELSE_FORBIDS) why = sentence("'%s' is not allowed: another kind of move comes first, and there is one%s", text, "");
        else if (label > 0 && label <= g->name_count) { char *words = words_of_label(g->names[label - 1]); why = sentence("'%s' is not allowed: %s", text, words); free(words); }
        else if (label == 0) {
            bool legal = false;
            for (size_t j = 0; j < m->count; j++) legal |= m->leaves[j].identity == all->leaves[i].identity;
            if (!legal) why = sentence("'%s' is not allowed: the rules prefer other moves, as those that take more%s", text, "");
        }
    }
    free(t);
    free(w.copy);
    joc_moves_free(all);
    vm_reset(m->v);
    return why;
}

static char *examples(joc_moves *m, const char *start, const char *before)
{
    buffer b = { 0 };
    size_t n = 0;
    add(&b, before);
    for (size_t i = 0; i < m->count; i++) {
        if (start && strncmp(m->texts[i], start, strlen(start)) != 0) continue;
        if (n == 8) { add(&b, ", ..."); break; }
        add(&b, n++ ? ", " : "");
        add(&b, m->texts[i]);
    }
    return b.text;
}

static char *explain(joc_moves *m, const char *text, size_t found)
{
    const game *g = m->game->g;
    if (found > 1) {
        typed w = split(g, text);
        token *t = must(malloc(TOKENS_MAX * sizeof *t));
        buffer b = { 0 };
        size_t shown = 0;
        char *start = sentence("'%s' fits several moves: %s", text, "");
        add(&b, start);
        free(start);
        for (size_t i = 0; i < m->count && shown < 8; i++) {
            size_t n = tokens_of(m, i, t), extra;
            if (!fits(g, &w, t, n, &extra)) continue;
            add(&b, shown++ ? ", " : "");
            add(&b, m->texts[i]);
        }
        free(t);
        free(w.copy);
        return b.text;
    }
    char *why = forbidden(m, text);
    if (why) return why;
    typed w = split(g, text);
    const char *first = w.count ? w.words[0] : "";
    int cell = cell_named(g, first);
    char *out;
    if (!w.count) out = sentence("no move was given%s%s", "", "");
    else if (cell >= 0) {
        size_t n = 0;
        for (size_t i = 0; i < m->count; i++) n += strncmp(m->texts[i], first, strlen(first)) == 0;
        const uint16_t *at = (const uint16_t *)(const void *)(m->from + (g->at_cells - g->state_from));
        if (n) { char *start = sentence("'%s' is no move here; from there: %s", text, ""); out = examples(m, first, start); free(start); }
        else if (!at[cell]) out = sentence("nothing stands on %s%s", first, "");
        else out = sentence("the piece on %s has no such move now%s", first, "");
    } else {
        char *start = sentence("'%s' is no move here; for example: %s", text, "");
        out = examples(m, NULL, start);
        free(start);
    }
    free(w.copy);
    return out;
}

const joc_move *joc_moves_find(const joc_moves *list, const char *text, char **why)
{
    joc_moves *m = (joc_moves *)(uintptr_t)list;
    size_t best = 0, found = moves_fit(m, text, &best);
    if (why) *why = NULL;
    if (found == 1) return &m->moves[best];
    if (why) *why = explain(m, text, found);
    return NULL;
}
