/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/graph.h"
#include "network/network.h"

static const double most_work = 4e8;

void bound_take_faults(rwa_faults *faults, const rwa_network *net)
{
    rwa_network_faults(faults, net);
    if (faults->links_from > 1)
        faults->link_count = 0;
}

static rwa_status ends_open(struct bound_ends *e, uint32_t nodes, uint32_t links, struct arena *memory)
{
    arena_new(memory, e->first, (size_t)nodes + 2);
    arena_arrays(memory, links, e->node, e->channels);
    return arena_arrays(memory, nodes, e->width);
}

/** List in `e` the working links of each node, with a counting sort: those that leave it or, if `against`, those that
 * enter it.  In e->channels and e->width, each channel counts `slots` times. */
static void fill_ends(struct bound_graph *g, struct bound_ends *e, const rwa_network *net, const rwa_faults *faults,
                      uint32_t slots, bool against)
{
    uint32_t all = rwa_network_links(net);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < all; i++) {
            rwa_link link = rwa_network_link(net, i);
            uint32_t near_end = against ? link.to : link.from;
            if (faults->link_count > 0 && rwa_network_is_failed(net, i))
                continue;
            if (pass == 0) {
                e->first[near_end + 2]++;
                e->width[near_end] += (uint64_t)network_open_channels(net, link.fibers) * slots;
            } else {
                e->channels[e->first[near_end + 1]] = (uint64_t)network_open_channels(net, link.fibers) * slots;
                e->node[e->first[near_end + 1]++] = against ? link.from : link.to;
            }
        }
        for (uint32_t v = 0; pass == 0 && v < g->nodes; v++)
            e->first[v + 2] += e->first[v + 1];
    }
    assert(e->first[g->nodes] == g->links);
}

static rwa_status take_members(struct bound_graph *g, const uint32_t *members, uint32_t count)
{
    MUST(arena_arrays(&g->memory, count, g->member));
    for (uint32_t v = 0; v < g->nodes; v++)
        g->rank[v] = BOUND_NO_RANK;
    for (uint32_t r = 0; r < count; r++) {
        g->member[r] = base_mapped(members, r);
        assert(g->member[r] < g->nodes && g->rank[g->member[r]] == BOUND_NO_RANK);
        g->rank[g->member[r]] = r;
    }
    return RWA_OK;
}

rwa_status bound_graph_open(struct bound_graph **out, const rwa_network *net, const uint32_t *members, uint32_t count,
                            uint32_t slots, rwa_error *err)
{
    rwa_faults faults;
    MUST(base_new(*out, 1, err));
    struct bound_graph *g = *out;
    g->memory.err = err;
    bound_take_faults(&faults, net);
    g->nodes = rwa_network_nodes(net);
    assert(count >= 1 && count <= g->nodes && slots >= 1 && faults.link_count <= rwa_network_links(net));
    g->links = rwa_network_links(net) - (uint32_t)faults.link_count;
    g->alike = network_is_transitive(net) && faults.link_count == 0 && count == g->nodes;
    arena_arrays(&g->memory, g->nodes, g->order, g->hops, g->rank);
    MUST(ends_open(&g->out, g->nodes, g->links, &g->memory));
    MUST(ends_open(&g->in, g->nodes, g->links, &g->memory));
    MUST(take_members(g, members, count));
    fill_ends(g, &g->out, net, &faults, slots, false);
    fill_ends(g, &g->in, net, &faults, slots, true);
    for (uint32_t v = 0; v < g->nodes; v++)
        g->channels += g->out.width[v];
    return RWA_OK;
}

void bound_graph_close(struct bound_graph *g)
{
    if (g)
        arena_free(&g->memory);
    free(g);
}

uint32_t bound_graph_walk(struct bound_graph *g, uint32_t node, bool against)
{
    const struct bound_ends *e = against ? &g->in : &g->out;
    uint32_t found = 1;
    assert(node < g->nodes);
    memset(g->hops, 0xff, g->nodes * sizeof *g->hops);
    g->order[0] = node;
    g->hops[node] = 0;
    for (uint32_t i = 0; i < found; i++)
        for (uint64_t k = e->first[g->order[i]]; k < e->first[g->order[i] + 1]; k++)
            if (g->hops[e->node[k]] == UINT32_MAX) {
                g->hops[e->node[k]] = g->hops[g->order[i]] + 1;
                g->order[found++] = e->node[k];
            }
    assert(found <= g->nodes);
    return found;
}

uint64_t bound_graph_widest(const struct bound_graph *g, bool against)
{
    const uint64_t *width = against ? g->in.width : g->out.width;
    uint64_t widest = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        RAISE(widest, width[v]);
    return widest;
}

bool bound_graph_is_large(const struct bound_graph *g)
{
    return !g->alike && (double)g->nodes * ((double)g->nodes + (double)g->links) > most_work;
}
