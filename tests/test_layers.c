/* Folders include only themselves and what stands before them; nothing in the language or the machine is above its layer. */
#include <dirent.h>
#include "tests/helper.h"

/* What each folder may include, beside itself. The compiler sees the machine's header, as it picks the machine for a game's size and plays a
 * little when it checks; the machine sees neither the compiler nor the grammar. "interp/" is the files that stand in interp itself: joc.h, game.h, op.def. */
static const struct { const char *folder, *may[8]; } layers[] = {
    { "grammar", { 0 } },
    { "interp/compile", { "grammar", "interp/", "interp/machine" } },       /* a set-up is run to see how many pieces there are */
    { "interp/machine", { "interp/" } },
    { "interp/native", { "interp/", "interp/machine" } },
    { "interp/play", { "interp/" } },
    { "interp/formats", { "grammar", "interp/", "interp/play" } },
    { "interp/cli", { "grammar", "interp/", "interp/play", "interp/formats" } },
};

static bool in_folder(const char *path, const char *folder) {
    size_t n = strlen(folder);
    if (folder[n - 1] == '/') return !strncmp(path, folder, n) && !strchr(path + n, '/');
    return !strncmp(path, folder, n) && path[n] == '/' && !strchr(path + n + 1, '/');
}

static bool exists(const char *folder, const char *name) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static void check_include(size_t layer, const char *file, const char *name) {
    const char *folder = layers[layer].folder;
    char path[400];
    if (strstr(name, ".inc")) return;               /* written by interp/native when a game is compiled */
    if (!strncmp(name, "../", 3)) snprintf(path, sizeof path, "interp/%s", name + 3);
    else if (strchr(name, '/') && !exists(folder, name)) snprintf(path, sizeof path, "%s", name);
    else if (exists(folder, name)) snprintf(path, sizeof path, "%s/%s", folder, name);
    else if (exists("interp", name)) snprintf(path, sizeof path, "interp/%s", name);
    else snprintf(path, sizeof path, "grammar/%s", name);               /* generated ones, too */
    if (in_folder(path, folder)) return;
    for (size_t i = 0; layers[layer].may[i]; i++)
        if (in_folder(path, layers[layer].may[i])) return;
    fail_msg("%s includes \"%s\", which its layer may not see", file, name);
}

static size_t check_file(size_t layer, const char *file) {
    size_t length, n = 0;
    char *source = file_read(file, 4 << 20, &length);
    assert_non_null(source);
    for (char *s = source; (s = strstr(s, "#include \""));) {
        char *name = s + 10, *end = strchr(name, '"');
        assert_non_null(end);
        *end = 0;
        check_include(layer, file, name);
        s = end + 1;
        n++;
    }
    free(source);
    return n;
}

static void test_folders_include_only_what_stands_before_them(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layers); i++) {
        DIR *folder = opendir(layers[i].folder);
        size_t includes = 0;
        assert_non_null(folder);
        for (struct dirent *e; (e = readdir(folder));) {
            char path[400], *dot = strrchr(e->d_name, '.');
            if (!dot || !dot[1] || dot[2] || !strchr("chly", dot[1])) continue;
            snprintf(path, sizeof path, "%s/%s", layers[i].folder, e->d_name);
            includes += check_file(i, path);
        }
        closedir(folder);
        assert_true(includes > 0);
    }
}

static void test_the_public_header_needs_no_other(void **state) {
    (void)state;
    char *printed;
    assert_int_equal(run("grep -c '#include \"' interp/joc.h", &printed), 1);
    free(printed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders_include_only_what_stands_before_them),
        cmocka_unit_test(test_the_public_header_needs_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
