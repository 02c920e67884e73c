/* Map files: cells, what they are in, their numbers, their borders. */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "inside.h"

void map_read(plain_game *g, const node *at, const char *file);

typedef struct { plain_game *g; yaml_document_t *doc; const node *at; } reader;

static const char *scalar(const reader *r, int id) {
    yaml_node_t *n = yaml_document_get_node(r->doc, id);
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static const char *kept(plain_game *g, const char *s) {
    char *p = heap_take(&g->slow, strlen(s) + 1);
    return strcpy(p, s);
}

static yaml_node_t *entry(const reader *r, yaml_node_t *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        const char *s = scalar(r, p->key);
        if (s && !strcmp(s, key)) return yaml_document_get_node(r->doc, p->value);
    }
    return NULL;
}

static void group_add(plain_game *g, const char *word, int c) {
    for (int i = 0; i < g->group_count; i++)
        if (!strcmp(g->groups[i].word, word)) {
            set_add(&g->groups[i].s, c);
            return;
        }
    group *grown = heap_take(&g->slow, (size_t)(g->group_count + 1) * sizeof *grown);
    if (g->group_count) memcpy(grown, g->groups, (size_t)g->group_count * sizeof *grown);
    g->groups = grown;
    group *x = &g->groups[g->group_count++];
    x->word = kept(g, word);
    x->s.words = (g->cell_count + 63) / 64;
    x->s.w = heap_take(&g->slow, (size_t)x->s.words * 8);
    set_add(&x->s, c);
}

static void number_add(plain_game *g, const char *word, int c, int64_t v) {
    for (int i = 0; i < g->number_count; i++)
        if (!strcmp(g->numbers[i].word, word)) {
            g->numbers[i].v[c] = v;
            return;
        }
    number *grown = heap_take(&g->slow, (size_t)(g->number_count + 1) * sizeof *grown);
    if (g->number_count) memcpy(grown, g->numbers, (size_t)g->number_count * sizeof *grown);
    g->numbers = grown;
    number *x = &g->numbers[g->number_count++];
    x->word = kept(g, word);
    x->v = heap_take(&g->slow, (size_t)(g->cell_count + 1) * sizeof *x->v);
    for (int i = 0; i < g->cell_count; i++) x->v[i] = INT64_MIN;
    x->v[c] = v;
}

static void numbers_of(const reader *r, yaml_node_t *m, int c) {
    for (yaml_node_pair_t *p = m->data.mapping.pairs.start; p < m->data.mapping.pairs.top; p++) {
        const char *key = scalar(r, p->key), *v = scalar(r, p->value);
        char *rest = NULL;
        if (!key || !v || !*v || !strcmp(key, "name")) continue;
        long long n = strtoll(v, &rest, 10);
        if (!*rest) number_add(r->g, key, c, n);
    }
}

static size_t list_length(yaml_node_t *l) {
    return l && l->type == YAML_SEQUENCE_NODE ? (size_t)(l->data.sequence.items.top - l->data.sequence.items.start) : 0;
}

static void borders_of(const reader *r, yaml_node_t *m, int c, const char *key, bool one_way) {
    plain_game *g = r->g;
    yaml_node_t *l = entry(r, m, key);
    for (size_t i = 0; i < list_length(l); i++) {
        const char *s = scalar(r, l->data.sequence.items.start[i]);
        int d = s ? cell_find(g, s) : NONE;
        if (d == NONE) fail(g, r->at, "map: '%s' borders on '%s', which is no cell", g->cells[c].word, s ? s : "?");
        int *row = &g->borders[c * g->border_fan];
        while (*row != NONE && *row != d) row++;
        *row = d | (one_way ? 1 << 20 : 0);
    }
}

static bool leads(const plain_game *g, int a, int b) {
    for (int k = 0; k < g->border_fan; k++)
        if ((g->borders[a * g->border_fan + k] & 0xFFFFF) == b && g->borders[a * g->border_fan + k] != NONE) return true;
    return false;
}

static void check_borders(const reader *r) {
    plain_game *g = r->g;
    for (int c = 0; c < g->cell_count; c++)
        for (int k = 0; k < g->border_fan; k++) {
            int *b = &g->borders[c * g->border_fan + k];
            if (*b == NONE) continue;
            bool marked = *b >> 20;
            *b &= 0xFFFFF;
            if (!marked && !leads(g, *b, c)) fail(g, r->at, "map: the border from '%s' to '%s' leads one way", g->cells[c].word, g->cells[*b].word);
        }
}

static void cells_of(const reader *r, yaml_node_t *cells) {
    plain_game *g = r->g;
    yaml_node_pair_t *from = cells->data.mapping.pairs.start, *top = cells->data.mapping.pairs.top;
    g->cells = heap_take(&g->slow, (size_t)(top - from + 1) * sizeof *g->cells);
    for (yaml_node_pair_t *p = from; p < top; p++) {
        const char *word = scalar(r, p->key);
        if (!word) fail(g, r->at, "map: a cell without a name");
        g->cells[g->cell_count] = (cell){ kept(g, word), g->cell_count + 1, 1 };
        g->cell_count++;
    }
    for (int c = 0; c < g->cell_count; c++) {
        yaml_node_t *m = yaml_document_get_node(r->doc, from[c].value), *in = entry(r, m, "in");
        if (!m || m->type != YAML_MAPPING_NODE) fail(g, r->at, "map: '%s' says nothing", g->cells[c].word);
        size_t fan = list_length(entry(r, m, "to")) + list_length(entry(r, m, "one_way")) + 1;
        if ((int)fan > g->border_fan) g->border_fan = (int)fan;
        for (size_t i = 0; i < list_length(in); i++) {
            const char *s = scalar(r, in->data.sequence.items.start[i]);
            if (s) group_add(g, s, c);
        }
        numbers_of(r, m, c);
    }
    g->borders = heap_take(&g->slow, (size_t)(g->cell_count * g->border_fan + 1) * sizeof *g->borders);
    for (int i = 0; i < g->cell_count * g->border_fan; i++) g->borders[i] = NONE;
    for (int c = 0; c < g->cell_count; c++) {
        yaml_node_t *m = yaml_document_get_node(r->doc, from[c].value);
        borders_of(r, m, c, "to", false);
        borders_of(r, m, c, "one_way", true);
    }
}

void map_read(plain_game *g, const node *at, const char *file) {
    text path = { 0 };
    const char *slash = g->tree->path ? strrchr(g->tree->path, '/') : NULL;
    if (slash && *file != '/') addf(&path, "%.*s/", (int)(slash - g->tree->path), g->tree->path);
    add(&path, file);
    FILE *f = fopen(path.s, "rb");
    free(path.s);
    if (!f) fail(g, at, "cannot read the map '%s'", file);
    yaml_parser_t parser;
    yaml_document_t doc;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, f);
    bool ok = yaml_parser_load(&parser, &doc);
    reader r = { g, &doc, at };
    yaml_node_t *cells = ok ? entry(&r, yaml_document_get_root_node(&doc), "cells") : NULL;
    jmp_buf mine, *outer = g->out;
    bool failed = false;
    g->out = &mine;
    if (setjmp(mine)) failed = true;
    else if (!cells || cells->type != YAML_MAPPING_NODE) fail(g, at, "'%s' is not a map", file);
    else cells_of(&r, cells), check_borders(&r);
    g->out = outer;
    if (ok) yaml_document_delete(&doc);
    yaml_parser_delete(&parser);
    fclose(f);
    if (failed) longjmp(*g->out, 1);
}
