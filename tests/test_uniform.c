/* Random moves are uniform over the moves that are listed, each position once, whatever the machine does to draw them without listing.
 *
 * At decisions of random games the moves are listed, each made on a copy and known by the text of the state it leads to; then the same decision is
 * drawn many times. What is drawn must be among those, and as often as chance lets it be (chi-square over all decisions of a game; the limit is
 * exceeded once in a million runs, and the seeds are fixed). The rule files written here are made so that different choices lead to one position,
 * or nearly. */
#include <math.h>
#include "tests/helper.h"

#if defined(__SANITIZE_ADDRESS__)
enum { MOVES_MAX = 64, DRAWS = 15 /* for each move */, DECISIONS = 60 };
#else
enum { MOVES_MAX = 64, DRAWS = 40, DECISIONS = 60 };
#endif

/* Wilson and Hilferty's approximation of the quantile at 1 - 1e-6. */
static double limit_of(double k) {
    const double z = 4.753, x = 1 - 2 / (9 * k) + z * sqrt(2 / (9 * k));
    return k * x * x * x;
}

static char *led_to(joc_position *p) {
    (void)joc_state_of(p);
    char *words = joc_state_text(p);
    joc_position_free(p);
    return words;
}

/* Adds what the draws of one decision come to. */
/* False if there is nothing to draw from. */
static bool draw_often(const joc_position *at, joc_random *r, double *chi, double *freedom) {
    char *texts[MOVES_MAX];
    uint64_t seen[MOVES_MAX] = { 0 };
    joc_position *here = joc_position_copy(at);
    joc_moves *list = joc_moves_of(here);
    const size_t n = joc_moves_count(list);
    if (n < 2 || n > MOVES_MAX) { joc_moves_free(list); joc_position_free(here); return false; }
    for (size_t i = 0; i < n; i++) {
        joc_position *p = joc_position_copy(here);
        joc_moves *again = joc_moves_of(p);
        joc_play(p, joc_moves_at(again, i));
        joc_moves_free(again);
        texts[i] = led_to(p);
    }
    for (size_t k = 0; k < n * DRAWS; k++) {
        joc_position *p = joc_position_copy(at);
        assert_true(joc_play_random(p, r));
        char *words = led_to(p);
        size_t i = 0;
        while (i < n && strcmp(words, texts[i]) != 0) i++;
        if (i == n) fail_msg("no move leads to %s", words);
        seen[i]++;
        free(words);
    }
    for (size_t i = 0; i < n; i++) { *chi += ((double)seen[i] - DRAWS) * ((double)seen[i] - DRAWS) / DRAWS; free(texts[i]); }
    *freedom += (double)(n - 1);
    joc_moves_free(list);
    joc_position_free(here);
    return true;
}

static void game_is_uniform(const char *name, joc_game *g) {
    joc_random r = joc_random_seed(7);
    double chi = 0, freedom = 0;
    int decisions = 0;
    for (uint64_t game = 0; game < 400 && decisions < DECISIONS; game++) {
        joc_position *p = joc_start(g, game);
        for (int ply = 0; ply < 400; ply++) {
            if (joc_state_of(p) == JOC_OVER) break;
            if (joc_state_of(p) == JOC_DECISION && joc_random_below(&r, 12) == 0 && decisions < DECISIONS) decisions += draw_often(p, &r, &chi, &freedom);
            if (!joc_play_random(p, &r)) break;
        }
        joc_position_free(p);
    }
    if (freedom < 10) fail_msg("%s: only %.0f choices", name, freedom);
    if (chi > limit_of(freedom)) fail_msg("%s: chi-square %.1f with %.0f degrees of freedom, more than %.1f", name, chi, freedom, limit_of(freedom));
    joc_game_free(g);
}

/* Two dice, of which as many as possible are used: behind the last leg nothing is chosen (interp/machine/last.h), unless the rules ask. */
#define POOL "players A east, B west\nboard strip 12\npiece Man\nzone bar of player\nzone off of player\nstack 3 on cells\ndice pair = 1, 2, 3\nlet open = not enemy or enemy height 1\n" \
    "setup { by everyone { place 2 Man on row 1; place 1 Man on row 2; place 2 Man on row 5; place 1 Man on row 8 } }\n" \
    "enter(n): pick here in bar, step anywhere to open row n\ngo(n): when no bar, pick here in own, step n ahead to open\n" \
    "out(n): when no (bar or own row 1..8), pick here in own (row >= 13 - n), step anywhere to off\n"
#define POOL_TURN "turn { roll 2 pair; if max(pair) = min(pair) { pair += pair }; { use, { use, { use, { use }? }? }? }?; prefer -count pair"

static void test_games_that_come_with_joc(void **state) {
    (void)state;
    static const struct { const char *name, *settings; } games[] = {
        { "ur", "" }, { "ur", "eyes_lifo=no" }, { "ur", "entry_empty=yes exit_over=yes" }, { "ur", "rosette=same pebbles=3" }, { "ur-finkel", "" }, { "ur-finkel", "path=long exact=no pieces=3" },
        { "ludo", "" }, { "ludo", "blocks=yes safe=yes" }, { "yut", "" }, { "kalah", "" }, { "kalah", "seeds_each=6 empty_capture=no" },
        { "kalah", "captures=no" }, { "oware", "" }, { "oware", "feed=free" }, { "breakthrough", "" }, { "reversi", "" }, { "connect-four", "" },
        { "english-draughts", "" }, { "alquerque", "" }, { "halatafl", "" }, { "fox-and-geese", "" },
    };
    for (size_t i = 0; i < COUNT_OF(games); i++) game_is_uniform(games[i].name, game_named(games[i].name, games[i].settings));
}

/* ---- rules made for it ------------------------------------------------------------------------------------------------------------------ */
static const struct { const char *name, *rules; } made[] = {
    { "whatever is picked, all is emptied",
      "game \"E\"\nplayers A, B\nboard strip 6\nkeep seeds of cell 0..9 = 1\nkeep store of player 0..99\n"
      "turn { pick x in cells seeds 1..9, seeds of x = 0\n if x in p1 p2 p3 { seeds of p1 p2 p3 = 0 }\n store += 1 }\nwin when no cells seeds 1..9\n" },
    { "laps that come back to where they began",
      "game \"L\"\nplayers A, B\nboard strip 4\nkeep seeds of cell 0..60 = 3\nkeep store of player 0..200\ntrack round = (p1 p2 p3 p4 p1)\n"
      "turn { pick x in cells seeds 1..60, let n = seeds of x, seeds of x = 0, here = x\n each i in 1..n { here = round of here, seeds of here += 1 }\n"
      " if seeds of here = 2 { seeds of here = 0, store += 2 } }\nwin when store > 40\ndraw when turns > 200\nend when no cells seeds 1..60\nscore store\n" },
    { "a walk that returns the seeds",
      "game \"R\"\nplayers A, B\nboard strip 4\nkeep seeds of cell 0..60 = 2\ntrack round = (p1 p2 p3 p4 p1)\n"
      "turn { pick x in cells seeds 1..60, let n = seeds of x, seeds of x = 0, here = x\n each i in 1..n { here = round of here, seeds of here += 1 }\n"
      " seeds of x += 1 }\nwin when turns > 60\n" },
    { "a sum before the sowing",
      "game \"S\"\nplayers A, B\nboard strip 4\nkeep seeds of cell 0..60 = 2\ntrack round = (p1 p2 p3 p4 p1)\n"
      "turn { pick x in cells seeds 1..60, seeds of x += 3, let n = seeds of x, seeds of x = 0, here = x\n each i in 1..n { here = round of here, seeds of here += 1 } }\nwin when turns > 12\n" },
    { "some moves are forbidden when they have been made",
      "game \"F\"\nplayers A, B\nboard strip 6\nkeep seeds of cell 0..60 = 3\ntrack round = (p1 p2 p3 p4 p5 p6 p1)\n"
      "turn { { pick x in cells seeds 1..60, let n = seeds of x, seeds of x = 0, here = x\n each i in 1..n { here = round of here, seeds of here += 1 }\n"
      " illegal when seeds of here > 4 } else pass }\nwin when turns > 60\n" },
    { "two kinds of men wait",
      "game \"W\"\nplayers A, B\nboard strip 12\npiece Man\nkeep quick of piece\nzone hand of player\nzone home of player\nstack 3 on cells\ndice die = 1, 2, 3\n"
      "track way = (hand p1..p12 home)\nsetup { by everyone { place 4 Man on hand }\n each m in hand of A { if count ((hand of A) quick) < 2 { m becomes quick } } }\n"
      "go: pick here in own or hand, step die way to not enemy or enemy height 1 or home\nturn { roll die; go else pass; send taken to hand of enemy }\nwin when count home = 4\n" },
    { "what is taken of one's own goes back to the hand",
      "game \"O\"\nplayers A, B\nboard strip 8\npiece Man\nzone hand of player\nzone home of player\nstack 2 on cells\ndice die = 1, 2, 3\n"
      "track way = (hand p1..p8 home)\nsetup { by everyone { place 5 Man on hand } }\n"
      "go: pick here in own or hand, step die way to cells or home\nturn { roll die; go else pass; send taken to hand of owner }\nwin when count home = 5\ndraw when turns > 300\n" },
    { "a ring on which two can change places",
      "game \"C\"\nplayers A, B\nboard strip 6\npiece Man\nstack 2 on cells\ndice die = 2, 3, 6\ntrack round = (p1 p2 p3 p4 p5 p6 p1)\n"
      "setup { place 2 A Man on p1 p4 p2; place 2 B Man on p3 p6 }\ngo: pick here in own, step die round to not enemy\nturn { roll die; go else pass }\nwin when turns > 3\n" },
    { "two rules for one man",
      "game \"T\"\nplayers A, B\nboard strip 9\npiece Man\ndice die = 1, 2\ntrack way of A = (p1..p9)\ntrack way of B = (p9..p1)\n"
      "setup { place A Man on p1 p2 p3; place B Man on p7 p8 p9 }\none: pick here in own, step way to not own\nmany: pick here in own, step die way to not own\n"
      "turn { roll die; { one | many } else pass }\nwin when any own p5 and turns > 20\ndraw when turns > 60\n" },
    { "men who walk, and a pass",
      "game \"P\"\nplayers A, B\nboard strip 9\npiece Man\nzone home of player\ndice die = 1, 2\ntrack way of A = (p1..p9 home)\ntrack way of B = (p9..p1 home)\n"
      "setup { place A Man on p1 p2 p3; place B Man on p7 p8 p9 }\ngo: pick here in own, step die way to empty or home\nturn { roll die; go | pass }\nwin when count home = 3\ndraw when turns > 60\n" },
    { "two dice, bar and stacks",
      "game \"D\"\n" POOL "use: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }, send taken to bar of enemy\n" POOL_TURN " }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "two dice, and he who can take must",
      "game \"D\"\n" POOL "use: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }, send taken to bar of enemy\n" POOL_TURN "; prefer count (bar of enemy) }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "two dice, and taking with the last of them is better",
      "game \"D\"\n" POOL "use: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }\n" POOL_TURN "; prefer count taken; send taken to bar of enemy }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "two dice, and where he came to is kept",
      "game \"D\"\n" POOL "keep trail of cell\nkeep far 0..20 = 0\n"
      "use: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }, send taken to bar of enemy, far += row of start, here becomes trail\n" POOL_TURN " }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "two dice, and where they came to is marked",
      "game \"D\"\n" POOL "keep trail of cell\nuse: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }, send taken to bar of enemy, here becomes trail\n"
      "turn { roll 2 pair; trail becomes not trail; { use, { use }? }?; prefer -count pair }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "two dice, and who walks last decides who moves next",
      "game \"D\"\n" POOL "use: pick n in pair, pair -= n, { enter(n) | go(n) | out(n) }, send taken to bar of enemy, if row of here > 6 { again }\n" POOL_TURN " }\nwin when count off = 6\ndraw when turns > 60\n" },
    { "chains of jumps that must be finished, round a board without edges",
      "game \"J\"\nplayers A, B\nboard torus 5 by 5\npiece Man\nsetup { place A Man on a1 c1 e1 b2 d2; place B Man on a4 c4 e4 b5 d5 b3 }\n"
      "jump: pick here in own, { step over enemy to empty, take passed }+ until stuck\nwalk: pick here in own, step to empty\n"
      "turn { jump else walk else pass }\nwin when no enemy\ndraw when turns > 60\n" },
    { "chains of jumps that may be left",
      "game \"K\"\nplayers A, B\nboard square 5 by 5\npiece Man\nsetup { place A Man on a1 c1 e1 b2 d2; place B Man on a4 c4 e4 b5 d5 b3 }\n"
      "jump: pick here in own, { step over enemy to empty, take passed }+\nwalk: pick here in own, step to empty\n"
      "turn { jump else walk else pass }\nwin when no enemy\ndraw when turns > 60\n" },
    { "jumps over one's own, who are taken too, but not from everywhere",
      "game \"V\"\nplayers A, B\nboard square 5 by 5\npiece Man\nsetup { place A Man on a1 c1 e1 b2 d2; place B Man on a4 c4 e4 b5 d5 b3 }\n"
      "jump: pick here in own, { when not here in row 3..4, step over occupied to empty, take passed }+ until stuck\nwalk: pick here in own, step to empty\n"
      "turn { jump else walk else pass }\nwin when no enemy\ndraw when turns > 60\n" },
    { "a man comes in where one has just left",
      "game \"N\"\nplayers A, B\nboard strip 12\npiece Man\ndice die = 1, 2\ntrack round = (p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p1)\n"
      "setup { place A Man on p1 p4; place B Man on p7 p10 }\ngo: { pick here in own, let x = here, step die round to empty, place Man on x }\n"
      "turn { roll die; go else pass; if count (cells occupied) > 9 { take cells occupied; place A Man on p1 p4; place B Man on p7 p10 } }\nwin when turns > 40\n" },
};

static void test_rules_by_which_choices_may_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_parse("made.joc", made[i].rules, strlen(made[i].rules), m);
        joc_game *g = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
        if (!g) fail_msg("%s: %s", made[i].name, joc_messages_text(m, false));
        joc_rules_free(rules);
        joc_messages_free(m);
        game_is_uniform(made[i].name, g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_that_come_with_joc),
        cmocka_unit_test(test_rules_by_which_choices_may_agree),
    };
    return cmocka_run_group_tests_name("uniform", tests, NULL, NULL);
}
