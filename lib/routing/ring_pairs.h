/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All pairs round a ring, each with one route and one wavelength for both directions: optimal, in O(1) a pair. */
#pragma once

#include "rwa/network.h"

/**
 * The wavelengths that one lightpath per unordered pair of n nodes needs: (n^2 - 1)/8 for odd n, ceil(n^2/8) for n = 2
 * mod 4, and n^2/8 + 1 for n = 0 mod 4.  The average load proves all but the last.  For n = 0 mod 4, a load of n^2/8 on
 * every link would require shortest routes only.  Those shorter than half the ring load all links alike, but the half
 * circles cannot, since one of them begins or ends at every node.
 */
uint64_t ring_pairs_wavelengths(uint32_t nodes);

/** Return the direction of the route from u to v (u != v) and the colour of the pair.  Two pairs of one colour share
 *  no link. */
void ring_pairs_assign(uint32_t nodes, uint32_t u, uint32_t v, rwa_direction *dir, uint32_t *colour);
