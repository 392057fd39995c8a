/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The coloured broadcast tree of fewest steps on a ring, the same for every owner. */
#pragma once

#include "delivery/ring/coloured_tree.h"
#include "lattice/lattice_points.h"

/** A lower bound on the steps: the cheapest trees must fit the channels; in a step a block advances at most max_hops on
 *  either side; a node reads at most as many lightpaths as it has ports. */
uint32_t ring_schedule_fewest_steps(const struct spread_limits *limits);

/**
 * The schedule of fewest steps that was found.  Cost O(N log N) for each number of steps and each size of ring tried.
 * @param fewer_than  steps to stay below; 0: no limit, where lightpaths carry one block
 * @return RWA_OK, also when there was none below (out->nodes is then 0); RWA_NOMEM; RWA_CANCELLED.
 * coloured_tree_free() in any case.
 */
rwa_status ring_schedule_find(struct coloured_tree *out, const struct spread_limits *limits, uint32_t fewer_than,
                              struct budget *budget, rwa_error *err);
