/* Values of a graph; see solve.h.
 *
 * Components. Tarjan's algorithm finds the strongly connected components of the graph, each after those that it leads to. So each is solved
 * once, with everything behind it known: one state alone at a glance, a cycle by going round until nothing changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "interp/play/large.h"
#include "interp/play/solve.h"
#include "interp/play/text.h"

#define DONE UINT32_MAX
#define LENGTH_MOST 1e12
#define TURN_TOLERANCE 1e-9             /* one player's moves of equal value, among which the shortest is looked for */
enum { ROUNDS_MOST = 50000000 };

typedef struct solver solver;
typedef void (*component_function)(solver *, const uint32_t *states, size_t count);
struct solver {
    const graph *g;
    const graph_how *how;
    double *low, *high;                 /* or turns and throws */
    double *value;                      /* while lengths are worked out: the values found before */
    double error;
    uint32_t *depths;                   /* without chance */
    component_function each;
    uint64_t done;
    bool stopped;
};

static bool stop_asked(solver *s) {
    if (s->how->stop && *s->how->stop) s->stopped = true;
    return s->stopped;
}

/* ---- components --------------------------------------------------------------------------------------------------------------------- */
typedef struct { uint32_t state, next; } frame;
typedef struct { uint32_t *order, *low, *stack; frame *frames; size_t stacked, framed; uint32_t counter; } tarjan;

static void enter(tarjan *t, uint32_t state) {
    t->order[state] = t->low[state] = ++t->counter;
    t->stack[t->stacked++] = state;
    t->frames[t->framed++] = (frame){ state, 0 };
}

static void leave(solver *s, tarjan *t) {
    uint32_t state = t->frames[--t->framed].state;
    if (t->framed && t->low[state] < t->low[t->frames[t->framed - 1].state]) t->low[t->frames[t->framed - 1].state] = t->low[state];
    if (t->low[state] != t->order[state]) return;
    size_t first = t->stacked;
    do t->order[t->stack[--first]] = DONE;
    while (t->stack[first] != state);
    s->each(s, t->stack + first, t->stacked - first);
    s->done += t->stacked - first;
    t->stacked = first;
    if (s->how->told) s->how->told(s->how->with, "values", s->done, s->g->count);
}

static void components_walk(solver *s, tarjan *t) {
    enter(t, 0);
    while (t->framed && !s->stopped) {
        frame *f = &t->frames[t->framed - 1];
        const uint32_t *b = graph_block(s->g, f->state);
        if (f->next == graph_count(b)) {
            leave(s, t);
            continue;
        }
        uint32_t child = graph_child(b, f->next++);
        if (!t->order[child]) enter(t, child);
        else if (t->order[child] != DONE && t->order[child] < t->low[f->state]) t->low[f->state] = t->order[child];
    }
}

/* As many entries as there are states. */
static void *each_state(const graph *g, size_t size) {
    void *made = large_grown(NULL, 0, g->count * size);
    return made ? made : memory_of(SIZE_MAX, 1);                /* says that there is no memory */
}

static void each_state_free(const graph *g, void *p, size_t size) { large_free(p, g->count * size); }

static void components(solver *s, component_function each) {
    tarjan t = { each_state(s->g, 4), each_state(s->g, 4), each_state(s->g, 4), each_state(s->g, sizeof(frame)), 0, 0, 0 };
    s->each = each;
    s->done = 0;
    components_walk(s, &t);
    each_state_free(s->g, t.order, 4);
    each_state_free(s->g, t.low, 4);
    each_state_free(s->g, t.stack, 4);
    each_state_free(s->g, t.frames, sizeof(frame));
}

/* ---- values ------------------------------------------------------------------------------------------------------------------------- */
static double end_value(const solver *s, const uint32_t *b) { return s->how->scores ? (double)(int32_t)b[1] : (double)(int32_t)b[1] / 2; }

static double mean_of(const uint32_t *b, const double *x) {
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < graph_count(b); i++) sum += x[graph_child(b, i)] * b[2 + 2 * i], weight += b[2 + 2 * i];
    return sum / weight;
}

static double value_of(const solver *s, const uint32_t *b, const double *x) {
    if (graph_sort_of(b) == GRAPH_END) return end_value(s, b);
    if (graph_sort_of(b) == GRAPH_CHANCE) return mean_of(b, x);
    bool first = graph_sort_of(b) == GRAPH_FIRST;
    double best = x[graph_child(b, 0)];
    for (uint32_t i = 1; i < graph_count(b); i++) {
        double v = x[graph_child(b, i)];
        if (first ? v > best : v < best) best = v;
    }
    return best;
}

static void bounds_solve(solver *s, const uint32_t *states, size_t count) {
    bool moved = true;
    for (uint64_t round = 0; moved && round < ROUNDS_MOST; round++) {
        moved = false;
        for (size_t i = count; i-- > 0;) {
            uint32_t n = states[i];
            double low = value_of(s, graph_block(s->g, n), s->low), high = value_of(s, graph_block(s->g, n), s->high);
            if (low > s->low[n]) s->low[n] = low, moved = true;
            if (high < s->high[n]) s->high[n] = high, moved = true;
        }
        if (count == 1 && graph_sort_of(graph_block(s->g, states[0])) == GRAPH_END) return;
        if (stop_asked(s)) return;
    }
}

static void bounds(solver *s) {
    double least = s->how->scores ? s->g->least : 0, most = s->how->scores ? s->g->most : 1;
    s->low = each_state(s->g, sizeof *s->low);
    s->high = each_state(s->g, sizeof *s->high);
    for (size_t i = 0; i < s->g->count; i++) s->low[i] = least, s->high[i] = most;
    components(s, bounds_solve);
}

/* ---- backwards from the ends -------------------------------------------------------------------------------------------------------- */
/* One state in the sweep of `depth`: decided if a child won for who moves was decided before, or all are. Children of this sweep do not count. */
static bool decide(solver *s, uint32_t n, uint32_t depth) {
    const uint32_t *b = graph_block(s->g, n);
    double wish = graph_sort_of(b) == GRAPH_FIRST ? 1 : 0, best = 1 - wish;
    bool all = true;
    for (uint32_t i = 0; i < graph_count(b); i++) {
        uint32_t child = graph_child(b, i);
        if (s->depths[child] >= depth) {
            all = false;
            continue;
        }
        double v = s->low[child];
        if (wish > 0 ? v > best : v < best) best = v;
    }
    if (!all && (best < wish || best > wish)) return false;
    s->low[n] = s->high[n] = best;
    s->depths[n] = depth;
    return true;
}

static void backwards(solver *s) {
    size_t n = s->g->count;
    s->low = each_state(s->g, sizeof *s->low);
    s->high = each_state(s->g, sizeof *s->high);
    s->depths = each_state(s->g, sizeof *s->depths);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *b = graph_block(s->g, i);
        bool end = graph_sort_of(b) == GRAPH_END;
        s->low[i] = s->high[i] = end ? end_value(s, b) : 0.5;
        s->depths[i] = end ? 0 : DONE;
    }
    bool some = true;
    for (uint32_t depth = 1; some && !stop_asked(s); depth++) {
        some = false;
        for (uint32_t i = 0; i < n; i++)
            if (s->depths[i] == DONE) some |= decide(s, i, depth);
        if (s->how->told) s->how->told(s->how->with, "decisions back from the ends", depth, 0);
    }
    for (uint32_t i = 0; s->stopped && i < n; i++)
        if (s->depths[i] == DONE) s->low[i] = 0, s->high[i] = 1;
}

/* ---- lengths ------------------------------------------------------------------------------------------------------------------------ */
/* Turns (s->low) and throws (s->high) from here: what a step costs and what is left behind it. Gives how much the turns grew. */
static double length_step(solver *s, uint32_t n) {
    const uint32_t *b = graph_block(s->g, n);
    uint32_t count = graph_count(b), stride = graph_stride(b);
    bool chance = graph_sort_of(b) == GRAPH_CHANCE;
    double turns = 0, throws = 0, weights = 0, best = -1;
    for (uint32_t i = 0; i < count; i++) best = s->value[graph_child(b, i)] > best ? s->value[graph_child(b, i)] : best;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = graph_child(b, i);
        double w = chance ? b[2 + 2 * i] : 1, t = s->low[child] + (b[1 + i * stride] & GRAPH_TURN ? 1 : 0), h = s->high[child];
        if (chance) turns += w * t, throws += w * h, weights += w;
        else if (s->value[child] >= best - TURN_TOLERANCE && (weights < 1 || t < turns)) turns = t, throws = h, weights = 1;
    }
    if (!count) return 0;
    double before = s->low[n];
    s->low[n] = turns / weights;
    s->high[n] = throws / weights + (chance ? 1 : 0);
    return s->low[n] - before;
}

/* Goes round until nothing grows by more than a rounding. What is still missing then is told from how fast the growth fell while it could be
 * measured well. */
static void lengths_solve(solver *s, const uint32_t *states, size_t count) {
    double last = 0, ratio = 0;
    for (uint64_t round = 0; round < ROUNDS_MOST && !s->stopped; round++) {
        double most = 0, size = 1;
        for (size_t i = count; i-- > 0;) {
            double grew = fabs(length_step(s, states[i]));
            if (grew > most) most = grew;
            if (s->low[states[i]] > size) size = s->low[states[i]];
        }
        if (most > 1e-9 * size && most < last) ratio = most / last;
        if (most <= 1e-15 * size || count == 1) {
            s->error = fmax(s->error, most * ratio / (1 - ratio));
            return;
        }
        if (size > LENGTH_MOST) s->stopped = true;              /* it need not end */
        last = most;
        stop_asked(s);
    }
}

static void lengths(solver *s, solution *out, const graph *g) {
    solver l = { .g = g, .how = s->how, .value = s->low };
    const uint32_t *b = graph_block(g, 0);
    l.low = each_state(g, sizeof *l.low);
    l.high = each_state(g, sizeof *l.high);
    components(&l, lengths_solve);
    if (!l.stopped) {
        out->start.turns = l.low[0], out->start.throws = l.high[0];
        for (uint32_t i = 0; i < out->move_count; i++) {
            uint32_t child = graph_child(b, i);
            out->moves[i].turns = l.low[child] + (b[1 + i * graph_stride(b)] & GRAPH_TURN ? 1 : 0), out->moves[i].throws = l.high[child];
        }
        out->length_error = l.error;
    }
    each_state_free(g, l.low, sizeof *l.low);
    each_state_free(g, l.high, sizeof *l.high);
}

/* ---- all -------------------------------------------------------------------------------------------------------------------------------- */
static solve_value value_at(const solver *s, uint32_t state) {
    bool deep = s->depths && s->depths[state] != DONE;
    return (solve_value){ s->low[state], s->high[state], deep ? (int64_t)s->depths[state] : -1, -1, -1 };
}

static void standings(const solver *s, solution *out) {
    for (uint32_t i = 0; i < s->g->count; i++) {
        graph_sort sort = graph_sort_of(graph_block(s->g, i));
        if (s->high[i] - s->low[i] > out->bound) out->bound = s->high[i] - s->low[i];
        if (sort != GRAPH_FIRST && sort != GRAPH_SECOND) continue;
        double mine = sort == GRAPH_FIRST ? s->low[i] : 1 - s->low[i];
        if (mine > 0.75) out->won++;
        else if (mine < 0.25) out->lost++;
        else out->drawn++;
    }
}

solution solve(const joc_position *from, const graph_how *how) {
    solution out = { .start = { .depth = -1, .turns = -1, .throws = -1 } };
    out.state = graph_find(&out.g, from, how, &out.fault);
    out.bytes = graph_bytes(&out.g);
    if (out.state != GRAPH_DONE) return out;
    const graph *g = &out.g;
    graph_forget_keys(&out.g);
    size_t each = 2 * sizeof(double) + 4 * sizeof(uint32_t) + sizeof(uint32_t);
    const uint64_t solving = graph_bytes(g) + g->count * each;
    if (solving > out.bytes) out.bytes = solving;
    if (out.bytes > how->memory) {
        out.state = GRAPH_FULL;
        return out;
    }
    solver s = { .g = g, .how = how };
    if (g->sorts[GRAPH_CHANCE] || how->scores) bounds(&s);
    else backwards(&s);
    if (s.stopped) out.state = GRAPH_STOPPED;
    out.valued = true;
    out.start = value_at(&s, 0);
    out.move_count = graph_count(graph_block(g, 0));
    out.moves = memory_of(out.move_count + 1, sizeof *out.moves);
    for (uint32_t i = 0; i < out.move_count; i++) out.moves[i] = value_at(&s, graph_child(graph_block(g, 0), i));
    standings(&s, &out);
    if (!s.stopped && g->sorts[GRAPH_CHANCE] && (!g->choices || joc_game_players(joc_position_game(from)) == 1)) lengths(&s, &out, g);
    each_state_free(g, s.low, sizeof *s.low);
    each_state_free(g, s.high, sizeof *s.high);
    each_state_free(g, s.depths, sizeof *s.depths);
    return out;
}

void solution_free(solution *s) {
    graph_free(&s->g);
    free(s->fault);
    free(s->moves);
}
