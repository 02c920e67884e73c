/* The readers of YAML files and the published schemas say the same of every file of a corpus (tests/schemas/): a JSON Schema validator reads
 * the schema, our reader its tables. Each file is also where its name says, among the good or the bad, and yes, no, true and false mean the
 * same whether YAML takes them for words or for truths. Without Python and its jsonschema only our readers are asked, and that is said. */
#include <glob.h>
#include "tests/helper.h"
#include "interp/formats/house.h"
#include "interp/formats/match.h"

typedef bool (*reader)(const char *path, const joc_rules *rules, joc_messages *m);

static bool reads_house(const char *path, const joc_rules *rules, joc_messages *m) {
    house *h = house_read(path, rules, m);
    bool good = h && (!rules || house_is_for(h, joc_rules_path(rules)));
    house_free(h);
    return good;
}

static bool reads_match(const char *path, const joc_rules *rules, joc_messages *m) {
    (void)rules;
    match *record = match_read(path, m);
    match_free(record);
    return record != NULL;
}

/* The Python that has the validator, NULL if none has. */
static const char *python(void) {
    static const char *const names[] = { "python3", "/usr/bin/python3" };
    static const char *known;
    if (known) return known;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char command[200], *printed;
        snprintf(command, sizeof command, "%s -c 'import yaml; from jsonschema import Draft202012Validator'", names[i]);
        int code = run(command, &printed);
        free(printed);
        if (!code) return known = names[i];
    }
    return NULL;
}

/* What the validator says of the files, in their order: a line of two words for each. malloc'd. */
static char *validated(const char *schema, const glob_t *files) {
    text t = { 0 };
    char *printed;
    text_format(&t, "%s tests/schemas/validate.py %s", python(), schema);
    for (size_t i = 0; i < files->gl_pathc; i++) text_format(&t, " %s", files->gl_pathv[i]);
    int code = run(t.data, &printed);
    if (code) fail_msg("%s: %s", schema, printed);
    text_free(&t);
    return printed;
}

static bool our_word(reader read, const char *path, const joc_rules *rules, char *why, size_t room) {
    joc_messages *m = joc_messages_new();
    bool good = read(path, rules, m);
    snprintf(why, room, "%s", joc_messages_count(m) ? joc_messages_at(m, 0).text : "");
    if (!good && read == reads_match) assert_true(joc_messages_errors(m) > 0);
    joc_messages_free(m);
    return good;
}

static void assert_agreed(const char *schema, const char *folder, reader read, const joc_rules *rules, size_t least) {
    char pattern[200], why[400];
    glob_t files;
    snprintf(pattern, sizeof pattern, "tests/schemas/%s/*/*.yaml", folder);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= least);
    char *all = python() ? validated(schema, &files) : text_copy(""), *line = all;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i], *wanted = strstr(path, "/good/") ? "good" : "bad";
        bool ours = our_word(read, path, rules, why, sizeof why);
        if (ours != !strcmp(wanted, "good")) fail_msg("%s was %s: %s", path, ours ? "read" : "refused", why);
        if (!*all) continue;
        char as_words[8] = "", as_truths[8] = "";
        assert_int_equal(sscanf(line, "%7s %7s", as_words, as_truths), 2);
        if (strcmp(as_words, wanted) || strcmp(as_truths, wanted)) fail_msg("%s: the validator says %s (YAML 1.1: %s)", path, as_words, as_truths);
        line = strchr(line, '\n') + 1;
    }
    if (!*all) print_message("skipped: python3 has no jsonschema and yaml here (Debian: python3-jsonschema python3-yaml); %s was not compared\n", schema);
    free(all);
    globfree(&files);
}

static void test_the_schema_of_house_files_and_their_reader_agree(void **state) {
    (void)state;
    assert_agreed("schemas/house.schema.yaml", "house", reads_house, NULL, 40);
}

static void test_the_schema_of_records_and_their_reader_agree(void **state) {
    (void)state;
    assert_agreed("schemas/match.schema.yaml", "match", reads_match, NULL, 35);
}

static void schema_write(const joc_rules *rules, const char *game, const char *path) {
    char *schema = options_schema(rules, game);
    assert_true(file_write(path, schema, strlen(schema)));
    free(schema);
}

static void test_the_schema_of_one_game_and_the_reader_agree(void **state) {
    (void)state;
    char path[] = "/tmp/joc-schema-XXXXXX";
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_load("games/ur.joc", m);
    assert_non_null(rules);
    close(mkstemp(path));
    schema_write(rules, "ur", path);
    assert_agreed(path, "ur", reads_house, rules, 20);
    unlink(path);
    joc_rules_free(rules);
    joc_messages_free(m);
}

/* A house file that says every option's default is good by the schema of its game, for all games. */
static void test_the_schemas_of_all_games_take_their_defaults(void **state) {
    (void)state;
    glob_t games;
    char folder[] = "/tmp/joc-schemas-XXXXXX";
    if (!python()) skip();
    assert_non_null(mkdtemp(folder));
    assert_int_equal(glob("games/*.joc", 0, NULL, &games), 0);
    text command = { 0 };
    text_format(&command, "%s tests/schemas/validate.py", python());
    for (size_t i = 0; i < games.gl_pathc; i++) {
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_load(games.gl_pathv[i], m);
        assert_non_null(rules);
        text schema = { 0 }, file = { 0 }, yaml = { 0 };
        text_format(&schema, "%s/%zu.schema.yaml", folder, i);
        text_format(&file, "%s/%zu.house.yaml", folder, i);
        schema_write(rules, "g", schema.data);
        text_add(&yaml, "game: g\noptions: {");
        for (size_t k = 0; k < joc_rules_options(rules); k++) text_format(&yaml, "%s %s: %s", k ? "," : "", joc_rules_option(rules, k).name, joc_rules_option(rules, k).standard);
        text_add(&yaml, " }\n");
        assert_true(file_write(file.data, yaml.data, yaml.length));
        if (joc_rules_options(rules)) text_format(&command, "%s %s %s", i ? " --" : "", schema.data, file.data);
        text_free(&schema), text_free(&file), text_free(&yaml);
        joc_rules_free(rules);
        joc_messages_free(m);
    }
    char *printed;
    assert_int_equal(run(command.data, &printed), 0);
    if (strstr(printed, "bad")) fail_msg("%s", printed);
    free(printed);
    text_free(&command);
    text_format(&command, "rm -r %s", folder);
    run(command.data, &printed);
    free(printed);
    text_free(&command);
    globfree(&games);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_schema_of_house_files_and_their_reader_agree),
        cmocka_unit_test(test_the_schema_of_records_and_their_reader_agree),
        cmocka_unit_test(test_the_schema_of_one_game_and_the_reader_agree),
        cmocka_unit_test(test_the_schemas_of_all_games_take_their_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
