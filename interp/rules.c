/* libjoc: messages, where games are, and rule files: read, checked, compiled. */
#include <assert.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lints.h"
#include "symmetry.h"

static void *must(void *p) { if (!p) abort(); return p; }
static char *copy_text(const char *t) { return must(strdup(t ? t : "")); }

/* ---- messages ---------------------------------------------------------------------------------------------------------------------------------- */
joc_messages *joc_messages_new(void)
{
    joc_messages *m = must(calloc(1, sizeof *m));
    m->d = diag_new();
    return m;
}

void joc_messages_free(joc_messages *m)
{
    if (!m) return;
    diag_free(m->d);
    free(m);
}

size_t joc_messages_count(const joc_messages *m) { return m->d->count; }
size_t joc_messages_errors(const joc_messages *m) { return m->d->errors; }
size_t joc_messages_warnings(const joc_messages *m) { return m->d->warnings; }

joc_message joc_messages_at(const joc_messages *m, size_t i)
{
    const message *x = &m->d->messages[i];
    joc_message out = { .severity = !x->code ? 'n' : x->severity == SEVERITY_ERROR ? 'E' : x->severity == SEVERITY_WARNING ? 'W' : 'N', .code = x->code ? x->code : "", .text = x->text, .path = "" };
    if (x->at.source < m->d->source_count) {
        out.path = m->d->sources[x->at.source].path;
        diag_locate(m->d, x->at, &out.line, &out.column);
        diag_locate(m->d, (span){ x->at.source, x->at.to, x->at.to }, &out.end_line, &out.end_column);
    }
    return out;
}

char *joc_messages_text(const joc_messages *m, bool colour) { return diag_text(m->d, colour); }

void joc_messages_add(joc_messages *m, const char *code, const char *path, const char *text, size_t length, size_t from, size_t to, const char *words)
{
    uint32_t source_index = UINT32_MAX;
    for (size_t i = 0; i < m->d->source_count; i++) if (strcmp(m->d->sources[i].path, path) == 0) source_index = (uint32_t)i;
    if (source_index == UINT32_MAX) source_index = diag_source(m->d, path, text, length);
    diag_add(m->d, code, (span){ source_index, (uint32_t)from, (uint32_t)to }, "%s", words);
}

bool joc_explain(const char *code, const char **title, const char **wrong, const char **right)
{
    static const struct { const char *code, *title, *wrong, *right; } table[] = {
#define DIAG(c, t, w, r) { c, t, w, r },
#include "grammar/diag.def"
#undef DIAG
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcasecmp(table[i].code, code) == 0) { *title = table[i].title; *wrong = table[i].wrong; *right = table[i].right; return true; }
    return false;
}

/* ---- where games are ------------------------------------------------------------------------------------------------------------------------------ */
#ifndef JOC_DATA
#define JOC_DATA "/usr/local/share/joc"
#endif

/* The folders with games: beside the binary's tree, then the installed one. */
static const char *const *game_folders(char here[PATH_MAX], const char *list[3])
{
    int n = 0;
    ssize_t length = readlink("/proc/self/exe", here, PATH_MAX - 32);
    if (length > 0) {
        here[length] = '\0';
        for (int up = 0; up < 3; up++) { char *slash = strrchr(here, '/'); if (slash) *slash = '\0'; }
        strcat(here, "/games");
        struct stat s;
        if (stat(here, &s) == 0 && S_ISDIR(s.st_mode)) list[n++] = here;
    }
    list[n++] = JOC_DATA "/games";
    list[n] = NULL;
    return list;
}

char *joc_find_game(const char *name)
{
    struct stat s;
    if (stat(name, &s) == 0 && !S_ISDIR(s.st_mode)) return copy_text(name);
    if (strchr(name, '/')) return NULL;
    char here[PATH_MAX], path[PATH_MAX + 300];
    const char *list[3];
    game_folders(here, list);
    for (int i = 0; list[i]; i++)
        for (int form = 0; form < 2; form++) {
            snprintf(path, sizeof path, form ? "%s/%s" : "%s/%s.joc", list[i], name);
            if (stat(path, &s) == 0 && S_ISREG(s.st_mode)) return copy_text(path);
        }
    return NULL;
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **joc_list_games(void)
{
    char here[PATH_MAX];
    const char *list[3];
    game_folders(here, list);
    char **out = must(calloc(1, sizeof *out));
    size_t n = 0;
    for (int i = 0; list[i] && n == 0; i++) {
        DIR *d = opendir(list[i]);
        if (!d) continue;
        for (struct dirent *e; (e = readdir(d));) {
            size_t length = strlen(e->d_name);
            if (length < 5 || strcmp(e->d_name + length - 4, ".joc") != 0) continue;
            out = must(realloc(out, (n + 2) * sizeof *out));
            out[n] = must(malloc(strlen(list[i]) + length + 2));
            sprintf(out[n++], "%s/%s", list[i], e->d_name);
            out[n] = NULL;
        }
        closedir(d);
    }
    qsort(out, n, sizeof *out, compare_texts);
    return out;
}

void joc_list_free(char **list)
{
    for (size_t i = 0; list && list[i]; i++) free(list[i]);
    free(list);
}

/* ---- rules ------------------------------------------------------------------------------------------------------------------------------------------- */
/* A source known already is not taken twice. */
static uint32_t source_of(diagnostics *d, const source *s)
{
    for (size_t i = 0; i < d->source_count; i++)
        if (d->sources[i].length == s->length && strcmp(d->sources[i].path, s->path) == 0 && memcmp(d->sources[i].text, s->text, s->length) == 0) return (uint32_t)i;
    return diag_source(d, s->path, s->text, s->length);
}

static void copy_messages(joc_messages *m, const diagnostics *d)
{
    for (size_t i = 0; d->count && i < d->source_count; i++) source_of(m->d, &d->sources[i]);
    for (size_t i = 0; i < d->count; i++) {
        span at = d->messages[i].at;
        if (at.source < d->source_count) at.source = source_of(m->d, &d->sources[at.source]);
        if (d->messages[i].code) diag_add(m->d, d->messages[i].code, at, "%s", d->messages[i].text);
        else diag_note(m->d, at, "%s", d->messages[i].text);
    }
}

static joc_rules *rules_of(tree *t, diagnostics *d, joc_messages *m)
{
    copy_messages(m, d);
    if (!t || d->errors) { tree_free(t); diag_free(d); return NULL; }
    joc_rules *r = must(calloc(1, sizeof *r));
    r->tree = t;
    r->d = d;
    r->arena = arena_new();
    r->path = copy_text(t->path);
    r->least = r->most = 2;
    rules_read(r);
    return r;
}

joc_rules *joc_rules_load(const char *name, joc_messages *m)
{
    char here[PATH_MAX];
    const char *list[3];
    char *path = joc_find_game(name);
    diagnostics *d = diag_new();
    tree *t = tree_load(path ? path : name, game_folders(here, list), d);
    free(path);
    return rules_of(t, d, m);
}

joc_rules *joc_rules_parse(const char *path, const char *text, size_t length, joc_messages *m)
{
    char here[PATH_MAX];
    const char *list[3];
    diagnostics *d = diag_new();
    return rules_of(tree_load_text(path, text, length, game_folders(here, list), d), d, m);
}

void joc_rules_free(joc_rules *r)
{
    if (!r) return;
    tree_free(r->tree);
    diag_free(r->d);
    arena_free(r->arena);
    free(r->options);
    free(r->presets);
    free(r->path);
    free(r->title);
    free(r);
}

const char *joc_rules_path(const joc_rules *r) { return r->path; }
const char *joc_rules_title(const joc_rules *r) { return r->title; }
void joc_rules_players(const joc_rules *r, int *least, int *most) { *least = r->least; *most = r->most; }

/* Messages about a tree that was parsed before: the sources of its spans stand in r->d. */
static diagnostics *fresh_messages(const joc_rules *r)
{
    diagnostics *d = diag_new();
    for (size_t i = 0; i < r->d->source_count; i++) diag_source(d, r->d->sources[i].path, r->d->sources[i].text, r->d->sources[i].length);
    return d;
}

static game *compile_rules(const joc_rules *r, const joc_setting *settings, size_t count, int players, bool marked, joc_messages *m)
{
    diagnostics *d = fresh_messages(r);
    setting *list = must(calloc(count + 1, sizeof *list));
    for (size_t i = 0; i < count; i++) list[i] = (setting){ settings[i].name, settings[i].value };
    game *g = (marked ? compile_marked : compile)(r->tree, list, count, players, d);
    free(list);
    copy_messages(m, d);
    diag_free(d);
    return g;
}

/* ---- what checking tells ------------------------------------------------------------------------------------------------------------------------- */
/* What can be told of the compiled game. */
static void look_at_game(const joc_rules *r, game *g, diagnostics *d)
{
    const joc_game x = { .g = g };
    joc_position *start = joc_start(&x, 1);
    if (!joc_fault(start)) {
        cells_lint(r, g, start, d);
        if (!d->warnings) endless_lint(r, start, d);
    }
    joc_position_free(start);
}

bool joc_rules_check(const joc_rules *r, joc_messages *m)
{
    diagnostics *d = fresh_messages(r);
    game *g = compile_check(r->tree, d);
    if (g && r->least < r->most) game_free(compile(r->tree, NULL, 0, r->most, d));      /* what only further players do is right, too */
    if (g) dead_ends_lint(r, g, d);
    if (g && !d->errors) look_at_game(r, g, d);
    if (g && !d->errors && !d->warnings) symmetry_lint(&(joc_game){ .g = g }, r->tree, d);
    game_free(g);
    copy_messages(m, d);
    diag_free(d);
    return g != NULL;
}

char *joc_format(const char *path, const char *text, size_t length, bool brackets, joc_messages *m) { return format_text(path, text, length, brackets, m->d); }

/* How far turns must be counted: `turns = 1` asks for none, one and more. Other uses than a comparison with a number count them all. Tests may
 * ask what they like. */
static void turns_told(const node *n, game *g)
{
    if (!n || n->kind == NODE_I_TEST) return;
    if (n->kind == NODE_E_NAME && strcmp(n->text, "turns") == 0) g->counts_turns = true;
    const node *left = n->count == 2 ? n->kids[0] : NULL, *right = n->count == 2 ? n->kids[1] : NULL;
    if (n->kind == NODE_E_COMPARE && left && right && left->kind == NODE_E_NAME && right->kind == NODE_E_NUMBER && strcmp(left->text, "turns") == 0) {
        if (right->value >= g->turns_told) g->turns_told = right->value + 1;
        return;
    }
    for (int i = 0; i < n->count; i++) turns_told(n->kids[i], g);
}

joc_game *game_compile(const joc_rules *r, const joc_setting *settings, size_t count, int players, bool marked, joc_messages *m)
{
    game *g = compile_rules(r, settings, count, players, marked, m);
    if (!g) return NULL;
    joc_game *out = must(calloc(1, sizeof *out));
    out->g = g;
    if (g->asks_turns) turns_told(r->tree->root, g);
    return out;
}

joc_game *joc_compile(const joc_rules *r, const joc_setting *settings, size_t count, int players, joc_messages *m) { return game_compile(r, settings, count, players, false, m); }
