/* A game's own machine plays as the interpreter does: the same random games, the same moves at every ply, the same counts. And what is
 * written for the compiler, and what is refused of what comes back.
 *
 * Compiling takes seconds a game, so each run takes a sample that changes from day to day; JOC_NATIVE_GAMES=all takes every game, or those
 * that it names (go,chess). Without a C compiler there is nothing to play. */
#include <dirent.h>
#include <time.h>
#include "tests/native.h"

#ifdef __SANITIZE_ADDRESS__
enum { SAMPLE = 3 };
#else
enum { SAMPLE = 6 };
#endif
enum { GAMES_MAX = 300, PLAYOUTS = 24, PLIES_MAX = 1500, WALK_PLIES = 50, PERFT_NODES = 3000 };

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

/* Frees both. */
static void compare_both(const char *name, joc_game *plain, joc_game *own) {
    char *why = NULL;
    if (!joc_native(own, &why)) fail_msg("%s: %s", name, why);
    assert_true(joc_is_native(own) && !joc_is_native(plain) && !why);
    compare_counts(name, plain, own);
    for (uint64_t seed = 1; seed < 4; seed++) walk(name, plain, own, seed);
    compare_playouts(name, plain, own);
    joc_game_free(plain);
    joc_game_free(own);
}

static void compare_game(const char *name) { compare_both(name, game_named(name, NULL), game_named(name, NULL)); }

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

/* ---- what is written ------------------------------------------------------------------------------------------------------------------ */
/* Every name and text of these rules has "zq" in it. */
static const char marked_rules[] =
    "game \"Zq title */ #include\"\n"
    "about { \"zq about */ #\" }\n"
    "players Zqwhite north, Zqblack south\n"
    "option zqoption = 2 in 1..5 \"zq option\"\n"
    "board square 4 by 4\n"
    "zone zqhand of player\n"
    "keep zqflag of piece\n"
    "keep zqcount of turn 0..9\n"
    "let zqset = row 1\n"
    "mark \"≈\" \"~\" on zqset \"zq mark\"\n"
    "piece Zqman \"Q\" { move: step forward to not own }\n"
    "zqrule: step ahead to empty\n"
    "setup { place Zqwhite Zqman on row 1; place Zqblack Zqman on row 4 }\n"
    "turn { { move | zqrule } else lose }\n"
    "zqlabel: illegal when zqcount > zqoption\n"
    "zqwon: win when any own row 4\n"
    "test \"zq test\" { expect moves > 0 }\n";

static joc_game *game_of(const char *text_of_rules) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_parse("zqfile.joc", text_of_rules, strlen(text_of_rules), m);
    joc_game *compiled = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!compiled) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(rules);
    joc_messages_free(m);
    return compiled;
}

static void test_no_text_of_the_rules_is_given_to_the_compiler(void **state) {
    (void)state;
    joc_game *g = game_of(marked_rules);
    size_t length;
    char *written = native_text(g->g, &length);
    assert_null(strcasestr(written, "zq"));
    free(written);
    joc_game_free(g);
}

/* A decision with preferences, whose runs are listed to draw from them, has code of its own (lists.c): turns of one to three legs among stacks, hits,
 * men that come in and go off. Where there are no preferences, nothing is written. */
static const char race_rules[] =
    "game \"Race\"\n"
    "players White east, Black west\n"
    "board strip 9\n"
    "zone bar of player\n"
    "zone off of player\n"
    "stack 4 on cells\n"
    "dice pair = 1, 2, 3\n"
    "let open = not enemy or enemy height 1\n"
    "piece Man {\n"
    "  enter(n): pick here in bar, step anywhere to open row n\n"
    "  run(n): when no bar, pick here in own, step n ahead to open\n"
    "  bear(n): when no (bar or own row 1..6), pick here in own (row >= 10 - n), step anywhere to off\n"
    "}\n"
    "use: pick n in pair, pair -= n, { enter(n) | run(n) | bear(n) }, send taken to bar of enemy\n"
    "setup { by everyone { place 2 Man on row 1; place Man on row 4 } }\n"
    "turn { roll 2 pair; if max(pair) = min(pair) { pair += 1 }; { use, { use, { use }? }? }?; prefer -count pair; prefer -sum(pair) }\n"
    "win when count off = 3\n";

static void test_decisions_with_preferences_have_code_of_their_own(void **state) {
    NEEDS_COMPILER();
    joc_game *g = game_of(race_rules), *plain = game_named("tic-tac-toe", NULL);
    size_t length;
    char *written = native_text(g->g, &length), *other = native_text(plain->g, &length);
    assert_non_null(strstr(written, "static void list_"));
    assert_non_null(strstr(written, "static void walk_"));
    assert_null(strstr(other, "static void list_"));
    free(written);
    free(other);
    joc_game_free(plain);
    compare_both("race", game_of(race_rules), g);
}

/* What is not written (compare.c) would be nought in a compiled machine: its sources take it from v->g, where it is. */
static void test_the_machine_asks_for_nothing_that_is_not_written(void **state) {
    (void)state;
    static const char *const unwritten[] = { "title", "path", "hash", "shape", "players", "keeps_shown", "rounds", "ways", "letters", "entries", "named_sets", "marks", "about", "ends", "names", "origins", "sources", "covers",
                                             "tests", "checks", "option_names", "option_values", "machine", "const_num", "const_set" };
    size_t files = 0;
    DIR *d = opendir("interp/machine");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        char path[400];
        size_t length;
        if (!strstr(e->d_name, ".h")) continue;
        snprintf(path, sizeof path, "interp/machine/%s", e->d_name);
        char *words = file_read(path, 1 << 20, &length);
        for (size_t i = 0; i < COUNT_OF(unwritten); i++)
            for (size_t form = 0; form < 2; form++) {
                snprintf(path, sizeof path, form ? " g->%s" : "G(v)->%s", unwritten[i]);
                const char *at = strstr(words, path);
                if (at && !strchr("_abcdefghijklmnopqrstuvwxyz", at[strlen(path)])) fail_msg("%s: '%s' is not there in a compiled machine; take it from v->g", e->d_name, path);
            }
        free(words);
        files++;
    }
    closedir(d);
    assert_true(files > 10);
}

/* ---- drawn on the spot ------------------------------------------------------------------------------------------------------------------ */
/* Men and kings who jump or else walk; where jumps go on, and where the same cell is come to from several sides. */
#define MEN_AND_KINGS(board, walk, stop) "game \"M\"\nplayers A south, B north\nboard " board "\npiece Man { go: step forward " walk " to empty; hop: step forward " walk " over enemy to empty }\n" \
    "piece King { go: step " walk " to empty; hop: step " walk " over enemy to empty }\npiece Man, King { jump: { hop, take passed }+" stop " }\n" \
    "setup { place A Man on row 1..2; place B Man on row 5..6 }\n" \
    "turn { jump else go else lose; own Man row 6 becomes King }\ndraw when repeats = 2 or turns > 120\n"

static void test_moves_drawn_on_the_spot_are_the_same(void **state) {
    NEEDS_COMPILER();
    static const char *const rules[] = { MEN_AND_KINGS("square 6 by 6 without light", "diagonal", " until stuck"), MEN_AND_KINGS("torus 6 by 6", "orthogonal", "") };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        joc_game *plain = game_of(rules[i]), *own = game_of(rules[i]);
        char *why = NULL;
        size_t length;
        char *written = native_text(plain->g, &length);
        if (!strstr(written, "set = lots_choose(")) fail_msg("%s: nothing is drawn on the spot", rules[i]);
        free(written);
        if (!joc_native(own, &why)) fail_msg("%s: %s", rules[i], why);
        compare_playouts(rules[i], plain, own);
        joc_game_free(plain);
        joc_game_free(own);
    }
}

/* ---- tables that are not the game's --------------------------------------------------------------------------------------------------- */
static void assert_differs(const game *g, const native_machine *n, const char *table) {
    char *name = native_differs(g, n);
    if (!name) fail_msg("%s: nothing differs", table);
    assert_string_equal(name, table);
    free(name);
}

static void test_every_table_is_compared(void **state) {
    (void)state;
    joc_game *x = game_named("chess", NULL);
    game *g = x->g, other = *g;
    const native_machine n = { .own = g->machine, .tables = &other, .numbers = g->const_num, .sets = (const uint64_t *const *)g->const_set };
    assert_null(native_differs(g, &n));
    other.state_size++;
    assert_differs(g, &n, "game");
    other = *g;
    other.title = "another";                        /* not the machine's */
    assert_null(native_differs(g, &n));
    other.key_set = g->key_set ? NULL : g->place_keys;
    assert_differs(g, &n, "game");
    other = *g;
#define CHANGED(table, field, name) do { \
        void *copy = malloc(sizeof *g->table); \
        memcpy(copy, g->table, sizeof *g->table); \
        other.table = copy; \
        g->table[0].field++; \
        assert_differs(g, &n, name); \
        g->table[0].field--; \
        other = *g; \
        free(copy); \
    } while (0)
    CHANGED(plans, first, "plans");
#undef CHANGED
    other.dirs[0].dx++;
    assert_differs(g, &n, "directions");
    other.dirs[0] = g->dirs[0];
    other.dirs[0].mask = NULL;
    assert_differs(g, &n, "directions");
    joc_game_free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_played_alike),
        cmocka_unit_test(test_moves_drawn_on_the_spot_are_the_same),
        cmocka_unit_test(test_no_text_of_the_rules_is_given_to_the_compiler),
        cmocka_unit_test(test_decisions_with_preferences_have_code_of_their_own),
        cmocka_unit_test(test_the_machine_asks_for_nothing_that_is_not_written),
        cmocka_unit_test(test_every_table_is_compared),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
