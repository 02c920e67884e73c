/* Relations and fields: directions joined and met, numbers of cells. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"
#include "interp/whole.h"

value relation_const(uint64_t mask)
{
    value v = { .type = T_RELATION, .constant = true, .times = -1 };
    for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = mask;
    return v;
}

int relation_operand(compiler *c, const value *v)
{
    if (!v->constant) return v->reg;
    bool same = true;
    for (int p = 1; p < c->g->player_count; p++) same &= v->mask[p] == v->mask[0];
    if (same) return num_const(c, (int64_t)v->mask[0]);
    value plain = *v;
    plain.times = -1;
    int r = num_reg(c);
    emit(c, OP_RELATION, r, 0, 0, relation_index(c, &plain), 0);
    return r;
}

static bool leads(const direction *a, const direction *b)
{
    /* b leads at least as much the way of a as aside */
    int along = a->dx * b->dx + a->dy * b->dy, aside = a->dx * b->dy - a->dy * b->dx;
    return along > 0 && along >= (aside < 0 ? -aside : aside);
}

static bool same_way(const direction *a, const direction *b) { return !a->graph && !b->graph && a->name == b->name && a->dx == b->dx && a->dy == b->dy; }

/* Direction d with some of its steps alone: one that has just these already, or a new one (-1: there are too many). */
static int direction_with(compiler *c, int d, const uint16_t *next)
{
    game *g = c->g;
    for (int i = 0; i < g->dir_count; i++) if (same_way(&g->dirs[i], &g->dirs[d]) && memcmp(g->dirs[i].next, next, PLACES_MAX * sizeof *next) == 0) return i;
    direction x = g->dirs[d];
    x.next = NULL;
    const int index = board_direction(c, x);
    if (index < 0) return -1;
    memcpy(g->dirs[index].next, next, PLACES_MAX * sizeof *next);
    direction_finish(c, index);
    return index;
}

/* Direction d from cells of S alone, as player p has it. */
static int direction_from(compiler *c, int d, const value *s, int p)
{
    uint16_t next[PLACES_MAX];
    memset(next, 0xFF, sizeof next);
    for (int q = 0; q < c->g->cells; q++) if (const_words(s, p)[q / 64] >> (q % 64) & 1) next[q] = c->g->dirs[d].next[q];
    return direction_with(c, d, next);
}

/* Is a step of direction d from q one of `others`, too? The same direction may be there with other beginnings (`northeast from dark`). */
static bool step_shared(const game *g, int d, int q, uint64_t others)
{
    for (uint64_t m = others; m; m &= m - 1) {
        const direction *e = &g->dirs[__builtin_ctzll(m)];
        if (same_way(&g->dirs[d], e) && e->next[q] == g->dirs[d].next[q]) return true;
    }
    return false;
}

/* Of the directions of a those steps that are (not) steps of b, too. */
static uint64_t directions_part(compiler *c, uint64_t a, uint64_t b, bool in)
{
    game *g = c->g;
    uint64_t out = in ? a & b : 0;
    for (uint64_t m = a & ~b; m; m &= m - 1) {
        const int d = __builtin_ctzll(m);
        uint16_t next[PLACES_MAX];
        int some = 0, all = 0;
        memset(next, 0xFF, sizeof next);
        for (int q = 0; !g->dirs[d].graph && (g->dirs[d].dx || g->dirs[d].dy) && q < g->cells; q++) {
            if (g->dirs[d].next[q] == 0xFFFF) continue;
            all++;
            if (step_shared(g, d, q, b) != in) continue;
            next[q] = g->dirs[d].next[q];
            some++;
        }
        const int part = some == all ? (in && !all ? -1 : d) : some ? direction_with(c, d, next) : -1;
        if (part >= 0) out |= 1ull << part;
    }
    pair_opposites(g);
    return out;
}

/* Direction sets side by side: those in both; of leaps those that lead the way the compass words say. */
value relation_meet(compiler *c, value a, value b)
{
    value v = b;
    v.times = a.times >= 0 ? a.times : b.times;
    if (a.constant && b.constant) {
        const uint64_t compass = c->g->letters;
        for (int p = 0; p < PLAYERS_MAX; p++) {
            v.mask[p] = p < c->g->player_count ? directions_part(c, a.mask[p], b.mask[p], true) : a.mask[p] & b.mask[p];
            if ((a.mask[p] & ~compass) == 0 && (b.mask[p] & compass) == 0) {
                uint64_t out = 0;
                bool known;
                uint64_t forward = board_turned(c, p < c->g->player_count ? p : 0, "forward", &known), backward = board_turned(c, p < c->g->player_count ? p : 0, "backward", &known);
                for (uint64_t m = b.mask[p]; m; m &= m - 1) {
                    int d = __builtin_ctzll(m);
                    if (a.mask[p] == forward || a.mask[p] == backward) {
                        uint64_t ahead = board_turned(c, p < c->g->player_count ? p : 0, a.mask[p] == forward ? "ahead" : "behind", &known);
                        if (ahead && leads(&c->g->dirs[__builtin_ctzll(ahead)], &c->g->dirs[d])) out |= 1ull << d;
                        continue;
                    }
                    for (uint64_t q = a.mask[p]; q; q &= q - 1) if (leads(&c->g->dirs[__builtin_ctzll(q)], &c->g->dirs[d])) { out |= 1ull << d; break; }
                }
                v.mask[p] = out;
            }
        }
        return v;
    }
    v.constant = false;
    int x = relation_operand(c, &a), y = relation_operand(c, &b);
    v.reg = num_reg(c);
    emit(c, OP_BITS_AND, v.reg, x, y, 0, 0);
    return v;
}

value relation_join(compiler *c, opcode op, value a, value b)
{
    value v = a;
    if (a.constant && b.constant) {
        for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = op == OP_BITS_OR ? a.mask[p] | b.mask[p] : p < c->g->player_count ? directions_part(c, a.mask[p], b.mask[p], false) : a.mask[p] & ~b.mask[p];
        return v;
    }
    int x = relation_operand(c, &a), y = relation_operand(c, &b);
    v.constant = false;
    v.reg = num_reg(c);
    emit(c, op, v.reg, x, y, 0, 0);
    return v;
}

value relation_opposite(compiler *c, value a)
{
    if (!a.constant) {
        value v = a;
        v.reg = num_reg(c);
        for (int d = c->g->dir_count - 1; d >= 0; d--) if (c->g->dirs[d].dx || c->g->dirs[d].dy) direction_back(c, d);    /* whichever it may be */
        emit(c, OP_OPPOSITE, v.reg, a.reg, 0, 0, 0);
        return v;
    }
    for (int p = 0; p < PLAYERS_MAX; p++) {
        uint64_t out = 0;
        for (uint64_t m = a.mask[p]; m; m &= m - 1) { const int o = direction_back(c, __builtin_ctzll(m)); if (o >= 0) out |= 1ull << o; }
        a.mask[p] = out;
    }
    return a;
}

/* R from S: the same directions, only from cells of S. */
value relation_from(compiler *c, value r, value s, const node *n)
{
    if (r.type == T_ERROR || s.type == T_ERROR) return value_error();
    if (!r.constant || !s.constant) { diag_add(c->d, "E0353", n->at, "directions and cells of `from` must be known beforehand"); return value_error(); }
    game *g = c->g;
    value v = r;
    for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = 0;
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r.mask[p]; m; m &= m - 1) {
            const int d = __builtin_ctzll(m);
            if (g->dirs[d].graph) { diag_add(c->d, "E0353", n->at, "only plain directions can be restricted by `from`"); return value_error(); }
            const int index = direction_from(c, d, &s, p);
            if (index < 0) return value_error();
            v.mask[p] |= 1ull << index;
        }
    pair_opposites(g);
    for (int p = g->player_count; p < PLAYERS_MAX; p++) v.mask[p] = v.mask[0];
    return v;
}

int anywhere(compiler *c, int p)
{
    game *g = c->g;
    const char *name = arena_format(c->a, "anywhere %d", p);
    for (int i = 0; i < g->dir_count; i++) if (g->dirs[i].name && strcmp(g->dirs[i].name, name) == 0) return i;
    direction d = { .name = name, .graph = true };
    d.image = arena_alloc(c->a, PLACES_MAX * WORDS_MAX * sizeof(uint64_t));
    uint64_t all[WORDS_MAX] = { 0 };
    for (int i = 0; i < g->cells; i++) all[i / 64] |= 1ull << (i % 64);
    for (int i = 0; i < g->zone_count; i++) if (g->zones[i].owner < 0 || g->zones[i].owner == p) all[g->zones[i].place / 64] |= 1ull << (g->zones[i].place % 64);
    for (int i = 0; i < g->places && i < PLACES_MAX; i++) memcpy(d.image + i * WORDS_MAX, all, sizeof all);
    int index = board_direction(c, d);
    if (index >= 0) direction_finish(c, index);
    return index;
}

int transposed(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < g->dir_count; i++) if (g->dirs[i].name && strcmp(g->dirs[i].name, "transpose") == 0) return i;
    int index = board_direction(c, (direction){ .name = "transpose" });
    if (index < 0) return -1;
    for (int i = 0; i < g->cells; i++)
        for (int j = 0; j < g->cells; j++) if (g->cell[i].x == g->cell[j].y && g->cell[i].y == g->cell[j].x) g->dirs[index].next[i] = (uint16_t)j;
    direction_finish(c, index);
    g->dirs[index].opposite = index;
    return index;
}

value field_value(int index) { return (value){ .type = T_FIELD, .reg = index, .times = -1 }; }

static int16_t *field_table(compiler *c)
{
    int16_t *t = arena_alloc(c->a, PLACES_MAX * sizeof *t);
    for (int i = 0; i < PLACES_MAX; i++) t[i] = INT16_MIN;
    return t;
}

value const_field(compiler *c, const char *name)
{
    game *g = c->g;
    field f = { .kind = FIELD_CONST };
    const bool col = strcmp(name, "col") == 0, slanted = g->shape == 3 || g->shape == 4;
    for (int i = 0; i < g->field_count; i++) if (g->fields[i].kind == FIELD_CONST && g->fields[i].op == (col ? 'c' : 'r') ) return field_value(i);
    f.op = col ? 'c' : 'r';
    for (int p = 0; p < PLAYERS_MAX; p++) {
        f.values[p] = field_table(c);
        const int facing = p < g->player_count ? g->players[p].facing : 0;
        for (int i = 0; i < g->cells; i++) {
            int x = g->cell[i].x, y = g->cell[i].y;
            if (col && slanted) { int low = x; for (int j = 0; j < g->cells; j++) if (g->cell[j].y == y && g->cell[j].x < low) low = g->cell[j].x; x = x - low + 1; }
            f.values[p][i] = (int16_t)(col ? x : facing == 0 ? y : facing == 2 ? g->height + 1 - y : facing == 1 ? x : g->width + 1 - x);
        }
    }
    return field_value(field_add(c, f));
}

value field_arith(compiler *c, char op, value a, value b)
{
    game *g = c->g;
    const bool ca = a.type == T_FIELD ? g->fields[a.reg].kind == FIELD_CONST : a.constant, cb = b.type == T_FIELD ? g->fields[b.reg].kind == FIELD_CONST : b.constant;
    if (ca && cb) {
        field f = { .kind = FIELD_CONST };
        for (int p = 0; p < PLAYERS_MAX; p++) {
            f.values[p] = field_table(c);
            for (int i = 0; i < PLACES_MAX; i++) {
                int64_t x = a.type == T_FIELD ? g->fields[a.reg].values[p][i] : a.k, y = b.type == T_FIELD ? g->fields[b.reg].values[p][i] : b.k;
                if ((a.type == T_FIELD && x == INT16_MIN) || (b.type == T_FIELD && y == INT16_MIN)) continue;
                f.values[p][i] = (int16_t)whole(op, x, y);
            }
        }
        return field_value(field_add(c, f));
    }
    field f = { .kind = FIELD_SUM, .op = op, .left = -1, .right = -1 };
    if (a.type == T_FIELD) { f.left = a.reg; } else f.index = num_operand(c, &a);
    if (b.type == T_FIELD) { f.right = b.reg; } else { f.right_number = true; f.right = num_operand(c, &b); }
    return field_value(field_add(c, f));
}

/* The places where a field lies between two bounds (operands, 65535 open), or where it is not a number. */
value field_between(compiler *c, value f, const value *low, const value *high, bool negate)
{
    game *g = c->g;
    const field *t = &g->fields[f.reg];
    if (t->kind == FIELD_CONST && (!low || low->constant) && (!high || high->constant)) {
        value s = value_const_set(c);
        for (int p = 0; p < PLAYERS_MAX; p++)
            for (int i = 0; i < g->places; i++) {
                int64_t x = t->values[p][i];
                if (x == INT16_MIN) continue;
                bool in = (!low || x >= low->k) && (!high || x <= high->k);
                if (in != negate) const_words(&s, p)[i / 64] |= 1ull << (i % 64);
            }
        return s;
    }
    int lo = low ? num_operand(c, low) : 65535, hi = high ? num_operand(c, high) : 65535;
    value s = value_reg(T_SET, set_reg(c));
    if (negate) emit(c, OP_S_FIELD_NOT, s.reg, 0, lo, f.reg, 0);
    else emit(c, OP_S_FIELD, s.reg, 0, lo, f.reg, hi);
    return s;
}

value plus(compiler *c, value v, int64_t k)
{
    if (v.constant) { v.k = whole_add(v.k, k); return v; }
    value r = value_reg(T_NUMBER, num_reg(c));
    emit(c, OP_ADD, r.reg, v.reg, num_const(c, k), 0, 0);
    return r;
}

value place_value(int reg) { return value_reg(T_PLACE, reg); }
