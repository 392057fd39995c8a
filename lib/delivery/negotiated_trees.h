/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers in which every owner has a tree of its own, on small networks of any form: all trees together must fit the channels. */
#pragma once

#include "delivery/delivery_state.h"

enum { NEGOTIATED_NODES = 64 };

/** Everything is borrowed. */
struct negotiated_request {
    const rwa_network *net;     /* of fibres, of at most NEGOTIATED_NODES nodes, each with as many ports as it needs */
    const struct translations *group;   /* NULL, or of the network, which is uniform: the trees begin as translations of one */
    uint32_t steps;             /* of the plan wanted */
    uint64_t seed;
    struct budget *budget;
};

/**
 * Negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995) with the acceptance of simulated annealing.  A step's links first
 * count the lightpaths over them, whatever their channels; then each channel of a step counts its own.  A part of a tree with a lightpath
 * on a crowded link is taken away, and its nodes are informed again, each in the step, by the holder and on the route of the least price,
 * which rises with every round in which a link is crowded.  Where that leaves more links crowded, it is mostly taken back.
 * @param[out] out  a block of each node; of no steps: none was found.  deliveries_free() in any case
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Some million nodes looked at, at most: about a second
 */
rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err);
