/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fewer readers of a lightpath, and shorter and shorter lightpaths, where the device profile's limits ask for it. */
#include "plan/plan.h"
#include "power/power.h"

#include <stdlib.h>

static bool fails_for_power(const rwa_plan *plan)
{
    const rwa_check_report *c = plan->summary.check;
    return plan->summary.outcome == RWA_INFEASIBLE && c->power_checked && c->power.verdict == RWA_FAIL;
}

static void swap(rwa_plan **a, rwa_plan **b)
{
    rwa_plan *kept = *a;
    *a = *b;
    *b = kept;
}

/** Whether the power of one step shows already that the plan fails. */
static rwa_status fails_in_step(bool *fails, const rwa_plan *plan, uint32_t step, const rwa_plan_options *o, rwa_error *err)
{
    rwa_power *power = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    *fails = false;
    TRY(power_of_step(&power, &count, o->device, o->power_model, plan->schedule, step, err));
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
    rwa_status st = RWA_OK;
    *fails = false;
    for (uint32_t i = 0; i < SAMPLES && i < steps && !*fails; i++)
        TRY(fails_in_step(fails, plan, 1 + i * (steps - 1) / (SAMPLES - 1), o, err));
done:
    return st;
}

/** The search for the longest limit that passes. */
struct shortening {
    const struct scheme *scheme;
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;       /* to judge by */
    rwa_plan_options building;          /* to plan by: these with as many drops as are tried */
    uint32_t fails;             /* a limit known to */
};

/** Whether a plan passes, as far as is looked. */
typedef rwa_status test_of_plan(bool *passes, rwa_plan *plan, const struct shortening *s, rwa_error *err);

/** By the power of some steps: the plan stays unjudged. */
static rwa_status passes_early(bool *passes, rwa_plan *plan, const struct shortening *s, rwa_error *err)
{
    bool early = false;
    rwa_status st = fails_early(&early, plan, s->opts, err);
    *passes = !early;
    return st;
}

static rwa_status passes_judged(bool *passes, rwa_plan *plan, const struct shortening *s, rwa_error *err)
{
    rwa_status st = plan_judge(plan, s->net, s->opts, err);
    *passes = plan->summary.outcome != RWA_INFEASIBLE;
    return st;
}

/** The plan under the longest limit that passes the test; where none does, the one whose lightpaths have one hop. */
static rwa_status find_longest(rwa_plan **plan, struct shortening *s, test_of_plan *test, rwa_error *err)
{
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    uint32_t low = 0;
    while (s->fails - low > 1) {
        uint32_t hops = low + (s->fails - low) / 2;
        bool passes;
        TRY(plan_build(&shorter, s->scheme, s->net, s->coll, &s->building, hops, err));
        TRY(test(&passes, shorter, s, err));
        *(passes ? &low : &s->fails) = hops;
        if (passes || hops == 1)
            swap(plan, &shorter);
        rwa_plan_free(shorter);
        shorter = NULL;
    }
done:
    rwa_plan_free(shorter);
    return st;
}

/** First by the power of some steps only, which is quick and nearly always tells; that plan's verdict then decides. */
static rwa_status shorten(rwa_plan **plan, struct shortening *s, rwa_error *err)
{
    rwa_plan *promising = NULL;
    bool passes;
    rwa_status st = RWA_OK;
    TRY(find_longest(&promising, s, passes_early, err));
    if (!promising)
        goto done;
    TRY(passes_judged(&passes, promising, s, err));
    if (!passes && s->fails > 2) {
        s->fails--;
        TRY(find_longest(plan, s, passes_judged, err));
    } else {
        swap(plan, &promising);
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

/** With as many drops as s->building has. */
static rwa_status judge_hops(rwa_plan **plan, struct shortening *s, rwa_error *err)
{
    bool early = false;
    rwa_status st = RWA_OK;
    s->fails = longest_hops((*plan)->schedule);
    if (s->fails > 1)
        TRY(fails_early(&early, *plan, s->opts, err));
    if (!early)
        TRY(plan_judge(*plan, s->net, s->opts, err));
    if (early || fails_for_power(*plan))
        TRY(shorten(plan, s, err));
done:
    return st;
}

/** Whether a tapped plan passes as it is. */
static rwa_status judge_tapped(bool *passes, rwa_plan *plan, const struct shortening *s, rwa_error *err)
{
    rwa_status st = passes_early(passes, plan, s, err);
    return st == RWA_OK && *passes ? passes_judged(passes, plan, s, err) : st;
}

/** Fewer and fewer readers of a lightpath until the light suffices for all; without taps also shorter ones. */
static rwa_status judge_drops(rwa_plan **plan, struct shortening *s, rwa_error *err)
{
    rwa_plan *fewer = NULL;
    bool passes = false;
    rwa_status st = RWA_OK;
    for (;;) {
        uint32_t drops = (*plan)->schedule ? rwa_schedule_receivers((*plan)->schedule) : 1;
        if (drops == 1)
            break;
        TRY(judge_tapped(&passes, *plan, s, err));
        if (passes)
            goto done;
        s->building.max_drops = drops - 1;
        TRY(plan_build(&fewer, s->scheme, s->net, s->coll, &s->building, s->opts->max_hops, err));
        swap(plan, &fewer);
        rwa_plan_free(fewer);
        fewer = NULL;
    }
    s->building.max_drops = 1;
    TRY((*plan)->schedule ? judge_hops(plan, s, err) : plan_judge(*plan, s->net, s->opts, err));
done:
    return st;
}

rwa_status judge_shortened(rwa_plan **plan, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                           const rwa_plan_options *o, rwa_error *err)
{
    struct shortening s = {.scheme = scheme, .net = net, .coll = coll, .opts = o, .building = *o};
    if (!scheme->shortens || !o->device || !(*plan)->schedule)
        return plan_judge(*plan, net, o, err);
    return judge_drops(plan, &s, err);
}
