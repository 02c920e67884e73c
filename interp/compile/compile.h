/* From the syntax tree to tables: what the parts of the compiler share.
 *
 *   board.c     the board: cells, directions, names
 *   options.c   options, presets, which of them go together
 *   declare.c   what the file declares: players, kinds, zones, keeps ...; what a name means
 *   value.c     values: constants folded, operands made, one kind of value turned into another
 *   expr.c      expressions; type.c what they will come to, name.c names, row.c words side by side, of.c images, relation.c directions and fields,
 *               compare.c comparisons, wanted.c what is said where another kind of value is wanted
 *   act.c       actions; loop.c repetition, decide.c what is decided, leg.c legs, making.c pieces that come and go, change.c what changes, rule.c rules
 *   attack.c    what `attacked` asks
 *   slots.c     how many pieces a zone can hold
 *   plan.c      which choices can be taken for all pieces at once; gather.c how their targets are gathered; lanes.c directions side by side; passed.c legs whose
 *               way nobody asks for; branch.c what one more choice may follow; past.c what need not be asked of earlier positions
 *   finish.c    the final form: places of operands, layout, rays
 *   tidy.c      instructions that are not needed
 *   repeat.c    what of a repetition need not be tried
 *   counted.c   which choices need not be tried to be counted
 *   flow.c      which registers are still wanted
 *   notes.c     what the file says to those who play
 *   regions.c   sets that have a name and are known beforehand
 *   check.c     what is odd about rules that are right; kinds.c about kinds of pieces; unseen.c of rules, those that tell what is hidden
 *   origin.c    where instructions come from
 *   words.c     what is said of names nobody declared, and of rules that ask too much
 *   turn.c      the code of set-up, turn, filters and ends; tests.c of tests
 *   own.c       what a game owns, and its end
 *   compile.c   the whole, and where everything of a position is kept
 *
 * One pass over the tree checks and lowers at once. Branches that an option closes are lowered like all others, for their errors,
 * and their code is then thrown away. */
#ifndef JOC_COMPILE_H
#define JOC_COMPILE_H
#include "ast.h"
#include "interp/game.h"

typedef enum {
    T_ERROR,        /* a message was queued; anything may be made of it */
    T_SET, T_PLACE, T_RELATION, T_NUMBER, T_FIELD, T_TRUTH, T_KINDS, T_PLAYER, T_PLAYERS, T_BAG, T_RANGE, T_WORD, T_MANY, T_COUNT
} type;

typedef struct value value;
struct value {
    type type;
    bool constant;              /* numbers, truths, sets, kinds, players, relations: known when compiled */
    bool named;                 /* a cell said by its name, or a run of them: such cells in a row are united */
    bool empty_side;            /* a relation or set made up for a missing `else` */
    bool none;                  /* nobody, nothing */
    bool attacked;              /* the set of attacked cells, not asked yet: asked only of those cells that matter */
    bool single;                /* a relation of one direction at most */
    int64_t k;                  /* constant number, truth, player (-1 nobody, neutral) */
    int reg;                    /* operand of what is not constant; of a field its index */
    uint64_t *sets;             /* constant set: WORDS_MAX words for each player */
    uint64_t mask[PLAYERS_MAX]; /* constant relation; players of T_PLAYERS in mask[0] */
    int times;                  /* relation: number operand, -1 once */
    int kinds, kind_count;      /* constant kinds: into game.lists */
    int among, among_count;     /* a kind known only in play: one of these of game.lists; none are given: any of the game */
    int low, high;              /* range: number operands; constant: low_k, high_k */
    int64_t low_k, high_k;
    bool low_constant, high_constant;
    int zone;                   /* the set is zone declaration + 1, as the mover has it (0: it is none) */
    int zone_player;            /* number operand of the zone's player, -1 the mover */
    int keep;                   /* keep + 1 that this names, 0 none */
    int over_field, over_set;   /* a bag not made yet: field + 1 over a set operand */
    const char *word;
};

typedef struct { const char *name; value v; } binding;

typedef enum { SYMBOL_NONE, SYMBOL_PLAYER, SYMBOL_KIND, SYMBOL_FAMILY, SYMBOL_ZONE, SYMBOL_KEEP, SYMBOL_LET, SYMBOL_TRACK, SYMBOL_DICE, SYMBOL_OPTION, SYMBOL_RULE, SYMBOL_GROUP, SYMBOL_FIELD, SYMBOL_CELL } symbol_kind;

typedef struct { const char *name; symbol_kind kind; int index; const node *where; const node *item; uint32_t used; } symbol;

/* An option set from outside the file: option = value, both as text. */
typedef struct { const char *name, *value; } setting;

typedef struct { const char *name, *value; const char *meaning; const node *where; bool yesno, number; int64_t k, standard, low, high; const char **words; int word_count; int64_t *ranges; int range_count; } option;     /* ranges: pairs of the least and the most */

/* A rule: one I_RULE, and for a piece's rule the kinds that have it. */
typedef struct { const char *name; const node *item; uint64_t kinds[4]; bool of_piece; bool picks_here; int open; } rule;

typedef struct compiler {
    const tree *tree;
    diagnostics *d;
    arena *a;
    game *g;
    const char *word_piece;

    symbol *symbols; int symbol_count, symbol_capacity;
    option *options; int option_count;
    rule *rules; int rule_count;
    int zone_decls; const node **zone_items; int *zone_first; bool *zone_of_player;
    const node *board, *players, *setup, *turn, *score;
    bool settings_given;                /* not the defaults */
    int want_players, least_players, most_players;
    int zone_slots, taken_slots;
    const int *zone_bounds;             /* slots of each zone, NULL: zone_slots of each */
    bool probing;                       /* a first compile only to count pieces */

    binding *env; int env_count, env_capacity, env_base;
    int num_top, set_top, bag_top;      /* registers in use */
    int way;                            /* 1 + the relation of the leg being made, 0 none: see within_way */
    bool one_step;                      /* the leg is one step of it */
    int set_base;                       /* set registers that are never given back */
    int num_most, set_most, bag_most, flood_most;
    int num_base_reg;
    uint32_t code_capacity;
    int list_capacity, relation_capacity, pattern_capacity, leg_capacity, field_capacity, name_capacity, const_num_capacity, const_set_capacity;
    uint32_t label;                     /* the last instruction something may jump to */

    bool in_piece;                      /* inside a piece's rule: names go on with the same piece */
    uint64_t walk_kinds[4];             /* which kinds the walker may be */
    bool kinds_change;
    bool leg_follows;                   /* what comes next is (or may be) a leg of the same walk */
    bool pending;                       /* a landing may not be settled yet */
    bool widen;                         /* targets as `attacked` asks */
    bool as_place;                      /* zones stand for themselves as places too */
    bool off_board;                     /* kinds and flags speak of pieces in zones too: other words of the row say where */
    const value *asked;                 /* `x in (K when C else L)` is being made: is x in K, is x in L? NULL: something else is */
    bool answered;                      /* the value just made is the answer to it */
    const char *inside_can[16]; int inside_cans;
    int let_depth, call_depth;
    const char *let_names[41];          /* the names being looked up, one through another */
    int it;                             /* number operand of `it`, -1 */
    int stuck_loop; uint32_t stuck_pc; bool uses_stuck;
    const char *original;
    int prefer_reg, prefer_count, prefer_total, prefer_blocks;
    struct { int reg, count; } open_prefers[24]; int open_prefer_count;      /* the blocks with preferences around, outermost first */
    bool until_chance;                  /* inside a chance repetition with `until` */
    int place_sets_count; struct { const node *n; int set; } hoisted[32]; int hoisted_count;
    struct { const char *name; value v; } reuse[64]; int reuse_count;      /* names an alternative before has made: the next makes them in the same registers */
    const node *open_rules[32]; int open_rule_count;
    const node **always; int always_count;
    bool in_test, in_ends, in_setup, closed;    /* closed: in a branch that an option closes */
    int ranks;                          /* of the diagram, so far */
    int test_words;                     /* number operands of moves, winner, drawn */
    bool counted_only_taken;
    int slow_attacks;
    int asked_set;
    const node *at;                     /* the expression looked at last */
    const node *doing;                  /* the action, or the filter of the file, that code is made for */
    int origin_capacity, mark_capacity;
    bool marked;                        /* the game is compiled to be covered by tests */
    const node *making;                 /* the track that directions are made for */
    int round_width, round_height;      /* of a board that closes round on itself; 0: it does not */
    bool board_broken, names_missing;   /* a fault told before makes names of cells, or any names, unknown: nothing more is said of them */
    bool lints;                         /* warnings and notes are wanted */
    uint32_t steps, looks; bool given_up;      /* words looked at; they were too many */
} compiler;

/* board.c */
bool board_build(compiler *c);
void board_fallback(compiler *c);                               /* after a fault: some board, so that the rest can be looked at */
bool board_leap(compiler *c, int few, int many, uint64_t *mask);      /* directions of the leap; false with a message when there are too many */
int board_direction(compiler *c, direction d);                  /* adds one; -1 with a message */
void pair_opposites(game *);
int direction_back(compiler *, int d);                          /* what undoes direction d, made if need be; -1 none */
void direction_finish(compiler *c, int d);                      /* back, mask, shift from next */
int cell_named(const game *g, const char *name);
int cells_counted(const game *g, const char *a, const char *b, int *out, int cap);
void board_resize(compiler *c, int places);                     /* tables by place grow to hold zones */
uint64_t board_turned(const compiler *c, int player, const char *word, bool *known);     /* directions a word means for a player */
bool map_read(compiler *c, const char *path, span at);

/* slots.c: by zone, how many pieces it can hold; false if that is not known */
int slots_made(const game *g);                         /* how many pieces made in play may come together */
bool slots_bound(const game *g, int *slots);
/* owners.c: does each zone that somebody owns only ever get his pieces? */
bool zones_own(const game *g, int most /* pieces that anybody has */, bool neutral /* are there any that are nobody's? */);
int stacks_least(const game *g);         /* how many pieces there is room for on every cell */
/* crowd.c: the most pieces that come into each zone while a position of the tests is played on, at most `most`; the most that one turn takes, or -1 */
void crowd_in_tests(const game *g, int most, int *slots);
int crowd_taken(const game *g);

/* declare.c */
bool declare(compiler *c);
symbol *symbol_find(compiler *c, const char *name);
symbol *symbol_add(compiler *c, const char *name, symbol_kind kind, int index, const node *where, const node *item);
bool is_standard_name(const char *name);
const char *nearest_name(compiler *c, const char *name);
int player_index(const compiler *c, const char *name);
int kind_index(const compiler *c, const char *name);

/* options.c: options, presets, and which of them go together */
option *option_find(compiler *c, const char *name);
void declare_option(compiler *c, const node *n);
void declare_presets(compiler *c);
bool declare_settings(compiler *c, const setting *settings, size_t count);      /* gives options their values; false with messages */
const node *preset_find(const tree *t, const char *name);
const char *nearest_preset(const tree *t, const char *name);
void option_asked(compiler *c, const option *o, const node *n);      /* a message if a test gives it a value it cannot have */
const char *setting_text(const node *n);                /* what a T_OPTION gives its option */

/* value.c */
/* While code is made, number operands are: constants as they are, registers from REGS, numbers of the position from POSITION; set operands:
 * planes as they are, registers from SET_REGS, constants from SET_CONSTS. The layout puts them where they belong (compile.c). */
enum { REGS = 20000, POSITION = 25000, SET_REGS = 30000, SET_CONSTS = 35000 };
extern const char *const type_names[T_COUNT];
value value_error(void);
value value_number(int64_t k);
value value_truth(bool k);
value value_reg(type t, int reg);
value value_const_set(compiler *c);                     /* empty, to be filled */
uint64_t *const_words(const value *v, int player);
int num_const(compiler *c, int64_t k);                  /* operand of a constant */
int num_operand(compiler *c, const value *v);           /* of a number, truth, player, place, single kind */
int set_operand(compiler *c, const value *v);           /* of a set or place */
int num_reg(compiler *c);
int set_reg(compiler *c);
int bag_reg(compiler *c);
uint32_t emit(compiler *c, opcode op, int a, int b, int cc, int32_t d, int32_t e);
int relation_index(compiler *c, const value *v);        /* into game.relations */
int name_index(compiler *c, const char *name);
int list_add(compiler *c, const int32_t *items, int count);
int field_add(compiler *c, field f);
value to_set(compiler *c, value v, const node *n);      /* or an error that says what was found */
value set_of_kinds(compiler *c, value v);                   /* in zones, too */
value to_bag(compiler *c, value v, const node *n);
value set_and(compiler *c, value a, value b);
int within_way(compiler *, int set);                      /* of a set, while the target of a leg is made: what may matter of it */
value set_or(compiler *c, value a, value b);
value set_minus(compiler *c, value a, value b);
value set_not(compiler *c, value a);
value set_on_board(compiler *c, value a);
value truth_and(compiler *c, value a, value b);
value truth_not(compiler *c, value a);
void bind(compiler *c, const char *name, value v);
int under_until(const compiler *c);                     /* for e of a chance instruction */

/* expr.c */
value lower(compiler *c, const node *n);
value lower_set(compiler *c, const node *n);            /* to_set of it */
value lower_truth(compiler *c, const node *n);
value lower_number(compiler *c, const node *n);
value lower_relation(compiler *c, const node *n);
value set_wanted(compiler *c, value v, const node *n);  /* a message: something else stands where a set is wanted; the error */
bool has_node(const node *n, node_kind kind);            /* a node of this kind stands in n */
value lower_player(compiler *c, const node *n);         /* a player, or an error */
type static_type(compiler *c, const node *n);           /* what it will come to, without making code; T_ERROR if not known */
int bag_operand(compiler *c, const value *v);
int push_mover(compiler *c, const value *who);
void pop_mover(compiler *c, int saved);
value let_value(compiler *c, symbol *s, const node *call, const node *at);
const char *print_short(compiler *c, const node *n);
bool open_count(compiler *c, const node *n);            /* `top height of x - 1 of S`, which wants brackets: said so */
bool speaks_of(const node *n, const char *name);         /* a name anywhere inside */

/* act.c */
void lower_action(compiler *c, const node *n);
void lower_block(compiler *c, const node *n);
void lower_call(compiler *c, const node *call, bool fresh);
bool leg_way(compiler *c, const node *leg_, leg *l);
bool leg_target(compiler *c, const node *n, leg *l);
void settle_now(compiler *c);
uint32_t here_label(compiler *c);
void patch(compiler *c, uint32_t at, uint32_t to);
int lower_can(compiler *c, const char *name, const node *at);
void lower_filters(compiler *c);
bool has_choice(compiler *c, const node *n, int depth);

/* origin.c */
void origin_note(compiler *c, uint32_t pc);             /* the instruction was made for c->doing */
void origin_part(compiler *c, uint32_t pc, const node *n);      /* ... and holds one part of an `and` or `or` */
void origins_finish(compiler *c);
void emit_rules_done(compiler *c);
void emit_mark(compiler *c, mark_kind kind, const node *n);     /* nothing unless c->marked */

/* words.c */
span word_at(const compiler *c, const node *n, const char *word);
void unknown_name(compiler *c, const node *at, const char *name, const char *what);     /* what: "nothing here is called" ... */
void no_player(compiler *c, span at, const char *name);
int spoken(const node *n, const char *word);            /* how often a word stands in it */
bool declared_wrong(compiler *c, span use, const char *name, const char *near);
void not_said_for(compiler *c, const symbol *s, const char *player);      /* a let of some players only */
bool numbered(const game *g);                           /* the cells are called by numbers */
bool spent(compiler *c, const node *n);
bool looked(compiler *c);

/* regions.c */
void regions_build(compiler *c);                        /* named sets, for drawings and the check of symmetry */

/* notes.c */
void notes_build(compiler *c);
void lower_written(compiler *c, const node *n);

/* attack.c */
void attacks_build(compiler *c);

/* plan.c */
void finish_game(compiler *c);
void finish_hash(game *g);
void tidy_code(compiler *c);
void loops_that_sow(game *, bool *gone, const bool *target);          /* sow.c; by instruction: it goes; it is jumped to */
void plans_build(compiler *c);
/* How the targets of a leg are gathered (gather.c). False if moves could not be told apart. */
bool gather_ways(const game *, const leg *, uint8_t *gather);
void gather_finish(compiler *);
void lanes_finish(compiler *);
void passed_finish(game *);
void past_finish(game *);
/* Cells of the longest line along the relation, INT_MAX if it has no end or is not known. */
int longest_line(const game *, int relation);

/* check.c: warnings and notes, of rules without faults */
void check_rules(compiler *c);
/* unseen.c: rules that tell the mover what he cannot see */
void check_unseen(compiler *c);
void check_walkers(compiler *c);                        /* rules of pieces that begin with another piece than they read */
void check_set(compiler *c, const value *v, const node *n, const char *name);        /* a set without cells is warned of; name: of a let */
void check_directions(compiler *c, const value *v, const node *n);
void check_edge(compiler *, const value *v, const node *n);
void check_kinds(compiler *c);                          /* kinds.c: kinds that never come into play, or that nobody has */
bool depends_on_options(compiler *c, const node *n);     /* what it comes to may be another under other options */

/* turn.c */
void fresh_code(compiler *c);                           /* no registers are in use, no names are bound */
void entry_add(compiler *c, const char *name, uint32_t pc);
void lower_setup(compiler *c);
void lower_turn(compiler *c);                           /* the ends, too */
const char *path_of(compiler *c, const node *n);        /* of the file it stands in */
/* tests.c */
void lower_tests(compiler *c);
/* own.c */
void own_names(compiler *c);                            /* the names kept in tables outlive the tree */
void compiler_free(compiler *c);                        /* but for itself */
void game_free(game *g);

/* compile.c */
/* NULL with messages. */
game *compile(const tree *t, const setting *settings, size_t count, int players, diagnostics *d);
/* The same with marks, for the coverage of tests. */
game *compile_marked(const tree *t, const setting *settings, size_t count, int players, diagnostics *d);
/* The same as the file has its options, with warnings and notes of what is odd. */
game *compile_check(const tree *t, diagnostics *d);
void *grow(void *p, int *capacity, int need, size_t size);
#endif
