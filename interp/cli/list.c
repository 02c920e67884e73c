/* joc list, options, explain, tables: what there is. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/formats/data.h"
#include "interp/formats/house.h"

static const char *const shape_words[] = { "no board", "square", "hex", "hexagon", "star", "strip", "drawn", "map" };

/* ---- list --------------------------------------------------------------------------------------------------------------------------- */

/* The first line of comment at the head of a rule file: what the author says of the game. malloc'd, "" if there is none. */
static char *line_about(const char *path) {
    size_t length;
    char *rules = file_read(path, 4u << 20, &length);
    text t = { 0 };
    for (const char *s = rules; s && *s;) {
        size_t n = strcspn(s, "\n");
        const char *hash = memchr(s, '#', n);
        const char *quote = memchr(s, '"', n);
        if (hash && (!quote || quote > hash || !strncmp(s, "game", 4) || !strncmp(s, "variant", 7))) {
            while (*hash == '#' || *hash == ' ') hash++;
            if (!strncmp(hash, "Rules: ", 7)) hash += 7;
            text_add_bytes(&t, hash, (size_t)(s + n - hash));
            break;
        }
        if (n && strncmp(s, "game", 4) && strncmp(s, "variant", 7)) break;
        s += n + (s[n] == '\n');
    }
    free(rules);
    return text_take(&t);
}

typedef struct { char *name, *title, *players, *board, *about; bool faults; } row;

static row row_of(const char *path) {
    row r = { 0 };
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t n = strlen(base);
    r.name = strndup(base, n > 4 ? n - 4 : n);
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_load(path, m);
    joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    text players = { 0 }, board = { 0 };
    if (rules) {
        int least, most;
        joc_rules_players(rules, &least, &most);
        if (least == most) text_format(&players, "%d", least);
        else text_format(&players, "%d-%d", least, most);
    }
    if (game) {
        text_add(&board, shape_words[joc_game_shape(game)]);
        if (joc_game_cells(game)) text_format(&board, ", %d cells", joc_game_cells(game));
    }
    r.title = text_copy(rules ? joc_rules_title(rules) : "");
    r.players = text_take(&players);
    r.board = text_take(&board);
    r.about = line_about(path);
    r.faults = !game;
    joc_game_free(game);
    joc_rules_free(rules);
    joc_messages_free(m);
    return r;
}

static json_t *row_json(const row *r, const char *path) {
    json_t *j = json_object();
    json_object_set_new(j, "name", json_text(r->name));
    json_object_set_new(j, "path", json_text(path));
    json_object_set_new(j, "title", json_text(r->title));
    json_object_set_new(j, "players", json_text(r->players));
    json_object_set_new(j, "board", json_text(r->board));
    json_object_set_new(j, "about", json_text(r->about));
    json_object_set_new(j, "faults", json_boolean(r->faults));
    return j;
}

static void pad(const char *s, int width) {
    fputs(s, stdout);
    for (int w = text_width(s); w < width; w++) putchar(' ');
}

/* As much of a text as fits into so many columns. */
static void print_cut(const char *s, int room) {
    while (*s && room > 0) {
        size_t n = text_character(s);
        char one[64];
        snprintf(one, sizeof one, "%.*s", (int)n, s);
        room -= text_width(one);
        if (room < 3 && s[n]) {
            fputs("...", stdout);
            return;
        }
        fputs(one, stdout);
        s += n;
    }
}

static int widest(const row *rows, size_t count, size_t offset) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int w = text_width(*(char *const *)(const void *)((const char *)&rows[i] + offset));
        if (w > most) most = w;
    }
    return most;
}

int command_list(asked *a) {
    char **paths = joc_list_games();
    size_t count = 0;
    while (paths && paths[count]) count++;
    row *rows = memory_of(count, sizeof *rows);
    for (size_t i = 0; i < count; i++) rows[i] = row_of(paths[i]);
    json_t *games = json_array();
    int width = terminal_width();
    int name = widest(rows, count, offsetof(row, name)), title = widest(rows, count, offsetof(row, title)), board = widest(rows, count, offsetof(row, board));
    for (size_t i = 0; i < count; i++) {
        if (a->json) json_array_append_new(games, row_json(&rows[i], paths[i]));
        else {
            pad(rows[i].name, name + 2), pad(rows[i].title, title + 2), pad(rows[i].players, 5), pad(rows[i].board, board + 2);
            print_cut(rows[i].faults ? "(has faults: joc check)" : rows[i].about, width ? width - name - title - board - 11 : 1000);
            puts("");
        }
        free(rows[i].name), free(rows[i].title), free(rows[i].players), free(rows[i].board), free(rows[i].about);
    }
    free(rows);
    joc_list_free(paths);
    if (!count && !a->json) fputs("joc: no installed games were found\n", stderr);
    if (!a->json) {
        json_decref(games);
        return count ? EXIT_DONE : EXIT_SYSTEM;
    }
    json_t *answer = json_answer(a);
    json_object_set_new(answer, "games", games);
    return json_print(answer, count ? EXIT_DONE : EXIT_SYSTEM);
}

/* ---- options ------------------------------------------------------------------------------------------------------------------------ */
static json_t *option_json(const joc_option *o, const char *value) {
    static const char *const kinds[] = { "yesno", "range", "words" };
    json_t *j = json_object(), *words = json_array();
    json_object_set_new(j, "name", json_text(o->name));
    json_object_set_new(j, "kind", json_text(kinds[o->kind]));
    json_object_set_new(j, "default", json_text(o->standard));
    json_object_set_new(j, "value", json_text(value));
    json_object_set_new(j, "meaning", json_text(o->meaning));
    if (*o->needs) json_object_set_new(j, "needs", json_text(o->needs));
    if (o->kind == JOC_RANGE) json_object_set_new(j, "low", json_integer(o->low)), json_object_set_new(j, "high", json_integer(o->high));
    for (size_t i = 0; o->kind == JOC_WORDS && i < o->word_count; i++) json_array_append_new(words, json_text(o->words[i]));
    if (o->kind == JOC_WORDS) json_object_set(j, "words", words);
    json_decref(words);
    return j;
}

static json_t *preset_json(const joc_preset *p) {
    json_t *j = json_object(), *options = json_object();
    json_object_set_new(j, "name", json_text(p->name));
    json_object_set_new(j, "meaning", json_text(p->meaning));
    for (size_t i = 0; i < p->count; i++) json_object_set_new(options, p->settings[i].name, json_text(p->settings[i].value));
    json_object_set_new(j, "options", options);
    return j;
}

static void option_print(const joc_option *o, const char *value) {
    char *values = option_values(o);
    printf("  %-14s %-10s %s", o->name, value, values);
    if (strcmp(value, o->standard)) printf(" (else %s)", o->standard);
    if (*o->meaning) printf(": %s", o->meaning);
    if (*o->needs) printf("; only when %s", o->needs);
    puts("");
    free(values);
}

static void preset_print(const joc_preset *p) {
    printf("  --preset %s:", p->name);
    for (size_t i = 0; i < p->count; i++) printf("%s %s = %s", i ? "," : "", p->settings[i].name, p->settings[i].value);
    printf("%s%s\n", *p->meaning ? ": " : "", p->meaning);
}

static void options_list(const session *s, json_t *options, json_t *presets) {
    for (size_t i = 0; i < joc_rules_options(s->rules); i++) {
        joc_option o = joc_rules_option(s->rules, i);
        const char *set = choices_get(&s->chosen, o.name), *value = set ? set : o.standard;
        if (options) json_array_append_new(options, option_json(&o, value));
        else option_print(&o, value);
    }
    for (size_t i = 0; i < joc_rules_presets(s->rules); i++) {
        joc_preset p = joc_rules_preset(s->rules, i);
        if (presets) json_array_append_new(presets, preset_json(&p));
        else preset_print(&p);
    }
}

static int options_answer(const session *s, const asked *a, int least, int most) {
    json_t *answer = json_answer(a), *players = json_object(), *options = json_array(), *presets = json_array();
    options_list(s, options, presets);
    json_object_set_new(players, "least", json_integer(least));
    json_object_set_new(players, "most", json_integer(most));
    json_object_set_new(answer, "title", json_text(joc_rules_title(s->rules)));
    json_object_set_new(answer, "players", players);
    json_object_set_new(answer, "options", options);
    json_object_set_new(answer, "presets", presets);
    return json_print(answer, EXIT_DONE);
}

/* The game's name as a house file beside it would say it. */
static void schema_print(const session *s) {
    const char *path = joc_rules_path(s->rules), *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *game = strndup(base, strlen(base) - (ends_with(base, ".joc") ? 4 : 0));
    char *schema = options_schema(s->rules, game ? game : base);
    fputs(schema, stdout);
    free(schema);
    free(game);
}

int command_options(asked *a) {
    session s;
    int code = EXIT_DONE, least, most;
    if (!session_rules(&s, a, &code) || !session_choose_all(&s, a, &code)) {
        session_free(&s);
        return code;
    }
    joc_rules_players(s.rules, &least, &most);
    if (a->schema) schema_print(&s);
    else if (a->json) code = options_answer(&s, a, least, most);
    else {
        printf("%s, for %d", joc_rules_title(s.rules), least);
        if (most > least) printf(" to %d", most);
        puts(joc_rules_options(s.rules) ? "" : "; no options");
        options_list(&s, NULL, NULL);
    }
    session_free(&s);
    return code;
}

/* ---- explain, tables ---------------------------------------------------------------------------------------------------------------- */
static void example_print(const char *head, const char *s) {
    if (!*s) return;
    printf("\n%s:\n", head);
    for (; *s; s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n')) printf("    %.*s\n", (int)strcspn(s, "\n"), s);
}

int command_explain(asked *a) {
    const char *title, *wrong, *right;
    char *code = text_cased(a->words[0], true);
    bool known = joc_explain(code, &title, &wrong, &right);
    if (!known) fprintf(stderr, "joc: no message has the code '%s'\n", a->words[0]);
    else if (a->json) {
        json_t *answer = json_answer(a);
        json_object_set_new(answer, "code", json_text(code));
        json_object_set_new(answer, "title", json_text(title));
        json_object_set_new(answer, "wrong", json_text(wrong));
        json_object_set_new(answer, "right", json_text(right));
        free(code);
        return json_print(answer, EXIT_DONE);
    } else {
        printf("%s: %s\n", code, title);
        example_print("wrong", wrong);
        example_print("right", right);
    }
    free(code);
    return known ? EXIT_DONE : EXIT_FAULTS;
}

int command_tables(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (session_game(&s, a, &code)) {
        char *tables = joc_game_tables(s.game);
        fputs(tables, stdout);
        free(tables);
    }
    session_free(&s);
    return code;
}
