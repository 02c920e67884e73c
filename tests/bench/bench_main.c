/* bench: how far the machine is from programs written by hand.
 *
 *     bench [SECTION...]         honest playouts perft load scaling rates; without one, all but the last
 *     bench --only GAME,...      the games of `playouts`
 *     bench --interpreted        without the machines compiled for the games (perft, too, is counted by them otherwise)
 *     bench --native             without the interpreter
 *     bench --rounds N           alternations of the two sides (default 5)
 *     bench --seconds S          time for each side of a round (default 0.2)
 *     bench REFERENCE --perft DEPTH [POSITION]      a reference's own count, to see that it is honest
 *
 * Absolute times mean nothing on a noisy machine: the two sides take turns within one run, and the ratio of each
 * round is what counts. Both sides play from the start to the end of the game, choosing uniformly among the legal
 * moves; columns of lengths and results show that they play the same game. Section `honest` compares what the
 * references count with published numbers. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "interp/joc.h"

static const bench_reference REFERENCES[] = {
#define REFERENCE(name, game, options) {#name, game, options, name##_playouts, name##_perft, false}
    REFERENCE(breakthrough, "breakthrough", ""),
    REFERENCE(connect_four, "connect-four", ""),
    REFERENCE(reversi, "reversi", ""),
    REFERENCE(english_draughts, "english-draughts", ""),
    REFERENCE(chess, "chess", ""),
    REFERENCE(hex, "hex", "swap=no"),
    REFERENCE(amazons, "amazons", ""),
    REFERENCE(go, "go", "size=9 komi=15 ko=positional suicide=no"),
    REFERENCE(backgammon, "backgammon", ""),
    REFERENCE(ur, "ur", ""),
    REFERENCE(ur_finkel, "ur-finkel", ""),
    REFERENCE(kalah, "kalah", "empty_capture=yes"),
    {"dracones", "dracones", "mode=territories target=18", dracones_playouts, dracones_perft, true},
    REFERENCE(dacii, "dacii-si-romanii", "begins=roman"),
#undef REFERENCE
};
enum { REFERENCE_COUNT = sizeof REFERENCES / sizeof *REFERENCES, ROUNDS_MAX = 99, CAP = 1 << 20 };

typedef struct {
    const char *only;
    unsigned rounds;
    double seconds;
    bool interpreted, native;
} settings;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_now(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }
static double wall_now(void) { return now(CLOCK_MONOTONIC); }

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- games ------------------------------------------------------------------------------------------------ */

/* The rule file in this folder's games/, else wherever the library finds it; NULL if there is none. */
static char *rules_path(const char *name) {
    char path[512];
    snprintf(path, sizeof path, strchr(name, '/') ? "%s" : "games/%s.joc", name);
    return access(path, R_OK) == 0 ? strdup(path) : joc_find_game(name);
}

static bool game_exists(const char *name) {
    char *path = rules_path(name);
    const bool exists = path != NULL;
    free(path);
    return exists;
}

static joc_rules *rules_load(const char *name, joc_messages *m) {
    char *path = rules_path(name);
    joc_rules *rules = path ? joc_rules_load(path, m) : NULL;
    if (!path) fprintf(stderr, "%s: there is no rule file\n", name);
    free(path);
    return rules;
}

static joc_game *game_load(const char *name, const char *options) {
    joc_messages *m = joc_messages_new();
    char text[256];
    joc_setting given[8];
    size_t count = 0;
    snprintf(text, sizeof text, "%s", options);
    for (char *rest = text, *item; count < 8 && (item = strtok_r(rest, " ", &rest)) != NULL; count++) {
        char *equals = strchr(item, '=');
        if (equals) *equals = '\0';
        given[count] = (joc_setting){item, equals ? equals + 1 : "yes"};
    }
    joc_rules *rules = rules_load(name, m);
    joc_game *game = rules ? joc_compile(rules, given, count, 0, m) : NULL;
    if (!game) {
        char *why = joc_messages_text(m, false);
        if (joc_messages_count(m)) fprintf(stderr, "%s: not measured\n%s", name, why);
        free(why);
    }
    joc_rules_free(rules);
    joc_messages_free(m);
    return game;
}

static bool is_wanted(const settings *s, const char *game) {
    if (!s->only) return true;
    const size_t length = strlen(game);
    for (const char *at = s->only; (at = strstr(at, game)) != NULL; at += length)
        if ((at == s->only || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return true;
    return false;
}

/* ---- honest ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *reference, *position;
    unsigned depth;
    uint64_t nodes;
} COUNTS[] = {
    {"breakthrough", NULL, 5, 6182818},
    {"connect_four", NULL, 8, 5673234},
    {"reversi", NULL, 9, 3005288},
    {"english_draughts", NULL, 9, 3963680},
    {"chess", NULL, 5, 4865609},
    {"chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
    {"chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"chess", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"chess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"hex", "3", 9, 120960},
    {"amazons", NULL, 1, 2176},
    {"go", "5", 4, 361041},
    {"kalah", "no empty capture", 9, 2763490},
    {"backgammon", "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0 ; dice 11", 1, 42},
    {"backgammon", "0 2 1 0 0 2 3 1 1 2 0 0 -1 0 -1 0 0 3 0 -3 -2 0 -1 -2 -3 2 ; dice 22", 1, 146},
};

static const bench_reference *reference_find(const char *name) {
    for (unsigned i = 0; i < REFERENCE_COUNT; i++)
        if (strcmp(REFERENCES[i].name, name) == 0) return &REFERENCES[i];
    return NULL;
}

static void honest_section(const settings *s) {
    unsigned agree = 0, wanted = 0;
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        const bench_reference *r = reference_find(COUNTS[i].reference);
        if (!r || !is_wanted(s, r->game)) continue;
        const uint64_t nodes = r->perft(COUNTS[i].depth, COUNTS[i].position);
        wanted++;
        agree += nodes == COUNTS[i].nodes;
        if (nodes != COUNTS[i].nodes)
            printf("%s depth %u: %llu, published %llu\n", r->name, COUNTS[i].depth, (unsigned long long)nodes,
                   (unsigned long long)COUNTS[i].nodes);
    }
    printf("The references written by hand agree with %u of %u published counts\n\n", agree, wanted);
}

/* ---- playouts --------------------------------------------------------------------------------------------- */

/* What one side came to, over all its rounds. */
typedef struct {
    double games, plies, plies_square, first, second;
} totals;

static double reference_run(const bench_reference *r, uint64_t games, uint64_t seed, totals *t, double *plies) {
    const double begun = cpu_now();
    const bench_count c = r->playouts(games, seed);
    const double spent = cpu_now() - begun;
    t->games += (double)c.playouts;
    t->plies += *plies = (double)c.plies;
    t->first += (double)c.wins[0];
    t->second += (double)c.wins[1];
    return spent;
}

static double machine_run(const joc_game *game, bool by_turns, uint64_t games, uint64_t seed, totals *t, double *plies) {
    joc_tally tally;
    memset(&tally, 0, sizeof tally);
    const double begun = cpu_now();
    joc_playouts(game, games, seed, CAP, 0, &tally, NULL);
    const double spent = cpu_now() - begun;
    t->games += (double)tally.games;
    /* A reference with dice counts a ply for every turn: also for those in which nothing can be chosen, which are no decisions of the tally, and once
     * for the several decisions of a turn. */
    const double share = by_turns && joc_game_has_chance(game) ? (double)tally.turns / (double)tally.decisions : 1;
    t->plies += *plies = share * (double)tally.decisions;
    t->plies_square += share * share * tally.decisions_square;
    t->first += (double)tally.wins[0];
    t->second += (double)tally.wins[1];
    return spent;
}

/* How many games take about this long. */
static uint64_t reference_games(const bench_reference *r, double seconds) {
    totals ignored = {0};
    double plies;
    for (uint64_t games = 16;; games *= 4) {
        const double spent = reference_run(r, games, games, &ignored, &plies);
        if (spent > seconds / 8) return (uint64_t)((double)games * seconds / spent) + 1;
    }
}

static uint64_t machine_games(const joc_game *game, double seconds) {
    totals ignored = {0};
    double plies;
    for (uint64_t games = 4;; games *= 4) {
        const double spent = machine_run(game, true, games, games, &ignored, &plies);
        if (spent > seconds / 8) return (uint64_t)((double)games * seconds / spent) + 1;
    }
}

/* Standard deviations between two means or shares: beyond 4 the two sides do not play the same game. */
static double shares_apart(double a, double a_count, double b, double b_count) {
    const double share = (a + b) / (a_count + b_count), spread = share * (1 - share) * (1 / a_count + 1 / b_count);
    return spread > 0 ? fabs(a / a_count - b / b_count) / sqrt(spread) : 0;
}

static double lengths_apart(const totals *hand, const totals *machine) {
    const double mean = machine->plies / machine->games, variance = machine->plies_square / machine->games - mean * mean;
    const double spread = fmax(variance, 1e-12) * (1 / hand->games + 1 / machine->games);
    return fabs(hand->plies / hand->games - mean) / sqrt(spread);
}

/* One of the machines: the interpreter, or the game's own. */
typedef struct {
    joc_game *game;
    uint64_t games;
    totals totals;
    double ns[ROUNDS_MAX], ratios[ROUNDS_MAX], compiling;
} side;

/* Loads the game; false if it cannot be, or if a machine of its own is wanted and there is none. */
static bool side_open(side *m, const bench_reference *r, const settings *s, bool own) {
    *m = (side){.game = game_load(r->game, r->options)};
    char *why = NULL;
    const double begun = wall_now();
    if (m->game && own && !joc_native(m->game, &why)) {
        fprintf(stderr, "%s: %s\n", r->game, why);
        joc_game_free(m->game);
        m->game = NULL;
    }
    free(why);
    m->compiling = wall_now() - begun;
    if (m->game) m->games = machine_games(m->game, s->seconds);
    return m->game != NULL;
}

static void side_round(side *m, const bench_reference *r, unsigned round, double hand_ns) {
    double plies;
    if (!m->game) return;
    const double spent = machine_run(m->game, !r->decisions, m->games, 1 + round * m->games, &m->totals, &plies);
    m->ns[round] = 1e9 * spent / plies;
    m->ratios[round] = m->ns[round] / hand_ns;
}

static void side_sort(side *m, unsigned rounds) {
    qsort(m->ns, rounds, sizeof *m->ns, by_size);
    qsort(m->ratios, rounds, sizeof *m->ratios, by_size);
}

static void side_print(const side *m, unsigned rounds) {
    if (m->game) printf(" %8.1f %6.2f %6.2f %6.2f ", m->ns[rounds / 2], m->ratios[0], m->ratios[rounds / 2], m->ratios[rounds - 1]);
    else printf(" %8s %6s %6s %6s ", "-", "-", "-", "-");
}

static bool same_game(const totals *hand, const totals *machine) {
    return lengths_apart(hand, machine) < 4 && shares_apart(hand->first, hand->games, machine->first, machine->games) < 4 &&
           shares_apart(hand->second, hand->games, machine->second, machine->games) < 4;
}

static void playouts_print(const bench_reference *r, const totals *hand, double hand_ns, const side *plain, const side *own, unsigned rounds) {
    const totals *machine = plain->game ? &plain->totals : &own->totals;
    const bool same = same_game(hand, machine) && (!own->game || same_game(hand, &own->totals));
    printf("%-17s %8.1f ", r->game, hand_ns);
    side_print(plain, rounds);
    side_print(own, rounds);
    if (own->game) printf(" %6.2f ", own->compiling);
    else printf(" %6s ", "-");
    printf(" %8.2f %8.2f  %5.1f %5.1f  %5.1f %5.1f  %s\n", hand->plies / hand->games, machine->plies / machine->games, 100 * hand->first / hand->games,
           100 * machine->first / machine->games, 100 * hand->second / hand->games, 100 * machine->second / machine->games, same ? "yes" : "NO");
    fflush(stdout);
}

static void playouts_row(const bench_reference *r, const settings *s) {
    side plain = {0}, own = {0};
    totals hand = {0};
    double hand_ns[ROUNDS_MAX];
    bool any = s->interpreted && side_open(&plain, r, s, false);
    any = (s->native && side_open(&own, r, s, true)) || any;
    if (!any) return;
    const uint64_t hand_games = reference_games(r, s->seconds);
    for (unsigned i = 0; i < s->rounds; i++) {
        double plies;
        const double spent = reference_run(r, hand_games, 1 + i, &hand, &plies);
        hand_ns[i] = 1e9 * spent / plies;
        side_round(&plain, r, i, hand_ns[i]);
        side_round(&own, r, i, hand_ns[i]);
    }
    qsort(hand_ns, s->rounds, sizeof *hand_ns, by_size);
    side_sort(&plain, s->rounds);
    side_sort(&own, s->rounds);
    playouts_print(r, &hand, hand_ns[s->rounds / 2], &plain, &own, s->rounds);
    joc_game_free(plain.game);
    joc_game_free(own.game);
}

static void playouts_section(const settings *s) {
    printf("Random playouts, written by hand, from the rule file by the interpreter, and by a machine compiled for the game; %u rounds of %.2f s each, processor time\n", s->rounds, s->seconds);
    printf("%-17s %8s  %8s %-20s  %8s %-20s  %6s  %17s  %11s  %11s\n", "", "by hand", "interpr.", "       ratio", "native", "       ratio", "made", "plies a game", "first wins", "second");
    printf("%-17s %8s  %8s %6s %6s %6s  %8s %6s %6s %6s  %6s  %8s %8s  %5s %5s  %5s %5s  %s\n", "game", "ns a ply", "ns a ply", "least", "median", "most", "ns a ply", "least", "median", "most",
           "in s", "hand", "rules", "hand", "rules", "hand", "rules", "same game");
    for (unsigned i = 0; i < REFERENCE_COUNT; i++)
        if (is_wanted(s, REFERENCES[i].game)) playouts_row(&REFERENCES[i], s);
    putchar('\n');
}

/* ---- perft of chess, beside fairy-stockfish --------------------------------------------------------------- */

typedef struct {
    FILE *to, *from;
    pid_t process;
} engine;

static bool engine_start(engine *e) {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) return false;
    e->process = fork();
    if (e->process == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execlp("fairy-stockfish", "fairy-stockfish", (char *)NULL);
        execl("/usr/games/fairy-stockfish", "fairy-stockfish", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    e->to = fdopen(in[1], "w");
    e->from = fdopen(out[0], "r");
    if (e->process < 0 || !e->to || !e->from) return false;
    char line[512];
    if (fputs("uci\n", e->to) < 0 || fflush(e->to) != 0) return false;
    while (fgets(line, sizeof line, e->from))
        if (strncmp(line, "uciok", 5) == 0) return true;
    return false;
}

static void engine_stop(engine *e) {
    if (e->to) {
        fputs("quit\n", e->to);
        fclose(e->to);
    }
    if (e->from) fclose(e->from);
    if (e->process > 0) waitpid(e->process, NULL, 0);
}

static uint64_t engine_perft(engine *e, const char *fen, int depth, double *seconds) {
    char line[512];
    unsigned long long nodes = 0;
    fprintf(e->to, "position fen %s\n", fen);
    const double begun = wall_now();
    fprintf(e->to, "go perft %d\n", depth);
    fflush(e->to);
    while (fgets(line, sizeof line, e->from))
        if (sscanf(line, "Nodes searched: %llu", &nodes) == 1) break;
    *seconds = wall_now() - begun;
    return nodes;
}

static const struct {
    const char *fen;
    int depth;
} PERFT[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4},
};

static uint64_t machine_perft(const joc_position *p, int depth, double *seconds) {
    const double begun = wall_now();
    const uint64_t nodes = joc_perft(p, depth, (joc_perft_how){.play_on = true}, NULL);
    *seconds = wall_now() - begun;
    return nodes;
}

static void perft_row(const joc_position *p, engine *e, const char *fen, int depth, unsigned rounds) {
    double ratios[ROUNDS_MAX], ours[ROUNDS_MAX], theirs[ROUNDS_MAX], less;
    uint64_t nodes = 0, other = 0;
    machine_perft(p, depth - 1, &less);
    if (less > 0.5) depth--;
    for (unsigned i = 0; i < rounds; i++) {
        nodes = machine_perft(p, depth, &ours[i]);
        theirs[i] = NAN;
        other = e ? engine_perft(e, fen, depth, &theirs[i]) : nodes;
        ratios[i] = ours[i] / theirs[i];
    }
    qsort(ratios, rounds, sizeof *ratios, by_size);
    qsort(ours, rounds, sizeof *ours, by_size);
    qsort(theirs, rounds, sizeof *theirs, by_size);
    printf("%-72s %d %10llu  %8.1f %8.1f  %6.2f %6.2f %6.2f  %s\n", fen, depth, (unsigned long long)nodes,
           1e-6 * (double)nodes / theirs[rounds / 2], 1e-6 * (double)nodes / ours[rounds / 2], ratios[0], ratios[rounds / 2],
           ratios[rounds - 1], nodes == other ? "equal" : "DIFFERENT");
    fflush(stdout);
}

static void perft_table(const settings *s, bool own) {
    joc_game *game = game_load("chess", "");
    if (!game) return;
    if (own && !joc_native(game, NULL)) fprintf(stderr, "chess: not compiled\n");
    engine e = {0};
    const bool have = engine_start(&e);
    printf("Perft of chess from the rule file by %s beside fairy-stockfish (%s), elapsed time, one thread each\n", joc_is_native(game) ? "a machine compiled for it" : "the interpreter",
           have ? "11.1 in Debian; counts the last ply in bulk" : "not installed: only ours");
    printf("%-72s %s %10s  %17s  %20s\n", "", " ", "", "million nodes/s", "time ratio");
    printf("%-72s %s %10s  %8s %8s  %6s %6s %6s\n", "position", "d", "nodes", "theirs", "ours", "least", "median", "most");
    joc_messages *m = joc_messages_new();
    for (size_t i = 0; i < sizeof PERFT / sizeof *PERFT; i++) {
        joc_position *p = joc_position_parse(game, PERFT[i].fen, m);
        if (!p) {
            printf("%s: not read\n", PERFT[i].fen);
            continue;
        }
        perft_row(p, have ? &e : NULL, PERFT[i].fen, PERFT[i].depth, s->rounds > 3 ? 3 : s->rounds);
        joc_position_free(p);
    }
    putchar('\n');
    joc_messages_free(m);
    engine_stop(&e);
    joc_game_free(game);
}

static void perft_section(const settings *s) {
    if (s->interpreted) perft_table(s, false);
    if (s->native) perft_table(s, true);
}

/* ---- load, memory ----------------------------------------------------------------------------------------- */

static void load_row(const char *name, unsigned rounds) {
    double times[ROUNDS_MAX];
    for (unsigned i = 0; i < rounds; i++) {
        joc_messages *m = joc_messages_new();
        const double begun = cpu_now();
        joc_rules *rules = rules_load(name, m);
        if (rules) joc_rules_check(rules, m);
        joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
        times[i] = cpu_now() - begun;
        joc_game_free(game);
        joc_rules_free(rules);
        joc_messages_free(m);
        if (!game) return;
    }
    joc_game *game = game_load(name, "");
    if (!game) return;
    const struct mallinfo2 before = mallinfo2();
    joc_position *p = joc_start(game, 1);
    joc_random random = joc_random_seed(1);
    joc_playout(p, &random, CAP);
    const struct mallinfo2 after = mallinfo2();
    qsort(times, rounds, sizeof *times, by_size);
    printf("%-17s %8.2f %8.2f  %8.0f\n", name, 1e3 * times[0], 1e3 * times[rounds / 2],
           (double)(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / 1024);
    joc_position_free(p);
    joc_game_free(game);
}

static void load_section(const settings *s) {
    printf("Reading, checking and compiling a rule file; memory of a position that has played one game\n");
    printf("%-17s %8s %8s  %8s\n", "game", "least ms", "median", "KiB");
    for (unsigned i = 0; i < REFERENCE_COUNT; i++)
        if (is_wanted(s, REFERENCES[i].game) && game_exists(REFERENCES[i].game)) load_row(REFERENCES[i].game, s->rounds);
    putchar('\n');
}

/* ---- scaling ---------------------------------------------------------------------------------------------- */

typedef struct {
    const joc_game *game;
    uint64_t games, seed;
    joc_tally tally;
} shard;

static void *shard_run(void *with) {
    shard *s = with;
    joc_playouts(s->game, s->games, s->seed, CAP, 0, &s->tally, NULL);
    return NULL;
}

/* Elapsed and processor time of so many games. */
typedef struct {
    double wall, cpu;
    uint64_t plies;
} span;

static span shards_run(const joc_game *game, unsigned threads, uint64_t games) {
    shard shards[64];
    pthread_t ids[64];
    memset(shards, 0, sizeof shards);
    span spent = {-wall_now(), -cpu_now(), 0};
    for (unsigned i = 0; i < threads; i++) {
        shards[i] = (shard){.game = game, .games = games / threads, .seed = 1 + i * (games / threads)};
        pthread_create(&ids[i], NULL, shard_run, &shards[i]);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        spent.plies += shards[i].tally.decisions;
    }
    spent.wall += wall_now();
    spent.cpu += cpu_now();
    return spent;
}

static void scaling_row(const joc_game *game, const char *name, unsigned threads, const settings *s) {
    const uint64_t games = (machine_games(game, s->seconds) + threads) / threads * threads;
    double gains[ROUNDS_MAX], costs[ROUNDS_MAX];
    bool equal = true;
    for (unsigned round = 0; round < s->rounds; round++) {
        const span alone = shards_run(game, 1, games), together = shards_run(game, threads, games);
        gains[round] = alone.wall / together.wall / threads;
        costs[round] = alone.cpu / together.cpu;
        equal = equal && alone.plies == together.plies;
    }
    qsort(gains, s->rounds, sizeof *gains, by_size);
    qsort(costs, s->rounds, sizeof *costs, by_size);
    printf("%-17s %8.2f %8.2f  %s\n", name, gains[s->rounds / 2], costs[s->rounds / 2], equal ? "equal" : "DIFFERENT");
    fflush(stdout);
}

static void scaling_section(const settings *s) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned threads = cores < 1 ? 1 : cores > 64 ? 64 : (unsigned)cores;
    printf("The same playouts on one thread and on %u: speed gained by each thread, elapsed and in processor time; 1.00 is perfect.\n"
           "The first means something only where nothing else runs, the second shows what threads cost each other.\n", threads);
    printf("%-17s %8s %8s  %s\n", "game", "elapsed", "processor", "results");
    for (unsigned i = 0; i < REFERENCE_COUNT; i++) {
        if (!is_wanted(s, REFERENCES[i].game) || !game_exists(REFERENCES[i].game)) continue;
        joc_game *game = game_load(REFERENCES[i].game, REFERENCES[i].options);
        if (!game) continue;
        scaling_row(game, REFERENCES[i].game, threads, s);
        joc_game_free(game);
    }
    putchar('\n');
}

/* ---- rates of all games ------------------------------------------------------------------------------------ */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Games that go on for ever are cut after so many decisions. */
enum { RATE_CAP = 5000 };

static void rates_row(const char *path, double seconds) {
    joc_game *game = game_load(path, "");
    if (!game) return;
    joc_tally tally;
    double spent = 0;
    for (uint64_t games = 1; spent < seconds / 2; games *= 2) {
        memset(&tally, 0, sizeof tally);
        const double begun = cpu_now();
        joc_playouts(game, games, 1, RATE_CAP, 0, &tally, NULL);
        spent = cpu_now() - begun;
    }
    printf("%-32s %12.0f %12.1f %10.1f %10.1f\n", base_name(path), (double)tally.games / spent, 1e9 * spent / (double)tally.decisions,
           (double)tally.decisions / (double)tally.games, 100 * (double)tally.unfinished / (double)tally.games);
    fflush(stdout);
    joc_game_free(game);
}

static void rates_section(const settings *s) {
    char **paths = joc_list_games();
    printf("Random playouts of all games on one thread, processor time\n");
    printf("%-32s %12s %12s %10s %10s\n", "game", "games/s", "ns a ply", "plies", "% cut off");
    for (char **path = paths; path && *path; path++) rates_row(*path, s->seconds);
    joc_list_free(paths);
    putchar('\n');
}

/* ---- the command ------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*run)(const settings *);
} SECTIONS[] = {{"honest", honest_section}, {"playouts", playouts_section}, {"perft", perft_section}, {"load", load_section}, {"scaling", scaling_section}, {"rates", rates_section}};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof *SECTIONS, SECTIONS_USUAL = 0x1F };

static int reference_perft(const char *name, int argc, char **argv) {
    const bench_reference *r = reference_find(name);
    if (!r) {
        fprintf(stderr, "bench: no reference named '%s'\n", name);
        return 2;
    }
    printf("%llu\n", (unsigned long long)r->perft(argc > 0 ? (unsigned)strtoul(argv[0], NULL, 10) : 1, argc > 1 ? argv[1] : NULL));
    return 0;
}

static int usage(const char *word) {
    fprintf(stderr, "bench: '%s'?\nusage: bench [honest|playouts|perft|load|scaling|rates]... [--only GAME,...] [--interpreted|--native] [--rounds N] [--seconds S]\n", word);
    return 2;
}

int main(int argc, char **argv) {
    settings s = {NULL, 5, 0.2, true, true};
    signal(SIGPIPE, SIG_IGN); /* an engine that is not installed */
    unsigned chosen = 0;
    if (argc > 2 && strcmp(argv[2], "--perft") == 0) return reference_perft(argv[1], argc - 3, argv + 3);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        unsigned section = 0;
        while (section < SECTION_COUNT && strcmp(SECTIONS[section].name, argv[i]) != 0) section++;
        if (section < SECTION_COUNT) {
            chosen |= 1u << section;
            continue;
        }
        if (strcmp(argv[i], "--interpreted") == 0 || strcmp(argv[i], "--native") == 0) {
            s.interpreted = argv[i][2] == 'i';
            s.native = !s.interpreted;
            continue;
        }
        if (!value) return usage(argv[i]);
        if (strcmp(argv[i], "--only") == 0) s.only = value;
        else if (strcmp(argv[i], "--rounds") == 0) s.rounds = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0) s.seconds = strtod(value, NULL);
        else return usage(argv[i]);
        i++;
    }
    if (s.rounds < 1 || s.rounds > ROUNDS_MAX || !(s.seconds > 0)) return usage("--rounds or --seconds");
    for (unsigned i = 0; i < SECTION_COUNT; i++)
        if ((chosen ? chosen : SECTIONS_USUAL) >> i & 1) SECTIONS[i].run(&s);
    return 0;
}
