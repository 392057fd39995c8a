/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers in which all owners do the same, on networks with translations: receive steps first, then sources, routes and channels. */
#pragma once

#include "delivery/delivery_state.h"

/** Everything is borrowed. */
struct template_request {
    const rwa_network *net;             /* uniform, of at most TEMPLATE_NODES nodes */
    const struct translations *group;   /* of it */
    uint32_t max_hops;                  /* of a lightpath; 0: no limit */
    uint32_t steps;                     /* of the plan wanted */
    uint64_t work;                      /* about so many nodes are looked at */
    uint64_t seed;
    struct budget *budget;
};

/**
 * @param[out] out      of the blocks of the first nodes, one for each coset of `folding`; of no steps: none was found
 * @param[out] folding  starts as zeros, and stays so where the plan is that of all nodes; folding_free() in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  deliveries_free() in any case
 */
rwa_status template_plan_find(struct deliveries *out, struct folding *folding, const struct template_request *request, rwa_error *err);
