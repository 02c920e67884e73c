/* Maps for people: where the map file says cells lie, with who holds them and how strong; and what borders a cell. */
#ifndef JOC_PLAY_ATLAS_H
#define JOC_PLAY_ATLAS_H
#include "interp/joc.h"

/* The map drawn, malloc'd; NULL if the game has none with places to draw. Each cell: its name, the beginning of its owner's name, its number
 * (the first number kept of cells). `colour` adds the owner's colour, and never says more than the letters do. */
char *atlas_drawing(const joc_position *, joc_look);
/* "DRA Dracones, Red 3: BIE Biephii (Blue 1), ...", malloc'd. */
char *borders_line(const joc_position *, int cell);
/* The cell that a word names: by its name or title, in any case, with or without diacritics; -1 none or several. */
int cell_meant(const joc_game *, const char *word, size_t length);
/* Does the cell's name or title begin like that, whatever the case and the diacritics? */
bool cell_begins(const joc_game *, int cell, const char *word);
/* A typed line in which such words are the cells' names; malloc'd. */
char *line_of_cells(const joc_game *, const char *line);
#endif
