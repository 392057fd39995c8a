/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The collective once more behind the steps before a failure, on what is left of the network: no repair should take longer. */
#include "plan/plan.h"
#include "schedule/schedule.h"

/** Sums that began are not added twice, so that reductions begin again only where no step was made. */
static bool may_restart(const rwa_schedule *sched, uint32_t at_step)
{
    return at_step == 1 || !rwa_collective_is_reduction(rwa_schedule_collective(sched)->kind);
}

/** By any scheme, around the links that fail at some time. */
static rwa_status plan_again(rwa_plan **out, const rwa_schedule *sched, const rwa_network *failed, const rwa_plan_options *o,
                             rwa_error *err)
{
    const rwa_collective *was = rwa_schedule_collective(sched);
    rwa_plan_options ask = *o;
    rwa_faults faults = network_faults(failed);
    rwa_network *left = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    faults.links_from = 0;
    ask.members = rwa_schedule_members(sched);
    ask.total_limit_s = 0; /* its poll knows the deadline */
    TRY(rwa_network_with_faults(&left, rwa_schedule_network(sched), &faults, err));
    TRY(rwa_collective_init(&coll, was->kind, was->nodes, was->root, plan_message_bytes(was), 0, err));
    TRY(plan_leniently(out, left, &coll, &ask, err));
done:
    rwa_network_free(left);
    return st;
}

/** The steps before at_step as they were, then those of the new plan; NULL: that would be too large. */
static rwa_status join_steps(rwa_schedule **out, const rwa_schedule *sched, const rwa_schedule *again, const rwa_network *failed,
                             uint32_t at_step, rwa_error *err)
{
    const rwa_collective *was = rwa_schedule_collective(sched), *is = rwa_schedule_collective(again);
    uint64_t blocks = at_step == 1 ? is->blocks : was->blocks / common_divisor(was->blocks, is->blocks) * is->blocks;
    rwa_schedule *all = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    if (blocks > JOINED_BLOCKS_MOST || rwa_schedule_lightpaths(sched) + rwa_schedule_lightpaths(again) > JOINED_RECORDS_MOST)
        return RWA_OK;
    TRY(rwa_collective_init(&coll, was->kind, was->nodes, was->root, plan_message_bytes(was), blocks, err));
    TRY(rwa_schedule_create_among(&all, failed, &coll, rwa_schedule_members(sched), rwa_schedule_scheme(again), err));
    if (at_step > 1)
        TRY(schedule_append_steps(all, sched, at_step - 1, true, err));
    TRY(schedule_append_steps(all, again, rwa_schedule_steps(again), true, err));
    *out = all;
    all = NULL;
done:
    rwa_schedule_free(all);
    return st;
}

rwa_status plan_restart(rwa_plan **out, const rwa_schedule *sched, const rwa_network *failed, uint32_t at_step, const rwa_plan_options *o,
                        rwa_error *err)
{
    rwa_schedule *all = NULL;
    rwa_plan *plan = NULL;
    rwa_plan_options with_members = *o;
    rwa_status st = RWA_OK;
    *out = NULL;
    with_members.members = rwa_schedule_members(sched);
    if (!may_restart(sched, at_step))
        return RWA_OK;
    TRY(plan_again(&plan, sched, failed, o, err));
    if (plan->schedule)
        TRY(join_steps(&all, sched, plan->schedule, failed, at_step, err));
    if (!all)
        goto done;
    plan_replace_schedule(plan, all);
    plan->summary.formula.known = 0;
    plan->summary.stages = plan->summary.alternatives = 0;
    TRY(plan_times(&plan->summary, all, &o->cost, err));
    TRY(plan_verdict(plan, failed, rwa_schedule_collective(all), &with_members, err));
    if (plan->summary.outcome != RWA_INFEASIBLE) {
        *out = plan;
        plan = NULL;
    }
done:
    rwa_plan_free(plan);
    return st;
}
