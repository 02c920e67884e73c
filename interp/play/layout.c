/* Laying out boards; see layout.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/play/layout.h"
#include "interp/play/text.h"

/* ---- names -------------------------------------------------------------------------------------------------------------------------- */

/* Bytes of a name before the digits at its end; the whole length if it has none or nothing else. */
static size_t split(const char *name) {
    size_t n = strlen(name), end = n;
    while (end > 0 && isdigit((unsigned char)name[end - 1])) end--;
    return end && end < n ? end : n;
}

static void part(const char *name, bool tail, char *out) {
    size_t at = split(name);
    snprintf(out, 64, "%.*s", tail ? 48 : (int)(at < 48 ? at : 48), tail ? name + at : name);
}

/* One part of the names (the head or the tail) is the same along each line of an axis and differs between lines. */
static bool part_follows(const joc_game *g, bool tail, bool by_x) {
    int cells = joc_game_cells(g), lines = 0;
    int *where = memory_of((size_t)cells, sizeof *where);               /* of each line met */
    char (*names)[64] = memory_of((size_t)cells, sizeof *names);
    bool follows = true;
    for (int i = 0; i < cells && follows; i++) {
        int x, y, known = 0;
        char name[64];
        joc_cell_xy(g, i, &x, &y);
        part(joc_cell_name(g, i), tail, name);
        while (known < lines && where[known] != (by_x ? x : y)) known++;
        if (known == lines) {
            for (int k = 0; k < lines; k++)
                if (!strcmp(names[k], name)) follows = false;
            where[lines] = by_x ? x : y;
            memcpy(names[lines++], name, sizeof name);
        } else if (strcmp(names[known], name)) follows = false;
        if (!*name) follows = false;
    }
    free(where);
    free(names);
    return follows;
}

static naming naming_of(const joc_game *g) {
    joc_shape shape = joc_game_shape(g);
    if (shape == JOC_BOARD_STRIP || shape == JOC_BOARD_MAP || !joc_game_cells(g)) return NAMES_SHOWN;
    if (shape == JOC_BOARD_HEXAGON || shape == JOC_BOARD_STAR) return NAMES_ENDS;
    if (part_follows(g, false, true) && part_follows(g, true, false)) return NAMES_COLUMN_ROW;
    if (part_follows(g, false, false) && part_follows(g, true, true)) return NAMES_ROW_COLUMN;
    return NAMES_SHOWN;
}

static void label_part(const layout *l, const joc_game *g, int cell, bool of_row, char *out) {
    *out = 0;
    if (l->names == NAMES_COLUMN_ROW) part(joc_cell_name(g, cell), of_row, out);
    if (l->names == NAMES_ROW_COLUMN) part(joc_cell_name(g, cell), !of_row, out);
}

void layout_row_label(const layout *l, const joc_game *g, int row, char *out) {
    *out = 0;
    if (!l->row_count[row]) return;
    int cell = l->order[l->row_first[row]];
    if (l->names == NAMES_ENDS) snprintf(out, 64, "%s", joc_cell_name(g, cell));
    else label_part(l, g, cell, true, out);
}

void layout_column_label(const layout *l, const joc_game *g, int cell, char *out) { label_part(l, g, cell, false, out); }

/* ---- rows --------------------------------------------------------------------------------------------------------------------------- */
static void bounds(layout *l, const joc_game *g) {
    for (int i = 0; i < joc_game_cells(g); i++) {
        int x, y;
        joc_cell_xy(g, i, &x, &y);
        if (!i || x < l->x_least) l->x_least = x;
        if (!i || x > l->x_most) l->x_most = x;
        if (!i || y < l->y_least) l->y_least = y;
        if (!i || y > l->y_most) l->y_most = y;
    }
}

typedef struct { int x, y, cell; } spot;

static int spot_compare(const void *a, const void *b) {
    const spot *p = a, *q = b;
    if (p->y != q->y) return p->y > q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* Sorts the cells into rows, one for each y from the top. */
static void rows_by_place(layout *l, const joc_game *g) {
    int cells = joc_game_cells(g);
    spot *spots = memory_of((size_t)cells, sizeof *spots);
    for (int i = 0; i < cells; i++) {
        joc_cell_xy(g, i, &spots[i].x, &spots[i].y);
        spots[i].cell = i;
    }
    qsort(spots, (size_t)cells, sizeof *spots, spot_compare);
    l->rows = l->y_most - l->y_least + 1;
    l->row_first = memory_of((size_t)l->rows, sizeof(int));
    l->row_count = memory_of((size_t)l->rows, sizeof(int));
    for (int i = 0; i < cells; i++) {
        int row = l->y_most - spots[i].y;
        if (!l->row_count[row]) l->row_first[row] = i;
        l->row_count[row]++;
        l->order[i] = spots[i].cell;
    }
    free(spots);
}

static void rows_folded(layout *l, const joc_game *g, int width) {
    int cells = joc_game_cells(g);
    int per = width > 0 ? (width - 1) / l->step : 10;
    if (per < 1) per = 1;
    if (per > cells) per = cells ? cells : 1;
    if (per > 10) per -= per % 5;
    l->rows = (cells + per - 1) / per;
    l->row_first = memory_of((size_t)l->rows, sizeof(int));
    l->row_count = memory_of((size_t)l->rows, sizeof(int));
    for (int i = 0; i < cells; i++) {
        int row = i / per;
        if (!l->row_count[row]) l->row_first[row] = i;
        l->row_count[row]++;
        l->order[i] = i;
        l->line[i] = row;
        l->column[i] = l->left + (i % per) * l->step;
    }
    l->height = l->rows;
}

/* Are the ways that join cells the same all over the board? A direction then joins all of its pairs or none. */
static bool ways_uniform(const joc_game *g) {
    static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
    for (int d = 0; d < 4; d++) {
        bool some = false, all = true;
        for (int i = 0; i < joc_game_cells(g); i++) {
            int x, y, other;
            joc_cell_xy(g, i, &x, &y);
            other = joc_cell_at(g, x + steps[d][0], y + steps[d][1]);
            if (other < 0) continue;
            if (joc_cell_joined(g, i, other)) some = true;
            else all = false;
        }
        if (some && !all) return false;
    }
    return true;
}

/* +1 if the cell above and to the right of (x, y) is (x, y + 1), -1 if it is (x + 1, y + 1): by counting joined pairs. */
static int slant_of(const joc_game *g) {
    int right = 0, left = 0;
    for (int i = 0; i < joc_game_cells(g); i++) {
        int x, y;
        joc_cell_xy(g, i, &x, &y);
        int west = joc_cell_at(g, x - 1, y + 1), east = joc_cell_at(g, x + 1, y + 1);
        if (west >= 0 && joc_cell_joined(g, i, west)) right++;
        if (east >= 0 && joc_cell_joined(g, i, east)) left++;
    }
    return left > right ? -1 : 1;
}

/* Does a way lead further than to the cell beside? */
static bool ways_long(const joc_game *g) {
    for (int a = 0; a < joc_game_cells(g); a++)
        for (int b = 0; b < joc_game_cells(g); b++) {
            int ax, ay, bx, by;
            joc_cell_xy(g, a, &ax, &ay);
            joc_cell_xy(g, b, &bx, &by);
            if ((abs(ax - bx) > 1 || abs(ay - by) > 1) && joc_cell_joined(g, a, b)) return true;
        }
    return false;
}

static void place_grid(layout *l, const joc_game *g) {
    l->lines = !ways_uniform(g) || (joc_game_shape(g) == JOC_BOARD_DRAWN && ways_long(g));
    if (l->lines && l->step < 3) l->step = 4;
    for (int i = 0; i < joc_game_cells(g); i++) {
        int x, y;
        joc_cell_xy(g, i, &x, &y);
        l->line[i] = (l->y_most - y) * (l->lines ? 2 : 1);
        l->column[i] = l->left + (x - l->x_least) * l->step;
    }
    l->height = (l->y_most - l->y_least) * (l->lines ? 2 : 1) + 1;
    l->foot = l->names == NAMES_COLUMN_ROW || l->names == NAMES_ROW_COLUMN;
}

static void place_slanted(layout *l, const joc_game *g) {
    l->slant = slant_of(g);
    l->step += l->step % 2;
    int least = 0, half = l->step / 2;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < joc_game_cells(g); i++) {
            int x, y;
            joc_cell_xy(g, i, &x, &y);
            int column = 2 * x + l->slant * y;
            if (!pass && (!i || column < least)) least = column;
            l->line[i] = l->y_most - y;
            l->column[i] = l->left + (column - least) * half;
        }
    l->height = l->y_most - l->y_least + 1;
    l->foot = l->names == NAMES_COLUMN_ROW;
}

static int widest_row_label(const layout *l, const joc_game *g) {
    int widest = 0;
    char label[64];
    for (int r = 0; r < l->rows; r++) {
        layout_row_label(l, g, r, label);
        int w = text_width(label);
        if (w > widest) widest = w;
    }
    return widest;
}

layout layout_of(const joc_game *g, int token, int gap, int width) {
    static const layout_sort sorts[] = {
        [JOC_BOARD_NONE] = LAYOUT_NONE,       [JOC_BOARD_SQUARE] = LAYOUT_GRID,  [JOC_BOARD_HEX] = LAYOUT_SLANTED, [JOC_BOARD_HEXAGON] = LAYOUT_SLANTED,
        [JOC_BOARD_STAR] = LAYOUT_SLANTED,    [JOC_BOARD_STRIP] = LAYOUT_STRIP,  [JOC_BOARD_DRAWN] = LAYOUT_GRID,  [JOC_BOARD_MAP] = LAYOUT_TABLE,
    };
    int cells = joc_game_cells(g);
    layout l = { .sort = cells ? sorts[joc_game_shape(g)] : LAYOUT_NONE };
    l.order = memory_of((size_t)cells, sizeof(int));
    l.line = memory_of((size_t)cells, sizeof(int));
    l.column = memory_of((size_t)cells, sizeof(int));
    if (l.sort == LAYOUT_NONE) return l;
    l.names = naming_of(g);
    l.token = token;
    for (int i = 0; l.names == NAMES_SHOWN && i < cells; i++) {
        int w = text_width(joc_cell_name(g, i));
        if (w > l.token) l.token = w;
    }
    bounds(&l, g);
    l.step = l.token + (width && l.sort == LAYOUT_GRID && (l.x_most - l.x_least + 1) * (l.token + gap) + 5 > width ? 1 : gap);
    if (l.sort == LAYOUT_STRIP) {
        rows_folded(&l, g, width);
        return l;
    }
    rows_by_place(&l, g);
    if (l.sort == LAYOUT_TABLE) return l;
    int labels = widest_row_label(&l, g);
    l.left = labels ? labels + 1 : 0;
    if (l.sort == LAYOUT_GRID) place_grid(&l, g);
    else place_slanted(&l, g);
    return l;
}

void layout_free(layout *l) {
    free(l->row_first);
    free(l->row_count);
    free(l->order);
    free(l->line);
    free(l->column);
}
