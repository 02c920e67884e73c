/* What is said when a token does not fit: in an author's words, with the common slips named.
 *
 * A `slip` is what is known at that moment: the token found, the tokens the grammar would have taken, the first token of the statement
 * and of its part (behind the last comma, `|` or `else`), and what kind of statements stand around. The slips an author makes are looked
 * for one after the other, the surest first; each `slip_...` says its message and is true, or is false. The last one always speaks. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "parse.h"
#include "joc.tab.h"

typedef struct {
    parse *p;
    const int *expected;
    int count;
    size_t at, start, part;  /* indices of tokens: found, first of the statement, first of the part */
    surroundings among;
} slip;

/* ---- looking around ---- */

static const char *word_at(const slip *s, size_t i)
{
    return kind_at(s->p, i) == TOKEN_NAME || kind_at(s->p, i) == TOKEN_FUNCTION ? token_text(s->p, s->p->list.items[i]) : NULL;
}

/* The first token of the part of a statement in which token `at` stands: behind a label, a comma, `|`, `else`. */
static size_t part_start(const parse *p, size_t start, size_t at)
{
    size_t part = start;
    int depth = 0;
    for (size_t i = start; i < at; i++) {
        int kind = kind_at(p, i);
        depth += (kind == '(' || kind == '{') - (kind == ')' || kind == '}');
        if (depth == 0 && (kind == ',' || kind == '|' || kind == TOKEN_BAR || kind == TOKEN_ELSE || kind == ':'))
            part = i + 1;
    }
    return part;
}

static bool wants(const slip *s, int kind)
{
    for (int i = 0; i < s->count; i++)
        if (s->expected[i] == kind)
            return true;
    return false;
}

static int found(const slip *s)
{
    return kind_at(s->p, s->at);
}

static int before(const slip *s)
{
    return s->at ? kind_at(s->p, s->at - 1) : TOKEN_NEWLINE;
}

/* May the statement end before the token found? */
static bool may_end(const slip *s)
{
    return wants(s, TOKEN_NEWLINE) || wants(s, '}') || wants(s, TOKEN_END_OF_FILE);
}

static bool wants_value(const slip *s)
{
    return wants(s, TOKEN_NAME) && wants(s, TOKEN_NUMBER) && wants(s, '(');
}

/* Does an expression end with this token? */
static bool ends_value(int kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == ')';
}

static bool is_keyword(int kind)
{
    return token_word(kind) != NULL;
}

/* Is it a `}` (or the end of the file) at the beginning of a line, found where the line before is unfinished? */
static bool behind_line(const slip *s, size_t i)
{
    parse *p = s->p;
    if (i != s->at || i == 0 || (i < p->list.count && kind_at(p, i) != '}'))
        return false;
    uint32_t from = p->list.items[i - 1].to, to = i < p->list.count ? p->list.items[i].from : (uint32_t)p->length;
    return memchr(p->text + from, '\n', to - from) != NULL;
}

/* A token as a message names it. */
static const char *said(const slip *s, size_t i)
{
    parse *p = s->p;
    if (behind_line(s, i))
        return "the end of the line";
    if (i >= p->list.count)
        return "the end of the file";
    token t = p->list.items[i];
    if (t.from == t.to)
        return "the end of the line";
    if (t.kind == TOKEN_NEWLINE)
        return "';'";
    uint32_t length = t.to - t.from, shown = length > 40 ? 40 : length;
    while (shown < length && ((unsigned char)p->text[t.from + shown] & 0xC0) == 0x80)
        shown--;
    const char *quote = t.kind == TOKEN_STRING ? "" : "'";
    return arena_format(p->tree->arena, "%s%.*s%s%s", quote, (int)shown, p->text + t.from, shown < length ? "..." : "", quote);
}

static span place(const slip *s, size_t i)
{
    if (behind_line(s, i)) {
        uint32_t end = s->p->list.items[i - 1].to;
        return (span){ s->p->source, end, end };
    }
    return token_span(s->p, i);
}

#define SAY(code, where, ...) (diag_add(s->p->d, code, place(s, where), __VA_ARGS__), true)

/* ---- the slips ---- */

/* Words and signs of other languages, and what to write here. */
static const struct { const char *word, *instead; } foreign[] = {
    { "elif", "write 'else if'" }, { "elseif", "write 'else if'" }, { "elsif", "write 'else if'" },
    { "then", "there is no 'then'; the block in { } follows the condition" },
    { "for", "write 'each x in S { ... }'" }, { "foreach", "write 'each x in S { ... }'" },
    { "while", "write '{ ... }* until C'" }, { "repeat", "write '{ ... }+ until C'" }, { "loop", "write '{ ... }*'" },
    { "do", "write '{ ... }+ until C'" }, { "unless", "write 'if not ... { }'" },
    { "var", "write 'let x = ...'" }, { "const", "write 'let x = ...'" }, { "def", "write 'name: ...' for a rule, 'let name = ...' for a value" },
    { "function", "write 'let name(x) = ...'" }, { "func", "write 'let name(x) = ...'" }, { "rule", "write 'name: ...'" },
    { "return", "an expression is its own value; there is no 'return'" }, { "otherwise", "write 'else'" }, { "is", "write '='" }, { "equals", "write '='" },
    { "import", "write 'variant \"title\" of \"game\"'" }, { "include", "write 'variant \"title\" of \"game\"'" },
    { "player", "write 'players'" }, { "pieces", "write 'piece'" }, { "kind", "write 'piece'" },
    { "put", "write 'place K on S'" }, { "remove", "write 'take S'" }, { "capture", "write 'take S'" }, { "choose", "write 'pick x in S'" },
    { "require", "write 'when C'" }, { "forbid", "write 'illegal when C'" },
};

/* Does the file declare a rule of this name? */
static bool names_rule(parse *p, const char *word)
{
    for (size_t i = 0; i + 1 < p->list.count; i++)
        if (kind_at(p, i) == TOKEN_NAME && kind_at(p, i + 1) == ':' && strcmp(token_text(p, p->list.items[i]), word) == 0)
            return true;
    return false;
}

static bool slip_foreign(const slip *s)
{
    size_t looked[] = { s->at, s->at ? s->at - 1 : 0, s->part, s->start };
    for (size_t k = 0; k < 4; k++) {
        const char *word = word_at(s, looked[k]);
        if (!word || looked[k] > s->at || kind_at(s->p, looked[k] + 1) == ':')
            continue;
        for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
            if (strcmp(word, foreign[i].word) == 0 && !names_rule(s->p, word))
                return SAY("E0107", looked[k], "'%s' is no word of the language; %s", word, foreign[i].instead);
    }
    return false;
}

static bool takes_name(int kind)
{
    return kind == TOKEN_LET || kind == TOKEN_OPTION || kind == TOKEN_KEEP || kind == TOKEN_PICK;
}

/* `let end = ...`, `end: ...`, `option x = random`: a word of the language used as a name. */
static bool slip_keyword_as_name(const slip *s)
{
    size_t which = s->at;
    bool naming = is_keyword(found(s)) && wants(s, TOKEN_NAME) && (!wants(s, TOKEN_NUMBER) || before(s) == TOKEN_PLAYERS || s->among == AMONG_ROWS);
    bool choice = is_keyword(found(s)) && kind_at(s->p, s->start) == TOKEN_OPTION && wants_value(s);
    if (naming && s->at == s->start && kind_at(s->p, s->at + 1) != ':' && s->among != AMONG_ROWS)
        naming = false;     /* a statement that may begin with a name, and begins with a word that does not fit */
    if (!naming && !choice && s->at > 0) {
        int sign = found(s), word = before(s);
        bool declares = word == TOKEN_LET || word == TOKEN_OPTION || word == TOKEN_TRACK || word == TOKEN_DICE;
        which = s->at - 1;
        bool signs = sign == ':' || (sign == '=' && !declares) || sign == TOKEN_CHANGE || sign == TOKEN_BECOMES;
        naming = is_keyword(word) && which == s->part && signs;
    }
    if (!naming && !choice)
        return false;
    if ((takes_name(kind_at(s->p, s->start)) || takes_name(kind_at(s->p, s->part))) && s->p->refused_count < (int)(sizeof s->p->refused / sizeof *s->p->refused))
        s->p->refused[s->p->refused_count++] = kind_at(s->p, which);
    return SAY("E0101", which, "%s is a word of the language; choose another name", said(s, which));
}

static char level_of(surroundings among)
{
    return among == AMONG_ITEMS ? 'i' : among == AMONG_CHECKS ? 't' : 'a';
}

static const char *const level_said[] = {
    "no declaration begins with", "no rule begins with", "no check of a test begins with", "", "", "no action begins with"
};

/* A statement whose first word is a misspelt or capitalised word of the language. */
static bool slip_first_word(const slip *s)
{
    size_t first = s->among == AMONG_ACTIONS ? s->part : s->start;
    const char *word = word_at(s, first);
    if (!word || first > s->at || s->among == AMONG_RULES || s->among == AMONG_ROWS || s->among == AMONG_SETTINGS || kind_at(s->p, first + 1) == ':')
        return false;
    if (s->among == AMONG_ACTIONS && (first == s->at || (!is_keyword(found(s)) && found(s) != '{' && found(s) != TOKEN_STRING)))
        return false;
    char lower[64] = "";
    for (size_t i = 0; word[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)word[i]);
    if (strcmp(lower, word) != 0 && keyword_token(lower, strlen(lower)))
        return SAY("E0113", first, "words of the language are lower case: '%s', not '%s'", lower, word);
    const char *near = nearest_starter(word, level_of(s->among));
    if (near)
        return SAY("E0113", first, "%s '%s'; did you mean '%s'?", level_said[s->among], word, near);
    return false;
}

/* A word written with capitals, or misspelt, where just that word fits: `pick x im own`. */
static bool slip_expected_word(const slip *s)
{
    const char *word = word_at(s, s->at), *words[96];
    size_t count = 0;
    if (!word)
        return false;
    for (int i = 0; i < s->count && count < 96; i++)
        if (is_keyword(s->expected[i]))
            words[count++] = token_word(s->expected[i]);
    char lower[64] = "";
    for (size_t i = 0; word[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)word[i]);
    for (size_t i = 0; i < count; i++)
        if (strcmp(lower, words[i]) == 0)
            return SAY("E0113", s->at, "words of the language are lower case: '%s', not '%s'", lower, word);
    const char *near = wants(s, TOKEN_NAME) ? NULL : nearest_word(word, words, count);
    if (near)
        return SAY("E0113", s->at, "'%s' is not expected here; did you mean '%s'?", word, near);
    return false;
}

static const char several_lines[] = "the lines of one rule stand in braces: 'name: { ... }'";

/* What stands in the wrong place: a declaration in a block, an action among declarations. */
static bool slip_place(const slip *s)
{
    int kind = found(s);
    if (s->at != s->start || !is_keyword(kind))
        return false;
    bool item = begins(kind, 'i'), action = begins(kind, 'a'), check = begins(kind, 't');
    if (s->among <= AMONG_RULES && action && behind_rule(s->p, s->start))
        return SAY("E0114", s->at, "%s stands in no rule; %s", said(s, s->at), several_lines);
    switch (s->among) {
    case AMONG_ITEMS:
        if (action)
            return SAY("E0114", s->at, "%s is an action; it stands in a rule, in 'setup' or in 'turn'", said(s, s->at));
        if (check)
            return SAY("E0114", s->at, "%s is a check; it stands in a 'test'", said(s, s->at));
        break;
    case AMONG_ACTIONS:
        if (item)
            return SAY("E0114", s->at, "%s declares something; it stands outside all braces", said(s, s->at));
        if (check)
            return SAY("E0114", s->at, "%s is a check; it stands in a 'test'", said(s, s->at));
        break;
    case AMONG_RULES:
        return SAY("E0114", s->at, "a piece holds rules, 'name: action'; found %s", said(s, s->at));
    case AMONG_CHECKS:
        return SAY("E0114", s->at, "a test holds 'turn P { }', 'after', 'legal', 'illegal', 'option', 'preset' and 'expect'; found %s", said(s, s->at));
    case AMONG_SETTINGS:
        return SAY("E0114", s->at, "a preset holds settings, 'option = value'; found %s", said(s, s->at));
    default:
        break;
    }
    return false;
}

/* Words that must follow another one, with the form they belong to. */
static const struct { int head, wanted; const char *form; } must_follow[] = {
    { TOKEN_PLACE, TOKEN_ON, "place K on S" }, { TOKEN_DROP, TOKEN_TO, "drop K to S" }, { TOKEN_SLIDE, TOKEN_TO, "slide R to S" },
    { TOKEN_SEND, TOKEN_TO, "send S to T" }, { TOKEN_PICK, TOKEN_IN, "pick x in S" }, { TOKEN_EACH, TOKEN_IN, "each x in S { }" },
    { TOKEN_STACK, TOKEN_ON, "stack N on S" }, { TOKEN_VARIANT, TOKEN_OF, "variant \"title\" of \"game\"" }, { TOKEN_SEEN, TOKEN_BY, "seen by P" },
    { TOKEN_REACH, TOKEN_THROUGH, "reach S through T" }, { TOKEN_LINE, TOKEN_OF, "line n of S" }, { TOKEN_TOP, TOKEN_OF, "top n of S" }, { TOKEN_BOTTOM, TOKEN_OF, "bottom n of S" },
    { TOKEN_FROM, TOKEN_TO, "line of S from A to B" }, { TOKEN_WIN, TOKEN_WHEN, "win when C" }, { TOKEN_LOSE, TOKEN_WHEN, "lose when C" },
    { TOKEN_DRAW, TOKEN_WHEN, "draw when C" }, { TOKEN_END, TOKEN_WHEN, "end when C" }, { TOKEN_ILLEGAL, TOKEN_WHEN, "illegal when C" },
    { TOKEN_PLAYERS, TOKEN_OF, "players 2..4 of A, B, C, D" }, { TOKEN_ANY, TOKEN_ON, "stack N of any on S" },
};

/* A word between two tokens that is nearly the one that is wanted: `place Man ON a1`. */
static bool slip_nearly(const slip *s, size_t from, const char *wanted)
{
    for (size_t i = from; i < s->at; i++) {
        const char *word = word_at(s, i);
        if (!word || !(strcasecmp(word, wanted) == 0 || nearest_word(word, &wanted, 1)))
            continue;
        return SAY("E0113", i, "'%s' is wanted here, found '%s'", wanted, word);
    }
    return false;
}

/* Small words of other languages, where 'on', 'to' or 'in' is wanted. */
static bool small_word(const char *word)
{
    static const char *const small[] = { "at", "into", "onto", "upon", "towards", "inside" };
    for (size_t i = 0; word && i < sizeof small / sizeof *small; i++)
        if (strcmp(word, small[i]) == 0)
            return true;
    return false;
}

/* `place Man in hand`, `place Man at a1`: another small word stands where one is wanted. */
static bool slip_other_word(const slip *s, size_t from, const char *wanted, const char *form)
{
    int depth = 0;
    for (size_t i = from; i < s->at; i++) {
        int kind = kind_at(s->p, i);
        depth += (kind == '(') - (kind == ')');
        if (depth == 0 && ((kind == TOKEN_IN && strcmp(wanted, "in") != 0) || small_word(word_at(s, i))))
            return SAY("E0111", i, "write '%s' instead of %s: %s", wanted, said(s, i), form);
    }
    return false;
}

static bool slip_word_missing(const slip *s)
{
    if (may_end(s))
        return false;
    for (size_t i = s->at; i-- > s->start;)
        for (size_t k = 0; k < sizeof must_follow / sizeof *must_follow; k++) {
            if (kind_at(s->p, i) != must_follow[k].head || !wants(s, must_follow[k].wanted))
                continue;
            const char *wanted = token_word(must_follow[k].wanted);
            return slip_nearly(s, i + 1, wanted) || slip_other_word(s, i + 1, wanted, must_follow[k].form) || SAY("E0111", s->at, "'%s' is missing before %s: %s", wanted, said(s, s->at), must_follow[k].form);
        }
    return false;
}

/* The open `(` before the token found, if a name and a space stand before it; else the token itself. */
static size_t spaced_call(const slip *s)
{
    int depth = 0;
    for (size_t i = s->at; i-- > s->start;) {
        depth += (kind_at(s->p, i) == ')') - (kind_at(s->p, i) == '(');
        if (depth < 0)
            return i > 0 && kind_at(s->p, i - 1) == TOKEN_NAME ? i : s->at;
    }
    return s->at;
}

/* `:` `=` `{` `,` that are missing. */
static bool slip_sign_missing(const slip *s)
{
    int head = kind_at(s->p, s->start), kind = found(s);
    if (kind == '(' && before(s) == TOKEN_NAME && (wants(s, '=') || wants(s, ':')) && !wants(s, TOKEN_NUMBER))
        return SAY("E0112", s->at, "no space may stand between a name and the '(' of its parameters");
    if (s->among == AMONG_SETTINGS && kind == ',' && may_end(s))
        return SAY("E0112", s->at, "the settings of a preset stand on lines of their own, or ';' between them");
    if (kind == ',' && wants(s, ')') && spaced_call(s) < s->at)
        return SAY("E0112", spaced_call(s), "no space may stand between a name and the '(' of a call");
    if (s->among <= AMONG_RULES && s->at == s->start + 1 && before(s) == TOKEN_NAME && wants(s, ':')) {
        if (kind == '=')
            return SAY("E0112", s->at, "a rule is written '%s: action', a named expression 'let %s = ...'",
                       word_at(s, s->start), word_at(s, s->start));
        if (behind_rule(s->p, s->start) && (kind == TOKEN_OF || kind == TOKEN_BECOMES))
            return SAY("E0114", s->start, "%s stands in no rule; %s", said(s, s->start), several_lines);
        if (kind == '{' || is_keyword(kind))
            return SAY("E0112", s->at, "':' is missing after the rule's name %s", said(s, s->start));
        if (s->among == AMONG_ITEMS)
            return SAY("E0113", s->start, "no declaration begins with %s; one begins with a word such as 'piece', 'let' or 'turn', "
                       "or is a rule, 'name: action'", said(s, s->start));
        return SAY("E0112", s->at, "':' is missing after the rule's name %s", said(s, s->start));
    }
    bool equates = head == TOKEN_LET || head == TOKEN_TRACK || head == TOKEN_DICE || head == TOKEN_OPTION || kind_at(s->p, s->part) == TOKEN_LET;
    if (equates && wants(s, '=') && !may_end(s) && !wants(s, ')'))
        return SAY("E0112", s->at, "'=' is missing before %s", said(s, s->at));
    if (wants(s, '{') && !may_end(s) && !wants(s, TOKEN_STRING))
        return SAY("E0112", s->at, "'{' is missing before %s", said(s, s->at));
    if ((head == TOKEN_PIECE || head == TOKEN_PLAYERS) && kind == TOKEN_NAME && wants(s, ','))
        return SAY("E0112", s->at, "',' is missing before %s", said(s, s->at));
    return false;
}

/* What follows a word that takes one thing only. */
static const struct { int word; const char *wanted; } takes_one[] = {
    { TOKEN_BOARD, "a shape (square, cylinder, torus, hex, hexagon, star, strip, drawn or map)" },
    { TOKEN_REPLACE, "a declaration, such as 'let x = ...' or 'turn { }'," },
    { TOKEN_WITHOUT, "the name of a rule or label, or 'win', 'lose', 'draw', 'end', 'illegal'," },
};

static bool slip_takes_one(const slip *s)
{
    for (size_t i = 0; i < sizeof takes_one / sizeof *takes_one; i++)
        if (before(s) == takes_one[i].word && !wants(s, TOKEN_NUMBER))
            return SAY("E0102", s->at, "expected %s after '%s', found %s", takes_one[i].wanted, token_word(takes_one[i].word), said(s, s->at));
    return false;
}

/* A label before something that has none: `walk: step ...` in a block. */
static bool slip_label(const slip *s)
{
    if (before(s) != ':' || !wants(s, TOKEN_WHEN) || !wants(s, TOKEN_ILLEGAL) || wants(s, TOKEN_NAME))
        return false;
    return SAY("E0123", s->at, "in a block a label stands before 'when', 'illegal when' and 'prefer' only; rules are declared outside of blocks");
}

/* `step to empty when C`: the condition goes first. `let x = A when C`: it stands in brackets. */
static bool slip_condition_behind(const slip *s)
{
    if ((found(s) != TOKEN_WHEN && found(s) != TOKEN_IF) || s->at == s->part)
        return false;
    int head = kind_at(s->p, s->start);
    if (head == TOKEN_OPTION && before(s) == TOKEN_STRING)
        return SAY("E0124", s->at, "what an option needs stands before its meaning: option x = v when C \"meaning\"");
    if (wants(s, ')') || (may_end(s) && (head == TOKEN_LET || head == TOKEN_SCORE || head == TOKEN_EXPECT)))
        return SAY("E0124", s->at, "a choice by condition is written in brackets: (A when C else B)");
    if (!may_end(s) || head == TOKEN_GAME)
        return false;
    return SAY("E0124", s->at, "a condition stands before what it allows: 'when C, ...'");
}

/* `1 < x < 5`, `a in b in c`. */
static bool slip_chain(const slip *s)
{
    int kind = found(s);
    if ((kind != TOKEN_COMPARE && kind != '=' && kind != TOKEN_IN && kind != TOKEN_FROM) || wants(s, kind) || !ends_value(before(s)))
        return false;
    for (size_t i = s->at; i-- > s->part;) {
        int other = kind_at(s->p, i);
        if (other == TOKEN_IN && i > s->part + 1 && kind_at(s->p, i - 2) == TOKEN_COUNT && i + 2 == s->at)
            return SAY("E0125", i, "'count' counts one set, its words side by side: 'count (%s %s)'", token_text(s->p, s->p->list.items[i - 1]), token_text(s->p, s->p->list.items[i + 1]));
        if (other == TOKEN_COMPARE || other == '=' || (other == TOKEN_IN && i > s->part + 2) || other == TOKEN_FROM)
            return SAY("E0125", s->at, "%s %s in one question; join two questions with 'and', or use brackets", kind == other ? "a second" : "one more sign,", said(s, s->at));
        if (other == TOKEN_AND || other == TOKEN_OR || other == '(' || other == TOKEN_WHEN)
            break;
    }
    return false;
}

/* `x not in S`, `own on S`: a question asked in another order, or with another word. */
static bool slip_question(const slip *s)
{
    if (found(s) == TOKEN_IN && before(s) == TOKEN_NOT && s->at > 1 && ends_value(kind_at(s->p, s->at - 2)))
        return SAY("E0102", s->at - 1, "'not' stands before the whole question: 'not x in S'");
    if (found(s) == TOKEN_ON && ends_value(before(s)) && !wants(s, TOKEN_ON))
        return SAY("E0102", s->at, "where something stands is asked with 'in': 'x in S'");
    return false;
}

/* `walk or jump`, `step to empty and take passed`: actions joined as if they were questions. */
static bool slip_joined_actions(const slip *s)
{
    static const char said_of_it[] = "actions are joined by ',' (one, then the other) or '|' (a choice), not by %s";
    int joint = before(s);
    if (s->among != AMONG_ACTIONS && s->among != AMONG_RULES && s->among != AMONG_ITEMS)
        return false;
    if ((joint == TOKEN_AND || joint == TOKEN_OR) && begins(found(s), 'a') && found(s) != TOKEN_NAME)
        return SAY("E0115", s->at - 1, said_of_it, said(s, s->at - 1));
    if (!wants(s, TOKEN_BECOMES) || s->at < s->part + 3)
        return false;
    for (size_t i = s->part; i < s->at; i++) {
        int kind = kind_at(s->p, i);
        if ((i - s->part) % 2 == 0 ? kind != TOKEN_NAME : kind != TOKEN_OR && kind != TOKEN_AND)
            return false;
    }
    for (size_t i = s->part; i < s->at; i += 2)
        if (!names_rule(s->p, word_at(s, i)))
            return false;
    return SAY("E0115", s->part + 1, said_of_it, said(s, s->part + 1));
}

/* Words that declare something, and what the thing itself is called in an expression. */
static const struct { int word; const char *instead; } declaring[] = {
    { TOKEN_PLAYERS, "the players are 'everyone'" }, { TOKEN_BOARD, "the cells of the board are 'cells'" },
    { TOKEN_PIECE, "cells with a piece are 'occupied'" }, { TOKEN_TURN, "the number of turns completed is 'turns'" },
    { TOKEN_STACK, "how many pieces a cell holds is its 'height'" },
};

static bool slip_declaring_word(const slip *s)
{
    if (found(s) == TOKEN_PLAYERS && before(s) == TOKEN_OF && wants(s, TOKEN_NAME) && s->at > s->start + 1)
        return SAY("E0102", s->at, "each player has one of these: 'of player'");
    for (size_t i = 0; i < sizeof declaring / sizeof *declaring; i++)
        if (found(s) == declaring[i].word && s->at > s->start && wants_value(s) && !ends_value(before(s)))
            return SAY("E0102", s->at, "%s cannot stand in an expression; %s", said(s, s->at), declaring[i].instead);
    return false;
}

/* `a1-a2` in a test. */
static bool slip_bare_move(const slip *s)
{
    int kind = found(s);
    if (s->among != AMONG_CHECKS || s->at != s->start || (kind != TOKEN_NAME && kind != TOKEN_NUMBER && kind != TOKEN_STRING))
        return false;
    return SAY("E0102", s->at, "%s is no check; a move stands in quotes behind 'after', 'legal' or 'illegal'", said(s, s->at));
}

/* `walk*`: only what stands in braces is repeated. */
static bool slip_repetition(const slip *s)
{
    int kind = found(s);
    if ((kind != '*' && kind != '+' && kind != '?') || s->among == AMONG_ROWS)
        return false;
    int next = kind_at(s->p, s->at + 1);
    if (!ends_value(before(s)) || ends_value(next) || next == '(' || next == TOKEN_FUNCTION)
        return false;
    if (kind == '?' || word_at(s, s->part) || kind_at(s->p, s->part) == TOKEN_FUNCTION)
        return SAY("E0126", s->at, "what is repeated stands in braces: { ... }%c", kind);
    return false;
}

/* `{ step }{1..2}`, `slide{3}`: how often is not said by numbers. */
static bool slip_count(const slip *s)
{
    if (found(s) != '{' || !holds_count(s->p, s->at))
        return false;
    if (before(s) == TOKEN_STEP || before(s) == TOKEN_SLIDE)
        return SAY("E0126", s->at, "how far a leg goes at most is said by what it passes: 'step R over empty?, empty? to S' goes 1 to 3 cells");
    return SAY("E0126", s->at, "how often is not said by numbers: { A }? is once or not, { A }* any number of times, { A, { A }? }? twice at most");
}

/* `1..count own`: what is counted stands in brackets. */
static bool slip_range_end(const slip *s)
{
    if (before(s) != TOKEN_DOTS || found(s) != TOKEN_COUNT)
        return false;
    return SAY("E0102", s->at, "what is counted stands in brackets behind '..': '%s..(count ...)'", token_text(s->p, s->p->list.items[s->at >= 2 ? s->at - 2 : 0]));
}

/* `stack 2 * n on S`, `send top n - 1 of x to y`: a number said by more than one word stands in brackets. */
static bool slip_sum(const slip *s)
{
    const int kind = found(s), head = s->at > s->start + 1 ? kind_at(s->p, s->at - 2) : 0;
    if ((kind != '+' && kind != '-' && kind != '*' && kind != '/' && kind != '%') || (head != TOKEN_STACK && head != TOKEN_TOP && head != TOKEN_BOTTOM))
        return false;
    return SAY("E0102", s->at - 1, "how many stands in brackets here: '%s (%s %s ...)'", token_word(head), token_text(s->p, s->p->list.items[s->at - 1]), (char[]){ (char)kind, 0 });
}

/* `keep built of player of cell`. */
static bool slip_keep_of_two(const slip *s)
{
    if (kind_at(s->p, s->start) != TOKEN_KEEP || before(s) != TOKEN_OF || s->at < s->start + 5 || kind_at(s->p, s->at - 3) != TOKEN_OF)
        return false;
    return SAY("E0102", s->at, "a keep is of one thing; for a number of each player on each cell, give each player cells of his own (a row of the board, say) or put pieces of his there");
}

/* `keep last in cells of turn`. */
static bool slip_keep_of_late(const slip *s)
{
    if (kind_at(s->p, s->start) != TOKEN_KEEP || before(s) != TOKEN_OF || found(s) != TOKEN_TURN || s->at <= s->start + 3)
        return false;
    return SAY("E0102", s->at, "what a keep is of stands behind its name: 'keep %s of turn ...'", token_text(s->p, s->p->list.items[s->start + 1]));
}

/* `board ... joined orthogonal, diagonal`. */
static bool slip_joined_list(const slip *s)
{
    size_t i = s->at;
    if (found(s) != ',' || kind_at(s->p, s->start) != TOKEN_BOARD)
        return false;
    while (i > s->start && kind_at(s->p, i) != TOKEN_JOINED && kind_at(s->p, i) != TOKEN_WITHOUT && kind_at(s->p, i) != TOKEN_NAMED)
        i--;
    if (kind_at(s->p, i) == TOKEN_NAMED || i == s->start)
        return false;
    return SAY("E0115", s->at, "%s takes one %s: put 'or' between", said(s, i), kind_at(s->p, i) == TOKEN_JOINED ? "relation" : "set");
}

/* `-ring of -ring of x`, `any -ahead of own`: where one term is wanted, what `-` turns round stands in brackets. */
static bool slip_minus(const slip *s)
{
    if (found(s) != '-' || !wants_value(s) || ends_value(before(s)) || kind_at(s->p, s->at + 1) == TOKEN_NUMBER || s->at == s->start || wants(s, '-'))
        return false;
    return SAY("E0102", s->at, "what '-' turns round stands in brackets here: '%s (-%s ...)'", token_text(s->p, s->p->list.items[s->at - 1]), token_text(s->p, s->p->list.items[s->at + 1]));
}

/* `own any x`, `own count y`. */
static bool slip_question_in_row(const slip *s)
{
    int kind = found(s);
    if ((kind != TOKEN_ANY && kind != TOKEN_NO && kind != TOKEN_COUNT && kind != TOKEN_ALWAYS) || !ends_value(before(s)))
        return false;
    if (wants(s, TOKEN_WHEN) && !may_end(s) && !wants(s, ')'))
        return false;
    return SAY("E0127", s->at, "%s asks a question and cannot follow %s; put 'and' or 'or' between, or brackets", said(s, s->at), said(s, s->at - 1));
}

/* Words that need something before them. */
static bool slip_nothing_before(const slip *s)
{
    int kind = found(s);
    if (kind == TOKEN_UNTIL)
        return SAY("E0126", s->at, "'until' belongs to a repetition: { ... }+ until C");
    if (kind == TOKEN_ELSE && before(s) == '}' && !may_end(s))
        return false;
    if (kind == TOKEN_ELSE && s->at > s->part)
        return SAY("E0102", s->at, "'else' cannot follow here; in an expression it stands in (A when C else B)");
    if (kind == TOKEN_ELSE || kind == '|' || kind == TOKEN_BAR)
        return SAY("E0102", s->at, "%s has nothing before it", said(s, s->at));
    if (before(s) == TOKEN_ELSE && wants(s, '{') && !wants(s, TOKEN_NAME))
        return SAY("E0112", s->at, "after the 'else' of an 'if' stands '{' or 'if', found %s", said(s, s->at));
    return false;
}

/* A statement that could have ended, and something behind it. */
static bool slip_behind_end(const slip *s)
{
    if (!may_end(s) || s->at == s->start)
        return false;
    int kind = found(s);
    if (begins(kind, level_of(s->among)) || (before(s) == '}' && (kind == TOKEN_NAME || is_keyword(kind))))
        return SAY("E0115", s->at, "%s begins something new; put ';' or a new line before it", said(s, s->at));
    if (kind == ':' && before(s) == TOKEN_NAME)
        return SAY("E0115", s->at - 1, "%s begins something new; put ';' or a new line before it", said(s, s->at - 1));
    if (kind == TOKEN_OR || kind == TOKEN_AND || kind == TOKEN_WHERE)
        return SAY("E0115", s->at, "put brackets round what %s joins", said(s, s->at));
    return SAY("E0115", s->at, "%s cannot follow %s here", said(s, s->at), said(s, s->at - 1));
}

/* ---- what was expected ---- */

typedef struct { char text[256]; size_t length; int count; } listing;

static void list_word(listing *l, const char *text, bool last)
{
    size_t room = sizeof l->text - l->length;
    const char *between = l->count == 0 ? "" : last ? " or " : ", ";
    size_t need = strlen(between) + strlen(text);
    if (need + 1 > room)
        return;
    memcpy(l->text + l->length, between, strlen(between));
    memcpy(l->text + l->length + strlen(between), text, strlen(text) + 1);
    l->length += need;
    l->count++;
}

static const char *kind_said(const slip *s, int kind)
{
    switch (kind) {
    case TOKEN_NAME:     return "a name";
    case TOKEN_FUNCTION: return "a name with parameters";
    case TOKEN_NUMBER:   return "a number";
    case TOKEN_STRING:   return "a text in \"quotes\"";
    case TOKEN_DOTS:     return "'..'";
    case TOKEN_NEWLINE:  return "the end of the line";
    case TOKEN_COMPARE:  return "a comparison";
    case TOKEN_CHANGE:   return "'+='";
    case TOKEN_END_OF_FILE: case TOKEN_BAR: return NULL;
    default:
        break;
    }
    const char *word = token_word(kind);
    return word ? arena_format(s->p->tree->arena, "'%s'", word) : arena_format(s->p->tree->arena, "'%c'", kind);
}

/* Tokens that go on with an expression or begin one: they are named together. */
static bool part_of_value(int kind)
{
    switch (kind) {
    case TOKEN_NAME: case TOKEN_FUNCTION: case TOKEN_NUMBER: case '(': case TOKEN_NOT: case TOKEN_CAN: case TOKEN_REACH: case TOKEN_LINE:
    case TOKEN_TOP: case TOKEN_BOTTOM: case TOKEN_ANY: case TOKEN_NO: case TOKEN_COUNT: case TOKEN_ALWAYS: case '-': case '+': case '*': case '/': case '%':
    case TOKEN_OF: case TOKEN_DOTS: case TOKEN_OR: case TOKEN_AND: case TOKEN_IN: case TOKEN_FROM: case TOKEN_WHERE: case TOKEN_COMPARE: case '=':
    case TOKEN_ALONG:
        return true;
    default:
        return false;
    }
}

static bool slip_any(const slip *s)
{
    enum { MOST = 5 };
    const char *words[MOST + 1];
    int count = 0;
    bool value = wants_value(s);
    if (value && !ends_value(before(s)))
        words[count++] = "a word or a number";
    for (int i = 0; i < s->count && count <= MOST; i++) {
        const char *word = value && part_of_value(s->expected[i]) ? NULL : kind_said(s, s->expected[i]);
        if (word && !(value && !ends_value(before(s)) && count))
            words[count++] = word;
    }
    const char *after = s->at == s->start ? "" : arena_format(s->p->tree->arena, " after %s", said(s, s->at - 1));
    if (count == 0 || count > MOST)
        return SAY("E0102", s->at, "%s is not expected%s", said(s, s->at), *after ? after : " here");
    listing list = { .length = 0 };
    for (int i = 0; i < count; i++)
        list_word(&list, words[i], i + 1 == count);
    return SAY("E0102", s->at, "expected %s%s, found %s", list.text, after, said(s, s->at));
}

static bool (*const slips[])(const slip *) = {
    slip_joined_actions, slip_keep_of_late, slip_declaring_word, slip_keyword_as_name, slip_foreign, slip_place, slip_first_word, slip_expected_word, slip_label,
    slip_keep_of_two, slip_joined_list, slip_takes_one, slip_count, slip_sum, slip_range_end, slip_minus, slip_repetition, slip_condition_behind, slip_chain, slip_question_in_row, slip_word_missing, slip_question, slip_sign_missing,
    slip_nothing_before, slip_bare_move, slip_behind_end, slip_any,
};

/* Has something been said of this very place already (by joc.l, say)? */
static bool said_already(const parse *p)
{
    span at = token_span(p, p->current);
    for (size_t i = 0; i < p->d->count; i++) {
        const message *m = &p->d->messages[i];
        if (m->severity == SEVERITY_ERROR && m->at.source == at.source && m->at.from == at.from && m->at.to == at.to)
            return true;
    }
    return false;
}

/* Does a word that the file has tried to use as a name, asked for under that name, stand here or before it in the statement? */
static bool refused_already(const parse *p)
{
    for (size_t at = statement_start(p, p->current); p->refused_count && at <= p->current; at++)
        for (int i = 0; i < p->refused_count; i++)
            if (kind_at(p, at) == p->refused[i] && !(at > 0 && takes_name(kind_at(p, at - 1))))
                return true;
    return false;
}

void report_slip(parse *p, const int *expected, int count)
{
    if (said_already(p) || refused_already(p))
        return;
    if (p->d->errors >= p->d->limit) {      /* it is only counted */
        diag_add(p->d, "E0102", token_span(p, p->current), "one fault too many");
        return;
    }
    slip s = { .p = p, .expected = expected, .count = count, .at = p->current };
    s.start = statement_start(p, s.at);
    s.part = part_start(p, s.start, s.at);
    s.among = around(p, s.start);
    for (size_t i = 0; i < sizeof slips / sizeof *slips && !slips[i](&s); i++)
        ;
}
