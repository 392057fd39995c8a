/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Plans for the model `overlap`.  A step that takes all wavelengths leaves none to tune for the next one.  So the planner also plans
 * on an m-th of the wavelengths, where a step costs little more than its start-up, and gives the steps disjoint wavelengths in turn:
 * m steps then pay for one reconfiguration.
 */
#include "plan/plan.h"

#include "network/network.h"

/** The part tried first, and the smallest: 1/4, 1/32. */
enum { FIRST_PART = 4, LAST_PART = 32 };

static bool has_parts(const rwa_network *net)
{
    const rwa_reserved *list;
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    return faults.channel_count == 0 && rwa_network_reserved(&list, net) == 0 &&
           !(network_capabilities(net) & (NETWORK_PORTS | NETWORK_SWITCHES));
}

/** No plan on this part of the wavelengths takes less time. */
static rwa_status least_time(double *seconds, const struct plan_task *task, const rwa_network *part, rwa_error *err)
{
    const rwa_plan_options *o = task->opts;
    rwa_bound_options bounding;
    rwa_cost_prices floor;
    plan_bound_options(&bounding, o);
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(part), &o->cost, err));
    return rwa_bound_time(seconds, part, task->coll, &floor, &bounding, err);
}

/** The quickest plan there, where a step pays its start-up and some of the wait for wavelengths that came round too early. */
static rwa_status plan_on_part(rwa_plan **out, const struct plan_task *task, const rwa_network *part, uint32_t count, rwa_error *err)
{
    rwa_plan_options o = *task->opts;
    rwa_error why = {.status = RWA_OK};
    double wait = o.cost.reconfig_s / (2.0 * count);
    o.cost.model = RWA_COST_PAPER;
    o.cost.reconfig_s = o.cost.alpha_s > wait ? o.cost.alpha_s : wait;
    rwa_status st = plan_quickest(out, &(struct plan_task){.net = part, .coll = task->coll, .opts = &o}, &why);
    return st == RWA_OK || st == RWA_BADARG ? RWA_OK : base_fail(err, st, "%s", why.text);
}

/** To all wavelengths, checked and timed there; refused where that is not possible. */
static rwa_status take_to_network(rwa_plan *plan, const struct plan_task *task, rwa_error *err)
{
    rwa_schedule *spread = NULL;
    MUST(spread_wavelengths(&spread, plan->schedule, task->net, err));
    plan_replace_schedule(plan, spread);
    if (!spread)
        return RWA_OK;
    plan->summary.formula.known = 0;
    return plan_times(&plan->summary, plan->schedule, &task->opts->cost, err);
}

/** The plan that was best so far becomes the first alternative; its own follow. */
static void take_alternatives(rwa_plan *plan, const rwa_plan *before)
{
    const rwa_plan_report *b = &before->summary;
    rwa_plan_report *sum = &plan->summary;
    size_t kept = b->alternatives < ALTERNATIVES_MAX ? b->alternatives : ALTERNATIVES_MAX - 1;
    uint64_t blocks = rwa_schedule_collective(before->schedule)->blocks;
    plan->alternative[0] = (rwa_alternative){b->scheme, b->steps, blocks, b->time_s, b->stripes, b->lightpath_blocks, 0};
    memcpy(plan->alternative + 1, before->alternative, kept * sizeof *plan->alternative);
    sum->alternatives = kept + 1;
    memcpy(plan->crossover, before->crossover, sizeof plan->crossover);
    sum->crossovers = b->crossovers;
}

/** Put a plan in place of *best if it is quicker and passes its check. */
static rwa_status keep_quicker_checked(rwa_plan **best, rwa_plan **plan, const struct plan_task *task, rwa_error *err)
{
    if (!(*plan)->schedule || ((*best)->schedule && (*plan)->summary.time_s >= (*best)->summary.time_s))
        return RWA_OK;
    MUST(plan_check(*plan, task->net, task->opts, err));
    if (!(*plan)->schedule)
        return RWA_OK;
    (*plan)->summary.alternatives = (*plan)->summary.crossovers = 0; /* they were of the part */
    if ((*best)->schedule)
        take_alternatives(*plan, *best);
    rwa_plan *slower = *best;
    *best = *plan;
    *plan = slower;
    return RWA_OK;
}

/** Plan on one part of the wavelengths, unless the bound says that this is no quicker than *best. */
static rwa_status try_part(bool *better, rwa_plan **best, const struct plan_task *task, uint32_t count, rwa_error *err)
{
    rwa_plan *plan = NULL;
    const rwa_plan *before = *best;
    double least = 0;
    rwa_status st = RWA_OK;
    *better = false;
    if (count < 2 || count > rwa_network_wavelengths(task->net))
        return RWA_OK;
    rwa_network *part = network_with_wavelengths(task->net, rwa_network_wavelengths(task->net) / count, err);
    if (!part)
        return RWA_NOMEM;
    TRY(least_time(&least, task, part, err));
    if ((*best)->schedule && least >= (*best)->summary.time_s)
        goto done;
    TRY(plan_on_part(&plan, task, part, count, err));
    if (!plan || !plan->schedule)
        goto done;
    TRY(take_to_network(plan, task, err));
    TRY(keep_quicker_checked(best, &plan, task, err));
    *better = *best != before;
done:
    rwa_plan_free(plan);
    rwa_network_free(part);
    return st;
}

/** A half where that is better than the first part, else smaller parts as long as they help. */
static rwa_status try_parts(rwa_plan **best, const struct plan_task *task, rwa_error *err)
{
    bool better = false;
    MUST(try_part(&better, best, task, FIRST_PART, err));
    MUST(try_part(&better, best, task, 2, err));
    better = !better;
    for (uint32_t count = 2 * FIRST_PART; count <= LAST_PART && better; count *= 2)
        MUST(try_part(&better, best, task, count, err));
    return RWA_OK;
}

rwa_status plan_overlapped(rwa_plan **out, const struct plan_task *task, rwa_error *err)
{
    rwa_plan *best = NULL;
    rwa_error why = {.status = RWA_OK};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(plan_quickest(&best, task, err));
    if (has_parts(task->net))
        st = try_parts(&best, task, &why);
    if (st != RWA_OK && !(best->schedule && deadline_ended(task->deadline, st))) /* when time is over the best so far is the answer */
        TRY(base_fail(err, st, "%s", why.text));
    st = RWA_OK;
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    return st;
}
