/* What the files of expressions share: type.c, relation.c, name.c, of.c, row.c, compare.c, expr.c. */
#ifndef JOC_COMPILE_EXPR_H
#define JOC_COMPILE_EXPR_H
#include <string.h>
#include "compile.h"

#define HEAD(x) (POSITION + (x))

static inline bool is_name(const node *n, const char *word) { return n && n->kind == NODE_E_NAME && strcmp(n->text, word) == 0; }

/* type.c */
type keep_read_type(const keep *k);
value with_mover(compiler *c, const node *what, const node *who_node, value who);

/* relation.c */
value relation_const(uint64_t mask);
int relation_operand(compiler *c, const value *v);
value relation_meet(compiler *c, value a, value b);
value relation_join(compiler *c, opcode op, value a, value b);
value relation_opposite(compiler *c, value a);
value relation_from(compiler *c, value r, value s, const node *n);
int anywhere(compiler *c, int p);
int transposed(compiler *c);
value field_value(int index);
value const_field(compiler *c, const char *name);
value field_arith(compiler *c, char op, value a, value b);
value field_between(compiler *c, value f, const value *low, const value *high, bool negate);
value plus(compiler *c, value v, int64_t k);
value place_value(int reg);

/* name.c */
const binding *env_find(const compiler *c, const char *name);
value zone_place(compiler *c, value z);
value cells_set(compiler *c);
value lower_name(compiler *c, const node *n);

/* of.c */
bool names_player(compiler *c, const node *n);
void check_cell_asked(compiler *c, const value *v, const node *n, const char *word);     /* `no e3`; wanted.c */
value lower_of_with(compiler *c, const node *n, const value *by);

/* row.c */
value row_numbers(compiler *c, value a, value b, const node *at);
value lower_row(compiler *c, const node *n);

/* wanted.c: messages, and the error that follows them */
bool along_too_short(compiler *c, const node *joined, int i);
value set_before_where(compiler *c, value v, const node *n);

/* compare.c */
value compare_numbers(compiler *c, const char *op, value a, value b);
value lower_compare(compiler *c, const node *n);
value lower_in(compiler *c, const node *n);
value is_among(compiler *c, value a, value b, const node *l, const node *r);

#endif
