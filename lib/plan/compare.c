/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compare schemes: each line of a comparison is a plan with its time in every cost model. */
#include "rwa/compare.h"

#include "plan/plan.h"

static void take_figures(rwa_comparison *out, const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    out->scheme = s->scheme;
    out->outcome = s->outcome;
    memcpy(out->why, s->why, sizeof out->why);
    out->formula = s->formula;
    if (!plan->schedule)
        return;
    out->block_bytes = rwa_schedule_collective(plan->schedule)->block_bytes;
    out->paper_s = s->paper_s;
    out->circuit_s = s->circuit_s;
    out->overlap_s = s->overlap_s;
    out->time_s = s->time_s;
    out->time_bound_s = s->time_bound_s;
    out->steps = s->steps;
    out->bound = s->bound;
    out->bound_max_hops = s->bound_max_hops;
    out->longest_hops = s->longest_hops;
    out->wavelengths_used = s->wavelengths_used;
    out->lightpaths = s->lightpaths;
    out->stripes = s->stripes;
    out->lightpath_blocks = s->lightpath_blocks;
}

static void take_power(rwa_comparison *out, const rwa_check_report *check)
{
    if (!check->power_checked)
        return;
    out->power = check->power.verdict;
    out->margin_db = check->power.margin_db;
    out->power_unchecked = check->power_unchecked;
}

/** Make the plan of one scheme of the comparison.  A named scheme ignores options that it does not read; with "auto",
 * an option that no scheme reads is an error. */
static rwa_status plan_one(rwa_plan **out, const rwa_network *net, const rwa_collective *coll,
                           const rwa_plan_options *o, rwa_error *err)
{
    return scheme_is_open(o) ? rwa_plan_make(out, net, coll, o, err) : plan_leniently(out, net, coll, o, err);
}

/** Tell whether the time limit (in `o`) ended planning, which returned `st`.
 * @param caller  polls the caller, who may have ended planning instead */
static bool ran_out(const rwa_plan_options *o, rwa_status st, struct budget *caller)
{
    return st == RWA_CANCELLED && o->time_limit_s > 0 && !base_must_stop(caller, "comparing", -1);
}

/** Compute one line of the comparison.  A plan that only power forbids is shown with its figures without the device.
 * @param out  zeros before the call; without a plan its figures stay 0 or become NaN
 * @return RWA_OK also without a plan, for the reason out->why; otherwise as rwa_plan_make() */
static rwa_status compare_scheme(rwa_comparison *out, const char *scheme, const rwa_network *net,
                                 const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err)
{
    rwa_plan_options o;
    rwa_error why = {.status = RWA_OK};
    rwa_plan *plan = NULL;
    struct budget caller;
    rwa_status st = RWA_OK;
    out->paper_s = out->circuit_s = out->margin_db = out->overlap_s = out->time_s = NAN;
    TRY(base_options(rwa_plan_options, &o, opts, err));
    o.scheme = scheme;
    caller = base_budget(0, o.poll, o.poll_data);
    o.poll = o.poll ? base_poll_budget : NULL;
    o.poll_data = &caller;
    st = plan_one(&plan, net, coll, &o, &why);
    if (st != RWA_OK) {
        if (!ran_out(&o, st, &caller))
            return base_fail(err, st, "%s", why.text);
        out->scheme = o.scheme;
        out->outcome = RWA_UNDECIDED;
        memcpy(out->why, why.text, sizeof out->why);
        return RWA_OK;
    }
    take_power(out, rwa_plan_summary(plan)->check);
    if (plan->lacks_power) { /* without the device it has a schedule, whose line is worth showing */
        o.device = NULL;
        rwa_plan_free(plan);
        plan = NULL;
        TRY(plan_one(&plan, net, coll, &o, err));
    }
    take_figures(out, plan);
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status rwa_compare_scheme_sized(rwa_comparison *out, size_t size, const char *scheme, const rwa_network *net,
                                    const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN(err, out, net, coll);
    rwa_comparison figures = {.scheme = NULL};
    rwa_status st = compare_scheme(&figures, scheme, net, coll, opts, err);
    base_give_answer(out, size, &figures, sizeof figures);
    return st;
}
