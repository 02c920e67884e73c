/* Batches against lists: the machine draws and counts most moves without listing them (interp/machine/batch.h), and must do both as if it
 * had. At each decision of random games of every rule file, and of small games on odd boards that are made here,
 *
 *     the moves counted are as many as those listed,
 *     what a drawn move leads to is what some listed move leads to, and
 *     now and then: of so many draws each move gets its share.
 *
 * That the list is right is for test_engines to say. JOC_BATCHES_SECONDS for each game (default 0.1). */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "interp/inside.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
enum { PLIES_MAX = 200, LISTED_MAX = 400, SHARE_MOVES_MAX = 12, SHARE = 30, SHARE_MOST = 80, FILES_MAX = 300 };

#define DROPS(board, rule) "game \"T\"\nplayers White north, Black south\nboard " board "\npiece Man\nturn { drop Man to empty }\n" rule "\ndraw when no empty\n"
#define TURNS(board) "game \"T\"\nplayers White, Black\nboard " board "\npiece Man\nlet flips = line of enemy from here to own\n" \
    "play: drop Man to empty, when any flips, flips becomes own\n" \
    "setup { place White Man on (row 3) (col 3) or (row 4) (col 4); place Black Man on (row 3) (col 4) or (row 4) (col 3) }\n" \
    "turn { play else pass }\nend when passes = 2\nscore count own\n"
#define RIDERS(board) "game \"T\"\nplayers White north, Black south\nboard " board "\npiece Rider { move: slide to not own }\n" \
    "piece Hopper { move: step over occupied to not own | step to empty }\npiece Hurdler { move: slide orthogonal to not own }\n" \
    "setup { place White Rider on (row 1) (col 1); place White Hopper on (row 1) (col 2); place White Hurdler on (row 2) (col 1)\n" \
    "        place Black Rider on (row 5) (col 1); place Black Hopper on (row 5) (col 2); place Black Hurdler on (row 4) (col 3) }\n" \
    "turn { move else lose }\nwin when no enemy\n"
#define MEN(board, turn) "game \"T\"\nplayers White north, Black south\nboard " board "\npiece Man { move: step ahead to empty | step forward diagonal to not own }\n" \
    "setup { by everyone { place Man on row 1..2 } }\nturn { " turn " }\nwin when no enemy\ndraw when turns > 60\n"

/* Men who become what is chosen where they come to the last row. */
#define CHOSEN(becomes, after) "game \"T\"\nplayers White north, Black south\nboard square 5 by 5\nlet last = row 5\nlet better = kinds(Rook, King, Leaper)\n" \
    "piece Man { move: { step ahead to empty | step forward diagonal to enemy }, if here in last { " becomes " } }\npiece Rook { move: slide orthogonal to not own }\n" \
    "piece King { move: step to not own }\npiece Leaper { move: step diagonal over occupied to not own }\n" \
    "setup { by everyone { place Man on row 2 (not (col 2)); place Rook on row 1 (col 2) } }\nturn { move else pass" after " }\nwin when no enemy\ndraw when turns > 60\n"

static const struct { const char *name, *rules; } made[] = {
    { "men who become what is chosen", CHOSEN("pick k in better, here becomes k", "") },
    { "men who become what is chosen, and some of it is taken back", CHOSEN("pick k in better, here becomes k", "; own King becomes Man") },
    { "men who become what is chosen, but others do", CHOSEN("pick k in better, own row 4 becomes k", "") },
    { "men who become what is chosen, and then choose again", CHOSEN("pick k in better, here becomes k, { step sideways to empty }?", "") },
    { "men who become what is chosen, but fall before", CHOSEN("take own last, pick k in better, here becomes k", "") },
    { "men who become what is chosen, but not beside their like", CHOSEN("pick k in better, here becomes k", "; illegal when count own Rook > 2") },
    { "men who step ahead on 6 by 6", MEN("square 6 by 6", "move else lose") },
    { "men who step ahead on two words", MEN("square 9 by 9", "move else pass") },
    { "men who step ahead on a cylinder", MEN("cylinder 5 by 6", "move else lose") },
    { "men who may not step ahead at first", MEN("square 5 by 6", "{ when turns > 3, move } else pass") },
    { "men who drop in or step ahead", MEN("square 5 by 6", "if turns < 8 { drop Man to row 1 empty else pass } else { move else lose }") },
    { "lines of 3 on 4 by 4", DROPS("square 4 by 4", "win when any line 3..9 of own") },
    { "lines of just 3 on 8 by 8", DROPS("square 8 by 8", "win when any line 3 of own") },
    { "lines of 4 on 12 by 5", DROPS("square 12 by 5", "win when any line 4..12 of own") },
    { "lines of 6 on 3 by 20", DROPS("square 3 by 20", "win when any line 6..20 of own") },
    { "lines of 5 on a hexagon", DROPS("hexagon 4", "win when any line 5..20 of own") },
    { "lines of 4 on a cylinder", DROPS("cylinder 5 by 5", "win when any line 4..9 of own") },
    { "lines of 4 on a torus", DROPS("torus 5 by 5", "win when any line 4..9 of own") },
    { "lines of 4 with holes", DROPS("square 7 by 7 without c3 d4 e5", "win when any line 4..9 of own") },
    { "lines of 4 forwards alone", DROPS("square 6 by 6", "win when any line 4..9 of own along (north or northeast)") },
    { "lines of 5 on two words", DROPS("square 9 by 9", "win when any line 5..9 of own") },
    { "turning on 8 by 8", TURNS("square 8 by 8") },
    { "turning on 4 by 16", TURNS("square 4 by 16") },
    { "turning on 10 by 10", TURNS("square 10 by 10") },
    { "turning on a hexagonal board", TURNS("hex 7 by 7") },
    { "turning on a board with holes", TURNS("square 8 by 8 without b2 f6 g7") },
    { "riders on 8 by 8", RIDERS("square 8 by 8") },
    { "riders on a cylinder", RIDERS("cylinder 6 by 6") },
    { "riders on a torus", RIDERS("torus 5 by 5") },
    { "riders on half a board", RIDERS("square 8 by 8 without light") },
    { "riders on 9 by 9 with holes", RIDERS("square 9 by 9 without e5 f5 d2") },
};

typedef struct { const char *path; const char *text; char name[120]; long decisions, draws; } subject;

static double seconds_each = 0.1;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What each move leads to. */
static char **outcomes_of(const joc_position *p, const joc_moves *list, size_t n) {
    char **said = calloc(n + 1, sizeof *said);
    for (size_t i = 0; said && i < n; i++) {
        joc_position *after = joc_position_copy(p);
        joc_play(after, joc_moves_at(list, i));
        said[i] = joc_state_text(after);
        joc_position_free(after);
    }
    return said;
}

static size_t index_of(char **said, size_t n, const char *one) {
    for (size_t i = 0; i < n; i++) if (!strcmp(said[i], one)) return i;
    return n;
}

/* A set-up may end without a decision: then that is what the first draw does. */
static char *drawn(const joc_position *p, char **listed, size_t n, joc_random *random) {
    joc_position *q = joc_position_copy(p);
    joc_play_random(q, random);
    char *said = joc_state_text(q), *before = joc_state_text(p);
    if (index_of(listed, n, said) == n && !strcmp(said, before)) {
        joc_play_random(q, random);
        free(said);
        said = joc_state_text(q);
    }
    free(before);
    joc_position_free(q);
    return said;
}

static void check_drawn(const subject *s, const joc_position *p, char **said, size_t n, joc_random *random) {
    char *one = drawn(p, said, n, random);
    if (index_of(said, n, one) == n) {
        char *where = joc_state_text(p);
        print_error("%s: no listed move leads to what was drawn:\n  %s\nfrom\n  %s\n", s->name, one, where);
        fail();
    }
    free(one);
}

static void check_shares(const subject *s, const joc_position *p, char **said, size_t n, joc_random *random) {
    size_t got[SHARE_MOVES_MAX] = { 0 };
    for (size_t i = 0; i < n * SHARE; i++) {
        char *one = drawn(p, said, n, random);
        const size_t k = index_of(said, n, one);
        if (k < n) got[k]++;
        free(one);
    }
    for (size_t i = 0; i < n; i++) {
        size_t alike = 0;
        for (size_t j = 0; j < n; j++) alike += !strcmp(said[i], said[j]);
        if (index_of(said, n, said[i]) == i && (got[i] < alike || got[i] > alike * SHARE_MOST))
            fail_msg("%s: of %zu draws among %zu moves %zu led to\n  %s", s->name, n * SHARE, n, got[i], said[i]);
    }
}

static void check_decision(subject *s, joc_position *p, joc_random *random) {
    joc_position *settled = joc_position_copy(p);
    joc_moves *list = joc_moves_of(settled);
    const size_t n = joc_moves_count(list);
    if (joc_state_of(settled) == JOC_DECISION && !joc_fault(settled)) {
        const uint64_t counted = joc_perft(settled, 1 + settled->idle_turns, (joc_perft_how){ 0 }, NULL);       /* turns that go by themselves count, too */
        if (counted != n) {
            char *where = joc_state_text(settled);
            fail_msg("%s: %zu moves, %llu counted, at\n  %s", s->name, n, (unsigned long long)counted, where);
        }
        if (n <= LISTED_MAX) {
            char **said = outcomes_of(settled, list, n);
            check_drawn(s, p, said, n, random);
            if (n <= SHARE_MOVES_MAX && s->draws++ % 8 == 0) check_shares(s, p, said, n, random);
            for (size_t i = 0; i < n; i++) free(said[i]);
            free(said);
        }
        s->decisions++;
    }
    joc_moves_free(list);
    joc_position_free(settled);
}

static void test_draws_and_counts_are_those_of_the_list(void **state) {
    subject *s = *state;
    const double end = now() + seconds_each;
    joc_messages *m = joc_messages_new();
    joc_rules *rules = s->text ? joc_rules_parse(s->name, s->text, strlen(s->text), m) : joc_rules_load(s->path, m);
    joc_game *compiled = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!compiled) fail_msg("%s: %s", s->name, joc_messages_text(m, false));
    for (uint64_t seed = 1; seed == 1 || now() < end; seed++) {
        joc_random random = joc_random_seed(seed);
        joc_position *p = joc_start(compiled, seed);
        for (int i = 0; i < PLIES_MAX && (now() < end || i == 0 || (i == 1 && now() < end + 1)); i++) {
            check_decision(s, p, &random);
            if (!joc_play_random(p, &random)) break;
        }
        joc_position_free(p);
    }
    assert_true(s->decisions > 0);
    joc_game_free(compiled);
    joc_rules_free(rules);
    joc_messages_free(m);
}

/* Where a move is drawn right where it is chosen (compile/drawn.c), and where it must not be: filters, chains, several choices, chance. */
static void test_which_moves_are_drawn_where_they_are_chosen(void **state) {
    (void)state;
    static const struct { const char *path; bool draws; } games[] = {
        { "games/breakthrough.joc", true }, { "games/connect-four.joc", true }, { "games/kalah.joc", true }, { "games/reversi.joc", true },
        { "games/chess.joc", false }, { "games/english-draughts.joc", false }, { "games/ur.joc", false }, { "games/amazons.joc", false },
    };
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_load(games[i].path, m);
        joc_game *compiled = joc_compile(rules, NULL, 0, 0, m);
        char *tables = joc_game_tables(compiled);
        if ((strstr(tables, "drawn where it is chosen") != NULL) != games[i].draws) fail_msg("%s: %s", games[i].path, games[i].draws ? "moves are collected" : "moves are drawn without a look at the others");
        free(tables);
        joc_game_free(compiled);
        joc_rules_free(rules);
        joc_messages_free(m);
    }
}

int main(void) {
    static subject subjects[FILES_MAX];
    static struct CMUnitTest tests[FILES_MAX];
    size_t n = 0;
    glob_t found;
    const char *seconds = getenv("JOC_BATCHES_SECONDS"), *only = getenv("JOC_BATCHES");
    if (seconds) seconds_each = strtod(seconds, NULL);
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        if (only && !strstr(made[i].name, only)) continue;
        subjects[n].text = made[i].rules;
        snprintf(subjects[n++].name, sizeof subjects[0].name, "%s", made[i].name);
    }
    if (glob("games/*.joc", 0, NULL, &found) || glob("tests/small/*.joc", GLOB_APPEND, NULL, &found)) return 1;
    for (size_t i = 0; i < found.gl_pathc && n < FILES_MAX; i++) {
        if (only && !strstr(found.gl_pathv[i], only)) continue;
        subjects[n].path = found.gl_pathv[i];
        snprintf(subjects[n++].name, sizeof subjects[0].name, "%s", found.gl_pathv[i]);
    }
    for (size_t i = 0; i < n; i++) tests[i] = (struct CMUnitTest){ .name = subjects[i].name, .test_func = test_draws_and_counts_are_those_of_the_list, .initial_state = &subjects[i] };
    tests[n++] = (struct CMUnitTest){ .name = "which moves are drawn where they are chosen", .test_func = test_which_moves_are_drawn_where_they_are_chosen };
    const int failed = _cmocka_run_group_tests("batches", tests, n, NULL, NULL);
    globfree(&found);
    return failed;
}
