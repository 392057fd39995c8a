/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all round a ring, directed or a lightpath for each pair of nodes: direction and wavelength of every one in
 *  O(1).  The assignments are optimal. */
#pragma once

#include "rwa/network.h"

/**
 * Set the direction and colour of the lightpath from place u to place v (u != v) of `ranks` places in cyclic order
 * round a ring, in copy `copy` of `copies`.  No two lightpaths of one direction and colour share a link, wherever the
 * places lie, and the colours number ceil(copies * floor(ranks^2 / 4) / 2) per direction, which the total length shows
 * to be the fewest for evenly spaced places.  Proof in docs/reference/bounds.md.
 */
void exchange_assign(uint32_t ranks, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                     uint32_t *colour);

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
