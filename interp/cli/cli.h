/* The joc command: one table of commands, one of options, and what commands share.
 *
 * --help, errors of use, the man page and the shell completion are printed from the two tables (table.c), so they cannot disagree. A command
 * is a function from what was asked to an exit code. */
#ifndef JOC_CLI_CLI_H
#define JOC_CLI_CLI_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "interp/formats/options.h"
#include "interp/joc.h"
#include "interp/play/seat.h"

enum { EXIT_DONE = 0, EXIT_FAULTS = 1, EXIT_USE = 2, EXIT_SYSTEM = 3, EXIT_INTERRUPTED = 130 };

typedef enum {
    COMMAND_LIST, COMMAND_NEW, COMMAND_CHECK, COMMAND_FMT, COMMAND_OPTIONS, COMMAND_SHOW, COMMAND_MOVES, COMMAND_PERFT, COMMAND_SIM,
    COMMAND_SOLVE, COMMAND_PLAY,
    COMMAND_REPLAY, COMMAND_DIFF,
    COMMAND_TEST, COMMAND_TABLES, COMMAND_EXPLAIN, COMMAND_WHY, COMMAND_COUNT
} command_id;

/* What the command line said. Texts belong to argv. */
typedef struct {
    command_id command;
    const char **words;         /* what is no option */
    size_t word_count;
    joc_setting *settings;      /* --option NAME=VALUE; names are malloc'd */
    size_t setting_count;
    const char **houses, **presets;
    size_t house_count, preset_count;
    const char **seats;         /* NAME=SPEC */
    size_t seat_count;
    const char *at, *line, *as, *save, *from, *to;
    int players;                /* 0: the least */
    uint64_t budget, seconds;           /* of --deep; 0: as usual */
    uint64_t seed, games, cap, jobs, memory;        /* memory in megabytes */
    bool seed_given, cap_given, games_given;
    bool json, coverage, deep, symmetry, strict, check, brackets, divide, turns, paths, play_on, chance, scores, search, real_dice, text, notation, ascii, help;
    bool native;                /* --native, or JOC_NATIVE=yes */
    bool schema, anyway, step, verify, list;
} asked;

typedef int (*command_function)(asked *);
typedef struct {
    const char *name, *words, *summary;         /* `words`: what follows the name in the usage line */
    size_t least, most;                         /* how many words */
    const char *example, *example_says;
    const char *about;                          /* further sentences for --help and the manual */
    command_function run;
} command;
extern const command commands[COMMAND_COUNT];

/* table.c */
bool asked_parse(int argc, char **argv, asked *, int *code);            /* false: `*code` is how the program ends */
void asked_free(asked *);
void help_print(void);
void help_command(const command *, FILE *);
void man_print(void);
void completion_print(void);
int use_error(const asked *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* session.c: rules, game and position as asked */
typedef struct {
    joc_messages *messages;
    joc_rules *rules;
    joc_game *game;
    joc_position *position;
    choices chosen;            /* of house files, --preset and --option, the later over the earlier */
    char *table;                /* what the last house file calls its rules; NULL */
} session;
/* Loads a game by its file or name, or a house file with the game it names (whose options are then chosen). */
bool session_open(session *, const asked *, const char *name, int *code);
bool session_rules(session *, asked *, int *code);                       /* the same of a->words[0] */
/* Chooses an option or preset as a person typed it; false with `*code` after a message. */
bool session_choose(session *, const asked *, const char *name, const char *value, int *code);
bool session_preset(session *, const asked *, const char *name, int *code);
bool session_choose_all(session *, const asked *, int *code);           /* what --house, --preset and --option say */
bool session_players(session *, const asked *, int *code);              /* may so many play? */
bool session_compile(session *, const asked *, int *code);
bool session_game(session *, asked *, int *code);                        /* and compiles it */
/* Compiles a machine for the game, if that is asked for, and says on stderr why not, if it cannot be. False if that was interrupted. */
bool session_native(session *, const asked *, int *code);
bool session_position(session *, asked *, int *code);                    /* and makes the position of --at and --line */
void session_free(session *);
/* Prints what was queued: to stderr, or (with --json) as one JSON value on stdout. Gives `code`. */
int session_fail(session *, const asked *, int code);
int session_error(const asked *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));       /* the same of one sentence */
void session_warn(session *);                                           /* warnings to stderr */

/* What `game:` of a YAML file says; NULL if nothing. malloc'd. */
char *game_named(const char *path);
/* The path of the rules that a file beside them names: NAME.joc in its folder, else the name itself. malloc'd. */
char *path_beside(const char *path, const char *game);
joc_rules *rules_beside(const char *path, const char *game, joc_messages *);
bool ends_with(const char *s, const char *end);

/* record.c: the game of a match record, as it was when the match was played */
typedef struct match match;
/* Opens the rules that the record names (or a->words[0]) under its options, and refuses them, naming what has changed, unless --anyway. */
bool record_open(session *, asked *, const match *, const char *path, int *code);

/* report.c */
json_t *json_answer(const asked *);                                     /* { "format": 1, "command": ... } */
json_t *json_messages(const joc_messages *);
json_t *position_json(const joc_position *);                            /* the fields of a position (docs/cli.md) */
int fault_said(const joc_position *, int code);                          /* show.c: what made a computation be given up, on standard error; the exit code then */
json_t *json_text(const char *);                                        /* "" for NULL; never fails */
int json_print(json_t *answer, int code);                               /* prints and frees; EXIT_SYSTEM if it could not be written */
void messages_print(const joc_messages *);                              /* on stderr, in colour if it is a terminal */
bool colour_on(int fd);
int terminal_width(void);                                               /* of stdout; 0 if it is no terminal */
bool terminal_ascii(const asked *);
joc_look look_of(const asked *);
char *share_text(uint64_t weight, uint64_t of);                         /* a fraction in lowest terms; malloc'd */
int finish(int code);                                                   /* flushes stdout; EXIT_SYSTEM if that fails */

typedef struct { bool on; double started, shown; const char *what; } progress;
progress progress_start(const char *what);
void progress_show(progress *, uint64_t done, uint64_t of);             /* now and then; `of` 0: unknown */
void progress_end(progress *);
double seconds_now(void);

extern volatile bool interrupted;
void catch_interrupts(void);            /* Ctrl-C sets `interrupted`; a second one ends the program */

/* commands */
int command_list(asked *);
int command_new(asked *);
int command_check(asked *);
int command_fmt(asked *);
int command_options(asked *);
int command_show(asked *);
int command_moves(asked *);
int command_perft(asked *);
int command_sim(asked *);
int command_solve(asked *);
int command_play(asked *);
int command_test(asked *);
int command_tables(asked *);
int command_explain(asked *);
int command_replay(asked *);
int command_why(asked *);
int command_diff(asked *);

void why_print(const joc_why *, FILE *);

/* Fills `seats` (one per player) from --seat; a name alone for all is NAME "all". False with a message on stderr. */
bool seats_of(const asked *, const joc_game *, seat *seats);
#endif
