/* Where in the text a token stands: in which statement, among which kind of statements; and where to go on behind a faulty one. All of it
 * from the tokens alone, so that it holds for texts with faults, too. */
#include <ctype.h>
#include <string.h>
#include "parse.h"
#include "joc.tab.h"

int kind_at(const parse *p, size_t i)
{
    return i < p->list.count ? p->list.items[i].kind : TOKEN_END_OF_FILE;
}

/* The first token of the statement in which token `at` stands; one far before it, if the statement is monstrous. */
size_t statement_start(const parse *p, size_t at)
{
    enum { FAR = 4096 };
    int depth = 0;
    for (int steps = 0; at > 0 && steps < FAR; steps++) {
        int kind = kind_at(p, at - 1);
        if (depth == 0 && (kind == TOKEN_NEWLINE || kind == '{'))
            break;
        depth += (kind == '}') - (kind == '{');
        at--;
    }
    return at;
}

static size_t matching_brace(const parse *p, size_t open)
{
    int depth = 0;
    for (; open < p->list.count; open++) {
        depth += (kind_at(p, open) == '{') - (kind_at(p, open) == '}');
        if (depth == 0)
            break;
    }
    return open;
}

const char *nearest_starter(const char *word, char level)
{
    const char *words[96];
    size_t count = 0;
    #define WORD(text, token, starts) if (strchr(starts, level)) words[count++] = text;
    #include "keywords.def"
    #undef WORD
    return nearest_word(word, words, count);
}

bool begins(int kind, char level)
{
    static const struct { int token; const char *starts; } table[] = {
        #define WORD(text, token, starts) { TOKEN_##token, starts },
        #include "keywords.def"
        #undef WORD
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].token == kind)
            return strchr(table[i].starts, level) != NULL;
    return false;
}

/* What a block holds, by the statement that opens it. */
static surroundings inside(const parse *p, size_t brace)
{
    size_t start = statement_start(p, brace);
    int kind = kind_at(p, start);
    if (kind == TOKEN_REPLACE)
        kind = kind_at(p, start + 1);
    if (kind == TOKEN_NAME && kind_at(p, start + 1) != ':') {
        token t = p->list.items[start];
        char word[32] = "";
        memcpy(word, p->text + t.from, t.to - t.from < sizeof word ? t.to - t.from : sizeof word - 1);
        for (char *c = word; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        const char *meant = keyword_token(word, strlen(word)) ? word : nearest_starter(word, 'i');
        kind = meant ? keyword_token(meant, strlen(meant)) : kind;
    }
    return kind == TOKEN_PIECE ? AMONG_RULES : kind == TOKEN_TEST ? AMONG_CHECKS : kind == TOKEN_BOARD ? AMONG_ROWS : kind == TOKEN_PRESET ? AMONG_SETTINGS : AMONG_ACTIONS;
}

surroundings around(const parse *p, size_t start)
{
    if (start == 0)
        return AMONG_ITEMS;
    int depth = 0;
    for (size_t i = start; i-- > 0;) {
        depth += (kind_at(p, i) == '}') - (kind_at(p, i) == '{');
        if (depth < 0)
            return inside(p, i);
    }
    return AMONG_ITEMS;
}

bool behind_rule(const parse *p, size_t start)
{
    while (start > 0 && kind_at(p, start - 1) == TOKEN_NEWLINE)
        start--;
    if (start == 0 || kind_at(p, start - 1) == '{' || kind_at(p, start - 1) == '}')
        return false;
    size_t i = statement_start(p, start - 1);
    if (kind_at(p, i) != TOKEN_NAME && kind_at(p, i) != TOKEN_FUNCTION)
        return false;
    for (i++; i < start && kind_at(p, i) != ':' && kind_at(p, i - 1) != ')'; i++)
        if (kind_at(p, i - 1) == TOKEN_NAME && kind_at(p, i) != ',' && kind_at(p, i) != ')')
            return false;
    return i < start && kind_at(p, i) == ':';
}

bool holds_count(const parse *p, size_t open)
{
    size_t i = open + 1;
    for (int kind = kind_at(p, i); kind == TOKEN_NUMBER || kind == TOKEN_DOTS || kind == ','; kind = kind_at(p, i))
        i++;
    return kind_at(p, open) == '{' && i > open + 1 && kind_at(p, i) == '}';
}

/* ---- going on behind a fault ---- */

int pass_over(parse *p)
{
    while (p->next < p->list.count) {
        token *t = &p->list.items[p->next];
        if (t->kind == TOKEN_NEWLINE || t->kind == '}')
            break;
        if (t->kind != '{') {
            p->next++;
            continue;
        }
        size_t end = matching_brace(p, p->next);
        surroundings within = inside(p, p->next);
        if (!holds_count(p, p->next) && within != AMONG_ROWS && within != AMONG_SETTINGS && end < p->list.count) {
            p->list.items[end].broken = true;
            p->passing = false;
            return within == AMONG_RULES ? TOKEN_THEN_RULES : within == AMONG_CHECKS ? TOKEN_THEN_CHECKS : TOKEN_THEN_LINES;
        }
        p->next = end + 1;
    }
    p->passing = false;
    return 0;
}
