/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The layout in the unit square of a network that lists its links. */
#pragma once

#include "base/arena.h"
#include "rwa/network.h"

struct places {
    double *x, *y;  /* of every node, 0 … 1, y downwards */
    double *bow;    /* of every directed link: how far its handles stand off the straight line, to the right; 0:
                       straight */
};

/** Set p to the layout of a network: positions of nodes and bends of links.  The arrays are in `memory`.  The cost is
 *  O(links * nodes), besides network_layout(). */
rwa_status places_open(struct places *p, const rwa_network *net, struct arena *memory);
