/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block needs a tree of lightpaths that reaches all nodes in time; together the trees must fit the channels. */
#include "bound/case.h"

enum { POLL_EVERY = 4096 };

/** Return the link-channels (channels of a link in a step) that each block needs besides the tree that brings it to
 * all nodes: in an all-reduce nodes - 1, to collect the sum; else 0. */
static uint64_t extra(const struct bound_case *c)
{
    return c->coll->kind == RWA_ALL_REDUCE ? c->nodes - 1 : 0;
}

/** Return the link-channels that it takes if every node of a line of `nodes` nodes informs the nodes at distances
 * `from` + 1 … `to` on both sides, as far as the line reaches.  Each node informed takes `distance` link-channels.
 * Saturating. */
static uint64_t carried(uint64_t nodes, uint64_t from, uint64_t to, uint64_t distance)
{
    assert(from < to && to < nodes);
    uint64_t owners = (to - from) * nodes - (to * (to + 1) - from * (from + 1)) / 2;
    return times_saturated(2 * owners, distance);
}

/** Return the fewest link-channels that inform the nearest `far` nodes on one side of an owner; UINT64_MAX if the steps
 * do not suffice.
 * @param s     spheres of the lattice of the steps
 * @param each  true: every node of a line of `nodes` nodes is an owner, and informs the nodes on both sides, as far as
 *              the line reaches; return the sum */
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

struct tree_need tree_need(const struct spheres *s, const struct bound_case *c)
{
    struct tree_need need = {0, bound_links(c) * c->channels};
    assert(c->arcs && c->root < c->nodes);
    uint64_t blocks = c->coll->blocks, longer = bound_max(c->root, c->nodes - 1 - c->root);
    if (bound_on_cycle(c) || c->coll->kind == RWA_ALL_REDUCE) {
        need.cost = times_saturated(blocks, plus_saturated(spheres_cost(*s, c->nodes), extra(c)));
    } else if (c->coll->kind == RWA_BROADCAST) {
        /* only the longer side of the root, and the links there */
        need.cost = times_saturated(blocks, side_cost(*s, longer, c->nodes, false));
        need.capacity = 2 * longer * c->channels;
    } else {
        /* both sides of every owner, with floor(blocks / nodes) blocks each */
        need.cost = times_saturated(blocks / c->nodes, side_cost(*s, c->nodes - 1, c->nodes, true));
    }
    return need;
}

static bool fits(const struct spheres *s, uint64_t steps, const struct bound_case *c)
{
    struct tree_need need = tree_need(s, c);
    return need.cost <= times_saturated(need.capacity / c->slots, bound_filled(c, steps));
}

static bool fits_unlimited(uint64_t steps, const struct bound_case *c)
{
    struct spheres s = spheres_of(steps, c->drops);
    return fits(&s, steps, c);
}

/** Return the least number of steps in which the trees of all blocks fit the channels, without a hop limit. */
static uint64_t least_unlimited(const struct bound_case *c)
{
    uint64_t low = 0, high = 1;
    while (!fits_unlimited(high, c)) {
        low = high;
        high *= 2;
    }
    /* with more steps trees are shorter and channels more, so any larger number fits too */
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

void bound_say_need(const struct bound_case *c, uint64_t steps, uint64_t cost, const char *sum, uint64_t paths)
{
    uint64_t filled = bound_filled(c, steps), blocks = c->coll->blocks;
    if (cost == UINT64_MAX) {
        bound_say(c, "in %" PRIu64 " step%s a block cannot reach all nodes", steps, plural(steps));
        return;
    }
    bound_say(c, "in %" PRIu64 " step%s %" PRIu64 " block%s take%s %.6g channels of links each at least", steps,
              plural(steps), blocks, plural(blocks), blocks == 1 ? "s" : "", (double)cost / (double)blocks);
    if (*sum)
        text_append(c->proof, " (%s)", sum);
    text_append(c->proof, ", %" PRIu64 " in all, and the network offers %" PRIu64 " x %" PRIu64 "%s = %" PRIu64, cost,
                paths, filled, c->slots > 1 ? " (channels x blocks on each in these steps)" : "",
                times_saturated(paths, filled));
}

void bound_split_sum(char *to, const struct bound_case *c, double cost)
{
    text_append(to, "%.0f to inform all nodes, and %u to collect the sum", cost - (c->nodes - 1), c->nodes - 1);
}

void tree_sum(char *to, struct spheres size, const struct bound_case *c)
{
    enum { TERMS_MOST = 12 };
    uint64_t left = bound_on_cycle(c) && c->drops == 1 ? c->nodes - 1 : 0, now;
    for (spheres_next(&size); left > 0 && size.distance <= TERMS_MOST; left -= now) {
        uint64_t links = size.distance;
        now = spheres_next(&size);
        if (now == 0) /* no point is left: the steps do not suffice */
            return;
        LOWER(now, left);
        text_append(to, links == 1 ? "%" PRIu64 " nodes x %" PRIu64 " link" : " + %" PRIu64 " x %" PRIu64, now, links);
    }
    if (left > 0 && *to)
        text_append(to, " + ...");
    if (*to && extra(c) > 0)
        text_append(to, ", and %" PRIu64 " to collect the sum", extra(c));
}

/** Write into the proof the link-channels that the cheapest trees need in `steps` steps, and those that the network
 * offers.  `steps` is one fewer than the bound. */
static void say_need(const struct bound_case *c, const struct spheres *s, uint64_t steps)
{
    struct tree_need need = tree_need(s, c);
    char sum[RWA_ERROR_TEXT] = "";
    tree_sum(sum, *s, c);
    bound_say_need(c, steps, need.cost, sum, need.capacity / c->slots);
}

/** Raise *least to the least number of steps in which the trees of all blocks fit the channels under the hop limit.
 * One number after the other is tried, up to the number of nodes.  RWA_NOMEM; RWA_CANCELLED. */
static rwa_status raise_for_hops(uint64_t *least, const struct bound_case *c, rwa_error *err)
{
    struct spheres hop;
    rwa_status st = spheres_open(&hop, c->max_hops, c->drops, 2 * c->nodes, err);
    while (st == RWA_OK && hop.steps < c->nodes) {
        spheres_step(&hop);
        if (hop.steps >= *least && fits(&hop, hop.steps, c))
            break;
        if (hop.steps >= *least)
            say_need(c, &hop, hop.steps);
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
    struct spheres before = spheres_of(bound_max(b->value - 1, 1), c->drops);
    if (b->value > 1)
        say_need(c, &before, b->value - 1);
    else
        bound_say(c, "in 0 steps no block moves");
    return c->max_hops < bound_farthest(c) ? raise_for_hops(&b->value, c, err) : RWA_OK;
}

const struct bound_entry bound_broadcast_tree = {
    "broadcast-tree", "steps",
    "every block needs a tree of lightpaths that reaches all nodes in time, and the cheapest trees of all blocks must "
    "fit the channels of all links and steps",
    "docs/reference/bounds.md: this work", .compute = compute};
