/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Write a schedule file: the header, then record by record. */
#include "rwa/io.h"

#include "base/sink.h"
#include "network/listing.h"
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

static rwa_status write_header(struct sink *s, const rwa_schedule *sched)
{
    struct text header = {.err = s->text.err};
    header_add(&header, sched);
    if (header.status == RWA_OK && header.used > HEADER_MAX)
        header.status =
            base_refuse(header.err, "%s: the links of this network take more than %d bytes", s->path, HEADER_MAX);
    text_put(&header, "\n");
    text_add_part(&s->text, &header);
    return s->text.status;
}

/** Write the blocks of all runs: ,"blocks":[…] */
static void put_blocks(struct text *t, const rwa_lists *lists)
{
    const char *before = ",\"blocks\":[";
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++, before = ",")
            text_put(t, "%s%u", before, lists->runs[r].first + k * lists->runs[r].stride);
    text_put(t, "]");
}

/** Write the runs of blocks: ,"runs":[[first,count,stride],…] */
static void put_runs(struct text *t, const rwa_lists *lists)
{
    for (uint32_t r = 0; r < lists->run_count; r++) {
        const rwa_run *run = &lists->runs[r];
        text_put(t, "%s[%u,%u,%u]", r == 0 ? ",\"runs\":[" : ",", run->first, run->count, run->stride);
    }
    text_put(t, "]");
}

/** Write the route: a direction on rings and lines, else the nodes of the path. */
static void put_route(struct text *t, const rwa_lightpath *lp, const rwa_lists *lists, bool arcs)
{
    uint32_t ends[2] = {lp->src, lp->dst};
    if (arcs)
        text_put(t, ",\"dir\":\"%s\"", lp->direction == RWA_CCW ? "ccw" : "cw");
    else
        listing_numbers(t, "path", lists->path ? lists->path : ends, lists->path ? lists->path_nodes : 2);
}

static void put_record(struct text *t, const rwa_lightpath *lp, const rwa_lists *lists, bool arcs, bool reduction)
{
    text_put(t, "{\"step\":%u,\"src\":%u,\"dst\":%u", lp->step, lp->src, lp->dst);
    put_route(t, lp, lists, arcs);
    text_put(t, ",\"fiber\":%u,\"wavelength\":%u", lp->fiber, lp->wavelength);
    if (lists_are_runs(lists))
        put_runs(t, lists);
    else if (lists->run_count > 0)
        put_blocks(t, lists);
    else
        text_put(t, ",\"block\":%" PRIu64, lp->block);
    listing_numbers(t, "taps", lists->taps, lists->tap_count);
    if (reduction)
        text_put(t, ",\"op\":\"%s\"", lp->op == RWA_REDUCE ? "reduce" : "copy");
    if (lp->orbit > 1)
        text_put(t, ",\"orbit\":%u,\"period\":%u", lp->orbit, lp->period);
    text_put(t, "}\n");
}

/** Return the first failure while writing, or RWA_CANCELLED if the budget tells to stop. */
static rwa_status go_on(const struct sink *s, struct budget *budget, double fraction)
{
    MUST(s->text.status);
    return base_must_stop(budget, "writing", fraction)
               ? base_fail(s->text.err, RWA_CANCELLED, "%s: writing was stopped; there is no file", s->path) : RWA_OK;
}

static rwa_status write_all(struct sink *s, const rwa_schedule *sched, struct budget *budget)
{
    enum { POLL_EVERY = 1024 };
    bool reduction = rwa_collective_is_reduction(sched->coll.kind), arcs = network_has_arcs(sched->net);
    MUST(write_header(s, sched));
    for (uint64_t i = 0; i < sched->count; i++) {
        rwa_lightpath lp = schedule_lightpath(sched, i);
        rwa_lists lists = schedule_lists(sched, i);
        if (i % POLL_EVERY == 0)
            MUST(go_on(s, budget, (double)i / (double)sched->count));
        put_record(&s->text, &lp, &lists, arcs, reduction);
    }
    MUST(go_on(s, budget, 1));
    return sink_finish(s);
}

/** Write the schedule to the file at `path`, or, if `write` is given, by calls of write() with `data`. */
static rwa_status write_to(const rwa_schedule *sched, const char *path, rwa_write write, void *data,
                           struct budget budget, rwa_error *err)
{
    struct sink s;
    rwa_status st = sink_open_to(&s, path, write, data, err);
    if (st == RWA_OK)
        st = write_all(&s, sched, &budget);
    sink_drop(&s);
    return st;
}

rwa_status rwa_schedule_write_polled(const rwa_schedule *sched, const char *path, rwa_poll poll, void *data,
                                     rwa_error *err)
{
    BEGIN(err, sched, path);
    return write_to(sched, path, NULL, NULL, base_budget(0, poll, data), err);
}

rwa_status rwa_schedule_stream(const rwa_schedule *sched, rwa_write write, void *data, rwa_error *err)
{
    BEGIN(err, sched, write);
    return write_to(sched, NULL, write, data, base_budget(0, NULL, NULL), err);
}

rwa_status rwa_schedule_write(const rwa_schedule *sched, const char *path, rwa_error *err)
{
    return rwa_schedule_write_polled(sched, path, NULL, NULL, err);
}
