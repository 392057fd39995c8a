/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a collective after a failure: the same transfers over other routes (residual/reroute.c), or the whole collective once more
 *  (restart.c), whichever is quicker. */
#include "collective/canonical.h"

#include "check/check.h"
#include "plan/plan.h"
#include "plan/residual/reroute.h"
#include "schedule/schedule.h"

/** Links of a schedule's network fail in a step. */
struct failure {
    const rwa_schedule *sched;
    const uint32_t *links;
    size_t count;
    uint32_t at_step;
};

static rwa_status check_request(const rwa_schedule *sched, uint32_t at_step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    if (network_is_one_hop(net))
        return base_fail(err, RWA_BADARG, "a schedule on a %s cannot be repaired, expected a network of links between nodes",
                         rwa_topology_name(rwa_network_topology(net)));
    if (at_step < 1 || at_step > rwa_schedule_steps(sched) + 1)
        return base_fail(err, RWA_BADARG, "failure in step %u: expected 1 to %u", at_step, rwa_schedule_steps(sched) + 1);
    return RWA_OK;
}

/** The network with its failed links, each from its own step on, and these from at_step on: the steps before are history. */
static rwa_status fail_links(rwa_network **out, const struct failure *f, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(f->sched);
    uint32_t *both = NULL, *from = NULL;
    rwa_faults faults = network_faults(net);
    size_t all = faults.link_count + f->count;
    rwa_status st = RWA_OK;
    TRY(base_new(both, all, err));
    TRY(base_new(from, all, err));
    for (size_t i = 0; i < all; i++) {
        both[i] = i < f->count ? f->links[i] : faults.links[i - f->count];
        from[i] = i < f->count ? f->at_step : (uint32_t)network_failed_from(net, both[i]);
    }
    faults.links = both;
    faults.link_count = all;
    TRY(network_with_failures(out, net, &faults, from, err));
done:
    free(both);
    free(from);
    return st;
}

/** The same transfers over other routes, some of them late if so, timed; the plan says why where there is none. */
static rwa_status reroute_plan(rwa_plan **out, const struct failure *f, const rwa_network *failed, const rwa_plan_options *o, bool late,
                               rwa_error *err)
{
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct reroute_limits limits = {.at_step = f->at_step, .max_hops = o->max_hops, .late = late, .budget = &budget};
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_create(&plan, rwa_schedule_scheme(f->sched), err));
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(f->sched);
    TRY(reroute_schedule(&plan->schedule, plan->summary.why, f->sched, failed, &limits, err));
    if (plan->schedule)
        TRY(plan_times(&plan->summary, plan->schedule, &o->cost, err));
    else
        plan->summary.outcome = RWA_INFEASIBLE;
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

/** Another way, which came to st, in place of a plan that takes longer; without it when time is over. */
static rwa_status or_other(rwa_plan **out, rwa_plan *other, rwa_status st, const rwa_error *why, const struct deadline *deadline,
                           rwa_error *err)
{
    plan_keep_one(out, other, other && plan_takes_less(other, *out));
    return st == RWA_OK || ((*out)->schedule && deadline_ended(deadline, st)) ? RWA_OK : base_fail(err, st, "%s", why->text);
}

/** The quicker way, checked: only copies may be late, since sums are read and written in their order. */
static rwa_status reroute_best(rwa_plan **out, const struct failure *f, const rwa_network *failed, const rwa_plan_options *o,
                               const struct deadline *deadline, rwa_error *err)
{
    const rwa_collective *coll = rwa_schedule_collective(f->sched);
    rwa_plan_options with_members = *o;
    rwa_error why = {.status = RWA_OK};
    rwa_plan *late = NULL;
    rwa_status st = RWA_OK;
    with_members.members = rwa_schedule_members(f->sched);
    MUST(reroute_plan(out, f, failed, o, false, err));
    if (!rwa_collective_is_reduction(coll->kind))
        st = reroute_plan(&late, f, failed, o, true, &why);
    MUST(or_other(out, late, st, &why, deadline, err));
    return (*out)->schedule ? plan_verdict(*out, rwa_schedule_network(f->sched), coll, &with_members, err) : RWA_OK;
}

/** In place of the repair the collective once more from the failure on, if that takes less. */
static rwa_status or_restart(rwa_plan **out, const struct failure *f, const rwa_network *failed, const rwa_plan_options *o,
                             const struct deadline *deadline, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_plan *again = NULL;
    rwa_status st = plan_restart(&again, f->sched, failed, f->at_step, o, &why);
    return or_other(out, again, st, &why, deadline, err);
}

/** On rings and lines the reason is the gap that the failed links leave; without a gap it stays as it is. */
static rwa_status name_gap(rwa_plan *plan, const struct failure *f, const rwa_network *failed, rwa_error *err)
{
    const rwa_collective *coll = rwa_schedule_collective(f->sched);
    struct canonical_task task = {.net = NULL};
    rwa_status st = RWA_OK;
    if (!canonical_applies(failed, coll))
        return RWA_OK;
    TRY(canonical_open(&task, failed, coll, rwa_schedule_members(f->sched), err));
    TRY(residuals_explain(plan->summary.why, task.net, &task.coll, task.members, 0, network_canonical_nodes(failed), err));
done:
    canonical_close(&task);
    return st;
}

/** The checker rejected the result: a schedule that is wrong itself is to blame. */
static rwa_status blame_schedule(const rwa_schedule *sched, rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, NULL, err));
    if (report.ok)
        return RWA_BACKEND;
    base_begin(err);
    return base_fail(err, RWA_BADARG, "the schedule to repair is wrong: %s", report.first[0].text);
}

rwa_status rwa_plan_repair(rwa_plan **out, const rwa_schedule *sched, const uint32_t *links, size_t link_count,
                           uint32_t at_step, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, sched, !link_count || links);
    const struct failure f = {sched, links, link_count, at_step};
    rwa_network *failed = NULL;
    rwa_plan_options o;
    struct deadline deadline = {.limit_s = 0};
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    deadline_begin(&deadline, &o);
    TRY(options_refuse_but(0, "a repair", &o, err));
    TRY(check_request(sched, at_step, err));
    TRY(fail_links(&failed, &f, err));
    st = reroute_best(out, &f, failed, &o, &deadline, err);
    TRY(st == RWA_BACKEND ? blame_schedule(sched, err) : st);
    if (!deadline_passed(&deadline))
        TRY(or_restart(out, &f, failed, &o, &deadline, err));
    if (!(*out)->schedule)
        TRY(name_gap(*out, &f, failed, err));
    (*out)->summary.plan_s = base_now_s() - begin - (*out)->summary.check_s;
done:
    if (st != RWA_OK) {
        rwa_plan_free(*out);
        *out = NULL;
    }
    rwa_network_free(failed);
    return deadline_explain(&deadline, st, err);
}
