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

/** Return a number, below 2 * channels * nodes, for the place (direction, fibre, wavelength, node) at which a lightpath
 *  would begin if its source were `src`.  Of the lightpaths that are up, at most one begins at each place. */
size_t beginning_of(const rwa_network *net, const rwa_lightpath *lp, uint32_t src);

/**
 * Find the least rotation, by out->turn nodes, that maps the lightpaths of a step onto themselves: with their taps, and
 * those that send onto those that send.  The power of the lightpaths from the first `turn` nodes, the first copies,
 * then stands for all.  Without such a rotation `turn` is the number of nodes.  Cost O(count * divisors of the number
 * of nodes + channels * nodes).  RWA_NOMEM.
 * @param[out] out  uses `lightpaths` and the arena
 * @param lit       the number of lightpaths that send: the first ones of `count`
 */
rwa_status rotation_find(struct rotation *out, const rwa_network *net, const rwa_lightpath *lightpaths,
                         const struct power_taps *taps, size_t count, size_t lit, struct arena *memory);

/** Return the source of the first copy of lightpath i, the rotated lightpath that stands for it: the node below r->turn
 *  that rotations by r->turn nodes take to the source of i. */
static inline uint32_t rotation_src(const struct rotation *r, size_t i)
{
    return r->list[i].src % r->turn;
}

/** Return the index of the copy of lightpath i whose source is `back` nodes before its own.  `back` is a multiple of
 *  r->turn, below the number of nodes. */
size_t rotation_back(const struct rotation *r, size_t i, uint32_t back);
