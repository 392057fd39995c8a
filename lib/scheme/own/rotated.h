/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the files of the turned trees share.
 *
 * The vector is cut into b blocks, each with a tree of its own that ends in some nodes, the tops.  All trees are one tree,
 * turned: with the nodes in b groups of p neighbours, block j's stands j p places further on than block 0's.  So a hop of the
 * tree loads a link as its length, laid round a circle of p places, loads that place, and b trees fit where one loads no place
 * of the circle more than W times.  That is a wave on p W channels (lattice/lattice_points.h), of which only every p-th node is an
 * owner: fewer blocks, fewer steps, and each step longer.
 */
#ifndef SCHEME_TURNED_H
#define SCHEME_TURNED_H

#include "base/base.h"
#include "scheme/scheme.h"

/** Where the trees stand.  Where b p is more than N, some nodes are two places each; places - nodes <= nodes. */
struct rotation {
    uint32_t nodes, channels;
    uint32_t blocks, spacing, places;   /* b, p and b p */
};

/** A hop of block 0's tree, from the tops outwards; block j's is j p places further on, on channel rotated_channel(). */
struct rotated_hop {
    uint32_t from, to;          /* places */
    uint32_t step;              /* from 1; after the last level: of the exchange between the tops */
    uint8_t direction;          /* rwa_direction */
    uint32_t chain;             /* of those that its step and direction has room for */
    uint32_t base, round, turn;
};

/** The tree of block 0. */
struct rotated_tree {
    uint32_t levels, tops;
    size_t count;
    struct rotated_hop *hop;     /* by step, and in it by direction */
    size_t *first;              /* of each step and direction, 2 (step - 1) + direction, up to count: 2 levels + 3 entries */
    uint32_t *told;             /* the step that tells each place; 0: a top */
};

void rotated_tree_free(struct rotated_tree *tree);

/** About N / group blocks, a number whose divisors make up W; 1 <= group <= nodes. */
struct rotation rotation_of(uint32_t nodes, uint32_t channels, uint32_t group);

/**
 * A tree whose tops, when there are several, exchange their sums in one step; it follows the cheapest waves of `planned` levels
 * as far as channels go.
 * @return RWA_OK, also when it would take more than `most` levels (tree->count is then 0); RWA_NOMEM.  rotated_tree_free() in
 *         any case; RWA_CANCELLED
 */
rwa_status rotated_tree_lay(struct rotated_tree *tree, const struct rotation *at, uint32_t planned, uint32_t tops, uint32_t most,
                           struct budget *budget, rwa_error *err);

/** What hops of one step and direction may load: W channels in chains of so many rounds of p places, and what is taken. */
struct rotated_room {
    const struct rotation *at;
    uint32_t chains;
    uint32_t *round;
    uint32_t *load;             /* of each chain, at each place modulo p */
};

/** RWA_NOMEM; rotated_room_close() in any case. */
rwa_status rotated_room_open(struct rotated_room *room, const struct rotation *at, rwa_error *err);
void rotated_room_clear(struct rotated_room *room);
/** Whether a chain has room for the hop, which is then taken and knows its chain. */
bool rotated_room_take(struct rotated_room *room, struct rotated_hop *hop);
void rotated_room_close(struct rotated_room *room);

/** Channels for all hops that were taken, for all blocks at once; *fits is nearly always true.  RWA_NOMEM. */
rwa_status rotated_colour(bool *fits, struct rotated_hop *hop, size_t count, const struct rotated_room *room, rwa_error *err);

/** Parts of W, each a divisor of b, whose sum is at most W: the largest first; how many (at most W). */
uint32_t rotated_rounds(uint32_t *round, uint32_t blocks, uint32_t channels);

static inline uint32_t rotated_channel(const struct rotated_hop *hop, uint32_t block)
{
    return hop->base + (block % hop->round + hop->round - hop->turn) % hop->round;
}

/** Links that the hop crosses. */
static inline uint32_t rotated_length(const struct rotated_hop *hop, const struct rotation *at)
{
    bool onward = hop->direction == RWA_CW;
    uint32_t low = onward ? hop->from : hop->to, high = onward ? hop->to : hop->from;
    return high >= low ? high - low : at->places - low + high;
}

/** The node that a place of block j's tree is, counted from the tree's own first place. */
static inline uint32_t rotated_node(const struct rotation *at, uint32_t block, uint32_t place)
{
    uint64_t turned = ((uint64_t)block * at->spacing + place) % at->places;
    return (uint32_t)(turned * at->nodes / at->places);
}

/** Whether a node that is two places is told earlier as the other one, so that a hop of block j tells it nothing. */
bool rotated_is_told(const struct rotated_tree *tree, const struct rotation *at, const struct rotated_hop *hop, uint32_t block);

/** The tree of a group size that takes the fewest steps, 2 levels and one more with several tops.  RWA_NOMEM; RWA_CANCELLED. */
rwa_status rotated_find(struct rotated_tree *tree, struct rotation *at, uint32_t nodes, uint32_t channels, uint32_t group,
                       struct budget *budget, rwa_error *err);

static inline uint32_t rotated_steps(const struct rotated_tree *tree)
{
    return 2 * tree->levels + (tree->tops > 1);
}

/** Steps of both passes with a lightpath that was not up in the step before; 0: too many lightpaths to look at. */
uint32_t rotated_settings(const struct rotated_tree *tree, const struct rotation *at);

#endif
