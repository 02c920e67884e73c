/* Merging a variant into its parent: what load.c, merge.c and original.c share. */
#ifndef JOC_MERGE_H
#define JOC_MERGE_H
#include "parse.h"

typedef struct {
    node *item;             /* NULL once it is gone */
    const node *was;        /* what stood here in the parent; NULL for what the variant brings */
    const node *changed_by; /* the item of the variant that did it */
} entry;

typedef struct {
    tree *t;                /* the result */
    diagnostics *d;
    entry *entries;
    size_t count, capacity;
    bool too_big;
} merging;

/* Merges the variant `v`, whose I_VARIANT is `variant`, into `base`, which becomes the result; `v` can be freed then. */
tree *tree_merge(tree *base, const tree *v, const node *variant, diagnostics *d);

/* ---- original.c ---- */
bool mentions(const node *n, const char *name);         /* does that name or call stand in it? */
node *merge_copy(merging *m, const node *n);            /* a copy in the result; a message instead if that gets too big */
/* Puts what was there where `item` says `original`: `old`, the items it replaces. */
node *with_original(merging *m, node *item, const node *const *old, size_t count);
#endif
