/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/cost.h"

#include "base/arithmetic.h"

OPTIONS(rwa_cost_options, .model = RWA_COST_PAPER, .reconfig_s = 25e-6, .packet_bytes = 128, .flit_bytes = 32, .cycles_per_flit = 1,
        .clock_hz = 1e9)

const char *rwa_cost_model_name(rwa_cost_model model)
{
    switch (model) {
    case RWA_COST_PAPER: return "paper";
    case RWA_COST_CIRCUIT: return "circuit";
    case RWA_COST_OVERLAP: return "overlap";
    }
    return NULL;
}

static rwa_status not_negative(double value, const char *name, rwa_error *err)
{
    if (value >= 0 && isfinite(value))
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "%s: %g, expected zero or a positive number", name, value);
}

static rwa_status take_options(rwa_cost_options *o, const rwa_cost_options *opts, rwa_error *err)
{
    rwa_cost_options_init(o);
    MUST(base_take_options(o, sizeof *o, opts, "cost options", err));
    if (!rwa_cost_model_name(o->model))
        return base_fail(err, RWA_BADARG, "cost model %d: expected paper, circuit or overlap", (int)o->model);
    MUST(not_negative(o->alpha_s, "alpha", err));
    MUST(not_negative(o->reconfig_s, "reconfiguration", err));
    MUST(not_negative(o->cycles_per_flit, "cycles per flit", err));
    if (o->packet_bytes == 0 || o->flit_bytes == 0)
        return base_fail(err, RWA_BADARG, "packets of %llu bytes, flits of %llu: expected at least 1",
                         (unsigned long long)o->packet_bytes, (unsigned long long)o->flit_bytes);
    if (!(o->clock_hz > 0) || !isfinite(o->clock_hz))
        return base_fail(err, RWA_BADARG, "clock: %g Hz, expected a positive number", o->clock_hz);
    return RWA_OK;
}

/** Optical to electrical and back, of one block. */
static double conversion_s(uint64_t block_bytes, const rwa_cost_options *o)
{
    double flits = (double)ceil_div(block_bytes, o->packet_bytes) * (double)ceil_div(o->packet_bytes, o->flit_bytes);
    return flits * o->cycles_per_flit / o->clock_hz;
}

static double transfer_s(uint64_t block_bytes, double rate_bps)
{
    return 8.0 * (double)block_bytes / rate_bps;
}

double rwa_cost_steps(uint64_t steps, uint64_t block_bytes, double rate_bps, const rwa_cost_options *opts)
{
    rwa_cost_options o;
    if (take_options(&o, opts, NULL) != RWA_OK || !(rate_bps > 0))
        return NAN;
    return (double)steps * (transfer_s(block_bytes, rate_bps) + o.reconfig_s + conversion_s(block_bytes, &o));
}

rwa_status rwa_cost_floor(rwa_cost_prices *out, double rate_bps, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, out);
    rwa_cost_options o;
    *out = (rwa_cost_prices){0};
    MUST(take_options(&o, opts, err));
    if (!(rate_bps > 0) || !isfinite(rate_bps))
        return base_fail(err, RWA_BADARG, "rate: %g bit/s, expected a positive number", rate_bps);
    switch (o.model) {
    case RWA_COST_PAPER:
        out->step_s = o.reconfig_s;
        break;
    case RWA_COST_CIRCUIT:
        out->once_s = o.reconfig_s; /* the first step sets up what was not there */
        out->step_s = o.alpha_s;
        out->setting_s = o.reconfig_s;
        break;
    case RWA_COST_OVERLAP: /* the first step starts up while its lightpaths are tuned */
        out->once_s = o.reconfig_s > o.alpha_s ? o.reconfig_s - o.alpha_s : 0;
        out->step_s = o.alpha_s;
        break;
    }
    /* Packets are not always full, so a byte costs no less than its part of a full one. */
    out->byte_s = transfer_s(1, rate_bps) + conversion_s(o.packet_bytes, &o) / (double)o.packet_bytes;
    return RWA_OK;
}

static double rate_of(const rwa_schedule *sched)
{
    return rwa_network_rate_bps(rwa_schedule_network(sched));
}

static double blocks_s(const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o, uint32_t blocks)
{
    uint64_t bytes = rwa_schedule_collective(sched)->block_bytes * blocks;
    return transfer_s(bytes, rate_bps) + conversion_s(bytes, o);
}

static double step_transfer_s(const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o, uint32_t step)
{
    return blocks_s(sched, rate_bps, o, rwa_schedule_step_blocks(sched, step));
}

/** Transfer and conversion of all steps, each as long as its longest lightpath; steps of equal length are counted together. */
static double transfers_s(const rwa_schedule *sched, const rwa_cost_options *o)
{
    double sum = 0;
    uint32_t steps = rwa_schedule_steps(sched), step = 1;
    while (step <= steps) {
        uint32_t blocks = rwa_schedule_step_blocks(sched, step), first = step;
        while (step <= steps && rwa_schedule_step_blocks(sched, step) == blocks)
            step++;
        assert(step > first);
        sum += (double)(step - first) * blocks_s(sched, rate_of(sched), o, blocks);
    }
    return sum;
}

rwa_status rwa_cost_schedule(double *seconds, const rwa_schedule *sched, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, seconds, sched);
    rwa_cost_options o;
    uint64_t steps = rwa_schedule_steps(sched), settings = steps;
    double step_s = 0;
    *seconds = 0;
    MUST(take_options(&o, opts, err));
    if (o.model == RWA_COST_OVERLAP)
        return cost_overlap(seconds, NULL, NULL, sched, rate_of(sched), &o, step_transfer_s, err);
    if (o.model == RWA_COST_CIRCUIT) {
        MUST(cost_settings(&settings, NULL, sched, err));
        step_s = o.alpha_s;
    }
    *seconds = transfers_s(sched, &o) + (double)steps * step_s + (double)settings * o.reconfig_s;
    assert(settings <= steps && *seconds >= 0);
    return RWA_OK;
}

/** One step after the other: what sets micro-rings, or in the paper model each, waits for them. */
static rwa_status times_in_turn(double *begin_s, double *end_s, const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o,
                                rwa_error *err)
{
    bool *sets = base_array(rwa_schedule_steps(sched), sizeof *sets, err), paper = o->model == RWA_COST_PAPER;
    rwa_status st = sets ? RWA_OK : RWA_NOMEM;
    uint64_t settings;
    double now = 0;
    if (st == RWA_OK && !paper)
        st = cost_settings(&settings, sets, sched, err);
    for (uint32_t step = 1; st == RWA_OK && step <= rwa_schedule_steps(sched); step++) {
        now += paper ? o->reconfig_s : o->alpha_s + (sets[step - 1] ? o->reconfig_s : 0);
        begin_s[step - 1] = now;
        now += step_transfer_s(sched, rate_bps, o, step);
        end_s[step - 1] = now;
    }
    free(sets);
    return st;
}

rwa_status rwa_cost_step_times(double *begin_s, double *end_s, const rwa_schedule *sched, double rate_bps, const rwa_cost_options *opts,
                               rwa_error *err)
{
    BEGIN(err, begin_s, end_s, sched);
    rwa_cost_options o;
    double seconds = 0;
    MUST(take_options(&o, opts, err));
    if (!(rate_bps >= 0) || !isfinite(rate_bps))
        return base_fail(err, RWA_BADARG, "rate: %g bit/s, expected zero or a positive number", rate_bps);
    rate_bps = rate_bps > 0 ? rate_bps : rate_of(sched);
    if (o.model == RWA_COST_OVERLAP)
        return cost_overlap(&seconds, begin_s, end_s, sched, rate_bps, &o, step_transfer_s, err);
    return times_in_turn(begin_s, end_s, sched, rate_bps, &o, err);
}
