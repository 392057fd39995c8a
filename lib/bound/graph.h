/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network of listed links as the bounds see it: the ends and widths of links, and distances from a node. */
#pragma once

#include "base/arena.h"
#include "rwa/network.h"

#include <stdbool.h>

#define BOUND_NO_RANK UINT32_MAX

/** The links in one direction of travel.  The links of node v have the indices first[v] … first[v + 1] - 1. */
struct bound_ends {
    uint64_t *first;
    uint32_t *node;         /**< the node at the other end */
    uint64_t *channels;     /**< of each link, times slots */
    uint64_t *width;        /**< of each node: channels of all its links */
};

struct bound_graph {
    struct arena memory;    /**< of the arrays */
    uint32_t nodes;
    uint32_t links;         /**< number of working links */
    uint64_t channels;      /**< of all working links */
    struct bound_ends out, in;
    uint32_t *rank;         /**< number of each node among the participants, or BOUND_NO_RANK */
    uint32_t *member;       /**< node of each participant */
    bool alike;             /**< all nodes see the same network: node 0 stands for all */
    uint32_t *order;        /**< after bound_graph_walk(): the reachable nodes, nearest first */
    uint32_t *hops;         /**< after bound_graph_walk(): distance of each node; UINT32_MAX: unreachable */
};

/** Copy the faults of a network that exist from the first step on.  Links that fail later are left out, since they do
 *  not limit a schedule that ends before. */
void bound_take_faults(rwa_faults *faults, const rwa_network *net);

/**
 * Create the graph of a network.  RWA_NOMEM; close it also after a failure.
 * @param members  NULL: all nodes take part; else `count` nodes
 * @param slots  blocks that a channel carries
 */
rwa_status bound_graph_open(struct bound_graph **out, const rwa_network *net, const uint32_t *members, uint32_t count,
                            uint32_t slots, rwa_error *err);
void bound_graph_close(struct bound_graph *g);

/** Search the graph breadth first from a node, along the links or (`against`) against them.  Write the nodes reached
 * into g->order, and the distances into g->hops.  Return the number of nodes reached, including the node itself. */
uint32_t bound_graph_walk(struct bound_graph *g, uint32_t node, bool against);

/** Return the largest number of blocks that the channels of all links out of one node carry in a step; with `against`,
 *  into one node. */
uint64_t bound_graph_widest(const struct bound_graph *g, bool against);

/** Tell whether a search from every node that takes part would take too long. */
bool bound_graph_is_large(const struct bound_graph *g);
