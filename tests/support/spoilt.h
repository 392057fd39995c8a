/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules with one wrong record. */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

#include "base/base.h"

/* The path of another lightpath of the orbit, or the way back. */
static inline void spoil_path(rwa_lightpath *lp, rwa_lists *lists, const rwa_network *net, bool back)
{
    static uint32_t path[64];
    uint32_t count = lists->path_nodes, by = any(rwa_network_nodes(net));
    CU_ASSERT_FATAL(count <= 64);
    for (uint32_t k = 0; k < count; k++)
        path[k] = back ? lists->path[count - 1 - k] : rwa_node_of_orbit(lists->path[k], by, net);
    lp->src = path[0];
    lp->dst = path[count - 1];
    lists->path = path;
}

/* One thing about one record changes; whatever the format forbids is left as it was. */
static inline void spoil(rwa_lightpath *lp, rwa_lists *lists, const rwa_schedule *sched)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net);
    uint64_t what = any(7);
    if (lists->path && (what == 0 || what == 3)) {
        spoil_path(lp, lists, net, what == 3);
        return;
    }
    switch (what) {
    case 0: lp->dst = (lp->dst + 1) % nodes; break;
    case 1: lp->block = any(rwa_schedule_collective(sched)->blocks); break;
    case 2: lp->wavelength = any(rwa_network_channels(net)); break;
    case 3: lp->direction = lp->direction == RWA_CW ? RWA_CCW : RWA_CW; break;
    case 4: lp->op = lp->op == RWA_COPY ? RWA_REDUCE : RWA_COPY; break;
    case 5: lp->orbit = lists->path ? 1 : 1 + any(nodes); break;
    default:
        lp->period = lists->path ? lp->period / 2 : rwa_network_channels(net);
    }
}

/* The record once more; one of several blocks with another block before its first, so that only a part of it can be
   right. */
static inline void repeat(rwa_schedule *out, const rwa_lightpath *lp, const rwa_lists *lists)
{
    rwa_lightpath again = *lp;
    rwa_lists changed = *lists;
    rwa_run runs[2] = {{any(rwa_schedule_collective(out)->blocks), 1, 1}};
    if (lists->run_count > 0) {
        runs[1] = (rwa_run){lists->runs[0].first, 1, 1};
        changed.runs = runs;
        changed.run_count = changed.block_count = 2;
        again.block = runs[0].first;
        again.wavelength = again.period > 0 ? any(again.period) : 0;
    }
    if (rwa_schedule_add_lists(out, &again, &changed, NULL) != RWA_OK)
        OK(rwa_schedule_add_lists(out, lp, lists, NULL));
}

/* The schedule with record `victim` spoilt, left out, or there twice. */
static inline rwa_schedule *spoilt(const rwa_schedule *sched, uint64_t victim)
{
    rwa_schedule *out = NULL;
    OK(rwa_schedule_create(&out, rwa_schedule_network(sched), rwa_schedule_collective(sched), "spoilt", NULL));
    bool dropped = any(5) == 0, twice = any(10) == 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath was = lightpath_of(sched, i), lp = was;
        rwa_lists lists = lists_of(sched, i), changed = lists;
        if (i == victim && dropped && rwa_schedule_first(sched, was.step + 1) - rwa_schedule_first(sched, was.step) > 1)
            continue;   /* no step is left empty */
        if (i == victim)
            spoil(&lp, &changed, sched);
        if (rwa_schedule_add_lists(out, &lp, &changed, NULL) != RWA_OK)
            OK(rwa_schedule_add_lists(out, &was, &lists, NULL));
        if (i == victim && twice)
            repeat(out, &was, &lists);
    }
    return out;
}
