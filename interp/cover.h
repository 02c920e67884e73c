/* Coverage of tests: marks of games put together. */
#ifndef JOC_COVER_H
#define JOC_COVER_H
#include "inside.h"

joc_coverage *coverage_new(void);
void coverage_add(joc_coverage *, const game *, const uint8_t *marks);          /* `marks`: by mark of the game */
void coverage_finish(joc_coverage *);                                           /* nothing is added after it */
#endif
