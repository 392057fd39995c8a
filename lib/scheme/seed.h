/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A broadcast of one block in few steps, which comes before a long one: then every node has something to carry, so that all lightpaths
 *  of the long one may be set up at once, and stay up. */
#pragma once

#include "scheme/scheme.h"

/** Its steps; 0: there is none.  RWA_NOMEM; RWA_CANCELLED.  As long as seed_push() */
rwa_status seed_steps(uint32_t *steps, const struct plan_request *request, rwa_error *err);
/** Push it: block 0 from the root to all.  RWA_NOMEM; RWA_CANCELLED */
rwa_status seed_push(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err);
