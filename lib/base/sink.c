/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sink.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

static rwa_status cannot_write(struct sink *s, int code)
{
    return base_fail(s->text.err, RWA_IO, "%s: cannot write: %s", s->path, strerror(code ? code : EIO));
}

/* ---- temporaries ---- */

/* A temporary file is named after its target, followed by MARK and LETTERS letters.  Its writer holds a lock on it,
 * which ends with the writer, however it ends: a temporary that can be locked has no writer any more, and the next
 * writer of the target removes it. */
#define MARK ".rwatmp"
enum { LETTERS = 6, MARK_LENGTH = sizeof MARK - 1 };
static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/** Open the folder of the target file.  Return a descriptor, or -1 if the folder cannot be read. */
static int open_folder(struct sink *s)
{
    char *name = s->target + (base_name(s->target) - s->target), first = *name;
    *name = '\0';
    int fd = open(*s->target ? s->target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *name = first;
    return fd;
}

static bool is_temporary(const char *name, const char *target)
{
    size_t length = strlen(target);
    return strlen(name) == length + MARK_LENGTH + LETTERS && memcmp(name, target, length) == 0 &&
           memcmp(name + length, MARK, MARK_LENGTH) == 0 && strspn(name + length + MARK_LENGTH, letters) == LETTERS;
}

static bool is_named(int fd, int folder, const char *name)
{
    struct stat opened, found;
    return fstat(fd, &opened) == 0 && fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(opened.st_mode) && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

/** Remove the temporary file `name` of a folder, an open descriptor, if its writer has ended.  A writer holds a lock on
 *  its file, so it has ended if this process gets the lock. */
static void remove_if_stale(int folder, const char *name)
{
    int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, folder, name)) /* the name may be that of another file now */
        unlinkat(folder, name, 0);
    close(fd);
}

/** Remove the temporary files of the target whose writers were killed.  Ignore failures: a new file can be written
 *  beside them. */
static void remove_stale(struct sink *s)
{
    int folder = open_folder(s);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (!list && folder >= 0)
        close(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (is_temporary(entry->d_name, base_name(s->target)))
            remove_if_stale(folder, entry->d_name);
    if (list)
        closedir(list);
}

/** Lock the new temporary file.  Return false if another writer took it for a stale one and removed it before it was
 *  locked. */
static bool keep_temporary(struct sink *s)
{
    struct stat info;
    if (flock(s->fd, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;    /* a file system without locks: no other process can lock it either */
    return fstat(s->fd, &info) == 0 && info.st_nlink > 0;
}

/** Create a temporary file with a random name beside the target.  open() applies the umask; mkstemp() would make a file
 *  that only its owner can read. */
static rwa_status create_temporary(struct sink *s)
{
    size_t length = strlen(s->target);
    double now = base_now_s();
    uint64_t seed = 0;
    memcpy(&seed, &now, sizeof seed);
    seed ^= (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)s;
    s->temporary = base_array(length + MARK_LENGTH + LETTERS + 1, 1, s->text.err);
    MUST(s->temporary ? RWA_OK : RWA_NOMEM);
    memcpy(s->temporary, s->target, length);
    memcpy(s->temporary + length, MARK, MARK_LENGTH);
    for (int i = 0; i < ATTEMPTS; i++) {
        for (size_t k = 0; k < LETTERS; k++)
            s->temporary[length + MARK_LENGTH + k] = letters[base_random_below(&seed, sizeof letters - 1)];
        s->fd = open(s->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        s->created = s->fd >= 0 && keep_temporary(s);
        if (s->created || (s->fd < 0 && errno != EEXIST))
            break;
        if (s->fd >= 0)
            close(s->fd);
        s->fd = -1;
        errno = EEXIST;
    }
    return s->created ? RWA_OK : cannot_write(s, errno);
}

/** Sync the folder of the target, since a renamed file survives a power cut only if its folder is on disk.  Only an
 *  error of the disk is a failure (RWA_IO): some file systems cannot sync folders, and some folders cannot be
 *  opened. */
static rwa_status sync_folder(struct sink *s)
{
    int folder = open_folder(s), code = 0;
    if (folder >= 0 && fsync(folder) != 0)
        code = errno;
    if (folder >= 0)
        close(folder);
    return code == EIO ? cannot_write(s, code) : RWA_OK;
}

/* ---- bytes ---- */

static rwa_status call_writer(struct sink *s, const char *data, size_t size)
{
    for (size_t part; size > 0; data += part, size -= part) {
        part = size < SINK_BUFFER ? size : SINK_BUFFER;
        if (s->write(s->write_data, data, part) != 0)
            return base_fail(s->text.err, RWA_CANCELLED, "the caller's function stopped the output");
    }
    return RWA_OK;
}

bool base_write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        errno = n == 0 ? ENOSPC : errno;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static rwa_status write_bytes(struct sink *s, const char *data, size_t size)
{
    if (s->write)
        return call_writer(s, data, size);
    if (!s->gz)
        return base_write_all(s->fd, data, size) ? RWA_OK : cannot_write(s, errno);
    for (size_t part; size > 0; data += part, size -= part) {
        part = size < SINK_BUFFER ? size : SINK_BUFFER;
        errno = 0;
        if (gzwrite(s->gz, data, (unsigned)part) != (int)part)
            return cannot_write(s, errno);
    }
    return RWA_OK;
}

rwa_status sink_write(struct sink *s, const char *data, size_t size)
{
    MUST(s->text.status);
    MUST(write_bytes(s, s->text.data, s->text.used));
    s->text.used = 0;
    return write_bytes(s, data, size);
}

static rwa_status drain(struct text *t)
{
    struct sink *s = (struct sink *)t;
    return write_bytes(s, t->data, t->used);
}

/* ---- opening ---- */

static rwa_status open_descriptor(struct sink *s)
{
    struct stat info;
    if (strcmp(s->path, "-") == 0) {
        s->fd = dup(STDOUT_FILENO);
        return s->fd >= 0 ? RWA_OK : cannot_write(s, errno);
    }
    /* A device or a pipe must receive the bytes; renaming a file over it would destroy it. */
    if (stat(s->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
        return s->fd >= 0 ? RWA_OK : cannot_write(s, errno);
    }
    /* Of a symbolic link to a file the rename replaces the link: a link that a stranger left leads nowhere. */
    s->target = base_copy_text(s->path, s->text.err);
    MUST(s->target ? RWA_OK : RWA_NOMEM);
    remove_stale(s);
    return create_temporary(s);
}

static bool wants_gzip(const char *path)
{
    size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

rwa_status sink_open_to(struct sink *s, const char *path, rwa_write write, void *data, rwa_error *err)
{
    *s = (struct sink){.text = {.drain = drain, .err = err}, .path = write ? "the caller's function" : path, .fd = -1,
                       .write = write, .write_data = data};
    MUST(base_reserve(s->text.data, SINK_BUFFER, err));
    if (write)
        return RWA_OK;
    MUST(open_descriptor(s));
    if (wants_gzip(path)) {
        /* zlib closes its descriptor; ours stays for fsync(). */
        int copy = dup(s->fd);
        if (copy < 0)
            return cannot_write(s, errno);
        s->gz = gzdopen(copy, "wb6");
        if (!s->gz) {
            close(copy);
            return base_fail(err, RWA_NOMEM, "%s: out of memory", path);
        }
    }
    return RWA_OK;
}

rwa_status sink_open(struct sink *s, const char *path, rwa_error *err)
{
    return sink_open_to(s, path, NULL, NULL, err);
}

/* ---- the end ---- */

rwa_status sink_finish(struct sink *s)
{
    int fd = s->fd;
    MUST(sink_write(s, NULL, 0));
    if (s->write)
        return RWA_OK;
    if (s->gz) {
        gzFile gz = s->gz;
        s->gz = NULL;
        errno = 0;
        if (gzclose_w(gz) != Z_OK)
            return cannot_write(s, errno);
    }
    if (s->target && fsync(fd) != 0)
        return cannot_write(s, errno);
    if (s->target && rename(s->temporary, s->target) != 0)  /* before close(), which ends the lock */
        return cannot_write(s, errno);
    s->created = false;
    s->fd = -1;
    if (close(fd) != 0)
        return cannot_write(s, errno);
    return s->target ? sync_folder(s) : RWA_OK;
}

void sink_drop(struct sink *s)
{
    if (s->created)
        unlink(s->temporary);   /* before close(), as the rename */
    if (s->gz)
        gzclose_w(s->gz);
    if (s->fd >= 0)
        close(s->fd);
    free_all(s->target, s->temporary, s->text.data);
}

rwa_status base_save(const char *path, const char *data, size_t size, rwa_error *err)
{
    struct sink s;
    rwa_status st = RWA_OK;
    TRY(sink_open(&s, path, err));
    TRY(sink_write(&s, data, size));
    TRY(sink_finish(&s));
done:
    sink_drop(&s);
    return st;
}
