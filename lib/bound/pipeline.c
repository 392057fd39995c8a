/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/spread.h"

/** On a line the blocks go over one link of the root towards its longer side. */
static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    uint64_t width = (c->kind == RWA_RING ? 2 : 1) * (uint64_t)c->channels;
    (void)err;
    if (c->coll->kind == RWA_BROADCAST)
        b->value = bound_divide_up(c->coll->blocks, width) - 1 + spread_steps(c);
    return RWA_OK;
}

const struct bound_entry bound_pipeline = {
    "pipeline", "steps",
    "the root sends at most one block per outgoing channel and step, and the block that leaves it last has yet to reach "
    "all nodes",
    "docs/bounds.md: counting at a node, and gaps between holders", compute};
