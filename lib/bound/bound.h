/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The functions of lib/bound that the planner calls, beside the public ones of rwa/bound.h. */
#pragma once

#include "rwa/bound.h"

/** Compute the highest lower bound on the steps, as rwa_bound_best() does, and its proof (rwa_bounds_proof(), in
 *  RWA_ERROR_TEXT bytes; NULL: none is wanted), when a schedule of `reached` steps is
 *  already known (0: none is known).  Bounds that take long to compute are skipped if they cannot prove that this
 *  schedule has the fewest steps. */
rwa_status bound_best_for(rwa_bound *out, char *proof, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);

/** Compute the highest of the lower bounds on the steps that need no search, including the one that adds up the
 *  distances of all blocks.  *steps is at least 1. */
rwa_status bound_soon(uint64_t *steps, const rwa_network *net, const rwa_collective *coll,
                      const rwa_bound_options *opts, rwa_error *err);
