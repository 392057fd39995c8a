/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of nodes with an odd number of fibres to the other nodes; some of these fibres must stay dark, which a
 *  fractional routing ignores. */
#pragma once

#include "routing/flow.h"

struct node_set {
    uint64_t *in;       /* bit v % 64 of in[v / 64]: node v belongs to the set */
    uint32_t fibers;    /* from the set to the other nodes */
    uint64_t ends;      /* traffic with one end in the set */
    double excess;      /* wavelengths - channels unused on these fibres - ends; above 0: no assignment can use the
                           fibres as this routing does */
};

static inline bool node_set_has(const struct node_set *set, uint32_t node)
{
    return set->in[node / 64] >> node % 64 & 1;
}

/** Whether a list of sets, in a network of `nodes` nodes, contains one with the same nodes. */
bool node_sets_have(const struct node_set *list, size_t count, const struct node_set *set, uint32_t nodes);

static inline size_t node_set_words(uint32_t nodes)
{
    return nodes / 64 + 1;
}

static inline bool node_set_leaves(const struct node_set *set, const struct routing_graph *graph, uint32_t arc)
{
    return node_set_has(set, graph->from[arc]) && !node_set_has(set, graph->to[arc]);
}

/** A fractional routing, and the sets found for it. */
struct odd_sets {
    const struct routing_graph *graph;
    const uint64_t *between;    /* between[u * nodes + v]: traffic of the two, both ways */
    const double *slack;        /* of each link: unused channels */
    double wavelengths;
    struct node_set *list;      /* count of them, largest excess first; their arrays belong to the arena */
    size_t count, capacity;
    struct arena *arena;
};

/**
 * Grow a set from each node, always adding the neighbour that gives the largest excess, and list all sets with an odd
 * number of fibres and an excess.  O(nodes * steps * neighbours * nodes).
 * @param sets  list and count start as zeros; the rest is the caller's
 */
rwa_status odd_sets_find(struct odd_sets *sets);
