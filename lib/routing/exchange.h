/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all round a ring, directed or a lightpath for each pair of nodes: direction and wavelength of every one in
 *  O(1).  The assignments are optimal. */
#pragma once

#include "rwa/network.h"

/** Set the direction and colour of one lightpath of an all-to-all among `ranks` places in cyclic order round a ring:
 *  the one from place u to place v (u != v, counted from 0).  The all-to-all is made `copies` times; `copy`, from 0, is
 *  the one meant.  No two lightpaths of one direction and colour share a link, wherever the places lie.  Each direction
 *  has ceil(copies * floor(ranks^2 / 4) / 2) colours, the fewest possible for evenly spaced places, by the total length
 *  of the lightpaths.  Proof in docs/reference/bounds.md. */
void exchange_assign(uint32_t ranks, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                     uint32_t *colour);

/** Return the fewest wavelengths for one lightpath between each two of n nodes on a ring: (n^2 - 1)/8 for odd n,
 *  ceil(n^2/8) for n = 2 mod 4, and n^2/8 + 1 for n = 0 mod 4. */
uint64_t ring_pairs_wavelengths(uint32_t nodes);

/** Set the direction of the route from node u to node v (u != v), and the colour of this unordered pair, below
 *  ring_pairs_wavelengths().  From v to u the route has the same links and colour.  No two pairs of one colour share a
 *  link. */
void ring_pairs_assign(uint32_t nodes, uint32_t u, uint32_t v, rwa_direction *dir, uint32_t *colour);
