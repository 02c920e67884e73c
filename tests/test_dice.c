/* Dice: fair, without bias, the same on every machine; and the same exact shares wherever chance is enumerated.
 *
 * Limits of the chi-square tests: the value that a fair generator exceeds once in a million runs; the seeds are fixed, so a test that passes
 * passes always. */
#include <math.h>
#include "tests/helper.h"
#include "interp/play/seat.h"

#if defined(__SANITIZE_ADDRESS__)
enum { THROWS = 400 * 1000 };
#else
enum { THROWS = 10 * 1000 * 1000 };
#endif

/* Wilson and Hilferty's approximation of the quantile at 1 - 1e-6. */
static double limit_of(int freedom) {
    double k = freedom, z = 4.753, x = 1 - 2 / (9 * k) + z * sqrt(2 / (9 * k));
    return k * x * x * x;
}

static double chi_square(const uint64_t *seen, const double *share, int count, double all) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += ((double)seen[i] - share[i] * all) * ((double)seen[i] - share[i] * all) / (share[i] * all);
    return sum;
}

/* ---- the generator -------------------------------------------------------------------------------------------------------------------- */
static void test_numbers_below_n_are_uniform(void **state) {
    (void)state;
    static const int sizes[] = { 2, 3, 6, 7, 10, 100, 1000 };
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        joc_random r = joc_random_seed(k);
        uint64_t seen[1000] = { 0 };
        double share[1000];
        for (int i = 0; i < sizes[k]; i++) share[i] = 1.0 / sizes[k];
        for (int i = 0; i < THROWS; i++) seen[joc_random_below(&r, (uint64_t)sizes[k])]++;
        double x = chi_square(seen, share, sizes[k], THROWS);
        if (x > limit_of(sizes[k] - 1)) fail_msg("below %d: chi-square %.1f, more than %.1f", sizes[k], x, limit_of(sizes[k] - 1));
    }
}

/* With a remainder of a division, numbers below 3/4 of the range would come twice as often in the lower third. */
static void test_there_is_no_bias_of_a_remainder(void **state) {
    (void)state;
    static const double share[3] = { 1.0 / 3, 1.0 / 3, 1.0 / 3 };
    joc_random r = joc_random_seed(9);
    uint64_t n = (uint64_t)3 << 62, seen[3] = { 0 };
    for (int i = 0; i < THROWS / 10; i++) seen[joc_random_below(&r, n) >> 62]++;
    assert_true(chi_square(seen, share, 3, THROWS / 10) < limit_of(2));
}

/* splitmix64 and xoshiro256** (Vigna), written once more. */
static uint64_t split_next(uint64_t *x) {
    uint64_t z = *x += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t turned(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static void test_the_generator_is_the_one_that_is_named(void **state) {
    (void)state;
    uint64_t seeds[] = { 0, 1, 42, UINT64_MAX }, zero = 0;
    assert_true(split_next(&zero) == 0xE220A8397B1DCDAFu);                  /* published */
    for (size_t k = 0; k < COUNT_OF(seeds); k++) {
        uint64_t x = seeds[k], s[4];
        for (int i = 0; i < 4; i++) s[i] = split_next(&x);
        joc_random r = joc_random_seed(seeds[k]);
        for (int i = 0; i < 1000; i++) {
            uint64_t out = turned(s[1] * 5, 7) * 9, t = s[1] << 17;
            s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = turned(s[3], 45);
            assert_true(joc_random_next(&r) == out);
        }
    }
}

/* ---- dice of a game ------------------------------------------------------------------------------------------------------------------- */
static joc_game *game_of(const char *written) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_parse("dice.joc", written, strlen(written), m);
    joc_game *g = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!g) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(rules);
    joc_messages_free(m);
    return g;
}

/* A throw a turn, counted by the rules themselves. */
static const char COUNTED[] =
    "game \"Counted\"\nplayers One\nboard strip 6\nkeep fell of cell 0..30000\ndice die = 1, 2, 3, 4, 5, 6\n"
    "turn { roll die; fell of col die += 1 }\nwin when any fell 30000\n";

static void test_dice_fall_evenly_in_play(void **state) {
    (void)state;
    static const double share[6] = { 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6 };
    enum { MORE = 25 * 1000, GAMES = THROWS / MORE };
    joc_game *g = game_of(COUNTED);
    uint64_t seen[6] = { 0 };
    for (int k = 0; k < GAMES; k++) {
        joc_position *p = joc_start(g, (uint64_t)k);
        joc_random r = joc_random_seed((uint64_t)k);
        uint64_t steps = joc_playout(p, &r, MORE), sum = 0;
        assert_int_equal(steps, MORE);
        assert_int_equal(joc_state_of(p), JOC_CHANCE);                      /* the last throw has been counted, too */
        for (int c = 0; c < 6; c++) {
            uint64_t n = (uint64_t)joc_keep_value(p, 0, c);
            seen[c] += n, sum += n;
        }
        assert_int_equal(sum, MORE);
        joc_position_free(p);
    }
    double x = chi_square(seen, share, 6, (double)GAMES * MORE);
    if (x > limit_of(5)) fail_msg("chi-square %.1f", x);
    joc_game_free(g);
}

/* Two dice, and one whose faces are not alike: the outcomes that are listed have the shares of combinatorics, and come as often in play. */
static const struct { const char *rules; int outcomes; uint64_t of, weights[21]; } listed[] = {
    { "game \"P\"\nplayers A, B\ndice pair = 1, 2, 3, 4, 5, 6\nturn { roll 2 pair; when sum(pair) > 0, pass }\n", 21, 36,
      { 1, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 1 } },
    { "game \"U\"\nplayers A, B\ndice throw = 1, 1, 1, 2, 2, 2, 3, 4\nturn { roll throw; when throw > 0, pass }\n", 4, 8, { 3, 3, 1, 1 } },
    { "game \"C\"\nplayers A, B\ndice coin = 0, 1\nturn { roll 3 coin; when count coin > 0, pass }\n", 4, 8, { 1, 3, 3, 1 } },
};

static void test_outcomes_have_exact_shares_and_come_as_often(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT_OF(listed); k++) {
        joc_game *g = game_of(listed[k].rules);
        joc_position *p = joc_start(g, 1);
        joc_moves *list = joc_moves_of(p);
        uint64_t seen[21] = { 0 };
        double share[21];
        int count = listed[k].outcomes, throws = THROWS / 20;
        assert_int_equal(joc_moves_count(list), count);
        for (int i = 0; i < count; i++) {
            share[i] = (double)listed[k].weights[i] / (double)listed[k].of;
            assert_int_equal(joc_move_weight(joc_moves_at(list, (size_t)i)) * listed[k].of, listed[k].weights[i] * joc_moves_weight(list));
        }
        joc_random r = joc_random_seed(k);
        for (int n = 0; n < throws; n++) {
            seen[chance_choose(list, joc_random_next(&r))]++;
        }
        assert_true(chi_square(seen, share, count, throws) < limit_of(count - 1));
        joc_moves_free(list);
        joc_position_free(p);
        joc_game_free(g);
    }
}

/* ---- seeds ------------------------------------------------------------------------------------------------------------------------------ */
/* The throws of seed 1, in playouts and at the table: kept from the first machine that threw them. */
static void test_a_seed_gives_the_same_throws_everywhere(void **state) {
    (void)state;
    text all = { 0 };
    for (size_t k = 0; k < COUNT_OF(listed); k++) {
        joc_game *g = game_of(listed[k].rules);
        joc_position *p = joc_start(g, 1);
        joc_random r = joc_random_seed(1);
        for (int n = 0; n < 60; n++) {
            int values[8];
            assert_true(joc_play_random(p, &r));
            size_t count = joc_state_of(p) == JOC_DECISION ? joc_dice_values(p, 0, values, 8) : 0;
            for (size_t i = 0; i < count; i++) text_format(&all, "%d%s", values[i], i + 1 < count ? "," : " ");
        }
        text_add(&all, "\n");
        joc_position_free(p);
        p = joc_start(g, 1);
        joc_moves *list = joc_moves_of(p);
        for (uint64_t n = 0; n < 30; n++) text_format(&all, "%s; ", joc_move_text(joc_moves_at(list, chance_choose(list, seed_of(1, n)))));
        text_add(&all, "\n");
        joc_moves_free(list);
        joc_position_free(p);
        joc_game_free(g);
    }
    assert_golden("seeds.txt", all.data);
    text_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_below_n_are_uniform),
        cmocka_unit_test(test_there_is_no_bias_of_a_remainder),
        cmocka_unit_test(test_the_generator_is_the_one_that_is_named),
        cmocka_unit_test(test_dice_fall_evenly_in_play),
        cmocka_unit_test(test_outcomes_have_exact_shares_and_come_as_often),
        cmocka_unit_test(test_a_seed_gives_the_same_throws_everywhere),
    };
    return cmocka_run_group_tests_name("dice", tests, NULL, NULL);
}
