/* Files that are none, are too much, or mean harm, given wherever the command reads YAML: each ends soon, with a sentence and an exit code. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include "tests/helper.h"

static char folder[] = "/tmp/joc-hostile-XXXXXX";

static const char *joc_path(void) { return getenv("JOC") ? getenv("JOC") : "build/release/joc"; }

static char *in_folder(const char *name) {
    text t = { 0 };
    text_format(&t, "%s/%s", folder, name);
    return text_take(&t);
}

static void put(const char *name, const char *contents, size_t length) {
    char *path = in_folder(name);
    assert_true(file_write(path, contents, length));
    free(path);
}

/* `{` and `[` without end, an entity that grows a billion times, a key of a megabyte, tens of thousands of keys. */
static void put_bombs(void) {
    text t = { 0 };
    text_add(&t, "game: ur\na: &a [x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c <= 'i'; c++) text_format(&t, "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
    put("bomb", t.data, t.length);
    text_free(&t);
    text_add_times(&t, "[", 50000);
    put("deep", t.data, t.length);
    text_free(&t);
    text_add_times(&t, "? ", 20000);
    put("questions", t.data, t.length);
    text_free(&t);
    text_add(&t, "game: ur\n");
    for (int i = 0; i < 4000; i++) text_format(&t, "key%d: %d\n", i, i);
    put("keys", t.data, t.length);
    text_free(&t);
    text_add_times(&t, "k", 60000);
    text_add(&t, ": 1\n");
    put("long", t.data, t.length);
    text_free(&t);
    put("bytes", "game: \0\x01\xff\xfe\n", 11);
    put("empty", "", 0);
    const char *screen = "game: ur\nname: \"\\e[2J\"\n", *high = "game: ur\nname: \"\\x9b2J\"\n";
    put("screen", screen, strlen(screen));
    put("high", high, strlen(high));
}

static void put_no_files(void) {
    char *path = in_folder("huge"), *loop = in_folder("loop"), *other = in_folder("other");
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(fd, (off_t)1 << 30), 0);         /* a gigabyte of holes */
    close(fd);
    assert_int_equal(symlink(other, loop), 0);
    assert_int_equal(symlink(loop, other), 0);
    free(path);
    path = in_folder("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    free(path), free(loop), free(other);
    path = in_folder("folder");
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

static const struct { const char *name, *says; } inputs[] = {
    { "bomb", "anchors" }, { "deep", "levels deep" }, { "questions", "" }, { "keys", "has no 'key0'" }, { "long", "" }, { "bytes", "not YAML" }, { "empty", "the file is empty" }, { "screen", "a control character" }, { "high", "a control character" },
    { "huge", "larger than Joc reads" }, { "loop", "Too many levels of symbolic links" }, { "pipe", "not a file" }, { "folder", "directory" },
    { "/dev/zero", "not a file" }, { "/proc/self/mem", "" }, { "nothing", "No such file" },
};

/* %s is the file, under the name that the command takes for one of its kind. */
static const struct { const char *suffix, *arguments; } uses[] = {
    { ".house.yaml", "check %s" },
    { ".house.yaml", "show games/ur.joc --house %s" },
    { ".house.yaml", "options %s" },
    { ".house.yaml", "diff %s games/ur.joc" },
    { ".match.yaml", "check %s" },
    { ".match.yaml", "replay %s" },
    { ".match.yaml", "play --from %s" },
    { ".notation.yaml", "check %s" },
};

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void use(const char *path, const char *arguments, const char *says) {
    text t = { 0 }, words = { 0 };
    const char *at = strstr(arguments, "%s");
    char *printed;
    text_add_bytes(&words, arguments, (size_t)(at - arguments));
    text_add(&words, path);
    text_add(&words, at + 2);
    text_format(&t, "timeout 60 %s %s < /dev/null", joc_path(), words.data);
    double started = seconds_now();
    int code = run(t.data, &printed);
    if (code != 1 && code != 3) fail_msg("joc %s: ended with %d: %.500s", words.data, code, printed);
    if (seconds_now() - started > 30) fail_msg("joc %s: took %.0f s", words.data, seconds_now() - started);
    if (!*printed || strlen(printed) > 20000) fail_msg("joc %s: said %zu bytes", words.data, strlen(printed));
    if (!strstr(printed, says)) fail_msg("joc %s: no '%s' in: %.500s", words.data, says, printed);
    if (strstr(printed, "Sanitizer")) fail_msg("joc %s: %.2000s", words.data, printed);
    free(printed);
    text_free(&t), text_free(&words);
}

/* Each input stands under a name of the kind that the command expects: a link, or itself where that is the point. */
static void test_whatever_is_read_ends_in_a_sentence(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(inputs); i++)
        for (size_t k = 0; k < COUNT_OF(uses); k++) {
            text name = { 0 };
            char *target = inputs[i].name[0] == '/' ? text_copy(inputs[i].name) : in_folder(inputs[i].name);
            text_format(&name, "%s/input%s", folder, uses[k].suffix);
            unlink(name.data);
            assert_int_equal(symlink(target, name.data), 0);
            use(name.data, uses[k].arguments, strstr(uses[k].suffix, "notation") ? "" : inputs[i].says);
            free(target);
            text_free(&name);
        }
}

/* A record is not written over what is no plain file. */
static void test_what_is_no_file_is_not_replaced(void **state) {
    (void)state;
    static const char *const names[] = { "pipe", "folder" };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct stat before, after;
        char *path = in_folder(names[i]), *printed;
        text t = { 0 };
        assert_int_equal(stat(path, &before), 0);
        assert_false(file_write(path, "x", 1));
        text_format(&t, "%s play games/tic-tac-toe.joc --seat X=random --seat O=random --save %s < /dev/null", joc_path(), path);
        assert_int_equal(run(t.data, &printed), 3);
        assert_non_null(strstr(printed, "cannot write"));
        assert_int_equal(stat(path, &after), 0);
        assert_true(before.st_ino == after.st_ino && before.st_mode == after.st_mode);
        free(printed), free(path);
        text_free(&t);
    }
}

/* Asked to stop, the search and the solver do so within a position, however many moves it has. */
static void test_solvers_stop_when_asked(void **state) {
    (void)state;
    static const char *const how[] = { "", " --search" };
    static const char rules[] = "game \"T\"\nplayers X, O\nboard square 32 by 32\npiece Mark\nturn { drop Mark to empty }\nwin when any line 3 of own\n";
    put("wide.joc", rules, sizeof rules - 1);
    for (size_t i = 0; i < COUNT_OF(how); i++) {
        char *path = in_folder("wide.joc"), *printed;
        text t = { 0 };
        text_format(&t, "timeout -k 60 1 %s solve %s%s", joc_path(), path, how[i]);
        double started = seconds_now();
        run(t.data, &printed);
        if (seconds_now() - started > 20) fail_msg("%s: took %.0f s", t.data, seconds_now() - started);
        free(printed), free(path);
        text_free(&t);
    }
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    put_bombs();
    put_no_files();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    return removed("-r", folder) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whatever_is_read_ends_in_a_sentence), cmocka_unit_test(test_what_is_no_file_is_not_replaced), cmocka_unit_test(test_solvers_stop_when_asked) };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
