/* Any bytes as a text: parsed; if it has no faults, the one layout is stable and says the same. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "grammar/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    diagnostics *d = diag_new();
    tree *t = tree_parse("fuzz.joc", (const char *)data, size, d);
    assert(t && t->root);
    free(diag_text(d, size % 2));
    const size_t errors = d->errors;
    tree_free(t);
    for (int brackets = 0; brackets < 2; brackets++) {
        char *once = format_text("fuzz.joc", (const char *)data, size, brackets, d);
        assert(!once == (errors > 0));
        if (!once) continue;
        char *twice = format_text("fuzz.joc", once, strlen(once), brackets, d);
        assert(twice && !strcmp(once, twice));
        free(once), free(twice);
    }
    diag_free(d);
    return 0;
}
