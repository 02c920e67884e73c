/* Why a move is legal, or why not.
 *
 * The machine lists, beside the legal runs, those that break the rules in a few places (machine/watch.h); the run with the fewest breaches that
 * reads as what was typed is what the player meant, and its replay says what stood against it. Here this becomes sentences, each
 * with the rule's name, the words of the rule file and their place. Of what a player cannot see nothing is told: in a game with
 * secrets the reason is worked out in worlds dealt anew from what he has seen, and told if it is the same in all of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "phrase.h"

enum { TOKENS_MAX = 4096, TRIES_MAX = 4000, BREACHES_ALLOWED = 3 };

typedef struct { joc_reason r; char *text, *words; int *places; } reason;

struct joc_why {
    bool legal;
    char *title, *move;
    const char *verdict;        /* another than that it is legal or not; NULL: none */
    reason *reasons;
    size_t count;
    const game *g;
};

static void *must(void *p) { if (!p) abort(); return p; }

/* ---- places in the rule file ---------------------------------------------------------------------------------------------------------------- */
static bool is_passage(const game *g, passage p) { return p.to > p.from && (int)p.source < g->source_count; }

/* The words there, on one line; malloc'd, "" if there are none. */
static char *words_at(const game *g, passage p)
{
    if (!is_passage(g, p)) return must(strdup(""));
    const source_info *s = &g->sources[p.source];
    char *out = must(malloc(p.to - p.from + 1));
    size_t n = 0;
    bool comment = false;
    for (uint32_t i = p.from; i < p.to && i < s->length; i++) {
        char c = s->text[i];
        if (c == '#') comment = true;
        if (c == '\n') { comment = false; c = ' '; }
        if (comment || (c == ' ' && (n == 0 || out[n - 1] == ' '))) continue;
        out[n++] = c;
    }
    while (n && out[n - 1] == ' ') n--;
    out[n] = '\0';
    if (n > 90) strcpy(out + 87, "...");
    return out;
}

static void locate(const game *g, passage p, joc_reason *r)
{
    r->path = "";
    if (!is_passage(g, p)) return;
    const source_info *s = &g->sources[p.source];
    r->path = s->path;
    r->line = r->column = 1;
    for (uint32_t i = 0; i < p.from && i < s->length; i++) {
        if (s->text[i] == '\n') { r->line++; r->column = 1; }
        else if ((s->text[i] & 0xC0) != 0x80) r->column++;
    }
}

/* ---- reasons ------------------------------------------------------------------------------------------------------------------------------------ */
/* Takes `text`. */
static reason *reason_add(joc_why *y, const char *kind, passage at, int name, char *text)
{
    y->reasons = must(realloc(y->reasons, (y->count + 1) * sizeof *y->reasons));
    reason *x = &y->reasons[y->count++];
    *x = (reason){ .r = { .kind = kind, .rule = name >= 0 ? y->g->names[name] : "" }, .text = text, .words = words_at(y->g, at) };
    locate(y->g, at, &x->r);
    return x;
}

static void reason_places(reason *x, const game *g, const uint64_t *cells, int place)
{
    x->places = must(malloc((size_t)(g->places + 1) * sizeof *x->places));
    if (place >= 0 && place < g->cells) x->places[x->r.place_count++] = place;
    for (int i = 0; cells && i < g->cells; i++) if (cells[i / 64] >> (i % 64) & 1) x->places[x->r.place_count++] = i;
}

/* "e1, f1 and 3 more"; malloc'd, "" if there are none. */
static char *cells_text(const game *g, const uint64_t *cells)
{
    char *out = must(strdup(""));
    int n = 0, more = 0;
    for (int i = 0; i < g->cells; i++) {
        if (!(cells[i / 64] >> (i % 64) & 1)) continue;
        if (n == 6) { more++; continue; }
        char *next = sentence("%s%s%s", out, n++ ? ", " : "", g->cell[i].name);
        free(out);
        out = next;
    }
    if (!more) return out;
    char *next = sentence("%s and %d more", out, more);
    free(out);
    return next;
}

static const char *piece_name(const game *g, const uint8_t *state, int place)
{
    const uint16_t *at = (const uint16_t *)(const void *)(state + (g->at_cells - g->state_from));
    const int k = at[place] ? (at[place] - 1) % (g->kind_count + 1) : g->kind_count;
    return k < g->kind_count ? g->kinds[k].name : NULL;
}

static int piece_owner(const game *g, const uint8_t *state, int place)
{
    const uint16_t *at = (const uint16_t *)(const void *)(state + (g->at_cells - g->state_from));
    return at[place] ? (at[place] - 1) / (g->kind_count + 1) - 1 : -2;
}

static char *label_text(const game *g, int label)
{
    if (label < 0 || label >= g->name_count) return must(strdup(""));
    char *t = sentence("%s: ", g->names[label]);
    for (char *c = t; *c; c++) if (*c == '_') *c = ' ';
    return t;
}

/* What stands against a condition: ": e1 (attacked by Rook on e8)", ": it is 3"; malloc'd. */
static char *detail(const game *g, const uint8_t *state, const breach *b)
{
    char *cells = cells_text(g, b->cells), *by = must(strdup(""));
    if (b->counted) { free(cells); free(by); return sentence(": it is %lld", (long long)b->number); }
    for (int i = 0; i < g->cells; i++) {
        if (!(b->by[i / 64] >> (i % 64) & 1)) continue;
        const char *name = piece_name(g, state, i);
        char *next = sentence("%s%s%s on %s", by, *by ? ", " : "", name ? name : "the piece", g->cell[i].name);
        free(by);
        by = next;
    }
    char *out = !*cells ? must(strdup("")) : *by ? sentence(": %s, attacked by %s", cells, by) : sentence(": %s", cells);
    free(cells);
    free(by);
    return out;
}

static void say_condition(joc_why *y, const uint8_t *state, const breach *b, const origin *o)
{
    const game *g = y->g;
    const origin *part = b->part ? origin_find(g, b->part, true) : NULL;
    char *words = words_at(g, part ? part->what : o->what), *more = detail(g, state, b), *label = label_text(g, g->code[b->pc].d);
    char *text = !*words ? sentence("%sthe rule stops here", label)
               : b->wanted ? sentence("%s`%s` does not hold%s", label, words, more) : sentence("%s`%s` would hold%s", label, words, more);
    reason *x = reason_add(y, o->kind == ORIGIN_FILTER ? "filter" : "condition", part ? part->at : o->at, o->rule, text);
    reason_places(x, g, b->cells, -1);
    free(words);
    free(more);
    free(label);
}

static char *examples(joc_moves *legal)
{
    char *out = must(strdup(""));
    const size_t n = joc_moves_count(legal);
    for (size_t i = 0; i < n && i < 4; i++) {
        char *next = sentence("%s%s%s", out, i ? ", " : "", i == 3 ? "..." : joc_move_text(joc_moves_at(legal, i)));
        free(out);
        out = next;
    }
    return out;
}

static void say_breach(joc_why *y, joc_moves *legal, const breach *b)
{
    const game *g = y->g;
    const origin *o = origin_find(g, b->pc, false);
    if (!o) return;
    const char *place = b->place >= 0 ? place_text(g, b->place) : "it";
    char *words = words_at(g, o->what), *text = NULL;
    const char *kind = "fact";
    switch (b->kind) {
    case BREACH_CONDITION: say_condition(y, legal->from, b, o); break;
    case BREACH_LANDING: kind = "landing"; text = sentence("%s is not in `%s`", place, words); break;
    case BREACH_DROP: kind = "drop"; text = sentence("%s is not in `%s`", place, words); break;
    case BREACH_PICK: kind = "pick"; text = sentence("%s is not in `%s`", place, words); break;
    case BREACH_STOP: kind = "stop"; text = sentence("the walk must go on until `%s`", words); break;
    case BREACH_EMPTY: { char *over = words_at(g, o->over); kind = "empty"; text = sentence("nothing is left of `%s`", over); free(over); break; }
    case BREACH_ELSE: { char *some = examples(legal); kind = "else"; text = sentence("what stands before `else` can be done, and so it must: %s", some); free(some); break; }
    case BREACH_WAY: {
        char *over = words_at(g, o->over), *cells = cells_text(g, b->cells);
        kind = "way";
        text = *over ? sentence("on the way to %s, %s %s `over %s` asks", place, *cells ? cells : "what it passes", "is not what", over)
                     : sentence("on the way to %s, %s is not empty", place, cells);
        free(over);
        free(cells);
        break;
    }
    }
    free(words);
    if (text) reason_places(reason_add(y, kind, o->at, o->rule, text), g, b->kind == BREACH_WAY ? b->cells : NULL, b->place);
}

/* ---- the rules of a run ---------------------------------------------------------------------------------------------------------------------- */
static bool chooses(token_kind k) { return k == TOKEN_TO || k == TOKEN_TAKE_TO || k == TOKEN_DROP || k == TOKEN_PLACE || k == TOKEN_FROM; }


/* A sentence for each leg or drop of the run, the same rule once. */
static void say_rules(joc_why *y, const token *t, size_t n, bool would)
{
    const game *g = y->g;
    uint32_t last = 0;
    const char *piece = NULL;
    for (size_t i = 0; i < n; i++) {
        const origin *o = chooses(t[i].kind) ? origin_find(g, t[i].pc, false) : NULL;
        if (t[i].kind == TOKEN_FROM) piece = t[i].second ? (t[i].second - 1) % (g->kind_count + 1) < g->kind_count ? g->kinds[(t[i].second - 1) % (g->kind_count + 1)].name : NULL : NULL;
        if (!o || o->at.from == last || o->kind == ORIGIN_CALL) continue;
        last = o->at.from;
        char *words = words_at(g, o->at);
        char *text = o->rule < 0 ? sentence("`%s` in the turn %s it", words, would ? "would make" : "makes")
                   : sentence("rule '%s'%s%s %s it: `%s`", g->names[o->rule], piece ? " of " : "", piece ? piece : "", would ? "would make" : "makes", words);
        reason_add(y, "rule", o->at, o->rule, text);
        free(words);
    }
}

/* The filters over complete turns, which it passed. */
static void say_filters(joc_why *y, const leaf *l)
{
    const game *g = y->g;
    if (l->kind != LEAF_LEGAL) return;
    for (int i = 0; i < g->origin_count; i++) {
        const origin *o = &g->origins[i];
        if (o->kind != ORIGIN_FILTER || g->code[o->pc].op != OP_FAIL || o->pc < g->turn_pc || o->pc >= g->finish_pc) continue;
        bool before = false;
        for (int j = 0; j < i; j++) before |= g->origins[j].kind == ORIGIN_FILTER && g->origins[j].at.from == o->at.from && g->origins[j].at.source == o->at.source && g->origins[j].pc >= g->turn_pc && g->code[g->origins[j].pc].op == OP_FAIL;
        if (before) continue;
        char *words = words_at(g, o->what), *label = label_text(g, g->code[o->pc].d);
        reason_add(y, "passed", o->at, o->rule, sentence("passed: %s`%s` does not hold", label, words));
        free(words);
        free(label);
    }
}

/* ---- preferences ------------------------------------------------------------------------------------------------------------------------------- */
static const origin *prefer_at(const game *g, int index)
{
    const origin *first = NULL;
    for (int i = 0; i < g->origin_count; i++) {
        const ins *x = &g->code[g->origins[i].pc];
        if (x->op != OP_PREFER || g->origins[i].kind == ORIGIN_PART) continue;
        if (!first) first = &g->origins[i];
        if (x->e == index) return &g->origins[i];
    }
    return first;
}

static void say_prefer(joc_why *y, joc_moves *legal, const leaf *l)
{
    const game *g = y->g;
    const leaf *best = legal->count ? &legal->leaves[0] : NULL;
    int i = 0;
    while (best && i < l->preference_count && i < best->preference_count && l->preferences[i] == best->preferences[i]) i++;
    const origin *o = prefer_at(g, i);
    if (!o || !best) { reason_add(y, "prefer", (passage){ 0 }, -1, sentence("the rules prefer other moves")); return; }
    char *words = words_at(g, o->what), *some = examples(legal);
    char *text = i < l->preference_count && i < best->preference_count ? sentence("the rules prefer `%s`: it is %d here, and %d for %s", words, l->preferences[i], best->preferences[i], some)
                                                                        : sentence("the rules prefer `%s`: %s", words, some);
    reason_add(y, "prefer", o->at, o->rule, text);
    free(words);
    free(some);
}

/* ---- finding what was meant ----------------------------------------------------------------------------------------------------------------- */
static void want_places(const game *g, const typed *w, watch *x)
{
    for (size_t i = 0; i < w->count; i++)
        for (int p = 0; p < g->cells + g->zone_count; p++) {
            const int place = p < g->cells ? p : g->zones[p - g->cells].place;
            if (strcmp(w->words[i], place_text(g, place)) == 0) x->wanted[place / 64] |= 1ull << (place % 64);
        }
}

/* Replays run i of the list: its tokens (malloc'd), and the breaches in *x. */
static token *replay(joc_moves *all, size_t i, watch *x, size_t *n)
{
    const leaf *l = &all->leaves[i];
    token *t = must(malloc(TOKENS_MAX * sizeof *t));
    moves_machine(all);
    x->count = 0;
    all->v->watch = x;
    *n = all->game->g->machine->trace(all->v, all->from, l, all->paths + l->path, t, TOKENS_MAX);
    all->v->watch = NULL;
    return t;
}

static bool is_legal(const joc_moves *legal, const leaf *l)
{
    for (size_t i = 0; i < legal->count; i++) if (legal->leaves[i].identity == l->identity) return true;
    return false;
}

/* Among the runs with exactly so many breaches, the one that reads most as the text does; SIZE_MAX if none. */
static size_t best_run(joc_moves *all, joc_moves *legal, const typed *w, watch *x, int broken)
{
    size_t best = SIZE_MAX, least = SIZE_MAX, tries = 0;
    for (size_t i = 0; i < all->count && tries < TRIES_MAX; i++) {
        if (all->leaves[i].broken != broken || (broken == 0 && is_legal(legal, &all->leaves[i]))) continue;
        size_t n, left;
        tries++;
        token *t = replay(all, i, x, &n);
        phrase p = { 0 };
        phrase_make(&p, all->v, t, n);
        const bool fits = phrase_fits(&p, w, &left);
        /* the later it breaks the rules, the nearer it came */
        const size_t far = fits && x->count ? x->log[0].tokens : 0;
        if (fits && 1000 * left + (n - (far < n ? far : n)) < least) { least = 1000 * left + (n - (far < n ? far : n)); best = i; }
        phrase_free(&p);
        free(t);
    }
    return best;
}

static void say_run(joc_why *y, joc_moves *all, joc_moves *legal, size_t i, watch *x)
{
    size_t n;
    token *t = replay(all, i, x, &n);
    say_rules(y, t, n, true);
    for (int j = 0; j < x->count; j++) say_breach(y, legal, &x->log[j]);
    if (!all->leaves[i].broken) say_prefer(y, legal, &all->leaves[i]);
    free(t);
}

static joc_moves *watched_list(joc_moves *legal, const typed *w, bool strict, int most, watch *x)
{
    *x = (watch){ .strict = strict, .most = most };
    want_places(legal->game->g, w, x);
    return moves_watched(legal, x);
}

/* ---- what else can be said ------------------------------------------------------------------------------------------------------------------- */
static int first_cell(const game *g, const typed *w)
{
    for (size_t i = 0; i < w->count; i++) { const int c = cell_named(g, w->words[i]); if (c >= 0) return c; }
    return -1;
}

static void say_legs(joc_why *y, const typed *w, const watch *x, int from)
{
    const game *g = y->g;
    const char *to = w->count > 1 ? w->words[w->count - 1] : "there";
    for (int i = 0; i < x->tried_count && i < 6; i++) {
        const origin *o = origin_find(g, x->tried[i], false);
        char *words = words_at(g, o->at);
        reason_add(y, "leads", o->at, o->rule, sentence("`%s` does not lead from %s to %s", words, g->cell[from].name, to));
        free(words);
    }
}

/* Does the word name anything of the game? */
static bool names_something(const game *g, const char *typed_word)
{
    for (int p = 0; p < g->cells + g->zone_count; p++) if (strcmp(typed_word, place_text(g, p < g->cells ? p : g->zones[p - g->cells].place)) == 0) return true;
    for (int k = 0; k < g->kind_count; k++) if (strcmp(typed_word, g->kinds[k].name) == 0 || strcmp(typed_word, g->kinds[k].letter) == 0) return true;
    for (int i = 0; i < g->player_count; i++) if (strcmp(typed_word, g->players[i].name) == 0) return true;
    for (int i = 0; i < g->dir_count; i++) if (g->dirs[i].name && strcmp(typed_word, g->dirs[i].name) == 0) return true;
    for (int i = 0; i < g->name_count; i++) if (strcmp(typed_word, g->names[i]) == 0) return true;
    return strspn(typed_word, "0123456789") == strlen(typed_word) || strcmp(typed_word, "pass") == 0 || strcmp(typed_word, "stop") == 0;
}

static void say_unknown(joc_why *y, const typed *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (!names_something(y->g, w->words[i])) { reason_add(y, "fact", (passage){ 0 }, -1, sentence("nothing here is called '%s'", w->words[i])); return; }
}

static void say_facts(joc_why *y, joc_moves *legal, const joc_position *p, const typed *w, const char *typed_text)
{
    const game *g = y->g;
    const int from = first_cell(g, w);
    watch x;
    say_unknown(y, w);
    if (y->count) return;
    joc_moves_free(watched_list(legal, w, true, 1, &x));
    for (int i = 0; i < x.count && i < 3; i++) if (x.log[i].kind == BREACH_EMPTY) say_breach(y, legal, &x.log[i]);
    const int owner = from >= 0 ? piece_owner(g, legal->from, from) : -2;
    const char *name = from >= 0 ? piece_name(g, legal->from, from) : NULL;
    if (x.tried_count) say_legs(y, w, &x, from);
    else if (owner >= 0 && owner != joc_mover(p)) reason_add(y, "fact", (passage){ 0 }, -1, sentence("the %s on %s belongs to %s, and %s is to move", name ? name : "piece", g->cell[from].name, g->players[owner].name, g->players[joc_mover(p)].name));
    if (y->count) return;
    char *why = NULL;
    if (!joc_moves_find(legal, typed_text, &why) && why) reason_add(y, "fact", (passage){ 0 }, -1, must(strdup(why)));
    free(why);
}

static void why_not(joc_why *y, joc_moves *legal, const joc_position *p, const char *text)
{
    typed w = typed_make(y->g, text);
    watch x;
    bool found = false;
    for (int round = 0; round <= 2 * BREACHES_ALLOWED && !found && w.count; round++) {
        const int most = (round + 1) / 2;
        joc_moves *all = watched_list(legal, &w, round % 2 == 1, most, &x);
        const size_t i = best_run(all, legal, &w, &x, most);
        found = i != SIZE_MAX;
        if (found) say_run(y, all, legal, i, &x);
        joc_moves_free(all);
    }
    if (!found) say_facts(y, legal, p, &w, text);
    typed_free(&w);
}

static void why_legal(joc_why *y, joc_moves *legal, const joc_move *m)
{
    watch x = { 0 };
    size_t n;
    y->legal = true;
    free(y->move);
    y->move = must(strdup(joc_move_text(m)));
    token *t = replay(legal, m->index, &x, &n);
    say_rules(y, t, n, false);
    const leaf *l = &legal->leaves[m->index];
    for (int i = 0; i < l->preference_count && !y->g->has_secrets; i++) {
        const origin *o = prefer_at(y->g, i);
        char *words = o ? words_at(y->g, o->what) : NULL;
        if (words) reason_add(y, "passed", o->at, o->rule, sentence("passed: nothing has more of `%s`: it is %d", words, l->preferences[i]));
        free(words);
    }
    say_filters(y, l);
    free(t);
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------------------------- */
static void forget_reasons(joc_why *y)
{
    for (size_t i = 0; i < y->count; i++) { free(y->reasons[i].text); free(y->reasons[i].words); free(y->reasons[i].places); }
    free(y->reasons);
    y->reasons = NULL;
    y->count = 0;
}

static bool same_reasons(const joc_why *a, const joc_why *b)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) if (strcmp(a->reasons[i].text, b->reasons[i].text) != 0 || a->reasons[i].r.line != b->reasons[i].r.line) return false;
    return true;
}

/* Of a world in which the mover would have seen all that he has seen: why the move is not legal there. False if it is legal there, or there is no
 * such world. */
static bool why_not_in(joc_why *y, const joc_position *view, uint64_t seed, const char *text)
{
    joc_position *world = joc_redeal(view, seed);
    if (!world) return false;
    joc_moves *legal = joc_state_of(world) == JOC_DECISION ? joc_moves_of(world) : NULL;
    size_t best;
    const bool told = legal && !moves_fit(legal, text, &best);
    if (told) why_not(y, legal, world, text);
    joc_moves_free(legal);
    joc_position_free(world);
    return told;
}

/* In a game with secrets the reason is told if it is the same in several such worlds: then it rests on what the mover can see. */
static void why_not_unseen(joc_why *y, const joc_position *p, const char *text)
{
    enum { WORLDS = 6 };
    joc_position *view = joc_viewer(p) < 0 ? joc_view(p, joc_mover(p)) : joc_position_copy(p);
    bool told = why_not_in(y, view, 1, text);
    for (uint64_t seed = 2; seed <= WORLDS && told; seed++) {
        joc_why other = { .g = y->g };
        told = why_not_in(&other, view, seed, text) && same_reasons(y, &other);
        forget_reasons(&other);
    }
    joc_position_free(view);
    if (told) return;
    forget_reasons(y);
    reason_add(y, "fact", (passage){ 0 }, -1, sentence("why is not told: the reason may lie in what this player cannot see"));
}

/* Is the text the beginning of legal moves? Then how they go on. */
static bool why_begun(joc_why *y, joc_moves *legal, const char *text)
{
    const size_t n = strlen(text);
    char *some = must(strdup(""));
    size_t count = 0;
    for (size_t i = 0; n && i < joc_moves_count(legal); i++) {
        const char *move = joc_move_text(joc_moves_at(legal, i));
        if (strncmp(move, text, n) != 0 || !move[n] || !strchr("-x =@", move[n])) continue;
        if (count++ > 5) continue;
        char *next = sentence("%s%s%s", some, count > 1 ? ", " : "", count > 5 ? "..." : move);
        free(some);
        some = next;
    }
    if (count) reason_add(y, "fact", (passage){ 0 }, -1, sentence("it goes on: %s", some));
    free(some);
    return count > 0;
}

static void why_decision(joc_why *y, const joc_position *p, const char *text)
{
    joc_moves *legal = joc_moves_of(p);
    size_t best;
    if (joc_fault(p)) {
        reason_add(y, "fact", (passage){ 0 }, -1, sentence("the machine gives this decision up: %s", joc_fault(p)));
        y->verdict = "cannot be judged";
        joc_moves_free(legal);
        return;
    }
    const size_t fits = moves_fit(legal, text, &best);
    if (fits == 1) why_legal(y, legal, joc_moves_at(legal, best));
    else if (fits > 1) {
        char *why = NULL;
        joc_moves_find(legal, text, &why);
        reason_add(y, "fact", (passage){ 0 }, -1, why);
    } else if (why_begun(y, legal, text)) y->verdict = "is not a whole move";
    else if (y->g->has_secrets) why_not_unseen(y, p, text);
    else why_not(y, legal, p, text);
    joc_moves_free(legal);
}

joc_why *joc_why_move(const joc_position *p, const char *text)
{
    joc_why *y = must(calloc(1, sizeof *y));
    const joc_state s = joc_state_of(p);
    y->g = p->game->g;
    y->move = must(strdup(text));
    if (s == JOC_DECISION) why_decision(y, p, text);
    else if (s == JOC_CHANCE) reason_add(y, "fact", (passage){ 0 }, -1, sentence("chance decides here, not a player"));
    else if (s == JOC_OVER) {
        const joc_result r = joc_result_of(p);
        reason_add(y, "fact", (passage){ 0 }, -1, sentence("the game is over%s%s", *r.reason ? ": " : "", r.reason));
    } else reason_add(y, "fact", (passage){ 0 }, -1, sentence("the rules leave no move here"));
    y->title = sentence("%s %s", y->move, y->legal ? "is legal" : y->verdict ? y->verdict : "is not legal");
    return y;
}

void joc_why_free(joc_why *y)
{
    if (!y) return;
    forget_reasons(y);
    free(y->title);
    free(y->move);
    free(y);
}

bool joc_why_legal(const joc_why *y) { return y->legal; }
const char *joc_why_title(const joc_why *y) { return y->title; }
const char *joc_why_text(const joc_why *y) { return y->move; }
size_t joc_why_count(const joc_why *y) { return y->count; }

joc_reason joc_why_at(const joc_why *y, size_t i)
{
    joc_reason r = y->reasons[i].r;
    r.text = y->reasons[i].text;
    r.words = y->reasons[i].words;
    r.places = y->reasons[i].places;
    return r;
}
