/* Who sits at the table: "human", "random", "mcts", "mcts:visits=1000", "mcts:seconds=2". */
#ifndef JOC_PLAY_SEAT_H
#define JOC_PLAY_SEAT_H
#include "interp/joc.h"

typedef enum { SEAT_HUMAN, SEAT_RANDOM, SEAT_MCTS } seat_kind;
typedef struct { seat_kind kind; uint64_t visits; double seconds; } seat;
#define SEAT_VISITS 2000        /* of "mcts" alone */

/* False if the text is none; then `*why` (malloc'd) says what it can be. */
bool seat_parse(const char *text, seat *, char **why);
char *seat_text(const seat *);          /* malloc'd */
/* The index of the move that a player who is no human chooses; deterministic in (position, seat, seed) unless by seconds. `*blind` (if not NULL)
 * becomes true where a searching player found no world that fits what it has seen, and drew its move by lot. */
size_t seat_choose(const seat *, const joc_position *, const joc_moves *, uint64_t seed, const volatile bool *stop, bool *blind);
/* The outcome of a chance event, drawn by its weights. */
size_t chance_choose(const joc_moves *, uint64_t seed);
/* A seed of its own for the i-th decision of a match. */
uint64_t seed_of(uint64_t seed, uint64_t i);

/* A game from `p` to its end between seats, with at most `cap` decisions. */
typedef struct { uint64_t decisions, choices, blind; /* moves that mcts drew by lot, for want of a world */ bool finished; } played;
played seats_play(joc_position *p, const seat *seats, uint64_t seed, uint64_t cap, const volatile bool *stop);
#endif
