/* Expectations in rule files with faults, and how they are checked: for every suite that has such files.
 *
 * A line that is at fault says so itself, behind its code:
 *     place White Rook a1 h1        #! E0111 25: 'on' is missing before the end of the line: place K on S
 * that is: the code, the column (in characters), the whole text of the message. A text that ends with `...` need only begin so. A further
 * place of the message is a message of its own, with `note` for its code. Several messages of one line follow each other, each with its
 * `#!`. Where a line can carry no comment, one nearby says how far away the fault is: `#!-1` means the line before, `#!+2` the second
 * line after. A file must give exactly the messages it expects. */
#ifndef JOC_TESTS_ERROR_CORPUS_H
#define JOC_TESTS_ERROR_CORPUS_H
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grammar/diag.h"

/* Reads a text as the front end (or more) would, queueing messages. */
typedef void (*error_check)(const char *path, const char *text, size_t length, diagnostics *d);

typedef struct { unsigned line, column; char code[8], *text; bool met; } expectation;
typedef struct { expectation items[256]; size_t count; } expectations;

/* One `#!` of a line; `end` is behind its text. */
static inline void expect_one(expectations *list, unsigned line, const char *from, const char *end)
{
    int offset = 0, used = 0;
    unsigned column = 0;
    char code[8] = "", *after;
    bool elsewhere = *from == '@';
    from += elsewhere;
    if (*from == '-' || *from == '+') {
        offset = (int)strtol(from, &after, 10);
        from = after;
    }
    if (sscanf(from, " %7s %u: %n", code, &column, &used) < 2 || !used || list->count == sizeof list->items / sizeof *list->items) {
        fprintf(stderr, "line %u: not an expectation: %.*s\n", line, (int)(end - from), from);
        return;
    }
    from += used;
    while (end > from && end[-1] == ' ')
        end--;
    expectation *e = &list->items[list->count++];
    *e = (expectation){ .line = elsewhere ? 0 : (unsigned)((int)line + offset), .column = column, .text = strndup(from, (size_t)(end - from)) };
    snprintf(e->code, sizeof e->code, "%s", code);
}

static inline void read_expectations(const char *text, expectations *list)
{
    unsigned line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = strchrnul(at, '\n');
        const char *mark = strstr(at, "#!");
        while (mark && mark < end) {
            const char *next = strstr(mark + 2, " #!");
            next = next && next < end ? next : NULL;
            expect_one(list, line, mark + 2, next ? next : end);
            mark = next ? next + 1 : NULL;
        }
        at = *end ? end + 1 : end;
    }
}

static inline bool meets(const expectation *e, const message *m, unsigned line, unsigned column)
{
    size_t length = strlen(e->text), compared = length > 3 && strcmp(e->text + length - 3, "...") == 0 ? length - 3 : length + 1;
    return !e->met && e->line == line && e->column == column && strcmp(e->code, m->code ? m->code : "note") == 0
        && strncmp(e->text, m->text, compared) == 0;
}

/* How many messages of a file are missing, or not expected; each is told on stderr. */
static inline int errors_check_text(const char *path, const char *text, size_t length, error_check checked)
{
    expectations list = { .count = 0 };
    int wrong = 0;
    read_expectations(text, &list);
    diagnostics *d = diag_new();
    d->limit = 1000;
    checked(path, text, length, d);
    for (size_t i = 0; i < d->count; i++) {
        unsigned line, column;
        size_t k = 0;
        diag_locate(d, d->messages[i].at, &line, &column);
        if (d->messages[i].at.source > 0) {
            if (!d->messages[i].code)
                continue;
            line = 0;
        }
        while (k < list.count && !meets(&list.items[k], &d->messages[i], line, column))
            k++;
        if (k < list.count)
            list.items[k].met = true;
        else {
            fprintf(stderr, "%s:%u: not expected: #! %s %u: %s\n", path, line, d->messages[i].code ? d->messages[i].code : "note", column, d->messages[i].text);
            wrong++;
        }
    }
    for (size_t k = 0; k < list.count; k++) {
        if (!list.items[k].met) {
            fprintf(stderr, "%s:%u: missing: #! %s %u: %s\n", path, list.items[k].line, list.items[k].code, list.items[k].column, list.items[k].text);
            wrong++;
        }
        free(list.items[k].text);
    }
    if (!list.count)
        fprintf(stderr, "%s: expects nothing\n", path);
    diag_free(d);
    return wrong + !list.count;
}

static inline int errors_check_file(const char *path, error_check checked)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;
    ssize_t got = file ? getdelim(&text, &length, EOF, file) : -1;
    if (file)
        fclose(file);
    if (got < 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(text);
        return 1;
    }
    int wrong = errors_check_text(path, text, (size_t)got, checked);
    free(text);
    return wrong;
}

/* All files of a pattern; at least `least` of them must be there. */
static inline int errors_check_files(const char *pattern, size_t least, error_check checked)
{
    glob_t found;
    int wrong = 0;
    if (glob(pattern, 0, NULL, &found) != 0 || found.gl_pathc < least) {
        fprintf(stderr, "%s: fewer than %zu files\n", pattern, least);
        wrong++;
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        wrong += errors_check_file(found.gl_pathv[i], checked);
    globfree(&found);
    return wrong;
}
#endif
