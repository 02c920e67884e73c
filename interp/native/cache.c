/* Where compiled machines are kept: $XDG_CACHE_HOME/joc, else ~/.cache/joc, a file each.
 *
 * What lies there is loaded into the program, so the folder must be the user's and writable by nobody else. A file ends in a seal: a word and a
 * hash of all before it; a file cut off or changed by a full or failing disk is not loaded. A file's time is that of its last use. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "native.h"

enum { LEFT_BEHIND = 3600 /* seconds after which a workshop is nobody's any more */ };
typedef struct { char word[8]; uint64_t hash; } seal;
static const char seal_word[8] = "joc made";

/* ---- the folder ----------------------------------------------------------------------------------------------------------------------- */
static bool is_ours(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH));
}

char *cache_folder(void)
{
    const char *said = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    char *base = said && *said == '/' ? native_sentence("%s", said) : home && *home == '/' ? native_sentence("%s/.cache", home) : NULL;
    if (!base) return NULL;
    char *folder = native_sentence("%s/joc", base);
    mkdir(base, 0700);
    mkdir(folder, 0700);
    free(base);
    if (is_ours(folder) && access(folder, W_OK | X_OK) == 0) return folder;
    free(folder);
    return NULL;
}

/* ---- files ---------------------------------------------------------------------------------------------------------------------------- */
/* The hash of a file without its last `less` bytes, and those in `end`. */
static bool hash_file(int fd, size_t less, uint64_t *hash, void *end)
{
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || (size_t)s.st_size <= less) return false;
    const size_t size = (size_t)s.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return false;
    *hash = native_hash(size - less, bytes, size - less);
    if (less) memcpy(end, (const char *)bytes + size - less, less);
    munmap(bytes, size);
    return true;
}

bool cache_holds(const char *path)
{
    seal end;
    uint64_t hash;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return false;
    const bool whole = hash_file(fd, sizeof end, &hash, &end) && memcmp(end.word, seal_word, sizeof seal_word) == 0 && end.hash == hash;
    if (whole) futimens(fd, NULL);
    close(fd);
    return whole;
}

bool cache_seal(const char *path)
{
    seal end;
    const int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return false;
    memcpy(end.word, seal_word, sizeof seal_word);
    const bool good = hash_file(fd, 0, &end.hash, NULL) && lseek(fd, 0, SEEK_END) > 0 && write(fd, &end, sizeof end) == (ssize_t)sizeof end && fchmod(fd, 0600) == 0;
    return close(fd) == 0 && good;
}

/* ---- what is taken away --------------------------------------------------------------------------------------------------------------- */
/* A folder and the files in it; compilers make no folders there. */
void folder_remove(const char *path)
{
    DIR *d = opendir(path);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    rmdir(path);
}

typedef struct { char name[64]; struct timespec used; } kept_file;

static int by_use(const void *a, const void *b)
{
    const struct timespec x = ((const kept_file *)a)->used, y = ((const kept_file *)b)->used;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? 1 : -1;
    return x.tv_nsec < y.tv_nsec ? 1 : x.tv_nsec > y.tv_nsec ? -1 : 0;
}

static bool is_machine(const char *name) { return strlen(name) == 19 && strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".so") == 0; }

static bool is_left_behind(const char *name, const struct stat *s) { return strncmp(name, ".new-", 5) == 0 && S_ISDIR(s->st_mode) && time(NULL) - s->st_mtime > LEFT_BEHIND; }

void cache_trim(const char *folder, size_t most)
{
    DIR *d = opendir(folder);
    kept_file *files = NULL;
    size_t n = 0;
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s;
        if (fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (is_left_behind(e->d_name, &s)) {
            char *path = native_sentence("%s/%s", folder, e->d_name);
            folder_remove(path);
            free(path);
        }
        if (!is_machine(e->d_name)) continue;
        files = realloc(files, (n + 1) * sizeof *files);
        if (!files) abort();
        memcpy(files[n].name, e->d_name, strlen(e->d_name) + 1);
        files[n++].used = s.st_mtim;
    }
    if (n > most) qsort(files, n, sizeof *files, by_use);
    for (size_t i = most; i < n; i++) unlinkat(dirfd(d), files[i].name, 0);
    closedir(d);
    free(files);
}
