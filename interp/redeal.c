/* Worlds that fit what a player has seen.
 *
 * The record of the viewer is a row of events: who decided (a player, or chance), how it read to him, and what he saw after it. A world is
 * made by playing the game again from the beginning: at each event one of the moves or outcomes is drawn that read and look as the record
 * says. Nothing of the real match is used but what the viewer was told.
 *
 * Tokens. Most draws would fail later: a card that the record shows in the viewer's hand may have been given to somebody else. So pieces that
 * the viewer does not see carry a number (the inner keep `serial`); those that got one at the same event in the same zone are alike to him,
 * and may be exchanged. Where an event shows pieces, tokens of the places it changes are drawn by lot, and each is exchanged with one that
 * is what was shown, drawn by lot too. Tokens that were never shown thus stay in random order: the deal is uniform among those that show
 * what was seen. What others choose to show could have been any of their tokens that is the same: a world is kept with one chance in as many,
 * so that a deal does not count for more because it left them more ways to do what they did. After exchanges the row is played once more with every token what it has turned out to be, to see that what was done before
 * could be done with it (a bomb does not walk); if not, another world is tried. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "machine/random.h"
#include "view.h"

enum { WORK = 15000, TRIES = 40 /* events in all tries: so many, or of a long record so many times those it has */, DRAWN_ANEW = 100, CLIMBS = 60, MIXES = 12, CANDIDATES = 64, PLAYED_ALONE = 2000 };

static void *must(void *p) { if (!p) abort(); return p; }

typedef struct { const event *event; int who; bool chance; char *text, *seen; joc_position *before, *after; } told;      /* before, after: views */
typedef struct { size_t event; int place; loose identity; } token_born;

typedef struct {
    const joc_game *game;
    const game *g;
    int viewer;
    told *told;
    size_t count;
    uint64_t random[4];
    joc_position *from, *to;            /* for reading */
    /* the world being made */
    joc_position *p;
    token_born *born;                   /* by serial - 1 */
    size_t born_count, all_born, exchanged;             /* all_born: when the row was first played to its end */
    uint32_t **paths; int **serials; uint32_t *path_lengths;            /* by event: what was chosen when it was made first, and which tokens */
    bool again;                         /* it is played once more */
    size_t reached, work;               /* events that went well; that were tried at all */
} redealer;

/* ---- the record ----------------------------------------------------------------------------------------------------------------------- */
static joc_position *standing(const joc_game *x, const uint8_t *state, event *log)
{
    joc_position *p = position_of_state(x, state);
    p->log = log_share(log);
    p->log_whole = true;
    p->settled = true;
    p->kind = STATE_CHANCE;
    return p;
}

static bool record_read(redealer *r, const joc_position *view)
{
    r->count = joc_log_count(view);
    r->told = must(calloc(r->count + 1, sizeof *r->told));
    for (size_t i = 0; i < r->count; i++) {
        const uint8_t *next;
        told *t = &r->told[i];
        t->event = log_event(view, i, &next);
        joc_event e = joc_log_at(view, i);
        t->who = event_mover(r->g, t->event);
        t->chance = t->event->chance;
        t->text = e.text;
        joc_position *a = standing(r->game, t->event->from, t->event->before), *b = standing(r->game, next, (event *)(uintptr_t)t->event);
        t->before = view_alone(a, r->viewer);
        t->after = view_alone(b, r->viewer);
        t->seen = joc_state_text(t->after);
        joc_position_free(a);
        joc_position_free(b);
    }
    return true;
}

/* ---- tokens --------------------------------------------------------------------------------------------------------------------------- */
static int16_t *serial_at(const redealer *r, const joc_position *p, int slot) { return &p->v->arrays[(size_t)r->g->keeps[r->g->serial].where * (size_t)r->g->places + (size_t)slot]; }

/* The places of single pieces: cells, and slots of zones. Gives the place whose slot it is, with the level in it. */
static int place_of_slot(const redealer *r, const joc_position *p, int slot, int *level)
{
    *level = 0;
    if (slot < r->g->cells) return slot;
    const int z = r->g->zone_of[slot];
    if (z < 0 || slot == r->g->zones[z].place) return -1;
    for (int i = r->g->zones[z].first; i < slot; i++) *level += p->v->at[i] != 0;
    return r->g->cells + z;
}

static bool slot_hidden(const redealer *r, const joc_position *p, int slot, int place, int level)
{
    int owner, kind;
    (void)slot;
    return joc_piece(p, place, level, &owner, &kind) && !piece_seen(p, place, level, owner, kind, r->viewer);
}

/* What a piece is, without owner and inner keeps. */
static loose identity_at(const redealer *r, const joc_position *p, int place, int level)
{
    loose x = { .owner = -1 };
    int owner, n = 0;
    joc_piece(p, place, level, &owner, &x.kind);
    for (int k = 0; k < r->g->keep_count; k++)
        if (r->g->keeps[k].of == KEEP_PIECE) { x.values[n] = r->g->keeps[k].inner ? 0 : joc_piece_value(p, place, level, k); n++; }
    return x;
}

static bool same(const loose *a, const loose *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool in_round(const redealer *r, const joc_position *p) { return round_first(r->g, p->log) != NULL; }

/* Pieces that have become hidden get numbers, those that have become seen lose them (but not while others have yet to choose). */
static void tokens_mark(redealer *r, joc_position *p, size_t at_event)
{
    if (r->g->serial < 0) return;
    const bool round_goes_on = in_round(r, p);
    for (int slot = 0; slot < r->g->taken_first; slot++) {
        int level, place;
        if (!p->v->at[slot] || (place = place_of_slot(r, p, slot, &level)) < 0) continue;
        int16_t *serial = serial_at(r, p, slot);
        const bool hidden = slot_hidden(r, p, slot, place, level);
        if (!hidden && *serial && !round_goes_on) *serial = 0;
        if (!hidden || *serial) continue;
        if (r->again) { *serial = (int16_t)++r->born_count; continue; }
        r->born = must(realloc(r->born, (r->born_count + 1) * sizeof *r->born));
        r->born[r->born_count++] = (token_born){ at_event, place, identity_at(r, p, place, level) };
        *serial = (int16_t)r->born_count;
    }
}

static int slot_of_serial(const redealer *r, const joc_position *p, int serial)
{
    for (int slot = 0; slot < r->g->taken_first; slot++) if (p->v->at[slot] && *serial_at(r, p, slot) == serial) return slot;
    return -1;
}

/* Played once more: tokens that have just got their numbers become what they turned out to be. */
static void tokens_settle(redealer *r, joc_position *p, size_t first, size_t last)
{
    for (size_t i = first; i < last && i < r->all_born; i++) {
        int level, place, slot = slot_of_serial(r, p, (int)i + 1);
        if (slot < 0 || (place = place_of_slot(r, p, slot, &level)) < 0) continue;
        loose now = identity_at(r, p, place, level);
        for (size_t j = i + 1; j < last && j < r->all_born && !same(&now, &r->born[i].identity); j++) {
            int other = slot_of_serial(r, p, (int)j + 1), other_level, other_place;
            if (other < 0 || (other_place = place_of_slot(r, p, other, &other_level)) < 0) continue;
            loose it = identity_at(r, p, other_place, other_level);
            if (!same(&it, &r->born[i].identity)) continue;
            r->g->machine->exchange(p->v, slot, other);
            now = it;
        }
    }
}

/* ---- exchanges ------------------------------------------------------------------------------------------------------------------------ */
static pieces shown_in(const redealer *r, const joc_position *view)
{
    pieces out = { NULL, 0 };
    int capacity = 0;
    for (int place = 0; place < r->g->cells + r->g->zone_count; place++)
        for (int level = 0; level < joc_height(view, place); level++) {
            loose x = identity_at(r, view, place, level);
            if (x.kind >= r->g->kind_count) continue;
            if (out.count == capacity) out.pieces = must(realloc(out.pieces, (size_t)(capacity = 2 * capacity + 32) * sizeof *out.pieces));
            out.pieces[out.count++] = x;
        }
    return out;
}

static bool place_changed(const told *t, int place)
{
    pieces a = pieces_at(t->before, place), b = pieces_at(t->after, place);
    const bool changed = a.count != b.count || (a.count && memcmp(a.pieces, b.pieces, (size_t)a.count * sizeof *a.pieces) != 0);
    free(a.pieces), free(b.pieces);
    return changed;
}

static void shuffle(redealer *r, int *list, int n)
{
    for (int i = n; i > 1; i--) { int j = (int)random_below(r->random, (uint64_t)i), x = list[i - 1]; list[i - 1] = list[j]; list[j] = x; }
}

/* A token alike to that of `slot` (it may be itself) that is what is wanted, by lot: its slot, -1 if there is none. */
static int token_that_is(redealer *r, int slot, const loose *want, const bool *given)
{
    const joc_position *p = r->p;
    const token_born *mine = &r->born[*serial_at(r, p, slot) - 1];
    int found = -1, n = 0;
    for (int other = 0; other < r->g->taken_first; other++) {
        if (!p->v->at[other] || !*serial_at(r, p, other) || given[other]) continue;
        const token_born *b = &r->born[*serial_at(r, p, other) - 1];
        if (b->event != mine->event || b->place != mine->place || !same(&b->identity, want)) continue;
        if (random_below(r->random, (uint64_t)++n) == 0) found = other;
    }
    return found;
}

static void exchange_tokens(redealer *r, int a, int b)
{
    if (a == b) return;
    token_born *x = &r->born[*serial_at(r, r->p, a) - 1], *y = &r->born[*serial_at(r, r->p, b) - 1];
    loose was = x->identity;
    x->identity = y->identity;
    y->identity = was;
    r->g->machine->exchange(r->p->v, a, b);
    r->p->settled = false;
    r->exchanged++;
}

/* The tokens at the places that the event changes (`anywhere`: all there are), in random order. */
static int tokens_of_event(redealer *r, const told *t, int *slots, bool anywhere)
{
    int n = 0, level, place;
    for (int slot = 0; slot < r->g->taken_first; slot++) {
        if (!r->p->v->at[slot] || !*serial_at(r, r->p, slot) || (place = place_of_slot(r, r->p, slot, &level)) < 0) continue;
        if (anywhere || place_changed(t, place)) slots[n++] = slot;
    }
    shuffle(r, slots, n);
    return n;
}

/* In how many ways could those shown have been chosen, among the tokens that were there? 1 if there was no other. */
static uint64_t ways_to_show(const redealer *r, const int *slots, int n, const pieces *shown)
{
    uint64_t ways = 1;
    for (int i = 0; i < shown->count; i++) {
        int before = 0, all = 0, alike = 0;         /* of this identity: shown before it, shown at all, there */
        for (int j = 0; j < shown->count; j++) if (same(&shown->pieces[j], &shown->pieces[i])) all++, before += j < i;
        for (int j = 0; j < n; j++) alike += same(&r->born[*serial_at(r, r->p, slots[j]) - 1].identity, &shown->pieces[i]);
        if (before || alike <= all) continue;
        uint64_t choose = 1;
        for (int k = 1; k <= all; k++) choose = choose * (uint64_t)(alike - k + 1) / (uint64_t)k;
        ways *= choose;
    }
    return ways;
}

/* What the event shows is brought about. False: this world is not kept. */
static bool show(redealer *r, const told *t)
{
    if (r->g->serial < 0 || r->again) return true;
    pieces before = shown_in(r, t->before), after = shown_in(r, t->after), fresh = gained(&before, &after);
    int *slots = must(calloc((size_t)r->g->places, sizeof *slots)), n = fresh.count ? tokens_of_event(r, t, slots, false) : 0;
    bool *given = must(calloc((size_t)r->g->places, sizeof *given));
    for (int i = 0; i < fresh.count; i++)
        for (int j = 0; j < n; j++) {
            const int other = given[slots[j]] ? -1 : token_that_is(r, slots[j], &fresh.pieces[i], given);
            if (other < 0) continue;
            exchange_tokens(r, slots[j], other);
            given[slots[j]] = true;
            break;
        }
    const bool kept = t->chance || t->who == r->viewer || random_below(r->random, ways_to_show(r, slots, n, &fresh)) == 0;
    free(before.pieces), free(after.pieces), free(fresh.pieces), free(slots), free(given);
    return kept;
}

/* ---- playing the row ------------------------------------------------------------------------------------------------------------------ */
static bool reads_as(redealer *r, const joc_moves *m, size_t i, const told *t)
{
    if (!t->event->told || strcmp(t->text, "chosen") == 0) return true;
    const leaf *l = &m->leaves[i];
    const event e = { .chance = t->chance, .told = true, .from = m->from, .choice = *l, .path = m->paths + l->path, .resumed = -1 };
    r->g->machine->load(r->from->v, m->from);
    r->g->machine->load(r->to->v, m->states + i * r->g->state_size);
    char *text = event_text(&e, r->from, r->to, r->viewer);
    const bool yes = strcmp(text, t->text) == 0;
    free(text);
    return yes;
}

/* The next candidate by lot among those left (weights 0: gone), SIZE_MAX if none is. */
static size_t draw(redealer *r, const uint64_t *weights, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    if (!sum) return SIZE_MAX;
    uint64_t at = random_below(r->random, sum);
    size_t i = 0;
    while (at >= weights[i]) at -= weights[i++];
    return i;
}

static bool looks_as(redealer *r, joc_position *p, const told *t)
{
    position_settle(p);
    joc_position *view = view_alone(p, r->viewer);
    char *seen = joc_state_text(view);
    const bool yes = strcmp(seen, t->seen) == 0;
    free(seen);
    joc_position_free(view);
    return yes;
}

/* The slot of a zone that a choice names (alone, or before the place where its piece comes in), -1 if it names none. */
static int slot_of_choice(const game *g, uint32_t choice)
{
    const int slot = (int)(choice >> 16 ? choice >> 16 : choice);
    return slot >= g->cells && slot < g->taken_first && g->zone_of[slot] >= 0 && slot != g->zones[g->zone_of[slot]].place ? slot : -1;
}

/* Of equal pieces in a zone only the first can be chosen: this token takes its number. Gives its slot. */
static int first_alike(redealer *r, int slot)
{
    int level, other_level, place = place_of_slot(r, r->p, slot, &level);
    if (place < r->g->cells) return slot;
    const loose mine = identity_at(r, r->p, place, level);
    for (int other = r->g->zones[place - r->g->cells].first; other < slot; other++) {
        if (!r->p->v->at[other]) continue;
        place_of_slot(r, r->p, other, &other_level);
        const loose it = identity_at(r, r->p, place, other_level);
        if (!same(&mine, &it)) continue;
        int16_t *a = serial_at(r, r->p, slot), *b = serial_at(r, r->p, other), was = *a;
        *a = *b;
        *b = was;
        return other;
    }
    return slot;
}

static void path_keep(redealer *r, size_t at, const uint32_t *path, uint32_t length)
{
    free(r->paths[at]), free(r->serials[at]);
    r->paths[at] = must(malloc((length + 1) * sizeof **r->paths));
    r->serials[at] = must(calloc(length + 1, sizeof **r->serials));
    memcpy(r->paths[at], path, length * sizeof *path);
    r->path_lengths[at] = length;
    for (uint32_t i = 0; r->g->serial >= 0 && i < length; i++) {
        const int slot = slot_of_choice(r->g, path[i]);
        if (slot >= 0 && r->p->v->at[slot]) r->serials[at][i] = *serial_at(r, r->p, slot);
    }
}

/* Makes candidate i on a copy; takes it if it looks as it should. */
static bool made(redealer *r, const joc_moves *m, size_t i, size_t at)
{
    joc_position *next = joc_position_copy(r->p);
    joc_play(next, joc_moves_at(m, i));
    next->log->told = r->told[at].event->told;
    position_settle(next);
    const size_t born = r->born_count;
    tokens_mark(r, next, at + 1);
    if (r->again && r->g->serial >= 0) tokens_settle(r, next, born, r->born_count);
    next->settled = false;
    if (looks_as(r, next, &r->told[at])) {
        if (!r->again) path_keep(r, at, m->paths + m->leaves[i].path, m->leaves[i].path_length);
        joc_position_free(r->p);
        r->p = next;
        return true;
    }
    r->born_count = born;
    joc_position_free(next);
    return false;
}

/* Choices as when the row was first played, with each token where it is now. */
static uint32_t *path_now(redealer *r, size_t at)
{
    uint32_t *path = must(malloc((r->path_lengths[at] + 1) * sizeof *path));
    for (uint32_t i = 0; i < r->path_lengths[at]; i++) {
        path[i] = r->paths[at][i];
        const int serial = r->serials[at][i], was = slot_of_choice(r->g, path[i]);
        const int slot = serial ? slot_of_serial(r, r->p, serial) : -1;
        if (slot < 0) continue;
        const int first = first_alike(r, slot);
        path[i] = path[i] == (uint32_t)was ? (uint32_t)first : (uint32_t)first << 16 | (path[i] & 0xFFFF);
    }
    return path;
}

static bool same_path(const redealer *r, const joc_moves *m, size_t i, size_t at, const uint32_t *path)
{
    const leaf *l = &m->leaves[i];
    return path && l->path_length == r->path_lengths[at] && memcmp(m->paths + l->path, path, l->path_length * sizeof *path) == 0;
}

static bool event_tried(redealer *r, size_t at)
{
    const told *t = &r->told[at];
    if ((joc_state_of(r->p) == JOC_CHANCE) != t->chance || joc_state_of(r->p) == JOC_OVER || joc_state_of(r->p) == JOC_STUCK || joc_mover(r->p) != t->who) return false;
    uint32_t *path = r->again ? path_now(r, at) : NULL;
    joc_moves *m = joc_moves_of(r->p);
    const size_t n = joc_moves_count(m);
    uint64_t *weights = must(calloc(n + 1, sizeof *weights));
    bool done = false;
    for (size_t i = 0; i < n; i++) {
        weights[i] = t->chance ? m->leaves[i].weight : 1;
        if (same_path(r, m, i, at, path) && reads_as(r, m, i, t)) done = made(r, m, i, at);
        if (done) break;
    }
    for (size_t i, tried = 0; !done && tried < CANDIDATES && (i = draw(r, weights, n)) != SIZE_MAX;) {
        weights[i] = 0;
        if (!reads_as(r, m, i, t)) continue;
        tried++;
        done = made(r, m, i, at);
    }
    free(weights);
    free(path);
    joc_moves_free(m);
    return done;
}

/* A token that the event has to do with (or else any: what does not happen has no place) is drawn anew from those alike to it. */
static bool drawn_anew(redealer *r, const told *t)
{
    int *slots = must(calloc((size_t)r->g->places, sizeof *slots)), found = -1, n = 0;
    if (tokens_of_event(r, t, slots, false) || tokens_of_event(r, t, slots, true)) {
        const token_born *mine = &r->born[*serial_at(r, r->p, slots[0]) - 1];
        for (int other = 0; other < r->g->taken_first; other++) {
            if (!r->p->v->at[other] || !*serial_at(r, r->p, other)) continue;
            const token_born *b = &r->born[*serial_at(r, r->p, other) - 1];
            if (b->event == mine->event && b->place == mine->place && random_below(r->random, (uint64_t)++n) == 0) found = other;
        }
        if (found >= 0) exchange_tokens(r, slots[0], found);
    }
    free(slots);
    return found >= 0;
}

/* Where nothing fits, what the tokens at hand are is at fault: they are drawn anew a few times. */
static bool event_make(redealer *r, size_t at)
{
    const told *t = &r->told[at];
    if (!show(r, t)) return false;
    for (int i = 0; i < DRAWN_ANEW; i++) {
        if (event_tried(r, at)) return true;
        if (r->again || r->g->serial < 0 || !drawn_anew(r, t)) return false;
    }
    return false;
}

/* What others choose in a round that still goes on is not in the record: anything. */
static bool others_choose(redealer *r, int until)
{
    for (int i = 0; i < PLAYED_ALONE && joc_state_of(r->p) == JOC_DECISION && joc_mover(r->p) != until && r->g->round_count; i++) {
        if (round_of(r->g, r->p->v->head[H_RESUME]) < 0) return true;
        joc_random random;
        memcpy(random.s, r->random, sizeof random.s);
        if (!joc_play_random(r->p, &random)) return false;
        memcpy(r->random, random.s, sizeof random.s);
    }
    return true;
}

static bool row_play(redealer *r, int mover)
{
    joc_position_free(r->p);
    r->p = joc_empty(r->game);
    r->p->v->head[H_RESUME] = r->g->setup_pc;
    r->p->log_whole = true;
    r->born_count = 0;
    r->work++;
    position_settle(r->p);
    tokens_mark(r, r->p, 0);
    if (r->again && r->g->serial >= 0) tokens_settle(r, r->p, 0, r->born_count);
    r->p->settled = false;
    for (size_t i = 0; i < r->count; i++)
        if (r->reached = i, r->work++, !others_choose(r, r->told[i].who) || !event_make(r, i)) return false;
    r->reached = r->count;
    return others_choose(r, mover) && joc_mover(r->p) == mover;
}

/* Two tokens alike, by lot, become each other. False if there are none that differ. */
static bool tokens_traded(redealer *r, size_t *a, size_t *b)
{
    size_t n = 0;
    *a = (size_t)random_below(r->random, r->all_born);
    for (size_t i = 0; i < r->all_born; i++) {
        const token_born *x = &r->born[*a], *y = &r->born[i];
        if (x->event == y->event && x->place == y->place && !same(&x->identity, &y->identity) && random_below(r->random, ++n) == 0) *b = i;
    }
    return n > 0;
}

static void trade(redealer *r, size_t a, size_t b)
{
    loose was = r->born[a].identity;
    r->born[a].identity = r->born[b].identity;
    r->born[b].identity = was;
}

/* What was done before could not be done with these tokens: they are traded one by one as long as more of the row goes well. */
static bool climbed(redealer *r, int mover)
{
    size_t best = r->reached, a, b;
    for (int i = 0; i < CLIMBS; i++) {
        if (!tokens_traded(r, &a, &b)) continue;
        trade(r, a, b);
        if (row_play(r, mover)) return true;
        if (r->reached < best) trade(r, a, b);
        else best = r->reached;
    }
    return false;
}

/* Some trades more, kept where the row goes well: what was found by climbing comes nearer to any that could be found. */
static bool mixed(redealer *r, int mover)
{
    size_t a, b;
    bool good = true;
    for (int i = 0; i < MIXES; i++) {
        if (!tokens_traded(r, &a, &b)) continue;
        trade(r, a, b);
        good = row_play(r, mover);
        if (!good) trade(r, a, b);
    }
    return good || row_play(r, mover);
}

static bool world_made(redealer *r, int mover)
{
    r->again = false;
    r->exchanged = 0;
    if (!row_play(r, mover)) return false;
    r->all_born = r->born_count;
    if (!r->exchanged) return true;
    r->again = true;
    return row_play(r, mover) || (climbed(r, mover) && mixed(r, mover));
}

static void record_free(redealer *r)
{
    for (size_t i = 0; i < r->count; i++) {
        told *t = &r->told[i];
        free(t->text), free(t->seen), free(r->paths[i]), free(r->serials[i]);
        joc_position_free(t->before), joc_position_free(t->after);
    }
    free(r->told), free(r->born), free(r->paths), free(r->serials), free(r->path_lengths);
    joc_position_free(r->from), joc_position_free(r->to), joc_position_free(r->p);
}

joc_position *joc_redeal(const joc_position *view, uint64_t seed)
{
    assert(view->viewer >= 0);
    if (!view->truth->log_whole) return NULL;
    redealer r = { .game = view->game, .g = view->game->g, .viewer = view->viewer };
    random_seed(r.random, seed);
    r.from = joc_empty(r.game), r.to = joc_empty(r.game);
    record_read(&r, view);
    r.paths = must(calloc(r.count + 1, sizeof *r.paths));
    r.serials = must(calloc(r.count + 1, sizeof *r.serials));
    r.path_lengths = must(calloc(r.count + 1, sizeof *r.path_lengths));
    joc_position *out = NULL;
    const size_t work = r.count * TRIES > WORK ? r.count * TRIES : WORK;
    while (r.work < work && !out) {
        if (!world_made(&r, joc_mover(view))) continue;
        out = r.p;
        r.p = NULL;
        for (int slot = 0; r.g->serial >= 0 && slot < r.g->places; slot++) *serial_at(&r, out, slot) = 0;
        out->settled = false;
    }
    record_free(&r);
    return out;
}
