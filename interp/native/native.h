/* A machine for one game alone, compiled from its tables by the system's C compiler. See write.c. */
#ifndef JOC_NATIVE_H
#define JOC_NATIVE_H
#include <stdio.h>
#include "interp/game.h"

/* Write what is included in the machine's sources: the tables as constants, and `run` as code. */
void native_tables(FILE *, const game *);
void native_code(FILE *, const game *);

const struct machine *native_open(const game *);
#endif
