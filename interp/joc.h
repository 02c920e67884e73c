/* libjoc: rules of board games, checked, compiled and played.
 *
 *     joc_messages *m = joc_messages_new();
 *     joc_rules *rules = joc_rules_load("games/hex.joc", m);         // read, parse, merge variants
 *     joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
 *     if (!game) fputs(joc_messages_text(m, false), stderr);
 *     joc_position *p = joc_start(game, 42);                          // set-up, chance drawn from seed 42
 *     while (joc_state_of(p) != JOC_OVER) {
 *         joc_moves *list = joc_moves_of(p);
 *         joc_play(p, joc_moves_at(list, 0));
 *         joc_moves_free(list);
 *     }
 *
 * Ownership: what a `_new`, `_load`, `_of`, `_text` or `_copy` gives is the caller's, freed by the `_free` beside it (texts marked
 * malloc'd by free); `const char *` without that mark belongs to the object it was asked of. Nothing here prints, exits or keeps
 * globals; objects of different threads are independent, a joc_game may be shared by threads once made.
 * Functions that can fail say so in their value and queue the reason in `m`. Indices out of range are the caller's fault (assert). */
#ifndef JOC_H
#define JOC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOC_FORMAT 1                    /* "format" of all JSON and YAML that Joc writes */
#define JOC_RANDOM "xoshiro256**"       /* the generator; seeded through splitmix64 */

/* ---- messages ------------------------------------------------------------------------------------------------------------------ */
typedef struct joc_messages joc_messages;
typedef struct {
    char severity;                      /* 'E', 'W', 'N'; 'n' a note that belongs to the message before it */
    const char *code;                   /* "E0101"; "" for 'n' */
    const char *path;
    unsigned line, column, end_line, end_column;        /* from 1, in characters; end exclusive */
    const char *text;
} joc_message;

joc_messages *joc_messages_new(void);
void joc_messages_free(joc_messages *);
size_t joc_messages_count(const joc_messages *);
size_t joc_messages_errors(const joc_messages *);
size_t joc_messages_warnings(const joc_messages *);
joc_message joc_messages_at(const joc_messages *, size_t i);            /* sorted by file and place */
char *joc_messages_text(const joc_messages *, bool colour);             /* malloc'd: file:line:col, source line, caret */

/* Queue a message about `text` (of `length` bytes, called `path`) at its bytes [from, to). `code`: one of diag.def. For readers of other files. */
void joc_messages_add(joc_messages *, const char *code, const char *path, const char *text, size_t length, size_t from, size_t to, const char *message);

/* What a code means: title, wrong example, right example. False if there is no such code. */
bool joc_explain(const char *code, const char **title, const char **wrong, const char **right);

/* ---- rules: a file as written ---------------------------------------------------------------------------------------------------- */
typedef struct joc_rules joc_rules;
typedef enum { JOC_YESNO, JOC_RANGE, JOC_WORDS } joc_option_kind;
typedef struct {
    const char *name, *meaning;         /* meaning may be "" */
    joc_option_kind kind;
    const char *standard;               /* default, as text */
    int64_t low, high;                  /* JOC_RANGE: the least and the most */
    const int64_t *ranges;              /* its values: pairs of the least and the most */
    size_t range_count;
    const char *const *words;           /* JOC_WORDS */
    size_t word_count;
    const char *needs;                  /* what must hold, of other options, for it to differ from its default; "" if nothing */
} joc_option;
typedef struct { const char *name, *value; } joc_setting;               /* option = value, both as text */
typedef struct { const char *name, *meaning; const joc_setting *settings; size_t count; } joc_preset;    /* several settings under one name */

/* Where games are looked for: as given; NAME.joc in `games/` beside the binary's tree; in the installed data folder. malloc'd path or NULL. */
char *joc_find_game(const char *name);
/* The installed games' paths, NULL-terminated, sorted by name; free with joc_list_free. */
char **joc_list_games(void);
void joc_list_free(char **);

/* Reads a rule file (a path or an installed game's name) and, for a variant, its parents. NULL if it could not be read or has errors in its
 * text; the reasons are in `m`. */
joc_rules *joc_rules_load(const char *name_or_path, joc_messages *m);
joc_rules *joc_rules_parse(const char *path, const char *text, size_t length, joc_messages *m);
void joc_rules_free(joc_rules *);
const char *joc_rules_path(const joc_rules *);
const char *joc_rules_title(const joc_rules *);
void joc_rules_players(const joc_rules *, int *least, int *most);
size_t joc_rules_options(const joc_rules *);
joc_option joc_rules_option(const joc_rules *, size_t i);
size_t joc_rules_presets(const joc_rules *);
joc_preset joc_rules_preset(const joc_rules *, size_t i);
/* The declarations that the rules come to, variants merged, each on one line: for telling what differs. `name` is unique: "board",
 * "rule castle of King", "let goal of White", "win 2" (the second unlabelled one); a rule written in parts is one. The last is the order. */
typedef struct joc_items joc_items;
typedef struct { const char *name, *text, *path; unsigned line; uint64_t hash; bool plays; /* false: presets */ } joc_item;
joc_items *joc_items_of(const joc_rules *);
size_t joc_items_count(const joc_items *);
joc_item joc_items_at(const joc_items *, size_t i);
void joc_items_free(joc_items *);
/* Checks as a whole, all branches of all options: everything `joc check` reports (errors, warnings, notes). True if there are no errors. */
bool joc_rules_check(const joc_rules *, joc_messages *m);

/* The one layout of a rule file. malloc'd; NULL with messages if the text has faults. */
char *joc_format(const char *path, const char *text, size_t length, bool brackets, joc_messages *m);

/* ---- games: rules compiled under options ----------------------------------------------------------------------------------------- */
typedef struct joc_game joc_game;

/* `players` 0: the least number. NULL with messages if the rules have errors or a setting does not fit (unknown option, wrong value: nearest named). */
joc_game *joc_compile(const joc_rules *, const joc_setting *settings, size_t count, int players, joc_messages *m);
void joc_game_free(joc_game *);
/* Has a machine compiled for this game alone, by the system's C compiler ($CC, else cc), and plays it with that from now on: the same moves, results
 * and random games, but faster (docs/native.md). Takes seconds the first time; what was compiled is kept in $XDG_CACHE_HOME/joc or
 * ~/.cache/joc. False if it cannot be: the game stays as it was, and `*why` (malloc'd; `why` may be NULL) says so in a sentence.
 * No other thread may use the game meanwhile. */
bool joc_native(joc_game *, char **why);
bool joc_is_native(const joc_game *);
const char *joc_game_title(const joc_game *);
const char *joc_game_path(const joc_game *);            /* the rule file it came from */
uint64_t joc_game_hash(const joc_game *);               /* of the compiled tables: equal rules and options, equal hash */
const char *joc_game_option(const joc_game *, const char *name);       /* its value as text, NULL if none */
int joc_game_players(const joc_game *);
const char *joc_game_player(const joc_game *, int player);             /* 0 .. players-1; -1: "neutral" */
const char *joc_game_facing(const joc_game *, int player);             /* north east south west */
bool joc_game_has_score(const joc_game *);
bool joc_game_has_chance(const joc_game *);
bool joc_game_has_secrets(const joc_game *);
char *joc_game_tables(const joc_game *);                /* malloc'd, readable */

/* The board. Cells 0 .. cells-1 in board order; places beyond them are zones. */
typedef enum { JOC_BOARD_NONE, JOC_BOARD_SQUARE, JOC_BOARD_HEX, JOC_BOARD_HEXAGON, JOC_BOARD_STAR, JOC_BOARD_STRIP, JOC_BOARD_DRAWN, JOC_BOARD_MAP } joc_shape;
joc_shape joc_game_shape(const joc_game *);
int joc_game_cells(const joc_game *);
const char *joc_cell_name(const joc_game *, int cell);
void joc_cell_xy(const joc_game *, int cell, int *x, int *y);           /* x from the west, y from the south, both from 1; hex boards: see docs/language.md */
const char *joc_cell_title(const joc_game *, int cell);                  /* of a map: what people call it; else its name */
bool joc_cell_spot(const joc_game *, int cell, int *x, int *y);         /* of a map: where to draw it; false if the map does not say */
int joc_cell_at(const joc_game *, int x, int y);                        /* -1 if there is none */
int joc_cell_find(const joc_game *, const char *name);                  /* -1 if there is none */
bool joc_cell_joined(const joc_game *, int a, int b);                   /* b is one `ways` step from a */
int joc_game_zones(const joc_game *);                                   /* zone instances: one per player for `of player` */
const char *joc_zone_name(const joc_game *, int zone);
int joc_zone_owner(const joc_game *, int zone);                         /* player, or -1 for a common zone */

int joc_game_kinds(const joc_game *);
const char *joc_kind_name(const joc_game *, int kind);
const char *joc_kind_letter(const joc_game *, int kind);                /* as declared, usually upper case */

/* Named state (`keep`), named sets and numbers. */
typedef enum { JOC_OF_GAME, JOC_OF_PLAYER, JOC_OF_CELL, JOC_OF_PIECE } joc_of;
typedef enum { JOC_FLAG, JOC_NUMBER, JOC_CELL_VALUE, JOC_DIRECTION_VALUE, JOC_KIND_VALUE, JOC_PLAYER_VALUE } joc_keep_type;
int joc_game_keeps(const joc_game *);
const char *joc_keep_name(const joc_game *, int keep);
joc_of joc_keep_of(const joc_game *, int keep);
joc_keep_type joc_keep_kind(const joc_game *, int keep);
int64_t joc_keep_start(const joc_game *, int keep);
const char *joc_way_name(const joc_game *, int direction);              /* of a JOC_DIRECTION_VALUE; NULL out of range */
/* Sets that the file names, as a player sees them: for drawings. */
int joc_game_sets(const joc_game *);
const char *joc_set_name(const joc_game *, int set);
/* What the file says to those who play: lines, "" if nothing. */
const char *joc_game_about(const joc_game *);
/* Signs for empty cells of drawings, the first that has a cell counts: `ascii` of ASCII only; `name` "" if what they mean has none. */
typedef struct { const char *sign, *ascii, *name; bool gaps; /* of places without a cell */ } joc_mark;
int joc_game_marks(const joc_game *);
joc_mark joc_game_mark(const joc_game *, int mark);
bool joc_mark_has(const joc_game *, int mark, int cell);
bool joc_mark_gap(const joc_game *, int mark, int x, int y);           /* it marks that place, where the board has no cell */
int joc_game_dice(const joc_game *);
const char *joc_dice_name(const joc_game *, int dice);

/* ---- positions --------------------------------------------------------------------------------------------------------------------- */
typedef struct joc_position joc_position;
typedef enum {
    JOC_DECISION,       /* a player chooses among joc_moves_of */
    JOC_CHANCE,         /* joc_moves_of lists the outcomes, with weights */
    JOC_OVER,           /* see joc_result_of */
    JOC_STUCK           /* a dead end of the rules: no run, and no `else`; an author's fault */
} joc_state;
typedef enum { JOC_RUNNING, JOC_WIN, JOC_DRAW } joc_outcome;
typedef struct {
    joc_outcome outcome;
    int winner;                         /* JOC_WIN: a player */
    bool scored;
    const int64_t *scores;              /* one per player, if scored */
    const char *reason;                 /* label or word and line of the end that fired, "" if none */
} joc_result;

joc_position *joc_start(const joc_game *, uint64_t seed);               /* set-up made, its chance drawn from the seed, up to the first decision of a player (or chance of the first turn) */
joc_position *joc_empty(const joc_game *);                              /* empty board, first player to move, every keep at its start */
joc_position *joc_position_copy(const joc_position *);
void joc_position_free(joc_position *);
const joc_game *joc_position_game(const joc_position *);
joc_state joc_state_of(const joc_position *);
joc_result joc_result_of(const joc_position *);
/* What `score` gives each player (one per player, into `scores`) if it is asked now, whether the game is over or not. False: the game has none. */
bool joc_standing(const joc_position *, int64_t *scores);
int joc_mover(const joc_position *);                                    /* who decides now */
int joc_turns(const joc_position *);
bool joc_inside_turn(const joc_position *);                             /* a decision after the first of its turn */
int joc_chance_dice(const joc_position *);                              /* JOC_CHANCE: the dice that are thrown now, -1 if it is no throw */
uint64_t joc_position_hash(const joc_position *);                       /* of all that makes two positions the same */
bool joc_position_equal(const joc_position *, const joc_position *);
const char *joc_fault(const joc_position *);                            /* why a computation was given up (a budget ran out, naming the rule), or NULL */

/* Contents. A place is a cell or (from joc_game_cells on) a zone: place = cells + zone. Level 0 is the top piece of a stack, or the first piece of a zone. */
int joc_height(const joc_position *, int place);                        /* pieces there */
bool joc_piece(const joc_position *, int place, int level, int *owner, int *kind);      /* false if there is none; owner -1 neutral */
int64_t joc_piece_value(const joc_position *, int place, int level, int keep);          /* a keep of pieces */
int64_t joc_keep_value(const joc_position *, int keep, int of);         /* of: player, cell (or place), or 0 for the game. Cell values -1 if none */
size_t joc_dice_values(const joc_position *, int dice, int *values, size_t cap);        /* how many; 0 before any throw */

bool joc_set_has(const joc_position *, int set, int player, int cell);

/* Building a position. Each gives false if it does not fit (no room, out of range). */
void joc_set_mover(joc_position *, int player);
bool joc_put(joc_position *, int place, int owner, int kind);           /* on top */
void joc_clear(joc_position *, int place);
bool joc_set_piece_value(joc_position *, int place, int level, int keep, int64_t value);
bool joc_set_keep(joc_position *, int keep, int of, int64_t value);
void joc_set_turns(joc_position *, int turns);
bool joc_set_dice(joc_position *, int dice, const int *values, size_t count);         /* what the next roll of this dice shows */
bool joc_player_in(const joc_position *, int player);                   /* false: out of the game */
void joc_set_player_in(joc_position *, int player, bool in);
void joc_settle(joc_position *);                                        /* after building: derives what is derived, starts the history here */

/* Positions as bytes, for tables of very many. The history (`repeats`, `since`, `always`) and counters kept `aside` are left out; so is the number of
 * turns, as far as the rules do not tell it apart from others (`turns = 0`). Equal keys: the future is the same, up to what was left out. */
size_t joc_position_bytes(const joc_game *);                            /* the most that joc_position_save writes */
size_t joc_position_save(const joc_position *, void *bytes);            /* gives how many it wrote */
void joc_position_load(joc_position *, const void *bytes);
uint64_t joc_position_key(const joc_position *);
bool joc_game_remembers(const joc_game *);                              /* its rules ask for something that is left out */

/* One line that says everything of a position (the "state text" of docs/internals.md), for comparing engines. malloc'd. */
char *joc_state_text(const joc_position *);

/* ---- what a player sees (docs/secrets.md) -------------------------------------------------------------------------------------------- */
/* The position as `player` sees it: what he does not see is blanked (a piece's kind is then joc_game_kinds, named "?"). It can be drawn,
 * written and asked like any other, and is all that a player or a program playing for him may get. joc_moves_of a view lists his own moves,
 * if he decides now, and nothing otherwise; they are played on the position itself. A view cannot be played on or viewed again. */
joc_position *joc_view(const joc_position *, int player);
int joc_viewer(const joc_position *);                   /* whose view it is; -1: none's */

/* What has happened since the start (or since joc_settle), in games with secrets: of a view as that player was told it. Playouts
 * (joc_playout) leave no log behind them. */
typedef struct { int player; /* -1: chance */ char *text; /* malloc'd */ } joc_event;
size_t joc_log_count(const joc_position *);
joc_event joc_log_at(const joc_position *, size_t i);

/* A world in which the viewer would have seen all that he has seen: one out of those that the deals of chance make equally likely, whatever
 * others may have had in mind when they chose (docs/secrets.md says how). A position to play on; equal views and seeds give equal worlds.
 * NULL if the record does not begin at the start of the game, or none was found within bounds. */
joc_position *joc_redeal(const joc_position *view, uint64_t seed);

/* ---- decisions ----------------------------------------------------------------------------------------------------------------------- */
typedef struct joc_moves joc_moves;
typedef struct joc_move joc_move;       /* belongs to its list */

/* All moves of the player to decide (merged as docs/language.md, "Same move"), in a fixed order; or the outcomes of a chance event. */
joc_moves *joc_moves_of(const joc_position *);
void joc_moves_free(joc_moves *);
size_t joc_moves_count(const joc_moves *);
const joc_move *joc_moves_at(const joc_moves *, size_t i);
const char *joc_move_text(const joc_move *);                            /* canonical notation, unique in its list */
uint64_t joc_move_choices(const joc_move *);                            /* a number that moves share which are chosen alike, wherever they are made */
uint64_t joc_move_weight(const joc_move *);                             /* outcomes of chance: the probability is weight / total weight */
uint64_t joc_moves_weight(const joc_moves *);
size_t joc_move_cells(const joc_move *, int *cells, size_t cap);        /* the places it names, in order: where from, landings, picks */

/* Finds the move a person typed: exact text, else any unambiguous shorter form. NULL if none or several fit; then *why (malloc'd) says so in a
 * sentence: unknown cell, not your piece, must capture, would leave the king in check (the label), several moves fit: ... */
const joc_move *joc_moves_find(const joc_moves *, const char *text, char **why);

void joc_play(joc_position *, const joc_move *);                        /* the move must come from this position's list */

/* ---- why ------------------------------------------------------------------------------------------------------------------------------- */
/* Why a move is legal or not, from the rules themselves (docs/why.md). */
typedef struct joc_why joc_why;
typedef struct {
    const char *kind;                   /* "rule" who makes it or would; "condition" "filter" "landing" "way" "drop" "pick" "else" "stop" "prefer" "empty" what stands
                                           against it; "leads" a leg that does not lead there; "passed" a filter it passed; "fact" anything else */
    const char *text;                   /* a sentence */
    const char *rule;                   /* the rule's name, "" none */
    const char *words;                  /* what the rule file says there, "" nothing */
    const char *path;                   /* where; "" nowhere */
    unsigned line, column;
    const int *places;                  /* cells (and zones) that the sentence is about */
    size_t place_count;
} joc_reason;
joc_why *joc_why_move(const joc_position *, const char *move);
void joc_why_free(joc_why *);
bool joc_why_legal(const joc_why *);
const char *joc_why_title(const joc_why *);                             /* "e1-g1 is not legal" */
const char *joc_why_text(const joc_why *);                              /* the move as it is written, if it is legal; as it was typed otherwise */
size_t joc_why_count(const joc_why *);
joc_reason joc_why_at(const joc_why *, size_t i);

/* ---- looking deeper ------------------------------------------------------------------------------------------------------------------- */
/* What only playing shows: dead ends, decisions that cost too much, games that do not end (warnings), rules never part of a move and ends that
 * never came (notes). Looks at so many positions, or as long as so many seconds of processor time. */
typedef struct {
    uint64_t positions, games, unfinished, stuck;
    int depth;                          /* all games were followed so deep */
    char *game;                         /* the shortest game found that ends in a dead end or a runaway, "a; b; c"; NULL if none did */
    size_t length;
    bool runaway;
} joc_deep;
void joc_deep_look(const joc_game *, uint64_t positions, double seconds, joc_messages *, joc_deep *out, const volatile bool *stop);
void joc_deep_free(joc_deep *);

/* ---- many games ------------------------------------------------------------------------------------------------------------------------ */
typedef struct joc_random { uint64_t s[4]; } joc_random;
joc_random joc_random_seed(uint64_t seed);
uint64_t joc_random_next(joc_random *);
uint64_t joc_random_below(joc_random *, uint64_t n);                    /* unbiased */

/* One random decision (uniform over the legal moves; chance by its weights). False if the game is over or stuck. */
bool joc_play_random(joc_position *, joc_random *);
/* Plays on at random until the end, or until `cap` more decisions were made. Gives the number of decisions made. */
uint64_t joc_playout(joc_position *, joc_random *, uint64_t cap);

typedef struct { bool turns, paths, play_on, count_chance; } joc_perft_how;
/* The number of sequences of `depth` decisions (docs/language.md, perft). `stop`, if not NULL, is looked at now and then: when true, gives what it has. */
uint64_t joc_perft(const joc_position *, int depth, joc_perft_how, const volatile bool *stop);

typedef struct {
    uint64_t games, decisions, turns, unfinished, draws, stuck;
    uint64_t wins[16];                  /* per player */
    uint64_t shortest, longest;         /* in decisions */
    double decisions_square;            /* sum of squares, for deviations */
    uint64_t choices, counted;          /* sum of the numbers of moves at so many of the decisions (0 if not counted) */
    char fault[320];                    /* of the games that are stuck, why the first was given up; "" if rules alone stopped them */
    uint64_t fault_seed;                /* its seed */
} joc_tally;
/* `games` random games from the start, game i seeded by seed + i, each at most `cap` decisions and throws (of which only decisions are counted): results do not depend on how games are divided among calls.
 * Choices are counted in every so many-th game (0: in none): listing them is what random play spares itself. */
void joc_playouts(const joc_game *, uint64_t games, uint64_t seed, uint64_t cap, unsigned count_every, joc_tally *, const volatile bool *stop);

/* ---- symmetry ---------------------------------------------------------------------------------------------------------------------------- */
/* How one side is made of the other: the way to turn the board under which board, named sets and set-up come nearest to being each other's
 * image, each player being turned into the next. `break_count` 0: they are. `rules`: nothing in the rules tells the sides apart but, perhaps, the
 * order of cells. `tried`: so many positions of random games had the images of their moves at their image (tried only if nothing broke it before). */
typedef struct {
    const char *turn;
    bool rules;
    size_t cells, sets, pieces, tried;
    char **breaks; size_t break_count;  /* sentences */
} joc_symmetry;
joc_symmetry *joc_symmetry_of(const joc_game *, int positions);         /* NULL: there is no way to speak of; one player, no board, a map */
void joc_symmetry_free(joc_symmetry *);

/* ---- text of positions ------------------------------------------------------------------------------------------------------------------ */
/* The notation of docs/language.md section 7 (FEN board for one-piece grids, mover, zones, keeps), or what a notation file beside the game
 * declares (docs/notation.md). malloc'd. */
char *joc_position_text(const joc_position *);
/* Reads either, or the drawn form of joc_drawing. NULL with messages. */
joc_position *joc_position_parse(const joc_game *, const char *text, joc_messages *m);

typedef struct { bool colour, ascii; int width; } joc_look;
/* The position drawn for a terminal. malloc'd. */
char *joc_drawing(const joc_position *, joc_look);

/* ---- tests written in rule files ---------------------------------------------------------------------------------------------------------- */
typedef struct { uint64_t tests, checks, failed; } joc_test_count;
/* Runs the `test` blocks; `report` is called for each failed check: where, which test, what. */
joc_test_count joc_test(const joc_rules *, void (*report)(void *, const char *path, unsigned line, unsigned column, const char *test, const char *text), void *with, joc_messages *m);

/* The same, and what of the rules the tests never exercised; `covered` is the caller's, NULL if the rules have errors. */
typedef struct joc_coverage joc_coverage;
typedef struct {
    const char *kind;                   /* "rule": part of no move that a test names; "held", "failed": a condition that never did */
    const char *rule, *words;           /* the rule it stands in, "" none; the first line of what the file says there */
    const char *path;
    unsigned line, column;
    bool listed;                        /* a rule that was listed among the moves, at least */
} joc_gap;
joc_test_count joc_test_covered(const joc_rules *, void (*report)(void *, const char *path, unsigned line, unsigned column, const char *test, const char *text), void *with, joc_messages *m, joc_coverage **covered);
void joc_coverage_free(joc_coverage *);
size_t joc_coverage_rules(const joc_coverage *, size_t *made);          /* how many rules there are, and how many were made */
size_t joc_coverage_conditions(const joc_coverage *, size_t *both);     /* how many conditions, and how many held once and once did not */
size_t joc_coverage_gaps(const joc_coverage *);
joc_gap joc_coverage_gap(const joc_coverage *, size_t i);               /* in the order of the file */
#endif
