/* joc diff: what differs between two sets of rules, by declaration and by behaviour. A side is a game, a house file, or a game with choices
 * behind a colon: `hex:size=5,swap=no`, `go:beginner`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/play/differ.h"
#include "interp/play/text.h"

enum { POSITIONS = 5000, RANDOM_GAMES = 100, RANDOM_CAP = 400, MOVES_SHOWN = 12, SECONDS = 60 };

typedef struct { const char *said; session session; joc_items *items; } side;

/* ---- opening -------------------------------------------------------------------------------------------------------------------------- */

/* `size=5,swap=no,beginner`: settings and presets. */
static bool choices_take(session *s, const asked *a, char *list, int *code) {
    char *save = NULL;
    bool good = true;
    for (char *one = strtok_r(list, ",", &save); good && one; one = strtok_r(NULL, ",", &save)) {
        char *equals = strchr(one, '=');
        if (equals) *equals = 0;
        good = equals ? session_choose(s, a, one, equals + 1, code) : session_preset(s, a, one, code);
    }
    return good;
}

static bool side_open(side *x, const asked *a, const char *said, int *code) {
    char *name = text_copy(said), *colon = access(said, F_OK) ? strrchr(name, ':') : NULL;
    x->said = said;
    if (colon) *colon = 0;
    bool good = session_open(&x->session, a, name, code) && (!colon || choices_take(&x->session, a, colon + 1, code))
             && session_choose_all(&x->session, a, code) && session_players(&x->session, a, code) && session_compile(&x->session, a, code);
    free(name);
    if (good) x->items = joc_items_of(x->session.rules);
    return good;
}

static void side_free(side *x) {
    joc_items_free(x->items);
    session_free(&x->session);
}

/* ---- declarations --------------------------------------------------------------------------------------------------------------------- */
typedef struct { const char *name; const joc_item *a, *b; } changed;
typedef struct { changed *list; joc_item *copies; size_t count; } changes;

static bool item_named(const joc_items *all, const char *name, joc_item *out) {
    for (size_t i = 0; i < joc_items_count(all); i++) {
        *out = joc_items_at(all, i);
        if (!strcmp(out->name, name)) return true;
    }
    return false;
}

/* What is not the same in both, in the order of `a`, then what only `b` has. The order of declarations counts only if nothing else differs. */
static changes changes_of(const joc_items *a, const joc_items *b) {
    size_t most = joc_items_count(a) + joc_items_count(b);
    changes c = { .list = memory_of(most, sizeof *c.list), .copies = memory_of(2 * most, sizeof *c.copies) };
    for (int order = 0; order < 2 && !c.count; order++)
        for (size_t i = 0; i < most; i++) {
            bool first = i < joc_items_count(a);
            joc_item *x = &c.copies[2 * i], *y = x + 1;
            *x = first ? joc_items_at(a, i) : joc_items_at(b, i - joc_items_count(a));
            bool both = item_named(first ? b : a, x->name, y);
            bool of_order = !strcmp(x->name, "order");
            if (of_order != (order == 1) || (both && (!first || x->hash == y->hash))) continue;
            c.list[c.count++] = (changed){ x->name, first ? x : NULL, !first ? x : both ? y : NULL };
        }
    return c;
}

static void changes_free(changes *c) {
    free(c->list);
    free(c->copies);
}

static void item_print(char sign, const joc_item *item) {
    if (!item) return;
    printf("  %c %s", sign, item->text);
    if (*item->path) printf("  (%s:%u)", item->path, item->line);
    puts("");
}

static void changes_print(const changes *c) {
    for (size_t i = 0; i < c->count; i++) {
        printf("%s\n", c->list[i].name);
        item_print('-', c->list[i].a);
        item_print('+', c->list[i].b);
    }
}

static json_t *item_json(const joc_item *item) {
    json_t *j = item ? json_object() : json_null();
    if (!item) return j;
    json_object_set_new(j, "text", json_text(item->text));
    json_object_set_new(j, "path", json_text(item->path));
    json_object_set_new(j, "line", json_integer(item->line));
    return j;
}

static json_t *changes_json(const changes *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; i++) {
        json_t *j = json_object();
        json_object_set_new(j, "name", json_text(c->list[i].name));
        json_object_set_new(j, "a", item_json(c->list[i].a));
        json_object_set_new(j, "b", item_json(c->list[i].b));
        json_array_append_new(list, j);
    }
    return list;
}

/* ---- options -------------------------------------------------------------------------------------------------------------------------- */

/* Options of both that have other values here and there: printed, or added to `list`. */
static size_t options_told(const side *a, const side *b, json_t *list) {
    size_t n = 0;
    for (size_t i = 0; i < joc_rules_options(a->session.rules); i++) {
        joc_option o = joc_rules_option(a->session.rules, i);
        const char *x = joc_game_option(a->session.game, o.name), *y = joc_game_option(b->session.game, o.name);
        if (!x || !y || !strcmp(x, y)) continue;
        if (!list) printf("option %s = %s, and %s\n", o.name, x, y);
        else json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", o.name, "a", x, "b", y));
        n++;
    }
    return n;
}

/* ---- behaviour ------------------------------------------------------------------------------------------------------------------------ */
static char *result_text(const joc_position *p) {
    joc_state state = joc_state_of(p);
    text t = { 0 };
    joc_result r = joc_result_of(p);
    if (state == JOC_DECISION) text_format(&t, "%s is to move", joc_game_player(joc_position_game(p), joc_mover(p)));
    else if (state == JOC_CHANCE) text_add(&t, "chance decides");
    else if (state == JOC_STUCK) text_add(&t, "a dead end");
    else if (r.outcome == JOC_WIN) text_format(&t, "%s wins", joc_game_player(joc_position_game(p), r.winner));
    else text_add(&t, "drawn");
    for (int i = 0; state == JOC_OVER && r.scored && i < joc_game_players(joc_position_game(p)); i++) text_format(&t, "%s%" PRId64, i ? ":" : ", ", r.scores[i]);
    return text_take(&t);
}

static void moves_told(char **moves, size_t count, const char *said) {
    if (!count) return;
    printf("only in %s:", said);
    for (size_t i = 0; i < count && i < MOVES_SHOWN; i++) printf("%s %s", i ? "," : "", moves[i]);
    if (count > MOVES_SHOWN) printf(" and %zu more", count - MOVES_SHOWN);
    puts("");
}

static void behaviour_print(const asked *a, const difference *d, const side *x, const side *y) {
    if (!d->kind) {
        printf("no difference in behaviour: %zu positions, %" PRIu64 " random games\n", d->positions, d->games);
        if (d->given_up) fprintf(stderr, "joc: decisions that the machine gives up were not compared, and the search ended early\n");
        if (d->out_of_time) fprintf(stderr, "joc: no more was looked at: %d seconds are over\n", SECONDS);
        return;
    }
    char *first = result_text(d->a), *second = result_text(d->b), *drawing = joc_drawing(d->a, look_of(a));
    printf("%s after %zu move%s", difference_words[d->kind], d->length, d->length == 1 ? "" : "s");
    if (d->at_random) printf(" (found at random, seed %" PRIu64 ")", d->seed);
    printf(":");
    for (size_t i = 0; i < d->length; i++) printf("%s %s", i ? ";" : "", d->line[i]);
    printf("\n%s", drawing);
    if (strcmp(first, second)) printf("%s: %s\n%s: %s\n", x->said, first, y->said, second);
    moves_told(d->only_a, d->count_a, x->said);
    moves_told(d->only_b, d->count_b, y->said);
    free(first), free(second), free(drawing);
}

static json_t *texts_json(char **list, size_t count) {
    json_t *j = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(j, json_text(list[i]));
    return j;
}

static json_t *behaviour_json(const difference *d) {
    json_t *j = json_object();
    json_object_set_new(j, "differs", json_boolean(d->kind != ALIKE));
    json_object_set_new(j, "positions", json_integer((json_int_t)d->positions));
    json_object_set_new(j, "games", json_integer((json_int_t)d->games));
    json_object_set_new(j, "given_up", json_integer((json_int_t)d->given_up));
    json_object_set_new(j, "out_of_time", json_boolean(d->out_of_time));
    if (!d->kind) return j;
    json_object_set_new(j, "what", json_text(difference_words[d->kind]));
    json_object_set_new(j, "seed", json_integer((json_int_t)d->seed));
    json_object_set_new(j, "line", texts_json(d->line, d->length));
    json_object_set_new(j, "a", position_json(d->a));
    json_object_set_new(j, "b", position_json(d->b));
    json_object_set_new(j, "only_a", texts_json(d->only_a, d->count_a));
    json_object_set_new(j, "only_b", texts_json(d->only_b, d->count_b));
    return j;
}

static int differences_tell(const asked *a, const side *x, const side *y) {
    differ_effort effort = { .positions = POSITIONS, .games = a->games_given ? a->games : RANDOM_GAMES, .cap = RANDOM_CAP, .seed = a->seed, .seconds = SECONDS, .stop = &interrupted };
    changes c = changes_of(x->items, y->items);
    json_t *options = a->json ? json_array() : NULL;
    size_t other_values = options_told(x, y, options);
    if (!a->json) changes_print(&c);
    difference d = differ_find(x->session.game, y->session.game, &effort);
    int code = interrupted ? EXIT_INTERRUPTED : c.count || other_values || d.kind || d.given_up ? EXIT_FAULTS : EXIT_DONE;
    if (a->json) {
        json_t *answer = json_answer(a);
        json_object_set_new(answer, "alike", json_boolean(!code));
        json_object_set_new(answer, "options", options);
        json_object_set_new(answer, "declarations", changes_json(&c));
        json_object_set_new(answer, "behaviour", behaviour_json(&d));
        code = json_print(answer, code);
    } else behaviour_print(a, &d, x, y);
    difference_free(&d);
    changes_free(&c);
    return code;
}

int command_diff(asked *a) {
    side x = { 0 }, y = { 0 };
    int code = EXIT_DONE;
    catch_interrupts();
    if (side_open(&x, a, a->words[0], &code) && side_open(&y, a, a->words[1], &code)) code = differences_tell(a, &x, &y);
    side_free(&x), side_free(&y);
    return code;
}
