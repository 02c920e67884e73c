/* Games that may go on for ever.
 *
 * A note is given where nothing makes a game end, and each player has pieces that can walk there and back as long as he likes. It is given only
 * where that can be read off the rules, so all of this must be so:
 *
 *   nothing counts       No rule asks for `repeats`, `since`, `always`, `turns`, `passes` or `changed`, and no rule sets a number or another
 *                        kept value. No dice, nothing at random, and nobody but the mover decides: those may drive a game on.
 *   nothing forbids      Filters over complete turns speak of attacks alone.
 *   a turn is enough     One way to make a turn is a rule that is a single leg and nothing more. Where it stands behind an `else`, nothing
 *                        new may come on the board in play, for that could fill it up.
 *   there and back       The leg goes along directions that lead both ways, over nothing, to any cell that is free. Every player has a piece
 *                        with such a rule when the game begins. */
#include <string.h>
#include "lints.h"

static bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }

static bool one_of(const node *n, const char *const *words)
{
    for (int i = 0; words[i]; i++) if (is_name(n, words[i])) return true;
    return false;
}

static bool in_play(const node *n) { return n && n->kind != NODE_I_TEST && n->kind != NODE_I_SETUP && n->kind != NODE_I_ABOUT && n->kind != NODE_I_MARK; }

/* ---- nothing counts, nothing forbids --------------------------------------------------------------------------------------------------------- */
static bool counts(const node *n)
{
    static const char *const asking[] = { "repeats", "since", "turns", "passes", "changed", NULL };
    if (!n) return false;
    switch (n->kind) {
    case NODE_A_SET: case NODE_A_ROLL: case NODE_A_BY: case NODE_A_PREFER: case NODE_A_AGAIN: case NODE_E_ALWAYS: return true;
    case NODE_A_PICK: case NODE_A_EACH: if (n->flags & FLAG_RANDOM) return true; break;
    default: if (one_of(n, asking)) return true; break;
    }
    for (int i = 0; i < n->count; i++) if (counts(n->kids[i])) return true;
    return false;
}

static bool speaks_of_attacks(const node *n)
{
    if (!n) return false;
    if (is_name(n, "attacked")) return true;
    for (int i = 0; i < n->count; i++) if (speaks_of_attacks(n->kids[i])) return true;
    return false;
}

static bool nothing_drives_on(const node *root)
{
    bool ends = false;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!in_play(n)) continue;
        if (counts(n)) return false;
        if (n->kind == NODE_I_END && strcmp(n->text, "illegal") == 0 && !speaks_of_attacks(n)) return false;
        ends |= n->kind == NODE_I_END;
    }
    return ends;
}

static bool makes_pieces(const node *n)
{
    if (!in_play(n)) return false;
    if (n->kind == NODE_A_DROP || n->kind == NODE_A_PLACE || n->kind == NODE_A_SEND) return true;
    for (int i = 0; i < n->count; i++) if (makes_pieces(n->kids[i])) return true;
    return false;
}

/* ---- there and back ------------------------------------------------------------------------------------------------------------------------- */
/* Directions each of which comes with its opposite. */
static bool both_ways(const node *n)
{
    static const char *const words[] = { "ways", "orthogonal", "diagonal", "sideways", "neighbours", "knight", NULL };
    if (!n || one_of(n, words)) return true;
    if (n->kind == NODE_E_CALL) return strcmp(n->text, "leap") == 0;
    if (n->kind != NODE_E_OR) return false;
    for (int i = 0; i < n->count; i++) if (both_ways(n->kids[i])) return true;
    return false;
}

/* Any cell that is free, at least. */
static bool all_free(const node *n)
{
    static const char *const words[] = { "empty", "cells", NULL }, *const others[] = { "own", "enemy", "occupied", NULL };
    if (!n || one_of(n, words)) return true;
    if (n->kind == NODE_E_NOT) return one_of(kid(n, 0), others);
    if (n->kind != NODE_E_OR) return false;
    for (int i = 0; i < n->count; i++) if (all_free(n->kids[i])) return true;
    return false;
}

/* `left`: how many more actions are looked at before it is given up. */
enum { LOOKS = 20000 };
typedef struct { const node *root; const char *kind, *found; bool fills; int left; } asking;

static bool body_walks(asking *a, const node *n, int depth);

static bool rule_walks(asking *a, const char *name, int depth)
{
    for (int i = 0; depth < 8 && i < a->root->count; i++) {
        const node *block = a->root->kids[i];
        bool his = false;
        if (!block || block->kind != NODE_I_PIECE) continue;
        for (int k = 0; k < kid(block, 0)->count; k++) his |= strcmp(block->kids[0]->kids[k]->text, a->kind) == 0;
        for (int k = 2; his && k < block->count; k++) {
            const node *r = block->kids[k];
            if (r && r->kind == NODE_I_RULE && strcmp(r->text, name) == 0 && !kid(r, 0) && body_walks(a, kid(r, 1), depth + 1)) { if (!a->found) a->found = name; return true; }
        }
    }
    return false;
}

/* One way to do this, from beginning to end, is a leg there and back. */
static bool body_walks(asking *a, const node *n, int depth)
{
    if (!n || --a->left < 0) return false;
    switch (n->kind) {
    case NODE_A_STEP: return both_ways(kid(n, 0)) && !kid(n, 1) && all_free(kid(n, 2));
    case NODE_A_SLIDE: return both_ways(kid(n, 0)) && all_free(kid(n, 1));
    case NODE_A_DO: return kid(n, 0) && n->kids[0]->kind == NODE_E_NAME && rule_walks(a, n->kids[0]->text, depth);
    case NODE_A_SEQUENCE: return n->count == 1 && body_walks(a, n->kids[0], depth);
    case NODE_A_ELSE: return body_walks(a, kid(n, 0), depth) || (!a->fills && body_walks(a, kid(n, 1), depth));
    case NODE_A_CHOICE:
        for (int i = 0; i < n->count; i++) if (body_walks(a, n->kids[i], depth)) return true;
        return false;
    default: return false;
    }
}

static bool player_walks(asking *a, const joc_position *start, const node *turn, int player)
{
    const game *g = start->game->g;
    for (int c = 0; c < g->cells; c++) {
        int owner = -1, kind = -1;
        if (!joc_piece(start, c, 0, &owner, &kind) || owner != player || kind < 0 || kind >= g->kind_count) continue;
        a->kind = g->kinds[kind].name;
        a->found = NULL;
        if (body_walks(a, kid(turn, 0), 0)) return true;
    }
    return false;
}

/* Adjacency leads both ways, too. */
static bool plain_board(const node *root)
{
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (n && n->kind == NODE_I_BOARD) return strcmp(n->text, "map") != 0 && both_ways(kid(n, 3));
    }
    return false;
}

void endless_lint(const joc_rules *r, const joc_position *start, diagnostics *d)
{
    const node *root = r->tree->root, *turn = NULL;
    const game *g = start->game->g;
    asking a = { .root = root, .left = LOOKS };
    for (int i = 0; i < root->count; i++) if (root->kids[i] && root->kids[i]->kind == NODE_I_TURN) turn = root->kids[i];
    if (!turn || turn->at.source != 0 || g->player_count < 2 || !plain_board(root) || !nothing_drives_on(root)) return;
    for (int i = 0; i < root->count; i++) a.fills |= makes_pieces(root->kids[i]);
    for (int p = 0; p < g->player_count; p++) if (!player_walks(&a, start, turn, p)) return;
    diag_add(d, "N0424", (span){ 0, turn->at.from, turn->at.from + 4 }, "nothing makes this game end: each %s can go back and forth ('%s'), and nothing is counted; add `draw when repeats = 2`, or an end that asks `turns`", a.kind, a.found);
}
