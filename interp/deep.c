/* Looking deeper: what only playing shows of rules that are right to read (`joc check --deep`).
 *
 * Two searches share a budget of positions. The first goes through all games move by move, a ply deeper each time, so that the first dead end
 * it meets is a shortest one. The second plays at random to the end. Both note which rules made a legal move and which ends came; what
 * neither saw is told as a note, for it may be rare. Faults are told with the game that shows them:
 *
 *   dead end      a decision that nobody can make, and no `else`
 *   runaway       a decision that costs more than the machine gives one
 *   endless       random games that do not end */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "inside.h"

enum { GAME_CAP = 2000, DEPTH_MOST = 12, TOKENS_MAX = 4096, SEEN_SIZE = 1 << 16, MOVES_SHOWN = 40 };

typedef struct { char *moves[MOVES_SHOWN + 1]; size_t count; } game_line;

typedef struct {
    const joc_game *game;
    joc_deep *out;
    joc_messages *messages;
    uint64_t budget;                    /* positions left */
    double until;                       /* processor time */
    const volatile bool *stop;
    bool *origin_done;                  /* by origin */
    bool *end_came;                     /* by end */
    uint64_t *seen;                     /* hashes of this round of the first search */
    game_line line;                     /* the game at hand */
    char *fault;
    passage guard;                      /* what alone stands against a move at the dead end; empty if it is not one thing */
    bool forbids;                       /* ... and holds, though it should not */
    token *tokens;
} deep;

static void *must(void *p) { if (!p) abort(); return p; }

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool spent_all(deep *d)
{
    if (d->budget == 0 || (d->stop && *d->stop)) return true;
    return (d->budget & 7) == 0 && now() > d->until;
}

/* ---- the game at hand ------------------------------------------------------------------------------------------------------------------ */
static void line_add(game_line *g, const char *move)
{
    if (g->count < MOVES_SHOWN) g->moves[g->count] = must(strdup(move));
    g->count++;
}

static void line_drop(game_line *g)
{
    if (!g->count) return;
    g->count--;
    if (g->count < MOVES_SHOWN) free(g->moves[g->count]);
}

/* malloc'd; "" for the very beginning. */
static char *line_text(const game_line *g)
{
    char *out = must(strdup(""));
    for (size_t i = 0; i < g->count && i <= MOVES_SHOWN; i++) {
        const char *move = i < MOVES_SHOWN ? g->moves[i] : "...";
        char *next = must(malloc(strlen(out) + strlen(move) + 3));
        sprintf(next, "%s%s%s", out, i ? "; " : "", move);
        free(out);
        out = next;
    }
    return out;
}

/* ---- what was seen ------------------------------------------------------------------------------------------------------------------------ */
static void note_rules(deep *d, joc_moves *list, size_t i)
{
    const game *g = d->game->g;
    const leaf *l = &list->leaves[i];
    moves_machine(list);
    const size_t n = g->machine->trace(list->v, list->from, l, list->paths + l->path, d->tokens, TOKENS_MAX);
    for (size_t k = 0; k < n; k++) {
        const token *t = &d->tokens[k];
        if (t->kind == TOKEN_RULE || t->kind == TOKEN_TOOK || t->kind == TOKEN_PASSED) continue;
        const origin *o = origin_find(g, t->pc, false);
        if (o) d->origin_done[o - g->origins] = true;
    }
}

static void note_end(deep *d, const joc_position *p)
{
    const int64_t reason = p->v->head[H_REASON];
    if (reason > 0 && reason <= d->game->g->end_count) d->end_came[reason - 1] = true;
}

/* A condition but for which somebody could move. */
static void find_guard(deep *d, const joc_position *p)
{
    const game *g = d->game->g;
    watch x = { .most = 1 };
    joc_moves *none = joc_moves_of(p), *all = moves_watched(none, &x);
    d->guard = (passage){ 0 };
    for (size_t i = 0; i < all->count; i++) {
        const leaf *l = &all->leaves[i];
        if (l->broken != 1) continue;
        moves_machine(all);
        x.count = 0;
        all->v->watch = &x;
        g->machine->trace(all->v, all->from, l, all->paths + l->path, d->tokens, TOKENS_MAX);
        all->v->watch = NULL;
        const origin *o = x.count && x.log[0].kind == BREACH_CONDITION ? origin_find(g, x.log[0].pc, false) : NULL;
        if (!o || o->what.to <= o->what.from) continue;
        d->guard = o->what;
        d->forbids = !x.log[0].wanted;
        break;
    }
    joc_moves_free(all);
    joc_moves_free(none);
}

/* At `p`. */
static void found(deep *d, const joc_position *p, bool runaway, const char *fault)
{
    if (d->out->game && strlen(d->out->game) && d->out->length <= d->line.count) return;
    free(d->out->game);
    free(d->fault);
    d->out->game = line_text(&d->line);
    d->out->length = d->line.count;
    d->out->runaway = runaway;
    d->fault = runaway ? must(strdup(fault)) : NULL;
    if (!runaway) find_guard(d, p);
}

/* Is the game over here, one way or another? */
static bool over(deep *d, const joc_position *p)
{
    const joc_state s = joc_state_of(p);
    if (joc_fault(p)) { found(d, p, true, joc_fault(p)); return true; }
    if (s == JOC_OVER) { note_end(d, p); return true; }
    if (s == JOC_STUCK) { d->out->stuck++; found(d, p, false, NULL); return true; }
    return false;
}

/* ---- all games, a ply deeper each time ---------------------------------------------------------------------------------------------------- */
static bool seen_before(deep *d, uint64_t hash, int depth)
{
    const uint64_t key = hash * 31 + (uint64_t)depth + 1;
    uint64_t *slot = &d->seen[key % SEEN_SIZE];
    if (*slot == key) return true;
    *slot = key;
    return false;
}

static void go_deeper(deep *d, const joc_position *p, int depth)
{
    if (over(d, p) || depth == 0 || d->out->game || spent_all(d) || seen_before(d, joc_position_hash(p), depth)) return;
    joc_moves *list = joc_moves_of(p);
    d->budget--;
    d->out->positions++;
    for (size_t i = 0; i < joc_moves_count(list) && !d->out->game && !spent_all(d); i++) {
        note_rules(d, list, i);
        joc_position *q = joc_position_copy(p);
        joc_play(q, joc_moves_at(list, i));
        line_add(&d->line, joc_move_text(joc_moves_at(list, i)));
        go_deeper(d, q, depth - 1);
        line_drop(&d->line);
        joc_position_free(q);
    }
    joc_moves_free(list);
}

static void all_games(deep *d, uint64_t share)
{
    const uint64_t kept = d->budget - share;
    d->budget = share;
    joc_position *p = joc_start(d->game, 1);
    for (int depth = 1; depth <= DEPTH_MOST && !d->out->game && !spent_all(d); depth++) {
        memset(d->seen, 0, SEEN_SIZE * sizeof *d->seen);
        go_deeper(d, p, depth);
        if (!d->out->game) d->out->depth = spent_all(d) ? depth - 1 : depth;
    }
    joc_position_free(p);
    d->budget += kept;
}

/* ---- random games -------------------------------------------------------------------------------------------------------------------------------- */
static size_t drawn(const joc_moves *list, bool chance, joc_random *random)
{
    if (!chance) return (size_t)joc_random_below(random, joc_moves_count(list));
    uint64_t x = joc_random_below(random, joc_moves_weight(list));
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        const uint64_t w = joc_move_weight(joc_moves_at(list, i));
        if (x < w) return i;
        x -= w;
    }
    return 0;
}

static void random_game(deep *d, uint64_t seed)
{
    joc_position *p = joc_start(d->game, seed);
    joc_random random = joc_random_seed(seed);
    int n = 0;
    d->budget--;
    for (; n < GAME_CAP && !over(d, p) && !spent_all(d); n++) {
        joc_moves *list = joc_moves_of(p);
        d->budget -= d->budget > 0;
        d->out->positions++;
        if (!joc_moves_count(list)) { over(d, p); joc_moves_free(list); break; }
        const size_t i = drawn(list, joc_state_of(p) == JOC_CHANCE, &random);
        note_rules(d, list, i);
        line_add(&d->line, d->line.count < MOVES_SHOWN ? joc_move_text(joc_moves_at(list, i)) : "");
        joc_play(p, joc_moves_at(list, i));
        joc_moves_free(list);
    }
    if (n == GAME_CAP) d->out->unfinished++;
    if (n == GAME_CAP || joc_state_of(p) == JOC_OVER || joc_state_of(p) == JOC_STUCK) d->out->games++;
    while (d->line.count) line_drop(&d->line);
    joc_position_free(p);
}

/* ---- what is told -------------------------------------------------------------------------------------------------------------------------------- */
static void tell(deep *d, const char *code, passage at, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void tell(deep *d, const char *code, passage at, const char *format, ...)
{
    const game *g = d->game->g;
    char words[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    if ((int)at.source >= g->source_count) return;
    const source_info *s = &g->sources[at.source];
    joc_messages_add(d->messages, code, s->path, s->text, s->length, at.from, at.to, words);
}

/* The line of the file the game comes from; all of it but the blanks before. */
static passage line_of(const game *g, const char *path, unsigned line)
{
    for (int i = 0; i < g->source_count; i++) {
        const source_info *s = &g->sources[i];
        if (strcmp(s->path, path) != 0) continue;
        size_t at = 0;
        for (unsigned n = 1; n < line && at < s->length; at++) n += s->text[at] == '\n';
        while (at < s->length && s->text[at] == ' ') at++;
        size_t to = at;
        while (to < s->length && s->text[to] != '\n') to++;
        return (passage){ (uint32_t)i, (uint32_t)at, (uint32_t)to };
    }
    return (passage){ 0 };
}

static bool same_rule(const origin *a, const origin *b) { return a->rule == b->rule && a->rule_at.from == b->rule_at.from && a->rule_at.source == b->rule_at.source; }

static bool chooses_something(const game *g, const origin *o)
{
    const int op = g->code[o->pc].op;
    return o->kind != ORIGIN_PART && o->pc >= g->turn_pc && o->pc < g->finish_pc && (op == OP_STEP || op == OP_DROP || op == OP_DROP_FROM || (op == OP_PICK && o->kind != ORIGIN_CALL));
}

/* A rule none of whose legs, drops and picks was ever part of a legal move. */
static void tell_rules(deep *d)
{
    const game *g = d->game->g;
    for (int i = 0; i < g->origin_count; i++) {
        const origin *o = &g->origins[i];
        if (o->rule < 0 || !chooses_something(g, o)) continue;
        bool first = true, done = false;
        for (int j = 0; j < g->origin_count; j++) {
            if (!same_rule(&g->origins[j], o) || !chooses_something(g, &g->origins[j])) continue;
            first &= j >= i;
            done |= d->origin_done[j];
        }
        if (!first || done) continue;
        passage at = o->rule_at;
        at.to = at.from + (uint32_t)strlen(g->names[o->rule]);
        tell(d, "N0432", at, "rule '%s' was never part of a move, in %llu positions", g->names[o->rule], (unsigned long long)d->out->positions);
    }
}

static void tell_ends(deep *d)
{
    const game *g = d->game->g;
    for (int i = 0; i < g->end_count && d->out->games > 0; i++)
        if (!d->end_came[i]) tell(d, "N0433", line_of(g, g->ends[i].path, g->ends[i].line), "this end never came, in %llu games", (unsigned long long)d->out->games);
}

static passage turn_at(const game *g)
{
    for (int i = 0; i < g->origin_count; i++) if (g->origins[i].pc >= g->turn_pc && g->origins[i].pc < g->finish_pc) return g->origins[i].at;
    return (passage){ 0, 0, 1 };
}

static void tell_all(deep *d)
{
    const joc_deep *o = d->out;
    const char *where = o->game && *o->game ? o->game : "at the very beginning";
    if (o->game && o->runaway) tell(d, "W0431", turn_at(d->game->g), "a decision that the machine gives up: %s; the shortest game found: %s", d->fault, where);
    else if (o->game && d->guard.to) tell(d, "W0430", d->guard, "a dead end: this %s, nobody can move, and no `else` says what then; the shortest game found: %s", d->forbids ? "holds" : "does not hold", where);
    else if (o->game) tell(d, "W0430", turn_at(d->game->g), "a dead end: nobody can move, and no `else` says what then; the shortest game found: %s", where);
    if (o->games && o->unfinished == o->games) tell(d, "W0434", turn_at(d->game->g), "none of %llu random games ended within %d decisions%s", (unsigned long long)o->games, GAME_CAP, d->game->g->uses_history ? "" : "; no end speaks of `repeats`, so pieces may go back and forth");
    if (o->game || !o->games) return;
    tell_rules(d);
    tell_ends(d);
}

void joc_deep_free(joc_deep *o) { free(o->game); o->game = NULL; }

void joc_deep_look(const joc_game *x, uint64_t positions, double seconds, joc_messages *m, joc_deep *out, const volatile bool *stop)
{
    const game *g = x->g;
    *out = (joc_deep){ 0 };
    deep d = { .game = x, .out = out, .messages = m, .budget = positions, .stop = stop };
    d.origin_done = must(calloc((size_t)g->origin_count + 1, 1));
    d.end_came = must(calloc((size_t)g->end_count + 1, 1));
    d.seen = must(calloc(SEEN_SIZE, sizeof *d.seen));
    d.tokens = must(malloc(TOKENS_MAX * sizeof *d.tokens));
    const double begun = now();
    d.until = begun + seconds * 2 / 5;
    all_games(&d, positions * 2 / 5);
    d.until = begun + seconds;
    for (uint64_t seed = 1; !spent_all(&d) && !(out->game && !out->length); seed++) random_game(&d, seed);
    tell_all(&d);
    free(d.origin_done);
    free(d.end_came);
    free(d.seen);
    free(d.tokens);
    free(d.fault);
}
