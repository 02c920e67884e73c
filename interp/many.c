/* libjoc: many games: played at random, and counted. */
#include <stdio.h>
#include <stdlib.h>
#include "view.h"
#include "machine/random.h"

static void *must(void *p) { if (!p) abort(); return p; }

joc_random joc_random_seed(uint64_t seed) { joc_random r; random_seed(r.s, seed); return r; }
uint64_t joc_random_next(joc_random *r) { return random_next(r->s); }
uint64_t joc_random_below(joc_random *r, uint64_t n) { return random_below(r->s, n); }

/* The same with an entry in the log: by listing. */
static bool play_random_logged(joc_position *p, joc_random *r)
{
    joc_moves *list = joc_moves_of(p);
    const size_t n = joc_moves_count(list);
    uint64_t at = joc_state_of(p) == JOC_CHANCE && n ? random_below(r->s, joc_moves_weight(list)) : 0;
    size_t i = 0;
    if (joc_state_of(p) == JOC_CHANCE) while (i + 1 < n && at >= joc_move_weight(joc_moves_at(list, i))) at -= joc_move_weight(joc_moves_at(list, i++));
    else if (n) i = (size_t)random_below(r->s, n);
    if (n) joc_play(p, joc_moves_at(list, i));
    joc_moves_free(list);
    return n > 0;
}

bool joc_play_random(joc_position *p, joc_random *r)
{
    p->settled = false;
    if (p->game->g->has_secrets) return play_random_logged(p, r);
    const bool made = p->game->g->machine->random(p->v, r->s);
    p->game->g->machine->clean(p->v);
    return made;
}

uint64_t joc_playout(joc_position *p, joc_random *r, uint64_t cap)
{
    uint64_t n = 0;
    p->settled = false;
    log_forget(p);
    while (n < cap && p->game->g->machine->random(p->v, r->s)) n++;
    p->game->g->machine->clean(p->v);
    return n;
}

uint64_t joc_perft(const joc_position *p, int depth, joc_perft_how how, const volatile bool *stop)
{
    position_settle(p);
    if (depth > 0 && depth <= p->idle_turns) return 1;
    depth -= p->idle_turns;
    return p->game->g->machine->perft(p->v, depth, (count_how){ how.turns, how.paths, how.play_on, how.count_chance }, stop);
}

/* Was the step just made one of chance? Then the rules go on behind its instruction. */
static bool behind_chance(const vm *v)
{
    const int64_t pc = v->head[H_RESUME];
    return pc > 0 && v->g->code[pc - 1].op >= OP_ROLL && v->g->code[pc - 1].op <= OP_SHOWN;
}

/* Decisions are capped; of throws there may be many more, but not without end. */
static bool goes_on(uint64_t n, uint64_t throws, uint64_t cap) { return n - throws < cap && n / 64 < cap; }

void joc_playouts(const joc_game *x, uint64_t games, uint64_t seed, uint64_t cap, unsigned count_every, joc_tally *t, const volatile bool *stop)
{
    const game *g = x->g;
    const machine *m = g->machine;
    joc_position *p = position_new(x);
    vm *v = p->v;
    /* a set-up is made once up to its first chance or choice */
    uint8_t *start = NULL;
    m->blank(v);
    v->head[H_RESUME] = g->setup_pc;
    const state_kind first = m->settle(v);
    if ((!position_in_setup(p) || first == STATE_CHANCE) && v->head[H_TURNS] == 0 && !v->fault) {
        start = must(malloc(g->state_size));
        m->store(v, start);
    }
    vm_reset(v);
    for (uint64_t i = 0; i < games && !(stop && *stop); i++) {
        uint64_t random[4], n = 0, throws = 0;
        random_seed(random, seed + i);
        const bool counts = count_every && (seed + i) % count_every == 0;
        if (start) m->load(v, start);
        else { m->blank(v); v->head[H_RESUME] = g->setup_pc; }
        if (counts) while (position_in_setup(p)) if (!m->random(v, random)) break;
        if (!counts) n = m->playout(v, random, cap, &throws);
        else for (; goes_on(n, throws, cap); n++) {
            const uint64_t choices = m->choices(v);
            t->choices += choices;
            t->counted += choices > 0;
            if (!m->random(v, random)) break;
            throws += g->has_chance && behind_chance(v);
        }
        state_kind k = v->head[H_OVER] ? STATE_OVER : goes_on(n, throws, cap) ? STATE_STUCK : STATE_DECISION;
        n -= throws;
        t->games++;
        t->decisions += n;
        t->decisions_square += (double)n * (double)n;
        t->turns += (uint64_t)v->head[H_TURNS];
        if (t->games == 1 || n < t->shortest) t->shortest = n;
        if (n > t->longest) t->longest = n;
        if (v->fault && !*t->fault) snprintf(t->fault, sizeof t->fault, "%s", joc_fault(p)), t->fault_seed = seed + i;
        if (k == STATE_STUCK) t->stuck++;
        else if (k == STATE_DECISION) t->unfinished++;
        else if (v->head[H_OVER] == 1) t->wins[v->head[H_WINNER]]++;
        else t->draws++;
        vm_reset(v);
    }
    free(start);
    joc_position_free(p);
}
