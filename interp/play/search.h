/* The exact value of a position without looking at all that can be reached: for games without chance whose positions do not fit into memory.
 *
 * Values are those of graph.h (half points for the first player, or differences of scores). A search asks whether the value is at least some
 * number, passes over what cannot change the answer, and keeps what it learnt of each position, two bounds, in a table of fixed size; a few such
 * questions close in on the value (MTD, Plaat and others 1996). No position may come back on the way to the end: where one does, the search
 * gives up. */
#ifndef JOC_PLAY_SEARCH_H
#define JOC_PLAY_SEARCH_H
#include "interp/play/graph.h"

typedef enum { SEARCH_DONE, SEARCH_STOPPED, SEARCH_RETURNS, SEARCH_FAULT, SEARCH_UNSCORED } search_state;
typedef struct {
    search_state state;
    char *fault;                        /* malloc'd */
    int32_t value;
    uint64_t positions;                 /* looked at, some of them more than once */
    bool *best;                         /* of the moves there, in the order of joc_moves_of: as good as the value */
    uint32_t move_count;
} search_result;

search_result search(const joc_position *from, const graph_how *how);
void search_free(search_result *);
#endif
