/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/cost.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rwa_cost_options_init_sized(rwa_cost_options *opts, size_t size)
{
    rwa_cost_options defaults = {sizeof defaults, RWA_COST_PAPER, 0, 25e-6, 128, 32, 1, 1e9};
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

const char *rwa_cost_model_name(rwa_cost_model model)
{
    switch (model) {
    case RWA_COST_PAPER:
        return "paper";
    case RWA_COST_CIRCUIT:
        return "circuit";
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
    rwa_status st = RWA_OK;
    rwa_cost_options_init(o);
    TRY(base_take_options(o, sizeof *o, opts, "cost options", err));
    if (!rwa_cost_model_name(o->model))
        return base_fail(err, RWA_BADARG, "cost model %d: expected paper or circuit", (int)o->model);
    TRY(not_negative(o->alpha_s, "alpha", err));
    TRY(not_negative(o->reconfig_s, "reconfiguration", err));
    TRY(not_negative(o->cycles_per_flit, "cycles per flit", err));
    if (o->packet_bytes == 0 || o->flit_bytes == 0)
        return base_fail(err, RWA_BADARG, "packets of %llu bytes, flits of %llu: expected at least 1",
                         (unsigned long long)o->packet_bytes, (unsigned long long)o->flit_bytes);
    if (!(o->clock_hz > 0) || !isfinite(o->clock_hz))
        return base_fail(err, RWA_BADARG, "clock: %g Hz, expected a positive number", o->clock_hz);
done:
    return st;
}

static double divide_up(uint64_t a, uint64_t b)
{
    return (double)(a / b + (a % b != 0));
}

/** Optical to electrical and back, of one block. */
static double conversion_s(uint64_t block_bytes, const rwa_cost_options *o)
{
    double flits = divide_up(block_bytes, o->packet_bytes) * divide_up(o->packet_bytes, o->flit_bytes);
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

/** A lightpath without its block; pair is never 0, so that 0 marks a free place. */
struct circuit {
    uint64_t pair;
    uint64_t channel;
};

/** The lightpaths of one step; open addressing. */
struct circuits {
    struct circuit *at;
    size_t have;
    size_t mask;
};

static struct circuit circuit_of(const rwa_lightpath *lp)
{
    struct circuit c = {((uint64_t)lp->src << 32 | lp->dst) + 1,
                        (uint64_t)lp->fiber << 32 | (uint64_t)lp->wavelength << 1 | (lp->direction == RWA_CCW)};
    return c;
}

/** Where the circuit is, or the free place where it belongs. */
static struct circuit *find(const struct circuits *set, struct circuit c)
{
    uint64_t state = c.pair * 0x9E3779B97F4A7C15u ^ c.channel;
    size_t i = (size_t)base_random(&state) & set->mask;
    while (set->at[i].pair != 0 && (set->at[i].pair != c.pair || set->at[i].channel != c.channel))
        i = (i + 1) & set->mask;
    return &set->at[i];
}

/** Whether some lightpath of the step is not in the set. */
static bool has_new(const struct circuits *set, const rwa_schedule *sched, uint32_t step)
{
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record, lp;
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++) {
            rwa_lightpath_of_orbit(&lp, &record, k, rwa_schedule_network(sched), rwa_schedule_collective(sched));
            if (find(set, circuit_of(&lp))->pair == 0)
                return true;
        }
    }
    return false;
}

static uint64_t lightpaths_of(const rwa_schedule *sched, uint32_t step)
{
    uint64_t count = 0;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record;
        rwa_schedule_get(sched, i, &record);
        count += record.orbit;
    }
    return count;
}

static rwa_status fill(struct circuits *set, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    uint64_t count = lightpaths_of(sched, step);
    size_t size = 16;
    while (size / 2 < count)
        size *= 2;
    if (size > set->have) {
        free(set->at);
        set->have = 0;
        set->at = base_array(size, sizeof *set->at, err);
        if (!set->at)
            return RWA_NOMEM;
        set->have = size;
    }
    memset(set->at, 0, size * sizeof *set->at);
    set->mask = size - 1;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record, lp;
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++) {
            rwa_lightpath_of_orbit(&lp, &record, k, rwa_schedule_network(sched), rwa_schedule_collective(sched));
            *find(set, circuit_of(&lp)) = circuit_of(&lp);
        }
    }
    return RWA_OK;
}

/** Steps that set up at least one lightpath which was not up in the step before; the first step always does. */
static rwa_status count_settings(uint64_t *settings, const rwa_schedule *sched, rwa_error *err)
{
    struct circuits set = {0};
    rwa_status st = RWA_OK;
    uint32_t steps = rwa_schedule_steps(sched);
    *settings = steps > 0;
    for (uint32_t step = 2; step <= steps; step++) {
        TRY(fill(&set, sched, step - 1, err));
        *settings += has_new(&set, sched, step);
    }
done:
    free(set.at);
    return st;
}

rwa_status rwa_cost_schedule(double *seconds, const rwa_schedule *sched, const rwa_cost_options *opts, rwa_error *err)
{
    rwa_cost_options o;
    rwa_status st = RWA_OK;
    uint64_t settings = 0;
    /* A lightpath may carry several blocks, and a step lasts as long as its longest. */
    uint64_t bytes = rwa_schedule_collective(sched)->block_bytes * rwa_schedule_slots(sched);
    double rate = rwa_network_rate_bps(rwa_schedule_network(sched));
    *seconds = 0;
    TRY(take_options(&o, opts, err));
    if (o.model == RWA_COST_PAPER) {
        *seconds = rwa_cost_steps(rwa_schedule_steps(sched), bytes, rate, &o);
    } else {
        TRY(count_settings(&settings, sched, err));
        *seconds = (double)rwa_schedule_steps(sched) * (transfer_s(bytes, rate) + o.alpha_s + conversion_s(bytes, &o)) +
                   (double)settings * o.reconfig_s;
    }
done:
    return st;
}
