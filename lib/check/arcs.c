/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ring and line: a route is an arc, and its links are neighbouring bits. */
#include "check/judge.h"

#include <stdlib.h>

/** Sums of the failed links before each link, so that any arc is judged at once. */
static rwa_status count_failed(struct judge *j)
{
    rwa_faults faults;
    rwa_network_faults(&faults, j->net);
    for (uint32_t dir = 0; faults.link_count > 0 && dir < 2; dir++) {
        uint32_t *sums = base_array((size_t)j->links + 1, sizeof *sums, j->err);
        if (!sums)
            return RWA_NOMEM;
        for (uint32_t i = 0; i < j->links; i++)
            sums[i + 1] = sums[i] + (rwa_network_is_failed(j->net, dir * j->links + i) ? 1 : 0);
        j->broken[dir] = sums;
    }
    return RWA_OK;
}

static rwa_status arcs_open(struct judge *j)
{
    rwa_status st = RWA_OK;
    TRY(lanes_open(j, j->links, 2, rwa_network_channels(j->net)));
    TRY(count_failed(j));
done:
    return st;
}

/** The first failed link of a run of links, or one past its end. */
static uint32_t first_failed(const uint32_t *sums, uint32_t from, uint32_t to)
{
    uint32_t link = from;
    if (sums[to] == sums[from])
        return to;
    while (sums[link + 1] == sums[from])
        link++;
    return link;
}

static void judge_failed(struct judge *j, const rwa_lightpath *lp, uint32_t hops)
{
    const uint32_t *sums = j->broken[lp->direction == RWA_CCW];
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t to = hops < j->links - from ? from + hops : j->links, rest = hops - (to - from);
    uint32_t link = first_failed(sums, from, to);
    if (link < to)
        accuse_failed(j, lp, link);
    else if (first_failed(sums, 0, rest) < rest)
        accuse_failed(j, lp, first_failed(sums, 0, rest));
}

static bool taps_in_order(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < lists->tap_count; i++) {
        uint32_t at = rwa_network_hops(j->net, lp->src, lists->taps[i], lp->direction);
        if (at <= before || at >= hops) {
            ACCUSE(j, RWA_VIOLATION_CONTINUITY, "step %u: tap %u is not on the route from node %u to node %u in travel order",
                   j->step, lists->taps[i], lp->src, lp->dst);
            return false;
        }
        before = at;
    }
    return true;
}

static uint32_t arcs_route(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t hops = rwa_network_hops(j->net, lp->src, lp->dst, lp->direction);
    if (hops == 0)
        accuse(j, RWA_VIOLATION_CONTINUITY, RWA_NO_INDEX, lp->wavelength, "step %u: no %s route from node %u to node %u",
               j->step, lp->direction == RWA_CW ? "cw" : "ccw", lp->src, lp->dst);
    return hops > 0 && taps_in_order(j, lp, lists, hops) ? hops : 0;
}

/** Set `count` bits from `at`, a word at a time; how far the first one already set lies from `at` (count: none was). */
static uint32_t claim_run(uint64_t *bits, uint64_t at, uint32_t count)
{
    uint32_t met = count;
    for (uint32_t done = 0; done < count;) {
        uint32_t shift = (uint32_t)((at + done) % 64);
        uint32_t take = 64 - shift < count - done ? 64 - shift : count - done;
        uint64_t mask = (take == 64 ? ~(uint64_t)0 : ((uint64_t)1 << take) - 1) << shift;
        uint64_t *word = &bits[(at + done) / 64];
        if ((*word & mask) != 0 && met == count)
            met = done + (uint32_t)__builtin_ctzll(*word & mask) - shift;
        *word |= mask;
        done += take;
    }
    return met;
}

static rwa_status arcs_claim(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint64_t lane = (uint64_t)(lp->direction == RWA_CCW) * j->lanes.channels + channel_of(j, lp);
    uint64_t row = lane * j->links;
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t clash = UINT32_MAX;
    (void)lists;
    if (j->broken[0] && j->step >= j->failed_from)
        judge_failed(j, lp, hops);
    set_bit(j->lanes.lit, lane);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < j->links - link ? hops : j->links - link;
        uint32_t met = claim_run(j->lanes.busy, row + link, run);
        if (met < run && clash == UINT32_MAX)
            clash = link + met;
        hops -= run;
        link = 0;
    }
    if (clash != UINT32_MAX)
        accuse(j, RWA_VIOLATION_CHANNEL, clash, lp->wavelength,
               "step %u: lightpath %u to %u meets another on link %u %s, fiber %u, wavelength %u", j->step, lp->src,
               lp->dst, clash, lp->direction == RWA_CW ? "cw" : "ccw", lp->fiber, lp->wavelength);
    return RWA_OK;
}

static void arcs_close(struct judge *j)
{
    free(j->broken[0]);
    free(j->broken[1]);
    lanes_close(j);
}

const struct medium medium_of_arcs = {arcs_open, arcs_route, arcs_claim, lanes_end_step, arcs_close};
