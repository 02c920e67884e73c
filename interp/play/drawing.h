/* Drawing positions, and reading drawings. */
#ifndef JOC_PLAY_DRAWING_H
#define JOC_PLAY_DRAWING_H
#include "interp/joc.h"
#include "interp/play/text.h"

/* joc_drawing (joc.h) draws. `drawing_board` reads the lines of the board at the top of a drawing (made without colour) into an empty
 * position, and gives in `rest` where the text goes on below it. False if it is none, with `*wrong` the place and `*why` (malloc'd) a
 * sentence. */
bool drawing_board(joc_position *, const char *text, const char **rest, const char **wrong, char **why);

/* The line that says who moves, or how the game ended; the first line below a board. */
char *state_line(const joc_position *);         /* malloc'd, without a line end */
/* The same of the end alone: "White wins (three in a row)", "a draw", with scores. "" while the game goes on. */
char *result_line(const joc_position *);
/* SGR sequence of a player's colour ("" if look says no colour), and its end. */
const char *player_colour(const joc_game *, int player, bool colour);
#define COLOUR_END "\033[0m"
#endif
