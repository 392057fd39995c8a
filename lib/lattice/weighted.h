/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cheapest spreads under a hop limit when links of different steps have different prices: the recurrence of
 * docs/bounds.md, Theorem 2, on the sorted slopes of one side (each stands for two points, the origin is left out).
 */
#pragma once

#include "base/arena.h"

/** Origin of a slope, so that the links passed in each step can be counted. */
struct slope_origin {
    uint32_t slope;         /**< of the table one step shorter; ORIGIN: none, the holder itself */
    uint32_t times;         /**< the price of the step; 0: the slope was there before */
};

struct weighted {
    struct arena memory;    /* of the arrays */
    uint32_t steps, slopes, max_hops, drops;
    uint64_t *slope;        /**< after weighted_solve(): rising */
    uint64_t *next, *reach;
    struct slope_origin *reach_from;
    struct slope_origin *from;  /**< slopes of them for each step */
    uint64_t *count;            /**< 2 * slopes of them */
};

/**
 * @param slopes  how many of the smallest are wanted; steps * max_hops >= slopes
 * @param drops   K >= 1: how many nodes may read one lightpath
 */
rwa_status weighted_open(struct weighted *w, uint32_t steps, uint32_t slopes, uint32_t max_hops, uint32_t drops,
                         rwa_error *err);
void weighted_close(struct weighted *w);

/** Fill w->slope for the prices of steps 1 … steps.  O(steps * slopes). */
void weighted_solve(struct weighted *w, const uint64_t *price);

/**
 * The links passed in each step by the spreads just solved, slope j counted share[j] times.
 * @param[out] links  steps entries
 */
void weighted_links(struct weighted *w, uint64_t *links, const uint64_t *share);
