/* A player for games with secrets: it gets views and nothing else.
 *
 * Worlds that fit what it has seen are dealt (joc_redeal), each is searched as if all were open (interp/play/mcts.h), and the move that was
 * best most often is played. It cannot bluff, and takes others to know what it knows: docs/secrets.md. */
#ifndef JOC_PLAY_UNSEEN_H
#define JOC_PLAY_UNSEEN_H
#include "interp/play/mcts.h"

enum { UNSEEN_WORLDS = 8 };
typedef struct { size_t best; int votes, worlds; } unseen_result;       /* `best`: in joc_moves_of(view), the best in `votes` of the worlds; worlds 0: none was found, and `best` is 0 */
unseen_result unseen_search(const joc_position *view, const mcts_effort *);
#endif
