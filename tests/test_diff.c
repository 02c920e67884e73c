/* joc diff: the declarations that differ, and the first position in which two games behave differently. What is expected follows from the
 * rules: nobody has three in a row before the fifth move, nobody can swap before the first. */
#include "tests/helper.h"
#include "interp/play/differ.h"

static const char *joc_path(void) { return getenv("JOC") ? getenv("JOC") : "build/release/joc"; }

static int ran(const char *arguments, char **printed) {
    text t = { 0 };
    text_format(&t, "%s %s", joc_path(), arguments);
    int code = run(t.data, printed);
    text_free(&t);
    return code;
}

/* ---- behaviour ------------------------------------------------------------------------------------------------------------------------ */
static const struct { const char *a, *options_a, *b, *options_b; difference_kind kind; size_t least, most; } pairs[] = {
    { "tic-tac-toe", "", "misere-tic-tac-toe", "", DIFFER_RESULT, 5, 5 },
    { "tic-tac-toe", "", "tic-tac-toe-4x4", "", DIFFER_MOVES, 0, 0 },
    { "tic-tac-toe", "", "tic-tac-toe", "", ALIKE, 0, 0 },
    { "hex", "size=4 swap=yes", "hex", "size=4 swap=no", DIFFER_MOVES, 1, 1 },
    { "hex", "size=4", "hex", "size=5", DIFFER_MOVES, 0, 0 },
    { "chess", "", "chess", "rush=no", DIFFER_MOVES, 0, 0 },
    { "chess", "", "king-of-the-hill", "dead=yes", DIFFER_STATE, 7, 60 },           /* a pawn and three steps of the king at the soonest */
    { "connect-four", "columns=4 rows=4", "connect-four", "columns=4 rows=4 run=3", DIFFER_STATE, 5, 5 },       /* three in a row end the game */
    { "pig", "goal=20", "pig", "goal=21", DIFFER_STATE, 1, 60 },
};

/* The line leads both games to where they differ. */
static void assert_line(const joc_game *g, const difference *d, const joc_position *there) {
    joc_position *p = joc_start(g, d->seed);
    for (size_t i = 0; i < d->length; i++) {
        joc_moves *list = joc_moves_of(p);
        const joc_move *move = NULL;
        for (size_t k = 0; k < joc_moves_count(list) && !move; k++)
            if (!strcmp(joc_move_text(joc_moves_at(list, k)), d->line[i])) move = joc_moves_at(list, k);
        if (!move) fail_msg("%s: '%s' is no move", joc_game_title(g), d->line[i]);
        joc_play(p, move);
        joc_moves_free(list);
    }
    assert_true(joc_position_equal(p, there));
    joc_position_free(p);
}

static void test_the_first_position_that_differs_is_found(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        joc_game *a = game_named(pairs[i].a, pairs[i].options_a), *b = game_named(pairs[i].b, pairs[i].options_b);
        differ_effort effort = { .positions = 2000, .games = 150, .cap = 60 };
        difference d = differ_find(a, b, &effort);
        if (d.kind != pairs[i].kind || d.length < pairs[i].least || d.length > pairs[i].most)
            fail_msg("%s %s, %s %s: %s after %zu moves", pairs[i].a, pairs[i].options_a, pairs[i].b, pairs[i].options_b, difference_words[d.kind], d.length);
        if (d.kind) assert_line(a, &d, d.a), assert_line(b, &d, d.b);
        if (d.kind == DIFFER_MOVES) assert_true(d.count_a + d.count_b > 0);
        difference_free(&d);
        joc_game_free(a), joc_game_free(b);
    }
}

static void test_the_time_is_bounded(void **state) {
    (void)state;
    joc_game *a = game_named("chess", ""), *b = game_named("chess", "");
    differ_effort effort = { .positions = 100000, .games = 1000000, .cap = 1000, .seconds = 0.2 };
    difference d = differ_find(a, b, &effort);
    assert_int_equal(d.kind, ALIKE);
    assert_true(d.out_of_time && d.positions > 0);
    difference_free(&d);
    joc_game_free(a), joc_game_free(b);
}

static void test_every_game_is_like_itself(void **state) {
    (void)state;
    static const char *const games[] = { "chess", "go", "backgammon", "ur", "kalah", "damarziana", "morabaraba", "chess960" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *a = game_named(games[i], NULL), *b = game_named(games[i], NULL);
        differ_effort effort = { .positions = 50, .games = 2, .cap = 60, .seed = i };
        difference d = differ_find(a, b, &effort);
        if (d.kind) fail_msg("%s: %s after %zu moves", games[i], difference_words[d.kind], d.length);
        assert_int_equal(d.games, 2);
        difference_free(&d);
        joc_game_free(a), joc_game_free(b);
    }
}

/* ---- the command ---------------------------------------------------------------------------------------------------------------------- */
static const struct { const char *arguments; int code; const char *says[4]; } told[] = {
    { "diff games/tic-tac-toe.joc games/tic-tac-toe.joc", 0, { "no difference in behaviour: " } },
    { "diff games/tic-tac-toe.joc games/misere-tic-tac-toe.joc", 1, { "win 1\n  - win when any line 3 of own  (games/tic-tac-toe.joc:", "lose 1\n  + lose when any line 3 of own", "the results differ after 5 moves", "games/tic-tac-toe.joc: X wins\ngames/misere-tic-tac-toe.joc: O wins" } },
    { "diff games/hex.joc games/hex.joc:size=5", 1, { "option size = 11, and 5", "the moves differ after 0 moves", "only in games/hex.joc: " } },
    { "diff games/go.joc:beginner games/go.joc:size=9,komi=11 --games 2", 0, { "no difference in behaviour" } },
    { "diff games/ur.joc games/skiryuk-strict.house.yaml --games 1", 1, { "option rosette = thrown, and same" } },
    { "diff games/chess.joc games/three-check.joc --games 1", 1, { "turn\n  - turn { ", "keep left\n  + keep left of player 0..9 = checks" } },
    { "diff --json games/tic-tac-toe.joc games/misere-tic-tac-toe.joc", 1, { "\"alike\": false", "\"what\": \"the results differ\"", "\"name\": \"win 1\"", "\"only_a\": []" } },
    { "diff games/hex.joc", 2, { "missing" } },
    { "diff games/hex.joc games/hex.joc:sise=5", 2, { "did you mean 'size'?" } },
    { "diff games/hex.joc games/hex.joc:beginner", 2, { "no preset 'beginner'" } },
    { "diff games/hex.joc games/nosuch.joc", 3, { "no rule file" } },
    { "diff games/connect-four.joc games/connect-four.joc:columns=4,rows=4,run=5", 1, { "these options do not go together" } },
};

static void test_differences_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        char *printed;
        int code = ran(told[i].arguments, &printed);
        if (code != told[i].code) fail_msg("%s: ended with %d: %s", told[i].arguments, code, printed);
        for (size_t k = 0; k < 4 && told[i].says[k]; k++)
            if (!strstr(printed, told[i].says[k])) fail_msg("%s: no '%s' in:\n%s", told[i].arguments, told[i].says[k], printed);
        free(printed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_position_that_differs_is_found),
        cmocka_unit_test(test_the_time_is_bounded),
        cmocka_unit_test(test_every_game_is_like_itself),
        cmocka_unit_test(test_differences_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
