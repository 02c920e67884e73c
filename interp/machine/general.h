/* The machine for any game: its tables, and where everything is in its memory, are known when it runs. */
#ifndef JOC_GENERAL_H
#define JOC_GENERAL_H

#define G(v) ((v)->g)
#define NUM(v) ((v)->num)
#define HEAD(v) ((v)->head)
#define AT(v) ((v)->at)
#define ARRAYS(v) ((v)->arrays)
#define PILES(v) ((v)->piles)
#define BAGS(v) ((v)->bags)
#define CHANGED(v) ((v)->changed)
#define STATE(v) ((v)->state)
#define N(x) (v->num[x])
#define S(x) (v->set[x])
#endif
