/* Symmetry of the rules: are all sets, directions and fields in the code each other's images, and is no place and no player named in it? What
 * an instruction does with its operands is read out of op.def. The order of cells, in which `first` and `each` look, is not judged. */
#include <string.h>
#include "symmetry.h"

static bool has(const uint64_t *set, int x) { return set[x / 64] >> (x % 64) & 1; }

static const char *const notations[] = {
#define OP(name, notation) notation,
#include "op.def"
#undef OP
};

/* Does an instruction use its operand as `sign`: a set S[b], a place or player N[b]? op.def says so in words. */
static bool uses(int op, const char *sign) { return strstr(notations[op], sign) != NULL; }

static bool image_of_set(const game *g, const symmetry *s, int operand)
{
    const int i = operand - g->const_first;
    if (i < 0 || i >= g->set_consts) return true;
    for (int p = 0; p < g->player_count; p++) {
        const uint64_t *set = g->const_set[p] + (size_t)i * (size_t)g->words, *next = g->const_set[s->player[p]] + (size_t)i * (size_t)g->words;
        for (int x = 0; x < g->cells; x++) if (s->cell[x] < 0 || has(set, x) != has(next, s->cell[x])) return false;
    }
    return true;
}

/* No relation (an index below 0) tells no sides apart. */
static bool image_of_relation(const game *g, const symmetry *s, int index)
{
    if (index < 0) return true;
    const relation *r = &g->relations[index];
    for (int p = 0; r->reg < 0 && p < g->player_count; p++) {
        uint64_t image = 0;
        for (uint64_t m = r->mask[p]; m; m &= m - 1) { const int d = s->dir[__builtin_ctzll(m)]; if (d >= 0) image |= 1ull << d; }
        if (image != r->mask[s->player[p]]) return false;
    }
    return true;
}

static bool image_of_field(const game *g, const symmetry *s, int index, int depth)
{
    const field *f = &g->fields[index];
    if (f->kind == FIELD_SUM) return depth < 20 && (f->left < 0 || image_of_field(g, s, f->left, depth + 1)) && (f->right_number || image_of_field(g, s, f->right, depth + 1));
    for (int p = 0; f->kind == FIELD_CONST && p < g->player_count; p++)
        for (int x = 0; x < g->cells; x++) if (s->cell[x] < 0 || f->values[p][x] != f->values[s->player[p]][s->cell[x]]) return false;
    return true;
}

static bool image_of_leg(const game *g, const symmetry *s, const leg *l)
{
    for (int i = 0; i < l->pattern_count; i++) if (!image_of_set(g, s, g->patterns[l->pattern + i].set)) return false;
    return (l->target < 0 || image_of_set(g, s, l->target)) && image_of_relation(g, s, l->relation);
}

/* The sets, fields, directions, named places and players of one instruction. */
static bool image_of_code(const game *g, const symmetry *s, const ins *i)
{
    static const struct { const char *sign; int operand; } places[] = {
        { "place N[b]", 1 }, { "player N[b]", 1 }, { "piece at N[b]", 1 }, { "{ N[b] }", 1 }, { "mover is N[a]", 0 }, { "for N[b]", 1 }, { "belong to N[b]", 1 },
    };
    static const char *const sets[] = { "S[a]", "S[b]", "S[c]", "S[d]", "S[e]" }, *const fields[] = { "F[a]", "F[b]", "F[c]", "F[d]", "F[e]" };
    const int32_t operands[] = { i->a, i->b, i->c, i->d, i->e };
    for (int k = 0; k < 5; k++) {
        if (uses(i->op, sets[k]) && !image_of_set(g, s, operands[k])) return false;
        if (uses(i->op, fields[k]) && !image_of_field(g, s, operands[k], 0)) return false;
    }
    if (uses(i->op, "R[d]") && !image_of_relation(g, s, i->d)) return false;
    if (uses(i->op, "? leg a") && !image_of_leg(g, s, &g->legs[i->a])) return false;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) if (uses(i->op, places[k].sign) && operands[places[k].operand] < g->num_consts) return false;
    return true;
}

/* Where the code of the tests begins, which may name what it likes. */
static uint32_t tests_at(const game *g)
{
    uint32_t least = g->code_count;
    for (int i = 0; i < g->check_count; i++) if (g->checks[i].pc && g->checks[i].pc < least) least = g->checks[i].pc;
    return least;
}

bool symmetry_of_rules(const game *g, const symmetry *s)
{
    bool same = true;
    const uint32_t end = tests_at(g);
    for (uint32_t pc = g->turn_pc; same && pc < end; pc++) same = image_of_code(g, s, &g->code[pc]);
    for (uint32_t pc = g->attack_begin; same && pc < g->attack_end; pc++) same = image_of_code(g, s, &g->code[pc]);
    return same;
}
