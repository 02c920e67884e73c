/* The check of symmetry: what holds is said to hold, and one wrong cell is found and named wherever it is. */
#include "tests/helper.h"

enum { POSITIONS = 8, POSITIONS_TO_BREAK = 60 };

static joc_symmetry *symmetry_of_text(const char *rules_text) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_parse("games/changed.joc", rules_text, strlen(rules_text), m);
    joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!game) fail_msg("%s", joc_messages_text(m, false));
    joc_symmetry *s = joc_symmetry_of(game, POSITIONS_TO_BREAK);
    joc_game_free(game);
    joc_rules_free(rules);
    joc_messages_free(m);
    return s;
}

/* The rules of a game, with one thing written otherwise; malloc'd. */
static char *changed(const char *game, const char *from, const char *to) {
    char path[200];
    size_t length;
    snprintf(path, sizeof path, "games/%s.joc", game);
    char *rules = file_read(path, 1 << 20, &length), *at = rules ? strstr(rules, from) : NULL;
    if (!at) fail_msg("%s has no '%s'", path, from);
    text t = { 0 };
    text_add_bytes(&t, rules, (size_t)(at - rules));
    text_add(&t, to);
    text_add(&t, at + strlen(from));
    free(rules);
    return text_take(&t);
}

static void test_sides_are_each_others_image(void **state) {
    (void)state;
    static const struct { const char *game, *turn; bool rules; } rows[] = {
        { "dacii-si-romanii", "half a turn", true },
        { "dacii-river-line", "half a turn", false },                      /* columns are counted from the west */
        { "damarziana", "a mirror between north and south", true },
        { "chess", "a mirror between north and south", false },        /* castling names its cells */
        { "xiangqi", "half a turn", true },
        { "hex", "a mirror along the diagonal from southwest to northeast", true },
        { "kalah", "half a turn", true },
        { "tic-tac-toe", "the same places", true },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *game = game_named(rows[i].game, NULL);
        joc_symmetry *s = joc_symmetry_of(game, POSITIONS);
        assert_non_null(s);
        if (s->break_count) fail_msg("%s: %s", rows[i].game, s->breaks[0]);
        if (strcmp(s->turn, rows[i].turn) || s->rules != rows[i].rules) fail_msg("%s: %s, rules %d", rows[i].game, s->turn, s->rules);
        assert_in_range(s->tried, 1, POSITIONS);        /* fewer where time is up */
        joc_symmetry_free(s);
        joc_game_free(game);
    }
}

static void test_one_wrong_cell_is_found_and_named(void **state) {
    (void)state;
    static const struct { const char *game, *from, *to, *says; } rows[] = {
        { "dacii-si-romanii", "b14 a11..a13", "b14 a11..a12", "'fortificație' of Roman has i2, but 'fortificație' of Dac has not its image a13" },
        { "dacii-si-romanii", "= a7 a8\n", "= a7 a9\n", "'pod' of Roman has i7, but 'pod' of Dac has not its image a8" },
        { "dacii-si-romanii", "i14\nkeep", "i14 f5\nkeep", "the board has d10, but no cell at its image" },
        { "dacii-si-romanii", "place Comandant on poartă }", "place Comandant on poartă }; place Roman Soldat on c5", "at the start Roman Soldat stands on c5, but not its like on the image g10" },
        { "breakthrough", "win when any own row size", "win when any own row (size when mover = White else 7)", "the moves differ at" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *rules = changed(rows[i].game, rows[i].from, rows[i].to);
        joc_symmetry *s = symmetry_of_text(rules);
        bool said = false;
        for (size_t k = 0; k < s->break_count; k++) said |= strstr(s->breaks[k], rows[i].says) != NULL;
        if (!said) fail_msg("%s with '%s': %zu breaks, %s", rows[i].game, rows[i].to, s->break_count, s->break_count ? s->breaks[0] : "");
        joc_symmetry_free(s);
        free(rules);
    }
}

static void test_games_of_one_and_maps_have_none(void **state) {
    (void)state;
    static const char *const games[] = { "peg-solitaire", "goofspiel", "dracones" };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *game = game_named(games[i], NULL);
        assert_null(joc_symmetry_of(game, POSITIONS));
        joc_game_free(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides_are_each_others_image),
        cmocka_unit_test(test_one_wrong_cell_is_found_and_named),
        cmocka_unit_test(test_games_of_one_and_maps_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
