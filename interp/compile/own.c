/* What a compiled game owns, and its end. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

/* The names kept in tables outlive the tree. */
void own_names(compiler *c)
{
    game *g = c->g;
#define OWN(x) ((x) = (x) ? arena_copy(c->a, (x), strlen(x)) : NULL)
    OWN(g->title);
    OWN(g->path);
    for (int i = 0; i < g->cells; i++) { OWN(g->cell[i].name); OWN(g->cell[i].title); }
    for (int i = 0; i < g->zone_count; i++) { OWN(g->zones[i].name); OWN(g->zones[i].seen); }
    for (int i = 0; i < g->player_count; i++) OWN(g->players[i].name);
    for (int i = 0; i < g->kind_count; i++) { OWN(g->kinds[i].name); OWN(g->kinds[i].letter); OWN(g->kinds[i].seen); }
    for (int i = 0; i < g->keep_count; i++) { OWN(g->keeps[i].name); OWN(g->keeps[i].seen); }
    for (int i = 0; i < g->dice_count; i++) OWN(g->dice[i].name);
    for (int i = 0; i < g->dir_count; i++) OWN(g->dirs[i].name);
    for (int i = 0; i < g->name_count; i++) OWN(g->names[i]);
    for (int i = 0; i < g->mark_count; i++) { OWN(g->marks[i].sign); OWN(g->marks[i].ascii); OWN(g->marks[i].name); }
    for (int i = 0; i < g->end_count; i++) { OWN(g->ends[i].word); OWN(g->ends[i].label); OWN(g->ends[i].path); }
    for (int i = 0; i < g->test_count; i++) { OWN(g->tests[i].title); OWN(g->tests[i].path); }
    for (int i = 0; i < g->check_count; i++) { OWN(g->checks[i].path); OWN(g->checks[i].text); OWN(g->checks[i].value); }
#undef OWN
}

void compiler_free(compiler *c)
{
    free(c->symbols);
    free(c->options);
    free(c->rules);
    free(c->zone_items);
    free(c->zone_first);
    free(c->zone_of_player);
    free(c->env);
    free(c->always);
}

void game_free(game *g)
{
    if (!g) return;
    free(g->zones);
    free(g->kinds);
    free(g->keeps);
    free(g->dice);
    free(g->code);
    free(g->relations);
    free(g->patterns);
    free(g->legs);
    free(g->fields);
    free(g->lists);
    free(g->attacks);
    free(g->rounds);
    free(g->plans);
    free(g->plan_items);
    free(g->counted);
    free(g->entries);
    free(g->named_sets);
    for (int i = 0; i < g->mark_count; i++) free(g->marks[i].gaps);
    free(g->marks);
    free(g->ends);
    free(g->origins);
    free(g->covers);
    free(g->names);
    free(g->tests);
    free(g->checks);
    free(g->const_num);
    if (!g->machine) free(g->const_set[0]);
    arena *a = (arena *)g->arena;
    arena_free(a);
}
