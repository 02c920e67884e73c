/* Drawing: a move is drawn where it is chosen. Included once per width by vm.c.
 *
 * Where a turn comes to one choice of which nothing more need be known (game.draws, compile/drawn.c), it is gone through once, in mode DRAW:
 * the choice gathers the targets of its items in `lots`, draws one of them, makes it, and the run goes on behind it in mode PLAY. Nothing is
 * collected, kept or gone twice. If there is no target the run ends there; nothing but registers has changed, and the turn is collected
 * (decide.h). The lots lie as the batches of batch.h would, so that both draw the same move. */
#ifndef JOC_DRAW_H
#define JOC_DRAW_H
#include "random.h"

/* Sets of targets, what of each item and shot, and how many there are up to its end. */
typedef struct {
    uint64_t sets[DRAWN_SETS_MAX][WORDS];
    const plan_item *items[DRAWN_SETS_MAX];
    int shifts[DRAWN_SETS_MAX];         /* where nobody asks along which direction, else: */
    int dirs[DRAWN_SETS_MAX];
    uint32_t upto[DRAWN_SETS_MAX], total;
    int count;
    bool lead_on;                       /* behind some of them more may be chosen */
} lots;

INLINE void lots_add(lots *l, const plan_item *item, int shift)
{
    l->items[l->count] = item;
    l->shifts[l->count] = shift;
    l->total += (uint32_t)set_count(l->sets[l->count]);
    l->upto[l->count++] = l->total;
}

/* Draws a target: which of the sets it is in, and where it is. */
INLINE int lots_draw(const lots *l, uint64_t random[4], int *target)
{
    const uint64_t k = random_below(random, l->total);
    int set = 0;
    for (int j = 0; j + 1 < l->count; j++) set += k >= l->upto[j];
    *target = set_pick(l->sets[set], (int)(k - (set ? l->upto[set - 1] : 0)));
    return set;
}

INLINE void lots_shots(vm *v, lots *l, const plan_item *item, int64_t mover, const uint64_t *walkers)
{
    const uint64_t *target = S(G(v)->legs[item->leg].target);
    uint64_t from[WORDS];
    item_walkers(v, item, walkers, from);
    EACH_SHOT(item, mover, s, {
        uint64_t to[WORDS];
        set_and(to, from, s->mask);
        set_shift(to, to, s->shift);
        set_and(l->sets[l->count], to, target);
        lots_add(l, item, s->shift);
    })
}

/* The walker makes his leg. Nobody asks along which direction. */
INLINE uint32_t draw_step(vm *v, const ins *i, const plan_item *item, int from, int target)
{
    choose_place(v, i, from);
    leg_make(v, &G(v)->legs[item->leg], (uint32_t)target);
    return v->stop ? OUT : item->entry;
}

INLINE uint32_t draw_walker(vm *v, const ins *i, const plan *p)
{
    const int64_t mover = H(H_MOVER);
    lots l;
    int target;
    l.total = 0;
    l.count = 0;
    EACH_ITEM(p, item, lots_shots(v, &l, item, mover, S(i->b)))
    if (!l.total) return OUT;
    const int set = lots_draw(&l, v->draws, &target), from = target - l.shifts[set];
    const plan_item *const item = l.items[set];
    v->mode = MODE_PLAY;
    WITH_DRAWN(p, item, return draw_step(v, i, item, from, target);)
}

DRAWS uint32_t draw_drop(vm *v, const ins *i)
{
    const plan *p = &G(v)->plans[i->c - 1];
    const int kind = G(v)->lists[i->d];
    lots l;
    int target;
    l.total = 0;
    l.count = 0;
    EACH_ITEM(p, item, drop_targets(v, item, S(i->a), l.sets[l.count]); lots_add(&l, item, 0))
    if (!l.total) return OUT;
    const int set = lots_draw(&l, v->draws, &target);
    v->mode = MODE_PLAY;
    choose_drop(v, i, kind, target, kind);
    return v->stop ? OUT : l.items[set]->entry;
}

/* A copy is kept, for other options may turn out to lead to the same position (options.h). */
INLINE uint32_t draw_option(vm *v, const ins *i, const plan *p)
{
    const plan_item *item = &G(v)->plan_items[p->first];
    const uint64_t *from = S(i->b);
    if (!set_any(from) || !options_low(v, item, from)) return OUT;
    set_copy(v->collect_origins, from);
    v->first_pc = (uint32_t)(i - G(v)->code);
    v->drawn_mark = save(v, v->first_pc);
    v->drawn_option = set_pick(from, (int)random_below(v->draws, (uint64_t)set_count(from)));
    v->mode = MODE_PLAY;
    choose_place(v, i, v->drawn_option);
    return item->entry;
}

DRAWS uint32_t draw_pick(vm *v, const ins *i)
{
    const plan *p = &G(v)->plans[i->e - 1];
    return G(v)->plan_items[p->first].options ? draw_option(v, i, p) : draw_walker(v, i, p);
}
#endif
