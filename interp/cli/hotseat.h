/* Several people at one terminal in a game with secrets: each sees his own, and the screen is empty while it is passed on. */
#ifndef JOC_CLI_HOTSEAT_H
#define JOC_CLI_HOTSEAT_H
#include "interp/joc.h"

typedef struct {
    bool on;                    /* the game has secrets */
    bool left;                  /* nobody took the screen that was passed on: input ended, or was interrupted */
    int people;                 /* at the table */
    int looking;                /* who looks at the screen, -1: nobody yet */
    size_t told[16];            /* how much of his log each has been told */
} hotseat;

/* It is `who`'s to decide. If another was looking: the screen, what scrolled off it and what keys bring back (lines
 * typed before) are cleared, and he is waited for. True if so. */
bool hotseat_turn(hotseat *, const joc_game *, int who);
/* Tells the viewer what has happened since he was last told. */
void hotseat_news(hotseat *, const joc_position *view);
void hotseat_log(const joc_position *view);
/* May the viewer take back what was done since `before`? Only what he chose himself, with nothing after it, and if it showed him no piece that
 * he did not see. */
bool hotseat_may_undo(const joc_position *view, const joc_position *before);
/* Writes the match as the viewer knows it. */
bool hotseat_save(const joc_position *view, const char *game, const char *path);
#endif
