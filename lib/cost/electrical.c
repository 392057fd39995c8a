/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Closed forms of the electrical baselines in WRHT, Section IV-C, Table II. */
#include "rwa/cost.h"

#include "base/base.h"

OPTIONS(rwa_electrical_options, .rate_bps = 25e9, .router_s = 50e-6, .router_ports = 32, .packet_bytes = 64)

static bool is_sound(const rwa_electrical_options *o)
{
    return o->rate_bps > 0 && isfinite(o->rate_bps) && o->router_s >= 0 && isfinite(o->router_s) &&
           o->router_ports >= 2 && o->packet_bytes > 0;
}

/** Return the time in seconds until the last packet of a message has arrived: it leaves after all others, then every
 *  router on its path stores and forwards it. */
static double way_s(const rwa_electrical_options *o, uint64_t bytes, uint32_t routers)
{
    double packets = (double)(bytes / o->packet_bytes + (bytes % o->packet_bytes != 0));
    return (packets + routers) * 8 * (double)o->packet_bytes / o->rate_bps + routers * o->router_s;
}

/** Return the number of routers on a path through the two-level tree of WRHT, Section IV-C: one, or three by way of a
 *  root router. */
static uint32_t routers_between(const rwa_electrical_options *o, uint64_t apart)
{
    return apart < o->router_ports / 2 ? 1 : 3;
}

/** Return the time of an all-reduce on a ring, in seconds.  Its packets cross between routers as soon as the nodes need
 *  two routers. */
static double ring_s(const rwa_electrical_options *o, uint32_t nodes, uint64_t bytes)
{
    uint64_t part = bytes / nodes + (bytes % nodes != 0);
    return 2.0 * (nodes - 1.0) * way_s(o, part, routers_between(o, nodes - 1));
}

/** Return the time of an all-reduce by recursive doubling, in seconds.  In round i nodes at distance 2^i exchange their
 *  data.  If ports / 2 is a power of two, distances below it stay inside a router. */
static double doubling_s(const rwa_electrical_options *o, uint32_t nodes, uint64_t bytes)
{
    double seconds = 0;
    uint64_t apart = 1;
    for (; 2 * apart <= nodes; apart *= 2)
        seconds += way_s(o, bytes, routers_between(o, apart));
    return apart == nodes ? seconds : seconds + 2 * way_s(o, bytes, 1);
}

double rwa_cost_electrical(rwa_electrical_scheme scheme, uint32_t nodes, uint64_t message_bytes,
                           const rwa_electrical_options *opts)
{
    rwa_electrical_options o;
    rwa_electrical_options_init(&o);
    if (base_take_options(&o, sizeof o, opts, "electrical options", NULL) != RWA_OK || !is_sound(&o) || nodes < 2 ||
        message_bytes == 0)
        return NAN;
    switch (scheme) {
    case RWA_ELECTRICAL_RING:
        return ring_s(&o, nodes, message_bytes);
    case RWA_ELECTRICAL_DOUBLING:
        return doubling_s(&o, nodes, message_bytes);
    }
    return NAN;
}
