/* Published node counts, against the machine.
 *
 * tests/truth/rows.tsv holds them, one a line: game, options, position, switches, depth, nodes, tier, where from. Rows of one
 * game and its options are one test. How many are counted depends on the build and on JOC_TRUTH:
 *     quick   rows of up to QUICK nodes (the default with sanitizers)
 *     ci      the rows of tier ci (the default otherwise)
 *     more    all rows
 * Cheap rows come first, and when the time given (JOC_TRUTH_SECONDS) has run out the rest is left, and that is said.
 * JOC_TRUTH_ONLY=NAME counts one game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "interp/joc.h"

enum { QUICK = 5000, ROWS_MAX = 10000, LINE_MAX_BYTES = 2048, SETTINGS_MAX = 8, MISMATCHES_SHOWN = 20 };

#if defined(__SANITIZE_ADDRESS__)
static const char TIER_DEFAULT[] = "quick";
static const double SECONDS_DEFAULT = 150;
#else
static const char TIER_DEFAULT[] = "ci";
static const double SECONDS_DEFAULT = 120;
#endif

typedef struct {
    char *line; /* malloc'd; the other texts lie in it */
    const char *game, *options, *position, *switches;
    int depth;
    uint64_t nodes;
    bool more;
} truth_row;

/* Rows first .. last - 1 have one game and one set of options. */
typedef struct {
    size_t first, last;
    char name[160];
} truth_group;

static truth_row rows[ROWS_MAX];
static size_t row_count;
static truth_group groups[ROWS_MAX];
static double time_end;
static size_t rows_left;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool row_read(char *line, truth_row *row) {
    char *part[8], *rest = line;
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < 8; i++)
        if (!(part[i] = strsep(&rest, "\t"))) return false;
    *row = (truth_row){line, part[0], part[1], part[2], part[3], (int)strtol(part[4], NULL, 10), strtoull(part[5], NULL, 10),
                       strcmp(part[6], "more") == 0};
    return row->depth > 0;
}

static bool is_asked(const truth_row *row, const char *tier, const char *only) {
    if (only && strcmp(row->game, only) != 0) return false;
    if (strcmp(tier, "quick") == 0) return row->nodes <= QUICK;
    return strcmp(tier, "more") == 0 || !row->more;
}

static bool rows_load(const char *path, const char *tier, const char *only) {
    FILE *f = fopen(path, "r");
    char line[LINE_MAX_BYTES];
    if (!f) return false;
    while (row_count < ROWS_MAX && fgets(line, sizeof line, f)) {
        if (line[0] == '#' || line[0] == '\n') continue;
        char *copy = strdup(line);
        truth_row *row = &rows[row_count];
        if (!copy || !row_read(copy, row)) {
            fprintf(stderr, "%s: a line that is no row: %s", path, line);
            free(copy);
            fclose(f);
            return false;
        }
        if (is_asked(row, tier, only)) row_count++;
        else free(copy);
    }
    fclose(f);
    return true;
}

static int by_game_then_nodes(const void *a, const void *b) {
    const truth_row *x = a, *y = b;
    int order = strcmp(x->game, y->game);
    if (order == 0) order = strcmp(x->options, y->options);
    return order != 0 ? order : (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

static int by_most_nodes(const void *a, const void *b) {
    const truth_row *x = &rows[((const truth_group *)a)->last - 1], *y = &rows[((const truth_group *)b)->last - 1];
    return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

static size_t groups_find(void) {
    size_t count = 0;
    qsort(rows, row_count, sizeof *rows, by_game_then_nodes);
    for (size_t first = 0, last; first < row_count; first = last) {
        for (last = first + 1; last < row_count; last++)
            if (strcmp(rows[last].game, rows[first].game) != 0 || strcmp(rows[last].options, rows[first].options) != 0) break;
        truth_group *g = &groups[count++];
        *g = (truth_group){first, last, ""};
        snprintf(g->name, sizeof g->name, "%s%s%s: %zu published counts", rows[first].game, *rows[first].options ? " " : "",
                 rows[first].options, last - first);
    }
    qsort(groups, count, sizeof *groups, by_most_nodes);
    return count;
}

/* "a=1 b=no" as settings; `text` is cut up. */
static size_t settings_read(char *text, joc_setting *settings) {
    size_t count = 0;
    for (char *item; count < SETTINGS_MAX && (item = strsep(&text, " ")) != NULL;) {
        if (!*item) continue;
        char *value = strchr(item, '=');
        if (value) *value++ = '\0';
        settings[count++] = (joc_setting){item, value ? value : "yes"};
    }
    return count;
}

static joc_game *game_make(const truth_row *row, joc_messages *m) {
    char options[256], path[256];
    joc_setting settings[SETTINGS_MAX];
    snprintf(options, sizeof options, "%s", row->options);
    const size_t count = settings_read(options, settings);
    snprintf(path, sizeof path, "games/%s.joc", row->game);
    joc_rules *rules = joc_rules_load(path, m);
    joc_game *game = rules ? joc_compile(rules, settings, count, 0, m) : NULL;
    joc_rules_free(rules);
    return game;
}

static joc_perft_how how_read(const char *switches) {
    return (joc_perft_how){
        .turns = strstr(switches, "turns"), .paths = strstr(switches, "paths"), .play_on = strstr(switches, "play-on")};
}

static void complain(const truth_row *row, const char *what) {
    print_message("%s %s | %s | depth %d, %llu nodes: %s\n", row->game, row->options, row->position, row->depth,
                  (unsigned long long)row->nodes, what);
}

static bool row_agrees(const joc_game *game, const truth_row *row, joc_messages *m) {
    joc_position *p = *row->position ? joc_position_parse(game, row->position, m) : joc_start(game, 1);
    if (!p) {
        char *why = joc_messages_text(m, false);
        complain(row, why);
        free(why);
        return false;
    }
    char found[160];
    const uint64_t nodes = joc_perft(p, row->depth, how_read(row->switches), NULL);
    const char *fault = joc_fault(p);
    snprintf(found, sizeof found, "found %llu %s", (unsigned long long)nodes, fault ? fault : "");
    if (nodes != row->nodes || fault) complain(row, found);
    const bool agrees = nodes == row->nodes && !fault;
    joc_position_free(p);
    return agrees;
}

static void test_published_counts_agree(void **state) {
    const truth_group *g = *state;
    joc_messages *m = joc_messages_new();
    joc_game *game = game_make(&rows[g->first], m);
    if (!game) {
        char *why = joc_messages_text(m, false);
        print_message("%s: %s\n", rows[g->first].game, why);
        free(why);
    }
    size_t mismatches = game ? 0 : 1;
    for (size_t i = g->first; game && i < g->last && mismatches < MISMATCHES_SHOWN; i++) {
        if (seconds_now() > time_end) {
            rows_left += g->last - i;
            break;
        }
        mismatches += !row_agrees(game, &rows[i], m);
    }
    joc_game_free(game);
    joc_messages_free(m);
    assert_int_equal(mismatches, 0);
}

int main(void) {
    const char *tier = getenv("JOC_TRUTH"), *seconds = getenv("JOC_TRUTH_SECONDS");
    static struct CMUnitTest tests[ROWS_MAX];
    if (!tier || !*tier) tier = TIER_DEFAULT;
    if (!rows_load("tests/truth/rows.tsv", tier, getenv("JOC_TRUTH_ONLY"))) return 3;
    const size_t count = groups_find();
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){groups[i].name, test_published_counts_agree, NULL, NULL, &groups[i]};
    time_end = seconds_now() + (seconds ? strtod(seconds, NULL) : strcmp(tier, "more") == 0 ? 1e9 : SECONDS_DEFAULT);
    const int failed = _cmocka_run_group_tests("published counts", tests, count, NULL, NULL);
    if (rows_left) printf("# %zu of %zu rows were left: the time was up\n", rows_left, row_count);
    for (size_t i = 0; i < row_count; i++) free(rows[i].line);
    return failed;
}
