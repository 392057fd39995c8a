/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib native format: the network, and what the lightpaths of a step (or of all steps) ask of it. */
#include "foreign/foreign.h"

#include "network/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct demands {
    struct export_request *r;
    struct text *t;
    uint64_t count;
    bool paths;         /* second pass: their routes */
};

static const double pi = 3.14159265358979323846;

static void add_nodes(struct text *t, const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net);
    bool ring = network_is_cycle(net);
    text_add(t, "NODES (\n");
    for (uint32_t v = 0; v < nodes; v++) {
        double turn = 2 * pi * v / nodes;
        text_add(t, "  n%" PRIu32 " ( %.4f %.4f )\n", v, ring ? cos(turn) : (double)v, ring ? sin(turn) : 0.0);
    }
    text_add(t, ")\n");
}

/** Each direction is a link of its own: the format has no directed links. */
static void add_links(struct text *t, const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net);
    double capacity = rwa_network_channels(net) * rwa_network_rate_bps(net) / 1e9;
    text_add(t, "LINKS (\n");
    for (uint32_t l = 0; l < rwa_network_pairs(net); l++) {
        uint32_t next = l + 1 == nodes ? 0 : l + 1;
        text_add(t, "  cw_%" PRIu32 " ( n%" PRIu32 " n%" PRIu32 " ) %.2f 0.00 1.00 0.00 ( )\n", l, l, next, capacity);
        text_add(t, "  ccw_%" PRIu32 " ( n%" PRIu32 " n%" PRIu32 " ) %.2f 0.00 1.00 0.00 ( )\n", l, next, l, capacity);
    }
    text_add(t, ")\n");
}

static void add_path(struct text *t, const rwa_network *net, const rwa_lightpath *lp)
{
    uint32_t links = rwa_network_pairs(net), hops = rwa_network_hops(net, lp->src, lp->dst, lp->direction);
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->src == 0 ? links - 1 : lp->src - 1;
    for (uint32_t k = 0; k < hops; k++) {
        text_add(t, "%s_%" PRIu32 " ", lp->direction == RWA_CW ? "cw" : "ccw", link);
        link = lp->direction == RWA_CW ? (link + 1 == links ? 0 : link + 1) : (link == 0 ? links - 1 : link - 1);
    }
}

static rwa_status add_demand(void *data, const rwa_lightpath *lp)
{
    struct demands *d = data;
    uint64_t id = d->count++;
    if (d->paths) {
        text_add(d->t, "  lp%" PRIu64 " (\n    p%" PRIu64 " ( ", id, id);
        add_path(d->t, d->r->net, lp);
        text_add(d->t, ")\n  )\n");
    } else {
        text_add(d->t, "  lp%" PRIu64 " ( n%" PRIu32 " n%" PRIu32 " ) 1 %.2f UNLIMITED\n", id, lp->src, lp->dst,
                 rwa_network_rate_bps(d->r->net) / 1e9);
    }
    return d->t->status;
}

static rwa_status add_section(struct export_request *r, struct text *t, bool paths)
{
    struct demands d = {.r = r, .t = t, .paths = paths};
    rwa_status st = RWA_OK;
    text_add(t, paths ? "ADMISSIBLE_PATHS (\n" : "DEMANDS (\n");
    for (uint32_t step = r->from; step <= r->to; step++) {
        TRY(export_go_on(r, step));
        TRY(export_each(r, step, add_demand, &d));
    }
    text_add(t, ")\n");
done:
    return st;
}

static rwa_status write_sndlib(struct export_request *r)
{
    struct text t = {.err = r->err};
    rwa_status st = RWA_OK;
    TRY(export_needs_arcs(r, "sndlib"));
    text_add(&t, "?SNDlib native format; type: network; version: 1.0\n"
             "# one demand a lightpath, in Gbit/s; cw_ and ccw_ links are directed\n");
    text_add(&t, "META (\n  granularity = step\n  origin = librwa: directed links, steps %" PRIu32 " to %" PRIu32 "\n)\n", r->from, r->to);
    add_nodes(&t, r->net);
    add_links(&t, r->net);
    TRY(add_section(r, &t, false));
    TRY(add_section(r, &t, true));
    TRY(t.status);
    TRY(base_save(r->path, t.data, t.used, r->err));
done:
    free(t.data);
    return st;
}

const struct export_format export_sndlib = {"sndlib", "SNDlib native network, demands and routes", write_sndlib};
