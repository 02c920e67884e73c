/* Compiling machines: compilers that fail, what is kept and for how long, what the command says. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include "tests/native.h"

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

static void test_a_processor_that_is_not_known_is_left_out(void **state) {
    NEEDS_COMPILER();
    char script[300];
    snprintf(script, sizeof script, "%s/compiler", cache);
    script_write(script, "#!/bin/sh\nfor x; do [ \"$x\" = -march=native ] && { echo \"error: bad value ('native') for '-march=' switch\" >&2; exit 1; }; done\necho error: without it >&2\nexit 1\n");
    assert_refused(script, "failed: error: without it");
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
        cmocka_unit_test(test_compilers_that_fail_are_told),
        cmocka_unit_test(test_a_processor_that_is_not_known_is_left_out),
        cmocka_unit_test(test_words_of_cc_are_arguments),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_very_long_rules_are_not_compiled),
        cmocka_unit_test(test_what_was_compiled_is_kept),
        cmocka_unit_test(test_damaged_files_are_made_again),
        cmocka_unit_test(test_only_the_newest_are_kept),
        cmocka_unit_test(test_folders_that_others_write_to_are_not_used),
        cmocka_unit_test(test_the_command_goes_on_without_a_compiler),
        cmocka_unit_test(test_the_command_answers_alike),
        cmocka_unit_test(test_an_interrupt_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
