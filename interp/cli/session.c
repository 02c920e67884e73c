/* From what was asked to rules, a game, a position. Each step prints its faults itself (session_fail) and gives the exit code. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grammar/diag.h"
#include "interp/cli/cli.h"
#include "interp/cli/throws.h"
#include "interp/formats/data.h"
#include "interp/formats/house.h"
#include "interp/play/text.h"

enum { WORDS_OF_MOVE_MAX = 12, POSITION_LIMIT = 1 << 20, YAML_LIMIT = 16 << 20 };

int session_fail(session *s, const asked *a, int code) {
    if (!a->json) {
        messages_print(s->messages);
        return code;
    }
    json_t *answer = json_answer(a);
    json_object_set_new(answer, "ok", json_false());
    json_object_set_new(answer, "messages", json_messages(s->messages));
    return json_print(answer, code);
}

int session_error(const asked *a, int code, const char *format, ...) {
    char words[600];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    if (!a->json) {
        fflush(stdout);
        fprintf(stderr, "joc: %s\n", words);
        return code;
    }
    json_t *answer = json_answer(a);
    json_object_set_new(answer, "ok", json_false());
    json_object_set_new(answer, "error", json_text(words));
    return json_print(answer, code);
}

void session_warn(session *s) {
    if (joc_messages_warnings(s->messages)) messages_print(s->messages);
}

/* "no game 'chss'; did you mean 'chess'?" */
static int no_game(const asked *a, const char *name) {
    char **paths = joc_list_games();
    const char *names[1024];
    size_t n = 0;
    for (; paths && paths[n] && n < 1024; n++) {
        char *slash = strrchr(paths[n], '/'), *base = slash ? slash + 1 : paths[n], *dot = strrchr(base, '.');
        if (dot) *dot = 0;
        names[n] = base;
    }
    const char *near = nearest_word(name, names, n);
    int code;
    if (near) code = session_error(a, EXIT_SYSTEM, "no rule file and no installed game is named '%s'; did you mean '%s'?", name, near);
    else code = session_error(a, EXIT_SYSTEM, "no rule file and no installed game is named '%s'%s", name, n ? "; `joc list` lists the games" : "");
    joc_list_free(paths);
    return code;
}

/* ---- files that name a game ----------------------------------------------------------------------------------------------------------- */
bool ends_with(const char *s, const char *end) {
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

char *game_named(const char *path) {
    data_file f;
    joc_messages *own = joc_messages_new();
    datum *d = data_read(&f, path, YAML_LIMIT, own);
    const char *name = datum_text(d, "game", "");
    char *copy = *name ? text_copy(name) : NULL;
    datum_free(d);
    data_file_free(&f);
    joc_messages_free(own);
    return copy;
}

char *path_beside(const char *path, const char *game) {
    const char *slash = strrchr(path, '/');
    text t = { 0 };
    text_format(&t, "%.*s%s%s", slash ? (int)(slash + 1 - path) : 0, path, game, ends_with(game, ".joc") ? "" : ".joc");
    if (!access(t.data, R_OK)) return text_take(&t);
    text_free(&t);
    return text_copy(game);
}

joc_rules *rules_beside(const char *path, const char *game, joc_messages *m) {
    char *rules_path = path_beside(path, game);
    joc_rules *rules = joc_rules_load(rules_path, m);
    free(rules_path);
    return rules;
}

/* ---- rules ---------------------------------------------------------------------------------------------------------------------------- */
static bool house_take(session *s, const asked *a, const char *path, int *code) {
    house *h = house_read(path, NULL, s->messages);
    bool good = h && house_is_for(h, joc_rules_path(s->rules));
    if (h && !good) *code = session_error(a, EXIT_FAULTS, "%s is for the game '%s', not for %s", path, h->game, joc_rules_path(s->rules));
    if (good) {
        house_free(h);
        h = house_read(path, s->rules, s->messages);        /* once more, against the rules */
        good = h != NULL;
    }
    if (!h) *code = session_fail(s, a, EXIT_FAULTS);
    if (good) choices_house(&s->chosen, h, s->rules);
    if (good && *h->name) {
        free(s->table);
        s->table = text_copy(h->name);
    }
    house_free(h);
    return good;
}

static bool rules_open(session *s, const asked *a, const char *name, int *code) {
    char *found = joc_find_game(name);
    if (!found) {
        *code = no_game(a, name);
        return false;
    }
    free(found);
    s->rules = joc_rules_load(name, s->messages);
    if (!s->rules) *code = session_fail(s, a, EXIT_FAULTS);
    return s->rules != NULL;
}

static bool house_open(session *s, const asked *a, const char *path, int *code) {
    char *game = game_named(path), *rules = game ? path_beside(path, game) : NULL;
    bool good = false;
    if (rules) good = rules_open(s, a, rules, code) && house_take(s, a, path, code);
    else {
        house_free(house_read(path, NULL, s->messages));        /* says why */
        *code = session_fail(s, a, access(path, R_OK) ? EXIT_SYSTEM : EXIT_FAULTS);
    }
    free(game);
    free(rules);
    return good;
}

bool session_open(session *s, const asked *a, const char *name, int *code) {
    *s = (session){ .messages = joc_messages_new() };
    return ends_with(name, ".house.yaml") ? house_open(s, a, name, code) : rules_open(s, a, name, code);
}

bool session_rules(session *s, asked *a, int *code) { return session_open(s, a, a->words[0], code); }

/* ---- what is chosen ------------------------------------------------------------------------------------------------------------------- */
bool session_choose(session *s, const asked *a, const char *name, const char *value, int *code) {
    const char *near = NULL;
    char *why = NULL, *canonical = NULL;
    int index = rules_option_find(s->rules, name, &near);
    if (index < 0 && near) *code = use_error(a, "the game has no option '%s'; did you mean '%s'?", name, near);
    else if (index < 0) *code = use_error(a, "the game has no option '%s'; `joc options %s` lists them", name, a->word_count ? a->words[0] : "GAME");
    if (index < 0) return false;
    joc_option o = joc_rules_option(s->rules, (size_t)index);
    bool good = option_read(&o, value, &canonical, &why);
    if (good) choices_set(&s->chosen, name, canonical);
    else *code = use_error(a, "option %s", why);
    free(canonical);
    free(why);
    return good;
}

bool session_preset(session *s, const asked *a, const char *name, int *code) {
    const char *near = NULL;
    int index = rules_preset_find(s->rules, name, &near);
    if (index < 0 && near) *code = use_error(a, "the game has no preset '%s'; did you mean '%s'?", name, near);
    else if (index < 0) *code = use_error(a, "the game has no preset '%s'; `joc options %s` lists them", name, a->word_count ? a->words[0] : "GAME");
    if (index < 0) return false;
    joc_preset p = joc_rules_preset(s->rules, (size_t)index);
    choices_preset(&s->chosen, &p);
    return true;
}

/* House files, then presets, then single options. */
bool session_choose_all(session *s, const asked *a, int *code) {
    for (size_t i = 0; i < a->house_count; i++)
        if (!house_take(s, a, a->houses[i], code)) return false;
    for (size_t i = 0; i < a->preset_count; i++)
        if (!session_preset(s, a, a->presets[i], code)) return false;
    for (size_t i = 0; i < a->setting_count; i++)
        if (!session_choose(s, a, a->settings[i].name, a->settings[i].value, code)) return false;
    return true;
}

bool session_players(session *s, const asked *a, int *code) {
    int least, most;
    joc_rules_players(s->rules, &least, &most);
    if (!a->players || (a->players >= least && a->players <= most)) return true;
    *code = least == most ? use_error(a, "this game is for %d, not %d", least, a->players) : use_error(a, "this game is for %d to %d, not %d", least, most, a->players);
    return false;
}

bool session_compile(session *s, const asked *a, int *code) {
    s->game = joc_compile(s->rules, s->chosen.list, s->chosen.count, a->players, s->messages);
    if (!s->game) *code = session_fail(s, a, EXIT_FAULTS);
    return s->game != NULL;
}

bool session_game(session *s, asked *a, int *code) {
    return session_rules(s, a, code) && session_choose_all(s, a, code) && session_players(s, a, code) && session_compile(s, a, code);
}

bool session_native(session *s, const asked *a, int *code) {
    if (!a->native) return true;
    char *why = NULL;
    progress bar = progress_start("compiling");
    if (bar.on) fputs("compiling ...", stderr);
    catch_interrupts();
    joc_native(s->game, &why);
    progress_end(&bar);
    if (why && !interrupted) fprintf(stderr, "joc: played by the interpreter: %s\n", why);
    free(why);
    if (interrupted) *code = EXIT_INTERRUPTED;
    return !interrupted;
}

/* ---- positions ---------------------------------------------------------------------------------------------------------------------- */
static char *position_of(const asked *a, int *code) {
    if (a->at[0] != '@') return text_copy(a->at);
    size_t length;
    char *s = file_read(a->at + 1, POSITION_LIMIT, &length);
    if (s) return s;
    *code = session_error(a, EXIT_SYSTEM, "cannot read '%s': %s", a->at + 1, strerror(errno));
    return NULL;
}

/* Chance that the line does not tell is drawn from the seed. */
static void chance_until_decision(joc_position *p, uint64_t seed, uint64_t *made) {
    while (joc_state_of(p) == JOC_CHANCE) {
        joc_moves *list = joc_moves_of(p);
        joc_play(p, joc_moves_at(list, chance_choose(list, seed_of(seed, (*made)++))));
        joc_moves_free(list);
    }
}

/* The longest beginning of `words` that is a move (moves may have spaces in them). Gives how many words it took, 0 if none; `*why` then. */
static size_t play_longest(joc_position *p, char **words, size_t count, char **why) {
    joc_moves *list = joc_moves_of(p);
    size_t most = count < WORDS_OF_MOVE_MAX ? count : WORDS_OF_MOVE_MAX, taken = 0;
    for (size_t n = most; n > 0 && !taken; n--) {
        text t = { 0 };
        for (size_t i = 0; i < n; i++) text_format(&t, "%s%s", i ? " " : "", words[i]);
        char *reason = NULL;
        const joc_move *m = joc_state_of(p) == JOC_CHANCE ? throw_find(list, t.data) : joc_moves_find(list, t.data, &reason);
        if (m) {
            joc_play(p, m);
            taken = n;
        } else if (n == 1) *why = reason ? text_copy(reason) : NULL;
        free(reason);
        text_free(&t);
    }
    joc_moves_free(list);
    return taken;
}

static bool part_play(const asked *a, joc_position *p, char *part, size_t *number, uint64_t *made, int *code) {
    char **words = memory_of(strlen(part) / 2 + 2, sizeof *words), *save = NULL;
    size_t count = 0, at = 0;
    for (char *w = strtok_r(part, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save)) words[count++] = w;
    bool good = true;
    while (good && at < count) {
        char *why = NULL;
        size_t taken = joc_state_of(p) == JOC_CHANCE ? play_longest(p, words + at, count - at, &why) : 0;
        if (!taken) chance_until_decision(p, a->seed, made);
        if (!taken && joc_state_of(p) == JOC_DECISION) taken = play_longest(p, words + at, count - at, &why);
        if (!taken) {
            const char *reason = joc_state_of(p) != JOC_DECISION ? "the game is over" : why ? why : "not a legal move";
            *code = session_error(a, EXIT_FAULTS, "move %zu of the line, '%s': %s", *number + 1, words[at], reason);
            good = false;
        }
        free(why);
        at += taken;
        (*number)++;
    }
    free(words);
    return good;
}

static bool line_play(const asked *a, joc_position *p, int *code) {
    char *copy = text_copy(a->line), *save = NULL;
    size_t number = 0;
    uint64_t made = 0;
    bool good = true;
    for (char *part = strtok_r(copy, ";", &save); good && part; part = strtok_r(NULL, ";", &save)) good = part_play(a, p, part, &number, &made, code);
    free(copy);
    return good;
}

/* The position becomes the view of a player. */
static bool seen_as(session *s, const asked *a, int *code) {
    for (int i = 0; i < joc_game_players(s->game); i++) {
        if (strcmp(joc_game_player(s->game, i), a->as)) continue;
        joc_position *view = joc_view(s->position, i);
        joc_position_free(s->position);
        s->position = view;
        return true;
    }
    *code = use_error(a, "no player is named '%s'", a->as);
    return false;
}

bool session_position(session *s, asked *a, int *code) {
    if (!session_game(s, a, code)) return false;
    if (a->at) {
        char *position = position_of(a, code);
        if (!position) return false;
        s->position = joc_position_parse(s->game, position, s->messages);
        free(position);
        if (!s->position) {
            *code = session_fail(s, a, EXIT_FAULTS);
            return false;
        }
    } else s->position = joc_start(s->game, a->seed);
    return (!a->line || line_play(a, s->position, code)) && (!a->as || seen_as(s, a, code));
}

void session_free(session *s) {
    joc_position_free(s->position);
    joc_game_free(s->game);
    joc_rules_free(s->rules);
    joc_messages_free(s->messages);
    choices_free(&s->chosen);
    free(s->table);
    *s = (session){ 0 };
}

bool seats_of(const asked *a, const joc_game *g, seat *seats) {
    for (size_t i = 0; i < a->seat_count; i++) {
        const char *equals = strchr(a->seats[i], '=');
        size_t n = (size_t)(equals - a->seats[i]);
        bool all = n == 3 && !memcmp(a->seats[i], "all", 3), found = false;
        seat s;
        char *why = NULL;
        if (!seat_parse(equals + 1, &s, &why)) {
            use_error(a, "%s", why);
            free(why);
            return false;
        }
        for (int p = 0; p < joc_game_players(g); p++) {
            const char *name = joc_game_player(g, p);
            if (!all && (strlen(name) != n || memcmp(name, a->seats[i], n))) continue;
            seats[p] = s;
            found = true;
        }
        if (found) continue;
        text t = { 0 };
        for (int p = 0; p < joc_game_players(g); p++) text_format(&t, "%s%s", p ? ", " : "", joc_game_player(g, p));
        use_error(a, "no player is named '%.*s'; there are %s", (int)n, a->seats[i], t.data);
        text_free(&t);
        return false;
    }
    return true;
}
