/* Where instructions come from: what `joc why` and the coverage of tests tell of.
 *
 * While code is made, c->doing is the action at hand. Instructions that choose or fail are noted with the passages of their action, in the
 * order of the code; code that is thrown away takes its notes with it. The texts of the sources are kept beside, so that lines and
 * columns need be counted only when somebody asks. */
#include <stdlib.h>
#include <string.h>
#include "compile.h"

static passage passage_of(const node *n) { return n ? (passage){ n->at.source, n->at.from, n->at.to } : (passage){ 0 }; }

static bool is_filter(const node *n) { return n->kind == NODE_I_END || n->kind == NODE_A_WHEN || n->kind == NODE_A_ILLEGAL; }

/* Only a condition of the author's, or a repetition that has to go on, can be said to be broken; other failures are how code is built. */
static bool notable(const compiler *c, opcode op)
{
    switch (op) {
    case OP_FAIL: return is_filter(c->doing) || c->doing->kind == NODE_A_LOOP;
    case OP_STEP: case OP_DROP: case OP_DROP_FROM: case OP_PICK: case OP_PICK_BIT: case OP_PICK_NUMBER: case OP_PICK_KIND: case OP_PICK_BAG:
    case OP_ELSE: case OP_PREFER: case OP_RULE: case OP_PASS: return true;
    default: return false;
    }
}

static origin *origin_add(compiler *c, uint32_t pc)
{
    game *g = c->g;
    const node *around = c->open_rule_count ? c->open_rules[c->open_rule_count - 1] : NULL;
    g->origins = grow(g->origins, &c->origin_capacity, g->origin_count + 1, sizeof *g->origins);
    origin *o = &g->origins[g->origin_count++];
    *o = (origin){ .pc = pc, .rule = around ? name_index(c, around->text) : -1, .rule_at = passage_of(around) };
    return o;
}

static void fill(origin *o, const node *n)
{
    o->at = passage_of(n);
    switch (n->kind) {
    case NODE_A_DO: o->kind = ORIGIN_CALL; o->what = passage_of(kid(n, 0)); break;
    case NODE_I_END: o->kind = ORIGIN_FILTER; o->what = passage_of(kid(n, 1)); break;
    case NODE_A_STEP: o->what = passage_of(kid(n, 2)); o->over = passage_of(kid(n, 1)); break;
    case NODE_A_SLIDE: o->what = passage_of(kid(n, 1)); break;
    case NODE_A_DROP: o->what = passage_of(kid(n, 1)); o->over = passage_of(kid(n, 0)); break;
    case NODE_A_LOOP: o->what = passage_of(kid(n, 1)); break;
    default: o->what = passage_of(kid(n, 0)); break;
    }
}

void origin_note(compiler *c, uint32_t pc)
{
    game *g = c->g;
    while (g->origin_count && g->origins[g->origin_count - 1].pc >= pc) g->origin_count--;
    if (!c->doing || !notable(c, (opcode)g->code[pc].op)) return;
    fill(origin_add(c, pc), c->doing);
}

void origin_part(compiler *c, uint32_t pc, const node *n)
{
    origin *o = origin_add(c, pc);
    o->kind = ORIGIN_PART;
    o->at = o->what = passage_of(n);
}

static void mark_add(compiler *c, mark_kind kind, const node *n, bool ends)
{
    game *g = c->g;
    if (!c->marked || c->in_test || !n) return;
    const node *around = c->open_rule_count ? c->open_rules[c->open_rule_count - 1] : NULL;
    g->covers = grow(g->covers, &c->mark_capacity, g->cover_count + 1, sizeof *g->covers);
    g->covers[g->cover_count] = (cover_mark){ kind, passage_of(n), n->kind == NODE_I_RULE ? name_index(c, n->text) : around ? name_index(c, around->text) : -1 };
    emit(c, OP_MARK, ends, 0, 0, g->cover_count++, 0);
}

void emit_mark(compiler *c, mark_kind kind, const node *n) { mark_add(c, kind, n, false); }

/* The run is over by a result: the rules around it are done. */
void emit_rules_done(compiler *c)
{
    for (int i = 0; i < c->open_rule_count; i++) mark_add(c, MARK_RULE, c->open_rules[i], true);
}

void origins_finish(compiler *c)
{
    game *g = c->g;
    while (g->origin_count && g->origins[g->origin_count - 1].pc >= g->code_count) g->origin_count--;
    g->source_count = (int)c->d->source_count;
    g->sources = arena_alloc(c->a, (c->d->source_count + 1) * sizeof *g->sources);
    for (size_t i = 0; i < c->d->source_count; i++) {
        const source *s = &c->d->sources[i];
        char *text = arena_alloc(c->a, s->length + 1);
        memcpy(text, s->text, s->length);
        g->sources[i] = (source_info){ arena_format(c->a, "%s", s->path), text, s->length };
    }
}
