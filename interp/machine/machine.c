/* Working memory of the machine: what does not depend on the width of sets. */
#include <stdlib.h>
#include <string.h>
#include "machine.h"

void history_grow(history *h, size_t turns)
{
    size_t want = h->capacity ? h->capacity * 2 : 64;
    while (want < turns) want *= 2;
    uint64_t **of[] = { &h->keys, &h->keys_of, &h->always };
    for (int i = 0; i < 3; i++) {
        *of[i] = realloc(*of[i], want * sizeof **of[i]);
        if (!*of[i]) abort();
    }
    h->capacity = want;
}

void history_copy(history *to, const history *from, size_t turns)
{
    if (turns > to->capacity) history_grow(to, turns);
    if (!turns) return;
    memcpy(to->keys, from->keys, turns * sizeof *to->keys);
    memcpy(to->keys_of, from->keys_of, turns * sizeof *to->keys_of);
    memcpy(to->always, from->always, turns * sizeof *to->always);
}

void history_free(history *h)
{
    free(h->keys);
    free(h->keys_of);
    free(h->always);
    *h = (history){ 0 };
}

vm *vm_new(const game *g)
{
    const size_t size = (sizeof(vm) + g->at_end + 32 /* fields.h reads a little further */ + 63) / 64 * 64;
    vm *v = aligned_alloc(64, size);
    if (!v) abort();
    memset(v, 0, size);
    v->g = g;
    uint8_t *const memory = (uint8_t *)v->memory;
    v->floods = calloc((size_t)(g->flood_count + 1) * (size_t)g->words, sizeof(uint64_t));
    if (!v->floods) abort();
    v->num = (int64_t *)(void *)memory;
    memcpy(v->num, g->const_num, (size_t)g->num_consts * sizeof *v->num);
    v->head = v->num + g->num_base;
    v->state = memory + g->state_from;
    v->at = (uint16_t *)(void *)(memory + g->at_cells);
    v->arrays = (int16_t *)(void *)(memory + g->at_arrays);
    v->piles = (struct pile *)(void *)(memory + g->at_piles);
    v->bags = (int16_t *)(void *)(memory + g->at_bags);
    v->changed = (uint16_t *)(void *)(memory + g->at_changed);
    const size_t w = (size_t)g->words;
    uint64_t *planes = (uint64_t *)(void *)(memory + g->at_planes), *registers = (uint64_t *)(void *)(memory + g->at_registers);
    const int sets = g->const_first + g->set_consts;
    for (int p = 0; p < g->player_count; p++) {
        v->tables[p] = calloc((size_t)sets, sizeof(uint64_t *));
        if (!v->tables[p]) abort();
        for (int i = 0; i < sets; i++)
            v->tables[p][i] = i < g->reg_first ? planes + (size_t)i * w
                            : i < g->const_first ? registers + (size_t)(i - g->reg_first) * w
                                                 : g->const_set[p] + (size_t)(i - g->const_first) * w;
        v->tables[p][SET_OWN] = v->tables[p][SET_PLAYERS + p];
        v->tables[p][SET_ENEMY] = v->tables[p][SET_PLAYERS + (g->player_count == 2 ? 1 - p : p)];
    }
    v->batches = calloc(BATCHES_MAX, BATCH_HEAD + w * sizeof(uint64_t));
    if (!v->batches) abort();
    v->set = v->tables[0];
    v->probe = v->probe_place = -1;
    return v;
}

void vm_free(vm *v)
{
    if (!v) return;
    for (int p = 0; p < v->g->player_count; p++) free(v->tables[p]);
    free(v->floods);
    free(v->saves);
    free(v->path);
    free(v->leaves);
    free(v->states);
    free(v->paths);
    free(v->index);
    free(v->loops);
    history_free(&v->history);
    free(v->batches);
    free(v->ending_states);
    free(v);
}

void vm_reset(vm *v)
{
    v->fault = NULL;
    v->fault_pc = 0;
    v->stop = v->found = false;
    v->save_top = v->path_top = 0;
    v->depth = 0;
    v->pending = NULL;
    v->lean = false;
    v->frame_count = 0;
    v->tokens = NULL;
    v->probe = v->probe_place = -1;
    v->mode = 0;
    v->guide = v->path_at = 0;
}

const origin *origin_find(const game *g, uint32_t pc, bool part)
{
    int low = 0, high = g->origin_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (g->origins[middle].pc < pc) low = middle + 1;
        else high = middle;
    }
    for (; low < g->origin_count && g->origins[low].pc == pc; low++) if ((g->origins[low].kind == ORIGIN_PART) == part) return &g->origins[low];
    return NULL;
}
