/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Channels on rings and lines: a route is an arc, so its links are neighbouring bits in the set of used channels. */
#include "check/checker.h"

/** Set the bits in chk->broken of the links that are failed in the current step, and note for which steps the set
 *  holds.  The work counts against the file's limit (spend()), because the step numbers of a bad file may jump to and
 *  fro. */
static rwa_status note_failed(struct checker *chk)
{
    MUST(spend(chk, chk->links / 8));
    chk->broken_from = 0;
    chk->broken_until = UINT64_MAX;
    for (size_t i = 0; i < chk->faults.link_count; i++) {
        uint32_t link = chk->faults.links[i];
        uint64_t from = network_failed_from(chk->net, link);
        bit_run_clear(chk->broken, link, 1);
        if (from <= chk->step) {
            set_bit(chk->broken, link);
            RAISE(chk->broken_from, from);
        } else {
            LOWER(chk->broken_until, from);
        }
    }
    assert(chk->broken_from <= chk->step && chk->step < chk->broken_until);
    return RWA_OK;
}

static rwa_status arcs_open(struct checker *chk)
{
    MUST(channels_open(chk, chk->links, 2, rwa_network_channels(chk->net)));
    if (chk->faults.link_count > 0)
        arena_new(&chk->memory, chk->broken, chk->links / 32 + 1);
    return arena_status(&chk->memory);
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
                         direction_name(lp->direction));
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
    if (chk->broken && (chk->step < chk->broken_from || chk->step >= chk->broken_until))
        MUST(note_failed(chk));
    channels_light(chk, (uint32_t)ccw, channel);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < chk->links - link ? hops : chk->links - link;
        uint32_t met = channels_claim(chk, lp, row + link, run);
        uint32_t sound = chk->broken ? (uint32_t)bit_run_first(chk->broken, ccw * chk->links + link, run) : run;
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
