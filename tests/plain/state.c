/* Memory, sets of places, and states: what stands where. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */
struct chunk { chunk *below; size_t size, used; max_align_t bytes[]; };

static void *need(void *p) {
    if (!p) {
        fputs("plain: out of memory\n", stderr);
        exit(3);
    }
    return p;
}

void *heap_take(heap *h, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!h->top || h->top->size - h->top->used < size) {
        size_t room = size > 65536 ? size : 65536;
        chunk *c = need(malloc(sizeof *c + room));
        *c = (chunk){ h->top, room, 0 };
        h->top = c;
    }
    void *p = (char *)h->top->bytes + h->top->used;
    h->top->used += size;
    memset(p, 0, size);
    return p;
}

heap_mark heap_here(const heap *h) { return (heap_mark){ h->top, h->top ? h->top->used : 0 }; }

void heap_back(heap *h, heap_mark m) {
    while (h->top != m.top) {
        chunk *below = h->top->below;
        free(h->top);
        h->top = below;
    }
    if (h->top) h->top->used = m.used;
}

void heap_drop(heap *h) { heap_back(h, (heap_mark){ NULL, 0 }); }

void add(text *t, const char *s) {
    size_t n = strlen(s);
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n + 32);
        t->s = need(realloc(t->s, t->room));
    }
    memcpy(t->s + t->n, s, n + 1);
    t->n += n;
}

void addf(text *t, const char *format, ...) {
    char *s = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&s, format, list) < 0) need(NULL);
    va_end(list);
    add(t, s);
    free(s);
}

char *steal(text *t) {
    char *s = t->s;
    if (!s) s = need(calloc(1, 1));
    *t = (text){ 0 };
    return s;
}

/* ---- sets ------------------------------------------------------------------------------------------------------------------ */
set set_new(plain_game *g, int places) {
    set s = { .words = (places + 63) / 64 };
    s.w = heap_take(&g->fast, (size_t)s.words * 8 + 8);
    return s;
}

void set_drop(set *s, int p) {
    if (p >= 0 && p / 64 < s->words) s->w[p / 64] &= ~((uint64_t)1 << (p % 64));
}

static void cells_only(const plain_game *g, set *s) {
    for (int p = g->cell_count; p < s->words * 64; p++) set_drop(s, p);
}

set set_or(plain_game *g, const set *a, const set *b) {
    const set *big = a->words >= b->words ? a : b;
    set r = set_new(g, big->words * 64), l = *a, m = *b;
    if (a->zoned != b->zoned) {                 /* `Pawn or taken`: the pawns on the board */
        set *board = a->zoned ? &m : &l, copy = set_new(g, board->words * 64);
        memcpy(copy.w, board->w, (size_t)board->words * 8);
        cells_only(g, &copy);
        *board = copy;
    }
    for (int i = 0; i < r.words; i++) r.w[i] = (i < l.words ? l.w[i] : 0) | (i < m.words ? m.w[i] : 0);
    r.zoned = a->zoned || b->zoned;
    return r;
}

set set_and(plain_game *g, const set *a, const set *b) {
    int words = a->words < b->words ? a->words : b->words;
    set r = set_new(g, words * 64);
    for (int i = 0; i < words; i++) r.w[i] = a->w[i] & b->w[i];
    r.zoned = a->zoned || b->zoned;
    return r;
}

set set_not(plain_game *g, const sit *s, const set *a) {
    int n = universe(g, s);
    set r = set_new(g, n);
    for (int p = 0; p < n; p++)
        if (!set_has(a, p)) set_add(&r, p);
    return r;
}

set set_one(plain_game *g, const sit *s, int place) {
    set r = set_new(g, universe(g, s));
    if (place >= 0) set_add(&r, place);
    r.zoned = place >= g->cell_count;
    r.place = true;
    return r;
}

/* Zones themselves are places that a leg or a track may lead to, but nothing that is counted. */
bool counts(const plain_game *g, const state *st, const set *s, int p) {
    if (!set_has(s, p)) return false;
    if (p < g->cell_count) return true;
    if (p < g->places || !s->zoned || p - g->places >= st->slot_count) return false;
    return !st->slots[p - g->places].gone;
}

int set_count(plain_game *g, const sit *s, const set *a) {
    int n = 0, all = universe(g, s);
    for (int p = 0; p < all; p++) n += counts(g, s->st, a, p);
    return n;
}

/* A slot is in a set also if its zone is there as a place. */
static bool holds(const plain_game *g, const state *st, const set *a, int p) {
    if (set_has(a, p) && (p < g->cell_count || a->zoned)) return true;
    if (p < g->places || !a->zoned) return false;
    int z = place_zone(g, st, p);
    return z < g->instance_count && set_has(a, g->cell_count + z);
}

static bool there(const plain_game *g, const sit *s, const set *a, int p) {
    if (a->place) return set_has(a, p);                  /* `here`, `start`: even a zone, even a slot that is empty now */
    return counts(g, s->st, a, p);
}

bool set_within(plain_game *g, const sit *s, const set *a, const set *b) {
    int all = universe(g, s);
    bool some = false;
    for (int p = 0; p < all; p++)
        if (there(g, s, a, p)) {
            some = true;
            if (!holds(g, s->st, b, p)) return false;
        }
    return some;
}

bool set_same(plain_game *g, const sit *s, const set *a, const set *b) {
    int all = universe(g, s);
    for (int p = 0; p < all; p++)
        if (there(g, s, a, p) != there(g, s, b, p)) return false;
    return true;
}

/* ---- states ---------------------------------------------------------------------------------------------------------------- */
static size_t aligned(size_t n) { return (n + 15) & ~(size_t)15; }

static void state_point(const plain_game *g, state *st) {
    char *at = (char *)st + aligned(sizeof *st);
    st->stack = (piece *)(void *)at, at += aligned((size_t)g->cell_count * (size_t)g->pile * sizeof *st->stack);
    st->under = (piece *)(void *)at, at += aligned((size_t)(g->pile + 1) * sizeof *st->under);
    st->height = (uint8_t *)at, at += aligned((size_t)g->cell_count);
    st->keep = (int32_t *)(void *)at, at += aligned((size_t)g->keep_room * sizeof *st->keep);
    st->dice = (die *)(void *)at, at += aligned((size_t)g->dice_count * sizeof *st->dice);
    st->fixed = (die *)(void *)at, at += aligned((size_t)g->dice_count * sizeof *st->fixed);
    st->size = (size_t)(at - (char *)st);
}

static void keeps_start(const plain_game *g, state *st, bool turn_only) {
    if (!g->ready) return;
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (turn_only && !k->turn) continue;
        if (k->of == OF_PIECE) {
            for (int c = 0; c < g->cell_count; c++)
                for (int h = 0; h < st->height[c]; h++) st->stack[c * g->pile + h].keeps[k->at] = (int32_t)k->start;
            for (int j = 0; j < st->slot_count; j++) st->slots[j].p.keeps[k->at] = (int32_t)k->start;
            continue;
        }
        int n = k->of == OF_GAME ? 1 : k->of == OF_PLAYER ? g->player_count : g->places;
        for (int j = 0; j < n; j++) st->keep[k->at + j] = (int32_t)k->start;
    }
}

state *state_new(plain_game *g) {
    state probe = { 0 };
    state_point(g, &probe);
    state *st = heap_take(&g->fast, probe.size);
    state_point(g, st);
    st->next = NONE;
    st->under_at = NONE;
    st->slot_room = 16;
    st->slots = heap_take(&g->fast, 16 * sizeof *st->slots);
    keeps_start(g, st, false);
    return st;
}

static void rebase(state *to, const state *from) {
    ptrdiff_t move = (char *)to - (const char *)from;
    to->stack = (piece *)(void *)((char *)from->stack + move);
    to->under = (piece *)(void *)((char *)from->under + move);
    to->height = (uint8_t *)((char *)from->height + move);
    to->keep = (int32_t *)(void *)((char *)from->keep + move);
    to->dice = (die *)(void *)((char *)from->dice + move);
    to->fixed = (die *)(void *)((char *)from->fixed + move);
}

state *state_copy(plain_game *g, const state *from) {
    state *st = heap_take(&g->fast, from->size);
    memcpy(st, from, from->size);
    rebase(st, from);
    st->slots = heap_take(&g->fast, (size_t)from->slot_room * sizeof *st->slots);
    if (from->slot_count) memcpy(st->slots, from->slots, (size_t)from->slot_count * sizeof *st->slots);
    return st;
}

/* One block, so that free() is enough. */
state *state_keep(const state *from) {
    size_t slots = (size_t)from->slot_room * sizeof *from->slots;
    state *st = need(malloc(from->size + slots));
    memcpy(st, from, from->size);
    rebase(st, from);
    st->slots = (slot *)(void *)((char *)st + from->size);
    if (from->slot_count) memcpy(st->slots, from->slots, (size_t)from->slot_count * sizeof *st->slots);
    return st;
}

int place_zone(const plain_game *g, const state *st, int p) {
    if (p < g->cell_count) return NONE;
    if (p < g->places) return p - g->cell_count;
    return p - g->places < st->slot_count ? st->slots[p - g->places].zone : NONE;
}

int slot_add(plain_game *g, state *st, int z, piece p) {
    if (st->slot_count == st->slot_room) {
        slot *grown = heap_take(&g->fast, (size_t)st->slot_room * 2 * sizeof *grown);
        memcpy(grown, st->slots, (size_t)st->slot_count * sizeof *grown);
        st->slots = grown;
        st->slot_room *= 2;
    }
    if (st->slot_count > 100000) fail(g, NULL, "more pieces than can be kept");
    if (z < g->instance_count && g->instances[z].owner != NOBODY) p.owner = (int8_t)g->instances[z].owner;
    st->slots[st->slot_count] = (slot){ (int16_t)z, false, p };
    return g->places + st->slot_count++;
}

void take_piece(plain_game *g, state *st, piece p) { slot_add(g, st, g->instance_count, p); }

/* The top piece of a cell, or the piece of a slot, leaves. */
piece lift(plain_game *g, state *st, int p) {
    piece *there_is = piece_at(g, st, p);
    piece gone = *there_is;
    if (p < g->cell_count) st->height[p]--;
    else st->slots[p - g->places].gone = true;
    return gone;
}

/* A piece comes to a cell, on top if there is room; what it displaces is given back, bottom first. */
void put(plain_game *g, state *st, int c, piece p, piece *displaced, int *count) {
    int h = st->height[c];
    piece *stack = &st->stack[c * g->pile];
    *count = 0;
    if (h && !(h < g->room[c] && (g->mixed[c] || stack[h - 1].owner == p.owner))) {
        memcpy(displaced, stack, (size_t)h * sizeof *stack);
        *count = h;
        h = 0;
    }
    stack[h] = p;
    st->height[c] = (uint8_t)(h + 1);
}

void state_tidy(plain_game *g, state *st) {
    int n = 0;
    for (int i = 0; i < st->slot_count; i++)
        if (!st->slots[i].gone && st->slots[i].zone < g->instance_count) st->slots[n++] = st->slots[i];
    st->slot_count = n;
    st->under_at = NONE;
    st->under_count = 0;
    for (int i = 0; i < g->dice_count; i++) st->dice[i].sort = 0;
    if (g->turn_keeps) keeps_start(g, st, true);
}

int player_after(const plain_game *g, const state *st, int p) {
    for (int i = 1; i <= g->player_count; i++) {
        int q = (p + i) % g->player_count;
        if (!(st->out >> q & 1)) return q;
    }
    return p;
}

const char *place_name(const plain_game *g, const state *st, int p) {
    if (p < 0) return "-";
    if (p < g->cell_count) return g->cells[p].word;
    int z = place_zone(g, st, p);
    return z == NONE ? "-" : z >= g->instance_count ? "taken" : g->zones[g->instances[z].zone].word;
}

/* ---- texts of states --------------------------------------------------------------------------------------------------------- */
void keep_value_text(const plain_game *g, const keep *k, int64_t v, text *t) {
    if (k->type == K_FLAG || k->type == K_NUMBER) addf(t, "%lld", (long long)v);
    else if (v <= 0) add(t, "-");
    else if (k->type == K_PLAYER) add(t, g->players[v - 1]);
    else if (k->type == K_KIND) add(t, g->kinds[v - 1].word);
    else if (k->type == K_WAY) add(t, v - 1 < g->dir_count ? g->dirs[v - 1].name : "ways");
    else if (v - 1 < g->cell_count) add(t, g->cells[v - 1].word);
    else {
        const instance *i = &g->instances[v - 1 - g->cell_count];
        add(t, g->zones[i->zone].word);
        if (i->owner != NOBODY) addf(t, "[%s]", g->players[i->owner]);
    }
}

void piece_text(const plain_game *g, const piece *p, bool owner, text *t) {
    if (owner) addf(t, "%s.", p->owner == NOBODY ? "neutral" : g->players[p->owner]);
    add(t, p->kind == NO_KIND ? "?" : g->kinds[p->kind].word);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (k->of != OF_PIECE || p->keeps[k->at] == k->start) continue;
        addf(t, "/%s", k->word);
        if (k->type == K_FLAG) continue;
        add(t, ":");
        keep_value_text(g, k, p->keeps[k->at], t);
    }
}

void contents(const plain_game *g, const state *st, int c, text *t) {
    for (int h = 0; h < st->height[c]; h++) {
        if (h) add(t, "+");
        piece_text(g, &st->stack[c * g->pile + h], true, t);
    }
}

static void cells_text(const plain_game *g, const state *st, text *t) {
    for (int c = 0; c < g->cell_count; c++) {
        if (!st->height[c]) continue;
        addf(t, " %s=", g->cells[c].word);
        contents(g, st, c, t);
    }
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void zone_text(const plain_game *g, const state *st, int z, const char *title, const char *owner, text *t) {
    char **all = need(malloc((size_t)(st->slot_count + 1) * sizeof *all));
    size_t n = 0;
    for (int i = 0; i < st->slot_count; i++) {
        if (st->slots[i].gone || st->slots[i].zone != z) continue;
        text one = { 0 };
        piece_text(g, &st->slots[i].p, true, &one);
        all[n++] = steal(&one);
    }
    if (n) {
        qsort(all, n, sizeof *all, by_text);
        addf(t, " %s", title);
        if (owner) addf(t, "[%s]", owner);
        add(t, "=");
    }
    for (size_t i = 0; i < n; i++) {
        if (i) add(t, ",");
        add(t, all[i]);
        free(all[i]);
    }
    free(all);
}

static void zones_text(const plain_game *g, const state *st, text *t) {
    for (int z = 0; z < g->instance_count; z++)
        zone_text(g, st, z, g->zones[g->instances[z].zone].word, g->instances[z].owner == NOBODY ? NULL : g->players[g->instances[z].owner], t);
}

static void keep_place(const plain_game *g, int p, text *t) {
    if (p < g->cell_count) {
        add(t, g->cells[p].word);
        return;
    }
    const instance *i = &g->instances[p - g->cell_count];
    add(t, g->zones[i->zone].word);
    if (i->owner != NOBODY) addf(t, "[%s]", g->players[i->owner]);
}

static void keep_text(const plain_game *g, const state *st, const keep *k, text *t) {
    int n = k->of == OF_GAME ? 1 : k->of == OF_PLAYER ? g->player_count : g->places;
    for (int i = 0; i < n; i++) {
        int64_t v = st->keep[k->at + i];
        if (v == k->start) continue;
        addf(t, " %s", k->word);
        if (k->of == OF_PLAYER) addf(t, "[%s]", g->players[i]);
        if (k->of == OF_CELL) add(t, "@"), keep_place(g, i, t);
        if (k->type == K_FLAG) continue;
        add(t, ":");
        keep_value_text(g, k, v, t);
    }
}

static void keeps_text(const plain_game *g, const state *st, bool aside, bool inside, text *t) {
    static const keep_of order[] = { OF_CELL, OF_PLAYER, OF_GAME };
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < g->keep_count; i++)
            if (g->keeps[i].of == order[o] && (aside || !g->keeps[i].aside) && (inside || !g->keeps[i].turn)) keep_text(g, st, &g->keeps[i], t);
}

static void dice_text(const plain_game *g, const state *st, text *t) {
    for (int i = 0; i < g->dice_count; i++) {
        const die *d = &st->dice[i];
        if (!d->sort || !d->n) continue;
        addf(t, " %s=", g->dice[i].word);
        for (int j = 0; j < d->n; j++) addf(t, j ? ",%d" : "%d", d->v[j]);
    }
}

static void out_text(const plain_game *g, const state *st, text *t) {
    add(t, " out=");
    bool some = false;
    for (int p = 0; p < g->player_count; p++)
        if (st->out >> p & 1) addf(t, some ? ",%s" : "%s", g->players[p]), some = true;
    if (!some) add(t, "-");
}

void state_line(const plain_game *g, const state *st, int mover, bool inside, text *t) {
    addf(t, "mover=%s turns=%d passes=%d extra=%d", g->players[mover], st->turns, st->passes, st->extra);
    out_text(g, st, t);
    cells_text(g, st, t);
    zones_text(g, st, t);
    keeps_text(g, st, true, inside, t);
    if (inside) dice_text(g, st, t);
}

/* Contents of cells and zones, keeps that are not `aside`, players out, the player to move. */
void identity(const plain_game *g, const state *st, int mover, text *t) {
    addf(t, "%d", mover);
    out_text(g, st, t);
    cells_text(g, st, t);
    zones_text(g, st, t);
    keeps_text(g, st, false, false, t);
}

static void taken_order(const plain_game *g, const state *st, text *t) {
    for (int i = 0; i < st->slot_count; i++)
        if (!st->slots[i].gone && st->slots[i].zone == g->instance_count) add(t, " "), piece_text(g, &st->slots[i].p, true, t);
}

/* All that a run may still ask of the state inside a turn. */
void inside_key(plain_game *g, const sit *s, text *t) {
    const state *st = s->st;
    state_line(g, st, s->me, true, t);
    addf(t, " over=%d,%d next=%d again=%d pass=%d", (int)st->over, st->winner, st->next, s->again, s->did_pass);
    if (g->asks_taken) add(t, " taken:"), taken_order(g, st, t);
    for (int i = 0; i < st->under_count; i++) addf(t, " under@%d:", st->under_at), piece_text(g, &st->under[i], true, t);
}

void place_key_of(plain_game *g, const sit *s, int p, text *t) {
    if (p < g->places) {
        addf(t, "%d", p);
        return;
    }
    addf(t, "%s:", place_name(g, s->st, p));            /* equal pieces of a zone are interchangeable */
    const piece *x = piece_at(g, s->st, p);
    if (x) piece_text(g, x, true, t);
    else add(t, "gone");
}

static void value_key(plain_game *g, const sit *s, const val *v, text *t) {
    addf(t, "%d:%lld", (int)v->type, (long long)v->n);
    if (v->type == V_SET)
        for (int p = 0; p < universe(g, s); p++)
            if (set_has(&v->s, p)) add(t, ","), place_key_of(g, s, p, t);
    if (v->type == V_REL)
        for (int i = 0; i < v->r->n; i++) addf(t, ",%d", v->r->steps[i]->id);
    if (v->type == V_RANGE) addf(t, "..%lld", (long long)v->high);
    if (v->type == V_KINDS || v->type == V_BAG || v->type == V_PLAYERS || v->type == V_MANY)
        for (int i = 0; i < v->count; i++) addf(t, ",%lld", (long long)v->list[i]);
    if (v->type == V_FIELD)
        for (int i = 0; i < v->f->places; i++)
            if (v->f->has[i]) addf(t, ",%d=%lld", i, (long long)v->f->v[i]);
    if (v->word) add(t, v->word);
}

void local_keys(plain_game *g, const sit *s, const local *l, const char *const *live, text *t) {
    for (const local *x = l; x; x = x->next) {
        bool hidden = false, wanted = !live;
        for (const local *y = l; y != x; y = y->next) hidden |= y->name == x->name;
        for (int i = 0; live && live[i]; i++) wanted |= live[i] == x->name;
        if (hidden || !wanted) continue;
        addf(t, " %s=", x->name);
        value_key(g, s, &x->v, t);
    }
}

/* State, here, start, passed and the names made in the run: what `a repetition that returns to a situation` means. */
const char *situation_key(plain_game *g, const sit *s) {
    text t = { 0 };
    inside_key(g, s, &t);
    add(&t, " here=");
    place_key_of(g, s, s->here, &t);
    add(&t, " start=");
    place_key_of(g, s, s->start, &t);
    add(&t, " passed=");
    for (int p = 0; p < universe(g, s); p++)
        if (set_has(&s->passed, p)) addf(&t, ",%d", p);
    local_keys(g, s, s->locals, NULL, &t);
    char *kept = heap_take(&g->fast, t.n + 1);
    memcpy(kept, t.s, t.n + 1);
    free(t.s);
    return kept;
}

uint64_t hash_text(const char *s) {
    uint64_t h = 14695981039346656037u;
    for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}
