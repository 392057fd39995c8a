/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How full lightpaths can be: a node puts at most the blocks that it holds on a lightpath, and at the start it holds
 * only its own.  docs/reference/bounds.md, "Fuller lightpaths, and taps".
 */
#include "bound/case.h"
#include "collective/needs.h"

/** Return the most blocks that a node can put on a lightpath in the first step: its own blocks that others need.  If
 * the collective is considered time-reversed, these are the blocks that the node needs at the end or, with taps, the
 * blocks of all owners. */
static uint64_t own(const struct bound_case *c)
{
    switch (c->coll->kind) {
    case RWA_ALL_GATHER:
    case RWA_GATHER:
        return ceil_div(c->coll->blocks, c->nodes);
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER:
        /* each receiver of a lightpath may need the blocks of another owner */
        return c->taps ? c->coll->blocks : ceil_div(c->coll->blocks, c->nodes);
    case RWA_ALL_TO_ALL:
        return (c->nodes - 1) * collective_parts(c->coll);
    default: /* all blocks are at the root, or a part of each is at every node */
        return c->coll->blocks;
    }
}

/** Return the most blocks that a node of a ring or line can hold after one more step, if every node held at most
 * `held` before: each channel of its two links brings up to `held`.  UINT64_MAX on other networks: no limit is known.
 */
static uint64_t held_after(const struct bound_case *c, uint64_t held)
{
    return c->arcs ? plus_saturated(held, times_saturated(2 * (uint64_t)c->lightpaths, held)) : UINT64_MAX;
}

uint64_t bound_filled(const struct bound_case *c, uint64_t steps)
{
    uint64_t held = own(c), sum = 0;
    assert(held > 0);
    for (; steps > 0 && held < c->slots; steps--) {
        sum = plus_saturated(sum, held);
        held = held_after(c, held);
    }
    return plus_saturated(sum, times_saturated(steps, c->slots));
}

uint64_t bound_steps_to_pass(const struct bound_case *c, uint64_t blocks, uint64_t width)
{
    uint64_t held = own(c), steps = 0;
    assert(held > 0 && width > 0 && width % c->slots == 0);
    for (; blocks > 0 && held < c->slots; steps++) {
        uint64_t passed = times_saturated(width / c->slots, held);
        blocks = blocks > passed ? blocks - passed : 0;
        held = held_after(c, held);
    }
    return steps + ceil_div(blocks, width);
}
