/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Rename the wavelengths of each step, so that those of the next one may be tuned while this one sends.
 *
 * All lightpaths of a step and direction that share a wavelength change it together, so a step that had no two lightpaths on one
 * channel of a link still has none.
 */
#include "plan/plan.h"

#include "rwa/cost.h"
#include "schedule/schedule.h"

enum { WRITTEN_MOST = 1 << 20 };

/** The interchangeable channels of one direction, and where they are renamed to. */
struct band {
    uint32_t *to;           /* by unit of the old schedule: where it was last */
    bool *used, *moves;     /* by unit of the old schedule, in the step: has lightpaths; some of them are new */
    uint32_t *last;         /* by unit of the new schedule: the last step that used it */
    uint32_t *order;        /* units of the new schedule, idle longest first */
};

/** A lightpath and the last step that had it; 0: none has. */
struct seen {
    uint64_t lightpath;
    uint32_t step;
};

struct spreading {
    const rwa_schedule *from;
    rwa_schedule *to;
    uint32_t units_from, units_to;
    struct band band[2];
    struct seen *seen;      /* open addressing */
    size_t mask;
    struct arena memory;
};

/* ---- units ---- */

/** Each direction of a ring or line has a band of its own; a network of listed links has one band. */
static unsigned band_of(const rwa_network *net, rwa_direction direction)
{
    return direction == RWA_CCW && network_has_arcs(net);
}

static uint32_t units_of(const rwa_network *net)
{
    if (network_capabilities(net) & NETWORK_SWITCHES)
        return rwa_network_fibers(net);
    return network_has_arcs(net) || network_is_one_hop(net) ? rwa_network_channels(net) : rwa_network_wavelengths(net);
}

static uint32_t unit_of(const rwa_network *net, const rwa_lightpath *lp)
{
    if (network_capabilities(net) & NETWORK_SWITCHES)
        return lp->fiber;
    return network_has_arcs(net) || network_is_one_hop(net) ? lp->fiber * rwa_network_wavelengths(net) + lp->wavelength : lp->wavelength;
}

static void set_unit(rwa_lightpath *lp, const rwa_network *net, uint32_t unit)
{
    assert(unit < units_of(net));
    if (network_capabilities(net) & NETWORK_SWITCHES) {
        lp->fiber = unit;
    } else if (network_has_arcs(net) || network_is_one_hop(net)) {
        lp->fiber = unit / rwa_network_wavelengths(net);
        lp->wavelength = unit % rwa_network_wavelengths(net);
    } else {
        lp->wavelength = unit;
    }
}

static bool is_possible(const rwa_schedule *sched, const rwa_network *net)
{
    return !network_has_reserved(net) && !(network_capabilities(net) & NETWORK_PORTS) &&
           rwa_schedule_lightpaths(sched) <= WRITTEN_MOST;
}

/* ---- a step ---- */

static uint64_t mix(uint64_t sum, uint64_t next)
{
    uint64_t state = sum ^ next;
    return base_random(&state) + sum;
}

/** Its entry, or the free one where it belongs. */
static struct seen *find_seen(const struct spreading *s, const struct walk *w)
{
    rwa_lists lists = schedule_lists(s->from, w->record);
    uint64_t sum = mix((uint64_t)w->lp.src << 32 | w->lp.dst, (uint64_t)w->lp.fiber << 32 | w->lp.wavelength);
    sum = mix(sum, band_of(rwa_schedule_network(s->from), w->lp.direction));
    for (uint32_t i = 0; i < lists.path_nodes; i++)
        sum = mix(sum, lists.path[i]);
    for (uint32_t i = 0; i < lists.tap_count; i++)
        sum = mix(sum, (uint64_t)1 << 32 | lists.taps[i]);
    size_t i = (size_t)sum & s->mask;
    while (s->seen[i].step > 0 && s->seen[i].lightpath != sum)
        i = (i + 1) & s->mask;
    s->seen[i].lightpath = sum;
    return &s->seen[i];
}

/** Which units the step uses, and which of them only for lightpaths of the step before. */
static void note_units(struct spreading *s, uint32_t step)
{
    const rwa_network *net = rwa_schedule_network(s->from);
    for (int dir = 0; dir < 2; dir++)
        for (uint32_t u = 0; u < s->units_from; u++)
            s->band[dir].used[u] = s->band[dir].moves[u] = false;
    for (struct walk w = walk_step(s->from, step); walk_next(&w);) {
        struct band *b = &s->band[band_of(net, w.lp.direction)];
        uint32_t unit = unit_of(net, &w.lp);
        struct seen *seen = find_seen(s, &w);
        b->used[unit] = true;
        b->moves[unit] = b->moves[unit] || seen->step == 0 || seen->step < step - 1;
        seen->step = step;
    }
}

/** The units by the step that used them last; insertion keeps the order of those that are equal.  O(units) where little changed */
static void order_units(struct band *b, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t unit = b->order[i], k = i;
        for (; k > 0 && b->last[b->order[k - 1]] > b->last[unit]; k--)
            b->order[k] = b->order[k - 1];
        b->order[k] = unit;
    }
}

static void rename_units(struct spreading *s, struct band *b, uint32_t step)
{
    uint32_t next = 0;
    for (uint32_t u = 0; u < s->units_from; u++)
        if (b->used[u] && !b->moves[u])
            b->last[b->to[u]] = step;
    order_units(b, s->units_to);
    for (uint32_t u = 0; u < s->units_from; u++)
        if (b->used[u] && b->moves[u]) {
            assert(next < s->units_to && b->last[b->order[next]] < step);
            b->to[u] = b->order[next++];
        }
    for (uint32_t u = 0; u < s->units_from; u++)
        if (b->used[u])
            b->last[b->to[u]] = step;
}

static rwa_status rename_step(struct spreading *s, uint32_t step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(s->from);
    note_units(s, step);
    for (int dir = 0; dir < 2; dir++)
        rename_units(s, &s->band[dir], step);
    for (struct walk w = walk_step(s->from, step); walk_next(&w);) {
        assert(w.whole.orbit == 1);
        rwa_lists lists = schedule_lists(s->from, w.record);
        set_unit(&w.lp, rwa_schedule_network(s->to), s->band[band_of(net, w.lp.direction)].to[unit_of(net, &w.lp)]);
        MUST(rwa_schedule_add_lists(s->to, &w.lp, &lists, err));
    }
    return RWA_OK;
}

static rwa_status open_bands(struct spreading *s, rwa_error *err)
{
    s->memory.err = err;
    for (s->mask = 1; s->mask < 2 * rwa_schedule_records(s->from);)
        s->mask *= 2;
    arena_new(&s->memory, s->seen, s->mask--);
    for (struct band *b = s->band; b < s->band + 2; b++) {
        arena_new(&s->memory, b->to, s->units_from);
        arena_new(&s->memory, b->used, s->units_from);
        arena_new(&s->memory, b->moves, s->units_from);
        arena_new(&s->memory, b->last, s->units_to);
        arena_new(&s->memory, b->order, s->units_to);
        if (arena_status(&s->memory) != RWA_OK)
            return RWA_NOMEM;
        for (uint32_t u = 0; u < s->units_to; u++)
            b->order[u] = u;
    }
    return RWA_OK;
}

static rwa_status rename_all(struct spreading *s, const rwa_network *net, rwa_error *err)
{
    s->units_from = units_of(rwa_schedule_network(s->from));
    s->units_to = units_of(net);
    assert(s->units_from <= s->units_to);
    MUST(open_bands(s, err));
    MUST(rwa_schedule_create_among(&s->to, net, rwa_schedule_collective(s->from), rwa_schedule_members(s->from),
                                   rwa_schedule_scheme(s->from), err));
    for (uint32_t step = 1; step <= rwa_schedule_steps(s->from); step++)
        MUST(rename_step(s, step, err));
    return RWA_OK;
}

rwa_status spread_wavelengths(rwa_schedule **out, const rwa_schedule *sched, const rwa_network *net, rwa_error *err)
{
    struct spreading s = {.from = sched};
    rwa_schedule *written = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (!is_possible(sched, net))
        return RWA_OK;
    if (rwa_schedule_records(sched) < rwa_schedule_lightpaths(sched))
        TRY(rwa_schedule_expand(&written, sched, err));
    s.from = written ? written : sched;
    TRY(rename_all(&s, net, err));
    *out = s.to;
    s.to = NULL;
done:
    rwa_schedule_free(s.to);
    rwa_schedule_free(written);
    arena_free(&s.memory);
    return st;
}

/* ---- a plan ---- */

/** The channels of a step and direction, at most, orbits as wide as their period. */
static uint32_t width_of(const rwa_schedule *sched, uint32_t step, rwa_direction direction)
{
    uint32_t width = 0;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath lp = schedule_lightpath(sched, i);
        uint32_t top = lp.orbit > 1 ? record_top(rwa_schedule_network(sched), &lp) : unit_of(rwa_schedule_network(sched), &lp) + 1;
        if (band_of(rwa_schedule_network(sched), lp.direction) == band_of(rwa_schedule_network(sched), direction))
            width = top > width ? top : width;
    }
    return width;
}

/** Whether some two steps that follow each other have space for both. */
static bool may_help(const rwa_schedule *sched)
{
    uint32_t units = units_of(rwa_schedule_network(sched)), before[2] = {units, units};
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        uint32_t cw = width_of(sched, step, RWA_CW), ccw = width_of(sched, step, RWA_CCW);
        if (cw + before[0] <= units && ccw + before[1] <= units)
            return true;
        before[0] = cw;
        before[1] = ccw;
    }
    return false;
}

rwa_status spread_plan(rwa_plan *plan, const rwa_cost_options *cost, rwa_error *err)
{
    rwa_schedule *spread = NULL;
    double before = 0, after = 0;
    rwa_status st = RWA_OK;
    if (!may_help(plan->schedule))
        return RWA_OK;
    TRY(spread_wavelengths(&spread, plan->schedule, rwa_schedule_network(plan->schedule), err));
    if (!spread)
        return RWA_OK;
    TRY(rwa_cost_schedule(&before, plan->schedule, cost, err));
    TRY(rwa_cost_schedule(&after, spread, cost, err));
    if (after < before) {
        plan_replace_schedule(plan, spread);
        spread = NULL;
    }
done:
    rwa_schedule_free(spread);
    return st;
}
