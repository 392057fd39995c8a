/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shortest routes between participants. */
#include "delivery/exchange_load.h"
#include "scheme/circuits/circuits.h"

/** Find the routes from participant `src` to all others, and enter them in `r`.  Of several shortest routes it takes
 * the one whose last link has the lowest number, and so on back to `src`.  `hops` and `queue` are scratch with an
 * entry for each node of the network.
 * @return whether all participants are reached */
static bool find_routes(struct route_table *r, uint32_t src, uint16_t *hops, uint32_t *queue)
{
    uint32_t nodes = rwa_network_nodes(r->net), *into = r->into + (size_t)src * nodes, most = 0;
    distances_from(hops, r->net, routes_node(r, src), queue);
    for (uint32_t v = 0; v < nodes; v++)
        into[v] = UINT32_MAX;
    for (uint32_t l = r->net->link_count; l-- > 0;)
        if (hops[r->net->links[l].from] + 1 == hops[r->net->links[l].to])
            into[r->net->links[l].to] = l;
    for (uint32_t dst = 0; dst < r->nodes; dst++) {
        uint32_t here = hops[routes_node(r, dst)];
        r->hops[(size_t)src * r->nodes + dst] = (uint16_t)here;
        RAISE(most, here);
    }
    RAISE(r->farthest, most);
    return most < UINT16_MAX;
}

/** Tell whether the route from participant a to b passes no other participant. */
static bool is_near(const struct route_table *r, uint32_t a, uint32_t b, const bool *takes_part)
{
    const uint32_t *into = r->into + (size_t)a * rwa_network_nodes(r->net);
    uint32_t v = r->net->links[into[routes_node(r, b)]].from;
    while (!takes_part[v])
        v = r->net->links[into[v]].from;
    return v == routes_node(r, a);
}

static rwa_status find_near(struct route_table *r, rwa_error *err)
{
    bool *takes_part;
    rwa_status st = base_new(takes_part, rwa_network_nodes(r->net), err);
    for (uint32_t v = 0; v < r->nodes && st == RWA_OK; v++)
        takes_part[routes_node(r, v)] = true;
    for (uint32_t a = 0; a < r->nodes; a++)
        for (uint32_t b = a + 1; b < r->nodes && st == RWA_OK; b++)
            if (is_near(r, a, b, takes_part))
                st = base_append(r->near, r->nears, err, a * r->nodes + b);
    free(takes_part);
    return st;
}

rwa_status routes_open(struct route_table *out, const rwa_network *net, const uint32_t *members, uint32_t count,
                       struct budget *budget, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), *queue, ports = rwa_network_ports(net);
    uint16_t *hops;
    bool connected = true;
    *out = (struct route_table){.members = members, .nodes = count, .channels = rwa_network_channels(net),
                                .ports = ports > 0 ? ports : UINT32_MAX, .degree = UINT32_MAX, .budget = budget,
                                .memory = {.err = err}};
    assert(nodes <= CIRCUIT_NODES && count > 1);
    MUST(network_list_links(&out->net, net, err));
    arena_new(&out->memory, out->into, (size_t)count * nodes);
    arena_new(&out->memory, out->hops, (size_t)count * count);
    MUST(arena_arrays(&out->memory, nodes, queue, hops));
    for (uint32_t src = 0; src < count && connected; src++) {
        const uint32_t *first = out->net->first + routes_node(out, src);
        out->degree = lesser(first[1] - first[0], out->degree);
        connected = find_routes(out, src, hops, queue);
    }
    if (connected)
        return find_near(out, err);
    out->nodes = 0;
    return RWA_OK;
}

void routes_close(struct route_table *r)
{
    rwa_network_free(r->net);
    free(r->near);
    arena_free(&r->memory);
}

rwa_status circuits_go_on(struct budget *budget, rwa_error *err)
{
    bool stop = budget && base_must_stop(budget, "choosing lightpaths that stay", -1);
    return stop ? base_fail(err, RWA_CANCELLED, "planning was stopped while lightpaths that stay were chosen") : RWA_OK;
}
