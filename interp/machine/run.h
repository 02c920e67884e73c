/* The interpreter. Included once per width by vm.c. */
#ifndef JOC_RUN_H
#define JOC_RUN_H

static void run(vm *v, uint32_t pc)
{
    const game *g = v->g;
    const ins *const code = g->code;
    if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
    if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) return;
    if (++v->depth > DEPTH_MAX) { fault(v, "the choices of one decision nest too deeply"); v->fault_pc = pc; v->depth--; return; }
    static const void *const labels[OP_OPCODES] = {
#define OP(name, notation) &&L_##name,
#include "interp/op.def"
#undef OP
    };
    const ins *i = &code[pc];
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
    /* one jump for all: a jump at the end of every instruction takes sanitizers minutes to compile */
#define NEXT do { i++; goto next; } while (0)
#define GO(to) do { i = code + (uint32_t)(to); goto next; } while (0)
    goto next;
next:
    goto *labels[i->op];
#else
#define NEXT do { i++; goto *labels[i->op]; } while (0)
#define GO(to) do { i = code + (uint32_t)(to); goto *labels[i->op]; } while (0)
    goto *labels[i->op];
#endif
#define PC ((uint32_t)(i - code))
    {
        {
        L_MOVE: N(i->a) = N(i->b); NEXT;
        L_ADD: N(i->a) = whole_add(N(i->b), N(i->c)); NEXT;
        L_SUB: N(i->a) = whole_sub(N(i->b), N(i->c)); NEXT;
        L_MUL: N(i->a) = whole_mul(N(i->b), N(i->c)); NEXT;
        L_DIV: N(i->a) = whole_div(N(i->b), N(i->c)); NEXT;
        L_MOD: N(i->a) = whole_mod(N(i->b), N(i->c)); NEXT;
        L_MIN: N(i->a) = N(i->b) < N(i->c) ? N(i->b) : N(i->c); NEXT;
        L_MAX: N(i->a) = N(i->b) > N(i->c) ? N(i->b) : N(i->c); NEXT;
        L_EQ: N(i->a) = N(i->b) == N(i->c); NEXT;
        L_NE: N(i->a) = N(i->b) != N(i->c); NEXT;
        L_LT: N(i->a) = N(i->b) < N(i->c); NEXT;
        L_LE: N(i->a) = N(i->b) <= N(i->c); NEXT;
        L_NOT: N(i->a) = !N(i->b); NEXT;
        L_BITS_AND: N(i->a) = N(i->b) & N(i->c); NEXT;
        L_BITS_OR: N(i->a) = N(i->b) | N(i->c); NEXT;
        L_BITS_ANDN: N(i->a) = N(i->b) & ~N(i->c); NEXT;
        L_BITS_COUNT: N(i->a) = __builtin_popcountll((uint64_t)N(i->b)); NEXT;
        L_BIT_OF: N(i->a) = N(i->b) < 0 || N(i->b) > 62 ? 0 : 1ll << N(i->b); NEXT;
        L_LOWEST: N(i->a) = N(i->b) ? __builtin_ctzll((uint64_t)N(i->b)) : -1; NEXT;
        L_CHOOSE: N(i->a) = N(i->d) ? N(i->b) : N(i->c); NEXT;
        L_CLAMP: if (N(i->a) < i->d) N(i->a) = i->d; else if (N(i->a) > i->e) N(i->a) = i->e; NEXT;
        L_LOAD: N(i->a) = N(i->c) >= 0 ? N(i->b + N(i->c)) : 0; NEXT;
        L_STORE:
            if (N(i->b) >= 0) N(i->a + N(i->b)) = N(i->c) < i->d ? i->d : N(i->c) > i->e ? i->e : N(i->c);
            NEXT;
        L_COUNT: N(i->a) = set_count(S(i->b)); NEXT;
        L_ANY: N(i->a) = set_any(S(i->b)); NEXT;
        L_NO: N(i->a) = !set_any(S(i->b)); NEXT;
        L_MEETS: N(i->a) = set_meets(S(i->b), S(i->c)); NEXT;
        L_SUBSET: N(i->a) = set_any(S(i->b)) && set_within(S(i->b), S(i->c)); NEXT;
        L_SAME: N(i->a) = set_same(S(i->b), S(i->c)); NEXT;
        L_HOLDS: N(i->a) = N(i->b) >= 0 && set_has(S(i->c), (int)N(i->b)); NEXT;
        L_FIRST: N(i->a) = set_first(S(i->b)); NEXT;
        L_OWNER: N(i->a) = N(i->b) >= 0 && v->at[N(i->b)] ? code_owner(g, v->at[N(i->b)]) : -1; NEXT;
        L_KIND: N(i->a) = N(i->b) >= 0 && v->at[N(i->b)] ? code_kind(g, v->at[N(i->b)]) : -1; NEXT;
        L_GET: { int64_t x = 0; if (N(i->b) < 0 || !field_at(v, i->d, (int)N(i->b), &x)) x = 0; N(i->a) = x; NEXT; }
        L_SUM: L_MOST: L_LEAST: N(i->a) = field_over(v, i->d, S(i->b), (opcode)i->op); NEXT;
        L_REPEATS: N(i->a) = repeats(v, i->d != 0, false); NEXT;
        L_SINCE: N(i->a) = repeats(v, i->d != 0, true); NEXT;
        L_ALWAYS: N(i->a) = always(v, i->d); NEXT;
        L_NEXT: N(i->a) = next_player(v, N(i->b)); NEXT;
        L_EVERYONE: N(i->a) = ((1ll << g->player_count) - 1) & ~H(H_OUT); NEXT;
        L_OPPOSITE: N(i->a) = opposites(v, N(i->b)); NEXT;
        L_STEP_FROM: N(i->a) = step_from(v, i); NEXT;
        L_RELATION: N(i->a) = (int64_t)relation_mask(v, i->d); NEXT;
        L_MOVER: if (N(i->a) >= 0) set_mover(v, N(i->a)); NEXT;

        L_S_AND: set_and(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_OR: set_or(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_ANDN: set_andn(S(i->a), S(i->b), S(i->c)); NEXT;
        L_S_NOT: set_andn(S(i->a), S(g->all_places), S(i->b)); NEXT;
        L_S_COPY: set_copy(S(i->a), S(i->b)); NEXT;
        L_S_CHOOSE: set_copy(S(i->a), N(i->d) ? S(i->b) : S(i->c)); NEXT;
        L_S_PLACE: set_clear(S(i->a)); if (N(i->b) >= 0) set_add(S(i->a), (int)N(i->b)); NEXT;
        L_S_LESS: if (N(i->b) >= 0) set_remove(S(i->a), (int)N(i->b)); NEXT;
        L_S_OWNED: set_copy(S(i->a), S(N(i->b) < 0 ? SET_NEUTRAL : SET_PLAYERS + N(i->b))); NEXT;
        L_S_ENEMIES: enemies(v, S(i->a)); NEXT;
        L_S_KIND: if (N(i->b) >= 0) set_copy(S(i->a), S(g->kind_first + N(i->b))); else set_clear(S(i->a)); NEXT;
        L_S_IMAGE: image(v, relation_mask(v, i->d), S(i->b), i->e >= 0 ? N(i->e) : relation_times(v, i->d), S(i->a)); NEXT;
        L_S_REACH: reach(v, S(i->b), S(i->c), relation_mask(v, i->d), S(i->a)); NEXT;
        L_S_LINE: line(v, i); NEXT;
        L_S_BETWEEN: line_between(v, i); NEXT;
        L_S_FIELD: field_set(v, i->d, i->c == NO_OPERAND ? INT64_MIN : N(i->c), i->e == NO_OPERAND ? INT64_MAX : N(i->e), false, S(i->a)); NEXT;
        L_S_FIELD_NOT: field_set(v, i->d, N(i->c), N(i->c), true, S(i->a)); NEXT;
        L_S_FIELD_BAG: field_in_bag(v, i); NEXT;
        L_S_FIELDS: fields_compared(v, i); NEXT;
        L_S_ATTACKED: attacked(v, S(i->b), S(i->a)); NEXT;
        L_S_CHANGED: changed(v, S(i->a)); NEXT;
        L_S_EDGE: edges(v, (uint64_t)N(i->b), S(i->a)); NEXT;
        L_S_POP: {
            const int x = set_pop(S(i->b));
            N(i->a) = x;
            if (x < 0) GO(i->d);
            NEXT;
        }
        L_BAG_CLEAR: memset(bag(v, i->a), 0, sizeof(int16_t) * (BAG_MAX + 1)); NEXT;
        L_BAG_COPY: memmove(bag(v, i->a), bag(v, i->b), sizeof(int16_t) * (BAG_MAX + 1)); NEXT;
        L_BAG_ADD: bag_add(v, i->a, N(i->b)); NEXT;
        L_BAG_JOIN: bag_join(v, i->a, i->b); NEXT;
        L_BAG_DROP: bag_drop(v, i->a, N(i->b)); NEXT;
        L_BAG_FIELD: bag_field(v, i); NEXT;
        L_BAG_PAIRS: bag_pairs(v, i->a, i->b, i->c, i->d); NEXT;
        L_BAG_COUNT: L_BAG_SUM: L_BAG_MOST: L_BAG_LEAST: N(i->a) = bag_fold(v, i->b, (opcode)i->op); NEXT;
        L_BAG_HOLDS: N(i->a) = bag_holds(v, i->c, N(i->b)); NEXT;

        L_JUMP:
            if ((uint32_t)i->d <= PC) {
                if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
                if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) goto out;
            }
            GO(i->d);
        L_JUMP_NO: if (!N(i->a)) GO(i->d); NEXT;
        L_JUMP_YES: if (N(i->a)) GO(i->d); NEXT;
        L_FAIL:
            if (v->watch && breaks_condition(v, PC)) {
                if (v->mode == MODE_REPLAY) NEXT;
                v->watch->broken++;
                run(v, PC + 1);
                v->watch->broken--;
                goto out;
            }
            if (v->watch) goto out;
            if (v->lenient && i->d >= 0 && v->mode == MODE_LIST) { H(H_FAILED) = i->d + 1; NEXT; }
            goto out;
        L_RETURN: goto out;
        L_FAULT: fault(v, g->names[i->d]); goto out;
        L_RULE:
            if (v->tokens && i->a) run(v, (uint32_t)i->d);
            else if (v->tokens) { v->note_pc = (uint32_t)(i - code); note(v, TOKEN_RULE, i->d, 0); }
            NEXT;
        L_WRITE_TEXT: note(v, TOKEN_TEXT, i->d, 0); NEXT;
        L_WRITE_CELLS: note_cells(v, S(i->b), i->d); NEXT;
        L_WRITE_NUMBER: note(v, TOKEN_AMOUNT, N(i->b), 0); NEXT;

        L_ALT:
            if (v->path_at < v->guide) { uint32_t x = path_take(v); if (x < (uint32_t)i->e) GO(g->lists[i->d + (int)x]); NEXT; }
            if (v->mode == MODE_COLLECT) collect_alternatives(v, i); else alternatives(v, i);
            goto out;
        L_ELSE:
            if (v->path_at < v->guide) { if (path_take(v)) { if (v->watch) log_else(v, PC); GO(i->d); } NEXT; }
            if (v->mode == MODE_COLLECT) collect_else(v, i, PC); else else_options(v, i, PC);
            goto out;
        L_PICK:
            if (v->path_at < v->guide) { if (v->watch) log_pick(v, i, PC); choose_place(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) { if (i->d & 1 && i->e) collect_walkers(v, i, PC); else collect_others(v, PC); }
            else if (v->mode == MODE_EXISTS && i->d & 1 && i->e && !plan_possible(v, i)) goto out;
            else { if (v->watch) pick_watched(v, i, PC); pick_place(v, i, PC); }
            goto out;
        L_PICK_BIT:
            if (v->path_at < v->guide) { choose_bit(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_bit(v, i, PC);
            goto out;
        L_PICK_NUMBER:
            if (v->path_at < v->guide) { choose_number(v, i, (int32_t)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_number(v, i, PC);
            goto out;
        L_PICK_KIND:
            if (v->path_at < v->guide) { choose_kind(v, i, (int)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_kind(v, i, PC);
            goto out;
        L_PICK_BAG:
            if (v->path_at < v->guide) { choose_number(v, i, (int32_t)path_take(v)); NEXT; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else pick_bag(v, i, PC);
            goto out;
        L_STEP:
            if (v->path_at < v->guide) {
                if (v->watch) log_step(v, i, PC);
                v->note_pc = PC;
                leg_apply(v, &g->legs[i->a], path_take(v));
                if (v->stop) goto out;
                NEXT;
            }
            if (v->mode == MODE_TRY) { v->tried = try_leg(v, i); goto out; }
            if (v->mode == MODE_COLLECT) collect_others(v, PC); else { if (v->watch) step_watched(v, i, PC); step_options(v, i, PC); }
            goto out;
        L_DROP: L_DROP_FROM:
            if (v->path_at < v->guide) { if (v->watch) log_drop(v, i, PC); uint32_t x = path_take(v); choose_drop(v, i, (int)(x >> 16), (int)(x & 0xFFFF), (int)(x >> 16)); NEXT; }
            if (v->mode == MODE_COLLECT) { if (i->op == OP_DROP && i->c) collect_drop(v, i, PC); else collect_others(v, PC); }
            else drop_options(v, i, PC);
            goto out;
        /* a way that needs no further choice is gone on a copy: what is collected is looked at from the first choice */
        L_PASS:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            H(H_DIDPASS) = 1; H(H_CHOSEN)++; if (v->tokens) note(v, TOKEN_PASS, 0, 0); NEXT;
        L_AGAIN:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            H(H_AGAIN) = 1;
            NEXT;

        L_LOOP:
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            N(i->a) = H(H_LOOPS);
            (void)loop_seen(v, i);
            NEXT;
        L_LOOP_SEEN:
            if (loop_seen(v, i)) { if (v->fault) goto out; GO(i->d); }
            NEXT;
        L_FLOOD:
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            N(i->a) = H(H_HERE);
            if (v->keep_doubles || v->mode == MODE_REPLAY) { N(i->b) = H(H_LOOPS); (void)loop_seen(v, &(ins){ .a = i->b, .e = i->e }); NEXT; }
            flood(v, i, PC);
            goto out;
        L_FLOOD_SEEN:
            if (v->keep_doubles || v->mode == MODE_REPLAY) { if (loop_seen(v, &(ins){ .a = i->b, .e = i->e })) { if (v->fault) goto out; GO(i->d); } NEXT; }
            if (!flood_goes_on(v, i)) goto out;
            if (H(H_HERE) == N(i->a)) GO(i->d);
            NEXT;
        L_STUCK: N(i->a) = stuck(v, i); NEXT;
        L_BODY_END:
            if (v->probe == i->e && v->mode == MODE_EXISTS) { v->found = v->stop = true; goto out; }
            if (watching(v)) { body_end_watched(v, i, PC); goto out; }
            if (v->watch && v->mode == MODE_REPLAY && v->path_at < v->guide && path_take(v)) { log_stop(v, PC); GO(i->d); }
            NEXT;
        L_CAN: N(i->a) = exists(v, (uint32_t)i->d, PC); NEXT;
        L_CAN_DONE: if (v->stop) goto out; if (v->mode == MODE_EXISTS) v->found = v->stop = true; goto out;
        L_PREFER_FROM:
            if (v->mode == MODE_REPLAY) NEXT;
            if (v->mode == MODE_COLLECT) { collect_fails(v, PC); goto out; }
            prefer_block(v, i, PC);
            goto out;
        L_PREFER: if (!prefer_hopeful(v, i)) goto out; NEXT;

        L_ROLL: L_RANDOM: L_RANDOM_BIT: L_RANDOM_NUMBER: L_RANDOM_KIND:
            if (throw_given(v, i)) NEXT;
            if (v->mode == MODE_STRAIGHT) goto out;
            if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
            if (v->mode == MODE_PLAY) { decided(v, LEAF_CHANCE, PC); goto out; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_CHANCE; v->ended_at = PC; goto out; }
            emit(v, LEAF_CHANCE, PC);
            goto out;
        L_UNTIL:
            if (!N(i->a)) v->voided = true;
            if (v->mode == MODE_STRAIGHT) goto out;
            NEXT;

        L_COMMIT:
            if (v->mode == MODE_STRAIGHT) NEXT;
            if (v->mode != MODE_EXISTS) clear_dead(v, i->e);
            if (v->mode == MODE_PLAY) { decided(v, LEAF_COMMIT, PC + 1); goto out; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_COMMIT; v->ended_at = PC + 1; goto out; }
            emit(v, LEAF_COMMIT, PC + 1);
            goto out;
        L_TURN_COUNT: turn_count(v); NEXT;
        L_LEGAL:
            if (v->stop) goto out;
            if (v->mode == MODE_PLAY) { decided(v, LEAF_LEGAL, 0); NEXT; }
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_LEGAL; v->ended_at = PC + 1; goto out; }
            emit(v, LEAF_LEGAL, PC + 1);
            goto out;
        L_RESULT:
            if (v->mode == MODE_COLLECT) { collect_others(v, PC); goto out; }
            if (v->play_on && v->mode == MODE_STRAIGHT && i->a >= 2 && i->c) NEXT;
            result(v, i->a, i->b == NO_OPERAND ? H(H_MOVER) : N(i->b));
            if (!H(H_OVER)) NEXT;
            H(H_REASON) = i->c ? i->d + 1 : -i->d - 1;
            if (!H(H_COUNTED)) turn_count(v);
            if (v->mode == MODE_PLAY) decided(v, LEAF_OVER, 0);
            if (v->mode == MODE_STRAIGHT) GO(i->e);
            if (v->mode == MODE_REPLAY) { v->ended = LEAF_OVER; v->ended_at = (uint32_t)i->e; }
            else emit(v, LEAF_OVER, (uint32_t)i->e);
            goto out;
        L_ALWAYS_NOTE: if (N(i->a)) H(H_ALWAYS) |= 1ll << (4 + i->d); H(H_ALWAYS) = (H(H_ALWAYS) & ~15ll) | H(H_ACTOR); NEXT;
        L_TURN_KEY: history_push(v); NEXT;
        L_TURN_DONE: turn_done(v); goto out;
        L_SETUP_DONE: setup_done(v); goto out;

        L_SETTLE: settle_landing(v); NEXT;
        L_TAKE: if (v->tokens) note_taken(v, S(i->a), (uint32_t)(i - code)); take_set(v, S(i->a), i->b == NO_OPERAND ? 1 : N(i->b)); NEXT;
        L_PLACE: place_kinds(v, i, -1); NEXT;
        L_PLACE_ZONE: place_kinds(v, i, (int)N(i->a)); NEXT;
        L_SEND: send_set(v, S(i->a), N(i->b), i->c & 1, i->d >= 0 ? N(i->d) : 1, -1, false); NEXT;
        L_SEND_ZONE: send_set(v, S(i->a), -1, false, i->d >= 0 ? N(i->d) : 1, N(i->b), i->c & 1); NEXT;
        L_SEND_ALONG: send_along(v, S(i->a), i->d); NEXT;
        L_BECOME_OWNER: L_BECOME_KIND: become(v, i); NEXT;
        L_FLAG: set_flag(v, i); NEXT;
        L_SET: set_numbers(v, i, false); NEXT;
        L_SET_FIELD: set_numbers(v, i, true); NEXT;
        L_HERE: H(H_HERE) = H(H_START) = N(i->a); if (g->uses_passed) set_clear(S(SET_PASSED)); NEXT;
        L_MARK: if (v->marks) v->marks[i->d] |= i->a || v->mode == MODE_REPLAY ? MARK_MADE : MARK_TRIED; NEXT;
        L_SEEN: become_seen(v, i); NEXT;
        L_RANK: diagram_rank(v, g->names[i->d]); NEXT;
        L_FIX_DICE: N(g->dice[i->a].fixed) = DICE_FIXED | DICE_THROWN; NEXT;
        }
    }
out:
    if (v->fault && !v->fault_pc) v->fault_pc = PC;
    v->depth--;
#undef PC
#undef NEXT
#undef GO
}
#endif
