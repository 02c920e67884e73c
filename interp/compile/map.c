/* Map files: cells with their numbers, groups and borders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compile.h"

bool map_read(compiler *c, const char *path, span at)
{
    diag_add(c->d, "E0351", at, "map '%s' cannot be read yet", path);
    return false;
}
