/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Signal to noise of schedules on amplified fibre: the lightpaths of each step become an assignment, in which each has
 *  the most robust format that carries the rate in a channel. */
#include "check/checker.h"
#include "check/physics/gsnr.h"

#include "assignment/assignment.h"
#include "fiber/fiber.h"

/** The lightpaths of the current step. */
struct fiber_step {
    rwa_demand *demands;
    rwa_route *routes;      /* `links` is set when the step ends */
    uint32_t *links;        /* of all routes, one after the other */
    size_t count, demand_capacity, route_capacity, link_count, link_capacity;
};

rwa_status gsnr_open(struct checker *chk, const rwa_transmission *transmission)
{
    chk->transmission = transmission;
    if (!transmission)
        return RWA_OK;
    chk->report->gsnr_margin_db = chk->report->worst_gsnr_db = NAN;
    chk->report->worst_gsnr_lightpath = RWA_NO_INDEX;
    for (uint32_t link = 0; link < chk->links; link++)
        if (network_has_arcs(chk->net) || !(rwa_network_link(chk->net, link).length_km > 0))
            return base_refuse(chk->err, "signals on fibre: expected a network that lists its links and their lengths");
    return base_new(chk->fiber_step, 1, chk->err);
}

rwa_status gsnr_add(struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    struct fiber_step *s = chk->fiber_step;
    size_t i = s->count;
    rwa_route route = {.demand = i, .hops = hops, .fiber = lp->fiber, .wavelength = lp->wavelength};
    MUST(base_append_all(s->links, s->link_count, s->link_capacity, chk->err, chk->route_links, hops));
    MUST(base_append(s->routes, i, s->route_capacity, chk->err, route));
    return base_append(s->demands, s->count, s->demand_capacity, chk->err,
                       (rwa_demand){lp->src, lp->dst, 1, RWA_NONE});
}

/** Return the most robust format that carries the rate in a channel; NULL: none does. */
static const rwa_modulation *robust_format(const struct checker *chk, double rate_bps)
{
    const rwa_modulations *table = rwa_transmission_modulations(chk->transmission);
    const rwa_modulation *best = NULL;
    uint32_t slots = rwa_transmission_channel_slots(chk->transmission);
    for (size_t k = 0; k < table->count; k++) {
        const rwa_modulation *m = &table->list[k];
        bool fits = ceil(rate_bps / m->rate_bps - 1e-9) * m->slots <= slots;
        if (fits && (!best || m->required_gsnr_db < best->required_gsnr_db))
            best = m;
    }
    return best;
}

static rwa_status fill(rwa_assignment **out, struct checker *chk, struct fiber_step *s)
{
    rwa_demands *demands = NULL;
    double rate_bps = chk->rate_bps > 0 ? chk->rate_bps : rwa_network_rate_bps(chk->net);
    const rwa_modulation *m = robust_format(chk, rate_bps);
    const uint32_t *links = s->links;
    rwa_status st = RWA_OK;
    if (!m)
        return base_refuse(chk->err, "%g Gbit/s: no modulation format carries it in a channel", rate_bps / 1e9);
    TRY(rwa_demands_create(&demands, chk->nodes, s->demands, s->count, chk->err));
    TRY(rwa_assignment_create(out, chk->net, demands, RWA_DIRECTED, chk->err));
    (*out)->net->rate_bps = rate_bps;
    for (size_t i = 0; i < s->count; links += s->routes[i++].hops) {
        s->routes[i].links = links;
        TRY(rwa_assignment_add(*out, &s->routes[i], chk->err));
        TRY(rwa_assignment_set_modulation(*out, i, m->name, chk->err));
    }
done:
    rwa_demands_free(demands);
    return st;
}

rwa_status gsnr_end_step(struct checker *chk)
{
    struct fiber_step *s = chk->fiber_step;
    rwa_assignment *step = NULL;
    if (!s || s->count == 0)
        return RWA_OK;
    rwa_status st = fill(&step, chk, s);
    if (st == RWA_OK)
        st = check_step_gsnr(chk->report, step, chk->transmission, chk->step, chk->fiber_first, chk->err);
    rwa_assignment_free(step);
    chk->fiber_first += s->count;
    s->count = s->link_count = 0;
    return st;
}

void gsnr_close(struct checker *chk)
{
    struct fiber_step *s = chk->fiber_step;
    if (s)
        free_all(s->demands, s->routes, s->links, s);
}
