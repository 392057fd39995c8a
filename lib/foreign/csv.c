/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One lightpath a line, orbits written out: for spreadsheets and scripts.  A comment before the heading holds the header of
 * the schedule file, so that import needs nothing else.
 */
#include "foreign/foreign.h"

#include "network/network.h"
#include "schedule/header.h"

struct csv {
    struct sink sink;
    const rwa_schedule *sched;
    const rwa_network *net;
    bool taps;              /* some lightpath has some: every line ends in a field of them */
};

static rwa_status reserve_line(struct csv *c)
{
    enum { LINE = 256 }; /* more than a line takes without its lists */
    return c->sink.used > SINK_BUFFER - LINE ? sink_flush(&c->sink) : RWA_OK;
}

/** Nodes of the record, as they are for the lightpath at hand, in one field, a blank between them. */
static rwa_status add_nodes(struct csv *c, const struct walk *w, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        MUST(reserve_line(c));
        sink_put_member(&c->sink, i > 0 ? " " : "", walk_node(w, list[i]));
    }
    return RWA_OK;
}

/** The blocks of all runs in one field. */
static rwa_status add_blocks(struct csv *c, const struct walk *w, const rwa_lists *lists)
{
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++) {
            MUST(reserve_line(c));
            sink_put_member(&c->sink, r + k > 0 ? " " : "", walk_block(w, lists->runs[r].first + (uint64_t)k * lists->runs[r].stride));
        }
    return RWA_OK;
}

/** The direction, or the nodes of the path; *hops is its number of hops. */
static rwa_status add_route(struct csv *c, const struct walk *w, const rwa_lists *lists, uint32_t *hops)
{
    const rwa_lightpath *lp = &w->lp;
    const uint32_t ends[2] = {w->whole.src, w->whole.dst};
    if (network_has_arcs(c->net)) {
        *hops = rwa_network_hops(c->net, lp->src, lp->dst, lp->direction);
        sink_put_text(&c->sink, lp->direction == RWA_CCW ? "ccw" : "cw");
        return RWA_OK;
    }
    *hops = lists->path_nodes > 0 ? lists->path_nodes - 1 : 1;
    return lists->path_nodes > 0 ? add_nodes(c, w, lists->path, lists->path_nodes) : add_nodes(c, w, ends, 2);
}

static rwa_status add_line(struct csv *c, const struct walk *w, const rwa_lists *lists)
{
    const rwa_lightpath *lp = &w->lp;
    uint32_t hops = 0;
    MUST(reserve_line(c));
    sink_put_member(&c->sink, "", lp->step);
    sink_put_member(&c->sink, ",", lp->src);
    sink_put_member(&c->sink, ",", lp->dst);
    sink_put_text(&c->sink, ",");
    MUST(add_route(c, w, lists, &hops));
    sink_put_member(&c->sink, ",", lp->fiber);
    sink_put_member(&c->sink, ",", lp->wavelength);
    if (lists->block_count > 0) {
        sink_put_text(&c->sink, ",");
        MUST(add_blocks(c, w, lists));
    } else {
        sink_put_member(&c->sink, ",", lp->block);
    }
    sink_put_text(&c->sink, lp->op == RWA_REDUCE ? ",reduce" : ",copy");
    sink_put_member(&c->sink, ",", hops);
    sink_put_text(&c->sink, c->taps ? "," : "");
    MUST(add_nodes(c, w, lists->taps, lists->tap_count));
    sink_put_text(&c->sink, "\n");
    return RWA_OK;
}

static rwa_status add_step(struct csv *c, uint32_t step)
{
    rwa_lists lists;
    rwa_status st = RWA_OK;
    for (struct walk w = walk_step(c->sched, step); st == RWA_OK && walk_next(&w);) {
        rwa_schedule_lists(&lists, c->sched, w.record);
        st = add_line(c, &w, &lists);
    }
    return st;
}

static rwa_status add_heading(struct csv *c)
{
    char *header = header_text(c->sched);
    rwa_status st = RWA_OK;
    if (!header)
        return base_fail(c->sink.err, RWA_NOMEM, "no memory for the heading, or a scheme's name that is not UTF-8");
    TRY(sink_write(&c->sink, "# ", 2));
    TRY(sink_write(&c->sink, header, strlen(header)));
    sink_put_text(&c->sink, network_has_arcs(c->net) ? "\nstep,src,dst,dir" : "\nstep,src,dst,path");
    sink_put_text(&c->sink, ",fiber,wavelength,block,op,hops");
    sink_put_text(&c->sink, c->taps ? ",taps\n" : "\n");
done:
    free(header);
    return st;
}

static rwa_status write_csv(struct export_request *r)
{
    struct csv c = {.sink.fd = -1, .sched = r->sched, .net = r->net, .taps = rwa_schedule_receivers(r->sched) > 1};
    rwa_status st = RWA_OK;
    TRY(sink_open_to(&c.sink, r->path, r->o.write, r->o.write_data, r->err));
    TRY(add_heading(&c));
    for (uint32_t s = r->from; s <= r->to; s++) {
        TRY(export_go_on(r, s));
        TRY(add_step(&c, s));
    }
    TRY(sink_finish(&c.sink));
done:
    sink_drop(&c.sink);
    return st;
}

const struct export_format export_csv = {"csv", "a table: one lightpath a line, orbits written out", write_csv};
