/* Dice at the table; see throws.h. */
#include <stdlib.h>
#include <string.h>
#include "interp/cli/throws.h"

enum { DICE_MOST = 30 };

typedef struct { long values[DICE_MOST]; int count; } numbers;

/* Whole numbers with blanks or commas between; count -1 if there is anything else. */
static numbers numbers_of(const char *s) {
    numbers n = { .count = 0 };
    for (s += strspn(s, " ,\t"); *s; s += strspn(s, " ,\t")) {
        char *end;
        long value = strtol(s, &end, 10);
        if (end == s || n.count == DICE_MOST) return (numbers){ .count = -1 };
        n.values[n.count++] = value;
        s = end;
    }
    return n;
}

/* "31" for two dice: every digit is one. */
static numbers digits_of(const char *s) {
    numbers n = { .count = 0 };
    for (; *s >= '0' && *s <= '9' && n.count < DICE_MOST; s++) n.values[n.count++] = *s - '0';
    if (*s) n.count = -1;
    return n;
}

static int by_value(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static bool same_numbers(numbers a, numbers b) {
    if (a.count != b.count || a.count < 1) return false;
    qsort(a.values, (size_t)a.count, sizeof *a.values, by_value);
    qsort(b.values, (size_t)b.count, sizeof *b.values, by_value);
    return !memcmp(a.values, b.values, (size_t)a.count * sizeof *a.values);
}

static void face_add(text *t, long value, bool pips, bool ascii) {
    static const char *const faces[] = { "⚀", "⚁", "⚂", "⚃", "⚄", "⚅" };
    if (pips && !ascii) text_add(t, faces[value - 1]);
    else text_format(t, "[%ld]", value);
}

static void faces_add(text *t, const numbers *n, bool ascii) {
    bool pips = true;
    for (int i = 0; i < n->count; i++) pips = pips && n->values[i] >= 1 && n->values[i] <= 6;
    for (int i = 0; i < n->count; i++) {
        if (i) text_add(t, " ");
        face_add(t, n->values[i], pips, ascii);
    }
}

void throw_add(text *t, const char *outcome, bool ascii) {
    numbers n = numbers_of(outcome);
    if (n.count < 1) {
        text_add(t, outcome);
        return;
    }
    faces_add(t, &n, ascii);
    if (!ascii) text_format(t, " (%s)", outcome);
}

void thrown_add(text *t, const joc_position *p, bool ascii) {
    for (int d = 0; d < joc_game_dice(joc_position_game(p)); d++) {
        int values[DICE_MOST];
        numbers n = { .count = (int)joc_dice_values(p, d, values, DICE_MOST) };
        if (n.count < 1 || n.count > DICE_MOST) continue;
        for (int i = 0; i < n.count; i++) n.values[i] = values[i];
        if (t->length) text_add(t, "  ");
        faces_add(t, &n, ascii);
    }
}

const joc_move *throw_find(const joc_moves *list, const char *typed) {
    numbers n = numbers_of(typed), digits = digits_of(typed);
    for (size_t i = 0; i < joc_moves_count(list); i++)
        if (!strcmp(joc_move_text(joc_moves_at(list, i)), typed)) return joc_moves_at(list, i);
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        numbers one = numbers_of(joc_move_text(joc_moves_at(list, i)));
        if (same_numbers(one, n) || (one.count > 1 && same_numbers(one, digits))) return joc_moves_at(list, i);
    }
    return NULL;
}

int throw_dice(const char *outcome) {
    numbers n = numbers_of(outcome);
    return n.count < 1 ? 1 : n.count;
}
