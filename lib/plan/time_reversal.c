/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A schedule reversed in time, with every lightpath reversed.  If each node gets each block once, the routes of a
 * block form a tree; in reverse this tree brings every node's contribution to the owner exactly once.  Lightpaths
 * that shared no channel share none afterwards, since all of them change direction.
 */
#include "plan/plan.h"

#include "schedule/schedule.h"

rwa_collective_kind forward_kind(rwa_collective_kind kind)
{
    switch (kind) {
    case RWA_REDUCE_SCATTER:
    case RWA_ALL_REDUCE:
        return RWA_ALL_GATHER;
    case RWA_GATHER:
        return RWA_SCATTER;
    case RWA_ROOTED_REDUCE:
        return RWA_BROADCAST;
    default:
        return kind;
    }
}

/* ---- every node gets each block once ---- */

/** Tell whether some node gets a block twice in the schedule of a broadcast.  If a scatter is followed by an
 * all-gather, the relays of the scatter get blocks again. */
static bool has_repeats(const rwa_schedule *broadcast)
{
    const rwa_collective *coll = rwa_schedule_collective(broadcast);
    uint64_t arrivals = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(broadcast); i++) {
        rwa_lists lists = schedule_lists(broadcast, i);
        arrivals += lists.block_count > 0 ? lists.block_count : 1;
    }
    return arrivals > (coll->nodes - 1) * coll->blocks;
}

/** Keep only the first arrival of each block at each node in the plan of a broadcast.  Steps without a first arrival
 * are left out. */
static rwa_status leave_out_repeats(rwa_plan *plan, rwa_error *err)
{
    const rwa_schedule *all = plan->schedule;
    rwa_schedule *once = NULL;
    if (has_repeats(all))
        MUST(restrict_schedule(&once, all, rwa_schedule_collective(all), UINT32_MAX, rwa_schedule_scheme(all), err));
    if (once)
        plan_replace_schedule(plan, once);
    return RWA_OK;
}

/* ---- backwards ---- */

/** Append the time-reversed records of a schedule, from the last step to the first, with the operation `op`.
 * @param path  memory for a path through all nodes */
static rwa_status append_backwards(rwa_schedule *to, const rwa_schedule *from, rwa_op op, uint32_t *path,
                                   rwa_error *err)
{
    uint32_t steps = rwa_schedule_steps(from);
    for (uint32_t step = steps; step > 0; step--)
        for (uint64_t i = rwa_schedule_first(from, step); i < rwa_schedule_first(from, step + 1); i++) {
            rwa_lightpath was, lp;
            rwa_lists lists = schedule_lists(from, i);
            was = record_in_step(from, i, step);
            lp = was;
            lp.step = steps + 1 - step;
            lp.src = was.dst;
            lp.dst = was.src;
            lp.direction = was.direction == RWA_CW ? RWA_CCW : RWA_CW;
            lp.op = op;
            for (uint32_t k = 0; k < lists.path_nodes; k++)
                path[k] = lists.path[lists.path_nodes - 1 - k];
            lists.path = lists.path ? path : NULL;
            MUST(rwa_schedule_add_lists(to, &lp, &lists, err));
        }
    return RWA_OK;
}

/** Reverse the order of the stages in the report.
 * @param onward  plan of the pass that follows, whose stages are appended; may be `plan`; NULL: none */
static void reverse_stages(rwa_plan *plan, const rwa_plan *onward)
{
    rwa_stage was[RWA_STAGES_MAX], next[RWA_STAGES_MAX];
    size_t stages = plan->summary.stages, all = stages + (onward ? onward->summary.stages : 0);
    memcpy(was, plan->stage, sizeof was);
    memcpy(next, onward ? onward->stage : plan->stage, sizeof next);
    for (size_t j = 0; j < all && j < RWA_STAGES_MAX; j++) {
        size_t from = j < stages ? stages - 1 - j : j - stages;
        plan->stage[j] = from >= RWA_STAGES_MAX ? (rwa_stage){.radix = 0} : j < stages ? was[from] : next[from];
    }
    plan->summary.stages = all;
}

rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll,
                        rwa_error *err)
{
    rwa_schedule *back = NULL;
    bool twice = coll->kind == RWA_ALL_REDUCE;
    assert(!twice || onward);
    if (rwa_schedule_collective(plan->schedule)->kind == RWA_BROADCAST)
        MUST(leave_out_repeats(plan, err));
    const rwa_schedule *forth = plan->schedule;
    uint32_t *path;
    rwa_status st = RWA_OK;
    MUST(base_new(path, rwa_network_nodes(net), err));
    TRY(rwa_schedule_create_among(&back, net, coll, rwa_schedule_members(forth), rwa_schedule_scheme(forth), err));
    TRY(schedule_reserve(back, rwa_schedule_records(forth) + (twice ? rwa_schedule_records(onward->schedule) : 0),
                         err));
    TRY(append_backwards(back, forth, coll->kind == RWA_GATHER ? RWA_COPY : RWA_REDUCE, path, err));
    if (twice)
        TRY(schedule_append_steps(back, onward->schedule, rwa_schedule_steps(onward->schedule), false, err));
    reverse_stages(plan, twice ? onward : NULL);
    assert(rwa_schedule_steps(back) >= rwa_schedule_steps(forth));
    plan_replace_schedule(plan, back);
    back = NULL;
done:
    rwa_schedule_free(back);
    free(path);
    return st;
}
