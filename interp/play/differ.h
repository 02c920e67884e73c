/* Where two games part: the first position in which they behave differently.
 *
 * Both games play the same moves side by side, as their texts say. Positions are looked at breadth first, so that the line found is a
 * shortest one as far as the search goes, and then along random games. A pair of positions differs if the state, who decides, the moves, the
 * probabilities of chance, or the result are not the same; what stands on the boards is not compared, for it shows in the moves. */
#ifndef JOC_PLAY_DIFFER_H
#define JOC_PLAY_DIFFER_H
#include "interp/joc.h"

typedef enum { ALIKE, DIFFER_STATE, DIFFER_MOVER, DIFFER_MOVES, DIFFER_CHANCE, DIFFER_RESULT, DIFFER_SCORES } difference_kind;

typedef struct {
    size_t positions;                   /* how many pairs of positions to look at breadth first */
    uint64_t games, cap, seed;          /* random games, their greatest length in decisions, the seed of the first */
    double seconds;                     /* of the processor, 0: as long as it takes */
    const volatile bool *stop;
} differ_effort;

typedef struct {
    difference_kind kind;
    char **line;                        /* the moves that lead there, malloc'd */
    size_t length;
    joc_position *a, *b;                /* the two positions; NULL if the games are alike as far as was seen */
    char **only_a, **only_b;            /* DIFFER_MOVES, DIFFER_CHANCE: moves that the other has not (or not with that probability) */
    size_t count_a, count_b;
    bool at_random;                     /* found in a random game: another line may be shorter */
    size_t positions;                   /* pairs looked at */
    uint64_t games;                     /* random games played */
    size_t given_up;                    /* pairs with a decision that the machine gives up: after a few of them the search ends */
    bool out_of_time;
    uint64_t seed;                      /* of the set-up */
} difference;

difference differ_find(const joc_game *a, const joc_game *b, const differ_effort *);
void difference_free(difference *);
extern const char *const difference_words[];    /* "the moves differ" ..., by kind */
#endif
