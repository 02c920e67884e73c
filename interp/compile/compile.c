/* The whole of a game: names, board, code, layout.
 *
 * A game with zones is compiled twice: first with room to spare, to see by its set-up how many pieces there are, then with as many
 * slots in each zone as there can be pieces. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "compile.h"
#include "interp/machine/machine.h"

#define HEAD(x) (POSITION + (x))
static const node *kid(const node *n, int i) { return n && i < n->count ? n->kids[i] : NULL; }

bool declare_rest(compiler *c);

/* ---- what is used at all ------------------------------------------------------------------------------------------------------------------ */
static bool whole_taken(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_E_COUNT || n->kind == NODE_E_ANY || n->kind == NODE_E_NO) { const node *k = kid(n, 0); if (k && k->kind == NODE_E_NAME && strcmp(k->text, "taken") == 0) return false; }
    if (n->kind == NODE_E_NAME && strcmp(n->text, "taken") == 0) return true;
    for (int i = 0; i < n->count; i++) if (whole_taken(n->kids[i])) return true;
    return false;
}

static bool has_kind_change(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_BECOMES) return true;
    for (int i = 0; i < n->count; i++) if (has_kind_change(n->kids[i])) return true;
    return false;
}

bool has_node(const node *n, node_kind kind)
{
    if (!n) return false;
    if (n->kind == kind) return true;
    for (int i = 0; i < n->count; i++) if (has_node(n->kids[i], kind)) return true;
    return false;
}

static bool has_random(const node *n)
{
    if (!n) return false;
    if (n->kind == NODE_A_ROLL || (n->flags & FLAG_RANDOM && (n->kind == NODE_A_PICK || n->kind == NODE_A_EACH))) return true;
    for (int i = 0; i < n->count; i++) if (has_random(n->kids[i])) return true;
    return false;
}

static void mark_dice(compiler *c, const node *n)
{
    if (!n) return;
    if (n->kind == NODE_A_ROLL && kid(n, 0) && kid(n, 0)->kind == NODE_E_ROW)
        for (int i = 0; i < kid(n, 0)->count; i++)
            for (int j = 0; j < c->g->dice_count; j++)
                if (kid(n, 0)->kids[i] && kid(n, 0)->kids[i]->kind == NODE_E_NAME && strcmp(kid(n, 0)->kids[i]->text, c->g->dice[j].name) == 0) c->g->dice[j].many = true;
    for (int i = 0; i < n->count; i++) mark_dice(c, n->kids[i]);
}

static bool spoken_of(const tree *t, const char *name)
{
    for (int i = 0; i < t->root->count; i++) if (t->root->kids[i] && t->root->kids[i]->kind != NODE_I_TEST && speaks_of(t->root->kids[i], name)) return true;
    return false;
}

static void look_over(compiler *c)
{
    const node *root = c->tree->root;
    game *g = c->g;
    g->uses_passed = spoken_of(c->tree, "passed");
    g->uses_changed = spoken_of(c->tree, "changed");
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (!n) continue;
        if (n->kind != NODE_I_TEST && has_random(n)) { if (n->kind != NODE_I_SETUP) g->has_chance = true; }
        if (n->kind == NODE_I_PIECE) for (int j = 2; j < n->count; j++) if (has_kind_change(n->kids[j])) c->kinds_change = true;
        if (n->kind == NODE_I_RULE && has_kind_change(n)) c->kinds_change = true;
        if (n->kind == NODE_I_PIECE || n->kind == NODE_I_ZONE || n->kind == NODE_I_KEEP) if (has_node(n, NODE_SEEN)) g->has_secrets = true;
        if (whole_taken(n)) g->uses_taken = true;
        if (n->kind != NODE_I_TEST) mark_dice(c, n);
    }
}

/* ---- state: where everything is kept -------------------------------------------------------------------------------------------------------------- */
static span keep_at(compiler *c, const keep *k)
{
    const symbol *s = symbol_find(c, k->name);
    return s && s->where ? word_at(c, s->where, k->name) : (span){ 0 };
}

static void lay_out_operands(compiler *c)
{
    game *g = c->g;
    g->player_first = SET_PLAYERS;
    g->kind_first = SET_PLAYERS + g->player_count;
    g->flag_first = g->kind_first + g->kind_count;
    int flags = 0, arrays = 0, number = H_COUNT, bits = 0, slots = 0, bags = 0;
    for (int i = 0; i < g->keep_count; i++) {
        keep *k = &g->keeps[i];
        if (k->of == KEEP_PIECE) { g->piece_keeps++; g->told_keeps += !k->aside; }
        if (k->of == KEEP_GAME || k->of == KEEP_PLAYER) { k->where = POSITION + number; number += k->of == KEEP_PLAYER ? g->player_count : 1; continue; }
        if (k->type == KEEP_FLAG) {
            k->where = g->flag_first + flags++;
            if (k->of == KEEP_PIECE && (k->flag_bit = bits++) >= PIECE_FLAGS_MAX) diag_add(c->d, "E0343", keep_at(c, k), "more than %d flags of pieces", PIECE_FLAGS_MAX);
        } else {
            k->where = arrays++;
            if (k->of == KEEP_PIECE && (k->value_slot = slots++) >= PIECE_VALUES_MAX) { diag_add(c->d, "E0343", keep_at(c, k), "more than %d numbers of pieces", PIECE_VALUES_MAX); k->value_slot = 0; }
        }
    }
    for (int i = 0; i < g->dice_count; i++) { g->dice[i].number = POSITION + number++; g->dice[i].fixed = POSITION + number++; g->dice[i].bag = bags++; }
    g->score_first = POSITION + number;
    number += g->player_count;
    c->test_words = POSITION + number++;
    for (int i = 0; i < c->tree->root->count; i++)
        if (!g->prefers_first && has_node(c->tree->root->kids[i], NODE_A_PREFER)) { g->prefers_first = POSITION + number; number += FRAMES_MAX * PREFERS_MAX; }
    g->num_position = number;
    g->flag_count = flags;
    g->array_count = arrays;
    c->bag_top = c->bag_most = bags;
}

static void declare_stacks(compiler *c)
{
    game *g = c->g;
    g->pile_max = 1;
    g->stack_size = arena_alloc(c->a, (size_t)(PLACES_MAX) * sizeof *g->stack_size);
    g->stack_mixed = arena_alloc(c->a, (size_t)(PLACES_MAX) * sizeof *g->stack_mixed);
    for (int i = 0; i < PLACES_MAX; i++) g->stack_size[i] = 1;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_STACK) continue;
        value many = lower_number(c, kid(n, 0)), on = lower_set(c, kid(n, 1));
        if (many.type == T_ERROR || on.type == T_ERROR) continue;
        if (on.type == T_PLACE) on = to_set(c, on, kid(n, 1));
        if (!many.constant || !on.constant) { diag_add(c->d, "E0348", kid(n, many.constant)->at, many.constant ? "the cells of a stack must be known beforehand" : "the size of a stack must be known beforehand"); continue; }
        if (many.k < 1 || many.k > 60) { diag_add(c->d, "E0348", kid(n, 0)->at, "a stack holds 1 to 60 pieces, not %lld", (long long)many.k); continue; }
        for (int p = 0; p < g->cells; p++) {
            if (!(const_words(&on, 0)[p / 64] >> (p % 64) & 1)) continue;
            g->stack_size[p] = (int16_t)many.k;
            g->stack_mixed[p] = n->more != NULL;
        }
        if (many.k > g->pile_max) g->pile_max = (int)many.k;
    }
}

/* ---- code -------------------------------------------------------------------------------------------------------------------------------------------- */
static void entry_add(compiler *c, const char *name, uint32_t pc)
{
    game *g = c->g;
    g->entries = realloc(g->entries, (size_t)(g->entry_count + 1) * sizeof *g->entries);
    if (!g->entries) abort();
    g->entries[g->entry_count++] = (entry){ name, pc };
}

static void fresh_code(compiler *c)
{
    c->env_count = c->env_base = 0;
    c->num_top = 0;
    c->set_top = c->set_base;
    c->bag_top = c->g->dice_count;
    c->in_piece = c->pending = c->leg_follows = c->until_chance = false;
    c->it = c->stuck_loop = -1;
    c->prefer_total = 0;
    c->reuse_count = c->hoisted_count = c->open_rule_count = 0;
    memset(c->walk_kinds, 0xFF, sizeof c->walk_kinds);
}

void lower_filters(compiler *c)
{
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") != 0) continue;
        int num = c->num_top, set = c->set_top;
        const node *doing = c->doing;
        c->doing = n;
        value v = lower_truth(c, kid(n, 1));
        if (v.type != T_ERROR && !(v.constant && !v.k)) {
            int label = n->more ? name_index(c, n->more) : -1;
            if (v.constant) emit(c, OP_FAIL, 0, 0, 0, label, 0);
            else {
                uint32_t over = emit(c, OP_JUMP_NO, v.reg, 0, 0, 0, 0);
                emit_mark(c, MARK_HELD, kid(n, 1));
                emit(c, OP_FAIL, 0, 0, 0, label, 0);
                patch(c, over, here_label(c));
                emit_mark(c, MARK_FAILED, kid(n, 1));
            }
        }
        c->doing = doing;
        c->num_top = num;
        c->set_top = set;
    }
}

static const node *through_lets(compiler *c, const node *n)
{
    for (int depth = 0; n && n->kind == NODE_E_NAME && depth < 10; depth++) {
        symbol *s = symbol_find(c, n->text);
        if (!s || s->kind != SYMBOL_LET) return n;
        const node *found = NULL;
        for (int i = 0; i < c->tree->root->count; i++) {
            const node *l = c->tree->root->kids[i];
            if (l && l->kind == NODE_I_LET && strcmp(l->text, n->text) == 0 && !l->more && !kid(l, 0)) found = kid(l, 1);
        }
        if (!found) return n;
        n = found;
    }
    return n;
}

/* Is the only filter over complete turns `illegal when any own KIND attacked`? */
static void find_shield(compiler *c)
{
    const node *only = NULL;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") != 0) continue;
        if (only) return;
        only = n;
    }
    const node *q = only ? through_lets(c, kid(only, 1)) : NULL;
    const node *row = q && q->kind == NODE_E_ANY ? kid(q, 0) : NULL;
    if (!row || row->kind != NODE_E_ROW || row->count != 3) return;
    const node *a = row->kids[0], *k = row->kids[1], *x = through_lets(c, row->kids[2]);
    if (!a || a->kind != NODE_E_NAME || strcmp(a->text, "own") != 0 || !k || k->kind != NODE_E_NAME || !x || x->kind != NODE_E_NAME || strcmp(x->text, "attacked") != 0) return;
    symbol *s = symbol_find(c, k->text);
    if (!s || s->kind != SYMBOL_KIND || s->index > 62) return;
    c->g->shield = true;
    c->g->shield_kinds = 1ull << s->index;
}

static void lower_setup(compiler *c)
{
    fresh_code(c);
    c->in_setup = true;
    c->ranks = 0;
    c->g->setup_pc = here_label(c);
    entry_add(c, "setup", c->g->setup_pc);
    if (c->setup) {
        lower_block(c, kid(c->setup, 0));
        settle_now(c);
    }
    emit(c, OP_SETUP_DONE, 0, 0, 0, 0, 0);
    c->in_setup = false;
}

/* The file it stands in: of a variant, perhaps its parent's. */
static const char *path_of(compiler *c, const node *n)
{
    if (!c->d->sources || n->at.source >= c->d->source_count) return c->tree->path;
    const char *path = c->d->sources[n->at.source].path;
    return arena_copy(c->a, path, strlen(path));
}

static void lower_ends(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_END || strcmp(n->text, "illegal") == 0) continue;
        fresh_code(c);
        value v = lower_truth(c, kid(n, 1));
        unsigned line, column;
        diag_locate(c->d, n->at, &line, &column);
        g->ends = realloc(g->ends, (size_t)(g->end_count + 1) * sizeof *g->ends);
        if (!g->ends) abort();
        g->ends[g->end_count++] = (end_info){ n->text, n->more ? n->more : "", line, path_of(c, n) };
        if (v.type == T_ERROR || (v.constant && !v.k)) continue;
        uint32_t over = v.constant ? 0 : emit(c, OP_JUMP_NO, v.reg, 0, 0, 0, 0);
        if (!v.constant) emit_mark(c, MARK_HELD, kid(n, 1));
        int who = 65535;
        if (kid(n, 0)) { value p = lower_player(c, kid(n, 0)); if (p.type != T_ERROR) who = num_operand(c, &p); }
        const int what = strcmp(n->text, "win") == 0 ? 0 : strcmp(n->text, "lose") == 0 ? 1 : strcmp(n->text, "draw") == 0 ? 2 : 3;
        if (what == 3 && !c->score) diag_add(c->d, "W0410", n->at, "`end` without a `score`: the game ends drawn");
        emit(c, OP_RESULT, what, who, 1, g->end_count - 1, -1);
        if (!v.constant) { patch(c, over, here_label(c)); emit_mark(c, MARK_FAILED, kid(n, 1)); }
    }
}

static void lower_always_notes(compiler *c)
{
    /* asked questions may bring further ones: none does, for `always` stands in ends alone; the count is looked at anew each time */
    for (int i = 0; i < c->always_count; i++) {
        fresh_code(c);
        value v = lower_truth(c, c->always[i]);
        if (v.type != T_ERROR) emit(c, OP_ALWAYS_NOTE, num_operand(c, &v), 0, 0, i, 0);
    }
}

static void lower_turn(compiler *c)
{
    game *g = c->g;
    fresh_code(c);
    g->turn_pc = here_label(c);
    entry_add(c, "turn", g->turn_pc);
    if (!c->turn) diag_add(c->d, "E0411", (span){ 0 }, "a game needs `turn { ... }`: what a player does");
    else lower_block(c, kid(c->turn, 0));
    settle_now(c);
    fresh_code(c);
    emit(c, OP_TURN_COUNT, 0, 0, 0, 0, 0);
    lower_filters(c);
    find_shield(c);
    emit(c, OP_LEGAL, 0, 0, 0, 0, 0);
    g->finish_pc = here_label(c);
    entry_add(c, "ends", g->finish_pc);
    /* the questions of `always` are known only when the ends are lowered: lower them once to find them, then for good */
    uint32_t mark = g->code_count;
    int end_count = g->end_count;
    c->in_ends = true;
    lower_ends(c);
    if (c->always_count) { g->code_count = mark; g->end_count = end_count; lower_always_notes(c); lower_ends(c); }
    uint32_t over = here_label(c);
    emit(c, OP_TURN_KEY, 0, 0, 0, 0, 0);
    emit(c, OP_TURN_DONE, 0, 0, 0, 0, 0);
    g->always_count = c->always_count;
    for (uint32_t i = 0; i < g->code_count; i++) if (g->code[i].op == OP_RESULT && g->code[i].e == -1) g->code[i].e = (int32_t)over;
    if (c->score) {
        fresh_code(c);
        g->score_pc = here_label(c);
        entry_add(c, "score", g->score_pc);
        value v = lower_number(c, kid(c->score, 0));
        g->score = v.type == T_ERROR ? num_const(c, 0) : num_operand(c, &v);
        emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    }
    c->in_ends = false;
}

/* ---- tests --------------------------------------------------------------------------------------------------------------------------------------------- */
static void check_add(compiler *c, const node *n, check k)
{
    game *g = c->g;
    diag_locate(c->d, n->at, &k.line, &k.column);
    k.path = path_of(c, n);
    g->checks = realloc(g->checks, (size_t)(g->check_count + 1) * sizeof *g->checks);
    if (!g->checks) abort();
    g->checks[g->check_count++] = k;
}

/* Tests are written for the options that they set, else for the defaults: under others their faults are no faults of the file. */
static diagnostics *aside(compiler *c, bool strange)
{
    if (!strange) return NULL;
    diagnostics *d = c->d;
    c->d = diag_new();
    return d;
}

/* Names of cells have digits; other names are declared whatever the options are. */
static bool has_digit(const diagnostics *d, span at)
{
    const source *s = at.source < d->source_count ? &d->sources[at.source] : NULL;
    for (uint32_t i = at.from; s && i < at.to && i < s->length; i++) if (s->text[i] >= '0' && s->text[i] <= '9') return true;
    return false;
}

/* Back to the messages that count; true if there were errors aside. Under the defaults only cells that are not there are excused: an option
 * may bring them. */
static bool back(compiler *c, diagnostics *d)
{
    if (!d) return false;
    diagnostics *heard = c->d;
    const bool errors = heard->errors > 0;
    c->d = d;
    for (size_t i = 0; i < heard->count && !c->settings_given; i++) {
        const message *m = &heard->messages[i];
        if (!m->code || (strcmp(m->code, "E0330") == 0 && has_digit(d, m->at))) continue;
        diag_add(d, m->code, m->at, "%s", m->text);
        while (i + 1 < heard->count && !heard->messages[i + 1].code) { i++; diag_note(d, heard->messages[i].at, "%s", heard->messages[i].text); }
    }
    diag_free(heard);
    return errors;
}

/* `expect perft 3 = 8902`: the depth. NULL if it is something else. */
static const node *perft_depth(compiler *c, const node *n)
{
    const node *left = n && n->kind == NODE_E_COMPARE && strcmp(n->text, "=") == 0 ? kid(n, 0) : NULL, *right = left ? kid(n, 1) : NULL;
    if (!left || !right || left->kind != NODE_E_ROW || left->count != 2 || right->kind != NODE_E_NUMBER) return NULL;
    const node *word = left->kids[0], *depth = left->kids[1];
    return word->kind == NODE_E_NAME && strcmp(word->text, "perft") == 0 && !symbol_find(c, "perft") && depth->kind == NODE_E_NUMBER ? depth : NULL;
}

/* `expect throughout(20, C)`: how many games. NULL if it is something else. */
static const node *throughout_games(compiler *c, const node *n)
{
    const bool named = n && n->kind == NODE_E_CALL && strcmp(n->text, "throughout") == 0 && !symbol_find(c, "throughout");
    return named && n->count == 2 && n->kids[0] && n->kids[0]->kind == NODE_E_NUMBER ? n->kids[0] : NULL;
}

/* Is a condition of the rules labelled so? (An option may leave it out of the code.) */
static bool has_label(const node *n, const char *label)
{
    if (!n) return false;
    const bool condition = n->kind == NODE_A_WHEN || n->kind == NODE_A_ILLEGAL || (n->kind == NODE_I_END && strcmp(n->text, "illegal") == 0);
    if (condition && n->more && strcmp(n->more, label) == 0) return true;
    for (int i = 0; i < n->count; i++) if (has_label(n->kids[i], label)) return true;
    return false;
}

static void lower_check(compiler *c, const node *n, bool strange)
{
    fresh_code(c);
    c->in_test = true;
    switch (n->kind) {
    case NODE_T_AT: {
        check k = { .kind = CHECK_AT, .player = player_index(c, n->text), .pc = here_label(c) };
        const symbol *who = symbol_find(c, n->text);
        if (!who || who->kind != SYMBOL_PLAYER) no_player(c, word_at(c, n, n->text), n->text);
        diagnostics *d = aside(c, strange);
        if (kid(n, 0)) lower_block(c, kid(n, 0));
        settle_now(c);
        k.broken = back(c, d);
        emit(c, OP_RETURN, 0, 0, 0, 0, 0);
        check_add(c, n, k);
        break;
    }
    case NODE_T_EXPECT: {
        const node *asked = kid(n, 0), *games = throughout_games(c, asked), *depth = perft_depth(c, asked);
        check k = { .kind = games ? CHECK_THROUGHOUT : depth ? CHECK_PERFT : CHECK_EXPECT, .pc = here_label(c), .text = print_short(c, games ? kid(asked, 1) : asked) };
        if (depth) { k.number = depth->value; k.wanted = kid(asked, 1)->value; check_add(c, n, k); break; }
        if (games) { k.number = games->value; asked = kid(asked, 1); }
        diagnostics *d = aside(c, strange);
        value v = lower_truth(c, asked);
        k.broken = back(c, d);
        k.result = v.type == T_ERROR ? num_const(c, 0) : num_operand(c, &v);
        emit(c, OP_RETURN, 0, 0, 0, 0, 0);
        check_add(c, n, k);
        break;
    }
    case NODE_T_OPTION: {
        check_add(c, n, (check){ .kind = CHECK_OPTION, .text = n->text, .value = setting_text(n) });
        const option *o = option_find(c, n->text);
        if (o) option_asked(c, o, n);
        else {
            const char *near = nearest_name(c, n->text);
            diag_add(c->d, "E0320", n->at, near ? "this game has no option '%s'; did you mean '%s'?" : "this game has no option '%s'", n->text, near);
        }
        break;
    }
    case NODE_T_PRESET: {
        const node *preset = preset_find(c->tree, n->text);
        for (int i = 1; preset && i < preset->count; i++)
            if (preset->kids[i]->kind == NODE_T_OPTION) check_add(c, n, (check){ .kind = CHECK_OPTION, .text = preset->kids[i]->text, .value = setting_text(preset->kids[i]) });
        const char *near = preset ? NULL : nearest_preset(c->tree, n->text);
        if (!preset) diag_add(c->d, "E0327", n->at, near ? "this game has no preset '%s'; did you mean '%s'?" : "this game has no preset '%s'", n->text, near);
        break;
    }
    case NODE_T_AFTER: check_add(c, n, (check){ .kind = CHECK_AFTER, .text = n->text }); break;
    case NODE_T_LEGAL: check_add(c, n, (check){ .kind = CHECK_LEGAL, .text = n->text }); break;
    case NODE_T_ILLEGAL: {
        const node *label = kid(n, 0);
        if (label && !has_label(c->tree->root, label->text)) diag_add(c->d, "E0330", label->at, "no condition is labelled '%s'", label->text);
        check_add(c, n, (check){ .kind = CHECK_ILLEGAL, .text = n->text, .value = label ? label->text : NULL });
        break;
    }
    default: break;
    }
    c->in_test = false;
}

static void lower_tests(compiler *c)
{
    game *g = c->g;
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_TEST) continue;
        test_block t = { .title = n->text, .path = c->tree->path, .check_first = g->check_count };
        diag_locate(c->d, n->at, &t.line, &t.column);
        bool strange = c->settings_given;
        for (int j = 0; j < n->count; j++) {
            if (!n->kids[j]) continue;
            strange |= n->kids[j]->kind == NODE_T_OPTION || n->kids[j]->kind == NODE_T_PRESET;
            lower_check(c, n->kids[j], strange);
        }
        t.check_count = g->check_count - t.check_first;
        g->tests = realloc(g->tests, (size_t)(g->test_count + 1) * sizeof *g->tests);
        if (!g->tests) abort();
        g->tests[g->test_count++] = t;
    }
    g->test_moves = c->test_words;
}

/* Rules that nothing calls are lowered too, for their errors; their code is thrown away. */
static void check_uncalled(compiler *c)
{
    for (int i = 0; i < c->rule_count; i++) {
        const rule *r = &c->rules[i];
        fresh_code(c);
        uint32_t mark = c->g->code_count;
        int reg = num_reg(c);
        (void)reg;
        for (int j = 0; kid(r->item, 0) && j < r->item->kids[0]->count; j++) bind(c, r->item->kids[0]->kids[j]->text, value_error());
        c->in_piece = r->of_piece;
        if (r->of_piece) memcpy(c->walk_kinds, r->kinds, sizeof r->kinds);
        lower_block(c, kid(r->item, 1));
        c->g->code_count = mark;
    }
    for (int i = 0; i < c->tree->root->count; i++) {
        const node *n = c->tree->root->kids[i];
        if (!n || n->kind != NODE_I_LET) continue;
        fresh_code(c);
        for (int j = 0; kid(n, 0) && j < n->kids[0]->count; j++) bind(c, n->kids[0]->kids[j]->text, value_error());
        uint32_t mark = c->g->code_count;
        value v = lower(c, kid(n, 1));
        if (!n->more && !kid(n, 0)) check_set(c, &v, kid(n, 1), n->text);
        c->g->code_count = mark;
    }
}


/* The names kept in tables outlive the tree. */
static void own_names(compiler *c)
{
    game *g = c->g;
#define OWN(x) ((x) = (x) ? arena_copy(c->a, (x), strlen(x)) : NULL)
    OWN(g->title);
    OWN(g->path);
    for (int i = 0; i < g->cells; i++) { OWN(g->cell[i].name); OWN(g->cell[i].title); }
    for (int i = 0; i < g->zone_count; i++) { OWN(g->zones[i].name); OWN(g->zones[i].seen); }
    for (int i = 0; i < g->player_count; i++) OWN(g->players[i].name);
    for (int i = 0; i < g->kind_count; i++) { OWN(g->kinds[i].name); OWN(g->kinds[i].letter); OWN(g->kinds[i].seen); }
    for (int i = 0; i < g->keep_count; i++) { OWN(g->keeps[i].name); OWN(g->keeps[i].seen); }
    for (int i = 0; i < g->dice_count; i++) OWN(g->dice[i].name);
    for (int i = 0; i < g->dir_count; i++) OWN(g->dirs[i].name);
    for (int i = 0; i < g->name_count; i++) OWN(g->names[i]);
    for (int i = 0; i < g->mark_count; i++) { OWN(g->marks[i].sign); OWN(g->marks[i].ascii); OWN(g->marks[i].name); }
    for (int i = 0; i < g->end_count; i++) { OWN(g->ends[i].word); OWN(g->ends[i].label); OWN(g->ends[i].path); }
    for (int i = 0; i < g->test_count; i++) { OWN(g->tests[i].title); OWN(g->tests[i].path); }
    for (int i = 0; i < g->check_count; i++) { OWN(g->checks[i].path); OWN(g->checks[i].text); OWN(g->checks[i].value); }
#undef OWN
}

static void compiler_free(compiler *c)
{
    free(c->symbols);
    free(c->options);
    free(c->rules);
    free(c->zone_items);
    free(c->zone_first);
    free(c->zone_of_player);
    free(c->env);
    free(c->always);
}

void game_free(game *g)
{
    if (!g) return;
    free(g->zones);
    free(g->kinds);
    free(g->keeps);
    free(g->dice);
    free(g->code);
    free(g->relations);
    free(g->patterns);
    free(g->legs);
    free(g->fields);
    free(g->lists);
    free(g->attacks);
    free(g->rounds);
    free(g->plans);
    free(g->plan_items);
    free(g->counted);
    free(g->entries);
    free(g->named_sets);
    for (int i = 0; i < g->mark_count; i++) free(g->marks[i].gaps);
    free(g->marks);
    free(g->ends);
    free(g->origins);
    free(g->covers);
    free(g->names);
    free(g->tests);
    free(g->checks);
    free(g->const_num);
    if (!g->machine) free(g->const_set[0]);
    arena *a = (arena *)g->arena;
    arena_free(a);
}

enum { ITEMS_MAX = 4000 };

/* A first look only, to count pieces; the game; the game and what is odd about its rules. */
typedef enum { LOOK, GAME, GAME_AND_LINTS, GAME_AND_MARKS } purpose;

typedef struct { int each; const int *bounds; /* by zone, NULL: as many for each */ int taken; /* most pieces in one turn, not > 0: not known */ } room;

/* All but the declarations that the board needs. `taken`: see room; `errors`: as many had been told before these rules. */
static void lower_rules(compiler *c, purpose what, int taken, size_t errors)
{
    game *g = c->g;
    look_over(c);
    bool uses_taken = g->uses_taken;
    c->taken_slots = !uses_taken ? 0 : taken > 0 ? taken : g->cells < 48 ? g->cells + 8 : 48;
    declare_rest(c);
    look_over(c);
    lay_out_operands(c);
    c->asked_set = set_reg(c);
    c->set_base = c->set_top;
    declare_stacks(c);
    value all = value_const_set(c);
    for (int p = 0; p < PLAYERS_MAX; p++) for (int i = 0; i < g->places; i++) const_words(&all, p)[i / 64] |= 1ull << (i % 64);
    g->all_places = set_operand(c, &all);
    lower_setup(c);
    lower_turn(c);
    const bool turns = g->asks_turns, passes = g->asks_passes, extra = g->asks_extra;
    if (what != LOOK && has_node(c->tree->root, NODE_I_TEST)) entry_add(c, "tests", g->code_count);
    lower_tests(c);
    g->asks_turns = turns, g->asks_passes = passes, g->asks_extra = extra;      /* what tests ask is no rule */
    fresh_code(c);
    attacks_build(c);
    check_uncalled(c);
    fresh_code(c);
    if (what != LOOK) notes_build(c);
    if (what != LOOK && c->d->errors == errors) regions_build(c);
    if (c->lints && c->d->errors == errors) check_rules(c);
}

static game *compile_once(const tree *t, const setting *settings, size_t count, int players, room zones, purpose what, diagnostics *d)
{
    arena *a = arena_new();
    game *g = arena_alloc(a, sizeof *g);
    g->arena = (struct arena *)a;
    g->path = t->path;
    compiler *c = calloc(1, sizeof *c);
    if (!c) abort();
    *c = (compiler){ .tree = t, .d = d, .a = a, .g = g, .want_players = players, .zone_slots = zones.each, .zone_bounds = zones.bounds, .settings_given = count > 0 || players > 0, .it = -1, .stuck_loop = -1, .lints = what == GAME_AND_LINTS, .marked = what == GAME_AND_MARKS };
    const size_t errors = d->errors;
    num_const(c, 0);
    emit(c, OP_FAIL, 0, 0, 0, -1, 0);       /* no code begins at 0 */
    bool sizes = true;
    if (t->root->count > ITEMS_MAX) diag_add(d, "E0349", t->root->kids[ITEMS_MAX]->at, "these rules are too much for the machine: more than %d declarations", ITEMS_MAX);
    else {
        declare(c);
        sizes = declare_settings(c, settings, count);
        if (!board_build(c)) board_fallback(c);
    }
    if (sizes && g->cell) lower_rules(c, what, zones.taken, errors);
    if (c->num_most > REGISTERS_MAX || c->set_most > REGISTERS_MAX)
        diag_add(c->d, "E0349", t->root->at, "these rules are too much for the machine: they need %d registers of %d", c->num_most > c->set_most ? c->num_most : c->set_most, REGISTERS_MAX);
    g->bag_count = c->bag_most;
    g->flood_count = c->flood_most;
    if (d->errors != errors) {
        compiler_free(c);
        free(c);
        game_free(g);
        return NULL;
    }
    finish_game(c);
    own_names(c);
    origins_finish(c);
    finish_hash(g);
    compiler_free(c);
    free(c);
    if (d->errors != errors) { game_free(g); return NULL; }
    return g;
}

/* How many pieces the set-up makes. */
static int count_pieces(const game *g)
{
    vm *v = vm_new(g);
    uint64_t random[4] = { 1, 2, 3, 4 };
    g->machine->blank(v);
    v->head[H_RESUME] = g->setup_pc;
    for (int i = 0; i < 100000 && v->head[H_RESUME] && v->head[H_RESUME] < g->turn_pc && !v->fault; i++) if (!g->machine->random(v, random)) break;
    int n = 0;
    for (int p = 0; p < g->taken_first; p++) n += v->at[p] != 0;
    for (int p = 0; g->pile_max > 1 && p < g->cells; p++) n += *(const uint16_t *)(const void *)((const char *)v->piles + (size_t)(p + 1) * g->pile_stride);
    vm_free(v);
    return n;
}

static bool makes_pieces(const tree *t)
{
    for (int i = 0; i < t->root->count; i++) {
        const node *n = t->root->kids[i];
        if (n && (n->kind == NODE_I_TURN || n->kind == NODE_I_RULE || n->kind == NODE_I_PIECE) && (has_node(n, NODE_A_PLACE) || has_node(n, NODE_A_DROP))) return true;
    }
    return false;
}

enum { SLOTS_LEAST = 4, SLOTS_IN_TESTS = 20, SLOTS_MOST = 100 };

static int within(int slots) { return slots < SLOTS_LEAST ? SLOTS_LEAST : slots > SLOTS_MOST ? SLOTS_MOST : slots; }

/* The slots of each zone of the game that was looked at: what it can hold, or else as many for each as there can be pieces. Owned by the caller. */
static int *slots_of(const game *g, const tree *t)
{
    int *slots = calloc((size_t)g->zone_count + 1, sizeof *slots), most = count_pieces(g) + (makes_pieces(t) ? g->cells : 0);
    if (!slots) abort();
    while (most > 12 && g->cells + g->zone_count * (most + 1) + 48 > PLACES_MAX) most--;
    const bool bound = slots_bound(g, slots);
    for (int z = 0; z < g->zone_count; z++) if (!bound || slots[z] > most) slots[z] = most;
    crowd_in_tests(g, SLOTS_IN_TESTS, slots);
    for (int z = 0; z < g->zone_count; z++) slots[z] = within(slots[z]);
    return slots;
}

/* A first look with room to spare; with many zones there is less. NULL and *slots > 0: the file is at fault; 0: there is no room. */
static game *look_first(const tree *t, const setting *settings, size_t count, int players, int *slots)
{
    for (*slots = SLOTS_MOST; *slots >= 12; *slots = *slots * 2 / 3) {
        diagnostics *quiet = diag_new();
        game *g = compile_once(t, settings, count, players, (room){ *slots, NULL, -1 }, LOOK, quiet);
        bool full = false;
        for (size_t i = 0; i < quiet->count; i++) full |= quiet->messages[i].code && strcmp(quiet->messages[i].code, "E0341") == 0 && strstr(quiet->messages[i].text, "zones");
        diag_free(quiet);
        if (g || !full) return g;
    }
    *slots = 0;
    return NULL;
}

static game *compile_for(const tree *t, const setting *settings, size_t count, int players, purpose what, diagnostics *d)
{
    bool zones = false;
    for (int i = 0; i < t->root->count; i++) zones |= t->root->kids[i] && t->root->kids[i]->kind == NODE_I_ZONE;
    if (!zones) return compile_once(t, settings, count, players, (room){ 0, NULL, -1 }, what, d);
    int slots = 0;
    game *g = look_first(t, settings, count, players, &slots);
    if (!g) return compile_once(t, settings, count, players, (room){ slots ? slots : 12, NULL, -1 }, what, d);
    if (!g->kind_count) { game_free(g); return compile_once(t, settings, count, players, (room){ 0, NULL, -1 }, what, d); }
    int *bounds = slots_of(g, t);
    const int taken = crowd_taken(g);
    game_free(g);
    g = compile_once(t, settings, count, players, (room){ 0, bounds, taken }, what, d);
    free(bounds);
    return g;
}

game *compile(const tree *t, const setting *settings, size_t count, int players, diagnostics *d) { return compile_for(t, settings, count, players, GAME, d); }

game *compile_marked(const tree *t, const setting *settings, size_t count, int players, diagnostics *d) { return compile_for(t, settings, count, players, GAME_AND_MARKS, d); }

game *compile_check(const tree *t, diagnostics *d) { return compile_for(t, NULL, 0, 0, GAME_AND_LINTS, d); }
