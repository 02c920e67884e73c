/* What writing and reading positions share: rows, letters, where castling pieces stand. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/position.h"

typedef struct { int x, y, cell; } spot;

static int spot_compare(const void *a, const void *b) {
    const spot *p = a, *q = b;
    if (p->y != q->y) return p->y > q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

board_rows rows_of(const joc_game *g) {
    board_rows r = { .count = joc_game_cells(g) };
    spot *spots = memory_of((size_t)r.count, sizeof *spots);
    r.cells = memory_of((size_t)r.count, sizeof(int));
    r.end_of_row = memory_of((size_t)r.count, sizeof(int));
    for (int i = 0; i < r.count; i++) {
        spots[i].cell = i;
        joc_cell_xy(g, i, &spots[i].x, &spots[i].y);
    }
    qsort(spots, (size_t)r.count, sizeof *spots, spot_compare);
    for (int i = 0; i < r.count; i++) {
        if (i && spots[i].y != spots[i - 1].y) r.rows++;
        r.cells[i] = spots[i].cell;
        r.end_of_row[r.rows] = i + 1;
    }
    if (r.count) r.rows++;
    free(spots);
    return r;
}

void rows_free(board_rows *r) {
    free(r->cells);
    free(r->end_of_row);
}

char *notation_letter_of(const notation *n, int owner, int kind) { return text_cased(n->letters[kind], owner == 0); }

/* The cell of the player's piece of this kind, -1. */
int cell_of_kind(const joc_position *p, int player, int kind) {
    int owner, k;
    for (int i = 0; i < joc_game_cells(joc_position_game(p)); i++)
        if (joc_piece(p, i, 0, &owner, &k) && owner == player && k == kind) return i;
    return -1;
}

/* The player's outermost piece of kind `on` east (or west) of `from` in its row, -1. */
int outermost(const joc_position *p, int player, int on, int from, bool east) {
    const joc_game *g = joc_position_game(p);
    int x, y, found = -1, found_x = 0, owner, kind;
    joc_cell_xy(g, from, &x, &y);
    for (int i = 0; i < joc_game_cells(g); i++) {
        int cx, cy;
        joc_cell_xy(g, i, &cx, &cy);
        if (cy != y || (east ? cx <= x : cx >= x) || !joc_piece(p, i, 0, &owner, &kind) || owner != player || kind != on) continue;
        if (found < 0 || (east ? cx > found_x : cx < found_x)) found = i, found_x = cx;
    }
    return found;
}

char *column_letter(const joc_game *g, int cell, int player) {
    const char *name = joc_cell_name(g, cell);
    size_t n = strlen(name);
    while (n > 1 && isdigit((unsigned char)name[n - 1])) n--;
    char *head = strndup(name, n), *cased = text_cased(head, player == 0);
    free(head);
    return cased;
}
