/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Epochs that power forbids are cut: every step passes with all that is up in it, and no cut could be later. */
#include "plan/plan.h"
#include "power/power.h"
#include "schedule/schedule.h"

#include "tests/support/request.h"

enum { NODES = 8, WAVELENGTHS = 8 };

static rwa_lightpath lightpath(uint32_t step)
{
    return (rwa_lightpath){.step = step, .dst = NODES - 1, .wavelength = step - 1, .orbit = 1};
}

/* In step k one lightpath through the whole line on wavelength k: all fit in one epoch, with all their rings at the
 * ends. */
static rwa_schedule *one_epoch(void)
{
    rwa_schedule *sched = empty_on("line:8 w=8 bytes=1000");
    for (uint32_t step = 1; step <= WAVELENGTHS; step++) {
        rwa_lightpath lp = lightpath(step);
        OK(rwa_schedule_add(sched, &lp, NULL));
    }
    return sched;
}

/* The margin of a step's lightpath while the rings of steps from … to are on resonance. */
static double margin_among(const rwa_device *device, const rwa_network *net, uint32_t step, uint32_t from, uint32_t to)
{
    rwa_lightpath list[WAVELENGTHS];
    rwa_power power[WAVELENGTHS];
    size_t count = 0;
    list[count++] = lightpath(step);
    for (uint32_t s = from; s <= to; s++)
        if (s != step)
            list[count++] = lightpath(s);
    OK(power_step(power, NULL, device, RWA_POWER_RINGS, net, list, NULL, count, 1, NULL, NULL));
    return power[0].margin_db;
}

static bool epoch_passes(const rwa_device *device, const rwa_network *net, uint32_t from, uint32_t to)
{
    for (uint32_t step = from; step <= to; step++)
        if (margin_among(device, net, step, from, to) < 0)
            return false;
    return true;
}

/* The end of the longest epoch that begins with this step and passes; from - 1: there is none.  A longer one may pass
 * where a shorter one fails: a parked ring lies between two channels. */
static uint32_t end_of_epoch(const rwa_device *device, const rwa_network *net, uint32_t from)
{
    uint32_t to = WAVELENGTHS;
    while (to >= from && !epoch_passes(device, net, from, to))
        to--;
    return to;
}

static void greedy_cuts(const rwa_device *device, rwa_cost_model model)
{
    struct rwa_plan plan = {.schedule = one_epoch()};
    const rwa_network *net = rwa_schedule_network(plan.schedule);
    rwa_plan_options o;
    double uncut_s = 0;
    size_t at = 0;
    rwa_plan_options_init(&o);
    o.device = device;
    o.cost.model = model;
    OK(rwa_cost_schedule(&uncut_s, plan.schedule, &o.cost, NULL));
    OK(cut_epochs_for_power(&plan, &o, NULL));
    const uint32_t *cuts;
    size_t count = rwa_schedule_epoch_cuts(&cuts, plan.schedule);
    for (uint32_t from = 1, to; (to = end_of_epoch(device, net, from)) >= from && to < WAVELENGTHS; from = to + 1)
        CU_ASSERT(at < count && cuts[at++] == to + 1);
    CU_ASSERT_EQUAL(at, count);
    CU_ASSERT(count == 0 || plan.summary.time_s > uncut_s);
    if (count > 0 && model == RWA_COST_CIRCUIT)
        CU_ASSERT_DOUBLE_EQUAL(plan.summary.time_s, uncut_s + (double)count * o.cost.reconfig_s, 1e-15);
}

static void epochs_are_as_long_as_power_allows(void)
{
    rwa_device *device = device_named("conservative");
    const rwa_network *net = rwa_schedule_network(one_epoch());
    device->ring_q = 3000;      /* wide rings, which take much from their neighbours */
    device->ber_max = 1;        /* only the margin counts */
    double most_dbm = device->rx_sensitivity_dbm;
    for (uint32_t last = 1; last <= WAVELENGTHS; last++) {  /* steps 1 … last may just share an epoch */
        double least = 1e9;
        for (uint32_t step = 1; step <= last; step++)
            least = fmin(least, margin_among(device, net, step, 1, last));
        device->rx_sensitivity_dbm += least - 1e-6;
        CU_ASSERT(epoch_passes(device, net, 1, last));
        greedy_cuts(device, RWA_COST_CIRCUIT);
        greedy_cuts(device, RWA_COST_OVERLAP);
        device->rx_sensitivity_dbm = most_dbm;
    }
}

/* The model `paper` tunes nothing ahead, and without a device nothing is known. */
static void nothing_else_is_cut(void)
{
    struct rwa_plan plan = {.schedule = one_epoch()};
    rwa_device *device = device_named("conservative");
    rwa_plan_options o;
    rwa_plan_options_init(&o);
    device->rx_sensitivity_dbm = 100;
    o.cost.model = RWA_COST_CIRCUIT;
    OK(cut_epochs_for_power(&plan, &o, NULL));
    o.device = device;
    o.cost.model = RWA_COST_PAPER;
    OK(cut_epochs_for_power(&plan, &o, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_epoch_cuts(&(const uint32_t *){NULL}, plan.schedule), 0);
}

TESTS("power cuts", epochs_are_as_long_as_power_allows, nothing_else_is_cut)
