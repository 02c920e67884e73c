/* Is a compiled machine made with the tables of this game?
 *
 * The writer of the tables (write.c) names each field; one that is forgotten there would be nought in the compiled machine, and it would play
 * another game. So what was compiled is compared with what is wanted, word by word and whatever the fields are called: all of a table must be
 * equal but the parts listed here, which are pointers (NULL in both or in neither; what they lead to is compared on its own) or nothing the
 * machine reads. A new pointer that is listed nowhere is a difference, too. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "native.h"

typedef struct { size_t at, size, each; /* bytes of one pointer; 0: not read by the machine */ } part;
#define POINTERS(type, field) { offsetof(type, field), sizeof ((type *)NULL)->field, sizeof(void *) }
#define UNREAD(type, field) { offsetof(type, field), sizeof ((type *)NULL)->field, 0 }
#define LAST { 0, 0, 0 }

/* What lies between the fields of a structure is no part of it. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CLEAR(type) static void clear_##type(void *x) { __builtin_clear_padding((type *)x); }
#endif
#endif
#ifndef CLEAR
#define CLEAR(type) static void clear_##type(void *x) { (void)x; }
#endif
CLEAR(zone) CLEAR(kind_info) CLEAR(code_info) CLEAR(keep) CLEAR(dice_info) CLEAR(direction) CLEAR(shift_part) CLEAR(ins) CLEAR(live_registers) CLEAR(register_mask) CLEAR(relation) CLEAR(lanes)
CLEAR(pattern_item) CLEAR(leg) CLEAR(field) CLEAR(plan) CLEAR(plan_item) CLEAR(shot) CLEAR(attack) CLEAR(counted_choice) CLEAR(game)

typedef struct { size_t size; void (*clear)(void *); part parts[80]; } shape;
static const shape shape_zone = { sizeof(zone), clear_zone, { UNREAD(zone, name), UNREAD(zone, seen), LAST } };
static const shape shape_kind = { sizeof(kind_info), clear_kind_info, { UNREAD(kind_info, name), UNREAD(kind_info, letter), UNREAD(kind_info, seen), LAST } };
static const shape shape_code = { sizeof(code_info), clear_code_info, { LAST } };
static const shape shape_keep = { sizeof(keep), clear_keep, { UNREAD(keep, name), UNREAD(keep, seen), LAST } };
static const shape shape_dice = { sizeof(dice_info), clear_dice_info, { UNREAD(dice_info, name), LAST } };
static const shape shape_direction = { sizeof(direction), clear_direction, { UNREAD(direction, name), POINTERS(direction, next), POINTERS(direction, back), POINTERS(direction, after), POINTERS(direction, parts), POINTERS(direction, rays), POINTERS(direction, mask),
                                       POINTERS(direction, image), LAST } };
static const shape shape_part = { sizeof(shift_part), clear_shift_part, { POINTERS(shift_part, mask), LAST } };
static const shape shape_ins = { sizeof(ins), clear_ins, { LAST } };
static const shape shape_live = { sizeof(live_registers), clear_live_registers, { LAST } };
static const shape shape_mask = { sizeof(register_mask), clear_register_mask, { LAST } };
static const shape shape_relation = { sizeof(relation), clear_relation, { POINTERS(relation, images), POINTERS(relation, lanes), LAST } };
static const shape shape_lanes = { sizeof(lanes), clear_lanes, { LAST } };
static const shape shape_pattern = { sizeof(pattern_item), clear_pattern_item, { LAST } };
static const shape shape_leg = { sizeof(leg), clear_leg, { LAST } };
static const shape shape_field = { sizeof(field), clear_field, { UNREAD(field, values), POINTERS(field, upto), LAST } };
static const shape shape_plan = { sizeof(plan), clear_plan, { LAST } };
static const shape shape_item = { sizeof(plan_item), clear_plan_item, { POINTERS(plan_item, vacant), POINTERS(plan_item, shots), LAST } };
static const shape shape_shot = { sizeof(shot), clear_shot, { POINTERS(shot, mask), LAST } };
static const shape shape_attack = { sizeof(attack), clear_attack, { POINTERS(attack, reverse), LAST } };
static const shape shape_counted = { sizeof(counted_choice), clear_counted_choice, { LAST } };
/* Names, texts, what only the library asks, and constants, which are compared on their own. */
static const shape shape_game = { sizeof(game), clear_game, {
    UNREAD(game, arena), UNREAD(game, title), UNREAD(game, path), UNREAD(game, hash), UNREAD(game, shape), UNREAD(game, cell), UNREAD(game, players), UNREAD(game, keeps_shown), UNREAD(game, rounds), UNREAD(game, dirs),
    UNREAD(game, ways), UNREAD(game, letters), UNREAD(game, entries), UNREAD(game, entry_count), UNREAD(game, named_sets), UNREAD(game, named_set_count), UNREAD(game, marks), UNREAD(game, mark_count),
    UNREAD(game, about), UNREAD(game, ends), UNREAD(game, end_count), UNREAD(game, names), UNREAD(game, name_count), UNREAD(game, origins), UNREAD(game, origin_count), UNREAD(game, sources),
    UNREAD(game, source_count), UNREAD(game, covers), UNREAD(game, cover_count), UNREAD(game, tests), UNREAD(game, test_count), UNREAD(game, checks), UNREAD(game, check_count), UNREAD(game, option_names),
    UNREAD(game, option_values), UNREAD(game, option_count), UNREAD(game, const_num), UNREAD(game, const_set), UNREAD(game, machine),
    POINTERS(game, key_set), /* compared on their own, and in the compiled machine never NULL: */ UNREAD(game, zones), UNREAD(game, zone_of), UNREAD(game, kinds), UNREAD(game, codes), UNREAD(game, place_keys), UNREAD(game, keeps), UNREAD(game, dice), UNREAD(game, code), UNREAD(game, live),
    UNREAD(game, lazy), UNREAD(game, tested), UNREAD(game, onward), UNREAD(game, counted), UNREAD(game, counted_at), UNREAD(game, sure_ends), UNREAD(game, end_bits), UNREAD(game, ins_words), UNREAD(game, masks), UNREAD(game, relations), UNREAD(game, patterns), UNREAD(game, legs), UNREAD(game, fields), UNREAD(game, lists), UNREAD(game, plans), UNREAD(game, plan_items),
    UNREAD(game, attacks), UNREAD(game, stack_size), UNREAD(game, stack_mixed), LAST } };
/* Takes the parts out of two copies; false if a pointer is NULL in one alone. */
static bool take_out(unsigned char *a, unsigned char *b, const part *p)
{
    for (; p->size; p++) {
        for (size_t k = 0; p->each && k < p->size; k += p->each) {
            void *x, *y;
            memcpy(&x, a + p->at + k, sizeof x);
            memcpy(&y, b + p->at + k, sizeof y);
            if (!x != !y) return false;
        }
        memset(a + p->at, 0, p->size);
        memset(b + p->at, 0, p->size);
    }
    return true;
}

static bool alike(const void *ours, const void *theirs, size_t count, const shape *s)
{
    _Alignas(64) unsigned char a[sizeof(game)], b[sizeof(game)];
    for (size_t i = 0; i < count; i++) {
        memcpy(a, (const unsigned char *)ours + i * s->size, s->size);
        memcpy(b, (const unsigned char *)theirs + i * s->size, s->size);
        s->clear(a);
        s->clear(b);
        if (!take_out(a, b, s->parts) || memcmp(a, b, s->size) != 0) return false;
    }
    return true;
}

/* Arrays without structure; those that are not there have been compared as pointers. */
static bool same(const void *a, const void *b, size_t count, size_t size) { return !a || !b || memcmp(a, b, count * size) == 0; }

/* ---- what tables lead to -------------------------------------------------------------------------------------------------------------- */
static bool directions_alike(const game *g, const game *n)
{
    const size_t places = (size_t)g->places, set = (size_t)g->words * sizeof(uint64_t);
    if (!alike(g->dirs, n->dirs, (size_t)g->dir_count, &shape_direction)) return false;
    for (int i = 0; i < g->dir_count; i++) {
        const direction *a = &g->dirs[i], *b = &n->dirs[i];
        if (!same(a->next, b->next, places, sizeof *a->next) || !same(a->back, b->back, places, sizeof *a->back) || !same(a->mask, b->mask, 1, set)) return false;
        if (!same(a->after, b->after, (STEPS_FAR + 1) * places, sizeof *a->after) || !same(a->rays, b->rays, (size_t)g->cells + 1, set) || !same(a->image, b->image, places, set)) return false;
        if (!alike(a->parts, b->parts, (size_t)a->part_count, &shape_part)) return false;
        for (int k = 0; k < a->part_count; k++) if (!same(a->parts[k].mask, b->parts[k].mask, 1, set)) return false;
    }
    return true;
}

static bool relations_alike(const game *g, const game *n)
{
    const size_t image = (size_t)g->places * (size_t)g->words;
    if (!alike(g->relations, n->relations, (size_t)g->relation_count, &shape_relation)) return false;
    for (int i = 0; i < g->relation_count; i++)
        for (int p = 0; p < PLAYERS_MAX; p++) {
            const relation *a = &g->relations[i], *b = &n->relations[i];
            if (!same(a->images[p], b->images[p], image, sizeof(uint64_t))) return false;
            if (a->lanes[p] && !alike(a->lanes[p], b->lanes[p], 1, &shape_lanes)) return false;
        }
    return true;
}

static bool fields_alike(const game *g, const game *n)
{
    if (!alike(g->fields, n->fields, (size_t)g->field_count, &shape_field)) return false;
    for (int i = 0; i < g->field_count; i++)
        for (int p = 0; p < g->player_count; p++) {
            const field *a = &g->fields[i], *b = &n->fields[i];
            if (a->kind == FIELD_CONST && (!b->values[p] || !same(a->values[p], b->values[p], (size_t)g->places, sizeof(int16_t)))) return false;
            if (a->upto[p] && !same(a->upto[p], b->upto[p], (size_t)(a->most - a->least + 2) * (size_t)g->words, sizeof(uint64_t))) return false;
        }
    return true;
}

static bool attacks_alike(const game *g, const game *n)
{
    const size_t size = (size_t)g->player_count * (size_t)g->cells * (size_t)g->words;
    if (!alike(g->attacks, n->attacks, (size_t)g->attack_count, &shape_attack)) return false;
    for (int i = 0; i < g->attack_count; i++)
        if (!g->legs[g->attacks[i].leg].slide && !same(g->attacks[i].reverse, n->attacks[i].reverse, size, sizeof(uint64_t))) return false;
    return true;
}

static bool items_alike(const game *g, const game *n)
{
    const size_t set = (size_t)g->words * sizeof(uint64_t);
    if (!alike(g->plan_items, n->plan_items, (size_t)g->plan_item_count, &shape_item)) return false;
    for (int i = 0; i < g->plan_item_count; i++) {
        const plan_item *a = &g->plan_items[i], *b = &n->plan_items[i];
        if (!same(a->vacant, b->vacant, 1, set)) return false;
        for (int p = 0; p < PLAYERS_MAX; p++) {
            if (!a->shots[p]) continue;
            if (!alike(a->shots[p], b->shots[p], a->shot_count[p], &shape_shot)) return false;
            for (int k = 0; k < a->shot_count[p]; k++) if (!same(a->shots[p][k].mask, b->shots[p][k].mask, 1, set)) return false;
        }
    }
    return true;
}

static bool constants_alike(const game *g, const native_machine *n)
{
    if (memcmp(g->const_num, n->numbers, (size_t)g->num_consts * sizeof *g->const_num) != 0) return false;
    for (int p = 0; p < g->player_count; p++) if (!same(g->const_set[p], n->sets[p], (size_t)g->set_consts * (size_t)g->words, sizeof(uint64_t))) return false;
    return true;
}

static bool places_alike(const game *g, const game *n)
{
    const size_t places = (size_t)g->places;
    return same(g->zone_of, n->zone_of, places, sizeof *g->zone_of) && same(g->stack_size, n->stack_size, places, sizeof *g->stack_size) && same(g->stack_mixed, n->stack_mixed, places, sizeof *g->stack_mixed)
        && same(g->place_keys, n->place_keys, (size_t)(WORDS_MAX * 64 + 1), sizeof *g->place_keys) && same(g->key_set, n->key_set, WORDS_MAX, sizeof *g->key_set);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------------ */
static const char *first_difference(const game *g, const native_machine *m)
{
    const game *n = m->tables;
    if (!alike(g, n, 1, &shape_game)) return "game";
#define TABLE(name, count, shape) if (!alike(g->name, n->name, (size_t)g->count, &shape)) return #name;
    TABLE(zones, zone_count, shape_zone)
    TABLE(kinds, kind_count, shape_kind)
    if (!alike(g->codes, n->codes, 1 + ((size_t)g->player_count + 1) * ((size_t)g->kind_count + 1), &shape_code)) return "codes";
    TABLE(keeps, keep_count, shape_keep)
    TABLE(dice, dice_count, shape_dice)
    TABLE(code, code_count, shape_ins)
    TABLE(live, code_count, shape_live)
    TABLE(masks, mask_count, shape_mask)
    TABLE(patterns, pattern_count, shape_pattern)
    TABLE(legs, leg_count, shape_leg)
    TABLE(plans, plan_count, shape_plan)
    TABLE(counted, counted_count, shape_counted)
#undef TABLE
#define ARRAY(name, count) if (!same(g->name, n->name, (size_t)g->count, sizeof *g->name)) return #name;
    ARRAY(lazy, code_count)
    ARRAY(ins_words, code_count)
    ARRAY(tested, code_count)
    ARRAY(onward, code_count)
    ARRAY(counted_at, code_count)
    ARRAY(end_bits, code_count)
    ARRAY(lists, list_count)
    ARRAY(sure_ends, list_count)
#undef ARRAY
    if (!places_alike(g, n)) return "places";
    if (!directions_alike(g, n)) return "directions";
    if (!relations_alike(g, n)) return "relations";
    if (!fields_alike(g, n)) return "fields";
    if (!attacks_alike(g, n)) return "attacks";
    if (!items_alike(g, n)) return "plan items";
    if (!constants_alike(g, m)) return "constants";
    return NULL;
}

char *native_differs(const game *g, const native_machine *m)
{
    const char *name = first_difference(g, m);
    return name ? native_sentence("%s", name) : NULL;
}
