/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shorter and shorter lightpaths where the device profile's limits ask for it. */
#include "plan/plan.h"
#include "power/power.h"

#include <stdlib.h>

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

/** All lightpaths of a step; *out: the caller's. */
static rwa_status list_step(rwa_lightpath **out, size_t *count, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    uint64_t from = rwa_schedule_first(sched, step), to = rwa_schedule_first(sched, step + 1);
    rwa_lightpath record;
    size_t most = 0;
    for (uint64_t i = from; i < to; i++) {
        rwa_schedule_get(sched, i, &record);
        most += record.orbit;
    }
    *count = 0;
    *out = base_array(most, sizeof **out, err);
    if (!*out)
        return RWA_NOMEM;
    for (uint64_t i = from; i < to; i++) {
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++)
            rwa_lightpath_of_orbit(&(*out)[(*count)++], &record, k, rwa_schedule_network(sched), rwa_schedule_collective(sched));
    }
    return RWA_OK;
}

/** Whether the power of one step shows already that the plan fails. */
static rwa_status fails_in_step(bool *fails, const rwa_plan *plan, uint32_t step, const rwa_plan_options *o, rwa_error *err)
{
    rwa_lightpath *lightpath = NULL;
    rwa_power *power = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    *fails = false;
    TRY(list_step(&lightpath, &count, plan->schedule, step, err));
    power = base_array(count, sizeof *power, err);
    st = power ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(rwa_power_step(power, o->device, o->power_model, rwa_schedule_network(plan->schedule), lightpath, count, err));
    for (size_t i = 0; i < count && !*fails; i++)
        *fails = power[i].budget == RWA_FAIL || power[i].crosstalk == RWA_FAIL;
done:
    free(lightpath);
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
    const rwa_plan_options *opts;
    uint32_t passes, fails;     /* limits known to, judged in full */
};

/** A plan under a limit, and whether it fails early; NULL when it does, unless nothing shorter is left to try. */
static rwa_status build_shorter(rwa_plan **plan, bool *early, const struct shortening *s, uint32_t hops, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *early = false;
    TRY(plan_build(plan, s->scheme, s->net, s->coll, s->opts, hops, err));
    TRY(fails_early(early, *plan, s->opts, err));
    if (*early && hops > 1) {
        rwa_plan_free(*plan);
        *plan = NULL;
    }
done:
    return st;
}

/** The longest limit whose plan does not fail early; it stays unjudged. */
static rwa_status find_promising(rwa_plan **plan, struct shortening *s, rwa_error *err)
{
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    uint32_t low = s->passes;
    while (s->fails - low > 1) {
        uint32_t hops = low + (s->fails - low) / 2;
        bool early;
        TRY(build_shorter(&shorter, &early, s, hops, err));
        *(early ? &s->fails : &low) = hops;
        if (shorter)
            swap(plan, &shorter);
        rwa_plan_free(shorter);
        shorter = NULL;
    }
done:
    rwa_plan_free(shorter);
    return st;
}

/** As long as possible, each limit judged in full. */
static rwa_status find_passing(rwa_plan **plan, struct shortening *s, rwa_error *err)
{
    rwa_plan *shorter = NULL;
    rwa_status st = RWA_OK;
    while (s->fails - s->passes > 1) {
        uint32_t hops = s->passes + (s->fails - s->passes) / 2;
        TRY(plan_build(&shorter, s->scheme, s->net, s->coll, s->opts, hops, err));
        TRY(plan_judge(shorter, s->net, s->opts, err));
        bool passed = shorter->summary.outcome != RWA_INFEASIBLE;
        *(passed ? &s->passes : &s->fails) = hops;
        if (passed || hops == 1)
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
    rwa_status st = RWA_OK;
    TRY(find_promising(&promising, s, err));
    if (!promising)
        goto done;
    TRY(plan_judge(promising, s->net, s->opts, err));
    if (promising->summary.outcome == RWA_INFEASIBLE && s->fails > 2) {
        s->fails--;
        TRY(find_passing(plan, s, err));
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
        rwa_schedule_get(sched, i, &path);
        uint32_t hops = rwa_network_hops(rwa_schedule_network(sched), path.src, path.dst, path.direction);
        longest = hops > longest ? hops : longest;
    }
    return longest;
}

rwa_status judge_shortened(rwa_plan **plan, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                           const rwa_plan_options *o, rwa_error *err)
{
    struct shortening s = {.scheme = scheme, .net = net, .coll = coll, .opts = o};
    bool early = false;
    rwa_status st = RWA_OK;
    if (!scheme->shortens || !o->device || !(*plan)->schedule)
        return plan_judge(*plan, net, o, err);
    s.fails = longest_hops((*plan)->schedule);
    if (s.fails > 1)
        TRY(fails_early(&early, *plan, o, err));
    if (!early)
        TRY(plan_judge(*plan, net, o, err));
    if (early || fails_for_power(*plan))
        TRY(shorten(plan, &s, err));
done:
    return st;
}
