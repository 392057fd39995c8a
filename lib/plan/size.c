/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Estimates of the memory and work of a plan and its check. */
#include "base/arithmetic.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

bool task_has_limit(const struct plan_task *t)
{
    return t->deadline && t->deadline->limit_s > 0;
}

bool task_may_refuse(const struct plan_task *t)
{
    return t->opts->device || t->opts->max_hops > 0 || t->opts->lightpath_blocks > 0 || rwa_network_ports(t->net) > 0;
}

double least_lightpaths(const rwa_collective *coll)
{
    double others = coll->nodes - 1.0, blocks = (double)coll->blocks;
    switch (coll->kind) {
    case RWA_ALL_REDUCE:
        return 2 * others * blocks;
    case RWA_ALL_TO_ALL:
        return others * coll->nodes;
    case RWA_SCATTER:
    case RWA_GATHER:
        return others * blocks / coll->nodes;
    default:
        return others * blocks;
    }
}

double bytes_to_check(const rwa_collective *coll)
{
    enum { SUM_BYTES = 16 };    /* the contributions that a node has to a block; for copies one bit */
    double bytes = rwa_collective_is_reduction(coll->kind) ? SUM_BYTES : 1.0 / 8;
    return (double)coll->nodes * (double)coll->blocks * bytes;
}

/** Tell whether the checker may have far fewer lightpaths to visit than least_lightpaths(): orbits may stand for them,
 * or a scheme may choose fewer blocks. */
static bool may_be_few(const struct plan_task *task)
{
    if (task->coll->kind == RWA_ALL_REDUCE)
        return network_has_arcs(task->net);
    bool shared = task->coll->kind == RWA_ALL_GATHER || task->coll->kind == RWA_REDUCE_SCATTER;
    return shared && network_is_cycle(task->net);
}

rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err)
{
    const rwa_collective *coll = task->coll;
    double least = least_lightpaths(coll);
    if (may_be_few(task) || least <= MOST_TO_CHECK)
        return RWA_OK;
    return base_refuse(err, "%s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                       rwa_collective_name(coll->kind), coll->nodes, least, MOST_TO_CHECK);
}

/** Return the share (0 … 1) of the lightpaths whose power must be computed.  It is below 1 only if all orbits go round
 * the whole ring. */
static double share_to_light(const rwa_schedule *sched)
{
    uint64_t nodes = rwa_network_nodes(rwa_schedule_network(sched)), turn = 1;
    for (uint64_t i = 0; i < rwa_schedule_records(sched) && turn < nodes; i++) {
        rwa_lightpath lp = schedule_lightpath(sched, i);
        turn = lp.orbit == nodes ? turn / common_divisor(turn, lp.period) * lp.period : nodes;
    }
    /* lightpaths of an orbit whose sources are a multiple of `turn` apart have equal power, so one of them is
       enough */
    return nodes % turn == 0 ? (double)turn / (double)nodes : 1;
}

double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched)
{
    if (!t->opts->device || !network_has_arcs(t->net))
        return 0;
    assert(rwa_schedule_steps(sched) > 0);
    double lightpaths = (double)rwa_schedule_lightpaths(sched), guides = 2.0 * rwa_network_fibers(t->net);
    /* a signal meets about one ring for each lightpath in its direction and fibre of the step, and at most all on the
       longest route */
    double together = lightpaths / (guides * rwa_schedule_steps(sched));
    double passed = (double)plan_longest_hops(sched) * rwa_network_wavelengths(t->net);
    return share_to_light(sched) * lightpaths * fmin(together, passed);
}
