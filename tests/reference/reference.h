/* reference.h: plain move generators, each written from the printed rules of one game, to hold the machine against.
 *
 * They share nothing with the machine, the plain evaluator or the rule files: a game is a board of letters and a function that makes all
 * positions one move can lead to. tests/test_reference.c plays games with the machine and asks at every ply whether both have the same. */
#ifndef REFERENCE_H
#define REFERENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIDE = 16 };

typedef enum { SCENE_GOES_ON, SCENE_WON, SCENE_DRAWN } scene_end;

/* A position. at[column][row], columns a = 0, b = 1 ..., rows as in their names. */
typedef struct {
    char at[SIDE][SIDE];        /* upper case the first player's, lower case the second's, `.` free, 0 no cell */
    int off[2];                 /* what each player has in his zone */
    int kept[2];                /* a number kept for each player */
    int mover, turns;
    bool passed;                /* this turn was a pass (of games that tell passes) */
    scene_end end;
    int winner;
    bool scored;
    int score[2];
} scene;

typedef struct { scene *list; size_t count, capacity; } scenes;
void scenes_add(scenes *, const scene *);
void scenes_free(scenes *);

/* A setting of the rule file: the generator reads those it knows of. */
typedef struct { const char *name, *value; } reference_setting;
const char *setting_of(const reference_setting *, size_t count, const char *name, const char *standard);
int setting_number(const reference_setting *, size_t count, const char *name, int standard);
bool setting_yes(const reference_setting *, size_t count, const char *name, bool standard);

/* All positions that one turn of the mover leads to (with doubles), the end of the game told but for repetition. */
typedef void reference_next(const scene *, const reference_setting *, size_t count, scenes *out);
reference_next dacii_next, damarziana_next, surakarta_next, lines_of_action_next, abalone_next;

/* How far a player still is from winning; the less the better. */
typedef int reference_way(const scene *, int player);
reference_way damarziana_way;
#endif
