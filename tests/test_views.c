/* What players see: no output for a player may depend on what is hidden from him.
 *
 * The leak suite takes positions out of random play, changes in a copy only what a table here says is hidden from the observer (an opinion
 * of its own on who sees what), and compares every output that he can get, byte by byte. The two worlds are then played on by the same
 * moves as long as both allow them. */
#include "tests/helper.h"

typedef struct { const char *game, *settings; const char *zones[6]; bool kinds; const char *shown; } secret_game;
/* zones "x": seen by nobody; "x.": seen by their owner. kinds: pieces on the board are hidden from all but their owner; shown: but not where this flag of cells stands */
static const secret_game secret_games[] = {
    { "goofspiel", "", { "deck", "hand." }, false, NULL },
    { "stratego", "", { "hand." }, true, NULL },
    { "dracones", "", { "deck", "missions", "hand.", "mission." }, false, NULL },
    { "kuhn-poker", "", { "deck", "hand." }, false, NULL },
    { "go-fish", "", { "deck", "hand." }, false, NULL },
    { "battleship", "", { NULL }, true, "shot" },
};

static bool zone_hidden(const secret_game *s, const joc_game *g, int zone, int player) {
    for (int i = 0; i < 6 && s->zones[i]; i++) {
        size_t n = strlen(s->zones[i]);
        bool owner = s->zones[i][n - 1] == '.';
        if (strncmp(joc_zone_name(g, zone), s->zones[i], n - owner) || strlen(joc_zone_name(g, zone)) != n - owner) continue;
        return !owner || joc_zone_owner(g, zone) != player;
    }
    return false;
}

/* ---- everything that a player can get ------------------------------------------------------------------------------------------------ */
static void moves_add(text *t, const joc_position *view) {
    joc_moves *list = joc_moves_of(view);
    for (size_t i = 0; i < joc_moves_count(list); i++) text_format(t, "%s\n", joc_move_text(joc_moves_at(list, i)));
    static const char *const typed[] = { "a1", "a7", "DRA", "trade", "battle DRA APU 9", "c4-c5", "Card5", "nonsense", "a2xa3", "hand" };
    for (size_t i = 0; i < COUNT_OF(typed); i++) {
        char *why = NULL;
        joc_moves_find(list, typed[i], &why);
        text_format(t, "%s? %s\n", typed[i], why ? why : "");
        free(why);
    }
    joc_moves_free(list);
}

static char *all_seen(const joc_position *p, int player) {
    joc_position *view = joc_view(p, player), *copy = joc_position_copy(view);
    text t = { 0 };
    char *parts[] = { joc_state_text(view), joc_drawing(view, (joc_look){ .width = 100 }), joc_drawing(view, (joc_look){ .colour = true }), joc_position_text(view), joc_state_text(copy) };
    for (size_t i = 0; i < COUNT_OF(parts); i++) text_format(&t, "%s\n", parts[i]), free(parts[i]);
    text_format(&t, "hash %llx state %d mover %d turns %d\n", (unsigned long long)joc_position_hash(view), joc_state_of(view), joc_mover(view), joc_turns(view));
    for (size_t i = 0; i < joc_log_count(view); i++) {
        joc_event e = joc_log_at(view, i);
        text_format(&t, "%d: %s\n", e.player, e.text);
        free(e.text);
    }
    moves_add(&t, view);
    joc_position_free(copy);
    joc_position_free(view);
    return text_take(&t);
}

static void assert_same_seen(const char *game, const joc_position *a, const joc_position *b, int player) {
    char *x = all_seen(a, player), *y = all_seen(b, player);
    if (strcmp(x, y)) {
        size_t i = 0;
        while (x[i] == y[i]) i++;
        size_t from = i > 200 ? i - 200 : 0;
        fail_msg("%s: %s sees a difference:\n%.400s\n--- the other:\n%.400s", game, joc_game_player(joc_position_game(a), player), x + from, y + from);
    }
    free(x), free(y);
}

/* ---- the same match with other secrets ------------------------------------------------------------------------------------------------ */
typedef struct { int place, level; } spot;

static bool flag_at(const secret_game *s, const joc_position *p, int cell) {
    const joc_game *g = joc_position_game(p);
    for (int k = 0; s->shown && k < joc_game_keeps(g); k++)
        if (!strcmp(joc_keep_name(g, k), s->shown)) return joc_keep_value(p, k, cell) != 0;
    return false;
}

static size_t hidden_spots(const secret_game *s, const joc_position *p, int player, spot *out, size_t cap) {
    const joc_game *g = joc_position_game(p);
    size_t n = 0;
    int owner, kind;
    for (int place = 0; place < joc_game_cells(g) + joc_game_zones(g); place++)
        for (int level = 0; level < joc_height(p, place) && n < cap; level++) {
            if (!joc_piece(p, place, level, &owner, &kind)) continue;
            if (place < joc_game_cells(g) && flag_at(s, p, place)) continue;
            bool hidden = place < joc_game_cells(g) ? s->kinds && owner != player : zone_hidden(s, g, place - joc_game_cells(g), player);
            if (hidden) out[n++] = (spot){ place, level };
        }
    return n;
}

/* The kinds at the two spots change places, with the numbers of the pieces. Only for cells of one piece and zones. */
static void rewrite(joc_position *p, int place, int level, int kind, const int64_t *values) {
    const joc_game *g = joc_position_game(p);
    int count = joc_height(p, place), keeps = joc_game_keeps(g);
    int *owners = calloc((size_t)count, sizeof *owners), *kinds = calloc((size_t)count, sizeof *kinds);
    int64_t *all = calloc((size_t)count * (size_t)keeps + 1, sizeof *all);
    for (int i = 0; i < count; i++) {
        joc_piece(p, place, i, &owners[i], &kinds[i]);
        for (int k = 0; k < keeps; k++) if (joc_keep_of(g, k) == JOC_OF_PIECE) all[i * keeps + k] = i == level ? values[k] : joc_piece_value(p, place, i, k);
    }
    kinds[level] = kind;
    joc_clear(p, place);
    for (int i = 0; i < count; i++) {
        joc_put(p, place, owners[i], kinds[i]);
        for (int k = 0; k < keeps; k++) if (joc_keep_of(g, k) == JOC_OF_PIECE) joc_set_piece_value(p, place, place < joc_game_cells(g) ? 0 : i, k, all[i * keeps + k]);
    }
    free(owners), free(kinds), free(all);
}

static void swap_secrets(joc_position *p, spot a, spot b) {
    const joc_game *g = joc_position_game(p);
    int owner, ka, kb;
    int64_t va[64] = { 0 }, vb[64] = { 0 };
    joc_piece(p, a.place, a.level, &owner, &ka);
    joc_piece(p, b.place, b.level, &owner, &kb);
    for (int k = 0; k < joc_game_keeps(g) && k < 64; k++)
        if (joc_keep_of(g, k) == JOC_OF_PIECE) va[k] = joc_piece_value(p, a.place, a.level, k), vb[k] = joc_piece_value(p, b.place, b.level, k);
    rewrite(p, a.place, a.level, kb, vb);
    rewrite(p, b.place, b.level, ka, va);
}

/* Inside a round of `by everyone` what stands on the table is no longer what the log says once it was changed from outside. */
static bool choosing_at_once(const secret_game *s, const joc_position *p) {
    if (!strcmp(s->game, "stratego")) return joc_turns(p) == 0;
    if (!strcmp(s->game, "battleship")) return joc_log_count(p) < 4;
    return !strcmp(s->game, "goofspiel") && joc_mover(p) == 1;
}

static void compare_worlds(const secret_game *s, const joc_position *a, int player, joc_random *r, size_t *compared) {
    spot spots[400];
    joc_state_of(a);            /* what chance has drawn is carried out */
    size_t n = hidden_spots(s, a, player, spots, COUNT_OF(spots));
    if (n < 2) return;
    joc_position *b = joc_position_copy(a);
    for (int swaps = 0; swaps < 6; swaps++) swap_secrets(b, spots[joc_random_below(r, n)], spots[joc_random_below(r, n)]);
    assert_same_seen(s->game, a, b, player);
    *compared += 1;
    joc_position_free(b);
}

static void leaks_of(const secret_game *s, uint64_t seed, int plies) {
    joc_game *g = game_named(s->game, s->settings);
    joc_position *p = joc_start(g, seed);
    joc_random r = joc_random_seed(seed);
    size_t compared = 0;
    for (int ply = 0; ply < plies; ply++) {
        if (choosing_at_once(s, p) && joc_play_random(p, &r)) continue;
        for (int player = 0; player < joc_game_players(g); player++) compare_worlds(s, p, player, &r, &compared);
        if (!joc_play_random(p, &r)) break;
    }
    assert_true(compared > (strcmp(s->game, "kuhn-poker") ? 10u : 2u));
    joc_position_free(p);
    joc_game_free(g);
}

static void test_what_a_player_gets_does_not_depend_on_what_is_hidden(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(secret_games); i++)
        for (uint64_t seed = 1; seed <= 2; seed++) leaks_of(&secret_games[i], seed, 30);
}

/* ---- rounds --------------------------------------------------------------------------------------------------------------------------- */
static void play_text(joc_position *p, const char *move) {
    joc_moves *list = joc_moves_of(p);
    char *why = NULL;
    const joc_move *m = joc_moves_find(list, move, &why);
    if (!m) fail_msg("%s: %s", move, why);
    joc_play(p, m);
    joc_moves_free(list);
}

static void test_a_bid_is_not_seen_before_all_have_bid(void **state) {
    (void)state;
    joc_game *g = game_named("goofspiel", "");
    joc_position *p = joc_start(g, 5), *q;
    joc_moves *list = joc_moves_of(p);
    joc_play(p, joc_moves_at(list, 3));
    joc_moves_free(list);
    q = joc_position_copy(p);
    play_text(p, "Card7"), play_text(q, "Card12");
    char *x = all_seen(p, 1), *y = all_seen(q, 1), *own = all_seen(p, 0);
    assert_string_equal(x, y);
    assert_null(strstr(x, "bid[Ann]"));
    assert_non_null(strstr(own, "bid[Ann]=Ann.Card7"));
    free(x), free(y), free(own);
    joc_position_free(p), joc_position_free(q);
    joc_game_free(g);
}

static void test_what_is_set_up_at_once_is_not_seen_until_all_are_ready(void **state) {
    (void)state;
    joc_game *g = game_named("stratego", "");
    char *first = NULL;
    for (uint64_t seed = 1; seed < 5; seed++) {
        joc_position *p = joc_start(g, 1);
        joc_random r = joc_random_seed(seed);
        while (joc_mover(p) == 0) assert_true(joc_play_random(p, &r));
        play_text(p, "Spy@b6"), play_text(p, "Flag@c6");
        char *seen = all_seen(p, 1);
        if (!first) first = seen;
        else {
            assert_string_equal(first, seen);
            free(seen);
        }
        joc_position_free(p);
    }
    assert_non_null(strstr(first, "b6=Blue.Spy c6=Blue.Flag"));
    assert_null(strstr(first, "Red."));
    free(first);
    joc_game_free(g);
}

static void test_a_piece_seen_by_all_stays_seen(void **state) {
    (void)state;
    joc_game *g = game_named("stratego", "");
    joc_position *p = joc_empty(g);
    int from = joc_cell_find(g, "a4"), to = joc_cell_find(g, "a5"), owner, kind;
    for (int k = 0; k < joc_game_kinds(g); k++) {
        if (!strcmp(joc_kind_name(g, k), "Captain")) joc_put(p, from, 0, k);
        if (!strcmp(joc_kind_name(g, k), "Sergeant")) joc_put(p, to, 1, k);
        if (!strcmp(joc_kind_name(g, k), "Flag")) joc_put(p, joc_cell_find(g, "a1"), 0, k), joc_put(p, joc_cell_find(g, "a7"), 1, k);
    }
    joc_settle(p);
    joc_position *view = joc_view(p, 1);
    assert_true(joc_piece(view, from, 0, &owner, &kind));
    assert_int_equal(kind, joc_game_kinds(g));
    joc_position_free(view);
    play_text(p, "a4xa5");
    view = joc_view(p, 1);
    assert_true(joc_piece(view, to, 0, &owner, &kind));
    assert_string_equal(joc_kind_name(g, kind), "Captain");
    joc_position_free(view);
    joc_position_free(p);
    joc_game_free(g);
}

/* ---- redeals -------------------------------------------------------------------------------------------------------------------------- */
static const char small_cards[] =
    "game \"Small cards\"\nplayers Ann, Bob\npiece Low, Mid, High\nzone deck seen by nobody\nzone table\nzone hand of player seen by owner\n"
    "setup { place 2 neutral (Low or Mid or High) on deck\n each p in everyone { by p { each i in 1..2 { pick random c in deck, send c to hand } } } }\n"
    "turn { pick x in hand, send x to table }\nend when count table = 4\nscore count hand\n";

static joc_game *game_of(const char *rules_text) {
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_parse("small.joc", rules_text, strlen(rules_text), m);
    joc_game *g = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!g) fail_msg("%s", joc_messages_text(m, false));
    joc_rules_free(rules);
    joc_messages_free(m);
    return g;
}

static int kind_in(const joc_position *p, int zone, int level) {
    int owner, kind;
    assert_true(joc_piece(p, joc_game_cells(joc_position_game(p)) + zone, level, &owner, &kind));
    return kind;
}

/* Ann has a Low and a High and has played the Low, Bob has played a Mid. All deals of six cards are gone through: which card has Bob kept? */
static void enumerate_kept(double share[3]) {
    int cards[6] = { 0, 0, 1, 1, 2, 2 }, all = 0, kept[3] = { 0, 0, 0 };
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) {
            if (cards[a] != 0 || cards[b] != 2) continue;
            for (int c = 0; c < 6; c++)
                for (int d = c + 1; d < 6; d++) {
                    if (c == a || c == b || d == a || d == b || (cards[c] != 1 && cards[d] != 1)) continue;
                    all++;
                    kept[cards[c] == 1 ? cards[d] : cards[c]]++;
                }
        }
    for (int k = 0; k < 3; k++) share[k] = (double)kept[k] / all;
}

static void test_redeals_are_uniform_over_the_deals_that_fit(void **state) {
    (void)state;
    enum { WORLDS = 1500 };
    joc_game *g = game_of(small_cards);
    joc_position *p = NULL;
    for (uint64_t seed = 1; !p; seed++) {
        p = joc_start(g, seed);
        int a = kind_in(p, 2, 0) + kind_in(p, 2, 1), product = kind_in(p, 2, 0) * kind_in(p, 2, 1);
        if (a == 2 && product == 0 && (kind_in(p, 3, 0) == 1 || kind_in(p, 3, 1) == 1)) break;
        joc_position_free(p), p = NULL;
    }
    play_text(p, "Low"), play_text(p, "Mid");
    joc_position *view = joc_view(p, 0);
    double share[3];
    int count[3] = { 0, 0, 0 };
    enumerate_kept(share);
    for (int i = 0; i < WORLDS; i++) {
        joc_position *world = joc_redeal(view, (uint64_t)i);
        assert_non_null(world);
        count[kind_in(world, 3, 0)]++;
        assert_int_equal(kind_in(world, 2, 0), 2);
        joc_position_free(world);
    }
    for (int k = 0; k < 3; k++) {
        double got = (double)count[k] / WORLDS, off = got > share[k] ? got - share[k] : share[k] - got;
        if (off > 0.04) fail_msg("Bob keeps kind %d in %.3f of the worlds, by enumeration in %.3f", k, got, share[k]);
    }
    joc_position_free(view), joc_position_free(p);
    joc_game_free(g);
}

/* For every game with secrets: worlds are found, and in them the player gets what he got, byte by byte. */
static void redeals_of(const secret_game *s, uint64_t seed, int plies, int every) {
    joc_game *g = game_named(s->game, s->settings);
    joc_position *p = joc_start(g, seed);
    joc_random r = joc_random_seed(seed);
    int differ = 0;
    for (int ply = 0; ply < plies; ply++) {
        if (ply % every == 0 && joc_state_of(p) == JOC_DECISION) {
            int player = joc_mover(p);
            joc_position *view = joc_view(p, player), *world = joc_redeal(view, seed + (uint64_t)ply);
            if (!world) fail_msg("%s, seed %d, ply %d: no world for %s", s->game, (int)seed, ply, joc_game_player(g, player));
            char *a = joc_state_text(p), *b = joc_state_text(world);
            assert_same_seen(s->game, p, world, player);
            differ += strcmp(a, b) != 0;
            free(a), free(b);
            joc_position_free(world), joc_position_free(view);
        }
        if (!joc_play_random(p, &r)) break;
    }
    if (strcmp(s->game, "goofspiel") && strcmp(s->game, "kuhn-poker")) assert_true(differ > 0);         /* there little is not known */
    joc_position_free(p);
    joc_game_free(g);
}

static void test_in_a_redealt_world_a_player_gets_what_he_got(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(secret_games); i++)
        for (uint64_t seed = 1; seed <= 2; seed++) redeals_of(&secret_games[i], seed, strcmp(secret_games[i].game, "go-fish") ? 60 : 28, 9);
}

static const char sealed_numbers[] =
    "game \"Sealed\"\nplayers Ann, Bob\nkeep guess of player 0..9 seen by owner\nkeep secret 0..9 seen by Bob\nkeep told 0..9\n"
    "turn { pick n in 1..9, guess = n, secret = n, told = n % 2 }\nend when turns = 4\nscore guess\n";

static void test_a_secret_number_is_neither_shown_nor_told(void **state) {
    (void)state;
    joc_game *g = game_of(sealed_numbers);
    char *seen[2][2];
    for (int i = 0; i < 2; i++) {
        joc_position *p = joc_start(g, 1);
        play_text(p, i ? "5" : "7");
        for (int who = 0; who < 2; who++) seen[i][who] = all_seen(p, who);
        joc_position_free(p);
    }
    assert_non_null(strstr(seen[0][0], "guess[Ann]:7"));
    assert_non_null(strstr(seen[0][0], "0: 7"));
    assert_null(strstr(seen[0][0], "secret:7"));
    assert_non_null(strstr(seen[0][1], "secret:7"));           /* the rules say so */
    assert_non_null(strstr(seen[0][1], "0: ?"));
    assert_null(strstr(seen[0][1], "guess[Ann]"));
    for (int i = 0; i < 2; i++) for (int who = 0; who < 2; who++) free(seen[i][who]);
    joc_game_free(g);
}

static void test_a_view_of_a_redealt_world_depends_on_view_and_seed_alone(void **state) {
    (void)state;
    joc_game *g = game_of(small_cards);
    joc_position *p = joc_start(g, 4), *q = joc_position_copy(p);
    spot spots[16];
    secret_game s = { "small", "", { "deck", "hand." }, false, NULL };
    joc_state_of(p), joc_state_of(q);
    size_t n = hidden_spots(&s, q, 0, spots, COUNT_OF(spots));
    for (size_t i = 0; i + 1 < n; i++) swap_secrets(q, spots[i], spots[i + 1]);
    joc_position *a = joc_view(p, 0), *b = joc_view(q, 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        joc_position *x = joc_redeal(a, seed), *y = joc_redeal(b, seed);
        assert_non_null(x);
        assert_non_null(y);
        char *tx = joc_state_text(x), *ty = joc_state_text(y);
        assert_string_equal(tx, ty);
        free(tx), free(ty);
        joc_position_free(x), joc_position_free(y);
    }
    joc_position_free(a), joc_position_free(b), joc_position_free(p), joc_position_free(q);
    joc_game_free(g);
}

/* ---- Kuhn's poker ---------------------------------------------------------------------------------------------------------------------- */
/* One of the equilibria that Kuhn gives (1950): how likely the player to move is to bet or call. Ann's Jack never bluffs in it. */
static double boldness(int card, const char *said) {
    static const double ann_first[] = { 0, 0, 0 }, bob_after_check[] = { 1.0 / 3, 0, 1 }, bob_after_bet[] = { 0, 1.0 / 3, 1 }, ann_after_bet[] = { 0, 1.0 / 3, 1 };
    if (!*said) return ann_first[card];
    if (!strcmp(said, "Check")) return bob_after_check[card];
    return !strcmp(said, "Bet") ? bob_after_bet[card] : ann_after_bet[card];
}

static double kuhn_value(const joc_position *p, const char *said, int *ends) {
    if (joc_state_of(p) == JOC_OVER) {
        joc_result r = joc_result_of(p);
        ++*ends;
        assert_int_equal(r.scores[0] + r.scores[1], 0);
        return (double)r.scores[0];
    }
    joc_moves *list = joc_moves_of(p);
    int card = kind_in(p, 1 + joc_mover(p), 0);
    double bold = boldness(card, said), value = 0;
    assert_int_equal(joc_moves_count(list), 2);
    for (size_t i = 0; i < 2; i++) {
        const char *move = joc_move_text(joc_moves_at(list, i));
        joc_position *next = joc_position_copy(p);
        joc_play(next, joc_moves_at(list, i));
        bool is_bold = !strcmp(move, "Bet") || !strcmp(move, "Call");
        value += (is_bold ? bold : 1 - bold) * kuhn_value(next, *said && !strcmp(move, "Bet") ? "CheckBet" : move, ends);
        joc_position_free(next);
    }
    joc_moves_free(list);
    return value;
}

static void test_kuhns_poker_has_thirty_ends_and_its_known_value(void **state) {
    (void)state;
    joc_game *g = game_named("kuhn-poker", "");
    double sum = 0;
    int ends = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            if (a == b) continue;
            joc_position *p = joc_empty(g);
            joc_put(p, 1, 0, a), joc_put(p, 2, 1, b), joc_put(p, 0, -1, 3 - a - b);
            joc_settle(p);
            sum += kuhn_value(p, "", &ends);
            joc_position_free(p);
        }
    assert_int_equal(ends, 30);
    double off = sum / 6 + 1.0 / 18;
    assert_true(off < 1e-12 && off > -1e-12);
    joc_game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_player_gets_does_not_depend_on_what_is_hidden),
        cmocka_unit_test(test_a_bid_is_not_seen_before_all_have_bid),
        cmocka_unit_test(test_what_is_set_up_at_once_is_not_seen_until_all_are_ready),
        cmocka_unit_test(test_a_piece_seen_by_all_stays_seen),
        cmocka_unit_test(test_redeals_are_uniform_over_the_deals_that_fit),
        cmocka_unit_test(test_in_a_redealt_world_a_player_gets_what_he_got),
        cmocka_unit_test(test_a_secret_number_is_neither_shown_nor_told),
        cmocka_unit_test(test_a_view_of_a_redealt_world_depends_on_view_and_seed_alone),
        cmocka_unit_test(test_kuhns_poker_has_thirty_ends_and_its_known_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
