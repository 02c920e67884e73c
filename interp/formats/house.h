/* House files: options of one game by name (docs/house-rules.md).
 *
 *     game: ur
 *     name: The strict table
 *     preset: strict
 *     options: { rosette: same, chain: no }
 *     notes: As we play it on Thursdays.
 */
#ifndef JOC_FORMATS_HOUSE_H
#define JOC_FORMATS_HOUSE_H
#include "interp/formats/options.h"

typedef struct {
    char *game, *name, *preset, *notes;         /* "" where the file says nothing */
    choices options;
} house;

/* Reads the file and, if `rules` is given, holds its options and its preset against those of the rules: then the options' values are as the
 * rules write them. NULL with messages. */
house *house_read(const char *path, const joc_rules *rules, joc_messages *m);
/* The same of a text; `path` is for messages. */
house *house_parse(const char *path, const char *yaml, size_t length, const joc_rules *rules, joc_messages *m);
void house_free(house *);
/* Is it for the game that is called `name` (a path or a name)? */
bool house_is_for(const house *, const char *name);
/* Its preset, then its options. */
void choices_house(choices *, const house *, const joc_rules *rules);
extern const data_shape house_shape;
#endif
