/* The syntax tree of a rule file.
 *
 * One kind of node for everything (ast.def lists the kinds, what text each carries and what its children are), so that the
 * formatter, the merging of variants, the checker, the compiler and the plain evaluator of the tests can all walk it. The
 * tree says what was written; what it means is found out later and kept in tables beside it, by `id`. Nodes, their texts and
 * the sources live in the arena of a `tree` and go with it.
 *
 * Three small rewritings are made once, while parsing, and belong to the syntax (docs/language.md, section 3):
 *   - arithmetic belongs to the last word before it and the first behind it: `row size / 2` is E_ROW(row, E_ARITH(/ size 2)),
 *     `n + 1 ahead` is E_ROW(E_ARITH(+ n 1), ahead), `1..armies of a - 1` is E_RANGE(1, E_ARITH(- (E_OF armies a) 1)), and `1..n of S`
 *     is E_RANGE(1, E_OF(n S));
 *   - `not` before a question negates the question: `not x in S` is E_NOT(E_IN(x S));
 *   - `where` narrows the set before it: `any own where C` is E_ANY(E_WHERE(own C)).
 * What a reader of the tree must know besides: the first child of an E_OF is one word, so `2 ahead of here` is E_ROW(2, E_OF(ahead here))
 * and `-ring of here` is E_MINUS(E_OF(ring here)); that numbers, directions and the sign belong to the relation is told by their types.
 * Side by side is flat: `own Soldier small` is one E_ROW of three; `or` and `and` are flat too; brackets leave only
 * FLAG_BRACKETS on the node that stood in them (and keep it from being flattened into an outer row). */
#ifndef JOC_AST_H
#define JOC_AST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"

typedef enum {
#define NODE(name, text, children) NODE_##name,
#include "ast.def"
#undef NODE
    NODE_COUNT
} node_kind;

enum {
    FLAG_BRACKETS = 1,      /* stood in ( ) */
    FLAG_LINES = 2,         /* lines of a block; a `|` that began a line */
    FLAG_RANDOM = 4,        /* pick random, each random */
    FLAG_TURN = 8,          /* keep ... of turn */
    FLAG_ASIDE = 16,
    FLAG_SETTING = 32,      /* option x = v that sets an inherited option */
    FLAG_IN = 64,           /* keep ... in COLLECTION */
    FLAG_BRACES = 128       /* an action that stood in { } of its own */
};

typedef struct node node;
struct node {
    node_kind kind;
    uint32_t flags;
    uint32_t id;            /* dense within a tree: side tables have tree.node_count entries */
    int count;              /* children */
    int64_t value;          /* E_NUMBER */
    span at;                /* where it was written */
    const char *text;       /* interned in the tree: equal texts have equal pointers */
    const char *more;       /* a second word, see ast.def; interned; NULL if absent */
    node **kids;
};

typedef struct {
    arena *arena;
    node *root;             /* NODE_FILE */
    uint32_t node_count;
    const char *path;       /* of the file it came from; of the variant itself after merging */
} tree;

const char *node_kind_name(node_kind);

/* Parse a file's text. Always gives a tree (with BROKEN nodes where faults were); faults are queued in `d`. `text` is copied. */
tree *tree_parse(const char *path, const char *text, size_t length, diagnostics *d);

/* Read and parse the file at `path`. NULL, with a diagnostic, if it cannot be read (missing, a folder, a FIFO, over 4 MiB, not UTF-8). */
tree *tree_read(const char *path, diagnostics *d);

/* Read `path` and, if it is a variant, its parents (found beside it, then in `folders`, a NULL-terminated list), and give the one
 * tree that results: no I_VARIANT, I_REPLACE, I_WITHOUT is left in it, `original` is substituted, I_GAME carries the variant's title.
 * Inherited options set with `option x = v` have that default. NULL only if a file could not be read. */
tree *tree_load(const char *path, const char *const *folders, diagnostics *d);
tree *tree_load_text(const char *path, const char *text, size_t length, const char *const *folders, diagnostics *d);

void tree_free(tree *);

/* The word `text` as this tree interns it. */
const char *tree_intern(tree *, const char *text);

/* The one layout (fmt.c): comments kept, brackets of the reader's understanding added where asked. malloc'd, NUL-terminated; NULL, with
 * diagnostics, if the text has faults. */
char *format_text(const char *path, const char *text, size_t length, bool brackets, diagnostics *d);

/* One expression, action or declaration, on one line, as the formatter writes it: for messages. malloc'd. */
char *node_print(const node *);

/* A part of a node; NULL if it has no such. */
static inline const node *kid(const node *n, int i)
{
    return n && i < n->count ? n->kids[i] : NULL;
}

static inline bool is_expression(const node *n)
{
    return n->kind >= NODE_E_NAME && n->kind <= NODE_E_CALL;
}
#endif
