/* A game's own machine plays as the interpreter does: the same random games, the same moves at every ply, the same counts. And what becomes of
 * compilers that fail, of what is kept, and of tables that are not the game's.
 *
 * Compiling takes seconds a game, so each run takes a sample that changes from day to day; JOC_NATIVE_GAMES=all takes every game, or those
 * that it names (go,chess). Without a C compiler there is nothing to test. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include "tests/helper.h"
#include "interp/inside.h"
#include "interp/native/native.h"

#ifdef __SANITIZE_ADDRESS__
enum { SAMPLE = 3 };
#else
enum { SAMPLE = 6 };
#endif
enum { GAMES_MAX = 300, PLAYOUTS = 24, PLIES_MAX = 1500, WALK_PLIES = 50, PERFT_NODES = 3000 };

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

/* ---- compilers that fail -------------------------------------------------------------------------------------------------------------- */
/* A folder with nothing in it to keep machines in. */
static char *fresh_cache(void) {
    char *path = text_copy("/tmp/joc-test-cache-XXXXXX");
    assert_non_null(mkdtemp(path));
    setenv("XDG_CACHE_HOME", path, 1);
    return path;
}

static void cache_done(char *path) {
    removed("-r", path);
    free(path);
    setenv("XDG_CACHE_HOME", cache, 1);
}

static size_t entries_of(const char *folder, const char *below) {
    char path[300];
    snprintf(path, sizeof path, "%s%s", folder, below);
    DIR *d = opendir(path);
    size_t n = 0;
    if (!d) return 0;
    for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

static void script_write(const char *path, const char *words) {
    assert_true(file_write(path, words, strlen(words)));
    assert_int_equal(chmod(path, 0700), 0);
}

/* Refused with this in the sentence; the game goes on with the interpreter, and nothing stays behind. */
static void assert_refused(const char *cc, const char *said) {
    joc_game *g = game_named("tic-tac-toe", NULL);
    char *folder = fresh_cache(), *why = NULL, *was = getenv("CC") ? text_copy(getenv("CC")) : NULL;
    setenv("CC", cc, 1);
    assert_false(joc_native(g, &why));
    if (was) setenv("CC", was, 1); else unsetenv("CC");
    if (!strstr(why, said)) fail_msg("CC='%s': %s", cc, why);
    assert_false(joc_is_native(g));
    joc_position *p = joc_start(g, 1);
    assert_int_equal(joc_perft(p, 3, (joc_perft_how){ 0 }, NULL), 504);
    assert_int_equal(entries_of(folder, "/joc"), 0);
    joc_position_free(p);
    joc_game_free(g);
    cache_done(folder);
    free(why);
    free(was);
}

static void test_compilers_that_fail_are_told(void **state) {
    (void)state;
    char script[300];
    snprintf(script, sizeof script, "%s/compiler", cache);
    assert_refused("/bin/false", "the compiler '/bin/false' failed with exit code 1");
    assert_refused("/nowhere/cc", "there is no C compiler: '/nowhere/cc' cannot be started (No such file or directory); CC names another");
    script_write(script, "#!/bin/sh\necho 'In a function' >&2\necho \"$TMPDIR/machine.c:1:2: error: it is \033[31mred\" >&2\nexit 1\n");
    char *said = replaced("the compiler 'X' failed: machine.c:1:2: error: it is ?[31mred", "X", script);
    assert_refused(script, said);
    free(said);
    script_write(script, "#!/bin/sh\nkill -9 $$\n");
    assert_refused(script, "was ended by signal 9");
    script_write(script, "#!/bin/sh\nfor last; do :; done; while [ \"$1\" != -o ]; do shift; done; echo no program > \"$2\"\n");
    assert_refused(script, "the compiled machine cannot be loaded");
    assert_refused("/bin/true", "the compiled machine cannot be loaded");
}

static void test_words_of_cc_are_arguments(void **state) {
    NEEDS_COMPILER();
    char script[300], told[400];
    snprintf(script, sizeof script, "%s/compiler", cache);
    snprintf(told, sizeof told, "%s with 'two words", script);
    script_write(script, "#!/bin/sh\n[ \"$#\" -ge 4 ] && [ \"$1\" = with ] && [ \"$2\" = \"'two\" ] && echo error: so it is >&2\nexit 1\n");
    assert_refused(told, "failed: error: so it is");
}

static void test_a_full_disk_is_told(void **state) {
    (void)state;
    const struct rlimit little = { 4096, RLIM_INFINITY };
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    assert_refused("/bin/true", "/machine.c' cannot be written: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void test_very_long_rules_are_not_compiled(void **state) {
    (void)state;
    joc_game *g = game_named("tic-tac-toe", NULL);
    game large = *g->g;
    void *handle = NULL;
    char *why;
    large.code_count = 30000;
    assert_null(native_open(&large, &handle, &why));
    assert_string_equal(why, "these rules come to 30000 instructions, and no more than 20000 are compiled");
    free(why);
    joc_game_free(g);
}

/* ---- what is kept --------------------------------------------------------------------------------------------------------------------- */
static bool opens(const char *name) {
    joc_game *g = game_named(name, NULL);
    const bool good = joc_native(g, NULL);
    joc_game_free(g);
    return good;
}

/* The one machine in a cache; malloc'd. */
static char *kept_in(const char *folder) {
    char *printed, *command = replaced("ls X/joc/*.so", "X", folder);
    assert_int_equal(run(command, &printed), 0);
    printed[strcspn(printed, "\n")] = 0;
    free(command);
    return printed;
}

static void test_what_was_compiled_is_kept(void **state) {
    NEEDS_COMPILER();
    char *folder = fresh_cache();
    struct stat before, after;
    assert_true(opens("tic-tac-toe"));
    assert_int_equal(entries_of(folder, "/joc"), 1);
    char *kept = kept_in(folder);
    assert_int_equal(stat(kept, &before), 0);
    assert_int_equal(before.st_mode & 0777, 0600);
    assert_true(opens("tic-tac-toe"));
    assert_int_equal(stat(kept, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);          /* not made again */
    assert_true(opens("tic-tac-toe-4x4"));
    assert_int_equal(entries_of(folder, "/joc"), 2);
    free(kept);
    cache_done(folder);
}

static void test_damaged_files_are_made_again(void **state) {
    NEEDS_COMPILER();
    char *folder = fresh_cache();
    size_t length;
    assert_true(opens("tic-tac-toe"));
    char *kept = kept_in(folder), *bytes = file_read(kept, 1 << 24, &length);
    const size_t cuts[] = { 0, length / 2, length - 1 };
    for (size_t i = 0; i < COUNT_OF(cuts); i++) {
        assert_true(file_write(kept, bytes, cuts[i]));
        assert_false(cache_holds(kept));
        assert_true(opens("tic-tac-toe"));
        assert_true(cache_holds(kept));
    }
    bytes[length / 2] ^= 1;
    assert_true(file_write(kept, bytes, length));
    assert_false(cache_holds(kept));
    assert_true(opens("tic-tac-toe"));
    assert_true(cache_holds(kept));
    free(bytes);
    free(kept);
    cache_done(folder);
}

static void test_only_the_newest_are_kept(void **state) {
    (void)state;
    char *folder = fresh_cache(), path[300];
    for (int i = 0; i < 70; i++) {
        snprintf(path, sizeof path, "%s/%016x.so", folder, (unsigned)i);
        assert_true(file_write(path, "x", 1));
        const struct timespec then[2] = { { 1000 + i, 0 }, { 1000 + i, 0 } };
        assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
    }
    snprintf(path, sizeof path, "%s/something else.so", folder);
    assert_true(file_write(path, "x", 1));
    cache_trim(folder, 64);
    assert_int_equal(entries_of(folder, ""), 65);
    snprintf(path, sizeof path, "%s/%016x.so", folder, 6u);
    assert_int_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/%016x.so", folder, 5u);
    assert_int_not_equal(access(path, F_OK), 0);
    cache_done(folder);
}

/* Where others could put a file in, nothing is kept, and the machine is made in a folder of its own. */
static void test_folders_that_others_write_to_are_not_used(void **state) {
    NEEDS_COMPILER();
    char *folder = fresh_cache(), path[300];
    snprintf(path, sizeof path, "%s/joc", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, 0777), 0);
    assert_null(cache_folder());
    assert_true(opens("tic-tac-toe"));
    assert_int_equal(entries_of(folder, "/joc"), 0);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink("/tmp", path), 0);
    assert_null(cache_folder());
    cache_done(folder);
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

/* ---- the command ---------------------------------------------------------------------------------------------------------------------- */
/* What `joc` prints with these words, behind these settings of the environment; malloc'd. */
static char *answer(const char *settings, const char *words, int code) {
    char command[900], *printed;
    snprintf(command, sizeof command, "%s \"$JOC\" %s", settings, words);
    const int ended = run(command, &printed);
    if (ended != code) fail_msg("%s: %d\n%s", command, ended, printed);
    return printed;
}

static void assert_answers(const char *settings, const char *words, int code, const char *want) {
    char *printed = answer(settings, words, code);
    if (!strstr(printed, want)) fail_msg("%s joc %s: no \"%s\" in\n%s", settings, words, want, printed);
    free(printed);
}

#define NEEDS_COMMAND() do { (void)state; if (!getenv("JOC")) { skip(); return; } } while (0)

static void test_the_command_goes_on_without_a_compiler(void **state) {
    NEEDS_COMMAND();
    static const char said[] = "joc: played by the interpreter: the compiler '/bin/false' failed with exit code 1\n";
    assert_answers("CC=/bin/false", "perft games/clobber.joc 1 --native", 0, said);
    assert_answers("CC=/bin/false JOC_NATIVE=yes", "sim games/clobber.joc --games 10", 0, said);
    assert_answers("CC=/bin/false", "sim games/clobber.joc --games 10 --json --native", 0, "\"native\": false");
    assert_answers("CC=/nowhere/cc", "solve games/pig.joc --option goal=10 --native", 0, "cannot be started");
    assert_answers("CC=/nowhere/cc JOC_NATIVE=no", "perft games/tic-tac-toe.joc 2", 0, "1 9\n2 72\n");
    assert_answers("CC=/nowhere/cc JOC_NATIVE=yes", "perft games/tic-tac-toe.joc 1 --interpreted --json", 0, "\"native\": false");
}

static void test_the_command_answers_alike(void **state) {
    NEEDS_COMMAND();
    NEEDS_COMPILER();
    static const char *const words[] = { "sim games/tic-tac-toe.joc --games 700", "sim games/tic-tac-toe.joc --games 20 --seat X=mcts:visits=50", "perft games/tic-tac-toe.joc 5", "perft games/tic-tac-toe.joc 3 --divide",
                                         "solve games/tic-tac-toe.joc", "solve games/tic-tac-toe.joc --search" };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        char *a = answer("JOC_NATIVE=no", words[i], 0), *b = answer("JOC_NATIVE=yes", words[i], 0);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    assert_answers("", "perft games/tic-tac-toe.joc 1 --native --json", 0, "\"native\": true");
    assert_answers("printf 'a1\\nquit\\n' |", "play games/tic-tac-toe.joc --native --seat O=mcts:visits=20", 0, "O plays");
}

static void test_an_interrupt_leaves_nothing_behind(void **state) {
    NEEDS_COMMAND();
    char *folder = fresh_cache(), script[300], settings[400];
    snprintf(script, sizeof script, "%s/slow", cache);
    script_write(script, "#!/bin/sh\necho begun > \"$TMPDIR/begun\"\nsleep 60\n");
    snprintf(settings, sizeof settings, "CC=%s timeout --preserve-status -s INT 0.5", script);
    const time_t begun = time(NULL);
    free(answer(settings, "sim games/tic-tac-toe.joc --native", 130));
    assert_true(time(NULL) - begun < 20);
    assert_int_equal(entries_of(folder, "/joc"), 0);
    cache_done(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_text_of_the_rules_is_given_to_the_compiler),
        cmocka_unit_test(test_the_machine_asks_for_nothing_that_is_not_written),
        cmocka_unit_test(test_compilers_that_fail_are_told),
        cmocka_unit_test(test_words_of_cc_are_arguments),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_very_long_rules_are_not_compiled),
        cmocka_unit_test(test_what_was_compiled_is_kept),
        cmocka_unit_test(test_damaged_files_are_made_again),
        cmocka_unit_test(test_only_the_newest_are_kept),
        cmocka_unit_test(test_folders_that_others_write_to_are_not_used),
        cmocka_unit_test(test_every_table_is_compared),
        cmocka_unit_test(test_the_command_goes_on_without_a_compiler),
        cmocka_unit_test(test_the_command_answers_alike),
        cmocka_unit_test(test_an_interrupt_leaves_nothing_behind),
        cmocka_unit_test(test_games_are_played_alike),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
