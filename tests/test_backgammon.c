/* Backgammon's plays, against a generator written from the printed rules alone: slow and obvious.
 *
 * A side is seen from its own eyes: men[0] on the bar, men[1] .. men[24] on its points in the order in which it runs, men[25] borne off. A play
 * is a way to use dice one after the other, in either order; of all plays those that use most dice count, and if only one die can be used
 * though either could, the larger. Two plays are one if they lead to the same position.
 *
 * JOC_BACKGAMMON=N compares N random positions (10,000; with sanitizers 300). */
#include "tests/helper.h"

enum { BAR = 0, OFF = 25, PLACES = 26, MEN = 15, FOUND_MOST = 20000, TABLE = 1 << 15 };
typedef struct { signed char mine[PLACES], theirs[PLACES]; } side;       /* `theirs` from the other's eyes */
typedef struct { side list[FOUND_MOST]; size_t count; uint16_t table[TABLE]; } sides;     /* the table: 1 + where in the list, by the sum of its bytes */

static sides expected, got;

static void sides_clear(sides *s) {
    s->count = 0;
    memset(s->table, 0, sizeof s->table);
}

static size_t mixed(const side *x) {
    uint64_t sum = 0;
    for (int i = 0; i < PLACES; i++) sum = (sum * 31 + (uint64_t)(x->mine[i] + 16)) * 31 + (uint64_t)(x->theirs[i] + 16);
    return (size_t)((sum * 0x9E3779B97F4A7C15u) >> 49);
}

static void sides_add(sides *s, const side *x) {
    size_t i = mixed(x);
    for (; s->table[i]; i = (i + 1) % TABLE)
        if (!memcmp(&s->list[s->table[i] - 1], x, sizeof *x)) return;
    assert_true(s->count < FOUND_MOST);
    s->list[s->count++] = *x;
    s->table[i] = (uint16_t)s->count;
}

/* ---- the generator -------------------------------------------------------------------------------------------------------------------- */
static bool all_home(const side *s) {
    for (int i = BAR; i <= 18; i++)
        if (s->mine[i]) return false;
    return true;
}

static bool none_behind(const side *s, int from) {
    for (int i = 19; i < from; i++)
        if (s->mine[i]) return false;
    return true;
}

static bool can_move(const side *s, int from, int die) {
    if (!s->mine[from] || (from != BAR && s->mine[BAR])) return false;
    int to = from + die;
    if (to <= 24) return s->theirs[25 - to] < 2;
    if (!all_home(s)) return false;
    return to == 25 || none_behind(s, from);
}

static side moved(const side *s, int from, int die) {
    side x = *s;
    int to = from + die > 24 ? OFF : from + die;
    x.mine[from]--;
    x.mine[to]++;
    if (to != OFF && x.theirs[25 - to] == 1) x.theirs[25 - to] = 0, x.theirs[BAR]++;
    return x;
}

/* Most dice that can be used, of those given in this order. */
static int most_used(const side *s, const int *dice, int count) {
    int most = 0;
    for (int from = BAR; count && from <= 24; from++)
        if (can_move(s, from, dice[0])) {
            side x = moved(s, from, dice[0]);
            int n = 1 + most_used(&x, dice + 1, count - 1);
            if (n > most) most = n;
        }
    return most;
}

static void plays_of(const side *s, const int *dice, int count, sides *out) {
    if (!count) {
        sides_add(out, s);
        return;
    }
    for (int from = BAR; from <= 24; from++)
        if (can_move(s, from, dice[0])) {
            side x = moved(s, from, dice[0]);
            plays_of(&x, dice + 1, count - 1, out);
        }
}

static void generate(const side *s, int large, int small, sides *out) {
    int one[4] = { large, small, large, large }, other[2] = { small, large };
    sides_clear(out);
    if (large == small) {
        int most = most_used(s, one, 4);
        if (most) plays_of(s, one, most, out);
        return;
    }
    int a = most_used(s, one, 2), b = most_used(s, other, 2), most = a > b ? a : b;
    if (most == 2) {
        plays_of(s, one, 2, out);
        plays_of(s, other, 2, out);
    } else if (a) plays_of(s, one, 1, out);                                 /* the larger, if it can be used at all */
    else if (b) plays_of(s, other, 1, out);
}

/* ---- the rule file -------------------------------------------------------------------------------------------------------------------- */
static int zone_place(const joc_game *g, const char *name, int owner) {
    for (int z = 0; z < joc_game_zones(g); z++)
        if (!strcmp(joc_zone_name(g, z), name) && joc_zone_owner(g, z) == owner) return joc_game_cells(g) + z;
    fail_msg("no zone %s", name);
    return -1;
}

/* The place of a player's row. */
static int place_of(const joc_game *g, int player, int row) {
    if (row == BAR) return zone_place(g, "bar", player);
    if (row == OFF) return zone_place(g, "off", player);
    char name[8];
    snprintf(name, sizeof name, "p%d", player == 0 ? row : 25 - row);
    return joc_cell_find(g, name);
}

static joc_position *position_of(const joc_game *g, const side *s, int mover, const int *dice) {
    joc_position *p = joc_empty(g);
    for (int row = BAR; row <= OFF; row++) {
        for (int i = 0; i < s->mine[row]; i++) assert_true(joc_put(p, place_of(g, mover, row), mover, 0));
        for (int i = 0; i < s->theirs[row]; i++) assert_true(joc_put(p, place_of(g, 1 - mover, row), 1 - mover, 0));
    }
    joc_set_mover(p, mover);
    joc_set_turns(p, 2);
    joc_settle(p);
    assert_true(joc_set_dice(p, 0, dice, 2));
    return p;
}

static int men_at(const joc_position *p, int player, int row) {
    int owner, kind, place = place_of(joc_position_game(p), player, row);
    return joc_piece(p, place, 0, &owner, &kind) && owner == player ? joc_height(p, place) : 0;
}

static side side_of(const joc_position *p, int mover) {
    side s;
    for (int row = BAR; row <= OFF; row++) s.mine[row] = (signed char)men_at(p, mover, row), s.theirs[row] = (signed char)men_at(p, 1 - mover, row);
    return s;
}

static void rules_play(const joc_game *g, const side *s, int mover, const int *dice, sides *out) {
    joc_position *p = position_of(g, s, mover, dice);
    sides_clear(out);
    if (joc_state_of(p) == JOC_DECISION) {                                  /* otherwise the turn went by, as nothing could be moved */
        joc_moves *list = joc_moves_of(p);
        assert_int_equal(joc_mover(p), mover);
        for (size_t i = 0; i < joc_moves_count(list); i++) {
            joc_play(p, joc_moves_at(list, i));
            side x = side_of(p, mover);
            size_t before = out->count;
            sides_add(out, &x);
            if (out->count == before) fail_msg("two moves lead to one position: %s", joc_move_text(joc_moves_at(list, i)));
        }
        joc_moves_free(list);
    } else {
        side x = side_of(p, mover);
        assert_int_equal(joc_mover(p), 1 - mover);
        assert_memory_equal(&x, s, sizeof x);
    }
    joc_position_free(p);
}

/* ---- random positions ------------------------------------------------------------------------------------------------------------------ */
static int below(joc_random *r, int n) { return (int)joc_random_below(r, (uint64_t)n); }

/* Men anywhere; now and then both are far on, so that bearing off and the bar come up often. Somebody has always men left. */
static side side_random(joc_random *r) {
    side s = { .mine = { 0 }, .theirs = { 0 } };
    bool late[2] = { below(r, 3) == 0, below(r, 3) == 0 };
    for (int player = 0; player < 2; player++)
        for (int man = 0; man < MEN; man++) {
            int row = below(r, 12) == 0 ? (below(r, 2) && !late[player] ? BAR : OFF) : 1 + below(r, 24);
            if (late[player] && row < 19) row = below(r, 3) ? 19 + below(r, 6) : OFF;
            signed char *own = player ? s.theirs : s.mine, *other = player ? s.mine : s.theirs;
            if (row >= 1 && row <= 24 && other[25 - row]) row = man ? OFF : BAR;
            own[row]++;
        }
    if (s.mine[OFF] == MEN) s.mine[OFF]--, s.mine[BAR]++;
    if (s.theirs[OFF] == MEN) s.theirs[OFF]--, s.theirs[BAR]++;
    return s;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(side)); }

static void complain(const side *s, const int *dice, int mover) {
    text t = { 0 };
    for (int i = 0; i < PLACES; i++) text_format(&t, "%d/%d ", s->mine[i], s->theirs[i]);
    fail_msg("player %d, dice %d %d: %zu plays, not %zu: %s", mover, dice[0], dice[1], got.count, expected.count, t.data);
}

static void compare(const joc_game *g, const side *s, const int *dice, int mover) {
    generate(s, dice[0] > dice[1] ? dice[0] : dice[1], dice[0] > dice[1] ? dice[1] : dice[0], &expected);
    rules_play(g, s, mover, dice, &got);
    if (expected.count != got.count) complain(s, dice, mover);
    qsort(expected.list, expected.count, sizeof(side), by_bytes);
    qsort(got.list, got.count, sizeof(side), by_bytes);
    if (memcmp(expected.list, got.list, got.count * sizeof(side))) complain(s, dice, mover);
}

static int many(void) {
    const char *asked = getenv("JOC_BACKGAMMON");
#if defined(__SANITIZE_ADDRESS__)
    int standard = 300;
#else
    int standard = 10 * 1000;
#endif
    return asked ? atoi(asked) : standard;
}

static void test_plays_agree_with_a_plain_generator_on_random_positions(void **state) {
    (void)state;
    joc_game *g = game_named("backgammon", NULL);
    joc_random r = joc_random_seed(21);
    size_t plays = 0, none = 0, bearing = 0;
    for (int i = 0, n = many(); i < n; i++) {
        side s = side_random(&r);
        int dice[2] = { 1 + below(&r, 6), 1 + below(&r, 6) };
        compare(g, &s, dice, below(&r, 2));
        plays += got.count, none += got.count == 0, bearing += all_home(&s);
    }
    assert_true(plays > 0 && none > 0 && bearing > 0);                      /* all sorts of positions came up */
    joc_game_free(g);
}

static void test_plays_agree_in_games(void **state) {
    (void)state;
    joc_game *g = game_named("backgammon", NULL);
    joc_random r = joc_random_seed(5);
    joc_position *p = joc_start(g, 5);
    for (int n = 0; n < many() / 2 && joc_play_random(p, &r); n++) {
        if (joc_state_of(p) != JOC_DECISION) continue;
        int dice[8], mover = joc_mover(p), count = (int)joc_dice_values(p, 0, dice, 8);
        assert_true(count == 2 || count == 4);
        side s = side_of(p, mover);
        compare(g, &s, dice, mover);
    }
    joc_position_free(p);
    joc_game_free(g);
}

/* ---- what a game is worth ---------------------------------------------------------------------------------------------------------------- */
static void test_single_gammon_and_backgammon(void **state) {
    (void)state;
    static const struct { int row, count, off, worth; } rows[] = { { 3, 14, 1, 1 }, { 7, 15, 0, 2 }, { 6, 14, 0, 3 }, { BAR, 1, 0, 3 }, { 24, 5, 10, 1 } };
    static const int dice[2] = { 6, 5 };
    joc_game *g = game_named("backgammon", NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        side s = { .mine = { [24] = 1, [OFF] = 14 } };
        s.theirs[rows[i].row] = (signed char)rows[i].count, s.theirs[OFF] = (signed char)rows[i].off;
        if (rows[i].count + rows[i].off < MEN) s.theirs[10] = (signed char)(MEN - rows[i].count - rows[i].off);
        joc_position *p = position_of(g, &s, 0, dice);
        joc_moves *list = joc_moves_of(p);
        assert_int_equal(joc_moves_count(list), 1);
        joc_play(p, joc_moves_at(list, 0));
        joc_moves_free(list);
        joc_result result = joc_result_of(p);
        assert_int_equal(result.outcome, JOC_WIN);
        assert_int_equal(result.winner, 0);
        assert_true(result.scored);
        if (result.scores[0] != rows[i].worth || result.scores[1] != 0) fail_msg("row %zu: %d to %d", i, (int)result.scores[0], (int)result.scores[1]);
        joc_position_free(p);
    }
    joc_game_free(g);
}

/* The throw that decides who begins is no double, unless the option says that any throw will do. */
static void test_the_opening_throw(void **state) {
    (void)state;
    for (int free_throw = 0; free_throw < 2; free_throw++) {
        joc_game *g = game_named("backgammon", free_throw ? "opening=free" : NULL);
        joc_position *p = joc_start(g, 1);
        joc_moves *list = joc_moves_of(p);
        assert_int_equal(joc_state_of(p), JOC_CHANCE);
        assert_int_equal(joc_moves_count(list), free_throw ? 21 : 15);
        joc_moves_free(list);
        joc_position_free(p);
        joc_game_free(g);
    }
}

/* Ordered throws count one by one: 36 of them, two plies deep. The count is published. */
static uint64_t weighted(const joc_position *p, int plies) {
    if (!plies) return 1;
    bool chance = joc_state_of(p) == JOC_CHANCE;
    uint64_t sum = 0;
    joc_moves *list = joc_moves_of(p);
    if (!chance && plies == 1) sum = joc_moves_count(list);
    for (size_t i = 0; (chance || plies > 1) && i < joc_moves_count(list); i++) {
        joc_position *q = joc_position_copy(p);
        joc_play(q, joc_moves_at(list, i));
        bool passed = chance && joc_state_of(q) == JOC_CHANCE;             /* nothing could be moved: one play */
        sum += (chance ? joc_move_weight(joc_moves_at(list, i)) : 1) * weighted(q, plies - (!chance || passed));
        joc_position_free(q);
    }
    joc_moves_free(list);
    return sum;
}

static void test_ordered_throws_two_plies_deep(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip();
#endif
    joc_game *g = game_named("backgammon", "opening=free");
    joc_position *p = joc_start(g, 1);
    assert_int_equal(weighted(p, 2), 419783);
    joc_position_free(p);
    joc_game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plays_agree_with_a_plain_generator_on_random_positions),
        cmocka_unit_test(test_plays_agree_in_games),
        cmocka_unit_test(test_single_gammon_and_backgammon),
        cmocka_unit_test(test_the_opening_throw),
        cmocka_unit_test(test_ordered_throws_two_plies_deep),
    };
    return cmocka_run_group_tests_name("backgammon", tests, NULL, NULL);
}
