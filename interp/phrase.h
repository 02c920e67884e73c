/* What a run says of itself: the words of docs/language.md, section 7, their text, and whether a text means them. */
#ifndef JOC_PHRASE_H
#define JOC_PHRASE_H
#include "inside.h"

typedef enum { WORD_FROM, WORD_TO, WORD_DROP, WORD_PICK, WORD_DIRECTION, WORD_KIND, WORD_PASS, WORD_RULE } word_kind;
typedef struct {
    word_kind kind;
    int value;                  /* the place, kind, ... of the token; of WORD_RULE the index of its name */
    const char *text;
    const char *other;          /* another name for it: a kind's letter, a zone; NULL if none */
    const char *piece;          /* WORD_DROP: the kind that comes in */
    bool named;                 /* WORD_DROP: the kind is written */
    bool took;                  /* WORD_TO: written with x */
    bool is_place;              /* `value` is one */
} word;
typedef struct phrase { word *words; size_t count, capacity; char **store; size_t stored; char *written; /* what `written` says, NULL nothing */ int stops; /* repetitions left by choice */ bool made; } phrase;

/* The words of the tokens of a trace; `v` has the state loaded from which the run began. */
void phrase_make(phrase *, const vm *v, const token *, size_t count);
void phrase_free(phrase *);
int phrase_rules(const phrase *, int name);             /* how often a rule was called */
/* malloc'd. `directions`: all of them; `common`: by name, so many calls of a rule are not written; NULL: no rules are. */
char *phrase_text(const phrase *, bool directions, const int *common);

/* malloc'd: `text`, and whether the run stops, where others that read alike go on. */
char *phrase_stopping(const char *text, bool stops);

/* A text that somebody typed, cut into words. */
enum { TYPED_MAX = 96 };
typedef struct { char *copy; const char *words[TYPED_MAX]; char before[TYPED_MAX]; /* - x or blank */ size_t count; } typed;
typed typed_make(const game *, const char *text);
void typed_free(typed *);
/* Is the text a form of the phrase? `left`: how much of the phrase it leaves out. */
bool phrase_fits(const phrase *, const typed *, size_t *left);
/* Does the text say what `written` says? Accents, capitals and signs between words do not count, and names may be shortened. */
bool phrase_says(const phrase *, const char *text);
#endif
