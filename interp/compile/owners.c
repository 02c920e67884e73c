/* Does each zone that somebody owns only ever get pieces of his?
 *
 * A piece that comes into such a zone becomes its owner's (machine/piece.h). Where none ever comes that was somebody else's, a zone can hold no
 * more pieces than its owner has. The turn is followed once for each player who may be on turn: of each register, in which sorts of places
 * (the board, each zone, what was taken) its places can be, and whose pieces can stand there. What is not understood can be anywhere and
 * anybody's; so can everything be as soon as a piece moves, but the walker himself and what was taken. All this only grows until nothing
 * changes (a data-flow analysis, as in slots.c).
 *
 * Where the pieces of a stack are alike, whoever lies below belongs to him on top. As long as no piece is made and none has changed hands, nobody has
 * more pieces than he began with; if a stack has room for so many, a piece that comes upon its own takes nothing. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "flow.h"

enum { OWNED_SORTS_MAX = 62, OWNED_WORK_MAX = 2 * 1000 * 1000 };

/* Places by sort (0 the board, 1 + z a zone, the last what was taken), and whose pieces stand on those of the board, and on those beyond: bit 0
 * nobody's, 1 + p a player's. */
typedef struct { uint64_t sorts; uint32_t owners, beyond; } held;
static const held ANYTHING = { ~0ull, ~0u, ~0u };

/* What registers hold before an instruction: numbers, sets, then `here` and what was taken this turn. */
typedef struct {
    const game *g;
    int player, registers;
    held *before;
    bool *reached, changed, failed;
    bool roomy;                 /* stacks are alike, and have room for all that anybody has */
    uint32_t some;              /* who has any pieces */
} owners;

static bool owned(const game *g, int z) { return g->zones[z].owner >= 0; }
static uint32_t owner_bit(int owner) { return 1u << (owner + 1); }
static held *here_of(const owners *o, held *now) { return &now[o->registers - 2]; }
static held *taken_of(const owners *o, held *now) { return &now[o->registers - 1]; }

static int sort_of(const game *g, int place) { return place < g->cells ? 0 : place < g->taken_first ? 1 + g->zone_of[place] : g->zone_count + 1; }

static void add(held *to, held more) { to->sorts |= more.sorts; to->owners |= more.owners; to->beyond |= more.beyond; }
static uint32_t whose(held h) { return (h.sorts & 1 ? h.owners : 0) | (h.sorts & ~1ull ? h.beyond : 0); }

/* Whose pieces stand in places of these sorts. */
static held of_sorts(const owners *o, held *now, uint64_t in)
{
    const game *g = o->g;
    held h = { in, in & 1 ? ~0u : 0, 0 };
    for (int z = 0; z < g->zone_count; z++) if (in >> (1 + z) & 1) h.beyond |= owned(g, z) ? owner_bit(g->zones[z].owner) : ~0u;
    if (in >> (g->zone_count + 1)) h.beyond |= taken_of(o, now)->owners;
    return h;
}

static held constant_held(const owners *o, held *now, int operand)
{
    const game *g = o->g;
    const uint64_t *s = g->const_set[o->player] + (size_t)(operand - g->const_first) * (size_t)g->words;
    uint64_t in = 0;
    for (int x = 0; x < g->places; x++) if (s[x / 64] >> (x % 64) & 1) in |= 1ull << sort_of(g, x);
    return of_sorts(o, now, in);
}

static held set_held(const owners *o, held *now, int operand)
{
    const game *g = o->g;
    const int r = operand - g->reg_first;
    if (operand >= g->const_first) return constant_held(o, now, operand);
    if (r >= 0) return r < g->set_regs ? now[g->num_regs + r] : ANYTHING;
    if (operand == SET_EMPTY) return (held){ 1, 0, 0 };
    if (operand == SET_OWN) return (held){ 1, owner_bit(o->player), 0 };
    if (operand == SET_ENEMY && g->player_count == 2) return (held){ 1, owner_bit(1 - o->player), 0 };
    if (operand == SET_NEUTRAL) return (held){ 1, owner_bit(-1), 0 };
    if (operand >= SET_PLAYERS && operand < SET_PLAYERS + g->player_count) return (held){ 1, owner_bit(operand - SET_PLAYERS), 0 };
    return ANYTHING;
}

static held number_held(const owners *o, held *now, int operand)
{
    const game *g = o->g;
    const int r = operand - g->num_consts;
    if (operand == g->num_base + H_HERE || operand == g->num_base + H_START) return operand == g->num_base + H_HERE ? *here_of(o, now) : ANYTHING;
    if (r >= 0 && r < g->num_regs) return now[r];
    if (r >= 0 || g->const_num[operand] < 0 || g->const_num[operand] >= g->places) return ANYTHING;
    return of_sorts(o, now, 1ull << sort_of(g, (int)g->const_num[operand]));
}

/* Whose pieces of both: those of places that are in the one and in the other. */
static held both(held a, held b) { return (held){ a.sorts & b.sorts, a.owners & b.owners, a.beyond & b.beyond }; }

static void comes(owners *o, held what, uint64_t to)
{
    const game *g = o->g;
    for (int z = 0; z < g->zone_count; z++) o->failed |= (to >> (1 + z) & 1) && owned(g, z) && (whose(what) & o->some & ~owner_bit(g->zones[z].owner));
}

/* The zone that a number names: what was made of it right before tells. -1: not known. */
static int zone_named(const owners *o, uint32_t pc, int operand)
{
    const game *g = o->g;
    if (operand < g->num_consts) return (int)g->const_num[operand];
    int base = -1;
    for (uint32_t at = pc; at-- > g->turn_pc && pc - at < 60;) {
        const ins *i = &g->code[at];
        if (i->op > OP_RELATION || i->a != operand) continue;
        if (base < 0) {
            if (i->op != OP_ADD || i->c >= g->num_consts) return -1;
            base = (int)g->const_num[i->c];
            operand = i->b;
            if (operand == g->num_base + H_MOVER || operand == g->num_base + H_ACTOR) return base + o->player;
            continue;
        }
        const bool own = i->b == g->num_base + H_MOVER || i->b == g->num_base + H_ACTOR;
        return i->op == OP_NEXT && own && g->player_count == 2 ? base + 1 - o->player : -1;
    }
    return -1;
}

/* The sorts to which a relation may lead, if it leads off the board. */
static uint64_t led_to(const owners *o, int relation_index)
{
    const game *g = o->g;
    const relation *r = &g->relations[relation_index];
    const uint64_t dirs = r->reg >= 0 ? ~0ull : r->mask[o->player];
    uint64_t to = 1;
    for (int d = 0; d < g->dir_count; d++) {
        if (!(dirs >> d & 1)) continue;
        const direction *way = &g->dirs[d];
        for (int x = 0; !way->graph && x < g->places; x++) if (way->next[x] != 0xFFFF) to |= 1ull << sort_of(g, way->next[x]);
        for (int x = 0; way->graph && x < g->places; x++)
            for (int y = 0; y < g->places; y++) if (way->image[(size_t)x * (size_t)g->words + (size_t)y / 64] >> (y % 64) & 1) to |= 1ull << sort_of(g, y);
    }
    return to;
}

/* A piece moves: who stands where is not known any more, but for what was taken. */
static void moved(const owners *o, held *now) { for (int r = 0; r < o->registers - 1; r++) now[r].owners = now[r].beyond = ~0u; }

/* Can who lies below be another's than who stands on top? */
static bool stacks_mixed(const owners *o) { return o->g->pile_max > 1 && !o->roomy; }

/* Whom a walker takes of those who stand where he comes to. */
static uint32_t taken_by(const owners *o, held walker, held there)
{
    const uint32_t own = whose(walker);
    return (stacks_mixed(o) ? ~0u : there.owners) & (o->roomy && !(own & (own - 1)) ? ~own : ~0u);
}

static void follow_step(owners *o, held *now, const ins *i)
{
    const game *g = o->g;
    const leg *l = &g->legs[i->a];
    held target = l->target >= 0 ? set_held(o, now, l->target) : ANYTHING, here = *here_of(o, now);
    target.sorts &= led_to(o, l->relation);
    comes(o, here, target.sorts);
    taken_of(o, now)->owners |= taken_by(o, here, target);
    moved(o, now);
    *here_of(o, now) = (held){ target.sorts, whose(here) | target.owners, whose(here) | target.beyond };      /* if nobody walks it is who stands there */
}

/* The pieces that an instruction takes off a set: of stacks more than the top ones may be anybody's. */
static held lifted(const owners *o, held *now, const ins *i, bool more)
{
    held what = set_held(o, now, i->a);
    if (more && stacks_mixed(o)) what.owners = ~0u;
    return what;
}

static void follow_pieces(owners *o, held *now, uint32_t pc)
{
    const game *g = o->g;
    const ins *i = &g->code[pc];
    int to;
    switch ((opcode)i->op) {
    case OP_STEP: follow_step(o, now, i); return;
    case OP_SEND: comes(o, lifted(o, now, i, i->d >= 0), number_held(o, now, i->b).sorts); break;
    case OP_SEND_ZONE:
        to = zone_named(o, pc, i->b);
        if (i->c & 1) { if (whose(lifted(o, now, i, i->d >= 0)) & o->some & owner_bit(-1)) o->failed = true; }
        else comes(o, lifted(o, now, i, i->d >= 0), to >= 0 && to < g->zone_count ? 2ull << to : ~0ull);
        moved(o, now);                                  /* it comes upon nobody */
        return;
    case OP_SEND_ALONG: comes(o, set_held(o, now, i->a), led_to(o, i->d)); break;
    case OP_DROP_FROM: comes(o, set_held(o, now, i->b), set_held(o, now, i->a).sorts); break;
    case OP_TAKE: taken_of(o, now)->owners |= whose(lifted(o, now, i, i->b != 65535)); moved(o, now); return;
    case OP_BECOME_OWNER: case OP_MOVER: o->failed = true; return;
    case OP_DROP: case OP_PLACE: case OP_PLACE_ZONE: o->failed |= o->roomy; break;
    default: return;
    }
    taken_of(o, now)->owners = ~0u;                     /* it may have come upon anybody */
    moved(o, now);
}

/* What is left of a set without another. */
static held without(const owners *o, held *now, int from, int less)
{
    const game *g = o->g;
    held h = set_held(o, now, from);
    const bool all_of_one = less == SET_OWN || (less == SET_ENEMY && g->player_count == 2) || less == SET_NEUTRAL || (less >= SET_PLAYERS && less < SET_PLAYERS + g->player_count);
    if (all_of_one) h.owners &= ~set_held(o, now, less).owners;
    return h;
}

static void follow_registers(const owners *o, held *now, const ins *i)
{
    const game *g = o->g;
    held to = ANYTHING;
    switch ((opcode)i->op) {
    case OP_S_AND: to = both(set_held(o, now, i->b), set_held(o, now, i->c)); break;
    case OP_S_OR: case OP_S_CHOOSE: to = set_held(o, now, i->b); add(&to, set_held(o, now, i->c)); break;
    case OP_S_ANDN: to = without(o, now, i->b, i->c); break;
    case OP_S_BUT: case OP_S_COPY: case OP_PICK: case OP_RANDOM: case OP_FIRST: case OP_S_POP: to = set_held(o, now, i->b); break;
    case OP_S_PLACE: case OP_MOVE: to = number_held(o, now, i->b); break;
    case OP_S_LESS: return;
    case OP_HERE: *here_of(o, now) = number_held(o, now, i->a); return;
    case OP_SOW: *here_of(o, now) = ANYTHING; return;
    case OP_DROP: case OP_DROP_FROM: *here_of(o, now) = ANYTHING; return;
    default: break;
    }
    const bool set = i->op >= OP_S_AND && i->op <= OP_S_EDGE;
    const int r = set ? g->num_regs + i->a - g->reg_first : i->a - g->num_consts, first = set ? g->num_regs : 0, end = set ? g->num_regs + g->set_regs : g->num_regs;
    const bool number = i->op <= OP_RELATION || (i->op >= OP_PICK && i->op <= OP_PICK_BAG) || (i->op > OP_ROLL && i->op <= OP_RANDOM_KIND) || i->op == OP_STUCK || i->op == OP_CAN || i->op == OP_S_POP || i->op == OP_LOOP || i->op == OP_FLOOD;
    if ((set || number) && r >= first && r < end) now[r] = to;
    if ((i->op == OP_PICK || i->op == OP_RANDOM) && i->d & 1) *here_of(o, now) = to;
}

static void join(owners *o, uint32_t pc, const held *now)
{
    held *before = o->before + (size_t)pc * (size_t)o->registers;
    if (!o->reached[pc]) o->reached[pc] = o->changed = true;
    for (int r = 0; r < o->registers; r++) {
        if (!(now[r].sorts & ~before[r].sorts) && !(now[r].owners & ~before[r].owners) && !(now[r].beyond & ~before[r].beyond)) continue;
        add(&before[r], now[r]);
        o->changed = true;
    }
}

static void follow(owners *o)
{
    const game *g = o->g;
    held *now = calloc((size_t)o->registers, sizeof *now);
    if (!now) abort();
    for (int r = 0; r < o->registers - 1; r++) now[r] = ANYTHING;
    join(o, g->turn_pc, now);                           /* nothing was taken yet */
    for (o->changed = true; o->changed && !o->failed;) {
        o->changed = false;
        for (uint32_t pc = g->turn_pc; pc < g->code_count && !o->failed; pc++) {
            uint32_t next[64];
            if (!o->reached[pc]) continue;
            memcpy(now, o->before + (size_t)pc * (size_t)o->registers, (size_t)o->registers * sizeof *now);
            follow_pieces(o, now, pc);
            follow_registers(o, now, &g->code[pc]);
            const int n = flow_successors(g, pc, next, 64);
            o->failed |= n == 64;
            for (int j = 0; j < n; j++) join(o, next[j], now);
        }
    }
    free(now);
}

int stacks_least(const game *g)
{
    int least = g->pile_max;
    for (int p = 0; p < g->cells; p++) if (g->stack_size[p] < least) least = g->stack_size[p];
    return least;
}

bool zones_own(const game *g, int most, bool neutral)
{
    owners o = { .g = g, .registers = g->num_regs + g->set_regs + 2, .roomy = g->piles_alike && most <= stacks_least(g), .some = (owner_bit(g->player_count) - 1) & (neutral ? ~0u : ~owner_bit(-1)) };
    if (g->zone_count + 2 > OWNED_SORTS_MAX || (size_t)o.registers * g->code_count > OWNED_WORK_MAX) return false;
    for (; o.player < g->player_count && !o.failed; o.player++) {
        o.before = calloc((size_t)o.registers * (g->code_count + 1), sizeof *o.before);
        o.reached = calloc(g->code_count + 1, sizeof *o.reached);
        if (!o.before || !o.reached) abort();
        follow(&o);
        free(o.before);
        free(o.reached);
    }
    return !o.failed;
}
