/* What the parts of the front end share: one parse, from a file's bytes to its tree.
 *
 *   text --joc.l--> raw tokens --layout.c--> tokens --joc.y, build.c--> tree
 *
 * Raw tokens are all that stands in the text, comments and line ends included (fmt.c writes them out again). layout.c drops comments
 * and line ends that end nothing, and balances the brackets: what is never closed or never opened is reported there and mended, so that
 * the grammar sees balanced brackets only. slips.c words what the grammar did not expect, and says where it may go on. */
#ifndef JOC_PARSE_H
#define JOC_PARSE_H
#include "ast.h"

enum {
    MAX_FILE = 4 << 20,     /* bytes of a file */
    MAX_BRACKETS = 200,     /* brackets within brackets */
    MAX_DEPTH = 500,        /* levels of the tree */
    MAX_NUMBER = 1000000000
};

/* A token is a kind (joc.tab.h) and its bytes [from, to). */
typedef struct {
    int kind;
    uint32_t from, to;
    bool broken;            /* a `}` behind which the rest of a faulty statement is passed over */
} token;
typedef struct { token *items; size_t count, capacity; } tokens;

enum { TOKEN_IS_COMMENT = -1 };

typedef struct parse {
    tree *tree;
    diagnostics *d;
    uint32_t source;
    const char *text;       /* the text of that source */
    size_t length;
    tokens raw, list;
    size_t next;            /* the token of `list` that the grammar gets next */
    size_t current;         /* the one it got last; list.count at the end of the file */
    size_t stuck_at, stuck; /* the token of the last fault, and how many faults were found there */
    bool passing;           /* the rest of a faulty statement is passed over, but for the blocks in it */
    uint16_t *depths;       /* by id of a node: levels below it */
    size_t depth_capacity;
    bool too_deep;          /* said already */
    size_t errors_before;               /* of other texts, told in the same place */
    int refused[8], refused_count;      /* words of the language that the file uses as names: what comes of it is not told again */
} parse;

/* ---- joc.l, layout.c ---- */
void scan_text(parse *p);                   /* fills p->raw; reports stray characters and the like */
bool layout_tokens(parse *p);               /* fills p->list; false if nothing of it can be parsed */
void token_push(tokens *list, int kind, uint32_t from, uint32_t to);
int keyword_token(const char *text, size_t length);      /* 0 if it is no word of the language */
const char *token_word(int kind);           /* the text of a keyword or sign, NULL for others */

/* ---- tree.c ---- */
tree *tree_new(const char *path);
const char *intern(tree *t, const char *text, size_t length);
const char *intern_name(tree *t, const char *text, size_t length);   /* normalised */
void tree_number(tree *t);                  /* gives the nodes reached from the root their ids, in order */
node *tree_copy(tree *to, const node *n);   /* a copy in another tree (or the same), words interned there */
node *node_alloc(tree *t, node_kind kind, span at, const char *text, int count);
bool tree_check_text(diagnostics *d, const char *path, const char *text, size_t length, uint32_t *index);

/* ---- build.c: what the grammar makes ---- */
node *node_make(parse *p, node_kind kind, span at, const char *text, int count, node **kids);
node *node_add(parse *p, node *list, node *kid);
node *node_join(parse *p, node *parent, const node *list);
node *with_more(node *n, const char *more);
node *with_flags(node *n, uint32_t flags);
node *bracketed(node *n, span at);
node *make_number(parse *p, span at, const char *digits);
node *make_row(parse *p, span at, node *row, node *word);
node *make_flat(parse *p, node_kind kind, span at, node *left, node *right);
node *make_of(parse *p, span at, node *what, node *whose);
node *make_question(parse *p, node_kind kind, span at, const char *sign, node *left, node *right);
node *make_arithmetic(parse *p, span at, const char *sign, node *left, node *right);
node *make_minus(parse *p, span at, node *value);
node *make_where(parse *p, span at, node *set, node *condition);
node *make_choice(parse *p, span at, node *left, node *right, bool line, span bar);
node *make_block(parse *p, span at, node *lines);
node *make_do(parse *p, span at, node *what);
node *make_if(parse *p, span at, node *condition, node *action, node *otherwise);
node *make_rule(parse *p, span at, const char *name, node *params, node *action, bool top);
node *make_board(parse *p, span at, const char *shape, node *dims, node *clauses);
node *make_keep(parse *p, span at, const char *name, node *owner, node *type, node *start, node *seen, bool aside);
node *make_option(parse *p, span at, const char *name, node *start, node *values, node *needs, node *meaning);

/* ---- brackets.c: the brackets a reader of the tree would put into the text, counted by byte ---- */
void find_brackets(const node *root, unsigned char *before, unsigned char *after);

/* ---- joc.y ---- */
int joc_parse(parse *p);

/* ---- parse.c ---- */
void parse_text(parse *p, const char *path, const char *text, size_t length, diagnostics *d);
void parse_end(parse *p);                   /* frees all of a parse but its tree */
span token_span(const parse *p, size_t index);
const char *token_text(parse *p, token t);  /* the word a token carries: interned, a text without its quotes */

/* ---- around.c ---- */
typedef enum { AMONG_ITEMS, AMONG_RULES, AMONG_CHECKS, AMONG_ROWS, AMONG_SETTINGS, AMONG_ACTIONS } surroundings;

int kind_at(const parse *p, size_t i);      /* of a token of p->list; TOKEN_END_OF_FILE behind the last */
size_t statement_start(const parse *p, size_t at);
surroundings around(const parse *p, size_t start);               /* what kind of statements a statement stands among */
bool behind_rule(const parse *p, size_t start);      /* is the statement before this one a rule, 'name: action', on one line? */
bool holds_count(const parse *p, size_t open);                  /* is it `{1..3}`, as other languages count repetitions? */
bool begins(int kind, char level);          /* may a statement begin with that word? levels as in keywords.def */
const char *nearest_starter(const char *word, char level);      /* of the words that begin a statement there */
/* Passes over a faulty statement from p->next on: to its end (gives 0), or to a block in it that can be read all the same (gives the
 * token that announces what the block holds). */
int pass_over(parse *p);

/* ---- slips.c ---- */
void report_slip(parse *p, const int *expected, int count);     /* words the fault at p->current */
#endif
