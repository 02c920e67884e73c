/* Files read and written as wholes. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "interp/formats/data.h"

static char *read_all(int fd, size_t limit, size_t *length) {
    text t = { 0 };
    char block[65536];
    for (;;) {
        ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            text_free(&t);
            return NULL;
        }
        if (!n) break;
        text_add_bytes(&t, block, (size_t)n);
        if (t.length > limit) {
            text_free(&t);
            errno = EFBIG;
            return NULL;
        }
    }
    *length = t.length;
    return text_take(&t);
}

char *file_read(const char *path, size_t limit, size_t *length) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return NULL;
    struct stat st;
    char *data = NULL;
    if (fstat(fd, &st)) data = NULL;
    else if (!S_ISREG(st.st_mode)) errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    else if ((size_t)st.st_size > limit) errno = EFBIG;
    else data = read_all(fd, limit, length);
    int kept = errno;
    close(fd);
    errno = kept;
    return data;
}

static bool write_all(int fd, const char *data, size_t length) {
    while (length) {
        ssize_t n = write(fd, data, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        length -= (size_t)n;
    }
    return true;
}

/* So that the new name survives a crash of the machine. Not every file system can; that is no fault. */
static void sync_folder(const char *path) {
    char *copy = text_copy(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(copy);
}

/* What is no plain file must not be replaced by one: a device, a pipe, a folder. */
bool file_write(const char *path, const char *data, size_t length) {
    text beside = { 0 };
    struct stat st;
    const bool there = !stat(path, &st);
    mode_t mode = there ? st.st_mode & 07777 : 0;
    if (there && !S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    text_format(&beside, "%s.XXXXXX", path);
    int fd = mkstemp(beside.data);
    if (fd < 0) {
        int kept = errno;
        text_free(&beside);
        errno = kept;
        return false;
    }
    if (!mode) {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    bool good = !fchmod(fd, mode) && write_all(fd, data, length) && !fsync(fd);
    int kept = errno;
    if (close(fd) && good) good = false, kept = errno;
    if (good && rename(beside.data, path)) good = false, kept = errno;
    if (good) sync_folder(path);
    else unlink(beside.data);
    text_free(&beside);
    errno = kept;
    return good;
}
