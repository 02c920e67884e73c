/* Search in dealt worlds; see unseen.h. */
#include <stdlib.h>
#include <string.h>
#include "interp/play/text.h"
#include "interp/play/unseen.h"

static size_t index_of(const joc_moves *list, const char *move) {
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), move)) return i;
    return joc_moves_count(list);
}

unseen_result unseen_search(const joc_position *view, const mcts_effort *effort) {
    unseen_result r = { 0 };
    joc_moves *list = joc_moves_of(view);
    size_t count = joc_moves_count(list);
    int *votes = memory_of(count + 1, sizeof *votes);
    double *sums = memory_of(count + 1, sizeof *sums);
    mcts_effort share = *effort;
    share.visits = effort->visits ? effort->visits / UNSEEN_WORLDS + 1 : 0;
    share.seconds = effort->seconds / UNSEEN_WORLDS;
    int failed = 0;
    for (uint64_t i = 0; count > 1 && i < UNSEEN_WORLDS && !(effort->stop && *effort->stop); i++) {
        share.seed = effort->seed + i;
        joc_position *world = joc_redeal(view, share.seed);
        if (!world) {
            if (++failed == 2) break;
            continue;
        }
        mcts_result m = mcts_search(world, &share);
        joc_moves *there = joc_moves_of(world);
        size_t at = m.best < joc_moves_count(there) ? index_of(list, joc_move_text(joc_moves_at(there, m.best))) : count;
        if (at < count) votes[at]++, sums[at] += m.value, r.worlds++;
        joc_moves_free(there);
        joc_position_free(world);
    }
    for (size_t i = 0; i < count; i++)
        if (votes[i] > votes[r.best] || (votes[i] == votes[r.best] && sums[i] > sums[r.best])) r.best = i;
    r.votes = votes[r.best];
    free(votes);
    free(sums);
    joc_moves_free(list);
    return r;
}
