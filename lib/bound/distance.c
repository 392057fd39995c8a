/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

/** The sum of max(0, d - hops) over the distances d from a node to the n nodes on one side of it. */
static uint64_t beyond(uint64_t n, uint64_t hops)
{
    uint64_t left = n > hops ? n - hops : 0;
    return left * (left + 1) / 2;
}

/** The same over all other nodes. */
static uint64_t beyond_from(const struct bound_case *c, uint64_t v, uint64_t hops)
{
    uint64_t far_side = c->nodes - 1 - v, near_side = v;
    if (c->kind == RWA_RING) {
        near_side = (c->nodes - 1) / 2;
        far_side = c->nodes / 2;
    }
    return bound_plus(beyond(near_side, hops), beyond(far_side, hops));
}

/** And over all ordered pairs: on a line, each length d is that of 2(N - d) of them. */
static uint64_t beyond_in_all(const struct bound_case *c, uint64_t hops)
{
    uint64_t n = c->nodes, left = n - 1 > hops ? n - 1 - hops : 0;
    if (c->kind == RWA_RING)
        return bound_times(n, beyond_from(c, 0, hops));
    return bound_times(2, bound_times(left * (left + 1) / 2, left + 2) / 3);
}

static uint64_t length(const struct bound_case *c, uint64_t hops)
{
    uint64_t each = c->coll->blocks / c->nodes;
    if (c->coll->kind == RWA_ALL_TO_ALL)
        return c->coll->blocks == (uint64_t)c->nodes * c->nodes ? beyond_in_all(c, hops) : 0;
    if (c->coll->kind == RWA_SCATTER || c->coll->kind == RWA_GATHER)
        return bound_times(each, beyond_from(c, c->coll->root, hops));
    return 0;
}

static uint64_t farthest(const struct bound_case *c)
{
    uint64_t root = c->coll->root, other = c->nodes - 1 - root;
    if (c->kind == RWA_RING)
        return c->nodes / 2;
    if (c->coll->kind == RWA_ALL_TO_ALL)
        return c->nodes - 1;
    return root > other ? root : other;
}

/** In j steps no block gets nearer by more than j * max_hops; what is left must fit the steps after. */
static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    uint64_t links = c->kind == RWA_RING ? c->nodes : c->nodes - 1, width = 2 * links * c->channels;
    uint64_t last = (farthest(c) - 1) / c->max_hops;
    (void)err;
    if (length(c, 0) == 0)
        return RWA_OK;
    b->value = bound_divide_up(length(c, 0), width);
    uint64_t with_relays = last + bound_divide_up(length(c, last * c->max_hops), width);
    if (with_relays > b->value)
        b->value = with_relays;
    return RWA_OK;
}

const struct bound_entry bound_distance = {
    "distance", "steps",
    "the distances that all blocks have to go, added up, need that many channels of links; a block gets nearer by at most "
    "the hop limit in a step",
    "docs/bounds.md: counting of link loads", compute};
