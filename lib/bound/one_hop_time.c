/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: steps, settings and bytes together.  docs/bounds.md, "One hop". */
#include "bound/bound.h"

/** Whether all blocks start at the root: no other node can send in the first step. */
static bool starts_at_root(const rwa_collective *coll)
{
    return coll->kind == RWA_BROADCAST || coll->kind == RWA_SCATTER;
}

/** min(N, (k+1)^t). */
static double reached(const struct bound_case *c, double ports, uint64_t steps)
{
    double nodes = pow(ports + 1, (double)steps);
    return nodes < c->nodes ? nodes : c->nodes;
}

/**
 * Of a broadcast, an all-reduce or, time-reversed, a reduce in so many steps: blocks by what a circuit carries.  After step t a byte
 * has on average at least N / (k+1)^(S-t) holders, and in step t only (k+1)^(t-1) nodes have anything of the root to send.
 */
static double spread_share(const struct bound_case *c, double ports, uint64_t steps)
{
    double share = 0, before = 1;
    for (uint64_t t = 1; t <= steps; t++) {
        double holders = c->nodes / pow(ports + 1, (double)(steps - t));
        holders = holders > 1 ? holders : 1;
        share += (holders - before) / reached(c, ports, t - 1);
        before = holders;
    }
    return share * (double)c->coll->blocks / (double)one_hop_width(c);
}

/** n over h, as a number. */
static double choose(double n, unsigned h)
{
    double product = 1;
    for (unsigned i = 0; i < h; i++)
        product *= (n - i) / (i + 1);
    return n < h ? 0 : product;
}

/**
 * Of an all-to-all with so many settings: a node has k circuits in each, so that at most k^h (settings choose h) others are h hops away,
 * a step for each hop; where circuits stay and several hops take one setting, (settings + h - 1 choose h).
 */
static double hops_share(const struct bound_case *c, double ports, uint64_t settings, bool stay)
{
    enum { HOPS_MOST = 64 };
    double left = c->nodes - 1.0, hops = 0;
    for (unsigned h = 1; h <= HOPS_MOST && left > 0; h++) {
        double most = pow(ports, h) * choose((double)settings + (stay ? h - 1.0 : 0), h), now = most < left && h < HOPS_MOST ? most : left;
        hops += now * h;
        left -= now;
    }
    return hops * (double)c->coll->blocks / c->nodes / c->nodes / (double)one_hop_width(c);
}

/** Blocks that pass the fullest circuit, by the number of steps, or of settings where circuits stay. */
static double share_in(const struct bound_case *c, uint64_t count, bool stay)
{
    double ports = (double)one_hop_ports(c);
    rwa_collective_kind kind = c->coll->kind;
    if (stay && kind == RWA_BROADCAST && !(c->capabilities & NETWORK_STAR)) { /* none sends that held nothing before the last setting */
        double senders = reached(c, ports > 0 ? ports : c->nodes - 1, count - 1);
        return (c->nodes - 1) / senders * (double)c->coll->blocks / (double)one_hop_width(c);
    }
    if (ports == 0 || ports >= c->nodes - 1.0)
        return 0;
    if (kind == RWA_ALL_TO_ALL)
        return hops_share(c, ports, count, stay);
    bool whole = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || kind == RWA_ALL_REDUCE;
    return !stay && whole ? spread_share(c, ports, count) : 0;
}

/** Settings of any schedule: those of a star have a transmitter a channel; from a root what has anything grows k + 1 times. */
static uint64_t fewest_settings(const struct bound_case *c)
{
    double ports = (double)one_hop_ports(c);
    uint64_t settings = bound_max(one_hop_turns(c), 1);
    bool all_own = c->coll->kind == RWA_BROADCAST || c->coll->blocks >= c->nodes;
    while (ports > 0 && starts_at_root(c->coll) && all_own && reached(c, ports, settings) < c->nodes)
        settings++;
    return settings;
}

double one_hop_seconds(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes, double passing, uint64_t fewest)
{
    bool stay = floor->setting_s > 0;
    double best = INFINITY;
    for (uint64_t count = stay ? fewest_settings(c) : fewest; count <= fewest + c->nodes; count++) {
        double share = share_in(c, count, stay), steps = (double)bound_max(count, fewest);
        double seconds = floor->once_s + steps * floor->step_s + floor->byte_s * block_bytes * (share > passing ? share : passing);
        seconds += stay ? (double)(count - 1) * floor->setting_s : 0;
        best = seconds < best ? seconds : best;
        if (share <= passing)
            break;
    }
    return best;
}
