/* Every choice of options that a file allows compiles and plays, or is refused with the reason.
 *
 * For each game choices are made so that every pair of values of two options stands in one of them (the ends and the default of ranges, all
 * words, yes and no). Under each choice random games are played; now and then a position is written and read back, and every move is found
 * by its text, taken back, and made again with the same hash.
 *
 *     by default                  some choices of each game, short games: seconds
 *     JOC_COMPOSE=all             all pairs, 10 games of at most 500 decisions
 *     JOC_COMPOSE_ONLY=NAME       one game
 *     JOC_COMPOSE_SEED=N          other choices and games */
#include <dirent.h>
#include <time.h>
#include "tests/helper.h"

enum { OPTIONS_MOST = 64, VALUES_MOST = 12, GAMES_MOST = 400 };

#if defined(__SANITIZE_ADDRESS__)
enum { CHOICES_SOME = 1, GAMES_SOME = 1, CAP_SOME = 40 };
static const double SECONDS_SOME = 60;
#else
enum { CHOICES_SOME = 3, GAMES_SOME = 1, CAP_SOME = 60 };
static const double SECONDS_SOME = 20;
#endif
enum { GAMES_ALL = 10, CAP_ALL = 500, CHECKED_EACH = 9 };

typedef struct { const char *name; char *values[VALUES_MOST]; int count, standard; } choice_of;
typedef struct {
    const char *path;
    joc_rules *rules;
    choice_of options[OPTIONS_MOST];
    int count;
    bool *met;                          /* pairs: met, or refused as such */
    joc_random random;
    size_t choices, refused, games, checks;
} composer;

static bool whole;
static uint64_t seed_of_run = 1;
static char names[GAMES_MOST][300];
static double time_end;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- values --------------------------------------------------------------------------------------------------------------------------- */
static void value_add(choice_of *c, const char *value) {
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->values[i], value)) return;
    if (c->count < VALUES_MOST) c->values[c->count++] = text_copy(value);
}

static void number_add(choice_of *c, int64_t n) {
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)n);
    value_add(c, number);
}

static void option_add(composer *c, const joc_option *o) {
    choice_of *x = &c->options[c->count++];
    *x = (choice_of){ .name = o->name };
    value_add(x, o->standard);
    if (o->kind == JOC_YESNO) value_add(x, "yes"), value_add(x, "no");
    for (size_t i = 0; i < o->word_count; i++) value_add(x, o->words[i]);
    for (size_t i = 0; o->kind == JOC_RANGE && i < o->range_count; i++) number_add(x, o->ranges[2 * i]), number_add(x, o->ranges[2 * i + 1]);
}

/* ---- pairs ---------------------------------------------------------------------------------------------------------------------------- */
static bool *pair_met(const composer *c, int i, int a, int j, int b) {
    if (i > j) return pair_met(c, j, b, i, a);
    return &c->met[((i * VALUES_MOST + a) * OPTIONS_MOST + j) * VALUES_MOST + b];
}

/* How many new pairs option k with value v would make with those already chosen (-1: not yet). */
static int new_pairs(const composer *c, const int *chosen, int k, int v) {
    int n = 0;
    for (int i = 0; i < c->count; i++)
        if (i != k && chosen[i] >= 0) n += !*pair_met(c, i, chosen[i], k, v);
    return n;
}

static void fill(composer *c, int *chosen) {
    for (int k = 0; k < c->count; k++) {
        if (chosen[k] >= 0) continue;
        int best = 0, most = -1, from = (int)joc_random_below(&c->random, (uint64_t)c->options[k].count);
        for (int n = 0; n < c->options[k].count; n++) {
            int v = (from + n) % c->options[k].count, pairs = new_pairs(c, chosen, k, v);
            if (pairs > most) most = pairs, best = v;
        }
        chosen[k] = best;
    }
}

static void mark_met(composer *c, const int *chosen) {
    for (int i = 0; i < c->count; i++)
        for (int j = i; j < c->count; j++) *pair_met(c, i, chosen[i], j, chosen[j]) = true;     /* i = j: the value alone */
}

/* ---- playing -------------------------------------------------------------------------------------------------------------------------- */
static char *said(const composer *c, const int *chosen) {
    text t = { 0 };
    text_add(&t, c->path);
    for (int i = 0; i < c->count; i++)
        if (chosen[i]) text_format(&t, " -o %s=%s", c->options[i].name, c->options[i].values[chosen[i]]);
    return text_take(&t);
}

static void assert_read_back(const joc_position *p, const char *what) {
    char *written = joc_position_text(p);
    joc_messages *m = joc_messages_new();
    joc_position *back = joc_position_parse(joc_position_game(p), written, m);
    if (!back) fail_msg("%s: '%s' cannot be read: %s", what, written, joc_messages_at(m, 0).text);
    char *again = joc_position_text(back);
    if (strcmp(written, again)) fail_msg("%s: '%s' reads as '%s'", what, written, again);
    if (joc_position_hash(p) != joc_position_hash(back)) fail_msg("%s: '%s' reads as a position with another hash", what, written);
    free(written), free(again);
    joc_position_free(back);
    joc_messages_free(m);
}

/* Makes the move on a copy too, and finds it by its text. */
static void assert_repeatable(const joc_position *p, const joc_moves *list, const joc_move *move, const char *what) {
    joc_position *a = joc_position_copy(p), *b = joc_position_copy(p);
    char *before = joc_state_text(p), *why = NULL;
    joc_play(a, move);
    char *after = joc_state_text(p);
    if (strcmp(before, after)) fail_msg("%s: '%s' changed the position it was not made in", what, joc_move_text(move));
    joc_play(b, move);
    if (joc_position_hash(a) != joc_position_hash(b) || !joc_position_equal(a, b)) fail_msg("%s: '%s' made twice leads to two positions", what, joc_move_text(move));
    if (joc_state_of(p) == JOC_DECISION && joc_moves_find(list, joc_move_text(move), &why) != move) fail_msg("%s: '%s' is not found by its text: %s", what, joc_move_text(move), why ? why : "");
    free(before), free(after), free(why);
    joc_position_free(a), joc_position_free(b);
}

static bool checked_ply(composer *c, joc_position *p, const char *what) {
    joc_moves *list = joc_moves_of(p);
    size_t count = joc_moves_count(list);
    if (!count) fail_msg("%s: no moves in '%s'", what, joc_fault(p) ? joc_fault(p) : "");
    const joc_move *move = joc_moves_at(list, joc_random_below(&c->random, count));
    if (joc_state_of(p) == JOC_DECISION && !joc_inside_turn(p)) assert_read_back(p, what);
    assert_repeatable(p, list, move, what);
    joc_play(p, move);
    joc_moves_free(list);
    c->checks++;
    return true;
}

static void play(composer *c, const joc_game *g, uint64_t seed, const char *what) {
    joc_position *p = joc_start(g, seed);
    for (int ply = 0; ply < (whole ? CAP_ALL : CAP_SOME); ply++) {
        joc_state state = joc_state_of(p);
        if (state == JOC_STUCK && joc_fault(p)) fail_msg("%s: %s", what, joc_fault(p));
        if (state == JOC_OVER || state == JOC_STUCK) break;
        if (ply % CHECKED_EACH == (int)(seed % CHECKED_EACH) ? !checked_ply(c, p, what) : !joc_play_random(p, &c->random)) break;
    }
    if (joc_fault(p)) fail_msg("%s: %s", what, joc_fault(p));
    joc_position_free(p);
    c->games++;
}

typedef enum { PLAYED, REFUSED } outcome;

static outcome compose(composer *c, const int *chosen) {
    joc_setting settings[OPTIONS_MOST];
    for (int i = 0; i < c->count; i++) settings[i] = (joc_setting){ c->options[i].name, c->options[i].values[chosen[i]] };
    char *what = said(c, chosen);
    joc_messages *m = joc_messages_new();
    joc_game *g = joc_compile(c->rules, settings, (size_t)c->count, 0, m);
    outcome out = g ? PLAYED : REFUSED;
    for (size_t i = 0; !g && i < joc_messages_count(m); i++) {
        joc_message x = joc_messages_at(m, i);
        if (x.severity == 'E' && strcmp(x.code, "E0324") && strcmp(x.code, "E0325")) fail_msg("%s: neither compiled nor refused: %s", what, x.text);
    }
    for (int n = 0; g && n < (whole ? GAMES_ALL : GAMES_SOME); n++) play(c, g, seed_of_run * 1000 + (uint64_t)n, what);
    joc_game_free(g);
    joc_messages_free(m);
    free(what);
    c->choices++;
    c->refused += out == REFUSED;
    return out;
}

/* A choice with this pair and as many other new pairs as fit; if the file refuses it, the pair among defaults. */
static void compose_pair(composer *c, int i, int a, int j, int b) {
    int chosen[OPTIONS_MOST], plain[OPTIONS_MOST] = { 0 };
    for (int k = 0; k < c->count; k++) chosen[k] = -1;
    chosen[i] = plain[i] = a;
    chosen[j] = plain[j] = b;
    fill(c, chosen);
    if (compose(c, chosen) == PLAYED) mark_met(c, chosen);
    else if (compose(c, plain) == PLAYED) mark_met(c, plain);
    *pair_met(c, i, a, j, b) = true;
}

/* A pair not met yet, looked for from a random one on; false if all are met. */
static bool next_pair(composer *c, int *i, int *a, int *j, int *b) {
    int start = c->count ? (int)joc_random_below(&c->random, (uint64_t)c->count) : 0;
    for (int n = 0; n < c->count; n++)
        for (*i = (start + n) % c->count, *j = *i; *j < c->count; (*j)++)
            for (*a = 0; *a < c->options[*i].count; (*a)++)
                for (*b = *i == *j ? *a : 0; *b < c->options[*j].count && (*i != *j || *b == *a); (*b)++)
                    if (!*pair_met(c, *i, *a, *j, *b)) return true;
    return false;
}

static void test_every_pair_of_options_plays_or_is_refused(void **state) {
    char path[100];
    snprintf(path, sizeof path, "games/%s.joc", (const char *)*state);
    composer c = { .path = path, .random = joc_random_seed(seed_of_run) };
    joc_messages *m = joc_messages_new();
    c.rules = joc_rules_load(path, m);
    assert_non_null(c.rules);
    assert_true(joc_rules_options(c.rules) <= OPTIONS_MOST);
    for (size_t i = 0; i < joc_rules_options(c.rules); i++) {
        joc_option o = joc_rules_option(c.rules, i);
        option_add(&c, &o);
    }
    c.met = memory_of((size_t)OPTIONS_MOST * VALUES_MOST * OPTIONS_MOST * VALUES_MOST, sizeof *c.met);
    int i, j, a, b, standard[OPTIONS_MOST] = { 0 };
    assert_true(compose(&c, standard) == PLAYED);
    mark_met(&c, standard);
    while ((whole || (c.choices < CHOICES_SOME && seconds_now() < time_end)) && next_pair(&c, &i, &a, &j, &b)) compose_pair(&c, i, a, j, b);
    if (whole) print_message("# %s: %zu choices, %zu refused, %zu games, %zu positions checked\n", path, c.choices, c.refused, c.games, c.checks);
    for (int k = 0; k < c.count; k++)
        for (int v = 0; v < c.options[k].count; v++) free(c.options[k].values[v]);
    free(c.met);
    joc_rules_free(c.rules);
    joc_messages_free(m);
}

int main(void) {
    static struct CMUnitTest tests[GAMES_MOST];
    const char *only = getenv("JOC_COMPOSE_ONLY"), *all = getenv("JOC_COMPOSE"), *seed = getenv("JOC_COMPOSE_SEED");
    size_t count = 0;
    DIR *folder = opendir("games");
    whole = all && !strcmp(all, "all");
    if (seed) seed_of_run = strtoull(seed, NULL, 10);
    time_end = seconds_now() + SECONDS_SOME;
    for (struct dirent *e; folder && count < GAMES_MOST && (e = readdir(folder));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".joc")) continue;
        *dot = 0;
        if (only && strcmp(only, e->d_name)) continue;
        snprintf(names[count], sizeof names[count], "%s", e->d_name);
        tests[count] = (struct CMUnitTest){ names[count], test_every_pair_of_options_plays_or_is_refused, NULL, NULL, names[count] };
        count++;
    }
    if (folder) closedir(folder);
    return _cmocka_run_group_tests("composition", tests, count, NULL, NULL);
}
