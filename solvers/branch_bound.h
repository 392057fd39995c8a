/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Branch and bound: search a placement of a number of demands on a number of channels. */
#pragma once

#include "solvers/candidates.h"

struct branch_bound {
    const struct candidates *cand;
    uint32_t channels;
    uint32_t need;          /* demands to place, at most all */
    bool distinct;             /* channels are not interchangeable */
    const uint32_t *twin;   /* of each demand the one before it that is the same in all, or UINT32_MAX */
    struct budget *budget;
};

enum branch_answer { BRANCH_FOUND, BRANCH_NONE, BRANCH_STOPPED };

/**
 * Backtracking: the demand with the fewest options left comes first, channels not used yet stand for each other, and so do
 * demands that are the same.
 * @param[out] out     on BRANCH_FOUND the placement; created by the caller
 * @param[out] answer  BRANCH_NONE proves that there is no such placement of these routes
 * @return RWA_OK; RWA_NOMEM.  Exponential in the demands
 */
rwa_status branch_bound_run(const struct branch_bound *run, struct placement *out, enum branch_answer *answer, rwa_error *err);
