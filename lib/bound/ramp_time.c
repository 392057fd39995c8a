/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A broadcast, or a time-reversed reduce: in the first steps few nodes have data to send, and in the last steps few
 * nodes can still be informed.  docs/reference/bounds.md, "Time". */
#include "bound/demand.h"
#include "bound/graph.h"

/** How fast data of the root can spread, at most. */
struct ramp {
    double widest;      /* lightpaths out of a node in a step */
    double readers;     /* receivers of each of these */
    double informed;    /* nodes that one node informs in a step */
    double nodes;       /* nodes that may relay, including those that do not take part */
    double channels;    /* of all links */
};

static struct ramp ramp_of(const struct bound_case *c)
{
    struct ramp r = {.readers = c->drops, .nodes = c->nodes};
    if (c->capabilities & NETWORK_ONE_HOP)
        return (struct ramp){(double)one_hop_width(c), 1, (double)one_hop_ports(c), rwa_network_nodes(c->net),
                             INFINITY};
    r.widest = (double)(c->arcs ? 2 * c->channels : bound_graph_widest(c->graph, false));
    r.channels = (double)(c->arcs ? bound_links(c) * c->channels : c->graph->channels);
    r.nodes = c->arcs ? c->nodes : c->graph->nodes;
    r.widest = c->ports > 0 && c->ports < r.widest ? c->ports : r.widest;
    r.informed = r.readers * r.widest;
    return r;
}

double ramp_share(const struct bound_case *c, uint64_t steps, char *terms)
{
    enum {
        LAST_STEPS = 32,    /* before these a byte may still be at the root only: the holders at least double in each
                               step */
        TERMS_MOST = 3      /* after these the proof has only dots */
    };
    struct ramp r = ramp_of(c);
    double share = 0, before = 1;
    char at[RWA_ERROR_TEXT], able[RWA_ERROR_TEXT], sum[RWA_ERROR_TEXT];  /* lists in the proof */
    uint64_t first = 1; /* step that they begin with: the last one after which the root alone may hold a byte */
    *at = *able = *sum = '\0';
    assert(r.widest >= 1 && r.informed >= 1 && r.channels >= 1);
    for (uint64_t t = steps > LAST_STEPS ? steps - LAST_STEPS : 1; t <= steps; t++) {
        double holders = fmax(c->nodes / pow(1 + r.informed, (double)(steps - t)), 1);
        double senders = fmin(pow(1 + r.informed, (double)(t - 1)), r.nodes);
        double copies = (holders - before) / r.readers, channels = fmin(r.channels, senders * r.widest);
        share += copies / channels;
        before = holders;
        if (copies <= 0) {
            first = t;
            *at = *able = *sum = '\0';
        }
        if (terms && t < first + TERMS_MOST) {
            text_append(at, "%s%.6g", *at ? ", " : "", holders);
            text_append(able, "%s%.6g", *able ? ", " : "", senders);
            text_append(sum, "%s%.6g / %.6g", *sum ? " + " : "", copies, channels);
        }
    }
    const char *more = steps < first + TERMS_MOST ? "" : ", ...";
    text_append(terms, " (copies of a byte of one node multiply by up to %.6g a step, so %s%s or more must exist "
                "after steps %" PRIu64 " to %" PRIu64 ", on average, and %s%s nodes or fewer can send in these steps, "
                "on %.6g channels each, so late copies are cheapest), new copies by channels, step by step: %s%s",
                1 + r.informed, at, more, first, steps, able, more, r.widest, sum, *more ? " + ..." : "");
    return share;
}
