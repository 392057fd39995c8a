/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The node or nodes whose bytes a message is; the owners of blocks; and, where blocks are only copied, their holders
 * and receivers. */
#pragma once

#include "rwa/collective.h"

#include <stdbool.h>

/** Whether the message is one node's, or a vector: all blocks together are as large as it; else every node has as
 * much. */
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

/** Blocks that the node must receive. */
static inline uint64_t collective_blocks_needed(const rwa_collective *c, uint32_t node)
{
    uint64_t needed = 0;
    for (uint64_t b = 0; b < c->blocks; b++)
        needed += node != collective_source(c, b) && collective_needs(c, node, b);
    return needed;
}
