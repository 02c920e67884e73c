/* The one layout.
 *
 * Written from tokens, not from the tree, so that nothing an author wrote can get lost: the tokens of the text are set anew, with one
 * space where there is one at all, and the author's line breaks are kept where they carry meaning. The rules:
 *   - a block that had a line break in it is open: `{` ends its line, `}` begins one, and what is inside stands two columns deeper;
 *     a block on one line stays so unless the line gets too long;
 *   - a line that goes on with the statement before stands four columns deeper; one that begins with `|` or `else` in a block of
 *     actions stands just below the statement;
 *   - one blank line at most, none at the edges of a block; comments stay where they were, those behind code in a column;
 *   - pictures of boards and the meanings of options stand in columns;
 *   - `;` stays between statements of one line, and goes elsewhere.
 * The brackets the reader understood (`joc fmt --brackets`) come from the tree: each expression within an expression tells its bytes. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"
#include "joc.tab.h"

enum { LIMIT = 150, INDENT = 2, DEEPER = 4, PASSES = 60, COMMENT_LIMIT = 100 };

typedef struct { char *text; size_t length, capacity; } buffer;

static void put(buffer *b, const char *text, size_t length)
{
    if (b->length + length + 1 > b->capacity) {
        b->capacity = 2 * (b->length + length) + 64;
        b->text = must_have(realloc(b->text, b->capacity));
    }
    if (length)
        memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static void put_spaces(buffer *b, size_t count)
{
    while (count--)
        put(b, " ", 1);
}

/* Columns a piece of text takes: its characters. */
static size_t width(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* A finished line: indented code in the output buffer, then a comment of the text. */
typedef struct {
    size_t from, to;        /* in `code` */
    uint32_t comment, comment_end;
    size_t column;          /* offset in `code` of what is set in a column (the meaning of an option); 0: nothing */
    bool blank;             /* a blank line before it */
} line;

/* An open brace. */
typedef struct {
    bool open, rules, picture;
    size_t indent;          /* of the line on which it stands */
    bool plain;             /* of the statement it stands in: restored at its end */
    size_t base;
    size_t pixels, last_width;      /* in a picture: of this row so far, and how wide the last one is */
    size_t *widths, columns;
} brace;

typedef struct {
    parse *p;
    buffer code;
    line *lines;
    size_t line_count, line_capacity;
    line now;               /* the line being written */
    bool started;
    size_t indent;          /* of that line */
    size_t joints[128], joint_count; /* offsets in `code` behind a `; ` that could become a line end */
    struct { size_t raw, at; } flats[64];   /* braces on this line that could be opened: raw token, offset in `code` */
    size_t flat_count;
    brace braces[MAX_BRACKETS + 1];
    int depth;
    size_t base;            /* indent of the statement being written */
    bool plain;             /* it is an action in a block */
    int first, second;      /* its first two tokens */
    bool *open;             /* by raw token: this `{` is open */
    unsigned char *before, *after;  /* by byte: brackets to be put in */
    bool again;             /* some brace was opened: write all anew */
} writer;

/* ---- lines ---- */

static void add_line(writer *w, line l)
{
    if (w->line_count == w->line_capacity) {
        w->line_capacity = w->line_capacity ? 2 * w->line_capacity : 256;
        w->lines = must_have(realloc(w->lines, w->line_capacity * sizeof *w->lines));
    }
    w->lines[w->line_count++] = l;
}

/* Opens the first brace of a line that is too long; all is written anew then. */
static void open_flat(writer *w, const line *l)
{
    if (width(w->code.text + l->from, l->to - l->from) <= LIMIT)
        return;
    for (size_t i = 0; i < w->flat_count; i++)
        if (w->flats[i].at >= l->from && w->flats[i].at < l->to) {
            w->open[w->flats[i].raw] = true;
            w->again = true;
            return;
        }
}

static size_t inner_indent(const writer *w)
{
    return w->depth ? w->braces[w->depth - 1].indent + INDENT : 0;
}

/* Breaks the line being written behind a `;` if it is too long. */
static void split(writer *w)
{
    while (w->started && w->joint_count && width(w->code.text + w->now.from, w->code.length - w->now.from) > LIMIT) {
        size_t best = 0;
        while (best + 1 < w->joint_count && width(w->code.text + w->now.from, w->joints[best + 1] - w->now.from) <= LIMIT)
            best++;
        size_t cut = w->joints[best];
        buffer rest = { 0 };
        put(&rest, w->code.text + cut, w->code.length - cut);
        w->code.length = cut;
        w->now.to = cut - 2;            /* without "; " */
        line begun = w->now;
        open_flat(w, &begun);
        w->now = (line){ .from = w->code.length };
        add_line(w, begun);
        w->indent = inner_indent(w);
        put_spaces(&w->code, w->indent);
        size_t moved = w->code.length - cut;
        put(&w->code, rest.text, rest.length);
        free(rest.text);
        for (size_t i = best + 1; i < w->joint_count; i++)
            w->joints[i - best - 1] = w->joints[i] + moved;
        w->joint_count -= best + 1;
        for (size_t i = 0; i < w->flat_count; i++)
            w->flats[i].at = w->flats[i].at < cut ? 0 : w->flats[i].at + moved;
    }
}

static void end_line(writer *w)
{
    if (!w->started)
        return;
    split(w);
    w->now.to = w->code.length;
    open_flat(w, &w->now);
    add_line(w, w->now);
    w->started = false;
}

static void begin_line(writer *w, size_t indent, bool blank)
{
    end_line(w);
    w->now = (line){ .from = w->code.length, .blank = blank && w->line_count };
    put_spaces(&w->code, indent);
    w->indent = indent;
    w->started = true;
    w->joint_count = w->flat_count = 0;
}

static uint32_t trimmed(const parse *p, token comment)
{
    uint32_t end = comment.to;
    while (end > comment.from && strchr(" \t\r\f", p->text[end - 1]))
        end--;
    return end;
}

static void comment_line(writer *w, token comment, size_t indent, bool blank)
{
    begin_line(w, indent, blank);
    put(&w->code, w->p->text + comment.from, trimmed(w->p, comment) - comment.from);
    w->now.to = w->code.length;
    add_line(w, w->now);
    w->started = false;
}

/* ---- spaces ---- */

static bool ends_value(int kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == ')';
}

static bool begins_value(int kind)
{
    switch (kind) {
    case TOKEN_NAME: case TOKEN_FUNCTION: case TOKEN_NUMBER: case '(': case '-': case TOKEN_NOT: case TOKEN_COUNT: case TOKEN_ANY: case TOKEN_NO:
    case TOKEN_CAN: case TOKEN_REACH: case TOKEN_LINE: case TOKEN_TOP: case TOKEN_BOTTOM: case TOKEN_ALWAYS:
        return true;
    default:
        return false;
    }
}

/* Does `{ }*` or `empty*` stand here, not a sum or product? */
static bool is_postfix(int last, int kind, int next)
{
    return kind == '?' || ((kind == '*' || kind == '+') && (last == '}' || (ends_value(last) && !begins_value(next))));
}

static bool spaced(int earlier, int last, int kind, int next)
{
    if (last == '(' || last == TOKEN_FUNCTION || last == TOKEN_DOTS || kind == TOKEN_DOTS)
        return false;
    if (kind == ')' || kind == ',' || kind == ':' || is_postfix(last, kind, next))
        return false;
    return !(last == '-' && !ends_value(earlier));
}

/* ---- pictures ---- */

/* The widths of the columns of the picture whose brace is that raw token. */
static void measure_picture(writer *w, brace *b, size_t raw)
{
    const tokens *list = &w->p->raw;
    size_t column = 0;
    for (size_t i = raw + 1; i < list->count && list->items[i].kind != '}'; i++) {
        token t = list->items[i];
        if (t.kind == TOKEN_NEWLINE)
            column = 0;
        if (t.kind == TOKEN_NEWLINE || t.kind == TOKEN_IS_COMMENT)
            continue;
        for (int k = t.kind == TOKEN_DOTS ? 2 : 1; k > 0; k--, column++) {
            if (column == b->columns) {
                b->widths = must_have(realloc(b->widths, (column + 1) * sizeof *b->widths));
                b->widths[b->columns++] = 0;
            }
            size_t wide = t.kind == TOKEN_DOTS ? 1 : width(w->p->text + t.from, t.to - t.from);
            if (wide > b->widths[column])
                b->widths[column] = wide;
        }
    }
}

/* Pixels of a picture: in columns if it has several rows. `..` is two of them. */
static void put_pixels(writer *w, brace *b, token t)
{
    int count = t.kind == TOKEN_DOTS ? 2 : 1;
    size_t length = t.kind == TOKEN_DOTS ? 1 : t.to - t.from;
    for (int k = 0; k < count; k++) {
        if (b->pixels)
            put_spaces(&w->code, 1 + (b->open ? b->widths[b->pixels - 1] - b->last_width : 0));
        else if (w->code.length > w->now.from + w->indent)
            put(&w->code, " ", 1);
        put(&w->code, w->p->text + t.from, length);
        b->last_width = width(w->p->text + t.from, length);
        b->pixels++;
    }
}

/* ---- the pass ---- */

/* What stands between two tokens: line ends, `;`, comments. Raw tokens [from, to). */
typedef struct { size_t from, to; bool line_end, semicolon, boundary; } gap;

static gap look_at_gap(const writer *w, size_t from, size_t to, bool boundary)
{
    gap g = { from, to, false, false, boundary };
    for (size_t i = from; i < to; i++) {
        token t = w->p->raw.items[i];
        g.line_end = g.line_end || t.kind == TOKEN_IS_COMMENT || w->p->text[t.from] == '\n';
        g.semicolon = g.semicolon || (t.kind == TOKEN_NEWLINE && w->p->text[t.from] == ';');
    }
    return g;
}

/* Writes the comments of a gap; true if a blank line stands behind the last. */
static bool put_comments(writer *w, const gap *g, size_t indent, bool edge)
{
    unsigned ends = 0;
    bool behind = w->started, blank = false;
    for (size_t i = g->from; i < g->to; i++) {
        token t = w->p->raw.items[i];
        if (t.kind == TOKEN_NEWLINE) {
            ends += w->p->text[t.from] == '\n';
            behind = behind && ends == 0;
            blank = ends > 1;
            continue;
        }
        if (behind && w->started) {
            w->now.comment = t.from;
            w->now.comment_end = trimmed(w->p, t);
            end_line(w);
        } else
            comment_line(w, t, indent, blank && !edge);
        edge = false;
        ends = 0;
        blank = false;
        behind = false;
    }
    return blank && !edge;
}

static size_t continued_indent(const writer *w, int kind)
{
    return w->base + (w->plain && (kind == TOKEN_BAR || kind == TOKEN_ELSE) ? 0 : DEEPER);
}

static void push_brace(writer *w, size_t raw)
{
    bool piece = w->first == TOKEN_PIECE || (w->first == TOKEN_REPLACE && w->second == TOKEN_PIECE);
    if (w->open[raw])
        split(w);
    else if (w->flat_count < sizeof w->flats / sizeof *w->flats && w->p->raw.items[raw + 1].kind != '}') {
        w->flats[w->flat_count].raw = raw;
        w->flats[w->flat_count++].at = w->code.length - 1;
    }
    brace *b = &w->braces[w->depth++];
    *b = (brace){ .open = w->open[raw], .rules = piece, .indent = w->indent, .plain = w->plain, .base = w->base };
    if (!b->open && w->depth > 1)
        b->indent = b[-1].indent;
    b->picture = raw >= 2 && w->p->raw.items[raw - 1].kind == TOKEN_NAME && w->p->raw.items[raw - 2].kind == TOKEN_BOARD;
    if (b->picture && b->open)
        measure_picture(w, b, raw);
}

static void pop_brace(writer *w)
{
    brace *b = &w->braces[--w->depth];
    w->plain = b->plain;
    w->base = b->base;
    free(b->widths);
    b->widths = NULL;
}

static void begin_statement(writer *w, int kind, int next)
{
    w->first = kind;
    w->second = next;
    w->base = inner_indent(w);
    w->plain = w->depth && !w->braces[w->depth - 1].rules;
    if (w->depth)
        w->braces[w->depth - 1].pixels = 0;
}

static void put_token(writer *w, token t, int earlier, int last, int next)
{
    brace *b = w->depth ? &w->braces[w->depth - 1] : NULL;
    if (b && b->picture && t.kind != '}') {
        put_pixels(w, b, t);
        return;
    }
    if (w->code.length > w->now.from + w->indent && spaced(earlier, last, t.kind, next))
        put(&w->code, " ", 1);
    if (w->depth == 0 && w->first == TOKEN_OPTION && t.kind == TOKEN_STRING)
        w->now.column = w->code.length;
    for (unsigned n = w->before ? w->before[t.from] : 0; n; n--)
        put(&w->code, "(", 1);
    put(&w->code, w->p->text + t.from, t.to - t.from);
    for (unsigned n = w->after ? w->after[t.to] : 0; n; n--)
        put(&w->code, ")", 1);
}

/* Ends the line before a token, or writes the `; ` before it, as the gap between it and the last one asks. */
static void set_gap(writer *w, const gap *g, int last, int kind)
{
    const brace *b = w->depth ? &w->braces[w->depth - 1] : NULL;
    bool edge = last == '{' || kind == '}' || last == TOKEN_NEWLINE;
    bool breaks = g->line_end || (w->depth == 0 && g->boundary) || (edge && b && b->open && (last == '{' || kind == '}'));
    if (last == TOKEN_NEWLINE || breaks) {
        size_t comment_indent = g->boundary || edge ? inner_indent(w) : continued_indent(w, kind);
        bool blank = put_comments(w, g, comment_indent, last == '{' || last == TOKEN_NEWLINE);
        size_t indent = kind == '}' && b ? b->indent : g->boundary || edge ? inner_indent(w) : continued_indent(w, kind);
        begin_line(w, indent, blank && kind != '}' && (g->boundary || last == TOKEN_NEWLINE));
    } else if (g->boundary && last != '{' && kind != '}') {
        put(&w->code, ";", 1);
        split(w);
        if (w->joint_count < sizeof w->joints / sizeof *w->joints && w->indent == inner_indent(w) && (!b || b->open))
            w->joints[w->joint_count++] = w->code.length + 1;
    }
}

static void write_tokens(writer *w)
{
    parse *p = w->p;
    size_t raw = 0, listed = 0;
    int earlier = TOKEN_NEWLINE, last = TOKEN_NEWLINE;
    while (listed < p->list.count) {
        bool boundary = listed == 0 || last == '{';
        if (p->list.items[listed].kind == TOKEN_NEWLINE) {
            boundary = true;
            listed++;
        }
        token t = p->list.items[listed];
        size_t from = raw;
        while (p->raw.items[raw].from != t.from)
            raw++;
        gap g = look_at_gap(w, from, raw, boundary);
        set_gap(w, &g, last, t.kind);
        int next = listed + 1 < p->list.count ? p->list.items[listed + 1].kind : TOKEN_NEWLINE;
        if (boundary && t.kind != '}')
            begin_statement(w, t.kind, next);
        put_token(w, t, earlier, last, next);
        if (t.kind == '{')
            push_brace(w, raw);
        else if (t.kind == '}')
            pop_brace(w);
        earlier = last;
        last = t.kind;
        raw++;
        listed++;
    }
    gap g = look_at_gap(w, raw, p->raw.count, true);
    put_comments(w, &g, 0, last == TOKEN_NEWLINE);
    end_line(w);
}

/* ---- columns ---- */

static size_t line_width(const writer *w, const line *l)
{
    return width(w->code.text + l->from, l->to - l->from);
}

/* The widest code of the lines [i, ...) that follow each other and have a comment behind them; *end: the line behind the last. */
static size_t comment_column(const writer *w, size_t i, size_t *end)
{
    size_t widest = 0;
    for (; i < w->line_count && w->lines[i].comment_end && (widest == 0 || !w->lines[i].blank); i++) {
        size_t wide = line_width(w, &w->lines[i]);
        if (wide > widest && (wide <= COMMENT_LIMIT || widest == 0))
            widest = wide;
    }
    *end = i;
    return widest;
}

/* Sets the meanings of options that follow each other in a column. */
static void align_options(const writer *w, size_t *pads)
{
    for (size_t i = 0, end; i < w->line_count; i = end > i ? end : i + 1) {
        size_t widest = 0;
        for (end = i; end < w->line_count && w->lines[end].column && (end == i || !w->lines[end].blank); end++) {
            size_t wide = width(w->code.text + w->lines[end].from, w->lines[end].column - w->lines[end].from);
            widest = wide > widest && wide <= LIMIT / 2 ? wide : widest;
        }
        for (size_t k = i; k < end; k++) {
            size_t wide = width(w->code.text + w->lines[k].from, w->lines[k].column - w->lines[k].from);
            pads[k] = wide < widest ? widest - wide : 0;
        }
    }
}

static char *assemble(const writer *w)
{
    buffer out = { 0 };
    size_t *pads = must_have(calloc(w->line_count + 1, sizeof *pads)), column = 0, end = 0;
    align_options(w, pads);
    put(&out, "", 0);
    for (size_t i = 0; i < w->line_count; i++) {
        const line *l = &w->lines[i];
        size_t middle = l->column ? l->column : l->to;
        if (l->blank)
            put(&out, "\n", 1);
        put(&out, w->code.text + l->from, middle - l->from);
        put_spaces(&out, pads[i]);
        put(&out, w->code.text + middle, l->to - middle);
        if (l->comment_end) {
            if (i >= end)
                column = comment_column(w, i, &end);
            size_t wide = line_width(w, l) + pads[i];
            put_spaces(&out, wide < column ? column - wide + 2 : 2);
            put(&out, w->p->text + l->comment, l->comment_end - l->comment);
        }
        put(&out, "\n", 1);
    }
    free(pads);
    return out.text;
}

/* ---- all of it ---- */

/* Which braces have a line end inside. */
static void find_open_braces(writer *w)
{
    size_t stack[MAX_BRACKETS + 1];
    int depth = 0;
    for (size_t i = 0; i < w->p->raw.count; i++) {
        token t = w->p->raw.items[i];
        if (t.kind == '{')
            stack[depth++] = i;
        else if (t.kind == '}')
            depth--;
        else if (t.kind == TOKEN_IS_COMMENT || (t.kind == TOKEN_NEWLINE && w->p->text[t.from] == '\n'))
            for (int k = 0; k < depth; k++)
                w->open[stack[k]] = true;
    }
}

static char *write_all(parse *p, unsigned char *before, unsigned char *after)
{
    writer w = { .p = p, .before = before, .after = after };
    char *text = NULL;
    w.open = must_have(calloc(p->raw.count + 1, sizeof *w.open));
    find_open_braces(&w);
    for (int pass = 0; pass < PASSES; pass++) {
        w.again = false;
        w.line_count = w.code.length = 0;
        w.started = false;
        w.base = 0;
        write_tokens(&w);
        if (!w.again)
            break;
    }
    text = assemble(&w);
    free(w.open);
    free(w.lines);
    free(w.code.text);
    return text;
}

char *format_text(const char *path, const char *text, size_t length, bool brackets, diagnostics *d)
{
    parse p;
    size_t errors = d->errors;
    char *result = NULL;
    parse_text(&p, path, text, length, d);
    if (d->errors == errors) {
        unsigned char *before = NULL, *after = NULL;
        if (brackets) {
            before = must_have(calloc(length + 1, 1));
            after = must_have(calloc(length + 1, 1));
            find_brackets(p.tree->root, before, after);
        }
        result = write_all(&p, before, after);
        free(before);
        free(after);
    }
    parse_end(&p);
    tree_free(p.tree);
    return result;
}
