/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers on a line, or on a ring some of whose clockwise links failed.
 *
 * Positions 0 … nodes-1 are numbered along the line; rising lightpaths have way 0, falling ones way 1.  Link e lies
 * between positions e and e + 1.  On a ring, positions are numbered counterclockwise, the direction in which all links
 * work.  Position e is *cut* if the link from e + 1 down to e failed, so that no lightpath falls over link e.  All
 * blocks reach a cut position over the one link from below, so no lightpath may pass it: rising lightpaths end there.
 * Position 0 is cut, so the lightpaths of a step and direction are intervals as on a line.
 *
 * Block b belongs to position b.  It rises from there, and falls down to the nearest cut position.  The positions that
 * it covers form a line of their own, counted from its lower end: place x is position (origin[b] + x) mod nodes.  The
 * trees of blocks use places.  On a line places are positions. */
#pragma once

#include "delivery/delivery_tree.h"
#include "lattice/lattice_points.h"

enum { RISING, FALLING };

static inline uint32_t line_origin(const struct spread_limits *l, uint32_t block)
{
    return l->origin ? l->origin[block] : 0;
}

static inline uint32_t line_position(const struct spread_limits *l, uint32_t block, uint32_t place)
{
    uint32_t at = place + line_origin(l, block);
    assert(place <= l->nodes);
    return at >= l->nodes ? at - l->nodes : at;
}

/** Return the place of a block's owner.  Places count the nodes that the block can reach, from the lower end of their
 * line. */
static inline uint32_t line_owner(const struct spread_limits *l, uint32_t block)
{
    return (block + l->nodes - line_origin(l, block)) % l->nodes;
}

static inline bool line_is_cut(const struct spread_limits *l, uint32_t position)
{
    return l->cut && l->cut[position];
}

/** Return the number of the lowest link on the route of delivery d of a block.  It is the position of the lower end of
 * the route. */
static inline uint32_t line_lowest_link(const struct spread_limits *l, uint32_t block, const struct delivery *d)
{
    return line_position(l, block, d->way == RISING ? d->from : d->from - d->links);
}
