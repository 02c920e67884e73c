/* How many pieces tests put on the board, and how many a turn takes.
 *
 * Tests may place more pieces than the set-up does; whatever a player has there may come into his zones. What they place stands in their code:
 * the code of one position ends with RETURN. Where a number or a set of it is not constant, there is room for `most`.
 *
 * A turn in which pieces are taken by legs alone, none of them in a repetition, takes as many at most as there are legs on one way through it. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"

/* How many places a constant set has for whom it has most; -1 if the set is none. */
static int places_of(const game *g, int operand)
{
    int most = 0;
    if (operand < g->const_first) return -1;
    for (int p = 0; p < g->player_count; p++) {
        int n = 0;
        for (int w = 0; w < g->words; w++) n += __builtin_popcountll(g->const_set[p][(size_t)(operand - g->const_first) * (size_t)g->words + (size_t)w]);
        if (n > most) most = n;
    }
    return most;
}

static int64_t constant_or(const game *g, int operand, int64_t other) { return operand < g->num_consts ? g->const_num[operand] : other; }

/* Adds what an instruction places; `counts`: by owner, neutral ones first. */
static void count_placed(const game *g, const ins *i, int player, int most, int *counts)
{
    const int64_t each = i->c == UINT16_MAX ? 1 : constant_or(g, i->c, most), into = i->op == OP_PLACE_ZONE ? constant_or(g, i->a, -1) : -1;
    const int places = i->op == OP_PLACE_ZONE ? 1 : places_of(g, i->a);
    int64_t n = places < 0 ? most : each * places * i->e, owner = i->b == UINT16_MAX ? -1 : i->b == g->num_base + H_MOVER ? player : constant_or(g, i->b, -2);
    if (n > most || n < 0) n = most;
    if (into >= 0 && into < g->zone_count && g->zones[into].owner >= 0) owner = g->zones[into].owner;
    for (int p = -1; p < g->player_count; p++) if (owner == p || owner == -2) counts[p + 1] += (int)n;
}

static void crowd_in_position(const game *g, const check *k, bool own, int most, int *slots)
{
    int counts[PLAYERS_MAX + 1] = { 0 }, all = 0;
    for (uint32_t pc = k->pc; pc < g->code_count && g->code[pc].op != OP_RETURN; pc++)
        if (g->code[pc].op == OP_PLACE || g->code[pc].op == OP_PLACE_ZONE) count_placed(g, &g->code[pc], k->player, most, counts);
        else if (g->code[pc].op == OP_RANK || (g->code[pc].op >= OP_SEND && g->code[pc].op <= OP_BECOME_OWNER)) counts[0] += most;
    for (int p = 0; p <= g->player_count; p++) {
        all += counts[p];
        if (p && g->piles_alike) own &= counts[p] <= stacks_least(g);      /* zones_own was asked of no more */
    }
    for (int z = 0; z < g->zone_count; z++) {
        const int owner = g->zones[z].owner, here = owner >= 0 && !counts[0] && own ? counts[owner + 1] : all, room = here < most ? here : most;
        if (room > slots[z]) slots[z] = room;
    }
}

void crowd_in_tests(const game *g, int most, int *slots)
{
    const bool own = zones_own(g, g->piles_alike ? stacks_least(g) : 0, !g->piles_alike);
    for (int i = 0; i < g->check_count; i++) if (g->checks[i].kind == CHECK_AT) crowd_in_position(g, &g->checks[i], own, most, slots);
}

/* ---- what a turn takes --------------------------------------------------------------------------------------------------------------- */
/* May more be taken here than what stands where a leg lands? */
static bool takes_otherwise(const game *g, const ins *i)
{
    switch ((opcode)i->op) {
    case OP_SEND: return constant_or(g, i->b, 0) < g->cells;
    case OP_TAKE: case OP_SEND_ALONG: case OP_PLACE: case OP_DROP: case OP_DROP_FROM: return true;
    default: return false;
    }
}

/* The most legs on any way from pc on. `open`: instructions of the way so far; `most`: -1 not known yet. */
static int legs_behind(const game *g, uint32_t pc, bool *open, int *most, bool *failed)
{
    uint32_t next[64];
    if (open[pc]) { *failed = true; return 0; }
    if (most[pc] >= 0 || *failed) return most[pc];
    open[pc] = true;
    const int n = flow_successors(g, pc, next, 64);
    int behind = 0;
    *failed |= n == 64 || takes_otherwise(g, &g->code[pc]);
    for (int j = 0; j < n && !*failed; j++) { const int x = legs_behind(g, next[j], open, most, failed); if (x > behind) behind = x; }
    open[pc] = false;
    return most[pc] = behind + (g->code[pc].op == OP_STEP);
}

int crowd_taken(const game *g)
{
    bool *open = calloc(g->code_count + 1, sizeof *open), failed = g->pile_max > 1 || g->code_count > FLOW_CODE_MAX / 4;
    int *most = malloc((g->code_count + 1) * sizeof *most);
    if (!open || !most) abort();
    memset(most, -1, (g->code_count + 1) * sizeof *most);
    int taken = failed ? -1 : legs_behind(g, g->turn_pc, open, most, &failed), asked = 0;
    for (uint32_t pc = g->turn_pc; pc < g->code_count && !failed; pc++) {
        if (g->code[pc].op != OP_S_ATTACKED) continue;      /* what it tries is taken back */
        const int first = legs_behind(g, g->attack_begin, open, most, &failed), second = g->attack_probe ? legs_behind(g, g->attack_probe, open, most, &failed) : 0;
        asked = first > second ? first : second;
    }
    taken += asked;
    free(open);
    free(most);
    return failed ? -1 : taken;
}
