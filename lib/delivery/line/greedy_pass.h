/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy search for an all-gather on a line, step by step. */
#pragma once

#include "delivery/delivery_tree.h"
#include "lattice/lattice_points.h"

/** Make trees for all blocks, in as many steps as it takes; channels are not assigned.
 * @param trees created before
 * @param pass 0, 1, …: selects one of GREEDY_PASSES parameter sets in turn, from short hops near an end, which suit
 * many steps, to long ones
 * @param most the largest number of steps; if more are needed, trees->steps becomes UINT32_MAX
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  The budget's deadline is not kept.  About nodes² log nodes operations a
 * step */
enum { GREEDY_PASSES = 4 };
rwa_status greedy_pass(struct delivery_tree *trees, const struct spread_limits *limits, uint32_t pass, uint32_t most,
                       struct budget *budget, rwa_error *err);
