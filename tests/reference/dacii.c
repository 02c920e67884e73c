/* Dacii și romanii, from the rules alone: the slow and plain way.
 *
 * Squares are columns 0 .. 8 (a .. i) and rows 1 .. 14. Romans (player 0, `S` and `C`) sit at row 1, Dacians (`s`, `c`) at row 14; half a
 * turn of the board, (x, y) to (8 - x, 15 - y), makes one side the other, so all places are told for the Romans only.
 *
 * Two notions carry the rules. A square may be *stood on* by a piece or not (A.1.3 of the rules), whatever it does to get there. Two
 * neighbouring squares have an *open way* between them or not (wall, gate, banks of the river): whoever goes from one to the other, or leaps
 * across, needs it; support, isolation and being attacked from need neighbourhood alone. */
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { COLUMNS = 9, ROWS = 14, SOLDIERS = 5 };
typedef enum { DISPLACE, REMOVE, ON_ARRIVAL } capture_kind;

typedef struct {
    bool simple, mid_bridge, wall_diagonal, gate_exit, bridge_diagonal, shuffle, alone_soldiers, leap_takes, commander_near, pair_alone,
        locked_helps, three_two, take_row, cohort_commander, gate_near, return_costs, return_once, river_line, wall_thick;
    bool ford[2][2];            /* by player: may soldiers use the bridge on their own right, on their left (full game: both) */
    capture_kind capture;
    int compound, leave_by, limit;
} house;

typedef struct { int x, y; } square;
typedef struct { const scene *s; const house *h; scenes *out; int me; } task;

/* ---- the board ---------------------------------------------------------------------------------------------------------------------------- */
static square turned(int player, square q) { return player ? (square){ COLUMNS - 1 - q.x, ROWS + 1 - q.y } : q; }

static bool on_board(const scene *s, square q) { return q.x >= 0 && q.x < COLUMNS && q.y >= 1 && q.y <= ROWS && s->at[q.x][q.y]; }

static bool citadel_of(int player, square q) {
    q = turned(player, q);
    return q.y == 1 && q.x >= 2 && q.x <= 6;
}

static bool fort_of(int player, square q) {
    q = turned(player, q);
    return (q.x == 7 && q.y == 1) || (q.x == 8 && q.y >= 2 && q.y <= 4);
}

static square gate_of(int player) { return turned(player, (square){ 4, 2 }); }

static bool same(square a, square b) { return a.x == b.x && a.y == b.y; }

static bool near(square a, square b) { return !same(a, b) && abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1; }

static bool river_row(square q) { return q.y == 7 || q.y == 8; }

/* The bridge in column x, for a soldier of a player. */
static bool ford_open(const house *h, int player, int x) {
    if (x == 4) return h->mid_bridge;
    const bool right = turned(player, (square){ x, 1 }).x == 8;
    return h->ford[player][right ? 0 : 1];
}

static bool may_stand(const house *h, int player, bool commander, square q) {
    if (fort_of(!player, q) || citadel_of(player, q)) return false;
    if (commander) return !fort_of(player, q) && !citadel_of(!player, q);
    return h->river_line || !river_row(q) || ford_open(h, player, q.x);
}

/* ---- ways between neighbours -------------------------------------------------------------------------------------------------------------- */
static bool wall_open(const house *h, int player, square a, square b) {
    const bool a_in = citadel_of(0, a) || citadel_of(1, a), b_in = citadel_of(0, b) || citadel_of(1, b);
    if (a_in == b_in || a.y == b.y) return true;        /* along a row one leaves by the side, not over the wall */
    if (h->wall_thick) return false;
    if (a.x != b.x) return h->wall_diagonal;
    return h->gate_exit || !citadel_of(player, a) || !same(b, gate_of(player));
}

static bool river_open(const house *h, int player, bool commander, square a, square b) {
    if (h->river_line) {
        if ((a.y <= 7) == (b.y <= 7)) return true;
        if (a.x != b.x || (a.x != 0 && a.x != 4 && a.x != 8)) return false;
        return commander || ford_open(h, player, a.x);
    }
    return h->bridge_diagonal || a.x == b.x || river_row(a) == river_row(b);
}

static bool way_open(const house *h, int player, bool commander, square a, square b) {
    return wall_open(h, player, a, b) && river_open(h, player, commander, a, b);
}

/* May my piece go from a to its neighbour b, whatever stands there? */
static bool may_go(const task *t, bool commander, square a, square b) {
    if (!on_board(t->s, b) || !way_open(t->h, t->me, commander, a, b)) return false;
    if (!commander && citadel_of(t->me, b)) return citadel_of(t->me, a) && t->h->shuffle;
    if (!may_stand(t->h, t->me, commander, b)) return false;
    return commander || !citadel_of(!t->me, a) || citadel_of(!t->me, b);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------------------------------- */
static char piece_at(const scene *s, square q) { return on_board(s, q) ? s->at[q.x][q.y] : 0; }
static char soldier(int player) { return player ? 's' : 'S'; }
static char commander(int player) { return player ? 'c' : 'C'; }

typedef struct { square at[COLUMNS * ROWS]; int count; } squares;

static squares all_of(const scene *s, char piece) {
    squares q = { .count = 0 };
    for (int y = 1; y <= ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            if (s->at[x][y] == piece) q.at[q.count++] = (square){ x, y };
    return q;
}

/* A soldier of the enemy that can be captured at all: not one who stands in my citadel. */
static bool can_be_taken(const scene *s, int me, square q) { return piece_at(s, q) == soldier(!me) && !citadel_of(me, q); }

static bool isolated(const scene *s, const house *h, int me, square q) {
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            const char c = piece_at(s, (square){ q.x + dx, q.y + dy });
            if ((dx || dy) && (c == soldier(!me) || (c == commander(!me) && !h->alone_soldiers))) return false;
        }
    return true;
}

/* Does my soldier on a count against an enemy on v? */
static bool supports(const house *h, int me, square a, square v) {
    return near(a, v) && (h->locked_helps || !citadel_of(!me, a) || citadel_of(!me, v));
}

static int supporters(const scene *s, const house *h, int me, square v) {
    const squares mine = all_of(s, soldier(me));
    int n = 0;
    for (int i = 0; i < mine.count; i++) n += supports(h, me, mine.at[i], v);
    return n;
}

/* ---- the end of a turn -------------------------------------------------------------------------------------------------------------------- */
static void remove_soldier(scene *s, int me, square q) {
    s->at[q.x][q.y] = '.';
    s->off[me]++;
}

/* House rule: who stands beside two as the second arrives is taken. */
static void take_on_arrival(const task *t, scene *s) {
    squares gone = { .count = 0 };
    const squares theirs = all_of(s, soldier(!t->me)), mine = all_of(s, soldier(t->me));
    for (int i = 0; i < theirs.count; i++) {
        const square v = theirs.at[i];
        bool arrived = false;
        for (int k = 0; k < mine.count; k++) arrived |= near(mine.at[k], v) && piece_at(t->s, mine.at[k]) != soldier(t->me);
        if (!arrived || !can_be_taken(s, t->me, v) || supporters(s, t->h, t->me, v) < 2) continue;
        if (!t->h->pair_alone || isolated(s, t->h, t->me, v)) gone.at[gone.count++] = v;
    }
    for (int i = 0; i < gone.count; i++) remove_soldier(s, t->me, gone.at[i]);
}

static bool has_arrived(const scene *s, int player) {
    const square gate = gate_of(!player);
    int inside = 0;
    for (int x = 2; x <= 6; x++) {
        const square q = turned(player, (square){ x, ROWS });
        inside += piece_at(s, q) == soldier(player);
    }
    return inside == SOLDIERS && piece_at(s, gate) == commander(player);
}

static bool is_owed(const scene *s, const house *h, int player) {
    const squares mine = all_of(s, soldier(player)), chief = all_of(s, commander(player));
    const square gate = gate_of(!player);
    if (!mine.count || !chief.count || !s->off[!player] || (h->return_once && s->kept[player])) return false;
    for (int i = 0; i < mine.count; i++)
        if (!citadel_of(!player, mine.at[i])) return false;
    return same(chief.at[0], gate) || (h->gate_near && near(chief.at[0], gate));
}

static void give_back(scene *s, int player) {
    const square q = turned(player, (square){ 8, 4 });
    s->at[q.x][q.y] = soldier(player);
    s->off[!player]--;
    s->kept[player] = 1;
}

static void win(scene *s, int player, int points) {
    s->end = SCENE_WON;
    s->winner = player;
    s->scored = true;
    s->score[player] = points;
    s->score[!player] = 0;
}

static void emit(const task *t, scene *s) {
    if (t->h->capture == ON_ARRIVAL && !t->h->simple) take_on_arrival(t, s);
    s->turns++;
    s->mover = !t->me;
    if (!all_of(s, commander(!t->me)).count || !all_of(s, soldier(!t->me)).count) win(s, t->me, 1);
    else if (has_arrived(s, t->me)) win(s, t->me, 1 + s->off[t->me]);
    else if (!t->h->return_costs)
        for (int p = 0; p < 2; p++)
            if (is_owed(s, t->h, p)) give_back(s, p);
    if (!s->end && t->h->limit && s->turns == t->h->limit) s->end = SCENE_DRAWN;
    scenes_add(t->out, s);
}

static void put_over(scene *s, square from, square to) {
    s->at[to.x][to.y] = s->at[from.x][from.y];
    s->at[from.x][from.y] = '.';
}

static void emit_walk(const task *t, square from, square to) {
    scene s = *t->s;
    if (s.at[to.x][to.y] == soldier(!t->me)) s.off[t->me]++;
    put_over(&s, from, to);
    emit(t, &s);
}

/* ---- steps and leaps ---------------------------------------------------------------------------------------------------------------------- */
static void soldier_steps(const task *t, square a) {
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            const square b = { a.x + dx, a.y + dy };
            if (piece_at(t->s, b) == '.' && may_go(t, false, a, b)) emit_walk(t, a, b);
        }
    if (!t->h->wall_thick) return;
    const int ahead = t->me ? -1 : 1;
    const square over = { a.x, a.y + ahead }, to = { a.x, a.y + 2 * ahead };
    const bool out = citadel_of(t->me, a) && (t->h->gate_exit || a.x != 4), in = citadel_of(!t->me, to);
    if ((out || in) && piece_at(t->s, over) == '.' && piece_at(t->s, to) == '.') emit_walk(t, a, to);
}

/* Can my commander on a reach b, by a step, or by a leap over one square that is free or holds a soldier? */
static bool commander_steps(const task *t, square a, square b) { return near(a, b) && may_go(t, true, a, b); }

static bool commander_leaps(const task *t, square a, square b) {
    const int dx = b.x - a.x, dy = b.y - a.y;
    if (dx % 2 || dy % 2 || abs(dx) > 2 || abs(dy) > 2 || (!dx && !dy) || !on_board(t->s, b)) return false;
    const square m = { a.x + dx / 2, a.y + dy / 2 };
    const char c = piece_at(t->s, m);
    return c && c != commander(0) && c != commander(1) && may_stand(t->h, t->me, true, b) && way_open(t->h, t->me, true, a, m) && way_open(t->h, t->me, true, m, b);
}

static void commander_moves(const task *t, square a) {
    for (int dx = -2; dx <= 2; dx++)
        for (int dy = -2; dy <= 2; dy++) {
            const square b = { a.x + dx, a.y + dy };
            if (piece_at(t->s, b) == '.' && (commander_steps(t, a, b) || commander_leaps(t, a, b))) emit_walk(t, a, b);
        }
}

/* ---- captures ----------------------------------------------------------------------------------------------------------------------------- */
static void emit_capture(const task *t, square from, square victim) {
    if (t->h->capture != REMOVE) {
        emit_walk(t, from, victim);
        return;
    }
    scene s = *t->s;
    if (piece_at(&s, victim) == commander(!t->me)) s.at[victim.x][victim.y] = '.';
    else remove_soldier(&s, t->me, victim);
    emit(t, &s);
}

/* K1 and K4 */
static void commander_takes(const task *t, square a) {
    const squares mine = all_of(t->s, soldier(t->me));
    for (int dx = -2; dx <= 2; dx++)
        for (int dy = -2; dy <= 2; dy++) {
            const square b = { a.x + dx, a.y + dy };
            const bool step = commander_steps(t, a, b), leap = commander_leaps(t, a, b);
            if (can_be_taken(t->s, t->me, b) && isolated(t->s, t->h, t->me, b) && (step || (leap && t->h->leap_takes))) emit_capture(t, a, b);
            if (piece_at(t->s, b) != commander(!t->me) || !(step || (leap && !t->h->commander_near))) continue;
            bool soldier_near = false;
            for (int i = 0; i < mine.count; i++) soldier_near |= near(mine.at[i], b);
            if (soldier_near) emit_capture(t, a, b);
        }
}

/* K2 */
static void two_take_one(const task *t, square v) {
    const squares mine = all_of(t->s, soldier(t->me));
    if (t->h->pair_alone && !isolated(t->s, t->h, t->me, v)) return;
    if (t->h->capture == REMOVE) {
        if (supporters(t->s, t->h, t->me, v) >= 2) emit_capture(t, v, v);
        return;
    }
    for (int i = 0; i < mine.count; i++) {
        if (!near(mine.at[i], v) || !may_go(t, false, mine.at[i], v)) continue;
        if (supporters(t->s, t->h, t->me, v) - supports(t->h, t->me, mine.at[i], v) >= 1) emit_walk(t, mine.at[i], v);
    }
}

static void emit_double(const task *t, square a, square b, square v, square w) {
    scene s = *t->s;
    if (t->h->capture == REMOVE) {
        remove_soldier(&s, t->me, v);
        remove_soldier(&s, t->me, w);
    } else {
        if (!near(a, v) || !near(b, w) || !may_go(t, false, a, v) || !may_go(t, false, b, w)) return;
        s.off[t->me] += 2;
        put_over(&s, a, v);
        put_over(&s, b, w);
    }
    emit(t, &s);
}

/* K3: each of two neighbouring enemies has two at least of three beside him */
static void three_take_two(const task *t, square v, square w) {
    const squares mine = all_of(t->s, soldier(t->me));
    for (int i = 0; i < mine.count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                const square three[3] = { mine.at[i], mine.at[j], mine.at[k] };
                int at_v = 0, at_w = 0;
                for (int n = 0; n < 3; n++) at_v += supports(t->h, t->me, three[n], v), at_w += supports(t->h, t->me, three[n], w);
                if (at_v < 2 || at_w < 2) continue;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        if (a != b) emit_double(t, three[a], three[b], v, w);
            }
}

static void soldiers_take(const task *t) {
    const squares theirs = all_of(t->s, soldier(!t->me));
    for (int i = 0; i < theirs.count; i++) {
        if (!can_be_taken(t->s, t->me, theirs.at[i])) continue;
        two_take_one(t, theirs.at[i]);
        for (int j = 0; j < i && t->h->three_two; j++)
            if (can_be_taken(t->s, t->me, theirs.at[j]) && near(theirs.at[i], theirs.at[j])) three_take_two(t, theirs.at[i], theirs.at[j]);
    }
}

/* ---- cohorts: K5 and K6 ------------------------------------------------------------------------------------------------------------------- */
static bool is_trooper(const task *t, square q) {
    const char c = piece_at(t->s, q);
    return c == soldier(t->me) || (c == commander(t->me) && t->h->cohort_commander);
}

static square moved(square q, int dx, int dy, int n) { return (square){ q.x + n * dx, q.y + n * dy }; }

/* n of mine from `rear` on, an enemy before them. */
static void cohort_of(const task *t, square rear, int dx, int dy, int n) {
    const int most = t->h->take_row && n > 2 ? n - 1 : 1;
    scene s = *t->s;
    if (!can_be_taken(t->s, t->me, moved(rear, dx, dy, n))) return;
    for (int i = 0; i < n && t->h->capture != REMOVE; i++) {
        const square q = moved(rear, dx, dy, i);
        if (!may_go(t, piece_at(t->s, q) == commander(t->me), q, moved(rear, dx, dy, i + 1))) return;
    }
    for (int i = 0; i < most && can_be_taken(t->s, t->me, moved(rear, dx, dy, n + i)); i++) remove_soldier(&s, t->me, moved(rear, dx, dy, n + i));
    for (int i = n; i-- > 0 && t->h->capture != REMOVE;) put_over(&s, moved(rear, dx, dy, i), moved(rear, dx, dy, i + 1));
    emit(t, &s);
}

static void cohorts(const task *t) {
    const int ahead = t->me ? -1 : 1;
    static const int ways[5][2] = { { -1, 0 }, { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    for (int y = 1; y <= ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            for (int w = 0; w < 5; w++) {
                const int dx = ways[w][0], dy = ways[w][1] * ahead;
                int n = 0;
                while (is_trooper(t, moved((square){ x, y }, dx, dy, n))) n++;
                for (int k = 2; k <= n; k++) cohort_of(t, (square){ x, y }, dx, dy, k);
            }
}

/* ---- exchanges ---------------------------------------------------------------------------------------------------------------------------- */
static void exchange(const task *t, square chief, square man) {
    const square m = { (chief.x + man.x) / 2, (chief.y + man.y) / 2 };
    const bool far = !near(chief, man);
    if (far && piece_at(t->s, m) != '.') return;
    if (!may_stand(t->h, t->me, true, man) || !may_stand(t->h, t->me, false, chief)) return;
    for (int c = 0; c < 2; c++)
        if (far ? !way_open(t->h, t->me, c, chief, m) || !way_open(t->h, t->me, c, m, man) : !way_open(t->h, t->me, c, chief, man)) return;
    scene s = *t->s;
    s.at[man.x][man.y] = commander(t->me);
    s.at[chief.x][chief.y] = soldier(t->me);
    emit(t, &s);
}

static void exchanges(const task *t, square chief) {
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
            for (int n = 1; n <= 2; n++) {
                const square man = moved(chief, dx, dy, n);
                if ((dx || dy) && piece_at(t->s, man) == soldier(t->me)) exchange(t, chief, man);
            }
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------------------- */
static house house_of(const reference_setting *s, size_t n) {
    house h = {
        .simple = setting_yes(s, n, "simple", false), .mid_bridge = setting_yes(s, n, "mid_bridge", false), .wall_diagonal = setting_yes(s, n, "wall_diagonal", true),
        .gate_exit = setting_yes(s, n, "gate_exit", true), .bridge_diagonal = setting_yes(s, n, "bridge_diagonal", true), .shuffle = setting_yes(s, n, "shuffle", true),
        .leap_takes = setting_yes(s, n, "leap_takes", true), .commander_near = setting_yes(s, n, "commander_near", false), .pair_alone = setting_yes(s, n, "pair_alone", false),
        .locked_helps = setting_yes(s, n, "locked_helps", true), .three_two = setting_yes(s, n, "three_two", true), .cohort_commander = setting_yes(s, n, "cohort_commander", false),
        .gate_near = setting_yes(s, n, "gate_near", false), .return_costs = setting_yes(s, n, "return_costs", false), .return_once = setting_yes(s, n, "return_once", false),
        .river_line = setting_yes(s, n, "(river line)", false), .wall_thick = setting_yes(s, n, "(wall thick)", false),
        .alone_soldiers = !strcmp(setting_of(s, n, "alone", "army"), "soldiers"), .take_row = strcmp(setting_of(s, n, "big_cohort_takes", "one"), "one") != 0,
        .compound = setting_number(s, n, "compound", 0), .leave_by = setting_number(s, n, "leave_by", 0), .limit = setting_number(s, n, "limit", 0),
    };
    const char *capture = setting_of(s, n, "capture", "displace");
    h.capture = !strcmp(capture, "remove") ? REMOVE : !strcmp(capture, "on_arrival") ? ON_ARRIVAL : DISPLACE;
    for (int p = 0; p < 2; p++) {
        const char *ford = setting_of(s, n, p ? "ford_dacian" : "ford_roman", "right");
        h.ford[p][0] = !h.simple || strcmp(ford, "left") != 0;
        h.ford[p][1] = !h.simple || strcmp(ford, "right") != 0;
    }
    return h;
}

static void battle(const task *t, const squares *chief) {
    if (t->h->capture != ON_ARRIVAL) soldiers_take(t);
    cohorts(t);
    for (int i = 0; i < chief->count; i++) {
        commander_takes(t, chief->at[i]);
        if (t->s->turns >= t->h->compound) exchanges(t, chief->at[i]);
    }
    if (t->h->return_costs && is_owed(t->s, t->h, t->me)) {
        scene s = *t->s;
        give_back(&s, t->me);
        emit(t, &s);
    }
}

static int at_home(const scene *s, int player) {
    const squares mine = all_of(s, soldier(player));
    int n = 0;
    for (int i = 0; i < mine.count; i++) n += citadel_of(player, mine.at[i]);
    return n;
}

/* House rule: who still has soldiers at home moves one out, if he can. */
static void keep_those_that_leave(const task *t) {
    size_t n = 0;
    const int before = at_home(t->s, t->me);
    for (size_t i = 0; i < t->out->count; i++)
        if (at_home(&t->out->list[i], t->me) < before) t->out->list[n++] = t->out->list[i];
    if (n) t->out->count = n;
}

void dacii_next(const scene *s, const reference_setting *settings, size_t count, scenes *out) {
    const house h = house_of(settings, count);
    const task t = { s, &h, out, s->mover };
    const squares men = all_of(s, soldier(s->mover)), chief = all_of(s, commander(s->mover));
    out->count = 0;
    for (int i = 0; i < men.count; i++) soldier_steps(&t, men.at[i]);
    for (int i = 0; i < chief.count; i++) commander_moves(&t, chief.at[i]);
    if (!h.simple) battle(&t, &chief);
    if (h.leave_by && s->turns >= h.leave_by) keep_those_that_leave(&t);
    if (!out->count) {
        scene pass = *s;
        emit(&t, &pass);
    }
}
