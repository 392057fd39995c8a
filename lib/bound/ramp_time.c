/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A broadcast: in the first steps few nodes have anything to send, and in the last ones few can be informed.  docs/bounds.md, "Time". */
#include "bound/demand.h"
#include "bound/graph.h"

/** The most lightpaths out of a node in a step. */
static double widest_out(const struct bound_case *c)
{
    double widest = (double)(c->arcs ? 2 * c->channels : bound_graph_widest(c->graph, false));
    return c->ports > 0 && c->ports < widest ? c->ports : widest;
}

/** Nodes that may pass something on, with those that do not take part. */
static double all_nodes(const struct bound_case *c)
{
    return c->arcs ? c->nodes : c->graph->nodes;
}

static double all_channels(const struct bound_case *c)
{
    return (double)(c->arcs ? bound_links(c) * c->channels : c->graph->channels);
}

double ramp_share(const struct bound_case *c, uint64_t steps)
{
    enum { LAST_STEPS = 32 }; /* before them a byte may still be at the root alone: holders at least double */
    double widest = widest_out(c), readers = c->drops, times = 1 + readers * widest, share = 0, before = 1;
    double channels = all_channels(c);
    assert(widest >= 1 && channels >= 1);
    for (uint64_t t = steps > LAST_STEPS ? steps - LAST_STEPS : 1; t <= steps; t++) {
        double holders = fmax(c->nodes / pow(times, (double)(steps - t)), 1), senders = fmin(pow(times, (double)(t - 1)), all_nodes(c));
        share += (holders - before) / readers / fmin(channels, senders * widest);
        before = holders;
    }
    return share;
}
