/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a collective after a failure, in the quickest of three ways: the same transfers over other routes
 *  (reroute.c), the rest planned from what nodes hold (resume.c), or the steps before the failure followed by the whole
 *  collective again, on what is left of the network. */
#include "collective/canonical.h"
#include "collective/needs.h"

#include "check/check.h"
#include "plan/plan.h"
#include "plan/reroute.h"
#include "schedule/schedule.h"

/** A repair: a schedule, and the links of its network that fail in a step. */
struct repair {
    const rwa_schedule *sched;
    const rwa_collective *coll;
    const rwa_network *net;
    rwa_network *failed;        /* the network with its failed links: each from its own step on, and the new ones
                                   from at_step on */
    uint32_t at_step;
    rwa_plan_options opts;      /* with the schedule's members */
    rwa_schedule **again;       /* the whole collective on what is left of the network; NULL inside: not planned yet */
    bool bounds;                /* compare the plans with the lower bounds */
    double best_s;              /* time of the quickest repair so far; 0: there is none */
};

static rwa_status check_request(const struct repair *r, rwa_error *err)
{
    uint32_t end = rwa_schedule_steps(r->sched) + 1;
    if (network_is_one_hop(r->net))
        return base_refuse(err, "a schedule on a %s cannot be repaired, expected a network of links between nodes",
                           rwa_topology_name(rwa_network_topology(r->net)));
    if (r->at_step < 1 || r->at_step > end)
        return base_refuse(err, "failure in step %u: expected 1 to %u", r->at_step, end);
    return RWA_OK;
}

static rwa_status check(rwa_plan *plan, const rwa_network *net, const struct repair *r, rwa_error *err)
{
    MUST(plan_times(&plan->summary, plan->schedule, &r->opts.cost, err));
    return (r->bounds ? plan_verdict : plan_check_limits)(plan, net, &r->opts, err);
}

/** Plan the same transfers over other routes; if there are none, the plan says why. */
static rwa_status plan_other_routes(rwa_plan **out, const struct repair *r, rwa_error *err)
{
    struct budget budget = base_budget(r->opts.time_limit_s, r->opts.poll, r->opts.poll_data);
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_create(&plan, rwa_schedule_scheme(r->sched), err));
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(r->sched);
    TRY(reroute_schedule(&plan->schedule, plan->summary.why, r->sched, r->failed, r->at_step, r->opts.max_hops, &budget,
                         err));
    if (plan->schedule)
        TRY(check(plan, r->net, r, err));
    else
        plan->summary.outcome = RWA_INFEASIBLE;
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** Plan the collective by any scheme, avoiding all links that fail at some time.  *out stays NULL if there is no
 * plan. */
static rwa_status plan_without_links(rwa_schedule **out, const struct repair *r, rwa_error *err)
{
    rwa_plan_options ask = r->opts;
    rwa_plan *plan = NULL;
    rwa_faults faults = network_faults(r->failed);
    rwa_network *left = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    /* finer blocks go to the owner of the whole one only if all owners have equally many */
    uint64_t blocks = collective_has_owners(r->coll->kind) && r->coll->blocks % r->coll->nodes ? r->coll->blocks : 0;
    faults.links_from = 0;
    TRY(rwa_network_with_faults(&left, r->net, &faults, err));
    TRY(rwa_collective_init(&coll, r->coll->kind, r->coll->nodes, r->coll->root, plan_message_bytes(r->coll), blocks,
                            err));
    TRY(plan_leniently(&plan, left, &coll, &ask, err));
    *out = plan->schedule;
    plan->schedule = NULL;
done:
    rwa_plan_free(plan);
    rwa_network_free(left);
    return st;
}

/** Plan the collective again from the failure on; *out is unchanged if there is no such plan.  A reduction can begin
 * again only if no step was made yet: contributions that are already added must not be added twice. */
static rwa_status plan_again(rwa_plan **out, const struct repair *r, rwa_error *err)
{
    rwa_schedule *all = NULL;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    if (r->at_step > 1 && rwa_collective_is_reduction(r->coll->kind))
        return RWA_OK;
    if (!*r->again)
        MUST(plan_without_links(r->again, r, err));
    if (*r->again)
        MUST(schedule_join(&all, r->failed, r->coll, rwa_schedule_scheme(*r->again), r->sched, r->at_step - 1,
                           *r->again, true, err));
    if (!all)
        return RWA_OK;
    TRY(plan_create(&plan, rwa_schedule_scheme(all), err));
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(all);
    plan->schedule = all;
    all = NULL;
    TRY(check(plan, r->failed, r, err));
    if (plan->summary.outcome != RWA_INFEASIBLE) {
        *out = plan;
        plan = NULL;
    }
done:
    rwa_schedule_free(all);
    rwa_plan_free(plan);
    return st;
}

/** Plan the rest from the blocks that the nodes hold when the links fail.  *out stays unchanged if there is no such
 * plan that may be quicker than r->best_s, and for reductions, where nodes hold partial sums. */
static rwa_status plan_rest(rwa_plan **out, const struct repair *r, rwa_error *err)
{
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    if (rwa_collective_is_reduction(r->coll->kind))
        return RWA_OK;
    TRY(plan_create(&plan, "nearest", err));
    TRY(resume_schedule(&plan->schedule, r->sched, r->failed, r->at_step, r->best_s, &r->opts, err));
    if (!plan->schedule)
        goto done;
    TRY(check(plan, r->failed, r, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** Call `plan`, and replace *out by its plan if that takes less time.  If the time limit ends the call, keep the plan
 *  in *out. */
static rwa_status or_by(rwa_status (*plan)(rwa_plan **, const struct repair *, rwa_error *), rwa_plan **out,
                        struct repair *r, const struct deadline *deadline, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_plan *other = NULL;
    rwa_status st = plan(&other, r, &why);
    plan_keep_one(out, other, other && plan_takes_less(other, *out));
    r->best_s = (*out)->schedule ? (*out)->summary.time_s : 0;
    return st == RWA_OK || ((*out)->schedule && deadline_ended(deadline, st)) ? RWA_OK
                                                                              : base_fail(err, st, "%s", why.text);
}

static rwa_status or_quicker(rwa_plan **out, struct repair *r, const struct deadline *deadline, rwa_error *err)
{
    MUST(or_by(plan_again, out, r, deadline, err));
    return deadline_passed(deadline) ? RWA_OK : or_by(plan_rest, out, r, deadline, err);
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

/** Report why the checker rejected the result.  If the schedule to be repaired is itself wrong, report that. */
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
    struct deadline deadline = {.limit_s = 0};
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_plan_options, &r.opts, opts, err));
    deadline_begin(&deadline, &r.opts);
    TRY(options_refuse_but(0, "a repair", &r.opts, err));
    r.opts.members = rwa_schedule_members(sched);
    TRY(check_request(&r, err));
    TRY(network_with_more_failures(&r.failed, r.net, links, link_count, at_step, err));
    st = plan_other_routes(out, &r, err);
    TRY(st == RWA_BACKEND ? blame_schedule(sched, err) : st);
    if (!deadline_passed(&deadline))
        TRY(or_quicker(out, &r, &deadline, err));
    if (!(*out)->schedule)
        TRY(name_gap(*out, &r, err));
    (*out)->summary.plan_s = base_now_s() - begin - (*out)->summary.check_s;
done:
    if (st != RWA_OK) {
        rwa_plan_free(*out);
        *out = NULL;
    }
    rwa_network_free(r.failed);
    return deadline_explain(&deadline, st, err);
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
