/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How much a plan, and its check, will hold and take. */
#include "base/limits.h"
#include "plan/plan.h"

bool task_is_thorough(const struct plan_task *t)
{
    enum { THOROUGH_NODES = 32 };
    return rwa_network_nodes(t->net) <= THOROUGH_NODES;
}

bool task_has_many_nodes(const struct plan_task *t)
{
    enum { MANY_NODES = 256 };
    return rwa_network_nodes(t->net) > MANY_NODES;
}

bool task_has_limit(const struct plan_task *t)
{
    return t->deadline && t->deadline->limit_s > 0;
}

bool task_may_refuse(const struct plan_task *t)
{
    return t->opts->device || t->opts->max_hops > 0 || rwa_network_ports(t->net) > 0;
}

bool task_takes_few_steps(const struct plan_task *t, double seconds)
{
    enum { FEW_STEPS = 8 };
    return seconds <= FEW_STEPS * (t->opts->cost.alpha_s + t->opts->cost.reconfig_s);
}

bool task_is_giant(const struct plan_task *t)
{
    enum { SEARCHED_NODES = 8192 };
    return network_has_arcs(t->net) && rwa_network_nodes(t->net) > SEARCHED_NODES;
}

/** The fewest lightpaths any schedule has: one for each block at each node that receives it or sends it. */
static double least_lightpaths(const rwa_collective *coll)
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

/** Of the holdings that the checker keeps. */
static double bytes_to_check(const rwa_collective *coll)
{
    bool sums = rwa_collective_is_reduction(coll->kind);
    return (double)coll->nodes * (double)coll->blocks * (sums ? 16 : 1.0 / 8);
}

/** Whether the checker follows whole orbits at one node: of reductions it then keeps the contributions to every block. */
static bool is_checked_at_one_node(const rwa_collective *coll)
{
    const double bits_most = 1073741824;
    return !rwa_collective_is_reduction(coll->kind) || (double)coll->nodes * (double)coll->blocks <= bits_most;
}

/** Whole orbits are neither listed nor checked one by one; mapped to the real network they are checked, and where nodes have
 *  other numbers written out. */
struct plan_size job_size(const struct job *job)
{
    enum { RECORD = 48, SHARE_OF_OTHERS = 4 };
    const rwa_network *net = job_network(job);
    const rwa_collective *coll = &job->forward;
    bool whole = job->estimate.periodic && !job->residual->node && !job->residual->own && is_checked_at_one_node(coll);
    double lanes = network_has_arcs(net) ? 2.0 * rwa_network_pairs(net) * rwa_network_channels(net) / 8 : 0;
    double check = whole ? (double)coll->blocks / 8 : lanes + bytes_to_check(coll);
    struct plan_size size = {.records = least_lightpaths(coll)};
    if (job->estimate.records > 0 && !job->residual->node)
        size.records = job->estimate.records;
    size.bytes = (size.records * RECORD + check) * SHARE_OF_OTHERS / (SHARE_OF_OTHERS - 1);
    size.to_check = whole && !job_is_reversed(job) ? size.records : (double)job_passes(job) * least_lightpaths(coll);
    return size;
}

bool job_has_too_many(const struct job *job)
{
    struct plan_size size = job_size(job);
    double copies = job->estimate.periodic ? job->forward.nodes : 1;
    double records = job->estimate.records > 0 ? size.records : size.to_check;
    double lightpaths = job->estimate.records > 0 ? size.records * copies : size.to_check;
    return (job->lightpaths_most > 0 && lightpaths > job->lightpaths_most) || (job->records_most > 0 && records > job->records_most);
}

/** Lightpaths that the checker goes through within a patient hour. */
static const double most_to_check = (double)((uint64_t)1 << 31);

/** Seconds until a plan first asks for the time: each node is visited, and all of them are sorted where every node has blocks. */
static double least_seconds(const rwa_collective *coll)
{
    const double node_s = 2.5e-8;
    bool rooted = coll->kind == RWA_BROADCAST || coll->kind == RWA_SCATTER || coll->kind == RWA_GATHER;
    return node_s * coll->nodes * (rooted ? 1 : log2(coll->nodes));
}

static rwa_status refuse_limit(const struct plan_task *task, rwa_error *err)
{
    double limit_s = task->deadline ? task->deadline->limit_s : 0, least_s = least_seconds(task->coll);
    if (limit_s <= 0 || least_s <= limit_s)
        return RWA_OK;
    return base_fail(err, RWA_CANCELLED, "total_limit_s %g: a plan on %u nodes takes more than %.*f s", limit_s, task->coll->nodes,
                     least_s < 10 ? 1 : 0, least_s);
}

/** A check of scattered or gathered blocks has no orbits to follow at one node. */
static rwa_status refuse_memory(const struct plan_task *task, rwa_error *err)
{
    const rwa_collective *coll = task->coll;
    rwa_limits limits;
    MUST(limits_take(&limits, task->opts->limits, err));
    bool scattered = coll->kind == RWA_SCATTER || coll->kind == RWA_GATHER;
    return scattered ? limits_fit(&limits, bytes_to_check(coll), "the check of this plan", err) : RWA_OK;
}

/** Whether orbits may stand for the lightpaths, or a scheme may choose fewer blocks. */
static bool may_be_few(const struct plan_task *task)
{
    if (task->coll->kind == RWA_ALL_REDUCE)
        return network_has_arcs(task->net);
    bool shared = task->coll->kind == RWA_ALL_GATHER || task->coll->kind == RWA_REDUCE_SCATTER;
    return shared && network_is_cycle(task->net) && is_checked_at_one_node(task->coll);
}

rwa_status task_refuse_size(const struct plan_task *task, rwa_error *err)
{
    const rwa_collective *coll = task->coll;
    double least = least_lightpaths(coll);
    MUST(refuse_limit(task, err));
    MUST(refuse_memory(task, err));
    if (may_be_few(task) || least <= most_to_check)
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "%s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                     rwa_collective_name(coll->kind), coll->nodes, least, most_to_check);
}

rwa_status job_refuse_size(const struct job *job, rwa_error *err)
{
    const double most = most_to_check;
    struct plan_size size = job_size(job);
    rwa_limits limits;
    rwa_status st = limits_take(&limits, job->opts.limits, err);
    if (st == RWA_OK)
        MUST(limits_refuse_lightpaths(&limits, (double)job_passes(job) * least_lightpaths(&job->forward), err));
    if (size.to_check > most)
        return base_fail(err, RWA_BADARG, "%s by scheme %s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                         rwa_collective_name(job->residual->coll.kind), job->scheme->name, job->residual->coll.nodes, size.to_check, most);
    return limits_fit(&limits, size.bytes, "this plan, with its check,", err);
}

double task_lit_pairs(const struct plan_task *t, const rwa_schedule *sched)
{
    if (!t->opts->device || !network_has_arcs(t->net))
        return 0;
    assert(rwa_schedule_steps(sched) > 0);
    double lightpaths = (double)rwa_schedule_lightpaths(sched), guides = 2.0 * rwa_network_fibers(t->net);
    double together = lightpaths / (guides * rwa_schedule_steps(sched));
    double passed = (double)plan_longest_hops(sched) * rwa_network_wavelengths(t->net);
    return lightpaths * fmin(together, passed);
}
