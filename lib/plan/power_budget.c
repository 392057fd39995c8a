/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fewer receivers of a lightpath, and shorter and shorter lightpaths, where the device profile's limits ask for it. */
#include "plan/plan.h"
#include "power/power.h"

static bool fails_for_power(const rwa_plan *plan)
{
    const rwa_check_report *c = plan->summary.check;
    return plan->summary.outcome == RWA_INFEASIBLE && c->power_checked && c->power.verdict == RWA_FAIL;
}

/** Put a plan in the place of another. */
static void replace(rwa_plan **plan, rwa_plan *by)
{
    assert(by && by != *plan);
    rwa_plan_free(*plan);
    *plan = by;
}

/** Whether the power of one step shows already that the plan fails. */
static rwa_status fails_in_step(bool *fails, const rwa_plan *plan, uint32_t step, const rwa_plan_options *o, rwa_error *err)
{
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    rwa_power *power = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    *fails = false;
    TRY(power_of_step(&power, &count, o->device, o->power_model, plan->schedule, step, &budget, err));
    for (size_t i = 0; i < count && !*fails; i++)
        *fails = power[i].budget == RWA_FAIL || power[i].crosstalk == RWA_FAIL;
done:
    free(power);
    return st;
}

/** Whether some steps do: their power is quickly computed. */
static rwa_status fails_early(bool *fails, const rwa_plan *plan, const rwa_plan_options *o, rwa_error *err)
{
    enum { SAMPLES = 5 };
    uint32_t steps = rwa_schedule_steps(plan->schedule);
    *fails = false;
    for (uint32_t i = 0; i < SAMPLES && i < steps && !*fails; i++)
        MUST(fails_in_step(fails, plan, 1 + i * (steps - 1) / (SAMPLES - 1), o, err));
    return RWA_OK;
}

/** The search for the longest limit that passes. */
struct search {
    const struct attempt *attempt;
    rwa_plan_options opts;      /* to plan by: the attempt's with as many receivers and hops as are tried */
    uint32_t fails;             /* a limit of hops known to fail */
};

static rwa_status build_within(rwa_plan **out, struct search *s, uint32_t receivers, uint32_t hops, rwa_error *err)
{
    s->opts.max_drops = receivers;
    s->opts.max_hops = hops;
    return attempt_once(out, s->attempt->scheme, s->attempt->task, &s->opts, err);
}

/** Whether a plan passes, as far as the test looks. */
typedef rwa_status plan_test(bool *passes, rwa_plan *plan, const struct search *s, rwa_error *err);

/** By the power of some steps: the plan stays unchecked. */
static rwa_status passes_early(bool *passes, rwa_plan *plan, const struct search *s, rwa_error *err)
{
    bool early = true;
    rwa_status st = plan->schedule ? fails_early(&early, plan, &s->attempt->opts, err) : RWA_OK;
    *passes = !early;
    return st;
}

static rwa_status passes_check(bool *passes, rwa_plan *plan, const struct search *s, rwa_error *err)
{
    rwa_status st = plan_check(plan, s->attempt->task->net, &s->attempt->opts, err);
    *passes = plan->summary.outcome != RWA_INFEASIBLE;
    return st;
}

/** The plan under the longest limit that passes the test; where none does, the one whose lightpaths have one hop. */
static rwa_status find_longest(rwa_plan **plan, struct search *s, plan_test *test, rwa_error *err)
{
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    uint32_t low = 0;
    while (s->fails - low > 1) {
        uint32_t hops = low + (s->fails - low) / 2;
        assert(hops > low && hops < s->fails);
        bool passes;
        TRY(build_within(&shorter, s, s->opts.max_drops, hops, err));
        TRY(test(&passes, shorter, s, err));
        *(passes ? &low : &s->fails) = hops;
        if (passes || hops == 1)
            replace(plan, shorter);
        else
            rwa_plan_free(shorter);
        shorter = NULL;
    }
done:
    rwa_plan_free(shorter);
    return st;
}

/** First by the power of some steps only, which is quick and nearly always decides; that plan's check then decides. */
static rwa_status fit_hops(rwa_plan **plan, struct search *s, rwa_error *err)
{
    rwa_plan *promising = NULL;
    bool passes;
    rwa_status st = RWA_OK;
    TRY(find_longest(&promising, s, passes_early, err));
    if (!promising)
        goto done;
    TRY(passes_check(&passes, promising, s, err));
    if (!passes && s->fails > 2) {
        s->fails--;
        TRY(find_longest(plan, s, passes_check, err));
    } else {
        replace(plan, promising);
        promising = NULL;
    }
done:
    rwa_plan_free(promising);
    return st;
}

static uint32_t longest_hops(const rwa_schedule *sched)
{
    uint32_t longest = 0;
    rwa_lightpath path;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_schedule_get(&path, sched, i);
        uint32_t hops = rwa_network_hops(rwa_schedule_network(sched), path.src, path.dst, path.direction);
        longest = hops > longest ? hops : longest;
    }
    return longest;
}

/** With as many receivers as s->opts has. */
static rwa_status check_hops(rwa_plan **plan, struct search *s, rwa_error *err)
{
    bool early = false;
    s->fails = longest_hops((*plan)->schedule);
    if (s->fails > 1)
        MUST(fails_early(&early, *plan, &s->attempt->opts, err));
    if (!early)
        MUST(plan_check(*plan, s->attempt->task->net, &s->attempt->opts, err));
    if (early || fails_for_power(*plan))
        MUST(fit_hops(plan, s, err));
    return RWA_OK;
}

/** Whether a tapped plan passes as it is. */
static rwa_status passes_tapped(bool *passes, rwa_plan *plan, const struct search *s, rwa_error *err)
{
    rwa_status st = passes_early(passes, plan, s, err);
    return st == RWA_OK && *passes ? passes_check(passes, plan, s, err) : st;
}

/** Fewer and fewer receivers of a lightpath until the power suffices for all; without taps also shorter lightpaths. */
static rwa_status check_receivers(rwa_plan **plan, struct search *s, rwa_error *err)
{
    rwa_plan *fewer = NULL;
    bool passes = false;
    for (;;) {
        uint32_t receivers = (*plan)->schedule ? rwa_schedule_receivers((*plan)->schedule) : 1;
        if (receivers == 1)
            break;
        MUST(passes_tapped(&passes, *plan, s, err));
        if (passes)
            return RWA_OK;
        MUST(build_within(&fewer, s, receivers - 1, s->attempt->opts.max_hops, err));
        replace(plan, fewer);
    }
    s->opts.max_drops = 1;
    return (*plan)->schedule ? check_hops(plan, s, err) : plan_check(*plan, s->attempt->task->net, &s->attempt->opts, err);
}

rwa_status fit_power_budget(rwa_plan **plan, const struct attempt *a, rwa_error *err)
{
    struct search s = {.attempt = a, .opts = a->opts};
    if (!scheme_has(a->scheme, SHORTENS) || !a->opts.device || !(*plan)->schedule)
        return plan_check(*plan, a->task->net, &a->opts, err);
    return check_receivers(plan, &s, err);
}
