/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The layout in the unit square of a network that lists its links. */
#pragma once

#include "rwa/network.h"

struct places {
    double *x, *y;  /* of every node, 0 … 1, y downwards */
    double *bow;    /* of every directed link: how far its handles stand off the straight line, to the right; 0:
                       straight */
};

/** Least distance of nodes on maps that draw a link as one line, and on maps that draw a line for each of its
 *  lightpaths. */
#define PLACES_OF_LINES 0.035
#define PLACES_OF_BUNDLES 0.11

/** Lay out a network: positions of nodes and bends of links.  `apart` is the least distance of nodes, one of the above.
 *  Call places_close() afterwards, also after a failure.  Cost O(links * nodes), besides network_layout(). */
rwa_status places_open(struct places *p, const rwa_network *net, double apart, rwa_error *err);
void places_close(struct places *p);
