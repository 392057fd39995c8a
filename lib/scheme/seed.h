/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A broadcast of one block in few steps, which comes before a long one: then every node has something to carry, so that all lightpaths
 *  of the long one may be set up at once, and stay up. */
#pragma once

#include "scheme/scheme.h"

struct seed {
    uint32_t steps;             /* 0: there is none */
    uint32_t *informed;         /* by node: the step that brings the block to it; 0: the root, and others that none does */
};

/** To all nodes, or where links are listed only to those that pass anything on.
 *  @param passing  by node; NULL: all
 *  RWA_NOMEM; RWA_CANCELLED.  As long as seed_push().  seed_free() in any case. */
rwa_status seed_find(struct seed *out, const struct plan_request *request, const bool *passing, rwa_error *err);
void seed_free(struct seed *seed);
/** Push its first steps: block 0 from the root to those that they inform.  RWA_NOMEM; RWA_CANCELLED */
rwa_status seed_push(struct schedule_sink *sink, const struct plan_request *request, const bool *passing, uint32_t steps, rwa_error *err);
