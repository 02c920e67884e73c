/* Positions from the texts in which published counts are given. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static int kind_of_letter(const plain_game *g, char c) {
    for (int i = 0; i < g->kind_count; i++)
        if (toupper((unsigned char)*g->kinds[i].letter) == toupper((unsigned char)c) && !g->kinds[i].letter[1]) return i;
    return NO_KIND;
}

static void stand(plain_game *g, state *st, int c, piece p) {
    if (c == NONE) fail(g, NULL, "there is no such cell");
    st->stack[c * g->pile] = p;
    st->height[c] = 1;
}

static const keep *keep_called(const plain_game *g, const char *w, keep_of of) {
    for (int i = 0; i < g->keep_count; i++)
        if (!strcmp(g->keeps[i].word, w) && g->keeps[i].of == of) return &g->keeps[i];
    return NULL;
}

static const char *fen_board(plain_game *g, state *st, const char *s) {
    int x = 1, y = g->height;
    for (; *s && *s != ' '; s++) {
        if (*s == '/') {
            x = 1, y--;
            continue;
        }
        if (isdigit((unsigned char)*s)) {
            int n = 0;
            while (isdigit((unsigned char)*s)) n = 10 * n + *s++ - '0';
            s--;
            x += n;
            continue;
        }
        bool plus = *s == '+';
        s += plus;
        int kd = kind_of_letter(g, *s);
        if (kd == NO_KIND && g->kind_count == 1) {              /* O and X, or the players' initials */
            piece p = piece_new(g, 0, 0);
            for (int q = 0; q < g->player_count; q++)
                if (toupper((unsigned char)*g->players[q]) == toupper((unsigned char)*s)) p.owner = (int8_t)q;
            stand(g, st, cell_at(g, x++, y), p);
            continue;
        }
        if (kd == NO_KIND) fail(g, NULL, "no kind has the letter '%c'", *s);
        piece p = piece_new(g, isupper((unsigned char)*s) ? 0 : 1, kd);
        const keep *promoted = keep_called(g, "promoted", OF_PIECE);
        if (plus && promoted) p.keeps[promoted->at] = 1;
        stand(g, st, cell_at(g, x++, y), p);
    }
    return s;
}

/* KQkq: which rooks may still castle. */
static const char *fen_castling(plain_game *g, state *st, const char *s) {
    const keep *k = keep_called(g, "castles", OF_PIECE);
    for (; *s && *s != ' '; s++) {
        if (*s == '-' || !k) continue;
        int y = isupper((unsigned char)*s) ? 1 : g->height, king = NONE, rook = NONE;
        for (int c = 0; c < g->cell_count; c++) {
            const piece *p = piece_at(g, st, c);
            if (p && g->cells[c].y == y && *g->kinds[p->kind].letter == 'K') king = g->cells[c].x;
        }
        for (int c = 0; c < g->cell_count; c++) {
            const piece *p = piece_at(g, st, c);
            if (!p || g->cells[c].y != y || *g->kinds[p->kind].letter != 'R' || p->owner != (y == 1 ? 0 : 1)) continue;
            int x = g->cells[c].x;
            if (toupper((unsigned char)*s) == 'K' ? x > king && (rook == NONE || x > g->cells[rook].x) : x < king && (rook == NONE || x < g->cells[rook].x)) rook = c;
        }
        if (rook != NONE) piece_at(g, st, rook)->keeps[k->at] = 1;
    }
    return s;
}

static void fen(plain_game *g, state *st, const char *s) {
    s = fen_board(g, st, s);
    while (*s == ' ') s++;
    if (*s) {
        st->mover = 0;
        for (int p = 0; p < g->player_count; p++)
            if (tolower((unsigned char)*g->players[p]) == tolower((unsigned char)*s)) st->mover = p;
        if (*s == 'b' || *s == 'w') st->mover = *s == 'w' ? (*g->players[0] == 'B' ? 1 : 0) : (*g->players[0] == 'B' ? 0 : 1);
        s++;
    }
    while (*s == ' ') s++;
    if (*s) s = fen_castling(g, st, s);
    while (*s == ' ') s++;
    const keep *crossed = keep_called(g, "crossed", OF_CELL);
    if (*s >= 'a' && *s <= 'z' && isdigit((unsigned char)s[1]) && crossed) {
        char w[3] = { s[0], s[1], 0 };
        int c = cell_find(g, w);
        if (c != NONE) st->keep[crossed->at + c] = 1;
    }
}

/* W:W31,K32:B1,2 */
static void pdn(plain_game *g, state *st, const char *s) {
    st->mover = 0;
    for (int p = 0; p < g->player_count; p++)
        if (*g->players[p] == *s) st->mover = p;
    int owner = 0;
    for (s++; *s; s++) {
        if (*s == ':') {
            s++;
            for (int p = 0; p < g->player_count; p++)
                if (*g->players[p] == *s) owner = p;
            if (!*s) break;
            continue;
        }
        bool king = *s == 'K';
        s += king;
        if (!isdigit((unsigned char)*s)) continue;
        char w[8];
        int n = 0;
        while (isdigit((unsigned char)*s) && n < 7) w[n++] = *s++;
        w[n] = 0;
        s--;
        stand(g, st, cell_find(g, w), piece_new(g, owner, kind_of_letter(g, king ? 'K' : 'M')));
    }
}

state *state_at(plain_game *g, const state *start, const char *s) {
    state *st = state_copy(g, start);
    memset(st->height, 0, (size_t)g->cell_count);
    for (int i = 0; i < g->keep_count; i++)
        if (g->keeps[i].of == OF_CELL)
            for (int p = 0; p < g->places; p++) st->keep[g->keeps[i].at + p] = (int32_t)g->keeps[i].start;
    if (s[0] && s[1] == ':') pdn(g, st, s);
    else fen(g, st, s);
    st->turns = g->player_count;
    return st;
}
