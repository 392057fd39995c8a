/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Read a schedule file: the header, then record by record. */
#include "rwa/io.h"

#include "base/limits.h"
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

/* A record may list the nodes of its path. */
enum { RECORD_MAX = 1 << 20 };

struct rwa_reader {
    struct lines lines;
    rwa_header header;
    struct scan_rules rules;
    struct scan_lists found;
};

static rwa_status read_header(rwa_reader *r, const rwa_limits *limits, rwa_error *err)
{
    struct line line;
    const rwa_header *h = &r->header;
    int got = 0;
    MUST(lines_next(&r->lines, HEADER_MAX, &line, &got, err));
    if (!got)
        return base_fail(err, RWA_FORMAT, "%s:1: empty, expected the header of a schedule", r->lines.path);
    MUST(header_read(&r->header, &line, limits, err));
    r->rules = (struct scan_rules){rwa_network_channels(h->network), !network_has_arcs(h->network), h->version};
    return RWA_OK;
}

rwa_status rwa_reader_open(rwa_reader **out, const char *path, const rwa_limits *theirs, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    rwa_limits limits;
    rwa_reader *r = NULL;
    rwa_status st = limits_take(&limits, theirs, err);
    if (st != RWA_OK)
        return st;
    MUST(base_new(r, 1, err));
    TRY(lines_open(&r->lines, path, err));
    r->lines.most = limits.file_bytes;
    TRY(read_header(r, &limits, err));
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
    header_release(&r->header);
    scan_release(&r->found);
    lines_close(&r->lines);
    free(r);
}

GETTER_ADDRESS(rwa_header, rwa_reader_header, rwa_reader, header)
GETTER(uint64_t, rwa_reader_line, rwa_reader, lines.number)

rwa_status rwa_reader_next(rwa_lightpath *out, int *got, rwa_reader *reader, rwa_error *err)
{
    BEGIN(err, out, got, reader);
    struct line line;
    rwa_status st = RWA_OK;
    TRY(lines_next(&reader->lines, RECORD_MAX, &line, got, err));
    if (*got) {
        st = scan_record(out, &reader->found, &line, &reader->rules, err);
        *got = st == RWA_OK;
    }
done:
    return st;
}

void rwa_reader_lists(rwa_lists *out, const rwa_reader *r)
{
    scan_found(out, &r->found);
}

static rwa_status add_records(rwa_schedule *sched, rwa_reader *r, rwa_error *err)
{
    const rwa_header *h = &r->header;
    rwa_lightpath lp;
    rwa_lists lists;
    int got = 0;
    for (;;) {
        MUST(rwa_reader_next(&lp, &got, r, err));
        if (!got)
            break;
        rwa_reader_lists(&lists, r);
        MUST(base_blame(lists.block_count > h->lightpath_blocks
                            ? base_refuse(err, "%u blocks, expected at most the header's %u slots", lists.block_count,
                                          h->lightpath_blocks)
                            : rwa_schedule_add_lists(sched, &lp, &lists, err),
                        r->lines.path, r->lines.number, err));
    }
    return sched->steps == h->steps ? rwa_schedule_cut_epochs(sched, h->cuts, h->cut_count, err)
           : base_fail(err, RWA_FORMAT, "%s:%" PRIu64 ": the file ends after step %u, expected the header's %u steps",
                       r->lines.path, r->lines.number, sched->steps, h->steps);
}

rwa_status rwa_schedule_read(rwa_schedule **out, const char *path, const rwa_limits *limits, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    rwa_reader *r = NULL;
    rwa_status st = RWA_OK;
    TRY(rwa_reader_open(&r, path, limits, err));
    const rwa_header *h = &r->header;
    TRY(rwa_schedule_create_among(out, h->network, &h->collective, h->members, h->scheme, err));
    TRY(add_records(*out, r, err));
    schedule_check(*out);
done:
    rwa_reader_free(r);
    return schedule_keep(out, st);
}
