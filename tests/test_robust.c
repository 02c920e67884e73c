/* Rule files made to break the program: each ends in a clear refusal, or plays, soon and with little memory.
 *
 * Every file is read in a process of its own, which parses, checks, compiles, begins a game and lists the moves. What it must come to:
 *
 *     E0349       refused with that message (the first error)
 *     plays       compiled; moves are listed, or there are none
 *     given up    compiled; the computation of a decision is given up with a reason
 *
 * Long files are made here from parts: `before`, then `unit` so many times (@ stands for the count, $ for the next), then `after`. Short
 * ones stand in tests/hostile, what they come to in their first line. */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "interp/joc.h"

#define HEAD "game \"T\"\nplayers White north, Black south\n"
#define BOARD HEAD "board square 5 by 5\n"
#define PIECES "piece Man { move: step forward to not own }\nsetup { place White Man on row 1; place Black Man on row 5 }\n"
#define GAME BOARD PIECES
#define TURN "turn { move else lose }\nwin when no enemy\n"

static const struct { const char *name, *want, *before, *unit; int times; const char *after; } made[] = {
    { "nothing", "E0306", "", "", 0, "" },
    { "blank lines", "E0306", "", "\n", 100000, "" },
    { "a comment of 3 MB", "plays", GAME TURN "#", "x", 3000000, "\n" },
    { "10 MB of brackets", "E0003", "", "(", 10 << 20, "" },
    { "4 MB of brackets", "E0105", "", "(", (4 << 20) - 10, "" },
    { "4 MB of braces", "E0105", "", "{", (4 << 20) - 10, "" },
    { "4 MB of all brackets", "E0107", "", "([{", 1398000, "" },
    { "4 MB of names", "E0113", "", "a ", (2 << 20) - 10, "" },
    { "4 MB of lines", "E0113", "", "a\n", (2 << 20) - 10, "" },
    { "4 MB of open texts", "E0108", "", "\"\n", (2 << 20) - 10, "" },
    { "a long name", "plays", GAME "let ", "a", 1000000, " = own\n" TURN },
    { "a long text", "plays", GAME "option a = no \"", "x", 1000000, "\"\n" TURN },
    { "bytes that are no text", "E0004", GAME "let a = own # ", "\xff\xfe\xc3", 10, "\n" TURN },

    { "a board of 10000 by 10000", "E0341", HEAD "board square 10000 by 10000\n" PIECES TURN, "", 0, "" },
    { "a board of 200 by 200", "E0341", HEAD "board square 200 by 200\n" PIECES TURN, "", 0, "" },
    { "a board of 1024 cells", "plays", HEAD "board square 32 by 32\n" PIECES TURN, "", 0, "" },
    { "a hexagon of 1000 on a side", "E0341", HEAD "board hexagon 1000\n" PIECES TURN, "", 0, "" },
    { "a board of -5", "E0341", HEAD "board square (0 - 5) by 5\n" PIECES TURN, "", 0, "" },
    { "a long line in a picture", "E0341", HEAD "board drawn { a1 ", "- ", 100000, "b1 }\npiece Man { move: step to empty }\nsetup { place White Man on a1; place Black Man on b1 }\n" TURN },
    { "a large picture", "E0341", HEAD "board drawn { ", "c@ ", 100000, "}\npiece Man { move: step to empty }\nsetup { place White Man on c1; place Black Man on c2 }\n" TURN },
    { "an empty picture", "E0341", HEAD "board drawn { ", ". ", 300000, "}\n" PIECES TURN },
    { "a million of numbered cells", "E0345", HEAD "board square 5 by 5 named 1..1000000\n" PIECES TURN, "", 0, "" },
    { "10000 players", "E0307", "game \"T\"\nplayers P", ", P@", 10000, "\nboard square 5 by 5\npiece Man { move: step to empty }\nsetup { place Man on a1 }\n" TURN },
    { "100000 kinds", "E0309", GAME "piece K", ", K@", 100000, "\n" TURN },
    { "a family of a million", "E0309", GAME "piece Card 1..1000000\n" TURN, "", 0, "" },
    { "1000 zones", "E0341", GAME, "zone z@ of player\n", 1000, TURN },
    { "a million in a zone", "E0400", BOARD "zone hand\npiece Man { move: step to not own }\nsetup { place 1000000 White Man on hand }\n" TURN, "", 0, "" },
    { "a million on a cell", "given up", BOARD "piece Man { move: step to not own }\nsetup { place 1000000000 White Man on cells }\n" TURN, "", 0, "" },
    { "a million on no cell", "given up", BOARD "piece Man { move: step to not own }\nsetup { place 1000000000 White Man on own; place White Man on a1 }\n" TURN, "", 0, "" },
    { "3000 tracks", "E0340", GAME, "track t@ = (a1 a2)\n", 3000, TURN },
    { "a track of a million", "plays", GAME "track t = (a1 ", "a2 a1 ", 500000, ")\n" TURN },
    { "dice of a million faces", "E0315", GAME "dice d = 1", ", 1", 1000000, "\n" TURN },
    { "2000 keeps of cells", "plays", GAME, "keep k@ of cell 0..30000\n", 2000, TURN },
    { "3000 options", "plays", GAME, "option o@ = no \"x\"\n", 3000, TURN },
    { "3900 names", "plays", GAME, "let x@ = own\n", 3900, TURN },
    { "100000 names", "E0349", GAME, "let x@ = own\n", 100000, TURN },
    { "1000 rules", "plays", GAME, "r@: pick here in own, step to empty\n", 1000, TURN },
    { "1000 rules of one name", "plays", GAME, "r: pick here in own, step to empty\n", 1000, "turn { r else lose }\nwin when no enemy\n" },
    { "3000 tests", "plays", GAME TURN, "test \"t@\" { turn White { place White Man on a1 } expect any own }\n", 3000, "" },
    { "3000 ends", "plays", GAME, "lose when turns = @\n", 3000, TURN },
    { "a choice of 5000", "E0380", GAME "turn { move", " | move", 5000, " }\nwin when no enemy\n" },
    { "200000 actions", "plays", GAME "turn { move", "; pass", 200000, " else lose }\nwin when no enemy\n" },
    { "a row of 200000 words", "E0349", GAME TURN "lose when no (own", " own", 200000, ")\n" },
    { "an or of 200000 words", "E0349", GAME TURN "lose when no (own", " or own", 200000, ")\n" },
    { "an and of 100000 questions", "E0349", GAME TURN "lose when any own", " and any own", 100000, "\n" },
    { "a sum of 100000", "E0105", GAME TURN "lose when turns", " + turns", 100000, " = 3\n" },
    { "a bag of 100000", "E0351", GAME TURN "lose when count (1", " 1", 100000, ") = 3\n" },
    { "100 arguments", "E0336", GAME TURN "let f(x", ", x@", 100, ") = x\n" },
    { "100000 brackets", "E0105", GAME TURN "lose when no ", "(", 100000, "own\n" },
    { "100000 of", "E0105", GAME TURN "lose when no ", "neighbours of ", 100000, "own\n" },
    { "100000 not", "E0102", GAME TURN "lose when ", "not ", 100000, "any own\n" },
    { "5000 if", "E0105", GAME "turn { ", "if any own { ", 5000, "move\n" },
    { "5000 else", "E0105", GAME "turn { ", "move else ", 5000, "lose }\nwin when no enemy\n" },
    { "names that double each other", "E0349", GAME TURN "lose when any x0\n", "let x@ = x$ or x$\n", 39, "let x39 = own\n" },
    { "constants that double each other", "E0349", GAME TURN "lose when no x0\n", "let x@ = x$ or x$\n", 39, "let x39 = row 1\n" },
    { "numbers that double each other", "E0349", GAME TURN "lose when x0 = 3\n", "let x@ = x$ * x$\n", 39, "let x39 = turns\n" },
    { "rows that double each other", "E0349", GAME TURN "lose when any own x0\n", "let x@ = x$ x$\n", 39, "let x39 = own\n" },
    { "names within names", "E0335", GAME TURN "lose when any x0\n", "let x@ = x$\n", 100, "let x100 = own\n" },
    { "functions that double each other", "E0335", GAME TURN "lose when no f100(own)\nlet f0(s) = neighbours of s\n", "let f$(s) = f@(f@(s))\n", 100, "" },
    { "rules that double each other", "E0349", GAME "turn { r0 else lose }\nwin when no enemy\n", "r@: { r$ | r$ }\n", 30, "r30: pick here in own, step to empty\n" },
    { "rules of a piece that double each other", "E0349", BOARD "setup { place Man on a1 }\nturn { { m0 }+ else lose }\nwin when no enemy\npiece Man { m31: step to empty", "; m@: { m$ | m$ }", 31, " }\n" },
};

static char *build(size_t k, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    fputs(made[k].before, out);
    for (int i = 0; i < made[k].times; i++)
        for (const char *at = made[k].unit; *at; at++) {
            if (*at == '@') fprintf(out, "%d", i);
            else if (*at == '$') fprintf(out, "%d", i + 1);
            else putc(*at, out);
        }
    fputs(made[k].after, out);
    fclose(out);
    return text;
}

/* ---- in a process of its own ---- */
static const char *first_error(const joc_messages *m) {
    for (size_t i = 0; i < joc_messages_count(m); i++)
        if (joc_messages_at(m, i).severity == 'E') return joc_messages_at(m, i).code;
    return "";
}

static void read_and_play(const char *path, const char *text, size_t length, char came_to[16]) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = text ? joc_rules_parse(path, text, length, m) : joc_rules_load(path, m);
    const bool good = rules && joc_rules_check(rules, m);
    joc_game *game = good ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    free(joc_messages_text(m, false));
    if (!game) snprintf(came_to, 16, "%s", first_error(m));
    else {
        joc_position *p = joc_start(game, 1);
        joc_state state = joc_state_of(p);
        if (!joc_fault(p) && (state == JOC_DECISION || state == JOC_CHANCE)) {
            joc_moves *list = joc_moves_of(p);
            if (joc_moves_count(list)) (void)joc_move_text(joc_moves_at(list, 0));
            joc_moves_free(list);
            joc_random random = joc_random_seed(1);
            joc_playout(p, &random, 3);
        }
        snprintf(came_to, 16, "%s", joc_fault(p) ? "given up" : "plays");
        joc_position_free(p);
    }
    joc_game_free(game);
    joc_rules_free(rules);
    joc_messages_free(m);
}

static bool sanitized(void) {
    const char *variant = getenv("JOC_VARIANT");
    return variant && strcmp(variant, "release") != 0;
}

/* True if all was as it should be; *slow tells whether it was not for time alone. */
static bool comes_to_once(const char *name, const char *want, const char *path, const char *text, size_t length, bool *slow) {
    int ends[2], status = 0;
    char came_to[16] = "";
    struct rusage used;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        alarm(sanitized() ? 120 : 30);
        read_and_play(path, text, length, came_to);
        if (write(ends[1], came_to, sizeof came_to) != (ssize_t)sizeof came_to) _exit(9);
        exit(0);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], came_to, sizeof came_to);
    close(ends[0]);
    assert_int_equal(wait4(child, &status, 0, &used), child);
    if (got <= 0) came_to[0] = '\0';
    const double seconds = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6 + (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
    const long megabytes = used.ru_maxrss / 1024;
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && strcmp(came_to, want) == 0;
    const double most_seconds = sanitized() ? 30 : 2;
    const long most_megabytes = sanitized() ? 4000 : 800;
    if (megabytes > most_megabytes) good = false;
    *slow = good && seconds > most_seconds;
    if (*slow) good = false;
    if (!good || getenv("ROBUST_TELL"))
        print_message("%s: %s%s (wanted: %s), %.2f s, %ld MB%s\n", good ? "good" : "WRONG", name, came_to[0] ? "" : ": nothing", want, seconds, megabytes, WIFSIGNALED(status) ? ", killed" : "");
    if (!good && came_to[0]) print_message("    it came to: %s\n", came_to);
    return good;
}

/* What is slow for what else the machine does is not so three times. */
static bool comes_to(const char *name, const char *want, const char *path, const char *text, size_t length) {
    bool good = false, slow = true;
    for (int tries = 0; tries < 3 && !good && slow; tries++) good = comes_to_once(name, want, path, text, length, &slow);
    return good;
}

static void test_long_files_end_soon(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        size_t length;
        char *text = build(k, &length);
        wrong += !comes_to(made[k].name, made[k].want, "hostile.joc", text, length);
        free(text);
    }
    assert_int_equal(wrong, 0);
}

static void test_short_files_end_soon(void **state) {
    (void)state;
    glob_t found;
    int wrong = 0;
    assert_int_equal(glob("tests/hostile/*.joc", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char want[64] = "";
        FILE *file = fopen(found.gl_pathv[i], "rb");
        assert_non_null(file);
        assert_int_equal(fscanf(file, "# %63[^\n]", want), 1);
        fclose(file);
        wrong += !comes_to(found.gl_pathv[i], want, found.gl_pathv[i], NULL, 0);
    }
    assert_true(found.gl_pathc >= 20);
    globfree(&found);
    assert_int_equal(wrong, 0);
}

static void test_a_byte_of_nothing_is_no_rule_file(void **state) {
    (void)state;
    static const char text[] = GAME "let a\0 = own\n" TURN;
    assert_true(comes_to("a NUL byte", "E0004", "hostile.joc", text, sizeof text - 1));
    static const char screen[] = "game \"\x1b[2J\"\n" TURN, high[] = GAME "about { \"\xc2\x9b" "2J\" }\n" TURN;
    assert_true(comes_to("a control character", "E0004", "hostile.joc", screen, sizeof screen - 1));
    assert_true(comes_to("a control character beyond ASCII", "E0004", "hostile.joc", high, sizeof high - 1));
}

/* ---- what is no plain file ---- */
static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_what_is_no_plain_file_is_refused(void **state) {
    (void)state;
    char folder[] = "/tmp/joc-robust-XXXXXX", path[12][100];
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = { "pipe", "loop", "other", "huge.joc", "a.joc", "b.joc", "dir.joc", "dev.joc", "map.joc", "pipemap.joc" };
    enum { PIPE, LOOP, OTHER, HUGE_FILE, A, B, DIR_JOC, DEV_JOC, MAP_JOC, PIPE_MAP, COUNT };
    for (int i = 0; i < COUNT; i++) snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
    assert_int_equal(mkfifo(path[PIPE], 0600), 0);
    assert_int_equal(symlink(path[OTHER], path[LOOP]), 0);
    assert_int_equal(symlink(path[LOOP], path[OTHER]), 0);
    write_file(path[HUGE_FILE], "");
    assert_int_equal(truncate(path[HUGE_FILE], (off_t)1 << 30), 0);
    write_file(path[A], "variant \"A\" of \"b\"\n");
    write_file(path[B], "variant \"B\" of \"a\"\n");
    write_file(path[DIR_JOC], "variant \"V\" of \".\"\n");
    write_file(path[DEV_JOC], "variant \"V\" of \"/dev/zero\"\n");
    write_file(path[MAP_JOC], HEAD "board map \"/dev/zero\"\npiece Man { move: step to empty }\n" TURN);
    write_file(path[PIPE_MAP], HEAD "board map \"pipe\"\npiece Man { move: step to empty }\n" TURN);
    int wrong = 0;
    wrong += !comes_to("a folder", "E0001", folder, NULL, 0);
    wrong += !comes_to("a pipe", "E0001", path[PIPE], NULL, 0);
    wrong += !comes_to("links in a circle", "E0001", path[LOOP], NULL, 0);
    wrong += !comes_to("a device", "E0001", "/dev/zero", NULL, 0);
    wrong += !comes_to("no file", "E0001", "/nowhere/at/all.joc", NULL, 0);
    wrong += !comes_to("a file of 1 GB", "E0003", path[HUGE_FILE], NULL, 0);
    wrong += !comes_to("variants in a circle", "E0203", path[A], NULL, 0);
    wrong += !comes_to("a variant of a folder", "E0202", path[DIR_JOC], NULL, 0);
    wrong += !comes_to("a variant of a device", "E0001", path[DEV_JOC], NULL, 0);
    wrong += !comes_to("a map that is a device", "E0339", path[MAP_JOC], NULL, 0);
    wrong += !comes_to("a map that is a pipe", "E0339", path[PIPE_MAP], NULL, 0);
    for (int i = 0; i < COUNT; i++) unlink(path[i]);
    rmdir(folder);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_files_end_soon),
        cmocka_unit_test(test_short_files_end_soon),
        cmocka_unit_test(test_a_byte_of_nothing_is_no_rule_file),
        cmocka_unit_test(test_what_is_no_plain_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
