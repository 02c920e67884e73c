/* Maps drawn; see atlas.h. A map unit is STEP characters wide and one line high; what would run into the cell before it is put behind it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "interp/play/atlas.h"
#include "interp/play/drawing.h"
#include "interp/play/label.h"
#include "interp/play/text.h"

enum { STEP = 5 };

/* The number that counts on a map: the first that is kept of cells, -1 if there is none. */
static int strength_keep(const joc_game *g) {
    for (int k = 0; k < joc_game_keeps(g); k++)
        if (joc_keep_of(g, k) == JOC_OF_CELL && joc_keep_kind(g, k) == JOC_NUMBER) return k;
    return -1;
}

static int owner_at(const joc_position *p, int cell) {
    int owner = -1, kind;
    return joc_piece(p, cell, 0, &owner, &kind) ? owner : -2;
}

static void token_add(text *t, const joc_position *p, int cell, int keep) {
    const joc_game *g = joc_position_game(p);
    int owner = owner_at(p, cell);
    text_add(t, joc_cell_name(g, cell));
    text_add(t, " ");
    if (owner >= 0) text_add_bytes(t, joc_game_player(g, owner), text_character(joc_game_player(g, owner)));
    else text_add(t, owner == -1 ? "#" : "·");
    if (keep >= 0) text_format(t, "%" PRId64, joc_keep_value(p, keep, cell));
}

typedef struct { int cell, x, y; } spot;

static int compare_spots(const void *a, const void *b) {
    const spot *s = a, *t = b;
    return s->y != t->y ? (s->y > t->y ? -1 : 1) : s->x != t->x ? (s->x < t->x ? -1 : 1) : s->cell - t->cell;
}

static void row_add(text *out, const joc_position *p, const spot *row, int count, joc_look look, int keep) {
    int column = 0;
    for (int i = 0; i < count; i++) {
        text token = { 0 };
        token_add(&token, p, row[i].cell, keep);
        int owner = owner_at(p, row[i].cell), want = (row[i].x - 1) * STEP;
        if (i && want <= column) want = column + 1;
        if (want > column) text_add_times(out, " ", want - column), column = want;
        if (look.colour && owner >= 0) text_format(out, "\033[48;5;109m%s", player_colour(joc_position_game(p), owner, true));
        text_add(out, token.data);
        if (look.colour && owner >= 0) text_add(out, COLOUR_END);
        column += text_width(token.data);
        text_free(&token);
    }
    text_add(out, "\n");
}

static spot *spots_of(const joc_game *g) {
    int cells = joc_game_cells(g);
    spot *spots = memory_of((size_t)cells, sizeof *spots);
    for (int i = 0; i < cells; i++) {
        spots[i].cell = i;
        if (joc_cell_spot(g, i, &spots[i].x, &spots[i].y)) continue;
        free(spots);
        return NULL;
    }
    qsort(spots, (size_t)cells, sizeof *spots, compare_spots);
    return spots;
}

char *atlas_drawing(const joc_position *p, joc_look look) {
    const joc_game *g = joc_position_game(p);
    int cells = joc_game_cells(g), keep = strength_keep(g);
    spot *spots = joc_game_shape(g) == JOC_BOARD_MAP ? spots_of(g) : NULL;
    if (!spots) return NULL;
    text out = { 0 };
    for (int i = 0, j; i < cells; i = j) {
        for (j = i; j < cells && spots[j].y == spots[i].y; j++) continue;
        row_add(&out, p, spots + i, j - i, look, keep);
    }
    free(spots);
    return text_take(&out);
}

char *borders_line(const joc_position *p, int cell) {
    const joc_game *g = joc_position_game(p);
    int keep = strength_keep(g), said = 0;
    text t = { 0 };
    for (int i = -1; i < joc_game_cells(g); i++) {
        int c = i < 0 ? cell : i;
        if (i >= 0 && !joc_cell_joined(g, cell, c)) continue;
        int owner = owner_at(p, c);
        text_format(&t, "%s%s", i < 0 ? "" : said++ ? ", " : ": ", joc_cell_name(g, c));
        if (strcmp(joc_cell_title(g, c), joc_cell_name(g, c))) text_format(&t, " %s", joc_cell_title(g, c));
        if (owner == -2) continue;
        text_format(&t, i < 0 ? ", %s" : " (%s", player_name(g, owner));
        if (keep >= 0) text_format(&t, " %" PRId64, joc_keep_value(p, keep, c));
        if (i >= 0) text_add(&t, ")");
    }
    return text_take(&t);
}

/* ---- names as typed ----------------------------------------------------------------------------------------------------------------- */
/* Lower case, without marks: malloc'd, NULL if it is no UTF-8. */
static char *plain_word(const char *word, size_t length) {
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)word, (utf8proc_ssize_t)length, &out, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD);
    char *copy = n < 0 ? NULL : memory_of((size_t)n + 1, 1);
    if (n > 0) memcpy(copy, out, (size_t)n);
    free(out);
    return copy;
}

static bool means(const char *plain, const char *name) {
    char *other = plain_word(name, strlen(name));
    bool same = other && !strcmp(plain, other);
    free(other);
    return same;
}

int cell_meant(const joc_game *g, const char *word, size_t length) {
    char *plain = plain_word(word, length);
    int found = -1;
    for (int i = 0; plain && i < joc_game_cells(g) && found != -2; i++)
        if (means(plain, joc_cell_name(g, i)) || means(plain, joc_cell_title(g, i))) found = found == -1 ? i : -2;
    free(plain);
    return found < 0 ? -1 : found;
}

static bool begins(const char *name, const char *plain) {
    char *other = plain_word(name, strlen(name));
    bool yes = other && !strncmp(other, plain, strlen(plain));
    free(other);
    return yes;
}

bool cell_begins(const joc_game *g, int cell, const char *word) {
    char *plain = plain_word(word, strlen(word));
    bool yes = plain && *plain && (begins(joc_cell_name(g, cell), plain) || begins(joc_cell_title(g, cell), plain));
    free(plain);
    return yes;
}

char *line_of_cells(const joc_game *g, const char *line) {
    text t = { 0 };
    while (*line) {
        size_t blank = strspn(line, " "), length = strcspn(line + blank, " ");
        text_add_bytes(&t, line, blank);
        line += blank;
        int cell = length ? cell_meant(g, line, length) : -1;
        if (cell >= 0) text_add(&t, joc_cell_name(g, cell));
        else text_add_bytes(&t, line, length);
        line += length;
    }
    return text_take(&t);
}
