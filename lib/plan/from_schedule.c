/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Make a plan of a schedule from elsewhere: it is copied, checked, timed, and compared with the bounds. */
#include "plan/plan.h"

#include "plan/residual/map.h"
#include "schedule/schedule.h"

static rwa_status copy_schedule(rwa_schedule **out, const rwa_schedule *sched, rwa_error *err)
{
    const struct schedule_map same = {.net = rwa_schedule_network(sched), .coll = rwa_schedule_collective(sched),
                                      .members = rwa_schedule_members(sched)};
    MUST(map_schedule(out, sched, &same, err));
    rwa_schedule *copy = *out;
    if (sched->line_count > 0)  /* which the report on violations names */
        MUST(base_new(copy->line, sched->line_count, err));
    for (; copy->line_count < sched->line_count; copy->line_count++)
        copy->line[copy->line_count] = sched->line[copy->line_count];
    return RWA_OK;
}

/** Check the plan, and compare it with the bounds.  If the checker rejects the schedule, refuse the plan and return
 * RWA_OK: the schedule came from elsewhere, so this is no error of the planner. */
static rwa_status give_verdict(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = plan_verdict(plan, net, o, &why);
    if (st == RWA_OK)
        return RWA_OK;
    if (st != RWA_BACKEND || plan->check.violations == 0)
        return base_fail(err, st, "%s", why.text);
    snprintf(plan->summary.why, sizeof plan->summary.why, "the schedule is wrong: %s", plan->check.first[0].text);
    plan_refuse(plan);
    return RWA_OK;
}

rwa_status rwa_plan_from_schedule(rwa_plan **out, const rwa_schedule *sched, const rwa_plan_options *opts,
                                  rwa_error *err)
{
    BEGIN_NEW(out, err, sched);
    rwa_plan_options o;
    struct deadline deadline = {.limit_s = 0};
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_plan_options, &o, opts, err));
    deadline_begin(&deadline, &o);
    TRY(options_refuse_but(0, "a schedule from elsewhere", &o, err));
    if (!scheme_is_open(&o))
        TRY(base_refuse(err, "scheme %s: not read by a schedule from elsewhere, expected without it", o.scheme));
    o.members = rwa_schedule_members(sched);
    TRY(plan_create(&plan, NULL, err));
    TRY(copy_schedule(&plan->schedule, sched, err));
    const char *name = rwa_schedule_scheme(plan->schedule), *known = rwa_scheme_find(name);
    plan->summary.scheme = known ? known : name; /* the table's name of it has no term */
    TRY(plan_times(&plan->summary, plan->schedule, &o.cost, err));
    TRY(give_verdict(plan, rwa_schedule_network(sched), &o, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return deadline_explain(&deadline, st, err);
}
