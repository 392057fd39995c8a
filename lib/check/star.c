/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A passive star (Desprez, Ferreira, Tourancheau): all nodes share every channel.  In a step a channel has one transmitter;
 * several nodes may receive the same block.  A node has one transmitter and one receiver per port.  A port keeps its
 * wavelength until it is tuned to another; the checker tunes the port that has been idle longest.
 */
#include "check/checker.h"

/** The last transmission on a channel; of the current step only if `step` is that step. */
struct transmission {
    uint32_t step;
    uint32_t src;
    uint64_t block;
    rwa_op op;
    bool grouped;
};

static rwa_status star_open(struct checker *chk)
{
    uint32_t channels = rwa_network_channels(chk->net), ports = rwa_network_ports(chk->net);
    uint32_t each = ports > 0 && ports < channels ? ports : channels;
    rwa_status st = RWA_OK;
    TRY(channels_open(chk, 0, 1, channels));
    TRY(bank_open(chk, &chk->senders, each));
    TRY(bank_open(chk, &chk->receivers, each));
    arena_new(&chk->memory, chk->on_air, channels);
    st = arena_status(&chk->memory);
done:
    return st;
}

static rwa_status star_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t channel = (uint32_t)channel_of(chk, lp), last_used;
    enum tuning sends = PORT_KEPT, receives;
    struct transmission *sent = &chk->on_air[channel];
    bool grouped = lists->block_count > 0, first = sent->step != chk->step;
    rwa_status st = RWA_OK;
    (void)hops;
    bool differs = sent->src != lp->src || sent->block != lp->block || sent->op != lp->op || sent->grouped || grouped;
    if (!first && (differs || bank_in_use(&chk->receivers, lp->dst, channel, chk->step))) {
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX,
                         "meets another transmission, of node %u, on fiber %u, wavelength %u", sent->src, lp->fiber,
                         lp->wavelength);
        return RWA_OK;
    }
    *sent = (struct transmission){chk->step, lp->src, lp->block, lp->op, grouped};
    channels_light(chk, 0, channel);
    chk->gained++;
    if (first) {
        TRY(bank_use(&sends, chk, &chk->senders, lp->src, channel, &last_used));
        TRY(ports_send(chk, lp->src));
    }
    TRY(bank_use(&receives, chk, &chk->receivers, lp->dst, channel, &last_used));
    TRY(ports_receive(chk, lp->dst));
    if (sends == PORT_TUNED || receives == PORT_TUNED)
        count_tuning(chk);
done:
    return st;
}

const struct channel_model channels_of_star = {star_open, one_hop_route, star_claim, channels_end_step};
