/* What the parts of libjoc share behind joc.h. */
#ifndef JOC_INSIDE_H
#define JOC_INSIDE_H
#include "joc.h"
#include "compile/compile.h"
#include "machine/machine.h"

struct joc_messages { diagnostics *d; };
struct joc_rules { tree *tree; diagnostics *d; char *path; joc_option *options; size_t option_count; joc_preset *presets; size_t preset_count; int least, most; char *title; arena *arena; };
struct joc_game { game *g; void *native; /* what joc_native loaded */ };

struct joc_position {
    const joc_game *game;
    vm *v;                      /* holds the position itself */
    bool settled;
    int idle_turns;             /* turns that passed by themselves when it was settled */
    state_kind kind;
    int64_t scores[PLAYERS_MAX];
    uint8_t *kept;              /* a state, while something is asked of the position that the rules ask elsewhere; made when wanted */
    char fault[200];            /* the reason a computation was given up, with the rule */
    struct event *log;          /* the newest event; games with secrets only (view.h) */
    bool log_whole;             /* it begins where the game begins */
    int viewer;                 /* the player whose view this is, -1: it is the position itself */
    joc_position *truth;        /* of a view: what it is a view of */
};

struct joc_move { const joc_moves *list; size_t index; };

struct joc_moves {
    const joc_game *game;
    vm *v;                      /* for texts; made when wanted */
    uint8_t *from;              /* the state they were listed from */
    uint16_t *seen;             /* of a view: what stands on the cells as he sees it (codes); NULL otherwise */
    leaf *leaves;
    uint32_t *paths;
    uint8_t *states;
    history history;
    size_t history_count;
    size_t count;
    struct phrase *phrases;     /* made when wanted: what each move says of itself */
    char **texts;               /* made when wanted */
    joc_move *moves;
};

void rules_read(joc_rules *r);               /* title, players, options, presets: from the tree */
joc_position *position_new(const joc_game *);    /* nothing stands there yet, not even a state */
void position_settle(const joc_position *p);
bool position_in_setup(const joc_position *);    /* chance of the set-up has still to happen */
/* How many moves of a list a text fits, exactly or shortened; the best of them in *best. */
size_t moves_fit(const joc_moves *list, const char *text, size_t *best);
/* joc_compile; `marked`: to be covered by tests. */
joc_game *game_compile(const joc_rules *, const joc_setting *settings, size_t count, int players, bool marked, joc_messages *);
void moves_machine(joc_moves *list);             /* list->v stands where the list was made */
/* All ways to make the decision, filters disregarded where `watched` says; the list is the caller's. */
joc_moves *moves_watched(joc_moves *list, watch *watched);
/* The label of the condition that alone forbids what was typed; NULL if there is none. */
const char *moves_forbidden_by(const joc_moves *list, const char *text);
/* A text as printf makes it; malloc'd. */
char *sentence(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *place_text(const game *g, int place);
const char *keep_text(const game *g, const keep *k, int64_t x, char number[24]);
#endif
