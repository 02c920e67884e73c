/* The compiled game: plain tables, and all that the machine knows of a game.
 *
 * What compile/ writes and machine/ reads. No pointer leads into the syntax tree; names are kept for notation and messages only.
 *
 * Places. A place is a small number: the cells of the board first (0 .. cells-1, in board order: rows from the south, columns from
 * the west, or the order of a drawing or map), then for every zone instance (one per player for `of player`) the zone itself, as a
 * cell that a track or a leg may lead to, and its slots, each of which holds one piece; last the slots of the pieces taken this turn.
 * A set is a bit per place, in `words` words of 64 bits (1, 2, 4, 8 or 16).
 *
 * State. One flat block of bytes without pointers:
 *
 *     [ number registers | position: numbers, planes, arrays | set registers ]
 *
 * A number operand of an instruction is an index into one array that runs over constants, registers and the numbers of the position;
 * a set operand is an index into a table of pointers (one table per player, so that `own` or `row 8` is the mover's without a test).
 * Between turns the registers mean nothing, and a position is the middle part alone; inside a turn the whole block is kept.
 *
 * Code. One array of instructions (op.def). The turn, the set-up, the tests, each sub-expression that is asked lazily and each rule
 * under `can` is a run of it. Choosing instructions try every option and go on with what follows; see machine/vm.c. */
#ifndef JOC_GAME_H
#define JOC_GAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREFERS_MAX = 4, FRAMES_MAX = 24 /* preferences of one block; blocks with preferences around a run */, PLAYERS_MAX = 8, WORDS_MAX = 16, PLACES_MAX = 1024, DIRS_MAX = 64, KINDS_MAX = 250, PIECE_FLAGS_MAX = 32, PIECE_VALUES_MAX = 4, BAG_MAX = 30, NO_PLACE = -1 };

typedef enum {
#define OP(name, notation) OP_##name,
#include "op.def"
#undef OP
    OP_OPCODES
} opcode;

/* Operands by convention: a destination, b c d e sources or table indices; what each instruction does with them is in op.def. */
typedef struct { uint16_t op, a, b, c; int32_t d, e; } ins;

/* Of the set that an instruction makes in a, and of those in b and c when it begins: words beyond so many are nought. */
typedef struct { uint8_t a, b, c; } set_widths;

/* Before an instruction: the first so many number and set registers may still be read; the rest mean nothing. `walk`: which of here, start,
 * passed may be. */
typedef struct { uint16_t numbers, sets; uint8_t walk; } live_registers;
enum { WALK_HERE = 1, WALK_START = 2, WALK_PASSED = 4 };
/* Where a situation is kept or compared (commit, chance, repetitions) it is told exactly which registers may still be read, a bit each;
 * all others mean nothing, so that equal situations look equal. Field e of the instruction is the index in game.masks. */
enum { REGISTERS_MAX = 1024, CHANCE_MAY_VOID = 1 << 24 /* in e of a chance instruction: an `until` around it may take it back */,
       CHANCE_SHOWS = 1 << 25 /* the effects from there up to SHOWN happen with it */,
       CHANCE_PLAIN = 1 << 26 /* of one that may be taken back: plain code leads to the `until`, or to chance before it */ };
typedef struct { uint64_t numbers[REGISTERS_MAX / 64], sets[REGISTERS_MAX / 64]; } register_mask;

/* The numbers every position begins with. */
enum {
    H_MOVER,        /* whose eyes: `own` is his */
    H_ACTOR,        /* whose turn it is */
    H_NEXT,         /* who moves next, -1: not said yet */
    H_TURNS, H_PASSES,
    H_DIDPASS, H_AGAIN, H_EXTRA,
    H_OUT,          /* mask of players out of the game */
    H_OVER,         /* 0 running, 1 won, 2 drawn */
    H_WINNER,
    H_REASON,       /* 1 + index in game.ends of the end that fired, 0 none; negative: -1 - name of an action */
    H_TAKEN,        /* how many pieces were taken this turn */
    H_HERE, H_START,
    H_UNDER,        /* the place where a landing is not settled yet, or -1 */
    H_CHOSEN,       /* choices made since the decision began */
    H_RESUME,       /* instruction to go on at; 0 at the beginning of a turn */
    H_HISTORY,      /* entries of the history that belong to this position */
    H_KEY, H_KEY_OF,/* this position's key in the history; the key over the contents of the `repeats of` set */
    H_ALWAYS,       /* a bit per `always`, of the turn that led here */
    H_RANK,         /* ranks of a diagram placed so far */
    H_COUNTED,      /* the turn has been counted */
    H_ACTED,        /* something was chosen in an earlier decision of this turn */
    H_FAILED,       /* lenient lists: 1 + name of the filter that failed */
    H_LOOPS,        /* entries of the visited situations of repetitions */
    H_CONTENTS,     /* key of what stands where, kept as pieces come and go (machine/piece.h) */
    H_COUNT
};

/* The sets of every position, by index in the pointer tables. */
enum { SET_OCCUPIED, SET_EMPTY, SET_OWN, SET_ENEMY, SET_PASSED, SET_NEUTRAL, SET_PLAYERS };       /* then players, kinds, flags, registers, constants */

/* A part of a direction: next = place + shift for the places of `mask`. */
typedef struct { int shift; uint64_t *mask; } shift_part;
enum { STACK_MOST = 64, SEND_LOW = 2 /* in c of SEND and SEND_ZONE: from the bottom of a stack */ };
enum { PARTS_MAX = 4 };

enum { STEPS_FAR = 16 };
/* A direction: cell -> cell, or for a graph cell -> cells. */
typedef struct {
    const char *name;
    uint16_t *next, *back;      /* by place; 0xFFFF none. back: the place that leads here (0xFFFF none or several: then `merges`) */
    int shift;                  /* if not 0: next = place + shift for the places of `mask` */
    shift_part *parts; int part_count;  /* or else, if not 0: a shift each for a few parts of the board (rows of different lengths) */
    uint64_t *rays;             /* by cell, `words` each: the cells on the way in this direction; NULL if not regular */
    uint16_t *after;            /* by number of steps, up to STEPS_FAR, and place: where they lead, 0xFFFF nowhere; NULL if nobody asks */
    bool rising;                /* they have greater numbers */
    bool graph, merges, off_board;      /* off_board: leads from or to places beyond the cells */
    int opposite;               /* direction that undoes it, -1 none */
    int dx, dy;                 /* of compass directions and leaps */
    uint64_t *mask;             /* places that have a successor */
    uint64_t *image;            /* graph: a set per place, `words` each */
} direction;

/* The directions of a relation side by side, by shifts of one word: see machine/lanes.h. `longest`: cells of the longest line;
 * `paired`: each direction has its opposite. */
enum { LANES = 4 };
typedef struct { uint64_t up[LANES], mask_up[LANES], down[LANES], mask_down[LANES]; int longest; bool paired; } lanes;

/* A relation: the directions it takes, for each mover; or, if reg >= 0, those in that number register.
 * `images`: by place, the places one step leads to, `words` each, or NULL; `many`: for more places than this the directions are quicker. */
typedef struct { int reg; int times; /* number operand, -1 once */ uint64_t mask[PLAYERS_MAX]; const uint64_t *images[PLAYERS_MAX]; int many[PLAYERS_MAX]; const lanes *lanes[PLAYERS_MAX]; /* NULL none */ } relation;

typedef struct { char how; /* 1 * + ? */ uint16_t set; } pattern_item;

/* A leg: what a step, slide or drop may do. */
typedef struct {
    int relation;
    int pattern, pattern_count;         /* into game.patterns; count 0: to the next cell */
    bool slide;                         /* pattern is empty* */
    bool settle;                        /* nothing can happen before the landing is settled: do it at once */
    bool place_only;                    /* no piece can stand on `here` */
    int target;                         /* set operand, -1: anywhere */
    bool silent;                        /* what it passes is asked by nobody */
} leg;

/* What is asked of a field. */
typedef enum { FIELD_CONST, FIELD_KEEP, FIELD_VALUE, FIELD_HEIGHT, FIELD_SUM } field_kind;
typedef struct {
    field_kind kind;
    int index;                          /* FIELD_KEEP: which array */
    int16_t *values[PLAYERS_MAX];       /* FIELD_CONST: by mover, by place; INT16_MIN where it has none */
    uint64_t *upto[PLAYERS_MAX];        /* FIELD_CONST: for each value from least - 1 to most the places with no greater one; NULL if they are too many */
    int least, most;
    int left, right; char op;           /* FIELD_SUM: arithmetic of a field and a field or number operand */
    bool right_number;
    bool of_pieces;                     /* has a value only where a piece stands */
    int offset;                         /* value = stored - offset (values kept as 1 + value, 0 none) */
} field;

typedef enum { KEEP_GAME, KEEP_PLAYER, KEEP_CELL, KEEP_PIECE } keep_of;
typedef enum { KEEP_FLAG, KEEP_NUMBER, KEEP_IN_CELLS, KEEP_IN_WAYS, KEEP_IN_KINDS, KEEP_IN_PLAYERS } keep_type;
typedef struct {
    const char *name;
    keep_of of;
    keep_type type;
    bool aside, turn;
    int64_t low, high, start;
    int where;      /* game/player: number index of the (first) value; flag of cells/pieces: set index; numbers of cells/pieces: array */
    int flag_bit, value_slot;   /* of pieces: bit in piece.flags, index in piece.values */
    const char *seen;
    bool inner;                 /* kept for views alone: the rules and their texts know nothing of it */
} keep;

typedef struct {
    const char *name;
    int owner;                  /* player or -1 */
    int place, first, slots;    /* the zone as a place; its slots */
    int declared;               /* which declaration */
    const char *seen;           /* owner, nobody or NULL */
} zone;

typedef struct { const char *name, *letter; int value; const char *seen; } kind_info;
/* A piece code: its owner (-1 nobody), its kind (kind_count: none), the planes of both (kind_plane -1: none), and its share of a key. */
typedef struct { int16_t owner, kind, owner_plane, kind_plane; uint64_t key; } code_info;
typedef struct { const char *name; int facing; /* 0 north 1 east 2 south 3 west */ } player_info;
/* `number`: operand of the last single throw; `bag`: of several; `fixed`: operand of these marks. */
enum { DICE_FIXED = 1 /* the next throw is given */, DICE_THROWN = 2 /* this turn */ };
typedef struct { const char *name; int faces[64]; int count; int number, bag, fixed; bool many; } dice_info;
typedef struct { const char *word, *label; unsigned line; const char *path; } end_info;
typedef struct { const char *name, *title; int x, y, sx, sy; } cell_info;    /* of maps: what people call it, NULL as its name; sx, sy: where to draw, 0 not said */


/* One way in which pieces of some kinds can take by landing, for `attacked`. Each part is straight code, asked as the attacker; pc 0: none. */
typedef struct {
    int kinds, kind_count;      /* into game.lists */
    int leg;                    /* relation and pattern; its target is not looked at */
    uint32_t guard_pc; int guard;       /* a truth */
    uint32_t from_pc; int from;         /* the set the attacker must stand in */
    uint64_t *reverse;          /* steps: by attacker and cell, from where it reaches the cell (`words` each); slides: who stands on a line through it, not NULL if `back` can be looked along */
    uint64_t back[PLAYERS_MAX]; /* slides: the directions in which to look from the cell */
    uint32_t target_pc; int target;     /* the set where it may land, with game.asked for the asked cells */
} attack;

/* Bits in d of a pick; see op.def. */
enum { PICK_WALKER = 1, PICK_ASKS = 2 };

/* Plans for taking first choices in batches; see compile/plan.c. */
enum { PLAN_CLEAN, PLAN_TEST, PLAN_TREE, PLAN_ITEMS_MAX = 96, DRAWN_SETS_MAX = 16 /* of one plan whose moves are drawn at once */ };
/* How the targets of an item are gathered: along each direction, from each walker, or in whichever way is less. Where two ways lead from one
 * place to the same one, only the second tells moves apart. */
enum { GATHER_ALONG, GATHER_FROM, GATHER_LESS };
/* c of a pass: may it be entered from the first choice of its decision, and can a filter forbid it behind? 0: it is no first choice. */
enum { PASS_CLEAN = 1, PASS_TEST, PASS_AGAIN /* the way to it must be gone again */ };
/* A step along one direction that is a shift. */
typedef struct { uint16_t dir; int16_t shift; const uint64_t *mask; } shot;
typedef struct {
    bool drop, split_inside;
    bool origins;               /* the bits of its batch are where walkers stand, each with one landing (machine/tracks.h); else targets */
    bool pass;                  /* its one bit is a pass */
    bool options;               /* the bits are the places picked from (machine/options.h): */
    int keep; int64_t limit;    /* ... where the number of this keep of cells must be less */
    uint8_t tail;               /* PLAN_... */
    uint8_t gather;             /* GATHER_... */
    bool twin, second;          /* the next (last) item is the same but for its split, which is the other one: both are gathered with the first */
    bool quiet;                 /* changes nothing that `attacked` looks at but the two places of its leg (see game.shield) */
    uint64_t kinds;             /* of the walker, 0 unknown */
 /* a repetition around the leg (compile/stops.c): */
    int body, body_count;       /* ... landings from which none of these legs of its body is possible: pairs of leg and cells it may begin in, | 1 << 20: not in, -1: any */
    bool branches;              /* one more choice may follow, and all that can be chosen is counted (compile/branch.c) */
    bool body_takes;            /* ... when what the first leg passed is taken */
    int more, more_count;       /* the one further choice, whose options lead to different positions: into game.lists; a batch for each; count 0: none */
    int leg;
    uint32_t entry;             /* where the code goes on behind the leg, 0: the whole way must be gone again */
    int guard;                  /* relation + 1: a drop is allowed where a line of enemies leads from there along it to an own piece; 0 none */
    int split;                  /* set operand that the target must be in (or not), -1 none */
    uint32_t pc;                /* straight code to run before, 0 none */
    int alts, alt_count;        /* alternatives between the pick and the leg */
    int froms, from_count;      /* set operands the walker must stand in; | 1 << 20: must not */
    int conds, cond_count;      /* 2 * number operand + what it must be */
    const uint64_t *vacant;     /* places where no piece may stand when the item is used (compile/apart.c), NULL none */
    const shot *shots[PLAYERS_MAX]; uint8_t shot_count[PLAYERS_MAX];     /* by mover, if the item is nothing but steps by shifts to a target; else NULL */
} plan_item;
typedef struct { int first, count, pairs, pair_count; bool origins; /* of all its items */ uint32_t guard_pc; int guard; /* no items: the pick is tried as ever if this number is not 0 after that code */ } plan;

enum { TESTED_PICK = 1, TESTED_YES };   /* game.tested */

/* A choice that is counted, not tried (compile/counted.c). A witness: the kept number, of a place or of the game, that tells what was chosen from
 * what else might have been, as long as it is not clamped: it becomes that (how 0), gains or loses it (1, 2). */
enum { COUNTED_LAST = 1, COUNTED_NEST, COUNTED_FACTOR, COUNTED_PLANNED /* by a plan: only the ends are known */, COUNTED_APART = 3, COUNTED_WITNESSES = 2 };
typedef struct {
    int keep, number;                   /* keep of cells, or number operand; the other is -1 */
    char how;
    uint16_t place;                     /* number operands: where; what changes too must not be there */
    uint16_t apart[2 * COUNTED_APART]; int apart_count;
    uint16_t before[COUNTED_APART]; int16_t before_keep[COUNTED_APART]; int before_count;       /* while it is looked for */
    int64_t low, high;
} counted_witness;
typedef struct {
    uint8_t how;
    uint64_t ends;                      /* of game.end_bits */
    counted_witness witnesses[COUNTED_WITNESSES]; int witness_count;
} counted_choice;

/* A set of cells that the file names: WORDS_MAX words for each player, and where the file says so, for each. */
typedef struct { const char *name; const uint64_t *cells; struct { uint32_t source, from, to; } at[PLAYERS_MAX]; } named_set;

/* Empty cells of a set are drawn with a sign; `name` in the line that explains it, "" if the set has none. Sets as in named_set. */
typedef struct { const char *sign, *ascii, *name; const uint64_t *cells; /* NULL: of gaps */ int16_t *gaps; int gap_count; /* where the board has no cell: x, y in turn */ } drawn_mark;

typedef struct { const char *name; uint32_t pc; } entry;               /* for disassembly: where code of what begins */

/* Where instructions come from: for those that choose or fail, and for the parts of an `and` or `or` (their MOVE). Sorted by pc. */
typedef struct { const char *path, *text; size_t length; } source_info;
typedef struct { uint32_t source, from, to; } passage;         /* bytes of a source; from = to: none */
typedef enum { ORIGIN_ACTION, ORIGIN_CALL /* of a rule: who walks */, ORIGIN_FILTER /* over complete turns */, ORIGIN_PART } origin_kind;
typedef struct {
    uint32_t pc;
    origin_kind kind;
    int rule;                           /* name of the rule around, -1 none */
    passage at, rule_at;                /* the action; the rule's declaration, or (of a call) that of the rule called */
    passage what, over;                 /* what is asked, or where it may land; what it may pass, or what is dropped */
} origin;

/* What tests may exercise, in games compiled to be covered: rules done to their end, conditions that held or did not (also of `if`, and ends). */
typedef enum { MARK_RULE, MARK_HELD, MARK_FAILED } mark_kind;
typedef struct { mark_kind kind; passage at; int rule; } cover_mark;

typedef struct { const char *path; const char *title; unsigned line, column; int check_first, check_count; } test_block;
typedef enum { CHECK_AT, CHECK_AFTER, CHECK_LEGAL, CHECK_ILLEGAL, CHECK_EXPECT, CHECK_OPTION, CHECK_PERFT, CHECK_THROUGHOUT } check_kind;
typedef struct { check_kind kind; unsigned line, column; const char *path, *text, *value; int player; uint32_t pc; int result; int64_t number, wanted; /* perft: depth, count; throughout: games */ bool broken; } check;

struct arena;
typedef struct game {
    struct arena *arena;
    const char *title, *path;
    uint64_t hash;
    int words, cells, places;
    int width, height;
    int shape;                          /* joc_shape of joc.h */
    cell_info *cell;
    zone *zones; int zone_count;
    int16_t *zone_of;                   /* by place: zone instance of a zone's place or slot, -1 for cells and taken pieces */
    int taken_first, taken_slots;       /* slots 0 if only their number is asked */
    player_info players[PLAYERS_MAX]; int player_count;
    kind_info *kinds; int kind_count;
    code_info *codes;                   /* by piece code: 1 + (owner + 1) * (kinds + 1) + kind */
    uint64_t *place_keys;               /* by place: its share of a key; the slots of a zone are all alike, those of taken pieces 0 */
    keep *keeps; int keep_count;
    int keeps_shown;                    /* those before the inner ones */
    int serial, seen_first;             /* inner keeps of pieces: a number that tells one from another; a flag per player, seen by him; -1 none */
    struct { uint32_t begin, end; } *rounds; int round_count;           /* code of `by everyone` with choices: all choose at once */
    dice_info *dice; int dice_count;
    direction dirs[DIRS_MAX]; int dir_count;
    uint64_t ways;                      /* directions that join cells */
    uint64_t letters;                   /* directions a reader knows by name */

    ins *code; uint32_t code_count;
    live_registers *live;               /* by instruction; of instruction 0: all */
    set_widths *ins_words;              /* by instruction (compile/width.c) */
    bool *lazy;                         /* by instruction, of choices: nothing but registers changes up to a further choice (compile/copies.c) */
    uint8_t *tested;                    /* by instruction: a pick whose options can be asked first; where such a question is answered with yes (compile/tested.c) */
    bool *onward;                        /* by instruction at which a decision begins: is a move drawn where its choices are come to? (compile/onward.c) */
    register_mask *masks; int mask_count;               /* masks[0]: none */
    relation *relations; int relation_count;
    pattern_item *patterns; int pattern_count;
    leg *legs; int leg_count;
    field *fields; int field_count;
    int32_t *lists; int list_count;     /* jump tables, kinds of a drop ... */
    plan *plans; int plan_count; plan_item *plan_items; int plan_item_count;
    counted_choice *counted; int counted_count;         /* the first is none */
    uint16_t *counted_at;               /* by instruction: which of them, 0 none */
    uint64_t *sure_ends;                /* by index in lists, of alternatives: the ends of one that is one option; else 0 */
    uint8_t *end_bits;                  /* by instruction that ends a decision */
    /* The one filter over complete turns is `illegal when any own KINDS attacked`: a machine that knows where that question looks need not
     * ask it of moves that touch none of those places (batch.h). */
    bool shield;
    uint64_t shield_kinds;
    uint32_t attack_begin, attack_end;  /* code of `attacked` */
    attack *attacks; int attack_count; uint32_t attack_probe;          /* code that tries the rules that take otherwise, 0 none */
    int wakes, wake_count;              /* into game.lists: flags one of which must stand somewhere if `attack_probe` is to find anything; 0: not known */
    int asked;                          /* set operand */
    int all_places;                     /* set operand: every place */
    int always_count, flood_count;
    entry *entries; int entry_count;
    named_set *named_sets; int named_set_count;
    drawn_mark *marks; int mark_count;
    const char *about;                  /* what the file says to those who play, lines; NULL nothing */
    end_info *ends; int end_count;
    const char **names; int name_count; /* rules, labels, words: for notation */
    origin *origins; int origin_count;
    source_info *sources; int source_count;
    cover_mark *covers; int cover_count;
    test_block *tests; int test_count;
    check *checks; int check_count;
    const char **option_names, **option_values; int option_count;

    uint32_t setup_pc, turn_pc, finish_pc, score_pc;
    int score;                          /* number operand, if score_pc */
    int test_moves;                     /* number operand: how many moves there are, for `moves` in tests */

    /* layout, in bytes from the beginning of a machine's memory (machine/vm.c) */
    int num_consts, num_regs, num_position;             /* counts; operands in this order */
    int set_position, set_regs, set_consts;             /* counts of sets after SET_PASSED.. see set_base */
    int64_t *const_num;
    uint64_t *const_set[PLAYERS_MAX];                   /* by mover: set_consts * words */
    int flag_first, flag_count;                         /* set operands of flag planes */
    int kind_first, player_first, reg_first, const_first;
    int array_count;                                    /* number arrays by place */
    int piece_keeps, told_keeps;                        /* keeps of pieces; those of them that tell positions apart */
    int num_base;                                       /* number operand of the header (H_...) */
    int prefers_first;                                  /* number operand of the preferences of the blocks around a run, PREFERS_MAX each; 0 if none */
    int prefers_deep;                                   /* blocks with preferences that may be around a run */
    int score_first;                                    /* number operand of the first player's score */
    int last_cell_word;
    int pile_max;                                       /* greatest stack, 1 if none */
    bool piles_alike;                                   /* all pieces of a stack are of one owner and kind, and nothing is kept of them */
    size_t pile_stride;                                 /* bytes of a pile: see machine/piece.h */
    int16_t *stack_size; bool *stack_mixed;             /* by place */
    int bag_count;
    bool uses_changed, uses_history, uses_key_of, uses_taken, uses_passed, has_chance, has_secrets, has_choice_in_setup, keeps_hash;
    uint64_t *key_set;                                  /* the set of `repeats of S` */
    bool key_whole;                                     /* ... is all there is: H_CONTENTS is its key */
    bool asks_turns, asks_passes, asks_extra;           /* the rules ask for these numbers of the header */
    bool ends_ask_turn;                                 /* an end or a score asks for what is kept of a turn: until then moves that differ in it are apart */
    int64_t turns_told;                                 /* numbers of turns from here on are alike to the rules, */
    bool counts_turns;                                  /* unless they count them all */
    bool history_drains;                                /* pieces on the board never become more: see compile/past.c */
    bool simple_pieces;                                 /* no stacks, and nothing kept of pieces */
    bool plain_turns;                                   /* nothing to be forgotten when a turn begins but the numbers of the header */
    bool draws;                                         /* a turn's move is drawn where it is chosen: see compile/drawn.c */
    bool zones_alike;                                   /* the pieces in a zone that somebody owns differ in nothing */
    bool drops_many;                                    /* more than one kind can be dropped: notation names it */
    size_t at_position, at_planes, at_cells, at_arrays, at_piles, at_bags, at_changed, at_registers, at_end;     /* offsets */
    size_t position_size, state_size, state_from;

    const struct machine *machine;      /* for this width */
} game;
#endif
