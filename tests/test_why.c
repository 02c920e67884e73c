/* Why a move is legal or not: what is said in unrelated games, and that every legal move of every game is said to be one. */
#include <glob.h>
#include "tests/helper.h"

/* `says`: parts of reasons, each as "kind|part of the text", that must all be there; reasons of rule files are at a line. */
static const struct { const char *game, *settings, *line, *move; bool legal; const char *says[3]; } rows[] = {
    /* by which rule, past which filters */
    { "chess", NULL, "", "e2-e4", true, { "rule|rule 'run' of Pawn", "passed|in check" } },
    { "international-draughts", NULL, "32-28 19-23", "28x19", true, { "rule|rule 'hop' of Man", "passed|nothing has more of `worth`: it is 1" } },
    { "kalah", NULL, "", "a1", true, { "rule|`pick x in row 1 seeds 1..72`" } },
    /* what no leg does */
    { "chess", NULL, "", "g1-g3", false, { "leads|`step knight to not own` does not lead from g1 to g3" } },
    { "xiangqi", NULL, "", "e1-f2", false, { "leads|`step orthogonal to palace not own`" } },
    /* where it may not land, what is in the way */
    { "chess", NULL, "", "e1-e2", false, { "landing|e2 is not in `not own`" } },
    { "surakarta", NULL, "", "a1-a2", false, { "landing|a2 is not in `empty`" } },
    { "hnefatafl", NULL, "", "a4-a1", false, { "landing|a1 is not in `empty not barred`" } },
    { "chess", NULL, "", "a1-a5", false, { "way|a2 is not empty" } },
    { "quoridor", NULL, "", "e1-e3", false, { "way|e2 is not what `over empty, enemy, empty` asks" } },
    { "chess", NULL, "", "c1-e3", false, { "way|on the way to e3, d2 is not empty" } },
    /* conditions, and the part of them that does not hold */
    { "chess", NULL, "e2-e3 a7-a6", "e3-e5", false, { "condition|`here in row 2` does not hold" } },
    { "reversi", NULL, "", "a1", false, { "condition|`any flips` does not hold" } },
    { "nine-mens-morris", NULL, "", "h1", false, { "fact|nothing here is called 'h1'" } },
    /* compulsory captures, the longest capture */
    { "international-draughts", NULL, "32-28 19-23", "31-27", false, { "else|28x19" } },
    { "english-draughts", NULL, "11-15 22-18", "12-16", false, { "else|15x22" } },
    /* king safety: who attacks */
    { "chess", NULL, "e2-e4 f7-f6 d1-h5", "a7-a6", false, { "filter|in check: `checked` would hold: e8, attacked by Queen on h5" } },
    { "shogi", NULL, "", "nosuch", false, { "fact|nothing here is called 'nosuch'" } },
    /* the region that must be played in */
    { "ultimate-tic-tac-toe", NULL, "e5", "a1", false, { "drop|a1 is not in `open" } },
    { "connect-four", NULL, "", "a2", false, { "drop|a2 is not in `empty not north of empty`" } },
    /* what is used up */
    { "crazyhouse", NULL, "", "Pawn@e4", false, { "empty|nothing is left of `hand`" } },
    /* superko and suicide */
    { "go", "size=5", "e5 b1 e4 a2", "a1", false, { "filter|no liberty: `any own not alive(own)` would hold" } },
    { "go", "size=5", "b1 c1 a2 d2 b3 c3 c2 b2", "c2", false, { "filter|repetition" } },
    /* whose turn it is */
    { "chess", NULL, "", "e7-e5", false, { "fact|the Pawn on e7 belongs to Black, and White is to move" } },
    { "chess", NULL, "", "e5-e6", false, { "fact|nothing stands on e5" } },
    { "backgammon", NULL, "", "a1", false, { "fact|chance decides here" } },
    /* half a move */
    { "chess", NULL, "", "e2", false, { "fact|it goes on: e2-e3, e2-e4" } },
    { "amazons", NULL, "", "d1-d3", false, { "fact|it goes on: d1-d3 " } },
    /* secrets */
    { "stratego", NULL, "", "Flag@e5", false, { "drop|e5 is not in `empty row 1..2`" } },
    { "battleship", NULL, "", "nosuch", false, { "fact|nothing here is called 'nosuch'" } },
};

static joc_position *position_after(const joc_game *g, const char *line)
{
    joc_position *p = joc_start(g, 1);
    char copy[400], *save = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        joc_moves *list = joc_moves_of(p);
        char *why = NULL;
        const joc_move *m = joc_moves_find(list, w, &why);
        if (!m) fail_msg("%s: %s: %s", joc_game_title(g), w, why);
        joc_play(p, m);
        joc_moves_free(list);
    }
    return p;
}

static bool says(const joc_why *y, const char *wanted)
{
    const size_t kind = strcspn(wanted, "|");
    for (size_t i = 0; i < joc_why_count(y); i++) {
        const joc_reason r = joc_why_at(y, i);
        if (strlen(r.kind) == kind && memcmp(r.kind, wanted, kind) == 0 && strstr(r.text, wanted + kind + 1)) return strcmp(r.kind, "fact") == 0 || (*r.path && r.line > 1 && r.column);
    }
    return false;
}

static void test_reasons_are_told(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        joc_game *g = game_named(rows[i].game, rows[i].settings);
        joc_position *p = position_after(g, rows[i].line);
        joc_why *y = joc_why_move(p, rows[i].move);
        bool good = joc_why_legal(y) == rows[i].legal;
        for (int j = 0; j < 3 && rows[i].says[j]; j++) good &= says(y, rows[i].says[j]);
        if (!good) {
            wrong++;
            print_error("%s %s: %s\n", rows[i].game, rows[i].line, joc_why_title(y));
            for (size_t j = 0; j < joc_why_count(y); j++) print_error("    %s|%s\n", joc_why_at(y, j).kind, joc_why_at(y, j).text);
        }
        joc_why_free(y);
        joc_position_free(p);
        joc_game_free(g);
    }
    assert_int_equal(wrong, 0);
}

/* Two words that may mean anything: cells of the board, drawn at random. */
static void ask_nonsense(const joc_position *p, joc_random *random)
{
    const joc_game *g = joc_position_game(p);
    char move[200];
    if (joc_game_cells(g) < 1) return;
    const uint64_t n = (uint64_t)joc_game_cells(g);
    snprintf(move, sizeof move, "%s-%s", joc_cell_name(g, (int)joc_random_below(random, n)), joc_cell_name(g, (int)joc_random_below(random, n)));
    joc_why *y = joc_why_move(p, move);
    if (!joc_why_count(y)) fail_msg("%s: nothing is said of %s", joc_game_title(g), move);
    joc_why_free(y);
}

static void ask_all(const joc_position *p)
{
    joc_moves *list = joc_moves_of(p);
    const uint64_t hash = joc_position_hash(p);
    const size_t count = joc_moves_count(list);
    for (size_t i = 0; i < count; i += 1 + count / 12) {
        const char *move = joc_move_text(joc_moves_at(list, i));
        joc_why *y = joc_why_move(p, move);
        if (!joc_why_legal(y)) fail_msg("%s: %s is legal", joc_game_title(joc_position_game(p)), move);
        joc_why_free(y);
    }
    assert_true(hash == joc_position_hash(p));
    joc_moves_free(list);
}

static void test_legal_moves_are_said_to_be_legal_and_nonsense_is_answered(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("games/*.joc", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[200];
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        name[strlen(name) - 4] = '\0';
        joc_game *g = game_named(name, NULL);
        joc_position *p = joc_start(g, 3);
        joc_random random = joc_random_seed(5);
        for (int ply = 0; ply < 12; ply++) {
            if (joc_state_of(p) == JOC_DECISION && ply % 4 == 0) { ask_all(p); ask_nonsense(p, &random); }
            if (!joc_play_random(p, &random)) break;
        }
        joc_position_free(p);
        joc_game_free(g);
    }
    globfree(&found);
}

static void test_the_command_answers_in_words_and_json(void **state)
{
    (void)state;
    const char *joc = getenv("JOC") ? getenv("JOC") : "build/asan/joc";
    char command[600], *out;
    snprintf(command, sizeof command, "%s why games/chess.joc e1-e2", joc);
    assert_int_equal(run(command, &out), 0);
    assert_string_equal(out, "e1-e2 is not legal\n  chess.joc:33: rule 'move' of King would make it: `step to not own`\n  chess.joc:33: e2 is not in `not own`\n");
    free(out);
    snprintf(command, sizeof command, "%s why --json games/chess.joc e1-e2", joc);
    assert_int_equal(run(command, &out), 0);
    assert_non_null(strstr(out, "\"legal\": false"));
    assert_non_null(strstr(out, "\"kind\": \"landing\""));
    assert_non_null(strstr(out, "\"e2\""));
    free(out);
    snprintf(command, sizeof command, "printf 'why e1-e2\\nquit\\n' | %s play games/chess.joc --seat all=human", joc);
    assert_int_equal(run(command, &out), 0);
    assert_non_null(strstr(out, "chess.joc:33: e2 is not in `not own`"));
    free(out);
    snprintf(command, sizeof command, "printf '\\nwhy Rank1 Ann\\nwhy zz\\nquit\\n' | %s play games/go-fish.joc --seed 3", joc);
    assert_int_equal(run(command, &out), 0);
    assert_non_null(strstr(out, "go-fish.joc:20: `p != mover` does not hold"));
    assert_non_null(strstr(out, "zz is not legal"));
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reasons_are_told),
        cmocka_unit_test(test_legal_moves_are_said_to_be_legal_and_nonsense_is_answered),
        cmocka_unit_test(test_the_command_answers_in_words_and_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
