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
 * blocks speak of places.  On a line places are positions.
 */
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

/** The place of the owner. */
static inline uint32_t line_owner(const struct spread_limits *l, uint32_t block)
{
    return (block + l->nodes - line_origin(l, block)) % l->nodes;
}

static inline bool line_is_cut(const struct spread_limits *l, uint32_t position)
{
    return l->cut && l->cut[position];
}

/** The lowest link of a delivery's route. */
static inline uint32_t line_lowest_link(const struct spread_limits *l, uint32_t block, const struct delivery *d)
{
    return line_position(l, block, d->way == RISING ? d->from : d->from - d->links);
}
