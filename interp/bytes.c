/* Positions as bytes: what a table of very many keeps of each.
 *
 *     [ kind: decision, chance, over, stuck; WHOLE inside a turn | the position; inside a turn the registers too ]
 *
 * What the future of a position does not depend on, or what would make every position a new one, is brought to one form before it is written:
 * the history is empty, counters kept aside stand at their start, `turns` goes no further than the rules tell numbers of turns apart, `passes` is small. */
#include <string.h>
#include "inside.h"

enum { PASSES_TOLD = 16, WHOLE = 128 };

size_t joc_position_bytes(const joc_game *x) { return 1 + x->g->state_size; }

bool joc_game_remembers(const joc_game *x)
{
    bool aside = false;
    for (int i = 0; i < x->g->keep_count; i++) aside |= x->g->keeps[i].aside;
    return x->g->uses_history || x->g->counts_turns || aside;
}

static void keeps_forget(vm *v)
{
    const game *g = v->g;
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (!k->aside || (k->of != KEEP_GAME && k->of != KEEP_PLAYER)) continue;
        for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++) v->num[k->where + p] = k->start;
    }
}

static void forget(joc_position *p)
{
    const game *g = p->game->g;
    int64_t *h = p->v->head;
    position_settle(p);
    if (h[H_TURNS] > g->turns_told) h[H_TURNS] = g->turns_told;
    h[H_PASSES] = !g->asks_passes ? 0 : h[H_PASSES] < PASSES_TOLD ? h[H_PASSES] : PASSES_TOLD;
    if (!g->asks_extra) h[H_EXTRA] = 0;
    h[H_HISTORY] = 0;
    keeps_forget(p->v);
}

size_t joc_position_save(const joc_position *p_, void *bytes)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const game *g = p->game->g;
    uint8_t *to = bytes;
    forget(p);
    const bool whole = p->v->head[H_RESUME] != 0;
    to[0] = (uint8_t)(p->kind | (whole ? WHOLE : 0));
    const size_t size = whole ? g->state_size : g->position_size;
    memcpy(to + 1, p->v->state + (whole ? 0 : g->at_position), size);
    return 1 + size;
}

void joc_position_load(joc_position *p, const void *bytes)
{
    const game *g = p->game->g;
    const uint8_t *from = bytes;
    const bool whole = from[0] & WHOLE;
    vm_reset(p->v);
    memcpy(p->v->state + (whole ? 0 : g->at_position), from + 1, whole ? g->state_size : g->position_size);
    g->machine->mover(p->v, (int)p->v->head[H_MOVER]);
    p->kind = (state_kind)(from[0] & ~WHOLE);
    p->idle_turns = 0;
    p->settled = true;
}

uint64_t joc_position_key(const joc_position *p)
{
    forget((joc_position *)(uintptr_t)p);
    return p->game->g->machine->full_key(p->v);
}
