/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Channels on rings and lines: a route is an arc, so its links are neighbouring bits in the set of used channels. */
#include "check/checker.h"

static rwa_status arcs_open(struct checker *chk)
{
    return channels_open(chk, chk->links, 2, rwa_network_channels(chk->net));
}

/** Set *sound to the number of links before the first failed one among the `count` links from number `from` on; to
 *  `count` if none of them has failed by the current step.  Counter-clockwise links are numbered after all clockwise
 *  ones.  RWA_BADARG and RWA_CANCELLED as spend(). */
static rwa_status count_sound(uint32_t *sound, struct checker *chk, uint32_t from, uint32_t count)
{
    const struct faults *f = &chk->net->faults;
    size_t i = base_first_from(f->links, f->link_count, sizeof from, &from, order_uint32);
    for (*sound = count; i < f->link_count && f->links[i] - from < *sound; i++) {
        MUST(spend(chk, 1));
        if (f->from[i] <= chk->step)
            *sound = f->links[i] - from;
    }
    return RWA_OK;
}

static bool taps_in_order(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < lists->tap_count; i++) {
        uint32_t at = network_hops(chk->net, lp->src, lists->taps[i], lp->direction);
        if (at <= before || at >= hops) {
            REPORT(chk, RWA_VIOLATION_CONTINUITY,
                   "step %u: tap %u is not on the route from node %u to node %u in travel order", chk->step,
                   lists->taps[i], lp->src, lp->dst);
            return false;
        }
        before = at;
    }
    return true;
}

static uint32_t arcs_route(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t hops = arc_hops(chk, lp);
    if (hops == 0)
        report_lightpath(chk, RWA_VIOLATION_CONTINUITY, lp, RWA_NO_INDEX, "has no %s route",
                         lp->direction == RWA_CW ? "cw" : "ccw");
    return hops > 0 && taps_in_order(chk, lp, lists, hops) ? hops : 0;
}

static rwa_status arcs_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint64_t channel = channel_of(chk, lp), ccw = lp->direction == RWA_CCW;
    uint64_t row = (ccw * chk->channels.count + channel) * chk->links;
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t clash = UINT32_MAX, failed = UINT32_MAX;
    (void)lists;
    assert(hops <= chk->links && link < chk->nodes);
    channels_light(chk, (uint32_t)ccw, channel);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < chk->links - link ? hops : chk->links - link;
        uint32_t met = channels_claim(chk, lp, row + link, run);
        uint32_t sound;
        MUST(count_sound(&sound, chk, (uint32_t)ccw * chk->links + link, run));
        if (met < run && clash == UINT32_MAX)
            clash = link + met;
        if (sound < run && failed == UINT32_MAX)
            failed = link + sound;
        hops -= run;
        link = 0;
    }
    if (failed != UINT32_MAX)
        report_failed(chk, lp, failed);
    if (clash != UINT32_MAX)
        report_meeting(chk, lp, clash, row + clash);
    return RWA_OK;
}

const struct channel_model channels_of_arcs = {arcs_open, arcs_route, arcs_claim, channels_end_step};
