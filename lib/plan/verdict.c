/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Report on a finished schedule: the checker's verdict, its time, its lower bound, and the limit that it exceeds. */
#include "base/text.h"
#include "bound/bound.h"
#include "check/check.h"
#include "plan/plan.h"
#include "power/power.h"

/** Return the most hops with which a single lightpath has enough power on the device; UINT32_MAX: there is no device,
 * or the number is unknown. */
static uint32_t reach_of(const rwa_network *net, const rwa_plan_options *o)
{
    if (!o->device)
        return UINT32_MAX;
    rwa_power_model model = network_has_arcs(net) ? o->power_model : RWA_POWER_PAPER;
    return rwa_device_reach(o->device, model, rwa_network_nodes(net), rwa_network_wavelengths(net));
}

/** Write into sum->why that the plan is refused for its power: how many lightpaths fail, and which is the worst.  If
 * the received power suffices, add its margin.  If lightpaths have more than `reach` hops, the most that the device
 * allows, add both numbers. */
static void refuse_power(rwa_plan_report *sum, uint32_t reach, const rwa_plan_options *o)
{
    const rwa_power_report *p = &sum->check->power;
    snprintf(sum->why, sizeof sum->why, "power: %llu of %llu lightpaths fail under device %s, the worst in %s",
             (unsigned long long)p->failing, (unsigned long long)sum->lightpaths, rwa_device_name(o->device),
             sum->check->first[0].text);
    if (p->margin_db >= 0)
        text_append(sum->why, "; received power suffices by at least %.2f dB", p->margin_db);
    if (sum->longest_hops > reach)
        text_append(sum->why, "; the longest feasible lightpath has %u hop%s, this plan needs %u", reach, plural(reach),
                    sum->longest_hops);
}

/** Compare a complete schedule with the limits on ports, hops and power.  If it exceeds one, write the reason into the
 * plan's report, and set the outcome to INFEASIBLE. */
static void refuse_limits(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o)
{
    rwa_plan_report *sum = &plan->summary;
    const rwa_power_report *p = &sum->check->power;
    uint64_t crowded = sum->check->by_kind[RWA_VIOLATION_PORTS];
    uint32_t hops = sum->longest_hops;
    if (crowded > 0)
        snprintf(sum->why, sizeof sum->why,
                 "ports: %llu times a node sends or receives more at a time than its %u ports can",
                 (unsigned long long)crowded, rwa_network_ports(net));
    else if (o->max_hops > 0 && hops > o->max_hops)
        snprintf(sum->why, sizeof sum->why, "the longest lightpath has %u hops, more than max_hops %u", hops,
                 o->max_hops);
    else if ((plan->lacks_power = o->device && p->verdict == RWA_FAIL))
        refuse_power(sum, reach_of(net, o), o);
    else
        return;
    if (!scheme_is_open(o))
        text_append(sum->why, "; try scheme auto");
    sum->outcome = RWA_INFEASIBLE;
}

/** Return the most hops that a lightpath can have in any valid schedule: the caller's limit, or the reach of a single
 * lightpath on the device; 0: no limit.  The reach is not used if the check left out power. */
static uint32_t hop_limit(const rwa_network *net, const rwa_plan_options *o, const rwa_check_report *check)
{
    uint32_t reach = check->power.verdict != RWA_UNCHECKED ? reach_of(net, o) : 0, nodes = rwa_network_nodes(net);
    if (reach == 0 || (o->max_hops > 0 && o->max_hops < reach))
        reach = o->max_hops;
    return reach < (network_is_cycle(net) ? nodes / 2 : nodes - 1) ? reach : 0;
}

/** Tell whether the checker found no mistake of the planner: all violations are of limits that schemes do not know.
 * These limits are power and, except on star, ron and ocs, ports. */
static bool only_limits(const rwa_check_report *c, const rwa_network *net)
{
    uint64_t crowded = network_is_one_hop(net) ? 0 : c->by_kind[RWA_VIOLATION_PORTS];
    return c->violations == c->by_kind[RWA_VIOLATION_POWER] + crowded;
}

/** Set in `sum` the schedule's time in one cost model, unless it is set already.
 * @param asked  the cost options of the caller, whose model is ignored */
static rwa_status add_time(rwa_plan_report *sum, rwa_cost_model model, const rwa_schedule *sched,
                           const rwa_cost_options *asked, rwa_error *err)
{
    rwa_cost_options cost = *asked;
    double *seconds = model == RWA_COST_PAPER     ? &sum->paper_s
                      : model == RWA_COST_CIRCUIT ? &sum->circuit_s
                                                  : &sum->overlap_s;
    cost.model = model;
    return isnan(*seconds) ? rwa_cost_schedule(seconds, sched, &cost, err) : RWA_OK;
}

rwa_status plan_times(rwa_plan_report *sum, const rwa_schedule *sched, const rwa_cost_options *asked, rwa_error *err)
{
    sum->paper_s = sum->overlap_s = sum->circuit_s = NAN;
    sum->steps = rwa_schedule_steps(sched);
    MUST(add_time(sum, RWA_COST_PAPER, sched, asked, err));
    MUST(add_time(sum, asked->model, sched, asked, err)); /* reports errors of the options asked for */
    sum->time_s = asked->model == RWA_COST_PAPER     ? sum->paper_s
                  : asked->model == RWA_COST_CIRCUIT ? sum->circuit_s
                                                     : sum->overlap_s;
    return RWA_OK;
}

static bool differs_by_rounding(double one_s, double other_s)
{
    return one_s == other_s || fabs(one_s - other_s) <= ROUNDING * other_s;     /* equal also if both are infinite */
}

/** Compare the time with that of the checker, which computes it independently from the definition of the cost model.
 * RWA_BACKEND: they differ */
static rwa_status compare_times(const rwa_plan_report *sum, rwa_error *err)
{
    if (isnan(sum->check->time_s) || differs_by_rounding(sum->check->time_s, sum->time_s))
        return RWA_OK;
    return base_fail(err, RWA_BACKEND, "the planner's schedule takes %.9g s by the checker, and %.9g s by the planner",
                     sum->check->time_s, sum->time_s);
}

static rwa_status ask_checker(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    plan->cost = o->cost;
    rwa_plan_report *sum = &plan->summary;
    rwa_check_options checking;
    double begin = base_now_s();
    rwa_check_options_init(&checking);
    checking.device = o->device;
    checking.power_model = o->power_model;
    checking.poll = o->poll;
    checking.poll_data = o->poll_data;
    checking.cost = &o->cost;
    MUST(check_schedule(&plan->check, plan->schedule, &checking, err));
    sum->check_s += base_now_s() - begin;
    if (!only_limits(sum->check, net))
        return base_fail(err, RWA_BACKEND, "the planner's schedule did not pass the checker: %s",
                         sum->check->first[0].text);
    return compare_times(sum, err);
}

rwa_status plan_check_mapped(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    MUST(ask_checker(plan, net, o, err));
    refuse_limits(plan, net, o);
    if (plan->summary.outcome == RWA_INFEASIBLE)
        plan_refuse(plan);
    return RWA_OK;
}

/** Set the options of the lower bounds (`bounding`) to the limits in the options of the plan. */
static void plan_bound_options(rwa_bound_options *bounding, const rwa_plan_options *o)
{
    rwa_bound_options_init(bounding);
    bounding->poll = o->poll;
    bounding->poll_data = o->poll_data;
    bounding->max_hops = o->max_hops;
    bounding->max_drops = o->max_drops;
    bounding->members = o->members;
}

/** All numbers on which the lower bound on a task's time depends.  Within a request, networks with the same address and
 * number of wavelengths are the same. */
struct least_key {
    const char *what;
    const rwa_network *net;
    const uint32_t *members;
    uint64_t wavelengths, kind, nodes, root, message, blocks, hops_and_drops;
    rwa_cost_prices floor;
};

static struct least_key least_key_of(const struct plan_task *t, const rwa_cost_prices *floor)
{
    const rwa_collective *coll = t->coll;
    return (struct least_key){"least time",
                              t->net,
                              t->opts->members,
                              rwa_network_wavelengths(t->net),
                              coll->kind,
                              coll->nodes,
                              coll->root,
                              coll->message_bytes,
                              coll->blocks,
                              (uint64_t)t->opts->max_hops << 32 | t->opts->max_drops,
                              *floor};
}

rwa_status task_least_time(double *seconds, const struct plan_task *t, rwa_error *err)
{
    rwa_bound_options bounding;
    rwa_cost_prices floor;
    plan_bound_options(&bounding, t->opts);
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(t->net), &t->opts->cost, err));
    struct least_key key = least_key_of(t, &floor);
    const double *known = memo_find(t->memo, &key, sizeof key);
    *seconds = known ? *known : 0;
    if (known)
        return RWA_OK;
    MUST(rwa_bound_time(seconds, NULL, t->net, t->coll, &floor, &bounding, err));
    return memo_keep(t->memo, &key, sizeof key, seconds, sizeof *seconds, err);
}

rwa_status plan_check_limits(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    rwa_plan_report *sum = &plan->summary;
    MUST(cut_epochs_for_power(plan, o, err));
    MUST(ask_checker(plan, net, o, err));
    sum->steps = rwa_schedule_steps(plan->schedule);
    sum->lightpaths = rwa_schedule_lightpaths(plan->schedule);
    sum->wavelengths_used = sum->check->wavelengths_used;
    sum->longest_hops = sum->check->longest_hops;
    sum->receivers = rwa_schedule_receivers(plan->schedule);
    sum->outcome = RWA_FEASIBLE;
    refuse_limits(plan, net, o);
    return RWA_OK;
}

/** Set in the plan's report the times in the models `circuit` and `overlap`, and the lower bounds.  If the bound on the
 * steps is met, the outcome becomes OPTIMAL. */
static rwa_status compare_with_bounds(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    const rwa_collective *coll = rwa_schedule_collective(plan->schedule);
    rwa_plan_report *sum = &plan->summary;
    rwa_bound_options bounding;
    rwa_cost_prices floor;
    plan_bound_options(&bounding, o);
    uint32_t blocks = rwa_schedule_lightpath_blocks(plan->schedule);
    bounding.lightpath_blocks = o->lightpath_blocks > blocks ? o->lightpath_blocks : blocks;
    LOWER(bounding.lightpath_blocks, RWA_LIGHTPATH_BLOCKS_MAX);
    bounding.max_drops = o->max_drops > sum->receivers ? o->max_drops : sum->receivers;
    bounding.max_hops = sum->bound_max_hops = hop_limit(net, o, sum->check);
    sum->bound_proof = plan->bound_proof;
    sum->time_proof = plan->time_proof;
    MUST(add_time(sum, RWA_COST_CIRCUIT, plan->schedule, &o->cost, err));
    MUST(add_time(sum, RWA_COST_OVERLAP, plan->schedule, &o->cost, err));
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(net), &o->cost, err));
    MUST(rwa_bound_time(&sum->time_bound_s, plan->time_proof, net, coll, &floor, &bounding, err));
    if (differs_by_rounding(sum->time_bound_s, sum->time_s))
        sum->time_bound_s = sum->time_s;
    if (blocks <= RWA_LIGHTPATH_BLOCKS_MAX) /* with more blocks per lightpath there is no bound on steps */
        MUST(bound_best_for(&sum->bound, plan->bound_proof, net, coll, &bounding, sum->steps, err));
    if (sum->outcome != RWA_INFEASIBLE && sum->bound.value == sum->steps)
        sum->outcome = RWA_OPTIMAL;
    assert(sum->outcome == RWA_INFEASIBLE || sum->bound.value <= sum->steps);
    assert(sum->outcome == RWA_INFEASIBLE || sum->time_bound_s <= sum->time_s);
    return RWA_OK;
}

rwa_status plan_verdict(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    MUST(plan_check_limits(plan, net, o, err));
    return compare_with_bounds(plan, net, o, err);
}

rwa_status plan_check(rwa_plan *plan, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    if (!plan->schedule)
        return RWA_OK;
    MUST(plan_check_limits(plan, net, o, err));
    if (plan->summary.outcome != RWA_INFEASIBLE)
        return compare_with_bounds(plan, net, o, err);
    plan_refuse(plan);
    return RWA_OK;
}
