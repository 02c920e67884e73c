/* What a player sees of a match, and its log.
 *
 * A view is a position in which everything that the player does not see is blanked, so whatever is then asked of it (a drawing, a text, the
 * contents of a place) cannot tell more. Blanked are: the kind and the numbers of pieces that he does not see (their kind is the one behind
 * the last, which is written `?`), values that are not his, what was chosen in a round of `by everyone` that still goes on, registers,
 * history and random numbers. The pieces of a zone stand sorted, for the order in which they came tells of where they came from.
 *
 * The log. In a game with secrets a position knows its events: the state before, who decided, the choices made. Events are shared by the
 * copies of a position (counted), the newest first. How an event reads is worked out when it is asked for, as the asker sees it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "view.h"

static void *must(void *p) { if (!p) abort(); return p; }

/* ---- the log -------------------------------------------------------------------------------------------------------------------------- */
static int64_t head_of(const game *g, const uint8_t *state, int h)
{
    int64_t x;
    memcpy(&x, state + ((size_t)(g->num_base + h) * sizeof x - g->state_from), sizeof x);
    return x;
}

int event_mover(const game *g, const event *e) { return (int)head_of(g, e->from, H_MOVER); }

void log_add(joc_position *p, const uint8_t *from, const leaf *l, const uint32_t *path)
{
    const game *g = p->game->g;
    event *e = must(calloc(1, sizeof *e));
    atomic_init(&e->users, 1);
    e->before = p->log;
    e->number = p->log ? p->log->number + 1 : 1;
    e->from = must(malloc(g->state_size));
    memcpy(e->from, from, g->state_size);
    const int64_t resume = head_of(g, from, H_RESUME);
    e->chance = resume && g->code[resume].op >= OP_ROLL && g->code[resume].op <= OP_RANDOM_KIND;
    e->told = l != NULL;
    if (l) {
        e->choice = *l;
        e->path = must(malloc((l->path_length + 1) * sizeof *e->path));
        if (l->path_length) memcpy(e->path, path + l->path, l->path_length * sizeof *e->path);
        e->choice.path = 0;
    }
    p->log = e;
}

event *log_share(event *e)
{
    if (e) atomic_fetch_add(&e->users, 1);
    return e;
}

void log_drop(event *e)
{
    while (e && atomic_fetch_sub(&e->users, 1) == 1) {
        event *before = e->before;
        free(e->from);
        free(e->path);
        free(e);
        e = before;
    }
}

/* ---- sight ---------------------------------------------------------------------------------------------------------------------------- */
static bool seen_as(const game *g, const char *sight, int owner, int player)
{
    if (!sight || strcmp(sight, "everyone") == 0) return true;
    if (strcmp(sight, "owner") == 0) return owner == player;
    return strcmp(sight, "nobody") != 0 && strcmp(g->players[player].name, sight) == 0;
}

bool piece_seen(const joc_position *p, int place, int level, int owner, int kind, int player)
{
    const game *g = p->game->g;
    if (g->seen_first >= 0 && joc_piece_value(p, place, level, g->seen_first + player)) return true;
    if (kind >= g->kind_count || !seen_as(g, g->kinds[kind].seen, owner, player)) return false;
    return place < g->cells || seen_as(g, g->zones[place - g->cells].seen, g->zones[place - g->cells].owner, player);
}

pieces pieces_at(const joc_position *p, int place)
{
    const game *g = p->game->g;
    pieces out = { NULL, joc_height(p, place) };
    out.pieces = must(calloc((size_t)out.count + 1, sizeof *out.pieces));
    for (int level = 0; level < out.count; level++) {
        loose *x = &out.pieces[level];
        int n = 0;
        joc_piece(p, place, level, &x->owner, &x->kind);
        for (int k = 0; k < g->keep_count; k++) if (g->keeps[k].of == KEEP_PIECE) x->values[n++] = k == g->serial ? 0 : joc_piece_value(p, place, level, k);
    }
    return out;
}

/* The pieces, the top one first, are all that stands there. */
static void pieces_put(joc_position *p, int place, const pieces *list)
{
    const game *g = p->game->g;
    const machine *m = g->machine;
    m->clear(p->v, place);
    for (int i = list->count; i-- > 0;) {
        const loose *x = &list->pieces[i];
        const int at = place < g->cells ? place : g->zones[place - g->cells].place;
        m->put(p->v, at, x->owner, x->kind);
        for (int k = 0, n = 0; k < g->keep_count; k++)
            if (g->keeps[k].of == KEEP_PIECE) m->set_value(p->v, place, place < g->cells ? 0 : list->count - 1 - i, k, x->values[n++]);
    }
}

static int compare_loose(const void *a, const void *b) { return memcmp(a, b, sizeof(loose)); }

static void blank_piece(const game *g, loose *x, const zone *z)
{
    x->kind = g->kind_count;
    if (z && z->owner < 0) x->owner = -1;
    for (int k = 0, n = 0; k < g->keep_count; k++) if (g->keeps[k].of == KEEP_PIECE) x->values[n++] = g->keeps[k].start;
}

static void mask_place(joc_position *p, int place, int player)
{
    const game *g = p->game->g;
    const zone *z = place < g->cells ? NULL : &g->zones[place - g->cells];
    if (!joc_height(p, place)) return;
    pieces list = pieces_at(p, place);
    for (int i = 0; i < list.count; i++) {
        loose *x = &list.pieces[i];
        if (!piece_seen(p, place, i, x->owner, x->kind, player)) blank_piece(g, x, z);
        for (int k = 0, n = 0; k < g->keep_count; k++) {
            if (g->keeps[k].of != KEEP_PIECE) continue;
            if (g->keeps[k].inner || !seen_as(g, g->keeps[k].seen, x->owner, player)) x->values[n] = g->keeps[k].start;
            n++;
        }
    }
    if (z) qsort(list.pieces, (size_t)list.count, sizeof *list.pieces, compare_loose);
    pieces_put(p, place, &list);
    free(list.pieces);
}

static int owner_of_cell(const joc_position *p, int cell)
{
    int owner = -1, kind;
    return joc_piece(p, cell, 0, &owner, &kind) ? owner : -1;
}

static void mask_keeps(joc_position *p, int player)
{
    const game *g = p->game->g;
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        if (!k->seen || k->of == KEEP_PIECE) continue;
        const int count = k->of == KEEP_GAME ? 1 : k->of == KEEP_PLAYER ? g->player_count : g->cells + g->zone_count;
        for (int x = 0; x < count; x++)
            if (!seen_as(g, k->seen, k->of == KEEP_PLAYER ? x : k->of == KEEP_CELL && x < g->cells ? owner_of_cell(p, x) : -1, player)) joc_set_keep(p, i, x, k->start);
    }
}

/* What is neither contents nor value: registers, keys, pieces taken this turn. */
static void mask_rest(joc_position *p)
{
    const game *g = p->game->g;
    vm *v = p->v;
    memset(v->num + g->num_consts, 0, (size_t)g->num_regs * sizeof *v->num);
    for (int i = 0; i < g->set_regs; i++) memset(v->tables[0][g->reg_first + i], 0, (size_t)g->words * sizeof(uint64_t));
    v->head[H_KEY] = v->head[H_KEY_OF] = v->head[H_ALWAYS] = v->head[H_HISTORY] = 0;
    v->head[H_HERE] = v->head[H_START] = v->head[H_UNDER] = NO_PLACE;
    v->fault = NULL;
}

/* ---- rounds: `by everyone` ------------------------------------------------------------------------------------------------------------ */
int round_of(const game *g, int64_t pc)
{
    for (int i = 0; i < g->round_count; i++) if (pc >= (int64_t)g->rounds[i].begin && pc < (int64_t)g->rounds[i].end) return i;
    return -1;
}

/* The first event of the round that goes on after event e (NULL: none does, or nothing was chosen in it yet). */
const event *round_first(const game *g, const event *e)
{
    const event *first = NULL;
    const int now = e ? round_of(g, e->resumed) : -1;
    for (; now >= 0 && e && round_of(g, e->resumed) == now; e = e->before) first = e;
    return first;
}

joc_position *position_of_state(const joc_game *x, const uint8_t *state)
{
    joc_position *p = joc_empty(x);
    x->g->machine->load(p->v, state);
    return p;
}

static bool same_loose(const loose *a, const loose *b) { return memcmp(a, b, sizeof *a) == 0; }

/* What b has more than a (counted), at one place. */
pieces gained(const pieces *a, const pieces *b)
{
    pieces out = { must(calloc((size_t)b->count + 1, sizeof(loose))), 0 };
    for (int i = 0; i < b->count; i++) {
        int in_a = 0, in_b = 0;
        for (int j = 0; j < a->count; j++) in_a += same_loose(&a->pieces[j], &b->pieces[i]);
        for (int j = 0; j <= i; j++) in_b += same_loose(&b->pieces[j], &b->pieces[i]);
        if (in_b > in_a) out.pieces[out.count++] = b->pieces[i];
    }
    return out;
}

/* At one place of `to`: what `before` has and `after` has not goes, what `after` has gained comes. */
static void carry_place(joc_position *to, const joc_position *before, const joc_position *after, int place)
{
    pieces a = pieces_at(before, place), b = pieces_at(after, place), c = pieces_at(to, place);
    pieces plus = gained(&a, &b), minus = gained(&b, &a);
    pieces all = { must(calloc((size_t)(c.count + plus.count) + 1, sizeof(loose))), 0 };
    for (int i = 0; i < plus.count; i++) all.pieces[all.count++] = plus.pieces[i];
    for (int i = 0; i < c.count; i++) {
        int j = 0;
        while (j < minus.count && !same_loose(&minus.pieces[j], &c.pieces[i])) j++;
        if (j < minus.count) minus.pieces[j] = minus.pieces[--minus.count];
        else all.pieces[all.count++] = c.pieces[i];
    }
    if (plus.count || all.count != c.count) pieces_put(to, place, &all);
    free(a.pieces), free(b.pieces), free(c.pieces), free(plus.pieces), free(minus.pieces), free(all.pieces);
}

static void carry_keeps(joc_position *to, const joc_position *before, const joc_position *after)
{
    const game *g = to->game->g;
    for (int i = 0; i < g->keeps_shown; i++) {
        const keep *k = &g->keeps[i];
        const int count = k->of == KEEP_GAME ? 1 : k->of == KEEP_PLAYER ? g->player_count : k->of == KEEP_CELL ? g->cells + g->zone_count : 0;
        for (int x = 0; x < count; x++)
            if (joc_keep_value(before, i, x) != joc_keep_value(after, i, x)) joc_set_keep(to, i, x, joc_keep_value(after, i, x));
    }
}

/* In a round a player sees how it began, and what his own choices did to that. */
static joc_position *round_seen(const joc_position *p, const event *first, const event *last, int player)
{
    const joc_game *x = p->game;
    const game *g = x->g;
    joc_position *to = position_of_state(x, first->from);
    const uint8_t *after = NULL;
    for (const event *e = last; e && e->number >= first->number; e = e->before) {
        joc_position *a = position_of_state(x, e->from), *b = position_of_state(x, after ? after : p->v->state);
        if (event_mover(g, e) == player) {
            for (int place = 0; place < g->cells + g->zone_count; place++) carry_place(to, a, b, place);
            carry_keeps(to, a, b);
        }
        joc_position_free(a);
        joc_position_free(b);
        after = e->from;
    }
    return to;
}

/* ---- views ---------------------------------------------------------------------------------------------------------------------------- */
/* A position of the same game in which nothing is known: where a round goes on whose beginning is not. */
static joc_position *nothing_seen(const joc_position *p)
{
    joc_position *to = joc_empty(p->game);
    to->v->head[H_TURNS] = p->v->head[H_TURNS];
    return to;
}

static joc_position *seen_of(const joc_position *p, int player)
{
    const game *g = p->game->g;
    const event *first = round_first(g, p->log);
    if (first) return round_seen(p, first, p->log, player);
    if (!p->log_whole && !p->log && round_of(g, p->v->head[H_RESUME]) >= 0) return nothing_seen(p);
    return position_of_state(p->game, p->v->state);
}

joc_position *view_alone(const joc_position *p, int player)
{
    const game *g = p->game->g;
    assert(player >= 0 && player < g->player_count && p->viewer < 0);
    joc_position *to = seen_of(p, player);
    if (p->v->head[H_OUT] != to->v->head[H_OUT]) to->v->head[H_OUT] = p->v->head[H_OUT];
    mask_keeps(to, player);
    for (int place = 0; place < g->cells + g->zone_count; place++) mask_place(to, place, player);
    mask_rest(to);
    g->machine->mover(to->v, (int)p->v->head[H_MOVER]);
    to->v->head[H_RESUME] = p->v->head[H_RESUME];
    to->kind = p->kind;
    to->idle_turns = 0;
    to->settled = true;
    to->viewer = player;
    return to;
}

joc_position *joc_view(const joc_position *p, int player)
{
    position_settle(p);
    joc_position *to = view_alone(p, player);
    to->truth = joc_position_copy(p);
    return to;
}

int joc_viewer(const joc_position *p) { return p->viewer; }

/* ---- the log, told -------------------------------------------------------------------------------------------------------------------- */
static bool keeps_hidden(const game *g)
{
    for (int i = 0; i < g->keeps_shown; i++) if (g->keeps[i].seen && strcmp(g->keeps[i].seen, "everyone") != 0) return true;
    return false;
}

/* Does the player see the piece in this slot of a zone? */
static bool slot_seen(const joc_position *p, int slot, int player)
{
    const game *g = p->game->g;
    if (slot < g->cells || g->zone_of[slot] < 0) return true;
    const zone *z = &g->zones[g->zone_of[slot]];
    int level = 0;
    for (int i = z->first; i < slot; i++) level += p->v->at[i] != 0;
    int owner, kind;
    const int place = g->cells + g->zone_of[slot];
    return joc_piece(p, place, level, &owner, &kind) && piece_seen(p, place, level, owner, kind, player);
}

static bool lands_hidden(const joc_position *after, int place, int player)
{
    int owner, kind;
    if (place >= after->game->g->cells) return true;
    return !joc_piece(after, place, 0, &owner, &kind) || !piece_seen(after, place, 0, owner, kind, player);
}

/* Tokens that name what the player does not see name the unknown kind. */
static void tokens_blank(token *t, size_t n, const joc_position *from, const joc_position *after, int player)
{
    const game *g = from->game->g;
    const int unknown = 1 + g->kind_count;          /* neutral, of the kind that is none */
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind == TOKEN_PLACE && t[i].value >= g->cells && t[i].second && !slot_seen(from, t[i].value, player)) t[i].second = unknown;
        if (t[i].kind == TOKEN_DROP && lands_hidden(after, t[i].value, player)) t[i].second = g->kind_count;
    }
}

/* Without regard to what else could have been chosen: with the rule in which something was chosen first, unless a piece walks or comes in. */
static char *plain_phrase(const phrase *p)
{
    const char *called = NULL;
    bool walks = false;
    bool chosen = false;
    for (size_t i = 0; i < p->count; i++) {
        if (p->words[i].kind == WORD_RULE && !chosen) called = p->words[i].text;
        else chosen = true;
        walks |= p->words[i].kind == WORD_TO || p->words[i].kind == WORD_DROP;
    }
    char *words = phrase_text(p, true, NULL);
    if (!called || walks) return words;
    const bool stop = strcmp(words, "stop") == 0;
    char *out = must(malloc(strlen(called) + strlen(words) + 2));
    sprintf(out, "%s%s%s", called, stop ? "" : " ", stop ? "" : words);
    free(words);
    return out;
}

/* How an event reads; `from` and `after` stand where it was decided and where it led. */
static char *event_read(const event *e, joc_position *from, const joc_position *after, int player)
{
    enum { TOKENS = 4096 };
    const game *g = from->game->g;
    static const size_t size = TOKENS * sizeof(token);
    token *t = must(malloc(size));
    const size_t n = g->machine->trace(from->v, e->from, &e->choice, e->path, t, TOKENS);
    const bool own = player < 0 || (!e->chance && event_mover(g, e) == player);
    if (!own) tokens_blank(t, n, from, after, player);
    phrase p = { 0 };
    phrase_make(&p, from->v, t, n);
    if (!own && !e->chance && keeps_hidden(g))
        for (size_t i = 0; i < p.count; i++) if (p.words[i].kind == WORD_PICK || p.words[i].kind == WORD_KIND) p.words[i].text = "?";
    char *out = plain_phrase(&p);
    phrase_free(&p);
    free(t);
    return out;
}

/* Was it chosen in a round of `by everyone`? */
static bool chosen_at_once(const game *g, const event *e)
{
    if (round_of(g, e->resumed) >= 0) return true;
    for (int i = 0; i < g->round_count; i++) if (e->resumed == (int64_t)g->rounds[i].end && round_of(g, head_of(g, e->from, H_RESUME)) == i) return true;
    return false;
}

char *event_text(const event *e, joc_position *from, const joc_position *after, int player)
{
    const game *g = from->game->g;
    if (!e->told) return must(strdup("?"));
    if (player >= 0 && event_mover(g, e) != player && chosen_at_once(g, e)) return must(strdup("chosen"));
    return event_read(e, from, after, player);
}

/* While a round goes on, what others chose in it is not even counted. */
static bool event_shown(const event *e, const event *hidden_from, int hidden_to, const game *g)
{
    return !hidden_from || e->number < hidden_from->number || event_mover(g, e) == hidden_to;
}

size_t joc_log_count(const joc_position *p)
{
    const joc_position *t = p->viewer >= 0 ? p->truth : p;
    const event *first = p->viewer >= 0 ? round_first(p->game->g, t->log) : NULL;
    size_t n = 0;
    for (const event *e = t->log; e; e = e->before) n += event_shown(e, first, p->viewer, p->game->g);
    return n;
}

const event *log_event(const joc_position *p, size_t i, const uint8_t **next)
{
    const joc_position *t = p->viewer >= 0 ? p->truth : p;
    const event *first = p->viewer >= 0 ? round_first(p->game->g, t->log) : NULL;
    size_t n = joc_log_count(p);
    position_settle(t);
    *next = t->v->state;
    for (const event *e = t->log; e; *next = e->from, e = e->before)
        if (event_shown(e, first, p->viewer, p->game->g) && --n == i) return e;
    return NULL;
}

joc_event joc_log_at(const joc_position *p, size_t i)
{
    const uint8_t *next;
    const event *e = log_event(p, i, &next);
    assert(e);
    joc_position *from = position_of_state(p->game, e->from), *after = position_of_state(p->game, next);
    joc_event out = { e->chance ? -1 : event_mover(p->game->g, e), event_text(e, from, after, p->viewer) };
    joc_position_free(from);
    joc_position_free(after);
    return out;
}
