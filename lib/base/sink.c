/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sink.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

static rwa_status cannot_write(struct sink *s, int code)
{
    return base_fail(s->err, RWA_IO, "%s: cannot write: %s", s->path, strerror(code ? code : EIO));
}

/* ---- opening ---- */

/** A new file beside the target.  Not mkstemp(): open() lets the umask set the mode, without reading it (no thread can). */
static rwa_status create_temporary(struct sink *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = strlen(s->target);
    double now = base_now_s();
    uint64_t seed = 0;
    memcpy(&seed, &now, sizeof seed);
    seed ^= (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)s;
    s->temporary = base_array(length + sizeof ".tmpXXXXXX", 1, s->err);
    MUST(s->temporary ? RWA_OK : RWA_NOMEM);
    memcpy(s->temporary, s->target, length);
    memcpy(s->temporary + length, ".tmp", 4);
    for (int i = 0; i < ATTEMPTS; i++) {
        for (size_t k = 0; k < 6; k++)
            s->temporary[length + 4 + k] = letters[base_random_below(&seed, sizeof letters - 1)];
        s->fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        s->created = s->fd >= 0;
        if (s->created || errno != EEXIST)
            break;
    }
    return s->created ? RWA_OK : cannot_write(s, errno);
}

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
    s->target = base_copy_text(s->path, s->err);
    return s->target ? create_temporary(s) : RWA_NOMEM;
}

static bool wants_gzip(const char *path)
{
    size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

rwa_status sink_open_to(struct sink *s, const char *path, rwa_write write, void *data, rwa_error *err)
{
    *s = (struct sink){.path = write ? "the caller's function" : path, .fd = -1, .write = write, .write_data = data, .err = err};
    s->buffer = base_array(SINK_BUFFER, 1, err);
    MUST(s->buffer ? RWA_OK : RWA_NOMEM);
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

/* ---- bytes ---- */

static rwa_status call_writer(struct sink *s, const char *data, size_t size)
{
    for (size_t part; size > 0; data += part, size -= part) {
        part = size < SINK_BUFFER ? size : SINK_BUFFER;
        if (s->write(s->write_data, data, part) != 0)
            return base_fail(s->err, RWA_CANCELLED, "the caller's function stopped the output");
    }
    return RWA_OK;
}

static rwa_status write_plain(struct sink *s, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(s->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return cannot_write(s, n < 0 ? errno : ENOSPC);
        data += n;
        size -= (size_t)n;
    }
    return RWA_OK;
}

static rwa_status write_bytes(struct sink *s, const char *data, size_t size)
{
    if (s->write)
        return call_writer(s, data, size);
    if (!s->gz)
        return write_plain(s, data, size);
    for (size_t part; size > 0; data += part, size -= part) {
        part = size < SINK_BUFFER ? size : SINK_BUFFER;
        errno = 0;
        if (gzwrite(s->gz, data, (unsigned)part) != (int)part)
            return cannot_write(s, errno);
    }
    return RWA_OK;
}

rwa_status sink_flush(struct sink *s)
{
    rwa_status st = write_bytes(s, s->buffer, s->used);
    s->used = 0;
    return st;
}

void sink_put(struct sink *s, const char *format, ...)
{
    va_list args;
    if (s->used > SINK_BUFFER - PLAIN_MOST) {
        rwa_status st = sink_flush(s);
        s->status = s->status != RWA_OK ? s->status : st;
    }
    va_start(args, format);
    s->used = (size_t)(plain_put(s->buffer + s->used, format, args) - s->buffer);
    va_end(args);
    assert(s->used < SINK_BUFFER);
}

rwa_status sink_finish(struct sink *s)
{
    int fd = s->fd;
    MUST(s->status);
    MUST(sink_flush(s));
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
    s->fd = -1;
    if (close(fd) != 0)
        return cannot_write(s, errno);
    if (s->target && rename(s->temporary, s->target) != 0)
        return cannot_write(s, errno);
    s->created = false;
    return RWA_OK;
}

void sink_drop(struct sink *s)
{
    if (s->gz)
        gzclose_w(s->gz);
    if (s->fd >= 0)
        close(s->fd);
    if (s->created)
        unlink(s->temporary);
    free_all(s->target, s->temporary, s->buffer);
}

rwa_status sink_write(struct sink *s, const char *data, size_t size)
{
    MUST(s->status);
    MUST(sink_flush(s));
    return write_bytes(s, data, size);
}

rwa_status sink_write_text(struct sink *s, struct text *t)
{
    rwa_status st = t->status == RWA_OK ? sink_write(s, t->data, t->used) : t->status;
    free(t->data);
    return st;
}

rwa_status base_save_to(const char *path, rwa_write write, void *write_data, const char *data, size_t size, rwa_error *err)
{
    struct sink s;
    rwa_status st = RWA_OK;
    TRY(sink_open_to(&s, path, write, write_data, err));
    TRY(sink_write(&s, data, size));
    TRY(sink_finish(&s));
done:
    sink_drop(&s);
    return st;
}

rwa_status base_save(const char *path, const char *data, size_t size, rwa_error *err)
{
    return base_save_to(path, NULL, NULL, data, size, err);
}
