/* Which choices of options a file allows: what an option needs (`option x = v when C`), and what `illegal when` says of options alone. */
#include <string.h>
#include "tests/plain/inside.h"

/* Counts the options that a condition names; false if it speaks of anything else. */
static bool of_options(plain_game *g, const node *c, int *options, int deep) {
    if (!c || deep > 40) return false;
    const name *n = c->kind == NODE_E_NAME ? name_of(g, c) : NULL;
    switch (c->kind) {
    case NODE_E_NAME:
        if (!strcmp(c->text, "yes")) return true;
        if (n && n->sort == N_OPTION) return ++*options;
        return n && n->sort == N_LET && !g->lets[n->index].params && g->lets[n->index].any && of_options(g, g->lets[n->index].any, options, deep + 1);
    case NODE_E_NUMBER: return true;
    case NODE_E_COMPARE: {                                  /* beside an option of words a name is a word */
        int before = *options;
        bool left = of_options(g, c->kids[0], options, deep + 1), right = of_options(g, c->kids[1], options, deep + 1);
        return (left && right) || ((left || right) && *options > before && (left ? c->kids[1] : c->kids[0])->kind == NODE_E_NAME);
    }
    case NODE_E_NOT: case NODE_E_MINUS: case NODE_E_ARITH: case NODE_E_IN: case NODE_E_RANGE: case NODE_E_ROW: case NODE_E_AND: case NODE_E_OR: case NODE_E_WHEN: break;
    default: return false;
    }
    for (int i = 0; i < c->count; i++)
        if (c->kids[i] && !of_options(g, c->kids[i], options, deep + 1)) return false;
    return true;
}

static bool as_in_file(const option *o, const val *file) {
    if (o->v.type == V_WORD) return !strcmp(o->v.word, file->word);
    return o->v.n == file->n;
}

void choices_check(plain_game *g, const val *standards) {
    sit s = { .st = state_new(g), .here = NONE, .start = NONE, .it = NONE };
    for (int i = 0; i < g->option_count; i++) {
        const node *needs = g->options[i].node->kids[3];
        int options = 0;
        if (!needs) continue;
        if (!of_options(g, needs, &options, 0)) fail(g, needs, "what option '%s' needs is not said of options", g->options[i].word);
        if (!truth(g, &s, needs) && !as_in_file(&g->options[i], &standards[i])) fail(g, needs, "option '%s' does not count here", g->options[i].word);
    }
    for (int i = 0; i < g->end_count; i++) {
        int options = 0;
        if (!strcmp(g->ends[i].word, "illegal") && of_options(g, g->ends[i].c, &options, 0) && options && truth(g, &s, g->ends[i].c))
            fail(g, g->ends[i].c, "these options do not go together");
    }
}
