/* Fields: numbers of places, and bags: a count and the numbers, the largest first. Included once per width by vm.c. */
#ifndef JOC_FIELDS_H
#define JOC_FIELDS_H

/* Word k of the set of all cells. */
static inline uint64_t cells_word(const game *g, int k)
{
    return g->cells >= 64 * (k + 1) ? ~0ull : g->cells <= 64 * k ? 0 : (1ull << (g->cells % 64)) - 1;
}

static bool field_at(const vm *v, int index, int place, int64_t *out);

/* Arithmetic of a field and a number, or another field. */
static bool field_sum(const vm *v, const field *f, int place, int64_t *out)
{
    int64_t x = 0, y = 0;
    if (f->left >= 0 && !field_at(v, f->left, place, &x)) return false;
    if (f->left < 0) x = NUM(v)[f->index];
    if (f->right_number) y = NUM(v)[f->right];
    else if (!field_at(v, f->right, place, &y)) y = 0;
    *out = whole(f->op, x, y);
    return true;
}

/* The number of a field at a place; false if it has none. */
KNOWN bool field_known(const vm *v, const field *f, int place, int64_t *out)
{
    const game *g = G(v);
    int64_t x = 0;
    switch (f->kind) {
    case FIELD_CONST:
        x = f->values[NUM(v)[g->num_base + H_MOVER]][place];
        if (x == INT16_MIN) return false;
        break;
    case FIELD_KEEP:
        if (f->of_pieces && !AT(v)[place]) return false;
        x = ARRAYS(v)[(size_t)f->index * (size_t)g->places + (size_t)place] - f->offset;
        break;
    case FIELD_VALUE: {
        int k = AT(v)[place] ? code_kind(g, AT(v)[place]) : g->kind_count;
        if (k == g->kind_count) return false;
        x = g->kinds[k].value;
        break;
    }
    case FIELD_HEIGHT: x = height_of(v, place); if (place >= g->cells) return false; break;
    case FIELD_SUM: return field_sum(v, f, place, out);
    }
    *out = x;
    return true;
}

static bool field_at(const vm *v, int index, int place, int64_t *out) { return field_known(v, &G(v)->fields[index], place, out); }

/* A bit for each of up to 64 numbers: is it within the bounds? */
#ifdef __SSE2__
/* Sixteen at a time: what stands behind the last is read (there is room, machine.c), but not told. */
static inline uint64_t bits_within(const int16_t *a, int n, int16_t low, int16_t high)
{
    const __m128i least = _mm_set1_epi16(low), most = _mm_set1_epi16(high);
    uint64_t outside = 0;
    for (int p = 0; p < n; p += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + p)), y = _mm_loadu_si128((const __m128i *)(const void *)(a + p + 8));
        const __m128i out_x = _mm_or_si128(_mm_cmplt_epi16(x, least), _mm_cmpgt_epi16(x, most)), out_y = _mm_or_si128(_mm_cmplt_epi16(y, least), _mm_cmpgt_epi16(y, most));
        outside |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(out_x, out_y)) << p;
    }
    return ~outside & (n == 64 ? ~0ull : (1ull << n) - 1);
}
#else
/* First a byte for each, then eight bytes become eight bits by one product. */
static inline uint64_t bits_within(const int16_t *a, int n, int16_t low, int16_t high)
{
    union { uint8_t bytes[64]; uint64_t words[8]; } is = { { 0 } };
    uint64_t bits = 0;
    for (int p = 0; p < n; p++) is.bytes[p] = (uint8_t)((a[p] >= low) & (a[p] <= high));
    for (int k = 0; 8 * k < n; k++) bits |= (is.words[k] * 0x0102040810204080u >> 56) << (8 * k);
    return bits;
}
#endif

/* The places where a kept number is within (or, negated, outside) the bounds. What is kept of cells is kept of zones as cells, too, but not of
 * what is in them. */
KNOWN void kept_set(const vm *v, const field *f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    const game *g = G(v);
    const int16_t *a = ARRAYS(v) + (size_t)f->index * (size_t)g->places;
    const int64_t least = low > INT64_MIN + 1 ? low + f->offset : low, most = high < INT64_MAX - 1 ? high + f->offset : high;
    const int16_t x = (int16_t)(least < INT16_MIN ? INT16_MIN : least > INT16_MAX ? INT16_MAX : least), y = (int16_t)(most < INT16_MIN ? INT16_MIN : most > INT16_MAX ? INT16_MAX : most);
    const bool none = least > INT16_MAX || most < INT16_MIN;
    const int places = f->of_pieces ? g->places : g->cells + g->zone_count;
    set_clear(out);
    for (int p = 0; p < places; p += 64) {
        const int n = places - p < 64 ? places - p : 64;
        const uint64_t all = n == 64 ? ~0ull : (1ull << n) - 1, in = none ? 0 : bits_within(a + p, n, x, y);
        out[p >> 6] = negate ? all & ~in : in;
    }
    if (f->of_pieces) set_and(out, out, S(SET_OCCUPIED));
}

/* The same of a number that never changes. */
KNOWN void fixed_set(const vm *v, const field *f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    const uint64_t *upto = f->upto[H(H_MOVER)];
    const int64_t before = f->least - 1, from = low > f->least ? low - 1 : before, to = high < f->most ? high : f->most;
    if (from > to) set_clear(out);
    else set_andn(out, upto + (size_t)(to - before) * WORDS, upto + (size_t)(from - before) * WORDS);
    if (negate) set_andn(out, upto + (size_t)(f->most - before) * WORDS, out);
}

/* ... of the number of pieces on a cell. Only where there is more than one they are counted, and only if it matters how many. */
KNOWN void height_set(const vm *v, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    const game *g = G(v);
    const bool zero = (low <= 0 && high >= 0) != negate, one = (low <= 1 && high >= 1) != negate, counted = low > 2 || (low <= 2 && high >= 2 && high < g->pile_max);
    const uint64_t *occupied = S(SET_OCCUPIED);
    uint64_t left[WORDS];
    if (!has_piles(g)) { EACH_WORD(k) out[k] = cells_word(g, k) & ((zero ? ~occupied[k] : 0) | (one ? occupied[k] : 0)); return; }
    const uint64_t *more = piled(v);
    const bool many = !counted && (low <= 2 && high >= 2) != negate;
    EACH_WORD(k) out[k] = cells_word(g, k) & ((zero ? ~occupied[k] : 0) | (one ? occupied[k] & ~more[k] : 0) | (many ? more[k] : 0));
    if (!counted) return;
    set_copy(left, more);
    for (int p; (p = set_pop(left)) >= 0;) { const int64_t x = height_of(v, p); if ((x >= low && x <= high) != negate) set_add(out, p); }
}

static __attribute__((noinline)) void any_field_set(const vm *v, int f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    set_clear(out);
    for (int p = 0; p < G(v)->places; p++) {
        int64_t x;
        if (field_at(v, f, p, &x) && (x >= low && x <= high) != negate) set_add(out, p);
    }
}

KNOWN void field_set(const vm *v, int f, int64_t low, int64_t high, bool negate, uint64_t *out)
{
    const field *what = &G(v)->fields[f];
    if (what->kind == FIELD_KEEP) kept_set(v, what, low, high, negate, out);
    else if (what->kind == FIELD_HEIGHT) height_set(v, low, high, negate, out);
    else if (what->upto[H(H_MOVER)]) fixed_set(v, what, low, high, negate, out);
    else any_field_set(v, f, low, high, negate, out);
}

KNOWN int64_t field_over(const vm *v, int f, const uint64_t *s, opcode what)
{
    uint64_t left[WORDS];
    int64_t sum = 0, most = 0, least = 0, x;
    bool some = false;
    set_copy(left, s);
    for (int p; (p = set_pop(left)) >= 0;) {
        if (!field_known(v, &G(v)->fields[f], p, &x)) continue;
        sum += x;
        if (!some || x > most) most = x;
        if (!some || x < least) least = x;
        some = true;
    }
    return what == OP_SUM ? sum : what == OP_MOST ? most : least;
}

static bool compares(int64_t x, int op, int64_t y)
{
    switch (op) {
    case OP_EQ: return x == y;
    case OP_NE: return x != y;
    case OP_LT: return x < y;
    case OP_LE: return x <= y;
    case OP_MIN: return x > y;      /* BAG_PAIRS only: greater */
    default: return x >= y;
    }
}


static int16_t *bag(const vm *v, int b) { return BAGS(v) + (size_t)b * (BAG_MAX + 1); }

static void bag_add(vm *v, int b, int64_t x)
{
    int16_t *p = bag(v, b);
    if (p[0] >= BAG_MAX) { fault(v, "a bag holds too many numbers"); return; }
    int i = ++p[0];
    for (; i > 1 && p[i - 1] < x; i--) p[i] = p[i - 1];
    p[i] = (int16_t)x;
}

static void bag_drop(vm *v, int b, int64_t x)
{
    int16_t *p = bag(v, b);
    for (int i = 1; i <= p[0]; i++)
        if (p[i] == x) { memmove(p + i, p + i + 1, (size_t)(p[0] - i) * sizeof *p); p[p[0]--] = 0; return; }
}

static int64_t bag_fold(const vm *v, int b, opcode what)
{
    const int16_t *p = bag(v, b);
    int64_t sum = 0;
    if (what == OP_BAG_COUNT) return p[0];
    if (what == OP_BAG_MOST) return p[0] ? p[1] : 0;
    if (what == OP_BAG_LEAST) return p[0] ? p[p[0]] : 0;
    for (int i = 1; i <= p[0]; i++) sum += p[i];
    return sum;
}

static void bag_pairs(vm *v, int to, int a, int b, int op)
{
    int16_t x[BAG_MAX + 1], y[BAG_MAX + 1];
    memcpy(x, bag(v, a), sizeof x);
    memcpy(y, bag(v, b), sizeof y);
    memset(bag(v, to), 0, sizeof x);
    for (int i = 1; i <= x[0] && i <= y[0]; i++) if (compares(x[i], op, y[i])) bag_add(v, to, 1);
}
#endif
