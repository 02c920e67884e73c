/* Positions as text and drawings, notations, house files, match records: round trips, refusals, files that go wrong. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "tests/helper.h"
#include "interp/formats/house.h"
#include "interp/formats/match.h"
#include "interp/formats/notation.h"

/* ---- round trips -------------------------------------------------------------------------------------------------------------------- */
static void assert_same(const joc_position *p, const char *written, const char *what) {
    joc_messages *m = joc_messages_new();
    joc_position *back = joc_position_parse(joc_position_game(p), written, m);
    if (!back) {
        char *why = joc_messages_text(m, false);
        fail_msg("%s: %s cannot be read back: %s\n%s", joc_game_title(joc_position_game(p)), what, why, written);
    }
    char *again = joc_position_text(back), *before = joc_position_text(p);
    if (strcmp(again, before)) fail_msg("%s: %s reads as another position:\n%s\n%s\nfrom\n%s", joc_game_title(joc_position_game(p)), what, before, again, written);
    if (joc_position_hash(p) != joc_position_hash(back)) {
        char *a = joc_state_text(p), *b = joc_state_text(back);
        fail_msg("%s: %s reads as a position with another hash:\n%s\n%s\n%s", joc_game_title(joc_position_game(p)), what, written, a, b);
    }
    free(again);
    free(before);
    joc_position_free(back);
    joc_messages_free(m);
}

static void round_trip_game(const char *name) {
    joc_game *g = game_named(name, NULL);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        joc_random r = joc_random_seed(seed);
        joc_position *p = joc_start(g, seed);
        for (int ply = 0; ply < 30; ply++) {
            joc_state state = joc_state_of(p);
            if (state == JOC_OVER || state == JOC_STUCK) break;
            if (!joc_inside_turn(p) && state == JOC_DECISION && ply % 3 == 0) {
                char *written = joc_position_text(p), *drawn = joc_drawing(p, (joc_look){ 0 }), *plain = joc_drawing(p, (joc_look){ .ascii = true });
                assert_same(p, written, "the text");
                assert_same(p, drawn, "the drawing");
                assert_same(p, plain, "the drawing in ASCII");
                free(written), free(drawn), free(plain);
            }
            if (!joc_play_random(p, &r)) break;
        }
        joc_position_free(p);
    }
    joc_game_free(g);
}

static void test_every_position_reads_back(void **state) {
    (void)state;
    DIR *folder = opendir("games");
    size_t n = 0;
    for (struct dirent *e; (e = readdir(folder));) {
        char name[300], *end;
        snprintf(name, sizeof name, "%s", e->d_name);
        if (!(end = strstr(name, ".joc")) || end[4]) continue;
        *end = 0;
        round_trip_game(name);
        n++;
    }
    closedir(folder);
    assert_true(n > 10);
}

/* ---- texts known elsewhere ---------------------------------------------------------------------------------------------------------- */
static const struct { const char *game, *text, *back; } written[] = {       /* back NULL: the same */
    { "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NULL },
    { "chess", "r3k2r/8/8/8/4Pp2/8/8/R3K2R b Kq e3 5 9", NULL },
    { "chess", "r3k2r/8/8/8/8/8/8/R3K1RR w GQ - 0 9", NULL },               /* X-FEN: the inner rook by its column */
    { "chess", "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1", "rkr5/8/8/8/8/8/8/RKR5 w KQkq - 0 1" },
    { "chess", "4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 2" },
    { "english-draughts", "B:W21,22,K30:B1,K2", "B:B1,K2:WK30,21,22" },
    { "english-draughts", "W:W21-23:B1-2.", "W:B1,2:W21,22,23" },
    { "hex", "11/11/11/11/11/11/11/11/11/11/S10 Blue turns=1", NULL },
    { "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", NULL },
    { "shogi", "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18p 1", "4k4/9/9/9/9/9/9/9/4K4 b " },     /* a hand holds all there is, and more than any test puts there */
    { "shogi", "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sgbn3p 124" },
};

static void test_foreign_texts_are_read_and_written(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(written); i++) {
        joc_game *g = game_named(written[i].game, NULL);
        joc_messages *m = joc_messages_new();
        joc_position *p = joc_position_parse(g, written[i].text, m);
        if (!p) {
            char *why = joc_messages_text(m, false);
            fail_msg("%s: %s\n%s", written[i].game, written[i].text, why);
        }
        char *back = joc_position_text(p);
        const char *wanted = written[i].back ? written[i].back : written[i].text;
        if (strncmp(back, wanted, strlen(wanted))) fail_msg("%s: %s became %s", written[i].game, wanted, back);
        free(back);
        joc_position_free(p);
        joc_messages_free(m);
        joc_game_free(g);
    }
}

static const struct { const char *game, *text; unsigned column; const char *says; } refused[] = {
    { "chess", "r3k2r/8/8/8/8/8/8/R3K2R w KX -", 28, "no Rook stands where 'X' says" },
    { "chess", "r3k2r/8/9/8/8/8/8/R3K2R w K -", 9, "row 3 from the top has 8 cells; this makes 9" },
    { "chess", "r3k2r/8/8/8/8/8/8/R3K2x w K -", 23, "no piece is written 'x' here" },
    { "chess", "8/8/8/8/8/8/8 w - -", 13, "the board has 8 rows" },
    { "chess", "8/8/8/8/8/8/8/8/8 w - -", 16, "the board has 8 rows" },
    { "chess", "8/8/8/8/8/8/8/8 x - -", 17, "'x' is no player" },
    { "chess", "8/8/8/8/8/8/8/8 w - z9", 21, "'z9' is no cell" },
    { "chess", "8/8/8/8/8/8/8/8 w - - x", 23, "expected a number" },
    { "chess", "8/8/8/8/8/8/8/8 w - - 0 1 what=3", 27, "keeps nothing named 'what'" },
    { "chess", "", 1, "empty" },
    { "tic-tac-toe", "3/3/3", 0, NULL },
    { "tic-tac-toe", "3/3/3 Q", 7, "'Q' is no player" },
    { "tic-tac-toe", "3/3/3 X seats", 9, "expected NAME=VALUE" },
    { "tic-tac-toe", "3 . . .\n2 . ? .\n1 . . .\n", 5, "no piece is written '?'" },
    { "tic-tac-toe", "3 . . .\n2 . .\n1 . . .\n", 6, "the row ends before 'c2'" },
    { "english-draughts", "W:W99:B1", 4, "'99' is no cell" },
    { "english-draughts", "W:X1:B1", 3, "does not begin with a player's letter" },
};

static void test_unreadable_positions_say_where_and_why(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        joc_game *g = game_named(refused[i].game, NULL);
        joc_messages *m = joc_messages_new();
        joc_position *p = joc_position_parse(g, refused[i].text, m);
        if (!refused[i].says) assert_non_null(p);
        else {
            if (p) fail_msg("%s: %s was read", refused[i].game, refused[i].text);
            assert_int_equal(joc_messages_count(m), 1);
            joc_message first = joc_messages_at(m, 0);
            if (!strstr(first.text, refused[i].says)) fail_msg("%s: said '%s', not '%s'", refused[i].text, first.text, refused[i].says);
            assert_int_equal(first.column, refused[i].column);
        }
        joc_position_free(p);
        joc_messages_free(m);
        joc_game_free(g);
    }
}

/* Any bytes at all are read or refused, never more. */
static void test_mangled_positions_are_read_or_refused(void **state) {
    (void)state;
    static const char *const games[] = { "chess", "ur", "dracones", "kalah", "english-draughts", "abalone", "lasca" };
    joc_random r = joc_random_seed(7);
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        joc_game *g = game_named(games[i], NULL);
        joc_position *p = joc_start(g, 3);
        char *forms[] = { joc_position_text(p), joc_drawing(p, (joc_look){ 0 }) };
        for (int round = 0; round < 300; round++) {
            char *copy = text_copy(forms[round % 2]);
            size_t n = strlen(copy);
            for (int k = 0; k < 1 + round % 5; k++) copy[joc_random_below(&r, n)] = " /:=.,#*<>()[]-xK19\n"[joc_random_below(&r, 20)];
            if (round % 7 == 0) copy[joc_random_below(&r, n)] = 0;
            joc_messages *m = joc_messages_new();
            joc_position *q = joc_position_parse(g, copy, m);
            assert_true(q || joc_messages_errors(m));
            joc_position_free(q);
            joc_messages_free(m);
            free(copy);
        }
        free(forms[0]), free(forms[1]);
        joc_position_free(p);
        joc_game_free(g);
    }
}

/* ---- YAML --------------------------------------------------------------------------------------------------------------------------- */
static const struct { const char *yaml; unsigned line, column; const char *says; } faulty[] = {
    { "game: ur\noptions: { rosette: same }\n", 0, 0, NULL },
    { "", 1, 1, "the file is empty" },
    { "game: ur\noptions: &a { chain: no }\n", 2, 10, "anchors ('&a') are not used here" },
    { "game: *b\noptions: {}\n", 1, 7, "aliases ('*b') are not used here" },
    { "game: !!str ur\noptions: {}\n", 1, 7, "tags" },
    { "game: ur\noptions: {}\n---\ngame: ur\n", 3, 0, "a second document" },
    { "game: ur\noptions: { chain: [\n", 3, 1, "not YAML" },
    { "options: {}\n", 1, 1, "needs 'game'" },
    { "game: ur\noptoins: {}\noptions: {}\n", 2, 1, "did you mean 'options'?" },
    { "game: ur\noptions: []\n", 2, 10, "'options' must be a map of texts, whole numbers, yes and no" },
    { "game: ur\noptions: { chain: maybe }\n", 2, 19, "'chain' is yes or no, not 'maybe'" },
    { "game: ur\noptions: { pebbles: 30 }\n", 2, 21, "'pebbles' is 3 to 9, not '30'" },
    { "game: ur\noptions: { rosette: smae }\n", 2, 21, "did you mean 'same'?" },
    { "game: ur\noptions: { chian: no }\n", 2, 12, "did you mean 'chain'?" },
    { "game: ur\noptions: { chain: no, chain: yes }\n", 2, 23, "'chain' is given twice" },
    { "format: 2\ngame: ur\noptions: {}\n", 1, 9, "'format' must be" },
    { "game: ur\nname: \"\xc8\x99i ș\"\noptions: { wrong: 1 }\n", 3, 12, "no option 'wrong'" },
    { "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 1, 0, "levels deep" },
    { "game: ur\noptions: \xff\xfe\n", 0, 0, "not YAML" },
};

static void test_house_files_are_checked_with_their_places(void **state) {
    (void)state;
    joc_messages *none = joc_messages_new();
    joc_rules *rules = joc_rules_load("games/ur.joc", none);
    assert_non_null(rules);
    char path[] = "/tmp/joc-house-XXXXXX";
    close(mkstemp(path));
    for (size_t i = 0; i < COUNT_OF(faulty); i++) {
        assert_true(file_write(path, faulty[i].yaml, strlen(faulty[i].yaml)));
        joc_messages *m = joc_messages_new();
        house *h = house_read(path, rules, m);
        if (!faulty[i].says) assert_non_null(h);
        else {
            if (h) fail_msg("was read: %s", faulty[i].yaml);
            joc_message first = joc_messages_at(m, 0);
            if (!strstr(first.text, faulty[i].says)) fail_msg("%s: said '%s', not '%s'", faulty[i].yaml, first.text, faulty[i].says);
            if (faulty[i].line) assert_int_equal(first.line, faulty[i].line);
            if (faulty[i].column) assert_int_equal(first.column, faulty[i].column);
        }
        house_free(h);
        joc_messages_free(m);
    }
    unlink(path);
    joc_rules_free(rules);
    joc_messages_free(none);
}

static void assert_unreadable(const char *path, const char *says) {
    joc_messages *m = joc_messages_new();
    house *h = house_read(path, NULL, m);
    assert_null(h);
    assert_true(joc_messages_errors(m) > 0);
    if (!strstr(joc_messages_at(m, 0).text, says)) fail_msg("%s: said '%s', not '%s'", path, joc_messages_at(m, 0).text, says);
    joc_messages_free(m);
}

static void test_what_is_no_file_is_refused(void **state) {
    (void)state;
    char folder[] = "/tmp/joc-files-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_unreadable(path, "not a file");
    unlink(path);
    snprintf(path, sizeof path, "%s/none", folder);
    assert_unreadable(path, "No such file");
    assert_unreadable(folder, "directory");
    snprintf(path, sizeof path, "%s/large", folder);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(fd, 1 << 20), 0);
    close(fd);
    assert_unreadable(path, "larger than Joc reads");
    unlink(path);
    rmdir(folder);
}

/* The keys that the readers know stand in the schemas, and the schemas' keys in the readers. */
static void assert_schema(const char *file, const data_shape *shape, const char *inside) {
    joc_messages *m = joc_messages_new();
    data_file f;
    datum *d = data_read(&f, file, 1 << 20, m);
    assert_non_null(d);
    const datum *properties = datum_get(d, "properties");
    if (inside) properties = datum_get(datum_get(datum_get(properties, inside), "items"), "properties");
    assert_non_null(properties);
    assert_int_equal(properties->count / 2, shape->count);
    for (size_t i = 0; i < shape->count; i++)
        if (!datum_get(properties, shape->keys[i].key)) fail_msg("%s does not know '%s'", file, shape->keys[i].key);
    datum_free(d);
    data_file_free(&f);
    joc_messages_free(m);
}

static void test_schemas_and_readers_agree(void **state) {
    (void)state;
    assert_schema("schemas/house.schema.yaml", &house_shape, NULL);
    assert_schema("schemas/match.schema.yaml", &match_shape, NULL);
    assert_schema("schemas/notation.schema.yaml", &notation_shape, NULL);
    assert_schema("schemas/notation.schema.yaml", &notation_field_shape, "fields");
}

static void test_notation_files_of_the_games_are_sound(void **state) {
    (void)state;
    DIR *folder = opendir("games");
    size_t n = 0;
    for (struct dirent *e; (e = readdir(folder));) {
        char *end = strstr(e->d_name, ".notation.yaml"), name[100], path[300];
        if (!end) continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - e->d_name), e->d_name);
        snprintf(path, sizeof path, "games/%s", e->d_name);
        joc_game *g = game_named(name, NULL);
        joc_messages *m = joc_messages_new();
        notation *read = notation_read(g, path, m);
        if (!read) fail_msg("%s: %s", path, joc_messages_at(m, 0).text);
        notation_free(read);
        joc_messages_free(m);
        joc_game_free(g);
        n++;
    }
    closedir(folder);
    assert_true(n > 0);
}

/* ---- files written ------------------------------------------------------------------------------------------------------------------ */
static void assert_holds(const char *path, const char *wanted) {
    size_t length;
    char *held = file_read(path, 1 << 20, &length);
    assert_non_null(held);
    assert_string_equal(held, wanted);
    free(held);
}

static size_t files_in(const char *folder) {
    DIR *d = opendir(folder);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void test_a_file_is_replaced_whole_or_not_at_all(void **state) {
    (void)state;
    char folder[] = "/tmp/joc-files-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/record.yaml", folder);
    assert_true(file_write(path, "first", 5));
    assert_holds(path, "first");
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(file_write(path, "second", 6));
    struct stat st;
    stat(path, &st);
    assert_int_equal(st.st_mode & 07777, 0640);
    char *large = memory_of(100000, 1);
    memset(large, 'x', 99999);
    struct rlimit before, small = { 0 };
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 4096;                      /* as when a disk is full */
    setrlimit(RLIMIT_FSIZE, &small);
    assert_false(file_write(path, large, 99999));
    assert_int_equal(errno, EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_holds(path, "second");
    assert_int_equal(files_in(folder), 1);
    assert_false(file_write("/tmp/joc-no-such-folder/x", "y", 1));
    free(large);
    unlink(path);
    rmdir(folder);
}

/* ---- match records ------------------------------------------------------------------------------------------------------------------ */
static void record_random(const char *name, uint64_t seed, const char *path) {
    joc_game *g = game_named(name, NULL);
    joc_position *p = joc_start(g, seed);
    match *m = match_new(name, NULL, g, NULL, seed, NULL, 1796000000);
    joc_random r = joc_random_seed(seed + 99);
    for (int ply = 0; ply < 60 && joc_state_of(p) != JOC_OVER && joc_state_of(p) != JOC_STUCK; ply++) {
        joc_moves *list = joc_moves_of(p);
        const joc_move *move = joc_moves_at(list, joc_random_below(&r, joc_moves_count(list)));
        match_add(m, joc_state_of(p) == JOC_CHANCE ? -1 : joc_mover(p), joc_move_text(move), ply);
        joc_play(p, move);
        joc_moves_free(list);
    }
    match_end(m, p);
    char *yaml = match_text(m);
    assert_true(file_write(path, yaml, strlen(yaml)));
    joc_messages *messages = joc_messages_new();
    match *back = match_read(path, messages);
    if (!back) fail_msg("%s: %s\n%s", name, joc_messages_at(messages, 0).text, yaml);
    char *again = match_text(back);
    assert_string_equal(yaml, again);
    size_t done;
    joc_position *q = match_replay(back, g, path, &done, messages);
    if (!q) fail_msg("%s: %s", name, joc_messages_at(messages, 0).text);
    assert_int_equal(done, m->move_count);
    assert_true(joc_position_hash(p) == joc_position_hash(q));
    joc_position_free(q);
    free(again);
    free(yaml);
    match_free(back);
    match_free(m);
    joc_messages_free(messages);
    joc_position_free(p);
    joc_game_free(g);
}

static void test_records_play_again_to_the_same_position(void **state) {
    (void)state;
    static const char *const games[] = { "chess", "hex", "ur", "damarziana", "kalah", "backgammon", "english-draughts", "pig", "nine-mens-morris" };
    char path[] = "/tmp/joc-match-XXXXXX";
    close(mkstemp(path));
    for (size_t i = 0; i < COUNT_OF(games); i++) record_random(games[i], i, path);
    unlink(path);
}

static void test_a_record_with_an_illegal_move_is_refused_at_it(void **state) {
    (void)state;
    static const char yaml[] = "format: 1\ngame: tic-tac-toe\nseed: 1\nplayers: 2\nseats: { X: human, O: human }\nmoves:\n  - X: b2\n  - O: b2\n";
    char path[] = "/tmp/joc-match-XXXXXX";
    close(mkstemp(path));
    assert_true(file_write(path, yaml, sizeof yaml - 1));
    joc_messages *m = joc_messages_new();
    match *record = match_read(path, m);
    assert_non_null(record);
    joc_game *g = game_named("tic-tac-toe", NULL);
    size_t done;
    assert_null(match_replay(record, g, path, &done, m));
    assert_int_equal(done, 1);
    assert_non_null(strstr(joc_messages_at(m, 0).text, "move 2 of the record, 'b2', is not possible"));
    joc_game_free(g);
    match_free(record);
    joc_messages_free(m);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_position_reads_back),
        cmocka_unit_test(test_foreign_texts_are_read_and_written),
        cmocka_unit_test(test_unreadable_positions_say_where_and_why),
        cmocka_unit_test(test_mangled_positions_are_read_or_refused),
        cmocka_unit_test(test_house_files_are_checked_with_their_places),
        cmocka_unit_test(test_what_is_no_file_is_refused),
        cmocka_unit_test(test_schemas_and_readers_agree),
        cmocka_unit_test(test_notation_files_of_the_games_are_sound),
        cmocka_unit_test(test_a_file_is_replaced_whole_or_not_at_all),
        cmocka_unit_test(test_records_play_again_to_the_same_position),
        cmocka_unit_test(test_a_record_with_an_illegal_move_is_refused_at_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
