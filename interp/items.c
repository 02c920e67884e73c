/* The declarations of rules one by one, to tell what differs between two sets of rules.
 *
 * An item is a declaration as it stands after variants are merged, under a name that a declaration of the same meaning has in other rules
 * too. Pieces are taken apart: what a kind is, and each of its rules. What is declared in parts (alternatives of a rule) is one item. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

struct joc_items { arena *arena; joc_item *list; size_t count, capacity; const joc_rules *rules; };


static uint64_t hash_of(const char *s)          /* FNV-1a */
{
    uint64_t h = 14695981039346656037ull;
    for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211ull;
    return h;
}

static void item_add(joc_items *all, const char *name, const char *text, const node *at, bool plays)
{
    joc_item *same = NULL;
    for (size_t i = 0; i < all->count && !same; i++) if (strcmp(all->list[i].name, name) == 0) same = &all->list[i];
    if (same) {
        same->text = arena_format(all->arena, "%s; %s", same->text, text);
        return;
    }
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->list = realloc(all->list, all->capacity * sizeof *all->list);
        if (!all->list) abort();
    }
    joc_item *item = &all->list[all->count++];
    *item = (joc_item){ .name = name, .text = text, .path = "", .plays = plays };
    const diagnostics *d = all->rules->d;
    if (!at || at->at.source >= d->source_count) return;
    unsigned column;
    item->path = d->sources[at->at.source].path;
    diag_locate(d, at->at, &item->line, &column);
}

static const char *printed(joc_items *all, const node *n)
{
    char *text = node_print(n);
    const char *kept = arena_copy(all->arena, text, strlen(text));
    free(text);
    return kept;
}

static void piece_add(joc_items *all, const node *piece)
{
    const node *kinds = kid(piece, 0), *seen = kid(piece, 1);
    for (int k = 0; kinds && k < kinds->count; k++) {
        const char *kind = kinds->kids[k]->text;
        item_add(all, arena_format(all->arena, "piece %s", kind), arena_format(all->arena, "piece %s%s%s", printed(all, kinds->kids[k]), seen ? " " : "", seen ? printed(all, seen) : ""), piece, true);
        for (int r = 2; r < piece->count; r++)
            if (piece->kids[r] && piece->kids[r]->kind == NODE_I_RULE)
                item_add(all, arena_format(all->arena, "rule %s of %s", piece->kids[r]->text, kind), printed(all, piece->kids[r]), piece->kids[r], true);
    }
}

/* Which of the unlabelled ends of its word it is, from 1. */
static int end_number(const joc_rules *r, const node *end)
{
    int n = 1;
    for (int i = 0; i < r->tree->root->count && r->tree->root->kids[i] != end; i++) {
        const node *e = r->tree->root->kids[i];
        n += e && e->kind == NODE_I_END && !e->more && strcmp(e->text, end->text) == 0;
    }
    return n;
}

static const struct { node_kind kind; const char *word; bool named; } plain_items[] = {
    { NODE_I_PLAYERS, "players", false }, { NODE_I_BOARD, "board", false }, { NODE_I_SETUP, "setup", false }, { NODE_I_TURN, "turn", false },
    { NODE_I_SCORE, "score", false }, { NODE_I_STACK, "stack", false }, { NODE_I_ZONE, "zone", true }, { NODE_I_KEEP, "keep", true },
    { NODE_I_LET, "let", true }, { NODE_I_TRACK, "track", true }, { NODE_I_DICE, "dice", true }, { NODE_I_OPTION, "option", true },
    { NODE_I_PRESET, "preset", true }, { NODE_I_RULE, "rule", true },
};

static void node_add_item(joc_items *all, const node *n)
{
    if (n->kind == NODE_I_PIECE) { piece_add(all, n); return; }
    if (n->kind == NODE_I_END) {
        const char *name = n->more ? arena_format(all->arena, "label %s", n->more) : arena_format(all->arena, "%s %d", n->text, end_number(all->rules, n));
        item_add(all, name, printed(all, n), n, true);
        return;
    }
    for (size_t i = 0; i < sizeof plain_items / sizeof *plain_items; i++) {
        if (plain_items[i].kind != n->kind) continue;
        const bool of = (n->kind == NODE_I_LET || n->kind == NODE_I_TRACK) && n->more;
        const char *name = !plain_items[i].named ? plain_items[i].word
            : arena_format(all->arena, "%s %s%s%s", plain_items[i].word, n->text, of ? " of " : "", of ? n->more : "");
        item_add(all, name, printed(all, n), n, n->kind != NODE_I_PRESET);
    }
}

joc_items *joc_items_of(const joc_rules *r)
{
    joc_items *all = calloc(1, sizeof *all);
    if (!all) abort();
    all->arena = arena_new();
    all->rules = r;
    for (int i = 0; i < r->tree->root->count; i++) if (r->tree->root->kids[i]) node_add_item(all, r->tree->root->kids[i]);
    size_t length = 1;
    for (size_t i = 0; i < all->count; i++) length += strlen(all->list[i].name) + 2;
    char *order = arena_alloc(all->arena, length), *at = order;
    for (size_t i = 0; i < all->count; i++) if (all->list[i].plays) at += sprintf(at, "%s%s", at > order ? ", " : "", all->list[i].name);
    item_add(all, "order", order, NULL, true);
    for (size_t i = 0; i < all->count; i++) all->list[i].hash = hash_of(all->list[i].text);
    return all;
}

size_t joc_items_count(const joc_items *all) { return all->count; }
joc_item joc_items_at(const joc_items *all, size_t i) { return all->list[i]; }

void joc_items_free(joc_items *all)
{
    if (!all) return;
    arena_free(all->arena);
    free(all->list);
    free(all);
}
