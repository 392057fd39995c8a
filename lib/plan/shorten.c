/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shorter and shorter lightpaths where the device profile's limits ask for it. */
#include "plan/plan.h"

static bool fails_for_power(const rwa_plan *plan)
{
    const rwa_check *c = &plan->summary.check;
    return plan->summary.outcome == RWA_INFEASIBLE && c->power_checked && c->power.verdict == RWA_FAIL;
}

static void swap(rwa_plan **a, rwa_plan **b)
{
    rwa_plan *kept = *a;
    *a = *b;
    *b = kept;
}

rwa_status shorten_plan(rwa_plan **plan, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                        const rwa_plan_options *o, rwa_error *err)
{
    uint32_t passes = 0, fails = (*plan)->summary.longest_hops;
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    if (!scheme->shortens || !fails_for_power(*plan))
        return RWA_OK;
    while (fails - passes > 1) {
        uint32_t hops = passes + (fails - passes) / 2;
        TRY(plan_build(&shorter, scheme, net, coll, o, hops, err));
        TRY(plan_judge(shorter, net, o, err));
        bool passed = shorter->summary.outcome != RWA_INFEASIBLE;
        *(passed ? &passes : &fails) = hops;
        if (passed || hops == 1)
            swap(plan, &shorter);
        rwa_plan_free(shorter);
        shorter = NULL;
    }
done:
    rwa_plan_free(shorter);
    return st;
}
