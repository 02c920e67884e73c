/* Registers read, written, and still wanted; see flow.c. */
#ifndef JOC_FLOW_H
#define JOC_FLOW_H
#include "interp/game.h"

enum { FLOW_REGISTERS = REGISTERS_MAX, FLOW_CODE_MAX = 12000 /* longer code is not looked through again and again */ };

/* A set of registers, a bit each. */
typedef register_mask flow;

/* What one instruction reads and writes. An operand that it both reads and writes is in both. */
void flow_of(const game *, const ins *, flow *reads, flow *writes);
/* Changes nothing but what it writes, and reads that only (beside the position). */
bool flow_only_registers(const ins *);
/* What may come after an instruction; up to `cap` of them. */
int flow_successors(const game *, uint32_t pc, uint32_t *out, int cap);
/* Does this instruction stand anywhere? What looks for it need not ask what is live if not. */
bool flow_has(const game *, opcode);
/* By instruction: what is read after it begins before it is written. Owned by the caller. */
flow *flow_live(const game *);
/* True if `to` gained something. */
bool flow_join(flow *to, const flow *from);
/* Writes what game.live tells of registers, game.masks and the e of instructions that keep a situation. */
struct arena;
void flow_finish(struct arena *, game *, const flow *live);
/* Makes game.live, and writes what it tells of the walker (walker.c). */
void walker_find(struct arena *, game *);
/* Notes which repetitions need no comparing and no copy (repeat.c). */
void repetitions_finish(game *, const flow *live);
/* Notes of which choices the machine need not keep a copy at once (copies.c). */
void copies_finish(struct arena *, game *, const flow *live);
/* Notes of which picks the options can be asked before they are tried (tested.c). */
void tested_find(struct arena *, game *, const flow *live);
/* Notes of which decisions a move is drawn where they are come to (onward.c). Wants plans and what is counted. */
void onward_finish(struct arena *, game *);
/* A repetition whose body always ends a decision: no situation of it can come back, and it need not be noted (repeat.c). */
bool repetition_idle(const game *, uint32_t pc);
/* Notes of picks behind whose leg nothing is chosen (last.c). */
void last_legs_find(game *);
/* Sets of one place that are used once (single.c). */
void single_places(game *, const flow *live);
/* How many words of each set can hold a place: game.ins_words (width.c). */
void widths_find(struct arena *, game *);
/* Which choices need not be tried to be counted (counted.c). */
void counted_build(struct arena *, game *, const flow *live);
/* Is this operand read? */
bool flow_reads_set(const ins *, int operand);
bool flow_reads_number(const ins *, int operand);
bool flow_meets(const flow *, const flow *);
#endif
