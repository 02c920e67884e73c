/* YAML files as plain trees, checked against tables.
 *
 * A datum is a text, a list or a map, with its place in the file. A scalar keeps its letters, so `no` is the word "no"; what YAML 1.2 reads
 * in it (a number, a truth, nothing) is asked when a table wants a certain kind: see datum_reads. What house rules, notations and match records need and no more: one document, no anchors, aliases or tags (an alias can
 * make a small file enormous), at most 16 levels, at most a million nodes, and a size limit.
 *
 * A shape lists the keys of a map: what is missing, unknown, doubled or of another type is reported with line and column. The same keys
 * stand in schemas/NAME.schema.yaml; tests/test_formats.c compares the two. */
#ifndef JOC_FORMATS_DATA_H
#define JOC_FORMATS_DATA_H
#include <stdint.h>
#include "interp/joc.h"
#include "interp/play/text.h"

typedef enum { DATUM_TEXT, DATUM_LIST, DATUM_MAP } datum_kind;
typedef struct datum datum;
struct datum {
    datum_kind kind;
    char *text;                 /* DATUM_TEXT */
    bool quoted;                /* DATUM_TEXT: written in quotes, or as a block */
    datum **parts;              /* items of a list; keys and values of a map in turn */
    size_t count, capacity;
    size_t from, to;            /* bytes in the file */
};

typedef struct {
    char *path, *text;
    size_t length;
    joc_messages *messages;
    size_t nodes;
    bool failed;
} data_file;

/* Reads the file into `f` (at most `limit` bytes; a regular file) and parses it. NULL with messages. Free both. */
datum *data_read(data_file *f, const char *path, size_t limit, joc_messages *);
/* The same of a text; `path` is for messages. */
datum *data_parse(data_file *f, const char *path, const char *text, size_t length, joc_messages *);
void datum_free(datum *);
void data_file_free(data_file *);

/* Queues a message at a datum and marks the file as failed. */
void data_fault(data_file *, const datum *at, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
void data_warn(data_file *, const datum *at, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What YAML 1.2 (core schema) reads in a scalar. */
typedef enum { READS_TEXT, READS_INTEGER, READS_REAL, READS_TRUTH, READS_NOTHING } reading;
reading datum_reads(const datum *);

typedef enum {
    KEY_TEXT, KEY_NUMBER, KEY_COUNT /* a whole number, 0 to 2^64 - 1 */, KEY_FORMAT, KEY_LIST, KEY_MAP, KEY_TEXTS /* a map of texts */,
    KEY_OPTIONS /* a map of texts, whole numbers and truths */
} key_type;
typedef struct { const char *key; key_type type; bool required; } shape_key;
typedef struct { const char *name; const shape_key *keys; size_t count; } data_shape;

/* Checks that `d` is a map of this shape; reports all faults. */
bool data_check(data_file *, const datum *d, const data_shape *);
const datum *datum_get(const datum *map, const char *key);              /* NULL if absent */
const char *datum_text(const datum *map, const char *key, const char *otherwise);
int64_t datum_number(const datum *map, const char *key, int64_t otherwise);
bool datum_is_number(const datum *, int64_t *value);

/* Writes a text as a YAML scalar, in double quotes unless it is a plain word. */
void yaml_add(text *t, const char *s);
/* The file's bytes, malloc'd and NUL-terminated; NULL with errno if it cannot be read, is no regular file (EINVAL), or is too large (EFBIG). */
char *file_read(const char *path, size_t limit, size_t *length);
/* Replaces the file at `path` as a whole or not at all: written beside it, synced, renamed. What is no plain file is left alone. False with errno. */
bool file_write(const char *path, const char *data, size_t length);
#endif
