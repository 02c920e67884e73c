/* House files; see house.h. */
#include <stdlib.h>
#include <string.h>
#include "interp/formats/house.h"

enum { HOUSE_LIMIT = 64 * 1024 };

static const shape_key house_keys[] = {
    { "format", KEY_FORMAT, false }, { "game", KEY_TEXT, true },   { "name", KEY_TEXT, false },
    { "preset", KEY_TEXT, false },   { "notes", KEY_TEXT, false }, { "options", KEY_OPTIONS, false },
};
const data_shape house_shape = { "a house file", house_keys, sizeof house_keys / sizeof *house_keys };

/* `rules` may be NULL: then the option is taken as it is written. */
static void option_take(data_file *f, house *h, const joc_rules *rules, const datum *key, const datum *value) {
    const char *near = NULL;
    char *why = NULL, *canonical = NULL;
    int i = rules ? rules_option_find(rules, key->text, &near) : -1;
    joc_option o = i < 0 ? (joc_option){ 0 } : joc_rules_option(rules, (size_t)i);
    if (!rules) choices_set(&h->options, key->text, value->text);
    else if (i < 0) data_fault(f, key, "E0805", "'%s' has no option '%s'%s%s%s", joc_rules_title(rules), key->text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    else if (o.kind == JOC_RANGE && value->quoted) data_fault(f, value, "E0805", "'%s' is a number, and numbers are written without quotes", o.name);
    else if (!option_read(&o, value->text, &canonical, &why)) data_fault(f, value, "E0805", "%s", why);
    else choices_set(&h->options, key->text, canonical);
    free(canonical);
    free(why);
}

static void preset_check(data_file *f, const house *h, const joc_rules *rules, const datum *at) {
    const char *near = NULL;
    if (!at || !rules || rules_preset_find(rules, h->preset, &near) >= 0) return;
    data_fault(f, at, "E0805", "'%s' has no preset '%s'%s%s%s", joc_rules_title(rules), h->preset, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static house *house_of(data_file *f, const datum *d, const joc_rules *rules) {
    if (!data_check(f, d, &house_shape)) return NULL;
    house *h = memory_of(1, sizeof *h);
    h->game = text_copy(datum_text(d, "game", ""));
    h->name = text_copy(datum_text(d, "name", ""));
    h->preset = text_copy(datum_text(d, "preset", ""));
    h->notes = text_copy(datum_text(d, "notes", ""));
    preset_check(f, h, rules, datum_get(d, "preset"));
    const datum *options = datum_get(d, "options");
    for (size_t i = 0; options && i + 1 < options->count; i += 2) {
        const datum *key = options->parts[i];
        if (datum_get(options, key->text) != options->parts[i + 1]) data_fault(f, key, "E0803", "'%s' is given twice", key->text);
        else option_take(f, h, rules, key, options->parts[i + 1]);
    }
    return h;
}

/* Takes the file and its tree. */
static house *house_made(data_file *file, datum *d, const joc_rules *rules) {
    house *h = d ? house_of(file, d, rules) : NULL;
    bool good = h && !file->failed;
    datum_free(d);
    data_file_free(file);
    if (good) return h;
    house_free(h);
    return NULL;
}

house *house_read(const char *path, const joc_rules *rules, joc_messages *m) {
    data_file file;
    datum *d = data_read(&file, path, HOUSE_LIMIT, m);
    return house_made(&file, d, rules);
}

house *house_parse(const char *path, const char *yaml, size_t length, const joc_rules *rules, joc_messages *m) {
    data_file file;
    datum *d = data_parse(&file, path, yaml, length, m);
    return house_made(&file, d, rules);
}

void house_free(house *h) {
    if (!h) return;
    choices_free(&h->options);
    free(h->game);
    free(h->name);
    free(h->preset);
    free(h->notes);
    free(h);
}

/* "games/ur.joc" and "ur" are one game. */
static void bare(const char *name, const char **from, size_t *length) {
    const char *slash = strrchr(name, '/');
    *from = slash ? slash + 1 : name;
    *length = strlen(*from);
    if (*length > 4 && !strcmp(*from + *length - 4, ".joc")) *length -= 4;
}

bool house_is_for(const house *h, const char *name) {
    const char *a, *b;
    size_t m, n;
    bare(h->game, &a, &m);
    bare(name, &b, &n);
    return m == n && !memcmp(a, b, n);
}

void choices_house(choices *s, const house *h, const joc_rules *rules) {
    const char *near;
    int preset = *h->preset ? rules_preset_find(rules, h->preset, &near) : -1;
    if (preset >= 0) {
        joc_preset p = joc_rules_preset(rules, (size_t)preset);
        choices_preset(s, &p);
    }
    for (size_t i = 0; i < h->options.count; i++) choices_set(s, h->options.list[i].name, h->options.list[i].value);
}
