/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Lattice points: the shapes of cheapest broadcast trees on a ring.
 *
 * Every node treats its own block alike, so one template tree over the offsets from the owner describes all.  No
 * lightpath need fly over a node that already holds the block; then link i of the template is crossed, in each step, by
 * lightpaths of one direction only, and (step -> signed number of lightpaths) is an integer vector whose absolute
 * values add up to what the link costs. Different links have different vectors, and any set of vectors that contains,
 * with a vector, the one with its last coordinate nearer to 0 by one, is a broadcast tree.  So the cheapest tree of N
 * nodes in T steps takes the N integer points of T coordinates nearest to the origin (in the sum of absolute values),
 * and its load in a step and direction is the sum of that coordinate over its points of that sign.  By symmetry whole
 * spheres load all steps alike.
 *
 * When up to K nodes may tap a lightpath, the receivers of one sender, step and direction share lightpaths, the
 * farthest K the first: a link that x deliveries cross costs ceil(|x| / K) (docs/bounds.md, "Taps"), and all else
 * stays.
 */
#pragma once

#include "base/base.h"

/** One coordinate of a point that is not 0: lightpaths of a step, clockwise ones positive. */
struct coordinate {
    uint32_t step;      /* from 1; 0 ends the point */
    int32_t hops;
};

/** Points in rows of `width` coordinates, their steps rising; the first is the origin. */
struct lattice_points {
    struct coordinate *coordinate;
    size_t count, width;
};

static inline struct coordinate *lattice_point(const struct lattice_points *points, size_t i)
{
    return points->coordinate + i * points->width;
}

/** The cost of a point: the sum of its absolute values. */
uint32_t lattice_point_cost(const struct coordinate *point);

/** The fewest steps in which the cheapest broadcast tree fits 2W channel-links a step and owner; one way: a tree of
 * lightpaths in one direction only, W.  O(log nodes) sphere sums. */
uint32_t lattice_least_steps(uint32_t nodes, uint32_t channels, uint32_t drops, bool one_way);

/** The `nodes` cheapest points of `steps` coordinates, loads as even as can be.  RWA_NOMEM; RWA_CANCELLED: by the
 * budget's caller, whose deadline is not kept (NULL: no limit).  The caller frees out->coordinate in any case. */
rwa_status lattice_points_choose(struct lattice_points *out, uint32_t nodes, uint32_t steps, struct budget *budget,
                                 rwa_error *err);

/** Limits of the points beyond their number.  Slot 2 (step - 1) + (sign < 0) is a step and a direction. */
struct point_limits {
    uint32_t nodes, steps;
    uint32_t max_hops;          /* of any lightpath */
    uint32_t drops;             /* K, at least 1 */
    const uint32_t *capacity;   /* most load of each slot */
    uint32_t receivers;         /* most points whose last step is the same: a node reads as many then; 0: any number */
};

/**
 * Points within limits, found by a search of limited effort.  Cost O(N log N + N T) a round.
 * @return RWA_OK, also when none were found (out->count is then 0); RWA_NOMEM; RWA_CANCELLED.  The caller frees
 * out->coordinate.
 */
rwa_status lattice_points_search(struct lattice_points *out, const struct point_limits *limits, uint64_t seed,
                                 struct budget *budget, rwa_error *err);
