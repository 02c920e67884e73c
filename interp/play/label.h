/* Short names of pieces, and what of a position stands beside its board.
 *
 * A label tells owner and kind in as few characters as the game allows. The kind's base is its declared letter if no other kind has it; else
 * the letter with the number at the end of the kind's name; else the whole name. With two players the case of the base tells whose it is
 * (upper case: the first player's); where that cannot be told, or with more players, the shortest beginning of the player's name that no
 * other player has stands before it. Neutral pieces have a # before the base. Labels are different for different (owner, kind).
 *
 * Items are everything that is not a piece on the board and differs from the start, as name and value: they are the tail of a position text
 * and the lines below a drawing. */
#ifndef JOC_PLAY_LABEL_H
#define JOC_PLAY_LABEL_H
#include "interp/joc.h"
#include "interp/play/text.h"

typedef struct labels labels;

/* `drawn`: for drawings, where a game with one kind of piece shows whose they are instead of the kind's letter. */
labels *labels_new(const joc_game *, bool drawn);
void labels_free(labels *);
const char *label_of(const labels *, int owner, int kind);              /* owner -1: neutral */
/* The piece that `length` bytes of `s` name: a label, or Owner.Kind in full. False if none. */
bool label_find(const labels *, const char *s, size_t length, int *owner, int *kind);
/* True if a label may stand bare among others in a row: one declared letter, told by case, nothing special in it. */
bool label_is_bare(const labels *, int owner, int kind);
/* The longest bare label at the beginning of `s`; its bytes, 0 if none. */
size_t label_match(const labels *, const char *s, int *owner, int *kind);

const char *player_name(const joc_game *, int player);                  /* "neutral" for -1 */
/* A cell's name, or a zone's: "hand", "hand.White". Writes into `t`. */
void place_add(text *t, const joc_game *, int place);
/* The place of a name of `length` bytes, -1 if there is none. */
int place_find(const joc_game *, const char *s, size_t length);
int player_find(const joc_game *, const char *s, size_t length);        /* a beginning that only one player has, any case; -1 if none, -2 "neutral" */
int kind_find(const joc_game *, const char *s, size_t length);

typedef enum { ITEM_ZONE, ITEM_KEEP, ITEM_DICE, ITEM_OUT, ITEM_TURNS } item_sort;
typedef struct { item_sort sort; int index; char *name, *value; } item;
typedef struct { item *items; size_t count, capacity; } items;

/* `shown`: a number of cells that a drawing shows on its empty cells (-1 if none). */
items items_of(const joc_position *, int shown);
void items_free(items *);
/* The keep whose numbers a drawing shows on empty cells: the only number of cells there is; -1 if there is none or several. */
int shown_number(const joc_game *);
void value_add(text *t, const joc_game *, int keep, int64_t value);
#endif
