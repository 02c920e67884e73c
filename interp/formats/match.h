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
 *     began: "2026-11-30T18:00:00Z"
 *     moves:
 *       - Red: e5
 *       - chance: "3"
 *     times: [12, 15]               # of each move, in seconds since it began
 *     result: { outcome: win, winner: Red, reason: "..." }
 *     rules: { turn: "1f2e3d4c", ... }      # of each declaration, to name what has changed since
 *
 * A record is written whole after every move, beside the file and then in its place, so what is on disk is always a record. */
#ifndef JOC_FORMATS_MATCH_H
#define JOC_FORMATS_MATCH_H
#include "interp/formats/options.h"

typedef struct { int player; int64_t time; char *text; size_t from, to; } match_move;   /* player -1: chance; time -1: not known; bytes of `source` */
typedef struct { char *name; uint32_t print; } match_rule;                  /* a declaration and what it reads like, in 32 bits */

typedef struct match {
    char *game, *title, *at, *began;    /* `at`: a position text to begin at, NULL for the set-up; `began`: UTC, "" if not known */
    uint64_t hash, seed;
    int players;
    choices options;
    char **seats;                       /* one per player; as typed */
    match_move *moves;
    size_t move_count, move_capacity;
    char *outcome, *winner, *reason;    /* "" while it goes on */
    char **names;                       /* of players */
    match_rule *rules;
    size_t rule_count;
    char *source;                       /* the file it was read from, for messages; NULL */
    size_t source_length;
} match;

/* A record of a match about to begin, under the options chosen (NULL: none). Without rules it notes none. `began`: seconds since 1970. */
match *match_new(const char *game, const joc_rules *, const joc_game *, const choices *, uint64_t seed, const char *at, int64_t began);
void match_add(match *, int player, const char *move, int64_t time);
void match_drop(match *);                                       /* takes back the last one */
void match_end(match *, const joc_position *);                  /* notes the result, if there is one */
char *match_text(const match *);                                /* malloc'd YAML */
int64_t match_began(const match *);                             /* seconds since 1970; 0 if not known */
/* Reads a record. NULL with messages. */
match *match_read(const char *path, joc_messages *m);
/* The same of a text; `path` is for messages. */
match *match_parse(const char *path, const char *yaml, size_t length, joc_messages *m);
void match_free(match *);
/* What has changed in the rules since: malloc'd, NULL if nothing. */
char *match_changes(const match *, const joc_rules *, const joc_game *);
extern const data_shape match_shape;

/* Plays the record's moves from its beginning. NULL with a message at the first that does not fit; `*done` is how many did. Does not own `g`. */
bool match_replay_one(const match *, size_t i, joc_position *, const char *path, joc_messages *m);       /* its move number i, from 0 */
joc_position *match_replay(const match *, const joc_game *g, const char *path, size_t *done, joc_messages *m);
#endif
