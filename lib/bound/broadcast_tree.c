/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block needs a tree of lightpaths that reaches all nodes in time; together the trees must fit the channels. */
#include "bound/case.h"

enum { POLL_EVERY = 4096 };

/** Link-channels that every block needs besides its tree: a sum must also come back from where it is complete. */
static uint64_t extra(const struct bound_case *c)
{
    return c->coll->kind == RWA_ALL_REDUCE ? c->nodes - 1 : 0;
}

/** The cost of slopes `from` + 1 to `to` on both sides, added up over all owners of a line, one block each. */
static uint64_t carried(uint64_t nodes, uint64_t from, uint64_t to, uint64_t distance)
{
    assert(from < to && to < nodes);
    uint64_t owners = (to - from) * nodes - (to * (to + 1) - from * (from + 1)) / 2;
    return times_saturated(2 * owners, distance);
}

/** The cost of the first `far` slopes of a side: for one owner, or (each = true) for as many owners as have such a
 * side. */
static uint64_t side_cost(struct spheres s, uint64_t far, uint64_t nodes, bool each)
{
    uint64_t sum = 0;
    assert(far < nodes);
    (void)spheres_next(&s);
    for (uint64_t from = 0, to = 0; from < far; from = to) {
        uint64_t distance = s.distance, size = spheres_next(&s) / 2;
        if (size == 0)
            return UINT64_MAX;
        to = size < far - from ? from + size : far;
        sum = plus_saturated(sum, each ? carried(nodes, from, to, distance) : times_saturated(to - from, distance));
    }
    return sum;
}

/**
 * Ring: the trees of all blocks against all links.  Line: both sides of every owner, for floor(blocks / nodes)
 * blocks each; or the longer side of a root, which lightpaths reach only over that side's links.
 */
struct tree_need tree_need(const struct spheres *s, const struct bound_case *c)
{
    struct tree_need need = {0, bound_links(c) * c->channels};
    assert(c->arcs && c->root < c->nodes);
    uint64_t blocks = c->coll->blocks, longer = bound_max(c->root, c->nodes - 1 - c->root);
    if (bound_on_cycle(c) || c->coll->kind == RWA_ALL_REDUCE) {
        need.cost = times_saturated(blocks, plus_saturated(spheres_cost(*s, c->nodes), extra(c)));
    } else if (c->coll->kind == RWA_BROADCAST) {
        need.cost = times_saturated(blocks, side_cost(*s, longer, c->nodes, false));
        need.room = 2 * longer * c->channels;
    } else {
        need.cost = times_saturated(blocks / c->nodes, side_cost(*s, c->nodes - 1, c->nodes, true));
    }
    return need;
}

static bool fits(const struct spheres *s, uint64_t steps, const struct bound_case *c)
{
    struct tree_need need = tree_need(s, c);
    return need.cost <= times_saturated(need.room / c->slots, bound_filled(c, steps));
}

static bool fits_unlimited(uint64_t steps, const struct bound_case *c)
{
    struct spheres s = spheres_of(steps, c->drops);
    return fits(&s, steps, c);
}

/** With more steps trees are shorter and channels more numerous, so the least sufficient number is found by
 *  bisection. */
static uint64_t least_unlimited(const struct bound_case *c)
{
    uint64_t low = 0, high = 1;
    while (!fits_unlimited(high, c)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (fits_unlimited(middle, c))
            high = middle;
        else
            low = middle;
    }
    assert(high == low + 1 && fits_unlimited(high, c));
    return high;
}

/** The same under a hop limit: tried step by step, as long as the limit can require more steps than `least`. */
static rwa_status raise_for_hops(uint64_t *least, const struct bound_case *c, rwa_error *err)
{
    struct spheres hop;
    rwa_status st = spheres_open(&hop, c->max_hops, c->drops, 2 * c->nodes, err);
    while (st == RWA_OK && hop.steps < c->nodes) {
        spheres_step(&hop);
        if (hop.steps >= *least && fits(&hop, hop.steps, c))
            break;
        if (hop.steps % POLL_EVERY == 0 && base_must_stop(c->budget, "broadcast-tree bound", -1))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the broadcast-tree bound");
    }
    RAISE(*least, hop.steps);
    spheres_close(&hop);
    return st;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    if (!c->arcs || !bound_is_spread(c))
        return RWA_OK;
    b->value = least_unlimited(c);
    return c->max_hops < bound_farthest(c) ? raise_for_hops(&b->value, c, err) : RWA_OK;
}

const struct bound_entry bound_broadcast_tree = {
    "broadcast-tree", "steps",
    "every block needs a tree of lightpaths that reaches all nodes in time, and the cheapest trees of all blocks must "
    "fit the channels of all links and steps",
    "docs/reference/bounds.md: this work; the links a block passes leave distinct traces", .compute = compute};
