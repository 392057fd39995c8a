/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/io.h"

#include "base/sink.h"
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

static rwa_status write_header(struct sink *s, const rwa_schedule *sched)
{
    char *text;
    rwa_status st = header_text(&text, sched, s->err);
    TRY(st);
    if (strlen(text) > HEADER_MAX)
        TRY(base_refuse(s->err, "%s: the links of this network take more than %d bytes", s->path, HEADER_MAX));
    TRY(sink_write(s, text, strlen(text)));
    TRY(sink_write(s, "\n", 1));
done:
    free(text);
    return st;
}

/** Write an array of numbers after `name`: ,"name":[1,2,3] */
static void put_list(struct sink *s, const char *name, const uint32_t *words, uint32_t count)
{
    sink_put(s, "%s", name);
    for (uint32_t i = 0; i < count; i++)
        sink_put(s, "%s%u", i == 0 ? "[" : ",", words[i]);
    sink_put(s, "]");
}

/** Write ,"blocks":[…] with the blocks of all runs. */
static void put_blocks(struct sink *s, const rwa_lists *lists)
{
    const char *before = ",\"blocks\":[";
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++, before = ",")
            sink_put(s, "%s%u", before, lists->runs[r].first + k * lists->runs[r].stride);
    sink_put(s, "]");
}

/** Write ,"runs":[[first,count,stride],…] */
static void put_runs(struct sink *s, const rwa_lists *lists)
{
    for (uint32_t r = 0; r < lists->run_count; r++)
        put_list(s, r == 0 ? ",\"runs\":[" : ",", (const uint32_t *)&lists->runs[r], 3);
    sink_put(s, "]");
}

/** Write the route: a direction on rings and lines, else the nodes of the path. */
static void put_route(struct sink *s, const rwa_lightpath *lp, const rwa_lists *lists, bool arcs)
{
    uint32_t ends[2] = {lp->src, lp->dst};
    if (arcs)
        sink_put(s, ",\"dir\":\"%s\"", lp->direction == RWA_CCW ? "ccw" : "cw");
    else
        put_list(s, ",\"path\":", lists->path ? lists->path : ends, lists->path ? lists->path_nodes : 2);
}

static void put_record(struct sink *s, const rwa_lightpath *lp, const rwa_lists *lists, bool arcs, bool reduction)
{
    sink_put(s, "{\"step\":%u,\"src\":%u,\"dst\":%u", lp->step, lp->src, lp->dst);
    put_route(s, lp, lists, arcs);
    sink_put(s, ",\"fiber\":%u,\"wavelength\":%u", lp->fiber, lp->wavelength);
    if (lists_are_runs(lists))
        put_runs(s, lists);
    else if (lists->run_count > 0)
        put_blocks(s, lists);
    else
        sink_put(s, ",\"block\":%" PRIu64, lp->block);
    if (lists->tap_count > 0)
        put_list(s, ",\"taps\":", lists->taps, lists->tap_count);
    if (reduction)
        sink_put(s, ",\"op\":\"%s\"", lp->op == RWA_REDUCE ? "reduce" : "copy");
    if (lp->orbit > 1)
        sink_put(s, ",\"orbit\":%u,\"period\":%u", lp->orbit, lp->period);
    sink_put(s, "}\n");
}

static rwa_status ask(struct sink *s, struct budget *budget, double fraction)
{
    if (base_must_stop(budget, "writing", fraction))
        return base_fail(s->err, RWA_CANCELLED, "%s: writing was stopped; there is no file", s->path);
    return RWA_OK;
}

static rwa_status write_records(struct sink *s, const rwa_schedule *sched, struct budget *budget)
{
    rwa_collective_kind kind = rwa_schedule_collective(sched)->kind;
    bool reduction = rwa_collective_is_reduction(kind);
    bool arcs = network_has_arcs(rwa_schedule_network(sched));
    uint64_t records = rwa_schedule_records(sched);
    for (uint64_t i = 0; i < records; i++) {
        rwa_lightpath lp = schedule_lightpath(sched, i);
        rwa_lists lists = schedule_lists(sched, i);
        if (s->used > SINK_BUFFER - 2 * PLAIN_MOST) {
            MUST(ask(s, budget, (double)i / (double)records));
            MUST(sink_flush(s));
        }
        put_record(s, &lp, &lists, arcs, reduction);
    }
    return RWA_OK;
}

static rwa_status write_all(struct sink *s, const rwa_schedule *sched, struct budget *budget)
{
    MUST(write_header(s, sched));
    MUST(write_records(s, sched, budget));
    MUST(ask(s, budget, 1));
    return sink_finish(s);
}

/** Write to the file at a path, or, if given, with the caller's function. */
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
