/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/lines.h"

#include "base/source.h"

enum { CHUNK = 1 << 16 };

rwa_status lines_open(struct lines *r, const char *path, rwa_error *err)
{
    if (!(r->path = base_copy_text(path, err)))
        return RWA_NOMEM;
    MUST(base_reserve(r->buffer, CHUNK, err));
    return source_open(&r->source, path, err);
}

void lines_close(struct lines *r)
{
    source_free(r->source);
    free_all(r->buffer, r->path);
}

/** Read one more chunk of the file, and append it to the buffer. */
static rwa_status fill(struct lines *r, rwa_error *err)
{
    size_t got = 0;
    assert(r->start <= r->end && r->end <= base_capacity(r->buffer));
    if (r->start > 0)
        memmove(r->buffer, r->buffer + r->start, r->end - r->start);
    r->end -= r->start;
    r->start = 0;
    MUST(base_reserve(r->buffer, r->end + CHUNK, err));
    MUST(source_read(r->source, r->buffer + r->end, CHUNK, &got, r->number, err));
    r->end += got;
    r->bytes += got;
    if (r->most > 0 && r->bytes > r->most)
        return base_fail(err, RWA_FORMAT, "%s: larger than %" PRIu64 " bytes, the caller's limit", r->path,
                         r->most);
    r->ended = got == 0;
    return RWA_OK;
}

rwa_status lines_next(struct lines *r, size_t limit, struct line *out, int *got, rwa_error *err)
{
    size_t seen = 0;
    const char *newline = NULL;
    *got = 0;
    for (;;) {
        const char *text = r->buffer + r->start;
        size_t have = r->end - r->start;
        newline = have > seen ? memchr(text + seen, '\n', have - seen) : NULL;
        size_t length = newline ? (size_t)(newline - text) : have;
        if (length > limit)
            return base_fail(err, RWA_FORMAT, "%s:%" PRIu64 ": line longer than %zu bytes", r->path,
                             r->number + 1, limit);
        if (newline || (r->ended && have > 0)) {
            r->number++;
            *out = (struct line){r->path, r->number, text, length, !newline};
            r->start += length + (newline != NULL);
            *got = 1;
            return RWA_OK;
        }
        if (r->ended)
            return RWA_OK;
        seen = have;
        MUST(fill(r, err));
    }
    return RWA_OK;
}
