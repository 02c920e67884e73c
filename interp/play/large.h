/* Arrays of very many entries, which are looked up all over: in large pages, where the system has them, so that the first look at one costs a
 * five-hundredth; growing moves the pages and copies nothing. */
#ifndef JOC_PLAY_LARGE_H
#define JOC_PLAY_LARGE_H
#include <stddef.h>

/* An array of `bytes`, what is new of it zeroed. `old` (of `had` bytes; NULL: none) is part of it from then on; without memory NULL, and `old` is as it was. */
void *large_grown(void *old, size_t had, size_t bytes);
void large_free(void *, size_t bytes);
#endif
