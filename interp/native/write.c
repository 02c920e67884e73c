/* The tables of a game as C: what the machine reads of them, as constants.
 *
 * The machine's sources (interp/machine/vm.c) compiled with these files in place of a game that is known only when it runs are a machine for
 * this game alone: its tables are folded into the code, and every instruction becomes what it does with its own operands. Nothing else is
 * written for it: it is the interpreter, with the tables known (Futamura 1971).
 *
 * tables.inc defines GAME, and has what is written out for it (code.c). Names are left out: the machine takes them, where it wants one, from the game itself. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "interp/machine/machine.h"
#include "native.h"

/* ---- arrays --------------------------------------------------------------------------------------------------------------------------- */
static void words(FILE *f, const char *name, int index, const uint64_t *x, size_t n)
{
    fprintf(f, "static const uint64_t %s_%d[] = {", name, index);
    for (size_t i = 0; i < n; i++) fprintf(f, "%s0x%" PRIx64 "u,", i % 8 ? "" : "\n", x[i]);
    fprintf(f, "%s};\n", n ? "" : "0");
}

static void shorts(FILE *f, const char *type, const char *name, int index, const void *x, size_t n)
{
    fprintf(f, "static const %s %s_%d[] = {", type, name, index);
    for (size_t i = 0; i < n; i++) fprintf(f, "%s%d,", i % 16 ? "" : "\n", *type == 'u' ? (int)((const uint16_t *)x)[i] : (int)((const int16_t *)x)[i]);
    fprintf(f, "%s};\n", n ? "" : "0");
}

static void integers(FILE *f, const char *name, const int32_t *x, int n)
{
    fprintf(f, "static const int32_t %s[] = {", name);
    for (int i = 0; i < n; i++) fprintf(f, "%s%" PRId32 ",", i % 16 ? "" : "\n", x[i]);
    fprintf(f, "0};\n");
}

#define TABLE(f, type, name) fprintf(f, "static const %s %s[] = {\n", type, name)
#define END(f) fprintf(f, "{0}};\n")

/* ---- the board ------------------------------------------------------------------------------------------------------------------------ */
static void direction_arrays(FILE *f, const game *g, int i)
{
    const direction *d = &g->dirs[i];
    const size_t places = (size_t)g->places, w = (size_t)g->words;
    if (d->next) shorts(f, "uint16_t", "NEXT", i, d->next, places);
    if (d->back) shorts(f, "uint16_t", "BACK", i, d->back, places);
    if (d->after) shorts(f, "uint16_t", "AFTER", i, d->after, (STEPS_FAR + 1) * places);
    if (d->rays) words(f, "RAYS", i, d->rays, (size_t)(g->cells + 1) * w);
    if (d->mask) words(f, "MASK", i, d->mask, w);
    if (d->graph && d->image) words(f, "IMAGE", i, d->image, places * w);
    for (int k = 0; k < d->part_count; k++) words(f, "PART", i * 100 + k, d->parts[k].mask, w);
    if (!d->part_count) return;
    fprintf(f, "static const shift_part PARTS_%d[] = {", i);
    for (int k = 0; k < d->part_count; k++) fprintf(f, "{ %d, (uint64_t *)PART_%d },", d->parts[k].shift, i * 100 + k);
    fprintf(f, "};\n");
}

static void pointer(FILE *f, const char *member, const char *type, bool there, const char *name, int index)
{
    if (there) fprintf(f, " .%s = (%s *)%s_%d,", member, type, name, index);
}

static void write_directions(FILE *f, const game *g)
{
    for (int i = 0; i < g->dir_count; i++) direction_arrays(f, g, i);
}

static void write_direction(FILE *f, const direction *d, int i)
{
    fprintf(f, "{ .part_count = %d,", d->part_count);
    pointer(f, "parts", "shift_part", d->part_count, "PARTS", i);
    fprintf(f, " .shift = %d, .rising = %d, .graph = %d, .merges = %d, .off_board = %d, .opposite = %d, .dx = %d, .dy = %d,", d->shift, d->rising, d->graph, d->merges, d->off_board, d->opposite, d->dx, d->dy);
    pointer(f, "next", "uint16_t", d->next, "NEXT", i);
    pointer(f, "back", "uint16_t", d->back, "BACK", i);
    pointer(f, "after", "uint16_t", d->after, "AFTER", i);
    pointer(f, "rays", "uint64_t", d->rays, "RAYS", i);
    pointer(f, "mask", "uint64_t", d->mask, "MASK", i);
    pointer(f, "image", "uint64_t", d->graph && d->image, "IMAGE", i);
    fprintf(f, " },\n");
}

static void write_lanes(FILE *f, const lanes *l, int index)
{
    const uint64_t *parts[] = { l->up, l->mask_up, l->down, l->mask_down };
    fprintf(f, "static const lanes LANES_%d = {", index);
    for (int i = 0; i < 4; i++) {
        fprintf(f, " {");
        for (int k = 0; k < LANES; k++) fprintf(f, "0x%" PRIx64 "u,", parts[i][k]);
        fprintf(f, "},");
    }
    fprintf(f, " %d, %d };\n", l->longest, l->paired);
}

static void write_relation(FILE *f, const relation *r, int i)
{
    fprintf(f, "{ %d, %d, {", r->reg, r->times);
    for (int p = 0; p < PLAYERS_MAX; p++) fprintf(f, "0x%" PRIx64 "u,", r->mask[p]);
    fprintf(f, "}, {");
    for (int p = 0; p < PLAYERS_MAX; p++) if (r->images[p]) fprintf(f, "IMAGES_%d,", i * PLAYERS_MAX + p); else fprintf(f, "0,");
    fprintf(f, "}, {");
    for (int p = 0; p < PLAYERS_MAX; p++) fprintf(f, "%d,", r->many[p]);
    fprintf(f, "}, {");
    for (int p = 0; p < PLAYERS_MAX; p++) if (r->lanes[p]) fprintf(f, "&LANES_%d,", i * PLAYERS_MAX + p); else fprintf(f, "0,");
    fprintf(f, "} },\n");
}

static void write_relations(FILE *f, const game *g)
{
    for (int i = 0; i < g->relation_count; i++)
        for (int p = 0; p < g->player_count; p++) {
            const relation *r = &g->relations[i];
            if (r->images[p]) words(f, "IMAGES", i * PLAYERS_MAX + p, r->images[p], (size_t)g->places * (size_t)g->words);
            if (r->lanes[p]) write_lanes(f, r->lanes[p], i * PLAYERS_MAX + p);
        }
    TABLE(f, "relation", "RELATIONS");
    for (int i = 0; i < g->relation_count; i++) write_relation(f, &g->relations[i], i);
    END(f);
    TABLE(f, "pattern_item", "PATTERNS");
    for (int i = 0; i < g->pattern_count; i++) fprintf(f, "{ %d, %d },", g->patterns[i].how, g->patterns[i].set);
    END(f);
    TABLE(f, "leg", "LEGS");
    for (int i = 0; i < g->leg_count; i++) {
        const leg *l = &g->legs[i];
        fprintf(f, "{ %d, %d, %d, %d, %d, %d, %d, %d },\n", l->relation, l->pattern, l->pattern_count, l->slide, l->settle, l->place_only, l->target, l->silent);
    }
    END(f);
}

/* ---- pieces and what is kept ---------------------------------------------------------------------------------------------------------- */
static void write_pieces(FILE *f, const game *g)
{
    const int codes = 1 + (g->player_count + 1) * (g->kind_count + 1);
    TABLE(f, "code_info", "CODES");
    for (int i = 0; i < codes; i++) fprintf(f, "{ %d, %d, %d, %d, 0x%" PRIx64 "u },\n", g->codes[i].owner, g->codes[i].kind, g->codes[i].owner_plane, g->codes[i].kind_plane, g->codes[i].key);
    END(f);
    TABLE(f, "kind_info", "KINDS");
    for (int i = 0; i < g->kind_count; i++) fprintf(f, "{ .value = %d },", g->kinds[i].value);
    END(f);
    TABLE(f, "keep", "KEEPS");
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        fprintf(f, "{ .of = %d, .type = %d, .aside = %d, .turn = %d, .low = %" PRId64 ", .high = %" PRId64 ", .start = %" PRId64 ", .where = %d, .flag_bit = %d, .value_slot = %d, .inner = %d },\n",
                (int)k->of, (int)k->type, k->aside, k->turn, k->low, k->high, k->start, k->where, k->flag_bit, k->value_slot, k->inner);
    }
    END(f);
    TABLE(f, "zone", "ZONES");
    for (int i = 0; i < g->zone_count; i++) fprintf(f, "{ .owner = %d, .place = %d, .first = %d, .slots = %d, .declared = %d },\n", g->zones[i].owner, g->zones[i].place, g->zones[i].first, g->zones[i].slots, g->zones[i].declared);
    END(f);
    TABLE(f, "dice_info", "DICE");
    for (int i = 0; i < g->dice_count; i++) {
        const dice_info *d = &g->dice[i];
        fprintf(f, "{ .count = %d, .number = %d, .bag = %d, .fixed = %d, .many = %d, .faces = {", d->count, d->number, d->bag, d->fixed, d->many);
        for (int j = 0; j < d->count; j++) fprintf(f, "%d,", d->faces[j]);
        fprintf(f, "} },\n");
    }
    END(f);
    shorts(f, "int16_t", "ZONE_OF", 0, g->zone_of, (size_t)g->places);
    shorts(f, "int16_t", "STACK_SIZE", 0, g->stack_size, (size_t)g->places);
    fprintf(f, "static const bool STACK_MIXED[] = {");
    for (int i = 0; i < g->places; i++) fprintf(f, "%d,", g->stack_mixed[i]);
    fprintf(f, "0};\n");
    words(f, "PLACE_KEYS", 0, g->place_keys, (size_t)(WORDS_MAX * 64 + 1));
    if (g->key_set) words(f, "KEY_SET", 0, g->key_set, WORDS_MAX);
}

static void write_fields(FILE *f, const game *g)
{
    for (int i = 0; i < g->field_count; i++)
        for (int p = 0; p < g->player_count; p++)
            if (g->fields[i].kind == FIELD_CONST) {
                const field *x = &g->fields[i];
                shorts(f, "int16_t", "VALUES", i * PLAYERS_MAX + p, x->values[p], (size_t)g->places);
                if (x->upto[p]) words(f, "UPTO", i * PLAYERS_MAX + p, x->upto[p], (size_t)(x->most - x->least + 2) * (size_t)g->words);
            }
    TABLE(f, "field", "FIELDS");
    for (int i = 0; i < g->field_count; i++) {
        const field *x = &g->fields[i];
        fprintf(f, "{ .kind = %d, .index = %d, .left = %d, .right = %d, .op = %d, .right_number = %d, .of_pieces = %d, .offset = %d", (int)x->kind, x->index, x->left, x->right, x->op, x->right_number, x->of_pieces, x->offset);
        if (x->kind == FIELD_CONST) {
            fprintf(f, ", .values = {");
            for (int p = 0; p < g->player_count; p++) fprintf(f, " (int16_t *)VALUES_%d,", i * PLAYERS_MAX + p);
            fprintf(f, " }, .least = %d, .most = %d, .upto = {", x->least, x->most);
            for (int p = 0; p < g->player_count; p++) if (x->upto[p]) fprintf(f, " (uint64_t *)UPTO_%d,", i * PLAYERS_MAX + p); else fprintf(f, " 0,");
            fprintf(f, " }");
        }
        fprintf(f, " },\n");
    }
    END(f);
}

/* ---- code ----------------------------------------------------------------------------------------------------------------------------- */
static void write_instructions(FILE *f, const game *g)
{
    TABLE(f, "ins", "CODE");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "{ %d, %d, %d, %d, %" PRId32 ", %" PRId32 " },\n", g->code[i].op, g->code[i].a, g->code[i].b, g->code[i].c, g->code[i].d, g->code[i].e);
    END(f);
    TABLE(f, "live_registers", "LIVE");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "{%d,%d,%d},", g->live[i].numbers, g->live[i].sets, g->live[i].walk);
    END(f);
    fprintf(f, "static const bool LAZY[] = {");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "%d,", g->lazy[i]);
    fprintf(f, "0};\n");
    fprintf(f, "static const uint8_t TESTED[] = {");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "%d,", g->tested[i]);
    fprintf(f, "0};\n");
    fprintf(f, "static const bool ONWARD[] = {");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "%d,", g->onward[i]);
    fprintf(f, "0};\n");
    TABLE(f, "register_mask", "MASKS");
    for (int i = 0; i < g->mask_count; i++) {
        fprintf(f, "{ {");
        for (int k = 0; k < REGISTERS_MAX / 64; k++) fprintf(f, "0x%" PRIx64 "u,", g->masks[i].numbers[k]);
        fprintf(f, "}, {");
        for (int k = 0; k < REGISTERS_MAX / 64; k++) fprintf(f, "0x%" PRIx64 "u,", g->masks[i].sets[k]);
        fprintf(f, "} },\n");
    }
    END(f);
    integers(f, "LISTS", g->lists, g->list_count);
}

/* What is known of choices that are counted. */
static void write_counted(FILE *f, const game *g)
{
    TABLE(f, "counted_choice", "COUNTED");
    for (int i = 0; i < g->counted_count; i++) {
        const counted_choice *c = &g->counted[i];
        fprintf(f, "{ .how = %d, .ends = 0x%" PRIx64 "u, .witness_count = %d, .witnesses = {", c->how, c->ends, c->witness_count);
        if (!c->witness_count) fprintf(f, "{0}");
        for (int j = 0; j < c->witness_count; j++) {
            const counted_witness *w = &c->witnesses[j];
            fprintf(f, "{ .keep = %d, .number = %d, .how = %d, .place = %d, .low = %" PRId64 ", .high = %" PRId64 ", .apart_count = %d, .apart = {", w->keep, w->number, w->how, w->place, w->low, w->high, w->apart_count);
            for (int k = 0; k < w->apart_count || !k; k++) fprintf(f, "%d,", w->apart[k]);
            fprintf(f, "} },");
        }
        fprintf(f, "} },\n");
    }
    END(f);
    shorts(f, "uint16_t", "COUNTED_AT", 0, g->counted_at, g->code_count);
    words(f, "SURE_ENDS", 0, g->sure_ends, (size_t)g->list_count);
    fprintf(f, "static const uint8_t END_BITS[] = {");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "%d,", g->end_bits[i]);
    fprintf(f, "0};\nstatic const set_widths INS_WORDS[] = {");
    for (uint32_t i = 0; i < g->code_count; i++) fprintf(f, "{%d,%d,%d},", g->ins_words[i].a, g->ins_words[i].b, g->ins_words[i].c);
    fprintf(f, "{0}};\n");
}

static void write_attacks(FILE *f, const game *g)
{
    const size_t size = (size_t)g->player_count * (size_t)g->cells * (size_t)g->words;
    for (int i = 0; i < g->attack_count; i++) if (g->attacks[i].reverse) words(f, "REVERSE", i, g->attacks[i].reverse, size);
    TABLE(f, "attack", "ATTACKS");
    for (int i = 0; i < g->attack_count; i++) {
        const attack *a = &g->attacks[i];
        fprintf(f, "{ .kinds = %d, .kind_count = %d, .leg = %d, .guard_pc = %u, .guard = %d, .from_pc = %u, .from = %d, .target_pc = %u, .target = %d,", a->kinds, a->kind_count, a->leg, a->guard_pc, a->guard, a->from_pc, a->from, a->target_pc, a->target);
        pointer(f, "reverse", "uint64_t", a->reverse, "REVERSE", i);
        fprintf(f, " .back = {");
        for (int p = 0; p < PLAYERS_MAX; p++) fprintf(f, "0x%" PRIx64 "u,", a->back[p]);
        fprintf(f, "} },\n");
    }
    END(f);
}

static int direction_of(const game *g, const uint64_t *mask)
{
    for (int i = 0; i < g->dir_count; i++) if (g->dirs[i].mask == mask) return i;
    return -1;
}

static void write_shots(FILE *f, const game *g, int item)
{
    const plan_item *x = &g->plan_items[item];
    for (int p = 0; p < g->player_count; p++) {
        if (!x->shots[p]) continue;
        fprintf(f, "static const shot SHOTS_%d[] = {", item * PLAYERS_MAX + p);
        for (int j = 0; j < x->shot_count[p]; j++) {
            const shot *s = &x->shots[p][j];
            const int d = direction_of(g, s->mask);
            if (d >= 0) fprintf(f, "{ %d, %d, MASK_%d },", s->dir, s->shift, d);
        }
        END(f);
    }
}

static void write_plans(FILE *f, const game *g)
{
    for (int i = 0; i < g->plan_item_count; i++) write_shots(f, g, i);
    TABLE(f, "plan", "PLANS");
    for (int i = 0; i < g->plan_count; i++) fprintf(f, "{ %d, %d, %d, %d, %d, %u, %d },", g->plans[i].first, g->plans[i].count, g->plans[i].pairs, g->plans[i].pair_count, g->plans[i].origins, g->plans[i].guard_pc, g->plans[i].guard);
    END(f);
    for (int i = 0; i < g->plan_item_count; i++) if (g->plan_items[i].vacant) words(f, "VACANT", i, g->plan_items[i].vacant, (size_t)g->words);
    TABLE(f, "plan_item", "PLAN_ITEMS");
    for (int i = 0; i < g->plan_item_count; i++) {
        const plan_item *x = &g->plan_items[i];
        fprintf(f, "{ .drop = %d, .split_inside = %d, .tail = %d, .quiet = %d, .kinds = 0x%" PRIx64 "u, .leg = %d, .entry = %u, .guard = %d, .split = %d, .pc = %u, .alts = %d, .alt_count = %d, .froms = %d, .from_count = %d, .conds = %d, .cond_count = %d,",
                x->drop, x->split_inside, x->tail, x->quiet, x->kinds, x->leg, x->entry, x->guard, x->split, x->pc, x->alts, x->alt_count, x->froms, x->from_count, x->conds, x->cond_count);
        fprintf(f, " .twin = %d, .second = %d, .gather = %d, .origins = %d, .pass = %d, .options = %d, .keep = %d, .limit = INT64_C(%" PRId64 "), .body = %d, .body_count = %d, .body_takes = %d, .branches = %d, .more = %d, .more_count = %d,", x->twin, x->second, x->gather, x->origins, x->pass, x->options, x->keep, x->limit, x->body, x->body_count, x->body_takes, x->branches, x->more, x->more_count);
        if (x->vacant) fprintf(f, " .vacant = VACANT_%d,", i);
        fprintf(f, " .shots = {");
        for (int p = 0; p < g->player_count; p++) if (x->shots[p]) fprintf(f, "SHOTS_%d,", i * PLAYERS_MAX + p); else fprintf(f, "0,");
        fprintf(f, "}, .shot_count = {");
        for (int p = 0; p < g->player_count; p++) fprintf(f, "%d,", x->shot_count[p]);
        fprintf(f, "} },\n");
    }
    END(f);
}

/* ---- the game ------------------------------------------------------------------------------------------------------------------------- */
/* Sets that every player has alike are arrays; of the others there is one for each. */
static void write_sets(FILE *f, const game *g)
{
    for (int p = 0; p < g->player_count; p++) words(f, "CONST_SET", p, g->const_set[p], (size_t)g->set_consts * (size_t)g->words);
    fprintf(f, "static const uint64_t *const CONST_SETS[] = {");
    for (int p = 0; p < g->player_count; p++) fprintf(f, "CONST_SET_%d,", p);
    fprintf(f, "};\nstatic const bool SET_ALIKE[] = {");
    for (int i = 0; i < g->set_consts; i++) {
        bool alike = true;
        for (int p = 1; p < g->player_count; p++) for (int k = 0; k < g->words; k++) alike = alike && g->const_set[p][i * g->words + k] == g->const_set[0][i * g->words + k];
        fprintf(f, "%d,", alike);
    }
    fprintf(f, "0};\nstatic const int64_t CONST_NUM[] = {");
    for (int i = 0; i < g->num_consts; i++) fprintf(f, g->const_num[i] == INT64_MIN ? "INT64_MIN," : "INT64_C(%" PRId64 "),", g->const_num[i]);
    fprintf(f, "0};\n");
}

static void write_game(FILE *f, const game *g)
{
#define I(field) fprintf(f, "." #field " = %lld,\n", (long long)g->field);
#define P(field, type, name) fprintf(f, "." #field " = (" type " *)" name ",\n");
    fprintf(f, "static const game GAME = {\n");
    I(words) I(cells) I(places) I(width) I(height) I(zone_count) I(taken_first) I(taken_slots) I(player_count) I(kind_count) I(keep_count) I(serial) I(seen_first) I(round_count) I(dice_count) I(dir_count)
    I(code_count) I(mask_count) I(relation_count) I(pattern_count) I(leg_count) I(field_count) I(list_count) I(plan_count) I(plan_item_count) I(counted_count) I(shield) I(shield_kinds) I(attack_begin) I(attack_end)
    I(attack_count) I(attack_probe) I(wakes) I(wake_count) I(asked) I(all_places) I(always_count) I(flood_count) I(setup_pc) I(turn_pc) I(finish_pc) I(score_pc) I(score) I(test_moves) I(num_consts) I(num_regs) I(num_position)
    I(set_position) I(set_regs) I(set_consts) I(flag_first) I(flag_count) I(kind_first) I(player_first) I(reg_first) I(const_first) I(array_count) I(piece_keeps) I(told_keeps) I(num_base) I(prefers_first) I(prefers_deep)
    I(score_first) I(last_cell_word) I(pile_max) I(piles_alike) I(pile_stride) I(bag_count) I(uses_changed) I(uses_history) I(uses_key_of) I(uses_taken) I(uses_passed) I(has_chance) I(has_secrets) I(has_choice_in_setup)
    I(keeps_hash) I(key_whole) I(asks_turns) I(asks_passes) I(asks_extra) I(ends_ask_turn) I(turns_told) I(counts_turns) I(history_drains) I(simple_pieces) I(plain_turns) I(draws) I(zones_alike) I(drops_many) I(at_position) I(at_planes) I(at_cells) I(at_arrays) I(at_piles)
    I(at_bags) I(at_changed) I(at_registers) I(at_end) I(position_size) I(state_size) I(state_from)
    P(zones, "zone", "ZONES") P(zone_of, "int16_t", "ZONE_OF_0") P(kinds, "kind_info", "KINDS") P(codes, "code_info", "CODES") P(place_keys, "uint64_t", "PLACE_KEYS_0") P(keeps, "keep", "KEEPS")
    P(dice, "dice_info", "DICE") P(code, "ins", "CODE") P(live, "live_registers", "LIVE") P(lazy, "bool", "LAZY") P(tested, "uint8_t", "TESTED") P(onward, "bool", "ONWARD") P(masks, "register_mask", "MASKS") P(relations, "relation", "RELATIONS") P(patterns, "pattern_item", "PATTERNS")
    P(legs, "leg", "LEGS") P(fields, "field", "FIELDS") P(lists, "int32_t", "LISTS") P(plans, "plan", "PLANS") P(plan_items, "plan_item", "PLAN_ITEMS") P(attacks, "attack", "ATTACKS")
    P(counted, "counted_choice", "COUNTED") P(counted_at, "uint16_t", "COUNTED_AT_0") P(sure_ends, "uint64_t", "SURE_ENDS_0") P(end_bits, "uint8_t", "END_BITS") P(ins_words, "set_widths", "INS_WORDS")
    P(stack_size, "int16_t", "STACK_SIZE_0") P(stack_mixed, "bool", "STACK_MIXED")
    if (g->key_set) P(key_set, "uint64_t", "KEY_SET_0")
    fprintf(f, ".dirs = {\n");
    for (int i = 0; i < g->dir_count; i++) write_direction(f, &g->dirs[i], i);
    fprintf(f, "} };\n");
#undef I
#undef P
}

void native_tables(FILE *f, const game *g)
{
    fprintf(f, "_Static_assert(sizeof(game) == %zu && sizeof(ins) == %zu && sizeof(plan_item) == %zu, \"tables of another Joc\");\n", sizeof(game), sizeof(ins), sizeof(plan_item));
    write_directions(f, g);
    write_relations(f, g);
    write_pieces(f, g);
    write_fields(f, g);
    write_instructions(f, g);
    write_attacks(f, g);
    write_plans(f, g);
    native_each(f, g);
    write_counted(f, g);
    write_sets(f, g);
    write_game(f, g);
}
