/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Recursive doubling (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH,
 * 2005), an all-reduce of the whole vector: participants at distance 1, 2, 4 … exchange their sums.
 *
 * There are log2 N exchanges if N is a power of two.  Otherwise some nodes first form pairs that act as one
 * participant, and are informed at the end, which takes two more steps.  Over distance D a link carries D lightpaths
 * each way (half as many in the last exchange of a ring, which goes round both ways), so there may be too few
 * wavelengths.  The two lightpaths of a pair must carry sums of the same step, or contributions would be counted twice;
 * so they share a colour. */
#include "scheme/scheme.h"

/** Push a step of the first `pairs` pairs of neighbours (2i, 2i + 1).  In each the first node adds the vector of the
 * second one (RWA_REDUCE), or sends it the final sum (RWA_COPY). */
static rwa_status push_pairs(struct schedule_sink *sink, uint32_t pairs, rwa_op op)
{
    bool adds = op == RWA_REDUCE;
    struct transfers t;
    MUST(transfers_create(&t, pairs, 0, sink->err));
    t.op = op;
    for (uint32_t i = 0; i < pairs; i++)
        transfer_add(&t, 2 * i + adds, 2 * i + !adds, 0);
    return sink_transfers(sink, &t);
}

/** Return the node of participant `rank`.  There are fewer participants than nodes, by `extra`: each of the first
 * `extra` participants is a pair of nodes (2i, 2i + 1), for which the first node acts. */
static uint32_t node_of(uint32_t rank, uint32_t extra)
{
    return rank < extra ? 2 * rank : rank + extra;
}

/** Push an exchange in which each of `ranks` participants swaps its sum with the one whose rank differs by `apart`, a
 * power of two. */
static rwa_status push_swaps(struct schedule_sink *sink, const rwa_network *net, uint32_t ranks, uint32_t apart)
{
    bool round = network_is_cycle(net) && 2 * apart == ranks;
    uint32_t extra = rwa_network_nodes(net) - ranks;
    struct transfers t;
    MUST(transfers_create(&t, ranks, WITH_DIRECTION | WITH_COLOUR, sink->err));
    t.op = RWA_REDUCE;
    /* In each block of 2 * apart ranks the lightpaths of all pairs cross the middle, so each pair has a colour of its
     * own.  Halfway round a cycle both lightpaths of a pair go in one direction, and the next pair's in the other. */
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t pair = r % apart;
        bool clockwise = round ? pair % 2 == 0 : (r & apart) == 0;
        t.direction[t.count] = clockwise ? RWA_CW : RWA_CCW;
        t.colour[t.count] = round ? pair / 2 : pair;
        transfer_add(&t, node_of(r, extra), node_of(r ^ apart, extra), 0);
    }
    return sink_transfers(sink, &t);
}

static rwa_status plan_doubling(struct schedule_sink *sink, const struct plan_request *request)
{
    uint32_t nodes = rwa_network_nodes(request->net), ranks = power_within(nodes);
    MUST(push_pairs(sink, nodes - ranks, RWA_REDUCE));
    for (uint32_t apart = 1; apart < ranks; apart *= 2)
        MUST(push_swaps(sink, request->net, ranks, apart));
    return push_pairs(sink, nodes - ranks, RWA_COPY);
}

static void doubling_formula(rwa_formula *f, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net), ranks = power_within(n);
    f->steps = (uint64_t)log2(ranks) + (ranks < n ? 2 : 0);
    f->source = "Thakur et al. 2005: log2 N exchanges, two more when N is no power of two";
}

const struct scheme scheme_recursive_doubling = {
    .name = "recursive-doubling",
    .summary = "nodes at distance 1, 2, 4, ... swap their sums",
    .source = "Thakur, Rabenseifner, Gropp 2005; WRHT, Section IV-C",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS,
    .estimate = estimate_whole_message,
    .plan = plan_doubling,
    .formula = doubling_formula,
};
