/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Like broadcast-tree, but a link-channel has its own price in every step. */
#include "bound/bound.h"
#include "bound/market.h"
#include "lattice/weighted.h"

struct spreads {
    struct weighted weighted;
    uint64_t *share;        /* of each slope: how many sides of owners have it */
};

/** Ring: both sides of one owner.  Line: slope j + 1 of a side counts for the nodes with so long a side, on both
 * sides. */
static uint64_t share_of(uint32_t slope, const struct bound_case *c)
{
    if (bound_on_cycle(c))
        return 2 * slope + 2 <= c->nodes - 1 ? 2 : 1;
    return 2 * (uint64_t)(c->nodes - 1 - slope);
}

static uint32_t slopes_of(const struct bound_case *c)
{
    return bound_on_cycle(c) ? c->nodes / 2 : c->nodes - 1;
}

static rwa_status open_spreads(struct market *m, uint64_t steps, const struct bound_case *c)
{
    struct spreads *s = m->spreads = arena_array(&m->memory, 1, sizeof *s);
    MUST(s ? RWA_OK : RWA_NOMEM);
    MUST(market_new(m, (size_t)steps));
    arena_new(&m->memory, s->share, slopes_of(c));
    MUST(arena_status(&m->memory));
    m->factor = bound_on_cycle(c) ? c->coll->blocks : c->coll->blocks / c->nodes;
    for (uint32_t t = 0; t < steps; t++) {
        m->weight[t] = 1;
        m->room[t] = bound_links(c) * c->lightpaths * bound_load_of_step(c, t + 1);
    }
    for (uint32_t j = 0; j < slopes_of(c); j++)
        s->share[j] = share_of(j, c);
    return weighted_open(&s->weighted, (uint32_t)steps, slopes_of(c), c->max_hops, c->drops, m->memory.err);
}

static void close_spreads(struct market *m)
{
    struct spreads *s = m->spreads;
    if (s)
        weighted_close(&s->weighted);
}

static uint64_t cost(void *spreads, const uint64_t *price)
{
    struct spreads *s = spreads;
    uint64_t sum = 0;
    weighted_solve(&s->weighted, price);
    for (uint32_t j = 0; j < s->weighted.slopes; j++)
        sum = plus_saturated(sum, times_saturated(s->share[j], s->weighted.slope[j]));
    return sum;
}

static void links(void *spreads, uint64_t *load)
{
    struct spreads *s = spreads;
    weighted_links(&s->weighted, load, s->share);
}

static double work(uint64_t steps, const struct bound_case *c)
{
    return 4.0 * (double)steps * slopes_of(c);
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    bool uneven = c->max_hops < bound_farthest(c) || bound_load_of_step(c, 1) < c->slots;
    return c->arcs && everywhere && uneven && c->coll->blocks >= c->nodes;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    static const struct market_kind kind = {"step-capacity", open_spreads, close_spreads, cost, links, work};
    if (!applies(c))
        return RWA_OK;
    MUST(bound_broadcast_tree.compute(b, c, err));
    return market_raise(&b->value, c, &kind, err);
}

const struct bound_entry bound_step_capacity = {
    "step-capacity", "steps",
    "the spreads of all blocks must fit the channels of every single step, whatever price a channel has in each step; "
    "lightpaths no longer than the hop limit, and no fuller than their senders can make them",
    "docs/bounds.md: this work; prices from a market, checked in whole numbers", .compute = compute};
