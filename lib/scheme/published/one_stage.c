/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Everyone sends straight to everyone: ceil(N^2 / 8w) steps on a ring as printed (OpTree, Lemma 1), and not more here. */
#include "scheme/scheme.h"

#include <stdlib.h>

/** An all-to-all has a block for each pair of nodes, an all-gather one for each sender. */
static rwa_status plan_one_stage(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    bool personal = request->coll->kind == RWA_ALL_TO_ALL;
    struct transfers t;
    rwa_status st = transfers_create(&t, (size_t)n * (n - 1), 0, err);
    t.radix = n;
    t.ranks = network_is_cycle(request->net) ? n : 0;
    t.copies = 1;
    for (uint32_t v = 0; v < n && st == RWA_OK; v++)
        for (uint32_t to = 0; to < n; to++)
            if (to != v)
                transfer_add(&t, v, to, personal ? v * n + to : v);
    if (st == RWA_OK)
        st = sink_transfers(sink, &t, err);
    transfers_free(&t);
    return st;
}

static rwa_status estimate_one_stage(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    bool cycle = network_is_cycle(request->net);
    (void)err;
    if (network_has_arcs(request->net))
        e->steps = ceil_div(exchange_wavelengths(rwa_network_nodes(request->net), cycle), rwa_network_channels(request->net));
    return RWA_OK;
}

static void exchange_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t n = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    bool cycle = network_is_cycle(request->net);
    if (!network_has_arcs(request->net))
        return;
    f->known = 1;
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
    .traits = REVERSIBLE,
    .estimate = estimate_one_stage,
    .plan = plan_one_stage,
    .formula = exchange_formula,
};
