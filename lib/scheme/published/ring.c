/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Neighbours pass blocks on, in one direction or in both.  N - 1 steps one way (OpTree, Table 1; an all-reduce goes round
 * twice: WRHT, Table I), ceil((N - 1) / 2) both ways on a ring.  Every step is one turn of the ring, so a step is one
 * orbit each way.  On a line the one-way ring closes over all links backwards, and both ways nothing needs to close.
 *
 * Striped over all W channels, a block goes in W parts and a step carries all it can: ((N - 1) / 2W) d / B altogether,
 * which no schedule beats, and every step uses the same lightpaths, so that nothing is ever set anew.
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

struct ring {
    uint32_t nodes;
    bool line, both;
    uint32_t stripes, wavelengths;
    uint32_t step, steps;       /* done, and in all */
};

static rwa_status ring_create(void **out, const struct scheme_request *request, bool both, uint32_t stripes,
                              rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    bool line = rwa_network_topology(request->net) == RWA_LINE;
    rwa_status st = line ? base_fits_memory(48.0 * n * (n - 1.0), "this plan", err) : RWA_OK;
    struct ring *r = st == RWA_OK ? base_array(1, sizeof *r, err) : NULL;
    *out = r;
    if (!r)
        return st == RWA_OK ? RWA_NOMEM : st;
    *r = (struct ring){.nodes = n, .line = line, .both = both, .stripes = stripes,
                        .wavelengths = rwa_network_wavelengths(request->net),
                        .steps = both && !line ? n / 2 : n - 1};
    return RWA_OK;
}

static rwa_status open_one_way(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ring_create(out, request, false, 1, err);
}

static rwa_status open_both_ways(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ring_create(out, request, true, 1, err);
}

static rwa_status open_striped(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ring_create(out, request, true, rwa_network_channels(request->net), err);
}

static uint64_t striped_blocks(const struct scheme_request *request)
{
    return (uint64_t)rwa_network_nodes(request->net) * rwa_network_channels(request->net);
}

/**
 * In step t every node hands on clockwise the block of the node t - 1 places behind it, and the mirror of that.  A
 * node's stripes take the channels in turn with the next node's, which is what orbits do.
 */
static rwa_status turn(const struct ring *r, struct stage *s, rwa_error *err)
{
    uint32_t n = r->nodes, behind = r->step;
    bool back = r->both && behind < (n - 1) / 2;
    s->records = base_array((size_t)2 * r->stripes, sizeof *s->records, err);
    if (!s->records)
        return RWA_NOMEM;
    for (uint32_t c = 0; c < r->stripes; c++) {
        rwa_lightpath lp = {.step = 1, .dst = 1, .orbit = n, .period = r->stripes, .fiber = c / r->wavelengths,
                            .wavelength = c % r->wavelengths, .direction = RWA_CW,
                            .block = (uint64_t)((n - behind) % n) * r->stripes + c};
        s->records[s->record_count++] = lp;
        lp.dst = n - 1;
        lp.direction = RWA_CCW;
        lp.block = (uint64_t)behind * r->stripes + c;
        if (back)
            s->records[s->record_count++] = lp;
    }
    return RWA_OK;
}

static void pass_along_line(const struct ring *r, struct stage *s)
{
    uint32_t n = r->nodes, behind = r->step;
    for (uint32_t v = 0; v < n; v++) {
        if (!r->both)
            stage_add(s, v, (v + 1) % n, (v + n - behind) % n);
        else if (v + 1 < n && v >= behind)
            stage_add(s, v, v + 1, v - behind);
        if (r->both && v > 0 && v + behind < n)
            stage_add(s, v, v - 1, v + behind);
    }
}

static rwa_status ring_next(void *state, struct stage *s, rwa_error *err)
{
    struct ring *r = state;
    rwa_status st = RWA_OK;
    if (r->step == r->steps)
        return RWA_OK;
    if (!r->line)
        TRY(turn(r, s, err));
    else {
        TRY(stage_create(s, (size_t)r->nodes * 2, err));
        pass_along_line(r, s);
    }
    r->step++;
done:
    return st;
}

/** On a ring the lightpaths of a step are those of the first, or some of them. */
static bool ring_forecast(struct forecast *f, const struct scheme_request *request, bool both)
{
    uint32_t n = rwa_network_nodes(request->net);
    *f = (struct forecast){.steps = both ? n / 2 : n - 1, .settings = 1};
    return rwa_network_topology(request->net) == RWA_RING;
}

static bool forecast_one_way(struct forecast *f, const struct scheme_request *request)
{
    return ring_forecast(f, request, false);
}

static bool forecast_both_ways(struct forecast *f, const struct scheme_request *request)
{
    return ring_forecast(f, request, true);
}

static void ring_extent(struct extent *e, const struct scheme_request *request, double stripes)
{
    double n = rwa_network_nodes(request->net);
    bool ring = rwa_network_topology(request->net) == RWA_RING;
    *e = (struct extent){ring ? n * stripes : n * (n - 1), ring};
}

static void extent_of_whole_blocks(struct extent *e, const struct scheme_request *request)
{
    ring_extent(e, request, 1);
}

static void extent_of_stripes(struct extent *e, const struct scheme_request *request)
{
    ring_extent(e, request, rwa_network_channels(request->net));
}

static void ring_formula(rwa_formula *f, const struct scheme_request *request)
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
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .solved = 1u << RWA_LINE,
    .reversible = true,
    .forecast = forecast_one_way,
    .extent = extent_of_whole_blocks,
    .open = open_one_way,
    .next = ring_next,
    .close = base_free,
    .formula = ring_formula,
};

const struct scheme scheme_ring_both = {
    .name = "ring-both",
    .summary = "the ring in both directions at once, half as far each way",
    .source = "closed form: ceil((N - 1) / 2) steps",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .solved = 1u << RWA_LINE,
    .reversible = true,
    .forecast = forecast_both_ways,
    .extent = extent_of_whole_blocks,
    .open = open_both_ways,
    .next = ring_next,
    .close = base_free,
};

const struct scheme scheme_ring_striped = {
    .name = "ring-striped",
    .summary = "the ring in both directions with every block cut into stripes, one for each channel: nothing is set anew",
    .source = "closed form: ceil((N - 1) / 2) steps of d / W; Patarasuk, Yuan 2009 on the ring's bandwidth",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING,
    .reversible = true,
    .forecast = forecast_both_ways,
    .extent = extent_of_stripes,
    .blocks = striped_blocks,
    .open = open_striped,
    .next = ring_next,
    .close = base_free,
};
