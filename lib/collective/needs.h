/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The node or nodes whose bytes a message is; the owners of blocks; and, where blocks are only copied, their holders
 * and receivers. */
#pragma once

#include "base/arithmetic.h"
#include "rwa/collective.h"

#include <stdbool.h>

/** Whether all blocks together have the size of the message (one node's message, or a vector); otherwise the blocks of
 * each node do. */
static inline bool collective_message_is_whole(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || rwa_collective_is_reduction(kind);
}

/** Whether blocks belong to nodes by their numbers: not to the root, nor to all alike. */
static inline bool collective_has_owners(rwa_collective_kind kind)
{
    return kind != RWA_BROADCAST && kind != RWA_ALL_REDUCE && kind != RWA_ROOTED_REDUCE;
}

/** All-to-all: blocks for each pair of nodes. */
static inline uint64_t collective_parts(const rwa_collective *c)
{
    uint64_t pairs = (uint64_t)c->nodes * c->nodes;
    return c->blocks % pairs == 0 ? c->blocks / pairs : 1;
}

/** All-to-all: where a block must be at the end. */
static inline uint32_t collective_destination(const rwa_collective *c, uint64_t block)
{
    return (uint32_t)(block / collective_parts(c) % c->nodes);
}

static inline uint32_t collective_source(const rwa_collective *c, uint64_t block)
{
    return c->kind == RWA_SCATTER || c->kind == RWA_BROADCAST ? c->root : rwa_collective_owner(c, block);
}

static inline bool collective_needs(const rwa_collective *c, uint32_t node, uint64_t block)
{
    switch (c->kind) {
    case RWA_SCATTER: return rwa_collective_owner(c, block) == node;
    case RWA_GATHER: return c->root == node;
    case RWA_ALL_TO_ALL: return collective_destination(c, block) == node;
    default: return true;
    }
}

/** Where blocks are shared out in the order of the nodes: the first one of a node's share, or of a node's behind it. */
static inline uint64_t collective_share(const rwa_collective *c, uint32_t node)
{
    return ceil_div(node * c->blocks, c->nodes);
}

/** The first block from one on that the node needs; c->blocks: none.  O(1). */
static inline uint64_t collective_next_needed(const rwa_collective *c, uint32_t node, uint64_t block)
{
    uint64_t parts = collective_parts(c), pair = block / parts, next = block;
    if (c->kind == RWA_SCATTER) {
        uint64_t first = collective_share(c, node), behind = collective_share(c, node + 1);
        next = block < first ? first : block;
        next = next < behind ? next : c->blocks;
    } else if (c->kind == RWA_GATHER && node != c->root)
        next = c->blocks;
    else if (c->kind == RWA_ALL_TO_ALL && pair % c->nodes != node)
        next = (pair + (node + c->nodes - pair % c->nodes) % c->nodes) * parts;
    return next < c->blocks ? next : c->blocks;
}

/** Blocks that the node must receive.  O(1), of an all-to-all O(nodes). */
static inline uint64_t collective_blocks_needed(const rwa_collective *c, uint32_t node)
{
    uint64_t share = collective_share(c, node + 1) - collective_share(c, node), needed = 0, parts = collective_parts(c);
    switch (c->kind) {
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE: return node == c->root ? 0 : c->blocks;
    case RWA_SCATTER: return node == c->root ? 0 : share;
    case RWA_GATHER: return node == c->root ? c->blocks - share : 0;
    case RWA_ALL_TO_ALL:
        for (uint64_t b = 0; (b = collective_next_needed(c, node, b)) < c->blocks; b += parts)
            needed += collective_source(c, b) == node ? 0 : parts;
        return needed;
    default: return c->blocks - share;
    }
}
