/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A wave whose hops of one step, direction and length share lightpaths: blocks of several owners between the same nodes. */
#ifndef SCHEME_WAVEFRONT_MERGED_H
#define SCHEME_WAVEFRONT_MERGED_H

#include "delivery/schedule_sink.h"
#include "lattice/lattice_points.h"
#include "delivery/periodic_colouring.h"

/**
 * What a lightpath carries is a bundle: at node x, hops of one length s from several offsets h bring the blocks of the owners
 * x - h to node x + s.
 */
struct aggregated {
    struct wave wave;
    uint32_t *order;            /* offsets 1 … nodes-1 by bundle */
    size_t bundles;
    uint32_t *bundle;           /* where each begins in `order`, and the end */
    uint32_t *group;            /* where the bundles of each step and direction begin: group 2 (step - 1) + direction */
    struct colouring *colouring;      /* of each group, over its bundles */
};

struct aggregated_limits {
    uint32_t nodes, channels, slots;
    uint32_t max_hops;          /* 0: no limit */
    uint32_t fewer_than;        /* steps; with as many, merging is for nothing */
    uint64_t seed;
};

/**
 * The merged wave of fewest steps that was found.  Cost O(N log N) a round; up to 32 searches of some rounds for each number
 * of steps tried.
 * @return RWA_OK, also when there was none with fewer steps than asked (out->bundles is then 0); RWA_NOMEM; RWA_CANCELLED.
 *         aggregated_free() in any case
 */
rwa_status aggregated_find(struct aggregated *out, const struct aggregated_limits *limits, struct budget *budget, rwa_error *err);
void aggregated_free(struct aggregated *merged);

/** Push the all-gather as one stage that the caller ends; block b is node b's.  RWA_NOMEM. */
rwa_status push_aggregated(struct schedule_sink *sink, const struct aggregated *merged, uint32_t wavelengths, rwa_error *err);

#endif
