/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Traffic indexed by source and by destination, and the steps of planning circuits. */
#pragma once

#include "rwa/place.h"

#include "base/arena.h"
#include "base/bins.h"

/** Traffic, sorted by source and then destination.  of[0] has the flows by source, of[1] by destination. */
struct rwa_traffic {
    uint32_t nodes;
    size_t count;
    rwa_flow *flow;
    struct bins of[2];
};

/** Return the fewest circuits, at least one, that carry `bytes` with at most `load` bytes on each. */
uint32_t circuits_for(double bytes, double load);

/** Return the bytes of the largest flow. */
double most_bytes(const rwa_traffic *traffic);

/** Return a lower bound on the load (most bytes on a circuit) of any circuits: the bytes that the busiest node sends or
 *  receives, divided by its number of ports. */
double least_share(const rwa_traffic *traffic, uint32_t ports);

/** Tell whether at most `most` circuits suffice, in all or at every node, with at most `load` bytes on each. */
typedef bool load_fits(const rwa_traffic *traffic, double load, uint64_t most);
/** Return the least load (bytes that a circuit may carry) for which suffices(traffic, load, most) holds.  It must not
 *  hold for the load `low`, and must hold for the load most_bytes(traffic).  Calls suffices() about 64 times. */
double least_fitting(double low, load_fits *suffices, const rwa_traffic *traffic, uint64_t most);

/** Return the least load (bytes that a circuit may carry) for which `ports` circuits out of each node and as many into
 *  it are enough; no node may have more peers than ports.  For a given load each flow needs circuits_for(bytes, load)
 *  circuits, and these must add up to at most `ports` at every node, out and in.  So a search over loads is enough.
 *  Cost O(64 flows). */
double least_load(const rwa_traffic *traffic, uint32_t ports);

/**
 * Colour the edges of a bipartite multigraph so that no two edges at a node share a colour.
 * @param colour  one per edge, below `colours`; no node may have more than `colours` edges on either side
 */
rwa_status edges_colour(uint32_t *colour, uint32_t nodes, const uint32_t *src, const uint32_t *dst, size_t edges,
                        uint32_t colours, struct budget *budget, rwa_error *err);
