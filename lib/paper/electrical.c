/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Closed forms of the electrical baselines in WRHT, Section IV-C, Table II: a two-level fat tree, where half the ports
 *  of a router lead down to nodes and half up, so that no link is shared.  Data travels in whole packets, which each
 *  router stores and forwards. */
#include "paper/paper.h"

#define LINK_BPS 25e9
#define ROUTER_S 50e-6
enum { ROUTER_PORTS = 32, PACKET_BYTES = 64 };

/** Return the time in seconds until a message has arrived over a path of `routers` routers.  Its last packet leaves
 *  after all others, then every router stores and forwards it. */
static double way_s(uint64_t bytes, uint32_t routers)
{
    double packets = (double)(bytes / PACKET_BYTES + (bytes % PACKET_BYTES != 0));
    return (packets + routers) * 8 * PACKET_BYTES / LINK_BPS + routers * ROUTER_S;
}

/** Return the number of routers on the path between two nodes whose numbers differ by `apart`: one, or three by way of
 *  a router of the upper level. */
static uint32_t routers_between(uint64_t apart)
{
    return apart < ROUTER_PORTS / 2 ? 1 : 3;    /* never more: the paper has 1024 nodes in two levels */
}

double paper_electrical_ring_s(uint32_t nodes, uint64_t bytes)
{
    uint64_t part = bytes / nodes + (bytes % nodes != 0);
    return 2.0 * (nodes - 1.0) * way_s(part, routers_between(nodes - 1));
}

double paper_electrical_doubling_s(uint32_t nodes, uint64_t bytes)
{
    double seconds = 0;
    uint64_t apart = 1;
    for (; 2 * apart <= nodes; apart *= 2)
        seconds += way_s(bytes, routers_between(apart));
    return apart == nodes ? seconds : seconds + 2 * way_s(bytes, 1);
}
