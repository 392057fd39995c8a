/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A plan under construction: the step, sender and direction by which each node receives a block.
 *
 * A template is a single tree whose nodes are offsets from the owner: the blocks of all owners move alike, translated
 * to the owner (rings, tori).  Otherwise there is a tree for each block, whose nodes are nodes of the network. */
#pragma once

#include "base/base.h"
#include "base/bins.h"

/** How a node receives a block. `way` is a direction: 2d leads up dimension d, and 2d + 1 down.  On a ring or a line 0
 * is clockwise and 1 counterclockwise, as in rwa_direction. */
struct delivery {
    uint32_t from;              /* the sender */
    uint32_t step;              /* receive step, from 1; 0: the node holds the block from the start */
    uint32_t channel;           /* once coloured, where each delivery has its own */
    uint32_t links;             /* between sender and receiver */
    uint8_t way;
    bool ends;                  /* the lightpath ends here; otherwise it goes on, and this node taps it */
};

struct delivery_tree {
    uint32_t nodes, steps;
    uint32_t trees;             /* 1: a template; otherwise one for each block */
    struct delivery *at;        /* [tree][node] */
};

/** Create trees in which no node holds anything yet.  RWA_NOMEM; delivery_tree_free() in any case. */
rwa_status delivery_tree_create(struct delivery_tree *out, uint32_t trees, uint32_t nodes, uint32_t steps,
                                rwa_error *err);
void delivery_tree_free(struct delivery_tree *tree);
void delivery_tree_swap(struct delivery_tree *a, struct delivery_tree *b);
static inline struct delivery *delivery_tree_row(const struct delivery_tree *tree, uint32_t block)
{
    assert(block < tree->trees);
    return tree->at + (size_t)block * tree->nodes;
}

/** Return the number of the slot of a delivery, from 0.  A slot is a step and a direction; `ways` is the number of
 * directions. */
static inline size_t delivery_slot(const struct delivery *d, uint32_t ways)
{
    assert(d->step > 0 && d->way < ways);
    return (size_t)(d->step - 1) * ways + d->way;
}

/** Sort the deliveries of all trees into bins: by step (bin step - 1) or, if by_way, by step and direction
 * (delivery_slot() with 2 directions).  Each bin lists indices in tree->at, ascending.  RWA_NOMEM; bins_free() in any
 * case.  O(deliveries + slots). */
rwa_status delivery_tree_list(struct bins *out, const struct delivery_tree *tree, bool by_way, rwa_error *err);

/** In debug builds, assert that each node receives once, within the steps, from a node of the same tree that holds the
 * block before. */
#ifdef NDEBUG
#define delivery_tree_check(tree) ((void)0)
#else
void delivery_tree_check(const struct delivery_tree *tree);
#endif
