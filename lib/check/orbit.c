/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Orbits, expanded as docs/reference/formats.md says: records that stand for one lightpath and its translations.  The
 * checker has code of its own, so that a mistake in the planners' expansion cannot hide here.
 * The nodes of rings, tori and hypercubes have coordinates, the last one fastest.  Lightpath i of an orbit is the
 * first one translated by node i: coordinates are added, each modulo its size.
 */
#include "check/checker.h"

#include "network/translations.h"

void coordinates_open(struct coordinates *c, const rwa_network *net)
{
    const uint32_t *shape;
    size_t count = rwa_network_shape(&shape, net);
    rwa_topology kind = rwa_network_topology(net);
    *c = (struct coordinates){.nodes = rwa_network_nodes(net), .count = 1};
    c->size[0] = c->nodes;
    if (kind == RWA_TORUS) {
        c->count = count;
        memcpy(c->size, shape, count * sizeof *shape);
    } else if (kind == RWA_HYPERCUBE) {
        c->count = shape[0];
        for (size_t d = 0; d < c->count; d++)
            c->size[d] = 2;
    }
}

/** Return the node whose coordinates are the sums (`minus`: the differences) of those of nodes a and b, each modulo
 *  its size. */
static uint32_t combine(const struct coordinates *c, uint32_t a, uint32_t b, bool minus)
{
    uint32_t node = 0, stride = 1;
    for (size_t d = c->count; d-- > 0;) {
        uint32_t size = c->size[d], x = d > 0 ? a % size : a, y = d > 0 ? b % size : b;
        uint32_t by = minus && y > 0 ? size - y : y;
        assert(x < size && y < size);
        node += (x < size - by ? x + by : x - (size - by)) * stride;
        stride *= size;
        a = d > 0 ? a / size : 0;
        b = d > 0 ? b / size : 0;
    }
    return node;
}

uint32_t node_plus(const struct coordinates *c, uint32_t a, uint32_t b)
{
    return combine(c, a, b, false);
}

uint32_t node_minus(const struct coordinates *c, uint32_t a, uint32_t b)
{
    return combine(c, a, b, true);
}

uint32_t coordinate_of(const struct coordinates *c, uint32_t node, size_t dimension)
{
    for (size_t d = c->count - 1; d > dimension; d--)
        node /= c->size[d];
    return node % c->size[dimension];
}

size_t first_difference(const struct coordinates *c, uint32_t a, uint32_t b)
{
    for (size_t d = 0; d + 1 < c->count; d++)
        if (coordinate_of(c, a, d) != coordinate_of(c, b, d))
            return d;
    return c->count - 1;
}

uint64_t block_plus(const struct coordinates *c, const rwa_collective *coll, uint64_t block, uint32_t i)
{
    uint64_t each = coll->blocks / coll->nodes, owner = block / each, rest = block % each;
    uint64_t parts = coll->kind == RWA_ALL_TO_ALL ? each / coll->nodes : 0;
    assert(block < coll->blocks);
    if (parts > 0)
        rest = node_plus(c, (uint32_t)(rest / parts), i) * parts + rest % parts;
    return node_plus(c, (uint32_t)owner, i) * each + rest;
}

rwa_lightpath lightpath_plus(const struct coordinates *c, const rwa_collective *coll, const rwa_lightpath *record,
                             uint32_t i, uint32_t wavelengths)
{
    rwa_lightpath lp = *record;
    uint64_t channel = (uint64_t)record->fiber * wavelengths + record->wavelength;
    lp.orbit = 1;
    lp.period = 0;
    if (record->orbit <= 1 || i == 0)
        return lp;
    uint64_t base = channel - channel % record->period,
             x = coordinate_of(c, i, first_difference(c, record->src, record->dst));
    channel = base + (channel - base + x) % record->period;
    lp.src = node_plus(c, record->src, i);
    lp.dst = node_plus(c, record->dst, i);
    lp.fiber = (uint32_t)(channel / wavelengths);
    lp.wavelength = (uint32_t)(channel % wavelengths);
    lp.block = block_plus(c, coll, record->block, i);
    return lp;
}

bool orbit_allowed(struct checker *chk, const rwa_lightpath *lp)
{
    if (lp->orbit == 1)
        return true;
    const rwa_collective *c = chk->coll;
    bool whole = network_has_arcs(chk->net) ? lp->orbit >= 1 && lp->orbit <= chk->nodes : lp->orbit == chk->nodes;
    bool fits = lp->period >= 1 && channel_of(chk, lp) / lp->period < rwa_network_channels(chk->net) / lp->period;
    if (whole && fits && network_has_orbits(chk->net) && !chk->members && blocks_rotate(c))
        return true;
    REPORT(chk, RWA_VIOLATION_ORBIT,
           "step %u: orbit %u with period %u is not allowed here (expected whole periods, and up to all nodes of a "
           "ring, or all of a torus or hypercube)", lp->step, lp->orbit, lp->period);
    return false;
}
