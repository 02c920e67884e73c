/* Positions from text: boards, the fields of notations, lists. What a text leaves out stays at its start. A reader stops at the first fault,
 * with its place in the text. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/position.h"

bool read_fault(reader *r, const char *at, size_t length, const char *code, const char *format, ...) {
    if (r->failed) return false;
    char words[400];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    size_t from = (size_t)(at - r->text);
    joc_messages_add(r->messages, code, "position", r->text, r->length, from, from + length, words);
    r->failed = true;
    return false;
}

bool word_is(word w, const char *s) { return strlen(s) == w.n && !memcmp(w.s, s, w.n); }

bool number_of(word w, int64_t *value) {
    char copy[24], *end;
    if (!w.n || w.n >= sizeof copy) return false;
    memcpy(copy, w.s, w.n);
    copy[w.n] = 0;
    errno = 0;
    *value = strtoll(copy, &end, 10);
    return !*end && !errno && (isdigit((unsigned char)copy[0]) || (copy[0] == '-' && isdigit((unsigned char)copy[1])));
}

bool next_word(const char **s, const char *end, char stop, word *w) {
    if (*s >= end) return false;
    const char *to = memchr(*s, stop, (size_t)(end - *s));
    *w = (word){ *s, (size_t)((to ? to : end) - *s) };
    *s = to ? to + 1 : end;
    return true;
}

/* ---- boards ------------------------------------------------------------------------------------------------------------------------- */

/* The longest of the notation's letters at the beginning of `s`, with its marks; bytes, 0 if none. */
static size_t notation_letter(const reader *r, const char *s, size_t n, int *owner, int *kind) {
    size_t best = 0;
    for (int o = 0; o < 2 && o < joc_game_players(r->game); o++)
        for (int k = 0; k < joc_game_kinds(r->game); k++) {
            char *letter = notation_letter_of(r->notation, o, k);
            size_t length = strlen(letter);
            if (length > best && length <= n && !memcmp(letter, s, length)) best = length, *owner = o, *kind = k;
            free(letter);
        }
    return best;
}

/* Marks of pieces at `s`, before (or after) the letter: their keeps are noted. */
static size_t read_marks(const notation_field *f, const char *s, size_t n, bool after, bool *noted) {
    size_t used = 0;
    for (size_t i = 0; i < f->mark_count; i++) {
        size_t length = strlen(f->marks[i].mark);
        if (f->marks[i].after != after || !length || used + length > n || memcmp(f->marks[i].mark, s + used, length)) continue;
        noted[i] = true;
        used += length;
        i = (size_t)-1;                 /* another may follow */
    }
    return used;
}

static size_t read_notation_piece(reader *r, const notation_field *f, const char *s, size_t n, int cell) {
    bool noted[MARKS_MAX] = { false };
    int owner, kind;
    size_t at = read_marks(f, s, n, false, noted), letter = notation_letter(r, s + at, n - at, &owner, &kind);
    if (!letter) {                      /* the letter itself may begin as the mark does */
        memset(noted, 0, sizeof noted);
        at = 0;
        letter = notation_letter(r, s, n, &owner, &kind);
    }
    if (!letter) return 0;
    at += letter;
    at += read_marks(f, s + at, n - at, true, noted);
    if (!joc_put(r->position, cell, owner, kind)) {
        read_fault(r, s, at, "E0812", "no room for '%.*s' on %s", (int)at, s, joc_cell_name(r->game, cell));
        return 0;
    }
    for (size_t i = 0; i < f->mark_count; i++)
        if (noted[i] && f->marks[i].keep >= 0) joc_set_piece_value(r->position, cell, 0, f->marks[i].keep, 1);
    return at;
}

static size_t read_generic_piece(reader *r, const char *s, size_t n, int place) {
    int owner, kind;
    size_t used = 0;
    if (*s == '<') {
        const char *close = memchr(s, '>', n);
        if (!close || !label_find(r->labels, s + 1, (size_t)(close - s) - 1, &owner, &kind)) return 0;
        used = (size_t)(close - s) + 1;
    } else used = label_match(r->labels, s, &owner, &kind);
    if (!used || used > n) return 0;
    if (joc_put(r->position, place, owner, kind)) return used;
    text where = { 0 };
    place_add(&where, r->game, place);
    read_fault(r, s, used, "E0812", "no room for '%.*s' on %s", (int)used, s, where.data);
    text_free(&where);
    return 0;
}

bool read_unknown_piece(reader *r, const char *s, size_t n) {
    size_t one = text_character(s);
    return read_fault(r, s, one < n ? one : n, "E0812", "no piece is written '%.*s' here", (int)(one < n ? one : n), s);
}

/* The pieces of one cell; gives the bytes used, 0 with a fault. */
static size_t read_cell(reader *r, const notation_field *f, const char *s, size_t n, int cell) {
    if (f) {
        size_t used = read_notation_piece(r, f, s, n, cell);
        if (used || r->failed) return used;
    }
    if (*s != '(') {
        size_t used = read_generic_piece(r, s, n, cell);
        if (!used) read_unknown_piece(r, s, n);
        return used;
    }
    const char *close = memchr(s, ')', n);
    if (!close) {
        read_fault(r, s, 1, "E0811", "a stack begins with '(' and ends with ')'");
        return 0;
    }
    for (const char *at = s + 1; at < close;) {
        size_t used = read_generic_piece(r, at, (size_t)(close - at), cell);
        if (!used) {
            read_unknown_piece(r, at, (size_t)(close - at));
            return 0;
        }
        at += used;
    }
    return (size_t)(close - s) + 1;
}

static bool read_row(reader *r, const notation_field *f, word row, const int *cells, int count, int number) {
    int at = 0;
    for (const char *s = row.s, *end = row.s + row.n; s < end;) {
        if (isdigit((unsigned char)*s)) {
            const char *from = s;
            int empty = 0;
            while (s < end && isdigit((unsigned char)*s) && empty < 100000) empty = 10 * empty + (*s++ - '0');
            at += empty;
            if (at > count) return read_fault(r, from, (size_t)(s - from), "E0811", "row %d from the top has %d cells; this makes %d", number, count, at);
            continue;
        }
        if (at == count) return read_fault(r, s, 1, "E0811", "row %d from the top has only %d cells", number, count);
        size_t used = read_cell(r, f, s, (size_t)(end - s), cells[at]);
        if (!used) return false;
        s += used;
        at++;
    }
    if (at < count) return read_fault(r, row.s, row.n, "E0811", "row %d from the top has %d cells; this makes %d", number, count, at);
    return true;
}

static bool read_rows(reader *r, const notation_field *f, word board) {
    board_rows rows = rows_of(r->game);
    const char *s = board.s, *end = board.s + board.n;
    bool good = true;
    for (int i = 0; good && i < rows.rows; i++) {
        const char *slash = memchr(s, '/', (size_t)(end - s)), *to = slash ? slash : end;
        int first = i ? rows.end_of_row[i - 1] : 0;
        if (i + 1 < rows.rows && !slash) good = read_fault(r, s, (size_t)(end - s), "E0811", "the board has %d rows; expected another '/'", rows.rows);
        else good = read_row(r, f, (word){ s, (size_t)(to - s) }, rows.cells + first, rows.end_of_row[i] - first, i + 1);
        if (good && i + 1 == rows.rows && slash) good = read_fault(r, slash, 1, "E0811", "the board has %d rows; here begins another", rows.rows);
        s = slash ? slash + 1 : end;
    }
    rows_free(&rows);
    return good;
}

static bool read_map(reader *r, word board) {
    const char *s = board.s, *end = board.s + board.n;
    word w;
    while (next_word(&s, end, ',', &w)) {
        const char *colon = memchr(w.s, ':', w.n);
        int cell = colon ? place_find(r->game, w.s, (size_t)(colon - w.s)) : -1;
        if (cell < 0 || cell >= joc_game_cells(r->game)) return read_fault(r, w.s, w.n, "E0811", "expected CELL:PIECE; '%.*s' names no cell", (int)w.n, w.s);
        for (const char *at = colon + 1; at < w.s + w.n;) {
            size_t used = read_cell(r, NULL, at, (size_t)(w.s + w.n - at), cell);
            if (!used) return false;
            at += used;
        }
    }
    return true;
}

static bool read_board(reader *r, const notation_field *f, word board) {
    if (word_is(board, "-")) return true;
    if (!joc_game_cells(r->game)) return read_fault(r, board.s, board.n, "E0811", "this game has no board; expected '-'");
    return joc_game_shape(r->game) == JOC_BOARD_MAP ? read_map(r, board) : read_rows(r, f, board);
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------- */
static bool read_mover(reader *r, word w) {
    int player = -1;
    for (int i = 0; r->notation && i < joc_game_players(r->game); i++)
        if (word_is(w, r->notation->players[i])) player = i;
    if (player < 0) player = player_find(r->game, w.s, w.n);
    if (player < 0) return read_fault(r, w.s, w.n, "E0814", "expected who is to move; '%.*s' is no player", (int)w.n, w.s);
    joc_set_mover(r->position, player);
    return true;
}

static bool read_pocket(reader *r, const notation_field *f, word w, bool counted) {
    int64_t count = 1;
    if (word_is(w, "-")) return true;
    for (const char *s = w.s, *end = w.s + w.n; s < end;) {
        if (isdigit((unsigned char)*s)) {
            const char *from = s;
            while (s < end && isdigit((unsigned char)*s)) s++;
            if (!counted || !number_of((word){ from, (size_t)(s - from) }, &count) || count > 1000) return read_fault(r, from, (size_t)(s - from), "E0812", "expected pieces");
            continue;
        }
        int owner, kind;
        size_t used = notation_letter(r, s, (size_t)(end - s), &owner, &kind);
        int zone = used ? zone_of_player(r->game, f->zone, owner) : -1;
        if (!used) return read_unknown_piece(r, s, (size_t)(end - s));
        if (zone < 0) return read_fault(r, s, used, "E0813", "this game has no such zone for pieces in hand");
        for (int64_t i = 0; i < count; i++)
            if (!joc_put(r->position, joc_game_cells(r->game) + zone, owner, kind)) return read_fault(r, s, used, "E0812", "no room for '%.*s' in hand", (int)used, s);
        count = 1;
        s += used;
    }
    return true;
}

static bool read_board_field(reader *r, const notation_field *f, word w) {
    const char *bracket = memchr(w.s, '[', w.n);
    if (!bracket) return read_board(r, f, w);
    size_t before = (size_t)(bracket - w.s);
    if (w.s[w.n - 1] != ']') return read_fault(r, bracket, 1, "E0811", "'[' without ']'");
    word pocket = { bracket + 1, w.n - before - 2 };
    return read_board(r, f, (word){ w.s, before }) && (!pocket.n || read_pocket(r, f, pocket, false));
}

/* The player's piece of kind `on` in column `letter` of the row of `from` (any row if -1). */
static int in_column(const reader *r, int player, int on, int from, word letter) {
    int x, y = 0, owner, kind, found = -1;
    if (from >= 0) joc_cell_xy(r->game, from, &x, &y);
    for (int i = 0; i < joc_game_cells(r->game) && found < 0; i++) {
        int cx, cy;
        joc_cell_xy(r->game, i, &cx, &cy);
        if ((from >= 0 && cy != y) || !joc_piece(r->position, i, 0, &owner, &kind) || owner != player || kind != on) continue;
        char *column = column_letter(r->game, i, player);
        if (word_is(letter, column)) found = i;
        free(column);
    }
    return found;
}

static bool read_right(reader *r, const notation_field *f, word letter) {
    for (int player = 0; player < 2 && player < joc_game_players(r->game); player++) {
        char *east = text_cased(f->east, player == 0), *west = text_cased(f->west, player == 0), *any = strndup(letter.s, letter.n), *own = text_cased(any, player == 0);
        bool mine = !strcmp(any, own), to_east = word_is(letter, east), to_west = word_is(letter, west);
        free(east), free(west), free(any), free(own);
        if (!mine) continue;
        int beside = f->beside >= 0 ? cell_of_kind(r->position, player, f->beside) : -1, cell = -1;
        if (beside >= 0 && (to_east || to_west)) cell = outermost(r->position, player, f->on, beside, to_east);
        if (cell < 0) cell = in_column(r, player, f->on, beside, letter);
        if (cell < 0 || !joc_set_piece_value(r->position, cell, 0, f->keep, 1)) break;
        return true;
    }
    return read_fault(r, letter.s, letter.n, "E0813", "no %s stands where '%.*s' says", f->on >= 0 ? joc_kind_name(r->game, f->on) : "piece", (int)letter.n, letter.s);
}

static bool read_rights(reader *r, const notation_field *f, word w) {
    if (word_is(w, "-") || f->keep < 0) return true;
    for (size_t at = 0; at < w.n;) {
        size_t one = text_character(w.s + at);
        if (!read_right(r, f, (word){ w.s + at, one })) return false;
        at += one;
    }
    return true;
}

static bool read_flagged_cell(reader *r, const notation_field *f, word w) {
    if (word_is(w, "-") || f->keep < 0) return true;
    int cell = place_find(r->game, w.s, w.n);
    if (cell < 0 || cell >= joc_game_cells(r->game) || !joc_set_keep(r->position, f->keep, cell, 1)) return read_fault(r, w.s, w.n, "E0813", "'%.*s' is no cell", (int)w.n, w.s);
    return true;
}

static bool read_number(reader *r, const notation_field *f, word w) {
    const char *s = w.s, *end = w.s + w.n;
    word one;
    for (int i = 0; next_word(&s, end, f->per_player ? '+' : ' ', &one); i++) {
        int64_t n;
        if (!number_of(one, &n)) return read_fault(r, one.s, one.n, "E0813", "expected a number, found '%.*s'", (int)one.n, one.s);
        if (f->keep < 0) continue;
        if ((f->per_player && i >= joc_game_players(r->game)) || !joc_set_keep(r->position, f->keep, i, n)) return read_fault(r, one.s, one.n, "E0813", "'%s' cannot be %.*s", joc_keep_name(r->game, f->keep), (int)one.n, one.s);
    }
    return true;
}

static bool read_turn(reader *r, const notation_field *f, word w) {
    int64_t n;
    if (!number_of(w, &n) || n < 0 || n > 1000000) return read_fault(r, w.s, w.n, "E0813", "expected the number of the round, found '%.*s'", (int)w.n, w.s);
    r->round = n ? (int)n : 1;
    r->per_move = f->per_move;
    return true;
}

static bool read_field(reader *r, const notation_field *f, word w) {
    switch (f->sort) {
    case FIELD_BOARD: return read_board_field(r, f, w);
    case FIELD_MOVER: return read_mover(r, w);
    case FIELD_RIGHTS: return read_rights(r, f, w);
    case FIELD_CELL: return read_flagged_cell(r, f, w);
    case FIELD_NUMBER: return read_number(r, f, w);
    case FIELD_HANDS: return read_pocket(r, f, w, true);
    case FIELD_TURN: return read_turn(r, f, w);
    case FIELD_TEXT: return true;
    }
    return true;
}

/* ---- texts -------------------------------------------------------------------------------------------------------------------------- */
/* The fields in their order, then NAME=VALUE; fields at the end may be missing. */
static bool read_words(reader *r, const char *s) {
    bool foreign = r->notation && !r->notation->list;
    size_t field = 0, fields = foreign ? r->notation->field_count : 2;
    for (const char *end = r->text + r->length; s < end;) {
        size_t n = strcspn(s, " \t\r\n");
        word w = { s, n };
        const char *equals = memchr(s, '=', n);
        int64_t number;
        bool good = true;
        if (!n) n = 1;
        else if (equals && field) {
            good = read_item(r, (word){ s, (size_t)(equals - s) }, (word){ s, 0 }, (word){ equals + 1, n - (size_t)(equals - s) - 1 });
            field = fields;
        } else if (field < fields) good = foreign ? read_field(r, &r->notation->fields[field], w) : field ? read_mover(r, w) : read_board(r, NULL, w), field++;
        else if (!word_is(w, "-") && !number_of(w, &number))                    /* else a field of FEN as other programs write it */
            good = read_fault(r, s, n, "E0813", "expected NAME=VALUE, found '%.*s'", (int)n, s);
        if (!good) return false;
        s += n;
    }
    for (; foreign && field < fields; field++)          /* left out: everybody has had a turn */
        if (r->notation->fields[field].sort == FIELD_TURN && !r->notation->fields[field].per_move) r->round = 2;
    return true;
}

static bool read_list_cells(reader *r, int player, word w) {
    int best = -1, cell = -1;
    size_t best_length = 0;
    for (int k = 0; k < joc_game_kinds(r->game); k++) {
        size_t n = strlen(r->notation->letters[k]);
        if (n > w.n || memcmp(r->notation->letters[k], w.s, n) || (best >= 0 && n <= best_length)) continue;
        word rest = { w.s + n, w.n - n };
        const char *dash = memchr(rest.s, '-', rest.n);
        int at = place_find(r->game, rest.s, dash ? (size_t)(dash - rest.s) : rest.n);
        if (at < 0) continue;
        best = k, best_length = n, cell = at;
    }
    if (best < 0) return read_fault(r, w.s, w.n, "E0812", "'%.*s' is no cell (with the letter of a piece before it)", (int)w.n, w.s);
    const char *dash = memchr(w.s, '-', w.n);
    int64_t from = 0, to = 0;
    if (dash && (!number_of((word){ w.s + best_length, (size_t)(dash - w.s) - best_length }, &from) || !number_of((word){ dash + 1, w.n - (size_t)(dash - w.s) - 1 }, &to) || to < from || to - from > 1000))
        return read_fault(r, w.s, w.n, "E0811", "expected a range of numbered cells");
    for (int64_t i = from; i <= to; i++) {
        char name[24];
        snprintf(name, sizeof name, "%" PRId64, i);
        if (dash) cell = place_find(r->game, name, strlen(name));
        if (cell < 0 || cell >= joc_game_cells(r->game) || !joc_put(r->position, cell, player, best)) return read_fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
    }
    return true;
}

static int list_player(const reader *r, word w, size_t *used) {
    for (int i = 0; i < joc_game_players(r->game); i++) {
        size_t n = strlen(r->notation->players[i]);
        if (n <= w.n && !memcmp(r->notation->players[i], w.s, n)) {
            *used = n;
            return i;
        }
    }
    return -1;
}

static bool is_list(const reader *r, const char *s) {
    size_t used, n = strcspn(s, ":/ \n");
    return r->notation && r->notation->list && s[n] == ':' && list_player(r, (word){ s, n }, &used) >= 0 && used == n;
}

static bool read_list(reader *r, const char *s) {
    const char *end = s;
    while (*end && !isspace((unsigned char)*end)) end++;
    const char *rest = end;
    if (end > s && end[-1] == '.') end--;
    word section;
    for (int i = 0; next_word(&s, end, ':', &section); i++) {
        size_t used = 0;
        int player = list_player(r, section, &used);
        if (player < 0) return read_fault(r, section.s, section.n, "E0814", "'%.*s' does not begin with a player's letter", (int)section.n, section.s);
        if (!i) {
            joc_set_mover(r->position, player);
            continue;
        }
        const char *at = section.s + used;
        word w;
        while (next_word(&at, section.s + section.n, ',', &w))
            if (w.n && !read_list_cells(r, player, w)) return false;
    }
    for (const char *at = rest; *at;) {
        while (isspace((unsigned char)*at)) at++;
        size_t n = strcspn(at, " \t\r\n");
        const char *equals = memchr(at, '=', n);
        if (n && !equals) return read_fault(r, at, n, "E0813", "expected NAME=VALUE, found '%.*s'", (int)n, at);
        if (n && !read_item(r, (word){ at, (size_t)(equals - at) }, (word){ at, 0 }, (word){ equals + 1, n - (size_t)(equals - at) - 1 })) return false;
        at += n;
    }
    return true;
}

joc_position *joc_position_parse(const joc_game *g, const char *s, joc_messages *m) {
    reader r = { .game = g, .text = s, .length = strlen(s), .messages = m, .round = -1 };
    const char *from = s, *end = s + r.length;
    while (*from == ' ' || *from == '\t') from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    if (end == from) {
        read_fault(&r, s, 0, "E0811", "no position: the text is empty");
        return NULL;
    }
    size_t errors = joc_messages_errors(m);
    notation *n = notation_of(g, m);
    if (joc_messages_errors(m) > errors) return NULL;
    r.notation = n;
    r.labels = labels_new(g, false);
    r.position = joc_empty(g);
    joc_set_turns(r.position, joc_game_players(g));
    bool good = memchr(from, '\n', (size_t)(end - from)) ? read_drawing(&r, from) : is_list(&r, from) ? read_list(&r, from) : read_words(&r, from);
    if (good && r.round > 0 && !r.turns_given) joc_set_turns(r.position, r.per_move ? r.round - 1 : (r.round - 1) * joc_game_players(g) + joc_mover(r.position));
    if (good) joc_settle(r.position);
    labels_free(r.labels);
    notation_free(n);
    if (good) return r.position;
    joc_position_free(r.position);
    return NULL;
}
