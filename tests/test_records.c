/* Records of matches outlive whatever happens to the program: it is killed before every call that could change a file, and it finds disks
 * full; what is on disk is always a record with every move but the one being made. And records are resumed, replayed, and refused when
 * their rules are no longer those they were. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "tests/helper.h"
#include "interp/formats/match.h"

static char folder[] = "/tmp/joc-records-XXXXXX";

static const char *joc_path(void) { return getenv("JOC") ? getenv("JOC") : "build/release/joc"; }
static bool slow(void) { return getenv("JOC_VARIANT") && !strcmp(getenv("JOC_VARIANT"), "asan"); }

/* Runs `joc ARGUMENTS` in the folder; `before` stands in front (input, limits). */
static int ran(const char *before, const char *arguments, char **printed) {
    text t = { 0 };
    text_format(&t, "J=$(realpath %s); G=$PWD/games; export G; cd %s; %s $J %s", joc_path(), folder, before, arguments);
    int code = run(t.data, printed);
    text_free(&t);
    return code;
}

static void file_put(const char *name, const char *contents) {
    text t = { 0 };
    text_format(&t, "%s/%s", folder, name);
    assert_true(file_write(t.data, contents, strlen(contents)));
    text_free(&t);
}

static char *file_get(const char *name) {
    text t = { 0 };
    size_t length;
    text_format(&t, "%s/%s", folder, name);
    char *held = file_read(t.data, 1 << 20, &length);
    text_free(&t);
    return held;
}

static void file_gone(const char *name) {
    text t = { 0 };
    text_format(&t, "%s/%s", folder, name);
    unlink(t.data);
    text_free(&t);
}

static match *record_get(const char *name) {
    text t = { 0 };
    joc_messages *m = joc_messages_new();
    text_format(&t, "%s/%s", folder, name);
    match *record = access(t.data, F_OK) ? NULL : match_read(t.data, m);
    if (!record && !access(t.data, F_OK)) fail_msg("%s is no record any more: %s", name, joc_messages_at(m, 0).text);
    text_free(&t);
    joc_messages_free(m);
    return record;
}

/* ---- killed --------------------------------------------------------------------------------------------------------------------------- */
static bool changes_files(uint64_t call) {
    static const uint64_t calls[] = {
        SYS_write, SYS_writev, SYS_pwrite64, SYS_openat, SYS_close, SYS_fsync, SYS_fchmod, SYS_ftruncate, SYS_unlinkat, SYS_renameat, SYS_renameat2,
#ifdef SYS_rename
        SYS_rename, SYS_open, SYS_unlink, SYS_chmod,
#endif
    };
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        if (calls[i] == call) return true;
    return false;
}

static bool renames(uint64_t call) {
#ifdef SYS_rename
    if (call == SYS_rename) return true;
#endif
    return call == SYS_renameat || call == SYS_renameat2;
}

static void play_traced(const char *binary) {
    int null = open("/dev/null", O_RDWR);
    char *game = realpath("games/tic-tac-toe.joc", NULL);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);        /* the leak checker cannot be traced */
    if (chdir(folder) || ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(99);
    execl(binary, "joc", "play", game, "--seat", "all=random", "--seed", "3", "--save", "killed.yaml", (char *)NULL);
    _exit(99);
}

typedef struct { size_t calls, renamed; bool ended, untraced; } killing;

/* Plays a whole match by itself and kills it before its `at`-th call that could change a file, counted from 1. */
static killing play_killed(const char *binary, size_t at) {
    killing k = { 0 };
    int status;
    pid_t child = fork();
    if (!child) play_traced(binary);
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) {
        k.untraced = true;
        kill(child, SIGKILL);
        if (!WIFEXITED(status)) waitpid(child, &status, 0);
        return k;
    }
    bool renaming = false;
    for (int pass = 0;;) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)pass) || waitpid(child, &status, 0) != child) break;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            k.ended = true;
            break;
        }
        pass = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        struct __ptrace_syscall_info info = { 0 };
        if (WSTOPSIG(status) != (SIGTRAP | 0x80) || ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof info, &info) <= 0) continue;
        if (info.op == PTRACE_SYSCALL_INFO_EXIT && renaming) k.renamed += !info.exit.is_error, renaming = false;
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(info.entry.nr)) continue;
        renaming = renames(info.entry.nr);
        if (++k.calls != at) continue;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
    }
    return k;
}

/* Removes what a killed run left beside the record; how many files there were. */
static void sweep(void) {
    text t = { 0 };
    text_format(&t, "%s/killed.yaml*", folder);
    removed("-f", t.data);
    text_free(&t);
}

static void test_a_match_killed_at_any_moment_keeps_every_move_but_one(void **state) {
    (void)state;
    char *binary = realpath(joc_path(), NULL);
    killing whole = play_killed(binary, 0);
    if (whole.untraced) {
        print_message("skipped: no process can be traced here\n");
        free(binary);
        skip();
    }
    match *all = record_get("killed.yaml");
    assert_non_null(all);
    assert_true(all->move_count >= 5);
    assert_int_equal(whole.renamed, all->move_count + 1);
    size_t first = 1, step = slow() ? 7 : 1, tried = 0;
    for (size_t at = first; at <= whole.calls; at += step, tried++) {
        sweep();
        killing k = play_killed(binary, at);
        match *record = record_get("killed.yaml");
        size_t moves = record ? record->move_count : 0;
        if (record ? moves + 1 != k.renamed : k.renamed) fail_msg("killed before call %zu: %zu renames, %zu moves kept", at, k.renamed, moves);
        for (size_t i = 0; i < moves; i++) assert_string_equal(record->moves[i].text, all->moves[i].text);
        match_free(record);
    }
    assert_true(tried * step >= whole.calls);
    assert_true(whole.calls > 9 * all->move_count);
    match_free(all);
    sweep();
    free(binary);
}

/* ---- full disks ----------------------------------------------------------------------------------------------------------------------- */
static void test_a_full_disk_never_damages_a_record(void **state) {
    (void)state;
    size_t most = 0;
    for (int blocks = 0; blocks < 8; blocks++) {
        char before[100], *printed;
        snprintf(before, sizeof before, "trap '' XFSZ; ulimit -f %d;", blocks);
        file_gone("full.yaml");
        int code = ran(before, "play $G/tic-tac-toe.joc --seat all=random --seed 3 --save full.yaml 2>/dev/null", &printed);
        match *record = record_get("full.yaml");
        if (code && code != 3) fail_msg("%d blocks: ended with %d", blocks, code);
        if (record) assert_true(record->move_count >= most);
        if (record) most = record->move_count;
        if (code == 0) assert_true(record && *record->outcome);
        match_free(record);
        free(printed);
    }
    assert_true(most >= 5);
}

/* The same moves with room for the record of two of them only. */
static void test_a_move_that_cannot_be_written_is_taken_back(void **state) {
    (void)state;
    char *printed;
    struct rlimit whole, small;
    file_put("two", "b2\na1\n");
    file_put("three", "b2\na1\nc3\nmoves\n");
    assert_int_equal(ran("", "play $G/tic-tac-toe.joc --seed 5 --save made.yaml < two", &printed), 0);
    free(printed);
    char *made = file_get("made.yaml");
    getrlimit(RLIMIT_FSIZE, &whole);
    small = whole;
    small.rlim_cur = strlen(made);
    setrlimit(RLIMIT_FSIZE, &small);
    int code = ran("trap '' XFSZ;", "play $G/tic-tac-toe.joc --seed 5 --save full.yaml < three", &printed);
    setrlimit(RLIMIT_FSIZE, &whole);
    assert_int_equal(code, 0);
    assert_non_null(strstr(printed, "cannot write 'full.yaml': File too large; what it held before is still there"));
    assert_non_null(strstr(printed, "the move was taken back"));
    assert_non_null(strstr(printed, "X to move (turn 3)"));
    free(printed);
    match *record = record_get("full.yaml");
    assert_int_equal(record->move_count, 2);
    match_free(record);
    free(made);
}

/* ---- resumed, replayed, refused ------------------------------------------------------------------------------------------------------- */
static const char small_game[] =
    "game \"Small\"\nplayers A, B\nboard square 3 by 3\noption long = no \"three in a line, or four\"\npiece Stone\n"
    "place_one: drop Stone to empty\nturn { place_one }\nwin when any line (4 when long else 3) of own\ndraw when no empty\n";

static void test_a_record_is_gone_on_with(void **state) {
    (void)state;
    char *printed;
    file_put("small.joc", small_game);
    file_put("some", "b2\na1\n");
    file_put("rest", "b1\na2\nb3\n");
    assert_int_equal(ran("", "play small.joc --option long=no --save s.match.yaml < some", &printed), 0);
    free(printed);
    assert_int_equal(ran("", "play --from s.match.yaml < rest", &printed), 0);
    assert_non_null(strstr(printed, "A wins"));
    free(printed);
    match *m = record_get("s.match.yaml");
    assert_int_equal(m->move_count, 5);
    assert_string_equal(m->outcome, "win");
    assert_string_equal(m->winner, "A");
    assert_true(match_began(m) > 1700000000 && m->moves[4].time >= 0);
    match_free(m);
    assert_int_equal(ran("", "check s.match.yaml", &printed), 0);
    free(printed);
}

static const struct { const char *arguments; int code; const char *says[3]; } replays[] = {
    { "replay s.match.yaml", 0, { "Small. A: human, B: human; 5 moves", "result: win A", "3 · A ·" } },
    { "replay s.match.yaml --verify", 0, { "" } },
    { "replay s.match.yaml --moves", 0, { "   1  A: b2", "   5  A: b3", "result: win A" } },
    { "replay s.match.yaml --to 1", 0, { "B to move" } },
    { "replay s.match.yaml --to 0", 0, { "A to move" } },
    { "replay s.match.yaml --to 6", 1, { "the match has 5 moves, not 6" } },
    { "replay s.match.yaml --json --to 2", 0, { "\"after\": 2", "\"outcome\": \"win\"", "\"move\": \"b3\"" } },
    { "replay s.match.yaml --step < steps", 0, { "5/5> this is the end", "3/5> ", "next, back, first, last" } },
    { "replay nosuch.yaml", 3, { "cannot read" } },
    { "replay small.joc", 1, { "" } },
};

static void test_records_are_stepped_through_and_verified(void **state) {
    (void)state;
    file_put("steps", "last\nn\nback\nb\nwhere\nq\n");
    for (size_t i = 0; i < COUNT_OF(replays); i++) {
        char *printed;
        int code = ran("", replays[i].arguments, &printed);
        if (code != replays[i].code) fail_msg("%s: ended with %d: %s", replays[i].arguments, code, printed);
        for (size_t k = 0; k < 3 && replays[i].says[k]; k++)
            if (!strstr(printed, replays[i].says[k])) fail_msg("%s: no '%s' in: %s", replays[i].arguments, replays[i].says[k], printed);
        free(printed);
    }
}

/* A line of the game, what stands in its place, and what is said of it. */
static const struct { const char *was, *becomes, *says; } changed[] = {
    { "place_one: drop Stone to empty", "place_one: drop Stone to empty (cells)", "changed: rule place_one" },
    { "turn { place_one }", "turn { place_one else draw }", "changed: turn" },
    { "board square 3 by 3", "board square 4 by 4", "changed: board" },
    { "turn { place_one }", "keep idle 0..9\nturn { place_one, idle += 1 }", "new: keep idle" },
    { "draw when no empty\n", "draw when no empty\nlose when turns = 90\n", "new: lose 1" },
    { "draw when no empty\n", "", "gone: draw 1" },
    { "option long = no", "option long = yes", "changed: option long" },
};

static void test_a_record_whose_rules_changed_is_refused_with_the_difference(void **state) {
    (void)state;
    static const char *const commands[] = { "play --from c.match.yaml < /dev/null", "replay c.match.yaml", "check c.match.yaml" };
    char *printed;
    file_put("small.joc", small_game);
    assert_int_equal(ran("", "play small.joc --save c.match.yaml < some", &printed), 0);
    free(printed);
    for (size_t i = 0; i < COUNT_OF(changed); i++) {
        char *rules = replaced(small_game, changed[i].was, changed[i].becomes);
        file_put("small.joc", rules);
        for (size_t k = 0; k < COUNT_OF(commands); k++) {
            int code = ran("", commands[k], &printed);
            if (code != 1 || !strstr(printed, changed[i].says)) fail_msg("%s after '%s': %d: %s", commands[k], changed[i].becomes, code, printed);
            free(printed);
        }
        free(rules);
    }
    assert_int_equal(ran("", "replay --anyway c.match.yaml", &printed), 0);
    free(printed);
    char *comments = replaced(small_game, "board", "# a comment, and another layout\nboard");
    file_put("small.joc", comments);
    assert_int_equal(ran("", "replay c.match.yaml", &printed), 0);
    free(printed);
    free(comments);
}

static void test_a_record_that_lies_is_caught(void **state) {
    (void)state;
    char *printed, *yaml, *lie;
    file_put("small.joc", small_game);
    file_put("all", "b2\na1\nb1\na2\nb3\n");
    assert_int_equal(ran("", "play small.joc --save l.yaml < all", &printed), 0);
    free(printed);
    yaml = file_get("l.yaml");
    lie = replaced(yaml, "winner: A", "winner: B");
    file_put("l.yaml", lie);
    assert_int_equal(ran("", "replay l.yaml", &printed), 1);
    assert_non_null(strstr(printed, "the record says 'win B', but its moves lead to 'win A'"));
    free(printed), free(lie);
    lie = replaced(yaml, "- A: b1", "- A: a1");
    file_put("l.yaml", lie);
    assert_int_equal(ran("", "replay l.yaml --verify", &printed), 1);
    assert_non_null(strstr(printed, "move 3 of the record, 'a1', is not possible"));
    free(printed), free(lie), free(yaml);
}

static void test_secrets_of_a_match_that_goes_on_are_not_shown(void **state) {
    (void)state;
    char *printed;
    joc_game *g = game_named("goofspiel", NULL);
    joc_position *p = joc_start(g, 1);
    assert_true(joc_game_has_secrets(g));
    match *m = match_new("goofspiel", NULL, g, NULL, 1, NULL, 1796000000);
    for (int i = 0; i < 4; i++) {
        joc_moves *list = joc_moves_of(p);
        match_add(m, joc_state_of(p) == JOC_CHANCE ? -1 : joc_mover(p), joc_move_text(joc_moves_at(list, 0)), i);
        joc_play(p, joc_moves_at(list, 0));
        joc_moves_free(list);
    }
    char *yaml = match_text(m), *rules = realpath("games/goofspiel.joc", NULL);
    file_put("secret.yaml", yaml);
    text link = { 0 };
    text_format(&link, "ln -s %s goofspiel.joc;", rules);
    assert_int_equal(ran(link.data, "replay secret.yaml", &printed), 1);
    assert_non_null(strstr(printed, "hide things from each other"));
    free(printed);
    assert_int_equal(ran("", "replay secret.yaml --json", &printed), 1);
    free(printed);
    assert_int_equal(ran("", "replay secret.yaml --verify", &printed), 0);
    free(printed), free(yaml), free(rules);
    text_free(&link);
    match_free(m);
    joc_position_free(p);
    joc_game_free(g);
}

static int set_up(void **state) { (void)state; return mkdtemp(folder) ? 0 : -1; }

static int tear_down(void **state) {
    (void)state;
    return removed("-r", folder) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_match_killed_at_any_moment_keeps_every_move_but_one),
        cmocka_unit_test(test_a_full_disk_never_damages_a_record),
        cmocka_unit_test(test_a_move_that_cannot_be_written_is_taken_back),
        cmocka_unit_test(test_a_record_is_gone_on_with),
        cmocka_unit_test(test_records_are_stepped_through_and_verified),
        cmocka_unit_test(test_a_record_whose_rules_changed_is_refused_with_the_difference),
        cmocka_unit_test(test_a_record_that_lies_is_caught),
        cmocka_unit_test(test_secrets_of_a_match_that_goes_on_are_not_shown),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
