/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/exchange_load.h"
#include "scheme/circuits/circuits.h"

/** The last links of routes from a node, each the first that leads nearer. */
static void find_last_links(struct route_table *r, uint32_t src)
{
    uint32_t *into = r->into + (size_t)src * r->nodes;
    const uint16_t *hops = r->hops + (size_t)src * r->nodes;
    for (uint32_t v = 0; v < r->nodes; v++)
        into[v] = UINT32_MAX;
    for (uint32_t l = r->net->link_count; l-- > 0;)
        if (hops[r->net->links[l].from] + 1 == hops[r->net->links[l].to])
            into[r->net->links[l].to] = l;
}

rwa_status routes_open(struct route_table *out, const rwa_network *net, struct budget *budget, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), *queue;
    bool connected = true;
    *out = (struct route_table){.nodes = nodes, .channels = rwa_network_channels(net), .budget = budget, .degree = UINT32_MAX,
                                .ports = rwa_network_ports(net) > 0 ? rwa_network_ports(net) : UINT32_MAX, .memory = {.err = err}};
    assert(nodes <= CIRCUIT_NODES);
    MUST(network_list_links(&out->net, net, err));
    arena_new(&out->memory, out->into, (size_t)nodes * nodes);
    arena_new(&out->memory, out->hops, (size_t)nodes * nodes);
    arena_new(&out->memory, queue, nodes);
    MUST(arena_status(&out->memory));
    for (uint32_t src = 0; src < nodes && connected; src++) {
        uint32_t degree = out->net->first[src + 1] - out->net->first[src];
        uint16_t *hops = out->hops + (size_t)src * nodes;
        out->degree = degree < out->degree ? degree : out->degree;
        distances_from(hops, out->net, src, queue);
        for (uint32_t v = 0; v < nodes; v++) {
            connected = connected && hops[v] < UINT16_MAX;
            out->farthest = hops[v] > out->farthest ? hops[v] : out->farthest;
        }
        find_last_links(out, src);
    }
    out->nodes = connected ? nodes : 0;
    return RWA_OK;
}

void routes_close(struct route_table *r)
{
    rwa_network_free(r->net);
    arena_free(&r->memory);
}

rwa_status routes_go_on(const struct route_table *r, rwa_error *err)
{
    bool stop = r->budget && base_must_stop(r->budget, "choosing lightpaths that stay", -1);
    return stop ? base_fail(err, RWA_CANCELLED, "planning was stopped while lightpaths that stay were chosen") : RWA_OK;
}
