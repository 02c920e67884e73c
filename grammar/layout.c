/* From raw tokens to the tokens the grammar sees (docs/language.md, section 1).
 *
 * Three things happen on the way, in one pass over the raw tokens with a stack of open brackets:
 *   - comments go; a line end stays only if it ends a statement;
 *   - a `|` that begins a line becomes BAR, and `name(` becomes FUNCTION;
 *   - brackets are balanced. An open `(` that meets a `}`, the end, or a line that begins with a word of its own (`let`, `step` ...)
 *     gets its `)` at the end of the line on which it opened; an open `{` that meets the end gets its `}` before the first line that
 *     stands no deeper than the line on which it opened (an author indents), or at the end. Closers without an opener are left out. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"
#include "joc.tab.h"

static const struct word { const char *text; int token; const char *starts; } words[] = {
#define WORD(word, token, starts) { word, TOKEN_##token, starts },
#include "keywords.def"
#undef WORD
};
enum { WORD_COUNT = sizeof words / sizeof *words };

int keyword_token(const char *text, size_t length)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].text[0] == text[0] && strlen(words[i].text) == length && memcmp(words[i].text, text, length) == 0)
            return words[i].token;
    return 0;
}

const char *token_word(int kind)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].token == kind)
            return words[i].text;
    return NULL;
}

void token_push(tokens *list, int kind, uint32_t from, uint32_t to)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 256;
        list->items = must_have(realloc(list->items, list->capacity * sizeof *list->items));
    }
    list->items[list->count++] = (token){ kind, from, to, false };
}

/* ---- line ends ---- */

/* Is a statement that stops after this token plainly unfinished? */
static bool unfinished(int kind)
{
    switch (kind) {
    case ',': case '|': case TOKEN_BAR: case '=': case ':': case '(': case '{':
    case TOKEN_AND: case TOKEN_OR: case TOKEN_NOT: case TOKEN_ELSE: case TOKEN_OF: case TOKEN_OVER: case TOKEN_TO:
    case TOKEN_THROUGH: case TOKEN_WHERE:
        return true;
    default:
        return false;
    }
}

/* Does a line that begins with this token continue the one before? */
static bool continues(const parse *p, size_t raw)
{
    const int behind = raw + 1 < p->raw.count ? p->raw.items[raw + 1].kind : TOKEN_NEWLINE;
    switch (p->raw.items[raw].kind) {
    case TOKEN_UNTIL: case TOKEN_OVER: case TOKEN_TO: case TOKEN_ALONG: case TOKEN_THROUGH: case TOKEN_UNDER: case TOKEN_BECOMES: case TOKEN_JOINED: case TOKEN_NAMED:
        return behind != ':' && behind != '=' && behind != '(';        /* else it was meant for a name */
    case '|': case TOKEN_ELSE: case TOKEN_OR: case TOKEN_AND: case TOKEN_WHERE:
    case '+': case '-': case '*': case '/': case '%': case '=': case TOKEN_COMPARE:
        return true;
    default:
        return false;
    }
}

/* A word that can begin a statement, and what it can begin ("" for others): see keywords.def. No expression begins with one. */
static const char *starts(int kind)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].token == kind)
            return words[i].starts;
    return "";
}

/* Inside an open `(` a line may begin with `when` and `by`, but with no other word that begins a statement. */
static bool breaks_brackets(int kind)
{
    return *starts(kind) && kind != TOKEN_WHEN && kind != TOKEN_BY;
}

/* An unfinished line, and a next one that cannot finish it: the fault is at the end of the first. */
static bool breaks_off(int last, int next)
{
    bool action_may_follow = last == ',' || last == '|' || last == TOKEN_BAR || last == ':' || last == TOKEN_ELSE;
    return *starts(next) && !(action_may_follow && strchr(starts(next), 'a'));
}

/* Tokens that never stand in ( ). */
static bool outside_brackets(int kind)
{
    return kind == '{' || kind == TOKEN_TO || kind == TOKEN_ON || kind == TOKEN_OVER || kind == TOKEN_BECOMES || kind == TOKEN_UNDER;
}

/* ---- the pass ---- */

typedef struct {
    int kind;               /* '(' or '{', or 'p' for the brace of a picture */
    size_t raw;             /* its raw token */
    unsigned indent;        /* of the line on which it stands */
} opener;

typedef struct {
    parse *p;
    opener open[MAX_BRACKETS + 1];
    int depth;
    bool *unclosed;         /* by raw token: a `(` without its `)` */
    unsigned char *close_before;     /* by raw token: so many `}` are missing here */
} layout;

static span at_token(const parse *p, size_t raw)
{
    return (span){ p->source, p->raw.items[raw].from, p->raw.items[raw].to };
}

static bool is_line_end(const parse *p, size_t raw)
{
    return p->raw.items[raw].kind == TOKEN_NEWLINE && p->text[p->raw.items[raw].from] == '\n';
}

/* The indent of the line on which a walk over the raw tokens stands. */
typedef struct { uint32_t line_from; unsigned indent; bool known; } margin;

static void walk_margin(const parse *p, size_t raw, margin *m)
{
    token t = p->raw.items[raw];
    if (is_line_end(p, raw))
        *m = (margin){ .line_from = t.to };
    else if (!m->known)
        *m = (margin){ m->line_from, t.from - m->line_from, true };
}

static bool first_of_line(const parse *p, size_t raw)
{
    return raw == 0 || is_line_end(p, raw - 1);
}

static size_t next_token(const parse *p, size_t raw)
{
    while (raw < p->raw.count && (p->raw.items[raw].kind == TOKEN_NEWLINE || p->raw.items[raw].kind == TOKEN_IS_COMMENT))
        raw++;
    return raw;
}

static bool is_picture(const parse *p, size_t raw)
{
    return raw >= 2 && p->raw.items[raw - 1].kind == TOKEN_NAME && p->raw.items[raw - 2].kind == TOKEN_BOARD;
}

/* Which `(` are never closed, and is the file short of `}`? False if brackets stand too deep. */
static bool match_brackets(layout *l, size_t *open_braces)
{
    parse *p = l->p;
    margin here = { 0 };
    l->depth = 0;
    for (size_t i = 0; i < p->raw.count; i++) {
        int kind = p->raw.items[i].kind;
        walk_margin(p, i, &here);
        if (kind == TOKEN_NEWLINE && l->depth && l->open[l->depth - 1].kind == '(') {
            size_t next = next_token(p, i);
            if (next == p->raw.count || breaks_brackets(p->raw.items[next].kind))
                while (l->depth && l->open[l->depth - 1].kind == '(')
                    l->unclosed[l->open[--l->depth].raw] = true;
        }
        if (kind == '{' || kind == '}')
            while (l->depth && l->open[l->depth - 1].kind == '(')
                l->unclosed[l->open[--l->depth].raw] = true;
        if (kind == '(' || kind == '{') {
            if (l->depth == MAX_BRACKETS) {
                diag_add(p->d, "E0105", at_token(p, i), "brackets within brackets, more than %d deep", MAX_BRACKETS);
                return false;
            }
            l->open[l->depth++] = (opener){ kind, i, here.indent };
        }
        if ((kind == ')' || kind == '}') && l->depth && (kind == ')') == (l->open[l->depth - 1].kind == '('))
            l->depth--;
    }
    while (l->depth && l->open[l->depth - 1].kind == '(')
        l->unclosed[l->open[--l->depth].raw] = true;
    *open_braces = (size_t)l->depth;
    return true;
}

/* The file is short of so many `}`: guess by indentation where they are missing. */
static void place_missing_braces(layout *l, size_t missing)
{
    parse *p = l->p;
    margin here = { 0 };
    l->depth = 0;
    for (size_t i = 0; i < p->raw.count && missing; i++) {
        int kind = p->raw.items[i].kind;
        walk_margin(p, i, &here);
        if (kind != '}' && kind != TOKEN_NEWLINE && kind != TOKEN_IS_COMMENT && first_of_line(p, i) && !continues(p, i))
            for (; l->depth && missing && here.indent <= l->open[l->depth - 1].indent; missing--) {
                l->close_before[i]++;
                l->depth--;
            }
        if (kind == '{')
            l->open[l->depth++] = (opener){ kind, i, here.indent };
        else if (kind == '}')
            l->depth -= l->depth > 0;
    }
}

static int last_kind(const parse *p)
{
    return p->list.count ? p->list.items[p->list.count - 1].kind : TOKEN_NEWLINE;
}

static void emit(parse *p, int kind, uint32_t from, uint32_t to)
{
    token_push(&p->list, kind, from, to);
}

static bool one_line(const parse *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) if (p->text[i] == '\n') return false;
    return true;
}

/* Two `{` with nothing between, and one is never closed: it may be one too many. */
static bool tell_doubled(const layout *l, size_t raw)
{
    const parse *p = l->p;
    size_t second = raw + 1 < p->raw.count && p->raw.items[raw + 1].kind == '{' ? raw + 1 : raw && p->raw.items[raw - 1].kind == '{' ? raw : 0;
    if (!second || !one_line(p, p->raw.items[second - 1].from, p->raw.items[second].from)) return false;
    diag_add(p->d, "E0104", at_token(p, second), "'{' stands twice, and one of them is never closed");
    return true;
}

/* The end of the text, for what is missing there: the line behind the last token, if the brace was not opened on that token's line. */
static uint32_t end_for(const parse *p, size_t opened, uint32_t end)
{
    if (one_line(p, p->raw.items[opened].from, end)) return end;
    uint32_t at = end;
    while (at < p->length && p->text[at] != '\n') at++;
    return at < p->length ? at + 1 : end;
}

/* A `}` that begins its line has no `{`. On a line between it and the one that opened at its indent, a `}` more may stand than the line opens: there
 * the `{` is missing. Gives where that `}` stands, or `raw`. */
static size_t misplaced_closer(const parse *p, size_t raw)
{
    if (!raw || !is_line_end(p, raw - 1)) return raw;
    size_t last = raw;
    int balance = 0;
    for (size_t i = raw - 1; i-- > 0;) {
        const int kind = p->raw.items[i].kind;
        if (kind == '}' && balance++ == 0) last = i;
        if (kind == '{') balance--;
        if (i && !is_line_end(p, i - 1)) continue;
        if (balance > 0 && kind != '}') return last;
        if (balance < 0) return raw;
        balance = 0;
    }
    return raw;
}

/* Puts in a closer that the author forgot. */
static void close_virtually(layout *l, size_t raw)
{
    parse *p = l->p;
    opener *o = &l->open[--l->depth];
    uint32_t end = p->list.count ? p->list.items[p->list.count - 1].to : 0;
    char wanted = o->kind == '(' ? ')' : '}';
    bool before_token = raw < p->raw.count && p->raw.items[raw].kind != TOKEN_NEWLINE && p->raw.items[raw].kind != '}';
    if (raw >= p->raw.count && wanted == '}') end = end_for(p, o->raw, end);
    span place = before_token ? at_token(p, raw) : (span){ p->source, end, end };
    if (wanted == '}' && last_kind(p) == TOKEN_NEWLINE)
        p->list.count--;
    if (wanted == '}' && tell_doubled(l, o->raw))
        ;
    else if (wanted == ')' && before_token)
        diag_add(p->d, "E0103", place, "')' is missing before '%.*s'", (int)(place.to - place.from), p->text + place.from);
    else
        diag_add(p->d, wanted == ')' ? "E0103" : "E0104", place, "'%c' is missing%s", wanted,
                 wanted == ')' ? "" : raw < p->raw.count ? " before this line" : " at the end of the file");
    diag_note(p->d, at_token(p, o->raw), "'%c' was opened here", wanted == ')' ? '(' : '{');
    emit(p, wanted, end, end);
}

static void close_brackets(layout *l, size_t raw)
{
    while (l->depth && l->open[l->depth - 1].kind == '(' && l->unclosed[l->open[l->depth - 1].raw])
        close_virtually(l, raw);
}

/* A run of line ends, `;` and comments: raw tokens [raw, next). */
static void lay_line_end(layout *l, size_t raw, size_t next)
{
    parse *p = l->p;
    bool line = true;
    for (size_t i = raw; i < next; i++)
        line = line && (p->raw.items[i].kind == TOKEN_IS_COMMENT || is_line_end(p, i));
    close_brackets(l, raw);
    int top = l->depth ? l->open[l->depth - 1].kind : 0;
    if (last_kind(p) == TOKEN_NEWLINE || last_kind(p) == '{' || next == p->raw.count || p->raw.items[next].kind == '}')
        return;
    if (!line && top == '(') {
        for (size_t i = raw; i < next; i++)
            if (p->text[p->raw.items[i].from] == ';')
                diag_add(p->d, "E0106", at_token(p, i), "';' ends a statement and cannot stand in ( )");
        return;
    }
    if (line && (top == '(' || (unfinished(last_kind(p)) && !breaks_off(last_kind(p), p->raw.items[next].kind))))
        return;
    if (line && top != 'p' && continues(p, next))
        return;
    token end = p->raw.items[raw];
    uint32_t code_end = p->list.count ? p->list.items[p->list.count - 1].to : 0;    /* not behind the comment of its line */
    bool semicolon = p->text[end.from] == ';';
    emit(p, TOKEN_NEWLINE, semicolon ? end.from : code_end, semicolon ? end.to : code_end);
}

static void lay_closer(layout *l, size_t raw)
{
    parse *p = l->p;
    token t = p->raw.items[raw];
    if (t.kind == '}')
        close_brackets(l, raw);
    bool fits = l->depth && (t.kind == ')') == (l->open[l->depth - 1].kind == '(');
    if (!fits) {
        const size_t where = t.kind == '}' ? misplaced_closer(p, raw) : raw;
        diag_add(p->d, "E0103", at_token(p, where), "'%c' without a '%c' before it", t.kind, t.kind == ')' ? '(' : '{');
        return;
    }
    l->depth--;
    emit(p, t.kind, t.from, t.to);
}

static void lay_token(layout *l, size_t raw)
{
    parse *p = l->p;
    token t = p->raw.items[raw];
    if (outside_brackets(t.kind))
        close_brackets(l, raw);
    int top = l->depth ? l->open[l->depth - 1].kind : 0;
    if (t.kind == '|' && first_of_line(p, raw))
        t.kind = TOKEN_BAR;
    else if (t.kind == TOKEN_NAME && raw + 1 < p->raw.count && p->raw.items[raw + 1].kind == '(' && p->raw.items[raw + 1].from == t.to && top != 'p')
        t.kind = TOKEN_FUNCTION;
    if (t.kind == '(' || t.kind == '{')
        l->open[l->depth++] = (opener){ t.kind == '{' && is_picture(p, raw) ? 'p' : t.kind, raw, 0 };
    emit(p, t.kind, t.from, t.to);
}

static void lay_tokens(layout *l)
{
    parse *p = l->p;
    l->depth = 0;
    for (size_t i = 0; i < p->raw.count; i++) {
        int kind = p->raw.items[i].kind;
        for (unsigned n = l->close_before[i]; n && l->depth; n--)
            close_virtually(l, i);
        if (l->close_before[i])
            emit(p, TOKEN_NEWLINE, p->raw.items[i].from, p->raw.items[i].from);
        if (kind == TOKEN_NEWLINE) {
            size_t next = next_token(p, i);
            lay_line_end(l, i, next);
            i = next - 1;
        } else if (kind == ')' || kind == '}')
            lay_closer(l, i);
        else if (kind != TOKEN_IS_COMMENT)
            lay_token(l, i);
    }
    while (l->depth)
        close_virtually(l, p->raw.count);
    if (last_kind(p) == TOKEN_NEWLINE && p->list.count)
        p->list.count--;
}

bool layout_tokens(parse *p)
{
    layout *l = must_have(calloc(1, sizeof *l));
    size_t open_braces = 0;
    l->p = p;
    l->unclosed = must_have(calloc(p->raw.count + 1, sizeof(bool)));
    l->close_before = must_have(calloc(p->raw.count + 1, 1));
    bool fine = match_brackets(l, &open_braces);
    if (fine) {
        place_missing_braces(l, open_braces);
        lay_tokens(l);
    }
    free(l->unclosed);
    free(l->close_before);
    free(l);
    return fine;
}
