/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Waves on a torus: every owner's block spreads alike, by hops along one dimension each, on all dimensions at a time. */
#ifndef DELIVERY_GRID_TREE_H
#define DELIVERY_GRID_TREE_H

#include "base/base.h"
#include "rwa/network.h"

/** A torus; nodes are numbered row by row, the last dimension fastest. */
struct grid {
    const uint32_t *shape;  /* borrowed */
    size_t dimensions;
    uint32_t nodes;
    uint32_t ways;          /* way 2d leads up dimension d, way 2d + 1 down */
    uint32_t *behind;       /* behind[way * nodes + v]: the node from which that way leads to v in one hop */
};

rwa_status grid_create(struct grid *out, const uint32_t *shape, size_t dimensions, rwa_error *err);
void grid_free(struct grid *grid);

/** Offset v is told in step[v], by the nearest node behind it on way[v] that knows by then, hops[v] links away. */
struct grid_wave {
    uint32_t nodes, steps;
    uint32_t *step, *hops;
    uint8_t *way;
};

rwa_status grid_wave_create(struct grid_wave *out, uint32_t nodes, uint32_t steps, rwa_error *err);

/** What a wave must respect: the hops of step t and way w add up to at most room[(t - 1) * ways + w] <= channels.  A way
 *  without room is never taken. */
struct grid_limits {
    const struct grid *grid;
    uint32_t steps, channels;
    const uint32_t *room;
    uint64_t seed;
};

/**
 * A wave within limits by simulated annealing, from random labels, or gently from those of a wave of more steps.
 * @param start  NULL: random
 * @return RWA_OK, also when none was found; RWA_NOMEM; RWA_CANCELLED.  grid_wave_free() in any case
 */
rwa_status grid_wave_anneal(struct grid_wave *out, bool *found, const struct grid_limits *limits,
                            const struct grid_wave *start, uint64_t moves, struct budget *budget, rwa_error *err);
/** One dimension after the other, by single hops: many steps, but no search.  RWA_NOMEM; grid_wave_free() in any case. */
rwa_status grid_wave_plain(struct grid_wave *out, const struct grid *grid, uint32_t channels, rwa_error *err);
/** By short hops, along all ways in every step: fewest steps with one channel, and hardly more with few.  `room` of each way,
 *  for all steps.  Cost O(N²); RWA_NOMEM; grid_wave_free() in any case. */
rwa_status grid_wave_grow(struct grid_wave *out, const struct grid *grid, const uint32_t *room, uint64_t seed,
                          rwa_error *err);
/**
 * A wave of few steps: first to a coarser grid, then in all its cells at once, both as tried out; then squeezed.
 * room as above, but of each way only, for all steps.  Errors as grid_wave_anneal().
 */
rwa_status grid_wave_find(struct grid_wave *out, const struct grid *grid, const uint32_t *room, uint64_t seed,
                          struct budget *budget, rwa_error *err);
void grid_wave_free(struct grid_wave *wave);

#endif
