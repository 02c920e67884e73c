/* State texts (see plain.h) back into states. */
#include <stdlib.h>
#include <string.h>
#include "inside.h"

typedef struct { plain_game *g; state *st; const char *at; } text_reader;

static _Noreturn void unreadable(text_reader *r, const char *what) { fail(r->g, NULL, "state text: %s at '%.40s'", what, r->at); }

/* Is `w` what stands here, up to one of the characters of `stops` or the end? */
static bool word_here(text_reader *r, const char *w, const char *stops) {
    size_t n = strlen(w);
    if (strncmp(r->at, w, n) != 0 || (r->at[n] && !strchr(stops, r->at[n]))) return false;
    r->at += n;
    return true;
}

static bool eat(text_reader *r, const char *w) {
    size_t n = strlen(w);
    if (strncmp(r->at, w, n) != 0) return false;
    r->at += n;
    return true;
}

static long number_here(text_reader *r) {
    char *rest;
    long n = strtol(r->at, &rest, 10);
    if (rest == r->at) unreadable(r, "no number");
    r->at = rest;
    return n;
}

static int player_here(text_reader *r, const char *stops) {
    for (int p = 0; p < r->g->player_count; p++)
        if (word_here(r, r->g->players[p], stops)) return p;
    return NOBODY;
}

/* [PLAYER] of a zone or keep; NOBODY if there is none. */
static int bracket_here(text_reader *r) {
    if (!eat(r, "[")) return NOBODY;
    int p = player_here(r, "]");
    if (p == NOBODY || !eat(r, "]")) unreadable(r, "no player");
    return p;
}

static int zone_here(text_reader *r, const char *stops) {
    for (int i = 0; i < r->g->zone_count; i++) {
        const char *was = r->at;
        char all[16] = "[";
        strncat(all, stops, 12);
        if (!word_here(r, r->g->zones[i].word, all)) continue;
        int owner = bracket_here(r);
        if (*r->at && !strchr(stops, *r->at)) {
            r->at = was;
            continue;
        }
        return r->g->zones[i].first + (owner == NOBODY ? 0 : owner);
    }
    return NONE;
}

static int place_here(text_reader *r, const char *stops) {
    for (int c = 0; c < r->g->cell_count; c++)
        if (word_here(r, r->g->cells[c].word, stops)) return c;
    int z = zone_here(r, stops);
    return z == NONE ? NONE : r->g->cell_count + z;
}

static int64_t value_here(text_reader *r, const keep *k) {
    static const char stops[] = " /+,";
    if (k->type == K_FLAG || k->type == K_NUMBER) return number_here(r);
    if (*r->at == '-' && strchr(" /+,", r->at[1])) return r->at++, 0;
    if (k->type == K_PLAYER) return player_here(r, stops) + 1;
    if (k->type == K_PLACE) return place_here(r, stops) + 1;
    for (int i = 0; k->type == K_KIND && i < r->g->kind_count; i++)
        if (word_here(r, r->g->kinds[i].word, stops)) return i + 1;
    for (int i = 0; k->type == K_WAY && i < r->g->dir_count; i++)
        if (word_here(r, r->g->dirs[i].name, stops)) return i + 1;
    unreadable(r, "no value");
}

static piece piece_here(text_reader *r) {
    plain_game *g = r->g;
    int owner = NOBODY, kd = NO_KIND;
    if (!eat(r, "neutral")) {
        owner = player_here(r, ".");
        if (owner == NOBODY) unreadable(r, "no owner");
    }
    if (!eat(r, ".")) unreadable(r, "no kind");
    for (int i = 0; i < g->kind_count && kd == NO_KIND; i++)
        if (word_here(r, g->kinds[i].word, " /+,")) kd = i;
    if (kd == NO_KIND) unreadable(r, "no kind");
    piece p = piece_new(g, owner, kd);
    while (eat(r, "/")) {
        bool found = false;
        for (int i = 0; i < g->keep_count && !found; i++) {
            const keep *k = &g->keeps[i];
            if (k->of != OF_PIECE || !word_here(r, k->word, ":/ +,")) continue;
            found = true;
            p.keeps[k->at] = eat(r, ":") ? (int32_t)value_here(r, k) : 1;
        }
        if (!found) unreadable(r, "no keep of pieces");
    }
    return p;
}

static void head_read(text_reader *r) {
    state *st = r->st;
    if (!eat(r, "mover=")) unreadable(r, "no mover");
    st->mover = player_here(r, " ");
    if (st->mover == NOBODY || !eat(r, " turns=")) unreadable(r, "no turns");
    st->turns = (int)number_here(r);
    if (!eat(r, " passes=")) unreadable(r, "no passes");
    st->passes = (int)number_here(r);
    if (!eat(r, " extra=")) unreadable(r, "no extra");
    st->extra = number_here(r) != 0;
    if (!eat(r, " out=")) unreadable(r, "no out");
    if (eat(r, "-")) return;
    do {
        int p = player_here(r, ", ");
        if (p == NOBODY) unreadable(r, "no player");
        st->out |= 1u << p;
    } while (eat(r, ","));
}

static bool keep_read(text_reader *r) {
    for (int i = 0; i < r->g->keep_count; i++) {
        const keep *k = &r->g->keeps[i];
        const char *was = r->at;
        if (k->of == OF_PIECE || !word_here(r, k->word, "@[: ")) continue;
        int of = 0;
        if (k->of == OF_CELL) of = eat(r, "@") ? place_here(r, ": ") : NONE;
        if (k->of == OF_PLAYER) of = bracket_here(r);
        if (of < 0) {
            r->at = was;
            continue;
        }
        r->st->keep[keep_slot(r->g, k, of)] = eat(r, ":") ? (int32_t)value_here(r, k) : 1;
        return true;
    }
    return false;
}

static bool pieces_read(text_reader *r) {
    const char *was = r->at;
    int p = place_here(r, "=");
    if (p == NONE || !eat(r, "=")) {
        r->at = was;
        return false;
    }
    do {
        piece x = piece_here(r);
        if (p >= r->g->cell_count) slot_add(r->g, r->st, p - r->g->cell_count, x);
        else if (r->st->height[p] >= r->g->pile) unreadable(r, "too many pieces");
        else r->st->stack[p * r->g->pile + r->st->height[p]++] = x;
    } while (eat(r, p < r->g->cell_count ? "+" : ","));
    return true;
}

state *state_read(plain_game *g, const char *s) {
    text_reader r = { g, state_new(g), s };
    head_read(&r);
    while (eat(&r, " "))
        if (!pieces_read(&r) && !keep_read(&r)) unreadable(&r, "nothing of this game");
    if (*r.at) unreadable(&r, "something is left over");
    return r.st;
}
