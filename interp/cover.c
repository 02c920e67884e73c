/* Coverage of tests: what of the rules the tests of a file have never exercised.
 *
 * A game compiled to be covered has marks (game.h): the end of each rule's body, and for each condition that it held and that it did not. The
 * tests compile the rules once for each set of options they ask for; here the marks of all those games are put together by the place in
 * the file that they stand for; what a variant inherits is left to the tests of its parent. A rule is made if a move that a test names goes through it to its end, and listed if it only was one of
 * the ways that were counted. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"
#include "cover.h"

typedef struct { mark_kind kind; passage at; char *rule, *words; const char *path; unsigned line, column; uint8_t how; } covered;
struct joc_coverage { covered *all; size_t count, capacity; char **paths; size_t path_count; joc_gap *gaps; size_t gap_count; size_t rules, made, conditions, both; };

static void *must(void *p) { if (!p) abort(); return p; }

joc_coverage *coverage_new(void) { return must(calloc(1, sizeof(joc_coverage))); }

static const char *path_kept(joc_coverage *c, const char *path)
{
    for (size_t i = 0; i < c->path_count; i++) if (strcmp(c->paths[i], path) == 0) return c->paths[i];
    c->paths = must(realloc(c->paths, (c->path_count + 1) * sizeof *c->paths));
    return c->paths[c->path_count++] = must(strdup(path));
}

/* The first line of the words there. */
static char *words_kept(const source_info *s, passage at)
{
    size_t to = at.from;
    while (to < at.to && to < s->length && s->text[to] != '\n') to++;
    return must(strndup(s->text + at.from, to - at.from));
}

static covered *covered_at(joc_coverage *c, const game *g, const cover_mark *m)
{
    const source_info *s = &g->sources[m->at.source];
    for (size_t i = 0; i < c->count; i++) {
        covered *x = &c->all[i];
        if (x->kind == m->kind && x->at.from == m->at.from && x->at.to == m->at.to && strcmp(x->path, s->path) == 0) return x;
    }
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 64;
        c->all = must(realloc(c->all, c->capacity * sizeof *c->all));
    }
    covered *x = &c->all[c->count++];
    *x = (covered){ .kind = m->kind, .at = m->at, .rule = must(strdup(m->rule >= 0 ? g->names[m->rule] : "")), .words = words_kept(s, m->at), .path = path_kept(c, s->path), .line = 1, .column = 1 };
    for (uint32_t i = 0; i < m->at.from && i < s->length; i++) {
        if (s->text[i] == '\n') { x->line++; x->column = 1; }
        else if ((s->text[i] & 0xC0) != 0x80) x->column++;
    }
    return x;
}

void coverage_add(joc_coverage *c, const game *g, const uint8_t *marks)
{
    for (int i = 0; i < g->cover_count; i++) if (g->covers[i].at.source == 0 && g->source_count) covered_at(c, g, &g->covers[i])->how |= marks[i];
}

static int compare_places(const void *a, const void *b)
{
    const covered *x = a, *y = b;
    const int c = strcmp(x->path, y->path);
    if (c) return c;
    return x->at.from != y->at.from ? (x->at.from < y->at.from ? -1 : 1) : x->kind < y->kind ? -1 : x->kind > y->kind;
}

static void gap_add(joc_coverage *c, const covered *x)
{
    static const char *const kinds[] = { "rule", "held", "failed" };
    c->gaps = must(realloc(c->gaps, (c->gap_count + 1) * sizeof *c->gaps));
    c->gaps[c->gap_count++] = (joc_gap){ kinds[x->kind], x->rule, x->words, x->path, x->line, x->column, x->how != 0 };
}

void coverage_finish(joc_coverage *c)
{
    if (c->count) qsort(c->all, c->count, sizeof *c->all, compare_places);
    for (size_t i = 0; i < c->count; i++) {
        const covered *x = &c->all[i];
        const bool good = x->kind == MARK_RULE ? (x->how & MARK_MADE) != 0 : x->how != 0;
        if (x->kind == MARK_RULE) { c->rules++; c->made += good; }
        if (x->kind == MARK_HELD) {
            c->conditions++;
            c->both += good && i + 1 < c->count && c->all[i + 1].kind == MARK_FAILED && c->all[i + 1].at.from == x->at.from && c->all[i + 1].how;
        }
        if (!good) gap_add(c, x);
    }
}

void joc_coverage_free(joc_coverage *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->count; i++) { free(c->all[i].rule); free(c->all[i].words); }
    for (size_t i = 0; i < c->path_count; i++) free(c->paths[i]);
    free(c->paths);
    free(c->all);
    free(c->gaps);
    free(c);
}

size_t joc_coverage_rules(const joc_coverage *c, size_t *made) { *made = c->made; return c->rules; }
size_t joc_coverage_conditions(const joc_coverage *c, size_t *both) { *both = c->both; return c->conditions; }
size_t joc_coverage_gaps(const joc_coverage *c) { return c->gap_count; }
joc_gap joc_coverage_gap(const joc_coverage *c, size_t i) { return c->gaps[i]; }
