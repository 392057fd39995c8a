/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A passive star (Desprez, Ferreira, Tourancheau): all nodes share every channel.  In a step a channel has one
 * transmitter; several nodes may receive from it: lightpaths with the same blocks, in the same order.  A node has
 * one transmitter and one receiver per port.  A port keeps its wavelength until it is tuned to another one; the
 * checker tunes the port that has been idle longest.
 */
#include "check/checker.h"

/** The last transmission on a channel.  It is current only if `step` is the current step. */
struct transmission {
    uint32_t step;
    uint32_t src;
    rwa_op op;
    size_t run;                 /* in chk->air_runs */
    uint32_t runs;
};

static rwa_status star_open(struct checker *chk)
{
    uint32_t channels = rwa_network_channels(chk->net), ports = rwa_network_ports(chk->net);
    uint32_t each = (uint32_t)limited(channels, ports);
    MUST(channels_open(chk, 0, 1, channels));
    MUST(bank_open(chk, &chk->senders, each));
    MUST(bank_open(chk, &chk->receivers, each));
    return arena_arrays(&chk->memory, channels, chk->on_air);
}

static rwa_status begin_transmission(struct checker *chk, struct transmission *sent, const rwa_lightpath *lp,
                                     const rwa_run *run, uint32_t runs)
{
    *sent = (struct transmission){chk->step, lp->src, lp->op, chk->air_run_count, runs};
    return base_append_all(chk->air_runs, chk->air_run_count, chk->err, run, runs);
}

/** Tell whether a lightpath receives the transmission `sent` of this step: it has the same source, operation and
 *  blocks.  `run`: its blocks, as a list of `runs` runs.  In a schedule, equal lists of blocks are divided into equal
 *  runs. */
static bool is_part_of(const struct checker *chk, const struct transmission *sent, const rwa_lightpath *lp,
                       const rwa_run *run, uint32_t runs)
{
    const rwa_run *on_air = chk->air_runs + sent->run;
    bool same = sent->src == lp->src && sent->op == lp->op && sent->runs == runs;
    for (uint32_t r = 0; same && r < runs; r++)
        same = on_air[r].first == run[r].first && on_air[r].count == run[r].count &&
               (run[r].count == 1 || on_air[r].stride == run[r].stride);
    return same;
}

static rwa_status star_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t channel = (uint32_t)channel_of(chk, lp);
    struct transmission *sent = &chk->on_air[channel];
    bool first = sent->step != chk->step, fresh = false, sends = false, receives;
    rwa_run one;
    uint32_t runs;
    const rwa_run *run;
    runs = rwa_lists_runs(&run, &one, lp, lists);
    (void)hops;
    if (first || is_part_of(chk, sent, lp, run, runs))
        MUST(claim_hop(&fresh, chk, lp));
    if (!fresh) {
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX,
                         "meets another transmission, of node %u, on fibre %u, wavelength %u", sent->src, lp->fiber,
                         lp->wavelength);
        return RWA_OK;
    }
    if (first)
        MUST(begin_transmission(chk, sent, lp, run, runs));
    channels_light(chk, 0, channel);
    chk->gained++;
    if (first) {
        MUST(bank_use(&sends, chk, &chk->senders, lp->src, channel));
        MUST(ports_count(chk, lp->src, true));
    }
    MUST(bank_use(&receives, chk, &chk->receivers, lp->dst, channel));
    MUST(ports_count(chk, lp->dst, false));
    if (sends || receives)
        count_tuning(chk);
    return RWA_OK;
}

static void star_end_step(struct checker *chk)
{
    channels_end_step(chk);
    chk->air_run_count = 0;
}

const struct channel_model channels_of_star = {star_open, one_hop_route, star_claim, star_end_step};
