/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who has a block at first and who must have it at the end, as docs/reference/formats.md says: by participants'
 * numbers. */
#pragma once

#include "rwa/collective.h"

#include <stdbool.h>

/** The node that all blocks of a number are for, or from. */
static inline uint64_t owner_of(const rwa_collective *c, uint64_t block)
{
    return block * c->nodes / c->blocks;
}

/** Of copies; in sums every node has its own contribution. */
static inline bool starts_with(const rwa_collective *c, uint64_t node, uint64_t block)
{
    bool from_root = c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER;
    return node == (from_root ? c->root : owner_of(c, block));
}

static inline bool wants(const rwa_collective *c, uint64_t node, uint64_t block)
{
    switch (c->kind) {
    case RWA_GATHER:
    case RWA_ROOTED_REDUCE: return node == c->root;
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER: return node == owner_of(c, block);
    case RWA_ALL_TO_ALL: return node == block * c->nodes * c->nodes / c->blocks % c->nodes;
    default: return true;
    }
}
