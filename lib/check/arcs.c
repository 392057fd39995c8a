/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Channels on rings and lines: a route is an arc, so its links are neighbouring bits in the set of used channels. */
#include "check/checker.h"

static rwa_status open_failed(struct checker *chk)
{
    for (uint32_t dir = 0; chk->faults.link_count > 0 && dir < 2; dir++)
        if (!arena_new(&chk->memory, chk->broken[dir], (size_t)chk->links + 1))
            return RWA_NOMEM;
    return RWA_OK;
}

/** Count, for each link and direction, the links before it that have failed in this step, so that one subtraction tells
 *  whether an arc has a failed link.  The work counts against the file's limit (spend()), which stops files that let
 *  many links fail in many steps, or whose steps go back and forth. */
static rwa_status count_failed(struct checker *chk)
{
    MUST(spend(chk, chk->links / 8));
    chk->broken_from = 0;
    chk->broken_until = UINT64_MAX;
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t *sums = chk->broken[dir];
        for (uint32_t i = 0; i < chk->links; i++) {
            uint64_t from = network_failed_from(chk->net, dir * chk->links + i);
            bool failed = from <= chk->step;
            sums[i + 1] = sums[i] + (failed ? 1 : 0);
            if (failed && from > chk->broken_from)
                chk->broken_from = from;
            if (!failed && from < chk->broken_until)
                chk->broken_until = from;
        }
    }
    assert(chk->broken_from <= chk->step && chk->step < chk->broken_until);
    return RWA_OK;
}

static rwa_status arcs_open(struct checker *chk)
{
    MUST(channels_open(chk, chk->links, 2, rwa_network_channels(chk->net)));
    return open_failed(chk);
}

/** Return the first failed link among `from` to `to` - 1, or `to` if none has failed.  `sums` holds the number of
 *  failed links before each link. */
static uint32_t first_failed(const uint32_t *sums, uint32_t from, uint32_t to)
{
    uint32_t link = from;
    assert(from <= to);
    if (sums[to] == sums[from])
        return to;
    while (sums[link + 1] == sums[from])
        link++;
    return link;
}

static void check_failed(struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    const uint32_t *sums = chk->broken[lp->direction == RWA_CCW];
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t to = hops < chk->links - from ? from + hops : chk->links, rest = hops - (to - from);
    uint32_t link = first_failed(sums, from, to);
    if (link < to)
        report_failed(chk, lp, link);
    else if (first_failed(sums, 0, rest) < rest)
        report_failed(chk, lp, first_failed(sums, 0, rest));
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
    uint64_t channel = channel_of(chk, lp), lane = (uint64_t)(lp->direction == RWA_CCW) * chk->channels.count + channel;
    uint64_t row = lane * chk->links;
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t clash = UINT32_MAX, met = 0;
    (void)lists;
    assert(hops <= chk->links && link < chk->nodes);
    if (chk->broken[0]) {
        if (chk->step < chk->broken_from || chk->step >= chk->broken_until)
            MUST(count_failed(chk));
        check_failed(chk, lp, hops);
    }
    channels_light(chk, lp->direction == RWA_CCW, channel);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < chk->links - link ? hops : chk->links - link;
        met = channels_claim(chk, row + link, run);
        if (met < run && clash == UINT32_MAX)
            clash = link + met;
        hops -= run;
        link = 0;
    }
    if (clash != UINT32_MAX)
        report_meeting(chk, lp, clash);
    return RWA_OK;
}

const struct channel_model channels_of_arcs = {arcs_open, arcs_route, arcs_claim, channels_end_step};
