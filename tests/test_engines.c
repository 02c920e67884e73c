/* Two engines play the same random games: libjoc and the plain evaluator, which share nothing but the syntax tree.
 *
 * Every rule file of games/ is a test for its default options, and one for a sample of other options; so are those of tests/small/,
 * small games with forms that no other has, whose moves both must write alike. At each ply both must say the
 * same of what there is to decide: its kind, how many moves or outcomes there are and how likely, the positions they lead to (state
 * texts, docs/internals.md), the result. Each text of a move must be read back as that move by both. Where there are many moves,
 * only some are followed; one of them is played in both. On the way the library alone is asked for what it promises of copies,
 * hashes and position texts.
 *
 *     JOC_ENGINES=more            longer: SECONDS_MORE a test
 *     JOC_ENGINES_SECONDS=N       seconds a test
 *     JOC_ENGINES_ONLY=NAME       one game
 *     JOC_ENGINES_SEED=N          another sample */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "interp/inside.h"
#include "tests/plain/plain.h"

enum { FILES_MAX = 400, SETTINGS_MAX = 24, PLIES_MAX = 400, FAULTS_SHOWN = 4, CHILDREN_MAX = 12, CHILDREN_LONG = 400 };
static const double SECONDS_CI = 0.3, SECONDS_MORE = 20;

typedef struct {
    char name[300], path[200];
    int sample;                 /* 0: default options */
    bool small;                 /* of tests/small/: moves are written alike, too */
    joc_setting settings[SETTINGS_MAX];
    plain_setting plain_settings[SETTINGS_MAX];
    char values[SETTINGS_MAX][64];
    char names[SETTINGS_MAX][64];
    size_t setting_count;
    int players;
    joc_rules *rules;
    joc_game *game;
    tree *tree;
    diagnostics *diagnostics;
    plain_game *plain;
    joc_messages *messages;
    size_t faults;
    uint64_t random;
    long plies, games, checks;
} match;

/* The same moment in both engines. */
typedef struct { joc_position *ours; plain_position *theirs; } moment;

static match matches[FILES_MAX];
static double seconds_each;
static uint64_t seed_of_run = 1;
static long all_plies, all_children;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t draw(match *m) {
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    return m->random ^= m->random << 17;
}

static void differ(match *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void differ(match *m, const char *format, ...) {
    char words[2500];
    va_list list;
    if (m->faults++ >= FAULTS_SHOWN) return;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    print_message("%s: %s\n", m->name, words);
}

/* ---- what a position is, in words -------------------------------------------------------------------------------------------------------- */
static const char *const kinds[] = { "decision", "chance", "over", "stuck" };

static char *result_ours(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    const joc_result r = joc_result_of(p);
    char words[600];
    int n = 0;
    if (r.outcome == JOC_RUNNING) n = snprintf(words, sizeof words, "running");
    else if (r.outcome == JOC_DRAW) n = snprintf(words, sizeof words, "draw");
    else n = snprintf(words, sizeof words, "win %s", joc_game_player(g, r.winner));
    for (int i = 0; r.outcome != JOC_RUNNING && r.scored && i < joc_game_players(g); i++)
        n += snprintf(words + n, sizeof words - (size_t)n, i ? ",%lld" : " score %lld", (long long)r.scores[i]);
    return strdup(words);
}

/* State and result; malloc'd. */
static char *said_ours(joc_position *p) {
    char *state = joc_state_text(p), *result = result_ours(p), *all = NULL;
    if (asprintf(&all, "%s %s | %s", kinds[joc_state_of(p)], state, result) < 0) abort();
    free(state);
    free(result);
    return all;
}

static char *said_theirs(match *m, plain_position *p) {
    const plain_kind kind = plain_look(p);
    const char *error = kind == PLAIN_STUCK ? plain_error(m->plain) : NULL;
    if (error) {
        differ(m, "the plain evaluator fails: %s", error);
        return strdup("fails");
    }
    char *state = plain_state_text(p), *result = plain_result_text(p), *all = NULL;
    if (asprintf(&all, "%s %s | %s", kinds[kind], state, result) < 0) abort();
    free(state);
    free(result);
    return all;
}

/* ---- what the library promises ------------------------------------------------------------------------------------------------------------ */
static void check_copy(match *m, const joc_position *p, const joc_moves *list, size_t i) {
    char *before = joc_state_text(p), *after;
    joc_position *copy = joc_position_copy(p);
    m->checks++;
    if (joc_position_hash(copy) != joc_position_hash(p) || !joc_position_equal(copy, p)) differ(m, "a copy is not equal: %s", before);
    joc_play(copy, joc_moves_at(list, i));
    joc_state_of(copy);
    joc_position_free(copy);
    after = joc_state_text(p);
    if (strcmp(before, after)) differ(m, "playing on a copy changes the original:\n  %s\n  %s", before, after);
    free(before);
    free(after);
}

/* Between turns a position is all in its text. */
static void check_text(match *m, const joc_position *p) {
    joc_messages *messages = joc_messages_new();
    char *text = joc_position_text(p), *state = joc_state_text(p), *again = NULL;
    joc_position *read = joc_position_parse(m->game, text, messages);
    m->checks++;
    if (!read) {
        char *why = joc_messages_text(messages, false);
        differ(m, "a position's text is not read back: %s\n  %s", text, why);
        free(why);
    } else {
        again = joc_state_text(read);
        /* passes and extra are of the game's past, which a position's text does not tell */
        const char *x = strstr(state, " out="), *y = strstr(again, " out=");
        if (strstr(state, "passes=0 extra=0") && strcmp(state, again)) differ(m, "read back from '%s':\n  %s\n  %s", text, state, again);
        else if (strcmp(x ? x : "", y ? y : "")) differ(m, "read back from '%s':\n  %s\n  %s", text, state, again);
        else if (strstr(state, "passes=0 extra=0") && joc_position_hash(read) != joc_position_hash(p)) differ(m, "another hash, read back from '%s'", text);
    }
    joc_position_free(read);
    joc_messages_free(messages);
    free(text);
    free(state);
    free(again);
}

static void check_found(match *m, const joc_moves *list, size_t i) {
    const char *text = joc_move_text(joc_moves_at(list, i));
    char *why = NULL;
    const joc_move *found = joc_moves_find(list, text, &why);
    if (found != joc_moves_at(list, i)) differ(m, "'%s' is not found again: %s", text, why ? why : "another move is");
    free(why);
}

/* ---- one ply ------------------------------------------------------------------------------------------------------------------------------------ */
typedef struct { char *said; const char *text; size_t index; uint64_t weight; } child;

static int by_saying(const void *a, const void *b) {
    const child *x = a, *y = b;
    int c = strcmp(x->said, y->said);
    return c ? c : strcmp(x->text, y->text);
}

static void children_free(child *c, size_t n) {
    for (size_t i = 0; i < n; i++) free(c[i].said);
    free(c);
}

static child ours_after(const joc_position *p, const joc_moves *list, size_t i) {
    joc_position *copy = joc_position_copy(p);
    joc_play(copy, joc_moves_at(list, i));
    child c = { said_ours(copy), joc_move_text(joc_moves_at(list, i)), i, joc_move_weight(joc_moves_at(list, i)) };
    joc_position_free(copy);
    return c;
}

static child theirs_after(match *m, plain_node *n, size_t i) {
    return (child){ said_theirs(m, n->outcomes[i].after), n->outcomes[i].text, i, n->outcomes[i].weight };
}

static uint64_t total(const child *c, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += c[i].weight;
    return sum;
}

/* Where two sorted lists differ: what only one of them has. */
static void tell_difference(match *m, const child *a, size_t n, const child *b, size_t k, const char *where) {
    size_t i = 0, j = 0, told = 0;
    while ((i < n || j < k) && told < 4) {
        int c = i == n ? 1 : j == k ? -1 : strcmp(a[i].said, b[j].said);
        if (c < 0) differ(m, "only in the library: '%s' to\n  %s\nfrom\n  %s", a[i].text, a[i].said, where), told++;
        if (c > 0) differ(m, "only in the plain one: '%s' to\n  %s\nfrom\n  %s", b[j].text, b[j].said, where), told++;
        if (c <= 0) i++;
        if (c >= 0) j++;
    }
}

/* All moves of both lead to the same positions; gives the partner of the library's move `pick` (or -1). */
static long match_all(match *m, const joc_position *p, const joc_moves *list, plain_node *n, size_t pick, const char *where) {
    const size_t ours = joc_moves_count(list);
    const bool chance = n->kind == PLAIN_CHANCE;
    child *a = calloc(ours + 1, sizeof *a), *b = calloc(n->count + 1, sizeof *b);
    if (!a || !b) abort();
    for (size_t i = 0; i < ours; i++) a[i] = ours_after(p, list, i);
    for (size_t i = 0; i < n->count; i++) b[i] = theirs_after(m, n, i);
    const uint64_t all_a = total(a, ours), all_b = total(b, n->count);
    qsort(a, ours, sizeof *a, by_saying);
    qsort(b, n->count, sizeof *b, by_saying);
    bool same = ours == n->count;
    for (size_t i = 0; same && i < ours; i++) same = !strcmp(a[i].said, b[i].said);
    long partner = -1;
    if (!same) tell_difference(m, a, ours, b, n->count, where);
    for (size_t i = 0, j; same && i < ours; i = j) {
        /* moves i .. j - 1 lead to what reads the same */
        for (j = i + 1; j < ours && !strcmp(a[j].said, a[i].said);) j++;
        const uint64_t weight_a = total(a + i, j - i), weight_b = total(b + i, j - i);
        if (chance && (__uint128_t)weight_a * all_b != (__uint128_t)weight_b * all_a)
            differ(m, "'%s' has weight %llu of %llu, the plain one's %llu of %llu", a[i].text, (unsigned long long)weight_a, (unsigned long long)all_a, (unsigned long long)weight_b, (unsigned long long)all_b);
        for (size_t x = i; x < j; x++) {
            bool fits = chance;
            for (size_t y = i; y < j && !fits; y++) fits = plain_fits(n, b[y].index, a[x].text);
            if (!chance && m->small && j == i + 1 && strcmp(a[x].text, b[x].text)) differ(m, "'%s' is '%s' in the plain evaluator", a[x].text, b[x].text);
            if (!fits) differ(m, "the plain evaluator does not read '%s' as what it calls '%s', at\n  %s", a[x].text, b[x].text, where);
            if (a[x].index == pick) partner = (long)b[x].index;
        }
    }
    children_free(a, ours);
    children_free(b, n->count);
    all_children += (long)ours;
    return partner;
}

/* Only one move is followed: the plain evaluator finds it by its text, and an outcome of chance by what it leads to. */
static long match_one(match *m, const joc_position *p, const joc_moves *list, plain_node *n, size_t pick, const char *where) {
    child a = ours_after(p, list, pick), b = { 0 };
    int partner = n->kind == PLAIN_DECISION ? plain_find(n, a.text) : -1;
    if (partner >= 0) b = theirs_after(m, n, (size_t)partner);
    for (size_t i = 0; n->kind == PLAIN_CHANCE && partner < 0 && i < n->count; i++) {
        free(b.said);
        b = theirs_after(m, n, i);
        if (!strcmp(a.said, b.said)) partner = (int)i;
    }
    const bool same = partner >= 0 && !strcmp(a.said, b.said);
    free(a.said);
    free(b.said);
    all_children++;
    return same ? partner : match_all(m, p, list, n, pick, where);
}

static bool same_moment(match *m, moment *t, plain_node *n, char **where) {
    const joc_state state = joc_state_of(t->ours);
    const char *fault = joc_fault(t->ours);
    char *ours, *theirs;
    if (fault) { differ(m, "the library gives up: %s", fault); return *where = NULL, false; }
    if (!n) { differ(m, "the plain evaluator fails: %s", plain_error(m->plain)); return *where = NULL, false; }
    ours = joc_state_text(t->ours);
    theirs = plain_state_text(t->theirs);
    char *x = result_ours(t->ours), *y = plain_result_text(t->theirs);
    bool same = (int)state == (int)n->kind && !strcmp(ours, theirs) && !strcmp(x, y);
    if (!same) differ(m, "%s, %s:\n  %s\n%s, %s:\n  %s", kinds[state], x, ours, kinds[n->kind], y, theirs);
    free(x);
    free(y);
    free(theirs);
    *where = ours;
    return same;
}

/* False when the game is over or the engines differ. */
static bool ply(match *m, moment *t, double end) {
    const double begun = now();
    plain_node *n = plain_expand(t->theirs);
    const double each = now() - begun;
    char *where;
    bool going = false;
    if (same_moment(m, t, n, &where) && n->count) {
        joc_moves *list = joc_moves_of(t->ours);
        const size_t count = joc_moves_count(list), pick = (size_t)(draw(m) % (count ? count : 1));
        if (count != n->count) {
            differ(m, "%zu moves, in the plain evaluator %zu", count, n->count);
            match_all(m, t->ours, list, n, pick, where);
        } else {
            const bool time = each * (double)count < (end - now()) / 4, all = time && (count <= CHILDREN_MAX || (count <= CHILDREN_LONG && draw(m) % 4 == 0));
            const long partner = all ? match_all(m, t->ours, list, n, pick, where) : match_one(m, t->ours, list, n, pick, where);
            if (n->kind == PLAIN_DECISION) check_found(m, list, pick);
            check_copy(m, t->ours, list, pick);
            if (!joc_inside_turn(t->ours) && joc_state_of(t->ours) != JOC_OVER) check_text(m, t->ours);
            if (partner >= 0 && !m->faults) {
                joc_play(t->ours, joc_moves_at(list, pick));
                plain_position *next = n->outcomes[partner].after;
                n->outcomes[partner].after = NULL;
                plain_free(t->theirs);
                t->theirs = next;
                going = true;
                m->plies++;
            }
        }
        joc_moves_free(list);
    }
    free(where);
    plain_node_free(n);
    return going;
}

/* ---- games --------------------------------------------------------------------------------------------------------------------------------------- */
/* Does the set-up go on? */
static bool in_setup(const joc_position *p) { return joc_inside_turn(p) && p->v->head[H_RESUME] < (int64_t)p->game->g->turn_pc; }

/* A state text cannot stand for a decision inside the set-up: behind chance there the library alone makes what is left of them. */
static void finish_setup(match *m, joc_position *p) {
    for (int i = 0; i < 100 && in_setup(p) && joc_state_of(p) != JOC_OVER; i++) {
        joc_moves *list = joc_moves_of(p);
        const size_t count = joc_moves_count(list);
        if (count) joc_play(p, joc_moves_at(list, (size_t)(draw(m) % count)));
        joc_moves_free(list);
        if (!count) return;
    }
}

static bool begin(match *m, moment *t, uint64_t seed) {
    *t = (moment){ joc_start(m->game, seed), plain_start(m->plain, 1) };
    if (!t->theirs) {
        differ(m, "the plain evaluator has no start: %s", plain_error(m->plain));
        return false;
    }
    char *ours = joc_state_text(t->ours), *theirs = plain_state_text(t->theirs);
    if (strcmp(ours, theirs)) {                 /* chance in the set-up */
        finish_setup(m, t->ours);
        free(ours);
        ours = joc_state_text(t->ours);
        plain_position *read = plain_read(m->plain, ours);
        if (!read) differ(m, "the plain evaluator does not read '%s': %s", ours, plain_error(m->plain));
        plain_free(t->theirs);
        t->theirs = read;
    }
    free(ours);
    free(theirs);
    return t->theirs != NULL;
}

static void end_moment(moment *t) {
    joc_position_free(t->ours);
    plain_free(t->theirs);
}

static void choose_settings(match *m) {
    for (size_t i = 0; m->sample && i < joc_rules_options(m->rules) && m->setting_count < SETTINGS_MAX; i++) {
        const joc_option o = joc_rules_option(m->rules, i);
        char *to = m->values[m->setting_count];
        const size_t size = sizeof m->values[0];
        if (draw(m) % 2) continue;
        if (o.kind == JOC_YESNO) snprintf(to, size, "%s", strcmp(o.standard, "yes") ? "yes" : "no");
        else if (o.kind == JOC_WORDS) snprintf(to, size, "%s", o.words[draw(m) % o.word_count]);
        else {
            /* small numbers are sizes as often as not: near the default, and not so large that a game never ends */
            const int64_t standard = strtoll(o.standard, NULL, 10), low = o.low > standard - 3 ? o.low : standard - 3, high = o.high < standard + 2 ? o.high : standard + 2;
            snprintf(to, size, "%lld", (long long)(low + (int64_t)(draw(m) % (uint64_t)(high - low + 1))));
        }
        snprintf(m->names[m->setting_count], sizeof m->names[0], "%s", o.name);
        m->settings[m->setting_count] = (joc_setting){ m->names[m->setting_count], to };
        m->plain_settings[m->setting_count] = (plain_setting){ m->names[m->setting_count], to };
        m->setting_count++;
    }
    int least, most;
    joc_rules_players(m->rules, &least, &most);
    m->players = m->sample && most > least ? least + (int)(draw(m) % (uint64_t)(most - least + 1)) : 0;
    size_t n = strlen(m->name);
    for (size_t i = 0; i < m->setting_count; i++) n += (size_t)snprintf(m->name + n, n < sizeof m->name ? sizeof m->name - n : 0, " %s=%s", m->settings[i].name, m->settings[i].value);
}

/* Does the file refuse this choice of options (and nothing else is wrong)? */
static bool refused(const joc_messages *m) {
    bool only = joc_messages_errors(m) > 0;
    for (size_t i = 0; i < joc_messages_count(m); i++) {
        const joc_message x = joc_messages_at(m, i);
        only = only && (x.severity != 'E' || !strcmp(x.code, "E0324") || !strcmp(x.code, "E0325"));
    }
    return only;
}

/* A choice that the file refuses is refused by both; settings are given up until one is allowed. */
static void settle_settings(match *m, const char *const *folders) {
    for (; m->setting_count; m->setting_count--) {
        joc_messages *said = joc_messages_new();
        joc_game *ours = joc_compile(m->rules, m->settings, m->setting_count, m->players, said);
        const bool no = !ours && refused(said);
        joc_game_free(ours);
        joc_messages_free(said);
        if (!no) return;
        char *why = NULL;
        diagnostics *d = diag_new();
        tree *t = tree_load(m->path, folders, d);
        plain_game *plain = t ? plain_open(t, m->plain_settings, m->setting_count, m->players, &why) : NULL;
        if (plain) differ(m, "the plain evaluator opens what is refused");
        plain_close(plain);
        free(why);
        if (t) tree_free(t);
        diag_free(d);
    }
}

static bool open_both(match *m) {
    static const char *const folders[] = { "games", NULL };
    char *why = NULL;
    m->messages = joc_messages_new();
    m->rules = joc_rules_load(m->path, m->messages);
    if (m->rules) choose_settings(m);
    if (m->rules) settle_settings(m, folders);
    m->game = m->rules ? joc_compile(m->rules, m->settings, m->setting_count, m->players, m->messages) : NULL;
    if (!m->game) {
        why = joc_messages_text(m->messages, false);
        differ(m, "not compiled: %s", why);
        free(why);
        return false;
    }
    m->diagnostics = diag_new();
    m->tree = tree_load(m->path, folders, m->diagnostics);
    m->plain = m->tree ? plain_open(m->tree, m->plain_settings, m->setting_count, m->players, &why) : NULL;
    if (!m->plain) differ(m, "the plain evaluator does not open it: %s", why ? why : "?");
    free(why);
    return m->plain != NULL;
}

static void close_both(match *m) {
    plain_close(m->plain);
    if (m->tree) tree_free(m->tree);
    if (m->diagnostics) diag_free(m->diagnostics);
    joc_game_free(m->game);
    joc_rules_free(m->rules);
    joc_messages_free(m->messages);
}

static void test_both_engines_agree(void **state) {
    match *m = *state;
    const double end = now() + seconds_each;
    m->random = (seed_of_run + 1) * 0x9E3779B97F4A7C15u ^ ((uint64_t)m->sample << 32);
    for (const char *c = m->path; *c; c++) m->random = (m->random ^ (unsigned char)*c) * 0x100000001B3u;
    if (!m->random) m->random = 1;
    if (open_both(m))
        do {
            moment t;
            uint64_t seed = seed_of_run * 1000 + (uint64_t)m->games;
            if (begin(m, &t, seed))
                for (int i = 0; i < PLIES_MAX && ply(m, &t, end) && (now() < end || i < 2);) i++;
            end_moment(&t);
            m->games++;
            if (m->faults) differ(m, "in game %ld, seed %llu", m->games, (unsigned long long)seed);
        } while (now() < end && !m->faults);
    all_plies += m->plies;
    close_both(m);
    assert_int_equal(m->faults, 0);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The rule files of a folder, each with its default options and with others. How many matches there are then. */
static size_t find_matches(const char *path, const char *only, size_t count) {
    char *names[FILES_MAX];
    size_t n = 0;
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && n < FILES_MAX / 2 - 20 && (e = readdir(folder)) != NULL;) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".joc")) continue;
        *dot = '\0';
        if (!only || !strcmp(only, e->d_name)) names[n++] = strdup(e->d_name);
    }
    if (folder) closedir(folder);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        for (int sample = 0; sample < 2; sample++) {
            match *m = &matches[count++];
            m->sample = sample;
            m->small = !strcmp(path, "tests/small");
            snprintf(m->path, sizeof m->path, "%s/%s.joc", path, names[i]);
            snprintf(m->name, sizeof m->name, "%s%s", names[i], sample ? ", other options:" : "");
        }
        free(names[i]);
    }
    return count;
}

int main(void) {
    const char *more = getenv("JOC_ENGINES"), *seconds = getenv("JOC_ENGINES_SECONDS"), *seed = getenv("JOC_ENGINES_SEED");
    static struct CMUnitTest tests[FILES_MAX];
    seconds_each = seconds ? strtod(seconds, NULL) : more && !strcmp(more, "more") ? SECONDS_MORE : SECONDS_CI;
    if (seed) seed_of_run = strtoull(seed, NULL, 10);
    const size_t games = find_matches("games", getenv("JOC_ENGINES_ONLY"), 0), count = find_matches("tests/small", getenv("JOC_ENGINES_ONLY"), games);
    for (size_t i = 0; i < count; i++) tests[i] = (struct CMUnitTest){ matches[i].name, test_both_engines_agree, NULL, NULL, &matches[i] };
    const int failed = _cmocka_run_group_tests("two engines", tests, count, NULL, NULL);
    printf("# %ld plies, %ld moves followed\n", all_plies, all_children);
    return failed;
}
