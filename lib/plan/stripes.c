/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Cut every block into s stripes, each on a channel of its own.  A plan on floor(W / s) channels (of each fibre,
 * where links are listed) is carried out s times side by side, each time with blocks of an s-th of the size.
 *
 * Stripe j of a lightpath on channel x gets channel x + j P, where all channels of the step and direction are below
 * P.  Where the orbits of a step have several periods they are written out.
 */
#include "plan/plan.h"

#include "schedule/schedule.h"

uint32_t stripes_most(const rwa_network *net)
{
    uint32_t open = network_open_channels(net, network_has_arcs(net) ? rwa_network_fibers(net) : 1),
             ports = rwa_network_ports(net), most = ports > 0 ? lesser(open, ports) : open;
    return most > 0 ? most : 1;
}

rwa_status thin_network(rwa_network **out, const rwa_network *net, uint32_t stripes, rwa_error *err)
{
    rwa_network_options opts;
    bool arcs = network_has_arcs(net), few_ports = !arcs && rwa_network_ports(net) > 0;
    if (network_is_one_hop(net) || network_has_failed_links(net) || network_has_reserved(net) || few_ports)
        return base_refuse(err,
                           "stripes: expected a network with links, none failed, without reserved channels, ports only "
                           "on a ring or line");
    if (stripes > stripes_most(net))
        return base_refuse(err, "load_factor 1/%u: expected at most %u stripes, as each takes a wavelength, and a port",
                           stripes, stripes_most(net));
    if (!arcs) {
        *out = network_with_fewer(net, rwa_network_wavelengths(net) / stripes, rwa_network_ports(net), err);
        return *out ? RWA_OK : RWA_NOMEM;
    }
    rwa_network_options_init(&opts);
    opts.wavelengths = rwa_network_channels(net) / stripes;
    opts.rate_bps = rwa_network_rate_bps(net);
    opts.ports = rwa_network_ports(net) / stripes;
    return rwa_network_create(out, rwa_network_topology(net), rwa_network_nodes(net), &opts, err);
}

/** Set period[] to the period P of the step's orbits in each direction (0: clockwise); 0: orbits must be written out.
 * They must if they have several periods, if a channel of the step is not below P, or if the network lists its
 * links. */
static void find_periods(uint32_t period[2], const rwa_schedule *from, uint32_t step)
{
    uint32_t top[2] = {0, 0};
    bool several[2] = {false, false};
    period[0] = period[1] = 0;
    for (uint64_t i = rwa_schedule_first(from, step); i < rwa_schedule_first(from, step + 1); i++) {
        rwa_lightpath lp = schedule_lightpath(from, i);
        uint32_t dir = lp.direction == RWA_CCW;
        RAISE(top[dir], lp.wavelength);
        if (lp.orbit > 1) {
            several[dir] = several[dir] || (period[dir] > 0 && period[dir] != lp.period);
            period[dir] = lp.period;
        }
    }
    for (uint32_t dir = 0; dir < 2; dir++)
        if (several[dir] || top[dir] >= period[dir] || !network_has_arcs(rwa_schedule_network(from)))
            period[dir] = 0;
}

/** Add all stripes of a lightpath or orbit to a schedule.
 * @param apart channels from one stripe to the next */
static rwa_status add_stripes(rwa_schedule *to, rwa_lightpath lp, const rwa_lists *lists, uint32_t stripes,
                              uint32_t apart, rwa_error *err)
{
    uint32_t wavelengths = rwa_network_wavelengths(rwa_schedule_network(to)),
             channel = lightpath_channel(rwa_schedule_network(to), &lp);
    uint64_t block = lp.block;
    for (uint32_t j = 0; j < stripes; j++) {
        lp.fiber = (channel + j * apart) / wavelengths;
        lp.wavelength = (channel + j * apart) % wavelengths;
        lp.block = block * stripes + j;
        MUST(rwa_schedule_add_lists(to, &lp, lists, err));
    }
    return RWA_OK;
}

static rwa_status widen(rwa_schedule *to, const rwa_schedule *from, uint32_t stripes, rwa_error *err)
{
    uint32_t *words = NULL;
    uint32_t period[2];
    rwa_status st = schedule_reserve(to, (size_t)rwa_schedule_records(from) * stripes, err);
    TRY(st);
    for (uint32_t step = 1; step <= rwa_schedule_steps(from); step++) {
        find_periods(period, from, step);
        for (struct walk w = walk_step(from, step); walk_next(&w);) {
            uint32_t below = period[w.whole.direction == RWA_CCW];
            rwa_lists lists = w.lists;
            if (below == 0)
                TRY(walk_lists(&lists, &words, &w, err));
            else
                w.lp = w.whole;
            w.turn = below == 0 ? w.turn : w.whole.orbit - 1;
            TRY(add_stripes(to, w.lp, &lists, stripes,
                            below > 0 ? below : rwa_network_wavelengths(rwa_schedule_network(from)), err));
        }
    }
done:
    free(words);
    return st;
}

/** Multiply the wavelengths, bound and lightpaths of each stage in the report by `stripes`.  The published formula no
 * longer applies. */
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

rwa_status widen_plan(rwa_plan *plan, const rwa_network *net, const rwa_collective *coll, uint32_t stripes,
                      rwa_error *err)
{
    const uint32_t *members = rwa_schedule_members(plan->schedule);
    rwa_schedule *wide = NULL;
    rwa_collective cut;
    rwa_status st = RWA_OK;
    uint64_t blocks = rwa_schedule_collective(plan->schedule)->blocks * stripes;
    TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, err));
    TRY(rwa_schedule_create_among(&wide, net, &cut, members, rwa_schedule_scheme(plan->schedule), err));
    TRY(widen(wide, plan->schedule, stripes, err));
    widen_summary(plan, stripes);
    plan_replace_schedule(plan, wide);
    wide = NULL;
done:
    rwa_schedule_free(wide);
    return st;
}
