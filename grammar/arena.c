/* Memory that is freed all at once.
 *
 * An arena is a list of chunks. Small requests are cut off the front of the newest chunk; a request larger than a quarter of a chunk
 * gets a chunk of its own, which is put behind the newest one so that what is left there is not lost. */
#include "arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 1 << 16 };

typedef struct chunk chunk;
struct chunk {
    chunk *next;
    size_t used, size;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct arena { chunk *first; };

void *must_have(void *memory)
{
    if (!memory) {
        fputs("joc: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static chunk *chunk_new(size_t size)
{
    if (size > SIZE_MAX - sizeof(chunk))
        must_have(NULL);
    chunk *c = must_have(calloc(1, sizeof(chunk) + size));
    c->size = size;
    return c;
}

arena *arena_new(void)
{
    arena *a = must_have(calloc(1, sizeof *a));
    a->first = chunk_new(CHUNK_SIZE);
    return a;
}

void arena_free(arena *a)
{
    if (!a)
        return;
    for (chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

void *arena_alloc(arena *a, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX - align)
        must_have(NULL);
    size = (size + align - 1) / align * align;
    chunk *c = a->first;
    if (size > CHUNK_SIZE / 4) {
        chunk *own = chunk_new(size);
        own->used = size;
        own->next = c->next;
        c->next = own;
        return own->bytes;
    }
    if (size > c->size - c->used) {
        c = chunk_new(CHUNK_SIZE);
        c->next = a->first;
        a->first = c;
    }
    void *memory = c->bytes + c->used;
    c->used += size;
    return memory;
}

char *arena_copy(arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_format(arena *a, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0)
        return arena_copy(a, "", 0);
    char *text = arena_alloc(a, (size_t)length + 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}
