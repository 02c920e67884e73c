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

static int pocket_of(plain_game *g, int owner) {
    for (int z = 0; z < g->instance_count; z++)
        if (g->instances[z].owner == owner) return z;
    fail(g, NULL, "there is no zone for pieces in hand");
}

/* [QRBqrb], or as in shogi 2P3p. */
static const char *fen_pocket(plain_game *g, state *st, const char *s) {
    for (; *s && *s != ' ' && *s != ']'; s++) {
        int n = 0;
        while (isdigit((unsigned char)*s)) n = 10 * n + *s++ - '0';
        if (*s == '[' || *s == '-') continue;
        int kd = kind_of_letter(g, *s), owner = isupper((unsigned char)*s) ? 0 : 1;
        if (kd == NO_KIND) fail(g, NULL, "no kind has the letter '%c'", *s);
        for (int i = 0; i < (n ? n : 1); i++) slot_add(g, st, pocket_of(g, owner), piece_new(g, owner, kd));
    }
    return *s == ']' ? s + 1 : s;
}

/* (MMM): a stack, from the bottom up. */
static const char *fen_pile(plain_game *g, state *st, const char *s, int c) {
    if (c == NONE) fail(g, NULL, "there is no such cell");
    for (; *s && *s != ')'; s++) {
        int kd = kind_of_letter(g, *s);
        if (kd == NO_KIND || st->height[c] >= g->room[c]) fail(g, NULL, "this stack cannot stand on %s", g->cells[c].word);
        st->stack[c * g->pile + st->height[c]++] = piece_new(g, isupper((unsigned char)*s) ? 0 : 1, kd);
    }
    return s;
}

static bool word_is(const char *s, const char *w) { return !strncmp(s, w, strlen(w)) && (!s[strlen(w)] || strchr(" .=*,", s[strlen(w)])); }

/* bar.White=Man*2,Man */
static void field_zone(plain_game *g, state *st, int z, const char *v) {
    while (*v && *v != ' ') {
        int kd = NO_KIND, n = 1;
        for (int i = 0; i < g->kind_count; i++)
            if (word_is(v, g->kinds[i].word)) kd = i;
        if (kd == NO_KIND) fail(g, NULL, "no such kind: %.20s", v);
        v += strlen(g->kinds[kd].word);
        if (*v == '*') n = (int)strtol(v + 1, (char **)(uintptr_t)&v, 10);
        for (int i = 0; i < n; i++) slot_add(g, st, z, piece_new(g, g->instances[z].owner == NOBODY ? 0 : g->instances[z].owner, kd));
        v += *v == ',';
    }
}

static int cell_here(const plain_game *g, const char *v) {
    for (int c = 0; c < g->cell_count; c++) {
        size_t n = strlen(g->cells[c].word);
        if (!strncmp(v, g->cells[c].word, n) && (!v[n] || strchr(" ,:", v[n]))) return c;
    }
    return NONE;
}

/* A number, yes or no, or the name of a cell, player or kind. */
static int64_t keep_here(const plain_game *g, const keep *k, const char *v) {
    if (k->type == K_PLACE) return cell_here(g, v) + 1;
    for (int p = 0; k->type == K_PLAYER && p < g->player_count; p++)
        if (word_is(v, g->players[p])) return p + 1;
    for (int i = 0; k->type == K_KIND && i < g->kind_count; i++)
        if (word_is(v, g->kinds[i].word)) return i + 1;
    return *v == 'y' ? 1 : k->type <= K_NUMBER && *v != 'n' ? atoi(v) : 0;
}

/* claim=a6:1,b6:1   crossed=e3   idle=4 */
static void field_keep(plain_game *g, state *st, const keep *k, int who, const char *v) {
    if (k->of != OF_CELL) {
        st->keep[keep_slot(g, k, who == NOBODY ? 0 : who)] = (int32_t)keep_here(g, k, v);
        return;
    }
    while (*v && *v != ' ') {
        int c = cell_here(g, v);
        if (c == NONE) fail(g, NULL, "no such cell: %.20s", v);
        v += strlen(g->cells[c].word);
        st->keep[k->at + c] = *v == ':' ? (int32_t)keep_here(g, k, v + 1) : 1;
        v += strcspn(v, ", ");
        v += *v == ',';
    }
}

/* <neutral.Wall> */
static const char *fen_named(plain_game *g, state *st, const char *s, int c) {
    int owner = NOBODY, kd = NO_KIND;
    for (int p = 0; p < g->player_count; p++)
        if (word_is(s, g->players[p])) owner = p;
    const char *dot = strchr(s, '.');
    for (int i = 0; dot && i < g->kind_count; i++) {
        size_t n = strlen(g->kinds[i].word);
        if (!strncmp(dot + 1, g->kinds[i].word, n) && dot[n + 1] == '>') kd = i;
    }
    if (kd == NO_KIND) fail(g, NULL, "no such piece: %.30s", s);
    stand(g, st, c, piece_new(g, owner, kd));
    return strchr(s, '>');
}

/* What stands behind the mover: zones, dice, keeps of the game and of players, as name=value. */
static const char *field_read(plain_game *g, state *st, const char *s) {
    const char *v = strchr(s, '='), *stop = s + strcspn(s, " ");
    if (!v || v > stop) return stop;
    int who = NOBODY;
    for (int p = 0; p < g->player_count; p++) {
        const char *dot = memchr(s, '.', (size_t)(v - s));
        if (dot && word_is(dot + 1, g->players[p])) who = p;
    }
    for (int z = 0; z < g->instance_count; z++)
        if (word_is(s, g->zones[g->instances[z].zone].word) && g->instances[z].owner == who) field_zone(g, st, z, v + 1);
    for (int i = 0; i < g->dice_count; i++) {
        if (!word_is(s, g->dice[i].word)) continue;
        die *d = &st->fixed[i];
        *d = (die){ .sort = 2 };
        for (const char *c = v + 1; c < stop && d->n < DICE_MAX; c++)
            if (isdigit((unsigned char)*c) && !isdigit((unsigned char)c[-1])) d->v[d->n++] = atoi(c);
        if (d->n == 1) d->sort = 1;
    }
    for (int i = 0; i < g->keep_count; i++)
        if (word_is(s, g->keeps[i].word) && g->keeps[i].of != OF_PIECE) field_keep(g, st, &g->keeps[i], who, v + 1);
    return stop;
}

static const char *fen_board(plain_game *g, state *st, const char *s) {
    int x = 1, y = g->height;
    for (; *s && *s != ' '; s++) {
        if (*s == '/') {
            x = 1, y--;
            continue;
        }
        if (*s == '[') return fen_pocket(g, st, s);
        if (isdigit((unsigned char)*s)) {
            int n = 0;
            while (isdigit((unsigned char)*s)) n = 10 * n + *s++ - '0';
            s--;
            x += n;
            continue;
        }
        if (*s == '(') {
            s = fen_pile(g, st, s + 1, cell_at(g, x++, y));
            continue;
        }
        if (*s == '<') {
            s = fen_named(g, st, s + 1, cell_at(g, x++, y));
            continue;
        }
        bool plus = *s == '+';
        s += plus;
        int kd = kind_of_letter(g, *s);
        if (kd == NO_KIND && g->kind_count == 1) {              /* O and X, or the players' initials */
            piece p = piece_new(g, isupper((unsigned char)*s) ? 0 : 1, 0);
            if (toupper((unsigned char)*s) == 'O') p.owner = 1;
            stand(g, st, cell_at(g, x++, y), p);
            continue;
        }
        if (kd == NO_KIND) fail(g, NULL, "no kind has the letter '%c'", *s);
        piece p = piece_new(g, isupper((unsigned char)*s) ? 0 : 1, kd);
        const keep *promoted = keep_called(g, "promoted", OF_PIECE);
        if ((plus || s[1] == '~') && promoted) p.keeps[promoted->at] = 1;
        stand(g, st, cell_at(g, x++, y), p);
        s += s[1] == '~';
    }
    return s;
}

/* KQkq or FDfd: which rooks may still castle. */
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
        int file = toupper((unsigned char)*s) - 'A' + 1;       /* FDfd: by the rook's column */
        if (file >= 1 && file <= g->width && file <= 8) rook = cell_at(g, file, y);
        if (rook != NONE && piece_at(g, st, rook)) piece_at(g, st, rook)->keeps[k->at] = 1;
    }
    return s;
}

/* board White zone.Player=... keep=... */
static bool named_mover(plain_game *g, state *st, const char *s) {
    for (int p = 0; p < g->player_count; p++) {
        if (!word_is(s, g->players[p])) continue;
        st->mover = p;
        s += strlen(g->players[p]);
        while (*s) {
            while (*s == ' ') s++;
            s = field_read(g, st, s);
        }
        return true;
    }
    return false;
}

static void fen(plain_game *g, state *st, const char *s) {
    bool pocket = strchr(s, '[') != NULL;
    s = fen_board(g, st, s);
    while (*s == ' ') s++;
    if (named_mover(g, st, s)) return;
    if (*s) {
        const char *hand = s + 1 + (s[1] == ' ');
        bool shogi = g->instance_count && !pocket && !keep_called(g, "castles", OF_PIECE) && *hand && (strpbrk(hand, "PLNSGBRplnsgbr") == hand || isdigit((unsigned char)*hand) || (*hand == '-' && hand[1] == ' ' && isdigit((unsigned char)hand[2])));
        st->mover = *s == 'b' || *s == 'o' || *s == 'O' ? 1 : 0;
        if (shogi) st->mover = *s == 'w';
        s++;
        while (*s == ' ') s++;
        s = shogi ? fen_pocket(g, st, s) : fen_castling(g, st, s);
    }
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
