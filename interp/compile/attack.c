/* What `attacked` asks.
 *
 * Every rule by which a piece could take is looked at once. The plain ones, a leg that lands on the victim, become entries that the
 * machine asks for all pieces at once (guards, where it starts, where it may land, with the asked cells standing in for the victim);
 * all others are tried out, piece by piece, with a piece on the asked cell (game.attack_probe). Rules that themselves ask `attacked`
 * or `can` are left out. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"


static bool asks(compiler *c, const node *n, int depth)
{
    if (!n) return false;
    if (depth > 30 || n->kind == NODE_E_CAN || looked(c)) return true;
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) {
        if (strcmp(n->text, "attacked") == 0) return true;
        symbol *s = symbol_find(c, n->text);
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && asks(c, kid(l, 1), depth + 1)) return true;
            }
    }
    for (int i = 0; i < n->count; i++) if (asks(c, n->kids[i], depth + 1)) return true;
    return false;
}

/* The words that a name without arguments stands for, the same for all players; what is no such name, itself. */
static const node *meant(compiler *c, const node *n)
{
    for (int deep = 0; n && n->kind == NODE_E_NAME && deep < 20; deep++) {
        const symbol *s = symbol_find(c, n->text);
        const node *of = NULL;
        if (!s || s->kind != SYMBOL_LET) return n;
        for (int i = 0; i < c->tree->root->count; i++) {
            const node *l = c->tree->root->kids[i];
            if (!l || l->kind != NODE_I_LET || strcmp(l->text, n->text) != 0) continue;
            if (of || l->more || kid(l, 0)) return n;
            of = kid(l, 1);
        }
        if (!of) return n;
        n = of;
    }
    return n;
}

static bool to_empty_only(compiler *c, const node *n)
{
    n = meant(c, n);
    if (n && (n->kind == NODE_E_ROW || n->kind == NODE_E_WHERE)) return to_empty_only(c, n->kids[0]);
    return n && n->kind == NODE_E_NAME && strcmp(n->text, "empty") == 0;
}

static const node *target_of(const node *n) { return kid(n, n->kind == NODE_A_STEP ? 2 : 1); }

static bool is_leg(const node *n) { return n && (n->kind == NODE_A_STEP || n->kind == NODE_A_SLIDE); }

/* Can doing this take a piece at all? */
static bool may_take(compiler *c, const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_TAKE) return true;
    if (is_leg(n) && !to_empty_only(c, target_of(n))) return true;
    if (is_expression(n)) return false;
    for (int i = 0; i < n->count; i++) if (may_take(c, n->kids[i])) return true;
    return false;
}

/* After a leg nothing may follow that could forbid the run or take otherwise. */
static bool harmless(const node *n)
{
    if (!n) return true;
    switch (n->kind) {
    case NODE_A_TAKE: case NODE_A_SEND: case NODE_A_STEP: case NODE_A_SLIDE: case NODE_A_DROP: case NODE_A_WHEN: case NODE_A_ILLEGAL: case NODE_A_DO: case NODE_A_LOOP: case NODE_A_PREFER: return false;
    default: break;
    }
    if (is_expression(n)) return true;
    for (int i = 0; i < n->count; i++) if (!harmless(n->kids[i])) return false;
    return true;
}

typedef struct { const rule *r; const node *guards[8]; int guard_count; const node *from; const node *leg; } form;

enum { FORMS_MAX = 256 };
typedef struct { form all[FORMS_MAX]; int count; } form_list;

/* The plain ways to take in an action. False if there is another kind of way. */
static bool find_forms(compiler *c, form_list *out, const node *n, form f)
{
    if (!n) return true;
    if (is_leg(n)) {
        if (to_empty_only(c, target_of(n))) return true;
        if (out->count == FORMS_MAX) return false;
        f.leg = n;
        out->all[out->count++] = f;
        return true;
    }
    if (n->kind == NODE_A_CHOICE) { for (int i = 0; i < n->count; i++) if (!find_forms(c, out, n->kids[i], f)) return false; return true; }
    if (n->kind == NODE_A_SEQUENCE) {
        int i = 0;
        for (; i < n->count; i++) {
            const node *k = n->kids[i];
            if (!k) continue;
            if (k->kind == NODE_A_WHEN && f.guard_count < 8) { f.guards[f.guard_count++] = meant(c, kid(k, 0)); continue; }
            if (k->kind == NODE_A_PICK && k->text && strcmp(k->text, "here") == 0 && !(k->flags & FLAG_RANDOM) && i == 0) { f.from = kid(k, 0); continue; }
            break;
        }
        if (i == n->count) return true;
        for (int j = i + 1; j < n->count; j++) if (!harmless(n->kids[j])) return !may_take(c, n);
        return find_forms(c, out, n->kids[i], f);
    }
    return !may_take(c, n);
}

static bool is_here_in(const node *n) { return n && n->kind == NODE_E_IN && kid(n, 0) && kid(n, 0)->kind == NODE_E_NAME && strcmp(kid(n, 0)->text, "here") == 0; }

/* Does it ask where the walker stands, itself or by what its names stand for? */
static bool of_here(compiler *c, const node *n, int depth)
{
    if (!n) return false;
    if (depth > 30 || looked(c)) return true;
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) {
        if (strcmp(n->text, "here") == 0 || strcmp(n->text, "start") == 0 || strcmp(n->text, "passed") == 0) return true;
        const symbol *s = symbol_find(c, n->text);
        for (int i = 0; s && s->kind == SYMBOL_LET && i < c->tree->root->count; i++) {
            const node *l = c->tree->root->kids[i];
            if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && of_here(c, kid(l, 1), depth + 1)) return true;
        }
    }
    for (int i = 0; i < n->count; i++) if (of_here(c, n->kids[i], depth + 1)) return true;
    return false;
}

/* Guards and target of a form must not depend on where the attacker stands, but for `here in S`. */
static bool plain_form(compiler *c, const form *f)
{
    for (int i = 0; i < f->guard_count; i++) {
        const node *g = f->guards[i];
        if (is_here_in(g)) { if (of_here(c, kid(g, 1), 0)) return false; }
        else if (of_here(c, g, 0)) return false;
    }
    for (int i = 0; i < f->leg->count; i++) if (of_here(c, f->leg->kids[i], 0)) return false;
    return true;
}

static uint32_t begin_part(compiler *c)
{
    c->num_top = c->num_most;
    c->set_top = c->set_most;
    return here_label(c);
}

static bool make_entry(compiler *c, const form *f, attack *a)
{
    memset(a, 0, sizeof *a);
    int32_t kinds[KINDS_MAX];
    int n = 0;
    for (int k = 0; k < c->g->kind_count; k++) if (!f->r->of_piece || (f->r->kinds[k / 64] >> (k % 64) & 1)) kinds[n++] = k;
    a->kinds = list_add(c, kinds, n);
    a->kind_count = n;
    a->guard_pc = begin_part(c);
    value guard = value_truth(true), from = value_error();
    for (int i = 0; i < f->guard_count; i++) {
        if (is_here_in(f->guards[i])) continue;
        guard = truth_and(c, guard, lower_truth(c, f->guards[i]));
    }
    if (guard.type == T_ERROR) return false;
    if (guard.constant) { if (!guard.k) return false; c->g->code_count = a->guard_pc; a->guard_pc = 0; }
    else { a->guard = guard.reg; emit(c, OP_RETURN, 0, 0, 0, 0, 0); }
    a->from_pc = begin_part(c);
    for (int i = -1; i < f->guard_count; i++) {
        const node *where = i < 0 ? f->from : is_here_in(f->guards[i]) ? kid(f->guards[i], 1) : NULL;
        if (!where) continue;
        value s = lower_set(c, where);
        if (s.type == T_ERROR) return false;
        from = from.type == T_ERROR ? s : set_and(c, from, s);
    }
    if (from.type != T_ERROR) a->from = set_operand(c, &from);
    /* what the leg may pass is what stands there, asked or not: one asked cell is no screen for another */
    leg l;
    bool good = leg_way(c, f->leg, &l);
    if (from.type == T_ERROR && c->g->code_count == a->from_pc) a->from_pc = 0;
    else { if (from.type == T_ERROR) a->from = c->g->all_places; emit(c, OP_RETURN, 0, 0, 0, 0, 0); }
    a->target_pc = begin_part(c);
    c->widen = true;
    good = leg_target(c, f->leg, &l) && good;
    c->widen = false;
    if (!good) return false;
    a->target = l.target;
    c->g->legs = grow(c->g->legs, &c->leg_capacity, c->g->leg_count + 1, sizeof *c->g->legs);
    a->leg = c->g->leg_count;
    c->g->legs[c->g->leg_count++] = l;
    if (a->target < 0 && !l.pattern_count) { c->g->code_count = a->target_pc; a->target_pc = 0; }
    else emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    return true;
}

static void probe_rules(compiler *c, const rule *const *slow, int count)
{
    int32_t starts[128];
    c->num_top = c->num_most;
    c->set_top = c->set_most;
    c->g->attack_probe = here_label(c);
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, count);
    for (int i = 0; i < count; i++) {
        starts[i] = (int32_t)here_label(c);
        const rule *r = slow[i];
        value own = value_reg(T_SET, SET_OWN), from = own;
        if (r->of_piece && !r->picks_here) {
            int32_t kinds[KINDS_MAX];
            int n = 0;
            for (int k = 0; k < c->g->kind_count; k++) if (r->kinds[k / 64] >> (k % 64) & 1) kinds[n++] = k;
            from = set_and(c, own, to_set(c, (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, kinds, n), .kind_count = n, .times = -1 }, NULL));
            emit(c, OP_PICK, num_reg(c), set_operand(c, &from), 0, 1, 0);
            memcpy(c->walk_kinds, r->kinds, sizeof r->kinds);
        } else memset(c->walk_kinds, 0xFF, sizeof c->walk_kinds);
        c->in_piece = r->of_piece;
        c->pending = false;
        c->leg_follows = false;
        lower_block(c, kid(r->item, 1));
        settle_now(c);
        c->in_piece = false;
        emit(c, OP_FAIL, 0, 0, 0, -1, 0);
    }
    patch(c, alt, (uint32_t)list_add(c, starts, count));
}

void attacks_build(compiler *c)
{
    const rule *slow[128];
    int slow_count = 0, attack_capacity = 0;
    form_list *forms = arena_alloc(c->a, sizeof *forms);
    c->g->attack_begin = c->g->code_count;
    for (int i = 0; i < c->rule_count; i++) {
        const rule *r = &c->rules[i];
        const node *body = kid(r->item, 1);
        if (kid(r->item, 0) || asks(c, body, 0) || !may_take(c, body) || (!r->of_piece && !r->picks_here)) continue;
        forms->count = 0;
        bool plain = find_forms(c, forms, body, (form){ .r = r });
        for (int j = 0; plain && j < forms->count; j++) plain = plain_form(c, &forms->all[j]) && (!forms->all[j].from || !r->of_piece);
        if (!plain) { if (slow_count < 128) slow[slow_count++] = r; continue; }
        for (int j = 0; j < forms->count; j++) {
            attack a;
            if (!make_entry(c, &forms->all[j], &a)) continue;
            c->g->attacks = grow(c->g->attacks, &attack_capacity, c->g->attack_count + 1, sizeof a);
            c->g->attacks[c->g->attack_count++] = a;
        }
    }
    if (slow_count) probe_rules(c, slow, slow_count);
    c->g->attack_end = c->g->code_count;
}
