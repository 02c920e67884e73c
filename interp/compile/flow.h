/* Registers read, written, and still wanted; see flow.c. */
#ifndef JOC_FLOW_H
#define JOC_FLOW_H
#include "interp/game.h"

enum { FLOW_REGISTERS = 256 };

/* A set of registers, a bit each. */
typedef struct { uint64_t numbers[FLOW_REGISTERS / 64], sets[FLOW_REGISTERS / 64]; } flow;

/* What one instruction reads and writes. An operand that it both reads and writes is in both. */
void flow_of(const game *, const ins *, flow *reads, flow *writes);
/* By instruction: what is read after it begins before it is written. Owned by the caller; NULL if there are too many registers. */
flow *flow_live(const game *);
/* True if `to` gained something. */
bool flow_join(flow *to, const flow *from);
bool flow_meets(const flow *, const flow *);
#endif
