/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Channels on networks of listed links, where a route is a list of nodes.  Also the lightpaths of an orbit with their
 *  lists of nodes and blocks. */
#include "check/checker.h"

rwa_status links_open_routes(struct checker *chk)
{
    assert(chk->net->links);
    if (chk->visited)
        return RWA_OK;
    return arena_arrays(&chk->memory, chk->nodes, chk->visited, chk->route_links);
}

static rwa_status links_open(struct checker *chk)
{
    const rwa_reserved *list = NULL;
    chk->reserved = rwa_network_reserved(&list, chk->net) > 0;
    MUST(links_open_routes(chk));
    return channels_open(chk, chk->links, 1, chk->fibers * chk->wavelengths);
}

static bool reject_path(struct checker *chk, const rwa_lightpath *lp, uint32_t node, const char *fault)
{
    report_violation(chk, RWA_VIOLATION_CONTINUITY, RWA_NO_INDEX, lp->wavelength,
                     "step %u: the path from node %u to node %u %s %u", chk->step, lp->src, lp->dst, fault, node);
    return false;
}

/** Store in chk->route_links the link that leads to node number h (from 0, here at least 1) of a path from the node
 *  before.  Return false if there is none. */
static bool is_joined(struct checker *chk, const rwa_lists *l, uint32_t h)
{
    chk->route_links[h - 1] = rwa_network_find_link(chk->net, l->path[h - 1], l->path[h]);
    return chk->route_links[h - 1] != RWA_NONE;
}

/** Check that the path of a lightpath leads over links from its source to its end and visits no node twice; report it
 *  if not.  The links are kept in chk->route_links. */
static bool is_path(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *l)
{
    if (l->path_nodes < 2)
        return reject_path(chk, lp, lp->dst, "is missing, expected the nodes up to");
    if (l->path[0] != lp->src)
        return reject_path(chk, lp, l->path[0], "starts at");
    if (l->path[l->path_nodes - 1] != lp->dst)
        return reject_path(chk, lp, l->path[l->path_nodes - 1], "ends at");
    chk->paths++;
    for (uint32_t h = 0; h < l->path_nodes; h++) {
        if (l->path[h] >= chk->nodes)
            return reject_path(chk, lp, l->path[h], "names no node of the network:");
        if (chk->visited[l->path[h]] == chk->paths)
            return reject_path(chk, lp, l->path[h], "visits node twice:");
        if (h > 0 && !is_joined(chk, l, h))
            return reject_path(chk, lp, l->path[h], "has no link to node");
        chk->visited[l->path[h]] = chk->paths;
    }
    return true;
}

static bool taps_on_path(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *l)
{
    uint32_t h = 1;
    for (uint32_t i = 0; i < l->tap_count; i++, h++) {
        while (h + 1 < l->path_nodes && l->path[h] != l->taps[i])
            h++;
        if (h + 1 >= l->path_nodes)
            return reject_path(chk, lp, l->taps[i], "does not visit, in travel order, tap");
    }
    return true;
}

static uint32_t links_route(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    return is_path(chk, lp, lists) && taps_on_path(chk, lp, lists) ? lists->path_nodes - 1 : 0;
}

static void claim_link(struct checker *chk, const rwa_lightpath *lp, uint32_t link, uint64_t channel, bool *clash)
{
    assert(link != RWA_NONE && channel < chk->channels.count);
    if (lp->fiber >= chk->net->links[link].fibers) {
        report_lightpath(chk, RWA_VIOLATION_RANGE, lp, link, "uses fibre %u, which %s does not have", lp->fiber,
                         LINK_TEXT(chk, lp, link));
        return;
    }
    if (chk->faults.link_count > 0 && chk->step >= network_failed_from(chk->net, link))
        report_failed(chk, lp, link);
    if (chk->reserved && rwa_network_is_reserved(chk->net, link, lp->fiber, lp->wavelength))
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, link,
                         "uses fibre %u, wavelength %u of %s, which is reserved", lp->fiber, lp->wavelength,
                         LINK_TEXT(chk, lp, link));
    uint64_t bit = link * (uint64_t)chk->channels.count + channel;
    if (channels_claim(chk, lp, bit, 1) == 0 && !*clash) {
        report_meeting(chk, lp, link, bit);
        *clash = true;
    }
}

static rwa_status links_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    uint64_t channel = channel_of(chk, lp);
    bool clash = false;
    (void)lists;
    channels_light(chk, 0, channel);
    for (uint32_t h = 0; h < hops; h++)
        claim_link(chk, lp, chk->route_links[h], channel, &clash);
    return RWA_OK;
}

const struct channel_model channels_of_links = {links_open, links_route, links_claim, channels_end_step};

/* ---- orbits ---- */

/** Translate blocks of a run for lightpath i of an orbit: from the k-th block (from 0) on, as many as are still a run
 *  when translated.  Return that run. */
static rwa_run moved_run(const struct checker *chk, const rwa_run *run, uint32_t k, uint32_t i)
{
    /* Translation keeps neighbours together within `each` blocks: those of an owner, in an all-to-all of a pair of
     * nodes; on a ring all blocks. */
    uint64_t moved = block_plus(&chk->group, chk->coll, run->first + (uint64_t)k * run->stride, i),
             each = chk->coll->blocks;
    uint32_t left = run->count - k, together = left;
    if (chk->coll->kind == RWA_ALL_TO_ALL)
        each /= (uint64_t)chk->nodes * chk->nodes;
    else if (!network_has_arcs(chk->net))
        each /= chk->nodes;
    if (run->stride > 0 && (each - 1 - moved % each) / run->stride + 1 < left)
        together = (uint32_t)((each - 1 - moved % each) / run->stride + 1);
    return (rwa_run){(uint32_t)moved, together, run->stride};
}

static rwa_status move_runs(rwa_lists *out, struct checker *chk, const rwa_lists *lists, uint32_t i)
{
    struct moved_lists *m = &chk->moved;
    uint32_t count = 0;
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k += m->runs[count++].count) {
            MUST(spend(chk, 1));
            MUST(base_reserve(m->runs, (size_t)count + 1, chk->err));
            m->runs[count] = moved_run(chk, &lists->runs[r], k, i);
        }
    out->runs = count > 0 ? m->runs : NULL;
    out->run_count = count;
    return RWA_OK;
}

static rwa_status move_nodes(rwa_lists *out, struct checker *chk, const rwa_lists *lists, uint32_t i)
{
    struct moved_lists *m = &chk->moved;
    size_t count = (size_t)lists->path_nodes + lists->tap_count;
    MUST(spend(chk, count / 4 + 1));
    MUST(base_reserve(m->nodes, count, chk->err));
    for (uint32_t k = 0; k < lists->path_nodes; k++)
        m->nodes[k] = node_plus(&chk->group, lists->path[k], i);
    for (uint32_t k = 0; k < lists->tap_count; k++)
        m->nodes[lists->path_nodes + k] = node_plus(&chk->group, lists->taps[k], i);
    out->path = m->nodes;
    out->taps = lists->tap_count > 0 ? m->nodes + lists->path_nodes : NULL;
    return RWA_OK;
}

rwa_status orbit_lightpath(rwa_lightpath *lp, rwa_lists *out, struct checker *chk, const rwa_lightpath *record,
                           const rwa_lists *lists, uint32_t i)
{
    *lp = lightpath_plus(&chk->group, chk->coll, record, i, chk->wavelengths);
    *out = *lists;
    MUST(move_nodes(out, chk, lists, i));
    return move_runs(out, chk, lists, i);
}
