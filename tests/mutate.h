/* Rule files with one token changed, and what the checker says of them: for the program mutate and its suite. */
#ifndef JOC_TESTS_MUTATE_H
#define JOC_TESTS_MUTATE_H
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/data.h"
#include "interp/joc.h"

typedef enum { MISSPELL, REFUSE, DROP, DOUBLE, SWAP, MUTATION_COUNT } mutation_kind;
typedef struct { unsigned long made[MUTATION_COUNT], found[MUTATION_COUNT], near[MUTATION_COUNT]; } mutation_tally;

typedef enum { PART_WORD, PART_NUMBER, PART_TEXT, PART_SIGN } part_kind;
typedef struct { part_kind kind; size_t from, to; unsigned line; } part;
typedef struct { mutation_kind kind; size_t at, cut; char with[80]; unsigned line, next_line; } mutation;      /* bytes [at, at + cut) become `with` */
typedef struct { const char *text; size_t length; part *parts; size_t part_count; mutation *all; size_t count, capacity; joc_random random; } mutant_file;

static inline bool word_byte(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

/* The tokens of a text, without blanks, comments and line ends. */
static inline void read_parts(mutant_file *f)
{
    unsigned line = 1;
    const char *s = f->text;
    f->parts = malloc((f->length + 1) * sizeof *f->parts);
    if (!f->parts) abort();
    for (size_t i = 0; i < f->length;) {
        if (s[i] == '\n') line++;
        if (isspace((unsigned char)s[i])) { i++; continue; }
        if (s[i] == '#') { while (i < f->length && s[i] != '\n') i++; continue; }
        size_t to = i + 1;
        part_kind kind = PART_SIGN;
        if (s[i] == '"') { kind = PART_TEXT; while (to < f->length && s[to] != '"' && s[to] != '\n') to++; to += s[to] == '"'; }
        else if (isdigit((unsigned char)s[i])) { kind = PART_NUMBER; while (isdigit((unsigned char)s[to])) to++; }
        else if (word_byte(s[i])) { kind = PART_WORD; while (word_byte(s[to])) to++; }
        else if (strchr("+-!<>", s[i]) && s[to] == '=') to++;
        else if (s[i] == '.' && s[to] == '.') to++;
        f->parts[f->part_count++] = (part){ kind, i, to, line };
        i = to;
    }
}

static inline bool is_one_of(const char *s, size_t n, const char *words)
{
    for (const char *w = words; *w;) {
        size_t length = strcspn(w, " ");
        if (length == n && memcmp(w, s, n) == 0) return true;
        w += length + (w[length] == ' ');
    }
    return false;
}

/* Is there such a word in the file, or in the language? */
static inline bool known_word(const mutant_file *f, const char *word)
{
    static const char language[] =
        "again along and any aside becomes board by can commit count dice draw drop each else empty end everyone expect first from game if illegal in into keep kinds legal let line lose max min move no "
        "not of on option or original over own pass per pick piece place players prefer random reach repeats replace roll row col score seen send setup since slide stack step stuck sum take taken test "
        "through to top track turn turns under until value variant when where win with without yes zone it light dark here start next owner mover nobody";
    const size_t n = strlen(word);
    if (is_one_of(word, n, language)) return true;
    for (size_t i = 0; i < f->part_count; i++) {
        const part *p = &f->parts[i];
        if (p->kind == PART_WORD && p->to - p->from == n && memcmp(f->text + p->from, word, n) == 0) return true;
    }
    return false;
}

static inline void add_mutation(mutant_file *f, mutation_kind kind, size_t first, size_t last, const char *with)
{
    if (strlen(with) >= sizeof f->all->with) return;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 1024;
        f->all = realloc(f->all, f->capacity * sizeof *f->all);
        if (!f->all) abort();
    }
    mutation *m = &f->all[f->count++];
    *m = (mutation){ .kind = kind, .at = f->parts[first].from, .cut = f->parts[last].to - f->parts[first].from, .line = f->parts[first].line,
                     .next_line = f->parts[last + 1 < f->part_count ? last + 1 : last].line };
    memcpy(m->with, with, strlen(with) + 1);
}

/* Words of ASCII letters only: a letter elsewhere could be cut. */
static inline void add_misspelling(mutant_file *f, size_t i)
{
    char word[64], out[80];
    const part *p = &f->parts[i];
    const size_t n = p->to - p->from;
    if (n >= sizeof word) return;
    memcpy(word, f->text + p->from, n);
    word[n] = '\0';
    for (size_t j = 0; j < n; j++) if ((unsigned char)word[j] >= 0x80) return;
    for (int tries = 0; tries < 20; tries++) {
        const size_t at = (size_t)joc_random_below(&f->random, n), how = (size_t)joc_random_below(&f->random, 4);
        strcpy(out, word);
        if (how == 0) out[at] = (char)('a' + joc_random_below(&f->random, 26));
        else if (how == 1 && n > 2) memmove(out + at, out + at + 1, n - at);
        else if (how == 2) { memmove(out + at + 1, out + at, n - at + 1); }
        else if (at + 1 < n) { out[at] = word[at + 1]; out[at + 1] = word[at]; }
        if (!strcmp(out, word) || isdigit((unsigned char)out[0]) || !out[0] || known_word(f, out)) continue;
        add_mutation(f, MISSPELL, i, i, out);
        return;
    }
}

/* Words and signs that join what stands before them to what stands behind. */
static inline bool joins(const char *s, size_t n) { return is_one_of(s, n, ", : | = + * / % < > <= >= != += -= .. of to on over through along else and or by"); }

static inline void add_part_mutations(mutant_file *f, size_t i)
{
    char same[80], twice[200];
    const part *p = &f->parts[i];
    const char *s = f->text + p->from;
    const size_t n = p->to - p->from;
    if (n > 72) return;
    memcpy(same, s, n);
    same[n] = '\0';
    snprintf(twice, sizeof twice, "%s %s", same, same);
    const bool bracket = is_one_of(s, n, "( ) { }");
    if (p->kind == PART_WORD) add_misspelling(f, i);
    add_mutation(f, bracket ? REFUSE : DROP, i, i, "");
    if (strlen(twice) < 80) add_mutation(f, bracket || joins(s, n) ? REFUSE : DOUBLE, i, i, twice);
    if (p->kind == PART_TEXT) {
        snprintf(twice, sizeof twice, "%.*s", (int)n - 1, same);
        add_mutation(f, REFUSE, i, i, twice);
    }
    switch (p->kind) {
    case PART_WORD: add_mutation(f, REFUSE, i, i, joc_random_below(&f->random, 2) ? ":" : "\"a text\""); break;
    case PART_NUMBER: add_mutation(f, REFUSE, i, i, joc_random_below(&f->random, 2) ? "\"a text\"" : "zebra"); break;
    case PART_SIGN: if (!is_one_of(s, n, ". -")) add_mutation(f, REFUSE, i, i, joc_random_below(&f->random, 2) ? "\"a text\"" : "zebra"); break;
    default: add_mutation(f, REFUSE, i, i, joc_random_below(&f->random, 2) ? ":" : "zebra"); break;
    }
    if (i + 1 < f->part_count) {
        const part *q = &f->parts[i + 1];
        char swapped[80];
        if (q->to - p->from + 2 >= sizeof swapped || (q->to - q->from == n && memcmp(s, f->text + q->from, n) == 0)) return;
        const size_t second = q->to - q->from;
        memcpy(swapped, f->text + q->from, second);
        swapped[second] = ' ';
        memcpy(swapped + second + 1, same, n + 1);
        add_mutation(f, SWAP, i, i + 1, swapped);
    }
}

static inline char *mutant(const mutant_file *f, const mutation *m, size_t *length)
{
    const size_t n = strlen(m->with);
    char *out = malloc(f->length - m->cut + n + 1);
    if (!out) abort();
    memcpy(out, f->text, m->at);
    memcpy(out + m->at, m->with, n);
    memcpy(out + m->at + n, f->text + m->at + m->cut, f->length - m->at - m->cut);
    *length = f->length - m->cut + n;
    out[*length] = '\0';
    return out;
}

/* The first of the messages as they are printed, errors before warnings; line 0 if there is none. */
static inline joc_message first_message(const joc_messages *m)
{
    joc_message first = { .line = 0, .text = "" };
    for (size_t i = 0; i < joc_messages_count(m); i++) {
        const joc_message x = joc_messages_at(m, i);
        if (x.severity != 'E' && x.severity != 'W') continue;
        if (!first.line || (first.severity == 'W' && x.severity == 'E') || (first.severity == x.severity && (x.line < first.line || (x.line == first.line && x.column < first.column)))) first = x;
    }
    return first;
}

static inline void try_mutation(const mutant_file *f, const char *path, const mutation *m, const char *show, mutation_tally *t)
{
    static const char *const words[MUTATION_COUNT] = { "misspell", "refuse", "drop", "double", "swap" };
    size_t length;
    char *changed = mutant(f, m, &length);
    joc_messages *said = joc_messages_new();
    joc_rules *rules = joc_rules_parse(path, changed, length, said);
    if (rules) joc_rules_check(rules, said);
    const joc_message first = first_message(said);
    const bool found = first.line > 0, near = found && (first.line == m->line || first.line == m->next_line);
    t->made[m->kind]++;
    t->found[m->kind] += found;
    t->near[m->kind] += near;
    if (show && !strcmp(show, words[m->kind]) && !near)
        printf("%s:%u: '%.*s' -> '%s': %s%u: %s %s\n", path, m->line, (int)m->cut, f->text + m->at, m->with, found ? "" : "nothing ", first.line, first.code ? first.code : "", first.text);
    joc_rules_free(rules);
    joc_messages_free(said);
    free(changed);
}

/* All mutations of a file, or `most` of them drawn. False if it cannot be read. */
static inline bool mutate_file(const char *path, size_t most, const char *show, mutation_tally *t)
{
    size_t length;
    char *whole = file_read(path, 1 << 20, &length);
    if (!whole) return false;
    mutant_file f = { .text = whole, .length = length, .random = joc_random_seed(length) };
    read_parts(&f);
    for (size_t i = 0; i < f.part_count; i++) add_part_mutations(&f, i);
    for (size_t i = 0; i < most && f.count; i++) {
        if (f.count <= most && i >= f.count) break;
        size_t j = i;
        if (f.count > most) {               /* drawn without putting back */
            j = i + (size_t)joc_random_below(&f.random, f.count - i);
            mutation chosen = f.all[j];
            f.all[j] = f.all[i];
            f.all[i] = chosen;
            j = i;
        }
        try_mutation(&f, path, &f.all[j], show, t);
    }
    free(f.parts);
    free(f.all);
    free(whole);
    return true;
}
#endif
