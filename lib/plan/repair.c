/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a collective after a failure, in the quickest of three ways: the same transfers over other routes
 *  (reroute.c), the rest planned from what nodes hold (resume.c), or the steps before the failure followed by the whole
 *  collective again, on what is left of the network.
 *
 *  Where translations map the network, the collective and the steps before the failure to themselves, the failure is
 *  first moved to a place that its translations share, and what is found there is moved back: so all of them are
 *  repaired equally well. */
#include "collective/canonical.h"
#include "collective/needs.h"

#include "check/check.h"
#include "plan/plan.h"
#include "plan/reroute.h"
#include "plan/residual/map.h"
#include "schedule/schedule.h"

/** A repair: a schedule, and the links of its network that fail in a step. */
struct repair {
    const rwa_schedule *sched;
    const rwa_collective *coll;
    const rwa_network *net;
    rwa_network *failed;        /* the network with its failed links: each from its own step on, and the new ones
                                   from at_step on */
    rwa_network *moved;         /* the same where the translation moves the new ones; NULL: no translation */
    uint32_t *back;             /* of each node, where the inverse of the translation moves it; NULL: the same */
    struct schedule_map start;  /* from a new start after the moved failure to the network of the repair, */
    struct schedule_map finish; /* and from there to the network with its failed links */
    uint32_t at_step;
    rwa_plan_options opts;      /* with the schedule's members */
    struct deadline deadline;
    rwa_schedule **again;       /* a new start: the whole collective on what is left of the moved network; NULL inside:
                                   not planned yet */
    bool bounds;                /* compare the plans with the lower bounds */
    rwa_plan *best;             /* the quickest so far; before, the reason why there is none */
};

/** Create r->failed, the network with the failed links, and set up the maps between networks.  If a translation moves
 * these links to the place that stands for all their translations, also create r->moved, where the links at that place
 * fail.  RWA_BADARG: r->at_step is not in 1 … steps + 1 */
static rwa_status take_failure(struct repair *r, const uint32_t *links, size_t count, rwa_error *err)
{
    struct translations group;
    uint32_t nodes = rwa_network_nodes(r->net), until = schedule_symmetric_until(&group, r->sched), move = 0, *moved;
    /* the whole repair is made on r->moved if translations map the steps before the failure to themselves, else only
       the new start */
    struct schedule_map *by = r->at_step > until ? &r->start : &r->finish;
    if (r->at_step < 1 || r->at_step > rwa_schedule_steps(r->sched) + 1)
        return base_refuse(err, "failure in step %u: expected 1 to %u", r->at_step, rwa_schedule_steps(r->sched) + 1);
    MUST(network_with_more_failures(&r->failed, r->net, links, count, r->at_step, err));
    MUST(base_new(r->back, nodes, err));
    MUST(base_new(moved, count, err));
    if (until > 0)
        move = translations_lowest(moved, &group, links, count);
    rwa_status st = move > 0 ? network_with_more_failures(&r->moved, r->net, moved, count, r->at_step, err) : RWA_OK;
    free(moved);
    r->finish = (struct schedule_map){.net = r->failed, .coll = r->coll, .members = r->opts.members,
                                      .all_move = r->at_step > 1};
    r->start = r->finish;
    if (!r->moved)
        return st;
    for (uint32_t v = 0; v < nodes; v++)
        r->back[v] = translations_move(&group, v, 0, move);
    by->node = by->participant = r->back;
    r->start.net = by == &r->finish ? r->moved : r->failed;
    return RWA_OK;
}

/** Plan the collective by any scheme, avoiding all links that fail at some time.  *out stays NULL if there is no
 * plan. */
static rwa_status plan_without_links(rwa_schedule **out, const struct repair *r, rwa_error *err)
{
    rwa_plan *plan = NULL;
    rwa_faults faults = network_faults(r->moved ? r->moved : r->failed);
    rwa_network *left = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    /* finer blocks go to the owner of the whole one only if all owners have equally many */
    uint64_t blocks = collective_has_owners(r->coll->kind) && r->coll->blocks % r->coll->nodes ? r->coll->blocks : 0;
    faults.links_from = 0;
    TRY(rwa_network_with_faults(&left, r->net, &faults, err));
    TRY(rwa_collective_init(&coll, r->coll->kind, r->coll->nodes, r->coll->root, plan_message_bytes(r->coll), blocks,
                            err));
    TRY(plan_leniently(&plan, left, &coll, &r->opts, err));
    *out = plan->schedule;
    plan->schedule = NULL;
done:
    rwa_plan_free(plan);
    rwa_network_free(left);
    return st;
}

/* ---- three ways to a schedule on r->start.net; *out stays NULL if there is none ---- */

/** Send the same transfers over other routes.  If some have no route or channel, *out stays NULL, and the report of
 * r->best says in which step. */
static rwa_status by_other_routes(rwa_schedule **out, const struct repair *r, rwa_error *err)
{
    struct budget budget = base_budget(r->opts.time_limit_s, r->opts.poll, r->opts.poll_data);
    return reroute_schedule(out, r->best->summary.why, r->sched, r->start.net, r->at_step, r->opts.max_hops, &budget,
                            err);
}

/** Keep the steps before the failure, and append the whole collective, planned anew on what is left of the network.
 * *out stays NULL if it has no plan there. */
static rwa_status by_new_start(rwa_schedule **out, const struct repair *r, rwa_error *err)
{
    rwa_schedule *again = NULL;
    if (!*r->again)
        MUST(plan_without_links(r->again, r, err));
    if (!*r->again)
        return RWA_OK;
    MUST(map_schedule(&again, *r->again, &r->start, err));
    rwa_status st = schedule_join(out, r->start.net, r->coll, rwa_schedule_scheme(again), r->sched, r->at_step - 1,
                                  again, true, err);
    rwa_schedule_free(again);
    return st;
}

/** Plan the rest of the collective, starting from the blocks that the nodes hold when the links fail.  *out stays NULL
 * if there is no plan.  The search ends when it can no longer find one quicker than r->best. */
static rwa_status by_holdings(rwa_schedule **out, const struct repair *r, rwa_error *err)
{
    return resume_schedule(out, r->sched, r->start.net, r->at_step,
                           r->best->schedule ? r->best->summary.time_s : 0, &r->opts, err);
}

/** Move a schedule from the network with the moved failure to the one with the real failure.  The steps before the
 * failure were carried out already, so they are copied unchanged from r->sched. */
static rwa_status move_back(rwa_schedule **sched, const struct repair *r, rwa_error *err)
{
    rwa_schedule *moved = NULL;
    if (!r->finish.node)
        return RWA_OK;
    MUST(schedule_map_after(&moved, r->sched, r->at_step - 1, *sched, &r->finish, err));
    rwa_schedule_free(*sched);
    *sched = moved;
    return RWA_OK;
}

/** Make a schedule by one of the ways to repair (`find`), and keep its plan as the best one if it is quicker and
 * exceeds no limit.  If the time limit ends the search, the best plan so far remains. */
static rwa_status or_by(rwa_status (*find)(rwa_schedule **, const struct repair *, rwa_error *), struct repair *r,
                        rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_plan *plan = NULL;
    bool better = false;
    rwa_status st = RWA_OK;
    if (deadline_passed(&r->deadline))
        return RWA_OK;
    TRY(plan_create(&plan, NULL, &why));
    TRY(find(&plan->schedule, r, &why));
    if (!plan->schedule)
        goto done;
    TRY(move_back(&plan->schedule, r, &why));
    plan->summary.scheme = rwa_schedule_scheme(plan->schedule);
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(plan->schedule);
    TRY(plan_times(&plan->summary, plan->schedule, &r->opts.cost, &why));
    if (r->best->summary.outcome != RWA_INFEASIBLE && !plan_takes_less(plan, r->best))
        goto done;
    TRY((r->bounds ? plan_verdict : plan_check_limits)(plan, r->failed, &r->opts, &why));
    better = plan->summary.outcome != RWA_INFEASIBLE || !r->best->schedule;
done:
    plan_keep_one(&r->best, plan, better);
    return st == RWA_OK || (r->best->schedule && deadline_ended(&r->deadline, st)) ? RWA_OK
                                                                                  : base_fail(err, st, "%s", why.text);
}

/** On rings and lines, set the plan's reason to the gap (two neighbours without a route between them) that the failed
 * links leave.  Without a gap the reason is unchanged. */
static rwa_status name_gap(rwa_plan *plan, const struct repair *r, rwa_error *err)
{
    struct canonical_task task = {.net = NULL};
    struct residuals left = {.number = network_canonical_nodes(r->failed)};
    rwa_status st = RWA_OK;
    if (!canonical_applies(r->failed, r->coll))
        return RWA_OK;
    TRY(canonical_open(&task, r->failed, r->coll, r->opts.members, err));
    left.real = task.net;
    left.coll = &task.coll;
    left.members = task.members;
    TRY(residuals_open(&left, 0, plan->summary.why, err));
done:
    residuals_close(&left);
    canonical_close(&task);
    return st;
}

/** Return the error for a result that the checker rejected.  RWA_BADARG: the schedule to be repaired is itself wrong,
 * and the message says why.  RWA_BACKEND: it is right, so the planner made the mistake; `err` stays as it is. */
static rwa_status blame_schedule(const rwa_schedule *sched, rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, NULL, err));
    if (report.ok)
        return RWA_BACKEND;
    base_begin(err);
    return base_refuse(err, "the schedule to repair is wrong: %s", report.first[0].text);
}

rwa_status plan_repair(rwa_plan **out, rwa_schedule **again, bool bounds, const rwa_schedule *sched,
                       const uint32_t *links, size_t link_count, uint32_t at_step, const rwa_plan_options *opts,
                       rwa_error *err)
{
    struct repair r = {.sched = sched, .coll = rwa_schedule_collective(sched), .net = rwa_schedule_network(sched),
                       .at_step = at_step, .again = again, .bounds = bounds};
    bool sums = rwa_collective_is_reduction(r.coll->kind);
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_plan_options, &r.opts, opts, err));
    deadline_begin(&r.deadline, &r.opts);
    TRY(options_refuse_but(0, "a repair", &r.opts, err));
    r.opts.members = rwa_schedule_members(sched);
    TRY(take_failure(&r, links, link_count, err));
    TRY(plan_create(&r.best, rwa_schedule_scheme(sched), err));
    r.best->summary.outcome = RWA_INFEASIBLE;
    st = or_by(by_other_routes, &r, err);
    TRY(st == RWA_BACKEND ? blame_schedule(sched, err) : st);
    /* contributions that are already added must not be added twice, and then nodes hold partial sums */
    if (at_step == 1 || !sums)
        TRY(or_by(by_new_start, &r, err));
    if (!sums)
        TRY(or_by(by_holdings, &r, err));
    if (!r.best->schedule)
        TRY(name_gap(r.best, &r, err));
    r.best->summary.plan_s = base_now_s() - r.deadline.begin_s - r.best->summary.check_s;
    *out = r.best;
    r.best = NULL;
done:
    rwa_plan_free(r.best);
    rwa_network_free(r.failed);
    rwa_network_free(r.moved);
    free(r.back);
    return deadline_explain(&r.deadline, st, err);
}

rwa_status rwa_plan_repair(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                           uint32_t at_step, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, sched, !link_count || links);
    rwa_schedule *again = NULL;
    rwa_status st = plan_repair(out, &again, true, sched, links, link_count, at_step, opts, err);
    rwa_schedule_free(again);
    return st;
}
