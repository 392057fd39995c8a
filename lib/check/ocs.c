/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Nodes joined by circuit switches: a lightpath's fibre says which switch it takes.  In a step every switch joins each
 * node to at most one other, and from at most one: a permutation.  A circuit carries all wavelengths, and stays until one
 * of its ends is joined elsewhere.
 */
#include "check/judge.h"

#include <stdlib.h>

/** The other end of a node's circuit through a switch, and the last step that used it. */
struct end {
    uint32_t node;  /* plus 1, 0: none yet */
    uint32_t used;
};

struct switches {
    struct end *to, *from;  /* by switch * nodes + node */
};

static rwa_status ocs_open(struct judge *j)
{
    size_t ends = (size_t)j->nodes * j->fibers;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)ends * 2 * sizeof(struct end), "checking this schedule", j->err));
    TRY(lanes_open(j, j->nodes, 1, rwa_network_channels(j->net)));
    st = RWA_NOMEM;
    j->switches = base_array(1, sizeof *j->switches, j->err);
    if (!j->switches)
        goto done;
    j->switches->to = base_array(ends, sizeof *j->switches->to, j->err);
    j->switches->from = base_array(ends, sizeof *j->switches->from, j->err);
    st = j->switches->to && j->switches->from ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

/** Join an end to a node; false when it is joined to another one in this step. */
static bool join(struct end *end, uint32_t node, uint32_t step)
{
    bool free_now = end->used != step || end->node == node + 1;
    *end = (struct end){node + 1, step};
    return free_now;
}

static rwa_status ocs_claim(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    size_t row = (size_t)lp->fiber * j->nodes;
    struct end *to = &j->switches->to[row + lp->src], *from = &j->switches->from[row + lp->dst];
    bool stays = to->node == lp->dst + 1 && from->node == lp->src + 1, known = stays && to->used == j->step;
    uint64_t channel = channel_of(j, lp), bit = lp->src * (uint64_t)j->lanes.channels + channel;
    rwa_status st = RWA_OK;
    (void)lists;
    (void)hops;
    if (!join(to, lp->dst, j->step))
        ACCUSE(j, RWA_VIOLATION_PORTS, "step %u: switch %u would join node %u to a second node, %u", j->step, lp->fiber,
               lp->src, lp->dst);
    if (!join(from, lp->src, j->step))
        ACCUSE(j, RWA_VIOLATION_PORTS, "step %u: switch %u would join a second node, %u, to node %u", j->step, lp->fiber,
               lp->src, lp->dst);
    if (get_bit(j->lanes.busy, bit))
        accuse(j, RWA_VIOLATION_CHANNEL, RWA_NO_INDEX, lp->wavelength,
               "step %u: lightpath %u to %u meets another on switch %u, wavelength %u", j->step, lp->src, lp->dst,
               lp->fiber, lp->wavelength);
    set_bit(j->lanes.busy, bit);
    set_bit(j->lanes.lit, channel);
    if (!stays)
        count_tuning(j);
    if (!known) { /* a port is a circuit, whatever wavelengths it carries */
        TRY(ports_send(j, lp->src));
        TRY(ports_receive(j, lp->dst));
    }
done:
    return st;
}

static void ocs_close(struct judge *j)
{
    lanes_close(j);
    if (j->switches) {
        free(j->switches->to);
        free(j->switches->from);
    }
    free(j->switches);
}

const struct medium medium_of_ocs = {ocs_open, one_hop_route, ocs_claim, lanes_end_step, ocs_close};
