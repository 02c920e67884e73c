/* What the generators share: lists and settings. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

void scenes_add(scenes *s, const scene *x) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->list = realloc(s->list, s->capacity * sizeof *s->list);
        if (!s->list) abort();
    }
    s->list[s->count++] = *x;
}

void scenes_free(scenes *s) {
    free(s->list);
    *s = (scenes){ 0 };
}

const char *setting_of(const reference_setting *s, size_t count, const char *name, const char *standard) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(s[i].name, name)) return s[i].value;
    return standard;
}

int setting_number(const reference_setting *s, size_t count, const char *name, int standard) {
    const char *value = setting_of(s, count, name, NULL);
    return value ? atoi(value) : standard;
}

bool setting_yes(const reference_setting *s, size_t count, const char *name, bool standard) {
    const char *value = setting_of(s, count, name, NULL);
    return value ? !strcmp(value, "yes") : standard;
}
