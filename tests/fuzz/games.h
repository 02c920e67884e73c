/* Games for fuzz targets, compiled when first wanted: of every width, with zones, stacks, chance, secrets, chains and repetition. */
#ifndef JOC_TESTS_FUZZ_GAMES_H
#define JOC_TESTS_FUZZ_GAMES_H
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/joc.h"

static const char *const game_names[] = {
    "chess", "english-draughts", "ur", "kalah", "dracones", "abalone", "shogi", "lasca", "backgammon", "arimaa", "go", "hex", "damarziana", "international-draughts",
    "goofspiel", "stratego", "quoridor", "nine-mens-morris", "surakarta", "pig", "tablut", "dots-and-boxes", "amazons", "dacii-si-romanii",
};
enum { GAMES = sizeof game_names / sizeof *game_names };

static inline joc_game *game_of(size_t i) {
    static joc_game *games[GAMES];
    if (games[i]) return games[i];
    char path[100];
    snprintf(path, sizeof path, "games/%s.joc", game_names[i]);
    joc_messages *m = joc_messages_new();
    joc_rules *rules = joc_rules_load(path, m);
    games[i] = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (!games[i]) fputs(joc_messages_text(m, false), stderr);
    assert(games[i]);
    joc_rules_free(rules);
    joc_messages_free(m);
    return games[i];
}
#endif
