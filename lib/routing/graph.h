/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The routing graph: the arcs of a network and the links of the model that they use. */
#pragma once

#include "base/arena.h"
#include "rwa/demand.h"

/**
 * Arcs are the directed links of the network, with the same numbers.  Each arc uses one link of the model: itself, or
 * its fibre pair when undirected.  Failed links are no arcs.
 */
struct routing_graph {
    uint32_t nodes;
    uint32_t arcs;      /* all arc numbers are below this one; failed arcs are in no list */
    uint32_t links;     /* of the model */
    uint32_t *from, *to, *link;     /* of each arc */
    uint32_t *out_first, *out;      /* arcs that leave node v: out[out_first[v]] … out[out_first[v + 1] - 1],
                                       ascending */
    uint32_t *in_first, *in;        /* arcs that enter it, likewise */
    uint32_t *fibers;               /* of each link of the model */
    bool *failed;                   /* likewise */
    uint64_t *length;               /* of each arc: one hop, then kilometres to break ties */
    bool *closed;                   /* nodes that no route may pass */
    struct arena arena;
};

/** One hop of graph.length; the bits below count metres. */
#define GRAPH_HOP (UINT64_C(1) << 40)

/** Build the routing graph of a network in a model, with no node closed.  *graph starts as zeros; free it also after a
 *  failure.  RWA_NOMEM. */
rwa_status routing_graph_create(struct routing_graph *graph, const rwa_network *net, rwa_model model, rwa_error *err);
void routing_graph_free(struct routing_graph *graph);

/** The distance of a node that no path leads to. */
#define GRAPH_FAR UINT64_MAX

/** Lengths of arcs derived from integer link lengths: the length `<< GRAPH_HOP_BITS`; hops in the bits below break
 *  ties. */
enum { GRAPH_HOP_BITS = 24 };
static inline void graph_lengthen(uint64_t *length, const struct routing_graph *graph, const uint32_t *link_length)
{
    for (uint32_t a = 0; a < graph->arcs; a++)
        length[a] = ((uint64_t)link_length[graph->link[a]] << GRAPH_HOP_BITS) + 1;
}
