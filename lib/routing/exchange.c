/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * With an even number of places, 2m, the four clockwise arcs a->b, b->a+m, a+m->b+m and b+m->a (a < b < m) go round the
 * ring once: a tile, which has one colour.  Every clockwise arc shorter than half the ring is in exactly one tile; the
 * counter-clockwise arcs form tiles in the same way.  The two arcs between antipodal places, both clockwise or both
 * counter-clockwise, go round the ring too.  These pairs of arcs take the two directions in turn, so that two pairs,
 * one in each direction, share a colour.  With an odd number of places, 2m - 1, the last of 2m places is missing.
 */
#include "routing/exchange.h"

#include <assert.h>
#include <stdbool.h>

/** Return the number of the unordered pair {a, b}, a != b, in a numbering of all pairs: below n (n - 1) / 2 if a and b
 *  are below n. */
static uint32_t pair(uint32_t a, uint32_t b)
{
    uint32_t high = a > b ? a : b, low = a > b ? b : a;
    return (uint32_t)((uint64_t)high * (high - 1) / 2) + low;
}

void exchange_assign(uint32_t ranks, uint32_t copies, uint32_t u, uint32_t v, uint32_t copy, rwa_direction *dir,
                     uint32_t *colour)
{
    assert(u < ranks && v < ranks && u != v && copy < copies);
    uint32_t m = ranks / 2 + ranks % 2, tiles = (uint32_t)((uint64_t)m * (m - 1) / 2), ahead = (v + ranks - u) % ranks;
    uint32_t a = u % m, b = v % m, turn = copy * m + a;
    if (2 * ahead == ranks) {
        *dir = turn % 2 == 0 ? RWA_CW : RWA_CCW;
        *colour = copies * tiles + turn / 2;
        return;
    }
    *dir = 2 * ahead < ranks ? RWA_CW : RWA_CCW;
    *colour = copy * tiles + pair(a, a == b ? m - 1 : b); /* a == b: an arc that passes over the missing place */
}

/* ---- pairs ---- */

uint64_t ring_pairs_wavelengths(uint32_t nodes)
{
    uint64_t square = (uint64_t)nodes * nodes;
    /* The average load proves all but the 1 added for n = 0 mod 4.  There n^2/8 wavelengths would mean shortest routes
     * only, and the same load on all links.  Routes shorter than half the ring load all links alike.  Half circles do
     * not: at each node one of them ends and the others pass, so that the loads of its two links differ by 1. */
    return nodes % 4 == 0 ? square / 8 + 1 : (square + 7) / 8 - (nodes % 2);
}

/* Set the direction and colour of the half circle between nodes i and i + m, i < m, of a ring of 2m nodes.  *dir is the
 * direction of the route that starts at node u, one of the two. */
static void assign_half(uint32_t m, uint32_t u, uint32_t i, rwa_direction *dir, uint32_t *colour)
{
    uint32_t tiles = (uint32_t)((uint64_t)m * (m - 1) / 2);
    bool first = u < m;             /* otherwise the route runs from the other end */
    if (i % 2 == 0) {   /* over the links of the arcs i->i+1 and i+1->i+m, in place of these in their tile */
        rwa_direction ignored = RWA_CW;
        *dir = first ? RWA_CW : RWA_CCW;
        *colour = tiles + m / 2;    /* i = m - 1 has no such tile: it joins the arcs that move_arc() puts here */
        if (i + 1 < m)
            exchange_assign(2 * m, 1, i, i + 1, 0, &ignored, colour);
    } else {            /* clockwise from i + m, beside the arc i->i-1+m, which leaves its tile */
        *dir = first ? RWA_CCW : RWA_CW;
        *colour = tiles + i / 2;
    }
}

/* Set *colour to a new colour for the clockwise arc from a to b if its links, in its old colour, serve a half circle of
 * assign_half(); otherwise leave *colour unchanged.  The arc has fewer than m links, on a ring of 2m nodes. */
static void move_arc(uint32_t m, uint32_t a, uint32_t b, uint32_t *colour)
{
    uint32_t tiles = (uint32_t)((uint64_t)m * (m - 1) / 2);
    if (a % 2 == 0 && a < m && b == a + 1 && b < m)
        *colour = tiles + m / 2;    /* all such arcs, each of one link */
    if (a % 2 == 1 && a < m && b == a - 1 + m)
        *colour = tiles + a / 2;
}

void ring_pairs_assign(uint32_t nodes, uint32_t u, uint32_t v, rwa_direction *dir, uint32_t *colour)
{
    assert(u < nodes && v < nodes && u != v);
    uint32_t m = nodes / 2, ahead = (v + nodes - u) % nodes;
    if (nodes % 2 == 0 && ahead == m) {
        assign_half(m, u, u % m, dir, colour);
        return;
    }
    bool clockwise = ahead < nodes - ahead;
    uint32_t a = clockwise ? u : v, b = clockwise ? v : u;
    exchange_assign(nodes, 1, a, b, 0, dir, colour); /* only clockwise arcs are used */
    *dir = clockwise ? RWA_CW : RWA_CCW;
    if (nodes % 2 == 0)
        move_arc(m, a, b, colour);
}
