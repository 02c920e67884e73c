/* Values for the options of a game, as people and files give them.
 *
 * A yes-or-no may be written yes, no, true or false, as a word or as a truth of YAML; so may a word of an option that is one of these. What
 * a text comes to is one of the values the rules know ("canonical"). Settings are gathered in order, the later over the earlier: presets,
 * house files, then single options. */
#ifndef JOC_FORMATS_OPTIONS_H
#define JOC_FORMATS_OPTIONS_H
#include "interp/formats/data.h"

/* True if the value fits the option, with `*canonical` (malloc'd) how the rules write it; otherwise `*why` (malloc'd) says what it can be. */
bool option_read(const joc_option *, const char *value, char **canonical, char **why);
/* "yes or no", "3 to 9", "one, two or three": malloc'd. */
char *option_values(const joc_option *);
/* Index of the option (preset) of this name; -1, with `*near` the nearest name or NULL. */
int rules_option_find(const joc_rules *rules, const char *name, const char **near);
int rules_preset_find(const joc_rules *rules, const char *name, const char **near);

typedef struct { joc_setting *list; size_t count, capacity; } choices;
void choices_set(choices *, const char *name, const char *value);     /* copies both; an earlier value of that name goes */
void choices_preset(choices *, const joc_preset *);
const char *choices_get(const choices *, const char *name);           /* NULL if it is not set */
void choices_free(choices *);

/* The JSON Schema (as YAML) of house files for these rules, which are called `game`. malloc'd. */
char *options_schema(const joc_rules *, const char *game);
#endif
