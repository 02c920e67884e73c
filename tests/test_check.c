/* What the checker says: every fault at its word, once, with its code. The examples of the codes: test_explain.c. */
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
#include "tests/error_corpus.h"

/* All that `joc check` does with a text. */
static void check_text(const char *path, const char *text, size_t length, diagnostics *d)
{
    joc_messages m = { d };
    joc_rules *rules = joc_rules_parse(path, text, length, &m);
    if (rules) joc_rules_check(rules, &m);
    joc_rules_free(rules);
}

static void test_faults_are_told_at_their_word_and_once(void **state)
{
    (void)state;
    assert_int_equal(errors_check_files("tests/errors/check/*.joc", 60, check_text), 0);
}

static void test_odd_rules_are_warned_of(void **state)
{
    (void)state;
    assert_int_equal(errors_check_files("tests/errors/odd/*.joc", 10, check_text), 0);
}

/* First drafts that look right and mean something else (docs/language.md, section 3): refused or noted, or, with a test of their own in the file, they
 * mean what they look like. */
static void test_drafts_mean_what_they_look_like_or_are_refused(void **state)
{
    (void)state;
    glob_t found;
    int wrong = 0;
    assert_int_equal(glob("tests/errors/drafts/*.joc", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 25);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_load(found.gl_pathv[i], m);
        const joc_test_count n = rules && joc_rules_check(rules, m) ? joc_test(rules, NULL, NULL, m) : (joc_test_count){ 0 };
        if (joc_messages_count(m)) wrong += errors_check_file(found.gl_pathv[i], check_text);
        else if (!n.tests || n.failed) { print_error("%s: nothing is said of it, and no test of its own says what it means\n", found.gl_pathv[i]); wrong++; }
        joc_rules_free(rules);
        joc_messages_free(m);
    }
    globfree(&found);
    assert_int_equal(wrong, 0);
}

/* Games are right: nothing is said of them. */
static void test_games_check_without_a_word(void **state)
{
    (void)state;
    glob_t found;
    int wrong = 0;
    assert_int_equal(glob("games/*.joc", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        diagnostics *d = diag_new();
        joc_messages m = { d };
        joc_rules *rules = joc_rules_load(found.gl_pathv[i], &m);
        if (rules) joc_rules_check(rules, &m);
        if (d->count) {
            char *said = diag_text(d, false);
            print_error("%s", said);
            free(said);
            wrong++;
        }
        joc_rules_free(rules);
        diag_free(d);
    }
    assert_true(found.gl_pathc > 50);
    globfree(&found);
    assert_int_equal(wrong, 0);
}

/* As released; with sanitizers it takes longer. */
static void test_chess_is_checked_in_ten_milliseconds(void **state)
{
    (void)state;
    const char *variant = getenv("JOC_VARIANT");
    if (!variant || strcmp(variant, "release") != 0) return;
    double best = 1;
    for (int i = 0; i < 100 && best >= 0.010; i++) {
        const clock_t begun = clock();
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_load("games/chess.joc", m);
        assert_true(joc_rules_check(rules, m));
        joc_rules_free(rules);
        joc_messages_free(m);
        const double took = (double)(clock() - begun) / CLOCKS_PER_SEC;
        if (took < best) best = took;
    }
    print_message("checking chess: %.1f ms\n", 1000 * best);
    assert_true(best < 0.010);
}

/* ---- the list of codes ---- */
static const struct { const char *code, *title, *wrong, *right; } codes[] = {
#define DIAG(c, t, w, r) { c, t, w, r },
#include "grammar/diag.def"
#undef DIAG
};
enum { CODES = sizeof codes / sizeof *codes };

static bool listed(const char *code)
{
    for (int i = 0; i < CODES; i++) if (strcmp(codes[i].code, code) == 0) return true;
    return false;
}

static void test_codes_stand_in_order(void **state)
{
    (void)state;
    for (int i = 1; i < CODES; i++) if (strcmp(codes[i - 1].code + 1, codes[i].code + 1) >= 0) fail_msg("%s stands before %s", codes[i - 1].code, codes[i].code);
}

/* Every text like "E0101" in the sources is a code of the list, and the other way round. */
static void test_every_code_used_is_listed(void **state)
{
    (void)state;
    static const char *const where[] = { "grammar/*.[cyl]", "interp/*.c", "interp/*/*.c" };
    bool used[CODES] = { false };
    int wrong = 0;
    for (size_t w = 0; w < sizeof where / sizeof *where; w++) {
        glob_t found;
        if (glob(where[w], 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *file = fopen(found.gl_pathv[i], "rb");
            char *text = NULL;
            size_t room = 0;
            assert_non_null(file);
            ssize_t length = getdelim(&text, &room, EOF, file);
            fclose(file);
            for (char *at = text; length > 0 && (at = strchr(at, '"')) != NULL; at++) {
                if (!strchr("EWN", at[1]) || at[1] == '\0' || strspn(at + 2, "0123456789") != 4 || at[6] != '"') continue;
                char code[6] = "";
                memcpy(code, at + 1, 5);
                if (!listed(code)) { print_error("%s: %s is not in grammar/diag.def\n", found.gl_pathv[i], code); wrong++; }
                for (int k = 0; k < CODES; k++) if (strcmp(codes[k].code, code) == 0) used[k] = true;
            }
            free(text);
        }
        globfree(&found);
    }
    for (int k = 0; k < CODES; k++) if (!used[k]) { print_error("%s is used nowhere\n", codes[k].code); wrong++; }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_are_told_at_their_word_and_once),
        cmocka_unit_test(test_odd_rules_are_warned_of),
        cmocka_unit_test(test_drafts_mean_what_they_look_like_or_are_refused),
        cmocka_unit_test(test_games_check_without_a_word),
        cmocka_unit_test(test_chess_is_checked_in_ten_milliseconds),
        cmocka_unit_test(test_codes_stand_in_order),
        cmocka_unit_test(test_every_code_used_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
