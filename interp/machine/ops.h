/* What each instruction does. Included once per width by vm.c.
 *
 * A body says where to go on: ON, the next instruction; OUT, the run is over; or an instruction. It is inlined into the interpreter (run.h). */
#ifndef JOC_OPS_H
#define JOC_OPS_H

#define DO(name) INLINE uint32_t do_##name(__attribute__((unused)) vm *v, __attribute__((unused)) const ins *i)
#define SAME(name, other) DO(name) { return do_##other(v, i); }

DO(MOVE) { N(i->a) = N(i->b); return ON; }
DO(ADD) { N(i->a) = whole_add(N(i->b), N(i->c)); return ON; }
DO(SUB) { N(i->a) = whole_sub(N(i->b), N(i->c)); return ON; }
DO(MUL) { N(i->a) = whole_mul(N(i->b), N(i->c)); return ON; }
DO(DIV) { N(i->a) = whole_div(N(i->b), N(i->c)); return ON; }
DO(MOD) { N(i->a) = whole_mod(N(i->b), N(i->c)); return ON; }
DO(MIN) { N(i->a) = N(i->b) < N(i->c) ? N(i->b) : N(i->c); return ON; }
DO(MAX) { N(i->a) = N(i->b) > N(i->c) ? N(i->b) : N(i->c); return ON; }
DO(EQ) { N(i->a) = N(i->b) == N(i->c); return ON; }
DO(NE) { N(i->a) = N(i->b) != N(i->c); return ON; }
DO(LT) { N(i->a) = N(i->b) < N(i->c); return ON; }
DO(LE) { N(i->a) = N(i->b) <= N(i->c); return ON; }
DO(NOT) { N(i->a) = !N(i->b); return ON; }
DO(BITS_AND) { N(i->a) = N(i->b) & N(i->c); return ON; }
DO(BITS_OR) { N(i->a) = N(i->b) | N(i->c); return ON; }
DO(BITS_ANDN) { N(i->a) = N(i->b) & ~N(i->c); return ON; }
DO(BITS_COUNT) { N(i->a) = __builtin_popcountll((uint64_t)N(i->b)); return ON; }
DO(BIT_OF) { N(i->a) = N(i->b) < 0 || N(i->b) > 62 ? 0 : 1ll << N(i->b); return ON; }
DO(LOWEST) { N(i->a) = N(i->b) ? __builtin_ctzll((uint64_t)N(i->b)) : -1; return ON; }
DO(CHOOSE) { N(i->a) = N(i->d) ? N(i->b) : N(i->c); return ON; }
DO(CLAMP) { if (N(i->a) < i->d) N(i->a) = i->d; else if (N(i->a) > i->e) N(i->a) = i->e; return ON; }
DO(LOAD) { N(i->a) = N(i->c) >= 0 ? N(i->b + N(i->c)) : 0; return ON; }
DO(STORE)
{
    if (N(i->b) >= 0) N(i->a + N(i->b)) = N(i->c) < i->d ? i->d : N(i->c) > i->e ? i->e : N(i->c);
    return ON;
}
DO(COUNT) { N(i->a) = words_count(S(i->b), W(i, b)); return ON; }
DO(ANY) { N(i->a) = words_any(S(i->b), W(i, b)); return ON; }
DO(NO) { N(i->a) = !words_any(S(i->b), W(i, b)); return ON; }
DO(MEETS) { N(i->a) = words_meet(S(i->b), S(i->c), W(i, b) < W(i, c) ? W(i, b) : W(i, c)); return ON; }
DO(SUBSET) { N(i->a) = words_any(S(i->b), W(i, b)) && words_within(S(i->b), S(i->c), W(i, b)); return ON; }
DO(ANY_LINE) { N(i->a) = long_run(v, S(i->b), i->d, N(i->c)); return ON; }
DO(SAME) { N(i->a) = set_same(S(i->b), S(i->c)); return ON; }
DO(HOLDS) { N(i->a) = N(i->b) >= 0 && set_has(S(i->c), (int)N(i->b)); return ON; }
DO(FIRST) { N(i->a) = words_first(S(i->b), W(i, b)); return ON; }
DO(OWNER) { N(i->a) = N(i->b) >= 0 && AT(v)[N(i->b)] ? code_owner(G(v), AT(v)[N(i->b)]) : -1; return ON; }
DO(KIND) { N(i->a) = N(i->b) >= 0 && AT(v)[N(i->b)] ? code_kind(G(v), AT(v)[N(i->b)]) : -1; return ON; }
DO(GET) { int64_t x = 0; if (N(i->b) < 0 || !field_known(v, &G(v)->fields[i->d], (int)N(i->b), &x)) x = 0; N(i->a) = x; return ON; }
DO(SUM) { N(i->a) = field_over(v, i->d, S(i->b), (opcode)i->op); return ON; }
SAME(MOST, SUM)
SAME(LEAST, SUM)
DO(REPEATS) { N(i->a) = repeats(v, i->d != 0, false, i->b != 0); return ON; }
DO(SINCE) { N(i->a) = repeats(v, i->d != 0, true, false); return ON; }
DO(ALWAYS) { N(i->a) = always(v, i->d); return ON; }
DO(NEXT) { N(i->a) = next_player(v, N(i->b)); return ON; }
DO(EVERYONE) { N(i->a) = ((1ll << G(v)->player_count) - 1) & ~H(H_OUT); return ON; }
DO(OPPOSITE) { N(i->a) = opposites(v, N(i->b)); return ON; }
DO(STEP_FROM) { N(i->a) = step_from(v, i); return ON; }
DO(RELATION) { N(i->a) = (int64_t)relation_mask(v, i->d); return ON; }
DO(MOVER) { if (N(i->a) >= 0) set_mover(v, N(i->a)); return ON; }

DO(S_AND) { words_and(S(i->a), S(i->b), S(i->c), W(i, a)); return ON; }
DO(S_OR) { words_or(S(i->a), S(i->b), S(i->c), W(i, a)); return ON; }
DO(S_ANDN) { words_andn(S(i->a), S(i->b), S(i->c), W(i, a)); return ON; }
DO(S_NOT) { set_andn(S(i->a), S(G(v)->all_places), S(i->b)); return ON; }
DO(S_COPY) { words_copy(S(i->a), S(i->b), W(i, a)); return ON; }
DO(S_CHOOSE) { words_copy(S(i->a), N(i->d) ? S(i->b) : S(i->c), W(i, a)); return ON; }
DO(S_PLACE) { set_clear(S(i->a)); if (N(i->b) >= 0) set_add(S(i->a), (int)N(i->b)); return ON; }
DO(S_LESS) { if (N(i->b) >= 0) set_remove(S(i->a), (int)N(i->b)); return ON; }
DO(S_OWNED) { words_copy(S(i->a), S(N(i->b) < 0 ? SET_NEUTRAL : SET_PLAYERS + N(i->b)), W(i, a)); return ON; }
DO(S_ENEMIES) { enemies(v, S(i->a)); return ON; }
DO(S_KIND) { if (N(i->b) >= 0) set_copy(S(i->a), S(G(v)->kind_first + N(i->b))); else set_clear(S(i->a)); return ON; }
DO(S_IMAGE)
{
    const relation *r = &G(v)->relations[i->d];
    const bool once = i->e < 0 && r->reg < 0 && r->times < 0;
    const uint64_t ways = once ? ways_of(v, r) : 0;
    if (ways && !(ways & (ways - 1)) && G(v)->dirs[__builtin_ctzll(ways)].shift) step_shift(&G(v)->dirs[__builtin_ctzll(ways)], S(i->b), S(i->a));
    else if (once && r->images[0]) relation_image(v, r, S(i->b), S(i->a));
    else image(v, relation_mask(v, i->d), S(i->b), i->e >= 0 ? N(i->e) : relation_times(v, i->d), S(i->a));
    return ON;
}
DO(S_NEAR)
{
    const int64_t x = N(i->b);
    if (x >= 0) words_copy(S(i->a), images_of(v, &G(v)->relations[i->d]) + (size_t)x * WORDS, W(i, a)); else set_clear(S(i->a));
    return ON;
}
DO(S_BUT)
{
    const int64_t x = N(i->c);
    EACH_WORD(k) S(i->a)[k] = k >= W(i, a) ? 0 : x >> 6 == k ? S(i->b)[k] & ~(1ull << (x & 63)) : S(i->b)[k];
    return ON;
}
DO(S_REACH) { reach(v, S(i->b), S(i->c), relation_mask(v, i->d), S(i->a)); return ON; }
DO(S_LINE) { line(v, i); return ON; }
DO(S_BETWEEN) { line_between(v, i); return ON; }
DO(S_FIELD) { field_set(v, i->d, i->c == NO_OPERAND ? INT64_MIN : N(i->c), i->e == NO_OPERAND ? INT64_MAX : N(i->e), false, S(i->a)); return ON; }
DO(S_FIELD_NOT) { field_set(v, i->d, N(i->c), N(i->c), true, S(i->a)); return ON; }
DO(S_FIELD_BAG) { field_in_bag(v, i); return ON; }
DO(S_FIELDS) { fields_compared(v, i); return ON; }
DO(S_ATTACKED) { attacked(v, S(i->b), S(i->a)); return ON; }
DO(S_CHANGED) { changed(v, S(i->a)); return ON; }
DO(S_EDGE) { edges(v, (uint64_t)N(i->b), S(i->a)); return ON; }
DO(S_POP)
{
    const int x = words_pop(S(i->b), W(i, b));
    N(i->a) = x;
    if (x < 0) return (uint32_t)i->d;
    return ON;
}
DO(BAG_CLEAR) { memset(bag(v, i->a), 0, sizeof(int16_t) * (BAG_MAX + 1)); return ON; }
DO(BAG_COPY) { memmove(bag(v, i->a), bag(v, i->b), sizeof(int16_t) * (BAG_MAX + 1)); return ON; }
DO(BAG_ADD) { bag_add(v, i->a, N(i->b)); return ON; }
DO(BAG_JOIN) { bag_join(v, i->a, i->b); return ON; }
DO(BAG_DROP) { bag_drop(v, i->a, N(i->b)); return ON; }
DO(BAG_FIELD) { bag_field(v, i); return ON; }
DO(BAG_PAIRS) { bag_pairs(v, i->a, i->b, i->c, i->d); return ON; }
DO(BAG_COUNT) { N(i->a) = bag_fold(v, i->b, (opcode)i->op); return ON; }
SAME(BAG_SUM, BAG_COUNT)
SAME(BAG_MOST, BAG_COUNT)
SAME(BAG_LEAST, BAG_COUNT)
DO(BAG_HOLDS) { N(i->a) = bag_holds(v, i->c, N(i->b)); return ON; }

DO(JUMP)
{
    if ((uint32_t)i->d <= pc_of(v, i)) {
        if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
        if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) return OUT;
    }
    return (uint32_t)i->d;
}
DO(JUMP_NO) { if (!N(i->a)) return (uint32_t)i->d; return ON; }
DO(JUMP_YES) { if (N(i->a)) return (uint32_t)i->d; return ON; }
DO(FAIL)
{
    if (WATCH(v) && breaks_condition(v, pc_of(v, i))) {
        if (v->mode == MODE_REPLAY) return ON;
        WATCH(v)->broken++;
        run(v, pc_of(v, i) + 1);
        WATCH(v)->broken--;
        return OUT;
    }
    if (WATCH(v)) return OUT;
    if (LENIENT(v) && i->d >= 0 && v->mode == MODE_LIST) { H(H_FAILED) = i->d + 1; return ON; }
    return OUT;
}
DO(RETURN) { return OUT; }
DO(FAULT) { fault(v, v->g->names[i->d]); return OUT; }
DO(RULE)
{
    if (TOKENS(v) && i->a) run(v, (uint32_t)i->d);
    else if (TOKENS(v)) { v->note_pc = pc_of(v, i); note(v, TOKEN_RULE, i->d, 0); }
    return ON;
}
DO(WRITE_TEXT) { note(v, TOKEN_TEXT, i->d, 0); return ON; }
DO(WRITE_CELLS) { note_cells(v, S(i->b), i->d); return ON; }
DO(WRITE_NUMBER) { note(v, TOKEN_AMOUNT, N(i->b), 0); return ON; }

/* What choosing instructions do in mode COLLECT. */
#define COLLECTS(name) KNOWN void collect_##name(vm *v, const ins *i)
COLLECTS(ALT) { collect_alternatives(v, i); }
COLLECTS(ELSE) { collect_else(v, i, pc_of(v, i)); }
COLLECTS(PICK) { if (i->e && !v->counting) collect_walkers(v, i, pc_of(v, i)); else OTHERS(v, pc_of(v, i)); }
COLLECTS(DROP) { if (i->c) collect_drop(v, i, pc_of(v, i)); else collect_others(v, pc_of(v, i)); }
COLLECTS(PASS) { collect_pass(v, i, pc_of(v, i)); }
COLLECTS(STEP) { collect_others(v, pc_of(v, i)); }

DO(ALT)
{
    if (v->path_at < v->guide) {
        const uint32_t x = path_take(v);
        if (TOKENS(v) && i->a == x + 1) note(v, TOKEN_STOP, 0, 0);
        return x < (uint32_t)i->e ? (uint32_t)G(v)->lists[i->d + (int)x] : ON;
    }
    if (v->mode == MODE_ONWARD) onward_apart(v, i, pc_of(v, i));
    else if (v->mode == MODE_COLLECT) COLLECT_AT(v, ALT, i); else alternatives(v, i);
    return OUT;
}
DO(ELSE)
{
    if (v->path_at < v->guide) { if (path_take(v)) { if (WATCH(v)) log_else(v, pc_of(v, i)); return (uint32_t)i->d; } return ON; }
    if (DRAWING(v)) return ON;
    if (v->mode == MODE_ONWARD) return onward_else(v, pc_of(v, i)) ? (uint32_t)i->d : OUT;
    if (v->mode == MODE_BRANCH) { branch_else(v, i, pc_of(v, i)); return OUT; }
    if (v->mode == MODE_COLLECT) COLLECT_AT(v, ELSE, i); else else_options(v, i, pc_of(v, i));
    return OUT;
}
DO(PICK)
{
    if (v->path_at < v->guide) { if (WATCH(v)) log_pick(v, i, pc_of(v, i)); choose_place(v, i, (int)path_take(v)); return ON; }
    if (DRAWING(v)) return draw_pick(v, i);
    if (v->mode == MODE_PLAY) { steer(v, i, pc_of(v, i)); return ON; }
    if (v->mode == MODE_WALK) { v->tried = words_any(S(i->b), W(i, b)); return OUT; }
    if (v->mode == MODE_ONWARD) onward_apart(v, i, pc_of(v, i));
    else if (v->mode == MODE_BRANCH) branch_places(v, S(i->b), true);
    else if (v->mode == MODE_COLLECT) COLLECT_AT(v, PICK, i);
    else if (v->mode == MODE_EXISTS && i->e && !plan_possible(v, i)) return OUT;
    else { if (WATCH(v)) pick_watched(v, i, pc_of(v, i)); pick_place(v, i, pc_of(v, i)); }
    return OUT;
}
/* Picks that have no plan of their own. */
#define DO_PICK(name, chosen, options) \
    DO(name) \
    { \
        if (v->path_at < v->guide) { chosen(v, i, (int32_t)path_take(v)); return ON; } \
        if (v->mode == MODE_PLAY) { steer(v, i, pc_of(v, i)); return ON; } \
        if (v->mode == MODE_COLLECT) OTHERS(v, pc_of(v, i)); else options(v, i, pc_of(v, i)); \
        return OUT; \
    }
DO_PICK(PICK_BIT, choose_bit, pick_bit)
DO_PICK(PICK_NUMBER, choose_number, pick_number)
DO_PICK(PICK_KIND, choose_kind, pick_kind)
DO_PICK(PICK_BAG, choose_number, pick_bag)
DO(STEP)
{
    if (v->path_at < v->guide) {
        if (WATCH(v)) log_step(v, i, pc_of(v, i));
        v->note_pc = pc_of(v, i);
        leg_apply(v, &G(v)->legs[i->a], path_take(v));
        if (v->stop) return OUT;
        return ON;
    }
    if (v->mode == MODE_TRY) { v->tried = try_leg(v, i); return OUT; }
    if (v->mode == MODE_WALK) { v->tried = 1; return OUT; }
    if (v->mode == MODE_COLLECT) COLLECT_AT(v, STEP, i); else { if (WATCH(v)) step_watched(v, i, pc_of(v, i)); step_options(v, i, pc_of(v, i)); }
    return OUT;
}
DO(DROP)
{
    if (v->path_at < v->guide) { if (WATCH(v)) log_drop(v, i, pc_of(v, i)); uint32_t x = path_take(v); choose_drop(v, i, (int)(x >> 16), (int)(x & 0xFFFF), (int)(x >> 16)); return ON; }
    if (DRAWING(v)) return draw_drop(v, i);
    if (v->mode == MODE_ONWARD) { onward_apart(v, i, pc_of(v, i)); return OUT; }
    if (v->mode == MODE_PLAY) { steer_drop(v, i); return v->stop ? OUT : ON; }
    if (v->mode == MODE_BRANCH) { branch_places(v, S(i->a), false); return OUT; }
    if (v->mode == MODE_COLLECT) { if (i->op == OP_DROP) COLLECT_AT(v, DROP, i); else collect_others(v, pc_of(v, i)); }
    else drop_options(v, i, pc_of(v, i));
    return OUT;
}
SAME(DROP_FROM, DROP)
/* a way that needs no further choice is gone on a copy: what is collected is looked at from the first choice */
DO(PASS)
{
    if (v->mode == MODE_COLLECT) { COLLECT_AT(v, PASS, i); return OUT; }
    if (v->mode == MODE_ONWARD && !onward_pass(v, pc_of(v, i))) return OUT;
    H(H_DIDPASS) = 1;
    H(H_CHOSEN)++;
    if (TOKENS(v)) note(v, TOKEN_PASS, 0, 0);
    return ON;
}
DO(AGAIN)
{
    if (v->mode == MODE_COLLECT) { collect_others(v, pc_of(v, i)); return OUT; }
    H(H_AGAIN) = 1;
    return ON;
}

DO(LOOP)
{
    if (v->mode == MODE_COLLECT) { collect_fails(v, pc_of(v, i)); return OUT; }
    N(i->a) = H(H_LOOPS);
    (void)loop_seen(v, i);
    return ON;
}
DO(LOOP_SEEN)
{
    if (loop_seen(v, i)) { if (v->fault) return OUT; return (uint32_t)i->d; }
    return ON;
}
DO(FLOOD)
{
    if (v->mode == MODE_COLLECT) { collect_fails(v, pc_of(v, i)); return OUT; }
    N(i->a) = H(H_HERE);
    if (DOUBLES(v) || v->mode == MODE_REPLAY) { N(i->b) = H(H_LOOPS); (void)loop_seen(v, &(ins){ .a = i->b, .e = i->e }); return ON; }
    flood(v, i, pc_of(v, i));
    return OUT;
}
DO(FLOOD_SEEN)
{
    if (DOUBLES(v) || v->mode == MODE_REPLAY) { if (loop_seen(v, &(ins){ .a = i->b, .e = i->e })) { if (v->fault) return OUT; return (uint32_t)i->d; } return ON; }
    if (!flood_goes_on(v, i)) return OUT;
    if (H(H_HERE) == N(i->a)) return (uint32_t)i->d;
    return ON;
}
DO(STUCK) { N(i->a) = stuck(v, i); return ON; }
DO(BODY_END)
{
    if (v->probe == i->e && v->mode == MODE_EXISTS) { v->found = v->stop = true; return OUT; }
    if (watching(v)) { body_end_watched(v, i, pc_of(v, i)); return OUT; }
    if (WATCH(v) && v->mode == MODE_REPLAY && v->path_at < v->guide && path_take(v)) { log_stop(v, pc_of(v, i)); return (uint32_t)i->d; }
    return ON;
}
DO(CAN) { N(i->a) = exists(v, (uint32_t)i->d, pc_of(v, i)); return ON; }
DO(CAN_DONE) { if (v->stop) return OUT; if (v->mode == MODE_EXISTS) v->found = v->stop = true; return OUT; }
DO(PREFER_FROM)
{
    if (v->mode == MODE_REPLAY) return ON;
    if (v->mode == MODE_COLLECT) { collect_fails(v, pc_of(v, i)); return OUT; }
    prefer_block(v, i, pc_of(v, i));
    return OUT;
}
DO(PREFER)
{
    if (v->mode == MODE_WALK) { v->tried = prefer_hopeful(v, i, false); return OUT; }
    if (v->mode == MODE_LIST && !prefer_hopeful(v, i, true)) return OUT;
    return ON;
}

DO(ROLL)
{
    if (throw_given(v, i)) return ON;
    if (v->mode == MODE_STRAIGHT) { v->ahead = pc_of(v, i); return OUT; }
    if (v->mode == MODE_ONWARD) return onward_chance_apart(v, i, pc_of(v, i)) ? ON : OUT;
    if (v->mode == MODE_COLLECT && !v->first_pc) return collect_chance(v, i, pc_of(v, i)) ? ON : OUT;
    if (v->mode == MODE_PLAY) { decided(v, LEAF_CHANCE, pc_of(v, i)); return OUT; }
    if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
    if (v->mode == MODE_REPLAY) { v->ended = LEAF_CHANCE; v->ended_at = pc_of(v, i); return OUT; }
    emit(v, LEAF_CHANCE, pc_of(v, i));
    return OUT;
}
SAME(RANDOM, ROLL)
SAME(RANDOM_BIT, ROLL)
SAME(RANDOM_NUMBER, ROLL)
SAME(RANDOM_KIND, ROLL)
DO(UNTIL)
{
    if (!N(i->a)) v->voided = true;
    if (v->mode == MODE_STRAIGHT) { v->ahead = pc_of(v, i) + 1; return OUT; }
    return ON;
}

DO(SHOWN)
{
    if (!v->showing) return ON;
    v->shown = pc_of(v, i) + 1;
    return OUT;
}

DO(COMMIT)
{
    if (v->mode == MODE_STRAIGHT) return ON;
    if (v->mode == MODE_COLLECT && !v->first_pc) { H(H_LOOPS) = H(H_CHOSEN) = 0; H(H_RESUME) = pc_of(v, i) + 1; return ON; }
    if (v->mode == MODE_PLAY) { decided(v, LEAF_COMMIT, pc_of(v, i) + 1); return OUT; }
    if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
    if (v->mode == MODE_REPLAY) { v->ended = LEAF_COMMIT; v->ended_at = pc_of(v, i) + 1; return OUT; }
    emit(v, LEAF_COMMIT, pc_of(v, i) + 1);
    return OUT;
}
DO(TURN_COUNT) { turn_count(v); return ON; }
DO(LEGAL)
{
    if (v->stop) return OUT;
    if (v->mode == MODE_PLAY) { decided(v, LEAF_LEGAL, 0); return ON; }
    if (v->mode == MODE_COLLECT && !v->first_pc) { v->border = true; decided(v, LEAF_LEGAL, 0); return ON; }
    if (v->mode == MODE_REPLAY) { v->ended = LEAF_LEGAL; v->ended_at = pc_of(v, i) + 1; return OUT; }
    emit(v, LEAF_LEGAL, pc_of(v, i) + 1);
    return OUT;
}
DO(RESULT)
{
    if (v->mode == MODE_COLLECT) { collect_others(v, pc_of(v, i)); return OUT; }
    if (v->mode == MODE_ONWARD) { (void)onward_not(v); return OUT; }
    if (v->play_on && v->mode == MODE_STRAIGHT && i->a >= 2 && i->c) return ON;
    result(v, i->a, i->b == NO_OPERAND ? H(H_MOVER) : N(i->b));
    if (!H(H_OVER) && (i->c || !(H(H_OUT) >> H(H_ACTOR) & 1))) return ON;        /* whose turn it is has lost: his turn is over */
    H(H_REASON) = i->c ? i->d + 1 : -i->d - 1;
    if (!H(H_COUNTED)) turn_count(v);
    if (v->mode == MODE_PLAY) decided(v, LEAF_OVER, 0);
    if (v->mode == MODE_STRAIGHT) return (uint32_t)i->e;
    if (v->mode == MODE_REPLAY) { v->ended = LEAF_OVER; v->ended_at = (uint32_t)i->e; }
    else emit(v, LEAF_OVER, (uint32_t)i->e);
    return OUT;
}
DO(ALWAYS_NOTE) { if (N(i->a)) H(H_ALWAYS) |= 1ll << (4 + i->d); H(H_ALWAYS) = (H(H_ALWAYS) & ~15ll) | H(H_ACTOR); return ON; }
DO(TURN_KEY) { history_push(v, i->a != 0); return ON; }
DO(TURN_DONE) { turn_done(v); return OUT; }
DO(SETUP_DONE) { setup_done(v); return OUT; }

DO(SETTLE) { settle_landing(v); return ON; }
DO(TAKE)
{
    if (TOKENS(v)) note_taken(v, S(i->a), pc_of(v, i));
    if (v->mode == MODE_BRANCH) branch_takes(v, S(i->a));
    take_set(v, S(i->a), i->b == NO_OPERAND ? 1 : N(i->b), i->c);
    return ON;
}
DO(PLACE) { place_kinds(v, i, -1); return ON; }
DO(PLACE_ZONE) { place_kinds(v, i, (int)N(i->a)); return ON; }
DO(SEND) { send_set(v, S(i->a), N(i->b), i->c, i->d >= 0 ? N(i->d) : 1, -1, false); return ON; }
DO(SEND_ZONE)
{
    if (!set_meets(S(i->a), S(SET_OCCUPIED))) return ON;
    if ((G(v)->simple_pieces || piles_plain(G(v))) && i->d < 0) { send_plain(v, S(i->a), (int)N(i->b), i->c & 1); return ON; }
    send_set(v, S(i->a), -1, i->c & SEND_LOW, i->d >= 0 ? N(i->d) : 1, N(i->b), i->c & 1);
    return ON;
}
DO(SEND_ALONG) { send_along(v, S(i->a), i->d); return ON; }
DO(BECOME_OWNER) { become_owner(v, S(i->a), (int)N(i->b)); return ON; }
DO(BECOME_KIND) { become_kind(v, S(i->a), (int)N(i->b)); return ON; }
DO(FLAG) { set_flag(v, i); return ON; }
DO(SET) { set_numbers(v, i, false); return ON; }
DO(SET_AT) { if (N(i->a) >= 0) set_number(v, i, (int)N(i->a), N(i->b)); return ON; }
DO(SET_FIELD) { set_numbers(v, i, true); return ON; }
DO(SOW) { sow(v, i); return v->stop ? OUT : ON; }
DO(HERE) { H(H_HERE) = H(H_START) = N(i->a); if (G(v)->uses_passed) set_clear(S(SET_PASSED)); return ON; }
DO(MARK) { if (MARKS(v)) MARKS(v)[i->d] |= i->a || v->mode == MODE_REPLAY ? MARK_MADE : MARK_TRIED; return ON; }
DO(SEEN) { become_seen(v, i); return ON; }
DO(RANK) { diagram_rank(v, v->g->names[i->d]); return ON; }
DO(FIX_DICE) { N(G(v)->dice[i->a].fixed) = DICE_FIXED | DICE_THROWN; return ON; }

#endif
