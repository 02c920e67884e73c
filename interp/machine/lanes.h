/* Lines of one word, along up to eight directions at once. Included once per width by vm.c.
 *
 * A lane holds a set; four lanes are moved by four shifts in one instruction where the processor has one. What is said of one step is
 * said of n steps by doubling: `q` of n cells one behind the other is `q & q >> n`, and so on, so that a line of eight takes three rounds.
 * A set that is shifted is masked by the cells that have a next one; what falls off the word lies beyond the board. */
#ifndef JOC_LANES_H
#define JOC_LANES_H
#if WORDS == 1

typedef uint64_t lane4 __attribute__((vector_size(32), aligned(8), may_alias));
static_assert(LANES == 4, "a lane4 is all the lanes");

static inline lane4 lanes_get(const uint64_t *x) { return *(const lane4 *)(const void *)x; }
static inline lane4 lanes_all(uint64_t x) { return (lane4){ x, x, x, x }; }
static inline uint64_t lanes_joined(lane4 x) { return x[0] | x[1] | x[2] | x[3]; }

/* Where a line of `through` leads to `to`: the cells just before it. */
KNOWN uint64_t lanes_before(const lanes *l, uint64_t through, uint64_t to)
{
    lane4 u = lanes_get(l->up), d = lanes_get(l->down), mu = lanes_get(l->mask_up), md = lanes_get(l->mask_down);
    lane4 qu = mu & through, qd = md & through, tu = qu & (to >> u), td = qd & (to << d), su = u, sd = d;
    for (int n = 1; n < l->longest - 2; n *= 2) {
        tu |= qu & (tu >> su);
        td |= qd & (td << sd);
        qu &= qu >> su;
        qd &= qd << sd;
        su += su;
        sd += sd;
    }
    return lanes_joined((mu & (tu >> u)) | (md & (td << d)));
}

/* The lines of `through` that begin beside one cell and lead to `to`. */
KNOWN uint64_t lanes_between(const lanes *l, uint64_t cell, uint64_t through, uint64_t to)
{
    lane4 u = lanes_get(l->up), d = lanes_get(l->down), mu = lanes_get(l->mask_up), md = lanes_get(l->mask_down);
    lane4 qu = (mu << u) & through, qd = (md >> d) & through, su = u, sd = d;
    lane4 tu = qu & (cell << u), td = qd & (cell >> d);
    for (int n = 1; n < l->longest - 2; n *= 2) {
        tu |= qu & (tu << su);
        td |= qd & (td >> sd);
        qu &= qu << su;
        qd &= qd >> sd;
        su += su;
        sd += sd;
    }
    const lane4 eu = ((tu & mu) << u) & to, ed = ((td & md) >> d) & to;
    return lanes_joined((tu & (lane4)(eu != 0)) | (td & (lane4)(ed != 0)));
}

/* Is there a run of n cells of s (n at least 2)? `links`: the cells with a next one, both in s. */
KNOWN bool lanes_run(const lanes *l, uint64_t s, int64_t n)
{
    if (n > l->longest) return false;
    lane4 u = lanes_get(l->up), links = lanes_get(l->mask_up) & s & (s >> u);
    for (int64_t have = 1, more; have < n - 1; have += more) {
        more = n - 1 - have < have ? n - 1 - have : have;
        links &= links >> (u * (uint64_t)more);
    }
    if (l->paired) return lanes_joined(links) != 0;
    lane4 d = lanes_get(l->down), back = lanes_get(l->mask_down) & s & (s << d);
    for (int64_t have = 1, more; have < n - 1; have += more) {
        more = n - 1 - have < have ? n - 1 - have : have;
        back &= back << (d * (uint64_t)more);
    }
    return lanes_joined(links | back) != 0;
}

static inline const lanes *lanes_for(const vm *v, int r)
{
    const relation *x = &G(v)->relations[r];
    return G(v)->player_count == 2 && x->mask[0] == x->mask[1] ? x->lanes[0] : x->lanes[H(H_MOVER)];
}
#endif
#endif
