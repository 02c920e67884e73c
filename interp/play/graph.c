/* The states of a game; see graph.h. They are looked for in depth: a state that is new is put on a stack of bytes with what
 * joc_position_save wrote of it, and its bytes are gone once its moves have been followed. So what stays of a state is its key and its block. */
#include <stdlib.h>
#include <string.h>
#include "interp/play/graph.h"
#include "interp/play/large.h"
#include "interp/play/text.h"

enum { STATES_FIRST = 1024, WORDS_FIRST = 4096, TABLE_FIRST = 4096, TELL_EVERY = 4096, GROWTH = 8 /* an eighth more each time: nothing is copied */ };
#define STATES_MOST (GRAPH_TURN - 1)
#define WORDS_MOST UINT32_MAX

typedef struct {
    graph *g;
    const graph_how *how;
    joc_position *at;                   /* the machine that everything is played on */
    uint8_t *stack, *bytes;
    size_t top, stack_capacity;
    uint32_t *block;                    /* being made */
    size_t block_capacity;
    graph_state state;
} finder;

uint64_t graph_bytes(const graph *g) {
    return g->capacity * (sizeof *g->first + (g->keys ? sizeof *g->keys : 0)) + g->word_capacity * sizeof *g->words + g->table_size * sizeof *g->table;
}

void graph_forget_keys(graph *g) {
    large_free(g->keys, g->capacity * sizeof *g->keys);
    large_free(g->table, g->table_size * sizeof *g->table);
    g->keys = NULL;
    g->table = NULL;
    g->table_size = 0;
}

void graph_free(graph *g) {
    graph_forget_keys(g);
    large_free(g->first, g->capacity * sizeof *g->first);
    large_free(g->words, g->word_capacity * sizeof *g->words);
    *g = (graph){ 0 };
}

/* Does the memory allowed hold what has `had` bytes beside the rest if it has `want`? */
static bool allowed(const finder *f, size_t had, size_t want) { return graph_bytes(f->g) + f->stack_capacity - had + want <= f->how->memory; }

/* Grows a block to `want` bytes if the memory allowed holds it beside the rest. */
static void *grown(finder *f, void *old, size_t had, size_t want) {
    void *made = !allowed(f, had, want) ? NULL : large_grown(old, had, want);
    if (!made) f->state = GRAPH_FULL;
    return made;
}

static bool words_room(finder *f, size_t more) {
    graph *g = f->g;
    if (g->word_count + more <= g->word_capacity) return true;
    size_t want = g->word_capacity + g->word_capacity / GROWTH;
    if (want < g->word_count + more) want = g->word_count + more + WORDS_FIRST;
    if (want > WORDS_MOST) want = WORDS_MOST;
    void *made = want < g->word_count + more ? NULL : grown(f, g->words, g->word_capacity * sizeof *g->words, want * sizeof *g->words);
    if (!made) return f->state = GRAPH_FULL, false;
    g->words = made;
    g->word_capacity = want;
    return true;
}

static bool states_room(finder *f) {
    graph *g = f->g;
    if (g->count < g->capacity) return true;
    size_t had = g->capacity, want = had ? had + had / GROWTH : STATES_FIRST, each = sizeof *g->keys + sizeof *g->first;
    if (want > STATES_MOST) want = STATES_MOST;
    if (want <= g->count || !allowed(f, had * each, want * each)) return f->state = GRAPH_FULL, false;
    void *keys = grown(f, g->keys, had * sizeof *g->keys, want * sizeof *g->keys);
    if (keys) g->keys = keys;
    void *first = keys ? grown(f, g->first, had * sizeof *g->first, want * sizeof *g->first) : NULL;
    if (!first) return false;
    g->first = first;
    g->capacity = want;
    return true;
}

static void table_put(graph *g, uint32_t state) {
    size_t i = g->keys[state] & (g->table_size - 1);
    while (g->table[i]) i = (i + 1) & (g->table_size - 1);
    g->table[i] = state + 1;
}

static bool table_room(finder *f) {
    graph *g = f->g;
    if (3 * (g->count + 1) <= 2 * g->table_size) return true;
    size_t want = g->table_size ? 2 * g->table_size : TABLE_FIRST;
    void *made = grown(f, g->table, g->table_size * sizeof *g->table, want * sizeof *g->table);
    if (!made) return false;
    g->table = made;
    g->table_size = want;
    memset(g->table, 0, want * sizeof *g->table);
    for (uint32_t i = 0; i < g->count; i++) table_put(g, i);
    return true;
}

static bool push(finder *f, uint32_t state) {
    size_t size = joc_position_save(f->at, f->bytes), record = size + 2 * sizeof(uint32_t);
    if (f->top + record > f->stack_capacity) {
        size_t want = f->stack_capacity + f->stack_capacity / GROWTH + record;
        void *made = grown(f, f->stack, f->stack_capacity, want);
        if (!made) return false;
        f->stack = made;
        f->stack_capacity = want;
    }
    uint32_t tail[2] = { (uint32_t)size, state };
    memcpy(f->stack + f->top, f->bytes, size);
    memcpy(f->stack + f->top + size, tail, sizeof tail);
    f->top += record;
    return true;
}

static bool end_add(finder *f, uint32_t state) {
    graph *g = f->g;
    joc_result r = joc_result_of(f->at);
    int32_t value = r.outcome == JOC_WIN ? (r.winner == 0 ? 2 : 0) : 1;
    if (f->how->scores && joc_state_of(f->at) == JOC_STUCK) value = 0;
    else if (f->how->scores) {
        if (!r.scored) return f->state = GRAPH_UNSCORED, false;
        value = (int32_t)(joc_game_players(joc_position_game(f->at)) > 1 ? r.scores[0] - r.scores[1] : r.scores[0]);
    }
    if (!words_room(f, 2)) return false;
    g->first[state] = (uint32_t)g->word_count;
    g->words[g->word_count++] = GRAPH_END;
    g->words[g->word_count++] = (uint32_t)value;
    if (!g->sorts[GRAPH_END]++) g->least = g->most = value;
    if (value < g->least) g->least = value;
    if (value > g->most) g->most = value;
    return true;
}

/* The number of the position at hand; a new one is put on the stack, or given its block if it is an end. */
static bool state_of(finder *f, uint32_t *out) {
    graph *g = f->g;
    joc_state kind = joc_state_of(f->at);
    if (joc_fault(f->at)) return f->state = GRAPH_FAULT, false;
    uint64_t key = joc_position_key(f->at);
    for (size_t i = key & (g->table_size - 1); g->table_size && g->table[i]; i = (i + 1) & (g->table_size - 1))
        if (g->keys[g->table[i] - 1] == key) return *out = g->table[i] - 1, true;
    if (!table_room(f) || !states_room(f)) return false;
    uint32_t state = *out = (uint32_t)g->count++;
    g->keys[state] = key;
    table_put(g, state);
    if (kind == JOC_STUCK) g->stuck++;
    return kind == JOC_OVER || kind == JOC_STUCK ? end_add(f, state) : push(f, state);
}

static bool block_room(finder *f, size_t words) {
    if (words <= f->block_capacity) return true;
    uint32_t *made = realloc(f->block, words * sizeof *made);
    if (!made) return f->state = GRAPH_FULL, false;
    f->block = made;
    f->block_capacity = words;
    return true;
}

/* Follows the moves of the position at hand, which is `state`. */
static bool expand(finder *f, uint32_t state) {
    graph *g = f->g;
    bool chance = joc_state_of(f->at) == JOC_CHANCE;
    graph_sort sort = chance ? GRAPH_CHANCE : joc_mover(f->at) == 0 ? GRAPH_FIRST : GRAPH_SECOND;
    int turns = joc_turns(f->at);
    joc_moves *list = joc_moves_of(f->at);
    size_t count = joc_moves_count(list), words = 0;
    if (joc_fault(f->at)) f->state = GRAPH_FAULT;
    bool good = f->state == GRAPH_DONE && block_room(f, 1 + 2 * count);
    if (good) f->block[words++] = (uint32_t)sort | (uint32_t)count << 3;
    for (size_t i = 0; good && i < count; i++) {
        const joc_move *m = joc_moves_at(list, i);
        uint32_t child = 0;
        joc_play(f->at, m);
        bool turn = joc_turns(f->at) != turns || joc_state_of(f->at) == JOC_OVER;
        good = state_of(f, &child);
        f->block[words++] = child | (turn ? GRAPH_TURN : 0);
        if (chance) f->block[words++] = (uint32_t)joc_move_weight(m);
    }
    joc_moves_free(list);
    if (!good || !words_room(f, words)) return false;
    g->first[state] = (uint32_t)g->word_count;
    memcpy(g->words + g->word_count, f->block, words * sizeof *f->block);
    g->word_count += words;
    g->sorts[sort]++;
    g->choices += !chance && count > 1;
    return true;
}

static void find_all(finder *f) {
    uint64_t done = 0;
    while (f->top && f->state == GRAPH_DONE) {
        uint32_t tail[2];
        f->top -= sizeof tail;
        memcpy(tail, f->stack + f->top, sizeof tail);
        f->top -= tail[0];
        joc_position_load(f->at, f->stack + f->top);
        if (!expand(f, tail[1])) return;
        if (f->how->stop && *f->how->stop) f->state = GRAPH_STOPPED;
        if (++done % TELL_EVERY == 0 && f->how->told) f->how->told(f->how->with, "states", f->g->count, 0);
    }
}

graph_state graph_find(graph *g, const joc_position *from, const graph_how *how, char **fault) {
    finder f = { .g = g, .how = how, .at = joc_position_copy(from) };
    uint32_t state;
    *g = (graph){ 0 };
    f.bytes = memory_of(1, joc_position_bytes(joc_position_game(from)));
    if (state_of(&f, &state)) find_all(&f);
    *fault = f.state == GRAPH_FAULT ? text_copy(joc_fault(f.at)) : NULL;
    joc_position_free(f.at);
    free(f.bytes);
    large_free(f.stack, f.stack_capacity);
    free(f.block);
    return f.state;
}
