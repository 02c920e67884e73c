/* Abalone: one to three marbles in a row move one cell, along their row or aside; along it more push fewer, who pushes six off wins.
 *
 * A cell is at[row][number], rows a = 0 .. i = 8; numbers stay the same to the northwest, so the six ways are these. */
#include "reference.h"

static const int ways[6][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, -1 }, { -1, -1 }, { -1, 0 } };
enum { WAYS = 6, OFF_TO_WIN = 6 };

static char marble(int player) { return player ? 'm' : 'M'; }

static char at(const scene *s, int r, int n) { return r >= 0 && r < SIDE && n >= 0 && n < SIDE ? s->at[r][n] : 0; }

static scene turn_over(const scene *s) {
    scene next = *s;
    next.turns++;
    next.mover = !s->mover;
    return next;
}

/* `own` marbles from (r, n) on go along `way`; what stands before them is free, or pushed. */
static void along(const scene *s, int r, int n, const int way[2], int own, scenes *out) {
    int others = 0;
    while (at(s, r + (own + others) * way[0], n + (own + others) * way[1]) == marble(!s->mover)) others++;
    const int r2 = r + (own + others) * way[0], n2 = n + (own + others) * way[1];
    const char before = at(s, r2, n2);
    if (others >= own || before == marble(s->mover) || (!before && !others)) return;
    scene next = turn_over(s);
    next.at[r][n] = '.';
    next.at[r + own * way[0]][n + own * way[1]] = marble(s->mover);
    if (others && before) next.at[r2][n2] = marble(!s->mover);
    if (others && !before) next.off[!s->mover]++;
    if (next.off[!s->mover] == OFF_TO_WIN) next.end = SCENE_WON, next.winner = s->mover;
    scenes_add(out, &next);
}

/* `own` marbles from (r, n) on in the direction `row` go aside. */
static void aside(const scene *s, int r, int n, const int row[2], int own, const int way[2], scenes *out) {
    scene next = turn_over(s);
    for (int i = 0; i < own; i++) {
        const int x = r + i * row[0], y = n + i * row[1];
        if (at(s, x + way[0], y + way[1]) != '.') return;
        next.at[x][y] = '.';
    }
    for (int i = 0; i < own; i++) next.at[r + i * row[0] + way[0]][n + i * row[1] + way[1]] = marble(s->mover);
    scenes_add(out, &next);
}

static void from(const scene *s, int r, int n, scenes *out) {
    for (int k = 0; k < WAYS; k++)
        for (int own = 1; own <= 3 && at(s, r + (own - 1) * ways[k][0], n + (own - 1) * ways[k][1]) == marble(s->mover); own++) {
            along(s, r, n, ways[k], own, out);
            for (int w = 0; w < WAYS && own > 1; w++)
                if (w != k && w != (k + 3) % WAYS) aside(s, r, n, ways[k], own, ways[w], out);
        }
}

void abalone_next(const scene *s, const reference_setting *settings, size_t count, scenes *out) {
    (void)settings, (void)count;
    out->count = 0;
    for (int r = 0; r < SIDE; r++)
        for (int n = 0; n < SIDE; n++)
            if (s->at[r][n] == marble(s->mover)) from(s, r, n, out);
}
