/* What a file declares, and what a name means.
 *
 * A first walk over the items finds the names; what depends on values (ranges, starts, tracks) is worked out by later walks, in the
 * order options, players, board, kinds and zones, keeps, tracks. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

void *grow(void *p, int *capacity, int need, size_t size)
{
    if (need <= *capacity) return p;
    int want = *capacity ? *capacity * 2 : 64;
    while (want < need) want *= 2;
    p = realloc(p, (size_t)want * size);
    if (!p) abort();
    memset((char *)p + (size_t)*capacity * size, 0, (size_t)(want - *capacity) * size);
    *capacity = want;
    return p;
}

static const char *const standard_names[] = {
    "own", "enemy", "empty", "occupied", "neutral", "cells", "attacked", "light", "dark", "corners", "here", "start", "passed", "taken", "changed", "it",
    "row", "col", "value", "height",
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    "ahead", "behind", "forward", "backward", "sideways", "orthogonal", "diagonal", "ways", "neighbours", "knight", "anywhere", "transpose",
    "everyone", "mover", "next", "owner", "nobody", "turns", "passes", "repeats", "since", "seat", "extra", "stuck", "yes", "kind",
    "kinds", "first", "max", "min", "sum", "leap", "edge", "player", "original", "moves", "winner", "drawn",
};
enum { STANDARD_NAMES = sizeof standard_names / sizeof *standard_names, SOFT_NAMES = 3 };     /* the last three mean something in tests alone */

bool is_standard_name(const char *name)
{
    for (int i = 0; i < STANDARD_NAMES - SOFT_NAMES; i++) if (strcmp(name, standard_names[i]) == 0) return true;
    return false;
}

symbol *symbol_find(compiler *c, const char *name)
{
    for (int i = 0; i < c->symbol_count; i++) if (strcmp(c->symbols[i].name, name) == 0) return &c->symbols[i];
    return NULL;
}

static const char *const symbol_words[] = { "", "a player", "a piece", "a family of pieces", "a zone", "a keep", "a let", "a track", "dice", "an option", "a rule", "a group of the map", "a number of the map", "a cell" };

symbol *symbol_add(compiler *c, const char *name, symbol_kind kind, int index, const node *where, const node *item)
{
    symbol *old = symbol_find(c, name);
    if (old && where) {
        diag_add(c->d, "E0301", word_at(c, where, name), "'%s' is already the name of %s", name, symbol_words[old->kind]);
        if (old->where) diag_note(c->d, word_at(c, old->where, name), "first here");
        return old;
    }
    if (where && is_standard_name(name)) {
        diag_add(c->d, "E0302", word_at(c, where, name), strcmp(name, "ways") == 0 ? "'%s' is what the board joins: `board ... joined R` says it" : "'%s' is a standard name of the language; choose another", name);
        return NULL;
    }
    c->symbols = grow(c->symbols, &c->symbol_capacity, c->symbol_count + 1, sizeof *c->symbols);
    c->symbols[c->symbol_count] = (symbol){ name, kind, index, where, item, 0 };
    return &c->symbols[c->symbol_count++];
}

const char *nearest_name(compiler *c, const char *name)
{
    const game *g = c->g;
    int n = c->symbol_count + STANDARD_NAMES + g->cells + c->env_count + c->rule_count;
    const char **all = calloc((size_t)n + 1, sizeof *all);
    if (!all) abort();
    n = 0;
    for (int i = c->env_base; i < c->env_count; i++) all[n++] = c->env[i].name;
    for (int i = 0; i < c->symbol_count; i++) all[n++] = c->symbols[i].name;
    for (int i = 0; i < c->rule_count; i++) all[n++] = c->rules[i].name;
    for (int i = 0; i < STANDARD_NAMES; i++) all[n++] = standard_names[i];
    for (int i = 0; i < g->cells; i++) all[n++] = g->cell[i].name;
    const char *near = nearest_word(name, all, (size_t)n);
    near = near ? arena_copy(c->a, near, strlen(near)) : NULL;
    free(all);
    return near;
}

int player_index(const compiler *c, const char *name)
{
    for (int i = 0; i < c->g->player_count; i++) if (strcmp(c->g->players[i].name, name) == 0) return i;
    return -1;
}

int kind_index(const compiler *c, const char *name)
{
    for (int i = 0; i < c->g->kind_count; i++) if (strcmp(c->g->kinds[i].name, name) == 0) return i;
    return -1;
}


/* ---- players ------------------------------------------------------------------------------------------------------------------------------------- */
static void declare_players(compiler *c)
{
    static const char *const facings[] = { "north", "east", "south", "west" };
    game *g = c->g;
    const node *n = c->players;
    if (!n) { diag_add(c->d, "E0306", (span){ 0 }, "a game needs `players`, as in `players White north, Black south`"); c->names_missing = true; return; }
    const node *range = kid(n, 0);
    int total = n->count - 1;
    c->least_players = c->most_players = total;
    if (range && range->kind == NODE_E_RANGE && kid(range, 0) && kid(range, 1)) {
        c->least_players = (int)range->kids[0]->value;
        c->most_players = (int)range->kids[1]->value;
        if (c->most_players > total || c->least_players < 1 || c->least_players > c->most_players) diag_add(c->d, "E0307", range->at, "%d players are named; the range must lie within 1..%d", total, total);
    }
    if (total > PLAYERS_MAX) diag_add(c->d, "E0307", n->kids[PLAYERS_MAX + 1] ? n->kids[PLAYERS_MAX + 1]->at : n->at, "at most %d players can play", PLAYERS_MAX);
    if (c->want_players && (c->want_players < c->least_players || c->want_players > c->most_players)) {
        diag_add(c->d, "E0307", n->at, "this game is for %d to %d players, not %d", c->least_players, c->most_players, c->want_players);
        c->want_players = 0;
    }
    int many = c->want_players ? c->want_players : c->least_players;
    if (many > PLAYERS_MAX) many = PLAYERS_MAX;
    if (many > total) many = total;
    for (int i = 0; i < total; i++) {
        const node *p = n->kids[i + 1];
        if (!p) continue;
        int facing = 0;
        if (p->more) {
            facing = -1;
            for (int f = 0; f < 4; f++) if (strcmp(p->more, facings[f]) == 0) facing = f;
            if (facing < 0) { diag_add(c->d, "E0308", p->at, "a player faces north, east, south or west, not '%s'", p->more); facing = 0; }
        }
        if (i < PLAYERS_MAX) symbol_add(c, p->text, SYMBOL_PLAYER, i < many ? i : -1, p, n);
        if (i < many) g->players[g->player_count++] = (player_info){ p->text, facing };
    }
}

/* ---- kinds and rules -------------------------------------------------------------------------------------------------------------------------------- */
static bool has_here_pick(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_PICK && n->text && strcmp(n->text, "here") == 0) return true;
    for (int i = 0; i < n->count; i++) if (has_here_pick(n->kids[i])) return true;
    return false;
}

static void few_arguments(compiler *c, const node *n);

static rule *rule_add(compiler *c, const node *item, bool of_piece)
{
    few_arguments(c, item);
    c->rules = realloc(c->rules, (size_t)(c->rule_count + 1) * sizeof *c->rules);
    if (!c->rules) abort();
    rule *r = &c->rules[c->rule_count++];
    *r = (rule){ .name = item->text, .item = item, .of_piece = of_piece, .picks_here = has_here_pick(kid(item, 1)) };
    return r;
}

static int kind_add(compiler *c, const node *where, const char *name, int value_, const char *letter, const char *seen)
{
    game *g = c->g;
    if (g->kind_count == KINDS_MAX) { diag_add(c->d, "E0309", where->at, "more than %d kinds of pieces", KINDS_MAX); return -1; }
    if (!symbol_add(c, name, SYMBOL_KIND, g->kind_count, where, where)) return -1;
    g->kinds = realloc(g->kinds, (size_t)(g->kind_count + 1) * sizeof *g->kinds);
    if (!g->kinds) abort();
    g->kinds[g->kind_count] = (kind_info){ name, letter, value_, seen };
    return g->kind_count++;
}

static const char *default_letter(compiler *c, const char *name)
{
    size_t n = 1;
    while ((name[n] & 0xC0) == 0x80) n++;
    char *text = arena_copy(c->a, name, n);
    if (n == 1 && text[0] >= 'a' && text[0] <= 'z') text[0] = (char)(text[0] - 32);
    return text;
}

/* The kinds an item names, as a set; those not known yet are declared. */
static void declare_kinds(compiler *c, const node *item, uint64_t set[4])
{
    const node *kinds = kid(item, 0), *seen = kid(item, 1);
    const char *sight = seen && seen->kind == NODE_SEEN ? seen->text : NULL;
    for (int i = 0; kinds && i < kinds->count; i++) {
        const node *k = kinds->kids[i];
        if (!k || !k->text) continue;
        symbol *old = symbol_find(c, k->text);
        int first = -1, last = -1;
        if (old && old->kind == SYMBOL_KIND) {
            first = last = old->index;
            if (kid(k, 0) || k->more || (item->count <= 2 && c->d->source_count < 2)) {
                diag_add(c->d, "E0301", word_at(c, k, k->text), "'%s' is already the name of a piece", k->text);
                if (old->where) diag_note(c->d, word_at(c, old->where, k->text), "first here");
            }
        } else if (old && old->kind == SYMBOL_FAMILY) {
            const node *range = kid(old->where, 0);
            first = old->index;
            last = first + (range ? (int)(range->kids[1]->value - range->kids[0]->value) : 0);
        } else if (kid(k, 0) && k->kids[0]->kind == NODE_E_RANGE && kid(k->kids[0], 0) && kid(k->kids[0], 1)) {
            int64_t low = k->kids[0]->kids[0]->value, high = k->kids[0]->kids[1]->value;
            if (low > high || high - low > KINDS_MAX) { diag_add(c->d, "E0309", k->at, "a family of pieces needs a range that rises, of at most %d", KINDS_MAX); symbol_add(c, k->text, SYMBOL_NONE, 0, k, item); continue; }
            symbol_add(c, k->text, SYMBOL_FAMILY, c->g->kind_count, k, item);
            first = c->g->kind_count;
            for (int64_t v = low; v <= high; v++) last = kind_add(c, k, arena_format(c->a, "%s%lld", k->text, (long long)v), (int)v, k->more ? k->more : default_letter(c, k->text), sight);
        } else {
            int v = kid(k, 0) ? (int)k->kids[0]->value : i + 1;
            first = last = kind_add(c, k, k->text, v, k->more ? k->more : default_letter(c, k->text), sight);
        }
        for (int x = first; first >= 0 && x <= last; x++) set[x / 64] |= 1ull << (x % 64);
    }
}

static void declare_piece(compiler *c, const node *item)
{
    uint64_t set[4] = { 0 };
    declare_kinds(c, item, set);
    for (int i = 2; i < item->count; i++) {
        if (!item->kids[i] || item->kids[i]->kind != NODE_I_RULE) continue;
        rule *r = rule_add(c, item->kids[i], true);
        memcpy(r->kinds, set, sizeof r->kinds);
    }
}

/* ---- zones, keeps, dice, tracks ------------------------------------------------------------------------------------------------------------------------ */
static void declare_zone(compiler *c, const node *n)
{
    game *g = c->g;
    const bool of_player = n->more != NULL;
    if (n->more && strcmp(n->more, "player") != 0) diag_add(c->d, "E0310", word_at(c, n, n->more), "a zone is `of player` or common, not of '%s'", n->more);
    const node *seen = kid(n, 0);
    if (!symbol_add(c, n->text, SYMBOL_ZONE, c->zone_decls, n, n)) return;
    c->zone_items = realloc(c->zone_items, (size_t)(c->zone_decls + 1) * sizeof *c->zone_items);
    c->zone_first = realloc(c->zone_first, (size_t)(c->zone_decls + 1) * sizeof *c->zone_first);
    c->zone_of_player = realloc(c->zone_of_player, (size_t)(c->zone_decls + 1) * sizeof *c->zone_of_player);
    if (!c->zone_items || !c->zone_first || !c->zone_of_player) abort();
    c->zone_items[c->zone_decls] = n;
    c->zone_first[c->zone_decls] = g->zone_count;
    c->zone_of_player[c->zone_decls] = of_player;
    int many = of_player ? g->player_count : 1;
    g->zones = realloc(g->zones, (size_t)(g->zone_count + many) * sizeof *g->zones);
    if (!g->zones) abort();
    for (int p = 0; p < many; p++)
        g->zones[g->zone_count++] = (zone){ .name = n->text, .owner = of_player ? p : -1, .declared = c->zone_decls, .seen = seen && seen->kind == NODE_SEEN ? seen->text : NULL };
    c->zone_decls++;
}

/* Places for zones behind the cells. */
static void place_zones(compiler *c)
{
    game *g = c->g;
    int next = g->cells;
    for (int i = 0; i < g->zone_count; i++) g->zones[i].place = next++;
    for (int i = 0; i < g->zone_count; i++) { g->zones[i].first = next; g->zones[i].slots = c->zone_bounds ? c->zone_bounds[i] : c->zone_slots; next += g->zones[i].slots; }
    g->taken_first = next;
    g->taken_slots = c->taken_slots;
    next += c->taken_slots;
    g->places = next;
    if (next > PLACES_MAX) { diag_add(c->d, "E0341", c->board ? c->board->at : (span){ 0 }, "cells and zones need %d places: at most %d can be had", next, PLACES_MAX); g->places = PLACES_MAX; }
    g->words = g->places <= 64 ? 1 : g->places <= 128 ? 2 : g->places <= 256 ? 4 : g->places <= 512 ? 8 : 16;
    g->zone_of = arena_alloc(c->a, PLACES_MAX * sizeof *g->zone_of);
    for (int i = 0; i < PLACES_MAX; i++) g->zone_of[i] = -1;
    for (int i = 0; i < g->zone_count; i++) {
        if (g->zones[i].place < PLACES_MAX) g->zone_of[g->zones[i].place] = (int16_t)i;
        for (int j = 0; j < g->zones[i].slots && g->zones[i].first + j < PLACES_MAX; j++) g->zone_of[g->zones[i].first + j] = (int16_t)i;
    }
}

static bool range_of(compiler *c, const node *n, int64_t *low, int64_t *high)
{
    value a = lower_number(c, kid(n, 0)), b = lower_number(c, kid(n, 1));
    if (a.type == T_ERROR || b.type == T_ERROR) return false;
    if (!a.constant || !b.constant) { diag_add(c->d, "E0311", n->at, "a range must be known beforehand"); return false; }
    if (a.k > b.k) { diag_add(c->d, "E0311", n->at, "this range is empty: %lld is more than %lld", (long long)a.k, (long long)b.k); return false; }
    *low = a.k;
    *high = b.k;
    return true;
}

/* `keep x 0..5 of cell`, `keep x in cells of player`: what it is of, behind what it keeps. */
static const char *owner_behind(const node *type_)
{
    static const char *const owners[] = { "cell", "player", "piece", "game" };
    const node *last = type_ && type_->kind == NODE_E_RANGE ? kid(type_, 1) : type_, *of_what = last && last->kind == NODE_E_OF ? kid(last, 1) : NULL;
    for (size_t i = 0; of_what && of_what->text && i < sizeof owners / sizeof *owners; i++) if (strcmp(of_what->text, owners[i]) == 0) return owners[i];
    return NULL;
}

static void declare_keep(compiler *c, const node *n)
{
    game *g = c->g;
    keep k = { .name = n->text, .high = 1, .aside = n->flags & FLAG_ASIDE, .turn = n->flags & FLAG_TURN };
    const node *type_ = kid(n, 0), *start = kid(n, 1), *seen = kid(n, 2);
    if (seen && seen->kind == NODE_SEEN) k.seen = seen->text;
    if (n->more) {
        if (strcmp(n->more, "player") == 0) k.of = KEEP_PLAYER;
        else if (strcmp(n->more, "cell") == 0) k.of = KEEP_CELL;
        else if (strcmp(n->more, "piece") == 0) k.of = KEEP_PIECE;
        else if (strcmp(n->more, "game") != 0) diag_add(c->d, "E0312", n->at, "a keep is of the game, a `player`, a `cell`, a `piece` or a `turn`, not of '%s'", n->more);
    }
    const char *late = owner_behind(type_);
    if (late) {
        diag_add(c->d, "E0312", type_->at, "what a keep is of stands behind its name: `keep %s of %s ...`", n->text, late);
        symbol_add(c, n->text, SYMBOL_NONE, 0, n, n);
        return;
    }
    if (!type_) k.type = KEEP_FLAG;
    else if (n->flags & FLAG_IN) {
        value v = lower(c, type_);
        k.high = PLACES_MAX;
        if (v.type == T_SET || v.type == T_PLACE) { k.type = KEEP_IN_CELLS; k.high = g->places; }
        else if (v.type == T_RELATION) { k.type = KEEP_IN_WAYS; k.high = DIRS_MAX; }
        else if (v.type == T_KINDS) { k.type = KEEP_IN_KINDS; k.high = g->kind_count; }
        else if (v.type == T_PLAYERS || v.type == T_PLAYER) { k.type = KEEP_IN_PLAYERS; k.high = PLAYERS_MAX; }
        else {
            if (v.type != T_ERROR) diag_add(c->d, "E0313", type_->at, "a keep is in cells, directions, kinds or players; found %s", type_names[v.type]);
            symbol_add(c, n->text, SYMBOL_NONE, 0, n, n);
            return;
        }
        k.start = k.low = -1;
    } else {
        k.type = KEEP_NUMBER;
        if (!range_of(c, type_, &k.low, &k.high)) k.high = k.low + 1;
        k.start = k.low;
        if ((k.of == KEEP_CELL || k.of == KEEP_PIECE) && (k.low < -30000 || k.high > 30000)) diag_add(c->d, "E0311", type_->at, "the numbers of cells and pieces lie within -30000..30000");
    }
    if (start) {
        value v = lower(c, start);
        if (v.type == T_ERROR) { }
        else if (!v.constant) diag_add(c->d, "E0314", start->at, "where '%s' starts must be known beforehand", n->text);
        else if (k.type == KEEP_FLAG && v.type == T_TRUTH) k.start = v.k;
        else if (k.type == KEEP_NUMBER && v.type == T_NUMBER) {
            if (v.k < k.low || v.k > k.high) diag_add(c->d, "E0314", start->at, "'%s' starts at %lld, outside its range %lld..%lld", n->text, (long long)v.k, (long long)k.low, (long long)k.high);
            else k.start = v.k;
        } else if (k.type == KEEP_FLAG && v.type == T_NUMBER) diag_add(c->d, "E0314", start->at, "'%s' is yes or no; what keeps a number has a range before the '=', as in `0..%lld = %lld`", n->text, (long long)(v.k > 9 ? v.k : 9), (long long)v.k);
        else diag_add(c->d, "E0314", start->at, "'%s' cannot start with %s", n->text, type_names[v.type]);
    }
    if (!symbol_add(c, n->text, SYMBOL_KEEP, g->keep_count, n, n)) return;
    g->keeps = realloc(g->keeps, (size_t)(g->keep_count + 1) * sizeof *g->keeps);
    if (!g->keeps) abort();
    g->keeps[g->keep_count++] = k;
}

/* `seen by` names the owner, nobody, everyone, or a player. */
static void check_sight(compiler *c, const node *n)
{
    for (int i = 0; i < n->count; i++) {
        const node *s = n->kids[i];
        if (!s || s->kind != NODE_SEEN || strcmp(s->text, "owner") == 0 || strcmp(s->text, "nobody") == 0 || strcmp(s->text, "everyone") == 0) continue;
        bool found = false;
        for (int p = 0; p < c->g->player_count; p++) found |= strcmp(c->g->players[p].name, s->text) == 0;
        if (!found) diag_add(c->d, "E0312", s->at, "`seen by` wants `owner`, `nobody`, `everyone` or a player; found '%s'", s->text);
    }
}

static int inner_keep(game *g, keep_type sort, int64_t high)
{
    g->keeps = realloc(g->keeps, (size_t)(g->keep_count + 1) * sizeof *g->keeps);
    if (!g->keeps) abort();
    g->keeps[g->keep_count] = (keep){ .name = "", .of = KEEP_PIECE, .type = sort, .aside = true, .high = high, .inner = true };
    return g->keep_count++;
}

/* What views and redeals need of pieces (interp/view.c), in games with secrets. */
static void declare_inner(compiler *c)
{
    game *g = c->g;
    int numbers = 0, flags = 0;
    for (int i = 0; i < g->keep_count; i++) if (g->keeps[i].of == KEEP_PIECE) { if (g->keeps[i].type == KEEP_FLAG) flags++; else numbers++; }
    g->keeps_shown = g->keep_count;
    g->serial = g->seen_first = -1;
    if (!g->has_secrets) return;
    bool becomes = false;
    for (int i = 0; i < c->tree->root->count; i++) becomes |= has_node(c->tree->root->kids[i], NODE_A_SEEN);
    if (becomes && flags + g->player_count <= PIECE_FLAGS_MAX)
        for (int p = 0; p < g->player_count; p++) { const int k = inner_keep(g, KEEP_FLAG, 1); if (p == 0) g->seen_first = k; }
    if (numbers < PIECE_VALUES_MAX) g->serial = inner_keep(g, KEEP_NUMBER, 30000);
}

static void declare_dice(compiler *c, const node *n)
{
    game *g = c->g;
    dice_info d = { .name = n->text };
    if (n->count > 64) diag_add(c->d, "E0315", n->at, "dice have at most 64 faces");
    for (int i = 0; i < n->count && i < 64; i++) {
        if (n->kids[i] && n->kids[i]->kind == NODE_E_RANGE) { diag_add(c->d, "E0315", n->kids[i]->at, "the faces of dice are written one by one, as in `dice %s = 1, 2, 3, 4, 5, 6`", n->text); d.faces[d.count++] = 1; continue; }
        value v = n->kids[i] ? lower_number(c, n->kids[i]) : value_error();
        if (v.type == T_ERROR) { d.faces[d.count++] = 1; continue; }
        if (!v.constant) diag_add(c->d, "E0315", n->kids[i]->at, "the faces of dice must be known beforehand");
        else if (v.k < -30000 || v.k > 30000) diag_add(c->d, "E0315", n->kids[i]->at, "a face is a number from -30000 to 30000");
        d.faces[d.count++] = (int)v.k;
    }
    if (!d.count) { diag_add(c->d, "E0315", n->at, "dice without faces"); d.count = 1; }
    if (!symbol_add(c, n->text, SYMBOL_DICE, g->dice_count, n, n)) return;
    g->dice = realloc(g->dice, (size_t)(g->dice_count + 1) * sizeof *g->dice);
    if (!g->dice) abort();
    g->dice[g->dice_count++] = d;
}

/* The cells of a path, in its order; players: those for whom it holds. */
static int path_places(compiler *c, const node *n, int p, int *out, int cap, int count)
{
    game *g = c->g;
    if (!n) return count;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) count = path_places(c, n->kids[i], p, out, cap, count); return count; }
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_NUMBER) {
        int x = cell_named(g, n->text);
        if (x < 0) {
            symbol *s = n->kind == NODE_E_NAME ? symbol_find(c, n->text) : NULL;
            if (s && s->kind == SYMBOL_ZONE) { s->used++; x = g->zones[c->zone_first[s->index] + (c->zone_of_player[s->index] ? p : 0)].place; }
        }
        if (x < 0) {
            if (n->kind == NODE_E_NAME && !symbol_find(c, n->text) && !is_standard_name(n->text)) unknown_name(c, n, n->text, "a track leads over cells and zones; there is no");
            else if (!c->board_broken) diag_add(c->d, "E0316", n->at, "a track leads over cells and zones; there is no cell '%s'", n->text);
            return count;
        }
        if (count < cap) out[count++] = x;
        return count;
    }
    if (n->kind == NODE_E_RANGE && kid(n, 0) && kid(n, 1)) {
        int a = cell_named(g, n->kids[0]->text), b = cell_named(g, n->kids[1]->text);
        if (a >= 0 && b >= 0) {
            const int counted = cells_counted(g, n->kids[0]->text, n->kids[1]->text, out + count, cap - count);
            if (counted) return count + counted;
            int dx = g->cell[b].x - g->cell[a].x, dy = g->cell[b].y - g->cell[a].y, x = g->cell[a].x, y = g->cell[a].y;
            int sx = dx > 0 ? 1 : dx < 0 ? -1 : 0, sy = dy > 0 ? 1 : dy < 0 ? -1 : 0;
            if (dx && dy && abs(dx) != abs(dy)) { diag_add(c->d, "E0316", n->at, "'%s' and '%s' do not lie on one line", n->kids[0]->text, n->kids[1]->text); return count; }
            for (int i = 0; i < PLACES_MAX; i++) {
                for (int q = 0; q < g->cells; q++) if (g->cell[q].x == x && g->cell[q].y == y && count < cap) out[count++] = q;
                if (x == g->cell[b].x && y == g->cell[b].y) break;
                x += sx;
                y += sy;
            }
            return count;
        }
        const node *off = n->kids[a < 0 ? 0 : 1];
        if (off->kind == NODE_E_NAME || off->kind == NODE_E_NUMBER) return path_places(c, off, p, out, cap, count);        /* says that there is no such cell */
    }
    diag_add(c->d, "E0316", n->at, "a track is a path of cells, written one after another");
    return count;
}

static const char *place_name(const game *g, int place) { return place < g->cells ? g->cell[place].name : g->zones[g->zone_of[place]].name; }

static void track_paths(compiler *c, const node *n, int dir, int p)
{
    game *g = c->g;
    static const int cap = 4 * PLACES_MAX;
    int *path = calloc((size_t)cap, sizeof *path);
    if (!path) abort();
    for (int i = 0; i < n->count; i++) {
        int many = path_places(c, n->kids[i], p, path, cap, 0);
        for (int j = 0; j + 1 < many; j++) {
            int from = path[j], to = path[j + 1];
            if (g->dirs[dir].next[from] != 0xFFFF && g->dirs[dir].next[from] != to)
                diag_add(c->d, "E0317", n->at, "'%s' has two next cells for %s on track '%s': '%s' and '%s'; use two tracks", place_name(g, from), g->players[p].name, n->text, place_name(g, g->dirs[dir].next[from]), place_name(g, to));
            else g->dirs[dir].next[from] = (uint16_t)to;
        }
    }
    free(path);
}

/* Pieces in the slots of a zone go where the zone leads. */
static void spread_slots(game *g, int dir)
{
    for (int i = 0; i < g->zone_count; i++)
        for (int j = 0; j < g->zones[i].slots && g->zones[i].first + j < PLACES_MAX; j++) g->dirs[dir].next[g->zones[i].first + j] = g->dirs[dir].next[g->zones[i].place];
}

/* Two directions, there and back, for each player; they stand at index, index + 1 of game.dirs. Symbol index: in c->list of tracks. */
typedef struct { uint64_t ahead[PLAYERS_MAX]; } track_dirs;

static void declare_tracks(compiler *c)
{
    game *g = c->g;
    bool full = false;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_TRACK) continue;
        symbol *s = symbol_find(c, n->text);
        if (s && (s->kind != SYMBOL_TRACK || !n->more != !s->item->more)) { symbol_add(c, n->text, SYMBOL_TRACK, 0, n, n); continue; }
        int32_t dirs[PLAYERS_MAX];
        if (!s) {
            for (int p = 0; p < PLAYERS_MAX; p++) dirs[p] = -1;
            s = symbol_add(c, n->text, SYMBOL_TRACK, list_add(c, dirs, PLAYERS_MAX), n, n);
            if (!s) continue;
        } else if (!n->more) { symbol_add(c, n->text, SYMBOL_TRACK, 0, n, n); continue; }
        int only = -2;
        if (n->more) {
            symbol *owner = symbol_find(c, n->more);
            if (!owner || owner->kind != SYMBOL_PLAYER) { no_player(c, word_at(c, n, n->more), n->more); continue; }
            owner->used++;
            only = owner->index;
            if (only < 0) continue;
        }
        for (int p = 0; p < g->player_count; p++) {
            if (only >= 0 && p != only) continue;
            const int32_t first = g->lists[s->index];
            bool shared = only == -2 && p > 0 && c->zone_decls == 0 && first >= 0;
            if (shared) { g->lists[s->index + p] = first; continue; }
            if (g->lists[s->index + p] >= 0) { diag_add(c->d, "E0301", word_at(c, n, n->text), "the track '%s' of '%s' stands here twice", n->text, n->more ? n->more : ""); continue; }
            if (g->dir_count > DIRS_MAX - 2 && full) { s->kind = SYMBOL_NONE; break; }
            c->making = n;
            int there = board_direction(c, (direction){ .name = n->text });
            int back = board_direction(c, (direction){ .name = arena_format(c->a, "-%s", n->text) });
            c->making = NULL;
            if (there < 0 || back < 0) { full = true; s->kind = SYMBOL_NONE; break; }
            track_paths(c, n, there, p);
            for (int q = 0; q < PLACES_MAX; q++) if (g->dirs[there].next[q] != 0xFFFF && g->dirs[back].next[g->dirs[there].next[q]] == 0xFFFF) g->dirs[back].next[g->dirs[there].next[q]] = (uint16_t)q;
            spread_slots(g, there);
            spread_slots(g, back);
            direction_finish(c, there);
            direction_finish(c, back);
            g->dirs[there].opposite = back;
            g->dirs[back].opposite = there;
            g->lists[s->index + p] = there;
        }
    }
}

static void few_arguments(compiler *c, const node *n)
{
    if (kid(n, 0) && n->kids[0]->count > 16) diag_add(c->d, "E0336", word_at(c, n, n->text), "'%s' takes %d arguments; 16 are the most", n->text, n->kids[0]->count);
}

static void declare_let(compiler *c, const node *n)
{
    few_arguments(c, n);
    symbol *s = symbol_find(c, n->text);
    if (s && s->kind == SYMBOL_LET && s->item->more && n->more) {
        for (int i = 0; i < c->tree->root->count; i++) {
            const node *o = c->tree->root->kids[i];
            if (o == n) break;
            if (o && o->kind == NODE_I_LET && o->text == n->text && o->more == n->more) { diag_add(c->d, "E0301", word_at(c, n, n->text), "'%s of %s' is already said", n->text, n->more); diag_note(c->d, word_at(c, o, n->text), "first here"); return; }
        }
    } else s = symbol_add(c, n->text, SYMBOL_LET, 0, n, n);
    (void)s;
    if (n->more) {
        symbol *owner = symbol_find(c, n->more);
        if (!owner || owner->kind != SYMBOL_PLAYER) no_player(c, word_at(c, n, n->more), n->more);
        else owner->used++;
    }
}

static void once(compiler *c, const node **slot, const node *n, const char *word)
{
    if (*slot) { diag_add(c->d, "E0319", n->at, "a game has one `%s`", word); diag_note(c->d, (*slot)->at, "first here"); return; }
    *slot = n;
}

static void each_item(compiler *c, node_kind kind, void (*declare_one)(compiler *, const node *))
{
    for (int i = 0; i < c->tree->root->count; i++) if (c->tree->root->kids[i] && c->tree->root->kids[i]->kind == kind) declare_one(c, c->tree->root->kids[i]);
}

static void declare_rule(compiler *c, const node *n)
{
    symbol *s = symbol_find(c, n->text);
    if (s && s->kind != SYMBOL_RULE) { symbol_add(c, n->text, SYMBOL_RULE, 0, n, n); return; }
    if (is_standard_name(n->text)) { diag_add(c->d, "E0302", word_at(c, n, n->text), "'%s' is a standard name of the language; choose another", n->text); return; }
    rule_add(c, n, false);
}

static void check_rule_names(compiler *c)
{
    for (int i = 0; i < c->rule_count; i++) {
        const rule *r = &c->rules[i];
        symbol *s = symbol_find(c, r->name);
        if (s && r->of_piece) { diag_add(c->d, "E0301", word_at(c, r->item, r->name), "'%s' is already the name of %s", r->name, symbol_words[s->kind]); if (s->where) diag_note(c->d, word_at(c, s->where, r->name), "first here"); }
        if (r->of_piece && is_standard_name(r->name)) diag_add(c->d, "E0302", word_at(c, r->item, r->name), "'%s' is a standard name of the language; choose another", r->name);
    }
}

bool declare(compiler *c)
{
    const node *root = c->tree->root;
    const size_t errors = c->d->errors;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        switch (n->kind) {
        case NODE_I_GAME: c->g->title = n->text; break;
        case NODE_I_PLAYERS: once(c, &c->players, n, "players"); break;
        case NODE_I_BOARD: once(c, &c->board, n, "board"); break;
        case NODE_I_SETUP: once(c, &c->setup, n, "setup"); break;
        case NODE_I_TURN: once(c, &c->turn, n, "turn"); break;
        case NODE_I_SCORE: once(c, &c->score, n, "score"); break;
        case NODE_I_OPTION: declare_option(c, n); break;
        default: break;
        }
    }
    declare_presets(c);
    declare_players(c);
    each_item(c, NODE_I_LET, declare_let);
    if (c->g->player_count == 0) c->g->players[c->g->player_count++] = (player_info){ "nobody", 0 };
    return c->d->errors == errors;
}

bool declare_rest(compiler *c);
bool declare_rest(compiler *c)
{
    const size_t errors = c->d->errors;
    each_item(c, NODE_I_PIECE, declare_piece);
    each_item(c, NODE_I_ZONE, declare_zone);
    place_zones(c);
    each_item(c, NODE_I_DICE, declare_dice);
    declare_tracks(c);
    each_item(c, NODE_I_KEEP, declare_keep);
    each_item(c, NODE_I_KEEP, check_sight);
    each_item(c, NODE_I_ZONE, check_sight);
    each_item(c, NODE_I_PIECE, check_sight);
    declare_inner(c);
    each_item(c, NODE_I_RULE, declare_rule);
    check_rule_names(c);
    for (int i = 0; i < c->g->cells; i++) {
        symbol *s = symbol_find(c, c->g->cell[i].name);
        if (s && s->where && s->kind != SYMBOL_CELL) { diag_add(c->d, "W0322", word_at(c, s->where, s->name), "'%s' is also the name of a cell; here it means %s", s->name, symbol_words[s->kind]); }
    }
    return c->d->errors == errors;
}
