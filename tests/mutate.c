/* How many slips the checker finds, and how near it points: rule files with one token changed.
 *
 *     mutate [--most N] [--each N] [--show KIND] FILE...
 *
 * Of every file all single-token mutations are made, or N of them drawn by a fixed seed (--most, 2000), and each is checked as `joc check` does.
 * Found: an error or a warning is told. Near: the first one told stands on the line of the mutated token or of the next. The kinds:
 *
 *   misspell     a word with a letter changed, left out, doubled or swapped with the next, so that it is no other word of the file
 *   refuse       what no reader could accept: a bracket, brace or quotation mark dropped or doubled; a joining sign or word doubled; a number,
 *                text or sign where a word stood, or a word or text where a number or sign stood
 *   drop double swap       any other token left out, written twice, changed with the next: some of these are other rules, and right ones
 *
 * The last line of the output has the shares of `misspell` and `refuse` together; tests/test_mutate.c keeps them from falling. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/joc.h"
#include "tests/mutate.h"

static const char *const names[MUTATION_COUNT] = { "misspell", "refuse", "drop", "double", "swap" };

static void tell(mutation_tally *t, const char *what, const char *file)
{
    for (int k = 0; k < MUTATION_COUNT; k++)
        if (t->made[k]) printf("%-10s %-10s %7lu  found %6.2f %%  near %6.2f %%\n", file, what ? what : names[k], t->made[k], 100.0 * (double)t->found[k] / (double)t->made[k], 100.0 * (double)t->near[k] / (double)t->made[k]);
}

int main(int argc, char **argv)
{
    mutation_tally all = { 0 };
    size_t most = 2000;
    const char *show = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--most") && i + 1 < argc) { most = (size_t)strtoul(argv[++i], NULL, 10); continue; }
        if (!strcmp(argv[i], "--show") && i + 1 < argc) { show = argv[++i]; continue; }
        mutation_tally t = { 0 };
        if (!mutate_file(argv[i], most, show, &t)) { fprintf(stderr, "mutate: '%s' cannot be read\n", argv[i]); return 3; }
        for (int k = 0; k < MUTATION_COUNT; k++) { all.made[k] += t.made[k]; all.found[k] += t.found[k]; all.near[k] += t.near[k]; }
    }
    tell(&all, NULL, "all");
    const double made = (double)(all.made[MISSPELL] + all.made[REFUSE]);
    printf("misspelt or to be refused: %.0f, found %.2f %%, near %.2f %%\n", made, 100.0 * (double)(all.found[MISSPELL] + all.found[REFUSE]) / made,
           100.0 * (double)(all.near[MISSPELL] + all.near[REFUSE]) / made);
    return 0;
}
