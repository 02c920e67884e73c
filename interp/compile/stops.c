/* Plans: first legs behind which a repetition ends at once.
 *
 *     { step over enemy to empty, take passed }+ until stuck          or, the player may stop: { ... }+
 *
 * Most chains of jumps have one jump. What comes behind the first leg of such a repetition is a tree of choices, but for landings from which
 * its body cannot go on there is nothing to choose: so the item becomes two, of which the first has those landings and goes on behind the
 * repetition (plan_item.body), and the second, a tree as before, has the rest.
 *
 * Whether the body can go on is a question about its legs: (leg, set of cells it may begin in, or -1). Legs are followed cell by cell, over
 * sets that the machine knows after the first leg without making it: own, enemy, occupied, empty, and what never changes. Where the body asks
 * anything else before a leg, that leg is taken to be possible as far as the cells go; where it could do more than walk, there is no such item.
 * The code between the leg and the end of the body is copied, to go on behind the repetition. */
#include <stdlib.h>
#include "plan.h"

enum { LEGS_MOST = 16, COPIED_MOST = 32, STEPS_MOST = 400, FROM_NOT = 1 << 20, ANYWHERE = -1, NOWHERE = -2 };

typedef struct {
    const game *g;
    const int32_t *known; int known_count;      /* what holds of who walks: sets he is in, | FROM_NOT: is not in */
    int32_t legs[2 * LEGS_MOST]; int leg_count;
    int steps;
    bool failed;
} body;

static bool followed(const game *g, int set) { return set == SET_EMPTY || set == SET_OCCUPIED || set == SET_OWN || set == SET_ENEMY || set >= g->const_first; }

static bool body_leg(const game *g, const leg *l)
{
    const relation *r = &g->relations[l->relation];
    if (r->reg >= 0 || r->times >= 0 || l->slide || l->place_only || l->target < 0 || !followed(g, l->target)) return false;
    for (int i = 0; i < l->pattern_count; i++) if (g->patterns[l->pattern + i].how != '1' || !followed(g, g->patterns[l->pattern + i].set)) return false;
    for (int p = 0; p < g->player_count; p++) for (uint64_t m = r->mask[p]; m; m &= m - 1) if (g->dirs[__builtin_ctzll(m)].graph) return false;
    return true;
}

static bool is_kind(const game *g, int set) { return set >= g->kind_first && set < g->kind_first + g->kind_count; }

/* Where a leg may begin if `here in set`: the piece is of the kind it was. */
static int begins_in(const body *b, int set, bool holds)
{
    if (set >= b->g->const_first) return holds ? set : set | FROM_NOT;
    if (!is_kind(b->g, set)) return ANYWHERE;
    for (int i = 0; i < b->known_count; i++) {
        const int known = b->known[i] & ~FROM_NOT;
        const bool in = !(b->known[i] & FROM_NOT);
        if (known == set) return in == holds ? ANYWHERE : NOWHERE;
        if (in && holds && is_kind(b->g, known)) return NOWHERE;
    }
    return ANYWHERE;
}

static void body_look(body *b, uint32_t pc, int from);

/* Both ways of a jump: `set` is where `here` must be for the register to say yes, -1 not known. Of several sets asked for the first is kept. */
static void body_jump(body *b, uint32_t pc, int set, int from)
{
    const ins *i = &b->g->code[pc];
    const uint32_t yes = i->op == OP_JUMP_YES ? (uint32_t)i->d : pc + 1, no = i->op == OP_JUMP_YES ? pc + 1 : (uint32_t)i->d;
    for (int holds = 1; holds >= 0; holds--) {
        const int where = set < 0 ? ANYWHERE : begins_in(b, set, holds != 0);
        if (where != NOWHERE) body_look(b, holds ? yes : no, from == ANYWHERE ? where : from);
    }
}

static void body_look(body *b, uint32_t pc, int from)
{
    int reg = -1, set = -1;
    for (; !b->failed; pc++) {
        const ins *i = &b->g->code[pc];
        if (++b->steps > STEPS_MOST) { b->failed = true; return; }
        switch ((opcode)i->op) {
        case OP_RULE: continue;
        case OP_FAIL: return;
        case OP_JUMP: pc = (uint32_t)i->d - 1; continue;
        case OP_ALT: for (int j = 0; j < i->e; j++) body_look(b, (uint32_t)b->g->lists[i->d + j], from); return;
        case OP_HOLDS: if (i->b != b->g->num_base + H_HERE) break; reg = i->a; set = i->c; continue;
        case OP_JUMP_NO: case OP_JUMP_YES: body_jump(b, pc, i->a == reg ? set : -1, from); return;
        case OP_STEP:
            if (b->leg_count == LEGS_MOST || !body_leg(b->g, &b->g->legs[i->a])) { b->failed = true; return; }
            b->legs[2 * b->leg_count] = i->a;
            b->legs[2 * b->leg_count++ + 1] = from;
            return;
        default: break;
        }
        if (i->op > OP_MOVER || i->a >= b->g->num_base || !flow_only_registers(i)) { b->failed = true; return; }
        if (i->a == reg) reg = -1;
    }
}

/* Straight code that leaves all pieces but those passed. */
static bool leaves_pieces(const ins *i)
{
    if (i->op == OP_TAKE) return i->a == SET_PASSED && i->b == UINT16_MAX;
    return i->op == OP_FLAG || i->op == OP_SET || i->op == OP_SETTLE || (i->op <= OP_BAG_HOLDS && i->op != OP_MOVER && i->op != OP_STORE && i->op != OP_S_POP && i->op != OP_S_LESS);
}

typedef struct { uint32_t copied[COPIED_MOST]; int count; bool takes; uint32_t again, out; } ending;

/* From behind the leg to the end of the body, and what then decides whether it goes on. */
static bool find_ending(const game *g, uint32_t pc, ending *e)
{
    bool seen = false;
    for (int steps = 0; steps < STEPS_MOST; steps++, pc++) {
        const ins *i = &g->code[pc];
        if (i->op == OP_RULE || i->op == OP_BODY_END) continue;
        if (i->op == OP_JUMP && (uint32_t)i->d > pc) { pc = (uint32_t)i->d - 1; continue; }
        if (i->op == OP_LOOP_SEEN && !seen) { seen = true; continue; }
        if (seen) {
            if (i->op == OP_STUCK && i[1].op == OP_JUMP_YES && i[1].a == i->a) { e->again = (uint32_t)i->d; e->out = (uint32_t)i[1].d; return true; }
            if (i->op != OP_ALT || i->e != 2) return false;
            const uint32_t first = (uint32_t)g->lists[i->d], second = (uint32_t)g->lists[i->d + 1];
            e->out = first > pc ? first : second;
            e->again = first > pc ? second : first;
            return e->again < pc && e->out > pc;
        }
        if (!leaves_pieces(i) || e->count == COPIED_MOST) return false;
        e->takes |= i->op == OP_TAKE;
        e->copied[e->count++] = pc;
    }
    return false;
}

static void copy_code(compiler *c, const ending *e)
{
    game *g = c->g;
    for (int k = 0; k < e->count; k++) { const ins copy = g->code[e->copied[k]]; g->code[emit(c, OP_RETURN, 0, 0, 0, 0, 0)] = copy; }
    emit(c, OP_JUMP, 0, 0, 0, (int32_t)e->out, 0);
}

bool stops_find(compiler *c, const plan_item *whole, const int32_t *known, int known_count, plan_item *stop)
{
    game *g = c->g;
    const leg *l = &g->legs[whole->leg];
    ending e = { .count = 0 };
    body b = { .g = g, .known = known, .known_count = known_count };
    if (whole->drop || whole->gather == GATHER_FROM || !l->settle || l->place_only || g->pile_max > 1 || !find_ending(g, whole->entry, &e)) return false;
    const int class_ = tail_class(g, e.out);
    if (class_ == PLAN_TREE) return false;
    body_look(&b, e.again, ANYWHERE);
    if (b.failed || !b.leg_count) return false;
    *stop = *whole;
    stop->entry = g->code_count;
    stop->tail = (uint8_t)class_;
    stop->body = list_add(c, b.legs, 2 * b.leg_count);
    stop->body_count = b.leg_count;
    stop->body_takes = e.takes;
    copy_code(c, &e);
    return true;
}
