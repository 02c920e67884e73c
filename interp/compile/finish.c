/* The final form: what was made with provisional operands becomes the tables that the machine reads.
 *
 * While code is made, operands are numbered by sort (constants, registers, the position: compile.h), for how many there will be of each is
 * known only at the end. Here they get their places, sets their width, directions their rays, attacks their way back, and the state its
 * layout; then the code is tidied (tidy.c) and looked through for what can be done for all pieces at once (plan.c). */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "compile.h"
#include "flow.h"
#include "interp/machine/hash.h"
#include "interp/machine/machine.h"

static int final_operand(const game *g, int x)
{
    if (x == 65535) return x;
    if (x >= SET_CONSTS) return g->const_first + x - SET_CONSTS;
    if (x >= SET_REGS) return g->reg_first + x - SET_REGS;
    if (x >= POSITION) return g->num_base + x - POSITION;
    if (x >= REGS) return g->num_consts + x - REGS;
    return x;
}

/* Rounds whose code was thrown away are none. */
static void finish_rounds(game *g)
{
    int n = 0;
    for (int i = 0; i < g->round_count; i++) {
        const uint32_t begin = g->rounds[i].begin, end = g->rounds[i].end;
        if (end > g->code_count || g->code[begin].op != OP_EVERYONE || g->code[end - 1].op != OP_COMMIT) continue;
        g->rounds[n].begin = begin;
        g->rounds[n++].end = end;
    }
    g->round_count = n;
    g->has_secrets |= n > 0;
}

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* How many blocks with preferences may be around a run: as many as there are, unless one stands where code goes back. */
static int prefers_deep(const game *g)
{
    int blocks = 0;
    for (uint32_t i = 0; i < g->code_count; i++) {
        uint32_t next[64];
        const int n = flow_successors(g, i, next, 64);
        blocks += g->code[i].op == OP_PREFER_FROM;
        if (n == 64) return FRAMES_MAX;
        for (int j = 0; j < n; j++)
            for (uint32_t between = next[j]; between <= i; between++) if (g->code[between].op == OP_PREFER_FROM) return FRAMES_MAX;
    }
    return blocks < FRAMES_MAX ? blocks : FRAMES_MAX;
}

/* Preferences are the last numbers of the position: those that no run needs are left out. */
static void finish_prefers(game *g)
{
    g->prefers_deep = g->prefers_first ? prefers_deep(g) : 0;
    if (g->prefers_first) g->num_position -= (FRAMES_MAX - g->prefers_deep) * PREFERS_MAX;
}

static void finish_operands(compiler *c)
{
    game *g = c->g;
    finish_prefers(g);
    g->num_regs = c->num_most;
    g->set_regs = c->set_most;
    g->num_base = g->num_consts + g->num_regs;
    g->reg_first = g->flag_first + g->flag_count + (g->pile_max > 1);       /* the last plane: where more than one piece stands */
    g->const_first = g->reg_first + g->set_regs;
    for (uint32_t i = 0; i < g->code_count; i++) {
        ins *x = &g->code[i];
        x->a = (uint16_t)final_operand(g, x->a);
        x->b = (uint16_t)final_operand(g, x->b);
        x->c = (uint16_t)final_operand(g, x->c);
        switch ((opcode)x->op) {
        case OP_CHOOSE: case OP_S_CHOOSE: x->d = final_operand(g, x->d); break;
        case OP_S_IMAGE: case OP_STEP_FROM: case OP_S_LINE: case OP_S_FIELD: if (x->e >= 0) x->e = final_operand(g, x->e); break;
        case OP_S_BETWEEN: { uint32_t e = (uint32_t)x->e; x->e = (int32_t)((e & 0xFFFF0000u) | (uint32_t)final_operand(g, (int)(e & 0xFFFF))); break; }
        case OP_SEND: case OP_SEND_ZONE: if (x->d >= 0) x->d = final_operand(g, x->d); break;
        default: break;
        }
    }
    for (int i = 0; i < g->relation_count; i++) { relation *r = &g->relations[i]; if (r->reg >= 0) r->reg = final_operand(g, r->reg); if (r->times >= 0) r->times = final_operand(g, r->times); }
    for (int i = 0; i < g->leg_count; i++) if (g->legs[i].target >= 0) g->legs[i].target = final_operand(g, g->legs[i].target);
    for (int i = 0; i < g->pattern_count; i++) g->patterns[i].set = (uint16_t)final_operand(g, g->patterns[i].set);
    for (int i = 0; i < g->field_count; i++) {
        field *f = &g->fields[i];
        if (f->kind != FIELD_SUM) continue;
        if (f->left < 0) f->index = final_operand(g, f->index);
        if (f->right_number) f->right = final_operand(g, f->right);
    }
    for (int i = 0; i < g->attack_count; i++) { attack *a = &g->attacks[i]; a->guard = final_operand(g, a->guard); a->from = final_operand(g, a->from); if (a->target >= 0) a->target = final_operand(g, a->target); }
    for (int i = 0; i < g->keep_count; i++) if (g->keeps[i].of == KEEP_GAME || g->keeps[i].of == KEEP_PLAYER) g->keeps[i].where = final_operand(g, g->keeps[i].where);
    for (int i = 0; i < g->dice_count; i++) { g->dice[i].number = final_operand(g, g->dice[i].number); g->dice[i].fixed = final_operand(g, g->dice[i].fixed); }
    for (int i = 0; i < g->check_count; i++) g->checks[i].result = final_operand(g, g->checks[i].result);
    g->score = final_operand(g, g->score);
    g->score_first = final_operand(g, g->score_first);
    g->prefers_first = final_operand(g, g->prefers_first);
    g->test_moves = final_operand(g, g->test_moves);
    g->asked = final_operand(g, c->asked_set);
    g->all_places = final_operand(g, g->all_places);
}

static void finish_sets(compiler *c)
{
    game *g = c->g;
    const size_t w = (size_t)g->words;
    uint64_t *raw = g->const_set[0];
    for (int p = 0; p < PLAYERS_MAX; p++) g->const_set[p] = NULL;
    for (int p = 0; p < g->player_count; p++) {
        g->const_set[p] = arena_alloc(c->a, (size_t)(g->set_consts + 1) * w * sizeof(uint64_t));
        for (int i = 0; i < g->set_consts; i++) memcpy(g->const_set[p] + (size_t)i * w, raw + ((size_t)i * PLAYERS_MAX + (size_t)p) * WORDS_MAX, w * sizeof(uint64_t));
    }
    free(raw);
    for (int d = 0; d < g->dir_count; d++)
        if (g->dirs[d].graph) {
            uint64_t *image = arena_alloc(c->a, (size_t)(g->places + 1) * w * sizeof(uint64_t));
            for (int p = 0; p < g->places; p++) memcpy(image + (size_t)p * w, g->dirs[d].image + p * WORDS_MAX, w * sizeof(uint64_t));
            g->dirs[d].image = image;
        }
    if (g->key_set) { uint64_t *k = arena_alloc(c->a, WORDS_MAX * sizeof(uint64_t)); memcpy(k, g->key_set, WORDS_MAX * sizeof(uint64_t)); g->key_set = k; }
}

/* Does the direction lead to greater numbers alone, or to lesser ones? Then a ray is a set, and what is first on it is its first or last place. */
static bool leads_one_way(const game *g, direction *d)
{
    if (d->graph || d->off_board) return false;
    int up = 0, down = 0;
    for (int p = 0; p < g->cells; p++) if (d->next[p] != 0xFFFF) { if (d->next[p] > p) up++; else down++; }
    d->rising = up > 0;
    return !up != !down;
}

/* Rays of the regular directions, if anything slides, or lines are looked for from somewhere. */
static void finish_rays(compiler *c)
{
    game *g = c->g;
    const size_t w = (size_t)g->words;
    bool slides = false;
    for (int i = 0; i < g->leg_count; i++) slides |= g->legs[i].slide;
    for (uint32_t pc = 0; pc < g->code_count; pc++) slides |= g->code[pc].op == OP_S_BETWEEN;
    for (int i = 0; i < g->dir_count; i++) if (!slides) g->dirs[i].rays = NULL;
    for (int i = 0; slides && i < g->dir_count; i++) {
        direction *d = &g->dirs[i];
        d->rays = NULL;
        if (!leads_one_way(g, d)) continue;
        d->rays = arena_alloc(c->a, (size_t)(g->cells + 1) * w * sizeof(uint64_t));
        for (int p = 0; p < g->cells; p++) for (int x = d->next[p]; x != 0xFFFF; x = d->next[x]) d->rays[(size_t)p * w + (size_t)x / 64] |= 1ull << (x % 64);
    }
}

enum { REVERSE_MOST = 100000 };     /* words */

/* A slide: whoever stands on one of these lines may look down on the cell. */
static void reverse_lines(compiler *c, attack *a)
{
    const game *g = c->g;
    const size_t w = (size_t)g->words, size = (size_t)g->player_count * (size_t)g->cells * w;
    if (size > REVERSE_MOST) return;
    a->reverse = arena_alloc(c->a, size * sizeof *a->reverse);
    for (size_t p = 0; p < (size_t)g->player_count; p++)
        for (uint64_t m = a->back[p]; m; m &= m - 1)
            for (size_t k = 0; k < (size_t)g->cells * w; k++) a->reverse[p * (size_t)g->cells * w + k] |= g->dirs[__builtin_ctzll(m)].rays[k];
}

/* For each attack, how it is seen from the cell attacked. */
static void finish_attacks(compiler *c)
{
    game *g = c->g;
    const size_t w = (size_t)g->words;
    for (int i = 0; i < g->attack_count; i++) {
        attack *a = &g->attacks[i];
        const leg *l = &g->legs[a->leg];
        const relation *r = &g->relations[l->relation];
        a->reverse = NULL;
        if (r->reg >= 0 || r->times >= 0 || l->pattern_count) continue;
        if (l->slide) {
            bool good = true;
            for (int p = 0; p < g->player_count; p++) {
                a->back[p] = 0;
                for (uint64_t m = r->mask[p]; m; m &= m - 1) {
                    int o = g->dirs[__builtin_ctzll(m)].opposite;
                    if (o < 0 || !g->dirs[o].rays) good = false;
                    else a->back[p] |= 1ull << o;
                }
            }
            if (good) reverse_lines(c, a);
            continue;
        }
        const size_t size = (size_t)g->player_count * (size_t)g->cells * w;
        if (size > REVERSE_MOST) continue;
        a->reverse = arena_alloc(c->a, size * sizeof *a->reverse);
        for (int p = 0; p < g->player_count; p++)
            for (uint64_t m = r->mask[p]; m; m &= m - 1) {
                const direction *d = &g->dirs[__builtin_ctzll(m)];
                for (int x = 0; x < g->cells; x++)
                    for (int y = 0; y < g->cells; y++)
                        if (d->graph ? (d->image[(size_t)x * w + (size_t)y / 64] >> (y % 64) & 1) != 0 : d->next[x] == y)
                            a->reverse[((size_t)p * (size_t)g->cells + (size_t)y) * w + (size_t)x / 64] |= 1ull << (x % 64);
            }
    }
}

/* Of one owner are the pieces of a stack that is not `of any`, unless some change hands, or one is put under others. */
static bool piles_alike(const game *g)
{
    bool alike = g->pile_max > 1 && g->kind_count == 1 && !g->piece_keeps;
    for (int p = 0; p < g->cells; p++) alike &= !g->stack_mixed[p];
    for (uint32_t i = 0; i < g->code_count; i++) alike &= g->code[i].op != OP_BECOME_OWNER && !(g->code[i].op == OP_SEND && g->code[i].c & 1);
    return alike;
}

static void finish_layout(game *g)
{
    const size_t w = (size_t)g->words * sizeof(uint64_t);
    size_t at = ((size_t)g->num_consts) * sizeof(int64_t);
    g->state_from = at;
    at += (size_t)g->num_regs * sizeof(int64_t);
    g->at_position = at;
    at += (size_t)g->num_position * sizeof(int64_t);
    g->at_planes = at;
    at += (size_t)g->reg_first * w;
    g->at_cells = at;
    at = round_up(at + (size_t)g->places * sizeof(uint16_t), 8);
    g->at_arrays = at;
    at = round_up(at + (size_t)g->array_count * (size_t)g->places * sizeof(int16_t), 8);
    g->at_piles = at;
    /* a count, then the pieces: their codes alone where nothing is kept of pieces, one code for all where they are alike */
    g->piles_alike = piles_alike(g);
    g->pile_stride = g->piles_alike ? 4 : g->piece_keeps ? 8 + (size_t)g->pile_max * 16 : round_up(2 + (size_t)g->pile_max * 2, 8);
    at = round_up(at + (g->pile_max > 1 ? (size_t)g->cells + 1 : 1) * g->pile_stride, 8);
    g->at_bags = at;
    at = round_up(at + (size_t)g->bag_count * (BAG_MAX + 1) * sizeof(int16_t), 8);
    g->at_changed = at;
    if (g->uses_changed) at = round_up(at + (size_t)g->cells * sizeof(uint16_t), 8);
    g->position_size = at - g->at_position;
    g->at_registers = at;
    at += (size_t)g->set_regs * w;
    g->at_end = at;
    g->state_size = at - g->state_from;
    g->at_position -= g->state_from;        /* within a state */
    g->machine = g->words == 1 ? &machine_1 : g->words == 2 ? &machine_2 : g->words == 4 ? &machine_4 : g->words == 8 ? &machine_8 : &machine_16;
}

enum { VALUES_MAX = 256 };

/* Of fields that never change: the places with no greater value than each there is. */
static void finish_fields(compiler *c)
{
    game *g = c->g;
    const size_t w = (size_t)g->words;
    for (int i = 0; i < g->field_count; i++) {
        field *f = &g->fields[i];
        memset(f->upto, 0, sizeof f->upto);
        if (f->kind != FIELD_CONST) continue;
        f->least = INT16_MAX;
        f->most = INT16_MIN;
        for (int p = 0; p < g->player_count; p++)
            for (int x = 0; x < g->places; x++) {
                const int number = f->values[p][x];
                if (number == INT16_MIN) continue;
                if (number < f->least) f->least = number;
                if (number > f->most) f->most = number;
            }
        if (f->least > f->most || f->most - f->least >= VALUES_MAX) continue;
        for (int p = 0; p < g->player_count; p++) {
            f->upto[p] = arena_alloc(c->a, (size_t)(f->most - f->least + 2) * w * sizeof(uint64_t));
            for (int x = 0; x < g->places; x++)
                for (int to = f->values[p][x]; to >= f->least && to <= f->most; to++) f->upto[p][(size_t)(to - f->least + 1) * w + (size_t)x / 64] |= 1ull << (x % 64);
        }
    }
}

/* The planes of each piece code, and the shares of a key. */
static void finish_codes(compiler *c)
{
    game *g = c->g;
    const int kinds = g->kind_count + 1, codes = 1 + (g->player_count + 1) * kinds;
    g->codes = arena_alloc(c->a, (size_t)codes * sizeof *g->codes);
    for (int i = 1; i < codes; i++) {
        const int owner = (i - 1) / kinds - 1, k = (i - 1) % kinds;
        g->codes[i] = (code_info){ .owner = (int16_t)owner, .kind = (int16_t)k, .owner_plane = (int16_t)(owner < 0 ? SET_NEUTRAL : SET_PLAYERS + owner),
                                   .kind_plane = (int16_t)(k < g->kind_count ? g->kind_first + k : -1), .key = mix(0x9C0DE + (uint64_t)i) | 1 };
    }
    g->place_keys = arena_alloc(c->a, (size_t)(WORDS_MAX * 64 + 1) * sizeof *g->place_keys);
    for (int p = 0; p < g->taken_first; p++) g->place_keys[p] = mix(p < g->cells ? (uint64_t)p + 1 : (uint64_t)g->zone_of[p] + 100000) | 1;
}

/* Is nothing to be forgotten when a turn begins but numbers of the header? */
static bool plain_turns(const game *g)
{
    bool plain = !g->taken_slots && !g->uses_passed && !g->dice_count && !g->uses_changed;
    for (int i = 0; i < g->keep_count; i++) plain &= !g->keeps[i].turn;
    return plain;
}

/* Is the set of `repeats of` all cells, with pieces nowhere else and nothing kept of them? */
static bool key_whole(const game *g)
{
    bool whole = g->key_set && g->simple_pieces && !g->zone_count;
    for (int p = 0; p < g->cells && whole; p++) whole = g->key_set[p / 64] >> (p % 64) & 1;
    return whole;
}

/* Are the pieces in a zone that somebody owns all alike? They are his; so of one kind, with nothing kept of them. */
static bool zones_alike(const game *g)
{
    if (g->kind_count != 1 || g->piece_keeps) return false;
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_BECOME_OWNER || i->op == OP_BECOME_KIND) return false;
        if (i->op == OP_PLACE || i->op == OP_PLACE_ZONE || i->op == OP_DROP) for (int j = 0; j < i->e; j++) if (g->lists[i->d + j] != 0) return false;
    }
    return true;
}

void finish_hash(game *g)
{
    uint64_t h = 0x6A6F63;
    for (uint32_t i = 0; i < g->code_count; i++) {
        const ins *x = &g->code[i];
        h = mix(h ^ ((uint64_t)x->op << 48 | (uint64_t)x->a << 32 | (uint64_t)x->b << 16 | x->c));
        h = mix(h ^ ((uint64_t)(uint32_t)x->d << 32 | (uint32_t)x->e));
    }
    for (int i = 0; i < g->num_consts; i++) h = mix(h ^ (uint64_t)g->const_num[i]);
    for (int p = 0; p < g->player_count; p++) for (size_t i = 0; i < (size_t)g->set_consts * (size_t)g->words; i++) h = mix(h ^ g->const_set[p][i]);
    for (int i = 0; i < g->list_count; i++) h = mix(h ^ (uint64_t)(uint32_t)g->lists[i]);
    for (int d = 0; d < g->dir_count; d++) for (int p = 0; !g->dirs[d].graph && p < g->places; p++) h = mix(h ^ g->dirs[d].next[p]);
    for (int i = 0; i < g->option_count; i++) for (const char *t = g->option_values[i]; *t; t++) h = mix(h ^ (uint64_t)(unsigned char)*t);
    g->hash = h;
}

static void finish_options(compiler *c)
{
    game *g = c->g;
    g->option_names = arena_alloc(c->a, (size_t)(c->option_count + 1) * sizeof *g->option_names);
    g->option_values = arena_alloc(c->a, (size_t)(c->option_count + 1) * sizeof *g->option_values);
    g->option_count = c->option_count;
    for (int i = 0; i < c->option_count; i++) {
        g->option_names[i] = arena_copy(c->a, c->options[i].name, strlen(c->options[i].name));
        g->option_values[i] = arena_copy(c->a, c->options[i].value, strlen(c->options[i].value));
    }
}

static void count_drops(game *g)
{
    int only = -1;
    for (uint32_t i = 0; i < g->code_count; i++) {
        if (g->code[i].op == OP_DROP_FROM) g->drops_many |= g->kind_count > 1;
        if (g->code[i].op != OP_DROP) continue;
        for (int32_t j = 0; j < g->code[i].e; j++) {
            int k = g->lists[g->code[i].d + j];
            if (only >= 0 && k != only) g->drops_many = true;
            only = k;
        }
    }
}

void finish_game(compiler *c)
{
    game *g = c->g;
    finish_rounds(g);
    finish_operands(c);
    finish_sets(c);
    finish_options(c);
    finish_layout(g);
    finish_codes(c);
    g->plain_turns = plain_turns(g);
    g->simple_pieces = g->pile_max == 1 && g->piece_keeps == 0;
    g->key_whole = key_whole(g);
    finish_fields(c);
    finish_rays(c);
    finish_attacks(c);
    bool asks = false;
    for (uint32_t i = 0; i < g->code_count; i++) asks |= g->code[i].op == OP_REPEATS || g->code[i].op == OP_SINCE || g->code[i].op == OP_ALWAYS;
    g->uses_history = asks;
    tidy_code(c);
    plans_build(c);
    count_drops(g);
    g->zones_alike = zones_alike(g);
}
