/* A text that grows, and how wide texts are on a terminal.
 *
 * One owner, one buffer, always NUL-terminated once something was added; `text_take` hands it over. Without memory the program ends with a
 * message, as in the arena. */
#ifndef JOC_PLAY_TEXT_H
#define JOC_PLAY_TEXT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct { char *data; size_t length, capacity; } text;

void text_add(text *, const char *s);
void text_add_bytes(text *, const char *s, size_t length);
void text_add_times(text *, const char *s, int times);
void text_format(text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *text_take(text *);                        /* malloc'd, "" if nothing was added; the text is empty afterwards */
void text_free(text *);

void *memory_of(size_t count, size_t size);     /* zeroed; never NULL */
char *text_copy(const char *s);                 /* malloc'd */

/* Columns that a UTF-8 text takes on a terminal: wide characters two, combining ones and escape sequences none. */
int text_width(const char *s);
/* Bytes of the first character with what combines with it; 0 at the end. */
size_t text_character(const char *s);
/* The text in the other case, character by character: malloc'd. */
char *text_cased(const char *s, bool upper);
/* The text in ASCII: letters without their accents, ? for what has no such letter: malloc'd. */
char *text_ascii(const char *s);
/* Paragraphs broken between words, so that no line is wider than `width`: malloc'd. A line goes on with the one before it, unless that one is
 * empty or this one is, or it begins with blanks; what goes on after such blanks is set in by two more. */
char *text_wrapped(const char *s, int width);
#endif
