/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A schedule reversed in time, with every lightpath reversed.  Where each node gets each block once, the ways of a
 * block form a tree; backwards they bring every node's contribution to the owner, each once.  Two lightpaths that shared
 * no channel share none afterwards, since all of them change direction.
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
    default:
        return kind;
    }
}

/** Append a lightpath that is record i of another schedule, or that record reversed. */
static rwa_status append_record(rwa_schedule *to, const rwa_lightpath *lp, const rwa_schedule *from, uint64_t i, bool reversed,
                         uint32_t *path, rwa_error *err)
{
    rwa_lists lists;
    rwa_schedule_lists(&lists, from, i);
    for (uint32_t k = 0; k < lists.path_nodes; k++)
        path[k] = lists.path[reversed ? lists.path_nodes - 1 - k : k];
    if (lists.path)
        lists.path = path;
    return rwa_schedule_add_lists(to, lp, &lists, err);
}

static rwa_status append_backwards(rwa_schedule *to, const rwa_schedule *from, rwa_op op, uint32_t *path, rwa_error *err)
{
    uint32_t steps = rwa_schedule_steps(from);
    for (uint32_t t = steps; t > 0; t--)
        for (uint64_t i = rwa_schedule_first(from, t); i < rwa_schedule_first(from, t + 1); i++) {
            rwa_lightpath lp;
            rwa_schedule_get(&lp, from, i);
            uint32_t src = lp.src;
            lp.step = steps - t + 1;
            lp.src = lp.dst;
            lp.dst = src;
            lp.direction = lp.direction == RWA_CW ? RWA_CCW : RWA_CW;
            lp.op = op;
            MUST(append_record(to, &lp, from, i, true, path, err));
        }
    return RWA_OK;
}

static rwa_status append_forwards(rwa_schedule *to, const rwa_schedule *from, uint32_t *path, rwa_error *err)
{
    uint32_t base = rwa_schedule_steps(to);
    for (uint64_t i = 0; i < rwa_schedule_records(from); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(&lp, from, i);
        lp.step += base;
        MUST(append_record(to, &lp, from, i, false, path, err));
    }
    return RWA_OK;
}

/** The stages from the last to the first.  @param onward  may be `plan`; its stages come after; NULL: none */
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

rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_collective *coll, rwa_error *err)
{
    rwa_schedule *back = NULL;
    const rwa_schedule *forth = plan->schedule;
    bool twice = coll->kind == RWA_ALL_REDUCE;
    assert(!twice || onward);
    uint32_t *path = base_array(rwa_network_nodes(rwa_schedule_network(forth)), sizeof *path, err); /* for a path */
    rwa_status st = path ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(rwa_schedule_create_among(&back, rwa_schedule_network(forth), coll, rwa_schedule_members(forth), rwa_schedule_scheme(forth), err));
    TRY(schedule_reserve(back, rwa_schedule_records(forth) + (twice ? rwa_schedule_records(onward->schedule) : 0), err));
    TRY(append_backwards(back, forth, coll->kind == RWA_GATHER ? RWA_COPY : RWA_REDUCE, path, err));
    if (twice)
        TRY(append_forwards(back, onward->schedule, path, err));
    reverse_stages(plan, twice ? onward : NULL);
    assert(rwa_schedule_steps(back) >= rwa_schedule_steps(forth));
    plan_replace_schedule(plan, back);
    back = NULL;
done:
    rwa_schedule_free(back);
    free(path);
    return st;
}
