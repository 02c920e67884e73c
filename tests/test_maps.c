/* Map files: faults stand at their line and column, and a hostile file ends soon and in little memory. */
#include <sys/resource.h>
#include <time.h>
#include "tests/helper.h"

static char folder[] = "/tmp/joc-maps-XXXXXX";

static const char rules_text[] = "game \"M\"\nplayers A, B\nboard map \"m.map.yaml\"\npiece Man { walk: step to empty }\nsetup { place A Man on first(cells) }\nturn { walk else lose }\n";

/* Compiles the rules with this map; gives the first message of its code, and takes the time. */
static void assert_map(const char *what, const char *map, size_t length, const char *code, unsigned line, unsigned column, const char *words) {
    char path[100];
    joc_messages *m = joc_messages_new();
    snprintf(path, sizeof path, "%s/m.map.yaml", folder);
    assert_true(file_write(path, map, length));
    snprintf(path, sizeof path, "%s/m.joc", folder);
    assert_true(file_write(path, rules_text, sizeof rules_text - 1));
    clock_t began = clock();
    joc_rules *rules = joc_rules_load(path, m);
    joc_game *g = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    bool found = false;
    for (size_t i = 0; i < joc_messages_count(m) && code && !found; i++) {
        joc_message x = joc_messages_at(m, i);
        found = !strcmp(x.code, code) && (!line || (x.line == line && x.column == column)) && strstr(x.text, words);
    }
    char *all = joc_messages_text(m, false);
    if (code ? !found : joc_messages_count(m) != 0) fail_msg("%s: expected %s at %u:%u, '%s'; got\n%.1500s", what, code ? code : "nothing", line, column, words ? words : "", all);
    assert_true((g != NULL) == (!code || *code == 'W'));
    if (seconds > 2) fail_msg("%s took %.1f s", what, seconds);
    free(all);
    joc_game_free(g);
    joc_rules_free(rules);
    joc_messages_free(m);
}

static void test_faults_of_maps_are_told_where_they_stand(void **state) {
    (void)state;
    static const struct { const char *map, *code; unsigned line, column; const char *words; } rows[] = {
        { "cells:\n  A1: { to: [B1] }\n  B1: { to: [A1] }\n", NULL, 0, 0, NULL },
        { "cells:\n  A1: { to: [B1] }\n  A1: { to: [B1] }\n", "E0821", 3, 3, "two cells are called 'A1'" },
        { "cells:\n  A1: { name: Foo, to: [B1] }\n  B1: { name: Foo, to: [A1] }\n", "E0821", 3, 15, "two cells are called 'Foo'" },
        { "cells:\n  A1: { name: B1, to: [B1] }\n  B1: { to: [A1] }\n", "E0821", 3, 3, "two cells are called 'B1'" },
        { "cells:\n  A1: { name: A1, to: [B1] }\n  B1: { name: Bar, to: [A1] }\n", NULL, 0, 0, NULL },
        { "cells:\n  A1: { to: [B1] }\n  B1: { to: [] }\n", "E0823", 2, 14, "leads one way" },
        { "cells:\n  A1: { to: [], one_way: [B1] }\n  B1: { to: [] }\n", NULL, 0, 0, NULL },
        { "cells:\n  A1: { to: [B1] }\n  B1: { to: [A1, Z9] }\n", "E0822", 3, 18, "no cell is called 'Z9'" },
        { "cells:\n  A1: { to: [A1] }\n", "E0822", 2, 14, "borders on itself" },
        { "cells:\n  A1: { in: [Red] }\n", "E0804", 2, 3, "needs 'to'" },
        { "cells:\n  A1: &x { to: [B1] }\n  B1: *x\n", "E0801", 2, 7, "anchors" },
        { "cells:\n  A1: *A1\n", "E0801", 2, 7, "" },
        { "colls:\n  A1: { to: [] }\n", "E0802", 1, 1, "" },
        { "cells: [A1]\n", "E0803", 1, 8, "" },
        { "cells:\n  A1: { to: [B1] }\n  B1: { to: [A1] }\n  C1: { to: [D1] }\n  D1: { to: [C1] }\n", "W0825", 4, 3, "no border leads from 'A1' to 'C1'" },
        { "cells:\n  A1: { nr: 1, to: [B1] }\n  B1: { to: [A1] }\n", "W0826", 3, 3, "'nr' is said of 'A1'" },
        { "cells:\n  A1: { to: [B1] }\n  B1: { to: [A1], at: [1, 2] }\n", "W0826", 2, 3, "'at'" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) assert_map(rows[i].map, rows[i].map, strlen(rows[i].map), rows[i].code, rows[i].line, rows[i].column, rows[i].words);
}

static long memory_used(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss / 1024;
}

static void test_hostile_maps_end_soon_and_in_little_memory(void **state) {
    (void)state;
    long before = memory_used();
    text t = { 0 };
    text_add(&t, "cells:\n");
    for (int i = 0; i < 100000; i++) text_format(&t, "  C%d: { to: [C%d] }\n", i, i ^ 1);
    assert_map("100,000 territories", t.data, t.length, "E0339", 0, 0, "larger than 1 MiB");
    text_free(&t);
    text_add(&t, "cells:\n");
    for (int i = 0; i < 40000; i++) text_format(&t, "  C%d: { to: [] }\n", i);
    assert_map("40,000 territories", t.data, t.length, "E0341", 0, 0, "more than 1024 cells");
    text_free(&t);
    text_add(&t, "cells:\n");
    for (int i = 0; i < 40000; i++) text_add(&t, "  C: { to: [] }\n");
    assert_map("one name 40,000 times", t.data, t.length, "E0821", 0, 0, "two cells");
    text_free(&t);
    text_add(&t, "cells: ");
    text_add_times(&t, "[", 200000);
    assert_map("200,000 brackets", t.data, t.length, "E0803", 0, 0, "");
    text_free(&t);
    text_add(&t, "a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) text_format(&t, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1, i - 1);
    assert_map("a bomb of aliases", t.data, t.length, "E0802", 0, 0, "");
    text_free(&t);
    text_add(&t, "cells:\n  A1: { to: [B1");
    for (int i = 0; i < 100000; i++) text_add(&t, ", B1");
    text_add(&t, "] }\n  B1: { to: [A1] }\n");
    assert_map("one border 100,000 times", t.data, t.length, "E0801", 0, 0, "");
    text_free(&t);
    if (!getenv("JOC_VARIANT") || strcmp(getenv("JOC_VARIANT"), "asan")) assert_true(memory_used() - before < 200);
}

static int folder_make(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int folder_drop(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_of_maps_are_told_where_they_stand),
        cmocka_unit_test(test_hostile_maps_end_soon_and_in_little_memory),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_drop);
}
