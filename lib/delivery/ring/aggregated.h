/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Aggregated blocks: a broadcast tree whose lightpaths of one step, direction and length are grouped.  A lightpath of a group ends
 * s links on from node x, and brings the blocks of the owners x - h of several offsets h.
 */
#pragma once

#include "delivery/ring/coloured_tree.h"

struct aggregated_limits {
    uint32_t nodes, channels;
    uint32_t slots;             /* blocks per lightpath */
    uint32_t max_hops;          /* 0: no limit */
    uint32_t fewer_than;        /* steps; with as many, grouping is for nothing */
    uint64_t seed;
};

/**
 * The tree of grouped lightpaths of fewest steps that was found.  Cost O(N log N) a round; up to 32 searches of some rounds for each
 * number of steps tried.
 * @return RWA_OK, also when there was none with fewer steps than asked (out->order is then NULL); RWA_NOMEM; RWA_CANCELLED.
 *         coloured_tree_free() in any case
 */
rwa_status aggregated_find(struct coloured_tree *out, const struct aggregated_limits *limits, struct budget *budget, rwa_error *err);
