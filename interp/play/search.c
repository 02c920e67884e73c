/* Exact values by questions; see search.h. */
#include <stdlib.h>
#include <string.h>
#include "interp/play/large.h"
#include "interp/play/search.h"
#include "interp/play/text.h"

enum { DEEPEST = 4000, TELL_EVERY = 8192, BUCKET = 4, NO_BEST = 65535 };
#define LEAST (INT32_MIN / 2)
#define MOST (INT32_MAX / 2)

/* What is known of a position: its value lies within the bounds; the move that answered the last question. */
typedef struct { uint64_t key; int32_t low, high; uint16_t best; uint16_t used; } entry;

/* Children are asked in the order of their ranks: what answers at once, what answered last, who keeps the turn, how the scores stand, and how often
 * moves chosen alike have answered elsewhere (the history heuristic, Schaeffer 1983). */
enum { STANDING_BITS = 28, HELPED_BITS = 20, ALIKE = 1 << 12, STANDING_MOST = (1 << (STANDING_BITS - 1)) - 1, HELPED_MOST = (1 << HELPED_BITS) - 1 };
#define RANK_ANSWERS ((int64_t)1 << 62)
#define RANK_BEST ((int64_t)1 << 61)
#define RANK_STAYS ((int64_t)1 << (STANDING_BITS + HELPED_BITS))
typedef struct { uint64_t key; int64_t rank; int32_t low, high; uint32_t index, alike; bool over; } child;

typedef struct {
    const graph_how *how;
    joc_position *at;
    entry *table;
    size_t buckets;
    uint64_t positions;
    uint64_t path[DEEPEST];
    int depth, players;
    bool scored;                        /* the game has a score that can be asked at any position */
    uint32_t helped[2][ALIKE];          /* by who moves and how it is chosen: how often it answered */
    search_state state;
} searcher;

static entry *entry_of(const searcher *s, uint64_t key) {
    entry *b = s->table + key % s->buckets * BUCKET;
    for (int i = 0; i < BUCKET; i++)
        if (b[i].used && b[i].key == key) return &b[i];
    return NULL;
}

/* The place for what is learnt: its own, an empty one, or that of the least wanted. */
static entry *entry_for(const searcher *s, uint64_t key) {
    entry *b = s->table + key % s->buckets * BUCKET, *worst = b;
    for (int i = 0; i < BUCKET; i++) {
        if (!b[i].used || b[i].key == key) worst = &b[i];
        if (!b[i].used || b[i].key == key) break;
        if (b[i].used < worst->used) worst = &b[i];
    }
    if (!worst->used || worst->key != key) *worst = (entry){ .key = key, .low = LEAST, .high = MOST, .best = NO_BEST };
    return worst;
}

static void learn(const searcher *s, uint64_t key, int32_t value, int32_t asked, uint32_t best) {
    entry *e = entry_for(s, key);
    if (value >= asked) e->low = value > e->low ? value : e->low;
    else e->high = value < e->high ? value : e->high;
    e->best = (uint16_t)(best < NO_BEST ? best : NO_BEST);
    e->used = (uint16_t)(s->depth < 60000 ? 60001 - s->depth : 1);          /* what lies near the root cost most */
}

static int32_t end_value(searcher *s) {
    joc_result r = joc_result_of(s->at);
    bool stuck = joc_state_of(s->at) == JOC_STUCK;
    if (!s->how->scores) return r.outcome == JOC_WIN ? (r.winner == 0 ? 2 : 0) : 1;
    if (!r.scored && !stuck) s->state = SEARCH_UNSCORED;
    if (!r.scored) return 0;
    return (int32_t)(s->players > 1 ? r.scores[0] - r.scores[1] : r.scores[0]);
}

static bool is_over(const joc_position *p) { return joc_state_of(p) == JOC_OVER || joc_state_of(p) == JOC_STUCK; }

/* How much better than the other the player stands at the position at hand, as far as `score` tells. */
static int32_t standing(searcher *s, int player) {
    int64_t scores[2];
    if (!s->scored || s->players != 2) return 0;
    joc_standing(s->at, scores);
    const int64_t ahead = scores[player] - scores[!player];
    return (int32_t)(ahead > STANDING_MOST ? STANDING_MOST : ahead < -STANDING_MOST ? -STANDING_MOST : ahead);
}

/* What can be told of the position at hand before it is looked at. Who keeps the turn is looked at early. */
static child child_of(searcher *s, const joc_move *move, uint32_t index, int mover, uint32_t best) {
    child c = { .index = index, .alike = (uint32_t)(joc_move_choices(move) % ALIKE), .low = LEAST, .high = MOST, .over = is_over(s->at) };
    if (c.over) c.low = c.high = end_value(s);
    else {
        c.key = joc_position_key(s->at);
        __builtin_prefetch(s->table + c.key % s->buckets * BUCKET);
    }
    c.rank = (int64_t)standing(s, mover) * (1 << HELPED_BITS) + s->helped[mover != 0][c.alike];
    if (index == best) c.rank = RANK_BEST;
    else if (!c.over && joc_mover(s->at) == mover) c.rank += RANK_STAYS;
    if (joc_fault(s->at)) s->state = SEARCH_FAULT;
    return c;
}

/* What the table knows of a child, which by now is near. */
static void child_recall(const searcher *s, child *c, bool first, int32_t asked) {
    const entry *e = c->over ? NULL : entry_of(s, c->key);
    if (e) c->low = e->low, c->high = e->high;
    if (first ? c->low >= asked : c->high < asked) c->rank = RANK_ANSWERS;
}

static void has_helped(searcher *s, int mover, const child *c) {
    uint32_t *helped = s->helped[mover != 0];
    if (++helped[c->alike] < HELPED_MOST) return;
    for (int i = 0; i < ALIKE; i++) helped[i] /= 2;
}

static int by_rank(const void *a, const void *b) {
    const child *x = a, *y = b;
    if (x->rank != y->rank) return x->rank > y->rank ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool comes_back(const searcher *s, uint64_t key) {
    for (int i = s->depth; i-- > 0;)
        if (s->path[i] == key) return true;
    return false;
}

static bool pause(searcher *s) {
    if (s->how->stop && *s->how->stop) s->state = SEARCH_STOPPED;
    if (++s->positions % TELL_EVERY == 0 && s->how->told) s->how->told(s->how->with, "positions searched", s->positions, 0);
    return s->state != SEARCH_DONE;
}

static int32_t ask(searcher *s, int32_t asked);

/* Asks the children in turn until one answers. `first`: whoever decides plays for more. */
static int32_t ask_children(searcher *s, const joc_moves *list, child *c, size_t count, bool first, int32_t asked, uint32_t *best) {
    int32_t value = first ? LEAST : MOST;
    for (size_t i = 0; i < count && s->state == SEARCH_DONE; i++) {
        int32_t v;
        if (c[i].low >= asked) v = c[i].low;
        else if (c[i].high < asked) v = c[i].high;
        else {
            joc_play(s->at, joc_moves_at(list, c[i].index));
            v = ask(s, asked);
        }
        if (first ? v > value : v < value) value = v, *best = c[i].index;
        if (first ? value >= asked : value < asked) {
            has_helped(s, first ? 0 : 1, &c[i]);
            break;
        }
    }
    return value;
}

/* A bound of the position at hand: at least `asked` if its value is, less if it is less. The position is lost. */
static int32_t ask(searcher *s, int32_t asked) {
    if (is_over(s->at)) return end_value(s);
    uint64_t key = joc_position_key(s->at);
    const entry *e = entry_of(s, key);
    if (e && e->low >= asked) return e->low;
    if (e && e->high < asked) return e->high;
    if (pause(s)) return asked;
    if (s->depth == DEEPEST || comes_back(s, key)) return s->state = SEARCH_RETURNS, asked;
    s->path[s->depth++] = key;
    int mover = joc_mover(s->at);
    uint32_t best = e ? e->best : NO_BEST;
    joc_moves *list = joc_moves_of(s->at);
    size_t count = joc_moves_count(list);
    child *c = memory_of(count + 1, sizeof *c);
    for (size_t i = 0; i < count && s->state == SEARCH_DONE; i++) {
        joc_play(s->at, joc_moves_at(list, i));
        c[i] = child_of(s, joc_moves_at(list, i), (uint32_t)i, mover, best);
    }
    for (size_t i = 0; i < count; i++) child_recall(s, &c[i], mover == 0, asked);
    qsort(c, count, sizeof *c, by_rank);
    int32_t value = ask_children(s, list, c, count, mover == 0, asked, &best);
    joc_moves_free(list);
    free(c);
    s->depth--;
    if (s->state == SEARCH_DONE) learn(s, key, value, asked, best);
    return value;
}

static void value_find(searcher *s, const void *root, search_result *out) {
    int32_t low = LEAST, high = MOST, guess = s->how->scores ? 0 : 1;
    while (low < high && s->state == SEARCH_DONE) {
        int32_t asked = guess == low ? guess + 1 : guess;
        joc_position_load(s->at, root);
        guess = ask(s, asked);
        if (guess < asked) high = guess;
        else low = guess;
    }
    out->value = guess;
}

/* Which moves are as good as the value? */
static void best_find(searcher *s, const void *root, search_result *out) {
    joc_position_load(s->at, root);
    bool first = joc_mover(s->at) == 0;
    joc_moves *list = joc_moves_of(s->at);
    out->move_count = (uint32_t)joc_moves_count(list);
    out->best = memory_of(out->move_count + 1, sizeof *out->best);
    for (uint32_t i = 0; i < out->move_count && s->state == SEARCH_DONE; i++) {
        joc_play(s->at, joc_moves_at(list, i));
        out->best[i] = first ? ask(s, out->value) >= out->value : ask(s, out->value + 1) <= out->value;
    }
    joc_moves_free(list);
}

search_result search(const joc_position *from, const graph_how *how) {
    const joc_game *g = joc_position_game(from);
    searcher *s = memory_of(1, sizeof *s);
    search_result out = { .state = SEARCH_DONE };
    void *root = memory_of(1, joc_position_bytes(g));
    s->how = how;
    s->players = joc_game_players(g);
    s->scored = joc_game_has_score(g);
    s->at = joc_position_copy(from);
    s->buckets = how->memory / (BUCKET * sizeof(entry));
    if (!s->buckets) s->buckets = 1;
    s->table = large_grown(NULL, 0, s->buckets * BUCKET * sizeof(entry));
    if (!s->table) s->buckets = 1, s->table = large_grown(NULL, 0, BUCKET * sizeof(entry));
    joc_position_save(s->at, root);
    if (is_over(s->at)) out.value = end_value(s);
    else {
        value_find(s, root, &out);
        if (s->state == SEARCH_DONE) best_find(s, root, &out);
    }
    out.state = s->state;
    out.positions = s->positions;
    if (s->state == SEARCH_FAULT) out.fault = text_copy(joc_fault(s->at));
    joc_position_free(s->at);
    large_free(s->table, s->buckets * BUCKET * sizeof(entry));
    free(s);
    free(root);
    return out;
}

void search_free(search_result *r) {
    free(r->fault);
    free(r->best);
}
