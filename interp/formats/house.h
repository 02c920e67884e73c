/* House files: options of one game by name, and nothing else (docs/language.md, section 8).
 *
 *     game: ur
 *     name: The strict table
 *     options: { rosette: same, chain: no }
 */
#ifndef JOC_FORMATS_HOUSE_H
#define JOC_FORMATS_HOUSE_H
#include "interp/formats/data.h"

typedef struct {
    char *game, *name;
    char **options, **values;
    size_t count;
} house;

/* Reads the file and, if `rules` is given, holds its options against those of the rules. NULL with messages. */
house *house_read(const char *path, const joc_rules *rules, joc_messages *m);
void house_free(house *);
extern const data_shape house_shape;

/* True if the value fits the option; otherwise `*why` (malloc'd) says what it can be. */
bool option_fits(const joc_option *, const char *value, char **why);
/* "yes or no", "3 to 9", "one, two or three": malloc'd. */
char *option_values(const joc_option *);
/* Index of the option of this name; -1, with `*near` the nearest name or NULL. */
int rules_option_find(const joc_rules *, const char *name, const char **near);
#endif
