/* Proofs that the options of a first choice lead to different positions, so that each counts as one move without being tried.
 *
 * WALKS. A walker x goes from a place of his, along the one direction that the leg knows for the player, to at most one landing x'. What is
 * compared is how many pieces stand on cells (two positions that differ in that are not the same). Behind the leg no effect may put a piece
 * on a cell, or take one from a cell; only the landing does. Then, of two walkers x and y of which y stands on a cell,
 *
 *     after y has walked, y's cell holds one piece less than before, for neither the leg nor anything behind it puts one there (y' is not y)
 *     after x has walked, y's cell holds as many as before; or, where x' = y and there was room, one more; or, where there was none, one
 *
 * and the two differ: a cell that is left holds one less than before, so they could only agree where there was no room and two pieces stood.
 * The machine looks that no walker lands where he stood, or upon two of his own without room, before it believes in this (tracks.h). Walkers
 * off the board are told apart from those on it at the cell of these; the machine sees to it that all of them are equal pieces of one zone, and
 * takes one. For the same reasons walkers of several plans are apart, as long as no place is in two of them.
 *
 * Which effects touch cells is found by following every way from the leg to the end of the decision, with bounds: of each set register the
 * places it can hold at most, of each number register its least and greatest. Pieces that are sent from off the board to a cell (a shelf of pieces lifted
 * for the time of a move) are allowed if there are none: `vacant` are the places that must be empty when the plan is used, and where nothing behind
 * the leg can have put any. On that, questions whether any piece is there are answered no.
 *
 * FIELDS. A pick x of a cell, of which a number is kept, and behind which it is set to its least value; behind that nothing adds to it. What may
 * add to numbers of this keep are effects on places that cannot be among those picked from, and a SOW that starts at x with as many steps as its
 * number said before it was set: it comes back to x only where that number reaches `limit`, the shortest way round. So after x was picked its
 * cell holds the least value. When a move has been made the machine looks that all others that could have been picked hold more than that
 * (options.h): then none of them leads to the same position, whatever else the code did. Where one holds no more, it lists the decision, and counts
 * how many picks lead there. */
#include <stdlib.h>
#include <string.h>
#include "plan.h"

enum { BRANCHES_MAX = 40 };

/* Of a number also: is it the place picked, or what the field said there before it was set? */
typedef enum { UNKNOWN, PICKED, AMOUNT } meaning;
typedef struct { int64_t low, high; meaning what; } bounds;
static const bounds ANY_NUMBER = { INT64_MIN, INT64_MAX, UNKNOWN };

/* What is known of the registers at one point of one way. `pieces`: every place of the set has a piece on it; `only`: it is the place picked. */
typedef struct { bounds *numbers; uint64_t (*sets)[WORDS_MAX]; bool *pieces, *only; uint64_t filled[WORDS_MAX]; bool touched, emptied; meaning here; } known;

typedef struct {
    const game *g;
    uint64_t cells[WORDS_MAX], vacant[WORDS_MAX];
    bool may_fail, more;        /* more: places were added to `vacant` on this round */
    int keep;                   /* of fields: which keep is looked at, -1: walks are */
    uint64_t picked[WORDS_MAX]; /* from where */
    int64_t limit;
    int steps;
} proof;

static void fill(uint64_t *s, uint64_t x) { for (int k = 0; k < WORDS_MAX; k++) s[k] = x; }
static bool meets(const uint64_t *a, const uint64_t *b) { uint64_t x = 0; for (int k = 0; k < WORDS_MAX; k++) x |= a[k] & b[k]; return x != 0; }
static void add_places(uint64_t *s, int from, int count) { for (int p = from; p < from + count; p++) s[p / 64] |= 1ull << (p % 64); }

static known *known_new(const game *g, const known *from)
{
    known *k = calloc(1, sizeof *k);
    if (!k) abort();
    k->numbers = calloc((size_t)g->num_regs + 1, sizeof *k->numbers);
    k->sets = calloc((size_t)g->set_regs + 1, sizeof *k->sets);
    k->pieces = calloc((size_t)g->set_regs + 1, sizeof *k->pieces);
    k->only = calloc((size_t)g->set_regs + 1, sizeof *k->only);
    if (!k->numbers || !k->sets || !k->pieces || !k->only) abort();
    if (from) {
        memcpy(k->numbers, from->numbers, (size_t)g->num_regs * sizeof *k->numbers);
        memcpy(k->sets, from->sets, (size_t)g->set_regs * sizeof *k->sets);
        memcpy(k->pieces, from->pieces, (size_t)g->set_regs * sizeof *k->pieces);
        memcpy(k->only, from->only, (size_t)g->set_regs * sizeof *k->only);
        memcpy(k->filled, from->filled, sizeof k->filled);
        k->touched = from->touched;
        k->emptied = from->emptied;
        k->here = from->here;
        return k;
    }
    for (int i = 0; i < g->num_regs; i++) k->numbers[i] = ANY_NUMBER;
    for (int i = 0; i < g->set_regs; i++) fill(k->sets[i], ~0ull);
    return k;
}

static void known_free(known *k)
{
    free(k->numbers);
    free(k->sets);
    free(k->pieces);
    free(k->only);
    free(k);
}

/* ---- bounds of operands ---------------------------------------------------------------------------------------------------------------------- */
static bounds number_of(const proof *p, const known *k, int x)
{
    const game *g = p->g;
    if (x < g->num_consts) return (bounds){ g->const_num[x], g->const_num[x], UNKNOWN };
    if (x < g->num_base) return k->numbers[x - g->num_consts];
    if (x == g->num_base + H_MOVER || x == g->num_base + H_ACTOR) return (bounds){ 0, g->player_count - 1, UNKNOWN };
    if (x == g->num_base + H_HERE) return (bounds){ INT64_MIN, INT64_MAX, k->here };
    return ANY_NUMBER;
}

static void set_of(const proof *p, const known *k, int x, uint64_t *out)
{
    const game *g = p->g;
    fill(out, ~0ull);
    if (x >= g->const_first) {
        fill(out, 0);
        for (int q = 0; q < g->player_count; q++)
            for (int w = 0; w < g->words; w++) out[w] |= g->const_set[q][(size_t)(x - g->const_first) * (size_t)g->words + (size_t)w];
    } else if (x >= g->reg_first) memcpy(out, k->sets[x - g->reg_first], sizeof k->sets[0]);
    else if (x == SET_OWN || x == SET_ENEMY || x == SET_EMPTY || (x >= SET_NEUTRAL && x < SET_PLAYERS + g->player_count)) memcpy(out, p->cells, sizeof p->cells);
}

static bool holds_pieces(const proof *p, const known *k, int x)
{
    const game *g = p->g;
    if (x >= g->reg_first && x < g->const_first) return k->pieces[x - g->reg_first];
    return x == SET_OCCUPIED || x == SET_OWN || x == SET_ENEMY || (x >= SET_NEUTRAL && x < SET_PLAYERS + g->player_count);
}

/* ---- straight code ---------------------------------------------------------------------------------------------------------------------------- */
static bounds sum(bounds a, bounds b)
{
    const int64_t far = 1ll << 40;
    if (a.low < -far || b.low < -far || a.high > far || b.high > far) return ANY_NUMBER;
    return (bounds){ a.low + b.low, a.high + b.high, UNKNOWN };
}

static bool of_keep(const proof *p, int x)
{
    const field *f = &p->g->fields[x];
    return p->keep >= 0 && f->kind == FIELD_KEEP && f->index == p->g->keeps[p->keep].where && !f->offset;
}

static void number_made(const proof *p, known *k, const ins *i)
{
    const int r = i->a - p->g->num_consts;
    bounds made = ANY_NUMBER;
    uint64_t asked[WORDS_MAX], other[WORDS_MAX];
    if (i->op == OP_MOVE) made = number_of(p, k, i->b);
    else if (i->op == OP_ADD) made = sum(number_of(p, k, i->b), number_of(p, k, i->c));
    else if (i->op == OP_NEXT) made = (bounds){ 0, p->g->player_count - 1, UNKNOWN };
    else if (i->op == OP_GET) { if (number_of(p, k, i->b).what == PICKED && of_keep(p, i->d) && !k->touched) made.what = AMOUNT; }
    else if (i->op == OP_ANY || i->op == OP_NO || i->op == OP_MEETS) {
        set_of(p, k, i->b, asked);
        bool pieces = holds_pieces(p, k, i->b);
        if (i->op == OP_MEETS) {
            set_of(p, k, i->c, other);
            for (int w = 0; w < WORDS_MAX; w++) asked[w] &= other[w];
            pieces |= holds_pieces(p, k, i->c);
        }
        bool vacant = pieces && !meets(asked, k->filled);
        for (int w = 0; w < WORDS_MAX; w++) vacant &= !(asked[w] & ~p->vacant[w]);
        made = vacant ? (bounds){ i->op == OP_NO, i->op == OP_NO, UNKNOWN } : (bounds){ 0, 1, UNKNOWN };
    }
    if (r >= 0 && r < p->g->num_regs) k->numbers[r] = made;
}

static void set_made(const proof *p, known *k, const ins *i)
{
    const int r = i->a - p->g->reg_first;
    uint64_t made[WORDS_MAX], b[WORDS_MAX], c[WORDS_MAX];
    bool pieces = false, only = false;
    fill(made, ~0ull);
    if (i->op == OP_S_LESS && r >= 0 && r < p->g->set_regs) k->only[r] = false;
    if (i->op == OP_S_LESS || r < 0 || r >= p->g->set_regs) return;
    if (i->op <= OP_S_CHOOSE && i->op != OP_S_NOT) {
        const bool one = i->op == OP_S_COPY || i->op == OP_S_ANDN, both = holds_pieces(p, k, i->b) && holds_pieces(p, k, i->c);
        set_of(p, k, i->b, b);
        set_of(p, k, i->c, c);
        for (int w = 0; w < WORDS_MAX; w++) made[w] = one ? b[w] : i->op == OP_S_AND ? b[w] & c[w] : b[w] | c[w];
        pieces = one ? holds_pieces(p, k, i->b) : i->op == OP_S_AND ? holds_pieces(p, k, i->b) || holds_pieces(p, k, i->c) : both;
    } else if (i->op == OP_S_PLACE) {
        const bounds at = number_of(p, k, i->b);
        only = at.what == PICKED;
        if (only) memcpy(made, p->picked, sizeof made);
        if (at.low >= 0 && at.low == at.high && at.low < PLACES_MAX) { fill(made, 0); add_places(made, (int)at.low, 1); }
    }
    memcpy(k->sets[r], made, sizeof made);
    k->pieces[r] = pieces;
    k->only[r] = only || (i->op == OP_S_COPY && i->b >= p->g->reg_first && i->b < p->g->const_first && k->only[i->b - p->g->reg_first]);
}

/* ---- effects ---------------------------------------------------------------------------------------------------------------------------------- */
static void fill_zones(const proof *p, known *k, bounds zones)
{
    for (int z = 0; z < p->g->zone_count; z++) {
        const zone *x = &p->g->zones[z];
        if (z < zones.low || z > zones.high) continue;
        add_places(k->filled, x->place, 1);
        add_places(k->filled, x->first, x->slots);
    }
}

/* Pieces of this set come upon cells: only if there are none. */
static bool must_be_none(proof *p, const known *k, const uint64_t *from)
{
    if (meets(from, p->cells) || meets(from, k->filled)) return false;
    for (int w = 0; w < WORDS_MAX; w++) { p->more |= (from[w] & ~p->vacant[w]) != 0; p->vacant[w] |= from[w]; }
    return true;
}

/* The shortest way round along the relation from places picked, by any player. */
static int64_t shortest_round(const proof *p, int r)
{
    const game *g = p->g;
    int64_t least = INT64_MAX;
    for (int q = 0; q < g->player_count; q++) {
        const uint16_t *next = g->dirs[__builtin_ctzll(g->relations[r].mask[q])].next;
        for (int x = 0; x < g->places; x++) {
            if (!(p->picked[x / 64] >> (x % 64) & 1)) continue;
            int n = 1, y = next[x];
            for (; y != 0xFFFF && y != x && n <= g->places; n++) y = next[y];
            if (y == x && n < least) least = n;
        }
    }
    return least;
}

/* An effect on the numbers of the keep that is looked at: adds it to the place picked after that was set to the least? */
static bool field_effect(proof *p, known *k, const ins *i)
{
    const game *g = p->g;
    uint64_t on[WORDS_MAX];
    if (i->op == OP_SOW) {
        const bounds first = number_of(p, k, i->a), most = number_of(p, k, i->b);
        const bool back = i->e == p->keep && k->emptied, known_way = k->here == PICKED && most.what == AMOUNT && first.low >= 1;
        const int64_t round = shortest_round(p, i->d);
        k->here = UNKNOWN;
        k->touched |= i->e == p->keep;
        if (back && known_way && round < p->limit) p->limit = round;
        return !back || known_way;
    }
    if (i->op == OP_HERE) { k->here = number_of(p, k, i->a).what == PICKED ? PICKED : UNKNOWN; return true; }
    if ((i->op != OP_SET && i->op != OP_SET_FIELD) || i->d != p->keep) return true;
    set_of(p, k, i->a, on);
    k->touched = true;
    const int64_t least = g->keeps[p->keep].low;
    const bounds x = i->op == OP_SET ? number_of(p, k, i->b) : ANY_NUMBER;
    if (i->op == OP_SET && i->e == 0 && x.low == least && x.high == least) { k->emptied |= i->a >= g->reg_first && i->a < g->const_first && k->only[i->a - g->reg_first]; return true; }
    return !k->emptied || (i->e == 2 && x.low >= 0) || !meets(on, p->picked);
}

/* Behind a pick the pieces may do what they like, as long as nothing is chosen. */
static bool field_code(proof *p, known *k, const ins *i) { return i->op >= OP_SETTLE && i->op <= OP_SEEN && field_effect(p, k, i); }

static bool effect(proof *p, known *k, const ins *i)
{
    const game *g = p->g;
    if (p->keep >= 0) return field_code(p, k, i);
    uint64_t from[WORDS_MAX];
    switch ((opcode)i->op) {
    case OP_FLAG: case OP_SET: case OP_SET_FIELD: case OP_HERE: case OP_SEEN: case OP_BECOME_OWNER: case OP_BECOME_KIND: case OP_FIX_DICE: return true;
    case OP_SETTLE: add_places(k->filled, g->taken_first, g->taken_slots); return true;
    case OP_TAKE:
        set_of(p, k, i->a, from);
        add_places(k->filled, g->taken_first, g->taken_slots);
        return !meets(from, p->cells);
    case OP_PLACE_ZONE: fill_zones(p, k, number_of(p, k, i->a)); return true;
    case OP_SEND_ZONE: {
        const bounds zones = number_of(p, k, i->b);
        set_of(p, k, i->a, from);
        if (i->c & 1) add_places(k->filled, g->taken_first, g->taken_slots);
        fill_zones(p, k, i->c & 1 ? sum(zones, (bounds){ 0, g->player_count - 1, UNKNOWN }) : zones);
        return !meets(from, p->cells);
    }
    case OP_SEND: {
        const bounds to = number_of(p, k, i->b);
        set_of(p, k, i->a, from);
        if (to.low < g->cells || to.low != to.high || to.low >= g->taken_first) return must_be_none(p, k, from);
        fill_zones(p, k, (bounds){ g->zone_of[to.low], g->zone_of[to.low], UNKNOWN });
        return !meets(from, p->cells);
    }
    default: return false;
    }
}

/* ---- ways ------------------------------------------------------------------------------------------------------------------------------------- */
static bool plain(int op)
{
    return op <= OP_BAG_HOLDS || op == OP_RULE || (op >= OP_WRITE_TEXT && op <= OP_WRITE_NUMBER) || op == OP_MARK || op == OP_PASS || op == OP_AGAIN || op == OP_TURN_COUNT
        || op == OP_ALWAYS_NOTE || op == OP_CAN;
}

static void made(const proof *p, known *k, const ins *i)
{
    flow reads, writes;
    flow_of(p->g, i, &reads, &writes);
    for (int r = 0; r < p->g->num_regs && r < FLOW_REGISTERS; r++) if (writes.numbers[r / 64] >> (r % 64) & 1 && r + p->g->num_consts != i->a) k->numbers[r] = ANY_NUMBER;
    if (i->op <= OP_RELATION) number_made(p, k, i);
    else if (i->op >= OP_S_AND && i->op <= OP_S_EDGE) set_made(p, k, i);
    else if (i->op == OP_S_POP) { if (i->b >= p->g->reg_first && i->b < p->g->const_first) k->only[i->b - p->g->reg_first] = false; k->numbers[i->a - p->g->num_consts] = ANY_NUMBER; }
    else for (int r = 0; r < p->g->num_regs && r < FLOW_REGISTERS; r++) if (writes.numbers[r / 64] >> (r % 64) & 1) k->numbers[r] = ANY_NUMBER;
}

static bool follow(proof *p, known *k, uint32_t pc, int depth);

static bool branch(proof *p, const known *k, uint32_t pc, int depth)
{
    known *copy = known_new(p->g, k);
    const bool good = follow(p, copy, pc, depth + 1);
    known_free(copy);
    return good;
}

static bool follow(proof *p, known *k, uint32_t pc, int depth)
{
    for (;; pc++) {
        const ins *i = &p->g->code[pc];
        if (++p->steps > PLAN_STEPS_MAX || depth > BRANCHES_MAX) return false;
        if (i->op == OP_LEGAL || i->op == OP_COMMIT || (i->op >= OP_ROLL && i->op <= OP_RANDOM_KIND)) return p->keep < 0 || k->emptied;
        if (i->op == OP_FAIL || i->op == OP_FAULT) { p->may_fail = true; return true; }
        if (i->op == OP_RESULT) { p->may_fail = true; if (p->keep >= 0 && !k->emptied) return false; continue; }
        if (i->op == OP_JUMP) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_JUMP_NO || i->op == OP_JUMP_YES) {
            const bounds x = number_of(p, k, i->a);
            const bool zero = x.low == 0 && x.high == 0, some = x.low > 0 || x.high < 0;
            const bool stays = i->op == OP_JUMP_NO ? !zero : !some, goes = i->op == OP_JUMP_NO ? !some : !zero;
            if (goes && stays && !branch(p, k, (uint32_t)i->d, depth)) return false;
            if (!stays) pc = (uint32_t)i->d - 1;
            continue;
        }
        if (i->op == OP_S_POP && !branch(p, k, (uint32_t)i->d, depth)) return false;
        if (plain(i->op)) made(p, k, i);
        else if (!effect(p, k, i)) return false;
    }
}

bool apart_walk(compiler *c, const leg *l, uint32_t pc, apart *out)
{
    game *g = c->g;
    proof p = { .g = g, .keep = -1 };
    bool good = true;
    add_places(p.cells, 0, g->cells);
    for (int round = 0; round < 8; round++) {
        known *k = known_new(g, NULL);
        p.more = p.may_fail = false;
        add_places(k->filled, g->taken_first, g->taken_slots);
        for (int q = 0; q < g->player_count; q++)
            for (uint64_t m = g->relations[l->relation].mask[q]; m; m &= m - 1)
                for (int x = 0; x < g->places; x++) {
                    const int to = g->dirs[__builtin_ctzll(m)].next[x];
                    if (to != 0xFFFF && to >= g->cells && g->zone_of[to] >= 0) fill_zones(&p, k, (bounds){ g->zone_of[to], g->zone_of[to], UNKNOWN });
                }
        good = follow(&p, k, pc, 0);
        known_free(k);
        if (!good || !p.more) break;
    }
    if (!good || p.more) return false;
    uint64_t *vacant = arena_alloc(c->a, sizeof p.vacant);
    memcpy(vacant, p.vacant, sizeof p.vacant);
    bool some = false;
    for (int w = 0; w < WORDS_MAX; w++) some |= vacant[w] != 0;
    *out = (apart){ .tail = p.may_fail ? PLAN_TEST : PLAN_CLEAN, .vacant = some ? vacant : NULL };
    return true;
}

static bool jumped_to(const game *g, uint32_t pc)
{
    for (uint32_t k = 0; k < g->code_count; k++) {
        const ins *i = &g->code[k];
        if (i->op == OP_ALT) { for (int j = 0; j < i->e; j++) if ((uint32_t)g->lists[i->d + j] == pc) return true; }
        else if (i->op >= OP_S_POP && ((uint32_t)i->d == pc || (uint32_t)i->e == pc)) return true;
    }
    return pc == g->turn_pc;
}

/* The places a pick can be from at most: bounds of the straight code just before it. */
static void picked_from(const game *g, uint32_t pick, uint64_t *out)
{
    proof p = { .g = g, .keep = -1 };
    known *k = known_new(g, NULL);
    uint32_t from = pick;
    add_places(p.cells, 0, g->cells);
    while (from > 0 && from + 40 > pick && !jumped_to(g, from) && plain(g->code[from - 1].op)) from--;
    for (; from < pick; from++) made(&p, k, &g->code[from]);
    set_of(&p, k, g->code[pick].b, out);
    for (int w = 0; w < WORDS_MAX; w++) out[w] &= p.cells[w];
    known_free(k);
}

/* The keep of cells whose number at the place picked is set to the least. */
static bool keep_apart(game *g, uint32_t pick, int keep_, apart *out)
{
    const ins *i = &g->code[pick];
    proof p = { .g = g, .keep = keep_, .limit = INT64_MAX };
    known *k = known_new(g, NULL);
    add_places(p.cells, 0, g->cells);
    memcpy(p.picked, out->picked, sizeof p.picked);
    k->numbers[i->a - g->num_consts] = (bounds){ INT64_MIN, INT64_MAX, PICKED };
    k->here = i->d & 1 ? PICKED : UNKNOWN;
    const bool good = follow(&p, k, pick + 1, 0);
    known_free(k);
    out->tail = p.may_fail ? PLAN_TEST : PLAN_CLEAN;
    out->keep = keep_;
    out->limit = p.limit;
    return good;
}

bool apart_fields(compiler *c, uint32_t pick, apart *out)
{
    game *g = c->g;
    const ins *i = &g->code[pick];
    *out = (apart){ .keep = -1 };
    if (i->a < g->num_consts || i->a >= g->num_base) return false;
    picked_from(g, pick, out->picked);
    for (int k = 0; k < g->keep_count; k++) {
        const keep *x = &g->keeps[k];
        if (x->of == KEEP_CELL && x->type == KEEP_NUMBER && !x->aside && !x->turn && keep_apart(g, pick, k, out)) return true;
    }
    return false;
}
