/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The layout of a network that lists its links in the unit square. */
#pragma once

#include "rwa/network.h"

struct places {
    double *x, *y;  /* of every node, 0 … 1, y downwards */
    double *bow;    /* of every directed link: how far its handles stand off the straight line, to the right; 0:
                       straight */
};

/** Of maps with one line a link, and with a line for each lightpath of it. */
#define PLACES_OF_LINES 0.035
#define PLACES_OF_BUNDLES 0.11

/** places_close() must follow, also after a failure.  `apart`: as network_layout() takes it, one of those above.  Cost
 *  O(links * nodes), besides network_layout(). */
rwa_status places_open(struct places *p, const rwa_network *net, double apart, rwa_error *err);
void places_close(struct places *p);
