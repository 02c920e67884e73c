/* libjoc: rules, games and positions. Moves and their texts are in notation.c, tests in testing.c. */
#include <assert.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "lints.h"
#include "symmetry.h"
#include "view.h"
#include "machine/random.h"
#include "native/native.h"

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

/* ---- dead ends ---- */
static bool has_else(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ELSE) return true;
    for (int i = 0; i < n->count; i++) if (has_else(n->kids[i])) return true;
    return false;
}

/* What a game has cost so far, in a unit of some nanoseconds that is the same on any machine: what is said of a file does not hang on its speed. */
static uint64_t cost_of(const joc_position *p, uint64_t decisions)
{
    return decisions * (uint64_t)(p->game->g->cells + 20) + 10 * p->v->used;
}

/* A turn is played a few times: something is said only if a game was seen to stop, or was given up. The clock is there for files that mean harm. */
static void look_for_dead_ends(const joc_rules *r, game *g, diagnostics *d)
{
    enum { GAMES = 20, DECISIONS = 200, COST = 250 * 1000, TICKS = CLOCKS_PER_SEC / 2 };
    const node *turn = NULL;
    for (int i = 0; i < r->tree->root->count; i++) if (r->tree->root->kids[i] && r->tree->root->kids[i]->kind == NODE_I_TURN) turn = r->tree->root->kids[i];
    if (!turn || turn->at.source != 0) return;
    joc_game x = { .g = g };
    const clock_t start = clock();
    const span at = { 0, turn->at.from, turn->at.from + 4 };
    int games = 0, stuck = 0;
    bool given_up = false;
    uint64_t cost = 0;
    char why[200] = "";
    for (; games < GAMES && !given_up && cost < COST && clock() - start < TICKS; games++) {
        joc_position *p = joc_start(&x, (uint64_t)games + 1);
        joc_random random = joc_random_seed((uint64_t)games + 1);
        const uint64_t begun = cost_of(p, 0);
        uint64_t n = 0;
        while (n < DECISIONS && cost + cost_of(p, n) - begun < COST && joc_play_random(p, &random)) n++;
        cost += cost_of(p, n) - begun;
        const char *fault = joc_fault(p);
        if (fault) { given_up = true; snprintf(why, sizeof why, "%s", fault); }
        stuck += !fault && joc_state_of(p) == JOC_STUCK;
        joc_position_free(p);
    }
    if (given_up) diag_add(d, "W0431", at, "a random game is given up here: %s", why);
    if (stuck && !has_else(turn)) diag_add(d, "N0417", at, "%d of %d random games stop here: what if there is no move? add `else lose`, `else draw` or `else pass`", stuck, games);
}

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
    if (g) look_for_dead_ends(r, g, d);
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

/* ---- games ----------------------------------------------------------------------------------------------------------------------------------------------- */
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

void joc_game_free(joc_game *x)
{
    if (!x) return;
    game_free(x->g);
    native_close(x->native);
    free(x);
}

bool joc_native(joc_game *x, char **why)
{
    char *reason = NULL;
    const machine *own = x->native ? x->g->machine : native_open(x->g, &x->native, &reason);
    if (own) x->g->machine = own;
    if (why) *why = reason;
    else free(reason);
    return own != NULL;
}

bool joc_is_native(const joc_game *x) { return x->native != NULL; }

const char *joc_game_title(const joc_game *x) { return x->g->title ? x->g->title : ""; }
const char *joc_game_path(const joc_game *x) { return x->g->path; }
uint64_t joc_game_hash(const joc_game *x) { return x->g->hash; }

const char *joc_game_option(const joc_game *x, const char *name)
{
    for (int i = 0; i < x->g->option_count; i++) if (strcmp(x->g->option_names[i], name) == 0) return x->g->option_values[i];
    return NULL;
}

int joc_game_players(const joc_game *x) { return x->g->player_count; }
const char *joc_game_player(const joc_game *x, int p) { return p < 0 ? "neutral" : x->g->players[p].name; }

const char *joc_game_facing(const joc_game *x, int p)
{
    static const char *const words[] = { "north", "east", "south", "west" };
    return words[x->g->players[p].facing];
}

bool joc_game_has_score(const joc_game *x) { return x->g->score_pc != 0; }
bool joc_game_has_chance(const joc_game *x) { return x->g->has_chance; }
bool joc_game_has_secrets(const joc_game *x) { return x->g->has_secrets; }

joc_shape joc_game_shape(const joc_game *x) { return (joc_shape)x->g->shape; }
int joc_game_cells(const joc_game *x) { return x->g->cells; }
const char *joc_cell_name(const joc_game *x, int c) { return x->g->cell[c].name; }
void joc_cell_xy(const joc_game *x, int c, int *px, int *py) { *px = x->g->cell[c].x; *py = x->g->cell[c].y; }

int joc_cell_at(const joc_game *x, int px, int py)
{
    for (int i = 0; i < x->g->cells; i++) if (x->g->cell[i].x == px && x->g->cell[i].y == py) return i;
    return -1;
}

const char *joc_cell_title(const joc_game *x, int c) { return x->g->cell[c].title ? x->g->cell[c].title : x->g->cell[c].name; }

bool joc_cell_spot(const joc_game *x, int c, int *px, int *py)
{
    *px = x->g->cell[c].sx, *py = x->g->cell[c].sy;
    return x->g->shape == JOC_BOARD_MAP && (*px || *py);
}

int joc_cell_find(const joc_game *x, const char *name) { return cell_named(x->g, name); }

bool joc_cell_joined(const joc_game *x, int a, int b)
{
    for (uint64_t m = x->g->ways; m; m &= m - 1) {
        const direction *d = &x->g->dirs[__builtin_ctzll(m)];
        if (d->graph ? (d->image[(size_t)a * (size_t)x->g->words + (size_t)b / 64] >> (b % 64) & 1) != 0 : d->next[a] == b) return true;
    }
    return false;
}

int joc_game_zones(const joc_game *x) { return x->g->zone_count; }
const char *joc_zone_name(const joc_game *x, int z) { return x->g->zones[z].name; }
int joc_zone_owner(const joc_game *x, int z) { return x->g->zones[z].owner; }
int joc_game_kinds(const joc_game *x) { return x->g->kind_count; }
const char *joc_kind_name(const joc_game *x, int k) { return k < x->g->kind_count ? x->g->kinds[k].name : "?"; }
const char *joc_kind_letter(const joc_game *x, int k) { return k < x->g->kind_count ? x->g->kinds[k].letter : "?"; }
int joc_game_keeps(const joc_game *x) { return x->g->keeps_shown; }
const char *joc_keep_name(const joc_game *x, int k) { return x->g->keeps[k].name; }
joc_of joc_keep_of(const joc_game *x, int k) { return (joc_of)x->g->keeps[k].of; }
joc_keep_type joc_keep_kind(const joc_game *x, int k) { return (joc_keep_type)x->g->keeps[k].type; }
int64_t joc_keep_start(const joc_game *x, int k) { return x->g->keeps[k].start; }
const char *joc_game_about(const joc_game *x) { return x->g->about ? x->g->about : ""; }
int joc_game_marks(const joc_game *x) { return x->g->mark_count; }
joc_mark joc_game_mark(const joc_game *x, int i) { return (joc_mark){ x->g->marks[i].sign, x->g->marks[i].ascii, x->g->marks[i].name, x->g->marks[i].gap_count > 0 }; }

bool joc_mark_gap(const joc_game *g, int i, int x, int y)
{
    const drawn_mark *m = &g->g->marks[i];
    for (int k = 0; k < m->gap_count; k++) if (m->gaps[2 * k] == x && m->gaps[2 * k + 1] == y) return true;
    return false;
}

bool joc_mark_has(const joc_game *x, int i, int cell)
{
    if (!x->g->marks[i].cells) return false;
    for (int p = 0; p < x->g->player_count; p++) if (x->g->marks[i].cells[p * WORDS_MAX + cell / 64] >> (cell % 64) & 1) return true;
    return false;
}

int joc_game_dice(const joc_game *x) { return x->g->dice_count; }
const char *joc_dice_name(const joc_game *x, int d) { return x->g->dice[d].name; }
const char *joc_way_name(const joc_game *x, int d) { return d >= 0 && d < x->g->dir_count ? x->g->dirs[d].name : NULL; }
int joc_game_sets(const joc_game *x) { return x->g->named_set_count; }
const char *joc_set_name(const joc_game *x, int s) { return x->g->named_sets[s].name; }
bool joc_set_has(const joc_position *p, int s, int who, int c) { return p->game->g->named_sets[s].cells[who * WORDS_MAX + c / 64] >> (c % 64) & 1; }

/* ---- positions --------------------------------------------------------------------------------------------------------------------------------------------- */
static joc_position *position_new(const joc_game *x)
{
    joc_position *p = must(calloc(1, sizeof *p));
    p->game = x;
    p->v = vm_new(x->g);
    p->viewer = -1;
    return p;
}

joc_position *joc_empty(const joc_game *x)
{
    joc_position *p = position_new(x);
    x->g->machine->blank(p->v);
    x->g->machine->begin(p->v);
    return p;
}

static bool in_setup(const joc_position *p)
{
    const int64_t pc = p->v->head[H_RESUME];
    return pc && pc < p->game->g->turn_pc;
}

joc_position *joc_start(const joc_game *x, uint64_t seed)
{
    joc_position *p = position_new(x);
    vm *v = p->v;
    random_seed(v->random, seed);
    x->g->machine->blank(v);
    v->head[H_RESUME] = x->g->setup_pc;
    p->log_whole = true;
    for (int i = 0; i < 100000; i++) {
        state_kind k = x->g->machine->settle(v);
        if (k != STATE_CHANCE || !in_setup(p)) break;
        if (x->g->has_secrets) log_add(p, v->state, NULL, NULL);
        if (!x->g->machine->random(v, v->random)) break;
        if (p->log) p->log->resumed = v->head[H_RESUME];
    }
    p->settled = false;
    return p;
}

joc_position *joc_position_copy(const joc_position *from)
{
    joc_position *p = position_new(from->game);
    const game *g = from->game->g;
    memcpy(p->v->state, from->v->state, g->state_size);
    p->v->set = p->v->tables[p->v->head[H_MOVER]];
    const size_t n = (size_t)from->v->head[H_HISTORY];
    if (g->uses_history) {
        history_copy(&p->v->history, &from->v->history, n);
    }
    p->log = log_share(from->log);
    p->log_whole = from->log_whole;
    if (from->viewer < 0) return p;
    p->viewer = from->viewer;
    p->truth = joc_position_copy(from->truth);
    p->kind = from->kind;
    p->settled = true;
    return p;
}

void joc_position_free(joc_position *p)
{
    if (!p) return;
    log_drop(p->log);
    joc_position_free(p->truth);
    vm_free(p->v);
    free(p->kept);
    free(p);
}

const joc_game *joc_position_game(const joc_position *p) { return p->game; }

void position_settle(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    if (p->settled) return;
    p->kind = p->game->g->machine->settle(p->v);
    p->idle_turns = p->v->idle_turns;
    p->settled = true;
}

joc_state joc_state_of(const joc_position *p)
{
    position_settle(p);
    return p->kind == STATE_DECISION ? JOC_DECISION : p->kind == STATE_CHANCE ? JOC_CHANCE : p->kind == STATE_OVER ? JOC_OVER : JOC_STUCK;
}

joc_result joc_result_of(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const game *g = p->game->g;
    position_settle(p);
    const int64_t *h = p->v->head;
    joc_result r = { .outcome = h[H_OVER] == 0 ? JOC_RUNNING : h[H_OVER] == 1 ? JOC_WIN : JOC_DRAW, .winner = (int)h[H_WINNER], .scores = p->scores, .reason = "" };
    if (h[H_OVER] && g->score_pc) { r.scored = true; for (int i = 0; i < g->player_count; i++) p->scores[i] = p->v->num[g->score_first + i]; }
    if (h[H_REASON] > 0 && h[H_REASON] <= g->end_count) { const end_info *e = &g->ends[h[H_REASON] - 1]; r.reason = e->label && *e->label ? e->label : e->word; }
    else if (h[H_REASON] < 0 && -h[H_REASON] <= g->name_count) r.reason = g->names[-h[H_REASON] - 1];
    return r;
}

bool joc_standing(const joc_position *p_, int64_t *scores)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const game *g = p->game->g;
    const machine *m = g->machine;
    position_settle(p);
    if (!g->score_pc) return false;
    const int mover = (int)p->v->head[H_MOVER];
    if (!p->kept) p->kept = must(malloc(g->state_size));
    memcpy(p->kept, p->v->state, g->state_size);
    for (int i = 0; i < g->player_count; i++) {
        m->mover(p->v, i);
        m->run(p->v, g->score_pc);
        scores[i] = p->v->num[g->score];
    }
    memcpy(p->v->state, p->kept, g->state_size);
    m->mover(p->v, mover);
    return true;
}

int joc_mover(const joc_position *p) { position_settle(p); return (int)p->v->head[H_MOVER]; }
int joc_turns(const joc_position *p) { position_settle(p); return (int)p->v->head[H_TURNS]; }
bool joc_inside_turn(const joc_position *p) { position_settle(p); return p->v->head[H_RESUME] != 0; }
int joc_chance_dice(const joc_position *p)
{
    position_settle(p);
    const ins *i = &p->game->g->code[p->v->head[H_RESUME]];
    return p->kind == STATE_CHANCE && i->op == OP_ROLL ? i->a : -1;
}

uint64_t joc_position_hash(const joc_position *p) { position_settle(p); return p->game->g->machine->key(p->v); }

bool joc_position_equal(const joc_position *a, const joc_position *b)
{
    if (a->game->g != b->game->g) return false;
    char *x = joc_state_text(a), *y = joc_state_text(b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* The rule that the instruction belongs to: the innermost whose walk goes on there. NULL if it is the turn's own. */
static const char *rule_name_at(const game *g, uint32_t pc)
{
    for (uint32_t i = pc + 1; i-- > 0;) if (g->code[i].op == OP_RULE && g->code[i].e > (int32_t)pc) return g->names[g->code[i].d];
    return NULL;
}

const char *joc_fault(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const vm *v = p->v;
    const game *g = p->game->g;
    if (!v->fault || !v->fault_pc || v->fault_pc >= g->code_count) return v->fault;
    const char *name = rule_name_at(g, v->fault_pc), *part = v->fault_pc < g->turn_pc ? "the set-up" : v->fault_pc < g->finish_pc ? "the turn" : NULL;
    if (name) snprintf(p->fault, sizeof p->fault, "%s (in the rule '%s')", v->fault, name);
    else if (part) snprintf(p->fault, sizeof p->fault, "%s (in %s)", v->fault, part);
    else return v->fault;
    return p->fault;
}

static bool place_valid(const game *g, int place) { return place >= 0 && place < g->cells + g->zone_count; }

int joc_height(const joc_position *p, int place)
{
    const game *g = p->game->g;
    if (!place_valid(g, place)) return 0;
    if (place >= g->cells) {
        const zone *z = &g->zones[place - g->cells];
        int n = 0;
        for (int i = 0; i < z->slots; i++) n += p->v->at[z->first + i] != 0;
        return n;
    }
    if (!p->v->at[place]) return 0;
    return g->pile_max > 1 ? 1 + *(const uint16_t *)(const void *)((const char *)p->v->piles + (size_t)(place + 1) * g->pile_stride) : 1;
}

static int code_at(const joc_position *p, int place, int level)
{
    const game *g = p->game->g;
    const vm *v = p->v;
    if (!place_valid(g, place) || level < 0) return 0;
    if (place >= g->cells) {
        const zone *z = &g->zones[place - g->cells];
        for (int i = 0; i < z->slots; i++) if (v->at[z->first + i] && level-- == 0) return v->at[z->first + i];
        return 0;
    }
    if (level == 0) return v->at[place];
    if (g->pile_max <= 1) return 0;
    const char *u = (const char *)v->piles + (size_t)(place + 1) * g->pile_stride;
    const int count = *(const uint16_t *)(const void *)u;
    const size_t index = g->piles_alike ? 0 : (size_t)(count - level);
    return level <= count ? *(const uint16_t *)(const void *)(g->piece_keeps ? u + 8 + index * 16 : u + 2 + index * 2) : 0;
}

bool joc_piece(const joc_position *p, int place, int level, int *owner, int *k)
{
    const game *g = p->game->g;
    int code = code_at(p, place, level);
    if (!code) return false;
    *owner = (code - 1) / (g->kind_count + 1) - 1;
    *k = (code - 1) % (g->kind_count + 1);
    return true;
}

int64_t joc_piece_value(const joc_position *p, int place, int level, int k) { return p->game->g->machine->get_value(p->v, place, level, k); }

int64_t joc_keep_value(const joc_position *p, int index, int of)
{
    const game *g = p->game->g;
    const keep *k = &g->keeps[index];
    if (k->of == KEEP_GAME) return p->v->num[k->where];
    if (k->of == KEEP_PLAYER) return p->v->num[k->where + of];
    if (k->of == KEEP_PIECE) return joc_piece_value(p, of, 0, index);
    const int place = of;
    if (k->type == KEEP_FLAG) return p->v->set[k->where][place / 64] >> (place % 64) & 1;
    return p->v->arrays[(size_t)k->where * (size_t)g->places + (size_t)place] - (k->type == KEEP_NUMBER ? 0 : 1);
}

size_t joc_dice_values(const joc_position *p, int d, int *values, size_t cap)
{
    const game *g = p->game->g;
    const dice_info *x = &g->dice[d];
    if (!p->v->num[x->fixed]) return 0;
    if (!x->many) { if (cap) values[0] = (int)p->v->num[x->number]; return 1; }
    const int16_t *b = p->v->bags + (size_t)x->bag * (BAG_MAX + 1);
    for (int i = 0; i < b[0] && (size_t)i < cap; i++) values[i] = b[i + 1];
    return (size_t)b[0];
}

bool joc_set_dice(joc_position *p, int d, const int *values, size_t count)
{
    const dice_info *x = &p->game->g->dice[d];
    if (count == 0 || count > BAG_MAX) return false;
    if (!x->many) { if (count != 1) return false; p->v->num[x->number] = values[0]; }
    else {
        int16_t *b = p->v->bags + (size_t)x->bag * (BAG_MAX + 1);
        memset(b, 0, (BAG_MAX + 1) * sizeof *b);
        for (size_t i = 0; i < count; i++) {
            int j = ++b[0];
            for (; j > 1 && b[j - 1] < values[i]; j--) b[j] = b[j - 1];
            b[j] = (int16_t)values[i];
        }
    }
    p->v->num[x->fixed] = DICE_FIXED | DICE_THROWN;
    p->settled = false;
    return true;
}

void joc_set_mover(joc_position *p, int who) { p->game->g->machine->mover(p->v, who); p->settled = false; }
bool joc_put(joc_position *p, int place, int owner, int k) { p->settled = false; return place_valid(p->game->g, place) && k >= 0 && k < p->game->g->kind_count && p->game->g->machine->put(p->v, place, owner, k); }
void joc_clear(joc_position *p, int place) { p->settled = false; p->game->g->machine->clear(p->v, place); }
bool joc_set_piece_value(joc_position *p, int place, int level, int k, int64_t x) { p->settled = false; return p->game->g->machine->set_value(p->v, place, level, k, x); }

bool joc_set_keep(joc_position *p, int index, int of, int64_t x)
{
    const game *g = p->game->g;
    const keep *k = &g->keeps[index];
    p->settled = false;
    if (k->type == KEEP_NUMBER && (x < k->low || x > k->high)) return false;
    if (k->of == KEEP_PIECE) return joc_set_piece_value(p, of, 0, index, x);
    if (k->of == KEEP_GAME) { p->v->num[k->where] = x; return true; }
    if (k->of == KEEP_PLAYER) { if (of < 0 || of >= g->player_count) return false; p->v->num[k->where + of] = x; return true; }
    if (!place_valid(g, of)) return false;
    if (k->type == KEEP_FLAG) {
        uint64_t *w = &p->v->set[k->where][of / 64];
        *w = x ? *w | 1ull << (of % 64) : *w & ~(1ull << (of % 64));
    } else p->v->arrays[(size_t)k->where * (size_t)g->places + (size_t)of] = (int16_t)(k->type == KEEP_NUMBER ? x : x + 1);
    return true;
}

void joc_set_turns(joc_position *p, int n) { p->v->head[H_TURNS] = n; p->settled = false; }
bool joc_player_in(const joc_position *p, int who) { return !(p->v->head[H_OUT] >> who & 1); }

void joc_set_player_in(joc_position *p, int who, bool in)
{
    p->v->head[H_OUT] = in ? p->v->head[H_OUT] & ~(1ll << who) : p->v->head[H_OUT] | 1ll << who;
    p->settled = false;
}

static void log_forget(joc_position *p)
{
    log_drop(p->log);
    p->log = NULL;
    p->log_whole = false;
}

void joc_settle(joc_position *p)
{
    p->v->head[H_RESUME] = p->v->head[H_CHOSEN] = p->v->head[H_OVER] = 0;
    p->game->g->machine->begin(p->v);
    p->settled = false;
    log_forget(p);
}

/* ---- many games ---------------------------------------------------------------------------------------------------------------------------------------------- */
joc_random joc_random_seed(uint64_t seed) { joc_random r; random_seed(r.s, seed); return r; }
uint64_t joc_random_next(joc_random *r) { return random_next(r->s); }
uint64_t joc_random_below(joc_random *r, uint64_t n) { return random_below(r->s, n); }

/* The same with an entry in the log: by listing. */
static bool play_random_logged(joc_position *p, joc_random *r)
{
    joc_moves *list = joc_moves_of(p);
    const size_t n = joc_moves_count(list);
    uint64_t at = joc_state_of(p) == JOC_CHANCE && n ? random_below(r->s, joc_moves_weight(list)) : 0;
    size_t i = 0;
    if (joc_state_of(p) == JOC_CHANCE) while (i + 1 < n && at >= joc_move_weight(joc_moves_at(list, i))) at -= joc_move_weight(joc_moves_at(list, i++));
    else if (n) i = (size_t)random_below(r->s, n);
    if (n) joc_play(p, joc_moves_at(list, i));
    joc_moves_free(list);
    return n > 0;
}

bool joc_play_random(joc_position *p, joc_random *r)
{
    p->settled = false;
    if (p->game->g->has_secrets) return play_random_logged(p, r);
    const bool made = p->game->g->machine->random(p->v, r->s);
    p->game->g->machine->clean(p->v);
    return made;
}

uint64_t joc_playout(joc_position *p, joc_random *r, uint64_t cap)
{
    uint64_t n = 0;
    p->settled = false;
    log_forget(p);
    while (n < cap && p->game->g->machine->random(p->v, r->s)) n++;
    p->game->g->machine->clean(p->v);
    return n;
}

uint64_t joc_perft(const joc_position *p, int depth, joc_perft_how how, const volatile bool *stop)
{
    position_settle(p);
    if (depth > 0 && depth <= p->idle_turns) return 1;
    depth -= p->idle_turns;
    return p->game->g->machine->perft(p->v, depth, (count_how){ how.turns, how.paths, how.play_on, how.count_chance }, stop);
}

/* Was the step just made one of chance? Then the rules go on behind its instruction. */
static bool behind_chance(const vm *v)
{
    const int64_t pc = v->head[H_RESUME];
    return pc > 0 && v->g->code[pc - 1].op >= OP_ROLL && v->g->code[pc - 1].op <= OP_SHOWN;
}

/* Decisions are capped; of throws there may be many more, but not without end. */
static bool goes_on(uint64_t n, uint64_t throws, uint64_t cap) { return n - throws < cap && n / 64 < cap; }

void joc_playouts(const joc_game *x, uint64_t games, uint64_t seed, uint64_t cap, unsigned count_every, joc_tally *t, const volatile bool *stop)
{
    const game *g = x->g;
    const machine *m = g->machine;
    joc_position *p = position_new(x);
    vm *v = p->v;
    /* a set-up is made once up to its first chance or choice */
    uint8_t *start = NULL;
    m->blank(v);
    v->head[H_RESUME] = g->setup_pc;
    const state_kind first = m->settle(v);
    if ((!in_setup(p) || first == STATE_CHANCE) && v->head[H_TURNS] == 0 && !v->fault) {
        start = must(malloc(g->state_size));
        m->store(v, start);
    }
    vm_reset(v);
    for (uint64_t i = 0; i < games && !(stop && *stop); i++) {
        uint64_t random[4], n = 0, throws = 0;
        random_seed(random, seed + i);
        const bool counts = count_every && (seed + i) % count_every == 0;
        if (start) m->load(v, start);
        else { m->blank(v); v->head[H_RESUME] = g->setup_pc; }
        while (in_setup(p)) if (!m->random(v, random)) break;
        if (!counts) n = m->playout(v, random, cap, &throws);
        else for (; goes_on(n, throws, cap); n++) {
            const uint64_t choices = m->choices(v);
            t->choices += choices;
            t->counted += choices > 0;
            if (!m->random(v, random)) break;
            throws += g->has_chance && behind_chance(v);
        }
        state_kind k = v->head[H_OVER] ? STATE_OVER : goes_on(n, throws, cap) ? STATE_STUCK : STATE_DECISION;
        n -= throws;
        t->games++;
        t->decisions += n;
        t->decisions_square += (double)n * (double)n;
        t->turns += (uint64_t)v->head[H_TURNS];
        if (t->games == 1 || n < t->shortest) t->shortest = n;
        if (n > t->longest) t->longest = n;
        if (v->fault && !*t->fault) snprintf(t->fault, sizeof t->fault, "%s", joc_fault(p)), t->fault_seed = seed + i;
        if (k == STATE_STUCK) t->stuck++;
        else if (k == STATE_DECISION) t->unfinished++;
        else if (v->head[H_OVER] == 1) t->wins[v->head[H_WINNER]]++;
        else t->draws++;
        vm_reset(v);
    }
    free(start);
    joc_position_free(p);
}
