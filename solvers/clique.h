/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands whose routes pairwise share a link, so that each needs a channel of its own. */
#pragma once

#include "solvers/candidates.h"

/**
 * Find a large clique: demands whose first routes pairwise share a link.  It is grown greedily around each of the
 * demands whose first routes share links with the most others.
 * @param[out] member  the demands of the clique, ascending; one entry per demand
 * @return RWA_OK; RWA_NOMEM. O(demands^2) at most; 0 members where there are too many demands for that
 */
rwa_status clique_find(uint32_t *member, uint32_t *count, const struct candidates *cand, rwa_error *err);
