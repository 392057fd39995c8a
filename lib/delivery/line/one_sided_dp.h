/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The cheapest way for a block to one end of a line, at prices for each link, direction and step. */
#pragma once

#include "base/arena.h"
#include "delivery/delivery_tree.h"

/** Costs from here on stand for what cannot be done; what can be must cost less. */
enum { DP_INFEASIBLE = 1 << 30 };

/** Target of the deliveries: node v of the line, counted from the owner (0) to the end, is row[origin + v], or mirrored
 *  row[origin - v]; the first step is number steps_before + 1.  Rising lightpaths get way 0, falling ones way 1. */
struct dp_target {
    struct delivery *row;
    uint32_t origin, steps_before;
    bool mirrored;
};

/** The same recurrence over gaps as in docs/bounds.md, link-capacity, but for one owner, and with deliveries as the result.  Gaps and
 *  hops are no longer than `longest`: [a][d] is about nodes a and a + d, or going back a and a - d. */
struct one_sided_dp {
    struct arena memory;    /* of the arrays */
    uint32_t steps, longest;    /* as created, or fewer */
    uint32_t drops;             /* as many nodes may read a lightpath */
    uint32_t *out, *back;       /* the caller's: prices of the link from node e to e + 1 in a step, out[step * links + e], and back */
    const uint32_t *stop[2];    /* the caller's, or NULL: of each node, the last to which hops out, and back, may go from there */
    size_t row;                 /* entries of a row [d], with space for whole vectors beyond */
    int32_t *gap;               /* [step][a][d]: of informing all nodes between two holders from this step on … */
    int32_t *gap_back;          /* … [step][a + d][d] */
    int32_t *before;            /* [a][d]: of those before a node that holds the block after this step, by hops out from a … */
    int32_t *reach;             /* … and with the hop to it … */
    int32_t *reach_back;        /* … by hops back from a + d to a */
    int32_t *end;               /* [step][a]: of all beyond the outermost holder */
    int32_t *upto[2];           /* [step][a]: the prices of all links before a node, out and back */
    int32_t *some_before, *some_reach; /* [p][d]: before and reach of the node at hand, when the outermost p informed before d are yet
                                          without a lightpath, which is to end farther out */
    uint16_t *last;             /* [p][d]: how far the hop before that to d goes … */
    uint16_t *without;          /* … how many the lightpath that ends at d takes along … */
    uint16_t *chain;            /* … and the hops found so, of each step being written */
};

/** For sides of up to `links` links; longest < 65536.  8 steps * links * longest bytes; RWA_NOMEM.  Free it in any
 *  case. */
rwa_status one_sided_dp_create(struct one_sided_dp *s, uint32_t links, uint32_t steps, uint32_t longest, uint32_t drops, rwa_error *err);
void one_sided_dp_free(struct one_sided_dp *s);

/** Find the cheapest way over so many links, one delivery to each node; false, and nothing is written: there is none.
 *  O(steps * links * longest² * drops). */
bool one_sided_dp_find(struct one_sided_dp *s, uint32_t links, const struct dp_target *to);

/** The same for a gap: nodes 0 and links both hold the block, 2 <= links <= longest, steps >= 1.  links - 1 deliveries. */
bool one_sided_dp_fill(struct one_sided_dp *s, uint32_t links, const struct dp_target *to);
