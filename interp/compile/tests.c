/* Tests: what they place, play and expect. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"


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

/* What is expected; of several things joined by `and` each is asked for itself, so that it is told which is not so. */
static void lower_expect(compiler *c, const node *n, const node *asked, bool strange)
{
    if (asked && asked->kind == NODE_E_AND && !(asked->flags & FLAG_BRACKETS)) {
        for (int i = 0; i < asked->count; i++) if (asked->kids[i]) lower_expect(c, asked->kids[i], asked->kids[i], strange);
        return;
    }
    fresh_code(c);
    const node *games = throughout_games(c, asked), *depth = perft_depth(c, asked);
    check k = { .kind = games ? CHECK_THROUGHOUT : depth ? CHECK_PERFT : CHECK_EXPECT, .pc = here_label(c), .text = print_short(c, games ? kid(asked, 1) : asked) };
    if (depth) { k.number = depth->value; k.wanted = kid(asked, 1)->value; check_add(c, n, k); return; }
    if (games) { k.number = games->value; asked = kid(asked, 1); }
    diagnostics *d = aside(c, strange);
    value v = lower_truth(c, asked);
    k.broken = back(c, d);
    k.result = v.type == T_ERROR ? num_const(c, 0) : num_operand(c, &v);
    emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    check_add(c, n, k);
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
    case NODE_T_EXPECT: lower_expect(c, n, kid(n, 0), strange); break;
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

void lower_tests(compiler *c)
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
