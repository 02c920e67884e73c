/* Published variants, each of a few lines upon its parent: that they are there, how long they are, that their own tests pass and that there
 * are published counts for those that have some. And what is said when a parent changes under a variant. */
#include <sys/stat.h>
#include "tests/helper.h"

enum { LINES_MOST = 12 };

/* `counted`: rows of tests/truth/rows.tsv hold published counts of it (tests/test_truth.c counts them). */
static const struct { const char *name, *parent; bool counted; } variants[] = {
    { "antichess", "chess", true }, { "three-check", "chess", true }, { "king-of-the-hill", "chess", true }, { "racing-kings", "chess", true },
    { "los-alamos", "chess", true }, { "gardner-minichess", "chess", true }, { "knightmate", "chess", true }, { "horde", "chess", true },
    { "chess960", "castling-anywhere", true }, { "cylinder-chess", "chess", true }, { "russian-draughts", "international-draughts", true },
    { "brazilian-draughts", "international-draughts", true }, { "italian-draughts", "english-draughts", true },
    { "turkish-draughts", "international-draughts", false }, { "misere-tic-tac-toe", "tic-tac-toe", false }, { "tic-tac-toe-4x4", "tic-tac-toe", false },
    { "reversi-6x6", "reversi", true }, { "anti-reversi", "reversi", false }, { "hex-5x5", "hex", false }, { "misere-hex", "hex", false },
    { "brandub", "tablut", false }, { "hnefatafl", "tablut", false }, { "morabaraba", "nine-mens-morris", false },
};

/* Lines of a rule file that say something, without its tests. */
static size_t lines_of_rules(const char *rules) {
    size_t lines = 0;
    int depth = 0;
    bool test = false;
    for (const char *at = rules; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n')) {
        size_t length = strcspn(at, "\n");
        bool said = length && *at != '#';
        test = test || (depth == 0 && !strncmp(at, "test ", 5));
        for (size_t i = 0; test && i < length; i++) depth += (at[i] == '{') - (at[i] == '}');
        if (said && !test) lines++;
        test = test && depth > 0;
    }
    return lines;
}

static bool has_counts(const char *name) {
    size_t length;
    char *rows = file_read("tests/truth/rows.tsv", 4 << 20, &length);
    text start = { 0 };
    assert_non_null(rows);
    text_format(&start, "\n%s\t", name);
    bool found = strstr(rows, start.data) != NULL;
    text_free(&start);
    free(rows);
    return found;
}

static void test_published_variants_are_short_and_tested(void **state) {
    (void)state;
    assert_true(COUNT_OF(variants) >= 20);
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        char path[200], of[200];
        size_t length;
        snprintf(path, sizeof path, "games/%s.joc", variants[i].name);
        snprintf(of, sizeof of, " of \"%s\"\n", variants[i].parent);
        char *rules = file_read(path, 1 << 20, &length);
        if (!rules) fail_msg("there is no %s", path);
        if (!strstr(rules, "\nvariant \"") || !strstr(rules, of)) fail_msg("%s is no variant%s", path, of);
        if (lines_of_rules(rules) > LINES_MOST) fail_msg("%s has %zu lines of rules, more than %d", path, lines_of_rules(rules), LINES_MOST);
        if (variants[i].counted && !has_counts(variants[i].name)) fail_msg("no published counts of %s", variants[i].name);
        joc_messages *m = joc_messages_new();
        joc_rules *r = joc_rules_load(path, m);
        assert_non_null(r);
        joc_test_count count = joc_test(r, NULL, NULL, m);
        if (count.failed || !(count.checks || variants[i].counted)) fail_msg("%s: %d checks, %d failed", path, (int)count.checks, (int)count.failed);
        joc_rules_free(r);
        joc_messages_free(m);
        free(rules);
    }
}

/* ---- parents that change -------------------------------------------------------------------------------------------------------------- */
static const char parent[] =
    "game \"Parent\"\nplayers White, Black\nboard square 4 by 4\noption size = 2 in 1..3 \"how far\"\nlet goal = row 4\npiece Man { walk: step size north to empty }\n"
    "setup { place White Man on row 1 }\nturn { walk else pass }\nfull: win when any own goal\n";
static const char child[] =
    "variant \"Child\" of \"parent\"\noption size = 1\nreplace let goal = row 3\nreplace piece Man { walk: step to empty }\nwithout full\nwin when any own goal\n";

/* What the parent had, what it has now, and what is said of the child. */
static const struct { const char *was, *becomes, *says; } changes[] = {
    { "let goal = row 4\n", "let target = row 4\n", "there is no let 'goal' in what this variant inherits" },
    { "option size = 2 in 1..3 \"how far\"\n", "let size = 2\n", "there is no option 'size' to set" },
    { "option size = 2 in 1..3", "option size = 2 in 2..3", "the default 1 is not among the values of 'size'" },
    { "walk: step size north to empty", "stroll: step size north to empty", "Man has no rule 'walk' that could be replaced" },
    { "piece Man {", "piece Pawn {", "there is no piece 'Man' in what this variant inherits" },
    { "full: win when", "win when", "there is no rule or label 'full' in what this variant inherits" },
};

static void put(const char *folder, const char *name, const char *rules) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(file_write(path, rules, strlen(rules)));
}

/* Everything that is said of child.joc in the folder. malloc'd. */
static char *said_of_child(const char *folder) {
    char path[200];
    joc_messages *m = joc_messages_new();
    snprintf(path, sizeof path, "%s/child.joc", folder);
    joc_rules *r = joc_rules_load(path, m);
    joc_game *g = r ? joc_compile(r, NULL, 0, 0, m) : NULL;
    char *said = joc_messages_errors(m) ? joc_messages_text(m, false) : text_copy("");
    assert_true((g != NULL) == !*said);
    joc_game_free(g);
    joc_rules_free(r);
    joc_messages_free(m);
    return said;
}

static void test_a_parent_that_changed_is_told_with_what_is_missing(void **state) {
    (void)state;
    char folder[] = "/tmp/joc-variants-XXXXXX";
    assert_non_null(mkdtemp(folder));
    put(folder, "child.joc", child);
    put(folder, "parent.joc", parent);
    char *said = said_of_child(folder);
    assert_string_equal(said, "");
    free(said);
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        char *rules = replaced(parent, changes[i].was, changes[i].becomes);
        put(folder, "parent.joc", rules);
        said = said_of_child(folder);
        if (!strstr(said, changes[i].says)) fail_msg("no '%s' in: %s", changes[i].says, said);
        free(said);
        free(rules);
    }
    put(folder, "parent.joc", "variant \"Parent\" of \"child\"\n");
    said = said_of_child(folder);
    if (!strstr(said, "circle") && !strstr(said, "itself")) fail_msg("no circle in: %s", said);
    free(said);
    char path[200];
    snprintf(path, sizeof path, "%s/parent.joc", folder);
    unlink(path);
    said = said_of_child(folder);
    if (!strstr(said, "there is no game 'parent' beside this file")) fail_msg("no missing parent in: %s", said);
    free(said);
    snprintf(path, sizeof path, "%s/child.joc", folder);
    unlink(path);
    rmdir(folder);
}

/* ---- presets -------------------------------------------------------------------------------------------------------------------------- */
static void test_presets_are_inherited_replaced_and_taken_away(void **state) {
    (void)state;
    char folder[] = "/tmp/joc-variants-XXXXXX", path[200];
    joc_messages *m = joc_messages_new();
    assert_non_null(mkdtemp(folder));
    put(folder, "parent.joc", "game \"P\"\nplayers X, O\nboard square 3 by 3\noption a = 1 in 1..3 \"a\"\noption b = no when a > 1 \"b\"\npiece Man\n"
                              "preset small { a = 2 }\npreset large \"both\" { a = 3; b = yes }\npreset other { }\n"
                              "turn { drop Man to (empty when b or a = 1 else row a empty) else pass }\ndraw when no empty\n");
    put(folder, "child.joc", "variant \"C\" of \"parent\"\nreplace preset small { a = 3 }\nwithout other\npreset mine \"new\" { b = yes; a = 2 }\n");
    snprintf(path, sizeof path, "%s/child.joc", folder);
    joc_rules *r = joc_rules_load(path, m);
    assert_non_null(r);
    assert_int_equal(joc_rules_presets(r), 3);
    static const struct { const char *name, *meaning; size_t count; const char *first; } wanted[] = { { "small", "", 1, "3" }, { "large", "both", 2, "3" }, { "mine", "new", 2, "yes" } };
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        joc_preset p = joc_rules_preset(r, i);
        assert_string_equal(p.name, wanted[i].name);
        assert_string_equal(p.meaning, wanted[i].meaning);
        assert_int_equal(p.count, wanted[i].count);
        assert_string_equal(p.settings[0].value, wanted[i].first);
        joc_game *g = joc_compile(r, p.settings, p.count, 0, m);
        assert_non_null(g);
        assert_string_equal(joc_game_option(g, p.settings[0].name), wanted[i].first);
        joc_game_free(g);
    }
    joc_rules_free(r);
    joc_messages_free(m);
    unlink(path);
    snprintf(path, sizeof path, "%s/parent.joc", folder);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_variants_are_short_and_tested),
        cmocka_unit_test(test_a_parent_that_changed_is_told_with_what_is_missing),
        cmocka_unit_test(test_presets_are_inherited_replaced_and_taken_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
