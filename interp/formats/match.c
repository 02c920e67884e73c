/* Records of matches; see match.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "interp/formats/match.h"

enum { MATCH_LIMIT = 16 << 20, MOVES_MAX = 400000 };

static const shape_key match_keys[] = {
    { "format", KEY_FORMAT, true },    { "game", KEY_TEXT, true },    { "title", KEY_TEXT, false },    { "hash", KEY_TEXT, false },
    { "random", KEY_TEXT, false },     { "seed", KEY_COUNT, true },   { "players", KEY_NUMBER, true }, { "at", KEY_TEXT, false },
    { "options", KEY_OPTIONS, false }, { "seats", KEY_TEXTS, false }, { "began", KEY_TEXT, false },    { "moves", KEY_LIST, true },
    { "times", KEY_LIST, false },      { "result", KEY_MAP, false },  { "rules", KEY_TEXTS, false },
};
const data_shape match_shape = { "a match record", match_keys, sizeof match_keys / sizeof *match_keys };

static const shape_key result_keys[] = { { "outcome", KEY_TEXT, true }, { "winner", KEY_TEXT, false }, { "reason", KEY_TEXT, false } };
static const data_shape result_shape = { "a result", result_keys, sizeof result_keys / sizeof *result_keys };

static uint32_t print_of(const joc_item *item) { return (uint32_t)(item->hash ^ item->hash >> 32); }

static void note_rules(match *m, const joc_rules *rules) {
    joc_items *all = joc_items_of(rules);
    m->rules = memory_of(joc_items_count(all), sizeof *m->rules);
    for (size_t i = 0; i < joc_items_count(all); i++) {
        joc_item item = joc_items_at(all, i);
        if (item.plays) m->rules[m->rule_count++] = (match_rule){ text_copy(item.name), print_of(&item) };
    }
    joc_items_free(all);
}

static char *moment_text(int64_t when) {
    time_t t = (time_t)when;
    struct tm parts;
    char out[64] = "";
    if (when > 0 && gmtime_r(&t, &parts)) strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text_copy(out);
}

int64_t match_began(const match *m) {
    struct tm parts = { 0 };
    const char *end = strptime(m->began, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return end && !*end ? (int64_t)timegm(&parts) : 0;
}

match *match_new(const char *game, const joc_rules *rules, const joc_game *g, const choices *chosen, uint64_t seed, const char *at, int64_t began) {
    match *m = memory_of(1, sizeof *m);
    m->game = text_copy(game);
    m->title = text_copy(joc_game_title(g));
    m->at = at ? text_copy(at) : NULL;
    m->began = moment_text(began);
    m->hash = joc_game_hash(g);
    m->seed = seed;
    m->players = joc_game_players(g);
    for (size_t i = 0; chosen && i < chosen->count; i++) choices_set(&m->options, chosen->list[i].name, chosen->list[i].value);
    m->seats = memory_of((size_t)m->players, sizeof(char *));
    m->names = memory_of((size_t)m->players, sizeof(char *));
    for (int i = 0; i < m->players; i++) {
        m->seats[i] = text_copy("human");
        m->names[i] = text_copy(joc_game_player(g, i));
    }
    m->outcome = text_copy(""), m->winner = text_copy(""), m->reason = text_copy("");
    if (rules) note_rules(m, rules);
    return m;
}

void match_add(match *m, int player, const char *move, int64_t when) {
    if (m->move_count == m->move_capacity) {
        m->move_capacity = m->move_capacity ? 2 * m->move_capacity : 64;
        match_move *grown = memory_of(m->move_capacity, sizeof *grown);
        if (m->move_count) memcpy(grown, m->moves, m->move_count * sizeof *grown);
        free(m->moves);
        m->moves = grown;
    }
    m->moves[m->move_count++] = (match_move){ .player = player, .time = when, .text = text_copy(move) };
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

static void add_times(text *t, const match *m) {
    bool known = m->move_count > 0;
    for (size_t i = 0; i < m->move_count; i++) known = known && m->moves[i].time >= 0;
    for (size_t i = 0; known && i < m->move_count; i++) text_format(t, "%s%" PRId64, i ? ", " : "times: [", m->moves[i].time);
    if (known) text_add(t, "]\n");
}

static void add_result(text *t, const match *m) {
    if (!*m->outcome) return;
    text_add(t, "result:\n");
    add_pair(t, "  ", "outcome", m->outcome);
    if (*m->winner) add_pair(t, "  ", "winner", m->winner);
    if (*m->reason) add_pair(t, "  ", "reason", m->reason);
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
    if (m->options.count) text_add(&t, "options:\n");
    for (size_t i = 0; i < m->options.count; i++) add_pair(&t, "  ", m->options.list[i].name, m->options.list[i].value);
    text_add(&t, "seats:\n");
    for (int i = 0; i < m->players; i++) add_pair(&t, "  ", m->names[i], m->seats[i]);
    if (*m->began) add_pair(&t, "", "began", m->began);
    text_add(&t, m->move_count ? "moves:\n" : "moves: []\n");
    for (size_t i = 0; i < m->move_count; i++) add_pair(&t, "  - ", m->moves[i].player < 0 ? "chance" : m->names[m->moves[i].player], m->moves[i].text);
    add_times(&t, m);
    add_result(&t, m);
    if (m->rule_count) text_add(&t, "rules:\n");
    for (size_t i = 0; i < m->rule_count; i++) {
        char print[16];
        snprintf(print, sizeof print, "%08" PRIx32, m->rules[i].print);
        text_add(&t, "  ");
        yaml_add(&t, m->rules[i].name);
        text_format(&t, ": \"%s\"\n", print);
    }
    return text_take(&t);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------ */
static void read_options(data_file *f, match *m, const datum *options) {
    for (size_t i = 0; options && i + 1 < options->count; i += 2) {
        const char *name = options->parts[i]->text;
        if (choices_get(&m->options, name)) data_fault(f, options->parts[i], "E0803", "'%s' is given twice", name);
        else choices_set(&m->options, name, options->parts[i + 1]->text);
    }
}

static bool is_hex(const datum *d, size_t length) { return strlen(d->text) == length && strspn(d->text, "0123456789abcdef") == length; }

static void read_rules(data_file *f, match *m, const datum *rules) {
    m->rules = memory_of(rules ? rules->count / 2 + 1 : 1, sizeof *m->rules);
    for (size_t i = 0; rules && i + 1 < rules->count; i += 2) {
        const datum *print = rules->parts[i + 1];
        if (!is_hex(print, 8)) data_fault(f, print, "E0803", "a value of 'rules' must be 8 digits, 0 to 9 and a to f");
        m->rules[m->rule_count++] = (match_rule){ text_copy(rules->parts[i]->text), (uint32_t)strtoul(print->text, NULL, 16) };
    }
}

static void read_times(data_file *f, match *m, const datum *times) {
    if (!times) return;
    if (times->count != m->move_count) data_fault(f, times, "E0803", "'times' has %zu numbers for %zu moves", times->count, m->move_count);
    for (size_t i = 0; i < times->count && !f->failed; i++) {
        if (!datum_is_number(times->parts[i], &m->moves[i].time) || m->moves[i].time < 0) data_fault(f, times->parts[i], "E0803", "a time is a whole number of seconds since the match began");
    }
}

static void read_result(data_file *f, match *m, const datum *result) {
    static const char *const outcomes[] = { "win", "draw", "resigned" };
    bool known = !result;
    if (result && !data_check(f, result, &result_shape)) result = NULL;
    m->outcome = text_copy(datum_text(result, "outcome", ""));
    m->winner = text_copy(datum_text(result, "winner", ""));
    m->reason = text_copy(datum_text(result, "reason", ""));
    for (size_t i = 0; i < 3; i++) known = known || !strcmp(outcomes[i], m->outcome);
    if (!known) data_fault(f, datum_get(result, "outcome"), "E0803", "'outcome' is win, draw or resigned");
}

static void read_hash(data_file *f, match *m, const datum *hash) {
    bool good = hash && is_hex(hash, 16);
    if (good) m->hash = strtoull(hash->text, NULL, 16);
    else if (hash) data_fault(f, hash, "E0803", "'hash' must be 16 digits, 0 to 9 and a to f");
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

/* A move is a text, or a number that needs no quotes. */
static bool move_like(const datum *who, const datum *what) {
    return who->kind == DATUM_TEXT && what->kind == DATUM_TEXT && (datum_reads(what) == READS_TEXT || datum_reads(what) == READS_INTEGER);
}

static void read_moves(data_file *f, match *m, const datum *moves) {
    if (moves->count > MOVES_MAX) data_fault(f, moves, "E0803", "more than %d moves", MOVES_MAX);
    for (size_t i = 0; i < moves->count && !f->failed; i++) {
        const datum *d = moves->parts[i];
        if (d->kind != DATUM_MAP || d->count != 2 || datum_reads(d->parts[0]) != READS_TEXT || !move_like(d->parts[0], d->parts[1])) {
            data_fault(f, d, "E0803", "a move is written 'PLAYER: MOVE' or 'chance: OUTCOME'");
            break;
        }
        int player = strcmp(d->parts[0]->text, "chance") ? player_named(m, d->parts[0]->text) : -1;
        if (player == -2) data_fault(f, d->parts[0], "E0803", "no player is named '%s' in this record", d->parts[0]->text);
        else {
            match_add(m, player, d->parts[1]->text, -1);
            m->moves[i].from = d->parts[1]->from, m->moves[i].to = d->parts[1]->to;
        }
    }
}

static match *match_of(data_file *f, const datum *d) {
    const datum *seen = datum_get(d, "seen_by");
    if (seen) {
        data_fault(f, seen, "E0809", "this is what %s knows of a match, not the match: what the others hold is not in it, so it cannot be gone on with; ask whoever keeps the whole record", datum_text(d, "seen_by", "a player"));
        return NULL;
    }
    if (!data_check(f, d, &match_shape)) return NULL;
    match *m = memory_of(1, sizeof *m);
    m->game = text_copy(datum_text(d, "game", ""));
    m->title = text_copy(datum_text(d, "title", ""));
    m->began = text_copy(datum_text(d, "began", ""));
    m->at = datum_get(d, "at") ? text_copy(datum_text(d, "at", "")) : NULL;
    m->seed = strtoull(datum_text(d, "seed", "0"), NULL, 10);
    int64_t players = datum_number(d, "players", 0);
    if (players < 1 || players > 16) data_fault(f, datum_get(d, "players"), "E0803", "'players' must be 1 to 16");
    m->players = players < 1 || players > 16 ? 0 : (int)players;
    if (*m->began && !match_began(m)) data_fault(f, datum_get(d, "began"), "E0803", "'began' is a time such as \"2026-11-30T18:00:00Z\"");
    read_hash(f, m, datum_get(d, "hash"));
    read_options(f, m, datum_get(d, "options"));
    read_seats(m, datum_get(d, "seats"));
    read_moves(f, m, datum_get(d, "moves"));
    if (!f->failed) read_times(f, m, datum_get(d, "times"));
    read_result(f, m, datum_get(d, "result"));
    read_rules(f, m, datum_get(d, "rules"));
    return m;
}

/* Takes the file and its tree. */
static match *match_made(data_file *file, datum *d) {
    match *m = d ? match_of(file, d) : NULL;
    bool good = m && !file->failed;
    datum_free(d);
    if (good) {
        m->source = file->text, m->source_length = file->length;
        file->text = NULL;
    }
    data_file_free(file);
    if (good) return m;
    match_free(m);
    return NULL;
}

match *match_read(const char *path, joc_messages *messages) {
    data_file file;
    datum *d = data_read(&file, path, MATCH_LIMIT, messages);
    return match_made(&file, d);
}

match *match_parse(const char *path, const char *yaml, size_t length, joc_messages *messages) {
    data_file file;
    datum *d = data_parse(&file, path, yaml, length, messages);
    return match_made(&file, d);
}

void match_free(match *m) {
    if (!m) return;
    choices_free(&m->options);
    for (size_t i = 0; i < m->rule_count; i++) free(m->rules[i].name);
    for (int i = 0; i < m->players; i++) free(m->seats[i]), free(m->names[i]);
    for (size_t i = 0; i < m->move_count; i++) free(m->moves[i].text);
    free(m->source), free(m->rules), free(m->began), free(m->seats), free(m->names), free(m->moves);
    free(m->game), free(m->title), free(m->at), free(m->outcome), free(m->winner), free(m->reason);
    free(m);
}

/* ---- what has changed since --------------------------------------------------------------------------------------------------------- */
static const match_rule *rule_noted(const match *m, const char *name) {
    for (size_t i = 0; i < m->rule_count; i++)
        if (!strcmp(m->rules[i].name, name)) return &m->rules[i];
    return NULL;
}

static void tell(text *t, size_t *told, const char *what, const char *name) {
    enum { MOST = 12 };
    if (++*told == MOST + 1) text_add(t, "; and more");
    if (*told <= MOST) text_format(t, "%s%s %s", *told > 1 ? "; " : "", what, name);
}

char *match_changes(const match *m, const joc_rules *rules, const joc_game *g) {
    if (!m->hash || m->hash == joc_game_hash(g)) return NULL;
    text t = { 0 };
    size_t told = 0, order = 0;
    joc_items *all = joc_items_of(rules);
    for (size_t i = 0; m->rule_count && i < joc_items_count(all); i++) {
        joc_item item = joc_items_at(all, i);
        const match_rule *was = rule_noted(m, item.name);
        if (!item.plays || (was && was->print == print_of(&item))) continue;
        if (!strcmp(item.name, "order")) order++;
        else tell(&t, &told, was ? "changed:" : "new:", item.name);
    }
    for (size_t i = 0; i < m->rule_count; i++) {
        bool there = false;
        for (size_t k = 0; k < joc_items_count(all) && !there; k++) there = !strcmp(joc_items_at(all, k).name, m->rules[i].name);
        if (!there) tell(&t, &told, "gone:", m->rules[i].name);
    }
    joc_items_free(all);
    if (!told && order) text_add(&t, "the order of the declarations");
    else if (!told && !m->rule_count) text_add(&t, "the record does not say what they were");
    else if (!told) text_add(&t, "every declaration reads as it did: a map, or Joc itself, is another");
    return text_take(&t);
}

/* ---- playing again ------------------------------------------------------------------------------------------------------------------ */
static void refuse(const match *m, const char *path, size_t i, const char *why, joc_messages *messages) {
    const match_move *played = &m->moves[i];
    text t = { 0 };
    text_format(&t, "move %zu of the record, '%s', is not possible: %s", i + 1, played->text, why);
    if (m->source) joc_messages_add(messages, "E0806", path, m->source, m->source_length, played->from, played->to, t.data);
    else joc_messages_add(messages, "E0806", path, played->text, strlen(played->text), 0, strlen(played->text), t.data);
    text_free(&t);
}

static const joc_move *exact(const joc_moves *list, const char *s) {
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), s)) return joc_moves_at(list, i);
    return NULL;
}

bool match_replay_one(const match *m, size_t i, joc_position *p, const char *path, joc_messages *messages) {
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
        if (!match_replay_one(m, *done, p, path, messages)) {
            joc_position_free(p);
            return NULL;
        }
    return p;
}
