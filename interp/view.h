/* The log of a position, and what view.c and redeal.c share. */
#ifndef JOC_VIEW_H
#define JOC_VIEW_H
#include <stdatomic.h>
#include "phrase.h"

/* Something that was decided: by a player, or by chance. `told` is false for the chance of the set-up, which is drawn in silence. */
typedef struct event {
    struct event *before;
    atomic_uint users;
    size_t number;              /* from 1 */
    bool chance, told;
    uint8_t *from;              /* the state it was decided in, settled */
    leaf choice;
    uint32_t *path;
    int64_t resumed;            /* where the rules went on after it, before settling */
} event;

/* Adds what was decided in `from`; `l` NULL: not known. `resumed` is the caller's to set. */
void log_add(joc_position *, const uint8_t *from, const leaf *l, const uint32_t *path);
event *log_share(event *);
void log_drop(event *);
void log_forget(joc_position *);                  /* of a position that comes to be in another way than by moves */
/* A view that lists no moves and tells no log, of a position that is settled. */
joc_position *view_alone(const joc_position *, int player);
int event_mover(const game *, const event *);
/* The i-th event that a position or view tells of, and the state it led to. */
const event *log_event(const joc_position *, size_t i, const uint8_t **next);
/* How it reads to a player (-1: whole): malloc'd. `from` and `after`: positions standing where it was decided and where it led; `from` comes back as it was. */
char *event_text(const event *, joc_position *from, const joc_position *after, int player);
/* The round that the code at pc belongs to, -1 none; and the first event of the round that goes on after e, NULL if none does. */
int round_of(const game *, int64_t pc);
const event *round_first(const game *, const event *);
bool piece_seen(const joc_position *, int place, int level, int owner, int kind, int player);

/* A piece outside of any position: its keeps in the order of game.keeps. */
typedef struct { int owner, kind; int64_t values[PIECE_FLAGS_MAX + PIECE_VALUES_MAX]; } loose;
typedef struct { loose *pieces; int count; } pieces;            /* freed by free(pieces) */
pieces pieces_at(const joc_position *, int place);              /* the top one first */
pieces gained(const pieces *a, const pieces *b);                /* what b has more than a, counted */
joc_position *position_of_state(const joc_game *, const uint8_t *state);
#endif
