/* What `joc check` tells of a compiled game, beside what the compiler tells of its rules. */
#ifndef JOC_LINTS_H
#define JOC_LINTS_H
#include "inside.h"

/* Games that stop where the rules do not say what then, or are given up (stuck.c). */
void dead_ends_lint(const joc_rules *r, game *g, diagnostics *d);
/* Cells that nothing leads to or from, and cells that no piece can come to (cells.c). `start`: the first position. */
void cells_lint(const joc_rules *r, const game *g, const joc_position *start, diagnostics *d);
/* Pieces that may walk back and forth for ever (endless.c). */
void endless_lint(const joc_rules *r, const joc_position *start, diagnostics *d);
#endif
