/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A reconfigurable optical network (Afsahi and Dimopoulos): every node reaches every other one in one hop through
 * one of its ports.  A port keeps its receiver until it is retuned.  Only the sender retunes; its port rests for
 * `tuning` steps meanwhile.  Ports get their first setting before the first step.  The checker retunes the port
 * that has been idle longest.  This is exact when all receivers of a node change together, and never too lenient.
 */
#include "check/checker.h"

static rwa_status ron_open(struct checker *chk)
{
    uint32_t ports = rwa_network_ports(chk->net);
    MUST(channels_open(chk, 0, 1, rwa_network_channels(chk->net)));
    if (ports > 0) /* without a limit every pair of nodes has a port of its own */
        MUST(bank_open(chk, &chk->senders, ports < chk->nodes ? ports : chk->nodes));
    chk->senders.rests = true;
    return RWA_OK;
}

static rwa_status ron_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    bool tuned, fresh;
    (void)lists;
    (void)hops;
    channels_light(chk, 0, channel_of(chk, lp));
    MUST(claim_hop(&fresh, chk, lp));
    if (!fresh)
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX,
                         "meets another of the same ends on fibre %u, wavelength %u", lp->fiber, lp->wavelength);
    chk->gained += fresh;
    if (chk->senders.of)
        MUST(bank_use(&tuned, chk, &chk->senders, lp->src, lp->dst));
    MUST(ports_count(chk, lp->src, true));
    return ports_count(chk, lp->dst, false);
}

const struct channel_model channels_of_ron = {ron_open, one_hop_route, ron_claim, channels_end_step};
