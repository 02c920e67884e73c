/* Drawings of every board shape, and the players of the computer. */
#include "tests/helper.h"
#include "interp/play/drawing.h"
#include "interp/play/mcts.h"
#include "interp/play/seat.h"

/* ---- drawings ----------------------------------------------------------------------------------------------------------------------- */
static const struct { const char *golden, *game, *settings, *line; bool ascii; int width; } drawn[] = {
    { "chess.txt", "chess", NULL, "e2-e4", false, 80 },
    { "chess-ascii.txt", "chess", NULL, "e2-e4", true, 80 },
    { "hex.txt", "hex", "size=5", "c3 b2", false, 80 },
    { "abalone.txt", "abalone", NULL, "", false, 80 },
    { "chinese-checkers.txt", "chinese-checkers", NULL, "", false, 80 },
    { "nine-mens-morris.txt", "nine-mens-morris", NULL, "d6", false, 80 },
    { "nine-mens-morris-ascii.txt", "nine-mens-morris", NULL, "d6", true, 80 },
    { "ur.txt", "ur", NULL, "", false, 80 },
    { "alquerque.txt", "alquerque", NULL, "", false, 80 },
    { "english-draughts.txt", "english-draughts", NULL, "", false, 80 },
    { "kalah.txt", "kalah", NULL, "", false, 80 },
    { "backgammon.txt", "backgammon", NULL, "", false, 80 },
    { "damarziana.txt", "damarziana", NULL, "", false, 80 },
    { "dracones.txt", "dracones", NULL, "", false, 60 },
    { "go.txt", "go", "size=9", "e5 c3", false, 80 },
    { "pig.txt", "pig", NULL, "", false, 80 },
    { "dacii-si-romanii.txt", "dacii-si-romanii", "begins=roman", "c1-c2 c14-c13 d1-d2", false, 80 },
    { "dacii-si-romanii-ascii.txt", "dacii-si-romanii", "begins=roman", "c1-c2 c14-c13 d1-d2", true, 80 },
};

static void test_drawings_are_as_kept(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(drawn); i++) {
        joc_game *g = game_named(drawn[i].game, drawn[i].settings);
        joc_position *p = joc_start(g, 1);
        char line[100], *save = NULL;
        snprintf(line, sizeof line, "%s", drawn[i].line);
        for (char *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
            joc_moves *list = joc_moves_of(p);
            char *why = NULL;
            const joc_move *m = joc_moves_find(list, w, &why);
            if (!m) fail_msg("%s: %s: %s", drawn[i].game, w, why);
            joc_play(p, m);
            joc_moves_free(list);
        }
        char *drawing = joc_drawing(p, (joc_look){ .ascii = drawn[i].ascii, .width = drawn[i].width });
        for (const char *s = drawing; drawn[i].ascii && *s; s++) assert_true((unsigned char)*s < 128);
        assert_golden(drawn[i].golden, drawing);
        free(drawing);
        joc_position_free(p);
        joc_game_free(g);
    }
}

static void test_colour_adds_only_escapes(void **state) {
    (void)state;
    joc_game *g = game_named("chess", NULL);
    joc_position *p = joc_start(g, 1);
    char *colour = joc_drawing(p, (joc_look){ .colour = true, .width = 80 });
    assert_non_null(strstr(colour, "\033[48;5;"));
    for (char *s = colour; *s; s += strcspn(s, "\n") + 1) {                 /* every line ends without colour */
        size_t n = strcspn(s, "\n");
        if (memchr(s, '\033', n)) assert_memory_equal(s + n - 4, "\033[0m", 4);
    }
    free(colour);
    joc_position_free(p);
    joc_game_free(g);
}

static void test_widths_are_those_of_terminals(void **state) {
    (void)state;
    static const struct { const char *s; int width; } rows[] = {
        { "", 0 }, { "abc", 3 }, { "ș", 1 }, { "s\xcc\xa6", 1 }, { "歩", 2 }, { "玉將", 4 }, { "\033[1;31mx\033[0m", 1 }, { "·×─", 3 }, { "\xff", 1 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) assert_int_equal(text_width(rows[i].s), rows[i].width);
}

static void test_paragraphs_are_broken_between_words(void **state) {
    (void)state;
    static const struct { const char *s; int width; const char *wrapped; } rows[] = {
        { "", 10, "" },
        { "one two three four\n", 9, "one two\nthree\nfour\n" },
        { "one\ntwo\n\nthree\n", 20, "one two\n\nthree\n" },
        { "  one two three\n  four\n", 11, "  one two\n    three\n  four\n" },
        { "cetățile șase\n", 8, "cetățile\nșase\n" },
        { "unbreakable\n", 4, "unbreakable\n" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *wrapped = text_wrapped(rows[i].s, rows[i].width);
        assert_string_equal(wrapped, rows[i].wrapped);
        free(wrapped);
    }
}

/* ---- players ------------------------------------------------------------------------------------------------------------------------ */
static joc_position *position_of(const joc_game *g, const char *s) {
    joc_messages *m = joc_messages_new();
    joc_position *p = joc_position_parse(g, s, m);
    if (!p) fail_msg("%s: %s", s, joc_messages_at(m, 0).text);
    joc_messages_free(m);
    return p;
}

static void assert_finds(const char *game, const char *settings, const char *position, const char *best, bool proven) {
    joc_game *g = game_named(game, settings);
    joc_position *p = position_of(g, position);
    joc_moves *list = joc_moves_of(p);
    mcts_result r = mcts_search(p, &(mcts_effort){ .visits = 3000, .seed = 1 });
    assert_true(r.best < joc_moves_count(list));
    const char *found = joc_move_text(joc_moves_at(list, r.best));
    if (strcmp(found, best)) fail_msg("%s, %s: plays %s, not %s", game, position, found, best);
    if (proven) assert_true(r.proven);
    joc_moves_free(list);
    joc_position_free(p);
    joc_game_free(g);
}

static void test_search_finds_wins_and_blocks(void **state) {
    (void)state;
    assert_finds("tic-tac-toe", NULL, "3/mm1/MM1 X", "c1", true);
    assert_finds("tic-tac-toe", NULL, "3/M2/mm1 X", "c1", false);
    assert_finds("connect-four", NULL, "7/7/7/7/7/dDDD3 Red", "e1", true);
    assert_finds("connect-four", NULL, "7/7/7/7/3D3/ddd1D2 Red", "d1", false);
    assert_finds("chess", NULL, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 10", "a1-a8", true);
}

static void test_search_by_visits_is_deterministic_and_bounded(void **state) {
    (void)state;
    joc_game *g = game_named("hex", "size=5");
    joc_position *p = joc_start(g, 1);
    mcts_result a = mcts_search(p, &(mcts_effort){ .visits = 400, .seed = 5 }), b = mcts_search(p, &(mcts_effort){ .visits = 400, .seed = 5 });
    assert_int_equal(a.best, b.best);
    assert_true(a.value == b.value && a.visits == 400);
    mcts_result small = mcts_search(p, &(mcts_effort){ .visits = 300, .seed = 5, .nodes = 4 });
    assert_int_equal(small.visits, 300);
    joc_position_free(p);
    joc_game_free(g);
}

static void test_search_stops_when_told(void **state) {
    (void)state;
    joc_game *g = game_named("hex", NULL);
    joc_position *p = joc_start(g, 1);
    volatile bool stop = true;
    assert_true(mcts_search(p, &(mcts_effort){ .seconds = 1000, .seed = 5, .stop = &stop }).visits < 10);
    joc_position_free(p);
    joc_game_free(g);
}

static void test_search_beats_chance(void **state) {
    (void)state;
    static const struct { const char *game, *settings; int games, least; uint64_t visits; } rows[] = {
        { "tic-tac-toe", NULL, 12, 10, 100 }, { "connect-four", NULL, 5, 5, 100 }, { "hex", "size=5", 5, 5, 100 }, { "kalah", NULL, 5, 4, 50 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *g = game_named(rows[i].game, rows[i].settings);
        seat seats[2] = { { .kind = SEAT_MCTS, .visits = rows[i].visits }, { .kind = SEAT_RANDOM } };
        int won = 0;
        for (int n = 0; n < rows[i].games; n++) {
            joc_position *p = joc_start(g, (uint64_t)n);
            seats_play(p, seats, (uint64_t)n, 500, NULL);
            won += joc_result_of(p).outcome == JOC_WIN && joc_result_of(p).winner == 0;
            joc_position_free(p);
        }
        if (won < rows[i].least) fail_msg("%s: won %d of %d", rows[i].game, won, rows[i].games);
        joc_game_free(g);
    }
}

/* Chance, several players, decisions inside a turn: whatever the game, a legal move comes back. */
static void test_search_plays_any_game(void **state) {
    (void)state;
    static const char *const games[] = { "pig", "ur", "backgammon", "snakes-and-ladders", "chess", "nine-mens-morris", "amazons", "damarziana", "abalone" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *g = game_named(games[i], NULL);
        joc_position *p = joc_start(g, 2);
        seat seats[16];
        for (int s = 0; s < 16; s++) seats[s] = (seat){ .kind = SEAT_MCTS, .visits = 8 };
        played done = seats_play(p, seats, 3, 4, NULL);
        assert_true(done.decisions > 0 || joc_state_of(p) == JOC_OVER);
        joc_position_free(p);
        joc_game_free(g);
    }
}

static void test_seats_are_read_and_written(void **state) {
    (void)state;
    static const struct { const char *typed, *back; } rows[] = {
        { "human", "human" }, { "random", "random" }, { "mcts", "mcts:visits=2000" }, { "mcts:visits=7", "mcts:visits=7" }, { "mcts:seconds=0.5", "mcts:seconds=0.5" },
        { "mcst", NULL }, { "mcts:visits=0", NULL }, { "mcts:visits=x", NULL }, { "mcts:seconds=-1", NULL }, { "mcts:", NULL }, { "", NULL },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        seat s;
        char *why = NULL;
        assert_true(seat_parse(rows[i].typed, &s, &why) == (rows[i].back != NULL));
        if (!rows[i].back) assert_non_null(strstr(why, "mcts:visits=N"));
        char *back = rows[i].back ? seat_text(&s) : NULL;
        if (back) assert_string_equal(back, rows[i].back);
        free(back);
        free(why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawings_are_as_kept),
        cmocka_unit_test(test_colour_adds_only_escapes),
        cmocka_unit_test(test_widths_are_those_of_terminals),
        cmocka_unit_test(test_paragraphs_are_broken_between_words),
        cmocka_unit_test(test_search_finds_wins_and_blocks),
        cmocka_unit_test(test_search_by_visits_is_deterministic_and_bounded),
        cmocka_unit_test(test_search_stops_when_told),
        cmocka_unit_test(test_search_beats_chance),
        cmocka_unit_test(test_search_plays_any_game),
        cmocka_unit_test(test_seats_are_read_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
