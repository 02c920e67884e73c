/* joc replay, and what it shares with `joc play --from`: a recorded match and the game it was played by.
 *
 * A record holds what its rules read like, so that rules which have changed since can be refused with the difference named. A replay keeps
 * the position before every move: to step back is to look at another one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/formats/match.h"
#include "interp/play/text.h"

/* ---- opening -------------------------------------------------------------------------------------------------------------------------- */

/* The record's options, as far as the game has them: what it has no longer is told as a change of the rules. */
static void choose_recorded(session *s, const match *record) {
    for (size_t i = 0; i < record->options.count; i++) {
        const char *near, *name = record->options.list[i].name;
        char *canonical = NULL, *why = NULL;
        int index = rules_option_find(s->rules, name, &near);
        joc_option o = index < 0 ? (joc_option){ 0 } : joc_rules_option(s->rules, (size_t)index);
        if (index >= 0 && option_read(&o, record->options.list[i].value, &canonical, &why)) choices_set(&s->chosen, name, canonical);
        free(canonical);
        free(why);
    }
}

static bool unchanged(session *s, const asked *a, const match *record, int *code) {
    char *changes = a->anyway ? NULL : match_changes(record, s->rules, s->game);
    if (changes) *code = session_error(a, EXIT_FAULTS, "the rules have changed since this match was recorded: %s; --anyway goes on if its moves are still legal", changes);
    bool same = !changes;
    free(changes);
    return same;
}

bool record_open(session *s, asked *a, const match *record, const char *path, int *code) {
    char *game = a->command == COMMAND_PLAY && a->word_count ? text_copy(a->words[0]) : path_beside(path, record->game);
    if (!a->players) a->players = record->players;
    bool good = session_open(s, a, game, code);
    if (good) choose_recorded(s, record);
    good = good && session_choose_all(s, a, code) && session_players(s, a, code) && session_compile(s, a, code) && unchanged(s, a, record, code);
    free(game);
    return good;
}

/* ---- replaying ------------------------------------------------------------------------------------------------------------------------ */
typedef struct {
    asked *asked;
    session session;
    match *record;
    joc_position **after;               /* after so many moves: 0 .. moves */
    size_t moves, at;
} film;

static void film_free(film *f) {
    for (size_t i = 0; f->after && i <= f->moves; i++) joc_position_free(f->after[i]);
    free(f->after);
    session_free(&f->session);
    match_free(f->record);
}

/* Plays all moves; false with a message at the first that does not fit. */
static bool film_take(film *f, const char *path, int *code) {
    match so_far = *f->record;
    f->after = memory_of(f->record->move_count + 1, sizeof(joc_position *));
    so_far.move_count = 0;
    f->after[0] = match_replay(&so_far, f->session.game, path, &f->moves, f->session.messages);
    for (f->moves = 0; f->after[f->moves] && f->moves < f->record->move_count; f->moves++) {
        joc_position *p = joc_position_copy(f->after[f->moves]);
        if (!match_replay_one(f->record, f->moves, p, path, f->session.messages)) {
            joc_position_free(p);
            break;
        }
        f->after[f->moves + 1] = p;
    }
    if (f->after[f->moves] && f->moves == f->record->move_count) return true;
    *code = session_fail(&f->session, f->asked, EXIT_FAULTS);
    return false;
}

/* Does the result written in the record agree with the position at its end? A game given up has any. */
static bool result_agrees(const film *f, int *code) {
    match *check = f->record;
    const joc_position *last = f->after[f->moves];
    joc_result r = joc_result_of(last);
    bool over = joc_state_of(last) == JOC_OVER, win = r.outcome == JOC_WIN;
    if (!over) return true;
    bool same = !*check->outcome || (!strcmp(check->outcome, win ? "win" : "draw") && (!win || !strcmp(check->winner, joc_game_player(f->session.game, r.winner))));
    if (!same) *code = session_error(f->asked, EXIT_FAULTS, "the record says '%s%s%s', but its moves lead to '%s%s%s'", check->outcome, *check->winner ? " " : "", check->winner, win ? "win" : "draw", win ? " " : "", win ? joc_game_player(f->session.game, r.winner) : "");
    return same;
}

static const char *mover_of(const film *f, size_t move) { return f->record->moves[move].player < 0 ? "chance" : f->record->names[f->record->moves[move].player]; }

static void move_print(const film *f, size_t i) {
    printf("%4zu  %s: %s", i + 1, mover_of(f, i), f->record->moves[i].text);
    if (f->record->moves[i].time >= 0) printf("  (%" PRId64 " s)", f->record->moves[i].time);
    puts("");
}

static void position_print(const film *f) {
    char *drawing = joc_drawing(f->after[f->at], look_of(f->asked));
    if (f->at) move_print(f, f->at - 1);
    fputs(drawing, stdout);
    free(drawing);
}

static void heading_print(const film *f) {
    const match *m = f->record;
    printf("%s", joc_game_title(f->session.game));
    for (int i = 0; i < m->players; i++) printf("%s%s: %s", i ? ", " : ". ", joc_game_player(f->session.game, i), m->seats[i]);
    printf("; %zu move%s", f->moves, f->moves == 1 ? "" : "s");
    if (*m->began) printf("; began %s", m->began);
    puts("");
    for (size_t i = 0; i < m->options.count; i++) printf("%s%s = %s", i ? ", " : "house rules: ", m->options.list[i].name, m->options.list[i].value);
    if (m->options.count) puts("");
}

static void result_print(const match *m) {
    if (!*m->outcome) puts("the match goes on");
    else printf("result: %s%s%s%s%s\n", m->outcome, *m->winner ? " " : "", m->winner, *m->reason ? ": " : "", m->reason);
}

/* One line typed; false: it ends. */
static bool stepped(film *f, const char *line) {
    char *end;
    unsigned long number = strtoul(line, &end, 10);
    size_t before = f->at;
    if (!strcmp(line, "quit") || !strcmp(line, "q")) return false;
    if (!*line || !strcmp(line, "next") || !strcmp(line, "n")) f->at += f->at < f->moves;
    else if (!strcmp(line, "back") || !strcmp(line, "b")) f->at -= f->at > 0;
    else if (!strcmp(line, "first")) f->at = 0;
    else if (!strcmp(line, "last")) f->at = f->moves;
    else if (!strcmp(line, "moves")) {
        for (size_t i = 0; i < f->moves; i++) move_print(f, i);
        return true;
    } else if (*line >= '0' && *line <= '9' && !*end && number <= f->moves) f->at = number;
    else {
        printf("next, back, first, last, moves, quit, or a number from 0 to %zu\n", f->moves);
        return true;
    }
    if (f->at == before) puts(f->at ? "this is the end" : "this is the beginning");
    else position_print(f);
    return true;
}

static void step_through(film *f) {
    char *line = NULL;
    size_t capacity = 0;
    f->at = 0;
    position_print(f);
    for (;;) {
        printf("%zu/%zu> ", f->at, f->moves);
        fflush(stdout);
        if (getline(&line, &capacity, stdin) < 0) break;
        line[strcspn(line, "\r\n")] = 0;
        if (!stepped(f, line)) break;
    }
    free(line);
    puts("");
}

static json_t *moves_json(const film *f) {
    json_t *list = json_array();
    for (size_t i = 0; i < f->moves; i++) {
        json_t *j = json_object();
        json_object_set_new(j, "player", json_text(mover_of(f, i)));
        json_object_set_new(j, "move", json_text(f->record->moves[i].text));
        if (f->record->moves[i].time >= 0) json_object_set_new(j, "time", json_integer(f->record->moves[i].time));
        json_array_append_new(list, j);
    }
    return list;
}

static int film_json(const film *f) {
    const match *m = f->record;
    json_t *answer = json_answer(f->asked), *options = json_object(), *seats = json_object(), *result = json_object();
    for (size_t i = 0; i < m->options.count; i++) json_object_set_new(options, m->options.list[i].name, json_text(m->options.list[i].value));
    for (int i = 0; i < m->players; i++) json_object_set_new(seats, joc_game_player(f->session.game, i), json_text(m->seats[i]));
    json_object_set_new(result, "outcome", json_text(m->outcome));
    json_object_set_new(result, "winner", json_text(m->winner));
    json_object_set_new(result, "reason", json_text(m->reason));
    json_object_set_new(answer, "ok", json_true());
    json_object_set_new(answer, "title", json_text(joc_game_title(f->session.game)));
    json_object_set_new(answer, "seed", json_integer((json_int_t)m->seed));
    json_object_set_new(answer, "began", json_text(m->began));
    json_object_set_new(answer, "options", options);
    json_object_set_new(answer, "seats", seats);
    json_object_set_new(answer, "moves", moves_json(f));
    if (*m->outcome) json_object_set(answer, "recorded", result);
    json_decref(result);
    json_object_set_new(answer, "after", json_integer((json_int_t)f->at));
    json_t *position = position_json(f->after[f->at]);
    json_object_update(answer, position);
    json_decref(position);
    return json_print(answer, EXIT_DONE);
}

/* While a match goes on, what players hide from each other stays hidden: a record has all of it. */
static bool keeps_secrets(const film *f) {
    return joc_game_has_secrets(f->session.game) && !*f->record->outcome && joc_state_of(f->after[f->moves]) != JOC_OVER;
}

static int film_show(film *f) {
    const asked *a = f->asked;
    if (keeps_secrets(f)) return session_error(a, EXIT_FAULTS, "this match goes on, and its players hide things from each other; when it is over it can be looked at (--verify verifies it now)");
    bool step = a->step || (!a->to && !a->list && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
    f->at = a->to ? strtoul(a->to, NULL, 10) : f->moves;
    if (f->at > f->moves) return session_error(a, EXIT_FAULTS, "the match has %zu moves, not %s", f->moves, a->to);
    if (a->json) return film_json(f);
    heading_print(f);
    if (a->list) for (size_t i = 0; i < f->moves; i++) move_print(f, i);
    if (step) step_through(f);
    else if (!a->list || a->to) position_print(f);
    if (!a->to && !step) result_print(f->record);
    return EXIT_DONE;
}

int command_replay(asked *a) {
    const char *path = a->words[0];
    film f = { .asked = a };
    int code = EXIT_DONE;
    joc_messages *m = joc_messages_new();
    f.record = match_read(path, m);
    if (!f.record) {
        session s = { .messages = m };
        code = session_fail(&s, a, access(path, R_OK) ? EXIT_SYSTEM : EXIT_FAULTS);
    } else if (record_open(&f.session, a, f.record, path, &code) && film_take(&f, path, &code) && result_agrees(&f, &code) && !(a->verify && !a->json)) code = film_show(&f);
    joc_messages_free(m);
    film_free(&f);
    return code;
}
