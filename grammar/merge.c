/* Variants: from a file and its parents to one tree.
 *
 * The tree of the deepest parent is taken as it is, and each variant above it is merged into it: its items are copied into that tree's
 * arena, then applied in three passes, because the order of declarations is free:
 *   1. `without`   takes inherited items (and the rules of that name in pieces) away;
 *   2. `replace` and `option x = v`  put something in an inherited item's place;
 *   3. what is left is added, and must be new.
 * While a variant is merged every item of the result is an `entry`: whether it is inherited, and which item of the variant has already
 * replaced it or taken it away, so that doing it twice is told with both places. `original` is replaced by a copy of what was there. */
#include <stdlib.h>
#include <string.h>
#include "merge.h"

/* ---- items and their names ---- */

typedef enum { ONE, NAMED_ITEM, PER_PLAYER, RULE_LIKE, PIECES, UNTOUCHED } identity;

static const struct { node_kind kind; const char *word; identity how; } item_kinds[] = {
    { NODE_I_PLAYERS, "players", ONE }, { NODE_I_BOARD, "board", ONE }, { NODE_I_STACK, "stack", ONE }, { NODE_I_SETUP, "setup", ONE },
    { NODE_I_TURN, "turn", ONE }, { NODE_I_SCORE, "score", ONE }, { NODE_I_ABOUT, "about", ONE }, { NODE_I_MARK, "mark", NAMED_ITEM }, { NODE_I_GAPS, "mark", NAMED_ITEM }, { NODE_I_ZONE, "zone", NAMED_ITEM }, { NODE_I_KEEP, "keep", NAMED_ITEM },
    { NODE_I_DICE, "dice", NAMED_ITEM }, { NODE_I_OPTION, "option", NAMED_ITEM },
    { NODE_I_PRESET, "preset", NAMED_ITEM }, { NODE_I_LET, "let", PER_PLAYER },
    { NODE_I_TRACK, "track", PER_PLAYER }, { NODE_I_RULE, "rule", RULE_LIKE }, { NODE_I_END, "end", RULE_LIKE },
    { NODE_I_PIECE, "piece", PIECES }, { NODE_I_TEST, "test", UNTOUCHED }, { NODE_I_GAME, "game", UNTOUCHED },
    { NODE_I_VARIANT, "variant", UNTOUCHED }, { NODE_I_REPLACE, "replace", UNTOUCHED }, { NODE_I_WITHOUT, "without", UNTOUCHED },
    { NODE_BROKEN, "?", UNTOUCHED },
};

static size_t item_row(node_kind kind)
{
    size_t i = 0;
    while (i + 1 < sizeof item_kinds / sizeof *item_kinds && item_kinds[i].kind != kind)
        i++;
    return i;
}

/* A rule's name, an end's label or (unlabelled) its word, another item's name; NULL for those of which there is one. */
static const char *item_name(const node *n)
{
    if (n->kind == NODE_I_END)
        return n->more ? n->more : n->text;
    return item_kinds[item_row(n->kind)].how == ONE ? NULL : n->text;
}

static bool unlabelled(const node *n)
{
    return n->kind == NODE_I_END && !n->more;
}

/* Would `b` stand in the place of `a`? */
static bool same_item(const node *a, const node *b)
{
    identity how = item_kinds[item_row(a->kind)].how;
    if (how == RULE_LIKE && item_kinds[item_row(b->kind)].how == RULE_LIKE)
        return item_name(a) == item_name(b) && unlabelled(a) == unlabelled(b);
    if (a->kind != b->kind || how == PIECES || how == UNTOUCHED)
        return false;
    return how == ONE || (a->text == b->text && (how != PER_PLAYER || a->more == b->more));
}

/* "let 'goal' of White", "turn", "win": an item as a message names it. */
static const char *item_said(merging *m, const node *n)
{
    const char *word = item_kinds[item_row(n->kind)].word;
    if (n->kind == NODE_I_END)
        return n->more ? arena_format(m->t->arena, "label '%s'", n->more) : arena_format(m->t->arena, "'%s'", n->text);
    if (!item_name(n))
        return arena_format(m->t->arena, "'%s'", word);
    bool of_player = (n->kind == NODE_I_LET || n->kind == NODE_I_TRACK) && n->more;
    return arena_format(m->t->arena, "%s '%s'%s%s", word, item_name(n), of_player ? " of " : "", of_player ? n->more : "");
}

static entry *add_entry(merging *m, size_t at, node *item, const node *was, const node *changed_by)
{
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 64;
        m->entries = must_have(realloc(m->entries, m->capacity * sizeof *m->entries));
    }
    memmove(m->entries + at + 1, m->entries + at, (m->count - at) * sizeof *m->entries);
    m->count++;
    m->entries[at] = (entry){ item, was, changed_by };
    return &m->entries[at];
}

/* ---- messages ---- */

/* The nearest name of an inherited item of that kind, for "did you mean". */
static const char *nearest_item(const merging *m, const node *wanted)
{
    const char *names[256];
    size_t count = 0;
    for (size_t i = 0; i < m->count && count < 256; i++) {
        const node *was = m->entries[i].was;
        if (was && item_name(was) && item_kinds[item_row(was->kind)].how == item_kinds[item_row(wanted->kind)].how)
            names[count++] = item_name(was);
    }
    return item_name(wanted) ? nearest_word(item_name(wanted), names, count) : NULL;
}

static void say_missing(merging *m, const char *code, span at, const char *what, const char *near)
{
    diag_add(m->d, code, at, "there is no %s in what this variant inherits%s%s%s", what,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool changed_already(merging *m, const entry *e, const node *by)
{
    if (!e->changed_by)
        return false;
    diag_add(m->d, "E0206", by->at, "%s is changed twice in this variant", item_said(m, e->was));
    diag_note(m->d, e->changed_by->at, "first here");
    return true;
}

/* ---- without ---- */

/* Takes the rules of that name out of a piece; how many there were. */
static size_t drop_rules(node *piece, const char *name)
{
    int kept = 2;
    size_t dropped = 0;
    for (int i = 2; i < piece->count; i++)
        if (piece->kids[i]->kind == NODE_I_RULE && piece->kids[i]->text == name)
            dropped++;
        else
            piece->kids[kept++] = piece->kids[i];
    piece->count = piece->count < 2 ? piece->count : kept;
    return dropped;
}

static void take_away(merging *m, const node *without)
{
    size_t found = 0;
    const node *other = NULL;
    for (size_t i = 0; i < m->count; i++) {
        entry *e = &m->entries[i];
        if (!e->item)
            continue;
        bool can_go = item_kinds[item_row(e->item->kind)].how == RULE_LIKE || e->item->kind == NODE_I_PRESET;
        bool rule = can_go && item_name(e->item) == without->text;
        if (rule && !changed_already(m, e, without)) {
            e->item = NULL;
            e->changed_by = without;
        } else if (e->item && e->item->kind == NODE_I_PIECE)
            found += drop_rules(e->item, without->text);
        else if (!rule && item_name(e->was) == without->text)
            other = e->was;
        found += rule;
    }
    if (found)
        return;
    if (other) {
        diag_add(m->d, "E0205", without->at, "only rules, labelled ends and presets can be taken away; %s can be replaced", item_said(m, other));
        diag_note(m->d, other->at, "declared here");
        return;
    }
    say_missing(m, "E0205", without->at, arena_format(m->t->arena, "rule or label '%s'", without->text),
                nearest_item(m, &(node){ .kind = NODE_I_RULE, .text = without->text }));
}

/* ---- replace piece ---- */

static bool names_kind(const node *piece, const char *name)
{
    for (int i = 0; i < piece->kids[0]->count; i++)
        if (piece->kids[0]->kids[i]->text == name)
            return true;
    return false;
}

/* A piece block with these kinds (those of `block` that `wanted` names, or does not name) and no rules. */
static node *piece_block(merging *m, const node *block, const node *wanted, bool named)
{
    node *kinds = node_alloc(m->t, NODE_KINDS, block->kids[0]->at, NULL, block->kids[0]->count);
    kinds->count = 0;
    for (int i = 0; i < block->kids[0]->count; i++) {
        const node *kind = block->kids[0]->kids[i];
        if (names_kind(wanted, kind->text) == named) {
            kinds->kids[kinds->count] = node_alloc(m->t, NODE_KIND, kind->at, kind->text, 1);
            kinds->count++;
        }
    }
    node *piece = node_alloc(m->t, NODE_I_PIECE, block->at, NULL, 2);
    piece->kids[0] = kinds;
    return piece;
}

static void append(merging *m, node *piece, node *rule)
{
    node **kids = arena_alloc(m->t->arena, (size_t)(piece->count + 1) * sizeof *kids);
    memcpy(kids, piece->kids, (size_t)piece->count * sizeof *kids);
    kids[piece->count++] = rule;
    piece->kids = kids;
}

/* Has a kind named in `piece` such a rule in what is inherited? Takes it from these kinds, leaving it to the others of its block. */
static size_t take_rules(merging *m, const node *piece, const char *name, const node **old, size_t room)
{
    size_t found = 0;
    for (size_t i = 0; i < m->count; i++) {
        node *block = m->entries[i].item;
        if (!block || block->kind != NODE_I_PIECE || !m->entries[i].was)
            continue;
        bool ours = false, others = false;
        for (int k = 0; k < block->kids[0]->count; k++)
            *(names_kind(piece, block->kids[0]->kids[k]->text) ? &ours : &others) = true;
        if (!ours)
            continue;
        node *rest = others ? piece_block(m, block, piece, false) : NULL;
        for (int r = 2; r < block->count; r++)
            if (block->kids[r]->kind == NODE_I_RULE && block->kids[r]->text == name) {
                if (found < room)
                    old[found] = block->kids[r];
                found++;
                if (rest)
                    append(m, rest, block->kids[r]);
            }
        if (!drop_rules(block, name) || !rest)
            continue;
        add_entry(m, i + 1, rest, m->entries[i].was, m->entries[i].changed_by);
        i++;
    }
    return found;
}

/* Does every kind of `piece` have a rule of that name? Names the first that has none. */
static const node *kind_without_rule(const merging *m, const node *piece, const char *name)
{
    for (int k = 0; k < piece->kids[0]->count; k++) {
        bool has = false;
        for (size_t i = 0; i < m->count; i++) {
            const node *block = m->entries[i].item;
            if (!block || block->kind != NODE_I_PIECE || !m->entries[i].was || !names_kind(block, piece->kids[0]->kids[k]->text))
                continue;
            for (int r = 2; r < block->count; r++)
                has = has || (block->kids[r]->kind == NODE_I_RULE && block->kids[r]->text == name);
        }
        if (!has)
            return piece->kids[0]->kids[k];
    }
    return NULL;
}

static size_t last_block_of(const merging *m, const node *piece)
{
    size_t last = m->count;
    for (size_t i = 0; i < m->count; i++) {
        const node *block = m->entries[i].item;
        for (int k = 0; block && block->kind == NODE_I_PIECE && k < block->kids[0]->count; k++)
            if (names_kind(piece, block->kids[0]->kids[k]->text))
                last = i + 1;
    }
    return last;
}

/* A rule of a kind changed twice in the variant: both places. */
static bool rule_replaced_before(merging *m, const node *piece, const node *rule)
{
    for (size_t i = 0; i < m->count; i++) {
        const node *block = m->entries[i].item;
        if (!block || block->kind != NODE_I_PIECE || m->entries[i].was)
            continue;
        for (int k = 0; k < piece->kids[0]->count; k++)
            for (int r = 2; names_kind(block, piece->kids[0]->kids[k]->text) && r < block->count; r++)
                if (block->kids[r]->text == rule->text) {
                    diag_add(m->d, "E0206", rule->at, "rule '%s' of %s is changed twice in this variant", rule->text, piece->kids[0]->kids[k]->text);
                    diag_note(m->d, block->kids[r]->at, "first here");
                    return true;
                }
    }
    return false;
}

/* Puts the rules of that name, which `piece` gives to the kinds of `into`, in the place of those they have. */
static void put_rules(merging *m, const node *piece, const node *first, node *into)
{
    enum { ROOM = 64 };
    const node *old[ROOM], *lacks = kind_without_rule(m, into, first->text);
    if (rule_replaced_before(m, into, first))
        return;
    if (lacks) {
        diag_add(m->d, "E0204", first->at, "%s has no rule '%s' that could be replaced", lacks->text, first->text);
        return;
    }
    size_t count = take_rules(m, into, first->text, old, ROOM);
    for (int r = 2; r < piece->count; r++)
        if (piece->kids[r]->kind == NODE_I_RULE && piece->kids[r]->text == first->text)
            append(m, into, with_original(m, merge_copy(m, piece->kids[r]), old, count < ROOM ? count : ROOM));
}

/* The same for each kind alone, so that `original` means that kind's rule. */
static void put_rules_by_kind(merging *m, const node *piece, const node *first)
{
    for (int k = 0; k < piece->kids[0]->count; k++) {
        node one = { .kind = NODE_KINDS, .count = 1, .kids = &piece->kids[0]->kids[k] };
        node *only[] = { &one, NULL };
        node single = { .kind = NODE_I_PIECE, .at = piece->at, .count = 2, .kids = only };
        node *into = piece_block(m, &single, &single, true);
        put_rules(m, piece, first, into);
        if (into->count > 2)
            add_entry(m, last_block_of(m, &single), into, NULL, piece);
    }
}

/* What a replaced kind says of itself besides rules: a number, a letter. */
static bool put_traits(merging *m, const node *piece)
{
    bool any = false;
    for (int k = 0; k < piece->kids[0]->count; k++) {
        const node *new = piece->kids[0]->kids[k];
        bool done = false;
        for (size_t i = 0; i < m->count && !done; i++) {
            node *block = m->entries[i].item;
            if (!block || block->kind != NODE_I_PIECE || !m->entries[i].was || !names_kind(block, new->text))
                continue;
            for (int j = 0; j < block->kids[0]->count; j++) {
                node *kind = block->kids[0]->kids[j];
                if (kind->text != new->text)
                    continue;
                if (new->kids[0])
                    kind->kids[0] = merge_copy(m, new->kids[0]);
                if (new->more)
                    kind->more = new->more;
            }
            done = true;
        }
        any = any || new->kids[0] || new->more;
        if (!done)
            say_missing(m, "E0204", new->at, arena_format(m->t->arena, "piece '%s'", new->text), NULL);
    }
    return any;
}

static void replace_piece(merging *m, const node *piece)
{
    size_t errors = m->d->errors;
    bool traits = put_traits(m, piece);
    if (m->d->errors > errors)
        return;
    if (piece->kids[1])
        diag_add(m->d, "E0210", piece->kids[1]->at, "who sees a piece cannot be replaced");
    else if (piece->count == 2 && !traits)
        diag_add(m->d, "E0210", piece->at, "this replaces nothing; a number, a letter or rules in { } are wanted");
    node *into = piece_block(m, piece, piece, true);
    const char *word = tree_intern(m->t, "original");
    for (int r = 2; r < piece->count; r++) {
        const node *rule = piece->kids[r];
        bool first = rule->kind == NODE_I_RULE, original_wanted = false;
        for (int s = 2; s < piece->count; s++) {
            bool same = piece->kids[s]->kind == NODE_I_RULE && piece->kids[s]->text == rule->text;
            first = first && !(same && s < r);
            original_wanted = original_wanted || (same && mentions(piece->kids[s], word));
        }
        if (first && original_wanted && piece->kids[0]->count > 1)
            put_rules_by_kind(m, piece, rule);
        else if (first)
            put_rules(m, piece, rule, into);
    }
    if (into->count > 2)
        add_entry(m, last_block_of(m, piece), into, NULL, piece);
}

/* ---- replace ---- */

/* `replace let goal = E` stands in the place of all its forms `of P`, too. */
static bool takes_place(const node *new, const node *was)
{
    bool forms = item_kinds[item_row(new->kind)].how == PER_PLAYER && !new->more && was->kind == new->kind && was->text == new->text;
    return forms || same_item(new, was);
}

/* A kind that has a rule of that name, or NULL. */
static const node *piece_with_rule(const merging *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++) {
        const node *block = m->entries[i].item;
        for (int r = 2; block && block->kind == NODE_I_PIECE && r < block->count; r++)
            if (block->kids[r]->text == name)
                return block->kids[0]->kids[0];
    }
    return NULL;
}

static void replace_item(merging *m, const node *replace)
{
    enum { ROOM = 64 };
    const node *old[ROOM], *new = replace->kids[0];
    size_t count = 0, first = 0;
    identity how = item_kinds[item_row(new->kind)].how;
    if (new->kind == NODE_BROKEN)
        return;
    if (how == PIECES) {
        replace_piece(m, new);
        return;
    }
    if (how == UNTOUCHED) {
        diag_add(m->d, "E0210", replace->at, "'%s' cannot be replaced", item_kinds[item_row(new->kind)].word);
        return;
    }
    for (size_t i = 0; i < m->count; i++) {
        entry *e = &m->entries[i];
        if (!e->was || !takes_place(new, e->was))
            continue;
        if (changed_already(m, e, replace))
            return;
        if (count == 0)
            first = i;
        if (count < ROOM)
            old[count++] = e->item;
        e->item = NULL;
        e->changed_by = replace;
    }
    const node *owner = new->kind == NODE_I_RULE ? piece_with_rule(m, new->text) : NULL;
    if (count)
        m->entries[first].item = with_original(m, merge_copy(m, new), old, count);
    else if (owner)
        diag_add(m->d, "E0204", new->at, "rule '%s' belongs to %s; write: replace piece %s { %s: ... }",
                 new->text, owner->text, owner->text, new->text);
    else
        say_missing(m, "E0204", new->at, item_said(m, new), nearest_item(m, new));
}

static void set_option(merging *m, const node *setting)
{
    for (size_t i = 0; i < m->count; i++) {
        entry *e = &m->entries[i];
        if (!e->was || e->was->kind != NODE_I_OPTION || e->was->text != setting->text)
            continue;
        if (changed_already(m, e, setting))
            return;
        e->changed_by = setting;
        e->item = merge_copy(m, e->was);
        e->item->kids[0] = merge_copy(m, setting->kids[0]);
        return;
    }
    const char *near = nearest_item(m, setting);
    if (near)
        diag_add(m->d, "E0207", setting->at, "there is no option '%s' to set; did you mean '%s'?", setting->text, near);
    else
        diag_add(m->d, "E0207", setting->at, "there is no option '%s' to set; a new one says what it means: option %s = ... \"meaning\"",
                 setting->text, setting->text);
}

/* ---- what is added ---- */

static bool say_not_new(merging *m, const node *new, const node *was)
{
    diag_add(m->d, "E0208", new->at, "%s is inherited; write 'replace' before it to change it", item_said(m, was));
    diag_note(m->d, was->at, "it comes from here");
    return false;
}

static bool is_new(merging *m, const node *new)
{
    if (unlabelled(new))
        return true;
    for (size_t i = 0; i < m->count; i++) {
        const entry *e = &m->entries[i];
        if (!e->was || e->changed_by || !e->item)
            continue;
        if (same_item(new, e->item) && new->kind != NODE_I_STACK)
            return say_not_new(m, new, e->item);
        if (new->kind != NODE_I_PIECE || e->item->kind != NODE_I_PIECE)
            continue;
        for (int k = 0; k < new->kids[0]->count; k++)
            for (int r = 2; names_kind(e->item, new->kids[0]->kids[k]->text) && r < new->count; r++)
                for (int s = 2; s < e->item->count; s++)
                    if (new->kids[r]->kind == NODE_I_RULE && e->item->kids[s]->text == new->kids[r]->text)
                        return say_not_new(m, new->kids[r], e->item->kids[s]);
    }
    return true;
}

/* ---- one variant upon its parent ---- */

static void start_entries(merging *m, const char *title)
{
    for (int i = 0; i < m->t->root->count; i++) {
        node *item = m->t->root->kids[i];
        if (item->kind == NODE_I_GAME)
            item->text = title;
        if (item->kind != NODE_I_TEST)
            add_entry(m, m->count, item, tree_copy(m->t, item), NULL);
    }
}

static void apply(merging *m, const node *root)
{
    for (int i = 0; i < root->count; i++)
        if (root->kids[i]->kind == NODE_I_WITHOUT)
            take_away(m, root->kids[i]);
    for (int i = 0; i < root->count; i++)
        if (root->kids[i]->kind == NODE_I_REPLACE)
            replace_item(m, root->kids[i]);
        else if (root->kids[i]->flags & FLAG_SETTING)
            set_option(m, root->kids[i]);
    for (int i = 0; i < root->count; i++) {
        node *item = root->kids[i];
        bool done = item->kind == NODE_I_WITHOUT || item->kind == NODE_I_REPLACE || item->kind == NODE_I_VARIANT || (item->flags & FLAG_SETTING);
        if (!done && is_new(m, item))
            add_entry(m, m->count, item, NULL, NULL);
    }
}

tree *tree_merge(tree *base, const tree *v, const node *variant, diagnostics *d)
{
    merging m = { .t = base, .d = d };
    node *root = tree_copy(base, v->root);
    start_entries(&m, tree_intern(base, variant->text));
    apply(&m, root);
    node *file = node_alloc(base, NODE_FILE, v->root->at, NULL, (int)m.count);
    file->count = 0;
    for (size_t i = 0; i < m.count; i++)
        if (m.entries[i].item)
            file->kids[file->count++] = m.entries[i].item;
    base->root = file;
    base->path = arena_copy(base->arena, v->path, strlen(v->path));
    free(m.entries);
    return base;
}

