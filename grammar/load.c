/* Variants: from a file to its parents. A parent is looked for beside the file that names it, then in the folders given; the deepest parent
 * is read first, and each variant above it is merged into it (merge.c). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "merge.h"

enum { MAX_PARENTS = 32 };

typedef struct {
    const char *const *folders;
    diagnostics *d;
    struct { dev_t device; ino_t file; const char *path; } seen[MAX_PARENTS];
    int depth;
} loading;

/* What only a variant may say, in a file that is none. */
static void refuse_variant_words(const tree *t, diagnostics *d)
{
    for (int i = 0; i < t->root->count; i++) {
        node *item = t->root->kids[i];
        if (item->kind == NODE_I_REPLACE || item->kind == NODE_I_WITHOUT)
            diag_add(d, "E0201", item->at, "'%s' is for variants; this file does not begin with: variant \"title\" of \"game\"",
                     item->kind == NODE_I_REPLACE ? "replace" : "without");
    }
}

static void refuse_originals(const node *n, const char *word, diagnostics *d)
{
    if ((n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) && n->text == word)
        diag_add(d, "E0209", n->at, "nothing is replaced here, so there is no 'original'");
    for (int i = 0; i < n->count; i++)
        if (n->kids[i])
            refuse_originals(n->kids[i], word, d);
}

static const node *variant_item(const tree *t, diagnostics *d)
{
    const node *variant = NULL;
    for (int i = 0; i < t->root->count; i++) {
        const node *item = t->root->kids[i];
        if (item->kind != NODE_I_VARIANT)
            continue;
        if (variant) {
            diag_add(d, "E0203", item->at, "a file is a variant of one game");
            diag_note(d, variant->at, "first here");
        } else
            variant = item;
    }
    for (int i = 0; variant && i < t->root->count; i++)
        if (t->root->kids[i]->kind == NODE_I_GAME)
            diag_add(d, "E0203", t->root->kids[i]->at, "a variant has its title already; 'game' is for games of their own");
    return variant;
}

/* The first of FOLDER/NAME and FOLDER/NAME.joc that exists, malloc'd; NULL if neither does. */
static char *file_in(const char *folder, size_t length, const char *name)
{
    size_t room = length + strlen(name) + 8;
    char *path = must_have(malloc(room));
    struct stat info;
    for (int with_ending = 1; with_ending >= 0; with_ending--) {
        snprintf(path, room, "%.*s%s%s%s", (int)length, folder, length && folder[length - 1] != '/' ? "/" : "", name, with_ending ? ".joc" : "");
        if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
            return path;
    }
    free(path);
    return NULL;
}

static char *find_parent(const loading *l, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    char *found = name[0] == '/' ? file_in("", 0, name) : file_in(path, slash ? (size_t)(slash - path) + 1 : 0, name);
    for (size_t i = 0; !found && name[0] != '/' && l->folders && l->folders[i]; i++)
        found = file_in(l->folders[i], strlen(l->folders[i]), name);
    return found;
}

enum { GAMES_MOST = 512 };

/* The names of the rule files of a folder, behind the `count` before. */
static size_t names_in(arena *a, const char *folder, const char **names, size_t count)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && count < GAMES_MOST && (e = readdir(d));) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".joc") == 0)
            names[count++] = arena_format(a, "%.*s", (int)(dot - e->d_name), e->d_name);
    }
    if (d)
        closedir(d);
    return count;
}

static void no_such_parent(loading *l, const tree *t, const node *name)
{
    const char *slash = strrchr(t->path, '/'), *names[GAMES_MOST];
    const char *beside = slash ? arena_format(t->arena, "%.*s/", (int)(slash - t->path), t->path) : ".";
    size_t count = names_in(t->arena, beside, names, 0);
    for (size_t i = 0; l->folders && l->folders[i]; i++)
        count = names_in(t->arena, l->folders[i], names, count);
    const char *near = nearest_word(name->text, names, count);
    if (near)
        diag_add(l->d, "E0202", name->at, "there is no game '%s' beside this file, nor among the games that are installed; did you mean '%s'?", name->text, near);
    else
        diag_add(l->d, "E0202", name->at, "there is no game '%s' beside this file, nor among the games that are installed", name->text);
}

/* Has this file been met on the way down from the variant? Remembers it. */
static bool met_before(loading *l, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    for (int i = 0; i < l->depth; i++)
        if (l->seen[i].device == info.st_dev && l->seen[i].file == info.st_ino)
            return true;
    if (l->depth < MAX_PARENTS) {
        l->seen[l->depth].device = info.st_dev;
        l->seen[l->depth].file = info.st_ino;
        l->depth++;
    }
    return false;
}

static tree *finish(loading *l, tree *t);

static tree *load_parent(loading *l, const tree *t, const node *variant)
{
    const node *name = variant->kids[0];
    char *path = name->text[0] ? find_parent(l, t->path, name->text) : NULL;
    tree *parent = NULL;
    if (!path)
        no_such_parent(l, t, name);
    else if (met_before(l, path) || l->depth == MAX_PARENTS)
        diag_add(l->d, "E0203", name->at, l->depth == MAX_PARENTS ? "too many variants of variants" : "this variant is, in the end, a variant of itself");
    else
        parent = finish(l, tree_read(path, l->d));
    free(path);
    return parent;
}

/* From a file's own tree to the whole: a variant gets its parents. Frees `t` where another tree is given. */
static tree *finish(loading *l, tree *t)
{
    if (!t)
        return NULL;
    const node *variant = variant_item(t, l->d);
    if (!variant) {
        refuse_variant_words(t, l->d);
        return t;
    }
    tree *parent = load_parent(l, t, variant);
    tree *whole = parent ? tree_merge(parent, t, variant, l->d) : NULL;
    tree_free(t);
    return whole;
}

static tree *load(tree *t, const char *path, const char *const *folders, diagnostics *d)
{
    loading l = { .folders = folders, .d = d };
    met_before(&l, path);
    t = finish(&l, t);
    if (!t)
        return NULL;
    refuse_originals(t->root, tree_intern(t, "original"), d);
    tree_number(t);
    return t;
}

tree *tree_load(const char *path, const char *const *folders, diagnostics *d)
{
    return load(tree_read(path, d), path, folders, d);
}

tree *tree_load_text(const char *path, const char *text, size_t length, const char *const *folders, diagnostics *d)
{
    return load(tree_parse(path, text, length, d), path, folders, d);
}
