/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The data that a collective must bring over the border of a set of nodes, whichever node sends it and in whichever
 *  step (docs/reference/bounds.md). */
#pragma once

#include "bound/case.h"
#include "collective/needs.h"

/** A set of nodes: how many of them take part, how many blocks they own, and whether the root is among them. */
struct demand_side {
    uint64_t members;
    uint64_t blocks;
    bool root;
};

/** Add participant number `rank` to the set (`inside`), or remove it. */
void demand_put(struct demand_side *side, const rwa_collective *coll, uint32_t rank, bool inside);

/** Tell whether participant number `rank` owns blocks. */
bool demand_owns(const rwa_collective *coll, uint32_t rank);

/** Tell whether the collective is an all-to-all in which every node has the same number of blocks for each other
 *  node. */
bool demand_is_personal(const rwa_collective *coll);

/** Return the set of all nodes that are not in the set `side`. */
struct demand_side demand_others(const rwa_collective *coll, const struct demand_side *side);

/** Tell whether data must go from every node to every other.  If some nodes own no block: from every owner to every
 * node (all-gather), or from every node to every owner (reduce-scatter). */
bool demand_joins_all(const rwa_collective *coll);
/** Return the number of senders in the set: nodes whose data all receivers need. demand_receivers() returns the number
 * of receivers in it: nodes that need data of all senders.  Only if demand_joins_all() is true. */
uint64_t demand_senders(const rwa_collective *coll, const struct demand_side *side);
uint64_t demand_receivers(const rwa_collective *coll, const struct demand_side *side);

/** Return the number of blocks that lightpaths must carry out of the set; demand_in(): into the set. */
uint64_t demand_out(const rwa_collective *coll, const struct demand_side *side);
uint64_t demand_in(const rwa_collective *coll, const struct demand_side *side);

/** What is counted over a cut, by enum cut_measure: the blocks (demand_out()), or the pairs of nodes. */
typedef uint64_t demand_measure(const rwa_collective *coll, const struct demand_side *side);
extern demand_measure *const demand_measures[CUT_MEASURES];

/** Return what `demand` counts if it is applied to the nodes outside the set. */
uint64_t demand_of_others(demand_measure *demand, const rwa_collective *coll, const struct demand_side *side);

/** Consecutive nodes of a ring or line: places first, first + 1, … (mod nodes), with 1 <= count < nodes. */
struct demand_run {
    uint32_t first;
    uint32_t count;
};
struct demand_side demand_of_run(const struct bound_case *c, struct demand_run run);
/** Return how many blocks the working links out of consecutive places can carry in a step; demand_width_in(): the
 * links into these places.  At least one link is counted. */
uint64_t demand_width_out(const struct bound_case *c, struct demand_run run);
uint64_t demand_width_in(const struct bound_case *c, struct demand_run run);
