/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cheapest spreads along a line when every link has a price in each direction and step: the recurrence over gaps
 * of docs/reference/bounds.md, link-capacity, for lightpaths with several receivers ("Taps").  Prices are mirrored:
 * a link downwards costs what its mirror image costs upwards.
 */
#pragma once

#include "base/arena.h"

/** This cost and higher ones mean "impossible"; costs of possible spreads are lower. */
#define LINE_SPREAD_FAR (UINT64_C(1) << 60)

struct line_spread {
    struct arena memory;    /* of the arrays below */
    uint32_t nodes, steps, max_hops;
    uint32_t drops;         /**< most receivers of a lightpath */
    uint64_t *price; /**< set by the caller: price[t * (nodes - 1) + e] of the link from node e upwards in step t; e
                          and t from 0 */
    uint64_t *right;        /**< result of line_spread_solve(): least cost of informing all nodes above an owner */
    uint64_t *gap;    /**< [a][b]: least cost of informing all nodes between holders a and b in the steps left */
    uint64_t *before; /**< [a][b]: of informing those before b, by hops up from a and by later steps, if b is a
                           holder after this step */
    uint64_t *reach;        /**< [a][b]: the same, including the hop to b */
    uint64_t *some_before, *some_reach; /**< [p][b]: before and reach of the current node a, when the last p nodes
                                             informed before b (reach: up to b) have no lightpath yet */
    uint64_t *upto;         /**< [v]: prices of all links below node v in this step, added up */
    uint32_t *last;         /**< [step][a][p][b]: the node informed before b */
    uint32_t *without;      /**< [step][a][b]: how many nodes the lightpath that ends at b takes along */
    uint32_t *split;        /**< [step][a][b]: the first node that is informed from above, or b */
    uint32_t *farthest;     /**< [step][a]: where the farthest hop of a towards the end goes */
    uint32_t *gaps, *next_gaps, *hops, *holders,
        *next_holders; /* how often each occurs in the spreads that are counted; hops [a][p][b] */
};

/** Allocate the tables for a line of `nodes` nodes: (8 + 4 drops) steps * nodes² bytes.  RWA_NOMEM.  Call
 * line_spread_close() in any case.
 * @param max_hops  most links of a lightpath
 * @param drops     most receivers of a lightpath */
rwa_status line_spread_open(struct line_spread *s, uint32_t nodes, uint32_t steps, uint32_t max_hops, uint32_t drops,
                            rwa_error *err);
void line_spread_close(struct line_spread *s);

/** Compute s->right from s->price: for each owner, the least cost of informing all nodes above it.  It takes
 * O(steps * nodes³ * drops / 3) operations. */
void line_spread_solve(struct line_spread *s);

/** Count how often each link is used by the spreads that line_spread_solve() has found.  Lightpaths downwards are
 * counted on the mirror images of their links.
 * @param[out] load  indexed as s->price
 * @param sides      how often the spread of each owner to the nodes above it counts; if that is not 0, the spread must
 *                   exist */
void line_spread_links(struct line_spread *s, uint64_t *load, const uint32_t *sides);
