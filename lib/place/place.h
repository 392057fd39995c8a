/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Traffic indexed by source and by destination, and the steps of planning circuits. */
#pragma once

#include "rwa/place.h"

#include "base/arena.h"

/** Flows of source s are flow[row[s]] … flow[row[s + 1] - 1]; those of destination d have the numbers
 *  by_dst[column[d]] … by_dst[column[d + 1] - 1]. */
struct rwa_traffic {
    uint32_t nodes;
    size_t count;
    rwa_flow *flow;
    size_t *row, *column;
    size_t *by_dst;
    struct arena memory;    /* of the arrays */
};

/** The fewest circuits, at least one, that carry `bytes` with at most `load` bytes each. */
uint32_t circuits_for(double bytes, double load);

/** The most bytes of a flow. */
double most_bytes(const rwa_traffic *traffic);

/** A lower bound on the load of any circuits: the bytes of the busiest node, divided by all its ports. */
double least_share(const rwa_traffic *traffic, uint32_t ports);

/**
 * The least max T / x such that `ports` circuits out and in suffice for every node; no node may have more peers than
 * ports.  A load fits exactly when the sum of circuits_for() fits at every node, so a search over loads is enough.
 * Cost O(64 flows).
 */
double least_load(const rwa_traffic *traffic, uint32_t ports);

/** The same by an integer program: count[] of each flow; *bound is what GLPK proved.  RWA_CANCELLED without an
 *  answer. */
rwa_status least_load_ilp(double *bound, uint32_t *count, const rwa_traffic *traffic, uint32_t ports,
                          struct budget *budget, rwa_error *err);

/**
 * Colour the edges of a bipartite multigraph so that no two edges at a node share a colour.
 * @param colour  one per edge, below `colours`; no node may have more than `colours` edges on either side
 */
rwa_status edges_colour(uint32_t *colour, uint32_t nodes, const uint32_t *src, const uint32_t *dst, size_t edges,
                        uint32_t colours, struct budget *budget, rwa_error *err);
