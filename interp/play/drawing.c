/* Positions drawn for a terminal. The board first, as interp/play/layout.h lays it out; then who moves, and what else there is, one
 * item a line. Without colour and with the widest limits the drawing says everything, and drawing_board with the readers of items gives the
 * position back.
 *
 * A cell's token: the label of its top piece, with x and the height behind if there are more; an empty cell shows its number, where the
 * game keeps one on cells; else its name, where the board has no labels; else the sign of the first `mark` that has it, else a dot. A line below the board explains the signs. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "interp/play/drawing.h"
#include "interp/play/label.h"
#include "interp/play/layout.h"

typedef struct {
    const joc_position *position;
    const joc_game *game;
    joc_look look;
    labels *labels;
    layout layout;
    int shown;                  /* keep whose numbers stand on empty cells, -1 none */
    int (*ways)[2];             /* connections to draw between rows */
    size_t way_count;
    text out;
} canvas;

/* ---- colours ------------------------------------------------------------------------------------------------------------------------ */
static const struct { const char *word, *on; } colours[] = {
    { "white", "\033[1;38;5;231m" }, { "black", "\033[1;38;5;16m" },  { "red", "\033[1;38;5;160m" },     { "blue", "\033[1;38;5;20m" },
    { "green", "\033[1;38;5;22m" },  { "yellow", "\033[1;38;5;227m" }, { "orange", "\033[1;38;5;208m" }, { "violet", "\033[1;38;5;90m" },
};
static const char *const by_seat[] = { "\033[1;38;5;231m", "\033[1;38;5;16m", "\033[1;38;5;160m", "\033[1;38;5;20m", "\033[1;38;5;22m", "\033[1;38;5;227m", "\033[1;38;5;208m", "\033[1;38;5;90m" };
#define LIGHT "\033[48;5;109m"
#define DARK "\033[48;5;66m"
#define BLANK "\033[48;5;238m"
#define DIM "\033[38;5;252m"

const char *player_colour(const joc_game *g, int player, bool colour) {
    if (!colour) return "";
    if (player < 0) return "\033[1;38;5;94m";
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (!strcasecmp(colours[i].word, joc_game_player(g, player))) return colours[i].on;
    return by_seat[(size_t)player % (sizeof by_seat / sizeof *by_seat)];
}

/* ---- tokens ------------------------------------------------------------------------------------------------------------------------- */
static const char *dot(const canvas *c) { return c->look.ascii ? "." : "·"; }
static const char *times(const canvas *c) { return c->look.ascii ? "x" : "×"; }

static const char *sign_of(const canvas *c, int mark) {
    const joc_mark m = joc_game_mark(c->game, mark);
    return c->look.ascii ? m.ascii : m.sign;
}

static const char *empty_mark(const canvas *c, int cell) {
    if (c->layout.names == NAMES_SHOWN) return joc_cell_name(c->game, cell);
    for (int i = 0; i < joc_game_marks(c->game); i++)
        if (joc_mark_has(c->game, i, cell)) return sign_of(c, i);
    return dot(c);
}

/* Writes what stands on a cell; gives the owner of its top piece (-1 neutral, -2 none). */
static int token_add(const canvas *c, text *t, int cell) {
    int owner, kind, height = joc_height(c->position, cell);
    if (height && joc_piece(c->position, cell, 0, &owner, &kind)) {
        text_add(t, label_of(c->labels, owner, kind));
        if (height > 1) text_format(t, "%s%d", times(c), height);
        return owner;
    }
    int64_t number = c->shown >= 0 ? joc_keep_value(c->position, c->shown, cell) : 0;
    if (c->shown >= 0 && (number != joc_keep_start(c->game, c->shown) || joc_keep_start(c->game, c->shown) != 0 || !joc_game_kinds(c->game)))
        text_format(t, "%" PRId64, number);
    else text_add(t, empty_mark(c, cell));
    return -2;
}

static int widest_token(canvas *c) {
    int widest = 1;
    c->layout.names = NAMES_ENDS;       /* names are measured by the layout */
    for (int i = 0; i < joc_game_cells(c->game); i++) {
        text t = { 0 };
        token_add(c, &t, i);
        int w = text_width(t.data);
        if (w > widest) widest = w;
        text_free(&t);
    }
    return widest;
}

/* ---- boards by rows ----------------------------------------------------------------------------------------------------------------- */

static void spaces(text *t, int n) { text_add_times(t, " ", n); }

static bool is_light(const canvas *c, int x, int y) { return ((x - c->layout.x_least) + (y - c->layout.y_least)) % 2 != 0; }

/* Writes a token in its field: centred on square boards, at the left elsewhere. */
static void field_add(canvas *c, int cell, int field, const char *ground) {
    text token = { 0 };
    int owner = token_add(c, &token, cell);
    int room = field - text_width(token.data), before = room > 0 && c->look.colour && *ground ? room / 2 : 0;
    if (c->look.colour) text_add(&c->out, ground);
    spaces(&c->out, before);
    if (c->look.colour) text_add(&c->out, owner == -2 ? DIM : player_colour(c->game, owner, true));
    text_add(&c->out, token.data);
    spaces(&c->out, room - before > 0 ? room - before : 0);
    if (c->look.colour) text_add(&c->out, COLOUR_END);
    text_free(&token);
}

static void label_right(canvas *c, const char *label) {
    spaces(&c->out, c->layout.left - 1 - text_width(label));
    text_add(&c->out, label);
    spaces(&c->out, 1);
}

/* The sign of a place where there is no cell; false if it has none. */
static bool gap_add(canvas *c, int x, int y) {
    for (int i = 0; i < joc_game_marks(c->game); i++) {
        if (!joc_mark_gap(c->game, i, x, y)) continue;
        const char *sign = sign_of(c, i);
        const int room = c->layout.step - text_width(sign), before = c->look.colour && room > 0 ? room / 2 : 0;
        if (c->look.colour) text_format(&c->out, "%s%s", BLANK, DIM);
        spaces(&c->out, before);
        text_add(&c->out, sign);
        spaces(&c->out, room - before);
        if (c->look.colour) text_add(&c->out, COLOUR_END);
        return true;
    }
    return false;
}

/* A row of a grid whose cells stand side by side on coloured squares. */
static void row_of_squares(canvas *c, int row) {
    const layout *l = &c->layout;
    int at = l->row_first[row], end = at + l->row_count[row];
    for (int x = l->x_least; x <= l->x_most; x++) {
        int cx = 0, cy = 0, cell = at < end ? l->order[at] : -1;
        if (cell >= 0) joc_cell_xy(c->game, cell, &cx, &cy);
        if (cell < 0 || cx != x) {
            if (gap_add(c, x, c->layout.y_most - row)) continue;
            if (c->look.colour && at < end) text_add(&c->out, BLANK);
            if (at < end) spaces(&c->out, l->step);
            if (c->look.colour && at < end) text_add(&c->out, COLOUR_END);
            continue;
        }
        field_add(c, cell, l->step, is_light(c, cx, cy) ? LIGHT : DARK);
        at++;
    }
}

static const char *ink_of_line(const canvas *c) { return c->look.colour ? DIM : ""; }
static const char *ink_end(const canvas *c) { return c->look.colour ? COLOUR_END : ""; }

/* A row of a drawn board or of hexagons: cells where the layout puts them, with the connection to the next where there is one. */
static void row_of_cells(canvas *c, int row) {
    const layout *l = &c->layout;
    int column = l->left;
    for (int i = 0; i < l->row_count[row]; i++) {
        int cell = l->order[l->row_first[row] + i], before = i ? l->order[l->row_first[row] + i - 1] : -1;
        bool joined = l->lines && before >= 0 && joc_cell_joined(c->game, before, cell);
        int gap = l->column[cell] - column;
        if (joined) {
            text_add(&c->out, ink_of_line(c));
            text_add_times(&c->out, c->look.ascii ? "-" : "─", gap);
            text_add(&c->out, ink_end(c));
        } else spaces(&c->out, gap);
        text token = { 0 };
        int owner = token_add(c, &token, cell);
        const char *ground = c->look.colour && owner != -2 ? LIGHT : "";
        text_add(&c->out, ground);
        if (c->look.colour) text_add(&c->out, owner == -2 ? DIM : player_colour(c->game, owner, true));
        text_add(&c->out, token.data);
        if (c->look.colour) text_add(&c->out, COLOUR_END);
        column = l->column[cell] + text_width(token.data);
        text_free(&token);
    }
}

/* The marks on a line between rows: the ways that cross it. */
static void mark_at(char *marks, int width, int column, char mark) {
    if (column < 0 || column >= width) return;
    marks[column] = marks[column] == ' ' || marks[column] == mark ? mark : 'X';
}

static void mark_way(const canvas *c, char *marks, int width, int line, int a, int b) {
    const layout *l = &c->layout;
    int from = l->line[a], to = l->line[b];
    if (from > to) {
        int swap = a;
        a = b, b = swap;
        from = l->line[a], to = l->line[b];
    }
    if (line <= from || line >= to) return;
    int across = l->column[b] - l->column[a], down = to - from;
    mark_at(marks, width, l->column[a] + across * (line - from) / down, !across ? '|' : across > 0 ? '\\' : '/');
}

static void marks_add(canvas *c, const char *marks, int width) {
    int end = width;
    while (end > 0 && marks[end - 1] == ' ') end--;
    text_add(&c->out, ink_of_line(c));
    for (int i = 0; i < end; i++) {
        const char *nice = marks[i] == '|' ? "│" : marks[i] == '\\' ? "╲" : marks[i] == '/' ? "╱" : marks[i] == 'X' ? "╳" : " ";
        char plain[2] = { marks[i], 0 };
        text_add(&c->out, c->look.ascii ? plain : nice);
    }
    text_add(&c->out, ink_end(c));
}

/* The ways that lead down, each pair once: they cross the lines between rows. */
static void ways_find(canvas *c) {
    int cells = joc_game_cells(c->game);
    size_t capacity = 0;
    for (int a = 0; a < cells; a++) {
        int ax, ay, bx, by;
        joc_cell_xy(c->game, a, &ax, &ay);
        for (int b = 0; b < cells; b++) {
            joc_cell_xy(c->game, b, &bx, &by);
            int dx = bx > ax ? bx - ax : ax - bx, dy = by - ay;
            if (dy <= 0 || (dx != 0 && dx != dy) || !(joc_cell_joined(c->game, a, b) || joc_cell_joined(c->game, b, a))) continue;
            if (c->way_count == capacity) {
                capacity = capacity ? 2 * capacity : 64;
                int (*grown)[2] = memory_of(capacity, sizeof *grown);
                if (c->way_count) memcpy(grown, c->ways, c->way_count * sizeof *grown);
                free(c->ways);
                c->ways = grown;
            }
            c->ways[c->way_count][0] = a;
            c->ways[c->way_count++][1] = b;
        }
    }
}

static void line_between(canvas *c, int line) {
    const layout *l = &c->layout;
    int width = l->left + (l->x_most - l->x_least + 1) * l->step;
    char *marks = memory_of((size_t)width + 1, 1);
    memset(marks, ' ', (size_t)width);
    for (size_t i = 0; i < c->way_count; i++) mark_way(c, marks, width, line, c->ways[i][0], c->ways[i][1]);
    marks_add(c, marks, width);
    free(marks);
}

/* Column labels: under the lowest cell of each column. */
static void foot_add(canvas *c) {
    const layout *l = &c->layout;
    text line = { 0 };
    int column = 0, half = l->sort == LAYOUT_SLANTED ? l->step / 2 : 0;
    for (int x = l->x_least; x <= l->x_most; x++) {
        int lowest = -1;
        for (int y = l->y_least; lowest < 0 && y <= l->y_most; y++) lowest = joc_cell_at(c->game, x, y);
        if (lowest < 0) continue;
        char label[64];
        layout_column_label(l, c->game, lowest, label);
        int want = l->sort == LAYOUT_GRID ? l->left + (x - l->x_least) * l->step : l->column[lowest] - half;
        if (c->look.colour && l->sort == LAYOUT_GRID && !l->lines) want += (l->step - text_width(label)) / 2;
        if (want > column) spaces(&line, want - column), column = want;
        text_add(&line, label);
        column += text_width(label);
    }
    text_add(&line, "\n");
    text_add(&c->out, line.data);
    text_free(&line);
}

static void trim_line(text *t) {
    while (t->length && t->data[t->length - 1] == ' ') t->data[--t->length] = 0;
}

static void board_rows(canvas *c) {
    layout *l = &c->layout;
    if (l->lines) ways_find(c);
    for (int row = 0; row < l->rows; row++) {
        char label[64];
        layout_row_label(l, c->game, row, label);
        if (l->sort == LAYOUT_SLANTED) {                        /* the label stands before the row's first cell */
            int first = l->row_count[row] ? l->column[l->order[l->row_first[row]]] : l->left;
            spaces(&c->out, first - 1 - text_width(label));
            text_add(&c->out, label);
            spaces(&c->out, 1);
            l->left = first;
        } else if (l->left) label_right(c, label);
        int left = l->left;
        if (l->sort == LAYOUT_GRID && !l->lines) row_of_squares(c, row);
        else row_of_cells(c, row);
        l->left = left;
        trim_line(&c->out);
        if (l->names == NAMES_ENDS && l->row_count[row]) text_format(&c->out, " %s", joc_cell_name(c->game, l->order[l->row_first[row] + l->row_count[row] - 1]));
        text_add(&c->out, "\n");
        if (l->lines && row + 1 < l->rows) {
            line_between(c, 2 * row + 1);
            text_add(&c->out, "\n");
        }
    }
    if (l->foot) foot_add(c);
}

/* ---- maps --------------------------------------------------------------------------------------------------------------------------- */
static void cell_entry(const canvas *c, text *t, int cell) {
    int owner, kind, height = joc_height(c->position, cell);
    text_format(t, "%s ", joc_cell_name(c->game, cell));
    if (height && joc_piece(c->position, cell, 0, &owner, &kind)) {
        text_format(t, "%s.%s", player_name(c->game, owner), joc_kind_name(c->game, kind));
        if (height > 1) text_format(t, "%s%d", times(c), height);
    } else text_add(t, dot(c));
}

static void board_table(canvas *c) {
    int cells = joc_game_cells(c->game), widest = 1;
    char **entries = memory_of((size_t)cells, sizeof *entries);
    for (int i = 0; i < cells; i++) {
        text t = { 0 };
        cell_entry(c, &t, i);
        entries[i] = text_take(&t);
        int w = text_width(entries[i]);
        if (w > widest) widest = w;
    }
    int width = c->look.width > 0 ? c->look.width : 80, columns = width / (widest + 3);
    if (columns < 1) columns = 1;
    int rows = (cells + columns - 1) / columns;
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < columns && r + k * rows < cells; k++) {
            const char *entry = entries[r + k * rows];
            int owner = -2, kind;
            if (joc_height(c->position, r + k * rows)) joc_piece(c->position, r + k * rows, 0, &owner, &kind);
            if (k) spaces(&c->out, 3);
            if (c->look.colour && owner != -2) text_format(&c->out, "%s%s", LIGHT, player_colour(c->game, owner, true));
            text_add(&c->out, entry);
            spaces(&c->out, widest - text_width(entry));
            if (c->look.colour && owner != -2) text_add(&c->out, COLOUR_END);
        }
        trim_line(&c->out);
        text_add(&c->out, "\n");
    }
    for (int i = 0; i < cells; i++) free(entries[i]);
    free(entries);
}

/* ---- below the board ---------------------------------------------------------------------------------------------------------------- */
char *result_line(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    joc_result r = joc_result_of(p);
    text t = { 0 };
    if (r.outcome == JOC_WIN) text_format(&t, "%s wins", player_name(g, r.winner));
    if (r.outcome == JOC_DRAW) text_add(&t, "a draw");
    if (r.outcome == JOC_RUNNING && joc_state_of(p) == JOC_STUCK)
        text_format(&t, "%s to move (turn %d), stuck: no move goes through, and the rules do not say what happens then", player_name(g, joc_mover(p)), joc_turns(p) + 1);
    if (t.length && r.reason && *r.reason) text_format(&t, " (%s)", r.reason);
    for (int i = 0; t.length && r.scored && i < joc_game_players(g); i++) text_format(&t, "%s%s %" PRId64, i ? ", " : ": ", joc_game_player(g, i), r.scores[i]);
    return text_take(&t);
}

char *state_line(const joc_position *p) {
    char *result = result_line(p);
    if (*result) return result;
    free(result);
    text t = { 0 };
    text_format(&t, "%s to move (turn %d)", player_name(joc_position_game(p), joc_mover(p)), joc_turns(p) + 1);
    if (joc_state_of(p) == JOC_CHANCE) text_add(&t, ", chance decides");
    else if (joc_inside_turn(p)) text_add(&t, ", goes on");
    return text_take(&t);
}

static void stack_lines(canvas *c) {
    int owner, kind, top_owner, top_kind;
    for (int cell = 0; cell < joc_game_cells(c->game); cell++) {
        int height = joc_height(c->position, cell);
        bool mixed = false;
        if (height < 2 || !joc_piece(c->position, cell, 0, &top_owner, &top_kind)) continue;
        for (int i = 1; i < height; i++) mixed = mixed || (joc_piece(c->position, cell, i, &owner, &kind) && (owner != top_owner || kind != top_kind));
        if (!mixed) continue;
        text_format(&c->out, "on %s, from the bottom =", joc_cell_name(c->game, cell));
        for (int i = height; i-- > 0;)
            if (joc_piece(c->position, cell, i, &owner, &kind)) text_format(&c->out, " %s", label_of(c->labels, owner, kind));
        text_add(&c->out, "\n");
    }
}

/* A name of the file's, without accents where only ASCII is wanted. */
static void name_add(canvas *c, const char *name) {
    char *plain = c->look.ascii ? text_ascii(name) : text_copy(name);
    text_add(&c->out, plain);
    free(plain);
}

/* "= pod   ( cetate": what the signs mean, of those that have a name. */
static void signs_add(canvas *c) {
    bool some = false;
    for (int i = 0; c->layout.names != NAMES_SHOWN && i < joc_game_marks(c->game); i++) {
        const joc_mark m = joc_game_mark(c->game, i);
        if (!*m.name) continue;
        text_format(&c->out, "%s%s ", some ? "   " : "signs: ", sign_of(c, i));
        name_add(c, m.name);
        some = true;
    }
    if (some) text_add(&c->out, "\n");
}

static void items_add(canvas *c) {
    items list = items_of(c->position, c->shown);
    for (size_t i = 0; i < list.count; i++) {
        const item *it = &list.items[i];
        if (it->sort == ITEM_TURNS) continue;                           /* the line before says it */
        const char *dot_in = strchr(it->name, '.');
        text name = { 0 };
        if (dot_in) text_format(&name, "%.*s of %s", (int)(dot_in - it->name), it->name, dot_in + 1);
        else text_add(&name, it->name);
        name_add(c, name.data);
        text_add(&c->out, " = ");
        text_free(&name);
        for (const char *s = it->value; *s; s++) {
            text_add_bytes(&c->out, s, 1);
            if (*s == ',') text_add(&c->out, " ");
        }
        text_add(&c->out, "\n");
    }
    items_free(&list);
}

char *joc_drawing(const joc_position *p, joc_look look) {
    canvas c = { .position = p, .game = joc_position_game(p), .look = look, .shown = shown_number(joc_position_game(p)) };
    c.labels = labels_new(c.game, true);
    c.layout = layout_of(c.game, widest_token(&c), look.colour && joc_game_shape(c.game) == JOC_BOARD_SQUARE ? 2 : 1, look.width);
    if (c.layout.sort == LAYOUT_TABLE) board_table(&c);
    else if (c.layout.sort != LAYOUT_NONE) board_rows(&c);
    signs_add(&c);
    char *state = state_line(p);
    text_format(&c.out, "%s\n", state);
    free(state);
    stack_lines(&c);
    items_add(&c);
    free(c.ways);
    layout_free(&c.layout);
    labels_free(c.labels);
    return text_take(&c.out);
}
