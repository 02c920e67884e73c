/* Positions as text: what docs/notation.md says, written. Field by field (the notation's, or board and mover), then the items that no field
 * has told (interp/play/label.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/position.h"

typedef struct {
    const joc_position *position;
    const joc_game *game;
    const notation *notation;           /* NULL: Joc's own text */
    labels *labels;
    text out;
    bool *keep_told, *zone_told;
    bool turns_told;
} writer;

static void write_generic_piece(writer *w, int owner, int kind) {
    if (label_is_bare(w->labels, owner, kind)) text_add(&w->out, label_of(w->labels, owner, kind));
    else if (strlen(label_of(w->labels, owner, kind)) <= 4) text_format(&w->out, "<%s>", label_of(w->labels, owner, kind));
    else text_format(&w->out, "<%s.%s>", player_name(w->game, owner), joc_kind_name(w->game, kind));
}

static void write_marked_piece(writer *w, const notation_field *f, int place, int level, int owner, int kind) {
    char *letter = notation_letter_of(w->notation, owner, kind);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < f->mark_count; i++)
            if (f->marks[i].after == (pass == 1) && f->marks[i].keep >= 0 && joc_piece_value(w->position, place, level, f->marks[i].keep)) text_add(&w->out, f->marks[i].mark);
        if (!pass) text_add(&w->out, letter);
    }
    free(letter);
}

/* A cell's pieces. A notation's letters are used where they can be: one piece of one of two players. */
static void write_cell(writer *w, const notation_field *f, int cell) {
    int height = joc_height(w->position, cell), owner, kind;
    if (height == 1 && f && joc_piece(w->position, cell, 0, &owner, &kind) && owner >= 0 && owner < 2) {
        write_marked_piece(w, f, cell, 0, owner, kind);
        return;
    }
    if (height > 1) text_add(&w->out, "(");
    for (int level = height; level-- > 0;)
        if (joc_piece(w->position, cell, level, &owner, &kind)) write_generic_piece(w, owner, kind);
    if (height > 1) text_add(&w->out, ")");
}

static void write_map(writer *w) {
    bool some = false;
    for (int i = 0; i < joc_game_cells(w->game); i++) {
        if (!joc_height(w->position, i)) continue;
        text_format(&w->out, "%s%s:", some ? "," : "", joc_cell_name(w->game, i));
        write_cell(w, NULL, i);
        some = true;
    }
    if (!some) text_add(&w->out, "-");
}

static void write_rows(writer *w, const notation_field *f) {
    board_rows rows = rows_of(w->game);
    for (int r = 0, i = 0; r < rows.rows; r++) {
        int empty = 0;
        if (r) text_add(&w->out, "/");
        for (; i < rows.end_of_row[r]; i++) {
            if (!joc_height(w->position, rows.cells[i])) {
                empty++;
                continue;
            }
            if (empty) text_format(&w->out, "%d", empty), empty = 0;
            write_cell(w, f, rows.cells[i]);
        }
        if (empty) text_format(&w->out, "%d", empty);
    }
    rows_free(&rows);
}

static void write_board(writer *w, const notation_field *f) {
    if (!joc_game_cells(w->game)) text_add(&w->out, "-");
    else if (joc_game_shape(w->game) == JOC_BOARD_MAP) write_map(w);
    else write_rows(w, f);
    if (!f) return;
    for (size_t i = 0; i < f->mark_count; i++)
        if (f->marks[i].keep >= 0) w->keep_told[f->marks[i].keep] = true;
}

/* Pieces in the players' zones: "QRb", or with counts "2P3p". */
static void write_hands(writer *w, const notation_field *f, bool counted) {
    size_t before = w->out.length;
    for (int player = 0; player < joc_game_players(w->game) && player < 2; player++) {
        int zone = zone_of_player(w->game, f->zone, player), place = joc_game_cells(w->game) + zone, owner, kind;
        if (zone < 0) continue;
        w->zone_told[zone] = true;
        for (int k = 0; k < joc_game_kinds(w->game); k++) {
            int count = 0;
            for (int i = 0; i < joc_height(w->position, place); i++)
                if (joc_piece(w->position, place, i, &owner, &kind) && kind == k) count++;
            char *letter = notation_letter_of(w->notation, player, k);
            if (counted && count > 1) text_format(&w->out, "%d", count);
            text_add_times(&w->out, letter, counted ? count > 0 : count);
            free(letter);
        }
    }
    if (w->out.length == before && counted) text_add(&w->out, "-");
}

/* ---- rights ------------------------------------------------------------------------------------------------------------------------- */

static void write_rights(writer *w, const notation_field *f) {
    size_t before = w->out.length;
    const joc_position *p = w->position;
    if (f->keep >= 0) w->keep_told[f->keep] = true;
    for (int player = 0; f->keep >= 0 && f->on >= 0 && player < 2 && player < joc_game_players(w->game); player++) {
        int beside = f->beside >= 0 ? cell_of_kind(p, player, f->beside) : -1, x = 0, y = 0;
        if (beside >= 0) joc_cell_xy(w->game, beside, &x, &y);
        for (int pass = 0; pass < 2; pass++)                                     /* east first */
            for (int i = joc_game_cells(w->game); i-- > 0;) {
                int owner, kind, cx, cy;
                if (!joc_piece(p, i, 0, &owner, &kind) || owner != player || kind != f->on || !joc_piece_value(p, i, 0, f->keep)) continue;
                joc_cell_xy(w->game, i, &cx, &cy);
                if ((cx > x) != (pass == 0)) continue;
                bool outer = beside >= 0 && cy == y && outermost(p, player, f->on, beside, pass == 0) == i;
                char *letter = outer ? text_cased(pass ? f->west : f->east, player == 0) : column_letter(w->game, i, player);
                text_add(&w->out, letter);
                free(letter);
            }
    }
    if (w->out.length == before) text_add(&w->out, "-");
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------- */
static void write_flagged_cell(writer *w, const notation_field *f) {
    int found = -1;
    for (int i = 0; f->keep >= 0 && i < joc_game_cells(w->game); i++)
        if (joc_keep_value(w->position, f->keep, i)) found = found == -1 ? i : -2;
    if (found >= 0) text_add(&w->out, joc_cell_name(w->game, found));
    else text_add(&w->out, "-");
    if (f->keep >= 0 && found != -2) w->keep_told[f->keep] = true;              /* several: told as an item */
}

static void write_number(writer *w, const notation_field *f) {
    if (f->keep >= 0) w->keep_told[f->keep] = true;
    int count = f->per_player ? joc_game_players(w->game) : 1;
    for (int i = 0; i < count; i++) text_format(&w->out, "%s%" PRId64, i ? "+" : "", f->keep >= 0 ? joc_keep_value(w->position, f->keep, i) : 0);
}

static void write_turn(writer *w, const notation_field *f) {
    int turns = joc_turns(w->position), players = joc_game_players(w->game);
    text_format(&w->out, "%d", (f->per_move ? turns : turns / players) + 1);
    w->turns_told = f->per_move || turns % players == joc_mover(w->position);
}

static void write_field(writer *w, const notation_field *f) {
    switch (f->sort) {
    case FIELD_BOARD:
        write_board(w, f);
        if (f->zone >= 0) text_add(&w->out, "["), write_hands(w, f, false), text_add(&w->out, "]");
        break;
    case FIELD_MOVER: text_add(&w->out, w->notation->players[joc_mover(w->position)]); break;
    case FIELD_RIGHTS: write_rights(w, f); break;
    case FIELD_CELL: write_flagged_cell(w, f); break;
    case FIELD_NUMBER: write_number(w, f); break;
    case FIELD_HANDS: write_hands(w, f, true); break;
    case FIELD_TURN: write_turn(w, f); break;
    case FIELD_TEXT: text_add(&w->out, f->text); break;
    }
}

/* W:W21,22,K30:B1,2 */
static void write_list(writer *w) {
    text_add(&w->out, w->notation->players[joc_mover(w->position)]);
    for (int player = 0; player < joc_game_players(w->game); player++) {
        text_format(&w->out, ":%s", w->notation->players[player]);
        bool some = false;
        for (int i = 0; i < joc_game_cells(w->game); i++) {
            int owner, kind;
            if (!joc_piece(w->position, i, 0, &owner, &kind) || owner != player) continue;
            text_format(&w->out, "%s%s%s", some ? "," : "", w->notation->letters[kind], joc_cell_name(w->game, i));
            some = true;
        }
    }
}

static void write_items(writer *w) {
    items list = items_of(w->position, -1);
    for (size_t i = 0; i < list.count; i++) {
        const item *it = &list.items[i];
        if (it->sort == ITEM_KEEP && w->keep_told[it->index]) continue;
        if (it->sort == ITEM_ZONE && w->zone_told[it->index]) continue;
        if (it->sort == ITEM_TURNS && w->turns_told) continue;
        text_format(&w->out, " %s=%s", it->name, it->value);
    }
    if (w->turns_told == false && w->notation && !w->notation->list && joc_turns(w->position) == joc_game_players(w->game)) {
        bool field = false;
        for (size_t i = 0; i < w->notation->field_count; i++) field = field || w->notation->fields[i].sort == FIELD_TURN;
        if (field) text_format(&w->out, " turns=%d", joc_turns(w->position));
    }
    items_free(&list);
}

/* A list cannot say stacks nor neutral pieces. */
static bool list_fits(const joc_position *p) {
    int owner, kind;
    for (int i = 0; i < joc_game_cells(joc_position_game(p)); i++)
        if (joc_height(p, i) > 1 || (joc_piece(p, i, 0, &owner, &kind) && owner < 0)) return false;
    return true;
}

char *joc_position_text(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    notation *n = notation_of(g, NULL);
    writer w = { .position = p, .game = g, .notation = n, .labels = labels_new(g, false) };
    w.keep_told = memory_of((size_t)joc_game_keeps(g), sizeof(bool));
    w.zone_told = memory_of((size_t)joc_game_zones(g), sizeof(bool));
    if (n && n->list && list_fits(p)) write_list(&w);
    else if (n && !n->list) {
        for (size_t i = 0; i < n->field_count; i++) {
            if (i) text_add(&w.out, " ");
            write_field(&w, &n->fields[i]);
        }
    } else {
        write_board(&w, NULL);
        text_format(&w.out, " %s", player_name(g, joc_mover(p)));
    }
    write_items(&w);
    free(w.keep_told);
    free(w.zone_told);
    labels_free(w.labels);
    notation_free(n);
    return text_take(&w.out);
}
