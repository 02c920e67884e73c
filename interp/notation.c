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
#include "view.h"

enum { TOKENS_MAX = 4096 };

static void *must(void *p) { if (!p) abort(); return p; }

typedef struct { char *text; size_t length, capacity; } buffer;

static void add(buffer *b, const char *t)
{
    size_t n = strlen(t);
    if (b->length + n + 1 > b->capacity) { b->capacity = 2 * (b->length + n) + 32; b->text = must(realloc(b->text, b->capacity)); }
    memcpy(b->text + b->length, t, n + 1);
    b->length += n;
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
        history_copy(&m->history, &v->history, m->history_count);
    }
    m->moves = must(malloc((m->count + 1) * sizeof *m->moves));
    for (size_t i = 0; i < m->count; i++) m->moves[i] = (joc_move){ m, i };
    return m;
}

/* Those of the viewer, if he is to decide; what he sees stands beside, for the sentences about what he types. */
static joc_moves *moves_seen(const joc_position *view)
{
    joc_position *t = view->truth;
    if (joc_state_of(t) != JOC_DECISION || joc_mover(t) != view->viewer) return list_new(view, view->v->state, false);
    joc_moves *m = joc_moves_of(t);
    m->seen = must(malloc((size_t)view->game->g->cells * sizeof *m->seen + 1));
    memcpy(m->seen, view->v->at, (size_t)view->game->g->cells * sizeof *m->seen);
    return m;
}

joc_moves *joc_moves_of(const joc_position *p)
{
    const machine *k = p->game->g->machine;
    position_settle(p);
    if (p->viewer >= 0) return moves_seen(p);
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
    for (size_t i = 0; m->phrases && i < m->count; i++) phrase_free(&m->phrases[i]);
    free(m->phrases);
    free(m->from);
    free(m->seen);
    free(m->leaves);
    free(m->paths);
    free(m->states);
    history_free(&m->history);
    free(m->moves);
    vm_free(m->v);
    free(m);
}

size_t joc_moves_count(const joc_moves *m) { return m->count; }
const joc_move *joc_moves_at(const joc_moves *m, size_t i) { assert(i < m->count); return &m->moves[i]; }
uint64_t joc_move_choices(const joc_move *x)
{
    const leaf *l = &x->list->leaves[x->index];
    uint64_t key = 0;
    for (uint32_t i = 0; i < l->path_length; i++) key = (key ^ x->list->paths[l->path + i]) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 32;
}

uint64_t joc_move_weight(const joc_move *x) { return x->list->leaves[x->index].weight; }

uint64_t joc_moves_weight(const joc_moves *m)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < m->count; i++) sum += m->leaves[i].weight;
    return sum;
}

/* A machine that stands where the list was made. */
void moves_machine(joc_moves *m)
{
    if (m->v) return;
    m->v = vm_new(m->game->g);
    history_copy(&m->v->history, &m->history, m->history_count);
}

/* What a move of a list says of itself: made once. */
static const phrase *phrase_at(joc_moves *m, size_t i)
{
    if (!m->phrases) m->phrases = must(calloc(m->count + 1, sizeof *m->phrases));
    phrase *p = &m->phrases[i];
    if (p->made) return p;
    moves_machine(m);
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    const leaf *l = &m->leaves[i];
    const size_t n = m->game->g->machine->trace(m->v, m->from, l, m->paths + l->path, t, TOKENS_MAX);
    phrase_make(p, m->v, t, n);
    free(t);
    return p;
}

static void text_set(joc_moves *m, size_t i, char *text)
{
    free(m->texts[i]);
    m->texts[i] = text;
}

static int compare_texts_of(const void *a, const void *b)
{
    const joc_move *x = a, *y = b;
    int c = strcmp(x->list->texts[x->index], y->list->texts[y->index]);
    return c ? c : x->index < y->index ? -1 : x->index > y->index;
}

/* The moves that read like others, those that read alike in a row; malloc'd. */
static joc_move *doubles(joc_moves *m, size_t *count)
{
    joc_move *all = must(malloc((m->count + 1) * sizeof *all));
    size_t n = 0;
    if (m->count) memcpy(all, m->moves, m->count * sizeof *all);
    if (m->count) qsort(all, m->count, sizeof *all, compare_texts_of);
    for (size_t i = 0, j; i < m->count; i = j) {
        for (j = i + 1; j < m->count && strcmp(m->texts[all[j].index], m->texts[all[i].index]) == 0;) j++;
        if (j - i > 1) for (size_t k = i; k < j; k++) all[n++] = all[k];
    }
    *count = n;
    return all;
}

/* Moves first .. last - 1 of `all` read alike: they get the names of the rules that not all of them share, or their directions, or both; those that
 * stop where others go on say so; the rest get numbers. */
enum { BY_RULES = 1, BY_DIRECTIONS = 2, BY_STOPS = 4, BY_NUMBERS = 8 };
static void tell_apart(joc_moves *m, const joc_move *all, size_t first, size_t last, int how)
{
    const game *g = m->game->g;
    int *common = must(malloc((size_t)(g->name_count + 1) * sizeof *common));
    for (int r = 0; how & BY_RULES && r < g->name_count; r++) {
        common[r] = INT_MAX;
        for (size_t k = first; k < last && common[r]; k++) { int n = phrase_rules(phrase_at(m, all[k].index), r); if (n < common[r]) common[r] = n; }
    }
    int least = INT_MAX, most = 0;
    for (size_t k = first; how == BY_STOPS && k < last; k++) {
        const int stops = phrase_at(m, all[k].index)->stops;
        if (stops < least) least = stops;
        if (stops > most) most = stops;
    }
    for (size_t k = first; k < last; k++) {
        const size_t i = all[k].index;
        if (how == BY_STOPS) {
            if (least < most) text_set(m, i, phrase_stopping(m->texts[i], phrase_at(m, i)->stops > least));
            continue;
        }
        if (how != BY_NUMBERS) { text_set(m, i, phrase_text(phrase_at(m, i), how & BY_DIRECTIONS, how & BY_RULES ? common : NULL)); continue; }
        if (k == first) continue;
        char *text = must(malloc(strlen(m->texts[i]) + 24));
        sprintf(text, "%s#%zu", m->texts[i], k - first + 1);
        text_set(m, i, text);
    }
    free(common);
}

static void tell_all_apart(joc_moves *m, int how)
{
    size_t n;
    joc_move *all = doubles(m, &n);
    for (size_t i = 0, j; i < n; i = j) {
        char *text = must(strdup(m->texts[all[i].index]));
        for (j = i + 1; j < n && strcmp(m->texts[all[j].index], text) == 0;) j++;
        tell_apart(m, all, i, j, how);
        free(text);
    }
    free(all);
}

static void make_texts(joc_moves *m)
{
    if (m->texts) return;
    m->texts = must(calloc(m->count + 1, sizeof *m->texts));
    for (size_t i = 0; i < m->count; i++) m->texts[i] = phrase_text(phrase_at(m, i), false, NULL);
    tell_all_apart(m, BY_RULES);
    tell_all_apart(m, BY_DIRECTIONS);
    tell_all_apart(m, BY_RULES | BY_DIRECTIONS);
    tell_all_apart(m, BY_STOPS);
    tell_all_apart(m, BY_NUMBERS);
}

const char *joc_move_text(const joc_move *x)
{
    make_texts((joc_moves *)(uintptr_t)x->list);
    return x->list->texts[x->index];
}

size_t joc_move_cells(const joc_move *x, int *cells, size_t cap)
{
    const game *g = x->list->game->g;
    const phrase *p = phrase_at((joc_moves *)(uintptr_t)x->list, x->index);
    size_t out = 0;
    for (size_t i = 0; i < p->count; i++) {
        const word *w = &p->words[i];
        if (!w->is_place || w->value < 0) continue;
        int place = w->value < g->cells ? w->value : g->zone_of[w->value] >= 0 ? g->cells + g->zone_of[w->value] : -1;
        if (place >= 0 && out < cap) cells[out] = place;
        out += place >= 0;
    }
    return out;
}

void joc_play(joc_position *p, const joc_move *x)
{
    const joc_moves *m = x->list;
    assert(m->game == p->game);
    assert(p->viewer < 0);
    if (p->game->g->has_secrets) log_add(p, m->from, &m->leaves[x->index], m->paths);
    p->game->g->machine->play(p->v, &m->leaves[x->index], m->states + x->index * p->game->g->state_size);
    if (p->log) p->log->resumed = p->v->head[H_RESUME];
    p->settled = false;
}

/* ---- matching what a person typed ---------------------------------------------------------------------------------------------------------------- */
/* All ways to make the decision, not one for each move; or all that only a filter forbids too. */
static joc_moves *list_again(joc_moves *m, bool lenient, watch *watched)
{
    const game *g = m->game->g;
    moves_machine(m);
    g->machine->load(m->v, m->from);
    const int64_t resume = m->v->head[H_RESUME];
    const bool chance = resume && g->code[resume].op >= OP_ROLL && g->code[resume].op <= OP_RANDOM_KIND;
    m->v->lenient = lenient;
    m->v->watch = watched;
    m->v->keep_doubles = watched || !lenient;
    if (!chance) g->machine->list(m->v);
    m->v->lenient = m->v->keep_doubles = false;
    m->v->watch = NULL;
    if (watched) m->v->fault = NULL;        /* what was found until then is enough */
    joc_position p = { .game = m->game, .v = m->v };
    uint8_t *from = must(malloc(g->state_size));
    memcpy(from, m->from, g->state_size);
    joc_moves *all = list_new(&p, from, !chance);
    free(from);
    vm_reset(m->v);
    return all;
}

joc_moves *moves_watched(joc_moves *m, watch *watched) { return list_again(m, true, watched); }

/* Another way to the same end: every path is looked at. */
static size_t another_way(joc_moves *m, const typed *w, size_t *best)
{
    joc_moves *all = list_again(m, false, NULL);
    size_t found = 0, left;
    for (size_t i = 0; i < all->count && i < 20000 && !found; i++) {
        if (!phrase_fits(phrase_at(all, i), w, &left)) continue;
        for (size_t j = 0; j < m->count; j++) if (m->leaves[j].identity == all->leaves[i].identity) { *best = j; found = 1; }
    }
    joc_moves_free(all);
    return found;
}

size_t moves_fit(const joc_moves *list, const char *text, size_t *best)
{
    joc_moves *m = (joc_moves *)(uintptr_t)list;
    make_texts(m);
    for (size_t i = 0; i < m->count; i++) if (strcmp(m->texts[i], text) == 0) { *best = i; return 1; }
    size_t said = 0;
    for (size_t i = 0; i < m->count; i++) if (phrase_says(phrase_at(m, i), text)) { *best = i; said++; }
    if (said) return said;
    typed w = typed_make(m->game->g, text);
    size_t found = 0, least = SIZE_MAX, at_least = 0;
    for (size_t i = 0; w.count && i < m->count; i++) {
        size_t left;
        if (!phrase_fits(phrase_at(m, i), &w, &left)) continue;
        found++;
        if (left < least) { least = left; *best = i; at_least = 1; }
        else if (left == least) at_least++;
    }
    if (found == 0 && w.count > 2 && m->count < 5000) found = at_least = another_way(m, &w, best);
    typed_free(&w);
    return at_least == 1 ? 1 : found;
}

/* ---- why not ----------------------------------------------------------------------------------------------------------------------------------------- */
static char *words_of_label(const char *label)
{
    char *t = must(strdup(label));
    for (char *c = t; *c; c++) if (*c == '_') *c = ' ';
    return t;
}

char *sentence(const char *format, ...)
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

const char *moves_forbidden_by(const joc_moves *list, const char *text)
{
    joc_moves *all = list_again((joc_moves *)(uintptr_t)list, true, NULL);
    const game *g = list->game->g;
    typed w = typed_make(g, text);
    const char *label = NULL;
    size_t left;
    for (size_t i = 0; i < all->count && !label; i++) {
        const int x = all->leaves[i].label;
        if (x > 0 && x <= g->name_count && phrase_fits(phrase_at(all, i), &w, &left)) label = g->names[x - 1];
    }
    typed_free(&w);
    joc_moves_free(all);
    return label;
}

/* Is the move one that only a filter forbids? Then which. */
static char *forbidden(joc_moves *m, const typed *w, const char *text)
{
    const game *g = m->game->g;
    joc_moves *all = list_again(m, true, NULL);
    char *why = NULL;
    size_t left;
    for (size_t i = 0; i < all->count && !why; i++) {
        if (!phrase_fits(phrase_at(all, i), w, &left)) continue;
        const int label = all->leaves[i].label;
        if (label == ELSE_FORBIDS) why = sentence("'%s' is not allowed: another kind of move comes first, and there is one", text);
        else if (label > 0 && label <= g->name_count) { char *words = words_of_label(g->names[label - 1]); why = sentence("'%s' is not allowed: %s", text, words); free(words); }
        else if (label == 0) {
            bool legal = false;
            for (size_t j = 0; j < m->count; j++) legal |= m->leaves[j].identity == all->leaves[i].identity;
            if (!legal) why = sentence("'%s' is not allowed: the rules prefer other moves, as those that take more", text);
        }
    }
    joc_moves_free(all);
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

static char *several(joc_moves *m, const typed *w, const char *text)
{
    buffer b = { 0 };
    size_t shown = 0, left;
    char *start = sentence("'%s' fits several moves: ", text);
    add(&b, start);
    free(start);
    for (size_t i = 0; i < m->count && shown < 8; i++) {
        if (!phrase_fits(phrase_at(m, i), w, &left)) continue;
        add(&b, shown++ ? ", " : "");
        add(&b, m->texts[i]);
    }
    return b.text;
}

/* So much of what was typed is said again: whole characters, no line without end. */
static int shown_bytes(const char *text)
{
    size_t n = strnlen(text, 80);
    while (n && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
    return (int)n;
}

/* Nothing fits: what there is instead. */
static char *no_move(joc_moves *m, const typed *w, const char *text)
{
    const game *g = m->game->g;
    const char *first = w->count ? w->words[0] : "";
    const int cell = cell_named(g, first);
    const uint16_t *at = m->seen ? m->seen : (const uint16_t *)(const void *)(m->from + (g->at_cells - g->state_from));
    const int shown = shown_bytes(text);
    size_t n = 0;
    if (!w->count) return sentence("no move was given");
    for (size_t i = 0; cell >= 0 && i < m->count; i++) n += strncmp(m->texts[i], first, strlen(first)) == 0;
    if (cell >= 0 && !n) return at[cell] ? sentence("the piece on %s has no such move now", first) : sentence("nothing stands on %s", first);
    char *start = n ? sentence("'%.*s' is no move here; from there: ", shown, text) : sentence("'%.*s' is no move here; for example: ", shown, text);
    char *out = examples(m, n ? first : NULL, start);
    free(start);
    return out;
}

static char *explain(joc_moves *m, const char *text, size_t found)
{
    typed w = typed_make(m->game->g, text);
    char *why = found > 1 ? several(m, &w, text) : forbidden(m, &w, text);
    if (!why) why = no_move(m, &w, text);
    typed_free(&w);
    return why;
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
