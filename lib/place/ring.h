/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The steps of choosing the lightpaths of a ring for given traffic. */
#pragma once

#include "place/place.h"

/** Traffic, and the ring that carries it.  Link s joins nodes s and s + 1; direction 0 is clockwise. */
struct ring_job {
    const rwa_traffic *traffic;
    uint32_t nodes, channels;
    int directions;         /* 1: clockwise only */
    float *share;           /* of each flow: the share that goes clockwise */
};

/** A lightpath of a flow: its channel and its direction. */
struct ring_path {
    uint32_t flow, channel;
    uint8_t direction;
};

/** The lightpaths chosen so far, and the links that they occupy on each channel. */
struct ring_packing {
    const struct ring_job *job;
    size_t words;           /* of 64 links each, per channel */
    uint64_t *busy;         /* [(direction * channels + channel) * words …] */
    uint32_t *count;        /* of each flow */
    uint32_t *order;        /* of the flows: longest first, or reversed */
    struct ring_path *path;
    size_t paths;
};

/** Return the number of links that a flow crosses in a direction (0: clockwise, 1: counter-clockwise). */
uint32_t ring_hops(const struct ring_job *job, size_t flow, int direction);
/** Return the number of links that a flow crosses in its shorter direction. */
uint32_t ring_shortest(const struct ring_job *job, size_t flow);

/**
 * Split each flow between the two directions (job->share) such that the most loaded link carries nearly as few bytes as
 * possible, by multiplicative weights.  Also find a lower bound on the load, the most bytes on a lightpath: load *
 * channels * (sum of all link weights) is at least the sum of bytes * (weight of the lighter route) over all flows, for
 * any weights of the links.
 * @param[out] bound  a lower bound on the load; INFINITY: not every flow can have a lightpath
 */
rwa_status ring_balance(struct ring_job *job, double *bound, rwa_error *err);

rwa_status packing_open(struct ring_packing *p, const struct ring_job *job, rwa_error *err);
void packing_free(struct ring_packing *p);
/** Remove all lightpaths, then give every flow enough lightpaths for at most `load` bytes on each.  *all is false if
 *  some flows found too few free channels; the other flows have their lightpaths. */
rwa_status packing_try(struct ring_packing *p, double load, bool *all, rwa_error *err);
/** Reverse the order in which flows choose their channels: at first those with the most hops come first. */
void packing_reverse(struct ring_packing *p);
/** Add a lightpath of a flow, in a direction (0: clockwise) and on a channel that must be free on all links of its
 *  route. */
rwa_status packing_put(struct ring_packing *p, size_t flow, int direction, uint32_t channel, rwa_error *err);
/** Add further lightpaths until none fits, each to that flow with a free channel which has the most bytes on a
 *  lightpath. */
rwa_status packing_fill(struct ring_packing *p, rwa_error *err);
/** Return the most bytes on any lightpath.  Set *served to the number of flows that have lightpaths. */
double packing_load(const struct ring_packing *p, size_t *served);
/** Set *channels to a number of channels that suffices for one lightpath of each flow, or to 0 if more are needed than
 *  were tried. */
rwa_status packing_need(uint32_t *channels, const struct ring_job *job, rwa_error *err);

/** Choose all lightpaths by one integer program.  Replace `best` if the program finds a better packing, and raise
 *  *bound, a lower bound on the load per lightpath, if it proves more.  RWA_OK without any change if a limit stopped
 *  it. */
rwa_status ring_ilp(struct ring_packing *best, double *bound, struct budget *budget, rwa_error *err);
/** Return how many variables the integer program of ring_ilp() has. */
double ring_ilp_size(const struct ring_job *job);
