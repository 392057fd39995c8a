/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A tree for every block, on networks of any form: all trees together must fit the channels. */
#pragma once

#include "delivery/delivery_state.h"

/** Nodes times blocks, at most. */
enum { NEGOTIATED_PAIRS = 1 << 12 };

/** Everything is borrowed. */
struct negotiated_request {
    const rwa_network *net;     /* of fibres that lists its links; each node has as many ports as it needs */
    const rwa_collective *coll; /* that only copies blocks */
    const uint32_t *members;    /* NULL: all nodes take part; else the coll->nodes that do, and the others only pass light */
    uint32_t max_hops;          /* of a lightpath; 0: no limit */
    uint32_t steps;             /* of the plan wanted */
    uint64_t seed;
    struct budget *budget;
};

/**
 * Negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995) with the acceptance of simulated annealing.  A step's links first
 * count the lightpaths over them, whatever their channels; then each channel of a step counts its own.  A part of a tree with a lightpath
 * on a crowded link is taken away, and its nodes are informed again, each in the step, by the holder and on the route of the least price,
 * which rises with every round in which a link is crowded.  Where that leaves more links crowded, it is mostly taken back.
 * @param[out] out  of no steps: no plan was found.  deliveries_free() in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Some million nodes looked at, at most: about a second
 */
rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err);
