/* The tables of commands and options, and all that is printed from them. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "grammar/diag.h"
#include "interp/cli/cli.h"
#include "interp/play/text.h"

/* ---- commands ----------------------------------------------------------------------------------------------------------------------- */
#define ANY_NUMBER 100000

const command commands[COMMAND_COUNT] = {
    [COMMAND_LIST] = { "list", "", "the installed games", 0, 0, "joc list", "name, title, players, board and a line on each",
        "", command_list },
    [COMMAND_NEW] = { "new", "NAME", "write a commented rule file to start from", 1, 1, "joc new mygame", "writes mygame.joc, which checks clean",
        "With --from the file is a variant of that game. A file that exists is never overwritten.", command_new },
    [COMMAND_CHECK] = { "check", "FILE...", "say everything that is wrong with rule files, house files and match records", 1, ANY_NUMBER,
        "joc check mygame.joc", "prints all faults at once; ends with 1 if there are errors",
        "Files are rule files (.joc), house files (.house.yaml), notation files (.notation.yaml) or match records (any other .yaml).", command_check },
    [COMMAND_FMT] = { "fmt", "FILE...", "put rule files into the one layout", 1, ANY_NUMBER, "joc fmt --check mygame.joc",
        "ends with 1 if the layout is another", "Files are rewritten in place; comments are kept. '-' reads standard input and writes standard output.", command_fmt },
    [COMMAND_OPTIONS] = { "options", "GAME", "the options of a game: values, default, meaning", 1, 1, "joc options hex", "lists what --option and --preset can choose",
        "Values are those chosen by a house file, --preset and --option.", command_options },
    [COMMAND_SHOW] = { "show", "GAME", "draw a position", 1, 1, "joc show hex --option size=5 --line \"a1 c3\"", "the board after two moves",
        "--text prints the drawing that --at reads back; --notation only the position as one line of text.", command_show },
    [COMMAND_MOVES] = { "moves", "GAME", "the legal moves, one a line", 1, 1, "joc moves hex --line \"a1\"", "what can be played after a1",
        "Where chance decides, the outcomes, each with its exact probability as a fraction.", command_moves },
    [COMMAND_PERFT] = { "perft", "GAME DEPTH", "count the sequences of so many decisions", 2, 2, "joc perft hex 3", "a line 'depth nodes' for each depth",
        "Chance is followed in all its distinct outcomes; it is no ply, unless --chance is given.", command_perft },
    [COMMAND_SIM] = { "sim", "GAME", "play many games and count", 1, 1, "joc sim hex --games 1000 -j 2", "how often each player wins at random play, and how long games are",
        "Without --seat everybody plays at random. Results depend on the seed, not on the number of jobs.", command_sim },
    [COMMAND_SOLVE] = { "solve", "GAME", "exact values: what a position is worth if both play best", 1, 1, "joc solve pig --option goal=10",
        "the chance of winning of who begins, and what each of his choices is worth",
        "For games of one or two players without secrets whose positions fit into memory; chance is followed exactly. Values are chances of winning, "
        "a draw counting one half, or with --scores expected differences of scores. Without chance, endless play is a draw. For one player, or where "
        "nobody chooses, also the expected number of turns and throws.", command_solve },
    [COMMAND_PLAY] = { "play", "[GAME]", "play at the terminal", 0, 1, "joc play hex --seat Blue=mcts:seconds=1 --save game.yaml",
        "against the computer, with a record that --from goes on from",
        "Type a move as `joc moves` lists it, or its beginning; Tab completes. `help` lists what else can be typed.", command_play },
    [COMMAND_REPLAY] = { "replay", "FILE", "play a recorded match again: verify it, look at any position, step through it", 1, 1, "joc replay game.yaml --to 12",
        "the position after twelve moves", "Without an option at a terminal it steps: Enter or `next`, `back`, a number, `first`, `last`, `moves`, `quit`.", command_replay },
    [COMMAND_DIFF] = { "diff", "A B", "what differs between two sets of rules, by declaration and by behaviour", 2, 2, "joc diff hex hex:size=5",
        "the first position where the moves or results differ; ends with 1 if anything does",
        "A side is a game, a house file, or a game with options and presets behind a colon: go:beginner,ko=simple.", command_diff },
    [COMMAND_TEST] = { "test", "FILE...", "run the tests written in rule files", 1, ANY_NUMBER, "joc test mygame.joc", "ends with 1 if a check fails", "", command_test },
    [COMMAND_TABLES] = { "tables", "GAME", "the compiled tables, readable", 1, 1, "joc tables hex", "what the machine runs", "", command_tables },
    [COMMAND_EXPLAIN] = { "explain", "CODE", "what a message means, with a wrong and a right example", 1, 1, "joc explain E0101", "", "", command_explain },
    [COMMAND_WHY] = { "why", "GAME MOVE", "why a move is legal, or why not", 2, ANY_NUMBER, "joc why chess --line \"e2-e4 e7-e5\" e4-e5", "which rule would make it, and what stands in its way",
        "Names the rule and its line, the condition that does not hold and the cells it is about. At the prompt of `joc play`: `why MOVE`.", command_why },
};

/* ---- options ------------------------------------------------------------------------------------------------------------------------ */
#define ON(c) (1u << COMMAND_##c)
#define GAMES_ALL (ON(SHOW) | ON(MOVES) | ON(PERFT) | ON(SIM) | ON(SOLVE) | ON(PLAY) | ON(TABLES) | ON(WHY))
#define POSITIONS (ON(SHOW) | ON(MOVES) | ON(PERFT) | ON(SOLVE) | ON(WHY))
#define REPORTS (ON(LIST) | ON(CHECK) | ON(OPTIONS) | ON(SHOW) | ON(MOVES) | ON(PERFT) | ON(SIM) | ON(SOLVE) | ON(TEST) | ON(EXPLAIN) | ON(WHY) | RECORDS)
#define RECORDS (ON(REPLAY) | ON(DIFF))
#define PLAYED (ON(PERFT) | ON(SIM) | ON(SOLVE) | ON(PLAY))
#define EVERY ((1u << COMMAND_COUNT) - 1)

typedef enum {
    OPTION_OPTION, OPTION_PRESET, OPTION_HOUSE, OPTION_PLAYERS, OPTION_AT, OPTION_LINE, OPTION_AS, OPTION_SEED, OPTION_GAMES, OPTION_JOBS, OPTION_CAP, OPTION_SEAT,
    OPTION_NATIVE, OPTION_INTERPRETED, OPTION_SAVE, OPTION_FROM, OPTION_FROM_GAME, OPTION_DIVIDE, OPTION_TURNS, OPTION_PATHS, OPTION_PLAY_ON, OPTION_CHANCE, OPTION_DICE, OPTION_SCORES, OPTION_SEARCH, OPTION_MEMORY, OPTION_TEXT, OPTION_NOTATION,
    OPTION_SCHEMA, OPTION_ANYWAY, OPTION_TO, OPTION_STEP, OPTION_VERIFY, OPTION_MOVES,
    OPTION_ASCII, OPTION_COVERAGE, OPTION_DEEP, OPTION_BUDGET, OPTION_SECONDS, OPTION_SYMMETRY, OPTION_STRICT, OPTION_CHECK, OPTION_BRACKETS, OPTION_JSON, OPTION_HELP, OPTION_COUNT
} option_id;

typedef struct { const char *name; char letter; const char *value, *meaning; uint32_t commands; } option;

static const option options[OPTION_COUNT] = {
    [OPTION_OPTION] = { "option", 'o', "NAME=VALUE", "sets an option of the game; may be given again", GAMES_ALL | ON(OPTIONS) },
    [OPTION_PRESET] = { "preset", 0, "NAME", "chooses a preset of the game; may be given again", GAMES_ALL | ON(OPTIONS) },
    [OPTION_HOUSE] = { "house", 0, "FILE", "sets the options of a house file; may be given again", GAMES_ALL | ON(OPTIONS) },
    [OPTION_PLAYERS] = { "players", 0, "N", "how many play; the least number otherwise", GAMES_ALL | ON(DIFF) },
    [OPTION_AT] = { "at", 0, "POS|@FILE", "begins at a position: a text, a drawing, or a file with one", POSITIONS | ON(PLAY) },
    [OPTION_LINE] = { "line", 0, "MOVES", "plays moves first, separated by spaces or ';'", POSITIONS },
    [OPTION_AS] = { "as", 0, "PLAYER", "only what this player sees (docs/secrets.md)", ON(SHOW) | ON(MOVES) },
    [OPTION_SEED] = { "seed", 0, "N", "seed of chance, and of the computer's players", POSITIONS | ON(SIM) | ON(PLAY) | ON(DIFF) },
    [OPTION_GAMES] = { "games", 'n', "N", "how many games (1000)", ON(SIM) | ON(DIFF) },
    [OPTION_JOBS] = { "jobs", 'j', "N", "how many run at once (one for each processor)", ON(SIM) },
    [OPTION_CAP] = { "cap", 0, "N", "decisions after which a game counts as unfinished (10000)", ON(SIM) },
    [OPTION_SEAT] = { "seat", 0, "PLAYER=WHO", "who plays: human, random, mcts, mcts:visits=N, mcts:seconds=S; PLAYER 'all' for everybody", ON(SIM) | ON(PLAY) },
    [OPTION_NATIVE] = { "native", 0, NULL, "compiles a machine for this game alone first: slower to begin, then faster (docs/native.md)", PLAYED },
    [OPTION_INTERPRETED] = { "interpreted", 0, NULL, "compiles none, whatever JOC_NATIVE says", PLAYED },
    [OPTION_SAVE] = { "save", 0, "FILE", "writes the record after every move", ON(PLAY) },
    [OPTION_FROM] = { "from", 0, "FILE", "goes on with a recorded match", ON(PLAY) },
    [OPTION_FROM_GAME] = { "from", 0, "GAME", "makes a variant of this game", ON(NEW) },
    [OPTION_DIVIDE] = { "divide", 0, NULL, "counts behind each first move", ON(PERFT) },
    [OPTION_TURNS] = { "turns", 0, NULL, "depth in whole turns", ON(PERFT) },
    [OPTION_PATHS] = { "paths", 0, NULL, "every path of a move counts", ON(PERFT) },
    [OPTION_PLAY_ON] = { "play-on", 0, NULL, "draws and ends by score are ignored", ON(PERFT) },
    [OPTION_CHANCE] = { "chance", 0, NULL, "chance events count as plies, too", ON(PERFT) },
    [OPTION_DICE] = { "dice", 0, "real|drawn", "real: people throw their own dice and type what they show (drawn from the seed)", ON(PLAY) },
    [OPTION_SCORES] = { "scores", 0, NULL, "values are differences of scores, not chances of winning", ON(SOLVE) },
    [OPTION_SEARCH] = { "search", 0, NULL, "looks only at what the value depends on: for larger games without chance", ON(SOLVE) },
    [OPTION_MEMORY] = { "memory", 0, "MB", "the memory it may take, in megabytes (1024)", ON(SOLVE) },
    [OPTION_TEXT] = { "text", 0, NULL, "the drawing without colour and whatever the terminal's width", ON(SHOW) },
    [OPTION_NOTATION] = { "notation", 0, NULL, "the position as one line of text", ON(SHOW) },
    [OPTION_ASCII] = { "ascii", 0, NULL, "draws with ASCII characters only", ON(SHOW) | ON(PLAY) | ON(REPLAY) },
    [OPTION_DEEP] = { "deep", 0, NULL, "also plays: dead ends, runaways, rules never used, ends that never come", ON(CHECK) },
    [OPTION_COVERAGE] = { "coverage", 0, NULL, "also says which rules and conditions the tests never exercise", ON(TEST) },
    [OPTION_BUDGET] = { "budget", 0, "N", "how many positions --deep looks at (40000)", ON(CHECK) },
    [OPTION_SECONDS] = { "seconds", 0, "N", "how long --deep looks at most, in processor time (10)", ON(CHECK) },
    [OPTION_SYMMETRY] = { "symmetry", 0, NULL, "also says whether the sides are each other's image, or what breaks it", ON(CHECK) },
    [OPTION_STRICT] = { "strict", 0, NULL, "ends with 1 for warnings, too", ON(CHECK) },
    [OPTION_CHECK] = { "check", 0, NULL, "changes nothing; ends with 1 if something would change", ON(FMT) },
    [OPTION_BRACKETS] = { "brackets", 0, NULL, "prints the file with every bracket that was understood", ON(FMT) },
    [OPTION_SCHEMA] = { "schema", 0, NULL, "prints the JSON Schema (as YAML) of house files for this game", ON(OPTIONS) },
    [OPTION_ANYWAY] = { "anyway", 0, NULL, "though the rules have changed since the record was written", ON(PLAY) | ON(REPLAY) },
    [OPTION_TO] = { "to", 0, "N", "the position after N moves", ON(REPLAY) },
    [OPTION_STEP] = { "step", 0, NULL, "steps through the match, with commands from standard input", ON(REPLAY) },
    [OPTION_VERIFY] = { "verify", 0, NULL, "only verifies; says nothing if all is well", ON(REPLAY) },
    [OPTION_MOVES] = { "moves", 0, NULL, "lists the moves, with their times", ON(REPLAY) },
    [OPTION_JSON] = { "json", 0, NULL, "the answer as one JSON value (docs/cli.md)", REPORTS },
    [OPTION_HELP] = { "help", 'h', NULL, "this help", EVERY },
};

static bool takes(command_id c, option_id o) { return (options[o].commands & (1u << c)) != 0; }

/* ---- help --------------------------------------------------------------------------------------------------------------------------- */
void help_print(void) {
    puts("joc: rules of board games, checked, explained and played\n\nusage: joc COMMAND ...\n");
    for (int c = 0; c < COMMAND_COUNT; c++) {
        char head[40];
        snprintf(head, sizeof head, "%s %s", commands[c].name, commands[c].words);
        printf("  %-18s %s\n", head, commands[c].summary);
    }
    puts("\nGAME is a rule file, the name of an installed game, or a house file. `joc COMMAND --help` tells more. Exit codes: 0 done, 1 the input has faults,\n"
         "2 wrong use, 3 a file or system error, 130 interrupted. NO_COLOR turns colour off.");
}

void help_command(const command *c, FILE *out) {
    command_id id = (command_id)(c - commands);
    fprintf(out, "usage: joc %s%s%s [options]\n\n%s\n", c->name, *c->words ? " " : "", c->words, c->summary);
    if (*c->about) fprintf(out, "%s\n", c->about);
    fputs("\noptions:\n", out);
    for (int o = 0; o < OPTION_COUNT; o++) {
        if (!takes(id, (option_id)o)) continue;
        char head[64], letter[8] = "    ";
        if (options[o].letter) snprintf(letter, sizeof letter, "-%c, ", options[o].letter);
        snprintf(head, sizeof head, "%s--%s%s%s", letter, options[o].name, options[o].value ? " " : "", options[o].value ? options[o].value : "");
        fprintf(out, "  %-28s %s\n", head, options[o].meaning);
    }
    fprintf(out, "\nexample:\n  %s\n", c->example);
    if (*c->example_says) fprintf(out, "      %s\n", c->example_says);
}

static void man_text(const char *s) {
    for (; *s; s++) {
        if (*s == '-') fputs("\\-", stdout);
        else if (*s == '\\') fputs("\\e", stdout);
        else putchar(*s);
    }
}

static void man_command(command_id c) {
    fputs(".SS \"", stdout);
    man_text(commands[c].name);
    if (*commands[c].words) putchar(' '), man_text(commands[c].words);
    puts("\"");
    man_text(commands[c].summary);
    puts(".");
    if (*commands[c].about) man_text(commands[c].about), puts("");
    for (int o = 0; o < OPTION_COUNT - 1; o++) {
        if (!takes(c, (option_id)o)) continue;
        fputs(".TP\n", stdout);
        if (options[o].letter) printf("\\fB\\-%c\\fR, ", options[o].letter);
        fputs("\\fB\\-\\-", stdout), man_text(options[o].name), fputs("\\fR", stdout);
        if (options[o].value) fputs(" \\fI", stdout), man_text(options[o].value), fputs("\\fR", stdout);
        putchar('\n');
        man_text(options[o].meaning);
        putchar('\n');
    }
    fputs(".PP\nExample: \\fB", stdout), man_text(commands[c].example), fputs("\\fR", stdout);
    if (*commands[c].example_says) fputs(": ", stdout), man_text(commands[c].example_says);
    putchar('\n');
}

void man_print(void) {
    puts(".TH JOC 1 \"\" \"joc " JOC_VERSION "\" \"User Commands\"\n.SH NAME\njoc \\- rules of board games, checked, explained and played\n"
         ".SH SYNOPSIS\n\\fBjoc\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] ...\n.SH DESCRIPTION\n"
         "A rule file says what a board, its pieces and a turn are. \\fBjoc\\fR checks rule files, plays by them and counts with them.\n"
         "\\fIGAME\\fR is a rule file, the name of an installed game, or a house file with the game it names.\n.SH COMMANDS");
    for (int c = 0; c < COMMAND_COUNT; c++) man_command((command_id)c);
    puts(".SH POSITIONS\n\\fIPOS\\fR is a position in the game's text notation, or a drawing as \\fBjoc show \\-\\-text\\fR prints it; \\fB@FILE\\fR reads it from a file.\n"
         ".SH EXIT STATUS\n0 done; 1 the input has faults; 2 wrong use of the command; 3 a file or system error; 130 interrupted.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nif set and not empty, nothing is coloured.\n.TP\n\\fBCOLUMNS\\fR\nthe width of the terminal, where it cannot be asked.\n"
         ".TP\n\\fBJOC_NATIVE\\fR\n\\fByes\\fR: as if \\fB\\-\\-native\\fR were given.\n.TP\n\\fBCC\\fR\nthe C compiler that \\fB\\-\\-native\\fR uses, with its words; \\fBcc\\fR otherwise.\n"
         ".TP\n\\fBXDG_CACHE_HOME\\fR\nwhere compiled machines are kept, in \\fIjoc/\\fR; \\fI~/.cache\\fR otherwise.\n"
         ".SH FILES\nGames are looked for as given, then in \\fIgames/\\fR beside the binary's tree, then in the installed data folder.");
}

void completion_print(void) {
    puts("# bash completion for joc; printed by `joc --completion`\n_joc() {\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} opts=");
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"help", stdout);
    for (int c = 0; c < COMMAND_COUNT; c++) printf(" %s", commands[c].name);
    puts("\" -- \"$cur\")); return; fi\n    case $prev in --house|--save|--from|--at) COMPREPLY=($(compgen -f -- \"$cur\")); return ;; esac\n    case $cmd in");
    for (int c = 0; c < COMMAND_COUNT; c++) {
        printf("    %s) opts=\"", commands[c].name);
        for (int o = 0, some = 0; o < OPTION_COUNT; o++)
            if (takes((command_id)c, (option_id)o)) printf("%s--%s", some++ ? " " : "", options[o].name);
        puts("\" ;;");
    }
    puts("    esac\n    case $cur in -*) COMPREPLY=($(compgen -W \"$opts\" -- \"$cur\")); return ;; esac\n"
         "    COMPREPLY=($(compgen -W \"$(joc list 2>/dev/null | awk '{ print $1 }')\" -- \"$cur\") $(compgen -f -X '!*.@(joc|yaml)' -- \"$cur\"))\n}\n"
         "complete -o filenames -F _joc joc");
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------------------ */
int use_error(const asked *a, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "joc %s: ", commands[a->command].name);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\nusage: joc %s %s [options]; `joc %s --help` tells more\n", commands[a->command].name, commands[a->command].words, commands[a->command].name);
    return EXIT_USE;
}

static int no_command(const char *word) {
    const char *names[COMMAND_COUNT];
    for (int c = 0; c < COMMAND_COUNT; c++) names[c] = commands[c].name;
    const char *near = nearest_word(word, names, COMMAND_COUNT);
    fprintf(stderr, "joc: no command '%s'", word);
    if (near) fprintf(stderr, "; did you mean '%s'?", near);
    fputs("\n`joc --help` lists the commands\n", stderr);
    return EXIT_USE;
}

static bool number_value(const asked *a, option_id o, const char *s, uint64_t least, uint64_t most, uint64_t *out, int *code) {
    char *end;
    errno = 0;
    uint64_t n = strtoull(s, &end, 10);
    if (*s >= '0' && *s <= '9' && !*end && !errno && n >= least && n <= most) {
        *out = n;
        return true;
    }
    *code = use_error(a, "--%s wants a whole number from %llu to %llu, not '%s'", options[o].name, (unsigned long long)least, (unsigned long long)most, s);
    return false;
}

static bool setting_value(asked *a, const char *s, int *code) {
    const char *equals = strchr(s, '=');
    if (!equals || equals == s) {
        *code = use_error(a, "--option wants NAME=VALUE, not '%s'", s);
        return false;
    }
    char *name = strndup(s, (size_t)(equals - s));
    if (!name) abort();
    a->settings[a->setting_count++] = (joc_setting){ name, equals + 1 };
    return true;
}

static bool seat_value(asked *a, const char *s, int *code) {
    if (strchr(s, '=')) {
        a->seats[a->seat_count++] = s;
        return true;
    }
    *code = use_error(a, "--seat wants PLAYER=WHO, not '%s'", s);
    return false;
}

static bool dice_value(asked *a, const char *s, int *code) {
    a->real_dice = !strcmp(s, "real");
    if (a->real_dice || !strcmp(s, "drawn")) return true;
    *code = use_error(a, "--dice is real or drawn, not '%s'", s);
    return false;
}

static bool option_apply(asked *a, option_id o, const char *s, int *code) {
    uint64_t n = 0;
    switch (o) {
    case OPTION_OPTION: return setting_value(a, s, code);
    case OPTION_PRESET: a->presets[a->preset_count++] = s; return true;
    case OPTION_HOUSE: a->houses[a->house_count++] = s; return true;
    case OPTION_PLAYERS:
        if (!number_value(a, o, s, 1, 16, &n, code)) return false;
        a->players = (int)n;
        return true;
    case OPTION_AT: a->at = s; return true;
    case OPTION_LINE: a->line = s; return true;
    case OPTION_AS: a->as = s; return true;
    case OPTION_SEED: a->seed_given = true; return number_value(a, o, s, 0, UINT64_MAX, &a->seed, code);
    case OPTION_GAMES: a->games_given = true; return number_value(a, o, s, 1, 1000000000000u, &a->games, code);
    case OPTION_JOBS: return number_value(a, o, s, 1, 256, &a->jobs, code);
    case OPTION_CAP: a->cap_given = true; return number_value(a, o, s, 1, 1000000000, &a->cap, code);
    case OPTION_COVERAGE: a->coverage = true; return true;
    case OPTION_BUDGET: return number_value(a, o, s, 1, 1000000000, &a->budget, code);
    case OPTION_SECONDS: return number_value(a, o, s, 1, 1000000, &a->seconds, code);
    case OPTION_SEAT: return seat_value(a, s, code);
    case OPTION_NATIVE: a->native = true; return true;
    case OPTION_INTERPRETED: a->native = false; return true;
    case OPTION_SAVE: a->save = s; return true;
    case OPTION_FROM: case OPTION_FROM_GAME: a->from = s; return true;
    case OPTION_DIVIDE: a->divide = true; return true;
    case OPTION_TURNS: a->turns = true; return true;
    case OPTION_PATHS: a->paths = true; return true;
    case OPTION_PLAY_ON: a->play_on = true; return true;
    case OPTION_CHANCE: a->chance = true; return true;
    case OPTION_DICE: return dice_value(a, s, code);
    case OPTION_SCORES: a->scores = true; return true;
    case OPTION_SEARCH: a->search = true; return true;
    case OPTION_MEMORY: return number_value(a, o, s, 1, 1000000, &a->memory, code);
    case OPTION_TEXT: a->text = true; return true;
    case OPTION_NOTATION: a->notation = true; return true;
    case OPTION_ASCII: a->ascii = true; return true;
    case OPTION_DEEP: a->deep = true; return true;
    case OPTION_SYMMETRY: a->symmetry = true; return true;
    case OPTION_STRICT: a->strict = true; return true;
    case OPTION_CHECK: a->check = true; return true;
    case OPTION_BRACKETS: a->brackets = true; return true;
    case OPTION_ANYWAY: a->anyway = true; return true;
    case OPTION_TO: a->to = s; return number_value(a, o, s, 0, 400000, &n, code);
    case OPTION_STEP: a->step = true; return true;
    case OPTION_VERIFY: a->verify = true; return true;
    case OPTION_MOVES: a->list = true; return true;
    case OPTION_SCHEMA: a->schema = true; return true;
    case OPTION_JSON: a->json = true; return true;
    case OPTION_HELP: a->help = true; return true;
    case OPTION_COUNT: break;
    }
    return true;
}

static int option_named(command_id c, const char *name, size_t length) {
    for (int o = 0; o < OPTION_COUNT; o++)
        if (takes(c, (option_id)o) && strlen(options[o].name) == length && !memcmp(options[o].name, name, length)) return o;
    return -1;
}

static int option_lettered(command_id c, char letter) {
    for (int o = 0; letter && o < OPTION_COUNT; o++)
        if (takes(c, (option_id)o) && options[o].letter == letter) return o;
    return -1;
}

static int no_option(const asked *a, const char *word) {
    const char *names[OPTION_COUNT];
    size_t n = 0, length = strcspn(word, "=");
    for (int o = 0; o < OPTION_COUNT; o++)
        if (takes(a->command, (option_id)o)) names[n++] = options[o].name;
    char *bare = strndup(word[1] == '-' ? word + 2 : word + 1, length);
    if (!bare) abort();
    bare[strcspn(bare, "=")] = 0;
    const char *near = nearest_word(bare, names, n);
    int code = near ? use_error(a, "no option '%.*s'; did you mean '--%s'?", (int)length, word, near) : use_error(a, "no option '%.*s'", (int)length, word);
    free(bare);
    return code;
}

/* One argument that begins with '-'. `*i` moves on if it takes the next one as its value. */
static bool option_parse(int argc, char **argv, int *i, asked *a, int *code) {
    const char *word = argv[*i], *value = NULL;
    int o;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        o = option_named(a->command, word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word + 2));
        if (equals) value = equals + 1;
    } else {
        o = option_lettered(a->command, word[1]);
        if (word[2]) value = word + 2;
    }
    if (o < 0) {
        *code = no_option(a, word);
        return false;
    }
    if (options[o].value && !value) {
        if (*i + 1 >= argc) {
            *code = use_error(a, "--%s wants %s", options[o].name, options[o].value);
            return false;
        }
        value = argv[++*i];
    }
    if (!options[o].value && value) {
        *code = use_error(a, "--%s takes no value", options[o].name);
        return false;
    }
    return option_apply(a, (option_id)o, value, code);
}

static bool words_fit(const asked *a, int *code) {
    const command *c = &commands[a->command];
    if (a->word_count < c->least) *code = use_error(a, "%s is missing", a->word_count ? strrchr(c->words, ' ') + 1 : c->words);
    else if (a->word_count > c->most) *code = use_error(a, "'%s' is one word too many", a->words[c->most]);
    else return true;
    return false;
}

static bool top_level(int argc, char **argv, asked *a, int *code) {
    const char *word = argc > 1 ? argv[1] : NULL;
    *code = EXIT_DONE;
    if (!word || !strcmp(word, "--help") || !strcmp(word, "-h") || (!strcmp(word, "help") && argc < 3)) {
        help_print();
        if (!word) *code = EXIT_USE;
        return false;
    }
    if (!strcmp(word, "--version") || !strcmp(word, "version")) puts("joc " JOC_VERSION);
    else if (!strcmp(word, "--man")) man_print();
    else if (!strcmp(word, "--completion")) completion_print();
    else {
        const char *name = !strcmp(word, "help") ? argv[2] : word;
        for (int c = 0; c < COMMAND_COUNT; c++)
            if (!strcmp(commands[c].name, name)) {
                a->command = (command_id)c;
                a->help = name != word;
                return true;
            }
        *code = no_command(name);
    }
    return false;
}

bool asked_parse(int argc, char **argv, asked *a, int *code) {
    size_t most = (size_t)argc + 1;
    const char *native = getenv("JOC_NATIVE");
    *a = (asked){ .games = 1000, .cap = 10000, .memory = 1024, .native = native && !strcmp(native, "yes") };
    a->words = memory_of(most, sizeof *a->words);
    a->settings = memory_of(most, sizeof *a->settings);
    a->houses = memory_of(most, sizeof *a->houses);
    a->presets = memory_of(most, sizeof *a->presets);
    a->seats = memory_of(most, sizeof *a->seats);
    if (!top_level(argc, argv, a, code)) return false;
    bool only_words = false;
    for (int i = a->help ? argc : 2; i < argc; i++) {
        if (!only_words && !strcmp(argv[i], "--")) only_words = true;
        else if (!only_words && argv[i][0] == '-' && argv[i][1]) {
            if (!option_parse(argc, argv, &i, a, code)) return false;
        } else a->words[a->word_count++] = argv[i];
    }
    if (a->help) {
        help_command(&commands[a->command], stdout);
        return false;
    }
    return words_fit(a, code);
}

void asked_free(asked *a) {
    for (size_t i = 0; i < a->setting_count; i++) free((char *)(uintptr_t)a->settings[i].name);
    free(a->words);
    free(a->settings);
    free(a->houses);
    free(a->presets);
    free(a->seats);
}
