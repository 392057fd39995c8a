/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fit plans to the limits of the device profile: fewer receivers per lightpath, shorter lightpaths, shorter epochs. */
#include "cost/cost.h"
#include "plan/candidate.h"
#include "power/power.h"

/** Set *fails to true if some lightpath of a step has too little power or too much crosstalk, else to false.
 * @param hold  the steps in which the lightpaths of each record are up (rwa_cost_holds()); NULL: only their own step */
static rwa_status fails_in_step(bool *fails, const rwa_plan *plan, uint32_t step, const rwa_hold *hold,
                                const rwa_plan_options *o, rwa_error *err)
{
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    rwa_power *power = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    *fails = false;
    TRY(power_of_step(&power, &count, o->device, o->power_model, plan->schedule, step, hold, &budget, err));
    for (size_t i = 0; i < count && !*fails; i++)
        *fails = power[i].budget == RWA_FAIL || power[i].crosstalk == RWA_FAIL;
done:
    free(power);
    return st;
}

/** Set *fails to true if a lightpath fails for its power in one of a few steps, evenly spaced; this test is quick. */
static rwa_status fails_early(bool *fails, const rwa_plan *plan, const rwa_plan_options *o, rwa_error *err)
{
    enum { SAMPLES = 5 };
    uint32_t steps = rwa_schedule_steps(plan->schedule);
    *fails = false;
    for (uint32_t i = 0; i < SAMPLES && i < steps && !*fails; i++)
        MUST(fails_in_step(fails, plan, 1 + i * (steps - 1) / (SAMPLES - 1), NULL, o, err));
    return RWA_OK;
}

/** Set *passes to whether a plan passes all checks, and *power to whether it fails because of its power.  The power of
 * some steps is tested first, which is quick and nearly always decides. */
static rwa_status test_plan(bool *passes, bool *power, rwa_plan *plan, const struct plan_task *t, rwa_error *err)
{
    const rwa_plan_report *sum = &plan->summary;
    *passes = *power = false;
    if (plan->schedule)
        MUST(fails_early(power, plan, t->opts, err));
    if (*power || !plan->schedule)
        return RWA_OK;
    MUST(plan_check(plan, t->net, t->opts, err));
    *passes = sum->outcome != RWA_INFEASIBLE;
    *power = !*passes && sum->check->power_checked && sum->check->power.verdict == RWA_FAIL;
    return RWA_OK;
}

uint32_t plan_longest_hops(const rwa_schedule *sched)
{
    uint32_t longest = 0;
    rwa_lightpath path;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_schedule_get(&path, sched, i);
        uint32_t hops = rwa_network_hops(rwa_schedule_network(sched), path.src, path.dst, path.direction);
        RAISE(longest, hops);
    }
    return longest;
}

/** Build the plan of the candidate's scheme with at most the given numbers of receivers and hops per lightpath,
 * without a check of its power. */
static rwa_status plan_within(rwa_plan **out, const struct candidate *k, uint32_t receivers, uint32_t hops,
                              rwa_error *err)
{
    rwa_plan_options o = *k->task.opts;
    struct plan_task task = k->task;
    o.scheme = k->scheme->name;
    o.device = NULL;
    o.max_drops = receivers;
    o.max_hops = hops;
    o.stripes = k->opts.stripes;
    o.lightpath_blocks = k->opts.lightpath_blocks;
    task.opts = &o;
    task.below_s = 0;
    return plan_quickest(out, &task, err);
}

/** Replace the plan by the one with the largest hop limit, below `fails`, that passes the check; lightpaths of `fails`
 * hops are known to fail.  If none passes, take the plan with 1 hop. */
static rwa_status fit_hops(rwa_plan **plan, const struct candidate *k, uint32_t fails, rwa_error *err)
{
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    for (uint32_t low = 0; fails - low > 1;) {
        uint32_t hops = low + (fails - low) / 2;
        bool passes, power;
        TRY(plan_within(&shorter, k, 1, hops, err));
        TRY(test_plan(&passes, &power, shorter, &k->task, err));
        *(passes ? &low : &fails) = hops;
        plan_keep_one(plan, shorter, passes || hops == 1);
        shorter = NULL;
    }
done:
    rwa_plan_free(shorter);
    return st;
}

rwa_status fit_power_budget(rwa_plan **plan, const struct candidate *k, rwa_error *err)
{
    const struct plan_task *t = &k->task;
    bool searched = k->scheme && scheme_has(k->scheme, SHORTENS) && t->opts->device &&
                    network_has_arcs(t->net), passes = false, power = true;
    while (searched && power && (*plan)->schedule) {
        uint32_t receivers = rwa_schedule_receivers((*plan)->schedule), hops = plan_longest_hops((*plan)->schedule);
        MUST(test_plan(&passes, &power, *plan, t, err));
        if (power && receivers == 1 && hops > 0)
            MUST(fit_hops(plan, k, hops, err));
        if (!power || receivers == 1)
            break;
        rwa_plan_free(*plan);
        *plan = NULL;
        MUST(plan_within(plan, k, receivers - 1, t->opts->max_hops, err));
    }
    return passes ? RWA_OK : plan_check(*plan, t->net, t->opts, err);
}

/* ---- epochs ---- */

/** The state of cutting epochs that fail for their power: the cuts so far, and which lightpaths are up in each step
 * between them. */
struct cutter {
    rwa_plan *plan;
    const rwa_plan_options *opts;
    uint32_t steps, *cuts;
    size_t count;
    rwa_hold *hold;
    bool *changes;              /* changes[step]: the lightpaths that are up differ from those of the step before */
};

/** End the epochs of the plan's schedule before the steps in c->cuts and, unless `cut` is 0, before step `cut` too.
 * Set c->hold and c->changes, which say what lightpaths are then up in each step. */
static rwa_status hold_between(struct cutter *c, uint32_t cut, rwa_error *err)
{
    rwa_schedule *sched = c->plan->schedule;
    c->cuts[c->count] = cut;
    MUST(rwa_schedule_cut_epochs(sched, c->cuts, c->count + (cut > 0), err));
    MUST(rwa_cost_holds(c->hold, sched, &c->opts->cost, err));
    memset(c->changes, 0, ((size_t)c->steps + 2) * sizeof *c->changes);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        c->changes[c->hold[i].from] = c->changes[c->hold[i].to + 1] = true;
    return RWA_OK;
}

/** Set *failing to the first of the steps `from` … end - 1 with a lightpath that cannot be received, or to `end` if
 * there is none. */
static rwa_status first_failing(uint32_t *failing, const struct cutter *c, uint32_t from, uint32_t end, rwa_error *err)
{
    for (*failing = from; *failing < end; ++*failing) {
        bool fails = false;
        if (*failing > from && !c->changes[*failing] && cost_repeats(c->plan->schedule, *failing))
            continue;   /* same result as the step before */
        MUST(fails_in_step(&fails, c->plan, *failing, c->hold, c->opts, err));
        if (fails)
            return RWA_OK;
    }
    return RWA_OK;
}

/** Set *cut to the last step from begin + 1 to end - 1 such that all steps from `begin` to *cut - 1 pass if an epoch
 * ends before step *cut.  *cut is `begin` if there is none. */
static rwa_status find_cut(uint32_t *cut, struct cutter *c, uint32_t begin, uint32_t end, rwa_error *err)
{
    uint32_t failing = begin;
    bool fails = false;
    /* each step is tried, as a longer epoch may pass where a shorter one fails: a ring on resonance may disturb less
       than a parked (detuned) one */
    for (*cut = end - 1; *cut > begin; --*cut) {
        if (cost_repeats(c->plan->schedule, *cut))
            continue;   /* a cut here gives the same lightpaths as one before this step */
        MUST(hold_between(c, *cut, err));
        if (failing < *cut)     /* the step that failed last is likely to fail again */
            MUST(fails_in_step(&fails, c->plan, failing, c->hold, c->opts, err));
        if (failing < *cut && fails)
            continue;
        MUST(first_failing(&failing, c, begin, *cut, err));
        if (failing == *cut)
            break;
    }
    return hold_between(c, 0, err);
}

/** Set *begin to the first step of the epoch that contains `step`, and *end to the step after its last one.  In the
 * model `overlap`, all steps from the last of c->cuts on count as one epoch. */
static void find_epoch(uint32_t *begin, uint32_t *end, const struct cutter *c, uint32_t step)
{
    const rwa_hold *hold = &c->hold[rwa_schedule_first(c->plan->schedule, step)];
    bool circuit = c->opts->cost.model == RWA_COST_CIRCUIT;
    *begin = circuit ? hold->from : c->count > 0 ? c->cuts[c->count - 1] : 1;
    *end = circuit ? hold->to + 1 : c->steps + 1;
}

static rwa_status cut_epochs(struct cutter *c, rwa_error *err)
{
    uint32_t from = 1, failing, begin, end, cut;
    MUST(hold_between(c, 0, err));
    for (;;) {
        MUST(first_failing(&failing, c, from, c->steps + 1, err));
        if (failing > c->steps)
            return RWA_OK;
        find_epoch(&begin, &end, c, failing);
        MUST(find_cut(&cut, c, begin, end, err));
        if (cut == begin)       /* the first step fails by itself: the verdict reports it */
            return RWA_OK;
        c->cuts[c->count++] = from = cut;
        MUST(hold_between(c, 0, err));
    }
}

rwa_status cut_epochs_for_power(rwa_plan *plan, const rwa_plan_options *o, rwa_error *err)
{
    struct cutter c = {.plan = plan, .opts = o, .steps = rwa_schedule_steps(plan->schedule)};
    rwa_status st = RWA_OK;
    if (!o->device || o->power_model != RWA_POWER_RINGS || o->cost.model == RWA_COST_PAPER || c.steps < 2 ||
        !network_has_arcs(rwa_schedule_network(plan->schedule)))
        return RWA_OK;
    TRY(base_new(c.cuts, (size_t)c.steps + 1, err));
    TRY(base_new(c.hold, (size_t)rwa_schedule_records(plan->schedule) + 1, err));
    TRY(base_new(c.changes, (size_t)c.steps + 2, err));
    TRY(cut_epochs(&c, err));
    if (c.count > 0)
        TRY(plan_times(&plan->summary, plan->schedule, &o->cost, err));
done:
    free_all(c.cuts, c.hold, c.changes);
    return st;
}
