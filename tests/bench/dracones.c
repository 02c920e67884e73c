/* Dracones for two, as in games/dracones.joc with mode=territories and target=18: who holds eighteen territories at the end of his turn has won.
 *
 * Territories are bits of one word; borders a word for each. A decision is counted before it is drawn: where an attack, a tactical move or the end
 * of the turn can be chosen, the number of attacks is a sum over borders of the dice allowed, of moves a sum of bit counts. Cards are a word for a
 * player's hand, bit i the card of territory i, and two bits for the jokers, which are alike. */
#include <string.h>

#include "bench.h"

enum { LANDS = 32, CARDS = 34, TARGET = 18, MOST = 9999 };

static const char *const BORDERS[LANDS] = {
    "1 2 4", "0 4 5 10", "0 3 4 7", "2 7 9 15 16", "0 1 2 5 7", "1 4 6 7 10 11", "5 7 8 11", "2 3 4 5 6 8 9", "6 7 14 23 24", "3 7 16 19 20", "1 5 11 12 13", "5 6 10 12 14",
    "10 11 13 14", "10 12 14 31", "8 11 12 13 24 26", "3 16 17", "3 9 15 17 18", "15 16 18", "16 17 21 27", "9 20 21 22", "9 19 22 23", "18 19 22 27", "19 20 21 25 28", "8 20 24 25",
    "8 14 23 25 26", "22 23 24 26 29", "14 24 25 31", "18 21 28", "22 27 29", "25 28 30 31", "29 31", "13 26 29 30",
};
static const uint32_t REGIONS[7] = { 0x0000000F, 0x000003F0, 0x00007C00, 0x00078000, 0x00780000, 0x07800000, 0xF8000000 };
static const int BONUS[7] = { 3, 5, 4, 3, 3, 3, 4 };

static uint32_t joined[LANDS];
static uint64_t fighters, riders, wolves;
static const uint64_t JOKERS = (uint64_t)3 << LANDS;

typedef struct {
    uint32_t held[2];
    uint64_t hand[2], deck, pile;
    uint16_t units[LANDS];
    bench_random *random;
    uint64_t plies;
} match;

/* The symbols of the cards stand in the order of the territories: fighter, rider, wolf. */
static void tables_make(void) {
    static const char symbols[LANDS + 1] = "FRWFRWFRWFRWFRWFRWFRWFRWFRWFRWFR";
    for (unsigned i = 0; i < LANDS && !joined[LANDS - 1]; i++) {
        for (const char *s = BORDERS[i]; *s;) {
            unsigned n = 0;
            while (*s >= '0' && *s <= '9') n = 10 * n + (unsigned)(*s++ - '0');
            joined[i] |= (uint32_t)1 << n;
            if (*s) s++;
        }
    }
    fighters = riders = wolves = 0;
    for (unsigned i = 0; i < LANDS; i++) *(symbols[i] == 'F' ? &fighters : symbols[i] == 'R' ? &riders : &wolves) |= bit_at(i);
}

static unsigned pick(match *m, unsigned n) {
    m->plies++;
    return random_below(m->random, n);
}

static int add(int units, int more) { return units + more > MOST ? MOST : units + more; }

/* ---- cards ---------------------------------------------------------------------------------------------------------------------------- */
static int set_worth(uint64_t set) {
    const unsigned f = bit_count(set & fighters), r = bit_count(set & riders), w = bit_count(set & wolves), j = bit_count(set & JOKERS);
    if (f < 2 && r < 2 && w < 2) return 10;
    return w + j == 3 ? 8 : r + j == 3 ? 4 : f + j == 3 ? 2 : 0;
}

/* All sets in a hand; with two jokers those with one of them stand once. */
static unsigned sets_of(uint64_t hand, uint64_t *sets) {
    unsigned n = 0;
    for (uint64_t a = hand; a; a &= a - 1)
        for (uint64_t b = a & (a - 1); b; b &= b - 1)
            for (uint64_t c = b & (b - 1); c; c &= c - 1) {
                const uint64_t set = (a & -a) | (b & -b) | (c & -c);
                if (!set_worth(set)) continue;
                if ((hand & JOKERS) == JOKERS && (set & JOKERS) == bit_at(LANDS + 1)) continue;
                if (n < 6000) sets[n++] = set;
            }
    return n;
}

static int trade(match *m, unsigned who, uint64_t set) {
    m->hand[who] &= ~set;
    m->pile |= set;
    for (uint32_t own = (uint32_t)set & m->held[who]; own; own &= own - 1) m->units[bit_first(own)] = (uint16_t)add(m->units[bit_first(own)], 2);
    return set_worth(set);
}

static void draw_card(match *m, unsigned who) {
    if (!m->deck) m->deck = m->pile, m->pile = 0;
    if (!m->deck) return;
    const uint64_t card = bit_at(bit_select(m->deck, random_below(m->random, bit_count(m->deck))));
    m->deck &= ~card;
    m->hand[who] |= card;
}

/* ---- a turn --------------------------------------------------------------------------------------------------------------------------- */
static void develop(match *m, unsigned who) {
    static _Thread_local uint64_t sets[6000];
    const unsigned own = bit_count(m->held[who]);
    int spare = own < 6 ? 3 : (int)own / 3;
    for (unsigned i = 0; i < 7; i++) spare += (m->held[who] & REGIONS[i]) == REGIONS[i] ? BONUS[i] : 0;
    bool trading = true;
    while (spare) {
        const unsigned n = trading ? sets_of(m->hand[who], sets) : 0, k = pick(m, n + own);
        if (k < n) {
            spare = add(spare, trade(m, who, sets[k]));
            continue;
        }
        trading = false;
        const unsigned t = bit_select(m->held[who], k - n), more = 1 + pick(m, (unsigned)spare);
        m->units[t] = (uint16_t)add(m->units[t], (int)more);
        spare -= (int)more;
    }
}

static void sort_dice(bench_random *random, unsigned *dice, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        unsigned x = 1 + random_below(random, 6);
        for (unsigned j = 0; j < i; j++)
            if (x > dice[j]) {
                const unsigned y = dice[j];
                dice[j] = x;
                x = y;
            }
        dice[i] = x;
    }
}

/* True if the territory fell. */
static bool attack(match *m, unsigned who, unsigned from, unsigned to, unsigned reds) {
    unsigned red[3], blue[2], lost = 0;
    const unsigned blues = m->units[to] >= 3 ? 2 : 1, pairs = reds < blues ? reds : blues;
    sort_dice(m->random, red, reds);
    sort_dice(m->random, blue, blues);
    for (unsigned i = 0; i < pairs; i++) lost += red[i] <= blue[i];
    m->units[from] = (uint16_t)(m->units[from] - lost);
    m->units[to] = (uint16_t)(m->units[to] - (pairs - lost));
    if (m->units[to]) return false;
    m->held[who] |= (uint32_t)1 << to;
    m->held[who ^ 1] &= ~((uint32_t)1 << to);
    const unsigned in = 1 + pick(m, m->units[from] - 1u);
    m->units[from] = (uint16_t)(m->units[from] - in);
    m->units[to] = (uint16_t)in;
    return true;
}

/* Attacks, with the dice allowed, and moves of a territory. */
static inline unsigned dice_of(unsigned units) { return units > 2 ? 3 : 1; }

/* Attacks until they stop, then the tactical move; true if the match is over. */
static bool fight(match *m, unsigned who) {
    bool won = false;
    for (;;) {
        unsigned attacks = 0, moves = 0;
        uint32_t able = 0;
        for (uint32_t left = m->held[who]; left; left &= left - 1) {
            const unsigned i = bit_first(left);
            if (m->units[i] < 2) continue;
            able |= left & -left;
            attacks += dice_of(m->units[i]) * bit_count(joined[i] & m->held[who ^ 1]);
            moves += bit_count(joined[i] & m->held[who]);
        }
        unsigned k = pick(m, attacks + moves + 1);
        if (k == attacks + moves) break;
        const bool attacking = k < attacks;
        if (!attacking) k -= attacks;
        for (uint32_t left = able;; left &= left - 1) {
            const unsigned i = bit_first(left), dice = attacking ? dice_of(m->units[i]) : 1;
            const uint32_t to = joined[i] & m->held[attacking ? who ^ 1 : who];
            const unsigned n = dice * bit_count(to);
            if (k >= n) {
                k -= n;
                continue;
            }
            const unsigned t = bit_select(to, k / dice);
            if (attacking) {
                won |= attack(m, who, i, t, 1 + k % dice);
                if (!m->held[who ^ 1]) return true;
                break;
            }
            const unsigned many = 1 + pick(m, m->units[i] - 1u);
            m->units[i] = (uint16_t)(m->units[i] - many);
            m->units[t] = (uint16_t)add(m->units[t], (int)many);
            if (won) draw_card(m, who);
            return false;
        }
    }
    if (won) draw_card(m, who);
    return false;
}

bench_count dracones_playouts(uint64_t games, uint64_t seed) {
    bench_random random = random_from(seed);
    bench_count count = {games, 0, {0, 0}};
    tables_make();
    for (uint64_t game = 0; game < games; game++) {
        match m = {.deck = bit_at(CARDS) - 1, .random = &random};
        unsigned who = random_below(&random, 2);
        uint32_t left = 0xFFFFFFFF;
        for (unsigned i = 0; i < LANDS; i++) {
            const unsigned t = bit_select(left, random_below(&random, LANDS - i));
            left &= ~((uint32_t)1 << t);
            m.held[(who + i) & 1] |= (uint32_t)1 << t;
            m.units[t] = 1;
        }
        for (;; who ^= 1) {
            develop(&m, who);
            if (fight(&m, who) || bit_count(m.held[who]) >= TARGET) break;
        }
        count.wins[who]++;
        count.plies += m.plies;
    }
    return count;
}

/* Chance stands at the beginning: sequences are not counted here. */
uint64_t dracones_perft(unsigned depth, const char *position) {
    (void)depth, (void)position;
    return 0;
}
