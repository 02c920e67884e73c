/* One expression, action or declaration as text, on one line: for messages and for telling what differs. Written from the tree, with the brackets that stood in the text and no
 * others, but for braces round an action that would otherwise read differently. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"

typedef struct { char *text; size_t length, capacity; } buffer;

static void put(buffer *b, const char *text)
{
    size_t length = strlen(text);
    if (b->length + length + 1 > b->capacity) {
        b->capacity = 2 * (b->length + length) + 64;
        b->text = must_have(realloc(b->text, b->capacity));
    }
    memcpy(b->text + b->length, text, length + 1);
    b->length += length;
}

/* How a node is written: `%0` ... `%9` its children (nothing for one that is not there), `%t` its text, `%m` its second word, `%*` all its
 * children with the separator that follows in [ ], `%+` all but the first so, `%b0` a child in braces, `%o` its second word behind `of`,
 * `%f` its flags, `%q` its text in quotes. `<...>` is written only if the child named first in it is
 * there. Row by row the node kinds. */
static const struct { node_kind kind; const char *form; } forms[] = {
    { NODE_A_NOTHING, "{ }" }, { NODE_A_CHOICE, "%*[ | ]" }, { NODE_A_ELSE, "%0 else %1" }, { NODE_A_IF, "if %0 %b1< else %b2>" },
    { NODE_A_LOOP, "%b0%t< until %1>" }, { NODE_A_EACH, "each %r%t in %0 %b1" }, { NODE_A_BY, "by %0 %b1" }, { NODE_A_PICK, "pick %r%t in %0" },
    { NODE_A_ROLL, "roll %0" }, { NODE_A_AGAIN, "again" }, { NODE_A_PASS, "pass" }, { NODE_A_COMMIT, "commit" }, { NODE_A_WHEN, "%lwhen %0" },
    { NODE_A_ILLEGAL, "%lillegal< when %0>" }, { NODE_A_PREFER, "%lprefer %0" }, { NODE_A_RESULT, "%t< %0>< when %1>" },
    { NODE_A_STEP, "step< %0>< over %1>< to %2>" }, { NODE_A_SLIDE, "slide< %0> to %1" }, { NODE_A_DROP, "drop %0 to %1" }, { NODE_OVER, "%*[, ]" },
    { NODE_A_TAKE, "take %0" }, { NODE_A_PLACE, "place %0 on %1" }, { NODE_A_SEND, "send %0 %t %1" }, { NODE_A_BECOMES, "%0 becomes %1" },
    { NODE_A_SEEN, "%0 becomes seen by %1" }, { NODE_A_SET, "%0 %t %1" }, { NODE_A_LET, "let %t = %0" }, { NODE_A_DO, "%0" }, { NODE_A_WRITTEN, "written %*[ ]" }, { NODE_ALONG, "(%0 along %1)" }, { NODE_A_RANK, "\"%t\"" },
    { NODE_E_NAME, "%t" }, { NODE_E_NUMBER, "%t" }, { NODE_E_TEXT, "\"%t\"" }, { NODE_E_RANGE, "%0..%1" }, { NODE_E_ROW, "%*[ ]" }, { NODE_E_NOT, "not %0" },
    { NODE_E_OF, "%0 of %1" }, { NODE_E_FROM, "%0 from %1" }, { NODE_E_OR, "%*[ or ]" }, { NODE_E_AND, "%*[ and ]" }, { NODE_E_WHERE, "%0 where %1" },
    { NODE_E_COMPARE, "%0 %t %1" }, { NODE_E_IN, "%0 in %1" }, { NODE_E_ARITH, "%0 %t %1" }, { NODE_E_MINUS, "-%0" }, { NODE_E_COUNT, "count %0" },
    { NODE_E_ANY, "any %0" }, { NODE_E_NO, "no %0" }, { NODE_E_WHEN, "%0 when %1< else %2>" }, { NODE_E_CAN, "can %t" }, { NODE_E_ALWAYS, "always %0" },
    { NODE_E_REACH, "reach %0 through %1< along %2>" }, { NODE_E_LINE, "line< %0> of %1< from %2>< to %3>< along %4>" }, { NODE_E_TOP, "%t %0 of %1" },
    { NODE_E_CALL, "%t(%*[, ])" }, { NODE_I_END, "%l%t< %0> when %1" }, { NODE_I_RULE, "%t<(%0)>: %1" }, { NODE_I_LET, "let %t%o<(%0)> = %1" }, { NODE_BROKEN, "..." },
    { NODE_I_PLAYERS, "players< %0 of> %+[, ]" }, { NODE_PLAYER, "%t%m" }, { NODE_I_BOARD, "board %t< %0>< by %1>< without %2>< joined %3>< { %4 }>" },
    { NODE_PICTURE, "%*[; ]" }, { NODE_PICTURE_ROW, "%*[ ]" }, { NODE_PIXEL, "%t" }, { NODE_NAMING, "%0%q" }, { NODE_KINDS, "%*[, ]" }, { NODE_KIND, "%t< %0>%m" },
    { NODE_SEEN, "seen by %t" }, { NODE_I_ZONE, "zone %t%o< %0>" }, { NODE_I_STACK, "stack %0%o on %1" }, { NODE_I_KEEP, "keep %t%o%f< %0>< = %1>< %2>" },
    { NODE_PARAMS, "%*[, ]" }, { NODE_I_TRACK, "track %t%o = %*[, ]" }, { NODE_I_DICE, "dice %t = %*[, ]" }, { NODE_VALUES, "%*[, ]" },
    { NODE_I_OPTION, "option %t = %0< in %1>< when %3>" }, { NODE_I_PRESET, "preset %t { %+[; ] }" }, { NODE_T_OPTION, "%t = %0" }, { NODE_I_SETUP, "setup %b0" },
    { NODE_I_TURN, "turn %b0" }, { NODE_I_SCORE, "score %0" }, { NODE_I_ABOUT, "about %b0" }, { NODE_I_MARK, "mark \"%t\"%q on %0< %1>" }, { NODE_I_GAPS, "mark \"%t\"%q without %0< %1>" },
};

static void print(buffer *b, const node *n);

static void print_all(buffer *b, const node *n, int first, const char *separator, size_t length)
{
    char between[8] = "";
    memcpy(between, separator, length < sizeof between ? length : sizeof between - 1);
    for (int i = first; i < n->count; i++) {
        if (i > first)
            put(b, between);
        print(b, n->kids[i]);
    }
}

/* A child in the braces of its form, whatever its own. */
static void print_braced(buffer *b, const node *n)
{
    if (n->kind == NODE_A_NOTHING && !(n->flags & FLAG_BRACES)) {
        put(b, "{ }");
        return;
    }
    put(b, "{ ");
    print(b, n);
    put(b, " }");
}

static const node *child(const node *n, char digit)
{
    int i = digit - '0';
    return i >= 0 && i < n->count ? n->kids[i] : NULL;
}

/* Writes one `%` of a form; gives the place behind it. */
static const char *print_part(buffer *b, const node *n, const char *form)
{
    const char *end;
    switch (*form) {
    case 't':
        put(b, n->text ? n->text : "");
        return form + 1;
    case 'r':
        put(b, n->flags & FLAG_RANDOM ? "random " : "");
        return form + 1;
    case 'l':
        put(b, n->more ? n->more : "");
        put(b, n->more ? ": " : "");
        return form + 1;
    case 'b':
        if (child(n, form[1]))
            print_braced(b, child(n, form[1]));
        return form + 2;
    case '*': case '+':
        end = strchr(form, ']');
        print_all(b, n, *form == '+', form + 2, (size_t)(end - form) - 2);
        return end + 1;
    case 'm': case 'o':
        put(b, n->more ? *form == 'o' ? " of " : " " : "");
        put(b, n->more ? n->more : "");
        return form + 1;
    case 'f':
        put(b, n->flags & FLAG_TURN ? " of turn" : "");
        put(b, n->flags & FLAG_ASIDE ? " aside" : "");
        put(b, n->kids[0] && n->kids[0]->flags & FLAG_IN ? " in" : "");
        return form + 1;
    case 'q':
        put(b, n->text ? " \"" : "");
        put(b, n->text ? n->text : "");
        put(b, n->text ? "\"" : "");
        return form + 1;
    default:
        print(b, child(n, *form));
        return form + 1;
    }
}

static void print_form(buffer *b, const node *n, const char *form)
{
    for (char one[2] = ""; *form; ) {
        if (*form == '<') {
            const char *named = strchr(form, '%') + 1;
            if (*named == 'b')
                named++;
            form = child(n, *named) ? form + 1 : strchr(form, '>') + 1;
        } else if (*form == '%')
            form = print_part(b, n, form + 1);
        else {
            one[0] = *form++;
            put(b, one[0] == '>' ? "" : one);
        }
    }
}

static void print(buffer *b, const node *n)
{
    if (!n)
        return;
    bool braces = (n->flags & FLAG_BRACES) && n->kind != NODE_A_NOTHING;
    put(b, braces ? "{ " : n->flags & FLAG_BRACKETS ? "(" : "");
    if (n->kind == NODE_A_SEQUENCE)
        print_all(b, n, 0, n->flags & FLAG_LINES ? "; " : ", ", 2);
    else if (n->kind == NODE_PATTERN) {
        print(b, n->kids[0]);
        put(b, *n->text == '1' ? "" : n->text);
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].kind == n->kind)
            print_form(b, n, forms[i].form);
    for (int i = 5; n->kind == NODE_I_BOARD && i < n->count; i++) {
        put(b, i == 5 ? " named " : ", ");
        print(b, n->kids[i]);
    }
    put(b, braces ? " }" : n->flags & FLAG_BRACKETS ? ")" : "");
}

char *node_print(const node *n)
{
    buffer b = { 0 };
    put(&b, "");
    print(&b, n);
    return b.text;
}
