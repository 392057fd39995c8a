/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/spread.h"

/** The longest way to the end of a line from the root, or from the node for which it is longest. */
static uint64_t longest_side(const struct bound_case *c)
{
    uint64_t left = c->coll->root, right = c->nodes - 1 - left;
    if (c->coll->kind != RWA_BROADCAST)
        return c->nodes - 1;
    return left > right ? left : right;
}

/** gap: the longest gap between two holders that can be filled; side: the most nodes beyond the last holder. */
uint64_t spread_steps(const struct bound_case *c)
{
    uint64_t gap = 1, side = 0, steps = 0;
    while (c->kind == RWA_RING ? gap < c->nodes : side < longest_side(c)) {
        uint64_t reach = bound_times(c->channels, gap);
        if (reach > c->max_hops)
            reach = c->max_hops;
        side += reach;
        gap += 2 * reach;
        steps++;
    }
    return steps;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    rwa_collective_kind k = c->coll->kind;
    (void)err;
    if (k == RWA_ALL_GATHER || k == RWA_REDUCE_SCATTER || k == RWA_ALL_REDUCE || k == RWA_BROADCAST)
        b->value = spread_steps(c);
    return RWA_OK;
}

const struct bound_entry bound_spread = {
    "spread", "steps",
    "one block alone, with all channels, passes from each holder to at most W nodes on either side in a step, none "
    "beyond the hop limit",
    "docs/bounds.md: gaps between holders", compute};
