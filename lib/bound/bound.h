/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the planner asks the bounds, beside rwa/bound.h. */
#pragma once

#include "rwa/bound.h"

/** As rwa_bound_best(), when a schedule of `reached` steps is known (0: none).  Bounds that take long to compute are
 * left out where they cannot prove that this schedule has the fewest steps. */
rwa_status bound_best_for(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);

/** The highest of the bounds that need no search, at least 1; the distances of all blocks are taken into account. */
rwa_status bound_soon(uint64_t *steps, const rwa_network *net, const rwa_collective *coll,
                      const rwa_bound_options *opts, rwa_error *err);
