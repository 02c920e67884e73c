/* The plain second evaluator: docs/language.md, read aloud.
 *
 * It walks the syntax tree cell by cell, tries every run of every action, and remembers nothing that it could ask again. It
 * shares nothing with the product but the tree (grammar/ast.h): names, types, geometry, maps, notation and positions are its own.
 * The fast machine is compared with it at every ply, so where the two differ, this one is read first.
 *
 *     plain_game *g = plain_open(tree, NULL, 0, 0, &why);
 *     plain_position *p = plain_start(g, 42);
 *     plain_node *n = plain_expand(p);
 *     for (size_t i = 0; i < n->count; i++) puts(n->outcomes[i].text);
 *
 * The state text. One line says everything of a position; fields are separated by single spaces:
 *
 *     mover=NAME turns=N passes=N extra=0|1 out=NAME,...|-
 *     CELL=PIECE+PIECE            every cell that is not empty, in board order, pieces from bottom to top
 *     ZONE[PLAYER]=PIECE,PIECE    every zone that is not empty, in order of declaration, players in order; the pieces sorted as
 *                                 texts (strcmp); `ZONE=` for a zone that is nobody's
 *     NAME@CELL  NAME@CELL:VALUE  keeps of cells (flags: no value), by declaration, then by cell; zones that lie on a track, with
 *                                 cell keeps of their own, come after the cells as NAME@ZONE[PLAYER]:VALUE
 *     NAME[PLAYER]:VALUE          keeps of players, by declaration, then by player; a flag is `NAME[PLAYER]`
 *     NAME:VALUE                  keeps of the game, by declaration; a flag is `NAME`
 *     NAME=V,V                    dice in order of declaration, only inside a turn, only if they were thrown
 *
 * A PIECE is OWNER.KIND (neutral.KIND), then for its keeps in order of declaration `/NAME` for a flag that is set and
 * `/NAME:VALUE` for a value that differs from its start. Only keeps that differ from their start are written (a flag: that is set).
 * VALUE is a number, or the name of a place, direction, kind or player, `-` for nothing yet. `mover` is who decides: inside
 * `by P { }` that is P.
 *
 * The result text: `running`, `win NAME`, `draw`, and ` score a,b` after it when the game is over and the file declares a score. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "ast.h"

typedef struct plain_game plain_game;
typedef struct plain_position plain_position;
typedef struct { const char *name, *value; } plain_setting;

/* NULL, with a malloc'd reason in *why, if the file has no such option or cannot be understood. The tree must outlive the game. */
plain_game *plain_open(const tree *, const plain_setting *settings, size_t count, int players, char **why);
void plain_close(plain_game *);
int plain_players(const plain_game *);
const char *plain_player(const plain_game *, int player);
/* What went wrong in the last call (a set where a number is wanted ...), or NULL. */
const char *plain_error(const plain_game *);

/* The position after the set-up, its chance drawn from `seed`; if the set-up holds decisions, the position at the first of them. NULL on error. */
plain_position *plain_start(plain_game *, uint64_t seed);
/* The same, but chance in the set-up is left open. */
plain_position *plain_origin(plain_game *);
/* The start with the board emptied and refilled from a text: a FEN ("board side castling en-passant") or a PDN position ("W:W21,K30:B1"). */
plain_position *plain_at(plain_game *, const char *text);
/* A position between turns from its state text. NULL, with plain_error, if the text is none of this game's. Its history begins here. */
plain_position *plain_read(plain_game *, const char *state_text);
void plain_free(plain_position *);

typedef enum { PLAIN_DECISION, PLAIN_CHANCE, PLAIN_OVER, PLAIN_STUCK } plain_kind;
typedef struct {
    char *text;                 /* notation, docs/language.md section 7; of chance: what came */
    uint64_t weight;            /* of chance; else 1 */
    uint64_t runs;              /* how many runs are this move */
    struct plain_phrases *phrases;      /* what each of them was, for plain_find and plain_fits */
    plain_position *after;
    size_t found;                       /* its place in the order in which moves are found */
} plain_outcome;
typedef struct {
    plain_kind kind;
    int player;                 /* who decides; -1 chance */
    size_t count;
    plain_outcome *outcomes;    /* sorted by text */
} plain_node;

/* What comes now: the position goes on by itself as far as nobody has a choice. PLAIN_STUCK on error, see plain_error. */
plain_kind plain_look(plain_position *);
/* What can happen now. The position first goes on by itself as far as nobody has a choice. NULL on error. */
plain_node *plain_expand(plain_position *);
void plain_node_free(plain_node *);

char *plain_state_text(plain_position *);       /* malloc'd */
char *plain_result_text(plain_position *);      /* malloc'd */

typedef struct { bool turns, paths, play_on; } plain_how;
/* Sequences of `depth` decisions. On error 0, and plain_error says why. */
uint64_t plain_perft(plain_position *, int depth, plain_how);

/* The outcome that a text means: exact, else the only one of which it is a shorter form; -1 none, -2 several. */
int plain_find(const plain_node *, const char *text);
/* Does the text fit outcome i at all, exactly or as a shorter form? */
bool plain_fits(const plain_node *, size_t i, const char *text);

/* A random game of at most `cap` decisions; each ply is told to `out` (may be NULL). Gives the decisions made, -1 on error. */
long plain_random(plain_game *, uint64_t seed, long cap, FILE *out);

/* Runs the file's tests; failures are told to `out`. Gives how many checks failed; *passed counts the others. */
size_t plain_test(const tree *, FILE *out, size_t *passed);
#endif
