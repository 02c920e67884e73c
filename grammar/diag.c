/* Diagnostics: the queue, and how it is printed.
 *
 * Messages are kept as they come. Printing sorts them (a note stays behind its message), finds line and column by counting, and shows
 * the line with a caret under the place. A tab counts as one column and is shown as one space, so that carets stay in step. */
#include "diag.h"
#include "arena.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 50, WARNING_LIMIT = 500, LINE_SHOWN = 160 };

diagnostics *diag_new(void)
{
    diagnostics *d = must_have(calloc(1, sizeof *d));
    d->limit = DEFAULT_LIMIT;
    return d;
}

void diag_free(diagnostics *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->count; i++)
        free(d->messages[i].text);
    for (size_t i = 0; i < d->source_count; i++) {
        free(d->sources[i].path);
        free(d->sources[i].text);
        free(d->sources[i].lines);
    }
    free(d->messages);
    free(d->sources);
    free(d);
}

static char *copy(const char *text, size_t length)
{
    char *result = must_have(malloc(length + 1));
    if (length)
        memcpy(result, text, length);
    result[length] = '\0';
    return result;
}

static void find_lines(source *s)
{
    size_t count = 1;
    for (size_t i = 0; i < s->length; i++)
        count += s->text[i] == '\n';
    s->lines = must_have(calloc(count, sizeof *s->lines));
    s->line_count = 1;
    for (size_t i = 0; i < s->length; i++)
        if (s->text[i] == '\n')
            s->lines[s->line_count++] = (uint32_t)(i + 1);
}

uint32_t diag_source(diagnostics *d, const char *path, const char *text, size_t length)
{
    d->sources = must_have(realloc(d->sources, (d->source_count + 1) * sizeof *d->sources));
    d->sources[d->source_count] = (source){ .path = copy(path, strlen(path)), .text = copy(text, length), .length = length };
    find_lines(&d->sources[d->source_count]);
    return (uint32_t)d->source_count++;
}

/* ---- the queue ---- */

static char *formatted(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = must_have(calloc(1, size));
    if (length > 0)
        vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

static void queue(diagnostics *d, severity level, const char *code, span at, const char *format, va_list list)
{
    if (d->count == d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 16;
        d->messages = must_have(realloc(d->messages, d->capacity * sizeof *d->messages));
    }
    d->messages[d->count++] = (message){ level, code, at, formatted(format, list) };
}

static bool same_span(span a, span b)
{
    return a.source == b.source && a.from == b.from && a.to == b.to;
}

static bool queued(const diagnostics *d, const char *code, span at)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->messages[i].code && strcmp(d->messages[i].code, code) == 0 && same_span(d->messages[i].at, at))
            return true;
    return false;
}

void diag_add(diagnostics *d, const char *code, span at, const char *format, ...)
{
    severity level = *code == 'E' ? SEVERITY_ERROR : *code == 'W' ? SEVERITY_WARNING : SEVERITY_NOTE;
    d->dropped = queued(d, code, at);
    if (d->dropped)
        return;
    d->dropped = d->errors >= d->limit || (level != SEVERITY_ERROR && d->count >= WARNING_LIMIT);
    d->errors += level == SEVERITY_ERROR;
    d->warnings += level == SEVERITY_WARNING;
    if (d->dropped)
        return;
    va_list list;
    va_start(list, format);
    queue(d, level, code, at, format, list);
    va_end(list);
}

void diag_note(diagnostics *d, span at, const char *format, ...)
{
    if (d->dropped || !d->count)
        return;
    va_list list;
    va_start(list, format);
    queue(d, SEVERITY_NOTE, NULL, at, format, list);
    va_end(list);
}

/* ---- places ---- */

static bool inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The source of a span, or NULL; its places are kept within the text. */
static const source *find_source(const diagnostics *d, span *at)
{
    if (at->source >= d->source_count)
        return NULL;
    const source *s = &d->sources[at->source];
    if (at->from > s->length)
        at->from = (uint32_t)s->length;
    if (at->to > s->length)
        at->to = (uint32_t)s->length;
    return s;
}

void diag_locate(const diagnostics *d, span at, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    const source *s = find_source(d, &at);
    if (!s)
        return;
    size_t low = 0, high = s->line_count;       /* the last line that begins at or before the place */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (s->lines[middle] <= at.from)
            low = middle;
        else
            high = middle;
    }
    *line = (unsigned)low + 1;
    for (uint32_t i = s->lines[low]; i < at.from; i++)
        *column += !inside_character(s->text[i]);
}

/* ---- printing ---- */

typedef struct { char *text; size_t length, capacity; } output;

static void put(output *o, const char *text, size_t length)
{
    if (o->length + length + 1 > o->capacity) {
        o->capacity = 2 * (o->length + length) + 256;
        o->text = must_have(realloc(o->text, o->capacity));
    }
    memcpy(o->text + o->length, text, length);
    o->length += length;
    o->text[o->length] = '\0';
}

static void put_text(output *o, const char *text)
{
    put(o, text, strlen(text));
}

static const char *const severity_names[] = { "note", "warning", "error" };
static const char *const severity_colours[] = { "\033[36m", "\033[33m", "\033[31m" };

/* A character of a source line as it is shown: control characters as spaces. */
static void put_shown(output *o, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        put(o, (unsigned char)c < 0x20 || c == 0x7F ? " " : &c, 1);
    }
}

/* The line of a place, cut to a window around it, and carets below. */
static void put_excerpt(output *o, const source *s, span at, const char *colour, const char *plain)
{
    size_t from = at.from, to = at.from;
    while (from > 0 && s->text[from - 1] != '\n' && (at.from - from < LINE_SHOWN || inside_character(s->text[from])))
        from--;
    while (to < s->length && s->text[to] != '\n' && (to - at.from < LINE_SHOWN || inside_character(s->text[to])))
        to++;
    put_text(o, "    ");
    put_shown(o, s->text + from, to - from);
    put_text(o, "\n    ");
    for (size_t i = from; i < at.from; i++)
        if (!inside_character(s->text[i]))
            put_text(o, " ");
    put_text(o, colour);
    put_text(o, "^");
    for (size_t i = at.from + 1u; i < at.to && i < to; i++)
        if (!inside_character(s->text[i]))
            put_text(o, "~");
    put_text(o, plain);
    put_text(o, "\n");
}

static void put_message(output *o, const diagnostics *d, const message *m, bool colour)
{
    const char *hue = colour ? severity_colours[m->severity] : "", *plain = colour ? "\033[0m" : "", *bold = colour ? "\033[1m" : "";
    span at = m->at;
    const source *s = find_source(d, &at);
    char place[64] = "";
    if (s) {
        unsigned line, column;
        diag_locate(d, at, &line, &column);
        snprintf(place, sizeof place, ":%u:%u: ", line, column);
        put_text(o, bold);
        put_text(o, s->path);
        put_text(o, place);
        put_text(o, plain);
    }
    put_text(o, hue);
    put_text(o, severity_names[m->severity]);
    if (m->code) {
        put_text(o, "[");
        put_text(o, m->code);
        put_text(o, "]");
    }
    put_text(o, ": ");
    put_text(o, plain);
    put_text(o, m->text);
    put_text(o, "\n");
    if (s)
        put_excerpt(o, s, at, hue, plain);
}

/* A message with the notes behind it, for sorting. */
typedef struct { const message *first; size_t index, count; } group;

static int compare_groups(const void *left, const void *right)
{
    const group *a = left, *b = right;
    span x = a->first->at, y = b->first->at;
    if (x.source != y.source)
        return x.source < y.source ? -1 : 1;
    if (x.from != y.from)
        return x.from < y.from ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

char *diag_text(const diagnostics *d, bool colour)
{
    output o = { 0 };
    put(&o, "", 0);
    group *groups = must_have(calloc(d->count + 1, sizeof *groups));
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (d->messages[i].code || !count)
            groups[count++] = (group){ &d->messages[i], i, 0 };
        groups[count - 1].count++;
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < groups[i].count; j++)
            put_message(&o, d, groups[i].first + j, colour);
    free(groups);
    if (d->errors > d->limit) {
        char more[64];
        snprintf(more, sizeof more, "and %zu more\n", d->errors - d->limit);
        put_text(&o, more);
    }
    return o.text;
}

/* ---- the nearest word ---- */

enum { WORD_LENGTH = 64 };

/* Edit distance (insert, delete, change, swap of neighbours), by bytes; at most WORD_LENGTH bytes are looked at. */
static unsigned distance(const char *a, const char *b)
{
    size_t m = strnlen(a, WORD_LENGTH), n = strnlen(b, WORD_LENGTH);
    unsigned row[3][WORD_LENGTH + 1];
    for (size_t j = 0; j <= n; j++)
        row[1][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *before = row[(i + 2) % 3], *last = row[i % 3], *now = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[(m + 1) % 3][n];
}

const char *nearest_word(const char *word, const char *const *words, size_t count)
{
    size_t length = strlen(word);
    unsigned allowed = length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3, best = allowed + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!words[i])
            continue;
        unsigned far = distance(word, words[i]);
        if (far > 0 && far < best) {
            best = far;
            nearest = words[i];
        }
    }
    return nearest;
}
