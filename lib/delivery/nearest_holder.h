/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nearest-holder greedy: in every step the nodes that lack a block get it from the nearest holders with free
 * channels. */
#pragma once

#include "delivery/delivery_state.h"

struct nearest_request;

/** A lower bound on the steps of any plan, asked for where a first try of so many steps leaves further ones; 0:
 * none. */
typedef uint64_t nearest_bound(const struct nearest_request *request, uint64_t reached);

/** Everything is borrowed. */
struct nearest_request {
    const rwa_network *net;         /* any network of fibres */
    const rwa_collective *coll;     /* that only copies blocks */
    /* NULL: all nodes take part; else the coll->nodes that do, and the others only pass light */
    const uint32_t *members;
    uint32_t max_hops;              /* of a lightpath; 0: no limit */
    const struct folding *folding;  /* NULL, or of the network, for an all-gather of a block from each of all nodes */
    uint32_t below;                 /* only plans of fewer steps are of interest; 0: all */
    uint64_t least;                 /* no plan has fewer; 0: unknown */
    uint64_t effort;                /* node-block pairs of all tries together; at least one try */
    uint32_t patience;              /* so many tries without a shorter plan are the last */
    uint64_t seed;
    nearest_bound *bound;           /* NULL: none */
    struct budget *budget;          /* a deadline ends the search when there is a plan; a cancellation always */
};

struct nearest_answer {
    struct deliveries plan;         /* of no steps: there is none; folded: of the first blocks, one for each coset */
    bool shortest;                  /* no plan has fewer steps */
    /* folded: by lightpaths that would meet their translations; a finer folding may help */
    bool hindered;
    bool cut_off;                   /* no lightpath can bring node `to` a block of node `from` */
    uint32_t from, to;
};

/**
 * The shortest of several randomised greedy plans, at most MOST_TRIES.
 * @param[out] out  deliveries_free(&out->plan) in any case
 * @return RWA_OK; RWA_BADARG: star, ron or ocs; RWA_CANCELLED; RWA_NOMEM
 * Cost of a try: O(nodes * blocks) for each step, and a search back from each node for each block it needs.
 */
rwa_status nearest_holder_plan(struct nearest_answer *out, const struct nearest_request *request, rwa_error *err);
