/* Running the compiler: without a shell, with its words caught, and nothing left behind where it is interrupted.
 *
 * It runs in a process group of its own. Signals that would end this program wait until it has ended; where one waits, the compiler is ended
 * first. What it says goes into a pipe, and the first line that names an error (else the first) into our sentence. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "native.h"

extern char **environ;
enum { SAID_MOST = 8000, ARGUMENTS_MOST = 40, LINE_MOST = 300 };
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* ---- signals -------------------------------------------------------------------------------------------------------------------------- */
void signals_hold(sigset_t *before)
{
    sigset_t some;
    sigemptyset(&some);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) sigaddset(&some, ending[i]);
    pthread_sigmask(SIG_BLOCK, &some, before);
}

static bool ends_now(const sigset_t *before)
{
    sigset_t waiting;
    if (sigpending(&waiting) != 0) return false;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) if (sigismember(&waiting, ending[i]) && !sigismember(before, ending[i])) return true;
    return false;
}

/* ---- what it is given ----------------------------------------------------------------------------------------------------------------- */
/* Our environment with its files in our folder and its words in English; the list is the caller's, its texts but the first two are not. */
static char **environment(const char *folder)
{
    size_t n = 0, k = 2;
    while (environ[n]) n++;
    char **out = calloc(n + 3, sizeof *out);
    if (!out) abort();
    out[0] = native_sentence("TMPDIR=%s", folder);
    out[1] = native_sentence("LC_ALL=C");
    for (size_t i = 0; i < n; i++) if (strncmp(environ[i], "TMPDIR=", 7) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0) out[k++] = environ[i];
    return out;
}

static int start(pid_t *process, const char *const *argv, const char *folder, int said, const sigset_t *mask)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    char **given = environment(folder);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, said, 1);
    posix_spawn_file_actions_adddup2(&files, said, 2);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, mask);
    posix_spawnattr_setpgroup(&how, 0);
    const int error = posix_spawnp(process, argv[0], &files, &how, (char *const *)(uintptr_t)argv, given);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    free(given[0]);
    free(given[1]);
    free(given);
    return error;
}

/* ---- what it says --------------------------------------------------------------------------------------------------------------------- */
/* Reads to the end; true if it was ended for a signal that waits. */
static bool listen(int from, pid_t process, const sigset_t *before, char said[SAID_MOST + 1])
{
    size_t n = 0;
    bool ended = false;
    for (;;) {
        char block[4096];
        struct pollfd p = { .fd = from, .events = POLLIN };
        if (!ended && ends_now(before)) { ended = true; kill(-process, SIGTERM); }
        const int ready = poll(&p, 1, 100);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t got = ready < 0 ? 0 : read(from, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        const size_t take = (size_t)got < SAID_MOST - n ? (size_t)got : SAID_MOST - n;
        memcpy(said + n, block, take);
        n += take;
    }
    said[n] = '\0';
    return ended;
}

/* One line of it, for people: without what a terminal would obey. */
static void telling_line(const char *said, char line[LINE_MOST + 1])
{
    const char *from = strstr(said, "error");
    if (!from) from = said + strspn(said, " \n\r\t");
    while (from > said && from[-1] != '\n') from--;
    const char *slash = strstr(from, "/machine.c:");            /* the folder is gone when this is read */
    if (slash && slash < from + strcspn(from, "\n")) from = slash + 1;
    size_t n = 0;
    for (; n < LINE_MOST && from[n] && from[n] != '\n'; n++) line[n] = (unsigned char)from[n] < ' ' || from[n] == 127 ? '?' : from[n];
    line[n] = '\0';
}

static bool told(int status, bool ended, const char *name, const char *said, char **why)
{
    char line[LINE_MOST + 1];
    if (ended) { *why = native_sentence("compiling was interrupted"); return false; }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    telling_line(said, line);
    if (WIFSIGNALED(status)) *why = native_sentence("the compiler '%s' was ended by signal %d", name, WTERMSIG(status));
    else if (*line) *why = native_sentence("the compiler '%s' failed: %s", name, line);
    else *why = native_sentence("the compiler '%s' failed with exit code %d", name, WEXITSTATUS(status));
    return false;
}

/* `refused`: it says that it does not know this processor (-march=native). */
static bool run_compiler(const char *const *argv, const char *folder, const sigset_t *before, bool *refused, char **why)
{
    char said[SAID_MOST + 1];
    pid_t process;
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) { *why = native_sentence("no pipe: %s", strerror(errno)); return false; }
    const int error = start(&process, argv, folder, ends[1], before);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        *why = native_sentence("there is no C compiler: '%s' cannot be started (%s); CC names another", argv[0], strerror(error));
        return false;
    }
    const bool ended = listen(ends[0], process, before, said);
    close(ends[0]);
    pid_t waited;
    while ((waited = waitpid(process, &status, 0)) < 0 && errno == EINTR) continue;
    if (waited < 0) status = 0;                                  /* somebody else waits for all children: the file will tell */
    *refused = !ended && strstr(said, "-march") != NULL;
    return told(status, ended, argv[0], said, why);
}

/* ---- compiling ------------------------------------------------------------------------------------------------------------------------ */
static bool write_text(const char *path, const char *text, size_t length, char **why)
{
    FILE *f = fopen(path, "wxe");
    bool good = f && fwrite(text, 1, length, f) == length && fflush(f) == 0;
    int error = errno;
    if (f && fclose(f) != 0 && good) { good = false; error = errno; }
    if (!good) *why = native_sentence("'%s' cannot be written: %s", path, strerror(error));
    return good;
}

/* Takes a word out; false if it is not there. */
static bool without(const char **argv, const char *word)
{
    size_t to = 0, i = 0;
    for (; argv[i]; i++) if (strcmp(argv[i], word) != 0) argv[to++] = argv[i];
    argv[to] = NULL;
    return to < i;
}

bool native_compile(const char *folder, const char *text, size_t length, const char *const *compiler, const sigset_t *mask, char **why)
{
    char *source = native_sentence("%s/machine.c", folder), *out = native_sentence("%s/machine.so", folder);
    const char *argv[ARGUMENTS_MOST];
    size_t n = 0;
    for (; compiler[n] && n < ARGUMENTS_MOST - 4; n++) argv[n] = compiler[n];
    argv[n++] = "-o";
    argv[n++] = out;
    argv[n++] = source;
    argv[n] = NULL;
    bool refused = false, good = write_text(source, text, length, why) && run_compiler(argv, folder, mask, &refused, why);
    if (!good && refused && without(argv, "-march=native")) {
        free(*why);
        *why = NULL;
        good = run_compiler(argv, folder, mask, &refused, why);
    }
    free(source);
    free(out);
    return good;
}
