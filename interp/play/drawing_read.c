/* Reading drawings back: the board's lines, token by token, in the order in which drawing.c writes them. Positions on the line do not matter,
 * only the order of tokens, so a drawing may be edited by hand. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/play/drawing.h"
#include "interp/play/label.h"
#include "interp/play/layout.h"

typedef struct {
    joc_position *position;
    const joc_game *game;
    labels *labels;
    layout layout;
    int shown;
    const char *at;             /* in the text */
    const char *wrong;
    char **why;
} board_reader;

static bool refuse(board_reader *r, const char *at, const char *format, const char *word, int length) {
    text t = { 0 };
    text_add(&t, format);
    if (word) text_format(&t, " '%.*s'", length, word);
    *r->why = text_take(&t);
    r->wrong = at;
    return false;
}

static size_t mark_length(const char *s) {
    static const char *const marks[] = { "─", "│", "╱", "╲", "╳" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(s, marks[i], strlen(marks[i]))) return strlen(marks[i]);
    return 0;
}

/* Skips blanks, and in a board with lines the strokes between cells. */
static const char *skip(const board_reader *r, const char *s) {
    for (;;) {
        size_t mark = r->layout.lines ? mark_length(s) : 0;
        if (*s == ' ' || *s == '\t' || (r->layout.lines && *s == '-')) s++;
        else if (mark) s += mark;
        else return s;
    }
}

static size_t token_length(const board_reader *r, const char *s) {
    size_t n = 0;
    while (s[n] && !isspace((unsigned char)s[n]) && !(r->layout.lines && (s[n] == '-' || mark_length(s + n)))) n++;
    return n;
}

static bool is(const char *word, const char *s, size_t n) { return strlen(word) == n && !memcmp(word, s, n); }

/* A label, with a height behind it. */
static bool pieces_read(board_reader *r, int cell, const char *s, size_t n) {
    size_t digits = n, label;
    int owner, kind, height = 1;
    while (digits > 0 && isdigit((unsigned char)s[digits - 1])) digits--;
    label = n;
    if (digits < n && n - digits < 4 && digits > 1 && s[digits - 1] == 'x') label = digits - 1;
    else if (digits < n && n - digits < 4 && digits > 2 && !memcmp(s + digits - 2, "×", 2)) label = digits - 2;
    if (label < n) height = atoi(s + digits);
    if (!label_find(r->labels, s, label, &owner, &kind)) {
        height = 1;
        if (!label_find(r->labels, s, n, &owner, &kind)) return refuse(r, s, "no piece is written", s, (int)n);
    }
    for (int i = 0; i < height; i++)
        if (!joc_put(r->position, cell, owner, kind)) return refuse(r, s, "there is no room for", s, (int)n);
    return true;
}

static bool is_sign(const board_reader *r, const char *s, size_t n) {
    for (int i = 0; i < joc_game_marks(r->game); i++) {
        const joc_mark m = joc_game_mark(r->game, i);
        if (is(m.sign, s, n) || is(m.ascii, s, n)) return true;
    }
    return false;
}

static bool token_read(board_reader *r, int cell, const char *s, size_t n) {
    if (is_sign(r, s, n)) return true;
    if (is(".", s, n) || is("·", s, n) || is("○", s, n) || is("+", s, n) || is(joc_cell_name(r->game, cell), s, n)) return true;
    size_t digits = s[0] == '-';
    while (digits < n && isdigit((unsigned char)s[digits])) digits++;
    if (r->shown >= 0 && digits == n && n < 10) {
        if (!joc_set_keep(r->position, r->shown, cell, atoi(s))) return refuse(r, s, "out of range:", s, (int)n);
        return true;
    }
    return pieces_read(r, cell, s, n);
}

/* Goes on to the next line that has something on it, if tokens of one row may stand on several. */
static bool next_token(board_reader *r, bool across, const char **s, size_t *n) {
    r->at = skip(r, r->at);
    while (across && *r->at == '\n') r->at = skip(r, r->at + 1);
    *s = r->at;
    *n = token_length(r, r->at);
    r->at += *n;
    return *n > 0;
}

static void next_line(board_reader *r) {
    r->at += strcspn(r->at, "\n");
    if (*r->at) r->at++;
}

/* Signs of places that are no cells. */
static void skip_gaps(board_reader *r) {
    for (int i = 0; i < joc_game_marks(r->game); i++) {
        const joc_mark m = joc_game_mark(r->game, i);
        const char *s = skip(r, r->at);
        const size_t n = token_length(r, s);
        if (!m.gaps || !n || (!is(m.sign, s, n) && !is(m.ascii, s, n))) continue;
        r->at = s + n;
        i = -1;
    }
}

static bool row_read(board_reader *r, int row) {
    const layout *l = &r->layout;
    const char *s;
    size_t n;
    char label[64];
    layout_row_label(l, r->game, row, label);
    if (*label && l->row_count[row]) {
        if (!next_token(r, false, &s, &n) || !is(label, s, n)) return refuse(r, s, "expected the row's name", label, (int)strlen(label));
    }
    for (int i = 0; i < l->row_count[row]; i++) {
        int cell = l->order[l->row_first[row] + i];
        skip_gaps(r);
        if (!next_token(r, l->sort == LAYOUT_STRIP, &s, &n)) return refuse(r, s, "the row ends before", joc_cell_name(r->game, cell), (int)strlen(joc_cell_name(r->game, cell)));
        if (!token_read(r, cell, s, n)) return false;
    }
    if (l->names == NAMES_ENDS && l->row_count[row]) next_token(r, false, &s, &n);
    skip_gaps(r);
    if (l->sort != LAYOUT_STRIP) r->at = skip(r, r->at);
    if (l->sort != LAYOUT_STRIP && *r->at && *r->at != '\n' && *r->at != '\r') return refuse(r, r->at, "more cells than the row has:", r->at, (int)token_length(r, r->at));
    if (l->sort != LAYOUT_STRIP || row + 1 == l->rows) next_line(r);
    if (l->lines && row + 1 < l->rows) next_line(r);
    return true;
}

static bool table_read(board_reader *r) {
    const char *s;
    size_t n;
    for (int i = 0; i < joc_game_cells(r->game); i++) {
        if (!next_token(r, true, &s, &n)) return refuse(r, s, "the table of cells ends too early", NULL, 0);
        int cell = place_find(r->game, s, n);
        if (cell < 0 || cell >= joc_game_cells(r->game)) return refuse(r, s, "no cell is named", s, (int)n);
        if (!next_token(r, false, &s, &n)) return refuse(r, s, "nothing is said of", joc_cell_name(r->game, cell), (int)strlen(joc_cell_name(r->game, cell)));
        if (!token_read(r, cell, s, n)) return false;
    }
    next_line(r);
    return true;
}

bool drawing_board(joc_position *p, const char *drawn, const char **rest, const char **wrong, char **why) {
    board_reader r = { .position = p, .game = joc_position_game(p), .at = drawn, .why = why, .shown = shown_number(joc_position_game(p)) };
    r.labels = labels_new(r.game, true);
    r.layout = layout_of(r.game, 1, 1, 0);
    bool good = true;
    while (*r.at == '\n' || *r.at == '\r') r.at++;
    if (r.layout.sort == LAYOUT_TABLE) good = table_read(&r);
    else
        for (int row = 0; good && row < r.layout.rows; row++) good = row_read(&r, row);
    if (good && r.layout.foot) next_line(&r);
    if (good && !strncmp(r.at, "signs: ", 7)) next_line(&r);
    *rest = r.at;
    *wrong = r.wrong;
    layout_free(&r.layout);
    labels_free(r.labels);
    return good;
}
