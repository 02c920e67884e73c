/* Boards: cells with coordinates, directions as tables of successors, relations made of them, tracks. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static const struct { const char *name; int dx, dy; } square_dirs[8] = {
    { "north", 0, 1 }, { "northeast", 1, 1 }, { "east", 1, 0 }, { "southeast", 1, -1 },
    { "south", 0, -1 }, { "southwest", -1, -1 }, { "west", -1, 0 }, { "northwest", -1, 1 } };
static const struct { const char *name; int dx, dy; } hex_dirs[6] = {
    { "northeast", 0, 1 }, { "east", 1, 0 }, { "southeast", 1, -1 }, { "southwest", 0, -1 }, { "west", -1, 0 }, { "northwest", -1, 1 } };

/* ---- cells ----------------------------------------------------------------------------------------------------------------- */
static const char *letters(plain_game *g, int x, char *out) {
    if (x > 26) *out++ = (char)('a' + (x - 1) / 26 - 1);
    if (x > 26 * 27) fail(g, NULL, "a board is too wide");
    *out++ = (char)('a' + (x - 1) % 26);
    *out = 0;
    return out;
}

static const char *keep_word(plain_game *g, const char *s) {
    char *p = heap_take(&g->slow, strlen(s) + 1);
    return strcpy(p, s);
}

static void cell_add(plain_game *g, const char *word, int x, int y) {
    if ((g->cell_count & (g->cell_count - 1)) == 0) {
        cell *grown = heap_take(&g->slow, (size_t)(g->cell_count ? 2 * g->cell_count : 1) * sizeof *grown);
        if (g->cell_count) memcpy(grown, g->cells, (size_t)g->cell_count * sizeof *grown);
        g->cells = grown;
    }
    if (g->cell_count >= 4096) fail(g, NULL, "a board is too large");
    g->cells[g->cell_count++] = (cell){ keep_word(g, word), x, y };
}

static void lettered(plain_game *g, int letter, int n, int x, int y) {
    char word[32];
    letters(g, letter, word);
    snprintf(word + strlen(word), 16, "%d", n);
    cell_add(g, word, x, y);
}

int cell_at(const plain_game *g, int x, int y) {
    for (int c = 0; c < g->cell_count; c++)
        if (g->cells[c].x == x && g->cells[c].y == y) return c;
    return NONE;
}

int cell_find(const plain_game *g, const char *word) {
    for (int c = 0; c < g->cell_count; c++)
        if (!strcmp(g->cells[c].word, word)) return c;
    return NONE;
}

static void measure(plain_game *g) {
    g->width = g->height = 0;
    for (int c = 0; c < g->cell_count; c++) {
        if (g->cells[c].x > g->width) g->width = g->cells[c].x;
        if (g->cells[c].y > g->height) g->height = g->cells[c].y;
    }
}

static void square(plain_game *g, int w, int h) {
    for (int y = 1; y <= h; y++)
        for (int x = 1; x <= w; x++) lettered(g, x, y, x, y);
}

static void strip(plain_game *g, int n) {
    for (int x = 1; x <= n; x++) {
        char word[16];
        snprintf(word, sizeof word, "p%d", x);
        cell_add(g, word, x, 1);
    }
}

static int most(int a, int b) { return a > b ? a : b; }

/* The number of a cell is the same along the lines that run northwest, so that it counts up going northeast: a1, b2, c3. */
static void hexagon(plain_game *g, int n) {
    int m = n - 1;
    for (int y = -m; y <= m; y++)
        for (int x = -m; x <= m; x++)
            if (most(abs(x), most(abs(y), abs(x + y))) <= m) lettered(g, y + m + 1, x + y + m + 1, x, y + m + 1);
}

static bool in_star(int n, int x, int y) {
    return (x >= -n && y >= -n && x + y <= n) || (x <= n && y <= n && x + y >= -n);
}

static void star(plain_game *g, int n) {
    for (int y = -2 * n; y <= 2 * n; y++)
        for (int x = -2 * n; x <= 2 * n; x++)
            if (in_star(n, x, y)) lettered(g, y + 2 * n + 1, x + y + 2 * n + 1, x, y + 2 * n + 1);
}

static void drawn(plain_game *g, const node *picture) {
    int links = 0;
    for (int r = 0; r < picture->count; r++) links += picture->kids[r]->count;
    g->link = heap_take(&g->slow, (size_t)(links + 1) * 2 * sizeof *g->link);
    for (int r = 0; r < picture->count; r++)
        for (int x = 0; x < picture->kids[r]->count; x++) {
            const char *word = picture->kids[r]->kids[x]->text;
            int y = picture->count - r;
            if (!strcmp(word, "-")) {
                g->link[2 * g->link_count] = x + 1;
                g->link[2 * g->link_count++ + 1] = y;
            } else if (strcmp(word, ".")) cell_add(g, word, x + 1, y);
        }
}

/* ---- directions -------------------------------------------------------------------------------------------------------------- */
static bool linked(const plain_game *g, int x, int y) {
    for (int i = 0; i < g->link_count; i++)
        if (g->link[2 * i] == x && g->link[2 * i + 1] == y) return true;
    return false;
}

/* Over the edge of a cylinder or a torus one comes in on the other side. */
static void wrap(const plain_game *g, int *x, int *y) {
    bool torus = !strcmp(g->shape, "torus");
    if (torus || !strcmp(g->shape, "cylinder")) {
        while (*x > g->width) *x -= g->width;
        while (*x < 1) *x += g->width;
    }
    while (torus && *y > g->height) *y -= g->height;
    while (torus && *y < 1) *y += g->height;
}

static int successor(const plain_game *g, int c, int dx, int dy) {
    int x = g->cells[c].x + dx, y = g->cells[c].y + dy;
    wrap(g, &x, &y);
    while (cell_at(g, x, y) == NONE && linked(g, x, y)) x += dx, y += dy;
    return cell_at(g, x, y);
}

static int32_t *table_new(plain_game *g, int fan) {
    int32_t *t = heap_take(&g->slow, (size_t)(g->places + 1) * (size_t)fan * sizeof *t);
    for (int i = 0; i < g->places * fan; i++) t[i] = NONE;
    return t;
}

static void directions(plain_game *g) {
    g->dir_count = g->shape_sides;
    for (int d = 0; d < g->dir_count; d++) {
        step *s = &g->dirs[d];
        *s = (step){ .id = d, .fan = 1 };
        if (g->shape_sides == 8) s->name = square_dirs[d].name, s->dx = square_dirs[d].dx, s->dy = square_dirs[d].dy;
        else s->name = hex_dirs[d].name, s->dx = hex_dirs[d].dx, s->dy = hex_dirs[d].dy;
        int32_t *t = table_new(g, 1);
        for (int c = 0; c < g->cell_count; c++) t[c] = successor(g, c, s->dx, s->dy);
        s->next = t;
    }
    for (int d = 0; d < g->dir_count; d++) g->dirs[d].back = &g->dirs[(d + g->dir_count / 2) % g->dir_count];
}

/* What leads to each place along s. */
const step *step_back(plain_game *g, const step *s) {
    if (s->back) return s->back;
    int fan = 1;
    for (int p = 0; p < g->places; p++) {
        int n = 0;
        for (int q = 0; q < g->places * s->fan; q++) n += s->next[q] == p;
        fan = most(fan, n);
    }
    int32_t *t = table_new(g, fan);
    for (int q = 0; q < g->places * s->fan; q++)
        for (int k = 0; k < fan && s->next[q] != NONE; k++)
            if (t[s->next[q] * fan + k] == NONE) {
                t[s->next[q] * fan + k] = q / s->fan;
                break;
            }
    step *b = heap_take(&g->slow, sizeof *b);
    *b = (step){ .id = s->id + 1, .name = s->name, .dx = -s->dx, .dy = -s->dy, .fan = fan, .leap = s->leap, .track = s->track, .next = t, .back = s };
    ((step *)(uintptr_t)s)->back = b;
    return b;
}

const step *leap_step(plain_game *g, int dx, int dy) {
    for (int i = 0; i < g->leap_count; i++)
        if (g->leaps[i].dx == dx && g->leaps[i].dy == dy) return &g->leaps[i];
    if (!g->leaps) g->leaps = heap_take(&g->slow, 1024 * sizeof *g->leaps);
    if (g->leap_count == 1024) fail(g, NULL, "too many different leaps");
    step *s = &g->leaps[g->leap_count++];
    int32_t *t = table_new(g, 1);
    for (int c = 0; c < g->cell_count; c++) {
        int x = g->cells[c].x + dx, y = g->cells[c].y + dy;
        wrap(g, &x, &y);
        t[c] = cell_at(g, x, y);
    }
    char word[32];
    snprintf(word, sizeof word, "%d/%d", dx, dy);
    *s = (step){ .id = ID_LEAP + (dx + 50) * 101 + dy + 50, .name = keep_word(g, word), .dx = dx, .dy = dy, .fan = 1, .leap = true, .next = t };
    return s;
}

/* The k-th place that s leads to from `place`; NONE when there are no more. */
int step_next(const plain_game *g, const step *s, int me, int place, int k) {
    if (s->id == ID_ANYWHERE) {
        for (int p = 0; p < g->places; p++) {
            if (p >= g->cell_count) {
                int owner = g->instances[p - g->cell_count].owner;
                if (owner != NOBODY && owner != me) continue;
            }
            if (k-- == 0) return p;
        }
        return NONE;
    }
    return place < 0 || k >= s->fan ? NONE : s->next[place * s->fan + k];
}

/* ---- relations ----------------------------------------------------------------------------------------------------------------- */
const rel *rel_new(plain_game *g, int n) {
    rel *r = heap_take(&g->fast, sizeof *r);
    r->steps = heap_take(&g->fast, (size_t)(n + 1) * sizeof *r->steps);
    return r;
}

static rel *rel_open(plain_game *g, int n) { return (rel *)(uintptr_t)rel_new(g, n); }

/* Directions by the names they have for a player who faces north. */
const rel *rel_dirs(plain_game *g, int player, const char *const *words, int n) {
    rel *r = rel_open(g, n);
    int facing = player < 0 ? 0 : g->facing[player];
    int turn = g->shape_sides == 8 ? 2 * facing : facing == 2 ? 3 : 0;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < g->dir_count; d++)
            if (!strcmp(g->dirs[d].name, words[i])) r->steps[r->n++] = &g->dirs[(d + turn) % g->dir_count];
    r->facing = facing;
    return r;
}

const rel *rel_leap(plain_game *g, int64_t a, int64_t b) {
    rel *r = rel_open(g, 16);
    if (llabs(a) > 40 || llabs(b) > 40) fail(g, NULL, "a leap is too long");
    int u = (int)a, v = (int)b;
    if (g->shape_sides == 6) {
        for (int d = 0; d < 6; d++)
            for (int m = 0; m < 2; m++) {
                int p = m ? v : u, q = m ? u : v, e = (d + 1) % 6;
                const step *s = leap_step(g, p * g->dirs[d].dx + q * g->dirs[e].dx, p * g->dirs[d].dy + q * g->dirs[e].dy);
                bool old = false;
                for (int i = 0; i < r->n; i++) old |= r->steps[i] == s;
                if (!old) r->steps[r->n++] = s;
            }
        return r;
    }
    for (int dx = -40; dx <= 40; dx++)
        for (int dy = -40; dy <= 40; dy++)
            if ((abs(dx) == abs(u) && abs(dy) == abs(v)) || (abs(dx) == abs(v) && abs(dy) == abs(u))) r->steps[r->n++] = leap_step(g, dx, dy);
    return r;
}

static bool in_cone(const plain_game *g, cone c, int facing, const step *s) {
    if (g->shape_sides == 6) return false;
    int fx = facing == 1 ? 1 : facing == 3 ? -1 : 0, fy = facing == 0 ? 1 : facing == 2 ? -1 : 0;
    int along = s->dx * fx + s->dy * fy, aside = abs(s->dx * fy - s->dy * fx);
    return (c == CONE_FORWARD ? along : -along) >= aside;
}

static const step *step_meet(plain_game *g, const step *a, const step *b) {
    if (a->next == b->next) return a;
    step *s = heap_take(&g->slow, sizeof *s);
    *s = *a;
    s->back = NULL;
    int32_t *t = heap_take(&g->slow, (size_t)(g->places + 1) * (size_t)a->fan * sizeof *t);
    for (int p = 0; p < g->places; p++)
        for (int k = 0; k < a->fan; k++) {
            int to = a->next[p * a->fan + k], found = NONE;
            for (int j = 0; j < b->fan && to != NONE; j++)
                if (b->next[p * b->fan + j] == to) found = to;
            t[p * a->fan + k] = found;
        }
    s->next = t;
    return s;
}

/* Directions meet by what they are; `forward` also holds of leaps that lead forward at least as much as aside. */
const rel *rel_meet(plain_game *g, const rel *a, const rel *b) {
    rel *r = rel_open(g, a->n + b->n);
    r->times = a->times ? a->times : b->times;
    for (int i = 0; i < b->n; i++) {
        const step *s = b->steps[i];
        for (int j = 0; j < a->n; j++)
            if (a->steps[j]->id == s->id && (s->next || s->id == ID_ANYWHERE)) r->steps[r->n++] = s->next ? step_meet(g, s, a->steps[j]) : s;
        if (s->leap && a->cone && in_cone(g, a->cone, a->facing, s)) r->steps[r->n++] = s;
    }
    for (int j = 0; j < a->n; j++)
        if (a->steps[j]->leap && b->cone && in_cone(g, b->cone, b->facing, a->steps[j])) r->steps[r->n++] = a->steps[j];
    if (a->cone && a->cone == b->cone) r->cone = a->cone, r->facing = a->facing;
    return r;
}

const rel *rel_join(plain_game *g, const rel *a, const rel *b) {
    rel *r = rel_open(g, a->n + b->n);
    for (int i = 0; i < a->n; i++) r->steps[r->n++] = a->steps[i];
    for (int i = 0; i < b->n; i++) {
        bool old = false;
        for (int j = 0; j < a->n; j++) old |= a->steps[j]->id == b->steps[i]->id && a->steps[j]->next == b->steps[i]->next;
        if (!old) r->steps[r->n++] = b->steps[i];
    }
    return r;
}

const rel *rel_minus(plain_game *g, const rel *a, const rel *b) {
    rel *r = rel_open(g, a->n);
    for (int i = 0; i < a->n; i++) {
        bool gone = false;
        for (int j = 0; j < b->n; j++) gone |= a->steps[i]->id == b->steps[j]->id;
        if (!gone) r->steps[r->n++] = a->steps[i];
    }
    r->times = a->times;
    return r;
}

const rel *rel_back(plain_game *g, const rel *a) {
    rel *r = rel_open(g, a->n);
    for (int i = 0; i < a->n; i++) {
        const step *s = a->steps[i];
        r->steps[r->n++] = s->id == ID_ANYWHERE ? s : s->leap ? leap_step(g, -s->dx, -s->dy) : step_back(g, s);
    }
    r->times = a->times;
    r->facing = a->facing;
    r->cone = a->cone == CONE_FORWARD ? CONE_BACKWARD : a->cone == CONE_BACKWARD ? CONE_FORWARD : CONE_NONE;
    return r;
}

const rel *rel_from(plain_game *g, const rel *a, const set *from) {
    rel *r = rel_open(g, a->n);
    for (int i = 0; i < a->n; i++) {
        step *s = heap_take(&g->slow, sizeof *s);
        *s = *a->steps[i];
        int32_t *t = table_new(g, s->fan);
        for (int p = 0; p < g->places && s->next; p++)
            for (int k = 0; k < s->fan; k++) t[p * s->fan + k] = set_has(from, p) ? s->next[p * s->fan + k] : NONE;
        s->next = t;
        s->back = NULL;
        r->steps[r->n++] = s;
    }
    return r;
}

/* ---- names of cells -------------------------------------------------------------------------------------------------------------- */
static int by_reading(const void *a, const void *b) {
    const cell *p = *(cell *const *)a, *q = *(cell *const *)b;
    return p->y != q->y ? q->y - p->y : p->x - q->x;
}

static void number_cells(plain_game *g, const node *at, int64_t low, int64_t high) {
    if (high - low + 1 != g->cell_count) fail(g, at, "%lld names for %d cells", (long long)(high - low + 1), g->cell_count);
    cell **order = heap_take(&g->slow, (size_t)(g->cell_count + 1) * sizeof *order);
    for (int c = 0; c < g->cell_count; c++) order[c] = &g->cells[c];
    qsort(order, (size_t)g->cell_count, sizeof *order, by_reading);
    for (int c = 0; c < g->cell_count; c++) {
        char word[32];
        snprintf(word, sizeof word, "%lld", (long long)(low + c));
        order[c]->word = keep_word(g, word);
    }
}

static int rank_of(const plain_game *g, const set *s, int v, bool x) {
    int n = 1;
    for (int w = -100; w < v; w++) {
        bool some = false;
        for (int c = 0; c < g->cell_count; c++) some |= set_has(s, c) && (x ? g->cells[c].x : g->cells[c].y) == w;
        n += some;
    }
    return n;
}

static void name_cells(plain_game *g, const node *board) {
    if (board->count <= 5) return;
    const char **word = heap_take(&g->slow, (size_t)(g->cell_count + 1) * sizeof *word);
    sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
    for (int i = 5; i < board->count; i++) {
        const node *n = board->kids[i], *e = n->kids[0];
        val v = eval(g, &s, e);
        if (v.type == V_RANGE) {
            number_cells(g, n, v.n, v.high);
            return;
        }
        set some = as_set(g, &s, &v, e);
        for (int c = 0; c < g->cell_count; c++) {
            if (!set_has(&some, c)) continue;
            char t[64];
            letters(g, rank_of(g, &some, g->cells[c].x, true), t);
            snprintf(t + strlen(t), 24, "%d", rank_of(g, &some, g->cells[c].y, false));
            if (n->text) strncat(t, n->text, 20);
            word[c] = keep_word(g, t);
        }
    }
    for (int c = 0; c < g->cell_count; c++) {
        char t[32];
        snprintf(t, sizeof t, "%d/%d", g->cells[c].x, g->cells[c].y);
        g->cells[c].word = word[c] ? word[c] : keep_word(g, t);
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------------------------- */
void map_read(plain_game *g, const node *at, const char *file);

static int dimension(plain_game *g, const node *e) {
    sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
    int64_t n = eval_number(g, &s, e);
    if (n < 1 || n > 400) fail(g, e, "a board of this size cannot be made");
    return (int)n;
}

static void remove_cells(plain_game *g, const node *e) {
    sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
    set gone = eval_set(g, &s, e);
    int n = 0;
    for (int c = 0; c < g->cell_count; c++)
        if (!set_has(&gone, c)) g->cells[n++] = g->cells[c];
    g->cell_count = n;
}

static void settle_places(plain_game *g) {
    g->places = g->cell_count + g->instance_count;
    g->known = heap_take(&g->slow, g->tree->node_count * sizeof *g->known);         /* what was known of another board is wrong now */
    g->leap_count = 0;
    settle_names(g);
    directions(g);
    rel *r = heap_take(&g->slow, sizeof *r);
    r->steps = heap_take(&g->slow, 8 * sizeof *r->steps);
    for (int d = 0; d < g->dir_count; d++) r->steps[r->n++] = &g->dirs[d];
    g->ways = r;
    step *t = heap_take(&g->slow, 2 * sizeof *t);
    int32_t *next = table_new(g, 1);
    for (int c = 0; c < g->cell_count; c++) next[c] = cell_at(g, g->cells[c].y, g->cells[c].x);
    t[0] = (step){ .id = ID_TRANSPOSE, .name = "transpose", .fan = 1, .next = next, .back = &t[0] };
    t[1] = (step){ .id = ID_ANYWHERE, .name = "anywhere", .fan = 1 };
    g->transpose = &t[0], g->anywhere = &t[1];
}

static void borders(plain_game *g) {
    step *s = heap_take(&g->slow, sizeof *s);
    int32_t *t = table_new(g, g->border_fan ? g->border_fan : 1);
    if (g->border_fan) memcpy(t, g->borders, (size_t)(g->cell_count * g->border_fan) * sizeof *t);
    *s = (step){ .id = ID_WAYS, .name = "ways", .fan = g->border_fan ? g->border_fan : 1, .next = t };
    rel *r = heap_take(&g->slow, sizeof *r);
    r->steps = heap_take(&g->slow, sizeof *r->steps);
    r->steps[r->n++] = s;
    g->ways = r;
    g->dir_count = 0;
}

static void join(plain_game *g, const node *e) {
    sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
    const rel *v = eval_rel(g, &s, e);
    rel *r = heap_take(&g->slow, sizeof *r);
    r->steps = heap_take(&g->slow, (size_t)(v->n + 1) * sizeof *r->steps);
    for (int i = 0; i < v->n; i++) {
        step *copy = heap_take(&g->slow, sizeof *copy);
        *copy = *v->steps[i];
        const step *plain = NULL;
        for (int d = 0; d < g->dir_count; d++)
            if (g->dirs[d].next == copy->next) plain = &g->dirs[d];
        r->steps[r->n++] = plain ? plain : copy;
    }
    g->ways = r;
}

void board_make(plain_game *g, const node *b) {
    g->shape_sides = 8;
    g->pile = 1;
    if (!b) {
        g->shape = "none";
        settle_places(g);
        g->dir_count = 0;
        return;
    }
    g->shape = b->text;
    const node *const *k = (const node *const *)b->kids;
    const char *s = b->text;
    settle_places(g);
    int w = b->count > 0 && k[0] && k[0]->kind != NODE_E_TEXT ? dimension(g, k[0]) : 0, h = b->count > 1 && k[1] ? dimension(g, k[1]) : w;
    if (!strncmp(s, "hex", 3) || !strcmp(s, "star")) g->shape_sides = 6;
    if (!strcmp(s, "square") || !strcmp(s, "hex") || !strcmp(s, "cylinder") || !strcmp(s, "torus")) square(g, w, h);
    else if (!strcmp(s, "strip")) strip(g, w);
    else if (!strcmp(s, "hexagon")) hexagon(g, w);
    else if (!strcmp(s, "star")) star(g, w);
    else if (!strcmp(s, "drawn") && b->count > 4 && k[4]) drawn(g, k[4]);
    else if (!strcmp(s, "map")) map_read(g, b, k[0] ? k[0]->text : "");
    else fail(g, b, "no board of this shape: '%s'", s);
    measure(g);
    settle_places(g);
    if (b->count > 2 && k[2]) {
        remove_cells(g, k[2]);
        settle_places(g);
    }
    if (!strcmp(s, "map")) borders(g);
    if (b->count > 3 && k[3]) join(g, k[3]);
    name_cells(g, b);
    settle_names(g);
}

/* ---- tracks ------------------------------------------------------------------------------------------------------------------------ */
static size_t stem_length(const char *word) {
    size_t n = strlen(word);
    while (n && isdigit((unsigned char)word[n - 1])) n--;
    return n;
}

/* The i-th name counted from `a` towards `b`; NONE if there is no such cell. */
static int cell_counted(plain_game *g, const char *a, const char *b, long i) {
    char word[128];
    size_t stem = stem_length(a);
    long from = atol(a + stem), to = atol(b + stem);
    snprintf(word, sizeof word, "%.*s%ld", (int)(stem < 100 ? stem : 100), a, from <= to ? from + i : from - i);
    return cell_find(g, word);
}

/* How many names are counted in `a..b`, if they differ in their number alone and all between are cells; 0 otherwise. */
static long names_between(plain_game *g, const char *a, const char *b) {
    size_t stem = stem_length(a);
    if (stem != stem_length(b) || strncmp(a, b, stem) || !a[stem] || !b[stem] || strlen(a + stem) > 6 || strlen(b + stem) > 6) return 0;
    long many = labs(atol(b + stem) - atol(a + stem)) + 1;
    for (long i = 0; i < many; i++)
        if (cell_counted(g, a, b, i) == NONE) return 0;
    return many;
}

void cells_range(plain_game *g, const char *a, const char *b, set *out) {
    int p = cell_find(g, a), q = cell_find(g, b);
    if (p == NONE || q == NONE) fail(g, NULL, "no cells '%s..%s'", a, b);
    long many = names_between(g, a, b);
    for (long i = 0; i < many; i++) set_add(out, cell_counted(g, a, b, i));
    if (many) return;
    int x1 = g->cells[p].x, x2 = g->cells[q].x, y1 = g->cells[p].y, y2 = g->cells[q].y;
    for (int c = 0; c < g->cell_count; c++) {
        int x = g->cells[c].x, y = g->cells[c].y;
        if (x >= (x1 < x2 ? x1 : x2) && x <= most(x1, x2) && y >= (y1 < y2 ? y1 : y2) && y <= most(y1, y2)) set_add(out, c);
    }
}

typedef struct { int n, room; int *place; } path;

static void path_add(plain_game *g, path *p, int place) {
    if (p->n == p->room) {
        int *grown = heap_take(&g->slow, (size_t)(2 * p->room + 16) * sizeof *grown);
        if (p->n) memcpy(grown, p->place, (size_t)p->n * sizeof *grown);
        p->place = grown;
        p->room = 2 * p->room + 16;
    }
    p->place[p->n++] = place;
}

static int sign(int n) { return (n > 0) - (n < 0); }

/* `a1..e1`: the cells of a straight line, in order. */
static void path_line(plain_game *g, path *p, const node *e, int from, int to) {
    int dx = g->cells[to].x - g->cells[from].x, dy = g->cells[to].y - g->cells[from].y;
    if (dx && dy && abs(dx) != abs(dy)) fail(g, e, "the cells of a track's range lie in no line");
    for (int i = 0; i <= most(abs(dx), abs(dy)); i++) {
        int c = cell_at(g, g->cells[from].x + i * sign(dx), g->cells[from].y + i * sign(dy));
        if (c != NONE) path_add(g, p, c);
    }
}

/* `p1..p100`: the names are counted, up or down, or else a line. On a numbered board the ends are numbers. */
static void path_range(plain_game *g, path *p, const node *e) {
    const char *a = e->kids[0]->text, *b = e->kids[1]->text;
    long many = names_between(g, a, b);
    for (long i = 0; i < many; i++) path_add(g, p, cell_counted(g, a, b, i));
    if (many) return;
    int from = cell_find(g, a), to = cell_find(g, b);
    if (from == NONE || to == NONE) fail(g, e, "no cells '%s..%s' on the track", a, b);
    path_line(g, p, e, from, to);
}

static void path_of(plain_game *g, path *p, const node *e, int player) {
    if (e->kind == NODE_E_ROW) {
        for (int i = 0; i < e->count; i++) path_of(g, p, e->kids[i], player);
        return;
    }
    if (e->kind == NODE_E_RANGE) {
        path_range(g, p, e);
        return;
    }
    for (int z = 0; z < g->zone_count; z++)
        if (!strcmp(g->zones[z].word, e->text)) {
            path_add(g, p, g->cell_count + g->zones[z].first + (g->zones[z].of_player ? player : 0));
            return;
        }
    int c = cell_find(g, e->text);
    if (c == NONE) fail(g, e, "no cell '%s' on the track", e->text);
    path_add(g, p, c);
}

static void track_make(plain_game *g, track *t, int player) {
    const node *n = t->node[player] ? t->node[player] : t->any;
    if (!n) return;
    step *s = heap_take(&g->slow, sizeof *s);
    int32_t *next = table_new(g, 1);
    for (int i = 0; i < n->count; i++) {
        path p = { 0 };
        path_of(g, &p, n->kids[i], player);
        for (int j = 0; j < p.n; j++) {
            if (p.place[j] >= g->cell_count) g->on_track[p.place[j] - g->cell_count] = 1;
            if (j + 1 == p.n) continue;
            if (next[p.place[j]] != NONE && next[p.place[j]] != p.place[j + 1]) fail(g, n, "a cell of track '%s' has two successors", t->word);
            next[p.place[j]] = p.place[j + 1];
        }
    }
    *s = (step){ .id = ID_TRACK + 2 * (int)(t - g->tracks), .name = t->word, .fan = 1, .track = true, .next = next };
    t->on[player] = s;
}

void tracks_make(plain_game *g) {
    for (int i = 0; i < g->track_count; i++)
        for (int p = 0; p < g->player_count; p++) track_make(g, &g->tracks[i], p);
}
