/* What a file says to those who play: texts about the game, signs of the drawing, and how a move is written.
 *
 * `written` is code aside: the rule jumps over it, and the instruction behind it says where it stands. Only where the words of a run are
 * wanted it is followed, at the place where it stands, so the names of the run mean what they mean there. */
#include <string.h>
#include "compile.h"


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

/* How the legend calls it: as said, or as the set is called. */
static const char *mark_name(const node *n)
{
    if (kid(n, 1)) return kid(n, 1)->text;
    return n->kind == NODE_I_MARK && kid(n, 0)->kind == NODE_E_NAME ? kid(n, 0)->text : "";
}

/* "b7" on a square board: column and row from 1; false if it is no such name. */
static bool square_named(const compiler *c, const char *name, int *x, int *y)
{
    *x = *y = 0;
    for (; *name >= 'a' && *name <= 'z'; name++) *x = *x * 26 + *name - 'a' + 1;
    for (; *name >= '0' && *name <= '9' && *y < 1000; name++) *y = *y * 10 + *name - '0';
    return !*name && *x > 0 && *x <= c->g->width && *y > 0 && *y <= c->g->height;
}

static bool has_cell(const game *g, int x, int y)
{
    for (int i = 0; i < g->cells; i++) if (g->cell[i].x == x && g->cell[i].y == y) return true;
    return false;
}

static void gaps_between(compiler *c, drawn_mark *m, const node *low, const node *high, int *capacity)
{
    int x, y, x2, y2;
    if (low->kind != NODE_E_NAME || high->kind != NODE_E_NAME || !square_named(c, low->text, &x, &y) || !square_named(c, high->text, &x2, &y2)) {
        diag_add(c->d, "E0421", low->at, "where the board has no cells is said by names of squares, as in `without b7..d8 f7`");
        return;
    }
    for (int i = x < x2 ? x : x2; i <= (x > x2 ? x : x2); i++)
        for (int j = y < y2 ? y : y2; j <= (y > y2 ? y : y2); j++) {
            if (has_cell(c->g, i, j)) continue;
            m->gaps = grow(m->gaps, capacity, 2 * m->gap_count + 2, sizeof *m->gaps);
            m->gaps[2 * m->gap_count] = (int16_t)i;
            m->gaps[2 * m->gap_count++ + 1] = (int16_t)j;
        }
}

static void gaps_of(compiler *c, drawn_mark *m, const node *n, int *capacity)
{
    if (n->kind == NODE_E_ROW) for (int i = 0; i < n->count; i++) gaps_of(c, m, n->kids[i], capacity);
    else if (n->kind == NODE_E_RANGE) gaps_between(c, m, kid(n, 0), kid(n, 1), capacity);
    else gaps_between(c, m, n, n, capacity);
}

static bool mark_cells(compiler *c, drawn_mark *m, const node *n)
{
    value v = lower_set(c, n);
    if (v.type == T_ERROR) return false;
    if (v.constant) m->cells = v.sets;
    else diag_add(c->d, "E0421", n->at, "what a sign marks must be known beforehand");
    return v.constant;
}

static void mark_add(compiler *c, const node *n, int *capacity)
{
    game *g = c->g;
    const char *ascii = n->more ? n->more : n->text;
    int gap_capacity = 0;
    drawn_mark m = { n->text, ascii, mark_name(n), NULL, NULL, 0 };
    if (!sign_fits(n->text, false) || !sign_fits(ascii, true)) {
        diag_add(c->d, "E0421", n->at, "a sign is one character, no letter, digit or stroke, with one of ASCII behind it if it is none: mark \"≈\" \"~\" on S");
        return;
    }
    if (n->kind == NODE_I_GAPS) gaps_of(c, &m, kid(n, 0), &gap_capacity);
    if (n->kind == NODE_I_GAPS ? !m.gap_count : !mark_cells(c, &m, kid(n, 0))) return;
    for (int i = 0; i < g->mark_count; i++)
        if ((g->marks[i].gap_count > 0) != (m.gap_count > 0) && (!strcmp(g->marks[i].sign, m.sign) || !strcmp(g->marks[i].ascii, ascii)))
            diag_add(c->d, "E0421", n->at, "this sign stands for cells and for places without a cell: who reads a drawing could not tell them apart");
    g->marks = grow(g->marks, capacity, g->mark_count + 1, sizeof *g->marks);
    g->marks[g->mark_count++] = m;
}

void notes_build(compiler *c)
{
    const node *root = c->tree->root;
    int capacity = 0;
    for (int i = 0; i < root->count; i++) {
        const node *n = root->kids[i];
        if (n && n->kind == NODE_I_ABOUT) about_texts(c, kid(n, 0));
        if (n && (n->kind == NODE_I_MARK || n->kind == NODE_I_GAPS)) mark_add(c, n, &capacity);
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
