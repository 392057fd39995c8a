/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Points of the lattice Z^t by their distance |x1| + … + |xt| from the origin.  The links of a ring over which a block
 * spreads in t steps leave distinct traces in Z^t, so that the least total length of such a spread to n - 1 further
 * nodes is the sum of the n smallest distances; with lightpaths of at most H hops, of a subset of the points
 * (docs/reference/bounds.md, "The lattice").  With lightpaths that up to K nodes read the distance is ceil(|x1|/K) + …
 * + ceil(|xt|/K)
 * ("Taps").
 */
#pragma once

#include "base/base.h"

/** The sizes of the spheres (numbers of points) at distance 0, 1, 2, … one after the other.  A plain copy continues
 *  from where the original is. */
struct spheres {
    uint64_t steps;
    uint64_t distance;          /* of the next sphere */
    /* without a hop limit, by recurrence from the last two sizes: */
    uint64_t alone;             /* points of each distance but 0 in Z: 2K, on one side of 0 only K */
    uint64_t here, before;
    /* with one, listed: */
    uint32_t *size;             /* NULL: without a hop limit */
    size_t count;
    uint32_t max_hops, drops;
    uint32_t enough;            /* points beyond that many are not kept */
};

/** Begin with distance 0 in the lattice Z^steps, steps >= 1: spheres_next() then returns the number of points at each
 *  distance in turn.  Lightpaths have at most `drops` >= 1 receivers. */
struct spheres spheres_of(uint64_t steps, uint64_t drops);

/** Return the number of lattice points at the distance s->distance from the origin, and go on to the next distance.  0:
 *  no point is left.  The numbers are right as long as their sum is below 2^26. */
uint64_t spheres_next(struct spheres *s);

/** Return the sum of the `count` smallest distances of lattice points from the origin, saturating; UINT64_MAX if there
 * are fewer points.  `s` must stand at distance 0. */
uint64_t spheres_cost(struct spheres s, uint64_t count);

/**
 * Begin with the lattice points for 0 steps, the origin alone, where lightpaths have at most max_hops hops and `drops`
 * receivers; spheres_step() adds a step.  Memory O(max_hops).  RWA_NOMEM; call spheres_close() in any case.
 * @param enough  most points that will be asked for, the nearest first; at most 2^26
 */
rwa_status spheres_open(struct spheres *s, uint32_t max_hops, uint32_t drops, uint32_t enough, rwa_error *err);
void spheres_close(struct spheres *s);
/** Add a step: replace the numbers of lattice points at each distance for t steps by those for t + 1 steps.  *s is from
 *  spheres_open().  Copies of *s made before become invalid.  O(distance of the last point kept) */
void spheres_step(struct spheres *s);
