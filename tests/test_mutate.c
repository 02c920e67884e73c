/* The checker finds slips and points at them, in every rule file: a sample of what tests/mutate.c measures, with floors that may rise and never
 * fall (docs/validation.md has the whole). */
#include <glob.h>
#include "tests/helper.h"
#include "tests/mutate.h"

enum { OF_EACH_FILE = 30 };
static const struct { mutation_kind kind; const char *what; double found, near; } floors[] = {
    { MISSPELL, "misspelt words", 95.0, 92.5 },
    { REFUSE, "texts that no reader could accept", 99.3, 97.5 },
};

static void test_slips_are_found_and_pointed_at(void **state)
{
    (void)state;
    mutation_tally t = { 0 };
    glob_t found;
    assert_int_equal(glob("games/*.joc", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 50);
    for (size_t i = 0; i < found.gl_pathc; i++) assert_true(mutate_file(found.gl_pathv[i], OF_EACH_FILE, NULL, &t));
    globfree(&found);
    for (size_t i = 0; i < COUNT_OF(floors); i++) {
        const mutation_kind k = floors[i].kind;
        const double made = (double)t.made[k], there = 100.0 * (double)t.found[k] / made, near = 100.0 * (double)t.near[k] / made;
        print_message("%s: %lu, found %.1f %%, near %.1f %%\n", floors[i].what, t.made[k], there, near);
        assert_true(made > 200);
        if (there < floors[i].found || near < floors[i].near) fail_msg("%s: found %.1f %% (at least %.1f), near %.1f %% (at least %.1f)", floors[i].what, there, floors[i].found, near, floors[i].near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_slips_are_found_and_pointed_at) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
