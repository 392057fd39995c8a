/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Searches for a plan of few steps that copies blocks over any network of fibres: a greedy search that serves from the
 * nearest holders, and trees by negotiated congestion. */
#pragma once

#include "delivery/deliveries.h"

/** The task of a search.  All pointers are borrowed. */
struct delivery_request {
    const rwa_network *net;     /* of fibres */
    const rwa_collective *coll; /* that only copies blocks */
    const uint32_t *members;    /* NULL: all nodes take part; else coll->nodes participants: others only pass light */
    /* NULL; or a folding of the network, for an all-gather of one block from each of all nodes */
    const struct folding *folding;
    uint32_t max_hops;          /* of a lightpath; 0: no limit */
    uint32_t below;             /* only plans of fewer steps are wanted; 0: all */
    uint64_t least;             /* lower bound on the steps; 0: unknown */
    uint64_t seed;
    struct budget *budget;      /* a deadline ends the search when there is a plan; a cancellation always */
    /* only for nearest_holder_plan(): */
    uint64_t effort;            /* limit on node-block pairs, summed over all tries; at least one try is made */
    uint32_t tries;             /* at most; at least one is made */
    /* NULL; or returns a lower bound on the steps, 0 if none is known.  Called after a first try of `reached` steps, if
     * others would follow */
    uint64_t (*bound)(const struct delivery_request *request, uint64_t reached);
};

struct delivery_found {
    struct deliveries plan;     /* 0 steps: none was found; folded: only of the first blocks, one for each coset */
    bool shortest;              /* proven: no plan has fewer steps */
    bool hindered;              /* folded: some lightpath would have met its translations; a finer folding may help */
    bool cut_off;               /* no lightpath can bring node `to` a block of node `from` */
    uint32_t from, to;
};

/** nearest_holder.c: find the shortest of several randomised greedy plans.  In every step the nodes that lack a block
 * receive it from the nearest holders with free channels.
 * @param[out] out deliveries_free(&out->plan) in any case
 * @return RWA_OK; RWA_BADARG: star, ron or ocs; RWA_CANCELLED; RWA_NOMEM
 * Each of the plans costs O(nodes * blocks) for each step, and a search backwards from each node for each block that it
 * needs. */
rwa_status nearest_holder_plan(struct delivery_found *out, const struct delivery_request *request, rwa_error *err);
/** Find a plan as nearest_holder_plan() does, but for the rest of a collective that has begun; request->folding must be
 * NULL.
 * @param held [block][participant]: 1 if the participant holds the block now, else 0 */
rwa_status nearest_holder_rest(struct delivery_found *out, const struct delivery_request *request, const uint8_t *held,
                               rwa_error *err);

/** negotiated_trees.c: find a tree for every block, such that all trees together fit the channels.  The search goes on
 * with fewer and fewer steps, until no such trees are found.  With a folding, a tree stands for its translations.
 * @param[out] out has no plan if none was found, ports are limited, or NEGOTIATED_PAIRS is exceeded.
 * deliveries_free(&out->plan) in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED
 * It visits at most some million nodes for each number of steps, which takes about a second. */
rwa_status negotiated_trees_find(struct delivery_found *out, const struct delivery_request *request, rwa_error *err);
