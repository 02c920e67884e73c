/* For the suites of formats, play and the command: games by name, files, commands run. Each suite includes it once. */
#ifndef JOC_TESTS_HELPER_H
#define JOC_TESTS_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "interp/formats/data.h"
#include "interp/joc.h"
#include "interp/play/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* An installed game of tests: compiled from games/NAME.joc under settings "a=b c=d"; fails the test if it does not compile. */
static inline joc_game *game_named(const char *name, const char *settings) {
    joc_messages *m = joc_messages_new();
    char path[400], copy[400], *save = NULL;
    joc_setting list[16];
    size_t count = 0;
    snprintf(path, sizeof path, "games/%s.joc", name);
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(w, '=');
        *equals = 0;
        list[count++] = (joc_setting){ w, equals + 1 };
    }
    joc_rules *rules = joc_rules_load(path, m);
    joc_game *game = rules ? joc_compile(rules, list, count, 0, m) : NULL;
    if (!game) {
        char *why = joc_messages_text(m, false);
        fail_msg("%s", why);
    }
    joc_rules_free(rules);
    joc_messages_free(m);
    return game;
}

/* Runs a command with the shell; gives its exit code, and what it printed on both outputs (malloc'd). */
static inline int run(const char *command, char **printed) {
    text all = { 0 }, out = { 0 };
    char block[4096];
    text_format(&all, "{ %s ; } 2>&1", command);
    FILE *p = popen(all.data, "r");
    assert_non_null(p);
    for (size_t n; (n = fread(block, 1, sizeof block, p)) > 0;) text_add_bytes(&out, block, n);
    int status = pclose(p);
    text_free(&all);
    *printed = text_take(&out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The text with its first `was` replaced; malloc'd. */
static inline char *replaced(const char *in, const char *was, const char *becomes) {
    const char *at = strstr(in, was);
    text t = { 0 };
    assert_non_null(at);
    text_add_bytes(&t, in, (size_t)(at - in));
    text_add(&t, becomes);
    text_add(&t, at + strlen(was));
    return text_take(&t);
}

/* rm with these words; true if it went well. */
static inline bool removed(const char *flags, const char *what) {
    text t = { 0 };
    char *printed;
    text_format(&t, "rm %s %s", flags, what);
    const int code = run(t.data, &printed);
    free(printed);
    text_free(&t);
    return code == 0;
}

/* Compares with tests/golden/NAME; GOLDEN_UPDATE=1 writes it instead. */
static inline void assert_golden(const char *name, const char *printed) {
    char path[200];
    size_t length;
    snprintf(path, sizeof path, "tests/golden/%s", name);
    if (getenv("GOLDEN_UPDATE")) {
        assert_true(file_write(path, printed, strlen(printed)));
        return;
    }
    char *kept = file_read(path, 1 << 20, &length);
    if (!kept) fail_msg("no %s; GOLDEN_UPDATE=1 writes it", path);
    if (strcmp(kept, printed)) fail_msg("%s differs; printed:\n%s\nkept:\n%s", path, printed, kept);
    free(kept);
}
#endif
