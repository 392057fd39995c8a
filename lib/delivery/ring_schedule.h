/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A wave whose every step has found its wavelengths, its hops alone or several on a lightpath. */
#ifndef SCHEME_WAVEFRONT_FRONT_H
#define SCHEME_WAVEFRONT_FRONT_H

#include "lattice/lattice_points.h"
#include "delivery/periodic_colouring.h"

/**
 * A front may be one of a larger ring: its nodes from nodes-1 on are then taken for one node.  A lightpath between two
 * of them vanishes, all others stay where they were, so a schedule stays one.
 */
struct ring_schedule {
    uint32_t nodes;
    struct wave wave;       /* of wave.nodes >= nodes */
    uint32_t *order;        /* offsets 1 … wave.nodes-1 by group, rising; group 2 (step - 1) + direction */
    uint32_t *light;        /* where the readers of each lightpath begin in `order`, and the end: rising, told by one node */
    uint32_t *first;        /* the first lightpath of each group, and the end: groups + 1 entries into `light` */
    struct colouring *colouring;  /* of each group, over its lightpaths */
};

/** The offset at which lightpath k ends: of its readers the farthest. */
uint32_t ring_schedule_end(const struct ring_schedule *f, uint32_t k);

/** What a front must respect. */
struct ring_limits {
    uint32_t nodes, channels;
    uint32_t max_hops;      /* 0: no limit */
    uint32_t drops;         /* so many nodes may read a lightpath, at least 1 */
    uint32_t ports;         /* so many lightpaths a node reads in a step, and sends no more; 0: no limit */
    uint64_t seed;          /* of the search that limits make necessary */
    bool one_way;           /* every hop goes in direction `way` */
    rwa_direction way;
};

/** No front has fewer steps: the cheapest trees must fit the channels, in a step a block travels at most max_hops farther on
 *  either side, and a node reads as many as it has ports. */
uint32_t ring_schedule_fewest_steps(const struct ring_limits *limits);

/**
 * The front of fewest steps that was found.  Cost O(N log N) for each number of steps and each size of ring tried.
 * @param fewer_than  steps to stay below; 0: no limit
 * @return RWA_OK, also when there was none below (out->colouring is then NULL); RWA_NOMEM; RWA_CANCELLED.
 *         ring_schedule_free() in any case.
 */
rwa_status ring_schedule_find(struct ring_schedule *out, const struct ring_limits *limits, uint32_t fewer_than, struct budget *budget,
                      rwa_error *err);
void ring_schedule_free(struct ring_schedule *front);

#endif
