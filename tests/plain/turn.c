/* The turn as a whole: filters, ends, repetition, scores. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

void begin_turn(plain_game *g, sit *s, const state *st, const past *hist) {
    *s = (sit){ .st = state_copy(g, st), .hist = hist, .me = st->mover, .here = NONE, .start = NONE, .it = NONE };
    state_tidy(g, s->st);
}

static sit plain_eyes(const sit *s, int me) {
    sit t = *s;
    t.me = me;
    t.locals = NULL;
    t.in_piece = false;
    t.it = NONE;
    return t;
}

/* Does the file forbid what stands here? */
bool filtered(plain_game *g, const sit *s) {
    sit t = plain_eyes(s, s->me);
    for (int i = 0; i < g->end_count; i++)
        if (!strcmp(g->ends[i].word, "illegal") && truth(g, &t, g->ends[i].c)) return true;
    return false;
}

static int alive(const plain_game *g, const state *st, int *last) {
    int n = 0;
    for (int p = 0; p < g->player_count; p++)
        if (!(st->out >> p & 1)) n++, *last = p;
    return n;
}

static void scores(plain_game *g, state *st, const sit *s) {
    if (!g->score || st->scored) return;
    sit t = plain_eyes(s, 0);
    t.st = state_copy(g, st);
    for (int p = 0; p < g->player_count; p++) {
        t.me = p;
        st->score[p] = eval_number(g, &t, g->score);
    }
    st->scored = true;
}

/* The highest score wins; equal scores share. */
static void finish_scored(plain_game *g, state *st) {
    int best = NONE, sharing = 0;
    if (!g->score) {
        st->over = DRAWN;
        return;
    }
    for (int p = 0; p < g->player_count; p++) {
        if (st->out >> p & 1) continue;
        if (best == NONE || st->score[p] > st->score[best]) best = p, sharing = 1;
        else if (st->score[p] == st->score[best]) sharing++;
    }
    st->over = sharing == 1 ? WON : DRAWN;
    if (sharing == 1) st->winner = best;
}

void finish(plain_game *g, state *st, const sit *s, const char *word, int who) {
    int last = NONE;
    if (!strcmp(word, "end")) {
        scores(g, st, s);
        finish_scored(g, st);
        return;
    }
    if (!strcmp(word, "draw")) st->over = DRAWN;
    else if (!strcmp(word, "win")) st->over = WON, st->winner = who;
    else {
        st->out |= 1u << who;
        if (alive(g, st, &last) > 1) return;
        if (g->player_count <= 2) st->out &= ~(1u << who);      /* with two, losing is the other's win and nobody goes out */
        st->over = last == NONE ? DRAWN : WON;                  /* who loses alone leaves no winner */
        if (last != NONE) st->winner = last;
    }
    scores(g, st, s);
}

static void pass_on(plain_game *g, state *st, bool again) {
    int me = st->mover;
    if (st->next == NONE || (st->out >> st->next & 1)) st->next = again && !(st->out >> me & 1) ? me : player_after(g, st, me);
    st->extra = again && st->next == me;
}

static void hand_over(state *st) {
    st->mover = st->next;
    st->next = NONE;
}

/* `win`, `lose`, `draw`, `end` in a run: nothing else of the turn happens, and no filter is asked. */
void at_once(plain_game *g, sit s) {
    pass_on(g, s.st, s.again);
    s.st->turns++;
    s.st->passes = s.did_pass ? s.st->passes + 1 : 0;
    hand_over(s.st);
    s.between = s.at_once = true;
    collect(g, O_TURN, s, NULL);
}

static void ends(plain_game *g, sit *s, int me) {
    for (int i = 0; i < g->end_count && !s->st->over; i++) {
        const end *e = &g->ends[i];
        if (!strcmp(e->word, "illegal")) continue;
        if (g->play_on && (!strcmp(e->word, "draw") || !strcmp(e->word, "end"))) continue;
        sit t = plain_eyes(s, me);
        if (!truth(g, &t, e->c)) continue;
        bool is = true;
        int who = e->player ? eval_player(g, &t, e->player, &is) : me;
        if (!is || who == NOBODY) fail(g, e->c, "a player is wanted after `%s`", e->word);
        finish(g, s->st, s, e->word, who);
    }
}

void turn_done(plain_game *g, sit s) {
    int me = s.st->mover, last = NONE;
    s.me = me;
    s.locals = NULL;
    s.in_piece = false;
    s.st = state_copy(g, s.st);
    state *st = s.st;
    st->passes = s.did_pass ? st->passes + 1 : 0;
    bool extra = st->extra;
    pass_on(g, st, s.again);
    bool more = st->extra;
    st->extra = extra;                          /* while the ends are asked, `extra` is still that of this turn */
    st->turns++;
    if (filtered(g, &s)) return;
    if (g->player_count > 1 && alive(g, st, &last) == 1 && !st->over) {
        st->over = WON, st->winner = last;
        scores(g, st, &s);
    }
    if (!st->over) ends(g, &s, me);
    if (st->out >> st->next & 1) st->next = player_after(g, st, st->next);
    st->extra = more && st->next == me;
    hand_over(st);
    s.between = true;
    collect(g, O_TURN, s, NULL);
}

/* ---- repetition ------------------------------------------------------------------------------------------------------------------------- */
static bool same_contents(plain_game *g, const state *a, const state *b, const set *only) {
    for (int c = 0; c < g->cell_count; c++) {
        if (!set_has(only, c)) continue;
        text x = { 0 }, y = { 0 };
        contents(g, a, c, &x);
        contents(g, b, c, &y);
        bool same = x.n == y.n && (!x.n || !strcmp(x.s, y.s));
        free(x.s);
        free(y.s);
        if (!same) return false;
    }
    return true;
}

/* How often this position (or what stands on `only`) has stood before; *since: how many turns ago it last did. */
int repeats_of(plain_game *g, const sit *s, const set *only, int *since) {
    int n = 0, ago = 0;
    text key = { 0 };
    uint64_t hash = 0;
    *since = 0;
    if (!only) {
        identity(g, s->st, s->between ? s->st->mover : s->st->next != NONE ? s->st->next : player_after(g, s->st, s->st->mover), &key);
        hash = hash_text(key.s);
    }
    for (const past *p = s->hist; p; p = p->before) {
        ago++;
        if (only ? !same_contents(g, p->st, s->st, only) : p->hash != hash || strcmp(p->key, key.s) != 0) continue;
        n++;
        if (!*since) *since = ago;
    }
    free(key.s);
    return n;
}

/* This position stood before, and since then C held after every turn of the player's, as he sees it. */
bool always(plain_game *g, const sit *s, const node *c) {
    int me = s->me, since, ago = 0, asked = 0;
    bool is = false;
    if (c->kind == NODE_E_OF) {
        int who = eval_player(g, s, c->kids[1], &is);
        if (is && who != NOBODY) me = who, c = c->kids[0];
    }
    if (!repeats_of(g, s, NULL, &since)) return false;
    sit t = plain_eyes(s, me);
    if (!s->between && s->st->mover == me) {
        asked++;
        if (!truth(g, &t, c)) return false;
    }
    for (const past *p = s->hist; p && ++ago < since; p = p->before) {
        if (p->made_by != me) continue;
        sit u = { .st = p->st, .hist = p->before, .me = me, .here = NONE, .start = NONE, .it = NONE, .between = true };
        asked++;
        if (!truth(g, &u, c)) return false;
    }
    return asked > 0;
}
