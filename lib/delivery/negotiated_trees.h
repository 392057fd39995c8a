/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A tree for every block, or one that stands for all, on networks of any form: all trees together must fit the channels. */
#pragma once

#include "delivery/delivery_state.h"
#include "delivery/receive_steps.h"

/** Nodes times blocks, at most, where one tree does not stand for all. */
enum { NEGOTIATED_PAIRS = 1 << 12 };

/** Everything is borrowed. */
struct negotiated_request {
    const rwa_network *net;     /* of fibres that lists its links; each node has as many ports as it needs */
    const rwa_collective *coll; /* that only copies blocks; of a usual all-gather where there are more than NEGOTIATED_PAIRS */
    const uint32_t *members;    /* NULL: all nodes take part; else the coll->nodes that do, and the others only pass light */
    const struct translations *group;   /* NULL, or of the network, which is uniform, for a usual all-gather of at most TEMPLATE_NODES */
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
 *
 * With translations the tree of node 0 comes first, by receive_steps.h; the lightpaths of each step then take the nearest holders.  Links
 * that lead the same way count together, and channels follow the phase of the
 * owner, the sum modulo a period of those digits that have it: the owner at phase p uses channel c - c mod period + (c + p) mod period
 * where node 0 uses c, so that two lightpaths of all owners meet only where two hops of node 0's have one way, block of channels and
 * phase in it.  Where that does not fit, each owner begins with this tree and goes on by itself.
 * @param[out] out  of no steps: no plan was found.  deliveries_free() in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Some million nodes looked at, at most: about a second
 */
rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err);
