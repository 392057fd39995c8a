/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/source.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { INPUT = 1 << 16, GZIP_ONLY = 16 };
/** After its first UNPACKED_FREE bytes a file may unpack to at most UNPACKED_RATIO times its size.  Schedules and
 *  networks stay below 50 times; deflate cannot exceed 1032. */
enum { UNPACKED_FREE = 1 << 26, UNPACKED_RATIO = 256 };

struct source {
    char *path;
    int fd;
    unsigned char *input;
    size_t start, end;      /* of the input not yet used */
    bool ended;             /* the file has no more bytes */
    bool gzip;
    z_stream z;
    bool in_member;         /* between the first byte of a gzip member and its last */
    uint64_t members;       /* read to their ends */
    uint64_t packed, unpacked; /* bytes of gzip read, and what they gave */
};

static rwa_status cannot_read(const struct source *s, int code, rwa_error *err)
{
    return base_fail(err, RWA_IO, "%s: cannot read: %s", s->path, strerror(code));
}

static rwa_status open_descriptor(struct source *s, rwa_error *err)
{
    struct stat info;
    s->fd = strcmp(s->path, "-") == 0 ? dup(STDIN_FILENO) : open(s->path, O_RDONLY | O_CLOEXEC);
    int code = s->fd < 0 || fstat(s->fd, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
    return code == 0 ? RWA_OK : cannot_read(s, code, err);
}

/** Read once from the file, and append the bytes to the input buffer. */
static rwa_status fill(struct source *s, rwa_error *err)
{
    ssize_t n;
    memmove(s->input, s->input + s->start, s->end - s->start);
    s->end -= s->start;
    s->start = 0;
    do
        n = read(s->fd, s->input + s->end, INPUT - s->end);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return cannot_read(s, errno, err);
    s->end += (size_t)n;
    s->ended = n == 0;
    return RWA_OK;
}

/** Set s->gzip to whether the file is gzip, which begins with the bytes 1f 8b, and prepare to decompress it.
 *  RWA_NOMEM. */
static rwa_status recognise(struct source *s, rwa_error *err)
{
    while (s->end < 2 && !s->ended)     /* a pipe may hand out one byte at a time */
        MUST(fill(s, err));
    s->gzip = s->end >= 2 && s->input[0] == 0x1f && s->input[1] == 0x8b;
    if (s->gzip && inflateInit2(&s->z, MAX_WBITS + GZIP_ONLY) != Z_OK) {
        s->gzip = false;
        return base_fail(err, RWA_NOMEM, "%s: out of memory", s->path);
    }
    return RWA_OK;
}

rwa_status source_open(struct source **out, const char *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *out = NULL;
    struct source *s;
    MUST(base_new(s, 1, err));
    s->fd = -1;
    s->path = base_copy_text(path, err);
    s->input = base_array(INPUT, 1, err);
    TRY(s->path && s->input ? RWA_OK : RWA_NOMEM);
    TRY(open_descriptor(s, err));
    TRY(recognise(s, err));
    *out = s;
    s = NULL;
done:
    source_free(s);
    return st;
}

void source_free(struct source *s)
{
    if (!s)
        return;
    if (s->gzip)
        inflateEnd(&s->z);
    if (s->fd >= 0)
        close(s->fd);
    free_all(s->input, s->path, s);
}

static size_t copy_plain(struct source *s, char *data, size_t capacity)
{
    assert(s->start <= s->end && s->end <= INPUT);
    size_t have = s->end - s->start, size = have < capacity ? have : capacity;
    memcpy(data, s->input + s->start, size);
    s->start += size;
    return size;
}

static rwa_status damaged(const struct source *s, const char *how, uint64_t line, rwa_error *err)
{
    if (s->members > 0 && s->z.total_out == 0)
        how = "its data is followed by bytes that are not gzip";
    return base_fail(err, RWA_FORMAT, "%s:%" PRIu64 ": damaged gzip file: %s", s->path, line + 1, how);
}

static rwa_status inflate_status(const struct source *s, int code, uint64_t line, rwa_error *err)
{
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR)
        return RWA_OK;
    if (code == Z_MEM_ERROR)
        return base_fail(err, RWA_NOMEM, "%s: out of memory", s->path);
    return damaged(s, s->z.msg ? s->z.msg : "bad data", line, err);
}

static rwa_status refuse_ratio(const struct source *s, rwa_error *err)
{
    if (s->unpacked <= UNPACKED_FREE || s->unpacked / UNPACKED_RATIO <= s->packed)
        return RWA_OK;
    return base_fail(err, RWA_FORMAT, "%s: unpacks to more than %d MiB and %d times its size, expected less", s->path,
                     UNPACKED_FREE >> 20, UNPACKED_RATIO);
}

/** Decompress as much of the input as fits into `data`.  *got is 0 if no byte came out, because more input is needed.
 *  `line` is the line that the reader has reached, for messages. */
static rwa_status copy_gzip(struct source *s, char *data, size_t capacity, size_t *got, uint64_t line, rwa_error *err)
{
    uInt part = capacity < UINT32_MAX ? (uInt)capacity : UINT32_MAX;
    if (!s->in_member && s->members > 0)
        inflateReset(&s->z);
    s->in_member = true;
    s->z.next_in = s->input + s->start;
    s->z.avail_in = (uInt)(s->end - s->start);
    s->z.next_out = (unsigned char *)data;
    s->z.avail_out = part;
    int code = inflate(&s->z, Z_NO_FLUSH);
    *got = part - s->z.avail_out;
    s->packed += s->end - s->z.avail_in - s->start;
    s->unpacked += *got;
    s->start = s->end - s->z.avail_in;
    MUST(refuse_ratio(s, err));
    if (code == Z_STREAM_END) {
        s->in_member = false;
        s->members++;
    }
    return inflate_status(s, code, line, err);
}

rwa_status source_read(struct source *s, char *data, size_t capacity, size_t *got, uint64_t line, rwa_error *err)
{
    *got = 0;
    while (*got == 0) {
        if (s->start == s->end && !s->ended)
            MUST(fill(s, err));
        if (s->start == s->end) /* a file that was cut short is an error, even if all data so far is sound */
            return s->in_member ? damaged(s, "cut short", line, err) : RWA_OK;
        if (s->gzip)
            MUST(copy_gzip(s, data, capacity, got, line, err));
        else
            *got = copy_plain(s, data, capacity);
    }
    return RWA_OK;
}
