/* What a name means: standard names, declarations, `let`. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"

const binding *env_find(const compiler *c, const char *name)
{
    for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, name) == 0) return &c->env[i];
    return NULL;
}

static value kinds_value(compiler *c, int first, int last)
{
    int32_t list[KINDS_MAX];
    int n = 0;
    for (int k = first; k <= last && n < KINDS_MAX; k++) list[n++] = k;
    return (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, list, n), .kind_count = n, .times = -1 };
}

static value keep_value(compiler *c, int index)
{
    game *g = c->g;
    const keep *k = &g->keeps[index];
    value v = value_reg(keep_read_type(k), 0);
    v.keep = index + 1;
    g->ends_ask_turn |= k->turn && c->in_ends;
    if (k->of == KEEP_CELL || k->of == KEEP_PIECE) {
        if (k->type == KEEP_FLAG) {
            v.reg = k->where;
            if (k->of == KEEP_PIECE && !c->off_board) { int keep_ = v.keep; v = set_on_board(c, v); v.keep = keep_; }
            return v;
        }
        v.reg = field_add(c, (field){ .kind = FIELD_KEEP, .index = k->where, .of_pieces = k->of == KEEP_PIECE, .offset = k->type == KEEP_NUMBER ? 0 : 1 });
        return v;
    }
    if (k->of == KEEP_GAME) v.reg = k->where;
    else { v.reg = num_reg(c); emit(c, OP_LOAD, v.reg, k->where, HEAD(H_MOVER), 0, 0); }
    if (k->type == KEEP_IN_WAYS) { int r = num_reg(c); emit(c, OP_BIT_OF, r, v.reg, 0, 0, 0); v.reg = r; v.single = true; }
    return v;
}

static value zone_set(compiler *c, int decl)
{
    game *g = c->g;
    value slots = value_const_set(c), places = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) {
        int z = c->zone_first[decl] + (c->zone_of_player[decl] && p < g->player_count ? p : 0);
        for (int i = 0; i < g->zones[z].slots && g->zones[z].first + i < PLACES_MAX; i++) { int x = g->zones[z].first + i; const_words(&slots, p)[x / 64] |= 1ull << (x % 64); }
        int x = g->zones[z].place;
        if (x < PLACES_MAX) const_words(&places, p)[x / 64] |= 1ull << (x % 64);
    }
    value occupied = value_reg(T_SET, SET_OCCUPIED);
    value v = set_and(c, slots, occupied);
    if (c->as_place) v = set_or(c, v, places);
    v.zone = decl + 1;
    v.zone_player = -1;
    return v;
}

/* The zone itself, as a cell. */
value zone_place(compiler *c, value z)
{
    const int decl = z.zone - 1, place = c->g->zones[c->zone_first[decl]].place;
    if (!c->zone_of_player[decl]) return (value){ .type = T_PLACE, .constant = true, .k = place, .times = -1 };
    value v = place_value(num_reg(c));
    emit(c, OP_ADD, v.reg, z.zone_player >= 0 ? z.zone_player : HEAD(H_MOVER), num_const(c, place), 0, 0);
    return v;
}

static value taken_set(compiler *c)
{
    game *g = c->g;
    value slots = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < g->taken_slots && g->taken_first + i < PLACES_MAX; i++) { int x = g->taken_first + i; const_words(&slots, p)[x / 64] |= 1ull << (x % 64); }
    return set_and(c, slots, value_reg(T_SET, SET_OCCUPIED));
}

value cells_set(compiler *c)
{
    value v = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < c->g->cells; i++) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
    return v;
}

static value shaded(compiler *c, int odd)
{
    value v = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < c->g->cells; i++) if ((c->g->cell[i].x + c->g->cell[i].y) % 2 == odd) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
    return v;
}

static value corner_cells(compiler *c)
{
    game *g = c->g;
    value v = value_const_set(c);
    int total = __builtin_popcountll(g->letters);
    for (int i = 0; i < g->cells; i++) {
        int missing = 0;
        for (uint64_t m = g->letters; m; m &= m - 1) missing += g->dirs[__builtin_ctzll(m)].next[i] == 0xFFFF;
        if (total && 2 * missing >= total) for (int p = 0; p < PLAYERS_MAX; p++) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
    }
    return v;
}

static value asked_set(compiler *c) { return value_reg(T_SET, c->asked_set); }

static value direction_word(compiler *c, const char *name, bool *known)
{
    value v = relation_const(0);
    for (int p = 0; p < c->g->player_count; p++) v.mask[p] = board_turned(c, p, name, known);
    for (int p = c->g->player_count; p < PLAYERS_MAX; p++) v.mask[p] = v.mask[0];
    return v;
}

/* Own and empty cells do not hold the piece that asks, others do, where it is thought away (c->widen). */
static value word_own(compiler *c, const node *n) { (void)n; value v = value_reg(T_SET, SET_OWN); return c->widen ? set_minus(c, v, asked_set(c)) : v; }
static value word_empty(compiler *c, const node *n) { (void)n; value v = value_reg(T_SET, SET_EMPTY); return c->widen ? set_minus(c, v, asked_set(c)) : v; }
static value word_occupied(compiler *c, const node *n) { (void)n; value v = set_minus(c, cells_set(c), value_reg(T_SET, SET_EMPTY)); return c->widen ? set_or(c, v, asked_set(c)) : v; }

static value word_enemy(compiler *c, const node *n)
{
    (void)n;
    value v;
    if (c->g->player_count == 1) v = value_const_set(c);
    else if (c->g->player_count == 2) v = value_reg(T_SET, SET_ENEMY);
    else { v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_ENEMIES, v.reg, 0, 0, 0, 0); }
    return c->widen ? set_or(c, v, asked_set(c)) : v;
}

static value word_neutral(compiler *c, const node *n) { (void)c, (void)n; return value_reg(T_SET, SET_NEUTRAL); }
static value word_cells(compiler *c, const node *n) { (void)n; return cells_set(c); }
static value word_light(compiler *c, const node *n) { (void)n; return shaded(c, 1); }
static value word_dark(compiler *c, const node *n) { (void)n; return shaded(c, 0); }
static value word_corners(compiler *c, const node *n) { (void)n; return corner_cells(c); }
static value word_here(compiler *c, const node *n) { (void)c, (void)n; return place_value(HEAD(H_HERE)); }
static value word_start(compiler *c, const node *n) { (void)c, (void)n; return place_value(HEAD(H_START)); }
static value word_passed(compiler *c, const node *n) { (void)c, (void)n; return value_reg(T_SET, SET_PASSED); }
static value word_taken(compiler *c, const node *n) { (void)n; return taken_set(c); }
static value word_changed(compiler *c, const node *n) { (void)n; value v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_CHANGED, v.reg, 0, 0, 0, 0); return v; }
static value word_attacked(compiler *c, const node *n) { (void)c, (void)n; value v = value_reg(T_SET, 0); v.attacked = true; return v; }

static value word_it(compiler *c, const node *n)
{
    if (c->it >= 0) return place_value(c->it);
    diag_add(c->d, "E0331", n->at, "`it` is the cell under test after `where`; there is no `where` here");
    return value_error();
}

static value word_field(compiler *c, const node *n) { return const_field(c, n->text); }
static value word_value(compiler *c, const node *n) { (void)n; return field_value(field_add(c, (field){ .kind = FIELD_VALUE })); }
static value word_height(compiler *c, const node *n) { (void)n; return field_value(field_add(c, (field){ .kind = FIELD_HEIGHT })); }
static value word_ways(compiler *c, const node *n) { (void)n; return relation_const(c->g->ways); }
static value word_knight(compiler *c, const node *n) { (void)n; uint64_t m; return board_leap(c, 1, 2, &m) ? relation_const(m) : value_error(); }
static value word_transpose(compiler *c, const node *n) { (void)n; const int d = transposed(c); return d < 0 ? value_error() : relation_const(1ull << d); }

static value word_anywhere(compiler *c, const node *n)
{
    (void)n;
    value v = relation_const(0);
    for (int p = 0; p < c->g->player_count; p++) { const int d = anywhere(c, c->zone_decls ? p : 0); if (d < 0) return value_error(); v.mask[p] = 1ull << d; }
    return v;
}

static value word_everyone(compiler *c, const node *n) { (void)n; value v = value_reg(T_PLAYERS, num_reg(c)); emit(c, OP_EVERYONE, v.reg, 0, 0, 0, 0); return v; }
static value word_mover(compiler *c, const node *n) { (void)c, (void)n; return value_reg(T_PLAYER, HEAD(H_MOVER)); }
static bool says_next(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_SET && is_name(kid(n, 0), "next")) return true;
    for (int i = 0; i < n->count; i++) if (says_next(n->kids[i])) return true;
    return false;
}

/* Who plays after the mover, unless the turn has said who. */
static value word_next(compiler *c, const node *n)
{
    (void)n;
    const value v = value_reg(T_PLAYER, num_reg(c));
    emit(c, OP_NEXT, v.reg, HEAD(H_MOVER), 0, 0, 0);
    if (!says_next(c->tree->root)) return v;
    const int said = num_reg(c);
    emit(c, OP_LE, said, num_const(c, 0), HEAD(H_NEXT), 0, 0);
    emit(c, OP_CHOOSE, v.reg, HEAD(H_NEXT), v.reg, said, 0);
    return v;
}

static value word_nobody(compiler *c, const node *n) { (void)c, (void)n; return (value){ .type = T_PLAYER, .constant = true, .k = -1, .none = true, .times = -1 }; }
static value word_turns(compiler *c, const node *n) { (void)n; c->g->asks_turns = true; return value_reg(T_NUMBER, HEAD(H_TURNS)); }
static value word_passes(compiler *c, const node *n) { (void)n; c->g->asks_passes = true; return value_reg(T_NUMBER, HEAD(H_PASSES)); }

static value word_history(compiler *c, const node *n)
{
    value v = value_reg(T_NUMBER, num_reg(c));
    c->g->uses_history = true;
    emit(c, strcmp(n->text, "since") == 0 ? OP_SINCE : OP_REPEATS, v.reg, 0, 0, 0, 0);
    return v;
}

static value word_seat(compiler *c, const node *n) { (void)n; value v = value_reg(T_NUMBER, num_reg(c)); emit(c, OP_ADD, v.reg, HEAD(H_MOVER), num_const(c, 1), 0, 0); return v; }
static value word_extra(compiler *c, const node *n) { (void)n; c->g->asks_extra = true; return value_reg(T_TRUTH, HEAD(H_EXTRA)); }
static value word_yes(compiler *c, const node *n) { (void)c, (void)n; return value_truth(true); }
static value word_no(compiler *c, const node *n) { (void)c, (void)n; return value_truth(false); }

static value word_stuck(compiler *c, const node *n)
{
    if (c->stuck_loop < 0) { diag_add(c->d, "E0332", n->at, "`stuck` is asked after `until`, of the repetition before it; what is done where nothing can be stands behind `else`: `turn { move else lose }`"); return value_error(); }
    value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_STUCK, v.reg, 0, 0, (int32_t)c->stuck_pc, c->stuck_loop);
    return v;
}

static value word_whose(compiler *c, const node *n) { diag_add(c->d, "E0333", n->at, "say whose: `%s of here`", n->text); return value_error(); }
static value word_moves(compiler *c, const node *n) { (void)n; return value_reg(T_NUMBER, c->test_words); }
static value word_winner(compiler *c, const node *n) { (void)c, (void)n; return value_reg(T_PLAYER, HEAD(H_WINNER)); }
static value word_drawn(compiler *c, const node *n) { (void)n; value v = value_reg(T_TRUTH, num_reg(c)); emit(c, OP_EQ, v.reg, HEAD(H_OVER), num_const(c, 2), 0, 0); return v; }

static const struct { const char *word; value (*lower)(compiler *, const node *); bool in_tests; } standard_words[] = {
    { "own", word_own, 0 }, { "enemy", word_enemy, 0 }, { "empty", word_empty, 0 }, { "occupied", word_occupied, 0 }, { "neutral", word_neutral, 0 }, { "cells", word_cells, 0 },
    { "light", word_light, 0 }, { "dark", word_dark, 0 }, { "corners", word_corners, 0 }, { "here", word_here, 0 }, { "start", word_start, 0 }, { "passed", word_passed, 0 },
    { "taken", word_taken, 0 }, { "changed", word_changed, 0 }, { "attacked", word_attacked, 0 }, { "it", word_it, 0 }, { "row", word_field, 0 }, { "col", word_field, 0 },
    { "value", word_value, 0 }, { "height", word_height, 0 }, { "ways", word_ways, 0 }, { "neighbours", word_ways, 0 }, { "knight", word_knight, 0 }, { "anywhere", word_anywhere, 0 },
    { "transpose", word_transpose, 0 }, { "everyone", word_everyone, 0 }, { "mover", word_mover, 0 }, { "next", word_next, 0 }, { "nobody", word_nobody, 0 }, { "turns", word_turns, 0 },
    { "passes", word_passes, 0 }, { "repeats", word_history, 0 }, { "since", word_history, 0 }, { "seat", word_seat, 0 }, { "extra", word_extra, 0 }, { "yes", word_yes, 0 },
    { "no", word_no, 0 }, { "stuck", word_stuck, 0 }, { "owner", word_whose, 0 }, { "kind", word_whose, 0 }, { "moves", word_moves, 1 }, { "winner", word_winner, 1 }, { "drawn", word_drawn, 1 },
};

/* Else it may be a direction of the board. */
static value standard_name(compiler *c, const node *n, bool *known)
{
    *known = true;
    for (size_t i = 0; i < sizeof standard_words / sizeof *standard_words; i++)
        if (strcmp(n->text, standard_words[i].word) == 0 && (c->in_test || !standard_words[i].in_tests)) return standard_words[i].lower(c, n);
    return direction_word(c, n->text, known);
}

static value option_value(compiler *c, int index)
{
    const option *o = &c->options[index];
    if (o->number) return value_number(o->k);
    if (o->yesno) return value_truth(o->k);
    return (value){ .type = T_WORD, .constant = true, .word = o->value, .k = o->k, .times = -1 };
}

static value symbol_value(compiler *c, symbol *s, const node *n)
{
    game *g = c->g;
    s->used++;
    switch (s->kind) {
    case SYMBOL_PLAYER:
        if (s->index < 0) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .none = true, .times = -1 };
        return (value){ .type = T_PLAYER, .constant = true, .k = s->index, .times = -1 };
    case SYMBOL_KIND: return kinds_value(c, s->index, s->index);
    case SYMBOL_FAMILY: {
        const node *range = kid(s->where, 0);
        int n_ = range ? (int)(range->kids[1]->value - range->kids[0]->value) : 0;
        return kinds_value(c, s->index, s->index + n_);
    }
    case SYMBOL_ZONE: return zone_set(c, s->index);
    case SYMBOL_KEEP: return keep_value(c, s->index);
    case SYMBOL_LET: return let_value(c, s, NULL, n);
    case SYMBOL_TRACK: {
        value v = relation_const(0);
        for (int p = 0; p < g->player_count; p++) { int d = g->lists[s->index + p]; v.mask[p] = d >= 0 ? 1ull << d : 0; }
        return v;
    }
    case SYMBOL_DICE: {
        const dice_info *d = &g->dice[s->index];
        return d->many ? value_reg(T_BAG, d->bag) : value_reg(T_NUMBER, d->number);
    }
    case SYMBOL_OPTION: return option_value(c, s->index);
    case SYMBOL_RULE: diag_add(c->d, "E0334", n->at, "'%s' is a rule, which is done, not asked; write `can %s`", s->name, s->name); return value_error();
    case SYMBOL_GROUP: case SYMBOL_FIELD: case SYMBOL_CELL: case SYMBOL_NONE: break;
    }
    if (s->kind == SYMBOL_GROUP) {
        value v = value_const_set(c);
        for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < g->lists[s->index]; i++) { int x = g->lists[s->index + 1 + i]; const_words(&v, p)[x / 64] |= 1ull << (x % 64); }
        return v;
    }
    if (s->kind == SYMBOL_FIELD) return field_value(s->index);
    return value_error();
}

value lower_name(compiler *c, const node *n)
{
    const binding *b = env_find(c, n->text);
    if (b) return b->v;
    symbol *s = symbol_find(c, n->text);
    if (s) return symbol_value(c, s, n);
    int cell = cell_named(c->g, n->text);
    if (cell >= 0) return (value){ .type = T_PLACE, .constant = true, .named = true, .k = cell, .times = -1 };
    bool known;
    value v = standard_name(c, n, &known);
    if (known) return v;
    for (int i = 0; i < c->rule_count; i++)
        if (strcmp(c->rules[i].name, n->text) == 0) { diag_add(c->d, "E0334", n->at, "'%s' is a rule, which is done, not asked; write `can %s`", n->text, n->text); return value_error(); }
    unknown_name(c, n, n->text, "nothing here is called");
    return value_error();
}

/* What a file says of a `let`: one for everybody, or one for each of some players. */
typedef struct { const node *item, *per_player[PLAYERS_MAX]; int given; } let_items;

static let_items let_find(compiler *c, const char *name)
{
    let_items l = { 0 };
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_LET || strcmp(n->text, name) != 0) continue;
        if (!n->more) { l.item = n; continue; }
        const int p = player_index(c, n->more);
        if (p >= 0) { l.per_player[p] = n; l.given++; }
    }
    return l;
}

/* One name deeper. False with a message if they are too many. */
static bool let_enter(compiler *c, symbol *s, const node *at)
{
    c->let_names[c->let_depth < 40 ? c->let_depth : 40] = s->name;
    if (++c->let_depth <= 40) return true;
    bool again = false;
    c->let_depth--;
    for (int i = 0; i < 40; i++) again |= strcmp(c->let_names[i], s->name) == 0;
    diag_add(c->d, "E0335", s->where ? word_at(c, s->where, s->name) : at->at, again ? "'%s' is defined through itself" : "'%s' stands behind more than 40 names that are defined through each other", s->name);
    s->kind = SYMBOL_NONE;
    return false;
}

static void wrong_arguments(compiler *c, const symbol *s, const node *call, const node *at, int want, int have)
{
    if (!call && want) diag_add(c->d, "E0336", at->at, "'%s' is a function; write %s(...)", s->name, s->name);
    else if (!want) diag_add(c->d, "E0336", at->at, "'%s' is not a function; put a space: `%s (...)`", s->name, s->name);
    else diag_add(c->d, "E0336", at->at, "'%s' takes %d argument%s, found %d", s->name, want, want == 1 ? "" : "s", have);
}

static value let_of_all(compiler *c, const symbol *s, const node *item, const node *call, const node *at)
{
    const node *params = kid(item, 0);
    const int want = params ? params->count : 0, have = call ? call->count : 0;
    if (want > 16) return value_error();
    if (want != have) { wrong_arguments(c, s, call, at, want, have); return value_error(); }
    value args[16];
    const value *asked = c->asked;
    c->asked = NULL;
    for (int i = 0; i < have && i < 16; i++) args[i] = lower(c, call->kids[i]);
    c->asked = asked;
    const int base = c->env_base, count = c->env_count;
    c->env_base = c->env_count;
    for (int i = 0; i < have && i < 16; i++) if (params->kids[i]) bind(c, params->kids[i]->text, args[i]);
    const value result = lower(c, kid(item, 1));
    c->env_base = base;
    c->env_count = count;
    return result;
}

/* The values of all players, of one type. False with a message if they are not, or wrong in themselves. */
static bool let_values(compiler *c, const symbol *s, const let_items *l, value *each, bool *constant)
{
    const int base = c->env_base, count = c->env_count;
    bool error = false;
    const value *asked = c->asked;
    *constant = true;
    c->asked = NULL;
    c->env_base = c->env_count;
    for (int p = 0; p < c->g->player_count; p++) {
        const node *said = kid(l->per_player[p], 1);
        each[p] = lower(c, said);
        if (each[p].type == T_PLACE) each[p] = to_set(c, each[p], said);
        if (each[p].type == T_KINDS && each[0].type == T_SET) each[p] = to_set(c, each[p], said);
        *constant &= each[p].constant;
        error |= each[p].type == T_ERROR;
    }
    c->asked = asked;
    c->env_base = base;
    c->env_count = count;
    for (int p = 1; !error && p < c->g->player_count; p++)
        if (each[p].type != each[0].type) {
            diag_add(c->d, "E0338", word_at(c, l->per_player[p], s->name), "'%s' is %s for %s, but %s for %s", s->name, type_names[each[p].type], c->g->players[p].name, type_names[each[0].type], c->g->players[0].name);
            error = true;
        }
    return !error;
}

/* The value if the mover is player p, otherwise what it was so far. */
static value let_choice(compiler *c, value result, const value *mine, int p)
{
    const int is_mine = num_reg(c);
    emit(c, OP_EQ, is_mine, HEAD(H_MOVER), num_const(c, p), 0, 0);
    if (result.type == T_SET) {
        const int x = set_operand(c, mine), y = set_operand(c, &result);
        result = value_reg(T_SET, set_reg(c));
        emit(c, OP_S_CHOOSE, result.reg, x, y, is_mine, 0);
        return result;
    }
    const int x = result.type == T_RELATION ? relation_operand(c, mine) : num_operand(c, mine);
    const int y = result.type == T_RELATION ? relation_operand(c, &result) : num_operand(c, &result);
    result = value_reg(result.type, num_reg(c));
    emit(c, OP_CHOOSE, result.reg, x, y, is_mine, 0);
    return result;
}

static value let_by_player(compiler *c, const symbol *s, const let_items *l)
{
    value each[PLAYERS_MAX];
    bool constant;
    if (!let_values(c, s, l, each, &constant)) return value_error();
    value result = each[0];
    if (constant && result.type == T_SET) {
        result = value_const_set(c);
        for (int p = 0; p < c->g->player_count; p++) memcpy(const_words(&result, p), const_words(&each[p], p), WORDS_MAX * sizeof(uint64_t));
        return result;
    }
    if (constant && result.type == T_RELATION) {
        for (int p = 0; p < c->g->player_count; p++) result.mask[p] = each[p].mask[p];
        return result;
    }
    if (c->g->player_count > 1 && (result.type == T_FIELD || result.type == T_BAG)) {
        const int mine = num_reg(c);
        emit(c, OP_EQ, mine, HEAD(H_MOVER), num_const(c, 1), 0, 0);
        diag_add(c->d, "E0338", word_at(c, s->where, s->name), "'%s' cannot differ by player", s->name);
        return result;
    }
    for (int p = 1; p < c->g->player_count; p++) result = let_choice(c, result, &each[p], p);
    return result;
}

value let_value(compiler *c, symbol *s, const node *call, const node *at)
{
    const let_items l = let_find(c, s->name);
    value result = value_error();
    if (!let_enter(c, s, at)) return result;
    if (l.item) result = let_of_all(c, s, l.item, call, at);
    else if (l.given < c->g->player_count && l.given > 0 && c->g->player_count <= PLAYERS_MAX) {
        const char *missing = "";
        for (int p = 0; p < c->g->player_count; p++) if (!l.per_player[p]) missing = c->g->players[p].name;
        not_said_for(c, s, missing);
    } else if (l.given) result = let_by_player(c, s, &l);
    c->let_depth--;
    return result;
}
