/* Lines typed by a person; see input.h. readline keeps its state in globals, and so must what it calls back for. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <readline/history.h>
#include <readline/readline.h>
#include "interp/cli/cli.h"
#include "interp/cli/input.h"
#include "interp/play/atlas.h"
#include "interp/play/text.h"

static const joc_moves *completed_moves;
static const char *const *completed_words;
static const joc_game *completed_cells;
static size_t completed_at;

void input_cells(const joc_game *g) { completed_cells = g && joc_game_shape(g) == JOC_BOARD_MAP ? g : NULL; }

/* The last word completed to the name of a cell: from `cell` on; NULL if there is none. */
static char *cell_completion(const char *begun, size_t *cell) {
    const char *blank = strrchr(begun, ' '), *word = blank ? blank + 1 : begun;
    size_t cells = completed_cells ? (size_t)joc_game_cells(completed_cells) : 0;
    while (*cell < cells && !cell_begins(completed_cells, (int)*cell, word)) ++*cell;
    if (*cell >= cells) return NULL;
    text t = { 0 };
    text_add_bytes(&t, begun, (size_t)(word - begun));
    text_add(&t, joc_cell_name(completed_cells, (int)(*cell)++));
    return text_take(&t);
}

/* Moves first, then words, then cells of maps by the last word. readline frees what it gets. */
static char *next_completion(const char *begun, int state) {
    size_t length = strlen(begun), moves = completed_moves ? joc_moves_count(completed_moves) : 0;
    if (!state) completed_at = 0;
    for (; completed_at < moves; completed_at++) {
        const char *move = joc_move_text(joc_moves_at(completed_moves, completed_at));
        if (!strncmp(move, begun, length)) {
            completed_at++;
            return strdup(move);
        }
    }
    size_t words = 0;
    while (completed_words[words]) words++;
    for (; completed_at < moves + words; completed_at++) {
        const char *word = completed_words[completed_at - moves];
        if (!strncmp(word, begun, length)) {
            completed_at++;
            return strdup(word);
        }
    }
    size_t cell = completed_at - moves - words;
    char *line = cell_completion(begun, &cell);
    completed_at = moves + words + cell;
    return line;
}

static char **complete(const char *begun, int start, int end) {
    (void)start, (void)end;
    rl_attempted_completion_over = 1;
    rl_completion_append_character = 0;
    return rl_completion_matches(begun, next_completion);
}

/* readline goes on reading after a signal; this ends the line instead. */
static int next_byte(FILE *in) {
    for (;;) {
        unsigned char c;
        if (interrupted) return EOF;
        ssize_t n = read(fileno(in), &c, 1);
        if (n == 1) return c;
        if (n == 0 || errno != EINTR) return EOF;
    }
}

static char *trimmed(char *line) {
    char *from = line, *end = line + strlen(line);
    while (isspace((unsigned char)*from)) from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    char *copy = strndup(from, (size_t)(end - from));
    free(line);
    if (!copy) abort();
    return copy;
}

static char *typed_line(const char *prompt) {
    static char no_break[] = "";
    rl_readline_name = "joc";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = no_break;      /* a move may have blanks in it */
    rl_getc_function = next_byte;
    rl_catch_signals = 0;
    char *line = readline(prompt);
    if (line && *line) add_history(line);
    return line;
}

/* readline brings back lines typed before (history), what was cut out of them, and what keys were pressed. It clears only the first. */
void input_forget(void) {
    static rl_command_func_t *const again[] = { rl_yank, rl_yank_pop, rl_call_last_kbd_macro, rl_vi_put, rl_vi_redo };
    const Keymap maps[] = { emacs_standard_keymap, emacs_meta_keymap, emacs_ctlx_keymap, vi_insertion_keymap, vi_movement_keymap };
    rl_clear_history();
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
        for (size_t i = 0; i < sizeof again / sizeof *again; i++) rl_unbind_function_in_map(again[i], maps[m]);
}

static char *piped_line(void) {
    char *line = NULL;
    size_t capacity = 0;
    fflush(stdout);
    if (getline(&line, &capacity, stdin) >= 0) return line;
    free(line);
    return NULL;
}

input_state input_read(const char *prompt, const joc_moves *moves, const char *const *words, char **line) {
    completed_moves = moves;
    completed_words = words;
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    char *typed = terminal ? typed_line(prompt) : piped_line();
    *line = NULL;
    if (interrupted) {
        free(typed);
        return INPUT_INTERRUPTED;
    }
    if (!typed) return INPUT_END;
    *line = trimmed(typed);
    return INPUT_LINE;
}
