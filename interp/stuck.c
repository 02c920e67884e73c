/* Dead ends: turns of which random games show that nothing can be done, and that the rules do not say what then. */
#include <stdio.h>
#include <time.h>
#include "lints.h"

static bool has_else(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ELSE) return true;
    for (int i = 0; i < n->count; i++) if (has_else(n->kids[i])) return true;
    return false;
}

/* What a game has cost so far, in a unit of some nanoseconds that is the same on any machine: what is said of a file does not hang on its speed. */
static uint64_t cost_of(const joc_position *p, uint64_t decisions)
{
    return decisions * (uint64_t)(p->game->g->cells + 20) + 10 * p->v->used;
}

/* A turn is played a few times: something is said only if a game was seen to stop, or was given up. The clock is there for files that mean harm. */
void dead_ends_lint(const joc_rules *r, game *g, diagnostics *d)
{
    enum { GAMES = 20, DECISIONS = 200, COST = 250 * 1000, TICKS = CLOCKS_PER_SEC / 2 };
    const node *turn = NULL;
    for (int i = 0; i < r->tree->root->count; i++) if (r->tree->root->kids[i] && r->tree->root->kids[i]->kind == NODE_I_TURN) turn = r->tree->root->kids[i];
    if (!turn || turn->at.source != 0) return;
    joc_game x = { .g = g };
    const clock_t start = clock();
    const span at = { 0, turn->at.from, turn->at.from + 4 };
    int games = 0, stuck = 0;
    bool given_up = false;
    uint64_t cost = 0;
    char why[200] = "";
    for (; games < GAMES && !given_up && cost < COST && clock() - start < TICKS; games++) {
        joc_position *p = joc_start(&x, (uint64_t)games + 1);
        joc_random random = joc_random_seed((uint64_t)games + 1);
        const uint64_t begun = cost_of(p, 0);
        uint64_t n = 0;
        while (n < DECISIONS && cost + cost_of(p, n) - begun < COST && joc_play_random(p, &random)) n++;
        cost += cost_of(p, n) - begun;
        const char *fault = joc_fault(p);
        if (fault) { given_up = true; snprintf(why, sizeof why, "%s", fault); }
        stuck += !fault && joc_state_of(p) == JOC_STUCK;
        joc_position_free(p);
    }
    if (given_up) diag_add(d, "W0431", at, "a random game is given up here: %s", why);
    if (stuck && !has_else(turn)) diag_add(d, "N0417", at, "%d of %d random games stop here: what if there is no move? add `else lose`, `else draw` or `else pass`", stuck, games);
}
