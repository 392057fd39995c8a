/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Orbits of all nodes (records that stand for one lightpath translated by every node), checked at node 0. */
#pragma once

#include "check/checker.h"
#include "network/network.h"

struct symmetry {
    uint64_t share;                 /* number of blocks of a node */
    uint32_t *period;               /* period of this step's records, by class; 0: none yet */
    rwa_collective gathering;       /* the all-gather that a broadcast becomes */
};

/** Translate the network such that the owner of `block` moves to node 0.  Replace *node by the node to which it moves,
 *  and return the number to which the block moves.  All nodes are alike, so the new node holds the new block exactly
 *  if the old node holds the old block. */
static inline uint64_t seen_from_owner(const struct checker *chk, uint32_t *node, uint64_t block)
{
    uint64_t share = chk->symmetry->share;
    uint32_t owner = (uint32_t)(block / share);
    assert(block < chk->coll->blocks && *node < chk->nodes);
    *node = node_minus(&chk->group, *node, owner);
    block -= owner * share;
    if (chk->coll->kind != RWA_ALL_TO_ALL)
        return block;
    uint64_t parts = share / chk->nodes, pair = block / parts;
    return node_minus(&chk->group, (uint32_t)pair, owner) * parts + block - pair * parts;
}
