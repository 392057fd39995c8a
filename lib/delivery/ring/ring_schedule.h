/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the coloured broadcast tree of fewest steps on a ring, the same for every owner. */
#pragma once

#include "delivery/ring/coloured_tree.h"
#include "lattice/lattice_points.h"

/** Return a lower bound on the steps, the largest of three.  The cheapest trees must fit the channels.  In a step a
 * block advances at most max_hops links on either side.  A node receives at most as many lightpaths as it has ports. */
uint32_t ring_schedule_fewest_steps(const struct spread_limits *limits);

/** Find a schedule of few steps.  Cost O(N log N) for each number of steps and each size N of ring tried.
 * @param fewer_than the schedule must have fewer steps; 0: no limit
 * @return RWA_OK, also when there is no such schedule (out->nodes is then 0); RWA_NOMEM; RWA_CANCELLED.
 * coloured_tree_free() in any case. */
rwa_status ring_schedule_find(struct coloured_tree *out, const struct spread_limits *limits, uint32_t fewer_than,
                              struct budget *budget, rwa_error *err);
