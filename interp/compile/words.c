/* Words of messages: where a name stands, what else it may have meant; and how much may be asked of the compiler.
 *
 * A rule file is read by people who are finding out what the language is like, so a word nobody declared is told with the nearest one,
 * with the word that other languages' readers know, or with what the board has. Nothing is said of names that a fault before has made
 * unknown (the cells of a board with a fault, the players of a game without `players`). */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

/* ---- places --------------------------------------------------------------------------------------------------------------------------------- */
static bool part_of_name(char ch) { return ch == '_' || (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch & 0x80); }

/* Where `word` stands inside `n`, the whole of `n` if it is not written there as such. */
span word_at(const compiler *c, const node *n, const char *word)
{
    if (!word || n->at.source >= c->d->source_count) return n->at;
    const source *s = &c->d->sources[n->at.source];
    const size_t length = strlen(word);
    for (size_t i = n->at.from; length && i + length <= n->at.to && i + length <= s->length; i++)
        if (memcmp(s->text + i, word, length) == 0 && (i == 0 || !part_of_name(s->text[i - 1])) && (i + length == s->length || !part_of_name(s->text[i + length])))
            return (span){ n->at.source, (uint32_t)i, (uint32_t)(i + length) };
    return n->at;
}

/* ---- names nobody declared --------------------------------------------------------------------------------------------------------------- */
static const struct { const char *foreign, *ours; } foreign_words[] = {
    { "opponent", "enemy" }, { "opponents", "enemy" }, { "enemies", "enemy" }, { "foe", "enemy" }, { "theirs", "enemy" }, { "mine", "own" }, { "my", "own" }, { "friend", "own" }, { "friendly", "own" },
    { "adjacent", "neighbours" }, { "neighbors", "neighbours" }, { "neighbor", "neighbours" }, { "neighbour", "neighbours" }, { "squares", "cells" }, { "sites", "cells" }, { "vacant", "empty" },
    { "pieces", "occupied" }, { "column", "col" }, { "rank", "row" }, { "file", "col" }, { "up", "north" }, { "down", "south" }, { "left", "west" }, { "right", "east" },
    { "front", "ahead" }, { "captured", "taken" }, { "true", "yes" }, { "is", "in" }, { "me", "mover" }, { "orthogonally", "orthogonal" }, { "diagonally", "diagonal" },
};

static const struct { const char *foreign, *advice; } foreign_phrases[] = {
    { "all", "'A in S' is said of all of A without it" }, { "every", "'A in S' is said of all of A without it; 'each x in S { }' does something for each" },
    { "exists", "'any S' asks whether there are such cells" }, { "false", "write 'x = no' or 'not C'" }, { "none", "'no S' asks whether there are no such cells" },
};

/* Letters of the alphabet and then digits: a cell of a lettered board. */
static bool like_a_cell(const char *name)
{
    size_t i = 0;
    while (name[i] >= 'a' && name[i] <= 'z') i++;
    if (i == 0 || i > 2) return false;
    const size_t digits = i;
    while (name[i] >= '0' && name[i] <= '9') i++;
    return i > digits && !name[i];
}

static bool lettered(const game *g) { return g->cells && like_a_cell(g->cell[0].name); }

bool numbered(const game *g) { return g->cells && g->cell[0].name[0] >= '0' && g->cell[0].name[0] <= '9' && !strchr(g->cell[0].name, '/'); }

/* A fault told before may be why this name is not known. */
static bool known_why(const compiler *c, const char *name)
{
    return c->names_missing || (c->board_broken && (like_a_cell(name) || !c->board || strcmp(c->board->text, "drawn") == 0 || strcmp(c->board->text, "map") == 0));
}

/* How often a word stands in the rules. */
int spoken(const node *n, const char *word)
{
    if (!n) return 0;
    int times = (n->text && strcmp(n->text, word) == 0) + (n->more && strcmp(n->more, word) == 0);
    for (int i = 0; i < n->count; i++) times += spoken(n->kids[i], word);
    return times;
}

static const node *declared_at(compiler *c, const char *name)
{
    const symbol *s = symbol_find(c, name);
    if (s) return s->where;
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, name) == 0) return c->rules[i].item;
    return NULL;
}

/* A name that is spoken of more than once and declared nowhere, and one nearly like it that is declared and never spoken of: the slip is in the
 * declaration. True if that was told. */
bool declared_wrong(compiler *c, span use, const char *name, const char *near)
{
    const node *where = near && c->d->errors < 60 ? declared_at(c, near) : NULL;
    if (!where || spoken(c->tree->root, near) > 1 || spoken(c->tree->root, name) < 2) return false;
    diag_add(c->d, "E0330", word_at(c, where, near), "'%s' is declared here and spoken of nowhere, but '%s' is; did you mean '%s'?", near, name, name);
    diag_note(c->d, use, "as here");
    return true;
}

void unknown_name(compiler *c, const node *at, const char *name, const char *what)
{
    if (known_why(c, name)) return;
    if (is_standard_name(name)) { diag_add(c->d, "E0336", at->at, "'%s' is a function; write %s(...)", name, name); return; }
    if (c->in_test && (strcmp(name, "perft") == 0 || strcmp(name, "throughout") == 0)) {
        diag_add(c->d, "E0330", at->at, "%s", name[0] == 'p' ? "`perft` stands alone in a test: `expect perft 3 = 8902`" : "`throughout` stands alone in a test: `expect throughout(20, any own)`");
        return;
    }
    if (like_a_cell(name) && lettered(c->g)) {
        diag_add(c->d, "E0330", at->at, "there is no cell '%s': the board goes from '%s' to '%s'", name, c->g->cell[0].name, c->g->cell[c->g->cells - 1].name);
        return;
    }
    for (size_t i = 0; i < sizeof foreign_phrases / sizeof *foreign_phrases; i++)
        if (strcmp(name, foreign_phrases[i].foreign) == 0) { diag_add(c->d, "E0330", at->at, "%s '%s'; %s", what, name, foreign_phrases[i].advice); return; }
    for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
        if (strcmp(name, foreign_words[i].foreign) == 0) { diag_add(c->d, "E0330", at->at, "%s '%s'; the language's word is '%s'", what, name, foreign_words[i].ours); return; }
    const char *near = nearest_name(c, name);
    if (declared_wrong(c, at->at, name, near)) return;
    if (near) diag_add(c->d, "E0330", at->at, "%s '%s'; did you mean '%s'?", what, name, near);
    else diag_add(c->d, "E0330", at->at, "%s '%s'", what, name);
}

/* Perhaps it is said under a name nearly like it. */
void not_said_for(compiler *c, const symbol *s, const char *player)
{
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_LET || !n->more || strcmp(n->more, player) != 0 || !nearest_word(n->text, &s->name, 1) || spoken(c->tree->root, n->text) > 1) continue;
        diag_add(c->d, "E0337", word_at(c, n, n->text), "'%s' is not said for %s, but '%s' is; did you mean '%s'?", s->name, player, n->text, s->name);
        diag_note(c->d, word_at(c, s->where, s->name), "'%s' of another player", s->name);
        return;
    }
    diag_add(c->d, "E0337", word_at(c, s->where, s->name), "'%s' is not said for %s", s->name, player);
}

void no_player(compiler *c, span at, const char *name)
{
    const char *names[64];
    size_t n = 0;
    if (c->names_missing) return;
    for (int i = 0; i < c->symbol_count && n < 64; i++) if (c->symbols[i].kind == SYMBOL_PLAYER) names[n++] = c->symbols[i].name;
    const char *near = nearest_word(name, names, n);
    if (declared_wrong(c, at, name, near)) return;
    if (near) diag_add(c->d, "E0318", at, "no player '%s'; did you mean '%s'?", name, near);
    else diag_add(c->d, "E0318", at, "no player '%s'", name);
}

/* ---- how much is too much --------------------------------------------------------------------------------------------------------------- */
enum { LOOKS_MAX = 3000000, STEPS_MAX = 400000, CODE_MAX = 400000, CONSTS_MAX = 6000 };

/* One more word has been looked at. True if the rules ask for more than the machine has: the rest is not looked at. */
bool spent(compiler *c, const node *n)
{
    if (c->given_up) return true;
    const game *g = c->g;
    if (c->d->errors > 2 * c->d->limit) { c->given_up = true; return true; }
    c->steps++;
    const char *what = c->steps > STEPS_MAX || c->looks > LOOKS_MAX ? "names that stand for names make them too long" : g->code_count > CODE_MAX ? "they come to more than 400000 instructions"
        : c->num_most > 4000 || c->set_most > 4000 || c->bag_most > 250 ? "too many values are asked for at once" : g->num_consts > 19000 || g->set_consts > CONSTS_MAX ? "too many different numbers and sets stand in them" : NULL;
    if (!what) return false;
    c->given_up = true;
    diag_add(c->d, "E0349", n->at, "these rules are too much for the machine: %s", what);
    return true;
}

/* One more word has been glanced at, on the way to what it stands for. True if they were too many: then `spent` tells. */
bool looked(compiler *c) { return c->looks > LOOKS_MAX || ++c->looks > LOOKS_MAX; }
