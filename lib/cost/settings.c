/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which steps must retune micro-rings.  Two cheap tests decide most steps; a hash table decides the rest. */
#include "cost/cost.h"

#include "base/base.h"
#include "schedule/schedule.h"

enum presence cost_presence(const rwa_schedule *sched, uint32_t step, uint64_t now)
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

rwa_status cost_settings(uint64_t *settings, const rwa_schedule *sched, rwa_error *err)
{
    struct circuits set = {.sched = sched};
    rwa_status st = RWA_OK;
    uint32_t steps = rwa_schedule_steps(sched);
    *settings = steps > 0;
    for (uint32_t step = 2; step <= steps; step++) {
        if (cost_repeats(sched, step))
            continue;
        bool is_new = false;
        if (some_are_new(sched, step)) {
            ++*settings;
            continue;
        }
        if (decided_by_orbits(&is_new, sched, step)) {
            *settings += is_new;
            continue;
        }
        TRY(circuits_fill(&set, step - 1, err));
        assert(*settings < step);
        *settings += some_missing(&set, step);
    }
done:
    circuits_close(&set);
    return st;
}
