/* What a file says to those who play: texts about the game, signs of the drawing, and how a move is written.
 *
 * `written` is code aside: the rule jumps over it, and the instruction behind it says where it stands. Only where the words of a run are
 * wanted it is followed, at the place where it stands, so the names of the run mean what they mean there. */
#include <string.h>
#include "compile.h"

static const node *kid(const node *n, int i) { return n && i < n->count ? n->kids[i] : NULL; }

/* ---- about ------------------------------------------------------------------------------------------------------------------------------ */
static void about_add(compiler *c, const char *line)
{
    game *g = c->g;
    const size_t n = g->about ? strlen(g->about) : 0, m = strlen(line);
    char *all = arena_alloc(c->a, n + m + 2);
    if (n) memcpy(all, g->about, n);
    memcpy(all + n, line, m);
    all[n + m] = '\n';
    all[n + m + 1] = 0;
    g->about = all;
}

static void about_texts(compiler *c, const node *n)
{
    if (!n || n->kind == NODE_A_NOTHING || n->kind == NODE_BROKEN) return;
    if (n->kind == NODE_A_RANK) about_add(c, n->text);
    else if (n->kind == NODE_A_SEQUENCE) for (int i = 0; i < n->count; i++) about_texts(c, n->kids[i]);
    else diag_add(c->d, "E0329", n->at, "`about` holds texts only, one a line");
}

/* ---- signs ------------------------------------------------------------------------------------------------------------------------------ */
/* One character that is no letter, digit, blank or stroke of a drawing. `ascii`: and of ASCII. */
static bool sign_fits(const char *s, bool ascii)
{
    size_t characters = 0;
    for (const char *p = s; *p; p++) {
        const unsigned char x = (unsigned char)*p;
        if (ascii && x >= 128) return false;
        if (x < 128 && (x <= ' ' || x == 127 || strchr("-|/\\", x) || (x >= '0' && x <= '9') || (x >= 'A' && x <= 'Z') || (x >= 'a' && x <= 'z'))) return false;
        characters += (x & 0xC0) != 0x80;
    }
    return characters == 1;
}

static void mark_add(compiler *c, const node *n, int *capacity)
{
    game *g = c->g;
    const char *ascii = n->more ? n->more : n->text;
    if (!sign_fits(n->text, false) || !sign_fits(ascii, true)) {
        diag_add(c->d, "E0421", n->at, "a sign is one character, no letter, digit or stroke, with one of ASCII behind it if it is none: mark \"≈\" \"~\" on S");
        return;
    }
    value v = lower_set(c, kid(n, 0));
    if (v.type == T_ERROR) return;
    if (!v.constant) { diag_add(c->d, "E0421", kid(n, 0)->at, "what a sign marks must be known beforehand"); return; }
    const node *name = kid(n, 0);
    g->marks = grow(g->marks, capacity, g->mark_count + 1, sizeof *g->marks);
    g->marks[g->mark_count++] = (drawn_mark){ n->text, ascii, name->kind == NODE_E_NAME ? name->text : "", v.sets };
}

void notes_build(compiler *c)
{
    const node *root = c->tree->root;
    int capacity = 0;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (n && n->kind == NODE_I_ABOUT) about_texts(c, kid(n, 0));
        if (n && n->kind == NODE_I_MARK) mark_add(c, n, &capacity);
    }
}

/* ---- written ---------------------------------------------------------------------------------------------------------------------------- */
static void write_set(compiler *c, const node *n, const value *along)
{
    value v = lower(c, n);
    if (v.type == T_NUMBER) { emit(c, OP_WRITE_NUMBER, 0, num_operand(c, &v), 0, 0, 0); return; }
    if (v.type == T_ERROR) return;
    if (v.type != T_SET && v.type != T_PLACE) { diag_add(c->d, "E0328", n->at, "cells, places, numbers and texts can be written, found %s", type_names[v.type]); return; }
    v = to_set(c, v, n);
    emit(c, OP_WRITE_CELLS, 0, set_operand(c, &v), 0, along ? relation_index(c, along) : -1, 0);
}

static void write_part(compiler *c, const node *n)
{
    const int num = c->num_top, set = c->set_top, bag = c->bag_top;
    if (n->kind == NODE_E_TEXT) emit(c, OP_WRITE_TEXT, 0, 0, 0, name_index(c, n->text), 0);
    else if (n->kind == NODE_ALONG) {
        value r = lower_relation(c, kid(n, 1));
        if (r.type != T_ERROR) write_set(c, kid(n, 0), &r);
    } else write_set(c, n, NULL);
    c->num_top = num;
    c->set_top = set;
    c->bag_top = bag;
}

void lower_written(compiler *c, const node *n)
{
    settle_now(c);
    const uint32_t over = emit(c, OP_JUMP, 0, 0, 0, 0, 0), pc = here_label(c);
    for (int i = 0; i < n->count; i++) if (n->kids[i]) write_part(c, n->kids[i]);
    emit(c, OP_RETURN, 0, 0, 0, 0, 0);
    patch(c, over, here_label(c));
    emit(c, OP_RULE, 1, 0, 0, (int32_t)pc, 0);
}
