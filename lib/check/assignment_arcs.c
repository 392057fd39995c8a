/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/assignment.h"

#include "assignment/assignment.h"

/** An arc's carriers are neighbours: at most two runs of bits of its channel. */
struct arc {
    uint64_t base;          /* of the channel, and of the direction in it */
    uint32_t nodes, first, hops;
};

/** false: it is no arc from src to dst by way of its node, or its channel does not exist. */
static bool find_arc(const struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir,
                     struct arc *a)
{
    uint32_t n = rwa_network_nodes(chk->net), ahead = dir == RWA_CW ? p->dst - p->src + (p->dst < p->src ? n : 0)
                                                                 : p->src - p->dst + (p->src < p->dst ? n : 0);
    uint64_t channel = channel_at(chk, p->fiber, p->wavelength);
    bool block = dir == RWA_CCW && chk->model == RWA_DIRECTED;
    *a = (struct arc){channel * chk->carriers + (block ? rwa_network_pairs(chk->net) : 0), n,
                      dir == RWA_CW ? p->src : p->dst, p->hops};
    bool open = rwa_network_topology(chk->net) == RWA_RING || a->first + p->hops < n;
    return open && ahead == p->hops && p->via == RWA_NO_NODE && p->fiber < chk->fibers &&
           p->wavelength < chk->wavelengths;
}

/** Take the arc's channel; false when some of it is taken already. */
static bool take_arc(struct assignment_checker *chk, const struct arc *a)
{
    assert(a->first < a->nodes);
    uint32_t before = a->nodes - a->first < a->hops ? a->nodes - a->first : a->hops, after = a->hops - before;
    if (bit_run_first(chk->busy, a->base + a->first, before) < before ||
        bit_run_first(chk->busy, a->base, after) < after)
        return false;
    bit_run_set(chk->busy, a->base + a->first, before);
    bit_run_set(chk->busy, a->base, after);
    return true;
}

bool arcs_can_check(const struct rwa_assign_result *r, const struct assignment_checker *chk)
{
    rwa_witness_kind kind = chk->claim.claimed.kind;
    if (assignment_is_wide(r))
        return false;
    if (!network_has_arcs(r->net) || network_has_reserved(r->net) || network_has_failed_links(r->net) ||
        kind == RWA_WITNESS_LINK || kind == RWA_WITNESS_CLIQUE)
        return false;
    for (size_t i = 0; i < r->count; i++)
        if (r->routes[i].role != RWA_WORKING || r->routes[i].down || r->routes[i].has_fibers ||
            r->routes[i].has_wavelengths)
            return false;
    return true;
}

bool arcs_check(struct assignment_checker *chk, const struct route_claim *p, rwa_direction dir)
{
    struct arc arc;
    if (p->demand >= chk->demands || get_bit(chk->served, p->demand) || !find_arc(chk, p, dir, &arc) ||
        !take_arc(chk, &arc))
        return false;
    set_bit(chk->served, p->demand);
    bound_claim_take_demand(&chk->claim, p->demand, &(struct ends){p->src, p->dst, p->via, 1});
    set_bit(chk->lit, channel_at(chk, p->fiber, p->wavelength));
    count_lightpath(chk, p);
    return true;
}
