/* The tests written in rule files: positions built, moves asked and played, expectations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cover.h"

typedef struct {
    const joc_rules *rules;
    joc_setting settings[256];
    size_t setting_count;
    joc_game *game;             /* under the settings */
    bool own_game;
    joc_position *p;
    void (*report)(void *, const char *, unsigned, unsigned, const char *, const char *);
    void *with;
    joc_messages *messages;
    joc_test_count count;
    const char *title;
    joc_coverage *covered;      /* NULL: nobody asks */
    uint8_t *marks;             /* of the game at hand */
    bool lost;                  /* a move could not be played: what follows would be asked of another position */
} runner;

/* Another game: what the last one's marks say is kept. */
static void game_taken(runner *r, joc_game *g, bool own)
{
    if (r->marks) coverage_add(r->covered, r->game->g, r->marks);
    free(r->marks);
    r->marks = NULL;
    if (r->own_game) joc_game_free(r->game);
    r->game = g;
    r->own_game = own;
    if (r->covered && g) r->marks = calloc((size_t)g->g->cover_count + 1, 1);
    if (r->covered && g && !r->marks) abort();
}

/* The move is one that a test names. */
static void named(const runner *r, joc_moves *m, size_t i)
{
    enum { TOKENS = 4096 };
    if (!r->marks) return;
    token *t = malloc(TOKENS * sizeof *t);
    if (!t) abort();
    moves_machine(m);
    m->v->marks = r->marks;
    r->game->g->machine->trace(m->v, m->from, &m->leaves[i], m->paths + m->leaves[i].path, t, TOKENS);
    m->v->marks = NULL;
    free(t);
}

static void fail(runner *r, const check *c, const char *text)
{
    r->count.failed++;
    if (r->report) r->report(r->with, c->path, c->line, c->column, r->title, text);
}

static void fail_list(runner *r, const check *c, const char *before, const joc_moves *m)
{
    char text[600];
    int n = snprintf(text, sizeof text, "%s; moves:", before);
    for (size_t i = 0; i < joc_moves_count(m) && n < 500; i++) n += snprintf(text + n, sizeof text - (size_t)n, "%s %s", i ? "," : "", joc_move_text(joc_moves_at(m, i)));
    if (!joc_moves_count(m)) snprintf(text + n, sizeof text - (size_t)n, " none");
    fail(r, c, text);
}

static void new_position(runner *r, joc_position *p)
{
    joc_position_free(r->p);
    r->p = p;
    r->lost = false;
    if (p) p->v->marks = r->marks;
}

/* Without `turn P { }` a test begins at the start of the game. Chance that has one outcome only needs no word. */
static void want_position(runner *r)
{
    if (!r->p) new_position(r, joc_start(r->game, 1));
    for (int i = 0; i < 100 && joc_state_of(r->p) == JOC_CHANCE; i++) {
        joc_moves *m = joc_moves_of(r->p);
        const bool only = joc_moves_count(m) == 1;
        if (only) joc_play(r->p, joc_moves_at(m, 0));
        joc_moves_free(m);
        if (!only) return;
    }
}

static void build(runner *r, const check *c)
{
    const game *g = r->game->g;
    joc_position *p = joc_empty(r->game);
    g->machine->mover(p->v, c->player);
    p->v->head[H_TURNS] = g->player_count;
    p->v->head[H_ACTOR] = c->player;
    g->machine->run(p->v, c->pc);
    g->machine->mover(p->v, c->player);
    p->v->head[H_RANK] = 0;
    g->machine->begin(p->v);
    p->settled = false;
    new_position(r, p);
    if (p->v->fault) { fail(r, c, p->v->fault); vm_reset(p->v); }
}

/* Is the label of the condition that forbids the move the one that was said? */
static void forbidden_by(runner *r, const check *c, const char *label)
{
    if (label && strcmp(label, c->value) == 0) return;
    char *text = label ? sentence("'%s' is forbidden by %s, not by %s", c->text, label, c->value) : sentence("'%s' is not forbidden by %s", c->text, c->value);
    fail(r, c, text);
    free(text);
}

static void legal(runner *r, const check *c)
{
    want_position(r);
    joc_moves *m = joc_moves_of(r->p);
    size_t best;
    const bool decision = joc_state_of(r->p) == JOC_DECISION, fits = decision && moves_fit(m, c->text, &best) > 0;
    if (fits != (c->kind == CHECK_LEGAL)) {
        char text[200];
        snprintf(text, sizeof text, fits ? "'%s' is legal" : "'%s' is not legal", c->text);
        fail_list(r, c, text, m);
    } else if (fits) named(r, m, best);
    else if (decision && c->value) forbidden_by(r, c, moves_forbidden_by(m, c->text));
    joc_moves_free(m);
}

static bool play_one(runner *r, const check *c, const char *text)
{
    char why[200];
    want_position(r);
    if (joc_state_of(r->p) == JOC_CHANCE) {
        joc_moves *m = joc_moves_of(r->p);
        size_t best, n = moves_fit(m, text, &best);
        if (n == 1) joc_play(r->p, joc_moves_at(m, best));
        else fail_list(r, c, "chance decides here: the test does not say what comes", m);
        joc_moves_free(m);
        return n == 1;
    }
    joc_moves *m = joc_moves_of(r->p);
    size_t best, n = joc_state_of(r->p) == JOC_DECISION ? moves_fit(m, text, &best) : 0;
    if (n == 1) { named(r, m, best); joc_play(r->p, joc_moves_at(m, best)); }
    else {
        snprintf(why, sizeof why, n ? "'%s' fits %zu moves" : "'%s' is not legal", text, n);
        fail_list(r, c, why, m);
    }
    joc_moves_free(m);
    return n == 1;
}

static void after(runner *r, const check *c)
{
    char *copy = strdup(c->text), *rest = copy;
    if (!copy) abort();
    while (rest) {
        char *next = strstr(rest, "; ");
        if (next) { *next = '\0'; next += 2; }
        if (!play_one(r, c, rest)) { r->lost = true; break; }
        rest = next;
    }
    free(copy);
}

/* How many moves there are now. */
static int64_t moves_now(const runner *r)
{
    if (joc_state_of(r->p) != JOC_DECISION) return 0;
    joc_moves *m = joc_moves_of(r->p);
    const int64_t n = (int64_t)joc_moves_count(m);
    joc_moves_free(m);
    return n;
}

/* Asked on a copy: inside a turn the registers hold what its rules have named. */
static void expect(runner *r, const check *c)
{
    const game *g = r->game->g;
    want_position(r);
    const int64_t moves = moves_now(r);
    const joc_state s = joc_state_of(r->p);
    joc_position *asked = joc_position_copy(r->p);
    vm *v = asked->v;
    v->num[g->test_moves] = moves;
    g->machine->run(v, c->pc);
    const char *fault = v->fault;
    const bool so = v->num[c->result] != 0;
    joc_position_free(asked);
    if (fault) { fail(r, c, fault); return; }
    if (so) return;
    char text[400];
    if (s == JOC_DECISION) snprintf(text, sizeof text, moves == 1 ? "not so: %s (there is %lld move)" : "not so: %s (there are %lld moves)", c->text, (long long)moves);
    else snprintf(text, sizeof text, "not so: %s", c->text);
    fail(r, c, text);
}

static void perft(runner *r, const check *c)
{
    want_position(r);
    const uint64_t n = joc_perft(r->p, (int)c->number, (joc_perft_how){ 0 }, NULL);
    char text[200];
    if (joc_fault(r->p)) fail(r, c, joc_fault(r->p));
    else if (n != (uint64_t)c->wanted) {
        snprintf(text, sizeof text, "perft %lld is %llu, not %lld", (long long)c->number, (unsigned long long)n, (long long)c->wanted);
        fail(r, c, text);
    }
}

/* Does a condition hold at a position? Asked on a copy, as the player to move sees it. */
static bool holds(const joc_position *p, const check *c, int64_t moves)
{
    const game *g = p->game->g;
    joc_position *asked = joc_position_copy(p);
    asked->v->num[g->test_moves] = moves;
    g->machine->run(asked->v, c->pc);
    const bool so = !asked->v->fault && asked->v->num[c->result] != 0;
    joc_position_free(asked);
    return so;
}

/* A random game from here. False, with the moves to where it does not hold, if the condition does not hold throughout. */
static bool game_holds(const runner *r, const check *c, uint64_t seed, char *played, size_t room)
{
    enum { CAP = 300 };
    joc_position *p = joc_position_copy(r->p);
    joc_random random = joc_random_seed(seed);
    bool so = true;
    size_t n = 0;
    played[0] = '\0';
    for (int i = 0; i < CAP && so; i++) {
        const joc_state s = joc_state_of(p);
        joc_moves *m = s == JOC_DECISION || s == JOC_CHANCE ? joc_moves_of(p) : NULL;
        if (s != JOC_CHANCE) so = holds(p, c, s == JOC_DECISION ? (int64_t)joc_moves_count(m) : 0);
        if (so && m && joc_moves_count(m)) {
            const joc_move *x = joc_moves_at(m, (size_t)joc_random_below(&random, joc_moves_count(m)));
            if (n < room) n += (size_t)snprintf(played + n, room - n, "%s%s", n ? "; " : "", joc_move_text(x));
            joc_play(p, x);
        } else i = CAP;
        joc_moves_free(m);
    }
    joc_position_free(p);
    return so;
}

static void throughout(runner *r, const check *c)
{
    char played[1500], text[2000];
    want_position(r);
    for (int64_t i = 0; i < c->number && i < 1000; i++) {
        if (game_holds(r, c, (uint64_t)i + 1, played, sizeof played)) continue;
        snprintf(text, sizeof text, "not so: %s, after: %s", c->text, *played ? played : "nothing");
        fail(r, c, text);
        return;
    }
}

static void set_option(runner *r, const check *c)
{
    new_position(r, NULL);
    if (r->setting_count < sizeof r->settings / sizeof *r->settings) r->settings[r->setting_count++] = (joc_setting){ c->text, c->value };
}

/* Options that do not go together fail the test once. */
static void refused(runner *r, const check *c, const joc_messages *m)
{
    char text[400];
    size_t i = 0;
    while (i + 1 < joc_messages_count(m) && joc_messages_at(m, i).severity != 'E') i++;
    snprintf(text, sizeof text, "these options cannot be had: %s", joc_messages_count(m) ? joc_messages_at(m, i).text : "");
    fail(r, c, text);
}

static bool recompile(runner *r, const check *c)
{
    joc_messages *m = joc_messages_new();
    joc_game *g = game_compile(r->rules, r->settings, r->setting_count, 0, r->covered != NULL, m);
    if (g) game_taken(r, g, true);
    else refused(r, c, m);
    joc_messages_free(m);
    return g != NULL;
}

joc_test_count joc_test_covered(const joc_rules *rules, void (*report)(void *, const char *, unsigned, unsigned, const char *, const char *), void *with, joc_messages *m, joc_coverage **covered)
{
    runner r = { .rules = rules, .report = report, .with = with, .messages = m };
    if (covered) *covered = NULL;
    joc_game *base = game_compile(rules, NULL, 0, 0, covered != NULL, m);
    if (!base) return r.count;
    if (covered) *covered = r.covered = coverage_new();
    for (int t = 0; t < base->g->test_count; t++) {
        game_taken(&r, base, false);
        r.setting_count = 0;
        r.count.tests++;
        r.title = base->g->tests[t].title;
        const int first = base->g->tests[t].check_first, count = base->g->tests[t].check_count;
        bool stale = false;
        for (int i = 0; i < count; i++) {
            check c = base->g->checks[first + i];
            if (c.kind == CHECK_OPTION) {
                set_option(&r, &c);
                stale = true;
                continue;
            }
            if (stale && !recompile(&r, &c)) break;
            stale = false;
            c = r.game->g->checks[first + i];
            r.count.checks++;
            if (r.lost && c.kind != CHECK_AT) continue;
            if (c.broken) { fail(&r, &c, "this cannot be understood under the options set here"); continue; }
            switch (c.kind) {
            case CHECK_AT: r.count.checks--; build(&r, &c); break;
            case CHECK_LEGAL: case CHECK_ILLEGAL: legal(&r, &c); break;
            case CHECK_AFTER: after(&r, &c); break;
            case CHECK_EXPECT: expect(&r, &c); break;
            case CHECK_PERFT: perft(&r, &c); break;
            case CHECK_THROUGHOUT: throughout(&r, &c); break;
            case CHECK_OPTION: break;
            }
        }
        new_position(&r, NULL);
    }
    game_taken(&r, NULL, false);
    if (covered) coverage_finish(r.covered);
    joc_game_free(base);
    return r.count;
}

joc_test_count joc_test(const joc_rules *rules, void (*report)(void *, const char *, unsigned, unsigned, const char *, const char *), void *with, joc_messages *m)
{
    return joc_test_covered(rules, report, with, m, NULL);
}
