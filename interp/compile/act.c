/* Actions: what is done, chosen, tried in order. docs/language.md, sections 4 and 5. Repetition is in loop.c, what a player decides in decide.c, legs in
 * leg.c, pieces that come and go in making.c, what changes in change.c, rules in rule.c. */
#include <stdlib.h>
#include <string.h>
#include "act.h"

void scope_close(compiler *c, scope s) { c->env_count = s.env; c->num_top = s.num; c->set_top = s.set; c->bag_top = s.bag; c->hoisted_count = s.hoisted; }

scope scope_open(const compiler *c) { return (scope){ c->env_count, c->num_top, c->set_top, c->bag_top, c->hoisted_count }; }

void settle_now(compiler *c)
{
    if (!c->pending) return;
    emit(c, OP_SETTLE, 0, 0, 0, 0, 0);
    c->pending = false;
}

uint32_t here_label(compiler *c) { return c->label = c->g->code_count; }

void patch(compiler *c, uint32_t at, uint32_t to) { if (at < c->g->code_count) c->g->code[at].d = (int32_t)to; }

static const node *rule_called(const node *n) { return n->kind == NODE_A_DO && n->count ? n->kids[0] : NULL; }

static bool any_rule(compiler *c, const char *name, bool (*test)(compiler *, const node *, int), int depth)
{
    for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, name) == 0 && test(c, kid(c->rules[i].item, 1), depth + 1)) return true;
    return false;
}

bool starts_with_leg(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: return true;
    case NODE_A_SEQUENCE: case NODE_A_LOOP: return starts_with_leg(c, kid(n, 0), depth + 1);
    case NODE_A_CHOICE: case NODE_A_ELSE: for (int i = 0; i < n->count; i++) if (starts_with_leg(c, n->kids[i], depth + 1)) return true; return false;
    case NODE_A_IF: return starts_with_leg(c, kid(n, 1), depth + 1) || starts_with_leg(c, kid(n, 2), depth + 1);
    case NODE_A_DO: return c->in_piece && rule_called(n) && rule_called(n)->text && any_rule(c, rule_called(n)->text, starts_with_leg, depth);
    default: return false;
    }
}

bool has_choice(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: case NODE_A_SLIDE: case NODE_A_DROP: case NODE_A_CHOICE: return true;
    case NODE_A_PICK: return !(n->flags & FLAG_RANDOM);
    case NODE_A_LOOP: if (!kid(n, 1)) return true; break;
    case NODE_A_DO:
        if (!rule_called(n) || !rule_called(n)->text) return false;
        for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, rule_called(n)->text) == 0 && (c->rules[i].of_piece || has_choice(c, kid(c->rules[i].item, 1), depth + 1))) return true;
        return false;
    default: break;
    }
    if (is_expression(n)) return false;
    for (int i = 0; i < n->count; i++) if (has_choice(c, n->kids[i], depth + 1)) return true;
    return false;
}

bool draws(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ROLL || ((n->kind == NODE_A_PICK || n->kind == NODE_A_EACH) && (n->flags & FLAG_RANDOM))) return true;
    for (int i = 0; i < n->count; i++) if (draws(n->kids[i])) return true;
    return false;
}

/* `empty` is among the words: whoever lands there takes nobody. */
static bool within_empty(compiler *c, const node *n, int depth)
{
    if (!n || depth > 40 || looked(c)) return false;
    if (is_name(n, "empty")) return true;
    if (n->kind == NODE_E_ROW) { for (int i = 0; i < n->count; i++) if (within_empty(c, n->kids[i], depth + 1)) return true; return false; }
    if (n->kind == NODE_E_NAME) {
        symbol *s = symbol_find(c, n->text);
        if (s && s->kind == SYMBOL_LET)
            for (int i = 0; i < c->tree->root->count; i++) {
                const node *l = c->tree->root->kids[i];
                if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0) return !l->more && within_empty(c, kid(l, 1), depth + 1);
            }
    }
    return false;
}

/* Nothing changes but where the walker is. */
bool only_walks(compiler *c, const node *n, int depth)
{
    if (!n || depth > 20 || looked(c)) return false;
    switch (n->kind) {
    case NODE_A_STEP: return kid(n, 2) && within_empty(c, kid(n, 2), 0);
    case NODE_A_SLIDE: return kid(n, 1) && within_empty(c, kid(n, 1), 0);
    case NODE_A_WHEN: return true;
    case NODE_A_SEQUENCE: case NODE_A_CHOICE: for (int i = 0; i < n->count; i++) if (!only_walks(c, n->kids[i], depth + 1)) return false; return n->count > 0;
    case NODE_A_DO: {
        const node *r = rule_called(n);
        if (!c->in_piece || !r || !r->text || r->kind != NODE_E_NAME) return false;
        bool some = false;
        for (int i = 0; i < c->rule_count; i++) if (strcmp(c->rules[i].name, r->text) == 0) { some = true; if (!only_walks(c, kid(c->rules[i].item, 1), depth + 1)) return false; }
        return some;
    }
    default: return false;
    }
}

static int count_prefers(const node *n, bool top)
{
    if (!n) return 0;
    if (n->kind == NODE_A_PREFER) return 1;
    if (n->kind == NODE_A_SEQUENCE) {
        if (!top && (n->flags & FLAG_BRACES)) return 0;
        int k = 0;
        for (int i = 0; i < n->count; i++) k += count_prefers(n->kids[i], false);
        return k;
    }
    if (n->kind == NODE_A_IF) {
        int k = 0;
        for (int i = 1; i < n->count; i++) {
            const node *b = n->kids[i];
            if (!b) continue;
            if (b->kind == NODE_A_SEQUENCE) for (int j = 0; j < b->count; j++) k += count_prefers(b->kids[j], false);
            else k += count_prefers(b, true);
        }
        return k;
    }
    return 0;
}

/* Behind a commit point the blocks with preferences around begin anew: they compare the runs since then. */
void reopen_prefers(compiler *c)
{
    for (int i = 0; i < c->open_prefer_count; i++) emit(c, OP_PREFER_FROM, c->open_prefers[i].reg, 0, 0, 0, c->open_prefers[i].count);
}

/* A block: its names end with it; `prefer` in it compares its runs. */
void lower_block(compiler *c, const node *n)
{
    scope s = scope_open(c);
    int prefers = count_prefers(n, true), reg = c->prefer_reg, count = c->prefer_count, total = c->prefer_total;
    if (prefers) {
        c->prefer_reg = ++c->prefer_blocks;
        if (prefers > 4) diag_add(c->d, "E0384", n->at, "at most four preferences can stand in one block");
        c->prefer_count = 0;
        c->prefer_total = prefers;
        emit(c, OP_PREFER_FROM, c->prefer_reg, 0, 0, 0, prefers);
        if (c->open_prefer_count == 24) diag_add(c->d, "E0384", n->at, "preferences in more than 24 blocks around each other");
        else { c->open_prefers[c->open_prefer_count].reg = c->prefer_reg; c->open_prefers[c->open_prefer_count++].count = prefers; }
    }
    const int opened = c->open_prefer_count;
    lower_plain(c, n);
    c->open_prefer_count = prefers && opened ? opened - 1 : opened;
    c->prefer_reg = reg;
    c->prefer_count = count;
    c->prefer_total = total;
    scope_close(c, s);
}

void lower_action(compiler *c, const node *n)
{
    if (!n) return;
    if (n->flags & FLAG_BRACES) lower_block(c, n);
    else lower_plain(c, n);
}

/* What the rules do right behind a chance event is seen with it: effects, also under `if`, and (in the block itself) `let`. */
static bool is_shown(const node *n, bool outermost)
{
    if (!n) return true;
    switch (n->kind) {
    case NODE_A_TAKE: case NODE_A_PLACE: case NODE_A_SEND: case NODE_A_BECOMES: case NODE_A_SEEN: case NODE_A_SET: case NODE_A_NOTHING: return true;
    case NODE_A_LET: return outermost;
    case NODE_A_IF: return is_shown(kid(n, 1), false) && is_shown(kid(n, 2), false);
    case NODE_A_SEQUENCE: for (int i = 0; i < n->count; i++) if (!is_shown(n->kids[i], false)) return false; return true;
    default: return false;
    }
}

static bool ends_with_chance(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_SEQUENCE) return n->count && !count_prefers(n, true) && ends_with_chance(n->kids[n->count - 1]);
    return n->kind == NODE_A_ROLL || (n->kind == NODE_A_PICK && (n->flags & FLAG_RANDOM));
}

/* Is the last thing done a chance event, and the i-th of these actions an effect of it? */
static bool shows_effects(const compiler *c, const node *n, int i)
{
    const int op = c->g->code[c->g->code_count - 1].op;
    return ends_with_chance(n->kids[i - 1]) && is_shown(n->kids[i], true) && op >= OP_ROLL && op <= OP_RANDOM_KIND && !c->until_chance && !c->open_prefer_count;
}

static uint32_t end_shown(compiler *c, uint32_t chance)
{
    settle_now(c);
    c->g->code[chance].e |= CHANCE_SHOWS;
    emit(c, OP_SHOWN, 0, 0, 0, 0, 0);
    here_label(c);
    return 0;
}

void lower_sequence(compiler *c, const node *n)
{
    const bool follows = c->leg_follows;
    uint32_t chance = 0;        /* the chance event whose effects are being made */
    for (int i = 0; i < n->count; i++) {
        c->leg_follows = i + 1 < n->count ? starts_with_leg(c, n->kids[i + 1], 0) : follows;
        if (i && shows_effects(c, n, i)) chance = c->g->code_count - 1;
        if (chance && !is_shown(n->kids[i], true)) chance = end_shown(c, chance);
        int env = c->env_count, num = c->num_top, set = c->set_top, bag = c->bag_top;
        lower_action(c, n->kids[i]);
        /* what a guard asks of the place a walk begins at stays in its registers till the first leg: plan.c asks it of all places */
        if (c->env_count == env && n->kids[i]->kind != NODE_A_WHEN) { c->num_top = num; c->set_top = set; c->bag_top = bag; }
    }
    if (chance) end_shown(c, chance);
    c->leg_follows = follows;
}

/* One of several alternatives; words joined by commas are a block of their own if they prefer something. */
static void lower_branch(compiler *c, const node *n)
{
    if (n && n->kind == NODE_A_SEQUENCE && !(n->flags & FLAG_BRACES) && count_prefers(n, true)) lower_block(c, n);
    else lower_action(c, n);
}

/* Does the code from here fail at once, whatever the position? So does what an option closes. */
bool is_closed(const game *g, uint32_t pc)
{
    while (pc < g->code_count && g->code[pc].op == OP_RULE) pc++;
    return pc < g->code_count && g->code[pc].op == OP_FAIL && g->code[pc].d < 0;
}

void lower_choices(compiler *c, const node *n)
{
    int32_t starts[64];
    uint32_t ends[64];
    int env = c->env_count, reuse = c->reuse_count;
    const bool pending = c->pending;
    bool pending_after = false;
    int count = n->count > 64 ? 64 : n->count;
    if (n->count > 64) diag_add(c->d, "E0380", n->at, "more than 64 alternatives in one choice");
    uint32_t alt = emit(c, OP_ALT, 0, 0, 0, 0, 0);
    binding first[32];
    int first_count = 0, open = 0;
    for (int i = 0; i < count; i++) {
        const int always_count = c->always_count;
        starts[open] = (int32_t)here_label(c);
        c->pending = pending;
        c->env_count = env;
        for (int j = 0; j < first_count && c->reuse_count < 64; j++) { c->reuse[c->reuse_count].name = first[j].name; c->reuse[c->reuse_count++].v = first[j].v; }
        int num = c->num_top, set = c->set_top;
        lower_branch(c, n->kids[i]);
        c->reuse_count = reuse;
        if (c->env_count == env) { c->num_top = num; c->set_top = set; }
        if (i == 0) for (int j = env; j < c->env_count && first_count < 32; j++) first[first_count++] = c->env[j];
        else
            for (int j = 0; j < first_count; j++) {
                bool there = false;
                for (int k = env; k < c->env_count; k++) there |= strcmp(c->env[k].name, first[j].name) == 0;
                if (!there) first[j--] = first[--first_count];
            }
        if (is_closed(c->g, (uint32_t)starts[open])) { c->g->code_count = (uint32_t)starts[open]; c->always_count = always_count; continue; }
        pending_after |= c->pending;
        ends[open++] = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    }
    c->env_count = env;
    for (int j = 0; j < first_count; j++) bind(c, first[j].name, first[j].v);
    for (int i = 0; i < open; i++) patch(c, ends[i], c->g->code_count);
    here_label(c);
    ins *choice = &c->g->code[alt];
    if (open > 1) *choice = (ins){ .op = OP_ALT, .c = choice->c, .d = list_add(c, starts, open), .e = open };
    else if (open == 1) *choice = (ins){ .op = OP_JUMP, .d = starts[0] };
    else *choice = (ins){ .op = OP_FAIL, .d = -1 };
    c->pending = pending_after;
}

void lower_else(compiler *c, const node *n)
{
    int env = c->env_count, reuse = c->reuse_count;
    const bool pending = c->pending;
    uint32_t other = emit(c, OP_ELSE, 0, 0, 0, 0, 0);
    lower_branch(c, kid(n, 0));
    binding made[32];
    int made_count = 0;
    for (int i = env; i < c->env_count && made_count < 32; i++) made[made_count++] = c->env[i];
    uint32_t end = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
    const bool pending_a = c->pending;
    patch(c, other, here_label(c));
    c->pending = pending;
    c->env_count = env;
    for (int i = 0; i < made_count && c->reuse_count < 64; i++) { c->reuse[c->reuse_count].name = made[i].name; c->reuse[c->reuse_count++].v = made[i].v; }
    lower_branch(c, kid(n, 1));
    c->reuse_count = reuse;
    patch(c, end, here_label(c));
    for (int i = 0; i < made_count; i++) {
        bool there = false;
        for (int k = env; k < c->env_count; k++) there |= strcmp(c->env[k].name, made[i].name) == 0;
        if (!there) made[i--] = made[--made_count];
    }
    c->env_count = env;
    for (int i = 0; i < made_count; i++) bind(c, made[i].name, made[i].v);
    c->pending |= pending_a;
}

void lower_if(compiler *c, const node *n)
{
    scope s = scope_open(c);
    value cond = lower_truth(c, kid(n, 0));
    const node *yes = kid(n, 1), *no = kid(n, 2);
    const bool pending = c->pending;
    if (cond.type == T_ERROR || cond.constant) {
        const bool open = cond.type == T_ERROR || cond.k;
        for (int i = 0; i < 2; i++) {
            const node *branch = i ? no : yes;
            if (!branch) continue;
            uint32_t mark = c->g->code_count;
            const int always_count = c->always_count;
            const bool closed = c->closed;
            scope inner = scope_open(c);
            c->pending = pending;
            c->closed |= (i == 0) != open;
            if (branch->kind == NODE_A_SEQUENCE) lower_plain(c, branch); else lower_action(c, branch);
            scope_close(c, inner);
            c->closed = closed;
            if ((i == 0) != open) { c->g->code_count = mark; c->pending = pending; c->always_count = always_count; }
        }
        here_label(c);
        scope_close(c, s);
        return;
    }
    uint32_t skip = emit(c, OP_JUMP_NO, cond.reg, 0, 0, 0, 0);
    emit_mark(c, MARK_HELD, kid(n, 0));
    c->num_top = s.num;
    c->set_top = s.set;
    scope inner = scope_open(c);
    if (yes && yes->kind == NODE_A_SEQUENCE) lower_plain(c, yes); else lower_action(c, yes);
    scope_close(c, inner);
    bool pending_yes = c->pending;
    if (no || c->marked) {
        uint32_t end = emit(c, OP_JUMP, 0, 0, 0, 0, 0);
        patch(c, skip, here_label(c));
        emit_mark(c, MARK_FAILED, kid(n, 0));
        c->pending = pending;
        if (no && no->kind == NODE_A_SEQUENCE) lower_plain(c, no); else lower_action(c, no);
        scope_close(c, inner);
        patch(c, end, here_label(c));
    } else {
        patch(c, skip, here_label(c));
        c->pending = pending;
    }
    c->pending |= pending_yes;
    scope_close(c, s);
}
