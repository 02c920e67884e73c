/* Options as people and files give them; see options.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grammar/diag.h"
#include "interp/formats/options.h"

enum { NAMES_MAX = 256 };

/* ---- values ------------------------------------------------------------------------------------------------------------------------- */
static void range_said(text *t, int64_t low, int64_t high) {
    text_format(t, "%" PRId64, low);
    if (high > low) text_format(t, " to %" PRId64, high);
}

char *option_values(const joc_option *o) {
    text t = { 0 };
    if (o->kind == JOC_YESNO) text_add(&t, "yes or no");
    size_t count = o->kind == JOC_RANGE ? o->range_count : o->kind == JOC_WORDS ? o->word_count : 0;
    for (size_t i = 0; i < count; i++) {
        text_add(&t, !i ? "" : i + 1 == count ? " or " : ", ");
        if (o->kind == JOC_RANGE) range_said(&t, o->ranges[2 * i], o->ranges[2 * i + 1]);
        else text_add(&t, o->words[i]);
    }
    return text_take(&t);
}

/* The other way to write a truth: yes for true, no for false, and back. NULL for other words. */
static const char *truth_else(const char *word) {
    static const char *const pairs[][2] = { { "yes", "true" }, { "no", "false" } };
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (!strcmp(word, pairs[i][k])) return pairs[i][!k];
    return NULL;
}

static const char *word_of(const joc_option *o, const char *value) {
    for (size_t i = 0; i < o->word_count; i++)
        if (!strcmp(o->words[i], value)) return o->words[i];
    return NULL;
}

static char *number_of(const joc_option *o, const char *value) {
    char *end;
    int64_t n = strtoll(value, &end, 10);
    bool fits = false;
    for (size_t i = 0; i < o->range_count; i++) fits = fits || (n >= o->ranges[2 * i] && n <= o->ranges[2 * i + 1]);
    if (!fits || *end || end == value || *value == ' ') return NULL;
    text t = { 0 };
    text_format(&t, "%" PRId64, n);
    return text_take(&t);
}

static char *canonical_of(const joc_option *o, const char *value) {
    const char *other = truth_else(value), *word = NULL;
    if (o->kind == JOC_RANGE) return number_of(o, value);
    if (o->kind == JOC_YESNO && other) word = !strcmp(value, "yes") || !strcmp(value, "no") ? value : other;
    if (o->kind == JOC_WORDS) word = word_of(o, value);
    if (o->kind == JOC_WORDS && !word && other) word = word_of(o, other);
    return word ? text_copy(word) : NULL;
}

bool option_read(const joc_option *o, const char *value, char **canonical, char **why) {
    char *good = canonical_of(o, value);
    if (good) {
        *canonical = good;
        return true;
    }
    const char *near = o->kind == JOC_WORDS ? nearest_word(value, o->words, o->word_count) : NULL;
    char *values = option_values(o);
    text t = { 0 };
    text_format(&t, "'%s' is %s, not '%s'", o->name, values, value);
    if (near) text_format(&t, "; did you mean '%s'?", near);
    free(values);
    *why = text_take(&t);
    return false;
}

/* ---- names -------------------------------------------------------------------------------------------------------------------------- */
typedef const char *(*name_at)(const joc_rules *, size_t);

static const char *option_name(const joc_rules *rules, size_t i) { return joc_rules_option(rules, i).name; }
static const char *preset_name(const joc_rules *rules, size_t i) { return joc_rules_preset(rules, i).name; }

static int named(const joc_rules *rules, size_t count, name_at at, const char *name, const char **near) {
    const char *names[NAMES_MAX];
    for (size_t i = 0; i < count; i++) {
        const char *known = at(rules, i);
        if (!strcmp(known, name)) return (int)i;
        if (i < NAMES_MAX) names[i] = known;
    }
    *near = nearest_word(name, names, count < NAMES_MAX ? count : NAMES_MAX);
    return -1;
}

int rules_option_find(const joc_rules *rules, const char *name, const char **near) { return named(rules, joc_rules_options(rules), option_name, name, near); }
int rules_preset_find(const joc_rules *rules, const char *name, const char **near) { return named(rules, joc_rules_presets(rules), preset_name, name, near); }

/* ---- settings ----------------------------------------------------------------------------------------------------------------------- */
static void drop_text(const char *s) { free((char *)(uintptr_t)s); }

void choices_set(choices *s, const char *name, const char *value) {
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->list[i].name, name)) {
            char *copy = text_copy(value);
            drop_text(s->list[i].value);
            s->list[i].value = copy;
            return;
        }
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 16;
        joc_setting *grown = memory_of(s->capacity, sizeof *grown);
        if (s->count) memcpy(grown, s->list, s->count * sizeof *grown);
        free(s->list);
        s->list = grown;
    }
    s->list[s->count++] = (joc_setting){ text_copy(name), text_copy(value) };
}

void choices_preset(choices *s, const joc_preset *p) {
    for (size_t i = 0; i < p->count; i++) choices_set(s, p->settings[i].name, p->settings[i].value);
}

const char *choices_get(const choices *s, const char *name) {
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->list[i].name, name)) return s->list[i].value;
    return NULL;
}

void choices_free(choices *s) {
    for (size_t i = 0; i < s->count; i++) drop_text(s->list[i].name), drop_text(s->list[i].value);
    free(s->list);
    *s = (choices){ 0 };
}

/* ---- schema ------------------------------------------------------------------------------------------------------------------------- */

/* Always in quotes: what reads this may take yes and no for truths. */
static void add_quoted(text *t, const char *s) {
    text_add(t, "\"");
    for (; *s; s++) text_format(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    text_add(t, "\"");
}

static void add_words(text *t, const joc_option *o) {
    bool yes = word_of(o, "yes") || word_of(o, "true"), no = word_of(o, "no") || word_of(o, "false");
    text_add(t, "enum: [");
    for (size_t i = 0; i < o->word_count; i++) {
        const char *other = truth_else(o->words[i]);
        text_add(t, i ? ", " : "");
        add_quoted(t, o->words[i]);
        if (other && !word_of(o, other)) text_add(t, ", "), add_quoted(t, other);
    }
    text_format(t, "%s%s]", yes ? ", true" : "", no ? ", false" : "");
}

static void add_numbers(text *t, const joc_option *o) {
    if (o->range_count > 1) text_add(t, "anyOf: [");
    for (size_t i = 0; i < o->range_count; i++)
        text_format(t, "%s%stype: integer, minimum: %" PRId64 ", maximum: %" PRId64 "%s", i ? ", " : "", o->range_count > 1 ? "{ " : "", o->ranges[2 * i], o->ranges[2 * i + 1], o->range_count > 1 ? " }" : "");
    if (o->range_count > 1) text_add(t, "]");
}

static void add_option(text *t, const joc_option *o) {
    text said = { 0 };
    text_add(t, "      ");
    add_quoted(t, o->name);
    text_add(t, ": { ");
    if (o->kind == JOC_YESNO) text_add(t, "enum: [\"yes\", \"no\", \"true\", \"false\", true, false]");
    else if (o->kind == JOC_WORDS) add_words(t, o);
    else add_numbers(t, o);
    text_format(&said, "%s%s(else %s)", o->meaning, *o->meaning ? " " : "", o->standard);
    if (*o->needs) text_format(&said, "; counts only when %s", o->needs);
    text_add(t, ", description: ");
    add_quoted(t, said.data);
    text_add(t, " }\n");
    text_free(&said);
}

char *options_schema(const joc_rules *rules, const char *game) {
    text t = { 0 }, title = { 0 };
    text_format(&title, "House rules: %s", joc_rules_title(rules));
    text_add(&t, "$schema: \"https://json-schema.org/draft/2020-12/schema\"\ntitle: ");
    add_quoted(&t, title.data);
    text_add(&t, "\ntype: object\nrequired: [game]\nadditionalProperties: false\nproperties:\n  format: { const: 1 }\n  game: { const: ");
    add_quoted(&t, game);
    text_add(&t, " }\n  name: { type: string }\n  notes: { type: string }\n");
    if (joc_rules_presets(rules)) text_add(&t, "  preset:\n    enum: [");
    for (size_t i = 0; i < joc_rules_presets(rules); i++) text_add(&t, i ? ", " : ""), add_quoted(&t, joc_rules_preset(rules, i).name);
    if (joc_rules_presets(rules)) text_add(&t, "]\n");
    text_add(&t, "  options:\n    type: object\n    additionalProperties: false\n    properties:");
    text_add(&t, joc_rules_options(rules) ? "\n" : " {}\n");
    for (size_t i = 0; i < joc_rules_options(rules); i++) {
        joc_option o = joc_rules_option(rules, i);
        add_option(&t, &o);
    }
    text_free(&title);
    return text_take(&t);
}
