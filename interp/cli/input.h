/* Lines typed by a person: with readline at a terminal (completion, history), plain otherwise. */
#ifndef JOC_CLI_INPUT_H
#define JOC_CLI_INPUT_H
#include "interp/joc.h"

typedef enum { INPUT_LINE, INPUT_END, INPUT_INTERRUPTED } input_state;
/* Reads one line into `*line` (malloc'd, blanks at both ends cut). What Tab completes: the legal moves and the words, a NULL-ended list. */
/* Tab also completes the last word to a cell of this game's map, by its name or what people call it. */
void input_cells(const joc_game *);
/* Nothing typed before can be got back by key: another looks at the screen. */
void input_forget(void);
input_state input_read(const char *prompt, const joc_moves *moves, const char *const *words, char **line);
#endif
