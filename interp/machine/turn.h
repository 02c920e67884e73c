/* Turns: how they begin and are counted, results, scores; dice. Included once per width by vm.c. */
#ifndef JOC_TURN_H
#define JOC_TURN_H

/* Dice are thrown anew in each turn; what the next throw shall show stays. */
static void dice_forget(vm *v, int index)
{
    const dice_info *d = &G(v)->dice[index];
    if (N(d->fixed) & DICE_FIXED) { N(d->fixed) = DICE_FIXED; return; }
    N(d->fixed) = N(d->number) = 0;
    if (*bag(v, d->bag)) memset(bag(v, d->bag), 0, sizeof(int16_t) * (BAG_MAX + 1));
}

KNOWN void turn_begin(vm *v)
{
    const game *g = G(v);
    H(H_TAKEN) = 0;
    H(H_HERE) = H(H_START) = H(H_UNDER) = NO_PLACE;
    H(H_NEXT) = -1;
    H(H_DIDPASS) = H(H_AGAIN) = H(H_ALWAYS) = 0;
    H(H_ACTOR) = H(H_MOVER);
    if (g->plain_turns) return;
    if (g->taken_slots) {
        uint64_t left[WORDS];
        EACH_WORD(k) left[k] = range_word(g->taken_first, g->taken_slots, k) & S(SET_OCCUPIED)[k];
        for (int x; (x = set_pop(left)) >= 0;) piece_unset(v, x);
    }
    if (g->uses_passed) set_clear(S(SET_PASSED));
    for (int i = 0; i < g->dice_count; i++) dice_forget(v, i);
    for (int i = 0; i < g->keep_count; i++) {
        const keep *k = &g->keeps[i];
        if (!k->turn) continue;
        if (k->of == KEEP_GAME || k->of == KEEP_PLAYER) for (int p = 0; p < (k->of == KEEP_PLAYER ? g->player_count : 1); p++) N(k->where + p) = k->start;
        else if (k->type == KEEP_FLAG) set_clear(S(k->where));
        else for (int p = 0; p < g->places; p++) ARRAYS(v)[(size_t)k->where * (size_t)g->places + (size_t)p] = (int16_t)(k->type == KEEP_NUMBER ? k->start : 0);
    }
    if (g->uses_changed) memcpy(CHANGED(v), AT(v), (size_t)g->cells * sizeof *AT(v));
}

KNOWN void turn_count(vm *v)
{
    if (H(H_MOVER) != H(H_ACTOR)) set_mover(v, H(H_ACTOR));
    H(H_PASSES) = H(H_DIDPASS) ? H(H_PASSES) + 1 : 0;
    if (H(H_NEXT) < 0 || H(H_OUT) >> H(H_NEXT) & 1) H(H_NEXT) = H(H_AGAIN) && !(H(H_OUT) >> H(H_ACTOR) & 1) ? H(H_ACTOR) : next_player(v, H(H_ACTOR));
    H(H_TURNS)++;
    v->turn_key_known = false;
    H(H_COUNTED) = 1;
}

static void scores(vm *v)
{
    const game *g = G(v);
    if (!g->score_pc) return;
    int64_t mover = H(H_MOVER);
    for (int p = 0; p < g->player_count; p++) {
        set_mover(v, p);
        RUN(v, g->score_pc);
        N(g->score_first + p) = N(g->score);
    }
    set_mover(v, mover);
}

static void win_for(vm *v, int64_t player)
{
    H(H_OVER) = player < 0 ? 2 : 1;
    H(H_WINNER) = player < 0 ? -1 : player;
}

static int64_t last_player(const vm *v)
{
    const game *g = G(v);
    int64_t last = -1, some = 0;
    for (int p = 0; p < g->player_count; p++) if (!(H(H_OUT) >> p & 1)) { last = p; some++; }
    return some == 1 ? last : -1;
}

/* A result for a player; the game may be over by it. */
static void result(vm *v, int what, int64_t player)
{
    const game *g = G(v);
    if (what == 0) win_for(v, player);
    else if (what == 2) win_for(v, -1);
    else if (what == 1) {
        if (g->player_count == 1) { H(H_OVER) = 3; H(H_WINNER) = -1; }
        else if (g->player_count == 2 && player >= 0) win_for(v, 1 - player);       /* losing is the other's win: nobody goes out */
        else {
            if (player >= 0) H(H_OUT) |= 1ll << player;
            if (last_player(v) >= 0) win_for(v, last_player(v));
        }
    } else {
        scores(v);
        int64_t best = INT64_MIN, who = -1;
        for (int p = 0; p < g->player_count; p++) {
            if (H(H_OUT) >> p & 1) continue;
            int64_t x = g->score_pc ? N(g->score_first + p) : 0;
            if (x > best) { best = x; who = p; }
            else if (x == best) who = -1;
        }
        win_for(v, who);
    }
}

static void edges(const vm *v, uint64_t dirs, uint64_t *out)
{
    uint64_t cells[WORDS], result_[WORDS];
    set_or(cells, S(SET_EMPTY), S(SET_OCCUPIED));
    set_clear(result_);
    for (; dirs; dirs &= dirs - 1) EACH_WORD(k) result_[k] |= cells[k] & ~G(v)->dirs[__builtin_ctzll(dirs)].mask[k];
    for (int p = G(v)->cells; p < G(v)->places; p++) set_remove(result_, p);
    set_copy(out, result_);
}

static void throw_dice(vm *v, const ins *i, const int *faces, int n)
{
    const dice_info *d = &G(v)->dice[i->a];
    N(d->fixed) = DICE_THROWN;
    if (i->b == NO_OPERAND) N(d->number) = faces[0];
    else {
        memset(bag(v, d->bag), 0, sizeof(int16_t) * (BAG_MAX + 1));
        for (int j = 0; j < n; j++) bag_add(v, d->bag, faces[j]);
    }
    if (TOKENS(v)) for (int j = 0; j < n; j++) note(v, TOKEN_DICE, faces[j], i->a);
}

/* A given throw (a test's) needs no chance. */
static bool throw_given(vm *v, const ins *i)
{
    if (i->op != OP_ROLL || !(N(G(v)->dice[i->a].fixed) & DICE_FIXED)) return false;
    N(G(v)->dice[i->a].fixed) = DICE_THROWN;
    return true;
}
#endif
