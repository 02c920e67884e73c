/* joc show, moves, perft: looking at a position. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/play/drawing.h"

static const char *state_word(const joc_position *p) {
    static const char *const words[] = { "decision", "chance", "over", "stuck" };
    return words[joc_state_of(p)];
}

json_t *position_json(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    json_t *j = json_object();
    char *position = joc_position_text(p), hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, joc_position_hash(p));
    json_object_set_new(j, "position", json_text(position));
    json_object_set_new(j, "hash", json_text(hash));
    json_object_set_new(j, "state", json_text(state_word(p)));
    json_object_set_new(j, "turns", json_integer(joc_turns(p)));
    if (joc_state_of(p) != JOC_OVER) json_object_set_new(j, "mover", json_text(joc_game_player(g, joc_mover(p))));
    free(position);
    joc_result r = joc_result_of(p);
    if (r.outcome == JOC_RUNNING) return j;
    json_t *result = json_object();
    json_object_set_new(result, "outcome", json_text(r.outcome == JOC_WIN ? "win" : "draw"));
    if (r.outcome == JOC_WIN) json_object_set_new(result, "winner", json_text(joc_game_player(g, r.winner)));
    json_object_set_new(result, "reason", json_text(r.reason));
    json_t *scores = json_array();
    for (int i = 0; r.scored && i < joc_game_players(g); i++) json_array_append_new(scores, json_integer(r.scores[i]));
    if (r.scored) json_object_set(result, "scores", scores);
    json_decref(scores);
    json_object_set_new(j, "result", result);
    return j;
}

int fault_said(const joc_position *p, int code) {
    if (!joc_fault(p)) return code;
    fprintf(stderr, "joc: %s\n", joc_fault(p));
    return code == EXIT_DONE ? EXIT_FAULTS : code;
}

/* ---- show --------------------------------------------------------------------------------------------------------------------------- */
static json_t *cells_json(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    json_t *list = json_array();
    for (int place = 0; place < joc_game_cells(g); place++) {
        int owner, kind;
        for (int level = 0; level < joc_height(p, place); level++) {
            if (!joc_piece(p, place, level, &owner, &kind)) continue;
            json_t *j = json_object();
            json_object_set_new(j, "cell", json_text(joc_cell_name(g, place)));
            json_object_set_new(j, "level", json_integer(level));
            json_object_set_new(j, "owner", json_text(owner < 0 ? "neutral" : joc_game_player(g, owner)));
            json_object_set_new(j, "kind", json_text(joc_kind_name(g, kind)));
            json_array_append_new(list, j);
        }
    }
    return list;
}

int command_show(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (session_position(&s, a, &code)) {
        session_warn(&s);
        code = fault_said(s.position, code);
        if (a->json) {
            json_t *answer = json_answer(a);
            char *drawing = joc_drawing(s.position, (joc_look){ .ascii = a->ascii });
            json_object_set_new(answer, "title", json_text(joc_game_title(s.game)));
            json_object_update_new(answer, position_json(s.position));
            json_object_set_new(answer, "pieces", cells_json(s.position));
            json_object_set_new(answer, "drawing", json_text(drawing));
            free(drawing);
            code = json_print(answer, code);
        } else {
            char *out = a->notation ? joc_position_text(s.position) : joc_drawing(s.position, look_of(a));
            fputs(out, stdout);
            if (a->notation) putchar('\n');
            free(out);
        }
    }
    session_free(&s);
    return code;
}

/* ---- moves -------------------------------------------------------------------------------------------------------------------------- */
static void moves_print(const joc_position *p, const joc_moves *list) {
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        const joc_move *m = joc_moves_at(list, i);
        if (joc_state_of(p) != JOC_CHANCE) {
            puts(joc_move_text(m));
            continue;
        }
        char *share = share_text(joc_move_weight(m), joc_moves_weight(list));
        printf("%s  %s\n", joc_move_text(m), share);
        free(share);
    }
}

static json_t *moves_json(const joc_position *p, const joc_moves *list) {
    json_t *j = json_array();
    for (size_t i = 0; i < joc_moves_count(list); i++) {
        const joc_move *m = joc_moves_at(list, i);
        json_t *one = json_object();
        json_object_set_new(one, "move", json_text(joc_move_text(m)));
        if (joc_state_of(p) == JOC_CHANCE) {
            json_object_set_new(one, "weight", json_integer((json_int_t)joc_move_weight(m)));
            json_object_set_new(one, "of", json_integer((json_int_t)joc_moves_weight(list)));
            char *share = share_text(joc_move_weight(m), joc_moves_weight(list));
            json_object_set_new(one, "probability", json_text(share));
            free(share);
        }
        json_array_append_new(j, one);
    }
    return j;
}

int command_moves(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (session_position(&s, a, &code)) {
        session_warn(&s);
        joc_state state = joc_state_of(s.position);
        joc_moves *list = state == JOC_DECISION || state == JOC_CHANCE ? joc_moves_of(s.position) : NULL;
        code = fault_said(s.position, code);
        if (a->json) {
            json_t *answer = json_answer(a);
            json_object_update_new(answer, position_json(s.position));
            json_object_set_new(answer, "moves", list ? moves_json(s.position, list) : json_array());
            code = json_print(answer, code);
        } else if (list) moves_print(s.position, list);
        else if (!joc_fault(s.position)) {
            char *line = state_line(s.position);
            fprintf(stderr, "no moves: %s\n", line);
            free(line);
        }
        joc_moves_free(list);
    }
    session_free(&s);
    return code;
}

/* ---- perft -------------------------------------------------------------------------------------------------------------------------- */
static void divide_print(asked *a, session *s, int depth, json_t *list) {
    joc_perft_how how = { .play_on = a->play_on, .count_chance = a->chance };
    int behind = joc_state_of(s->position) == JOC_CHANCE && !a->chance ? depth : depth - 1;
    joc_moves *moves = joc_moves_of(s->position);
    for (size_t i = 0; i < joc_moves_count(moves) && !interrupted; i++) {
        joc_position *p = joc_position_copy(s->position);
        joc_play(p, joc_moves_at(moves, i));
        uint64_t nodes = behind > 0 ? joc_perft(p, behind, how, &interrupted) : 1;
        joc_position_free(p);
        if (interrupted) break;
        if (!a->json) {
            printf("%s %" PRIu64 "\n", joc_move_text(joc_moves_at(moves, i)), nodes);
            fflush(stdout);
            continue;
        }
        json_t *j = json_object();
        json_object_set_new(j, "move", json_text(joc_move_text(joc_moves_at(moves, i))));
        json_object_set_new(j, "nodes", json_integer((json_int_t)nodes));
        json_array_append_new(list, j);
    }
    joc_moves_free(moves);
}

static void perft_depths(asked *a, session *s, int depth, json_t *counts) {
    joc_perft_how how = { .turns = a->turns, .paths = a->paths, .play_on = a->play_on, .count_chance = a->chance };
    for (int d = 1; d <= depth && !interrupted; d++) {
        double started = seconds_now();
        uint64_t nodes = joc_perft(s->position, d, how, &interrupted);
        double past = seconds_now() - started;
        if (interrupted) break;
        if (!a->json) {
            printf("%d %" PRIu64 "\n", d, nodes);
            fflush(stdout);
            if (past > 1 && colour_on(STDERR_FILENO)) fprintf(stderr, "  %.1f s, %.2f million a second\n", past, (double)nodes / past / 1e6);
            continue;
        }
        json_t *j = json_object();
        json_object_set_new(j, "depth", json_integer(d));
        json_object_set_new(j, "nodes", json_integer((json_int_t)nodes));
        json_object_set_new(j, "seconds", json_real(past));
        json_array_append_new(counts, j);
    }
}

int command_perft(asked *a) {
    char *end;
    long depth = strtol(a->words[1], &end, 10);
    if (*end || !*a->words[1] || depth < 1 || depth > 100) return use_error(a, "DEPTH is a whole number from 1 to 100, not '%s'", a->words[1]);
    if (a->divide && (a->turns || a->paths)) return use_error(a, "--divide counts decisions; it goes with neither --turns nor --paths");
    session s;
    int code = EXIT_DONE;
    if (session_position(&s, a, &code) && session_native(&s, a, &code)) {
        json_t *counts = json_array(), *answer = json_answer(a);
        session_warn(&s);
        catch_interrupts();
        bool chance = joc_game_has_chance(s.game);
        if (chance && !a->json) fprintf(stderr, "chance is followed in all its outcomes and %s\n", a->chance ? "counts as a ply" : "is no ply; --chance counts it");
        json_object_set_new(answer, "native", json_boolean(joc_is_native(s.game)));
        if (chance) json_object_set_new(answer, "chance", json_text(a->chance ? "counted" : "followed"));
        if (a->divide && joc_state_of(s.position) != JOC_DECISION && joc_state_of(s.position) != JOC_CHANCE) code = use_error(a, "--divide wants a position where something is decided");
        else if (a->divide) divide_print(a, &s, (int)depth, counts);
        else perft_depths(a, &s, (int)depth, counts);
        code = fault_said(s.position, code);
        if (interrupted) code = EXIT_INTERRUPTED;
        json_object_set_new(answer, a->divide ? "divide" : "counts", counts);
        if (a->json && code != EXIT_USE) code = json_print(answer, code);
        else json_decref(answer);
    }
    session_free(&s);
    return code;
}
