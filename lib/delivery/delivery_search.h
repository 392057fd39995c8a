/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Searches for a plan of few steps that copies blocks over any network of fibres: from the nearest holders, and by
 * negotiated congestion. */
#pragma once

#include "delivery/deliveries.h"

/** Everything is borrowed. */
struct delivery_request {
    const rwa_network *net;     /* of fibres */
    const rwa_collective *coll; /* that only copies blocks */
    const uint32_t *members;    /* NULL: all nodes take part; else the coll->nodes that do: others only pass light */
    /* NULL, or of the network, for an all-gather of a block from each of all nodes */
    const struct folding *folding;
    uint32_t max_hops;          /* of a lightpath; 0: no limit */
    uint32_t below;             /* only plans of fewer steps are of interest; 0: all */
    uint64_t least;             /* no plan has fewer; 0: unknown */
    uint64_t seed;
    struct budget *budget;      /* a deadline ends the search when there is a plan; a cancellation always */
    /* only of the nearest holders: */
    uint64_t effort;            /* node-block pairs of all tries together; at least one try */
    uint32_t tries;             /* so many at most, at least one */
    /* NULL, or a lower bound on the steps, 0 where none is known: asked for where the first try leaves `reached` steps,
     * and others would follow */
    uint64_t (*bound)(const struct delivery_request *request, uint64_t reached);
};

struct delivery_found {
    struct deliveries plan;     /* of no steps: there is none; folded: of the first blocks, one for each coset */
    bool shortest;              /* no plan has fewer steps */
    bool hindered;              /* folded: by lightpaths that would meet their translations; a finer folding may help */
    bool cut_off;               /* no lightpath can bring node `to` a block of node `from` */
    uint32_t from, to;
};

/**
 * nearest_holder.c: the shortest of several randomised greedy plans.  In every step the nodes that lack a block get it
 * from the nearest holders with free channels.
 * @param[out] out  deliveries_free(&out->plan) in any case
 * @return RWA_OK; RWA_BADARG: star, ron or ocs; RWA_CANCELLED; RWA_NOMEM
 * Cost of a try: O(nodes * blocks) for each step, and a search back from each node for each block it needs.
 */
rwa_status nearest_holder_plan(struct delivery_found *out, const struct delivery_request *request, rwa_error *err);

/**
 * negotiated_trees.c: a tree for every block, such that all trees together fit the channels; in fewer and fewer steps,
 * until none are found.  Negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995) with the acceptance of
 * simulated annealing.  A step's links first count the lightpaths over them, whatever their channels; then each channel
 * of a step counts its own.  A part of a tree with a lightpath on a crowded link is taken away, and its nodes are
 * informed again, each in the step, by the holder and on the route of the least price, which rises with every round in
 * which a link is crowded.  Where that leaves more links crowded, it is mostly taken back.  Folded, a tree stands for
 * its translations, and links that are alike count together.
 * @param[out] out  no plan: none was found, ports are limited, or NEGOTIATED_PAIRS is exceeded.
 *                  deliveries_free(&out->plan) in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Some million nodes looked at for a number of steps, at most: about a
 * second
 */
rwa_status negotiated_trees_find(struct delivery_found *out, const struct delivery_request *request, rwa_error *err);
