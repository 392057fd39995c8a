/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The functions of lib/bound that the planner calls, beside the public ones of rwa/bound.h. */
#pragma once

#include "rwa/bound.h"

/** Compute the highest lower bound on the steps, as rwa_bound_best() does, and its proof.
 * @param proof    RWA_ERROR_TEXT bytes, as rwa_bounds_proof() writes it; NULL: not wanted
 * @param reached  steps of a schedule that is known; 0: none.  Slow bounds that cannot prove it optimal are skipped */
rwa_status bound_best_for(rwa_bound *out, char *proof, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err);

/** Set *steps to the highest of those lower bounds on the steps that need no search, the bound `distance` among them;
 * at least 1. */
rwa_status bound_soon(uint64_t *steps, const rwa_network *net, const rwa_collective *coll,
                      const rwa_bound_options *opts, rwa_error *err);
