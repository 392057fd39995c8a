/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fewer receivers of a lightpath, shorter and shorter lightpaths, and shorter epochs, where the device profile's limits ask for it. */
#include "cost/cost.h"
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

/** Whether the power of one step shows already that the plan fails.  hold: as for power_of_step(). */
static rwa_status fails_in_step(bool *fails, const rwa_plan *plan, uint32_t step, const rwa_hold *hold, const rwa_plan_options *o,
                                rwa_error *err)
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

/** Whether some steps do: their power is quickly computed. */
static rwa_status fails_early(bool *fails, const rwa_plan *plan, const rwa_plan_options *o, rwa_error *err)
{
    enum { SAMPLES = 5 };
    uint32_t steps = rwa_schedule_steps(plan->schedule);
    *fails = false;
    for (uint32_t i = 0; i < SAMPLES && i < steps && !*fails; i++)
        MUST(fails_in_step(fails, plan, 1 + i * (steps - 1) / (SAMPLES - 1), NULL, o, err));
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

uint32_t plan_longest_hops(const rwa_schedule *sched)
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
    s->fails = plan_longest_hops((*plan)->schedule);
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

/* ---- epochs ---- */

/** Epochs that power forbids are cut: the cuts so far, and what is up in each step between them. */
struct cutter {
    rwa_plan *plan;
    const rwa_plan_options *opts;
    uint32_t steps, *cuts;
    size_t count;
    rwa_hold *hold;
    bool *changes;              /* changes[step]: not the same lightpaths are up as in the step before */
};

/** Apply the cuts so far, and one more before step `cut` unless it is 0. */
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

/** The first of the steps from … end - 1 with a lightpath that cannot be received; `end`: none. */
static rwa_status first_failing(uint32_t *failing, const struct cutter *c, uint32_t from, uint32_t end, rwa_error *err)
{
    for (*failing = from; *failing < end; ++*failing) {
        bool fails = false;
        if (*failing > from && !c->changes[*failing] && cost_repeats(c->plan->schedule, *failing))
            continue;   /* as the step before */
        MUST(fails_in_step(&fails, c->plan, *failing, c->hold, c->opts, err));
        if (fails)
            return RWA_OK;
    }
    return RWA_OK;
}

/** The last cut in begin + 1 … end - 1 so that all steps from `begin` up to it pass; `begin`: there is none.  A ring on resonance may
 *  disturb less than a parked one, so that of two epochs the longer may pass alone: all are tried. */
static rwa_status find_cut(uint32_t *cut, struct cutter *c, uint32_t begin, uint32_t end, rwa_error *err)
{
    uint32_t failing = begin;
    bool fails = false;
    for (*cut = end - 1; *cut > begin; --*cut) {
        if (cost_repeats(c->plan->schedule, *cut))
            continue;   /* without this step the same lightpaths are up in those before */
        MUST(hold_between(c, *cut, err));
        if (failing < *cut)     /* where the last one failed the next is likely to */
            MUST(fails_in_step(&fails, c->plan, failing, c->hold, c->opts, err));
        if (failing < *cut && fails)
            continue;
        MUST(first_failing(&failing, c, begin, *cut, err));
        if (failing == *cut)
            break;
    }
    return hold_between(c, 0, err);
}

/** Where the epoch of a step begins, and its end; in the model `overlap` all steps behind the last cut count as one. */
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
        if (cut == begin)       /* its first step fails alone: the verdict says so */
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
