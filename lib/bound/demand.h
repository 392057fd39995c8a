/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demand of a collective over the border of a set of nodes, whoever sends it and when (docs/reference/bounds.md). */
#pragma once

#include "bound/case.h"
#include "collective/needs.h"

/** A set of nodes: how many of them take part, how many blocks they own, whether the root is among them. */
struct demand_side {
    uint64_t members;
    uint64_t blocks;
    bool root;
};

/** Add participant number `rank`. */
void demand_add(struct demand_side *side, const rwa_collective *coll, uint32_t rank);

/** Remove participant number `rank`. */
void demand_remove(struct demand_side *side, const rwa_collective *coll, uint32_t rank);

/** Whether participant `rank` owns blocks. */
bool demand_owns(const rwa_collective *coll, uint32_t rank);

/** Whether every node has the same number of blocks for each other one: an all-to-all. */
bool demand_is_personal(const rwa_collective *coll);

/** The nodes that are not in the set. */
struct demand_side demand_others(const rwa_collective *coll, const struct demand_side *side);

/** Whether all nodes need data of all others, or of all owners, or the owners need data of all nodes. */
bool demand_joins_all(const rwa_collective *coll);
/** If demand_joins_all(): nodes of the set whose data all receivers need, and those that need data of all senders. */
uint64_t demand_senders(const rwa_collective *coll, const struct demand_side *side);
uint64_t demand_receivers(const rwa_collective *coll, const struct demand_side *side);

/** Number of blocks that some lightpath must carry out of the set, and into it; 0 where the collective requires
 *  none. */
uint64_t demand_out(const rwa_collective *coll, const struct demand_side *side);
uint64_t demand_in(const rwa_collective *coll, const struct demand_side *side);

/** One per enum cut_measure: demand_out(), and the pairs of nodes. */
typedef uint64_t demand_measure(const rwa_collective *coll, const struct demand_side *side);
extern demand_measure *const demand_measures[CUT_MEASURES];

/** `demand` of the nodes outside the set. */
uint64_t demand_of_others(demand_measure *demand, const rwa_collective *coll, const struct demand_side *side);

/** Ring and line: places first, first + 1, … (mod nodes), with 1 <= count < nodes. */
struct demand_run {
    uint32_t first;
    uint32_t count;
};
struct demand_side demand_of_run(const struct bound_case *c, struct demand_run run);
/** The channels of the links that lead out of the run, and into it; at least 1. */
uint64_t demand_width_out(const struct bound_case *c, struct demand_run run);
uint64_t demand_width_in(const struct bound_case *c, struct demand_run run);
