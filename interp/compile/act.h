/* What the files of actions share: act.c, loop.c, decide.c, leg.c, making.c, change.c, rule.c. */
#ifndef JOC_COMPILE_ACT_H
#define JOC_COMPILE_ACT_H
#include <string.h>
#include "compile.h"

#define HEAD(x) (POSITION + (x))
enum { NONE = 65535, ZONE_MOST = 100 };

static inline bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }

/* Registers and names of a statement, or of a block, given back at its end. */
typedef struct { int env, num, set, bag, hoisted; } scope;
/* What `place` and `drop` speak of: a number, an owner, kinds; or a set of pieces. */
typedef struct { int owner; bool owner_given; int many; value kinds; value pieces; bool is_pieces, good; } makings;
/* A zone named by a node: `hand`, `hand of P`, `yard of owner`. zone: number operand of the zone instance, or of the first if by_owner. */
typedef struct { bool is_zone, by_owner; int zone; int place; } destination;

/* act.c */
void scope_close(compiler *c, scope s);
scope scope_open(const compiler *c);
bool starts_with_leg(compiler *c, const node *n, int depth);
bool draws(const node *n);
bool only_walks(compiler *c, const node *n, int depth);
void reopen_prefers(compiler *c);
void lower_sequence(compiler *c, const node *n);
bool is_closed(const game *g, uint32_t pc);
void lower_choices(compiler *c, const node *n);
void lower_else(compiler *c, const node *n);
void lower_if(compiler *c, const node *n);

/* loop.c */
void lower_loop(compiler *c, const node *n);
value range_low(const value *v);
value range_high(const value *v);
void lower_each(compiler *c, const node *n);
void emit_commit(compiler *c);
void lower_by(compiler *c, const node *n);

/* decide.c */
void lower_pick(compiler *c, const node *n);
void lower_roll(compiler *c, const node *n);
void lower_filter(compiler *c, const node *n);
void lower_prefer(compiler *c, const node *n);
void lower_result(compiler *c, const node *n);

/* leg.c */
int target_operand(compiler *c, const node *n);
void lower_leg(compiler *c, const node *n);

/* making.c */
void lower_place(compiler *c, const node *n);
void lower_rank(compiler *, const node *);
void lower_drop(compiler *c, const node *n);
void lower_take(compiler *c, const node *n);
void lower_send(compiler *c, const node *n);

/* change.c */
void lower_becomes(compiler *c, const node *n);
void lower_set_action(compiler *c, const node *n);
void lower_let_action(compiler *c, const node *n);

/* rule.c */
void lower_plain(compiler *c, const node *n);


/* decide.c */
bool no_choice_of_kinds(compiler *c, const value *v, const node *from, const char *name);
#endif
