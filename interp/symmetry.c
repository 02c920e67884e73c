/* Are the sides each other's image?
 *
 * A symmetry turns the board onto itself and each player into the next, so that whatever one side has the other has at the image. All that
 * is known of a game is its tables. A board has at most a few dozen ways to be turned: the whole-numbered matrices with entries -1, 0, 1
 * (half and quarter turns, mirrors; on hexagons their like), moved so that the lowest corner stays one. Of each it is asked, cell by cell,
 *
 *   the board       has the cell an image, and do the directions lead from it to the image of where they led?
 *   regions         is the image of a named set, as one player sees it, the set as the next player sees it?
 *   the set-up      stands the like piece of the next player on the image?
 *   the rules       are all sets, directions and fields in their code the images of each other, and is no place and no player named in it?
 *
 * The way with the fewest broken cells is the one meant. A game that is no image at all breaks nearly everywhere; one cell too many in one
 * region breaks two cells, and those can be named. The rules are compared in symmetry_rules.c; what tables cannot prove is tried out (symmetry_try.c). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "symmetry.h"

static void *must(void *p) { if (!p) abort(); return p; }
static bool has(const uint64_t *set, int x) { return set[x / 64] >> (x % 64) & 1; }
static const uint64_t *named_for(const named_set *n, int player) { return n->cells + (size_t)player * WORDS_MAX; }

/* ---- turning the board ----------------------------------------------------------------------------------------------------------------------- */
typedef struct { int x_least, y_least, x_most, y_most; } box;

static void turned(const int m[4], int x, int y, int *to_x, int *to_y)
{
    *to_x = m[0] * x + m[1] * y;
    *to_y = m[2] * x + m[3] * y;
}

static box box_of(const game *g, const int m[4])
{
    box b = { INT16_MAX, INT16_MAX, INT16_MIN, INT16_MIN };
    for (int i = 0; i < g->cells; i++) {
        int x, y;
        turned(m, g->cell[i].x, g->cell[i].y, &x, &y);
        if (x < b.x_least) b.x_least = x;
        if (y < b.y_least) b.y_least = y;
        if (x > b.x_most) b.x_most = x;
        if (y > b.y_most) b.y_most = y;
    }
    return b;
}

/* Cells by their coordinates within a box; -1 none. */
static int16_t *table_of(const game *g, const box *b)
{
    const int width = b->x_most - b->x_least + 1, height = b->y_most - b->y_least + 1;
    int16_t *at = must(malloc((size_t)width * (size_t)height * sizeof *at));
    for (int i = 0; i < width * height; i++) at[i] = -1;
    for (int i = 0; i < g->cells; i++) at[(g->cell[i].y - b->y_least) * width + g->cell[i].x - b->x_least] = (int16_t)i;
    return at;
}

/* False if the board turned is of another size. */
static bool turn_cells(const game *g, symmetry *s)
{
    static const int still[4] = { 1, 0, 0, 1 };
    const box from = box_of(g, s->matrix), to = box_of(g, still);
    const int width = to.x_most - to.x_least + 1;
    if (from.x_most - from.x_least != to.x_most - to.x_least || from.y_most - from.y_least != to.y_most - to.y_least) return false;
    int16_t *at = table_of(g, &to);
    for (int i = 0; i < g->cells; i++) {
        int x, y;
        turned(s->matrix, g->cell[i].x, g->cell[i].y, &x, &y);
        s->cell[i] = at[(y - from.y_least) * width + x - from.x_least];
    }
    free(at);
    return true;
}

static void breaks_at(symmetry *s, int cell)
{
    if (has(s->broken, cell)) return;
    s->broken[cell / 64] |= 1ull << (cell % 64);
    s->broken_count++;
}

/* ---- directions ---------------------------------------------------------------------------------------------------------------------------------- */
static bool leads(const game *g, const direction *d, int from, int to)
{
    return d->graph ? (d->image[(size_t)from * (size_t)g->words + (size_t)to / 64] >> (to % 64) & 1) != 0 : d->next[from] == to;
}

static bool leads_somewhere(const game *g, const direction *d, int from)
{
    if (!d->graph) return d->next[from] != 0xFFFF && d->next[from] < g->cells;
    for (int k = 0; k < g->words; k++) if (d->image[(size_t)from * (size_t)g->words + (size_t)k]) return true;
    return false;
}

static bool is_image(const game *g, const symmetry *s, int cell)
{
    for (int i = 0; i < g->cells; i++) if (s->cell[i] == cell) return true;
    return false;
}

/* A cell that e leads to at an image, and that is no image itself, is told as such. */
static bool leads_to_images(const game *g, const symmetry *s, const direction *e, int image)
{
    return !leads_somewhere(g, e, image) || e->graph || is_image(g, s, e->next[image]);
}

/* Is what d does at a cell what e does at its image? Beyond the board nothing is asked. */
static bool direction_fits(const game *g, const symmetry *s, const direction *d, const direction *e, int cell)
{
    const int image = s->cell[cell];
    if (image < 0) return true;
    if (!d->graph && leads_somewhere(g, d, cell) && s->cell[d->next[cell]] < 0) return true;
    if (leads_somewhere(g, d, cell) != leads_somewhere(g, e, image)) return !leads_to_images(g, s, e, image);
    if (!d->graph && !e->graph) return !leads_somewhere(g, d, cell) || s->cell[d->next[cell]] < 0 || e->next[image] == s->cell[d->next[cell]];
    for (int to = 0; to < g->cells; to++) if (s->cell[to] >= 0 && leads(g, d, cell, to) != leads(g, e, image, s->cell[to])) return false;
    return true;
}

static int misfits(const game *g, const symmetry *s, const direction *d, const direction *e, int most)
{
    int n = 0;
    for (int i = 0; i < g->cells && n < most; i++) n += !direction_fits(g, s, d, e, i);
    return n;
}

/* A direction's image is the one that agrees best. */
static void turn_directions(const game *g, symmetry *s)
{
    for (int d = 0; d < g->dir_count; d++) {
        int least = g->cells + 1;
        s->dir[d] = -1;
        for (int e = 0; e < g->dir_count && least; e++) {
            if (g->dirs[d].graph != g->dirs[e].graph) continue;
            const int n = misfits(g, s, &g->dirs[d], &g->dirs[e], least);
            if (n < least) { least = n; s->dir[d] = (int8_t)e; }
        }
        for (int i = 0; least && s->dir[d] >= 0 && i < g->cells; i++) if (!direction_fits(g, s, &g->dirs[d], &g->dirs[s->dir[d]], i)) breaks_at(s, i);
    }
}

/* ---- regions, pieces -------------------------------------------------------------------------------------------------------------------------------- */
/* A set and its image differ at a cell: it has the cell, and the next player's has not the image; or the other way round. */
static bool set_differs(const symmetry *s, const uint64_t *set, const uint64_t *next, int cell)
{
    return s->cell[cell] >= 0 && has(set, cell) != has(next, s->cell[cell]);
}

static void look_at_sets(const game *g, symmetry *s)
{
    for (int i = 0; i < g->named_set_count; i++)
        for (int p = 0; p < g->player_count; p++)
            for (int x = 0; x < g->cells; x++)
                if (set_differs(s, named_for(&g->named_sets[i], p), named_for(&g->named_sets[i], s->player[p]), x)) breaks_at(s, x);
}

static bool piece_differs(const symmetry *s, const joc_position *start, int cell)
{
    int owner = -1, kind = -1, other = -1, image_kind = -1;
    const bool some = joc_piece(start, cell, 0, &owner, &kind), image = joc_piece(start, s->cell[cell], 0, &other, &image_kind);
    if (some != image || joc_height(start, cell) != joc_height(start, s->cell[cell])) return true;
    return some && (kind != image_kind || other != (owner < 0 ? owner : s->player[owner]));
}

/* `start` NULL: chance sets up, and what stands where tells nothing. */
static void look_at_pieces(const game *g, symmetry *s, const joc_position *start)
{
    if (!start) return;
    for (int x = 0; x < g->cells; x++) if (s->cell[x] >= 0 && piece_differs(s, start, x)) breaks_at(s, x);
}

/* ---- the best of them -------------------------------------------------------------------------------------------------------------------------------- */
static const struct { int matrix[4]; const char *name; } names[] = {
    { { 1, 0, 0, 1 }, "the same places" },
    { { -1, 0, 0, -1 }, "half a turn" },
    { { 1, 0, 0, -1 }, "a mirror between north and south" },
    { { -1, 0, 0, 1 }, "a mirror between east and west" },
    { { 0, 1, 1, 0 }, "a mirror along the diagonal from southwest to northeast" },
    { { 0, -1, -1, 0 }, "a mirror along the diagonal from northwest to southeast" },
    { { 0, -1, 1, 0 }, "a quarter turn" },
    { { 0, 1, -1, 0 }, "a quarter turn" },
};
enum { NAMED = sizeof names / sizeof *names, MATRICES = 81 };

const char *symmetry_name(const symmetry *s)
{
    for (int i = 0; i < NAMED; i++) if (!memcmp(names[i].matrix, s->matrix, sizeof s->matrix)) return names[i].name;
    return s->matrix[0] * s->matrix[3] - s->matrix[1] * s->matrix[2] > 0 ? "a turn of the board" : "a mirror of the board";
}

/* Matrix number i: those with a name first. */
static bool matrix_of(int i, int m[4])
{
    if (i < NAMED) { memcpy(m, names[i].matrix, sizeof names[i].matrix); return true; }
    for (int k = 0, n = i - NAMED; k < 4; k++, n /= 3) m[k] = n % 3 - 1;
    const int det = m[0] * m[3] - m[1] * m[2];
    return det == 1 || det == -1;
}

static bool is_direction(const game *g, int d, int dx, int dy) { return (g->dirs[d].dx || g->dirs[d].dy) && g->dirs[d].dx == dx && g->dirs[d].dy == dy; }

/* A matrix that turns a direction of the compass into none turns no board: squares do not become rhombs. */
static bool turns_compass(const game *g, const int m[4])
{
    for (int d = 0; d < g->dir_count; d++) {
        int x, y, found = 0;
        if (!(g->letters >> d & 1) || (!g->dirs[d].dx && !g->dirs[d].dy)) continue;
        turned(m, g->dirs[d].dx, g->dirs[d].dy, &x, &y);
        for (int e = 0; e < g->dir_count && !found; e++) found = is_direction(g, e, x, y);
        if (!found) return false;
    }
    return true;
}

static bool try_turn(const game *g, const joc_position *start, symmetry *s)
{
    s->broken_count = 0;
    memset(s->broken, 0, sizeof s->broken);
    if (!turns_compass(g, s->matrix) || !turn_cells(g, s)) return false;
    for (int p = 0; p < g->player_count; p++) s->player[p] = (p + 1) % g->player_count;
    for (int i = 0; i < g->cells; i++) if (s->cell[i] < 0) breaks_at(s, i);
    turn_directions(g, s);
    look_at_sets(g, s);
    look_at_pieces(g, s, start);
    return true;
}

/* Number `i` of the ways to turn; false if it is none. */
static bool turn_number(const game *g, const joc_position *start, int i, symmetry *s)
{
    return g->player_count > 1 && g->cells && g->shape != JOC_BOARD_MAP && matrix_of(i, s->matrix) && try_turn(g, start, s);
}

symmetry symmetry_new(const game *g) { return (symmetry){ .cell = must(calloc((size_t)g->cells + 1, sizeof(int16_t))) }; }

bool symmetry_find(const joc_game *x, const joc_position *start, int positions, symmetry *best)
{
    const game *g = x->g;
    symmetry s = symmetry_new(g);
    int found = -1, found_worth = 0;
    for (int i = 0; i < NAMED + MATRICES; i++) {
        if (!turn_number(g, start, i, &s)) continue;
        int worth = -2 * s.broken_count;
        if (!s.broken_count && positions) {
            size_t looked;
            char *why = symmetry_try(x, &s, positions, &looked);
            worth = (why ? 0 : 2) + symmetry_of_rules(g, &s);
            free(why);
        }
        if (found >= 0 && worth <= found_worth) continue;
        found = i;
        found_worth = worth;
        if (worth == 3) break;
    }
    symmetry_free(&s);
    *best = symmetry_new(g);
    if (found >= 0) return turn_number(g, start, found, best);
    symmetry_free(best);
    return false;
}

void symmetry_free(symmetry *s)
{
    free(s->cell);
    s->cell = NULL;
}

/* ---- what breaks it ------------------------------------------------------------------------------------------------------------------------------------ */
typedef struct { const game *g; const symmetry *s; symmetry_tell *tell; void *with; size_t told; } telling;

static void say(telling *t, span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(telling *t, span at, const char *format, ...)
{
    char sentence[400];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    t->tell(t->with, at, sentence);
    t->told++;
}

static const char *cell_text(const telling *t, int cell) { return t->g->cell[cell].name; }

static void tell_cells(telling *t)
{
    for (int i = 0; i < t->g->cells; i++) if (t->s->cell[i] < 0) say(t, (span){ 0 }, "the board has %s, but no cell at its image", cell_text(t, i));
}

static void tell_directions(telling *t)
{
    for (int d = 0; d < t->g->dir_count; d++)
        for (int i = 0; t->s->dir[d] >= 0 && i < t->g->cells; i++)
            if (!direction_fits(t->g, t->s, &t->g->dirs[d], &t->g->dirs[t->s->dir[d]], i))
                say(t, (span){ 0 }, "the ways from %s and from its image %s differ", cell_text(t, i), cell_text(t, t->s->cell[i]));
}

/* A set that is made of others breaks where they do: only what no set before has told is told. */
static void tell_sets(telling *t)
{
    uint64_t seen[WORDS_MAX] = { 0 };
    for (int i = 0; i < t->g->named_set_count; i++) {
        const named_set *n = &t->g->named_sets[i];
        for (int p = 0; p < t->g->player_count; p++)
            for (int x = 0; x < t->g->cells; x++) {
                const int next = t->s->player[p];
                if (!set_differs(t->s, named_for(n, p), named_for(n, next), x) || !has(named_for(n, p), x) || has(seen, x)) continue;
                seen[x / 64] |= 1ull << (x % 64);
                seen[t->s->cell[x] / 64] |= 1ull << (t->s->cell[x] % 64);
                say(t, (span){ n->at[p].source, n->at[p].from, n->at[p].to }, "'%s' of %s has %s, but '%s' of %s has not its image %s", n->name, t->g->players[p].name, cell_text(t, x), n->name,
                    t->g->players[next].name, cell_text(t, t->s->cell[x]));
            }
    }
}

static void tell_pieces(telling *t, const joc_position *start)
{
    for (int x = 0; start && x < t->g->cells; x++) {
        int owner, kind;
        if (t->s->cell[x] < 0 || !piece_differs(t->s, start, x) || !joc_piece(start, x, 0, &owner, &kind)) continue;
        say(t, (span){ 0 }, "at the start %s %s stands on %s, but not its like on the image %s", owner < 0 ? "the neutral" : t->g->players[owner].name, t->g->kinds[kind].name, cell_text(t, x),
            cell_text(t, t->s->cell[x]));
    }
}

size_t symmetry_breaks(const game *g, const joc_position *start, const symmetry *s, symmetry_tell *tell, void *with)
{
    telling t = { g, s, tell, with, 0 };
    tell_cells(&t);
    tell_directions(&t);
    tell_sets(&t);
    tell_pieces(&t, start);
    return t.told;
}

/* ---- for joc.h ------------------------------------------------------------------------------------------------------------------------------------------------ */
static void break_add(void *with, span at, const char *sentence)
{
    joc_symmetry *s = with;
    (void)at;
    char **list = must(realloc(s->breaks, (s->break_count + 1) * sizeof *list));
    list[s->break_count++] = must(strdup(sentence));
    s->breaks = list;
}

/* The first position, or NULL if it is not always the same. */
static joc_position *start_of(const joc_game *x)
{
    joc_position *p = joc_start(x, 1), *q = joc_fault(p) ? p : joc_start(x, 2);
    bool same = true;
    for (int i = 0; i < x->g->cells; i++) {
        int a = -2, b = -2, k = -2, l = -2;
        joc_piece(p, i, 0, &a, &k);
        joc_piece(q, i, 0, &b, &l);
        same &= a == b && k == l;
    }
    if (q != p) joc_position_free(q);
    if (same) return p;
    joc_position_free(p);
    return NULL;
}

static size_t pieces_of(const joc_position *p)
{
    size_t n = 0;
    for (int x = 0; p && x < p->game->g->cells; x++) n += joc_height(p, x) > 0;
    return n;
}

/* So many positions decide among the ways to turn a board that breaks none of them. */
enum { TRY_FIRST = 8 };

joc_symmetry *joc_symmetry_of(const joc_game *x, int positions)
{
    joc_position *start = start_of(x);
    joc_symmetry *out = NULL;
    symmetry s;
    if (symmetry_find(x, start, TRY_FIRST, &s)) {
        out = must(calloc(1, sizeof *out));
        *out = (joc_symmetry){ .turn = symmetry_name(&s), .cells = (size_t)x->g->cells, .sets = (size_t)x->g->named_set_count, .pieces = pieces_of(start) };
        symmetry_breaks(x->g, start, &s, break_add, out);
        out->rules = symmetry_of_rules(x->g, &s);
        char *moves = s.broken_count ? NULL : symmetry_try(x, &s, positions, &out->tried);
        if (moves) break_add(out, (span){ 0 }, moves);
        free(moves);
        symmetry_free(&s);
    }
    joc_position_free(start);
    return out;
}

void joc_symmetry_free(joc_symmetry *s)
{
    for (size_t i = 0; s && i < s->break_count; i++) free(s->breaks[i]);
    if (s) free(s->breaks);
    free(s);
}

/* ---- for `joc check` --------------------------------------------------------------------------------------------------------------------------------------------- */
/* A game is nearly its own image where few cells break it, and much speaks for it. */
enum { FEW = 4, MUCH = 2, TOLD = 3 };
typedef struct { diagnostics *d; const tree *t; const symmetry *s; int told; } noting;

static span item_at(const tree *t, node_kind kind)
{
    for (int i = 0; i < t->root->count; i++) if (t->root->kids[i] && t->root->kids[i]->kind == kind) return t->root->kids[i]->at;
    return (span){ .source = UINT32_MAX };
}

static void note_add(void *with, span at, const char *sentence)
{
    noting *n = with;
    if (at.from == at.to) at = item_at(n->t, !strncmp(sentence, "at the start", 12) ? NODE_I_SETUP : NODE_I_BOARD);
    if (at.source != 0 || n->told++ >= TOLD) return;
    diag_add(n->d, "N0419", at, "nearly symmetric (%s): %s", symmetry_name(n->s), sentence);
}

void symmetry_lint(const joc_game *x, const tree *t, diagnostics *d)
{
    joc_position *start = start_of(x);
    symmetry s;
    if (symmetry_find(x, start, 0, &s)) {
        size_t evidence = pieces_of(start);
        for (int i = 0; i < x->g->named_set_count; i++) for (int k = 0; k < WORDS_MAX; k++) evidence += (size_t)__builtin_popcountll(named_for(&x->g->named_sets[i], 0)[k]);
        noting n = { d, t, &s, 0 };
        if (s.broken_count && s.broken_count <= FEW && evidence >= (size_t)(2 * s.broken_count + MUCH)) symmetry_breaks(x->g, start, &s, note_add, &n);
        symmetry_free(&s);
    }
    joc_position_free(start);
}
