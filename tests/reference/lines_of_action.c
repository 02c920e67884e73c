/* Lines of Action: a man moves along a line exactly as far as there are men of either side on it; over his own, not over the enemy's; onto
 * a free cell or an enemy. Who has all his men in one group wins. */
#include <string.h>

#include "reference.h"

enum { SIZE = 8 };

static bool inside(int x, int y) { return x >= 0 && x < SIZE && y >= 1 && y <= SIZE; }
static bool is_man(char c) { return c == 'M' || c == 'm'; }
static char man(int player) { return player ? 'm' : 'M'; }

static int men_on_line(const scene *s, int x, int y, int dx, int dy) {
    int n = 0;
    while (inside(x - dx, y - dy)) x -= dx, y -= dy;
    for (; inside(x, y); x += dx, y += dy) n += is_man(s->at[x][y]);
    return n;
}

static void spread(const scene *s, int player, bool seen[SIZE][SIZE + 1], int x, int y) {
    if (!inside(x, y) || seen[x][y] || s->at[x][y] != man(player)) return;
    seen[x][y] = true;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) spread(s, player, seen, x + dx, y + dy);
}

static bool is_joined(const scene *s, int player) {
    bool seen[SIZE][SIZE + 1];
    int groups = 0;
    memset(seen, 0, sizeof seen);
    for (int x = 0; x < SIZE; x++)
        for (int y = 1; y <= SIZE; y++)
            if (s->at[x][y] == man(player) && !seen[x][y]) {
                groups++;
                spread(s, player, seen, x, y);
            }
    return groups <= 1;
}

static void end_it(scene *s, int mover, bool tie) {
    const bool own = is_joined(s, mover), other = is_joined(s, !mover);
    if (own && other && tie) s->end = SCENE_DRAWN;
    else if (own || other) s->end = SCENE_WON, s->winner = own ? mover : !mover;
}

static void go(const scene *s, int x, int y, int dx, int dy, bool tie, scenes *out) {
    const int n = men_on_line(s, x, y, dx, dy), to_x = x + n * dx, to_y = y + n * dy;
    if (!inside(to_x, to_y) || s->at[to_x][to_y] == man(s->mover)) return;
    for (int k = 1; k < n; k++)
        if (s->at[x + k * dx][y + k * dy] == man(!s->mover)) return;
    scene next = *s;
    next.at[to_x][to_y] = next.at[x][y];
    next.at[x][y] = '.';
    next.turns++;
    next.mover = !s->mover;
    end_it(&next, s->mover, tie);
    scenes_add(out, &next);
}

static void moves(const scene *s, bool tie, scenes *out) {
    out->count = 0;
    for (int x = 0; x < SIZE; x++)
        for (int y = 1; y <= SIZE; y++)
            for (int way = 0; way < 9; way++)
                if (s->at[x][y] == man(s->mover) && way != 4) go(s, x, y, way % 3 - 1, way / 3 - 1, tie, out);
}

void lines_of_action_next(const scene *s, const reference_setting *settings, size_t count, scenes *out) {
    const bool tie = !strcmp(setting_of(settings, count, "both", "victory"), "tie"), loss = !strcmp(setting_of(settings, count, "blocked", "loss"), "loss");
    scenes reply = { 0 };
    moves(s, tie, out);
    if (!out->count) {
        scene pass = *s;
        pass.turns++;
        pass.mover = !s->mover;
        scenes_add(out, &pass);
    }
    for (size_t i = 0; loss && i < out->count; i++) {
        if (out->list[i].end) continue;
        moves(&out->list[i], tie, &reply);
        if (!reply.count) out->list[i].end = SCENE_WON, out->list[i].winner = s->mover;
    }
    scenes_free(&reply);
}
