/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Plans for the model `overlap`.  A step that takes all wavelengths leaves none to tune for the next one.  So the planner also plans
 * on an m-th of the wavelengths, where a step costs little more than its start-up, and gives the steps disjoint wavelengths in turn:
 * m steps then pay for one reconfiguration.
 */
#include "plan/plan.h"

static bool has_parts(const struct plan_task *task)
{
    return task->opts->cost.model == RWA_COST_OVERLAP && !network_has_reserved(task->net) &&
           !(network_capabilities(task->net) & (NETWORK_PORTS | NETWORK_SWITCHES));
}

/** A step there pays its start-up, and some of the wait for wavelengths that come round too early. */
static rwa_status open_band(struct sub_band *b, const struct plan_task *whole, uint32_t parts, rwa_error *err)
{
    const rwa_cost_options *cost = &whole->opts->cost;
    double wait = cost->reconfig_s / (2.0 * parts);
    b->net = network_with_wavelengths(whole->net, rwa_network_wavelengths(whole->net) / parts, err);
    b->opts = *whole->opts;
    b->opts.cost.model = RWA_COST_PAPER;
    b->opts.cost.reconfig_s = cost->alpha_s > wait ? cost->alpha_s : wait;
    b->task = *whole;
    b->task.net = b->net;
    b->task.opts = &b->opts;
    b->task.below_s = 0;
    b->task.whole = whole;
    return b->net ? RWA_OK : RWA_NOMEM;
}

rwa_status bands_open(struct bands *out, const struct plan_task *whole, rwa_error *err)
{
    static const uint32_t parts[BANDS_MOST] = {4, 2, 8, 16, 32};
    rwa_status st = RWA_OK;
    out->count = 0;
    for (size_t i = 0; i < BANDS_MOST && has_parts(whole) && st == RWA_OK; i++)
        if (parts[i] <= rwa_network_wavelengths(whole->net))
            st = open_band(&out->band[out->count++], whole, parts[i], err);
    return st;
}

void bands_close(struct bands *b)
{
    for (size_t i = 0; i < b->count; i++)
        rwa_network_free(b->band[i].net);
    b->count = 0;
}

bool band_suits_search(const struct scheme *scheme, const struct plan_task *whole)
{
    rwa_collective_kind kind = whole->coll->kind;
    bool to_one = kind == RWA_SCATTER || kind == RWA_GATHER || kind == RWA_ALL_TO_ALL;
    return scheme_has(scheme, SEARCHES) && (to_one || !scheme_has(scheme, TAKES_TERM) || !task_has_many_nodes(whole));
}

double band_hope(const struct plan_task *whole, const struct scheme *best)
{
    const double hardly = 1.15;
    return scheme_has(best, KEEPS_LIGHTPATHS) && !task_is_thorough(whole) ? hardly : 1;
}

rwa_status band_least_time(double *seconds, const struct sub_band *band, rwa_error *err)
{
    struct plan_task widened = band->task;
    widened.opts = band->task.whole->opts;
    return task_least_time(seconds, &widened, err);
}

rwa_status band_widen(rwa_plan *plan, const struct plan_task *whole, rwa_error *err)
{
    rwa_schedule *spread = NULL;
    assert(plan->schedule);
    MUST(spread_wavelengths(&spread, plan->schedule, whole->net, err));
    plan->summary.formula.known = 0;
    if (spread) {
        plan_replace_schedule(plan, spread);
        MUST(plan_times(&plan->summary, plan->schedule, &whole->opts->cost, err));
    } else {
        snprintf(plan->summary.why, sizeof plan->summary.why, "the schedule is too large to rename its wavelengths");
        plan_refuse(plan);
    }
    return RWA_OK;
}
