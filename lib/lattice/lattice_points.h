/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the files of the wavefront share.
 *
 * Every node treats its own block alike, so one wave (a tree of hops over the offsets from the owner) describes all.
 * No hop need fly over a node that already holds the block; then link i of the wave is crossed, in each step, by hops of
 * one direction only, and (step -> signed number of hops) is an integer point whose absolute values add up to what the
 * link costs.  Different links have different points, and any set of points that contains, with a point, the one with
 * its last coordinate nearer to 0 by one, is a wave.  So the cheapest wave of N nodes in T steps takes the N integer
 * points of T coordinates nearest to the origin (in the sum of absolute values), and its load in a step and direction is
 * the sum of that coordinate over its points of that sign.  By symmetry whole spheres load all steps alike.
 *
 * Where up to K nodes may read a lightpath, those told by one node in one step and direction share lightpaths, the farthest K
 * the first: a link that x hops cross costs ceil(|x| / K) (docs/bounds.md, "Taps"), and all else stays.
 */
#ifndef SCHEME_WAVEFRONT_H
#define SCHEME_WAVEFRONT_H

#include "base/base.h"
#include "rwa/network.h"

/** One coordinate of a point that is not 0: hops of a step, clockwise ones positive. */
struct coordinate {
    uint32_t step;      /* from 1; 0 ends the point */
    int32_t hops;
};

/** Points in rows of `width` parts, their steps rising. */
struct lattice_points {
    struct coordinate *coordinate;
    size_t count, width;
};

/** How the block of one owner spreads: offset v is told in step[v] by offset from[v]; both are 0 for the owner. */
struct wave {
    uint32_t nodes, steps;
    uint32_t *step, *from;
    uint8_t *direction;     /* rwa_direction */
};

/** The fewest steps in which the cheapest wave fits 2W channel-links a step and owner; one way: a wave of hops in one
 *  direction only, W. */
uint32_t lattice_least_steps(uint32_t nodes, uint32_t channels, uint32_t drops, bool one_way);

/** The `nodes` cheapest points of `steps` coordinates, loads as even as can be; RWA_NOMEM.  points->coordinate: the caller's. */
rwa_status lattice_points_choose(struct lattice_points *out, uint32_t nodes, uint32_t steps, rwa_error *err);

/** What points must respect beyond their number. */
struct point_limits {
    uint32_t nodes, steps;
    uint32_t max_hops;          /* of any hop */
    uint32_t drops;             /* K, at least 1 */
    const uint32_t *room;       /* most load of each half, 2 (step - 1) + (sign < 0) */
    uint32_t told;              /* most points whose last step is the same: a node reads as many then; 0: any number */
};

/**
 * Points within limits, found by a search of limited effort.  Cost O(N log N + N T) a round.
 * @return RWA_OK, also when none were found (out->count is then 0); RWA_NOMEM; RWA_CANCELLED.  points->coordinate: the caller's.
 */
rwa_status lattice_points_search(struct lattice_points *out, const struct point_limits *limits, uint64_t seed, struct budget *budget,
                         rwa_error *err);

/** Lay points round the ring.  RWA_NOMEM; wave_free() in any case. */
rwa_status wave_lay(struct wave *out, const struct lattice_points *points, uint32_t steps, rwa_error *err);

/** The two halves of wave_lay(), for a wave that is laid again and again: room for one, and laying it.  `point` lists its
 *  points, the owner's (without parts) first, and is sorted; `stack` is scratch for as many entries. */
rwa_status wave_create(struct wave *out, uint32_t nodes, uint32_t steps, rwa_error *err);
void wave_arrange(struct wave *wave, const struct coordinate **point, uint32_t *stack);
void wave_free(struct wave *wave);

/** The cost of a point: its hops, whatever their sign. */
uint32_t point_cost(const struct coordinate *point);

/** Links that the hop to offset v > 0 crosses. */
uint32_t wave_hops(const struct wave *wave, uint32_t v);

#endif
