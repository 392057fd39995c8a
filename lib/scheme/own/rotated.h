/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Shared by the files of the rotated trees.
 *
 * The vector is cut into b blocks, each with a tree of its own that ends in some nodes, the roots.  All trees are one tree,
 * rotated: with the nodes in b groups of p neighbours, block j's stands j p places further on than block 0's.  So a hop of the
 * tree loads a link as its length, laid round a circle of p places, loads that place, and b trees fit where one loads no place
 * of the circle more than W times.  That is a broadcast tree on p W channels (lattice/lattice_points.h), of which only every p-th
 * node is an owner: fewer blocks, fewer steps, and each step longer.
 */
#pragma once

#include "delivery/delivery_tree.h"
#include "scheme/scheme.h"

/** Places of the trees.  When b p is more than N, some nodes are two places each; places - nodes <= nodes. */
struct rotation {
    uint32_t nodes, channels;
    uint32_t blocks, spacing, places;   /* b, p and b p */
};

/** A hop of block 0's tree, from the roots outwards; block j's is j p places further on, on channel rotated_channel(). */
struct rotated_hop {
    uint32_t to;                /* places, here and in the delivery */
    struct delivery d;          /* after the last level: of the exchange between the roots */
    uint32_t chain;             /* of those that its step and direction has capacity for */
    uint32_t base, rounds, shift;
};

/** The tree of block 0. */
struct rotated_tree {
    uint32_t levels, roots;
    size_t count;
    struct rotated_hop *hop;     /* by step, and in it by direction */
    size_t *first;              /* of each step and direction, 2 (step - 1) + direction, up to count: 2 levels + 3 entries */
    struct delivery_tree tree;  /* of places; roots hold the block from the start */
};

void rotated_tree_free(struct rotated_tree *tree);

/** About N / group blocks, a number whose divisors make up W; 1 <= group <= nodes. */
struct rotation rotation_of(uint32_t nodes, uint32_t channels, uint32_t group);

/**
 * A tree whose roots, when there are several, exchange their sums in one step; it follows the cheapest trees of `planned` levels
 * as far as channels go.
 * @return RWA_OK, also when it would take more than `most` levels (tree->count is then 0); RWA_NOMEM.  rotated_tree_free() in
 *         any case; RWA_CANCELLED
 */
rwa_status rotated_tree_place(struct rotated_tree *tree, const struct rotation *at, uint32_t planned, uint32_t roots, uint32_t most,
                           struct budget *budget, rwa_error *err);

/** The load that hops of one step and direction may add: W channels in chains of so many rounds of p places, and what is taken. */
struct rotated_capacity {
    const struct rotation *at;
    uint32_t chains;
    uint32_t *round;
    uint32_t *load;             /* of each chain, at each place modulo p */
};

/** RWA_NOMEM; rotated_capacity_close() in any case. */
rwa_status rotated_capacity_open(struct rotated_capacity *capacity, const struct rotation *at, rwa_error *err);
void rotated_capacity_clear(struct rotated_capacity *capacity);
/** Whether a chain has capacity for the hop, which is then taken and knows its chain. */
bool rotated_capacity_take(struct rotated_capacity *capacity, struct rotated_hop *hop);
void rotated_capacity_close(struct rotated_capacity *capacity);

/** Channels for all hops that were taken, for all blocks at once; *fits is nearly always true.  RWA_NOMEM. */
rwa_status rotated_colour(bool *fits, struct rotated_hop *hop, size_t count, const struct rotated_capacity *capacity, rwa_error *err);

/** Parts of W, each a divisor of b, whose sum is at most W: the largest first; how many (at most W). */
uint32_t rotated_rounds(uint32_t *round, uint32_t blocks, uint32_t channels);

static inline uint32_t rotated_channel(const struct rotated_hop *hop, uint32_t block)
{
    return hop->base + (block % hop->rounds + hop->rounds - hop->shift) % hop->rounds;
}

/** The node that a place of block j's tree is, counted from the tree's own first place. */
static inline uint32_t rotated_node(const struct rotation *at, uint32_t block, uint32_t place)
{
    uint64_t rotated = ((uint64_t)block * at->spacing + place) % at->places;
    return (uint32_t)(rotated * at->nodes / at->places);
}

/** Whether a node that is two places receives earlier as the other one, so that a hop of block j brings it nothing. */
bool rotated_is_received(const struct rotated_tree *tree, const struct rotation *at, const struct rotated_hop *hop, uint32_t block);

/** The tree of a group size that takes the fewest steps, 2 levels and one more with several roots.  RWA_NOMEM; RWA_CANCELLED. */
rwa_status rotated_find(struct rotated_tree *tree, struct rotation *at, uint32_t nodes, uint32_t channels, uint32_t group,
                       struct budget *budget, rwa_error *err);

/** No tree of the group size has fewer levels. */
uint32_t rotated_least_levels(uint32_t nodes, uint32_t channels, uint32_t group);

static inline uint32_t rotated_steps(const struct rotated_tree *tree)
{
    return 2 * tree->levels + (tree->roots > 1);
}

/** The tree of a group size on the request's ring, until its caller wants no more. */
rwa_status rotated_choose(struct rotated_tree *tree, struct rotation *at, const struct plan_request *request, uint32_t group,
                          rwa_error *err);

/** opts->group is at least 2, or not given.  RWA_BADARG */
rwa_status rotated_validate(const struct plan_request *request, rwa_error *err);

/** The cost of a group size. */
struct rotated_candidate {
    uint32_t group, steps;
    double share;               /* steps, each of one block's part of the vector */
};

/** Group sizes of which each is the quickest for some message, fewest steps first, but those that take no less than request->below_s for
 *  their steps alone.  RWA_NOMEM; RWA_CANCELLED */
enum { ROTATED_CANDIDATES = 64 };
rwa_status rotated_candidates(struct rotated_candidate *hull, size_t *count, const struct plan_request *request, rwa_error *err);
