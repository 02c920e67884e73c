/* joc play: a match at the terminal.
 *
 * A table holds the position, the positions before (for undo), and the record. The loop asks whoever decides: chance, a player of the computer
 * or a person. Everything that happens is added to the record, which is written as a whole (interp/formats/match.h) before anything else
 * goes on, so that at most the move being typed is lost when the program or the machine stops. A move that cannot be written is taken back. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/cli/hotseat.h"
#include "interp/cli/input.h"
#include "interp/cli/throws.h"
#include "interp/formats/match.h"
#include "interp/play/atlas.h"
#include "interp/play/drawing.h"
#include "interp/play/label.h"
#include "interp/play/mcts.h"
#include "interp/play/text.h"
#include "interp/play/unseen.h"

enum { PLAYERS_MOST = 16, HINT_VISITS = 20000, HINT_SECONDS = 2 };
enum { LINE_LONGEST = 2000 };

typedef struct {
    asked *asked;
    session *session;
    const joc_game *game;
    joc_position *position;
    joc_position **before;              /* before each move of the record */
    size_t before_count, before_capacity;
    match *record;
    seat seats[PLAYERS_MOST];
    const char *save;                   /* where the record is kept; NULL nowhere */
    char *saved_as;
    char *rest;                         /* of a typed line: what belongs to the decisions after the one it begins with */
    int64_t began;
    hotseat secrets;                    /* who looks at the screen, in games with secrets */
    joc_position *seen;                 /* his view while he decides; NULL where nothing is kept from anybody */
    bool draw, done, resigned;
    int code;
} table;

static const char *const words[] = { "help", "undo", "moves", "board", "hint", "why", "options", "save", "resign", "quit", "borders", "log", NULL };

/* What the one who decides may see. */
static const joc_position *shown(const table *t) { return t->seen ? t->seen : t->position; }

/* ---- the record --------------------------------------------------------------------------------------------------------------------- */
static bool record_write(table *t, const char *path) {
    char *yaml = match_text(t->record);
    bool good = file_write(path, yaml, strlen(yaml));
    if (!good) fprintf(stderr, "joc: cannot write '%s': %s; what it held before is still there\n", path, strerror(errno));
    free(yaml);
    return good;
}

static bool record_keep(table *t) { return !t->save || record_write(t, t->save); }

static void remember(table *t) {
    if (t->before_count == t->before_capacity) {
        t->before_capacity = t->before_capacity ? 2 * t->before_capacity : 64;
        joc_position **grown = memory_of(t->before_capacity, sizeof *grown);
        if (t->before_count) memcpy(grown, t->before, t->before_count * sizeof *grown);
        free(t->before);
        t->before = grown;
    }
    t->before[t->before_count++] = joc_position_copy(t->position);
}

static int64_t seconds_since(int64_t began) {
    int64_t now = (int64_t)time(NULL);
    return now > began ? now - began : 0;
}

static void add_move(table *t, const joc_move *move, int64_t when) {
    int who = joc_state_of(t->position) == JOC_CHANCE ? -1 : joc_mover(t->position);
    remember(t);
    match_add(t->record, who, joc_move_text(move), when);
    joc_play(t->position, move);
    match_end(t->record, t->position);
    t->draw = true;
}

static void take_back(table *t) {
    joc_position_free(t->position);
    t->position = t->before[--t->before_count];
    match_drop(t->record);
}

/* Does a person decide there, or throw his own dice? */
static bool by_person(const table *t, const joc_position *p) {
    if (joc_state_of(p) == JOC_CHANCE) return t->asked->real_dice && joc_chance_dice(p) >= 0;
    return joc_state_of(p) == JOC_DECISION && t->seats[joc_mover(p)].kind == SEAT_HUMAN;
}

/* A move that cannot be recorded is none: a person may make room and type it again; without one at the board the match stops. */
static void make_move(table *t, const joc_move *move) {
    bool person = by_person(t, t->position);
    add_move(t, move, seconds_since(t->began));
    if (record_keep(t)) return;
    take_back(t);
    if (person) puts("the move was taken back; make room and type it again, or `save FILE` elsewhere");
    else t->code = EXIT_SYSTEM, t->done = true;
}

/* Back to the last decision of a person before this one. */
static void undo(table *t) {
    size_t n = t->before_count;
    while (n > 0) {
        joc_position *p = t->before[n - 1];
        if (by_person(t, p)) break;
        n--;
    }
    if (t->seen && (!n || !hotseat_may_undo(t->seen, t->before[n - 1]))) {
        puts("only a choice of your own can be taken back, before anything else has happened: what was seen stays seen");
        return;
    }
    if (!n) {
        puts("nothing to take back");
        return;
    }
    while (t->before_count >= n) take_back(t);
    t->draw = true;
    record_keep(t);
}

/* ---- what is said ------------------------------------------------------------------------------------------------------------------- */
/* Below a map: who moves, and what is neither on it nor told by it. */
static void below_map_print(const joc_position *p) {
    items list = items_of(p, -1);
    char *line = state_line(p);
    printf("%s\n", line);
    for (size_t i = 0; i < list.count; i++) {
        const item *it = &list.items[i];
        bool of_cells = it->sort == ITEM_KEEP && joc_keep_of(joc_position_game(p), it->index) == JOC_OF_CELL;
        if (it->sort != ITEM_TURNS && !of_cells) printf("%s = %s\n", it->name, it->value);
    }
    items_free(&list);
    free(line);
}

static void board_print(table *t) {
    char *map = atlas_drawing(shown(t), look_of(t->asked)), *drawing = joc_drawing(shown(t), look_of(t->asked));
    if (map) printf("\n%s", map);
    if (map) below_map_print(shown(t));
    else printf("\n%s", drawing);
    free(map);
    free(drawing);
    t->draw = false;
}

static void deviations_print(const table *t) {
    bool some = false;
    for (size_t i = 0; i < joc_rules_options(t->session->rules); i++) {
        joc_option o = joc_rules_option(t->session->rules, i);
        const char *value = joc_game_option(t->game, o.name);
        if (!value || !strcmp(value, o.standard)) continue;
        if (!some && t->session->table) printf("%s: ", t->session->table);
        printf("%s%s = %s (else %s)", some ? ", " : t->session->table ? "" : "house rules: ", o.name, value, o.standard);
        some = true;
    }
    if (some) puts("");
}

static void options_print(const table *t) {
    size_t count = joc_rules_options(t->session->rules);
    for (size_t i = 0; i < count; i++) {
        joc_option o = joc_rules_option(t->session->rules, i);
        const char *value = joc_game_option(t->game, o.name);
        printf("  %-14s %-10s %s\n", o.name, value ? value : "", o.meaning);
    }
    if (!count) puts("this game has no options");
}

static void opening_print(const table *t) {
    printf("%s", joc_game_title(t->game));
    for (int i = 0; i < joc_game_players(t->game); i++) {
        char *who = seat_text(&t->seats[i]);
        printf("%s%s: %s", i ? ", " : ". ", joc_game_player(t->game, i), who);
        free(who);
    }
    if (t->secrets.on) puts("");                /* the seed would tell the deal */
    else printf("; seed %" PRIu64 "\n", t->record->seed);
    deviations_print(t);
    if (t->save) printf("record: %s\n", t->save);
    puts("type a move, or `help`");
}

static void help_print_table(const table *t) {
    char *about = text_wrapped(joc_game_about(t->game), terminal_width() ? terminal_width() : 80);
    if (*about) printf("%s\n", about);
    free(about);
    puts("type a move as `moves` lists it, or an unambiguous part of it; Tab completes\n"
         "  moves      the legal moves          undo       takes back to your last decision\n"
         "  board      draws the board          hint       a move the computer would play\n"
         "  options    the rules of this table  save FILE  writes the record\n"
         "  why MOVE   why it is legal, or not  borders CELL  what lies beside it\n"
         "  log        what has happened        resign     gives the game up\n"
         "  quit       ends; the record stays");
}

static void moves_show(const joc_moves *list) {
    size_t count = joc_moves_count(list);
    int widest = 0, column = 0, width = terminal_width() ? terminal_width() : 80;
    for (size_t i = 0; i < count; i++) {
        int w = text_width(joc_move_text(joc_moves_at(list, i)));
        if (w > widest) widest = w;
    }
    for (size_t i = 0; i < count; i++) {
        const char *move = joc_move_text(joc_moves_at(list, i));
        if (column && column + widest > width) puts(""), column = 0;
        printf("%s%*s", move, widest + 2 - text_width(move), "");
        column += widest + 2;
    }
    puts("");
}

static void hint(table *t, const joc_moves *list) {
    if (joc_moves_count(list) < 1) return;
    mcts_effort effort = { .visits = HINT_VISITS, .seconds = HINT_SECONDS, .seed = seed_of(t->record->seed, t->before_count), .stop = &interrupted };
    if (t->seen) {
        unseen_result u = unseen_search(t->seen, &effort);
        if (!u.worlds) puts("no world was found that fits what you have seen");
        else printf("%s (the best in %d of %d worlds that fit what you have seen)\n", joc_move_text(joc_moves_at(list, u.best)), u.votes, u.worlds);
        return;
    }
    mcts_result r = mcts_search(t->position, &effort);
    printf("%s", joc_move_text(joc_moves_at(list, r.best)));
    if (r.proven) puts(" (wins)");
    else printf(" (expects %.0f %%)\n", 100 * r.value);
}

/* ---- deciding ----------------------------------------------------------------------------------------------------------------------- */
static void give_up(table *t) {
    int who = joc_mover(t->position), other = joc_game_players(t->game) == 2 ? 1 - who : -1;
    free(t->record->outcome), free(t->record->reason), free(t->record->winner);
    t->record->outcome = text_copy(other >= 0 ? "win" : "resigned");
    t->record->winner = text_copy(other >= 0 ? joc_game_player(t->game, other) : "");
    text reason = { 0 };
    text_format(&reason, "%s resigned", joc_game_player(t->game, who));
    printf("%s resigns", joc_game_player(t->game, who));
    if (other >= 0) printf("; %s wins", joc_game_player(t->game, other));
    puts("");
    t->record->reason = text_take(&reason);
    record_keep(t);
    t->resigned = t->done = true;
}

static void save_as(table *t, const char *path) {
    if (!*path) puts("save where? `save FILE`");
    else if (t->seen) hotseat_save(t->seen, t->record->game, path);
    else if (record_write(t, path)) {
        char *copy = text_copy(path);
        free(t->saved_as);
        t->save = t->saved_as = copy;
        printf("wrote %s; the record is kept there\n", path);
    }
}

/* Where there are secrets the view is asked: it gives away nothing that its player cannot see. */
static void why_said(const table *t, const char *move) {
    if (t->seen) {
        joc_moves *list = joc_moves_of(t->seen);
        const bool legal = joc_moves_find(list, move, NULL) != NULL;
        joc_moves_free(list);
        if (legal) { puts("it is legal"); return; }
    }
    joc_why *y = joc_why_move(t->seen ? t->seen : t->position, move);
    why_print(y, stdout);
    joc_why_free(y);
}

static void borders_said(const table *t, const char *word) {
    int cell = cell_meant(t->game, word, strlen(word));
    char *line = cell < 0 ? NULL : borders_line(shown(t), cell);
    if (line) puts(line);
    else printf("no cell is called '%s'; `borders CELL` says what lies beside it\n", word);
    free(line);
}

/* True if the line was a command. */
static bool command_typed(table *t, const char *line, const joc_moves *list) {
    if (!strcmp(line, "help") || !strcmp(line, "?")) help_print_table(t);
    else if (!strcmp(line, "moves")) moves_show(list);
    else if (!strcmp(line, "board")) t->draw = true;
    else if (!strcmp(line, "undo")) undo(t);
    else if (!strcmp(line, "hint")) hint(t, list);
    else if (!strcmp(line, "options")) options_print(t);
    else if (!strcmp(line, "resign")) give_up(t);
    else if (!strcmp(line, "quit") || !strcmp(line, "exit")) t->done = true;
    else if (!strncmp(line, "why ", 4)) why_said(t, line + 4);
    else if (!strncmp(line, "borders ", 8)) borders_said(t, line + 8);
    else if (!strcmp(line, "borders")) puts("borders of what? `borders CELL`");
    else if (!strcmp(line, "log")) hotseat_log(shown(t));
    else if (!strcmp(line, "why")) puts("why what? `why MOVE`");
    else if (!strcmp(line, "save")) save_as(t, "");
    else if (!strncmp(line, "save ", 5)) save_as(t, line + 5);
    else return false;
    return true;
}

static const joc_move *move_exact(const joc_moves *list, const char *line) {
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), line)) return joc_moves_at(list, i);
    return NULL;
}

/* A person is asked, for a move or (chance) for what his dice show. Gives the line (malloc'd), or NULL: the match ends here. */
static char *ask(table *t, const joc_moves *list) {
    if (t->rest) {
        char *line = t->rest;
        t->rest = NULL;
        return line;
    }
    text prompt = { 0 }, dice = { 0 };
    int thrown = joc_chance_dice(t->position);
    text_add(&prompt, joc_game_player(t->game, joc_mover(t->position)));
    thrown_add(&dice, t->position, terminal_ascii(t->asked));
    if (thrown >= 0) {
        int count = throw_dice(joc_move_text(joc_moves_at(list, 0)));
        text_add(&prompt, " throws");
        if (joc_game_dice(t->game) > 1) text_format(&prompt, " %s", joc_dice_name(t->game, thrown));
        if (count > 1) text_format(&prompt, " %d dice", count);
    } else if (dice.length) text_format(&prompt, " %s", dice.data);
    text_add(&prompt, "> ");
    char *line;
    input_state state = input_read(prompt.data, list, words, &line);
    text_free(&prompt);
    text_free(&dice);
    if (state == INPUT_LINE && strlen(line) > LINE_LONGEST) {
        printf("that line is too long: at most %d characters are read\n", LINE_LONGEST);
        *line = '\0';
    }
    if (state == INPUT_LINE) return line;
    if (state == INPUT_INTERRUPTED) t->code = EXIT_INTERRUPTED;
    if (isatty(STDIN_FILENO)) puts("");
    t->done = true;
    return NULL;
}

/* "DRA 3" where the cell and the number are decisions of their own: the longest beginning that is a move; the rest is kept for what follows. */
static const joc_move *typed_beginning(table *t, const joc_moves *list, const char *line) {
    char *copy = text_copy(line);
    const joc_move *found = joc_moves_find(list, copy, NULL);
    for (char *blank; !found && (blank = strrchr(copy, ' '));) {
        *blank = 0;
        found = joc_moves_find(list, copy, NULL);
    }
    if (found && strlen(copy) < strlen(line)) t->rest = text_copy(line + strlen(copy) + strspn(line + strlen(copy), " "));
    free(copy);
    return found;
}

/* What can be thrown, all of it or how it is written. */
static char *throws_told(const joc_moves *list) {
    const size_t count = joc_moves_count(list);
    text t = { 0 };
    if (count > 8) text_format(&t, "that is no throw here; type what the dice show, such as %s", joc_move_text(joc_moves_at(list, 0)));
    else text_add(&t, "that is no throw here; type what the dice show: ");
    for (size_t i = 0; count <= 8 && i < count; i++) text_format(&t, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", joc_move_text(joc_moves_at(list, i)));
    return text_take(&t);
}

static const joc_move *typed(table *t, const joc_moves *list, const char *line, char **why) {
    if (joc_state_of(t->position) != JOC_CHANCE) {
        char *named = line_of_cells(t->game, line);
        const char *begun = strncmp(named, "place ", 6) ? named : named + 6;
        const joc_move *found = joc_moves_find(list, named, why);
        if (!found) found = typed_beginning(t, list, begun);
        free(named);
        return found;
    }
    const joc_move *m = throw_find(list, line);
    *why = m ? NULL : throws_told(list);
    return m;
}

static void person_decides(table *t, const joc_moves *list) {
    char *why = NULL, *line = ask(t, list);
    const joc_move *move = line && *line ? move_exact(list, line) : NULL;
    if (line && *line && (move || !command_typed(t, line, list))) {
        if (!move) move = typed(t, list, line, &why);
        if (!move) printf("%s\n", why ? why : "that is no legal move; `moves` lists them");
        else {
            if (strcmp(joc_move_text(move), line)) printf("%s\n", joc_move_text(move));
            make_move(t, move);
        }
    }
    free(why);
    free(line);
}

static void computer_decides(table *t, const joc_moves *list) {
    int who = joc_mover(t->position);
    bool blind = false;
    size_t chosen = seat_choose(&t->seats[who], t->position, list, seed_of(t->record->seed, t->before_count), &interrupted, &blind);
    if (interrupted) return;
    if (blind) printf("%s found no deal that fits what was seen, and draws a move by lot\n", joc_game_player(t->game, who));
    if (!t->secrets.on) printf("%s plays %s\n", joc_game_player(t->game, who), joc_move_text(joc_moves_at(list, chosen)));
    make_move(t, joc_moves_at(list, chosen));
}

static void chance_decides(table *t, const joc_moves *list) {
    const joc_move *m = joc_moves_at(list, chance_choose(list, seed_of(t->record->seed, t->before_count)));
    text what = { 0 };
    if (joc_chance_dice(t->position) >= 0) text_format(&what, "%s throws ", joc_game_player(t->game, joc_mover(t->position)));
    else text_add(&what, "chance: ");
    throw_add(&what, joc_move_text(m), terminal_ascii(t->asked));
    if (!t->secrets.on) puts(what.data);        /* in a game with secrets each is told his own (hotseat_news) */
    text_free(&what);
    make_move(t, m);
}

/* Where only a pass is left, nobody is asked. */
static bool must_pass(const table *t, const joc_moves *list) {
    return joc_state_of(t->position) == JOC_DECISION && joc_moves_count(list) == 1 && !strcmp(joc_move_text(joc_moves_at(list, 0)), "pass");
}

static void pass_decides(table *t, const joc_moves *list) {
    text dice = { 0 };
    thrown_add(&dice, t->position, terminal_ascii(t->asked));
    printf("%s has no move", joc_game_player(t->game, joc_mover(t->position)));
    printf(dice.length ? " with %s and passes\n" : "%s and passes\n", dice.length ? dice.data : "");
    text_free(&dice);
    make_move(t, joc_moves_at(list, 0));
}

/* Turns that went by with nothing to choose in them are told of. `turns`, `who`: before the last decision; chance itself ends no turn. */
static void idle_told(const table *t, int turns, int who, bool chance) {
    if (t->done || joc_state_of(t->position) == JOC_OVER || joc_state_of(t->position) == JOC_STUCK) return;
    int more = joc_turns(t->position) - turns - (chance ? 0 : 1), next = joc_mover(t->position);
    if (more == 1 && chance) printf("nothing is left for %s to choose; %s is next\n", joc_game_player(t->game, who), joc_game_player(t->game, next));
    else if (more > 0) printf("%s went by with nothing to choose; %s is next\n", more == 1 ? "a turn" : "some turns", joc_game_player(t->game, next));
}

static void decide(table *t, const joc_moves *list) {
    bool chance = joc_state_of(t->position) == JOC_CHANCE;
    int turns = joc_turns(t->position), who = joc_mover(t->position);
    size_t made = t->before_count;
    bool person = by_person(t, t->position);
    if (t->seen && hotseat_turn(&t->secrets, t->game, who)) {
        t->draw = true;
        free(t->rest), t->rest = NULL;      /* nobody types for another */
        t->done = t->secrets.left;
    }
    if (t->done) return;
    if (t->seen) hotseat_news(&t->secrets, t->seen);
    if (person && t->draw && !t->rest) board_print(t);
    if (!person) free(t->rest), t->rest = NULL;
    if (must_pass(t, list)) pass_decides(t, list);
    else if (person) person_decides(t, list);
    else if (chance) chance_decides(t, list);
    else computer_decides(t, list);
    if (t->before_count == made + 1) idle_told(t, turns, who, chance);
}

static void step(table *t) {
    joc_state state = joc_state_of(t->position);
    if (state == JOC_OVER || state == JOC_STUCK) {
        board_print(t);
        if (joc_fault(t->position)) fprintf(stderr, "joc: %s\n", joc_fault(t->position));
        if (state == JOC_STUCK) t->code = EXIT_FAULTS;
        t->done = true;
        return;
    }
    if (t->secrets.on && state == JOC_DECISION && by_person(t, t->position)) t->seen = joc_view(t->position, joc_mover(t->position));
    joc_moves *list = joc_moves_of(shown(t));
    if (!joc_moves_count(list)) {
        fprintf(stderr, "joc: no move can be made here: %s\n", joc_fault(t->position) ? joc_fault(t->position) : "the rules leave none");
        t->code = EXIT_FAULTS;
        t->done = true;
    } else decide(t, list);
    joc_moves_free(list);
    joc_position_free(t->seen);
    t->seen = NULL;
    if (interrupted) t->code = EXIT_INTERRUPTED, t->done = true;
}

/* ---- beginning ---------------------------------------------------------------------------------------------------------------------- */

static bool seats_take(table *t, const match *record) {
    for (int i = 0; record && i < joc_game_players(t->game); i++) {
        char *why = NULL;
        if (!seat_parse(record->seats[i], &t->seats[i], &why)) t->seats[i] = (seat){ .kind = SEAT_HUMAN };
        free(why);
    }
    return seats_of(t->asked, t->game, t->seats);
}

/* Puts the recorded moves on the table. */
static bool replay(table *t, const match *record) {
    for (size_t i = 0; i < record->move_count; i++) {
        joc_moves *list = joc_state_of(t->position) == JOC_OVER || joc_state_of(t->position) == JOC_STUCK ? NULL : joc_moves_of(t->position);
        const joc_move *move = list ? move_exact(list, record->moves[i].text) : NULL;
        if (move) add_move(t, move, record->moves[i].time);
        joc_moves_free(list);
        if (move) continue;
        fprintf(stderr, "joc: move %zu of the record, '%s', is not possible\n", i + 1, record->moves[i].text);
        t->code = EXIT_FAULTS;
        return false;
    }
    return true;
}

static bool table_set(table *t, match *record) {
    session *s = t->session;
    const char *at = record ? record->at : NULL;
    char *typed = NULL;
    if (t->asked->at && !record) at = typed = joc_position_text(s->position);
    t->record = match_new(record ? record->game : t->asked->words[0], s->rules, t->game, &s->chosen, t->asked->seed, at, t->began);
    free(typed);
    if (record && at) {
        joc_position_free(s->position);
        s->position = joc_position_parse(t->game, at, s->messages);
        if (!s->position) {
            t->code = session_fail(s, t->asked, EXIT_FAULTS);
            return false;
        }
    }
    t->position = s->position;
    s->position = NULL;
    if (!seats_take(t, record)) {
        t->code = EXIT_USE;
        return false;
    }
    for (int i = 0; i < joc_game_players(t->game); i++) {
        free(t->record->seats[i]);
        t->record->seats[i] = seat_text(&t->seats[i]);
    }
    bool good = !record || replay(t, record);
    if (good && t->save && !record_write(t, t->save)) {
        t->code = EXIT_SYSTEM;
        return false;
    }
    return good;
}

static void table_clear(table *t) {
    for (size_t i = 0; i < t->before_count; i++) joc_position_free(t->before[i]);
    free(t->before);
    free(t->saved_as);
    free(t->rest);
    joc_position_free(t->position);
    match_free(t->record);
}

static void play_on(table *t) {
    catch_interrupts();
    t->secrets = (hotseat){ .on = joc_game_has_secrets(t->game), .looking = -1 };
    for (int i = 0; i < joc_game_players(t->game); i++) t->secrets.people += t->seats[i].kind == SEAT_HUMAN;
    input_cells(t->game);
    opening_print(t);
    t->draw = true;
    while (!t->done) step(t);
    if (t->save && (t->code == EXIT_INTERRUPTED || joc_state_of(t->position) == JOC_DECISION)) {
        printf("the record is in %s%s\n", t->save, t->resigned ? "" : "; `joc play --from` goes on");
    }
}

/* The session of a new match, or of the one recorded. */
static bool begin(session *s, asked *a, const match *record, int *code) {
    if (!record) return session_position(s, a, code);
    if (!a->seed_given) a->seed = record->seed;
    if (!record_open(s, a, record, a->from, code)) return false;
    s->position = joc_start(s->game, a->seed);
    return true;
}

static int play_match(asked *a, match *record) {
    session s = { 0 };
    int code = EXIT_DONE;
    if (!a->seed_given && !record) a->seed = (uint64_t)time(NULL) & 0xFFFFFF;
    if (begin(&s, a, record, &code) && session_native(&s, a, &code)) {
        session_warn(&s);
        int64_t began = record ? match_began(record) : 0;
        table t = { .asked = a, .session = &s, .game = s.game, .save = a->save ? a->save : a->from, .began = began ? began : (int64_t)time(NULL) };
        if (table_set(&t, record)) play_on(&t);
        code = t.code;
        table_clear(&t);
    }
    session_free(&s);
    return code;
}

int command_play(asked *a) {
    joc_messages *m = joc_messages_new();
    match *record = a->from ? match_read(a->from, m) : NULL;
    int code = EXIT_DONE;
    if (a->from && !record) {
        messages_print(m);
        code = access(a->from, R_OK) ? EXIT_SYSTEM : EXIT_FAULTS;
    } else if (!record && !a->word_count) code = use_error(a, "GAME is missing");
    else if (a->at && a->from) code = use_error(a, "--at and --from both say where to begin");
    joc_messages_free(m);
    if (!code) code = play_match(a, record);
    match_free(record);
    return code;
}
