/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: bounds on steps, epochs and bytes together.  docs/reference/bounds.md, "One hop". */
#include "bound/case.h"

/** Return the binomial coefficient n choose h as a floating-point number; 0 if n < h. */
static double choose(double n, unsigned h)
{
    double product = 1;
    for (unsigned i = 0; i < h; i++)
        product *= (n - i) / (i + 1);
    return n < h ? 0 : product;
}

/** Return a lower bound on the blocks of an all-to-all that pass the fullest circuit: the hops that all blocks make,
 * divided by the channels.
 * @param ports   the most nodes that a node sends to in a step, or epoch
 * @param width   blocks that a node can send at a time
 * @param count   number of steps, or of epochs
 * @param epochs  count epochs, in which a block may move several hops; otherwise steps, in which it moves one
 * @param terms   NULL, or receives the calculation in words */
static double hops_share(const struct bound_case *c, double ports, double width, uint64_t count, bool epochs,
                         char *terms)
{
    enum { HOPS_MOST = 64 };
    double left = c->nodes - 1.0, hops = 0, /* nodes that do not take part may relay */
           pairs = (double)c->nodes * c->nodes, all = width * rwa_network_nodes(c->net) / c->nodes;
    char near[RWA_ERROR_TEXT] = "";
    for (unsigned h = 1; h <= HOPS_MOST && left > 0; h++) {
        /* nodes that are h hops away: at most ports^h (count choose h); with epochs ports^h (count + h - 1 choose h) */
        double most = pow(ports, h) * choose((double)count + (epochs ? h - 1.0 : 0), h),
               now = most < left && h < HOPS_MOST ? most : left;
        hops += now * h;
        left -= now;
        bound_list(terms ? near : NULL, now);
    }
    text_append(terms, "a node has at most %s others 1, 2, ... hops away, so %.6g hops to all, and %.6g channels: "
                "%.6g / %.6g", near, hops, all, hops, all);
    return hops * (double)c->coll->blocks / pairs / all;
}

double epochs_share(const struct bound_case *c, uint64_t epochs, char *terms)
{
    double degree = spread_degree(c),
           width = c->capabilities & NETWORK_ONE_HOP ? (double)one_hop_width(c) : degree / c->drops;
    if (c->coll->kind != RWA_ALL_TO_ALL || degree == 0 || degree >= c->nodes - 1.0)
        return 0;
    return hops_share(c, degree, width, epochs, true, terms);
}

double one_hop_share(const struct bound_case *c, uint64_t steps, char *terms)
{
    double ports = (double)one_hop_ports(c);
    rwa_collective_kind kind = c->coll->kind;
    if (ports == 0 || ports >= c->nodes - 1.0)
        return 0;
    if (kind == RWA_ALL_TO_ALL)
        return hops_share(c, ports, (double)one_hop_width(c), steps, false, terms);
    bool from_root = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || kind == RWA_ALL_REDUCE;
    return from_root ? (double)c->coll->blocks * ramp_share(c, steps, terms) : 0;
}
