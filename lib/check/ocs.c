/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Nodes joined by circuit switches; the fiber of a lightpath is the number of its switch.  In a step every switch
 * connects each node to at most one node, and from at most one: a permutation.  A circuit carries all wavelengths,
 * and stays until one of its ends is connected elsewhere.
 */
#include "check/checker.h"

/** The other end of a node's circuit through a switch, and the last step that used it. */
struct circuit_end {
    uint32_t node;  /* 1 + the node; 0: none yet */
    uint32_t used;
};

static rwa_status ocs_open(struct checker *chk)
{
    size_t ends = (size_t)chk->nodes * chk->fibers;
    MUST(base_fits_memory((double)ends * 2 * sizeof(struct circuit_end), "checking this schedule", chk->err));
    MUST(channels_open(chk, chk->nodes, 1, rwa_network_channels(chk->net)));
    return arena_arrays(&chk->memory, ends, chk->circuits_to, chk->circuits_from);
}

/** Let one end of a circuit through a switch lead to a node in this step.  Return false if it leads to another node in
 *  the same step. */
static bool connect_end(struct circuit_end *end, uint32_t node, uint32_t step)
{
    bool free_now = end->used != step || end->node == node + 1;
    *end = (struct circuit_end){node + 1, step};
    return free_now;
}

static rwa_status ocs_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    size_t row = (size_t)lp->fiber * chk->nodes;
    struct circuit_end *to = &chk->circuits_to[row + lp->src], *from = &chk->circuits_from[row + lp->dst];
    bool stays = to->node == lp->dst + 1 && from->node == lp->src + 1, counted = stays && to->used == chk->step;
    uint64_t channel = channel_of(chk, lp);
    (void)lists;
    (void)hops;
    assert(lp->fiber < chk->fibers && lp->src < chk->nodes && lp->dst < chk->nodes);
    if (!connect_end(to, lp->dst, chk->step))
        REPORT(chk, RWA_VIOLATION_PORTS, "step %u: switch %u connects node %u to a second node, %u", chk->step,
               lp->fiber, lp->src, lp->dst);
    if (!connect_end(from, lp->src, chk->step))
        REPORT(chk, RWA_VIOLATION_PORTS, "step %u: switch %u connects a second node, %u, to node %u", chk->step,
               lp->fiber, lp->src, lp->dst);
    if (channels_claim(chk, lp, lp->src * (uint64_t)chk->channels.count + channel, 1) == 0)
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX, "meets another on switch %u, wavelength %u",
                         lp->fiber, lp->wavelength);
    channels_light(chk, 0, channel);
    if (!stays)
        count_tuning(chk);
    if (!counted) { /* a circuit takes one port, whatever wavelengths it carries */
        MUST(ports_count(chk, lp->src, true));
        MUST(ports_count(chk, lp->dst, false));
    }
    return RWA_OK;
}

const struct channel_model channels_of_ocs = {ocs_open, one_hop_route, ocs_claim, channels_end_step};
