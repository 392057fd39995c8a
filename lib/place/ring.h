/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The steps of allocating the lightpaths of a ring to traffic. */
#pragma once

#include "place/place.h"

/** Traffic and the ring that carries it.  Link s joins node s and s + 1; direction 0 is clockwise. */
struct ring_job {
    const rwa_traffic *traffic;
    uint32_t nodes, channels;
    int directions;         /* 1: clockwise only */
    float *share;           /* of each flow: the share that goes clockwise */
};

/** One lightpath. */
struct ring_path {
    uint32_t flow, channel;
    uint8_t direction;
};

/** Lightpaths being packed, and the links that they take on each channel. */
struct ring_packing {
    const struct ring_job *job;
    size_t words;           /* of 64 links each, per channel */
    uint64_t *busy;         /* [(direction * channels + channel) * words …] */
    uint32_t *count;        /* of each flow */
    uint32_t *order;        /* of the flows: longest first, or reversed */
    struct ring_path *path;
    size_t paths, capacity;
};

/** Hops of a flow in a direction. */
uint32_t ring_hops(const struct ring_job *job, size_t flow, int direction);
/** Hops of a flow in its shorter direction. */
uint32_t ring_shortest(const struct ring_job *job, size_t flow);

/**
 * Split the flows between the directions so that the most loaded link is nearly as empty as possible (multiplicative
 * weights), and bound the load from below by link weights: sum T dist <= load * channels * sum of weights, for any
 * weights.
 * @param[out] bound  no lightpaths carry the traffic with less load per lightpath; INFINITY: not every flow can have a
 *                    lightpath
 */
rwa_status ring_balance(struct ring_job *job, double *bound, rwa_error *err);

rwa_status packing_open(struct ring_packing *p, const struct ring_job *job, rwa_error *err);
void packing_free(struct ring_packing *p);
/** Start again, and give every flow enough lightpaths for at most `load` bytes each.  *all is false when some flows
 *  found no channel; the others have their lightpaths. */
rwa_status packing_try(struct ring_packing *p, double load, bool *all, rwa_error *err);
/** From now on let the flows of the fewest hops choose their channels first. */
void packing_reverse(struct ring_packing *p);
/** Add a lightpath on a channel that is free on all links of its route. */
rwa_status packing_put(struct ring_packing *p, size_t flow, int direction, uint32_t channel, rwa_error *err);
/** Add lightpaths, always for the slowest flow that still finds a channel, until none does. */
rwa_status packing_fill(struct ring_packing *p, rwa_error *err);
/** The largest bytes per lightpath among the flows that have lightpaths; served: the number of these flows. */
double packing_load(const struct ring_packing *p, size_t *served);
/** Channels that suffice for one lightpath for each flow; 0: more than were tried. */
rwa_status packing_need(uint32_t *channels, const struct ring_job *job, rwa_error *err);

/** Choose all lightpaths by one integer program.  Replaces the packing if a better one is found; raises *bound when
 *  the program proves more.  RWA_OK with nothing changed when a limit stopped it. */
rwa_status ring_ilp(struct ring_packing *best, double *bound, struct budget *budget, rwa_error *err);
/** The number of columns of that program. */
double ring_ilp_size(const struct ring_job *job);
