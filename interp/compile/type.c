/* What an expression will come to, before it is lowered, and through whose eyes. */
#include <stdlib.h>
#include <string.h>
#include "expr.h"

type keep_read_type(const keep *k)
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
        { "turns", T_NUMBER }, { "passes", T_NUMBER }, { "repeats", T_NUMBER }, { "since", T_NUMBER }, { "seat", T_NUMBER }, { "extra", T_TRUTH }, { "stuck", T_TRUTH }, { "yes", T_TRUTH }, { "no", T_TRUTH }, { "everyone", T_PLAYERS },
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

/* May it be one kind, of which `value of` is a number? (A word for a kind means its pieces.) */
static bool is_one_kind(compiler *c, const node *n)
{
    if (static_type(c, n) != T_KINDS) return false;
    if (n->kind != NODE_E_NAME) return n->kind == NODE_E_OF;
    const binding *b = env_find(c, n->text);
    const symbol *s = b ? NULL : symbol_find(c, n->text);
    return b ? !b->v.constant || b->v.kind_count == 1 : s && s->kind == SYMBOL_KEEP;
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
        if (t == T_NUMBER && static_type(c, kid(n, 1)) == T_PLAYERS) return T_BAG;
        if (t == T_FIELD && is_name(kid(n, 0), "value") && is_one_kind(c, kid(n, 1))) return T_NUMBER;
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

value with_mover(compiler *c, const node *what, const node *who_node, value who)
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
