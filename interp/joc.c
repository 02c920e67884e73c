/* libjoc: what a compiled game says of itself. Rules are in rules.c, positions in position.c, moves and their texts in notation.c, tests in testing.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"
#include "native/native.h"

void joc_game_free(joc_game *x)
{
    if (!x) return;
    game_free(x->g);
    native_close(x->native);
    free(x);
}

bool joc_native(joc_game *x, char **why)
{
    char *reason = NULL;
    const machine *own = x->native ? x->g->machine : native_open(x->g, &x->native, &reason);
    if (own) x->g->machine = own;
    if (why) *why = reason;
    else free(reason);
    return own != NULL;
}

bool joc_is_native(const joc_game *x) { return x->native != NULL; }

const char *joc_game_title(const joc_game *x) { return x->g->title ? x->g->title : ""; }
const char *joc_game_path(const joc_game *x) { return x->g->path; }
uint64_t joc_game_hash(const joc_game *x) { return x->g->hash; }

const char *joc_game_option(const joc_game *x, const char *name)
{
    for (int i = 0; i < x->g->option_count; i++) if (strcmp(x->g->option_names[i], name) == 0) return x->g->option_values[i];
    return NULL;
}

int joc_game_players(const joc_game *x) { return x->g->player_count; }
const char *joc_game_player(const joc_game *x, int p) { return p < 0 ? "neutral" : x->g->players[p].name; }

const char *joc_game_facing(const joc_game *x, int p)
{
    static const char *const words[] = { "north", "east", "south", "west" };
    return words[x->g->players[p].facing];
}

bool joc_game_has_score(const joc_game *x) { return x->g->score_pc != 0; }
bool joc_game_has_chance(const joc_game *x) { return x->g->has_chance; }
bool joc_game_has_secrets(const joc_game *x) { return x->g->has_secrets; }

joc_shape joc_game_shape(const joc_game *x) { return (joc_shape)x->g->shape; }
int joc_game_cells(const joc_game *x) { return x->g->cells; }
const char *joc_cell_name(const joc_game *x, int c) { return x->g->cell[c].name; }
void joc_cell_xy(const joc_game *x, int c, int *px, int *py) { *px = x->g->cell[c].x; *py = x->g->cell[c].y; }

int joc_cell_at(const joc_game *x, int px, int py)
{
    for (int i = 0; i < x->g->cells; i++) if (x->g->cell[i].x == px && x->g->cell[i].y == py) return i;
    return -1;
}

const char *joc_cell_title(const joc_game *x, int c) { return x->g->cell[c].title ? x->g->cell[c].title : x->g->cell[c].name; }

bool joc_cell_spot(const joc_game *x, int c, int *px, int *py)
{
    *px = x->g->cell[c].sx, *py = x->g->cell[c].sy;
    return x->g->shape == JOC_BOARD_MAP && (*px || *py);
}

int joc_cell_find(const joc_game *x, const char *name) { return cell_named(x->g, name); }

bool joc_cell_joined(const joc_game *x, int a, int b)
{
    for (uint64_t m = x->g->ways; m; m &= m - 1) {
        const direction *d = &x->g->dirs[__builtin_ctzll(m)];
        if (d->graph ? (d->image[(size_t)a * (size_t)x->g->words + (size_t)b / 64] >> (b % 64) & 1) != 0 : d->next[a] == b) return true;
    }
    return false;
}

int joc_game_zones(const joc_game *x) { return x->g->zone_count; }
const char *joc_zone_name(const joc_game *x, int z) { return x->g->zones[z].name; }
int joc_zone_owner(const joc_game *x, int z) { return x->g->zones[z].owner; }
int joc_game_kinds(const joc_game *x) { return x->g->kind_count; }
const char *joc_kind_name(const joc_game *x, int k) { return k < x->g->kind_count ? x->g->kinds[k].name : "?"; }
const char *joc_kind_letter(const joc_game *x, int k) { return k < x->g->kind_count ? x->g->kinds[k].letter : "?"; }
int joc_game_keeps(const joc_game *x) { return x->g->keeps_shown; }
const char *joc_keep_name(const joc_game *x, int k) { return x->g->keeps[k].name; }
joc_of joc_keep_of(const joc_game *x, int k) { return (joc_of)x->g->keeps[k].of; }
joc_keep_type joc_keep_kind(const joc_game *x, int k) { return (joc_keep_type)x->g->keeps[k].type; }
int64_t joc_keep_start(const joc_game *x, int k) { return x->g->keeps[k].start; }
const char *joc_game_about(const joc_game *x) { return x->g->about ? x->g->about : ""; }
int joc_game_marks(const joc_game *x) { return x->g->mark_count; }
joc_mark joc_game_mark(const joc_game *x, int i) { return (joc_mark){ x->g->marks[i].sign, x->g->marks[i].ascii, x->g->marks[i].name, x->g->marks[i].gap_count > 0 }; }

bool joc_mark_gap(const joc_game *g, int i, int x, int y)
{
    const drawn_mark *m = &g->g->marks[i];
    for (int k = 0; k < m->gap_count; k++) if (m->gaps[2 * k] == x && m->gaps[2 * k + 1] == y) return true;
    return false;
}

bool joc_mark_has(const joc_game *x, int i, int cell)
{
    if (!x->g->marks[i].cells) return false;
    for (int p = 0; p < x->g->player_count; p++) if (x->g->marks[i].cells[p * WORDS_MAX + cell / 64] >> (cell % 64) & 1) return true;
    return false;
}

int joc_game_dice(const joc_game *x) { return x->g->dice_count; }
const char *joc_dice_name(const joc_game *x, int d) { return x->g->dice[d].name; }
const char *joc_way_name(const joc_game *x, int d) { return d >= 0 && d < x->g->dir_count ? x->g->dirs[d].name : NULL; }
int joc_game_sets(const joc_game *x) { return x->g->named_set_count; }
const char *joc_set_name(const joc_game *x, int s) { return x->g->named_sets[s].name; }
bool joc_set_has(const joc_position *p, int s, int who, int c) { return p->game->g->named_sets[s].cells[who * WORDS_MAX + c / 64] >> (c % 64) & 1; }
