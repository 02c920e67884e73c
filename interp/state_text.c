/* One line that says everything of a position; docs/internals.md gives its form. Two engines that print the same line agree. */
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include "inside.h"

typedef struct { char *text; size_t length, capacity; } buffer;

static void add(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(buffer *b, const char *format, ...)
{
    va_list list;
    for (;;) {
        va_start(list, format);
        int n = vsnprintf(b->text ? b->text + b->length : NULL, b->text ? b->capacity - b->length : 0, format, list);
        va_end(list);
        if (b->text && b->length + (size_t)n < b->capacity) { b->length += (size_t)n; return; }
        b->capacity = 2 * (b->length + (size_t)n) + 256;
        b->text = realloc(b->text, b->capacity);
        if (!b->text) abort();
    }
}

const char *keep_text(const game *g, const keep *k, int64_t x, char number[24])
{
    if (k->type == KEEP_NUMBER || k->type == KEEP_FLAG) { snprintf(number, 24, "%lld", (long long)x); return number; }
    if (x < 0) return "-";
    switch (k->type) {
    case KEEP_IN_CELLS: return place_text(g, (int)x);
    case KEEP_IN_WAYS: return x < g->dir_count ? g->dirs[x].name : "-";
    case KEEP_IN_KINDS: return x < g->kind_count ? g->kinds[x].name : "-";
    default: return x < g->player_count ? g->players[x].name : "-";
    }
}

static void add_piece(buffer *b, const joc_position *p, int place, int level)
{
    const game *g = p->game->g;
    int owner, k;
    char number[24];
    if (!joc_piece(p, place, level, &owner, &k)) return;
    add(b, "%s.%s", owner < 0 ? "neutral" : g->players[owner].name, k < g->kind_count ? g->kinds[k].name : "?");
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *x = &g->keeps[i];
        if (x->of != KEEP_PIECE) continue;
        int64_t number_of = joc_piece_value(p, place, level, i);
        if (x->type == KEEP_FLAG) { if (number_of) add(b, "/%s", x->name); }
        else if (number_of != x->start) add(b, "/%s:%s", x->name, keep_text(g, x, number_of, number));
    }
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void add_zone(buffer *b, const joc_position *p, int z)
{
    const game *g = p->game->g;
    int n = joc_height(p, g->cells + z);
    if (!n) return;
    char **list = calloc((size_t)n, sizeof *list);
    if (!list) abort();
    for (int i = 0; i < n; i++) {
        buffer one = { 0 };
        add_piece(&one, p, g->cells + z, i);
        list[i] = one.text;
    }
    qsort(list, (size_t)n, sizeof *list, compare_texts);
    add(b, " %s", g->zones[z].name);
    if (g->zones[z].owner >= 0) add(b, "[%s]", g->players[g->zones[z].owner].name);
    for (int i = 0; i < n; i++) { add(b, "%c%s", i ? ',' : '=', list[i]); free(list[i]); }
    free(list);
}

static void add_cell_keeps(buffer *b, const joc_position *p)
{
    const game *g = p->game->g;
    char number[24];
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_CELL) continue;
        for (int c = 0; c < g->cells + g->zone_count; c++) {
            int64_t x = joc_keep_value(p, i, c);
            if (x == k->start) continue;
            if (c < g->cells) add(b, " %s@%s", k->name, g->cell[c].name);
            else {
                const zone *z = &g->zones[c - g->cells];
                add(b, " %s@%s", k->name, z->name);
                if (z->owner >= 0) add(b, "[%s]", g->players[z->owner].name);
            }
            if (k->type != KEEP_FLAG) add(b, ":%s", keep_text(g, k, x, number));
        }
    }
}

char *joc_state_text(const joc_position *p)
{
    const game *g = p->game->g;
    buffer b = { 0 };
    char number[24];
    position_settle(p);
    const int64_t *h = p->v->head;
    add(&b, "mover=%s turns=%lld passes=%lld extra=%d out=", g->players[h[H_MOVER]].name, (long long)h[H_TURNS], (long long)h[H_PASSES], h[H_EXTRA] != 0);
    bool some = false;
    for (int i = 0; i < g->player_count; i++) if (h[H_OUT] >> i & 1) { add(&b, "%s%s", some ? "," : "", g->players[i].name); some = true; }
    if (!some) add(&b, "-");
    for (int c = 0; c < g->cells; c++) {
        int n = joc_height(p, c);
        if (!n) continue;
        add(&b, " %s=", g->cell[c].name);
        for (int level = n; level-- > 0;) { add_piece(&b, p, c, level); if (level) add(&b, "+"); }
    }
    for (int z = 0; z < g->zone_count; z++) add_zone(&b, p, z);
    add_cell_keeps(&b, p);
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_PLAYER) continue;
        for (int w = 0; w < g->player_count; w++) {
            int64_t x = joc_keep_value(p, i, w);
            if (x == k->start) continue;
            add(&b, " %s[%s]", k->name, g->players[w].name);
            if (k->type != KEEP_FLAG) add(&b, ":%s", keep_text(g, k, x, number));
        }
    }
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != KEEP_GAME || joc_keep_value(p, i, 0) == k->start) continue;
        add(&b, " %s", k->name);
        if (k->type != KEEP_FLAG) add(&b, ":%s", keep_text(g, k, joc_keep_value(p, i, 0), number));
    }
    for (int d = 0; h[H_RESUME] && d < g->dice_count; d++) {
        if (!(p->v->num[g->dice[d].fixed] & DICE_THROWN)) continue;
        int values[BAG_MAX + 1];
        size_t n = joc_dice_values(p, d, values, BAG_MAX);
        for (size_t i = 0; i < n && i < BAG_MAX; i++) {
            if (i == 0) add(&b, " %s=%d", g->dice[d].name, values[i]);
            else add(&b, ",%d", values[i]);
        }
    }
    return b.text;
}
