/* Records of matches; see match.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/match.h"

enum { MATCH_LIMIT = 16 << 20, MOVES_MAX = 400000 };

static const shape_key match_keys[] = {
    { "format", KEY_FORMAT, true },  { "game", KEY_TEXT, true },    { "title", KEY_TEXT, false },   { "hash", KEY_TEXT, false },
    { "random", KEY_TEXT, false },   { "seed", KEY_TEXT, true },    { "players", KEY_NUMBER, true }, { "at", KEY_TEXT, false },
    { "options", KEY_TEXTS, false }, { "seats", KEY_TEXTS, false }, { "moves", KEY_LIST, true },    { "result", KEY_MAP, false },
};
const data_shape match_shape = { "a match record", match_keys, sizeof match_keys / sizeof *match_keys };

match *match_new(const char *game, const joc_game *g, const joc_setting *settings, size_t count, uint64_t seed, const char *at) {
    match *m = memory_of(1, sizeof *m);
    m->game = text_copy(game);
    m->title = text_copy(joc_game_title(g));
    m->at = at ? text_copy(at) : NULL;
    m->hash = joc_game_hash(g);
    m->seed = seed;
    m->players = joc_game_players(g);
    m->options = memory_of(count, sizeof(char *));
    m->values = memory_of(count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        m->options[m->option_count] = text_copy(settings[i].name);
        m->values[m->option_count++] = text_copy(settings[i].value);
    }
    m->seats = memory_of((size_t)m->players, sizeof(char *));
    m->names = memory_of((size_t)m->players, sizeof(char *));
    for (int i = 0; i < m->players; i++) {
        m->seats[i] = text_copy("human");
        m->names[i] = text_copy(joc_game_player(g, i));
    }
    m->outcome = text_copy(""), m->winner = text_copy(""), m->reason = text_copy("");
    return m;
}

void match_add(match *m, int player, const char *move) {
    if (m->move_count == m->move_capacity) {
        m->move_capacity = m->move_capacity ? 2 * m->move_capacity : 64;
        match_move *grown = memory_of(m->move_capacity, sizeof *grown);
        if (m->move_count) memcpy(grown, m->moves, m->move_count * sizeof *grown);
        free(m->moves);
        m->moves = grown;
    }
    m->moves[m->move_count++] = (match_move){ player, text_copy(move) };
}

static void set(char **where, const char *s) {
    free(*where);
    *where = text_copy(s);
}

void match_drop(match *m) {
    if (!m->move_count) return;
    free(m->moves[--m->move_count].text);
    set(&m->outcome, ""), set(&m->winner, ""), set(&m->reason, "");
}

void match_end(match *m, const joc_position *p) {
    joc_result r = joc_result_of(p);
    if (joc_state_of(p) != JOC_OVER) return;
    set(&m->outcome, r.outcome == JOC_WIN ? "win" : "draw");
    set(&m->winner, r.outcome == JOC_WIN ? joc_game_player(joc_position_game(p), r.winner) : "");
    set(&m->reason, r.reason ? r.reason : "");
}

static void add_pair(text *t, const char *before, const char *key, const char *value) {
    text_add(t, before);
    yaml_add(t, key);
    text_add(t, ": ");
    yaml_add(t, value);
    text_add(t, "\n");
}

char *match_text(const match *m) {
    text t = { 0 };
    text_format(&t, "format: %d\n", JOC_FORMAT);
    add_pair(&t, "", "game", m->game);
    add_pair(&t, "", "title", m->title);
    text_format(&t, "hash: \"%016" PRIx64 "\"\n", m->hash);
    add_pair(&t, "", "random", JOC_RANDOM);
    text_format(&t, "seed: %" PRIu64 "\nplayers: %d\n", m->seed, m->players);
    if (m->at) add_pair(&t, "", "at", m->at);
    if (m->option_count) text_add(&t, "options:\n");
    for (size_t i = 0; i < m->option_count; i++) add_pair(&t, "  ", m->options[i], m->values[i]);
    text_add(&t, "seats:\n");
    for (int i = 0; i < m->players; i++) add_pair(&t, "  ", m->names[i], m->seats[i]);
    text_add(&t, m->move_count ? "moves:\n" : "moves: []\n");
    for (size_t i = 0; i < m->move_count; i++) add_pair(&t, "  - ", m->moves[i].player < 0 ? "chance" : m->names[m->moves[i].player], m->moves[i].text);
    if (*m->outcome) {
        text_add(&t, "result:\n");
        add_pair(&t, "  ", "outcome", m->outcome);
        if (*m->winner) add_pair(&t, "  ", "winner", m->winner);
        if (*m->reason) add_pair(&t, "  ", "reason", m->reason);
    }
    return text_take(&t);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------ */
static void read_options(match *m, const datum *options) {
    size_t count = options ? options->count / 2 : 0;
    m->options = memory_of(count, sizeof(char *));
    m->values = memory_of(count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        m->options[i] = text_copy(options->parts[2 * i]->text);
        m->values[i] = text_copy(options->parts[2 * i + 1]->text);
    }
    m->option_count = count;
}

/* Names come from the seats; a record without seats learns them from its moves when it is replayed. */
static void read_seats(match *m, const datum *seats) {
    m->seats = memory_of((size_t)m->players, sizeof(char *));
    m->names = memory_of((size_t)m->players, sizeof(char *));
    for (int i = 0; i < m->players; i++) {
        bool told = seats && (size_t)i < seats->count / 2;
        m->names[i] = text_copy(told ? seats->parts[2 * i]->text : "");
        m->seats[i] = text_copy(told ? seats->parts[2 * i + 1]->text : "human");
    }
}

static int player_named(match *m, const char *name) {
    for (int i = 0; i < m->players; i++) {
        if (!strcmp(m->names[i], name)) return i;
        if (!*m->names[i]) {
            set(&m->names[i], name);
            return i;
        }
    }
    return -2;
}

static void read_moves(data_file *f, match *m, const datum *moves) {
    if (moves->count > MOVES_MAX) data_fault(f, moves, "E0803", "more than %d moves", MOVES_MAX);
    for (size_t i = 0; i < moves->count && !f->failed; i++) {
        const datum *d = moves->parts[i];
        if (d->kind != DATUM_MAP || d->count != 2 || d->parts[0]->kind != DATUM_TEXT || d->parts[1]->kind != DATUM_TEXT) {
            data_fault(f, d, "E0803", "a move is written 'PLAYER: MOVE' or 'chance: OUTCOME'");
            break;
        }
        int player = strcmp(d->parts[0]->text, "chance") ? player_named(m, d->parts[0]->text) : -1;
        if (player == -2) data_fault(f, d->parts[0], "E0803", "no player is named '%s' in this record", d->parts[0]->text);
        else match_add(m, player, d->parts[1]->text);
    }
}

static match *match_of(data_file *f, const datum *d) {
    if (!data_check(f, d, &match_shape)) return NULL;
    match *m = memory_of(1, sizeof *m);
    char *end;
    const char *seed = datum_text(d, "seed", "");
    m->game = text_copy(datum_text(d, "game", ""));
    m->title = text_copy(datum_text(d, "title", ""));
    m->at = datum_get(d, "at") ? text_copy(datum_text(d, "at", "")) : NULL;
    m->hash = strtoull(datum_text(d, "hash", "0"), NULL, 16);
    m->seed = strtoull(seed, &end, 10);
    if (!*seed || *end || *seed == '-') data_fault(f, datum_get(d, "seed"), "E0803", "'seed' must be a whole number");
    int64_t players = datum_number(d, "players", 0);
    if (players < 1 || players > 16) data_fault(f, datum_get(d, "players"), "E0803", "'players' must be 1 to 16");
    m->players = players < 1 || players > 16 ? 0 : (int)players;
    read_options(m, datum_get(d, "options"));
    read_seats(m, datum_get(d, "seats"));
    read_moves(f, m, datum_get(d, "moves"));
    const datum *result = datum_get(d, "result");
    m->outcome = text_copy(datum_text(result, "outcome", ""));
    m->winner = text_copy(datum_text(result, "winner", ""));
    m->reason = text_copy(datum_text(result, "reason", ""));
    return m;
}

match *match_read(const char *path, joc_messages *messages) {
    data_file file;
    datum *d = data_read(&file, path, MATCH_LIMIT, messages);
    match *m = d ? match_of(&file, d) : NULL;
    bool good = m && !file.failed;
    datum_free(d);
    data_file_free(&file);
    if (good) return m;
    match_free(m);
    return NULL;
}

void match_free(match *m) {
    if (!m) return;
    for (size_t i = 0; i < m->option_count; i++) free(m->options[i]), free(m->values[i]);
    for (int i = 0; i < m->players; i++) free(m->seats[i]), free(m->names[i]);
    for (size_t i = 0; i < m->move_count; i++) free(m->moves[i].text);
    free(m->options), free(m->values), free(m->seats), free(m->names), free(m->moves);
    free(m->game), free(m->title), free(m->at), free(m->outcome), free(m->winner), free(m->reason);
    free(m);
}

/* ---- playing again ------------------------------------------------------------------------------------------------------------------ */
static void refuse(const match *m, const char *path, size_t i, const char *why, joc_messages *messages) {
    text t = { 0 };
    text_format(&t, "move %zu of the record, '%s', is not possible: %s", i + 1, m->moves[i].text, why);
    joc_messages_add(messages, "E0806", path, m->moves[i].text, strlen(m->moves[i].text), 0, strlen(m->moves[i].text), t.data);
    text_free(&t);
}

static const joc_move *exact(const joc_moves *list, const char *s) {
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), s)) return joc_moves_at(list, i);
    return NULL;
}

static bool replay_one(joc_position *p, const match *m, size_t i, const char *path, joc_messages *messages) {
    joc_state state = joc_state_of(p);
    const match_move *played = &m->moves[i];
    if (state == JOC_OVER || state == JOC_STUCK) {
        refuse(m, path, i, "the game is over", messages);
        return false;
    }
    if ((state == JOC_CHANCE) != (played->player < 0)) {
        refuse(m, path, i, state == JOC_CHANCE ? "chance decides here" : "a player decides here", messages);
        return false;
    }
    if (state == JOC_DECISION && joc_mover(p) != played->player) {
        refuse(m, path, i, "it is another player's turn", messages);
        return false;
    }
    joc_moves *list = joc_moves_of(p);
    char *why = NULL;
    const joc_move *move = exact(list, played->text);
    if (!move && state == JOC_DECISION) move = joc_moves_find(list, played->text, &why);
    if (move) joc_play(p, move);
    else refuse(m, path, i, why ? why : "it is none of the outcomes", messages);
    free(why);
    joc_moves_free(list);
    return move != NULL;
}

joc_position *match_replay(const match *m, const joc_game *g, const char *path, size_t *done, joc_messages *messages) {
    *done = 0;
    joc_position *p = m->at ? joc_position_parse(g, m->at, messages) : joc_start(g, m->seed);
    for (; p && *done < m->move_count; (*done)++)
        if (!replay_one(p, m, *done, path, messages)) {
            joc_position_free(p);
            return NULL;
        }
    return p;
}
