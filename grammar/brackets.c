/* The brackets that were understood and not written: around each expression of several words that stands in another expression.
 *
 * Only the grammar's reading is shown. In `2 ahead of here` and `backward diagonal of S` the words before the relation belong to it by
 * what they mean (docs/language.md, section 3); numbers and the standard names of directions are known here, names of the file are not. */
#include <string.h>
#include "parse.h"

static bool compound(const node *n)
{
    switch (n->flags & FLAG_BRACKETS ? NODE_BROKEN : n->kind) {
    case NODE_E_ROW: case NODE_E_OF: case NODE_E_FROM: case NODE_E_OR: case NODE_E_AND: case NODE_E_WHERE: case NODE_E_COMPARE: case NODE_E_IN:
    case NODE_E_ARITH: case NODE_E_REACH: case NODE_E_LINE: case NODE_E_TOP: case NODE_E_COUNT: case NODE_E_ANY: case NODE_E_NO: case NODE_E_ALWAYS:
        return true;
    case NODE_E_MINUS:
        return n->kids[0]->kind == NODE_E_OF && !(n->kids[0]->flags & FLAG_BRACKETS);
    default:
        return false;
    }
}

static void enclose(span at, unsigned char *before, unsigned char *after)
{
    if (before[at.from] < 255 && after[at.to] < 255) {
        before[at.from]++;
        after[at.to]++;
    }
}

static bool counts_steps(const node *n)
{
    static const char *const directions[] = {
        "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
        "ahead", "behind", "forward", "backward", "sideways", "orthogonal", "diagonal", "ways",
    };
    if (n->kind == NODE_E_NUMBER)
        return true;
    for (size_t i = 0; n->kind == NODE_E_NAME && i < sizeof directions / sizeof *directions; i++)
        if (strcmp(n->text, directions[i]) == 0)
            return true;
    return false;
}

/* In a row that ends with an image: from which word on the relation is made. */
static int relation_start(const node *row)
{
    int first = row->count - 1;
    while (first > 0 && counts_steps(row->kids[first - 1]))
        first--;
    return first;
}

static void walk(const node *n, unsigned char *before, unsigned char *after)
{
    const node *last = n->kind == NODE_E_ROW && n->count ? n->kids[n->count - 1] : NULL;
    int first = last && last->kind == NODE_E_OF && !(last->flags & FLAG_BRACKETS) ? relation_start(n) : n->count;
    bool moved = last && first < n->count - 1;
    bool turned = n->kind == NODE_E_MINUS && n->kids[0]->kind == NODE_E_OF && !(n->kids[0]->flags & FLAG_BRACKETS);
    if (turned)             /* `-ring of here` is `(-ring) of here` */
        enclose((span){ n->at.source, n->at.from, n->kids[0]->kids[0]->at.to }, before, after);
    for (int i = 0; i < n->count; i++) {
        const node *kid = n->kids[i];
        if (!kid)
            continue;
        bool image = turned || (moved && i == n->count - 1);
        if (compound(kid) && is_expression(n) && n->kind != NODE_E_CALL && n->kind != NODE_E_WHEN && !image)
            enclose(kid->at, before, after);
        walk(kid, before, after);
    }
    if (!moved)
        return;
    if (first > 0)
        enclose((span){ n->at.source, n->kids[first]->at.from, last->at.to }, before, after);
    enclose((span){ n->at.source, n->kids[first]->at.from, last->kids[0]->at.to }, before, after);
}

void find_brackets(const node *root, unsigned char *before, unsigned char *after)
{
    walk(root, before, after);
}
