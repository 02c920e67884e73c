/* Exact values, against published ones and against what can be worked out by hand.
 *
 * JOC_SOLVE=more also works out what takes minutes.
 *
 * Where a published value rests on an iteration that was stopped, its last digits are not ours: rows are compared within `within`. */
#include <math.h>
#include "tests/helper.h"
#include "interp/play/search.h"
#include "interp/play/solve.h"

static joc_game *game_of(const char *path, const char *rules_text, const char *settings) {
    joc_messages *m = joc_messages_new();
    char copy[200], *save = NULL;
    joc_setting list[8];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(w, '=');
        *equals = 0;
        list[count++] = (joc_setting){ w, equals + 1 };
    }
    joc_rules *rules = rules_text ? joc_rules_parse(path, rules_text, strlen(rules_text), m) : joc_rules_load(path, m);
    joc_game *game = rules ? joc_compile(rules, list, count, 0, m) : NULL;
    if (!game) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(rules);
    joc_messages_free(m);
    return game;
}

static solution solved(const joc_position *p, bool scores) {
    graph_how how = { .memory = (uint64_t)4 << 30, .scores = scores };
    solution s = solve(p, &how);
    assert_int_equal(s.state, GRAPH_DONE);
    assert_true(s.valued);
    return s;
}

static solution solved_start(const char *path, const char *rules_text, const char *settings, bool scores) {
    joc_game *g = game_of(path, rules_text, settings);
    joc_position *p = joc_start(g, 1);
    solution s = solved(p, scores);
    joc_position_free(p);
    joc_game_free(g);
    return s;
}

static bool sanitized(void) {
#if defined(__SANITIZE_ADDRESS__)
    return true;
#else
    return false;
#endif
}

static bool asked_for_more(void) {
    const char *asked = getenv("JOC_SOLVE");
    return asked && !strcmp(asked, "more");
}

/* ---- published ---------------------------------------------------------------------------------------------------------------------- */
enum { SMALL, LARGE, MORE };         /* always; not with sanitizers; only if asked for */
static const struct { const char *game, *settings; double value, within; int size; } published[] = {
    { "pig", "goal=10", 0.7094243225985, 1e-12, SMALL },
    { "pig", "goal=20", 0.6155585498050425, 1e-15, SMALL },                 /* by a second program of ours, written from the rules */
    { "pig", "goal=50", 0.5461508441663, 1e-12, LARGE },
    { "ur-finkel", "pieces=1", 0.5300498395, 1e-10, SMALL },
    { "ur-finkel", "pieces=3", 0.5162011022, 1e-10, MORE },
    { "ur-finkel", "pieces=4", 0.5161592336, 1e-10, MORE },
    { "pig", "goal=100", 0.5305927252738, 1e-12, MORE },
    { "ur-finkel", "pieces=2", 0.5185729075, 1e-10, LARGE },
    { "tic-tac-toe", "", 0.5, 0, SMALL },
    { "dodgem", "", 1, 0, SMALL },
    { "mu-torere", "", 0.5, 0, SMALL },
    { "hex", "size=3 swap=no", 1, 0, SMALL },
};

static void test_published_values_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(published); i++) {
        char path[100];
        if ((published[i].size == LARGE && sanitized()) || (published[i].size == MORE && !asked_for_more())) continue;
        snprintf(path, sizeof path, "games/%s.joc", published[i].game);
        solution s = solved_start(path, NULL, published[i].settings, false);
        double value = (s.start.low + s.start.high) / 2;
        if (fabs(value - published[i].value) > published[i].within) fail_msg("%s %s: %.16f, not %.16f", published[i].game, published[i].settings, value, published[i].value);
        assert_true(s.bound < 1e-12);
        solution_free(&s);
    }
}

static void test_depths_and_numbers_of_positions_are_as_published(void **state) {
    (void)state;
    solution s = solved_start("games/tic-tac-toe.joc", NULL, "", false);
    assert_int_equal(s.g.count, 5478);
    assert_int_equal(s.g.sorts[GRAPH_END], 958);
    solution_free(&s);
    s = solved_start("games/dodgem.joc", NULL, "", false);
    assert_int_equal(s.start.depth, 19);
    solution_free(&s);
    if (sanitized()) return;
    s = solved_start("games/ur-finkel.joc", NULL, "pieces=2", false);
    assert_int_equal(s.g.sorts[GRAPH_CHANCE], 2 * 12869);                   /* both players' positions; published from the mover's side */
    solution_free(&s);
}

/* The last piece of each stands on the last squares: jheled.github.io/royalur. */
static void test_two_last_pieces_are_worth_fractions_of_161(void **state) {
    (void)state;
    static const struct { const char *mine, *other; double value; } rows[] = { { "C8", "A7", 116.0 / 161 }, { "C7", "A8", 74.0 / 161 } };
    joc_game *g = game_of("games/ur-finkel.joc", NULL, "pieces=1");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_position *p = joc_empty(g);
        assert_true(joc_put(p, joc_cell_find(g, rows[i].mine), 0, 0));
        assert_true(joc_put(p, joc_cell_find(g, rows[i].other), 1, 0));
        joc_set_turns(p, 2);
        joc_settle(p);
        solution s = solved(p, false);
        assert_true(fabs(s.start.low - rows[i].value) < 1e-14);
        solution_free(&s);
        joc_position_free(p);
    }
    joc_game_free(g);
}

/* ---- Kalah on small boards: margins by Irving, Donkers and Uiterwijk (2000), recounted --------------------------------------------------- */
static char *kalah_rules(int houses) {
    text t = { 0 };
    char south[32] = "", north[32] = "";
    for (int i = 0; i < houses; i++) {
        snprintf(south + strlen(south), 8, "%c1 ", 'a' + i);
        snprintf(north + strlen(north), 8, "%c2 ", 'a' + houses - 1 - i);
    }
    text_format(&t, "variant \"Kalah of %d\" of \"games/kalah.joc\"\nreplace board square %d by 2\n", houses, houses);
    text_format(&t, "replace track round of South = (%sstore %sa1)\nreplace track round of North = (%sstore %s%c2)\n", south, north, north, south, 'a' + houses - 1);
    return text_take(&t);
}

static const struct { int houses, seeds, margin; bool empty_capture; } kalah[] = {
    { 1, 1, 0, false }, { 1, 2, -2, false }, { 1, 3, 6, false }, { 1, 4, -2, false }, { 1, 5, 2, false }, { 1, 6, 0, false }, { 2, 1, 2, false },
    { 2, 4, -10, false }, { 2, 5, 6, false }, { 3, 2, 4, false }, { 3, 3, 2, false }, { 4, 1, 2, false }, { 5, 1, 0, false }, { 3, 3, 2, true },
    { 6, 1, 2, false }, { 3, 5, 6, false }, { 3, 6, -8, false },
};

static void test_small_kalah_is_worth_what_is_published(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kalah); i++) {
        if (sanitized() && kalah[i].houses * kalah[i].seeds > 6) continue;
        if ((kalah[i].houses == 6 || kalah[i].houses * kalah[i].seeds > 12) && !asked_for_more()) continue;
        char settings[80], *rules = kalah_rules(kalah[i].houses);
        snprintf(settings, sizeof settings, "seeds_each=%d empty_capture=%s", kalah[i].seeds, kalah[i].empty_capture ? "yes" : "no");
        solution s = solved_start("kalah-small.joc", rules, settings, true);
        if (s.start.low != s.start.high || s.start.low != kalah[i].margin) fail_msg("Kalah (%d, %d): %g, not %d", kalah[i].houses, kalah[i].seeds, s.start.low, kalah[i].margin);
        solution_free(&s);
        free(rules);
    }
}

/* The same by questions, and boards of which not everything can be kept. */
static const struct { int houses, seeds, margin; bool empty_capture, more; } searched[] = {
    { 1, 6, 0, false, false }, { 2, 4, -10, false, false }, { 3, 3, 2, false, false }, { 3, 3, 2, true, false }, { 5, 1, 0, false, false }, { 6, 1, 2, false, false },
    { 3, 5, 6, false, false }, { 3, 6, -8, false, false }, { 6, 2, 6, false, false }, { 4, 5, 4, false, true }, { 5, 3, 6, false, true },
};

static void test_searched_kalah_is_worth_what_is_published(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(searched); i++) {
        if (searched[i].more ? !asked_for_more() : sanitized() && searched[i].houses * searched[i].seeds > 9) continue;
        char settings[80], *rules = kalah_rules(searched[i].houses);
        snprintf(settings, sizeof settings, "seeds_each=%d empty_capture=%s", searched[i].seeds, searched[i].empty_capture ? "yes" : "no");
        joc_game *g = game_of("kalah-small.joc", rules, settings);
        joc_position *p = joc_start(g, 1);
        graph_how how = { .memory = (searched[i].more ? 1024u : 64u) << 20, .scores = true };
        search_result r = search(p, &how);
        assert_int_equal(r.state, SEARCH_DONE);
        if (r.value != searched[i].margin) fail_msg("Kalah (%d, %d): %d, not %d", searched[i].houses, searched[i].seeds, r.value, searched[i].margin);
        search_free(&r);
        joc_position_free(p);
        joc_game_free(g);
        free(rules);
    }
}

/* Both ways to a value agree at positions along random games, to the move; a small table forgets, and is right all the same. */
static void test_searched_values_are_the_solved_ones(void **state) {
    (void)state;
    static const struct { const char *game, *settings; bool scores; } rows[] = { { "tic-tac-toe", "", false }, { "hex", "size=3 swap=no", false }, { "hex", "size=3", false } };
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        char path[60];
        snprintf(path, sizeof path, "games/%s.joc", rows[k].game);
        joc_game *g = game_of(path, NULL, rows[k].settings);
        joc_position *p = joc_start(g, 1);
        joc_random random = joc_random_seed(k);
        for (int n = 0; n < 6 && joc_state_of(p) == JOC_DECISION; n++) {
            graph_how how = { .memory = n % 2 ? (uint64_t)1 << 28 : 4096, .scores = rows[k].scores }, whole = { .memory = (uint64_t)1 << 28, .scores = rows[k].scores };
            search_result r = search(p, &how);
            solution s = solve(p, &whole);
            assert_int_equal(r.state, SEARCH_DONE);
            assert_true(r.value / 2.0 == s.start.low);
            assert_int_equal(r.move_count, s.move_count);
            for (uint32_t i = 0; i < r.move_count; i++) assert_int_equal(r.best[i], s.moves[i].low == s.start.low);
            search_free(&r);
            solution_free(&s);
            joc_play_random(p, &random);
        }
        joc_position_free(p);
        joc_game_free(g);
    }
}

static void test_a_search_gives_up_where_positions_come_back(void **state) {
    (void)state;
    joc_game *g = game_of("wait.joc", "game \"Wait\"\nplayers One, Two\nturn { pass | lose }\n", "");
    joc_position *p = joc_start(g, 1);
    graph_how how = { .memory = 1 << 20 };
    search_result r = search(p, &how);
    assert_int_equal(r.state, SEARCH_RETURNS);
    search_free(&r);
    joc_position_free(p);
    joc_game_free(g);
}

/* Published numbers of games of so many moves on boards that have no file of their own. */
static void counts_agree(const char *rules, const char *settings, const uint64_t *counts, int depths) {
    joc_game *g = game_of("small.joc", rules, settings);
    joc_position *p = joc_start(g, 1);
    for (int d = 1; d <= depths; d++) {
        uint64_t n = joc_perft(p, d, (joc_perft_how){ 0 }, NULL);
        if (n != counts[d - 1]) fail_msg("depth %d: %d, not %d", d, (int)n, (int)counts[d - 1]);
    }
    joc_position_free(p);
    joc_game_free(g);
}

static const char OWARE_3[] =
    "variant \"Oware of 3\" of \"games/oware.joc\"\nreplace board square 3 by 2\nreplace track round = (a1 b1 c1 c2 b2 a2 a1)\nsetup { seeds of cells = 2 }\n"
    "replace win when store > 6\nreplace end when no theirs or store = 6 and store of enemy = 6";

static void test_small_boards_have_the_published_counts(void **state) {
    (void)state;
    static const uint64_t kalah_2[] = { 2, 3, 2, 3, 5, 5, 4, 1, 0 }, oware_3[] = { 3, 6, 14, 32, 66, 152, 316, 680, 1417, 2865, 5951 }, oware_ended[] = { 3, 6, 14, 32, 66, 152, 316, 680, 1417, 2865, 5950, 11890 };
    char *rules = kalah_rules(2);
    counts_agree(rules, "seeds_each=2 empty_capture=no", kalah_2, COUNT_OF(kalah_2));
    free(rules);
    for (int ended = 0; ended < 2; ended++) {               /* OpenSpiel's games end where a position comes back */
        text t = { 0 };
        text_format(&t, "%s%s\n", OWARE_3, ended ? " or repeats = 1" : "");
        counts_agree(t.data, "", ended ? oware_ended : oware_3, ended ? COUNT_OF(oware_ended) : COUNT_OF(oware_3));
        text_free(&t);
    }
}

/* ---- lengths: Althoen, King and Schilling 1993, as recounted ------------------------------------------------------------------------------ */
static const struct { const char *rules, *settings; double throws, within; } lengths[] = {
    { "variant \"Alone\" of \"games/snakes-and-ladders.joc\"\nreplace players Red\n", "", 39.2251223082, 1e-10 },
    { "variant \"Alone\" of \"games/snakes-and-ladders.joc\"\nreplace players Red\n", "exact=no", 35.834938413695475, 1e-12 },
    { "variant \"Alone\" of \"games/snakes-and-ladders.joc\"\nreplace players Red\nreplace track chute = (p1 p2)\n"
      "replace turn { roll die; run else pass }\n", "", 33.33333333333337, 1e-10 },
    { "game \"A six\"\nplayers One\ndice die = 1, 2, 3, 4, 5, 6\nturn { roll die; when die = 6, win | when die < 6, pass }\n", "", 6, 1e-12 },
    /* the fewest throws: heads are worth throwing for, once the dear coin is known to be no better */
    { "game \"Two coins\"\nplayers One\ndice fair = 0, 1\ndice poor = 0, 0, 1\nkeep up\n"
      "turn { { roll fair, up = fair > 0 } | { roll poor, up = poor > 0 } }\nwin when up\n", "", 2, 1e-12 },
};

static void test_expected_lengths_are_as_published(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        solution s = solved_start("alone.joc", lengths[i].rules, lengths[i].settings, false);
        if (fabs(s.start.throws - lengths[i].throws) > lengths[i].within) fail_msg("row %zu: %.15g throws, not %.15g", i, s.start.throws, lengths[i].throws);
        assert_true(s.length_error < 1e-10);
        solution_free(&s);
    }
}

/* Both hold at 20 points, or at the goal: Neller and Presser's page gives 53.47 %. A turn is a throw, and `again` goes on with it. */
static const char HOLD[] =
    "game \"Hold at twenty\"\nplayers Ann, Bob\ndice die = 1, 2, 3, 4, 5, 6\nkeep points of player 0..130\nkeep pot 0..30\n"
    "turn {\n  roll die\n  if die = 1 { pot = 0 } else {\n    pot += die\n"
    "    if pot < 20 and points + pot < 100 { again } else { points += pot, pot = 0 }\n  }\n}\nwin when points >= 100\n";

static void test_holding_at_twenty_is_worth_what_is_published(void **state) {
    (void)state;
    solution s = solved_start("hold.joc", HOLD, "", false);
    assert_int_equal(s.g.choices, 0);
    if (fabs(s.start.low - 0.5347) > 0.00005) fail_msg("%.6f", s.start.low);
    assert_true(s.start.throws > s.start.turns - 1e-9 && s.start.turns > 10);
    solution_free(&s);
}

/* ---- endless play, limits ----------------------------------------------------------------------------------------------------------------- */
static const char ENDLESS[] = "game \"Wait\"\nplayers One, Two\nturn { pass | lose }\n";
static const char ENDLESS_CHANCE[] = "game \"Wait\"\nplayers One, Two\ndice coin = 0, 1\nturn { roll coin, { pass | lose } }\n";

static void test_endless_play_is_a_draw_or_a_bound(void **state) {
    (void)state;
    solution s = solved_start("wait.joc", ENDLESS, "", false);
    assert_true(s.start.low == 0.5 && s.start.high == 0.5 && s.start.depth == -1);
    solution_free(&s);
    s = solved_start("wait.joc", ENDLESS_CHANCE, "", false);
    assert_true(s.start.low == 0 && s.start.high == 1);
    solution_free(&s);
}

static void test_memory_is_kept_to_and_stopping_is_safe(void **state) {
    (void)state;
    static const volatile bool stop = true;
    char *fault;
    graph g;
    joc_game *chess = game_of("games/chess.joc", NULL, "");
    joc_position *p = joc_start(chess, 1);
    graph_how small = { .memory = 1 << 20 }, stopped = { .memory = (uint64_t)1 << 30, .stop = &stop };
    assert_int_equal(graph_find(&g, p, &small, &fault), GRAPH_FULL);
    assert_true(graph_bytes(&g) <= 1 << 20);
    graph_free(&g);
    assert_int_equal(graph_find(&g, p, &stopped, &fault), GRAPH_STOPPED);
    graph_free(&g);
    joc_position_free(p);
    joc_game_free(chess);
}

/* ---- what orders a search ------------------------------------------------------------------------------------------------------------------- */
/* The standing asked along random games changes nothing of them, and is the result's score at their end. */
static void test_the_standing_is_the_score_asked_early(void **state) {
    (void)state;
    static const char *const games[] = { "kalah", "oware", "backgammon", "go", "hex" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *g = game_named(games[i], NULL);
        joc_position *p = joc_start(g, i);
        joc_random random = joc_random_seed(i);
        int64_t scores[2] = { 0 };
        for (int n = 0; n < 2000 && joc_state_of(p) != JOC_OVER; n++) {
            char *before = joc_state_text(p);
            const uint64_t key = joc_position_hash(p);
            assert_int_equal(joc_standing(p, scores), joc_game_has_score(g));
            char *after = joc_state_text(p);
            assert_string_equal(before, after);
            assert_int_equal(joc_position_hash(p), key);
            free(before), free(after);
            joc_play_random(p, &random);
        }
        const joc_result r = joc_result_of(p);
        assert_true(r.outcome != JOC_RUNNING && r.scored == joc_game_has_score(g));
        for (int k = 0; r.scored && k < 2; k++) assert_true(joc_standing(p, scores) && scores[k] == r.scores[k]);
        joc_position_free(p);
        joc_game_free(g);
    }
}

/* ---- positions as bytes --------------------------------------------------------------------------------------------------------------------- */
static void test_a_position_comes_back_from_its_bytes(void **state) {
    (void)state;
    static const char *const games[] = { "ur", "backgammon", "pig", "lasca", "chess", "damarziana", "dracones", "kalah", "stratego" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *g = game_named(games[i], NULL);
        joc_position *p = joc_start(g, i), *q = joc_empty(g);
        joc_random random = joc_random_seed(i);
        void *bytes = memory_of(1, joc_position_bytes(g));
        for (int n = 0; n < 60; n++) {
            joc_position *copy = joc_position_copy(p);
            assert_true(joc_position_save(copy, bytes) <= joc_position_bytes(g));
            joc_position_load(q, bytes);
            assert_int_equal(joc_position_key(q), joc_position_key(copy));
            char *a = joc_state_text(copy), *b = joc_state_text(q);
            assert_string_equal(a, b);
            joc_moves *x = joc_moves_of(copy), *y = joc_moves_of(q);
            assert_int_equal(joc_moves_count(x), joc_moves_count(y));
            joc_moves_free(x), joc_moves_free(y);
            free(a), free(b);
            joc_position_free(copy);
            if (!joc_play_random(p, &random)) break;
        }
        free(bytes);
        joc_position_free(p);
        joc_position_free(q);
        joc_game_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values_are_found),
        cmocka_unit_test(test_depths_and_numbers_of_positions_are_as_published),
        cmocka_unit_test(test_two_last_pieces_are_worth_fractions_of_161),
        cmocka_unit_test(test_small_kalah_is_worth_what_is_published),
        cmocka_unit_test(test_searched_kalah_is_worth_what_is_published),
        cmocka_unit_test(test_searched_values_are_the_solved_ones),
        cmocka_unit_test(test_a_search_gives_up_where_positions_come_back),
        cmocka_unit_test(test_small_boards_have_the_published_counts),
        cmocka_unit_test(test_expected_lengths_are_as_published),
        cmocka_unit_test(test_holding_at_twenty_is_worth_what_is_published),
        cmocka_unit_test(test_endless_play_is_a_draw_or_a_bound),
        cmocka_unit_test(test_memory_is_kept_to_and_stopping_is_safe),
        cmocka_unit_test(test_the_standing_is_the_score_asked_early),
        cmocka_unit_test(test_a_position_comes_back_from_its_bytes),
    };
    return cmocka_run_group_tests_name("exact values", tests, NULL, NULL);
}
