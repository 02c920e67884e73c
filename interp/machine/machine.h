/* The machine: positions of a compiled game, their moves and what becomes of them.
 *
 * A `vm` is working memory for one game and one thread; a position outside of it is bytes (game.state_size of them, of which
 * those from state_from belong to a position between turns). See vm.c for how decisions are enumerated. */
#ifndef JOC_MACHINE_H
#define JOC_MACHINE_H
#include "interp/game.h"

typedef struct vm vm;

typedef enum { LEAF_LEGAL, LEAF_OVER, LEAF_COMMIT, LEAF_CHANCE } leaf_kind;

/* One way to make a decision: the choices that lead to it, and what results. */
typedef struct {
    uint64_t key;               /* of all that makes two moves the same; where every path counts, the key is of the path too */
    uint32_t walk[2];           /* lists to draw from (last.h): if it `walks`, two choices behind the path */
    uint32_t like;              /* ... and 1 + the leaf that has the rest of this one, but for how the decision ends; 0: it is here */
    bool walks; uint8_t behind_length;
    uint32_t behind;            /* where the choices behind the walk are */
    uint64_t identity;          /* the key without the path */
    int label;                  /* lenient lists: 1 + the name of the filter that forbids it, 0 none */
    uint32_t path, path_length; /* into vm.paths */
    uint32_t resume;
    uint32_t chosen;            /* choices made (0: nothing was chosen) */
    uint64_t weight;            /* of an outcome of chance */
    int16_t preferences[8];
    uint8_t preference_count;
    uint8_t broken;             /* watched lists: how many breaches it needs */
    leaf_kind kind;
} leaf;

/* The end of a run that is only looked at: as a leaf without a key, and what it adds up to (last.h). */
typedef struct {
    uint32_t tail;              /* where what follows the leg begins */
    uint32_t told;              /* ends that were found with the same numbers have the same */
    int taken;                  /* the code of the piece that is taken, 0 none */
    bool open, live;            /* the run is not over there; it is among those preferred */
    int ends;
    uint32_t best;              /* vm.best_told when it was last found to be preferred, or not */
    uint64_t sum, contents;     /* without H_CONTENTS as it was */
    leaf leaf;
    size_t path_from; uint8_t path_length; uint32_t path[8];
} run_end;
enum { ENDINGS_MAX = 8 };

typedef enum { TOKEN_FROM, TOKEN_TO, TOKEN_TAKE_TO, TOKEN_DROP, TOKEN_PLACE, TOKEN_DIRECTION, TOKEN_NUMBER, TOKEN_PLAYER, TOKEN_KIND, TOKEN_PASS, TOKEN_STOP, TOKEN_RULE, TOKEN_DICE,
               TOKEN_TEXT, TOKEN_CELL /* second: the cells of its part before it */, TOKEN_AMOUNT, /* what `written` says */
               TOKEN_TOOK, TOKEN_PASSED /* places, told of a rule's `take` and of the leg just made */ } token_kind;
typedef struct { token_kind kind; int32_t value, second; uint32_t pc; /* where the machine was, of FROM, DROP, RULE and TOOK */ } token;

typedef enum { STATE_DECISION, STATE_CHANCE, STATE_OVER, STATE_STUCK } state_kind;

typedef struct { bool turns, paths, play_on, count_chance; } count_how;

/* What stood before: of each turn the position's key, the key over the set of `repeats of`, and the bits of `always` with who moved. */
typedef struct { uint64_t *keys, *keys_of, *always; size_t capacity; } history;
void history_grow(history *, size_t turns);
void history_copy(history *to, const history *from, size_t turns);
void history_free(history *);
/* A list that is watched has runs, too, that break the rules here and there on the way to the places wanted; a replay of such a run says where
 * (machine/watch.h). */
typedef enum { BREACH_CONDITION, BREACH_LANDING, BREACH_WAY, BREACH_DROP, BREACH_PICK, BREACH_ELSE, BREACH_STOP, BREACH_EMPTY } breach_kind;
typedef struct {
    breach_kind kind;
    uint32_t pc;
    uint32_t part;              /* the instruction of the part of the condition that decided, 0: all of it */
    bool wanted;                /* BREACH_CONDITION: what that part should have been */
    int place, here;            /* the place asked for; where the walk stood */
    size_t tokens;              /* of the trace so far */
    uint64_t cells[WORDS_MAX];  /* what stands against it */
    uint64_t by[WORDS_MAX];     /* the pieces that attack them, if that is asked */
    bool counted; int64_t number;       /* ... or the number that was found */
} breach;
/* Options of a choice that are counted, not tried (counted.h). */
enum { COUNTED_MAX = 256, COUNTED_PREFIX = 8, SHARES_MAX = 1024 };
typedef struct {
    bool chosen;                /* something is chosen on the way */
    uint8_t prefix_length;
    uint32_t prefix[COUNTED_PREFIX];    /* the choices before it */
    uint32_t count;
    int shares;                 /* where in vm.shares those of its first choice begin; -1: it has none, or none were kept */
} counted_batch;
enum { BREACHES_MAX = 16, BATCHES_MAX = 160, BATCH_HEAD = 64 /* bytes of a batch before its set, at most */ };
typedef struct watch {
    uint64_t wanted[WORDS_MAX];
    bool strict;                /* places are chosen among those wanted only */
    int broken, most;           /* breaches of the run at hand, and how many it may have */
    breach log[BREACHES_MAX]; int count;
    uint32_t tried[BREACHES_MAX]; int tried_count;      /* legs that lead to none of the places wanted */
} watch;

/* A situation of a repetition, and how many pieces had been taken in it. */
typedef struct { uint64_t key; int64_t taken; } loop_entry;

/* What a machine for one set width does. States are blocks of g->state_size bytes. */
typedef struct machine {
    int words;
    void (*blank)(vm *);                                        /* loads an empty board, first player to move */
    void (*load)(vm *, const uint8_t *state);
    void (*store)(vm *, uint8_t *state);
    state_kind (*settle)(vm *);                                 /* goes on with the loaded state to the next real decision, chance or end */
    size_t (*list)(vm *);                                       /* leaves of the decision of the loaded state (v->leaves) */
    size_t (*outcomes)(vm *);                                   /* the same for chance */
    void (*play)(vm *, const leaf *, const uint8_t *state);     /* loads what a leaf leads to, and completes its turn; does not settle */
    void (*mover)(vm *, int player);
    size_t (*trace)(vm *, const uint8_t *from, const leaf *, const uint32_t *path, token *out, size_t cap);   /* what was chosen, in order */
    bool (*random)(vm *, uint64_t random[4]);                   /* one random decision or chance; false if over or stuck */
    uint64_t (*playout)(vm *, uint64_t random[4], uint64_t cap, uint64_t *throws);      /* the rest of the set-up; then decisions and throws until the game is over, or `cap` decisions were made */
    void (*clean)(vm *);                                        /* registers that nothing reads any more are cleared, so that equal positions look equal (`random` leaves them) */
    size_t (*begin)(vm *);                                      /* history starts with the loaded position */
    uint64_t (*choices)(vm *);                                  /* how many moves the decision at which the loaded state stands has; 0 if it is none */
    uint64_t (*perft)(vm *, int depth, count_how, const volatile bool *stop);
    void (*run)(vm *, uint32_t pc);                             /* straight code: tests, sub-expressions */
    void (*go)(vm *, uint32_t pc);                              /* code, in whatever mode the machine is */
    bool (*put)(vm *, int place, int owner, int kind);
    void (*clear)(vm *, int place);
    bool (*set_value)(vm *, int place, int level, int keep, int64_t value);
    int64_t (*get_value)(vm *, int place, int level, int keep);
    uint64_t (*key)(vm *);
    void (*exchange)(vm *, int a, int b);                       /* the top pieces of two places (or slots) become each other, but for owners and inner keeps */
    uint64_t (*full_key)(vm *);                                 /* also of the place in the rules, dice, passes: all that the future depends on but the history */
} machine;

/* What a machine compiled for one game shows (interp/native): itself, where it is told of the interpreter, and what it was made with. */
typedef struct { const machine *own, **plain; const game *tables; const int64_t *numbers; const uint64_t *const *sets; } native_machine;

extern const machine machine_1, machine_2, machine_4, machine_8, machine_16;

struct vm {
    const game *g;
    int64_t *num, *head;        /* all numbers; those of the header */
    uint64_t **set;             /* the mover's table */
    uint64_t **tables[PLAYERS_MAX];
    uint8_t *state;             /* memory from g->state_from on */
    uint16_t *at;
    int16_t *arrays;
    struct pile *piles;
    int16_t *bags;
    uint16_t *changed;

    int mode;
    bool turn_key_known; uint64_t turn_key;     /* of the position that ends the turn, as `repeats` has worked it out */
    bool stop, found, voided;
    int probe;                  /* repetition whose body is being tried */
    int probe_place;            /* attacked: the place asked of, or -1 */
    uint64_t budget, used;      /* steps left to the evaluation at hand; made by those before it */
    const char *fault;          /* why the computation was given up */
    uint32_t fault_pc;          /* where it was, if a run was given up; 0 otherwise */
    int depth;
    struct trial *pending;      /* the last choice, if no copy of the state was made for it yet (choose.h) */

    uint8_t *saves; size_t save_top, save_capacity;
    uint32_t *path; size_t path_top, path_capacity, path_at;    /* the choices of the run at hand */
    leaf *leaves; size_t leaf_count, leaf_capacity;
    uint8_t *states; size_t states_capacity;                     /* a state per leaf */
    uint32_t *paths; size_t paths_top, paths_capacity;
    uint32_t *index; size_t index_size;                          /* hash of leaf keys */
    loop_entry *loops; size_t loop_capacity;
    run_end endings[ENDINGS_MAX], *ending; uint8_t *ending_states; uint32_t ending_told, best_told; int ending_count, ending_next;  /* last.h; `ending`: the end of the run at hand is only looked at; `best_told` counts how often others came to be preferred */
    int tried;                  /* MODE_TRY: 1 a leg was found, 0 none, -1 it cannot be said */
    uint64_t *floods;                                            /* visited places, a set per repetition */
    struct { uint32_t first; uint32_t reg; uint8_t count; bool any; int16_t best[8]; } frames[24];
    history history;
    token *tokens; size_t token_count, token_cap; uint32_t note_pc;
    void *batches;              /* batch.h */
    uint64_t *draws; int drawn_option; size_t drawn_mark;           /* draw.h: where random numbers come from; the option drawn, -1 none, and the copy kept */
    counted_batch counted[COUNTED_MAX]; uint32_t shares[SHARES_MAX];        /* counted.h */
    int64_t nested;             /* options behind the choice just looked at */
    uint32_t steer, steer_all; const uint32_t *steer_shares;     /* the option that is being made, of how many; shares of the next choice, NULL unknown */
    uint64_t collect_origins[WORDS_MAX];                            /* tracks.h */
    union {
        struct {                /* what is forgotten when a decision is collected, all at once */
            int batch_count; uint32_t batch_total;                  /* batch.h */
            uint64_t collect_kinds, ends_counted, ends_planned, completed;
            int collect_drops, collect_passes, counted_count, frame_count;
            uint32_t first_pc;  /* of the decision collected last: its first choice, 0 none; the state is then as it was there */
            bool batch_tests, collect_failed, collect_walks, collect_options, collect_off_board, counting, branched;
            bool onward_now;            /* for mode ONWARD: what would have to be followed is not */
            bool border, others;        /* collecting came to chance or the end of the set-up; another than the actor decides */
            int shares_used;
        };
        uint64_t collecting[10];
    };
    bool showing; uint32_t shown;       /* the effects of a chance event are made; where they ended */
    uint64_t *onward_random; int went, thrown; bool onward_throws;                                   /* onward.h */
    uint64_t *throws;           /* collecting, chance on the way to the first choice is drawn with these numbers; NULL: it ends there */
    uint32_t ahead;             /* where straight code came to an `until`, or to chance */
    size_t guide;               /* choices before this one in the path are given, not tried */
    int ended; uint32_t ended_at;       /* how a replay ended: leaf_kind, or -1; where it goes on */
    int idle_turns;             /* turns that the last settle made by itself, nothing being chosen in them, and that did not end the game */
    bool keep_doubles;          /* every path counts */
    bool lean;                  /* leaves are listed without their states: one of them is made by going its path again */
    uint8_t *marks;             /* by mark of the game: how it was reached; NULL: nobody asks */
    watch *watch;               /* NULL: nobody looks */
    bool lenient;               /* filters do not forbid: they leave their label on the leaf */
    bool play_on;
    uint64_t random[4];
    _Alignas(64) uint64_t memory[];         /* constants | state */
};

/* How a mark was reached: while moves were listed, or by the move that was asked for. */
enum { MARK_TRIED = 1, MARK_MADE = 2 };

/* The label of a run that only the first part of an `A else B` forbids, because it can be completed. */
enum { ELSE_FORBIDS = 1 << 30 };

/* Where an instruction comes from; NULL if that was not noted. */
const origin *origin_find(const game *, uint32_t pc, bool part);

vm *vm_new(const game *);
void vm_free(vm *);
/* A given-up computation leaves its reason in v->fault; this clears it. */
void vm_reset(vm *);
#endif
