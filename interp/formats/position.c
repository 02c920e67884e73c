/* Positions as text: what docs/notation.md says, written and read.
 *
 * Writing goes field by field (the notation's, or board and mover) and then lists the items that no field has told (interp/play/label.h).
 * Reading marks nothing as told: what a text leaves out stays at its start. A reader stops at the first fault, with its place in the text. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/notation.h"
#include "interp/play/drawing.h"
#include "interp/play/label.h"

/* ==== rows: cells from the top, from the west ======================================================================================== */
typedef struct { int count, *cells, *end_of_row; int rows; } board_rows;       /* end_of_row[r]: index after the row's last cell */
typedef struct { int x, y, cell; } spot;

static int spot_compare(const void *a, const void *b) {
    const spot *p = a, *q = b;
    if (p->y != q->y) return p->y > q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static board_rows rows_of(const joc_game *g) {
    board_rows r = { .count = joc_game_cells(g) };
    spot *spots = memory_of((size_t)r.count, sizeof *spots);
    r.cells = memory_of((size_t)r.count, sizeof(int));
    r.end_of_row = memory_of((size_t)r.count, sizeof(int));
    for (int i = 0; i < r.count; i++) {
        spots[i].cell = i;
        joc_cell_xy(g, i, &spots[i].x, &spots[i].y);
    }
    qsort(spots, (size_t)r.count, sizeof *spots, spot_compare);
    for (int i = 0; i < r.count; i++) {
        if (i && spots[i].y != spots[i - 1].y) r.rows++;
        r.cells[i] = spots[i].cell;
        r.end_of_row[r.rows] = i + 1;
    }
    if (r.count) r.rows++;
    free(spots);
    return r;
}

static void rows_free(board_rows *r) {
    free(r->cells);
    free(r->end_of_row);
}

/* ==== writing ======================================================================================================================== */
typedef struct {
    const joc_position *position;
    const joc_game *game;
    const notation *notation;           /* NULL: Joc's own text */
    labels *labels;
    text out;
    bool *keep_told, *zone_told;
    bool turns_told;
} writer;

static void write_generic_piece(writer *w, int owner, int kind) {
    if (label_is_bare(w->labels, owner, kind)) text_add(&w->out, label_of(w->labels, owner, kind));
    else if (strlen(label_of(w->labels, owner, kind)) <= 4) text_format(&w->out, "<%s>", label_of(w->labels, owner, kind));
    else text_format(&w->out, "<%s.%s>", player_name(w->game, owner), joc_kind_name(w->game, kind));
}

static char *letter_for(const notation *n, int owner, int kind) { return text_cased(n->letters[kind], owner == 0); }

static void write_marked_piece(writer *w, const notation_field *f, int place, int level, int owner, int kind) {
    char *letter = letter_for(w->notation, owner, kind);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < f->mark_count; i++)
            if (f->marks[i].after == (pass == 1) && f->marks[i].keep >= 0 && joc_piece_value(w->position, place, level, f->marks[i].keep)) text_add(&w->out, f->marks[i].mark);
        if (!pass) text_add(&w->out, letter);
    }
    free(letter);
}

/* A cell's pieces. A notation's letters are used where they can be: one piece of one of two players. */
static void write_cell(writer *w, const notation_field *f, int cell) {
    int height = joc_height(w->position, cell), owner, kind;
    if (height == 1 && f && joc_piece(w->position, cell, 0, &owner, &kind) && owner >= 0 && owner < 2) {
        write_marked_piece(w, f, cell, 0, owner, kind);
        return;
    }
    if (height > 1) text_add(&w->out, "(");
    for (int level = height; level-- > 0;)
        if (joc_piece(w->position, cell, level, &owner, &kind)) write_generic_piece(w, owner, kind);
    if (height > 1) text_add(&w->out, ")");
}

static void write_map(writer *w) {
    bool some = false;
    for (int i = 0; i < joc_game_cells(w->game); i++) {
        if (!joc_height(w->position, i)) continue;
        text_format(&w->out, "%s%s:", some ? "," : "", joc_cell_name(w->game, i));
        write_cell(w, NULL, i);
        some = true;
    }
    if (!some) text_add(&w->out, "-");
}

static void write_rows(writer *w, const notation_field *f) {
    board_rows rows = rows_of(w->game);
    for (int r = 0, i = 0; r < rows.rows; r++) {
        int empty = 0;
        if (r) text_add(&w->out, "/");
        for (; i < rows.end_of_row[r]; i++) {
            if (!joc_height(w->position, rows.cells[i])) {
                empty++;
                continue;
            }
            if (empty) text_format(&w->out, "%d", empty), empty = 0;
            write_cell(w, f, rows.cells[i]);
        }
        if (empty) text_format(&w->out, "%d", empty);
    }
    rows_free(&rows);
}

static void write_board(writer *w, const notation_field *f) {
    if (!joc_game_cells(w->game)) text_add(&w->out, "-");
    else if (joc_game_shape(w->game) == JOC_BOARD_MAP) write_map(w);
    else write_rows(w, f);
    if (!f) return;
    for (size_t i = 0; i < f->mark_count; i++)
        if (f->marks[i].keep >= 0) w->keep_told[f->marks[i].keep] = true;
}

/* Pieces in the players' zones: "QRb", or with counts "2P3p". */
static void write_hands(writer *w, const notation_field *f, bool counted) {
    size_t before = w->out.length;
    for (int player = 0; player < joc_game_players(w->game) && player < 2; player++) {
        int zone = zone_of_player(w->game, f->zone, player), place = joc_game_cells(w->game) + zone, owner, kind;
        if (zone < 0) continue;
        w->zone_told[zone] = true;
        for (int k = 0; k < joc_game_kinds(w->game); k++) {
            int count = 0;
            for (int i = 0; i < joc_height(w->position, place); i++)
                if (joc_piece(w->position, place, i, &owner, &kind) && kind == k) count++;
            char *letter = letter_for(w->notation, player, k);
            if (counted && count > 1) text_format(&w->out, "%d", count);
            text_add_times(&w->out, letter, counted ? count > 0 : count);
            free(letter);
        }
    }
    if (w->out.length == before && counted) text_add(&w->out, "-");
}

/* ---- rights ------------------------------------------------------------------------------------------------------------------------- */

/* The cell of the player's piece of this kind, -1. */
static int cell_of_kind(const joc_position *p, int player, int kind) {
    int owner, k;
    for (int i = 0; i < joc_game_cells(joc_position_game(p)); i++)
        if (joc_piece(p, i, 0, &owner, &k) && owner == player && k == kind) return i;
    return -1;
}

/* The player's outermost piece of kind `on` east (or west) of `from` in its row, -1. */
static int outermost(const joc_position *p, int player, int on, int from, bool east) {
    const joc_game *g = joc_position_game(p);
    int x, y, found = -1, found_x = 0, owner, kind;
    joc_cell_xy(g, from, &x, &y);
    for (int i = 0; i < joc_game_cells(g); i++) {
        int cx, cy;
        joc_cell_xy(g, i, &cx, &cy);
        if (cy != y || (east ? cx <= x : cx >= x) || !joc_piece(p, i, 0, &owner, &kind) || owner != player || kind != on) continue;
        if (found < 0 || (east ? cx > found_x : cx < found_x)) found = i, found_x = cx;
    }
    return found;
}

static char *column_letter(const joc_game *g, int cell, int player) {
    const char *name = joc_cell_name(g, cell);
    size_t n = strlen(name);
    while (n > 1 && isdigit((unsigned char)name[n - 1])) n--;
    char *head = strndup(name, n), *cased = text_cased(head, player == 0);
    free(head);
    return cased;
}

static void write_rights(writer *w, const notation_field *f) {
    size_t before = w->out.length;
    const joc_position *p = w->position;
    if (f->keep >= 0) w->keep_told[f->keep] = true;
    for (int player = 0; f->keep >= 0 && f->on >= 0 && player < 2 && player < joc_game_players(w->game); player++) {
        int beside = f->beside >= 0 ? cell_of_kind(p, player, f->beside) : -1, x = 0, y = 0;
        if (beside >= 0) joc_cell_xy(w->game, beside, &x, &y);
        for (int pass = 0; pass < 2; pass++)                                     /* east first */
            for (int i = joc_game_cells(w->game); i-- > 0;) {
                int owner, kind, cx, cy;
                if (!joc_piece(p, i, 0, &owner, &kind) || owner != player || kind != f->on || !joc_piece_value(p, i, 0, f->keep)) continue;
                joc_cell_xy(w->game, i, &cx, &cy);
                if ((cx > x) != (pass == 0)) continue;
                bool outer = beside >= 0 && cy == y && outermost(p, player, f->on, beside, pass == 0) == i;
                char *letter = outer ? text_cased(pass ? f->west : f->east, player == 0) : column_letter(w->game, i, player);
                text_add(&w->out, letter);
                free(letter);
            }
    }
    if (w->out.length == before) text_add(&w->out, "-");
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------- */
static void write_flagged_cell(writer *w, const notation_field *f) {
    int found = -1;
    for (int i = 0; f->keep >= 0 && i < joc_game_cells(w->game); i++)
        if (joc_keep_value(w->position, f->keep, i)) found = found == -1 ? i : -2;
    if (found >= 0) text_add(&w->out, joc_cell_name(w->game, found));
    else text_add(&w->out, "-");
    if (f->keep >= 0 && found != -2) w->keep_told[f->keep] = true;              /* several: told as an item */
}

static void write_number(writer *w, const notation_field *f) {
    if (f->keep >= 0) w->keep_told[f->keep] = true;
    int count = f->per_player ? joc_game_players(w->game) : 1;
    for (int i = 0; i < count; i++) text_format(&w->out, "%s%" PRId64, i ? "+" : "", f->keep >= 0 ? joc_keep_value(w->position, f->keep, i) : 0);
}

static void write_turn(writer *w, const notation_field *f) {
    int turns = joc_turns(w->position), players = joc_game_players(w->game);
    text_format(&w->out, "%d", (f->per_move ? turns : turns / players) + 1);
    w->turns_told = f->per_move || turns % players == joc_mover(w->position);
}

static void write_field(writer *w, const notation_field *f) {
    switch (f->sort) {
    case FIELD_BOARD:
        write_board(w, f);
        if (f->zone >= 0) text_add(&w->out, "["), write_hands(w, f, false), text_add(&w->out, "]");
        break;
    case FIELD_MOVER: text_add(&w->out, w->notation->players[joc_mover(w->position)]); break;
    case FIELD_RIGHTS: write_rights(w, f); break;
    case FIELD_CELL: write_flagged_cell(w, f); break;
    case FIELD_NUMBER: write_number(w, f); break;
    case FIELD_HANDS: write_hands(w, f, true); break;
    case FIELD_TURN: write_turn(w, f); break;
    case FIELD_TEXT: text_add(&w->out, f->text); break;
    }
}

/* W:W21,22,K30:B1,2 */
static void write_list(writer *w) {
    text_add(&w->out, w->notation->players[joc_mover(w->position)]);
    for (int player = 0; player < joc_game_players(w->game); player++) {
        text_format(&w->out, ":%s", w->notation->players[player]);
        bool some = false;
        for (int i = 0; i < joc_game_cells(w->game); i++) {
            int owner, kind;
            if (!joc_piece(w->position, i, 0, &owner, &kind) || owner != player) continue;
            text_format(&w->out, "%s%s%s", some ? "," : "", w->notation->letters[kind], joc_cell_name(w->game, i));
            some = true;
        }
    }
}

static void write_items(writer *w) {
    items list = items_of(w->position, -1);
    for (size_t i = 0; i < list.count; i++) {
        const item *it = &list.items[i];
        if (it->sort == ITEM_KEEP && w->keep_told[it->index]) continue;
        if (it->sort == ITEM_ZONE && w->zone_told[it->index]) continue;
        if (it->sort == ITEM_TURNS && w->turns_told) continue;
        text_format(&w->out, " %s=%s", it->name, it->value);
    }
    if (w->turns_told == false && w->notation && !w->notation->list && joc_turns(w->position) == joc_game_players(w->game)) {
        bool field = false;
        for (size_t i = 0; i < w->notation->field_count; i++) field = field || w->notation->fields[i].sort == FIELD_TURN;
        if (field) text_format(&w->out, " turns=%d", joc_turns(w->position));
    }
    items_free(&list);
}

/* A list cannot say stacks nor neutral pieces. */
static bool list_fits(const joc_position *p) {
    int owner, kind;
    for (int i = 0; i < joc_game_cells(joc_position_game(p)); i++)
        if (joc_height(p, i) > 1 || (joc_piece(p, i, 0, &owner, &kind) && owner < 0)) return false;
    return true;
}

char *joc_position_text(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    notation *n = notation_of(g, NULL);
    writer w = { .position = p, .game = g, .notation = n, .labels = labels_new(g, false) };
    w.keep_told = memory_of((size_t)joc_game_keeps(g), sizeof(bool));
    w.zone_told = memory_of((size_t)joc_game_zones(g), sizeof(bool));
    if (n && n->list && list_fits(p)) write_list(&w);
    else if (n && !n->list) {
        for (size_t i = 0; i < n->field_count; i++) {
            if (i) text_add(&w.out, " ");
            write_field(&w, &n->fields[i]);
        }
    } else {
        write_board(&w, NULL);
        text_format(&w.out, " %s", player_name(g, joc_mover(p)));
    }
    write_items(&w);
    free(w.keep_told);
    free(w.zone_told);
    labels_free(w.labels);
    notation_free(n);
    return text_take(&w.out);
}

/* ==== reading ======================================================================================================================== */
typedef struct {
    joc_position *position;
    const joc_game *game;
    const notation *notation;
    labels *labels;
    joc_messages *messages;
    const char *text;
    size_t length;
    bool failed, turns_given;
    int round;                          /* of a turn field, -1 none; needs the mover */
    bool per_move;
} reader;

typedef struct { const char *s; size_t n; } word;

static bool fault(reader *r, const char *at, size_t length, const char *code, const char *format, ...) __attribute__((format(printf, 5, 6)));
static bool fault(reader *r, const char *at, size_t length, const char *code, const char *format, ...) {
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

static bool word_is(word w, const char *s) { return strlen(s) == w.n && !memcmp(w.s, s, w.n); }

static bool number_of(word w, int64_t *value) {
    char copy[24], *end;
    if (!w.n || w.n >= sizeof copy) return false;
    memcpy(copy, w.s, w.n);
    copy[w.n] = 0;
    errno = 0;
    *value = strtoll(copy, &end, 10);
    return !*end && !errno && (isdigit((unsigned char)copy[0]) || (copy[0] == '-' && isdigit((unsigned char)copy[1])));
}

/* The next word up to one of `stops`; false at the end. */
static bool next_word(const char **s, const char *end, char stop, word *w) {
    if (*s > end || (*s == end && stop != ',')) return false;
    const char *from = *s;
    if (from >= end) return false;
    const char *to = memchr(from, stop, (size_t)(end - from));
    if (!to) to = end;
    *w = (word){ from, (size_t)(to - from) };
    *s = to < end ? to + 1 : end;
    return true;
}

/* ---- boards ------------------------------------------------------------------------------------------------------------------------- */

/* The longest of the notation's letters at the beginning of `s`, with its marks; bytes, 0 if none. */
static size_t notation_letter(const reader *r, const char *s, size_t n, int *owner, int *kind) {
    size_t best = 0;
    for (int o = 0; o < 2 && o < joc_game_players(r->game); o++)
        for (int k = 0; k < joc_game_kinds(r->game); k++) {
            char *letter = letter_for(r->notation, o, k);
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
        fault(r, s, at, "E0812", "no room for '%.*s' on %s", (int)at, s, joc_cell_name(r->game, cell));
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
    fault(r, s, used, "E0812", "no room for '%.*s' on %s", (int)used, s, where.data);
    text_free(&where);
    return 0;
}

static bool unknown_piece(reader *r, const char *s, size_t n) {
    size_t one = text_character(s);
    return fault(r, s, one < n ? one : n, "E0812", "no piece is written '%.*s' here", (int)(one < n ? one : n), s);
}

/* The pieces of one cell; gives the bytes used, 0 with a fault. */
static size_t read_cell(reader *r, const notation_field *f, const char *s, size_t n, int cell) {
    if (f) {
        size_t used = read_notation_piece(r, f, s, n, cell);
        if (used || r->failed) return used;
    }
    if (*s != '(') {
        size_t used = read_generic_piece(r, s, n, cell);
        if (!used) unknown_piece(r, s, n);
        return used;
    }
    const char *close = memchr(s, ')', n);
    if (!close) {
        fault(r, s, 1, "E0811", "a stack begins with '(' and ends with ')'");
        return 0;
    }
    for (const char *at = s + 1; at < close;) {
        size_t used = read_generic_piece(r, at, (size_t)(close - at), cell);
        if (!used) {
            unknown_piece(r, at, (size_t)(close - at));
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
            if (at > count) return fault(r, from, (size_t)(s - from), "E0811", "row %d from the top has %d cells; this makes %d", number, count, at);
            continue;
        }
        if (at == count) return fault(r, s, 1, "E0811", "row %d from the top has only %d cells", number, count);
        size_t used = read_cell(r, f, s, (size_t)(end - s), cells[at]);
        if (!used) return false;
        s += used;
        at++;
    }
    if (at < count) return fault(r, row.s, row.n, "E0811", "row %d from the top has %d cells; this makes %d", number, count, at);
    return true;
}

static bool read_rows(reader *r, const notation_field *f, word board) {
    board_rows rows = rows_of(r->game);
    const char *s = board.s, *end = board.s + board.n;
    bool good = true;
    for (int i = 0; good && i < rows.rows; i++) {
        const char *slash = memchr(s, '/', (size_t)(end - s)), *to = slash ? slash : end;
        int first = i ? rows.end_of_row[i - 1] : 0;
        if (i + 1 < rows.rows && !slash) good = fault(r, s, (size_t)(end - s), "E0811", "the board has %d rows; expected another '/'", rows.rows);
        else good = read_row(r, f, (word){ s, (size_t)(to - s) }, rows.cells + first, rows.end_of_row[i] - first, i + 1);
        if (good && i + 1 == rows.rows && slash) good = fault(r, slash, 1, "E0811", "the board has %d rows; here begins another", rows.rows);
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
        if (cell < 0 || cell >= joc_game_cells(r->game)) return fault(r, w.s, w.n, "E0811", "expected CELL:PIECE; '%.*s' names no cell", (int)w.n, w.s);
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
    if (!joc_game_cells(r->game)) return fault(r, board.s, board.n, "E0811", "this game has no board; expected '-'");
    return joc_game_shape(r->game) == JOC_BOARD_MAP ? read_map(r, board) : read_rows(r, f, board);
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------- */
static bool read_mover(reader *r, word w) {
    int player = -1;
    for (int i = 0; r->notation && i < joc_game_players(r->game); i++)
        if (word_is(w, r->notation->players[i])) player = i;
    if (player < 0) player = player_find(r->game, w.s, w.n);
    if (player < 0) return fault(r, w.s, w.n, "E0814", "expected who is to move; '%.*s' is no player", (int)w.n, w.s);
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
            if (!counted || !number_of((word){ from, (size_t)(s - from) }, &count) || count > 1000) return fault(r, from, (size_t)(s - from), "E0812", "expected pieces");
            continue;
        }
        int owner, kind;
        size_t used = notation_letter(r, s, (size_t)(end - s), &owner, &kind);
        int zone = used ? zone_of_player(r->game, f->zone, owner) : -1;
        if (!used) return unknown_piece(r, s, (size_t)(end - s));
        if (zone < 0) return fault(r, s, used, "E0813", "this game has no such zone for pieces in hand");
        for (int64_t i = 0; i < count; i++)
            if (!joc_put(r->position, joc_game_cells(r->game) + zone, owner, kind)) return fault(r, s, used, "E0812", "no room for '%.*s' in hand", (int)used, s);
        count = 1;
        s += used;
    }
    return true;
}

static bool read_board_field(reader *r, const notation_field *f, word w) {
    const char *bracket = memchr(w.s, '[', w.n);
    if (!bracket) return read_board(r, f, w);
    size_t before = (size_t)(bracket - w.s);
    if (w.s[w.n - 1] != ']') return fault(r, bracket, 1, "E0811", "'[' without ']'");
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
    return fault(r, letter.s, letter.n, "E0813", "no %s stands where '%.*s' says", f->on >= 0 ? joc_kind_name(r->game, f->on) : "piece", (int)letter.n, letter.s);
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
    if (cell < 0 || cell >= joc_game_cells(r->game) || !joc_set_keep(r->position, f->keep, cell, 1)) return fault(r, w.s, w.n, "E0813", "'%.*s' is no cell", (int)w.n, w.s);
    return true;
}

static bool read_number(reader *r, const notation_field *f, word w) {
    const char *s = w.s, *end = w.s + w.n;
    word one;
    for (int i = 0; next_word(&s, end, f->per_player ? '+' : ' ', &one); i++) {
        int64_t n;
        if (!number_of(one, &n)) return fault(r, one.s, one.n, "E0813", "expected a number, found '%.*s'", (int)one.n, one.s);
        if (f->keep < 0) continue;
        if ((f->per_player && i >= joc_game_players(r->game)) || !joc_set_keep(r->position, f->keep, i, n)) return fault(r, one.s, one.n, "E0813", "'%s' cannot be %.*s", joc_keep_name(r->game, f->keep), (int)one.n, one.s);
    }
    return true;
}

static bool read_turn(reader *r, const notation_field *f, word w) {
    int64_t n;
    if (!number_of(w, &n) || n < 0 || n > 1000000) return fault(r, w.s, w.n, "E0813", "expected the number of the round, found '%.*s'", (int)w.n, w.s);
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

/* ---- items -------------------------------------------------------------------------------------------------------------------------- */

/* PLACE or PLACE#LEVEL */
static bool read_place(reader *r, word w, int *place, int *level) {
    const char *hash = memchr(w.s, '#', w.n);
    int64_t n = 0;
    *place = place_find(r->game, w.s, hash ? (size_t)(hash - w.s) : w.n);
    if (*place < 0) return fault(r, w.s, w.n, "E0813", "no cell and no zone is named '%.*s'", (int)w.n, w.s);
    if (hash && (!number_of((word){ hash + 1, w.n - (size_t)(hash - w.s) - 1 }, &n) || n < 0 || n > 10000)) return fault(r, hash, 1, "E0813", "'#' wants the number of a piece, 0 for the top one");
    *level = (int)n;
    return true;
}

static int way_find(const joc_game *g, word w) {
    for (int i = 0; i < 256 && joc_way_name(g, i); i++)
        if (word_is(w, joc_way_name(g, i))) return i;
    return -1;
}

static bool read_value(reader *r, int keep, word w, int64_t *value) {
    joc_keep_type type = joc_keep_kind(r->game, keep);
    int found = -1;
    if (type == JOC_FLAG && (word_is(w, "yes") || word_is(w, "no"))) {
        *value = word_is(w, "yes");
        return true;
    }
    if (type == JOC_NUMBER && number_of(w, value)) return true;
    if (type != JOC_FLAG && type != JOC_NUMBER && word_is(w, "-")) {
        *value = -1;
        return true;
    }
    if (type == JOC_CELL_VALUE) found = place_find(r->game, w.s, w.n);
    if (type == JOC_KIND_VALUE) found = kind_find(r->game, w.s, w.n);
    if (type == JOC_PLAYER_VALUE) found = player_find(r->game, w.s, w.n);
    if (type == JOC_DIRECTION_VALUE) found = way_find(r->game, w);
    *value = found;
    return found >= 0 || fault(r, w.s, w.n, "E0813", "'%s' cannot be '%.*s'", joc_keep_name(r->game, keep), (int)w.n, w.s);
}

static bool does_not_fit(reader *r, int keep, word w) { return fault(r, w.s, w.n, "E0813", "'%.*s' does not fit '%s'", (int)w.n, w.s, joc_keep_name(r->game, keep)); }

/* PLACE, or PLACE:VALUE, separated by commas. */
static bool read_entries(reader *r, int keep, word list) {
    const char *s = list.s, *end = list.s + list.n;
    bool of_piece = joc_keep_of(r->game, keep) == JOC_OF_PIECE;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        const char *colon = memchr(w.s, ':', w.n);
        word where = { w.s, colon ? (size_t)(colon - w.s) : w.n };
        int place, level;
        int64_t value = 1;
        if (!read_place(r, where, &place, &level)) return false;
        if (!colon && joc_keep_kind(r->game, keep) != JOC_FLAG) return fault(r, w.s, w.n, "E0813", "expected PLACE:VALUE");
        if (colon && !read_value(r, keep, (word){ colon + 1, w.n - where.n - 1 }, &value)) return false;
        if (of_piece && level >= joc_height(r->position, place)) return fault(r, w.s, w.n, "E0813", "no piece stands on '%.*s'", (int)where.n, where.s);
        if (!(of_piece ? joc_set_piece_value(r->position, place, level, keep, value) : joc_set_keep(r->position, keep, place, value))) return does_not_fit(r, keep, w);
    }
    return true;
}

static bool read_zone(reader *r, int zone, word list) {
    const char *s = list.s, *end = list.s + list.n;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        const char *star = memchr(w.s, '*', w.n);
        word what = { w.s, star ? (size_t)(star - w.s) : w.n };
        const char *dot_in = memchr(what.s, '.', what.n);
        int owner = joc_zone_owner(r->game, zone);
        int64_t count = 1;
        if (dot_in) owner = player_find(r->game, what.s, (size_t)(dot_in - what.s));
        if (dot_in && owner == -1) return fault(r, what.s, what.n, "E0812", "no player of '%.*s'", (int)what.n, what.s);
        if (owner == -2) owner = -1;
        int kind = dot_in ? kind_find(r->game, dot_in + 1, what.n - (size_t)(dot_in - what.s) - 1) : kind_find(r->game, what.s, what.n);
        if (kind < 0) return fault(r, what.s, what.n, "E0812", "no kind of piece is named '%.*s'", (int)what.n, what.s);
        if (star && (!number_of((word){ star + 1, w.n - what.n - 1 }, &count) || count < 0 || count > 10000)) return fault(r, star, 1, "E0813", "'*' wants a number of pieces");
        for (int64_t i = 0; i < count; i++)
            if (!joc_put(r->position, joc_game_cells(r->game) + zone, owner, kind)) return fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
    }
    return true;
}

static bool read_keep(reader *r, int keep, int player, word value) {
    int64_t v;
    joc_of of = joc_keep_of(r->game, keep);
    if (of == JOC_OF_CELL || of == JOC_OF_PIECE) return read_entries(r, keep, value);
    if (of == JOC_OF_PLAYER && player < 0) return fault(r, value.s, value.n, "E0813", "'%s' is kept for each player: write %s.PLAYER=...", joc_keep_name(r->game, keep), joc_keep_name(r->game, keep));
    if (!read_value(r, keep, value, &v)) return false;
    return joc_set_keep(r->position, keep, of == JOC_OF_PLAYER ? player : 0, v) || does_not_fit(r, keep, value);
}

static bool read_dice(reader *r, int dice, word list) {
    const char *s = list.s, *end = list.s + list.n;
    int values[64];
    size_t count = 0;
    word w;
    while (next_word(&s, end, ',', &w)) {
        int64_t n;
        while (w.n && *w.s == ' ') w.s++, w.n--;
        if (!number_of(w, &n) || n < -1000 || n > 1000 || count == 64) return fault(r, w.s, w.n, "E0813", "'%.*s' is no throw", (int)w.n, w.s);
        values[count++] = (int)n;
    }
    return joc_set_dice(r->position, dice, values, count) || fault(r, list.s, list.n, "E0813", "'%s' cannot show this", joc_dice_name(r->game, dice));
}

static bool read_out(reader *r, word list) {
    const char *s = list.s, *end = list.s + list.n;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        int player = player_find(r->game, w.s, w.n);
        if (player < 0) return fault(r, w.s, w.n, "E0814", "'%.*s' is no player", (int)w.n, w.s);
        joc_set_player_in(r->position, player, false);
    }
    return true;
}

static bool read_turns(reader *r, word w) {
    int64_t n;
    if (!number_of(w, &n) || n < 0 || n > 1000000) return fault(r, w.s, w.n, "E0813", "expected how many turns were completed, found '%.*s'", (int)w.n, w.s);
    joc_set_turns(r->position, (int)n);
    r->turns_given = true;
    return true;
}

static bool read_item(reader *r, word name, word value) {
    const char *dot_in = memchr(name.s, '.', name.n);
    word head = { name.s, dot_in ? (size_t)(dot_in - name.s) : name.n };
    int player = dot_in ? player_find(r->game, dot_in + 1, name.n - head.n - 1) : -1;
    if (dot_in && player < 0) return fault(r, dot_in + 1, name.n - head.n - 1, "E0814", "'%.*s' is no player", (int)(name.n - head.n - 1), dot_in + 1);
    for (int z = 0; z < joc_game_zones(r->game); z++)
        if (word_is(head, joc_zone_name(r->game, z)) && joc_zone_owner(r->game, z) == player) return read_zone(r, z, value);
    for (int k = 0; k < joc_game_keeps(r->game); k++)
        if (word_is(head, joc_keep_name(r->game, k))) return read_keep(r, k, player, value);
    for (int d = 0; d < joc_game_dice(r->game); d++)
        if (word_is(head, joc_dice_name(r->game, d))) return read_dice(r, d, value);
    if (word_is(name, "turns")) return read_turns(r, value);
    if (word_is(name, "out")) return read_out(r, value);
    return fault(r, name.s, name.n, "E0813", "this game keeps nothing named '%.*s'", (int)name.n, name.s);
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
            good = read_item(r, (word){ s, (size_t)(equals - s) }, (word){ equals + 1, n - (size_t)(equals - s) - 1 });
            field = fields;
        } else if (field < fields) good = foreign ? read_field(r, &r->notation->fields[field], w) : field ? read_mover(r, w) : read_board(r, NULL, w), field++;
        else if (!word_is(w, "-") && !number_of(w, &number))                    /* else a field of FEN as other programs write it */
            good = fault(r, s, n, "E0813", "expected NAME=VALUE, found '%.*s'", (int)n, s);
        if (!good) return false;
        s += n;
    }
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
    if (best < 0) return fault(r, w.s, w.n, "E0812", "'%.*s' is no cell (with the letter of a piece before it)", (int)w.n, w.s);
    const char *dash = memchr(w.s, '-', w.n);
    int64_t from = 0, to = 0;
    if (dash && (!number_of((word){ w.s + best_length, (size_t)(dash - w.s) - best_length }, &from) || !number_of((word){ dash + 1, w.n - (size_t)(dash - w.s) - 1 }, &to) || to < from || to - from > 1000))
        return fault(r, w.s, w.n, "E0811", "expected a range of numbered cells");
    for (int64_t i = from; i <= to; i++) {
        char name[24];
        snprintf(name, sizeof name, "%" PRId64, i);
        if (dash) cell = place_find(r->game, name, strlen(name));
        if (cell < 0 || cell >= joc_game_cells(r->game) || !joc_put(r->position, cell, player, best)) return fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
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
        if (player < 0) return fault(r, section.s, section.n, "E0814", "'%.*s' does not begin with a player's letter", (int)section.n, section.s);
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
        if (n && !equals) return fault(r, at, n, "E0813", "expected NAME=VALUE, found '%.*s'", (int)n, at);
        if (n && !read_item(r, (word){ at, (size_t)(equals - at) }, (word){ equals + 1, n - (size_t)(equals - at) - 1 })) return false;
        at += n;
    }
    return true;
}

/* ---- drawings ----------------------------------------------------------------------------------------------------------------------- */

/* "hand of White = Pebble*7" */
static bool read_item_line(reader *r, word line) {
    const char *equals = memchr(line.s, '=', line.n);
    if (!equals) return fault(r, line.s, line.n, "E0813", "expected NAME = VALUE, found '%.*s'", (int)line.n, line.s);
    word name = { line.s, (size_t)(equals - line.s) }, value = { equals + 1, line.n - (size_t)(equals - line.s) - 1 };
    while (name.n && name.s[name.n - 1] == ' ') name.n--;
    while (value.n && *value.s == ' ') value.s++, value.n--;
    size_t of = 0;
    while (of + 4 < name.n && memcmp(name.s + of, " of ", 4)) of++;
    if (of + 4 >= name.n) return read_item(r, name, value);
    text joined = { 0 };
    text_add_bytes(&joined, name.s, of);
    text_add(&joined, ".");
    text_add_bytes(&joined, name.s + of + 4, name.n - of - 4);
    bool good = read_item(r, (word){ joined.data, joined.length }, value);
    text_free(&joined);
    return good;
}

/* "on B3, from the bottom = W b W": the whole stack, in the place of what the board showed. */
static bool read_stack_line(reader *r, const labels *drawn, word line) {
    const char *comma = memchr(line.s, ',', line.n), *equals = memchr(line.s, '=', line.n);
    if (!comma || !equals) return fault(r, line.s, line.n, "E0813", "expected 'on CELL, from the bottom = PIECES'");
    int cell = place_find(r->game, line.s + 3, (size_t)(comma - line.s) - 3);
    if (cell < 0 || cell >= joc_game_cells(r->game)) return fault(r, line.s, line.n, "E0813", "'%.*s' is no cell", (int)(comma - line.s) - 3, line.s + 3);
    joc_clear(r->position, cell);
    const char *s = equals + 1, *end = line.s + line.n;
    word w;
    while (next_word(&s, end, ' ', &w)) {
        int owner, kind;
        if (!w.n) continue;
        if (!label_find(drawn, w.s, w.n, &owner, &kind)) return unknown_piece(r, w.s, w.n);
        if (!joc_put(r->position, cell, owner, kind)) return fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
    }
    return true;
}

/* "White to move (turn 3)" */
static void read_state_line(reader *r, word line, size_t after, int player) {
    joc_set_mover(r->position, player);
    int turn = 0;
    char rest[32];
    snprintf(rest, sizeof rest, "%.*s", (int)(line.n - after < 31 ? line.n - after : 31), line.s + after);
    if (sscanf(rest, " (turn %7d)", &turn) == 1 && turn > 0) joc_set_turns(r->position, turn - 1);
}

static bool read_below(reader *r, const labels *drawn, const char *s) {
    bool first = true;
    while (*s) {
        size_t n = strcspn(s, "\n");
        word line = { s, n };
        s += n + (s[n] == '\n');
        while (line.n && isspace((unsigned char)line.s[line.n - 1])) line.n--;
        if (!line.n) continue;
        size_t name = 0;
        while (name < line.n && line.s[name] != ' ' && line.s[name] != ',') name++;
        int player = player_find(r->game, line.s, name);
        bool moves = name + 8 <= line.n && !memcmp(line.s + name, " to move", 8);
        if (first && player >= 0 && moves) read_state_line(r, line, name + 8, player);
        else if (first && !memchr(line.s, '=', line.n)) first = false;              /* how a game ended */
        else if (line.n > 3 && !memcmp(line.s, "on ", 3)) {
            if (!read_stack_line(r, drawn, line)) return false;
        } else if (!read_item_line(r, line)) return false;
        first = false;
    }
    return true;
}

static bool read_drawing(reader *r, const char *s) {
    const char *rest, *wrong = s;
    char *why = NULL;
    if (drawing_board(r->position, s, &rest, &wrong, &why)) {
        labels *drawn = labels_new(r->game, true);
        bool good = read_below(r, drawn, rest);
        labels_free(drawn);
        return good;
    }
    fault(r, wrong, strcspn(wrong, " \n"), "E0811", "%s", why ? why : "no drawing of this board");
    free(why);
    return false;
}

joc_position *joc_position_parse(const joc_game *g, const char *s, joc_messages *m) {
    reader r = { .game = g, .text = s, .length = strlen(s), .messages = m, .round = -1 };
    const char *from = s, *end = s + r.length;
    while (*from == ' ' || *from == '\t') from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    if (end == from) {
        fault(&r, s, 0, "E0811", "no position: the text is empty");
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
    for (size_t i = 0; n && r.round < 0 && i < n->field_count; i++)             /* left out: everybody has had a turn */
        if (n->fields[i].sort == FIELD_TURN && !n->fields[i].per_move) r.round = 2;
    if (good && r.round > 0 && !r.turns_given) joc_set_turns(r.position, r.per_move ? r.round - 1 : (r.round - 1) * joc_game_players(g) + joc_mover(r.position));
    if (good) joc_settle(r.position);
    labels_free(r.labels);
    notation_free(n);
    if (good) return r.position;
    joc_position_free(r.position);
    return NULL;
}
