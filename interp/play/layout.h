/* Where the cells of a board stand on a screen, for drawings and for reading drawings.
 *
 * Rows are the board's rows from the top, each with its cells from the west. A cell has a line and a column (in characters, of its first
 * one); tokens are `token` characters wide. Four ways to lay out:
 *   grid     squares and drawn boards: a column per x, a line per y. Where the ways that join cells are not the same everywhere, they are
 *            drawn as lines, and every second line is for them
 *   slanted  boards of hexagons: each row half a cell to the side of the one below
 *   strip    a track, folded to the width
 *   table    maps: one cell after another with what is on it
 * Names. Where every name is made of a part that goes with x and one that goes with y, the parts label columns and rows; otherwise an
 * empty cell shows its name. */
#ifndef JOC_PLAY_LAYOUT_H
#define JOC_PLAY_LAYOUT_H
#include "interp/joc.h"

typedef enum { LAYOUT_NONE, LAYOUT_GRID, LAYOUT_SLANTED, LAYOUT_STRIP, LAYOUT_TABLE } layout_sort;
typedef enum { NAMES_SHOWN, NAMES_COLUMN_ROW, NAMES_ROW_COLUMN, NAMES_ENDS } naming;

typedef struct {
    layout_sort sort;
    naming names;
    bool lines;                 /* connections drawn between rows */
    int token;                  /* width of a token */
    int step;                   /* characters from one x to the next */
    int left;                   /* characters for row labels */
    int rows;
    int *row_first, *row_count; /* into `order` */
    int *order;                 /* cells, row by row from the top */
    int *line, *column;         /* by cell */
    int height;                 /* lines of the board without the line of column labels */
    bool foot;                  /* a line of column labels follows */
    int slant;                  /* +1: the row above stands half a cell to the right */
    int x_least, x_most, y_least, y_most;
} layout;

/* `token`: width wanted for the contents; `gap`: blanks between tokens side by side; `width`: of the terminal, 0 for no limit. */
layout layout_of(const joc_game *, int token, int gap, int width);
void layout_free(layout *);
/* The row label of row r and the column label of column x, "" if there is none. Write into `out` of 64 bytes. */
void layout_row_label(const layout *, const joc_game *, int row, char *out);
void layout_column_label(const layout *, const joc_game *, int cell, char *out);
#endif
