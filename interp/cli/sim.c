/* joc sim: many games. The games are cut into pieces of fixed size, which threads take one after another; a game's seed is its number after
 * the first seed, and sums do not depend on their order, so neither does the answer depend on the number of threads. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "interp/cli/cli.h"
#include "interp/play/text.h"

enum { PIECE = 16, PLAYERS_MOST = 16 };

typedef struct {
    const asked *asked;
    const joc_game *game;
    seat seats[PLAYERS_MOST];
    bool all_random;
    atomic_uint_fast64_t next, done, blind;     /* blind: moves of mcts drawn by lot */
    pthread_mutex_t lock;
    joc_tally sum;
} simulation;

static void tally_add(joc_tally *to, const joc_tally *t) {
    if (!t->games) return;
    if (!to->games || t->shortest < to->shortest) to->shortest = t->shortest;
    if (t->longest > to->longest) to->longest = t->longest;
    to->games += t->games, to->decisions += t->decisions, to->turns += t->turns, to->unfinished += t->unfinished, to->draws += t->draws, to->stuck += t->stuck;
    to->decisions_square += t->decisions_square, to->choices += t->choices, to->counted += t->counted;
    for (int i = 0; i < PLAYERS_MOST; i++) to->wins[i] += t->wins[i];
    if (*t->fault && (!*to->fault || t->fault_seed < to->fault_seed)) memcpy(to->fault, t->fault, sizeof to->fault), to->fault_seed = t->fault_seed;
}

static void play_seated(simulation *s, uint64_t number, joc_tally *t) {
    uint64_t seed = s->asked->seed + number;
    joc_position *p = joc_start(s->game, seed);
    played done = seats_play(p, s->seats, seed, s->asked->cap, &interrupted);
    if (!interrupted) {
        atomic_fetch_add(&s->blind, done.blind);
        joc_result r = joc_result_of(p);
        joc_tally one = { .games = 1, .decisions = done.decisions, .turns = (uint64_t)joc_turns(p), .shortest = done.decisions, .longest = done.decisions, .choices = done.choices, .counted = done.decisions };
        one.decisions_square = (double)done.decisions * (double)done.decisions;
        one.stuck = joc_state_of(p) == JOC_STUCK;
        one.unfinished = joc_state_of(p) != JOC_OVER && !one.stuck;
        if (joc_fault(p)) snprintf(one.fault, sizeof one.fault, "%s", joc_fault(p)), one.fault_seed = seed;
        if (r.outcome == JOC_DRAW) one.draws = 1;
        if (r.outcome == JOC_WIN) one.wins[r.winner] = 1;
        tally_add(t, &one);
    }
    joc_position_free(p);
}

static void *work(void *with) {
    simulation *s = with;
    uint64_t games = s->asked->games;
    for (;;) {
        uint64_t first = atomic_fetch_add(&s->next, PIECE);
        if (first >= games || interrupted) return NULL;
        uint64_t count = games - first < PIECE ? games - first : PIECE;
        joc_tally t = { 0 };
        if (s->all_random) joc_playouts(s->game, count, s->asked->seed + first, s->asked->cap, games < 500 ? 1 : games < 10000 ? 16 : 256, &t, &interrupted);
        else
            for (uint64_t i = 0; i < count && !interrupted; i++) play_seated(s, first + i, &t);
        pthread_mutex_lock(&s->lock);
        tally_add(&s->sum, &t);
        pthread_mutex_unlock(&s->lock);
        atomic_fetch_add(&s->done, t.games);
    }
}

static double run(simulation *s) {
    uint64_t jobs = s->asked->jobs;
    if (!jobs) jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs < 1 || jobs > 256) jobs = 1;
    if (jobs > (s->asked->games + PIECE - 1) / PIECE) jobs = (s->asked->games + PIECE - 1) / PIECE;
    pthread_t *threads = memory_of((size_t)jobs, sizeof *threads);
    double started = seconds_now();
    progress bar = progress_start("games");
    uint64_t running = 0;
    while (running < jobs && !pthread_create(&threads[running], NULL, work, s)) running++;
    if (!running) work(s);
    while (bar.on && !interrupted && atomic_load(&s->done) < s->asked->games) {
        nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
        progress_show(&bar, atomic_load(&s->done), s->asked->games);
    }
    for (uint64_t i = 0; i < running; i++) pthread_join(threads[i], NULL);
    progress_end(&bar);
    free(threads);
    return seconds_now() - started;
}

/* Wilson's interval of a proportion, 95 %. */
static void interval(uint64_t hits, uint64_t of, double *low, double *high) {
    double n = (double)of, p = n > 0 ? (double)hits / n : 0, z = 1.959963985, z2 = z * z;
    if (of == 0) {
        *low = 0, *high = 1;
        return;
    }
    double middle = (p + z2 / (2 * n)) / (1 + z2 / n), half = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    *low = middle - half < 0 || hits == 0 ? 0 : middle - half;
    *high = middle + half > 1 || hits == of ? 1 : middle + half;
}

static void share_print(const char *what, uint64_t hits, uint64_t of) {
    double low, high;
    interval(hits, of, &low, &high);
    printf("%-12s %10" PRIu64 "  %6.2f %%  (%.2f to %.2f)\n", what, hits, of ? 100.0 * (double)hits / (double)of : 0, 100 * low, 100 * high);
}

static json_t *share_json(uint64_t hits, uint64_t of) {
    double low, high;
    interval(hits, of, &low, &high);
    json_t *j = json_object();
    json_object_set_new(j, "games", json_integer((json_int_t)hits));
    json_object_set_new(j, "share", json_real(of ? (double)hits / (double)of : 0));
    json_object_set_new(j, "low", json_real(low));
    json_object_set_new(j, "high", json_real(high));
    return j;
}

typedef struct { double mean, deviation, error, branching; } lengths;

static lengths lengths_of(const joc_tally *t) {
    double n = (double)t->games, sum = (double)t->decisions;
    lengths l = { 0 };
    if (n < 1) return l;
    l.mean = sum / n;
    double variance = n > 1 ? (t->decisions_square - sum * sum / n) / (n - 1) : 0;
    l.deviation = variance > 0 ? sqrt(variance) : 0;
    l.error = 1.959963985 * l.deviation / sqrt(n);
    l.branching = t->counted ? (double)t->choices / (double)t->counted : 0;
    return l;
}

static void result_print(const simulation *s, double seconds) {
    const joc_tally *t = &s->sum;
    lengths l = lengths_of(t);
    printf("%s: %" PRIu64 " games", joc_game_title(s->game), t->games);
    for (int i = 0; !s->all_random && i < joc_game_players(s->game); i++) {
        char *who = seat_text(&s->seats[i]);
        printf(", %s %s", joc_game_player(s->game, i), who);
        free(who);
    }
    printf("%s, seed %" PRIu64 "\n", s->all_random ? " at random" : "", s->asked->seed);
    for (int i = 0; i < joc_game_players(s->game); i++) share_print(joc_game_player(s->game, i), t->wins[i], t->games);
    share_print("draws", t->draws, t->games);
    if (t->unfinished) share_print("unfinished", t->unfinished, t->games);
    if (t->stuck) share_print("stuck", t->stuck, t->games);
    if (*t->fault) printf("given up     %s; the first game had seed %" PRIu64 "\n", t->fault, t->fault_seed);
    printf("length       %10.2f decisions on average (± %.2f), deviation %.2f, %" PRIu64 " to %" PRIu64 "\n", l.mean, l.error, l.deviation, t->shortest, t->longest);
    printf("turns        %10.2f on average\n", t->games ? (double)t->turns / (double)t->games : 0);
    printf("choices      %10.2f at a decision on average\n", l.branching);
    if (s->blind) printf("by lot       %10" PRIu64 " moves of mcts: no deal was found that fits what it had seen\n", (uint64_t)s->blind);
    fflush(stdout);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "%.2f s, %.0f games a second\n", seconds, seconds > 0 ? (double)t->games / seconds : 0);
}

static int result_json(const simulation *s, double seconds, int code) {
    const joc_tally *t = &s->sum;
    lengths l = lengths_of(t);
    json_t *answer = json_answer(s->asked), *wins = json_object(), *length = json_object(), *seats = json_object();
    for (int i = 0; i < joc_game_players(s->game); i++) {
        char *who = seat_text(&s->seats[i]);
        json_object_set_new(wins, joc_game_player(s->game, i), share_json(t->wins[i], t->games));
        json_object_set_new(seats, joc_game_player(s->game, i), json_text(who));
        free(who);
    }
    json_object_set_new(answer, "title", json_text(joc_game_title(s->game)));
    json_object_set_new(answer, "random", json_text(JOC_RANDOM));
    json_object_set_new(answer, "seed", json_integer((json_int_t)s->asked->seed));
    json_object_set_new(answer, "seats", seats);
    json_object_set_new(answer, "native", json_boolean(joc_is_native(s->game)));
    json_object_set_new(answer, "games", json_integer((json_int_t)t->games));
    json_object_set_new(answer, "interrupted", json_boolean(code == EXIT_INTERRUPTED));
    json_object_set_new(answer, "wins", wins);
    json_object_set_new(answer, "draws", share_json(t->draws, t->games));
    json_object_set_new(answer, "unfinished", share_json(t->unfinished, t->games));
    json_object_set_new(answer, "by_lot", json_integer((json_int_t)s->blind));
    json_object_set_new(answer, "stuck", share_json(t->stuck, t->games));
    if (*t->fault) {
        json_object_set_new(answer, "fault", json_text(t->fault));
        json_object_set_new(answer, "fault_seed", json_integer((json_int_t)t->fault_seed));
    }
    json_object_set_new(length, "mean", json_real(l.mean));
    json_object_set_new(length, "error", json_real(l.error));
    json_object_set_new(length, "deviation", json_real(l.deviation));
    json_object_set_new(length, "shortest", json_integer((json_int_t)t->shortest));
    json_object_set_new(length, "longest", json_integer((json_int_t)t->longest));
    json_object_set_new(answer, "decisions", length);
    json_object_set_new(answer, "turns", json_real(t->games ? (double)t->turns / (double)t->games : 0));
    json_object_set_new(answer, "choices", json_real(l.branching));
    json_object_set_new(answer, "seconds", json_real(seconds));
    return json_print(answer, code);
}

int command_sim(asked *a) {
    session s;
    int code = EXIT_DONE;
    if (!a->seed_given) a->seed = 1;
    if (session_game(&s, a, &code)) {
        simulation sim = { .asked = a, .game = s.game, .all_random = true };
        session_warn(&s);
        pthread_mutex_init(&sim.lock, NULL);
        for (int i = 0; i < PLAYERS_MOST; i++) sim.seats[i] = (seat){ .kind = SEAT_RANDOM };
        bool seated = seats_of(a, s.game, sim.seats);
        for (int i = 0; i < joc_game_players(s.game); i++) {
            if (sim.seats[i].kind != SEAT_RANDOM) sim.all_random = false;
            if (sim.seats[i].kind == SEAT_HUMAN) seated = seated && use_error(a, "nobody is there to play for %s; seat random or mcts", joc_game_player(s.game, i)) == 0;
        }
        if (!seated) code = EXIT_USE;
        else if (session_native(&s, a, &code)) {
            catch_interrupts();
            double seconds = run(&sim);
            if (interrupted) code = EXIT_INTERRUPTED;
            if (a->json) code = result_json(&sim, seconds, code);
            else result_print(&sim, seconds);
        }
        pthread_mutex_destroy(&sim.lock);
    }
    session_free(&s);
    return code;
}
