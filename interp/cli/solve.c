/* joc solve: exact values. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/play/search.h"
#include "interp/play/solve.h"
#include "interp/play/text.h"

#define SAME 1e-9                       /* moves whose values are this close are equally good */

static void told(void *with, const char *what, uint64_t done, uint64_t of) {
    progress *bar = with;
    double now = seconds_now();
    if (!bar->on || now - bar->shown < 0.2) return;
    bar->shown = now;
    fprintf(stderr, "\r\033[K%" PRIu64, done);
    if (of) fprintf(stderr, " of %" PRIu64, of);
    fprintf(stderr, " %s, %.0f s", what, now - bar->started);
    fflush(stderr);
}

/* ---- what can be solved --------------------------------------------------------------------------------------------------------------- */
static bool can_be_solved(const asked *a, const joc_game *g, int *code) {
    if (joc_game_players(g) > 2) *code = session_error(a, EXIT_FAULTS, "values are exact for one or two players only, and here are %d; --players may set fewer", joc_game_players(g));
    else if (joc_game_has_secrets(g)) *code = session_error(a, EXIT_FAULTS, "the players of this game hide things from each other; what is solved is played in the open");
    else return true;
    return false;
}

static int unsolved(const asked *a, const solution *s) {
    switch (s->state) {
    case GRAPH_FAULT: return session_error(a, EXIT_FAULTS, "%s", s->fault);
    case GRAPH_UNSCORED: return session_error(a, EXIT_FAULTS, "this game has no `score`; without --scores the values are chances of winning");
    case GRAPH_FULL: return session_error(a, EXIT_SYSTEM, "the positions do not fit into %" PRIu64 " MB: %zu were found, and there are more; --memory allows more", a->memory, s->g.count);
    default: return session_error(a, EXIT_INTERRUPTED, "interrupted: %zu positions were found until then", s->g.count);
    }
}

/* ---- text ------------------------------------------------------------------------------------------------------------------------------- */
static double middle(const solve_value *v) { return (v->low + v->high) / 2; }

/* As many digits as are known. */
static void number_print(double x, double bound) {
    int digits = bound < 1e-13 ? 13 : (int)-log10(bound);
    printf("%.*f", digits < 1 ? 1 : digits, x);
}

static void value_print(const solve_value *v) {
    if (v->low >= v->high && v->low == rint(v->low)) printf("%.0f", v->low + 0.0);
    else if (v->high - v->low > 1e-6) printf("%.6f to %.6f", v->low, v->high);
    else number_print(middle(v), v->high - v->low);
}

static solve_value other_side(const solve_value *v, double whole) { return (solve_value){ whole - v->high, whole - v->low, v->depth, v->turns, v->throws }; }

static void ending_print(const joc_game *g, const solve_value *v) {
    if (v->low > 0.75) printf("%s wins", joc_game_player(g, 0));
    else if (v->high < 0.25) printf("%s", joc_game_players(g) > 1 ? joc_game_player(g, 1) : "it is lost"), printf("%s", joc_game_players(g) > 1 ? " wins" : "");
    else printf("a draw");
    if (v->depth > 0) printf(" in %" PRId64 " decisions", v->depth);
}

static void start_print(const asked *a, const joc_game *g, const solution *s) {
    bool exact = !a->scores && !s->g.sorts[GRAPH_CHANCE] && s->state == GRAPH_DONE;
    if (exact) printf("%-12s ", "value"), ending_print(g, &s->start), putchar('\n');
    else if (a->scores && joc_game_players(g) > 1) printf("%-12s ", "difference"), value_print(&s->start), printf("  (%s less %s)\n", joc_game_player(g, 0), joc_game_player(g, 1));
    else {
        solve_value other = other_side(&s->start, 1);
        printf("%-12s ", a->scores ? "score" : joc_game_player(g, 0)), value_print(&s->start), putchar('\n');
        if (joc_game_players(g) > 1) printf("%-12s ", joc_game_player(g, 1)), value_print(&other), putchar('\n');
    }
    if (!exact && s->g.sorts[GRAPH_CHANCE]) printf("%-12s 1e%.0f\n", "error below", ceil(log10(s->bound + 2e-15)));
    if (exact) printf("%-12s %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost for the player to move\n", "positions", s->won, s->drawn, s->lost);
    if (s->start.turns < 0) return;
    double error = fmax(s->length_error, 1e-10);
    printf("%-12s ", "turns"), number_print(s->start.turns, error), printf(" expected\n%-12s ", "throws");
    number_print(s->start.throws, error), printf(" expected\n");
}

/* For who decides, more is better. */
static double worth(const joc_position *p, const solve_value *v) { return joc_state_of(p) == JOC_DECISION && joc_mover(p) != 0 ? -middle(v) : middle(v); }

static double best_worth(const joc_position *p, const solution *s) {
    double best = -INFINITY;
    for (uint32_t i = 0; i < s->move_count; i++) best = fmax(best, worth(p, &s->moves[i]));
    return best;
}

/* A best move wins soonest or loses latest. */
static bool is_best(const joc_position *p, const solution *s, uint32_t i, double best) {
    const solve_value *v = &s->moves[i];
    if (joc_state_of(p) != JOC_DECISION || worth(p, v) < best - SAME) return false;
    bool winning = worth(p, v) > 0.75 || (joc_mover(p) != 0 && worth(p, v) > -0.25);
    for (uint32_t k = 0; k < s->move_count && v->depth >= 0; k++) {
        const solve_value *o = &s->moves[k];
        if (worth(p, o) < best - SAME || fabs(middle(o) - 0.5) < SAME) continue;
        if (winning ? o->depth < v->depth : o->depth > v->depth) return false;
    }
    return true;
}

static void move_print(const asked *a, const joc_position *p, const solution *s, const joc_moves *list, uint32_t i, double best) {
    const joc_game *g = joc_position_game(p);
    const solve_value *v = &s->moves[i];
    bool chance = joc_state_of(p) == JOC_CHANCE, second = !chance && joc_mover(p) != 0;
    printf("  %-22s ", joc_move_text(joc_moves_at(list, i)));
    if (chance) {
        char *share = share_text(joc_move_weight(joc_moves_at(list, i)), joc_moves_weight(list));
        printf("%-7s ", share);
        free(share);
    }
    if (!a->scores && !s->g.sorts[GRAPH_CHANCE] && s->state == GRAPH_DONE) ending_print(g, v);
    else {
        solve_value mine = second ? other_side(v, a->scores ? 0 : 1) : *v;
        value_print(&mine);
    }
    if (v->turns >= 0) printf("  %.6f turns", v->turns);
    puts(is_best(p, s, i, best) ? "  best" : "");
}

static void answer_print(const asked *a, const joc_position *p, const solution *s, const joc_moves *list) {
    const joc_game *g = joc_position_game(p);
    printf("%s: %zu positions (%" PRIu64 " decisions, %" PRIu64 " of chance, %" PRIu64 " ends)\n", joc_game_title(g), s->g.count,
           s->g.sorts[GRAPH_FIRST] + s->g.sorts[GRAPH_SECOND], s->g.sorts[GRAPH_CHANCE], s->g.sorts[GRAPH_END]);
    start_print(a, g, s);
    if (!list || !s->move_count) return;
    if (joc_state_of(p) == JOC_CHANCE) printf("chance, for %s\n", joc_game_player(g, 0));
    else printf("moves, for %s\n", joc_game_player(g, joc_mover(p)));
    double best = best_worth(p, s);
    for (uint32_t i = 0; i < s->move_count; i++) move_print(a, p, s, list, i, best);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------------------------- */
static json_t *value_json(const solve_value *v) {
    json_t *j = json_object();
    json_object_set_new(j, "value", json_real(middle(v)));
    json_object_set_new(j, "low", json_real(v->low));
    json_object_set_new(j, "high", json_real(v->high));
    if (v->depth >= 0) json_object_set_new(j, "decisions", json_integer(v->depth));
    if (v->turns >= 0) json_object_set_new(j, "turns", json_real(v->turns));
    if (v->throws >= 0) json_object_set_new(j, "throws", json_real(v->throws));
    return j;
}

static json_t *moves_json(const joc_position *p, const solution *s, const joc_moves *list) {
    json_t *array = json_array();
    double best = best_worth(p, s);
    for (uint32_t i = 0; list && i < s->move_count; i++) {
        json_t *j = value_json(&s->moves[i]);
        const joc_move *m = joc_moves_at(list, i);
        json_object_set_new(j, "move", json_text(joc_move_text(m)));
        if (joc_state_of(p) == JOC_CHANCE) {
            json_object_set_new(j, "weight", json_integer((json_int_t)joc_move_weight(m)));
            json_object_set_new(j, "of", json_integer((json_int_t)joc_moves_weight(list)));
        } else json_object_set_new(j, "best", json_boolean(is_best(p, s, i, best)));
        json_array_append_new(array, j);
    }
    return array;
}

static int answer_json(const asked *a, const joc_position *p, const solution *s, const joc_moves *list, double seconds, int code) {
    const joc_game *g = joc_position_game(p);
    json_t *answer = json_answer(a), *states = json_object();
    json_object_set_new(answer, "title", json_text(joc_game_title(g)));
    json_object_set_new(answer, "native", json_boolean(joc_is_native(g)));
    json_object_set_new(answer, "measure", json_text(a->scores ? "scores" : "wins"));
    json_object_set_new(answer, "player", json_text(joc_game_player(g, 0)));
    json_object_set_new(answer, "interrupted", json_boolean(code == EXIT_INTERRUPTED));
    json_object_set_new(states, "all", json_integer((json_int_t)s->g.count));
    json_object_set_new(states, "decisions", json_integer((json_int_t)(s->g.sorts[GRAPH_FIRST] + s->g.sorts[GRAPH_SECOND])));
    json_object_set_new(states, "chance", json_integer((json_int_t)s->g.sorts[GRAPH_CHANCE]));
    json_object_set_new(states, "ends", json_integer((json_int_t)s->g.sorts[GRAPH_END]));
    json_object_set_new(answer, "positions", states);
    json_object_set_new(answer, "start", value_json(&s->start));
    json_object_set_new(answer, "bound", json_real(s->bound));
    json_object_set_new(answer, "remembers", json_boolean(joc_game_remembers(g)));
    json_object_set_new(answer, "moves", moves_json(p, s, list));
    json_object_set_new(answer, "memory", json_integer((json_int_t)s->bytes));
    json_object_set_new(answer, "seconds", json_real(seconds));
    return json_print(answer, code);
}

/* ---- search ------------------------------------------------------------------------------------------------------------------------------- */
static int search_failed(const asked *a, const search_result *r) {
    switch (r->state) {
    case SEARCH_FAULT: return session_error(a, EXIT_FAULTS, "%s", r->fault);
    case SEARCH_UNSCORED: return session_error(a, EXIT_FAULTS, "this game has no `score`; without --scores the values are chances of winning");
    case SEARCH_RETURNS: return session_error(a, EXIT_FAULTS, "positions come back in this game, and a search cannot tell what endless play is worth; without --search it can be solved, if it fits");
    default: return session_error(a, EXIT_INTERRUPTED, "interrupted: %" PRIu64 " positions were looked at until then", r->positions);
    }
}

static void search_print(const asked *a, const joc_position *p, const search_result *r, const joc_moves *list) {
    const joc_game *g = joc_position_game(p);
    printf("%s: %" PRIu64 " positions looked at\n", joc_game_title(g), r->positions);
    if (a->scores && joc_game_players(g) > 1) printf("%-12s %d  (%s less %s)\n", "difference", r->value, joc_game_player(g, 0), joc_game_player(g, 1));
    else if (a->scores) printf("%-12s %d\n", "score", r->value);
    else {
        solve_value v = { .low = r->value / 2.0, .high = r->value / 2.0, .depth = -1 };
        printf("%-12s ", "value"), ending_print(g, &v), putchar('\n');
    }
    if (r->move_count) printf("best moves, for %s\n", joc_game_player(g, joc_mover(p)));
    for (uint32_t i = 0; i < r->move_count; i++)
        if (r->best[i]) printf("  %s\n", joc_move_text(joc_moves_at(list, i)));
}

static int search_json(const asked *a, const joc_position *p, const search_result *r, const joc_moves *list, double seconds) {
    json_t *answer = json_answer(a), *best = json_array();
    for (uint32_t i = 0; i < r->move_count; i++)
        if (r->best[i]) json_array_append_new(best, json_text(joc_move_text(joc_moves_at(list, i))));
    json_object_set_new(answer, "title", json_text(joc_game_title(joc_position_game(p))));
    json_object_set_new(answer, "native", json_boolean(joc_is_native(joc_position_game(p))));
    json_object_set_new(answer, "measure", json_text(a->scores ? "scores" : "wins"));
    json_object_set_new(answer, "player", json_text(joc_game_player(joc_position_game(p), 0)));
    json_object_set_new(answer, "value", json_real(a->scores ? r->value : r->value / 2.0));
    json_object_set_new(answer, "best", best);
    json_object_set_new(answer, "searched", json_integer((json_int_t)r->positions));
    json_object_set_new(answer, "seconds", json_real(seconds));
    return json_print(answer, EXIT_DONE);
}

static int position_search(const asked *a, const joc_position *p) {
    if (joc_game_has_chance(joc_position_game(p))) return session_error(a, EXIT_FAULTS, "--search is for games without chance");
    progress bar = progress_start("positions");
    graph_how how = { .memory = a->memory << 20, .scores = a->scores, .stop = &interrupted, .told = told, .with = &bar };
    double started = seconds_now();
    search_result r = search(p, &how);
    progress_end(&bar);
    int code = EXIT_DONE;
    joc_moves *list = r.move_count ? joc_moves_of(p) : NULL;
    if (r.state != SEARCH_DONE) code = search_failed(a, &r);
    else if (a->json) code = search_json(a, p, &r, list, seconds_now() - started);
    else search_print(a, p, &r, list);
    joc_moves_free(list);
    search_free(&r);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------------------------------ */
static int position_solve(const asked *a, const joc_position *p) {
    progress bar = progress_start("positions");
    graph_how how = { .memory = a->memory << 20, .scores = a->scores, .stop = &interrupted, .told = told, .with = &bar };
    double started = seconds_now();
    solution s = solve(p, &how);
    progress_end(&bar);
    int code = interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
    if (!s.valued) code = unsolved(a, &s);
    else {
        joc_moves *list = s.move_count ? joc_moves_of(p) : NULL;
        if (s.g.stuck) fprintf(stderr, "joc: %" PRIu64 " positions are dead ends of the rules; they count as draws\n", s.g.stuck);
        if (!a->json && joc_game_remembers(joc_position_game(p))) fputs("joc: repetition, and what the rules count beside the position, is not followed\n", stderr);
        if (a->json) code = answer_json(a, p, &s, list, seconds_now() - started, code);
        else answer_print(a, p, &s, list);
        joc_moves_free(list);
    }
    solution_free(&s);
    return code;
}

int command_solve(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (session_position(&s, a, &code) && can_be_solved(a, s.game, &code) && session_native(&s, a, &code)) {
        session_warn(&s);
        catch_interrupts();
        code = a->search ? position_search(a, s.position) : position_solve(a, s.position);
    }
    session_free(&s);
    return code;
}
