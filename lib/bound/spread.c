/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"
#include "bound/graph.h"

/** gap: the longest gap between two holders that can be filled; side: the most nodes beyond the last holder. */
static uint64_t steps_along(const struct bound_case *c)
{
    uint64_t gap = 1, side = 0, steps = 0, longest = c->nodes - 1;
    if (c->coll->kind == RWA_BROADCAST)
        longest = bound_max(c->root, c->nodes - 1 - c->root);
    while (bound_on_cycle(c) ? gap < c->nodes : side < longest) {
        uint64_t reach = bound_times(bound_times(c->lightpaths, c->drops), gap);
        if (reach > c->max_hops)
            reach = c->max_hops;
        side += reach;
        gap += 2 * reach;
        steps++;
    }
    return steps;
}

/** From every node that may be an owner: no more nodes than are near enough, nor than the holders' links can tell. */
static uint64_t steps_from(const struct bound_case *c, uint32_t node, uint64_t widest, bool against)
{
    struct bound_graph *g = c->graph;
    uint64_t steps = 0, holders = 1, near = 1;
    uint32_t found = bound_graph_walk(g, node, against), left = c->nodes, last = 0;
    for (uint32_t i = 0; i < found; i++)
        if (g->rank[g->order[i]] != BOUND_NO_RANK && left-- > 0)
            last = i;
    if (left > 0) /* out of reach */
        return 0;
    while (near <= last || holders < c->nodes) {
        steps++;
        while (near < found && g->hops[g->order[near]] <= bound_times(steps, c->max_hops))
            near++;
        holders = bound_times(holders, bound_plus(bound_times(widest, c->drops), 1));
        if (holders > near)
            holders = near;
    }
    return steps;
}

static uint64_t steps_in_graph(const struct bound_case *c)
{
    const struct bound_graph *g = c->graph;
    bool against = c->coll->kind == RWA_REDUCE_SCATTER;
    const struct bound_ends *e = against ? &g->in : &g->out;
    uint64_t widest = 0, most = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        widest = bound_max(widest, e->width[v] / c->slots);
    if (c->coll->kind == RWA_BROADCAST)
        return steps_from(c, g->member[c->coll->root], widest, against);
    for (uint32_t r = 0; r < c->nodes && (r == 0 || !(g->alike || bound_graph_is_large(g))); r++)
        most = bound_max(most, steps_from(c, g->member[r], widest, against));
    return most;
}

/** A holder has no more lightpaths in a step than ports. */
static uint64_t steps_of_ports(const struct bound_case *c)
{
    uint64_t steps = 0;
    for (uint64_t holders = 1; c->ports > 0 && holders < c->nodes; steps++)
        holders = bound_times(holders, bound_plus(bound_times(c->ports, c->drops), 1));
    return steps;
}

uint64_t spread_steps(const struct bound_case *c)
{
    uint64_t steps = c->arcs ? steps_along(c) : c->graph ? steps_in_graph(c) : 0;
    return bound_max(steps, steps_of_ports(c));
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (bound_is_spread(c))
        b->value = spread_steps(c);
    return RWA_OK;
}

const struct bound_entry bound_spread = {
    "spread", "steps",
    "one block alone, with all channels, passes from each holder to at most W nodes on either side in a step, and to no more "
    "than it has ports, each tapped lightpath counted once for every node that reads it, none beyond the hop limit",
    "docs/bounds.md: gaps between holders", compute};
