/* joc check, fmt, test, new: working on rule files. */
#include <errno.h>
#include <libgen.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/formats/data.h"
#include "interp/formats/house.h"
#include "interp/formats/match.h"
#include "interp/formats/notation.h"

enum { SYMMETRY_POSITIONS = 200, BREAKS_SHOWN = 12, RULES_LIMIT = 4 << 20, DEEP_POSITIONS = 40000, DEEP_SECONDS = 10 };

/* ---- check -------------------------------------------------------------------------------------------------------------------------- */

static void check_house(const char *path, joc_messages *m) {
    char *name = game_named(path);
    joc_rules *rules = name ? rules_beside(path, name, m) : NULL;
    house *h = rules || !name ? house_read(path, rules, m) : NULL;
    choices chosen = { 0 };
    if (h && rules) choices_house(&chosen, h, rules);
    if (h && rules) joc_game_free(joc_compile(rules, chosen.list, chosen.count, 0, m));
    choices_free(&chosen);
    house_free(h);
    joc_rules_free(rules);
    free(name);
}

static void check_match(const char *path, joc_messages *m) {
    match *record = match_read(path, m);
    joc_rules *rules = record ? rules_beside(path, record->game, m) : NULL;
    joc_game *game = rules ? joc_compile(rules, record->options.list, record->options.count, record->players, m) : NULL;
    char *changes = game ? match_changes(record, rules, game) : NULL;
    size_t done;
    if (changes) {
        text t = { 0 };
        text_format(&t, "the rules have changed since this match was recorded: %s", changes);
        joc_messages_add(m, "E0807", path, "", 0, 0, 0, t.data);
        text_free(&t);
    } else if (game) joc_position_free(match_replay(record, game, path, &done, m));
    free(changes);
    joc_game_free(game);
    joc_rules_free(rules);
    match_free(record);
}

static void check_notation(const char *path, joc_messages *m) {
    char *name = game_named(path);
    joc_rules *rules = rules_beside(path, name ? name : "", m);
    joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (game) notation_free(notation_read(game, path, m));
    joc_game_free(game);
    joc_rules_free(rules);
    free(name);
}

/* A map is read by rules that name it; these do nothing else. */
static void check_map(const char *path, joc_messages *m) {
    char *copy = text_copy(path), *again = text_copy(path);
    text rules = { 0 }, beside = { 0 };
    text_format(&rules, "game \"A map\"\nplayers A, B\nboard map \"%s\"\npiece Man\nturn { drop Man to empty }\ndraw when no empty\n", basename(copy));
    text_format(&beside, "%s/map.joc", dirname(again));
    joc_rules *r = joc_rules_parse(beside.data, rules.data, rules.length, m);
    if (r) joc_game_free(joc_compile(r, NULL, 0, 0, m));
    joc_rules_free(r);
    text_free(&rules);
    text_free(&beside);
    free(copy);
    free(again);
}

static joc_deep check_deep(const asked *a, const joc_rules *rules, joc_messages *m) {
    joc_deep r = { 0 };
    joc_game *game = joc_compile(rules, NULL, 0, 0, m);
    if (game) joc_deep_look(game, a->budget ? a->budget : DEEP_POSITIONS, a->seconds ? (double)a->seconds : DEEP_SECONDS, m, &r, &interrupted);
    joc_game_free(game);
    return r;
}

/* NULL if there is none to speak of. */
static joc_symmetry *check_symmetry(const joc_rules *rules, joc_messages *m) {
    joc_game *game = joc_compile(rules, NULL, 0, 0, m);
    joc_symmetry *s = game ? joc_symmetry_of(game, SYMMETRY_POSITIONS) : NULL;
    joc_game_free(game);
    return s;
}

/* What --deep and --symmetry find. */
typedef struct { joc_deep deep; joc_symmetry *symmetry; bool symmetry_asked; } findings;

static void check_file(const asked *a, const char *path, joc_messages *m, findings *found) {
    if (ends_with(path, ".notation.yaml")) check_notation(path, m);
    else if (ends_with(path, ".map.yaml")) check_map(path, m);
    else if (ends_with(path, ".house.yaml")) check_house(path, m);
    else if (ends_with(path, ".yaml") || ends_with(path, ".yml")) check_match(path, m);
    else {
        joc_rules *rules = joc_rules_load(path, m);
        bool good = rules && joc_rules_check(rules, m);
        if (good && a->deep) found->deep = check_deep(a, rules, m);
        if (good && a->symmetry) {
            found->symmetry_asked = true;
            found->symmetry = check_symmetry(rules, m);
        }
        joc_rules_free(rules);
    }
}

static bool readable(const char *path) {
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

static json_t *deep_json(const joc_deep *d) {
    json_t *j = json_object();
    json_object_set_new(j, "games", json_integer((json_int_t)d->games));
    json_object_set_new(j, "stuck", json_integer((json_int_t)d->stuck));
    json_object_set_new(j, "unfinished", json_integer((json_int_t)d->unfinished));
    json_object_set_new(j, "positions", json_integer((json_int_t)d->positions));
    json_object_set_new(j, "depth", json_integer(d->depth));
    json_object_set_new(j, "game", d->game ? json_text(d->game) : json_null());
    return j;
}

static json_t *symmetry_json(const joc_symmetry *s) {
    if (!s) return json_null();
    json_t *j = json_object(), *breaks = json_array();
    json_object_set_new(j, "by", json_text(s->turn));
    json_object_set_new(j, "holds", json_boolean(!s->break_count));
    json_object_set_new(j, "cells", json_integer((json_int_t)s->cells));
    json_object_set_new(j, "sets", json_integer((json_int_t)s->sets));
    json_object_set_new(j, "pieces", json_integer((json_int_t)s->pieces));
    json_object_set_new(j, "rules", json_boolean(s->rules));
    json_object_set_new(j, "tried", json_integer((json_int_t)s->tried));
    for (size_t i = 0; i < s->break_count; i++) json_array_append_new(breaks, json_text(s->breaks[i]));
    json_object_set_new(j, "breaks", breaks);
    return j;
}

static void symmetry_said(const char *path, const joc_symmetry *s) {
    if (!s) {
        printf("%s: no symmetry is looked for: one player, no board, or a map\n", path);
        return;
    }
    if (!s->break_count) {
        printf("%s: the sides are each other's image by %s: %zu cells, %zu named sets, %zu pieces of the set-up\n", path, s->turn, s->cells, s->sets, s->pieces);
        printf("%s: %s; tried out at %zu positions of random games\n", path, s->rules ? "nothing in the rules tells the sides apart" : "the rules name cells or players", s->tried);
        return;
    }
    printf("%s: the sides are not each other's image; nearest to it, by %s:\n", path, s->turn);
    for (size_t i = 0; i < s->break_count && i < BREAKS_SHOWN; i++) printf("  %s\n", s->breaks[i]);
    if (s->break_count > BREAKS_SHOWN) printf("  and %zu more\n", s->break_count - BREAKS_SHOWN);
}

static void file_said(const char *path, const joc_messages *m, const findings *found) {
    const joc_deep *deep = &found->deep;
    size_t errors = joc_messages_errors(m), warnings = joc_messages_warnings(m);
    messages_print(m);
    if (errors || warnings) printf("%s: %zu error%s, %zu warning%s\n", path, errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
    if (deep->positions) printf("%s: %" PRIu64 " positions looked at: all games of %d decisions, and %" PRIu64 " random ones\n", path, deep->positions, deep->depth, deep->games);
    if (found->symmetry_asked) symmetry_said(path, found->symmetry);
}

int command_check(asked *a) {
    json_t *files = json_array();
    size_t errors = 0, warnings = 0, dead = 0;
    bool unreadable = false;
    if (a->deep) catch_interrupts();
    for (size_t i = 0; i < a->word_count && !interrupted; i++) {
        joc_messages *m = joc_messages_new();
        findings found = { 0 };
        check_file(a, a->words[i], m, &found);
        unreadable = unreadable || (!readable(a->words[i]) && joc_messages_errors(m));
        errors += joc_messages_errors(m);
        warnings += joc_messages_warnings(m);
        dead += found.deep.game != NULL;
        if (!a->json) file_said(a->words[i], m, &found);
        json_t *j = json_object();
        json_object_set_new(j, "path", json_text(a->words[i]));
        json_object_set_new(j, "errors", json_integer((json_int_t)joc_messages_errors(m)));
        json_object_set_new(j, "warnings", json_integer((json_int_t)joc_messages_warnings(m)));
        json_object_set_new(j, "messages", json_messages(m));
        if (a->deep) json_object_set_new(j, "deep", deep_json(&found.deep));
        if (found.symmetry_asked) json_object_set_new(j, "symmetry", symmetry_json(found.symmetry));
        json_array_append_new(files, j);
        joc_symmetry_free(found.symmetry);
        joc_deep_free(&found.deep);
        joc_messages_free(m);
    }
    int code = interrupted ? EXIT_INTERRUPTED : unreadable ? EXIT_SYSTEM : errors || dead || (a->strict && warnings) ? EXIT_FAULTS : EXIT_DONE;
    json_t *answer = json_answer(a);
    json_object_set_new(answer, "ok", json_boolean(!code));
    json_object_set_new(answer, "files", files);
    if (a->json) return json_print(answer, code);
    json_decref(answer);
    return code;
}

/* ---- fmt ---------------------------------------------------------------------------------------------------------------------------- */
static char *read_input(const char *path, size_t *length) {
    if (strcmp(path, "-")) return file_read(path, RULES_LIMIT, length);
    text t = { 0 };
    char block[4096];
    for (size_t n; t.length < RULES_LIMIT && (n = fread(block, 1, sizeof block, stdin)) > 0;) text_add_bytes(&t, block, n);
    *length = t.length;
    return text_take(&t);
}

static int fmt_one(const asked *a, const char *path) {
    size_t length;
    char *before = read_input(path, &length);
    if (!before) {
        fprintf(stderr, "joc: cannot read '%s': %s\n", path, strerror(errno));
        return EXIT_SYSTEM;
    }
    joc_messages *m = joc_messages_new();
    char *after = joc_format(path, before, length, a->brackets, m);
    int code = EXIT_DONE;
    bool same = after && strlen(after) == length && !memcmp(after, before, length);
    if (!after) {
        messages_print(m);
        code = EXIT_FAULTS;
    } else if (a->brackets || (!strcmp(path, "-") && !a->check)) fputs(after, stdout);
    else if (a->check && !same) {
        printf("%s: the layout is another\n", path);
        code = EXIT_FAULTS;
    } else if (!a->check && !same && !file_write(path, after, strlen(after))) {
        fprintf(stderr, "joc: cannot write '%s': %s\n", path, strerror(errno));
        code = EXIT_SYSTEM;
    }
    joc_messages_free(m);
    free(after);
    free(before);
    return code;
}

int command_fmt(asked *a) {
    int worst = EXIT_DONE;
    for (size_t i = 0; i < a->word_count; i++) {
        int code = fmt_one(a, a->words[i]);
        if (code > worst) worst = code;
    }
    return worst;
}

/* ---- test --------------------------------------------------------------------------------------------------------------------------- */
typedef struct { const asked *asked; json_t *failures; } test_report;

static void on_failure(void *with, const char *path, unsigned line, unsigned column, const char *test, const char *what) {
    test_report *r = with;
    if (!r->asked->json) printf("%s:%u:%u: in test \"%s\": %s\n", path, line, column, test, what);
    json_t *j = json_object();
    json_object_set_new(j, "path", json_text(path));
    json_object_set_new(j, "line", json_integer(line));
    json_object_set_new(j, "column", json_integer(column));
    json_object_set_new(j, "test", json_text(test));
    json_object_set_new(j, "text", json_text(what));
    json_array_append_new(r->failures, j);
}

static void coverage_said(const char *path, const joc_coverage *c) {
    size_t made, both, rules = joc_coverage_rules(c, &made), conditions = joc_coverage_conditions(c, &both);
    for (size_t i = 0; i < joc_coverage_gaps(c); i++) {
        const joc_gap g = joc_coverage_gap(c, i);
        printf("%s:%u:%u: ", g.path, g.line, g.column);
        if (!strcmp(g.kind, "rule")) printf("rule '%s' is part of no move that a test names%s\n", g.rule, g.listed ? "" : ", nor of one that was counted");
        else printf("`%s` never %s\n", g.words, strcmp(g.kind, "held") ? "failed" : "held");
    }
    printf("%s: %zu of %zu rules made, %zu of %zu conditions held and failed\n", path, made, rules, both, conditions);
}

static json_t *coverage_json(const char *path, const joc_coverage *c) {
    size_t made, both, rules = joc_coverage_rules(c, &made), conditions = joc_coverage_conditions(c, &both);
    json_t *j = json_object(), *gaps = json_array();
    json_object_set_new(j, "path", json_text(path));
    json_object_set_new(j, "rules", json_integer((json_int_t)rules));
    json_object_set_new(j, "made", json_integer((json_int_t)made));
    json_object_set_new(j, "conditions", json_integer((json_int_t)conditions));
    json_object_set_new(j, "both", json_integer((json_int_t)both));
    for (size_t i = 0; i < joc_coverage_gaps(c); i++) {
        const joc_gap g = joc_coverage_gap(c, i);
        json_t *one = json_object();
        json_object_set_new(one, "kind", json_text(g.kind));
        json_object_set_new(one, "rule", json_text(g.rule));
        json_object_set_new(one, "words", json_text(g.words));
        json_object_set_new(one, "path", json_text(g.path));
        json_object_set_new(one, "line", json_integer(g.line));
        json_object_set_new(one, "column", json_integer(g.column));
        json_object_set_new(one, "listed", json_boolean(g.listed));
        json_array_append_new(gaps, one);
    }
    json_object_set_new(j, "gaps", gaps);
    return j;
}

static int test_one(asked *a, const char *path, joc_test_count *sum, json_t *failures, json_t *messages, json_t *coverage) {
    joc_messages *m = joc_messages_new();
    char *found = joc_find_game(path);
    joc_rules *rules = joc_rules_load(path, m);
    test_report report = { a, failures };
    joc_test_count count = { 0 };
    joc_coverage *covered = NULL;
    if (rules) count = joc_test_covered(rules, on_failure, &report, m, a->coverage ? &covered : NULL);
    int code = !found ? EXIT_SYSTEM : !rules || joc_messages_errors(m) || count.failed ? EXIT_FAULTS : EXIT_DONE;
    if (!a->json) messages_print(m);
    json_t *list = json_messages(m);
    json_array_extend(messages, list);
    json_decref(list);
    if (!a->json && rules) printf("%s: %" PRIu64 " test%s, %" PRIu64 " check%s, %" PRIu64 " failed\n", path, count.tests, count.tests == 1 ? "" : "s", count.checks, count.checks == 1 ? "" : "s", count.failed);
    if (covered && a->json) json_array_append_new(coverage, coverage_json(path, covered));
    else if (covered) coverage_said(path, covered);
    joc_coverage_free(covered);
    sum->tests += count.tests, sum->checks += count.checks, sum->failed += count.failed;
    joc_rules_free(rules);
    joc_messages_free(m);
    free(found);
    return code;
}

int command_test(asked *a) {
    joc_test_count sum = { 0 };
    json_t *failures = json_array(), *messages = json_array(), *coverage = json_array(), *answer = json_answer(a);
    int worst = EXIT_DONE;
    for (size_t i = 0; i < a->word_count; i++) {
        int code = test_one(a, a->words[i], &sum, failures, messages, coverage);
        if (code > worst) worst = code;
    }
    json_object_set_new(answer, "ok", json_boolean(!worst));
    json_object_set_new(answer, "tests", json_integer((json_int_t)sum.tests));
    json_object_set_new(answer, "checks", json_integer((json_int_t)sum.checks));
    json_object_set_new(answer, "failed", json_integer((json_int_t)sum.failed));
    json_object_set_new(answer, "failures", failures);
    json_object_set_new(answer, "messages", messages);
    if (a->coverage) json_object_set(answer, "coverage", coverage);
    json_decref(coverage);
    if (a->json) return json_print(answer, worst);
    json_decref(answer);
    return worst;
}

/* ---- new ---------------------------------------------------------------------------------------------------------------------------- */
static const char starter[] =
    "# %s: a rule file to start from. Try it: joc check %s, joc play %s\n"
    "game \"%s\"\n"
    "players White north, Black south          # in order of play, and which way each faces\n"
    "board square 5 by 5                       # also: cylinder, torus, hex, hexagon, star, strip, drawn, map\n"
    "option passing = no                       \"a player may pass\"\n"
    "\n"
    "piece Man \"M\" {\n"
    "  move: step ahead to empty               # straight on, or\n"
    "      | step forward diagonal to not own  # aslant, taking what stands there\n"
    "}\n"
    "\n"
    "setup {                                   # top row first; upper case is the first player's\n"
    "  \"mmmmm\"\n"
    "  \".....\"\n"
    "  \".....\"\n"
    "  \".....\"\n"
    "  \"MMMMM\"\n"
    "}\n"
    "\n"
    "turn { move | when passing, pass else lose }\n"
    "win when any own row 5                    # the far side is reached: rows count from one's own edge\n"
    "win when no enemy\n"
    "\n"
    "test \"the start\" {\n"
    "  expect moves = 13\n"
    "  legal \"c1-c2\"; illegal \"c1-c3\"\n"
    "}\n";

static const char starter_variant[] =
    "# %s: a variant. What is not said here is as in the parent. Try it: joc check %s\n"
    "variant \"%s\" of \"%s\"\n"
    "# replace turn { ... }      puts another item in the place of the one there\n"
    "# without win               takes items away\n"
    "# option NAME = VALUE       gives an option another default; `joc options %s` lists them\n";

int command_new(asked *a) {
    const char *name = a->words[0];
    text path = { 0 }, out = { 0 };
    text_format(&path, "%s%s", name, ends_with(name, ".joc") ? "" : ".joc");
    char *copy = text_copy(path.data), *title = basename(copy);
    title[strlen(title) - 4] = 0;
    char *found = a->from ? joc_find_game(a->from) : NULL;
    int code = EXIT_DONE, fd = -1;
    if (!*title || strpbrk(title, "\"\\\n#")) code = use_error(a, "'%s' is no name for a game", name);
    else if (a->from && !found) {
        fprintf(stderr, "joc: no rule file and no installed game is named '%s'\n", a->from);
        code = EXIT_SYSTEM;
    } else if (a->from) text_format(&out, starter_variant, title, path.data, title, a->from, a->from);
    else text_format(&out, starter, title, path.data, path.data, title);
    joc_messages *m = joc_messages_new();
    char *laid_out = code ? NULL : joc_format(path.data, out.data, out.length, false, m);
    joc_messages_free(m);
    if (!code && (fd = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0) {
        fprintf(stderr, "joc: cannot write '%s': %s\n", path.data, strerror(errno));
        code = EXIT_SYSTEM;
    }
    if (fd >= 0) {
        close(fd);
        const char *written = laid_out ? laid_out : out.data;
        if (!file_write(path.data, written, strlen(written))) {
            fprintf(stderr, "joc: cannot write '%s': %s\n", path.data, strerror(errno));
            unlink(path.data);
            code = EXIT_SYSTEM;
        } else printf("wrote %s; `joc play %s` plays it\n", path.data, path.data);
    }
    free(laid_out);
    free(found);
    free(copy);
    text_free(&path);
    text_free(&out);
    return code;
}
