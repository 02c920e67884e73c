/* From what was asked to rules, a game, a position. Each step prints its faults itself (session_fail) and gives the exit code. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grammar/diag.h"
#include "interp/cli/cli.h"
#include "interp/formats/data.h"
#include "interp/formats/house.h"
#include "interp/play/text.h"

enum { WORDS_OF_MOVE_MAX = 12, POSITION_LIMIT = 1 << 20 };

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

bool session_rules(session *s, asked *a, int *code) {
    const char *name = a->words[0];
    *s = (session){ .messages = joc_messages_new() };
    char *found = joc_find_game(name);
    if (!found) {
        *code = no_game(a, name);
        return false;
    }
    free(found);
    s->rules = joc_rules_load(name, s->messages);
    if (s->rules) return true;
    *code = session_fail(s, a, EXIT_FAULTS);
    return false;
}

static void keep_setting(session *s, const char *name, const char *value) {
    for (size_t i = 0; i < s->setting_count; i++)
        if (!strcmp(s->settings[i].name, name)) {
            s->settings[i].value = s->kept[s->kept_count++] = text_copy(value);
            return;
        }
    const char *n = s->kept[s->kept_count++] = text_copy(name), *v = s->kept[s->kept_count++] = text_copy(value);
    s->settings[s->setting_count++] = (joc_setting){ n, v };
}

static bool houses_read(session *s, asked *a, int *code) {
    enum { MOST = 4096 };
    s->settings = memory_of(MOST, sizeof *s->settings);
    s->kept = memory_of(3 * MOST, sizeof *s->kept);
    for (size_t i = 0; i < a->house_count; i++) {
        house *h = house_read(a->houses[i], s->rules, s->messages);
        if (!h) {
            *code = session_fail(s, a, EXIT_FAULTS);
            return false;
        }
        for (size_t k = 0; k < h->count && s->setting_count < MOST; k++) keep_setting(s, h->options[k], h->values[k]);
        house_free(h);
    }
    for (size_t i = 0; i < a->setting_count && s->setting_count < MOST; i++) keep_setting(s, a->settings[i].name, a->settings[i].value);
    return true;
}

/* Settings of the command line are held against the options here, where the nearest name and the values can be told. */
static bool settings_fit(session *s, asked *a, int *code) {
    for (size_t i = 0; i < a->setting_count; i++) {
        const char *near = NULL;
        char *why = NULL;
        int index = rules_option_find(s->rules, a->settings[i].name, &near);
        if (index < 0 && near) *code = use_error(a, "the game has no option '%s'; did you mean '%s'?", a->settings[i].name, near);
        else if (index < 0) *code = use_error(a, "the game has no option '%s'; `joc options %s` lists them", a->settings[i].name, a->words[0]);
        if (index < 0) return false;
        joc_option o = joc_rules_option(s->rules, (size_t)index);
        if (!option_fits(&o, a->settings[i].value, &why)) {
            *code = use_error(a, "option %s", why);
            free(why);
            return false;
        }
    }
    int least, most;
    joc_rules_players(s->rules, &least, &most);
    if (!a->players || (a->players >= least && a->players <= most)) return true;
    *code = least == most ? use_error(a, "this game is for %d, not %d", least, a->players) : use_error(a, "this game is for %d to %d, not %d", least, most, a->players);
    return false;
}

bool session_game(session *s, asked *a, int *code) {
    if (!session_rules(s, a, code) || !settings_fit(s, a, code) || !houses_read(s, a, code)) return false;
    s->game = joc_compile(s->rules, s->settings, s->setting_count, a->players, s->messages);
    if (s->game) return true;
    *code = session_fail(s, a, EXIT_FAULTS);
    return false;
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

static const joc_move *outcome_named(const joc_moves *list, const char *s) {
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), s)) return joc_moves_at(list, i);
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
        const joc_move *m = joc_state_of(p) == JOC_CHANCE ? outcome_named(list, t.data) : joc_moves_find(list, t.data, &reason);
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
    return !a->line || line_play(a, s->position, code);
}

void session_free(session *s) {
    joc_position_free(s->position);
    joc_game_free(s->game);
    joc_rules_free(s->rules);
    joc_messages_free(s->messages);
    for (size_t i = 0; i < s->kept_count; i++) free(s->kept[i]);
    free(s->kept);
    free(s->settings);
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
