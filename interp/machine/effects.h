/* Effects: taking, sending, placing, keeping. Included once per width by vm.c. */
#ifndef JOC_EFFECTS_H
#define JOC_EFFECTS_H

static void take_low(vm *v, int place, int64_t many)
{
    piece moved[STACK_MOST];
    if (place == v->probe_place) { if (many >= height_of(v, place)) v->found = v->stop = true; return; }
    const int n = pieces_lift(v, place, many, true, moved);
    for (int i = 0; i < n && !v->stop; i++) piece_taken(v, moved[i]);
}

static void take_set(vm *v, const uint64_t *s, int64_t many, bool low)
{
    uint64_t left[WORDS];
    set_copy(left, s);
    set_and(left, left, S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        if (low) { take_low(v, x, many); continue; }
        for (int64_t i = 0; i < many && AT(v)[x] && !v->stop; i++) take_top(v, x);
    }
}

/* Into a zone, or that of its owner; nobody's piece has none, and is taken. */
static void into_zone_of(vm *v, int zone_first, bool by_owner, piece p)
{
    const int owner = by_owner ? code_owner(G(v), p.code) : 0;
    if (owner < 0) piece_taken(v, p);
    else into_zone(v, zone_first + owner, p);
}

/* The top piece of each place goes to a zone, where there are no stacks or plain ones, and nothing is kept of pieces. */
static void send_plain(vm *v, const uint64_t *s, int zone_first, bool by_owner)
{
    uint64_t left[WORDS];
    set_and(left, s, S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        const int code = plain_lift(v, x), owner = by_owner ? code_owner(G(v), code) : 0;
        if (owner < 0) piece_taken(v, (piece){ .code = (uint16_t)code });
        else into_zone_plain(v, zone_first + owner, code);
    }
}

/* `many` pieces of each place, the top ones or those at the bottom, go to a place, or (zone >= 0) to a zone. */
static void send_set(vm *v, const uint64_t *s, int64_t to, int how, int64_t many, int64_t zone_first, bool by_owner)
{
    const game *g = G(v);
    uint64_t left[WORDS];
    set_and(left, s, S(SET_OCCUPIED));
    if (!set_any(left)) return;
    if (zone_first < 0 && to >= g->cells && g->zone_of[to] >= 0) zone_first = g->zone_of[to], by_owner = false; /* the end of a track */
    for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
        piece moved[STACK_MOST];
        const int n = pieces_lift(v, x, many, how & SEND_LOW, moved);
        /* `moved` has the top first; they come to lie in the order in which they lay */
        if (zone_first >= 0)
            for (int i = n; i-- > 0;) into_zone_of(v, (int)zone_first, by_owner, moved[i]);
        else if (to < 0) { fault(v, "nowhere to send it"); return; }
        else if (how & 1)
            for (int i = 0; i < n; i++) piece_under(v, (int)to, &moved[i]);
        else
            for (int i = n; i-- > 0;) piece_place(v, (int)to, &moved[i]);
    }
}

static void send_along(vm *v, const uint64_t *s, int rel)
{
    uint64_t mask = relation_mask(v, rel), left[WORDS];
    if (!mask) { fault(v, "no direction to send along"); return; }
    const direction *d = &G(v)->dirs[__builtin_ctzll(mask)];
    int64_t times = relation_times(v, rel);
    struct { int to; piece p; } moved[PLACES_MAX];
    int n = 0;
    set_and(left, s, S(SET_OCCUPIED));
    for (int x; (x = set_pop(left)) >= 0;) {
        int to = x;
        for (int64_t i = 0; i < times && to != 0xFFFF; i++) to = d->next[to];
        moved[n].p = piece_lift(v, x);
        moved[n++].to = to;
    }
    for (int i = 0; i < n && !v->stop; i++) {
        if (moved[i].to == 0xFFFF) piece_taken(v, moved[i].p);
        else if (moved[i].to >= G(v)->cells) into_zone(v, G(v)->zone_of[moved[i].to], moved[i].p);
        else piece_place(v, moved[i].to, &moved[i].p);
    }
}

/* One more piece is placed: of a thousand million of them the machine makes an end. */
static bool spent(vm *v)
{
    if (v->budget) { v->budget--; return false; }
    v->budget = 1;
    fault(v, "the computation of one decision goes on too long");
    return true;
}

static void place_kinds(vm *v, const ins *i, int zone_index)
{
    const game *g = G(v);
    int64_t owner = i->b == NO_OPERAND ? -1 : N(i->b), many = i->c == NO_OPERAND ? 1 : N(i->c);
    for (int32_t j = 0; j < i->e; j++) {
        piece p = piece_new(g, (int)owner, g->lists[i->d + j]);
        for (int64_t n = 0; n < many && !v->stop && !spent(v); n++) {
            if (zone_index >= 0) { into_zone(v, zone_index, p); continue; }
            uint64_t left[WORDS];
            set_copy(left, S(i->a));
            for (int x; (x = set_pop(left)) >= 0 && !v->stop;) {
                if (spent(v)) return;
                if (x < g->cells) piece_place(v, x, &p);
                else if (g->zone_of[x] >= 0) into_zone(v, g->zone_of[x], p);
            }
        }
    }
}

INLINE int64_t kept(const keep *k, int64_t x) { return x < k->low ? k->low : x > k->high ? k->high : x; }

/* The kept number of one place becomes y, or gains or loses it. */
INLINE void set_number(vm *v, const ins *i, int place, int64_t y)
{
    const keep *k = &G(v)->keeps[i->d];
    int16_t *a = ARRAYS(v) + (size_t)k->where * (size_t)G(v)->places + (size_t)place;
    if (k->of == KEEP_PIECE && !AT(v)[place]) return;
    if (k->type != KEEP_NUMBER) *a = (int16_t)(y + 1);
    else *a = (int16_t)kept(k, i->e == 0 ? y : i->e == 1 ? *a + y : *a - y);
}

KNOWN void set_numbers(vm *v, const ins *i, bool from_field)
{
    uint64_t left[WORDS];
    set_copy(left, S(i->a));
    for (int x; (x = set_pop(left)) >= 0;) {
        int64_t y = 0;
        if (from_field) { if (!field_known(v, &G(v)->fields[i->b], x, &y)) continue; }
        else y = N(i->b);
        set_number(v, i, x, y);
    }
}

/* One to each place along a track. */
KNOWN void sow(vm *v, const ins *i)
{
    const keep *k = &G(v)->keeps[i->e];
    int16_t *a = ARRAYS(v) + (size_t)k->where * (size_t)G(v)->places;
    const uint16_t *next = G(v)->dirs[__builtin_ctzll(relation_mask(v, i->d))].next;
    if (N(i->b) < N(i->a)) return;
    const uint64_t many = (uint64_t)N(i->b) - (uint64_t)N(i->a) + 1;
    if (many == 0 || many >= v->budget) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); return; }
    v->budget -= many;
    int64_t x = H(H_HERE);
    for (uint64_t n = 0; n < many && x >= 0; n++) {
        x = next[x] == 0xFFFF ? NO_PLACE : next[x];
        if (x >= 0) a[x] = (int16_t)kept(k, a[x] + N(i->c));
    }
    H(H_HERE) = H(H_START) = x;
    if (G(v)->uses_passed) set_clear(S(SET_PASSED));
}

static void diagram_rank(vm *v, const char *text)
{
    const game *g = v->g;       /* with its names */
    int y = g->height - (int)H(H_RANK)++, x = 0;
    for (const char *c = text; *c; c++) {
        x++;
        if (*c == '.' || *c == ' ') continue;
        int place = -1;
        for (int i = 0; i < g->cells; i++) if (g->cell[i].x == x && g->cell[i].y == y) place = i;
        for (int k = 0; place >= 0 && k < g->kind_count; k++) {
            char letter = g->kinds[k].letter[0], low = (char)(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter), up = (char)(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
            if (*c != low && *c != up) continue;
            piece p = piece_new(g, *c == up ? 0 : 1, k);
            piece_place(v, place, &p);
            break;
        }
    }
}
#endif
