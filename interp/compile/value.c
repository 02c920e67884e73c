/* Values: what an expression came to, and the operands that hold it.
 *
 * A value is a constant (numbers, truths, sets per player, relations, kinds) until an instruction needs an operand. Registers are taken
 * in a stack: a statement gives back what it took, a name keeps its own until its scope ends. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "compile.h"

const char *const type_names[T_COUNT] = {
    "something that is not understood", "a set of cells", "a place", "directions", "a number", "a number of each cell", "a yes or no", "a kind of piece", "a player", "players",
    "a bag of numbers", "a range", "a word", "a number of pieces",
};

value value_error(void) { return (value){ .type = T_ERROR, .times = -1 }; }
value value_number(int64_t k) { return (value){ .type = T_NUMBER, .constant = true, .k = k, .times = -1 }; }
value value_truth(bool k) { return (value){ .type = T_TRUTH, .constant = true, .k = k, .times = -1 }; }
value value_reg(type t, int reg) { return (value){ .type = t, .reg = reg, .times = -1, .zone_player = -1 }; }

value value_const_set(compiler *c)
{
    value v = { .type = T_SET, .constant = true, .times = -1, .zone_player = -1 };
    v.sets = arena_alloc(c->a, PLAYERS_MAX * WORDS_MAX * sizeof *v.sets);
    return v;
}

uint64_t *const_words(const value *v, int p) { return v->sets + p * WORDS_MAX; }

int num_const(compiler *c, int64_t k)
{
    game *g = c->g;
    for (int i = 0; i < g->num_consts; i++) if (g->const_num[i] == k) return i;
    g->const_num = grow(g->const_num, &c->const_num_capacity, g->num_consts + 1, sizeof *g->const_num);
    g->const_num[g->num_consts] = k;
    return g->num_consts++;
}

int num_reg(compiler *c)
{
    int r = c->num_top++;
    if (c->num_top > c->num_most) c->num_most = c->num_top;
    return REGS + r;
}

int set_reg(compiler *c)
{
    int r = c->set_top++;
    if (c->set_top > c->set_most) c->set_most = c->set_top;
    return SET_REGS + r;
}

int bag_reg(compiler *c)
{
    int r = c->bag_top++;
    if (c->bag_top > c->bag_most) c->bag_most = c->bag_top;
    return r;
}

int under_until(const compiler *c) { return c->until_chance ? CHANCE_MAY_VOID : 0; }

uint32_t emit(compiler *c, opcode op, int a, int b, int cc, int32_t d, int32_t e)
{
    game *g = c->g;
    int capacity = (int)c->code_capacity;
    g->code = grow(g->code, &capacity, (int)g->code_count + 1, sizeof *g->code);
    c->code_capacity = (uint32_t)capacity;
    g->code[g->code_count] = (ins){ (uint16_t)op, (uint16_t)a, (uint16_t)b, (uint16_t)cc, d, e };
    origin_note(c, g->code_count);
    return g->code_count++;
}

int name_index(compiler *c, const char *name)
{
    game *g = c->g;
    for (int i = 0; i < g->name_count; i++) if (strcmp(g->names[i], name) == 0) return i;
    g->names = grow(g->names, &c->name_capacity, g->name_count + 1, sizeof *g->names);
    g->names[g->name_count] = name;
    return g->name_count++;
}

int list_add(compiler *c, const int32_t *items, int count)
{
    game *g = c->g;
    g->lists = grow(g->lists, &c->list_capacity, g->list_count + count + 1, sizeof *g->lists);
    for (int i = 0; i < count; i++) g->lists[g->list_count + i] = items[i];
    g->list_count += count;
    return g->list_count - count;
}

int field_add(compiler *c, field f)
{
    game *g = c->g;
    for (int i = 0; i < g->field_count; i++) {
        const field *o = &g->fields[i];
        if (f.kind == o->kind && f.kind != FIELD_SUM && f.kind != FIELD_CONST && f.index == o->index && f.offset == o->offset && f.of_pieces == o->of_pieces) return i;
        if (f.kind == FIELD_CONST && o->kind == FIELD_CONST && f.values[0] == o->values[0]) return i;
    }
    g->fields = grow(g->fields, &c->field_capacity, g->field_count + 1, sizeof *g->fields);
    g->fields[g->field_count] = f;
    return g->field_count++;
}

/* ---- operands ---------------------------------------------------------------------------------------------------------------------------------------- */
int num_operand(compiler *c, const value *v)
{
    switch (v->type) {
    case T_NUMBER: case T_TRUTH: case T_PLAYER: case T_PLACE: case T_WORD:
        return v->constant ? num_const(c, v->k) : v->reg;
    case T_RELATION: return v->constant ? num_const(c, (int64_t)v->mask[0]) : v->reg;
    case T_PLAYERS: return v->constant ? num_const(c, (int64_t)v->mask[0]) : v->reg;
    case T_KINDS: return v->constant ? num_const(c, v->kind_count ? c->g->lists[v->kinds] : -1) : v->reg;
    default: return num_const(c, 0);
    }
}

static value all_cells(compiler *c)
{
    value v = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++)
        for (int i = 0; i < c->g->cells; i++) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
    return v;
}

int set_operand(compiler *c, const value *v)
{
    game *g = c->g;
    if (v->type == T_PLACE) {
        if (v->constant) {
            value s = value_const_set(c);
            if (v->k >= 0) for (int p = 0; p < PLAYERS_MAX; p++) const_words(&s, p)[v->k / 64] |= 1ull << (v->k % 64);
            return set_operand(c, &s);
        }
        int r = set_reg(c);
        emit(c, OP_S_PLACE, r, v->reg, 0, 0, 0);
        return r;
    }
    if (v->attacked) {
        value cells = all_cells(c);
        int r = set_reg(c);
        emit(c, OP_S_ATTACKED, r, set_operand(c, &cells), 0, 0, 0);
        return r;
    }
    if (!v->constant) return v->reg;
    const size_t size = PLAYERS_MAX * WORDS_MAX;
    for (int i = 0; i < g->set_consts; i++) if (memcmp(g->const_set[0] + (size_t)i * size, v->sets, size * sizeof(uint64_t)) == 0) return SET_CONSTS + i;
    g->const_set[0] = grow(g->const_set[0], &c->const_set_capacity, g->set_consts + 1, size * sizeof(uint64_t));
    memcpy(g->const_set[0] + (size_t)g->set_consts * size, v->sets, size * sizeof(uint64_t));
    return SET_CONSTS + g->set_consts++;
}

int relation_index(compiler *c, const value *v)
{
    game *g = c->g;
    relation r = { .reg = v->constant ? -1 : v->reg, .times = v->times };
    if (v->constant) memcpy(r.mask, v->mask, sizeof r.mask);
    for (int i = 0; i < g->relation_count; i++) if (memcmp(&g->relations[i], &r, sizeof r) == 0) return i;
    g->relations = grow(g->relations, &c->relation_capacity, g->relation_count + 1, sizeof *g->relations);
    g->relations[g->relation_count] = r;
    return g->relation_count++;
}

/* ---- sets ------------------------------------------------------------------------------------------------------------------------------------------------ */
/* Of a leg's cells only those on its way from here matter: `attacked` and `where` are dear, and asked of them alone. */
int within_way(compiler *c, int x)
{
    if (!c->way) return x;
    const value cells = all_cells(c);
    const int here = set_reg(c), near = set_reg(c);
    emit(c, OP_S_PLACE, here, POSITION + H_HERE, 0, 0, 0);
    if (c->one_step) emit(c, OP_S_IMAGE, near, here, 0, c->way - 1, -1);
    else emit(c, OP_S_REACH, near, here, set_operand(c, &cells), c->way - 1, 0);
    emit(c, OP_S_AND, near, x, near, 0, 0);
    return near;
}

static value combine(compiler *c, opcode op, const value *a, const value *b)
{
    value v;
    if (op == OP_S_AND && a->attacked) { const value *t = a; a = b; b = t; }
    if (b->attacked && !a->attacked && op != OP_S_OR) {
        int x = within_way(c, set_operand(c, a));
        v = value_reg(T_SET, set_reg(c));
        emit(c, OP_S_ATTACKED, v.reg, x, 0, 0, 0);
        if (op == OP_S_ANDN) emit(c, OP_S_ANDN, v.reg, x, v.reg, 0, 0);
        return v;
    }
    if (a->constant && b->constant && a->type == T_SET && b->type == T_SET) {
        v = value_const_set(c);
        for (int i = 0; i < PLAYERS_MAX * WORDS_MAX; i++)
            v.sets[i] = op == OP_S_AND ? a->sets[i] & b->sets[i] : op == OP_S_OR ? a->sets[i] | b->sets[i] : a->sets[i] & ~b->sets[i];
        return v;
    }
    int x = set_operand(c, a), y = set_operand(c, b);
    v = value_reg(T_SET, set_reg(c));
    emit(c, op, v.reg, x, y, 0, 0);
    return v;
}

value set_and(compiler *c, value a, value b) { return combine(c, OP_S_AND, &a, &b); }
value set_or(compiler *c, value a, value b) { return combine(c, OP_S_OR, &a, &b); }
value set_minus(compiler *c, value a, value b) { return combine(c, OP_S_ANDN, &a, &b); }

/* Complements are of the board. */
value set_not(compiler *c, value a) { return set_minus(c, all_cells(c), a); }

/* Pieces off the board, in zones or taken, are meant only where that is said. */
value set_on_board(compiler *c, value a) { return c->zone_decls || c->g->taken_slots ? set_and(c, a, all_cells(c)) : a; }

static value owned_by(compiler *c, value v)
{
    value s = value_reg(T_SET, 0);
    if (v.constant) { s.reg = v.k < 0 ? SET_NEUTRAL : SET_PLAYERS + (int)v.k; return s; }
    s.reg = set_reg(c);
    emit(c, OP_S_OWNED, s.reg, v.reg, 0, 0, 0);
    return s;
}

value set_of_kinds(compiler *c, value v)
{
    value s = value_reg(T_SET, 0);
    if (!v.constant) {
        s.reg = set_reg(c);
        emit(c, OP_S_KIND, s.reg, v.reg, 0, 0, 0);
        return s;
    }
    if (v.kind_count == 0) return value_const_set(c);
    s.reg = c->g->kind_first + c->g->lists[v.kinds];
    for (int i = 1; i < v.kind_count; i++) {
        int r = set_reg(c);
        emit(c, OP_S_OR, r, s.reg, c->g->kind_first + c->g->lists[v.kinds + i], 0, 0);
        s.reg = r;
    }
    return s;
}

static int numbered_cell(compiler *c, int64_t k) { return cell_named(c->g, arena_format(c->a, "%lld", (long long)k)); }

value to_set(compiler *c, value v, const node *n)
{
    switch (v.type) {
    case T_SET: case T_ERROR: return v;
    case T_PLACE:
        if (!v.constant) return v;
        {
            value s = value_const_set(c);
            s.named = v.named;
            if (v.k >= 0) for (int p = 0; p < PLAYERS_MAX; p++) const_words(&s, p)[v.k / 64] |= 1ull << (v.k % 64);
            return s;
        }
    case T_KINDS: return c->off_board ? set_of_kinds(c, v) : set_on_board(c, set_of_kinds(c, v));
    case T_PLAYER: if (v.none) return value_const_set(c); return owned_by(c, v);
    case T_NUMBER:
        if (v.constant && numbered_cell(c, v.k) >= 0) {
            value s = value_const_set(c);
            int x = numbered_cell(c, v.k);
            s.named = true;
            for (int p = 0; p < PLAYERS_MAX; p++) const_words(&s, p)[x / 64] |= 1ull << (x % 64);
            return s;
        }
        break;
    case T_RANGE:
        if (v.low_constant && v.high_constant && numbered_cell(c, v.low_k) >= 0 && numbered_cell(c, v.high_k) >= 0) {
            value s = value_const_set(c);
            s.named = true;
            for (int64_t k = v.low_k; k <= v.high_k; k++) {
                int x = numbered_cell(c, k);
                if (x >= 0) for (int p = 0; p < PLAYERS_MAX; p++) const_words(&s, p)[x / 64] |= 1ull << (x % 64);
            }
            return s;
        }
        break;
    case T_BAG:
        if (v.constant && v.kind_count && numbered(c->g)) {
            value s = value_const_set(c);
            s.named = true;
            for (int i = 0; i < v.kind_count; i++) {
                int x = numbered_cell(c, c->g->lists[v.kinds + i]);
                if (x < 0) { if (!c->board_broken) diag_add(c->d, "E0350", n->at, "there is no cell %d", (int)c->g->lists[v.kinds + i]); return value_error(); }
                for (int p = 0; p < PLAYERS_MAX; p++) const_words(&s, p)[x / 64] |= 1ull << (x % 64);
            }
            return s;
        }
        break;
    default: break;
    }
    return set_wanted(c, v, n);
}

value to_bag(compiler *c, value v, const node *n)
{
    if (v.type == T_BAG || v.type == T_ERROR) return v;
    if (v.type == T_NUMBER) {
        int b = bag_reg(c);
        emit(c, OP_BAG_CLEAR, b, 0, 0, 0, 0);
        emit(c, OP_BAG_ADD, b, num_operand(c, &v), 0, 0, 0);
        return value_reg(T_BAG, b);
    }
    diag_add(c->d, "E0351", n->at, "numbers are wanted here, found %s", type_names[v.type]);
    return value_error();
}

/* ---- truths ------------------------------------------------------------------------------------------------------------------------------------------------ */
value truth_not(compiler *c, value a)
{
    if (a.type == T_ERROR) return a;
    if (a.constant) return value_truth(!a.k);
    value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_NOT, v.reg, a.reg, 0, 0, 0);
    return v;
}

value truth_and(compiler *c, value a, value b)
{
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (a.constant) return a.k ? b : a;
    if (b.constant) return b.k ? a : b;
    value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_BITS_AND, v.reg, a.reg, b.reg, 0, 0);
    return v;
}

void bind(compiler *c, const char *name, value v)
{
    c->env = grow(c->env, &c->env_capacity, c->env_count + 1, sizeof *c->env);
    c->env[c->env_count++] = (binding){ name, v };
}
