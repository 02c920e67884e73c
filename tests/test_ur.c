/* The Royal Game of Ur in Skiryuk's rules, against a generator written from the sheet alone: slow and obvious. At every ply of random games,
 * under the default options and others, the same positions can be reached, and the same player goes on or has won.
 *
 * A pebble is a letter, capital when its face is up: w for White, b for Black. at[x][y] is what lies on a square, the lowest first; x is the
 * column 1 .. 8, y the row A .. C. A side's way is a list of squares, its steps 1 .. 23; the step is known by the square and the face.
 *
 * JOC_UR=N plays N games under the default options and 3 N under others (12). */
#include <ctype.h>
#include "tests/helper.h"

enum { COLUMNS = 8, ROWS = 3, LAST = 23, TURNING = 14, FULL = 4, FOUND_MOST = 64, PLIES_MOST = 3000 };
typedef struct {
    char at[COLUMNS + 1][ROWS][FULL + 2];
    int hand[2], home[2], next, winner;                     /* who decides or throws next; -1: nobody has won */
    bool extra, same;                                       /* a further turn; with the number thrown before */
} scene;
typedef struct { int pebbles; bool same, chain, entry_empty, lifo, flip_first, exit_over, cross; } options;
typedef struct { scene list[FOUND_MOST]; size_t count; } scenes;

static struct { size_t taken, mixed, passed, home, extra; } met;        /* what came up */

/* ---- the sheet ----------------------------------------------------------------------------------------------------------------------------- */
/* The way of the side that begins on C4; who begins on A4 has A for C and C for A. */
static const char *const own_first[LAST + 1] = { "", "C4", "C3", "C2", "C1", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "C7", "C8", "B8", "A8", "A7",
                                             "B7", "B6", "B5", "B4", "B3", "B2", "B1" };
static const char *const other_first[LAST + 1] = { "", "C4", "C3", "C2", "C1", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "A7", "A8", "B8", "C8", "C7",
                                               "B7", "B6", "B5", "B4", "B3", "B2", "B1" };

static bool among(const char *square, const char *list) { return strstr(list, square) != NULL; }

/* The name of a step, 1 .. 23. */
static void square_of(const options *o, int player, int step, char name[3]) {
    snprintf(name, 3, "%s", (o->cross ? other_first : own_first)[step]);
    if (player == 1 && name[0] != 'B') name[0] = name[0] == 'A' ? 'C' : 'A';
}

static char *stack_at(scene *s, const char *square) { return s->at[square[1] - '0'][square[0] - 'A']; }
static bool of_player(char pebble, int player) { return tolower((unsigned char)pebble) == (player ? 'b' : 'w'); }
static bool is_up(char pebble) { return isupper((unsigned char)pebble) != 0; }

/* May the pebble, with the face it shows, come to the square? */
static bool may_land(const options *o, const char *square, const char *there, char pebble, bool entering) {
    const size_t n = strlen(there);
    if (!n) return true;
    if (entering && o->entry_empty) return false;
    if (among(square, "B3 B6")) return n < FULL;
    if (among(square, "A2 C2 A4 C4 B7")) return n < FULL && tolower((unsigned char)there[0]) == tolower((unsigned char)pebble);
    if (tolower((unsigned char)there[0]) == tolower((unsigned char)pebble)) return false;
    return is_up(there[0]) == is_up(pebble) && !(among(square, "B1") && is_up(there[0]));
}

static void add(scenes *out, scene s, const char *square, const options *o, int player, bool was_extra) {
    s.extra = square && among(square, "A1 C1 B4 A7 C7") && (o->chain || !was_extra);
    s.same = s.extra && o->same;
    s.next = s.extra ? player : !player;
    s.winner = s.home[player] == o->pebbles ? player : -1;
    if (s.winner >= 0) s.extra = s.same = false, s.next = 0;
    assert_true(out->count < FOUND_MOST);
    out->list[out->count++] = s;
}

/* The pebble has been lifted from `step` (0: the hand) of the scene. */
static void go(const scene *lifted, char pebble, int step, int pips, const options *o, bool was_extra, scenes *out) {
    const int player = of_player(pebble, 1), to = step + pips;
    char square[3], arriving = to >= TURNING ? (char)toupper((unsigned char)pebble) : pebble;
    scene s = *lifted;
    if (to > LAST) {
        s.home[player]++;
        if (to == LAST + 1 || (o->exit_over && step > LAST - 4)) add(out, s, NULL, o, player, was_extra);
        return;
    }
    square_of(o, player, to, square);
    char *there = stack_at(&s, square);
    if (!may_land(o, square, there, to == TURNING && !o->flip_first ? pebble : arriving, step == 0)) return;
    if (*there && !of_player(*there, player) && !among(square, "B3 B6")) s.hand[!player]++, there[0] = 0;
    const size_t n = strlen(there);
    there[n] = arriving;
    there[n + 1] = 0;
    add(out, s, square, o, player, was_extra);
}

static int step_of(const options *o, int player, const char *square, bool up) {
    for (int step = up ? TURNING : 1; step <= (up ? LAST : TURNING - 1); step++) {
        char name[3];
        square_of(o, player, step, name);
        if (!strcmp(name, square)) return step;
    }
    fail_msg("a pebble off its way, on %s", square);
    return 0;
}

static void generate(const scene *s, int pips, const options *o, scenes *out) {
    const int player = s->next;
    out->count = 0;
    if (s->hand[player]) {
        scene lifted = *s;
        lifted.hand[player]--;
        go(&lifted, player ? 'b' : 'w', 0, pips, o, s->extra, out);
    }
    for (int x = 1; x <= COLUMNS; x++)
        for (int y = 0; y < ROWS; y++) {
            const char square[3] = { (char)('A' + y), (char)('0' + x), 0 };
            const int n = (int)strlen(s->at[x][y]);
            const bool any = !o->lifo && among(square, "A2 C2 A4 C4 B7");
            for (int i = n - 1; i >= (any ? 0 : n - 1) && i >= 0; i--) {
                const char pebble = s->at[x][y][i];
                if (!of_player(pebble, player)) continue;
                scene lifted = *s;
                memmove(&lifted.at[x][y][i], &lifted.at[x][y][i + 1], (size_t)(n - i));
                go(&lifted, pebble, step_of(o, player, square, is_up(pebble)), pips, o, s->extra, out);
            }
        }
    if (!out->count) add(out, *s, NULL, o, player, s->extra), met.passed++;
}

/* ---- the machine --------------------------------------------------------------------------------------------------------------------------- */
static int zone_count(const joc_position *p, const char *name, int owner) {
    const joc_game *g = joc_position_game(p);
    for (int z = 0; z < joc_game_zones(g); z++)
        if (!strcmp(joc_zone_name(g, z), name) && joc_zone_owner(g, z) == owner) return joc_height(p, joc_game_cells(g) + z);
    fail_msg("no zone %s", name);
    return 0;
}

static int keep_up(const joc_game *g) {
    for (int k = 0; k < joc_game_keeps(g); k++)
        if (!strcmp(joc_keep_name(g, k), "up")) return k;
    fail_msg("no face");
    return -1;
}

static scene scene_of(const joc_position *p, int mover_before) {
    const joc_game *g = joc_position_game(p);
    const int up = keep_up(g);
    scene s;
    memset(&s, 0, sizeof s);
    for (int c = 0; c < joc_game_cells(g); c++) {
        char *to = stack_at(&s, joc_cell_name(g, c));
        const int n = joc_height(p, c);
        for (int level = 0, owner, kind; level < n; level++) {
            assert_true(n <= FULL && joc_piece(p, c, level, &owner, &kind));
            to[n - 1 - level] = (char)(joc_piece_value(p, c, level, up) ? toupper(owner ? 'b' : 'w') : owner ? 'b' : 'w');
        }
    }
    for (int i = 0; i < 2; i++) s.hand[i] = zone_count(p, "hand", i), s.home[i] = zone_count(p, "home", i);
    assert_int_equal(zone_count(p, "shelf", -1), 0);
    const joc_state state = joc_state_of(p);
    assert_true(state == JOC_DECISION || state == JOC_CHANCE || state == JOC_OVER);
    s.winner = state == JOC_OVER ? joc_result_of(p).winner : -1;
    s.next = state == JOC_OVER ? 0 : joc_mover(p);
    s.extra = state != JOC_OVER && s.next == mover_before;
    s.same = s.extra && state == JOC_DECISION;
    return s;
}

/* Where any pebble of a square may leave, their order means nothing. */
static void forget_order(scenes *s) {
    static const char eyes[][3] = { "A2", "C2", "A4", "C4", "B7" };
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < COUNT_OF(eyes); k++) {
            char *stack = stack_at(&s->list[i], eyes[k]);
            for (size_t n = strlen(stack), a = 0; a < n; a++)
                for (size_t b = a + 1; b < n; b++)
                    if (stack[b] < stack[a]) {
                        const char kept = stack[a];
                        stack[a] = stack[b];
                        stack[b] = kept;
                    }
        }
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(scene)); }

static void sort(scenes *s) {
    size_t kept = 0;
    qsort(s->list, s->count, sizeof(scene), by_bytes);
    for (size_t i = 0; i < s->count; i++)
        if (!kept || by_bytes(&s->list[i], &s->list[kept - 1])) s->list[kept++] = s->list[i];
    s->count = kept;
}

static void print_scene(const char *title, const scene *s) {
    print_message("%s: hand %d %d home %d %d next %d winner %d extra %d same %d:", title, s->hand[0], s->hand[1], s->home[0], s->home[1], s->next, s->winner,
                  s->extra, s->same);
    for (int x = 1; x <= COLUMNS; x++)
        for (int y = 0; y < ROWS; y++)
            if (s->at[x][y][0]) print_message(" %c%d %s", 'A' + y, x, s->at[x][y]);
    print_message("\n");
}

static void tell(const scene *before, int pips, const scenes *ours, const scenes *theirs) {
    print_message("throw %d, %zu positions, by the generator %zu\n", pips, ours->count, theirs->count);
    print_scene("before", before);
    for (size_t i = 0; i < ours->count; i++) print_scene("machine", &ours->list[i]);
    for (size_t i = 0; i < theirs->count; i++) print_scene("generator", &theirs->list[i]);
}

static void note(const scene *before, const scene *after) {
    for (int i = 0; i < 2; i++) met.taken += after->hand[i] > before->hand[i], met.home += after->home[i] > before->home[i];
    const char *b7 = after->at[7][1];
    const size_t n = strlen(b7);
    for (size_t i = 1; i < n; i++)
        if (b7[i] != b7[0]) {
            met.mixed++;
            break;
        }
    met.extra += after->extra;
}

/* One decision: both say the same; one of its moves is played. Gives the scene after it. */
static scene decide(joc_position *p, const scene *before, int pips, const options *o, joc_random *random) {
    static scenes ours, theirs;
    joc_moves *list = joc_moves_of(p);
    ours.count = 0;
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        joc_position *copy = joc_position_copy(p);
        joc_play(copy, joc_moves_at(list, i));
        ours.list[ours.count++] = scene_of(copy, before->next);
        joc_position_free(copy);
    }
    const size_t chosen = joc_random_below(random, ours.count);
    const scene after = ours.list[chosen];
    generate(before, pips, o, &theirs);
    if (!o->lifo) forget_order(&ours), forget_order(&theirs);
    sort(&ours);
    sort(&theirs);
    const bool same = ours.count == theirs.count && ours.count == joc_moves_count(list) && !memcmp(ours.list, theirs.list, ours.count * sizeof(scene));
    if (!same) tell(before, pips, &ours, &theirs);
    assert_true(same);
    note(before, &after);
    joc_play(p, joc_moves_at(list, chosen));
    joc_moves_free(list);
    return after;
}

/* Three dice with two marked corners of four: of eight throws three show 1, three 2, one 3, and one none at all, which is 4. */
static int throw_dice(joc_position *p, joc_random *random) {
    static const int chances[] = { 0, 3, 3, 1, 1 };
    joc_moves *list = joc_moves_of(p);
    assert_int_equal(joc_moves_count(list), 4);
    for (size_t i = 0; i < 4; i++) {
        const int face = atoi(joc_move_text(joc_moves_at(list, i)));
        assert_true(face >= 1 && face <= 4);
        assert_int_equal(joc_move_weight(joc_moves_at(list, i)) * 8, (uint64_t)chances[face] * joc_moves_weight(list));
    }
    joc_moves_free(list);
    assert_true(joc_play_random(p, random));
    int pips = 0;
    assert_int_equal(joc_dice_values(p, 0, &pips, 1), 1);
    return pips;
}

static void play(const joc_game *g, const options *o, bool opening_played, uint64_t seed) {
    joc_position *p = joc_start(g, seed);
    joc_random random = joc_random_seed(seed);
    assert_true(joc_state_of(p) == (opening_played ? JOC_DECISION : JOC_CHANCE));
    scene s = scene_of(p, -1);
    assert_true(s.next == 0 && s.hand[0] == o->pebbles && s.hand[1] == o->pebbles && !s.home[0] && !s.home[1]);
    for (int ply = 0, pips = 1; ply < PLIES_MOST && s.winner < 0; ply++) {       /* without a throw it is the one before, at the start a 1 */
        if (joc_state_of(p) == JOC_CHANCE) pips = throw_dice(p, &random);
        s = decide(p, &s, pips, o, &random);
    }
    assert_true(s.winner >= 0 || !o->flip_first);         /* where a pebble turns too late, both can block each other for good */
    joc_position_free(p);
}

/* ---- games --------------------------------------------------------------------------------------------------------------------------------- */
static int many(void) {
    const char *asked = getenv("JOC_UR");
    return asked ? atoi(asked) : 12;
}

static void test_games_under_default_options(void **state) {
    (void)state;
    static const options standard = { 7, false, true, false, true, true, false, false };
    options cross = standard;
    joc_game *g = game_named("ur", NULL), *other = game_named("ur-cross", NULL);
    memset(&met, 0, sizeof met);
    cross.cross = true;
    for (int i = 0; i < many(); i++) play(g, &standard, true, (uint64_t)i);
    for (int i = 0; i < many() / 2; i++) play(other, &cross, true, (uint64_t)i);
    assert_true(met.taken && met.mixed && met.passed && met.home && met.extra);
    joc_game_free(g);
    joc_game_free(other);
}

static void test_games_under_other_options(void **state) {
    (void)state;
    joc_random r = joc_random_seed(4);
    for (int i = 0; i < 3 * many(); i++) {
        const options o = { 3 + (int)joc_random_below(&r, 7), joc_random_below(&r, 2), joc_random_below(&r, 2), joc_random_below(&r, 2),
                            joc_random_below(&r, 2),          joc_random_below(&r, 2), joc_random_below(&r, 2), joc_random_below(&r, 2) };
        const bool played = joc_random_below(&r, 2);
        char settings[300];
        snprintf(settings, sizeof settings, "pebbles=%d rosette=%s chain=%s entry_empty=%s eyes_lifo=%s flip_first=%s exit_over=%s opening=%s", o.pebbles,
                 o.same ? "same" : "thrown", o.chain ? "yes" : "no", o.entry_empty ? "yes" : "no", o.lifo ? "yes" : "no", o.flip_first ? "yes" : "no",
                 o.exit_over ? "yes" : "no", played ? "played" : "thrown");
        joc_game *g = game_named(o.cross ? "ur-cross" : "ur", settings);
        play(g, &o, played, (uint64_t)i);
        joc_game_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_under_default_options),
        cmocka_unit_test(test_games_under_other_options),
    };
    return cmocka_run_group_tests_name("ur", tests, NULL, NULL);
}
