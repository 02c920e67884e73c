/* How many pieces a zone can ever hold.
 *
 * Pieces are made in the set-up, or wherever else the rules place or drop them, and go where the rules send them. So what can be in a zone
 * follows from which kinds can come there: no more than there are of these. The code is followed: of each register, in what sorts of places
 * (the board, each zone, what was taken) those places can be that it holds, and of each sort, which kinds of pieces can come there. All
 * this only grows until nothing changes (a data-flow analysis; Kildall 1973). What is not understood can be anywhere.
 *
 * How many there are of a kind is counted after the set-up, for zones that get their owner's pieces only (owners.c) of his; if chance makes more
 * or fewer of them, nothing is said. For a kind that is made in
 * play there is room for as many more as there are cells. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"
#include "interp/machine/machine.h"

enum { SORTS_MAX = 62, KINDS_FEW = 64, WORK_MAX = 2 * 1000 * 1000, SETUPS = 4 };

/* Sorts of places, a bit each: 0 the board, 1 + z a zone, the last what was taken. */
typedef uint64_t sorts;
static const sorts BOARD = 1, ANYWHERE = ~0ull;

typedef struct {
    const game *g;
    int registers;              /* of numbers, then of sets */
    sorts *before;              /* by instruction and register */
    bool *reached;
    uint64_t contents[SORTS_MAX + 2];   /* by sort: the kinds that can be there */
    uint64_t made;              /* kinds made in play */
    bool become;                /* pieces become of other kinds */
    bool changed;
    uint64_t off_board;         /* directions that lead to or from zones */
} follower;

static int taken_sort(const game *g) { return g->zone_count + 1; }

static int sort_of(const game *g, int place)
{
    if (place < g->cells) return 0;
    return place < g->taken_first ? 1 + g->zone_of[place] : taken_sort(g);
}

static sorts constant_set(const game *g, int operand)
{
    sorts in = 0;
    for (int p = 0; p < g->player_count; p++) {
        const uint64_t *s = g->const_set[p] + (size_t)(operand - g->const_first) * (size_t)g->words;
        for (int x = 0; x < g->places; x++) if (s[x / 64] >> (x % 64) & 1) in |= 1ull << sort_of(g, x);
    }
    return in;
}

static sorts *set_register(const follower *f, sorts *now, int operand)
{
    const int r = operand - f->g->reg_first;
    return r >= 0 && r < f->g->set_regs ? &now[f->g->num_regs + r] : NULL;
}

static sorts *number_register(const follower *f, sorts *now, int operand)
{
    const int r = operand - f->g->num_consts;
    return r >= 0 && r < f->g->num_regs ? &now[r] : NULL;
}

static sorts set_value(const follower *f, sorts *now, int operand)
{
    const game *g = f->g;
    const sorts *r = set_register(f, now, operand);
    if (r) return *r;
    if (operand >= g->const_first) return constant_set(g, operand);
    const bool board = operand == SET_EMPTY || operand == SET_OWN || operand == SET_ENEMY || operand == SET_NEUTRAL || (operand >= SET_PLAYERS && operand < g->kind_first);
    return board ? BOARD : ANYWHERE;
}

static sorts number_value(const follower *f, sorts *now, int operand)
{
    const sorts *r = number_register(f, now, operand);
    return r ? *r : ANYWHERE;
}

static uint64_t kinds_in(const follower *f, sorts in)
{
    uint64_t kinds = 0;
    for (int s = 0; s <= taken_sort(f->g); s++) if (in >> s & 1) kinds |= f->contents[s];
    return kinds;
}

static void comes(follower *f, sorts to, uint64_t kinds)
{
    for (int s = 0; s <= taken_sort(f->g); s++)
        if ((to >> s & 1) && (kinds & ~f->contents[s])) { f->contents[s] |= kinds; f->changed = true; }
}

static bool makes_number(int op) { return op <= OP_RELATION || (op >= OP_PICK && op <= OP_PICK_BAG) || (op > OP_ROLL && op <= OP_RANDOM_KIND) || op == OP_STUCK || op == OP_CAN || op == OP_S_POP || op == OP_LOOP || op == OP_FLOOD; }

/* The zones that a number may name: what was made of it right before tells. */
static sorts zones_named(const game *g, uint32_t pc, int operand, bool each)
{
    int first = operand < g->num_consts ? (int)g->const_num[operand] : -1;
    const bool one = first >= 0 && !each;
    for (uint32_t at = pc; first < 0 && at-- > 0 && pc - at < 60;) {
        const ins *i = &g->code[at];
        if (!makes_number(i->op) || i->a != operand) continue;
        if (i->op != OP_ADD || i->c >= g->num_consts) break;
        first = (int)g->const_num[i->c];
    }
    if (first < 0 || first >= g->zone_count) return ANYWHERE & ~BOARD;
    sorts in = 0;
    for (int z = first; z < g->zone_count && g->zones[z].declared == g->zones[first].declared && (z == first || !one); z++) in |= 2ull << z;
    return in;
}

static uint64_t kinds_listed(const game *g, const ins *i)
{
    uint64_t kinds = 0;
    for (int j = 0; j < i->e; j++) kinds |= 1ull << g->lists[i->d + j];
    return kinds;
}

/* New pieces. */
static void follow_makings(follower *f, sorts to, uint32_t pc)
{
    const uint64_t kinds = kinds_listed(f->g, &f->g->code[pc]);
    if (pc >= f->g->turn_pc) f->made |= kinds;
    comes(f, to, kinds);
}

/* Where a relation may lead. */
static sorts led_to(const follower *f, int relation_index)
{
    const relation *r = &f->g->relations[relation_index];
    uint64_t ways = r->reg >= 0 ? ~0ull : 0;            /* as it stands in a register: any */
    for (int p = 0; p < f->g->player_count; p++) ways |= r->mask[p];
    return ways & f->off_board ? ANYWHERE : BOARD;
}

/* Where a leg may come to. */
static sorts landings(const follower *f, sorts *now, const ins *i)
{
    const leg *l = &f->g->legs[i->a];
    return led_to(f, l->relation) & (l->target >= 0 ? set_value(f, now, l->target) : ANYWHERE);
}

/* Pieces that come, go and change; whatever stood on a cell may be taken. */
static void follow_pieces(follower *f, sorts *now, uint32_t pc)
{
    const game *g = f->g;
    const ins *i = &g->code[pc];
    switch ((opcode)i->op) {
    case OP_SEND: comes(f, number_value(f, now, i->b), kinds_in(f, set_value(f, now, i->a))); break;
    case OP_SEND_ZONE: comes(f, zones_named(g, pc, i->b, i->c & 1), kinds_in(f, set_value(f, now, i->a))); break;
    case OP_STEP: comes(f, landings(f, now, i), kinds_in(f, ANYWHERE)); break;
    case OP_SEND_ALONG: comes(f, f->off_board ? ANYWHERE : BOARD, kinds_in(f, ANYWHERE)); break;
    case OP_TAKE: comes(f, 1ull << taken_sort(g), kinds_in(f, set_value(f, now, i->a))); break;
    case OP_DROP_FROM: comes(f, set_value(f, now, i->a), kinds_in(f, set_value(f, now, i->b))); break;
    case OP_BECOME_KIND: f->become = true; comes(f, ANYWHERE, ~0ull); break;
    case OP_PLACE: case OP_DROP: follow_makings(f, set_value(f, now, i->a), pc); break;
    case OP_PLACE_ZONE: follow_makings(f, zones_named(g, pc, i->a, false), pc); break;
    default: return;
    }
    comes(f, 1ull << taken_sort(g), f->contents[0]);
}

/* What a register holds afterwards. */
static void follow_registers(const follower *f, sorts *now, const ins *i)
{
    sorts *set = i->op >= OP_S_AND && i->op <= OP_S_EDGE ? set_register(f, now, i->a) : NULL;
    sorts *number = makes_number(i->op) ? number_register(f, now, i->a) : NULL, to = ANYWHERE;
    switch ((opcode)i->op) {
    case OP_S_AND: to = set_value(f, now, i->b) & set_value(f, now, i->c); break;
    case OP_S_OR: case OP_S_CHOOSE: to = set_value(f, now, i->b) | set_value(f, now, i->c); break;
    case OP_S_ANDN: case OP_S_BUT: case OP_S_COPY: case OP_PICK: case OP_RANDOM: case OP_FIRST: case OP_S_POP: to = set_value(f, now, i->b); break;
    case OP_S_PLACE: case OP_MOVE: to = number_value(f, now, i->b); break;
    case OP_STEP_FROM: case OP_S_NEAR: case OP_S_IMAGE: to = led_to(f, i->d); break;
    case OP_S_OWNED: case OP_S_ENEMIES: to = BOARD; break;
    case OP_S_LESS: return;
    default: break;
    }
    if (set) *set = to;
    if (number) *number = to;
}

static void join(follower *f, uint32_t pc, const sorts *now)
{
    sorts *before = f->before + (size_t)pc * (size_t)f->registers;
    if (!f->reached[pc]) f->reached[pc] = f->changed = true;
    for (int r = 0; r < f->registers; r++) {
        if (!(now[r] & ~before[r])) continue;
        before[r] |= now[r];
        f->changed = true;
    }
}

static void follow(follower *f)
{
    const game *g = f->g;
    sorts *now = calloc((size_t)f->registers + 1, sizeof *now);
    if (!now) abort();
    f->reached[g->setup_pc] = f->reached[g->turn_pc] = true;
    for (f->changed = true; f->changed;) {
        f->changed = false;
        for (uint32_t pc = 0; pc < g->code_count; pc++) {
            if (!f->reached[pc]) continue;
            uint32_t next[64];
            memcpy(now, f->before + (size_t)pc * (size_t)f->registers, (size_t)f->registers * sizeof *now);
            follow_pieces(f, now, pc);
            follow_registers(f, now, &g->code[pc]);
            const int n = flow_successors(g, pc, next, 64);
            if (n == 64) comes(f, ANYWHERE, ~0ull);
            for (int j = 0; j < n; j++) join(f, next[j], now);
        }
    }
    free(now);
}

/* Pieces of each kind behind the set-up, all of them and by owner (neutral ones first). */
typedef struct { int all[KINDS_FEW], of[PLAYERS_MAX + 1][KINDS_FEW]; bool owners_vary; } counted_kinds;

static void count_piece(const game *g, counted_kinds *now, int sort, int code, uint64_t *contents, int many)
{
    const int kinds = g->kind_count + 1;
    now->all[code % kinds] += many;
    now->of[code / kinds][code % kinds] += many;
    contents[sort] |= 1ull << (code % kinds);
}

/* Those that lie in stacks, below others; false if these are not alike. */
static bool count_stacked(const game *g, const vm *v, counted_kinds *now, uint64_t *contents)
{
    for (int p = 0; g->pile_max > 1 && p < g->cells; p++) {
        const uint16_t *pile = (const uint16_t *)(const void *)((const char *)v->piles + (size_t)(p + 1) * g->pile_stride);
        if (*pile && !g->piles_alike) return false;
        if (*pile) count_piece(g, now, 0, v->at[p] - 1, contents, *pile);
    }
    return true;
}

/* Counts them, and tells which kinds are then in which sort of places (a set-up without choices has become a position, and is no code to follow);
 * false if their numbers differ from time to time, or if there are stacks of pieces that differ. */
static bool count_kinds(const game *g, counted_kinds *counts, uint64_t *contents)
{
    for (int t = 0; t < SETUPS; t++) {
        counted_kinds now = { 0 };
        vm *v = vm_new(g);
        uint64_t random[4] = { (uint64_t)t + 1, 2, 3, 4 };
        g->machine->blank(v);
        v->head[H_RESUME] = g->setup_pc;
        for (int i = 0; i < 100000 && v->head[H_RESUME] && v->head[H_RESUME] < g->turn_pc && !v->fault; i++) if (!g->machine->random(v, random)) break;
        for (int p = 0; p < g->taken_first; p++) if (v->at[p]) count_piece(g, &now, sort_of(g, p), v->at[p] - 1, contents, 1);
        const bool known = count_stacked(g, v, &now, contents);
        vm_free(v);
        if (!known || (t && memcmp(now.all, counts->all, sizeof now.all) != 0)) return false;
        now.owners_vary = t && (counts->owners_vary || memcmp(now.of, counts->of, sizeof now.of) != 0);
        *counts = now;
    }
    return true;
}

/* How many pieces made in play may come together: as many as the board has cells; where they are made in zones, a good many. */
int slots_made(const game *g)
{
    enum { MADE_IN_ZONES = 32 };
    for (uint32_t pc = g->turn_pc; pc < g->code_count; pc++) if (g->code[pc].op == OP_PLACE_ZONE && g->cells < MADE_IN_ZONES) return MADE_IN_ZONES;
    return g->cells;
}

/* Does a way of any shape lead to zones? */
static bool leads_off(const game *g, const direction *d)
{
    uint64_t off = 0;
    for (int x = 0; d->graph && x < g->places; x++)
        for (int w = 0; w < g->words; w++) {
            const int cells = g->cells - 64 * w;
            off |= d->image[(size_t)x * (size_t)g->words + (size_t)w] & (cells >= 64 ? 0 : cells <= 0 ? ~0ull : ~0ull << cells);
        }
    return off != 0;
}

/* The most pieces that anybody has. */
static int most_of(const counted_kinds *c, const game *g)
{
    int most = 0;
    for (int p = 1; p <= g->player_count; p++) {
        int n = 0;
        for (int k = 0; k <= g->kind_count; k++) n += c->of[p][k];
        if (n > most) most = n;
    }
    return most;
}

static bool has_neutral(const counted_kinds *c, const game *g)
{
    int n = 0;
    for (int k = 0; k <= g->kind_count; k++) n += c->of[0][k];
    return n > 0;
}

bool slots_bound(const game *g, int *slots)
{
    const int registers = g->num_regs + g->set_regs;
    counted_kinds counts;
    follower f = { .g = g, .registers = registers };
    if (g->zone_count + 2 > SORTS_MAX || g->kind_count >= KINDS_FEW || (size_t)registers * g->code_count > WORK_MAX || !count_kinds(g, &counts, f.contents)) return false;
    f.before = calloc((size_t)registers * (g->code_count + 1) + 1, sizeof *f.before);
    f.reached = calloc(g->code_count + 1, sizeof *f.reached);
    if (!f.before || !f.reached) abort();
    for (int d = 0; d < g->dir_count; d++) if (g->dirs[d].off_board || leads_off(g, &g->dirs[d])) f.off_board |= 1ull << d;
    follow(&f);
    const bool own = !counts.owners_vary && zones_own(g, most_of(&counts, g), has_neutral(&counts, g));
    for (int z = 0; z < g->zone_count; z++) {
        const uint64_t kinds = f.contents[1 + z];
        const int owner = g->zones[z].owner, *count = own && owner >= 0 ? counts.of[owner + 1] : counts.all;
        const bool more = (kinds & f.made) || (f.become && f.made);
        slots[z] = more ? slots_made(g) : 0;
        for (int k = 0; k < g->kind_count; k++) if (kinds >> k & 1) slots[z] += more ? counts.all[k] : count[k];
    }
    free(f.before);
    free(f.reached);
    return true;
}
