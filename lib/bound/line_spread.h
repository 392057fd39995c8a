/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cheapest spreads along a line when every link has its own price in each direction and step: the recurrence over
 * gaps of docs/reference/bounds.md, link-capacity, for lightpaths that several nodes may read ("Taps").  Prices are
 * mirrored: a link downwards costs what its mirror image costs upwards.
 */
#pragma once

#include "base/arena.h"

/** Costs from here on stand for what cannot be done; what can be must cost less. */
#define LINE_SPREAD_FAR (UINT64_C(1) << 60)

struct line_spread {
    struct arena memory;    /* of the arrays */
    uint32_t nodes, steps, max_hops;
    uint32_t drops;         /**< as many nodes may read a lightpath */
    uint64_t *price; /**< the caller's: price[t * (nodes - 1) + e] of the link from node e up in step t, both from 0 */
    uint64_t *right;        /**< after line_spread_solve(): the least cost of informing all nodes above an owner */
    uint64_t *gap;    /**< [a][b]: of informing all nodes between the holders a and b in the steps that are left … */
    uint64_t *before; /**< … of those before b, by hops up from a and later steps, when b knows after this one … */
    uint64_t *reach;        /**< … and with the hop to b */
    uint64_t *some_before, *some_reach; /**< [p][b]: the same of the node at hand, when the last p informed before b, or
                                           up to b, are yet without a lightpath */
    uint64_t *upto;         /**< the prices of all links below a node, in this step */
    uint32_t *last;         /**< of each step, a, p and b: the node informed before b … */
    uint32_t *without;      /**< … of each step and a, b: how many the lightpath that ends at b takes along … */
    uint32_t *split;        /**< … the first that is informed from above, or b … */
    uint32_t *farthest;     /**< … and of each step and node, where its farthest hop towards the end goes */
    uint32_t *gaps, *next_gaps, *hops, *holders,
        *next_holders; /* how often each occurs in the spreads counted; hops [a][p][b] */
};

/** (8 + 4 drops) steps * nodes² bytes; RWA_NOMEM.  line_spread_close() in any case. */
rwa_status line_spread_open(struct line_spread *s, uint32_t nodes, uint32_t steps, uint32_t max_hops, uint32_t drops,
                            rwa_error *err);
void line_spread_close(struct line_spread *s);

/** Fill s->right.  steps * nodes³ * drops / 3 operations. */
void line_spread_solve(struct line_spread *s);

/**
 * The links that the spreads just solved pass, which must all be possible; hops down are counted where they are
 * mirrored.
 * @param[out] load  as s->price
 * @param sides      how often the right side of each owner counts
 */
void line_spread_links(struct line_spread *s, uint64_t *load, const uint32_t *sides);
