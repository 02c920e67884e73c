/* What is said when a token does not fit: in an author's words, with the common slips named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "parse.h"
#include "joc.tab.h"

/* Where a faulty statement around this token ends: the next line end in its block, the block's end, or the file's. */
static size_t statement_end(const parse *p, size_t at)
{
    int depth = 0;
    for (; at < p->list.count; at++) {
        int kind = p->list.items[at].kind;
        if (depth == 0 && (kind == TOKEN_NEWLINE || kind == '}'))
            break;
        depth += (kind == '{') - (kind == '}');
    }
    return at;
}

static const char *found(parse *p, size_t at)
{
    if (at >= p->list.count)
        return "the end of the file";
    token t = p->list.items[at];
    if (t.kind == TOKEN_NEWLINE)
        return "the end of the line";
    return arena_format(p->tree->arena, "'%.*s'", (int)(t.to - t.from > 40 ? 40 : t.to - t.from), p->text + t.from);
}

void report_slip(parse *p, const int *expected, int count)
{
    (void)expected; (void)count;
    size_t at = p->current;
    p->skip_to = statement_end(p, at);
    diag_add(p->d, "E0102", token_span(p, at), "unexpected %s", found(p, at));
}
