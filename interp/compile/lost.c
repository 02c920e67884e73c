/* Walks that begin otherwise than they read: what a rule of pieces does not say is who walks, for it begins with any own piece of its kind.
 *
 *     { jump }+               outside the pieces: another piece may go on each time
 *     pick here in S, move    outside the pieces: the one picked is not the one that moves
 *     enter: drop ...         in a piece: there must be such a piece on the board before one can come in */
#include <string.h>
#include "compile.h"

static bool of_pieces_alone(const compiler *c, const char *name)
{
    bool some = false;
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, name) == 0) { some = true; if (!c->rules[i].of_piece) return false; }
    return some;
}

/* `pick here in S, move` outside a piece: the rule begins a walk of its own, with any own piece. */
static void look_for_lost_walkers(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_I_PIECE || n->kind == NODE_I_TEST || is_expression(n)) return;
    for (int i = 0; n->kind == NODE_A_SEQUENCE && i + 1 < n->count; i++) {
        const node *pick = n->kids[i], *next = n->kids[i + 1], *called = next && next->kind == NODE_A_DO ? kid(next, 0) : NULL;
        if (!called || !pick || pick->kind != NODE_A_PICK || strcmp(pick->text, "here") != 0 || next->at.source != 0 || !called->text || !of_pieces_alone(c, called->text)) continue;
        diag_add(c->d, "W0435", next->at, "`%s` begins a walk of its own, with any own piece; to walk with the one picked, pick it in the rule: `%s: pick here in ..., ...`", called->text, called->text);
        diag_note(c->d, pick->at, "this choice is lost");
    }
    for (int i = 0; i < n->count; i++) look_for_lost_walkers(c, n->kids[i]);
}

/* The rule of pieces that a call, or each of its alternatives, is; NULL if it is more than that. */
static const node *walk_alone(const compiler *c, const node *n)
{
    const node *called = n && n->kind == NODE_A_DO ? kid(n, 0) : NULL, *last = NULL;
    if (called && called->text && of_pieces_alone(c, called->text)) return called;
    if (!n || n->kind != NODE_A_CHOICE) return NULL;
    for (int i = 0; i < n->count; i++) if (!(last = walk_alone(c, n->kids[i]))) return NULL;
    return last;
}

static void look_for_walkers_anew(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_I_PIECE || n->kind == NODE_I_TEST || is_expression(n)) return;
    const node *walk = n->kind == NODE_A_LOOP && !kid(n, 1) && n->at.source == 0 && n->text && *n->text != '?' ? walk_alone(c, kid(n, 0)) : NULL;
    if (walk) diag_add(c->d, "W0437", walk->at, "each time round `%s` begins with any own piece; for one that goes on, the repetition belongs into the rule: `%s: { ... }%s`", walk->text, walk->text, n->text);
    for (int i = 0; i < n->count; i++) look_for_walkers_anew(c, n->kids[i]);
}

/* Does anything in here ask of the walker, or walk? Names of the file may. */
static bool of_walker(compiler *c, const node *n)
{
    static const char *const words[] = { "here", "start", "passed", "taken" };
    if (!n) return false;
    if (n->kind == NODE_A_STEP || n->kind == NODE_A_SLIDE || n->kind == NODE_A_DO || n->kind == NODE_E_CALL || n->kind == NODE_E_CAN) return true;
    if (n->kind == NODE_E_NAME) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) if (strcmp(n->text, words[i]) == 0) return true;
        const symbol *s = symbol_find(c, n->text);
        if (s && s->kind == SYMBOL_LET) return true;
    }
    for (int i = 0; i < n->count; i++) if (of_walker(c, n->kids[i])) return true;
    return false;
}

static void look_for_idle_walker(compiler *c, const node *n)
{
    const node *body = kid(n, 1), *first = body && (body->kind == NODE_A_SEQUENCE || body->kind == NODE_A_CHOICE) ? kid(body, 0) : body;
    if (!first || first->kind != NODE_A_DROP || n->at.source != 0 || of_walker(c, body)) return;
    diag_add(c->d, "W0438", first->at, "`%s` begins with such a piece on the board, and leaves it there; to let pieces come in, write the rule outside of `piece`", n->text);
}

void check_walkers(compiler *c)
{
    look_for_lost_walkers(c, c->tree->root);
    look_for_walkers_anew(c, c->tree->root);
    for (int i = 0; i < c->rule_count; i++) if (c->rules[i].of_piece && !c->rules[i].picks_here) look_for_idle_walker(c, c->rules[i].item);
}
