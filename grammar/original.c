/* `original`: what stood in the place of an item that a variant replaces. Each mention becomes a copy; parameters of what was there are
 * bound to the arguments given, or to the parameters of what takes its place. */
#include "merge.h"

enum { MAX_NODES = 1000000 };   /* variants of variants could double their originals for ever */

typedef struct {
    const char *name;                       /* the word `original`, as the tree interns it */
    const node *body;                       /* what it stands for; NULL: nothing */
    const node *params;                     /* the parameters of what was there */
    const node *own;                        /* those of what takes its place */
    bool used, wrong;
} original;

bool mentions(const node *n, const char *name)
{
    if (!n)
        return false;
    if ((n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) && n->text == name)
        return true;
    for (int i = 0; i < n->count; i++)
        if (mentions(n->kids[i], name))
            return true;
    return false;
}

node *merge_copy(merging *m, const node *n)
{
    if (m->t->node_count > MAX_NODES) {
        if (!m->too_big)
            diag_add(m->d, "E0211", n->at, "the variant makes the rules too big");
        m->too_big = true;
        return node_alloc(m->t, NODE_BROKEN, n->at, NULL, 0);
    }
    return tree_copy(m->t, n);
}

/* Puts `arguments` in the place of the parameters they belong to. */
static node *bind(merging *m, node *n, const node *params, node *const *arguments)
{
    if (!n)
        return NULL;
    for (int i = 0; params && n->kind == NODE_E_NAME && i < params->count; i++)
        if (n->text == params->kids[i]->text) {
            node *argument = merge_copy(m, arguments[i]);
            if (argument->count)
                argument->flags |= FLAG_BRACKETS;
            return argument;
        }
    for (int i = 0; i < n->count; i++)
        n->kids[i] = bind(m, n->kids[i], params, arguments);
    return n;
}

/* The copy that stands for one mention of `original`, given with or without arguments. */
static node *original_copy(merging *m, original *o, const node *mention, bool action)
{
    int wanted = o->params ? o->params->count : 0;
    node *const *arguments = mention->count ? mention->kids : o->own ? o->own->kids : NULL;
    int given = mention->count ? mention->count : o->own ? o->own->count : 0;
    if (!o->body || given != wanted) {
        o->wrong = true;
        diag_add(m->d, "E0209", mention->at, o->body ? "the original takes %d argument%s, not %d" : "there is no original that could stand here", wanted, wanted == 1 ? "" : "s", given);
        return node_alloc(m->t, NODE_BROKEN, mention->at, NULL, 0);
    }
    o->used = true;
    node *body = bind(m, merge_copy(m, o->body), o->params, arguments);
    if (body->count)
        body->flags |= action ? FLAG_BRACES : FLAG_BRACKETS;
    return body;
}

static node *put_original(merging *m, original *o, node *n)
{
    if (!n || o->wrong)
        return n;
    bool done = n->kind == NODE_A_DO && n->count;
    const node *mention = done ? n->kids[0] : n;
    if ((mention->kind == NODE_E_NAME || mention->kind == NODE_E_CALL) && mention->text == o->name)
        return original_copy(m, o, mention, done);
    for (int i = 0; i < n->count; i++)
        n->kids[i] = put_original(m, o, n->kids[i]);
    return n;
}

/* The one expression or action of an item, which `original` stands for; NULL if it has none. */
static node *item_body(const node *n)
{
    switch (n->kind) {
    case NODE_I_SETUP: case NODE_I_TURN: case NODE_I_ABOUT: case NODE_I_MARK: case NODE_I_SCORE: case NODE_I_OPTION:
        return n->kids[0];
    case NODE_I_LET: case NODE_I_RULE: case NODE_I_END:
        return n->kids[1];
    case NODE_I_TRACK:
        return n->count == 1 ? n->kids[0] : NULL;
    default:
        return NULL;
    }
}

static const node *item_params(const node *n)
{
    return n->kind == NODE_I_LET || n->kind == NODE_I_RULE ? n->kids[0] : NULL;
}

/* All bodies of a list of rules or ends that one item replaces: alternatives of an action, or conditions joined by `or`. */
static node *joined_bodies(merging *m, const node *const *items, size_t count)
{
    if (count == 0)
        return NULL;
    if (count == 1)
        return item_body(items[0]);
    bool ends = items[0]->kind == NODE_I_END;
    node *all = node_alloc(m->t, ends ? NODE_E_OR : NODE_A_CHOICE, items[0]->at, NULL, (int)count);
    for (size_t i = 0; i < count; i++) {
        if (items[i]->kind != items[0]->kind || (ends && items[i]->text != items[0]->text) || item_params(items[i]))
            return NULL;
        all->kids[i] = merge_copy(m, item_body(items[i]));
        all->kids[i]->flags |= all->kids[i]->count ? ends ? FLAG_BRACKETS : FLAG_BRACES : 0;
    }
    return all;
}

/* Puts what was there where `item` says `original`. An end's condition stands for an end of the same kind only, an action for an action. */
node *with_original(merging *m, node *item, const node *const *old, size_t count)
{
    original o = { .name = tree_intern(m->t, "original"), .own = item_params(item) };
    if (!mentions(item, o.name))
        return item;
    bool alike = count > 0 && (old[0]->kind == item->kind || (item->kind == NODE_I_RULE && old[0]->kind == NODE_I_RULE));
    o.body = alike ? joined_bodies(m, old, count) : NULL;
    o.params = count ? item_params(old[0]) : NULL;
    return put_original(m, &o, item);
}

