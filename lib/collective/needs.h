/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whose bytes a message has, who owns blocks, and, in collectives that only copy blocks, who holds and receives
 *  them. */
#pragma once

#include "base/arithmetic.h"
#include "rwa/collective.h"

#include <stdbool.h>

/** Tell whether one message (that of the root of a broadcast, or a vector) is divided among all blocks.  Otherwise each
 *  node has a message, divided among the blocks of that node. */
static inline bool collective_message_is_whole(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || rwa_collective_is_reduction(kind);
}

/** Tell whether each block belongs to one node, found from the block's number.  In the other collectives all blocks
 *  belong to the root, or all belong to all nodes. */
static inline bool collective_has_owners(rwa_collective_kind kind)
{
    return kind != RWA_BROADCAST && kind != RWA_ALL_REDUCE && kind != RWA_ROOTED_REDUCE;
}

/** Return the number of blocks from each node to each node in an all-to-all; 1 if the number of blocks is no multiple
 *  of nodes². */
static inline uint64_t collective_parts(const rwa_collective *c)
{
    uint64_t pairs = (uint64_t)c->nodes * c->nodes;
    return c->blocks % pairs == 0 ? c->blocks / pairs : 1;
}

/** Return the node where a block of an all-to-all must be at the end. */
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

/** Return the first block of a node if the blocks are divided evenly among the nodes, in order of their numbers;
 *  c->blocks for node = c->nodes. */
static inline uint64_t collective_share(const rwa_collective *c, uint32_t node)
{
    return ceil_div(node * c->blocks, c->nodes);
}

/** Return the first block, from `block` on, that the node needs; c->blocks if there is none.  O(1). */
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

/** Return the number of blocks that the node must receive.  O(1); O(nodes) in an all-to-all. */
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
