/* Batches: the first choices of a decision taken for all pieces at once. Included once per width by vm.c.
 *
 * In mode COLLECT the code runs to its choices. Where the compiler left a plan (compile/plan.c), each of its items becomes, for every
 * direction, one set of targets: every bit of it is a move, or a candidate, whose origin follows from the direction. Nothing is
 * written out. Where there is no plan, the choice is tried as ever and gives leaves. The number of moves is then a sum of counts, the
 * k-th move a bit. A bit becomes a move by making its leg and going on behind it (plan_item.entry), or, where that is not allowed, by
 * replaying its choices from the first one: those before the pick, the origin, the alternatives, the leg.
 *
 * What is merged. Targets of one plan that could agree are compared (plan.pairs); plans of one decision must be of different kinds
 * of pieces; a leaf must not lead from and to the places of a bit (of origins: there must be none but passes). Where any of this fails, `collect` fails and the decision is listed. */
#ifndef JOC_BATCH_H
#define JOC_BATCH_H

enum { PREFIX_MAX = 6 };

typedef struct {
    const plan_item *item;
    uint32_t pick_pc;
    uint16_t dir;
    int16_t origin;             /* of all its bits, along whatever direction; -1: each bit lies along `dir` from its own */
    int16_t more;               /* what is chosen behind the leg, if item->more_count */
    uint8_t prefix_length;
    uint32_t prefix[PREFIX_MAX];
    int count;
    _Alignas(16) uint64_t set[WORDS];      /* so that the next one is a shift away */
} batch;
static_assert(offsetof(vm, shares_used) < offsetof(vm, collecting) + sizeof ((vm *)NULL)->collecting, "all of it is forgotten");
static_assert(sizeof(batch) <= BATCH_HEAD + WORDS * sizeof(uint64_t), "vm_new makes room for batches");

static batch *batches(const vm *v) { return v->batches; }

static void collect_sure(vm *v, uint32_t choice, uint64_t ends);
static bool counted_apart(const vm *v);

/* Place number k of a set that has so many. */
INLINE int set_pick(const uint64_t *s, int k)
{
    EACH_WORD(w) {
        const int n = w + 1 < WORDS ? __builtin_popcountll(s[w]) : 64;
        if (k < n) {
#ifdef __BMI2__
            return w * 64 + __builtin_ctzll(__builtin_ia32_pdep_di(1ull << k, s[w]));
#else
            uint64_t x = s[w];
            for (; k; k--) x &= x - 1;
            return w * 64 + __builtin_ctzll(x);
#endif
        }
        k -= n;
    }
    return -1;
}

/* Targets of a slide from one place: up to the first place that is not empty, and that too. */
static inline void slide_from(const vm *v, const direction *d, int place, uint64_t *out)
{
    const uint64_t *ray = d->rays + (size_t)place * WORDS, *empty = S(SET_EMPTY);
    uint64_t blocked[WORDS], to[WORDS];
    set_andn(blocked, ray, empty);
    if (d->rising) set_up_to(to, ray, blocked); else set_down_to(to, ray, blocked);
    set_or(out, out, to);
}

static void slide_all(const vm *v, const direction *d, const uint64_t *from, uint64_t *out)
{
    uint64_t left[WORDS];
    set_and(left, from, d->mask);
    if (d->rays) { for (int x; (x = set_pop(left)) >= 0;) slide_from(v, d, x, out); return; }
    uint64_t then[WORDS], seen[WORDS];
    const uint64_t *empty = S(SET_EMPTY);
    set_clear(seen);
    do {
        set_clear(then);
        step_into(v, d, left, then);
        EACH_WORD(k) { then[k] &= ~seen[k]; seen[k] |= then[k]; left[k] = then[k] & empty[k]; }
    } while (set_any(left));
    set_or(out, out, seen);
}

KNOWN_PLAN bool batch_add(vm *v, const plan_item *item, uint32_t pick_pc, int dir, int start, const uint64_t *set)
{
    const int n = set_count(set);
    if (!n) return true;
    if (v->batch_count == BATCHES_MAX || v->path_top > PREFIX_MAX) { v->collect_failed = true; return false; }
    batch *b = &batches(v)[v->batch_count++];
    b->item = item;
    b->pick_pc = pick_pc;
    b->dir = (uint16_t)dir;
    b->origin = (int16_t)start;
    if (!item->entry || item->options) {
        b->prefix_length = (uint8_t)v->path_top;
        for (size_t i = 0; i < v->path_top; i++) b->prefix[i] = v->path[i];
    }
    b->count = n;
    set_copy(b->set, set);
    v->batch_total += (uint32_t)n;
    v->batch_tests |= item->tail == PLAN_TEST;
    return true;
}

/* Where the walker stands whose steps lead to this target along a direction. */
INLINE int stepped_from(const leg *l, const direction *d, int target)
{
    int x = d->back[target];
    for (int i = 0; i < l->pattern_count; i++) x = d->back[x];
    return x;
}

/* Where the walker of a target stands. */
KNOWN_PLAN int origin_of(const vm *v, const batch *b, int target)
{
    if (b->origin >= 0) return b->origin;
    const leg *l = &G(v)->legs[b->item->leg];
    const direction *d = &G(v)->dirs[b->dir];
    if (!l->slide) return stepped_from(l, d, target);
    const uint64_t *empty = S(SET_EMPTY);
    int x = d->back[target];
    while (x != 0xFFFF && set_has(empty, x)) x = d->back[x];
    return x;
}

/* Does a leg lead from one place to another along this direction? */
static bool leads(const vm *v, const leg *l, const direction *d, int from, int to)
{
    int x = d->next[from];
    if (!l->slide) { for (int i = 0; i < l->pattern_count && x != 0xFFFF; i++) x = d->next[x]; return x == to; }
    if (d->rays) return set_has(d->rays + (size_t)from * WORDS, to);
    const uint64_t *empty = S(SET_EMPTY);
    while (x != 0xFFFF && x != to && x != from && set_has(empty, x)) x = d->next[x];
    return x == to;
}

/* The direction in which the target of a batch lies. */
KNOWN_PLAN int way_of(const vm *v, const batch *b, int target)
{
    if (b->origin < 0) return b->dir;
    const leg *l = &G(v)->legs[b->item->leg];
    uint64_t m = G(v)->relations[l->relation].mask[H(H_MOVER)];
    while (m & (m - 1) && !leads(v, l, &G(v)->dirs[__builtin_ctzll(m)], b->origin, target)) m &= m - 1;
    return __builtin_ctzll(m);
}

static inline int landing_of(const vm *v, const plan_item *item, int from);

/* Who walks, and his leg, of a bit. */
KNOWN_PLAN int walker_of(const vm *v, const batch *b, int bit) { return b->item->origins ? bit : origin_of(v, b, bit); }

KNOWN_PLAN uint32_t leg_of(const vm *v, const batch *b, int bit)
{
    return b->item->origins ? (uint32_t)b->dir << 16 | (uint32_t)landing_of(v, b->item, bit) : (uint32_t)way_of(v, b, bit) << 16 | (uint32_t)bit;
}

/* The choices of a bit, behind what stands in the path. */
static void push_choices(vm *v, const batch *b, int target)
{
    if (b->item->drop) { path_push(v, (uint32_t)G(v)->lists[G(v)->code[b->pick_pc].d] << 16 | (uint32_t)target); return; }
    if (b->item->options) { path_push(v, (uint32_t)target); return; }
    const uint32_t step = leg_of(v, b, target);
    path_push(v, (uint32_t)walker_of(v, b, target));
    for (int i = 0; i < b->item->alt_count; i++) path_push(v, (uint32_t)G(v)->lists[b->item->alts + i]);
    path_push(v, step);
    if (b->item->more_count) path_push(v, (uint32_t)b->more);
}

static void collect_begins(vm *v, uint32_t pc)
{
    if (v->first_pc) return;
    v->first_pc = pc;
    v->others = H(H_MOVER) != H(H_ACTOR);
}
static void collect_fails(vm *v, uint32_t pc) { collect_begins(v, pc); v->collect_failed = true; }

static bool branch_apart(const vm *v, const batch *b, int x);
static bool branches_alone(const vm *v);

/* The bits of a TREE item are followed at once: each becomes the leaves of what can be chosen after it, or that is counted (branch.h). */
static void follow(vm *v, const plan_item *item, uint32_t pick_pc, int dir, int start, const uint64_t *set)
{
    const batch b = { .item = item, .pick_pc = pick_pc, .dir = (uint16_t)dir, .origin = (int16_t)start };
    uint64_t left[WORDS];
    set_copy(left, set);
    size_t mark = save(v, pick_pc), top = v->path_top;
    for (int x; (x = set_pop(left)) >= 0 && !v->stop && !v->collect_failed;) {
        v->path_at = top;
        push_choices(v, &b, x);
        v->guide = v->path_top;
        v->mode = item->branches ? MODE_BRANCH : MODE_LIST;
        if (item->branches && !branch_apart(v, &b, x)) v->collect_failed = true; else run(v, pick_pc);
        v->mode = MODE_COLLECT;
        v->guide = v->path_at = 0;
        v->path_top = top;
        restore(v, mark, pick_pc);
    }
    forget(v, mark);
}

KNOWN_PLAN bool item_applies(vm *v, const plan_item *item)
{
    if (item->pc) RUN(v, item->pc);
    for (int i = 0; i < item->cond_count; i++) {
        const int32_t cond = G(v)->lists[item->conds + i];
        if ((N(cond >> 1) != 0) != (cond & 1)) return false;
    }
    return true;
}

/* The walkers that an item is for. */
KNOWN_PLAN void item_walkers(const vm *v, const plan_item *item, const uint64_t *walkers, uint64_t *from)
{
    set_copy(from, walkers);
    for (int i = 0; i < item->from_count; i++) {
        const int32_t f = G(v)->lists[item->froms + i];
        if (f & 1 << 20) set_andn(from, from, S(f & 0xFFFFF)); else set_and(from, from, S(f));
    }
}

/* to := where the leg leads from these places along a direction, whatever stands there. */
INLINE void leg_targets(const vm *v, const leg *l, const direction *d, const uint64_t *from, uint64_t *to)
{
    if (l->slide) { set_clear(to); slide_all(v, d, from, to); return; }
    if (!l->pattern_count && d->shift) { step_shift(d, from, to); return; }
    uint64_t now[WORDS], then[WORDS];
    set_copy(now, from);
    for (int i = 0; i < l->pattern_count; i++) {
        set_clear(then);
        step_into(v, d, now, then);
        set_and(now, then, S(G(v)->patterns[l->pattern + i].set));
    }
    set_clear(to);
    step_into(v, d, now, to);
}

/* to := where the leg leads from one place along all its directions, whatever stands there. */
KNOWN_PLAN void leg_targets_from(const vm *v, const leg *l, int from, uint64_t *to)
{
    const game *g = G(v);
    const relation *r = &g->relations[l->relation];
    const uint64_t *images = r->images[H(H_MOVER)];
    if (images && !l->pattern_count && !l->slide) { set_copy(to, images + (size_t)from * WORDS); return; }
    set_clear(to);
    for (uint64_t m = ways_of(v, r); m; m &= m - 1) {
        const direction *d = &g->dirs[__builtin_ctzll(m)];
        if (l->slide && d->rays) { slide_from(v, d, from, to); continue; }
        int x = d->next[from];
        if (l->slide) {
            const uint64_t *empty = S(SET_EMPTY);
            for (; x != 0xFFFF && x != from; x = d->next[x]) { set_add(to, x); if (!set_has(empty, x)) break; }
            continue;
        }
        for (int i = 0; i < l->pattern_count && x != 0xFFFF; i++) x = set_has(S(g->patterns[l->pattern + i].set), x) ? d->next[x] : 0xFFFF;
        if (x != 0xFFFF) set_add(to, x);
    }
}

static bool targets_take(vm *v, const plan_item *item, uint32_t pick_pc, int dir, int start, const uint64_t *to)
{
    if (!set_any(to)) return true;
    for (int j = 0; j < item->more_count; j++) {
        if (!batch_add(v, item, pick_pc, dir, start, to)) return false;
        batches(v)[v->batch_count - 1].more = (int16_t)G(v)->lists[item->more + j];
    }
    if (item->more_count) return true;
    if (item->tail != PLAN_TREE) return batch_add(v, item, pick_pc, dir, start, to);
    if (v->onward_now) { v->collect_failed = true; return false; }
    follow(v, item, pick_pc, dir, start, to);
    if (item->pc) RUN(v, item->pc);             /* what followed used its registers */
    return true;
}

/* Of what a leg leads to, that behind which the repetition around it can go on. */
static void goes_on(const vm *v, const plan_item *item, int dir, int start, const uint64_t *to, uint64_t *on)
{
    const batch b = { .item = item, .dir = (uint16_t)dir, .origin = (int16_t)start };
    uint64_t left[WORDS];
    set_copy(left, to);
    set_clear(on);
    for (int x; (x = set_pop(left)) >= 0;) if (body_goes_on(v, item, &G(v)->dirs[way_of(v, &b, x)], origin_of(v, &b, x), x)) set_add(on, x);
}

/* What a leg leads to, as far as the item has it, and its twin the rest; false if there is no room. */
static bool targets_add(vm *v, const plan_item *item, uint32_t pick_pc, int dir, int start, uint64_t *to)
{
    uint64_t rest[WORDS];
    if (item->body_count) {
        goes_on(v, item, dir, start, to, rest);
        set_andn(to, to, rest);
        return targets_take(v, item, pick_pc, dir, start, to) && targets_take(v, item + 1, pick_pc, dir, start, rest);
    }
    if (item->split < 0) return targets_take(v, item, pick_pc, dir, start, to);
    set_andn(rest, to, S(item->split));
    if (!item->twin) {
        if (item->split_inside) set_and(rest, to, S(item->split));
        return targets_take(v, item, pick_pc, dir, start, rest);
    }
    set_and(to, to, S(item->split));
    return targets_take(v, item, pick_pc, dir, start, to) && targets_take(v, item + 1, pick_pc, dir, start, rest);
}

KNOWN_PLAN void targets_from(vm *v, const plan_item *item, uint32_t pick_pc, const uint64_t *from, const uint64_t *target)
{
    const leg *l = &G(v)->legs[item->leg];
    uint64_t left[WORDS], to[WORDS];
    set_copy(left, from);
    for (int x; (x = set_pop(left)) >= 0;) {
        leg_targets_from(v, l, x, to);
        set_and(to, to, target);
        if (!targets_add(v, item, pick_pc, 0, x, to)) return;
    }
}

KNOWN_PLAN void targets_along(vm *v, const plan_item *item, uint32_t pick_pc, const uint64_t *from, const uint64_t *target)
{
    const game *g = G(v);
    const leg *l = &g->legs[item->leg];
    EACH_LEG_WAY(item, dir, {
        uint64_t to[WORDS];
        leg_targets(v, l, &g->dirs[dir], from, to);
        set_and(to, to, target);
        if (set_any(to) && !targets_add(v, item, pick_pc, dir, -1, to)) return;
    })
}

KNOWN_PLAN void shot_targets(vm *v, const plan_item *item, uint32_t pick_pc, const uint64_t *from);

KNOWN_PLAN void item_targets(vm *v, const plan_item *item, uint32_t pick_pc, const uint64_t *walkers)
{
    const game *g = G(v);
    const leg *l = &g->legs[item->leg];
    uint64_t from[WORDS];
    item_walkers(v, item, walkers, from);
    if (!set_any(from)) return;
    const uint64_t *target = l->target >= 0 ? S(l->target) : S(g->all_places);
    if (!set_any(target)) return;
    const int ways = item->gather == GATHER_LESS ? __builtin_popcountll(ways_of(v, &g->relations[l->relation])) : 0;
    if (item->gather == GATHER_FROM || set_count(from) < ways) targets_from(v, item, pick_pc, from, target);
    else if (item->shots[0]) shot_targets(v, item, pick_pc, from);
    else targets_along(v, item, pick_pc, from, target);
}

/* What a step by a shift leads to becomes a batch, if there is anything. */
INLINE batch *shot_add(batch *b, const plan_item *item, uint32_t pick_pc, const shot *s, const uint64_t *from, const uint64_t *target, uint32_t *total)
{
    uint64_t to[WORDS];
    set_and(to, from, s->mask);
    set_shift(to, to, s->shift);
    set_and(b->set, to, target);
    b->item = item;
    b->pick_pc = pick_pc;
    b->dir = s->dir;
    b->origin = -1;
    b->count = set_count(b->set);
    *total += (uint32_t)b->count;
    return b + (b->count != 0);
}

/* The same for an item that is nothing but steps by shifts. */
KNOWN_PLAN void shot_targets(vm *v, const plan_item *item, uint32_t pick_pc, const uint64_t *from)
{
    const uint64_t *target = S(G(v)->legs[item->leg].target);
    const int64_t mover = H(H_MOVER);
    if (v->batch_count + item->shot_count[mover] > BATCHES_MAX) { v->collect_failed = true; return; }
    batch *b = &batches(v)[v->batch_count];
    uint32_t total = 0;
    EACH_SHOT(item, mover, s, b = shot_add(b, item, pick_pc, s, from, target, &total))
    v->batch_count = (int)(b - batches(v));
    v->batch_total += total;
    v->batch_tests |= total && item->tail == PLAN_TEST;
}

/* Do two batches whose sets meet have a walker in common that goes to the same place? */
static bool batches_agree(const vm *v, const batch *a, const batch *b)
{
    if (a->origin < 0 && b->origin < 0) return a->dir == b->dir;
    if (a->origin >= 0 && b->origin >= 0) return a->origin == b->origin;
    uint64_t both[WORDS];
    set_and(both, a->set, b->set);
    for (int x; (x = set_pop(both)) >= 0;) if (origin_of(v, a, x) == origin_of(v, b, x)) return true;
    return false;
}

/* `begins`: where the batches of each item begin, and where the last one's end. */
static bool pairs_agree(const vm *v, const plan *p, const int *begins)
{
    const game *g = G(v);
    const batch *all = batches(v);
    for (int i = 0; i < p->pair_count; i++) {
        const int a = g->lists[p->pairs + 2 * i], b = g->lists[p->pairs + 2 * i + 1];
        for (int x = begins[a]; x < begins[a + 1]; x++)
            for (int y = begins[b]; y < begins[b + 1]; y++) if (set_meets(all[x].set, all[y].set) && batches_agree(v, &all[x], &all[y])) return true;
    }
    return false;
}

static void collect_others(vm *v, uint32_t pc);

/* A plan without items. */
static bool guard_holds(vm *v, const plan *p)
{
    RUN(v, p->guard_pc);
    return N(p->guard) != 0;
}

KNOWN_PLAN void collect_origins(vm *v, const plan *p, uint32_t pc, const uint64_t *walkers);
static void collect_options(vm *v, const plan *p, uint32_t pc, const uint64_t *from);
static bool batch_meets_leaf(const vm *v, const batch *b, const int64_t *head);

/* A pick of the walker with a plan. */
KNOWN_PLAN void collect_walkers(vm *v, const ins *i, uint32_t pc)
{
    const game *g = G(v);
    collect_begins(v, pc);
    v->ends_planned |= g->counted[g->counted_at[pc]].ends;
    uint64_t walkers[WORDS];
    set_copy(walkers, S(i->b));
    if (!set_any(walkers)) return;
    const plan *p = &g->plans[i->e - 1];
    if (!p->count) { if (guard_holds(v, p)) collect_others(v, pc); return; }
    if (g->plan_items[p->first].options) { collect_options(v, p, pc, walkers); return; }
    if (p->origins) { collect_origins(v, p, pc, walkers); return; }
    const uint64_t known = g->plan_items[p->first].kinds, kinds = known ? known : ~0ull;
    if (v->collect_kinds & kinds) { v->collect_failed = true; return; }
    v->collect_kinds |= kinds;
    int begins[PLAN_ITEMS_MAX + 1];
    int j = 0;
    EACH_ITEM(p, item, begins[j++] = v->batch_count; if (!item->second && !v->collect_failed && item_applies(v, item)) item_targets(v, item, pc, walkers))
    begins[p->count] = v->batch_count;
    if (p->pair_count && !v->collect_failed && pairs_agree(v, p, begins)) v->collect_failed = true;
}

/* The cells from which a line of enemies leads to an own piece, along directions that are shifts. */
KNOWN void line_ends(const vm *v, int rel, uint64_t *out)
{
    const uint64_t *enemy = S(SET_ENEMY), *own = S(SET_OWN);
#if WORDS == 1
    if (lanes_for(v, rel)) { out[0] = lanes_before(lanes_for(v, rel), enemy[0], own[0]); return; }
#endif
    uint64_t dirs = relation_mask(v, rel);
    set_clear(out);
    for (; dirs; dirs &= dirs - 1) {
        const direction *d = &G(v)->dirs[__builtin_ctzll(dirs)];
        uint64_t inside[WORDS], line[WORDS], more[WORDS];
        set_and(inside, enemy, d->mask);
        set_shift(line, own, -d->shift);
        set_and(line, line, inside);
        if (!set_any(line)) continue;
        set_copy(more, line);
        do {
            set_shift(more, more, -d->shift);
            set_and(more, more, inside);
            set_andn(more, more, line);
            set_or(line, line, more);
        } while (set_any(more));
        set_shift(line, line, -d->shift);
        EACH_WORD(k) out[k] |= line[k] & d->mask[k];
    }
}

/* Where a piece of an item may come in. */
KNOWN_PLAN void drop_targets(const vm *v, const plan_item *item, const uint64_t *all, uint64_t *to)
{
    set_copy(to, all);
    if (item->guard) { uint64_t ends[WORDS]; line_ends(v, item->guard - 1, ends); set_and(to, to, ends); }
    if (item->split < 0) return;
    if (item->split_inside) set_and(to, to, S(item->split)); else set_andn(to, to, S(item->split));
}

KNOWN_PLAN void collect_drop(vm *v, const ins *i, uint32_t pc)
{
    const game *g = G(v);
    const plan *p = &g->plans[i->c - 1];
    collect_begins(v, pc);
    v->ends_planned |= g->counted[g->counted_at[pc]].ends;
    if (v->collect_drops++) { v->collect_failed = true; return; }
    uint64_t all[WORDS], to[WORDS];
    set_copy(all, S(i->a));
    for (int j = 0; j < p->count; j++) {
        const plan_item *item = &g->plan_items[p->first + j];
        drop_targets(v, item, all, to);
        if (!set_any(to)) continue;
        if (item->tail == PLAN_TREE) follow(v, item, pc, 0, -1, to);
        else if (!batch_add(v, item, pc, 0, -1, to)) return;
    }
}

/* Has any walker a first leg at all? Options are tried. */
static bool plan_possible(vm *v, const ins *i)
{
    const game *g = G(v);
    const plan *p = &g->plans[i->e - 1];
    const uint64_t *walkers = S(i->b);
    if (!p->count) return guard_holds(v, p);
    if (g->plan_items[p->first].options) return true;
    for (int j = 0; j < p->count; j++) {
        const plan_item *item = &g->plan_items[p->first + j];
        const leg *l = &g->legs[item->leg];
        uint64_t from[WORDS];
        if (!item_applies(v, item)) continue;
        item_walkers(v, item, walkers, from);
        if (!set_any(from) || (l->target >= 0 && !set_any(S(l->target)))) continue;
        if (l->pattern_count || l->slide || l->target < 0) return true;
        for (uint64_t m = relation_mask(v, l->relation); m; m &= m - 1) {
            uint64_t to[WORDS];
            set_clear(to);
            step_into(v, &g->dirs[__builtin_ctzll(m)], from, to);
            if (set_meets(to, S(l->target))) return true;
        }
    }
    return false;
}

/* One way on from a choice. */
KNOWN void collect_way(vm *v, uint32_t choice, uint32_t pc)
{
    const size_t top = v->path_top;
    path_push(v, choice);
    COLLECT(v, pc);
    v->path_top = top;
}

KNOWN void collect_alternatives(vm *v, const ins *i)
{
    collect_begins(v, (uint32_t)(i - G(v)->code));
    if (!i->c) { v->collect_failed = true; return; }
    EACH_WAY_ON(i, j,
        const uint64_t ends = G(v)->sure_ends[i->d + j];
        if (v->collect_failed || v->stop) return;
        if (ends) collect_sure(v, (uint32_t)j, ends); else collect_way(v, (uint32_t)j, (uint32_t)G(v)->lists[i->d + j]);
    )
}

KNOWN void collect_else(vm *v, const ins *i, uint32_t pc)
{
    collect_begins(v, pc);
    if (!i->c) { v->collect_failed = true; return; }
    const size_t before = v->batch_total + v->leaf_count;
    const uint64_t completed = v->completed, kinds = v->collect_kinds;
    const int drops = v->collect_drops, passes = v->collect_passes;
    const bool off_board = v->collect_off_board;
    collect_way(v, 0, pc + 1);
    if (v->collect_failed || v->stop || v->batch_total + v->leaf_count != before || v->completed != completed) return;
    v->collect_kinds = kinds;       /* what gave nothing is like nothing */
    v->collect_drops = drops;
    v->collect_passes = passes;
    v->collect_off_board = off_board;
    collect_way(v, 1, (uint32_t)i->d);
}

/* Could a leaf be the same move as a bit of a batch, or one of these as one of another kind? */
static bool all_apart(vm *v)
{
    const game *g = G(v);
    if (v->collect_walks + v->collect_options + (v->collect_kinds || v->collect_drops) > 1) return false;
    for (size_t i = 0; i < v->leaf_count; i++) {
        const int64_t *head = (const int64_t *)(const void *)(v->states + i * g->state_size + g->at_position);
        for (int j = 0; j < v->batch_count; j++) if (batch_meets_leaf(v, &batches(v)[j], head)) return false;
    }
    return true;
}

/* Nothing of a decision is known yet, and what is run now is run for its first choice. */
static void collect_anew(vm *v, int mode)
{
    memset(v->collecting, 0, sizeof v->collecting);
    set_clear(v->collect_origins);
    leaves_clear(v);
    v->mode = mode;
    v->stop = v->found = false;
    budget_anew(v);
}

/* Collects the decision at which the loaded state stands, and goes on to its first choice. False if it must be listed; from there. */
static bool collect(vm *v)
{
    collect_anew(v, MODE_COLLECT);
    if (H(H_RESUME)) { COLLECT(v, (uint32_t)H(H_RESUME)); } else { COLLECT(v, G(v)->turn_pc); }
    v->mode = MODE_STRAIGHT;
    v->stop = false;
    if (v->first_pc) H(H_RESUME) = v->first_pc;
    if (v->collect_failed || v->fault) return false;
    if (v->branched) return branches_alone(v);
    if (v->counted_count && ((v->ends_counted & v->ends_planned) || v->collect_options || !counted_apart(v))) return false;
    return !v->batch_count || (!v->leaf_count && !v->collect_walks && !v->collect_options) || all_apart(v);
}
#endif
