/* The joc command as it is used: exit codes, what is printed where, JSON, records, interruption. $JOC is the binary. */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include "tests/helper.h"

static char folder[] = "/tmp/joc-cli-XXXXXX";

static const char *joc(void) { return getenv("JOC") ? getenv("JOC") : "build/asan/joc"; }

/* Runs "joc ARGUMENTS"; $D in them is the suite's folder. */
static int ran(const char *arguments, char **printed) {
    text t = { 0 };
    text_format(&t, "D=%s; %s %s", folder, joc(), arguments);
    int code = run(t.data, printed);
    text_free(&t);
    return code;
}

static const struct { const char *arguments; int code; const char *says; } rows[] = {
    /* use */
    { "", 2, "usage: joc COMMAND" },
    { "--help", 0, "perft GAME DEPTH" },
    { "--version", 0, "joc " },
    { "plya", 2, "no command 'plya'; did you mean 'play'?" },
    { "show", 2, "GAME is missing" },
    { "perft hex", 2, "DEPTH is missing" },
    { "perft hex x", 2, "DEPTH is a whole number from 1 to 100, not 'x'" },
    { "perft hex 0", 2, "DEPTH" },
    { "show hex chess", 2, "'chess' is one word too many" },
    { "show hex --opton size=5", 2, "no option '--opton'; did you mean '--option'?" },
    { "show hex --option", 2, "--option wants NAME=VALUE" },
    { "show hex --option size", 2, "--option wants NAME=VALUE, not 'size'" },
    { "show hex --option size=99", 2, "'size' is 3 to 19, not '99'" },
    { "show hex --option sise=9", 2, "did you mean 'size'?" },
    { "show hex --json=1", 2, "--json takes no value" },
    { "show hex --players 3", 2, "this game is for 2, not 3" },
    { "sim hex --games -4", 2, "--games wants a whole number" },
    { "sim hex --seat Red=human --games 1", 2, "nobody is there to play for Red" },
    { "sim hex --seat Green=random", 2, "no player is named 'Green'; there are Red, Blue" },
    { "sim hex --seat Red=gnu", 2, "'gnu' is no player" },
    { "play", 2, "GAME is missing" },
    { "show go --preset begginer", 2, "the game has no preset 'begginer'; did you mean 'beginner'?" },
    { "show hex --preset small", 2, "the game has no preset 'small'" },
    { "show hex --house games/skiryuk-strict.house.yaml", 1, "is for the game 'ur', not for" },
    { "replay", 2, "FILE is missing" },
    { "replay games/skiryuk-strict.house.yaml", 1, "a match record has no 'name'" },
    { "diff hex", 2, "missing" },
    { "diff hex nosuchgame", 3, "no rule file" },
    { "list --divide", 2, "no option '--divide'" },
    /* files */
    { "show nosuchgame", 3, "no rule file and no installed game is named 'nosuchgame'" },
    { "show ches", 3, "did you mean 'chess'?" },
    { "check $D/nosuch.joc", 3, "nosuch.joc" },
    { "check $D", 3, "" },
    { "fmt $D/nosuch.joc", 3, "cannot read" },
    { "show hex --at @$D/nosuch", 3, "cannot read" },
    { "new $D/no/such/folder", 3, "cannot write" },
    { "play --from $D/nosuch.yaml", 3, "cannot read" },
    { "show hex > /dev/full", 3, "cannot write" },
    /* faults */
    { "show tic-tac-toe --line 'a1 a1'", 1, "move 2 of the line, 'a1'" },
    { "show tic-tac-toe --at '3/3/4 X'", 1, "row 3 from the top has 3 cells; this makes 4" },
    { "explain E9999", 1, "no message has the code" },
    /* answers */
    { "list", 0, "Tic-tac-toe" },
    { "options hex", 0, "3 to 19: cells on a side" },
    { "show tic-tac-toe --line 'b2 a1'", 0, "2 · X ·" },
    { "show tic-tac-toe --ascii --line 'b2 a1'", 0, "2 . X ." },
    { "show tic-tac-toe --notation --line 'b2'", 0, "3/1M1/3 O turns=1" },
    { "moves tic-tac-toe --line 'b2;a1'", 0, "b1\n" },
    { "moves pig", 0, "1/6" },
    { "perft tic-tac-toe 4", 0, "1 9\n2 72\n3 504\n4 3024\n" },
    { "perft tic-tac-toe 2 --divide", 0, "b2 8\n" },
    { "perft chess 3", 0, "1 20\n2 400\n3 8902\n" },
    { "perft chess 2 --at 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'", 0, "1 48\n2 2039\n" },
    { "perft english-draughts 4", 0, "4 1469\n" },
    { "perft pig 2", 0, "chance is followed in all its outcomes and is no ply; --chance counts it\n1 11\n2 171\n" },      /* 5 (11 to hold, 11 + 10 to roll on) + 11 where a 1 comes first */
    { "perft pig 2 --chance", 0, "counts as a ply\n1 6\n2 11\n" },
    { "perft pig 1 --divide", 0, "4 2\n5 2\n6 2\n" },
    { "moves backgammon", 0, "1/15\n" },
    { "solve tic-tac-toe", 0, "value        a draw in 9 decisions\n" },
    { "solve dodgem --line a3-b3", 0, "Red wins in 18 decisions\n" },
    { "solve pig --option goal=10", 0, "Ann          0.709424322598" },
    { "solve pig --option goal=10 --line 6", 0, "best\n" },
    { "solve pig --option goal=10 --json", 0, "\"measure\": \"wins\"" },
    { "solve pig --option goal=10 --scores", 1, "this game has no `score`" },
    { "solve kalah --option seeds_each=1 --memory 1 --scores", 3, "do not fit into 1 MB" },
    { "solve pig --players 3", 1, "for one or two players only, and here are 3" },
    { "solve stratego", 1, "hide things" },
    { "solve hex --option size=3 --option swap=no --search", 0, "value        Red wins\nbest moves, for Red\n" },
    { "solve kalah --option seeds_each=1 --scores --search", 0, "difference   2  (South less North)\nbest moves, for South\n  f1\n" },
    { "solve tic-tac-toe --search --json", 0, "\"value\": 0.5" },
    { "solve pig --search", 1, "--search is for games without chance" },
    { "solve dodgem --search", 1, "positions come back in this game" },
    { "solve hex --memory 0", 2, "--memory wants a whole number" },
    { "moves tests/hostile/endless-roll.joc", 1, "no outcome of a chance event is one that its `until` asks for (in the turn)" },
    { "solve tests/hostile/endless-roll.joc", 1, "no outcome of a chance event is one that its `until` asks for (in the turn)" },
    { "sim tests/hostile/endless-roll.joc --games 3", 0, "given up     no outcome of a chance event is one that its `until` asks for (in the turn); the first game had seed 1\n" },
    { "sim tests/hostile/runaway-loop.joc --games 3 --json", 0, "\"fault\": \"a repetition goes on too long (in the turn)\"" },
    { "sim tic-tac-toe --games 100", 0, "100 games at random, seed 1" },
    { "tables tic-tac-toe", 0, "" },
    { "test tic-tac-toe", 0, "0 failed" },
    { "check games/chess.joc games/skiryuk-strict.house.yaml", 0, "" },
    { "check --symmetry games/hex.joc", 0, "by a mirror along the diagonal" },
    { "check --symmetry --json games/hex.joc", 0, "\"holds\": true" },
    { "play stratego --seed 1", 0, "pass the screen to Red" },
};

static void test_answers_and_exit_codes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *printed;
        int code = ran(rows[i].arguments, &printed);
        if (code != rows[i].code) fail_msg("joc %s: ended with %d, not %d:\n%s", rows[i].arguments, code, rows[i].code, printed);
        if (!strstr(printed, rows[i].says)) fail_msg("joc %s: did not say '%s' but:\n%s", rows[i].arguments, rows[i].says, printed);
        free(printed);
    }
}

static const char *const names[] = { "list", "new", "check", "fmt", "options", "show", "moves", "perft", "sim", "solve", "play", "replay", "diff", "test", "tables", "explain" };

static void test_every_command_has_help_with_an_example(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char arguments[100], *printed, *again;
        snprintf(arguments, sizeof arguments, "%s --help", names[i]);
        assert_int_equal(ran(arguments, &printed), 0);
        assert_non_null(strstr(printed, "example:\n  joc "));
        snprintf(arguments, sizeof arguments, "help %s", names[i]);
        assert_int_equal(ran(arguments, &again), 0);
        assert_string_equal(printed, again);
        free(printed), free(again);
    }
}

static void test_the_examples_of_the_help_work(void **state) {
    (void)state;
    static const char *const examples[] = { "list", "options hex", "show hex --option size=5 --line \"a1 c3\"", "moves hex --line \"a1\"", "perft hex 3",
                                            "sim hex --games 100 -j 2", "tables hex", "explain E0101" };
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        char *printed;
        int code = ran(examples[i], &printed);
        if (code) fail_msg("joc %s: %s", examples[i], printed);
        free(printed);
    }
}

static void test_the_man_page_is_as_the_table_says(void **state) {
    (void)state;
    char *printed;
    size_t length;
    assert_int_equal(ran("--man", &printed), 0);
    char *kept = file_read("docs/joc.1", 1 << 20, &length);
    assert_non_null(kept);
    if (strcmp(kept, printed)) fail_msg("docs/joc.1 is not what `joc --man` prints; `make man` writes it");
    free(kept), free(printed);
    assert_int_equal(ran("--completion", &printed), 0);
    for (size_t i = 0; i < COUNT_OF(names); i++) assert_non_null(strstr(printed, names[i]));
    free(printed);
    assert_int_equal(run("joc() { :; }; for f in bash; do command -v $f >/dev/null || exit 0; done; ${JOC:-build/asan/joc} --completion | bash -n", &printed), 0);
    free(printed);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------------------- */
static json_t *answer(const char *arguments, int code) {
    char *printed;
    json_error_t e;
    int got = ran(arguments, &printed);
    json_t *j = json_loads(printed, 0, &e);
    if (!j) fail_msg("joc %s: no JSON: %s\n%s", arguments, e.text, printed);
    if (got != code) fail_msg("joc %s: ended with %d: %s", arguments, got, printed);
    assert_int_equal(json_integer_value(json_object_get(j, "format")), 1);
    free(printed);
    return j;
}

static void test_json_has_the_documented_fields(void **state) {
    (void)state;
    static const struct { const char *arguments; int code; const char *fields; } asked[] = {
        { "list --json", 0, "command games" },
        { "options go --json", 0, "title players options presets" },
        { "show hex --json", 0, "title position hash state turns mover pieces drawing" },
        { "show tic-tac-toe --line 'a1 b1 a2 b2 a3' --json", 0, "result" },
        { "moves hex --json", 0, "position moves" },
        { "perft hex 2 --json", 0, "counts" },
        { "perft hex 2 --divide --json", 0, "divide" },
        { "sim hex --games 20 --json", 0, "title random seed seats games interrupted wins draws unfinished stuck decisions turns choices seconds" },
        { "test games/hex.joc --json", 0, "ok tests checks failed failures messages" },
        { "check games/hex.joc --json", 0, "ok files" },
        { "explain E0101 --json", 0, "code title wrong right" },
        { "show nosuch --json", 3, "ok error" },
        { "show tic-tac-toe --at '3/3/4 X' --json", 1, "ok messages" },
    };
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        json_t *j = answer(asked[i].arguments, asked[i].code);
        char fields[200], *save = NULL;
        snprintf(fields, sizeof fields, "%s", asked[i].fields);
        for (char *f = strtok_r(fields, " ", &save); f; f = strtok_r(NULL, " ", &save))
            if (!json_object_get(j, f)) fail_msg("joc %s: no field '%s'", asked[i].arguments, f);
        json_decref(j);
    }
}

static void test_json_counts_are_right(void **state) {
    (void)state;
    json_t *j = answer("perft chess 3 --json", 0);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(json_object_get(j, "counts"), 2), "nodes")), 8902);
    json_decref(j);
    j = answer("moves tic-tac-toe --json", 0);
    assert_int_equal(json_array_size(json_object_get(j, "moves")), 9);
    json_decref(j);
}

/* ---- rule files --------------------------------------------------------------------------------------------------------------------- */
static void test_a_new_rule_file_checks_and_passes_its_tests(void **state) {
    (void)state;
    char *printed;
    assert_int_equal(ran("new $D/mine", &printed), 0);
    free(printed);
    int code = ran("check --strict $D/mine.joc", &printed);
    if (code || *printed) fail_msg("%s", printed);
    free(printed);
    code = ran("test $D/mine.joc", &printed);
    if (code) fail_msg("%s", printed);
    free(printed);
    if (ran("fmt --check $D/mine.joc", &printed)) fail_msg("%s", printed);
    free(printed);
    assert_int_equal(ran("new $D/mine", &printed), 3);          /* never overwritten */
    free(printed);
    assert_int_equal(ran("sim $D/mine.joc --games 50 --json", &printed), 0);
    free(printed);
    assert_int_equal(ran("new $D/other --from chess", &printed), 0);
    free(printed);
    if (ran("check $D/other.joc", &printed)) fail_msg("%s", printed);
    free(printed);
}

static void write_in_folder(const char *name, const char *s) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(file_write(path, s, strlen(s)));
}

static void test_check_says_all_faults_and_fmt_mends_layout(void **state) {
    (void)state;
    char *printed;
    write_in_folder("bad.joc", "game \"Bad\"\nplayers A, B\nboard square 3 by 3\npiece Man\nturn { drop Mna to emtpy }\nwin when any own rwo 3\n");
    assert_int_equal(ran("check $D/bad.joc", &printed), 1);
    assert_non_null(strstr(printed, "bad.joc:5:"));
    assert_non_null(strstr(printed, "bad.joc:6:"));
    free(printed);
    write_in_folder("loose.joc", "game   \"Loose\"\nplayers A,B\nboard square 3 by 3\npiece Man   # a man\nturn { drop Man to empty }\ndraw when no empty\n");
    assert_int_equal(ran("fmt --check $D/loose.joc", &printed), 1);
    free(printed);
    assert_int_equal(ran("fmt $D/loose.joc", &printed), 0);
    free(printed);
    assert_int_equal(ran("fmt --check $D/loose.joc", &printed), 0);
    free(printed);
    assert_int_equal(ran("fmt - < $D/loose.joc", &printed), 0);
    assert_non_null(strstr(printed, "# a man"));
    free(printed);
}

/* ---- sim ---------------------------------------------------------------------------------------------------------------------------- */
static void test_sim_does_not_depend_on_jobs(void **state) {
    (void)state;
    static const char *const games[] = { "hex --option size=5", "pig", "tic-tac-toe --seat X=mcts:visits=20" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        char arguments[200], *one, *three;
        snprintf(arguments, sizeof arguments, "sim %s --games 100 -j 1 --seed 9", games[i]);
        assert_int_equal(ran(arguments, &one), 0);
        snprintf(arguments, sizeof arguments, "sim %s --games 100 -j 3 --seed 9", games[i]);
        assert_int_equal(ran(arguments, &three), 0);
        assert_string_equal(one, three);
        free(one), free(three);
    }
}

static void test_interrupted_jobs_say_what_they_have(void **state) {
    (void)state;
    char *printed;
    int code = ran("sim chess --games 1000000000 --cap 100 > $D/out & p=$!; sleep 1; kill -INT $p; wait $p; c=$?; cat $D/out; exit $c", &printed);
    if (code != 130) fail_msg("ended with %d: %s", code, printed);
    assert_non_null(strstr(printed, "games at random"));
    free(printed);
    code = ran("perft chess 12 > $D/out & p=$!; sleep 1; kill -INT $p; wait $p; c=$?; cat $D/out; exit $c", &printed);
    if (code != 130) fail_msg("ended with %d: %s", code, printed);
    assert_non_null(strstr(printed, "3 8902\n"));
    free(printed);
    for (int search = 0; search < 2; search++) {
        text t = { 0 };
        text_format(&t, "solve %s 2> $D/out & p=$!; sleep 1; kill -INT $p; wait $p; c=$?; cat $D/out; exit $c", search ? "kalah --search" : "chess");
        code = ran(t.data, &printed);
        if (code != 130) fail_msg("ended with %d: %s", code, printed);
        assert_non_null(strstr(printed, "until then"));
        free(printed);
        text_free(&t);
    }
}

/* ---- play --------------------------------------------------------------------------------------------------------------------------- */
static const struct { const char *typed, *arguments; int code; const char *says[3]; } played[] = {
    { "a1\\nb1\\na2\\nb2\\na3\\n", "play tic-tac-toe", 0, { "X wins" } },
    { "zz\\n", "play tic-tac-toe", 0, { "zz" } },
    { "%02100d\\nb1\\n", "play tic-tac-toe", 0, { "that line is too long", "O to move" } },
    { "moves\\nquit\\n", "play tic-tac-toe", 0, { "a1  b1  c1  a2" } },
    { "help\\nquit\\n", "play tic-tac-toe", 0, { "undo" } },
    { "help\\nquit\\n", "play dacii-si-romanii", 0, { "Mutarea Dromihete", "cohortă c4-c5-c6 x c7", "undo" } },
    { "help\\nquit\\n", "play goofspiel", 0, { "log        what has happened" } },
    { "Rank6 Bob\\nundo\\nquit\\n", "play go-fish --seed 4", 0, { "what was seen stays seen" } },
    { "BUR\\nundo\\nAPU 1\\nlog\\nquit\\n", "play dracones --seed 5", 0, { "Red: deploy APU\n  Red: 1\n" } },
    { "a1\\nundo\\nb1\\nboard\\n", "play tic-tac-toe", 0, { "1 · X ·" } },
    { "undo\\n", "play tic-tac-toe", 0, { "nothing to take back" } },
    { "hint\\n", "play tic-tac-toe", 0, { "expects" } },
    { "resign\\n", "play tic-tac-toe", 0, { "X resigns; O wins" } },
    { "options\\n", "play hex --option size=5 --option swap=no", 0, { "house rules: size = 5 (else 11), swap = no (else yes)", "cells on a side" } },
    { "quit\\n", "play games/skiryuk-strict.house.yaml --seed 1", 0, { "The strict table: rosette = same (else thrown), chain = no (else yes), entry_empty = yes (else no)" } },
    { "quit\\n", "play go --preset beginner --option komi=13", 0, { "house rules: size = 9 (else 19), komi = 13 (else 15)" } },
    { "save $D/typed.yaml\\n", "play tic-tac-toe", 0, { "wrote" } },
    { "a1\\n", "play tic-tac-toe --seat O=mcts:visits=50", 0, { "O plays " } },
    { "", "play tic-tac-toe --seat all=random --seed 3", 0, { "X plays ", "O plays " } },
    { "", "play pig --seat all=random --seed 3", 0, { " throws ", "wins" } },
    { "", "play ur --seat all=random --seed 3", 0, { " throws ", "wins" } },
    { "2\\nC3\\n0\\n", "play ur-finkel --dice real", 0, { "White to move (turn 1), chance decides", "throw = 2", "Black has no move with [0] and passes" } },
    { "56\\n3 3\\n", "play backgammon --dice real --at '(mm)(mm)(mm)(mm)(mm)(mm)17(MM) White bar.White=Man*1 turns=4'", 0,
      { "nothing is left for White to choose; Black is next", "pair = 3, 3" } },
    { "hand-C4\\n5\\n3\\n", "play ur --dice real", 0, { "that is no throw here; type what the dice show: 1, 2, 3 or 4", "throw = 3" } },
    { "6 6\\n13\\n", "play backgammon --dice real", 0, { "that is no throw here; type what the dice show, such as 1 2", "pair = 3, 1" } },
    { "6\\nundo\\n5\\n", "play pig --dice real", 0, { "die = 6", "die = 5" } },
    { "", "play pig --dice loaded", 2, { "--dice is real or drawn, not 'loaded'" } },
    { "a1\\n", "play tic-tac-toe --at '3/3/3 O'", 0, { "O to move" } },
};

static void test_matches_are_played_from_a_pipe(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(played); i++) {
        text t = { 0 };
        char *printed;
        text_format(&t, "D=%s; printf \"%s\" | %s %s", folder, played[i].typed, joc(), played[i].arguments);
        int code = run(t.data, &printed);
        if (code != played[i].code) fail_msg("%s: ended with %d:\n%s", t.data, code, printed);
        for (size_t k = 0; k < 3 && played[i].says[k]; k++)
            if (!strstr(printed, played[i].says[k])) fail_msg("%s: did not say '%s' but:\n%s", t.data, played[i].says[k], printed);
        text_free(&t);
        free(printed);
    }
}

static void test_a_match_goes_on_from_its_record(void **state) {
    (void)state;
    char *printed;
    text t = { 0 };
    text_format(&t, "D=%s; printf 'b2\\na1\\n' | %s play tic-tac-toe --save $D/m.yaml && %s check $D/m.yaml && printf 'b1\\na3\\nb3\\n' | %s play --from $D/m.yaml && cat $D/m.yaml", folder, joc(), joc(), joc());
    int code = run(t.data, &printed);
    if (code) fail_msg("%s", printed);
    assert_non_null(strstr(printed, "X wins"));
    assert_non_null(strstr(printed, "outcome: win"));
    assert_non_null(strstr(printed, "  - O: a1\n  - X: b1\n"));
    text_free(&t);
    free(printed);
}

/* Killed at any moment, the record on disk is whole. */
static void test_a_killed_match_leaves_a_whole_record(void **state) {
    (void)state;
    char *printed;
    text t = { 0 };
    text_format(&t, "D=%s; for i in 1 2 3 4 5; do %s play hex --seat all=random --save $D/k.yaml >/dev/null & p=$!; sleep 0.1; kill -9 $p; wait $p; [ ! -e $D/k.yaml ] || %s check $D/k.yaml || exit 1; done; exit 0", folder, joc(), joc());
    int code = run(t.data, &printed);
    if (code) fail_msg("%s", printed);
    text_free(&t);
    free(printed);
}

/* What is left of a line falls away with the screen, keys do not bring back what another typed, and a screen that nobody takes shows nothing. */
static void test_nobody_types_or_reads_back_for_another(void **state) {
    (void)state;
    static const struct { const char *command, *says, *says_not; } lines[] = {
        { "printf 'BUR 8 stop SAL 5\\nquit\\n' | ${JOC:-build/asan/joc} play games/dracones.joc --seed 5", "pass the screen to Blue", "Blue: deploy SAL" },
        { "command -v script >/dev/null || exit 0; printf '\\rCard7\\r\\r\\033[A\\rquit\\r' | script -qec \"${JOC:-build/asan/joc} play games/goofspiel.joc --seed 3\" /dev/null", "", "turn 2" },
        { "command -v script >/dev/null || exit 0; printf '\\rBet\\r\\004' | timeout 20 script -qec \"${JOC:-build/asan/joc} play games/kuhn-poker.joc --seed 4\" /dev/null", "", "King" },
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char *printed;
        int code = run(lines[i].command, &printed);
        if (code || !strstr(printed, lines[i].says) || strstr(printed, lines[i].says_not)) fail_msg("%s: ended with %d:\n%s", lines[i].command, code, printed);
        free(printed);
    }
}

static void test_colour_is_for_terminals(void **state) {
    (void)state;
    char *printed;
    assert_int_equal(ran("show chess", &printed), 0);
    assert_null(strchr(printed, '\033'));
    free(printed);
    int code = run("command -v script >/dev/null || exit 0; script -qec \"${JOC:-build/asan/joc} show chess\" /dev/null", &printed);
    assert_int_equal(code, 0);
    if (*printed) assert_non_null(strchr(printed, '\033'));
    free(printed);
    code = run("command -v script >/dev/null || exit 0; NO_COLOR=1 script -qec \"${JOC:-build/asan/joc} show chess\" /dev/null", &printed);
    assert_int_equal(code, 0);
    assert_null(strchr(printed, '\033'));
    free(printed);
}

static int set_up(void **state) {
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm-256color", 1);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char *printed, command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    run(command, &printed);
    free(printed);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_and_exit_codes),
        cmocka_unit_test(test_every_command_has_help_with_an_example),
        cmocka_unit_test(test_the_examples_of_the_help_work),
        cmocka_unit_test(test_the_man_page_is_as_the_table_says),
        cmocka_unit_test(test_json_has_the_documented_fields),
        cmocka_unit_test(test_json_counts_are_right),
        cmocka_unit_test(test_a_new_rule_file_checks_and_passes_its_tests),
        cmocka_unit_test(test_check_says_all_faults_and_fmt_mends_layout),
        cmocka_unit_test(test_sim_does_not_depend_on_jobs),
        cmocka_unit_test(test_interrupted_jobs_say_what_they_have),
        cmocka_unit_test(test_matches_are_played_from_a_pipe),
        cmocka_unit_test(test_a_match_goes_on_from_its_record),
        cmocka_unit_test(test_a_killed_match_leaves_a_whole_record),
        cmocka_unit_test(test_nobody_types_or_reads_back_for_another),
        cmocka_unit_test(test_colour_is_for_terminals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
