/* Dracones: the dice against the sheet, what is conserved in random games, and bounded lists.
 *
 * The chances come from a count of all throws written here, and from the table of the sheet; the machine's are its own outcomes and weights. */
#include <math.h>
#include "tests/helper.h"

enum { UNITS_MOST = 11, PLAYERS = 4 };

static int keep_named(const joc_game *g, const char *name) {
    for (int k = 0; k < joc_game_keeps(g); k++) if (!strcmp(joc_keep_name(g, k), name)) return k;
    fail_msg("no keep %s", name);
    return -1;
}

static int kind_named(const joc_game *g, const char *name) {
    for (int k = 0; k < joc_game_kinds(g); k++) if (!strcmp(joc_kind_name(g, k), name)) return k;
    return -1;
}

static int64_t units_at(const joc_position *p, const char *cell) {
    const joc_game *g = joc_position_game(p);
    return joc_keep_value(p, keep_named(g, "units"), joc_cell_find(g, cell));
}

static bool play_if(joc_position *p, const char *move) {
    joc_moves *list = joc_moves_of(p);
    const joc_move *m = joc_moves_find(list, move, NULL);
    if (m) joc_play(p, m);
    joc_moves_free(list);
    return m != NULL;
}

/* Red attacks DRA -> APU with a in DRA and d in APU; a third territory of Blue keeps the game going. */
static joc_position *battle_of(const joc_game *g, int a, int d) {
    joc_position *p = joc_empty(g);
    int army = kind_named(g, "Army"), units = keep_named(g, "units");
    const struct { const char *cell; int owner, n; } held[] = { { "DRA", 0, a }, { "ZIR", 0, 1 }, { "APU", 1, d }, { "TYR", 1, 1 } };
    for (size_t i = 0; i < COUNT_OF(held); i++) {
        int cell = joc_cell_find(g, held[i].cell);
        joc_put(p, cell, held[i].owner, army);
        joc_set_keep(p, units, cell, held[i].n);
    }
    joc_set_turns(p, 2);
    joc_settle(p);
    assert_true(play_if(p, "ZIR") && play_if(p, "3"));
    return p;
}

/* ---- one battle ------------------------------------------------------------------------------------------------------------------------- */
/* Ordered throws in which the attacker loses `lost`, out of all: sorted, compared pairwise, blue wins ties. */
static void count_throws(int red, int blue, int lost[3], int *all) {
    int dice[5] = { 1, 1, 1, 1, 1 }, n = red + blue;
    lost[0] = lost[1] = lost[2] = *all = 0;
    for (;;) {
        int r[3] = { 0 }, b[2] = { 0 }, losses = 0;
        for (int i = 0; i < n; i++) {
            int *list = i < red ? r : b, size = i < red ? 3 : 2, x = dice[i];
            for (int j = 0; j < size; j++) if (x > list[j]) { int y = list[j]; list[j] = x; x = y; }
        }
        for (int i = 0; i < (red < blue ? red : blue); i++) losses += r[i] <= b[i];
        lost[losses]++, ++*all;
        int i = 0;
        while (i < n && ++dice[i] > 6) dice[i++] = 1;
        if (i == n) return;
    }
}

/* All outcomes of the throws that stand before p, by how much the attacker lost: shares add up in `share`. */
static void machine_throws(const joc_position *p, double weight, int a, double share[3]) {
    if (joc_state_of(p) != JOC_CHANCE) {
        share[a - (int)units_at(p, "DRA")] += weight;
        return;
    }
    joc_moves *list = joc_moves_of(p);
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        joc_position *q = joc_position_copy(p);
        joc_play(q, joc_moves_at(list, i));
        machine_throws(q, weight * (double)joc_move_weight(joc_moves_at(list, i)) / (double)joc_moves_weight(list), a, share);
        joc_position_free(q);
    }
    joc_moves_free(list);
}

static void test_the_table_of_dice_is_exact(void **state) {
    (void)state;
    /* red, blue, of, and the numerators of the sheet for 0, 1, 2 units lost by the attacker */
    static const int sheet[][6] = { { 1, 1, 36, 15, 21, 0 }, { 1, 2, 216, 55, 161, 0 }, { 2, 1, 216, 125, 91, 0 }, { 2, 2, 1296, 295, 420, 581 }, { 3, 1, 1296, 855, 441, 0 }, { 3, 2, 7776, 2890, 2611, 2275 } };
    joc_game *g = game_named("dracones", "");
    for (size_t i = 0; i < COUNT_OF(sheet); i++) {
        int lost[3], all, red = sheet[i][0], blue = sheet[i][1], a = red == 1 ? 2 : 5;
        double share[3] = { 0 };
        char attack[40];
        count_throws(red, blue, lost, &all);
        joc_position *p = battle_of(g, a, blue == 1 ? 2 : 4);
        snprintf(attack, sizeof attack, "attack DRA APU %d", red);
        assert_true(play_if(p, attack));
        machine_throws(p, 1, a, share);
        assert_int_equal(all, sheet[i][2]);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(lost[k], sheet[i][3 + k]);
            assert_true(fabs(share[k] - (double)sheet[i][3 + k] / all) < 1e-12);
        }
        joc_position_free(p);
    }
    joc_game_free(g);
}

/* ---- to the end -------------------------------------------------------------------------------------------------------------------------- */
typedef struct { const joc_game *game; double share[4][3][3]; bool known[4][3]; double chance[UNITS_MOST][UNITS_MOST]; bool fought[UNITS_MOST][UNITS_MOST]; } fights;

/* The machine's chances that the attacker loses 0, 1, 2 units, in the throw that it allows a against d. */
static const double *throw_of(fights *f, int a, int d) {
    int red = a > 2 ? 3 : 1, blue = d > 2 ? 2 : 1;
    if (!f->known[red][blue]) {
        joc_position *p = battle_of(f->game, a, d);
        assert_true(play_if(p, red == 3 ? "attack DRA APU 3" : "attack DRA APU 1"));
        machine_throws(p, 1, a, f->share[red][blue]);
        joc_position_free(p);
        f->known[red][blue] = true;
    }
    return f->share[red][blue];
}

/* The chance to conquer with a against d, all dice that may be thrown, fighting until it is over. */
static double conquest(fights *f, int a, int d) {
    if (d < 1) return 1;
    if (a < 2) return 0;
    if (f->fought[a][d]) return f->chance[a][d];
    const double *share = throw_of(f, a, d);
    int lost = a > 2 && d > 2 ? 2 : 1;          /* on both sides together */
    for (int k = 0; k <= lost; k++) f->chance[a][d] += share[k] * conquest(f, a - k, d - (lost - k));
    f->fought[a][d] = true;
    return f->chance[a][d];
}

static void test_the_chance_to_conquer_is_that_of_the_sheet(void **state) {
    (void)state;
    static const struct { int a, d; double chance; } sheet[] = {
        { 2, 1, .4167 }, { 2, 2, .1736 }, { 2, 3, .0442 }, { 3, 1, .8015 }, { 3, 2, .5878 }, { 3, 3, .3562 },
        { 5, 1, .9770 }, { 5, 2, .9220 }, { 5, 3, .7410 }, { 5, 4, .5979 }, { 5, 5, .4582 }, { 10, 10, .5460 },
    };
    joc_game *g = game_named("dracones", "");
    fights f = { .game = g };
    for (size_t i = 0; i < COUNT_OF(sheet); i++) {
        double c = conquest(&f, sheet[i].a, sheet[i].d);
        if (fabs(c - sheet[i].chance) > 0.00005 + 1e-9) fail_msg("%d against %d: %.6f, the sheet says %.4f", sheet[i].a, sheet[i].d, c, sheet[i].chance);
    }
    joc_game_free(g);
}

/* ---- random games ------------------------------------------------------------------------------------------------------------------------ */
typedef struct { int64_t units, spare; int cards, missions, armies, turns, hand, owned[PLAYERS]; } account;

/* The regions and bonuses of the sheet. */
static const struct { const char *cells; int bonus; } regions[7] = {
    { "ANA TEU PRE BIE", 3 }, { "ANS RAC CAU APU COT DRA", 5 }, { "COS PET CAR TYR PIR", 4 }, { "ZIR TIB ALB SAL", 3 },
    { "POT BUR DRO SUC", 3 }, { "ARG SEN CIA PIE", 3 }, { "MOE TRI CRO TER GET", 4 },
};

static bool holds(const joc_position *p, const char *cells, int player) {
    char name[4] = "";
    for (const char *s = cells; *s; s += s[3] ? 4 : 3) {
        int owner, kind;
        memcpy(name, s, 3);
        if (!joc_piece(p, joc_cell_find(joc_position_game(p), name), 0, &owner, &kind) || owner != player) return false;
    }
    return true;
}

static int income(const joc_position *p, int player, int owned) {
    int sum = owned <= 5 ? 3 : owned / 3;
    for (int r = 0; r < 7; r++) sum += holds(p, regions[r].cells, player) ? regions[r].bonus : 0;
    return sum;
}

static account account_of(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    account a = { .spare = joc_keep_value(p, keep_named(g, "spare"), 0), .turns = joc_turns(p) };
    int units = keep_named(g, "units"), owner, kind;
    for (int c = 0; c < joc_game_cells(g); c++) {
        a.units += joc_keep_value(p, units, c);
        a.armies += joc_height(p, c) == 1;
        if (joc_piece(p, c, 0, &owner, &kind) && owner >= 0) a.owned[owner]++;
    }
    for (int z = 0; z < joc_game_zones(g); z++) {
        int n = joc_height(p, joc_game_cells(g) + z);
        bool mission = strstr(joc_zone_name(g, z), "mission") != NULL;
        *(mission ? &a.missions : &a.cards) += n;
        if (!strcmp(joc_zone_name(g, z), "hand") && joc_zone_owner(g, z) == joc_mover(p)) a.hand = n;
    }
    return a;
}

/* What may have become of the units from one step to the next: dice take two at most, a set and its names bring 2 to 10 and 2 a card, a
 * turn begins with the income; everything else moves them. */
static void check_step(const joc_position *p, const account *was, const account *is, bool chance, int mover_was) {
    int64_t gained = is->units + is->spare - was->units - was->spare;
    assert_int_equal(is->cards, 34);
    assert_int_equal(is->missions, 10);
    assert_int_equal(is->armies, 32);
    if (joc_state_of(p) == JOC_OVER) return;
    if (is->turns != was->turns) gained -= income(p, joc_mover(p), is->owned[joc_mover(p)]);
    if (!chance && joc_mover(p) == mover_was && is->hand == was->hand - 3) assert_true(gained >= 2 && gained <= 16);
    else if (chance) assert_true(gained <= 0 && gained >= -2);
    else assert_int_equal(gained, 0);
}

static void check_game(const joc_game *g, uint64_t seed, int cap) {
    joc_position *p = joc_start(g, seed);
    joc_random r = joc_random_seed(seed);
    joc_state_of(p);
    account was = account_of(p);
    for (int i = 0; i < cap; i++) {
        bool chance = joc_state_of(p) == JOC_CHANCE;
        int mover = joc_mover(p);
        if (!joc_play_random(p, &r)) break;
        assert_null(joc_fault(p));
        joc_state_of(p);
        account is = account_of(p);
        check_step(p, &was, &is, chance, mover);
        was = is;
    }
    assert_int_not_equal(joc_state_of(p), JOC_STUCK);
    if (joc_state_of(p) == JOC_OVER) assert_int_equal(joc_result_of(p).outcome, JOC_WIN);
    joc_position_free(p);
}

/* The same for many games, as fast as they can be played: nothing is listed and no log is kept. What chance has brought shows at the next step here,
 * and the income with the first decision of a turn; so a step may take two units, and more only if it began a turn or traded a set. */
static void check_fast_game(const joc_game *g, uint64_t seed, int cap) {
    joc_position *p = joc_start(g, seed);
    joc_random r = joc_random_seed(seed);
    account was = account_of(p);
    int64_t due = 0;            /* income of a turn that has just begun; the first has begun before */
    for (int i = 0; i < cap && joc_playout(p, &r, 1); i++) {
        const account is = account_of(p);
        const int64_t gained = is.units + is.spare - was.units - was.spare - due;
        assert_int_equal(is.cards, 34);
        assert_int_equal(is.missions, 10);
        assert_int_equal(is.armies, 32);
        const bool traded = is.hand == was.hand - 3 && is.turns == was.turns;
        if (gained < -2 || gained > (traded ? 16 : 0)) fail_msg("game %llu, step %d: %lld units", (unsigned long long)seed, i, (long long)gained);
        due = is.turns != was.turns ? income(p, joc_mover(p), is.owned[joc_mover(p)]) : 0;
        was = is;
    }
    assert_null(joc_fault(p));
    joc_position_free(p);
}

static joc_game *four_players(const char *settings) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_load("games/dracones.joc", m);
    char name[40], value[40];
    joc_setting s = { name, value };
    bool some = sscanf(settings, "%39[^=]=%39s", name, value) == 2;
    joc_game *g = joc_compile(rules, &s, some, PLAYERS, m);
    if (!g) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(rules);
    joc_messages_free(m);
    return g;
}

/* A sample; JOC_DRACONES_GAMES=10000 plays the whole, from seed JOC_DRACONES_FIRST on. */
static void test_units_cards_and_territories_are_conserved(void **state) {
    (void)state;
    const char *asked = getenv("JOC_DRACONES_GAMES");
    int games = asked ? atoi(asked) : 4;
    const char *first = getenv("JOC_DRACONES_FIRST");
    joc_game *g = four_players("");
    for (int i = 1; i <= 4; i++) check_game(g, (uint64_t)i, 400);
    const int from = first ? atoi(first) : 1;
    for (int i = 0; i < (asked ? games : 8); i++) check_fast_game(g, (uint64_t)(from + i), asked ? 2000 : 600);
    joc_game_free(g);
}

static void test_every_option_plays(void **state) {
    (void)state;
    static const char *const settings[] = {
        "mode=conquest", "mode=dracones", "mode=territories", "income=least", "rounding=2", "red_by=attacking", "two_blue=2", "fewer=both", "fewer=none", "move_in=thrown", "card_bonus=1",
        "card_bonus_all=no", "jokers=0", "forced=yes", "one_set=yes", "chain=yes", "first_round=no", "spoils=yes", "check=immediate", "check=next_turn_start", "m6=cumulative", "m6=held", "land=hold_round",
    };
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        joc_game *g = four_players(settings[i]);
        joc_position *p = joc_start(g, i);
        joc_random r = joc_random_seed(i);
        for (int k = 0; k < 150 && joc_play_random(p, &r); k++) continue;
        if (joc_state_of(p) == JOC_STUCK || joc_fault(p)) fail_msg("%s: %s", settings[i], joc_fault(p) ? joc_fault(p) : "stuck");
        joc_position_free(p);
        joc_game_free(g);
    }
}

/* ---- bounded lists ------------------------------------------------------------------------------------------------------------------------ */
static void test_thirty_units_to_place_list_no_more_than_three(void **state) {
    (void)state;
    joc_game *g = game_named("dracones", "");
    joc_position *p = joc_start(g, 1);
    int mover = joc_mover(p), spare = keep_named(g, "spare"), units = keep_named(g, "units");
    for (int c = 0; c < joc_game_cells(g); c++) joc_set_keep(p, units, c, 200);
    joc_set_keep(p, spare, 0, 30);
    joc_moves *list = joc_moves_of(p);
    assert_int_equal(joc_moves_count(list), 16);                /* where; how many comes next */
    joc_play(p, joc_moves_at(list, 0));
    joc_moves_free(list);
    list = joc_moves_of(p);
    assert_true(joc_moves_count(list) <= 30);
    joc_play(p, joc_moves_at(list, joc_moves_count(list) - 1));
    joc_moves_free(list);
    list = joc_moves_of(p);
    assert_int_equal(joc_mover(p), mover);
    assert_true(joc_moves_count(list) < 69 * 3 + 69 * 2 + 2);   /* a border and dice, a border to move along, or neither */
    joc_moves_free(list);
    joc_position_free(p);
    joc_game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_of_dice_is_exact),
        cmocka_unit_test(test_the_chance_to_conquer_is_that_of_the_sheet),
        cmocka_unit_test(test_units_cards_and_territories_are_conserved),
        cmocka_unit_test(test_every_option_plays),
        cmocka_unit_test(test_thirty_units_to_place_list_no_more_than_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
