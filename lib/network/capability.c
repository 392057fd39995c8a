/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Capabilities and canonical networks.  The table of kinds (topology.c) gives each kind its capabilities. */
#include "network/network.h"
#include "network/translations.h"

bool network_is_one_hop(const struct rwa_network *net)
{
    return (net->capabilities & NETWORK_ONE_HOP) != 0;
}

bool network_grid(struct network_grid *out, const struct rwa_network *net)
{
    *out = (struct network_grid){net->shape, net->shape_count, (net->capabilities & NETWORK_TORUS) != 0};
    return (net->capabilities & (NETWORK_TORUS | NETWORK_MESH)) != 0;
}

bool network_is_transitive(const struct rwa_network *net)
{
    struct translations t;
    return translations_of(&t, net);
}

GETTER(unsigned, network_capabilities, struct rwa_network, capabilities)

const struct rwa_network *network_canonical(const struct rwa_network *net)
{
    return net->form.canonical ? net->form.canonical : net;
}

GETTER(const uint32_t *, network_canonical_nodes, struct rwa_network, form.node)

uint32_t network_canonical_node(const struct rwa_network *net, uint32_t canonical_node)
{
    assert(canonical_node < net->nodes);
    return base_mapped(net->form.node, canonical_node);
}

uint32_t network_canonical_place(const struct rwa_network *net, uint32_t node)
{
    assert(node < net->nodes);
    return base_mapped(net->form.place, node);
}

#ifndef NDEBUG
static void check_lists(const struct rwa_network *net)
{
    assert(net->first[0] == 0 && net->first[net->nodes] == net->link_count);
    for (uint32_t v = 0; v < net->nodes; v++)
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            const rwa_link *link = &net->links[net->out[k]];
            assert(link->from == v && link->to < net->nodes && link->to != v && link->fibers > 0);
            assert(k == net->first[v] || net->links[net->out[k - 1]].to <= link->to);
        }
    for (uint32_t i = 0; net->paired && i < net->link_count; i += 2)
        assert(net->links[i].from == net->links[i + 1].to && net->links[i].to == net->links[i + 1].from);
}

static void check_shape(const struct rwa_network *net)
{
    const struct rwa_network *canonical = net->form.canonical;
    assert(canonical->nodes == net->nodes && !canonical->form.canonical);
    assert(rwa_network_links(canonical) == net->link_count);
    for (uint32_t p = 0; p < net->nodes; p++)
        assert(network_canonical_place(net, network_canonical_node(net, p)) == p);
    for (uint32_t i = 0; i < net->link_count; i++) {
        rwa_link link = rwa_network_link(canonical, i);
        uint32_t here =
            graph_find_link(net, network_canonical_node(net, link.from), network_canonical_node(net, link.to));
        assert(here != RWA_NONE && rwa_network_is_failed(net, here) == rwa_network_is_failed(canonical, i));
    }
}

void network_check(const struct rwa_network *net)
{
    assert(net->nodes >= 2 && net->nodes <= RWA_NODES_MAX && net->fibers > 0 && net->wavelengths > 0);
    assert((net->links != NULL) == (net->first != NULL) && (net->links != NULL) == (net->out != NULL));
    assert(!(net->links && (network_has_arcs(net) || network_is_one_hop(net))));
    for (size_t i = 1; i < net->reserved_count; i++)
        assert(net->reserved[i - 1].link <= net->reserved[i].link);
    if (net->links)
        check_lists(net);
    if (net->form.canonical)
        check_shape(net);
}
#endif
