/* Functions of the library asked for and not yet in joc.h. */
#ifndef JOC_PLAY_WANTED_H
#define JOC_PLAY_WANTED_H
#include "interp/joc.h"
void joc_messages_add(joc_messages *, const char *code, const char *path, const char *text, size_t length, size_t from, size_t to, const char *message);
const char *joc_game_path(const joc_game *);
bool joc_set_dice(joc_position *, int dice, const int *values, size_t count);
bool joc_player_in(const joc_position *, int player);
void joc_set_player_in(joc_position *, int player, bool in);
const char *joc_way_name(const joc_game *, int direction);
#endif
