/* What commands print: JSON, messages, progress. */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "interp/cli/cli.h"

/* ---- JSON --------------------------------------------------------------------------------------------------------------------------- */
json_t *json_text(const char *s) {
    json_t *j = json_string(s ? s : "");
    return j ? j : json_string("(not UTF-8)");
}

json_t *json_answer(const asked *a) {
    json_t *j = json_object();
    json_object_set_new(j, "format", json_integer(JOC_FORMAT));
    json_object_set_new(j, "command", json_text(commands[a->command].name));
    return j;
}

static const char *severity_word(char severity) { return severity == 'E' ? "error" : severity == 'W' ? "warning" : "note"; }

json_t *json_messages(const joc_messages *m) {
    json_t *list = json_array();
    for (size_t i = 0; i < joc_messages_count(m); i++) {
        joc_message x = joc_messages_at(m, i);
        json_t *j = json_object();
        json_object_set_new(j, "severity", json_text(severity_word(x.severity)));
        json_object_set_new(j, "code", json_text(x.code));
        json_object_set_new(j, "path", json_text(x.path));
        json_object_set_new(j, "line", json_integer(x.line));
        json_object_set_new(j, "column", json_integer(x.column));
        json_object_set_new(j, "end_line", json_integer(x.end_line));
        json_object_set_new(j, "end_column", json_integer(x.end_column));
        json_object_set_new(j, "text", json_text(x.text));
        json_array_append_new(list, j);
    }
    return list;
}

int json_print(json_t *answer, int code) {
    bool good = json_dumpf(answer, stdout, JSON_INDENT(2)) == 0;
    json_decref(answer);
    putchar('\n');
    if (!good) {
        fputs("joc: cannot write the answer\n", stderr);
        return EXIT_SYSTEM;
    }
    return code;
}

/* ---- terminals ---------------------------------------------------------------------------------------------------------------------- */
bool colour_on(int fd) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

int terminal_width(void) {
    struct winsize size;
    if (!isatty(STDOUT_FILENO)) return 0;
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int n = columns ? atoi(columns) : 0;
    return n > 0 ? n : 80;
}

bool terminal_ascii(const asked *a) { return a->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0; }

joc_look look_of(const asked *a) { return (joc_look){ .colour = !a->text && colour_on(STDOUT_FILENO), .ascii = terminal_ascii(a), .width = a->text ? 0 : terminal_width() }; }

void messages_print(const joc_messages *m) {
    if (!joc_messages_count(m)) return;
    char *said = joc_messages_text(m, colour_on(STDERR_FILENO));
    fflush(stdout);
    fputs(said, stderr);
    free(said);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

char *share_text(uint64_t weight, uint64_t of) {
    uint64_t d = common_divisor(weight, of);
    char s[48];
    if (!d) d = 1;
    if (of / d == 1) snprintf(s, sizeof s, "%" PRIu64, weight / d);
    else snprintf(s, sizeof s, "%" PRIu64 "/%" PRIu64, weight / d, of / d);
    char *copy = strdup(s);
    if (!copy) abort();
    return copy;
}

int finish(int code) {
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "joc: cannot write: %s\n", strerror(errno ? errno : EIO));
        return EXIT_SYSTEM;
    }
    return code;
}

/* ---- long jobs ---------------------------------------------------------------------------------------------------------------------- */
volatile bool interrupted;

static void on_interrupt(int signal_number) {
    if (interrupted) _exit(128 + signal_number);
    interrupted = true;
}

void catch_interrupts(void) {
    struct sigaction action = { .sa_handler = on_interrupt };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

progress progress_start(const char *what) {
    double now = seconds_now();
    const char *term = getenv("TERM");
    return (progress){ .on = isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb")), .started = now, .shown = now, .what = what };
}

void progress_show(progress *p, uint64_t done, uint64_t of) {
    enum { BAR = 30 };
    double now = seconds_now(), past = now - p->started;
    if (!p->on || now - p->shown < 0.2) return;
    p->shown = now;
    double rate = past > 0 ? (double)done / past : 0;
    fprintf(stderr, "\r\033[K%s ", p->what);
    if (of) {
        int full = (int)((double)BAR * (double)done / (double)of);
        fputc('[', stderr);
        for (int i = 0; i < BAR; i++) fputc(i < full ? '#' : ' ', stderr);
        fprintf(stderr, "] %llu/%llu", (unsigned long long)done, (unsigned long long)of);
        if (rate > 0) fprintf(stderr, ", %.0f/s, %.0f s left", rate, (double)(of - done) / rate);
    } else fprintf(stderr, "%.0f s", past);
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->on) fputs("\r\033[K", stderr);
}
