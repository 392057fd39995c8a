/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recursive-doubling all-reduce (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in
 * MPICH, 2005): participants at distance 1, 2, 4 … swap their sums.  log2 N exchanges for a power of two; otherwise the
 * first nodes pair off before and are informed after, two steps more.  Over distance D a link carries D lightpaths each way
 * (half as many in the last exchange of a ring, which goes round both ways), so wavelengths can be too few.
 * A pair's two lightpaths carry sums of the same step, or they would count each other twice: they share a colour.
 */
#include "scheme/scheme.h"

struct doubling {
    uint32_t nodes;
    uint32_t ranks;             /* the largest power of two that is not above nodes */
    uint32_t extra;             /* nodes - ranks: so many pairs (2i, 2i + 1) act as one */
    bool cycle;
};

static uint32_t log2_down(uint32_t n)
{
    uint32_t k = 0;
    while (n >> (k + 1) > 0)
        k++;
    return k;
}

static uint32_t node_of(const struct doubling *d, uint32_t rank)
{
    return rank < d->extra ? 2 * rank : rank + d->extra;
}

/** Before and after the exchanges: the odd node of every extra pair gives, or gets. */
static rwa_status push_pairs(struct schedule_sink *sink, const struct doubling *d, bool before, rwa_error *err)
{
    struct transfers t;
    MUST(transfers_create(&t, d->extra, 0, err));
    t.op = before ? RWA_REDUCE : RWA_COPY;
    for (uint32_t i = 0; i < d->extra; i++)
        transfer_add(&t, 2 * i + before, 2 * i + !before, 0);
    return sink_transfers(sink, &t, err);
}

static void add_swap(struct transfers *t, uint32_t u, uint32_t v, rwa_direction there, rwa_direction back, uint32_t colour)
{
    t->direction[t->count] = (uint8_t)there;
    t->colour[t->count] = colour;
    transfer_add(t, u, v, 0);
    t->direction[t->count] = (uint8_t)back;
    t->colour[t->count] = colour;
    transfer_add(t, v, u, 0);
}

/** All pairs of a block of 2 * apart ranks meet over its middle.  Half way round a cycle, a pair fills one direction. */
static rwa_status push_swaps(struct schedule_sink *sink, const struct doubling *d, uint32_t apart, rwa_error *err)
{
    bool round = d->cycle && 2 * apart == d->ranks;
    struct transfers t;
    MUST(transfers_create(&t, d->ranks, WITH_DIRECTION | WITH_COLOUR, err));
    t.op = RWA_REDUCE;
    for (uint32_t r = 0; r < d->ranks; r++) {
        uint32_t pair = r % apart;
        rwa_direction way = pair % 2 == 0 ? RWA_CW : RWA_CCW;
        if (r / apart % 2 == 0 && round)
            add_swap(&t, node_of(d, r), node_of(d, r + apart), way, way, pair / 2);
        else if (r / apart % 2 == 0)
            add_swap(&t, node_of(d, r), node_of(d, r + apart), RWA_CW, RWA_CCW, pair);
    }
    return sink_transfers(sink, &t, err);
}

static rwa_status plan_doubling(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(request->net), ranks = (uint32_t)1 << log2_down(nodes);
    struct doubling d = {.nodes = nodes, .ranks = ranks, .extra = nodes - ranks, .cycle = network_is_cycle(request->net)};
    MUST(push_pairs(sink, &d, true, err));
    for (uint32_t apart = 1; apart < ranks; apart *= 2)
        MUST(push_swaps(sink, &d, apart, err));
    return push_pairs(sink, &d, false, err);
}

static void doubling_formula(rwa_formula *f, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net), swaps = log2_down(n);
    f->known = 1;
    f->steps = swaps + (((uint32_t)1 << swaps) < n ? 2u : 0u);
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
