/* Surakarta as it is printed: one step in any direction to move; to take, any way along lines and loops, at least one loop.
 *
 * Points are columns 0 .. 5 (a .. f) and rows 1 .. 6. A line that leaves the board at one of the four inner points of a side goes round the
 * nearest corner and comes back on the line that lies as far from that corner on the other side. */
#include "reference.h"

enum { LINES = 6, TOUR = 200 };
typedef struct { int x, y, dx, dy; } walker;

static bool inside(int x, int y) { return x >= 0 && x < LINES && y >= 1 && y <= LINES; }
static bool is_own(char c, int player) { return player ? c == 's' : c == 'S'; }

/* How far a point is from the near corner, counted along the side that the walker leaves by: 1 and 2 have loops, 0 has none. */
static int off_corner(int along) { return along < LINES / 2 ? along : LINES - 1 - along; }

/* Round the corner: false if there is no loop. */
static bool loop(walker *w) {
    const bool sideways = w->dx != 0;
    const int along = sideways ? w->y - 1 : w->x, far = off_corner(along);
    const bool low = along < LINES / 2;             /* the corner is the lower or western one of that side */
    if (far == 0) return false;
    if (sideways) *w = (walker){ w->dx < 0 ? far : LINES - 1 - far, low ? 1 : LINES, 0, low ? 1 : -1 };
    else *w = (walker){ low ? 0 : LINES - 1, w->dy < 0 ? 1 + far : LINES - far, low ? 1 : -1, 0 };
    return true;
}

static void emit(const scene *s, int x, int y, int to_x, int to_y, scenes *out) {
    scene next = *s;
    next.at[to_x][to_y] = next.at[x][y];
    next.at[x][y] = '.';
    next.turns++;
    next.mover = !s->mover;
    scenes_add(out, &next);
}

static void raid(const scene *s, int x, int y, int dx, int dy, scenes *out) {
    walker w = { x, y, dx, dy };
    int loops = 0;
    for (int n = 0; n < TOUR; n++) {
        if (inside(w.x + w.dx, w.y + w.dy)) w.x += w.dx, w.y += w.dy;
        else if (loop(&w)) loops++;
        else return;
        const char c = s->at[w.x][w.y];
        if (c == '.' || (w.x == x && w.y == y)) continue;
        if (loops && !is_own(c, s->mover)) emit(s, x, y, w.x, w.y, out);
        return;
    }
}

static void moves(const scene *s, scenes *out) {
    static const int ways[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
    out->count = 0;
    for (int x = 0; x < LINES; x++)
        for (int y = 1; y <= LINES; y++) {
            if (!is_own(s->at[x][y], s->mover)) continue;
            for (int dx = -1; dx <= 1; dx++)
                for (int dy = -1; dy <= 1; dy++)
                    if (inside(x + dx, y + dy) && s->at[x + dx][y + dy] == '.') emit(s, x, y, x + dx, y + dy, out);
            for (int k = 0; k < 4; k++) raid(s, x, y, ways[k][0], ways[k][1], out);
        }
}

/* Who has no stone left, or cannot move, has lost. */
void surakarta_next(const scene *s, const reference_setting *settings, size_t count, scenes *out) {
    scenes reply = { 0 };
    (void)settings, (void)count;
    moves(s, out);
    for (size_t i = 0; i < out->count; i++) {
        moves(&out->list[i], &reply);
        if (!reply.count) out->list[i].end = SCENE_WON, out->list[i].winner = s->mover;
    }
    scenes_free(&reply);
}
