/* A game's own machine plays as the interpreter does: the same random games, the same moves at every ply, the same counts. And what becomes of
 * compilers that fail, of what is kept, and of tables that are not the game's.
 *
 * Compiling takes seconds a game, so each run takes a sample that changes from day to day; JOC_NATIVE_GAMES=all takes every game, or those
 * that it names (go,chess). Without a C compiler there is nothing to test. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include "tests/helper.h"
#include "interp/inside.h"
#include "interp/native/native.h"

enum { GAMES_MAX = 300, SAMPLE = 9, PLAYOUTS = 24, PLIES_MAX = 1500, WALK_PLIES = 50, PERFT_NODES = 3000 };

static char *cache;                 /* a folder for all of this suite */
static bool have_compiler;

static int set_up(void **state) {
    (void)state;
    char *why = NULL;
    cache = text_copy("/tmp/joc-test-native-XXXXXX");
    assert_non_null(mkdtemp(cache));
    setenv("XDG_CACHE_HOME", cache, 1);
    joc_game *g = game_named("tic-tac-toe", NULL);
    have_compiler = joc_native(g, &why);
    if (!have_compiler) print_message("%s\n", why);
    joc_game_free(g);
    free(why);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    removed("-r", cache);
    free(cache);
    return 0;
}

#define NEEDS_COMPILER() do { (void)state; if (!have_compiler) { skip(); return; } } while (0)

/* ---- the same game -------------------------------------------------------------------------------------------------------------------- */
static void compare_playouts(const char *name, const joc_game *plain, const joc_game *own) {
    joc_tally a = { 0 }, b = { 0 };
    joc_playouts(plain, PLAYOUTS, 7, PLIES_MAX, 4, &a, NULL);
    joc_playouts(own, PLAYOUTS, 7, PLIES_MAX, 4, &b, NULL);
    if (memcmp(&a, &b, sizeof a))
        fail_msg("%s: %llu decisions, %llu turns, %llu choices, %llu wins of the first; compiled %llu, %llu, %llu, %llu", name, (unsigned long long)a.decisions, (unsigned long long)a.turns, (unsigned long long)a.choices,
                 (unsigned long long)a.wins[0], (unsigned long long)b.decisions, (unsigned long long)b.turns, (unsigned long long)b.choices, (unsigned long long)b.wins[0]);
}

static void compare_counts(const char *name, const joc_game *plain, const joc_game *own) {
    joc_position *p = joc_start(plain, 1), *q = joc_start(own, 1);
    for (int depth = 1; depth < 5; depth++) {
        const uint64_t a = joc_perft(p, depth, (joc_perft_how){ 0 }, NULL), b = joc_perft(q, depth, (joc_perft_how){ 0 }, NULL);
        if (a != b) fail_msg("%s: perft %d is %llu, compiled %llu", name, depth, (unsigned long long)a, (unsigned long long)b);
        const joc_perft_how paths = { .paths = true };
        if (a < PERFT_NODES) assert_int_equal(joc_perft(p, depth, paths, NULL), joc_perft(q, depth, paths, NULL));
        if (a > PERFT_NODES) break;
    }
    joc_position_free(p);
    joc_position_free(q);
}

static void compare_lists(const char *name, int ply, joc_moves *a, joc_moves *b) {
    if (joc_moves_count(a) != joc_moves_count(b)) fail_msg("%s, ply %d: %zu moves, compiled %zu", name, ply, joc_moves_count(a), joc_moves_count(b));
    for (size_t i = 0; i < joc_moves_count(a); i++) {
        assert_int_equal(joc_move_weight(joc_moves_at(a, i)), joc_move_weight(joc_moves_at(b, i)));
        assert_string_equal(joc_move_text(joc_moves_at(a, i)), joc_move_text(joc_moves_at(b, i)));
    }
}

static void compare_positions(const char *name, int ply, const joc_position *p, const joc_position *q) {
    char *a = joc_state_text(p), *b = joc_state_text(q);
    if (strcmp(a, b)) fail_msg("%s, ply %d: %s\ncompiled: %s", name, ply, a, b);
    assert_int_equal(joc_position_hash(p), joc_position_hash(q));
    assert_int_equal(joc_state_of(p), joc_state_of(q));
    free(a);
    free(b);
}

static void walk(const char *name, const joc_game *plain, const joc_game *own, uint64_t seed) {
    joc_position *p = joc_start(plain, seed), *q = joc_start(own, seed);
    joc_random r = joc_random_seed(seed);
    for (int ply = 0; ply < WALK_PLIES; ply++) {
        compare_positions(name, ply, p, q);
        if (joc_state_of(p) == JOC_OVER || joc_state_of(p) == JOC_STUCK) break;
        joc_moves *a = joc_moves_of(p), *b = joc_moves_of(q);
        compare_lists(name, ply, a, b);
        const size_t i = (size_t)joc_random_below(&r, joc_moves_count(a));
        joc_play(p, joc_moves_at(a, i));
        joc_play(q, joc_moves_at(b, i));
        joc_moves_free(a);
        joc_moves_free(b);
    }
    joc_position_free(p);
    joc_position_free(q);
}

static void compare_game(const char *name) {
    joc_game *plain = game_named(name, NULL), *own = game_named(name, NULL);
    char *why = NULL;
    if (!joc_native(own, &why)) fail_msg("%s: %s", name, why);
    assert_true(joc_is_native(own) && !joc_is_native(plain) && !why);
    compare_counts(name, plain, own);
    for (uint64_t seed = 1; seed < 4; seed++) walk(name, plain, own, seed);
    compare_playouts(name, plain, own);
    joc_game_free(plain);
    joc_game_free(own);
}

static size_t names_of_games(char **names) {
    DIR *d = opendir("games");
    size_t n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) && n < GAMES_MAX;) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".joc")) continue;
        *dot = 0;
        names[n++] = text_copy(e->d_name);
    }
    closedir(d);
    return n;
}

static bool is_named(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return true;
    return false;
}

static void test_games_are_played_alike(void **state) {
    char *names[GAMES_MAX];
    NEEDS_COMPILER();
    const size_t n = names_of_games(names);
    const char *wanted = getenv("JOC_NATIVE_GAMES");
    joc_random r = joc_random_seed((uint64_t)time(NULL) / 86400);
    for (size_t i = 0; i < n; i++) {
        const bool sampled = joc_random_below(&r, n) < SAMPLE;
        if (wanted ? !strcmp(wanted, "all") || is_named(wanted, names[i]) : sampled) compare_game(names[i]);
        free(names[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_played_alike),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
