/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A passive star (Desprez, Ferreira, Tourancheau): every wavelength is one channel that all share.  In a step it has one
 * transmitter; several nodes may listen to the same block.  A node has so many transmitters and receivers as ports, which
 * keep their wavelengths until they are tuned to others; the one that rested longest is.
 */
#include "check/judge.h"

#include <stdlib.h>
#include <string.h>

/** What is on a channel in the current step; step tells whether it is of this one. */
struct air {
    uint32_t step;
    uint32_t src;
    uint64_t block;
    rwa_op op;
    bool merged;
};

struct airs {
    struct air *on;     /* by channel */
};

static rwa_status star_open(struct judge *j)
{
    uint32_t channels = rwa_network_channels(j->net), ports = rwa_network_ports(j->net);
    uint32_t each = ports > 0 && ports < channels ? ports : channels;
    rwa_status st = RWA_OK;
    TRY(lanes_open(j, 0, 1, channels));
    TRY(bank_open(j, &j->senders, each));
    TRY(bank_open(j, &j->receivers, each));
    st = RWA_NOMEM;
    j->airs = base_array(1, sizeof *j->airs, j->err);
    if (!j->airs)
        goto done;
    j->airs->on = base_array(channels, sizeof *j->airs->on, j->err);
    st = j->airs->on ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

static void accuse_clash(struct judge *j, const rwa_lightpath *lp, const struct air *air)
{
    accuse(j, RWA_VIOLATION_CHANNEL, RWA_NO_INDEX, lp->wavelength,
           "step %u: lightpath %u to %u meets another transmission, of node %u, on fiber %u, wavelength %u", j->step,
           lp->src, lp->dst, air->src, lp->fiber, lp->wavelength);
}

static rwa_status star_claim(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t channel = (uint32_t)channel_of(j, lp), rested;
    enum tuning sends = PORT_KEPT, receives;
    struct air *air = &j->airs->on[channel];
    bool merged = lists->block_count > 0, first = air->step != j->step;
    rwa_status st = RWA_OK;
    (void)hops;
    bool another = air->src != lp->src || air->block != lp->block || air->op != lp->op || air->merged || merged;
    if (!first && (another || bank_in_use(&j->receivers, lp->dst, channel, j->step))) {
        accuse_clash(j, lp, air);
        return RWA_OK;
    }
    *air = (struct air){j->step, lp->src, lp->block, lp->op, merged};
    set_bit(j->lanes.lit, channel);
    if (first) {
        TRY(bank_use(&sends, j, &j->senders, lp->src, channel, &rested));
        TRY(ports_send(j, lp->src));
    }
    TRY(bank_use(&receives, j, &j->receivers, lp->dst, channel, &rested));
    TRY(ports_receive(j, lp->dst));
    if (sends == PORT_TUNED || receives == PORT_TUNED)
        count_tuning(j);
done:
    return st;
}

static void star_close(struct judge *j)
{
    lanes_close(j);
    if (j->airs)
        free(j->airs->on);
    free(j->airs);
}

const struct medium medium_of_star = {star_open, one_hop_route, star_claim, lanes_end_step, star_close};
