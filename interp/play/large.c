/* Large arrays; see large.h. Those of a large page or more begin at the beginning of one: so they do not fall apart when they are moved. */
#include <stdint.h>
#include <sys/mman.h>
#include "interp/play/large.h"

#define PAGE ((size_t)1 << 12)
#define LARGE ((size_t)1 << 21)

static size_t whole(size_t bytes) {
    const size_t page = bytes < LARGE ? PAGE : LARGE;
    return bytes ? (bytes + page - 1) / page * page : page;
}

/* Addresses for so many bytes. */
static void *room(size_t bytes) {
    if (bytes < LARGE) return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *from = mmap(NULL, bytes + LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (from == MAP_FAILED) return MAP_FAILED;
    const size_t before = (LARGE - (uintptr_t)from % LARGE) % LARGE;
    if (before) munmap(from, before);
    munmap(from + before + bytes, LARGE - before);
    return from + before;
}

void *large_grown(void *old, size_t had, size_t bytes) {
    if (old && whole(had) >= whole(bytes)) return old;
    void *at = room(whole(bytes));
    if (at == MAP_FAILED) return NULL;
    if (old && mremap(old, whole(had), whole(bytes), MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
        munmap(at, whole(bytes));
        return NULL;
    }
    if (bytes >= LARGE) madvise(at, whole(bytes), MADV_HUGEPAGE);
    return at;
}

void large_free(void *p, size_t bytes) {
    if (p) munmap(p, whole(bytes));
}
