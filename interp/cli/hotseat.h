/* Several people at one terminal in a game with secrets: each sees his own, and the screen is empty while it is passed on. */
#ifndef JOC_CLI_HOTSEAT_H
#define JOC_CLI_HOTSEAT_H
#include "interp/joc.h"

typedef struct {
    bool on;                    /* the game has secrets */
    int people;                 /* at the table */
    int looking;                /* who looks at the screen, -1: nobody yet */
    size_t told[16];            /* how much of his log each has been told */
} hotseat;

/* It is `who`'s to decide. If another was looking: the screen and what scrolled off it are cleared, and he is waited for. True if so. */
bool hotseat_turn(hotseat *, const joc_game *, int who);
/* Tells the viewer what has happened since he was last told. */
void hotseat_news(hotseat *, const joc_position *view);
void hotseat_log(const joc_position *view);
/* May the viewer take back? Only what he chose himself, with nothing after it. */
bool hotseat_may_undo(const joc_position *view);
/* Writes the match as the viewer knows it. */
bool hotseat_save(const joc_position *view, const char *game, const char *path);
#endif
