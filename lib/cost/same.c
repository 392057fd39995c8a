/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a step has the lightpaths of the one before, record by record. */
#include "cost/cost.h"

#include "network/network.h"

/** Nodes of record a, and of record b as moved to the source of a. */
static bool same_nodes(const rwa_schedule *sched, uint64_t a, uint64_t b, const uint32_t *of_a, const uint32_t *of_b, uint32_t count)
{
    uint32_t k = 0;
    if (sched->src[a] == sched->src[b])
        return count == 0 || memcmp(of_a, of_b, count * sizeof *of_a) == 0;
    while (k < count && of_a[k] == translations_move(&sched->group, of_b[k], sched->src[b], sched->src[a]))
        k++;
    return k == count;
}

/** Same path and taps, both seen from the source, as they are for lightpaths from one source; blocks do not matter. */
static bool cost_same_lists(const rwa_schedule *sched, uint64_t a, uint64_t b)
{
    rwa_lists la, lb;
    rwa_schedule_lists(&la, sched, a);
    rwa_schedule_lists(&lb, sched, b);
    return la.path_nodes == lb.path_nodes && la.tap_count == lb.tap_count && same_nodes(sched, a, b, la.path, lb.path, la.path_nodes) &&
           same_nodes(sched, a, b, la.taps, lb.taps, la.tap_count);
}

/** Same nodes and channel, and where it says the route, direction. */
static bool cost_same_route(const rwa_schedule *sched, const rwa_lightpath *a, const rwa_lightpath *b)
{
    bool opposite = a->direction != b->direction && network_has_arcs(rwa_schedule_network(sched));
    return a->src == b->src && a->dst == b->dst && !opposite && a->fiber == b->fiber && a->wavelength == b->wavelength;
}

/** Whether record a of this step and record b of the step before are the same lightpaths, orbit and all. */
static bool same_record(const rwa_schedule *sched, uint32_t step, uint64_t a, uint64_t b)
{
    rwa_lightpath la, lb;
    schedule_get_in_step(&la, sched, a, step);
    schedule_get_in_step(&lb, sched, b, step - 1);
    return cost_same_route(sched, &la, &lb) && la.orbit == lb.orbit && (la.orbit == 1 || la.period == lb.period) &&
           cost_same_lists(sched, a, b);
}

bool cost_repeats(const rwa_schedule *sched, uint32_t step)
{
    uint64_t before = rwa_schedule_first(sched, step - 1), now = rwa_schedule_first(sched, step);
    if (rwa_schedule_first(sched, step + 1) - now > now - before)
        return false;
    for (uint64_t i = now; i < rwa_schedule_first(sched, step + 1); i++)
        if (!same_record(sched, step, i, before + (i - now)))
            return false;
    return true;
}
