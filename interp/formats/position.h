/* Positions as text (docs/notation.md): what its writer and its readers share. */
#ifndef JOC_FORMATS_POSITION_H
#define JOC_FORMATS_POSITION_H
#include "interp/formats/notation.h"
#include "interp/play/label.h"

/* The cells row by row from the top, from the west; end_of_row[r] is the index after a row's last cell. */
typedef struct { int count, *cells, *end_of_row; int rows; } board_rows;
board_rows rows_of(const joc_game *);
void rows_free(board_rows *);

/* A kind's letter in the case of a player: malloc'd. */
char *notation_letter_of(const notation *, int owner, int kind);
/* The cell of the player's piece of this kind, -1. */
int cell_of_kind(const joc_position *, int player, int kind);
/* The player's outermost piece of kind `on` east (or west) of `from` in its row, -1. */
int outermost(const joc_position *, int player, int on, int from, bool east);
/* The letters of a cell's column in the case of a player: malloc'd. */
char *column_letter(const joc_game *, int cell, int player);

/* ---- reading ------------------------------------------------------------------------------------------------------------------------ */
typedef struct reader {
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

bool read_fault(reader *, const char *at, size_t length, const char *code, const char *format, ...) __attribute__((format(printf, 5, 6)));
bool read_unknown_piece(reader *, const char *s, size_t n);
bool word_is(word, const char *);
bool number_of(word, int64_t *value);
/* The next word up to `stop`; false at the end. */
bool next_word(const char **s, const char *end, char stop, word *);

bool read_item(reader *, word name, word of, word value);        /* position_items.c */
bool read_drawing(reader *, const char *);
#endif
