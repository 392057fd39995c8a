/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all round a ring: direction and wavelength of every pair in O(1); the assignment is optimal. */
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
