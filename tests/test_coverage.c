/* Coverage of the tests written in rule files: what they made, held and failed, and what they did not. */
#include "tests/helper.h"

static const char rules_text[] =
    "game \"Covered\"\n"
    "players White north, Black south\n"
    "board square 3 by 4\n"
    "option leaps = no \"a man may leap\"\n"
    "piece Man {\n"
    "  walk: step ahead to empty\n"
    "  bound: when leaps, step 2 ahead to empty\n"
    "  take_one: step forward diagonal to enemy, if any taken { again }\n"
    "}\n"
    "setup { place White Man on row 1; place Black Man on row 4 }\n"
    "turn {\n"
    "  { take_one | walk | bound } else stuck_now\n"
    "}\n"
    "stuck_now: lose\n"
    "win when no enemy\n"
    "test \"walks\" { expect moves = 3; after \"a1-a2\" }\n";

static joc_coverage *covered_by(const char *more)
{
    joc_messages *m = joc_messages_new();
    joc_coverage *c = NULL;
    text all = { 0 };
    text_format(&all, "%s%s", rules_text, more);
    joc_rules *r = joc_rules_parse("covered.joc", all.data, all.length, m);
    if (!r) fail_msg("%s", joc_messages_text(m, false));
    const joc_test_count n = joc_test_covered(r, NULL, NULL, m, &c);
    assert_int_equal(n.failed, 0);
    assert_non_null(c);
    text_free(&all);
    joc_rules_free(r);
    joc_messages_free(m);
    return c;
}

static bool gap(const joc_coverage *c, const char *kind, const char *words, unsigned line)
{
    for (size_t i = 0; i < joc_coverage_gaps(c); i++) {
        const joc_gap g = joc_coverage_gap(c, i);
        if (!strcmp(g.kind, kind) && strstr(g.words, words) && g.line == line) return true;
    }
    return false;
}

static void test_what_tests_leave_out_is_told(void **state)
{
    (void)state;
    size_t made, both;
    joc_coverage *c = covered_by("");
    assert_int_equal(joc_coverage_rules(c, &made), 4);
    assert_int_equal(made, 1);
    assert_true(gap(c, "rule", "bound", 7));
    assert_true(gap(c, "rule", "take_one", 8));
    assert_true(gap(c, "rule", "stuck_now", 14));
    assert_false(gap(c, "rule", "walk", 6));
    assert_true(gap(c, "held", "no enemy", 15));
    assert_false(gap(c, "failed", "no enemy", 15));
    joc_coverage_free(c);
    (void)both;
}

static void test_more_tests_close_gaps_under_options_too(void **state)
{
    (void)state;
    size_t made, both;
    joc_coverage *c = covered_by("test \"leaps\" { option leaps = yes; legal \"a1-a3\" }\n"
                                 "test \"takes the last\" { turn White { place White Man on a1; place Black Man on b2 } after \"a1xb2\"; expect winner = White }\n"
                                 "test \"none left\" { turn White { place White Man on a4; place Black Man on c1 } expect winner = Black }\n");
    assert_int_equal(joc_coverage_rules(c, &made), 4);
    assert_int_equal(made, 4);
    assert_false(gap(c, "held", "no enemy", 15));
    assert_true(gap(c, "failed", "any taken", 8));
    assert_int_equal(joc_coverage_gaps(c), 1);
    assert_int_equal(joc_coverage_conditions(c, &both), 2);
    assert_int_equal(both, 1);
    joc_coverage_free(c);
}

static void test_the_command_tells_gaps(void **state)
{
    (void)state;
    const char *joc = getenv("JOC") ? getenv("JOC") : "build/asan/joc";
    static const char rules[] = "game \"Strides\"\nplayers A north, B south\nboard square 3 by 3\npiece Man { walk: step ahead to empty; hop: step 2 ahead to empty }\n"
                                "setup { by everyone { place Man on row 1 } }\nturn { walk | hop else draw }\nwin when any own row 3\ntest \"one step\" { legal \"a1-a2\" }\n";
    char command[400], path[] = "/tmp/joc-coverage-XXXXXX", file[60], *out;
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/strides.joc", path);
    assert_true(file_write(file, rules, strlen(rules)));
    snprintf(command, sizeof command, "%s test --coverage games/tic-tac-toe.joc %s", joc, file);
    assert_int_equal(run(command, &out), 0);
    assert_non_null(strstr(out, "games/tic-tac-toe.joc: 0 of 0 rules made, 2 of 2 conditions held and failed"));
    assert_non_null(strstr(out, "rule 'hop' is part of no move that a test names"));
    assert_null(strstr(out, "rule 'walk' is part of no move"));
    free(out);
    assert_true(remove(file) == 0 && rmdir(path) == 0);
    snprintf(command, sizeof command, "%s test --coverage --json games/chess.joc", joc);
    assert_int_equal(run(command, &out), 0);
    assert_non_null(strstr(out, "\"coverage\""));
    assert_non_null(strstr(out, "\"gaps\""));
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_tests_leave_out_is_told),
        cmocka_unit_test(test_more_tests_close_gaps_under_options_too),
        cmocka_unit_test(test_the_command_tells_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
