/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/graph.h"

#include "network/network.h"

static rwa_status graph_allocate(struct routing_graph *r, rwa_error *err)
{
    r->arena.err = err;
    arena_arrays(&r->arena, r->arcs, r->from, r->to, r->link, r->length, r->out, r->in);
    arena_arrays(&r->arena, (size_t)r->nodes + 1, r->out_first, r->in_first);
    arena_arrays(&r->arena, r->links, r->fibers, r->failed);
    return arena_arrays(&r->arena, r->nodes, r->closed);
}

void routing_graph_free(struct routing_graph *r)
{
    arena_free(&r->arena);
    memset(r, 0, sizeof *r);
}

static void take_links(struct routing_graph *r, const rwa_network *net, rwa_model model)
{
    for (uint32_t a = 0; a < r->arcs; a++) {
        rwa_link link = rwa_network_link(net, a);
        double metres = link.length_km * 1000;
        r->from[a] = link.from;
        r->to[a] = link.to;
        r->link[a] = network_carrier(net, a, model);
        if (r->fibers[r->link[a]] == 0 || link.fibers < r->fibers[r->link[a]])
            r->fibers[r->link[a]] = link.fibers; /* a pair has as many fibres as its direction with fewer */
        r->length[a] = GRAPH_HOP + (metres < 4e9 ? (uint64_t)metres : UINT32_MAX);
    }
}

/* Set r->failed[l] for each link of the model that a failed directed link belongs to.  In the undirected model that is
 * a fibre pair, which fails with either direction. */
static void mark_failed(struct routing_graph *r, const rwa_network *net)
{
    rwa_faults faults = network_faults(net);
    for (size_t i = 0; i < faults.link_count; i++)
        r->failed[r->link[faults.links[i]]] = true;
}

/* List the arcs that have not failed by the node at one of their ends, end[arc]: node v gets list[first[v]] …
 * list[first[v + 1] - 1], in ascending order.  first: zeros before. */
static void index_arcs(const struct routing_graph *r, const uint32_t *end, uint32_t *first, uint32_t *list)
{
    for (uint32_t a = 0; a < r->arcs; a++)
        first[end[a] + 1] += !r->failed[r->link[a]];
    for (uint32_t v = 0; v < r->nodes; v++)
        first[v + 1] += first[v];
    for (uint32_t a = 0; a < r->arcs; a++)
        if (!r->failed[r->link[a]])
            list[first[end[a]]++] = a;
    for (uint32_t v = r->nodes; v > 0; v--) /* each index has moved to where the next node begins */
        first[v] = first[v - 1];
    first[0] = 0;
}

rwa_status routing_graph_create(struct routing_graph *r, const rwa_network *net, rwa_model model, rwa_error *err)
{
    assert(!r->from);
    r->nodes = rwa_network_nodes(net);
    r->arcs = rwa_network_links(net);
    r->links = model == RWA_UNDIRECTED ? rwa_network_pairs(net) : r->arcs;
    MUST(graph_allocate(r, err));
    take_links(r, net, model);
    mark_failed(r, net);
    index_arcs(r, r->from, r->out_first, r->out);
    index_arcs(r, r->to, r->in_first, r->in);
    return RWA_OK;
}
