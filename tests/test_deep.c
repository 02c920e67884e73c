/* What looking deeper finds: a shortest game to a dead end, runaways, games without end, rules and ends never seen; and nothing in games that are right. */
#include "tests/helper.h"
#include "interp/inside.h"

static joc_game *compiled(const char *rules_text)
{
    joc_messages *m = joc_messages_new();
    joc_rules *r = joc_rules_parse("deep.joc", rules_text, strlen(rules_text), m);
    joc_game *g = r ? joc_compile(r, NULL, 0, 0, m) : NULL;
    if (!g) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(r);
    joc_messages_free(m);
    return g;
}

static const struct { const char *rules, *code, *game; uint64_t stuck_after; } rows[] = {
    /* six men on three files of four cells: one step each, and nobody can go on */
    { "game \"x\"\nplayers White north, Black south\nboard square 1 by 4\npiece Man { move: step ahead to empty }\nsetup { place White Man on a1; place Black Man on a4 }\nturn { move }\nwin when turns = 99\n", "W0430", "a1-a2; a4-a3", 2 },
    /* what is committed cannot be completed */
    { "game \"x\"\nplayers White north, Black south\nboard square 1 by 3\npiece Man { move: step ahead to empty }\nsetup { place White Man on a1 }\nturn { if mover = White { move; commit; move; commit; move } else { pass } }\nwin when turns = 99\n", "W0430", "a1-a2; a2-a3", 2 },
    /* pieces go back and forth for ever */
    { "game \"x\"\nplayers White north, Black south\nboard square 2 by 2\npiece Man { move: step to empty }\nsetup { place White Man on a1; place Black Man on b2 }\nturn { move else lose }\nwin when turns = 100000\n", "W0434", NULL, 0 },
    /* a rule that cannot be */
    { "game \"x\"\nplayers White north, Black south\nboard square 3 by 3\npiece Man { move: step ahead to empty; bound: step 3 ahead to empty }\nsetup { place White Man on a1; place Black Man on c3 }\nturn { move | bound else lose }\nwin when turns = 9\n", "N0432", NULL, 0 },
    /* an end that never comes */
    { "game \"x\"\nplayers White north, Black south\nboard square 3 by 3\npiece Man { move: step ahead to empty }\nsetup { place White Man on a1; place Black Man on c3 }\nturn { move else lose }\nwin when turns = 99\n", "N0433", NULL, 0 },
};

static void test_faults_are_found_with_a_shortest_game(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *g = compiled(rows[i].rules);
        joc_messages *m = joc_messages_new();
        joc_deep found;
        joc_deep_look(g, 20000, 5, m, &found, NULL);
        bool told = false;
        for (size_t j = 0; j < joc_messages_count(m); j++) told |= strcmp(joc_messages_at(m, j).code, rows[i].code) == 0;
        if (!told) fail_msg("row %zu: no %s", i, rows[i].code);
        if (rows[i].game) { assert_non_null(found.game); assert_string_equal(found.game, rows[i].game); assert_int_equal(found.length, rows[i].stuck_after); }
        else assert_null(found.game);
        joc_deep_free(&found);
        joc_messages_free(m);
        joc_game_free(g);
    }
}

/* A dead end is told at the condition that alone stands against a move. */
static void test_a_dead_end_points_at_its_guard(void **state)
{
    (void)state;
    static const struct { const char *turn, *at, *says; } guarded[] = {
        { "turn { when turns < 2, move }", "turns < 2", "this does not hold" },
        { "turn { if turns < 2 { move } else { pick here in own, when any enemy Man row 9, step to empty } }", "any enemy Man row 9", "this does not hold" },
        { "turn { move }\nlate: illegal when turns > 2", "turns > 2", "this holds" },
    };
    for (size_t i = 0; i < COUNT_OF(guarded); i++) {
        text rules = { 0 };
        text_format(&rules, "game \"x\"\nplayers White north, Black south\nboard square 3 by 3\npiece Man { move: step to empty }\nsetup { place White Man on a1; place Black Man on c3 }\n%s\nwin when turns = 99\n", guarded[i].turn);
        joc_game *g = compiled(rules.data);
        joc_messages *m = joc_messages_new();
        joc_deep found;
        joc_deep_look(g, 5000, 5, m, &found, NULL);
        const char *place = strstr(rules.data, guarded[i].at);
        unsigned line = 1, column = 1;
        for (const char *c = rules.data; c < place; c++) { column = *c == '\n' ? 1 : column + 1; line += *c == '\n'; }
        bool told = false;
        for (size_t j = 0; j < joc_messages_count(m); j++) {
            const joc_message x = joc_messages_at(m, j);
            told |= !strcmp(x.code, "W0430") && x.line == line && x.column == column && strstr(x.text, guarded[i].says);
        }
        if (!told) fail_msg("%s: %s", guarded[i].turn, joc_messages_text(m, false));
        joc_deep_free(&found);
        joc_messages_free(m);
        joc_game_free(g);
        text_free(&rules);
    }
}

/* Ends are told where they stand, those of a variant's parent in the parent's file. */
static void test_ends_are_where_they_stand(void **state)
{
    (void)state;
    static const char *const names[] = { "chess", "losers-chess", "three-check", "turkish-draughts", "brandub", "kalah" };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        joc_game *x = game_named(names[i], NULL);
        const game *g = x->g;
        for (int e = 0; e < g->end_count; e++) {
            const char *at = NULL;
            for (int s = 0; s < g->source_count && !at; s++) if (!strcmp(g->sources[s].path, g->ends[e].path)) at = g->sources[s].text;
            for (unsigned n = 1; at && n < g->ends[e].line; n++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
            if (!at || !memmem(at, strcspn(at, "\n"), g->ends[e].word, strlen(g->ends[e].word))) fail_msg("%s: no '%s' in line %u of %s", names[i], g->ends[e].word, g->ends[e].line, g->ends[e].path);
        }
        joc_game_free(x);
    }
}

static void test_games_have_no_dead_ends(void **state)
{
    (void)state;
    static const char *const names[] = { "tic-tac-toe", "chess", "reversi", "international-draughts", "backgammon", "kalah", "go", "nine-mens-morris", "ur", "pig" };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        joc_game *g = game_named(names[i], NULL);
        joc_messages *m = joc_messages_new();
        joc_deep found;
        joc_deep_look(g, 2000, 2, m, &found, NULL);
        if (found.game) fail_msg("%s: %s", names[i], found.game);
        assert_int_equal(joc_messages_warnings(m), 0);
        assert_true(found.positions > 0);         /* how many depends on the machine */
        joc_deep_free(&found);
        joc_messages_free(m);
        joc_game_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_are_found_with_a_shortest_game),
        cmocka_unit_test(test_a_dead_end_points_at_its_guard),
        cmocka_unit_test(test_ends_are_where_they_stand),
        cmocka_unit_test(test_games_have_no_dead_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
