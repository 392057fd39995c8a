/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Traffic by rows and columns, and the steps of planning circuits. */
#pragma once

#include "rwa/place.h"

#include "base/arena.h"

/** Flows of src s: row[s] … row[s + 1] - 1 in flow[]; of dst d: column[d] … column[d + 1] - 1 in by_dst[], ids of
 *  flows. */
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

/** No circuits load less than this: the busiest node's bytes, shared by all its ports. */
double least_share(const rwa_traffic *traffic, uint32_t ports);

/**
 * The least max T / x such that every node gets by with `ports` circuits out and in; no node has more peers than that.
 * A load fits exactly when every node's sums of circuits_for() do, so a search over loads is all it takes.
 * Cost O(64 flows).
 */
double least_load(const rwa_traffic *traffic, uint32_t ports);

/** The same by an integer program: count[] per flow; *bound is what GLPK proved.  RWA_CANCELLED without an answer. */
rwa_status least_load_ilp(double *bound, uint32_t *count, const rwa_traffic *traffic, uint32_t ports,
                          struct budget *budget, rwa_error *err);

/**
 * Colour the edges of a bipartite multigraph so that no two edges at a node share a colour.
 * @param colour  one per edge, below colours; no node has more edges than that on either side
 */
rwa_status edges_colour(uint32_t *colour, uint32_t nodes, const uint32_t *src, const uint32_t *dst, size_t edges,
                        uint32_t colours, struct budget *budget, rwa_error *err);
