/* What a rule file says of itself before it is compiled: title, players, options, presets. Read from the tree alone. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static void *must(void *p) { if (!p) abort(); return p; }
static char *copy_text(const char *t) { return must(strdup(t ? t : "")); }

static void read_players(joc_rules *r, const node *n)
{
    const node *range = kid(n, 0);
    r->least = r->most = n->count - 1;
    if (!range || range->kind != NODE_E_RANGE || !kid(range, 0) || !kid(range, 1)) return;
    r->least = (int)range->kids[0]->value;
    r->most = (int)range->kids[1]->value;
}

static void widen(joc_rules *r, joc_option *o, int64_t low, int64_t high)
{
    int64_t *ranges = arena_alloc(r->arena, 2 * (o->range_count + 1) * sizeof *ranges);
    if (o->range_count) memcpy(ranges, o->ranges, 2 * o->range_count * sizeof *ranges);
    ranges[2 * o->range_count] = low;
    ranges[2 * o->range_count++ + 1] = high;
    o->ranges = ranges;
    if (low < o->low) o->low = low;
    if (high > o->high) o->high = high;
}

static bool has_word(const joc_option *o, const char *word)
{
    for (size_t i = 0; i < o->word_count; i++) if (strcmp(o->words[i], word) == 0) return true;
    return false;
}

/* What stands behind `in`: words, numbers and ranges. */
static void read_values(joc_rules *r, joc_option *o, const node *values)
{
    const char **words = arena_alloc(r->arena, (size_t)(values ? values->count + 1 : 1) * sizeof *words);
    o->words = words;
    for (int i = 0; values && i < values->count; i++) {
        const node *v = values->kids[i];
        if (!v) continue;
        if (v->kind == NODE_E_RANGE && kid(v, 0) && kid(v, 1)) widen(r, o, v->kids[0]->value, v->kids[1]->value);
        else if (v->kind == NODE_E_NUMBER) widen(r, o, v->value, v->value);
        else if (v->text) words[o->word_count++] = v->text;
    }
    if (o->kind == JOC_WORDS && !has_word(o, o->standard)) words[o->word_count++] = o->standard;
}

static void read_option(joc_rules *r, const node *n)
{
    const node *first = kid(n, 0), *meaning = kid(n, 2), *needs = kid(n, 3);
    if ((n->flags & FLAG_SETTING) || !first) return;
    r->options = must(realloc(r->options, (r->option_count + 1) * sizeof *r->options));
    joc_option *o = &r->options[r->option_count++];
    *o = (joc_option){ .name = n->text, .meaning = meaning && meaning->text ? meaning->text : "", .low = INT64_MAX, .high = INT64_MIN, .needs = "" };
    o->standard = setting_text(n);
    o->kind = first->kind == NODE_E_NUMBER ? JOC_RANGE : strcmp(o->standard, "yes") == 0 || strcmp(o->standard, "no") == 0 ? JOC_YESNO : JOC_WORDS;
    read_values(r, o, kid(n, 1));
    if (o->kind == JOC_RANGE) {
        if (o->low > o->high) widen(r, o, first->value, first->value);
        o->standard = arena_format(r->arena, "%lld", (long long)first->value);
    }
    if (!needs) return;
    char *said = node_print(needs);
    o->needs = arena_copy(r->arena, said, strlen(said));
    free(said);
}

static void read_preset(joc_rules *r, const node *n)
{
    joc_setting *settings = arena_alloc(r->arena, (size_t)n->count * sizeof *settings);
    size_t count = 0;
    for (int i = 1; i < n->count; i++)
        if (n->kids[i] && n->kids[i]->kind == NODE_T_OPTION) settings[count++] = (joc_setting){ n->kids[i]->text, setting_text(n->kids[i]) };
    r->presets = must(realloc(r->presets, (r->preset_count + 1) * sizeof *r->presets));
    r->presets[r->preset_count++] = (joc_preset){ n->text, kid(n, 0) ? n->kids[0]->text : "", settings, count };
}

void rules_read(joc_rules *r)
{
    const node *root = r->tree->root;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        if (n->kind == NODE_I_GAME && !r->title) r->title = copy_text(n->text);
        if (n->kind == NODE_I_PLAYERS) read_players(r, n);
        if (n->kind == NODE_I_OPTION) read_option(r, n);
        if (n->kind == NODE_I_PRESET) read_preset(r, n);
    }
    if (!r->title) r->title = copy_text("");
}

size_t joc_rules_options(const joc_rules *r) { return r->option_count; }
joc_option joc_rules_option(const joc_rules *r, size_t i) { return r->options[i]; }
size_t joc_rules_presets(const joc_rules *r) { return r->preset_count; }
joc_preset joc_rules_preset(const joc_rules *r, size_t i) { return r->presets[i]; }
