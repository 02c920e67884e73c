/* Random play in one go (interp/machine/onward.h): games played out, from their set-up on, are those played step by step, throw by throw. And what makes it fast where
 * pieces wait beside the board: zones have room for what can come there and no more (interp/compile/slots.c, owners.c, crowd.c). */
#include <glob.h>
#include "helper.h"
#include "interp/inside.h"

enum { CAP = 120, SEEDS = 3 };

static bool behind_chance(const vm *v) {
    const int64_t pc = v->head[H_RESUME];
    return pc > 0 && v->g->code[pc - 1].op >= OP_ROLL && v->g->code[pc - 1].op <= OP_SHOWN;
}

static void set_up(vm *v) {
    v->g->machine->blank(v);
    v->head[H_RESUME] = v->g->setup_pc;
}

/* The state of a position at which a game begins. */
static void begin(vm *v, uint64_t random[4]) {
    const game *g = v->g;
    set_up(v);
    for (int i = 0; i < 1000 && v->head[H_RESUME] && v->head[H_RESUME] < g->turn_pc; i++) if (!g->machine->random(v, random)) break;
}

static void check_game(const char *path, const game *g, uint64_t seed) {
    vm *a = vm_new(g), *b = vm_new(g);
    uint64_t one[4] = { seed, 2, 3, 4 }, two[4] = { seed, 2, 3, 4 }, n = 0, throws = 0, thrown;
    begin(a, one);
    set_up(b);
    for (bool made = true; made && n - throws < CAP && n / 64 < CAP;) {
        made = g->machine->random(a, one);
        n += made;
        throws += made && behind_chance(a);
    }
    const uint64_t m = g->machine->playout(b, two, CAP, &thrown);
    if (m - thrown != n - throws) fail_msg("%s, seed %d: %d decisions in one go, %d step by step", path, (int)seed, (int)(m - thrown), (int)(n - throws));
    assert_int_equal(a->head[H_TURNS], b->head[H_TURNS]);
    assert_int_equal(a->head[H_OVER], b->head[H_OVER]);
    if (m == n) {
        g->machine->clean(a);
        g->machine->clean(b);
        if (memcmp(a->state, b->state, g->state_size) != 0) fail_msg("%s, seed %d: another position in the end", path, (int)seed);
        assert_memory_equal(one, two, sizeof one);
    }
    vm_free(a);
    vm_free(b);
}

static void test_games_in_one_go_are_those_played_step_by_step(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("games/*.joc", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        joc_messages *said = joc_messages_new();
        joc_rules *rules = joc_rules_load(found.gl_pathv[i], said);
        joc_game *played = rules ? joc_compile(rules, NULL, 0, 0, said) : NULL;
        if (!played) fail_msg("%s: %s", found.gl_pathv[i], joc_messages_text(said, false));
        for (uint64_t seed = 1; seed <= SEEDS; seed++) check_game(found.gl_pathv[i], played->g, seed);
        joc_game_free(played);
        joc_rules_free(rules);
        joc_messages_free(said);
    }
    globfree(&found);
}

/* Races, drops and sowing are drawn where they are come to, and captures or else moves or else a defeat; where a filter or a preference may forbid
 * what was drawn they are collected. */
static void test_what_is_drawn_at_once(void **state) {
    (void)state;
    static const struct { const char *name; bool drawn; } rows[] = { { "ur-finkel", true }, { "ur", true }, { "kalah", false }, { "reversi", true }, { "breakthrough", true }, { "connect-four", true }, { "chess", false }, { "amazons", false },
        { "english-draughts", true }, { "tablut", true }, { "international-draughts", false } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *played = game_named(rows[i].name, NULL);
        if (played->g->onward[played->g->turn_pc] != rows[i].drawn) fail_msg("%s: %s", rows[i].name, rows[i].drawn ? "is not drawn" : "is drawn");
        joc_game_free(played);
    }
}

/* A game with something else in it, without its tests. */
static joc_game *race(const char *file, const char *was, const char *becomes) {
    size_t length;
    char *whole = file_read(file, 1 << 20, &length), *changed = replaced(whole, was, becomes);
    joc_messages *said = joc_messages_new();
    char *tests = strstr(changed, "\ntest ");
    if (tests) *tests = 0;
    joc_rules *rules = joc_rules_parse("race.joc", changed, strlen(changed), said);
    joc_game *played = rules ? joc_compile(rules, NULL, 0, 0, said) : NULL;
    if (!played) fail_msg("%s", joc_messages_text(said, false));
    joc_rules_free(rules);
    joc_messages_free(said);
    free(whole);
    free(changed);
    return played;
}

static void test_zones_have_room_for_what_can_come(void **state) {
    (void)state;
    static const char ur[] = "games/ur-finkel.joc", gammon[] = "games/backgammon.joc";
    static const struct { const char *file, *was, *becomes; int hand, taken; } rows[] = {
        { ur, "hand of enemy", "hand of enemy", 7, 1 },             /* pieces go back to their owner */
        { ur, "send taken to hand of enemy", "send taken to hand", 14, 1 },         /* ... or to whoever takes them */
        { ur, "send taken to hand of enemy", "taken becomes own, send taken to hand", 14, 1 },
        { ur, "send taken to hand of enemy", "take B8, send taken to hand of enemy", 14, 28 },      /* anybody's may stand there, and nobody counts */
        { gammon, "stack 15", "stack 15", 15, 32 },         /* where a stack has room for all of a player, nobody takes his own */
        { gammon, "stack 15", "stack 14", 30, 32 },
        { gammon, "stack 15 on", "stack 15 of any on", 30, 32 },            /* others may lie below */
        { gammon, "send taken to bar of enemy", "send taken to bar", 30, 32 },
        { gammon, "let open = not enemy or enemy height 1", "let open = not own", 15, 32 },          /* a whole stack is the other's, too */
        { gammon, "let open = not enemy or enemy height 1", "let open = cells", 15, 32 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *played = race(rows[i].file, rows[i].was, rows[i].becomes);
        const game *g = played->g;
        for (int z = 0; z < 2; z++) if (g->zones[z].slots != rows[i].hand) fail_msg("%s: %d slots", rows[i].becomes, g->zones[z].slots);
        if (g->taken_slots != rows[i].taken) fail_msg("%s: %d may be taken", rows[i].becomes, g->taken_slots);
        joc_position *p = joc_start(played, 1);
        joc_random random = joc_random_seed(1);
        joc_playout(p, &random, 2000);
        if (joc_fault(p)) fail_msg("%s: %s", rows[i].becomes, joc_fault(p));
        joc_position_free(p);
        joc_game_free(played);
    }
}

/* Options that can be asked before they are tried (interp/compile/tested.c): the last card of a set in Dracones, behind which its worth is asked;
 * but not the cards before it, nor what is picked without a condition. */
static void test_options_that_are_asked_first(void **state) {
    (void)state;
    static const struct { const char *name; int picks; } rows[] = { { "dracones", 1 }, { "goofspiel", 0 }, { "go", 0 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *played = game_named(rows[i].name, NULL);
        const game *g = played->g;
        int picks = 0, answers = 0;
        for (uint32_t pc = 0; pc < g->code_count; pc++) {
            if (g->tested[pc] == TESTED_PICK) { assert_int_equal(g->code[pc].op, OP_PICK); picks++; }
            answers += g->tested[pc] == TESTED_YES;
        }
        if (picks != rows[i].picks || (answers > 0) != (picks > 0)) fail_msg("%s: %d picks are asked, with %d answers", rows[i].name, picks, answers);
        joc_game_free(played);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_that_are_asked_first),
        cmocka_unit_test(test_games_in_one_go_are_those_played_step_by_step),
        cmocka_unit_test(test_what_is_drawn_at_once),
        cmocka_unit_test(test_zones_have_room_for_what_can_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
