/* A machine for one game alone: the machine's sources, compiled with its tables by the system's C compiler.
 *
 * source.awk packs the sources into the library (native_source); write.c writes the tables, code.c, plans.c, onward.c and lists.c the code; native.c puts them together, has them compiled and
 * loads what comes of it; cache.c keeps it for the next time; compare.c makes sure that it is what it should be. */
#ifndef JOC_NATIVE_H
#define JOC_NATIVE_H
#include <signal.h>
#include <stdio.h>
#include "interp/machine/machine.h"

/* The sources in pieces of whole lines, NULL at the end. A piece that includes tables.inc or code.inc holds nothing else. */
extern const char *const native_source[];

/* What stands in their places: the tables as constants, and `run` as code. */
void native_tables(FILE *, const game *);
void native_each(FILE *, const game *);      /* with the tables */
void native_code(FILE *, const game *);
void native_runs(FILE *, const game *);
void native_onward(FILE *, const game *);     /* with the runs */
void native_lists_known(FILE *, const game *);        /* with native_each */
void native_lists(FILE *, const game *);      /* with the runs */
const char *native_op_name(int op);
bool native_entered_alike(const game *, const plan_item *, const plan_item *);        /* a bit of the one as one of the other, along a given direction */
/* Where a run that goes on here comes to, past jumps. */
uint32_t native_landing(const game *, uint32_t pc);
bool *native_collected(const game *);        /* by instruction: is it a choice, or on the way to one, that random play collects? malloc'd */
bool *native_plans_known(const game *);      /* by plan: is it one that first choices are collected by? None if those have too many items. malloc'd */
void native_plans(FILE *, const game *);     /* with native_each */
/* Can the instruction go on elsewhere than behind itself, but as a choice? */
bool native_jumps(int op);
/* An instruction, and where it goes on; its label is at_PC. */
void native_instruction(FILE *, const game *, uint32_t pc);

/* The whole C text for a game; malloc'd. */
char *native_text(const game *, size_t *length);

/* Gives a machine for this game, and in `*handle` what native_close takes when it is no longer used. NULL if there is none; then `*why` (malloc'd)
 * says so in a sentence. */
const machine *native_open(const game *, void **handle, char **why);
void native_close(void *handle);

/* Has `folder`/machine.so made of this C text by a compiler given as words, NULL at the end; `mask`: the signals it is started with. False: `*why`. */
bool native_compile(const char *folder, const char *text, size_t length, const char *const *compiler, const sigset_t *mask, char **why);
/* Signals that would end the program wait, until the mask before is set again. */
void signals_hold(sigset_t *before);

/* Where machines are kept between runs: the user's own folder; NULL if there is none that nobody else can write to. malloc'd. */
char *cache_folder(void);
/* Is there a whole file of ours? */
bool cache_holds(const char *path);
/* Marks a file as whole: appends what cache_holds looks for. */
bool cache_seal(const char *path);
/* Takes away the oldest beyond so many, and what interrupted runs left behind. */
void cache_trim(const char *folder, size_t most);
void folder_remove(const char *path);

/* Names the first table that is not the game's; malloc'd; NULL if all are. */
char *native_differs(const game *, const native_machine *);

/* A text as printf makes it; malloc'd. */
char *native_sentence(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t native_hash(uint64_t so_far, const void *bytes, size_t length);
#endif
