/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The coloured broadcast tree of fewest steps on a ring, the same for every owner. */
#pragma once

#include "delivery/ring/coloured_tree.h"
#include "rwa/network.h"

/**
 * The tree may be one of a larger ring: its nodes from nodes-1 on are then taken for one node.  A lightpath between two
 * of them vanishes, all others stay where they were, so a schedule stays one.
 */
struct ring_schedule {
    uint32_t nodes;
    /* lightpaths between the same nodes are one, by SHARE_BLOCKS; then on no larger ring */
    bool grouped;
    struct coloured_tree coloured;      /* of coloured.tree.nodes >= nodes */
};

/** Limits of a ring schedule. */
struct ring_limits {
    uint32_t nodes, channels;
    uint32_t max_hops;      /* 0: no limit */
    uint32_t drops;         /* so many nodes may read a lightpath, at least 1 */
    uint32_t slots;         /* blocks on a lightpath, at least 1; several only without taps and ports */
    uint32_t ports;         /* so many lightpaths a node reads in a step, and sends no more; 0: no limit */
    uint64_t seed;          /* of the search that limits make necessary */
    bool one_way;           /* every lightpath goes in direction `way` */
    rwa_direction way;
};

/** A lower bound on the steps: the cheapest trees must fit the channels, in a step a block travels at most max_hops
 *  farther on either side, and a node reads as many lightpaths as it has ports. */
uint32_t ring_schedule_fewest_steps(const struct ring_limits *limits);

/**
 * The schedule of fewest steps that was found.  Cost O(N log N) for each number of steps and each size of ring tried.
 * @param fewer_than  steps to stay below; 0: no limit, where lightpaths carry one block
 * @return RWA_OK, also when there was none below (out->nodes is then 0); RWA_NOMEM; RWA_CANCELLED.
 * ring_schedule_free() in any case.
 */
rwa_status ring_schedule_find(struct ring_schedule *out, const struct ring_limits *limits, uint32_t fewer_than,
                              struct budget *budget, rwa_error *err);
void ring_schedule_free(struct ring_schedule *schedule);
