/* A game's own machine: its C text, what a compiler makes of it, and how that is loaded. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "native.h"

/* What every compiler is told, behind its own words. */
static const char *const flags[] = { "-O3", "-march=native", "-std=gnu11", "-fPIC", "-shared", "-w", "-fvisibility=hidden", "-pipe" };
enum { FLAGS = sizeof flags / sizeof *flags, WORDS_OF_COMPILER = 8, KEPT_MOST = 64, INSTRUCTIONS_MOST = 20000 /* a compiler takes minutes for more; the games there are have up to 1300 */ };

static void *must(void *p) { if (!p) abort(); return p; }

char *native_sentence(const char *format, ...)
{
    char *out = NULL;
    va_list list;
    va_start(list, format);
    const int n = vasprintf(&out, format, list);
    va_end(list);
    if (n < 0) abort();
    return out;
}

/* FNV-1a, eight bytes at a time where there are so many, mixed at the end. */
uint64_t native_hash(uint64_t so_far, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    uint64_t h = so_far ^ 0xCBF29CE484222325u, eight;
    for (; length >= sizeof eight; b += sizeof eight, length -= sizeof eight) {
        memcpy(&eight, b, sizeof eight);
        h = (h ^ eight) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    for (; length; b++, length--) h = (h ^ *b) * 0x100000001B3u;
    h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9u;
    return h ^ (h >> 30);
}

/* ---- the text ------------------------------------------------------------------------------------------------------------------------- */
char *native_text(const game *g, size_t *length)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, length);
    if (!f) abort();
    fprintf(f, "#define _GNU_SOURCE\n#define NDEBUG\n#define JOC_NATIVE\n#define WORDS %d\n", g->words);
    for (size_t i = 0; native_source[i]; i++) {
        if (strncmp(native_source[i], "#include \"tables.inc\"", 21) == 0) native_tables(f, g);
        else if (strncmp(native_source[i], "#include \"code.inc\"", 19) == 0) native_code(f, g);
        else if (strncmp(native_source[i], "#include \"runs.inc\"", 19) == 0) { native_runs(f, g); native_onward(f, g); native_lists(f, g); }
        else fputs(native_source[i], f);
    }
    if (fclose(f) != 0) abort();
    return must(text);
}

/* ---- the compiler --------------------------------------------------------------------------------------------------------------------- */
typedef struct { char *words; const char *argv[WORDS_OF_COMPILER + FLAGS + 1]; } compiler;

/* What CC says, else cc, and the flags. */
static compiler compiler_chosen(void)
{
    const char *said = secure_getenv("CC");
    compiler c = { .words = must(strdup(said && said[strspn(said, " ")] ? said : "cc")) };
    char *rest = c.words;
    size_t n = 0;
    for (char *w; n < WORDS_OF_COMPILER && (w = strtok_r(rest, " ", &rest));) c.argv[n++] = w;
    for (size_t i = 0; i < FLAGS; i++) c.argv[n++] = flags[i];
    return c;
}

/* -march=native means another thing on another machine, and folders may be shared by several. */
static uint64_t processor_hash(void)
{
    uint64_t h = 0;
    char *line = NULL;
    size_t capacity = 0;
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && getline(&line, &capacity, f) >= 0) {
        if (!*line || *line == '\n') break;                 /* the first processor is enough */
        if (strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0 || strncmp(line, "model name", 10) == 0) h = native_hash(h, line, strlen(line));
    }
    free(line);
    if (f) fclose(f);
    return h;
}

static uint64_t name_of(const compiler *c, const char *text, size_t length)
{
    uint64_t h = native_hash(processor_hash(), text, length);
    for (int i = 0; c->argv[i]; i++) h = native_hash(h, c->argv[i], strlen(c->argv[i]) + 1);
    return h;
}

/* ---- loading -------------------------------------------------------------------------------------------------------------------------- */
static const machine *load(const game *g, const char *path, void **handle, char **why)
{
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so) { *why = native_sentence("the compiled machine cannot be loaded: %s", dlerror()); return NULL; }
    const native_machine *n = dlsym(so, "joc_native_machine");
    char *differs = n ? native_differs(g, n) : NULL;
    if (n && !differs) {
        *n->plain = g->machine;
        *handle = so;
        return n->own;
    }
    if (differs) *why = native_sentence("the compiled machine is refused: its table '%s' is not the game's", differs);
    else *why = native_sentence("the compiled machine is none of Joc's");
    free(differs);
    dlclose(so);
    return NULL;
}

/* A folder of our own for what is being made; malloc'd, NULL with the reason. */
static char *workshop(const char *folder, char **why)
{
    const char *temporary = secure_getenv("TMPDIR");
    if (!folder) folder = temporary && *temporary == '/' ? temporary : "/tmp";
    char *path = native_sentence("%s/.new-XXXXXX", folder);
    if (mkdtemp(path)) return path;
    *why = native_sentence("no folder can be made in '%s': %s", folder, strerror(errno));
    free(path);
    return NULL;
}

/* Makes the machine in a workshop, and keeps it as `kept` if that is wanted. */
static const machine *make(const game *g, const compiler *c, const char *text, size_t length, const char *folder, const char *kept, void **handle, char **why)
{
    const machine *made = NULL;
    sigset_t before;
    signals_hold(&before);
    char *shop = workshop(folder, why);
    if (shop && native_compile(shop, text, length, c->argv, &before, why)) {
        char *new = native_sentence("%s/machine.so", shop);
        const bool keeps = kept && cache_seal(new) && rename(new, kept) == 0;
        made = load(g, keeps ? kept : new, handle, why);
        if (keeps && !made) unlink(kept);
        free(new);
    }
    if (shop) folder_remove(shop);
    free(shop);
    if (folder) cache_trim(folder, KEPT_MOST);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

/* The one kept, else a new one. */
static const machine *open_text(const game *g, const char *text, size_t length, void **handle, char **why)
{
    char *folder = cache_folder(), *kept = NULL;
    const compiler c = compiler_chosen();
    const machine *own = NULL;
    if (folder) kept = native_sentence("%s/%016llx.so", folder, (unsigned long long)name_of(&c, text, length));
    if (kept && cache_holds(kept)) own = load(g, kept, handle, why);
    if (!own) {
        free(*why);
        *why = NULL;
        if (kept) unlink(kept);
        own = make(g, &c, text, length, folder, kept, handle, why);
    }
    free(c.words);
    free(kept);
    free(folder);
    return own;
}

const machine *native_open(const game *g, void **handle, char **why)
{
    *why = NULL;
    if (g->code_count > INSTRUCTIONS_MOST) {
        *why = native_sentence("these rules come to %u instructions, and no more than %d are compiled", g->code_count, INSTRUCTIONS_MOST);
        return NULL;
    }
    size_t length;
    char *text = native_text(g, &length);
    const machine *own = open_text(g, text, length, handle, why);
    free(text);
    return own;
}

void native_close(void *handle) { if (handle) dlclose(handle); }
