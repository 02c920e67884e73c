/* The board: cells and their names, directions as a successor per cell.
 *
 * A shape gives cells with coordinates; a direction is a step (dx, dy) from coordinates to coordinates (over link cells in a drawing).
 * `without` and `joined` are lowered with the cells already known and then applied; cells are numbered row by row from the south, in
 * drawings and maps in reading order and file order. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compile.h"

static const struct { const char *name; int dx, dy; } square_ways[8] = {
    { "north", 0, 1 }, { "northeast", 1, 1 }, { "east", 1, 0 }, { "southeast", 1, -1 }, { "south", 0, -1 }, { "southwest", -1, -1 }, { "west", -1, 0 }, { "northwest", -1, 1 },
};
static const struct { const char *name; int dx, dy; } hex_ways[6] = {
    { "northeast", 0, 1 }, { "east", 1, 0 }, { "southeast", 1, -1 }, { "southwest", 0, -1 }, { "west", -1, 0 }, { "northwest", -1, 1 },
};

enum { SHAPE_NONE, SHAPE_SQUARE, SHAPE_HEX, SHAPE_HEXAGON, SHAPE_STAR, SHAPE_STRIP, SHAPE_DRAWN, SHAPE_MAP };     /* as joc_shape */

/* Raw cells while the board is made. */
typedef struct { const char *name; int x, y; bool link; } raw_cell;

static const char *letters(compiler *c, int n)
{
    if (n <= 26) return arena_format(c->a, "%c", 'a' + n - 1);
    return arena_format(c->a, "%c%c", 'a' + (n - 1) / 26 - 1, 'a' + (n - 1) % 26);
}

static bool is_hex(int shape) { return shape == SHAPE_HEX || shape == SHAPE_HEXAGON || shape == SHAPE_STAR; }

int cell_named(const game *g, const char *name)
{
    for (int i = 0; i < g->cells; i++) if (strcmp(g->cell[i].name, name) == 0) return i;
    return -1;
}

static size_t stem_of(const char *name)
{
    size_t n = strlen(name);
    while (n && name[n - 1] >= '0' && name[n - 1] <= '9') n--;
    return n;
}

/* `s1..s9`: the cells whose names are counted, up or down, in that order. 0 unless the ends differ in their number alone and the board has all between. */
int cells_counted(const game *g, const char *a, const char *b, int *out, int cap)
{
    const size_t stem = stem_of(a);
    if (stem != stem_of(b) || strncmp(a, b, stem) != 0 || !a[stem] || !b[stem] || stem > 100 || strlen(a + stem) > 6 || strlen(b + stem) > 6) return 0;
    const int from = atoi(a + stem), to = atoi(b + stem), by = from <= to ? 1 : -1;
    int count = 0;
    for (int i = from; i != to + by; i += by) {
        char name[128];
        snprintf(name, sizeof name, "%.*s%d", (int)stem, a, i);
        const int cell = cell_named(g, name);
        if (cell < 0 || count == cap) return 0;
        out[count++] = cell;
    }
    return count;
}

static int cell_at(const game *g, int x, int y)
{
    for (int i = 0; i < g->cells; i++) if (g->cell[i].x == x && g->cell[i].y == y) return i;
    return -1;
}

/* On a board that closes round, what lies beyond one edge is the other. */
static int round_off(int at, int size) { return size ? ((at - 1) % size + size) % size + 1 : at; }

int board_direction(compiler *c, direction d)
{
    game *g = c->g;
    if (g->dir_count == DIRS_MAX) {
        diag_add(c->d, "E0340", c->making ? word_at(c, c->making, c->making->text) : c->at ? c->at->at : c->board ? c->board->at : (span){ 0 }, "more than %d directions, leaps and tracks", DIRS_MAX);
        return -1;
    }
    if (!d.next) {
        d.next = arena_alloc(c->a, PLACES_MAX * sizeof *d.next);
        memset(d.next, 0xFF, PLACES_MAX * sizeof *d.next);
    }
    d.opposite = -1;
    g->dirs[g->dir_count] = d;
    return g->dir_count++;
}

/* A direction that is a shift on each of a few parts of the board. */
static void direction_parts(compiler *c, direction *d)
{
    shift_part parts[PARTS_MAX];
    int n = 0;
    for (int p = 0; p < PLACES_MAX; p++) {
        if (d->next[p] == 0xFFFF) continue;
        const int shift = d->next[p] - p;
        int k = 0;
        while (k < n && parts[k].shift != shift) k++;
        if (k == PARTS_MAX) return;
        if (k == n) parts[n++] = (shift_part){ shift, arena_alloc(c->a, WORDS_MAX * sizeof(uint64_t)) };
        parts[k].mask[p / 64] |= 1ull << (p % 64);
    }
    d->parts = arena_alloc(c->a, (size_t)n * sizeof *parts);
    memcpy(d->parts, parts, (size_t)n * sizeof *parts);
    d->part_count = n;
}

void direction_finish(compiler *c, int index)
{
    game *g = c->g;
    direction *d = &g->dirs[index];
    d->mask = arena_alloc(c->a, WORDS_MAX * sizeof(uint64_t));
    if (d->graph) {
        for (int p = 0; p < PLACES_MAX; p++)
            for (int k = 0; k < WORDS_MAX; k++) if (d->image[p * WORDS_MAX + k]) d->mask[p / 64] |= 1ull << (p % 64);
        return;
    }
    d->back = arena_alloc(c->a, PLACES_MAX * sizeof *d->back);
    memset(d->back, 0xFF, PLACES_MAX * sizeof *d->back);
    bool regular = true, some = false;
    int shift = 0;
    for (int p = 0; p < PLACES_MAX; p++) {
        int to = d->next[p];
        if (to == 0xFFFF) continue;
        d->mask[p / 64] |= 1ull << (p % 64);
        if (d->back[to] != 0xFFFF) d->merges = true;
        d->back[to] = (uint16_t)p;
        if (p >= g->cells || to >= g->cells) d->off_board = true;
        if (!some) { shift = to - p; some = true; }
        else if (to - p != shift) regular = false;
    }
    d->shift = some && regular && !d->off_board ? shift : 0;
    if (some && !d->shift && !d->off_board) direction_parts(c, d);
}

int add_step_direction(compiler *c, const char *name, int dx, int dy, const raw_cell *links, int link_count);
int add_step_direction(compiler *c, const char *name, int dx, int dy, const raw_cell *links, int link_count)
{
    game *g = c->g;
    int index = board_direction(c, (direction){ .name = name, .dx = dx, .dy = dy });
    if (index < 0) return -1;
    /* a grid of what lies where, for quick look-ups */
    for (int i = 0; i < g->cells; i++) {
        int x = g->cell[i].x, y = g->cell[i].y;
        for (;;) {
            x = round_off(x + dx, c->round_width);
            y = round_off(y + dy, c->round_height);
            int to = cell_at(g, x, y);
            if (to >= 0) { g->dirs[index].next[i] = (uint16_t)to; break; }
            bool link = false;
            for (int j = 0; j < link_count; j++) link |= links[j].x == x && links[j].y == y;
            if (!link) break;
        }
    }
    direction_finish(c, index);
    return index;
}

/* Directions that undo each other. Those made by `from` lead back only where both of them begin. */
void pair_opposites(game *g)
{
    for (int i = 0; i < g->dir_count; i++)
        for (int j = 0; j < g->dir_count && g->dirs[i].opposite < 0; j++) {
            const direction *a = &g->dirs[i], *b = &g->dirs[j];
            if (a->graph || b->graph || a->merges || !(a->dx || a->dy) || a->dx != -b->dx || a->dy != -b->dy) continue;
            if (memcmp(a->back, b->next, PLACES_MAX * sizeof *a->back) == 0) g->dirs[i].opposite = j;
        }
}

/* The direction that undoes d, made if need be; -1 if none can. */
int direction_back(compiler *c, int d)
{
    game *g = c->g;
    if (g->dirs[d].opposite >= 0 || g->dirs[d].graph || g->dirs[d].merges) return g->dirs[d].opposite;
    direction x = g->dirs[d];
    x.dx = -x.dx, x.dy = -x.dy, x.next = NULL;
    const int index = board_direction(c, x);
    if (index < 0) return -1;
    memcpy(g->dirs[index].next, g->dirs[d].back, PLACES_MAX * sizeof *x.next);
    direction_finish(c, index);
    g->dirs[index].opposite = d;
    return g->dirs[d].opposite = index;
}

static void make_directions(compiler *c, const raw_cell *links, int link_count)
{
    game *g = c->g;
    g->dir_count = 0;
    if (g->shape == SHAPE_MAP || g->shape == SHAPE_NONE) return;
    if (is_hex(g->shape)) for (int i = 0; i < 6; i++) add_step_direction(c, hex_ways[i].name, hex_ways[i].dx, hex_ways[i].dy, links, link_count);
    else for (int i = 0; i < 8; i++) add_step_direction(c, square_ways[i].name, square_ways[i].dx, square_ways[i].dy, links, link_count);
    pair_opposites(g);
    g->letters = g->ways = (1ull << g->dir_count) - 1;
}

bool board_leap(compiler *c, int few, int many, uint64_t *mask)
{
    game *g = c->g;
    const int a = few < many ? few : many, b = few < many ? many : few;
    *mask = 0;
    const int moves[8][2] = { { a, b }, { b, a }, { b, -a }, { a, -b }, { -a, -b }, { -b, -a }, { -b, a }, { -a, b } };
    for (int i = 0; i < 8; i++) {
        int dx = moves[i][0], dy = moves[i][1], found = -1;
        const char *name = arena_format(c->a, "leap(%d, %d)", dx, dy);
        for (int j = 0; j < g->dir_count; j++) if (g->dirs[j].name && strcmp(g->dirs[j].name, name) == 0) found = j;
        if (found < 0) found = add_step_direction(c, name, dx, dy, NULL, 0);
        if (found < 0) return false;
        *mask |= 1ull << found;
    }
    pair_opposites(g);
    return true;
}

/* The directions of one of the words that turn with the player: `ahead` ... and the plain compass words. */
uint64_t board_turned(const compiler *c, int p, const char *word, bool *known)
{
    const game *g = c->g;
    static const struct { const char *word; uint8_t square, hex; } words[] = {      /* bits: the compass in order, clockwise from north, or northeast */
        { "ahead", 0x01, 0x01 }, { "behind", 0x10, 0x08 }, { "forward", 0x83, 0x21 }, { "backward", 0x38, 0x0C }, { "sideways", 0x44, 0x12 },
        { "orthogonal", 0x55, 0x3F }, { "diagonal", 0xAA, 0x00 },
    };
    *known = true;
    const bool hex = is_hex(g->shape), none = g->shape == SHAPE_MAP || g->shape == SHAPE_NONE;
    const unsigned n = hex ? 6 : 8;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) != 0) continue;
        if (none) return 0;
        unsigned bits = hex ? words[i].hex : words[i].square, turn = hex ? (g->players[p].facing == 2 ? 3u : 0u) : 2u * (unsigned)g->players[p].facing;
        return ((bits << turn) | (bits >> (n - turn))) & ((1u << n) - 1);
    }
    for (unsigned i = 0; !none && i < n; i++) if (strcmp(word, hex ? hex_ways[i].name : square_ways[i].name) == 0) return 1ull << i;
    if (none || hex) for (int i = 0; i < 8; i++) if (strcmp(word, square_ways[i].name) == 0) return 0;
    *known = false;
    return 0;
}

/* ---- shapes --------------------------------------------------------------------------------------------------------------------------------- */
static int compare_raw(const void *x, const void *y)
{
    const raw_cell *a = x, *b = y;
    return a->y != b->y ? a->y - b->y : a->x - b->x;
}

static bool dimension(compiler *c, const node *n, int least, int most, int *out)
{
    if (!n) { diag_add(c->d, "E0341", c->board->at, "this board needs its size, as in `board square 8 by 8`"); return false; }
    value v = lower_number(c, n);
    if (v.type == T_ERROR) return false;
    if (!v.constant) { diag_add(c->d, "E0341", n->at, "the size of a board must be known beforehand"); return false; }
    if (v.k < least || v.k > most) { diag_add(c->d, "E0341", n->at, "a board's size is from %d to %d here, found %lld", least, most, (long long)v.k); return false; }
    *out = (int)v.k;
    return true;
}

static int grid(compiler *c, raw_cell *raw, int w, int h)
{
    int n = 0;
    for (int y = 1; y <= h; y++) for (int x = 1; x <= w; x++) raw[n++] = (raw_cell){ arena_format(c->a, "%s%d", letters(c, x), y), x, y, false };
    return n;
}

static int hexagonal(compiler *c, raw_cell *raw, int cap, int size, bool star)
{
    int n = 0, r = 2 * size, least = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int y = -r; y <= r; y++)
            for (int x = -r; x <= r; x++) {
                int m = size - 1;
                bool in = star ? (x >= -size && y >= -size && x + y <= size) || (x <= size && y <= size && x + y >= -size)
                               : abs(x) <= m && abs(y) <= m && abs(x + y) <= m;
                if (!in) continue;
                if (pass == 0) { if (y < least) least = y; continue; }
                int row = star ? y + 2 * size + 1 : y + size, col = x + y + (star ? 2 * size + 1 : size);
                if (n < cap) raw[n++] = (raw_cell){ arena_format(c->a, "%s%d", letters(c, row), col), x, y - least + 1, false };
            }
    return n;
}

static int drawn(const node *picture, raw_cell *raw, int cap)
{
    int n = 0;
    for (int y = 0; y < picture->count; y++)
        for (int x = 0; picture->kids[y] && x < picture->kids[y]->count; x++) {
            const char *t = picture->kids[y]->kids[x]->text;
            if (!t || strcmp(t, ".") == 0) continue;
            if (n == cap) return cap + 1;
            raw[n++] = (raw_cell){ t, x + 1, picture->count - y, strcmp(t, "-") == 0 };
        }
    return n;
}

static void set_cells(compiler *c, const raw_cell *raw, int n)
{
    game *g = c->g;
    g->cell = arena_alloc(c->a, (size_t)(n + 1) * sizeof *g->cell);
    g->cells = 0;
    g->width = g->height = 0;
    for (int i = 0; i < n; i++) {
        if (raw[i].x > g->width) g->width = raw[i].x;
        if (raw[i].y > g->height) g->height = raw[i].y;
        if (!raw[i].link) g->cell[g->cells++] = (cell_info){ .name = raw[i].name, .x = raw[i].x, .y = raw[i].y };
    }
    g->places = g->cells;
}

static void remove_cells(compiler *c, const node *without, raw_cell *raw, int *n)
{
    game *g = c->g;
    value v = lower_set(c, without);
    if (v.type == T_ERROR) return;
    if (!v.constant) { diag_add(c->d, "E0342", without->at, "the cells taken away must be known beforehand"); return; }
    int kept = 0, cell = 0;
    const uint64_t *gone = const_words(&v, 0);
    bool some = false;
    for (int i = 0; i < *n; i++) {
        if (raw[i].link) { raw[kept++] = raw[i]; continue; }
        bool out = gone[cell / 64] >> (cell % 64) & 1;
        cell++;
        some |= out;
        if (!out) raw[kept++] = raw[i];
    }
    if (!some && !depends_on_options(c, c->board)) diag_add(c->d, "W0344", without->at, "no cells of the board are meant by this");
    *n = kept;
    int w = g->width, h = g->height;
    set_cells(c, raw, kept);
    g->width = w;
    g->height = h;
    if (!g->cells) diag_add(c->d, "E0342", without->at, "no cell is left");
}

static int compare_reading(const void *x, const void *y)
{
    const cell_info *a = *(const cell_info *const *)x, *b = *(const cell_info *const *)y;
    return a->y != b->y ? b->y - a->y : a->x - b->x;
}

static void name_by_numbers(compiler *c, const value *v, const node *n)
{
    game *g = c->g;
    if (!v->low_constant || !v->high_constant) { diag_add(c->d, "E0345", n->at, "the numbers of the cells must be known beforehand"); return; }
    int64_t many = v->high_k - v->low_k + 1;
    if (many != g->cells) { diag_add(c->d, "E0345", n->at, "%lld numbers for %d cells", (long long)many, g->cells); return; }
    cell_info *order[PLACES_MAX];
    for (int i = 0; i < g->cells; i++) order[i] = &g->cell[i];
    qsort(order, (size_t)g->cells, sizeof *order, compare_reading);
    for (int i = 0; i < g->cells; i++) order[i]->name = arena_format(c->a, "%lld", (long long)(v->low_k + i));
}

static int rank_among(const bool *used, int x)
{
    int n = 0;
    for (int i = 0; i <= x; i++) n += used[i];
    return n;
}

static void name_cells(compiler *c, const node *board)
{
    game *g = c->g;
    const char *names[PLACES_MAX] = { 0 };
    for (int i = 5; i < board->count; i++) {
        const node *naming = board->kids[i];
        if (!naming || naming->kind != NODE_NAMING) continue;
        value v = lower(c, naming->kids[0]);
        if (v.type == T_RANGE) { name_by_numbers(c, &v, naming); return; }
        v = to_set(c, v, naming->kids[0]);
        if (v.type == T_ERROR) return;
        if (!v.constant) { diag_add(c->d, "E0345", naming->at, "the cells named must be known beforehand"); return; }
        bool xs[2048] = { 0 }, ys[2048] = { 0 };
        const uint64_t *s = const_words(&v, 0);
        for (int p = 0; p < g->cells; p++) if (s[p / 64] >> (p % 64) & 1) { xs[g->cell[p].x & 2047] = true; ys[g->cell[p].y & 2047] = true; }
        for (int p = 0; p < g->cells; p++)
            if (s[p / 64] >> (p % 64) & 1)
                names[p] = arena_format(c->a, "%s%d%s", letters(c, rank_among(xs, g->cell[p].x)), rank_among(ys, g->cell[p].y), naming->text ? naming->text : "");
    }
    bool any = false;
    for (int p = 0; p < g->cells; p++) any |= names[p] != NULL;
    for (int p = 0; any && p < g->cells; p++) g->cell[p].name = names[p] ? names[p] : arena_format(c->a, "%d/%d", g->cell[p].x, g->cell[p].y);
}

/* In a picture both places can be shown. */
static void told_twice(compiler *c, const char *name)
{
    const node *picture = c->board->count > 4 ? c->board->kids[4] : NULL, *at[2] = { NULL, NULL };
    int found = 0;
    for (int y = 0; picture && y < picture->count; y++)
        for (int x = 0; picture->kids[y] && x < picture->kids[y]->count && found < 2; x++) {
            const node *pixel = picture->kids[y]->kids[x];
            if (pixel && pixel->text && strcmp(pixel->text, name) == 0) at[found++] = pixel;
        }
    diag_add(c->d, "E0345", at[1] ? at[1]->at : c->board->at, "two cells are called '%s'", name);
    if (at[1]) diag_note(c->d, at[0]->at, "first here");
}

static void check_names(compiler *c)
{
    const game *g = c->g;
    for (int i = 0; i < g->cells; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(g->cell[i].name, g->cell[j].name) == 0) { told_twice(c, g->cell[i].name); return; }
}

enum { RAW_MAX = 4 * PLACES_MAX };

static const node *part_of(const node *board, int i) { return board->count > i ? board->kids[i] : NULL; }

/* A square board, or one that is joined at its sides (and ends). */
static int board_grid(compiler *c, raw_cell *raw, bool round, bool torus)
{
    const node *b = c->board, *across = part_of(b, 0), *up = part_of(b, 1);
    int w = 0, h = 0;
    if (!dimension(c, across, round ? 3 : 1, 200, &w) || !dimension(c, up ? up : across, torus ? 3 : 1, 200, &h)) return 0;
    c->round_width = round ? w : 0;
    c->round_height = torus ? h : 0;
    if (w * h <= PLACES_MAX) return grid(c, raw, w, h);
    diag_add(c->d, "E0341", word_at(c, b, b->text), "a board of %d cells: at most %d can be had", w * h, PLACES_MAX);
    return 0;
}

static int board_picture(compiler *c, raw_cell *raw)
{
    const node *b = c->board, *picture = part_of(b, 4);
    const int n = picture ? drawn(picture, raw, RAW_MAX) : 0;
    if (n <= RAW_MAX) return n;
    diag_add(c->d, "E0341", word_at(c, b, b->text), "a picture of more than %d cells and lines", RAW_MAX);
    return 0;
}

/* Cells and lines of the board's shape; how many. */
static int board_cells(compiler *c, raw_cell *raw)
{
    static const char *const shapes[] = { "", "square", "hex", "hexagon", "star", "strip", "drawn", "map", "cylinder", "torus" };
    game *g = c->g;
    const node *b = c->board, *size = part_of(b, 0);
    for (int i = 1; i <= SHAPE_MAP; i++) if (strcmp(b->text, shapes[i]) == 0) g->shape = i;
    const bool torus = strcmp(b->text, "torus") == 0, round = torus || strcmp(b->text, "cylinder") == 0;
    if (round) g->shape = SHAPE_SQUARE;
    int n = 0, w = 0;
    switch (g->shape) {
    case SHAPE_SQUARE: case SHAPE_HEX: return board_grid(c, raw, round, torus);
    case SHAPE_STRIP:
        if (dimension(c, size, 1, PLACES_MAX, &w)) for (n = 0; n < w; n++) raw[n] = (raw_cell){ arena_format(c->a, "p%d", n + 1), n + 1, 1, false };
        return n;
    case SHAPE_HEXAGON: return dimension(c, size, 1, 18, &w) ? hexagonal(c, raw, RAW_MAX, w, false) : 0;
    case SHAPE_STAR: return dimension(c, size, 1, 9, &w) ? hexagonal(c, raw, RAW_MAX, w, true) : 0;
    case SHAPE_DRAWN: return board_picture(c, raw);
    case SHAPE_MAP: return 0;
    default: break;
    }
    const char *near = nearest_word(b->text, shapes + 1, 9);
    if (near) diag_add(c->d, "E0346", word_at(c, b, b->text), "no board shape '%s'; did you mean '%s'?", b->text, near);
    else diag_add(c->d, "E0346", word_at(c, b, b->text), "no board shape '%s'; there are square, cylinder, torus, hex, hexagon, star, strip, drawn { } and map", b->text);
    return 0;
}

static void board_map(compiler *c)
{
    const node *b = c->board, *file = part_of(b, 0);
    if (part_of(b, 2) || part_of(b, 3) || b->count > 5) diag_add(c->d, "E0346", word_at(c, b, b->text), "the cells, borders and names of a map stand in its file");
    else if (file && file->kind == NODE_E_TEXT) map_read(c, file->text, file->at);
    else diag_add(c->d, "E0346", word_at(c, b, b->text), "a map board needs a file, as in `board map \"name.map.yaml\"`");
}

/* Directions, once all cells stand; then cells are taken away, joined and named as the board says. */
static void board_join(compiler *c, raw_cell *raw, int n)
{
    const node *b = c->board, *without = part_of(b, 2), *joined = part_of(b, 3);
    const size_t errors = c->d->errors;
    raw_cell *links = calloc((size_t)n, sizeof *links);
    if (!links) abort();
    int link_count = 0;
    for (int i = 0; i < n; i++) if (raw[i].link) links[link_count++] = raw[i];
    check_names(c);
    make_directions(c, links, link_count);
    if (without) { remove_cells(c, without, raw, &n); make_directions(c, links, link_count); c->g->field_count = 0; }
    if (joined && c->d->errors == errors) {
        value v = lower_relation(c, joined);
        if (v.type != T_ERROR) { if (v.constant) c->g->ways = v.mask[0]; else diag_add(c->d, "E0347", joined->at, "what joins the cells must be known beforehand"); }
    }
    if (b->count > 5 && c->d->errors == errors) { name_cells(c, b); check_names(c); }
    free(links);
}

bool board_build(compiler *c)
{
    game *g = c->g;
    const node *b = c->board;
    const size_t errors = c->d->errors;
    if (!b) { g->shape = SHAPE_NONE; g->cell = arena_alloc(c->a, sizeof *g->cell); g->places = 0; make_directions(c, NULL, 0); return true; }
    raw_cell *raw = calloc(RAW_MAX, sizeof *raw);
    if (!raw) abort();
    const int n = board_cells(c, raw);
    if (g->shape == SHAPE_MAP) {
        board_map(c);
        free(raw);
        return c->d->errors == errors;
    }
    if (n && g->shape != SHAPE_DRAWN) qsort(raw, (size_t)n, sizeof *raw, compare_raw);
    if (n && c->d->errors == errors) {
        set_cells(c, raw, n);
        if (g->cells > PLACES_MAX) diag_add(c->d, "E0341", word_at(c, b, b->text), "a board of %d cells: at most %d can be had", g->cells, PLACES_MAX);
    }
    if (n && c->d->errors == errors) board_join(c, raw, n);
    free(raw);
    if (!g->cells && c->d->errors == errors) diag_add(c->d, "E0341", word_at(c, b, b->text), "this board has no cells");
    return c->d->errors == errors;
}

/* A board with a fault has been told of; the rules are read as if there were another. Names of its cells mean nothing now (words.c). */
void board_fallback(compiler *c)
{
    game *g = c->g;
    c->board_broken = true;
    if (g->cells && g->cells <= PLACES_MAX) return;
    raw_cell raw[64];
    if (!is_hex(g->shape)) g->shape = SHAPE_SQUARE;
    set_cells(c, raw, grid(c, raw, 8, 8));
    make_directions(c, NULL, 0);
}
