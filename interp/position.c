/* libjoc: positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "view.h"
#include "machine/random.h"

static void *must(void *p) { if (!p) abort(); return p; }

joc_position *position_new(const joc_game *x)
{
    joc_position *p = must(calloc(1, sizeof *p));
    p->game = x;
    p->v = vm_new(x->g);
    p->viewer = -1;
    return p;
}

joc_position *joc_empty(const joc_game *x)
{
    joc_position *p = position_new(x);
    x->g->machine->blank(p->v);
    x->g->machine->begin(p->v);
    return p;
}

bool position_in_setup(const joc_position *p)
{
    const int64_t pc = p->v->head[H_RESUME];
    return pc && pc < p->game->g->turn_pc;
}

joc_position *joc_start(const joc_game *x, uint64_t seed)
{
    joc_position *p = position_new(x);
    vm *v = p->v;
    random_seed(v->random, seed);
    x->g->machine->blank(v);
    v->head[H_RESUME] = x->g->setup_pc;
    p->log_whole = true;
    for (int i = 0; i < 100000; i++) {
        state_kind k = x->g->machine->settle(v);
        if (k != STATE_CHANCE || !position_in_setup(p)) break;
        if (x->g->has_secrets) log_add(p, v->state, NULL, NULL);
        if (!x->g->machine->random(v, v->random)) break;
        if (p->log) p->log->resumed = v->head[H_RESUME];
    }
    p->settled = false;
    return p;
}

joc_position *joc_position_copy(const joc_position *from)
{
    joc_position *p = position_new(from->game);
    const game *g = from->game->g;
    memcpy(p->v->state, from->v->state, g->state_size);
    p->v->set = p->v->tables[p->v->head[H_MOVER]];
    const size_t n = (size_t)from->v->head[H_HISTORY];
    if (g->uses_history) {
        history_copy(&p->v->history, &from->v->history, n);
    }
    p->log = log_share(from->log);
    p->log_whole = from->log_whole;
    if (from->viewer < 0) return p;
    p->viewer = from->viewer;
    p->truth = joc_position_copy(from->truth);
    p->kind = from->kind;
    p->settled = true;
    return p;
}

void joc_position_free(joc_position *p)
{
    if (!p) return;
    log_drop(p->log);
    joc_position_free(p->truth);
    vm_free(p->v);
    free(p->kept);
    free(p);
}

const joc_game *joc_position_game(const joc_position *p) { return p->game; }

void position_settle(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    if (p->settled) return;
    p->kind = p->game->g->machine->settle(p->v);
    p->idle_turns = p->v->idle_turns;
    p->settled = true;
}

joc_state joc_state_of(const joc_position *p)
{
    position_settle(p);
    return p->kind == STATE_DECISION ? JOC_DECISION : p->kind == STATE_CHANCE ? JOC_CHANCE : p->kind == STATE_OVER ? JOC_OVER : JOC_STUCK;
}

joc_result joc_result_of(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const game *g = p->game->g;
    position_settle(p);
    const int64_t *h = p->v->head;
    joc_result r = { .outcome = h[H_OVER] == 0 ? JOC_RUNNING : h[H_OVER] == 1 ? JOC_WIN : JOC_DRAW, .winner = (int)h[H_WINNER], .scores = p->scores, .reason = "" };
    if (h[H_OVER] && g->score_pc) { r.scored = true; for (int i = 0; i < g->player_count; i++) p->scores[i] = p->v->num[g->score_first + i]; }
    if (h[H_REASON] > 0 && h[H_REASON] <= g->end_count) { const end_info *e = &g->ends[h[H_REASON] - 1]; r.reason = e->label && *e->label ? e->label : e->word; }
    else if (h[H_REASON] < 0 && -h[H_REASON] <= g->name_count) r.reason = g->names[-h[H_REASON] - 1];
    return r;
}

bool joc_standing(const joc_position *p_, int64_t *scores)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const game *g = p->game->g;
    const machine *m = g->machine;
    position_settle(p);
    if (!g->score_pc) return false;
    const int mover = (int)p->v->head[H_MOVER];
    if (!p->kept) p->kept = must(malloc(g->state_size));
    memcpy(p->kept, p->v->state, g->state_size);
    for (int i = 0; i < g->player_count; i++) {
        m->mover(p->v, i);
        m->run(p->v, g->score_pc);
        scores[i] = p->v->num[g->score];
    }
    memcpy(p->v->state, p->kept, g->state_size);
    m->mover(p->v, mover);
    return true;
}

int joc_mover(const joc_position *p) { position_settle(p); return (int)p->v->head[H_MOVER]; }
int joc_turns(const joc_position *p) { position_settle(p); return (int)p->v->head[H_TURNS]; }
bool joc_inside_turn(const joc_position *p) { position_settle(p); return p->v->head[H_RESUME] != 0; }
int joc_chance_dice(const joc_position *p)
{
    position_settle(p);
    const ins *i = &p->game->g->code[p->v->head[H_RESUME]];
    return p->kind == STATE_CHANCE && i->op == OP_ROLL ? i->a : -1;
}

uint64_t joc_position_hash(const joc_position *p) { position_settle(p); return p->game->g->machine->key(p->v); }

bool joc_position_equal(const joc_position *a, const joc_position *b)
{
    if (a->game->g != b->game->g) return false;
    char *x = joc_state_text(a), *y = joc_state_text(b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* The rule that the instruction belongs to: the innermost whose walk goes on there. NULL if it is the turn's own. */
static const char *rule_name_at(const game *g, uint32_t pc)
{
    for (uint32_t i = pc + 1; i-- > 0;) if (g->code[i].op == OP_RULE && g->code[i].e > (int32_t)pc) return g->names[g->code[i].d];
    return NULL;
}

const char *joc_fault(const joc_position *p_)
{
    joc_position *p = (joc_position *)(uintptr_t)p_;
    const vm *v = p->v;
    const game *g = p->game->g;
    if (!v->fault || !v->fault_pc || v->fault_pc >= g->code_count) return v->fault;
    const char *name = rule_name_at(g, v->fault_pc), *part = v->fault_pc < g->turn_pc ? "the set-up" : v->fault_pc < g->finish_pc ? "the turn" : NULL;
    if (name) snprintf(p->fault, sizeof p->fault, "%s (in the rule '%s')", v->fault, name);
    else if (part) snprintf(p->fault, sizeof p->fault, "%s (in %s)", v->fault, part);
    else return v->fault;
    return p->fault;
}

static bool place_valid(const game *g, int place) { return place >= 0 && place < g->cells + g->zone_count; }

int joc_height(const joc_position *p, int place)
{
    const game *g = p->game->g;
    if (!place_valid(g, place)) return 0;
    if (place >= g->cells) {
        const zone *z = &g->zones[place - g->cells];
        int n = 0;
        for (int i = 0; i < z->slots; i++) n += p->v->at[z->first + i] != 0;
        return n;
    }
    if (!p->v->at[place]) return 0;
    return g->pile_max > 1 ? 1 + *(const uint16_t *)(const void *)((const char *)p->v->piles + (size_t)(place + 1) * g->pile_stride) : 1;
}

static int code_at(const joc_position *p, int place, int level)
{
    const game *g = p->game->g;
    const vm *v = p->v;
    if (!place_valid(g, place) || level < 0) return 0;
    if (place >= g->cells) {
        const zone *z = &g->zones[place - g->cells];
        for (int i = 0; i < z->slots; i++) if (v->at[z->first + i] && level-- == 0) return v->at[z->first + i];
        return 0;
    }
    if (level == 0) return v->at[place];
    if (g->pile_max <= 1) return 0;
    const char *u = (const char *)v->piles + (size_t)(place + 1) * g->pile_stride;
    const int count = *(const uint16_t *)(const void *)u;
    const size_t index = g->piles_alike ? 0 : (size_t)(count - level);
    return level <= count ? *(const uint16_t *)(const void *)(g->piece_keeps ? u + 8 + index * 16 : u + 2 + index * 2) : 0;
}

bool joc_piece(const joc_position *p, int place, int level, int *owner, int *k)
{
    const game *g = p->game->g;
    int code = code_at(p, place, level);
    if (!code) return false;
    *owner = (code - 1) / (g->kind_count + 1) - 1;
    *k = (code - 1) % (g->kind_count + 1);
    return true;
}

int64_t joc_piece_value(const joc_position *p, int place, int level, int k) { return p->game->g->machine->get_value(p->v, place, level, k); }

int64_t joc_keep_value(const joc_position *p, int index, int of)
{
    const game *g = p->game->g;
    const keep *k = &g->keeps[index];
    if (k->of == KEEP_GAME) return p->v->num[k->where];
    if (k->of == KEEP_PLAYER) return p->v->num[k->where + of];
    if (k->of == KEEP_PIECE) return joc_piece_value(p, of, 0, index);
    const int place = of;
    if (k->type == KEEP_FLAG) return p->v->set[k->where][place / 64] >> (place % 64) & 1;
    return p->v->arrays[(size_t)k->where * (size_t)g->places + (size_t)place] - (k->type == KEEP_NUMBER ? 0 : 1);
}

size_t joc_dice_values(const joc_position *p, int d, int *values, size_t cap)
{
    const game *g = p->game->g;
    const dice_info *x = &g->dice[d];
    if (!p->v->num[x->fixed]) return 0;
    if (!x->many) { if (cap) values[0] = (int)p->v->num[x->number]; return 1; }
    const int16_t *b = p->v->bags + (size_t)x->bag * (BAG_MAX + 1);
    for (int i = 0; i < b[0] && (size_t)i < cap; i++) values[i] = b[i + 1];
    return (size_t)b[0];
}

bool joc_set_dice(joc_position *p, int d, const int *values, size_t count)
{
    const dice_info *x = &p->game->g->dice[d];
    if (count == 0 || count > BAG_MAX) return false;
    if (!x->many) { if (count != 1) return false; p->v->num[x->number] = values[0]; }
    else {
        int16_t *b = p->v->bags + (size_t)x->bag * (BAG_MAX + 1);
        memset(b, 0, (BAG_MAX + 1) * sizeof *b);
        for (size_t i = 0; i < count; i++) {
            int j = ++b[0];
            for (; j > 1 && b[j - 1] < values[i]; j--) b[j] = b[j - 1];
            b[j] = (int16_t)values[i];
        }
    }
    p->v->num[x->fixed] = DICE_FIXED | DICE_THROWN;
    p->settled = false;
    return true;
}

void joc_set_mover(joc_position *p, int who) { p->game->g->machine->mover(p->v, who); p->settled = false; }
bool joc_put(joc_position *p, int place, int owner, int k) { p->settled = false; return place_valid(p->game->g, place) && k >= 0 && k < p->game->g->kind_count && p->game->g->machine->put(p->v, place, owner, k); }
void joc_clear(joc_position *p, int place) { p->settled = false; p->game->g->machine->clear(p->v, place); }
bool joc_set_piece_value(joc_position *p, int place, int level, int k, int64_t x) { p->settled = false; return p->game->g->machine->set_value(p->v, place, level, k, x); }

bool joc_set_keep(joc_position *p, int index, int of, int64_t x)
{
    const game *g = p->game->g;
    const keep *k = &g->keeps[index];
    p->settled = false;
    if (k->type == KEEP_NUMBER && (x < k->low || x > k->high)) return false;
    if (k->of == KEEP_PIECE) return joc_set_piece_value(p, of, 0, index, x);
    if (k->of == KEEP_GAME) { p->v->num[k->where] = x; return true; }
    if (k->of == KEEP_PLAYER) { if (of < 0 || of >= g->player_count) return false; p->v->num[k->where + of] = x; return true; }
    if (!place_valid(g, of)) return false;
    if (k->type == KEEP_FLAG) {
        uint64_t *w = &p->v->set[k->where][of / 64];
        *w = x ? *w | 1ull << (of % 64) : *w & ~(1ull << (of % 64));
    } else p->v->arrays[(size_t)k->where * (size_t)g->places + (size_t)of] = (int16_t)(k->type == KEEP_NUMBER ? x : x + 1);
    return true;
}

void joc_set_turns(joc_position *p, int n) { p->v->head[H_TURNS] = n; p->settled = false; }
bool joc_player_in(const joc_position *p, int who) { return !(p->v->head[H_OUT] >> who & 1); }

void joc_set_player_in(joc_position *p, int who, bool in)
{
    p->v->head[H_OUT] = in ? p->v->head[H_OUT] & ~(1ll << who) : p->v->head[H_OUT] | 1ll << who;
    p->settled = false;
}

void log_forget(joc_position *p)
{
    log_drop(p->log);
    p->log = NULL;
    p->log_whole = false;
}

void joc_settle(joc_position *p)
{
    p->v->head[H_RESUME] = p->v->head[H_CHOSEN] = p->v->head[H_OVER] = 0;
    p->game->g->machine->begin(p->v);
    p->settled = false;
    log_forget(p);
}
