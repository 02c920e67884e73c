/* Monte-Carlo tree search; see mcts.h.
 *
 * Data. A node is a position that was reached; its edges are the moves there, in the order of joc_moves_of. Edges of a node lie in one block
 * of the edge pool. A node keeps no position: an iteration plays the moves again from a copy of the root. Lists of moves are the dear part
 * of that, so nodes visited often keep theirs, as many as LISTS_MAX.
 *
 * Values are counted per edge for the player who chooses there: 1 a win, 1/players a draw or an unfinished game, 0 a loss. `proven` is a
 * player who wins from the node whatever the others do: an end won, a node where the chooser has a move to such a node, or one all of whose
 * moves lead to nodes proven for the same player. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "interp/play/mcts.h"
#include "interp/play/text.h"

enum { NONE = -1, LISTS_MAX = 4096, LIST_VISITS = 8, PATH_MAX_DEPTH = 512, PLAYERS_MOST = 16 };

typedef struct { int32_t node; uint32_t visits; float sum; } edge;
typedef struct {
    int32_t first, count;       /* edges; count -1: not expanded */
    uint32_t visits;
    int8_t mover, proven;       /* mover -1: chance; proven -1: nobody */
    joc_moves *list;            /* kept, or NULL */
} mcts_node;

typedef struct {
    mcts_node *nodes;
    edge *edges;
    size_t node_count, node_capacity, edge_count, edge_capacity;
    int lists, players;
    joc_random random;
} search;

typedef struct { int32_t node, edge; } step;

static int32_t node_new(search *s) {
    if (s->node_count == s->node_capacity) return NONE;
    s->nodes[s->node_count] = (mcts_node){ .count = -1, .proven = NONE };
    return (int32_t)s->node_count++;
}

/* The moves at a node, which is at `p`: kept ones or new ones. Give back with list_done. */
static joc_moves *list_of(search *s, int32_t n, const joc_position *p) {
    mcts_node *node = &s->nodes[n];
    if (node->list) return node->list;
    joc_moves *list = joc_moves_of(p);
    if (node->visits >= LIST_VISITS && s->lists < LISTS_MAX) {
        node->list = list;
        s->lists++;
    }
    return list;
}

static void list_done(const search *s, int32_t n, joc_moves *list) {
    if (s->nodes[n].list != list) joc_moves_free(list);
}

/* Gives the node its edges. False if the pool is full: the node stays a leaf. */
static bool expand(search *s, int32_t n, const joc_position *p, const joc_moves *list) {
    size_t count = joc_moves_count(list);
    mcts_node *node = &s->nodes[n];
    if (node->count >= 0) return true;
    if (s->edge_count + count > s->edge_capacity) return false;
    node->first = (int32_t)s->edge_count;
    node->count = (int32_t)count;
    node->mover = (int8_t)(joc_state_of(p) == JOC_CHANCE ? NONE : joc_mover(p));
    for (size_t i = 0; i < count; i++) s->edges[s->edge_count++] = (edge){ .node = NONE };
    return true;
}

static int32_t choose_chance(search *s, const joc_moves *list) {
    uint64_t at = joc_random_below(&s->random, joc_moves_weight(list));
    size_t i = 0, count = joc_moves_count(list);
    for (; i + 1 < count; i++) {
        uint64_t weight = joc_move_weight(joc_moves_at(list, i));
        if (at < weight) break;
        at -= weight;
    }
    return (int32_t)i;
}

/* The edge with the greatest upper bound; proven losses only if there is nothing else. Moves not yet tried count a little below the node's
 * mean, in an order of their own at every node. */
static int32_t choose_edge(search *s, int32_t n) {
    const mcts_node *node = &s->nodes[n];
    double total = 0, visits = 0, best_value = -1e9;
    for (int32_t i = 0; i < node->count; i++) total += (double)s->edges[node->first + i].sum, visits += s->edges[node->first + i].visits;
    double untried = visits > 0 ? total / visits - 0.1 : 0.5, root = sqrt(visits + 1), logarithm = log(visits + 2);
    int32_t best = 0;
    for (int32_t i = 0; i < node->count; i++) {
        const edge *e = &s->edges[node->first + i];
        int proven = e->node == NONE ? NONE : s->nodes[e->node].proven;
        double value;
        if (proven == node->mover) return i;
        if (e->visits) value = (double)e->sum / e->visits + 0.9 * sqrt(logarithm / e->visits);
        else value = untried + 0.25 * root + (double)(joc_random_next(&s->random) >> 40) * 1e-9;
        if (proven != NONE) value = -1e6 + value;
        if (value > best_value) best_value = value, best = i;
    }
    return best;
}

static void result_values(const joc_position *p, int players, double *values) {
    joc_result r = joc_result_of(p);
    for (int i = 0; i < players; i++) values[i] = r.outcome == JOC_WIN ? (r.winner == i ? 1.0 : 0.0) : 1.0 / players;
}

/* Proves a node from its edges, if they allow. */
static void prove(search *s, int32_t n) {
    mcts_node *node = &s->nodes[n];
    if (node->proven != NONE || node->count <= 0) return;
    int common = -2;
    for (int32_t i = 0; i < node->count; i++) {
        int32_t child = s->edges[node->first + i].node;
        int proven = child == NONE ? NONE : s->nodes[child].proven;
        if (proven != NONE && proven == node->mover) {
            node->proven = (int8_t)proven;
            return;
        }
        if (common == -2) common = proven;
        if (proven != common) common = NONE;
    }
    if (common >= 0) node->proven = (int8_t)common;
}

static void back_up(search *s, const step *path, int depth, const double *values, bool ended) {
    for (int i = depth; i-- > 0;) {
        mcts_node *node = &s->nodes[path[i].node];
        edge *e = &s->edges[node->first + path[i].edge];
        node->visits++;
        e->visits++;
        if (node->mover >= 0) e->sum += (float)values[node->mover];
        if (ended) {
            prove(s, path[i].node);
            ended = node->proven != NONE;
        }
    }
}

/* One walk from the root to a leaf, and a random game from there. */
static void iterate(search *s, const joc_position *root) {
    joc_position *p = joc_position_copy(root);
    step path[PATH_MAX_DEPTH];
    double values[PLAYERS_MOST] = { 0 };
    int depth = 0;
    int32_t n = 0;
    bool ended = false;
    for (;;) {
        joc_state state = joc_state_of(p);
        if (state == JOC_OVER || state == JOC_STUCK || depth == PATH_MAX_DEPTH) {
            joc_result r = joc_result_of(p);
            ended = state == JOC_OVER;
            if (ended && r.outcome == JOC_WIN) s->nodes[n].proven = (int8_t)r.winner;
            break;
        }
        if (s->nodes[n].proven != NONE && depth) {
            ended = true;
            break;
        }
        bool fresh = s->nodes[n].count < 0 && s->nodes[n].visits == 0 && depth;
        if (fresh) {
            s->nodes[n].visits++;
            joc_playout(p, &s->random, MCTS_PLAYOUT);
            break;
        }
        joc_moves *list = list_of(s, n, p);
        if (!joc_moves_count(list) || !expand(s, n, p, list)) {
            list_done(s, n, list);
            joc_playout(p, &s->random, MCTS_PLAYOUT);
            break;
        }
        int32_t chosen = s->nodes[n].mover == NONE ? choose_chance(s, list) : choose_edge(s, n);
        joc_play(p, joc_moves_at(list, (size_t)chosen));
        list_done(s, n, list);
        path[depth++] = (step){ n, chosen };
        edge *e = &s->edges[s->nodes[n].first + chosen];
        if (e->node == NONE) e->node = node_new(s);
        if (e->node == NONE) {
            joc_playout(p, &s->random, MCTS_PLAYOUT);
            break;
        }
        n = e->node;
    }
    if (ended && s->nodes[n].proven != NONE)
        for (int i = 0; i < s->players; i++) values[i] = i == s->nodes[n].proven;
    else result_values(p, s->players, values);
    back_up(s, path, depth, values, ended);
    joc_position_free(p);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool enough(const search *s, const mcts_effort *effort, uint64_t made, double until) {
    if (made < 1) return false;
    if (s->nodes[0].proven != NONE || s->nodes[0].count == 1) return true;
    if (effort->visits && made >= effort->visits) return true;
    if (effort->stop && *effort->stop) return true;
    return effort->seconds > 0 && now() >= until;
}

/* A proven win; else the most visited move that is not a proven loss; else the most visited. */
static mcts_result best_of(const search *s, uint64_t made) {
    const mcts_node *root = &s->nodes[0];
    mcts_result r = { .visits = made };
    double best = -1;
    for (int32_t i = 0; i < root->count; i++) {
        const edge *e = &s->edges[root->first + i];
        int proven = e->node == NONE ? NONE : s->nodes[e->node].proven;
        double rank = (proven == NONE ? 1e12 : proven == root->mover ? 1e15 : 0) + e->visits;
        if (rank <= best) continue;
        best = rank;
        r.best = (size_t)i;
        r.proven = proven == root->mover;
        r.value = proven == NONE ? (e->visits ? (double)e->sum / e->visits : 0.5) : r.proven;
    }
    return r;
}

mcts_result mcts_search(const joc_position *p, const mcts_effort *effort) {
    assert(joc_state_of(p) == JOC_DECISION);
    search s = { .node_capacity = effort->nodes ? effort->nodes : MCTS_NODES, .players = joc_game_players(joc_position_game(p)) };
    if (effort->visits && effort->visits + 2 < s.node_capacity) s.node_capacity = (size_t)effort->visits + 2;
    s.edge_capacity = 24 * s.node_capacity + 4096;
    s.nodes = memory_of(s.node_capacity, sizeof *s.nodes);
    s.edges = memory_of(s.edge_capacity, sizeof *s.edges);
    s.random = joc_random_seed(effort->seed);
    node_new(&s);
    double until = now() + effort->seconds;
    uint64_t made = 0;
    while (!enough(&s, effort, made, until)) {
        iterate(&s, p);
        made++;
    }
    mcts_result r = best_of(&s, made);
    for (size_t i = 0; i < s.node_count; i++) joc_moves_free(s.nodes[i].list);
    free(s.nodes);
    free(s.edges);
    return r;
}
