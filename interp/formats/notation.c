/* Reading notation files; see notation.h. */
#include <ctype.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/formats/notation.h"
#include "interp/play/label.h"

enum { NOTATION_LIMIT = 64 * 1024, PARENTS_MAX = 16 };

/* ---- the file ----------------------------------------------------------------------------------------------------------------------- */
static const shape_key file_keys[] = {
    { "format", KEY_FORMAT, true }, { "game", KEY_TEXT, true },     { "position", KEY_TEXT, true },
    { "players", KEY_TEXTS, true }, { "letters", KEY_TEXTS, false }, { "fields", KEY_LIST, false },
};
const data_shape notation_shape = { "a notation file", file_keys, sizeof file_keys / sizeof *file_keys };

static const shape_key field_keys[] = {
    { "is", KEY_TEXT, true },     { "keep", KEY_TEXT, false }, { "zone", KEY_TEXT, false }, { "on", KEY_TEXT, false },
    { "beside", KEY_TEXT, false }, { "east", KEY_TEXT, false }, { "west", KEY_TEXT, false }, { "of", KEY_TEXT, false },
    { "per", KEY_TEXT, false },   { "text", KEY_TEXT, false }, { "pocket", KEY_TEXT, false }, { "prefix", KEY_TEXTS, false },
    { "suffix", KEY_TEXTS, false },
};
const data_shape notation_field_shape = { "a field", field_keys, sizeof field_keys / sizeof *field_keys };

static const char *const sort_words[] = { "board", "mover", "rights", "cell", "number", "hands", "turn", "text" };

/* What each sort of field cannot do without. */
static const struct { field_sort sort; const char *key; } needs[] = {
    { FIELD_RIGHTS, "keep" }, { FIELD_RIGHTS, "on" },   { FIELD_RIGHTS, "beside" }, { FIELD_RIGHTS, "east" }, { FIELD_RIGHTS, "west" },
    { FIELD_CELL, "keep" },   { FIELD_NUMBER, "keep" }, { FIELD_HANDS, "zone" },    { FIELD_TEXT, "text" },
};

static int keep_index(const joc_game *g, const char *name) {
    for (int i = 0; name && i < joc_game_keeps(g); i++)
        if (!strcmp(joc_keep_name(g, i), name)) return i;
    return -1;
}

static int zone_index(const joc_game *g, const char *name) {
    for (int i = 0; name && i < joc_game_zones(g); i++)
        if (!strcmp(joc_zone_name(g, i), name)) return i;
    return -1;
}

int zone_of_player(const joc_game *g, int zone, int player) {
    if (zone < 0) return -1;
    for (int i = 0; i < joc_game_zones(g); i++)
        if (joc_zone_owner(g, i) == player && !strcmp(joc_zone_name(g, i), joc_zone_name(g, zone))) return i;
    return -1;
}

static char *copy_or_null(const char *s) { return s ? text_copy(s) : NULL; }

static void read_marks(const joc_game *g, notation_field *f, const datum *map, bool after) {
    for (size_t i = 0; map && i + 1 < map->count && f->mark_count < MARKS_MAX; i += 2)
        f->marks[f->mark_count++] = (piece_mark){ text_copy(map->parts[i + 1]->text), keep_index(g, map->parts[i]->text), after };
}

static void read_field(data_file *file, notation *n, const datum *d) {
    if (!data_check(file, d, &notation_field_shape)) return;
    if (n->field_count == FIELDS_MAX) {
        data_fault(file, d, "E0803", "more than %d fields", FIELDS_MAX);
        return;
    }
    const char *is = datum_text(d, "is", "");
    size_t sort = 0, sorts = sizeof sort_words / sizeof *sort_words;
    while (sort < sorts && strcmp(sort_words[sort], is)) sort++;
    if (sort == sorts) {
        data_fault(file, datum_get(d, "is"), "E0803", "no field is '%s'; there are board, mover, rights, cell, number, hands, turn, text", is);
        return;
    }
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].sort == (field_sort)sort && !datum_get(d, needs[i].key)) data_fault(file, d, "E0804", "a field '%s' needs '%s'", is, needs[i].key);
    notation_field *f = &n->fields[n->field_count++];
    *f = (notation_field){ .sort = (field_sort)sort };
    f->keep = keep_index(n->game, datum_text(d, "keep", NULL));
    f->zone = zone_index(n->game, datum_text(d, "zone", datum_text(d, "pocket", NULL)));
    const char *on = datum_text(d, "on", ""), *beside = datum_text(d, "beside", "");
    f->on = kind_find(n->game, on, strlen(on));
    f->beside = kind_find(n->game, beside, strlen(beside));
    f->per_player = !strcmp(datum_text(d, "of", ""), "player");
    f->per_move = !strcmp(datum_text(d, "per", ""), "move");
    f->east = copy_or_null(datum_text(d, "east", NULL));
    f->west = copy_or_null(datum_text(d, "west", NULL));
    f->text = copy_or_null(datum_text(d, "text", NULL));
    read_marks(n->game, f, datum_get(d, "prefix"), false);
    read_marks(n->game, f, datum_get(d, "suffix"), true);
}

static void read_letters(notation *n, const datum *d) {
    const datum *players = datum_get(d, "players"), *letters = datum_get(d, "letters");
    for (int i = 0; i < joc_game_players(n->game); i++) n->players[i] = text_copy(datum_text(players, joc_game_player(n->game, i), joc_game_player(n->game, i)));
    for (int k = 0; k < joc_game_kinds(n->game); k++) n->letters[k] = text_copy(datum_text(letters, joc_kind_name(n->game, k), joc_kind_letter(n->game, k)));
}

static void read_file(data_file *file, notation *n, const datum *d) {
    if (!data_check(file, d, &notation_shape)) return;
    const char *position = datum_text(d, "position", "");
    const datum *fields = datum_get(d, "fields");
    n->list = !strcmp(position, "list");
    if (!n->list && strcmp(position, "fields")) data_fault(file, datum_get(d, "position"), "E0803", "'position' is 'fields' or 'list', not '%s'", position);
    if (!n->list && !fields) data_fault(file, d, "E0804", "'position: fields' needs 'fields'");
    for (size_t i = 0; fields && i < fields->count; i++) read_field(file, n, fields->parts[i]);
    read_letters(n, d);
}

notation *notation_read(const joc_game *g, const char *path, joc_messages *m) {
    data_file file;
    datum *d = data_read(&file, path, NOTATION_LIMIT, m);
    notation *n = memory_of(1, sizeof *n);
    n->game = g;
    n->players = memory_of((size_t)joc_game_players(g), sizeof(char *));
    n->letters = memory_of((size_t)joc_game_kinds(g), sizeof(char *));
    if (d) read_file(&file, n, d);
    bool good = d && !file.failed;
    datum_free(d);
    data_file_free(&file);
    if (good) return n;
    notation_free(n);
    return NULL;
}

void notation_free(notation *n) {
    if (!n) return;
    for (int i = 0; i < joc_game_players(n->game); i++) free(n->players[i]);
    for (int k = 0; k < joc_game_kinds(n->game); k++) free(n->letters[k]);
    for (size_t i = 0; i < n->field_count; i++) {
        notation_field *f = &n->fields[i];
        free(f->east), free(f->west), free(f->text);
        for (size_t k = 0; k < f->mark_count; k++) free(f->marks[k].mark);
    }
    free(n->players);
    free(n->letters);
    free(n);
}

/* ---- where it is -------------------------------------------------------------------------------------------------------------------- */

/* The name in `variant "..." of "NAME"`, malloc'd; NULL if the rule file is no variant. */
static char *parent_of(const char *path) {
    size_t length;
    char *rules = file_read(path, 4u << 20, &length), *found = NULL;
    if (!rules) return NULL;
    for (char *line = rules; line && !found; line = strchr(line, '\n')) {
        while (isspace((unsigned char)*line)) line++;
        if (!strncmp(line, "game", 4)) break;
        if (strncmp(line, "variant", 7)) {
            if (!*line) break;
            if (*line != '#') break;
            continue;
        }
        char *title = strchr(line, '"'), *close = title ? strchr(title + 1, '"') : NULL, *name = close ? strchr(close + 1, '"') : NULL;
        char *end = name ? strchr(name + 1, '"') : NULL;
        if (end) found = strndup(name + 1, (size_t)(end - name - 1));
        break;
    }
    free(rules);
    return found;
}

static char *beside(const char *path, const char *name) {
    char *copy = text_copy(path);
    text t = { 0 };
    size_t n = strlen(name);
    text_format(&t, "%s/%s%s", dirname(copy), name, n > 4 && !strcmp(name + n - 4, ".joc") ? "" : ".joc");
    free(copy);
    return text_take(&t);
}

static char *parent_path(const char *path) {
    char *name = parent_of(path);
    if (!name) return NULL;
    char *found = beside(path, name);
    if (access(found, R_OK)) {
        free(found);
        found = joc_find_game(name);
    }
    free(name);
    return found;
}

notation *notation_of(const joc_game *g, joc_messages *m) {
    const char *start = joc_game_path(g);
    if (!start) return NULL;
    char *path = text_copy(start);
    notation *found = NULL;
    for (int i = 0; path && !found && i < PARENTS_MAX; i++) {
        size_t n = strlen(path);
        text file = { 0 };
        text_format(&file, "%.*s.notation.yaml", (int)(n > 4 && !strcmp(path + n - 4, ".joc") ? n - 4 : n), path);
        bool there = !access(file.data, F_OK);
        if (there) {
            joc_messages *own = m ? NULL : joc_messages_new();
            found = notation_read(g, file.data, m ? m : own);
            joc_messages_free(own);
        }
        text_free(&file);
        if (there) break;
        char *parent = parent_path(path);
        free(path);
        path = parent;
    }
    free(path);
    return found;
}
