/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks with other numbers. */
#pragma once

#include "tests/support/random.h"

/** The network as a graph whose nodes, pairs of links and ends of links are shuffled by a seed; 0: they are as they
 *  are.  number[v] is the node of v. */
static inline rwa_network *shuffled(uint32_t *number, const rwa_network *net, uint64_t by)
{
    static rwa_link links[4096];
    uint32_t nodes = rwa_network_nodes(net), pairs = rwa_network_pairs(net);
    struct request r = request_of("links: w=%u", rwa_network_wavelengths(net));
    rwa_network *out = NULL;
    bool arcs = rwa_network_topology(net) == RWA_RING || rwa_network_topology(net) == RWA_LINE;
    CU_ASSERT_FATAL(pairs <= COUNT(links));
    seed = by;
    r.network.both_ways = 1;
    for (uint32_t v = 0; v < nodes; v++)
        number[v] = v;
    if (by)
        base_shuffle(number, nodes, &seed);
    for (uint32_t e = 0; e < pairs; e++) {
        rwa_link link = rwa_network_link(net, arcs ? e : 2 * e);
        bool back = by && any(2);
        uint32_t other = by ? any(e + 1) : e;
        links[e] = links[other];
        links[other] = (rwa_link){.from = number[back ? link.to : link.from], .to = number[back ? link.from : link.to]};
    }
    OK(rwa_network_create_graph(&out, nodes, links, pairs, &r.network, NULL));
    return keep_network(out);
}
