/* Passing the screen on; see hotseat.h. Everything shown here comes from views. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/hotseat.h"
#include "interp/cli/input.h"
#include "interp/formats/data.h"
#include "interp/play/text.h"

static bool at_terminal(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

/* The screen, and the lines that scrolled off it. */
static void screen_clear(void) {
    if (at_terminal()) fputs("\033[H\033[2J\033[3J", stdout);
    fflush(stdout);
}

bool hotseat_turn(hotseat *h, const joc_game *g, int who) {
    bool passed = h->people > 1 && h->looking != who;
    if (passed) {
        static const char *const no_words[] = { NULL };
        text t = { 0 };
        text_format(&t, "pass the screen to %s, and press Enter ", joc_game_player(g, who));
        screen_clear();
        if (at_terminal()) {
            char *line;
            h->left = input_read(t.data, NULL, no_words, &line) != INPUT_LINE;
            free(line);
            input_forget();
        } else puts(t.data);            /* a script has no screen to hide */
        screen_clear();
        text_free(&t);
    }
    h->looking = who;
    return passed;
}

static void event_print(const joc_position *view, size_t i) {
    const joc_game *g = joc_position_game(view);
    joc_event e = joc_log_at(view, i);
    printf("  %s: %s\n", e.player < 0 ? "chance" : joc_game_player(g, e.player), e.text);
    free(e.text);
}

/* Chance that nobody was told of says nothing. */
static bool silent(const joc_position *view, size_t i) {
    joc_event e = joc_log_at(view, i);
    bool nothing = e.player < 0 && !strcmp(e.text, "?");
    free(e.text);
    return nothing;
}

void hotseat_news(hotseat *h, const joc_position *view) {
    size_t count = joc_log_count(view), *told = &h->told[joc_viewer(view)];
    if (*told > count) *told = count;
    for (; *told < count; ++*told)
        if (!silent(view, *told)) event_print(view, *told);
}

void hotseat_log(const joc_position *view) {
    if (!joc_game_has_secrets(joc_position_game(view))) puts("the record has all moves: `save FILE`, and `joc replay FILE`");
    for (size_t i = 0; i < joc_log_count(view); i++)
        if (!silent(view, i)) event_print(view, i);
}

/* Pieces whose kind the viewer does not see. */
static int unseen_pieces(const joc_position *view) {
    const joc_game *g = joc_position_game(view);
    int count = 0, owner, kind;
    for (int place = 0; place < joc_game_cells(g) + joc_game_zones(g); place++)
        for (int level = 0; joc_piece(view, place, level, &owner, &kind); level++) count += kind == joc_game_kinds(g);
    return count;
}

bool hotseat_may_undo(const joc_position *view, const joc_position *before) {
    size_t count = joc_log_count(view);
    if (!count) return false;
    joc_event e = joc_log_at(view, count - 1);
    free(e.text);
    if (e.player != joc_viewer(view)) return false;
    joc_position *earlier = joc_view(before, joc_viewer(view));
    const bool nothing_seen = unseen_pieces(earlier) <= unseen_pieces(view);
    joc_position_free(earlier);
    return nothing_seen;
}

static void pair_add(text *t, const char *before, const char *key, const char *value) {
    text_add(t, before);
    yaml_add(t, key);
    text_add(t, ": ");
    yaml_add(t, value);
    text_add(t, "\n");
}

bool hotseat_save(const joc_position *view, const char *game, const char *path) {
    const joc_game *g = joc_position_game(view);
    text t = { 0 };
    char *position = joc_position_text(view);
    text_format(&t, "format: %d\n", JOC_FORMAT);
    pair_add(&t, "", "game", game);
    pair_add(&t, "", "seen_by", joc_game_player(g, joc_viewer(view)));
    pair_add(&t, "", "position", position);
    text_add(&t, joc_log_count(view) ? "moves:\n" : "moves: []\n");
    for (size_t i = 0; i < joc_log_count(view); i++) {
        joc_event e = joc_log_at(view, i);
        pair_add(&t, "  - ", e.player < 0 ? "chance" : joc_game_player(g, e.player), e.text);
        free(e.text);
    }
    bool good = file_write(path, t.data, t.length);
    if (good) printf("wrote %s, as %s knows the match\n", path, joc_game_player(g, joc_viewer(view)));
    else printf("cannot write '%s': %s\n", path, strerror(errno));
    free(position);
    text_free(&t);
    return good;
}
