/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/exchange.h"

#include <assert.h>

/** Return the number of the unordered pair of a and b, which differ: below n (n - 1) / 2 for pairs of numbers below
 *  n. */
static uint32_t pair(uint32_t a, uint32_t b)
{
    uint32_t high = a > b ? a : b, low = a > b ? b : a;
    return (uint32_t)((uint64_t)high * (high - 1) / 2) + low;
}

/**
 * Set direction and colour for an even number of places, 2m.  The arcs a->b, b->a+m, a+m->b+m, b+m->a (a < b < m)
 * together go round the ring once, and every arc shorter than half the ring is in exactly one such tile.  The two arcs
 * of an antipodal pair go round the ring too; they alternate in direction over all pairs of all copies.
 */
static void assign_even(uint32_t m, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                        uint32_t *colour)
{
    uint32_t tiles = (uint32_t)((uint64_t)m * (m - 1) / 2);
    uint32_t ahead = (v + 2 * m - u) % (2 * m);
    if (ahead == m) {
        uint32_t turn = copy * m + u % m;
        *dir = turn % 2 == 0 ? RWA_CW : RWA_CCW;
        *colour = copies * tiles + turn / 2;
    } else {
        *dir = ahead < m ? RWA_CW : RWA_CCW;
        *colour = copy * tiles + pair(u % m, v % m);
    }
}

/** Set direction and colour for an odd number of places, 2m - 1: as on 2m places without the last one. */
static void assign_odd(uint32_t m, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir, uint32_t *colour)
{
    uint32_t ranks = 2 * m - 1, tiles = (uint32_t)((uint64_t)m * (m - 1) / 2);
    uint32_t a = u % m, b = v % m;
    if (a == b)
        b = m - 1; /* the arc that passes over the missing place */
    *dir = (v + ranks - u) % ranks <= m - 1 ? RWA_CW : RWA_CCW;
    *colour = copy * tiles + pair(a, b);
}

void exchange_assign(uint32_t ranks, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                     uint32_t *colour)
{
    assert(u < ranks && v < ranks && u != v && copy < copies);
    if (ranks % 2 == 0)
        assign_even(ranks / 2, copies, u, v, copy, dir, colour);
    else
        assign_odd((ranks + 1) / 2, u, v, copy, dir, colour);
}
