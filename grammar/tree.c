/* Trees: making and copying nodes, interning words, reading files.
 *
 * A tree's words are kept once each, in a hash table that lives in its arena; names are normalised on the way in (NFC, and the
 * Romanian letters with a cedilla become those with a comma below), so that equal names have equal pointers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>
#include "parse.h"

/* The public tree and, behind it, its table of words (open addressing, a power of two of places). */
typedef struct {
    tree shown;
    const char **words;
    size_t word_count, places;
} private_tree;

static const char *const kind_names[] = {
#define NODE(name, text, children) #name,
#include "ast.def"
#undef NODE
};

const char *node_kind_name(node_kind kind)
{
    return (unsigned)kind < NODE_COUNT ? kind_names[kind] : "?";
}

tree *tree_new(const char *path)
{
    arena *a = arena_new();
    private_tree *t = arena_alloc(a, sizeof *t);
    t->places = 256;
    t->words = arena_alloc(a, t->places * sizeof *t->words);
    t->shown.arena = a;
    t->shown.path = arena_copy(a, path, strlen(path));
    return &t->shown;
}

void tree_free(tree *t)
{
    if (t)
        arena_free(t->arena);
}

/* ---- words ---- */

static size_t hash(const char *text, size_t length)
{
    uint64_t h = 14695981039346656037u;      /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

static const char **find_place(const char **words, size_t places, const char *text, size_t length)
{
    size_t at = hash(text, length) & (places - 1);
    while (words[at] && !(strncmp(words[at], text, length) == 0 && words[at][length] == '\0'))
        at = (at + 1) & (places - 1);
    return &words[at];
}

static void grow(private_tree *t)
{
    size_t places = 2 * t->places;
    const char **words = arena_alloc(t->shown.arena, places * sizeof *words);
    for (size_t i = 0; i < t->places; i++)
        if (t->words[i])
            *find_place(words, places, t->words[i], strlen(t->words[i])) = t->words[i];
    t->words = words;
    t->places = places;
}

const char *intern(tree *shown, const char *text, size_t length)
{
    private_tree *t = (private_tree *)shown;
    if (2 * t->word_count > t->places)
        grow(t);
    const char **place = find_place(t->words, t->places, text, length);
    if (!*place) {
        *place = arena_copy(shown->arena, text, length);
        t->word_count++;
    }
    return *place;
}

const char *tree_intern(tree *t, const char *text)
{
    return intern(t, text, strlen(text));
}

/* Letters that are one letter to a reader: with a cedilla, as old keyboards write them, and with a comma below. */
static const struct { const char *from, *to; } folded[] = { { "ş", "ș" }, { "Ş", "Ș" }, { "ţ", "ț" }, { "Ţ", "Ț" } };

const char *intern_name(tree *t, const char *text, size_t length)
{
    bool plain = true;
    for (size_t i = 0; i < length; i++)
        plain = plain && (unsigned char)text[i] < 0x80;
    if (plain)
        return intern(t, text, length);
    char *copy = arena_copy(t->arena, text, length);
    utf8proc_uint8_t *normal = utf8proc_NFC((const utf8proc_uint8_t *)copy);
    if (!normal)
        return intern(t, text, length);
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
        for (char *at = (char *)normal; (at = strstr(at, folded[i].from)) != NULL; at += 2)
            memcpy(at, folded[i].to, 2);
    const char *word = intern(t, (char *)normal, strlen((char *)normal));
    free(normal);
    return word;
}

/* ---- nodes ---- */

node *node_alloc(tree *t, node_kind kind, span at, const char *text, int count)
{
    node *n = arena_alloc(t->arena, sizeof *n);
    n->kind = kind;
    n->at = at;
    n->text = text;
    n->count = count;
    n->id = t->node_count++;
    if (count)
        n->kids = arena_alloc(t->arena, (size_t)count * sizeof *n->kids);
    return n;
}

node *tree_copy(tree *to, const node *n)
{
    if (!n)
        return NULL;
    node *copy = node_alloc(to, n->kind, n->at, n->text ? tree_intern(to, n->text) : NULL, n->count);
    copy->flags = n->flags;
    copy->value = n->value;
    copy->more = n->more ? tree_intern(to, n->more) : NULL;
    for (int i = 0; i < n->count; i++)
        copy->kids[i] = tree_copy(to, n->kids[i]);
    return copy;
}

static void number(node *n, uint32_t *next)
{
    n->id = (*next)++;
    for (int i = 0; i < n->count; i++)
        if (n->kids[i])
            number(n->kids[i], next);
}

void tree_number(tree *t)
{
    t->node_count = 0;
    number(t->root, &t->node_count);
}

/* ---- files ---- */

/* Control characters move the cursor of a terminal or worse; only blanks and line ends are of use. U+0080 to U+009F are such, too. */
static bool is_control(utf8proc_int32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0);
}

/* Where the text stops being UTF-8 without control characters; its length if it nowhere does. */
static size_t first_bad_byte(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        utf8proc_int32_t c;
        utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(length - at), &c);
        if (size < 1 || is_control(c))
            break;
        at += (size_t)size;
    }
    return at;
}

bool tree_check_text(diagnostics *d, const char *path, const char *text, size_t length, uint32_t *index)
{
    if (length > MAX_FILE) {
        *index = diag_source(d, path, "", 0);
        diag_add(d, "E0003", (span){ *index, 0, 0 }, "the file has %zu bytes; the most is %d", length, MAX_FILE);
        return false;
    }
    size_t bad = first_bad_byte(text, length);
    *index = diag_source(d, path, text, bad < length && text[bad] != '\0' ? bad : length);
    if (bad == length)
        return true;
    unsigned char c = (unsigned char)text[bad];
    span at = { *index, (uint32_t)bad, (uint32_t)bad };
    if (c == 0)
        diag_add(d, "E0004", at, "a NUL byte in the text; this is no rule file");
    else if (c < 0x80 || (c == 0xC2 && bad + 1 < length && (unsigned char)text[bad + 1] < 0xA0))
        diag_add(d, "E0004", at, "a control character (U+%04X)", c < 0x80 ? c : (unsigned char)text[bad + 1]);
    else
        diag_add(d, "E0004", at, "a byte that is not UTF-8 (0x%02X)", c);
    return false;
}

/* The bytes of a file, malloc'd; NULL with a message. Opened without waiting, so that a FIFO is refused and not read. */
static char *read_bytes(const char *path, size_t *length, diagnostics *d)
{
    struct stat info;
    const char *fault = NULL;
    char *text = NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) < 0)
        fault = strerror(errno);
    else if (S_ISDIR(info.st_mode))
        fault = "this is a folder";
    else if (!S_ISREG(info.st_mode))
        fault = "this is no plain file";
    *length = 0;
    if (!fault) {
        text = must_have(malloc(MAX_FILE + 2));
        ssize_t got = 1;
        while (got > 0 && *length < MAX_FILE + 1) {
            got = read(file, text + *length, MAX_FILE + 1 - *length);
            if (got > 0)
                *length += (size_t)got;
        }
        if (got < 0)
            fault = strerror(errno);
    }
    if (file >= 0)
        close(file);
    if (fault) {
        free(text);
        text = NULL;
        diag_add(d, "E0001", (span){ diag_source(d, path, "", 0), 0, 0 }, "cannot read the file: %s", fault);
    } else if (*length > MAX_FILE) {
        free(text);
        text = NULL;
        diag_add(d, "E0003", (span){ diag_source(d, path, "", 0), 0, 0 }, "the file is too big; the most is %d bytes", MAX_FILE);
    }
    return text;
}

tree *tree_read(const char *path, diagnostics *d)
{
    size_t length, errors = d->errors;
    char *text = read_bytes(path, &length, d);
    if (!text)
        return NULL;
    tree *t = NULL;
    size_t bad = first_bad_byte(text, length);
    t = tree_parse(path, text, length, d);
    if (bad < length && d->errors > errors) {
        tree_free(t);
        t = NULL;
    }
    free(text);
    return t;
}
