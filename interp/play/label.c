/* Labels of pieces and the items beside the board; see label.h. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "interp/play/label.h"

/* ---- labels ------------------------------------------------------------------------------------------------------------------------- */
struct labels {
    const joc_game *game;
    int players, kinds;
    char **label;               /* [(owner + 1) * (kinds + 1) + kind]; the kind behind the last is the unknown one of views */
    bool *bare;
};

static size_t cell_of(const labels *l, int owner, int kind) { return (size_t)(owner + 1) * (size_t)(l->kinds + 1) + (size_t)kind; }

const char *player_name(const joc_game *g, int player) { return player < 0 ? "neutral" : joc_game_player(g, player); }

static const char *digits_at_end(const char *name) {
    const char *end = name + strlen(name);
    while (end > name && isdigit((unsigned char)end[-1])) end--;
    return end;
}

static char *base_numbered(const joc_game *g, int kind) {
    text t = { 0 };
    text_add(&t, joc_kind_letter(g, kind));
    text_add(&t, digits_at_end(joc_kind_name(g, kind)));
    return text_take(&t);
}

static bool letter_unique(const joc_game *g, int kind, int kinds) {
    for (int k = 0; k < kinds; k++)
        if (k != kind && !strcasecmp(joc_kind_letter(g, k), joc_kind_letter(g, kind))) return false;
    return *joc_kind_letter(g, kind) != 0;
}

static bool numbered_unique(const joc_game *g, int kind, int kinds) {
    char *mine = base_numbered(g, kind);
    bool unique = *digits_at_end(joc_kind_name(g, kind)) != 0;
    for (int k = 0; k < kinds && unique; k++) {
        char *other = base_numbered(g, k);
        if (k != kind && !strcasecmp(other, mine)) unique = false;
        free(other);
    }
    free(mine);
    return unique;
}

/* The shortest beginning of a player's name that no other name shares: bytes. */
static size_t prefix_length(const joc_game *g, int player, int players) {
    const char *name = joc_game_player(g, player);
    size_t length = strlen(name), n = text_character(name);
    for (; n < length; n += text_character(name + n)) {
        bool shared = false;
        for (int p = 0; p < players; p++)
            if (p != player && !strncasecmp(joc_game_player(g, p), name, n)) shared = true;
        if (!shared) break;
    }
    return n;
}

static bool special(const char *s) { return strpbrk(s, "0123456789/<>():#,.=*[] ·|-_") != NULL || !*s; }

/* Case tells two players apart if upper and lower case differ. */
static bool cased(const char *base) {
    char *up = text_cased(base, true), *low = text_cased(base, false);
    bool differ = strcmp(up, low) != 0;
    free(up);
    free(low);
    return differ;
}

static char *label_make(const joc_game *g, int owner, const char *base, int players, int kinds, bool drawn) {
    bool owner_alone = drawn && kinds == 1 && players > 1;
    if (players == 1 && owner == 0) return text_copy(base);
    if (owner >= 0 && players == 2 && cased(base) && !owner_alone) return text_cased(base, owner == 0);
    text t = { 0 };
    if (owner < 0) text_add(&t, "#");
    else text_add_bytes(&t, joc_game_player(g, owner), prefix_length(g, owner, players));
    if (owner < 0 || kinds > 1) text_add(&t, base);
    return text_take(&t);
}

labels *labels_new(const joc_game *g, bool drawn) {
    labels *l = memory_of(1, sizeof *l);
    l->game = g;
    l->players = joc_game_players(g);
    l->kinds = joc_game_kinds(g);
    size_t count = (size_t)(l->players + 1) * (size_t)(l->kinds + 1);
    l->label = memory_of(count, sizeof *l->label);
    l->bare = memory_of(count, sizeof *l->bare);
    for (int k = 0; k < l->kinds; k++) {
        bool letter = letter_unique(g, k, l->kinds);
        char *base = letter ? text_copy(joc_kind_letter(g, k)) : numbered_unique(g, k, l->kinds) ? base_numbered(g, k) : text_copy(joc_kind_name(g, k));
        for (int owner = -1; owner < l->players; owner++) {
            size_t at = cell_of(l, owner, k);
            l->label[at] = label_make(g, owner, base, l->players, l->kinds, drawn);
            l->bare[at] = owner >= 0 && letter && !special(l->label[at]) && (l->players == 1 || (l->players == 2 && cased(base)));
        }
        free(base);
    }
    for (int owner = -1; owner < l->players; owner++) {
        text t = { 0 };
        if (owner < 0) text_add(&t, "#");
        else text_add_bytes(&t, joc_game_player(g, owner), prefix_length(g, owner, l->players));
        text_add(&t, "?");
        l->label[cell_of(l, owner, l->kinds)] = text_take(&t);
    }
    return l;
}

void labels_free(labels *l) {
    if (!l) return;
    for (size_t i = 0; i < (size_t)(l->players + 1) * (size_t)(l->kinds + 1); i++) free(l->label[i]);
    free(l->label);
    free(l->bare);
    free(l);
}

const char *label_of(const labels *l, int owner, int kind) {
    assert(owner >= -1 && owner < l->players && kind >= 0 && kind <= l->kinds);
    return l->label[cell_of(l, owner, kind)];
}

bool label_is_bare(const labels *l, int owner, int kind) { return l->bare[cell_of(l, owner, kind)]; }

static bool same(const char *word, const char *s, size_t length) { return strlen(word) == length && !memcmp(word, s, length); }

bool label_find(const labels *l, const char *s, size_t length, int *owner, int *kind) {
    for (int o = -1; o < l->players; o++)
        for (int k = 0; k < l->kinds; k++)
            if (same(label_of(l, o, k), s, length)) {
                *owner = o;
                *kind = k;
                return true;
            }
    const char *dot = memchr(s, '.', length);
    if (!dot) return false;
    int o = player_find(l->game, s, (size_t)(dot - s)), k = kind_find(l->game, dot + 1, length - (size_t)(dot - s) - 1);
    if (o == -1 || k < 0) return false;
    *owner = o == -2 ? -1 : o;
    *kind = k;
    return true;
}

size_t label_match(const labels *l, const char *s, int *owner, int *kind) {
    size_t best = 0;
    for (int o = 0; o < l->players; o++)
        for (int k = 0; k < l->kinds; k++) {
            size_t n = strlen(label_of(l, o, k));
            if (!label_is_bare(l, o, k) || n <= best || strncmp(s, label_of(l, o, k), n)) continue;
            best = n;
            *owner = o;
            *kind = k;
        }
    return best;
}

/* ---- names -------------------------------------------------------------------------------------------------------------------------- */
void place_add(text *t, const joc_game *g, int place) {
    int cells = joc_game_cells(g);
    if (place < cells) {
        text_add(t, joc_cell_name(g, place));
        return;
    }
    int zone = place - cells;
    text_add(t, joc_zone_name(g, zone));
    if (joc_zone_owner(g, zone) >= 0) text_format(t, ".%s", joc_game_player(g, joc_zone_owner(g, zone)));
}

int place_find(const joc_game *g, const char *s, size_t length) {
    int cells = joc_game_cells(g), zones = joc_game_zones(g);
    for (int i = 0; i < cells; i++)
        if (same(joc_cell_name(g, i), s, length)) return i;
    for (int z = 0; z < zones; z++) {
        text t = { 0 };
        place_add(&t, g, cells + z);
        bool fits = same(t.data, s, length);
        text_free(&t);
        if (fits) return cells + z;
    }
    return -1;
}

int player_find(const joc_game *g, const char *s, size_t length) {
    int found = -1;
    if (!length) return -1;
    for (int p = 0; p < joc_game_players(g); p++) {
        const char *name = joc_game_player(g, p);
        if (strlen(name) < length || strncasecmp(name, s, length)) continue;
        if (strlen(name) == length) return p;
        if (found >= 0) return -1;
        found = p;
    }
    if (found < 0 && length == 7 && !memcmp(s, "neutral", 7)) return -2;
    return found;
}

int kind_find(const joc_game *g, const char *s, size_t length) {
    for (int k = 0; k < joc_game_kinds(g); k++)
        if (same(joc_kind_name(g, k), s, length)) return k;
    return -1;
}

/* ---- items -------------------------------------------------------------------------------------------------------------------------- */
static void items_push(items *list, item_sort sort, int index, text *name, text *value) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        item *grown = memory_of(list->capacity, sizeof *grown);
        if (list->count) memcpy(grown, list->items, list->count * sizeof *grown);
        free(list->items);
        list->items = grown;
    }
    list->items[list->count++] = (item){ sort, index, text_take(name), text_take(value) };
}

void items_free(items *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    free(list->items);
    *list = (items){ 0 };
}

/* Pieces in their order, equal neighbours told once: Pebble*7,White.Guard. */
static void zone_item(items *list, const joc_position *p, int zone) {
    const joc_game *g = joc_position_game(p);
    int place = joc_game_cells(g) + zone, count = joc_height(p, place), owner, kind;
    if (!count) return;
    text name = { 0 }, value = { 0 };
    place_add(&name, g, place);
    for (int i = 0; i < count;) {
        int next_owner, next_kind, run = 1;
        if (!joc_piece(p, place, i, &owner, &kind)) break;
        while (i + run < count && joc_piece(p, place, i + run, &next_owner, &next_kind) && next_owner == owner && next_kind == kind) run++;
        if (value.length) text_add(&value, ",");
        if (owner != joc_zone_owner(g, zone)) text_format(&value, "%s.", player_name(g, owner));
        text_add(&value, joc_kind_name(g, kind));
        if (run > 1) text_format(&value, "*%d", run);
        i += run;
    }
    items_push(list, ITEM_ZONE, zone, &name, &value);
}

void value_add(text *t, const joc_game *g, int keep, int64_t value) {
    joc_keep_type type = joc_keep_kind(g, keep);
    if (type == JOC_FLAG) text_add(t, value ? "yes" : "no");
    else if (type == JOC_NUMBER) text_format(t, "%" PRId64, value);
    else if (value < 0) text_add(t, "-");
    else if (type == JOC_CELL_VALUE) place_add(t, g, (int)value);
    else if (type == JOC_KIND_VALUE) text_add(t, joc_kind_name(g, (int)value));
    else if (type == JOC_PLAYER_VALUE) text_add(t, joc_game_player(g, (int)value));
    else text_add(t, joc_way_name(g, (int)value) ? joc_way_name(g, (int)value) : "-");
}

static void entry_add(text *t, const joc_game *g, int keep, int place, int level, int64_t value) {
    if (t->length) text_add(t, ",");
    place_add(t, g, place);
    if (level) text_format(t, "#%d", level);
    if (joc_keep_kind(g, keep) == JOC_FLAG && value) return;
    text_add(t, ":");
    value_add(t, g, keep, value);
}

static void keep_of_cells(text *value, const joc_position *p, int keep, int shown) {
    const joc_game *g = joc_position_game(p);
    int places = joc_game_cells(g) + joc_game_zones(g);
    for (int i = 0; i < places; i++) {
        int64_t v = joc_keep_value(p, keep, i);
        if (v == joc_keep_start(g, keep)) continue;
        if (keep == shown && i < joc_game_cells(g) && !joc_height(p, i)) continue;
        entry_add(value, g, keep, i, 0, v);
    }
}

static void keep_of_pieces(text *value, const joc_position *p, int keep) {
    const joc_game *g = joc_position_game(p);
    int places = joc_game_cells(g) + joc_game_zones(g);
    for (int i = 0; i < places; i++)
        for (int level = 0; level < joc_height(p, i); level++) {
            int64_t v = joc_piece_value(p, i, level, keep);
            if (v != joc_keep_start(g, keep)) entry_add(value, g, keep, i, level, v);
        }
}

static void keep_item(items *list, const joc_position *p, int keep, int shown) {
    const joc_game *g = joc_position_game(p);
    joc_of of = joc_keep_of(g, keep);
    for (int i = 0; of == JOC_OF_PLAYER && i < joc_game_players(g); i++) {
        int64_t v = joc_keep_value(p, keep, i);
        if (v == joc_keep_start(g, keep)) continue;
        text name = { 0 }, value = { 0 };
        text_format(&name, "%s.%s", joc_keep_name(g, keep), joc_game_player(g, i));
        value_add(&value, g, keep, v);
        items_push(list, ITEM_KEEP, keep, &name, &value);
    }
    text name = { 0 }, value = { 0 };
    if (of == JOC_OF_GAME && joc_keep_value(p, keep, 0) != joc_keep_start(g, keep)) value_add(&value, g, keep, joc_keep_value(p, keep, 0));
    if (of == JOC_OF_CELL) keep_of_cells(&value, p, keep, shown);
    if (of == JOC_OF_PIECE) keep_of_pieces(&value, p, keep);
    if (!value.length) {
        text_free(&value);
        return;
    }
    text_add(&name, joc_keep_name(g, keep));
    items_push(list, ITEM_KEEP, keep, &name, &value);
}

static void dice_item(items *list, const joc_position *p, int dice) {
    int values[64];
    size_t count = joc_dice_values(p, dice, values, 64);
    if (!count) return;
    text name = { 0 }, value = { 0 };
    text_add(&name, joc_dice_name(joc_position_game(p), dice));
    for (size_t i = 0; i < count && i < 64; i++) text_format(&value, "%s%d", i ? "," : "", values[i]);
    items_push(list, ITEM_DICE, dice, &name, &value);
}

static void out_item(items *list, const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    text name = { 0 }, value = { 0 };
    for (int i = 0; i < joc_game_players(g); i++)
        if (!joc_player_in(p, i)) text_format(&value, "%s%s", value.length ? "," : "", joc_game_player(g, i));
    if (!value.length) {
        text_free(&value);
        return;
    }
    text_add(&name, "out");
    items_push(list, ITEM_OUT, 0, &name, &value);
}

items items_of(const joc_position *p, int shown) {
    const joc_game *g = joc_position_game(p);
    items list = { 0 };
    for (int i = 0; i < joc_game_zones(g); i++) zone_item(&list, p, i);
    for (int i = 0; i < joc_game_keeps(g); i++) keep_item(&list, p, i, shown);
    for (int i = 0; joc_inside_turn(p) && i < joc_game_dice(g); i++) dice_item(&list, p, i);     /* between turns they mean nothing */
    out_item(&list, p);
    if (joc_turns(p) != joc_game_players(g)) {
        text name = { 0 }, value = { 0 };
        text_add(&name, "turns");
        text_format(&value, "%d", joc_turns(p));
        items_push(&list, ITEM_TURNS, 0, &name, &value);
    }
    return list;
}

int shown_number(const joc_game *g) {
    int found = -1;
    if (joc_game_shape(g) == JOC_BOARD_MAP) return -1;
    for (int k = 0; k < joc_game_keeps(g); k++) {
        if (joc_keep_of(g, k) != JOC_OF_CELL || joc_keep_kind(g, k) != JOC_NUMBER) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}
