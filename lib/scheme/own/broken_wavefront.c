/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a ring that lost links in one direction. */
#include "delivery/line/line_schedule.h"
#include "scheme/scheme.h"

/** Positions along the ring stand for nodes as in delivery/line/greedy_pass.h, and where counterclockwise links failed node v for node
 *  -v. */
struct broken {
    struct line_limits limits;
    bool *failed;
    bool mirrored;
};

static uint32_t mirror(const struct broken *b, uint32_t node)
{
    return b->mirrored ? (b->limits.nodes - node) % b->limits.nodes : node;
}

static uint32_t node_of(const struct broken *b, uint32_t position)
{
    return mirror(b, (b->limits.above + b->limits.nodes - position) % b->limits.nodes);
}

/** All failed in the same direction, or some node would not be reached; without any there is nothing to be done. */
static rwa_status take_failed(struct broken *b, const rwa_network *net, rwa_error *err)
{
    uint32_t n = b->limits.nodes;
    rwa_faults faults = network_faults(net);
    MUST(base_new(b->failed, n, err));
    b->limits.failed = b->failed;
    b->mirrored = faults.link_count > 0 && faults.links[0] >= n;
    for (int pass = 0; pass < 2; pass++)    /* position 0 is above the last of them */
        for (size_t i = 0; i < faults.link_count; i++) {
            uint32_t link = faults.links[i] % n, above = ((b->mirrored ? n - 1 - link : link) + 1) % n;
            b->limits.above = pass == 0 ? above : b->limits.above;
            b->failed[(b->limits.above + n - above) % n] |= pass == 1;
        }
    return RWA_OK;
}

/** A stage for each step. */
static rwa_status push_steps(struct schedule_sink *sink, const struct broken *b, const struct line_schedule *s, uint32_t wavelengths,
                             rwa_error *err)
{
    for (uint32_t step = 0; step < s->trees.steps; step++) {
        for (size_t i = s->steps.first[step]; i < s->steps.first[step + 1]; i++) {
            const struct delivery *d = &s->trees.at[s->steps.number[i]];
            uint32_t block = s->steps.number[i] / s->trees.nodes, position = s->steps.number[i] % s->trees.nodes;
            rwa_lightpath lp = {.step = 1, .src = node_of(b, d->from), .dst = node_of(b, position), .block = mirror(b, block),
                                .direction = (d->way == 0) != b->mirrored ? RWA_CCW : RWA_CW,
                                .fiber = d->channel / wavelengths, .wavelength = d->channel % wavelengths, .orbit = 1};
            MUST(sink_lightpath(sink, &lp, NULL, err));
        }
        MUST(sink_end_stage(sink, err));
    }
    return RWA_OK;
}

static rwa_status plan_broken(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct broken b = {.limits = {.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net),
                                  .max_hops = o->max_hops, .drops = 1, .seed = o->seed}};
    struct line_schedule schedule = {.trees = {0}};
    rwa_status st = RWA_OK;
    TRY(take_failed(&b, request->net, err));
    TRY(line_schedule_find(&schedule, &b.limits, &budget, err));
    TRY(push_steps(sink, &b, &schedule, rwa_network_wavelengths(request->net), err));
done:
    line_schedule_free(&schedule);
    free(b.failed);
    return st;
}

const struct scheme scheme_broken_wavefront = {
    .name = "broken-wavefront",
    .summary = "around failed links: every block runs down the whole direction and fills the gaps from both sides",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .traits = REVERSIBLE | SHORTENS | MENDS | ONLY_FAILED,
    .plan = plan_broken,
};
