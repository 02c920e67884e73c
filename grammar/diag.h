/* Diagnostics: what is wrong, where, and how to mend it.
 *
 * A span is a range of bytes of one source; line and column are worked out when a message is printed. Messages are queued, never
 * printed on the way; a phase returns false if and only if it queued an error. Text: lower case, no full stop, the author's word in
 * quotes '...', what was expected and found, the nearest name. Codes (E0101 ...) are stable and listed in diag.def for `joc explain`.
 * A second place ("first here") is a note that follows its message. */
#ifndef JOC_DIAG_H
#define JOC_DIAG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } severity;

typedef struct { uint32_t source, from, to; } span;              /* source: index in diagnostics.sources; bytes [from, to) */

typedef struct {
    severity severity;
    const char *code;       /* "E0101"; NULL for a note that follows another message */
    span at;
    char *text;
} message;

typedef struct { char *path; char *text; size_t length; uint32_t *lines; size_t line_count; } source;      /* lines: where each begins */

typedef struct {
    message *messages;
    size_t count, capacity;
    size_t errors, warnings;
    source *sources;
    size_t source_count;
    size_t limit;           /* errors after which nothing more is queued (default 50); `errors` goes on counting */
    bool dropped;           /* the last message was not queued, so its notes are not either */
} diagnostics;

diagnostics *diag_new(void);
void diag_free(diagnostics *);

/* Registers a source (path and text are copied) and gives its index for spans. */
uint32_t diag_source(diagnostics *, const char *path, const char *text, size_t length);

/* Queue a message. `code` is one of diag.def's: its first letter gives the severity (E error, W warning, N note). The same code at the same
 * span is queued once. */
void diag_add(diagnostics *, const char *code, span at, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A further place of the message queued last. */
void diag_note(diagnostics *, span at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* 1-based line and column (in characters, not bytes) of a byte of a source. */
void diag_locate(const diagnostics *, span at, unsigned *line, unsigned *column);

/* All messages, sorted by source and place, notes after their message: "path:line:col: error[E0101]: text", the source line, a caret line.
 * `colour`: with terminal colours. malloc'd text. */
char *diag_text(const diagnostics *, bool colour);

/* The word among `words` nearest to `word` (small edit distance), or NULL if none is near. */
const char *nearest_word(const char *word, const char *const *words, size_t count);
#endif
