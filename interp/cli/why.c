/* joc why: a move, and what the rules say of it. */
#include <stdlib.h>
#include <string.h>
#include "interp/cli/cli.h"
#include "interp/play/text.h"

void why_print(const joc_why *y, FILE *out) {
    fprintf(out, "%s\n", joc_why_title(y));
    for (size_t i = 0; i < joc_why_count(y); i++) {
        joc_reason r = joc_why_at(y, i);
        const char *name = strrchr(r.path, '/');
        if (*r.path) fprintf(out, "  %s:%u: %s\n", name ? name + 1 : r.path, r.line, r.text);
        else fprintf(out, "  %s\n", r.text);
    }
}

static json_t *reason_json(const joc_game *g, joc_reason r) {
    json_t *j = json_object(), *cells = json_array();
    json_object_set_new(j, "kind", json_text(r.kind));
    json_object_set_new(j, "text", json_text(r.text));
    json_object_set_new(j, "rule", json_text(r.rule));
    json_object_set_new(j, "words", json_text(r.words));
    for (size_t i = 0; i < r.place_count; i++) json_array_append_new(cells, json_text(joc_cell_name(g, r.places[i])));
    json_object_set_new(j, "cells", cells);
    if (!*r.path) return j;
    json_object_set_new(j, "path", json_text(r.path));
    json_object_set_new(j, "line", json_integer(r.line));
    json_object_set_new(j, "column", json_integer(r.column));
    return j;
}

static json_t *why_json(const asked *a, const joc_game *g, const joc_why *y) {
    json_t *answer = json_answer(a), *reasons = json_array();
    json_object_set_new(answer, "move", json_text(joc_why_text(y)));
    json_object_set_new(answer, "legal", json_boolean(joc_why_legal(y)));
    for (size_t i = 0; i < joc_why_count(y); i++) json_array_append_new(reasons, reason_json(g, joc_why_at(y, i)));
    json_object_set_new(answer, "reasons", reasons);
    return answer;
}

/* The words behind the game are one move. */
static char *move_asked(const asked *a) {
    text t = { 0 };
    for (size_t i = 1; i < a->word_count; i++) text_format(&t, "%s%s", i > 1 ? " " : "", a->words[i]);
    return text_take(&t);
}

int command_why(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (session_position(&s, a, &code)) {
        session_warn(&s);
        char *move = move_asked(a);
        joc_why *y = joc_why_move(s.position, move);
        free(move);
        if (a->json) code = json_print(why_json(a, s.game, y), code);
        else why_print(y, stdout);
        code = fault_said(s.position, code);
        joc_why_free(y);
    }
    session_free(&s);
    return code;
}
