/* Memory that is freed all at once: one arena per lifetime (a parse, a game). */
#ifndef JOC_ARENA_H
#define JOC_ARENA_H
#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *);

/* `size` zeroed bytes, aligned for anything. Never NULL: without memory the program ends with a message. */
void *arena_alloc(arena *, size_t size);
char *arena_copy(arena *, const char *text, size_t length);      /* adds a NUL */
char *arena_format(arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `memory`, or the end of the program with a message if there is none: for malloc and the like. */
void *must_have(void *memory);
#endif
