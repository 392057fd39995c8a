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
 * farthest K the first: a link that x deliveries cross costs ceil(|x| / K) (docs/reference/bounds.md, "Taps"), and all
 * else stays.
 */
#pragma once

#include "base/base.h"
#include "rwa/schedule.h"

/** One coordinate of a point that is not 0: the number of lightpaths in a step, positive if clockwise. */
struct coordinate {
    uint32_t step;      /* from 1; 0 ends the point */
    int32_t hops;
};

/** Points of the lattice in rows of `width` coordinates, with ascending steps; the first point is the origin. */
struct lattice_points {
    struct coordinate *coordinate;
    size_t count, width;
};

static inline struct coordinate *lattice_point(const struct lattice_points *points, size_t i)
{
    return points->coordinate + i * points->width;
}

/** Return the cost of a lattice point, the sum of the absolute values of its coordinates.  A point stands for a link of
 *  a broadcast tree; its cost is the number of lightpaths that cross the link. */
uint32_t lattice_point_cost(const struct coordinate *point);

/** Return the fewest steps T in which the channels of a ring suffice for the cheapest broadcast trees of all nodes.
 *  The `nodes` cheapest lattice points of T coordinates may then cost 2 W T together, or W T if all lightpaths go one
 *  way; W is `channels`, of a link and direction.  A lightpath has up to `drops` receivers.  Cost O(log nodes) calls of
 *  spheres_cost(). */
uint32_t lattice_least_steps(uint32_t nodes, uint32_t channels, uint32_t drops, bool one_way);

/** Choose the `nodes` cheapest lattice points of `steps` coordinates so that all steps and directions have as equal
 *  loads as possible.  Only a cancelled budget (NULL: none) ends the search, not its deadline.  The caller frees
 *  out->coordinate, also after a failure.  RWA_NOMEM; RWA_CANCELLED */
rwa_status lattice_points_choose(struct lattice_points *out, uint32_t nodes, uint32_t steps, struct budget *budget,
                                 rwa_error *err);

/** Limits on the spreads of all blocks over a ring or a line. */
struct spread_limits {
    uint32_t nodes, channels;   /* channels of each link and direction */
    uint32_t max_hops;          /* of a lightpath; 0: no limit */
    uint32_t drops;             /* K: most receivers of a lightpath, at least 1 */
    uint32_t ports;             /* most lightpaths that a node reads, and sends, in a step; 0: no limit */
    uint64_t seed;
    bool one_way;               /* ring: every lightpath goes in direction `way` */
    rwa_direction way;
    /* for a ring some of whose clockwise links failed (delivery/line/line_position.h), NULL for others: whether
     * each position is cut (position 0 is); for each block, the nearest cut position on the way down from its
     * owner */
    const bool *cut;
    const uint32_t *origin;
};

/**
 * Search, with limited effort, for the lattice points of a broadcast tree within the limits on nodes, hops, receivers
 * and ports.  A node receives a lightpath in step t for each point whose last step is t, so `ports` limits the number
 * of these points.  Cost O(N log N + N T) for N nodes and T steps in each of at most 64 rounds.
 * @param capacity  the largest load of each step, from 1, and direction: entry 2 (step - 1), plus 1 for negative
 *                  coordinates
 * @return RWA_OK, also when no points were found (out->count is then 0); RWA_NOMEM; RWA_CANCELLED.  The caller frees
 *         out->coordinate
 */
rwa_status lattice_points_search(struct lattice_points *out, const struct spread_limits *limits, uint32_t steps,
                                 const uint32_t *capacity, struct budget *budget, rwa_error *err);
