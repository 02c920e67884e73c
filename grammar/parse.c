/* From a text to its tree: the steps one after the other. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"
#include "joc.tab.h"

span token_span(const parse *p, size_t index)
{
    if (index < p->list.count)
        return (span){ p->source, p->list.items[index].from, p->list.items[index].to };
    uint32_t end = p->list.count ? p->list.items[p->list.count - 1].to : 0;
    return (span){ p->source, end, end };
}

const char *token_text(parse *p, token t)
{
    const char *text = p->text + t.from;
    size_t length = t.to - t.from;
    switch (t.kind) {
    case TOKEN_NAME: case TOKEN_FUNCTION:
        return intern_name(p->tree, text, length);
    case TOKEN_STRING:
        text++;
        length -= length > 1 && strchr("\"'", text[length - 2]) ? 2 : 1;
        return intern(p->tree, text, length);
    case TOKEN_COMPARE: case TOKEN_CHANGE: case TOKEN_NUMBER:
        return intern(p->tree, text, length);
    default: {
        const char *word = token_word(t.kind);
        return word ? intern(p->tree, word, strlen(word)) : NULL;
    }
    }
}

/* In a variant, `option x = v` without values or meaning sets an inherited option. */
static void mark_settings(tree *t)
{
    bool variant = false;
    for (int i = 0; i < t->root->count; i++)
        variant = variant || t->root->kids[i]->kind == NODE_I_VARIANT;
    for (int i = 0; i < t->root->count && variant; i++) {
        node *n = t->root->kids[i];
        if (n->kind == NODE_I_OPTION && !n->kids[1] && !n->kids[2] && !n->kids[3])
            n->flags |= FLAG_SETTING;
    }
}

void parse_text(parse *p, const char *path, const char *text, size_t length, diagnostics *d)
{
    *p = (parse){ .tree = tree_new(path), .d = d, .errors_before = d->errors };
    if (tree_check_text(d, path, text, length, &p->source)) {
        p->text = d->sources[p->source].text;
        p->length = length;
        scan_text(p);
        if (layout_tokens(p))
            joc_parse(p);
    }
    if (!p->tree->root)
        p->tree->root = node_alloc(p->tree, NODE_FILE, (span){ p->source, 0, 0 }, NULL, 0);
    mark_settings(p->tree);
    tree_number(p->tree);
}

void parse_end(parse *p)
{
    free(p->raw.items);
    free(p->list.items);
    free(p->depths);
}

tree *tree_parse(const char *path, const char *text, size_t length, diagnostics *d)
{
    parse p;
    parse_text(&p, path, text, length, d);
    parse_end(&p);
    return p.tree;
}
