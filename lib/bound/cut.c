/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/demand.h"

static uint64_t steps_over(const struct bound_case *c, struct node_run run)
{
    uint64_t out = demand_out(c->coll, run), in = demand_in(c->coll, run);
    uint64_t width = (c->kind == RWA_RING ? 2 : 1) * (uint64_t)c->channels;
    return bound_divide_up(out > in ? out : in, width);
}

/** The first p nodes; p at the ends, in the middle and on both sides of the root is where a demand can be greatest. */
static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    uint32_t counts[] = {1, c->nodes / 2, c->nodes - 1, c->coll->root, c->coll->root + 1};
    (void)err;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i] < 1 || counts[i] >= c->nodes)
            continue;
        uint64_t steps = steps_over(c, (struct node_run){0, counts[i]});
        if (steps > b->value)
            b->value = steps;
    }
    return RWA_OK;
}

const struct bound_entry bound_cut = {
    "cut", "steps",
    "what must pass from one side of a cut through the network to the other needs the channels of the links between "
    "them",
    "docs/bounds.md: counting over a cut", compute};
