/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/cost.h"

#include "base/arithmetic.h"

OPTIONS(rwa_cost_options, .model = RWA_COST_PAPER, .reconfig_s = 25e-6, .packet_bytes = 128, .flit_bytes = 32,
        .cycles_per_flit = 1, .clock_hz = 1e9)

const char *rwa_cost_model_name(rwa_cost_model model)
{
    switch (model) {
    case RWA_COST_PAPER: return "paper";
    case RWA_COST_CIRCUIT: return "circuit";
    case RWA_COST_OVERLAP: return "overlap";
    }
    return NULL;
}

static rwa_status take_options(rwa_cost_options *o, const rwa_cost_options *opts, rwa_error *err)
{
    MUST(base_options(rwa_cost_options, o, opts, err));
    if (o->packet_bytes == 0 || o->flit_bytes == 0)
        return base_refuse(err, "packets of %llu bytes, flits of %llu: expected at least 1",
                           (unsigned long long)o->packet_bytes, (unsigned long long)o->flit_bytes);
    if (!(o->clock_hz > 0) || !isfinite(o->clock_hz))
        return base_refuse(err, "clock: %g Hz, expected a positive number", o->clock_hz);
    return RWA_OK;
}

/** Return the time, in seconds, to convert one block from optical to electrical and back. */
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
        return base_refuse(err, "rate: %g bit/s, expected a positive number", rate_bps);
    switch (o.model) {
    case RWA_COST_PAPER:
        out->step_s = o.reconfig_s;
        break;
    case RWA_COST_CIRCUIT:
        out->once_s = o.reconfig_s; /* of the first epoch */
        out->step_s = o.alpha_s;
        out->setting_s = o.reconfig_s;
        break;
    case RWA_COST_OVERLAP: /* the first step starts up while its lightpaths are set up */
        out->once_s = o.reconfig_s > o.alpha_s ? o.reconfig_s - o.alpha_s : 0;
        out->step_s = o.alpha_s;
        break;
    }
    /* The last packet may not be full, so a byte costs no less than its share of a full packet. */
    out->byte_s = transfer_s(1, rate_bps) + conversion_s(o.packet_bytes, &o) / (double)o.packet_bytes;
    return RWA_OK;
}

static double rate_of(const rwa_schedule *sched)
{
    return rwa_network_rate_bps(rwa_schedule_network(sched));
}

/** Return the time in seconds to send and convert the data of a step: that of the lightpath with the most blocks. */
static double step_transfer_s(const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o, uint32_t step)
{
    uint64_t bytes = rwa_schedule_collective(sched)->block_bytes * rwa_schedule_step_blocks(sched, step);
    return transfer_s(bytes, rate_bps) + conversion_s(bytes, o);
}

/** Return the time in seconds at which a step begins to send.  The step before it ends at before_s.  In the model
 *  `overlap` the last step that conflicts with it ends at tuned_after_s; in the model `circuit` new_epoch says whether
 *  the step begins an epoch. */
static double begin_s(const rwa_cost_options *o, double before_s, double tuned_after_s, bool new_epoch)
{
    switch (o->model) {
    case RWA_COST_PAPER: return before_s + o->reconfig_s;
    case RWA_COST_CIRCUIT: return before_s + o->alpha_s + (new_epoch ? o->reconfig_s : 0);
    case RWA_COST_OVERLAP: break;
    }
    return fmax(before_s + o->alpha_s, tuned_after_s + o->reconfig_s);
}

/** Compute the time of a schedule in seconds, and the times at which each step begins to tune, begins to send and
 *  ends.  These three arrays are NULL, or have an entry for each step. */
static rwa_status time_steps(double *seconds, double *tunes_s, double *begins_s, double *ends_s,
                             const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o, rwa_error *err)
{
    uint32_t steps = rwa_schedule_steps(sched), first = 0, *last = NULL;
    double *end_s = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(end_s, (size_t)steps + 1, err));
    TRY(base_new(last, (size_t)steps + 1, err));
    TRY(cost_tuned_after(last, sched, o->model, err));
    for (uint32_t step = 1; step <= steps; step++) {
        assert(last[step - 1] < step);
        double begin = begin_s(o, end_s[step - 1], end_s[last[step - 1]], cost_begins_epoch(&first, last, step));
        end_s[step] = begin + step_transfer_s(sched, rate_bps, o, step);
        if (tunes_s)    /* all lightpaths of an epoch are set up before its first step */
            tunes_s[step - 1] = end_s[o->model == RWA_COST_CIRCUIT ? first - 1 : last[step - 1]];
        if (begins_s)
            begins_s[step - 1] = begin;
        if (ends_s)
            ends_s[step - 1] = end_s[step];
    }
    *seconds = end_s[steps];
done:
    free_all(end_s, last);
    return st;
}

rwa_status rwa_cost_schedule(double *seconds, const rwa_schedule *sched, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, seconds, sched);
    rwa_cost_options o;
    *seconds = 0;
    MUST(take_options(&o, opts, err));
    return time_steps(seconds, NULL, NULL, NULL, sched, rate_of(sched), &o, err);
}

rwa_status rwa_cost_step_times(double *tune_s, double *begin_s, double *end_s, const rwa_schedule *sched,
                               double rate_bps, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, sched);
    rwa_cost_options o;
    double seconds = 0;
    MUST(take_options(&o, opts, err));
    if (!(rate_bps >= 0) || !isfinite(rate_bps))
        return base_refuse(err, "rate: %g bit/s, expected zero or a positive number", rate_bps);
    return time_steps(&seconds, tune_s, begin_s, end_s, sched, rate_bps > 0 ? rate_bps : rate_of(sched), &o, err);
}

rwa_status rwa_cost_epochs(uint32_t *epoch, const rwa_schedule *sched, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, epoch, sched);
    rwa_cost_options o;
    uint32_t steps = rwa_schedule_steps(sched), first = 0, count = 0;
    MUST(take_options(&o, opts, err));
    MUST(cost_tuned_after(epoch, sched, o.model == RWA_COST_PAPER ? o.model : RWA_COST_CIRCUIT, err));
    for (uint32_t step = 1; step <= steps; step++) {
        count += cost_begins_epoch(&first, epoch, step);
        epoch[step - 1] = count;
    }
    return RWA_OK;
}

rwa_status rwa_cost_holds(rwa_hold *hold, const rwa_schedule *sched, const rwa_cost_options *opts, rwa_error *err)
{
    BEGIN(err, hold, sched);
    rwa_cost_options o;
    MUST(take_options(&o, opts, err));
    return cost_holds(hold, sched, o.model, err);
}
