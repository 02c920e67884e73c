/* Rules: who walks, what a call means, and whether a rule can be done. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

static bool set4_any(const uint64_t *a, const uint64_t *b) { for (int i = 0; i < 4; i++) if (a[i] & b[i]) return true; return false; }

static bool set4_within(const uint64_t *a, const uint64_t *b) { for (int i = 0; i < 4; i++) if (a[i] & ~b[i]) return false; return true; }

static value kinds_set(compiler *c, const uint64_t set[4])
{
    int32_t list[KINDS_MAX];
    int n = 0;
    for (int k = 0; k < c->g->kind_count; k++) if (set[k / 64] >> (k % 64) & 1) list[n++] = k;
    return to_set(c, (value){ .type = T_KINDS, .constant = true, .kinds = list_add(c, list, n), .kind_count = n, .times = -1 }, NULL);
}

static bool speaks_of_walk(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return n != NULL;
    if (n->kind == NODE_E_NAME || n->kind == NODE_E_CALL) {
        const char *w = n->text;
        if (n->kind == NODE_E_NAME && (strcmp(w, "here") == 0 || strcmp(w, "start") == 0 || strcmp(w, "passed") == 0 || strcmp(w, "it") == 0 || strcmp(w, "stuck") == 0)) return true;
        for (int i = c->env_count; i-- > c->env_base;) if (strcmp(c->env[i].name, w) == 0) return true;
        symbol *s = symbol_find(c, w);
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, w) == 0 && speaks_of_walk(c, kid(l, 1), depth + 1)) return true;
            }
    }
    if (n->kind == NODE_E_CAN) return true;
    for (int i = 0; i < n->count; i++) if (speaks_of_walk(c, n->kids[i], depth + 1)) return true;
    return false;
}

/* Targets of the first legs that do not depend on the walker are worked out once, before it is picked. */
static void hoist_targets(compiler *c, const node *n, int depth)
{
    if (!n || depth > 10) return;
    if (n->kind == NODE_A_SEQUENCE) { hoist_targets(c, kid(n, 0), depth + 1); return; }
    if (n->kind == NODE_A_CHOICE) { for (int i = 0; i < n->count; i++) hoist_targets(c, n->kids[i], depth + 1); return; }
    if (n->kind != NODE_A_STEP && n->kind != NODE_A_SLIDE) return;
    const node *to = kid(n, n->kind == NODE_A_STEP ? 2 : 1);
    if (!to || to->kind == NODE_E_NAME || speaks_of_walk(c, to, 0) || c->hoisted_count == 32) return;
    size_t errors = c->d->errors;
    int s = target_operand(c, to);
    if (s < 0 || c->d->errors != errors) return;
    c->hoisted[c->hoisted_count].n = to;
    c->hoisted[c->hoisted_count++].set = s;
}

static bool bind_params(compiler *c, const rule *r, const node *call, const value *args)
{
    const node *params = kid(r->item, 0);
    int want = params ? params->count : 0, have = call && call->kind == NODE_E_CALL ? call->count : 0;
    if (want > 16) return false;
    if (want != have) { diag_add(c->d, "E0336", call ? call->at : r->item->at, "rule '%s' takes %d argument%s, found %d", r->name, want, want == 1 ? "" : "s", have); return false; }
    for (int i = 0; i < want && i < 16; i++) if (params->kids[i]) bind(c, params->kids[i]->text, args[i]);
    return true;
}

/* The body of a rule, where its walk stands or begins. */
static void rule_body(compiler *c, const rule *r, const node *call, const value *args, bool piece)
{
    for (int i = 0; i < c->open_rule_count; i++)
        if (c->open_rules[i] == r->item) { diag_add(c->d, "E0335", call ? call->at : r->item->at, "rule '%s' goes on with itself; a repetition is written { ... }+", r->name); return; }
    if (c->open_rule_count == 32) { diag_add(c->d, "E0335", r->item->at, "rules call each other too deeply"); return; }
    int base = c->env_base, count = c->env_count, reuse = c->reuse_count;
    const bool in_piece = c->in_piece;
    scope s = scope_open(c);
    c->env_base = c->env_count;
    c->reuse_count = 0;
    c->in_piece = piece;
    c->open_rules[c->open_rule_count++] = r->item;
    if (bind_params(c, r, call, args)) lower_block(c, kid(r->item, 1));
    emit_mark(c, MARK_RULE, r->item);
    c->open_rule_count--;
    c->in_piece = in_piece;
    c->env_base = base;
    c->reuse_count = reuse;
    scope_close(c, s);
    c->env_count = count;
    if (!c->leg_follows) settle_now(c);
}

static void fresh_walk(compiler *c, const rule *r, const node *call, const value *args)
{
    scope s = scope_open(c);
    const uint32_t begun = emit(c, OP_RULE, 0, 0, 0, name_index(c, r->name), 0);
    if (r->of_piece && !r->picks_here) {
        uint64_t kinds[4];
        memcpy(kinds, c->walk_kinds, sizeof kinds);
        value own = value_reg(T_SET, SET_OWN), of = kinds_set(c, r->kinds);
        value from = set_and(c, own, of);
        if (!kid(r->item, 0)) hoist_targets(c, kid(r->item, 1), 0);
        int here = num_reg(c);
        int32_t low[2] = { (int32_t)(uint32_t)r->kinds[0], (int32_t)(uint32_t)(r->kinds[0] >> 32) };
        int walkers = r->kinds[1] | r->kinds[2] | r->kinds[3] ? 0 : list_add(c, low, 2);
        emit(c, OP_PICK, here, set_operand(c, &from), walkers < 60000 ? walkers : 0, 1, 0);
        memcpy(c->walk_kinds, r->kinds, sizeof r->kinds);
        rule_body(c, r, call, args, true);
        memcpy(c->walk_kinds, kinds, sizeof kinds);
    } else {
        uint64_t kinds[4];
        memcpy(kinds, c->walk_kinds, sizeof kinds);
        memset(c->walk_kinds, 0xFF, sizeof c->walk_kinds);
        rule_body(c, r, call, args, r->of_piece);
        memcpy(c->walk_kinds, kinds, sizeof kinds);
    }
    c->g->code[begun].e = (int32_t)c->g->code_count;
    scope_close(c, s);
}

static int rules_named(const compiler *c, const char *name, bool of_piece, const rule **out, int cap)
{
    int n = 0;
    for (int i = 0; i < c->rule_count && n < cap; i++) if (c->rules[i].of_piece == of_piece && strcmp(c->rules[i].name, name) == 0) out[n++] = &c->rules[i];
    return n;
}

/* The same piece goes on, by the rule its kind has at that moment. */
static void going_on(compiler *c, const rule *const *pieces, int count, const rule *const *others, int other_count, const node *call, const value *args)
{
    uint32_t ends[64];
    int end_count = 0;
    const bool pending = c->pending;
    bool pending_after = false, disjoint = true, covered = false;
    uint64_t all[4] = { 0 };
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) if (set4_any(pieces[i]->kinds, pieces[j]->kinds)) disjoint = false;
        for (int j = 0; j < 4; j++) all[j] |= pieces[i]->kinds[j];
    }
    if (!c->kinds_change && set4_within(c->walk_kinds, all)) covered = true;
    int32_t starts[64];
    uint32_t alt = 0;
    if (!disjoint) alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
    int branches = 0;
    for (int i = 0; i < count && branches < 60; i++) {
        if (!c->kinds_change && !set4_any(pieces[i]->kinds, c->walk_kinds)) continue;
        c->pending = pending;
        starts[branches++] = (int32_t)here_label(c);
        const bool sure = !c->kinds_change && set4_within(c->walk_kinds, pieces[i]->kinds);
        uint32_t skip = 0;
        if (!sure) {
            scope s = scope_open(c);
            value k = kinds_set(c, pieces[i]->kinds);
            int t = num_reg(c);
            emit(c, OP_HOLDS, t, HEAD(H_HERE), set_operand(c, &k), 0, 0);
            skip = emit(c, OP_JUMP_NO, t, 0, 0, 0, 0);
            scope_close(c, s);
        }
        rule_body(c, pieces[i], call, args, true);
        pending_after |= c->pending;
        ends[end_count++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
        if (!sure) { patch(c, skip, here_label(c)); if (!disjoint) emit(c, OP_FAIL, 0, 0, 0, -1, 0); }
    }
    if (disjoint && !(covered && branches == 1 && end_count == 1 && set4_within(c->walk_kinds, pieces[0]->kinds))) {
        if (other_count && count == 0) {
            c->pending = pending;
            if (other_count > 1) alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
            for (int i = 0; i < other_count && branches < 60; i++) {
                starts[branches++] = (int32_t)here_label(c);
                c->pending = pending;
                rule_body(c, others[i], call, args, false);
                pending_after |= c->pending;
                ends[end_count++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
            }
            if (other_count > 1) { patch(c, alt, (uint32_t)list_add(c, starts, branches)); c->g->code[alt].e = branches; }
        } else emit(c, OP_FAIL, 0, 0, 0, -1, 0);
    }
    if (!disjoint) { patch(c, alt, (uint32_t)list_add(c, starts, branches)); c->g->code[alt].e = branches; }
    for (int i = 0; i < end_count; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    c->pending = pending_after;
}

void lower_call(compiler *c, const node *call, bool fresh)
{
    const char *name = call->text;
    const rule *pieces[64], *others[64];
    int piece_count = rules_named(c, name, true, pieces, 60), other_count = rules_named(c, name, false, others, 60);
    if (piece_count + other_count == 0) {
        const char *words[256];
        size_t n = 0;
        for (int i = 0; i < c->rule_count && n < 256; i++) words[n++] = c->rules[i].name;
        const char *near = nearest_word(name, words, n);
        symbol *s = symbol_find(c, name);
        if (s || is_standard_name(name)) diag_add(c->d, "E0399", call->at, "'%s' is not a rule: nothing is done here", name);
        else if (declared_wrong(c, call->at, name, near)) return;
        else if (near) diag_add(c->d, "E0399", call->at, "no rule is called '%s'; did you mean '%s'?", name, near);
        else diag_add(c->d, "E0399", call->at, "no rule is called '%s'", name);
        return;
    }
    value args[16];
    for (int i = 0; call->kind == NODE_E_CALL && i < call->count && i < 16; i++) args[i] = lower(c, call->kids[i]);
    settle_now(c);
    if (!fresh) emit(c, OP_RULE, 0, 0, 0, name_index(c, name), 0);
    if (!fresh) { going_on(c, pieces, piece_count, others, other_count, call, args); return; }
    if (piece_count + other_count == 1) { fresh_walk(c, piece_count ? pieces[0] : others[0], call, args); return; }
    int32_t starts[128];
    uint32_t ends[128];
    int n = 0;
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, piece_count + other_count);
    for (int i = 0; i < piece_count + other_count; i++) {
        starts[n] = (int32_t)here_label(c);
        c->pending = false;
        fresh_walk(c, i < piece_count ? pieces[i] : others[i - piece_count], call, args);
        ends[n++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    }
    for (int i = 0; i < n; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    patch(c, alt, (uint32_t)list_add(c, starts, n));
}

int lower_can(compiler *c, const char *name, const node *at)
{
    for (int i = 0; i < c->inside_cans; i++) if (strcmp(c->inside_can[i], name) == 0) { int r = num_reg(c); emit(c, OP_MOVE, r, num_const(c, 1), 0, 0, 0); return r; }
    bool some = false;
    for (int i = 0; i < c->rule_count; i++) some |= strcmp(c->rules[i].name, name) == 0;
    if (!some && (symbol_find(c, name) || is_standard_name(name))) { diag_add(c->d, "E0399", word_at(c, at, name), "'%s' is not a rule: `can` asks whether a rule could be done", name); return -1; }
    if (c->inside_cans == 16) { diag_add(c->d, "E0335", at->at, "`can` asks too deeply"); return -1; }
    c->inside_can[c->inside_cans++] = name;
    int r = num_reg(c);
    scope s = scope_open(c);
    const bool pending = c->pending, follows = c->leg_follows;
    const node *open[32];
    int open_count = c->open_rule_count;
    memcpy(open, c->open_rules, sizeof open);
    c->open_rule_count = 0;
    uint32_t over = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    uint32_t pc = here_label(c);
    node call = { .kind = NODE_E_NAME, .text = name, .at = word_at(c, at, name) };
    c->leg_follows = false;
    c->pending = false;
    if (pending) emit(c, OP_SETTLE, 0, 0, 0, 0, 0);
    size_t errors = c->d->errors;
    lower_call(c, &call, !c->in_piece);
    if (c->d->errors == errors) lower_filters(c);
    emit(c, OP_CAN_DONE, 0, 0, 0, 0, 0);
    patch(c, over, here_label(c));
    memcpy(c->open_rules, open, sizeof open);
    c->open_rule_count = open_count;
    c->pending = pending;
    c->leg_follows = follows;
    scope_close(c, s);
    c->inside_cans--;
    emit(c, OP_CAN, r, 0, 0, (int32_t)pc, 0);
    return r;
}

static void lower_do(compiler *c, const node *n)
{
    const node *what = kid(n, 0);
    if (!what) return;
    if (what->kind == NODE_E_NAME || what->kind == NODE_E_CALL) { lower_call(c, what, !c->in_piece); return; }
    diag_add(c->d, "E0399", n->at, "this does nothing: an action is wanted here, found an expression");
    lower(c, what);
}

static void lower_known(compiler *c, const node *n);

static void lower_seen(compiler *c, const node *n)
{
    value s = lower_set(c, kid(n, 0));
    int who = 65535;
    if (!is_name(kid(n, 1), "everyone")) {
        value p = lower_player(c, kid(n, 1));
        if (p.type != T_PLAYER) return;
        who = num_operand(c, &p);
    }
    if (s.type == T_ERROR || c->g->seen_first < 0) return;
    emit(c, OP_SEEN, set_operand(c, &s), who, 0, 0, 0);
}

void lower_plain(compiler *c, const node *n)
{
    if (!n || spent(c, n)) return;
    const node *doing = c->doing;
    c->doing = n;
    lower_known(c, n);
    c->doing = doing;
}

static void lower_known(compiler *c, const node *n)
{
    switch (n->kind) {
    case NODE_A_SEQUENCE: lower_sequence(c, n); break;
    case NODE_A_NOTHING: case NODE_BROKEN: break;
    case NODE_A_CHOICE: lower_choices(c, n); break;
    case NODE_A_ELSE: lower_else(c, n); break;
    case NODE_A_IF: lower_if(c, n); break;
    case NODE_A_LOOP: lower_loop(c, n); break;
    case NODE_A_EACH: lower_each(c, n); break;
    case NODE_A_BY: lower_by(c, n); break;
    case NODE_A_PICK: lower_pick(c, n); break;
    case NODE_A_ROLL: lower_roll(c, n); break;
    case NODE_A_AGAIN: emit(c, OP_AGAIN, 0, 0, 0, 0, 0); break;
    case NODE_A_PASS: settle_now(c); emit(c, OP_PASS, 0, 0, 0, 0, 0); break;
    case NODE_A_COMMIT: emit_commit(c); break;
    case NODE_A_WHEN: case NODE_A_ILLEGAL: settle_now(c); lower_filter(c, n); break;
    case NODE_A_PREFER: settle_now(c); lower_prefer(c, n); break;
    case NODE_A_RESULT: lower_result(c, n); break;
    case NODE_A_STEP: case NODE_A_SLIDE: lower_leg(c, n); break;
    case NODE_A_DROP: lower_drop(c, n); break;
    case NODE_A_TAKE: lower_take(c, n); break;
    case NODE_A_PLACE: lower_place(c, n); break;
    case NODE_A_SEND: lower_send(c, n); break;
    case NODE_A_BECOMES: lower_becomes(c, n); break;
    case NODE_A_SEEN: lower_seen(c, n); break;
    case NODE_A_SET: lower_set_action(c, n); break;
    case NODE_A_LET: lower_let_action(c, n); break;
    case NODE_A_WRITTEN: lower_written(c, n); break;
    case NODE_A_DO: lower_do(c, n); break;
    case NODE_A_RANK:
        if (c->in_setup || c->in_test) lower_rank(c, n);
        else diag_add(c->d, "E0399", n->at, "a text is a rank of a diagram in `setup`; here it does nothing");
        break;
    default: diag_add(c->d, "E0399", n->at, "an action is wanted here"); break;
    }
}
