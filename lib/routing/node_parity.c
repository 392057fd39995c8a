/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/odd_cuts.h"

/* Amount times distance, added up; GRAPH_FAR: a pair has no path. */
static rwa_status total_distance(uint64_t *sum, const struct routing_graph *g, const struct traffic *t, const uint32_t *length,
                                 rwa_error *err)
{
    bool all;
    uint64_t *dist = base_array(t->pairs, sizeof *dist, err);
    rwa_status st = dist ? traffic_distances(dist, &all, length, NULL, g, t, err) : RWA_NOMEM;
    *sum = 0;
    for (size_t i = 0; i < t->pairs && st == RWA_OK && *sum != GRAPH_FAR; i++)
        *sum = dist[i] == GRAPH_FAR ? GRAPH_FAR : *sum + t->amount[i] * dist[i];
    free(dist);
    return st;
}

/* Whether the channels at a node and the lightpaths that end there, `ends`, are not both even or both odd. */
static bool wastes_channel(const struct routing_graph *g, uint32_t node, uint64_t ends, uint64_t wavelengths)
{
    uint64_t channels = 0;
    for (uint32_t k = g->out_first[node]; k < g->out_first[node + 1]; k++)
        channels += g->fibers[g->link[g->out[k]]] * wavelengths;
    return (channels + ends) % 2 == 1;
}

static uint32_t shortest_link(const struct routing_graph *g, uint32_t node, const uint32_t *length)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t k = g->out_first[node]; k < g->out_first[node + 1]; k++)
        least = length[g->link[g->out[k]]] < least ? length[g->link[g->out[k]]] : least;
    return least;
}

static rwa_status add_node(struct odd_cuts *out, uint32_t node, uint32_t weight)
{
    uint32_t *nodes = arena_new(&out->arena, nodes, 1);
    MUST(nodes ? RWA_OK : RWA_NOMEM);
    nodes[0] = node;
    out->sets[out->set_count++] = (rwa_odd_set){weight, nodes, 1};
    return RWA_OK;
}

/* Lengths are doubled, so that each end of a link may weigh as much as it is long. */
static rwa_status weigh_nodes(struct odd_cuts *out, uint64_t *lost, const struct routing_graph *g, const uint64_t *ends,
                              const uint32_t *length, uint64_t wavelengths)
{
    *lost = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        bool wastes = g->out_first[v] < g->out_first[v + 1] && wastes_channel(g, v, ends[v], wavelengths);
        uint32_t weight = wastes ? shortest_link(g, v, length) : 0;
        *lost += weight;
        if (weight > 0)
            MUST(add_node(out, v, weight));
    }
    for (uint32_t l = 0; l < g->links; l++)
        out->length[l] = 2 * length[l];
    return RWA_OK;
}

rwa_status odd_cuts_at_nodes(struct odd_cuts *out, const struct routing_graph *graph, const struct traffic *traffic, const uint32_t *length,
                             uint64_t wavelengths, rwa_error *err)
{
    assert(!traffic->twice && wavelengths > 0);
    uint64_t used = 0, offered = 0, lost = 0, *ends = NULL;
    out->arena.err = err;
    for (uint32_t l = 0; l < graph->links; l++) {
        offered += (uint64_t)graph->fibers[l] * length[l];
        if (length[l] > UINT32_MAX / 2)
            return RWA_OK;
    }
    arena_new(&out->arena, out->length, graph->links);
    arena_new(&out->arena, out->sets, graph->nodes);
    arena_new(&out->arena, ends, graph->nodes);
    MUST(arena_status(&out->arena));
    MUST(total_distance(&used, graph, traffic, length, err));
    for (size_t i = 0; i < traffic->pairs; i++) {
        ends[traffic->src[i]] += traffic->amount[i];
        ends[traffic->dst[i]] += traffic->amount[i];
    }
    MUST(weigh_nodes(out, &lost, graph, ends, length, wavelengths));
    if (used != GRAPH_FAR && 2 * used + lost > 2 * offered * wavelengths)
        out->value = wavelengths + 1;
    return RWA_OK;
}
