/* Where two games part; see differ.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "interp/play/differ.h"
#include "interp/play/text.h"

const char *const difference_words[] = {
    "alike", "what comes next differs", "another player decides", "the moves differ", "the chances differ", "the results differ", "the scores differ"
};

enum { GIVEN_UP_MOST = 3 };

/* Has there been enough? A decision that is given up costs as much as the machine gives one, and of such rules no more is learned. */
static bool enough(const differ_effort *e, difference *d) {
    if (e->seconds > 0 && (double)clock() / CLOCKS_PER_SEC > e->seconds) d->out_of_time = true;
    return d->out_of_time || d->given_up >= GIVEN_UP_MOST || (e->stop && *e->stop);
}

static void note_fault(difference *d, const joc_position *a, const joc_position *b) { d->given_up += joc_fault(a) || joc_fault(b); }

/* A pair of positions reached by the same moves. */
typedef struct { joc_position *a, *b; size_t from; char *move; } pair;
typedef struct { pair *list; size_t count, limit; uint64_t *seen; size_t seen_size; } search;

/* ---- comparing two positions ---------------------------------------------------------------------------------------------------------- */
typedef struct { const char *text; const joc_move *move; uint64_t weight; } named_move;
typedef struct { joc_moves *list; named_move *moves; size_t count; } listing;

static int by_text(const void *a, const void *b) { return strcmp(((const named_move *)a)->text, ((const named_move *)b)->text); }

static listing listing_of(const joc_position *p) {
    listing l = { .list = joc_moves_of(p) };
    l.count = joc_moves_count(l.list);
    l.moves = memory_of(l.count + 1, sizeof *l.moves);
    for (size_t i = 0; i < l.count; i++) {
        const joc_move *m = joc_moves_at(l.list, i);
        l.moves[i] = (named_move){ joc_move_text(m), m, joc_move_weight(m) };
    }
    if (l.count) qsort(l.moves, l.count, sizeof *l.moves, by_text);
    return l;
}

static void listing_free(listing *l) {
    joc_moves_free(l->list);
    free(l->moves);
}

static const named_move *find(const listing *l, const char *s) {
    named_move wanted = { .text = s };
    return l->count ? bsearch(&wanted, l->moves, l->count, sizeof *l->moves, by_text) : NULL;
}

__extension__ typedef unsigned __int128 product;

/* The moves of `l` that `other` has not, or (of chance) not with the same probability; `*out` may be NULL, to count only. */
static size_t missing(const listing *l, const listing *other, bool chance, char ***out) {
    size_t n = 0;
    uint64_t mine = joc_moves_weight(l->list), theirs = joc_moves_weight(other->list);
    if (out) *out = memory_of(l->count + 1, sizeof **out);
    for (size_t i = 0; i < l->count; i++) {
        const named_move *same = find(other, l->moves[i].text);
        if (same && (!chance || (product)same->weight * mine == (product)l->moves[i].weight * theirs)) continue;
        if (out) (*out)[n] = text_copy(l->moves[i].text);
        n++;
    }
    return n;
}

static const char *who(const joc_position *p, int player) { return joc_game_player(joc_position_game(p), player); }

static difference_kind results_compared(const joc_position *a, const joc_position *b) {
    joc_result x = joc_result_of(a), y = joc_result_of(b);
    if (x.outcome != y.outcome || (x.outcome == JOC_WIN && strcmp(who(a, x.winner), who(b, y.winner)))) return DIFFER_RESULT;
    if (x.scored != y.scored) return DIFFER_SCORES;
    int players = joc_game_players(joc_position_game(a));
    for (int i = 0; x.scored && i < players && i < joc_game_players(joc_position_game(b)); i++)
        if (x.scores[i] != y.scores[i]) return DIFFER_SCORES;
    return ALIKE;
}

/* Compares what does not need the moves; true if the moves are still to be compared. */
static bool compared_outside(const joc_position *a, const joc_position *b, difference_kind *kind) {
    joc_state x = joc_state_of(a), y = joc_state_of(b);
    *kind = ALIKE;
    if (x != y) *kind = DIFFER_STATE;
    else if (x == JOC_OVER) *kind = results_compared(a, b);
    else if (x == JOC_DECISION && strcmp(who(a, joc_mover(a)), who(b, joc_mover(b)))) *kind = DIFFER_MOVER;
    return *kind == ALIKE && (x == JOC_DECISION || x == JOC_CHANCE);
}

static difference_kind moves_compared(const joc_position *a, const listing *x, const listing *y) {
    bool chance = joc_state_of(a) == JOC_CHANCE;
    if (!missing(x, y, false, NULL) && !missing(y, x, false, NULL)) return chance && missing(x, y, true, NULL) ? DIFFER_CHANCE : ALIKE;
    return DIFFER_MOVES;
}

/* ---- what was found ------------------------------------------------------------------------------------------------------------------- */
static void note_moves(difference *d) {
    bool chance = d->kind == DIFFER_CHANCE;
    if (d->kind != DIFFER_MOVES && !chance) return;
    listing x = listing_of(d->a), y = listing_of(d->b);
    d->count_a = missing(&x, &y, chance, &d->only_a);
    d->count_b = missing(&y, &x, chance, &d->only_b);
    listing_free(&x), listing_free(&y);
}

static void line_free(char **line, size_t length) {
    for (size_t i = 0; i < length; i++) free(line[i]);
    free(line);
}

void difference_free(difference *d) {
    line_free(d->line, d->length);
    line_free(d->only_a, d->count_a);
    line_free(d->only_b, d->count_b);
    joc_position_free(d->a);
    joc_position_free(d->b);
    *d = (difference){ 0 };
}

/* ---- breadth first -------------------------------------------------------------------------------------------------------------------- */

/* True the first time a pair of positions is met. */
static bool is_new(search *s, const joc_position *a, const joc_position *b) {
    uint64_t key = joc_position_hash(a) * 0x9E3779B97F4A7C15u ^ joc_position_hash(b);
    key += !key;
    size_t i = (size_t)(key % s->seen_size);
    while (s->seen[i] && s->seen[i] != key) i = i + 1 == s->seen_size ? 0 : i + 1;
    bool before = s->seen[i] == key;
    s->seen[i] = key;
    return !before;
}

static void enqueue(search *s, joc_position *a, joc_position *b, size_t from, const char *move) {
    if (s->count < s->limit && is_new(s, a, b)) s->list[s->count++] = (pair){ a, b, from, move ? text_copy(move) : NULL };
    else joc_position_free(a), joc_position_free(b);
}

static void enqueue_moves(search *s, size_t at, const listing *x, const listing *y) {
    for (size_t i = 0; i < x->count && s->count < s->limit; i++) {
        joc_position *a = joc_position_copy(s->list[at].a), *b = joc_position_copy(s->list[at].b);
        joc_play(a, x->moves[i].move);
        joc_play(b, find(y, x->moves[i].text)->move);
        enqueue(s, a, b, at, x->moves[i].text);
    }
}

/* Looks at one pair; its successors join the queue if it is alike. */
static difference_kind look(search *s, size_t at) {
    difference_kind kind;
    const pair *p = &s->list[at];
    if (!compared_outside(p->a, p->b, &kind)) return kind;
    listing x = listing_of(p->a), y = listing_of(p->b);
    kind = moves_compared(p->a, &x, &y);
    if (kind == ALIKE) enqueue_moves(s, at, &x, &y);
    listing_free(&x), listing_free(&y);
    return kind;
}

/* The moves to the pair `at`, read backwards. */
static void line_take(const search *s, size_t at, difference *d) {
    size_t length = 0;
    for (size_t i = at; s->list[i].move; i = s->list[i].from) length++;
    d->line = memory_of(length + 1, sizeof *d->line);
    d->length = length;
    for (size_t i = at; s->list[i].move; i = s->list[i].from) d->line[--length] = text_copy(s->list[i].move);
}

static void breadth_first(const joc_game *a, const joc_game *b, const differ_effort *e, difference *d) {
    search s = { .limit = e->positions ? e->positions : 1 };
    s.list = memory_of(s.limit, sizeof *s.list);
    s.seen_size = 2 * s.limit + 1;
    s.seen = memory_of(s.seen_size, sizeof *s.seen);
    enqueue(&s, joc_start(a, e->seed), joc_start(b, e->seed), 0, NULL);
    for (size_t at = 0; at < s.count && !d->kind && !enough(e, d); at++) {
        d->kind = look(&s, at);
        note_fault(d, s.list[at].a, s.list[at].b);
        d->positions++;
        if (d->kind) {
            line_take(&s, at, d);
            d->a = s.list[at].a, d->b = s.list[at].b;
            s.list[at].a = s.list[at].b = NULL;
        }
        joc_position_free(s.list[at].a), joc_position_free(s.list[at].b);      /* its successors have copies */
        s.list[at].a = s.list[at].b = NULL;
    }
    for (size_t i = 0; i < s.count; i++) joc_position_free(s.list[i].a), joc_position_free(s.list[i].b), free(s.list[i].move);
    free(s.list);
    free(s.seen);
}

/* ---- random games --------------------------------------------------------------------------------------------------------------------- */
static void line_add(difference *d, const char *move) {
    char **grown = memory_of(d->length + 1, sizeof *grown);
    if (d->length) memcpy(grown, d->line, d->length * sizeof *grown);
    free(d->line);
    d->line = grown;
    d->line[d->length++] = text_copy(move);
}

/* One decision of both; false if the game has ended or parted. */
static bool step(difference *d, joc_random *r) {
    if (!compared_outside(d->a, d->b, &d->kind)) return false;
    listing x = listing_of(d->a), y = listing_of(d->b);
    d->kind = moves_compared(d->a, &x, &y);
    if (d->kind == ALIKE && x.count) {
        const named_move *chosen = &x.moves[joc_random_below(r, x.count)], *same = find(&y, chosen->text);
        line_add(d, chosen->text);
        joc_play(d->a, chosen->move);
        joc_play(d->b, same->move);
    }
    bool on = d->kind == ALIKE && x.count;
    listing_free(&x), listing_free(&y);
    return on;
}

static void drop_game(difference *d) {
    line_free(d->line, d->length);
    joc_position_free(d->a), joc_position_free(d->b);
    d->line = NULL, d->length = 0, d->a = d->b = NULL, d->kind = ALIKE;
}

/* All games are played, each only as far as the shortest line found so far. */
static void at_random(const joc_game *a, const joc_game *b, const differ_effort *e, difference *best) {
    uint64_t cap = e->cap;
    for (uint64_t i = 0; i < e->games && cap && !enough(e, best); i++) {
        joc_random r = joc_random_seed(e->seed + i);
        difference d = { .a = joc_start(a, e->seed + i), .b = joc_start(b, e->seed + i) };
        best->games++;
        for (uint64_t n = 0; n < cap && !enough(e, best) && step(&d, &r); n++) best->positions++;
        note_fault(best, d.a, d.b);
        if (d.kind == ALIKE) {
            drop_game(&d);
            continue;
        }
        drop_game(best);
        d.positions = best->positions, d.games = best->games, d.given_up = best->given_up, d.out_of_time = best->out_of_time, d.at_random = true, d.seed = e->seed + i;
        *best = d;
        cap = d.length;
    }
}

difference differ_find(const joc_game *a, const joc_game *b, const differ_effort *e) {
    difference d = { .kind = ALIKE };
    differ_effort until = *e;
    if (e->seconds > 0) until.seconds += (double)clock() / CLOCKS_PER_SEC;
    d.seed = e->seed;
    breadth_first(a, b, &until, &d);
    if (!d.kind) at_random(a, b, &until, &d);
    if (d.kind) note_moves(&d);
    return d;
}
