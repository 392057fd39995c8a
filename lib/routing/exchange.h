/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all round a ring, directed or a lightpath for each pair of nodes: direction and wavelength of every one in
 *  O(1).  The assignments are optimal. */
#pragma once

#include "rwa/network.h"

/** Set the direction and colour of a lightpath in an all-to-all among `ranks` places in cyclic order round a ring, made
 *  `copies` times: the one from place u to place v (u != v, counted from 0) in copy number `copy`.  No two lightpaths
 *  of one direction and colour share a link, wherever the places lie.  Each direction has ceil(copies * floor(ranks^2 /
 *  4) / 2) colours, the fewest possible for evenly spaced places, by their total length.  Proof in
 *  docs/reference/bounds.md. */
void exchange_assign(uint32_t ranks, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                     uint32_t *colour);

/** Return the fewest wavelengths for one lightpath between each two of n nodes on a ring: (n^2 - 1)/8 for odd n,
 *  ceil(n^2/8) for n = 2 mod 4, and n^2/8 + 1 for n = 0 mod 4.  The average load proves this except for the last 1.
 *  For n = 0 mod 4, n^2/8 wavelengths would mean shortest routes only, and the same load on all links.  Routes shorter
 *  than half the ring load all links alike, but half circles cannot: exactly one of them ends at each node, so that the
 *  loads of its two links differ. */
uint64_t ring_pairs_wavelengths(uint32_t nodes);

/** Set the direction of the route from node u to node v (u != v) and the colour of the pair, which is below
 *  ring_pairs_wavelengths().  No two pairs of one colour share a link. */
void ring_pairs_assign(uint32_t nodes, uint32_t u, uint32_t v, rwa_direction *dir, uint32_t *colour);
