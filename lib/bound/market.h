/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Prices of resources, and what they prove: at any prices, so many steps are too few if the cheapest spreads of all
 * blocks cost more than all resources are worth.  Good prices are found by a market: what the cheapest spreads overfill
 * becomes dearer, what they leave idle cheaper.  The proof is computed in whole numbers, so that nothing rests on how
 * the prices were found.
 */
#pragma once

#include "base/arena.h"

struct bound_case;

struct market {
    struct arena memory;    /**< of the arrays */
    size_t count;           /**< of resources */
    uint64_t *room;         /**< of each: so often spreads may take it; at least 1 */
    double *weight;         /**< of each: its share of what all are worth, in proportion */
    uint64_t factor;        /**< spreads of each kind */
    void *spreads;          /**< for the functions below */
    struct rounds *rounds;
};

/** Spreads for which resources have prices. */
struct market_kind {
    const char *name;
    /** Resources, first weights and spreads for so many steps.  RWA_NOMEM; close() in any case. */
    rwa_status (*open)(struct market *m, uint64_t steps, const struct bound_case *c);
    void (*close)(struct market *m);
    /** The cost of the cheapest spreads, saturating; what those just found take of each resource, into load. */
    uint64_t (*cost)(void *spreads, const uint64_t *price);
    void (*links)(void *spreads, uint64_t *load);
    /** Operations of cost() and links(). */
    double (*work)(uint64_t steps, const struct bound_case *c);
};

/** The arrays for so many resources.  RWA_NOMEM. */
rwa_status market_new(struct market *m, size_t count);

/** Raise the steps as long as some prices show that they are too few, up to those of a schedule that is known. */
rwa_status market_raise(uint64_t *steps, const struct bound_case *c, const struct market_kind *kind, rwa_error *err);
