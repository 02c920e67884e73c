/* Exact values of games of one or two players, with or without chance.
 *
 * What is solved is the graph of graph.h. Values are for the first player: the probability of winning with a draw as one half, or the
 * expected difference of scores; the first player plays for more, the other for less, and a lone player for more. Endless play:
 *   - without chance and scores, states are worked out backwards from the ends, and what is not reached is a draw;
 *   - else every value is bounded from both sides (value iteration from below and from above, component by component of the graph), so what is
 *     printed holds whatever endless play is worth; the two bounds meet where it can be avoided. */
#ifndef JOC_PLAY_SOLVE_H
#define JOC_PLAY_SOLVE_H
#include "interp/play/graph.h"

typedef struct {
    double low, high;                   /* bounds of the value */
    int64_t depth;                      /* decisions until the decided end, if both play for the soonest win and the latest loss; -1: endless, or there is chance */
    double turns, throws;               /* expected, where nobody or one player decides (he goes for fewest turns); -1 otherwise */
} solve_value;

typedef struct {
    graph_state state;                  /* GRAPH_STOPPED: what was finished until then is told */
    char *fault;
    graph g;
    uint64_t bytes;
    bool valued;                        /* `start` and `moves` mean something */
    double bound;                       /* the largest high - low of all states */
    double length_error;                /* of the lengths of the start, estimated from how fast they settled */
    solve_value start;
    solve_value *moves;                 /* of the start, in the order of joc_moves_of */
    uint32_t move_count;
    uint64_t won, drawn, lost;          /* without chance: undecided states, as the player to move stands */
} solution;

solution solve(const joc_position *from, const graph_how *how);
void solution_free(solution *);
#endif
