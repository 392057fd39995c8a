/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which steps must retune micro-rings.  Two cheap tests decide most steps; a hash table decides the rest. */
#include "cost/cost.h"

/** Of a record of this step, from 2 on.  O(records of the step before) */
static enum presence cost_presence(const rwa_schedule *sched, uint32_t step, uint64_t now)
{
    rwa_lightpath lp, asked;
    assert(step >= 2 && now >= rwa_schedule_first(sched, step) && now < rwa_schedule_first(sched, step + 1));
    schedule_get_in_step(&asked, sched, now, step);
    rwa_lightpath_of_orbit(&lp, &asked, 0, rwa_schedule_network(sched), rwa_schedule_collective(sched));
    for (uint64_t i = rwa_schedule_first(sched, step - 1); i < rwa_schedule_first(sched, step); i++) {
        if (!sched->orbit && sched->src[i] != lp.src)
            continue; /* nearly all of a large step */
        enum presence presence = cost_presence_in(sched, step - 1, i, &lp, now);
        if (presence != ABSENT)
            return presence;
    }
    return ABSENT;
}

/** Whether the first lightpaths of all records decide; *is_new is their answer. */
static bool decided_by_orbits(bool *is_new, const rwa_schedule *sched, uint32_t step)
{
    bool whole = sched->orbit != NULL;
    *is_new = false;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1) && whole && !*is_new; i++) {
        enum presence presence = cost_presence(sched, step, i);
        *is_new = presence == ABSENT;
        whole = presence != FIRST_PRESENT;
    }
    return whole;
}

/** Test some records spread over the step: a step that retunes at all mostly retunes much. */
static bool some_are_new(const rwa_schedule *sched, uint32_t step)
{
    enum { LOOKS = 16 };
    uint64_t now = rwa_schedule_first(sched, step), count = rwa_schedule_first(sched, step + 1) - now;
    for (uint64_t k = 0; k < LOOKS && k < count; k++)
        if (cost_presence(sched, step, count > LOOKS ? now + k * (count / LOOKS) : now + k) == ABSENT)
            return true;
    return false;
}

static bool some_missing(const struct circuits *before, uint32_t step)
{
    for (struct walk w = walk_step(before->sched, step); walk_next(&w);)
        if (!circuits_have(before, &w))
            return true;
    return false;
}

/** Whether the step sets micro-rings; `before` is memory for the circuits of the one before. */
static rwa_status find_setting(bool *sets, struct circuits *before, uint32_t step, rwa_error *err)
{
    const rwa_schedule *sched = before->sched;
    *sets = step == 1;
    if (step == 1 || cost_repeats(sched, step))
        return RWA_OK;
    *sets = some_are_new(sched, step);
    if (*sets || decided_by_orbits(sets, sched, step))
        return RWA_OK;
    MUST(circuits_fill(before, step - 1, err));
    *sets = some_missing(before, step);
    return RWA_OK;
}

rwa_status cost_settings(uint64_t *settings, bool *sets, const rwa_schedule *sched, rwa_error *err)
{
    struct circuits before = {.sched = sched};
    rwa_status st = RWA_OK;
    *settings = 0;
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        bool here = false;
        TRY(find_setting(&here, &before, step, err));
        *settings += here;
        assert(*settings <= step);
        if (sets)
            sets[step - 1] = here;
    }
done:
    circuits_close(&before);
    return st;
}
