/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every block in s stripes, each on a channel of its own: a plan on floor(W / s) channels (of each fibre, where links are listed),
 * carried out s times side by side with blocks of an s-th.
 *
 * Stripe j of what had channel x gets channel x + j P, where no channel of the step and direction was P or above.  An orbit
 * on channels (x + i) mod P may then go on modulo s P: its channels modulo P are what they were, so lightpaths that shared
 * none share none, and those of different stripes differ by a multiple of P.  Where the orbits of a step have several
 * periods they are cut where their channel falls back to 0, and then nothing is to be said modulo anything.
 */
#include "plan/plan.h"

#include "schedule/schedule.h"

uint32_t stripes_most(const rwa_network *net)
{
    uint32_t reserved = (uint32_t)network_faults(net).channel_count, channels = rwa_network_channels(net);
    if (reserved == 0 && !network_has_arcs(net))
        return rwa_network_wavelengths(net);
    return reserved < channels ? channels - reserved : 1;
}

bool stripes_may_pay(const struct plan_task *t, const struct scheme *scheme)
{
    enum { STRIPED_NODES = 128 };
    return forward_kind(t->coll->kind) == RWA_ALL_GATHER && scheme_has(scheme, SLOW) && rwa_network_nodes(t->net) <= STRIPED_NODES &&
           rwa_network_ports(t->net) == 0 &&
           (network_leaves_whole(t->net) || !(network_has_reserved(t->net) || network_has_failed_links(t->net)));
}

rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err)
{
    rwa_network_options opts;
    bool arcs = network_has_arcs(net), few_ports = !arcs && rwa_network_ports(net) > 0;
    if (network_is_one_hop(net) || network_has_failed_links(net) || network_has_reserved(net) || few_ports)
        return base_fail(err, RWA_BADARG, "stripes: expected a network with links, none failed, without reserved channels, ports only on a "
                         "ring or line");
    if (stripes > stripes_most(net))
        return base_fail(err, RWA_BADARG, "load_factor 1/%u: expected at most one stripe for each of %u %s", stripes, stripes_most(net),
                         arcs ? "channels" : "wavelengths");
    if (!arcs) {
        *out = network_with_wavelengths(net, rwa_network_wavelengths(net) / stripes, err);
        return *out ? RWA_OK : RWA_NOMEM;
    }
    rwa_network_options_init(&opts);
    opts.wavelengths = rwa_network_channels(net) / stripes;
    opts.rate_bps = rwa_network_rate_bps(net);
    opts.ports = rwa_network_ports(net) / stripes;
    return rwa_network_create(out, rwa_network_topology(net), rwa_network_nodes(net), &opts, err);
}

/** The step that is being striped, and what its channels in each direction stay below. */
struct widening {
    rwa_schedule *to;
    const rwa_schedule *from;
    uint32_t stripes;
    uint32_t period[2];     /* of all orbits in this direction; 0: they have several, or reach beyond */
    uint32_t *taps;         /* capacity for the taps of a lightpath */
    size_t taps_capacity;
};

static uint32_t channel_in(const rwa_schedule *sched, const rwa_lightpath *lp)
{
    return lp->fiber * rwa_network_wavelengths(rwa_schedule_network(sched)) + lp->wavelength;
}

static void find_periods(struct widening *w, uint64_t first, uint64_t end)
{
    uint32_t top[2] = {0, 0}, channels = rwa_network_channels(rwa_schedule_network(w->from));
    bool several[2] = {false, false};
    w->period[0] = w->period[1] = 0;
    for (uint64_t i = first; i < end; i++) {
        rwa_lightpath lp = schedule_lightpath(w->from, i);
        uint32_t dir = lp.direction == RWA_CCW, channel = channel_in(w->from, &lp);
        top[dir] = channel > top[dir] ? channel : top[dir];
        if (lp.orbit > 1) {
            several[dir] = several[dir] || (w->period[dir] > 0 && w->period[dir] != lp.period);
            w->period[dir] = lp.period;
        }
    }
    for (uint32_t dir = 0; dir < 2; dir++)
        if (several[dir] || top[dir] >= w->period[dir])
            w->period[dir] = several[dir] || w->period[dir] > 0 ? 0 : channels;
}

/** All stripes of a lightpath or orbit whose channel is `channel` in the thin network, next stripes `apart` channels on. */
static rwa_status add_all_stripes(const struct widening *w, rwa_lightpath lp, const rwa_lists *lists, uint32_t channel, uint32_t apart,
                              rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(rwa_schedule_network(w->to));
    uint64_t block = lp.block;
    assert(channel + (w->stripes - 1) * apart < rwa_network_channels(rwa_schedule_network(w->to)));
    for (uint32_t j = 0; j < w->stripes; j++) {
        lp.fiber = (channel + j * apart) / wavelengths;
        lp.wavelength = (channel + j * apart) % wavelengths;
        lp.block = block * w->stripes + j;
        MUST(rwa_schedule_add_lists(w->to, &lp, lists, err));
    }
    return RWA_OK;
}

/** An orbit in pieces whose channel only rises. */
static rwa_status add_pieces(struct widening *w, const rwa_lightpath *record, const rwa_lists *lists, rwa_error *err)
{
    const rwa_network *thin = rwa_schedule_network(w->from);
    uint32_t period = record->orbit > 1 ? record->period : rwa_network_channels(thin), nodes = rwa_network_nodes(thin);
    rwa_lists rotated = *lists;
    MUST(base_grow((void **)&w->taps, &w->taps_capacity, lists->tap_count, sizeof *w->taps, err));
    rotated.taps = w->taps;
    for (uint32_t i = 0, run; i < record->orbit; i += run) {
        rwa_lightpath lp;
        rwa_lightpath_of_orbit(&lp, record, i, thin, rwa_schedule_collective(w->from));
        uint32_t channel = channel_in(w->from, &lp);
        for (uint32_t k = 0; k < lists->tap_count; k++)
            w->taps[k] = (lists->taps[k] + i) % nodes;
        run = period - channel < record->orbit - i ? period - channel : record->orbit - i;
        assert(channel < period && run > 0);
        lp.orbit = run;
        lp.period = rwa_network_channels(rwa_schedule_network(w->to));
        MUST(add_all_stripes(w, lp, &rotated, channel, rwa_network_channels(thin), err));
    }
    return RWA_OK;
}

static rwa_status widen_record(struct widening *w, uint64_t i, rwa_error *err)
{
    rwa_lists lists = schedule_lists(w->from, i);
    rwa_lightpath lp = schedule_lightpath(w->from, i);
    uint32_t period = w->period[lp.direction == RWA_CCW], channel = channel_in(w->from, &lp);
    if (period == 0)
        return add_pieces(w, &lp, &lists, err);
    assert(channel < period);
    lp.period = period * w->stripes;
    return add_all_stripes(w, lp, &lists, channel, period, err);
}

static rwa_status widen(rwa_schedule *to, const rwa_schedule *from, uint32_t stripes, rwa_error *err)
{
    struct widening w = {.to = to, .from = from, .stripes = stripes};
    rwa_status st = RWA_OK;
    for (uint32_t step = 1; step <= rwa_schedule_steps(from); step++) {
        uint64_t first = rwa_schedule_first(from, step), end = rwa_schedule_first(from, step + 1);
        find_periods(&w, first, end);
        for (uint64_t i = first; i < end; i++)
            TRY(widen_record(&w, i, err));
    }
done:
    free(w.taps);
    return st;
}

/** Where links are listed: every lightpath, without orbits, on the same fibre. */
static rwa_status widen_listed(rwa_schedule *to, const rwa_schedule *from, uint32_t stripes, rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(rwa_schedule_network(from));
    assert(rwa_schedule_records(from) == rwa_schedule_lightpaths(from));
    MUST(schedule_reserve(to, (size_t)rwa_schedule_records(from) * stripes, err));
    for (uint64_t i = 0; i < rwa_schedule_records(from); i++) {
        rwa_lists lists = schedule_lists(from, i);
        rwa_lightpath lp = schedule_lightpath(from, i), stripe = lp;
        for (uint32_t j = 0; j < stripes; j++) {
            stripe.wavelength = lp.wavelength + j * wavelengths;
            stripe.block = lp.block * stripes + j;
            MUST(rwa_schedule_add_lists(to, &stripe, &lists, err));
        }
    }
    return RWA_OK;
}

/** The stages are what they were, with as many times the channels. */
static void widen_summary(rwa_plan *plan, uint32_t stripes)
{
    for (size_t j = 0; j < plan->summary.stages && j < RWA_STAGES_MAX; j++) {
        rwa_stage *stage = &plan->stage[j];
        stage->wavelengths *= stripes;
        stage->bound *= stripes;
        stage->lightpaths *= stripes;
        stage->backfilled *= stripes;
    }
    plan->summary.formula.known = 0;
}

rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes, rwa_error *err)
{
    const uint32_t *members = rwa_schedule_members(plan->schedule);
    bool listed = !network_has_arcs(net);
    rwa_schedule *wide = NULL, *expanded = NULL;
    rwa_collective cut;
    rwa_status st = RWA_OK;
    uint64_t blocks = rwa_schedule_collective(plan->schedule)->blocks * stripes;
    TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, err));
    TRY(rwa_schedule_create_among(&wide, net, &cut, members, rwa_schedule_scheme(plan->schedule), err));
    if (listed && rwa_schedule_records(plan->schedule) < rwa_schedule_lightpaths(plan->schedule))
        TRY(rwa_schedule_expand(&expanded, plan->schedule, err));
    const rwa_schedule *from = expanded ? expanded : plan->schedule;
    TRY(listed ? widen_listed(wide, from, stripes, err) : widen(wide, from, stripes, err));
    widen_summary(plan, stripes);
    plan_replace_schedule(plan, wide);
    wide = NULL;
done:
    rwa_schedule_free(wide);
    rwa_schedule_free(expanded);
    return st;
}
