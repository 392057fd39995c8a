/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network of listed links as the bounds see it: what leads where, how wide, and how far it is from a node. */
#pragma once

#include "rwa/network.h"

#include <stdbool.h>

#define BOUND_NO_RANK UINT32_MAX

/** Links of one direction of travel: those at node v are first[v] … first[v + 1] - 1. */
struct bound_ends {
    uint64_t *first;
    uint32_t *node;         /**< the other end */
    uint64_t *channels;     /**< of the link, times slots */
    uint64_t *width;        /**< of all links at node v together */
};

struct bound_graph {
    uint32_t nodes;
    uint32_t links;         /**< that work */
    uint64_t channels;      /**< of all of them */
    struct bound_ends out, in;
    uint32_t *rank;         /**< the number of a node among the participants, or BOUND_NO_RANK */
    uint32_t *member;       /**< the node of a rank */
    bool alike;             /**< every node sees the same: node 0 speaks for all */
    uint32_t *order;        /**< after bound_graph_walk(): the nodes within reach, nearest first, … */
    uint32_t *hops;         /**< … and how far each is; UINT32_MAX: not within reach */
};

/** The faults that are there from the first step on; later ones rule out no schedule that is done before. */
void bound_take_faults(rwa_faults *faults, const rwa_network *net);

/** @param members  NULL: all nodes; else `count` of them
 *  @param slots    what a channel counts for */
rwa_status bound_graph_open(struct bound_graph **out, const rwa_network *net, const uint32_t *members, uint32_t count,
                            uint32_t slots, rwa_error *err);
void bound_graph_close(struct bound_graph *g);

/** Breadth first from a node, along the links or against them.  @return how many nodes are within reach, with it */
uint32_t bound_graph_walk(struct bound_graph *g, uint32_t node, bool against);

/** The most channels, times slots, of the links out of a node; against the links: into one. */
uint64_t bound_graph_widest(const struct bound_graph *g, bool against);

/** Whether a walk from every node that counts would take too long. */
bool bound_graph_is_large(const struct bound_graph *g);
