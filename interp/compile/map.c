/* Map files: cells with their groups, numbers and borders (schemas/map.schema.yaml).
 *
 *     cells:
 *       APU: { nr: 8, name: Apulii, in: [AR, R], to: [PRE, BIE], one_way: [DRA], at: [3, 2] }
 *
 * Every key of a cell but `name`, `in`, `to`, `one_way` and `at` is a number and becomes a field; every word of `in` becomes a set.
 * All borders together are the one direction of the board, a graph. What is read is kept flat while the file is parsed (events of
 * libyaml, no tree, no recursion, no aliases); a border may name a cell that comes later, so names are looked up at the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>
#include <yaml.h>
#include "compile.h"

enum { FILE_MAX = 1 << 20, WORDS_READ_MAX = 40000, NUMBER_MOST = 32000, FIELDS_READ_MAX = 64, GROUPS_READ_MAX = 256 };

/* A word of the file and the cell it was said of. */
typedef enum { SAID_GROUP, SAID_BORDER, SAID_ONE_WAY } said_kind;
typedef struct { said_kind kind; int cell; const char *text; span at; } said;
typedef struct { const char *key; int cell; int64_t value; span at; } said_number;

typedef struct {
    compiler *c;
    uint32_t source;
    const char *text;
    size_t length, known_character, known_byte;
    bool failed;
    said *said; int said_count, said_capacity;
    said_number *numbers; int number_count, number_capacity, numbers_before;
    cell_info *cells; span *where; int cell_count, cell_capacity, where_capacity;
    /* where the parser is */
    enum { AT_START, AT_ROOT, AT_ROOT_VALUE, AT_CELLS, AT_CELL_VALUE, AT_CELL, AT_KEY_VALUE, AT_LIST, AT_END } at;
    const char *key;
    span key_at;
    int coordinates;
    bool has_borders;
} map_file;

static void fault(map_file *m, span at, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void fault(map_file *m, span at, const char *code, const char *format, ...)
{
    char words[600];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    diag_add(m->c->d, code, at, "%s", words);
    m->failed = true;
}

/* A name as the scanner has it: normalised, with the comma below. */
static const char *normal_name(compiler *c, const char *text, size_t length)
{
    char *copy = arena_copy(c->a, text, length);
    utf8proc_uint8_t *normal = utf8proc_NFC((const utf8proc_uint8_t *)copy);
    static const char *const folded[][2] = { { "ş", "ș" }, { "Ş", "Ș" }, { "ţ", "ț" }, { "Ţ", "Ț" } };
    if (!normal) return copy;
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
        for (char *at = (char *)normal; (at = strstr(at, folded[i][0])) != NULL; at += 2) memcpy(at, folded[i][1], 2);
    const char *out = arena_copy(c->a, (const char *)normal, strlen((const char *)normal));
    free(normal);
    return out;
}

static bool is_name(const char *text)
{
    utf8proc_int32_t ch;
    bool first = true;
    for (const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text; *at; first = false) {
        utf8proc_ssize_t size = utf8proc_iterate(at, -1, &ch);
        if (size < 1) return false;
        utf8proc_category_t k = utf8proc_category(ch);
        const bool letter = (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) || k == UTF8PROC_CATEGORY_MN || ch == '_', digit = ch >= '0' && ch <= '9';
        if (!letter && !(digit && !first)) return false;
        at += size;
    }
    return !first;
}

/* ---- places in the file ------------------------------------------------------------------------------------------------------------------- */
/* libyaml counts characters; spans count bytes. */
static uint32_t byte_of(map_file *m, size_t character)
{
    if (character < m->known_character) m->known_character = m->known_byte = 0;
    while (m->known_character < character && m->known_byte < m->length) {
        m->known_byte++;
        while (m->known_byte < m->length && ((unsigned char)m->text[m->known_byte] & 0xC0) == 0x80) m->known_byte++;
        m->known_character++;
    }
    return (uint32_t)m->known_byte;
}

static span span_of(map_file *m, const yaml_event_t *e)
{
    uint32_t from = byte_of(m, e->start_mark.index), to = byte_of(m, e->end_mark.index);
    return (span){ m->source, from, to };
}

/* ---- what is said ---------------------------------------------------------------------------------------------------------------------------- */
static void say(map_file *m, said_kind kind, const char *text, span at)
{
    if (m->said_count == WORDS_READ_MAX) { fault(m, at, "E0801", "more than %d groups and borders", WORDS_READ_MAX); return; }
    m->said = grow(m->said, &m->said_capacity, m->said_count + 1, sizeof *m->said);
    m->said[m->said_count++] = (said){ kind, m->cell_count - 1, text, at };
}

/* No cell yet is called `name`, or has that title. */
static bool is_new(map_file *m, const char *name, span at)
{
    for (int i = 0; i < m->cell_count; i++) {
        const char *title = m->cells[i].title;
        if (strcmp(m->cells[i].name, name) != 0 && (!title || strcmp(title, name) != 0)) continue;
        fault(m, at, "E0821", "two cells are called '%s'", name);
        diag_note(m->c->d, m->where[i], "here");
        return false;
    }
    return true;
}

/* A title may be the name of its own cell. */
static void title_said(map_file *m, const char *title, span at)
{
    cell_info *cell = m->cell_count ? &m->cells[m->cell_count - 1] : NULL;
    if (cell && (strcmp(cell->name, title) == 0 || is_new(m, title, at))) cell->title = title;
}

static void cell_begin(map_file *m, const char *name, span at)
{
    if (m->cell_count == PLACES_MAX) { fault(m, at, "E0341", "more than %d cells", PLACES_MAX); return; }
    if (!is_name(name)) { fault(m, at, "E0821", "'%s' cannot be the name of a cell: a name is letters, digits and _, not beginning with a digit", name); return; }
    if (!is_new(m, name, at)) return;
    m->cells = grow(m->cells, &m->cell_capacity, m->cell_count + 1, sizeof *m->cells);
    m->where = grow(m->where, &m->where_capacity, m->cell_count + 1, sizeof *m->where);
    m->where[m->cell_count] = at;
    m->cells[m->cell_count] = (cell_info){ .name = name, .x = m->cell_count + 1, .y = 1 };
    m->cell_count++;
    m->has_borders = false;
    m->numbers_before = m->number_count;
}

static bool whole_number(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *text && *text != ' ' && *text != '+' && !*end && !errno && *out >= -NUMBER_MOST && *out <= NUMBER_MOST;
}

static void number_said(map_file *m, const char *text, span at)
{
    int64_t n;
    if (!whole_number(text, &n)) { fault(m, at, "E0803", "'%s' must be a whole number of at most %d, found '%s'", m->key, NUMBER_MOST, text); return; }
    if (!is_name(m->key)) { fault(m, m->key_at, "E0821", "'%s' cannot be the name of a number: a name is letters, digits and _, not beginning with a digit", m->key); return; }
    if (m->number_count - m->numbers_before == FIELDS_READ_MAX) { fault(m, at, "E0801", "more than %d numbers of a cell", FIELDS_READ_MAX); return; }
    for (int i = m->number_count; i-- > m->numbers_before;)
        if (strcmp(m->numbers[i].key, m->key) == 0) { fault(m, m->key_at, "E0803", "'%s' is given twice", m->key); return; }
    m->numbers = grow(m->numbers, &m->number_capacity, m->number_count + 1, sizeof *m->numbers);
    m->numbers[m->number_count++] = (said_number){ m->key, m->cell_count - 1, n, m->key_at };
}

static bool list_key(const char *key) { return strcmp(key, "in") == 0 || strcmp(key, "to") == 0 || strcmp(key, "one_way") == 0 || strcmp(key, "at") == 0; }

static void item_said(map_file *m, const char *text, span at)
{
    int64_t n;
    if (strcmp(m->key, "at") != 0) {
        say(m, strcmp(m->key, "in") == 0 ? SAID_GROUP : strcmp(m->key, "to") == 0 ? SAID_BORDER : SAID_ONE_WAY, text, at);
        return;
    }
    if (m->coordinates == 2) return;
    if (!whole_number(text, &n) || n < 0 || n > 1000) { fault(m, at, "E0803", "a coordinate is from 0 to 1000, found '%s'", text); return; }
    cell_info *cell = &m->cells[m->cell_count - 1];
    *(m->coordinates++ ? &cell->sy : &cell->sx) = (int)n;
}

static void root_value(map_file *m, const char *text, span at)
{
    if (strcmp(m->key, "cells") == 0) fault(m, at, "E0803", "'cells' must be a map of cells");
    else if (strcmp(m->key, "format") == 0 && strcmp(text, "1") != 0) fault(m, at, "E0803", "'format' must be 1, found '%s'", text);
    m->at = AT_ROOT;
}

static void root_key(map_file *m)
{
    if (strcmp(m->key, "cells") != 0 && strcmp(m->key, "format") != 0) fault(m, m->key_at, "E0802", "a map has no '%s'; expected 'cells'", m->key);
    m->at = AT_ROOT_VALUE;
}

/* ---- events ------------------------------------------------------------------------------------------------------------------------------------ */
static void on_scalar(map_file *m, const yaml_event_t *e)
{
    const span at = span_of(m, e);
    const char *raw = (const char *)e->data.scalar.value, *text = normal_name(m->c, raw, strlen(raw));
    switch (m->at) {
    case AT_ROOT: m->key = text; m->key_at = at; root_key(m); break;
    case AT_ROOT_VALUE: root_value(m, text, at); break;
    case AT_CELLS: cell_begin(m, text, at); m->at = AT_CELL_VALUE; break;
    case AT_CELL_VALUE: fault(m, at, "E0803", "a cell is a map of what is said of it, as in { to: [...] }; found '%s'", text); break;
    case AT_CELL: m->key = text; m->key_at = at; m->at = AT_KEY_VALUE; break;
    case AT_KEY_VALUE:
        if (list_key(m->key)) fault(m, at, "E0803", "'%s' must be a list, as in [A, B]; found '%s'", m->key, text);
        else if (strcmp(m->key, "name") != 0) number_said(m, text, at);
        else title_said(m, text, at);
        m->at = AT_CELL;
        break;
    case AT_LIST: item_said(m, text, at); break;
    default: fault(m, at, "E0803", "expected a map with the key 'cells'"); break;
    }
}

static void on_mapping(map_file *m, const yaml_event_t *e)
{
    switch (m->at) {
    case AT_START: m->at = AT_ROOT; break;
    case AT_ROOT_VALUE:
        if (strcmp(m->key, "cells") != 0) fault(m, span_of(m, e), "E0803", "'%s' must be a number", m->key);
        else if (m->cell_count) fault(m, m->key_at, "E0803", "'cells' is given twice");
        m->at = AT_CELLS;
        break;
    case AT_CELL_VALUE: m->at = AT_CELL; break;
    default: fault(m, span_of(m, e), "E0803", "a map stands where a %s is wanted", m->at == AT_KEY_VALUE && !list_key(m->key) ? "number" : "name"); break;
    }
}

static void on_mapping_end(map_file *m)
{
    switch (m->at) {
    case AT_CELL:
        if (!m->has_borders) fault(m, m->where[m->cell_count - 1], "E0804", "'%s' needs 'to', its borders", m->cells[m->cell_count - 1].name);
        m->at = AT_CELLS;
        break;
    case AT_CELLS: m->at = AT_ROOT; break;
    default: m->at = AT_END; break;
    }
}

static void on_list(map_file *m, const yaml_event_t *e)
{
    if (m->at != AT_KEY_VALUE || !list_key(m->key)) { fault(m, span_of(m, e), "E0803", "no list is wanted here"); return; }
    if (strcmp(m->key, "to") == 0) m->has_borders = true;
    m->coordinates = 0;
    m->at = AT_LIST;
}

static bool plain(map_file *m, const yaml_event_t *e, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor) fault(m, span_of(m, e), "E0801", "anchors ('&%s') are not used here", (const char *)anchor);
    else if (tag) fault(m, span_of(m, e), "E0801", "tags ('%s') are not used here", (const char *)tag);
    return !anchor && !tag;
}

static void on_event(map_file *m, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT: fault(m, span_of(m, e), "E0801", "aliases ('*%s') are not used here: write the value again", (const char *)e->data.alias.anchor); break;
    case YAML_SCALAR_EVENT: if (plain(m, e, e->data.scalar.anchor, e->data.scalar.tag)) on_scalar(m, e); break;
    case YAML_MAPPING_START_EVENT: if (plain(m, e, e->data.mapping_start.anchor, e->data.mapping_start.tag)) on_mapping(m, e); break;
    case YAML_MAPPING_END_EVENT: on_mapping_end(m); break;
    case YAML_SEQUENCE_START_EVENT: if (plain(m, e, e->data.sequence_start.anchor, e->data.sequence_start.tag)) on_list(m, e); break;
    case YAML_SEQUENCE_END_EVENT: m->at = AT_CELL; break;
    case YAML_DOCUMENT_START_EVENT: if (m->at == AT_END) fault(m, span_of(m, e), "E0801", "a second document; expected one"); break;
    default: break;
    }
}

static void parse(map_file *m)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) { fault(m, (span){ m->source, 0, 0 }, "E0801", "cannot start the YAML reader"); return; }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)m->text, m->length);
    for (bool going = true; going && !m->failed;) {
        yaml_event_t e;
        if (!yaml_parser_parse(&parser, &e)) {
            uint32_t at = byte_of(m, parser.problem_mark.index);
            fault(m, (span){ m->source, at, at + 1 }, "E0801", "not YAML: %s", parser.problem ? parser.problem : "unreadable");
            break;
        }
        going = e.type != YAML_STREAM_END_EVENT;
        on_event(m, &e);
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
    if (!m->failed && !m->cell_count) fault(m, (span){ m->source, 0, 0 }, "E0804", "a map needs 'cells', and one cell at least");
}

/* ---- tables ------------------------------------------------------------------------------------------------------------------------------------ */
static int cell_said(const map_file *m, const char *name)
{
    for (int i = 0; i < m->cell_count; i++) if (strcmp(m->cells[i].name, name) == 0) return i;
    return -1;
}

static bool border_set(const uint64_t *image, int from, int to) { return image[from * WORDS_MAX + to / 64] >> (to % 64) & 1; }

static void borders_make(map_file *m)
{
    compiler *c = m->c;
    uint64_t *image = arena_alloc(c->a, (size_t)PLACES_MAX * WORDS_MAX * sizeof *image);
    for (int i = 0; i < m->said_count; i++) {
        const said *s = &m->said[i];
        if (s->kind == SAID_GROUP) continue;
        int to = cell_said(m, s->text);
        if (to < 0) {
            const char *names[PLACES_MAX];
            for (int k = 0; k < m->cell_count; k++) names[k] = m->cells[k].name;
            const char *near = nearest_word(s->text, names, (size_t)m->cell_count);
            if (near) fault(m, s->at, "E0822", "no cell is called '%s'; did you mean '%s'?", s->text, near);
            else fault(m, s->at, "E0822", "no cell is called '%s'", s->text);
        } else if (to == s->cell) fault(m, s->at, "E0822", "'%s' borders on itself", s->text);
        else image[s->cell * WORDS_MAX + to / 64] |= 1ull << (to % 64);
    }
    for (int i = 0; i < m->said_count && !m->failed; i++) {
        const said *s = &m->said[i];
        if (s->kind != SAID_BORDER) continue;
        if (!border_set(image, cell_said(m, s->text), s->cell))
            fault(m, s->at, "E0823", "the border from '%s' to '%s' leads one way; give it from the other side too, or write it under 'one_way'", m->cells[s->cell].name, s->text);
    }
    if (m->failed) return;
    int d = board_direction(c, (direction){ .name = "border", .graph = true, .image = image });
    if (d < 0) { m->failed = true; return; }
    direction_finish(c, d);
    c->g->ways = 1ull << d;
}

/* The names of groups and numbers are names of the rule file: they may clash with what it declares. */
static bool name_free(map_file *m, const char *name, span at)
{
    const symbol *s = symbol_find(m->c, name);
    const bool cell = cell_said(m, name) >= 0;
    if (s || cell || is_standard_name(name)) {
        fault(m, at, "E0824", "'%s' is already %s", name, s ? "a name of the rules" : cell ? "the name of a cell" : "a standard name of the language");
        if (s && s->where) diag_note(m->c->d, s->where->at, "first here");
        return false;
    }
    return true;
}

static void groups_make(map_file *m)
{
    int32_t list[PLACES_MAX + 1];
    int groups = 0;
    for (int i = 0; i < m->said_count; i++) {
        const said *s = &m->said[i];
        if (s->kind != SAID_GROUP) continue;
        const symbol *made = symbol_find(m->c, s->text);
        if (made && made->kind == SYMBOL_GROUP) continue;
        if (++groups > GROUPS_READ_MAX) { fault(m, s->at, "E0801", "more than %d groups", GROUPS_READ_MAX); return; }
        if (!is_name(s->text)) { fault(m, s->at, "E0821", "'%s' cannot be the name of a group", s->text); continue; }
        if (!name_free(m, s->text, s->at)) continue;
        list[0] = 0;
        for (int j = i; j < m->said_count; j++)
            if (m->said[j].kind == SAID_GROUP && strcmp(m->said[j].text, s->text) == 0 && (!list[0] || list[list[0]] != m->said[j].cell)) list[++list[0]] = m->said[j].cell;
        symbol_add(m->c, s->text, SYMBOL_GROUP, list_add(m->c, list, list[0] + 1), NULL, NULL);
    }
}

static void numbers_make(map_file *m)
{
    int fields = 0;
    for (int i = 0; i < m->number_count; i++) {
        const said_number *s = &m->numbers[i];
        const symbol *made = symbol_find(m->c, s->key);
        if ((made && made->kind == SYMBOL_FIELD) || !name_free(m, s->key, s->at)) continue;
        if (++fields > FIELDS_READ_MAX) { fault(m, s->at, "E0801", "more than %d numbers of a cell", FIELDS_READ_MAX); return; }
        int16_t *values = arena_alloc(m->c->a, PLACES_MAX * sizeof *values);
        for (int p = 0; p < PLACES_MAX; p++) values[p] = INT16_MIN;
        for (int j = i; j < m->number_count; j++) if (strcmp(m->numbers[j].key, s->key) == 0) values[m->numbers[j].cell] = (int16_t)m->numbers[j].value;
        field f = { .kind = FIELD_CONST };
        for (int p = 0; p < PLAYERS_MAX; p++) f.values[p] = values;
        symbol_add(m->c, s->key, SYMBOL_FIELD, field_add(m->c, f), NULL, NULL);
    }
}

/* ---- what is odd, and yet a map ----------------------------------------------------------------------------------------------------------------- */
/* The first cell that no way of borders (either way) joins to the first; -1 if all are joined. */
static int cell_apart(const map_file *m)
{
    const direction *d = &m->c->g->dirs[__builtin_ctzll(m->c->g->ways)];
    const size_t words = WORDS_MAX;
    uint64_t seen[WORDS_MAX] = { 1 };
    for (bool more = true; more;) {
        more = false;
        for (int a = 0; a < m->cell_count; a++)
            for (int b = 0; b < m->cell_count; b++) {
                const bool joined = d->image[(size_t)a * words + (size_t)b / 64] >> (b % 64) & 1, has_a = seen[a / 64] >> (a % 64) & 1, has_b = seen[b / 64] >> (b % 64) & 1;
                if (!joined || has_a == has_b) continue;
                seen[a / 64] |= 1ull << (a % 64);
                seen[b / 64] |= 1ull << (b % 64);
                more = true;
            }
    }
    for (int a = 0; a < m->cell_count; a++) if (!(seen[a / 64] >> (a % 64) & 1)) return a;
    return -1;
}

/* Names a cell of which `what` is not said, though it is of others. `has`: by cell. */
static void complete(const map_file *m, const char *what, const bool *has)
{
    int with = -1, without = -1;
    for (int i = m->cell_count; i-- > 0;) if (has[i]) with = i; else without = i;
    if (with >= 0 && without >= 0) diag_add(m->c->d, "W0826", m->where[without], "'%s' is said of '%s', and of '%s' it is not", what, m->cells[with].name, m->cells[without].name);
}

static void whole_looked_at(const map_file *m)
{
    bool has[PLACES_MAX];
    const int apart = cell_apart(m);
    if (apart >= 0) diag_add(m->c->d, "W0825", m->where[apart], "no border leads from '%s' to '%s', be it by way of others", m->cells[0].name, m->cells[apart].name);
    for (int i = 0; i < m->cell_count; i++) has[i] = m->cells[i].sx || m->cells[i].sy;
    complete(m, "at", has);
    for (int i = 0; i < m->cell_count; i++) has[i] = m->cells[i].title != NULL;
    complete(m, "name", has);
    for (int i = 0; i < m->number_count; i++) {
        bool before = false;
        for (int j = 0; j < i && !before; j++) before = strcmp(m->numbers[j].key, m->numbers[i].key) == 0;
        if (before) continue;
        memset(has, 0, sizeof has);
        for (int j = i; j < m->number_count; j++) if (strcmp(m->numbers[j].key, m->numbers[i].key) == 0) has[m->numbers[j].cell] = true;
        complete(m, m->numbers[i].key, has);
    }
}

static void cells_make(map_file *m)
{
    game *g = m->c->g;
    g->cell = arena_alloc(m->c->a, (size_t)(m->cell_count + 1) * sizeof *g->cell);
    memcpy(g->cell, m->cells, (size_t)m->cell_count * sizeof *g->cell);
    g->cells = g->places = g->width = m->cell_count;
    g->height = 1;
}

/* ---- the file ---------------------------------------------------------------------------------------------------------------------------------- */
/* Opened without waiting, so that a FIFO is refused and not read. */
static char *read_whole(const char *path, size_t *length)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat s;
    if (fd < 0) return NULL;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > FILE_MAX) {
        close(fd);
        errno = !S_ISREG(s.st_mode) ? EINVAL : EFBIG;
        return NULL;
    }
    char *text = must_have(malloc((size_t)s.st_size + 1));
    *length = 0;
    for (ssize_t n; *length < (size_t)s.st_size && (n = read(fd, text + *length, (size_t)s.st_size - *length)) > 0;) *length += (size_t)n;
    text[*length] = '\0';
    close(fd);
    return text;
}

/* Beside the file that says so; that is the variant's parent, if its parent says it. */
static const char *path_beside(compiler *c, const char *rules, const char *path)
{
    const char *slash = rules ? strrchr(rules, '/') : NULL;
    return *path == '/' || !slash ? path : arena_format(c->a, "%.*s/%s", (int)(slash - rules), rules, path);
}

static uint32_t source_of(diagnostics *d, const char *path, const char *text, size_t length)
{
    for (size_t i = 0; i < d->source_count; i++) if (strcmp(d->sources[i].path, path) == 0) return (uint32_t)i;
    return diag_source(d, path, text, length);
}

bool map_read(compiler *c, const char *path, span at)
{
    const char *said_in = at.source < c->d->source_count ? c->d->sources[at.source].path : c->tree->path, *full = path_beside(c, said_in, path);
    size_t length = 0;
    char *text = read_whole(full, &length);
    if (!text) {
        diag_add(c->d, "E0339", at, "the map '%s' cannot be read: %s", full, errno == EFBIG ? "it is larger than 1 MiB" : errno == EINVAL ? "it is no file" : strerror(errno));
        return false;
    }
    map_file m = { .c = c, .text = text, .length = length, .source = source_of(c->d, full, text, length) };
    parse(&m);
    if (!m.failed) borders_make(&m);
    if (!m.failed) groups_make(&m);
    if (!m.failed) numbers_make(&m);
    if (!m.failed) whole_looked_at(&m);
    if (!m.failed) cells_make(&m);
    free(m.said);
    free(m.numbers);
    free(m.cells);
    free(m.where);
    free(text);
    return !m.failed;
}
