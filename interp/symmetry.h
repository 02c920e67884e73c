/* Are the sides each other's image? What the parts of the check of symmetry share; see symmetry.c. */
#ifndef JOC_SYMMETRY_H
#define JOC_SYMMETRY_H
#include "inside.h"

/* A way to turn the board onto itself, and the players with it. */
typedef struct {
    int matrix[4];              /* (x, y) -> (m0 x + m1 y, m2 x + m3 y), then moved */
    int16_t *cell;              /* by cell: its image, -1 where there is no cell */
    int player[PLAYERS_MAX];
    int8_t dir[DIRS_MAX];       /* by direction: its image, -1 none */
    uint64_t broken[WORDS_MAX]; /* cells that something is wrong with */
    int broken_count;
} symmetry;

/* The symmetry that fits a game best; false if there is none to speak of, and nothing to free. `start`: the first position, NULL if it is not
 * always the same. `positions`: so many are tried where several ways break nothing, 0 none. */
bool symmetry_find(const joc_game *x, const joc_position *start, int positions, symmetry *best);
symmetry symmetry_new(const game *g);
void symmetry_free(symmetry *s);
const char *symmetry_name(const symmetry *s);
/* What is wrong with it, in sentences, with where the file says so ((span){0} if it does not). Gives how many were told. */
typedef void symmetry_tell(void *with, span at, const char *sentence);
size_t symmetry_breaks(const game *g, const joc_position *start, const symmetry *s, symmetry_tell *tell, void *with);
/* Do the tables of the rules tell the sides apart? */
bool symmetry_of_rules(const game *g, const symmetry *s);
/* Plays at random and looks at every position whether its image has the images of its moves; a sentence (malloc'd) of the first that has
 * not, else NULL; *looked: at how many. */
char *symmetry_try(const joc_game *x, const symmetry *s, int most, size_t *looked);
/* A note for each thing that keeps the sides from being each other's image, if there are few. */
void symmetry_lint(const joc_game *x, const tree *t, diagnostics *d);
#endif
