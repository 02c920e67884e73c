/* Plans of first choices: what plan.c, tail.c, entry.c and apart.c share. */
#ifndef JOC_PLAN_H
#define JOC_PLAN_H
#include "compile.h"
#include "flow.h"

enum { PLAN_STEPS_MAX = 4000 };         /* instructions looked at for one answer; beyond that it is the cautious one */

bool plan_is_choice(int op);
bool plan_is_end(int op);               /* of a decision, or of a run */

/* tail.c: what follows, at pc. */
int tail_class(const game *, uint32_t pc);              /* PLAN_... */
int tail_choices(const game *, uint32_t pc);            /* the same, whatever becomes of the walkers */
/* The pick of a kind that is the one further choice from pc on, if the piece just moved becomes what is picked and stays it; 0 none. `behind`: where its leg ends. */
uint32_t tail_becomes(const game *, uint32_t behind, uint32_t pc);
bool tail_quiet(const game *, uint32_t pc);             /* nothing changes that `attacked` looks at */
bool tail_quiet_to_split(const game *, uint32_t pc);
/* The first test of `here` against a constant set: where it leads for places of the set and for others. */
bool tail_split(const game *, uint32_t pc, int *set, uint32_t *inside, uint32_t *outside);

/* apart.c: do all walkers of a leg, each with one landing, lead to different positions? Then how the decision may go on behind it, and which
 * places must be vacant for that. */
typedef struct { uint8_t tail; const uint64_t *vacant; int keep; int64_t limit; uint64_t picked[WORDS_MAX]; } apart;
bool apart_walk(compiler *, const leg *, uint32_t pc, apart *);
/* Is a number of `keep` set to the least at the place picked, where it is below `limit`, and stays so? */
bool apart_fields(compiler *, uint32_t pick, apart *);

/* spare.c: the piece just moved stays where it is, whatever follows. */
bool tail_spares(const game *, uint32_t pc);
bool way_spares(const game *, uint32_t pc, uint32_t upto);      /* the same of straight code alone */

/* stops.c: of an item whose tail is a tree, the part whose landings end the repetition around its leg, if there is such a part. `known`: sets
 * the walker stands in (| 1 << 20: does not). */
bool stops_find(compiler *, const plan_item *whole, const int32_t *known, int known_count, plan_item *stop);

/* plan.c: the plan, with its items, becomes one of the game's; what an instruction has of it is 1 + its number. */
int32_t keep_plan(game *, plan, const plan_item *items, int count);

/* guard.c: a plan without items, if the first condition behind a pick does not ask about the walker. */
void plan_guard(compiler *, uint32_t pick);
void wakes_finish(compiler *);

/* entry.c */
bool entry_pure(const game *, uint32_t pc, uint8_t *seen);      /* up to the next choice nothing is changed but registers */
void entry_skip_guard(const game *, const flow *live, plan_item *);
void entries_find(game *, const flow *live);
void entry_shots(compiler *);

/* branch.c: may what is chosen behind be counted? */
void branches_find(game *);

/* drawn.c: is the move drawn where it is chosen? */
void drawn_finish(game *);
#endif
