/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the planner asks the bounds, beside rwa/bound.h. */
#pragma once

#include "rwa/bound.h"

/** As rwa_bound_best(), where a schedule of `reached` steps is known (0: none is): bounds that take long to compute are
 * left out where they cannot prove it the shortest. */
rwa_status bound_best_for(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);

/** The highest of the bounds that take no search, at least 1, with the distances of all blocks. */
rwa_status bound_soon(uint64_t *steps, const rwa_network *net, const rwa_collective *coll,
                      const rwa_bound_options *opts, rwa_error *err);
