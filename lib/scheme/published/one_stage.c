/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every node sends directly to every other node: ceil(N^2 / 8w) steps on a ring as printed (OpTree, Lemma 1), and no
 * more here. */
#include "base/arena.h"
#include "scheme/scheme.h"

#include "delivery/exchange_load.h"
#include "network/network.h"

/** Push a single stage with a transfer for each pair of nodes.  An all-to-all has a block for each pair, an all-gather
 * one for each sender. */
static rwa_status plan_one_stage(struct schedule_sink *sink, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net);
    bool personal = request->coll->kind == RWA_ALL_TO_ALL;
    struct transfers t;
    MUST(transfers_create(&t, (size_t)n * (n - 1), 0, sink->err));
    t.radix = n;
    t.ranks = network_is_cycle(request->net) ? n : 0;
    t.copies = 1;
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t to = 0; to < n; to++)
            if (to != v)
                transfer_add(&t, v, to, personal ? v * n + to : v);
    return sink_transfers(sink, &t);
}

/** Return the number of nodes whose distances are computed: 1 on a transitive network, where a node stands for all;
 * on a huge network as many as an estimate has time for. */
static uint32_t searched_nodes(const rwa_network *net)
{
    enum { SEARCH_WORK = 1 << 27 };
    uint64_t nodes = rwa_network_nodes(net), most = SEARCH_WORK / (nodes + rwa_network_links(net)) + 1;
    return (uint32_t)(network_is_transitive(net) ? 1 : nodes < most ? nodes : most);
}

/** Compute a lower bound on the steps.  The lightpath of each pair takes a channel on each link of its route, and
 * all links together have only so many channels in a step.  Nodes beyond searched_nodes() count as one hop from
 * all others. */
static rwa_status least_steps_of_pairs(uint64_t *steps, const rwa_network *net, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), starts = searched_nodes(net);
    struct arena scratch = {.err = err};
    uint32_t *queue;
    uint16_t *hops;
    uint64_t sum = 0, channels = 0;
    rwa_status st = arena_arrays(&scratch, nodes, queue, hops);
    for (uint32_t l = 0; l < rwa_network_links(net); l++)
        channels += (uint64_t)rwa_network_link(net, l).fibers * rwa_network_wavelengths(net);
    for (uint32_t v = 0; st == RWA_OK && v < starts; v++) {
        distances_from(hops, net, v, queue);
        for (uint32_t to = 0; to < nodes; to++)
            sum += hops[to];
    }
    sum = network_is_transitive(net) ? sum * nodes : sum + (uint64_t)(nodes - starts) * (nodes - 1);
    *steps = channels > 0 ? ceil_div(sum, channels) : 0;
    arena_free(&scratch);
    return st;
}

static rwa_status estimate_one_stage(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    bool cycle = network_is_cycle(request->net);
    if (!network_has_arcs(request->net))
        return least_steps_of_pairs(&e->least_steps, request->net, err);
    e->steps =
        ceil_div(exchange_wavelengths(rwa_network_nodes(request->net), cycle), rwa_network_channels(request->net));
    return RWA_OK;
}

static void exchange_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t n = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    bool cycle = network_is_cycle(request->net);
    if (!network_has_arcs(request->net))
        return;
    f->stages = 1;
    f->stage_wavelengths[0] = cycle ? ceil_div(n * n, 8) : n * n / 4;
    f->steps = f->best_steps = scheme_passes(request) * ceil_div(f->stage_wavelengths[0], channels);
    f->best_stages = 1;
    f->source = "OpTree, Lemma 1";
}

const struct scheme scheme_one_stage = {
    .name = "one-stage",
    .summary = "every node sends straight to every other",
    .source = "OpTree, Lemma 1",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .solver_needs = NETWORK_ARCS,
    .traits = REVERSIBLE | SLOW,
    .estimate = estimate_one_stage,
    .plan = plan_one_stage,
    .formula = exchange_formula,
};
