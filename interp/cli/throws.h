/* Dice at the table: how a throw is told, and throws that people make with their own dice. */
#ifndef JOC_CLI_THROWS_H
#define JOC_CLI_THROWS_H
#include "interp/joc.h"
#include "interp/play/text.h"

/* The numbers of a throw as faces: ⚀ to ⚅, or [7], [0] where a die has others; [3] for all with `ascii`. Other texts are added as they are. */
void throw_add(text *t, const char *outcome, bool ascii);
/* What the dice of this turn show, "" if none was thrown. */
void thrown_add(text *t, const joc_position *p, bool ascii);
/* The outcome that somebody typed: its text, or its numbers in any order, with blanks, commas or nothing between. NULL if there is none. */
const joc_move *throw_find(const joc_moves *list, const char *typed);
/* How many dice an outcome shows. */
int throw_dice(const char *outcome);
#endif
