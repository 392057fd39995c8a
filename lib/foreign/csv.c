/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One lightpath a line, orbits written out: for spreadsheets and scripts. */
#include "foreign/foreign.h"

struct csv {
    struct sink sink;
    const rwa_network *net;
};

static rwa_status add_line(void *data, const rwa_lightpath *lp)
{
    struct csv *c = data;
    rwa_status st = c->sink.used > SINK_BUFFER - 256 ? sink_flush(&c->sink) : RWA_OK;
    sink_put_member(&c->sink, "", lp->step);
    sink_put_member(&c->sink, ",", lp->src);
    sink_put_member(&c->sink, ",", lp->dst);
    sink_put_text(&c->sink, lp->direction == RWA_CCW ? ",ccw" : ",cw");
    sink_put_member(&c->sink, ",", lp->fiber);
    sink_put_member(&c->sink, ",", lp->wavelength);
    sink_put_member(&c->sink, ",", lp->block);
    sink_put_text(&c->sink, lp->op == RWA_REDUCE ? ",reduce" : ",copy");
    sink_put_member(&c->sink, ",", rwa_network_hops(c->net, lp->src, lp->dst, lp->direction));
    sink_put_text(&c->sink, "\n");
    return st;
}

static rwa_status write_csv(struct export_request *r)
{
    struct csv c = {.net = r->net};
    rwa_status st = export_needs_arcs(r, "csv");
    if (st != RWA_OK)
        return st;
    TRY(sink_open(&c.sink, r->path, r->err));
    sink_put_text(&c.sink, "step,src,dst,dir,fiber,wavelength,block,op,hops\n");
    for (uint32_t s = r->from; s <= r->to; s++) {
        TRY(export_go_on(r, s));
        TRY(export_each(r, s, add_line, &c));
    }
    TRY(sink_finish(&c.sink));
done:
    sink_drop(&c.sink);
    return st;
}

const struct export_format export_csv = {"csv", "a table: one lightpath a line, orbits written out", write_csv};
