/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront on a line, whose ends every block must reach over one link. */
#include "delivery/line/line_schedule.h"
#include "lattice/lattice_points.h"
#include "scheme/scheme.h"

/** The lightpaths of one step.  `taps` has an entry for each reader but the last. */
static rwa_status push_step(struct schedule_sink *sink, const struct line_schedule *s, uint32_t step, uint32_t wavelengths, uint32_t *taps,
                            rwa_error *err)
{
    for (size_t i = s->steps.first[step]; i < s->steps.first[step + 1]; i++) {
        uint32_t block = s->steps.number[i] / s->trees.nodes, dst = s->steps.number[i] % s->trees.nodes;
        const struct delivery *d = &s->trees.at[s->steps.number[i]];
        if (!d->ends)
            continue;
        rwa_lists lists = {.taps = taps, .tap_count = line_schedule_taps(taps, s, i)};
        rwa_lightpath lp = {.step = 1, .src = d->from, .dst = dst, .direction = d->way == 0 ? RWA_CW : RWA_CCW, .block = block,
                            .fiber = d->channel / wavelengths, .wavelength = d->channel % wavelengths, .orbit = 1};
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return sink_end_stage(sink, err);
}

static struct line_limits limits_of(const struct plan_request *request)
{
    const rwa_plan_options *o = request->opts;
    uint32_t nodes = request->coll->nodes, drops = o->max_drops > 1 ? o->max_drops : 1;
    return (struct line_limits){.nodes = nodes, .channels = rwa_network_channels(request->net), .max_hops = o->max_hops,
                                .drops = drops < nodes ? drops : nodes, .ports = rwa_network_ports(request->net),
                                .seed = o->seed, .brief = o->stripes > 1};
}

static rwa_status plan_line(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct line_limits limits = limits_of(request);
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct line_schedule schedule = {0};
    rwa_status st = RWA_OK;
    uint32_t *taps = base_array(limits.drops, sizeof *taps, err);
    TRY(taps ? RWA_OK : RWA_NOMEM);
    TRY(line_schedule_find(&schedule, &limits, &budget, err));
    for (uint32_t step = 0; step < schedule.trees.steps; step++)
        TRY(push_step(sink, &schedule, step, rwa_network_wavelengths(request->net), taps, err));
done:
    line_schedule_free(&schedule);
    free(taps);
    return st;
}

/** No fewer steps than a ring of as many nodes takes, nor than the ends need to receive all blocks over one link. */
static rwa_status estimate_line(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    struct line_limits limits = limits_of(request);
    uint64_t ends = line_fewest_steps(&limits), ring;
    (void)err;
    ring = limits.nodes > 2 ? lattice_least_steps(limits.nodes, limits.channels, limits.drops, false) : 1;
    e->least_steps = ends > ring ? ends : ring;
    return RWA_OK;
}

const struct scheme scheme_line_wavefront = {
    .name = "line-wavefront",
    .summary = "every block runs to both ends by long hops and fills the gaps behind them",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_PATH,
    .traits = REVERSIBLE | STRIPES | TAPS | SHORTENS | SLOW,
    .estimate = estimate_line,
    .plan = plan_line,
};
