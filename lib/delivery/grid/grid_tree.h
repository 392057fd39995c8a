/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Template trees on a torus: lightpaths along one dimension each, on all dimensions at a time. */
#pragma once

#include "delivery/delivery_tree.h"
#include "rwa/network.h"

/** A torus; nodes are numbered row by row, the last dimension fastest. */
struct grid {
    const uint32_t *shape;      /* borrowed */
    size_t dimensions;
    uint32_t nodes;
    uint32_t ways;              /* way 2d leads up dimension d, way 2d + 1 down */
    uint32_t *predecessor;      /* predecessor[way * nodes + v]: the node from which that way leads to v over one link */
};

rwa_status grid_create(struct grid *out, const uint32_t *shape, size_t dimensions, rwa_error *err);
void grid_free(struct grid *grid);

/* In the trees made here an offset receives from the nearest holder behind it on its way.  Errors: RWA_NOMEM, and of searches
   RWA_CANCELLED.  delivery_tree_free() in any case. */

/** Limits of a tree: the links of step t and way w add up to at most capacity[(t - 1) * ways + w] <= channels.  A way without
 *  capacity is never taken. */
struct grid_limits {
    const struct grid *grid;
    uint32_t steps, channels;
    const uint32_t *capacity;
    uint64_t seed;
};

/** One dimension after the other, by single links: many steps, but no search. */
rwa_status grid_tree_plain(struct delivery_tree *out, const struct grid *grid, uint32_t channels, rwa_error *err);

/** By short lightpaths, along all ways in every step, within limits if that works.
 *  @param spacing  of a lattice whose points come first, in the first `spaced` steps */
rwa_status grid_tree_grow(struct delivery_tree *out, bool *found, const struct grid_limits *limits, uint32_t spacing, uint32_t spaced,
                          rwa_error *err);

/** A lower bound on the steps of a tree with this capacity of each way, in every step: each lightpath goes along one dimension, and
 *  holders inform the nearest first; UINT32_MAX: a dimension cannot be entered at all. */
uint32_t grid_tree_least_steps(const uint32_t *shape, size_t dimensions, const uint32_t *capacity);

/** The shortest of several grown trees within limits; the search ends with one of `least` steps. */
rwa_status grid_tree_grow_best(struct delivery_tree *out, bool *found, const struct grid_limits *limits, uint32_t least, rwa_error *err);

/** Name the senders of a tree whose steps, ways and links are set. */
void grid_tree_name_senders(struct delivery_tree *tree, const struct grid *grid);
