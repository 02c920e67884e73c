/* `joc explain`: each code has a wrong example that gives it and a right one that does not and has no error. Examples are made whole files
 * first: lines of a game get what a game needs besides, lines of a variant are put upon chess, maps are read by a game, house files, match
 * records and positions by their own readers. Where only words can tell (in round brackets), the fault is made here from what is repeated. */
#include <sys/stat.h>
#include "tests/helper.h"
#include "interp/inside.h"
#include "interp/formats/house.h"
#include "interp/formats/match.h"

static const struct { const char *code, *title, *wrong, *right; } codes[] = {
#define DIAG(c, t, w, r) { c, t, w, r },
#include "grammar/diag.def"
#undef DIAG
};

static bool among(const char *code, const char *list) { return strstr(list, code) != NULL; }
static bool in_words(const char *example) { return *example == '('; }

/* ---- whole files ------------------------------------------------------------------------------------------------------------------------ */
static bool begins(const char *s, const char *word) { return strncmp(s, word, strlen(word)) == 0; }

static bool has_line(const char *s, const char *word)
{
    for (; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) if (begins(s, word)) return true;
    return false;
}

static char *whole_game(const char *example)
{
    static const struct { const char *word, *item; } rest[] = {
        { "players", "players White north, Black south" }, { "board", "board square 5 by 5" },
        { "piece Man", "piece Man { move: step forward to not own }" }, { "piece King", "piece King { move: step to not own }" },
        { "setup", "setup { place White Man on row 1; place Black Man on row 5; place White King on c2; place Black King on c4 }" }, { "turn", "turn { move else lose }" }, { "win", "win when no enemy" },
    };
    text t = { 0 };
    const bool named = begins(example, "game \""), whole = named && strchr(example, '\n');
    text_format(&t, "%s%s\n", named ? "" : "game \"Example\"\n", example);
    for (size_t i = 0; !whole && i < COUNT_OF(rest); i++) if (!has_line(example, rest[i].word)) text_format(&t, "%s\n", rest[i].item);
    return text_take(&t);
}

static char *whole_variant(const char *example)
{
    text t = { 0 };
    text_format(&t, "%s%s\n", begins(example, "variant") || begins(example, "game") ? "" : "variant \"Mine\" of \"chess\"\n", example);
    return text_take(&t);
}

/* ---- reading them ------------------------------------------------------------------------------------------------------------------------- */
static void read_rules(const char *path, const char *rules_text, bool deeply, joc_messages *m)
{
    joc_rules *rules = joc_rules_parse(path, rules_text, strlen(rules_text), m);
    if (rules && joc_rules_check(rules, m) && deeply) {
        joc_game *played = joc_compile(rules, NULL, 0, 0, m);
        joc_deep found;
        joc_deep_look(played, 30000, 5, m, &found, NULL);
        joc_deep_free(&found);
        joc_game_free(played);
    }
    joc_rules_free(rules);
}

static void read_house(const char *example, joc_messages *m)
{
    joc_rules *rules = joc_rules_load("games/go.joc", m);
    house_free(house_parse("example.house.yaml", example, strlen(example), rules, m));
    joc_rules_free(rules);
}

static void read_match(const char *example, joc_messages *m)
{
    size_t done;
    joc_rules *rules = joc_rules_load("games/tic-tac-toe.joc", m);
    joc_game *played = game_named("tic-tac-toe", NULL);
    match *record = match_parse("example.match.yaml", example, strlen(example), m);
    char *changes = record ? match_changes(record, rules, played) : NULL;
    if (changes) joc_messages_add(m, "E0807", "example.match.yaml", "", 0, 0, 0, changes);
    else if (record) joc_position_free(match_replay(record, played, "example.match.yaml", &done, m));
    free(changes);
    match_free(record);
    joc_game_free(played);
    joc_rules_free(rules);
}

static void read_position(const char *example, joc_messages *m)
{
    joc_game *played = game_named("tic-tac-toe", NULL);
    joc_position_free(joc_position_parse(played, example, m));
    joc_game_free(played);
}

static void read_map(const char *example, joc_messages *m)
{
    char folder[] = "/tmp/joc-explain-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.map.yaml", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", example);
    fclose(f);
    char beside[64];
    snprintf(beside, sizeof beside, "%s/x.joc", folder);
    read_rules(beside, "game \"Example\"\nplayers White, Black\nboard map \"x.map.yaml\"\npiece Man\nturn { drop Man to empty else pass }\ndraw when no empty\n", false, m);
    remove(path);
    remove(folder);
}

static void read_example(const char *code, const char *example, joc_messages *m)
{
    char *whole = begins(code + 1, "02") ? whole_variant(example) : whole_game(example);
    if (among(code, "E0801 E0802 E0803 E0804 E0805")) read_house(example, m);
    else if (among(code, "E0806 E0807 E0809")) read_match(example, m);
    else if (begins(code + 1, "081")) read_position(example, m);
    else if (begins(code + 1, "082")) read_map(example, m);
    else read_rules(begins(code + 1, "02") ? "games/mine.joc" : "tests/errors/parents/example.joc", whole, begins(code + 1, "043"), m);
    free(whole);
}

static bool given(const joc_messages *m, const char *code)
{
    for (size_t i = 0; i < joc_messages_count(m); i++) if (strcmp(joc_messages_at(m, i).code, code) == 0) return true;
    return false;
}

/* An example that gives the code, or (right) does not give it and has no error. */
static bool is_good(const char *code, const char *example, bool right)
{
    joc_messages *m = joc_messages_new();
    read_example(code, example, m);
    const bool good = right ? !given(m, code) && !joc_messages_errors(m) : given(m, code);
    if (!good) {
        char *said = joc_messages_text(m, false);
        print_error("%s: the %s example: %s\n%s\n", code, right ? "right" : "wrong", example, said);
        free(said);
    }
    joc_messages_free(m);
    return good;
}

static void test_wrong_examples_give_their_code_and_right_ones_none(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        if (!in_words(codes[i].wrong)) wrong += !is_good(codes[i].code, codes[i].wrong, false);
        if (!in_words(codes[i].right)) wrong += !is_good(codes[i].code, codes[i].right, true);
    }
    assert_int_equal(wrong, 0);
}

static void test_every_code_is_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        const char *title, *wrong, *right;
        assert_true(joc_explain(codes[i].code, &title, &wrong, &right));
        if (!*title || !*wrong || !*right || strcmp(wrong, right) == 0) fail_msg("%s is not explained", codes[i].code);
    }
}

/* ---- what only words can tell ----------------------------------------------------------------------------------------------------------- */
/* A text made of a part repeated, `#` its number. */
static void repeat(text *t, const char *before, const char *part, int times, const char *after)
{
    text_add(t, before);
    for (int i = 0; i < times; i++)
        for (const char *s = part; *s; s++) {
            if (*s == '#') text_format(t, "%d", i);
            else text_add_bytes(t, s, 1);
        }
    text_add(t, after);
}

static const struct { const char *code, *before, *part; int times; const char *after; bool variant; } many[] = {
    { "E0003", "game \"Example\"\n", "# a comment that goes on and on, with nothing in it\n", 100000, "", false },
    { "E0004", "game \"Ex\xE9mple\"\n", "", 0, "", false },
    { "E0105", "let a = ", "(", 300, "own", false },
    { "E0349", "", "let a# = own\n", 4100, "", false },
    { "E0371", "draw when no own", " or (always (count own = #))", 33, "", false },
    { "E0380", "turn { move", " | pass", 70, " else lose }", false },
    { "E0386", "piece Man { move: step over enemy", ", enemy", 21, " to empty }", false },
    { "E0211", "variant \"Mine\" of \"chess\"\nreplace turn { ", "original; ", 40000, "pass }", true },
};

static void test_what_only_words_can_tell_is_given_too(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(many); i++) {
        text t = { 0 };
        repeat(&t, many[i].before, many[i].part, many[i].times, many[i].after);
        char *example = text_take(&t), *whole = many[i].variant ? whole_variant(example) : whole_game(example);
        joc_messages *m = joc_messages_new();
        read_rules(many[i].variant ? "games/mine.joc" : "example.joc", whole, false, m);
        if (!given(m, many[i].code)) { print_error("%s is not given\n", many[i].code); wrong++; }
        joc_messages_free(m);
        free(whole);
        free(example);
    }
    joc_messages *m = joc_messages_new();
    assert_null(joc_rules_load("tests/no-such-file.joc", m));
    assert_true(given(m, "E0001"));
    joc_messages_free(m);
    assert_int_equal(wrong, 0);
}

/* Every code in words is among those made here. */
static void test_words_stand_only_where_no_example_can(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        bool made = strcmp(codes[i].code, "E0001") == 0;
        for (size_t k = 0; k < COUNT_OF(many); k++) made |= strcmp(codes[i].code, many[k].code) == 0;
        if ((in_words(codes[i].wrong) || in_words(codes[i].right)) && !made) fail_msg("%s is told in words only", codes[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_is_explained),
        cmocka_unit_test(test_wrong_examples_give_their_code_and_right_ones_none),
        cmocka_unit_test(test_what_only_words_can_tell_is_given_too),
        cmocka_unit_test(test_words_stand_only_where_no_example_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
