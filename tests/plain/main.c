/* plain: the second evaluator at the command line.
 *
 *     plain perft FILE DEPTH [--option k=v]... [--players N] [--at TEXT] [--turns] [--paths] [--play-on] [--divide]
 *     plain moves FILE [--option k=v]... [--at TEXT] [--after MOVE]...     the moves at hand, sorted; chance with its weights
 *                                                                            TEXT: a FEN, a PDN position, or a state text
 *     plain state FILE [the same]                                          the state text and the result text
 *     plain random N FILE [--seed S] [--cap C] [--tell]                    N random games; --tell: every ply of them
 *     plain test FILE...                                                   the tests of the files */
#include <stdlib.h>
#include <string.h>
#include "plain.h"

enum { SETTINGS_MAX = 64, AFTER_MAX = 512 };
typedef struct {
    plain_setting settings[SETTINGS_MAX]; size_t setting_count;
    int players;
    const char *at;
    const char *after[AFTER_MAX]; size_t after_count;
    plain_how how;
    bool divide, tell;
    uint64_t seed;
    long cap;
    const char *words[256]; size_t word_count;
} arguments;

static int complain(const char *what) {
    fprintf(stderr, "plain: %s\n", what);
    return 2;
}

static bool setting_add(arguments *a, char *s) {
    char *equals = s ? strchr(s, '=') : NULL;
    if (!equals || a->setting_count == SETTINGS_MAX) return false;
    *equals = 0;
    a->settings[a->setting_count++] = (plain_setting){ s, equals + 1 };
    return true;
}

static bool read_arguments(arguments *a, int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        char *s = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(s, "--turns")) a->how.turns = true;
        else if (!strcmp(s, "--paths")) a->how.paths = true;
        else if (!strcmp(s, "--play-on")) a->how.play_on = true;
        else if (!strcmp(s, "--divide")) a->divide = true;
        else if (!strcmp(s, "--tell")) a->tell = true;
        else if (strncmp(s, "--", 2)) {
            if (a->word_count < 256) a->words[a->word_count++] = s;
            continue;
        } else if (!next) return false;
        else if (i++, !strcmp(s, "--option")) {
            if (!setting_add(a, next)) return false;
        } else if (!strcmp(s, "--players")) a->players = atoi(next);
        else if (!strcmp(s, "--at")) a->at = next;
        else if (!strcmp(s, "--seed")) a->seed = strtoull(next, NULL, 10);
        else if (!strcmp(s, "--cap")) a->cap = atol(next);
        else if (!strcmp(s, "--after") && a->after_count < AFTER_MAX) a->after[a->after_count++] = next;
        else return false;
    }
    return true;
}

static tree *tree_of(const char *path) {
    char folder[1024] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) < sizeof folder) snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    const char *const folders[] = { folder, "games", NULL };
    diagnostics *d = diag_new();
    tree *t = tree_load(path, folders, d);
    if (d->errors || !t) {
        char *s = diag_text(d, false);
        fputs(s, stderr);
        free(s);
        if (t) tree_free(t);
        t = NULL;
    }
    diag_free(d);
    return t;
}

static plain_game *game_of(const arguments *a, const tree *t) {
    char *why = NULL;
    plain_game *g = t ? plain_open(t, a->settings, a->setting_count, a->players, &why) : NULL;
    if (t && !g) fprintf(stderr, "plain: %s: %s\n", t->path, why);
    free(why);
    return g;
}

/* Plays `m`; chance is asked for by the text of its outcome. */
static plain_position *played(plain_game *g, plain_position *p, const char *m) {
    plain_node *n = plain_expand(p);
    int i = n ? plain_find(n, m) : -1;
    plain_position *q = NULL;
    if (i >= 0) {
        q = n->outcomes[i].after;
        n->outcomes[i].after = NULL;
    } else fprintf(stderr, "plain: '%s': %s\n", m, plain_error(g) ? plain_error(g) : i == -1 ? "no such move" : "several moves fit");
    plain_node_free(n);
    plain_free(p);
    return q;
}

static plain_position *position_of(const arguments *a, plain_game *g) {
    plain_position *p = a->at && !strncmp(a->at, "mover=", 6) ? plain_read(g, a->at) : a->at ? plain_at(g, a->at) : plain_start(g, a->seed);
    if (!p) fprintf(stderr, "plain: %s\n", plain_error(g) ? plain_error(g) : "no position");
    for (size_t i = 0; p && i < a->after_count; i++) p = played(g, p, a->after[i]);
    return p;
}

static int do_perft(const arguments *a, plain_game *g, plain_position *p, int depth) {
    if (a->divide) {
        plain_node *n = plain_expand(p);
        uint64_t sum = 0;
        for (size_t i = 0; n && i < n->count; i++) {
            uint64_t c = plain_perft(n->outcomes[i].after, depth - (n->kind == PLAIN_DECISION), a->how);
            printf("%s: %llu\n", n->outcomes[i].text, (unsigned long long)c);
            sum += c;
        }
        plain_node_free(n);
        printf("%llu\n", (unsigned long long)sum);
        return 0;
    }
    for (int d = 1; d <= depth; d++) {
        uint64_t n = plain_perft(p, d, a->how);
        if (plain_error(g)) return complain(plain_error(g));
        printf("%d %llu\n", d, (unsigned long long)n);
        fflush(stdout);
    }
    return 0;
}

static int do_moves(plain_game *g, plain_position *p) {
    static const char *const words[] = { "decision", "chance", "over", "stuck" };
    plain_node *n = plain_expand(p);
    if (!n) return complain(plain_error(g));
    printf("%s %s %zu\n", words[n->kind], n->player >= 0 ? plain_player(g, n->player) : "-", n->count);
    for (size_t i = 0; i < n->count; i++) {
        printf("%s", n->outcomes[i].text);
        if (n->kind == PLAIN_CHANCE) printf("\t%llu", (unsigned long long)n->outcomes[i].weight);
        putchar('\n');
    }
    plain_node_free(n);
    return 0;
}

static int do_state(plain_position *p) {
    char *s = plain_state_text(p), *r = plain_result_text(p);
    printf("%s\n%s\n", s, r);
    free(s);
    free(r);
    return 0;
}

static int do_random(const arguments *a, plain_game *g, long games) {
    long total = 0;
    for (long i = 0; i < games; i++) {
        long n = plain_random(g, a->seed + (uint64_t)i, a->cap, a->tell ? stdout : NULL);
        if (n < 0) return complain(plain_error(g));
        total += n;
    }
    printf("%ld games, %.1f decisions on average\n", games, games ? (double)total / (double)games : 0.0);
    return 0;
}

static int do_test(const arguments *a) {
    size_t all = 0, bad = 0;
    for (size_t i = 0; i < a->word_count; i++) {
        tree *t = tree_of(a->words[i]);
        size_t passed = 0, failed = 1;
        if (t) failed = plain_test(t, stdout, &passed);
        printf("%s: %zu passed, %zu failed\n", a->words[i], passed, failed);
        fflush(stdout);
        all += passed, bad += failed;
        if (t) tree_free(t);
    }
    printf("%zu passed, %zu failed\n", all, bad);
    return bad != 0;
}

static int with_game(const arguments *a, const char *what) {
    bool perft = !strcmp(what, "perft"), random = !strcmp(what, "random");
    if (a->word_count < (perft || random ? 2 : 1)) return complain("a file is missing");
    tree *t = tree_of(a->words[random ? 1 : 0]);
    plain_game *g = game_of(a, t);
    plain_position *p = g && !random ? position_of(a, g) : NULL;
    int code = 1;
    if (g && random) code = do_random(a, g, atol(a->words[0]));
    else if (p && perft) code = do_perft(a, g, p, atoi(a->words[1]));
    else if (p && !strcmp(what, "moves")) code = do_moves(g, p);
    else if (p && !strcmp(what, "state")) code = do_state(p);
    plain_free(p);
    plain_close(g);
    if (t) tree_free(t);
    return code;
}

int main(int argc, char **argv) {
    static arguments a = { .seed = 1, .cap = 1000 };
    if (argc < 2) return complain("perft, moves, state, random or test?");
    if (!read_arguments(&a, argc, argv)) return complain("cannot read the arguments");
    if (!strcmp(argv[1], "test")) return do_test(&a);
    return with_game(&a, argv[1]);
}
