/* Expressions: from words side by side to values. docs/language.md, section 3, says what each form means. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "interp/whole.h"

static const node *kid(const node *n, int i) { return n && i < n->count ? n->kids[i] : NULL; }
static bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }
#define HEAD(x) (POSITION + (x))

const char *print_short(compiler *c, const node *n)
{
    char *t = n ? node_print(n) : NULL;
    if (!t) return "...";
    char *copy = arena_copy(c->a, t, strlen(t));
    free(t);
    return copy;
}

bool speaks_of(const node *n, const char *name)
{
    if (!n) return false;
    if (n->kind == NODE_E_NAME && strcmp(n->text, name) == 0) return true;
    for (int i = 0; i < n->count; i++) if (speaks_of(n->kids[i], name)) return true;
    return false;
}

static const binding *env_find(const compiler *c, const char *name)
{
    for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, name) == 0) return &c->env[i];
    return NULL;
}

/* ---- what something will come to ------------------------------------------------------------------------------------------------------------------ */
static type keep_read_type(const keep *k)
{
    if (k->of == KEEP_CELL || k->of == KEEP_PIECE) return k->type == KEEP_FLAG ? T_SET : T_FIELD;
    switch (k->type) {
    case KEEP_FLAG: return T_TRUTH;
    case KEEP_NUMBER: return T_NUMBER;
    case KEEP_IN_CELLS: return T_PLACE;
    case KEEP_IN_WAYS: return T_RELATION;
    case KEEP_IN_KINDS: return T_KINDS;
    default: return T_PLAYER;
    }
}

static type let_type(compiler *c, const symbol *s)
{
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_LET || strcmp(n->text, s->name) != 0) continue;
        if (++c->let_depth > 40) { c->let_depth--; return T_ERROR; }
        type t = static_type(c, kid(n, 1));
        c->let_depth--;
        return t;
    }
    return T_ERROR;
}

static type name_type(compiler *c, const char *name)
{
    static const struct { const char *name; type t; } words[] = {
        { "row", T_FIELD }, { "col", T_FIELD }, { "value", T_FIELD }, { "height", T_FIELD }, { "neighbours", T_RELATION }, { "knight", T_RELATION }, { "anywhere", T_RELATION },
        { "transpose", T_RELATION }, { "ways", T_RELATION }, { "here", T_PLACE }, { "start", T_PLACE }, { "it", T_PLACE }, { "mover", T_PLAYER }, { "next", T_PLAYER }, { "nobody", T_PLAYER },
        { "turns", T_NUMBER }, { "passes", T_NUMBER }, { "repeats", T_NUMBER }, { "since", T_NUMBER }, { "seat", T_NUMBER }, { "extra", T_TRUTH }, { "stuck", T_TRUTH }, { "yes", T_TRUTH }, { "everyone", T_PLAYERS },
    };
    const binding *b = env_find(c, name);
    if (b) return b->v.type;
    symbol *s = symbol_find(c, name);
    if (s) switch (s->kind) {
        case SYMBOL_PLAYER: return T_PLAYER;
        case SYMBOL_KIND: case SYMBOL_FAMILY: return T_KINDS;
        case SYMBOL_ZONE: case SYMBOL_GROUP: return T_SET;
        case SYMBOL_KEEP: return keep_read_type(&c->g->keeps[s->index]);
        case SYMBOL_LET: return let_type(c, s);
        case SYMBOL_TRACK: return T_RELATION;
        case SYMBOL_FIELD: return T_FIELD;
        case SYMBOL_DICE: return c->g->dice[s->index].many ? T_BAG : T_NUMBER;
        case SYMBOL_OPTION: return c->options[s->index].number ? T_NUMBER : c->options[s->index].yesno ? T_TRUTH : T_WORD;
        case SYMBOL_NONE: return T_ERROR;
        default: break;
    }
    if (cell_named(c->g, name) >= 0) return T_PLACE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) if (strcmp(name, words[i].name) == 0) return words[i].t;
    bool known = false;
    board_turned(c, 0, name, &known);
    return known ? T_RELATION : is_standard_name(name) ? T_SET : T_ERROR;
}

type static_type(compiler *c, const node *n)
{
    if (!n || looked(c)) return T_ERROR;
    switch (n->kind) {
    case NODE_E_NAME: return name_type(c, n->text);
    case NODE_E_NUMBER: case NODE_E_COUNT: return T_NUMBER;
    case NODE_E_ARITH: { type a = static_type(c, kid(n, 0)), b = static_type(c, kid(n, 1)); return a == T_FIELD || b == T_FIELD ? T_FIELD : T_NUMBER; }
    case NODE_E_RANGE: return static_type(c, kid(n, 0)) == T_PLACE ? T_SET : T_RANGE;
    case NODE_E_NOT: case NODE_E_MINUS: case NODE_E_OR: case NODE_E_AND: case NODE_E_WHEN: return static_type(c, kid(n, 0));
    case NODE_E_FROM: return T_RELATION;
    case NODE_E_COMPARE: return static_type(c, kid(n, 0)) == T_FIELD || static_type(c, kid(n, 1)) == T_FIELD ? T_SET : T_TRUTH;
    case NODE_E_IN: case NODE_E_ANY: case NODE_E_NO: case NODE_E_CAN: case NODE_E_ALWAYS: return T_TRUTH;
    case NODE_E_REACH: case NODE_E_LINE: case NODE_E_WHERE: case NODE_E_TOP: return T_SET;
    case NODE_E_OF: {
        if (is_name(kid(n, 0), "owner") || is_name(kid(n, 0), "next")) return T_PLAYER;
        if (is_name(kid(n, 0), "kind")) return T_KINDS;
        type t = static_type(c, kid(n, 0));
        if (t == T_RELATION) { type s = static_type(c, kid(n, 1)); return s == T_PLAYER ? T_RELATION : T_SET; }
        if (t == T_FIELD) { type s = static_type(c, kid(n, 1)); return s == T_PLACE ? T_NUMBER : s == T_PLAYER ? T_FIELD : T_BAG; }
        return t;
    }
    case NODE_E_CALL:
        if (strcmp(n->text, "leap") == 0) return T_RELATION;
        if (strcmp(n->text, "kinds") == 0) return T_KINDS;
        if (strcmp(n->text, "first") == 0) return T_PLACE;
        if (strcmp(n->text, "edge") == 0) return T_SET;
        if (strcmp(n->text, "player") == 0) return T_PLAYER;
        if (strcmp(n->text, "max") == 0 || strcmp(n->text, "min") == 0 || strcmp(n->text, "sum") == 0) return T_NUMBER;
        { symbol *s = symbol_find(c, n->text); return s && s->kind == SYMBOL_LET ? let_type(c, s) : T_ERROR; }
    case NODE_E_ROW: {
        bool relations = true;
        for (int i = 0; i < n->count; i++) {
            const node *k = n->kids[i] && n->kids[i]->kind == NODE_E_NOT ? kid(n->kids[i], 0) : n->kids[i];
            type t = static_type(c, k);
            if (t != T_RELATION && !(t == T_NUMBER && i == 0)) relations = false;
        }
        return relations ? T_RELATION : T_SET;
    }
    default: return T_ERROR;
    }
}

/* ---- the mover's eyes ---------------------------------------------------------------------------------------------------------------------------------- */
int push_mover(compiler *c, const value *who)
{
    int saved = num_reg(c);
    emit(c, OP_MOVE, saved, HEAD(H_MOVER), 0, 0, 0);
    emit(c, OP_MOVER, num_operand(c, who), 0, 0, 0, 0);
    return saved;
}

void pop_mover(compiler *c, int saved) { emit(c, OP_MOVER, saved, 0, 0, 0, 0); }

/* The player that `of P` names, for whom constants can be looked up at once: -1 the other of two, -2 not known, else the player. */
static int known_player(const compiler *c, const node *n, const value *who)
{
    if (who->constant && who->k >= 0) return (int)who->k;
    if (c->g->player_count == 2 && is_name(n, "enemy") && !env_find(c, "enemy")) return -1;
    return -2;
}

static int seen_from(const compiler *c, int known, int p) { return known == -1 ? (p < 2 ? 1 - p : p) : known < c->g->player_count ? known : 0; }

/* A value made with another mover, as it is to be used with the old one again. Called before the mover is put back. */
static value fix_view(compiler *c, value v, int known)
{
    if (v.type == T_SET && v.attacked) { int r = set_operand(c, &v); return value_reg(T_SET, r); }
    if ((v.type == T_SET) && v.constant) {
        if (known != -2) {
            value s = value_const_set(c);
            s.named = v.named;
            for (int p = 0; p < PLAYERS_MAX; p++) memcpy(const_words(&s, p), const_words(&v, seen_from(c, known, p)), WORDS_MAX * sizeof(uint64_t));
            return s;
        }
        int r = set_reg(c);
        emit(c, OP_S_COPY, r, set_operand(c, &v), 0, 0, 0);
        return value_reg(T_SET, r);
    }
    if (v.type == T_SET && (v.reg == SET_OWN || v.reg == SET_ENEMY)) {
        if (known >= 0 && v.reg == SET_OWN) { v.reg = SET_PLAYERS + known; return v; }
        if (known == -1) { v.reg = v.reg == SET_OWN ? SET_ENEMY : SET_OWN; return v; }
        int r = set_reg(c);
        emit(c, OP_S_COPY, r, v.reg, 0, 0, 0);
        v.reg = r;
        return v;
    }
    if (v.type == T_RELATION && v.constant) {
        if (known != -2) {
            value s = v;
            for (int p = 0; p < PLAYERS_MAX; p++) s.mask[p] = v.mask[seen_from(c, known, p)];
            return s;
        }
        int r = num_reg(c);
        emit(c, OP_RELATION, r, 0, 0, relation_index(c, &v), 0);
        v.constant = false;
        v.reg = r;
        return v;
    }
    if (!v.constant && v.reg == HEAD(H_MOVER) && (v.type == T_PLAYER || v.type == T_NUMBER)) {
        int r = num_reg(c);
        emit(c, OP_MOVE, r, v.reg, 0, 0, 0);
        v.reg = r;
    }
    if (v.type == T_FIELD && c->g->fields[v.reg].kind == FIELD_CONST && known != -2) {
        field f = c->g->fields[v.reg];
        for (int p = 0; p < PLAYERS_MAX; p++) f.values[p] = c->g->fields[v.reg].values[seen_from(c, known, p)];
        v.reg = field_add(c, f);
    }
    if (v.type == T_BAG && v.over_field) { int b = bag_operand(c, &v); v = value_reg(T_BAG, b); }
    return v;
}

static value with_mover(compiler *c, const node *what, const node *who_node, value who)
{
    int known = known_player(c, who_node, &who);
    if (who.none) { diag_add(c->d, "E0352", who_node->at, "nobody sees anything: a player is wanted after `of`"); return value_error(); }
    uint32_t before = c->g->code_count;
    int saved = push_mover(c, &who);
    uint32_t inside = c->g->code_count;
    value v = lower(c, what);
    v = fix_view(c, v, known);
    if (v.zone && !c->zone_of_player[v.zone - 1]) { diag_add(c->d, "E0388", who_node->at, "zone '%s' belongs to all, not to a player", c->zone_items[v.zone - 1]->text); v = value_error(); }
    if (v.zone && v.zone_player < 0) {
        v.zone_player = num_operand(c, &who);
        if (!who.constant) { int r = num_reg(c); emit(c, OP_MOVE, r, v.zone_player, 0, 0, 0); v.zone_player = r; }
    }
    if (c->g->code_count == inside) c->g->code_count = before;
    else pop_mover(c, saved);
    return v;
}

/* ---- relations --------------------------------------------------------------------------------------------------------------------------------------------- */
static value relation_const(uint64_t mask)
{
    value v = { .type = T_RELATION, .constant = true, .times = -1 };
    for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = mask;
    return v;
}

static int relation_operand(compiler *c, const value *v)
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

/* Direction sets side by side: those in both; of leaps those that lead the way the compass words say. */
static value relation_meet(compiler *c, value a, value b)
{
    value v = b;
    v.times = a.times >= 0 ? a.times : b.times;
    if (a.constant && b.constant) {
        const uint64_t compass = c->g->letters;
        for (int p = 0; p < PLAYERS_MAX; p++) {
            v.mask[p] = a.mask[p] & b.mask[p];
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

static value relation_join(compiler *c, opcode op, value a, value b)
{
    value v = a;
    if (a.constant && b.constant) {
        for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = op == OP_BITS_OR ? a.mask[p] | b.mask[p] : a.mask[p] & ~b.mask[p];
        return v;
    }
    int x = relation_operand(c, &a), y = relation_operand(c, &b);
    v.constant = false;
    v.reg = num_reg(c);
    emit(c, op, v.reg, x, y, 0, 0);
    return v;
}

static value relation_opposite(compiler *c, value a)
{
    if (!a.constant) {
        value v = a;
        v.reg = num_reg(c);
        emit(c, OP_OPPOSITE, v.reg, a.reg, 0, 0, 0);
        return v;
    }
    for (int p = 0; p < PLAYERS_MAX; p++) {
        uint64_t out = 0;
        for (uint64_t m = a.mask[p]; m; m &= m - 1) { int o = c->g->dirs[__builtin_ctzll(m)].opposite; if (o >= 0) out |= 1ull << o; }
        a.mask[p] = out;
    }
    return a;
}

/* R from S: the same directions, only from cells of S. */
static value relation_from(compiler *c, value r, value s, const node *n)
{
    if (r.type == T_ERROR || s.type == T_ERROR) return value_error();
    if (!r.constant || !s.constant) { diag_add(c->d, "E0353", n->at, "directions and cells of `from` must be known beforehand"); return value_error(); }
    game *g = c->g;
    value v = r;
    for (int p = 0; p < PLAYERS_MAX; p++) v.mask[p] = 0;
    const int first = g->dir_count;
    int made[DIRS_MAX];
    memset(made, 0xFF, sizeof made);
    for (int p = 0; p < g->player_count; p++)
        for (uint64_t m = r.mask[p]; m; m &= m - 1) {
            int d = __builtin_ctzll(m);
            if (made[d] < 0) {
                direction x = g->dirs[d];
                if (x.graph) { diag_add(c->d, "E0353", n->at, "only plain directions can be restricted by `from`"); return value_error(); }
                x.next = NULL;
                int index = board_direction(c, x);
                if (index < 0) return value_error();
                for (int q = 0; q < g->cells; q++) if (const_words(&s, p)[q / 64] >> (q % 64) & 1) g->dirs[index].next[q] = g->dirs[d].next[q];
                direction_finish(c, index);
                made[d] = index;
            }
            v.mask[p] |= 1ull << made[d];
        }
    for (int i = first; i < g->dir_count; i++)
        for (int j = first; j < g->dir_count; j++) if (g->dirs[i].dx == -g->dirs[j].dx && g->dirs[i].dy == -g->dirs[j].dy && (g->dirs[i].dx || g->dirs[i].dy)) g->dirs[i].opposite = j;
    for (int i = first; i < g->dir_count; i++)
        for (int j = 0; j < first && g->dirs[i].opposite < 0; j++) if (g->dirs[i].dx == -g->dirs[j].dx && g->dirs[i].dy == -g->dirs[j].dy && (g->dirs[i].dx || g->dirs[i].dy)) g->dirs[i].opposite = j;
    for (int p = g->player_count; p < PLAYERS_MAX; p++) v.mask[p] = v.mask[0];
    return v;
}

static int anywhere(compiler *c, int p)
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

static int transposed(compiler *c)
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

/* ---- fields ------------------------------------------------------------------------------------------------------------------------------------------------ */
static value field_value(int index) { return (value){ .type = T_FIELD, .reg = index, .times = -1 }; }

static int16_t *field_table(compiler *c)
{
    int16_t *t = arena_alloc(c->a, PLACES_MAX * sizeof *t);
    for (int i = 0; i < PLACES_MAX; i++) t[i] = INT16_MIN;
    return t;
}

static value const_field(compiler *c, const char *name)
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

static value field_arith(compiler *c, char op, value a, value b)
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
static value field_between(compiler *c, value f, const value *low, const value *high, bool negate)
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

static value plus(compiler *c, value v, int64_t k)
{
    if (v.constant) { v.k = whole_add(v.k, k); return v; }
    value r = value_reg(T_NUMBER, num_reg(c));
    emit(c, OP_ADD, r.reg, v.reg, num_const(c, k), 0, 0);
    return r;
}

static value place_value(int reg) { return value_reg(T_PLACE, reg); }

/* ---- names ------------------------------------------------------------------------------------------------------------------------------------------------- */
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
static value zone_place(compiler *c, value z)
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

static value cells_set(compiler *c)
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

static value standard_name(compiler *c, const node *n, bool *known)
{
    game *g = c->g;
    const char *w = n->text;
    *known = true;
    if (strcmp(w, "own") == 0) { value v = value_reg(T_SET, SET_OWN); return c->widen ? set_minus(c, v, asked_set(c)) : v; }
    if (strcmp(w, "enemy") == 0) {
        value v;
        if (g->player_count == 1) v = value_const_set(c);
        else if (g->player_count == 2) v = value_reg(T_SET, SET_ENEMY);
        else { v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_ENEMIES, v.reg, 0, 0, 0, 0); }
        return c->widen ? set_or(c, v, asked_set(c)) : v;
    }
    if (strcmp(w, "empty") == 0) { value v = value_reg(T_SET, SET_EMPTY); return c->widen ? set_minus(c, v, asked_set(c)) : v; }
    if (strcmp(w, "occupied") == 0) { value v = set_minus(c, cells_set(c), value_reg(T_SET, SET_EMPTY)); return c->widen ? set_or(c, v, asked_set(c)) : v; }
    if (strcmp(w, "neutral") == 0) return value_reg(T_SET, SET_NEUTRAL);
    if (strcmp(w, "cells") == 0) return cells_set(c);
    if (strcmp(w, "light") == 0) return shaded(c, 1);
    if (strcmp(w, "dark") == 0) return shaded(c, 0);
    if (strcmp(w, "corners") == 0) return corner_cells(c);
    if (strcmp(w, "here") == 0) return place_value(HEAD(H_HERE));
    if (strcmp(w, "start") == 0) return place_value(HEAD(H_START));
    if (strcmp(w, "passed") == 0) return value_reg(T_SET, SET_PASSED);
    if (strcmp(w, "taken") == 0) return taken_set(c);
    if (strcmp(w, "changed") == 0) { value v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_CHANGED, v.reg, 0, 0, 0, 0); return v; }
    if (strcmp(w, "attacked") == 0) {
        value v = value_reg(T_SET, 0);
        v.attacked = true;
        return v;
    }
    if (strcmp(w, "it") == 0) {
        if (c->it < 0) { diag_add(c->d, "E0331", n->at, "`it` is the cell under test after `where`; there is no `where` here"); return value_error(); }
        return place_value(c->it);
    }
    if (strcmp(w, "row") == 0 || strcmp(w, "col") == 0) return const_field(c, w);
    if (strcmp(w, "value") == 0) return field_value(field_add(c, (field){ .kind = FIELD_VALUE }));
    if (strcmp(w, "height") == 0) return field_value(field_add(c, (field){ .kind = FIELD_HEIGHT }));
    if (strcmp(w, "ways") == 0 || strcmp(w, "neighbours") == 0) return relation_const(g->ways);
    if (strcmp(w, "knight") == 0) { uint64_t m; if (!board_leap(c, 1, 2, &m)) return value_error(); return relation_const(m); }
    if (strcmp(w, "anywhere") == 0) {
        value v = relation_const(0);
        for (int p = 0; p < g->player_count; p++) { int d = anywhere(c, c->zone_decls ? p : 0); if (d < 0) return value_error(); v.mask[p] = 1ull << d; }
        return v;
    }
    if (strcmp(w, "transpose") == 0) { int d = transposed(c); return d < 0 ? value_error() : relation_const(1ull << d); }
    if (strcmp(w, "everyone") == 0) { value v = value_reg(T_PLAYERS, num_reg(c)); emit(c, OP_EVERYONE, v.reg, 0, 0, 0, 0); return v; }
    if (strcmp(w, "mover") == 0) return value_reg(T_PLAYER, HEAD(H_MOVER));
    if (strcmp(w, "next") == 0) { value v = value_reg(T_PLAYER, num_reg(c)); emit(c, OP_NEXT, v.reg, HEAD(H_MOVER), 0, 0, 0); return v; }
    if (strcmp(w, "nobody") == 0) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .none = true, .times = -1 };
    if (strcmp(w, "turns") == 0) { g->asks_turns = true; return value_reg(T_NUMBER, HEAD(H_TURNS)); }
    if (strcmp(w, "passes") == 0) { g->asks_passes = true; return value_reg(T_NUMBER, HEAD(H_PASSES)); }
    if (strcmp(w, "repeats") == 0 || strcmp(w, "since") == 0) {
        value v = value_reg(T_NUMBER, num_reg(c));
        g->uses_history = true;
        emit(c, strcmp(w, "since") == 0 ? OP_SINCE : OP_REPEATS, v.reg, 0, 0, 0, 0);
        return v;
    }
    if (strcmp(w, "seat") == 0) { value v = value_reg(T_NUMBER, num_reg(c)); emit(c, OP_ADD, v.reg, HEAD(H_MOVER), num_const(c, 1), 0, 0); return v; }
    if (strcmp(w, "extra") == 0) { g->asks_extra = true; return value_reg(T_TRUTH, HEAD(H_EXTRA)); }
    if (strcmp(w, "yes") == 0) return value_truth(true);
    if (strcmp(w, "stuck") == 0) {
        if (c->stuck_loop < 0) { diag_add(c->d, "E0332", n->at, "`stuck` is asked after `until`, of the repetition before it"); return value_error(); }
        value v = value_reg(T_TRUTH, num_reg(c));
        emit(c, OP_STUCK, v.reg, 0, 0, (int32_t)c->stuck_pc, c->stuck_loop);
        return v;
    }
    if (strcmp(w, "owner") == 0 || strcmp(w, "kind") == 0) { diag_add(c->d, "E0333", n->at, "say whose: `%s of here`", w); return value_error(); }
    if (c->in_test && strcmp(w, "moves") == 0) return value_reg(T_NUMBER, c->test_words);
    if (c->in_test && strcmp(w, "winner") == 0) return value_reg(T_PLAYER, HEAD(H_WINNER));
    if (c->in_test && strcmp(w, "drawn") == 0) { value v = value_reg(T_TRUTH, num_reg(c)); emit(c, OP_EQ, v.reg, HEAD(H_OVER), num_const(c, 2), 0, 0); return v; }
    value v = direction_word(c, w, known);
    return v;
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

static value lower_name(compiler *c, const node *n)
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

/* The value of a let, its parameters bound to the arguments of `call`. */
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
    for (int i = 0; i < have && i < 16; i++) args[i] = lower(c, call->kids[i]);
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
    *constant = true;
    c->env_base = c->env_count;
    for (int p = 0; p < c->g->player_count; p++) {
        const node *said = kid(l->per_player[p], 1);
        each[p] = lower(c, said);
        if (each[p].type == T_PLACE) each[p] = to_set(c, each[p], said);
        if (each[p].type == T_KINDS && each[0].type == T_SET) each[p] = to_set(c, each[p], said);
        *constant &= each[p].constant;
        error |= each[p].type == T_ERROR;
    }
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

/* ---- of ------------------------------------------------------------------------------------------------------------------------------------------------------ */
value lower_player(compiler *c, const node *n)
{
    if (n->kind == NODE_E_NAME && !env_find(c, n->text) && !symbol_find(c, n->text)) {
        if (strcmp(n->text, "own") == 0) return value_reg(T_PLAYER, HEAD(H_MOVER));
        if (strcmp(n->text, "enemy") == 0) { value v = value_reg(T_PLAYER, num_reg(c)); emit(c, OP_NEXT, v.reg, HEAD(H_MOVER), 0, 0, 0); return v; }
        if (strcmp(n->text, "neutral") == 0) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .times = -1 };
    }
    value v = lower(c, n);
    if (v.type == T_PLAYER || v.type == T_ERROR) return v;
    diag_add(c->d, "E0354", n->at, "a player is wanted here, found %s", type_names[v.type]);
    return value_error();
}

static bool names_player(compiler *c, const node *n)
{
    if (!n) return false;
    if (is_name(n, "own") || is_name(n, "enemy")) return !env_find(c, n->text);
    return static_type(c, n) == T_PLAYER;
}

static value typed_number(compiler *c, int keep_index, value v)
{
    if (!keep_index) return v;
    switch (c->g->keeps[keep_index - 1].type) {
    case KEEP_IN_CELLS: v.type = T_PLACE; return v;
    case KEEP_IN_KINDS: v.type = T_KINDS; return v;
    case KEEP_IN_PLAYERS: v.type = T_PLAYER; return v;
    case KEEP_IN_WAYS: { int r = num_reg(c); emit(c, OP_BIT_OF, r, v.reg, 0, 0, 0); v.reg = r; v.type = T_RELATION; v.single = true; return v; }
    default: return v;
    }
}

static value field_of(compiler *c, value f, const node *of_what)
{
    bool was = c->as_place;
    c->as_place = true;
    value s = lower(c, of_what);
    c->as_place = was;
    if (s.type == T_ERROR) return s;
    if (s.type == T_NUMBER) s = to_set(c, s, of_what);
    if (s.zone && f.keep && c->g->keeps[f.keep - 1].of == KEEP_CELL) s = zone_place(c, s);
    if (s.type == T_SET && s.constant && s.named) {
        int many = 0, only = -1;
        for (int i = 0; i < c->g->places; i++) if (s.sets[i / 64] >> (i % 64) & 1) { many++; only = i; }
        if (many == 1) s = (value){ .type = T_PLACE, .constant = true, .k = only, .times = -1 };
    }
    if (s.type == T_PLACE) {
        value v = value_reg(T_NUMBER, num_reg(c));
        emit(c, OP_GET, v.reg, num_operand(c, &s), 0, f.reg, 0);
        return typed_number(c, f.keep, v);
    }
    s = to_set(c, s, of_what);
    if (s.type == T_ERROR) return s;
    value v = value_reg(T_BAG, -1);
    v.over_field = f.reg + 1;
    v.over_set = set_operand(c, &s);
    return v;
}

int bag_operand(compiler *c, const value *v)
{
    if (!v->over_field) {
        if (v->constant) {
            int b = bag_reg(c);
            if (v->kind_count > BAG_MAX && c->at) diag_add(c->d, "E0351", c->at->at, "a bag of %d numbers: it holds %d at most", v->kind_count, BAG_MAX);
            emit(c, OP_BAG_CLEAR, b, 0, 0, 0, 0);
            for (int i = 0; i < v->kind_count; i++) emit(c, OP_BAG_ADD, b, num_const(c, c->g->lists[v->kinds + i]), 0, 0, 0);
            return b;
        }
        return v->reg;
    }
    int b = bag_reg(c);
    emit(c, OP_BAG_FIELD, b, v->over_set, 0, v->over_field - 1, 0);
    return b;
}

static bool one_direction(const compiler *c, const value *r)
{
    if (!r->constant) return r->single;
    for (int p = 0; p < c->g->player_count; p++) {
        if (__builtin_popcountll(r->mask[p]) > 1) return false;
        if (r->mask[p] && c->g->dirs[__builtin_ctzll(r->mask[p])].graph) return false;
    }
    return true;
}

static value image_of(compiler *c, value r, const node *of_what)
{
    bool was = c->as_place;
    c->as_place = true;
    value s = lower(c, of_what);
    c->as_place = was;
    if (r.type == T_ERROR || s.type == T_ERROR) return value_error();
    s = to_set(c, s, of_what);
    if (s.type == T_ERROR) return s;
    game *g = c->g;
    if (s.type == T_PLACE && one_direction(c, &r)) {
        value plain = r;
        plain.times = -1;
        value v = place_value(num_reg(c));
        emit(c, OP_STEP_FROM, v.reg, num_operand(c, &s), 0, relation_index(c, &plain), r.times);
        return v;
    }
    if (r.constant && r.times < 0 && s.type == T_SET && s.constant) {
        value v = value_const_set(c);
        for (int p = 0; p < PLAYERS_MAX; p++)
            for (uint64_t m = r.mask[p]; m; m &= m - 1) {
                const direction *d = &g->dirs[__builtin_ctzll(m)];
                for (int i = 0; i < g->places; i++) {
                    if (!(const_words(&s, p)[i / 64] >> (i % 64) & 1)) continue;
                    if (d->graph) for (int k = 0; k < WORDS_MAX; k++) const_words(&v, p)[k] |= d->image[i * WORDS_MAX + k];
                    else if (d->next[i] != 0xFFFF) const_words(&v, p)[d->next[i] / 64] |= 1ull << (d->next[i] % 64);
                }
            }
        return v;
    }
    value plain = r;
    plain.times = -1;
    int x = set_operand(c, &s);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_IMAGE, v.reg, x, 0, relation_index(c, &plain), r.times);
    return v;
}

/* After a place or a player the phrase is complete. */
static bool complete_phrase(compiler *c, const node *left, const node *right)
{
    if (right->kind != NODE_E_ROW || (right->flags & FLAG_BRACKETS)) return true;
    const node *first = right->kids[0];
    type t = first->kind == NODE_E_NUMBER ? T_NUMBER : static_type(c, first);
    if (names_player(c, first) && first->kind == NODE_E_NAME && strcmp(first->text, "own") != 0 && strcmp(first->text, "enemy") != 0) t = T_PLAYER;
    else if (t == T_PLAYER) t = T_SET;
    if (first->flags & FLAG_BRACKETS) return true;
    if (t == T_PLAYER && static_type(c, left) == T_RELATION) return true;     /* neighbours of White King */
    if (t == T_PLAYER && static_type(c, left) == T_FIELD) return true;
    if (t != T_PLACE && t != T_PLAYER) return true;
    bool cells = true;
    for (int i = 0; i < right->count; i++) {
        const node *k = right->kids[i];
        if (!(k->kind == NODE_E_NAME && !env_find(c, k->text) && cell_named(c->g, k->text) >= 0) && k->kind != NODE_E_RANGE && k->kind != NODE_E_NUMBER) cells = false;
    }
    if (cells) return true;
    const char *l = print_short(c, left), *f = print_short(c, first), *all = print_short(c, right);
    diag_add(c->d, "E0355", right->at, "after `of`, `%s` is complete; write `(%s of %s) %s` or `%s of (%s)`", f, l, f, all + strlen(f) + (all[strlen(f)] == ' '), l, all);
    return false;
}

static value lower_of_with(compiler *c, const node *n, const value *by)
{
    const node *left = kid(n, 0), *right = kid(n, 1);
    if (!left || !right) return value_error();
    if (!complete_phrase(c, left, right)) return value_error();
    if (by) return image_of(c, *by, right);
    if (left->kind == NODE_E_NAME && !env_find(c, left->text)) {
        if (strcmp(left->text, "repeats") == 0 || strcmp(left->text, "since") == 0) {
            value s = lower_set(c, right);
            if (s.type == T_ERROR) return s;
            if (!s.constant) { diag_add(c->d, "E0356", right->at, "the cells whose contents count must be known beforehand"); return value_error(); }
            game *g = c->g;
            g->uses_history = true;
            if (g->key_set && memcmp(g->key_set, s.sets, WORDS_MAX * sizeof(uint64_t)) != 0) { diag_add(c->d, "E0356", right->at, "`repeats of` and `since of` can be asked of one set of cells only"); return value_error(); }
            g->key_set = s.sets;
            value v = value_reg(T_NUMBER, num_reg(c));
            emit(c, strcmp(left->text, "since") == 0 ? OP_SINCE : OP_REPEATS, v.reg, 0, 0, 1, 0);
            return v;
        }
        if (strcmp(left->text, "owner") == 0 || strcmp(left->text, "kind") == 0) {
            value s = lower(c, right);
            if (s.type == T_ERROR) return s;
            if (s.type != T_PLACE) {
                s = to_set(c, s, right);
                if (s.type == T_ERROR) return s;
                int r = num_reg(c), x = set_operand(c, &s);
                emit(c, OP_FIRST, r, x, 0, 0, 0);
                s = place_value(r);
            }
            const bool owner = strcmp(left->text, "owner") == 0;
            value v = value_reg(owner ? T_PLAYER : T_KINDS, num_reg(c));
            emit(c, owner ? OP_OWNER : OP_KIND, v.reg, num_operand(c, &s), 0, 0, 0);
            return v;
        }
        if (strcmp(left->text, "next") == 0) {
            value p = lower_player(c, right);
            if (p.type == T_ERROR) return p;
            value v = value_reg(T_PLAYER, num_reg(c));
            emit(c, OP_NEXT, v.reg, num_operand(c, &p), 0, 0, 0);
            return v;
        }
        if (strcmp(left->text, "seat") == 0) {
            value p = lower_player(c, right);
            if (p.type == T_ERROR) return p;
            value v = value_reg(T_NUMBER, num_reg(c));
            emit(c, OP_ADD, v.reg, num_operand(c, &p), num_const(c, 1), 0, 0);
            return v;
        }
    }
    type t = static_type(c, left);
    if (names_player(c, right) && t != T_FIELD && (t != T_RELATION || static_type(c, right) == T_PLAYER)) {
        value who = lower_player(c, right);
        if (who.type == T_ERROR) return who;
        return with_mover(c, left, right, who);
    }
    if (t == T_FIELD && static_type(c, right) == T_PLAYER && !is_name(right, "own") && !is_name(right, "enemy")) {
        symbol *s = left->kind == NODE_E_NAME ? symbol_find(c, left->text) : NULL;
        if (!s || s->kind != SYMBOL_KEEP) return with_mover(c, left, right, lower_player(c, right));
    }
    value v = lower(c, left);
    if (v.type == T_ERROR) { lower(c, right); return v; }
    if (v.type == T_FIELD) return field_of(c, v, right);
    if (v.type == T_RELATION) return image_of(c, v, right);
    value r = lower(c, right);
    if (r.type == T_PLAYER) return with_mover(c, left, right, r);
    if (r.type != T_ERROR) diag_add(c->d, "E0357", left->at, "`of` wants directions, a number of each cell or something of a player before it, found %s", type_names[v.type]);
    return value_error();
}

/* ---- side by side -------------------------------------------------------------------------------------------------------------------------------------------- */
typedef struct { bool attacked, less_attacked; value set; bool some; value less; bool some_less; value cells; bool some_cells; value last; bool some_last; const node *last_node; bool broken; int field, field_count; int64_t field_low, field_high; } row;

static void row_meet(compiler *c, row *r, value v)
{
    if (v.attacked) { r->attacked = true; return; }
    if (v.named) {
        r->cells = r->some_cells ? set_or(c, r->cells, v) : v;
        r->cells.named = true;
        r->some_cells = true;
        return;
    }
    r->set = r->some ? set_and(c, r->set, v) : v;
    r->some = true;
}

static void row_flush(compiler *c, row *r)
{
    if (!r->some_last) return;
    r->some_last = false;
    value v = to_set(c, r->last, r->last_node);
    if (v.type == T_ERROR) { r->broken = true; return; }
    row_meet(c, r, v);
}

static value bag_const(compiler *c, const value *a, const value *b, const node *at)
{
    int32_t items[PLACES_MAX];
    int n = 0;
    const value *both[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        const value *v = both[i];
        if (v->type == T_RANGE) {
            if (v->high_k - v->low_k >= PLACES_MAX - n) { diag_add(c->d, "E0351", at->at, "more than %d numbers in a row", PLACES_MAX); return value_error(); }
            for (int64_t k = v->low_k; k <= v->high_k; k++) items[n++] = (int32_t)k;
            continue;
        }
        const int more = v->type == T_NUMBER ? 1 : v->kind_count;
        if (n + more > PLACES_MAX) { diag_add(c->d, "E0351", at->at, "more than %d numbers in a row", PLACES_MAX); return value_error(); }
        for (int j = 0; j < more; j++) items[n++] = v->type == T_NUMBER ? (int32_t)v->k : c->g->lists[v->kinds + j];
    }
    return (value){ .type = T_BAG, .constant = true, .kinds = list_add(c, items, n), .kind_count = n, .times = -1 };
}

static value row_numbers(compiler *c, value a, value b, const node *at)
{
    const bool constant = a.constant && (b.constant || (b.type == T_RANGE && b.low_constant && b.high_constant));
    if (constant && (a.type == T_NUMBER || a.type == T_BAG || a.type == T_RANGE)) return bag_const(c, &a, &b, at);
    int bag_ = bag_reg(c);
    emit(c, OP_BAG_CLEAR, bag_, 0, 0, 0, 0);
    if (a.type == T_BAG) emit(c, OP_BAG_JOIN, bag_, bag_operand(c, &a), 0, 0, 0);
    else emit(c, OP_BAG_ADD, bag_, num_operand(c, &a), 0, 0, 0);
    emit(c, OP_BAG_ADD, bag_, num_operand(c, &b), 0, 0, 0);
    return value_reg(T_BAG, bag_);
}

/* `row 1 row 2`: no cell can have both. */
static bool second_value(compiler *c, row *r, const value *of, int64_t low, int64_t high, const node *n)
{
    if (r->field_count && r->field == of->reg && (low > r->field_high || high < r->field_low)) {
        diag_add(c->d, "E0379", n->at, "no cell has two values of one field; write `%s %lld..%lld`, or `or` between them", print_short(c, r->last_node), (long long)(low < r->field_low ? low : r->field_low), (long long)(high > r->field_high ? high : r->field_high));
        r->set = value_error();
        return true;
    }
    r->field = of->reg;
    r->field_low = low;
    r->field_high = high;
    r->field_count++;
    return false;
}

/* One more word of the row. False: what was before and this make no pair. */
static bool row_pair(compiler *c, row *r, value v, const node *n)
{
    if (!r->some_last) return false;
    value p = r->last;
    if (p.type == T_FIELD && (v.type == T_NUMBER || v.type == T_RANGE)) {
        value low = v, high = v;
        if (v.type == T_RANGE) {
            low = v.low_constant ? value_number(v.low_k) : value_reg(T_NUMBER, v.low);
            high = v.high_constant ? value_number(v.high_k) : value_reg(T_NUMBER, v.high);
        }
        r->some_last = false;
        if (low.constant && high.constant && second_value(c, r, &p, low.k, high.k, n)) { r->broken = true; return true; }
        value s = field_between(c, p, &low, &high, false);
        row_meet(c, r, s);
        return true;
    }
    if (p.type == T_FIELD && v.type == T_BAG) {
        value s = value_reg(T_SET, 0);
        int b = bag_operand(c, &v);
        s.reg = set_reg(c);
        emit(c, OP_S_FIELD_BAG, s.reg, b, 0, p.reg, 0);
        r->some_last = false;
        row_meet(c, r, s);
        return true;
    }
    if ((p.type == T_NUMBER || (p.type == T_BAG && p.constant) || p.type == T_RANGE || p.type == T_BAG) && (v.type == T_NUMBER || (v.type == T_RANGE && p.type != T_RELATION))) { r->last = row_numbers(c, p, v, n); r->broken |= r->last.type == T_ERROR; r->last_node = n; return true; }
    if (p.type == T_NUMBER && v.type == T_RELATION) { v.times = num_operand(c, &p); r->last = v; r->last_node = n; return true; }
    if (p.type == T_NUMBER && v.type == T_KINDS) { v.type = T_MANY; v.low = num_operand(c, &p); r->last = v; r->last_node = n; return true; }
    if (p.type == T_RELATION && v.type == T_RELATION) { r->last = relation_meet(c, p, v); r->last_node = n; return true; }
    return false;
}

/* Do words of a row other than kinds and flags of pieces say where the pieces are? */
static bool says_where(compiler *c, const node *n)
{
    for (int i = 0; i < n->count; i++) {
        const node *k = n->kids[i] && n->kids[i]->kind == NODE_E_NOT ? kid(n->kids[i], 0) : n->kids[i];
        if (n->kids[i] && n->kids[i]->kind == NODE_E_NOT) continue;
        type t = static_type(c, k);
        if (t == T_KINDS || t == T_NUMBER || t == T_FIELD || t == T_RANGE) continue;
        symbol *s = k && k->kind == NODE_E_NAME && !env_find(c, k->text) ? symbol_find(c, k->text) : NULL;
        if (s && s->kind == SYMBOL_KEEP && c->g->keeps[s->index].of == KEEP_PIECE) continue;
        return true;
    }
    return false;
}

/* `own King armed`, armed a yes or no: told with the other words as they should stand. */
static void truth_in_row(compiler *c, const node *n, int which, int end)
{
    char words[160];
    size_t length = 0;
    for (int i = 0; i < n->count; i++) {
        if (i == which || (i >= end && end < n->count && i != n->count - 1)) continue;
        const char *t = print_short(c, n->kids[i]);
        if (length + strlen(t) + 2 >= sizeof words) { length = 0; break; }
        if (length) words[length++] = ' ';
        memcpy(words + length, t, strlen(t));
        length += strlen(t);
    }
    words[length] = '\0';
    diag_add(c->d, "E0358", n->kids[which]->at, "a yes or no among sets; write `(%s when %s)`", length ? words : "S", print_short(c, n->kids[which]));
}

static value lower_row_words(compiler *c, const node *n);

static value lower_row(compiler *c, const node *n)
{
    const bool was = c->off_board;
    c->off_board = was || says_where(c, n);
    value v = lower_row_words(c, n);
    c->off_board = was;
    return v;
}

/* Where the words end that stand for themselves: directions and a number just before `R of S` belong to R (from `absorbed` on), and that image is the
 * last word (at `end`). */
static void row_parts(compiler *c, const node *n, int *absorbed, int *end)
{
    const node *last = n->kids[n->count - 1];
    *absorbed = *end = n->count;
    if (!last || last->kind != NODE_E_OF || (last->flags & FLAG_BRACKETS) || static_type(c, kid(last, 0)) != T_RELATION || static_type(c, kid(last, 1)) == T_PLAYER) return;
    *absorbed = --*end;
    while (*absorbed > 0) {
        const node *k = n->kids[*absorbed - 1];
        const type t = static_type(c, k && k->kind == NODE_E_NOT ? kid(k, 0) : k);
        if (t == T_NUMBER && *absorbed >= 2 && static_type(c, n->kids[*absorbed - 2]) == T_FIELD) break;
        if (t != T_RELATION && t != T_NUMBER) break;
        --*absorbed;
        if (t == T_NUMBER) break;
    }
}

static void row_last(row *r, value v, const node *k)
{
    r->last = v;
    r->last_node = k;
    r->some_last = true;
}

/* `not W` in a row. False if there was a fault. */
static bool row_without(compiler *c, row *r, const node *n, int i, int end)
{
    const node *k = n->kids[i];
    value v = lower(c, kid(k, 0));
    if (v.type == T_ERROR) return false;
    if (v.type == T_TRUTH) { truth_in_row(c, n, i, end); return false; }
    if (v.type == T_RELATION) {
        const value all = relation_const(c->g->ways);
        if (r->some_last && r->last.type == T_RELATION) r->last = relation_join(c, OP_BITS_ANDN, r->last, v);
        else { row_flush(c, r); row_last(r, relation_join(c, OP_BITS_ANDN, all, v), k); }
        return true;
    }
    const value s = to_set(c, v, kid(k, 0));
    if (s.type == T_ERROR) return false;
    row_flush(c, r);
    if (s.attacked) { r->less_attacked = true; return true; }
    r->less = r->some_less ? set_or(c, r->less, s) : s;
    r->some_less = true;
    return true;
}

/* A word of a row. False if there was a fault. */
static bool row_word(compiler *c, row *r, const node *n, int i, int end)
{
    const node *k = n->kids[i];
    value v = lower(c, k);
    if (v.type == T_ERROR) return false;
    if (v.type == T_TRUTH) { truth_in_row(c, n, i, end); return false; }
    if (v.type == T_WORD) { diag_add(c->d, "E0358", k->at, "'%s' is an option of several words among sets; write `(S when %s = %s)`", print_short(c, k), print_short(c, k), v.word); return false; }
    if (row_pair(c, r, v, k)) return true;
    row_flush(c, r);
    row_last(r, v, k);
    return true;
}

/* The image that ends a row, its relation made of the words from `absorbed` on. */
static value row_image(compiler *c, const node *n, int absorbed, int end)
{
    const node *last = n->kids[n->count - 1];
    if (absorbed == end) return lower(c, last);
    row q = { 0 };
    for (int i = absorbed; i < end; i++) {
        const node *k = n->kids[i];
        const value v = k->kind == NODE_E_NOT ? relation_join(c, OP_BITS_ANDN, relation_const(c->g->ways), lower(c, kid(k, 0))) : lower(c, k);
        if (v.type == T_ERROR) return v;
        if (!row_pair(c, &q, v, k)) row_last(&q, v, k);
    }
    const value joined = lower(c, kid(last, 0));
    if (joined.type == T_ERROR) return joined;
    if (!row_pair(c, &q, joined, last)) return value_error();
    return lower_of_with(c, last, &q.last);
}

/* All words met. */
static value row_set(compiler *c, row *r)
{
    value s = r->some && r->some_cells ? set_and(c, r->cells, r->set) : r->some ? r->set : r->cells;
    if (!r->some && !r->some_cells) s = cells_set(c);
    if (r->some_less && s.type != T_ERROR) s = set_minus(c, s, r->less);
    /* asked only of the cells that the other words leave */
    value attacked = value_reg(T_SET, 0);
    attacked.attacked = true;
    if (r->attacked && s.type != T_ERROR) s = set_and(c, s, attacked);
    if (r->less_attacked && s.type != T_ERROR) s = set_minus(c, s, attacked);
    return s;
}

static value lower_row_words(compiler *c, const node *n)
{
    row r = { 0 };
    bool error = false;
    int absorbed, end;
    row_parts(c, n, &absorbed, &end);
    for (int i = 0; i < absorbed; i++)
        if (n->kids[i] && !(n->kids[i]->kind == NODE_E_NOT ? row_without : row_word)(c, &r, n, i, end)) error = true;
    if (error || r.broken) { for (int i = absorbed; i < n->count; i++) if (n->kids[i]) lower(c, n->kids[i]); return value_error(); }
    if (end < n->count) {
        row_flush(c, &r);
        if (r.broken) return value_error();
        value image = row_image(c, n, absorbed, end);
        image = image.type == T_ERROR ? image : to_set(c, image, n->kids[n->count - 1]);
        if (image.type == T_ERROR) return image;
        row_meet(c, &r, image);
    }
    if (r.some_last && !r.some && !r.some_cells && !r.some_less && !r.attacked && !r.less_attacked && end == n->count) return r.last;
    row_flush(c, &r);
    return r.broken ? value_error() : row_set(c, &r);
}

/* ---- the other forms ------------------------------------------------------------------------------------------------------------------------------------------- */
static value lower_range(compiler *c, const node *n)
{
    const node *a = kid(n, 0), *b = kid(n, 1);
    if (!a || !b) return value_error();
    int x = a->kind == NODE_E_NAME && !env_find(c, a->text) ? cell_named(c->g, a->text) : -1, y = b->kind == NODE_E_NAME && !env_find(c, b->text) ? cell_named(c->g, b->text) : -1;
    if (x >= 0 && y >= 0) {
        value s = value_const_set(c);
        s.named = true;
        const cell_info *p = &c->g->cell[x], *q = &c->g->cell[y];
        int left = p->x < q->x ? p->x : q->x, right = p->x < q->x ? q->x : p->x, low = p->y < q->y ? p->y : q->y, high = p->y < q->y ? q->y : p->y;
        for (int i = 0; i < c->g->cells; i++) {
            const cell_info *z = &c->g->cell[i];
            if (z->x >= left && z->x <= right && z->y >= low && z->y <= high) for (int w = 0; w < PLAYERS_MAX; w++) const_words(&s, w)[i / 64] |= 1ull << (i % 64);
        }
        return s;
    }
    if (x >= 0 || y >= 0) {
        value other = lower(c, x >= 0 ? b : a);
        if (other.type != T_ERROR) diag_add(c->d, "E0377", (x >= 0 ? b : a)->at, "from a cell to a cell: another cell is wanted here, found %s", type_names[other.type]);
        return value_error();
    }
    value lo = lower_number(c, a), hi = lower_number(c, b);
    if (lo.type == T_ERROR || hi.type == T_ERROR) return value_error();
    value v = { .type = T_RANGE, .times = -1, .low_constant = lo.constant, .high_constant = hi.constant, .low_k = lo.k, .high_k = hi.k };
    v.constant = lo.constant && hi.constant;
    v.low = num_operand(c, &lo);
    v.high = num_operand(c, &hi);
    return v;
}

static value lower_logic(compiler *c, const node *n)
{
    const bool is_or = n->kind == NODE_E_OR;
    value first = value_error();
    int result = -1;
    uint32_t jumps[64];
    int jump_count = 0;
    bool decided = false, error = false;
    value v = value_error();
    type t = T_ERROR;
    for (int i = 0; i < n->count; i++) {
        uint32_t mark = c->g->code_count;
        value x = lower(c, n->kids[i]);
        if (x.type == T_ERROR) { error = true; continue; }
        if (x.type == T_BAG || x.type == T_FIELD || x.type == T_WORD || (x.type == T_NUMBER && !(x.constant && numbered(c->g)))) {
            diag_add(c->d, "E0359", n->kids[i]->at, "`%s` joins questions, sets or directions, found %s", is_or ? "or" : "and", type_names[x.type]);
            error = true;
            continue;
        }
        if (t == T_ERROR) t = x.type;
        if (decided) { c->g->code_count = mark; continue; }
        if (t == T_TRUTH || x.type == T_TRUTH) {
            if (x.type != t) { diag_add(c->d, "E0359", n->kids[i]->at, "`%s` joins %s and %s; ask of a set with any, no, count or in", is_or ? "or" : "and", type_names[t], type_names[x.type]); error = true; continue; }
            if (x.constant) {
                if ((x.k != 0) == is_or) { decided = true; if (result < 0) first = value_truth(is_or); else { emit(c, OP_MOVE, result, num_const(c, is_or), 0, 0, 0); } }
                continue;
            }
            if (result < 0) result = num_reg(c);
            origin_part(c, emit(c, OP_MOVE, result, x.reg, 0, 0, 0), n->kids[i]);
            if (i + 1 < n->count && jump_count < 64) jumps[jump_count++] = emit(c, is_or ? OP_JUMP_YES : OP_JUMP_NO, result, 0, 0, 0, 0);
            continue;
        }
        if (t == T_RELATION && x.type == T_RELATION) { v = v.type == T_ERROR ? x : is_or ? relation_join(c, OP_BITS_OR, v, x) : relation_meet(c, v, x); continue; }
        if (t == T_KINDS && x.type == T_KINDS && is_or && (v.type == T_ERROR || (v.constant && x.constant))) {
            if (v.type == T_ERROR) { v = x; continue; }
            int32_t list[KINDS_MAX * 2];
            int k = 0;
            for (int j = 0; j < v.kind_count; j++) list[k++] = c->g->lists[v.kinds + j];
            for (int j = 0; j < x.kind_count; j++) {
                bool there = false;
                for (int q = 0; q < k; q++) there |= list[q] == c->g->lists[x.kinds + j];
                if (!there && k < KINDS_MAX) list[k++] = c->g->lists[x.kinds + j];
            }
            v.kinds = list_add(c, list, k);
            v.kind_count = k;
            continue;
        }
        x = to_set(c, x, n->kids[i]);
        if (x.type == T_ERROR) { error = true; continue; }
        if (v.type != T_ERROR && v.type != T_SET) v = to_set(c, v, n->kids[0]);
        if (v.type == T_ERROR && i > 0 && error) continue;
        if (v.type == T_ERROR) { v = x; if (v.type == T_PLACE) { int s = set_operand(c, &v); v = value_reg(T_SET, s); } v.zone = 0; continue; }
        bool named = v.named && x.named;
        v = is_or ? set_or(c, v, x) : set_and(c, v, x);
        v.named = named && v.constant;
    }
    for (int i = 0; i < jump_count; i++) patch(c, jumps[i], c->g->code_count);
    if (jump_count) here_label(c);
    if (error) return value_error();
    if (t == T_TRUTH) return result >= 0 ? value_reg(T_TRUTH, result) : decided ? first : value_truth(!is_or);
    return v;
}

static bool is_order(const char *op) { return op[0] == '<' || op[0] == '>'; }

static value compare_numbers(compiler *c, const char *op, value a, value b)
{
    const bool swap = op[0] == '>', strict = op[1] != '=';
    if (a.constant && b.constant) {
        int64_t x = a.k, y = b.k;
        bool k = strcmp(op, "=") == 0 ? x == y : strcmp(op, "!=") == 0 ? x != y : op[0] == '<' ? (strict ? x < y : x <= y) : (strict ? x > y : x >= y);
        return value_truth(k);
    }
    int x = num_operand(c, &a), y = num_operand(c, &b);
    value v = value_reg(T_TRUTH, num_reg(c));
    if (strcmp(op, "=") == 0) emit(c, OP_EQ, v.reg, x, y, 0, 0);
    else if (strcmp(op, "!=") == 0) emit(c, OP_NE, v.reg, x, y, 0, 0);
    else emit(c, strict ? OP_LT : OP_LE, v.reg, swap ? y : x, swap ? x : y, 0, 0);
    return v;
}

static value compare_fields(compiler *c, const char *op, value a, value b)
{
    static const struct { const char *op, *turned; } turn[] = { { "=", "=" }, { "!=", "!=" }, { "<", ">" }, { "<=", ">=" }, { ">", "<" }, { ">=", "<=" } };
    if (a.type != T_FIELD) {
        for (int i = 0; i < 6; i++) if (strcmp(op, turn[i].op) == 0) { op = turn[i].turned; break; }
        value t = a;
        a = b;
        b = t;
    }
    if (b.type == T_FIELD) {
        const bool less = op[0] == '<' || op[0] == '>';
        int x = a.reg, y = b.reg;
        if (op[0] == '>') { int t = x; x = y; y = t; }
        value s = value_reg(T_SET, set_reg(c));
        emit(c, OP_S_FIELDS, s.reg, 0, less ? (op[1] == '=' ? OP_LE : OP_LT) : op[0] == '=' ? OP_EQ : OP_NE, x, y);
        return s;
    }
    if (strcmp(op, "=") == 0) return field_between(c, a, &b, &b, false);
    if (strcmp(op, "!=") == 0) return field_between(c, a, &b, &b, true);
    if (op[0] == '<') { value high = op[1] == '=' ? b : plus(c, b, -1); return field_between(c, a, NULL, &high, false); }
    value low = op[1] == '=' ? b : plus(c, b, 1);
    return field_between(c, a, &low, NULL, false);
}

static value compare_option(compiler *c, const node *n, const option *o, const node *word, bool negate)
{
    if (is_order(n->text)) { diag_add(c->d, "E0360", n->at, "option '%s' is one of some words; ask with `=` or `!=`", o->name); return value_error(); }
    if (word->kind == NODE_E_NAME) {
        for (int i = 0; i < o->word_count; i++) if (strcmp(o->words[i], word->text) == 0) return value_truth((o->k == i) != negate);
        const char *near = nearest_word(word->text, o->words, (size_t)o->word_count);
        if (near) diag_add(c->d, "E0360", word->at, "option '%s' has no value '%s'; did you mean '%s'?", o->name, word->text, near);
        else diag_add(c->d, "E0360", word->at, "option '%s' has no value '%s'", o->name, word->text);
        return value_error();
    }
    diag_add(c->d, "E0360", word->at, "option '%s' is compared with one of its words, as in `%s = %s`", o->name, o->name, o->words[0]);
    return value_error();
}

static const option *option_named(compiler *c, const node *n, int depth)
{
    if (!n || depth > 40 || n->kind != NODE_E_NAME || env_find(c, n->text)) return NULL;
    symbol *s = symbol_find(c, n->text);
    if (!s || s->kind != SYMBOL_OPTION || c->options[s->index].number || c->options[s->index].yesno) {
        if (s && s->kind == SYMBOL_LET) {       /* let bridge of Roman = ford_roman */
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, s->name) == 0 && kid(l, 1) && kid(l, 1)->kind == NODE_E_NAME) return option_named(c, kid(l, 1), depth + 1);
            }
        }
        return NULL;
    }
    s->used++;
    return &c->options[s->index];
}

static bool is_option_itself(compiler *c, const node *n) { return n->kind == NODE_E_NAME && symbol_find(c, n->text)->kind == SYMBOL_OPTION; }

/* A let that is an option's word, perhaps another one for each player, and the word it is compared with. False if that is none of its words. */
static bool compare_worded_let(compiler *c, const node *l, const node *r, const option *o, const char *op, value *out)
{
    value v = lower(c, l);
    *out = v;
    if (v.type == T_ERROR) return true;
    for (int i = 0; i < o->word_count; i++) {
        if (strcmp(o->words[i], r->text) != 0) continue;
        if (v.constant) *out = value_truth((strcmp(v.word ? v.word : "", r->text) == 0) != (strcmp(op, "!=") == 0));
        else { v.type = T_NUMBER; *out = compare_numbers(c, op, v, value_number(i)); }
        return true;
    }
    return false;
}

static value compare_with_field(compiler *c, const node *n, value a, value b)
{
    const char *op = n->text;
    const value *other = a.type == T_FIELD ? &b : &a;
    if (other->type == T_FIELD || other->type == T_NUMBER) return compare_fields(c, op, a, b);
    const int k = (a.type == T_FIELD ? a : b).keep;
    if (!(k && c->g->keeps[k - 1].type != KEEP_NUMBER && (other->type == T_PLACE || other->type == T_PLAYER || other->type == T_KINDS))) {
        diag_add(c->d, "E0361", n->at, "a number of each cell is compared with %s", type_names[other->type]);
        return value_error();
    }
    const value x = value_reg(T_NUMBER, num_operand(c, other));
    return compare_fields(c, op, a.type == T_FIELD ? a : x, a.type == T_FIELD ? x : b);
}

static value compare_bags(compiler *c, const char *op, value a, value b, const node *r)
{
    const int x = bag_operand(c, &a);
    b = to_bag(c, b, r);
    const int y = bag_operand(c, &b), z = bag_reg(c);
    emit(c, OP_BAG_PAIRS, z, x, y, strcmp(op, "=") == 0 ? OP_EQ : strcmp(op, "!=") == 0 ? OP_NE : op[0] == '<' ? (op[1] ? OP_LE : OP_LT) : op[1] ? OP_MAX : OP_MIN, 0);
    return value_reg(T_BAG, z);
}

static value wrong_order(compiler *c, const node *n, const value *a, const value *b)
{
    const value *set = a->type == T_SET ? a : b->type == T_SET ? b : NULL;
    if (set && (a->type == T_NUMBER || b->type == T_NUMBER || a->type == b->type)) diag_add(c->d, "E0362", n->at, "`%s` compares numbers, found %s and %s; write `count %s`", n->text, type_names[a->type], type_names[b->type], print_short(c, kid(n, set == a ? 0 : 1)));
    else diag_add(c->d, "E0362", n->at, "`%s` compares numbers, found %s and %s", n->text, type_names[a->type], type_names[b->type]);
    return value_error();
}

static bool either(const value *a, const value *b, type t) { return a->type == t || b->type == t; }

static bool one_kind(const value *v) { return !v->constant || v->kind_count == 1; }

/* Things that are known by a number of their own. */
static bool compared_as_numbers(const value *a, const value *b)
{
    return a->type == b->type && (a->type == T_TRUTH || a->type == T_PLAYER || a->type == T_PLACE || (a->type == T_KINDS && one_kind(a) && one_kind(b)));
}

/* Things that are not compared, unless the number is a cell of that name. False with a message. */
static bool may_be_sets(compiler *c, const node *n, const value *a, const value *b)
{
    if ((a->type == T_KINDS && b->type == T_PLAYER) || (a->type == T_PLAYER && b->type == T_KINDS)) { diag_add(c->d, "E0362", n->at, "%s is compared with %s", type_names[a->type], type_names[b->type]); return false; }
    if (!either(a, b, T_NUMBER) && !either(a, b, T_TRUTH) && !either(a, b, T_WORD) && !either(a, b, T_BAG)) return true;
    bool by_number = (a->type == T_NUMBER && a->constant && b->type != T_TRUTH) || (b->type == T_NUMBER && b->constant && a->type != T_TRUTH);
    if (either(a, b, T_BAG)) by_number = a->constant || b->constant;
    if (either(a, b, T_NUMBER) && (either(a, b, T_SET) || either(a, b, T_PLACE)) && !numbered(c->g)) {
        diag_add(c->d, "E0362", n->at, "%s is compared with %s; write `count %s`", type_names[a->type], type_names[b->type], print_short(c, kid(n, a->type == T_NUMBER ? 1 : 0)));
        return false;
    }
    if (by_number && !either(a, b, T_WORD)) return true;
    diag_add(c->d, "E0362", n->at, "%s is compared with %s", type_names[a->type], type_names[b->type]);
    return false;
}

static value compare_sets(compiler *c, const node *n, value a, value b)
{
    a = to_set(c, a, kid(n, 0));
    b = to_set(c, b, kid(n, 1));
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    const int x = set_operand(c, &a), y = set_operand(c, &b);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_SAME, v.reg, x, y, 0, 0);
    return strcmp(n->text, "!=") == 0 ? truth_not(c, v) : v;
}

static value compare_values(compiler *c, const node *n, value a, value b)
{
    const char *op = n->text;
    if (either(&a, &b, T_FIELD)) return compare_with_field(c, n, a, b);
    if (a.type == T_NUMBER && b.type == T_NUMBER) return compare_numbers(c, op, a, b);
    if (a.type == T_BAG && (b.type == T_BAG || b.type == T_NUMBER)) return compare_bags(c, op, a, b, kid(n, 1));
    if (is_order(op)) return wrong_order(c, n, &a, &b);
    if (compared_as_numbers(&a, &b)) {
        if (a.type == T_KINDS && a.constant) a.k = c->g->lists[a.kinds];
        if (b.type == T_KINDS && b.constant) b.k = c->g->lists[b.kinds];
        return compare_numbers(c, op, a, b);
    }
    if (a.type == T_RELATION && b.type == T_RELATION) {
        const value x = value_reg(T_NUMBER, relation_operand(c, &a)), y = value_reg(T_NUMBER, relation_operand(c, &b));
        return compare_numbers(c, op, x, y);
    }
    return may_be_sets(c, n, &a, &b) ? compare_sets(c, n, a, b) : value_error();
}

static value lower_compare(compiler *c, const node *n)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    const bool negate = strcmp(n->text, "!=") == 0;
    if (!l || !r) return value_error();
    const option *o = option_named(c, l, 0), *q = option_named(c, r, 0);
    value out;
    if (o && is_option_itself(c, l)) return compare_option(c, n, o, r, negate);
    if (q && is_option_itself(c, r)) return compare_option(c, n, q, l, negate);
    if (o && r->kind == NODE_E_NAME && !is_order(n->text) && compare_worded_let(c, l, r, o, n->text, &out)) return out;
    const value a = lower(c, l), b = lower(c, r);
    return a.type == T_ERROR || b.type == T_ERROR ? value_error() : compare_values(c, n, a, b);
}

static value number_in_range(compiler *c, value a, const value *b)
{
    const value low = b->low_constant ? value_number(b->low_k) : value_reg(T_NUMBER, b->low), high = b->high_constant ? value_number(b->high_k) : value_reg(T_NUMBER, b->high);
    return truth_and(c, compare_numbers(c, ">=", a, low), compare_numbers(c, "<=", a, high));
}

static value number_in_bag(compiler *c, const value *a, const value *b)
{
    const int y = bag_operand(c, b), x = num_operand(c, a);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, OP_BAG_HOLDS, v.reg, x, y, 0, 0);
    return v;
}

static bool kind_among(const compiler *c, int32_t k, const value *kinds)
{
    for (int j = 0; j < kinds->kind_count; j++) if (c->g->lists[kinds->kinds + j] == k) return true;
    return false;
}

static value kind_in_kinds(compiler *c, const value *a, const value *b)
{
    const int x = num_operand(c, a);
    int result = -1;
    if (a->constant) {
        bool all = a->kind_count > 0;
        for (int i = 0; i < a->kind_count; i++) all &= kind_among(c, c->g->lists[a->kinds + i], b);
        return value_truth(all);
    }
    for (int j = 0; j < b->kind_count; j++) {
        const int t = num_reg(c);
        emit(c, OP_EQ, t, x, num_const(c, c->g->lists[b->kinds + j]), 0, 0);
        if (result < 0) result = t;
        else emit(c, OP_BITS_OR, result, result, t, 0, 0);
    }
    return result < 0 ? value_truth(false) : value_reg(T_TRUTH, result);
}

static value player_in_players(compiler *c, const value *a, const value *b)
{
    const int t = num_reg(c), u = num_reg(c);
    emit(c, OP_BIT_OF, t, num_operand(c, a), 0, 0, 0);
    emit(c, OP_BITS_AND, u, t, num_operand(c, b), 0, 0);
    return compare_numbers(c, "!=", value_reg(T_NUMBER, u), value_number(0));
}

static value relation_in_relation(compiler *c, const value *a, const value *b)
{
    const int x = relation_operand(c, a), y = relation_operand(c, b), t = num_reg(c);
    emit(c, OP_BITS_ANDN, t, x, y, 0, 0);
    return truth_and(c, compare_numbers(c, "!=", value_reg(T_NUMBER, x), value_number(0)), compare_numbers(c, "=", value_reg(T_NUMBER, t), value_number(0)));
}

/* Both known: is the answer the same for all players? */
static bool same_for_all(const compiler *c, const value *a, const value *b, bool *answer)
{
    for (int p = 0; p < c->g->player_count; p++) {
        bool some = false, all = true;
        for (int k = 0; k < WORDS_MAX; k++) { some |= const_words(a, p)[k] != 0; all &= (const_words(a, p)[k] & ~const_words(b, p)[k]) == 0; }
        if (p == 0) *answer = some && all;
        else if ((some && all) != *answer) return false;
    }
    return true;
}

static value set_in_set(compiler *c, const value *a, const value *b)
{
    if (b->attacked) {
        const int x = set_operand(c, a), hit = set_reg(c);
        const value v = value_reg(T_TRUTH, num_reg(c));
        emit(c, OP_S_ATTACKED, hit, x, 0, 0, 0);
        emit(c, OP_SUBSET, v.reg, x, hit, 0, 0);
        return v;
    }
    const int y = set_operand(c, b);
    bool answer = false;
    if (a->type != T_PLACE && a->constant && b->constant && b->type == T_SET && same_for_all(c, a, b, &answer)) return value_truth(answer);
    const int x = a->type == T_PLACE ? num_operand(c, a) : set_operand(c, a);
    const value v = value_reg(T_TRUTH, num_reg(c));
    emit(c, a->type == T_PLACE ? OP_HOLDS : OP_SUBSET, v.reg, x, y, 0, 0);
    return v;
}

static value lower_in(compiler *c, const node *n)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    value a = lower(c, l);
    const bool was = c->as_place;
    c->as_place = true;
    value b = lower(c, r);
    c->as_place = was;
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (b.type == T_RANGE && a.type == T_NUMBER) return number_in_range(c, a, &b);
    if (b.type == T_BAG && a.type == T_NUMBER && !b.constant) return number_in_bag(c, &a, &b);
    if (b.type == T_KINDS && a.type == T_KINDS && b.constant) return kind_in_kinds(c, &a, &b);
    if (b.type == T_PLAYERS && a.type == T_PLAYER) return player_in_players(c, &a, &b);
    if (a.type == T_RELATION && b.type == T_RELATION) return relation_in_relation(c, &a, &b);
    if (a.type == T_TRUTH || b.type == T_TRUTH) { diag_add(c->d, "E0363", n->at, "`in` asks about sets, found a yes or no"); return value_error(); }
    a = to_set(c, a, l);
    b = to_set(c, b, r);
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    return set_in_set(c, &a, &b);
}

static value lower_arith(compiler *c, const node *n)
{
    const char *op = n->text;
    value a = lower(c, kid(n, 0)), b = lower(c, kid(n, 1));
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    if (a.type == T_BAG && op[0] == '+' && (b.type == T_BAG || b.type == T_NUMBER)) return row_numbers(c, a, b, n);
    for (int i = 0; i < 2; i++) {
        const value *v = i ? &b : &a;
        const node *k = kid(n, i);
        if (v->type == T_NUMBER || v->type == T_FIELD) continue;
        if (v->type == T_TRUTH) diag_add(c->d, "E0364", k->at, "a yes or no among numbers; write `(1 when %s else 0)`", print_short(c, k));
        else if (v->type == T_BAG) diag_add(c->d, "E0364", k->at, "several numbers; write `sum(%s)`", print_short(c, k));
        else if (v->type == T_SET || v->type == T_PLACE) diag_add(c->d, "E0364", k->at, "a set among numbers; write `count %s`, or put brackets round the number it goes with", print_short(c, k));
        else diag_add(c->d, "E0364", k->at, "a number is wanted beside `%s`, found %s", op, type_names[v->type]);
        return value_error();
    }
    if ((op[0] == '/' || op[0] == '%') && b.type == T_NUMBER && b.constant && b.k == 0) { diag_add(c->d, "E0365", n->at, "division by zero"); return value_error(); }
    if (a.type == T_FIELD || b.type == T_FIELD) return field_arith(c, op[0], a, b);
    if (a.constant && b.constant) return value_number(whole(op[0], a.k, b.k));
    int x = num_operand(c, &a), y = num_operand(c, &b);
    value v = value_reg(T_NUMBER, num_reg(c));
    emit(c, op[0] == '+' ? OP_ADD : op[0] == '-' ? OP_SUB : op[0] == '*' ? OP_MUL : op[0] == '/' ? OP_DIV : OP_MOD, v.reg, x, y, 0, 0);
    return v;
}

static value lower_question(compiler *c, const node *n)
{
    const node *k = kid(n, 0);
    if (!k) return value_error();
    const opcode op = n->kind == NODE_E_COUNT ? OP_COUNT : n->kind == NODE_E_ANY ? OP_ANY : OP_NO;
    if (is_name(k, "taken") && !env_find(c, "taken")) {
        if (op == OP_COUNT) return value_reg(T_NUMBER, HEAD(H_TAKEN));
        return compare_numbers(c, op == OP_ANY ? ">" : "=", value_reg(T_NUMBER, HEAD(H_TAKEN)), value_number(0));
    }
    value v = lower(c, k);
    const type out = op == OP_COUNT ? T_NUMBER : T_TRUTH;
    if (v.type == T_ERROR) return v;
    if (v.type == T_BAG || v.type == T_PLAYERS) {
        value r = value_reg(T_NUMBER, num_reg(c));
        if (v.type == T_BAG) { int b = bag_operand(c, &v); emit(c, OP_BAG_COUNT, r.reg, b, 0, 0, 0); }
        else emit(c, OP_BITS_COUNT, r.reg, num_operand(c, &v), 0, 0, 0);
        return op == OP_COUNT ? r : compare_numbers(c, op == OP_ANY ? ">" : "=", r, value_number(0));
    }
    if (v.type == T_RELATION) {
        int m = relation_operand(c, &v);
        value r = value_reg(T_NUMBER, num_reg(c));
        emit(c, OP_BITS_COUNT, r.reg, m, 0, 0, 0);
        return op == OP_COUNT ? r : compare_numbers(c, op == OP_ANY ? ">" : "=", r, value_number(0));
    }
    check_set(c, &v, k, NULL);
    const char *word = op == OP_COUNT ? "count" : op == OP_ANY ? "any" : "no";
    if (v.type == T_TRUTH) { diag_add(c->d, "E0366", k->at, "`%s` asks about a set, found a yes or no", word); return value_error(); }
    if (v.type == T_NUMBER && !(v.constant && (numbered(c->g) || c->board_broken))) {
        diag_add(c->d, "E0366", k->at, op == OP_COUNT ? "`%s` asks about a set, found a number" : "`%s` asks about a set, found a number; compare it, as in `%s %s 0`", word, print_short(c, k), op == OP_ANY ? ">" : "=");
        return value_error();
    }
    if (v.type == T_PLAYER && v.none) return op == OP_COUNT ? value_number(0) : value_truth(op == OP_NO);
    if (v.type == T_PLACE) {
        value r = compare_numbers(c, ">=", (value){ .type = T_NUMBER, .constant = v.constant, .k = v.k, .reg = v.reg, .times = -1 }, value_number(0));
        if (op == OP_NO) return truth_not(c, r);
        if (op == OP_COUNT) r.type = T_NUMBER;
        return r;
    }
    v = to_set(c, v, k);
    if (v.type == T_ERROR) return v;
    if (v.constant) {
        bool same = true;
        int count = -1;
        for (int p = 0; p < c->g->player_count; p++) {
            int m = 0;
            for (int w = 0; w < WORDS_MAX; w++) m += __builtin_popcountll(const_words(&v, p)[w]);
            if (count >= 0 && m != count) same = false;
            count = m;
        }
        if (same) return op == OP_COUNT ? value_number(count) : value_truth((count > 0) == (op == OP_ANY));
    }
    int x = set_operand(c, &v);
    value r = value_reg(out, num_reg(c));
    ins *prev = c->g->code_count ? &c->g->code[c->g->code_count - 1] : NULL;
    if (op == OP_ANY && prev && prev->op == OP_S_AND && prev->a == x && c->label != c->g->code_count) { prev->op = OP_MEETS; prev->a = (uint16_t)r.reg; return r; }
    emit(c, op, r.reg, x, 0, 0, 0);
    return r;
}

static value lower_when(compiler *c, const node *n)
{
    value cond = lower_truth(c, kid(n, 1));
    uint32_t mark = c->g->code_count;
    value a = lower(c, kid(n, 0));
    uint32_t middle = c->g->code_count;
    value b = kid(n, 2) ? lower(c, kid(n, 2)) : value_error();
    if (cond.type == T_ERROR || a.type == T_ERROR || (kid(n, 2) && b.type == T_ERROR)) return value_error();
    if (!kid(n, 2)) {
        b = a.type == T_NUMBER ? value_number(0) : a.type == T_TRUTH ? value_truth(false) : a.type == T_RELATION ? relation_const(0) : value_const_set(c);
        if (a.type == T_KINDS) { b = a; b.constant = true; b.kind_count = 0; }
        if (a.type == T_FIELD || a.type == T_BAG) { diag_add(c->d, "E0367", n->at, "`(%s when ...)` needs an `else`", print_short(c, kid(n, 0))); return value_error(); }
    }
    if (cond.constant) {
        if (cond.k) { if (kid(n, 2)) c->g->code_count = middle; return a; }
        /* what the closed branch made is not needed; keep what the open one made by making it again */
        c->g->code_count = mark;
        return kid(n, 2) ? lower(c, kid(n, 2)) : b;
    }
    if (a.type != b.type && (a.type == T_WORD || b.type == T_WORD || a.type == T_NUMBER || b.type == T_NUMBER || a.type == T_TRUTH || b.type == T_TRUTH || a.type == T_RELATION || b.type == T_RELATION)) {
        diag_add(c->d, "E0368", n->at, "`when ... else` gives %s or %s; both must be of one kind", type_names[a.type], type_names[b.type]);
        return value_error();
    }
    if (a.type == b.type && (a.type == T_NUMBER || a.type == T_TRUTH || a.type == T_PLAYER || a.type == T_PLACE || (a.type == T_KINDS && (!a.constant || a.kind_count < 2) && (!b.constant || b.kind_count < 2)))) {
        int x = num_operand(c, &a), y = num_operand(c, &b);
        value v = value_reg(a.type, num_reg(c));
        emit(c, OP_CHOOSE, v.reg, x, y, cond.reg, 0);
        return v;
    }
    if (a.type == T_RELATION) {
        int x = relation_operand(c, &a), y = relation_operand(c, &b);
        value v = value_reg(T_RELATION, num_reg(c));
        v.times = a.times;
        emit(c, OP_CHOOSE, v.reg, x, y, cond.reg, 0);
        return v;
    }
    a = to_set(c, a, kid(n, 0));
    b = to_set(c, b, kid(n, 2) ? kid(n, 2) : n);
    if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
    int x = set_operand(c, &a), y = set_operand(c, &b);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_CHOOSE, v.reg, x, y, cond.reg, 0);
    return v;
}

static value lower_reach(compiler *c, const node *n)
{
    value s = lower_set(c, kid(n, 0)), t = lower_set(c, kid(n, 1)), r = kid(n, 2) ? lower_relation(c, kid(n, 2)) : relation_const(c->g->ways);
    if (s.type == T_ERROR || t.type == T_ERROR || r.type == T_ERROR) return value_error();
    int x = set_operand(c, &s), y = set_operand(c, &t);
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_REACH, v.reg, x, y, relation_index(c, &r), 0);
    return v;
}

static value lower_line(compiler *c, const node *n)
{
    value length = kid(n, 0) ? lower(c, kid(n, 0)) : value_error(), s = lower_set(c, kid(n, 1));
    value a = kid(n, 2) ? lower_set(c, kid(n, 2)) : value_error(), b = kid(n, 3) ? lower_set(c, kid(n, 3)) : value_error();
    value r = kid(n, 4) ? lower_relation(c, kid(n, 4)) : relation_const(c->g->ways);
    if (s.type == T_ERROR || r.type == T_ERROR || (kid(n, 0) && length.type == T_ERROR) || (kid(n, 2) && (a.type == T_ERROR || b.type == T_ERROR))) return value_error();
    if (kid(n, 0) && length.type != T_NUMBER && length.type != T_RANGE) { diag_add(c->d, "E0369", kid(n, 0)->at, "the length of a line is a number or a range, found %s", type_names[length.type]); return value_error(); }
    int x = set_operand(c, &s);
    if (kid(n, 2)) {
        int y = set_operand(c, &a), z = set_operand(c, &b);
        value v = value_reg(T_SET, set_reg(c));
        int64_t least = 1, most = 255;
        if (kid(n, 0)) {
            if (length.type == T_RANGE) { least = length.low_k; most = length.high_k; }
            else least = most = length.k;
            if (length.constant && (least < 1 || most > 254)) { diag_add(c->d, "E0369", kid(n, 0)->at, "a line between two ends is 1 to 254 cells long"); return value_error(); }
            if (!length.constant) { diag_add(c->d, "E0369", kid(n, 0)->at, "the length of a line between two ends must be known beforehand"); return value_error(); }
        }
        z = (int)((uint32_t)z | (uint32_t)least << 16 | (uint32_t)most << 24);
        emit(c, OP_S_BETWEEN, v.reg, x, y, relation_index(c, &r), z);
        return v;
    }
    value low = length, high = length;
    if (length.type == T_RANGE) {
        low = length.low_constant ? value_number(length.low_k) : value_reg(T_NUMBER, length.low);
        high = length.high_constant ? value_number(length.high_k) : value_reg(T_NUMBER, length.high);
    }
    int lo = kid(n, 0) ? num_operand(c, &low) : 65535, hi = kid(n, 0) ? num_operand(c, &high) : 65535;
    value v = value_reg(T_SET, set_reg(c));
    emit(c, OP_S_LINE, v.reg, x, lo, relation_index(c, &r), hi);
    return v;
}

static value lower_where(compiler *c, const node *n)
{
    value s = lower(c, kid(n, 0));
    if (s.type == T_TRUTH) { diag_add(c->d, "E0370", n->at, "`where` picks out of a set, found a yes or no; put brackets round the set: `any (S where ...)`"); return value_error(); }
    s = s.type == T_ERROR ? s : to_set(c, s, kid(n, 0));
    int it = num_reg(c), left = set_reg(c), out = set_reg(c), one = set_reg(c);
    value none = value_const_set(c);
    if (s.type != T_ERROR) emit(c, OP_S_COPY, left, set_operand(c, &s), 0, 0, 0);
    emit(c, OP_S_COPY, out, set_operand(c, &none), 0, 0, 0);
    uint32_t again = here_label(c);
    uint32_t pop = emit(c, OP_S_POP, it, left, 0, 0, 0);
    int was = c->it;
    c->it = it;
    value cond = lower_truth(c, kid(n, 1));
    c->it = was;
    if (cond.type == T_ERROR || s.type == T_ERROR) return value_error();
    if (!cond.constant || !cond.k) emit(c, OP_JUMP_NO, num_operand(c, &cond), 0, 0, (int32_t)again, 0);
    emit(c, OP_S_PLACE, one, it, 0, 0, 0);
    emit(c, OP_S_OR, out, out, one, 0, 0);
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)again, 0);
    patch(c, pop, here_label(c));
    return value_reg(T_SET, out);
}

static value lower_always(compiler *c, const node *n)
{
    const node *what = kid(n, 0);
    value who = value_reg(T_PLAYER, HEAD(H_MOVER));
    const node *who_node = NULL;
    if (what && what->kind == NODE_E_OF && names_player(c, kid(what, 1))) { who_node = kid(what, 1); what = kid(what, 0); }
    int index = -1;
    for (int i = 0; i < c->always_count; i++) if (c->always[i] == what || strcmp(print_short(c, c->always[i]), print_short(c, what)) == 0) index = i;
    if (index < 0) {
        if (c->always_count == 32) { diag_add(c->d, "E0371", n->at, "more than 32 questions with `always`"); return value_error(); }
        c->always = realloc(c->always, (size_t)(c->always_count + 1) * sizeof *c->always);
        if (!c->always) abort();
        c->always[index = c->always_count++] = what;
    }
    c->g->uses_history = true;
    value v = value_reg(T_TRUTH, num_reg(c));
    if (who_node) {
        who = lower_player(c, who_node);
        if (who.type == T_ERROR) return who;
        int saved = push_mover(c, &who);
        emit(c, OP_ALWAYS, v.reg, 0, 0, index, 0);
        pop_mover(c, saved);
        return v;
    }
    emit(c, OP_ALWAYS, v.reg, 0, 0, index, 0);
    return v;
}

static value fold_bags(compiler *c, const node *n)
{
    const bool sum = strcmp(n->text, "sum") == 0, most = strcmp(n->text, "max") == 0;
    if (n->count == 0) { diag_add(c->d, "E0372", n->at, "%s() of nothing", n->text); return value_error(); }
    value v = value_error();
    for (int i = 0; i < n->count; i++) {
        value x = lower(c, n->kids[i]);
        if (x.type == T_ERROR) return x;
        if (x.type == T_BAG) {
            value r = value_reg(T_NUMBER, num_reg(c));
            if (x.over_field) emit(c, sum ? OP_SUM : most ? OP_MOST : OP_LEAST, r.reg, x.over_set, 0, x.over_field - 1, 0);
            else emit(c, sum ? OP_BAG_SUM : most ? OP_BAG_MOST : OP_BAG_LEAST, r.reg, bag_operand(c, &x), 0, 0, 0);
            x = r;
        } else if (x.type == T_TRUTH) { diag_add(c->d, "E0364", n->kids[i]->at, "a yes or no among numbers; write `(1 when %s else 0)`", print_short(c, n->kids[i])); return value_error(); }
        else if (x.type != T_NUMBER) { diag_add(c->d, "E0372", n->kids[i]->at, "%s() takes numbers, found %s", n->text, type_names[x.type]); return value_error(); }
        if (i == 0) { v = x; continue; }
        if (v.constant && x.constant) { v = value_number(sum ? whole_add(v.k, x.k) : most == (v.k > x.k) ? v.k : x.k); continue; }
        int a = num_operand(c, &v), b = num_operand(c, &x);
        value r = value_reg(T_NUMBER, num_reg(c));
        emit(c, sum ? OP_ADD : most ? OP_MAX : OP_MIN, r.reg, a, b, 0, 0);
        v = r;
    }
    return v;
}

static value lower_call_expression(compiler *c, const node *n)
{
    const char *f = n->text;
    if (strcmp(f, "kinds") == 0) {
        int32_t list[KINDS_MAX];
        int k = 0;
        for (int i = 0; i < n->count; i++) {
            value v = lower(c, n->kids[i]);
            if (v.type == T_ERROR) return v;
            if (v.type != T_KINDS || !v.constant) { diag_add(c->d, "E0372", n->kids[i]->at, "kinds() takes kinds of pieces, found %s", type_names[v.type]); return value_error(); }
            for (int j = 0; j < v.kind_count && k < KINDS_MAX; j++) list[k++] = c->g->lists[v.kinds + j];
        }
        return (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, list, k), .kind_count = k, .times = -1 };
    }
    if (strcmp(f, "first") == 0) {
        if (n->count != 1) { diag_add(c->d, "E0372", n->at, "first() takes one set"); return value_error(); }
        value s = lower_set(c, n->kids[0]);
        if (s.type == T_ERROR || s.type == T_PLACE) return s;
        int x = set_operand(c, &s);
        value v = place_value(num_reg(c));
        emit(c, OP_FIRST, v.reg, x, 0, 0, 0);
        return v;
    }
    if (strcmp(f, "max") == 0 || strcmp(f, "min") == 0 || strcmp(f, "sum") == 0) return fold_bags(c, n);
    if (strcmp(f, "leap") == 0) {
        if (n->count != 2) { diag_add(c->d, "E0372", n->at, "leap() takes two numbers, as in leap(1, 2)"); return value_error(); }
        value a = lower_number(c, n->kids[0]), b = lower_number(c, n->kids[1]);
        uint64_t m;
        if (a.type == T_ERROR || b.type == T_ERROR) return value_error();
        if (!a.constant || !b.constant || a.k < 0 || b.k < 0 || a.k > 200 || b.k > 200) { diag_add(c->d, "E0372", n->at, "a leap's numbers must be known beforehand"); return value_error(); }
        return board_leap(c, (int)a.k, (int)b.k, &m) ? relation_const(m) : value_error();
    }
    if (strcmp(f, "edge") == 0) {
        if (n->count != 1) { diag_add(c->d, "E0372", n->at, "edge() takes directions, as in edge(north)"); return value_error(); }
        value r = lower_relation(c, n->kids[0]);
        if (r.type == T_ERROR) return r;
        if (!r.constant) { int m = relation_operand(c, &r); value v = value_reg(T_SET, set_reg(c)); emit(c, OP_S_EDGE, v.reg, m, 0, 0, 0); return v; }
        value v = value_const_set(c);
        for (int p = 0; p < PLAYERS_MAX; p++)
            for (uint64_t m = r.mask[p]; m; m &= m - 1) {
                const direction *d = &c->g->dirs[__builtin_ctzll(m)];
                for (int i = 0; i < c->g->cells; i++) if (!d->graph && d->next[i] == 0xFFFF) const_words(&v, p)[i / 64] |= 1ull << (i % 64);
            }
        return v;
    }
    if (strcmp(f, "player") == 0) {
        if (n->count != 1) { diag_add(c->d, "E0372", n->at, "player() takes one number"); return value_error(); }
        value k = lower_number(c, n->kids[0]);
        if (k.type == T_ERROR) return k;
        if (k.constant) {
            if (k.k < 1 || k.k > c->g->player_count) return (value){ .type = T_PLAYER, .constant = true, .k = -1, .none = true, .times = -1 };
            return (value){ .type = T_PLAYER, .constant = true, .k = k.k - 1, .times = -1 };
        }
        value v = value_reg(T_PLAYER, num_reg(c));
        emit(c, OP_SUB, v.reg, k.reg, num_const(c, 1), 0, 0);
        return v;
    }
    symbol *s = symbol_find(c, f);
    if (s && s->kind == SYMBOL_NONE) { for (int i = 0; i < n->count; i++) lower(c, n->kids[i]); return value_error(); }
    if (s && s->kind == SYMBOL_LET) { s->used++; return let_value(c, s, n, n); }
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, f) == 0) { diag_add(c->d, "E0334", n->at, "'%s' is a rule, which is done, not asked; write `can %s`", f, f); return value_error(); }
    if (s || is_standard_name(f) || env_find(c, f)) diag_add(c->d, "E0336", n->at, "'%s' is not a function; put a space: `%s (...)`", f, f);
    else unknown_name(c, n, f, "no function is called");
    return value_error();
}

static value lower_not(compiler *c, const node *n)
{
    value v = lower(c, kid(n, 0));
    if (v.type == T_ERROR) return v;
    if (v.type == T_TRUTH) return truth_not(c, v);
    if (v.type == T_RELATION) return relation_join(c, OP_BITS_ANDN, relation_const(c->g->ways), v);
    if (v.type == T_NUMBER && !(v.constant && (numbered(c->g) || c->board_broken))) { diag_add(c->d, "E0366", kid(n, 0)->at, "`not` is said of a yes or no or of a set, found a number; compare it, as in `%s = 0`", print_short(c, kid(n, 0))); return value_error(); }
    v = to_set(c, v, kid(n, 0));
    return v.type == T_ERROR ? v : set_not(c, v);
}

static value lower_minus(compiler *c, const node *n)
{
    const node *k = kid(n, 0);
    if (k && k->kind == NODE_E_OF && !(k->flags & FLAG_BRACKETS) && static_type(c, kid(k, 0)) == T_RELATION) {
        value r = lower_relation(c, kid(k, 0));
        if (r.type == T_ERROR) return r;
        r = relation_opposite(c, r);
        return lower_of_with(c, k, &r);
    }
    value v = lower(c, k);
    if (v.type == T_ERROR) return v;
    if (v.type == T_RELATION) return relation_opposite(c, v);
    if (v.type == T_FIELD) return field_arith(c, '-', value_number(0), v);
    if (v.type != T_NUMBER) { diag_add(c->d, "E0364", n->at, "a number or directions are wanted after `-`, found %s", type_names[v.type]); return value_error(); }
    if (v.constant) return value_number(whole_sub(0, v.k));
    value r = value_reg(T_NUMBER, num_reg(c));
    emit(c, OP_SUB, r.reg, num_const(c, 0), v.reg, 0, 0);
    return r;
}

value lower(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_BROKEN || spent(c, n)) return value_error();
    c->at = n;
    for (int i = 0; i < c->hoisted_count; i++) if (c->hoisted[i].n == n) return value_reg(T_SET, c->hoisted[i].set);
    switch (n->kind) {
    case NODE_E_NAME: return lower_name(c, n);
    case NODE_E_NUMBER: return value_number(n->value);
    case NODE_E_TEXT: diag_add(c->d, "E0373", n->at, "a text does not belong in an expression"); return value_error();
    case NODE_E_RANGE: return lower_range(c, n);
    case NODE_E_ROW: return lower_row(c, n);
    case NODE_E_NOT: return lower_not(c, n);
    case NODE_E_OF: return lower_of_with(c, n, NULL);
    case NODE_E_FROM: {
        value r = lower(c, kid(n, 0));
        if (r.type != T_RELATION && r.type != T_ERROR) { diag_add(c->d, "E0378", kid(n, 0)->at, "`from` says where directions begin, as in `diagonal from dark`; found %s before it", type_names[r.type]); r = value_error(); }
        value s = lower_set(c, kid(n, 1));
        return relation_from(c, r, s, n);
    }
    case NODE_E_OR: case NODE_E_AND: return lower_logic(c, n);
    case NODE_E_WHERE: return lower_where(c, n);
    case NODE_E_COMPARE: return lower_compare(c, n);
    case NODE_E_IN: return lower_in(c, n);
    case NODE_E_ARITH: return lower_arith(c, n);
    case NODE_E_MINUS: return lower_minus(c, n);
    case NODE_E_COUNT: case NODE_E_ANY: case NODE_E_NO: return lower_question(c, n);
    case NODE_E_WHEN: return lower_when(c, n);
    case NODE_E_CAN: { int r = lower_can(c, n->text, n); return r < 0 ? value_error() : value_reg(T_TRUTH, r); }
    case NODE_E_ALWAYS: return lower_always(c, n);
    case NODE_E_REACH: return lower_reach(c, n);
    case NODE_E_LINE: return lower_line(c, n);
    case NODE_E_TOP: diag_add(c->d, "E0374", n->at, "`top` says how many pieces of a stack; it stands after `send` and `take`"); return value_error();
    case NODE_E_CALL: return lower_call_expression(c, n);
    default: diag_add(c->d, "E0375", n->at, "an expression is wanted here"); return value_error();
    }
}

value lower_set(compiler *c, const node *n)
{
    value v = lower(c, n);
    return v.type == T_ERROR ? v : to_set(c, v, n);
}

value lower_truth(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_TRUTH || v.type == T_ERROR) return v;
    if (v.type == T_SET || v.type == T_PLACE || v.type == T_KINDS || v.type == T_PLAYER)
        diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s; write `any %s`", type_names[v.type], print_short(c, n));
    else if (v.type == T_NUMBER) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a number; compare it, as in `%s > 0`", print_short(c, n));
    else if (v.type == T_BAG) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a bag of numbers; write `any (%s)` or compare sums", print_short(c, n));
    else if (v.type == T_FIELD) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found a number of each cell; say which, as in `any %s 2`", print_short(c, n));
    else if (v.type == T_WORD) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found an option of several words; write `%s = %s`", print_short(c, n), v.word);
    else if (v.type == T_RELATION) diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found directions; say from where, as in `any %s of S`", print_short(c, n));
    else diag_add(c->d, "E0376", n->at, "a yes or no is wanted here, found %s", type_names[v.type]);
    return value_error();
}

value lower_number(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_NUMBER || v.type == T_ERROR) return v;
    if (v.type == T_TRUTH) diag_add(c->d, "E0377", n->at, "a number is wanted here, found a yes or no; write `(1 when %s else 0)`", print_short(c, n));
    else if (v.type == T_SET || v.type == T_PLACE || v.type == T_KINDS) diag_add(c->d, "E0377", n->at, "a number is wanted here, found %s; write `count %s`", type_names[v.type], print_short(c, n));
    else if (v.type == T_BAG) diag_add(c->d, "E0377", n->at, "a number is wanted here, found several; write `sum(%s)`, `max` or `min`", print_short(c, n));
    else diag_add(c->d, "E0377", n->at, "a number is wanted here, found %s", type_names[v.type]);
    return value_error();
}

value lower_relation(compiler *c, const node *n)
{
    value v = lower(c, n);
    if (v.type == T_RELATION || v.type == T_ERROR) return v;
    diag_add(c->d, "E0378", n->at, "a direction is wanted here, found %s", type_names[v.type]);
    return value_error();
}
