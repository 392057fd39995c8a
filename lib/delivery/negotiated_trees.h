/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A tree for every block, on networks of any form: all trees together must fit the channels. */
#pragma once

#include "delivery/delivery_state.h"

/** Nodes times trees, at most. */
enum { NEGOTIATED_PAIRS = 1 << 12 };

/** Everything is borrowed. */
struct negotiated_request {
    const rwa_network *net;     /* of fibres */
    const rwa_collective *coll; /* that only copies blocks */
    /* NULL: all nodes take part; else the coll->nodes that do, and the others only pass light */
    const uint32_t *members;
    uint32_t max_hops;          /* of a lightpath; 0: no limit */
    const struct folding *folding;  /* NULL, or of the network, for an all-gather of a block from each of all nodes */
    uint32_t below;             /* only plans of fewer steps are of interest, … */
    uint64_t least;             /* … and none has fewer than these */
    uint64_t seed;
    struct budget *budget;
};

/**
 * Negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995) with the acceptance of simulated annealing.  A
 * step's links first count the lightpaths over them, whatever their channels; then each channel of a step counts its
 * own.  A part of a tree with a lightpath on a crowded link is taken away, and its nodes are informed again, each in
 * the step, by the holder and on the route of the least price, which rises with every round in which a link is crowded.
 *  Where that leaves more links crowded, it is mostly taken back.  Folded, a tree stands for its translations, and
 * links that are alike count together.  So with fewer and fewer steps, until none are found.
 * @param[out] out  of no steps: no plan was found, ports are limited, or there are too many pairs.  deliveries_free()
 * in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Some million nodes looked at for a number of steps, at most: about a
 * second
 */
rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err);
