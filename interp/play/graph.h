/* All positions that can be reached from one, as a graph.
 *
 * States are numbered as they are found; state 0 is where the search began. Each has a block of words:
 *
 *     END     | its value
 *     CHANCE  | count | (child, weight) ...
 *     FIRST, SECOND (who decides: the first player, or the other) | count | child ...
 *
 * The first word holds the sort in its low 3 bits and the count above. A child is a state's number, with GRAPH_TURN set if a turn ended on
 * the way to it. Children stand in the order of joc_moves_of. The value of an end is in half points for the first player (won 2, drawn 1,
 * lost 0), or, if scores are asked for, his score less the other's. */
#ifndef JOC_PLAY_GRAPH_H
#define JOC_PLAY_GRAPH_H
#include "interp/joc.h"

typedef enum { GRAPH_END, GRAPH_CHANCE, GRAPH_FIRST, GRAPH_SECOND } graph_sort;
#define GRAPH_TURN (1u << 31)

typedef struct {
    uint32_t *first;                    /* by state: where its block begins */
    uint64_t *keys;                     /* by state; NULL once they are forgotten */
    size_t count, capacity;
    uint32_t *words;
    size_t word_count, word_capacity;
    uint32_t *table;                    /* open addressing: 1 + state, by key */
    size_t table_size;
    uint64_t sorts[4], choices;         /* states of each sort; decisions with more than one move */
    uint64_t stuck;                     /* dead ends, counted among the ends as draws */
    int32_t least, most;                /* values of ends */
} graph;

typedef enum { GRAPH_DONE, GRAPH_STOPPED, GRAPH_FULL, GRAPH_FAULT, GRAPH_UNSCORED } graph_state;
typedef struct {
    uint64_t memory;                    /* bytes it may take */
    bool scores;
    const volatile bool *stop;
    void (*told)(void *with, const char *what, uint64_t done, uint64_t of);
    void *with;
} graph_how;

/* Finds all states. Whatever comes back, graph_free frees `g`; `*fault` (malloc'd) is why a position could not be worked out. */
graph_state graph_find(graph *g, const joc_position *from, const graph_how *how, char **fault);
void graph_forget_keys(graph *g);       /* what only finding states needs */
void graph_free(graph *g);
uint64_t graph_bytes(const graph *g);

static inline const uint32_t *graph_block(const graph *g, uint32_t state) { return g->words + g->first[state]; }
static inline graph_sort graph_sort_of(const uint32_t *block) { return (graph_sort)(block[0] & 7); }
static inline uint32_t graph_count(const uint32_t *block) { return graph_sort_of(block) == GRAPH_END ? 0 : block[0] >> 3; }
static inline uint32_t graph_stride(const uint32_t *block) { return graph_sort_of(block) == GRAPH_CHANCE ? 2 : 1; }
static inline uint32_t graph_child(const uint32_t *block, uint32_t i) { return block[1 + i * graph_stride(block)] & ~GRAPH_TURN; }
#endif
