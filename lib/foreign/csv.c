/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One lightpath a line, orbits written out: for spreadsheets and scripts.  A comment before the heading holds the
 * header of the schedule file, so that import needs nothing else.
 */
#include "foreign/foreign.h"

#include "network/network.h"
#include "schedule/header.h"

struct csv {
    struct sink *sink;
    const rwa_schedule *sched;
    const rwa_network *net;
    bool taps;              /* some lightpath has taps: every line ends with a field for them */
};

/** Add nodes of a record as one field, separated by blanks and translated to the current lightpath of the orbit. */
static void add_nodes(struct csv *c, const struct walk *w, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sink_put(c->sink, "%s%u", i > 0 ? " " : "", walk_node(w, list[i]));
}

/** Add the blocks of the current lightpath as one field, separated by blanks. */
static void add_blocks(struct csv *c, const struct walk *w, const rwa_lists *lists)
{
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++)
            sink_put(c->sink, "%s%" PRIu64, r + k > 0 ? " " : "",
                     walk_block(w, lists->runs[r].first + (uint64_t)k * lists->runs[r].stride));
}

/** Add the direction (ring or line) or the nodes of the path as one field, and return the hops of the route. */
static uint32_t add_route(struct csv *c, const struct walk *w, const rwa_lists *lists)
{
    const rwa_lightpath *lp = &w->lp;
    const uint32_t ends[2] = {w->whole.src, w->whole.dst};
    if (network_has_arcs(c->net)) {
        sink_put(c->sink, "%s", export_direction(lp->direction));
        return rwa_network_hops(c->net, lp->src, lp->dst, lp->direction);
    }
    add_nodes(c, w, lists->path_nodes > 0 ? lists->path : ends, lists->path_nodes > 0 ? lists->path_nodes : 2);
    return lists->path_nodes > 0 ? lists->path_nodes - 1 : 1;
}

static void add_line(struct csv *c, const struct walk *w, const rwa_lists *lists)
{
    const rwa_lightpath *lp = &w->lp;
    sink_put(c->sink, "%u,%u,%u,", lp->step, lp->src, lp->dst);
    uint32_t hops = add_route(c, w, lists);
    sink_put(c->sink, ",%u,%u,", lp->fiber, lp->wavelength);
    if (lists->block_count > 0)
        add_blocks(c, w, lists);
    else
        sink_put(c->sink, "%" PRIu64, lp->block);
    sink_put(c->sink, ",%s,%u%s", lp->op == RWA_REDUCE ? "reduce" : "copy", hops, c->taps ? "," : "");
    add_nodes(c, w, lists->taps, lists->tap_count);
    sink_put(c->sink, "\n");
}

static rwa_status add_step(struct csv *c, uint32_t step)
{
    rwa_lists lists;
    for (struct walk w = walk_step(c->sched, step); c->sink->status == RWA_OK && walk_next(&w);) {
        rwa_schedule_lists(&lists, c->sched, w.record);
        add_line(c, &w, &lists);
    }
    return c->sink->status;
}

static rwa_status add_heading(struct csv *c)
{
    char *header;
    rwa_status st = header_text(&header, c->sched, c->sink->err);
    TRY(st);
    TRY(sink_write(c->sink, "# ", 2));
    TRY(sink_write(c->sink, header, strlen(header)));
    sink_put(c->sink, "\nstep,src,dst,%s,fiber,wavelength,block,op,hops%s\n", network_has_arcs(c->net) ? "dir" : "path",
             c->taps ? ",taps" : "");
done:
    free(header);
    return st;
}

static rwa_status put_csv(struct output *out, struct export_request *r)
{
    struct csv c = {.sink = &out->sink, .sched = r->sched, .net = r->net, .taps = rwa_schedule_receivers(r->sched) > 1};
    MUST(add_heading(&c));
    for (uint32_t s = r->from; s <= r->to; s++) {
        MUST(export_go_on(r, s));
        MUST(add_step(&c, s));
    }
    return RWA_OK;
}

const struct export_format export_csv = {"csv", "a table: one lightpath a line, orbits written out", put_csv, NULL, 0};
