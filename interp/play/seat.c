/* Players by name; see seat.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interp/play/mcts.h"
#include "interp/play/unseen.h"
#include "interp/play/seat.h"
#include "interp/play/text.h"

static bool effort_parse(const char *s, seat *out) {
    char *end;
    if (!strncmp(s, "visits=", 7) && s[7] >= '0' && s[7] <= '9') {
        out->visits = strtoull(s + 7, &end, 10);
        return !*end && out->visits > 0;
    }
    if (!strncmp(s, "seconds=", 8) && ((s[8] >= '0' && s[8] <= '9') || s[8] == '.')) {
        out->visits = 0;
        out->seconds = strtod(s + 8, &end);
        return !*end && out->seconds > 0 && out->seconds < 1e6;
    }
    return false;
}

bool seat_parse(const char *s, seat *out, char **why) {
    *out = (seat){ .kind = SEAT_HUMAN };
    if (!strcmp(s, "human")) return true;
    out->kind = SEAT_RANDOM;
    if (!strcmp(s, "random")) return true;
    *out = (seat){ .kind = SEAT_MCTS, .visits = SEAT_VISITS };
    if (!strcmp(s, "mcts") || (!strncmp(s, "mcts:", 5) && effort_parse(s + 5, out))) return true;
    text t = { 0 };
    text_format(&t, "'%s' is no player; there are human, random, mcts, mcts:visits=N, mcts:seconds=S", s);
    *why = text_take(&t);
    return false;
}

char *seat_text(const seat *s) {
    text t = { 0 };
    if (s->kind == SEAT_HUMAN) text_add(&t, "human");
    else if (s->kind == SEAT_RANDOM) text_add(&t, "random");
    else if (s->seconds > 0) text_format(&t, "mcts:seconds=%g", s->seconds);
    else text_format(&t, "mcts:visits=%" PRIu64, s->visits);
    return text_take(&t);
}

uint64_t seed_of(uint64_t seed, uint64_t i) {
    joc_random r = joc_random_seed(seed ^ (i + 1) * 0x9E3779B97F4A7C15u);
    return joc_random_next(&r);
}

size_t chance_choose(const joc_moves *list, uint64_t seed) {
    joc_random r = joc_random_seed(seed);
    uint64_t at = joc_random_below(&r, joc_moves_weight(list));
    size_t i = 0, count = joc_moves_count(list);
    for (; i + 1 < count; i++) {
        uint64_t weight = joc_move_weight(joc_moves_at(list, i));
        if (at < weight) break;
        at -= weight;
    }
    return i;
}

/* In a game with secrets a player of the computer gets what he sees; without a world that fits it he plays at random. */
static size_t choose_unseen(const seat *s, const joc_position *p, const joc_moves *list, uint64_t seed, const volatile bool *stop, size_t at_random, bool *blind) {
    joc_position *view = joc_view(p, joc_mover(p));
    unseen_result r = unseen_search(view, &(mcts_effort){ .visits = s->visits, .seconds = s->seconds, .seed = seed, .stop = stop });
    joc_position_free(view);
    const bool sure = joc_moves_count(list) == 1;
    if (blind) *blind = !r.worlds && !sure;
    return r.worlds ? r.best : at_random;
}

size_t seat_choose(const seat *s, const joc_position *p, const joc_moves *list, uint64_t seed, const volatile bool *stop, bool *blind) {
    joc_random any = joc_random_seed(seed);
    if (s->kind == SEAT_MCTS && joc_game_has_secrets(joc_position_game(p))) return choose_unseen(s, p, list, seed, stop, (size_t)joc_random_below(&any, joc_moves_count(list)), blind);
    if (s->kind == SEAT_MCTS) return mcts_search(p, &(mcts_effort){ .visits = s->visits, .seconds = s->seconds, .seed = seed, .stop = stop }).best;
    joc_random r = joc_random_seed(seed);
    return (size_t)joc_random_below(&r, joc_moves_count(list));
}

played seats_play(joc_position *p, const seat *seats, uint64_t seed, uint64_t cap, const volatile bool *stop) {
    played done = { 0 };
    for (uint64_t i = 0; done.decisions < cap; i++) {
        joc_state state = joc_state_of(p);
        if (state == JOC_OVER || state == JOC_STUCK) {
            done.finished = true;
            return done;
        }
        if (stop && *stop) return done;
        joc_moves *list = joc_moves_of(p);
        bool blind = false;
        size_t chosen = state == JOC_CHANCE ? chance_choose(list, seed_of(seed, i)) : seat_choose(&seats[joc_mover(p)], p, list, seed_of(seed, i), stop, &blind);
        done.blind += blind;
        if (state == JOC_DECISION) done.decisions++, done.choices += joc_moves_count(list);
        joc_play(p, joc_moves_at(list, chosen));
        joc_moves_free(list);
    }
    done.finished = joc_state_of(p) == JOC_OVER;
    return done;
}
