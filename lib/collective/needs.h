/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nodes that hold a block at the start, and those that need it at the end, where blocks are only copied. */
#ifndef COLLECTIVE_NEEDS_H
#define COLLECTIVE_NEEDS_H

#include "rwa/collective.h"

#include <stdbool.h>

static inline uint32_t collective_source(const rwa_collective *c, uint64_t block)
{
    return c->kind == RWA_SCATTER || c->kind == RWA_BROADCAST ? c->root : rwa_collective_owner(c, block);
}

static inline bool collective_needs(const rwa_collective *c, uint32_t node, uint64_t block)
{
    switch (c->kind) {
    case RWA_SCATTER: return rwa_collective_owner(c, block) == node;
    case RWA_GATHER: return c->root == node;
    case RWA_ALL_TO_ALL: return block % c->nodes == node;
    default: return true;
    }
}

#endif
