/* Symmetry tried out: of positions of random games, has the image of a position the images of its moves?
 *
 * Positions are made anew piece by piece, once as they are and once turned, so that neither has a history. They are the same if all that a
 * key is made of is; a move is what it leads to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "symmetry.h"

static void *must(void *p) { if (!p) abort(); return p; }

/* s NULL: nothing is turned. */
static int cell_of(const symmetry *s, int cell) { return s ? s->cell[cell] : cell; }
static int player_of(const symmetry *s, int player) { return s && player >= 0 ? s->player[player] : player; }

static int place_of(const joc_game *x, const symmetry *s, int place)
{
    const game *g = x->g;
    if (place < g->cells) return cell_of(s, place);
    const zone *z = &g->zones[place - g->cells];
    for (int i = 0; i < g->zone_count; i++) if (g->zones[i].declared == z->declared && g->zones[i].owner == player_of(s, z->owner)) return g->cells + i;
    return place;
}

static int64_t value_of(const joc_game *x, const symmetry *s, int k, int64_t v)
{
    if (!s || v < 0) return v;
    switch (joc_keep_kind(x, k)) {
    case JOC_CELL_VALUE: return v < x->g->cells ? s->cell[v] : place_of(x, s, (int)v);
    case JOC_DIRECTION_VALUE: return v < x->g->dir_count ? s->dir[v] : v;
    case JOC_PLAYER_VALUE: return s->player[v];
    default: return v;
    }
}

static void copy_pieces(const joc_position *from, joc_position *to, const symmetry *s)
{
    const joc_game *x = from->game;
    for (int place = 0; place < x->g->cells + x->g->zone_count; place++) {
        const int image = place_of(x, s, place), height = joc_height(from, place);
        const bool zone_ = place >= x->g->cells;
        for (int n = 0; n < height; n++) {
            const int level = zone_ ? n : height - 1 - n;
            int owner, kind;
            if (!joc_piece(from, place, level, &owner, &kind)) continue;
            joc_put(to, image, player_of(s, owner), kind);
            for (int k = 0; k < joc_game_keeps(x); k++)
                if (joc_keep_of(x, k) == JOC_OF_PIECE) joc_set_piece_value(to, image, zone_ ? n : 0, k, value_of(x, s, k, joc_piece_value(from, place, level, k)));
        }
    }
}

static void copy_keeps(const joc_position *from, joc_position *to, const symmetry *s)
{
    const joc_game *x = from->game;
    for (int k = 0; k < joc_game_keeps(x); k++) {
        const joc_of of = joc_keep_of(x, k);
        const int n = of == JOC_OF_GAME ? 1 : of == JOC_OF_PLAYER ? x->g->player_count : of == JOC_OF_CELL ? x->g->cells : 0;
        for (int i = 0; i < n; i++) joc_set_keep(to, k, of == JOC_OF_CELL ? cell_of(s, i) : of == JOC_OF_PLAYER ? player_of(s, i) : 0, value_of(x, s, k, joc_keep_value(from, k, i)));
    }
}

static joc_position *made_anew(const joc_position *from, const symmetry *s)
{
    const joc_game *x = from->game;
    joc_position *to = joc_empty(x);
    const int mover = joc_mover(from);
    copy_pieces(from, to, s);
    copy_keeps(from, to, s);
    for (int p = 0; p < x->g->player_count; p++) joc_set_player_in(to, player_of(s, p), joc_player_in(from, p));
    joc_set_turns(to, joc_turns(from));
    joc_set_mover(to, player_of(s, mover));
    joc_settle(to);
    return to;
}

/* What a position comes to: its key as it is or turned, and how it ended. Inside a turn there is no such key. */
static uint64_t key_of(const joc_position *p, const symmetry *s)
{
    const joc_state state = joc_state_of(p);
    const joc_result r = joc_result_of(p);
    const uint64_t end = state != JOC_OVER ? 0 : r.outcome == JOC_DRAW ? 1 : 2 + (uint64_t)player_of(s, r.winner);
    if (joc_inside_turn(p) && state != JOC_OVER) return 1;
    joc_position *q = made_anew(p, s);
    const uint64_t key = q->game->g->machine->key(q->v);
    joc_position_free(q);
    return (key ^ end * 0x9E3779B97F4A7C15u) | 1;
}

typedef struct { uint64_t key; size_t move; } reached;

static int by_key(const void *a, const void *b)
{
    const reached *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Where each move leads, turned by s; sorted, malloc'd. */
static reached *reach_of(const joc_position *p, const joc_moves *list, const symmetry *s)
{
    const size_t n = joc_moves_count(list);
    reached *out = must(calloc(n + 1, sizeof *out));
    for (size_t i = 0; i < n; i++) {
        joc_position *after = joc_position_copy(p);
        joc_play(after, joc_moves_at(list, i));
        out[i] = (reached){ key_of(after, s) + joc_move_weight(joc_moves_at(list, i)) * 0xD6E8FEB86659FD93u, i };
        joc_position_free(after);
    }
    qsort(out, n, sizeof *out, by_key);
    return out;
}

/* A sentence of the first move of one list that the other has not, or NULL; malloc'd. */
static char *difference(const joc_position *p, const joc_moves *a, const reached *x, const joc_moves *b, const reached *y)
{
    const size_t n = joc_moves_count(a), k = joc_moves_count(b);
    size_t i = 0;
    char *out = NULL;
    while (i < n && i < k && x[i].key == y[i].key) i++;
    if (i == n && i == k) return NULL;
    const bool first = i < n && (i == k || x[i].key < y[i].key);
    char *at = joc_position_text(p);
    if (asprintf(&out, "the moves differ at \"%s\": '%s'%s has no image", at, joc_move_text(joc_moves_at(first ? a : b, first ? x[i].move : y[i].move)), first ? "" : " of the image") < 0) abort();
    free(at);
    return out;
}

static char *try_position(const joc_position *p, const symmetry *s)
{
    joc_position *as_is = made_anew(p, NULL), *image = made_anew(p, s);
    char *out = NULL;
    if (joc_state_of(as_is) == joc_state_of(image)) {
        joc_moves *a = joc_moves_of(as_is), *b = joc_moves_of(image);
        if (joc_moves_count(a) <= 2000 && joc_moves_count(b) <= 2000) {
            reached *x = reach_of(as_is, a, s), *y = reach_of(image, b, NULL);
            out = difference(as_is, a, x, b, y);
            free(x);
            free(y);
        }
        joc_moves_free(a);
        joc_moves_free(b);
    } else {
        char *at = joc_position_text(p);
        if (asprintf(&out, "there are moves at \"%s\" or at its image, and not at the other", at) < 0) abort();
        free(at);
    }
    joc_position_free(as_is);
    joc_position_free(image);
    return out;
}

char *symmetry_try(const joc_game *x, const symmetry *s, int most, size_t *looked)
{
    enum { SECONDS = 2, DECISIONS = 300, EVERY = 3 };
    const clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;
    char *out = NULL;
    *looked = 0;
    for (uint64_t seed = 1; !out && *looked < (size_t)most && seed <= (uint64_t)most && clock() < end; seed++) {
        joc_position *p = joc_start(x, seed);
        joc_random random = joc_random_seed(seed);
        for (int i = 0; !out && i < DECISIONS && *looked < (size_t)most && clock() < end && joc_state_of(p) <= JOC_CHANCE; i++) {
            if (!joc_inside_turn(p) && i % EVERY == (int)(seed % EVERY)) {
                out = try_position(p, s);
                ++*looked;
            }
            if (!joc_play_random(p, &random)) break;
        }
        joc_position_free(p);
    }
    return out;
}
