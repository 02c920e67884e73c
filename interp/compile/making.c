/* Pieces that are made, dropped, taken and sent. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "act.h"

static makings lower_makings(compiler *c, const node *n)
{
    makings m = { .owner = HEAD(H_MOVER), .many = NONE, .good = false };
    const node *words[16];
    int count = 0;
    if (!n) return m;
    if (n->kind == NODE_E_ROW && n->count > 16) { diag_add(c->d, "E0387", n->at, "a kind of piece is wanted here, found %d words", n->count); return m; }
    if (n->kind == NODE_E_ROW) for (int i = 0; i < n->count; i++) words[count++] = n->kids[i];
    else words[count++] = n;
    value kinds = value_error(), pieces = value_error();
    for (int i = 0; i < count; i++) {
        const node *w = words[i];
        if (is_name(w, "neutral")) { m.owner = NONE; m.owner_given = true; continue; }
        if (is_name(w, "own")) { m.owner = HEAD(H_MOVER); m.owner_given = true; continue; }
        if (is_name(w, "enemy") && static_type(c, words[count - 1]) == T_KINDS && i + 1 < count) { value p = lower_player(c, w); m.owner = num_operand(c, &p); m.owner_given = true; continue; }
        value v = lower(c, w);
        if (v.type == T_ERROR) return m;
        if (v.type == T_PLAYER) { if (v.none) { m.owner = NONE; } else m.owner = num_operand(c, &v); m.owner_given = true; continue; }
        if (v.type == T_NUMBER && i + 1 < count) { m.many = num_operand(c, &v); continue; }
        if (v.type == T_MANY) { m.many = v.low; v.type = T_KINDS; }
        if (v.type == T_KINDS) {
            if (kinds.type == T_KINDS) { diag_add(c->d, "E0387", w->at, "two kinds side by side; write `or` between them"); return m; }
            kinds = v;
            continue;
        }
        if (v.type == T_SET || v.type == T_PLACE) { pieces = v; continue; }
        diag_add(c->d, "E0387", w->at, "a kind of piece is wanted here, found %s", type_names[v.type]);
        return m;
    }
    if (kinds.type == T_KINDS && pieces.type == T_ERROR) { m.kinds = kinds; m.good = true; return m; }
    if (pieces.type != T_ERROR) {
        m.is_pieces = true;
        m.pieces = count > 1 ? to_set(c, lower(c, n), n) : pieces;   /* a row: a zone in it tells its other words where to look */
        m.good = true;
        return m;
    }
    diag_add(c->d, "E0387", n->at, "a kind of piece is wanted here");
    return m;
}

static destination zone_named(compiler *c, const node *n)
{
    destination d = { .is_zone = false };
    const node *name = n, *whose = NULL;
    if (n && n->kind == NODE_E_OF) { name = kid(n, 0); whose = kid(n, 1); }
    if (!name || name->kind != NODE_E_NAME) return d;
    for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, name->text) == 0) return d;
    symbol *s = symbol_find(c, name->text);
    if (!s || s->kind != SYMBOL_ZONE) return d;
    s->used++;
    d.is_zone = true;
    const int first = c->zone_first[s->index];
    if (!c->zone_of_player[s->index]) {
        if (whose) diag_add(c->d, "E0388", n->at, "zone '%s' belongs to all, not to a player", s->name);
        d.zone = num_const(c, first);
        return d;
    }
    if (whose && is_name(whose, "owner")) { d.by_owner = true; d.zone = num_const(c, first); return d; }
    value p = whose ? lower_player(c, whose) : value_reg(T_PLAYER, HEAD(H_MOVER));
    if (p.type == T_ERROR) { d.zone = num_const(c, first); return d; }
    if (p.constant) { d.zone = num_const(c, first + (p.k < 0 ? 0 : p.k)); return d; }
    d.zone = num_reg(c);
    emit(c, OP_ADD, d.zone, p.reg, num_const(c, first), 0, 0);
    return d;
}

/* Pieces of kinds known beforehand, or of one known only in play: an instruction for each that it may be. */
static void of_kinds(compiler *c, opcode op, int a, const makings *m, int many)
{
    const value *k = &m->kinds;
    if (k->constant) { emit(c, op, a, m->owner, many, k->kinds, k->kind_count); return; }
    const int may = k->among_count ? k->among_count : c->g->kind_count, is_it = num_reg(c);
    uint32_t *done = arena_alloc(c->a, (size_t)may * sizeof *done);
    for (int i = 0; i < may; i++) {
        const int32_t kind = k->among_count ? c->g->lists[k->among + i] : i;
        emit(c, OP_EQ, is_it, k->reg, num_const(c, kind), 0, 0);
        const uint32_t over = emit(c, OP_JUMP_NO, is_it, 0, 0, 0, 0);
        emit(c, op, a, m->owner, many, list_add(c, &kind, 1), 1);
        done[i] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
        patch(c, over, here_label(c));
    }
    if (op == OP_DROP) emit(c, OP_FAIL, 0, 0, 0, -1, 0);       /* no kind yet */
    for (int i = 0; i < may; i++) patch(c, done[i], here_label(c));
}

void lower_place(compiler *c, const node *n)
{
    settle_now(c);
    makings m = lower_makings(c, kid(n, 0));
    if (m.good && m.is_pieces) {
        const char *what = print_short(c, kid(n, 0)), *where = print_short(c, kid(n, 1));
        diag_add(c->d, "E0389", n->at, "`place` makes new pieces of a kind; to move what stands there write `send %s to %s`", what, where);
        return;
    }
    destination d = zone_named(c, kid(n, 1));
    value on = d.is_zone ? value_error() : lower_set(c, kid(n, 1));
    if (!d.is_zone) check_set(c, &on, kid(n, 1), NULL);
    if (!m.good || (!d.is_zone && on.type == T_ERROR)) return;
    if (!m.kinds.constant && !d.is_zone && m.many == NONE) {       /* a kind known only in play: any, which then becomes that one */
        int x = set_operand(c, &on);
        int32_t one = 0;
        emit(c, OP_PLACE, x, m.owner, m.many, list_add(c, &one, 1), 1);
        emit(c, OP_BECOME_KIND, x, m.kinds.reg, 0, 0, 0);
        return;
    }
    if (d.is_zone && m.many < REGS && c->g->const_num[m.many] > ZONE_MOST) {
        diag_add(c->d, "E0400", kid(n, 0)->at, "a zone holds at most %d pieces", ZONE_MOST);
        return;
    }
    if (d.is_zone) of_kinds(c, OP_PLACE_ZONE, d.zone, &m, m.many);
    else of_kinds(c, OP_PLACE, set_operand(c, &on), &m, m.many);
}

void lower_drop(compiler *c, const node *n)
{
    settle_now(c);
    makings m = lower_makings(c, kid(n, 0));
    destination d = zone_named(c, kid(n, 1));
    int target = -2;
    if (d.is_zone) {
        /* into a zone: it is the only place */
        value z = lower(c, kid(n, 1));
        (void)z;
        int p = num_reg(c), s = set_reg(c);
        emit(c, OP_ADD, p, d.zone, num_const(c, c->g->cells), 0, 0);
        emit(c, OP_S_PLACE, s, p, 0, 0, 0);
        target = s;
    } else target = target_operand(c, kid(n, 1));
    if (!m.good || target < 0) return;
    if (m.is_pieces) { emit(c, OP_DROP_FROM, target, set_operand(c, &m.pieces), 0, 0, 0); return; }
    of_kinds(c, OP_DROP, target, &m, 0);
}

/* `top n of S`, `bottom n of S`, or S alone: the set, how many of each (-1: the top one), and whether from below. */
static bool lower_pieces(compiler *c, const node *n, int *set, int *many, bool *low)
{
    *many = -1;
    *low = false;
    const node *s = n;
    if (n && n->kind == NODE_E_TOP) {
        *low = strcmp(n->text, "bottom") == 0;
        if (open_count(c, n)) return false;
        value k = lower_number(c, kid(n, 0));
        if (k.type == T_ERROR) return false;
        *many = num_operand(c, &k);
        s = kid(n, 1);
    }
    value v = lower_set(c, s);
    if (v.type == T_ERROR) return false;
    *set = set_operand(c, &v);
    return true;
}

void lower_take(compiler *c, const node *n)
{
    settle_now(c);
    int set, many;
    bool low;
    if (!lower_pieces(c, kid(n, 0), &set, &many, &low)) return;
    emit(c, OP_TAKE, set, many < 0 ? NONE : many, low, 0, 0);
}

void lower_send(compiler *c, const node *n)
{
    settle_now(c);
    int set, many;
    bool low, good = lower_pieces(c, kid(n, 0), &set, &many, &low);
    const int from = low ? SEND_LOW : 0;
    if (strcmp(n->text, "along") == 0) {
        value r = lower_relation(c, kid(n, 1));
        if (good && r.type != T_ERROR) emit(c, OP_SEND_ALONG, set, 0, 0, relation_index(c, &r), 0);
        return;
    }
    destination d = zone_named(c, kid(n, 1));
    if (d.is_zone) { if (good) emit(c, OP_SEND_ZONE, set, d.zone, from + d.by_owner, many, 0); return; }
    value to = lower(c, kid(n, 1));
    if (to.type == T_ERROR || !good) return;
    if (to.type == T_RELATION) { diag_add(c->d, "E0390", kid(n, 1)->at, "a cell or a zone is wanted after `to`, found directions; write `send ... along %s`", print_short(c, kid(n, 1))); return; }
    if (to.type != T_PLACE) {
        to = to_set(c, to, kid(n, 1));
        if (to.type == T_ERROR) return;
        int r = num_reg(c);
        emit(c, OP_FIRST, r, set_operand(c, &to), 0, 0, 0);
        to = value_reg(T_PLACE, r);
    }
    emit(c, OP_SEND, set, num_operand(c, &to), from + (strcmp(n->text, "under") == 0), many, 0);
}

/* ---- diagrams ---------------------------------------------------------------------------------------------------------------------------------- */
static bool cell_at(const game *g, int x, int y)
{
    for (int i = 0; i < g->cells; i++) if (g->cell[i].x == x && (y < 0 || g->cell[i].y == y)) return true;
    return false;
}

/* Kinds that are written with this letter; *first is the one meant. */
static int kinds_written(const game *g, char letter, int *first)
{
    int found = 0;
    for (int k = g->kind_count - 1; k >= 0; k--) {
        const char own = g->kinds[k].letter[0];
        if (tolower((unsigned char)own) != tolower((unsigned char)letter)) continue;
        found++;
        *first = k;
    }
    return found;
}

/* The letters that pieces are written with, as far as they are few: `K, M`. */
static const char *letters_of(compiler *c)
{
    const game *g = c->g;
    const char *all = "";
    int first = -1, last = -1;
    for (int k = 0; k < g->kind_count && k < 12; k++) {
        const char l = g->kinds[k].letter[0];
        if ((unsigned char)l >= 128 || kinds_written(g, l, &first) == 0 || first != k || l == last) continue;
        all = arena_format(c->a, "%s%s%c", all, *all ? ", " : "", toupper((unsigned char)l));
        last = l;
    }
    return all;
}

/* One sign of a rank: the letter of a piece, on a cell. */
static void check_sign(compiler *c, const node *n, int x)
{
    const game *g = c->g;
    const char letter = n->text[x - 1];
    const span at = { n->at.source, n->at.from + (uint32_t)x, n->at.from + (uint32_t)x + 1 };
    int kind = 0;
    const int kinds = kinds_written(g, letter, &kind);
    if ((unsigned char)letter >= 128) diag_add(c->d, "E0420", n->at, "a diagram is of letters a to z, `.` and spaces");
    else if (!kinds) diag_add(c->d, "E0420", at, "no piece is written '%c'; the letters are those of the pieces (%s), upper case for the first player, lower case for the second, `.` for no piece", letter, letters_of(c));
    else if (islower((unsigned char)letter) && g->player_count < 2) diag_add(c->d, "E0420", at, "lower case is the second player's, and there is one player");
    else if (!cell_at(g, x, c->in_setup ? g->height - c->ranks : -1)) diag_add(c->d, "E0420", at, "the board has no cell here for '%c'", letter);
}

void lower_rank(compiler *c, const node *n)
{
    for (int x = 1; !c->closed && n->text[x - 1]; x++) if (n->text[x - 1] != '.' && n->text[x - 1] != ' ') {
        const size_t before = c->d->errors;
        check_sign(c, n, x);
        if (c->d->errors != before) break;          /* one of a rank */
    }
    if (!c->closed) c->ranks++;
    emit(c, OP_RANK, 0, 0, 0, name_index(c, n->text), 0);
}
