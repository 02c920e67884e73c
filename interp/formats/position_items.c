/* What stands beside the board, read: NAME=VALUE at the end of a text, and the lines below a drawing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/formats/position.h"
#include "interp/play/drawing.h"

/* ---- items -------------------------------------------------------------------------------------------------------------------------- */

/* PLACE or PLACE#LEVEL */
static bool read_place(reader *r, word w, int *place, int *level) {
    const char *hash = memchr(w.s, '#', w.n);
    int64_t n = 0;
    *place = place_find(r->game, w.s, hash ? (size_t)(hash - w.s) : w.n);
    if (*place < 0) return read_fault(r, w.s, w.n, "E0813", "no cell and no zone is named '%.*s'", (int)w.n, w.s);
    if (hash && (!number_of((word){ hash + 1, w.n - (size_t)(hash - w.s) - 1 }, &n) || n < 0 || n > 10000)) return read_fault(r, hash, 1, "E0813", "'#' wants the number of a piece, 0 for the top one");
    *level = (int)n;
    return true;
}

static int way_find(const joc_game *g, word w) {
    for (int i = 0; i < 256 && joc_way_name(g, i); i++)
        if (word_is(w, joc_way_name(g, i))) return i;
    return -1;
}

static bool read_value(reader *r, int keep, word w, int64_t *value) {
    joc_keep_type type = joc_keep_kind(r->game, keep);
    int found = -1;
    if (type == JOC_FLAG && (word_is(w, "yes") || word_is(w, "no"))) {
        *value = word_is(w, "yes");
        return true;
    }
    if (type == JOC_NUMBER && number_of(w, value)) return true;
    if (type != JOC_FLAG && type != JOC_NUMBER && word_is(w, "-")) {
        *value = -1;
        return true;
    }
    if (type == JOC_CELL_VALUE) found = place_find(r->game, w.s, w.n);
    if (type == JOC_KIND_VALUE) found = kind_find(r->game, w.s, w.n);
    if (type == JOC_PLAYER_VALUE) found = player_find(r->game, w.s, w.n);
    if (type == JOC_DIRECTION_VALUE) found = way_find(r->game, w);
    *value = found;
    return found >= 0 || read_fault(r, w.s, w.n, "E0813", "'%s' cannot be '%.*s'", joc_keep_name(r->game, keep), (int)w.n, w.s);
}

static bool does_not_fit(reader *r, int keep, word w) { return read_fault(r, w.s, w.n, "E0813", "'%.*s' does not fit '%s'", (int)w.n, w.s, joc_keep_name(r->game, keep)); }

/* PLACE, or PLACE:VALUE, separated by commas. */
static bool read_entries(reader *r, int keep, word list) {
    const char *s = list.s, *end = list.s + list.n;
    bool of_piece = joc_keep_of(r->game, keep) == JOC_OF_PIECE;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        const char *colon = memchr(w.s, ':', w.n);
        word where = { w.s, colon ? (size_t)(colon - w.s) : w.n };
        int place = -1, level = 0;
        int64_t value = 1;
        if (!read_place(r, where, &place, &level)) return false;
        if (!colon && joc_keep_kind(r->game, keep) != JOC_FLAG) return read_fault(r, w.s, w.n, "E0813", "expected PLACE:VALUE");
        if (colon && !read_value(r, keep, (word){ colon + 1, w.n - where.n - 1 }, &value)) return false;
        if (of_piece && level >= joc_height(r->position, place)) return read_fault(r, w.s, w.n, "E0813", "no piece stands on '%.*s'", (int)where.n, where.s);
        if (!(of_piece ? joc_set_piece_value(r->position, place, level, keep, value) : joc_set_keep(r->position, keep, place, value))) return does_not_fit(r, keep, w);
    }
    return true;
}

static bool read_zone(reader *r, int zone, word list) {
    const char *s = list.s, *end = list.s + list.n;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        const char *star = memchr(w.s, '*', w.n);
        word what = { w.s, star ? (size_t)(star - w.s) : w.n };
        const char *dot_in = memchr(what.s, '.', what.n);
        int owner = joc_zone_owner(r->game, zone);
        int64_t count = 1;
        if (dot_in) owner = player_find(r->game, what.s, (size_t)(dot_in - what.s));
        if (dot_in && owner == -1) return read_fault(r, what.s, what.n, "E0812", "no player of '%.*s'", (int)what.n, what.s);
        if (owner == -2) owner = -1;
        int kind = dot_in ? kind_find(r->game, dot_in + 1, what.n - (size_t)(dot_in - what.s) - 1) : kind_find(r->game, what.s, what.n);
        if (kind < 0) return read_fault(r, what.s, what.n, "E0812", "no kind of piece is named '%.*s'", (int)what.n, what.s);
        if (star && (!number_of((word){ star + 1, w.n - what.n - 1 }, &count) || count < 0 || count > 10000)) return read_fault(r, star, 1, "E0813", "'*' wants a number of pieces");
        for (int64_t i = 0; i < count; i++)
            if (!joc_put(r->position, joc_game_cells(r->game) + zone, owner, kind)) return read_fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
    }
    return true;
}

static bool read_keep(reader *r, int keep, int player, word value) {
    int64_t v;
    joc_of of = joc_keep_of(r->game, keep);
    if (of == JOC_OF_CELL || of == JOC_OF_PIECE) return read_entries(r, keep, value);
    if (of == JOC_OF_PLAYER && player < 0) return read_fault(r, value.s, value.n, "E0813", "'%s' is kept for each player: write %s.PLAYER=...", joc_keep_name(r->game, keep), joc_keep_name(r->game, keep));
    if (!read_value(r, keep, value, &v)) return false;
    return joc_set_keep(r->position, keep, of == JOC_OF_PLAYER ? player : 0, v) || does_not_fit(r, keep, value);
}

static bool read_dice(reader *r, int dice, word list) {
    const char *s = list.s, *end = list.s + list.n;
    int values[64];
    size_t count = 0;
    word w;
    while (next_word(&s, end, ',', &w)) {
        int64_t n;
        while (w.n && *w.s == ' ') w.s++, w.n--;
        if (!number_of(w, &n) || n < -1000 || n > 1000 || count == 64) return read_fault(r, w.s, w.n, "E0813", "'%.*s' is no throw", (int)w.n, w.s);
        values[count++] = (int)n;
    }
    return joc_set_dice(r->position, dice, values, count) || read_fault(r, list.s, list.n, "E0813", "'%s' cannot show this", joc_dice_name(r->game, dice));
}

static bool read_out(reader *r, word list) {
    const char *s = list.s, *end = list.s + list.n;
    word w;
    while (next_word(&s, end, ',', &w)) {
        while (w.n && *w.s == ' ') w.s++, w.n--;
        int player = player_find(r->game, w.s, w.n);
        if (player < 0) return read_fault(r, w.s, w.n, "E0814", "'%.*s' is no player", (int)w.n, w.s);
        joc_set_player_in(r->position, player, false);
    }
    return true;
}

static bool read_turns(reader *r, word w) {
    int64_t n;
    if (!number_of(w, &n) || n < 0 || n > 1000000) return read_fault(r, w.s, w.n, "E0813", "expected how many turns were completed, found '%.*s'", (int)w.n, w.s);
    joc_set_turns(r->position, (int)n);
    r->turns_given = true;
    return true;
}

/* A name as it is, or as it is written in ASCII. */
static bool is_named(word w, const char *name) {
    char *plain = text_ascii(name);
    const bool same = word_is(w, name) || word_is(w, plain);
    free(plain);
    return same;
}

/* `of`: the player in "hand of White"; empty where the name may hold it, as in "hand.White". */
bool read_item(reader *r, word name, word of, word value) {
    const char *dot_in = of.n ? NULL : memchr(name.s, '.', name.n);
    word head = name;
    if (dot_in) {
        head.n = (size_t)(dot_in - name.s);
        of = (word){ dot_in + 1, name.n - head.n - 1 };
    }
    int player = of.n ? player_find(r->game, of.s, of.n) : -1;
    if ((dot_in || of.n) && player < 0) return read_fault(r, of.s, of.n, "E0814", "'%.*s' is no player", (int)of.n, of.s);
    for (int z = 0; z < joc_game_zones(r->game); z++)
        if (joc_zone_owner(r->game, z) == player && is_named(head, joc_zone_name(r->game, z))) return read_zone(r, z, value);
    for (int k = 0; k < joc_game_keeps(r->game); k++)
        if (is_named(head, joc_keep_name(r->game, k))) return read_keep(r, k, player, value);
    for (int d = 0; d < joc_game_dice(r->game); d++)
        if (word_is(head, joc_dice_name(r->game, d))) return read_dice(r, d, value);
    if (word_is(name, "turns")) return read_turns(r, value);
    if (word_is(name, "out")) return read_out(r, value);
    return read_fault(r, name.s, name.n, "E0813", "this game keeps nothing named '%.*s'", (int)name.n, name.s);
}

/* ---- drawings ----------------------------------------------------------------------------------------------------------------------- */

/* "hand of White = Pebble*7" */
static bool read_item_line(reader *r, word line) {
    const char *equals = memchr(line.s, '=', line.n);
    if (!equals) return read_fault(r, line.s, line.n, "E0813", "expected NAME = VALUE, found '%.*s'", (int)line.n, line.s);
    word name = { line.s, (size_t)(equals - line.s) }, value = { equals + 1, line.n - (size_t)(equals - line.s) - 1 };
    while (name.n && name.s[name.n - 1] == ' ') name.n--;
    while (value.n && *value.s == ' ') value.s++, value.n--;
    size_t of = 0;
    while (of + 4 < name.n && memcmp(name.s + of, " of ", 4)) of++;
    if (of + 4 >= name.n) return read_item(r, name, (word){ name.s, 0 }, value);
    return read_item(r, (word){ name.s, of }, (word){ name.s + of + 4, name.n - of - 4 }, value);
}

/* "on B3, from the bottom = W b W": the whole stack, in the place of what the board showed. */
static bool read_stack_line(reader *r, const labels *drawn, word line) {
    const char *comma = memchr(line.s, ',', line.n), *equals = memchr(line.s, '=', line.n);
    if (!comma || !equals) return read_fault(r, line.s, line.n, "E0813", "expected 'on CELL, from the bottom = PIECES'");
    int cell = place_find(r->game, line.s + 3, (size_t)(comma - line.s) - 3);
    if (cell < 0 || cell >= joc_game_cells(r->game)) return read_fault(r, line.s, line.n, "E0813", "'%.*s' is no cell", (int)(comma - line.s) - 3, line.s + 3);
    joc_clear(r->position, cell);
    const char *s = equals + 1, *end = line.s + line.n;
    word w;
    while (next_word(&s, end, ' ', &w)) {
        int owner, kind;
        if (!w.n) continue;
        if (!label_find(drawn, w.s, w.n, &owner, &kind)) return read_unknown_piece(r, w.s, w.n);
        if (!joc_put(r->position, cell, owner, kind)) return read_fault(r, w.s, w.n, "E0812", "no room for '%.*s'", (int)w.n, w.s);
    }
    return true;
}

/* "White to move (turn 3)" */
static void read_state_line(reader *r, word line, size_t after, int player) {
    joc_set_mover(r->position, player);
    int turn = 0;
    char rest[32];
    snprintf(rest, sizeof rest, "%.*s", (int)(line.n - after < 31 ? line.n - after : 31), line.s + after);
    if (sscanf(rest, " (turn %7d)", &turn) == 1 && turn > 0) joc_set_turns(r->position, turn - 1), r->turns_given = true;
}

static bool read_below(reader *r, const labels *drawn, const char *s) {
    bool first = true;
    while (*s) {
        size_t n = strcspn(s, "\n");
        word line = { s, n };
        s += n + (s[n] == '\n');
        while (line.n && isspace((unsigned char)line.s[line.n - 1])) line.n--;
        if (!line.n) continue;
        size_t name = 0;
        while (name < line.n && line.s[name] != ' ' && line.s[name] != ',') name++;
        int player = player_find(r->game, line.s, name);
        bool moves = name + 8 <= line.n && !memcmp(line.s + name, " to move", 8);
        if (first && player >= 0 && moves) read_state_line(r, line, name + 8, player);
        else if (first && !memchr(line.s, '=', line.n)) first = false;              /* how a game ended */
        else if (line.n > 3 && !memcmp(line.s, "on ", 3)) {
            if (!read_stack_line(r, drawn, line)) return false;
        } else if (!read_item_line(r, line)) return false;
        first = false;
    }
    return true;
}

bool read_drawing(reader *r, const char *s) {
    const char *rest, *wrong = s;
    char *why = NULL;
    if (drawing_board(r->position, s, &rest, &wrong, &why)) {
        labels *drawn = labels_new(r->game, true);
        bool good = read_below(r, drawn, rest);
        labels_free(drawn);
        return good;
    }
    read_fault(r, wrong, strcspn(wrong, " \n"), "E0811", "%s", why ? why : "no drawing of this board");
    free(why);
    return false;
}
