/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nearest-holder greedy: in every step the nodes that lack a block get it from the nearest holders with free channels. */
#ifndef DELIVERY_NEAREST_HOLDER_H
#define DELIVERY_NEAREST_HOLDER_H

#include "delivery/delivery_state.h"

/** Everything is borrowed. */
struct nearest_request {
    const rwa_network *net;         /* any network of fibres */
    const rwa_collective *coll;     /* that only copies blocks */
    const uint32_t *members;        /* NULL: all nodes take part; else the coll->nodes that do, and the others only pass light */
    uint32_t max_hops;              /* of a lightpath; 0: no limit */
    uint64_t seed;
    struct budget *budget;          /* a deadline ends the search when there is a plan; a cancellation always */
};

/** A node that no lightpath can bring the block of another. */
struct nearest_unreached {
    uint32_t from, to;
};

/**
 * The shortest of several randomised greedy plans; as many as TRY_PAIRS node-block pairs allow, at most MOST_TRIES.
 * @param[out] out        deliveries_free() in any case; steps 0: some node cannot be reached
 * @param[out] unreached  then which
 * @return RWA_OK; RWA_BADARG: star, ron or ocs; RWA_CANCELLED; RWA_NOMEM
 * Cost of a try: O(nodes * blocks) for each step, and a search back from each node for each block it needs.
 */
rwa_status nearest_holder_plan(struct deliveries *out, struct nearest_unreached *unreached, const struct nearest_request *request,
                               rwa_error *err);

#endif
