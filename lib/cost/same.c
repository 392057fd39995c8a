/* SPDX-License-Identifier: GPL-3.0-or-later */
/** When two lightpaths of different steps are the same, and the lightpaths of a step as a hash table. */
#include "cost/cost.h"

#include "network/network.h"

/** Nodes of record a, and of record b as moved to the source of a. */
static bool same_nodes(const rwa_schedule *sched, uint64_t a, uint64_t b, const uint32_t *of_a, const uint32_t *of_b, uint32_t count)
{
    uint32_t k = 0;
    if (sched->src[a] == sched->src[b])
        return count == 0 || memcmp(of_a, of_b, count * sizeof *of_a) == 0;
    while (k < count && of_a[k] == translations_move(&sched->group, of_b[k], sched->src[b], sched->src[a]))
        k++;
    return k == count;
}

/** Same path and taps, both seen from the source, as they are for lightpaths from one source; blocks do not matter. */
static bool cost_same_lists(const rwa_schedule *sched, uint64_t a, uint64_t b)
{
    rwa_lists la, lb;
    rwa_schedule_lists(&la, sched, a);
    rwa_schedule_lists(&lb, sched, b);
    return la.path_nodes == lb.path_nodes && la.tap_count == lb.tap_count && same_nodes(sched, a, b, la.path, lb.path, la.path_nodes) &&
           same_nodes(sched, a, b, la.taps, lb.taps, la.tap_count);
}

/** Same nodes and channel, and where it says the route, direction. */
static bool cost_same_route(const rwa_schedule *sched, const rwa_lightpath *a, const rwa_lightpath *b)
{
    bool opposite = a->direction != b->direction && network_has_arcs(rwa_schedule_network(sched));
    return a->src == b->src && a->dst == b->dst && !opposite && a->fiber == b->fiber && a->wavelength == b->wavelength;
}

/** Whether record a of this step and record b of the step before are the same lightpaths, orbit and all. */
static bool same_record(const rwa_schedule *sched, uint32_t step, uint64_t a, uint64_t b)
{
    rwa_lightpath la, lb;
    schedule_get_in_step(&la, sched, a, step);
    schedule_get_in_step(&lb, sched, b, step - 1);
    return cost_same_route(sched, &la, &lb) && la.orbit == lb.orbit && (la.orbit == 1 || la.period == lb.period) &&
           cost_same_lists(sched, a, b);
}

bool cost_repeats(const rwa_schedule *sched, uint32_t step)
{
    uint64_t before = rwa_schedule_first(sched, step - 1), now = rwa_schedule_first(sched, step);
    if (rwa_schedule_first(sched, step + 1) - now > now - before)
        return false;
    for (uint64_t i = now; i < rwa_schedule_first(sched, step + 1); i++)
        if (!same_record(sched, step, i, before + (i - now)))
            return false;
    return true;
}

static bool is_circuit(const struct circuits *set, const struct circuit *c, const struct walk *at)
{
    rwa_lightpath record, lp;
    schedule_get_in_step(&record, set->sched, c->record, set->step);
    rwa_lightpath_of_orbit(&lp, &record, c->turn, rwa_schedule_network(set->sched), rwa_schedule_collective(set->sched));
    return cost_same_route(set->sched, &lp, &at->lp) && cost_same_lists(set->sched, c->record, at->record);
}

/** The entry of the lightpath, or the free entry where it belongs; *tag: its tag. */
static struct circuit *find(uint32_t *tag, const struct circuits *set, const struct walk *at)
{
    uint64_t channel = (uint64_t)at->lp.fiber << 32 | at->lp.wavelength;
    uint64_t state = ((uint64_t)at->lp.src << 32 | at->lp.dst) * 0x9E3779B97F4A7C15u ^ channel, hash = base_random(&state);
    size_t i = (size_t)hash & set->mask;
    *tag = (uint32_t)(hash >> 32) | 1;
    assert(set->mask < set->have);
    while (set->at[i].tag != 0 && !(set->at[i].tag == *tag && is_circuit(set, &set->at[i], at)))
        i = (i + 1) & set->mask;
    return &set->at[i];
}

static uint64_t lightpaths_of(const rwa_schedule *sched, uint32_t step)
{
    uint64_t count = 0;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record;
        schedule_get_in_step(&record, sched, i, step);
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
        MUST(base_new(set->at, size, err));
        set->have = size;
    }
    memset(set->at, 0, size * sizeof *set->at);
    set->mask = size - 1;
    return RWA_OK;
}

rwa_status circuits_fill(struct circuits *set, uint32_t step, rwa_error *err)
{
    uint32_t tag;
    MUST(reserve_circuits(set, lightpaths_of(set->sched, step), err));
    set->step = step;
    for (struct walk w = walk_step(set->sched, step); walk_next(&w);) {
        struct circuit *c = find(&tag, set, &w);
        *c = (struct circuit){w.record, w.turn, tag};
    }
    return RWA_OK;
}

uint64_t circuits_record(const struct circuits *set, const struct walk *at)
{
    uint32_t tag;
    const struct circuit *same = find(&tag, set, at);
    return same->tag != 0 ? same->record : UINT64_MAX;
}

bool circuits_have(const struct circuits *set, const struct walk *at)
{
    return circuits_record(set, at) != UINT64_MAX;
}

void circuits_close(struct circuits *set)
{
    free(set->at);
    set->at = NULL;
}
