/* The compiled tables, readable. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

static const struct { const char *name, *notation; } ops[] = {
#define OP(name, notation) { #name, notation },
#include "op.def"
#undef OP
};

char *joc_game_tables(const joc_game *x)
{
    const game *g = x->g;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) abort();
    fprintf(f, "%s\n\n%d cells, %d places, sets of %d word%s; %d players, %d kinds\n", g->title ? g->title : "", g->cells, g->places, g->words, g->words == 1 ? "" : "s", g->player_count, g->kind_count);
    fprintf(f, "a position is %zu bytes, a state inside a turn %zu\n", g->position_size, g->state_size);
    fprintf(f, "numbers: %d constants, %d registers, %d of the position; sets: %d planes, %d registers, %d constants\n", g->num_consts, g->num_regs, g->num_position, g->reg_first, g->set_regs, g->set_consts);
    fprintf(f, "\ndirections\n");
    for (int i = 0; i < g->dir_count; i++) {
        const direction *d = &g->dirs[i];
        int n = 0;
        for (int k = 0; k < g->words; k++) n += __builtin_popcountll(d->mask[k]);
        fprintf(f, "  %2d %-16s from %3d places, %s", i, d->name ? d->name : "", n, d->graph ? "a set each" : d->shift ? "a shift by " : d->part_count ? "shifts by" : "a table");
        if (d->shift) fprintf(f, "%d", d->shift);
        for (int k = 0; k < d->part_count; k++) fprintf(f, " %d", d->parts[k].shift);
        fprintf(f, "\n");
    }
    fprintf(f, "\nset operands: 0 occupied, 1 empty, 2 own, 3 enemy, 4 passed, 5 neutral");
    for (int i = 0; i < g->player_count; i++) fprintf(f, ", %d %s", g->player_first + i, g->players[i].name);
    for (int i = 0; i < g->kind_count; i++) fprintf(f, ", %d %s", g->kind_first + i, g->kinds[i].name);
    for (int i = 0; i < g->keeps_shown; i++) if (g->keeps[i].type == KEEP_FLAG && (g->keeps[i].of == KEEP_CELL || g->keeps[i].of == KEEP_PIECE)) fprintf(f, ", %d %s", g->keeps[i].where, g->keeps[i].name);
    fprintf(f, ", registers from %d, constants from %d\n", g->reg_first, g->const_first);
    fprintf(f, "\ncode\n");
    for (uint32_t pc = 0; pc < g->code_count; pc++) {
        for (int i = 0; i < g->entry_count; i++) if (g->entries[i].pc == pc) fprintf(f, "%s:\n", g->entries[i].name);
        static const char *const counted[] = { "", " (counted)", " (counted: a nest)", " (counted: a factor)", "" };
        const ins *i = &g->code[pc];
        fprintf(f, "  %5u  %-14s a=%-5u b=%-5u c=%-5u d=%-6d e=%-6d %s%s\n", pc, ops[i->op].name, i->a, i->b, i->c, i->d, i->e, ops[i->op].notation, counted[g->counted[g->counted_at[pc]].how]);
    }
    fprintf(f, "\nlegs\n");
    for (int i = 0; i < g->leg_count; i++) {
        const leg *l = &g->legs[i];
        fprintf(f, "  %3d relation %d%s%s to %d", i, l->relation, l->slide ? " slide" : "", l->settle ? " settle" : "", l->target);
        for (int j = 0; j < l->pattern_count; j++) fprintf(f, " over %d%c", g->patterns[l->pattern + j].set, g->patterns[l->pattern + j].how == '1' ? ' ' : g->patterns[l->pattern + j].how);
        fprintf(f, "\n");
    }
    fprintf(f, "\nplans%s\n", g->draws ? ": a move is drawn where it is chosen" : "");
    for (int i = 0; i < g->plan_count; i++)
        for (int j = 0; j < g->plans[i].count; j++) {
            const plan_item *it = &g->plan_items[g->plans[i].first + j];
            fprintf(f, "  %3d %s leg %d %s, code %u, %d alternatives, %d places, %d conditions, split %d%s%s%s, entry %u\n", i + 1, it->drop ? "drop" : it->options ? "options" : it->origins ? "from" : "walk", it->leg, it->tail == PLAN_CLEAN ? "clean" : it->tail == PLAN_TEST ? "test" : "tree", it->pc, it->alt_count, it->from_count, it->cond_count, it->split, it->split < 0 ? "" : it->split_inside ? " inside" : " outside", it->quiet ? ", quiet" : "", it->branches ? ", branches" : "", it->entry);
            for (int k = 0; k < it->body_count; k++) fprintf(f, "      ends the repetition where leg %d is impossible (cells %d)\n", g->lists[it->body + 2 * k], g->lists[it->body + 2 * k + 1]);
            if (it->more_count) fprintf(f, "      becomes one of %d kinds\n", it->more_count);
            if (!it->drop && !it->origins && !it->options) fprintf(f, "      gathered %s\n", it->gather == GATHER_FROM ? "from each walker" : it->gather == GATHER_ALONG ? "along each direction" : "in the shorter way");
        }
    fclose(f);
    return text;
}
