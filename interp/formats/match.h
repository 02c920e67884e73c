/* Records of matches: all that is needed to play one again, in YAML.
 *
 *     format: 1
 *     game: hex                     # as it was asked for
 *     title: Hex
 *     hash: "9c51d2ff00aa3e17"      # of the compiled rules, options included
 *     random: "xoshiro256**"
 *     seed: 42                      # draws the chance of the set-up; later chance stands among the moves
 *     players: 2
 *     options: { size: "11" }
 *     seats: { Red: human, Blue: "mcts:visits=1000" }
 *     moves:
 *       - Red: e5
 *       - chance: "3"
 *     result: { outcome: win, winner: Red, reason: "..." }
 *
 * A record is written whole after every move, beside the file and then in its place, so what is on disk is always a record. */
#ifndef JOC_FORMATS_MATCH_H
#define JOC_FORMATS_MATCH_H
#include "interp/formats/data.h"

typedef struct { int player; char *text; } match_move;          /* player -1: chance */

typedef struct {
    char *game, *title, *at;            /* `at`: a position text to begin at, NULL for the set-up */
    uint64_t hash, seed;
    int players;
    char **options, **values;
    size_t option_count;
    char **seats;                       /* one per player; as typed */
    match_move *moves;
    size_t move_count, move_capacity;
    char *outcome, *winner, *reason;    /* "" while it goes on */
    char **names;                       /* of players */
} match;

/* A record of a match about to begin; the options are those of `g` that `settings` name. */
match *match_new(const char *game, const joc_game *g, const joc_setting *settings, size_t count, uint64_t seed, const char *at);
void match_add(match *, int player, const char *move);
void match_drop(match *);                                       /* takes back the last one */
void match_end(match *, const joc_position *);                  /* notes the result, if there is one */
char *match_text(const match *);                                /* malloc'd YAML */
/* Reads a record. NULL with messages. */
match *match_read(const char *path, joc_messages *m);
void match_free(match *);
extern const data_shape match_shape;

/* Plays the record's moves from its beginning. NULL with a message at the first that does not fit; `*done` is how many did. Does not own `g`. */
joc_position *match_replay(const match *, const joc_game *g, const char *path, size_t *done, joc_messages *m);
#endif
