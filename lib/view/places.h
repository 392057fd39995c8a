/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where a network that lists its links stands in a square, and how its links run. */
#ifndef VIEW_PLACES_H
#define VIEW_PLACES_H

#include "rwa/network.h"

struct places {
    double *x, *y;  /* of every node, 0 … 1, y downwards */
    double *bow;    /* of every directed link: how far its handles stand off the straight line, to the right; 0: straight */
};

/** Whatever the outcome, places_close() must follow.  Cost O(links * nodes), besides network_layout(). */
rwa_status places_open(struct places *p, const rwa_network *net, rwa_error *err);
void places_close(struct places *p);

#endif
