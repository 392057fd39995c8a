/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block needs a tree of lightpaths that reaches all nodes in time; all trees together must fit the channels. */
#include "bound/bound.h"
#include "bound/shells.h"

enum { POLL_EVERY = 4096 };

/** Channels-times-links that every block needs whatever its tree: a sum must also come back from where it is complete. */
static uint64_t extra(const struct bound_case *c)
{
    return c->coll->kind == RWA_ALL_REDUCE ? c->nodes - 1 : 0;
}

/** All blocks' trees against all links of both directions. */
static bool fits_all(const struct shells *s, uint64_t steps, const struct bound_case *c)
{
    uint64_t links = c->kind == RWA_RING ? c->nodes : c->nodes - 1;
    uint64_t each = bound_plus(shells_cost(*s, c->nodes), extra(c));
    return bound_times(each, c->coll->blocks) <= bound_times(2 * links * c->channels, steps);
}

/** What the links from `from` + 1 to `to`, counted from the end of a line, carry when each node owns one block. */
static uint64_t carried(uint64_t nodes, uint64_t from, uint64_t to, uint64_t distance)
{
    uint64_t owners = (to - from) * nodes - (to * (to + 1) - from * (from + 1)) / 2;
    return bound_times(owners, distance);
}

/**
 * The last m links of a line, in the direction of its end, for every m.  The j-th of them is passed by the blocks of
 * N - j owners, in each by a trace as far out as the j-th point of half a lattice; within a shell the excess over the
 * links' channels is greatest at the last j for which it still grows.
 */
static bool fits_ends(struct shells s, uint64_t steps, const struct bound_case *c)
{
    uint64_t nodes = c->nodes, each = c->coll->blocks / nodes, room = bound_times(c->channels, steps);
    uint64_t sum = 0;
    (void)shells_next(&s);
    for (uint64_t from = 0, to = 0; from < nodes - 1; from = to) {
        uint64_t distance = s.distance, size = shells_next(&s) / 2;
        if (size == 0)
            return false;
        to = size < nodes - 1 - from ? from + size : nodes - 1;
        uint64_t enough = each > 0 ? room / bound_times(each, distance) : nodes;
        uint64_t worst = enough < nodes ? nodes - 1 - enough : 0;
        if (worst > to)
            worst = to;
        if (worst > from && bound_times(each, bound_plus(sum, carried(nodes, from, worst, distance))) >
                                bound_times(worst, room))
            return false;
        sum = bound_plus(sum, carried(nodes, from, to, distance));
    }
    return true;
}

/** A root on a line: the longer side is reached by lightpaths over its own links only. */
static bool fits_side(struct shells s, uint64_t steps, const struct bound_case *c)
{
    uint64_t left = c->coll->root, right = c->nodes - 1 - c->coll->root, longer = left > right ? left : right;
    uint64_t sum = 0;
    (void)shells_next(&s);
    for (uint64_t from = 0, to = 0; from < longer; from = to) {
        uint64_t distance = s.distance, size = shells_next(&s) / 2;
        if (size == 0)
            return false;
        to = size < longer - from ? from + size : longer;
        sum = bound_plus(sum, bound_times(to - from, distance));
    }
    return bound_times(c->coll->blocks, sum) <= bound_times(longer * c->channels, steps);
}

static bool fits(const struct shells *s, uint64_t steps, const struct bound_case *c)
{
    if (c->kind == RWA_RING || c->coll->kind == RWA_ALL_REDUCE)
        return fits_all(s, steps, c);
    return c->coll->kind == RWA_BROADCAST ? fits_side(*s, steps, c) : fits_ends(*s, steps, c);
}

static bool fits_unlimited(uint64_t steps, const struct bound_case *c)
{
    struct shells s = shells_of(steps);
    return fits(&s, steps, c);
}

/** More steps need shorter trees and have more channels, so the least number that fits is found by halving. */
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
    return high;
}

/** The same under a hop limit, step by step, as far as that can need more steps than `least`. */
static rwa_status raise_for_hops(uint64_t *least, const struct bound_case *c, rwa_error *err)
{
    struct hop_shells hop;
    rwa_status st = hop_shells_open(&hop, c->max_hops, 2 * c->nodes, err);
    while (st == RWA_OK && hop.steps < c->nodes) {
        hop_shells_step(&hop);
        struct shells s = hop_shells_view(&hop);
        if (hop.steps >= *least && fits(&s, hop.steps, c))
            break;
        if (hop.steps % POLL_EVERY == 0 && base_must_stop(c->watch, "broadcast-tree bound", -1))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the broadcast-tree bound");
    }
    if (*least < hop.steps)
        *least = hop.steps;
    hop_shells_close(&hop);
    return st;
}

static bool applies(rwa_collective_kind kind)
{
    return kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE || kind == RWA_BROADCAST;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    if (!applies(c->coll->kind))
        return RWA_OK;
    uint32_t farthest = c->kind == RWA_RING ? c->nodes / 2 : c->nodes - 1;
    b->value = least_unlimited(c);
    return c->max_hops < farthest ? raise_for_hops(&b->value, c, err) : RWA_OK;
}

const struct bound_entry bound_broadcast_tree = {
    "broadcast-tree", "steps",
    "every block needs a tree of lightpaths that reaches all nodes in time, and the cheapest trees of all blocks must "
    "fit the channels of all links and steps",
    "docs/bounds.md: own bound; the links a block passes leave distinct traces", compute};
