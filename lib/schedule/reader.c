/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/io.h"

#include "base/base.h"
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"
#include "schedule/source.h"

#include <stdlib.h>
#include <string.h>

/* A record may list the nodes of its path. */
enum { RECORD_MAX = 1 << 20, CHUNK = 1 << 16 };

struct rwa_reader {
    struct source *source;
    char *path;
    char *buffer;
    size_t room;            /* of the buffer */
    size_t start, end;      /* what is read and not yet used */
    bool ended;
    uint64_t line;
    struct header header;
    struct scan_rules rules;
    struct scan_lists lists;
};

/* ---- lines ---- */

/** Read one more chunk behind what is there. */
static rwa_status fill(rwa_reader *r, rwa_error *err)
{
    size_t got = 0;
    rwa_status st = RWA_OK;
    if (r->start > 0)
        memmove(r->buffer, r->buffer + r->start, r->end - r->start);
    r->end -= r->start;
    r->start = 0;
    TRY(base_grow((void **)&r->buffer, &r->room, r->end + CHUNK, 1, err));
    TRY(source_read(r->source, r->buffer + r->end, CHUNK, &got, r->line, err));
    r->end += got;
    r->ended = got == 0;
done:
    return st;
}

static rwa_status too_long(const rwa_reader *r, size_t limit, rwa_error *err)
{
    return base_fail(err, RWA_FORMAT, "%s:%llu: line longer than %zu bytes", r->path, (unsigned long long)r->line + 1,
                     limit);
}

/** The next line, valid until the next call; *got is 0 at the end of the file. */
static rwa_status next_line(rwa_reader *r, size_t limit, struct scan_line *out, int *got, rwa_error *err)
{
    size_t seen = 0;
    const char *newline = NULL;
    rwa_status st = RWA_OK;
    *got = 0;
    for (;;) {
        const char *text = r->buffer + r->start;
        size_t have = r->end - r->start;
        newline = have > seen ? memchr(text + seen, '\n', have - seen) : NULL;
        size_t length = newline ? (size_t)(newline - text) : have;
        if (length > limit)
            return too_long(r, limit, err);
        if (newline || (r->ended && have > 0)) {
            r->line++;
            *out = (struct scan_line){r->path, r->line, text, length, !newline};
            r->start += length + (newline != NULL);
            *got = 1;
            return RWA_OK;
        }
        if (r->ended)
            return RWA_OK;
        seen = have;
        TRY(fill(r, err));
    }
done:
    return st;
}

static rwa_status read_header(rwa_reader *r, rwa_error *err)
{
    struct scan_line line;
    int got = 0;
    rwa_status st = RWA_OK;
    TRY(next_line(r, HEADER_MAX, &line, &got, err));
    if (!got)
        return base_fail(err, RWA_FORMAT, "%s:1: empty, expected the header of a schedule", r->path);
    TRY(header_read(&r->header, &line, err));
    r->rules = (struct scan_rules){rwa_network_channels(r->header.net), !network_has_arcs(r->header.net),
                                   r->header.version == 2};
done:
    return st;
}

/* ---- public ---- */

rwa_status rwa_reader_open(rwa_reader **out, const char *path, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    *out = NULL;
    rwa_reader *r = base_array(1, sizeof *r, err);
    if (!r)
        return st;
    r->path = base_copy_text(path, err);
    if (!r->path)
        goto done;
    TRY(source_open(&r->source, path, err));
    TRY(read_header(r, err));
    *out = r;
    r = NULL;
done:
    rwa_reader_free(r);
    return st;
}

void rwa_reader_free(rwa_reader *r)
{
    if (!r)
        return;
    source_free(r->source);
    header_release(&r->header);
    scan_release(&r->lists);
    free(r->buffer);
    free(r->path);
    free(r);
}

const rwa_network *rwa_reader_network(const rwa_reader *r)
{
    return r->header.net;
}

const rwa_collective *rwa_reader_collective(const rwa_reader *r)
{
    return &r->header.coll;
}

const uint32_t *rwa_reader_members(const rwa_reader *r)
{
    return r->header.members;
}

const char *rwa_reader_scheme(const rwa_reader *r)
{
    return r->header.scheme;
}

uint32_t rwa_reader_steps(const rwa_reader *r)
{
    return r->header.steps;
}

uint32_t rwa_reader_slots(const rwa_reader *r)
{
    return r->header.slots;
}

uint64_t rwa_reader_line(const rwa_reader *r)
{
    return r->line;
}

rwa_status rwa_reader_next(rwa_reader *r, rwa_lightpath *out, int *got, rwa_error *err)
{
    struct scan_line line;
    rwa_status st = RWA_OK;
    TRY(next_line(r, RECORD_MAX, &line, got, err));
    if (*got) {
        st = scan_record(out, &r->lists, &line, &r->rules, err);
        *got = st == RWA_OK;
    }
done:
    return st;
}

void rwa_reader_lists(const rwa_reader *r, rwa_lists *out)
{
    const struct scan_lists *l = &r->lists;
    *out = (rwa_lists){l->path.count ? l->path.words : NULL, l->path.count, l->blocks.count ? l->blocks.words : NULL,
                       l->blocks.count, l->taps.count ? l->taps.words : NULL, l->taps.count};
}

/** What the file says wrongly is its format's fault, not the caller's. */
static rwa_status blame_record(const rwa_reader *r, rwa_status st, const rwa_error *why, rwa_error *err)
{
    if (st == RWA_OK)
        return RWA_OK;
    return base_fail(err, st == RWA_BADARG ? RWA_FORMAT : st, "%s:%llu: %s", r->path, (unsigned long long)r->line,
                     why->text);
}

static rwa_status add_records(rwa_schedule *sched, rwa_reader *r, rwa_error *err)
{
    rwa_lightpath lp;
    rwa_lists lists;
    int got = 0;
    rwa_status st = RWA_OK;
    schedule_set_slots(sched, r->header.slots);
    for (;;) {
        rwa_error why = {0};
        TRY(rwa_reader_next(r, &lp, &got, err));
        if (!got)
            break;
        rwa_reader_lists(r, &lists);
        st = rwa_schedule_add_lists(sched, &lp, &lists, &why);
        TRY(blame_record(r, st, &why, err));
    }
    if (rwa_schedule_steps(sched) != r->header.steps)
        st = base_fail(err, RWA_FORMAT, "%s:%llu: the file ends after step %u, expected the header's %u steps", r->path,
                       (unsigned long long)r->line, rwa_schedule_steps(sched), r->header.steps);
done:
    return st;
}

rwa_status rwa_schedule_read(rwa_schedule **out, const char *path, rwa_error *err)
{
    rwa_reader *r = NULL;
    rwa_schedule *sched = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(rwa_reader_open(&r, path, err));
    TRY(rwa_schedule_create_among(&sched, r->header.net, &r->header.coll, r->header.members, r->header.scheme, err));
    TRY(add_records(sched, r, err));
    *out = sched;
    sched = NULL;
done:
    rwa_schedule_free(sched);
    rwa_reader_free(r);
    return st;
}
