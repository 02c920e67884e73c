/* What the files of the plain evaluator share.
 *
 * Places. 0 .. cells-1 are cells; then every zone instance (one per player for `of player`) is a place; then come the slots: pieces
 * off the board, in zones or taken this turn. A slot keeps its number until the turn ends, so a picked card stays that card.
 *
 * Sets are bits over places. A set that names no zone and no taken pieces means pieces on the board only, although the bits of
 * slots are kept until it is known (`hand Pawn`, `taken not own`): `zoned` tells whether the bits beyond the cells count.
 *
 * Runs. An action is tried with what comes after it (`frame`, a list that is never changed, only grown at its head). A situation
 * (`sit`) is copied freely; its state is copied before it is changed. So every choice is a loop around a recursive call, and what
 * waits at a commit point is simply a situation and the frames to come.
 *
 * Memory. All that a single question needs lies in a scratch heap that is dropped when the answer is given; positions that are
 * handed out are copies with memory of their own. Errors leave by longjmp. */
#ifndef PLAIN_INSIDE_H
#define PLAIN_INSIDE_H
#include <setjmp.h>
#include "plain.h"
#include "prefix.h"

enum { PLAYERS_MAX = 16, PIECE_KEEPS = 8, DICE_MAX = 64, NONE = -1 };
enum { NOBODY = -1, NO_KIND = -1 };

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */
typedef struct chunk chunk;
typedef struct { chunk *top; size_t used; } heap;
typedef struct { chunk *top; size_t used; } heap_mark;
void *heap_take(heap *, size_t size);           /* zeroed */
heap_mark heap_here(const heap *);
void heap_back(heap *, heap_mark);
void heap_drop(heap *);

typedef struct { char *s; size_t n, room; } text;       /* malloc'd */
void add(text *, const char *s);
void addf(text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *steal(text *);

/* ---- values ---------------------------------------------------------------------------------------------------------------- */
typedef struct { int words; uint64_t *w; bool zoned, place; } set;

/* One way to go on: the k-th successor of a place is next[place * fan + k], NONE if there are no more. */
typedef struct step step;
struct step { int id; const char *name; int dx, dy, fan; bool leap, track; const int32_t *next; const step *back; };
enum { ID_LEAP = 1000, ID_TRANSPOSE = 20000, ID_WAYS, ID_ANYWHERE, ID_TRACK = 30000 };
typedef enum { CONE_NONE, CONE_FORWARD, CONE_BACKWARD } cone;
typedef struct { int n; const step **steps; int64_t times; /* 0: not said */ bool still; /* 0 times */ cone cone; int facing; } rel;

typedef struct { int places; int64_t *v; uint8_t *has; } field;

typedef enum { V_NOTHING, V_SET, V_REL, V_NUMBER, V_FIELD, V_TRUTH, V_KINDS, V_PLAYER, V_PLAYERS, V_BAG, V_RANGE, V_WORD, V_MANY } vtype;
typedef struct {
    vtype type;
    int64_t n;                  /* number, truth, player; V_RANGE: low; V_MANY: how many */
    int64_t high;               /* V_RANGE */
    set s;
    const rel *r;
    const field *f;
    int count;                  /* kinds, players, bag */
    const int64_t *list;
    bool single;                /* V_KINDS: one kind, as a value */
    const char *word;
} val;

/* ---- state ----------------------------------------------------------------------------------------------------------------- */
typedef struct { int16_t kind; int8_t owner; uint8_t probe; uint32_t seen; int32_t keeps[PIECE_KEEPS]; } piece;
typedef struct { int16_t zone; bool gone; piece p; } slot;             /* zone: an instance, or zone_count: taken */
typedef struct { int8_t sort; /* 0 not thrown, 1 number, 2 bag */ int n; int v[DICE_MAX]; } die;

typedef enum { RUNNING, WON, DRAWN } over;
typedef struct {
    size_t size;                /* of the block that holds all but the slots */
    int mover, next, turns, passes;
    bool extra;
    over over; int winner;
    uint32_t out;
    int rank;
    bool scored; int64_t score[PLAYERS_MAX];
    int under_at, under_count;  /* a landing that is not settled */
    int slot_count, slot_room;
    slot *slots;
    piece *stack;               /* cell * pile + level */
    piece *under;
    uint8_t *height;
    int32_t *keep;
    die *dice, *fixed;
} state;

/* Positions that stood before: one for the beginning of every turn. */
typedef struct past past;
struct past { int refs; const past *before; state *st; char *key; uint64_t hash; int made_by; };

typedef struct local local;
struct local { const char *name; val v; const local *next; };

typedef enum { T_FROM, T_TO, T_DROP, T_PICK, T_DIRECTION, T_KIND, T_PASS, T_STOP, T_RULE, T_TOOK, T_LANDED_ON, T_WRITTEN, T_END } token_sort;
typedef struct token token;
struct token { token_sort sort; const char *text, *letter; const char *kind; bool named; const set *cells; const token *before; };     /* T_DROP: place, the kind's letter, the kind, whether it is written.
   cells: T_TO what it passed, T_TOOK what was taken */
typedef struct prefs prefs;
struct prefs { int64_t v; const prefs *before; };
typedef struct names names;
struct names { const char *name; const names *next; };

typedef struct {
    state *st;
    const past *hist;           /* the youngest is the beginning of this turn */
    int me;
    int here, start;            /* places, NONE */
    int it;                     /* the place under test in `where`, NONE */
    set passed;
    const local *locals;
    const token *log;
    const prefs *prefs;
    const names *cans;          /* rules that a `can` is asking about */
    bool in_piece;              /* inside a piece's rule */
    bool stuck;
    bool again, did_pass, decided;
    bool between;               /* asked between turns: the position is that of the next mover already */
    bool at_once;               /* the run ended inside its turn: a place in the rules of its own */
    bool probing;               /* inside `attacked` */
} sit;

/* ---- frames: what is still to be done --------------------------------------------------------------------------------------- */
typedef enum {
    F_DO,               /* action a */
    F_REST,             /* the items of sequence a from i on */
    F_RULE_END,         /* a rule has run: its names end */
    F_BLOCK_END,        /* of a block with `prefer` */
    F_LOOP,             /* after a round of loop a */
    F_EACH,             /* rounds of `each` a that are left: list, from i on */
    F_BY,               /* the next player of `by` a: list, from i on */
    F_CHANCE,           /* chance a, waiting */
    F_TURN_END, F_SETUP_END, F_TEST_END,
    F_STOP              /* of a question: a run exists */
} frame_kind;
typedef struct seen seen;
struct seen { const char *key; const seen *next; };
typedef struct frame frame;
struct frame {
    frame_kind kind;
    const node *a;
    int i;
    const frame *next;
    const local *locals;        /* F_RULE_END: the caller's; F_EACH */
    bool in_piece, walk;        /* F_RULE_END: the caller's; a walk began with it */
    int count; const val *list; /* F_EACH, F_BY, F_CHANCE (random) */
    const seen *seen;           /* F_LOOP: where this run has been */
    struct crowd *crowd;        /* F_LOOP: where any run has been */
};

/* ---- the game --------------------------------------------------------------------------------------------------------------- */
typedef enum { N_LET, N_KEEP, N_TRACK, N_DICE, N_OPTION, N_ZONE, N_KIND, N_FAMILY, N_PLAYER, N_GROUP, N_NUMBER, N_CELL, N_STANDARD } name_sort;
typedef struct name name;
struct name { const char *word; name_sort sort; int index; name *next; };

#define STANDARD_NAMES(X) \
    X(own) X(enemy) X(empty) X(occupied) X(neutral) X(cells) X(attacked) X(light) X(dark) X(corners) X(here) X(start) X(passed) X(taken) X(changed) X(it) \
    X(row) X(col) X(value) X(height) X(north) X(northeast) X(east) X(southeast) X(south) X(southwest) X(west) X(northwest) \
    X(ahead) X(behind) X(forward) X(backward) X(sideways) X(orthogonal) X(diagonal) X(ways) X(neighbours) X(knight) X(anywhere) X(transpose) \
    X(everyone) X(mover) X(next) X(owner) X(nobody) X(turns) X(passes) X(repeats) X(since) X(seat) X(extra) X(stuck) X(yes) X(no) X(kind) \
    X(moves) X(winner) X(drawn)
typedef enum {
#define X(w) S_##w,
    STANDARD_NAMES(X)
#undef X
    S_COUNT
} standard;

typedef struct { const char *word; const node *body[PLAYERS_MAX], *any; const node *params; } let;
typedef enum { OF_GAME, OF_PLAYER, OF_CELL, OF_PIECE } keep_of;
typedef enum { K_FLAG, K_NUMBER, K_PLACE, K_WAY, K_KIND, K_PLAYER } keep_type;
typedef struct { const char *word; keep_of of; keep_type type; bool turn, aside; int64_t low, high, start; int at; /* in state.keep, or in piece.keeps */ const node *node; } keep;
typedef struct { const char *word; const node *node[PLAYERS_MAX], *any; const step *on[PLAYERS_MAX], *back[PLAYERS_MAX]; } track;
typedef struct { const char *word; int n; int64_t faces[DICE_MAX]; const node *node; } dice;
typedef struct { const char *word; val v; const node *node; } option;
typedef struct { const char *word; bool of_player; int first; } zone;
typedef struct { int zone, owner; } instance;
typedef struct { const char *word, *letter; int64_t value; } kind;
typedef struct { const char *word; int first, count; } family;
typedef struct { const char *word; set s; } group;
typedef struct { const char *word; int64_t *v; } number;
typedef struct { const char *word; int kind; /* NO_KIND: outside `piece` */ const node *params, *body; bool picks; } rule;
typedef struct { const char *word, *label; const node *player, *c; } end;
typedef struct { const node *size, *where; bool mixed; } stack_item;
typedef struct { const char *word; int x, y; } cell;


typedef struct candidates candidates;
typedef struct block block;
typedef struct outcome outcome;

struct plain_game {
    const tree *tree;
    bool asks_taken;            /* the rules speak of `taken`: what was taken is part of a situation inside a turn */
    heap fast, slow;                    /* scratch; for as long as the game lives */
    name *index[1024];
    const char *players[PLAYERS_MAX]; int facing[PLAYERS_MAX]; int player_count;
    int shape_sides;                    /* 8 or 6 */
    const char *shape;
    cell *cells; int cell_count; int width, height;
    int *link; int link_count;          /* x, y pairs where a line passes */
    step dirs[8]; int dir_count;
    const rel *ways;
    rel *walk;                          /* `ways` as a relation value */
    int *borders; int border_fan;       /* of a map */
    let *lets; int let_count;
    keep *keeps; int keep_count; int keep_room, piece_keeps;
    track *tracks; int track_count;
    dice *dice; int dice_count;
    option *options; int option_count;
    zone *zones; int zone_count; instance *instances; int instance_count;
    uint8_t *on_track;                  /* per instance */
    bool drops_many;                    /* more than one kind can be dropped */
    kind *kinds; int kind_count; family *families; int family_count;
    group *groups; int group_count; number *numbers; int number_count;
    rule *rules; int rule_count;
    end *ends; int end_count;
    stack_item *stacks; int stack_count; int pile; int16_t *room; bool *mixed;
    const node *setup, *turn, *score;
    bool turn_keeps, play_on, ready, building;
    const char **local_words; int local_count;
    const name **named;                 /* per node: what its word was found to mean */
    int64_t test_moves;                 /* in tests: how many decisions there are; -1 not counted */
    uint8_t *marks;                     /* per node: has been looked at (bit 0), constant (1), owns a `prefer` (2) ... */
    val **known;                        /* per node: constant values, per player */
    step *leaps; int leap_count;
    const step *anywhere, *transpose;
    int places;                         /* cells and zones */
    const char *w_it;

    /* at work */
    jmp_buf *out; char *error;
    const char *stack;                  /* where the call began: runs and definitions that go on without end are stopped before it is full */
    uint64_t budget;
    bool exists, halt; int weighing;    /* questions: does a run exist; halt: it does */
    candidates *current; block *blocks;
    outcome *outcomes, **outcome_end; size_t outcome_count, run_count;
    struct leaf *leaves;
    uint64_t num, den;                  /* the probability of the run at hand, while weighing */
};

/* What a run comes to: the end of the turn or a commit point. */
typedef enum { O_TURN, O_SETUP, O_TEST, O_COMMIT, O_BY, O_CHANCE } outcome_kind;
struct outcome { outcome_kind kind; sit s; const frame *k; const char *text; outcome *next; uint64_t runs; char *key; bool empty; };

struct plain_position {
    plain_game *g;
    const past *hist;           /* what stood before: before this turn (AT_TURN), or up to its beginning (INSIDE); owned */
    const past *now;            /* AT_TURN: this position as an entry of the history, once it is needed; owned */
    int made_by;                /* whose turn led here */
    state *st;
    enum { AT_TURN, AT_SETUP, INSIDE, AT_CHANCE } phase;
    bool settled, in_setup;
    plain_kind settled_kind;    /* what explore found, once it was asked */
    sit s;                      /* INSIDE and AT_CHANCE; lies in `mine` */
    const frame *k;
    heap mine;
};

_Noreturn void fail(plain_game *, const node *, const char *format, ...) __attribute__((format(printf, 3, 4)));

void stay_shallow(plain_game *, const node *);

/* board.c */
void board_make(plain_game *, const node *board);
const step *leap_step(plain_game *, int dx, int dy);
const rel *rel_new(plain_game *, int n);
const rel *rel_dirs(plain_game *, int player, const char *const *words, int n);
const rel *rel_leap(plain_game *, int64_t a, int64_t b);
const rel *rel_meet(plain_game *, const rel *, const rel *);
const rel *rel_join(plain_game *, const rel *, const rel *);
const rel *rel_minus(plain_game *, const rel *, const rel *);
const rel *rel_back(plain_game *, const rel *);
const rel *rel_from(plain_game *, const rel *, const set *);
const step *step_back(plain_game *, const step *);
int step_next(const plain_game *, const step *, int me, int place, int k);
void tracks_make(plain_game *);
int cell_find(const plain_game *, const char *word);
int cell_at(const plain_game *, int x, int y);
void cells_range(plain_game *, const char *a, const char *b, set *);

/* load.c */
void game_load(plain_game *, const plain_setting *, size_t, int players);
const name *name_find(const plain_game *, const char *word);
const name *name_of(plain_game *, const node *);       /* what a word means beside local names; NULL: nothing */
bool option_word(const plain_game *, const char *word);
void choices_check(plain_game *, const val *standards);  /* may these options be chosen? `standards`: as the file has them */
void settle_names(plain_game *);                        /* the cells have their names now */
enum { MARK_PREFER = 1, MARK_CONSTANT = 2, MARK_VARIABLE = 4, MARK_TAKES = 8, MARK_TAKES_NOT = 16, MARK_BUSY = 32 };
bool owns_prefer(const plain_game *, const node *sequence);
piece piece_new(const plain_game *, int owner, int kind);

/* state.c: sets and states */
set set_new(plain_game *, int places);
static inline bool set_has(const set *s, int p) { return p >= 0 && p / 64 < s->words && (s->w[p / 64] >> (p % 64) & 1); }
static inline void set_add(set *s, int p) { s->w[p / 64] |= (uint64_t)1 << (p % 64); }
void set_drop(set *, int place);
set set_or(plain_game *, const set *, const set *);
set set_and(plain_game *, const set *, const set *);
set set_not(plain_game *, const sit *, const set *);
set set_one(plain_game *, const sit *, int place);
static inline int universe(const plain_game *g, const sit *s) { return g->places + s->st->slot_count; }
bool counts(const plain_game *, const state *, const set *, int place);     /* is `place` in the set and something that can be counted there? */
int set_count(plain_game *, const sit *, const set *);
bool set_within(plain_game *, const sit *, const set *, const set *);
bool set_same(plain_game *, const sit *, const set *, const set *);

state *state_new(plain_game *);
state *state_copy(plain_game *, const state *);         /* in scratch */
state *state_keep(const state *);                       /* malloc'd */
/* The top piece of a cell, or that of a slot; NULL. */
static inline piece *piece_at(const plain_game *g, const state *st, int p) {
    if (p < 0) return NULL;
    if (p < g->cell_count) return st->height[p] ? &st->stack[p * g->pile + st->height[p] - 1] : NULL;
    if (p < g->places || p - g->places >= st->slot_count || st->slots[p - g->places].gone) return NULL;
    return &st->slots[p - g->places].p;
}
int slot_add(plain_game *, state *, int zone, piece);
int place_zone(const plain_game *, const state *, int place);           /* the instance a zone place or slot belongs to, NONE for a cell */
piece lift(plain_game *, state *, int place);
void put(plain_game *, state *, int cell, piece, piece *displaced, int *count);
void take_piece(plain_game *, state *, piece);
void state_tidy(plain_game *, state *);                 /* between turns: no taken pieces, no holes among the slots, keeps of the turn cleared */
int player_after(const plain_game *, const state *, int p);
const char *place_name(const plain_game *, const state *, int place);
void identity(const plain_game *, const state *, int mover, text *);    /* what makes two positions the same */
void contents(const plain_game *, const state *, int place, text *);
void piece_text(const plain_game *, const piece *, bool owner, text *);
void state_line(const plain_game *, const state *, int mover, bool inside, text *);
void keep_value_text(const plain_game *, const keep *, int64_t v, text *);
uint64_t hash_text(const char *);

/* value.c, names.c, rows.c, eval.c */
val eval(plain_game *, const sit *, const node *);
bool truth(plain_game *, const sit *, const node *);
set eval_set(plain_game *, const sit *, const node *);
int64_t eval_number(plain_game *, const sit *, const node *);
const rel *eval_rel(plain_game *, const sit *, const node *);
set as_set(plain_game *, const sit *, const val *, const node *);
int64_t as_number(plain_game *, const val *, const node *);
int eval_player(plain_game *, const sit *, const node *, bool *is);    /* the player an expression names */
const field *eval_field(plain_game *, const sit *, const char *word);
val v_number(int64_t), v_truth(bool), v_set(set), v_player(int);
const char *type_name(const val *);
vtype static_type(plain_game *, const sit *, const node *);
bool local_find(const sit *, const char *word, val *);
set owned(plain_game *, const sit *, int p);
set zone_value(plain_game *, const sit *, int z);
bool field_get(const field *, int place, int64_t *v);
set image(plain_game *, const sit *, const rel *, const set *);
val keep_load(plain_game *, const sit *, const keep *, int64_t code);
int64_t keep_code(plain_game *, const sit *, const keep *, const val *, const node *);
int keep_slot(const plain_game *, const keep *, int of);
bool rel_word(plain_game *, const sit *, const node *);
val eval_in(plain_game *, const sit *, const val *, const val *, const node *, const node *);
val v_rel(const rel *r);
val v_list(plain_game *g, vtype t, int n, const int64_t *list);
val v_kind(plain_game *g, int first, int count);
field *field_new(plain_game *g, int places);
void field_put(field *f, int p, int64_t v);
val field_of(plain_game *g, const sit *s, const field *f, const set *where);
const field *standard_field(plain_game *g, const sit *s, standard w);
val keep_value(plain_game *g, const sit *s, const keep *k);
val name_value(plain_game *g, const sit *s, const node *e);
val let_value(plain_game *g, const sit *s, const let *l, const node *e, int argc, const val *args);
val row_eval(plain_game *g, const sit *s, const node *e);
val of_value(plain_game *g, const sit *s, const rel *given, const node *a, const node *b, const node *at);
bool number_like(const val *v);
val zero(plain_game *g, const sit *s, vtype t);
bool is_cell_word(plain_game *g, const sit *s, const node *e);
bool means_attacked(plain_game *g, const sit *s, const node *e);
/* attack.c */
bool attacked(plain_game *, const sit *, int place);
bool can(plain_game *, const sit *, const char *rule, const node *);
bool has_run(plain_game *, const sit *, const node *body);

/* blocks.c */
void act_block(plain_game *, sit, const node *, const frame *);
void act_else(plain_game *, sit, const node *, const frame *);
void block_end(plain_game *, const sit *, const frame *);
/* act.c */
void go(plain_game *, sit, const frame *);
void act(plain_game *, sit, const node *, const frame *);
void resume(plain_game *, sit, const frame *);
void call_rule(plain_game *, sit, const node *at, const char *word, int argc, const val *args, const frame *);
void run_body(plain_game *, sit, const rule *, const frame *, bool in_piece, bool walk);
const frame *push(plain_game *, frame_kind, const node *, int i, const frame *next);
void collect(plain_game *, outcome_kind, sit, const frame *);
const char *situation_key(plain_game *, const sit *);
void local_keys(plain_game *, const sit *, const local *, const char *const *live, text *);   /* live: NULL-ended list, NULL for all */
void inside_key(plain_game *, const sit *, text *);
void live_keys(plain_game *, const sit *, const local *, const frame *from, const frame *upto, text *);     /* local names that are still asked for between two frames */
void where_key(plain_game *, const sit *, const frame *, text *);       /* here, start, passed if they are still asked for */
void place_key_of(plain_game *, const sit *, int place, text *);
void settle(plain_game *, sit *);
bool pure_chance(const plain_game *, const node *);
int options_of(plain_game *, const sit *, const val *, val **out, const node *at);
const char *show(plain_game *, const sit *, const val *);
typedef struct leaf leaf;
struct leaf { sit s; const frame *k; uint64_t num, den; const char *text; leaf *next; };
leaf *chances(plain_game *, const sit *, const frame *f);       /* what chance may bring at an F_CHANCE frame */
/* effect.c */
bool is_effect(node_kind);
void effect(plain_game *, sit *, const node *);
void name_bind(plain_game *, sit *, const char *word, val);
void leg(plain_game *, sit, const node *, const frame *);
void drop(plain_game *, sit, const node *, const frame *);
void finish(plain_game *, state *, const sit *, const char *word, int who);
void log_token(plain_game *, sit *, token_sort, const char *text, const char *letter);
int zone_of_set(plain_game *, const set *);

/* turn.c */
void turn_done(plain_game *, sit);
void at_once(plain_game *, sit);                       /* the turn is over here and now */
bool filtered(plain_game *, const sit *);
int repeats_of(plain_game *, const sit *, const set *only, int *since);
bool always(plain_game *, const sit *, const node *);
void begin_turn(plain_game *, sit *, const state *, const past *);

/* notation.c */
typedef struct { token_sort sort; char *text, *letter, *kind; bool named, took; } spoken;      /* a token, the oldest first; malloc'd; took: of a direction, that it is shown later */
typedef struct { spoken *words; size_t count; } phrase;
phrase phrase_of(const token *log);
void phrase_drop(phrase *);
char *phrase_text(const phrase *, bool directions);             /* malloc'd */
char *phrase_rules(const phrase *, const phrase *const *others, size_t count);  /* malloc'd: what tells it from others that read alike */
bool phrase_fits(const phrase *, const char *text, size_t *left_out);

/* plain.c */
void settle_inside(plain_position *);
bool position_holds(plain_position *, const node *c);
plain_position *position_made(plain_game *, int player, const node *a);
state *state_read(plain_game *, const char *text);
state *state_at(plain_game *, const state *start, const char *text);
void begin_guard(plain_game *);
struct plain_phrases { phrase *all; size_t count; };
#endif
