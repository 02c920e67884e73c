/* Options: what a file lets be chosen, and which choices go together.
 *
 * An option is a constant when the rules are compiled. Three things bear on it besides its values:
 *   - `when C`: it may differ from its default only if C holds;
 *   - a top-level `illegal when C` that speaks of options alone: with these values nothing could ever be played, so they are refused;
 *   - a `preset` sets several at once. A preset must be one that the file allows.
 * Conditions of this kind are worked out here, from the tree: options, numbers, words, and `let` names for such things; anything else
 * is none of them (NOT_OF_OPTIONS). */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "interp/whole.h"


option *option_find(compiler *c, const char *name)
{
    for (int i = 0; i < c->option_count; i++) if (strcmp(c->options[i].name, name) == 0) return &c->options[i];
    return NULL;
}

static void word_add(compiler *c, option *o, const char *w)
{
    const char **words = arena_alloc(c->a, (size_t)(o->word_count + 1) * sizeof *words);
    if (o->word_count) memcpy(words, o->words, (size_t)o->word_count * sizeof *words);
    words[o->word_count++] = w;
    o->words = words;
}

static void range_add(compiler *c, option *o, int64_t low, int64_t high)
{
    int64_t *ranges = arena_alloc(c->a, 2 * (size_t)(o->range_count + 1) * sizeof *ranges);
    if (o->range_count) memcpy(ranges, o->ranges, 2 * (size_t)o->range_count * sizeof *ranges);
    ranges[2 * o->range_count] = low;
    ranges[2 * o->range_count++ + 1] = high;
    o->ranges = ranges;
    if (low < o->low) o->low = low;
    if (high > o->high) o->high = high;
}

static void option_values(compiler *c, option *o, const node *values)
{
    o->low = INT64_MAX;
    o->high = INT64_MIN;
    for (int i = 0; values && i < values->count; i++) {
        const node *v = values->kids[i];
        if (!v) continue;
        if (v->kind == NODE_E_RANGE && kid(v, 0) && kid(v, 1) && kid(v, 0)->kind == NODE_E_NUMBER && kid(v, 1)->kind == NODE_E_NUMBER) {
            range_add(c, o, v->kids[0]->value, v->kids[1]->value);
        } else if (v->kind == NODE_E_NUMBER) range_add(c, o, v->value, v->value);
        else if (v->kind == NODE_E_RANGE) diag_add(c->d, "E0304", v->at, "a range of an option is two numbers, as in 3..9");
        else if (v->count) diag_add(c->d, "E0304", v->at, "a value of an option is one word, one number or a range; what it means stands in quotes");
        else if (v->text) word_add(c, o, v->text);
    }
}

/* Gives an option the value written in `text`. False with no message if it does not fit. */
static bool option_set(option *o, const char *text)
{
    if (o->yesno) {
        if (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0) o->k = 1;
        else if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0) o->k = 0;
        else return false;
        o->value = o->k ? "yes" : "no";
        return true;
    }
    if (o->number) {
        char *end;
        long long x = strtoll(text, &end, 10);
        bool within = o->range_count == 0 && x >= o->low && x <= o->high;
        for (int i = 0; i < o->range_count; i++) within |= x >= o->ranges[2 * i] && x <= o->ranges[2 * i + 1];
        if (*end || end == text || !within) return false;
        o->k = x;
        o->value = text;
        return true;
    }
    for (int i = 0; i < o->word_count; i++) if (strcmp(o->words[i], text) == 0) { o->k = i; o->value = o->words[i]; return true; }
    return false;
}

static void read_option(compiler *c, const node *n)
{
    const node *value_ = kid(n, 0), *values = kid(n, 1), *meaning = kid(n, 2);
    c->options = realloc(c->options, (size_t)(c->option_count + 1) * sizeof *c->options);
    if (!c->options) abort();
    option *o = &c->options[c->option_count];
    *o = (option){ .name = n->text, .meaning = meaning && meaning->text ? meaning->text : "", .where = n };
    if (!symbol_add(c, n->text, SYMBOL_OPTION, c->option_count, n, n)) return;
    c->option_count++;
    option_values(c, o, values);
    if (!value_) return;
    if (value_->kind == NODE_E_NUMBER) {
        o->number = true;
        if (o->low > o->high) {
            if (!values) diag_add(c->d, "E0304", value_->at, "an option that is a number needs its range, as in `option %s = %lld in 0..%lld`", n->text, (long long)value_->value, (long long)value_->value * 2);
            o->low = o->high = value_->value;
        }
        char *text = arena_format(c->a, "%lld", (long long)value_->value);
        if (!option_set(o, text)) { diag_add(c->d, "E0305", value_->at, "the default %s is not among the values of '%s'", text, n->text); o->value = text; o->k = value_->value; }
        return;
    }
    if (value_->count) {
        diag_add(c->d, "E0305", value_->at, "the default of an option is one word or number; what it means stands in quotes behind, as in `option %s = yes \"...\"`", n->text);
        o->yesno = true;
        o->value = "no";
        return;
    }
    const char *text = value_->text ? value_->text : "";
    if (value_->kind == NODE_E_NO || strcmp(text, "no") == 0 || strcmp(text, "yes") == 0) {
        o->yesno = true;
        o->value = strcmp(text, "yes") == 0 ? "yes" : "no";
        o->k = strcmp(text, "yes") == 0;
        return;
    }
    if (!option_set(o, text)) {
        diag_add(c->d, "E0305", value_->at, o->word_count ? "the default '%s' is not among the values of '%s'" : "the default '%s' of '%s' needs the values it is one of, as in `in %s, other`", text, n->text, text);
        word_add(c, o, text);
        o->value = text;
        o->k = o->word_count - 1;
    }
}

void declare_option(compiler *c, const node *n)
{
    const int before = c->option_count;
    read_option(c, n);
    if (c->option_count > before) c->options[before].standard = c->options[before].k;
}

/* ---- conditions on options ----------------------------------------------------------------------------------------------------------------------- */
typedef enum { NOT_OF_OPTIONS, OF_TRUTH, OF_NUMBER, OF_WORD } said_kind;
typedef struct { said_kind kind; int64_t k; const char *word; } said;
enum { SAID_DEPTH = 60 };

static const said unsaid = { NOT_OF_OPTIONS, 0, NULL };
static said said_of(compiler *c, const node *n, int depth);
static said truth_said(bool k) { return (said){ OF_TRUTH, k, NULL }; }

static said name_said(compiler *c, const char *name, int depth)
{
    const option *o = option_find(c, name);
    if (o) return (said){ o->yesno ? OF_TRUTH : o->number ? OF_NUMBER : OF_WORD, o->k, o->value };
    if (strcmp(name, "yes") == 0) return truth_said(true);
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (n && n->kind == NODE_I_LET && !n->more && !kid(n, 0) && strcmp(n->text, name) == 0) return said_of(c, kid(n, 1), depth + 1);
    }
    return unsaid;
}

/* Beside an option of words a name is one of its words. */
static bool word_equal(compiler *c, const node *n, int depth, bool *equal)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    said a = said_of(c, l, depth), b = said_of(c, r, depth);
    if (a.kind != OF_WORD && b.kind != OF_WORD) return false;
    const char *x = a.kind == OF_WORD ? a.word : l->text, *y = b.kind == OF_WORD ? b.word : r->text;
    *equal = x && y && strcmp(x, y) == 0;
    return true;
}

static said compare_said(compiler *c, const node *n, int depth)
{
    bool equal;
    if ((n->text[0] == '=' || n->text[0] == '!') && word_equal(c, n, depth, &equal)) return truth_said(equal == (n->text[0] == '='));
    said a = said_of(c, kid(n, 0), depth), b = said_of(c, kid(n, 1), depth);
    if (a.kind != b.kind || a.kind == NOT_OF_OPTIONS || a.kind == OF_WORD) return unsaid;
    const char *s = n->text;
    if (strcmp(s, "=") == 0) return truth_said(a.k == b.k);
    if (strcmp(s, "!=") == 0) return truth_said(a.k != b.k);
    if (a.kind != OF_NUMBER) return unsaid;
    return truth_said(strcmp(s, "<") == 0 ? a.k < b.k : strcmp(s, "<=") == 0 ? a.k <= b.k : strcmp(s, ">") == 0 ? a.k > b.k : a.k >= b.k);
}

static said arithmetic_said(compiler *c, const node *n, int depth)
{
    said a = said_of(c, kid(n, 0), depth), b = said_of(c, kid(n, 1), depth);
    if (a.kind != OF_NUMBER || b.kind != OF_NUMBER) return unsaid;
    return (said){ OF_NUMBER, whole(n->text[0], a.k, b.k), NULL };
}

/* `n in 2..4`, `n in (2 4 6..8)`. */
static said in_said(compiler *c, const node *n, int depth)
{
    const node *set = kid(n, 1);
    const said x = said_of(c, kid(n, 0), depth);
    const int parts = set->kind == NODE_E_ROW ? set->count : 1;
    bool within = false;
    if (x.kind != OF_NUMBER) return unsaid;
    for (int i = 0; i < parts; i++) {
        const node *part = set->kind == NODE_E_ROW ? set->kids[i] : set;
        const bool range = part->kind == NODE_E_RANGE;
        const said low = said_of(c, range ? kid(part, 0) : part, depth), high = range ? said_of(c, kid(part, 1), depth) : low;
        if (low.kind != OF_NUMBER || high.kind != OF_NUMBER) return unsaid;
        within |= x.k >= low.k && x.k <= high.k;
    }
    return truth_said(within);
}

/* `and`, `or`: all parts must be of options. */
static said joined_said(compiler *c, const node *n, int depth)
{
    bool all = true, some = false;
    for (int i = 0; i < n->count; i++) {
        const said part = said_of(c, n->kids[i], depth);
        if (part.kind != OF_TRUTH) return unsaid;
        all &= part.k != 0;
        some |= part.k != 0;
    }
    return truth_said(n->kind == NODE_E_AND ? all : some);
}

static said said_of(compiler *c, const node *n, int depth)
{
    if (!n || depth > SAID_DEPTH) return unsaid;
    said a;
    switch (n->kind) {
    case NODE_E_NAME: return name_said(c, n->text, depth);
    case NODE_E_NUMBER: return (said){ OF_NUMBER, n->value, NULL };
    case NODE_E_NOT: a = said_of(c, kid(n, 0), depth + 1); return a.kind == OF_TRUTH ? truth_said(!a.k) : unsaid;
    case NODE_E_MINUS: a = said_of(c, kid(n, 0), depth + 1); return a.kind == OF_NUMBER ? (said){ OF_NUMBER, -a.k, NULL } : unsaid;
    case NODE_E_COMPARE: return compare_said(c, n, depth + 1);
    case NODE_E_ARITH: return arithmetic_said(c, n, depth + 1);
    case NODE_E_IN: return in_said(c, n, depth + 1);
    case NODE_E_AND: case NODE_E_OR: return joined_said(c, n, depth + 1);
    case NODE_E_WHEN:
        a = said_of(c, kid(n, 1), depth + 1);
        return a.kind == OF_TRUTH ? said_of(c, kid(n, a.k ? 0 : 2), depth + 1) : unsaid;
    default: return unsaid;
    }
}

/* The options that stand in a condition, directly or through `let`: "flying = no, far = 3". */
typedef struct { const option *list[16]; int count; } mentioned;

static void mention(compiler *c, const node *n, mentioned *m, int depth)
{
    if (!n || depth > SAID_DEPTH) return;
    const option *o = n->kind == NODE_E_NAME ? option_find(c, n->text) : NULL;
    for (int i = 0; o && i < m->count; i++) if (m->list[i] == o) return;
    if (o && m->count < (int)(sizeof m->list / sizeof *m->list)) m->list[m->count++] = o;
    for (int i = 0; n->kind == NODE_E_NAME && !o && i < c->tree->root->count; i++) {
        const node *l = c->tree->root->kids[i];
        if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0) mention(c, kid(l, 1), m, depth + 1);
    }
    for (int i = 0; i < n->count; i++) mention(c, n->kids[i], m, depth + 1);
}

static const char *values_said(compiler *c, const node *n)
{
    mentioned m = { .count = 0 };
    mention(c, n, &m, 0);
    const char *all = "";
    for (int i = 0; i < m.count; i++) all = arena_format(c->a, "%s%s%s = %s", all, i ? ", " : "", m.list[i]->name, m.list[i]->value);
    return all;
}

static bool speaks_of_options(compiler *c, const node *n)
{
    mentioned m = { .count = 0 };
    mention(c, n, &m, 0);
    return m.count > 0 && said_of(c, n, 0).kind == OF_TRUTH;
}

static const char *label_said(compiler *c, const char *label)
{
    char *words = arena_copy(c->a, label, strlen(label));
    for (char *p = words; *p; p++) if (*p == '_') *p = ' ';
    return words;
}

/* The nearest option to a word of a condition that is none; NULL if every word means something. */
static const char *meant(compiler *c, const node *n)
{
    const char *names[256], *near = NULL;
    size_t count = 0;
    if (n->kind == NODE_E_NAME && name_said(c, n->text, 0).kind == NOT_OF_OPTIONS) {
        for (; count < (size_t)c->option_count && count < 256; count++) names[count] = c->options[count].name;
        near = nearest_word(n->text, names, count);
    }
    for (int i = 0; i < n->count && !near; i++) near = n->kids[i] ? meant(c, n->kids[i]) : NULL;
    return near;
}

static void needs_unclear(compiler *c, const node *needs)
{
    const char *near = meant(c, needs), *text = print_short(c, needs);
    if (near) diag_add(c->d, "E0323", needs->at, "what an option needs is said of options alone, as a yes or no, not '%s'; did you mean '%s'?", text, near);
    else diag_add(c->d, "E0323", needs->at, "what an option needs is said of options alone, as a yes or no, not '%s'", text);
}

/* Is this choice of values one that the file allows? `preset`: the one that makes the choice, or NULL. */
static void options_together(compiler *c, const node *preset)
{
    const char *whose = preset ? arena_format(c->a, "preset '%s': ", preset->text) : "";
    for (int i = 0; i < c->option_count; i++) {
        const option *o = &c->options[i];
        const node *needs = kid(o->where, 3);
        if (!needs) continue;
        const said s = said_of(c, needs, 0);
        if (s.kind != OF_TRUTH) needs_unclear(c, needs);
        else if (!s.k && o->k != o->standard) diag_add(c->d, "E0324", preset ? preset->at : o->where->at, "%s'%s = %s' counts only when %s (here %s)", whose, o->name, o->value, print_short(c, needs), values_said(c, needs));
    }
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") != 0 || !speaks_of_options(c, kid(n, 1)) || !said_of(c, kid(n, 1), 0).k) continue;
        const char *values = values_said(c, kid(n, 1));
        const span at = preset ? preset->at : n->at;
        if (n->more) diag_add(c->d, "E0325", at, "%sthese options do not go together (%s): %s", whose, values, label_said(c, n->more));
        else diag_add(c->d, "E0325", at, "%sthese options do not go together (%s)", whose, values);
        if (preset) diag_note(c->d, n->at, "refused here");
    }
}

/* ---- presets --------------------------------------------------------------------------------------------------------------------------------------- */
const char *setting_text(const node *n)
{
    const node *v = kid(n, 0);
    return !v ? "" : v->kind == NODE_E_NO ? "no" : v->text ? v->text : "";
}

const node *preset_find(const tree *t, const char *name)
{
    for (int i = 0; i < t->root->count; i++)
        if (t->root->kids[i] && t->root->kids[i]->kind == NODE_I_PRESET && strcmp(t->root->kids[i]->text, name) == 0) return t->root->kids[i];
    return NULL;
}

const char *nearest_preset(const tree *t, const char *name)
{
    const char *names[64];
    size_t n = 0;
    for (int i = 0; i < t->root->count && n < 64; i++)
        if (t->root->kids[i] && t->root->kids[i]->kind == NODE_I_PRESET) names[n++] = t->root->kids[i]->text;
    return nearest_word(name, names, n);
}

static void unknown_option(compiler *c, span at, const char *name)
{
    const char *names[256];
    size_t n = 0;
    for (; n < (size_t)c->option_count && n < 256; n++) names[n] = c->options[n].name;
    const char *near = nearest_word(name, names, n);
    if (near) diag_add(c->d, "E0320", at, "this game has no option '%s'; did you mean '%s'?", name, near);
    else diag_add(c->d, "E0320", at, "this game has no option '%s'", name);
}

static void wrong_value(compiler *c, span at, const option *o, const char *text)
{
    const char *near = o->yesno || o->number ? NULL : nearest_word(text, o->words, (size_t)o->word_count);
    if (o->yesno) diag_add(c->d, "E0321", at, "option '%s' is yes or no, not '%s'", o->name, text);
    else if (o->number) diag_add(c->d, "E0321", at, "option '%s' is a number from %lld to %lld, not '%s'", o->name, (long long)o->low, (long long)o->high, text);
    else if (near) diag_add(c->d, "E0321", at, "option '%s' has no value '%s'; did you mean '%s'?", o->name, text, near);
    else diag_add(c->d, "E0321", at, "option '%s' has no value '%s'", o->name, text);
}

/* A test's value for an option: does it fit? */
void option_asked(compiler *c, const option *o, const node *n)
{
    option tried = *o;
    if (!option_set(&tried, setting_text(n))) wrong_value(c, kid(n, 0) ? kid(n, 0)->at : n->at, o, setting_text(n));
}

/* Sets an option; numbers are kept as they are usually written. */
static bool value_set(compiler *c, option *o, const char *text)
{
    if (!option_set(o, arena_copy(c->a, text, strlen(text)))) return false;
    if (o->number) o->value = arena_format(c->a, "%lld", (long long)o->k);
    return true;
}

static bool set_before(const node *preset, int i)
{
    for (int j = 1; j < i; j++)
        if (preset->kids[j]->kind == NODE_T_OPTION && strcmp(preset->kids[j]->text, preset->kids[i]->text) == 0) return true;
    return false;
}

/* Holds a preset against the options, as if it had been chosen. */
static void declare_preset(compiler *c, const node *preset)
{
    const size_t errors = c->d->errors;
    option *before = arena_alloc(c->a, (size_t)(c->option_count + 1) * sizeof *before);
    memcpy(before, c->options, (size_t)c->option_count * sizeof *before);
    for (int i = 1; i < preset->count; i++) {
        const node *s = preset->kids[i];
        if (s->kind != NODE_T_OPTION) continue;
        option *o = option_find(c, s->text);
        if (!o) unknown_option(c, word_at(c, s, s->text), s->text);
        else if (set_before(preset, i)) diag_add(c->d, "E0326", s->at, "preset '%s' sets '%s' twice", preset->text, s->text);
        else if (!value_set(c, o, setting_text(s))) wrong_value(c, kid(s, 0) ? kid(s, 0)->at : s->at, o, setting_text(s));
    }
    if (c->d->errors == errors) options_together(c, preset);
    memcpy(c->options, before, (size_t)c->option_count * sizeof *before);
}

void declare_presets(compiler *c)
{
    const node *root = c->tree->root;
    if (c->d->errors) return;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n || n->kind != NODE_I_PRESET) continue;
        const node *first = preset_find(c->tree, n->text);
        if (first == n) {
            declare_preset(c, n);
            continue;
        }
        diag_add(c->d, "E0301", word_at(c, n, n->text), "'%s' is already the name of a preset", n->text);
        diag_note(c->d, word_at(c, first, n->text), "first here");
    }
}

bool declare_settings(compiler *c, const setting *settings, size_t count)
{
    const size_t errors = c->d->errors;
    for (size_t i = 0; i < count; i++) {
        option *o = option_find(c, settings[i].name);
        if (!o) unknown_option(c, (span){ 0 }, settings[i].name);
        else if (!value_set(c, o, settings[i].value)) wrong_value(c, o->where->at, o, settings[i].value);
    }
    if (c->d->errors == errors) options_together(c, NULL);
    return c->d->errors == errors;
}
