/* For the suites of compiled machines: a folder to keep them in, and whether there is a compiler. */
#ifndef JOC_TESTS_NATIVE_H
#define JOC_TESTS_NATIVE_H
#include "tests/helper.h"
#include "interp/inside.h"
#include "interp/native/native.h"

static char *cache;                 /* a folder for all of this suite */
static bool have_compiler;

static int set_up(void **state) {
    (void)state;
    char *why = NULL;
    cache = text_copy("/tmp/joc-test-native-XXXXXX");
    assert_non_null(mkdtemp(cache));
    setenv("XDG_CACHE_HOME", cache, 1);
    joc_game *g = game_named("tic-tac-toe", NULL);
    have_compiler = joc_native(g, &why);
    if (!have_compiler) print_message("%s\n", why);
    joc_game_free(g);
    free(why);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    removed("-r", cache);
    free(cache);
    return 0;
}

#define NEEDS_COMPILER() do { (void)state; if (!have_compiler) { skip(); return; } } while (0)
#endif
