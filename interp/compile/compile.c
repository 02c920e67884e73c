/* The whole of a game: names, board, code, layout.
 *
 * A game with zones is compiled twice: first with room to spare, to see by its set-up how many pieces there are, then with as many
 * slots in each zone as there can be pieces. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "interp/machine/machine.h"


bool declare_rest(compiler *c);

/* ---- what is used at all ------------------------------------------------------------------------------------------------------------------ */
static bool whole_taken(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_E_COUNT || n->kind == NODE_E_ANY || n->kind == NODE_E_NO) { const node *k = kid(n, 0); if (k && k->kind == NODE_E_NAME && strcmp(k->text, "taken") == 0) return false; }
    if (n->kind == NODE_E_NAME && strcmp(n->text, "taken") == 0) return true;
    for (int i = 0; i < n->count; i++) if (whole_taken(n->kids[i])) return true;
    return false;
}

static bool has_kind_change(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_BECOMES) return true;
    for (int i = 0; i < n->count; i++) if (has_kind_change(n->kids[i])) return true;
    return false;
}

bool has_node(const node *n, node_kind kind)
{
    if (!n) return false;
    if (n->kind == kind) return true;
    for (int i = 0; i < n->count; i++) if (has_node(n->kids[i], kind)) return true;
    return false;
}

static bool has_random(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ROLL || (n->flags & FLAG_RANDOM && (n->kind == NODE_A_PICK || n->kind == NODE_A_EACH))) return true;
    for (int i = 0; i < n->count; i++) if (has_random(n->kids[i])) return true;
    return false;
}

static void mark_dice(compiler *c, const node *n)
{
    if (!n) return;
    if (n->kind == NODE_A_ROLL && kid(n, 0) && kid(n, 0)->kind == NODE_E_ROW)
        for (int i = 0; i < kid(n, 0)->count; i++)
            for (int j = 0; j < c->g->dice_count; j++)
                if (kid(n, 0)->kids[i] && kid(n, 0)->kids[i]->kind == NODE_E_NAME && strcmp(kid(n, 0)->kids[i]->text, c->g->dice[j].name) == 0) c->g->dice[j].many = true;
    for (int i = 0; i < n->count; i++) mark_dice(c, n->kids[i]);
}

static bool spoken_of(const tree *t, const char *name)
{
    for (int i = 0; i < t->root->count; i++) if (t->root->kids[i] && t->root->kids[i]->kind != NODE_I_TEST && speaks_of(t->root->kids[i], name)) return true;
    return false;
}

static void look_over(compiler *c)
{
    const node *root = c->tree->root;
    game *g = c->g;
    g->uses_passed = spoken_of(c->tree, "passed");
    g->uses_changed = spoken_of(c->tree, "changed");
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        if (n->kind != NODE_I_TEST && has_random(n)) { if (n->kind != NODE_I_SETUP) g->has_chance = true; }
        if (n->kind == NODE_I_PIECE) for (int j = 2; j < n->count; j++) if (has_kind_change(n->kids[j])) c->kinds_change = true;
        if (n->kind == NODE_I_RULE && has_kind_change(n)) c->kinds_change = true;
        if (n->kind == NODE_I_PIECE || n->kind == NODE_I_ZONE || n->kind == NODE_I_KEEP) if (has_node(n, NODE_SEEN)) g->has_secrets = true;
        if (whole_taken(n)) g->uses_taken = true;
        if (n->kind != NODE_I_TEST) mark_dice(c, n);
    }
}

/* ---- state: where everything is kept -------------------------------------------------------------------------------------------------------------- */
static span keep_at(compiler *c, const keep *k)
{
    const symbol *s = symbol_find(c, k->name);
    return s && s->where ? word_at(c, s->where, k->name) : (span){ 0 };
}

static void lay_out_operands(compiler *c)
{
    game *g = c->g;
    g->player_first = SET_PLAYERS;
    g->kind_first = SET_PLAYERS + g->player_count;
    g->flag_first = g->kind_first + g->kind_count;
    int flags = 0, arrays = 0, number = H_COUNT, bits = 0, slots = 0, bags = 0;
    for (int i = 0; i < g->keep_count; i++) {
        keep *k = &g->keeps[i];
        if (k->of == KEEP_PIECE) { g->piece_keeps++; g->told_keeps += !k->aside; }
        if (k->of == KEEP_GAME || k->of == KEEP_PLAYER) { k->where = POSITION + number; number += k->of == KEEP_PLAYER ? g->player_count : 1; continue; }
        if (k->type == KEEP_FLAG) {
            k->where = g->flag_first + flags++;
            if (k->of == KEEP_PIECE && (k->flag_bit = bits++) >= PIECE_FLAGS_MAX) diag_add(c->d, "E0343", keep_at(c, k), "more than %d flags of pieces", PIECE_FLAGS_MAX);
        } else {
            k->where = arrays++;
            if (k->of == KEEP_PIECE && (k->value_slot = slots++) >= PIECE_VALUES_MAX) { diag_add(c->d, "E0343", keep_at(c, k), "more than %d numbers of pieces", PIECE_VALUES_MAX); k->value_slot = 0; }
        }
    }
    for (int i = 0; i < g->dice_count; i++) { g->dice[i].number = POSITION + number++; g->dice[i].fixed = POSITION + number++; g->dice[i].bag = bags++; }
    g->score_first = POSITION + number;
    number += g->player_count;
    c->test_words = POSITION + number++;
    for (int i = 0; i < c->tree->root->count; i++)
        if (!g->prefers_first && has_node(c->tree->root->kids[i], NODE_A_PREFER)) { g->prefers_first = POSITION + number; number += FRAMES_MAX * PREFERS_MAX; }
    g->num_position = number;
    g->flag_count = flags;
    g->array_count = arrays;
    c->bag_top = c->bag_most = bags;
}

static void declare_stacks(compiler *c)
{
    game *g = c->g;
    g->pile_max = 1;
    g->stack_size = arena_alloc(c->a, (size_t)(PLACES_MAX) * sizeof *g->stack_size);
    g->stack_mixed = arena_alloc(c->a, (size_t)(PLACES_MAX) * sizeof *g->stack_mixed);
    for (int i = 0; i < PLACES_MAX; i++) g->stack_size[i] = 1;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_STACK) continue;
        value many = lower_number(c, kid(n, 0)), on = lower_set(c, kid(n, 1));
        if (many.type == T_ERROR || on.type == T_ERROR) continue;
        if (on.type == T_PLACE) on = to_set(c, on, kid(n, 1));
        if (!many.constant || !on.constant) { diag_add(c->d, "E0348", kid(n, many.constant)->at, many.constant ? "the cells of a stack must be known beforehand" : "the size of a stack must be known beforehand"); continue; }
        if (many.k < 1 || many.k > 60) { diag_add(c->d, "E0348", kid(n, 0)->at, "a stack holds 1 to 60 pieces, not %lld", (long long)many.k); continue; }
        for (int p = 0; p < g->cells; p++) {
            if (!(const_words(&on, 0)[p / 64] >> (p % 64) & 1)) continue;
            g->stack_size[p] = (int16_t)many.k;
            g->stack_mixed[p] = n->more != NULL;
        }
        if (many.k > g->pile_max) g->pile_max = (int)many.k;
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------------------- */
/* Rules that nothing calls are lowered too, for their errors; their code is thrown away. */
static void check_uncalled(compiler *c)
{
    for (int i = 0; i < c->rule_count; i++) {
        const rule *r = &c->rules[i];
        fresh_code(c);
        uint32_t mark = c->g->code_count;
        int reg = num_reg(c);
        (void)reg;
        for (int j = 0; kid(r->item, 0) && j < r->item->kids[0]->count; j++) bind(c, r->item->kids[0]->kids[j]->text, value_error());
        c->in_piece = r->of_piece;
        if (r->of_piece) memcpy(c->walk_kinds, r->kinds, sizeof r->kinds);
        lower_block(c, kid(r->item, 1));
        c->g->code_count = mark;
    }
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_LET) continue;
        fresh_code(c);
        for (int j = 0; kid(n, 0) && j < n->kids[0]->count; j++) bind(c, n->kids[0]->kids[j]->text, value_error());
        uint32_t mark = c->g->code_count;
        value v = lower(c, kid(n, 1));
        if (!n->more && !kid(n, 0)) check_set(c, &v, kid(n, 1), n->text);
        c->g->code_count = mark;
    }
}

enum { ITEMS_MAX = 4000 };

/* A first look only, to count pieces; the game; the game and what is odd about its rules. */
typedef enum { LOOK, GAME, GAME_AND_LINTS, GAME_AND_MARKS } purpose;

typedef struct { int each; const int *bounds; /* by zone, NULL: as many for each */ int taken; /* most pieces in one turn, not > 0: not known */ } room;

/* All but the declarations that the board needs. `taken`: see room; `errors`: as many had been told before these rules. */
static void lower_rules(compiler *c, purpose what, int taken, size_t errors)
{
    game *g = c->g;
    look_over(c);
    bool uses_taken = g->uses_taken;
    c->taken_slots = !uses_taken ? 0 : taken > 0 ? taken : g->cells < 48 ? g->cells + 8 : 48;
    declare_rest(c);
    look_over(c);
    lay_out_operands(c);
    c->asked_set = set_reg(c);
    c->set_base = c->set_top;
    declare_stacks(c);
    value all = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < g->places; i++) const_words(&all, p)[i / 64] |= 1ull << (i % 64);
    g->all_places = set_operand(c, &all);
    lower_setup(c);
    lower_turn(c);
    const bool turns = g->asks_turns, passes = g->asks_passes, extra = g->asks_extra;
    if (what != LOOK && has_node(c->tree->root, NODE_I_TEST)) entry_add(c, "tests", g->code_count);
    lower_tests(c);
    g->asks_turns = turns, g->asks_passes = passes, g->asks_extra = extra;      /* what tests ask is no rule */
    fresh_code(c);
    attacks_build(c);
    check_uncalled(c);
    fresh_code(c);
    if (what != LOOK) notes_build(c);
    if (what != LOOK && c->d->errors == errors) regions_build(c);
    if (c->lints && c->d->errors == errors) check_rules(c);
}

static game *compile_once(const tree *t, const setting *settings, size_t count, int players, room zones, purpose what, diagnostics *d)
{
    arena *a = arena_new();
    game *g = arena_alloc(a, sizeof *g);
    g->arena = (struct arena *)a;
    g->path = t->path;
    compiler *c = calloc(1, sizeof *c);
    if (!c) abort();
    *c = (compiler){ .tree = t, .d = d, .a = a, .g = g, .want_players = players, .zone_slots = zones.each, .zone_bounds = zones.bounds, .settings_given = count > 0 || players > 0, .it = -1, .stuck_loop = -1, .lints = what == GAME_AND_LINTS, .marked = what == GAME_AND_MARKS };
    const size_t errors = d->errors;
    num_const(c, 0);
    emit(c, OP_FAIL, 0, 0, 0, -1, 0);       /* no code begins at 0 */
    bool sizes = true;
    if (t->root->count > ITEMS_MAX) diag_add(d, "E0349", t->root->kids[ITEMS_MAX]->at, "these rules are too much for the machine: more than %d declarations", ITEMS_MAX);
    else {
        declare(c);
        sizes = declare_settings(c, settings, count);
        if (!board_build(c)) board_fallback(c);
    }
    if (sizes && g->cell) lower_rules(c, what, zones.taken, errors);
    if (c->num_most > REGISTERS_MAX || c->set_most > REGISTERS_MAX)
        diag_add(c->d, "E0349", t->root->at, "these rules are too much for the machine: they need %d registers of %d", c->num_most > c->set_most ? c->num_most : c->set_most, REGISTERS_MAX);
    g->bag_count = c->bag_most;
    g->flood_count = c->flood_most;
    if (d->errors != errors) {
        compiler_free(c);
        free(c);
        game_free(g);
        return NULL;
    }
    finish_game(c);
    own_names(c);
    origins_finish(c);
    finish_hash(g);
    compiler_free(c);
    free(c);
    if (d->errors != errors) { game_free(g); return NULL; }
    return g;
}

/* The position behind the set-up, or as far as it went. */
static vm *set_up(const game *g)
{
    vm *v = vm_new(g);
    uint64_t random[4] = { 1, 2, 3, 4 };
    g->machine->blank(v);
    v->head[H_RESUME] = g->setup_pc;
    for (int i = 0; i < 100000 && v->head[H_RESUME] && v->head[H_RESUME] < g->turn_pc && !v->fault; i++) if (!g->machine->random(v, random)) break;
    return v;
}

/* How many pieces the set-up makes. */
static int count_pieces(const game *g)
{
    vm *v = set_up(g);
    int n = 0;
    for (int p = 0; p < g->taken_first; p++) n += v->at[p] != 0;
    for (int p = 0; g->pile_max > 1 && p < g->cells; p++) n += *(const uint16_t *)(const void *)((const char *)v->piles + (size_t)(p + 1) * g->pile_stride);
    vm_free(v);
    return n;
}

static bool makes_pieces(const tree *t)
{
    for (int i = 0; i < t->root->count; i++) {
        const node *n = t->root->kids[i];
        if (n && (n->kind == NODE_I_TURN || n->kind == NODE_I_RULE || n->kind == NODE_I_PIECE) && (has_node(n, NODE_A_PLACE) || has_node(n, NODE_A_DROP))) return true;
    }
    return false;
}

enum { SLOTS_LEAST = 4, SLOTS_IN_TESTS = 20, SLOTS_MOST = 100, SLOTS_BESIDE = 48 /* of pieces taken */ };

static int within(int slots) { return slots < SLOTS_LEAST ? SLOTS_LEAST : slots > SLOTS_MOST ? SLOTS_MOST : slots; }

/* The slots of each zone of the game that was looked at: what it can hold, or else as many for each as there can be pieces. Owned by the caller. */
static int *slots_of(const game *g, const tree *t)
{
    int *slots = calloc((size_t)g->zone_count + 1, sizeof *slots), most = count_pieces(g) + (makes_pieces(t) ? slots_made(g) : 0);
    if (!slots) abort();
    while (most > 12 && g->cells + g->zone_count * (most + 1) + SLOTS_BESIDE > PLACES_MAX) most--;
    const bool bound = slots_bound(g, slots);
    for (int z = 0; z < g->zone_count; z++) if (!bound || slots[z] > most) slots[z] = most;
    crowd_in_tests(g, SLOTS_IN_TESTS, slots);
    for (int z = 0; z < g->zone_count; z++) slots[z] = within(slots[z]);
    return slots;
}

static bool set_up_fails(const game *g)
{
    vm *v = set_up(g);
    const bool fails = v->fault != NULL;
    vm_free(v);
    return fails;
}

static bool declared_with(const game *g, int z, int other) { return strcmp(g->zones[z].name, g->zones[other].name) == 0; }

/* As much room as can be for one declared zone, and what is left for the others. NULL if that is too little. Owned by the caller. */
static int *room_for(const game *g, int which)
{
    int same = 0;
    for (int z = 0; z < g->zone_count; z++) same += declared_with(g, z, which);
    const int others = g->zone_count - same, left = PLACES_MAX - g->cells - SLOTS_BESIDE - same * (SLOTS_MOST + 1), each = others ? left / others - 1 : 0;
    int *slots = left < 0 || (others && each < SLOTS_LEAST) ? NULL : calloc((size_t)g->zone_count, sizeof *slots);
    for (int z = 0; slots && z < g->zone_count; z++) slots[z] = declared_with(g, z, which) ? SLOTS_MOST : within(each);
    return slots;
}

/* The set-up of a first look may need more room in one zone (a pack of cards) than all can have: another look for each. */
static game *look_again(game *g, const tree *t, const setting *settings, size_t count, int players)
{
    for (int z = 0; g && z < g->zone_count && set_up_fails(g); z++) {
        int *slots = z && declared_with(g, z, z - 1) ? NULL : room_for(g, z);
        if (!slots) continue;
        diagnostics *quiet = diag_new();
        game *next = compile_once(t, settings, count, players, (room){ 0, slots, -1 }, LOOK, quiet);
        diag_free(quiet);
        free(slots);
        if (!next || set_up_fails(next)) { game_free(next); continue; }
        game_free(g);
        return next;
    }
    return g;
}

/* A first look with room to spare; with many zones there is less. NULL and *slots > 0: the file is at fault; 0: there is no room. */
static game *look_first(const tree *t, const setting *settings, size_t count, int players, int *slots)
{
    for (*slots = SLOTS_MOST; *slots >= 12; *slots = *slots * 2 / 3) {
        diagnostics *quiet = diag_new();
        game *g = compile_once(t, settings, count, players, (room){ *slots, NULL, -1 }, LOOK, quiet);
        bool full = false;
        for (size_t i = 0; i < quiet->count; i++) full |= quiet->messages[i].code && strcmp(quiet->messages[i].code, "E0341") == 0 && strstr(quiet->messages[i].text, "zones");
        diag_free(quiet);
        if (g || !full) return g;
    }
    *slots = 0;
    return NULL;
}

static game *compile_for(const tree *t, const setting *settings, size_t count, int players, purpose what, diagnostics *d)
{
    bool zones = false;
    for (int i = 0; i < t->root->count; i++) zones |= t->root->kids[i] && t->root->kids[i]->kind == NODE_I_ZONE;
    if (!zones) return compile_once(t, settings, count, players, (room){ 0, NULL, -1 }, what, d);
    int slots = 0;
    game *g = look_again(look_first(t, settings, count, players, &slots), t, settings, count, players);
    if (!g) return compile_once(t, settings, count, players, (room){ slots ? slots : 12, NULL, -1 }, what, d);
    if (!g->kind_count) { game_free(g); return compile_once(t, settings, count, players, (room){ 0, NULL, -1 }, what, d); }
    int *bounds = slots_of(g, t);
    const int taken = crowd_taken(g);
    game_free(g);
    g = compile_once(t, settings, count, players, (room){ 0, bounds, taken }, what, d);
    free(bounds);
    return g;
}

game *compile(const tree *t, const setting *settings, size_t count, int players, diagnostics *d) { return compile_for(t, settings, count, players, GAME, d); }

game *compile_marked(const tree *t, const setting *settings, size_t count, int players, diagnostics *d) { return compile_for(t, settings, count, players, GAME_AND_MARKS, d); }

game *compile_check(const tree *t, diagnostics *d) { return compile_for(t, NULL, 0, 0, GAME_AND_LINTS, d); }
