/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lattice/spheres.h"

#include "base/arithmetic.h"

struct spheres spheres_of(uint64_t steps, uint64_t drops)
{
    struct spheres s = {.steps = steps, .alone = 2 * drops, .here = 1};
    return s;
}

/** Return the number of lattice points at s->distance.  Without a hop limit, also compute n(v), the number at the next
 *  distance v, from those at the two distances before.  If the integers have a + 1 points at each distance but 0, the
 *  generating function for t steps is ((1 + a z) / (1 - z))^t.  Hence v n(v) = (t (a+1) - (a-1) (v-1)) n(v-1) + a (v-2)
 *  n(v-2); the right-hand side is taken modulo 2^64. */
uint64_t spheres_next(struct spheres *s)
{
    uint64_t size = s->here, v = ++s->distance, a = s->alone - 1;
    assert(v > 0);
    if (s->size)
        return v - 1 < s->count ? s->size[v - 1] : 0;
    s->here = ((s->steps * (a + 1) - (a - 1) * (v - 1)) * size + (v > 1 ? a * (v - 2) : 0) * s->before) / v;
    s->before = size;
    return size;
}

uint64_t spheres_cost(struct spheres s, uint64_t count)
{
    uint64_t sum = 0;
    while (count > 0) {
        uint64_t distance = s.distance, size = spheres_next(&s);
        if (size == 0)
            return UINT64_MAX;
        LOWER(size, count);
        sum = plus_saturated(sum, times_saturated(size, distance));
        count -= size;
    }
    return sum;
}

rwa_status spheres_open(struct spheres *s, uint32_t max_hops, uint32_t drops, uint32_t enough, rwa_error *err)
{
    *s = (struct spheres){.max_hops = max_hops, .drops = drops, .enough = enough, .count = 1};
    MUST(base_new(s->size, (size_t)max_hops + 1, err));
    s->size[0] = 1;
    return RWA_OK;
}

void spheres_close(struct spheres *s)
{
    free(s->size);
}

/** Replace s->size[v], the number of lattice points at distance v, for t - 1 steps by that for t steps, in place.  The
 *  old points get 0 as their new coordinate.  On each side of 0, each old point gives s->drops new points at each
 *  larger distance.  Of all new points of a side only the s->max_hops nearest count, since a lightpath crosses at most
 *  that many links. */
void spheres_step(struct spheres *s)
{
    uint64_t nearer = 0, kept = 0;
    uint32_t left = s->max_hops;
    size_t v = 0;
    /* v stays below max_hops + 1: up to there the origin alone gives the new points that are left */
    for (; kept < s->enough && (v < s->count || left > 0); v++) {
        uint32_t old = v < s->count ? s->size[v] : 0;
        uint32_t moved = nearer * s->drops < left ? (uint32_t)(nearer * s->drops) : left;
        uint64_t size = old + 2 * (uint64_t)moved;
        left -= moved;
        nearer += old;
        s->size[v] = size < s->enough ? (uint32_t)size : s->enough;
        kept += s->size[v];
    }
    s->count = v;
    s->steps++;
}
