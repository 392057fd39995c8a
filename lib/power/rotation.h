/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A rotation of a ring that maps the lightpaths of a step onto themselves. */
#pragma once

#include "base/arena.h"
#include "power/power.h"

struct rotation {
    uint32_t turn;              /* nodes; as many as the network has: there is no such rotation */
    const rwa_network *net;
    const rwa_lightpath *list;
    uint32_t *at;               /* at each beginning: 1 + the lightpath; 0: none */
};

/** Return the number, below 2 * channels * nodes, of the place (fibre, direction, wavelength, node) at which a
 *  lightpath would begin if its source were moved to node `src`.  Of all lightpaths that are up, at most one begins at
 *  each place. */
size_t beginning_of(const rwa_network *net, const rwa_lightpath *lp, uint32_t src);

/**
 * Find the least rotation that maps the lightpaths of a step, with their taps, onto themselves, and those that send
 * onto those that send.  What is computed for the lightpaths that begin at the first `turn` nodes then holds for all.
 * Cost O(count * divisors of the number of nodes + channels * nodes).  RWA_NOMEM.
 * @param[out] out  uses `lightpaths` and the arena
 * @param lit       the number of lightpaths that send: the first ones of `count`
 */
rwa_status rotation_find(struct rotation *out, const rwa_network *net, const rwa_lightpath *lightpaths,
                         const struct power_taps *taps, size_t count, size_t lit, struct arena *memory);

/** Return the source of the first copy of lightpath i: the node below `turn` to which rotations by multiples of `turn`
 *  move its source. */
static inline uint32_t rotation_src(const struct rotation *r, size_t i)
{
    return r->list[i].src % r->turn;
}

/** Return the index of the copy of lightpath i whose source is `back` nodes before that of i; back is a multiple of
 *  `turn`. */
size_t rotation_back(const struct rotation *r, size_t i, uint32_t back);
