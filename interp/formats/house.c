/* House files; see house.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grammar/diag.h"
#include "interp/formats/house.h"

enum { HOUSE_LIMIT = 64 * 1024, OPTIONS_MAX = 256 };

static const shape_key house_keys[] = {
    { "format", KEY_FORMAT, false }, { "game", KEY_TEXT, true }, { "name", KEY_TEXT, false }, { "options", KEY_TEXTS, true },
};
const data_shape house_shape = { "a house file", house_keys, sizeof house_keys / sizeof *house_keys };

char *option_values(const joc_option *o) {
    text t = { 0 };
    if (o->kind == JOC_YESNO) text_add(&t, "yes or no");
    if (o->kind == JOC_RANGE) text_format(&t, "%" PRId64 " to %" PRId64, o->low, o->high);
    for (size_t i = 0; o->kind == JOC_WORDS && i < o->word_count; i++) text_format(&t, "%s%s", !i ? "" : i + 1 == o->word_count ? " or " : ", ", o->words[i]);
    return text_take(&t);
}

bool option_fits(const joc_option *o, const char *value, char **why) {
    bool fits = false;
    const char *near = NULL;
    if (o->kind == JOC_YESNO) fits = !strcmp(value, "yes") || !strcmp(value, "no");
    if (o->kind == JOC_RANGE) {
        char *end;
        int64_t n = strtoll(value, &end, 10);
        fits = *value && !*end && n >= o->low && n <= o->high;
    }
    for (size_t i = 0; o->kind == JOC_WORDS && i < o->word_count; i++) fits = fits || !strcmp(o->words[i], value);
    if (fits) return true;
    if (o->kind == JOC_WORDS) near = nearest_word(value, o->words, o->word_count);
    char *values = option_values(o);
    text t = { 0 };
    text_format(&t, "'%s' is %s, not '%s'", o->name, values, value);
    if (near) text_format(&t, "; did you mean '%s'?", near);
    free(values);
    *why = text_take(&t);
    return false;
}

int rules_option_find(const joc_rules *rules, const char *name, const char **near) {
    const char *names[OPTIONS_MAX];
    size_t count = joc_rules_options(rules);
    for (size_t i = 0; i < count; i++) {
        const char *known = joc_rules_option(rules, i).name;
        if (!strcmp(known, name)) return (int)i;
        if (i < OPTIONS_MAX) names[i] = known;
    }
    *near = nearest_word(name, names, count < OPTIONS_MAX ? count : OPTIONS_MAX);
    return -1;
}

static void option_check(data_file *f, const joc_rules *rules, const datum *key, const datum *value) {
    const char *near = NULL;
    char *why = NULL;
    int i = rules_option_find(rules, key->text, &near);
    if (i < 0 && near) data_fault(f, key, "E0805", "'%s' has no option '%s'; did you mean '%s'?", joc_rules_title(rules), key->text, near);
    else if (i < 0) data_fault(f, key, "E0805", "'%s' has no option '%s'", joc_rules_title(rules), key->text);
    else {
        joc_option o = joc_rules_option(rules, (size_t)i);
        if (!option_fits(&o, value->text, &why)) data_fault(f, value, "E0805", "%s", why);
        free(why);
    }
}

static house *house_of(data_file *f, const datum *d, const joc_rules *rules) {
    data_check(f, d, &house_shape);
    const datum *options = datum_get(d, "options");
    if (!options || options->kind != DATUM_MAP) return NULL;
    for (size_t i = 0; i < options->count; i++)
        if (options->parts[i]->kind != DATUM_TEXT) return NULL;
    house *h = memory_of(1, sizeof *h);
    h->game = text_copy(datum_text(d, "game", ""));
    h->name = text_copy(datum_text(d, "name", ""));
    h->options = memory_of(options->count / 2, sizeof(char *));
    h->values = memory_of(options->count / 2, sizeof(char *));
    for (size_t i = 0; i + 1 < options->count; i += 2) {
        if (datum_get(options, options->parts[i]->text) != options->parts[i + 1]) data_fault(f, options->parts[i], "E0803", "'%s' is given twice", options->parts[i]->text);
        else if (rules) option_check(f, rules, options->parts[i], options->parts[i + 1]);
        h->options[h->count] = text_copy(options->parts[i]->text);
        h->values[h->count++] = text_copy(options->parts[i + 1]->text);
    }
    return h;
}

house *house_read(const char *path, const joc_rules *rules, joc_messages *m) {
    data_file file;
    datum *d = data_read(&file, path, HOUSE_LIMIT, m);
    house *h = d ? house_of(&file, d, rules) : NULL;
    bool good = h && !file.failed;
    datum_free(d);
    data_file_free(&file);
    if (good) return h;
    house_free(h);
    return NULL;
}

void house_free(house *h) {
    if (!h) return;
    for (size_t i = 0; i < h->count; i++) free(h->options[i]), free(h->values[i]);
    free(h->options);
    free(h->values);
    free(h->game);
    free(h->name);
    free(h);
}
