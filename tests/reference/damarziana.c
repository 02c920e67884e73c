/* DAmaRZIANA, from the sheet alone: each turn is one step, or jumps over one's own men, or jumps over the other's; never two of these.
 *
 * Squares are columns 0 .. 7 (a .. h) and rows 1 .. 8. Men are letters: A is giallo, the first of the eight colours, H verde, the last. Where a
 * man must go is a digit of what is kept for his owner, the units for giallo: 1 is column a. It is read only where the targets are drawn by lot. */
#include "reference.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 8, ANY = 64 };
typedef struct { const scene *before; int x, y; bool null_move; scenes *out; } origin;
typedef struct { int x, y; } square;
static const square diagonals[4] = { { 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 } }, straights[4] = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } };

static bool inside(int x, int y) { return x >= 0 && x < SQUARES && y >= 1 && y <= SQUARES; }
static bool man_of(char c, int player) { return player ? islower((unsigned char)c) : isupper((unsigned char)c); }

/* ---- the targets --------------------------------------------------------------------------------------------------------------------------- */
static int power(int digit) {
    int n = 1;
    while (digit-- > 0) n *= 10;
    return n;
}

static int column_for(const scene *s, char man, int player) {
    const int colour = player ? man - 'a' : man - 'A';
    return s->kept[player] / power(colour) % 10 - 1;
}

/* The targets are the squares of the two rows opposite of the mover's colour: for White a8 b7 c8 ... h7, for Black a1 b2 c1 ... h2. */
static int row_for(int column, int player) { return player ? 1 + column % 2 : 8 - column % 2; }

static bool all_home(const scene *s, int player) {
    int men = 0;
    for (int x = 0; x < SQUARES; x++)
        for (int y = 1; y <= SQUARES; y++) {
            if (!man_of(s->at[x][y], player)) continue;
            men++;
            if (column_for(s, s->at[x][y], player) != x || row_for(x, player) != y) return false;
        }
    return men > 0;
}

static void set_targets(scene *s, const char *targets) {
    for (int player = 0; player < 2 && strcmp(targets, "drawn") != 0; player++) {
        s->kept[player] = 0;
        for (int colour = 0; colour < SQUARES; colour++)
            s->kept[player] += power(colour) * (player && !strcmp(targets, "reversed") ? SQUARES - colour : colour + 1);
    }
}

/* ---- moves --------------------------------------------------------------------------------------------------------------------------------- */
static void emit(const origin *m, int x, int y) {
    scene next = *m->before;
    next.at[m->x][m->y] = '.';
    next.at[x][y] = m->before->at[m->x][m->y];
    next.turns++;
    next.mover = !next.mover;
    scenes_add(m->out, &next);
}

static void steps(const origin *m) {
    for (int k = 0; k < 4; k++) {
        const int x = m->x + diagonals[k].x, y = m->y + diagonals[k].y;
        if (inside(x, y) && m->before->at[x][y] == '.') emit(m, x, y);
    }
}

/* All squares that jumps of one kind lead to, breadth first; where the man began is empty while he is under way. */
static void jumps(const origin *m, const square *ways, int over) {
    bool seen[SQUARES][SQUARES + 1] = { { false } };
    square queue[ANY + 1];
    int first = 0, last = 0;
    scene lifted = *m->before;
    lifted.at[m->x][m->y] = '.';
    queue[last++] = (square){ m->x, m->y };
    while (first < last) {
        const square from = queue[first++];
        for (int k = 0; k < 4; k++) {
            const square by = { from.x + ways[k].x, from.y + ways[k].y }, to = { by.x + ways[k].x, by.y + ways[k].y };
            if (!inside(to.x, to.y) || seen[to.x][to.y] || !man_of(lifted.at[by.x][by.y], over) || lifted.at[to.x][to.y] != '.') continue;
            seen[to.x][to.y] = true;
            if (to.x == m->x && to.y == m->y) {
                if (m->null_move) emit(m, to.x, to.y);
            } else {
                emit(m, to.x, to.y);
                queue[last++] = to;
            }
        }
    }
}

/* ---- ends ---------------------------------------------------------------------------------------------------------------------------------- */
static void won(scene *s, int winner) {
    s->end = SCENE_WON;
    s->winner = winner;
}

static void judge(scene *s, int mover, bool last_reply, int plies) {
    const bool home = all_home(s, mover), other = all_home(s, !mover), waits = last_reply && home && mover == 0;
    if (last_reply && mover == 1 && other) {
        if (home) s->end = SCENE_DRAWN;
        else won(s, 0);
    } else if (home && !waits) won(s, mover);
    else if (plies && s->turns == plies && !waits) s->end = SCENE_DRAWN;
}

void damarziana_next(const scene *s, const reference_setting *settings, size_t count, scenes *out) {
    const bool null_move = setting_yes(settings, count, "null_move", false), last_reply = setting_yes(settings, count, "last_reply", false);
    out->count = 0;
    for (int x = 0; x < SQUARES; x++)
        for (int y = 1; y <= SQUARES; y++) {
            const origin m = { s, x, y, null_move, out };
            if (!man_of(s->at[x][y], s->mover)) continue;
            steps(&m);
            jumps(&m, diagonals, s->mover);
            jumps(&m, straights, !s->mover);
        }
    if (setting_yes(settings, count, "passing", false)) {
        scene next = *s;
        next.mover = !s->mover;
        next.turns++;
        next.passed = true;
        scenes_add(out, &next);
    }
    for (size_t i = 0; i < out->count; i++) {
        set_targets(&out->list[i], setting_of(settings, count, "targets", "spectrum"));
        judge(&out->list[i], s->mover, last_reply, setting_number(settings, count, "plies", 0));
    }
}

/* How far the men of a player still have to go: games that are led by it come to an end. */
int damarziana_way(const scene *s, int player) {
    int way = 0;
    for (int x = 0; x < SQUARES; x++)
        for (int y = 1; y <= SQUARES; y++) {
            if (!man_of(s->at[x][y], player)) continue;
            const int to = column_for(s, s->at[x][y], player), dx = abs(to - x), dy = abs(row_for(to, player) - y);
            way += dx > dy ? dx : dy;
        }
    return way;
}
