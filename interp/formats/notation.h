/* How a game's positions are written elsewhere: NAME.notation.yaml, told in docs/notation.md.
 *
 * A notation is a few tables: the players' letters, the kinds' letters, and for `fields` the parts of the text from left to right. Names of
 * keeps and zones that this game (or variant) does not have are -1: such a field is written as none and read as none. */
#ifndef JOC_FORMATS_NOTATION_H
#define JOC_FORMATS_NOTATION_H
#include "interp/formats/data.h"

typedef enum { FIELD_BOARD, FIELD_MOVER, FIELD_RIGHTS, FIELD_CELL, FIELD_NUMBER, FIELD_HANDS, FIELD_TURN, FIELD_TEXT } field_sort;
typedef struct { char *mark; int keep; bool after; } piece_mark;
enum { MARKS_MAX = 8, FIELDS_MAX = 16 };

typedef struct {
    field_sort sort;
    int keep, zone, on, beside;         /* indices, -1 none; `zone` the first instance of the players' zone */
    bool per_player, per_move;
    char *east, *west, *text;
    piece_mark marks[MARKS_MAX];
    size_t mark_count;
} notation_field;

typedef struct notation {
    const joc_game *game;
    bool list;                          /* position: list */
    char **players, **letters;          /* by player; by kind as on the board (for fields, in the case of the first player) */
    notation_field fields[FIELDS_MAX];
    size_t field_count;
} notation;

/* The game's notation, NULL if it has none. Faults of the file are queued in `m`, if it is not NULL; then the game counts as having none. */
notation *notation_of(const joc_game *, joc_messages *m);
/* The same of a file given; for checking it, too. */
notation *notation_read(const joc_game *, const char *path, joc_messages *m);
void notation_free(notation *);
extern const data_shape notation_shape, notation_field_shape;

/* The instance of the zone `zone` (as in notation_field) that is `player`'s; -1. */
int zone_of_player(const joc_game *, int zone, int player);
#endif
