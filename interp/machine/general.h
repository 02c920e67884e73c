/* The machine for any game: its tables, and where everything is in its memory, are known when it runs. */
#ifndef JOC_GENERAL_H
#define JOC_GENERAL_H

#define INLINE static inline __attribute__((always_inline))
#define KNOWN static            /* a function worth a copy of its own wherever the tables it works with are constants */
#define KNOWN_PLAN static       /* the same, where plans are few */
#define DRAWS static __attribute__((noinline))
#define DRAWING(v) ((v)->mode == MODE_DRAW)
#define EACH_WAY(m, dirs) for (uint64_t m = (dirs); m; m &= m - 1)
#define G(v) ((v)->g)
/* What only notation, `why`, coverage and counting by paths ask for. */
#define TOKENS(v) ((v)->tokens)
#define WATCH(v) ((v)->watch)
#define LENIENT(v) ((v)->lenient)
#define MARKS(v) ((v)->marks)
#define DOUBLES(v) ((v)->keep_doubles)
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
#define W(i, x) WORDS           /* words that can hold a place of the set in operand x of an instruction */
#define PLANE(v, x) ((v)->set[x])      /* of the position, and the same for whoever moves */
#include "each.h"
#endif
