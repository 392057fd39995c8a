/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives that contain the one asked for.  Some plans exist only for the larger one, such as the ring's for an all-reduce; what
 * is left of it for the smaller one takes no longer.  Only plans that promise to be quicker are made: the bound on the time of the
 * larger collective rules out most, and its schemes are built only below the time that is known.
 */
#include "plan/plan.h"

/** A plan of the larger collective takes many times as long to make as one of the smaller: on more nodes that is too long. */
enum { NODES_MOST = 8192 };

/** The larger collective moves all that the smaller one has to. */
static const struct containment {
    rwa_collective_kind inner, outer;
    bool together;              /* its message is what all nodes have together */
} containments[] = {
    {RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, false},
    {RWA_ROOTED_REDUCE, RWA_ALL_REDUCE, false},
    {RWA_ROOTED_REDUCE, RWA_REDUCE_SCATTER, true},
    {RWA_BROADCAST, RWA_ALL_REDUCE, false},
    {RWA_BROADCAST, RWA_ALL_GATHER, false},
    {RWA_GATHER, RWA_ALL_GATHER, false},
    {RWA_SCATTER, RWA_REDUCE_SCATTER, true},
    {RWA_SCATTER, RWA_BROADCAST, true},
    {RWA_GATHER, RWA_ROOTED_REDUCE, true},
};

/** Whether the caller left it to "auto" how to plan. */
static bool is_open(const struct plan_task *t)
{
    bool left = scheme_is_open(t->opts) && t->opts->stripes == 0 && t->opts->lightpath_blocks == 0;
    return t->coll->nodes <= NODES_MOST && left && !options_shape(t->opts) && !chose_blocks(t->coll);
}

/** The containing collective; false: there is none of so large a message. */
static bool open_outer(rwa_collective *outer, const struct containment *c, const rwa_collective *inner)
{
    uint32_t root = c->outer == RWA_BROADCAST || c->outer == RWA_ROOTED_REDUCE ? inner->root : 0;
    uint64_t message = inner->message_bytes;
    if (c->together && message > UINT64_MAX / inner->nodes)
        return false;
    return rwa_collective_init(outer, c->outer, inner->nodes, root, message * (c->together ? inner->nodes : 1), 0, NULL) == RWA_OK;
}

/** Whether the bound leaves the larger collective a chance to take less. */
static rwa_status may_be_quicker(bool *may, const struct plan_task *outer, rwa_error *err)
{
    double least = 0;
    MUST(task_least_time(&least, outer, err));
    *may = least < outer->below_s;
    return RWA_OK;
}

/** A part of a plan's schedule becomes a plan, and its schedule. */
static rwa_status part_of_plan(rwa_plan **out, rwa_schedule **schedule, const rwa_plan *outer, const struct plan_task *t, rwa_error *err)
{
    rwa_plan *part = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_create(&part, outer->summary.scheme, err));
    part->schedule = *schedule;
    *schedule = NULL;
    part->summary.part_of = (int)rwa_schedule_collective(outer->schedule)->kind;
    part->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(part->schedule);
    TRY(plan_times(&part->summary, part->schedule, &t->opts->cost, err));
    *out = part;
    part = NULL;
done:
    rwa_plan_free(part);
    return st;
}

/** In place of the best plan the part of `outer`, if there is one and it is quicker; the part goes over. */
static rwa_status keep_part(rwa_plan **best, double *best_s, rwa_schedule **schedule, const rwa_plan *outer, const struct plan_task *t,
                            rwa_error *err)
{
    rwa_plan *part = NULL;
    if (*schedule)
        MUST(part_of_plan(&part, schedule, outer, t, err));
    if (part && part->summary.time_s < *best_s) {
        rwa_plan *slower = *best;
        *best_s = part->summary.time_s;
        *best = part;
        part = slower;
    }
    rwa_plan_free(part);
    return RWA_OK;
}

/** The quicker one of a plan and a part of another. */
static rwa_status try_part(rwa_plan **best, double *best_s, const rwa_plan *outer, const struct plan_task *t, rwa_error *err)
{
    rwa_schedule *part = NULL;
    rwa_status st = restrict_schedule(&part, outer->schedule, t->coll, err);
    if (st == RWA_OK)
        st = keep_part(best, best_s, &part, outer, t, err);
    rwa_schedule_free(part);
    return st;
}

/** Larger networks where each step pays for its tuning: searches and slow schemes gain little there, and a whole message to all takes no
 *  less than a share of it to each. */
static bool is_large_and_paid(const struct plan_task *t)
{
    return t->opts->cost.model == RWA_COST_PAPER && !task_is_thorough(t);
}

static rwa_status try_outer(rwa_plan **best, double *best_s, const struct containment *c, const struct plan_task *t, rwa_error *err)
{
    rwa_collective coll;
    struct plan_task outer = *t;
    rwa_plan *plan = NULL;
    bool may = false;
    rwa_status st = RWA_OK;
    bool paid = is_large_and_paid(t), root_only = c->outer == RWA_BROADCAST || c->outer == RWA_ROOTED_REDUCE;
    if ((paid && root_only) || !open_outer(&coll, c, t->coll))
        return RWA_OK;
    outer.coll = &coll;
    outer.below_s = *best_s;
    outer.lightpaths_most = RESTRICTED_MOST;
    outer.records_most = 0;
    outer.without |= paid ? SEARCHES | SLOW : 0;
    TRY(may_be_quicker(&may, &outer, err));
    if (may)
        TRY(plan_quickest(&plan, &outer, err));
    if (plan && plan->schedule)
        TRY(try_part(best, best_s, plan, t, err));
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status plan_named_part(rwa_plan **out, const struct plan_task *task, rwa_collective_kind kind, const char *scheme, rwa_error *err)
{
    const struct containment *c = containments, *end = containments + sizeof containments / sizeof *containments;
    rwa_collective coll;
    rwa_plan_options by_scheme = *task->opts, by_any = *task->opts;
    struct plan_task outer = *task, inner = *task;
    rwa_plan *plan = NULL;
    double best_s = INFINITY;
    rwa_status st = RWA_OK;
    while (c < end && !(c->inner == task->coll->kind && c->outer == kind))
        c++;
    if (c == end || !open_outer(&coll, c, task->coll))
        return base_fail(err, RWA_BADARG, "no part of %s is planned for %s", rwa_collective_name(kind),
                         rwa_collective_name(task->coll->kind));
    by_scheme.scheme = scheme;
    by_any.scheme = NULL;
    outer.coll = &coll;
    outer.opts = &by_scheme;
    inner.opts = &by_any;
    TRY(plan_quickest(&plan, &outer, err));
    if (plan->schedule) {
        TRY(try_part(out, &best_s, plan, &inner, err));
    } else {
        *out = plan;
        plan = NULL;
    }
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status plan_part(rwa_plan **out, const struct plan_task *task, double below_s, rwa_error *err)
{
    rwa_plan *best = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (!is_open(task))
        return RWA_OK;
    TRY(plan_sequence(&best, task, below_s, err));
    below_s = best ? best->summary.time_s : below_s;
    for (size_t i = 0; i < sizeof containments / sizeof *containments; i++)
        if (containments[i].inner == task->coll->kind)
            TRY(try_outer(&best, &below_s, &containments[i], task, err));
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    return st;
}

/** Whether a part may be quicker than a plan of that time: nearer the bound none was. */
static rwa_status is_worth_a_part(bool *worth, const struct plan_task *task, double time_s, rwa_error *err)
{
    const double hardly = task_is_thorough(task) ? ROUNDING : 0.025;
    double least_s;
    MUST(task_least_time(&least_s, task, err));
    *worth = time_s > least_s * (1 + hardly);
    return RWA_OK;
}

rwa_status plan_checked_part(rwa_plan **part, const struct plan_task *task, double time_s, rwa_error *err)
{
    double begin = base_now_s();
    bool worth = false;
    rwa_status st = RWA_OK;
    *part = NULL;
    MUST(is_worth_a_part(&worth, task, time_s, err));
    if (worth)
        MUST(plan_part(part, task, time_s * (1 - ROUNDING), err));
    if (!*part)
        return RWA_OK;
    (*part)->summary.plan_s = base_now_s() - begin;
    st = plan_check(*part, task->net, task->opts, err);
    if (st != RWA_OK || !(*part)->schedule) {
        rwa_plan_free(*part);
        *part = NULL;
    }
    return st;
}
