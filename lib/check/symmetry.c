/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Symmetric collectives of a ring, torus or hypercube, checked at one node.
 *
 * As long as every record is an orbit of all nodes, translating the network changes nothing in who holds what.  So it
 * is enough to follow node 0: node v holds block b exactly if node 0 holds the block to which the translation from v to
 * 0 moves b.  The owner of that block is as far from node 0 as the owner of b from v; in an all-to-all, source and
 * destination of the block are both moved.
 *
 * Channels: the links that translations move to each other form a class, on a ring those of a direction, on a torus
 * those that lead one way along one dimension.  The links of a class form cycles, and a link has a position along its
 * cycle (link_node()).  A record leads straight along links of one class, and its period P divides the nodes of the
 * cycle.  Say its first lightpath uses channel B + k on the link at position l, where k < P and B is a multiple of P.
 * Its lightpath i is moved by node i, whose coordinate along the cycle is x: it uses channel B + (k + x) mod P on the
 * link at position l + x.  So B and (k - l) mod P are the same for all i, and give the channel that the orbit takes on
 * each link of the class: they are the key (class_key()) of this link of the route.  If all records of a step and class
 * have the same P, two of them meet on some link exactly when they have a key in common, and then they meet on all
 * links.  A record does not meet itself, as it has no more links than P.
 *
 * Once its root has given every node its share of the blocks, a broadcast goes on like an all-gather.  If a later step
 * begins with an orbit of all nodes, the nodes are from then on taken to hold their shares alone: a schedule that is
 * right for them is right for nodes that hold more.
 *
 * The first record that breaks the symmetry or a constraint ends this: the checker begins again from the first step,
 * lightpath by lightpath, and then also names each violation.
 */
#include "check/symmetry.h"

#include "network/translations.h"

/* ---- classes of links: 2 for each coordinate, those that lead up and those that lead down ---- */

void classes_open(struct checker *chk)
{
    const rwa_network *net = chk->net;
    if (network_is_cycle(net) ||
        (network_has_orbits(net) && network_is_uniform(net) && !network_has_parallel_links(net)))
        chk->classes = 2 * (uint32_t)chk->group.count;
}

/** Return the class of the link between two nodes: 2 d if it leads up in dimension d, else 2 d + 1. */
static uint32_t class_of_link(const struct checker *chk, uint32_t from, uint32_t to)
{
    size_t along = first_difference(&chk->group, from, to);
    uint32_t next = (coordinate_of(&chk->group, from, along) + 1) % chk->group.size[along];
    return 2 * (uint32_t)along + (coordinate_of(&chk->group, to, along) != next);
}

uint32_t class_of_route(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    const uint32_t *path = lists->path;
    if (network_is_cycle(chk->net))
        return lp->direction == RWA_CCW;
    if (chk->classes == 0)
        return 0;
    uint32_t class = class_of_link(chk, path[0], path[1]);
    for (uint32_t hop = 1; hop < hops; hop++)
        if (class_of_link(chk, path[hop], path[hop + 1]) != class)
            return chk->classes;
    return class;
}

uint32_t class_cycle(const struct checker *chk, uint32_t class)
{
    return chk->group.size[class / 2];
}

uint32_t class_position(const struct checker *chk, uint32_t class, uint32_t node)
{
    return coordinate_of(&chk->group, node, class / 2);
}

/* ---- opening ---- */

static bool is_symmetric(const struct checker *chk)
{
    rwa_collective_kind kind = chk->coll->kind;
    bool plain = rwa_network_ports(chk->net) == 0 && chk->faults.link_count == 0 && chk->faults.channel_count == 0 &&
                 !chk->members;
    bool rooted = kind == RWA_SCATTER || kind == RWA_GATHER || kind == RWA_ROOTED_REDUCE;
    return plain && chk->classes > 0 && !rooted && blocks_rotate(chk->coll);
}

static rwa_status open_state(struct checker *chk)
{
    bool arcs = network_has_arcs(chk->net);
    if (!arena_new(&chk->memory, chk->symmetry, 1))
        return RWA_NOMEM;
    chk->symmetry->share = chk->coll->blocks / chk->nodes;
    MUST(arena_arrays(&chk->memory, chk->classes, chk->symmetry->period));
    /* one link for all of a class; those of a ring are its two directions */
    MUST(channels_open(chk, arcs ? 1 : chk->classes, arcs ? 2 : 1, rwa_network_channels(chk->net)));
    return arcs ? RWA_OK : links_open_routes(chk);
}

rwa_status symmetry_open(struct checker *chk)
{
    chk->may_turn = chk->may_turn && is_symmetric(chk);
    return chk->may_turn && chk->coll->kind != RWA_BROADCAST ? open_state(chk) : RWA_OK;
}

rwa_status symmetry_begin(struct checker *chk, const rwa_lightpath *record)
{
    if (!chk->may_turn || record->orbit != chk->nodes || !copies_hold_shares(chk))
        return RWA_OK;
    chk->holdings->close(chk);
    MUST(open_state(chk));
    chk->symmetry->gathering = *chk->coll;
    chk->symmetry->gathering.kind = RWA_ALL_GATHER;
    chk->coll = &chk->symmetry->gathering;
    return chk->holdings->open(chk);
}

/* ---- a record ---- */

static bool is_regular(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops, uint32_t class)
{
    if (lp->orbit != chk->nodes || class >= chk->classes)
        return false;
    uint32_t period = chk->symmetry->period[class];
    return class_cycle(chk, class) % lp->period == 0 && hops <= lp->period && (period == 0 || period == lp->period);
}

bool symmetry_take(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    struct channels_in_use *l = &chk->channels;
    uint32_t class = class_of_route(chk, lp, lists, hops), channel = (uint32_t)channel_of(chk, lp);
    if (!is_regular(chk, lp, hops, class))
        return false;
    uint32_t first = channel - channel % lp->period;    /* an orbit uses all channels of its period */
    chk->symmetry->period[class] = lp->period;
    bit_run_set(l->lit, (network_has_arcs(chk->net) ? class : 0) * (uint64_t)l->count + first, lp->period);
    RAISE(l->top, first + lp->period);
    for (uint32_t h = 0; h < hops; h++) {
        uint32_t position = class_position(chk, class, link_node(chk, lp, lists, h));
        if (channels_claim(chk, lp, class_key(chk, class, lp->period, channel, position), 1) == 0)
            return false;
    }
    return true;
}
