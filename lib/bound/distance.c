/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/demand.h"
#include "bound/graph.h"

/** The sum of max(0, d - hops) over the distances d from a node to the n nodes on one side of it. */
static uint64_t beyond(uint64_t n, uint64_t hops)
{
    uint64_t left = n > hops ? n - hops : 0;
    return left * (left + 1) / 2;
}

/** The same over all other places. */
static uint64_t beyond_from(const struct bound_case *c, uint64_t p, uint64_t hops)
{
    if (bound_on_cycle(c))
        return plus_saturated(beyond((c->nodes - 1) / 2, hops), beyond(c->nodes / 2, hops));
    return plus_saturated(beyond(p, hops), beyond(c->nodes - 1 - p, hops));
}

/** And over all ordered pairs: on a line, each length d is that of 2(N - d) of them. */
static uint64_t beyond_in_all(const struct bound_case *c, uint64_t hops)
{
    uint64_t n = c->nodes, left = n - 1 > hops ? n - 1 - hops : 0;
    if (bound_on_cycle(c))
        return times_saturated(n, beyond_from(c, 0, hops));
    return times_saturated(2, times_saturated(left * (left + 1) / 2, left + 2) / 3);
}

/** Blocks from one node to another: between all, or between the root and each; 0: not such a collective. */
static uint64_t per_pair(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_TO_ALL)
        return demand_is_personal(c->coll) ? collective_parts(c->coll) : 0;
    return c->coll->kind == RWA_SCATTER || c->coll->kind == RWA_GATHER ? c->coll->blocks / c->nodes : 0;
}

static uint64_t length(const struct bound_case *c, uint64_t hops)
{
    if (c->coll->kind == RWA_ALL_TO_ALL)
        return times_saturated(per_pair(c), beyond_in_all(c, hops));
    return times_saturated(per_pair(c), beyond_from(c, c->root, hops));
}

/** In j steps no block gets nearer by more than j * max_hops; what is left must fit the steps after. */
static void load_along(struct bound_load *l, const struct bound_case *c)
{
    uint64_t width = bound_links(c) * c->channels, farthest = bound_farthest(c);
    if (bound_on_path(c) && c->coll->kind != RWA_ALL_TO_ALL)
        farthest = bound_max(c->root, c->nodes - 1 - c->root);
    assert(farthest >= 1 && c->max_hops >= 1);
    uint64_t last = (farthest - 1) / c->max_hops;
    bound_load_add(l, c, length(c, 0), width);
    l->steps = bound_max(l->steps, last + ceil_div(length(c, last * c->max_hops), width));
}

/** How many blocks have to go how far: count[d]. */
static void count_pairs(uint64_t *count, const struct bound_case *c)
{
    struct bound_graph *g = c->graph;
    bool all = c->coll->kind == RWA_ALL_TO_ALL;
    for (uint32_t r = 0; r < c->nodes; r++) {
        if (!all && r != c->coll->root)
            continue;
        for (uint32_t i = bound_graph_walk(g, g->member[r], c->coll->kind == RWA_GATHER); i-- > 1;)
            if (g->rank[g->order[i]] != BOUND_NO_RANK)
                count[g->hops[g->order[i]]] += (all && g->alike ? c->nodes : 1) * per_pair(c);
        if (all && g->alike)
            break;
    }
}

static uint64_t length_beyond(const uint64_t *count, uint32_t nodes, uint64_t hops)
{
    uint64_t sum = 0;
    assert(count[0] == 0); /* no node has blocks for itself to move */
    for (uint64_t d = hops + 1; d < nodes; d++)
        sum = plus_saturated(sum, times_saturated(count[d], d - hops));
    return sum;
}

static rwa_status load_in_graph(struct bound_load *l, const struct bound_case *c, rwa_error *err)
{
    struct bound_graph *g = c->graph;
    uint64_t *count, left;
    if (bound_graph_is_large(g) || g->channels == 0)
        return RWA_OK;
    MUST(base_new(count, g->nodes, err));
    count_pairs(count, c);
    bound_load_add(l, c, length_beyond(count, g->nodes, 0), g->channels);
    for (uint64_t j = 1; (left = length_beyond(count, g->nodes, j * c->max_hops)) > 0; j++)
        l->steps = bound_max(l->steps, j + ceil_div(left, g->channels));
    free(count);
    return RWA_OK;
}

rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err)
{
    if (per_pair(c) == 0)
        return RWA_OK;
    if (c->arcs)
        load_along(l, c);
    return c->graph ? load_in_graph(l, c, err) : RWA_OK;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    struct bound_load l = {0};
    rwa_status st = distance_load(&l, c, err);
    b->value = l.steps;
    return st;
}

const struct bound_entry bound_distance = {
    "distance", "steps",
    "the distances that all blocks have to go, added up, need that many channels of links; a block gets nearer by at most "
    "the hop limit in a step",
    "docs/bounds.md: counting of link loads", .compute = compute};
