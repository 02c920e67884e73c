/* Watching a list: which rules a run breaks. Included once per width by vm.c.
 *
 * For `why`: the list has, beside the legal runs, those that break the rules in a few places, each a *breach*: a condition of the author's that
 * does not hold, a landing or a drop outside the set it must be in, something in the way, the second part of an `else` whose first can be
 * done, a repetition that ends too soon. Only the places named in the question (watch.wanted) are tried so. The run with the fewest
 * breaches that reads as the question does is the answer, and replaying it says what stood against it, while the position is as it was there. */
#ifndef JOC_WATCH_H
#define JOC_WATCH_H

static inline bool watching(const vm *v) { return WATCH(v) && v->mode == MODE_LIST; }

/* Is the place none that is looked for? */
static inline bool unwanted(const vm *v, int place) { return watching(v) && WATCH(v)->strict && !set_has(WATCH(v)->wanted, place); }

/* ---- legs ------------------------------------------------------------------------------------------------------------------------ */
typedef struct { bool never, way, landing; int culprit; } leg_fault;

/* How many cells the pattern passes at least; `open`: any number more. */
static int pattern_least(const pattern_item *p, int n, bool *open)
{
    int least = 0;
    *open = false;
    for (int i = 0; i < n; i++) {
        least += p[i].how == '1' || p[i].how == '+';
        if (p[i].how != '1') *open = true;
    }
    return least;
}

/* What is wrong with a landing; never: the leg does not lead there at all. The culprit is the first cell on the way that may not be passed. */
static leg_fault leg_faulty(const vm *v, const leg *l, int from, uint32_t code)
{
    const game *g = G(v);
    const direction *d = &g->dirs[code >> 16];
    const int to = (int)(code & 0xFFFF);
    leg_fault f = { .culprit = -1, .landing = l->target >= 0 && !set_has(S(l->target), to) };
    if (d->graph) { f.never = !set_has(d->mask, from) || !set_has(d->image + (size_t)from * (size_t)g->words, to); return f; }
    const bool counted = g->relations[l->relation].times >= 0;
    const int64_t times = relation_times(v, l->relation);
    const pattern_item *pattern = l->pattern_count ? g->patterns + l->pattern : NULL;
    bool open;
    const int least = l->slide ? 0 : pattern_least(pattern, l->pattern_count, &open);
    if (l->slide) open = true;
    uint32_t states = l->pattern_count ? pattern_open(pattern, l->pattern_count, 1) : 1;
    int x = d->next[from];
    for (int i = 1; x != 0xFFFF && i <= g->places; i++, x = d->next[x]) {
        if (x == to && (counted ? i == times : i - 1 == least || (open && i - 1 > least))) {
            if (l->pattern_count && !f.way && !(states >> l->pattern_count & 1)) f.way = true;
            return f;
        }
        if (x == from || (counted && i >= times)) break;
        if (f.way) continue;
        if (l->slide) f.way = !set_has(S(SET_EMPTY), x);
        else if (l->pattern_count) { states = pattern_open(pattern, l->pattern_count, pattern_step(v, pattern, l->pattern_count, states, x)); f.way = !states; }
        if (f.way) f.culprit = x;
    }
    f.never = true;
    return f;
}

/* The places a drop tries. */
static void drop_places(const vm *v, const uint64_t *targets, uint32_t pc, uint64_t *out)
{
    set_copy(out, targets);
    if (!watching(v)) return;
    const bool wide = WATCH(v)->broken < WATCH(v)->most && origin_find(G(v), pc, false);
    EACH_WORD(k) {
        if (WATCH(v)->strict) out[k] &= WATCH(v)->wanted[k];
        if (wide) out[k] |= WATCH(v)->wanted[k];
    }
}

/* ---- what a replay says ---------------------------------------------------------------------------------------------------------------- */
static breach *log_add(vm *v, breach_kind kind, uint32_t pc)
{
    watch *w = WATCH(v);
    breach *b = &w->log[w->count < BREACHES_MAX ? w->count++ : BREACHES_MAX - 1];
    *b = (breach){ .kind = kind, .pc = pc, .place = -1, .here = (int)H(H_HERE), .tokens = v->token_count };
    return b;
}

/* The truth that decides at pc came from which instruction? NULL if it is not near. */
static const ins *maker(const game *g, uint32_t pc, int reg)
{
    for (uint32_t i = pc; i-- > 1 && pc - i < 300;) {
        const ins *x = &g->code[i];
        if (x->op == OP_FAIL || x->op == OP_RETURN) return NULL;
        if (x->a == reg && x->op <= OP_EVERYONE && x->op != OP_STORE && x->op != OP_CLAMP) return x;
    }
    return NULL;
}

/* Of an `and` that does not hold (or an `or` that does): the first part that made it so, with the instruction that notes it. */
static const ins *deciding_part(const vm *v, const ins *last, bool truth)
{
    const game *g = G(v);
    const int reg = last->a;
    const ins *found = NULL;
    for (const ins *x = last; x && x->op == OP_MOVE && origin_find(g, (uint32_t)(x - g->code), true); x = maker(g, (uint32_t)(x - g->code), reg)) {
        const ins *jump = x + 1;
        const bool joins = x != last;
        if (joins && jump->op != (truth ? OP_JUMP_YES : OP_JUMP_NO)) return NULL;
        if ((N(x->b) != 0) == truth) found = x;
    }
    return found;
}

static void look_closer(vm *v, breach *b, const ins *x, bool truth)
{
    const game *g = G(v);
    switch (x->op) {
    case OP_ANY: case OP_NO: if ((x->op == OP_ANY) == truth) set_copy(b->cells, S(x->b)); break;
    case OP_MEETS: if (truth) set_and(b->cells, S(x->b), S(x->c)); break;
    case OP_SUBSET: if (!truth) set_andn(b->cells, S(x->b), S(x->c)); break;
    case OP_HOLDS: if (N(x->b) >= 0) set_add(b->cells, (int)N(x->b)); break;
    case OP_EQ: case OP_NE: case OP_LT: case OP_LE:
        if ((x->b < g->num_consts) != (x->c < g->num_consts)) { b->counted = true; b->number = N(x->b < g->num_consts ? x->c : x->b); }
        break;
    default: break;
    }
}

/* Which enemy piece, if it were gone, would leave none or fewer of these cells attacked? */
static void attackers(vm *v, const uint64_t *cells, uint64_t *out)
{
    uint64_t foes[WORDS], now[WORDS], then[WORDS];
    const size_t mark = save(v, 0);
    set_copy(foes, S(SET_ENEMY));
    attacked(v, cells, now);
    for (int x; (x = set_pop(foes)) >= 0 && x < G(v)->cells && set_any(now);) {
        piece_lift(v, x);
        attacked(v, cells, then);
        if (!set_same(now, then)) set_add(out, x);
        restore(v, mark, 0);
    }
    forget(v, mark);
}

/* Does the code just before ask what is attacked? */
static bool asks_attacked(const game *g, uint32_t pc)
{
    for (uint32_t i = pc; i-- > 1 && pc - i < 60;) {
        if (g->code[i].op == OP_S_ATTACKED) return true;
        if (g->code[i].op == OP_FAIL || g->code[i].op == OP_TURN_COUNT) return false;
    }
    return false;
}

/* Which part of a condition is it, and what stands against it? */
static void condition_details(vm *v, breach *b, uint32_t pc)
{
    const game *g = G(v);
    const ins *jump = &g->code[pc - 1];
    if (jump->op != OP_JUMP_NO && jump->op != OP_JUMP_YES) return;
    bool truth = jump->op == OP_JUMP_NO;
    b->wanted = !truth;
    int reg = jump->a;
    uint32_t at = pc - 1;
    for (int depth = 0; depth < 8; depth++) {
        const ins *x = maker(g, at, reg);
        if (!x) return;
        at = (uint32_t)(x - g->code);
        if (x->op == OP_NOT) { truth = !truth; reg = x->b; continue; }
        const ins *part = x->op == OP_MOVE ? deciding_part(v, x, truth) : NULL;
        if (!part) {
            if (x->op != OP_MOVE) look_closer(v, b, x, truth);
            if (set_any(b->cells) && asks_attacked(g, at)) attackers(v, b->cells, b->by);
            return;
        }
        at = (uint32_t)(part - g->code);
        b->part = at;
        b->wanted = !truth;
        reg = part->b;
    }
}

/* A condition that does not hold: may the run go on all the same? */
static bool breaks_condition(vm *v, uint32_t pc)
{
    if (v->mode != MODE_LIST && v->mode != MODE_REPLAY) return false;
    if (!origin_find(G(v), pc, false)) return false;
    if (v->mode == MODE_LIST) return WATCH(v)->broken < WATCH(v)->most;
    condition_details(v, log_add(v, BREACH_CONDITION, pc), pc);
    return true;
}

static void log_else(vm *v, uint32_t pc)
{
    if (v->mode == MODE_REPLAY && exists(v, pc + 1, 0)) log_add(v, BREACH_ELSE, pc);
}

static void log_stop(vm *v, uint32_t pc) { log_add(v, BREACH_STOP, pc); }

static void log_pick(vm *v, const ins *i, uint32_t pc)
{
    if (v->mode != MODE_REPLAY || v->path_at >= v->path_top || set_has(S(i->b), (int)v->path[v->path_at])) return;
    log_add(v, BREACH_PICK, pc)->place = (int)v->path[v->path_at];
}

static void log_step(vm *v, const ins *i, uint32_t pc)
{
    if (v->mode != MODE_REPLAY || v->path_at >= v->path_top || H(H_HERE) < 0) return;
    const uint32_t code = v->path[v->path_at];
    const leg_fault f = leg_faulty(v, &G(v)->legs[i->a], (int)H(H_HERE), code);
    if (f.way) {
        breach *b = log_add(v, BREACH_WAY, pc);
        b->place = (int)(code & 0xFFFF);
        if (f.culprit >= 0) set_add(b->cells, f.culprit);
    }
    if (f.landing) log_add(v, BREACH_LANDING, pc)->place = (int)(code & 0xFFFF);
}

static void log_drop(vm *v, const ins *i, uint32_t pc)
{
    if (v->mode != MODE_REPLAY || v->path_at >= v->path_top) return;
    const int place = (int)(v->path[v->path_at] & 0xFFFF);
    if (!set_has(S(i->a), place)) log_add(v, BREACH_DROP, pc)->place = place;
}

/* A list: nothing is left that could be dropped. */
static void watch_empty(vm *v, uint32_t pc)
{
    if (watching(v) && !WATCH(v)->broken) log_add(v, BREACH_EMPTY, pc);
}

/* A list: this leg leads nowhere that is wanted. */
static void watch_tried(vm *v, uint32_t pc)
{
    watch *w = WATCH(v);
    const origin *o = origin_find(G(v), pc, false);
    for (int i = 0; i < w->tried_count; i++) if (w->tried[i] == pc || origin_find(G(v), w->tried[i], false)->at.from == o->at.from) return;
    if (w->tried_count < BREACHES_MAX) w->tried[w->tried_count++] = pc;
}
#endif
