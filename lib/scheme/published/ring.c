/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Neighbours pass blocks on, in one direction or in both.  N - 1 steps one way (OpTree, Table 1; an all-reduce goes round
 * twice: WRHT, Table I), ceil((N - 1) / 2) both ways on a ring.  Every step is one turn of the ring, so a step is one
 * orbit each way.  On a line the one-way ring closes over all links backwards, and both ways nothing needs to close.
 *
 * Striped over all W channels, a block goes in W parts and a step carries all it can: ((N - 1) / 2W) d / B altogether,
 * which no schedule beats, and every step uses the same lightpaths, so that no lightpath is ever reconfigured.
 */
#include "scheme/scheme.h"

struct ring {
    uint32_t nodes;
    bool both;
    uint32_t stripes, wavelengths;
};

/**
 * In step t every node hands on clockwise the block of the node t - 1 places behind it, and the mirror of that.  A
 * node's stripes take the channels in turn with the next node's, which is what orbits do.
 */
static rwa_status push_turn(struct schedule_sink *sink, const struct ring *r, uint32_t behind, rwa_error *err)
{
    uint32_t n = r->nodes;
    bool back = r->both && behind < (n - 1) / 2;
    for (uint32_t c = 0; c < r->stripes; c++) {
        rwa_lightpath lp = {.step = 1, .dst = 1, .orbit = n, .period = r->stripes, .fiber = c / r->wavelengths,
                            .wavelength = c % r->wavelengths, .direction = RWA_CW,
                            .block = (uint64_t)((n - behind) % n) * r->stripes + c};
        MUST(sink_lightpath(sink, &lp, NULL, err));
        lp.dst = n - 1;
        lp.direction = RWA_CCW;
        lp.block = (uint64_t)behind * r->stripes + c;
        if (back)
            MUST(sink_lightpath(sink, &lp, NULL, err));
    }
    return sink_end_stage(sink, err);
}

static rwa_status push_along_line(struct schedule_sink *sink, const struct ring *r, uint32_t behind, rwa_error *err)
{
    uint32_t n = r->nodes;
    struct transfers t;
    MUST(transfers_create(&t, (size_t)n * 2, 0, err));
    for (uint32_t v = 0; v < n; v++) {
        if (!r->both)
            transfer_add(&t, v, (v + 1) % n, (v + n - behind) % n);
        else if (v + 1 < n && v >= behind)
            transfer_add(&t, v, v + 1, v - behind);
        if (r->both && v > 0 && v + behind < n)
            transfer_add(&t, v, v - 1, v + behind);
    }
    return sink_transfers(sink, &t, err);
}

static rwa_status plan_ring(struct schedule_sink *sink, const struct plan_request *request, bool both, uint32_t stripes, rwa_error *err)
{
    struct ring r = {.nodes = rwa_network_nodes(request->net), .both = both, .stripes = stripes,
                     .wavelengths = rwa_network_wavelengths(request->net)};
    bool cycle = network_is_cycle(request->net);
    uint32_t steps = both && cycle ? r.nodes / 2 : r.nodes - 1;
    rwa_status st = cycle ? RWA_OK : base_fits_memory(48.0 * r.nodes * (r.nodes - 1.0), "this plan", err);
    for (uint32_t step = 0; step < steps && st == RWA_OK; step++)
        st = (cycle ? push_turn : push_along_line)(sink, &r, step, err);
    return st;
}

static rwa_status plan_one_way(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ring(sink, request, false, 1, err);
}

static rwa_status plan_both_ways(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ring(sink, request, true, 1, err);
}

static rwa_status plan_striped(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ring(sink, request, true, rwa_network_channels(request->net), err);
}

/** On a cycle the lightpaths of a step are those of the first, or some of them. */
static rwa_status estimate_ring(struct estimate *e, const struct plan_request *request, bool both, uint32_t stripes)
{
    uint32_t n = rwa_network_nodes(request->net);
    e->blocks = stripes > 1 ? (uint64_t)n * stripes : 0;
    e->periodic = network_is_cycle(request->net);
    e->records = e->periodic ? (double)n * stripes : n * (n - 1.0);
    if (e->periodic) {
        e->steps = both ? n / 2 : n - 1;
        e->reconfigurations = 1;
    }
    return RWA_OK;
}

static rwa_status estimate_one_way(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    return estimate_ring(e, request, false, 1);
}

static rwa_status estimate_both_ways(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    return estimate_ring(e, request, true, 1);
}

static rwa_status estimate_striped(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    return estimate_ring(e, request, true, rwa_network_channels(request->net));
}

static void ring_formula(rwa_formula *f, const struct plan_request *request)
{
    f->known = 1;
    f->steps = scheme_passes(request) * (rwa_network_nodes(request->net) - 1);
    f->source = request->coll->kind == RWA_ALL_REDUCE ? "WRHT, Table I" : "OpTree, Table 1";
}

const struct scheme scheme_ring = {
    .name = "ring",
    .summary = "every node hands on what it got last to the next one",
    .source = "OpTree, Table 1; WRHT, Table I",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_PATH,
    .traits = REVERSIBLE,
    .estimate = estimate_one_way,
    .plan = plan_one_way,
    .formula = ring_formula,
};

const struct scheme scheme_ring_both = {
    .name = "ring-both",
    .summary = "the ring in both directions at once, half as far each way",
    .source = "closed form: ceil((N - 1) / 2) steps",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_PATH,
    .traits = REVERSIBLE,
    .estimate = estimate_both_ways,
    .plan = plan_both_ways,
};

const struct scheme scheme_ring_striped = {
    .name = "ring-striped",
    .summary = "the ring in both directions with every block cut into stripes, one for each channel: no lightpath is ever reconfigured",
    .source = "closed form: ceil((N - 1) / 2) steps of d / W; Patarasuk, Yuan 2009 on the ring's bandwidth",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .traits = REVERSIBLE,
    .estimate = estimate_striped,
    .plan = plan_striped,
};
