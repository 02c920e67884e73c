/* What is odd about kinds of pieces: those that never come into play, and those that nobody has. */
#include <string.h>
#include "expr.h"

/* Only the file that was asked about. */
static bool ours(const node *n) { return n && n->at.source == 0; }

/* `place neutral Wall`, `place nobody Wall`. */
static bool for_nobody(const node *n)
{
    for (int i = 0; n && n->kind == NODE_E_ROW && i < n->count; i++) if (is_name(n->kids[i], "neutral") || is_name(n->kids[i], "nobody")) return true;
    return false;
}

/* Where kinds are said that then come on the board, or may: what is placed, dropped, become, kept, picked, defined. `owned`: as somebody's. */
static bool brings(compiler *c, const node *n, const char *kind, const char *family, bool here, bool owned)
{
    if (!n) return false;
    if (here && n->kind == NODE_E_NAME && (strcmp(n->text, kind) == 0 || (family && strcmp(n->text, family) == 0))) return true;
    switch (n->kind) {
    case NODE_I_TEST: case NODE_KINDS: return false;
    case NODE_A_PLACE: if (owned && for_nobody(kid(n, 0))) return false;  /* fallthrough */
    case NODE_A_DROP: return brings(c, kid(n, 0), kind, family, true, owned);
    case NODE_A_BECOMES: case NODE_A_SET: return brings(c, kid(n, 1), kind, family, true, owned);
    case NODE_A_LET: case NODE_I_LET: case NODE_A_PICK: case NODE_I_KEEP: case NODE_E_CALL: here = true; break;
    default: break;
    }
    for (int i = 0; i < n->count; i++) if (brings(c, n->kids[i], kind, family, here || (n->kind == NODE_A_EACH && i == 0), owned)) return true;
    return false;
}

static bool in_diagrams(const node *n, const char *letter)
{
    if (!n) return false;
    if (n->kind == NODE_A_RANK) {
        if (strstr(n->text, letter)) return true;
        char lower[8] = "";
        if (strlen(letter) == 1) { lower[0] = (char)(letter[0] >= 'A' && letter[0] <= 'Z' ? letter[0] + 32 : letter[0]); return strstr(n->text, lower) != NULL; }
        return true;        /* letters of other alphabets have their small ones: not looked at */
    }
    if (n->kind == NODE_I_TEST) return false;
    for (int i = 0; i < n->count; i++) if (in_diagrams(n->kids[i], letter)) return true;
    return false;
}

/* May a piece that is there come to another owner: become somebody's, or go to a zone that has one? */
static bool changes_owner(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_I_TEST) return false;
    if (n->kind == NODE_A_SEND) return true;
    if (n->kind == NODE_A_BECOMES) {
        const node *d = kid(n, 1);
        for (int i = 0; d && i < (d->kind == NODE_E_ROW ? d->count : 1); i++) {
            const node *w = d->kind == NODE_E_ROW ? d->kids[i] : d;
            if (is_name(w, "own") || is_name(w, "enemy") || static_type(c, w) == T_PLAYER) return true;
        }
    }
    for (int i = 0; i < n->count; i++) if (changes_owner(c, n->kids[i])) return true;
    return false;
}

/* Has the kind a rule that walks with its own pieces? */
static bool walks(const compiler *c, int kind)
{
    for (int i = 0; i < c->rule_count; i++) {
        const rule *r = &c->rules[i];
        if (r->of_piece && !r->picks_here && (r->kinds[kind / 64] >> (kind % 64) & 1)) return true;
    }
    return false;
}

static bool kind_comes(compiler *c, const symbol *s, const char *family, bool owned)
{
    const game *g = c->g;
    bool there = brings(c, c->tree->root, s->name, family, false, owned) || (s->index >= 0 && s->index < g->kind_count && in_diagrams(c->tree->root, g->kinds[s->index].letter));
    for (int j = 0; s->kind == SYMBOL_FAMILY && !there && j < g->kind_count; j++)
        there = strncmp(g->kinds[j].name, s->name, strlen(s->name)) == 0 && brings(c, c->tree->root, g->kinds[j].name, NULL, false, owned);
    return there;
}

void check_kinds(compiler *c)
{
    const bool given_away = changes_owner(c, c->tree->root);
    for (int i = 0; i < c->symbol_count; i++) {
        const symbol *s = &c->symbols[i];
        const char *family = NULL;
        if ((s->kind != SYMBOL_KIND && s->kind != SYMBOL_FAMILY) || !ours(s->where)) continue;
        for (int j = 0; s->kind == SYMBOL_KIND && j < c->symbol_count; j++)
            if (c->symbols[j].kind == SYMBOL_FAMILY && c->symbols[j].where == s->where) family = c->symbols[j].name;
        if (s->kind == SYMBOL_KIND && family) continue;                 /* told of the family */
        if (!kind_comes(c, s, family, false)) diag_add(c->d, "W0404", word_at(c, s->where, s->name), "no %s ever comes into play: none is placed, dropped or become", s->name);
        else if (!given_away && s->index >= 0 && s->index < c->g->kind_count && walks(c, s->index) && !kind_comes(c, s, family, true))
            diag_add(c->d, "W0425", word_at(c, s->where, s->name), "nobody can move a %s: all are placed neutral, and a rule of a piece walks with own pieces", s->name);
    }
}
