/* Growing texts and their width on a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "interp/play/text.h"

static void out_of_memory(void) {
    fputs("joc: out of memory\n", stderr);
    exit(3);
}

void *memory_of(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p) out_of_memory();
    return p;
}

char *text_copy(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = memory_of(n, 1);
    memcpy(copy, s, n);
    return copy;
}

static void text_reserve(text *t, size_t more) {
    if (t->length + more + 1 <= t->capacity) return;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity < t->length + more + 1) capacity *= 2;
    char *data = realloc(t->data, capacity);
    if (!data) out_of_memory();
    t->data = data;
    t->capacity = capacity;
}

void text_add_bytes(text *t, const char *s, size_t length) {
    text_reserve(t, length);
    memcpy(t->data + t->length, s, length);
    t->length += length;
    t->data[t->length] = 0;
}

void text_add(text *t, const char *s) { text_add_bytes(t, s, strlen(s)); }

void text_add_times(text *t, const char *s, int times) {
    for (int i = 0; i < times; i++) text_add(t, s);
}

void text_format(text *t, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n > 0) {
        text_reserve(t, (size_t)n);
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

char *text_take(text *t) {
    text_reserve(t, 0);
    t->data[t->length] = 0;
    char *data = t->data;
    *t = (text){ 0 };
    return data;
}

void text_free(text *t) {
    free(t->data);
    *t = (text){ 0 };
}

/* Bytes of an escape sequence at `s` (ESC [ ... letter), 0 if there is none. */
static size_t escape_length(const char *s) {
    if (s[0] != '\033' || s[1] != '[') return 0;
    size_t n = 2;
    while (s[n] && (s[n] < '@' || s[n] > '~')) n++;
    return s[n] ? n + 1 : n;
}

static size_t codepoint_of(const char *s, utf8proc_int32_t *c) {
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s, -1, c);
    if (n > 0) return (size_t)n;
    *c = '?';
    return 1;
}

int text_width(const char *s) {
    int width = 0;
    while (*s) {
        size_t escape = escape_length(s);
        if (escape) {
            s += escape;
            continue;
        }
        utf8proc_int32_t c;
        s += codepoint_of(s, &c);
        width += utf8proc_charwidth(c);
    }
    return width;
}

size_t text_character(const char *s) {
    if (!*s) return 0;
    utf8proc_int32_t c;
    size_t n = codepoint_of(s, &c);
    while (s[n]) {
        size_t more = codepoint_of(s + n, &c);
        utf8proc_category_t category = utf8proc_category(c);
        if (category != UTF8PROC_CATEGORY_MN && category != UTF8PROC_CATEGORY_ME && category != UTF8PROC_CATEGORY_MC) break;
        n += more;
    }
    return n;
}

char *text_cased(const char *s, bool upper) {
    text out = { 0 };
    while (*s) {
        utf8proc_int32_t c;
        utf8proc_uint8_t bytes[4];
        s += codepoint_of(s, &c);
        utf8proc_ssize_t n = utf8proc_encode_char(upper ? utf8proc_toupper(c) : utf8proc_tolower(c), bytes);
        text_add_bytes(&out, (const char *)bytes, (size_t)(n > 0 ? n : 0));
    }
    return text_take(&out);
}

char *text_ascii(const char *s) {
    text out = { 0 };
    while (*s) {
        utf8proc_int32_t c, parts[8];
        int bound = 0;
        s += codepoint_of(s, &c);
        const utf8proc_ssize_t n = utf8proc_decompose_char(c, parts, 8, UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK, &bound);
        for (utf8proc_ssize_t i = 0; i < n && i < 8; i++) {
            const char letter = parts[i] < 128 ? (char)parts[i] : '?';
            text_add_bytes(&out, &letter, 1);
        }
    }
    return text_take(&out);
}

/* One word more on a line, or on the next. */
static void word_wrapped(text *out, const char *word, size_t length, int *column, int indent, int width) {
    char *copy = memory_of(length + 1, 1);
    memcpy(copy, word, length);
    const int w = text_width(copy);
    if (*column > indent && *column + 1 + w > width) {
        text_add(out, "\n");
        text_add_times(out, " ", indent);
        *column = indent;
    } else if (*column > indent) {
        text_add(out, " ");
        ++*column;
    }
    text_add(out, copy);
    *column += w;
    free(copy);
}

char *text_wrapped(const char *s, int width) {
    text out = { 0 };
    int column = 0, indent = 0;
    bool goes_on = false;
    for (; *s; s += *s == '\n') {
        const size_t blanks = strspn(s, " "), length = strcspn(s, "\n");
        if (!goes_on || blanks || !length) {
            if (out.length) text_add(&out, "\n");
            text_add_times(&out, " ", (int)blanks);
            column = indent = (int)blanks;
        }
        const char *end = s + length;
        for (s += blanks; s < end; s += strspn(s, " ")) {
            const size_t word = strcspn(s, " \n");
            word_wrapped(&out, s, word, &column, indent, width);
            if (column > indent && blanks && indent == (int)blanks) indent += 2, column = column > indent ? column : indent + 1;
            s += word;
        }
        goes_on = length > 0;
        s = end;
    }
    if (out.length) text_add(&out, "\n");
    return text_take(&out);
}
