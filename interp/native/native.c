/* Compiling and loading a game's own machine. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "interp/machine/machine.h"
#include "native.h"

static bool write_file(const char *directory, const char *name, const game *g, void (*writer)(FILE *, const game *))
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    writer(f, g);
    return fclose(f) == 0;
}

const machine *native_open(const game *g)
{
    char directory[] = "/tmp/joc-native-XXXXXX", command[2000];
    if (!mkdtemp(directory)) return NULL;
    if (!write_file(directory, "tables.inc", g, native_tables) || !write_file(directory, "code.inc", g, native_code)) return NULL;
    const char *opt = getenv("JOC_NATIVE_FLAGS");
    snprintf(command, sizeof command, "%s -DJOC_NATIVE -DWORDS=%d -DNDEBUG -D_GNU_SOURCE -std=c11 -I. -I%s -fPIC -shared -w -o %s/native.so interp/machine/vm.c interp/machine/machine.c", opt ? opt : "gcc -O3 -march=native", g->words, directory, directory);
    if (system(command) != 0) return NULL;
    snprintf(command, sizeof command, "%s/native.so", directory);
    void *so = dlopen(command, RTLD_NOW | RTLD_LOCAL);
    if (!so) { fprintf(stderr, "%s\n", dlerror()); return NULL; }
    const machine **plain = dlsym(so, "plain"), *own = dlsym(so, "joc_native");
    *plain = g->machine;
    return own;
}
