/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All pairs round a ring, each with one route and wavelength both ways: optimal in O(1) a pair. */
#pragma once

#include "rwa/network.h"

/**
 * Wavelengths that one lightpath per unordered pair of n nodes needs: (n^2 - 1)/8 for odd n, ceil(n^2/8) for n = 2 mod
 * 4, and n^2/8 + 1 for n = 0 mod 4.  The average load proves all but the last: there a load of n^2/8 on every link
 * leaves only shortest routes, of which those shorter than half the ring load all links alike; the half circles, one of
 * which begins or ends at every node, cannot.
 */
uint64_t ring_pairs_wavelengths(uint32_t nodes);

/** The route from u to v (u != v) and the colour of the pair; no two pairs of one colour share a link. */
void ring_pairs_assign(uint32_t nodes, uint32_t u, uint32_t v, rwa_direction *dir, uint32_t *colour);
