/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-reduces of the whole vector over distances 1, 2, 4 …
 *
 * Binary tree (WRHT, Section III-B and Table I): in step i the first node of every group of 2^i adds what the middle
 * one has gathered; then the same steps backwards as a broadcast.  2 ceil(log2 N) steps, one wavelength, since the
 * groups do not overlap.
 *
 * Recursive doubling (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH, 2005):
 * participants at distance 1, 2, 4 … swap their sums.  log2 N exchanges for a power of two; otherwise the first nodes
 * pair off before and are informed after, two steps more.  Over distance D a link carries D lightpaths each way (half
 * as many in the last exchange of a ring, which goes round both ways), so wavelengths can be too few.  A pair's two
 * lightpaths carry sums of the same step, or they would count each other twice: they share a colour.
 */
#include "scheme/scheme.h"

/** ceil(log2 n) */
static uint32_t log2_up(uint64_t n)
{
    uint32_t levels = 0;
    while (UINT64_C(1) << levels < n)
        levels++;
    return levels;
}

/** The first nodes of `pairs` groups of 2 * half nodes, group after group, add the sums of their middle nodes, or
 * inform these. */
static rwa_status push_pairs(struct schedule_sink *sink, uint32_t pairs, uint64_t half, bool odd_sends, rwa_op op,
                             rwa_error *err)
{
    struct transfers t;
    MUST(transfers_create(&t, pairs, 0, err));
    t.op = op;
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t low = (uint32_t)(2 * half * i), middle = (uint32_t)(low + half);
        transfer_add(&t, odd_sends ? middle : low, odd_sends ? low : middle, 0);
    }
    return sink_transfers(sink, &t, err);
}

/* ---- binary tree ---- */

static rwa_status plan_binary_tree(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(request->net), levels = log2_up(nodes);
    for (uint32_t i = 0; i < 2 * levels; i++) {
        bool adds = i < levels;
        uint64_t half = UINT64_C(1) << (adds ? i : 2 * levels - 1 - i);
        MUST(push_pairs(sink, (uint32_t)ceil_div(nodes - half, 2 * half), half, adds, adds ? RWA_REDUCE : RWA_COPY,
                        err));
    }
    return RWA_OK;
}

static void binary_formula(rwa_formula *f, const struct plan_request *request)
{
    f->known = 1;
    f->steps = 2 * log2_up(rwa_network_nodes(request->net));
    f->source = "WRHT, Table I";
}

/* ---- recursive doubling ---- */

/** Of `ranks` participants, the largest power of two, the first `extra` are pairs of nodes (2i, 2i + 1) that act as
 * one. */
static uint32_t node_of(uint32_t rank, uint32_t extra)
{
    return rank < extra ? 2 * rank : rank + extra;
}

/** All pairs of a block of 2 * apart ranks meet over its middle.  Half way round a cycle, a pair fills one direction.
 */
static rwa_status push_swaps(struct schedule_sink *sink, const rwa_network *net, uint32_t ranks, uint32_t apart,
                             rwa_error *err)
{
    bool round = network_is_cycle(net) && 2 * apart == ranks;
    uint32_t extra = rwa_network_nodes(net) - ranks;
    struct transfers t;
    MUST(transfers_create(&t, ranks, WITH_DIRECTION | WITH_COLOUR, err));
    t.op = RWA_REDUCE;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t pair = r % apart;
        bool clockwise = round ? pair % 2 == 0 : (r & apart) == 0;
        t.direction[t.count] = clockwise ? RWA_CW : RWA_CCW;
        t.colour[t.count] = round ? pair / 2 : pair;
        transfer_add(&t, node_of(r, extra), node_of(r ^ apart, extra), 0);
    }
    return sink_transfers(sink, &t, err);
}

static rwa_status plan_doubling(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(request->net), ranks = UINT32_C(1) << (log2_up(nodes + UINT64_C(1)) - 1);
    MUST(push_pairs(sink, nodes - ranks, 1, true, RWA_REDUCE, err));
    for (uint32_t apart = 1; apart < ranks; apart *= 2)
        MUST(push_swaps(sink, request->net, ranks, apart, err));
    return push_pairs(sink, nodes - ranks, 1, false, RWA_COPY, err);
}

static void doubling_formula(rwa_formula *f, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net), swaps = log2_up(n);
    f->known = 1;
    f->steps = UINT32_C(1) << swaps == n ? swaps : swaps + 1;
    f->source = "Thakur et al. 2005: log2 N exchanges, two more when N is no power of two";
}

const struct scheme scheme_binary_tree = {
    .name = "binary-tree",
    .summary = "pairs of groups add up into their first node, then the sum goes back the same way",
    .source = "WRHT, Table I",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = STRIPES,
    .estimate = estimate_whole_message,
    .plan = plan_binary_tree,
    .formula = binary_formula,
};

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
