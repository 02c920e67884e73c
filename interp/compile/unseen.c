/* Rules that tell the mover what he cannot see.
 *
 * What a player may do is shown to him. So where a rule lets that depend on what is hidden from him (a card in the other's hand, the kind of an
 * enemy's covered piece), the list of his moves tells him of it; and a pick among pieces he cannot tell apart is no choice. Both may be
 * meant: these are warnings.
 *
 * Looked at are the places where moves are allowed or not: `when`, `illegal when`, what is picked, where a leg may lead and what it passes, and
 * an `if` or `until` with choices inside. Not looked at is what comes right behind a `commit`, where nothing has been chosen since, and what
 * ends the game. How many pieces there are in a zone is always seen, so `any deck` tells nothing; what a piece of it is does. */
#include <string.h>
#include "compile.h"

enum { DEEP = 24 };

typedef struct { compiler *c; bool fresh; /* a decision has just been made, nothing is chosen yet */ } looker;

static bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }

static const symbol *named(compiler *c, const node *n, symbol_kind kind)
{
    const symbol *s = n && (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) ? symbol_find(c, n->text) : NULL;
    return s && s->kind == kind ? s : NULL;
}

static const node *seen_by(const node *item, int at)
{
    const node *s = kid(item, at);
    return s && s->kind == NODE_SEEN ? s : NULL;
}

/* May he whom `seen` leaves out be the mover? `mine`: it is his own. */
static bool hides(const node *seen, bool mine)
{
    if (!seen || strcmp(seen->text, "everyone") == 0) return false;
    return strcmp(seen->text, "owner") != 0 || !mine;
}

/* `E of P`: P is a player, and not the mover. */
static bool of_another(compiler *c, const node *whose)
{
    if (!whose || is_name(whose, "mover") || is_name(whose, "own")) return false;
    if (is_name(whose, "enemy") || is_name(whose, "next") || is_name(whose, "everyone") || named(c, whose, SYMBOL_PLAYER)) return true;
    return whose->kind == NODE_E_OF || (whose->kind == NODE_E_NAME && !named(c, whose, SYMBOL_ZONE) && !named(c, whose, SYMBOL_LET));
}

/* A zone, bare or `of` somebody, in which the mover does not see what there is. */
static bool hidden_zone(compiler *c, const node *n)
{
    const node *name = n && n->kind == NODE_E_OF ? kid(n, 0) : n, *whose = n && n->kind == NODE_E_OF ? kid(n, 1) : NULL;
    const symbol *s = named(c, name, SYMBOL_ZONE);
    if (!s || (whose && !of_another(c, whose))) return false;
    return hides(seen_by(s->item, 0), !whose && s->item->more);
}

static bool hidden_keep(compiler *c, const node *n)
{
    const symbol *s = n && n->kind == NODE_E_OF ? named(c, kid(n, 0), SYMBOL_KEEP) : named(c, n, SYMBOL_KEEP);
    if (!s || !s->item->more || strcmp(s->item->more, "player") != 0) return false;
    return hides(seen_by(s->item, 2), n->kind != NODE_E_OF || !of_another(c, kid(n, 1)));
}

static bool holds_hidden_zone(compiler *c, const node *n, int depth)
{
    if (!n || depth > DEEP) return false;
    if (hidden_zone(c, n)) return true;
    for (int i = 0; i < n->count; i++) if (holds_hidden_zone(c, n->kids[i], depth + 1)) return true;
    return false;
}

/* A word that tells pieces apart by what they are. */
static bool tells_kinds(compiler *c, const node *n)
{
    if (!n) return false;
    if (named(c, n, SYMBOL_KIND) || named(c, n, SYMBOL_FAMILY) || n->kind == NODE_E_COMPARE || n->kind == NODE_E_WHERE) return true;
    const symbol *s = named(c, n, SYMBOL_KEEP);
    if (s && s->item->more && strcmp(s->item->more, "piece") == 0) return true;
    if (n->kind == NODE_E_OR || n->kind == NODE_E_AND || n->kind == NODE_E_NOT || n->kind == NODE_E_ROW)
        for (int i = 0; i < n->count; i++) if (tells_kinds(c, n->kids[i])) return true;
    return false;
}

/* The same of a kind that is hidden wherever it stands. */
static bool tells_hidden_kinds(compiler *c, const node *n)
{
    const symbol *s = named(c, n, SYMBOL_KIND);
    const node *item = s ? s->item : NULL;
    if (s && item && item->kind == NODE_I_PIECE) return hides(seen_by(item, 1), false);
    if (n && (n->kind == NODE_E_OR || n->kind == NODE_E_AND)) for (int i = 0; i < n->count; i++) if (tells_hidden_kinds(c, n->kids[i])) return true;
    return false;
}

/* Words side by side that ask what is in a hidden zone, or what kind another's covered piece is. */
static bool asks_in_row(compiler *c, const node *row)
{
    bool hidden = false, kinds = false, others = false, covered = false;
    for (int i = 0; i < row->count; i++) {
        const node *k = row->kids[i];
        const bool z = hidden_zone(c, k);
        hidden |= z;
        kinds |= !z && tells_kinds(c, k);
        others |= is_name(k, "enemy") || is_name(k, "occupied");
        covered |= tells_hidden_kinds(c, k);
    }
    return (hidden && kinds) || (others && covered);
}

static const node *asks_unseen(compiler *c, const node *n, int depth);

static const node *asked_by_name(compiler *c, const node *n, int depth)
{
    if (!named(c, n, SYMBOL_LET)) return NULL;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *l = c->tree->root->kids[i];
        if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && !l->more && asks_unseen(c, kid(l, 1), depth + 1)) return n;
    }
    return NULL;
}

/* What in an expression depends on something that the mover cannot see; NULL if nothing does. */
static const node *asks_unseen(compiler *c, const node *n, int depth)
{
    if (!n || depth > DEEP) return NULL;
    if (hidden_keep(c, n)) return n;
    if (n->kind == NODE_E_ROW && asks_in_row(c, n)) return n;
    if (n->kind == NODE_E_OF && !named(c, kid(n, 0), SYMBOL_ZONE)) {
        const node *what = kid(n, 0);
        const bool of_pieces = is_name(what, "value") || is_name(what, "kind") || is_name(what, "owner") || tells_kinds(c, what);
        if (of_pieces && !is_name(what, "owner") && holds_hidden_zone(c, kid(n, 1), depth)) return n;
    }
    const node *found = asked_by_name(c, n, depth);
    for (int i = 0; i < n->count && !found; i++) found = asks_unseen(c, n->kids[i], depth + 1);
    return found;
}

static void tell(looker *l, const node *n, const char *what)
{
    const node *unseen = l->fresh ? NULL : asks_unseen(l->c, n, 0);
    if (!unseen || unseen->at.source != 0) return;
    diag_add(l->c->d, "W0426", unseen->at, "%s depends on `%s`, which the mover cannot see: his list of moves tells him", what, print_short(l->c, unseen));
}

/* A pick among pieces that look alike to who picks. */
static void look_at_pick(looker *l, const node *n)
{
    const node *from = kid(n, 0);
    bool blind = hidden_zone(l->c, from);
    for (int i = 0; from && from->kind == NODE_E_ROW && i < from->count; i++) blind |= hidden_zone(l->c, from->kids[i]);
    if (blind && n->at.source == 0) {
        diag_add(l->c->d, "W0427", n->at, "a blind pick: the mover cannot see what is in `%s`; write `pick random %s in ...`, or let him see it", print_short(l->c, from), n->text);
        return;
    }
    tell(l, from, "what can be picked");
}

static bool is_chance(const node *n) { return n->kind == NODE_A_ROLL || ((n->kind == NODE_A_PICK || n->kind == NODE_A_EACH) && (n->flags & FLAG_RANDOM)); }

static bool chooses(const node *n, int depth)
{
    if (!n || depth > DEEP) return false;
    if ((n->kind == NODE_A_PICK && !(n->flags & FLAG_RANDOM)) || n->kind == NODE_A_STEP || n->kind == NODE_A_SLIDE || n->kind == NODE_A_DROP || n->kind == NODE_A_CHOICE || n->kind == NODE_A_PASS) return true;
    for (int i = 0; i < n->count; i++) if (chooses(n->kids[i], depth + 1)) return true;
    return false;
}

static void look(looker *l, const node *n, int depth);

static void look_within(looker *l, const node *n, int depth)
{
    const bool fresh = l->fresh;
    bool after = fresh;
    for (int i = 0; i < n->count; i++) {
        if (n->kind == NODE_A_CHOICE || n->kind == NODE_A_ELSE || n->kind == NODE_A_IF) l->fresh = fresh;
        look(l, n->kids[i], depth + 1);
        after = i ? after && l->fresh : l->fresh;
    }
    if (n->kind != NODE_A_SEQUENCE) l->fresh = after;
}

static void look(looker *l, const node *n, int depth)
{
    if (!n || depth > 200) return;
    if (n->kind == NODE_A_COMMIT || is_chance(n)) l->fresh = true;
    switch (n->kind) {
    case NODE_A_WHEN: case NODE_A_ILLEGAL: tell(l, kid(n, 0), "what is allowed"); return;
    case NODE_A_PICK: if (!(n->flags & FLAG_RANDOM)) { look_at_pick(l, n); l->fresh = false; } return;
    case NODE_A_STEP: tell(l, kid(n, 2), "where it may go"); look_within(l, n, depth); l->fresh = false; return;
    case NODE_A_SLIDE: case NODE_A_DROP: tell(l, kid(n, 1), "where it may go"); l->fresh = false; return;
    case NODE_PATTERN: tell(l, kid(n, 0), "what it may pass"); return;
    case NODE_A_IF: if (chooses(kid(n, 1), 0) || chooses(kid(n, 2), 0)) tell(l, kid(n, 0), "what can be chosen"); break;
    case NODE_A_LOOP: if (chooses(kid(n, 0), 0)) tell(l, kid(n, 1), "how often it is done"); break;
    case NODE_A_BY: { const bool fresh = l->fresh; l->fresh = false; look_within(l, n, depth); l->fresh = fresh; return; }
    case NODE_A_DO: case NODE_A_PASS: l->fresh = false; return;
    default: break;
    }
    look_within(l, n, depth);
}

void check_unseen(compiler *c)
{
    if (!c->g->has_secrets) return;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        looker l = { .c = c };
        if (!n) continue;
        if (n->kind == NODE_I_TURN || n->kind == NODE_I_RULE || n->kind == NODE_I_PIECE) look(&l, n, 0);
        if (n->kind == NODE_I_END && strcmp(n->text, "illegal") == 0) tell(&l, kid(n, 1), "what is allowed");
    }
}
