/* A player for any game without secrets: Monte-Carlo tree search.
 *
 * UCT over a bounded pool of nodes, random games from the leaves (joc_playout), wins proved back through the tree where ends are near.
 * Any number of players; chance is sampled by its weights. By visits it is deterministic: equal position, seed and visits, equal move. */
#ifndef JOC_PLAY_MCTS_H
#define JOC_PLAY_MCTS_H
#include "interp/joc.h"

typedef struct {
    uint64_t visits;            /* iterations at most; 0: no limit */
    double seconds;             /* wall clock at most; 0: no limit */
    uint64_t seed;
    size_t nodes;               /* size of the pool; 0: MCTS_NODES */
    const volatile bool *stop;  /* looked at now and then; may be NULL */
} mcts_effort;
enum { MCTS_NODES = 1 << 18, MCTS_PLAYOUT = 1000 /* decisions of a random game at most */ };

typedef struct {
    size_t best;                /* index in joc_moves_of(position) */
    uint64_t visits;            /* iterations made */
    double value;               /* what the mover may expect, 0 to 1 */
    bool proven;                /* the move wins by force */
} mcts_result;

/* The position must be a decision with at least one move. */
mcts_result mcts_search(const joc_position *, const mcts_effort *);
#endif
