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
    case RWA_ROOTED_REDUCE:
        return RWA_BROADCAST;
    default:
        return kind;
    }
}

/* ---- every node gets each block once ---- */

/** Of a broadcast: the nodes that hold each block by now, and a schedule of the first arrivals alone. */
struct arrivals {
    const rwa_schedule *from;
    rwa_schedule *once;
    bool *held;                 /* [node][block] */
    uint32_t *kept;             /* blocks of a record */
    uint64_t blocks;
    rwa_error *err;
};

/** Whether some node gets a block twice, as a relay of a scatter does in the all-gather behind it. */
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

static rwa_status arrivals_open(struct arrivals *a)
{
    const rwa_collective *coll = rwa_schedule_collective(a->from);
    const uint32_t *members = rwa_schedule_members(a->from);
    uint32_t root = members ? members[coll->root] : coll->root;
    a->blocks = coll->blocks;
    MUST(base_new(a->held, rwa_network_nodes(rwa_schedule_network(a->from)) * a->blocks, a->err));
    MUST(base_new(a->kept, a->blocks, a->err));
    memset(a->held + root * a->blocks, true, a->blocks * sizeof *a->held);
    return rwa_schedule_create_among(&a->once, rwa_schedule_network(a->from), coll, members, rwa_schedule_scheme(a->from), a->err);
}

/** The blocks of a record that its reader does not hold yet. */
static uint32_t first_arrivals(struct arrivals *a, const rwa_lightpath *lp, const rwa_lists *lists)
{
    rwa_run single;
    uint32_t count, kept = 0;
    const rwa_run *runs = rwa_lists_runs(&count, &single, lp, lists);
    bool *held = a->held + lp->dst * a->blocks;
    for (uint32_t r = 0; r < count; r++)
        for (uint64_t k = 0, block = runs[r].first; k < runs[r].count; k++, block += runs[r].stride) {
            if (!held[block])
                a->kept[kept++] = (uint32_t)block;
            held[block] = true;
        }
    return kept;
}

/** The records of step t as step `to`.  A sender's block first arrived in an earlier step, so it can still send it. */
static rwa_status keep_step(struct arrivals *a, uint32_t t, uint32_t to)
{
    for (uint64_t i = rwa_schedule_first(a->from, t); i < rwa_schedule_first(a->from, t + 1); i++) {
        rwa_lightpath lp = schedule_lightpath(a->from, i);
        rwa_lists lists = schedule_lists(a->from, i);
        assert(lp.orbit == 1 && lists.tap_count == 0);
        uint32_t kept = first_arrivals(a, &lp, &lists);
        if (kept == 0)
            continue;
        lp.step = to;
        lists = (rwa_lists){.path = lists.path, .path_nodes = lists.path_nodes, .blocks = a->kept, .block_count = kept};
        MUST(rwa_schedule_add_lists(a->once, &lp, &lists, a->err));
    }
    return RWA_OK;
}

/** In place of a plan of a broadcast one of its first arrivals; steps that bring nothing new are left out. */
static rwa_status leave_out_repeats(rwa_plan *plan, rwa_error *err)
{
    struct arrivals a = {.from = plan->schedule, .err = err};
    rwa_status st = RWA_OK;
    if (!has_repeats(plan->schedule))
        return RWA_OK;
    TRY(arrivals_open(&a));
    for (uint32_t t = 1; t <= rwa_schedule_steps(a.from); t++)
        TRY(keep_step(&a, t, rwa_schedule_steps(a.once) + 1));
    plan_replace_schedule(plan, a.once);
    a.once = NULL;
done:
    rwa_schedule_free(a.once);
    free(a.held);
    free(a.kept);
    return st;
}

/* ---- backwards ---- */

/** Append a lightpath that is record i of another schedule, or that record reversed. */
static rwa_status append_record(rwa_schedule *to, const rwa_lightpath *lp, const rwa_schedule *from, uint64_t i, bool reversed,
                         uint32_t *path, rwa_error *err)
{
    rwa_lists lists = schedule_lists(from, i);
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
            rwa_lightpath lp = schedule_lightpath(from, i);
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
        rwa_lightpath lp = schedule_lightpath(from, i);
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

rwa_status reverse_plan(rwa_plan *plan, const rwa_plan *onward, const rwa_network *net, const rwa_collective *coll, rwa_error *err)
{
    rwa_schedule *back = NULL;
    bool twice = coll->kind == RWA_ALL_REDUCE;
    assert(!twice || onward);
    if (rwa_schedule_collective(plan->schedule)->kind == RWA_BROADCAST)
        MUST(leave_out_repeats(plan, err));
    const rwa_schedule *forth = plan->schedule;
    uint32_t *path = base_array(rwa_network_nodes(net), sizeof *path, err);
    rwa_status st = path ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(rwa_schedule_create_among(&back, net, coll, rwa_schedule_members(forth), rwa_schedule_scheme(forth), err));
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
