/* Regions: the sets of cells that the file gives a name, and that are known once the options are. Drawings show them, and the check of
 * symmetry names them. What is said of them here was said before: messages are dropped. */
#include <string.h>
#include "compile.h"

static bool on_board(const game *g, const value *v)
{
    for (int p = 0; p < g->player_count; p++)
        for (int i = g->cells; i < g->places; i++) if (const_words(v, p)[i / 64] >> (i % 64) & 1) return false;
    return true;
}

/* The `let` that is meant for a player. */
static const node *said_for(const compiler *c, const symbol *s, const char *player)
{
    const node *root = c->tree->root;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (n && n->kind == NODE_I_LET && !strcmp(n->text, s->name) && n->more && !strcmp(n->more, player)) return n;
    }
    return s->where;
}

static void region_add(compiler *c, const symbol *s, const value *v, int *capacity)
{
    game *g = c->g;
    g->named_sets = grow(g->named_sets, capacity, g->named_set_count + 1, sizeof *g->named_sets);
    named_set n = { .name = arena_copy(c->a, s->name, strlen(s->name)), .cells = v->sets };
    for (int p = 0; p < g->player_count; p++) {
        const span at = word_at(c, said_for(c, s, g->players[p].name), s->name);
        n.at[p].source = at.source;
        n.at[p].from = at.from;
        n.at[p].to = at.to;
    }
    g->named_sets[g->named_set_count++] = n;
}

void regions_build(compiler *c)
{
    game *g = c->g;
    diagnostics *heard = c->d;
    const uint32_t mark = g->code_count;
    const int top = c->num_top, sets = c->set_top;
    int capacity = 0;
    c->d = diag_new();
    for (int i = 0; i < c->symbol_count; i++) {
        symbol *s = &c->symbols[i];
        if (s->kind != SYMBOL_LET || !s->where) continue;
        if (s->item && s->item->kind == NODE_I_LET && s->item->count && s->item->kids[0]) continue;     /* a function */
        value v = let_value(c, s, NULL, s->where);
        if (v.type == T_PLACE && v.constant) v = to_set(c, v, s->where);
        if (v.type == T_SET && v.constant && !v.attacked && !v.zone && on_board(g, &v)) region_add(c, s, &v, &capacity);
    }
    diag_free(c->d);
    c->d = heard;
    c->num_top = top;
    c->set_top = sets;
    g->code_count = mark;
}
