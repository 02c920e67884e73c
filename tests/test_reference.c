/* Random games of rule files beside plain generators written from the rules alone (tests/reference/): at every ply the same positions can be
 * reached, with the same results. Where a game has options, games under random options follow.
 *
 *     JOC_REFERENCE=all           as many games as promised (minutes), else a sample
 *     JOC_REFERENCE_ONLY=NAME     one game
 *     JOC_REFERENCE_SEED=N        another sample
 *     JOC_REFERENCE_PART=K/N      of the pairs of options only every N-th, from the K-th on */
#include "tests/helper.h"
#include "tests/reference/reference.h"

enum { SETTINGS_MAX = 32, PLIES_MAX = 500, PLIES_SAMPLE = 100 };

/* `set`: how the generator is told what is a file of its own to the machine. */
typedef struct {
    const char *game;
    reference_next *next;
    const char *set;
    int games, games_all, mixes, mixes_all;             /* under default options; of random options, a few games each */
    int conserved;                                      /* pieces of a kind `S` on the board and in the other's zone, 0: not counted */
    reference_way *way;                                 /* where random games would never end: they are led, but for every fourth move */
    bool tells_passes;
} subject;

static const subject subjects[] = {
    { "dacii-si-romanii", dacii_next, NULL, 2, 200, 4, 50, 5, NULL, false },
    { "dacii-river-line", dacii_next, "(river line)", 1, 20, 1, 20, 5, NULL, false },
    { "dacii-thick-wall", dacii_next, "(wall thick)", 1, 20, 1, 20, 5, NULL, false },
    { "damarziana", damarziana_next, NULL, 8, 200, 12, 100, 0, damarziana_way, true },
    { "surakarta", surakarta_next, NULL, 2, 100, 0, 0, 0, NULL, false },
    { "lines-of-action", lines_of_action_next, NULL, 2, 100, 2, 8, 0, NULL, false },
    { "abalone", abalone_next, NULL, 2, 50, 1, 4, 0, NULL, false },
};

typedef struct {
    const subject *subject;
    joc_game *game;
    joc_setting settings[SETTINGS_MAX];
    char values[SETTINGS_MAX][24];
    char words[1000];                                   /* of the settings, for messages */
    size_t setting_count;
    reference_setting known[SETTINGS_MAX + 1];
    size_t known_count;
    int repetition;                                     /* a position that stands for so many times is drawn, 0 none */
    scene history[PLIES_MAX + 2];
    size_t history_count;
    joc_random random;
} trial;

static bool everything(void) { const char *all = getenv("JOC_REFERENCE"); return all && !strcmp(all, "all"); }
static int plies_most(void) { return everything() ? PLIES_MAX : PLIES_SAMPLE; }

/* ---- a position of the machine as a scene -------------------------------------------------------------------------------------------------- */
/* The first letter of the kind; of a family of numbered kinds A, B ... */
static char letter_of(const joc_position *p, int cell) {
    int owner, kind;
    if (!joc_piece(p, cell, 0, &owner, &kind)) return '.';
    const char *name = joc_kind_name(joc_position_game(p), kind), last = name[strlen(name) - 1];
    const char c = last >= '1' && last <= '9' ? (char)('A' + last - '1') : name[0];
    return owner == 1 ? (char)(c - 'A' + 'a') : c;
}

/* What is kept of numbered pieces, a digit for each. */
static void read_pieces(const joc_position *p, int keep, scene *s) {
    static const int powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    const joc_game *g = joc_position_game(p);
    for (int i = 0, owner, kind; i < joc_game_cells(g); i++) {
        if (!joc_piece(p, i, 0, &owner, &kind)) continue;
        const char *name = joc_kind_name(g, kind), last = name[strlen(name) - 1];
        if (last >= '1' && last <= '8') s->kept[owner] += powers[last - '1'] * (int)joc_keep_value(p, keep, i);
    }
}

static void read_result(const joc_position *p, scene *s) {
    const joc_result r = joc_result_of(p);
    s->end = r.outcome == JOC_RUNNING ? SCENE_GOES_ON : r.outcome == JOC_WIN ? SCENE_WON : SCENE_DRAWN;
    s->winner = s->end == SCENE_WON ? r.winner : 0;
    s->scored = s->end == SCENE_WON && r.scored;
    for (int i = 0; i < 2; i++) s->score[i] = s->scored ? (int)r.scores[i] : 0;
}

static scene scene_of(const joc_position *p) {
    const joc_game *g = joc_position_game(p);
    scene s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < joc_game_cells(g); i++) {
        const char *name = joc_cell_name(g, i);
        s.at[name[0] - 'a'][atoi(name + 1)] = letter_of(p, i);
    }
    for (int z = 0; z < joc_game_zones(g); z++)
        if (joc_zone_owner(g, z) >= 0) s.off[joc_zone_owner(g, z)] += joc_height(p, joc_game_cells(g) + z);
    for (int k = 0; k < joc_game_keeps(g); k++)
        if (joc_keep_of(g, k) == JOC_OF_PIECE) read_pieces(p, k, &s);
        else if (joc_keep_of(g, k) == JOC_OF_PLAYER)
            for (int i = 0; i < 2; i++) {
                int *to = !joc_game_zones(g) && !strcmp(joc_keep_name(g, k), "tabără") ? s.off : s.kept;
                to[i] = (int)joc_keep_value(p, k, i);
            }
    joc_state_of(p);
    s.mover = joc_mover(p);
    s.turns = joc_turns(p);
    read_result(p, &s);
    return s;
}

/* ---- what is compared ---------------------------------------------------------------------------------------------------------------------- */
static bool same_place(const scene *a, const scene *b) {
    return !memcmp(a->at, b->at, sizeof a->at) && !memcmp(a->off, b->off, sizeof a->off) && !memcmp(a->kept, b->kept, sizeof a->kept) && a->mover == b->mover;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(scene)); }

/* Where it is over, it does not matter who would move. */
static void make_plain(scene *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        scene *x = &s[i];
        if (x->end) x->mover = x->turns = 0;
        if (x->end != SCENE_WON) x->winner = 0, x->scored = false, x->score[0] = x->score[1] = 0;
    }
}

static size_t sorted(scene *s, size_t n) {
    size_t kept = 0;
    make_plain(s, n);
    qsort(s, n, sizeof *s, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (!kept || by_bytes(&s[i], &s[kept - 1])) s[kept++] = s[i];
    return kept;
}

static void scene_print(const char *title, const scene *s) {
    print_message("%s: mover %d turn %d, off %d %d, kept %d %d, end %d winner %d score %d %d\n", title, s->mover, s->turns, s->off[0], s->off[1], s->kept[0],
                  s->kept[1], s->end, s->winner, s->score[0], s->score[1]);
    for (int y = SIDE - 1; y >= 0; y--) {
        char row[SIDE + 1];
        bool some = false;
        for (int x = 0; x < SIDE; x++) row[x] = s->at[x][y] ? s->at[x][y] : ' ', some |= s->at[x][y] != 0;
        row[SIDE] = 0;
        if (some) print_message("  %2d %s\n", y, row);
    }
}

static void tell_difference(const trial *t, const scene *before, const scene *ours, size_t n, const scene *theirs, size_t k) {
    print_message("%s %s: %zu positions, by the generator %zu\n", t->subject->game, t->words, n, k);
    scene_print("before", before);
    for (size_t i = 0, j = 0, told = 0; (i < n || j < k) && told < 3;) {
        const int c = i == n ? 1 : j == k ? -1 : by_bytes(&ours[i], &theirs[j]);
        if (c < 0) scene_print("only of the machine", &ours[i]), told++;
        if (c > 0) scene_print("only of the generator", &theirs[j]), told++;
        i += c <= 0;
        j += c >= 0;
    }
}

/* ---- one ply ------------------------------------------------------------------------------------------------------------------------------- */
static void draw_repeated(const trial *t, scene *s) {
    int stood = 1;
    for (size_t i = 0; i < t->history_count; i++) stood += same_place(&t->history[i], s);
    if (!s->end && t->repetition && stood >= t->repetition) s->end = SCENE_DRAWN;
}

/* Turns in which nothing can be chosen pass by themselves in the machine. */
static void pass_by(const trial *t, scene *s) {
    scenes next = { 0 };
    for (int i = 0; i < 3 && !s->end; i++) {
        t->subject->next(s, t->known, t->known_count, &next);
        if (next.count != 1 || memcmp(next.list[0].at, s->at, sizeof s->at) || memcmp(next.list[0].off, s->off, sizeof s->off)) break;
        *s = next.list[0];
        draw_repeated(t, s);
    }
    free(next.list);
}

static void conserve(const trial *t, const scene *s) {
    int men[2] = { s->off[1], s->off[0] };
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++) men[0] += s->at[x][y] == 'S', men[1] += s->at[x][y] == 's';
    if (t->subject->conserved && (men[0] != t->subject->conserved || men[1] != t->subject->conserved)) {
        scene_print("lost or made", s);
        fail_msg("%s %s: %d and %d pieces", t->subject->game, t->words, men[0], men[1]);
    }
}

/* By lot; led games take the first of the best, but for every fourth move. */
static size_t choose(trial *t, const scene *ours, size_t n) {
    size_t best = joc_random_below(&t->random, n);
    if (!t->subject->way || joc_random_below(&t->random, 4) == 0) return best;
    const int player = t->history[t->history_count - 1].mover;
    for (size_t i = 0; i < n; i++)
        if (t->subject->way(&ours[i], player) < t->subject->way(&ours[best], player)) best = i;
    return best;
}

/* Both say the same of the position; the move that was drawn is played. */
static void ply(trial *t, joc_position *p, scenes *theirs) {
    const scene before = scene_of(p);
    joc_moves *list = joc_moves_of(p);
    const size_t n = joc_moves_count(list);
    if (joc_fault(p)) fail_msg("%s %s: %s", t->subject->game, t->words, joc_fault(p));
    scene *ours = calloc(n + 1, sizeof *ours);
    bool idle = false;
    t->history[t->history_count++] = before;
    conserve(t, &before);
    for (size_t i = 0; i < n; i++) {
        joc_position *copy = joc_position_copy(p);
        joc_play(copy, joc_moves_at(list, i));
        ours[i] = scene_of(copy);
        ours[i].passed = t->subject->tells_passes && !strcmp(joc_move_text(joc_moves_at(list, i)), "pass");
        idle |= ours[i].turns > before.turns + 1;
        joc_position_free(copy);
    }
    t->subject->next(&before, t->known, t->known_count, theirs);
    for (size_t i = 0; i < theirs->count; i++) {
        draw_repeated(t, &theirs->list[i]);
        if (idle) pass_by(t, &theirs->list[i]);
    }
    const size_t chosen = choose(t, ours, n);
    const size_t reached = sorted(ours, n), count = sorted(theirs->list, theirs->count);
    const bool same = reached == count && !memcmp(ours, theirs->list, count * sizeof *ours);
    if (!same) tell_difference(t, &before, ours, reached, theirs->list, count);
    assert_true(same && reached == n);
    free(ours);
    joc_play(p, joc_moves_at(list, chosen));
    joc_moves_free(list);
}

static void game(trial *t, uint64_t seed) {
    joc_position *p = joc_start(t->game, seed);
    scenes theirs = { 0 };
    t->random = joc_random_seed(seed);
    t->history_count = 0;
    for (int i = 0; i < plies_most() && joc_state_of(p) == JOC_DECISION; i++) ply(t, p, &theirs);
    assert_true(joc_state_of(p) == JOC_DECISION || joc_state_of(p) == JOC_OVER);
    free(theirs.list);
    joc_position_free(p);
}

/* ---- options ------------------------------------------------------------------------------------------------------------------------------- */
static void setting_add(trial *t, const char *name, const char *value) {
    const size_t i = t->setting_count++, length = strlen(t->words);
    snprintf(t->values[i], sizeof t->values[i], "%s", value);
    snprintf(t->words + length, sizeof t->words - length, " %s=%s", name, value);
    t->settings[i] = (joc_setting){ name, t->values[i] };
    t->known[t->known_count++] = (reference_setting){ name, t->values[i] };
}

/* Another value than the default: of ranges something small. */
static void setting_draw(trial *t, const joc_option *o) {
    char number[24];
    if (o->kind == JOC_YESNO) setting_add(t, o->name, strcmp(o->standard, "yes") ? "yes" : "no");
    else if (o->kind == JOC_WORDS) setting_add(t, o->name, o->words[joc_random_below(&t->random, o->word_count)]);
    else {
        snprintf(number, sizeof number, "%lld", (long long)(o->low + (int64_t)joc_random_below(&t->random, (uint64_t)(o->high - o->low < 60 ? o->high - o->low : 60) + 1)));
        setting_add(t, o->name, number);
    }
}

static joc_rules *rules_of(const char *game) {
    char path[200];
    joc_messages *m = joc_messages_new();
    snprintf(path, sizeof path, "games/%s.joc", game);
    joc_rules *rules = joc_rules_load(path, m);
    if (!rules) fail_msg("%s: %s", game, joc_messages_text(m, false));
    joc_messages_free(m);
    return rules;
}

static void open_game(trial *t, const joc_rules *rules) {
    joc_messages *m = joc_messages_new();
    t->game = joc_compile(rules, t->settings, t->setting_count, 0, m);
    if (!t->game) fail_msg("%s %s: %s", t->subject->game, t->words, joc_messages_text(m, false));
    joc_messages_free(m);
    const char *draws = joc_game_option(t->game, "draws");
    t->repetition = !draws || !strcmp(draws, "repetition") ? 3 : 0;
}

static void start(trial *t, const subject *s) {
    memset(t, 0, sizeof *t);
    t->subject = s;
    if (s->set) t->known[t->known_count++] = (reference_setting){ s->set, "yes" };
}

static void test_generators_agree_with_the_machine(void **state) {
    const subject *s = *state;
    const char *seed = getenv("JOC_REFERENCE_SEED");
    const uint64_t base = seed ? strtoull(seed, NULL, 10) * 1000 : 0;
    joc_rules *rules = rules_of(s->game);
    trial *t = calloc(1, sizeof *t);
    const int games = everything() ? s->games_all : s->games, mixes = everything() ? s->mixes_all : s->mixes;
    start(t, s);
    open_game(t, rules);
    for (int i = 0; i < games; i++) game(t, base + (uint64_t)i);
    joc_game_free(t->game);
    for (int mix = 0; mix < mixes; mix++) {
        start(t, s);
        t->random = joc_random_seed(base + 7919 + (uint64_t)mix);
        for (size_t i = 0; i < joc_rules_options(rules); i++) {
            const joc_option o = joc_rules_option(rules, i);
            if (joc_random_below(&t->random, 3) == 0) setting_draw(t, &o);
        }
        open_game(t, rules);
        for (int i = 0; i < (everything() ? 5 : 1); i++) game(t, base + (uint64_t)(100 * mix + i));
        joc_game_free(t->game);
    }
    joc_rules_free(rules);
    free(t);
}

/* ---- pairs of options ---------------------------------------------------------------------------------------------------------------------- */
enum { VALUES_MAX = 6, PAIR_GAMES = 2, PAIR_GAMES_ALL = 10, PAIR_EVERY = 149 };

/* The values worth trying; of a range its ends and something in between. */
static size_t values_of(const joc_option *o, char values[VALUES_MAX][24]) {
    size_t n = 0;
    if (o->kind == JOC_YESNO) {
        snprintf(values[n++], 24, "yes");
        snprintf(values[n++], 24, "no");
    } else if (o->kind == JOC_WORDS)
        for (size_t i = 0; i < o->word_count && i < VALUES_MAX; i++) snprintf(values[n++], 24, "%s", o->words[i]);
    else {
        snprintf(values[n++], 24, "%lld", (long long)o->low);
        snprintf(values[n++], 24, "%lld", (long long)(o->low + (o->high - o->low) / 10));
        snprintf(values[n++], 24, "%lld", (long long)o->high);
    }
    return n;
}

static void play_pair(trial *t, const joc_rules *rules, uint64_t seed) {
    open_game(t, rules);
    joc_random random = joc_random_seed(seed);
    for (int i = 0; i < (everything() ? PAIR_GAMES_ALL : PAIR_GAMES); i++) {
        joc_position *p = joc_start(t->game, seed + (uint64_t)i);
        for (int k = 0; k < plies_most(); k++) {
            const scene s = scene_of(p);
            conserve(t, &s);
            if (!joc_play_random(p, &random)) break;
        }
        if (joc_fault(p) || joc_state_of(p) == JOC_STUCK) fail_msg("%s: %s", t->words, joc_fault(p) ? joc_fault(p) : "no move and no pass");
        joc_position_free(p);
    }
    joc_game_free(t->game);
}

/* Every value of every option beside every value of every other. */
static void test_pairs_of_options_play_and_lose_no_piece(void **state) {
    const subject *s = *state;
    joc_rules *rules = rules_of(s->game);
    trial *t = calloc(1, sizeof *t);
    char a[VALUES_MAX][24], b[VALUES_MAX][24];
    uint64_t pair = 0, played = 0;
    unsigned part = 0, part_count = 1;
    const char *some = getenv("JOC_REFERENCE_PART");
    if (some && (sscanf(some, "%u/%u", &part, &part_count) != 2 || !part_count)) fail_msg("JOC_REFERENCE_PART=K/N");
    part %= part_count;
    for (size_t i = 0; i < joc_rules_options(rules); i++)
        for (size_t j = 0; j < i; j++) {
            const joc_option x = joc_rules_option(rules, i), y = joc_rules_option(rules, j);
            const size_t n = values_of(&x, a), k = values_of(&y, b);
            for (size_t v = 0; v < n * k; v++) {
                if (pair++ % PAIR_EVERY && !everything()) continue;
                if (part_count > 1 && pair % part_count != part) continue;
                start(t, s);
                setting_add(t, x.name, a[v / k]);
                setting_add(t, y.name, b[v % k]);
                play_pair(t, rules, pair);
                played++;
            }
        }
    assert_true(played > 0);
    print_message("# %llu of %llu pairs\n", (unsigned long long)played, (unsigned long long)pair);
    joc_rules_free(rules);
    free(t);
}

int main(void) {
    static struct CMUnitTest tests[COUNT_OF(subjects) + 1];
    const char *only = getenv("JOC_REFERENCE_ONLY");
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(subjects); i++) {
        if (only && strcmp(only, subjects[i].game)) continue;
        tests[n++] = (struct CMUnitTest){ subjects[i].game, test_generators_agree_with_the_machine, NULL, NULL, (void *)(uintptr_t)&subjects[i] };
    }
    if (!only || !strcmp(only, "pairs")) tests[n++] = (struct CMUnitTest){ "pairs of options", test_pairs_of_options_play_and_lose_no_piece, NULL, NULL, (void *)(uintptr_t)&subjects[0] };
    return _cmocka_run_group_tests("reference", tests, n, NULL, NULL);
}
