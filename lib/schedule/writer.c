/* SPDX-License-Identifier: GPL-3.0-or-later */
/* realpath() belongs to the X/Open part of POSIX. */
#define _XOPEN_SOURCE 700
#include "rwa/io.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 17, RECORD_ROOM = 512, ATTEMPTS = 100 };

struct sink {
    const char *path;   /* as the caller said it, for messages */
    char *target;       /* what is replaced at the end; NULL when written directly */
    char *temporary;
    bool created;       /* the temporary exists and is ours to remove */
    int fd;
    gzFile gz;          /* NULL: plain */
    char *buffer;
    size_t used;
    rwa_error *err;
};

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
    if (!s->temporary)
        return RWA_NOMEM;
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

/** The file itself where the path is a symbolic link, so that the link stays one. */
static char *target_of(const char *path, rwa_error *err)
{
    char *real = realpath(path, NULL);
    return real ? real : base_copy_text(path, err);
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
    s->target = target_of(s->path, s->err);
    return s->target ? create_temporary(s) : RWA_NOMEM;
}

static bool wants_gzip(const char *path)
{
    size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

static rwa_status sink_open(struct sink *s, const char *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *s = (struct sink){.path = path, .fd = -1, .err = err};
    s->buffer = base_array(BUFFER, 1, err);
    if (!s->buffer)
        return RWA_NOMEM;
    TRY(open_descriptor(s));
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
done:
    return st;
}

/* ---- bytes ---- */

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
    if (!s->gz)
        return write_plain(s, data, size);
    for (size_t part; size > 0; data += part, size -= part) {
        part = size < BUFFER ? size : BUFFER;
        errno = 0;
        if (gzwrite(s->gz, data, (unsigned)part) != (int)part)
            return cannot_write(s, errno);
    }
    return RWA_OK;
}

static rwa_status flush(struct sink *s)
{
    rwa_status st = write_bytes(s, s->buffer, s->used);
    s->used = 0;
    return st;
}

static void put_text(struct sink *s, const char *text)
{
    size_t length = strlen(text);
    memcpy(s->buffer + s->used, text, length);
    s->used += length;
}

static void put_member(struct sink *s, const char *name, uint64_t value)
{
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    put_text(s, name);
    memcpy(s->buffer + s->used, digits + i, sizeof digits - i);
    s->used += sizeof digits - i;
}

/** Everything on its way to the disk, then the name: readers see the old file or the whole new one. */
static rwa_status sink_finish(struct sink *s)
{
    rwa_status st = RWA_OK;
    int fd = s->fd;
    TRY(flush(s));
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
done:
    return st;
}

/** Also after a failure: nothing partial is left. */
static void sink_drop(struct sink *s)
{
    if (s->gz)
        gzclose_w(s->gz);
    if (s->fd >= 0)
        close(s->fd);
    if (s->created)
        unlink(s->temporary);
    free(s->target);
    free(s->temporary);
    free(s->buffer);
}

/* ---- the format ---- */

static json_t *header_of(const rwa_schedule *sched)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *c = rwa_schedule_collective(sched);
    bool root = c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER || c->kind == RWA_GATHER;
    return json_pack("{s:s, s:i, s:{s:s, s:I, s:I, s:I}, s:s, s:I, s:I, s:o*, s:I, s:s, s:I}",
                     "format", "rwa-schedule", "version", 1,
                     "network", "kind", rwa_network_kind_name(rwa_network_get_kind(net)),
                     "nodes", (json_int_t)rwa_network_nodes(net), "fibers", (json_int_t)rwa_network_fibers(net),
                     "wavelengths", (json_int_t)rwa_network_wavelengths(net),
                     "collective", rwa_collective_name(c->kind), "blocks", (json_int_t)c->blocks,
                     "block_bytes", (json_int_t)c->block_bytes, "root", root ? json_integer(c->root) : NULL,
                     "steps", (json_int_t)rwa_schedule_steps(sched), "scheme", rwa_schedule_scheme(sched),
                     "lightpaths", (json_int_t)rwa_schedule_lightpaths(sched));
}

static rwa_status write_header(struct sink *s, const rwa_schedule *sched)
{
    json_t *header = header_of(sched);
    char *text = header ? json_dumps(header, JSON_COMPACT) : NULL;
    rwa_status st = RWA_OK;
    json_decref(header);
    if (!text)
        return base_fail(s->err, RWA_NOMEM, "%s: no memory for the header, or a scheme's name that is not UTF-8", s->path);
    TRY(write_bytes(s, text, strlen(text)));
    TRY(write_bytes(s, "\n", 1));
done:
    free(text);
    return st;
}

static void put_record(struct sink *s, const rwa_lightpath *lp, bool reduction)
{
    put_member(s, "{\"step\":", lp->step);
    put_member(s, ",\"src\":", lp->src);
    put_member(s, ",\"dst\":", lp->dst);
    put_text(s, lp->direction == RWA_CCW ? ",\"dir\":\"ccw\"" : ",\"dir\":\"cw\"");
    put_member(s, ",\"fiber\":", lp->fiber);
    put_member(s, ",\"wavelength\":", lp->wavelength);
    put_member(s, ",\"block\":", lp->block);
    if (reduction)
        put_text(s, lp->op == RWA_REDUCE ? ",\"op\":\"reduce\"" : ",\"op\":\"copy\"");
    if (lp->orbit > 1) {
        put_member(s, ",\"orbit\":", lp->orbit);
        put_member(s, ",\"period\":", lp->period);
    }
    put_text(s, "}\n");
}

static rwa_status write_records(struct sink *s, const rwa_schedule *sched)
{
    rwa_collective_kind kind = rwa_schedule_collective(sched)->kind;
    bool reduction = kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER;
    uint64_t records = rwa_schedule_records(sched);
    rwa_status st = RWA_OK;
    for (uint64_t i = 0; i < records; i++) {
        rwa_lightpath lp;
        rwa_schedule_get(sched, i, &lp);
        if (s->used > BUFFER - RECORD_ROOM)
            TRY(flush(s));
        put_record(s, &lp, reduction);
    }
done:
    return st;
}

rwa_status rwa_schedule_write(const rwa_schedule *sched, const char *path, rwa_error *err)
{
    struct sink s;
    rwa_status st = RWA_OK;
    TRY(sink_open(&s, path, err));
    TRY(write_header(&s, sched));
    TRY(write_records(&s, sched));
    TRY(sink_finish(&s));
done:
    sink_drop(&s);
    return st;
}
