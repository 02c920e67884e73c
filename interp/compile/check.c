/* What is odd about rules that are right: warnings and notes.
 *
 * Only what is surely odd is told: names nobody asks for, rules nobody follows, questions with one answer only, sets without cells.
 * Two kinds of knowledge are used.
 *
 *   reach    Which declarations the game can come to at all, found by walking from the turn, the set-up and the ends along the names that
 *            stand in them. A name counts wherever it stands, so the walk errs towards silence.
 *   shape    Actions as they are written: an `else` with a comma behind it, a `prefer` after `commit`, `take passed` after a leg over own
 *            pieces.
 *
 * Of a variant only what stands in the variant's own file is looked at: its parents are right by themselves, and what a variant leaves
 * unused in them is no fault. What depends on an option is not judged by the value the option has just now. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

static bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }

/* Only the file that was asked about. */
static bool ours(const node *n) { return n && n->at.source == 0; }

/* ---- what the game comes to ---------------------------------------------------------------------------------------------------------------- */
/* One entry per declaration of the file (for a piece block: one for its kinds, one for each of its rules). */
typedef enum { ASKED = 1, SET = 2, TESTED = 4, NAMED = 8 } how_used;
typedef struct { const char *name; const node *item, *body; symbol_kind kind; unsigned used; bool walked; } declared;
typedef struct { compiler *c; declared *list; int count, capacity; } reach;

static void declared_add(reach *r, const char *name, const node *item, const node *body, symbol_kind kind)
{
    r->list = grow(r->list, &r->capacity, r->count + 1, sizeof *r->list);
    r->list[r->count++] = (declared){ name, item, body, kind, 0, false };
}

static void find_declared(reach *r)
{
    const node *root = r->c->tree->root;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        switch (n->kind) {
        case NODE_I_LET: declared_add(r, n->text, n, kid(n, 1), SYMBOL_LET); break;
        case NODE_I_KEEP: declared_add(r, n->text, n, n, SYMBOL_KEEP); break;
        case NODE_I_ZONE: declared_add(r, n->text, n, NULL, SYMBOL_ZONE); break;
        case NODE_I_TRACK: declared_add(r, n->text, n, n, SYMBOL_TRACK); break;
        case NODE_I_DICE: declared_add(r, n->text, n, n, SYMBOL_DICE); break;
        case NODE_I_OPTION: declared_add(r, n->text, n, kid(n, 3), SYMBOL_OPTION); break;
        case NODE_I_RULE: declared_add(r, n->text, n, kid(n, 1), SYMBOL_RULE); break;
        case NODE_I_PIECE:
            for (int j = 2; j < n->count; j++) if (n->kids[j] && n->kids[j]->kind == NODE_I_RULE) declared_add(r, n->kids[j]->text, n->kids[j], kid(n->kids[j], 1), SYMBOL_RULE);
            break;
        default: break;
        }
    }
}

static void walk(reach *r, const node *n, unsigned how);

static void come_to(reach *r, const char *name, unsigned how)
{
    for (int i = 0; i < r->count; i++) {
        declared *d = &r->list[i];
        if (strcmp(d->name, name) != 0) continue;
        d->used |= how;
        if (!d->walked) { d->walked = true; walk(r, d->body, (how & TESTED) | ASKED); }
    }
}

/* What an assignment gives a value to is set, not asked. */
static void walk_place(reach *r, const node *n, unsigned how)
{
    if (!n) return;
    if (n->kind == NODE_E_NAME) { come_to(r, n->text, (how & TESTED) | SET); return; }
    if (n->kind == NODE_E_OF) { walk_place(r, kid(n, 0), how); walk(r, kid(n, 1), how); return; }
    walk(r, n, how);
}

static void walk_flags(reach *r, const node *n, unsigned how)
{
    if (!n) return;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) walk_flags(r, n->kids[i], how); return; }
    if (n->kind == NODE_E_NOT) { walk_flags(r, kid(n, 0), how); return; }
    symbol *s = n->kind == NODE_E_NAME ? symbol_find(r->c, n->text) : NULL;
    if (s && s->kind == SYMBOL_KEEP) come_to(r, n->text, (how & TESTED) | SET);
    else walk(r, n, how);
}

static void walk(reach *r, const node *n, unsigned how)
{
    if (!n) return;
    switch (n->kind) {
    case NODE_E_NAME: case NODE_E_CALL: case NODE_E_CAN: come_to(r, n->text, how); break;
    case NODE_A_SET: walk_place(r, kid(n, 0), how); walk(r, kid(n, 1), how); return;
    case NODE_A_BECOMES: walk(r, kid(n, 0), how); walk_flags(r, kid(n, 1), how); return;
    case NODE_T_OPTION: come_to(r, n->text, TESTED); break;
    case NODE_T_PRESET: walk(r, preset_find(r->c->tree, n->text), TESTED); break;
    default: break;
    }
    for (int i = 0; i < n->count; i++) walk(r, n->kids[i], how);
}

static void walk_game(reach *r)
{
    const node *root = r->c->tree->root;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        switch (n->kind) {
        case NODE_I_BOARD: case NODE_I_PLAYERS: case NODE_I_STACK: case NODE_I_SETUP: case NODE_I_TURN: case NODE_I_SCORE: case NODE_I_END: case NODE_I_MARK: walk(r, n, ASKED); break;
        case NODE_I_KEEP: for (int j = 0; j < n->count; j++) if (n->kids[j] && n->kids[j]->kind != NODE_SEEN) walk(r, n->kids[j], ASKED); break;
        case NODE_I_TRACK: case NODE_I_DICE: for (int j = 0; j < n->count; j++) walk(r, n->kids[j], ASKED); break;
        case NODE_I_PIECE: walk(r, kid(n, 0), ASKED); break;
        case NODE_I_TEST: walk(r, n, ASKED | TESTED); break;
        default: break;
        }
    }
}

static bool names(const node *n, const char *name)
{
    if (!n) return false;
    if ((n->kind == NODE_E_NAME || n->kind == NODE_E_CALL || n->kind == NODE_E_CAN) && strcmp(n->text, name) == 0) return true;
    for (int i = 0; i < n->count; i++) if (names(n->kids[i], name)) return true;
    return false;
}

/* Something the game does not come to either names it: that one is told of. */
static bool told_with_another(const reach *r, const declared *d)
{
    if (r->count > 1000) return false;
    for (int i = 0; i < r->count; i++)
        if (&r->list[i] != d && !r->list[i].used && strcmp(r->list[i].name, d->name) != 0 && names(r->list[i].body, d->name)) return true;
    return false;
}

static bool first_of_its_name(const reach *r, const declared *d)
{
    for (const declared *e = r->list; e < d; e++) if (e->kind == d->kind && strcmp(e->name, d->name) == 0) return false;
    return true;
}

/* Where `attacked` is asked a rule may be there for that alone, but hardly under a name nearly like another's. */
static const char *like_another_rule(const compiler *c, const char *name)
{
    for (int i = 0; i < c->rule_count; i++)
        if (strcmp(c->rules[i].name, name) != 0 && strlen(name) > 2 && nearest_word(name, &c->rules[i].name, 1)) return c->rules[i].name;
    return NULL;
}

static void tell_unused(compiler *c, const declared *d, bool asks_attacked)
{
    const span at = word_at(c, d->item, d->name);
    switch (d->kind) {
    case SYMBOL_OPTION: diag_add(c->d, "W0401", at, "option '%s' is asked nowhere: it changes nothing", d->name); break;
    case SYMBOL_RULE:
        if (!asks_attacked) diag_add(c->d, "W0405", at, "rule '%s' is done nowhere: the turn never comes to it", d->name);
        else if (like_another_rule(c, d->name)) diag_add(c->d, "W0405", at, "rule '%s' is done nowhere; did you mean '%s'?", d->name, like_another_rule(c, d->name));
        break;
    default: diag_add(c->d, "W0401", at, "'%s' is used nowhere", d->name); break;
    }
}

static void look_for_unused(reach *r)
{
    compiler *c = r->c;
    bool asks_attacked = false;
    for (int i = 0; i < c->tree->root->count; i++) asks_attacked |= names(c->tree->root->kids[i], "attacked");
    for (int i = 0; i < r->count; i++) {
        const declared *d = &r->list[i];
        if (!ours(d->item) || !first_of_its_name(r, d)) continue;
        const unsigned in_rules = d->used & (ASKED | SET), tested = d->used & TESTED;
        if (!in_rules || (d->kind == SYMBOL_OPTION && !(d->used & ASKED))) {
            if (!tested && !told_with_another(r, d)) tell_unused(c, d, asks_attacked);
            continue;
        }
        if (d->kind != SYMBOL_KEEP || tested) continue;
        if (!(d->used & ASKED)) diag_add(c->d, "W0402", word_at(c, d->item, d->name), "'%s' is given a value but never asked", d->name);
        else if (!(d->used & SET)) diag_add(c->d, "W0403", word_at(c, d->item, d->name), "'%s' is asked but never given a value", d->name);
    }
}

/* ---- the game as a whole ------------------------------------------------------------------------------------------------------------------ */
static bool has_any(const node *n, const node_kind *kinds, int count)
{
    if (!n) return false;
    for (int i = 0; i < count; i++) if (n->kind == kinds[i]) return true;
    if (n->kind == NODE_I_TEST || is_expression(n)) return false;
    for (int i = 0; i < n->count; i++) if (has_any(n->kids[i], kinds, count)) return true;
    return false;
}

static bool says_empty(const node *n) { return n && (is_name(n, "empty") || (n->kind == NODE_E_ROW && says_empty(kid(n, 0)))); }

/* Something can leave the board or change its owner. */
static bool can_lose_pieces(const node *n)
{
    if (!n) return false;
    switch (n->kind) {
    case NODE_A_TAKE: case NODE_A_SEND: case NODE_A_BECOMES: return true;
    case NODE_A_STEP: return !says_empty(kid(n, 2));
    case NODE_A_SLIDE: case NODE_A_DROP: return !says_empty(kid(n, 1));
    case NODE_A_PLACE: case NODE_I_LET: return false;
    case NODE_I_SETUP: case NODE_I_TEST: return false;
    default: break;
    }
    for (int i = 0; i < n->count; i++) if (can_lose_pieces(n->kids[i])) return true;
    return false;
}

static bool places_in_play(const node *root)
{
    static const node_kind making[] = { NODE_A_PLACE };
    for (int i = 0; i < root->count; i++) if (root->kids[i] && root->kids[i]->kind != NODE_I_SETUP && has_any(root->kids[i], making, 1)) return true;
    return false;
}

static void look_at_ends(compiler *c)
{
    static const node_kind results[] = { NODE_A_RESULT };
    const node *root = c->tree->root;
    bool end = has_any(root, results, 1);
    for (int i = 0; i < root->count; i++) end |= root->kids[i] && root->kids[i]->kind == NODE_I_END && strcmp(root->kids[i]->text, "illegal") != 0;
    if (!end && c->turn) diag_add(c->d, "W0409", (span){ c->turn->at.source, c->turn->at.from, c->turn->at.from + 4 }, "this game never ends: no win, lose, draw or end stands in it");
    if (can_lose_pieces(root) || places_in_play(root)) return;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i], *q = n && n->kind == NODE_I_END ? kid(n, 1) : NULL;
        if (q && ours(n) && q->kind == NODE_E_NO && (is_name(kid(q, 0), "enemy") || is_name(kid(q, 0), "own")))
            diag_add(c->d, "W0412", q->at, "this will never be so: no rule takes pieces or changes their owner");
    }
}

static bool nothing_is_placed(compiler *c)
{
    static const node_kind making[] = { NODE_A_PLACE, NODE_A_DROP, NODE_A_RANK };
    static const node_kind legs[] = { NODE_A_STEP, NODE_A_SLIDE };
    const node *root = c->tree->root;
    if (!c->g->kind_count || !c->g->cells || !has_any(root, legs, 2) || has_any(root, making, 3)) return false;
    const node *where = c->setup ? c->setup : c->turn;
    diag_add(c->d, "W0413", (span){ where->at.source, where->at.from, where->at.from + (c->setup ? 5 : 4) }, "no piece ever comes on the board: nothing is placed or dropped");
    return true;
}

/* ---- shapes of actions -------------------------------------------------------------------------------------------------------------------- */
/* May the cells of a pattern's part hold own pieces, although nobody says so? */
static bool quietly_own(compiler *c, const node *n, int depth)
{
    if (!n || depth > 8) return false;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) if (!quietly_own(c, n->kids[i], depth + 1)) return false; return true; }
    if (n->kind != NODE_E_NAME) return false;
    if (strcmp(n->text, "occupied") == 0) return true;
    const symbol *s = symbol_find(c, n->text);
    return s && (s->kind == SYMBOL_KIND || s->kind == SYMBOL_FAMILY);
}

static const node *quiet_part(compiler *c, const node *n)
{
    if (!n || is_expression(n)) return NULL;
    if (n->kind == NODE_PATTERN && quietly_own(c, kid(n, 0), 0)) return kid(n, 0);
    for (int i = 0; i < n->count; i++) { const node *p = quiet_part(c, n->kids[i]); if (p) return p; }
    return NULL;
}

static bool after_else(const node *n) { return n && (n->kind == NODE_A_RESULT || n->kind == NODE_A_PASS); }

static void look_at_sequence(compiler *c, const node *n)
{
    bool committed = false;
    const node *quiet = NULL;
    for (int i = 0; i < n->count; i++) {
        const node *k = n->kids[i];
        if (!k) continue;
        if (k->kind == NODE_A_COMMIT) committed = true;
        else if (k->kind == NODE_A_PREFER && committed) diag_add(c->d, "N0414", k->at, "only what was chosen since `commit` is compared");
        if (k->kind == NODE_A_STEP) quiet = quiet_part(c, k);
        if (k->kind == NODE_A_TAKE && is_name(kid(k, 0), "passed") && quiet && c->g->player_count > 1) {
            diag_add(c->d, "W0408", k->at, "`passed` may hold own pieces here; write `take enemy passed`");
            diag_note(c->d, quiet->at, "own pieces can be passed over, too");
        }
    }
}

/* `hand`, `hand of enemy`, `hand value 3`: places of a zone. */
static bool out_of_zone(compiler *c, const node *n)
{
    if (!n) return false;
    const symbol *s = n->kind == NODE_E_NAME ? symbol_find(c, n->text) : NULL;
    if (s && s->kind == SYMBOL_ZONE) return true;
    for (int i = 0; (n->kind == NODE_E_ROW || n->kind == NODE_E_OF || n->kind == NODE_E_WHERE || n->kind == NODE_E_OR) && i < (n->kind == NODE_E_ROW || n->kind == NODE_E_OR ? n->count : 1); i++) if (out_of_zone(c, n->kids[i])) return true;
    return false;
}

/* Is a name picked out of a zone in this item? */
static bool picked_out_of_zone(compiler *c, const node *n, const char *name)
{
    if (!n) return false;
    if (n->kind == NODE_A_PICK && strcmp(n->text, name) == 0) return out_of_zone(c, kid(n, 0));
    for (int i = 0; i < n->count; i++) if (picked_out_of_zone(c, n->kids[i], name)) return true;
    return false;
}

static const node *mention(const node *n, const char *name)
{
    if (!n || (n->kind == NODE_A_PICK && strcmp(n->text, name) == 0)) return NULL;
    if (n->kind == NODE_E_NAME && strcmp(n->text, name) == 0) return n;
    for (int i = 0; i < n->count; i++) { const node *m = mention(n->kids[i], name); if (m) return m; }
    return NULL;
}

static bool picks(const node *n, const char *name)
{
    if (!n) return false;
    if (n->kind == NODE_A_PICK && strcmp(n->text, name) == 0) return true;
    for (int i = 0; i < n->count; i++) if (picks(n->kids[i], name)) return true;
    return false;
}

/* `pick c in hand, send c to table, n = value of c`: a name picked out of a zone is a place there, and it is empty now. */
static void look_for_sent_names(compiler *c, const node *item, const node *n)
{
    if (!n || is_expression(n)) return;
    for (int i = 0; n->kind == NODE_A_SEQUENCE && i + 1 < n->count; i++) {
        const node *gone = n->kids[i] && (n->kids[i]->kind == NODE_A_SEND || n->kids[i]->kind == NODE_A_TAKE) ? kid(n->kids[i], 0) : NULL;
        if (!gone || gone->kind != NODE_E_NAME || strcmp(gone->text, "here") == 0 || !picked_out_of_zone(c, item, gone->text)) continue;
        const node *again = NULL;
        for (int j = i + 1; !again && j < n->count && !picks(n->kids[j], gone->text); j++) again = mention(n->kids[j], gone->text);
        if (!again) continue;
        diag_add(c->d, "W0436", again->at, "'%s' is a place of a zone, and what lay there has left; ask before, or say where it is now", gone->text);
        diag_note(c->d, n->kids[i]->at, "it leaves here");
    }
    for (int i = 0; i < n->count; i++) look_for_sent_names(c, item, n->kids[i]);
}

/* Is a name of the game or of a player compared with a number it can never come to? 1 always so, -1 never so, 0 it depends. */
static int foregone(const keep *k, const char *op, int64_t x)
{
    const bool below = x < k->low, above = x > k->high, most = x == k->high, least = x == k->low;
    if (strcmp(op, "=") == 0) return below || above ? -1 : 0;
    if (strcmp(op, "!=") == 0) return below || above ? 1 : 0;
    if (strcmp(op, "<") == 0) return above ? 1 : below || least ? -1 : 0;
    if (strcmp(op, "<=") == 0) return above || most ? 1 : below ? -1 : 0;
    if (strcmp(op, ">") == 0) return below ? 1 : above || most ? -1 : 0;
    return below || least ? 1 : above ? -1 : 0;
}

static void look_at_comparison(compiler *c, const node *n)
{
    const node *l = kid(n, 0), *r = kid(n, 1);
    if (!l || !r || r->kind != NODE_E_NUMBER) return;
    if (l->kind == NODE_E_OF) l = kid(l, 0);
    const symbol *s = l && l->kind == NODE_E_NAME ? symbol_find(c, l->text) : NULL;
    if (!s || s->kind != SYMBOL_KEEP) return;
    const keep *k = &c->g->keeps[s->index];
    const node *range = kid(s->item, 0);
    if (k->type != KEEP_NUMBER || !range || !kid(range, 0) || !kid(range, 1) || range->kids[0]->kind != NODE_E_NUMBER || range->kids[1]->kind != NODE_E_NUMBER) return;
    const int sure = foregone(k, n->text, r->value);
    if (!sure) return;
    diag_add(c->d, "W0415", n->at, "this is %s so: '%s' lies within %lld..%lld", sure > 0 ? "always" : "never", k->name, (long long)k->low, (long long)k->high);
    diag_note(c->d, word_at(c, s->where, s->name), "its range");
}

static bool drops_on_own(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) if (is_name(n->kids[i], "own")) return true; return false; }
    return is_name(n, "own");
}

/* Names made in a rule and asked nowhere in it. */
static void look_for_idle_names(compiler *c, const node *item, const node *n)
{
    if (!n) return;
    const bool picks = n->kind == NODE_A_PICK && strcmp(n->text, "here") != 0;
    if ((picks || n->kind == NODE_A_LET) && spoken(item, n->text) == 1)
        diag_add(c->d, "W0401", word_at(c, n, n->text), picks ? "'%s' is picked and never asked: the choice changes nothing" : "'%s' is asked nowhere", n->text);
    for (int i = 0; i < n->count; i++) look_for_idle_names(c, item, n->kids[i]);
}

static void look_at_shapes(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_I_TEST) return;
    if (ours(n)) switch (n->kind) {
        case NODE_I_RULE: case NODE_I_TURN: case NODE_I_SETUP: look_for_idle_names(c, n, n); look_for_sent_names(c, n, n); break;
        case NODE_A_SEQUENCE: look_at_sequence(c, n); break;
        case NODE_A_ELSE: {
            const node *b = kid(n, 1);
            if (b && b->kind == NODE_A_SEQUENCE && !(b->flags & (FLAG_LINES | FLAG_BRACES)) && b->count > 1 && after_else(kid(b, 0)))
                diag_add(c->d, "N0416", b->kids[1]->at, "`%s` belongs to `%s` alone; if it is to follow both, put it on a line of its own", print_short(c, b->kids[1]), print_short(c, b->kids[0]));
            break;
        }
        case NODE_E_COMPARE: look_at_comparison(c, n); break;
        case NODE_A_DROP:
            if (c->g->pile_max < 2 && drops_on_own(kid(n, 1))) diag_add(c->d, "W0418", kid(n, 1)->at, "these cells are full: a drop there takes your own piece");
            break;
        default: break;
    }
    for (int i = 0; i < n->count; i++) look_at_shapes(c, n->kids[i]);
}

/* ---- sets without cells (asked while expressions are lowered) ------------------------------------------------------------------------------- */
/* What an expression comes to may be another under other options. */
static bool asks_options(compiler *c, const node *n, int depth)
{
    if (!n) return false;
    if (depth > 20 || looked(c)) return true;
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) {
        const symbol *s = symbol_find(c, n->text);
        if (s && s->kind == SYMBOL_OPTION) return true;
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && asks_options(c, kid(l, 1), depth + 1)) return true;
            }
    }
    for (int i = 0; i < n->count; i++) if (asks_options(c, n->kids[i], depth + 1)) return true;
    return false;
}

bool depends_on_options(compiler *c, const node *n) { return asks_options(c, n, 0); }

static bool empty_for_all(const compiler *c, const value *v)
{
    for (int p = 0; p < c->g->player_count; p++)
        for (int i = 0; i < WORDS_MAX; i++) if (const_words(v, p)[i]) return false;
    return true;
}

void check_set(compiler *c, const value *v, const node *n, const char *name)
{
    if (!c->lints || c->d->errors || !ours(n) || v->type != T_SET || !v->constant || !empty_for_all(c, v)) return;
    if (c->let_depth || c->env_count > c->env_base || c->least_players != c->most_players) return;
    const symbol *s = n->kind == NODE_E_NAME && !name ? symbol_find(c, n->text) : NULL;
    if (s && s->kind == SYMBOL_LET) return;                                 /* told where it is defined */
    if (n->kind == NODE_E_NOT && is_name(kid(n, 0), "cells")) return;       /* said on purpose */
    if (depends_on_options(c, n) || depends_on_options(c, c->board)) return;
    if (name) diag_add(c->d, "W0406", n->at, "'%s' is empty: the board has no such cell", name);
    else diag_add(c->d, "W0406", n->at, "the board has no cell that is `%s`", print_short(c, n));
}

/* `edge(ahead)` on the dark cells of a board: straight ahead there is nothing anywhere. */
void check_edge(compiler *c, const value *v, const node *n)
{
    if (!c->lints || c->d->errors || !ours(n) || c->env_count > c->env_base || depends_on_options(c, n) || depends_on_options(c, c->board)) return;
    for (int p = 0; p < c->g->player_count; p++)
        for (int i = 0; i < c->g->cells; i++) if (!(const_words(v, p)[i / 64] >> (i % 64) & 1)) return;
    const bool rows = is_name(kid(n, 0), "ahead");
    diag_add(c->d, "W0428", n->at, rows ? "every cell is in `%s`: `%s` leads nowhere on this board; the last row is `row max(row of cells)`" : "every cell is in `%s`", print_short(c, n), print_short(c, kid(n, 0)));
}

void check_directions(compiler *c, const value *v, const node *n)
{
    if (!c->lints || c->d->errors || !ours(n) || v->type != T_RELATION || !v->constant || n->kind == NODE_E_WHEN) return;
    for (int p = 0; p < c->g->player_count; p++) if (v->mask[p]) return;
    if (c->let_depth || c->env_count > c->env_base || depends_on_options(c, n)) return;
    if (n->kind != NODE_E_ROW && depends_on_options(c, c->board)) return;   /* words that no direction has in common have none on any board */
    const char *both = n->kind == NODE_E_ROW ? "; side by side means all of these at once, `or` unites" : "";
    diag_add(c->d, "W0407", n->at, "`%s` leads nowhere on this board%s", print_short(c, n), both);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------------------- */
void check_rules(compiler *c)
{
    reach r = { .c = c };
    find_declared(&r);
    walk_game(&r);
    look_for_unused(&r);
    free(r.list);
    if (ours(c->turn)) look_at_ends(c);
    if (!ours(c->turn) || !nothing_is_placed(c)) check_kinds(c);
    look_at_shapes(c, c->tree->root);
    check_walkers(c);
    check_unseen(c);
}
