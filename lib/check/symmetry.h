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

/** Return the block that is to node `on` what `block` is to node 0: its owner is translated by `on`, and in an
 *  all-to-all both ends are. */
static inline uint64_t moved_on(const struct checker *chk, uint32_t on, uint64_t block)
{
    uint64_t n = chk->nodes, share = chk->symmetry->share, moved = block + on * share, parts = share / n;
    assert(block < chk->coll->blocks && on < n);
    if (!network_has_arcs(chk->net))
        return block_plus(&chk->group, chk->coll, block, on);
    if (chk->coll->kind == RWA_ALL_TO_ALL && block % share + on * parts >= share)
        moved -= share;
    if (chk->coll->kind == RWA_ALL_TO_ALL)
        moved += on * parts;
    return moved < chk->coll->blocks ? moved : moved - chk->coll->blocks;
}

/** Return the block that is to node 0 what `block` is to `node`. */
static inline uint64_t seen_from_first(const struct checker *chk, uint32_t node, uint64_t block)
{
    return moved_on(chk, node_minus(&chk->group, 0, node), block);
}
