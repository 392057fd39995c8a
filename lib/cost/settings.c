/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which steps must retune micro-rings.  Two cheap tests decide most steps; a hash table decides the rest. */
#include "cost/cost.h"

#include "base/base.h"
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/** One lightpath of a step, and the record it comes from, whose path and taps count too. */
struct circuit {
    rwa_lightpath lp;
    uint64_t record;
};

/** The lightpaths of one step; open addressing; an entry with orbit 0 is free. */
struct circuits {
    const rwa_schedule *sched;
    struct circuit *at;
    size_t have, mask;
};

static bool same_nodes(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

/** Whether two records are tapped as far from their sources: their lightpaths from one source are then tapped alike. */
static bool same_taps(const rwa_schedule *sched, uint64_t a, const rwa_lists *la, uint64_t b, const rwa_lists *lb)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    uint32_t apart = (sched->src[a] + nodes - sched->src[b]) % nodes;
    bool same = la->tap_count == lb->tap_count;
    for (uint32_t k = 0; same && k < la->tap_count; k++)
        same = la->taps[k] == (lb->taps[k] + apart) % nodes;
    return same;
}

/** Path and taps; blocks do not matter. */
static bool same_lists(const rwa_schedule *sched, uint64_t a, uint64_t b)
{
    rwa_lists la, lb;
    rwa_schedule_lists(&la, sched, a);
    rwa_schedule_lists(&lb, sched, b);
    return same_nodes(la.path, la.path_nodes, lb.path, lb.path_nodes) && same_taps(sched, a, &la, b, &lb);
}

static bool same_route(const rwa_lightpath *a, const rwa_lightpath *b)
{
    return a->src == b->src && a->dst == b->dst && a->direction == b->direction && a->fiber == b->fiber &&
           a->wavelength == b->wavelength;
}

/** Whether two records are the same lightpaths, orbit and all. */
static bool same_record(const rwa_schedule *sched, uint64_t a, uint64_t b)
{
    rwa_lightpath la, lb;
    rwa_schedule_get(&la, sched, a);
    rwa_schedule_get(&lb, sched, b);
    return same_route(&la, &lb) && la.orbit == lb.orbit && (la.orbit == 1 || la.period == lb.period) &&
           same_lists(sched, a, b);
}

/** Whether the step repeats the one before record by record. */
static bool repeats(const rwa_schedule *sched, uint32_t step)
{
    uint64_t before = rwa_schedule_first(sched, step - 1), now = rwa_schedule_first(sched, step);
    if (rwa_schedule_first(sched, step + 1) - now > now - before)
        return false;
    for (uint64_t i = now; i < rwa_schedule_first(sched, step + 1); i++)
        if (!same_record(sched, i, before + (i - now)))
            return false;
    return true;
}

/** Which lightpaths of a record were present in the step before, judging by the first: full orbits with one period that
 *  divides the number of nodes are present as a whole. */
enum presence { ABSENT, FIRST_PRESENT, ALL_PRESENT };

static bool is_whole(const rwa_lightpath *record, uint32_t nodes)
{
    return record->orbit == nodes && nodes % record->period == 0;
}

static enum presence was_present(const rwa_schedule *sched, uint32_t step, uint64_t now)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    rwa_lightpath lp, asked, record, other;
    rwa_schedule_get(&asked, sched, now);
    rwa_lightpath_of_orbit(&lp, &asked, 0, rwa_schedule_network(sched), rwa_schedule_collective(sched));
    for (uint64_t i = rwa_schedule_first(sched, step - 1); i < rwa_schedule_first(sched, step); i++) {
        if (!sched->orbit && sched->src[i] != lp.src)
            continue; /* nearly all of a large step */
        rwa_schedule_get(&record, sched, i);
        uint32_t turn = (lp.src + nodes - record.src) % nodes;
        if (turn >= record.orbit)
            continue;
        rwa_lightpath_of_orbit(&other, &record, turn, rwa_schedule_network(sched), rwa_schedule_collective(sched));
        if (same_route(&lp, &other) && same_lists(sched, now, i))
            return is_whole(&asked, nodes) && is_whole(&record, nodes) && asked.period == record.period ? ALL_PRESENT : FIRST_PRESENT;
    }
    return ABSENT;
}

/** Whether the first lightpaths of all records decide; *is_new is their answer. */
static bool decided_by_orbits(bool *is_new, const rwa_schedule *sched, uint32_t step)
{
    bool whole = sched->orbit != NULL;
    *is_new = false;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1) && whole && !*is_new; i++) {
        enum presence presence = was_present(sched, step, i);
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
        if (was_present(sched, step, count > LOOKS ? now + k * (count / LOOKS) : now + k) == ABSENT)
            return true;
    return false;
}

/** The entry of the lightpath, or the free entry where it belongs. */
static struct circuit *find(const struct circuits *set, const struct circuit *c)
{
    uint64_t channel = (uint64_t)c->lp.fiber << 32 | (uint64_t)c->lp.wavelength << 1 | (c->lp.direction == RWA_CCW);
    uint64_t state = ((uint64_t)c->lp.src << 32 | c->lp.dst) * 0x9E3779B97F4A7C15u ^ channel;
    assert(set->mask < set->have);
    size_t i = (size_t)base_random(&state) & set->mask;
    while (set->at[i].lp.orbit != 0 && !(same_route(&set->at[i].lp, &c->lp) &&
                                         same_lists(set->sched, set->at[i].record, c->record)))
        i = (i + 1) & set->mask;
    return &set->at[i];
}

static uint64_t lightpaths_of(const rwa_schedule *sched, uint32_t step)
{
    uint64_t count = 0;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record;
        rwa_schedule_get(&record, sched, i);
        count += record.orbit;
    }
    return count;
}

static rwa_status reserve_circuits(struct circuits *set, uint64_t count, rwa_error *err)
{
    size_t size = 16;
    while (size / 2 < count)
        size *= 2;
    if (size > set->have) {
        free(set->at);
        set->have = 0;
        set->at = base_array(size, sizeof *set->at, err);
        if (!set->at)
            return RWA_NOMEM;
        set->have = size;
    }
    memset(set->at, 0, size * sizeof *set->at);
    set->mask = size - 1;
    return RWA_OK;
}

/** Insert the lightpaths of a step into the set; or, with `ask`, test whether one of them is missing. */
static bool visit(const struct circuits *set, uint32_t step, bool ask)
{
    for (struct walk w = walk_step(set->sched, step); walk_next(&w);) {
        struct circuit c = {.lp = w.lp, .record = w.record};
        struct circuit *place = find(set, &c);
        if (ask && place->lp.orbit == 0)
            return true;
        *place = c;
    }
    return false;
}

rwa_status cost_settings(uint64_t *settings, const rwa_schedule *sched, rwa_error *err)
{
    struct circuits set = {.sched = sched};
    rwa_status st = RWA_OK;
    uint32_t steps = rwa_schedule_steps(sched);
    *settings = steps > 0;
    for (uint32_t step = 2; step <= steps; step++) {
        if (repeats(sched, step))
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
        TRY(reserve_circuits(&set, lightpaths_of(sched, step - 1), err));
        visit(&set, step - 1, false);
        *settings += visit(&set, step, true);
    }
done:
    free(set.at);
    return st;
}
