/* YAML as plain trees; see data.h. Built from libyaml's events, without recursion. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "grammar/diag.h"
#include "interp/formats/data.h"

enum { DEPTH_MAX = 16, NODES_MAX = 1000000 };

/* ---- messages ----------------------------------------------------------------------------------------------------------------------- */
static void report(data_file *f, const char *code, size_t from, size_t to, const char *format, va_list list) {
    char words[600];
    vsnprintf(words, sizeof words, format, list);
    if (from > f->length) from = f->length;
    if (to > f->length) to = f->length;
    joc_messages_add(f->messages, code, f->path, f->text, f->length, from, to < from ? from : to, words);
}

void data_fault(data_file *f, const datum *at, const char *code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(f, code, at ? at->from : 0, at ? at->to : 0, format, list);
    va_end(list);
    f->failed = true;
}

void data_warn(data_file *f, const datum *at, const char *code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(f, code, at ? at->from : 0, at ? at->to : 0, format, list);
    va_end(list);
}

static void fault_at(data_file *f, size_t from, size_t to, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void fault_at(data_file *f, size_t from, size_t to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(f, "E0801", from, to, format, list);
    va_end(list);
    f->failed = true;
}

/* libyaml counts characters; messages count bytes. `from` is a place already known. */
static size_t byte_of(const data_file *f, size_t character, size_t *known_character, size_t *known_byte) {
    if (character < *known_character) *known_character = *known_byte = 0;
    while (*known_character < character && *known_byte < f->length) {
        (*known_byte)++;
        while (*known_byte < f->length && ((unsigned char)f->text[*known_byte] & 0xC0) == 0x80) (*known_byte)++;
        (*known_character)++;
    }
    return *known_byte;
}

/* ---- trees -------------------------------------------------------------------------------------------------------------------------- */
static void datum_push(datum *to, datum *part) {
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 8;
        datum **grown = memory_of(to->capacity, sizeof *grown);
        if (to->count) memcpy(grown, to->parts, to->count * sizeof *grown);
        free(to->parts);
        to->parts = grown;
    }
    to->parts[to->count++] = part;
}

void datum_free(datum *d) {             /* at most DEPTH_MAX deep */
    if (!d) return;
    for (size_t i = 0; i < d->count; i++) datum_free(d->parts[i]);
    free(d->parts);
    free(d->text);
    free(d);
}

void data_file_free(data_file *f) {
    free(f->path);
    free(f->text);
    *f = (data_file){ 0 };
}

typedef struct {
    data_file *file;
    datum *root, *open[DEPTH_MAX];
    int depth;
    size_t known_character, known_byte;
    int documents;
} builder;

static datum *datum_new(builder *b, datum_kind kind, const yaml_event_t *e) {
    datum *d = memory_of(1, sizeof *d);
    d->kind = kind;
    d->from = byte_of(b->file, e->start_mark.index, &b->known_character, &b->known_byte);
    d->to = byte_of(b->file, e->end_mark.index, &b->known_character, &b->known_byte);
    if (b->depth) datum_push(b->open[b->depth - 1], d);
    else b->root = d;
    return d;
}

static bool plain(builder *b, const yaml_char_t *anchor, const yaml_char_t *tag, size_t from) {
    if (anchor) fault_at(b->file, from, from + 1, "anchors ('&%s') are not used here", (const char *)anchor);
    else if (tag) fault_at(b->file, from, from + 1, "tags ('%s') are not used here", (const char *)tag);
    return !anchor && !tag;
}

/* Does the text hold characters that move the cursor of a terminal, or worse? Blanks and line ends do not count; U+0080 to U+009F do. */
static bool text_controls(const char *words) {
    for (const unsigned char *c = (const unsigned char *)words; *c; c++)
        if ((*c < 0x20 && *c != '\t' && *c != '\n' && *c != '\r') || *c == 0x7F || (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0)) return true;
    return false;
}

static bool node_event(builder *b, const yaml_event_t *e) {
    size_t from = byte_of(b->file, e->start_mark.index, &b->known_character, &b->known_byte);
    if (e->type == YAML_ALIAS_EVENT) {
        fault_at(b->file, from, from + 1, "aliases ('*%s') are not used here: write the value again", (const char *)e->data.alias.anchor);
        return false;
    }
    if (++b->file->nodes > NODES_MAX) {
        fault_at(b->file, from, from + 1, "more than %d values", NODES_MAX);
        return false;
    }
    if (e->type == YAML_SCALAR_EVENT) {
        if (!plain(b, e->data.scalar.anchor, e->data.scalar.tag, from)) return false;
        datum *d = datum_new(b, DATUM_TEXT, e);
        d->text = memory_of(e->data.scalar.length + 1, 1);
        memcpy(d->text, e->data.scalar.value, e->data.scalar.length);
        d->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        if (strlen(d->text) != e->data.scalar.length) fault_at(b->file, from, from + 1, "a zero byte in a text");
        else if (text_controls(d->text)) fault_at(b->file, from, from + 1, "a control character in a text");
        return !b->file->failed;
    }
    bool list = e->type == YAML_SEQUENCE_START_EVENT;
    if (!plain(b, list ? e->data.sequence_start.anchor : e->data.mapping_start.anchor, list ? e->data.sequence_start.tag : e->data.mapping_start.tag, from)) return false;
    if (b->depth == DEPTH_MAX) {
        fault_at(b->file, from, from + 1, "more than %d levels deep", DEPTH_MAX);
        return false;
    }
    datum *d = datum_new(b, list ? DATUM_LIST : DATUM_MAP, e);
    b->open[b->depth++] = d;
    return true;
}

static bool event(builder *b, const yaml_event_t *e) {
    switch (e->type) {
    case YAML_ALIAS_EVENT: case YAML_SCALAR_EVENT: case YAML_SEQUENCE_START_EVENT: case YAML_MAPPING_START_EVENT: return node_event(b, e);
    case YAML_SEQUENCE_END_EVENT: case YAML_MAPPING_END_EVENT: b->depth--; return true;
    case YAML_DOCUMENT_START_EVENT:
        if (!b->documents++) return true;
        byte_of(b->file, e->start_mark.index, &b->known_character, &b->known_byte);
        fault_at(b->file, b->known_byte, b->known_byte + 3, "a second document; expected one");
        return false;
    default: return true;
    }
}

static void build(builder *b) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        fault_at(b->file, 0, 0, "cannot start the YAML reader");
        return;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)b->file->text, b->file->length);
    for (bool going = true; going;) {
        yaml_event_t e;
        if (!yaml_parser_parse(&parser, &e)) {
            size_t at = byte_of(b->file, parser.problem_mark.index, &b->known_character, &b->known_byte);
            fault_at(b->file, at, at + 1, "not YAML: %s", parser.problem ? parser.problem : "unreadable");
            break;
        }
        going = e.type != YAML_STREAM_END_EVENT && event(b, &e);
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
}

datum *data_parse(data_file *f, const char *path, const char *contents, size_t length, joc_messages *m) {
    *f = (data_file){ .path = text_copy(path), .text = memory_of(length + 1, 1), .length = length, .messages = m };
    memcpy(f->text, contents, length);
    builder b = { .file = f };
    build(&b);
    if (!f->failed && !b.root) fault_at(f, 0, 0, "the file is empty");
    if (!f->failed) return b.root;
    datum_free(b.root);
    return NULL;
}

datum *data_read(data_file *f, const char *path, size_t limit, joc_messages *m) {
    size_t length;
    char *contents = file_read(path, limit, &length);
    if (!contents) {
        *f = (data_file){ .path = text_copy(path), .text = text_copy(""), .messages = m, .failed = true };
        const char *why = errno == EFBIG ? "larger than Joc reads" : errno == EINVAL ? "not a file" : strerror(errno);
        fault_at(f, 0, 0, "cannot read '%s': %s", path, why);
        return NULL;
    }
    datum *d = data_parse(f, path, contents, length, m);
    free(contents);
    return d;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------------------- */
bool datum_is_number(const datum *d, int64_t *value) {
    if (!d || d->kind != DATUM_TEXT || d->quoted || !*d->text) return false;
    char *end;
    errno = 0;
    *value = strtoll(d->text, &end, 10);
    return !*end && !errno && d->text[0] != ' ' && d->text[0] != '+';
}

static bool one_of(const char *s, const char *const *words) {
    for (; *words; words++)
        if (!strcmp(s, *words)) return true;
    return false;
}

/* Digits of a base, one at least; the place behind them, NULL if there are none. */
static const char *digits(const char *s, const char *base) {
    size_t n = strspn(s, base);
    return n ? s + n : NULL;
}

static bool reads_integer(const char *s) {
    const char *end;
    if (s[0] == '0' && s[1] == 'o') end = digits(s + 2, "01234567");
    else if (s[0] == '0' && s[1] == 'x') end = digits(s + 2, "0123456789abcdefABCDEF");
    else end = digits(s + (*s == '+' || *s == '-'), "0123456789");
    return end && !*end;
}

static bool reads_real(const char *s) {
    static const char *const odd[] = { ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", NULL };
    if (one_of(s, odd)) return true;
    s += *s == '+' || *s == '-';
    if (one_of(s, odd) && s[1] != 'n' && s[1] != 'N') return true;
    const char *whole = digits(s, "0123456789"), *end = whole ? whole : s;
    if (*end == '.') {
        const char *part = digits(end + 1, "0123456789");
        if (!whole && !part) return false;
        end = part ? part : end + 1;
    } else if (!whole) return false;
    if (*end == 'e' || *end == 'E') {
        end++;
        end = digits(end + (*end == '+' || *end == '-'), "0123456789");
    }
    return end && !*end;
}

reading datum_reads(const datum *d) {
    static const char *const nothing[] = { "", "~", "null", "Null", "NULL", NULL }, *const truths[] = { "true", "True", "TRUE", "false", "False", "FALSE", NULL };
    if (d->kind != DATUM_TEXT || d->quoted) return READS_TEXT;
    if (one_of(d->text, nothing)) return READS_NOTHING;
    if (one_of(d->text, truths)) return READS_TRUTH;
    return reads_integer(d->text) ? READS_INTEGER : reads_real(d->text) ? READS_REAL : READS_TEXT;
}

static const shape_key *key_find(const data_shape *s, const char *key) {
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->keys[i].key, key)) return &s->keys[i];
    return NULL;
}

static void unknown_key(data_file *f, const datum *key, const data_shape *s) {
    const char *names[32];
    size_t n = 0;
    for (; n < s->count && n < 32; n++) names[n] = s->keys[n].key;
    const char *near = nearest_word(key->text, names, n);
    if (near) data_fault(f, key, "E0802", "%s has no '%s'; did you mean '%s'?", s->name, key->text, near);
    else data_fault(f, key, "E0802", "%s has no '%s'", s->name, key->text);
}

static bool is_text(const datum *d) { return d->kind == DATUM_TEXT && datum_reads(d) == READS_TEXT; }

/* The first value (or key) of a map that is no text, or (`options`) no text, whole number or truth; NULL if all are. */
static const datum *misfit(const datum *map, bool options) {
    for (size_t i = 0; i < map->count; i++) {
        const datum *d = map->parts[i];
        reading r = datum_reads(d);
        bool value = i % 2 && options && (r == READS_INTEGER || r == READS_TRUTH);
        if (d->kind != DATUM_TEXT || !(r == READS_TEXT || value)) return d;
    }
    return NULL;
}

static bool is_count(const datum *d) {
    char *end;
    if (datum_reads(d) != READS_INTEGER || d->kind != DATUM_TEXT || strspn(d->text, "0123456789") != strlen(d->text)) return false;
    errno = 0;
    strtoull(d->text, &end, 10);
    return !errno;
}

/* "a text": and if it is none only for want of quotes, how to write it. */
static void type_fault(data_file *f, const shape_key *k, const datum *value, const char *wanted) {
    bool quotes = value->kind == DATUM_TEXT && datum_reads(value) != READS_NOTHING && (k->type == KEY_TEXT || k->type == KEY_TEXTS);
    if (quotes) data_fault(f, value, "E0803", "'%s' must be %s; write it in quotes: \"%s\"", k->key, wanted, value->text);
    else data_fault(f, value, "E0803", "'%s' must be %s", k->key, wanted);
}

static void value_check(data_file *f, const shape_key *k, const datum *value) {
    static const char *const wanted[] = {
        "a text", "a whole number", "a whole number, not negative", "the number of a format that is known here (1)", "a list", "a map", "a map of texts",
        "a map of texts, whole numbers, yes and no"
    };
    int64_t n;
    bool fits = false, map = value->kind == DATUM_MAP;
    const datum *at = value;
    switch (k->type) {
    case KEY_TEXT: fits = is_text(value); break;
    case KEY_NUMBER: fits = datum_is_number(value, &n); break;
    case KEY_COUNT: fits = is_count(value); break;
    case KEY_FORMAT: fits = datum_is_number(value, &n) && n == JOC_FORMAT; break;
    case KEY_LIST: fits = value->kind == DATUM_LIST; break;
    case KEY_MAP: fits = map; break;
    case KEY_TEXTS: case KEY_OPTIONS:
        if (map) at = misfit(value, k->type == KEY_OPTIONS);
        fits = map && !at;
        break;
    }
    if (!fits) type_fault(f, k, at, wanted[k->type]);
}

bool data_check(data_file *f, const datum *d, const data_shape *s) {
    bool before = f->failed;
    f->failed = false;
    if (d->kind != DATUM_MAP) {
        data_fault(f, d, "E0803", "expected %s: a map of keys and values", s->name);
        return false;
    }
    for (size_t i = 0; i < d->count; i += 2) {
        const datum *key = d->parts[i];
        const shape_key *k = key->kind == DATUM_TEXT ? key_find(s, key->text) : NULL;
        if (!is_text(key)) data_fault(f, key, "E0803", "a key must be a text");
        else if (!k) unknown_key(f, key, s);
        else {
            if (datum_get(d, key->text) != d->parts[i + 1]) data_fault(f, key, "E0803", "'%s' is given twice", key->text);
            value_check(f, k, d->parts[i + 1]);
        }
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->keys[i].required && !datum_get(d, s->keys[i].key)) data_fault(f, d, "E0804", "%s needs '%s'", s->name, s->keys[i].key);
    bool good = !f->failed;
    f->failed = before || f->failed;
    return good;
}

const datum *datum_get(const datum *map, const char *key) {
    if (!map || map->kind != DATUM_MAP) return NULL;
    for (size_t i = 0; i + 1 < map->count; i += 2)
        if (map->parts[i]->kind == DATUM_TEXT && !strcmp(map->parts[i]->text, key)) return map->parts[i + 1];
    return NULL;
}

const char *datum_text(const datum *map, const char *key, const char *otherwise) {
    const datum *d = datum_get(map, key);
    return d && d->kind == DATUM_TEXT ? d->text : otherwise;
}

int64_t datum_number(const datum *map, const char *key, int64_t otherwise) {
    int64_t n;
    return datum_is_number(datum_get(map, key), &n) ? n : otherwise;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------------ */
static bool plain_word(const char *s) {
    static const char *const taken[] = { "yes", "no", "true", "false", "on", "off", "null", "y", "n" };
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))) return false;
    for (const char *p = s; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_' || *p == '-')) return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(s, taken[i])) return false;
    return true;
}

void yaml_add(text *t, const char *s) {
    if (plain_word(s)) {
        text_add(t, s);
        return;
    }
    text_add(t, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') text_format(t, "\\%c", c);
        else if (c == '\n') text_add(t, "\\n");
        else if (c < 32 || c == 127) text_format(t, "\\x%02X", c);
        else text_add_bytes(t, s, 1);
    }
    text_add(t, "\"");
}
