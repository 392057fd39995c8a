/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-gathers on a line, or on a ring some of whose clockwise links failed.
 *
 * Positions 0 … nodes-1 stand along the line; rising lightpaths have way 0, falling ones way 1.  Link e lies between
 * positions e and e + 1.  On a ring they run counterclockwise, where all links work, and begin at a node that the
 * clockwise link towards it has failed: position e is *cut* if no lightpath falls over link e.  A cut position takes
 * all in over its rising link, so that nothing may pass it by: lightpaths end there.  Position 0 is one, and those of a
 * step and direction are intervals as on a line.
 *
 * Block b is that of position b.  It rises from there, and falls down to the nearest cut; what lies between is a line
 * of its own, whose nodes are counted from its lower end: place x is position (origin[b] + x) mod nodes.  Trees of
 * blocks speak of places.
 */
#pragma once

#include "delivery/delivery_tree.h"

struct line_limits {
    uint32_t nodes, channels;   /* channels of each link and direction */
    uint32_t max_hops;          /* 0: no limit */
    uint32_t drops;             /* as many nodes may read a lightpath; 1: its end only */
    uint32_t ports;             /* a node reads, and sends, no more lightpaths in a step; 0: no limit */
    uint64_t seed;
    const bool *cut;            /* NULL: a line; otherwise of each position, and cut[0] */
    const uint32_t *origin;     /* of each block; set by line_schedule_find() */
};

enum { RISING, FALLING };

static inline uint32_t line_position(const struct line_limits *l, uint32_t block, uint32_t place)
{
    uint32_t at = place + l->origin[block];
    assert(place <= l->nodes);
    return at >= l->nodes ? at - l->nodes : at;
}

/** The place of the owner. */
static inline uint32_t line_owner(const struct line_limits *l, uint32_t block)
{
    return (block + l->nodes - l->origin[block]) % l->nodes;
}

static inline bool line_is_cut(const struct line_limits *l, uint32_t position)
{
    return l->cut && l->cut[position];
}

/** The lowest link of a delivery's route. */
static inline uint32_t line_lowest_link(const struct line_limits *l, uint32_t block, const struct delivery *d)
{
    return line_position(l, block, d->way == RISING ? d->from : d->from - d->links);
}

/** A lower bound on the steps: an end, or a cut position, has one link in, a node so many ports, and on a line a block
 *  travels max_hops a step. */
uint32_t line_fewest_steps(const struct line_limits *limits);
