/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks that list their links: a route is the nodes of a path. */
#include "check/judge.h"

#include <stdlib.h>

static rwa_status links_open(struct judge *j)
{
    const rwa_reserved *list = NULL;
    j->reserved = rwa_network_reserved(&list, j->net) > 0;
    j->passed = base_array(j->nodes, sizeof *j->passed, j->err);
    return j->passed ? lanes_open(j, j->links, 1, j->fibers * rwa_network_wavelengths(j->net)) : RWA_NOMEM;
}

static bool wrong_path(struct judge *j, const rwa_lightpath *lp, uint32_t node, const char *what)
{
    accuse(j, RWA_VIOLATION_CONTINUITY, RWA_NO_INDEX, lp->wavelength, "step %u: the path from node %u to node %u %s %u",
           j->step, lp->src, lp->dst, what, node);
    return false;
}

/** Every node once, and a link between each and the next. */
static bool is_path(struct judge *j, const rwa_lightpath *lp, const rwa_lists *l)
{
    if (l->path_nodes < 2)
        return wrong_path(j, lp, lp->dst, "is missing, expected the nodes up to");
    if (l->path[0] != lp->src)
        return wrong_path(j, lp, l->path[0], "starts at");
    if (l->path[l->path_nodes - 1] != lp->dst)
        return wrong_path(j, lp, l->path[l->path_nodes - 1], "ends at");
    j->paths++;
    for (uint32_t h = 0; h < l->path_nodes; h++) {
        if (l->path[h] >= j->nodes)
            return wrong_path(j, lp, l->path[h], "has no such node:");
        if (j->passed[l->path[h]] == j->paths)
            return wrong_path(j, lp, l->path[h], "passes twice by node");
        if (h > 0 && rwa_network_find_link(j->net, l->path[h - 1], l->path[h]) == RWA_NO_LINK)
            return wrong_path(j, lp, l->path[h], "has no link to node");
        j->passed[l->path[h]] = j->paths;
    }
    return true;
}

static bool taps_on_path(struct judge *j, const rwa_lightpath *lp, const rwa_lists *l)
{
    uint32_t h = 1;
    for (uint32_t i = 0; i < l->tap_count; i++, h++) {
        while (h + 1 < l->path_nodes && l->path[h] != l->taps[i])
            h++;
        if (h + 1 >= l->path_nodes)
            return wrong_path(j, lp, l->taps[i], "does not meet, in travel order, the tap");
    }
    return true;
}

static uint32_t links_route(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    return is_path(j, lp, lists) && taps_on_path(j, lp, lists) ? lists->path_nodes - 1 : 0;
}

static void claim_link(struct judge *j, const rwa_lightpath *lp, uint32_t link, uint64_t channel, bool *clash)
{
    uint64_t bit = link * (uint64_t)j->lanes.channels + channel;
    if (lp->fiber >= rwa_network_link(j->net, link).fibers) {
        accuse(j, RWA_VIOLATION_RANGE, link, lp->wavelength, "step %u: lightpath %u to %u: link %u has no fiber %u", j->step,
               lp->src, lp->dst, link, lp->fiber);
        return;
    }
    if (j->step >= j->failed_from && rwa_network_is_failed(j->net, link))
        accuse_failed(j, lp, link);
    if (j->reserved && rwa_network_is_reserved(j->net, link, lp->fiber, lp->wavelength))
        accuse(j, RWA_VIOLATION_CHANNEL, link, lp->wavelength,
               "step %u: lightpath %u to %u uses fiber %u, wavelength %u of link %u, which is reserved", j->step, lp->src,
               lp->dst, lp->fiber, lp->wavelength, link);
    if (get_bit(j->lanes.busy, bit) && !*clash) {
        accuse(j, RWA_VIOLATION_CHANNEL, link, lp->wavelength,
               "step %u: lightpath %u to %u meets another on link %u, fiber %u, wavelength %u", j->step, lp->src, lp->dst,
               link, lp->fiber, lp->wavelength);
        *clash = true;
    }
    set_bit(j->lanes.busy, bit);
}

static rwa_status links_claim(struct judge *j, const rwa_lightpath *lp, const rwa_lists *l, uint32_t hops)
{
    uint64_t channel = channel_of(j, lp);
    bool clash = false;
    set_bit(j->lanes.lit, channel);
    for (uint32_t h = 0; h < hops; h++)
        claim_link(j, lp, rwa_network_find_link(j->net, l->path[h], l->path[h + 1]), channel, &clash);
    return RWA_OK;
}

static void links_close(struct judge *j)
{
    free(j->passed);
    lanes_close(j);
}

const struct medium medium_of_links = {links_open, links_route, links_claim, lanes_end_step, links_close};
